"""Who is who in Slack, as people said: a log of which the last word on an address holds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from storage import Store
from storage.links import SlackLink

AT = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
LATER = AT + timedelta(hours=1)


def said(store: Store, user: str) -> tuple[list[str], list[str]]:
    """The addresses that are a user's, and those that are not."""
    theirs, not_theirs = store.slack_links.of(user)
    return sorted(theirs), sorted(not_theirs)


def test_the_last_word_on_an_address_holds(store: Store) -> None:
    links = store.slack_links
    assert said(store, "U1") == ([], [])
    links.add("U1", "link", "Ada@Example.com", "U1", AT)
    links.add("U1", "unlink", "old@example.com", "U9", AT)
    links.add("U2", "link", "ada@example.com", "U2", AT)
    assert said(store, "U1") == (["ada@example.com"], ["old@example.com"])
    links.add("U1", "unlink", "ada@example.com", "U1", LATER)
    assert said(store, "U1") == ([], ["ada@example.com", "old@example.com"])
    assert links.undo(4, "U9", LATER) == SlackLink(4, "U1", "unlink", "ada@example.com", "U1", LATER, "U9", LATER)
    assert links.undo(4, "U9", LATER) is None
    assert links.undo(99, "U9", LATER) is None
    assert said(store, "U1") == (["ada@example.com"], ["old@example.com"])
    assert said(store, "U2") == (["ada@example.com"], [])
    assert [(one.number, one.user, one.action, one.undone_by) for one in links.log()] == [
        (1, "U1", "link", None),
        (2, "U1", "unlink", None),
        (3, "U2", "link", None),
        (4, "U1", "unlink", "U9"),
    ]
