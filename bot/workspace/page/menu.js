// A button that opens a small menu. Arrow keys walk through it, Escape closes it and nothing else.

import { el } from "./dom.js";
import { plainText } from "./text.js";

/** `items` are {text, description?, choose}; text is a string or a text object. `side` says where it opens. */
export function menu(summary, items, side = "") {
  const choices = items.map(({ text, description, choose }) =>
    el("button", { type: "button", role: "menuitem", onclick: () => { close(); choose(); } },
      typeof text === "string" ? text : plainText(text), description && el("small", {}, plainText(description))));
  const node = el("details", { class: `overflow ${side}`.trim() }, summary, el("div", { class: "menu", role: "menu" }, choices));
  summary.setAttribute("aria-haspopup", "menu");

  function close() {
    const inside = node.contains(document.activeElement);
    node.open = false;
    if (inside) summary.focus();
  }

  function walk(by) {
    node.open = true;
    const at = choices.indexOf(document.activeElement);
    const start = by > 0 ? 0 : choices.length - 1;
    choices[at < 0 ? start : (at + by + choices.length) % choices.length]?.focus();
  }

  node.addEventListener("focusout", (event) => { if (!node.contains(event.relatedTarget)) node.open = false; });
  node.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && node.open) close();
    else if (event.key === "ArrowDown") walk(1);
    else if (event.key === "ArrowUp") walk(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();                                   // it closes the menu, not the thread as well
  });
  return node;
}
