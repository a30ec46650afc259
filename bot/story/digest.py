"""The months of several people → a team's post: which changes have a line, under which heading, what a change log says
of a release, and how the rest is counted. Pure.

Every change is in exactly one line, in what is shown of the change log, or in the counted rest; every line is a
quotation, a fact, or a word of ours.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, Key, Person, Sentence, Tag
from bot.month.areas import Areas, plain_name
from bot.month.calendar import AnyPeriod, Days, Month
from bot.month.credits import is_agent, is_bot
from bot.month.facts import FactsContext, MonthFacts, all_changes, by_state, span_facts, state_of_index, with_numbers
from bot.month.histories import number_in
from bot.month.histories import state_of as state_by
from bot.month.kinds import decided, is_grave, says_nothing, says_sort
from bot.month.message import heading_of
from bot.month.people import by_whom, in_order, is_nobody
from bot.month.releases import ChangeLog, Entry, Version, is_final, labelled, version_of
from bot.month.title import WHOLE, is_telling, number_of
from bot.story.documents import (
    FEW,
    OTHER,
    AreaDocument,
    ChangeLogDocument,
    CountedDocument,
    DigestDocument,
    EntryDocument,
    LabelDocument,
    NotableDocument,
    NotableKind,
    PostSection,
    ThingDocument,
)
from bot.story.lines import (
    commits_of,
    corrected_by_hand,
    day,
    events_of,
    hidden_by_hand,
    in_span,
    is_out,
    ref_of,
    says_more,
    takes_out,
)
from bot.story.month import change_document, first_and_last, indexed_at, repository_counts
from bot.story.quoting import measured, quote_of, reason_of, sentences
from bot.story.things import (
    LONGEST_NOTE,
    UPKEEP,
    Notes,
    Thing,
    added_by,
    judged,
    numbers_said,
    said_breaking,
    things_of,
)
from bot.wording import clean, count, few, listed, shortened

OF_THEME = 5  # changes of an area, of which one has a line before any has a second
LONGEST_TEXT, LONGEST_OF_NOTHING = 160, 200  # of what follows a title, and one that says nothing
SHORT_TITLE = 16  # words, below which a sentence of the body explains a title
SHORT_LIFE = timedelta(hours=1)  # of what was taken out again before anybody had it
LEAST = 3.0  # of a line; lighter things are counted
FIXES_FIRST = 5  # that have a line before what is new has a second of an area
NOTED = 1 / 4  # of a repository's work: where so much says in a change log what it means, little of the rest is noticed
SAME_AREA, SAME_AUTHOR = 0.8, 0.93  # what each further thing of an area, and of an author, weighs
# The sections in the order shown, and how many lines each has at most: what readers must know has its lines first.
MOST_OF: Mapping[PostSection, int] = {"act": 8, "security": 6, "new": 14, "fixed": 8, "out": 4, "off": 3}
OF_WORK: Sequence[PostSection] = ("new", "fixed")
MOST_NAMED = 2  # people of a line
_NOTABLE: Mapping[PostSection, NotableKind] = {"security": "security", "out": "taken_out", "off": "tests_off"}
_ADVISORY = re.compile(r"\b(?:CVE-\d{4}-\d{4,}|GHSA(?:-\w{4}){3})\b", re.I)
Placed = tuple[PostSection, Thing]


@dataclass(frozen=True, slots=True)
class Room:
    """How long a post may be."""

    characters: int
    lines: int


MONTH, WEEK = Room(2_300, 27), Room(850, 11)  # of the lines alone; headings, notes and the rest come to it
LONGEST_ENTRY, MOST_NUMBERS = 220, 2  # characters of an item of a change log, and numbers that no change has
MOST_ENTRIES = 16  # items of a change log of the release that is told; of one of a time a third of its lines
WEEK_DAYS = 10  # of a time that is told as a week


@dataclass(frozen=True)
class TeamContext:
    """What a team's post is made by beside its changes: the areas of each repository, the topic merges by repository
    and SHA, the changes whose tests are still off, by id, the releases of the time, which one of these is the first
    that has a commit, by repository and SHA, what commits say of themselves in a change log, and what the change
    `log` says of one of the releases, or of all that is told."""

    areas: Mapping[str, Areas] = field(default_factory=dict)
    merges: Mapping[Key, Commit] = field(default_factory=dict)
    off: frozenset[str] = frozenset()
    tags: Sequence[Tag] = ()
    released: Mapping[Key, str] | None = None
    notes: Notes = field(default_factory=dict)
    log: ChangeLog | None = None

    def is_logged(self, changes: Iterable[Change]) -> bool:
        """Whether the change log speaks for some changes."""
        return self.log is not None and self.log.tag in ("", self.release_of(changes))

    def release_of(self, changes: Iterable[Change]) -> str | None:
        """The release that all of some changes came with, "" where surely none of the time has any commit of them."""
        some, released = list(changes), self.released or {}
        names = {released.get(one.lead.key) for one in some}
        names |= {released.get(commit.key) for one in some for commit in one.commits} if "" in names else set()
        name = names.pop() if len(names) == 1 else None
        return clean(name) if name else name


def team_post(
    changes: Sequence[Change], by: Mapping[str, str], context: TeamContext, zone: ZoneInfo, days: int
) -> dict[str, Any]:
    """The fields of the document that tell what came in a time of so many days. `by` says whose each change is, by its
    id."""
    return _Post(changes, by, context, zone).fields(WEEK if days <= WEEK_DAYS else MONTH)


class _Post:
    """The changes of a time as things, and each change with the heading of its area and the theme that it is counted
    as."""

    def __init__(self, changes: Sequence[Change], by: Mapping[str, str], context: TeamContext, zone: ZoneInfo) -> None:
        self._changes, self._by, self._context, self._zone = changes, by, context, zone
        self._taken = _taken_back(changes)
        beside = [one for some in self._taken.values() for one in some]
        ids = {one.id for one in beside}
        alone = [one for one in changes if one.id not in ids]
        self._judged = judged(changes, context.merges, context.notes)
        self._headings: dict[str, str] = {}
        self._themes: dict[str, str] = {}
        self._place()
        # What came twice, by two branches, and was taken out once, stands.
        standing = {(one.lead.author.seconds, one.lead.subject) for one in changes if not is_out(one)}
        things = [
            one
            for one in things_of(alone, self._judged, by, context.merges, context.notes)
            if not (is_out(one.lead) and (one.lead.lead.author.seconds, one.lead.lead.subject) in standing)
        ]
        self._things = [(self._section(one), one) for one in things]
        work: dict[str, list[bool]] = defaultdict(list)  # what is noted of each repository's
        for one in things:
            if not one.judged.chore:
                work[one.lead.lead.repository].append(one.judged.is_noted)
        self._noted = {name for name, own in work.items() if sum(own) >= NOTED * len(own)}
        self._are_all_noted = self._noted == work.keys()

    def _place(self) -> None:
        """Find the heading of each change's area, none where that is only the repository's name once more; and under
        which name it is counted: what it is where that is only counted; its area; its own label; or its folder."""
        at = {one.id: self._areas_of(one).of(one.lead, self._judged[one.id].title.labels) for one in self._changes}
        for name in dict.fromkeys(one.lead.repository for one in self._changes):
            itself = plain_name(name.rpartition("/")[2])
            own = [one for one in self._changes if one.lead.repository == name]
            folded = self._areas_of(own[0]).fold(at[one.id] for one in own if not self._chore(one))
            for one in own:
                area = folded.get(at[one.id], "")
                heading = clean(self._areas_of(one).heading(area))
                heading = heading if plain_name(heading) != itself else ""
                labels = self._judged[one.id].title.labels[:1]
                own_label = next((it for it in labels if not says_sort(it)), "")
                folders = (it for it in reversed(area.split("/")) if it and plain_name(it) != itself)
                folder = next(filter(is_telling, folders), OTHER)
                theme = heading or clean(own_label or folder)
                self._headings[one.id] = heading
                self._themes[one.id] = self._chore(one) or theme

    def _areas_of(self, change: Change) -> Areas:
        return self._context.areas.get(change.lead.repository, Areas())

    def fields(self, room: Room) -> dict[str, Any]:
        """The lines in the order shown, and what is counted: each change once, by its area, and once by its line."""
        log, most = self._context.log, MOST_ENTRIES
        if log and log.tag:  # and beside it is told what is in no release, or in another
            most = room.lines // 3
            room = Room(room.characters // 2, room.lines // 2)
        order, chosen = list(MOST_OF), self._chosen(room)
        chosen.sort(key=lambda one: (order.index(one[0].section), -one[1].judged.weight, one[1].lead.lead.written))
        lines = tuple(line for line, _ in chosen)
        shown = {one.id for _, thing in chosen for one in self._changes_of(thing)}
        quoted, of_log = self._quoted_log(log, shown, most) if log else (None, ())
        shown |= {one.id for one in of_log}
        areas, also, counted = self._counted(lines)
        return {
            "things": lines,
            "notable": self._notable(chosen),
            "areas": areas,
            "also": also,
            "counted": counted,
            "rest": self._rest([one for one in self._changes if one.id not in shown]),
            "changelog": quoted if quoted and quoted.entries else None,
        }

    def _changes_of(self, thing: Thing) -> list[Change]:
        """The changes that a line stands for: with each what took it out, or brought it back."""
        return [*thing.changes, *(other for one in thing.changes for other in self._taken.get(one.id, ()))]

    # --- which have a line

    def _section(self, thing: Thing) -> PostSection:
        lead, sort = thing.lead, thing.judged.sort
        if lead.id in self._context.off and not is_out(lead):
            return "off"
        is_taken = not thing.topic and lead.kind != "revert" and is_out(lead)
        if not thing.judged.chore and (is_taken or sort == "out"):
            return "out"
        return "new" if sort == "cleaning" or sort == "out" else sort

    def _chosen(self, room: Room) -> list[tuple[ThingDocument, Thing]]:
        """The lines with their things, in order of rank: all work of a small time, which its chores are where there is
        nothing else; but for work that the change log speaks for."""
        works = sum(len(one.changes) for _, one in self._things if not one.judged.chore)
        is_small = works <= FEW and (works > 0 or len(self._changes) <= FEW)
        every = [
            (section, one)
            for section, one in self._things
            if not (section in OF_WORK and self._context.is_logged(one.changes))
            and (self._is_telling(section, one) or (is_small and self._is_work(one, is_all=not works)))
        ]
        chosen, taken = list[tuple[ThingDocument, Thing]](), Counter[PostSection]()
        characters, lines = room.characters, room.lines
        for section, thing in self._ranked(every, room):
            share = MOST_OF[section] * (1 if section == "fixed" else room.lines / MONTH.lines)
            most = room.lines if is_small or self._are_all_noted else max(1, int(share))
            needed = 1 + (not taken[section])
            if taken[section] >= most or needed > lines:
                continue
            line = self._line(section, thing)
            if _length(line) <= characters:
                characters, lines = characters - _length(line), lines - needed
                taken[section] += 1
                chosen.append((line, thing))
        return chosen

    def _ranked(self, every: Sequence[Placed], room: Room) -> list[Placed]:
        """In which order things get a line: what readers must know; the heaviest of each theme and some fixes; the
        rest, each further one of a theme as a lighter one."""
        seen, seen_by, fixes = Counter[str](), Counter[str](), 0
        first_fixes = MOST_OF["fixed"] if self._are_all_noted else FIXES_FIRST * room.lines // MONTH.lines
        sizes = Counter(self._themes.values())
        ranks: list[tuple[float, float, Placed]] = []
        for section, thing in every:
            theme, weight, rank = self._themes[thing.lead.id], thing.judged.weight, 0.0
            if section not in OF_WORK:
                rank = [*MOST_OF].index(section) - len(MOST_OF)
            else:
                is_theme = theme != OTHER and not self._judged[thing.lead.id].chore
                is_first = is_theme and not seen[theme] and sizes[theme] >= OF_THEME
                fixes += (is_fix := section == "fixed")
                is_first |= is_fix and fixes <= first_fixes
                by = self._by.get(thing.lead.id, "")
                weight *= SAME_AREA ** (is_theme * seen[theme]) * SAME_AUTHOR ** seen_by[by]
                rank = float(not is_first) + (is_fix and fixes > MOST_OF["fixed"])
                seen[theme] += 1
                seen_by[by] += 1
            ranks.append((rank, -weight, (section, thing)))
        return [one for *_, one in sorted(ranks, key=lambda one: one[:2])]

    def _is_work(self, thing: Thing, *, is_all: bool) -> bool:
        """Whether a thing of a small time has a line: where it is of little, or of chores, all of it; else work whose
        title says something."""
        says = len(self._changes) <= FEW or not says_nothing(thing.judged.title.words)
        return is_all or (not thing.judged.chore and says)

    def _is_telling(self, section: PostSection, thing: Thing) -> bool:
        """Whether a thing says something to somebody who was not there."""
        it, out = thing.judged, thing.lead.out
        if section in ("off", "security", "act"):
            return section != "act" or it.weight >= LEAST
        if it.chore or it.sort == "cleaning" or (section in OF_WORK and not self._may_be_noticed(thing)):
            return False
        if section != "out":
            return it.weight >= LEAST
        is_short = not thing.topic and out and out.commit.came - thing.lead.lead.came < SHORT_LIFE
        return not (is_short or says_nothing(it.title.words))

    def _may_be_noticed(self, thing: Thing) -> bool:
        """Whether users may notice a thing: where its repository notes what they do, only that, and grave faults."""
        mends = thing.judged.sort == "fixed" and is_grave(thing.said.words)
        return thing.lead.lead.repository not in self._noted or thing.judged.is_noted or mends

    # --- what a line says

    def _line(self, section: PostSection, thing: Thing) -> ThingDocument:
        lead, changes = thing.lead, self._changes_of(thing)
        speaks = thing.speaks if number_of(thing.speaks) else lead.lead
        label, title = _named(thing)
        # A release that has both a change and what took it back has it not.
        is_undone = lead.kind != "revert" and is_out(lead) and bool(self._context.release_of(changes))
        people = list(dict.fromkeys(filter(None, (self._by.get(one.id, "") for one in thing.changes))))
        return ThingDocument(
            section=section,
            label=label,
            title=title,
            text=self._text(section, thing, is_short=len(title.split()) < SHORT_TITLE),
            people=tuple(few(people, MOST_NAMED) if len(people) > MOST_NAMED + 1 else people),
            ref=number_of(speaks) or number_in(lead) or ref_of(speaks),
            sha=speaks.sha,
            repository=clean(lead.lead.repository),
            refs=tuple(dict.fromkeys(filter(None, map(number_in, changes)))),
            area=self._headings[lead.id],
            changes=len(changes),
            more=thing.more,
            evidence=commits_of(changes),
            release=None if is_undone else self._context.release_of(thing.changes),
        )

    def _text(self, section: PostSection, thing: Thing, *, is_short: bool) -> str:
        """What follows a title: why and when it was taken back; what was measured, or breaks; and what explains a short
        one."""
        lead = thing.lead
        if not thing.topic and (became := self._became(lead)):
            return became
        quotes = [*measured(lead)] if section != "off" else []
        if section == "act" and (said := said_breaking(lead.lead)):
            quotes.insert(0, f"“{said.rstrip('.')}”")
        says_not = says_nothing(thing.judged.title.words)  # as “Merge commit from fork”
        if not quotes and is_short and (quote := quote_of(lead, generous=says_not)):
            quotes.append(f"“{quote.rstrip('.')}”")
        longest = LONGEST_OF_NOTHING if says_not else LONGEST_TEXT
        text = next((one for one in quotes if len(one) <= longest), "")
        if section != "security":
            return text
        found = dict.fromkeys(map(clean, _ADVISORY.findall(lead.lead.body)))
        names = listed([one for one in found if one.lower() not in thing.said.low][:MOST_NAMED])
        return "; ".join(filter(None, (text, names)))

    def _became(self, change: Change) -> str:
        """When a change was taken out whole, within the time or after it, why, and since when it is back; of a revert,
        why. Empty where it stayed."""
        if change.kind == "revert":
            if (sort := self._judged[change.id].sort) not in ("out", "security"):
                return "landed again"
            why = _why(change.lead, next(iter(change.undone), None), is_shown=True) if sort == "out" else ""
            return ", ".join(filter(None, (takes_out(change), why)))
        _, out, back = state_by(events_of(change))
        out = change.out if change.state == "backed_out" else out
        if not out or out.partly:
            return ""
        came = self._on(change.lead.came)
        said = f"taken back by {clean(out.by)} on {day(self._on(out.commit.came), came)}"
        if back:
            return f"{said}, back since {day(self._on(back.commit.came), came)}"
        return ", ".join(filter(None, (said, _why(out.commit, change.lead))))

    def _on(self, at: datetime) -> str:
        return at.astimezone(self._zone).date().isoformat()

    # --- what a change log says of a release

    def _quoted_log(
        self, log: ChangeLog, elsewhere: Collection[str], most: int
    ) -> tuple[ChangeLogDocument, Sequence[Change]]:
        """The first items of each heading, at most so many, of some headings more where others have few; and the
        changes that they are on. Items on nothing but what is only counted, as tests and CI, have no line, nor those on
        what is told `elsewhere`, by its ids."""
        of_number = self._by_number()
        every = [(one, _meant(one, of_number)) for one in log.entries]
        every = [(one, some) for one, some in every if not some or any(each.id not in elsewhere for each in some)]
        work = [
            (one, some)
            for one, some in every
            if not (UPKEEP.fullmatch(one.heading) or (all(map(self._chore, some)) if some else self._is_chore(one)))
        ]
        shown = _first_of_each(work or every, most)
        entries = tuple(self._entry(log, one, some) for one, some in shown)
        document = ChangeLogDocument(clean(log.tag), clean(log.path), log.sha, entries, len(every) - len(entries))
        return document, [change for _, some in shown for change in some]

    def _is_chore(self, entry: Entry) -> bool:
        """Whether an item is in the words of what is only counted, as if it were a change's title."""
        return any(decided(replace(one.lead, subject=entry.text, body="", files=())).chore for one in self._changes[:1])

    def _by_number(self) -> dict[str, list[Change]]:
        """The changes by the numbers that they have, by their hashes, by the numbers that their messages name, and by
        the first sentences and the numbers of the few items that they add to a change log."""
        found = defaultdict[str, list[Change]](list)
        for one in self._changes:
            merge = self._context.merges.get((one.lead.repository, one.lead.via or ""))
            added = added_by(one, self._context.notes)
            items = [it for entry in added for it in (sentences(entry.text)[0], *entry.numbers)]
            for number in dict.fromkeys((*numbers_said(one, merge), *items)):
                found[number].append(one)
        return found

    def _entry(self, log: ChangeLog, entry: Entry, changes: Sequence[Change]) -> EntryDocument:
        lead = changes[0].lead if changes else None
        numbers = [each for each in entry.numbers if each not in entry.text][:MOST_NUMBERS]
        text = next(iter(sentences(entry.text)), entry.text)
        return EntryDocument(
            heading=entry.heading,
            text=shortened(text.rstrip("."), LONGEST_ENTRY),
            ref=number_in(changes[0]) or ref_of(lead) if lead else ", ".join(numbers),
            sha=lead.sha if lead else log.sha,
            repository=clean(log.repository),
            people=tuple(dict.fromkeys(who for change in changes if (who := self._by.get(change.id, "")))),
            evidence=tuple(sha for change in changes for sha in change.shas) or (log.sha,),
        )

    # --- what is counted

    def _notable(self, chosen: Sequence[tuple[ThingDocument, Thing]]) -> tuple[NotableDocument, ...]:
        tags = _releases(self._context.tags)
        found = [NotableDocument("released", clean(one.name), self._on(one.at), (one.sha,)) for one in tags]
        for one, thing in chosen:
            if kind := _NOTABLE.get(one.section):
                kind = "taken_back_since" if kind == "taken_out" and thing.lead.kind != "revert" else kind
                found.append(NotableDocument(kind, one.title, self._on(thing.lead.lead.came), one.evidence))
        return tuple(found)

    def _counted(
        self, lines: Sequence[ThingDocument]
    ) -> tuple[tuple[AreaDocument, ...], tuple[LabelDocument, ...], tuple[CountedDocument, ...]]:
        """The areas with all their changes, what has a label and no area, and what is only counted."""
        work = [one for one in self._changes if not self._chore(one)]
        headed = [one for one in work if self._headings[one.id]]
        areas = tuple(
            AreaDocument(
                name=name,
                repository=repository,
                changes=len(some),
                people=tuple(sorted({by for one in some if (by := self._by.get(one.id, ""))})),
                things=tuple(one for one in lines if one.area == name and one.repository == repository),
                evidence=commits_of(some),
            )
            for (repository, name), some in _grouped(
                headed, lambda one: (clean(one.lead.repository), self._headings[one.id])
            )
        )
        others = _grouped([one for one in work if not self._headings[one.id]], lambda one: self._themes[one.id])
        also = tuple(LabelDocument(name, len(some), commits_of(some)) for name, some in others)
        return areas, also, self._chores_of(self._changes)

    def _chore(self, change: Change) -> str:
        return self._judged[change.id].chore

    def _chores_of(self, changes: Sequence[Change]) -> tuple[CountedDocument, ...]:
        found = _grouped(filter(self._chore, changes), self._chore)
        return tuple(CountedDocument(name, len(some), commits_of(some)) for name, some in found)

    def _rest(self, left: Sequence[Change]) -> tuple[CountedDocument, ...]:
        """What has no line: what is only counted, by what it is, and all else."""
        other = [one for one in left if not self._chore(one)]
        return (*self._chores_of(left), *([CountedDocument(OTHER, len(other), commits_of(other))] if other else []))


