"""What is pressed in Home → what is done, and the sentence that says so.

Whoever presses is looked at anew each time: what a button holds only says what is meant, never who may do it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from bot.ask.people.identity import IdentityService
from bot.ask.people.proposal import Proposal
from bot.errors import AlmanacError
from bot.model import Person
from bot.slack.answering import IN_DIRECT, NO_QUESTION, Conversation
from bot.slack.elements import asked
from bot.slack.linking import Linker
from bot.slack.payloads import Action
from bot.slack.request import Request, explained, explains
from bot.slack_app.home import modals
from bot.slack_app.home.content import HomeTab
from bot.slack_app.home.modals import proposal_in
from bot.slack_app.windows import Ending
from storage import Store

FAILED = "what was pressed in Home could not be done"
UNPROVED = "I do not know for sure who you are in git: say so first, here."

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

    def claimed(self, user: str, shown: Mapping[str, Any]) -> Ending:
        """What would be done if a user said that the address they typed is theirs, or why they cannot say so."""
        try:
            view, address = self._tab.seen(user), modals.typed(shown)
            who = self._linker.who(view)
            claim = who.claim(address, user, view.member.proved_address, is_admin=view.is_admin)
            return Ending(modals.confirming(claim, shown))
        except Exception as error:
            why = explained(error, FAILED)
            return replace(Ending.saying(modals.TITLE, why), errors={modals.ADDRESS: why})

    def confirmed(self, user: str, shown: Mapping[str, Any]) -> Ending:
        return Ending.saying(modals.TITLE, self.confirm(user, shown))

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


def _object(value: str) -> dict[str, Any]:
    held = json.loads(value)
    if not isinstance(held, dict):
        raise ValueError("this button holds no object")
    return held
