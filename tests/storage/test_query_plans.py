"""However long the history is, a question reads a range of an index: SQLite is asked for its plan."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from bot.model import Commit, Credited, Dates, Identity, Repository, Signature
from storage import Store
from storage.commits import Commits
from storage.people import Identities

pytestmark = pytest.mark.sqlite  # what is promised of its file

START, END = datetime(2025, 10, 1, tzinfo=UTC), datetime(2025, 11, 1, tzinfo=UTC)
ADA = Identity("Ada Lovelace", "ada@example.com")


class Explaining:
    """A transaction that writes down the plan of every statement that reads commits."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.plans: list[str] = []

    @contextmanager
    def __call__(self, *, write: bool = False) -> Iterator[sqlite3.Connection]:
        statements: list[str] = []
        with self._store.transaction(write=write) as connection:
            connection.set_trace_callback(statements.append)
            yield connection
            connection.set_trace_callback(None)
            for statement in statements:
                if "FROM commits" in statement or "JOIN commits" in statement:
                    plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall()
                    self.plans += [row["detail"] for row in plan if " commits" in row["detail"]]


def plans(store: Store, ask: Callable[[Commits, Identities], object], dates: Dates = "author") -> set[str]:
    explaining = Explaining(store)
    ask(Commits(explaining, dates), Identities(explaining, dates))
    return set(explaining.plans)


@pytest.fixture
def store(store: Store) -> Store:
    store.commits.register(Repository("acme/engine", "/srv/engine"))
    store.commits.add("acme/engine", [ONE])
    return store


ONE = Commit(
    "acme/engine",
    "a" * 40,
    (),
    Signature(ADA.name, ADA.address, int(START.timestamp()), 0),
    Signature("GitHub", "noreply@github.com", int(START.timestamp()), 0),
    'Revert "Add a cache"',
    "Reviewed-by: Grace Hopper <grace@example.com>",
)
BY_AUTHOR = "commits_by_author (author_id=? AND authored_at>? AND authored_at<?)"
BEFORE = "commits_by_author (author_id=? AND authored_at<?)"
BY_TIME = "commits_by_time (repository_id=? AND authored_at>? AND authored_at<?)"


@pytest.fixture(params=["no committer dates", "committer dates too"])
def also(request: pytest.FixtureRequest, store: Store) -> Store:
    """A database as most are, and one that also has what committer dates want."""
    return store if request.param.startswith("no") else Store(store.path, dates="committer")


BY_DATE = [
    (lambda c, _: c.between(START, END, identities=[ADA]), f"INDEX {BY_AUTHOR}"),
    (lambda c, _: c.between(START, END, identities=[ADA], repositories=["acme/engine"]), f"INDEX {BY_AUTHOR}"),
    (lambda c, _: c.between(START, END), f"INDEX {BY_TIME}"),
    (lambda _, i: i.active(START, END), f"COVERING INDEX {BY_TIME}"),
    (lambda _, i: i.earlier([ADA], START, ["acme/engine"]), f"COVERING INDEX {BEFORE}"),
    (lambda c, _: c.latest(END), "COVERING INDEX commits_by_time (repository_id=? AND authored_at<?)"),
    (lambda c, _: c.latest(END, [ADA], without=["x"]), f"COVERING INDEX {BEFORE}"),
    (lambda c, _: c.earliest(START, [ADA]), "COVERING INDEX commits_by_author (author_id=? AND authored_at>?)"),
]


@pytest.mark.parametrize(("ask", "plan"), BY_DATE)
def test_by_committer_dates_a_question_reads_one_range_of_an_index_of_theirs(
    store: Store, ask: Callable[[Commits, Identities], object], plan: str
) -> None:
    theirs = plan.replace("commits_by_author", "commits_by_author_came")
    theirs = theirs.replace("commits_by_time", "commits_by_came").replace("authored_at", "came_at")
    assert plans(Store(store.path, dates="committer"), ask, "committer") == {f"SEARCH commits USING {theirs}"}


@pytest.mark.parametrize(
    ("whose", "plan"),
    [
        (None, "commits_by_came (repository_id=? AND came_at>? AND came_at<?)"),
        ([ADA], "commits_by_author_came (author_id=? AND came_at>? AND came_at<?)"),
    ],
)
@pytest.mark.parametrize("where", [None, ["acme/engine"]])
def test_what_came_in_a_month_is_one_range_of_an_index_whosever_it_is(
    also: Store, whose: list[Identity] | None, plan: str, where: list[str] | None
) -> None:
    asked = plans(also, lambda c, _: c.between(START, END, identities=whose, repositories=where), "came")
    assert asked == {f"SEARCH commits USING INDEX {plan}"}


def test_what_a_merge_brought_is_one_range_of_an_index(also: Store) -> None:
    plan = "SEARCH commits USING INDEX commits_by_came (repository_id=? AND came_at=?)"
    assert plans(also, lambda c, _: c.brought(ONE)) == {plan}


def test_by_committer_dates_who_is_credited_is_looked_up_commit_by_commit(store: Store) -> None:
    """Only author dates are kept beside trailers; what somebody reviewed in a lifetime is thousands, not millions."""

    def credited(commits: Commits, _: object) -> object:
        return commits.crediting(START, END, ["grace@example.com"], [], lambda one: isinstance(one, Credited))

    by_number = {"SEARCH commits USING INTEGER PRIMARY KEY (rowid=?)"}
    assert plans(store, credited) == by_number  # what was found by author date is read
    assert plans(Store(store.path, dates="committer"), credited, "committer") == by_number


def test_what_is_tied_is_read_by_number(also: Store) -> None:
    assert plans(also, lambda commits, _: commits.related([ONE]).commits) == {
        "SEARCH commits USING COVERING INDEX commits_by_sha (repository_id=? AND sha=?)",  # the numbers of its own
        "SEARCH commits USING INTEGER PRIMARY KEY (rowid=?)",
    }


@pytest.mark.parametrize(
    "ask",
    [
        lambda c, _: c.repositories(),
        lambda c, _: c.count("acme/engine"),
        lambda _, i: i.authors(),
        lambda _, i: i.revision(),
    ],
)
def test_what_is_counted_as_it_comes_reads_no_commits(
    store: Store, ask: Callable[[Commits, Identities], object]
) -> None:
    assert plans(store, ask) == set()
