"""What the documents of lists hold, which say themselves of what sort they are; see documents.py. Frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from bot.model import Kind, Sentence, State
from bot.story.checks import Day, Name, Number, NumberNames, Period, PersonName, Said, Text, UtcTime, Zone
from bot.story.documents import (
    SCHEMA,
    DigestDocument,
    KindFigure,
    ListCounts,
    MonthDocument,
    PersonDocument,
    RepositoryCount,
)
from bot.story.profile_documents import ProfileDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class ListDocument:
    """What the documents of lists have in common; `sort` says which one it is. `from_` and `to` are None of any time,
    and `repositories` are those with what is listed."""

    template: ClassVar[str]

    schema: Number = SCHEMA
    title: Said
    from_: Period | None
    to: Period | None
    zone: Zone
    to_date: bool
    headline: Sentence
    repositories: tuple[RepositoryCount, ...]
    indexed_at: UtcTime | None
    notes: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class ListedChange:
    """A row: a change by 12 digits of its hash, the day it was written, its author and its title, as it stands today.

    `landed` is the day it came to the default branch, where that is another. `lines` are its changed lines where size
    is asked for, without what is generated or locked; `files` how many it has, where that is. `sure` is False where the
    rule that gave the kind often errs. `reason` is why it was taken out, in the words of who did it, in `reverted_in`,
    who is `reverted_by`, on which day, `reverted_on`; and it came back in `back_in` on the day `back_on`.
    `found` says where the topic stands, if not in the title. `reviewers` are those whom its trailers name, where
    reviews are asked for.
    """

    sha: Name
    ref: Name
    repository: Name
    on: Day
    by: PersonName
    title: Said
    kind: Kind
    state: State
    landed: Day | None = None
    lines: Number | None = None
    files: Number | None = None
    sure: bool | None = None
    reverted_in: Name | None = None
    reverted_by: PersonName | None = None
    reverted_on: Day | None = None
    back_in: Name | None = None
    back_on: Day | None = None
    reason: Said | None = None
    found: Literal["body", "path"] | None = None
    reviewers: tuple[PersonName, ...] | None = None


@dataclass(frozen=True, slots=True)
class PersonCount:
    name: PersonName
    changes: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesDocument(ListDocument):
    """A list of changes. `kinds`, `people` and `repositories` count all of them, most first; the first 20 people.
    `more` are in no row. `instead` are the kinds there are where none is of those wanted."""

    template: ClassVar[str] = "changes"

    sort: Literal["changes"] = "changes"
    counts: ListCounts
    kinds: tuple[KindFigure, ...]
    people: tuple[PersonCount, ...]
    rows: tuple[ListedChange, ...]
    more: Number
    instead: tuple[KindFigure, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonOnTopic(PersonDocument):
    """`called` tells those apart who have one name. `first` and `last` are days of writing, `landed` the last day on
    which a change of theirs came to the default branch."""

    called: PersonName
    changes: Number
    first: Day
    last: Day
    landed: Day
    rows: tuple[ListedChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicDocument(ListDocument):
    """Who worked on something. `more` are people who are not shown."""

    template: ClassVar[str] = "who"

    sort: Literal["who"] = "who"
    topic: Text | None = None
    counts: Annotated[Mapping[str, int], NumberNames("people commits changes")]
    people: tuple[PersonOnTopic, ...]
    more: Number


@dataclass(frozen=True, slots=True)
class PlaceCount:
    """A file, or a folder, whose path ends in "/"."""

    path: Text
    repository: Name
    changes: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesDocument(ListDocument):
    """The files or folders that were changed, those of most changes first; `folders` are the first of those that the
    files are in. `more` are not shown."""

    template: ClassVar[str] = "files"

    sort: Literal["files"] = "files"
    counts: Annotated[Mapping[str, int], NumberNames("files changes people")]
    places: tuple[PlaceCount, ...]
    folders: tuple[PlaceCount, ...]
    more: Number


@dataclass(frozen=True, slots=True)
class NamedPerson(PersonDocument):
    """Somebody whom a name may mean: how many commits they have in the time and in all, and the months of the first
    and the last; in which repositories those of the time are."""

    called: PersonName
    commits: Number
    every: Number
    first: Period | None
    last: Period | None
    repositories: tuple[Name, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleDocument(ListDocument):
    """Whom a name may mean; `nearest` are the names most like it where nobody has it."""

    template: ClassVar[str] = "people"

    sort: Literal["people"] = "people"
    people: tuple[NamedPerson, ...]
    nearest: tuple[PersonName, ...] = ()


Document: TypeAlias = MonthDocument | DigestDocument | ProfileDocument | ListDocument
LISTS = (ChangesDocument, TopicDocument, FilesDocument, PeopleDocument)
