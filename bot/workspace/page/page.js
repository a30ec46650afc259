// The page itself: what the server says is shown, what the reader does is reported. place.js says where they are.

import { composer } from "./composer.js";
import { completions } from "./completions.js";
import { closeSidebar, watchFrame } from "./frame.js";
import { homeScreen } from "./home.js";
import { almanacMark } from "./message.js";
import { modalScreen } from "./modal.js";
import { announce, inWords, notice, tellConnection } from "./notices.js";
import { go, here, HOME, readHash, stayOnLinks } from "./place.js";
import { screens } from "./screens.js";
import { expectNothing, expectResult, watchScrolling } from "./scrolling.js";
import { follow, post } from "./stream.js";
import { isReply, STATUS_LASTS_MS, Workspace } from "./workspace.js";

const COMMAND = "command";                                     // stands for the thread in a command's status
const OPENED = "/page/open";                                   // the reader looks at a tab of the app
const CLOSED = "/page/close";                                  // they closed a modal: nothing more comes of what opened it

const $ = (id) => document.getElementById(id);
const workspace = new Workspace();
const complete = completions(workspace);
const mainComposer = composer($("composer"), { testid: "composer", label: "Message", send: (text) => say(text), complete });
const threadComposer = composer($("thread-composer"), { testid: "thread-composer", label: "Reply in thread", send: (text) => say(text, here.thread), complete });
const home = homeScreen($("home"), { names: () => workspace.names, press: (action) => act("/page/press", { view: "home", ...action }) });
const modal = modalScreen($("modal"), {
  names: () => workspace.names,
  errors: () => workspace.view.errors,
  press: (action) => act("/page/press", { view: "modal", ...action }),
  submit: (values) => submitted(values).then(({ trouble }) => trouble && inWords(trouble), ({ message }) => `${message}.`),
  close: (every) => act(CLOSED, every ? { every: "every" } : {}),
});
const render = screens(workspace, { mainComposer, threadComposer, home, modal }, {
  press,
  run: (message, { callback_id: callback }) => act("/page/shortcut", { callback_id: callback, channel: placeOf(message), ts: message.ts }),
  runGlobal: ({ callback_id: callback }) => act("/page/shortcut", { callback_id: callback }),
  dismiss,
});

// ---- what the server says ---------------------------------------------------------------------------

follow({
  onState(state) {
    workspace.load(state);
    readHash(workspace);
    render();
    tellOpened();
  },
  onEvent(event) {
    if (event.type !== "view" && !workspace.names.channels.some(({ id }) => id === event.channel)) return;
    EVENTS[event.type]?.(event);
    render();
  },
  onConnection: tellConnection,
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
    announce(workspace.userOf(message), message);
    // Not over a reply the reader is writing in another thread.
    if (!workspace.isAwaitedAnswer(channel, message) || message.thread_ts === here.thread || (here.thread && !threadComposer.isEmpty())) return;
    expectResult($("thread-scroll"), message.ts);
    go(workspace, channel, message.thread_ts);
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

/** What a press leads to may come in the channel or in the thread. */
function expectAnywhere(isExpected = true) {
  for (const id of ["scroll", "thread-scroll"]) (isExpected ? expectResult : expectNothing)($(id));
}

function press(message, action) {
  const channel = placeOf(message);
  // The app answers in the thread of what was pressed, if it has one: also one that came since it was shown first.
  const root = message.thread_ts ?? message.ts;
  if (workspace.replies(channel, root).length) workspace.answersAwaited.add(`${channel}/${root}`);
  return act("/page/press", { channel, ts: message.ts, ...action });
}

function submitted(values) {
  expectAnywhere();
  return post("/page/submit", { values });
}

function dismiss(message) {
  workspace.remove(here.channel, message.ts);                  // as in Slack it is gone from this view alone
  render();
}

const placeOf = (message) => message.channel ?? here.channel;

/** The app is told which of its tabs is opened, so that it can fill it. */
function tellOpened() {
  const key = here.tab && `${here.channel}/${here.tab}`;
  if (key && key !== openedLast) act(OPENED, { tab: here.tab });
  openedLast = key;
}
let openedLast = null;

window.addEventListener("hashchange", () => {
  const before = { ...here };
  readHash(workspace);
  closeSidebar();
  render();
  tellOpened();
  if (here.tab === HOME) $("home").focus({ preventScroll: true });
  else if (here.thread && here.thread !== before.thread) threadComposer.focus();
  else if (here.channel !== before.channel || here.tab !== before.tab || before.thread) mainComposer.focus();
});

const closeThread = () => {
  if (here.thread) go(workspace, here.channel);
  return Boolean(here.thread);
};

stayOnLinks();
watchFrame([closeThread]);
watchScrolling($("scroll"), $("new-messages"));
watchScrolling($("thread-scroll"), $("new-replies"));
$("who").addEventListener("change", () => { location.search = `?as=${encodeURIComponent($("who").value)}`; });
$("close-thread").addEventListener("click", closeThread);
$("skip").addEventListener("click", () => mainComposer.focus());
document.addEventListener("visibilitychange", () => workspace.loaded && render());
$("team-mark").append(almanacMark());
$("empty-mark").append(almanacMark());
