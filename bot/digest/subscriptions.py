"""The digests that are wanted, from almanac.toml and made in Slack, and when each is due.

Where both name the same digest (channel, whom it is of, cadence), almanac.toml wins: what it says replaces what was
made in Slack, and what it no longer names is not posted any more. A period's digest is due from its hour on until it
was posted, however late we wake. What is posted is known by period and never by date, so that an edited subscription,
another zone or a clock set back posts nothing twice.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Literal
from zoneinfo import ZoneInfo

from bot.errors import AlmanacError
from bot.month.calendar import CADENCES, Month, Period
from bot.settings import DigestSettings, Settings, faults_in, line_of, read

if TYPE_CHECKING:
    from storage import Store
    from storage.slack_state import Digests

log = logging.getLogger(__name__)

Origin = Literal["toml", "slack"]
SubscriptionId = tuple[str, str]  # its key and its cadence

LATE = timedelta(hours=1)
NOTED_EVERY = timedelta(hours=1)
GONE_AFTER = timedelta(days=31)  # what no almanac.toml had for longer begins anew
TOML_HAS_IT = "almanac.toml has this digest already: change it there"
_STATE = ("since", "first", "paused_at", "paused_why", "reported_at", "changed_at")  # how it stands with a digest


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestSubscription(DigestSettings):
    """What a [[digests]] table says, and how it stands with it.

    `day` is one of the month that follows, and 29 to 31 are the last of a shorter one; of a weekly digest it is a day
    of the week, from 1, Monday, on. Nothing is posted of what lies before the period `first`. `owner` is the Slack user
    who made it.
    """

    zone: str = "UTC"
    origin: Origin = "toml"
    owner: str = ""
    since: datetime | None = None
    first: Period | None = None
    paused_at: datetime | None = None
    paused_why: str = ""
    reported_at: datetime | None = None  # when its owner was notified that it is paused
    changed_at: datetime | None = None  # when it was last edited, paused or resumed

    @classmethod
    def of(cls, settings: DigestSettings, zone: str, **more: Any) -> DigestSubscription:
        """What a table says; `zone` is meant where it names none."""
        values = {one.name: getattr(settings, one.name) for one in fields(DigestSettings)}
        return cls(**{**values, "zone": settings.zone or zone, **more})

    @property
    def whom(self) -> str:
        """Whose work it tells, and in which repositories; empty for everybody's in all."""
        people = self.team or (f"@{self.group.lstrip('@')}" if self.group else "")
        return ",".join(filter(None, (people, *self.repositories)))

    @property
    def key(self) -> str:
        """Where it is posted, and whom it tells of: together with the period this is what is posted once."""
        return f"{self.channel.lstrip('#')}|{self.whom}"

    @property
    def id(self) -> SubscriptionId:
        return self.key, self.cadence

    @property
    def described(self) -> str:
        """It in words: "The weekly digest of engine for #shipped"."""
        return f"The {self.cadence} digest{f' of {self.whom}' if self.whom else ''} for {self.channel}"

    @property
    def is_made_in_slack(self) -> bool:
        """Whether it may be changed in Slack; others are changed in almanac.toml."""
        return self.origin == "slack"

    @property
    def is_paused(self) -> bool:
        return self.paused_at is not None

    def with_state_of(self, known: DigestSubscription) -> DigestSubscription:
        """What this one says, standing as the known one does."""
        return replace(self, owner=known.owner or self.owner, **{name: getattr(known, name) for name in _STATE})

    def due_at(self, period: Period) -> datetime:
        """When the digest of a period is due, in UTC; never before it is over in the subscription's zone.

        An hour that a change of clocks leaves out is taken as the one after it; of one that comes twice, the first.
        """
        on, at = period.due_day(self.day), time(self.hour, tzinfo=ZoneInfo(self.zone))
        return datetime.combine(on, at).astimezone(UTC)

    def present(self, now: datetime) -> Period:
        """The period that an instant lies in."""
        return CADENCES[self.cadence].of(now, ZoneInfo(self.zone))

    def upcoming(self, now: datetime) -> Period:
        """The first period that is not due yet."""
        period = self.present(now)
        while self.due_at(period - 1) >= now:
            period -= 1
        return period

    def begun(self, now: datetime) -> DigestSubscription:
        """The same from now on, without what is due already."""
        return replace(self, first=self.upcoming(now))


@dataclass(frozen=True, slots=True)
class DigestPost:
    """The digest of a period, posted or to be posted. `key` is that of its first message in the outbox, to which its
    other messages add a number. One of a period that was not over may be posted again, in full, when it is."""

    key: str
    subscription: DigestSubscription
    period: Period
    is_whole: bool = True

    @classmethod
    def of(
        cls, workspace: str, subscription: DigestSubscription, period: Period, so_far: datetime | None = None
    ) -> DigestPost:
        """`so_far` is the day up to which a period that is not over is shown."""
        until = f"@{so_far:%Y-%m-%d}" if so_far else ""
        key = f"{digest_keys(workspace)}{subscription.key}|{period}{until}"
        return cls(key, subscription, period, so_far is None)

    @property
    def due_at(self) -> datetime:
        return self.subscription.due_at(self.period)

    def is_late(self, now: datetime) -> bool:
        return now - self.due_at > LATE

    def message_key(self, part: int) -> str:
        return f"{self.key}|{part}" if part else self.key

    def title_of(self, message_key: str) -> str:
        """What a message of it is called: "October 2025", "part 2 of October 2025"."""
        part = message_key.removeprefix(self.key).lstrip("|")
        return f"part {int(part) + 1} of {self.period.title}" if part else self.period.title


