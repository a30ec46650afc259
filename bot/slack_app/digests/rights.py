"""Which digests somebody may see, change and have posted.

Whoever presses is looked at anew each time: what a button holds only says what is meant, never who may do it.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.digest.subscription import DigestSubscription, SubscriptionId
from bot.digest.subscriptions import Subscriptions
from bot.errors import AlmanacError
from bot.settings import Settings
from bot.slack.answering import Answering
from bot.slack.audience import About, is_admin, sight
from bot.slack.directory import Members
from bot.slack.request import AccessRefused, Request, RequestContext
from bot.slack_app.digests.views import DigestRow, OpenedFrom
from storage import Store

IN_TOML = "this digest is set in almanac.toml: change it there"
NOT_YOURS = "only whoever made a digest, and admins, can pause it or resume it"
NO_DIGEST = "there is no such digest any more"
NO_GUESTS = "Only members of this workspace can see and change digests."


class DigestRights:
    """Its methods block, and any thread may call them."""

    def __init__(self, settings: Settings, store: Store, members: Members, answering: Answering) -> None:
        self._settings = settings
        self._members = members
        self._answering = answering
        self.subscriptions = Subscriptions(store.digests, settings.digests, settings.zone.key)

    def view(self, user: str, kept: OpenedFrom) -> RequestContext:
        """What somebody may see. Raises AccessRefused where that is nothing: guests have no digests."""
        view = self._answering.context(Request(user, kept.channel, alone=True))
        if view.reader.standing != "member":
            raise AccessRefused(NO_GUESTS, privately=True)
        return view

    def others_refused(self, view: RequestContext) -> str | None:
        """Why somebody may not ask about others, which a digest is."""
        return sight(view.reader, view.place, view.rules, About(others=True), alone=True).refused

    def must_ask_about_others(self, view: RequestContext) -> None:
        if refused := self.others_refused(view):
            raise AlmanacError(refused.rstrip("."))

    def may_change(self, one: DigestSubscription, user: str, view: RequestContext) -> bool:
        """Whether a user may pause a digest, or have it posted: whoever made it, and admins."""
        return is_admin(view.reader, view.rules) or (bool(user) and one.owner == user)

    def may_read(self, one: DigestSubscription, user: str, view: RequestContext) -> bool:
        """Whether somebody may see what the channel will: who can read the channel, and may ask about others."""
        row = self._row(one, user, view)
        return row is not None and row.may_read

    def rows(self, user: str, view: RequestContext) -> list[DigestRow]:
        """The digests that are somebody's to know of."""
        every = self.subscriptions.all(self._settings.now())
        return [row for one in every if (row := self._row(one, user, view))]

    def _row(self, one: DigestSubscription, user: str, view: RequestContext) -> DigestRow | None:
        if view.sight.hidden.intersection(one.repositories):
            return None
        may_change = self.may_change(one, user, view)
        can_read = self._members.may_know_of(user, self._members.place_named(one.channel))
        if not can_read and not may_change:
            return None
        return self.row(one, may_change=may_change, may_read=can_read and not self.others_refused(view))

    def row(self, one: DigestSubscription, *, may_change: bool, may_read: bool = False) -> DigestRow:
        next_at = one.due_at(one.upcoming(self._settings.now()))
        return DigestRow(one, self.called(one), next_at, may_change, may_read)

    def named(self, named: SubscriptionId, user: str = "", view: RequestContext | None = None) -> DigestSubscription:
        """A digest by key and cadence; with a view, one that its reader may pause and have posted."""
        one = next((one for one in self.subscriptions.all(self._settings.now()) if one.id == named), None)
        if one is None or (view and view.sight.hidden.intersection(one.repositories)):
            raise AlmanacError(NO_DIGEST)
        if view and not self.may_change(one, user, view):
            raise AlmanacError(NOT_YOURS)
        return one

    def changeable(self, named: SubscriptionId, user: str, view: RequestContext) -> DigestSubscription:
        """The same, which was made in Slack."""
        one = self.named(named, user, view)
        if not one.is_made_in_slack:
            raise AlmanacError(IN_TOML)
        return one

    def called(self, one: DigestSubscription) -> str:
        place = self._members.place_named(one.channel)
        return f"#{place.name or one.channel.lstrip('#')}"

    def id_of(self, channel: str) -> str:
        return self._members.place_named(channel).channel or channel

    def first_of_channel(self, rows: Sequence[DigestRow], channel: str) -> list[DigestRow]:
        """The digests, those of a channel first."""
        return sorted(rows, key=lambda row: not channel or self.id_of(row.subscription.channel) != channel)
