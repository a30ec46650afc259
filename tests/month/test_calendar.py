"""Months and their boundaries."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.month.calendar import FIRST, LAST, Month, MonthRange

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


def test_half_past_midnight_of_the_first_belongs_to_the_month_that_the_zone_says() -> None:
    """1 October 00:30 in Berlin is still September in UTC."""
    instant = datetime(2025, 10, 1, 0, 30, tzinfo=BERLIN)
    assert [Month(2025, 10), Month(2025, 9)] == [Month.of(instant, zone) for zone in (BERLIN, ZoneInfo("UTC"))]


def test_an_evening_in_may_is_june_elsewhere() -> None:
    instant = datetime.fromisoformat("2025-05-31T23:30:00-07:00")
    assert Month(2025, 6) == Month.of(instant, BERLIN)


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


@given(months.filter(lambda month: month < LAST), zones)
def test_months_tile_time(month: Month, zone: ZoneInfo) -> None:
    """One begins where the one before it ends, and lasts 27 to 32 days."""
    start, end = month.bounds(zone)
    assert end == (month + 1).bounds(zone)[0]
    assert timedelta(days=27) < end - start < timedelta(days=33)


@given(months, zones)
def test_noon_of_each_month_is_in_it(month: Month, zone: ZoneInfo) -> None:
    assert month == Month.of(datetime(month.year, month.number, 15, 12, tzinfo=zone), zone)


def test_the_ends_of_time_have_months() -> None:
    """The bounds of the first and the last month there are can be computed, and far instants count to them."""
    for zone in ZONES:
        assert FIRST.bounds(zone)[0] == datetime.min.replace(tzinfo=UTC)
        assert LAST.bounds(zone)[1].year in (9998, 9999)
        assert Month.of(datetime.max.replace(tzinfo=UTC), zone) == LAST
        assert Month.of(datetime.min.replace(tzinfo=UTC), zone) == FIRST


@given(months, st.integers(-200, 200))
def test_adding_months_and_taking_them_away_again_changes_nothing(month: Month, number: int) -> None:
    try:
        other = month + number
    except ValueError:
        return  # before the year 1 or past 9998
    assert month == other - number
    assert (number > 0) == (other > month)


@pytest.mark.parametrize(
    ("month", "number", "other"),
    [
        (Month(2025, 12), 1, Month(2026, 1)),
        (Month(2025, 1), -1, Month(2024, 12)),
        (Month(2025, 6), 18, Month(2026, 12)),
        (Month(2025, 6), -18, Month(2023, 12)),
        (Month(2025, 6), 0, Month(2025, 6)),
    ],
)
def test_arithmetic(month: Month, number: int, other: Month) -> None:
    assert other == month + number


@pytest.mark.parametrize(
    "text", ["2025-13", "2025-00", "0000-01", "9999-01", "2025-1", "25-01", "", "2025-10-01", "٢٠٢٥-١٠"]
)
def test_what_is_no_month_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="month"):
        Month.parse(text)


@given(months)
def test_a_month_is_read_as_it_is_written(month: Month) -> None:
    assert month == Month.parse(str(month))


def test_a_month_is_over_at_the_first_instant_of_the_next() -> None:
    month, end = Month(2025, 10), utc(2025, 11, 1)
    assert [month.is_over(now, ZoneInfo("UTC")) for now in (end - timedelta(microseconds=1), end)] == [False, True]


def test_a_range_has_its_ends_in_it() -> None:
    months = MonthRange(Month(2024, 11), Month(2025, 2))
    assert [str(month) for month in months] == ["2024-11", "2024-12", "2025-01", "2025-02"]
    assert months.title == "November 2024 to February 2025"
    assert (utc(2024, 11, 1), utc(2025, 3, 1)) == months.bounds(ZoneInfo("UTC"))


def test_a_range_never_ends_before_it_begins() -> None:
    with pytest.raises(ValueError, match="2025-10 is after 2025-09"):
        MonthRange(Month(2025, 10), Month(2025, 9))
