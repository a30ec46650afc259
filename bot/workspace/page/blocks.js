// Block Kit → DOM: one small function a block type. `context` is {names, press}: names holds
// {users, channels, me} for mentions, press reports a pressed element (see elements.js). In a modal it has also
// `drafts`, a Map from block_id/action_id to what was filled in, and `errors` by block_id.

import { el } from "./dom.js";
import { element } from "./elements.js";
import { field, isField, isGroup } from "./fields.js";
import { richText } from "./richtext.js";
import { plainText, textObject } from "./text.js";
import { unknown } from "./unknown.js";

const DRAW = {
  header, section, context: contextBlock, divider: () => el("hr"), rich_text: (block, { names }) => richText(block, names),
  actions, context_actions: actions, input,
};

export function blocks(list, context) {
  return el("div", { class: "blocks" }, list.map((block) => draw(block, context)));
}

/** A malformed block must not take the page with it: it is shown as its JSON instead. */
function draw(block, context) {
  try {
    const node = DRAW[block.type] ? DRAW[block.type](block, context) : unknown("block", block);
    node.dataset.block = block.type;
    return node;
  } catch (error) {
    console.warn("block not drawn", block, error);
    return unknown("block", block, "that could not be drawn");
  }
}

function header(block) {
  // The page's own headings are levels 1 and 2, so a message's begin at 3.
  return el(`h${Math.min(6, (block.level ?? 1) + 2)}`, { class: "block-header" }, plainText(block.text));
}

function section(block, context) {
  const fields = (block.fields ?? []).map((each) => el("div", { class: "field" }, textObject(each, context.names)));
  return el("div", { class: "section" },
    el("div", { class: "section-text" },
      block.text && el("div", { class: "section-body" }, textObject(block.text, context.names)),
      fields.length > 0 && el("div", { class: "fields" }, fields)),
    block.accessory && el("div", { class: "accessory" }, element(block.accessory, context, block.block_id)));
}

function contextBlock(block, context) {
  return el("div", { class: "context" }, block.elements.map((each) => el("span", {}, textObject(each, context.names))));
}

function actions(block, context) {
  return el("div", { class: "actions" }, block.elements.map((each) => element(each, context, block.block_id)));
}

// ---- inputs ------------------------------------------------------------------------------------------

/** A field with its label, its hint and what is wrong with it. */
function input(block, context) {
  const spec = block.element;
  if (!isField(spec)) return unknown("field", spec);
  const id = `field-${block.block_id}`;
  const key = `${block.block_id}/${spec.action_id}`;
  const change = (value) => context.drafts?.set(key, value);
  const control = field(spec, { names: context.names, value: context.drafts?.get(key), id, optional: block.optional, change });
  const error = context.errors?.[block.block_id];
  const label = [plainText(block.label), block.optional && el("span", { class: "optional" }, " (optional)")];
  const described = [block.hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || null;
  const group = isGroup(spec);
  const told = group ? el("fieldset", { "aria-describedby": described, "aria-invalid": error ? "true" : null }, el("legend", {}, label), control) : control;
  if (!group) {
    if (described) control.setAttribute("aria-describedby", described);
    if (error) control.setAttribute("aria-invalid", "true");
    if (!block.optional) control.setAttribute("aria-required", "true");
  }
  return el("div", { class: "input-block" },
    !group && el("label", { for: id }, label),
    told,
    error && el("p", { class: "field-error", id: `${id}-error` }, error),
    block.hint && el("p", { class: "field-hint", id: `${id}-hint` }, plainText(block.hint)));
}
