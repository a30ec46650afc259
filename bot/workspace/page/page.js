// The page itself: where the reader is (the location hash says), what is shown there, what they do.
//   #shipped                 a channel, by name or id
//   #shipped/1700000000.0001 the same with a thread open

import { arrange, el } from "./dom.js";
import { composer } from "./composer.js";
import { almanacMark, avatar, showMessages } from "./message.js";
import { follow, post } from "./stream.js";
import { isReply, STATUS_LASTS_MS, Workspace } from "./workspace.js";

const HOME = "shipped";                                        // where the digest is posted
const COMMAND = "command";                                      // stands for the thread in a command's status
const NEAR_BOTTOM_PX = 80;
const NOTICE_MS = 6000;
const CONNECTION_WORDS = {
  open: "",
  lost: "The connection was lost. Trying again…",
  stopped: "The workspace has stopped. Start it again in its terminal; this page comes back by itself.",
};

const $ = (id) => document.getElementById(id);
const workspace = new Workspace();
const here = { channel: null, thread: null };
const mainComposer = composer($("composer"), { testid: "composer", label: "Message", send: (text) => say(text) });
const threadComposer = composer($("thread-composer"), { testid: "thread-composer", label: "Reply in thread", send: (text) => say(text, here.thread) });

// ---- what the server says ---------------------------------------------------------------------------

follow({
  onState(state) {
    workspace.load(state);
    readHash();
    render();
  },
  onEvent(event) {
    if (!workspace.names.channels.some(({ id }) => id === event.channel)) return;
    EVENTS[event.type]?.(event);
    render();
  },
  onConnection(how) {
    $("banner").textContent = CONNECTION_WORDS[how];
    $("banner").hidden = how === "open";
    $("banner").dataset.state = how;
  },
});

const EVENTS = {
  message({ channel, message }) {
    const known = workspace.message(channel, message.ts);
    workspace.put(channel, message);
    if (known) return;
    if (message.user === workspace.me) {
      if (!isReply(message)) workspace.answersAwaited.add(`${channel}/${message.ts}`);
      return;
    }
    // An answer ends the status, and so it does the wait for a command's.
    for (const thread of [message.thread_ts ?? message.ts, COMMAND]) workspace.setStatus({ channel, thread_ts: thread });
    if (channel !== here.channel) return;
    announce(message);
    // Not over a reply the reader is writing in another thread.
    if (workspace.isAwaitedAnswer(channel, message) && !(here.thread && !threadComposer.isEmpty())) go(channel, message.thread_ts);
  },
  changed({ channel, message }) {
    workspace.put(channel, message);
  },
  deleted({ channel, message }) {
    workspace.remove(channel, message.ts);
  },
  status(event) {
    workspace.setStatus(event);
    setTimeout(render, STATUS_LASTS_MS + 100);                 // it may run out with no word from the bot
  },
};

// ---- what the reader does ---------------------------------------------------------------------------

async function say(text, thread) {
  const { channel } = here;
  // A command leaves no message and its answer may take a while: say so, as nothing else would.
  const isCommand = text.split(/\s/)[0] === workspace.command;
  if (isCommand) EVENTS.status({ channel, thread_ts: COMMAND, status: "is working on it…" });
  try {
    const { ts } = await post("/page/say", { channel, text, ...(thread ? { thread_ts: thread } : {}) });
    // The stream may have been faster: then the question, and even its answer, is here already.
    if (!isCommand && !thread && !workspace.message(channel, ts)) workspace.answersAwaited.add(`${channel}/${ts}`);
  } catch (problem) {
    workspace.setStatus({ channel, thread_ts: COMMAND });
    throw problem;
  } finally {
    render();
  }
}

/** Reports a pressed element; resolves to whether the server took it. */
async function press(message, action) {
  try {
    await post("/page/press", { channel: here.channel, ts: message.ts, ...action });
    return true;
  } catch (problem) {
    notice(`That did not work: ${problem.message}.`);
    return false;
  }
}

function go(channel, thread) {
  const { name } = workspace.channelNamed(channel);
  location.hash = thread ? `${name}/${thread}` : name;
}

