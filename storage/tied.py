"""Which commits may be tied to some by what their messages leave (see `storage.traces`), directly or through others.

What is found by traces is only what may be tied: whether it is, `bot.month.links` decides from the commits themselves.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from bot.model import Commit
from bot.month.traces import Trace, key_of, traces_of
from storage.rows import select
from storage.traces import OWNS, PATCH, POINTS, patch_key
from storage.transactions import batches, marks, numbers

MOST_TIED = 20_000  # commits; no real history ties so many to a month
MANY = 200  # commits that may have brought back what has their title
NEAR = 31 * 24 * 3600  # seconds between commits of one patch, at most
SOON = 181 * 24 * 3600  # seconds between what is taken out and what brings it back under its title
_NEAREST = 24  # earlier commits of a title, of which the last ones are looked at; tags before titles differ


def tied(connection: sqlite3.Connection, commits: Sequence[Commit]) -> list[Commit]:
    """The commits and all that may be tied to them, directly or through others, at most MOST_TIED more."""
    known = {(one.repository, one.sha): one for one in commits}
    new = [one for one in known.values() if not one.is_merge]
    seen: set[int] = set()
    while new and len(known) < len(commits) + MOST_TIED:
        found = _next(connection, new) - seen
        seen |= found
        new = []
        for some in batches(sorted(found)):
            for one in select(connection, f"commits.id IN ({numbers(some)})", ()):
                if (one.repository, one.sha) not in known:
                    known[one.repository, one.sha] = one
                    new.append(one)
    return list(known.values())


def _next(connection: sqlite3.Connection, commits: Sequence[Commit]) -> set[int]:
    """The numbers of what is one tie away."""
    found: set[int] = set()
    wanted: dict[int, set[int]] = {}  # by key, the roles in which others may have it
    patches: dict[int, list[tuple[str, int]]] = {}  # by key, where and when it was written
    for commit in commits:
        traces = traces_of(commit)
        for trace in traces.own:
            roles = wanted.setdefault(key_of(trace), set())
            roles.add(POINTS)
            if trace.kind != "subject":
                roles.add(OWNS)
        for trace in traces.pointers:
            if trace.kind == "subject":
                found |= _of_title(connection, commit, trace)
            else:
                wanted.setdefault(key_of(trace), set()).add(OWNS)
        if (patch := patch_key(commit, traces)) is not None:
            patches.setdefault(patch, []).append((commit.repository, commit.author.seconds))
    for some in batches(sorted(wanted)):
        rows = connection.execute(f"SELECT key, role, commit_id FROM traces WHERE key IN ({marks(some)})", some)
        found |= {int(number) for key, role, number in rows if role in wanted[key]}
    return found | _of_patches(connection, patches)


def _of_title(connection: sqlite3.Connection, commit: Commit, trace: Trace) -> set[int]:
    """Of what has a title in the commit's repository: the last before it, and those that came back soon after it."""
    ids: set[int] = set()
    for side, order, limit in (("<=", "DESC", _NEAREST), (">=", "ASC", MANY)):
        rows = connection.execute(
            f"""SELECT commits.id FROM traces CROSS JOIN commits ON commits.id = commit_id
                WHERE key = ? AND role = {OWNS}
                  AND repository_id = (SELECT id FROM repositories WHERE name = ?)
                  AND committed_at {side} ? AND committed_at < ?
                ORDER BY committed_at {order} LIMIT {limit}""",
            (key_of(trace), commit.repository, commit.committer.seconds, commit.committer.seconds + SOON),
        )
        ids |= {int(row[0]) for row in rows}
    return ids


def _of_patches(connection: sqlite3.Connection, patches: dict[int, list[tuple[str, int]]]) -> set[int]:
    """What is of the same author and title, in another repository and near in time."""
    found: set[int] = set()
    if int(connection.execute("SELECT count(*) FROM repositories").fetchone()[0]) < 2:
        return found
    for some in batches(sorted(patches)):
        when = [seconds for key in some for _, seconds in patches[key]]
        rows = connection.execute(
            f"""SELECT key, commits.id, repositories.name, authored_at FROM traces
                CROSS JOIN commits ON commits.id = commit_id CROSS JOIN repositories ON repositories.id = repository_id
                WHERE key IN ({marks(some)}) AND role = {PATCH} AND authored_at BETWEEN ? AND ?""",
            (*some, min(when) - NEAR, max(when) + NEAR),
        )
        found |= {
            int(number)
            for key, number, name, seconds in rows
            if any(name != at and abs(seconds - then) <= NEAR for at, then in patches[int(key)])
        }
    return found
