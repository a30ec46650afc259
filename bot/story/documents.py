"""What a document holds: as templates are given it, and as `--format json` prints it (docs/json.md); and the same with
fewer lines (`cut`). Frozen values.

A field is a key of the JSON, in its order; `from_` is "from". A field whose default is None is left out of the JSON
where it is None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from typing import Any, ClassVar, Literal, TypeAlias

from bot.model import Kind, Sentence, State
from bot.month.paths import LanguageLines, Technology
from bot.wording import count, shortened

SCHEMA, TEAM_SCHEMA = 2, 3
OTHER: Literal["other"] = "other"  # of counts: changes of kinds that are not sure, or of none of their own
# "attention" is what is out today, or has tests that are off today; "became" was out and is back. "shared" is others'
# work that the person helped to write; "other" is what is left of a large month.
Section = Literal[
    "work", "fixed", "attention", "reverts", "became", "tests", "docs", "build", "releases", "shared", "other", "merges"
]
ORDER = ("work", "fixed", "attention", "became", "reverts", "also", "shared")  # of sections with their headings
FEW = 14  # changes of a post, of which each has its line
ALSO = ("tests", "docs", "build", "releases", "other")  # sections that stand under one heading


def keys_of(document: Any) -> dict[str, Any]:
    """The fields of a document, or of a part of one, by their keys."""
    held = ((one, getattr(document, one.name)) for one in fields(document))
    return {one.name.rstrip("_"): value for one, value in held if value is not None or one.default is MISSING}


def to_json(value: Any) -> Any:
    """A document, or a part of one, as JSON has it."""
    if is_dataclass(value):
        return {key: to_json(one) for key, one in keys_of(value).items()}
    if isinstance(value, tuple | list):
        return [to_json(one) for one in value]
    return dict(value) if isinstance(value, Mapping) else value


@dataclass(frozen=True, slots=True)
class PersonDocument:
    name: str
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RepositoryCount:
    name: str
    commits: int
    changes: int


@dataclass(frozen=True, slots=True)
class CommitDocument:
    repository: str
    sha: str
    author_date: str


@dataclass(frozen=True, slots=True)
class ChangeReference:
    """By what a change is named: its number, or the beginning of its SHA; and its title, cut short, where it says
    what was done. `by` is as in `LineDocument`."""

    ref: str
    sha: str
    repository: str
    title: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class StepDocument:
    """One thing that happened to a change: on which day, by whom where that is not its author, in which commit."""

    did: str  # "landed", "backed out", "partly backed out", "back", "partly back", "fixed", "undone"
    on: str
    by: str
    ref: str
    sha: str
    repository: str


@dataclass(frozen=True, slots=True)
class LineDocument:
    """A change: its title and at most one sentence of its body. `tag` is what its author filed it under, where no label
    above it says so; `notes` are facts of its diff, `steps` what became of it, `reason` why it was backed out. `landed`
    is the day on which what was written in a month came to the default branch after it, as "13 May". `text` is a
    sentence for where it stands by itself: in a team's month, a profile or a list."""

    title: str
    tag: str
    ref: str
    sha: str
    repository: str
    on: str
    by: str
    kind: Kind
    state: State
    quote: str = ""
    measured: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    steps: tuple[StepDocument, ...] = ()
    reason: str = ""
    evidence: tuple[str, ...] = ()
    landed: str | None = None
    text: str | None = None

    @property
    def beside(self) -> list[str]:
        """What stands in brackets behind the number: who wrote it, where that is somebody else, and when it landed."""
        return [*([self.by] if self.by else []), *([f"landed {self.landed}"] if self.landed else [])]


@dataclass(frozen=True, slots=True)
class ItemDocument:
    """A piece of work: a change alone, or so many under the label that they share. `more` have no line of their own."""

    section: Section
    title: str
    label: str
    text: str
    kind: Kind
    state: State
    repository: str
    refs: tuple[str, ...]
    evidence: tuple[str, ...]
    lines: tuple[LineDocument, ...]
    more: tuple[ChangeReference, ...]
    changes: int | None = None


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """A heading and its lines; `text` is the lines as one."""

    title: str
    text: str
    lines: tuple[str, ...]
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenDocument:
    """What a model wrote, as far as it holds; `named` are the changes that it speaks of, `rest` the others."""

    headline: Sentence | None = None
    items: tuple[WrittenPart, ...]
    attention: tuple[Sentence, ...]
    impact: tuple[Sentence, ...]
    named: tuple[ChangeReference, ...]
    rest: tuple[ChangeReference, ...]


