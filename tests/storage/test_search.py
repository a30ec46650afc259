"""Commits are found by their words, whoever typed what."""

from __future__ import annotations

from datetime import datetime

import pytest
from builders import NOW
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.model import Commit, Identity, Repository, Signature
from storage import Store, sqlite

ADA, GRACE = Identity("Ada Lovelace", "ada@example.com"), Identity("Grace Hopper", "grace@example.com")


def commit(number: int, subject: str, body: str = "", author: Identity = ADA, at: str = "2025-10-03") -> Commit:
    seconds = int(datetime.fromisoformat(f"{at}T12:00:00+00:00").timestamp()) + number
    signature = Signature(author.name, author.address, seconds, 0)
    return Commit("acme/engine", f"{number:040x}", (), signature, signature, subject, body)


CACHE = commit(1, "Add a cache to the store", "It keeps 64 MiB.")
CACHING = commit(2, "Tell when caching is off", "See the café's naïve_cache_test.py", GRACE)
OLDER = commit(3, "Remove the cache", at="2025-06-03")
OTHER = commit(4, "Fix the door", "The cached key did not fit")

EVERY = [OTHER, CACHING, CACHE, OLDER]


@pytest.fixture
def store(store: Store) -> Store:
    store.commits.register(Repository("acme/engine", "/srv/engine"))
    store.commits.add("acme/engine", EVERY)
    return store


def found(store: Store, text: str) -> list[Commit]:
    return list(store.topics.about([text]).commits)


@pytest.mark.parametrize("few", [0, 500])
def test_all_words_must_occur_and_the_newest_come_first(
    store: Store, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    """Whether few commits are looked up one by one or all that match are read."""
    monkeypatch.setattr(sqlite, "_FEW", few)
    for text, expected in (
        ("cache", EVERY),
        ("CACHES store", [CACHE]),
        ("store 64", [CACHE]),
        ("cafe", [CACHING]),
        ("naive_cache_test", [CACHING]),
        ("cache nothing", []),
        ("cache " * 50_000, EVERY),  # it is asked with its first words
        *((one, EVERY) for one in ("^cache", "cache*", '"cache', "(cache", "-cache", "{cache}")),
        # What would be an operator is a word as others, and those are not said here.
        *((one, []) for one in ("", "  ", "*", '"', "'; --", "_", "{}", "\N{SNOWMAN}", "AND", "said:cache")),
    ):
        assert found(store, text) == expected, text[:20]
        assert store.topics.saying([text], EVERY) == [{one.key for one in expected}], text[:20]


def test_what_is_removed_is_not_found_and_what_comes_again_is(store: Store) -> None:
    store.commits.mark_indexed("acme/engine", "f" * 40, NOW, shallow=False, gone=[OTHER.sha, CACHE.sha])
    assert found(store, "cache") == [CACHING, OLDER]
    later = commit(5, "Paint the door")
    store.commits.add("acme/engine", [later, CACHE])
    assert found(store, "door") == [later]
    assert found(store, "cache") == [CACHING, CACHE, OLDER]
    store.check()


@given(st.text(max_size=60))
@example("a\N{COMBINING ACUTE ACCENT}b\0c\ud800")
@example("\u0e01\u0e33 \U0001e900\U0001e943 x\U00010d4a")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_is_refused(store: Store, text: str) -> None:
    assert store.topics.saying([text], found(store, text)) == [{one.key for one in found(store, text)}]


def test_what_is_joined_must_stand_there_so(store: Store) -> None:
    """`to_address` is not "to" somewhere and "address" somewhere else."""
    joined, apart = commit(8, "Remove access::to_address"), commit(9, "Send mail to an address")
    free, freed = commit(10, "Fix use after free"), commit(11, "Free after the last use")
    store.commits.add("acme/engine", [joined, apart, free, freed])
    assert [one.subject for one in store.topics.about(["to_address"]).commits] == [joined.subject]
    assert [one.subject for one in store.topics.about(["access::to_address"]).commits] == [joined.subject]
    assert [one.subject for one in store.topics.about(["use-after-free"]).commits] == [free.subject]
    assert store.topics.saying(["to_address"], [joined, apart]) == [{joined.key}]
