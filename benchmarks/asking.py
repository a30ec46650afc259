"""Asking Almanac from a process of its own, as a bot that runs would: `python -m benchmarks.asking MODE [JSON]`.

Prints a line of JSON for each thing measured. Settings come from the environment, as always.
"""

from __future__ import annotations

import itertools
import json
import random
import select
import sqlite3
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import bot.ask.queries as answering
from bot.ask.queries import Queries
from bot.errors import AlmanacError
from bot.model import Identity
from bot.month.calendar import Month
from bot.settings import Settings, load_settings
from storage import Store

POLL_SECONDS = 0.01
Asked = tuple[str, str]  # person, month


class Asking:
    """Answers, and how long each took: to its facts, and to the whole document."""

    def __init__(self, settings: Settings) -> None:
        store = Store(settings.database, must_exist=True, dates=settings.dates)
        self._open = store.held_open()  # as the bot holds it
        self._open.__enter__()
        self._store = store
        self._queries = Queries.of(store, settings)
        self._facts_at = 0.0
        facts = getattr(answering, "month_facts", None)

        def noted(*arguments: Any, **named: Any) -> Any:
            result = facts(*arguments, **named)  # type: ignore[misc]
            self._facts_at = time.perf_counter()
            return result

        if facts:
            vars(answering)["month_facts"] = noted  # `Almanac` looks it up there at each call

    def month(self, asked: Asked) -> tuple[float, float, int]:
        """Milliseconds to the facts, to the document, and how many commits it tells of."""
        person, month = asked
        self._facts_at = 0.0
        began = time.perf_counter()
        with self._store.snapshot():  # as whoever asks is answered
            queries = replace(self._queries)  # of this moment
            documents = queries.month(person, month)
        ended = time.perf_counter()
        return ((self._facts_at or ended) - began) * 1000, (ended - began) * 1000, documents[0].counts["commits"]

    def digest(self, month: str, team: str | None) -> float:
        """Milliseconds to a digest's document."""
        began = time.perf_counter()
        with self._store.snapshot():
            self._queries.digest(Month.parse(month), team)
        return (time.perf_counter() - began) * 1000

    def newest(self) -> dict[str, Any]:
        """The newest month, and who wrote most commits in it that can be asked for by name."""
        month = self._queries.activity.last_month()
        for person in self._queries.activity.most(month) if month else ():
            try:
                commits = self.month((person.name, str(month)))[2]
            except AlmanacError:  # a name of several people
                continue
            identities = [(one.name, one.address) for one in person.identities]
            return {"person": person.name, "month": str(month), "commits": commits, "identities": identities}
        raise SystemExit("there is nobody to ask about")

    def drawn(self, count: int, seed: int) -> list[Asked]:
        """Random people with random months of theirs; whoever wrote more is asked about more."""
        draw = random.Random(seed)  # noqa: S311
        people = self._queries.known.everyone
        asked: list[Asked] = []
        active: dict[str, list[Month]] = {}
        while len(asked) < count:
            person = draw.choices(people, [one.commits for one in people])[0]
            if person.name not in active:
                active[person.name] = self._queries.activity.months(person) if self._is_one(person.name) else []
            if active[person.name]:
                asked.append((person.name, str(draw.choice(active[person.name]))))
        return asked

    def team(self, size: int, month: str) -> list[str]:
        return [person.name for person in self._queries.activity.most(Month.parse(month))[:size]]

    def _is_one(self, name: str) -> bool:
        try:
            self._queries.person(name, Month(2000, 1))
        except AlmanacError:
            return False
        return True


def steadily(asking: Asking, asked: list[Asked]) -> Iterator[float]:
    """Ask until standard input ends, with a pause after each as people make one."""
    for one in itertools.cycle(asked):
        if select.select([sys.stdin], [], [], POLL_SECONDS)[0]:
            return
        yield asking.month(one)[1]


def wait_for(settings: Settings, wanted: dict[str, Any]) -> None:
    """Return as soon as the database holds the commits of the month that is wanted."""
    month = Month.parse(wanted["month"])
    start, end = month.bounds(settings.zone)
    identities = [Identity(name, address) for name, address in wanted["identities"]]
    store: Store | None = None
    while True:
        try:
            store = store or Store(settings.database, must_exist=True, dates=settings.dates)
            if len(store.commits.between(start, end, identities=identities)) >= wanted["commits"]:
                return
        except (AlmanacError, sqlite3.Error):
            store = None  # it is being made
        time.sleep(POLL_SECONDS)


def _told(value: Any) -> None:
    print(json.dumps(value), flush=True)


def main() -> None:
    mode = sys.argv[1]
    given: Any = json.loads(sys.argv[2]) if len(sys.argv) > 2 else None
    settings = load_settings(Path.cwd())
    if mode == "wait":  # for the month, then answer it
        _told("ready")
        sys.stdin.readline()
        wait_for(settings, given)
        _told("there")
        while not _is_told(settings, given):
            time.sleep(POLL_SECONDS)
        return _told("answered")
    asking = Asking(settings)
    if mode == "newest":
        return _told(asking.newest())
    if mode == "drawn":
        return _told(asking.drawn(given["count"], given["seed"]))
    if mode == "team":
        return _told(asking.team(given["size"], given["month"]))
    if mode == "months":
        for one in given[:20]:
            asking.month(one)  # so that everything is loaded
        return _told([asking.month(one) for one in given])
    if mode == "digests":
        return _told([asking.digest(month, given["team"]) for month in given["months"]])
    if mode == "steadily":
        for one in given:
            asking.month(one)
        _told("ready")
        return _told(list(steadily(asking, given)))
    if mode == "cold":  # everything is imported; the database has been opened by nobody
        import bot.story.render  # noqa: F401 - what a command would have loaded

        _told("ready")
        sys.stdin.readline()
        began = time.perf_counter()
        fresh = Asking(settings)
        to_facts, whole, _ = fresh.month(given)
        opening = (time.perf_counter() - began) * 1000 - whole
        return _told([opening + to_facts, opening + whole])
    raise SystemExit(f"no mode {mode}")


def _is_told(settings: Settings, wanted: dict[str, Any]) -> bool:
    try:
        return Asking(settings).month((wanted["person"], wanted["month"]))[2] >= int(wanted["commits"])
    except AlmanacError:
        return False


if __name__ == "__main__":
    main()
