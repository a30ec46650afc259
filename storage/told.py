"""What the readers of a posted digest know: its changes, and what had become of each; and the notes that tell more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime

from storage.outbox import Outbox, Post
from storage.transactions import Transaction, batches, marks, written

TOLD = ""  # in place of a turn: the change itself was told


class Told:
    """A digest is known by the outbox key of its first message."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def posted(self, post: str, changes: Mapping[str, Iterable[str]], now: datetime) -> None:
        """Note what a digest tells: its changes, and of each the commits that took it out or brought it back which are
        known by now. May be said again; what was noted stays."""
        rows = ((post, change, turn, written(now)) for change, turns in changes.items() for turn in (TOLD, *turns))
        with self._transaction(write=True) as connection:
            connection.executemany("INSERT OR IGNORE INTO told (post, change, turn, at) VALUES (?, ?, ?, ?)", rows)

    def known(self, post: str) -> dict[str, frozenset[str]]:
        """The changes that a digest told, and of each the turns that its readers know."""
        with self._transaction() as connection:
            found: dict[str, set[str]] = defaultdict(set)
            for row in connection.execute("SELECT change, turn FROM told WHERE post = ?", (post,)):
                found[row["change"]].add(row["turn"])
        return {change: frozenset(turns - {TOLD}) for change, turns in found.items() if TOLD in turns}

    def posts_of(self, changes: Sequence[str]) -> list[str]:
        """The digests that told one of some changes."""
        found: set[str] = set()
        with self._transaction() as connection:
            for some in batches(changes):
                rows = connection.execute(
                    f"SELECT DISTINCT post FROM told WHERE change IN ({marks(some)}) AND turn = ?", [*some, TOLD]
                )
                found.update(row["post"] for row in rows)
        return sorted(found)

    def note(self, digest: str, turns: Sequence[tuple[str, str]], note: Post, now: datetime) -> bool:
        """Write a note down to be posted, and that the readers of a digest then know these turns, each with its change:
        both or neither. False, and nothing is written, if they know one of them already."""
        with self._transaction(write=True) as connection:
            for change, turn in turns:
                known = connection.execute(
                    "SELECT 1 FROM told WHERE post = ? AND change = ? AND turn = ?", (digest, change, turn)
                ).fetchone()
                if known:
                    return False
            connection.executemany(
                "INSERT INTO told (post, change, turn, at) VALUES (?, ?, ?, ?)",
                [(digest, change, turn, written(now)) for change, turn in dict.fromkeys(turns)],
            )
            return Outbox(lambda *, write=False, bulk=False, durable=False: nullcontext(connection)).plan([note], now)
