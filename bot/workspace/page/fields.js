// Block Kit's elements in which something is typed or chosen. `field(spec, {names, value, id, optional, change})` is a
// node; `value` is what was typed or chosen there before, undefined for what the element begins with. `change` is told
// a string, or a list of them where several can be chosen; "" is nothing.

import { el } from "./dom.js";
import { textObject } from "./text.js";

const CHOSEN = ["static_select", "users_select", "conversations_select"];

export const isField = (spec) => spec.type === "plain_text_input" || isGroup(spec) || CHOSEN.includes(spec.type);

/** Whether it is several controls under one name, which want a fieldset around them. */
export const isGroup = (spec) => spec.type === "multi_static_select";

export function field(spec, given) {
  const value = given.value ?? initial(spec);
  if (spec.type === "plain_text_input") return typed(spec, value ?? "", given);
  if (isGroup(spec)) return ticked(spec, value ?? [], given);
  return select(spec, value, given);
}

/** What an element holds before anybody touched it. */
export function initial(spec) {
  for (const key of ["value", "user", "conversation"]) {
    if (spec[`initial_${key}`] !== undefined) return spec[`initial_${key}`];
  }
  if (spec.initial_options) return spec.initial_options.map((option) => option.value);
  return spec.initial_option?.value;
}

/** What is wrong with a value that is to be submitted; "" for nothing. */
export function complaint(spec, value, optional) {
  if (!value?.length) return optional ? "" : "Please complete this required field.";
  if (spec.min_length && value.length < spec.min_length) return `Please type at least ${spec.min_length} characters.`;
  return "";
}

function typed(spec, value, { id, change }) {
  const look = {
    id, class: "input", "data-action": spec.action_id, placeholder: spec.placeholder?.text, maxlength: spec.max_length,
    "aria-label": id ? null : spec.placeholder?.text ?? spec.action_id,
    oninput: () => change(node.value),
  };
  const node = spec.multiline ? el("textarea", { ...look, rows: "4" }) : el("input", { ...look, type: "text" });
  node.value = value;
  return node;
}

function select(spec, value, { names, id, optional, change }) {
  const placeholder = spec.placeholder?.text ?? "Choose…";
  const option = (each) => el("option", { value: each.value, selected: each.value === value }, each.text.text);
  const known = optionsOf(spec, names);
  const nothing = !known.some((each) => each.value === value);
  const node = el("select", { id, class: "select", "aria-label": id ? null : placeholder, "data-action": spec.action_id },
    el("option", { value: "", disabled: !optional, selected: nothing }, placeholder),
    spec.option_groups
      ? spec.option_groups.map((group) => el("optgroup", { label: group.label.text }, group.options.map(option)))
      : known.map(option));
  node.addEventListener("change", () => change(node.value));
  return node;
}

function ticked(spec, values, { names, id, change }) {
  const name = id ?? `${spec.action_id}-${Math.random()}`;
  const boxes = [];
  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const tell = () => change(chosen());
  const rows = optionsOf(spec, names).map((each) => {
    const box = el("input", { type: "checkbox", name, value: each.value, "data-action": spec.action_id, onchange: tell });
    box.checked = values.includes(each.value);
    boxes.push(box);
    return el("label", { class: "choice" }, box, el("span", {}, textObject(each.text, names), each.description && el("small", {}, textObject(each.description, names))));
  });
  return el("div", { class: `choices ${rows.length > 8 ? "many" : ""}`.trim() }, rows.length ? rows : "Nothing to choose from.");
}

function optionsOf(spec, names) {
  if (spec.type === "users_select") return people(names);
  if (spec.type === "conversations_select") return channels(names, spec.filter?.include ?? ["public", "private", "im"]);
  return [...(spec.options ?? []), ...(spec.option_groups ?? []).flatMap((group) => group.options)];
}

const plain = (value, text) => ({ value, text: { type: "plain_text", text, emoji: false } });

function people({ users }) {
  return Object.values(users).filter((user) => !user.is_bot).map((user) => plain(user.id, user.real_name || user.name));
}

function channels(names, kinds) {
  const kindOf = (channel) => (channel.is_im ? "im" : channel.is_private ? "private" : "public");
  return names.channels.filter((channel) => kinds.includes(kindOf(channel))).map((channel) => plain(channel.id, channel.is_im ? channel.name : `#${channel.name}`));
}
