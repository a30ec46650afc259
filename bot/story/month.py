"""MonthFacts → Story: the work by weight, what was fixed, what needs attention, and how many others there are. Pure.

Nothing is reworded. Which change stands where is told in docs/stories.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bot.model import Change, Commit, MonthFacts
from bot.month.facts import own_work
from bot.month.kind_words import CLOSES_FIXED
from bot.story.diffs import NOTHING, FromDiffs
from bot.story.groups import Group, groups_of
from bot.story.measured import measured
from bot.story.parts import ByHand, Item, Line, Section, Story, Then
from bot.story.quote import Quote
from bot.story.quoting import quote_of
from bot.story.states import has_history, steps_of, why
from bot.story.title import cut, number_of, title_of
from bot.story.weight import lines_of, places_of, product_files, weight_of
from bot.story.wording import clean

MOST_NAMED = 40  # changes of a month, each of which has its title; of more, the largest have
FEW = 5  # changes of a month whose titles alone say little
MOST_OF_GROUP = 5  # titles of a group of such a month
MOST_LINES = 24  # titles of the work of it
MOST_FIXED = 5
MOST_SMALL = 3  # titles of tests, of documents and of build in a large month
MOST_OTHERS = 8  # titles of what the person helped others to write
MOST_QUOTES = 4
LIGHT = 10  # changed lines of the product: a change of less, with a word of TRIVIAL, is no work of its own

_FIXES = re.compile(
    r"\b(?:(?:bug|hot)?-?fix(?:e[sd]|ing)?|bugs?|broken|resolves?|regression|off[- ]by[- ]one|"
    r"incorrect(?:ly)?|wrong(?:ly)?)"
    r"\b",
    re.IGNORECASE,
)
# A fix of one of these is never among the numbers of the rest.
_SERIOUS = re.compile(
    r"\b(?:crash\w*|races?|race condition|leak\w*|corrupt\w*|overflow\w*|deadlock\w*|segfault\w*|hangs?|data loss|lost|"
    r"nans?|oom|use[- ]after[- ]free|security|vulnerab\w*|cve)\b",
    re.IGNORECASE,
)
_TRIVIAL = re.compile(
    r"\b(?:typos?|format\w*|lint\w*|ruff|black|pyre|mypy|bump\w*|version|skip|rename|nits?|comments?|whitespace|spelling|"
    r"copyright|licen[cs]e|codemod|ci)\b",
    re.IGNORECASE,
)
_SWEEPS = re.compile(
    r"\b(?:ruff|black|typos?|clang-format|reformat\w*|lint\w*|bump\w*|copyright|codemod|version\.txt)\b", re.IGNORECASE
)
_TESTS = re.compile(r"\b(?:unit)?tests?\b", re.IGNORECASE)
_SMALL: tuple[Section, ...] = ("tests", "docs", "build", "releases")
_NO_FIX = frozenset({"docs", "test", "release", "revert"})


def month_story(facts: MonthFacts, diffs: FromDiffs = NOTHING) -> Story:
    """The story of a month. Every commit of it is in the evidence of an item. A change that turned tests off or removed
    them is told under what needs attention."""
    told = {change.id: change for change in facts.changes}
    followed = {
        later: first
        for later, first in diffs.thens.items()
        if later in told and first in told and not told[later].title
    }
    sections = _sections([one for one in facts.changes if one.id not in followed], diffs)
    laid_out = _Layout(facts, diffs, followed, told)
    attention = laid_out.attention(sections["attention"], sections["reverts"])
    told_there = {change.id for item in attention for change in item.told}
    reverts = [one for one in sections["reverts"] if one.id not in told_there]
    items = [
        *laid_out.work(sections["work"]),
        *laid_out.fixed(sections["fixed"]),
        *attention,
        *laid_out.plain("reverts", reverts, MOST_NAMED),
        *(item for name in _SMALL for item in laid_out.small(name, sections[name])),
        *laid_out.plain("shared", sections["shared"], MOST_OTHERS),
        *_merges(facts),
    ]
    concerned = sum(len(item.changes) for item in attention)
    return Story(tuple(_quoted(items)), attention_first=bool(attention) and 2 * concerned >= len(facts.changes))


def is_fix(change: Change) -> bool:
    """Whether a title says that something was wrong and is right; a kind that somebody said by hand counts."""
    if any(one.field == "kind" for one in change.corrections):
        return change.kind == "fix"
    if change.kind in _NO_FIX or (places_of(change) <= {"test", "docs"} and change.lead.files):
        return False
    title = title_of(change.lead)
    if _FIXES.search(title.words) or _FIXES.fullmatch(title.kind):
        return bool(product_files(change.lead)) or change.kind == "fix" or _closes(change) or not change.lead.files
    return change.kind == "fix" and (is_serious(change) or _closes(change))


def _closes(change: Change) -> bool:
    return CLOSES_FIXED.search(change.lead.body[:20_000]) is not None


def is_serious(change: Change) -> bool:
    return _SERIOUS.search(title_of(change.lead).words) is not None


def _sections(changes: Iterable[Change], diffs: FromDiffs) -> dict[Section, list[Change]]:
    found: dict[Section, list[Change]] = {
        name: [] for name in ("work", "fixed", "attention", "reverts", *_SMALL, "shared")
    }
    for change in changes:
        found[_section(change, diffs)].append(change)
    # Somebody whose month was tests, or documents, did that as their work.
    if not found["work"] and not found["fixed"]:
        name: Section = max(_SMALL, key=lambda one: len(found[one]))
        found["work"], found[name] = found[name], []
    return found


def _section(change: Change, diffs: FromDiffs) -> Section:
    if change.is_shared:
        return "shared"
    if change.kind == "revert":
        return "reverts"
    if has_history(change) or change.id in diffs.on_tests:
        return "attention"
    if is_fix(change):
        return "fixed"
    if change.kind == "release":
        return "releases"
    places = places_of(change)
    if any(one.field == "kind" for one in change.corrections):
        return {"test": "tests", "docs": "docs", "build": "build", "ci": "build"}.get(change.kind, "work")  # type: ignore[return-value]
    if places == {"test"}:
        return "tests"
    if places == {"docs"}:
        return "docs"
    if (places and places <= {"ci", "build", "settings", "version"}) or change.kind == "ci":
        return "build"
    if change.kind in ("build", "chore") and _SWEEPS.search(title_of(change.lead).words):
        return "build"
    if change.lead.is_counted and lines_of(product_files(change.lead)) < LIGHT:
        title = title_of(change.lead).words
        return "tests" if _TESTS.search(title) else "build" if _TRIVIAL.search(title) else "work"
    return "work"


class _Layout:
    """Lays out the sections of one month: of a small month each title, of a large one the largest."""

    def __init__(
        self, facts: MonthFacts, diffs: FromDiffs, followed: Mapping[str, str], told: Mapping[str, Change]
    ) -> None:
        self._facts = facts
        self._notes = diffs.notes
        self._thens: dict[str, list[Change]] = {}
        for later, first in followed.items():
            self._thens.setdefault(first, []).append(told[later])
        self._is_tiny = len(facts.changes) <= FEW
        self._is_small = sum(not one.is_shared for one in facts.changes) <= MOST_NAMED

    def work(self, changes: Sequence[Change]) -> Iterable[Item]:
        groups = groups_of(changes, self._facts.merges)
        groups.sort(key=lambda group: (-_weight(group), -group.changes[-1].lead.author.seconds, group.changes[0].id))
        items = [self._item(group) for group in groups]
        left: list[Change] = []
        lines = 0
        for group, item in zip(groups, items, strict=True):
            lines += len(item.lines)
            if self._is_small or lines <= MOST_LINES or any(one.title for one in group.changes):
                yield item
            else:
                left += group.changes
        if left:
            yield self._with("other", (), more=left)

    def _item(self, group: Group) -> Item:
        ranked = sorted(
            group.changes, key=lambda one: (not one.title, -weight_of(one), -one.lead.author.seconds, one.id)
        )
        if len(ranked) == 1:
            return self._with("work", [self.line(ranked[0])])
        shown = ranked if self._is_small else ranked[:MOST_OF_GROUP]
        if len(ranked) - len(shown) == 1:
            shown = ranked
        shown = shown if not self._is_small else list(group.changes)
        lines = tuple(self.line(change, group.label) for change in shown)
        return self._with("work", lines, group.label, [one for one in group.changes if one not in shown])

    def fixed(self, changes: Sequence[Change]) -> Iterable[Item]:
        ranked = sorted(changes, key=lambda one: (not _is_titled(one), -weight_of(one), one.lead.author.seconds))
        most = len(ranked) if self._is_small else max(MOST_FIXED, sum(map(_is_titled, ranked)))
        shown = ranked if len(ranked) <= most + 1 else ranked[:most]
        lines = [self.line(change) for change in shown]
        yield from (self._with("fixed", [line]) for line in lines[:-1])
        if lines:
            yield self._with("fixed", lines[-1:], "", [one for one in ranked if one not in shown])

    def attention(self, changes: Sequence[Change], reverts: Sequence[Change]) -> list[Item]:
        """What did not simply land; what went out by one commit stands together. The person's own `reverts` of it are
        told by its steps."""
        together: dict[object, list[Line]] = {}
        for change in changes:
            steps = steps_of(change, self._facts) if has_history(change) else ()
            line = replace(self.line(change), steps=steps, reason=why(change) if steps else None)
            key = tuple(step.commit.sha for step in steps if step.did != "landed")
            together.setdefault(key or change.id, []).append(line)
        found = []
        for lines in together.values():
            named = {step.commit.sha for line in lines for step in line.steps}
            told = tuple(one for one in reverts if not named.isdisjoint(one.shas))
            item = self._with("attention", lines)
            found.append(replace(item, told=(*item.told, *told)))
        return found

    def plain(self, section: Section, changes: Sequence[Change], most: int) -> Iterable[Item]:
        """Changes one by one, the largest first where they are too many."""
        ranked = sorted(changes, key=lambda one: (not one.title, -weight_of(one), one.lead.author.seconds))[:most]
        shown = [one for one in changes if one in ranked]
        for number, change in enumerate(shown):
            line = self.line(change)
            if section == "shared":
                line = replace(line, quote=None)
            elif section == "reverts":
                undone = steps_of(change, self._facts)[:2] if has_history(change) else ()
                line = replace(line, quote=None, reason=why(change), steps=undone)
            is_last = number == len(shown) - 1
            yield self._with(section, (line,), "", [one for one in changes if one not in shown] if is_last else [])

    def small(self, section: Section, changes: Sequence[Change]) -> Iterable[Item]:
        """Tests, documents, build: each title of a small month, of a large one the largest. Releases have all their
        names."""
        every = self._is_small or section == "releases"
        ranked = sorted(changes, key=lambda one: (-lines_of(one.lead.files), one.lead.author.seconds, one.id))
        most = len(ranked) if every or len(ranked) <= MOST_SMALL + 1 else MOST_SMALL
        shown = [one for one in changes if one in ranked[:most] or one.title]
        if shown:
            lines = [replace(self.line(change), quote=None) for change in shown]
            yield self._with(section, lines, more=[one for one in changes if one not in shown])

    def _with(self, section: Section, lines: Sequence[Line], label: str = "", more: Sequence[Change] = ()) -> Item:
        lines, again = _once(lines)
        told = (*again, *(later for line in lines for later in self._thens.get(line.change.id, ())))
        more = [*more, *(later for change in more for later in self._thens.get(change.id, ()))]
        return Item(section, tuple(lines), label, tuple(more), told)

    def line(self, change: Change, label: str = "") -> Line:
        title = title_of(change.lead)
        folded = label.casefold()
        tags = [one for one in title.labels if one.casefold() != folded]
        tag = tags[0] if tags and not any(one.casefold() == folded for one in title.labels) else ""
        return Line(
            change,
            ByHand(clean(change.title)) if change.title else Quote(cut(title.words), change.lead, title.place),
            tag=tag,
            ref=number_of(change.lead),
            quote=quote_of(change, generous=self._is_tiny),
            measured=measured(change),
            then=tuple(self._follow_ups(change)),
            notes=tuple(self._notes.get(change.id, ())),
        )

    def _follow_ups(self, change: Change) -> Iterable[Then]:
        """Fixes of the change that belong to it, and small changes that go on with it."""
        for commit in own_work(change)[1:]:
            yield Then(Quote(cut(title_of(commit).words), commit, title_of(commit).place), number_of(commit))
        for later in self._thens.get(change.id, ()):
            yield Then(
                Quote(cut(title_of(later.lead).words), later.lead, title_of(later.lead).place), number_of(later.lead)
            )


def _once(lines: Sequence[Line]) -> tuple[list[Line], list[Change]]:
    """The lines with each title once, as where one change was made for several branches; and the changes of the others,
    whose numbers stand with the first."""
    first: dict[tuple[str, str], Line] = {}
    again: list[Change] = []
    for line in lines:
        key = (line.title.text, line.tag)
        if key not in first or line.steps or line.change.title:
            first[key if key not in first else (line.change.id, "")] = line
            continue
        before = first[key]
        refs = [ref for ref in (before.ref, line.ref) if ref]
        first[key] = replace(before, ref=", ".join(dict.fromkeys(refs)))
        again.append(line.change)
    return list(first.values()), again


def _is_titled(fix: Change) -> bool:
    """Whether a fix has its title however many there are."""
    return bool(fix.title) or is_serious(fix)


def _weight(group: Group) -> int:
    return sum(map(weight_of, group.changes))


def _quoted(items: Sequence[Item]) -> Iterable[Item]:
    """The items, with quotations for the heaviest changes only: at most MOST_QUOTES, none where numbers say more."""
    lines = [line for item in items for line in item.lines if line.quote and not line.measured]
    kept = sorted(lines, key=lambda line: -weight_of(line.change))[:MOST_QUOTES]
    for item in items:
        yield replace(item, lines=tuple(line if line in kept else replace(line, quote=None) for line in item.lines))


def _merges(facts: MonthFacts) -> Iterable[Item]:
    """The merges of the month, of each repository an item; one that several hold is told in the first."""
    by_repository: dict[str, dict[str, Commit]] = {}
    seen: set[str] = set()
    for merge in sorted(facts.merges, key=lambda one: one.repository):
        if merge.sha not in seen:
            seen.add(merge.sha)
            by_repository.setdefault(merge.repository, {})[merge.sha] = merge
    for merges in by_repository.values():
        yield Item("merges", (), merges=tuple(merges.values()))
