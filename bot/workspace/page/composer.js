// The box one writes in: Enter sends, Shift+Enter breaks the line, drafts are kept a place each.

import { el, svg } from "./dom.js";
import { menu } from "./menu.js";
import { suggesting } from "./suggesting.js";

/**
 * Fills `form` with a composer. `send(text)` returns a promise; when it fails, the text stays and the error is
 * shown. `complete(text, caret)` says what can be completed, see completions.js. `show({key, placeholder, mention, offered, prefix, shortcuts})` moves the composer to another place: offered
 * is {title, prompts}, of which each is {title, message}; shortcuts are {text, description, choose}.
 */
export function composer(form, { testid, label, send, complete }) {
  const drafts = new Map();
  const nothing = { key: null, mention: "", offered: { title: "", prompts: [] }, prefix: "", shortcuts: [] };
  let place = nothing;
  let sending = false;

  const box = el("textarea", { rows: "1", "data-testid": testid, "aria-label": label, enterkeyhint: "send" });
  const error = el("p", { class: "composer-error", role: "alert", hidden: true });
  const chips = el("div", { class: "chips", role: "group" });
  const shortcuts = el("span", {});
  const mentionButton = el("button", { type: "button", class: "icon-button", onclick: addMention }, "@");
  const sendButton = el("button", { type: "submit", class: "send", "aria-label": "Send" },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M3 20.5 21.5 12 3 3.5v6.7l11 1.8-11 1.8z" })));
  const hint = el("span", { class: "hint", "aria-hidden": "true" }, "Enter sends · Shift+Enter breaks the line");
  // Before the composer's own keys: Enter takes what is chosen in the list before it sends.
  const suggestions = suggesting(box, complete, changed);
  form.replaceChildren(chips, el("div", { class: "writing" }, ...suggestions.nodes, box, el("div", { class: "tools" }, mentionButton, shortcuts, hint, sendButton)), error);

  form.addEventListener("submit", (event) => { event.preventDefault(); submit(); });
  box.addEventListener("input", changed);
  box.addEventListener("keydown", (event) => {
    // isComposing: Enter that ends an input method's word is not "send".
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });

  function changed() {
    drafts.set(place.key, box.value);
    refresh();
  }

  async function submit() {
    const text = box.value.trim();
    const from = place.key;
    if (!text || sending) return;
    setSending(true);
    try {
      await send(text);
      drafts.delete(from);
      if (place.key === from) box.value = "";
      error.hidden = true;
    } catch (problem) {
      error.textContent = `Not sent: ${problem.message.replace(/\.$/, "")}. Your text is still here.`;
      error.hidden = false;
    } finally {
      setSending(false);
    }
  }

  function setSending(value) {
    sending = value;
    box.readOnly = value;                                      // not disabled: the focus stays
    form.setAttribute("aria-busy", String(value));
    form.classList.toggle("sending", value);
    refresh();
  }

  function refresh() {
    sendButton.disabled = sending || !box.value.trim();
    fit();
  }

  /** As tall as what is written, up to the style's max-height; not measured while it is hidden. */
  function fit() {
    box.style.height = "";
    if (box.value && box.offsetParent) box.style.height = `${box.scrollHeight}px`;
  }

  function addMention() {
    const name = `@${place.mention}`;
    if (!box.value.startsWith(name)) box.value = `${name} ${box.value}`;
    changed();
    box.focus();
  }

  function chip({ title, message }) {
    const text = place.prefix && !message.startsWith("/") ? place.prefix + message : message;
    const ask = () => {
      if (sending) return;
      box.value = text;
      submit();
    };
    return el("button", { type: "button", class: "chip", "data-testid": "suggestion", title: title === message ? null : message, onclick: ask }, title);
  }

  function show(next) {
    const moved = next.key !== place.key;
    const drawn = ({ offered, prefix, shortcuts: some }) => JSON.stringify([offered, prefix, some]);
    const before = drawn(place);
    place = { ...nothing, ...next };
    box.placeholder = place.placeholder ?? "";
    mentionButton.hidden = !place.mention;
    mentionButton.setAttribute("aria-label", `Mention ${place.mention}`);
    mentionButton.title = `Mention ${place.mention}`;
    if (drawn(place) !== before) offer();
    if (moved) {
      suggestions.close();
      box.value = drafts.get(place.key) ?? "";
      error.hidden = true;
    }
    refresh();
  }

  function offer() {
    const { title, prompts } = place.offered;
    chips.setAttribute("aria-label", title);
    chips.replaceChildren(...prompts.map(chip));
    shortcuts.replaceChildren(...(place.shortcuts.length ? [shortcutMenu(place.shortcuts)] : []));
  }

  new ResizeObserver(() => requestAnimationFrame(fit)).observe(form);   // another width breaks lines elsewhere

  return { show, focus: () => box.focus(), isEmpty: () => !box.value.trim() };
}

function shortcutMenu(items) {
  const bolt = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M13.5 2 5 13.5h5.5L9.5 22 19 9.5h-6z" }));
  return menu(el("summary", { class: "icon-button", "aria-label": "Shortcuts", title: "Shortcuts", "data-testid": "shortcuts" }, bolt), items, "up");
}
