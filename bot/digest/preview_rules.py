"""Who is asked before a digest is posted, and what of their answers counts when it is made. Pure.

Nobody waits for an answer: what was said until the digest is made counts. A digest that is late, or that makes up for
one that was missed, is posted without asking anybody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo

from bot.ask.people.proven import Proven
from bot.digest.subscription import DigestSubscription
from bot.month.calendar import Period
from bot.slack.packing import Block, Message
from bot.story.documents import DigestDocument, MonthDocument
from bot.story.wording import clean, count
from storage.digests import Preview

LONGEST_NOTE = 300  # characters
ASKED_NOT = "{commits} by {people} {are} left out: they wanted it so, or did not answer."
WANTED_SO = "{commits} by {people} {are} left out, as they wanted."


@dataclass(frozen=True, slots=True)
class PreviewReplies:
    """What counts of what people said: who is left out, what somebody adds in their own words, and who wants to be
    mentioned, by the id they have in Slack. Each speaks for what is proven to be theirs, and for no more."""

    left_out: tuple[Proven, ...] = ()
    notes: tuple[tuple[Proven, str], ...] = ()
    mentions: tuple[tuple[Proven, str], ...] = ()
    is_asked_for: bool = True  # whether all who are left out said so themselves

    @property
    def users(self) -> list[Proven]:
        """All of whom something counts."""
        return [*self.left_out, *(one for one, _ in (*self.notes, *self.mentions))]


NO_REPLIES = PreviewReplies()


def to_ask(now: datetime, wanted: Iterable[DigestSubscription]) -> Iterator[tuple[DigestSubscription, Period]]:
    """The digests of which people are to be asked now, each with its period: from so many days before it is due on,
    but not before the period has begun."""
    for one in wanted:
        if not one.preview_days or one.is_paused or one.first is None:
            continue
        period = one.upcoming(now)
        begun, _ = period.bounds(ZoneInfo(one.zone))
        due = one.due_at(period)
        if str(period) >= str(one.first) and max(due - timedelta(days=one.preview_days), begun) <= now < due:
            yield one, period


def replies_that_count(
    answers: Iterable[Preview],
    asked: Collection[str],
    unanswered: Literal["post", "leave out"],
    people: Mapping[str, Proven],
    mentioned: Mapping[str, Proven],
) -> PreviewReplies:
    """What counts of the answers. `asked` are the users whom the question reached, and `people` says what is proven to
    be a user's."""
    left_out, notes, silent = list[Proven](), list[tuple[Proven, str]](), False
    for one in answers:
        person = people.get(one.user)
        if person is None:
            continue
        is_silent = one.answer == "asked" and not one.note and unanswered == "leave out" and one.user in asked
        if one.answer == "skip" or is_silent:
            left_out.append(person)
            silent = silent or is_silent
        elif one.note:
            notes.append((person, one.note))
    mentions = tuple((person, user) for user, person in sorted(mentioned.items()) if person not in left_out)
    return PreviewReplies(tuple(left_out), tuple(notes), mentions, not silent)


def fitting(text: str) -> str:
    """Somebody's own words as they are kept: in one line, cut to LONGEST_NOTE."""
    return clean(text)[:LONGEST_NOTE].strip()


def is_of(document: MonthDocument, user: Proven) -> bool:
    """Whether a person's document in a digest is that of a user, who is shown in it by themselves."""
    return any(map(user.has, document.person.addresses))


def with_replies(document: DigestDocument, said: PreviewReplies, commits: int) -> DigestDocument:
    """The document of a digest with what people said of it. It was made without those who are left out, who have
    `commits` in its period."""
    people = tuple(
        replace(one, own_words=words) if (words := _words(one, said.notes)) else one for one in document.people
    )
    document = replace(document, people=people)
    if not commits:
        return document
    words = (WANTED_SO if said.is_asked_for else ASKED_NOT).format(
        commits=count(commits, "commit"),
        people=count(len(said.left_out), "person", "people"),
        are="is" if commits == 1 else "are",
    )
    return replace(document, notes=(*document.notes, words))


def _words(one: MonthDocument, notes: Sequence[tuple[Proven, str]]) -> str:
    return next((fitting(words) for person, words in notes if is_of(one, person)), "")


def with_mentions(messages: Sequence[Message], document: DigestDocument, said: PreviewReplies) -> list[Message]:
    """The messages of a digest, in which those are mentioned, instead of named, who want to be: where it tells of them
    first, once. Whoever shares a name with somebody else in it is only named."""
    names = [one.person.name for one in document.people]
    users = {
        one.person.name: user
        for one in document.people
        for person, user in said.mentions
        if is_of(one, person) and names.count(one.person.name) == 1
    }
    if not users:
        return list(messages)
    left = dict(users)
    return [replace(message, blocks=tuple(_mentioning(list(message.blocks), left))) for message in messages]


def _mentioning(node: Any, users: dict[str, str]) -> Any:
    """The same blocks, with a user in the place of the bold text that is nothing but their name."""
    if isinstance(node, list):
        return [_mentioning(one, users) for one in node]
    if not isinstance(node, dict):
        return node
    if node.get("type") == "text" and node.get("style") == {"bold": True} and node["text"] in users:
        return _user(users.pop(node["text"]))
    if node.get("type") in ("rich_text", "rich_text_section", "rich_text_list"):
        return {**node, "elements": _mentioning(node["elements"], users)}
    return node


def _user(user: str) -> Block:
    return {"type": "user", "user_id": user}
