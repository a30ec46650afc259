"""Digests of almanac.toml and of Slack in one table, and which of them wins."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.digest.subscriptions import DigestSubscription, Subscriptions, checked
from bot.month.calendar import Month
from storage import Store

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