def _grouped(changes: Iterable[Change], key: Callable[[Change], Any]) -> list[tuple[Any, list[Change]]]:
    """The changes by a key, those of which most have it first."""
    found = defaultdict[Any, list[Change]](list)
    for one in changes:
        found[key(one)].append(one)
    return sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0]))


def _named(thing: Thing) -> tuple[str, str]:
    """What stands before a line, the first of its own tags and its prefix, and the title."""
    parts = thing.judged.title
    label, *others = [clean(one) for one in parts.labels if not says_sort(one)] or [""]
    words = clean(thing.title) or parts.words
    return label, shortened(": ".join((*others, words)), LONGEST_NOTE if thing.judged.is_noted else WHOLE)


def _length(line: ThingDocument) -> int:
    return len(line.label) + len(line.title) + len(line.text) + len(line.ref) + sum(map(len, line.people)) + 20


def _why(revert: Commit, original: Commit | None, *, is_shown: bool = False) -> str:
    """Why something was taken out, quoted: the reverter's sentence, else a title that says more than that, unless it
    `is_shown` itself; empty where it gives none."""
    if reason := reason_of(revert):
        return f"“{reason.rstrip('.')}”" if len(reason) <= LONGEST_TEXT else ""
    if original and says_more(revert, original):
        return "" if is_shown else f"“{shortened(clean(heading_of(revert).title), LONGEST_TEXT)}”"
    return ""


