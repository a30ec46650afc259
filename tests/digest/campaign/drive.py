"""Runs the campaign: `python drive.py small|whole LANES`. Prints what came of each run as JSON.

Each lane has a Slack of its own, and forks a bot for each run from itself, with everything loaded already: a run then
costs what its waiting costs.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from bot_process import Fate, Where, ended, forked, prepare, run
from runs import Run, small, whole
from slack_process import SlackProcess

from bot.digest.service import problems
from storage import Store

MOST_BOTS = 12  # one after the other, until nothing waits


def result(one: Run, number: int, slack: SlackProcess, folder: Path) -> dict[str, Any]:
    channel = f"C0RUN{number:05}"
    slack.ask("channel", channel, one.readable)
    slack.ask("faults", one.faults)
    where = Where(folder / f"{number}.db", slack.api, slack.token, slack.team, channel)
    prepare(where)
    kills, ends = 0, list[int]()
    if one.racing:
        ends = ended([forked(partial(run, where, fate)) for fate in one.fates])
        kills += ends.count(-signal.SIGKILL)
    for seconds in one.random_kills:
        bot = forked(partial(run, where, Fate()))
        time.sleep(seconds)
        os.kill(bot, signal.SIGKILL)
        if ended([bot]) == [-signal.SIGKILL]:
            kills += 1
    for fate in () if one.racing else one.fates:
        ends = ended([forked(partial(run, where, fate))])
        kills += ends.count(-signal.SIGKILL)
    for _ in range(MOST_BOTS):
        ends = ended([forked(partial(run, where, Fate()))])
        if ends == [0]:
            break
    store = Store(where.database)
    found = {
        "group": one.group,
        "name": one.name,
        "kills": kills,
        "ended": ends[-1],
        "pauses": one.pauses,
        "readable": one.readable,
        "planned": store.outbox.keys("digest|"),
        "notices": sorted(store.outbox.keys("pause|")),
        "posts": dict(slack.ask("posts", channel)),
        "states": {key: store.outbox.get(key).state for key in store.outbox.keys("")},  # type: ignore[union-attr]
        "said": problems(store),
        "wanted_kills": wanted_kills(one),
    }
    where.database.unlink()
    return found


def wanted_kills(one: Run) -> int:
    """How many bots have to be killed at least, for a run to be what it says; one at a random moment may be late."""
    steps = sum(bool(fate.step) for fate in one.fates)
    return min(1, steps) if one.racing else steps


def lane(runs: list[tuple[int, Run]], out: Path) -> None:
    slack = SlackProcess()
    with tempfile.TemporaryDirectory() as folder:
        found = [result(one, place, slack, Path(folder)) for place, one in runs]
    slack.stop()
    out.write_text(json.dumps(found))
    os._exit(0)


def ends_with(parent: int) -> None:
    """Let nothing of the campaign outlive whoever started it, however that came to its end."""
    while os.getppid() == parent:
        time.sleep(0.2)
    os.killpg(0, signal.SIGKILL)


def main(which: str, lanes: int) -> None:
    parent = os.getppid()
    runs = list(enumerate({"small": small, "whole": whole}[which]()))
    with tempfile.TemporaryDirectory() as folder:
        outs = [Path(folder) / f"{number}.json" for number in range(lanes)]
        started = [forked(partial(lane, runs[n::lanes], out)) for n, out in enumerate(outs)]
        threading.Thread(target=ends_with, args=(parent,), daemon=True).start()
        ends = ended(started)
        if any(ends):
            raise SystemExit(f"a lane ended with {ends}")
        found = [one for out in outs for one in json.loads(out.read_text())]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
