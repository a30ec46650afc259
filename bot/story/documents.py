"""What a document holds: as templates are given it, and as `--format json` prints it (docs/json.md). Frozen values.

A field is a key of the JSON, in its order; `from_` is "from". A field whose default is None is left out of the JSON
where it is None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from typing import Annotated, Any, ClassVar, Literal

from bot.model import Kind, Sentence, State
from bot.month.skills import Skill
from bot.story.checks import (
    AnyText,
    Day,
    Name,
    Number,
    NumberNames,
    Period,
    PersonName,
    Said,
    Sha,
    Text,
    Time,
    UtcTime,
    Zone,
)
from bot.story.wording import count

SCHEMA, TEAM_SCHEMA = 2, 3
OTHER: Literal["other"] = "other"  # of counts: changes of kinds that are not sure, or of none of their own
# "attention" is what is out today, or has tests that are off today; "became" was out and is back. "shared" is others'
# work that the person helped to write; "other" is what is left of a large month.
Section = Literal[
    "work", "fixed", "attention", "reverts", "became", "tests", "docs", "build", "releases", "shared", "other", "merges"
]
ORDER = ("work", "fixed", "attention", "became", "reverts", "also", "shared")  # of sections with their headings
ALSO = ("tests", "docs", "build", "releases", "other")  # sections that stand under one heading


def keys_of(document: Any) -> dict[str, Any]:
    """The fields of a document, or of a part of one, by their keys."""
    held = ((one, getattr(document, one.name)) for one in fields(document))
    return {one.name.rstrip("_"): value for one, value in held if value is not None or not is_optional(one)}


def is_optional(field: Field[Any]) -> bool:
    """Whether a document may lack a field."""
    return field.default is not MISSING


_CHANGES = "changes landed backed_out relanded"
MonthCounts = Annotated[Mapping[str, int], NumberNames(f"commits {_CHANGES} additions deletions")]
ListCounts = Annotated[Mapping[str, int], NumberNames(f"commits {_CHANGES}")]
TeamCounts = Annotated[Mapping[str, int], NumberNames(f"people commits {_CHANGES}")]
ProfileCounts = Annotated[Mapping[str, int], NumberNames(f"months commits {_CHANGES}")]
Coverage = Annotated[Mapping[str, int], NumberNames("commits_told commits_total")]


@dataclass(frozen=True, slots=True)
class PersonDocument:
    name: PersonName
    addresses: tuple[AnyText, ...]


@dataclass(frozen=True, slots=True)
class RepositoryCount:
    name: Name
    commits: Number
    changes: Number


@dataclass(frozen=True, slots=True)
class CommitDocument:
    repository: Name
    sha: Sha
    author_date: Time


@dataclass(frozen=True, slots=True)
class ChangeReference:
    """By what a change is named: its number, or the beginning of its SHA; and its title, cut short, where it says
    what was done. `landed` is as in `LineDocument`."""

    ref: Name
    sha: Sha
    repository: Name
    title: Said | None = None
    landed: Name | None = None


@dataclass(frozen=True, slots=True)
class StepDocument:
    """One thing that happened to a change: on which day, by whom where that is not its author, in which commit."""

    did: Name  # "landed", "backed out", "partly backed out", "back", "partly back", "fixed", "undone"
    on: Day
    by: PersonName
    ref: Name
    sha: Sha
    repository: Name


@dataclass(frozen=True, slots=True)
class ThenDocument:
    """A fix of the same person and month that belongs to a change."""

    title: Said
    ref: Name
    sha: Sha


@dataclass(frozen=True, slots=True)
class LineDocument:
    """A change: its title and at most one sentence of its body. `tag` is what its author filed it under, where no label
    above it says so; `notes` are facts of its diff, `steps` what became of it, `reason` why it was backed out. `landed`
    is the day on which what was written in a month came to the default branch after it, as "13 May". `text` is a
    sentence for where it stands by itself: in a team's month, a profile or a list."""

    title: Said
    tag: Name
    ref: Name
    sha: Sha
    repository: Name
    on: Day
    by: PersonName
    kind: Kind
    state: State
    quote: Said
    measured: tuple[Said, ...]
    then: tuple[ThenDocument, ...]
    notes: tuple[Said, ...]
    steps: tuple[StepDocument, ...]
    reason: Said
    evidence: tuple[Sha, ...]
    landed: Name | None = None
    text: Said | None = None

    @property
    def beside(self) -> list[str]:
        """What stands in brackets behind the number: who wrote it, where that is somebody else, and when it landed."""
        return [*([self.by] if self.by else []), *([f"landed {self.landed}"] if self.landed else [])]


