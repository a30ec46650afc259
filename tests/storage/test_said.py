"""What people say by hand is one log: kept in order, undone once, noticed by other processes, hung on nothing of the
index."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from bot.model import Said, SaidKind
from storage import Store

AT = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
LATER = AT + timedelta(hours=1)
KINDS: tuple[SaidKind, ...] = get_args(SaidKind)
HOME = Said(1, "address", "link", "Ada@home", "ada@example.com", "grace", AT, confirmed=True)
OLD = Said(2, "address", "link", "ada@old", "ada@example.com", "grace", AT, confirmed=True)
SLACK = Said(3, "slack", "unlink", "U1", "Ada@Example.com", "U9", AT)
HIDDEN = Said(4, "hide", "hide", "g@old", "", "g", LATER)
LIGHT = Said(5, "change", "title", f"{'a1' * 20} {'a2' * 20}", "Light – größer", "ada", LATER)


@pytest.fixture
def said(store: Store) -> Store:
    made = store.said.say("address", "link", ["Ada@home", "ada@old"], "ada@example.com", "grace", AT, confirmed=True)
    assert made == [HOME, OLD]
    for one in (SLACK, HIDDEN, LIGHT):
        assert store.said.say(one.kind, one.action, [one.about], one.value, one.by, one.at) == [one]
    return store


def test_what_is_undone_stays_in_the_log_and_counts_no_more(said: Store) -> None:
    log = said.said
    undone = Said(2, "address", "link", "ada@old", "ada@example.com", "grace", AT, "ada", LATER, confirmed=True)
    assert log.undo("address", None, "ada", LATER) == undone  # the last of its kind
    assert log.undo("address", 2, "grace", LATER) is None  # once
    assert log.undo("address", 3, "ada", LATER) is None  # of another kind
    assert log.undo("address", 99, "ada", LATER) is None
    assert (log.log("address"), log.live("address")) == ([HOME, undone], [HOME])
    assert log.undo("address", 1, "ada", LATER) is not None
    assert log.undo("address", None, "ada", LATER) is None  # nothing is left
    assert log.live("slack", "hide", "change") == [SLACK, HIDDEN, LIGHT]


def test_each_word_on_who_is_who_is_noticed_by_another_process(said: Store) -> None:
    elsewhere = Store(said.path).identities
    seen = [elsewhere.revision()]
    for change in (
        lambda: said.said.say("hide", "hide", ["a", "b"], "", "ada", AT),
        lambda: said.said.undo("hide", None, "ada", AT),
        lambda: said.said.say("slack", "link", ["U2"], "a", "ada", AT),
        lambda: said.said.undo("slack", None, "ada", AT),
        lambda: said.said.undo("slack", None, "ada", AT),
        lambda: said.said.say("address", "unlink", ["b"], "x", "ada", AT),
    ):
        change()
        assert elsewhere.revision() > seen[-1]
        seen.append(elsewhere.revision())
    said.said.say("change", "hidden", ["a1" * 20], "yes", "ada", AT)
    assert elsewhere.revision() == seen[-1]
