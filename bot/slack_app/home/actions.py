"""What is pressed in Home → what is done, and the sentence that says so.

Whoever presses is looked at anew each time: what a button holds only says what is meant, never who may do it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from itertools import combinations
from typing import Any

from bot.ask.people.proposal import Proposal
from bot.errors import AlmanacError
from bot.model import Person
from bot.month.people import described
from bot.slack.answer_actions import NO_QUESTION, Action, Actions
from bot.slack.answering import Request, RequestContext
from bot.slack.buttons import asked
from bot.slack.conversation import DIRECT, IN_DIRECT, Conversation
from bot.slack.failures import explained, said_of
from bot.slack.refusals import what_to_do
from bot.slack_app.home.content import ADMINS_ONLY, HomeTab
from bot.story.wording import clean, count
from storage import Store

FAILED = "what was pressed in Home could not be done"
UNPROVED = "I do not know for sure who you are in git: say so first, here."
APART = (
    "{one} and {other} have several addresses each, so this cannot be said here: give each of them a [[people]] table "
    "in almanac.toml."
)
UNSENT = "The answer could not be sent: {why}."


class HomeActions:
    """Does what Home offers. Its methods block, never raise, and any thread may call them."""

    def __init__(self, home_tab: HomeTab, conversation: Conversation, actions: Actions, store: Store) -> None:
        self._tab = home_tab
        self._conversation = conversation
        self._actions = actions
        self._store = store

    def _done(self, user: str, done: Callable[[RequestContext], str]) -> str:
        return said_of(FAILED, lambda: done(self._tab.seen(user)))

    def _once(self, press: Action, done: Callable[[RequestContext], str]) -> str:
        """The same, unless the press is delivered again: then nothing is done and nothing said."""
        return self._done(press.user, done) if self._actions.first_time(press) else ""

    def ask(self, press: Action, channel: str) -> str:
        """Answer the question a button holds in the direct messages of whoever pressed it. Empty, or why not."""

        def done(_: RequestContext) -> str:
            try:
                question = asked(press.value)
            except ValueError:
                return NO_QUESTION
            answer = self._conversation.answering.question(
                question, Request(press.user, channel, alone=True), IN_DIRECT
            )
            key = self._conversation.key("home", press.user, press.action_id, press.at)
            if self._conversation.post(key, channel or press.user, answer.messages, None) and channel:
                self._conversation.remember(channel, DIRECT, answer.about)
            if self._conversation.sent(key) in ("sent", "planned", "sending"):
                return ""
            post = self._store.outbox.get(key)
            return UNSENT.format(why=what_to_do((post.error or "").partition(":")[0] if post else ""))

        return self._once(press, done)

    # who they are

    def claim(self, user: str, text: str) -> Proposal | str:
        """What would be done if a user said that an address is theirs, or why they cannot say so."""
        try:
            view = self._tab.seen(user)
            profile, admin = self._tab.profile(user), self._tab.is_admin(view)
            return self._tab.who(view).claim(text, user, profile, is_admin=admin)
        except Exception as error:
            return explained(error, FAILED)

    def confirm(self, user: str, made: Callable[[], Proposal]) -> str:
        """Do what a user was asked whether they mean it."""

        def done(view: RequestContext) -> str:
            admin = self._tab.is_admin(view)
            proposal = made()
            said = self._tab.who(view).confirm(proposal, user, self._tab.profile(user), is_admin=admin)
            if proposal.action == "link" and not admin:
                self._tab.tell_of_claim(proposal, user)
            return said

        return self._done(user, done)

    def this_is_me(self, press: Action) -> str:
        return self._once(press, lambda _: self.confirm(press.user, lambda: Proposal.of(_object(press.value))))

    def not_me(self, press: Action) -> str:
        """Note that an address is not theirs. It can be undone."""

        def done(view: RequestContext) -> str:
            who, profile = self._tab.who(view), self._tab.profile(press.user)
            return who.confirm(who.disclaim(press.value, press.user, profile), press.user, profile)

        return self._once(press, done)

    def undo(self, press: Action) -> str:
        def done(view: RequestContext) -> str:
            admin, profile = self._tab.is_admin(view), self._tab.profile(press.user)
            return self._tab.who().undo(press.value, press.user, profile, is_admin=admin)

        return self._once(press, done)

    def accept(self, press: Action) -> str:
        """Confirm what somebody said of themselves."""

        def done(view: RequestContext) -> str:
            return self._tab.who(view).accept(press.value, press.user, is_admin=self._tab.is_admin(view))

        return self._once(press, done)

    def hide(self, press: Action) -> str:
        return self._once(press, lambda view: self._tab.who().hide(self._themselves(press.user, view), press.user))

    def show(self, press: Action) -> str:
        return self._once(press, lambda view: self._tab.who().show(self._themselves(press.user, view), press.user))

    def _themselves(self, user: str, view: RequestContext) -> Person:
        """Somebody with what is proven to be theirs: nobody speaks for more."""
        person = self._tab.who(view).own(user, self._tab.profile(user))
        if person is None:
            raise AlmanacError(UNPROVED.rstrip("."))
        return person

    # for admins

    def same(self, press: Action) -> str:
        """Put people together."""

        def done(view: RequestContext) -> str:
            people = self._reviewed(press, view)
            first, said = people[0], ""
            for other in people[1:]:
                said = self._tab.linking().link(first.addresses[0], [other.addresses[0]], press.user, confirmed=True)
            return said.split("\n", 1)[0]

        return self._once(press, done)

    def different(self, press: Action) -> str:
        """Note of people that no two of them are one, so that they are not suggested again."""

        def done(view: RequestContext) -> str:
            people = self._reviewed(press, view)
            for one, other in combinations(people, 2):
                if len(one.addresses) > 1 and len(other.addresses) > 1:
                    called = {"one": clean(described(one)), "other": clean(described(other))}
                    raise AlmanacError(APART.format(**called).rstrip("."))
            for one, other in combinations(people, 2):
                whole, single = (one, other) if len(other.addresses) == 1 else (other, one)
                self._tab.linking().unlink(whole.addresses[0], single.addresses[0], press.user)
            return f"Noted: {', '.join(clean(one.addresses[0]) for one in people)} are not one person's."

        return self._once(press, done)

    def accept_all(self, press: Action) -> str:
        """Put together all who may be one, but for the doubtful."""

        def done(view: RequestContext) -> str:
            self._as_admin(view)
            found = [one for one in self._tab.suggested(view) if not one.doubt]
            linked = 0
            for one in found:
                first, *others = (person.addresses[0] for person in one.people)
                with suppress(AlmanacError):  # what was linked before may stand against it
                    self._tab.linking().link(first, others, press.user, confirmed=True)
                    linked += 1
            return f"Done: {count(linked, 'suggestion')} accepted." if found else "There is nothing to accept."

        return self._once(press, done)

    def apart(self, press: Action) -> str:
        """Say of what is somebody's by name that it is not."""

        def done(view: RequestContext) -> str:
            self._as_admin(view)
            address, people = str(_object(press.value)["address"]), self._tab.people(view)
            for first, *others in filter(None, map(people.joined_by_name, people.shown)):
                for part in others:
                    if address in part:
                        self._tab.linking().part(part, first[0], press.user)
                        return f"Noted: {clean(address)} and {clean(first[0])} are not one person's."
            raise AlmanacError("who is who has changed since: look again")

        return self._once(press, done)

    def _as_admin(self, view: RequestContext) -> None:
        if not self._tab.is_admin(view):
            raise AlmanacError(ADMINS_ONLY.rstrip("."))

    def _reviewed(self, press: Action, view: RequestContext) -> list[Person]:
        """The people whom an admin's button means: one for each address, among those they may know of."""
        self._as_admin(view)
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
