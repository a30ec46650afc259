"""Commits on a topic are found by their words and their paths, the newest first, whoever typed what, and never by more
work than bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.model import Commit, FileChange, Identity, Repository, Signature
from storage import Store, search

ADA, GRACE = Identity("Ada Lovelace", "ada@example.com"), Identity("Grace Hopper", "grace@example.com")


def commit(
    number: int, subject: str, body: str = "", author: Identity = ADA, at: str = "2025-10-03", paths: Sequence[str] = ()
) -> Commit:
    seconds = int(datetime.fromisoformat(f"{at}T12:00:00+00:00").timestamp()) + number
    signature = Signature(author.name, author.address, seconds, 0)
    return Commit(
        "acme/engine",
        f"{number:040x}",
        (),
        signature,
        signature,
        subject,
        body,
        tuple(FileChange(one, "added") for one in paths),
    )


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


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/caching/keys.py", ["Sweep", "Tidy again"]),
        ("SRC/caching/", ["Sweep", "Tidy again"]),
        ("keys.py", ["Sweep", "Tidy again"]),
        ("my_keys.py", ["Other"]),  # an underscore is one
        ("ys.py", []),
        ("keys", []),  # a word
        ("caching/missing.py", []),
    ],
)
def test_of_a_path_each_commit_counts_that_touches_it(store: Store, path: str, expected: list[str]) -> None:
    keys = "src/caching/keys.py"
    store.commits.add(
        "acme/engine",
        [
            commit(20, "Tidy again", at="2025-10-05", paths=[keys, "README.md"]),
            commit(21, "Sweep", at="2025-10-08", paths=[keys, *(f"{n}.md" for n in range(9))]),
            commit(22, "Other", at="2025-10-01", paths=["my_keys.py", "my-keys.pyi"]),
        ],
    )
    assert [one.subject for one in store.topics.about([], paths=[path]).commits] == expected


def test_a_common_word_is_looked_for_in_the_newest_alone(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "FEW", 2)
    monkeypatch.setattr(search, "WALKED", 6)
    store.commits.add("acme/engine", [commit(30 + n, f"Turn {n}", at=f"2025-11-{n + 1:02}") for n in range(10)])
    for limit, newest in ((3, 3), (None, 6)):
        found = store.topics.about(["turn"], **({"limit": limit} if limit else {}))
        assert [one.subject for one in found.commits] == [f"Turn {9 - n}" for n in range(newest)]
        assert found.since and f"{found.since:%Y-%m-%d}" == f"2025-11-{11 - newest:02}"
    monkeypatch.setattr(search, "WALKED", 100)
    assert store.topics.about(["turn"]).since is None
