"""A form of a digest that was submitted → the digest made or changed, or what is wrong with it by field."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.digest.subscriptions import checked, key_of
from bot.errors import AlmanacError
from bot.settings import Settings
from bot.slack.answering import SORRY, Refused, View
from bot.slack.members import Members
from bot.slack_app.digests import form as digest_form
from bot.slack_app.digests import views as digests
from bot.slack_app.digests.rights import DigestRights
from bot.slack_app.digests.views import Kept
from bot.slack_app.home.actions import sentence
from storage import Store

log = logging.getLogger(__name__)

NOT_THERE = "I cannot see this channel: type /invite @Almanac in it first."
NOT_IN = "You are not in this channel: join it first."
ONLY_CHANNELS = "A digest is posted in a channel."
THERE_ALREADY = "there is such a digest already: change that one"
TOML_HAS_IT = "almanac.toml has this digest already: change it there"
_UNSHOWN = ("templates", "months_back")  # of a digest: the form does not have them


@dataclass(frozen=True, slots=True)
class Saved:
    """What came of a form: words, or what is wrong with it by block."""

    said: str = ""
    errors: Mapping[str, str] | None = None


class Saving:
    """Its methods block, never raise, and any thread may call them. What is submitted again changes nothing."""

    def __init__(self, settings: Settings, store: Store, members: Members, rights: DigestRights) -> None:
        self._settings = settings
        self._store = store
        self._members = members
        self._rights = rights

    def save(self, user: str, view: Mapping[str, Any]) -> Saved:
        """Make the digest that a form says, or change the one it was opened for."""
        kept = Kept.of(view)
        found: list[Saved] = []

        def done() -> str:
            typed = digest_form.typed(view)
            errors = dict(typed.errors)
            seen = self._rights.view(user, kept)
            if "channel" not in errors and (wrong := self._wrong_channel(str(typed.table["channel"]), user)):
                errors["channel"] = wrong
            if (team := typed.table["team"]) and self._settings.team(str(team)) is None:
                errors["whom"] = "There is no such team in almanac.toml any more."
            if errors:
                found.append(Saved(errors=errors))
                return ""
            return self._saved(typed.table, kept, user, seen)

        try:
            said = done()
        except Refused as refused:
            return Saved(errors={"channel": str(refused)})
        except AlmanacError as error:
            return Saved(errors={"channel": sentence(error)})
        except Exception:
            log.exception("a digest could not be saved")
            return Saved(errors={"channel": SORRY})
        return found[0] if found else Saved(said)

    def _saved(self, table: Mapping[str, Any], kept: Kept, user: str, view: View) -> str:
        if refused := self._rights.others_refused(view):
            raise AlmanacError(refused.rstrip("."))
        hidden = view.sight.hidden.intersection(table["repositories"])
        before = self._rights.changeable(kept.digest, user, view) if kept.digest else None
        if hidden - set(before.table.repositories if before else ()):
            raise AlmanacError("there is no such repository")
        values = {key: value for key, value in table.items() if value is not None}
        if before:  # what the form does not show stays
            values = {**{key: before.stored.wanted[key] for key in _UNSHOWN if key in before.stored.wanted}, **values}
        values = checked(values).as_wanted()
        identity = (key_of(checked(values), self._settings.zone_name), str(table["cadence"]))
        is_same = before is not None and (before.stored.key, before.stored.cadence) == identity
        if not is_same:
            self._must_be_new(identity, values, user)
        now = self._settings.now()
        made = self._rights.digests.make(values, before.stored.owner if before else user, now)
        if before and not is_same:
            if before.schedule.paused:
                self._store.digests.pause(*identity, before.stored.paused_why, now, told=True)
            self._store.digests.remove(before.stored.key, before.stored.cadence, now)
        row = self._rights.digest(made, may_change=True)
        due = made.schedule.upcoming(now)
        return digests.saved(
            row.channel, row.whom, row.cadence, due.title, made.schedule.due_at(due), made.schedule.zone
        )

    def _must_be_new(self, identity: tuple[str, str], values: Mapping[str, Any], user: str) -> None:
        """AlmanacError where another digest tells of the same people in the same channel as often."""
        for one in self._rights.all():
            whom = one.stored.key.partition("|")[2]
            channel = self._rights.id_of(one.table.channel)
            if (f"{channel}|{whom}", one.stored.cadence) != identity:
                continue
            if one.is_ours and one.stored.owner == user and dict(one.stored.wanted) == dict(values):
                return  # the form is delivered again
            raise AlmanacError(THERE_ALREADY if one.is_ours else TOML_HAS_IT)

    def _wrong_channel(self, channel: str, user: str) -> str:
        """Why somebody cannot have a digest in a channel; empty where they can."""
        place = self._members.place_named(channel)
        if place.kind in ("absent", "unknown"):
            return NOT_THERE
        if place.kind not in ("public", "private"):
            return ONLY_CHANNELS
        if not self._rights.channels.is_in(user, channel):
            return NOT_IN
        if refused := self._members.seen_in(channel).refused:
            return f"{refused[:1].upper()}{refused[1:]}."
        return ""
