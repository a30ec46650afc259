// Text objects: plain ones show emoji codes and nothing else, mrkdwn ones are parsed.

import { el } from "./dom.js";
import { withEmoji } from "./emoji.js";
import { mrkdwn } from "./mrkdwn.js";

export function plainText(object) {
  if (!object) return [];
  if (typeof object === "string") return [object];
  return object.emoji === false ? [object.text] : withEmoji(object.text);
}

/** A plain text keeps its line breaks; mrkdwn makes its own. */
export function textObject(object, names) {
  if (object.type === "mrkdwn") return mrkdwn(object.text, names, { verbatim: object.verbatim === true });
  return el("span", { class: "pre-wrap" }, plainText(object));
}
