"""When a digest is due: tables of values, and a property over ten years."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.digest.subscriptions import DigestPost, DigestSubscription, Subscriptions, checked, due
from bot.month.calendar import Cadence, Month, Period, parse_period
from storage import Store

MAY, JUNE = Month(2024, 5), Month(2024, 6)
ON_DAY_1 = DigestSubscription(channel="#shipped", day=1, hour=9, zone="Europe/Berlin", first=Month(2020, 1))
ZONES = ["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe",
         "Pacific/Kiritimati", "America/Sao_Paulo"]  # fmt: skip


def utc(*when: int) -> datetime:
    return datetime(*when, tzinfo=UTC)  # type: ignore[arg-type]


def key(period: Period, one: DigestSubscription = ON_DAY_1) -> str:
    return DigestPost.of("T1", one, period).key


def posted_before(period: Period, one: DigestSubscription = ON_DAY_1) -> set[str]:
    return {key(period - back, one) for back in range(1, 20)}


def owed(now: datetime, one: DigestSubscription, posted: Collection[str] = ()) -> list[Period]:
    return [digest.period for digest in due(now, [one], "T1", posted)]


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (utc(2024, 6, 1, 6, 59), []),
        (utc(2024, 6, 1, 7, 0), [(MAY, False)]),
        (utc(2024, 6, 1, 9, 0), [(MAY, True)]),
        (utc(2024, 6, 9, 0, 0), [(MAY, True)]),
    ],
)
def test_a_digest_is_due_from_its_hour_on_until_it_is_posted(
    now: datetime, expected: list[tuple[Period, bool]]
) -> None:
    found = due(now, [ON_DAY_1], "T1", posted_before(MAY))
    assert [(one.period, one.is_late(now)) for one in found] == expected
    assert due(now, [ON_DAY_1], "T1", {*posted_before(MAY), key(MAY)}) == []


def test_what_several_subscriptions_owe_comes_in_the_order_in_which_it_was_due() -> None:
    other = replace(ON_DAY_1, channel="#leads", day=20)
    found = due(utc(2024, 6, 25), [ON_DAY_1, other], "T1", {*posted_before(Month(2024, 4)), *posted_before(MAY, other)})
    assert [(one.subscription.channel, one.period) for one in found] == [
        ("#shipped", Month(2024, 4)), ("#shipped", MAY), ("#leads", MAY),
    ]  # fmt: skip


def test_after_a_pause_of_two_months_the_next_one_is_posted_and_none_of_the_missed() -> None:
    resumed = ON_DAY_1.begun(utc(2024, 8, 15))
    assert due(utc(2024, 8, 15), [resumed], "T1", posted_before(MAY)) == []
    assert owed(utc(2024, 9, 1, 7), resumed, posted_before(MAY)) == [Month(2024, 8)]


@pytest.mark.parametrize(
    ("cadence", "day", "hour", "zone", "period", "expected"),
    [
        ("monthly", 31, 9, "UTC", "2024-01", utc(2024, 2, 29, 9)),
        ("monthly", 31, 9, "UTC", "2025-01", utc(2025, 2, 28, 9)),
        ("monthly", 1, 0, "Pacific/Kiritimati", "2024-05", utc(2024, 5, 31, 10)),
        ("monthly", 1, 9, "America/Los_Angeles", "2024-05", utc(2024, 6, 1, 16)),
        ("monthly", 31, 2, "Europe/Berlin", "2024-02", utc(2024, 3, 31, 1)),  # 02:00 does not exist that day
        ("monthly", 27, 2, "Europe/Berlin", "2024-09", utc(2024, 10, 27, 0)),  # 02:00 comes twice that day
        ("monthly", 1, 9, "UTC", "2024-12", utc(2025, 1, 1, 9)),
        ("weekly", 1, 9, "Europe/Berlin", "2024-W22", utc(2024, 6, 3, 7)),
        ("weekly", 7, 9, "UTC", "2024-W52", utc(2025, 1, 5, 9)),
        ("weekly", 1, 0, "UTC", "2026-W53", utc(2027, 1, 4, 0)),
        ("quarterly", 1, 9, "UTC", "2024-Q4", utc(2025, 1, 1, 9)),
        ("quarterly", 31, 9, "UTC", "2024-Q1", utc(2024, 4, 30, 9)),
    ],
)
def test_the_hour_is_that_of_the_subscriptions_own_zone(
    cadence: Cadence, day: int, hour: int, zone: str, period: str, expected: datetime
) -> None:
    schedule = DigestSubscription(channel="#shipped", cadence=cadence, day=day, hour=hour, zone=zone)
    assert schedule.due_at(parse_period(period)) == expected


HAPPENS = st.one_of(
    st.tuples(st.just("wait"), st.integers(1, 20 * 24 * 60)),
    st.tuples(st.just("stop"), st.integers(1, 80 * 24 * 60)),
    st.tuples(st.just("back"), st.integers(1, 3 * 24 * 60)),  # a clock that is set back
    st.tuples(st.just("zone"), st.sampled_from(ZONES)),
    st.tuples(st.just("day"), st.integers(1, 7)),
    st.tuples(st.just("hour"), st.integers(0, 23)),
)


@settings(max_examples=settings.default.max_examples // 5)  # ten years each
@given(
    st.sampled_from(["weekly", "monthly", "quarterly"]),
    st.integers(1, 7),
    st.integers(0, 23),
    st.sampled_from(ZONES),
    st.lists(HAPPENS, min_size=50, max_size=200),
)
@example("monthly", 7, 0, "Pacific/Kiritimati", [("wait", 20 * 24 * 60)] * 180)
def test_over_ten_years_of_ticks_stops_zones_and_edits_each_period_is_posted_once(
    cadence: Cadence, day: int, hour: int, zone: str, happens: list[tuple[str, int | str]]
) -> None:
    now, end = utc(2023, 1, 1), utc(2033, 1, 1)
    schedule = DigestSubscription(
        channel="#shipped", cadence=cadence, day=day, hour=hour, zone=zone, months_back=4
    ).begun(now)
    posted: list[DigestPost] = []
    at = 0
    while now < end:
        what, value = happens[at % len(happens)]
        at += 1
        if what in ("wait", "stop", "back"):
            now += timedelta(minutes=int(value)) if what != "back" else -timedelta(minutes=int(value))
        else:
            schedule = replace(schedule, **{what: value})  # type: ignore[arg-type]
        now += timedelta(hours=29)
        found = due(now, [schedule], "T1", [one.key for one in posted])
        assert all(schedule.due_at(one.period) <= now for one in found)
        assert all(one.period.is_over(now, ZoneInfo(schedule.zone)) for one in found)
        posted += found
        now = max(now, utc(2023, 1, 1))
        if at > 3000:
            break
    periods = [one.period for one in posted]
    assert len(periods) == len(set(periods))
    # None is left out between the first and the last, for no stop was longer than what is made up for.
    assert sorted(map(str, periods)) == [str(one) for one in _every(schedule.first, len(periods))]
    assert periods


def _every(first: Period | None, number: int) -> list[Period]:
    assert first is not None
    return [first + step for step in range(number)]


# Digests of almanac.toml and of Slack in one table, and which of them wins.


NOW = datetime(2025, 10, 15, 12, tzinfo=UTC)

LATER = datetime(2026, 1, 20, 12, tzinfo=UTC)


def digests(store: Store, *tables: dict[str, Any]) -> Subscriptions:
    return Subscriptions(store.digests, [checked(table) for table in tables], "Europe/Berlin")


def told(wanted: Subscriptions, now: datetime = NOW) -> list[DigestSubscription]:
    """What is wanted, without when that was written down."""
    return [replace(one, since=None, changed_at=None) for one in wanted.all(now)]


def test_what_almanac_toml_no_longer_names_is_not_wanted_and_begins_anew_when_it_is_back(store: Store) -> None:
    told(digests(store, {"channel": "#shipped"}))
    assert told(digests(store), LATER) == []
    assert told(digests(store, {"channel": "#shipped"}), LATER)[0].first == Month(2026, 1)


@pytest.mark.parametrize("restarts", [False, True])
def test_a_bot_with_another_almanac_toml_takes_nothing_away(store: Store, restarts: bool) -> None:
    """What is due, and that it is paused, is in the store, however the two take turns."""
    table = {"channel": "#shipped"}
    ours, others = digests(store, table), digests(store, {"channel": "#leads"})
    ours.all(NOW)
    due = NOW
    for day in range(1, 25):
        due = NOW + timedelta(days=day)
        assert [each.channel for each in others.all(due)] == ["#leads"]
        if not restarts:
            assert [each.first for each in ours.all(due)] == [Month(2025, 10)]
        others.all(due)
    (again,) = (digests(store, table) if restarts else ours).all(due)
    assert again.first == Month(2025, 10), "October was due meanwhile, and still is"
    ours.pause(again, "paused by hand", due)
    others.all(due)
    assert not ours.pause(again, "paused by hand", due)
    assert [each.is_paused for each in digests(store, table).all(due)] == [True]


@pytest.mark.parametrize(("cadence", "other"), [("yearly", ""), ("monthly", ', "day": 40')])
def test_what_only_another_version_takes_is_paused_and_costs_no_other(store: Store, cadence: str, other: str) -> None:
    wanted = digests(store)
    for channel in ("#shipped", "#web"):
        wanted.make({"channel": channel}, "U1", NOW)
    with store.transaction(write=True) as connection:
        said = f'{{"channel": "#web", "cadence": "{cadence}"{other}}}'
        connection.execute("UPDATE digests SET cadence = ?, wanted = ? WHERE key LIKE '%web%'", (cadence, said))
    assert [one.channel for one in wanted.known(NOW)] == ["#shipped"]
    assert [one.channel for one in wanted.all(NOW)] == ["#shipped"]
    assert [one.channel for one in store.digests.all() if one.paused_at] == ["#web"]


def test_a_pause_outlasts_edits_and_when_it_ends_what_was_missed_is_not_posted(store: Store) -> None:
    wanted = digests(store, {"channel": "#shipped"})
    (one,) = wanted.all(NOW)
    assert store.digests.pause(one.id, "the channel is archived", NOW)
    assert not store.digests.pause(one.id, "again", NOW)
    (paused,) = digests(store, {"channel": "#shipped", "hour": 7}).all(LATER)
    assert (paused.is_paused, paused.paused_why) == (True, "the channel is archived")
    assert store.digests.reported(one.id, LATER)
    assert not store.digests.reported(one.id, LATER)
    assert wanted.resume(paused, LATER)
    assert not wanted.resume(paused, LATER)
    (resumed,) = digests(store, {"channel": "#shipped", "hour": 7}).all(LATER)
    assert (resumed.is_paused, resumed.first) == (False, Month(2026, 1))
