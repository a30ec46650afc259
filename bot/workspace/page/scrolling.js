// Where a list of messages is scrolled to. Who follows it sees what comes, but is never taken past the start of what
// they have not read. Who has scrolled away stays where they are, and a button leads to what is new.

const NEAR_END_PX = 80;
const TOOLS_PX = 16;                                           // what shows above a message without a head, when one points at it
const SEEN_PX = 40;                                            // of a message, in view: then it is not news any more

// By scroller:
//   following  whether the reader has not scrolled away
//   top        where we scrolled to: to tell the reader's own scrolling from ours
//   from       ts of the message whose start stays in view; null: the last one
//   asked      whether `from` begins the result of what the reader did; it holds until they scroll
//   awaiting   whether the reader did something whose result is to come
//   newest     ts of the newest message there was
//   unseen     ts of the first new message below the view; null: none
//   shown      key of what is shown
const states = new WeakMap();
const buttons = new WeakMap();

/** Looks after a scroller. `button` is shown while there is something new below. */
export function watchScrolling(scroller, button) {
  states.set(scroller, start());
  buttons.set(scroller, button);
  scroller.addEventListener("scroll", () => scrolled(scroller));
  new ResizeObserver(() => place(scroller)).observe(scroller);
  button.addEventListener("click", () => {
    const state = states.get(scroller);
    Object.assign(state, { following: true, from: state.unseen, asked: true });
    place(scroller);
    scroller.focus({ preventScroll: true });                   // the button is gone
  });
}

/** The reader did something: what comes next in this list, or the message `ts` if it is known, is brought into view. */
export function expectResult(scroller, ts = null) {
  const state = states.get(scroller);
  state.awaiting = true;
  if (ts) Object.assign(state, { from: ts, asked: true });
}

/** The reader has given up what they began. */
export function expectNothing(scroller) {
  states.get(scroller).awaiting = false;
}

/**
 * Draws, and keeps in view what the reader follows or waits for. `shown` is a key of what is shown: where it is
 * another than before, the reader just came, for the message `ts` or else for the newest.
 */
export function keepInView(scroller, shown, ts, draw) {
  const before = states.get(scroller);
  const height = scroller.scrollHeight;
  const sawEnd = isNearEnd(scroller);
  draw();
  const messages = all(scroller);
  if (before.shown !== shown) {
    const result = before.asked && before.awaiting ? { from: before.from, asked: true } : {};
    const wanted = ts ? { from: ts, asked: true } : result;
    states.set(scroller, { ...start(), ...wanted, shown, newest: messages.at(-1)?.dataset.ts ?? "0" });
    return place(scroller);
  }
  const fresh = messages.filter((node) => isSince(node, before.newest) && node.dataset.ts !== before.newest);
  if (fresh.length) noteNew(before, fresh[0].dataset.ts, fresh.at(-1).dataset.ts, sawEnd);
  if (fresh.length || scroller.scrollHeight !== height) place(scroller);
}

function start() {
  return { following: true, top: 0, from: null, asked: false, awaiting: false, newest: "0", unseen: null, shown: null };
}

function noteNew(state, first, last, sawEnd) {
  if (state.awaiting) Object.assign(state, { following: true, from: first, asked: true, awaiting: false });
  else if (state.following && sawEnd && !state.asked) state.from = first;
  state.newest = last;
  state.unseen ??= first;
}

function scrolled(scroller) {
  const state = states.get(scroller);
  const isOurs = state.following && Math.abs(scroller.scrollTop - state.top) < 1;
  if (!isOurs) Object.assign(state, { following: isNearEnd(scroller), from: null, asked: false, awaiting: false, top: scroller.scrollTop });
  showButton(scroller);
}

function place(scroller) {
  const state = states.get(scroller);
  if (state.following) {
    const from = find(scroller, state.from) ?? all(scroller).at(-1);
    if (from) scroller.scrollTop = topOf(scroller, from);      // no further than the end
    state.top = scroller.scrollTop;
  }
  showButton(scroller);
}

function showButton(scroller) {
  const state = states.get(scroller);
  const bottom = scroller.getBoundingClientRect().bottom;
  const isBelow = (node) => node.getBoundingClientRect().top + Math.min(SEEN_PX, node.offsetHeight) > bottom + 1;
  if (state.unseen) state.unseen = all(scroller).find((node) => isSince(node, state.unseen) && isBelow(node))?.dataset.ts ?? null;
  buttons.get(scroller).hidden = !state.unseen;
}

const all = (scroller) => [...scroller.querySelectorAll(".message")];
const isSince = ({ dataset }, ts) => parseFloat(dataset.ts) >= parseFloat(ts);
const find = (scroller, ts) => ts && scroller.querySelector(`.message[data-ts="${ts}"]`);
const topOf = (scroller, node) =>
  node.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop - (node.classList.contains("compact") ? TOOLS_PX : 0);
const isNearEnd = (scroller) => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END_PX;
