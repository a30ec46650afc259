"""What is pressed in Home → what is done, and the sentence that says so.

Whoever presses is looked at anew each time: what a button holds only says what is meant, never who may do it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import wraps
from itertools import combinations
from typing import Any, Concatenate, ParamSpec

from bot.ask.people.identity import IdentityService
from bot.ask.people.proposal import Proposal
from bot.errors import AlmanacError
from bot.model import Person
from bot.month.people import described
from bot.slack.answer_actions import NO_QUESTION, Action
from bot.slack.buttons import asked
from bot.slack.conversation import IN_DIRECT, Conversation
from bot.slack.failures import explained, explains
from bot.slack.linking import Linker
from bot.slack.request import Request, RequestContext
from bot.slack_app.home.content import ADMINS_ONLY, HomeTab
from bot.slack_app.home.modals import proposal_in
from bot.story.wording import clean, count
from storage import Store

FAILED = "what was pressed in Home could not be done"
UNPROVED = "I do not know for sure who you are in git: say so first, here."
APART = (
    "{one} and {other} have several addresses each, so this cannot be said here: give each of them a [[people]] table "
    "in almanac.toml."
)


P = ParamSpec("P")


def _whole(act: Callable[Concatenate[HomeActions, P], str]) -> Callable[Concatenate[HomeActions, P], str]:
    """What an act writes is written in one go; where it fails, nothing is, and it returns why."""

    @explains(FAILED)
    @wraps(act)
    def done(actions: HomeActions, /, *arguments: P.args, **named: P.kwargs) -> str:
        with actions.store.together():
            return act(actions, *arguments, **named)

    return done


class HomeActions:
    """Does what Home offers. Its methods block, never raise, and any thread may call them. A press that is delivered
    again is for the caller to drop."""

    def __init__(self, home_tab: HomeTab, conversation: Conversation, linker: Linker, store: Store) -> None:
        self.store = store
        self._tab = home_tab
        self._conversation = conversation
        self._linker = linker

    @explains(FAILED)
    def ask(self, press: Action) -> str:
        """Answer the question a button holds in the direct messages of whoever pressed it. Empty, or why not."""
        self._tab.seen(press.user)
        try:
            question = asked(press.value)
        except ValueError:
            return NO_QUESTION
        asker = Request(press.user, press.channel, alone=True)
        answer = self._conversation.answering.question(question, asker, IN_DIRECT)
        key = self._conversation.key("home", press.user, press.action_id, press.at)
        return self._conversation.answered(key, press.channel or press.user, answer, press.user)

    # who they are

    def claim(self, user: str, text: str) -> Proposal | str:
        """What would be done if a user said that an address is theirs, or why they cannot say so."""
        try:
            view = self._tab.seen(user)
            return self._linker.who(view).claim(text, user, view.member.proved_address, is_admin=view.is_admin)
        except Exception as error:
            return explained(error, FAILED)

    @_whole
    def confirm(self, user: str, shown: Mapping[str, Any]) -> str:
        """Do what a modal asked a user whether they mean it."""
        return self._linker.confirm(proposal_in(shown), self._tab.seen(user))

    @_whole
    def this_is_me(self, press: Action) -> str:
        return self._linker.confirm(Proposal.of(_object(press.value)), self._tab.seen(press.user))

    @_whole
    def not_me(self, press: Action) -> str:
        """Note that an address is not theirs. It can be undone."""
        view = self._tab.seen(press.user)
        who, profile = self._linker.who(view), view.member.proved_address
        return who.confirm(who.disclaim(press.value, press.user, profile), press.user, profile)

    @_whole
    def undo(self, press: Action) -> str:
        view = self._tab.seen(press.user)
        profile = view.member.proved_address
        return self._linker.who(view).undo(press.value, press.user, profile, is_admin=view.is_admin)

    @_whole
    def accept(self, press: Action) -> str:
        """Confirm what somebody said of themselves."""
        view = self._tab.seen(press.user)
        return self._linker.who(view).accept(press.value, press.user, is_admin=view.is_admin)

    @_whole
    def hide(self, press: Action) -> str:
        who, person = self._themselves(press.user)
        return who.hide(person, press.user)

    @_whole
    def show(self, press: Action) -> str:
        who, person = self._themselves(press.user)
        return who.show(person, press.user)

    def _themselves(self, user: str) -> tuple[IdentityService, Person]:
        """Somebody with what is proven to be theirs: nobody speaks for more."""
        view = self._tab.seen(user)
        who = self._linker.who(view)
        person = who.own(user, view.member.proved_address)
        if person is None:
            raise AlmanacError(UNPROVED)
        return who, person

    # for admins

    @_whole
    def same(self, press: Action) -> str:
        """Put people together."""
        linking, (first, *others) = self._tab.linking(), self._reviewed(press)
        said = [linking.link(first.addresses[0], [one.addresses[0]], press.user, confirmed=True) for one in others]
        return said[-1].split("\n", 1)[0]

    @_whole
    def different(self, press: Action) -> str:
        """Note of people that no two of them are one, so that they are not suggested again."""
        people = self._reviewed(press)
        for one, other in combinations(people, 2):
            if len(one.addresses) > 1 and len(other.addresses) > 1:
                raise AlmanacError(APART.format(one=clean(described(one)), other=clean(described(other))))
        for one, other in combinations(people, 2):
            whole, single = (one, other) if len(other.addresses) == 1 else (other, one)
            self._tab.linking().unlink(whole.addresses[0], single.addresses[0], press.user)
        return f"Noted: {', '.join(clean(one.addresses[0]) for one in people)} are not one person's."

    @_whole
    def accept_all(self, press: Action) -> str:
        """Put together all who may be one, but for the doubtful."""
        found = [one for one in self._tab.suggested(self._as_admin(press)) if not one.doubt]
        linked = 0
        for one in found:
            first, *others = (person.addresses[0] for person in one.people)
            with suppress(AlmanacError):  # what was linked before may stand against it
                self._tab.linking().link(first, others, press.user, confirmed=True)
                linked += 1
        return f"Done: {count(linked, 'suggestion')} accepted." if found else "There is nothing to accept."

    @_whole
    def apart(self, press: Action) -> str:
        """Say of what is somebody's by name that it is not."""
        people = self._tab.people(self._as_admin(press))
        address = str(_object(press.value)["address"])
        for first, *others in filter(None, map(people.joined_by_name, people.shown)):
            for part in others:
                if address in part:
                    self._tab.linking().part(part, first[0], press.user)
                    return f"Noted: {clean(address)} and {clean(first[0])} are not one person's."
        raise AlmanacError("who is who has changed since: look again")

    def _as_admin(self, press: Action) -> RequestContext:
        view = self._tab.seen(press.user)
        if not view.is_admin:
            raise AlmanacError(ADMINS_ONLY)
        return view

    def _reviewed(self, press: Action) -> list[Person]:
        """The people whom an admin's button means: one for each address, among those they may know of."""
        view = self._as_admin(press)
        addresses = [str(one) for one in _object(press.value)["addresses"]]
        owners = {one: person for person in self._tab.people(view).shown for one in person.addresses}
        people = list(dict.fromkeys(owners[one] for one in addresses if one in owners))
        if len(people) < 2:
            raise AlmanacError("who is who has changed since: look again")
        return people


def _object(value: str) -> dict[str, Any]:
    held = json.loads(value)
    if not isinstance(held, dict):
        raise ValueError("this button holds no object")
    return held
