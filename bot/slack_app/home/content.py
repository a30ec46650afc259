"""What the Home tab of somebody shows, gathered from the index, from what was said by hand, and from Slack.

All of it is for one reader's eyes, and none of it comes by any other way than `sight`: what they may not read is not
counted here either.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import TypeVar

from bot.ask.people.identity import IdentityService
from bot.ask.people.identity_log import IdentityLogLine
from bot.ask.people_directory import KnownPeople, PeopleDirectory
from bot.errors import AlmanacError
from bot.month.addresses import plain
from bot.settings import Settings
from bot.slack import elements
from bot.slack.answering import Answering
from bot.slack.linking import Linker, reason_of
from bot.slack.request import SORRY, AccessRefused, Request, RequestContext
from bot.slack_app.digests.rights import DigestRights
from bot.slack_app.digests.views import DigestRow
from bot.slack_app.home import texts as home_texts
from bot.slack_app.home import view as home
from bot.slack_app.home.months import HomeMonths, MonthBriefs
from bot.slack_app.home.values import Address, IndexHealth, TabContent
from storage import Store

log = logging.getLogger(__name__)

T = TypeVar("T")

NO_ROWS: tuple[DigestRow, ...] = ()
NOT_NOW = "{what} cannot be shown just now: {why}."
BROKEN = "something went wrong, and is in my log"


class HomeTab:
    """Makes the Home tab. Its methods block, never raise but where they say so, and any thread may call them."""

    def __init__(
        self, answering: Answering, linker: Linker, store: Store, settings: Settings, rights: DigestRights
    ) -> None:
        self._answering = answering
        self._linker = linker
        self._store = store
        self._settings = settings
        self._rights = rights
        self._months = HomeMonths(answering, settings.now)
        self._directory = PeopleDirectory.of(store, settings)

    # who asks, and what they may

    def seen(self, user: str) -> RequestContext:
        """What somebody may see in Home. Raises AccessRefused where that is nothing."""
        return self._answering.context(Request(user, "", alone=True))

    def people(self, view: RequestContext) -> KnownPeople:
        """All whom a reader may know of, as they are shown to them."""
        return self._directory.view(view.sight.hidden, *view.queries.apart)()

    # the tab

    def tab(self, user: str, channel: str, said: str = "", whole: bool = True) -> elements.View:
        """The Home tab of a user. Not `whole`: without what may take its time, which is said to be on its way."""
        try:
            view = self.seen(user)
            known = self._quick(user, view)
            if whole:
                known = self._slow(user, view, known)
            return home.view(replace(known, said=said), channel)
        except AccessRefused as refusal:
            return home.refused(str(refusal))
        except AlmanacError as error:
            log.warning("a Home tab could not be made: %s", error)
            return home.refused(f"I cannot tell you anything now: {error.public_text}.")
        except Exception:  # an empty tab would be the worst answer
            log.exception("a Home tab could not be made")
            return home.refused(SORRY)

    def _quick(self, user: str, view: RequestContext) -> TabContent:
        who, profile = self._linker.who(view), view.member.proved_address
        certain, own = who.person(user, profile), who.own(user, profile)
        person = certain or view.reader.person
        return TabContent(
            name=person.name if person else "",
            is_certain=person is None or certain is not None,
            addresses=tuple(_addresses(who, user, profile)),
            guesses=tuple(self._linker.guesses(who, view)),
            log=tuple(self._log(who.log(), user, view)),
            health=self._health(view),
            is_shown=not self._directory.now().is_hidden(own) if own else None,
        )

    def _slow(self, user: str, view: RequestContext, known: TabContent) -> TabContent:
        troubles = list[str]()

        def part(what: str, made: Callable[[], T], otherwise: T) -> T:
            try:
                return made()
            except AlmanacError as error:
                log.warning("%s cannot be shown in Home: %s", what, error)
                troubles.append(NOT_NOW.format(what=what, why=error.public_text))
            except Exception:  # the rest of the tab is none the worse for it
                log.exception("%s cannot be shown in Home", what)
                troubles.append(NOT_NOW.format(what=what, why=BROKEN))
            return otherwise

        return replace(
            known,
            months=part("Your months", lambda: self._months.of(view) or MonthBriefs(), MonthBriefs()),
            digests=part("The digests", lambda: tuple(self._rights.rows(user, view)), NO_ROWS),
            troubles=tuple(troubles),
        )

    # who they are

    def _log(self, every: Iterable[IdentityLogLine], user: str, view: RequestContext) -> list[IdentityLogLine]:
        """What was said last of a user's own addresses or by them; of everybody for an admin, what waits for one
        first. Addresses that stand only where they may not read are left out. What can be undone has a key."""
        admin, theirs, unread = view.is_admin, view.reader.proven, self.people(view).unread
        lines = [
            one
            for one in every
            if one.by == user
            or theirs.has(one.person)
            or (admin and unread.isdisjoint((plain(one.person), plain(one.address))))
        ]
        lines.sort(key=lambda one: admin and one.waits, reverse=True)
        return [
            replace(one, key="" if one.is_undone else one.key, waits=admin and one.waits and one.by != user)
            for one in lines[: home_texts.MOST_LINES]
        ]

    # the workspace

    def _health(self, view: RequestContext) -> IndexHealth:
        hidden = view.sight.hidden
        read = [one for one in self._store.commits.repositories() if one.name not in hidden]
        if not read:
            return IndexHealth()
        until = self._settings.now() + timedelta.resolution
        return IndexHealth(
            tuple(one.name for one in read),
            self._store.commits.latest(until, without=sorted(hidden)),
            max((one.indexed_at for one in read if one.indexed_at), default=None),
            tuple((one.name, one.failure) for one in read if one.failure),
        )


def _addresses(who: IdentityService, user: str, profile: str) -> Iterator[Address]:
    """All addresses of a user; of the first ones it is looked at whether they can say that one is not theirs."""
    for number, one in enumerate(who.addresses(user, profile)):
        sentence = ""
        if number < home_texts.MOST_ADDRESSES:
            with suppress(AlmanacError):  # almanac.toml says so, or a GitHub account
                sentence = who.disclaim(one.address, user, profile).sentence
        is_profile = bool(profile) and one.address == profile
        why = f"the address in your profile; {one.why}" if is_profile else reason_of(one)
        yield Address(one.address, why, sentence)
