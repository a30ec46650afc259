"""What a question can be about: what is known, and what the conversation was about so far. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from bot.model import Person
from bot.month.calendar import Days, MonthRange
from bot.month.people import Directory


@dataclass(frozen=True, slots=True)
class Thread:
    """What a conversation is about, so that a follow-up need not say it again."""

    person: str | None = None
    span: Days | None = None
    repositories: tuple[str, ...] = ()

    @property
    def months(self) -> MonthRange | None:
        """The time as months, where it is whole ones."""
        return self.span.months if self.span else None

    @classmethod
    def of(cls, remembered: Mapping[str, Any] | None) -> Thread:
        """From {"person", "from", "to", "repos"}; what is missing or no time is left out."""
        remembered = remembered or {}
        try:
            span = Days.parse(str(remembered["from"]), str(remembered["to"]))
        except (KeyError, ValueError):
            span = None
        repositories = remembered.get("repos")
        return cls(
            person=str(remembered["person"]) if remembered.get("person") else None,
            span=span,
            repositories=tuple(map(str, repositories)) if isinstance(repositories, list) else (),
        )

    def document(self) -> dict[str, Any]:
        return {
            "person": self.person,
            "from": self.span.ends[0] if self.span else None,
            "to": self.span.ends[1] if self.span else None,
            "repos": list(self.repositories),
        }


_NOT_GIVEN = Directory(())


@dataclass(frozen=True, slots=True)
class Known:
    """What there is to ask about.

    `asker` is the person who asks and `member` finds the person behind a Slack user's id; both give None for
    somebody whose commits are not known. `narrowed` picks, of people with one name, those active in some months.
    `teams` are the names of teams, and `tags` those of each repository's releases; `tagged_in` gives those of some
    repositories, or of all, that were made in some days. `sprint` is the first day of one of the sprints and how many
    days each has. `may_be_offered` says who may be, in place of a name that nobody has: no machine, and nobody who
    asked not to be shown. `bots` are the machines that were active in a time.
    """

    people: Sequence[Person]
    repositories: Sequence[str] = ()
    asker: Person | None = None
    member: Callable[[str], Person | None] = field(default=lambda _: None)
    narrowed: Callable[[Sequence[Person], MonthRange | None], Sequence[Person]] = field(
        default=lambda people, _: people
    )
    teams: Sequence[str] = ()
    tags: Mapping[str, Sequence[str]] = field(default_factory=dict)
    tagged_in: Callable[[Sequence[str], Days], Sequence[str]] = field(default=lambda _repositories, _days: ())
    sprint: tuple[date, int] | None = None
    may_be_offered: Callable[[Person], bool] = field(default=lambda _: True)
    bots: Callable[[Days], Sequence[Person]] = field(default=lambda _: ())
    directory: Directory = field(default=_NOT_GIVEN, repr=False, compare=False)  # of `people`; made unless given

    def __post_init__(self) -> None:
        if self.directory is _NOT_GIVEN:
            object.__setattr__(self, "directory", Directory(self.people))


def by_slack_id(people: Sequence[Person]) -> dict[str, Person]:
    """Who has a Slack user's id beside their name in almanac.toml, by that id."""
    return {person.slack.upper(): person for person in people if person.slack}
