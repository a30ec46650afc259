"""MonthFacts → the document of a developer's month: the work by themes, what was fixed, what needs attention, and the
rest by name; what its diffs tell of tests; and what is counted. Pure.

Nothing is reworded. Which change stands where, and what stands together, is said in docs/months.md.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import MappingProxyType

from bot.diff.facts import IgnoredTests
from bot.model import Change, Commit, Key, Sentence
from bot.month.calendar import AnyPeriod, Days, Month
from bot.month.changes import number_in
from bot.month.facts import MonthFacts, by_repository, counts, with_numbers
from bot.month.kinds import VERSIONS, decided, is_fault, is_grave, is_security, says_nothing
from bot.month.message import heading_of
from bot.month.paths import lines_of, product_files
from bot.month.title import WHOLE, folded, has_words, plain_title, title_of
from bot.story.documents import (
    ChangeDocument,
    ChangeReference,
    CommitDocument,
    Credit,
    EarlierDocument,
    ItemDocument,
    LineDocument,
    MonthDocument,
    PersonDocument,
    RepositoryCount,
    ReviewCredit,
    Section,
    SkillsDocument,
)
from bot.story.lines import (
    attention_of,
    by_machine,
    called,
    came_after,
    corrected_by_hand,
    day,
    hidden_by_hand,
    is_open,
    landed_later,
    line_of,
    measured_of,
    quoted_title,
    reason_for,
    ref_of,
    reference_of,
    state_of,
    stayed,
    steps_of,
    takes_out,
    was_out,
)
from bot.story.quoting import measured, quote_of
from bot.story.themes import MOST_OF_MONTH, Theme, themes_of
from bot.story.things import Judgement, Thing, judged, things_of
from bot.wording import clean, count, listed, shortened

Ignored = Mapping[str, IgnoredTests]  # by the id of the change
NONE: Ignored = MappingProxyType({})


FEW = 5  # changes of a month whose titles alone say little
MOST_ALONE = 15  # things of a month that all have a line
LONGEST_LINES = 1_100  # characters of what has a line of its own; the rest is named in a few words
MOST_TITLES = 5  # titles of the rest of a theme or of fixes, behind their lines; of more the first, and how many
LEAST_OF_THEMES = 1 / 3  # of the work: where themes hold less, it has none
MOST_FIRST = 7  # things of a theme that have a line in any case: a third of it
A_LINE, A_HEADING = 12, 14  # characters around a title, and around a heading
FEW_LATE = 1 / 4  # of a month's changes that landed when it was over: of more the first line alone says so
MOST_OTHERS = 8  # titles of what the person helped others to write
MOST_SMALL, MOST_SMALL_OF_FEW = 3, 5  # titles of tests, of documents and of build, with themes and without
MOST_QUOTES, QUOTED_OF = 3, 8  # sentences that are quoted, and of how many of the changes that weigh most
LONGEST_QUOTE = 145  # of a month with themes
MOST_REFERENCES = 6  # numbers of one line
FIXED = "Fixed"  # below which a title need not say so
QUOTED: frozenset[Section] = frozenset({"work", "fixed"})  # below what was taken out it would pass for the reason

# --- under which heading a change stands

LIGHT = 50  # changed lines of the product: a change of less whose title says nothing is no work of its own
SMALL: tuple[Section, ...] = ("tests", "docs", "build", "releases", "other")
_CHORES: dict[str, Section] = {
    "tests": "tests", "docs": "docs", "CI": "build", "build": "build", VERSIONS: "build",
}  # fmt: skip


def _by_section(
    changes: Sequence[Change], judgements: Mapping[str, Judgement], topics: Mapping[Key, Commit], ignored: Ignored
) -> dict[Section, list[Change]]:
    """The changes by the section of a month that they stand in. What came by one of the `topics` stands together."""
    sections = {change.id: _section(change, judgements[change.id], ignored) for change in changes}
    of_topic: dict[Key, list[Change]] = defaultdict(list)
    for change in changes:
        key = change.lead.repository, change.lead.via or ""
        if key in topics and sections[change.id] in ("work", "fixed", *SMALL):
            of_topic[key].append(change)
    for key, some in of_topic.items():
        if (chore := decided(topics[key]).chore) in ("CI", "build", "formatting", VERSIONS):
            sections |= {one.id: _CHORES.get(chore, "other") for one in some}
        places = Counter(sections[one.id] for one in some)
        small = places.keys() <= set(SMALL)
        for one in some:
            if small or sections[one.id] in ("tests", "docs", "build", "other"):
                sections[one.id] = places.most_common(1)[0][0] if small else "work"
    found: dict[Section, list[Change]] = {
        name: [] for name in ("work", "fixed", "attention", "reverts", "became", *SMALL, "shared")
    }
    for change in changes:
        found[sections[change.id]].append(change)
    # Somebody whose month was mostly tests, or documents, did that as their work.
    name: Section = max(SMALL[:-1], key=lambda one: len(found[one]))
    if 2 * len(found[name]) > len(changes) - len(found["shared"]):
        found["work"], found[name] = [*found["work"], *found[name]], []
    return found


def _section(change: Change, judged: Judgement, ignored: Ignored) -> Section:
    if change.is_shared:
        return "shared"
    if change.kind == "revert":
        return "reverts"
    if (is_open(change) and not change.chore) or (change.id in ignored and ignored[change.id].off):
        return "attention"
    if was_out(change) and not change.chore:
        return "became"
    mends = is_security(change) and change.chore in ("", "build", VERSIONS)
    if change.chore and not mends:
        is_release = change.kind == "release" and any(map(str.isdigit, judged.title.words))
        return "releases" if is_release else _CHORES.get(change.chore, "other")
    fixes = change.kind == "fix"
    is_empty = says_nothing(judged.title.words) and not (judged.title.kind and fixes) and not change.corrections
    is_light = change.lead.is_counted and lines_of(product_files(change.lead)) < LIGHT
    if not has_words(judged.title.words) or (is_empty and is_light and not mends):
        return "other"
    return "fixed" if fixes or mends else "work"


def _called(thing: Thing) -> str:
    return quoted_title(thing.topic, WHOLE) if thing.topic else called(thing.lead, WHOLE)


# --- what has a line of its own, and what stands together


def month_items(
    facts: MonthFacts, ignored: Ignored = NONE, topics: Mapping[Key, Commit] | None = None
) -> tuple[ItemDocument, ...]:
    """The items of a month in the order shown, the sections one after the other. `topics` are the merges that brought
    its changes."""
    topics = topics or {}
    judgements = judged(facts.changes)
    sections = _by_section(facts.changes, judgements, topics, ignored)
    layout = _Layout(facts, ignored, topics, judgements, [*sections["work"], *sections["fixed"]])
    things = layout.things
    repairs = {one.id for one in sections["fixed"]}
    fixed = [
        one
        for one in things
        if (
            one.topic
            and decided(one.topic).kind == "fix"
            and not all(judgements[some.id].chore for some in one.changes)
        )
        or repairs.issuperset(some.id for some in one.changes)
    ]
    rest = [one for one in things if one not in fixed]
    attention, concerned = layout.outcomes("attention", sections["attention"], sections["reverts"])
    became, others = layout.outcomes("became", sections["became"], sections["reverts"])
    concerned |= others
    reverts = [one for one in sections["reverts"] if one.id not in concerned]
    below = [
        *attention,
        *became,
        *layout.one_by_one("reverts", reverts, len(reverts)),
        *(item for name in SMALL for item in layout.small(name, sections[name])),
        *layout.one_by_one("shared", sections["shared"], MOST_OTHERS),
        *_merges(facts),
    ]
    items = [*layout.work(rest, fixed, below), *below]
    return tuple(layout.quoted(items))


class _Layout:
    """Lays out the sections of one month: of a small month each thing, of a large one by themes, as far as there is
    room. `things` is the work, and what was fixed, each thing once."""

    def __init__(
        self,
        facts: MonthFacts,
        ignored: Ignored,
        topics: Mapping[Key, Commit],
        judgements: Mapping[str, Judgement],
        work: Sequence[Change],
    ) -> None:
        self._facts = facts
        self._topics = topics
        self._ignored = ignored
        self._judged = judgements
        self._lead_of = {change.lead.sha: change for change in facts.changes}
        self._everywhere = {folded(label) for label, _ in common_labels(facts)}
        late = sum(came_after([one], facts) is not None for one in facts.changes)
        self._few_are_late = late <= FEW_LATE * len(facts.changes)
        self._is_tiny = len(facts.changes) <= FEW
        self.things = self._things(work)
        self._is_large = len(self.things) > MOST_ALONE

    def _things(self, changes: Sequence[Change]) -> list[Thing]:
        found = things_of(changes, self._judged, {}, self._topics)
        return sorted(found, key=lambda one: (-one.notice, one.lead.lead.written))

    def _landed(self, changes: Iterable[Change]) -> str | None:
        """The day on which changes had all landed, where that was after the month, as few of it did."""
        landed = came_after(changes, self._facts) if self._few_are_late else None
        return day(landed.isoformat(), str(self._facts.month)) if landed else None

    def _matters(self, thing: Thing) -> bool:
        """Whether a thing has a line in any case."""
        return any(
            self._judged[one.id].sort in ("security", "act")
            or (one.kind == "fix" and is_grave(self._judged[one.id].title.words))
            or bool(measured(one) or one.state != "landed" or one.later or one.fixes or one.title)
            for one in thing.changes
        )

    def work(
        self, work: Sequence[Thing], fixed: Sequence[Thing], below: Sequence[ItemDocument]
    ) -> Iterable[ItemDocument]:
        """The work by themes and what was fixed: each thing in a line, as far as there is room beside what stands
        `below`; the rest by short titles."""
        themes = themes_of(work, self._everywhere, by_folder=self._is_large)
        if sum(len(one.things) for one in themes if one.name) < LEAST_OF_THEMES * len(work):
            themes = [Theme("", tuple(work))]
        lines = {id(one): self._line(one, theme.name) for theme in themes for one in theme.things}
        lines |= {id(one): self._line(one, FIXED) for one in fixed}
        groups = [(theme.name, list(theme.things)) for theme in themes] + ([(FIXED, list(fixed))] if fixed else [])
        shown = self._shown(groups, lines, below) if self._is_large else set(lines)
        for number, (name, things) in enumerate(groups):
            section: Section = "fixed" if number == len(themes) else "work"
            rest = [one for one in things if id(one) not in shown]
            rest = rest if len(rest) > 1 else []  # a line is as short as saying that there is one more
            most = MOST_TITLES if len(rest) > MOST_TITLES + 1 else len(rest)
            own = [lines[id(one)] for one in things if one not in rest]
            counted = (reference_of(some) for one in rest[most:] for some in one.changes)
            more = (*(self._short(one, name) for one in rest[:most]), *counted)
            every = [one for some in things for one in some.changes]
            yield from self._items(section, own, "" if section == "fixed" else name, every, more)

    def _shown(
        self,
        groups: Sequence[tuple[str, list[Thing]]],
        lines: Mapping[int, LineDocument],
        below: Sequence[ItemDocument],
    ) -> set[int]:
        """What has a line of its own: a third of each theme, what matters, then what is noticed most."""
        room = LONGEST_LINES - sum(_length(line) for item in below for line in item.lines if item.section not in SMALL)
        room -= sum(A_HEADING + len(name) for name, _ in groups)
        ranked = sorted(
            ((index >= min(len(some) // 3 + 1, MOST_FIRST), not self._matters(one), -one.notice, order, one)
             for order, (_, some) in enumerate(groups) for index, one in enumerate(some)),
            key=lambda one: one[:4],
        )  # fmt: skip
        shown = set[int]()
        for later, minor, _, _, one in ranked:
            room -= _length(lines[id(one)])
            if room < 0 and later and minor:
                break
            shown.add(id(one))
        return shown

    def _items(
        self,
        section: Section,
        lines: Sequence[LineDocument],
        label: str,
        changes: Sequence[Change],
        more: tuple[ChangeReference, ...],
    ) -> Iterable[ItemDocument]:
        """A theme is one item; without a name each line is one, the last with the rest."""
        if label or not lines:
            yield self._item(section, lines, label, changes, more)
            return
        for line in lines[:-1]:
            yield self._item(section, [line])
        shown = {sha for line in lines[:-1] for sha in line.evidence}
        yield self._item(section, lines[-1:], "", [one for one in changes if shown.isdisjoint(one.shas)], more)

    def _short(self, thing: Thing, heading: str) -> ChangeReference:
        tag = clean(self._tag(thing.topic or thing.lead.lead, heading))
        title = shortened(f"{tag}: " * bool(tag) + (thing.title or _called(thing)), WHOLE)
        number = f" ({len(thing.changes)} changes)" if len(thing.changes) > 1 else ""
        return replace(reference_of(thing.lead), title=title + number)

    def _line(self, thing: Thing, label: str = "") -> LineDocument:
        """A thing as a line: under its own title, with the numbers of all its changes."""
        line = self.line(thing.lead, label)
        if thing.topic:
            tag = self._tag(thing.topic, label)
            line = replace(line, title=_called(thing), ref=ref_of(thing.topic), tag=clean(tag))
        elif len(thing.changes) > 1:
            numbers = list(dict.fromkeys(number_in(one) or ref_of(one.lead) for one in thing.changes))
            more = [f"and {len(numbers) - MOST_REFERENCES} more"] if len(numbers) > MOST_REFERENCES + 1 else []
            ref = " ".join((*numbers[: MOST_REFERENCES if more else None], *more))
            line = replace(line, title=thing.title or line.title, ref=ref)
        evidence = dict.fromkeys(sha for one in (thing.lead, *thing.changes) for sha in one.shas)
        number = len(thing.changes)
        return replace(
            line,
            evidence=tuple(evidence),
            landed=None if line.steps else self._landed(thing.changes),
            notes=(*line.notes, *([] if number in (1, line.ref.count("#")) else [f"{number} changes"])),
        )

    def outcomes(
        self, section: Section, changes: Sequence[Change], reverts: Sequence[Change]
    ) -> tuple[list[ItemDocument], set[str]]:
        """What did not simply land; what went out by one commit, and landed on one day, stands together. The person's
        own `reverts` of it are shown by its steps. With the ids of all the changes that are shown so."""
        together: dict[object, list[LineDocument]] = {}
        for change in changes:
            line = self.line(change)
            line = replace(line, reason=reason_for(change) if line.steps else "")
            key = tuple(step.on if step.did == "landed" else step.sha for step in line.steps)
            together.setdefault(key or change.id, []).append(line)
        found = list[ItemDocument]()
        concerned = {one.id for one in changes}
        for lines in together.values():
            named = {step.sha for line in lines for step in line.steps}
            in_steps = [one for one in reverts if not named.isdisjoint(one.shas)]
            concerned |= {one.id for one in in_steps}
            own = [self._lead_of[line.sha] for line in lines]
            found.append(self._item(section, lines, changes=[*own, *in_steps]))
        return found, concerned

    def one_by_one(self, section: Section, changes: Sequence[Change], most: int) -> Iterable[ItemDocument]:
        """In order of time, each alone; where they are too many, the largest."""
        ranked = sorted(changes, key=lambda one: (-self._judged[one.id].weight, one.lead.written))[:most]
        lines = []
        for change in (one for one in changes if one in ranked):
            line = self.line(change)
            if section == "reverts":
                notes = tuple(filter(None, (*line.notes, takes_out(change))))
                line = replace(line, reason=reason_for(change), notes=notes)
            lines.append(line)
        for line in lines[:-1]:
            yield self._item(section, [line])
        if lines:
            rest = [one for one in changes if one not in ranked]
            changes = [self._lead_of[lines[-1].sha], *rest]
            yield self._item(section, lines[-1:], changes=changes, more=tuple(map(reference_of, rest)))

    def small(self, section: Section, changes: Sequence[Change]) -> Iterable[ItemDocument]:
        """Tests, documents, build: each title of a small month, of a large one the largest. Releases have all their
        names, and so have tests that were switched off or removed."""
        things = self._things(changes)
        size = {id(one): sum(lines_of(some.lead.files) for some in one.changes) for one in things}
        ranked = sorted(things, key=lambda one: (says_nothing(one.said.words), -size[id(one)], one.lead.lead.written))
        most = MOST_SMALL if self._is_large else MOST_SMALL_OF_FEW
        most = len(ranked) if section == "releases" or len(ranked) <= most + 1 else most
        every = [one for thing in things for one in thing.changes]
        must = {one.id for one in every if one.title or one.state != "landed" or one.id in self._ignored}
        named = [one for one in ranked if has_words(one.said.words)][:most]
        rest = [one for one in ranked if one not in named and must.isdisjoint(some.id for some in one.changes)]
        if things:
            more = tuple(reference_of(some) for one in rest for some in one.changes)
            yield self._item(section, [self._line(one) for one in ranked if one not in rest], "", changes, more)

    def _item(
        self,
        section: Section,
        lines: Sequence[LineDocument],
        label: str = "",
        changes: Sequence[Change] = (),
        more: tuple[ChangeReference, ...] = (),
    ) -> ItemDocument:
        """Of the changes of its lines, or of all these."""
        changes = changes or [self._lead_of[sha] for line in lines for sha in line.evidence if sha in self._lead_of]
        first = self._lead_of[lines[0].sha] if lines else changes[0]
        return ItemDocument(
            section=section,
            title=label or (called(first) if lines else count(len(changes), "change")),
            label=label,
            text="",  # once it is known which quotations stay
            kind=first.kind,
            state=state_of(changes),
            repository=clean(first.lead.repository),
            refs=tuple(dict.fromkeys(ref for change in changes for ref in change.refs)),
            evidence=tuple(dict.fromkeys(sha for change in changes for sha in change.shas)),
            lines=tuple(lines),
            more=more,
            changes=len(changes),
        )

    def _tag(self, commit: Commit, heading: str) -> str:
        """What stands before a title below a heading, unless that or most of the month says it; also that it fixes."""
        title = title_of(commit)
        labels = [one for one in title.labels if folded(one) not in self._everywhere]
        if labels:
            return labels[0] if folded(heading) not in map(folded, labels) else ""
        says_fault = is_fault(title.kind) and "fix" not in title.words.casefold()
        return title.kind if says_fault and heading != FIXED else ""

    def line(self, change: Change, label: str = "") -> LineDocument:
        return line_of(
            change,
            called(change, WHOLE),
            tag=self._tag(change.lead, label),
            measured=measured(change)[: 1 if self._is_large else None],
            notes=(f"{count(self._ignored[change.id].number, 'test')} ignored",) if change.id in self._ignored else (),
            steps=steps_of(change, self._facts),
            landed=self._landed([change]),
        )

    def quoted(self, items: Sequence[ItemDocument]) -> Iterable[ItemDocument]:
        """The items, with quotations for the changes that are noticed most: at most MOST_QUOTES, none where numbers
        are, and none of one change below the title of several."""
        quotable = [
            line
            for item in items
            if item.section in QUOTED
            for line in item.lines
            if not line.measured and len(line.evidence) == len(self._lead_of[line.sha].shas)
        ]
        changes = sorted((self._lead_of[line.sha] for line in quotable), key=lambda one: -self._judged[one.id].weight)
        most = max(min(QUOTED_OF, len(self._facts.changes) // 2), 1) if self._is_large else len(changes)
        said = ((one.lead.sha, quote_of(one, generous=self._is_tiny)) for one in changes[:most])
        fit = ((sha, one) for sha, one in said if one and (not self._is_large or len(one) <= LONGEST_QUOTE))
        quotes = dict(islice(fit, MOST_QUOTES))
        for item in items:
            lines = tuple(replace(one, quote=quotes[one.sha]) if one.sha in quotes else one for one in item.lines)
            text = " ".join(line.quote for line in lines if line.quote)
            yield replace(item, lines=lines, text=text) if text else item


def _length(line: LineDocument) -> int:
    """About how many characters a line takes."""
    parts = (line.tag, line.title, line.ref, line.reason, *line.measured, *line.notes)
    return A_LINE + sum(map(len, parts)) + 40 * len(line.steps)


def common_labels(facts: MonthFacts) -> list[tuple[str, int]]:
    """The tags and prefixes that most of a month's changes have, which stand before none of them, and how many have
    each; most first."""
    labels = [{folded(label): label for label in title_of(change.lead).labels} for change in facts.changes]
    spelled = {label: one[label] for one in reversed(labels) for label in one}
    numbers = Counter(label for one in labels for label in one)
    least = MOST_OF_MONTH * len(labels)
    return [(spelled[label], n) for label, n in numbers.most_common() if n >= least and len(labels) > 3]


def _merges(facts: MonthFacts) -> Iterable[ItemDocument]:
    """The merges of the month, of each repository an item; one that several hold is shown in the first."""
    by_repository: dict[str, dict[str, Commit]] = {}
    seen: set[str] = set()
    for merge in sorted(facts.merges, key=lambda one: one.repository):
        if merge.sha not in seen:
            seen.add(merge.sha)
            by_repository.setdefault(merge.repository, {})[merge.sha] = merge
    for repository, merges in by_repository.items():
        title = f"{count(len(merges), 'branch', 'branches')} merged"
        yield ItemDocument("merges", title, "", "", "chore", "landed", clean(repository), (), tuple(merges), (), ())


BY_COMMITTER = "Commits belong to the month in which they came to the default branch."


def month_document(
    facts: MonthFacts, ignored: Ignored = NONE, topics: Mapping[Key, Commit] | None = None
) -> MonthDocument:
    """The document of one developer's month. Every commit of it is in the evidence of an item; a change that turned
    tests off that still are stands under what needs attention. `topics` are the merges that brought its changes."""
    facts = with_numbers(facts, topics or {})
    items = month_items(facts, ignored, topics)
    shown = {sha for item in items for sha in item.evidence}
    every = {commit.sha for commit in facts.commits}
    first, last = first_and_last(facts.month)
    before = judged(facts.before)
    return MonthDocument(
        person=PersonDocument(clean(facts.person.name), tuple(map(clean, facts.person.addresses))),
        month=str(facts.month),
        from_=first,
        to=last,
        zone=facts.zone,
        to_date=facts.to_date,
        counts=counts(facts),
        repositories=repository_counts([facts]),
        headline=headline(facts),
        items=items,
        attention=tuple(attention_of(one) for item in items if item.section == "attention" for one in item.lines),
        measured=tuple(one for item in items for line in item.lines for one in measured_of(line)),
        skills=SkillsDocument(facts.languages, facts.technologies),
        credit=_credit(facts),
        changes=tuple(map(change_document, facts.changes)),
        coverage={"commits_told": len(shown & every), "commits_total": len(every)},
        indexed_at=indexed_at([facts]),
        notes=tuple(clean(note) for note in (*hidden_by_hand([facts]), *facts.notes)),
        details=tuple(
            clean(note) for note in (*corrected_by_hand(facts.changes, facts.zone), *by_committer(facts.dates))
        ),
        written_before=tuple(map(_earlier, sorted(facts.before, key=lambda one: -before[one.id].weight))),
    )


def _earlier(change: Change) -> EarlierDocument:
    title, day = clean(change.title) or plain_title(heading_of(change.lead).line), change.lead.author.local.date()
    return EarlierDocument(title, change.refs, change.shas, day.isoformat())


def first_and_last(period: AnyPeriod) -> tuple[str, str] | tuple[None, None]:
    """The first and the last day of a period that is no month."""
    if isinstance(period, Month):
        return None, None
    days = Days.of(period)
    return str(days.first), str(days.last)


def headline(facts: MonthFacts) -> Sentence:
    """How much, where, and how much of it did not stay."""
    shas = {commit.sha for commit in facts.commits} or {sha for one in facts.helped for sha in one.evidence}
    shas = shas or set(commits_of(facts.before))
    return Sentence(_headline(facts), tuple(sorted(shas)))


def _headline(facts: MonthFacts) -> str:
    if not facts.commits and facts.before:
        return f"Nothing written in {facts.month.title}; {count(len(facts.before), 'change')} written before landed."
    if not facts.commits:
        return "No commits of their own." if facts.helped else "No commits."
    own = [change for change in facts.changes if not change.is_shared]
    where = listed([clean(repository.name) for repository, _, _ in by_repository([facts])])
    shared = Counter("by bots" if by_machine(one.lead) else "by others" for one in facts.changes if one.is_shared)
    said = [f"{count(len(own), 'change')}{_of_which(own, facts)}"] if own else []
    said += [f"co-author of {' and of '.join(f'{n:,} {by}' for by, n in shared.most_common())}"] if shared else []
    if facts.merges:
        said.append(f"{count(len({merge.sha for merge in facts.merges}), 'branch', 'branches')} merged")
    labels = listed([clean(label) for label, _ in common_labels(facts)])
    mostly = f", mostly {labels}" if labels else ""
    more = (landed_later(own, facts), stayed(own, facts.to_date, facts.month))
    return " ".join((f"{listed(said)} in {where}{mostly}.", *filter(None, more)))


def _of_which(own: Sequence[Change], facts: MonthFacts) -> str:
    """What lines alone do not show: that the changes are of more commits, and how many only revert."""
    of = {commit.sha for change in own for commit in change.commits} & {commit.sha for commit in facts.commits}
    reverts = sum(change.kind == "revert" for change in own)
    said = [count(len(of), "commit")] if len(of) > len(own) else []
    said += [count(reverts, "revert")] if reverts else []
    return f" ({', '.join(said)})" if said else ""


def repository_counts(months: Iterable[MonthFacts]) -> tuple[RepositoryCount, ...]:
    """The repositories with commits in the months, by name."""
    return tuple(RepositoryCount(clean(one.name), commits, changes) for one, commits, changes in by_repository(months))


def indexed_at(months: Iterable[MonthFacts]) -> str | None:
    """When the oldest index of the months was last found to be current."""
    times = {one.indexed_at for one in months if one.indexed_at}
    return min(times).isoformat(timespec="seconds") if times else None


def by_committer(dates: str) -> tuple[str, ...]:
    return (BY_COMMITTER,) if dates == "committer" else ()


def _credit(facts: MonthFacts) -> Credit:
    own = facts.person.signatures
    shared = dict.fromkeys(commit.sha for change in facts.changes for commit in change.commits if commit not in own)
    reviewed = (one for one in facts.helped if one.role == "reviewer")
    return Credit(
        tuple(ReviewCredit(clean(one.repository), one.commits, one.people) for one in reviewed), tuple(shared)
    )


def change_document(change: Change, release: str | None = None) -> ChangeDocument:
    return ChangeDocument(
        id=change.id,
        commits=tuple(map(commit_document, change.commits)),
        subject=clean(heading_of(change.lead).line),
        kind=change.kind,
        state=change.state,
        by=None if change.reverted_by is None else clean(change.reverted_by),
        reverted_in=change.reverted_in,
        relanded_in=change.relanded_in,
        refs=change.refs,
        sure=change.is_sure,
        release=release,
    )


def commit_document(commit: Commit) -> CommitDocument:
    return CommitDocument(clean(commit.repository), commit.sha, commit.author.local.isoformat(timespec="seconds"))


def commits_of(changes: Iterable[Change]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sha for change in changes for sha in change.shas))
