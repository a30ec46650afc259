"""Months and their boundaries."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.model import Commit, Signature
from bot.month.calendar import FIRST, LAST, Days, Month, MonthRange, Quarter, Week, parse_period

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
ZONES = [
    ZoneInfo(name)
    for name in [
        "UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Kathmandu", "Etc/GMT+12", "Etc/GMT-14",
        "Pacific/Apia", "Pacific/Kiritimati", "America/St_Johns", "America/Havana", "Africa/Cairo", "Asia/Beirut",
        "Australia/Lord_Howe", "America/Sao_Paulo",
    ]
]  # fmt: skip
months = st.builds(Month, st.integers(1, 9998), st.integers(1, 12))
zones = st.sampled_from(ZONES)
instants = st.datetimes(max_value=datetime(9998, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001  # hypothesis wants it so


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("month", "zone", "start", "end"),
    [
        (Month(2025, 10), ZoneInfo("UTC"), utc(2025, 10, 1), utc(2025, 11, 1)),
        (Month(2025, 10), BERLIN, utc(2025, 9, 30, 22), utc(2025, 10, 31, 23)),  # summer time ends in it
        (Month(2025, 3), NEW_YORK, utc(2025, 3, 1, 5), utc(2025, 4, 1, 4)),  # and begins in this one
        (Month(2024, 2), ZoneInfo("Etc/GMT+12"), utc(2024, 2, 1, 12), utc(2024, 3, 1, 12)),
        (Month(2025, 2), ZoneInfo("Etc/GMT-14"), utc(2025, 1, 31, 10), utc(2025, 2, 28, 10)),
        (Month(2011, 12), ZoneInfo("Pacific/Apia"), utc(2011, 12, 1, 10), utc(2011, 12, 31, 10)),  # a day was left out
    ],
)
def test_bounds_are_midnights_of_the_zone_in_utc(month: Month, zone: ZoneInfo, start: datetime, end: datetime) -> None:
    assert (start, end) == month.bounds(zone)


@pytest.mark.parametrize(
    ("zone", "month", "days", "hours"),
    [
        ("Europe/Berlin", Month(2025, 3), 31, -1),
        ("Europe/Berlin", Month(2025, 10), 31, 1),
        ("America/New_York", Month(2025, 11), 30, 1),
        ("America/Sao_Paulo", Month(2018, 11), 30, -1),  # midnight of the 4th was left out
        ("Australia/Lord_Howe", Month(2025, 4), 30, 0.5),
        ("Australia/Lord_Howe", Month(2025, 10), 31, -0.5),
        ("Asia/Kolkata", Month(2025, 10), 31, 0),
    ],
)
def test_a_month_in_which_clocks_are_changed_is_so_much_longer_or_shorter(
    zone: str, month: Month, days: int, hours: float
) -> None:
    start, end = month.bounds(ZoneInfo(zone))
    assert end - start == timedelta(days=days, hours=hours)


@given(
    st.integers(0, 2**33), st.integers(0, 2**33), st.integers(-12 * 60, 14 * 60), st.integers(-12 * 60, 14 * 60), zones
)
def test_a_commits_month_is_of_the_instant_and_never_of_the_clock_it_was_written_on(
    written: int, put: int, here: int, there: int, zone: ZoneInfo
) -> None:
    def of(offset: int, other: int) -> list[Month]:
        author, committer = Signature("A", "a@x", written, offset), Signature("C", "c@x", put, other)
        commit = Commit("acme/engine", "a" * 40, (), author, committer, "", "")
        return [Month.of(commit.dated(dates).at, zone) for dates in ("author", "committer")]

    assert of(here, there) == of(0, 0) == [Month.of(datetime.fromtimestamp(at, UTC), zone) for at in (written, put)]


@given(instants, zones)
@example(utc(2009, 11, 1, 2, 31), ZoneInfo("America/St_Johns"))  # set back over midnight
@example(utc(1, 1, 1), ZoneInfo("Etc/GMT+12"))
@example(utc(1, 1, 1), ZoneInfo("Etc/GMT-14"))
@example(utc(9998, 12, 31, 23), ZoneInfo("Etc/GMT-14"))
def test_every_instant_falls_in_exactly_one_month(instant: datetime, zone: ZoneInfo) -> None:
    month = Month.of(instant, zone)
    start, end = month.bounds(zone)
    assert start <= instant
    assert instant < end or month == LAST
    neighbours = [
        other for other in (month - 1 if month > FIRST else None, month + 1 if month < LAST else None) if other
    ]
    assert not [other for other in neighbours if other.bounds(zone)[0] <= instant < other.bounds(zone)[1]]


@pytest.mark.parametrize(
    "text", ["2025-13", "2025-00", "0000-01", "9999-01", "2025-1", "25-01", "", "2025-10-01", "٢٠٢٥-١٠"]
)
def test_what_is_no_month_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="month"):
        Month.parse(text)


@pytest.mark.parametrize("text", ["2025-W54", "2025-W00", "2025-Q5", "2025-Q0", "2025-W1", "2025W10", "", "0000-W01"])
def test_what_is_no_period_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"there is no|is not a month"):
        parse_period(text)


@pytest.mark.parametrize(
    ("days", "title", "written", "months"),
    [
        (Days(date(2025, 8, 14), date(2025, 8, 15)), "14 August 2025", "2025-08-14", None),
        (Days.of(Week(2025, 46)), "10 to 16 November 2025", "2025-11-10..2025-11-16", None),
        (Days.of(Week(2025, 31)), "28 July to 3 August 2025", "2025-07-28..2025-08-03", None),
        (Days.of(Week(2026, 1)), "29 December 2025 to 4 January 2026", "2025-12-29..2026-01-04", None),
        (Days.of(Month(2025, 8)), "August 2025", "2025-08", MonthRange(Month(2025, 8), Month(2025, 8))),
        (Days.of(Quarter(2025, 4)), "October 2025 to December 2025", "2025-10..2025-12",
         MonthRange(Month(2025, 10), Month(2025, 12))),
        (Days(date(2025, 2, 1), date(2025, 2, 28)), "1 to 27 February 2025", "2025-02-01..2025-02-27", None),
        (Days.of(LAST), "December 9998", "9998-12", MonthRange(LAST, LAST)),
    ],
)  # fmt: skip
def test_days_are_called_what_they_are(days: Days, title: str, written: str, months: MonthRange | None) -> None:
    assert (days.title, str(days), days.months) == (title, written, months)


@pytest.mark.parametrize(
    "ends",
    [("2025-08-14", "2025-08-13"), ("2025-8-14", "2025-08-15"), ("", ""), ("2025", "2026")],
)
def test_what_is_no_span_of_days_is_refused(ends: tuple[str, str]) -> None:
    with pytest.raises(ValueError):
        Days.parse(*ends)
