// What is shown of where the reader is: the channel, the thread beside it, the app's Home tab.

import { el } from "./dom.js";
import { coverColumns } from "./frame.js";
import { showMessages } from "./message.js";
import { setText } from "./notices.js";
import { go, here, HOME } from "./place.js";
import { keepInView } from "./scrolling.js";
import { renderSidebar, titleOf } from "./sidebar.js";

const $ = (id) => document.getElementById(id);

/**
 * Draws the workspace. `parts` are {mainComposer, threadComposer, home, modal}; `does` is what can be done with a
 * message, {press, run, dismiss}, and {runGlobal}, a shortcut that belongs to none.
 */
export function screens(workspace, parts, does) {
  function render() {
    const channel = workspace.channels.find(({ id }) => id === here.channel);
    if (!channel) return;
    if (!document.hidden && here.tab !== HOME) workspace.markRead(channel.id);
    renderSidebar(workspace, here);
    renderHome(channel);
    renderChannel(channel);
    renderThread(channel);
    coverColumns();
    parts.modal.show(workspace.view.modals, workspace.view.errors);
  }

  /** The tabs of the app's direct messages, and what it published in its Home tab. */
  function renderHome(channel) {
    const isHome = here.tab === HOME;
    $("tabs").hidden = !channel.is_im;
    $("home").hidden = !isHome;
    for (const id of ["scroll", "composer"]) $(id).hidden = isHome;
    if (!channel.is_im) return;
    for (const [id, hash, current] of [["tab-home", `#${channel.name}/${HOME}`, isHome], ["tab-messages", `#${channel.name}`, !isHome]]) {
      $(id).href = hash;
      if (current) $(id).setAttribute("aria-current", "page");
      else $(id).removeAttribute("aria-current");
    }
    const unread = workspace.unread(channel.id);
    $("tab-messages").textContent = unread && isHome ? `Messages (${unread})` : "Messages";
    if (isHome) parts.home.show(workspace.view.home);
  }

  function renderChannel(channel) {
    const bot = workspace.botName;
    const title = titleOf(workspace, channel);
    $("channel-name").replaceChildren(channel.is_im ? "" : el("span", { class: "sign" }, "#"), title.replace(/^#/, ""));
    $("channel-topic").textContent = [channel.is_ext_shared && "Shared with another workspace", channel.topic].filter(Boolean).join(" · ");
    const threads = { openTs: here.thread, replies: (ts) => workspace.replies(channel.id, ts), openThread: (ts) => go(workspace, channel.id, ts) };
    keepInView($("scroll"), channel.id, null, () => showMessages($("messages"), workspace.roots(channel.id), view(threads)));
    $("empty").hidden = workspace.roots(channel.id).length > 0;
    // With the thread open its own line says it; twice would be read out twice.
    const saidElsewhere = here.tab === HOME || (here.thread && workspace.statusLine(channel.id, here.thread));
    setText($("status"), saidElsewhere ? "" : workspace.statusLine(channel.id));
    parts.mainComposer.show({
      key: channel.id,
      placeholder: channel.is_im ? `Ask ${bot}, or type ${workspace.command}` : `Message #${channel.name}, or ask @${bot}`,
      mention: channel.is_im ? "" : bot,
      offered: workspace.offered(channel),
      shortcuts: workspace.shortcutsOf("global").map((each) => ({ text: each.name, description: each.description, choose: () => does.runGlobal(each) })),
      prefix: channel.is_im ? "" : `@${bot} `,
    });
  }

  function renderThread(channel) {
    const root = here.thread && workspace.message(channel.id, here.thread);
    $("thread").hidden = !root;
    $("app").classList.toggle("with-thread", Boolean(root));
    if (!root) return keepInView($("thread-scroll"), "", null, () => {});
    const replies = workspace.replies(channel.id, root.ts);
    $("thread-place").textContent = titleOf(workspace, channel);
    const linked = { linkedTs: here.reply };
    keepInView($("thread-scroll"), `${root.ts}/${here.reply ?? ""}`, here.reply, () => showMessages($("thread-messages"), [root, ...replies], view(linked)));
    setText($("thread-status"), workspace.statusLine(channel.id, root.ts));
    parts.threadComposer.show({
      key: `${channel.id}/${root.ts}`,
      placeholder: channel.is_im ? "Reply…" : `Reply; mention @${workspace.botName} to ask on`,
      mention: channel.is_im ? "" : workspace.botName,
    });
  }

  function view(more) {
    const { press, run, dismiss } = does;
    return { names: workspace.names, userOf: workspace.userOf, press, run, dismiss, shortcuts: workspace.shortcutsOf("message"), ...more };
  }

  return render;
}
