"""What the documents of lists hold, which say themselves of what sort they are; see documents.py. Frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from bot.model import Kind, Sentence
from bot.story.checks import Name, Number, NumberNames, Period, PersonName, Said, Text, Time, UtcTime, Zone
from bot.story.documents import (
    SCHEMA,
    CommitDocument,
    DigestDocument,
    ItemDocument,
    KindFigure,
    LineDocument,
    ListCounts,
    MonthDocument,
    PersonDocument,
    RepositoryCount,
    TeamCounts,
    TeamTheme,
)
from bot.story.profile_documents import ProfileDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class ListDocument:
    """What the four documents of lists have in common; `sort` says which one it is."""

    template: ClassVar[str]

    schema: Number = SCHEMA
    title: Said
    from_: Period | None
    to: Period | None
    zone: Zone
    to_date: bool
    headline: Sentence
    commits: tuple[CommitDocument, ...]
    repositories: tuple[RepositoryCount, ...]
    indexed_at: UtcTime | None
    notes: tuple[Text, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedLine(LineDocument):
    """A change in a list; `text` says its kind, its day and what became of it."""

    id: Text
    text: Said
    is_sure: bool
    refs: tuple[Text, ...]
    at: Time


@dataclass(frozen=True, slots=True)
class CalledPerson(PersonDocument):
    """`called` tells those apart who have one name."""

    called: PersonName


@dataclass(frozen=True, slots=True)
class PersonChanges(CalledPerson):
    counts: Annotated[Mapping[str, int], NumberNames("changes")]
    items: tuple[ListedLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesDocument(ListDocument):
    """The changes of some months, newest first; `instead` are the kinds there are where none is of those wanted."""

    template: ClassVar[str] = "changes"

    sort: Literal["changes"] = "changes"
    kinds: tuple[Kind, ...]
    counts: ListCounts
    instead: tuple[KindFigure, ...]
    people: tuple[PersonChanges, ...]


@dataclass(frozen=True, slots=True)
class ComparedSide:
    name: Name
    person: CalledPerson
    from_: Period
    to: Period
    to_date: bool
    headline: Sentence
    counts: ListCounts
    kinds: tuple[KindFigure, ...]
    repositories: tuple[RepositoryCount, ...]
    technologies: tuple[Name, ...]
    items: tuple[ItemDocument, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonDocument(ListDocument):
    """Months of one person, or of several people, side by side."""

    template: ClassVar[str] = "comparison"

    sort: Literal["comparison"] = "comparison"
    sides: tuple[ComparedSide, ...]
    differences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class PersonOnTopic(CalledPerson):
    headline: Sentence
    counts: Annotated[Mapping[str, int], NumberNames("changes commits")]
    items: tuple[ListedLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicDocument(ListDocument):
    """Who worked on a topic."""

    template: ClassVar[str] = "who"

    sort: Literal["who"] = "who"
    topic: Text
    counts: Annotated[Mapping[str, int], NumberNames("people commits changes")]
    people: tuple[PersonOnTopic, ...]


@dataclass(frozen=True, slots=True)
class ShippedMonth:
    month: Period
    to_date: bool
    headline: Sentence
    counts: TeamCounts
    items: tuple[TeamTheme, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShippedDocument(ListDocument):
    """Several months of everyone, of a team or of a repository, newest first."""

    template: ClassVar[str] = "shipped"

    sort: Literal["shipped"] = "shipped"
    counts: TeamCounts
    months: tuple[ShippedMonth, ...]


Document: TypeAlias = MonthDocument | DigestDocument | ProfileDocument | ListDocument
LISTS = (ChangesDocument, ComparisonDocument, TopicDocument, ShippedDocument)
