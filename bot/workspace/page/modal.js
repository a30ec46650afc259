// The modal before the reader's eyes: the topmost of a stack, in a native dialog, which keeps the focus inside.

import { blocks } from "./blocks.js";
import { el, svg } from "./dom.js";
import { complaint, initial } from "./fields.js";
import { keepFocus } from "./focus.js";
import { plainText } from "./text.js";

const CROSS = "m12 10.6 6-6 1.4 1.4-6 6 6 6-1.4 1.4-6-6-6 6L4.6 18l6-6-6-6L6 4.6z";
const BACK = "M14.6 5 16 6.4 10.4 12l5.6 5.6-1.4 1.4-7-7z";

/**
 * Fills `dialog`. `does` is {names(), errors(), press(action), submit(values), close(every)}; press resolves to whether it was
 * taken, submit to "" or what went wrong. `show(stack, errors)` draws what differs from before.
 */
export function modalScreen(dialog, does) {
  const kept = new Map();                                      // view id → block_id/action_id → what was filled in
  let stack = [];
  let drawn = "";
  let complaints = {};                                         // by block_id: ours, until the app says something
  let complainedOf = "{}";                                     // what the app said last
  let trouble = "";
  let busy = false;

  dialog.addEventListener("cancel", (event) => event.preventDefault());
  dialog.addEventListener("close", () => stack.length && does.close(true));
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();                                    // else the browser closes it before the app knows
    event.stopPropagation();
    does.close(false);
  });

  function show(views, errors) {
    const top = views.at(-1);
    for (const id of kept.keys()) if (!views.some((view) => view.id === id)) kept.delete(id);
    if (top?.id !== stack.at(-1)?.id) [complaints, trouble] = [{}, ""];
    stack = views;
    if (!top) {
      drawn = "";
      if (dialog.open) dialog.close();
      return;
    }
    // What the app complains of may come before its answer to the submission or after: either leads to the field.
    const isNew = Object.keys(errors).length > 0 && JSON.stringify(errors) !== complainedOf;
    if (isNew) complaints = {};
    complainedOf = JSON.stringify(errors);
    draw(top, { ...complaints, ...errors }, isNew);
  }

  /** `pointOut` leads the reader to the first field that something is wrong with. */
  function draw(view, errors, pointOut = false) {
    const signature = JSON.stringify([stack.map(({ id }) => id), view.hash, errors, trouble, busy]);
    if (signature === drawn && !pointOut) return;
    const moved = dialog.dataset.view !== view.id || !dialog.open;
    drawn = signature;
    const fill = () => dialog.replaceChildren(...content(view, errors));
    if (moved) fill();
    else keepFocus(dialog, fill);
    dialog.dataset.view = view.id;
    if (!dialog.open) dialog.showModal();
    const invalid = pointOut && dialog.querySelector(".input-block [aria-invalid]");
    if (invalid) (invalid.querySelector("input") ?? invalid).focus();
    else if (moved) (dialog.querySelector(".input-block :is(input, select, textarea)") ?? dialog.querySelector(".modal-body")).focus();
  }

  function content(view, errors) {
    const below = stack.at(-2);
    const press = (action) => does.press({ ...action, values: valuesOf(view) });
    const context = { names: does.names(), press, drafts: draftsOf(view), errors };
    const form = el("form", { class: "modal-form", novalidate: true },
      el("div", { class: "modal-body", tabindex: "0", role: "region", "aria-labelledby": "modal-title" },
        trouble && el("p", { class: "modal-trouble", role: "alert" }, trouble),
        el("div", { class: "body" }, blocks(view.blocks, context))),
      el("footer", { class: "modal-foot" },
        el("button", { type: "button", class: "button", "data-testid": "modal-close", "data-action": "modal-close", onclick: () => does.close(false) }, plainText(view.close ?? "Cancel")),
        view.submit && el("button", { type: "submit", class: "button primary", "data-testid": "modal-submit", "data-action": "modal-submit", "aria-disabled": busy ? "true" : null, "aria-busy": busy ? "true" : null }, plainText(view.submit))));
    form.addEventListener("submit", (event) => { event.preventDefault(); submit(view); });
    return [
      el("header", { class: "modal-head" },
        below && iconButton(BACK, `Back to ${below.title.text}`, () => does.close(false)),
        el("h2", { id: "modal-title" }, plainText(view.title)),
        iconButton(CROSS, stack.length > 1 ? "Close all" : "Close", () => does.close(true))),
      form,
    ];
  }

  async function submit(view) {
    if (busy) return;
    complaints = complaintsOf(view);
    trouble = "";
    if (Object.keys(complaints).length) return draw(view, complaints, true);
    busy = true;
    draw(view, {});
    trouble = await does.submit(valuesOf(view));
    busy = false;
    const top = stack.at(-1);
    if (top) draw(top, does.errors(), true);
  }

  function draftsOf(view) {
    if (!kept.has(view.id)) kept.set(view.id, new Map());
    return kept.get(view.id);
  }

  // What was typed in a field that an update took away is nothing to the app.
  function valuesOf(view) {
    const there = new Set(view.blocks.flatMap((block) => elementsOf(block).map((each) => `${block.block_id}/${each.action_id}`)));
    return Object.fromEntries([...draftsOf(view)].filter(([key]) => there.has(key)));
  }

  function complaintsOf(view) {
    const inputs = view.blocks.filter((block) => block.type === "input");
    return Object.fromEntries(inputs.flatMap((block) => {
      const value = draftsOf(view).get(`${block.block_id}/${block.element.action_id}`) ?? initial(block.element);
      const said = complaint(block.element, value, block.optional);
      return said ? [[block.block_id, said]] : [];
    }));
  }

  return { show };
}

const elementsOf = (block) => [block.element, block.accessory, ...(block.elements ?? [])].filter((each) => each?.action_id);

function iconButton(path, label, onclick) {
  return el("button", { type: "button", class: "icon-button", "aria-label": label, title: label, "data-action": `modal-${label}`, onclick },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path })));
}
