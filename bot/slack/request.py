"""What is asked of the bot in Slack, by whom and where, and what they may see there: read once for each request."""

from __future__ import annotations

from dataclasses import dataclass

from bot.ask.query_service import QueryService
from bot.slack.audience import AccessRules, Place, Reader, Sight, is_admin, may_ask_about_others
from bot.slack.members import Member

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
    member: Member
    reader: Reader
    place: Place
    rules: AccessRules
    sight: Sight
    queries: QueryService

    @property
    def is_admin(self) -> bool:
        return is_admin(self.reader, self.rules)

    @property
    def may_ask_about_others(self) -> bool:
        return may_ask_about_others(self.reader, self.rules)


class AccessRefused(Exception):
    """Nothing may be shown; its text is the sentence to say instead."""

    def __init__(self, words: str, privately: bool) -> None:
        super().__init__(words)
        self.privately = privately
