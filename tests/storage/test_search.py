"""Commits are found by their words, whoever typed what."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.model import Commit, Identity, Repository, Signature
from storage import Store, search

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


@given(st.text(max_size=60))
@example("a\N{COMBINING ACUTE ACCENT}b\0c\ud800")
@example("\u0e01\u0e33 \U0001e900\U0001e943 x\U00010d4a")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_is_refused(store: Store, text: str) -> None:
    assert store.topics.saying([text], found(store, text)) == [{one.key for one in found(store, text)}]


def test_what_holds_the_rarest_words_is_nearest(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    near, rarity = store.topics.nearest(["caches", "doors", "zebra"])
    assert {one.sha for one in near} == {one.sha for one in EVERY}
    assert rarity == {"caches": 0, "doors": pytest.approx(0.2, abs=0.01)}  # held by all; by one of four
    assert store.topics.nearest(["doors"], without=["acme/engine"]) == ([], {})
    monkeypatch.setattr(search, "NEAR", 1)
    assert [one.sha for one in store.topics.nearest(["caches", "doors"])[0]] == [OTHER.sha]
    june, july = datetime(2025, 6, 1, tzinfo=UTC), datetime(2025, 7, 1, tzinfo=UTC)
    assert [one.sha for one in store.topics.nearest(["caches"], june, july)[0]] == [OLDER.sha]
    assert [one.sha for one in store.topics.nearest(["caches"], identities=[GRACE])[0]] == [CACHING.sha]
    assert store.topics.nearest(["caches"], repositories=["acme/web"])[0] == []


def test_a_word_is_common_by_what_is_not_left_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    guarded = Repository("acme/guarded", "/srv/guarded")
    store.commits.register(guarded)
    store.commits.add(guarded.name, [replace(commit(9, "Fix the door"), repository=guarded.name)])
    monkeypatch.setattr(search, "FEW", 2)
    near, rarity = store.topics.nearest(["doors"], without=[guarded.name])
    assert ([one.sha for one in near], rarity) == ([OTHER.sha], {"doors": pytest.approx(0.2, abs=0.01)})


def test_what_is_joined_must_stand_there_so(store: Store) -> None:
    """`to_address` is not "to" somewhere and "address" somewhere else."""
    joined, apart = commit(8, "Remove access::to_address"), commit(9, "Send mail to an address")
    free, freed = commit(10, "Fix use after free"), commit(11, "Free after the last use")
    store.commits.add("acme/engine", [joined, apart, free, freed])
    assert [one.subject for one in store.topics.about(["to_address"]).commits] == [joined.subject]
    assert [one.subject for one in store.topics.about(["access::to_address"]).commits] == [joined.subject]
    assert [one.subject for one in store.topics.about(["use-after-free"]).commits] == [free.subject]
    assert store.topics.saying(["to_address"], [joined, apart]) == [{joined.key}]