function readHash() {
  const [name, thread] = decodeURIComponent(location.hash.slice(1)).split("/");
  const channel = workspace.channelNamed(name) ?? workspace.channelNamed(HOME) ?? workspace.channels[0];
  Object.assign(here, { channel: channel?.id, thread: channel && thread ? workspace.threadOf(channel.id, fromPermalink(thread)) : null });
}

// A permalink writes 1700000000.000100 as p1700000000000100.
const fromPermalink = (id) => id.replace(/^p(\d+)(\d{6})$/, "$1.$2");

window.addEventListener("hashchange", () => {
  const before = { ...here };
  readHash();
  closeSidebar();
  render();
  if (here.thread && here.thread !== before.thread) threadComposer.focus();
  else if (here.channel !== before.channel || before.thread) mainComposer.focus();
});

$("close-thread").addEventListener("click", () => go(here.channel));
$("skip").addEventListener("click", () => mainComposer.focus());
$("menu").addEventListener("click", () => openSidebar($("sidebar").dataset.open !== "true"));
$("backdrop").addEventListener("click", closeSidebar);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
  if ($("sidebar").dataset.open === "true") closeSidebar();
  else if (here.thread) go(here.channel);
});
document.addEventListener("visibilitychange", () => workspace.loaded && render());

function openSidebar(open) {
  $("sidebar").dataset.open = String(open);
  $("menu").setAttribute("aria-expanded", String(open));
  $("backdrop").hidden = !open;
}

function closeSidebar() {
  openSidebar(false);
}

// ---- what is shown ----------------------------------------------------------------------------------

function render() {
  const channel = workspace.channels.find(({ id }) => id === here.channel);
  if (!channel) return;
  if (!document.hidden) workspace.markRead(channel.id);
  renderSidebar();
  renderChannel(channel);
  renderThread(channel);
}

function renderSidebar() {
  $("team-name").textContent = workspace.team.name;
  arrange($("channels"), workspace.channels.filter((each) => !each.is_im).map(channelLink));
  arrange($("directs"), workspace.channels.filter((each) => each.is_im).map(channelLink));
  const me = workspace.users[workspace.me];
  $("me").replaceChildren(avatar(me, "small"), el("span", {}, "You are ", el("b", {}, me.real_name || me.name)));
  const unread = workspace.channels.reduce((sum, { id }) => sum + workspace.unread(id), 0);
  document.title = `${unread ? `(${unread}) ` : ""}${title(workspace.channels.find(({ id }) => id === here.channel))} · ${workspace.team.name}`;
}

function channelLink(channel) {
  const unread = workspace.unread(channel.id);
  const user = workspace.users[channel.user];
  const current = channel.id === here.channel;
  const count = unread > 0 && el("span", { class: "unread" }, String(unread), el("span", { class: "hidden-text" }, " unread"));
  return kept(`nav-${channel.id}`, [current, unread, user?.real_name], () =>
    el("li", {}, el("a", {
      href: `#${channel.name}`,
      class: unread ? "has-unread" : null,
      "aria-current": current ? "page" : null,
      "data-testid": `channel-${channel.name}`,
    },
      channel.is_im ? avatar(user, "small") : el("span", { class: "sign", "aria-hidden": "true" }, "#"),
      el("span", { class: "label" }, channel.is_im ? user.real_name || user.name : channel.name), count)));
}

const keptNodes = new Map();

/** The node built last for `key`, as long as what it shows is the same: the focus stays where it is. */
function kept(key, shown, build) {
  const signature = JSON.stringify(shown);
  if (keptNodes.get(key)?.signature !== signature) keptNodes.set(key, { signature, node: build() });
  return keptNodes.get(key).node;
}

const title = (channel) => (channel.is_im ? workspace.users[channel.user].real_name : `#${channel.name}`);