def digest_keys(workspace: str = "") -> str:
    """What the keys of all digests begin with, or of those of a workspace."""
    return f"digest|{workspace}|" if workspace else "digest|"


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
    return sorted((one for one in found if one.key not in posted), key=lambda one: one.due_at)


def _owed(now: datetime, one: DigestSubscription) -> Iterator[Period]:
    """The periods that are over and due, as far back as is made up for, newest first."""
    zone = ZoneInfo(one.zone)
    earliest = (Month.of(now, zone) - one.months_back).bounds(zone)[0]
    period = one.present(now) - 1
    while period.bounds(zone)[1] > earliest and str(period) >= str(one.first):
        if one.due_at(period) <= now:
            yield period
        period -= 1


class Subscriptions:
    """The table of digests. `tables` are those of almanac.toml; `zone` is meant where one names none."""

    def __init__(self, digests: Digests, tables: Sequence[DigestSettings], zone: str) -> None:
        self._digests = digests
        self._zone = zone
        self._tables = {one.id: one for one in (DigestSubscription.of(table, zone) for table in tables)}
        self._noted = datetime.min.replace(tzinfo=UTC)  # when it was written down last that these are wanted

    @classmethod
    def of(cls, settings: Settings, store: Store) -> Subscriptions:
        """Those that the settings and the database have."""
        return cls(store.digests, settings.digests, settings.zone.key)

    def all(self, now: datetime) -> list[DigestSubscription]:
        """Every digest, almanac.toml's as it is now, in order of channel, people and cadence.

        One that is new begins with the period that is due next: nothing is posted for the past.
        """
        stored = self._stored(now)
        for identity, table in self._tables.items():
            known = stored.get(identity)
            if known is None or not known.first or known.origin != "toml" or known.as_wanted() != table.as_wanted():
                stored[identity] = self._put(known, table, now)
        for identity, known in list(stored.items()):
            if known.origin == "toml" and identity not in self._tables:
                self._digests.remove(identity, now)
                del stored[identity]
        return [stored[identity] for identity in sorted(stored) if self._is_valid(stored[identity], now)]

    def known(self, now: datetime) -> list[DigestSubscription]:
        """The same without writing anything: almanac.toml need not be the one that the running bot reads."""
        stored = {one.id: one for one in self._digests.all()}
        found = {identity: one for identity, one in stored.items() if one.is_made_in_slack}
        for identity, table in self._tables.items():
            found[identity] = table.with_state_of(stored.get(identity) or replace(table, since=now))
        return [found[identity] for identity in sorted(found) if self._is_valid(found[identity])]

    def make(self, settings: Mapping[str, Any], owner: str, now: datetime) -> DigestSubscription:
        """Make a digest, or change the one made in Slack that has its channel, people and cadence.

        Raises AlmanacError with what is wrong, also where almanac.toml has it already.
        """
        made = DigestSubscription.of(checked(settings), self._zone, origin="slack", owner=owner)
        if made.id in self._tables:
            raise AlmanacError(TOML_HAS_IT)
        known = next((one for one in self._digests.all() if one.id == made.id), None)
        return self._put(known, made, now)

    def pause(self, one: DigestSubscription, why: str, now: datetime) -> bool:
        """Post nothing of a digest until `resume`, since somebody wants it so. False if it was paused already."""
        if one.id not in self._stored(now):
            self._put(None, one, now)  # no bot has run since
        return self._digests.pause(one.id, why, now, reported=True)

    def resume(self, one: DigestSubscription, now: datetime) -> bool:
        """Post again what was paused, from what is due next on; what was missed meanwhile is not made up for."""
        self._stored(now)
        return self._digests.resume(one.id, one.upcoming(now), now)

    def _stored(self, now: datetime) -> dict[SubscriptionId, DigestSubscription]:
        """What is written down, as it stood where only a bot that reads another almanac.toml took it out."""
        stored = {one.id: one for one in self._digests.all()}
        if not self._tables.keys() <= stored.keys() or abs(now - self._noted) >= NOTED_EVERY:
            self._digests.keep_wanted(self._tables, now, now - GONE_AFTER)
            self._noted = now
            stored = {one.id: one for one in self._digests.all()}
        return stored

    def _put(self, known: DigestSubscription | None, wanted: DigestSubscription, now: datetime) -> DigestSubscription:
        made = wanted.with_state_of(known) if known else replace(wanted, since=now)
        if not made.first:
            made = made.begun(made.since or now)
        self._digests.put(made, now)
        return made

    def _is_valid(self, one: DigestSubscription, now: datetime | None = None) -> bool:
        """Whether a digest can be posted: another version may have written down what this one does not take. `now` is
        when it is paused for that."""
        try:
            checked(one.as_wanted())
        except AlmanacError as error:
            if now and self._digests.pause(one.id, str(error), now):
                log.warning("the %s digest %s cannot be read: %s", one.cadence, one.key, error)
            return False
        return True


def checked(settings: Mapping[str, Any]) -> DigestSettings:
    """What a digest is to be. Raises AlmanacError with the first thing that is wrong in it."""
    try:
        found: DigestSettings = read(DigestSettings, settings)
        return found
    except ValueError as error:
        raise AlmanacError(line_of(*faults_in(error)[0])) from error
