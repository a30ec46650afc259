// What the page knows: the server's state and the changes pushed since. No DOM in here.

export const STATUS_LASTS_MS = 2 * 60 * 1000;                         // Slack drops a status after two minutes

export class Workspace {
  constructor() {
    this.loaded = false;
    this.channels = [];
    this.users = {};
    this.messages = {};
    this.suggestions = [];
    this.subcommands = [];
    this.people = [];
    this.shortcuts = [];
    this.view = { home: null, modals: [], errors: {}, prompts: null };
    this.read = {};                                            // channel → ts of the newest message seen there
    this.statuses = new Map();                                 // "channel/thread ts" → {status, until}
    this.answersAwaited = new Set();                           // "channel/ts" of what the reader just asked
  }

  /** Takes the server's whole state, at the start and after each reconnection. */
  load(state) {
    Object.assign(this, { team: state.team, me: state.me, bot: state.bot, command: state.command, users: state.users });
    this.channels = state.channels.map((channel) => (channel.is_im ? { ...channel, name: this.users[channel.user]?.name ?? channel.id } : channel));
    this.suggestions = (state.suggestions ?? []).map((question) => ({ title: question, message: question }));
    this.subcommands = state.subcommands ?? [];
    Object.assign(this, { people: state.people, shortcuts: state.shortcuts, view: state.view });
    this.messages = {};
    for (const { id } of this.channels) {
      this.messages[id] = [...(state.messages[id] ?? [])].sort(byTime);
      if (!this.loaded) this.markRead(id);                     // what was there before the page opened is not news
    }
    this.statuses.clear();
    state.statuses.forEach((each) => this.setStatus(each));
    this.loaded = true;
  }

  /** What is offered to ask in a channel: in direct messages what the app suggests, if it does. */
  offered(channel) {
    const { prompts } = this.view;
    if (channel.is_im && prompts) return { title: prompts.title || "Suggested questions", prompts: prompts.prompts };
    return { title: "Suggested questions", prompts: this.suggestions };
  }

  /** Who wrote a message. */
  userOf = (message) => {
    const id = message.user ?? (message.bot_id ? this.bot : "?");
    const name = message.username ?? id;
    return this.users[id] ?? { id, name, real_name: name, is_bot: Boolean(message.bot_id) };
  };

  shortcutsOf(type) {
    return this.shortcuts.filter((each) => each.type === type);
  }

  get names() {
    return { users: this.users, channels: this.channels, me: this.me };
  }

  get botName() {
    return this.users[this.bot]?.real_name || this.users[this.bot]?.name || "Almanac";
  }

  /** The thread a message's id names: its own, or the one it is a reply in; null if there is no such message. */
  threadOf(channel, ts) {
    const message = this.message(channel, ts);
    return message ? (isReply(message) ? message.thread_ts : ts) : null;
  }

  /** The channel a location hash names: its id, its name, or nothing. */
  channelNamed(name) {
    return this.channels.find((channel) => channel.id === name) ?? this.channels.find((channel) => channel.name === name);
  }

  message(channel, ts) {
    return (this.messages[channel] ?? []).find((each) => each.ts === ts);
  }

  put(channel, message) {
    const list = (this.messages[channel] ??= []);
    const index = list.findIndex((each) => each.ts === message.ts);
    if (index >= 0) list[index] = message;
    else list.push(message);
    list.sort(byTime);
  }

  remove(channel, ts) {
    this.messages[channel] = (this.messages[channel] ?? []).filter((each) => each.ts !== ts);
  }

  /** What stands in the channel itself: no replies, save those also sent to the channel. */
  roots(channel) {
    return (this.messages[channel] ?? []).filter((each) => !isReply(each) || each.subtype === "thread_broadcast");
  }

  replies(channel, ts) {
    return (this.messages[channel] ?? []).filter((each) => isReply(each) && each.thread_ts === ts);
  }

  markRead(channel) {
    this.read[channel] = this.messages[channel]?.at(-1)?.ts ?? "0";
  }

  unread(channel) {
    const since = parseFloat(this.read[channel] ?? "0");
    return (this.messages[channel] ?? []).filter((each) => parseFloat(each.ts) > since && each.user !== this.me).length;
  }

  setStatus({ channel, thread_ts: thread, status }) {
    if (status) this.statuses.set(`${channel}/${thread}`, { status, until: Date.now() + STATUS_LASTS_MS });
    else this.statuses.delete(`${channel}/${thread}`);
  }

  /** "Almanac is reading the history…" for one thread, or, without a thread, for any in the channel. */
  statusLine(channel, thread) {
    for (const [key, { status, until }] of this.statuses) {
      const fits = thread ? key === `${channel}/${thread}` : key.startsWith(`${channel}/`);
      if (fits && until > Date.now()) return asSentence(this.botName, status);
    }
    return "";
  }

  /** Whether `message` is the bot's first answer to what the reader just asked or pressed in the channel. */
  isAwaitedAnswer(channel, message) {
    return message.user === this.bot && isReply(message) && this.answersAwaited.delete(`${channel}/${message.thread_ts}`);
  }
}

export const isReply = (message) => Boolean(message.thread_ts) && message.thread_ts !== message.ts;

export const byTime = (left, right) => parseFloat(left.ts) - parseFloat(right.ts);

// Slack puts the app's name before the status ("is reading…"); sessions send a bare word ("processing").
function asSentence(name, status) {
  if (status.startsWith(name)) return status;
  if (/^is\b/.test(status)) return `${name} ${status}`;
  return status === "processing" ? `${name} is working…` : `${name}: ${status}`;
}
