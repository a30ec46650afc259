"""People are put together once, and anew when commits, links or .mailmap files have come or gone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from values import ADA, ENGINE, GRACE, INDEXED, commit, somebody

from bot.ask import people_directory
from bot.ask.people_directory import KEPT_SECONDS, PeopleDirectory
from bot.model import Identity, Repository
from bot.settings import Settings
from storage import Store
from storage.people import Identities


class Counted(Identities):
    """Identities that remember how often they were read."""

    read = 0

    def authors(self, *, without: Sequence[str] = ()) -> list[Identity]:
        self.read += 1
        return super().authors(without=without)


def test_while_commits_come_people_are_read_again_only_now_and_then(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first index brings somebody new with every batch; answers do not wait for each of them."""
    at = [100.0]
    monkeypatch.setattr(people_directory.time, "monotonic", lambda: at[0])
    store.commits.register(Repository(ENGINE, "/srv/engine"))
    identities = store.identities = Counted(store.transaction)
    directory = PeopleDirectory(store, Settings())
    assert directory.now().everyone == ()
    store.commits.add(ENGINE, [commit("Add a cache", author=ADA)])
    at[0] += KEPT_SECONDS / 2
    assert (directory.now().everyone, identities.read) == ((), 1)
    at[0] += KEPT_SECONDS / 2
    assert ([person.name for person in directory.now().everyone], identities.read) == ([ADA.name], 2)


def test_a_name_that_nobody_has_is_answered_with_people_who_may_be_offered(store: Store) -> None:
    """Never with a machine, nor with who asked not to be shown."""
    store.commits.register(Repository(ENGINE, "/srv/engine"))
    lint, grade = somebody("Grace Linter", "lint@example.com"), somebody("Grade Hopper", "grade@example.com")
    store.commits.add(ENGINE, [commit("Add a light", author=one) for one in (GRACE, lint, grade)])
    store.said.say("hide", "hide", grade.addresses, "", "grade", INDEXED)
    people = PeopleDirectory(store, Settings(bots=["*Linter"])).now()
    assert people.nearest("Grace Linte") == people.nearest("Grade Hoper") == (GRACE.name,)
