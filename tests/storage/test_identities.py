"""What tells that addresses are one person's is kept, logged, and noticed by whoever keeps people."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from values import ADA, ENGINE, GRACE, WEB, commit

from bot.model import Mention, Repository
from storage import Store

AT = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)


@pytest.fixture
def store(store: Store) -> Store:
    for name in (ENGINE, WEB):
        store.commits.register(Repository(name, f"/srv/{name}"))
    return store


class TestMailmaps:
    def test_are_one_a_repository_by_its_name(self, store: Store) -> None:
        store.commits.put_mailmap(WEB, "A <a@x>")
        store.commits.put_mailmap(ENGINE, "B <b@x>")
        store.commits.put_mailmap(ENGINE, "C <c@x>")
        assert store.commits.mailmaps() == {ENGINE: "C <c@x>", WEB: "A <a@x>"}
        assert store.commits.mailmaps(without=[WEB]) == {ENGINE: "C <c@x>"}

    def test_that_there_is_none_is_remembered(self, store: Store) -> None:
        before = store.commits.index_state(ENGINE)
        store.commits.put_mailmap(ENGINE, "")
        after = store.commits.index_state(ENGINE)
        assert [one and one.has_mailmap for one in (before, after)] == [False, True]
        assert store.commits.mailmaps() == {}

    def test_of_an_unknown_repository_are_passed_over(self, store: Store) -> None:
        store.commits.put_mailmap("acme/unknown", "A <a@x>")
        assert store.commits.mailmaps() == {}

    def test_hold_any_text(self, store: Store) -> None:
        store.commits.put_mailmap(ENGINE, "'; DROP TABLE mailmaps; -- \0 é \ufffd")  # PostgreSQL keeps no NUL
        assert store.commits.mailmaps() == {ENGINE: "'; DROP TABLE mailmaps; --  é \ufffd"}  # PostgreSQL keeps no NUL


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


def test_mentions_tell_whom_trailers_name_and_in_whose_commits(store: Store) -> None:
    body = "Reviewed By: q10, dee\n\nTested-by: Dee <dee@example.com>"
    commits = [commit("A", body=body), commit("B", body="Reviewed By: q10", at="2025-10-04 12:00")]
    store.commits.add(ENGINE, [*commits, commit("C", author=GRACE, body="Reviewed By: q10", at="2025-10-05 12:00")])
    store.commits.add(WEB, [commit("D", repository=WEB, body="Reviewed By: Q10")])
    ada, grace = ((one.name, one.addresses[0]) for one in (ADA, GRACE))
    assert sorted(store.identities.mentions(), key=lambda one: (one.name, one.repository, one.author)) == [
        Mention("Dee", "dee@example.com", "tester", ENGINE, ada, 1),
        Mention("Q10", "", "reviewer", WEB, ada, 1),
        Mention("dee", "", "reviewer", ENGINE, ada, 1),
        Mention("q10", "", "reviewer", ENGINE, ada, 2),
        Mention("q10", "", "reviewer", ENGINE, grace, 1),
    ]
    store.commits.forget(ENGINE, [one.sha for one in commits])
    assert [one.count for one in store.identities.mentions()] == [1, 1]
