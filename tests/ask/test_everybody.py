"""People are put together once, and anew when commits, links or .mailmap files have come or gone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from values import ADA, ENGINE, GRACE, INDEXED, commit

from bot.ask import everybody as everybody_room
from bot.ask.everybody import KEPT_SECONDS, Everybody
from bot.model import Credited, Identity, Repository
from storage import Store
from storage.people import Identities


class Counted(Identities):
    """Identities that remember how often they were read."""

    read = 0

    def authors(self, *, without: Sequence[str] = ()) -> list[Identity]:
        self.read += 1
        return super().authors(without=without)


def test_people_are_read_again_only_when_commits_have_come_or_gone(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(everybody_room, "KEPT_SECONDS", 0)
    store.commits.register(Repository(ENGINE, "/srv/engine"))
    first, second = commit("Add a cache", author=ADA), commit("Add a light", author=GRACE)
    identities = Counted(store.transaction)
    everybody = Everybody(identities, [])
    assert everybody.people() == []
    store.commits.add(ENGINE, [first])
    for _ in range(3):
        assert [person.name for person in everybody.people()] == [ADA.name]
        assert everybody.directory().exactly("grace") == ()
    store.commits.add(ENGINE, [second])
    assert [person.name for person in everybody.directory().exactly("grace")] == [GRACE.name]
    store.commits.forget(ENGINE, [first.sha])
    assert [person.name for person in everybody.people()] == [GRACE.name]
    assert identities.read == 4


def test_while_commits_come_people_are_read_again_only_now_and_then(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first index brings somebody new with every batch; answers do not wait for each of them."""
    at = [100.0]
    monkeypatch.setattr(everybody_room.time, "monotonic", lambda: at[0])
    store.commits.register(Repository(ENGINE, "/srv/engine"))
    identities = Counted(store.transaction)
    everybody = Everybody(identities, [])
    assert everybody.people() == []
    store.commits.add(ENGINE, [commit("Add a cache", author=ADA)])
    at[0] += KEPT_SECONDS / 2
    assert (everybody.people(), identities.read) == ([], 1)
    at[0] += KEPT_SECONDS / 2
    assert ([person.name for person in everybody.people()], identities.read) == ([ADA.name], 2)


def test_people_are_put_together_anew_when_links_or_mailmaps_change_elsewhere(store: Store) -> None:
    """Another process links them; this one notices at the next question."""
    elsewhere = Store(store.path)
    store.commits.register(Repository(ENGINE, "/srv/engine"))
    store.commits.add(ENGINE, [commit("Add a cache", author=ADA), commit("Add a light", author=GRACE)])
    everybody = Everybody(store.identities, [])
    assert len(everybody.people()) == 2
    elsewhere.identities.add_links("link", [GRACE.addresses[0]], ADA.addresses[0], "ada", INDEXED, confirmed=True)
    assert len(everybody.people()) == 1
    assert everybody.rules().hand.together == ((ADA.addresses[0], GRACE.addresses[0]),)
    elsewhere.identities.undo_link("ada", INDEXED)
    assert len(everybody.people()) == 2
    elsewhere.commits.put_mailmap(ENGINE, f"Ada <{ADA.addresses[0]}> <{GRACE.addresses[0]}>")
    assert len(everybody.directory().exactly("grace")) == len(everybody.people()) == 1


def test_trailers_are_resolved_by_the_same_people(store: Store) -> None:
    store.commits.register(Repository(ENGINE, "/srv/engine"))
    store.commits.add(ENGINE, [commit("Add a cache", author=ADA)])
    everybody = Everybody(store.identities, [], tools=["ada"], bots=["*-bot"])
    assert everybody.resolver().person(Credited("reviewer", "Ada Lovelace")) == everybody.people()[0]
    assert everybody.resolver().person(Credited("reviewer", "Ada")) is None  # called a tool here
    assert everybody.resolver() is everybody.resolver()


def test_what_is_handed_out_can_be_changed_without_harm(store: Store) -> None:
    store.commits.register(Repository(ENGINE, "/srv/engine"))
    store.commits.add(ENGINE, [commit("Add a cache", author=ADA)])
    everybody = Everybody(store.identities, [])
    everybody.people().clear()
    assert len(everybody.people()) == 1


class Looked(Identities):
    """Identities that remember how often it was asked whether they changed."""

    looks = 0

    def revision(self) -> tuple[int, int]:
        self.looks += 1
        return super().revision()


def test_an_answer_is_of_one_moment_and_looks_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(everybody_room, "KEPT_SECONDS", 0)
    store.commits.register(Repository(ENGINE, "/srv/engine"))
    store.commits.add(ENGINE, [commit("Add a cache", author=ADA)])
    identities = Looked(store.transaction)
    everybody = Everybody(identities, [])
    with everybody.of_one_moment():
        assert [person.name for person in everybody.people()] == [ADA.name]
        store.commits.add(ENGINE, [commit("Add a light", author=GRACE)])
        with everybody.of_one_moment():
            assert [person.name for person in everybody.shown()] == [ADA.name]
        assert everybody.directory().exactly("grace") == ()
    assert identities.looks == 1
    assert [person.name for person in everybody.people()] == [ADA.name, GRACE.name]
