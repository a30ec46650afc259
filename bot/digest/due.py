"""Now, subscriptions and the outbox → the digests that are due. Pure.

A period's digest is due from its hour on until it was posted, however late we wake. What is posted is known by
period and never by date, so that an edited subscription, another zone or a clock set back posts nothing twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.digest.subscription import DigestPost, DigestSubscription
from bot.month.calendar import Month, Period

LATE = timedelta(hours=1)


def due(
    now: datetime, subscriptions: Sequence[DigestSubscription], workspace: str, posted: Collection[str]
) -> list[DigestPost]:
    """The digests to post now, those that were due first before the others, then in the order of the subscriptions.

    `posted` holds the keys of those that were. One that is paused, or has no first period yet, posts nothing.
    """
    found = [
        DigestPost.of(workspace, one, period)
        for one in subscriptions
        if one.first is not None and not one.is_paused
        for period in _owed(now, one)
    ]
    return sorted((one for one in found if one.key not in posted), key=due_at)


def due_at(post: DigestPost) -> datetime:
    return post.subscription.due_at(post.period)


def is_late(post: DigestPost, now: datetime) -> bool:
    return now - due_at(post) > LATE


def _owed(now: datetime, one: DigestSubscription) -> Iterator[Period]:
    """The periods that are over and due, as far back as is made up for, newest first."""
    zone = ZoneInfo(one.zone)
    earliest = (Month.of(now, zone) - one.months_back).bounds(zone)[0]
    period = one.present(now) - 1
    while period.bounds(zone)[1] > earliest and str(period) >= str(one.first):
        if one.due_at(period) <= now:
            yield period
        period -= 1
