"""Who was asked before a digest is asked once, and what they said is kept."""

from __future__ import annotations

from datetime import UTC, datetime

from storage import Store
from storage.digests import Preview
from storage.outbox import Post

AT = datetime(2025, 10, 29, 9, tzinfo=UTC)
DIGEST = "digest|T1|C1|engine|2025-10"
ASKING = [Post("preview|1", "U1", {"text": "Your part"}), Post("preview|1|1", "U1", {"text": "more"})]


def test_everybody_is_asked_once(store: Store) -> None:
    assert store.previews.ask(DIGEST, "U1", ASKING, AT)
    assert not store.previews.ask(DIGEST, "U1", [Post("another", "U1", {})], AT)
    assert [post.key for post in store.outbox.in_state("planned")] == ["preview|1", "preview|1|1"]
    assert not store.previews.is_asked(DIGEST)
    store.previews.everybody_asked(DIGEST, AT)
    assert store.previews.is_asked(DIGEST)
    assert store.previews.of(DIGEST) == [Preview(DIGEST, "U1", "asked")]


def test_what_was_said_last_counts(store: Store) -> None:
    store.previews.ask(DIGEST, "U1", ASKING, AT)
    assert store.previews.answer(DIGEST, "U1", "skip", AT)
    assert store.previews.note(DIGEST, "U1", "I was away", AT)
    assert store.previews.answer(DIGEST, "U1", "right", AT)
    assert store.previews.one(DIGEST, "U1") == Preview(DIGEST, "U1", "right", "I was away")
    store.previews.note(DIGEST, "U1", "", AT)
    assert store.previews.of(DIGEST) == [Preview(DIGEST, "U1", "right")]


def test_who_was_not_asked_says_nothing(store: Store) -> None:
    store.previews.everybody_asked(DIGEST, AT)
    assert not store.previews.answer(DIGEST, "U2", "skip", AT)
    assert not store.previews.note(DIGEST, "", "for everybody", AT)
    assert store.previews.of(DIGEST) == [] and store.previews.one(DIGEST, "U2") is None


def test_wishes_are_kept_and_taken_back(store: Store) -> None:
    for _ in range(2):
        store.preview_optouts.add("U1", AT)
        store.mention_optins.add("U2", AT)
    assert (store.preview_optouts.users(), store.mention_optins.users()) == (frozenset({"U1"}), frozenset({"U2"}))
    store.preview_optouts.remove("U1")
    store.mention_optins.remove("U2")
    assert (store.preview_optouts.users(), store.mention_optins.users()) == (frozenset(), frozenset())
