// A list of completions over a text box: the focus stays in the box, arrow keys walk the list, Enter and Tab take what
// is chosen, Escape closes it. The box is a text box of several lines, so by ARIA it is no combobox, but it may have a
// listbox of completions (aria-autocomplete) and point at one of them (aria-activedescendant).

import { el } from "./dom.js";

let lists = 0;

/**
 * `complete(text, caret)` says what can be completed, see completions.js; `changed()` is called when the box was.
 * Returns {list, close}: the list is for the caller to place.
 */
export function suggesting(box, complete, changed) {
  const id = `completions-${++lists}`;
  const list = el("div", { id, class: "completions", role: "listbox", "aria-label": "Suggestions", "data-testid": "completions", hidden: true });
  const count = el("p", { class: "hidden-text", role: "status" });
  let found = null;
  let active = -1;
  let dismissed = null;                                        // what was typed when Escape closed the list

  for (const [name, value] of [["aria-autocomplete", "list"], ["aria-haspopup", "listbox"], ["aria-controls", id]]) box.setAttribute(name, value);
  box.addEventListener("input", look);
  box.addEventListener("blur", close);
  box.addEventListener("keydown", (event) => {
    if (!found || event.isComposing) return;
    const taken = KEYS[event.key]?.(event);
    if (!taken) return;
    event.preventDefault();
    event.stopImmediatePropagation();                          // it neither sends nor closes the thread
  });

  const KEYS = {
    ArrowDown: () => walk(1),
    ArrowUp: () => walk(-1),
    Enter: (event) => !event.shiftKey && active >= 0 && take(active),
    Tab: (event) => !event.shiftKey && active >= 0 && take(active),
    Escape: () => { dismissed = box.value; close(); return true; },
  };

  function look() {
    found = box.value === dismissed ? null : complete(box.value, box.selectionStart);
    if (!found) return close();
    dismissed = null;
    active = found.isWhole ? -1 : 0;
    list.replaceChildren(...found.options.map(row));
    list.hidden = false;
    count.textContent = found.options.length === 1 ? "1 suggestion" : `${found.options.length} suggestions`;
    mark();
  }

  function row({ label, after, description, picture }, index) {
    const node = el("div", { id: `${id}-${index}`, class: "completion", role: "option", "aria-selected": "false" },
      picture?.(), el("span", { class: "completion-label" }, label, after && el("span", { class: "completion-after" }, ` ${after}`)),
      description && el("span", { class: "completion-about" }, description));
    node.addEventListener("mousedown", (event) => event.preventDefault());   // the focus stays in the box
    node.addEventListener("click", () => take(index));
    return node;
  }

  function walk(by) {
    const { length } = found.options;
    active = active < 0 ? (by > 0 ? 0 : length - 1) : (active + by + length) % length;
    mark();
    return true;
  }

  function mark() {
    [...list.children].forEach((node, index) => node.setAttribute("aria-selected", String(index === active)));
    const chosen = list.children[active];
    if (chosen) box.setAttribute("aria-activedescendant", chosen.id);
    else box.removeAttribute("aria-activedescendant");
    chosen?.scrollIntoView({ block: "nearest" });
  }

  function take(index) {
    const { from, options } = found;
    const rest = box.value.slice(box.selectionStart);
    const { insert } = options[index];
    box.value = box.value.slice(0, from) + insert + rest.replace(/^ /, "");
    box.setSelectionRange(from + insert.length, from + insert.length);
    close();
    changed();
    return true;
  }

  function close() {
    found = null;
    active = -1;
    list.hidden = true;
    list.replaceChildren();
    count.textContent = "";
    box.removeAttribute("aria-activedescendant");
  }

  return { nodes: [list, count], close };
}
