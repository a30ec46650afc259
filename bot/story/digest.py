"""The months of several people → a team's post: which changes have a line, under which heading, and how the rest is
counted. Pure.

Every change is in exactly one line or in the counted rest; every line is a quotation, a fact, or a word of ours.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, Key, Person, Sentence, Tag
from bot.month.areas import Areas, plain_name
from bot.month.calendar import NAMES, AnyPeriod, Days, Month
from bot.month.changes import number_in
from bot.month.credits import is_bot
from bot.month.facts import FactsContext, MonthFacts, all_changes, by_state, span_facts, state_of_index, with_numbers
from bot.month.histories import state_of as state_by
from bot.month.kinds import says_nothing, says_sort
from bot.month.languages import LANGUAGES
from bot.month.message import heading_of, meaning_of, references_of
from bot.month.people import by_whom, in_order, is_nobody
from bot.month.releases import in_order as is_before
from bot.month.releases import is_final, is_of_whole, version_of
from bot.month.title import RELEASE_LINE, WHOLE, Title, is_telling, number_of, title_said
from bot.story.documents import (
    FEW,
    OTHER,
    AreaDocument,
    CountedDocument,
    DigestDocument,
    LabelDocument,
    NotableDocument,
    NotableKind,
    PostSection,
    ThingDocument,
)
from bot.story.lines import (
    corrected_by_hand,
    day,
    events_of,
    hidden_by_hand,
    is_out,
    ref_of,
    takes_out,
    was_out,
)
from bot.story.month import change_document, commits_of, first_and_last, indexed_at, repository_counts
from bot.story.quoting import measured, quote_of, reason_of
from bot.story.things import (
    Thing,
    branch_of,
    judged,
    said_breaking,
    things_of,
)
from bot.wording import clean, count, listed, shortened

OF_THEME = 5  # changes of an area, of which one has a line before any has a second
LONGEST_TEXT = 120
SHORT_TITLE = 6  # words, below which a sentence of the body explains a title
SHORT_LIFE = timedelta(hours=1)  # of what was taken out again before anybody had it
LEAST = 3.0  # of a line; lighter things are counted
FIXES_FIRST = 5  # that have a line before what is new has a second of an area
SAME_AREA = 0.8  # what each further thing of an area weighs
MOST_OF: Mapping[PostSection, int] = {"act": 8, "security": 6, "new": 14, "fixed": 8, "out": 4, "off": 3}
MOST_NAMED = 2  # people of a line
MOST_AREAS, LARGE = 2, 8  # areas that the first line names, each at least such a part of all changes
MOST_COUNTED = 10  # names in the line on the rest
_MARKS = re.compile(r"\*\*|[→⇒×~|]|;”")  # of a table or a log, and of no sentence
LONGEST_LABEL = 40  # of what stands before a line, or is named in the line on the rest
MUST_KNOW: tuple[PostSection, ...] = ("act", "security", "out", "off")  # have lines before all else, in this order
_NOTABLE: Mapping[PostSection, NotableKind] = {"security": "security", "out": "taken_out", "off": "tests_off"}
Placed = tuple[PostSection, Thing]
Row = TypeVar("Row", LabelDocument, CountedDocument)
Shown = tuple[PostSection, Thing, ThingDocument]


@dataclass(frozen=True, slots=True)
class Room:
    """How long a post may be."""

    characters: int
    lines: int


MONTH, WEEK = Room(2_300, 27), Room(850, 11)  # of the lines alone; headings, notes and the rest come to it
WEEK_DAYS = 10  # of a time that is told as a week


@dataclass(frozen=True)
class TeamContext:
    """What a team's post is made by beside its changes: the areas of each repository, the topic merges by repository
    and SHA, the changes whose tests are still off, by id, the releases of the time, which one of these is the first
    that has a commit, by repository and SHA, and the commits that their change files call breaking."""

    areas: Mapping[str, Areas] = field(default_factory=dict)
    merges: Mapping[Key, Commit] = field(default_factory=dict)
    off: frozenset[str] = frozenset()
    tags: Sequence[Tag] = ()
    released: Mapping[Key, str] | None = None
    breaking: frozenset[Key] = frozenset()


def team_post(
    changes: Sequence[Change], by: Mapping[str, str], context: TeamContext, zone: ZoneInfo, days: int
) -> dict[str, Any]:
    """The fields of the document that tell what came in a time of so many days. `by` says whose each change is, by its
    id."""
    return _Post(changes, by, context, zone).fields(WEEK if days <= WEEK_DAYS else MONTH)


class _Post:
    def __init__(self, changes: Sequence[Change], by: Mapping[str, str], context: TeamContext, zone: ZoneInfo) -> None:
        self._context, self._zone, self._by = context, zone, by
        self._taken = _taken_back(changes)
        with_others = {one for ids in self._taken.values() for one in ids}
        self._known = {one.id: one for one in changes}
        alone = [one for one in changes if one.id not in with_others]
        self._judged = judged(alone, [self._known[one] for one in with_others], context.merges, context.breaking)
        at = {one.id: self._place(one) for one in changes}
        folded: dict[tuple[str, str], str] = {}
        for name in dict.fromkeys(repository for repository, _ in at.values()):
            own = [area for one, (repository, area) in at.items() if repository == name and not self._judged[one].chore]
            for area, into in self._areas_of(name).fold(own).items():
                folded[name, area] = into
        self._area = {one: (name, folded.get((name, area), "")) for one, (name, area) in at.items()}
        self._headings = {one: self._heading_of(*one) for one in set(self._area.values())}
        self._spelt: dict[str, str] = {}  # the names of themes, each in the form it was met in first
        self._themes = {one.id: self._theme(one) for one in changes}
        self._sizes = Counter(self._themes.values())
        things = things_of(alone, self._judged, by, context.merges)
        # What came twice, by two branches, and was taken out once, stands.
        standing = {_written_as(one) for one in changes if not is_out(one)}
        self._things = [one for one in things if not (is_out(one.lead) and _written_as(one.lead) in standing)]

    def _areas_of(self, repository: str) -> Areas:
        return self._context.areas.get(repository, Areas())

    def _place(self, change: Change) -> tuple[str, str]:
        name = change.lead.repository
        return name, self._areas_of(name).of(change.lead, self._judged[change.id].title.labels)

    def _heading_of(self, repository: str, area: str) -> str:
        """The heading of an area; none where that is only the repository's name once more."""
        heading = clean(self._areas_of(repository).heading(area))
        return heading if plain_name(heading) != plain_name(repository.rpartition("/")[2]) else ""

    def _heading(self, change: Change) -> str:
        return self._headings[self._area[change.id]]

    def _theme(self, change: Change) -> str:
        """Under which name a change is counted: what it is where that is only counted; its area; its own label; or the
        folder that it is in."""
        it = self._judged[change.id]
        if it.chore:
            return it.chore
        labels = [clean(one) for one in it.title.labels[:1] if not (says_sort(one) or RELEASE_LINE.fullmatch(one))]
        folders = reversed(clean(self._area[change.id][1]).split("/"))
        named = self._heading(change) or next(iter(labels), "")
        name = named or next((one for one in folders if one and is_telling(one)), OTHER)
        return self._spelt.setdefault(plain_name(name), name)

    # --- which have a line

    def fields(self, room: Room) -> dict[str, Any]:
        order = list(MOST_OF)
        chosen = self._chosen([(self._section(one), one) for one in self._things], room)
        chosen.sort(
            key=lambda one: (
                order.index(one[0]), bool(one[1].judged.chore), -one[1].judged.weight, one[1].lead.lead.written
            )
        )  # fmt: skip
        lines = tuple(line for _, _, line in chosen)
        shown = {one.id for _, thing, _ in chosen for one in self._changes_of(thing)}
        left = [one for one in self._known.values() if one.id not in shown]
        notable = self._notable([(line, thing.lead) for _, thing, line in chosen])
        return {"things": lines, "notable": notable, **self._counts(lines), "rest": self._rest(left)}

    def _changes_of(self, thing: Thing) -> list[Change]:
        """The changes that a line stands for: with each what took it out, or brought it back."""
        back = (self._known[each] for one in thing.changes for each in self._taken.get(one.id, ()))
        return [*thing.changes, *back]

    def _section(self, thing: Thing) -> PostSection:
        lead, sort = thing.lead, thing.judged.sort
        if lead.id in self._context.off and not is_out(lead):
            return "off"
        went = bool(lead.out and not lead.out.partly and was_out(lead))  # not what only comes back in the time
        is_taken = thing.is_own and lead.kind != "revert" and (is_out(lead) or went)
        # A revert that names nothing, in no pull request, is a step on the way: nothing of it had landed. Behind
        # "revert:" there may be what is done to a command of that name.
        undoes = references_of(lead.lead).undoes
        names = any(one.kind != "subject" for one in undoes) or (undoes and '"' in lead.lead.subject)
        is_step = sort == "out" and not (names or number_of(lead.lead))
        if not thing.judged.chore and (is_taken or (sort == "out" and not is_step)):
            return "out"
        return "new" if sort == "cleaning" or sort == "out" else sort

    def _chosen(self, every: Sequence[Placed], room: Room) -> list[Shown]:
        """The things that have a line, each with it."""
        works = sum(len(one.changes) for _, one in every if not one.judged.chore)
        is_small = works <= FEW and (works > 0 or len(self._known) <= FEW)
        if is_small and works:
            every = [one for one in every if not one[1].judged.chore or self._is_telling(*one)]
        chosen: list[Shown] = []
        characters, lines = room.characters, room.lines
        new = sum(section == "new" and self._is_telling(section, one) for section, one in every)
        most_of = {**MOST_OF, "fixed": MOST_OF["fixed"] + max(0, MOST_OF["new"] - new)}  # where little is new
        taken = Counter[str]()
        for section, thing in self._ranked([one for one in every if is_small or self._is_telling(*one)], room):
            most = room.lines if is_small else max(1, most_of[section] * room.lines // MONTH.lines)
            needed = 1 + (not taken[section])
            if taken[section] >= most or needed > lines:
                continue
            line = self._document(section, thing)
            if _length(line) <= characters:
                characters, lines = characters - _length(line), lines - needed
                taken[section] += 1
                chosen.append((section, thing, line))
        return chosen

    def _ranked(self, every: Sequence[Placed], room: Room) -> list[Placed]:
        """In which order things get a line: what readers must know; the heaviest of each theme and some fixes; the
        rest, each further one of a theme as a lighter one."""
        seen, fixes = Counter[str](), FIXES_FIRST * room.lines // MONTH.lines
        ranks: list[tuple[int, float, Placed]] = []
        for section, thing in every:
            theme, weight = self._themes[thing.lead.id], thing.judged.weight
            if section not in ("new", "fixed"):
                ranks.append((MUST_KNOW.index(section) - len(MUST_KNOW), -weight, (section, thing)))
                continue
            is_theme = theme != OTHER and not self._judged[thing.lead.id].chore
            is_first = is_theme and not seen[theme] and self._sizes[theme] >= OF_THEME
            if section == "fixed" and fixes:
                is_first, fixes = True, fixes - 1
            weight *= SAME_AREA ** (is_theme * seen[theme])
            seen[theme] += 1
            ranks.append((0 if is_first else 1, -weight, (section, thing)))
        return [one for *_, one in sorted(ranks, key=lambda rank: rank[:2])]

    def _is_telling(self, section: PostSection, thing: Thing) -> bool:
        """Whether a thing says something to somebody who was not there."""
        it = thing.judged
        if it.chore and section not in ("act", "security", "off"):
            return False
        if section in ("off", "security"):
            return True
        out = thing.lead.out if section == "out" and thing.is_own else None
        if out and out.commit.came - thing.lead.lead.came < SHORT_LIFE:
            return False
        if it.sort == "cleaning":
            return False
        return not says_nothing(it.title.words) if section == "out" else it.weight >= LEAST

    # --- what a line says

    def _document(self, section: PostSection, thing: Thing) -> ThingDocument:
        lead = thing.lead
        changes = self._changes_of(thing)
        speaks = thing.speaks if number_of(thing.speaks) else lead.lead
        label, title = self._named(thing)
        # A release that has both a change and what took it back has it not.
        is_undone = lead.kind != "revert" and is_out(lead) and _release_of(changes, self._context) is not None
        people = list(dict.fromkeys(filter(None, (self._by.get(one.id, "") for one in thing.changes))))
        if len(people) > MOST_NAMED + 1:
            people = [*people[:MOST_NAMED], count(len(people) - MOST_NAMED, "other")]
        return ThingDocument(
            section=section,
            label=label,
            title=title,
            text=self._text(section, thing, is_short=len(title.split()) < SHORT_TITLE),
            people=tuple(people),
            ref=number_of(speaks) or number_in(lead) or ref_of(speaks),
            sha=speaks.sha,
            repository=clean(lead.lead.repository),
            refs=tuple(dict.fromkeys(filter(None, map(number_in, changes)))),
            area=self._heading(lead),
            changes=len(changes),
            more=thing.more,
            evidence=commits_of(changes),
            release=None if is_undone else _release_of(thing.changes, self._context),
        )

    def _named(self, thing: Thing) -> tuple[str, str]:
        """What stands before a line, the first of its own tags and its prefix, and the title."""
        parts, whole = thing.judged.title, clean(heading_of(thing.speaks).title).rstrip(".")
        is_out = thing.judged.sort == "out"
        if thing.is_own and is_out and meaning_of(parts.words).does != "reverts":
            parts = Title(clean(thing.lead.title) or whole)  # "revert: add it" without its kind would say the contrary
        label, *others = [clean(one) for one in parts.labels if not says_sort(one)] or [""]
        words = ": ".join((*others, clean(thing.title) or parts.words))
        return label, shortened(words, WHOLE)

    def _text(self, section: PostSection, thing: Thing, *, is_short: bool) -> str:
        """What follows a title: why and when it was taken back; what was measured, or breaks; and what explains a short
        one."""
        lead = thing.lead
        if thing.is_own and (became := self._became(lead)):
            return became
        quotes = [*measured(lead)] if section != "off" else []
        if section == "act" and (said := said_breaking(lead.lead)):
            quotes.insert(0, f"“{said.rstrip('.')}”")
        if not quotes and is_short and (quote := quote_of(lead)):
            quotes.append(f"“{quote.rstrip('.')}”")
        return next((one for one in quotes if len(one) <= LONGEST_TEXT and not _MARKS.search(one)), "")

    def _became(self, change: Change) -> str:
        """When a change was taken out whole, within the time or after it, why, and since when it is back; of a revert,
        why. Empty where it stayed."""
        if change.kind == "revert":
            if self._judged[change.id].sort not in ("out", "security"):
                return "landed again"
            return ", ".join(filter(None, (takes_out(change), _why(change.lead))))
        _, out, back = state_by(events_of(change))
        out = change.out if change.state == "backed_out" else out
        if not out or out.partly:
            return ""
        came = self._on(change.lead.came)
        said = f"taken back on {day(self._on(out.commit.came), came)}"
        return (
            f"{said}, back since {day(self._on(back.commit.came), came)}"
            if back
            else ", ".join(filter(None, (said, _why(out.commit))))
        )

    def _on(self, at: datetime) -> str:
        return at.astimezone(self._zone).date().isoformat()

    # --- what is counted

    def _notable(self, lines: Sequence[tuple[ThingDocument, Change]]) -> tuple[NotableDocument, ...]:
        tags = _releases(self._context.tags)
        found = [NotableDocument("released", clean(one.name), self._on(one.at), (one.sha,)) for one in tags]
        for one, change in lines:
            kind = _NOTABLE.get(one.section)
            if kind == "taken_out" and change.kind != "revert":
                kind = "taken_back_since"
            if kind:
                found.append(NotableDocument(kind, one.title, self._on(change.lead.came), one.evidence))
        return tuple(found)

    def _counts(self, lines: Sequence[ThingDocument]) -> dict[str, Any]:
        """The areas with all their changes, what has a label and no area, and what is only counted: each once."""
        held: dict[tuple[str, str], list[Change]] = defaultdict(list)
        also: dict[str, list[Change]] = defaultdict(list)
        chores: dict[str, list[Change]] = defaultdict(list)
        for one in self._known.values():
            theme = self._themes[one.id]
            if self._judged[one.id].chore:
                chores[theme].append(one)
            elif heading := self._heading(one):
                held[clean(one.lead.repository), heading].append(one)
            else:
                also[theme].append(one)
        areas = [
            AreaDocument(
                name=name, repository=repository, changes=len(some),
                people=tuple(sorted({by for one in some if (by := self._by.get(one.id, ""))})),
                things=tuple(one for one in lines if one.area == name and one.repository == repository),
                evidence=commits_of(some),
            )
            for (repository, name), some in sorted(held.items(), key=lambda one: (-len(one[1]), one[0]))
        ]  # fmt: skip
        also_rows, counted = _counted(also, LabelDocument), _counted(chores, CountedDocument)
        return {"areas": tuple(areas), "also": also_rows, "counted": counted}

    def _rest(self, left: Sequence[Change]) -> tuple[CountedDocument, ...]:
        """What has no line, by its theme: work first, what is only counted last; the small together."""
        work, chores = defaultdict[str, list[Change]](list), defaultdict[str, list[Change]](list)
        for one in left:
            (chores if self._judged[one.id].chore else work)[self._themes[one.id]].append(one)
        ranked = sorted(work, key=lambda one: (-len(work[one]), one))
        named = [one for one in ranked if one != OTHER and len(one) <= LONGEST_LABEL and len(work[one]) > 1]
        kept = {one: work.pop(one) for one in named[:MOST_COUNTED]}
        other: dict[str, list[Change]] = {OTHER: [each for some in work.values() for each in some]} if work else {}
        return tuple(row for named in (kept, chores, other) for row in _counted(named, CountedDocument))


def _written_as(change: Change) -> tuple[int, str]:
    """Equal of a change that came twice, whatever address each commit is signed with: its second and title."""
    return change.lead.author.seconds, change.lead.subject


def _release_of(changes: Iterable[Change], context: TeamContext) -> str | None:
    """The release that all of some changes came with."""
    names = {(context.released or {}).get(one.lead.key, "") for one in changes}
    return clean(names.pop()) or None if len(names) == 1 else None


def _length(line: ThingDocument) -> int:
    """How long a line is, as text."""
    return len(line.label) + len(line.title) + len(line.text) + len(line.ref) + sum(map(len, line.people)) + 20


def _counted(named: Mapping[str, Sequence[Change]], row: Callable[[str, int, tuple[str, ...]], Row]) -> tuple[Row, ...]:
    """A row for each name with its changes, those of most first."""
    return tuple(
        row(one, len(some), commits_of(some))
        for one, some in sorted(named.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    )


def _why(revert: Commit) -> str:
    reason = reason_of(revert)
    return f"“{reason.rstrip('.')}”" if reason and len(reason) <= LONGEST_TEXT else ""


def _taken_back(changes: Sequence[Change]) -> dict[str, list[str]]:
    """Of the changes, by id, which others took them out or brought them back: they are told with them."""
    reverts = {one.lead.key: one for one in changes if one.kind == "revert"}
    found: dict[str, list[str]] = {}
    seen: set[str] = set()
    for one in changes:
        if one.kind == "revert" or (events_of(one) and one.chore):
            continue
        for event in filter(None, (*one.earlier, one.out, one.back)):
            other = reverts.get(event.commit.key)
            if other and other.id != one.id and other.id not in seen:
                seen.add(other.id)
                found.setdefault(one.id, []).append(other.id)
    return found


MOST_LINES = 4  # of versions, of which the newest are named
MOST_BY_NAME = 8  # people
MOST_PLACES = 5  # repositories that are named


@dataclass(frozen=True, slots=True)
class Digest:
    """The document of what came in a time, and the facts it is made of: of those who are in it."""

    document: DigestDocument
    months: tuple[MonthFacts, ...]


def nothing_known(_: Sequence[MonthFacts]) -> TeamContext:
    """Nothing beside the changes."""
    return TeamContext()


def month_digest(
    title: str,
    month: AnyPeriod,
    people: Sequence[Person],
    commits: Sequence[Commit],
    context: FactsContext,
    bots: Sequence[str],
    team: Sequence[Person] | None = None,
    known: Callable[[Sequence[MonthFacts]], TeamContext] = nothing_known,
) -> Digest:
    """The digest of a time: of everyone who is active in it, or only of a team's people.

    Machines are left out and counted in a line, but for what somebody wrote with them. Nobody is ranked. `known` says
    what is known beside the changes.
    """

    def is_shown(person: Person) -> bool:
        return not is_bot(person, bots) and (team is None or person in team)

    theirs, not_shown = by_whom(people, commits, is_shown, context.coauthors)
    machines = {person for person in not_shown if is_bot(person, bots)}
    context = replace(context, histories=context.histories_of(commits))
    until = month.bounds(context.zone)[1]
    every = [span_facts(p, month, until, theirs[p], context) for p in in_order(theirs)]
    months = tuple(facts for facts in every if facts.commits or not facts.hidden)
    beside = known(months)
    if beside.merges:
        months = tuple(with_numbers(facts, beside.merges) for facts in months)
    changes = all_changes(months)
    shas = tuple(dict.fromkeys(commit.sha for facts in months for commit in facts.commits))
    first, last = first_and_last(month)
    days = Days.of(month)
    post = team_post(changes, _whose(months), beside, context.zone, (days.end - days.first).days)
    made = sum(bool(facts.changes or not changes) and not is_nobody(facts.person) for facts in months)
    document = DigestDocument(
        digest=clean(title),
        month=str(month),
        from_=first,
        to=last,
        span=(str(days.first), str(days.end)),
        zone=context.zone.key,
        to_date=month.today(context.now, context.zone) is not None,
        counts={"people": made, "commits": len(shas), **by_state(changes)},
        repositories=tuple(one.name for one in repository_counts(months)),
        headline=Sentence(_headline(months, made, changes, post), shas),
        released=_released(beside.tags, context.zone),
        **post,
        machines=of_machines(machines, not_shown) if team is None else "",
        changes=tuple(change_document(one, _release_of([one], beside)) for one in changes),
        indexed_at=indexed_at(months),
        notes=tuple(clean(note) for note in (*hidden_by_hand(every), *state_of_index(context.repositories))),
        details=tuple(map(clean, corrected_by_hand(changes, context.zone.key))),
        release=None,
    )
    return Digest(document, months)


def with_names(digest: Digest) -> DigestDocument:
    """The document of an answer about a time of few people, which says in its first sentence how much is whose."""
    document, by = digest.document, Counter(_whose(digest.months).values())
    if not 1 < len(by) <= MOST_BY_NAME:
        return document
    named = ", ".join(f"{name} {number:,}" for name, number in by.most_common())
    return replace(document, headline=replace(document.headline, text=f"{document.headline.text[:-1]}: {named}."))


def _whose(months: Sequence[MonthFacts]) -> Mapping[str, str]:
    """Whose each change is, by its id: its author's, or of who wrote it with one who is not told; of nobody's none.
    Addresses are in no post."""
    found: dict[str, str] = {}
    whose = ((facts.person, change) for facts in months if not is_nobody(facts.person) for change in facts.changes)
    # Of what a machine wrote, or another team, those of its co-authors who are told come first.
    for person, change in sorted(whose, key=lambda one: one[1].is_shared):
        name = clean(person.name)
        found.setdefault(change.id, f"{name} with {clean(change.shared_by)}" if change.is_shared else name)
    return found


def _releases(tags: Iterable[Tag]) -> list[Tag]:
    """The tags that are versions, in order of time, without those where work on one begins (2022.01-devel), those for
    a try or of a day's branch (v0.2-test, patch/fix-rows-2026-05-12), those of
    parts that have the number or the commit of the whole (api/v3.6.5 beside v3.6.5), and a lower one of the same form
    at the same commit (v0.304.2 beside v3.4.2)."""
    every = [(one, it) for one in tags if (it := version_of(one.name))]
    versions = [
        (one, it)
        for one, it in every
        if not ((it.pre and it.pre[0].startswith(("dev", "test"))) or (it.is_dated and re.search(r"\w[/-]", it.words)))
    ]
    highest = {(one.sha, it.shape): it.numbers for one, it in sorted(versions, key=lambda pair: pair[1].order)}
    of_whole = [(one, it) for one, it in versions if "/" not in it.shape[0]]
    whole = {(one.repository, it.numbers, it.pre) for one, it in of_whole}
    places = {(one.repository, one.sha) for one, _ in of_whole}
    found = [
        one
        for one, it in versions
        if it.numbers == highest[one.sha, it.shape]
        and not (
            "/" in it.shape[0]
            and ((one.repository, it.numbers, it.pre) in whole or (one.repository, one.sha) in places)
        )
    ]
    return sorted(found, key=lambda one: (one.at, one.name))


def _released(tags: Sequence[Tag], zone: ZoneInfo) -> str:
    """Which versions were tagged: of each line of releases, such as 2.5, the first to the last, each once; of a
    repository's pre-releases the last, of the whole if there is one, if what it comes before was not tagged. Of several
    repositories each is named.
    """
    several = len({one.repository for one in tags}) > 1
    ordered = _releases(tags)
    finals = [one for one in ordered if is_final(one)]
    last = {one.repository: one for one in sorted(ordered, key=is_of_whole) if not is_final(one)}
    before = [
        one
        for one in last.values()
        if not any(each.repository == one.repository and is_before(one, each) for each in finals)
    ]
    lines: dict[object, list[Tag]] = {}
    for one in (*finals, *before):
        version = version_of(one.name)
        line = version and (version.shape if version.is_dated else version.line)
        held = lines.setdefault((one.repository, line), [])
        if not any(version_of(each.name) == version for each in held):
            held.append(one)

    def said(one: Tag) -> str:
        on = one.at.astimezone(zone).date().isoformat()
        where = f"{clean(one.repository.rpartition('/')[2])} " if several else ""
        return f"{where}{clean(one.name)} ({day(on, on)})"

    def order(some: Sequence[Tag]) -> tuple[object, ...]:  # those without words in front first, the newest first
        version = version_of(some[-1].name)
        return (len(version.shape[0]), *(-one for one in version.numbers)) if version else ()

    ranked = [
        one
        for some in sorted(sorted(lines.values(), key=order), key=lambda some: some[-1].repository)
        for one in ([[each] for each in some] if len(some) < 3 else [some])
    ]
    listing = sorted(ranked[:MOST_LINES], key=lambda some: some[0].at)
    shown = [" to ".join(dict.fromkeys((said(one[0]), said(one[-1])))) for one in listing]
    left = sum(map(len, ranked[MOST_LINES:]))
    return f"Released {listed([*shown, *([count(left, 'other')] if left else [])])}." if shown else ""


def of_machines(machines: Iterable[Person], theirs: Mapping[Person, Sequence[Commit]]) -> str:
    """The line of a digest on the commits of machines, which it does not tell: their merges are what others wrote.
    Empty where there are none."""
    by = {one.name: shas for one in machines if (shas := {each.sha for each in theirs[one] if not each.is_merge})}
    commits = count(len(set().union(*by.values())), "commit")
    return f"Bots alone: {commits} by {count(len(by), 'account')}." if by else ""


def with_merged(
    document: DigestDocument, changes: Sequence[Change], start: datetime, commits: Sequence[Commit], zone: ZoneInfo
) -> DigestDocument:
    """A digest from `start` on with a line about many changes that came before it and became known only now: on which
    branches they were, as far as merges among the `commits` since then say, and when they were written."""
    shas = frozenset(commits_of(changes))
    late = {one.sha: one for one in commits if one.came < start}
    brought: dict[str, str] = {}
    for merge in (one for one in commits if one.is_merge and one.came >= start):
        name, left = branch_of(merge), list(merge.parents[1:])
        while left:
            if one := late.pop(left.pop(), None):
                left += one.parents
                brought |= {one.sha: name} if one.sha in shas else {}
    rest = [change for change in changes if brought.keys().isdisjoint(commits_of([change]))]
    places = listed([*dict.fromkeys(clean(change.lead.repository) for change in rest)])
    merged = f"Merged: {listed([*dict.fromkeys(brought.values())])}{f', with others of {places}' if rest else ''}"
    what = merged if brought else f"Came late: {places}"
    when = f"{count(len(changes), 'change')} {_written(changes, zone, start.year)}"
    line = Sentence(f"{what}, {when}.", tuple(sorted(shas)))
    headline = document.headline if document.counts["commits"] else replace(line, text="Nothing but what came late.")
    return replace(document, merged=line, headline=headline)


def _written(changes: Sequence[Change], zone: ZoneInfo, year: int) -> str:
    """When changes were written, in a text of a year."""
    months = sorted({Month.of(change.lead.author.at, zone) for change in changes})
    first, last = months[0], months[-1]
    ended = NAMES[last.number - 1] if first.year == last.year == year else last.title
    begun = first.title if first.year != last.year else NAMES[first.number - 1]
    return f"written {f'in {ended}' if first == last else f'from {begun} to {ended}'}"


def _headline(months: Sequence[MonthFacts], made: int, changes: Sequence[Change], post: Mapping[str, Any]) -> str:
    """`made`: by how many people; where nobody made changes, how many merged. Of large areas which and how many; none
    that is called as the repository or a language, and none where titles file more under one name: of plugins each may
    be an area, and together they are most."""
    if not any(facts.commits for facts in months):
        return "No commits."
    names = [clean(name) for name in sorted({one.name for facts in months for one in facts.repositories})]
    where = listed(names) if len(names) <= MOST_PLACES else count(len(names), "repository", "repositories")
    people = count(made, "person", "people")
    if not changes:
        return f"{people} merged branches in {where}."
    by = f"{people}, " if made else ""
    known = {plain_name(part) for name in names for part in name.split("/")} | LANGUAGES.keys() | {OTHER}
    named = [(-one.changes, one.name) for one in (*post["areas"], *post["also"])]
    named = [(size, name) for size, name in sorted(named) if plain_name(name) not in known]
    least = max(OF_THEME, len(changes) / LARGE)
    large = [f"{name} ({-size:,})" for size, name in named[:MOST_AREAS] if -size >= least]
    filed = Counter(label.partition(".")[0] for one in changes for label in title_said(one).labels[:1])
    above_all = listed(large) if max(filed.values(), default=0) <= max((-size for size, _ in named), default=0) else ""
    return f"{by}{count(len(changes), 'change')} in {where}{f', above all {above_all}' if above_all else ''}."
