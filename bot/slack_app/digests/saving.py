"""A form of a digest that was submitted → the digest made or changed, or what is wrong with it by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.digest.subscription import DigestSubscription
from bot.digest.subscriptions import checked
from bot.errors import AlmanacError
from bot.settings import Settings
from bot.slack.failures import explained
from bot.slack.members import Members
from bot.slack.request import RequestContext
from bot.slack_app.digests import form as digest_form
from bot.slack_app.digests import views as digests
from bot.slack_app.digests.rights import DigestRights
from bot.slack_app.digests.views import OpenedFrom
from storage import Store

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
        kept = OpenedFrom.of(view)
        try:
            typed = digest_form.typed(view)
            errors = dict(typed.errors)
            seen = self._rights.view(user, kept)
            if "channel" not in errors and (wrong := self._wrong_channel(str(typed.table["channel"]), user)):
                errors["channel"] = wrong
            if (team := typed.table["team"]) and self._settings.team(str(team)) is None:
                errors["whom"] = "There is no such team in almanac.toml any more."
            return Saved(errors=errors) if errors else Saved(self._saved(typed.table, kept, user, seen))
        except Exception as error:
            return Saved(errors={"channel": explained(error, "a digest could not be saved")})

    def _saved(self, table: Mapping[str, Any], kept: OpenedFrom, user: str, view: RequestContext) -> str:
        self._rights.must_ask_about_others(view)
        before = self._rights.changeable(kept.digest, user, view) if kept.digest else None
        if view.sight.hidden.intersection(table["repositories"]) - set(before.repositories if before else ()):
            raise AlmanacError("there is no such repository")
        values = {key: value for key, value in table.items() if value is not None}
        if before:  # what the form does not show stays
            unshown = before.as_wanted()
            values = {**{key: unshown[key] for key in _UNSHOWN if key in unshown}, **values}
        wanted = DigestSubscription.of(checked(values), self._settings.zone.key)
        is_same = before is not None and before.id == wanted.id
        if not is_same:
            self._must_be_new(wanted, user)
        now = self._settings.now()
        made = self._rights.subscriptions.make(values, before.owner if before else user, now)
        if before and not is_same:
            if before.is_paused:
                self._store.digests.pause(made.id, before.paused_why, now, reported=True)
            self._store.digests.remove(before.id, now)
        return digests.saved(self._rights.row(made, may_change=True), now)

    def _must_be_new(self, wanted: DigestSubscription, user: str) -> None:
        """AlmanacError where another digest tells of the same people in the same channel as often."""
        for one in self._rights.subscriptions.all(self._settings.now()):
            if (self._rights.id_of(one.channel), one.whom, one.cadence) != (
                wanted.channel, wanted.whom, wanted.cadence,
            ):  # fmt: skip
                continue
            if one.is_made_in_slack and one.owner == user and one.as_wanted() == wanted.as_wanted():
                return  # the form is delivered again
            raise AlmanacError(THERE_ALREADY if one.is_made_in_slack else TOML_HAS_IT)

    def _wrong_channel(self, channel: str, user: str) -> str:
        """Why somebody cannot have a digest in a channel; empty where they can."""
        place, seen = self._members.seen_in(channel)
        if place.kind in ("absent", "unknown"):
            return NOT_THERE
        if place.kind not in ("public", "private"):
            return ONLY_CHANNELS
        if not self._members.is_in(user, channel):
            return NOT_IN
        if seen.refused:
            return f"{seen.refused[:1].upper()}{seen.refused[1:]}."
        return ""
