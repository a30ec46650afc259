"""The digests that are wanted: almanac.toml's and those made in Slack, in one table.

Where both name the same digest (channel, whom it is of, cadence), almanac.toml wins: what it says replaces what was
made in Slack, and what it no longer names is not posted any more.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import ValidationError

from bot.digest.subscription import DigestSubscription, SubscriptionId
from bot.errors import AlmanacError
from bot.settings import faults_of, line_of
from bot.settings_tables import DigestSettings, digest_adapter
from storage.digests import Digests

log = logging.getLogger(__name__)

NOTED_EVERY = timedelta(hours=1)
GONE_AFTER = timedelta(days=31)  # what no almanac.toml had for longer begins anew


class Subscriptions:
    """The table of digests. `tables` are those of almanac.toml; `zone` is meant where one names none."""

    def __init__(self, digests: Digests, tables: Sequence[DigestSettings], zone: str) -> None:
        self._digests = digests
        self._zone = zone
        self._tables = {one.id: one for one in (DigestSubscription.of(table, zone) for table in tables)}
        self._noted = datetime.min.replace(tzinfo=UTC)  # when it was written down last that these are wanted

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
            raise AlmanacError("almanac.toml has this digest already: change it there")
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
        return digest_adapter().validate_python(dict(settings))
    except ValidationError as error:
        raise AlmanacError(line_of(*faults_of(error)[0])) from error
