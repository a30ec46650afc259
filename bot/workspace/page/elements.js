// Block Kit's interactive elements. Each reports a press through `context.press(action)`, where action is
// {action_id, value?}: of a menu the value chosen, of several a list. It resolves to whether it
// was taken.

import { el } from "./dom.js";
import { field, isField } from "./fields.js";
import { plainText } from "./text.js";
import { unknown } from "./unknown.js";

/** `blockId` tells where in a modal what is chosen is kept until it is submitted. */
export function element(spec, context, blockId) {
  const press = reporter(spec, context);
  if (isField(spec)) {
    const key = `${blockId}/${spec.action_id}`;
    const change = (value) => { context.drafts?.set(key, value); press(node, value); };
    const node = field(spec, { names: context.names, value: context.drafts?.get(key), change });
    return node;
  }
  return spec.type === "button" ? button(spec, press) : unknown("element", spec);
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
