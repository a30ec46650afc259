"""Where the marks of a page's drawings stand, and what is said of them to who does not see them."""

from __future__ import annotations

from dataclasses import replace

from values import ADA, ENGINE, INDEXED, UTC_ZONE, WEB, commit, indexed

from bot.model import Commit
from bot.month.calendar import Month
from bot.month.facts import FactsContext, month_facts
from bot.story import drawing
from bot.story.documents import KindFigure, MonthDocument, MonthFigures, StepDocument, WeekFigure
from bot.story.evidence import evidence
from bot.story.month import month_document

OF_OCTOBER = Month(2025, 10)
REPOSITORIES = [indexed(ENGINE), indexed(WEB)]


def month_of(*commits: Commit, month: Month = OF_OCTOBER) -> MonthDocument:
    return month_document(month_facts(ADA, month, commits, FactsContext(UTC_ZONE, REPOSITORIES, INDEXED)))


OCTOBER = month_of(
    commit("Add a plan", at="2025-10-02 01:00"),  # the first of October in New York
    commit("Fix a lock", at="2025-10-02 12:00"),
    commit("Add a mill", at="2025-10-20 12:00", repository=WEB),
    commit("Fix a wall", at="2025-10-31 12:00"),
)


def step(did: str, on: str) -> StepDocument:
    return StepDocument(did, on, "", "", "a" * 40, ENGINE)


def test_a_calendar_has_each_change_on_its_day_in_the_zone_of_the_month() -> None:
    (month,) = drawing.calendar([OCTOBER])
    assert {day.number: day.level for day in month.days if day.level} == {2: 3, 20: 2, 31: 2}
    assert (len(month.days), month.days[0].x, month.days[0].y) == (31, 50, 0)  # a Wednesday
    assert month.days[5].x == 0 and month.days[5].y == 25  # Monday the sixth
    assert month.said == "October 2025: 3 days with changes, most on 2 Oct 2025 (2)"
    assert month.days[1].said == "2 Oct 2025: 2 changes"
    (month,) = drawing.calendar([replace(OCTOBER, zone="America/New_York")])
    assert [day.number for day in month.days if day.level] == [1, 2, 20, 31]


def test_a_calendar_of_several_months_has_those_between_too() -> None:
    august = month_of(commit("Add it", at="2025-08-04 12:00"), month=Month(2025, 8))
    told = drawing.calendar([OCTOBER, august])
    assert [one.title for one in told] == ["August 2025", "September 2025", "October 2025"]
    assert told[1].said == "September 2025: 0 days with changes"


def test_weeks_are_columns_with_their_days_below_them() -> None:
    assert OCTOBER.figures
    drawn = drawing.weeks(OCTOBER.figures.weeks)
    assert [(one.label, one.value) for one in drawn.columns] == [
        ("1–5", 2), ("6–12", 0), ("13–19", 0), ("20–26", 1), ("27–31", 1),
    ]  # fmt: skip
    assert drawn.columns[0].height == 2 * drawn.columns[3].height == drawing.COLUMNS_HIGH
    assert drawn.said.startswith("Changes by week: 1–5 Oct 2, 6–12 Oct 0,")


def test_weeks_of_several_months_name_them_and_only_some_have_a_label() -> None:
    starts = [f"2025-{month}-{day:02}" for month in ("08", "09") for day in (1, 8, 15, 22)]
    figures = [WeekFigure(one, one[:8] + f"{int(one[8:]) + 6:02}", 1) for one in starts]
    assert [one.label for one in drawing.weeks(figures).columns] == [
        "1–7 Aug", "", "15–21 Aug", "", "1–7 Sep", "", "15–21 Sep", "",
    ]  # fmt: skip


def test_kinds_come_most_first_and_those_that_are_not_sure_last() -> None:
    figures = MonthFigures((), (KindFigure("other", 3), KindFigure("test", 1), KindFigure("fix", 2)))
    document = replace(OCTOBER, figures=figures)
    assert [(one.name, one.value, one.share, one.is_rest) for one in drawing.kinds([document, document])] == [
        ("Fixes", 4, 67, False), ("Tests", 2, 33, False), ("Other", 6, 100, True),
    ]  # fmt: skip


def test_where_most_are_of_no_sure_kind_no_kinds_are_drawn() -> None:
    figures = MonthFigures((), (KindFigure("other", 4), KindFigure("fix", 3)))
    assert drawing.kinds([replace(OCTOBER, figures=figures)]) == ()


def test_repositories_are_rows_where_there_are_several() -> None:
    rows = drawing.repositories(OCTOBER)
    assert [(one.name, one.value) for one in rows] == [(ENGINE, 3), (WEB, 1)]
    assert rows[1].columns and [one.value for one in rows[1].columns.columns] == [0, 0, 0, 1, 0]
    assert drawing.repositories(month_of(commit("Add it", at="2025-10-02 12:00"))) == ()


def test_a_month_of_three_changes_is_not_drawn() -> None:
    assert drawing.is_drawn(OCTOBER)
    assert not drawing.is_drawn(replace(OCTOBER, counts={**OCTOBER.counts, "changes": 3}))
    assert not drawing.is_drawn(replace(OCTOBER, figures=None))


def test_the_steps_of_a_change_are_as_far_apart_as_their_days() -> None:
    steps = [step("landed", "2025-10-01"), step("partly backed out", "2025-10-11"), step("back", "2025-10-31")]
    assert [(one.x, one.is_in) for one in drawing.strip(steps)] == [(0, True), (40, False), (120, True)]
    assert drawing.strip(steps[:1]) == ()


def test_steps_of_one_day_are_seen_beside_each_other() -> None:
    xs = [one.x for one in drawing.strip([step("landed", "2025-10-01")] * 12)]
    assert xs == sorted(set(xs)) and xs[-1] <= drawing.STRIP


def test_evidence_is_every_change_once_newest_first_or_those_of_some_commits() -> None:
    rows = [(one.title, one.on, one.kind) for one in evidence([OCTOBER, OCTOBER])]
    assert rows[:2] == [("Fix a wall", "31 Oct", "Fixes"), ("Add a mill", "20 Oct", "Features")]
    assert sorted(rows[2:]) == [("Add a plan", "2 Oct", "Features"), ("Fix a lock", "2 Oct", "Fixes")]
    assert [one.title for one in evidence([OCTOBER], [OCTOBER.changes[0].commits[0].sha])] == ["Add a plan"]