def _taken_back(changes: Sequence[Change]) -> dict[str, list[Change]]:
    """Of the changes, by id, which others took them out or brought them back: they are told with them."""
    reverts = {one.lead.key: one for one in changes if one.kind == "revert"}
    found: dict[str, list[Change]] = defaultdict(list)
    for one in changes:
        for event in events_of(one) if one.kind != "revert" and not one.chore else ():
            if other := reverts.pop(event.commit.key, None):
                found[one.id].append(other)
    return found


def _meant(entry: Entry, of_number: Mapping[str, Sequence[Change]]) -> list[Change]:
    """The changes that added it, else of the first of its numbers that any has those that are called so, or all."""
    for number in (sentences(labelled(entry).text)[0], *entry.numbers):
        if some := of_number.get(number):
            return [one for one in some if number_in(one) == number] or list(some)
    return []


def _first_of_each(every: Sequence[tuple[Entry, list[Change]]], most: int) -> list[tuple[Entry, list[Change]]]:
    """At most so many, as many of each heading as fit where others have fewer."""
    place, ranked = Counter[str](), list[tuple[int, int]]()
    for at, (one, _) in enumerate(every):
        ranked.append((place[one.heading], at))
        place[one.heading] += 1
    return [every[at] for at in sorted(at for _, at in sorted(ranked)[:most])]