@dataclass(frozen=True, slots=True)
class ItemDocument:
    """A piece of work: a change alone, or so many under the label that they share. `more` have no line of their own."""

    section: Section
    title: Said
    label: Name
    text: Said
    kind: Kind
    state: State
    repository: Name
    refs: tuple[Text, ...]
    evidence: tuple[Sha, ...]
    lines: tuple[LineDocument, ...]
    more: tuple[ChangeReference, ...]
    changes: Number | None = None


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """A heading and its lines; `text` is the lines as one."""

    title: Name
    text: Said
    lines: tuple[Said, ...]
    evidence: tuple[Sha, ...]


@dataclass(frozen=True, slots=True)
class RestDocument:
    """A change that no sentence names."""

    ref: Name
    sha: Sha
    repository: Name
    title: Said
    by: PersonName


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenDocument:
    """What a model wrote, as far as it holds; `named` are the changes that it speaks of."""

    headline: Sentence | None = None
    items: tuple[WrittenPart, ...]
    attention: tuple[Sentence, ...]
    impact: tuple[Sentence, ...]
    named: tuple[ChangeReference, ...]
    rest: tuple[RestDocument, ...]


@dataclass(frozen=True, slots=True)
class LanguageLines:
    name: Name
    lines: Number


@dataclass(frozen=True, slots=True)
class SkillsDocument:
    languages: tuple[LanguageLines, ...]
    technologies: tuple[Skill, ...]
    practices: tuple[Skill, ...]


@dataclass(frozen=True, slots=True)
class ReviewCredit:
    repository: Name
    commits: Number
    people: Number


@dataclass(frozen=True, slots=True)
class Credit:
    reviewed: tuple[ReviewCredit, ...]
    coauthored: tuple[Sha, ...]


@dataclass(frozen=True, slots=True)
class ChangeDocument:
    id: Text
    commits: tuple[CommitDocument, ...]
    subject: AnyText
    kind: Kind
    state: State
    by: AnyText | None
    reverted_in: Sha | None
    relanded_in: Sha | None
    refs: tuple[Text, ...]
    sure: bool = True  # whether the rule that gave the kind is


@dataclass(frozen=True, slots=True)
class KindFigure:
    kind: Literal[Kind, "other"]
    changes: Number


@dataclass(frozen=True, slots=True)
class EarlierDocument:
    """A change that came in a month and was written before it."""

    title: Said
    refs: tuple[Text, ...]
    evidence: tuple[Sha, ...]
    written_on: Day