@dataclass(frozen=True, slots=True)
class SkillsDocument:
    """What was worked with; `practices` are of readers of schema 1, and always empty."""

    languages: tuple[LanguageLines, ...]
    technologies: tuple[Technology, ...]
    practices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewCredit:
    repository: str
    commits: int
    people: int


@dataclass(frozen=True, slots=True)
class Credit:
    reviewed: tuple[ReviewCredit, ...]
    coauthored: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangeDocument:
    id: str
    commits: tuple[CommitDocument, ...]
    subject: str
    kind: Kind
    state: State
    by: str | None
    reverted_in: str | None
    relanded_in: str | None
    refs: tuple[str, ...]
    sure: bool = True  # whether the rule that gave the kind is
    release: str | None = None  # of a digest's time, the first one that has it


@dataclass(frozen=True, slots=True)
class KindFigure:
    kind: Literal[Kind, "other"]
    changes: int


@dataclass(frozen=True, slots=True)
class EarlierDocument:
    """A change that came in a month and was written before it."""

    title: str
    refs: tuple[str, ...]
    evidence: tuple[str, ...]
    written_on: str


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

    schema: int = SCHEMA
    person: PersonDocument
    month: str
    from_: str | None = None
    to: str | None = None
    zone: str
    to_date: bool
    counts: Mapping[str, int]
    repositories: tuple[RepositoryCount, ...]
    headline: Sentence
    items: tuple[ItemDocument, ...]
    attention: tuple[Sentence, ...]
    measured: tuple[Sentence, ...]
    impact: tuple[Sentence, ...] = ()
    skills: SkillsDocument
    credit: Credit
    changes: tuple[ChangeDocument, ...]
    coverage: Mapping[str, int]
    indexed_at: str | None
    notes: tuple[str, ...]
    details: tuple[str, ...] = ()
    written_before: tuple[EarlierDocument, ...] = ()
    written: WrittenDocument | None = None
    about: str | None = None
    largest: LineDocument | None = None
    own: int | None = None

    @property
    def sections(self) -> tuple[SectionOfItems, ...]:
        """The items by section, in the order shown, each theme of the work by itself."""
        found: dict[str, list[ItemDocument]] = {}
        for item in self.items:
            if item.section == "merges":
                continue  # the headline says how many
            found.setdefault("also" if item.section in ALSO else item.section, []).append(item)
        if found.keys() == {"also"}:
            found = {"work": found["also"]}  # beside what?
        sections = list[SectionOfItems]()
        for name in sorted(found, key=ORDER.index):
            themes = [one for one in found[name] if one.label and name == "work"]
            sections += [SectionOfItems(name, (one,), one.label) for one in themes]
            if rest := tuple(one for one in found[name] if one not in themes):
                sections.append(SectionOfItems("rest" if themes else name, rest))
        return tuple(sections)

    @property
    def helped(self) -> str:
        """How many changes of others name somebody as who reviewed them; empty where none do."""
        commits = sum(one.commits for one in self.credit.reviewed)
        return f"Named as reviewer of {count(commits, 'change')} by others." if commits else ""


PostSection = Literal["act", "security", "new", "fixed", "out", "off"]


@dataclass(frozen=True, slots=True)
class ThingDocument:
    """A line of a team's post: one or several changes, of which `sha` and `ref` name the one whose title, or note in a
    change log, speaks for them, and how many `more` there are. `label` is the title's own prefix or the heading of its
    area, `text` what follows the title: a sentence that is quoted, or what became of it."""

    section: PostSection
    label: str
    title: str
    text: str
    people: tuple[str, ...]
    ref: str
    sha: str
    repository: str
    refs: tuple[str, ...]
    area: str
    changes: int
    more: int
    evidence: tuple[str, ...]
    release: str | None = None  # of the time, the first one that has each of them; "" where surely none has any


NotableKind = Literal["released", "security", "taken_out", "taken_back_since", "tests_off"]


