// The app's Home tab: what it published for the reader, or a word that it is on its way.

import { blocks } from "./blocks.js";
import { el } from "./dom.js";
import { keepFocus } from "./focus.js";

/** Fills `node`; `does` is {names(), press(action)}. `show(view)` draws what differs from before. */
export function homeScreen(node, does) {
  let drawn;

  return {
    show(view) {
      const signature = view?.hash ?? "";
      if (signature === drawn) return;
      drawn = signature;
      const context = { names: does.names(), press: does.press, drafts: new Map() };
      keepFocus(node, () => node.replaceChildren(
        view
          ? el("div", { class: "body home-body" }, blocks(view.blocks, context))
          : el("p", { class: "empty" }, "Nothing is published here yet. One moment…")));
    },
  };
}
