"""What people say of changes by hand is a log: kept in order, undone once, and hung on nothing of the index."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.model import Correction
from storage import Store

AT = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
LATER = AT + timedelta(hours=1)
LAMP, EXPORT, DOOR = "a1" * 20, "a2" * 20, "b1" * 20
FIX = Correction(1, LAMP, "kind", "fix", "Grace Hopper", AT, also=(EXPORT,))
LIGHT = Correction(2, LAMP, "title", "Light – größer", "ada", LATER)


def filled(store: Store) -> Store:
    said = store.corrections
    assert said.add([LAMP, EXPORT], "kind", "fix", "Grace Hopper", AT) == FIX
    assert said.add([LAMP], "title", "Light – größer", "ada", LATER) == LIGHT
    return store


def test_what_was_said_is_kept_in_order(store: Store) -> None:
    assert filled(store).corrections.log() == [FIX, LIGHT]
    assert Store(store.path).corrections.live() == [FIX, LIGHT]


def test_what_is_undone_stays_in_the_log_and_counts_no_more(store: Store) -> None:
    said = filled(store).corrections
    undone = Correction(1, LAMP, "kind", "fix", "Grace Hopper", AT, (EXPORT,), "ada", LATER)
    assert said.undo(1, "ada", LATER) == undone
    assert said.undo(1, "grace", LATER) is None  # once
    assert said.undo(99, "ada", LATER) is None
    assert (said.log(), said.live()) == ([undone, LIGHT], [LIGHT])


def test_a_number_is_not_given_twice(store: Store) -> None:
    said = filled(store).corrections
    said.undo(2, "ada", LATER)
    assert said.add([DOOR], "hidden", "yes", "ada", LATER).number == 3


def test_what_was_said_survives_an_index_that_is_made_anew(store: Store) -> None:
    """Nothing of it hangs on the rows of commits, which have other numbers then, or are not there."""
    filled(store)
    with store.transaction(write=True) as connection:
        for statement in ("DELETE FROM commits", "DELETE FROM repositories", "DELETE FROM identities"):
            connection.execute(statement)
    assert store.corrections.live() == [FIX, LIGHT]
