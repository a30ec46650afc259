// Where the reader is: the location hash says.
//   #shipped                 a channel, by name or id
//   #shipped/1700000000.0001 the same with a thread open; at a reply, if the id is one's
//   #almanac/home            the tab of the app
// Whose page it is the address says: ?as=grace; without, the first person's.

export const HOME = "home";                                    // stands for the thread in the address of the app's tab
const FIRST = "shipped";                                       // where the digest is posted

/** tab: of direct messages, home or messages; reply: the one in the thread that the address names. */
export const here = { channel: null, thread: null, reply: null, tab: null };

export function go(workspace, channel, thread) {
  const { name } = workspace.channelNamed(channel);
  location.hash = thread ? `${name}/${thread}` : name;
}

export function readHash(workspace) {
  const [name, named] = decodeURIComponent(location.hash.slice(1)).split("/");
  const channel = workspace.channelNamed(name) ?? workspace.channelNamed(FIRST) ?? workspace.channels[0];
  const tab = channel?.is_im ? (named === HOME ? HOME : "messages") : null;
  const ts = channel && named && tab !== HOME ? fromPermalink(named) : null;
  const thread = ts && workspace.threadOf(channel.id, ts);
  Object.assign(here, { channel: channel?.id, tab, thread, reply: thread && ts !== thread ? ts : null });
}

// A permalink writes 1700000000.000100 as p1700000000000100.
const fromPermalink = (id) => id.replace(/^p(\d+)(\d{6})$/, "$1.$2");

/** A link to a message of this workspace leads to it in this page, which knows who is reading. */
export function stayOnLinks() {
  document.addEventListener("click", (event) => {
    const anchor = event.target.closest?.("a[href]");
    if (!anchor || anchor.origin !== location.origin || event.ctrlKey || event.metaKey) return;
    const [, channel, ts] = anchor.pathname.match(/^\/archives\/([^/]+)\/([^/]+)$/) ?? [];
    if (!channel) return;
    event.preventDefault();
    location.hash = `${channel}/${ts}`;
  });
}
