// Slack's mrkdwn → DOM nodes. The rules are Slack's, not CommonMark's: one marker a style, markers count
// only at the edge of a word, and `<…>` holds links, mentions and dates. Text is untrusted: nodes only.

import { el, fragment, link } from "./dom.js";
import { emoji } from "./emoji.js";
import { slackDate } from "./dates.js";

const STYLES = { "*": "strong", _: "em", "~": "s" };
// What may stand before an opening marker and behind a closing one. A letter, a digit, "/" or "=" may not:
// snake_case, src/_private_/x and a*b*c stay as they are.
const BEFORE_OPENING = /[\s([{"'“‘`>;:,.!?|*_~–—-]/;
const BEHIND_CLOSING = /[\s)\]}"'”’`<&;:,.!?|*_~…–—-]/;
// U+200B is how a sender keeps a marker from opening a style; JavaScript's \s does not contain it.
const BLANK = /[\s\u200b]/;
const BARE_URL = /^https?:\/\/[^\s<>|]*[^\s<>|.,;:!?'")\]}]/;
const EMOJI_CODE = /^:([a-z0-9_+'-]+):/;
const QUOTE = /^(?:&gt;|>) ?/;
const LONG_QUOTE = /^(?:(?:&gt;){3}|>{3}) ?/;
const BULLET = /^(\s*)[•◦▪‣] +/;

/**
 * A fragment that shows `text`. `names` is {users, channels}, as in the workspace's state;
 * `verbatim` keeps bare addresses from becoming links, as in Slack's text objects.
 */
export function mrkdwn(text, names, { verbatim = false } = {}) {
  const parts = text.split(/```([\s\S]+?)```/);
  return fragment(
    parts.map((part, index) => (index % 2 ? preformatted(part, names) : prose(aroundFences(parts, index), names, verbatim))),
  );
}

export function unescapeText(text) {
  return text.replace(/&(amp|lt|gt);/g, (_, name) => ({ amp: "&", lt: "<", gt: ">" })[name]);
}

// A fence is a block of its own, so the line breaks next to it say nothing more.
function aroundFences(parts, index) {
  let text = parts[index];
  if (index > 0) text = text.replace(/^\n/, "");
  if (index < parts.length - 1) text = text.replace(/\n$/, "");
  return text;
}

function preformatted(text, names) {
  return el("pre", { tabindex: "0" }, el("code", {}, onlyReferences(text.replace(/^\n|\n$/g, ""), names)));
}

// ---- lines -----------------------------------------------------------------------------------------

function prose(text, names, verbatim) {
  if (!text) return null;
  const show = (line) => inline(line, names, verbatim);
  return linesByKind(text.split("\n")).map(({ kind, lines }) => {
    if (kind === "quote") return el("blockquote", {}, withBreaks(lines.map(show)));
    if (kind === "bullet") {
      const items = lines.map(({ depth, text: line }) => el("li", { class: `depth-${depth}` }, show(line)));
      return el("ul", { class: "bullets" }, items);
    }
    return el("div", { class: "lines" }, withBreaks(lines.map(show)));
  });
}

function linesByKind(lines) {
  const groups = [];
  let quoting = false;                                         // ">>>" quotes all that follows
  for (const line of lines) {
    if (LONG_QUOTE.test(line)) quoting = true;
    const { kind, value } = kindOf(line, quoting);
    if (groups.at(-1)?.kind === kind) groups.at(-1).lines.push(value);
    else groups.push({ kind, lines: [value] });
  }
  return groups;
}

function kindOf(line, quoting) {
  if (LONG_QUOTE.test(line)) return { kind: "quote", value: line.replace(LONG_QUOTE, "") };
  if (quoting) return { kind: "quote", value: line };
  if (QUOTE.test(line)) return { kind: "quote", value: line.replace(QUOTE, "") };
  const bullet = BULLET.exec(line);
  if (!bullet) return { kind: "text", value: line };
  return { kind: "bullet", value: { depth: Math.min(2, Math.floor(bullet[1].length / 2)), text: line.slice(bullet[0].length) } };
}

const withBreaks = (lines) => lines.flatMap((nodes, index) => (index ? [el("br"), nodes] : [nodes]));

// ---- inside a line ---------------------------------------------------------------------------------

function inline(text, names, verbatim) {
  const open = new Set();                                      // markers that nothing further on closes
  return scan(text, (at) =>
    code(text, at, names) ?? referenceAt(text, at, names) ?? styled(text, at, names, verbatim, open)
      ?? emojiAt(text, at) ?? (verbatim ? null : bareUrl(text, at)));
}

const onlyReferences = (text, names) => scan(text, (at) => referenceAt(text, at, names));

/** Walks through `text`; where `spanAt` finds {node, end} the node is taken, the rest is plain text. */
function scan(text, spanAt) {
  const nodes = [];
  let plain = "";
  for (let at = 0; at < text.length;) {
    const span = spanAt(at);
    if (!span) {
      plain += text[at++];
      continue;
    }
    nodes.push(unescapeText(plain), span.node);
    plain = "";
    at = span.end;
  }
  return [...nodes, unescapeText(plain)];
}

function code(text, at, names) {
  const end = codeEnd(text, at);
  return end && { node: el("code", {}, onlyReferences(text.slice(at + 1, end - 1), names)), end };
}

function codeEnd(text, at) {
  if (text[at] !== "`") return null;
  const closing = text.indexOf("`", at + 1);
  return closing > at + 1 ? closing + 1 : null;
}

function styled(text, at, names, verbatim, open) {
  const marker = text[at];
  if (!STYLES[marker] || open.has(marker) || !opens(text, at, marker)) return null;
  const closing = closingMarker(text, at, marker);
  if (!closing) open.add(marker);                              // looked for once, or a long line takes seconds
  return closing && { node: el(STYLES[marker], {}, inline(text.slice(at + 1, closing), names, verbatim)), end: closing + 1 };
}

function opens(text, at, marker) {
  const before = text[at - 1];
  const behind = text[at + 1];
  if (before && (before === marker || !BEFORE_OPENING.test(before))) return false;
  return Boolean(behind) && behind !== marker && !BLANK.test(behind);
}

function closes(text, at, marker) {
  const before = text[at - 1];
  const behind = text[at + 1];
  if (BLANK.test(before) || before === marker || behind === marker) return false;
  return !behind || BLANK.test(behind) || BEHIND_CLOSING.test(behind);
}

function closingMarker(text, start, marker) {
  for (let at = start + 1; at < text.length;) {
    const skipTo = codeEnd(text, at) ?? referenceEnd(text, at);          // a marker inside code or a link is none
    if (skipTo) at = skipTo;
    else if (at > start + 1 && text[at] === marker && closes(text, at, marker)) return at;
    else at += 1;
  }
  return null;
}

function emojiAt(text, at) {
  const match = text[at] === ":" && EMOJI_CODE.exec(text.slice(at, at + 60));
  const node = match && emoji(match[1]);
  return node ? { node, end: at + match[0].length } : null;
}

function bareUrl(text, at) {
  if (text[at] !== "h" || /[\p{L}\p{N}]/u.test(text[at - 1] ?? " ")) return null;
  const match = BARE_URL.exec(text.slice(at));
  return match && { node: link(unescapeText(match[0])), end: at + match[0].length };
}

// ---- <…> -------------------------------------------------------------------------------------------

function referenceAt(text, at, names) {
  const end = referenceEnd(text, at);
  return end && { node: reference(text.slice(at + 1, end - 1), names), end };
}

function referenceEnd(text, at) {
  if (text[at] !== "<") return null;
  const closing = text.indexOf(">", at + 1);
  if (closing <= at + 1) return null;
  return text.slice(at, closing).includes("\n") ? null : closing + 1;
}

/** The node for what stands between `<` and `>`. */
export function reference(inside, names) {
  const bar = inside.indexOf("|");
  const target = unescapeText(bar < 0 ? inside : inside.slice(0, bar));
  const label = bar < 0 ? "" : unescapeText(inside.slice(bar + 1));
  if (/^@[UW]/.test(target)) return userMention(target.slice(1), names, label);
  if (/^#[CG]/.test(target)) return channelMention(target.slice(1), names, label);
  if (target.startsWith("!date^")) return dateMention(target, label);
  if (target.startsWith("!subteam^")) return mention(label || `@${target.split("^")[1]}`);
  if (/^!(here|channel|everyone)$/.test(target)) return mention(`@${target.slice(1)}`, "loud");
  if (!label && !/^(https?|mailto):/i.test(target)) return el("span", {}, `<${target}>`);
  return link(target, label || target.replace(/^mailto:/, ""));
}

export function userMention(id, names, label = "") {
  const user = names.users[id];
  const name = user ? user.real_name || user.name : label || id;
  return mention(`@${name}`, id === names.me ? "me" : "");
}

function channelMention(id, names, label = "") {
  const channel = names.channels.find((each) => each.id === id);
  if (!channel) return mention(`#${label || id}`);
  return el("a", { class: "mention", href: `#${channel.name}` }, `#${channel.name}`);
}

function mention(text, kind = "") {
  return el("span", { class: `mention ${kind}`.trim() }, text);
}

function dateMention(target, label) {
  const [, unix, pattern = "", url] = target.split("^");
  const valid = Number.isFinite(Number(unix)) && Math.abs(Number(unix)) < 8.64e12;
  if (!valid) return el("span", {}, label || pattern);
  const time = el("time", { datetime: new Date(Number(unix) * 1000).toISOString(), title: label }, slackDate(unix, pattern));
  return url ? link(url, time) : time;
}
