"""What a question can be about: what is known, and what the conversation was about so far. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from bot.model import Identity, Person
from bot.month.calendar import Days
from bot.month.people import Directory


@dataclass(frozen=True, slots=True)
class Thread:
    """What a conversation is about, so that a follow-up need not say it again.

    `listed` are the references of the changes that the last answer listed, in its order, at most 20; `said` is the last
    question as typed. `person` is one of `people`, where there are several the first. `shown` is whose
    work alone the last answer showed. `unread` is what was not understood of what was answered; what was not answered
    at all leaves a thread behind that `is_unsure`.
    """

    person: str | None = None
    span: Days | None = None
    repositories: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    team: str | None = None
    topic: str | None = None
    paths: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    release: str | None = None
    intent: str | None = None
    listed: tuple[str, ...] = ()
    said: str = ""
    states: tuple[str, ...] = ()
    order: str | None = None
    is_unsure: bool = False
    unread: tuple[str, ...] = ()
    shown: str = ""

    @classmethod
    def of(cls, remembered: Mapping[str, Any] | None) -> Thread:
        """From {"person", "from", "to", "repos"}; what is missing or no time is left out."""
        remembered = remembered or {}
        try:
            span = Days.parse(str(remembered["from"]), str(remembered["to"]))
        except (KeyError, ValueError):
            span = None
        texts = {
            name: tuple(map(str, values)) if isinstance(values := remembered.get(name), list) else ()
            for name in ("repos", "people", "paths", "kinds", "without", "listed", "states", "unread")
        }
        one = {
            name: str(remembered[name]) if remembered.get(name) else None
            for name in ("person", "team", "topic", "release", "intent", "said", "order", "shown")
        }
        people = texts["people"] or ((one["person"],) if one["person"] else ())
        return cls(
            one["person"] or (people[0] if people else None), span, texts["repos"], people, one["team"], one["topic"],
            texts["paths"], texts["kinds"], texts["without"], one["release"], one["intent"],
            texts["listed"][:MOST_LISTED], one["said"] or "", texts["states"], one["order"],
            bool(remembered.get("unsure")), texts["unread"], one["shown"] or "",
        )  # fmt: skip

    def document(self) -> dict[str, Any]:
        """As `of` reads it; of what a thread may hold more than person, time and repositories, only what it holds."""
        more = {
            "people": list(self.people), "team": self.team, "topic": self.topic, "paths": list(self.paths),
            "kinds": list(self.kinds), "without": list(self.without), "release": self.release, "intent": self.intent,
            "listed": list(self.listed), "said": self.said, "states": list(self.states), "order": self.order,
            "unsure": self.is_unsure, "unread": list(self.unread),
            "shown": self.shown,
        }  # fmt: skip
        return {
            "person": self.person,
            "from": self.span.ends[0] if self.span else None,
            "to": self.span.ends[1] if self.span else None,
            "repos": list(self.repositories),
        } | {name: value for name, value in more.items() if value}


MOST_LISTED = 20  # changes of an answer that a follow-up can speak of
_NOT_GIVEN = Directory(())


@dataclass(frozen=True, slots=True)
class Known:
    """What there is to ask about.

    `asker` is the person who asks and `member` finds the person behind a Slack user's id; both give None for
    somebody whose commits are not known. `written` counts the commits of an identity in a time and in some
    repositories, in all where none are named; None where that is not known. `teams` are the names of teams, and `tags`
    those of each repository's releases. `sprint` is the first day of one of the sprints and how many days each has.
    `may_be_offered` says who may be, in place of a name that nobody has: no machine, and nobody who asked not to be
    shown. `bots` are the machines that were active in a time. `knows_word` tells whether a word stands in any message,
    `knows_path` whether a file or folder is called so; `holds` whether the title of a change, or a path, has all words
    of a topic, or also, if that is enough, the message.
    """

    people: Sequence[Person]
    repositories: Sequence[str] = ()
    asker: Person | None = None
    member: Callable[[str], Person | None] = field(default=lambda _: None)
    written: Callable[[Days, Sequence[str]], Callable[[Identity], int]] | None = None
    teams: Sequence[str] = ()
    tags: Mapping[str, Sequence[str]] = field(default_factory=dict)
    sprint: tuple[date, int] | None = None
    may_be_offered: Callable[[Person], bool] = field(default=lambda _: True)
    bots: Callable[[Days], Sequence[Person]] = field(default=lambda _: ())
    knows_word: Callable[[str], bool] = field(default=lambda _: False)
    knows_path: Callable[[str], bool] = field(default=lambda _: False)
    holds: Callable[[str, bool], bool] = field(default=lambda *_: True)
    directory: Directory = field(default=_NOT_GIVEN, repr=False, compare=False)  # of `people`; made unless given

    def __post_init__(self) -> None:
        if self.directory is _NOT_GIVEN:
            object.__setattr__(self, "directory", Directory(self.people))


def by_slack_id(people: Sequence[Person]) -> dict[str, Person]:
    """Who has a Slack user's id beside their name in almanac.toml, by that id."""
    return {person.slack.upper(): person for person in people if person.slack}
