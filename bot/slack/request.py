"""What is asked of the bot in Slack, by whom and where, and what they may see there: read once for each request."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

from bot.ask.correcting import Correctable
from bot.ask.people.proven import NOTHING_PROVEN
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.errors import AlmanacError
from bot.slack.audience import (
    About,
    AccessRules,
    Place,
    Reader,
    Sight,
    about,
    is_admin,
    may_ask_about_others,
    may_correct,
    sight,
)
from bot.story.wording import capital
from storage.people import SlackUser

NOBODYS = "Only the person concerned and admins can correct what is shown of a change."
UNSEEN = Sight(refused="")  # of whom nothing is asked yet
SORRY = "Something went wrong while I was answering; it is in my log. Please ask again."


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks, and where: `alone` where only they will read the answer."""

    user: str
    channel: str
    alone: bool = False


@dataclass(frozen=True, slots=True)
class RequestContext:
    """What a request is answered with, read once: who asks, what they may see there, and the index without the rest."""

    request: Request
    member: SlackUser
    reader: Reader
    place: Place
    rules: AccessRules
    sight: Sight
    queries: Queries

    def narrowed(self, meant: About) -> RequestContext:
        """The same where some people are asked about. Who may ask only about themselves is shown as what is proven to
        be theirs, lest they read others' commits as their own. Raises AccessRefused where nothing may be shown."""
        request, own = self.request, self.reader.proven
        seen = sight(self.reader, self.place, self.rules, meant, alone=request.alone)
        if seen.refused:
            raise AccessRefused(seen.refused, seen.privately)
        if seen == self.sight:
            return self
        reader = own if request.alone or seen.privately else NOTHING_PROVEN
        apart = () if self.may_ask_about_others else (own,)
        queries = replace(self.queries, hidden=seen.hidden, reader=reader, apart=apart)
        queries.indexed = self.queries.indexed
        return replace(self, sight=seen, queries=queries)

    @property
    def is_admin(self) -> bool:
        return is_admin(self.reader, self.rules)

    @property
    def may_ask_about_others(self) -> bool:
        return may_ask_about_others(self.reader, self.rules)

    @property
    def called(self) -> str:
        """How whoever asks is named to others, wherever they read it: by almanac.toml, else as in Slack."""
        return self.reader.proven.name or self.member.name or self.reader.user

    def may_correct(self, question: Question) -> bool:
        """Whether they may correct anything of what is shown of everybody whom a question is about."""
        whom = about(question, self.queries.known.everyone)
        if whom.others:
            return False
        return all(
            any(may_correct(self.reader, [one.address], self.rules) for one in person.identities if one.address)
            for person in whom.people
        )

    def correctable(self, sha: str) -> Correctable:
        """The change that a commit belongs to: their own, by proven addresses, or anybody's as an admin. Raises
        AlmanacError where they may not correct it, or there is none."""
        one = self.queries.corrector().of(sha)
        if not may_correct(self.reader, one.addresses, self.rules):
            raise AlmanacError(NOBODYS)
        return one


class AccessRefused(Exception):
    """Nothing may be shown; its text is the sentence to say instead."""

    def __init__(self, words: str, privately: bool) -> None:
        super().__init__(words)
        self.privately = privately


log = logging.getLogger(__name__)

UNKNOWN_BUTTON = "This button cannot be read any more: try again."


def explained(error: Exception, what: str) -> str:
    """Why something was not done. `what` is what failed, for the log, which has what nobody is shown."""
    if isinstance(error, AccessRefused):
        return str(error)
    if isinstance(error, AlmanacError):
        if error.public_text != str(error):  # which says that the rest is in the log
            log.warning("%s: %s", what, error)
        return sentence(error.public_text)
    if isinstance(error, ValueError | LookupError | TypeError):
        log.warning("%s: what it holds cannot be read", what, exc_info=error)
        return UNKNOWN_BUTTON
    log.error("%s", what, exc_info=error)
    return SORRY


def sentence(text: str) -> str:
    """What an error says, as a sentence; an address that it begins with stays as it is."""
    is_address = "@" in text.partition(" ")[0]
    begun = text if is_address else capital(text)
    return begun if begun.endswith(("?", "!", ".", ".”")) else f"{begun}."
