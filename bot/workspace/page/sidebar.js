// The sidebar: channels, direct messages, and whose page this is.

import { arrange, el, svg } from "./dom.js";
import { avatar } from "./message.js";

const byId = (id) => document.getElementById(id);

export const titleOf = (workspace, channel) => (channel.is_im ? workspace.users[channel.user].real_name : `#${channel.name}`);

/** Where one can go, who one is, and in the window's title what is unread. */
export function renderSidebar(workspace, here) {
  byId("team-name").textContent = workspace.team.name;         // also where the sidebar is hidden
  document.querySelector(".team-name").textContent = workspace.team.name;
  arrange(byId("channels"), workspace.channels.filter((each) => !each.is_im).map((each) => channelLink(workspace, here, each)));
  arrange(byId("directs"), workspace.channels.filter((each) => each.is_im).map((each) => channelLink(workspace, here, each)));
  byId("me-face").replaceChildren(avatar(workspace.users[workspace.me], "small"));
  arrange(byId("who"), workspace.people.map((id) => personOption(workspace.users[id])));
  byId("who").value = workspace.users[workspace.me].name;
  const unread = workspace.channels.reduce((sum, { id }) => sum + workspace.unread(id), 0);
  document.title = `${unread ? `(${unread}) ` : ""}${titleOf(workspace, workspace.channels.find(({ id }) => id === here.channel))} · ${workspace.team.name}`;
}

function channelLink(workspace, here, channel) {
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
      channel.is_im ? avatar(user, "small") : el("span", { class: "sign", "aria-hidden": "true" }, channel.is_private ? lock() : "#"),
      el("span", { class: "label" }, channel.is_im ? user.real_name || user.name : channel.name), count)));
}

/** Drawn, because not every machine has a letter for it. */
function lock() {
  return svg("svg", { class: "lock", viewBox: "0 0 16 16" },
    svg("path", { d: "M4 7h8v6H4zM5.5 7V5a2.5 2.5 0 0 1 5 0v2" }));
}

function personOption(user) {
  const standing = user.is_restricted ? " (guest)" : user.is_admin ? " (admin)" : "";
  return kept(`who-${user.id}`, [user], () => el("option", { value: user.name }, `${user.real_name || user.name}${standing}`));
}

const keptNodes = new Map();

/** The node built last for `key`, as long as what it shows is the same: the focus stays where it is. */
function kept(key, shown, build) {
  const signature = JSON.stringify(shown);
  if (keptNodes.get(key)?.signature !== signature) keptNodes.set(key, { signature, node: build() });
  return keptNodes.get(key).node;
}
