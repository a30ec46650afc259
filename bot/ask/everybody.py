"""Everybody who wrote a commit: put together from the index, and kept until commits come or go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.model import Identity, Person
from bot.month.people import Directory, Named, everyone


class Authors(Protocol):
    """What is needed of the store."""

    def authors(self) -> list[Identity]: ...
    def revision(self) -> int: ...


class Everybody:
    """The people of the index, and who of them is called what.

    To put three thousand together takes fifty milliseconds, and each question needs them several times; whether
    they are still the same is one look into the store. Safe to be shared by threads.
    """

    def __init__(self, store: Authors, named: Sequence[Named]) -> None:
        self._store = store
        self._named = named
        self._kept: tuple[int, list[Person], Directory] | None = None

    def people(self) -> list[Person]:
        """In order of name, then first address."""
        return list(self._now()[1])

    def directory(self) -> Directory:
        return self._now()[2]

    def _now(self) -> tuple[int, list[Person], Directory]:
        revision = self._store.revision()  # read first: what is newer than it is only read again
        kept = self._kept
        if kept is None or kept[0] != revision:
            people = everyone(self._store.authors(), self._named)
            kept = self._kept = (revision, people, Directory(people))
        return kept
