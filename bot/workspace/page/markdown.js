// The markdown block: the basic, common part of Markdown, built as nodes like everything else.

import { el, fragment, link } from "./dom.js";
import { emoji } from "./emoji.js";
import { reference } from "./mrkdwn.js";

const ITEM = /^(\s*)([-*+]|\d+[.)])\s+(\[[ xX]\]\s+)?(.*)$/;
const DIVIDER_ROW = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

// Each rule looks at the lines from `at` on and answers {node, end}, or null when they are not its own.
const RULES = [fence, heading, rule, table, list, quote];

export function markdown(text, names) {
  const lines = text.split("\n");
  const nodes = [];
  for (let at = 0; at < lines.length;) {
    if (!lines[at].trim()) {
      at += 1;
      continue;
    }
    const found = firstRule(lines, at, names) ?? paragraph(lines, at, names);
    nodes.push(found.node);
    at = found.end;
  }
  return fragment(nodes);
}

function firstRule(lines, at, names) {
  for (const each of RULES) {
    const found = each(lines, at, names);
    if (found) return found;
  }
  return null;
}

function fence(lines, at) {
  if (!/^\s*```/.test(lines[at])) return null;
  const closing = lines.findIndex((line, index) => index > at && /^\s*```\s*$/.test(line));
  const end = closing < 0 ? lines.length : closing;
  return { node: el("pre", { tabindex: "0" }, el("code", {}, lines.slice(at + 1, end).join("\n"))), end: end + 1 };
}

function heading(lines, at, names) {
  const match = /^(#{1,6})\s+(.*?)\s*#*$/.exec(lines[at]);
  // The page's own headings are levels 1 and 2, so a message's begin at 3.
  return match && { node: el(`h${Math.min(6, match[1].length + 2)}`, { class: "block-header" }, inline(match[2], names)), end: at + 1 };
}

function rule(lines, at) {
  return /^\s*([-*_])(\s*\1){2,}\s*$/.test(lines[at]) ? { node: el("hr"), end: at + 1 } : null;
}

function table(lines, at, names) {
  if (!lines[at].includes("|") || !DIVIDER_ROW.test(lines[at + 1] ?? "")) return null;
  let end = at + 2;
  while (end < lines.length && lines[end].includes("|")) end += 1;
  const row = (line, tag) => el("tr", {}, cells(line).map((cell) => el(tag, {}, inline(cell, names))));
  const body = lines.slice(at + 2, end).map((line) => row(line, "td"));
  return { node: el("div", { class: "table-scroll" }, el("table", {}, el("thead", {}, row(lines[at], "th")), el("tbody", {}, body))), end };
}

const cells = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim());

function list(lines, at, names) {
  const first = ITEM.exec(lines[at]);
  if (!first) return null;
  const depth = first[1].length;
  const node = el(/\d/.test(first[2]) ? "ol" : "ul", { start: /\d/.test(first[2]) ? parseInt(first[2], 10) : null });
  let end = at;
  while (end < lines.length) {
    const item = ITEM.exec(lines[end]);
    if (!item || item[1].length < depth) break;
    if (item[1].length > depth && node.lastElementChild) {
      const inner = list(lines, end, names);
      node.lastElementChild.append(inner.node);
      end = inner.end;
    } else {
      node.append(el("li", {}, item[3] ? (/x/i.test(item[3]) ? "☑ " : "☐ ") : null, inline(item[4], names)));
      end += 1;
    }
  }
  return { node, end };
}

function quote(lines, at, names) {
  if (!/^\s*>/.test(lines[at])) return null;
  let end = at;
  while (end < lines.length && /^\s*>/.test(lines[end])) end += 1;
  const inner = lines.slice(at, end).map((line) => line.replace(/^\s*> ?/, "")).join("\n");
  return { node: el("blockquote", {}, markdown(inner, names)), end };
}

function paragraph(lines, at, names) {
  let end = at + 1;
  while (end < lines.length && lines[end].trim() && !firstRule(lines, end, names)) end += 1;
  const nodes = lines.slice(at, end).flatMap((line, index) => (index ? [el("br"), inline(line, names)] : [inline(line, names)]));
  return { node: el("p", {}, nodes), end };
}

// ---- inside a line: the first pattern that fits at a place wins ---------------------------------------

const SPANS = [
  [/^\\([\\`*_{}[\]()#+\-.!~|<>])/, (match) => match[1]],
  [/^(`+)(.+?)\1(?!`)/, (match) => el("code", {}, match[2])],
  [/^!?\[([^\]]*)\]\(([^)\s]+)(?:\s+"[^"]*")?\)/, (match, names) => link(match[2], fragment(inline(match[1], names)))],
  [/^<([@#!][^<>\n]+|https?:[^<>\s]+|mailto:[^<>\s]+)>/, (match, names) => reference(match[1], names)],
  [/^(\*\*|__)(?=\S)(.+?)(?<=\S)\1/, (match, names) => el("strong", {}, inline(match[2], names))],
  [/^~~(?=\S)(.+?)(?<=\S)~~/, (match, names) => el("s", {}, inline(match[1], names))],
  [/^([*_])(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/u, (match, names) => el("em", {}, inline(match[2], names))],
  [/^https?:\/\/[^\s<>]*[^\s<>.,;:!?'")\]}]/, (match) => link(match[0])],
  [/^:([a-z0-9_+'-]+):/, (match) => emoji(match[1]) ?? match[0]],
];

function inline(text, names) {
  const nodes = [];
  let plain = "";
  for (let at = 0; at < text.length;) {
    const span = spanAt(text, at, names);
    if (span) {
      nodes.push(plain, span.node);
      plain = "";
      at = span.end;
    } else plain += text[at++];
  }
  return [...nodes, plain];
}

function spanAt(text, at, names) {
  // An underscore or an address in the middle of a word opens nothing.
  if (/[_h:]/.test(text[at]) && /[\p{L}\p{N}]/u.test(text[at - 1] ?? " ")) return null;
  const rest = text.slice(at);
  for (const [pattern, build] of SPANS) {
    const match = pattern.exec(rest);
    if (match) return { node: build(match, names), end: at + match[0].length };
  }
  return null;
}
