// The frame around the columns: the sidebar of a narrow window, and what Escape closes.

const $ = (id) => document.getElementById(id);
const narrow = matchMedia("(max-width: 760px)");                // as in page.css: there is one column, the others lie over it

function openSidebar(open) {
  $("sidebar").dataset.open = String(open);
  $("menu").setAttribute("aria-expanded", String(open));
  $("backdrop").hidden = !open;
}

export function closeSidebar() {
  openSidebar(false);
}

/** What another column covers is not walked to by the keyboard either. */
export function coverColumns() {
  $("channel").inert = narrow.matches && !$("thread").hidden;
}

/** Looks after the frame. `layers` close what lies over the page, the uppermost first; each says whether it did. */
export function watchFrame(layers) {
  $("menu").addEventListener("click", () => openSidebar($("sidebar").dataset.open !== "true"));
  $("backdrop").addEventListener("click", closeSidebar);
  narrow.addEventListener("change", coverColumns);
  const closesSidebar = () => {
    const wasOpen = $("sidebar").dataset.open === "true";
    closeSidebar();
    if (wasOpen) $("menu").focus();
    return wasOpen;
  };
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
    [closesSidebar, ...layers].some((close) => close());
  });
}
