"""Commits are found by their words, whoever typed what."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from builders import NOW
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.model import Commit, Identity, Repository, Signature
from storage import Store, sqlite

START, END = datetime(2025, 10, 1, tzinfo=UTC), datetime(2025, 11, 1, tzinfo=UTC)
ADA, GRACE = Identity("Ada Lovelace", "ada@example.com"), Identity("Grace Hopper", "grace@example.com")


def commit(number: int, subject: str, body: str = "", author: Identity = ADA, at: str = "2025-10-03") -> Commit:
    seconds = int(datetime.fromisoformat(f"{at}T12:00:00+00:00").timestamp()) + number
    signature = Signature(author.name, author.address, seconds, 0)
    return Commit("acme/engine", f"{number:040x}", (), signature, signature, subject, body)


CACHE = commit(1, "Add a cache to the store", "It keeps 64 MiB.")
CACHING = commit(2, "Tell when caching is off", "See the café's naïve_cache_test.py", GRACE)
OLDER = commit(3, "Remove the cache", at="2025-06-03")
OTHER = commit(4, "Fix the door", "The cached key did not fit")


@pytest.fixture
def store(store: Store) -> Store:
    store.commits.register(Repository("acme/engine", "/srv/engine"))
    store.commits.add("acme/engine", [CACHE, CACHING, OLDER, OTHER])
    return store


@pytest.mark.parametrize("few", [0, 500])
def test_all_words_must_occur_and_the_newest_come_first(
    store: Store, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    """Whether few commits are looked up one by one or all that match are read."""
    monkeypatch.setattr(sqlite, "_FEW", few)
    find = store.commits.search
    assert find("cache") == [OTHER, CACHING, CACHE, OLDER]
    assert find("CACHES store") == [CACHE]
    assert find("store 64") == [CACHE]
    assert find("cafe") == find("naive_cache_test") == [CACHING]
    assert find("cache nothing") == []
    assert find("cache", limit=2) == [OTHER, CACHING]
    assert find("cache", [ADA]) == [OTHER, CACHE, OLDER]
    assert find("cache", [ADA], START, END) == [OTHER, CACHE]
    assert find("cache", start=START) == [OTHER, CACHING, CACHE]
    assert find("cache", end=START) == [OLDER]
    assert find("cache", repositories=["acme/engine"]) == [OTHER, CACHING, CACHE, OLDER]
    assert find("cache", repositories=["acme/unknown"]) == find("cache", []) == []


def test_what_is_removed_is_not_found_and_what_comes_again_is(store: Store) -> None:
    store.commits.mark_indexed("acme/engine", "f" * 40, NOW, shallow=False, gone=[OTHER.sha, CACHE.sha])
    assert store.commits.search("cache") == [CACHING, OLDER]
    later = commit(5, "Paint the door")
    store.commits.add("acme/engine", [later, CACHE])
    assert store.commits.search("door") == [later]
    assert store.commits.search("cache") == [CACHING, CACHE, OLDER]
    store.check()


@pytest.mark.parametrize("text", ["", "  ", "*", '"', "'; --", "_", "{}", "\N{SNOWMAN}", "AND", "said:cache"])
def test_nothing_that_is_typed_is_syntax(store: Store, text: str) -> None:
    """What would be an operator is a word as others, and those are not said here."""
    assert store.commits.search(text) == []


@pytest.mark.parametrize("text", ["^cache", "cache*", '"cache', "(cache", "-cache", "+cache", "{cache}"])
def test_signs_about_a_word_are_nothing(store: Store, text: str) -> None:
    assert store.commits.search(text) == [OTHER, CACHING, CACHE, OLDER]


@given(st.text(max_size=60))
@example("a\N{COMBINING ACUTE ACCENT}b\0c\ud800")
@example("\u0e01\u0e33 \U0001e900\U0001e943 x\U00010d4a")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_is_refused(store: Store, text: str) -> None:
    every = [OTHER, CACHING, CACHE, OLDER]
    assert all(found in every for found in store.commits.search(text))
    assert all(found in every for found in store.commits.search(text, [ADA]))


def test_a_long_text_is_asked_with_its_first_words(store: Store) -> None:
    assert store.commits.search("cache " * 50_000) == [OTHER, CACHING, CACHE, OLDER]


def test_what_is_joined_must_stand_there_so(store: Store) -> None:
    """`to_address` is not "to" somewhere and "address" somewhere else."""
    joined, apart = commit(8, "Remove access::to_address"), commit(9, "Send mail to an address")
    free, freed = commit(10, "Fix use after free"), commit(11, "Free after the last use")
    store.commits.add("acme/engine", [joined, apart, free, freed])
    assert [one.subject for one in store.topics.about(["to_address"]).commits] == [joined.subject]
    assert [one.subject for one in store.topics.about(["access::to_address"]).commits] == [joined.subject]
    assert [one.subject for one in store.topics.about(["use-after-free"]).commits] == [free.subject]
    assert store.topics.saying(["to_address"], [joined, apart]) == [{joined.key}]
