"""People are put together once, and anew when commits have come or gone."""

from __future__ import annotations

from values import ADA, ENGINE, GRACE, commit

from bot.ask.everybody import Everybody
from bot.model import Identity, Repository
from storage import Store
from storage.people import Identities


class Counted(Identities):
    """Identities that remember how often they were read."""

    read = 0

    def authors(self) -> list[Identity]:
        self.read += 1
        return super().authors()


def test_people_are_read_again_only_when_commits_have_come_or_gone(store: Store) -> None:
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


def test_what_is_handed_out_can_be_changed_without_harm(store: Store) -> None:
    store.commits.register(Repository(ENGINE, "/srv/engine"))
    store.commits.add(ENGINE, [commit("Add a cache", author=ADA)])
    everybody = Everybody(store.identities, [])
    everybody.people().clear()
    assert len(everybody.people()) == 1
