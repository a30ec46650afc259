"""Posts whose message stands in Slack before its words do."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from storage import Store
from storage.outbox import Post

NOW = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
CALL, WRITING = timedelta(seconds=45), timedelta(minutes=10)
FIRST = Post("k", "D1", {"text": "interrupted"}, thread_ts="1.0")
WHOLE = [Post("k", "D1", {"text": "whole"}, thread_ts="2.0"), Post("k|1", "D1", {"text": "more"}, thread_key="k")]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "almanac.db")


def test_a_post_is_begun_once_and_is_being_sent_from_then_on(store: Store) -> None:
    assert store.outbox.begin(FIRST, NOW)
    assert not store.outbox.begin(FIRST, NOW)
    assert not store.outbox.plan([FIRST], NOW) and not store.outbox.claim("k", NOW)
    assert store.outbox.parts("k") == {"k": "sending"}


def test_its_words_come_with_the_other_parts(store: Store) -> None:
    store.outbox.begin(FIRST, NOW)
    store.outbox.settle("k", "sending", NOW, ts="3.0")
    assert store.outbox.complete(WHOLE, NOW)
    root, part = store.outbox.get("k"), store.outbox.get("k|1")
    assert root is not None and part is not None
    assert (root.payload, root.thread_ts, root.state, root.ts) == ({"text": "whole"}, "2.0", "planned", "3.0")
    assert (part.payload, part.thread_key, part.state) == ({"text": "more"}, "k", "planned")


def test_words_that_come_when_it_is_settled_change_nothing(store: Store) -> None:
    store.outbox.begin(FIRST, NOW)
    store.outbox.settle("k", "sent", NOW, ts="3.0")
    assert not store.outbox.complete(WHOLE, NOW)
    root = store.outbox.get("k")
    assert root is not None and root.payload == {"text": "interrupted"}
    assert store.outbox.parts("k") == {"k": "sent"}


def test_only_what_began_and_was_left_alone_for_long_is_ended_with_the_words_it_has(store: Store) -> None:
    for key, ts in (("begun", "3.0"), ("never", None)):
        store.outbox.begin(Post(key, "D1", {"text": "interrupted"}), NOW)
        store.outbox.settle(key, "sending", NOW, ts=ts)
    assert store.outbox.give_up_on_lost(NOW + timedelta(minutes=9), CALL, WRITING) == []
    assert store.outbox.parts("begun") == {"begun": "sending"}
    assert store.outbox.give_up_on_lost(NOW + timedelta(minutes=11), CALL, WRITING) == ["never"]
    assert store.outbox.parts("begun") == {"begun": "planned"}


def test_one_whose_words_were_being_handed_in_is_ended_as_soon_as_a_call_would_have_ended(store: Store) -> None:
    store.outbox.begin(FIRST, NOW)
    store.outbox.settle("k", "sending", NOW, ts="3.0")
    store.outbox.complete(WHOLE[:1], NOW)
    assert store.outbox.claim("k", NOW)
    store.outbox.give_up_on_lost(NOW + timedelta(seconds=30), CALL, WRITING)
    assert store.outbox.parts("k") == {"k": "sending"}
    assert store.outbox.give_up_on_lost(NOW + timedelta(seconds=46), CALL, WRITING) == []
    assert store.outbox.parts("k") == {"k": "planned"}
