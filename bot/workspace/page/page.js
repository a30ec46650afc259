// The page itself: where the reader is (the location hash says), what is shown there, what they do.
//   #shipped                 a channel, by name or id
//   #shipped/1700000000.0001 the same with a thread open
//   #almanac/home            the tab of the app
// Whose page it is the address says: ?as=grace; without, the first person's.

import { el } from "./dom.js";
import { composer } from "./composer.js";
import { homeScreen } from "./home.js";
import { almanacMark, showMessages } from "./message.js";
import { modalScreen } from "./modal.js";
import { expectNothing, expectResult, keepInView, watchScrolling } from "./scrolling.js";
import { renderSidebar, titleOf } from "./sidebar.js";
import { follow, post } from "./stream.js";
import { isReply, STATUS_LASTS_MS, Workspace } from "./workspace.js";

const FIRST = "shipped";                                       // where the digest is posted
const HOME = "home";                                           // stands for the thread in the address of the app's tab
const COMMAND = "command";                                      // stands for the thread in a command's status
const OPENED = "/page/open";                                   // the reader looks at a tab of the app
const CLOSED = "/page/close";                                  // they closed a modal: nothing more comes of what opened it
const NOTICE_MS = 6000;
const CONNECTION_WORDS = {
  open: "",
  lost: "The connection was lost. Trying again…",
  stopped: "The workspace has stopped. Start it again in its terminal; this page comes back by itself.",
};

const TROUBLES = {
  operation_timeout: "The app did not answer in time: operation_timeout.",
  dispatch_failed: "The app could not be reached: dispatch_failed.",
};

const $ = (id) => document.getElementById(id);
const workspace = new Workspace();
const here = { channel: null, thread: null, tab: null };   // tab: of direct messages, home or messages
const mainComposer = composer($("composer"), { testid: "composer", label: "Message", send: (text) => say(text) });
const threadComposer = composer($("thread-composer"), { testid: "thread-composer", label: "Reply in thread", send: (text) => say(text, here.thread) });

const home = homeScreen($("home"), { names: () => workspace.names, press: (action) => act("/page/press", { view: "home", ...action }) });
const title = (channel) => titleOf(workspace, channel);
const modal = modalScreen($("modal"), {
  names: () => workspace.names,
  errors: () => workspace.view.errors,
  press: (action) => act("/page/press", { view: "modal", ...action }),
  submit: (values) => submitted(values).then(({ trouble }) => trouble && inWords(trouble), ({ message }) => `${message}.`),
  close: (every) => act(CLOSED, every ? { every: "every" } : {}),
});

// ---- what the server says ---------------------------------------------------------------------------

