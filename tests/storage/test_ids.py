"""Commits are found by what they leave, and it goes with them: a number is given once."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from values import ENGINE, commit

from bot.model import Repository
from storage import Store

AT = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
GRACE = "grace@example.com"
FIRST = commit("Cache the mill (#12)", body=f"Reviewed-by: Grace <{GRACE}>")
SECOND = commit("Oil the store", at="2025-10-04 12:00")


@pytest.fixture
def engine(store: Store) -> Store:
    store.commits.register(Repository(ENGINE, f"/srv/{ENGINE}"))
    return store


def found(store: Store) -> list[str]:
    """What is found by whom a commit credits, what it refers to, and its words."""
    start, end = datetime(2025, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
    commits = [one for _, one in store.commits.crediting(start, end, [GRACE], [], lambda _: True)]
    commits += store.commits.by_pull(ENGINE, 12)
    commits += [one for word in ("mill", "store") for one in store.topics.about([word]).commits]
    return [one.subject for one in commits]


def numbers(store: Store) -> list[int]:
    with store.transaction() as connection:
        return [row[0] for row in connection.execute("SELECT id FROM commits ORDER BY id")]


def left_behind(store: Store) -> None:
    """What an Almanac that read messages in another way took in of the first commit."""
    with store.transaction(write=True) as connection:
        for statement in (
            "INSERT INTO credited (id, name, address) VALUES (77, 'Grace', 'grace@example.com')",
            "INSERT INTO credits SELECT 77, authored_at + 86400, id, 4 FROM commits",
            "INSERT INTO commit_references SELECT key + 0, 0, commit_id FROM commit_references WHERE role = 1",
        ):
            connection.execute(statement)


def test_nothing_of_a_removed_commit_is_found_nor_falls_on_the_next(engine: Store) -> None:
    first = commit("Cache the mill (#12)")
    engine.commits.add(ENGINE, [first])
    (number,) = numbers(engine)
    left_behind(engine)
    engine.commits.mark_indexed(ENGINE, first.sha, AT, shallow=False, gone=[first.sha])
    assert found(engine) == []
    engine.commits.add(ENGINE, [SECOND])
    assert found(engine) == ["Oil the store"]
    assert min(numbers(engine)) > number
    engine.commits.add(ENGINE, [FIRST])
    assert found(engine) == ["Cache the mill (#12)"] * 3 + ["Oil the store"]
    with engine.transaction() as connection:
        rows = connection.execute(
            """SELECT commit_id FROM commit_references WHERE commit_id NOT IN (SELECT id FROM commits)
               UNION ALL SELECT commit_id FROM credits WHERE commit_id NOT IN (SELECT id FROM commits)"""
        )
        assert rows.fetchall() == []


MESSAGES = (  # of a pull request, in the words of forges
    ("Round tides (#12)", ""),
    ("Merged PR 12: Round tides", ""),
    ("Merged in tides (pull request #12)", "Round tides"),
    ("Round tides", "See merge request acme/engine!12"),
    ("Round tides", "Change-Id: I0123456789\nReviewed-on: https://review.example.org/c/engine/+/12"),
    ("Round tides", "Reviewed-on: https://review.example.org/#/c/12/"),
    ("Round tides", f"PR-URL: https://github.com/{ENGINE}/pull/12"),
)


def test_a_commit_is_found_by_the_number_of_its_pull_request(engine: Store) -> None:
    commits = {one.sha: one for one in (commit(subject, body=body) for subject, body in MESSAGES)}
    engine.commits.add(ENGINE, [*commits.values()])
    for name in (None, "engine"):
        assert {one.sha: one for one in engine.commits.by_pull(name, 12)} == commits
    assert engine.commits.by_pull(None, 13) == []
