// Faults on command: what goes wrong with the next call, with the socket, with an event.

import { el } from "./dom.js";
import { post } from "./stream.js";

const FAULTS = [
  ["delay", "is answered five seconds late"],
  ["ratelimited", "is answered with 429, try again in three seconds"],
  ["drop_before", "loses its connection before it is accepted"],
  ["drop_after", "loses its connection after it was accepted"],
];
const ANY = "*";

/** `does` is {read(), notice(text)}. Returns {node, show({methods, waiting}), again(number)}. */
export function faultForm(does) {
  const method = el("select", { id: "fault-method", class: "select" }, el("option", { value: ANY }, "whichever comes next"));
  const kind = el("select", { id: "fault-kind", class: "select" }, FAULTS.map(([value, words]) => el("option", { value }, words)));
  const said = el("p", { class: "soft", role: "status" });
  const waits = el("p", { class: "soft", hidden: true });
  const form = el("form", { class: "faults" },
    el("label", { for: "fault-method" }, "The next call of"), method,
    el("label", { for: "fault-kind" }, "What happens"), kind,
    el("div", { class: "fault-buttons" },
      el("button", { type: "submit", class: "button" }, "Let it happen"),
      el("button", { type: "button", class: "button", onclick: () => cause({ kind: "disconnect" }, "The app was sent to a new socket.") }, "Disconnect the socket"),
      el("button", { type: "button", class: "button", onclick: () => again() }, "Deliver the last event again")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const words = `The next call ${method.value === ANY ? "of the app" : `of ${method.value}`} ${FAULTS.find(([value]) => value === kind.value)[1]}.`;
    cause({ kind: kind.value, method: method.value }, words);
  });

  async function cause(what, words) {
    try {
      await post("/page/fault", what);
      said.textContent = words;
    } catch (problem) {
      does.notice(`That did not work: ${problem.message}.`);
    }
    await does.read();
  }

  const again = (number) => cause({ kind: "twice", ...(number ? { number: String(number) } : {}) }, "It was delivered again.");

  function show({ methods, waiting }) {
    if (method.options.length !== methods.length + 1) {
      const chosen = method.value;
      method.replaceChildren(method.options[0], ...methods.map((each) => el("option", { value: each }, each)));
      method.value = chosen;
    }
    waits.textContent = waiting.length ? `Still to happen: ${waiting.map((each) => each.replace(/^\*:/, "any call:")).join("; ")}.` : "";
    waits.hidden = !waiting.length;
  }

  const node = el("section", { "aria-labelledby": "faults-title" }, el("h3", { id: "faults-title" }, "Faults"), form, said, waits);
  return { node, show, again };
}
