"""The digests that are wanted: almanac.toml's and those made in Slack, in one table.

Where both name the same digest (channel, whom it is of, cadence), almanac.toml wins: what it says replaces what was
made in Slack, and what it no longer names is not posted any more.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from bot.digest.schedule import Schedule
from bot.errors import AlmanacError
from bot.month.calendar import parse_period
from bot.settings_tables import DIGEST, DigestSettings, message_of
from storage.digests import Digests, StoredDigest

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A digest of the table: what it is, and when it is posted."""

    stored: StoredDigest
    table: DigestSettings
    schedule: Schedule

    @property
    def is_ours(self) -> bool:
        """Whether it was made in Slack and may be changed there; others are changed in almanac.toml."""
        return self.stored.origin == "slack"


class WantedDigests:
    """The table of digests. `tables` are those of almanac.toml; `zone` is meant where one names none."""

    def __init__(self, digests: Digests, tables: Sequence[DigestSettings], zone: str) -> None:
        self._digests = digests
        self._tables = tables
        self._zone = zone

    def all(self, now: datetime) -> list[Wanted]:
        """Every digest, almanac.toml's as it is now, in order of channel, people and cadence.

        One that is new begins with the period that is due next: nothing is posted for the past.
        """
        stored = {(one.key, one.cadence): one for one in self._digests.all()}
        named: dict[tuple[str, str], DigestSettings] = {
            (key_of(table, self._zone), table.cadence): table for table in self._tables
        }
        for identity, table in named.items():
            known = stored.get(identity)
            wanted = table.as_wanted()
            if known is None or (known.origin, dict(known.wanted), bool(known.first)) != ("toml", wanted, True):
                stored[identity] = self._put(known, identity, "toml", wanted, now)
        for identity, known in list(stored.items()):
            if known.origin == "toml" and identity not in named:
                self._digests.remove(*identity, now)
                del stored[identity]
        return [one for identity in sorted(stored) if (one := self._readable(stored[identity], now))]

    def known(self, now: datetime) -> list[Wanted]:
        """The same without writing anything: almanac.toml need not be the one that the running bot reads."""
        stored = {(one.key, one.cadence): one for one in self._digests.all()}
        found = {identity: one for identity, one in stored.items() if one.origin == "slack"}
        for table in self._tables:
            identity = (key_of(table, self._zone), table.cadence)
            values = table.as_wanted()
            known = stored.get(identity) or StoredDigest(*identity, "toml", values, now)
            found[identity] = replace(known, origin="toml", wanted=values)
        return [one for identity in sorted(found) if (one := self._readable(found[identity]))]

    def make(self, wanted: Mapping[str, Any], owner: str, now: datetime) -> Wanted:
        """Make a digest, or change the one made in Slack that has its channel, people and cadence.

        Raises AlmanacError with what is wrong, also where almanac.toml has it already.
        """
        table = checked(wanted)
        identity = (key_of(table, self._zone), table.cadence)
        if any((key_of(one, self._zone), one.cadence) == identity for one in self._tables):
            raise AlmanacError("almanac.toml has this digest already: change it there")
        known = next((one for one in self._digests.all() if (one.key, one.cadence) == identity), None)
        values = table.as_wanted()
        return self._wanted(self._put(known, identity, "slack", values, now, owner))

    def pause(self, one: Wanted, why: str, now: datetime) -> bool:
        """Post nothing of a digest until `resume`, since somebody wants it so. False if it was paused already."""
        key, cadence = one.stored.key, one.stored.cadence
        if (key, cadence) not in {(known.key, known.cadence) for known in self._digests.all()}:
            self._put(None, (key, cadence), one.stored.origin, one.stored.wanted, now)  # no bot has run since
        return self._digests.pause(key, cadence, why, now, told=True)

    def resume(self, one: Wanted, now: datetime) -> bool:
        """Post again what was paused, from what is due next on; what was missed meanwhile is not made up for."""
        first = str(one.schedule.upcoming(now))
        return self._digests.resume(one.stored.key, one.stored.cadence, first, now)

    def _put(
        self,
        known: StoredDigest | None,
        identity: tuple[str, str],
        origin: Any,
        wanted: Mapping[str, Any],
        now: datetime,
        owner: str = "",
    ) -> StoredDigest:
        since = known.since if known else now
        table = checked(wanted)
        first = known.first if known and known.first else str(schedule_of(table, self._zone).upcoming(since))
        made = StoredDigest(*identity, origin, wanted, since, first, owner)
        if known:
            made = replace(known, origin=origin, wanted=wanted, first=first, owner=known.owner or owner)
        self._digests.put(made, now)
        return made

    def _readable(self, stored: StoredDigest, now: datetime | None = None) -> Wanted | None:
        """A digest, or None where another version wrote down what this one does not take; `now` is when it is paused
        for that."""
        try:
            return self._wanted(stored)
        except AlmanacError as error:
            if now and self._digests.pause(stored.key, stored.cadence, str(error), now):
                log.warning("the %s digest %s cannot be read: %s", stored.cadence, stored.key, error)
            return None

    def _wanted(self, stored: StoredDigest) -> Wanted:
        table = checked(stored.wanted)
        schedule = schedule_of(table, self._zone)
        first = parse_period(stored.first) if stored.first else None
        return Wanted(stored, table, replace(schedule, first=first, paused=stored.paused_at is not None))


def checked(wanted: Mapping[str, Any]) -> DigestSettings:
    """What a digest is to be. Raises AlmanacError with the first thing that is wrong in it."""
    try:
        return DIGEST.validate_python(dict(wanted))
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(map(str, fault["loc"]))
        raise AlmanacError(f"{place}: {message_of(fault)}" if place else message_of(fault)) from error


def schedule_of(table: DigestSettings, zone: str) -> Schedule:
    return Schedule(
        table.channel,
        table.team,
        table.group,
        tuple(table.repositories),
        table.cadence,
        table.day,
        table.hour,
        table.zone or zone,
        table.quiet,
        str(table.templates) if table.templates else None,
        table.months_back,
    )


def key_of(table: DigestSettings, zone: str) -> str:
    return schedule_of(table, zone).key
