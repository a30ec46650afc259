// One message as an article, and the list of them with its day dividers.

import { arrange, el, svg } from "./dom.js";
import { blocks } from "./blocks.js";
import { menu } from "./menu.js";
import { mrkdwn } from "./mrkdwn.js";
import { clockTime, dayAndTime, dayKey, dayName, fullTime, moment, shortTime } from "./dates.js";

const TOGETHER_SECONDS = 5 * 60;                               // messages of one person this close share a head
const COLOURS = 8;                                             // .avatar-0 … .avatar-7 in page.css
const FACES = 3;

export function avatar(user, size = "") {
  if (user.is_bot) return el("span", { class: `avatar bot ${size}`, "aria-hidden": "true" }, almanacMark());
  return el("span", { class: `avatar avatar-${hash(user.id) % COLOURS} ${size}`, "aria-hidden": "true" }, initials(user));
}

/** The bot's mark: the page of an almanac, with one day marked. */
export function almanacMark() {
  const dot = (x, y, kind = "day") => svg("rect", { class: kind, x, y, width: 4, height: 4, rx: 1 });
  return svg("svg", { viewBox: "0 0 32 32", class: "mark", "aria-hidden": "true" },
    svg("path", { class: "page", d: "M6 8.5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2V22l-5 5H8a2 2 0 0 1-2-2z" }),
    svg("path", { class: "fold", d: "M26 22h-3.5a1.5 1.5 0 0 0-1.5 1.5V27z" }),
    svg("path", { class: "band", d: "M6 8.5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2V12H6z" }),
    svg("path", { class: "rings", d: "M11 4.5v4M21 4.5v4" }),
    dot(9, 14.5), dot(14, 14.5, "day chosen"), dot(19, 14.5), dot(9, 20), dot(14, 20));
}

/**
 * Shows `messages` in `list`. Nodes of messages that did not change are kept, so that an open menu, a selection
 * or the focus in one survives news about another. `view` is
 * {names, userOf, press, shortcuts, run, dismiss, replies?, openThread?, openTs?}: shortcuts are those on messages.
 */
export function showMessages(list, messages, view) {
  const known = new Map([...list.children].map((node) => [node.dataset.key, node]));
  const nodes = items(messages, view).map(({ key, signature, build }) => {
    const there = known.get(key);
    if (there?.dataset.signature === signature) return there;
    const node = build();
    Object.assign(node.dataset, { key, signature });
    return node;
  });
  arrange(list, nodes);
}

function items(messages, view) {
  let previous = null;
  return messages.flatMap((message) => {
    const date = moment(message.ts);
    const newDay = !previous || dayKey(date) !== dayKey(moment(previous.ts));
    const compact = !newDay && goesOn(previous, message, view);
    const thread = threadSummary(message, view);
    const open = Boolean(view.openTs) && view.openTs === message.ts;
    previous = message;
    const linked = view.linkedTs === message.ts;
    const signature = hash(JSON.stringify([message, compact, thread, open, linked, dayKey(date)])).toString(36);
    const item = { key: message.ts, signature, build: () => article(message, { compact, thread, open: open || linked }, view) };
    return newDay ? [dayDivider(date), item] : [item];
  });
}

// A thread's link stands under its message and would be lost between two that share a head.
function goesOn(previous, message, view) {
  const close = parseFloat(message.ts) - parseFloat(previous.ts) < TOGETHER_SECONDS;
  return close && view.userOf(previous).id === view.userOf(message).id && !previous.ephemeral && !message.ephemeral && !threadSummary(previous, view);
}

function dayDivider(date) {
  const name = dayName(date);
  const build = () => el("div", { class: "day", role: "separator", "aria-label": name }, el("span", {}, name));
  return { key: `day-${dayKey(date)}`, signature: name, build };
}

function article(message, { compact, thread, open }, view) {
  const user = view.userOf(message);
  const date = moment(message.ts);
  const name = user.real_name || user.name;
  const time = el("time", { datetime: date.toISOString(), title: fullTime(date) }, compact ? shortTime(date) : clockTime(date));
  const classes = ["message", compact && "compact", message.ephemeral && "ephemeral", open && "open"].filter(Boolean).join(" ");
  return el("article", { class: classes, "data-testid": "message", "data-ts": message.ts, "aria-label": `${name}, ${clockTime(date)}` },
    el("div", { class: "gutter" }, compact ? time : avatar(user)),
    el("div", { class: "content" },
      message.ephemeral && el("p", { class: "only-you" }, eye(), "Only visible to you", el("button", { type: "button", class: "dismiss", onclick: () => view.dismiss(message) }, "Dismiss")),
      !compact && el("div", { class: "head" }, el("span", { class: "name" }, name), user.is_bot && el("span", { class: "badge" }, "App"), time),
      body(message, view),
      thread && threadLink(message, thread, view),
      tools(message, thread, view)));
}

function body(message, view) {
  const context = { names: view.names, press: (action) => view.press(message, action) };
  const after = message.edited && el("span", { class: "edited" }, "(edited)");
  if (message.blocks?.length) return el("div", { class: "body" }, blocks(message.blocks, context), after);
  return el("div", { class: "body" }, el("div", { class: "text" }, mrkdwn(message.text ?? "", view.names)), after);
}

/** What shows when one points at a message, or walks to it: to reply, and the shortcuts on messages. */
function tools(message, thread, view) {
  const isLasting = !message.ephemeral;                        // as in Slack, an ephemeral one has no thread and no shortcuts
  const reply = isLasting && !thread && view.openThread &&
    el("button", { type: "button", "data-testid": "reply", onclick: () => view.openThread(message.ts) }, "Reply in thread");
  const shortcuts = isLasting ? view.shortcuts : [];
  const items = shortcuts.map((each) => ({ text: each.name, description: each.description, choose: () => view.run(message, each) }));
  const more = items.length > 0 && menu(el("summary", { "aria-label": "More message shortcuts", title: "More message shortcuts", "data-testid": "message-menu" }, "⋮"), items);
  return el("div", { class: "message-tools" }, reply, more);
}

// ---- threads -----------------------------------------------------------------------------------------

function threadSummary(message, view) {
  const replies = view.replies?.(message.ts) ?? [];
  if (!replies.length) return null;
  return { count: replies.length, last: replies.at(-1).ts, faces: [...new Set(replies.map((each) => view.userOf(each).id))].slice(0, FACES) };
}

function threadLink(message, { count, last, faces }, view) {
  return el("button", { type: "button", class: "replies", "data-testid": "replies", onclick: () => view.openThread(message.ts) },
    el("span", { class: "faces" }, faces.map((id) => avatar(view.userOf({ user: id }), "small"))),
    el("span", { class: "count" }, count === 1 ? "1 reply" : `${count} replies`),
    el("span", { class: "last" }, `Last ${dayAndTime(moment(last))}`));
}

// ---- small things --------------------------------------------------------------------------------------

function eye() {
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: "M12 5c5 0 8.7 4 10 7-1.3 3-5 7-10 7S3.3 15 2 12c1.3-3 5-7 10-7z" }), svg("circle", { cx: 12, cy: 12, r: 3 }));
}

function initials(user) {
  const words = (user.real_name || user.name || "?").split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)].map((word) => [...word][0]) : [[...words[0]][0]];
  return letters.join("").toUpperCase();
}

/** FNV-1a: the same id has the same colour in every session. */
function hash(text) {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}
