"""What a question can be about: what is known, and what the conversation was about so far. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.model import Person
from bot.month.calendar import Month, MonthRange
from bot.month.people import Directory


@dataclass(frozen=True, slots=True)
class Thread:
    """What a conversation is about, so that a follow-up need not say it again."""

    person: str | None = None
    months: MonthRange | None = None
    repositories: tuple[str, ...] = ()

    @classmethod
    def of(cls, remembered: Mapping[str, Any] | None) -> Thread:
        """From {"person", "from", "to", "repos"}; what is missing or no month is left out."""
        remembered = remembered or {}
        try:
            months = MonthRange(Month.parse(str(remembered["from"])), Month.parse(str(remembered["to"])))
        except (KeyError, ValueError):
            months = None
        repositories = remembered.get("repos")
        return cls(
            person=str(remembered["person"]) if remembered.get("person") else None,
            months=months,
            repositories=tuple(map(str, repositories)) if isinstance(repositories, list) else (),
        )

    def document(self) -> dict[str, Any]:
        return {
            "person": self.person,
            "from": str(self.months.first) if self.months else None,
            "to": str(self.months.last) if self.months else None,
            "repos": list(self.repositories),
        }


_NOT_GIVEN = Directory(())


@dataclass(frozen=True, slots=True)
class Known:
    """What there is to ask about.

    `asker` is the person who asks and `member` finds the person behind a Slack user's id; both give None for
    somebody whose commits are not known. `narrowed` picks, of people with one name, those active in some months.
    `teams` are the names of teams.
    """

    people: Sequence[Person]
    repositories: Sequence[str] = ()
    asker: Person | None = None
    member: Callable[[str], Person | None] = field(default=lambda _: None)
    narrowed: Callable[[Sequence[Person], MonthRange | None], Sequence[Person]] = field(
        default=lambda people, _: people
    )
    teams: Sequence[str] = ()
    directory: Directory = field(default=_NOT_GIVEN, repr=False, compare=False)  # of `people`; made unless given

    def __post_init__(self) -> None:
        if self.directory is _NOT_GIVEN:
            object.__setattr__(self, "directory", Directory(self.people))


def by_slack_id(people: Sequence[Person]) -> dict[str, Person]:
    """Who has a Slack user's id beside their name in almanac.toml, by that id."""
    return {person.slack.upper(): person for person in people if person.slack}
