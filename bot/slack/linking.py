"""“This address is me”: whose an address is, what can be said of it, and a button that does it once it was read.

What the button holds is proposed again when it is pressed, so that nobody can link what they may not.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from bot.ask.everybody import Everybody
from bot.ask.people.identity import Proposal, WhoIsWho
from bot.errors import AlmanacError
from bot.settings import Settings
from bot.slack.audience import Reader, Rules, is_admin
from bot.slack.blocks import Block, Message
from bot.slack.buttons import LINK, actions, button, compact
from bot.slack.members import Members
from bot.story.render import slack
from bot.story.wording import clean, count
from storage import Store

HOW = "Say which is yours by /almanac link and an address or a login, such as /almanac link jdoe@example.com."
MOST_SHOWN = 20  # addresses


class Linker:
    """Says who is who, and changes it. Its methods block, and any thread may call them."""

    def __init__(self, store: Store, settings: Settings, members: Members) -> None:
        everybody = Everybody(store.identities, settings.people, settings.tools, settings.bots)
        self._members = members
        self._who = WhoIsWho(store, everybody, settings.now, settings.bots)

    def messages(self, topic: str, reader: Reader, rules: Rules, *, undo: bool = False) -> list[Message]:
        """Whose an address is, or without one who the reader is, with what they can say of it."""
        profile = self._members.member(reader.user).proved_address
        admin = is_admin(reader, rules)
        wanted = topic.strip().strip("`<>")
        if not wanted:
            return [self._me(reader.user, profile)]
        try:
            if undo:
                return [_proposed("", self._who.disclaim(wanted, reader.user, profile))]
            told = self._who.whose(wanted, reader.user, profile, is_admin=admin)
            if told.proposal:
                return [_proposed(told.words, told.proposal)]
            self._who.claim(wanted, reader.user, profile, is_admin=admin)
        except AlmanacError as error:
            said = f"{str(error)[:1].upper()}{str(error)[1:]}."
            return [_message(f"{told.words} {said}" if not undo else said)]
        return [_message(told.words)]

    def _me(self, user: str, profile: str) -> Message:
        """Who a user is, by which addresses, and who else they may be."""
        member = self._members.member(user)
        person = self._who.person(user, profile)
        lines = [f"You are {clean(person.name)}:"] if person else ["I do not know yet who you are in git."]
        mine = self._who.addresses(user, profile)
        lines += [f"• {clean(one.address)}: {one.why}" for one in mine[:MOST_SHOWN]]
        guesses = self._who.proposals(user, member.name, profile)
        proposals, buttons = list[Proposal](), list[Block | None]()
        for guess in guesses:
            try:
                proposals.append(self._who.claim(guess.address, user, profile))
            except AlmanacError:
                continue  # somebody else's by now
            label = f"{guess.person.name}, {guess.address}"
            buttons.append(button(label, f"{LINK}.{len(buttons)}", compact(proposals[-1].document())))
            commits = count(guess.person.commits, "commit")
            lines.append(f"You may be {clean(guess.person.name)} ({clean(guess.address)}, {commits}): {guess.reason}.")
        lines.append(HOW)
        return _message("\n".join(lines), actions(buttons))

    def confirm(self, value: str, reader: Reader, rules: Rules) -> Message:
        """Do what a button proposes, and say that it is done, or why not."""
        try:
            proposal = Proposal.of(json.loads(value))
            profile = self._members.member(reader.user).proved_address
            return _message(self._who.confirm(proposal, reader.user, profile, is_admin=is_admin(reader, rules)))
        except (AlmanacError, ValueError) as error:
            said = str(error) if isinstance(error, AlmanacError) else "that button cannot be read any more: ask again"
            return _message(f"{said[:1].upper()}{said[1:]}.")


def _proposed(words: str, proposal: Proposal) -> Message:
    said = f"{words} {proposal.sentence}".strip()
    label = "Yes, that is me" if proposal.action == "link" and proposal.address == proposal.person else "Confirm"
    return _message(said, actions([button(label, f"{LINK}.0", compact(proposal.document()), style="primary")]))


def _message(text: str, below: Sequence[Block] = ()) -> Message:
    shown = text if len(text) <= 3_000 else text[:2_999] + "…"
    section = {"type": "section", "text": {"type": "plain_text", "text": shown, "emoji": False}}
    return Message(slack_lines(shown), (section, *below))


def slack_lines(text: str) -> str:
    """Several lines, escaped for Slack."""
    return "\n".join(slack(line) for line in text.split("\n"))
