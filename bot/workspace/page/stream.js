// The connection to the server: state by GET, changes by WebSocket, back again with growing pauses.

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
const AS = new URLSearchParams(location.search).get("as");     // whose page this is, if not the first person's

const mine = (path) => (AS ? `${path}?as=${encodeURIComponent(AS)}` : path);

/**
 * Keeps the page up to date for as long as it is open. `onState` gets the whole state, first and after every
 * reconnection, `onEvent` each change since, `onConnection` one of "open", "lost" (trying again), "stopped".
 */
export function follow({ onState, onEvent, onConnection }) {
  let pause = FIRST_PAUSE_MS;

  async function connect() {
    try {
      onState(await getState());                               // shown at once, before the stream stands
    } catch {
      return again("stopped");
    }
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${mine("/page/stream")}`);
    let held = null;                                           // changes that arrive while the state is on its way
    let opened = false;
    socket.onopen = async () => {
      opened = true;
      held = [];
      try {
        onState(await getState());                             // again: what happened before the stream stood
      } catch {
        return socket.close();
      }
      held.forEach(onEvent);
      held = null;
      pause = FIRST_PAUSE_MS;
      onConnection("open");
    };
    socket.onmessage = ({ data }) => (held ? held.push(JSON.parse(data)) : onEvent(JSON.parse(data)));
    socket.onclose = () => again(opened ? "lost" : "stopped");
  }

  function again(how) {
    onConnection(how);
    setTimeout(connect, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }

  connect();
}

const getState = () => get("/page/state");

/** What the server has at a path, for who reads the page; throws an Error if it has nothing. */
export async function get(path, wanted = {}) {
  const query = new URLSearchParams({ ...(AS ? { as: AS } : {}), ...wanted });
  const answer = await fetch(`${path}?${query}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}`);
  return answer.json();
}

/** Posts JSON; resolves to the server's answer, throws an Error with words for the reader. */
export async function post(path, body) {
  let answer;
  try {
    answer = await fetch(mine(path), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  } catch {
    throw new Error("the workspace cannot be reached");
  }
  const result = await answer.json().catch(() => ({}));
  if (!answer.ok || result.ok === false) throw new Error(result.error || `the workspace answered ${answer.status}`);
  return result;
}
