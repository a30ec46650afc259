"""When a digest is due: tables of values, and a property over years."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.digest.due import Due, Schedule, due
from bot.month.calendar import Month

ON_DAY_1 = Schedule("#shipped", None, day=1, hour=9, zone="Europe/Berlin")
MAY, JUNE = Month(2024, 5), Month(2024, 6)
LONG_AGO = {ON_DAY_1.key: datetime(2020, 1, 1, tzinfo=UTC)}


def utc(*when: int) -> datetime:
    return datetime(*when, tzinfo=UTC)  # type: ignore[arg-type]


def posted_before(month: Month) -> set[tuple[str, Month]]:
    return {(ON_DAY_1.key, month - back) for back in range(1, 6)}


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (utc(2024, 6, 1, 6, 59), []),
        (utc(2024, 6, 1, 7, 0), [Due(ON_DAY_1, MAY, late=False)]),
        (utc(2024, 6, 1, 9, 0), [Due(ON_DAY_1, MAY, late=True)]),
        (utc(2024, 6, 9, 0, 0), [Due(ON_DAY_1, MAY, late=True)]),
    ],
)
def test_a_digest_is_due_from_its_hour_on_until_it_is_posted(now: datetime, expected: list[Due]) -> None:
    assert due(now, [ON_DAY_1], LONG_AGO, posted_before(MAY)) == expected
    assert due(now, [ON_DAY_1], LONG_AGO, {*posted_before(MAY), (ON_DAY_1.key, MAY)}) == []


def test_missed_months_come_oldest_first_and_only_so_far_back() -> None:
    found = due(utc(2024, 12, 2), [ON_DAY_1], LONG_AGO, set())
    assert [one.month for one in found] == [Month(2024, 9), Month(2024, 10), Month(2024, 11)]


def test_a_new_schedule_does_not_post_the_past() -> None:
    seen = {ON_DAY_1.key: utc(2024, 6, 15)}
    assert due(utc(2024, 6, 15), [ON_DAY_1], seen, set()) == []
    assert due(utc(2024, 7, 1, 7), [ON_DAY_1], seen, set()) == [Due(ON_DAY_1, JUNE, late=False)]


@pytest.mark.parametrize(
    ("day", "hour", "zone", "month", "expected"),
    [
        (31, 9, "UTC", Month(2024, 1), utc(2024, 2, 29, 9)),
        (31, 9, "UTC", Month(2025, 1), utc(2025, 2, 28, 9)),
        (1, 0, "Pacific/Kiritimati", MAY, utc(2024, 5, 31, 10)),
        (1, 9, "America/Los_Angeles", MAY, utc(2024, 6, 1, 16)),
        (31, 2, "Europe/Berlin", Month(2024, 2), utc(2024, 3, 31, 1)),  # 02:00 does not exist that day
        (27, 2, "Europe/Berlin", Month(2024, 9), utc(2024, 10, 27, 0)),  # 02:00 comes twice that day
        (1, 9, "UTC", Month(2024, 12), utc(2025, 1, 1, 9)),
    ],
)
def test_the_hour_is_that_of_the_schedules_own_zone(
    day: int, hour: int, zone: str, month: Month, expected: datetime
) -> None:
    assert replace(ON_DAY_1, day=day, hour=hour, zone=zone).due_at(month) == expected


@given(
    st.integers(1, 31),
    st.integers(0, 23),
    st.sampled_from(
        ["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe"]
    ),
    st.lists(st.integers(1, 20 * 24 * 60), min_size=60, max_size=200),
)
def test_over_years_of_ticks_every_month_is_posted_once(day: int, hour: int, zone: str, minutes: list[int]) -> None:
    schedule = replace(ON_DAY_1, day=day, hour=hour, zone=zone)
    start = now = utc(2023, 1, 1)
    posted: list[tuple[str, Month]] = []
    for step in minutes:
        now += timedelta(minutes=step)
        posted += [(one.schedule.key, one.month) for one in due(now, [schedule], {schedule.key: start}, posted)]
    months = [month for _, month in posted]
    assert months == sorted(set(months))
    first = months[0] if months else None
    wanted = [Month(2022, 12) + n for n in range(200) if start <= schedule.due_at(Month(2022, 12) + n) <= now]
    assert months == wanted, first