function renderChannel(channel) {
  const bot = workspace.botName;
  $("channel-name").replaceChildren(channel.is_im ? "" : el("span", { class: "sign" }, "#"), title(channel).replace(/^#/, ""));
  $("channel-topic").textContent = channel.topic ?? (channel.is_im ? "Direct message" : "");
  const moved = $("messages").dataset.channel !== channel.id;
  const threads = { openTs: here.thread, replies: (ts) => workspace.replies(channel.id, ts), openThread: (ts) => go(channel.id, ts) };
  keepAtEnd($("scroll"), moved, () => showMessages($("messages"), workspace.roots(channel.id), view(threads)));
  $("messages").dataset.channel = channel.id;
  $("empty").hidden = workspace.roots(channel.id).length > 0;
  // With the thread open its own line says it; twice would be read out twice.
  const saidInThread = here.thread && workspace.statusLine(channel.id, here.thread);
  setText($("status"), saidInThread ? "" : workspace.statusLine(channel.id));
  mainComposer.show({
    key: channel.id,
    placeholder: channel.is_im ? `Ask ${bot}, or type ${workspace.command}` : `Message #${channel.name}; mention @${bot} to ask`,
    mention: channel.is_im ? "" : bot,
    suggestions: workspace.suggestions,
    prefix: channel.is_im ? "" : `@${bot} `,
  });
}

function renderThread(channel) {
  const root = here.thread && workspace.message(channel.id, here.thread);
  const wasOpen = !$("thread").hidden;
  $("thread").hidden = !root;
  $("app").classList.toggle("with-thread", Boolean(root));
  if (!root) return;
  const replies = workspace.replies(channel.id, root.ts);
  $("thread-place").textContent = title(channel);
  const moved = !wasOpen || $("thread-messages").dataset.ts !== root.ts;
  keepAtEnd($("thread-scroll"), moved, () => showMessages($("thread-messages"), [root, ...replies], view({})));
  $("thread-messages").dataset.ts = root.ts;
  setText($("thread-status"), workspace.statusLine(channel.id, root.ts));
  threadComposer.show({
    key: `${channel.id}/${root.ts}`,
    placeholder: channel.is_im ? "Reply…" : `Reply; mention @${workspace.botName} to ask on`,
    mention: channel.is_im ? "" : workspace.botName,
  });
}

function view(more) {
  return { names: workspace.names, userOf, press, ...more };
}

function userOf(message) {
  const id = message.user ?? (message.bot_id ? workspace.bot : "?");
  return workspace.users[id] ?? { id, name: message.username ?? id, real_name: message.username ?? id, is_bot: Boolean(message.bot_id) };
}

// Whether the reader has the newest message in sight, by list. Kept from the last scroll on: once the composer
// grew or a message came it cannot be measured any more.
const following = new WeakMap();

for (const scroller of [$("scroll"), $("thread-scroll")]) {
  scroller.addEventListener("scroll", () => {
    following.set(scroller, scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_BOTTOM_PX);
  });
  new ResizeObserver(() => following.get(scroller) && showEnd(scroller)).observe(scroller);
}

/** Draws, and stays at the newest message if it was in sight, or goes there if the reader just came. */
function keepAtEnd(scroller, moved, draw) {
  const lastBefore = scroller.querySelector(".message:last-child");
  draw();
  const last = scroller.querySelector(".message:last-child");
  if (moved || (last !== lastBefore && following.get(scroller))) showEnd(scroller);
}

function showEnd(scroller) {
  following.set(scroller, true);
  const last = scroller.querySelector(".message:last-child");
  // Of a message taller than the view one wants to read the start.
  if (last && last.offsetHeight > scroller.clientHeight) last.scrollIntoView({ block: "start" });
  else scroller.scrollTop = scroller.scrollHeight;
}

// ---- what is said aloud ------------------------------------------------------------------------------

/** Read out by screen readers: who wrote, and the message's plain text. */
function announce(message) {
  const user = userOf(message);
  $("live").textContent = `${user.real_name || user.name}: ${(message.text ?? "").slice(0, 400)}`;
}

let noticeTimer;
function notice(text) {
  setText($("notice"), text);
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => setText($("notice"), ""), NOTICE_MS);
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
  node.hidden = !text;
}

$("team-mark").append(almanacMark());
$("empty-mark").append(almanacMark());