# --- the document


MOST_LINES = 6  # of versions, of which the newest are named
MOST_BY_NAME = 8  # people
MOST_PLACES = 5  # repositories that are named


@dataclass(frozen=True, slots=True)
class Digest:
    """The document of what came in a time, and the facts it is made of: of those who are in it."""

    document: DigestDocument
    months: tuple[MonthFacts, ...]


def month_digest(
    title: str,
    month: AnyPeriod,
    people: Sequence[Person],
    commits: Sequence[Commit],
    context: FactsContext,
    bots: Sequence[str],
    team: Sequence[Person] | None = None,
    known: Callable[[Sequence[MonthFacts]], TeamContext] = lambda _: TeamContext(),
) -> Digest:
    """The digest of a time: of everyone who is active in it, or only of a team's people.

    Machines are left out and counted in a line, but for coding agents and what somebody wrote with a machine. Nobody is
    ranked. `known` says what is known beside the changes.
    """

    def is_shown(person: Person) -> bool:
        return not is_bot(person, bots) and (team is None or person in team)

    theirs, not_shown = by_whom(people, commits, is_shown, context.coauthors)
    machines = {person for person in not_shown if is_bot(person, bots)}
    agents = {one for one in machines if is_agent(one)} if team is None else set()
    machines -= agents
    theirs |= {one: not_shown.pop(one) for one in agents}
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
    made = sum(
        bool(facts.changes or not changes) and not is_nobody(facts.person)
        for facts in months
        if facts.person not in agents
    )
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
        headline=Sentence(_headline(months, made, changes), shas),
        released=_released(beside.tags, context.zone),
        **post,
        machines=of_machines(machines, not_shown) if team is None else "",
        changes=tuple(change_document(one, beside.release_of([one]) or None) for one in changes),
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


