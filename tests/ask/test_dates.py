"""By which of its dates a commit belongs to a month: the author's, or with `dates = "committer"` the committer's."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from values import ENGINE, GRACE, commit, somebody

from bot.ask.queries import Queries
from bot.model import Commit, Dates, Person, Repository
from bot.month.calendar import Days, Month
from bot.settings import Settings
from bot.story.documents import to_json
from bot.story.month import BY_COMMITTER
from storage import Store

SEPTEMBER, OCTOBER, NOVEMBER = Month(2025, 9), Month(2025, 10), Month(2025, 11)
SAM_THEN, SAM_NOW = somebody("Sam Poe", "sam@then.example"), somebody("Sam Poe", "sam@now.example")


def merged(one: Commit, at: str, offset: int = 0) -> Commit:
    """The commit as a forge's machine commits it, `at` in UTC."""
    when = int(datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp())
    return replace(
        one, committer=replace(one.committer, name="GitHub", address="noreply@github.com", seconds=when, offset=offset)
    )


LATE = merged(commit("Add a cache (#1)", at="2025-09-20 12:00"), "2025-10-02 08:00")
WITHIN = merged(commit("Fix the cache (#2)", at="2025-10-04 12:00"), "2025-10-05 12:00")
OPEN = merged(commit("Speed up the cache (#3)", at="2025-10-30 12:00"), "2025-11-03 12:00")
TOGETHER = "Co-authored-by: Ada Lovelace <ada@example.com>\nReviewed-by: Ada Lovelace <ada@example.com>"
SHARED = merged(commit("Add a light", at="2025-09-21 12:00", author=GRACE, body=TOGETHER), "2025-10-06 12:00")
COMMITS = [
    LATE,
    WITHIN,
    OPEN,
    SHARED,
    merged(commit("Add sun", at="2025-09-08 12:00", author=SAM_THEN), "2025-10-08 12:00"),
    merged(commit("Add moon", at="2025-09-09 12:00", author=SAM_NOW), "2025-09-10 12:00"),
]


def almanac_of(path: Path, dates: Dates, commits: list[Commit] = COMMITS) -> Queries:
    settings = Settings(join_people="addresses only", fixed_now=datetime(2025, 11, 5, 9, tzinfo=UTC), dates=dates)
    store = Store(path / f"{dates}.db", dates=settings.dates)
    store.commits.register(Repository(ENGINE, "/srv/engine"))
    store.commits.add(ENGINE, commits)
    store.commits.mark_indexed(ENGINE, "f" * 40, settings.now(), shallow=False)
    return Queries.of(store, settings)


@pytest.fixture
def by_author(tmp_path: Path) -> Queries:
    return almanac_of(tmp_path, "author")


@pytest.fixture
def by_committer(tmp_path: Path) -> Queries:
    return almanac_of(tmp_path, "committer")


def ada(almanac: Queries) -> Person:
    """She as the index knows her."""
    return almanac.person("Ada Lovelace", Days.of(OCTOBER))


def test_a_digest_has_what_came_whatever_is_set(by_author: Queries, by_committer: Queries) -> None:
    for almanac in (by_author, by_committer):
        told = almanac.digest(OCTOBER)
        names = sorted({name for one in told.things for name in one.people})
        assert names == ["Ada Lovelace", "Grace Hopper", "Sam Poe"]
        assert told.counts["commits"] == 4
        assert told.details == ()


def test_a_month_to_date_has_what_was_merged_in_it_so_far(by_committer: Queries) -> None:
    """At noon of the third what will be merged is not there: what lies in the future is not active."""
    (document,) = by_committer.month(ada(by_committer), Days.of(NOVEMBER))
    assert (document.to_date, document.counts["commits"]) == (True, 1)
    settings = Settings(join_people="addresses only", fixed_now=datetime(2025, 11, 3, 11, 59, 59, tzinfo=UTC))
    assert Queries.of(by_committer.store, settings).activity.last_month() == OCTOBER


def test_the_setting_reaches_the_command_line(tmp_path: Path, almanac, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    store = Store(tmp_path / "cli.db")
    store.commits.register(Repository(ENGINE, "/srv/engine"))
    store.commits.add(ENGINE, COMMITS)
    monkeypatch.setenv("ALMANAC_DB", str(tmp_path / "cli.db"))
    for dates in ("author", "committer"):
        monkeypatch.setenv("ALMANAC_DATES", dates)
        document = json.loads(almanac("month", "Ada Lovelace", "2025-11", "--format", "json").out)
        assert document["counts"]["commits"] == (dates == "committer")
        assert (BY_COMMITTER in document["details"]) == (dates == "committer")


def test_what_others_credit_follows_the_same_date(by_author: Queries, by_committer: Queries) -> None:
    """Ada is a co-author and the reviewer of what Grace wrote in September and a machine merged in October."""

    def credited(almanac: Queries, month: Month) -> tuple[list[str], list[dict[str, object]]]:
        (document,) = almanac.month(ada(almanac), Days.of(month))
        credit = to_json(document.credit)
        return credit["coauthored"], credit["reviewed"]

    told = ([SHARED.sha], [{"repository": ENGINE, "commits": 1, "people": 1}])
    assert [credited(by_author, month) for month in (SEPTEMBER, OCTOBER)] == [told, ([], [])]
    assert [credited(by_committer, month) for month in (SEPTEMBER, OCTOBER)] == [([], []), told]
