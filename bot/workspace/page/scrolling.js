// Lists of messages stay at the newest one for as long as the reader has it in sight.

const NEAR_BOTTOM_PX = 80;

// Whether the reader has the newest message in sight, by list. Kept from the last scroll on: once the composer
// grew or a message came it cannot be measured any more.
const following = new WeakMap();

export function watchScrolling(scroller) {
  scroller.addEventListener("scroll", () => {
    following.set(scroller, scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_BOTTOM_PX);
  });
  new ResizeObserver(() => following.get(scroller) && showEnd(scroller)).observe(scroller);
}

/** Draws, and stays at the newest message if it was in sight, or goes there if the reader just came. */
export function keepAtEnd(scroller, moved, draw) {
  const lastBefore = scroller.querySelector(".message:last-child");
  draw();
  const last = scroller.querySelector(".message:last-child");
  if (moved || (last !== lastBefore && following.get(scroller))) showEnd(scroller);
}

function showEnd(scroller) {
  following.set(scroller, true);
  const last = scroller.querySelector(".message:last-child");
  // Of a message taller than the view one wants to read the start.
  if (last && last.offsetHeight > scroller.clientHeight) last.scrollIntoView({ block: "start" });
  else scroller.scrollTop = scroller.scrollHeight;
}