def with_late(document: DigestDocument, changes: Sequence[Change], zone: ZoneInfo) -> DigestDocument:
    """A digest with a line about many changes that came before it and became known only now: where they are, and when
    they were written."""
    places = listed([*dict.fromkeys(clean(change.lead.repository) for change in changes)])
    months = sorted({Month.of(change.lead.author.at, zone) for change in changes})
    written = f"written {in_span(Days.of(months[0], months[-1]), to_date=False)}"
    said = f"Came late: {places}, {count(len(changes), 'change')} {written}."
    line = Sentence(said, tuple(sorted(commits_of(changes))))
    headline = document.headline if document.counts["commits"] else replace(line, text="Nothing but what came late.")
    return replace(document, merged=line, headline=headline)


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


def of_machines(machines: Iterable[Person], theirs: Mapping[Person, Sequence[Commit]]) -> str:
    """The line of a digest on the commits of machines, which it does not tell: their merges are what others wrote.
    Empty where there are none."""
    by = {one.name: shas for one in machines if (shas := {each.sha for each in theirs[one] if not each.is_merge})}
    commits = count(len(set().union(*by.values())), "commit")
    return f"Bots alone: {commits} by {count(len(by), 'account')}." if by else ""


def _headline(months: Sequence[MonthFacts], made: int, changes: Sequence[Change]) -> str:
    """`made`: by how many people; where nobody made changes, how many merged."""
    if not any(facts.commits for facts in months):
        return "No commits."
    names = [clean(name) for name in sorted({one.name for facts in months for one in facts.repositories})]
    where = listed(names) if len(names) <= MOST_PLACES else count(len(names), "repository", "repositories")
    people = count(made, "person", "people")
    if not changes:
        return f"{people} merged branches in {where}."
    return f"{f'{people}, ' if made else ''}{count(len(changes), 'change')} in {where}."