@dataclass(frozen=True, slots=True)
class NotableDocument:
    """What a reader looks for first, and the day on which it came."""

    kind: NotableKind
    text: str
    on: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntryDocument:
    """An item of a change log, below its `heading`: its first sentence. `ref` and `sha` name the change that it is on;
    where none is known, `ref` has its numbers, or nothing, and `sha` names the commit that has the file."""

    heading: str
    text: str
    ref: str
    sha: str
    repository: str
    people: tuple[str, ...]
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangeLogDocument:
    """What the file at `path` of the commit `sha` says of the release `tag`, empty where nothing else is told; so many
    items `more` are not shown."""

    tag: str
    path: str
    sha: str
    entries: tuple[EntryDocument, ...]
    more: int

    @property
    def headed(self) -> list[tuple[str, list[EntryDocument]]]:
        """The items by their headings."""
        names = dict.fromkeys(one.heading for one in self.entries)
        return [(name, [one for one in self.entries if one.heading == name]) for name in names]


@dataclass(frozen=True, slots=True)
class AreaDocument:
    """A part of the product: all its changes, and those `things` that have a line."""

    name: str
    repository: str
    changes: int
    people: tuple[str, ...]
    things: tuple[ThingDocument, ...]
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CountedDocument:
    """Changes that are counted together, by what they are of."""

    kind: str
    changes: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LabelDocument:
    """Changes of no area that have one label."""

    name: str
    changes: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReleaseDocument:
    """A release, or what came since the last one, which has no tag."""

    repository: str
    tag: str | None
    on: str | None
    sha: str | None
    since: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestDocument:
    """What came to the default branches in a time, told of a team. Every change is in one of the `things`, in what is
    shown of the `changelog` or in the `rest`, and in one of `areas`, `also` and `counted`. `merged` is on changes that
    came before the time, became known only now and are too many to be told."""

    template: ClassVar[str] = "digest"

    schema: int = TEAM_SCHEMA
    digest: str
    month: str
    from_: str | None = None
    to: str | None = None
    span: tuple[str, str]
    zone: str
    to_date: bool
    counts: Mapping[str, int]
    repositories: tuple[str, ...]
    headline: Sentence
    released: str
    things: tuple[ThingDocument, ...]
    notable: tuple[NotableDocument, ...]
    areas: tuple[AreaDocument, ...]
    also: tuple[LabelDocument, ...]
    counted: tuple[CountedDocument, ...]
    rest: tuple[CountedDocument, ...]
    machines: str
    changes: tuple[ChangeDocument, ...]
    indexed_at: str | None
    notes: tuple[str, ...]
    details: tuple[str, ...] = ()
    release: tuple[ReleaseDocument, ...] | None
    changelog: ChangeLogDocument | None = None
    merged: Sentence | None = None
    written: WrittenDocument | None = None

    @property
    def sections(self) -> list[dict[str, Any]]:
        """The things below the names of their sections, in the order shown; "new" is "work" where all have a line."""
        all_shown = {"new": "work"} if self.counts["changes"] <= FEW else {}
        return [
            {"name": all_shown.get(name, name), "things": tuple(one for one in self.things if one.section == name)}
            for name in dict.fromkeys(one.section for one in self.things)
        ]

    @property
    def usual_release(self) -> str:
        """Of the releases that are named of one repository, the one that more than half of what has a line came with;
        "" where that is of little, of several repositories, or not known of each line what has it."""
        names = [one.release for one in self.things if one.release and f" {one.release} (" in self.released]
        most = max(names, key=names.count, default="")
        is_known = all(one.release is not None or one.section == "out" for one in self.things)
        is_usual = is_known and names.count(most) > max(len(self.things) // 2, FEW // 2)
        return most if is_usual and len(self.repositories) == 1 and not self.release else ""

    @property
    def more(self) -> int:
        """How many changes have no line."""
        return sum(one.changes for one in self.rest)


# --- a whole history


@dataclass(frozen=True, slots=True)
class ProfileTheme:
    """What recurs in two months or more, with its largest titles; `when` is the time in words."""

    name: str
    changes: int
    from_: str
    to: str
    when: str
    lines: tuple[LineDocument, ...]
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProfileRepository:
    name: str
    months: int
    commits: int
    changes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileDocument:
    """A whole history: spans, counts and the largest titles, then the months, newest first."""

    template: ClassVar[str] = "profile"

    schema: int = SCHEMA
    person: PersonDocument
    from_: str | None
    to: str | None
    zone: str
    to_date: bool
    counts: Mapping[str, int]
    paragraph: tuple[Sentence, ...]
    themes: tuple[ProfileTheme, ...]
    measured: tuple[LineDocument, ...]
    skills: SkillsDocument
    repositories: tuple[ProfileRepository, ...]
    earlier: str
    months: tuple[MonthDocument, ...]
    coverage: Mapping[str, int]
    indexed_at: str | None
    notes: tuple[str, ...]
    details: tuple[str, ...] = ()


# --- lists


@dataclass(frozen=True, slots=True, kw_only=True)
class ListDocument:
    """What the documents of lists have in common; `sort` says which one it is. `from_` and `to` are None of any time,
    and `repositories` are those with what is listed. Its rows are in the field that `listed` names."""

    template: ClassVar[str]
    listed: ClassVar[str] = "rows"

    schema: int = SCHEMA
    title: str
    from_: str | None
    to: str | None
    zone: str
    to_date: bool
    headline: Sentence
    repositories: tuple[RepositoryCount, ...]
    indexed_at: str | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListedChange:
    """A row: a change by 12 digits of its hash, the day it was written, its author and its title, as it stands today.

    `landed` is the day it came to the default branch, where that is another. `lines` are its changed lines where size
    is asked for, without what is generated or locked. `sure` is False where the rule that gave the kind often errs.
    `reason` is why it was taken out, in the words of who did it, in `reverted_in`, who is `reverted_by`, on which day,
    `reverted_on`; and it came back in `back_in` on the day `back_on`. `undoes` is what a revert takes out, where
    reverts are asked for.
    `found` says where the topic stands, if not in the title. `reviewers` are those whom its trailers name, where
    reviews are asked for.
    """

    sha: str
    ref: str
    repository: str
    on: str
    by: str
    title: str
    kind: Kind
    state: State
    landed: str | None = None
    lines: int | None = None
    sure: bool | None = None
    reverted_in: str | None = None
    reverted_by: str | None = None
    reverted_on: str | None = None
    back_in: str | None = None
    back_on: str | None = None
    undoes: str | None = None
    reason: str | None = None
    found: Literal["body", "path"] | None = None
    reviewers: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class PersonCount:
    name: str
    changes: int


@dataclass(frozen=True, slots=True)
class FileCount:
    """How many of some changes touch a file."""

    path: str
    repository: str
    changes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesDocument(ListDocument):
    """A list of changes. `kinds`, `people` and `repositories` count all of them, most first; the first 20 people.
    `more` are in no row. `instead` are the kinds there are where none is of those wanted. Where files are asked for,
    `files` are those that most of the changes touch, and there are no rows."""

    template: ClassVar[str] = "changes"

    sort: Literal["changes"] = "changes"
    counts: Mapping[str, int]
    kinds: tuple[KindFigure, ...]
    people: tuple[PersonCount, ...]
    rows: tuple[ListedChange, ...]
    more: int
    instead: tuple[KindFigure, ...] = ()
    files: tuple[FileCount, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonOnTopic(PersonDocument):
    """`called` tells those apart who have one name. `first` and `last` are days of writing, `landed` the last day on
    which a change of theirs came to the default branch."""

    called: str
    changes: int
    first: str
    last: str
    landed: str
    rows: tuple[ListedChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicDocument(ListDocument):
    """Who worked on something. `more` are people who are not shown."""

    template: ClassVar[str] = "who"
    listed: ClassVar[str] = "people"

    sort: Literal["who"] = "who"
    topic: str | None = None
    counts: Mapping[str, int]
    people: tuple[PersonOnTopic, ...]
    more: int


@dataclass(frozen=True, slots=True)
class NamedPerson(PersonDocument):
    """Somebody whom a name may mean: how many commits they have in the time and in all, and the months of the first
    and the last; in which repositories those of the time are."""

    called: str
    commits: int
    every: int
    first: str | None
    last: str | None
    repositories: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleDocument(ListDocument):
    """Whom a name may mean; `nearest` are the names most like it where nobody has it. `more` are people who are not
    shown."""

    template: ClassVar[str] = "people"
    listed: ClassVar[str] = "people"

    sort: Literal["people"] = "people"
    people: tuple[NamedPerson, ...]
    more: int = 0
    nearest: tuple[str, ...] = ()


Document: TypeAlias = MonthDocument | DigestDocument | ProfileDocument | ListDocument


# --- with fewer lines, so that an answer can be read at a glance: what is told first stays, what is cut off is counted

LONGEST_SHORT = 55  # characters of a title that stands for "1 more"
_ALWAYS = ("attention", "became", "reverts")
_WITH_CHANGES = 3  # people of whom a change is shown before others are named


def cut(document: Document, fits: Callable[[Document], bool]) -> tuple[Document, int]:
    """The document with as many of its lines, from the first on, as fit, and how many changes that leaves out. What a
    model wrote stays whole, and so does a line that is longer alone than fits."""
    if getattr(document, "written", None) is not None or fits(document):
        return document, 0
    least, most = 1, _lines(document)
    while least < most:  # the largest number of lines that fits
        middle = (least + most + 1) // 2
        if fits(_kept(document, middle)[0]):
            least = middle
        else:
            most = middle - 1
    return _kept(document, least)


def _lines(document: Document) -> int:
    if isinstance(document, MonthDocument):
        return sum(max(1, len(one.lines)) for one in document.items)
    if isinstance(document, DigestDocument):
        return len(document.things)
    if isinstance(document, ProfileDocument):
        return len(document.themes) + len(document.months)
    rows = getattr(document, document.listed)
    return len(rows) + (sum(len(one.rows) for one in rows) if isinstance(document, TopicDocument) else 0)


def _kept(document: Document, most: int) -> tuple[Document, int]:
    """The document with so many of its lines, and how many changes the others are, where it does not say so itself."""
    if isinstance(document, MonthDocument):
        items, left = _items(document.items, most)
        return replace(document, items=items), left
    if isinstance(document, DigestDocument):
        others: list[CountedDocument | ThingDocument] = [one for one in document.rest if one.kind == OTHER]
        others += document.things[most:]
        number, evidence = sum(one.changes for one in others), tuple(sha for one in others for sha in one.evidence)
        rest = (*(one for one in document.rest if one.kind != OTHER), CountedDocument(OTHER, number, evidence))
        return replace(document, things=document.things[:most], rest=rest if number else document.rest), 0
    if isinstance(document, ProfileDocument):
        themes = document.themes[:most]
        return replace(document, themes=themes, months=document.months[: most - len(themes)]), 0
    rows = getattr(document, document.listed)
    if isinstance(document, TopicDocument):  # whom to ask is asked: people go before more of their changes
        turns = sorted(
            (0 if turn < 2 and number < _WITH_CHANGES else 1 + turn, number, turn)
            for number, one in enumerate(rows) for turn in range(len(one.rows) + 1)
        )[:most]  # fmt: skip
        shown = Counter(number for _, number, _ in turns)
        people = tuple(replace(one, rows=one.rows[: shown[n] - 1]) for n, one in enumerate(rows) if shown[n])
        return replace(document, people=people, more=document.more + len(rows) - len(people)), 0
    cut_off: Any = {document.listed: rows[:most]}
    if len(rows) > most and hasattr(document, "more"):
        cut_off["more"] = document.more + len(rows) - most
    return replace(document, **cut_off), 0


def _items(items: Sequence[ItemDocument], most: int) -> tuple[tuple[ItemDocument, ...], int]:
    """So many lines: all of what became of something, then of each heading the first, the second and so on. What has no
    line is counted with what is left below its heading."""
    before, ranks = Counter[tuple[str, str]](), list[tuple[int, int]]()
    for number, item in enumerate(items):
        for _ in range(max(1, len(item.lines))):
            ranks.append((0 if item.section in _ALWAYS else before[item.section, item.label], number))
            before[item.section, item.label] += 1
    kept_of = Counter(number for _, number in sorted(ranks)[:most])
    kept, left = list[ItemDocument](), 0
    for number, item in enumerate(items):
        lines, rest = item.lines[: kept_of[number]], item.lines[kept_of[number] :]
        titled = (
            ChangeReference(one.ref, one.sha, one.repository, shortened(one.title, LONGEST_SHORT)) for one in rest
        )
        more, left = (*titled, *item.more), left + len(rest) + len(item.more)
        if kept_of[number]:
            kept.append(replace(item, lines=lines, more=more))
        elif kept and (kept[-1].section, kept[-1].label) == (item.section, item.label):
            above = kept.pop()
            changes = (above.changes or 1) + (item.changes or 1)
            kept.append(replace(above, more=(*above.more, *more), changes=changes))
    return tuple(kept), left
