// A look inside, for who develops the bot: a message's JSON, its limits and the calls that made it; what went between
// the app and the workspace; and faults on command.

import { arrange, el, svg } from "./dom.js";
import { clockTime, moment, seconds } from "./dates.js";
import { coverColumns } from "./frame.js";
import { faultForm } from "./faults.js";
import { get } from "./stream.js";

const EVERY_MS = 1000;                                         // how often the journal is read while the drawer is open
const CROSS = "m12 10.6 6-6 1.4 1.4-6 6 6 6-1.4 1.4-6-6-6 6L4.6 18l6-6-6-6L6 4.6z";

/** Fills `aside`. `nameOf(message)` is who wrote it, `notice(text)` says what went wrong. Returns {open, close}. */
export function inside(aside, { nameOf, notice }) {
  const about = el("section", { "aria-label": "The message", hidden: true });
  const log = el("ol", { class: "journal", "data-testid": "journal" });
  const nothing = el("p", { class: "soft" }, "Nothing yet: say something to the app.");
  const faults = faultForm({ read, notice });
  const title = el("h2", { id: "inside-title", tabindex: "-1" }, "A look inside");
  const cross = el("button", { type: "button", class: "icon-button", "aria-label": "Close the look inside", title: "Close (Esc)", onclick: () => close() },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: CROSS })));
  aside.replaceChildren(
    el("header", { class: "bar" }, title, cross),
    el("div", { class: "scroll inside-body", role: "region", "aria-label": "A look inside", tabindex: "0" },
      about, faults.node, el("section", { "aria-labelledby": "journal-title" },
        el("h3", { id: "journal-title" }, "Journal"),
        el("p", { class: "soft" }, "Newest first: ← calls of the app, → what was delivered to it. Slack waits three seconds for an acknowledgement."),
        nothing, log)));
  let opener = null;
  let timer = null;

  async function open(message) {
    opener = document.activeElement;
    aside.hidden = false;
    coverColumns();
    about.hidden = !message;
    if (message) await describe(message);
    title.focus();
    clearInterval(timer);
    timer = setInterval(read, EVERY_MS);
    await read();
  }

  function close() {
    if (aside.hidden) return false;
    aside.hidden = true;
    coverColumns();
    clearInterval(timer);
    if (opener?.isConnected) opener.focus();
    return true;
  }

  async function describe({ channel, ts, ...message }) {
    try {
      const { message: json, limits, calls } = await get("/page/inside", { channel, ts });
      about.replaceChildren(
        el("h3", {}, `Message of ${nameOf(message)}, ${clockTime(moment(ts))}`),
        meters(limits),
        el("h4", {}, "Made by"),
        calls.length ? el("ol", { class: "journal" }, calls.map(row)) : el("p", { class: "soft" }, "No call of the app: somebody typed it, or the workspace said it."),
        source("Exact JSON", json, "json", true));
    } catch {
      about.replaceChildren(el("p", { class: "soft" }, "This message is gone."));
    }
  }

  async function read() {
    try {
      const { entries, methods, waiting } = await get("/page/journal");
      const known = new Map([...log.children].map((node) => [node.dataset.key, node]));
      arrange(log, entries.map((entry) => (known.get(keyOf(entry)) ?? row(entry))));
      nothing.hidden = entries.length > 0;
      faults.show({ methods, waiting });
    } catch {
      // The banner says that the workspace is gone; the journal is read again.
    }
  }

  /** One entry; what was sent and answered is fetched when it is unfolded. */
  function row(entry) {
    const { number, kind, name, at, ms, outcome, late, again } = entry;
    const said = late ? `late: ${outcome}` : ms === null ? "under way" : outcome;
    const body = el("div", { class: "journal-body" });
    const node = el("li", { class: late ? "late" : outcome === "ok" || ms === null ? "" : "trouble", "data-key": keyOf(entry), "data-testid": "journal-entry" },
      el("details", { ontoggle: (event) => event.target.open && fill(body, number) },
        el("summary", {},
          el("span", { class: "journal-way", "aria-label": kind === "call" ? "call" : "delivery", role: "img" }, kind === "call" ? "←" : "→"),
          el("span", { class: "journal-name" }, name),
          el("span", { class: "journal-outcome" }, said),
          el("span", { class: "journal-time" }, ms === null ? "…" : `${ms} ms`),
          el("time", { datetime: moment(at).toISOString() }, seconds(moment(at)))),
        body));
    if (again) node.firstChild.append(el("button", { type: "button", class: "button", onclick: () => faults.again(number) }, "Deliver again"));
    return node;
  }

  async function fill(body, number) {
    const { sent, answer, limits } = await get(`/page/journal/${number}`);
    body.replaceChildren(...(limits.length ? [meters(limits)] : []), source("Sent", sent, "sent"), ...(answer ? [source("Answer", answer, "answer")] : []));
  }

  const keyOf = ({ number, ms, outcome }) => `${number} ${ms} ${outcome}`;

  return { open, close };
}

/** How much of each limit is used, in words and as a bar. */
function meters(limits) {
  return el("ul", { class: "meters", "data-testid": "limits" }, limits.map(({ name, used, most }) => {
    const words = `${name}: ${used.toLocaleString("en")} of ${most.toLocaleString("en")}`;
    const share = used / most;
    return el("li", {}, el("span", {}, words),
      el("meter", { min: 0, max: most, value: Math.min(used, most), high: most * 0.8, optimum: 0, "aria-label": words, class: share > 0.8 ? "full" : "" }));
  }));
}

function source(title, json, kind, open = false) {
  const text = JSON.stringify(json, null, 2);
  const copy = el("button", { type: "button", class: "button", onclick: async () => {
    await navigator.clipboard.writeText(text).then(() => { copy.textContent = "Copied"; }, () => { copy.textContent = "Not copied"; });
  } }, "Copy");
  return el("details", { class: "source", open },
    el("summary", {}, title),
    el("pre", { tabindex: "0", role: "region", "aria-label": title, "data-testid": `source-${kind}` }, text), copy);
}
