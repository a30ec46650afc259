"""Questions about a month of very many authors, and its digest."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from benchmarks.report import Row, at_most, duration
from benchmarks.timing import ROUNDS, alternate, say
from bot.ask.answers import answered, understood
from bot.ask.queries import Queries
from bot.model import Commit, FileChange, Repository, Signature
from bot.month.calendar import Month
from bot.settings import Settings
from bot.slack.render import messages_of
from bot.story.render import Templates
from storage import Store

PEOPLE, SECONDS = 30_000, 2_600_000
BEGAN, NOW = 1_759_276_800, datetime(2025, 11, 1, 9, tzinfo=UTC)
VERBS, PARTS = ("Add", "Fix", "Remove", "Speed up", "Rename"), ("loader", "mill", "parser", "router", "codec", "view")
QUESTION, DIGEST = 2.0, 5.0  # seconds at most
ASKED = (
    "what did Last17 do in october",
    "what did Zzyqor do in october",
    "who worked on the router",
    "fixes in october",
    "biggest changes in october",
)


def crowd_rows(home: Path, rounds: int = ROUNDS) -> list[Row]:
    """Processor seconds, each of a process's first question: who is who is read for it."""
    store = Store(home)
    store.commits.register(Repository("acme/engine", "/made/up"))
    store.commits.add("acme/engine", list(_commits()))
    store.commits.mark_indexed("acme/engine", "f" * 40, NOW, shallow=False)
    say(f"a month of {PEOPLE:,} authors")

    def taken(work: Callable[[Queries], object]) -> float:
        began = time.process_time()
        work(Queries.of(store, Settings(fixed_now=NOW, db=home)))
        return time.process_time() - began

    def ask(text: str, queries: Queries) -> None:
        answered(queries, understood(queries, text))

    def digest(queries: Queries) -> None:
        messages_of(queries.digest(Month(2025, 10)), Templates(), queries.pages())

    works: dict[str, Callable[[Queries], object]] = {f"“{text}”": partial(ask, text) for text in ASKED}
    works["a digest"] = digest
    seconds = alternate({what: partial(taken, work) for what, work in works.items()}, rounds)
    rows = []
    for what, median in seconds.items():
        most = DIGEST if what == "a digest" else QUESTION
        on = f"{PEOPLE:,} authors, processor time"
        rows.append(Row(what, on, f"≤ {most:.0f} s", duration(median), "", at_most(median, most)))
    return rows


def _commits() -> Iterator[Commit]:
    for n in range(PEOPLE):
        name = f"{chr(65 + n % 26)}{'aeiou'[n % 5]}{chr(97 + n // 26 % 26)}{n} Last{n}"
        by = Signature(name, f"p{n}@example.com", BEGAN + n * SECONDS // PEOPLE, 0)
        part, beside = PARTS[n % len(PARTS)], PARTS[n // 7 % len(PARTS)]
        sha = hashlib.sha1(b"%d" % n, usedforsecurity=False).hexdigest()
        subject = f"{VERBS[n % len(VERBS)]} the {part} in case {n % 991} (#{n})"
        files = (FileChange(f"src/{part}/{beside}.py", "modified", 7, 3),)
        yield Commit("acme/engine", sha, ("e" * 40,), by, by, subject, "It was slow before.", files)
