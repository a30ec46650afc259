// Block Kit's rich_text: sections, nested lists, code. Its text leaves hold text and nothing else;
// no marker in them is parsed, which is why commit subjects travel in them.

import { el, link } from "./dom.js";
import { emoji } from "./emoji.js";
import { userMention } from "./mrkdwn.js";

const STYLE_TAGS = { bold: "strong", italic: "em", strike: "s", code: "code", underline: "u", highlight: "mark" };

export function richText(block, names) {
  const root = el("div", { class: "rich-text" });
  const open = [];                                             // the lists still open, outermost first
  for (const element of block.elements ?? []) {
    if (element.type === "rich_text_list") {
      addList(root, open, element, names);
      continue;
    }
    open.length = 0;
    root.append(paragraph(element, names));
  }
  return root;
}

function paragraph(element, names) {
  if (element.type === "rich_text_preformatted") return el("pre", { tabindex: "0" }, el("code", {}, leaves(element, names)));
  return el("div", { class: "rich-section pre-wrap" }, leaves(element, names));
}

// Slack sends nested lists flat, one after the other with an indent each: a deeper one belongs to the last
// item before it, and a shallower one of the same style goes on where that list stopped.
function addList(root, open, element, names) {
  const indent = element.indent ?? 0;
  while (open.length && open.at(-1).indent > indent) open.pop();
  const top = open.at(-1);
  const goesOn = top?.indent === indent && top.style === element.style && !element.offset;
  if (top?.indent === indent && !goesOn) open.pop();
  if (!goesOn) open.push(newList(open.at(-1)?.list.lastElementChild ?? root, element, indent));
  const items = (element.elements ?? []).map((item) => el("li", {}, el("span", { class: "pre-wrap" }, leaves(item, names))));
  open.at(-1).list.append(...items);
}

function newList(parent, element, indent) {
  const ordered = element.style === "ordered";
  const list = el(ordered ? "ol" : "ul", { start: ordered && element.offset ? element.offset + 1 : null, class: element.border ? "bordered" : null });
  parent.append(list);
  return { indent, style: element.style, list };
}

const leaves = (element, names) => (element.elements ?? []).map((leaf) => dressed(leafNode(leaf, names), leaf.style));

function dressed(node, style = {}) {
  return Object.entries(STYLE_TAGS).reduce((inner, [name, tag]) => (style[name] ? el(tag, {}, inner) : inner), node);
}

function leafNode(leaf, names) {
  switch (leaf.type) {
    case "text": return leaf.text;
    case "link": return link(leaf.url, leaf.text || leaf.url);
    case "user": return userMention(leaf.user_id, names);
    case "emoji": return emoji(leaf.name, leaf.unicode) ?? `:${leaf.name}:`;
    default: return el("code", { title: "A kind of text this page does not know" }, leaf.type);
  }
}