@dataclass(frozen=True, slots=True)
class SectionOfItems:
    """Items that stand under one heading: that of their section, or the `title` of a theme, or its absence."""

    name: str
    items: tuple[ItemDocument, ...]
    title: str = ""

    @property
    def changes(self) -> int:
        return sum(one.changes or len(one.lines) for one in self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthDocument:
    """A developer's month. What was `written_before` came in it, and is in no count. `about` is what it is limited to,
    in words: "on “cache”". `largest` and `own` are of a profile's months."""

    template: ClassVar[str] = "month"

    schema: Number = SCHEMA
    person: PersonDocument
    month: Period
    from_: Day | None = None
    to: Day | None = None
    zone: Zone
    to_date: bool
    counts: MonthCounts
    repositories: tuple[RepositoryCount, ...]
    headline: Sentence
    attention_first: bool
    items: tuple[ItemDocument, ...]
    attention: tuple[Sentence, ...]
    measured: tuple[Sentence, ...]
    impact: tuple[Sentence, ...] = ()
    skills: SkillsDocument
    credit: Credit
    changes: tuple[ChangeDocument, ...]
    coverage: Coverage
    indexed_at: UtcTime | None
    notes: tuple[Text, ...]
    details: tuple[Text, ...] = ()
    written_before: tuple[EarlierDocument, ...] = ()
    written: WrittenDocument | None = None
    about: Text | None = None
    largest: LineDocument | None = None
    own: Number | None = None

    @property
    def sections(self) -> tuple[SectionOfItems, ...]:
        """The items by section, in the order shown, each theme of the work by itself."""
        found: dict[str, list[ItemDocument]] = {}
        for item in self.items:
            if item.section == "merges":
                continue  # the headline says how many
            found.setdefault("also" if item.section in ALSO else item.section, []).append(item)
        names = sorted(found, key=ORDER.index)
        if self.attention_first and "attention" in found:
            names = ["attention", *(name for name in names if name != "attention")]
        sections = list[SectionOfItems]()
        for name in names:
            themes = [one for one in found[name] if one.label and name == "work"]
            sections += [SectionOfItems(name, (one,), one.label) for one in themes]
            if rest := tuple(one for one in found[name] if one not in themes):
                sections.append(SectionOfItems("rest" if themes else name, rest))
        return tuple(sections)

    @property
    def helped(self) -> str:
        """How many changes of others somebody reviewed; empty where there were none."""
        commits = sum(one.commits for one in self.credit.reviewed)
        return f"Reviewed {count(commits, 'change')} by others." if commits else ""


PostSection = Literal["act", "security", "new", "fixed", "out", "off"]


@dataclass(frozen=True, slots=True)
class ThingDocument:
    """A line of a team's post: one or several changes, of which `sha` and `ref` name the one whose title speaks for
    them, and how many `more` there are. `label` is the title's own prefix or the heading of its area, `text` what
    follows the title: a sentence that is quoted, or what became of it."""

    section: PostSection
    label: Name
    title: Said
    text: Said
    people: tuple[PersonName, ...]
    ref: Name
    sha: Sha
    repository: Name
    refs: tuple[Text, ...]
    area: Name
    changes: Number
    more: Number
    evidence: tuple[Sha, ...]


@dataclass(frozen=True, slots=True)
class PostLines:
    """The lines of a team's post below one heading."""

    name: PostSection
    things: tuple[ThingDocument, ...]


NotableKind = Literal["released", "security", "taken_out", "taken_back_since", "tests_off"]


@dataclass(frozen=True, slots=True)
class NotableDocument:
    """What a reader looks for first, and the day on which it came."""

    kind: NotableKind
    text: Said
    on: Day
    evidence: tuple[Sha, ...]


@dataclass(frozen=True, slots=True)
class AreaDocument:
    """A part of the product: all its changes, and those `things` that have a line."""

    name: Name
    repository: Name
    changes: Number
    people: tuple[PersonName, ...]
    things: tuple[ThingDocument, ...]
    evidence: tuple[Sha, ...]


@dataclass(frozen=True, slots=True)
class CountedDocument:
    """Changes that are counted together, by what they are of."""

    kind: Name
    changes: Number
    evidence: tuple[Sha, ...]


@dataclass(frozen=True, slots=True)
class ReleaseDocument:
    """A release, or what came since the last one, which has no tag."""

    repository: Name
    tag: Name | None
    on: Day | None
    sha: Sha | None
    since: Name | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestDocument:
    """What came to the default branches in a time, told of a team. Every change is in one of the `things` or in the
    `rest`, and in one of `areas`, `also` and `counted`. `merged` is on changes that came before the time, became known
    only now and are too many to be told."""

    template: ClassVar[str] = "digest"

    schema: Number = TEAM_SCHEMA
    digest: Name
    month: Period
    from_: Day | None = None
    to: Day | None = None
    span: tuple[Day, Day]
    zone: Zone
    to_date: bool
    counts: TeamCounts
    repositories: tuple[RepositoryCount, ...]
    headline: Sentence
    released: Said
    things: tuple[ThingDocument, ...]
    notable: tuple[NotableDocument, ...]
    areas: tuple[AreaDocument, ...]
    also: tuple[CountedDocument, ...]
    counted: tuple[CountedDocument, ...]
    rest: tuple[CountedDocument, ...]
    machines: Said
    changes: tuple[ChangeDocument, ...]
    indexed_at: UtcTime | None
    notes: tuple[Text, ...]
    details: tuple[Text, ...] = ()
    release: tuple[ReleaseDocument, ...] | None = None
    merged: Sentence | None = None
    written: WrittenDocument | None = None

    @property
    def sections(self) -> tuple[PostLines, ...]:
        """The lines below their headings, in the order shown."""
        names = dict.fromkeys(one.section for one in self.things)
        return tuple(PostLines(name, tuple(one for one in self.things if one.section == name)) for name in names)

    @property
    def more(self) -> int:
        """How many changes have no line."""
        return sum(one.changes for one in self.rest)
