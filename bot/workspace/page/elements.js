// Block Kit's interactive elements. Each reports a press through `context.press(action)`, where action is
// {action_id, value?}: of a menu the value chosen, of feedback that of its button. It resolves to whether it was taken.

import { el, svg } from "./dom.js";
import { withEmoji } from "./emoji.js";
import { unknown } from "./unknown.js";

const FEEDBACK = [["positive_button", "M5 11v9H2v-9zm2 9V11l4.5-8C13 3 14 4 13.7 6L13 10h6.2c1.2 0 2 1 1.8 2.2l-1.3 6.3c-.2.9-1 1.5-1.9 1.5z"],
  ["negative_button", "M19 13V4h3v9zm-2-9v9l-4.5 8c-1.5 0-2.5-1-2.2-3l.7-4H4.8c-1.2 0-2-1-1.8-2.2l1.3-6.3C4.5 4.6 5.3 4 6.2 4z"]];
const ICONS = { trash: "M9 3h6l1 2h4v2H4V5h4zM6 9h12l-1 12H7z" };

export function element(spec, context) {
  const build = { button, overflow, static_select: select, feedback_buttons: feedback, icon_button: icon }[spec.type];
  return build ? build(spec, reporter(spec, context)) : unknown("element", spec);
}

/** Plain text objects show emoji codes and nothing else. */
export function plainText(object) {
  if (!object) return [];
  return object.emoji === false ? [object.text] : withEmoji(object.text);
}

/** press(control, value): asks where the element wants a confirmation, then reports, busy meanwhile. */
function reporter(spec, context) {
  return async (control, value, confirm = spec.confirm) => {
    if (confirm && !(await agreed(confirm))) return false;
    control.setAttribute("aria-busy", "true");
    const taken = await context.press({ action_id: spec.action_id, value });
    control.removeAttribute("aria-busy");
    return taken;
  };
}

function button(spec, press) {
  const look = { class: `button ${spec.style ?? ""}`.trim(), "aria-label": spec.accessibility_label, "data-action": spec.action_id };
  if (/^https?:\/\//i.test(spec.url ?? "")) {
    // Slack reports the click on a link button as well.
    const report = () => press(anchor, spec.value, null);
    const anchor = el("a", { ...look, href: spec.url, target: "_blank", rel: "noopener noreferrer", onclick: report }, plainText(spec.text));
    return anchor;
  }
  const node = el("button", { ...look, type: "button", onclick: () => press(node, spec.value) }, plainText(spec.text));
  return node;
}

function select(spec, press) {
  const groups = spec.option_groups ?? [];
  const all = [...(spec.options ?? []), ...groups.flatMap((group) => group.options)];
  const option = (each) => el("option", { value: all.indexOf(each), selected: each.value === spec.initial_option?.value }, each.text.text);
  const placeholder = spec.placeholder?.text ?? "Choose…";
  const node = el("select", { class: "select", "aria-label": placeholder, "data-action": spec.action_id },
    el("option", { value: "", disabled: true, selected: !spec.initial_option }, placeholder),
    (spec.options ?? []).map(option),
    groups.map((group) => el("optgroup", { label: group.label.text }, group.options.map(option))));
  node.addEventListener("change", () => press(node, all[Number(node.value)].value));
  return node;
}

function overflow(spec, press) {
  const choose = (each) => {
    menu.open = false;
    if (/^https?:\/\//i.test(each.url ?? "")) window.open(each.url, "_blank", "noopener,noreferrer");
    press(summary, each.value);
  };
  const summary = el("summary", { class: "button", "aria-label": "More actions", "data-action": spec.action_id }, "⋯");
  const items = spec.options.map((each) =>
    el("button", { type: "button", onclick: () => choose(each) }, plainText(each.text), each.description && el("small", {}, each.description.text)));
  const menu = el("details", { class: "overflow" }, summary, el("div", { class: "menu" }, items));
  menu.addEventListener("focusout", (event) => { if (!menu.contains(event.relatedTarget)) menu.open = false; });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    summary.focus();
    event.stopPropagation();                                   // it closes the menu, not the thread as well
  });
  return menu;
}

function feedback(spec, press) {
  const group = el("span", { class: "feedback", role: "group", "aria-label": "Feedback" });
  const buttons = FEEDBACK.filter(([name]) => spec[name]).map(([name, path]) => {
    const label = spec[name].accessibility_label ?? spec[name].text?.text ?? "";
    const look = { class: "icon-button", title: spec[name].text?.text ?? label, "aria-label": label, "data-action": spec.action_id };
    const node = el("button", { type: "button", ...look, "aria-pressed": "false" }, glyph(path));
    node.addEventListener("click", async () => {
      if (!(await press(node, spec[name].value))) return;
      for (const each of buttons) each.setAttribute("aria-pressed", String(each === node));
    });
    return node;
  });
  group.append(...buttons);
  return group;
}

function icon(spec, press) {
  const label = spec.accessibility_label ?? spec.text?.text ?? spec.icon;
  const look = { class: "icon-button", title: label, "aria-label": label, "data-action": spec.action_id };
  const node = el("button", { type: "button", ...look, onclick: () => press(node, spec.value) },
    ICONS[spec.icon] ? glyph(ICONS[spec.icon]) : label);
  return node;
}

const glyph = (path) => svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));

/** Asks in a dialog of the page; resolves to true when the reader agrees. */
function agreed(confirm) {
  return new Promise((resolve) => {
    const answer = (value) => () => dialog.close(value);
    const dialog = el("dialog", { class: "confirm", "aria-label": confirm.title?.text },
      el("h2", {}, plainText(confirm.title)),
      el("p", {}, confirm.text?.text ?? ""),
      el("div", { class: "dialog-buttons" },
        el("button", { type: "button", class: "button", onclick: answer("no") }, confirm.deny?.text ?? "Cancel"),
        el("button", { type: "button", class: `button ${confirm.style ?? "primary"}`, onclick: answer("yes") }, confirm.confirm?.text ?? "Yes")));
    dialog.addEventListener("close", () => { dialog.remove(); resolve(dialog.returnValue === "yes"); });
    document.body.append(dialog);
    dialog.showModal();
  });
}
