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


@dataclass(frozen=True, slots=True)
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
class ChangesDocument:
    """The changes of some months, newest first; `instead` are the kinds there are where none is of those wanted."""

    template: ClassVar[str] = "changes"

    schema: Number = SCHEMA
    sort: Literal["changes"] = "changes"
    title: Said
    from_: Period
    to: Period
    zone: Zone
    to_date: bool
    kinds: tuple[Kind, ...]
    headline: Sentence
    counts: ListCounts
    instead: tuple[KindFigure, ...]
    people: tuple[PersonChanges, ...]
    commits: tuple[CommitDocument, ...]
    repositories: tuple[RepositoryCount, ...]
    indexed_at: UtcTime | None
    notes: tuple[Text, ...]


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
class ComparisonDocument:
    """Months of one person, or of several people, side by side."""

    template: ClassVar[str] = "comparison"

    schema: Number = SCHEMA
    sort: Literal["comparison"] = "comparison"
    title: Said
    from_: Period
    to: Period
    zone: Zone
    to_date: bool
    headline: Sentence
    sides: tuple[ComparedSide, ...]
    differences: tuple[Sentence, ...]
    commits: tuple[CommitDocument, ...]
    repositories: tuple[RepositoryCount, ...]
    indexed_at: UtcTime | None
    notes: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class PersonOnTopic(CalledPerson):
    headline: Sentence
    counts: Annotated[Mapping[str, int], NumberNames("changes commits")]
    items: tuple[ListedLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicDocument:
    """Who worked on a topic."""

    template: ClassVar[str] = "who"

    schema: Number = SCHEMA
    sort: Literal["who"] = "who"
    title: Said
    topic: Text
    from_: Period | None
    to: Period | None
    zone: Zone
    to_date: bool
    headline: Sentence
    counts: Annotated[Mapping[str, int], NumberNames("people commits changes")]
    people: tuple[PersonOnTopic, ...]
    commits: tuple[CommitDocument, ...]
    repositories: tuple[RepositoryCount, ...]
    indexed_at: UtcTime | None
    notes: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class ShippedMonth:
    month: Period
    to_date: bool
    headline: Sentence
    counts: TeamCounts
    items: tuple[TeamTheme, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShippedDocument:
    """Several months of everyone, of a team or of a repository, newest first."""

    template: ClassVar[str] = "shipped"

    schema: Number = SCHEMA
    sort: Literal["shipped"] = "shipped"
    title: Said
    from_: Period
    to: Period
    zone: Zone
    to_date: bool
    headline: Sentence
    counts: TeamCounts
    months: tuple[ShippedMonth, ...]
    commits: tuple[CommitDocument, ...]
    repositories: tuple[RepositoryCount, ...]
    indexed_at: UtcTime | None
    notes: tuple[Text, ...]


ListDocument: TypeAlias = ChangesDocument | ComparisonDocument | TopicDocument | ShippedDocument
Document: TypeAlias = MonthDocument | DigestDocument | ProfileDocument | ListDocument
LISTS = (ChangesDocument, ComparisonDocument, TopicDocument, ShippedDocument)
