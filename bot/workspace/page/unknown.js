// What this page cannot draw is shown as it is, so that nothing a bot sends disappears silently.

import { el } from "./dom.js";

export function unknown(what, spec, why = "this page does not draw") {
  return el("details", { class: "unknown" },
    el("summary", {}, `${spec?.type ?? "unnamed"}: a ${what} ${why}`),
    el("pre", { tabindex: "0" }, el("code", {}, JSON.stringify(spec, null, 2))));
}
