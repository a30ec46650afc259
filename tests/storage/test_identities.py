"""What tells that addresses are one person's is kept, logged, and noticed by whoever keeps people."""

from __future__ import annotations

import pytest
from values import ENGINE, GRACE, WEB, commit

from bot.model import Identity, Repository
from storage import Store


@pytest.fixture
def store(store: Store) -> Store:
    for name in (ENGINE, WEB):
        store.commits.register(Repository(name, f"/srv/{name}"))
    return store


def test_mailmaps_are_one_a_repository_and_hold_any_text(store: Store) -> None:
    assert not store.commits.put_mailmap("acme/unknown", "A <a@x>")
    assert store.commits.mailmaps() == {}
    assert [store.commits.put_mailmap(WEB, "A <a@x>") for _ in range(2)] == [True, False]
    for text in ("B <b@x>", "'; DROP TABLE mailmaps; -- \0 é \ufffd"):
        store.commits.put_mailmap(ENGINE, text)
    there = "'; DROP TABLE mailmaps; --  é \ufffd"  # PostgreSQL keeps no NUL
    assert store.commits.mailmaps() == {ENGINE: there, WEB: "A <a@x>"}
    assert store.commits.mailmaps(without=[WEB]) == {ENGINE: there}


def test_whatever_changes_people_changes_the_revision(store: Store) -> None:
    """For another process too: nothing of it is kept in memory."""
    elsewhere = Store(store.path).identities
    seen = [elsewhere.revision()]
    for change in (
        lambda: store.commits.add(ENGINE, [commit("Add a cache")]),
        lambda: store.commits.put_mailmap(ENGINE, "A <a@x>"),
        lambda: store.commits.put_mailmap(ENGINE, "B <b@x>"),
        lambda: store.commits.put_mailmap(WEB, ""),
    ):
        change()
        assert elsewhere.revision() > seen[-1]
        seen.append(elsewhere.revision())
    store.commits.put_mailmap(ENGINE, "B <b@x>")
    assert elsewhere.revision() == seen[-1]


def test_credited_tell_whom_trailers_name(store: Store) -> None:
    body = "Reviewed By: q10, dee\n\nTested-by: Dee <dee@example.com>"
    one = commit("A", body=body)
    store.commits.add(ENGINE, [one, commit("B", author=GRACE, body="Reviewed By: q10", at="2025-10-05 12:00")])
    named = {(one.name, one.address) for one in store.identities.credited()}
    assert named == {("Dee", "dee@example.com"), ("dee", ""), ("q10", "")}
    store.commits.forget(ENGINE, [one.sha])
    assert store.identities.credited() == [Identity("q10", "")]
