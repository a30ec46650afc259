"""The figures of a month: its changes by week, by kind and by repository, each change once."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, INDEXED, another_commit, commit, indexed

from bot.model import Commit
from bot.month.calendar import Month, Quarter, Week
from bot.month.facts import FactsContext, MonthFacts, counts, month_facts
from bot.story.document_json import to_json
from bot.story.figures import month_figures, weeks_of

OCTOBER = Month(2025, 10)
ZONES = st.sampled_from(["UTC", "Europe/Berlin", "America/Los_Angeles", "Pacific/Kiritimati", "America/Asuncion"])


def facts_of(commits: list[Commit], zone: str = "UTC", now: datetime = INDEXED, month: Month = OCTOBER) -> MonthFacts:
    return month_facts(ADA, month, commits, FactsContext(ZoneInfo(zone), [indexed(ENGINE)], now))


def by_week(facts: MonthFacts) -> list[int]:
    return [one["changes"] for one in to_json(month_figures(facts))["weeks"]]


def test_a_month_is_cut_into_calendar_weeks() -> None:
    assert weeks_of(OCTOBER) == [
        (date(2025, 10, 1), date(2025, 10, 5)),
        (date(2025, 10, 6), date(2025, 10, 12)),
        (date(2025, 10, 13), date(2025, 10, 19)),
        (date(2025, 10, 20), date(2025, 10, 26)),
        (date(2025, 10, 27), date(2025, 10, 31)),
    ]
    assert weeks_of(Month(2026, 2))[-1] == (date(2026, 2, 23), date(2026, 2, 28))
    assert weeks_of(Month(2025, 6))[0] == (date(2025, 6, 1), date(2025, 6, 1))


@given(st.integers(1, 9998), st.integers(1, 12))
def test_the_weeks_of_any_month_hold_each_of_its_days_once(year: int, number: int) -> None:
    weeks = weeks_of(Month(year, number))
    days = [first + timedelta(day) for first, last in weeks for day in range((last - first).days + 1)]
    assert {(day.year, day.month) for day in days} == {(year, number)}
    assert days == sorted(set(days)) and days[0].day == 1
    assert [first.weekday() for first, _ in weeks[1:]] == [0] * (len(weeks) - 1)


def test_a_week_is_one_and_a_quarter_has_its_own() -> None:
    assert weeks_of(Week(2025, 41)) == [(date(2025, 10, 6), date(2025, 10, 12))]
    quarter = weeks_of(Quarter(2025, 4))
    assert (quarter[0][0], quarter[-1][1], len(quarter)) == (date(2025, 10, 1), date(2025, 12, 31), 14)


def test_changes_are_counted_in_the_week_they_were_made() -> None:
    facts = facts_of(
        [
            commit("Add a mill", at="2025-10-05 23:59"),
            commit("Add a lexer", at="2025-10-06 00:00"),
            commit("Fix the mill", at="2025-10-31 12:00"),
        ]
    )
    assert by_week(facts) == [1, 1, 0, 0, 1]


def test_the_months_zone_draws_the_line_between_weeks() -> None:
    late = [commit("Add a mill", at="2025-10-05 22:30"), commit("Add a lexer", at="2025-10-20 12:00")]
    assert by_week(facts_of(late, "UTC")) == [1, 0, 0, 1, 0]
    assert by_week(facts_of(late, "Europe/Berlin")) == [0, 1, 0, 1, 0]


def test_a_change_of_several_commits_counts_once_where_it_began() -> None:
    bell = commit("Add a bell (#7)", at="2025-10-02 12:00", sha="a3" * 20)
    gone = commit('Revert "Add a bell (#7)" (#8)', at="2025-10-20 12:00", body=f"This reverts commit {bell.sha}.")
    facts = facts_of([bell, gone, commit("Add a lamp", at="2025-10-29 12:00")])
    assert by_week(facts)[0] == 1 and sum(by_week(facts)) == counts(facts)["changes"]


def test_a_month_that_is_not_over_ends_today() -> None:
    """A quiet week that is over is shown, a later one is not, and this one ends today."""
    now = datetime(2025, 10, 15, 9, tzinfo=UTC)
    commits = [commit("Add a mill", at="2025-10-01 12:00")]
    assert by_week(facts_of(commits, now=now)) == [1, 0, 0]
    assert to_json(month_figures(facts_of(commits, now=now)))["weeks"][-1]["to"] == "2025-10-15"
    ahead = [commit("Add a lexer", at="2025-10-18 12:00")]  # whose author's clock was ahead
    assert by_week(facts_of(ahead, now=now)) == [0, 0, 1]


@given(
    zone=ZONES,
    month=st.integers(1, 12),
    written=st.lists(st.tuples(st.integers(0, 44_000), st.sampled_from(["Add x", "Fix y", "Update", "docs: z"]))),
    committer=st.booleans(),
)
def test_the_figures_add_up_to_the_changes_of_the_month(
    zone: str, month: int, written: list[tuple[int, str]], committer: bool
) -> None:
    """By whichever date, in whichever zone, also where clocks are set back over midnight."""
    where, wanted = ZoneInfo(zone), Month(2024, month)
    start, end = wanted.bounds(where)
    instants = [start + timedelta(minutes=minutes) for minutes, _ in written]
    commits = [
        another_commit(subject, at=f"{at:%Y-%m-%d %H:%M}")
        for at, (_, subject) in zip(instants, written, strict=True)
        if at < end
    ]
    dates = "committer" if committer else "author"
    facts = month_facts(ADA, wanted, commits, FactsContext(where, [indexed(ENGINE)], INDEXED, dates=dates))  # type: ignore[arg-type]
    figures, changes = to_json(month_figures(facts)), counts(facts)["changes"]
    assert sum(one["changes"] for one in figures["weeks"]) == changes
    assert sum(one["changes"] for one in figures["kinds"]) == changes
    for one in figures["weeks"]:
        assert wanted == Month.parse(one["from"][:7]) == Month.parse(one["to"][:7])


def test_only_sure_kinds_are_counted_as_kinds() -> None:
    facts = facts_of(
        [
            commit("feat: add a mill"),
            commit("feat: add a lexer"),
            commit("fix: the mill"),
            commit("Something about the store", paths=["src/store.py"]),
            commit("chore: tidy"),
        ]
    )
    unsure = [change.is_sure for change in facts.changes].count(False)
    assert unsure
    assert to_json(month_figures(facts))["kinds"] == [
        {"kind": "feature", "changes": 2},
        {"kind": "fix", "changes": 1},
        {"kind": "other", "changes": 2},
    ]
