"""Which commits may be tied to some by what their messages leave (see `storage.traces`), directly or through others.

What is found by traces is only what may be tied: whether it is, `bot.month.links` decides from the commits themselves.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.model import Commit
from bot.month.traces import NEAR, Traces, key_of, patches, traces_of
from storage.rows import select, select_numbered
from storage.traces import OWNS, PATCH, POINTS, patch_key
from storage.transactions import batches, marks, numbers

MOST_TIED = 20_000  # commits; no real history ties so many to a month
MANY = 200  # commits that may have brought back what has their title
SOON = 181 * 24 * 3600  # seconds between what is taken out and what brings it back under its title
_NEAREST = 24  # earlier commits of a title, of which the last ones are looked at; tags before titles differ
_LAST = 2**63 - 1  # second


def tied(connection: sqlite3.Connection, commits: Sequence[Commit]) -> list[Commit]:
    """The commits and all that may be tied to them, directly or through others, at most MOST_TIED more."""
    known = {(one.repository, one.sha): one for one in commits}
    most = len(known) + MOST_TIED
    new = [one for one in known.values() if not one.is_merge]
    seen: set[int] = set()
    while new and len(known) < most:
        found = _next(connection, new) - seen
        seen |= found
        new = []
        for some in batches(sorted(found)):
            for one in select(connection, f"commits.id IN ({numbers(some)})", ()):
                if (one.repository, one.sha) not in known and len(known) < most:
                    known[one.repository, one.sha] = one
                    new.append(one)
            if len(known) >= most:
                break
    return list(known.values())


@dataclass(slots=True)
class _Patches:
    """What commits of one author and title have that makes others one patch with them: see `bot.month.traces`."""

    alike: set[str] = field(default_factory=set)
    repositories: set[str] = field(default_factory=set)
    windows: set[int] = field(default_factory=set)  # of time: others may share one of these

    def add(self, commit: Commit, traces: Traces) -> None:
        window = commit.author.seconds // NEAR
        self.alike.update(patches(commit, traces))
        self.repositories.add(commit.repository)
        self.windows.update((window - 1, window, window + 1))


def _next(connection: sqlite3.Connection, commits: Sequence[Commit]) -> set[int]:
    """The numbers of what is one tie away."""
    found: set[int] = set()
    wanted: dict[int, set[int]] = {}  # by key, the roles in which others may have it
    titles: dict[int, list[Commit]] = {}  # by key, those that point to it
    alike: dict[int, _Patches] = {}
    for commit in commits:
        traces = traces_of(commit)
        for trace in traces.own:
            roles = wanted.setdefault(key_of(trace), set())
            roles.add(POINTS)
            if trace.kind != "subject":
                roles.add(OWNS)
        for trace in traces.pointers:
            if trace.kind == "subject":
                titles.setdefault(key_of(trace), []).append(commit)
            else:
                wanted.setdefault(key_of(trace), set()).add(OWNS)
        if (patch := patch_key(commit, traces)) is not None:
            alike.setdefault(patch, _Patches()).add(commit, traces)
    for some in batches(sorted(wanted)):
        rows = connection.execute(f"SELECT key, role, commit_id FROM traces WHERE key IN ({marks(some)})", some)
        found |= {int(number) for key, role, number in rows if role in wanted[key]}
    for key, pointing in titles.items():
        found |= _of_title(connection, key, pointing)
    return found | _of_patches(connection, alike)


def _of_title(connection: sqlite3.Connection, key: int, pointing: Sequence[Commit]) -> set[int]:
    """Of what has a title: the last before each of some commits, their parents, and what came soon after them."""
    rows = connection.execute(
        f"""SELECT committed_at, authored_at, sha, commits.id FROM traces CROSS JOIN commits ON commits.id = commit_id
            WHERE key = ? AND role = {OWNS} ORDER BY committed_at, authored_at, sha""",
        (key,),
    ).fetchall()
    times = [(int(row[0]), int(row[1])) for row in rows]
    places = {row[2]: place for place, row in enumerate(rows)}
    found: set[int] = set()
    for commit in pointing:
        at = commit.committer.seconds
        end = bisect_left(times, (at, commit.author.seconds))
        # Which of several within one second is the last, their parents tell.
        start = bisect_left(times, times[max(0, end - _NEAREST)]) if end else 0
        found.update(range(max(start, end - MANY), end))
        first = bisect_left(times, (at, 0))
        found.update(range(first, min(first + MANY, bisect_left(times, (at + SOON, 0)))))
        found.update(places[sha] for one in commit.parents if (sha := bytes.fromhex(one)) in places)
    return {int(rows[place][3]) for place in found}


def _of_patches(connection: sqlite3.Connection, alike: Mapping[int, _Patches]) -> set[int]:
    """What is one patch with others by its author, title and files, where more than one repository holds such."""
    found: set[int] = set()
    if int(connection.execute("SELECT count(*) FROM repositories").fetchone()[0]) < 2:
        return found
    for some in batches(sorted(alike)):
        windows = [window for key in some for window in alike[key].windows]
        rows = connection.execute(
            f"""SELECT key, commits.id, repositories.name, authored_at FROM traces
                CROSS JOIN commits ON commits.id = commit_id CROSS JOIN repositories ON repositories.id = repository_id
                WHERE key IN ({marks(some)}) AND role = {PATCH} AND authored_at BETWEEN ? AND ?""",
            (*some, min(windows) * NEAR, min((max(windows) + 1) * NEAR, _LAST)),
        )
        near: dict[int, list[int]] = {}
        elsewhere: set[int] = set()
        for key, number, name, seconds in rows:
            if seconds // NEAR in alike[key].windows:
                near.setdefault(key, []).append(int(number))
                if alike[key].repositories != {name}:
                    elsewhere.add(key)
        every = set().union(*(alike[key].alike for key in elsewhere))
        for ids in batches([number for key in sorted(elsewhere) for number in near[key]]):
            for number, one in select_numbered(connection, f"commits.id IN ({numbers(ids)})", ()):
                if not every.isdisjoint(patches(one, traces_of(one))):
                    found.add(number)
    return found