def _releases(tags: Iterable[Tag]) -> list[Tag]:
    """The tags that are versions, in order of time, without those where work on one begins (2022.01-devel), those for
    a try or of a day's branch (v0.2-test, patch/fix-rows-2026-05-12), and those of parts at the commit of the whole
    (api/v3.6.5 beside v3.6.5)."""
    every = [
        (one, it)
        for one in tags
        if (it := version_of(one.name))
        and not (it.pre and it.pre[0].startswith(("dev", "test")))
        and not (it.is_dated and re.search(r"\w[/-]", it.words))
    ]
    whole = {(one.repository, one.sha) for one, it in every if "/" not in it.shape[0]}
    found = [one for one, it in every if "/" not in it.shape[0] or (one.repository, one.sha) not in whole]
    return sorted(found, key=lambda one: (one.at, one.name))


def _released(tags: Sequence[Tag], zone: ZoneInfo) -> str:
    """Which versions were tagged: of each line of releases, such as 2.5, the first to the last, or the last of those
    before one. Of several repositories each is named."""
    several, lines = len({one.repository for one in tags}) > 1, dict[tuple[int, str, object], dict[Version, Tag]]()
    for one in _releases(tags):
        if version := version_of(one.name):
            line = version.shape if version.is_dated else version.line
            lines.setdefault((len(version.words), one.repository, line), {}).setdefault(version, one)

    def said(one: Tag) -> str:
        on = one.at.astimezone(zone).date().isoformat()
        where = f"{clean(one.repository.rpartition('/')[2])} " if several else ""
        return f"{where}{clean(one.name)} ({day(on, on)})"

    found = list[tuple[int, list[Tag]]]()
    for (words, *_), some in lines.items():
        every = [one for one in some.values() if is_final(one)] or [*some.values()][-1:]
        found += [(words, every)] if len(every) > 2 else [(words, [one]) for one in every]
    found.sort(key=lambda one: (one[0], -one[1][-1].at.timestamp()))  # those without words in front, the newest first
    listing = sorted((some for _, some in found[:MOST_LINES]), key=lambda some: some[0].at)
    shown = [" to ".join(dict.fromkeys((said(one[0]), said(one[-1])))) for one in listing]
    left = sum(len(some) for _, some in found[MOST_LINES:])
    return f"Released {listed([*shown, *([count(left, 'other')] if left else [])])}." if shown else ""
