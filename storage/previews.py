"""What people said of their part of a digest before it is posted, and how they want to be asked and named."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from storage.outbox import Outbox, Post
from storage.transactions import Transaction, written

Answer = Literal["asked", "right", "skip"]
_EVERYBODY = ""  # in place of a user: all who have a part by then were asked


@dataclass(frozen=True, slots=True)
class Preview:
    """What a Slack user said of their part of a digest, which is known by the key that its first message will have."""

    post: str
    user: str
    answer: Answer
    note: str = ""


class Previews:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def ask(self, post: str, user: str, messages: Sequence[Post], now: datetime) -> bool:
        """Write down the messages that ask a user: they are asked once. False if they were."""
        with self._transaction(write=True) as connection:
            added = connection.execute(
                "INSERT OR IGNORE INTO previews (post, user, answer, changed_at) VALUES (?, ?, 'asked', ?)",
                (post, user, written(now)),
            ).rowcount
            if added:
                Outbox(lambda *, write=False, bulk=False, durable=False: nullcontext(connection)).plan(messages, now)
        return bool(added)

    def everybody_asked(self, post: str, now: datetime) -> None:
        """Note that nobody is left to be asked."""
        with self._transaction(write=True) as connection:
            connection.execute(
                "INSERT OR IGNORE INTO previews (post, user, answer, changed_at) VALUES (?, ?, 'asked', ?)",
                (post, _EVERYBODY, written(now)),
            )

    def is_asked(self, post: str) -> bool:
        """Whether everybody was asked."""
        with self._transaction() as connection:
            sql = "SELECT 1 FROM previews WHERE post = ? AND user = ?"
            return connection.execute(sql, (post, _EVERYBODY)).fetchone() is not None

    def of(self, post: str) -> list[Preview]:
        """What everybody said who was asked, in order of their ids."""
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT * FROM previews WHERE post = ? AND user <> ? ORDER BY user", (post, _EVERYBODY)
            )
            return [Preview(row["post"], row["user"], row["answer"], row["note"]) for row in rows]

    def one(self, post: str, user: str) -> Preview | None:
        return next((one for one in self.of(post) if one.user == user), None)

    def answer(self, post: str, user: str, answer: Answer, now: datetime) -> bool:
        """False for somebody who was not asked."""
        return self._set("answer", post, user, answer, now)

    def note(self, post: str, user: str, words: str, now: datetime) -> bool:
        """What a user says of their part in their own words; none takes them back. False as for `answer`."""
        return self._set("note", post, user, words, now)

    def _set(self, column: str, post: str, user: str, value: str, now: datetime) -> bool:
        with self._transaction(write=True) as connection:
            return (
                connection.execute(
                    f"UPDATE previews SET {column} = ?, changed_at = ? WHERE post = ? AND user = ? AND user <> ''",
                    (value, written(now), post, user),
                ).rowcount
                == 1
            )

    # what somebody wants of all digests

    def unask(self, user: str, now: datetime) -> None:
        """Ask a user no more before digests."""
        self._wish("unasked", user, now)

    def ask_again(self, user: str) -> None:
        self._wish("unasked", user, None)

    def unasked(self) -> frozenset[str]:
        """The users who do not want to be asked."""
        return self._wishing("unasked")

    def mention(self, user: str, now: datetime) -> None:
        """Mention a user where a digest tells of them: they are notified of it."""
        self._wish("mentioned", user, now)

    def only_name(self, user: str) -> None:
        self._wish("mentioned", user, None)

    def mentioned(self) -> frozenset[str]:
        """The users who want to be mentioned."""
        return self._wishing("mentioned")

    def _wish(self, table: str, user: str, now: datetime | None) -> None:
        with self._transaction(write=True) as connection:
            if now is None:
                connection.execute(f"DELETE FROM {table} WHERE user = ?", (user,))
            else:
                connection.execute(f"INSERT OR IGNORE INTO {table} (user, at) VALUES (?, ?)", (user, written(now)))

    def _wishing(self, table: str) -> frozenset[str]:
        with self._transaction() as connection:
            return frozenset(row["user"] for row in connection.execute(f"SELECT user FROM {table}"))
