"""A thread is remembered for thirty days; a schedule keeps the moment it was first seen."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from storage import Store

NOW = datetime(2025, 11, 1, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize("days", [29, 30])
def test_a_thread_is_remembered_for_thirty_days(store: Store, days: int) -> None:
    about = {"person": "Grace Hopper", "from": "2025-08", "to": "2025-08", "repos": ["ä"]}
    store.conversations.remember("C1", "1.2", about, NOW)
    later = NOW + timedelta(days=days)
    assert store.conversations.recall("C1", "1.2", later) == about
    assert store.conversations.recall("C2", "1.2", later) is None
    assert store.conversations.recall("C1", "1.2", NOW + timedelta(days=30, seconds=1)) is None


def test_a_thread_remembers_what_it_was_last_about(store: Store) -> None:
    store.conversations.remember("C1", "1.2", {"person": "Grace Hopper"}, NOW)
    store.conversations.remember("C1", "1.2", {"person": "Ada Lovelace"}, NOW)
    assert store.conversations.recall("C1", "1.2", NOW) == {"person": "Ada Lovelace"}


def test_old_threads_are_removed_when_a_new_one_comes(store: Store) -> None:
    store.conversations.remember("C1", "old", {}, NOW - timedelta(days=31))
    store.conversations.remember("C1", "kept", {}, NOW - timedelta(days=29))
    store.conversations.remember("C1", "new", {}, NOW)
    with store.transaction() as connection:
        threads = [row["thread"] for row in connection.execute("SELECT thread FROM conversations ORDER BY thread")]
    assert threads == ["kept", "new"]