follow({
  onState(state) {
    workspace.load(state);
    readHash();
    render();
    tellOpened();
  },
  onEvent(event) {
    if (event.type !== "view" && !workspace.names.channels.some(({ id }) => id === event.channel)) return;
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
    if (!workspace.isAwaitedAnswer(channel, message) || message.thread_ts === here.thread || (here.thread && !threadComposer.isEmpty())) return;
    expectResult($("thread-scroll"), message.ts);
    go(channel, message.thread_ts);
  },
  changed({ channel, message }) {
    workspace.put(channel, message);
  },
  deleted({ channel, message }) {
    workspace.remove(channel, message.ts);
  },
  view({ home, modals, errors, prompts }) {
    workspace.view = { home, modals, errors, prompts };
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
  expectResult($(thread ? "thread-scroll" : "scroll"));
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

/** Reports what was done; resolves to whether the app took it, and says so if not. */
async function act(path, what) {
  if (path !== OPENED) expectAnywhere(path !== CLOSED);
  try {
    const { trouble } = await post(path, what);
    if (trouble) notice(inWords(trouble));
    return !trouble;
  } catch (problem) {
    notice(`That did not work: ${problem.message}.`);
    return false;
  }
}

const inWords = (trouble) => TROUBLES[trouble] ?? `The app's answer could not be shown: ${trouble}.`;

/** What a press leads to may come in the channel or in the thread. */
function expectAnywhere(isExpected = true) {
  for (const id of ["scroll", "thread-scroll"]) (isExpected ? expectResult : expectNothing)($(id));
}

function press(message, action) {
  const channel = message.channel ?? here.channel;
  // The app answers in the thread of what was pressed, if it has one: also one that came since it was shown first.
  const root = message.thread_ts ?? message.ts;
  if (workspace.replies(channel, root).length) workspace.answersAwaited.add(`${channel}/${root}`);
  return act("/page/press", { channel, ts: message.ts, ...action });
}

function submitted(values) {
  expectAnywhere();
  return post("/page/submit", { values });
}

const run = (message, { callback_id: callback }) => act("/page/shortcut", { callback_id: callback, channel: message.channel ?? here.channel, ts: message.ts });

function dismiss(message) {
  workspace.remove(here.channel, message.ts);                  // as in Slack it is gone from this view alone
  render();
}

/** The app is told which of its tabs is opened, so that it can fill it. */
function tellOpened() {
  const key = here.tab && `${here.channel}/${here.tab}`;
  if (key && key !== openedLast) act(OPENED, { tab: here.tab });
  openedLast = key;
}
let openedLast = null;

function go(channel, thread) {
  const { name } = workspace.channelNamed(channel);
  location.hash = thread ? `${name}/${thread}` : name;
}

function readHash() {
  const [name, thread] = decodeURIComponent(location.hash.slice(1)).split("/");
  const channel = workspace.channelNamed(name) ?? workspace.channelNamed(FIRST) ?? workspace.channels[0];
  const tab = channel?.is_im ? (thread === HOME ? HOME : "messages") : null;
  const inThread = channel && thread && tab !== HOME;
  Object.assign(here, { channel: channel?.id, tab, thread: inThread ? workspace.threadOf(channel.id, fromPermalink(thread)) : null });
}

// A permalink writes 1700000000.000100 as p1700000000000100.
const fromPermalink = (id) => id.replace(/^p(\d+)(\d{6})$/, "$1.$2");

window.addEventListener("hashchange", () => {
  const before = { ...here };
  readHash();
  closeSidebar();
  render();
  tellOpened();
  if (here.tab === HOME) $("home").focus({ preventScroll: true });
  else if (here.thread && here.thread !== before.thread) threadComposer.focus();
  else if (here.channel !== before.channel || here.tab !== before.tab || before.thread) mainComposer.focus();
});

// A link to a message of this workspace leads to it in this page, which knows who is reading.
document.addEventListener("click", (event) => {
  const anchor = event.target.closest?.("a[href]");
  if (!anchor || anchor.origin !== location.origin || event.ctrlKey || event.metaKey) return;
  const [, channel, ts] = anchor.pathname.match(/^\/archives\/([^/]+)\/([^/]+)$/) ?? [];
  if (!channel) return;
  event.preventDefault();
  location.hash = `${channel}/${ts}`;
});
$("who").addEventListener("change", () => { location.search = `?as=${encodeURIComponent($("who").value)}`; });
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
  if (!document.hidden && here.tab !== HOME) workspace.markRead(channel.id);
  renderSidebar(workspace, here);
  renderChannel(channel);
  renderThread(channel);
  renderHome(channel);
  modal.show(workspace.view.modals, workspace.view.errors);
}

/** The tabs of the app's direct messages, and what it published in its Home tab. */
function renderHome(channel) {
  const isHome = here.tab === HOME;
  $("tabs").hidden = !channel.is_im;
  $("home").hidden = !isHome;
  for (const id of ["scroll", "composer"]) $(id).hidden = isHome;
  if (isHome) $("status").hidden = true;
  if (!channel.is_im) return;
  for (const [id, hash, current] of [["tab-home", `#${channel.name}/${HOME}`, isHome], ["tab-messages", `#${channel.name}`, !isHome]]) {
    $(id).href = hash;
    if (current) $(id).setAttribute("aria-current", "page");
    else $(id).removeAttribute("aria-current");
  }
  const unread = workspace.unread(channel.id);
  $("tab-messages").textContent = unread && isHome ? `Messages (${unread})` : "Messages";
  if (isHome) home.show(workspace.view.home);
}

function renderChannel(channel) {
  const bot = workspace.botName;
  $("channel-name").replaceChildren(channel.is_im ? "" : el("span", { class: "sign" }, "#"), title(channel).replace(/^#/, ""));
  $("channel-topic").textContent = [channel.is_ext_shared && "Shared with another workspace", channel.topic].filter(Boolean).join(" · ");
  const moved = $("messages").dataset.channel !== channel.id;
  const threads = { openTs: here.thread, replies: (ts) => workspace.replies(channel.id, ts), openThread: (ts) => go(channel.id, ts) };
  keepInView($("scroll"), moved, () => showMessages($("messages"), workspace.roots(channel.id), view(threads)));
  $("messages").dataset.channel = channel.id;
  $("empty").hidden = workspace.roots(channel.id).length > 0;
  // With the thread open its own line says it; twice would be read out twice.
  const saidInThread = here.thread && workspace.statusLine(channel.id, here.thread);
  setText($("status"), saidInThread ? "" : workspace.statusLine(channel.id));
  mainComposer.show({
    key: channel.id,
    placeholder: channel.is_im ? `Ask ${bot}, or type ${workspace.command}` : `Message #${channel.name}; mention @${bot} to ask`,
    mention: channel.is_im ? "" : bot,
    offered: workspace.offered(channel),
    shortcuts: workspace.shortcutsOf("global").map((each) => ({
      text: each.name, description: each.description, choose: () => act("/page/shortcut", { callback_id: each.callback_id }),
    })),
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
  keepInView($("thread-scroll"), moved, () => showMessages($("thread-messages"), [root, ...replies], view({})));
  $("thread-messages").dataset.ts = root.ts;
  setText($("thread-status"), workspace.statusLine(channel.id, root.ts));
  threadComposer.show({
    key: `${channel.id}/${root.ts}`,
    placeholder: channel.is_im ? "Reply…" : `Reply; mention @${workspace.botName} to ask on`,
    mention: channel.is_im ? "" : workspace.botName,
  });
}

function view(more) {
  return { names: workspace.names, userOf, press, run, dismiss, shortcuts: workspace.shortcutsOf("message"), ...more };
}

function userOf(message) {
  const id = message.user ?? (message.bot_id ? workspace.bot : "?");
  return workspace.users[id] ?? { id, name: message.username ?? id, real_name: message.username ?? id, is_bot: Boolean(message.bot_id) };
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

watchScrolling($("scroll"), $("new-messages"));
watchScrolling($("thread-scroll"), $("new-replies"));
$("team-mark").append(almanacMark());
$("empty-mark").append(almanacMark());
