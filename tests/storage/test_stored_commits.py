"""Commits come back as they were given, once each, and are found by whose and when."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime

import pytest
from builders import NOW, everything
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import RepositoryUnavailable
from bot.model import Commit, FileChange, Identity, Repository, Signature
from storage import Store
from storage.commits import TagRow

ENGINE, OTHER = Repository("acme/engine", "/srv/engine"), Repository("acme/other", "/srv/other", "https://x.org/other")
ADA = Signature("Ada Lovelace", "ada@example.com", 1_759_492_800, 120)
GRACE = Signature("Grace Hopper", "grace@example.com", 1_759_500_000, -420)


def commit(number: int, author: Signature = ADA, repository: Repository = ENGINE, **more: object) -> Commit:
    sha = f"{number:040x}"
    return Commit(repository.name, sha, (), author, author, f"Change {number}", "", **more)  # type: ignore[arg-type]


@pytest.fixture
def engine(store: Store) -> Store:
    store.commits.register(ENGINE)
    store.commits.register(OTHER)
    return store


def test_a_commit_comes_back_whole_and_is_found_by_any_number_of_its_first_digits(engine: Store) -> None:
    files = (
        FileChange("a.py", "added", 3, 0),
        FileChange("b.png", "modified", None, None, binary=True),
        FileChange("c/d.py", "renamed", 2, 1, old_path="c/b\n.py"),
        FileChange("e.py", "copied", 0, 0, old_path="a.py"),
        FileChange("f.txt", "deleted", 0, 2**32 - 2),
        FileChange("\u00e9", "retyped"),
    )
    text = "Subject \N{SNOWMAN} <!channel>", "Body\n\nover lines\x01\x1b"
    whole = Commit("acme/engine", "abc5" + "f" * 36, ("a" * 40, "b" * 40), ADA, GRACE, *text, files)
    longer = Commit("acme/engine", "ef" * 32, ("cd" * 32, "ef" * 32), ADA, ADA, "S", "")  # of a SHA-256 repository
    more = replace(whole, sha="d" * 40, files=(FileChange("f.txt", "deleted", 0, 2**40),))  # than there is room for
    assert engine.commits.add("acme/engine", [whole, longer, more]) == 3
    assert engine.commits.by_sha("efe") == [longer]
    assert all(engine.commits.by_sha(whole.sha[:length]) == [whole] for length in range(1, 41))
    assert engine.commits.by_sha("ABC5") == [whole]
    others = ("abd", "abc4", "abc6", whole.sha + "0", "zz", "'; DROP TABLE commits; --", "%", "fffff")
    assert [engine.commits.by_sha(other) for other in others] == [[]] * len(others)
    assert engine.commits.by_sha("ddd")[0].files[0][:3] == ("f.txt", "deleted", 0)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 2**63 - 1),
            st.integers(-(2**31), 2**31),
            st.text(st.characters(codec="utf-8", exclude_characters="\0")),
        ),
        max_size=5,
    )
)
def test_any_date_offset_and_text_is_kept_as_it_is(store: Store, given_: list[tuple[int, int, str]]) -> None:
    store.commits.register(ENGINE)
    commits = [
        Commit("acme/engine", f"{n:040x}", (), Signature(text, text, *when), Signature(text, text, *when), text, text)
        for n, (*when, text) in enumerate(given_)
    ]
    store.commits.add("acme/engine", commits)
    assert [found for one in commits for found in store.commits.by_sha(one.sha)] == commits
    store.commits.forget("acme/engine", [one.sha for one in commits])


def test_when_somebody_was_active_is_asked_without_reading_their_commits(engine: Store) -> None:
    def at(when: str) -> datetime:
        return datetime.fromisoformat(f"{when}T00:00:00+00:00")

    def by_ada(number: int, when: str, repository: Repository = ENGINE) -> Commit:
        return commit(number, Signature("Ada Lovelace", "ada@example.com", int(at(when).timestamp()), 0), repository)

    days = ["2025-03-31", "2025-05-01", "2025-05-31", "2025-10-02"]
    engine.commits.add("acme/engine", [by_ada(number, day) for number, day in enumerate(days)])
    engine.commits.add("acme/other", [by_ada(9, "2025-08-01", OTHER)])
    engine.commits.add("acme/engine", [commit(10, GRACE)])
    ada, nobody = Identity("Ada Lovelace", "ada@example.com"), Identity("Ada Lovelace", "other@example.com")
    commits = engine.commits
    assert commits.latest(at("2025-10-02"), [ada, nobody], without=["acme/other"]) == at("2025-05-31")
    assert commits.latest(at("2030-01-01"), without=["acme/engine"]) == at("2025-08-01")
    assert commits.latest(at("2030-01-01"), of="acme/other") == at("2025-08-01")
    assert commits.latest(at("2025-03-31")) is None
    assert commits.earliest(at("2025-05-01"), [ada]) == at("2025-05-01")
    assert commits.earliest(at("2025-06-01"), [ada], without=["acme/other"]) == at("2025-10-02")
    assert engine.identities.active(at("2025-05-01"), at("2025-10-01")) == {
        ("Ada Lovelace", "ada@example.com"): {"acme/engine": 2, "acme/other": 1}
    }
    both, who = ["acme/engine", "acme/other"], ("Ada Lovelace", "ada@example.com")
    assert engine.identities.earlier([ada, nobody], at("2025-08-02"), both) == {who: frozenset(both)}
    assert engine.identities.earlier([ada], at("2025-08-01"), both) == {who: {"acme/engine"}}
    assert engine.identities.earlier([ada], at("2025-03-31"), both) == {}


def test_a_repository_that_is_removed_leaves_nothing_and_the_others_as_they_are(engine: Store) -> None:
    commits = engine.commits
    for repository in (ENGINE, OTHER):
        commits.add(repository.name, [commit(1, repository=repository), commit(2, GRACE, repository)])
        commits.put_mailmap(repository.name, f"Ada of {repository.name} <ada@example.com>")
        commits.put_tags(repository.name, [TagRow("v1", "a" * 40, f"{1:040x}", 1_759_492_800)])
    with commits.taken("acme/engine") as taken:
        assert taken.remove("acme/engine") == 2
    assert [one.name for one in commits.repositories()] == ["acme/other"]
    assert [one.repository for one in commits.by_sha(f"{1:040x}")] == ["acme/other"]
    assert list(commits.mailmaps()) == ["acme/other"] == [one.repository for one in commits.tags()]
    assert [one.commits for one in engine.identities.authors()] == [1, 1]
    with pytest.raises(RepositoryUnavailable):
        commits.remove("acme/engine")
    commits.register(ENGINE)
    assert (commits.count("acme/engine"), list(commits.mailmaps())) == (0, ["acme/other"])


def test_the_counts_that_are_kept_are_those_of_the_commits(engine: Store) -> None:
    """After whatever was added twice, removed, or given up with a batch that failed."""
    engine.commits.add("acme/engine", [commit(n, ADA if n % 3 else GRACE) for n in range(20)])
    engine.commits.add("acme/engine", [commit(n) for n in range(15, 25)])
    engine.commits.add("acme/other", [commit(n, GRACE, OTHER) for n in range(5)])
    engine.commits.forget("acme/engine", [f"{n:040x}" for n in (0, 1, 1, 2, 99)])
    engine.commits.mark_indexed("acme/other", "f" * 40, NOW, shallow=False, gone=[f"{n:040x}" for n in range(5)])
    with pytest.raises(ValueError, match="fromhex"):
        engine.commits.add("acme/engine", [commit(50), Commit("acme/engine", "no", (), ADA, ADA, "", "")])
    counted = Counter(one.author.name for one in everything(engine))
    assert engine.identities.authors() == [
        Identity("Ada Lovelace", "ada@example.com", counted["Ada Lovelace"]),
        Identity("Grace Hopper", "grace@example.com", counted["Grace Hopper"]),
    ]
    assert engine.commits.count("acme/engine") == sum(counted.values()) == 22
    assert engine.commits.count("acme/other") == 0


def test_a_repository_that_is_not_indexed_is_told(store: Store) -> None:
    for call in (store.commits.count, store.commits.stored, store.commits.parentless):
        with pytest.raises(RepositoryUnavailable, match="is not indexed: run `almanac index`"):
            call("acme/engine")
