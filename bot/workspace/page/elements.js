// Block Kit's interactive elements. Each reports a press through `context.press(action)`, where action is
// {action_id, value?}: of a menu the value chosen, of several a list, of feedback that of its button. It resolves to
// whether it was taken.

import { el, svg } from "./dom.js";
import { field, isField } from "./fields.js";
import { plainText } from "./text.js";
import { unknown } from "./unknown.js";

const FEEDBACK = [["positive_button", "M5 11v9H2v-9zm2 9V11l4.5-8C13 3 14 4 13.7 6L13 10h6.2c1.2 0 2 1 1.8 2.2l-1.3 6.3c-.2.9-1 1.5-1.9 1.5z"],
  ["negative_button", "M19 13V4h3v9zm-2-9v9l-4.5 8c-1.5 0-2.5-1-2.2-3l.7-4H4.8c-1.2 0-2-1-1.8-2.2l1.3-6.3C4.5 4.6 5.3 4 6.2 4z"]];

/** `blockId` tells where in a modal what is chosen is kept until it is submitted. */
export function element(spec, context, blockId) {
  const press = reporter(spec, context);
  if (isField(spec)) {
    const key = `${blockId}/${spec.action_id}`;
    const change = (value) => { context.drafts?.set(key, value); press(node, value); };
    const node = field(spec, { names: context.names, value: context.drafts?.get(key), change });
    return node;
  }
  const build = { button, feedback_buttons: feedback }[spec.type];
  return build ? build(spec, press) : unknown("element", spec);
}

/** press(control, value): asks where the element wants a confirmation, then reports, busy and deaf meanwhile. */
function reporter(spec, context) {
  return async (control, value, confirm = spec.confirm) => {
    if (control.ariaBusy === "true" || (confirm && !(await agreed(confirm)))) return false;
    control.ariaBusy = control.ariaDisabled = "true";
    const taken = await context.press({ action_id: spec.action_id, value });
    control.ariaBusy = control.ariaDisabled = null;
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
