"""A month is made from what is tied to its commits, and from no more of the index than that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from drawn import TITLES, later, scattered
from hypothesis import given, settings
from hypothesis import strategies as st
from steps import steps
from values import ENGINE, WEB, commit, sha_of

from bot.model import Change, Commit, Repository
from bot.month.histories import by_commit, histories_of, month_changes
from storage import Store, search

THIRD = "acme/third"
REPOSITORIES = (ENGINE, WEB, THIRD)


def put(store: Store, commits: Sequence[Commit]) -> None:
    for name in REPOSITORIES:
        store.commits.register(Repository(name, f"/srv/{name}"))
        store.commits.add(name, [one for one in commits if one.repository == name])


def told(store: Store, month: Sequence[Commit], until: datetime | None = None) -> tuple[Change, ...]:
    return month_changes(month, by_commit(histories_of(*store.commits.related(month))), until)


# --- the promise


FEW_TITLES = {
    "titles": TITLES,
    "long ones": ("Keep the plan of a cache", "[x] Keep the plan of a cache"),
    "one title": ("Tidy it", "[x] Tidy it"),
}


@pytest.mark.property
@pytest.mark.parametrize("titles", FEW_TITLES.values(), ids=FEW_TITLES)
def test_a_month_told_from_what_is_tied_is_the_month_told_from_all(
    store: Store, on_engine: str, titles: tuple[str, ...]
) -> None:
    examples = settings.default.max_examples if on_engine == "sqlite" else settings.default.max_examples // 3

    @settings(max_examples=examples)
    @given(scattered(REPOSITORIES, titles), st.data())
    def check(commits: list[Commit], data: st.DataObject) -> None:
        put(store, [])
        for name in REPOSITORIES:
            store.commits.forget(name, sorted(store.commits.stored(name)))
        put(store, commits)
        month = data.draw(st.lists(st.sampled_from(commits), unique=True))
        until = datetime.fromisoformat(later(data.draw(st.sampled_from([3, 40, 90, 400])))).replace(tzinfo=UTC)
        assert told(store, month, until) == month_changes(month, histories_of(commits), until)

    check()


# --- what it is for

UNRELATED = commit("Add a lamp (#9)", at="2025-10-03 13:00")


# --- bad input


def storm(count: int) -> list[Commit]:
    return [commit('Revert "Tidy it"' if n % 2 else "Tidy it", at=later(n / 1000), sha=sha_of(n)) for n in range(count)]


@pytest.mark.sqlite  # what is counted is done in Python
def test_commits_of_one_title_cost_in_proportion(store: Store) -> None:
    """Ten times as many take about ten times as many steps, and they are all that is loaded."""

    def load(count: int) -> None:
        found = store.commits.related(commits[100:102]).commits
        assert {one.sha for one in found} == {one.sha for one in commits[:count]}

    commits = storm(2_000)
    put(store, [*commits[:200], UNRELATED])
    small = steps(lambda: load(200))
    put(store, commits[200:])
    assert steps(lambda: load(2_000)) < 12 * small


def test_there_is_an_end_to_what_is_loaded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_RELATED", 50)
    commits = storm(200)
    put(store, commits)
    month = commits[100:104]
    found = store.commits.related(month).commits
    assert len(found) == 54
    assert found[:4] == month
