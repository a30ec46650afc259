"""By which keys a digest's messages are known in the outbox. Pure.

The first message of a digest has digest|workspace|channel|whom|period, and its parts a number behind that. A period
that was not over when it was posted by hand has the day behind it, as in 2025-10@2025-10-20.
"""

from __future__ import annotations

from datetime import datetime

from bot.digest.schedule import Cadence
from bot.month.calendar import Month, Period, Quarter, Week, parse_period
from bot.story.documents import DigestDocument

CADENCES: dict[type[Period], Cadence] = {Week: "weekly", Month: "monthly", Quarter: "quarterly"}


def prefix_of(workspace: str) -> str:
    """What the keys of all digests of a workspace begin with."""
    return f"digest|{workspace}|"


def first_key(workspace: str, schedule: str, period: str) -> str:
    """The key of a digest's first message; `schedule` is a Schedule's key."""
    return f"{prefix_of(workspace)}{schedule}|{period}"


def period_key(document: DigestDocument, now: datetime) -> str:
    """A period as its post is told by. One that is not over may be posted today and again, in full, when it is."""
    return f"{document.month}@{now:%Y-%m-%d}" if document.to_date else document.month


def first_of(key: str) -> str:
    """The key of a digest's first message, by that of any of its messages."""
    return "|".join(key.split("|")[:5])


def schedule_of(key: str) -> str:
    """The key of the schedule that a message belongs to."""
    return "|".join(key.split("|")[2:4])


def is_whole(key: str) -> bool:
    """Whether a first message is of a period that was over."""
    return "@" not in key.split("|")[4]


def period_of(key: str) -> Period:
    return parse_period(key.split("|")[4].partition("@")[0])


def identity_of(key: str) -> tuple[str, Cadence]:
    """The key and cadence of the digest that a message belongs to."""
    return schedule_of(key), CADENCES[type(period_of(key))]


def part_of(key: str) -> int:
    """The number of a message of a digest, from 0."""
    parts = key.split("|")
    return int(parts[5]) if len(parts) > 5 else 0
