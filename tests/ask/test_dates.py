"""By which of its dates a commit belongs to a month: the author's, or with `dates = "committer"` the committer's."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from values import ADA, ENGINE, GRACE, commit, somebody

from bot.ask.queries import Queries
from bot.model import Commit, Dates, Person, Repository
from bot.month.calendar import Days, Month, MonthRange
from bot.settings import Settings
from bot.story.documents import to_json
from bot.story.month import BY_COMMITTER
from bot.story.render import Templates
from storage import Store

SEPTEMBER, OCTOBER, NOVEMBER = Month(2025, 9), Month(2025, 10), Month(2025, 11)
TEMPLATES = Templates()
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
    return almanac.person("Ada Lovelace", MonthRange(OCTOBER, OCTOBER))


def shas(almanac: Queries, first: Month, last: Month | None = None) -> dict[str, set[str]]:
    """The commits of Ada's months, by month."""
    documents = almanac.month(ada(almanac), MonthRange(first, last or first))
    return {one.month: {sha for item in one.items for sha in item.evidence} for one in documents if one.items}


def test_a_month_has_what_was_written_in_it_or_what_was_put_in_it(by_author: Queries, by_committer: Queries) -> None:
    assert shas(by_author, SEPTEMBER, NOVEMBER) == {
        "2025-10": {WITHIN.sha, OPEN.sha},
        "2025-09": {LATE.sha, SHARED.sha},
    }
    assert shas(by_committer, SEPTEMBER, NOVEMBER) == {
        "2025-11": {OPEN.sha},
        "2025-10": {LATE.sha, WITHIN.sha, SHARED.sha},
    }
    assert shas(by_committer, OCTOBER) == {"2025-10": {LATE.sha, WITHIN.sha, SHARED.sha}}


def test_what_others_credit_follows_the_same_date(by_author: Queries, by_committer: Queries) -> None:
    """Ada is a co-author and the reviewer of what Grace wrote in September and a machine merged in October."""

    def credited(almanac: Queries, month: Month) -> tuple[list[str], list[dict[str, object]]]:
        (document,) = almanac.month(ada(almanac), MonthRange(month, month))
        credit = to_json(document.credit)
        return credit["coauthored"], credit["reviewed"]

    told = ([SHARED.sha], [{"repository": ENGINE, "commits": 1, "people": 1}])
    assert [credited(by_author, month) for month in (SEPTEMBER, OCTOBER)] == [told, ([], [])]
    assert [credited(by_committer, month) for month in (SEPTEMBER, OCTOBER)] == [([], []), told]


def test_a_digest_has_what_came_whatever_is_set(by_author: Queries, by_committer: Queries) -> None:
    for almanac in (by_author, by_committer):
        told = almanac.digest(OCTOBER)
        names = sorted({name for one in told.things for name in one.people})
        assert names == ["Ada Lovelace", "Grace Hopper", "Sam Poe"]
        assert told.counts["commits"] == 4
        assert told.details == ()


def test_who_was_active_and_when_follows_the_same_date(by_author: Queries, by_committer: Queries) -> None:
    activity = by_committer.activity
    assert by_author.activity.months(ADA) == [SEPTEMBER, OCTOBER]
    assert activity.months(ADA) == [OCTOBER, NOVEMBER]
    assert (by_author.activity.last_month(), activity.last_month()) == (OCTOBER, NOVEMBER)
    assert [one.addresses[0] for one in by_author.activity.most(OCTOBER)] == ["ada@example.com"]
    assert [one.addresses[0] for one in activity.most(OCTOBER)] == [
        "ada@example.com",
        "grace@example.com",
        "sam@then.example",
    ]
    written = [queries.activity.written(Days.of(OCTOBER), ()) for queries in (by_author, by_committer)]
    assert [[count(one) for one in ADA.identities] for count in written] == [[2], [2]]
    assert not any(map(by_author.activity.written(Days.of(OCTOBER), ["acme/other"]), ADA.identities))
    both = [SAM_THEN, SAM_NOW]
    assert activity.narrowed(both, MonthRange(OCTOBER, OCTOBER)) == (SAM_THEN,)
    assert activity.narrowed(both, MonthRange(SEPTEMBER, SEPTEMBER)) == (SAM_NOW,)
    assert by_author.activity.narrowed(both, MonthRange(SEPTEMBER, SEPTEMBER)) == (SAM_THEN, SAM_NOW)
    (empty,) = by_committer.month(ada(by_committer), MonthRange(SEPTEMBER, SEPTEMBER))
    assert (empty.notes, empty.details) == (("The nearest active month is October 2025.",), (BY_COMMITTER,))


def test_a_month_to_date_has_what_was_merged_in_it_so_far(by_committer: Queries) -> None:
    """At noon of the third what will be merged is not there: what lies in the future is not active."""
    (document,) = by_committer.month(ada(by_committer), MonthRange(NOVEMBER, NOVEMBER))
    assert (document.to_date, document.counts["commits"]) == (True, 1)
    settings = Settings(join_people="addresses only", fixed_now=datetime(2025, 11, 3, 11, 59, 59, tzinfo=UTC))
    assert Queries.of(by_committer.store, settings).activity.last_month() == OCTOBER


def test_a_document_says_on_demand_where_it_is_not_the_author_date(by_author: Queries, by_committer: Queries) -> None:
    for almanac, is_said in ((by_author, False), (by_committer, True)):
        for month in (OCTOBER, Month(2024, 1)):  # with commits and without
            (document,) = almanac.month(ada(almanac), MonthRange(month, month))
            assert (BY_COMMITTER in document.details) == is_said
            assert BY_COMMITTER not in TEMPLATES.month("text", document)
        assert not almanac.digest(OCTOBER).details


def test_explain_names_the_date_that_decides(by_author: Queries, by_committer: Queries) -> None:
    def month(almanac: Queries, one: Commit) -> str:
        return next(line.text for line in almanac.explain([one.sha]).explained[0].decided if line.about == "month")

    assert month(by_author, LATE) == "September 2025, by the author date 2025-09-20 12:00 +0000 in UTC"
    assert month(by_committer, LATE) == "October 2025, by the committer date 2025-10-02 08:00 +0000 in UTC"


def test_explain_tells_the_state_at_the_end_of_the_month_it_names(tmp_path: Path) -> None:
    """Written in September, merged and taken out in October: by author date it was still in when September ended."""
    out = merged(
        commit('Revert "Add a cache (#1)"', at="2025-10-20 12:00", body=f"This reverts commit {LATE.sha}."),
        "2025-10-20 12:00",
    )

    def state(dates: Dates) -> str:
        almanac = almanac_of(tmp_path, dates, [LATE, out])
        return next(line.text for line in almanac.explain([LATE.sha]).explained[0].decided if line.about == "state")

    assert state("author").startswith("at the end of the month in, now backed out")
    assert state("committer").startswith("backed out, at the end of the month as well as now")


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
