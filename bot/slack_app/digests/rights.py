"""Which digests somebody may see, change and have posted, and how it is said where they may not.

Whoever presses is looked at anew each time: what a button holds only says what is meant, never who may do it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from bot.digest.subscriptions import Wanted, WantedDigests
from bot.errors import AlmanacError
from bot.settings import Settings
from bot.slack import modals
from bot.slack.answering import SORRY, Answering, Asked, Refused, View
from bot.slack.audience import About, is_admin, sight
from bot.slack.channel_members import ChannelMembers
from bot.slack.members import Members
from bot.slack_app.digests.views import Kept, Row
from bot.slack_app.home.actions import NO_DIGEST, NOT_YOURS, UNKNOWN_BUTTON, sentence
from bot.slack_app.home.content import DigestRow
from bot.slack_app.home.tab import may_change_digest
from storage import Store

log = logging.getLogger(__name__)

IN_TOML = "this digest is set in almanac.toml: change it there"
NO_GUESTS = "Only members of this workspace can see and change digests."


class DigestRights:
    """Its methods block, and any thread may call them."""

    def __init__(
        self, settings: Settings, store: Store, members: Members, answering: Answering, channels: ChannelMembers
    ) -> None:
        self._settings = settings
        self._members = members
        self._answering = answering
        self.channels = channels
        self.digests = WantedDigests(store.digests, settings.digests, settings.zone_name)

    # who may what

    def view(self, user: str, kept: Kept) -> View:
        """What somebody may see. Raises Refused where that is nothing: guests have no digests."""
        view = self._answering.view(Asked(user, kept.channel, alone=True))
        if view.reader.standing != "member":
            raise Refused(NO_GUESTS, privately=True)
        return view

    def others_refused(self, view: View) -> str | None:
        """Why somebody may not ask about others, which a digest is."""
        return sight(view.reader, view.place, view.rules, About(others=True), alone=True).refused

    def may_change(self, one: Wanted, user: str, view: View) -> bool:
        return may_change_digest(one, user, admin=is_admin(view.reader, view.rules))

    def may_read(self, one: Wanted, user: str, view: View) -> bool:
        """Whether somebody may see what the channel will: who can read the channel, and may ask about others."""
        if self.others_refused(view) or view.sight.hidden.intersection(one.table.repositories):
            return False
        place = self._members.place_named(one.table.channel)
        return self.channels.may_know_of(user, place)

    def row(self, one: Wanted, user: str, view: View) -> Row | None:
        """A digest in the list of somebody; None for one that is not theirs to know of."""
        may_change = self.may_change(one, user, view)
        if view.sight.hidden.intersection(one.table.repositories):
            return None
        place = self._members.place_named(one.table.channel)
        can_read = self.channels.may_know_of(user, place)
        if not can_read and not may_change:
            return None
        return Row(self.digest(one, may_change=may_change), can_read and not self.others_refused(view))

    def digest(self, one: Wanted, *, may_change: bool) -> DigestRow:
        return DigestRow.of(one, self.called(one), self._settings.now(), may_change=may_change)

    def all(self) -> list[Wanted]:
        return self.digests.all(self._settings.now())

    def named(self, named: tuple[str, str], user: str = "", view: View | None = None) -> Wanted:
        """A digest by key and cadence; with a view, one that its reader may pause and have posted."""
        one = next((one for one in self.all() if (one.stored.key, one.stored.cadence) == named), None)
        if one is None:
            raise AlmanacError(NO_DIGEST.rstrip("."))
        if view and view.sight.hidden.intersection(one.table.repositories):
            raise AlmanacError(NO_DIGEST.rstrip("."))
        if view and not self.may_change(one, user, view):
            raise AlmanacError(NOT_YOURS.rstrip("."))
        return one

    def changeable(self, named: tuple[str, str], user: str, view: View) -> Wanted:
        """The same, which was made in Slack."""
        one = self.named(named, user, view)
        if not one.is_ours:
            raise AlmanacError(IN_TOML)
        return one

    def called(self, one: Wanted) -> str:
        place = self._members.place_named(one.table.channel)
        return f"#{place.name or one.table.channel.lstrip('#')}"

    def id_of(self, channel: str) -> str:
        return self._members.place_named(channel).channel or channel

    def is_in(self, one: Wanted, channel: str) -> bool:
        return bool(channel) and self.id_of(one.table.channel) == channel

    # how it is said

    def done(self, user: str, kept: Kept, done: Callable[[View], str]) -> str:
        try:
            return done(self.view(user, kept))
        except Refused as refused:
            return str(refused)
        except AlmanacError as error:
            return sentence(error)
        except (ValueError, KeyError, TypeError):
            log.warning("a button of a digest could not be read", exc_info=True)
            return UNKNOWN_BUTTON
        except Exception:
            log.exception("what was pressed of a digest could not be done")
            return SORRY

    def made(self, title: str, made: Callable[[], modals.View]) -> modals.View:
        views: list[modals.View] = []

        def done() -> str:
            views.append(made())
            return ""

        try:
            done()
        except Refused as refused:
            return modals.said(title, str(refused))
        except AlmanacError as error:
            return modals.said(title, sentence(error))
        except (ValueError, KeyError, TypeError):
            log.warning("a button of a digest could not be read", exc_info=True)
            return modals.said(title, UNKNOWN_BUTTON)
        except Exception:
            log.exception("a modal of digests could not be filled")
            return modals.said(title, SORRY)
        return views[0]
