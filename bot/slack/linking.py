"""“This address is me”: whose an address is, what can be said of it, and a button that does it once it was read.

What the button holds is proposed again when it is pressed, so that nobody can link what they may not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from bot.ask.people.identity import IdentityService, Mine, Proposal
from bot.ask.people.linking import spoken
from bot.errors import AlmanacError
from bot.settings import Settings
from bot.slack.directory import Members
from bot.slack.elements import LINK, Block, Message, actions, button, compact, cut_short, plain, words_message
from bot.slack.request import RequestContext, sentence
from bot.story.render import slack, slack_lines
from bot.story.wording import clean, count
from storage import Store
from storage.outbox import Post

HOW = "Say which is yours by /almanac link and an address or a login, such as /almanac link jdoe@example.com."
NOT_PROVEN = "not proven to be yours, so that you cannot correct what was written under it before an admin confirms it"
MOST_SHOWN = 20  # addresses
CLAIMED = (
    "{who} says in Slack that {what} is theirs. {counts} Whether that is so is for you to say: confirm or decline it "
    "in my Home tab."
)
COUNTS = {True: "It counts for nothing until an admin confirms it.", False: "It is shown so from now on, as unproven."}


@dataclass(frozen=True, slots=True)
class Guessed:
    """Somebody the reader may be, why, and what saying so would do; how many commits they have where that may be
    shown."""

    name: str
    commits: int | None
    reason: str
    proposal: Proposal


class Linker:
    """Says who is who, and changes it. Its methods block, and any thread may call them."""

    def __init__(self, store: Store, settings: Settings, members: Members) -> None:
        self._store, self._settings, self._members = store, settings, members

    def who(self, context: RequestContext) -> IdentityService:
        """Who is who, as whoever asks may know it."""
        directory, now, bots = context.queries.directory, self._settings.now, self._settings.bots
        view = directory.view(context.sight.hidden, *context.queries.apart)
        discreet = not context.may_ask_about_others
        return IdentityService(self._store, directory.now, now, bots, self._called(), view, discreet=discreet)

    def _called(self) -> Callable[[str], str]:
        """How those who said something are written: users of Slack by the name they have there."""

        @cache
        def name_of(who: str) -> str:
            is_user = self._store.slack_users.user(who) is not None
            return clean(self._members.member(who).name if is_user else who) or clean(who)

        return name_of

    def messages(self, topic: str, context: RequestContext, *, undo: bool = False) -> list[Message]:
        """Whose an address is, or without one who the reader is, with what they can say of it."""
        who, user = self.who(context), context.member.id
        profile, admin = context.member.proved_address, context.is_admin
        wanted = topic.strip().strip("`<>")
        if not wanted:
            return [self._me(who, context)]
        try:
            if undo:
                return [_proposed("", who.disclaim(wanted, user, profile))]
            whose = who.whose(wanted, user, profile, is_admin=admin)
            if whose.proposal:
                return [_proposed(whose.words, whose.proposal)]
        except AlmanacError as error:
            return [_message(sentence(error.public_text))]
        if not whose.refused:
            return [_message(whose.words)]
        said = sentence(whose.refused)
        return [_message(said if whose.person is None else f"{whose.words} {said}".strip())]

    def _me(self, who: IdentityService, context: RequestContext) -> Message:
        user, profile = context.member.id, context.member.proved_address
        person = who.person(user, profile)
        lines = [f"You are {clean(person.name)}:"] if person else ["I do not know yet who you are in git."]
        mine = who.addresses(user, profile)
        lines += [f"• {clean(each.address)}: {reason_of(each)}" for each in mine[:MOST_SHOWN]]
        buttons = list[Block | None]()
        for number, one in enumerate(self.guesses(who, context)):
            label = f"{one.name}, {one.proposal.address}"
            buttons.append(button(label, f"{LINK}.{number}", compact(one.proposal.document())))
            commits = "" if one.commits is None else f", {count(one.commits, 'commit')}"
            lines.append(f"You may be {clean(one.name)} ({clean(one.proposal.address)}{commits}): {one.reason}.")
        lines.append(HOW)
        return _message("\n".join(lines), actions(buttons))

    def guesses(self, who: IdentityService, context: RequestContext) -> Iterator[Guessed]:
        """Whom in git whoever asks may be."""
        user, profile = context.member.id, context.member.proved_address
        for guess in who.proposals(user, context.member.name, profile):
            with suppress(AlmanacError):  # it is somebody else's by now
                proposal = who.claim(guess.address, user, profile)
                commits = guess.person.commits if context.may_ask_about_others else None
                yield Guessed(guess.person.name, commits, guess.reason, proposal)

    def confirm(self, proposal: Proposal, context: RequestContext) -> str:
        """Do what was proposed to whoever asks, tell the admins of what they said of themselves, and say that it is
        done. Raises AlmanacError where it cannot be."""
        user, admin = context.member.id, context.is_admin
        said = self.who(context).confirm(proposal, user, context.member.proved_address, is_admin=admin)
        if proposal.action == "link" and not admin:
            self._tell_of_claim(proposal, user)
        return said

    def _tell_of_claim(self, claim: Proposal, user: str) -> None:
        """Write down a direct message to each admin of what a user has just said of themselves; the clock sends it."""
        now = self._settings.now()
        who, counts = clean(self._members.member(user).name) or user, COUNTS[self._settings.privacy.claims_wait]
        message = words_message(slack(CLAIMED.format(who=who, what=spoken(claim.address), counts=counts)))
        for admin in self._members.admins():
            if admin != user:
                key = f"claim|{user}|{claim.address.casefold()}|{now:%Y%m%d%H%M%S}|{admin}"
                self._store.outbox.plan([Post(key, admin, message.payload())], now)


def reason_of(one: Mine) -> str:
    """Why an address is shown as somebody's; and that it gives them no right, where that is so."""
    return one.why if one.proven or "@" not in one.address[1:] else f"{one.why}; {NOT_PROVEN}"


def _proposed(words: str, proposal: Proposal) -> Message:
    said = f"{words} {proposal.sentence}".strip()
    label = "Yes, that is me" if proposal.action == "link" and proposal.address == proposal.person else "Confirm"
    return _message(said, actions([button(label, f"{LINK}.0", compact(proposal.document()), style="primary")]))


def _message(text: str, below: Sequence[Block] = ()) -> Message:
    shown = cut_short(text)
    return Message(slack_lines(shown), ({"type": "section", "text": plain(shown)}, *below))
