"""Whom trailers name is found by address or name, when and as what."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from values import ENGINE, WEB, changed, commit

from bot.model import Credited, Repository, Role
from storage import Store

START, END = datetime(2025, 10, 1, tzinfo=UTC), datetime(2025, 11, 1, tzinfo=UTC)


@pytest.fixture
def engine(store: Store) -> Store:
    for name in (ENGINE, WEB):
        store.commits.register(Repository(name, f"/srv/{name}"))
    return store


def found(
    store: Store,
    *addresses: str,
    names: tuple[str, ...] = (),
    theirs: Callable[[Credited], bool] = lambda _: True,
) -> list[tuple[Role, str]]:
    credited = store.commits.crediting(START, END, addresses, names, theirs)
    return [(role, one.subject) for role, one in credited]


def test_every_role_is_told_in_order_of_time(engine: Store) -> None:
    words = ("Co-authored", "Reviewed", "Tested", "Reported", "Suggested", "Helped")
    engine.commits.add(
        ENGINE,
        [
            commit(word, at=f"2025-10-0{day} 12:00", body=f"{word}-by: Grace <grace@example.com>")
            for day, word in reversed(list(enumerate(words, 1)))
        ],
    )
    assert found(engine, "grace@example.com") == [
        ("coauthor", "Co-authored"),
        ("reviewer", "Reviewed"),
        ("tester", "Tested"),
        ("reporter", "Reported"),
        ("suggester", "Suggested"),
        ("helper", "Helped"),
    ]


@pytest.mark.parametrize(
    ("address", "name"),
    [("GRACE@Example.com", "Özge Ünal"), ("grace@example.com", "özge ünal"), ("o@x.example", "ÖZGE ÜNAL")],
)
def test_addresses_and_names_are_the_same_in_capitals(engine: Store, address: str, name: str) -> None:
    body = f"Reviewed-by: gRACE hopper <{address}>\n\nReviewed By: GHopper\nTested-by: {name} <t@x.example>"
    engine.commits.add(ENGINE, [commit("Cache it", body=body)])
    assert found(engine, address.lower()) == [("reviewer", "Cache it")]
    assert found(engine, names=("Özge Ünal",)) == found(engine, names=("özge ünal",)) == [("tester", "Cache it")]
    assert found(engine, names=("Grace Hopper",)) == [("reviewer", "Cache it")]
    assert found(engine, names=("ghopper",)) == [("reviewer", "Cache it")]


def test_of_those_who_are_alike_the_asker_chooses(engine: Store) -> None:
    engine.commits.add(
        ENGINE,
        [
            commit("By one", body="Reviewed-by: Grace Hopper <grace@navy.example>"),
            commit("By another", body="Reviewed-by: Grace Hopper <grace@other.example>"),
        ],
    )
    seen: list[Credited] = []

    def theirs(one: Credited) -> bool:
        seen.append(one)
        return one.address == "grace@navy.example"

    assert found(engine, names=("grace hopper",), theirs=theirs) == [("reviewer", "By one")]
    assert {(one.name, one.address) for one in seen} == {
        ("Grace Hopper", "grace@navy.example"),
        ("Grace Hopper", "grace@other.example"),
    }


def test_what_was_written_together_comes_with_its_files(engine: Store) -> None:
    """It is shown as the co-author's own; of what somebody only reviewed, files are not read."""
    files = [changed("src/a.py", 7, 3)]
    together = commit("Together", paths=files, body="Co-authored-by: Grace <grace@example.com>")
    read = commit("Read", paths=files, at="2025-10-04 12:00", body="Reviewed-by: Grace <grace@example.com>")
    engine.commits.add(ENGINE, [together, read])
    credited = engine.commits.crediting(START, END, ["grace@example.com"], [], lambda _: True)
    assert [(role, one.files) for role, one in credited] == [("coauthor", tuple(files)), ("reviewer", ())]
    assert credited[0][1] == together


def test_whom_trailers_name_and_not_in_repositories_that_are_left_out(engine: Store) -> None:
    both = "Reviewed-by: Mia Tarn <mia@example.org>\nReviewed By: ada"
    engine.commits.add(ENGINE, [commit("Add it", body=both)])
    engine.commits.add(WEB, [commit("Hide it", repository=WEB, body="Co-authored-by: Eve <eve@example.org>")])
    named = {None: ["Mia Tarn", "ada", "Eve"], ENGINE: ["Eve"], WEB: ["Mia Tarn", "ada"]}
    for left_out, names in named.items():
        told = engine.identities.credited(without=[left_out] if left_out else [])
        assert sorted(one.name for one in told) == sorted(names)
        assert {one.commits for one in told} == {0}
