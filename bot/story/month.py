"""MonthFacts → the document of a developer's month: the work by themes, what was fixed, what needs attention, and the
rest by name; what its diffs tell of tests; and what is counted. LifetimeFacts → a profile: spans, counts and the
largest titles, then a line a month. Pure.

What is one thing is decided first (bot/story/things.py), then under which heading it stands, then what has a line of
its own. Nothing is reworded (docs/months.md).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import MappingProxyType
from typing import cast
from zoneinfo import ZoneInfo

from bot.diff import IgnoredTests
from bot.model import Change, Commit, Key, Sentence
from bot.month.calendar import AnyPeriod, Days, Month
from bot.month.facts import LifetimeFacts, MonthFacts, by_repository, by_state, counts, with_numbers
from bot.month.histories import number_in
from bot.month.kinds import VERSIONS, is_fault, is_grave, says_nothing
from bot.month.message import heading_of
from bot.month.paths import lines_of
from bot.month.title import WHOLE, folded, title_of
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
    ProfileDocument,
    ProfileRepository,
    ProfileTheme,
    RepositoryCount,
    ReviewCredit,
    Section,
    SkillsDocument,
)
from bot.story.lines import (
    attention_of,
    called,
    came_after,
    commits_of,
    corrected_by_hand,
    day,
    has_history,
    hidden_by_hand,
    is_by_machine,
    is_open,
    landed_later,
    line_of,
    quoted_title,
    reason_for,
    ref_of,
    reference_of,
    span_title,
    state_of,
    stayed,
    steps_of,
    takes_out,
    was_out,
)
from bot.story.quoting import adds_to, measured, quote_of
from bot.story.things import (
    MOST_OF_MONTH,
    Notes,
    Theme,
    Thing,
    judged,
    note_of,
    tells_fault,
    themes_of,
    things_of,
)
from bot.wording import clean, count, listed

Ignored = Mapping[str, IgnoredTests]  # by the id of the change
NONE: Ignored = MappingProxyType({})

FEW = 5  # changes of a month whose titles alone say little
MOST_ALONE = 15  # things of a month that all have a line
LONGEST_LINES = 1_600  # characters of what has a line of its own; the rest is counted
LEAST_FIRST, MOST_FIRST = 4, 7  # things of a theme that have a line in any case: a third of it
A_LINE, A_HEADING, A_STEP = 12, 14, 40  # characters around a title, around a heading, and of what happened to a change
FEW_LATE = 1 / 4  # of a month's changes that landed when it was over: of more the first line alone says so
MOST_OTHERS = 8  # titles of what the person helped others to write
MOST_SMALL = 1  # titles of tests, of documents and of build in a small month
MOST_QUOTES, MOST_NOTES = 3, 6  # sentences that are quoted, and where commits say what they mean to users
FIXED = "Fixed"  # below which a title need not say so
MOST_REFERENCES = 6  # numbers of one line
SMALL: tuple[Section, ...] = ("tests", "docs", "build", "releases", "other")
QUOTED: tuple[Section, ...] = ("work", "fixed")  # below what was taken out it would pass for the reason
_CHORES: dict[str, Section] = {
    "tests": "tests", "docs": "docs", "CI": "build", "build": "build", VERSIONS: "build",
}  # fmt: skip


class _Layout:
    """Lays out one month: of a small month each thing has a line, of a large one what there is room for."""

    def __init__(self, facts: MonthFacts, ignored: Ignored, topics: Mapping[Key, Commit], notes: Notes) -> None:
        self._facts, self._ignored, self._notes = facts, ignored, notes
        self._judged = judged(facts.changes, notes=notes)
        self._lead_of = {change.lead.sha: change for change in facts.changes}
        self._everywhere = set(map(folded, common_labels(facts)))
        late = sum(came_after([one], facts) is not None for one in facts.changes)
        self._few_are_late = late <= FEW_LATE * len(facts.changes)
        self._placed = self._by_section(topics)
        self._is_large = len(self._placed["work"]) + len(self._placed["fixed"]) > MOST_ALONE

    def items(self) -> list[ItemDocument]:
        """The items in the order shown, the sections one after the other."""
        placed = self._placed
        reverts = [thing.lead for thing in placed["reverts"]]
        below = [*self._outcomes("attention", reverts), *self._outcomes("became", reverts)]
        shown = {sha for item in below for sha in item.evidence}
        left = [one for one in placed["reverts"] if shown.isdisjoint(one.lead.shas)]
        below += self._group("reverts", left, left)
        for name in SMALL:  # of a small month the largest that say something, of a large one what matters; releases all
            things = sorted(placed[name], key=lambda one: -_size(one))
            telling = [one for one in things if not (self._is_large or says_nothing(one.said.words))]
            shown_small = things if name == "releases" else telling[:MOST_SMALL] or [*filter(self._matters, things)]
            below += self._group(name, things, shown_small)
        heaviest = sorted(placed["shared"], key=lambda one: (bool(one.judged.chore), -one.judged.weight))
        telling = [one for one in heaviest if not one.judged.chore] or heaviest
        below += self._group("shared", placed["shared"], telling[:MOST_OTHERS])
        items = [*self._work(below), *below, *_merges(self._facts)]
        return list(self._quoted(items))

    # --- under which heading a thing stands

    def _by_section(self, topics: Mapping[Key, Commit]) -> dict[Section, list[Thing]]:
        """The things of each section, the most noticed first; what did not simply land, and others' work, by change."""
        found: dict[Section, list[Thing]] = defaultdict(list)
        plain = list[Change]()
        for change in self._facts.changes:
            if name := self._apart(change):
                found[name].append(Thing((change,), change, self._judged[change.id]))
            else:
                plain.append(change)
        things = things_of(plain, self._judged, {}, topics, notes=self._notes)
        for one in sorted(things, key=lambda one: (-one.notice, one.lead.lead.written)):
            found[self._section(one)].append(one)
        # Somebody whose month was mostly tests, or documents, did that as their work.
        mostly = max(SMALL[:-1], key=lambda one: len(_changes(found[one])))
        if 2 * len(_changes(found[mostly])) > len(self._facts.changes) - len(found["shared"]):
            found["work"] += found.pop(mostly)
        return found

    def _apart(self, change: Change) -> Section | None:
        if change.is_shared:
            return "shared"
        if change.kind == "revert":
            return "reverts"
        is_off = change.id in self._ignored and self._ignored[change.id].off
        if is_off or (is_open(change) and not change.chore):
            return "attention"
        return "became" if was_out(change) and not change.chore else None

    def _section(self, thing: Thing) -> Section:
        it, lead, words = thing.judged, thing.lead, thing.said.words
        mends = it.sort == "security" and it.chore in ("", "build", VERSIONS)
        if it.chore and not mends:
            is_release = lead.kind == "release" and any(map(str.isdigit, words))
            return "releases" if is_release else _CHORES.get(it.chore, "other")
        fixes = mends or it.sort == "fixed"
        if says_nothing(words) and not (lead.corrections or mends or (fixes and thing.said.kind)):
            return "other"
        return "fixed" if fixes else "work"

    # --- what has a line of its own

    def _work(self, below: Sequence[ItemDocument]) -> Iterator[ItemDocument]:
        """The work by themes and what was fixed: each thing in a line, as far as there is room beside what stands
        `below`; the rest by short titles."""
        work, fixed = self._placed["work"], self._placed["fixed"]
        is_large = len(work) > MOST_FIRST
        themes = themes_of(work, self._everywhere, by_folder=self._is_large) if is_large else [Theme("", tuple(work))]
        groups: list[tuple[Section, Theme]] = [("work", theme) for theme in themes if theme.things]
        groups += [("fixed", Theme(FIXED, tuple(fixed)))] if fixed else []
        shown = self._shown([theme for _, theme in groups], below) if self._is_large else [*work, *fixed]
        for section, theme in groups:
            yield from self._group(section, theme.things, shown, theme.name)

    def _shown(self, themes: Sequence[Theme], below: Sequence[ItemDocument]) -> list[Thing]:
        """What has a line of its own: a third of each theme, what matters, then what is noticed most; but for the first
        of a theme nothing that only cleans, or says nothing."""
        room = LONGEST_LINES - sum(_length(line) for one in below if one.section not in SMALL for line in one.lines)
        room -= sum(A_HEADING + len(theme.name) for theme in themes)
        first = [min(max(len(theme.things) // 3 + 1, LEAST_FIRST), MOST_FIRST) for theme in themes]
        ranked = sorted(
            (at >= first[order], not self._matters(one), -one.notice, order, at)
            for order, theme in enumerate(themes)
            for at, one in enumerate(theme.things)
            if not at or self._matters(one) or (one.judged.weight and one.judged.sort != "cleaning")
        )
        shown = list[Thing]()
        for later, minor, _, order, at in ranked:
            thing = themes[order].things[at]
            room -= _length(self._line(thing, themes[order].name))
            if room < 0 and later and minor:
                break
            shown.append(thing)
        return shown

    def _matters(self, thing: Thing) -> bool:
        """Whether a thing has a line in any case."""
        mends = thing.judged.sort in ("security", "act") or (thing.lead.kind == "fix" and is_grave(thing.said.words))
        return mends or any(measured(one) or has_history(one) or one.title for one in thing.changes)

    def _group(
        self, section: Section, things: Sequence[Thing], shown: Sequence[Thing], label: str = ""
    ) -> Iterator[ItemDocument]:
        """What stands under one heading: lines for what is shown; the rest is counted. A theme is one item, and so are
        tests or documents; else each line is one."""
        known = set(map(id, shown))
        rest = [one for one in things if id(one) not in known]
        rest = rest if len(rest) > 1 else []  # a line is as short as saying that there is one more
        named = set(map(id, rest))
        lines = [self._line(one, label) for one in things if id(one) not in named]
        more = tuple(map(reference_of, _changes(rest)))
        label = "" if label == FIXED else label
        alone = [] if label or section in SMALL else lines[:-1]
        for line in alone:
            yield self._item(section, [line])
        shown_alone = {sha for line in alone for sha in line.evidence}
        if left := [one for one in _changes(things) if shown_alone.isdisjoint(one.shas)]:
            yield self._item(section, lines[len(alone) :], label, left, more)

    def _outcomes(self, section: Section, reverts: Sequence[Change]) -> Iterator[ItemDocument]:
        """What did not simply land; what went out by one commit, and landed on one day, stands together. The person's
        own `reverts` of it are shown by its steps."""
        together: dict[object, list[LineDocument]] = defaultdict(list)
        for thing in self._placed[section]:
            line = self._line(thing)
            line = replace(line, reason=reason_for(thing.lead) if line.steps else "")
            key = tuple(step.on if step.did == "landed" else step.sha for step in line.steps)
            together[key or line.sha].append(line)
        for lines in together.values():
            named = {step.sha for line in lines for step in line.steps}
            in_steps = (one for one in reverts if not named.isdisjoint(one.shas))
            yield self._item(section, lines, "", [*(self._lead_of[line.sha] for line in lines), *in_steps])

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
            evidence=commits_of(changes),
            lines=tuple(lines),
            more=more,
            changes=len(changes),
        )

    # --- how a thing is told

    def _line(self, thing: Thing, label: str = "") -> LineDocument:
        """A thing under its own title, with the numbers of all its changes."""
        lead, number = thing.lead, len(thing.changes)
        ref = number_in(lead) or ref_of(lead.lead)
        if thing.topic:
            ref = ref_of(thing.topic)
        elif number > 1:
            refs = list(dict.fromkeys(number_in(one) or ref_of(one.lead) for one in thing.changes))
            most = MOST_REFERENCES if len(refs) > MOST_REFERENCES + 1 else len(refs)
            ref = " ".join([*refs[:most], *([f"and {len(refs) - most} more"] if most < len(refs) else [])])
        notes = [f"{count(self._ignored[lead.id].number, 'test')} ignored"] if lead.id in self._ignored else []
        is_revert, steps = lead.kind == "revert", steps_of(lead, self._facts)
        notes += [undone] if is_revert and (undone := takes_out(lead)) else []
        notes += [f"{number} changes"] if number not in (1, ref.count("#")) else []
        return line_of(
            lead,
            _called(thing),
            tag=clean(self._tag(thing, label)),
            ref=ref,
            measured=measured(lead)[: 1 if self._is_large else None],
            notes=tuple(notes),
            steps=steps,
            reason=reason_for(lead) if is_revert else "",
            landed=None if steps else self._landed(thing.changes),
            evidence=commits_of((lead, *thing.changes)),
        )

    def _tag(self, thing: Thing, heading: str) -> str:
        """What stands before a title below a heading, unless that or most of the month says it; also that it fixes."""
        title = title_of(thing.speaks)
        if labels := [one for one in title.labels if folded(one) not in self._everywhere]:
            return labels[0] if folded(heading) not in map(folded, labels) else ""
        says_fault = is_fault(title.kind) and "fix" not in title.words.casefold()
        return title.kind if says_fault and heading != FIXED else ""

    def _landed(self, changes: Iterable[Change]) -> str | None:
        """The day on which changes had all landed, where that was after the month, as few of it did."""
        landed = came_after(changes, self._facts) if self._few_are_late else None
        return day(landed.isoformat(), str(self._facts.month)) if landed else None

    def _quoted(self, items: Sequence[ItemDocument]) -> Iterator[ItemDocument]:
        """The items, with quotations for the changes that weigh most; none where numbers are, and of one change below
        the title of several only what these say together."""
        lines = [line for item in items if item.section in QUOTED for line in item.lines if not line.measured]
        lines.sort(key=lambda one: -self._judged[self._lead_of[one.sha].id].weight)
        said = ((line.sha, self._sentence(line)) for line in lines)
        quotes = dict(islice((one for one in said if one[1]), MOST_NOTES if self._notes else MOST_QUOTES))
        for item in items:
            quoted = tuple(replace(one, quote=quotes.get(one.sha, "")) for one in item.lines)
            yield replace(item, lines=quoted, text=" ".join(line.quote for line in quoted if line.quote))

    def _sentence(self, line: LineDocument) -> str:
        """What the body of a line's only change says, else what all of them say to users that the title does not."""
        changes = [self._lead_of[sha] for sha in line.evidence if sha in self._lead_of]
        is_alone = len(line.evidence) == len(changes[0].shas)
        if is_alone and (quote := quote_of(changes[0], generous=len(self._facts.changes) <= FEW)):
            return quote
        note = note_of(changes, self._notes)
        is_fix = any(one.kind == "fix" for one in changes)
        is_fit = note and not tells_fault(note, of_fix=is_fix) and adds_to(note.text, f"{line.tag} {line.title}")
        return note.text if note and is_fit else ""


def _changes(things: Iterable[Thing]) -> list[Change]:
    return [change for thing in things for change in thing.changes]


def _size(thing: Thing) -> int:
    return sum(lines_of(one.lead.files) for one in thing.changes)


def _called(thing: Thing) -> str:
    return quoted_title(thing.topic, WHOLE) if thing.topic else thing.title or called(thing.lead, WHOLE)


def _length(line: LineDocument) -> int:
    parts = (line.tag, line.title, line.ref, line.reason, *line.measured, *line.notes)
    return A_LINE + sum(map(len, parts)) + A_STEP * len(line.steps)


def _merges(facts: MonthFacts) -> Iterator[ItemDocument]:
    """The merges of the month, of each repository an item; one that several hold is shown in the first."""
    where = {one.sha: one.repository for one in sorted(facts.merges, key=lambda one: one.repository, reverse=True)}
    for repository in sorted(set(where.values())):
        shas = tuple(dict.fromkeys(one.sha for one in facts.merges if where[one.sha] == repository))
        title = f"{count(len(shas), 'branch', 'branches')} merged"
        yield ItemDocument("merges", title, "", "", "chore", "landed", clean(repository), (), shas, (), ())


# --- the document


BY_COMMITTER = "Commits belong to the month in which they came to the default branch."


def month_document(
    facts: MonthFacts,
    ignored: Ignored = NONE,
    topics: Mapping[Key, Commit] = MappingProxyType({}),
    notes: Notes = MappingProxyType({}),
) -> MonthDocument:
    """The document of one developer's month. Every commit of it is in the evidence of an item; a change that turned
    tests off that still are stands under what needs attention. `topics` are the merges that brought its changes,
    `notes` what commits say of themselves in a change log."""
    facts = with_numbers(facts, topics)
    items = tuple(_Layout(facts, ignored, topics, notes).items())
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
        headline=_headline(facts, every),
        items=items,
        attention=tuple(attention_of(one) for item in items if item.section == "attention" for one in item.lines),
        measured=tuple(
            Sentence(f"{line.title}: {one}", line.evidence)
            for item in items
            for line in item.lines
            for one in line.measured
        ),
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
    return EarlierDocument(called(change, WHOLE), change.refs, change.shas, change.lead.author.local.date().isoformat())


def first_and_last(period: AnyPeriod) -> tuple[str, str] | tuple[None, None]:
    """The first and the last day of a period that is no month."""
    if isinstance(period, Month):
        return None, None
    days = Days.of(period)
    return str(days.first), str(days.last)


def _headline(facts: MonthFacts, every: Collection[str]) -> Sentence:
    """How much, where, and how much of it did not stay."""
    if every:
        return Sentence(_in_words(facts), tuple(sorted(every)))
    if facts.before:
        number = count(len(facts.before), "change")
        text = f"Nothing written in {facts.month.title}; {number} written before landed."
        return Sentence(text, tuple(sorted(set(commits_of(facts.before)))))
    text = "No commits of their own." if facts.helped else "No commits."
    return Sentence(text, tuple(sorted({sha for one in facts.helped for sha in one.evidence})))


def _in_words(facts: MonthFacts) -> str:
    own = [change for change in facts.changes if not change.is_shared]
    where = listed([clean(repository.name) for repository, _, _ in by_repository([facts])])
    shared = Counter("by bots" if is_by_machine(one.lead) else "by others" for one in facts.changes if one.is_shared)
    said = [f"{count(len(own), 'change')}{_of_which(own, facts)}"] if own else []
    said += [f"co-author of {' and of '.join(f'{n:,} {by}' for by, n in shared.most_common())}"] if shared else []
    # What a topic merge brought is a merge into that topic's branch, which so went on from where others were.
    if merged := {merge.sha for merge in facts.merges if not merge.via}:
        said.append(f"{count(len(merged), 'branch', 'branches')} merged")
    labels = listed(list(map(clean, common_labels(facts))))
    mostly = f", mostly {labels}" if labels else ""
    more = (landed_later(own, facts), stayed(own, facts.to_date, facts.month))
    return " ".join((f"{listed(said)} in {where}{mostly}.", *filter(None, more)))


def _of_which(own: Sequence[Change], facts: MonthFacts) -> str:
    """What lines alone do not show: that the changes are of more commits, and how many only revert."""
    of = set(commits_of(own)) & {commit.sha for commit in facts.commits}
    reverts = sum(change.kind == "revert" for change in own)
    said = [count(len(of), "commit")] if len(of) > len(own) else []
    said += [count(reverts, "revert")] if reverts else []
    return f" ({', '.join(said)})" if said else ""


def common_labels(facts: MonthFacts) -> list[str]:
    """The tags and prefixes that most of a month's changes have, which stand before none of them; most first."""
    labels = [{folded(label): label for label in title_of(change.lead).labels} for change in facts.changes]
    spelled = {label: one[label] for one in reversed(labels) for label in one}
    least = MOST_OF_MONTH * max(len(labels), FEW)
    return [
        spelled[label] for label, n in Counter(label for one in labels for label in one).most_common() if n >= least
    ]


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
        commits=tuple(
            CommitDocument(clean(one.repository), one.sha, one.author.local.isoformat(timespec="seconds"))
            for one in change.commits
        ),
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


# --- a whole history

MOST_RECURRING = 4  # themes of a profile
FEWEST = 6  # changes of a whole history, which its months tell
OF_THEME = 30  # a theme has at least one of so many changes
MOST_TITLES = 3  # of a theme
MOST_MONTHS = 12  # that a profile tells in a line each, the newest
MOST_MEASURED = 4
MOST_PLACES = 4
LONGEST_TITLE = 80


class _Profile:
    def __init__(self, whole: LifetimeFacts) -> None:
        self._whole = whole
        self._judged = judged(whole.changes)
        self._own = [one for one in whole.changes if not one.is_shared]
        self._repositories = self._by_size()

    def document(self) -> ProfileDocument:
        whole, months = self._whole, tuple(map(self._month, reversed(self._whole.months)))
        every = {commit.sha for commit in whole.commits}
        shown = {sha for month in months for item in month.items for sha in item.evidence}
        return ProfileDocument(
            person=PersonDocument(clean(whole.person.name), tuple(map(clean, whole.person.addresses))),
            from_=str(whole.months[0].month) if months else None,
            to=str(whole.months[-1].month) if months else None,
            zone=whole.zone,
            to_date=bool(months) and whole.months[-1].to_date,
            counts={"months": len(months), "commits": len(every), **by_state(whole.changes)},
            paragraph=tuple(self._paragraph()),
            themes=tuple(self._themes()),
            measured=tuple(self._measured()),
            skills=SkillsDocument(whole.languages, whole.technologies),
            repositories=tuple(self._repositories),
            earlier=self._earlier(),
            months=months,
            coverage={"commits_told": len(shown & every), "commits_total": len(every)},
            indexed_at=indexed_at([whole]),
            notes=tuple(map(clean, whole.notes)),
            details=by_committer(whole.dates),
        )

    def _by_size(self) -> list[ProfileRepository]:
        """Each repository with its active months, commits and changes: those with most changes first, then by commits,
        then name."""
        where = [{one.repository for one in facts.commits} for facts in self._whole.months]
        found = [
            ProfileRepository(clean(one.name), sum(one.name in each for each in where), commits, changes)
            for one, commits, changes in by_repository([self._whole])
        ]
        return sorted(found, key=lambda one: (-one.changes, -one.commits, one.name))

    def _span_of(self, changes: Sequence[Change]) -> tuple[Month, Month]:
        """The first and the last month in which one of the changes, of which there are some, began."""
        zone = ZoneInfo(self._whole.zone)
        months = [Month.of(change.lead.dated(self._whole.dates).at, zone) for change in changes]
        return min(months), max(months)

    def _months(self, some: Sequence[MonthFacts]) -> str:
        """The months from the first to the last of some, in words."""
        first, last = (cast(Month, some[at].month) for at in (0, -1))  # a history is told month by month
        return span_title(Days.of(first, last))

    def _earlier(self) -> str:
        """The months that are not shown in a line of their own, in words; empty where all are."""
        older = self._whole.months[:-MOST_MONTHS]
        return f"{count(len(older), 'earlier active month')}: {self._months(older)}" if older else ""

    def _paragraph(self) -> Iterator[Sentence]:
        """How much, where and when; what of it did not stay; and what was done for others."""
        whole, own = self._whole, self._own
        if not whole.months:
            helped = tuple(dict.fromkeys(sha for one in whole.helped for sha in one.evidence))
            yield Sentence("No commits of their own." if helped else "No commits.", helped)
            return
        places = listed([one.name for one in self._repositories[:MOST_PLACES]])
        when = f"{self._months(whole.months)}, {count(len(whole.months), 'active month')}"
        every = tuple(dict.fromkeys(commit.sha for commit in whole.commits))
        yield Sentence(f"{count(len(own), 'change')} in {places}, {when}.", every)
        out = [one for one in own if one.state == "backed_out"]
        back = [one for one in own if one.state == "relanded"]
        said = [f"{len(out):,} backed out"] if out else []
        said += [f"{len(back):,} backed out and back in"] if back else []
        if said:
            yield Sentence(f"Of these, {listed(said)}.", commits_of([*out, *back]))
        if shared := [one for one in whole.changes if one.is_shared]:
            yield Sentence(f"Co-author of {count(len(shared), 'change')} by others.", commits_of(shared))
        if reviewed := tuple(dict.fromkeys(s for one in whole.helped if one.role == "reviewer" for s in one.evidence)):
            yield Sentence(f"Named as reviewer of {count(len(reviewed), 'change')} by others.", reviewed)

    def _themes(self) -> Iterator[ProfileTheme]:
        """What recurs in two months or more, the most frequent first."""
        stayed = [one for one in self._own if one.state != "backed_out" and one.kind != "revert"]
        work = [one for one in stayed if not (one.chore or says_nothing(title_of(one.lead).words))]
        stayed = work if 2 * len(work) > len(stayed) else stayed  # unless documents, or tests, are what somebody does
        if len(stayed) <= FEWEST:
            return
        found = [one for one in themes_of([Thing((one,), one, self._judged[one.id]) for one in stayed]) if one.name]
        named = [(one.name, [thing.lead for thing in one.things]) for one in found]
        recurring = [
            (name, some)
            for name, some in named
            if len(some) >= len(stayed) // OF_THEME and len(set(self._span_of(some))) > 1
        ]
        for name, some in sorted(recurring, key=lambda one: (-len(one[1]), one[0]))[:MOST_RECURRING]:
            first, last = self._span_of(some)
            yield ProfileTheme(
                name=clean(name),
                changes=len(some),
                from_=str(first),
                to=str(last),
                when=span_title(Days.of(first, last)),
                lines=tuple(map(_largest_line, self._largest(some))),
                evidence=commits_of(some),
            )

    def _largest(self, changes: Sequence[Change]) -> list[Change]:
        """The largest of some changes, one of each title, the earlier first."""
        ranked = sorted(changes, key=lambda one: (self._judged[one.id].weight, one.lead.written))
        by_title = {title_of(one.lead).words.casefold(): one for one in ranked}
        largest = sorted(by_title.values(), key=lambda one: -self._judged[one.id].weight)[:MOST_TITLES]
        return sorted(largest, key=lambda one: one.lead.written)

    def _month(self, facts: MonthFacts) -> MonthDocument:
        """A month's document with the change that a reader notices most, by which a profile tells it in a line."""
        own = [one for one in facts.changes if not one.is_shared] or facts.changes
        stayed = [one for one in own if one.state != "backed_out" and one.kind != "revert"] or own
        weight = {one.id: self._judged[one.id].weight for one in stayed if one.id in self._judged}
        largest = max(stayed, key=lambda one: (weight.get(one.id, 0), one.lead.author.seconds), default=None)
        return replace(
            month_document(facts),
            largest=_largest_line(largest) if largest else None,
            own=sum(not one.is_shared for one in facts.changes),
        )

    def _measured(self) -> Iterator[LineDocument]:
        found = [(one, text) for one in self._own for text in measured(one)[:1]]
        for change, text in sorted(found, key=lambda one: -self._judged[one[0].id].weight)[:MOST_MEASURED]:
            yield replace(_largest_line(change), measured=(text,), text=text)


def _largest_line(change: Change) -> LineDocument:
    return line_of(change, called(change, LONGEST_TITLE))


def profile_document(whole: LifetimeFacts) -> ProfileDocument:
    """The document of a whole history, as docs/months.md describes it."""
    return _Profile(whole).document()
