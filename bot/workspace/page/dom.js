// Building nodes. Everything on this page is built with these functions: message text comes from
// commits and strangers, so it only ever becomes a text node, never markup.

const SVG = "http://www.w3.org/2000/svg";
const SAFE_LINK = /^(https?:\/\/|mailto:)/i;

export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function fragment(...children) {
  const node = document.createDocumentFragment();
  node.append(...wanted(children));
  return node;
}

/** An anchor for http, https and mailto; for anything else (javascript:, data:) only its label. */
export function link(url, label = url, attributes = {}) {
  if (!SAFE_LINK.test(url)) return el("span", {}, label);
  return el("a", { href: url, target: "_blank", rel: "noopener noreferrer", ...attributes }, label);
}

/** Makes `parent` hold exactly `nodes`, touching only what differs, so focus and open menus survive. */
export function arrange(parent, nodes) {
  const wantedNodes = new Set(nodes);
  for (const child of [...parent.childNodes]) if (!wantedNodes.has(child)) child.remove();
  nodes.forEach((node, index) => {
    const there = parent.childNodes[index];
    if (there !== node) parent.insertBefore(node, there ?? null);
  });
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) set(node, name, value);
  node.append(...wanted(children));
  return node;
}

function set(node, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
  else node.setAttribute(name, value === true ? "" : value);
}

function wanted(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== "");
}
