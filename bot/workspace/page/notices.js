// What is said beside the messages: aloud, in a notice that goes again, and in lines that are there or not.

const NOTICE_MS = 6000;
const TROUBLES = {
  operation_timeout: "The app did not answer in time: operation_timeout.",
  dispatch_failed: "The app could not be reached: dispatch_failed.",
};
const CONNECTION_WORDS = {
  open: "",
  lost: "The connection was lost. Trying again…",
  stopped: "The workspace has stopped. Start it again in its terminal; this page comes back by itself.",
};

const $ = (id) => document.getElementById(id);

/** Why the app did not take something, for the reader. */
export const inWords = (trouble) => TROUBLES[trouble] ?? `The app's answer could not be shown: ${trouble}.`;

/** Read out by screen readers: who wrote, and the message's plain text. */
export function announce(user, message) {
  $("live").textContent = `${user.real_name || user.name}: ${(message.text ?? "").slice(0, 400)}`;
}

let noticeTimer;
export function notice(text) {
  setText($("notice"), text);
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => setText($("notice"), ""), NOTICE_MS);
}

/** How the connection to the server is: "open", "lost" or "stopped". */
export function tellConnection(how) {
  $("banner").textContent = CONNECTION_WORDS[how];
  $("banner").hidden = how === "open";
  $("banner").dataset.state = how;
}

/** A line that is hidden where it says nothing. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
  node.hidden = !text;
}
