// The frame around the columns: the sidebar of a narrow window, and what Escape closes.

const $ = (id) => document.getElementById(id);

function openSidebar(open) {
  $("sidebar").dataset.open = String(open);
  $("menu").setAttribute("aria-expanded", String(open));
  $("backdrop").hidden = !open;
}

export function closeSidebar() {
  openSidebar(false);
}

/** Looks after the frame. `layers` close what lies over the page, the uppermost first; each says whether it did. */
export function watchFrame(layers) {
  $("menu").addEventListener("click", () => openSidebar($("sidebar").dataset.open !== "true"));
  $("backdrop").addEventListener("click", closeSidebar);
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
