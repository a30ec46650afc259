// What this page cannot draw is shown as it is, so that nothing a bot sends disappears silently.

import { el } from "./dom.js";

export function unknown(what, spec) {
  return el("details", { class: "unknown" },
    el("summary", {}, `${spec?.type ?? "unnamed"}: a kind of ${what} this page does not draw`),
    el("pre", { tabindex: "0" }, el("code", {}, JSON.stringify(spec, null, 2))));
}
