"""What the Home tab of somebody shows, gathered from the index, from what was said by hand, and from Slack.

All of it is for one reader's eyes, and none of it comes by any other way than `sight`: what they may not read is not
counted here either.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import TypeVar

from bot.ask.people.identity import IdentityService
from bot.ask.people.identity_log import IdentityLogLine
from bot.ask.people.linking import Linking
from bot.ask.people.proposal import Proposal
from bot.ask.people_directory import KnownPeople, Now, PeopleDirectory
from bot.errors import AlmanacError
from bot.month.addresses import plain
from bot.month.suggestions import Suggestion, suggestions
from bot.settings import Settings
from bot.slack import forms
from bot.slack.admins import tell_of_claim
from bot.slack.answering import SORRY, AccessRefused, Answering, Request, RequestContext
from bot.slack.audience import is_admin, may_ask_about_others
from bot.slack.linking import names_by, reason_of
from bot.slack.members import Member, Members
from bot.slack_app.digests.rights import DigestRights
from bot.slack_app.digests.views import DigestRow
from bot.slack_app.home import texts as home_texts
from bot.slack_app.home import view as home
from bot.slack_app.home.months import HomeMonths
from bot.slack_app.home.review import reviewing
from bot.slack_app.home.values import (
    Address,
    ByName,
    Guessed,
    IndexHealth,
    LogLine,
    MonthBriefs,
    SuggestedPerson,
    TabContent,
)
from bot.story.wording import count
from storage import Store

log = logging.getLogger(__name__)

T = TypeVar("T")

NO_ROWS: tuple[DigestRow, ...] = ()
NOT_NOW = "{what} cannot be shown just now: {why}."
ADMINS_ONLY = "Only admins can say that of others."
BROKEN = "something went wrong, and is in my log"


class HomeTab:
    """Makes the Home tab. Its methods block, never raise but where they say so, and any thread may call them."""

    def __init__(
        self, answering: Answering, members: Members, store: Store, settings: Settings, rights: DigestRights
    ) -> None:
        self.answering = answering
        self.store = store
        self.settings = settings
        self._members = members
        self._rights = rights
        self._months = HomeMonths(answering, members, settings.now)
        self._directory = PeopleDirectory.of(store, settings)

    # who asks, and what they may

    def seen(self, user: str) -> RequestContext:
        """What somebody may see in Home. Raises AccessRefused where that is nothing."""
        return self.answering.context(Request(user, "", alone=True))

    def is_admin(self, view: RequestContext) -> bool:
        return is_admin(view.reader, view.rules)

    def profile(self, user: str) -> str:
        """The address that a user's profile proves to be theirs."""
        return self._members.member(user).proved_address

    def who(self, view: RequestContext | None = None) -> IdentityService:
        """Who is who; with a view, in words that tell of those whom its reader may know of."""
        visible = self._visible(view) if view else None
        names = names_by(self.store, self._members)
        return IdentityService(
            self.store, self._directory.now, self.settings.now, self.settings.bots, names, visible,
            discreet=view is not None and not may_ask_about_others(view.reader, view.rules),
        )  # fmt: skip

    def tell_of_claim(self, claim: Proposal, user: str) -> None:
        """Tell the admins what a user has just said of themselves."""
        tell_of_claim(self.store, self.settings, self._members, claim, user)

    def people(self, view: RequestContext) -> KnownPeople:
        """All whom a reader may know of, as they are shown to them."""
        return self._visible(view)()

    def _visible(self, view: RequestContext) -> Now:
        apart = () if may_ask_about_others(view.reader, view.rules) else (view.reader.proven,)
        return self._directory.view(view.sight.hidden, *apart)

    def linking(self) -> Linking:
        return Linking(self.store, self._directory.now, self.settings.now)

    # the tab

    def tab(self, user: str, channel: str, said: str = "", *, whole: bool = True) -> forms.View:
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

    def review_modal(self, user: str, kept: Mapping[str, str], said: str = "") -> forms.View:
        """The modal in which an admin looks through who is who."""
        try:
            view = self.seen(user)
            if not self.is_admin(view):
                return reviewing([], [], kept, ADMINS_ONLY)
            return reviewing([_reviewed(one) for one in self.suggested(view)], self._by_name(view), kept, said)
        except (AccessRefused, AlmanacError) as error:
            return reviewing([], [], kept, error.public_text if isinstance(error, AlmanacError) else str(error))

    def _quick(self, user: str, view: RequestContext) -> TabContent:
        reader = view.reader
        who, profile = self.who(view), self.profile(user)
        member, certain, own = self._members.member(user), who.person(user, profile), who.own(user, profile)
        person = certain or reader.person
        return TabContent(
            name=person.name if person else "",
            is_certain=person is None or certain is not None,
            addresses=tuple(self._addresses(user, view)),
            guesses=tuple(self._guesses(user, member, view)),
            log=tuple(self._log(user, view)),
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
                troubles.append(NOT_NOW.format(what=what, why=error))
            except Exception:  # the rest of the tab is none the worse for it
                log.exception("%s cannot be shown in Home", what)
                troubles.append(NOT_NOW.format(what=what, why=BROKEN))
            return otherwise

        return replace(
            known,
            months=part("Your months", lambda: self._months.of(user, view) or MonthBriefs(), MonthBriefs()),
            digests=part("The digests", lambda: tuple(self._rights.rows(user, view)), NO_ROWS),
            review=part("People who may be one", lambda: self._review(view), None),
            troubles=tuple(troubles),
        )

    # who they are

    def _addresses(self, user: str, view: RequestContext) -> list[Address]:
        """All addresses of a user; of the first ones it is looked at whether they can say that one is not theirs."""
        who, profile = self.who(view), self.profile(user)
        found = []
        for number, one in enumerate(who.addresses(user, profile)):
            sentence = ""
            if number < home_texts.MOST_ADDRESSES:
                with suppress(AlmanacError):  # almanac.toml says so, or a GitHub account
                    sentence = who.disclaim(one.address, user, profile).sentence
            is_profile = bool(profile) and one.address == profile
            why = f"the address in your profile; {one.why}" if is_profile else reason_of(one)
            found.append(Address(one.address, why, sentence))
        return found

    def _guesses(self, user: str, member: Member, view: RequestContext) -> list[Guessed]:
        profile, found = self.profile(user), list[Guessed]()
        who = self.who(view)
        for guess in who.proposals(user, member.name, profile):
            try:
                proposal = who.claim(guess.address, user, profile)
            except AlmanacError:
                continue  # somebody else's by now
            commits = guess.person.commits if may_ask_about_others(view.reader, view.rules) else None
            found.append(Guessed(guess.person.name, commits, guess.reason, proposal))
        return found

    def _log(self, user: str, view: RequestContext) -> list[LogLine]:
        """What was said last of a user's own addresses or by them; of everybody for an admin, what waits for one
        first. Addresses that stand only where they may not read are left out."""
        admin, theirs, unread = self.is_admin(view), view.reader.proven, self.people(view).unread

        def is_mine(one: IdentityLogLine) -> bool:
            return one.by == user or theirs.has(one.person)

        lines = [
            one
            for one in self.who().log()
            if is_mine(one) or (admin and unread.isdisjoint((plain(one.person), plain(one.address))))
        ]
        lines.sort(key=lambda one: admin and one.waits, reverse=True)
        return [
            LogLine(one.line, "" if one.is_undone else one.key, waits=admin and one.waits and one.by != user)
            for one in lines[: home_texts.MOST_LINES]
        ]

    # the workspace

    def _health(self, view: RequestContext) -> IndexHealth:
        hidden = view.sight.hidden
        read = [one for one in self.store.commits.repositories() if one.name not in hidden]
        if not read:
            return IndexHealth()
        until = self.settings.now() + timedelta.resolution
        return IndexHealth(
            tuple(one.name for one in read),
            self.store.commits.latest(until, without=sorted(hidden)),
            max((one.indexed_at for one in read if one.indexed_at), default=None),
            tuple((one.name, one.failure) for one in read if one.failure),
        )

    def _review(self, view: RequestContext) -> tuple[SuggestedPerson, ...] | None:
        """People who may be one, for an admin."""
        return tuple(map(_reviewed, self.suggested(view))) if self.is_admin(view) else None

    def _by_name(self, view: RequestContext) -> list[ByName]:
        """Who is one person by name, of those whom an admin may know of and who are shown."""
        people = self.people(view)
        parts = ((person, people.joined_by_name(person)) for person in people.shown)
        return [ByName(person.name, every[0][0], one[0]) for person, every in parts if every for one in every[1:]]

    def suggested(self, view: RequestContext) -> list[Suggestion]:
        """People who may be one, of those whom an admin may know of and who are shown."""
        people = self.people(view)
        presences = [one for one in self.store.identities.presences() if one.repository not in view.sight.hidden]
        apart = people.rules.hand.apart
        found = suggestions(people.shown, presences, self.settings.bots, apart)
        return [one for one in found if all(person.addresses for person in one.people)]


def _reviewed(one: Suggestion) -> SuggestedPerson:
    lines = tuple(f"{', '.join(person.addresses)}: {count(person.commits, 'commit')}" for person in one.people)
    return SuggestedPerson(
        one.people[0].name, lines, one.reasons, tuple(person.addresses[0] for person in one.people), one.doubt
    )
