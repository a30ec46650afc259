// What is drawn anew keeps the reader's place in it.

/** Calls `draw`, which replaces what is inside `root`, and puts focus and scrolling back where they were. */
export function keepFocus(root, draw) {
  const had = root.contains(document.activeElement) ? document.activeElement : null;
  const same = (node) => node.dataset.action === had.dataset.action && (node.type !== "radio" && node.type !== "checkbox" || node.value === had.value);
  const place = [...root.querySelectorAll(".modal-body")].map((node) => node.scrollTop);
  const caret = had && "selectionStart" in had ? had.selectionStart : null;
  draw();
  root.querySelectorAll(".modal-body").forEach((node, index) => { node.scrollTop = place[index] ?? 0; });
  if (!had) return;
  const again = had.dataset.action ? [...root.querySelectorAll("[data-action]")].find(same) : null;
  (again ?? root.querySelector(".modal-body, [data-rest]") ?? root).focus({ preventScroll: true });
  if (again && caret !== null && /^(text|search|url)$|area$/.test(again.type)) again.setSelectionRange(caret, caret);
}
