"""What a question can be about: what is known, and what the conversation was about so far. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from bot.ask.question import Question
from bot.ask.question_document import question_document, question_of
from bot.model import Identity, Person
from bot.month.calendar import Days
from bot.month.people import Directory

NOTHING_ASKED = Question("")


@dataclass(frozen=True, slots=True)
class Thread:
    """What a conversation is about, so that a follow-up need not say it again.

    `asked` is the question that was answered last, "unknown" where nothing was answered. `listed` are the hashes of the
    changes that the answer told, in its order, at most MOST_LISTED; `is_cut` says that it told of more. `shown` is
    whose work alone it showed. `about` is what is asked of a list of before as a question of its own, for what asks on
    about another time or somebody else.
    """

    asked: Question = NOTHING_ASKED
    listed: tuple[str, ...] = ()
    is_cut: bool = False
    shown: str = ""
    about: Question | None = None

    @property
    def subject(self) -> Question:
        """What was asked last, as a question of its own."""
        return self.about or self.asked

    @property
    def is_of_something(self) -> bool:
        """Whether a follow-up has anything to hang on: what was not answered may have named people or topics."""
        asked = self.asked
        named = (asked.people, asked.topic, asked.paths, asked.release, asked.repositories, asked.team)
        return asked.intent != "unknown" or any(named)

    @classmethod
    def of(cls, remembered: Mapping[str, Any] | None) -> Thread:
        """From {"person", "from", "to", "repos"}, or as `document` has it; what is none is left out."""
        given = {"intent": "", **(remembered or {})}
        if given.get("person") and not given.get("people"):
            given["people"] = [given["person"]]
        listed = given.get("listed")
        timeless = {key: value for key, value in given.items() if key not in ("from", "to")}
        asked, about = NOTHING_ASKED, None
        for document in (given, timeless):
            with suppress(ValueError):
                asked = question_of(document)
                break
        if isinstance(given.get("about"), dict):
            with suppress(ValueError):
                about = question_of(given["about"])
        is_old = "person" in given  # 0.3.0 kept 20 of what it listed, and not whether there was more
        return cls(
            asked, tuple(map(str, listed if isinstance(listed, list) else ()))[:MOST_LISTED],
            bool(given.get("cut", is_old)), str(given.get("shown") or ""), about,
        )  # fmt: skip

    def document(self) -> dict[str, Any]:
        """As `of` reads it."""
        more = {
            "listed": list(self.listed), "cut": self.is_cut, "shown": self.shown,
            "about": question_document(self.about) if self.about else None,
        }  # fmt: skip
        asked = {name: value for name, value in question_document(self.asked).items() if value}
        return asked | {name: value for name, value in more.items() if value}


NEAREST = "nearest by words:"  # and these, among what is assumed of a question whose references they found
MOST_LISTED = 50  # changes of an answer that a follow-up can speak of
_NOT_GIVEN = Directory(())


@dataclass(frozen=True, slots=True)
class Known:
    """What there is to ask about.

    `asker` is the person who asks and `member` finds the person behind a Slack user's id; both give None for
    somebody whose commits are not known. `written` counts the commits of an identity in a time and in some
    repositories, in all where none are named; None where that is not known. `teams` are the names of teams, `own_teams`
    of those that the asker is in, and `tags` those of each repository's releases. `sprint` is the first day of one of
    the sprints and how many days each has.
    `may_be_offered` says who may be, in place of a name that nobody has: no machine, and nobody who asked not to be
    shown. `bots` are the machines that were active in a time. `knows_word` tells whether a word stands in any message,
    `is_common` whether in more than one or two (as `knows_word` unless it is given),
    `alike` gives how they spell a word that none has, nor a path: parted, joined or a letter away; "" for any other;
    `knows_path` whether a file or folder is called so; `holds` whether a message, or a path, has all words of a topic;
    `nearest` gives the SHAs of the changes that are near enough to the words of a question's topic, of its people, time
    and repositories, and those of the words that they hold.
    """

    people: Sequence[Person]
    repositories: Sequence[str] = ()
    asker: Person | None = None
    member: Callable[[str], Person | None] = field(default=lambda _: None)
    written: Callable[[Days, Sequence[str]], Callable[[Identity], int]] | None = None
    teams: Sequence[str] = ()
    own_teams: Sequence[str] = ()
    tags: Mapping[str, Sequence[str]] = field(default_factory=dict)
    sprint: tuple[date, int] | None = None
    may_be_offered: Callable[[Person], bool] = field(default=lambda _: True)
    bots: Callable[[Days], Sequence[Person]] = field(default=lambda _: ())
    knows_word: Callable[[str], bool] = field(default=lambda _: False)
    is_common: Callable[[str], bool] | None = None
    alike: Callable[[str], str] = field(default=lambda _: "")
    knows_path: Callable[[str], bool] = field(default=lambda _: False)
    holds: Callable[[str], bool] = field(default=lambda _: True)
    nearest: Callable[[Question], tuple[Sequence[str], Set[str]]] = field(default=lambda _: ((), frozenset()))
    directory: Directory = field(default=_NOT_GIVEN, repr=False, compare=False)  # of `people`; made unless given

    def __post_init__(self) -> None:
        if self.directory is _NOT_GIVEN:
            object.__setattr__(self, "directory", Directory(self.people))


def by_slack_id(people: Sequence[Person]) -> dict[str, Person]:
    """Who has a Slack user's id beside their name in almanac.toml, by that id."""
    return {person.slack.upper(): person for person in people if person.slack}
