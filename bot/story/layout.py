"""A month's changes → its items: the work by weight, what was fixed, what needs attention, and how many others. Pure.

Nothing is reworded. Which change stands where is said in docs/stories.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from bot.model import Change, Commit
from bot.month.facts import MonthFacts, own_work
from bot.story.diffs import NOTHING, FromDiffs
from bot.story.documents import ItemDocument, LineDocument, Section, ThenDocument
from bot.story.groups import MOST_OF_MONTH, Group, folded, groups_of
from bot.story.lines import called, line_of, quoted_title, reference_of
from bot.story.measured import measured
from bot.story.quoting import quote_of
from bot.story.sections import SMALL, by_section, is_serious
from bot.story.states import has_no_reason, reason_for, ref_of, state_of, steps_of
from bot.story.title import title_of
from bot.story.weight import lines_of, weight_of
from bot.story.wording import clean, count

MOST_NAMED = 40  # changes of a month, each of which has its title; of more, the largest have
FEW = 5  # changes of a month whose titles alone say little
MOST_OF_GROUP = 5  # titles of a group of a month with more than MOST_NAMED changes
MOST_LINES = 24  # titles of the work of it
MOST_FIXED, MOST_SERIOUS = 5, 12  # fixes of a large month; more than the first only of crashes, leaks and their like
MOST_SMALL = 3  # titles of tests, of documents and of build in it
MOST_OTHERS = 8  # titles of what the person helped others to write
MOST_QUOTES = 4
NO_REASON = "backed out, no reason given"
QUOTED: frozenset[Section] = frozenset({"work", "fixed", "attention", "became"})


def month_items(facts: MonthFacts, diffs: FromDiffs = NOTHING) -> tuple[tuple[ItemDocument, ...], bool]:
    """The items of a month in the order shown, the sections one after the other; and whether what needs attention is
    about most of it."""
    layout = _Layout(facts, diffs)
    sections = by_section(facts.changes, diffs)
    attention, concerned = layout.outcomes("attention", sections["attention"], sections["reverts"])
    most = bool(attention) and 2 * len(concerned) >= len(facts.changes)
    became, others = layout.outcomes("became", sections["became"], sections["reverts"])
    concerned |= others
    reverts = [one for one in sections["reverts"] if one.id not in concerned]
    work = list(layout.work(sections["work"]))
    items = [
        *(item for item in work if item.section == "work"),
        *layout.fixed(sections["fixed"]),
        *attention,
        *became,
        *layout.one_by_one("reverts", reverts, MOST_NAMED),
        *(item for name in SMALL for item in layout.small(name, sections[name])),
        *(item for item in work if item.section == "other"),
        *layout.one_by_one("shared", sections["shared"], MOST_OTHERS),
        *_merges(facts),
    ]
    return tuple(layout.quoted(items)), most


class _Layout:
    """Lays out the sections of one month: of a small month each title, of a large one the largest."""

    def __init__(self, facts: MonthFacts, diffs: FromDiffs) -> None:
        self._facts = facts
        self._notes = diffs.notes
        self._lead_of = {change.lead.sha: change for change in facts.changes}
        self._everywhere = {folded(label) for label, _ in common_labels(facts)}
        self._is_tiny = len(facts.changes) <= FEW
        self._is_small = sum(not one.is_shared for one in facts.changes) <= MOST_NAMED

    def work(self, changes: Sequence[Change]) -> Iterable[ItemDocument]:
        groups = groups_of(changes)
        # Equals stay in the order of writing.
        groups.sort(key=lambda one: (-sum(map(weight_of, one.changes)), -one.changes[-1].lead.author.seconds))
        left: list[Change] = []
        lines = 0
        for group in groups:
            item = self._group(group)
            lines += len(item.lines)
            if self._is_small or lines <= MOST_LINES or any(one.title for one in group.changes):
                yield item
            else:
                left += group.changes
        if left:
            yield self._item("other", (), more=left)

    def _group(self, group: Group) -> ItemDocument:
        shown = list(group.changes)
        if not self._is_small:
            shown.sort(key=lambda one: (not one.title, -weight_of(one), -one.lead.author.seconds, one.lead.written))
            shown = shown if len(shown) <= MOST_OF_GROUP + 1 else shown[:MOST_OF_GROUP]
        lines = [self.line(change, group.label) for change in shown]
        return self._item("work", lines, group.label, [one for one in group.changes if one not in shown])

    def fixed(self, changes: Sequence[Change]) -> Iterable[ItemDocument]:
        """One by one; of a large month only the serious ones and the largest."""
        ranked = sorted(
            changes, key=lambda one: (not one.title, not is_serious(one), -weight_of(one), one.lead.author.seconds)
        )
        serious, titled = sum(map(is_serious, ranked)), sum(bool(one.title) for one in ranked)
        most = len(ranked) if self._is_small else max(MOST_FIXED, min(MOST_SERIOUS, serious), titled)
        shown = ranked if len(ranked) <= most + 1 else ranked[:most]
        yield from self._alone("fixed", [self.line(one) for one in shown], ranked[len(shown) :])

    def outcomes(
        self, section: Section, changes: Sequence[Change], reverts: Sequence[Change]
    ) -> tuple[list[ItemDocument], set[str]]:
        """What did not simply land; what went out by one commit, and landed on one day, stands together. The person's
        own `reverts` of it are shown by its steps. With the ids of all the changes that are shown so."""
        together: dict[object, list[LineDocument]] = {}
        for change in changes:
            line = self.line(change)
            reason = reason_for(change) if line.steps else None
            unsaid = (NO_REASON,) if section == "attention" and not reason and has_no_reason(change) else ()
            line = replace(line, reason=reason.text if reason else "", notes=(*line.notes, *unsaid))
            key = tuple(step.on if step.did == "landed" else step.sha for step in line.steps)
            together.setdefault(key or change.id, []).append(line)
        found = list[ItemDocument]()
        concerned = {one.id for one in changes}
        for lines in together.values():
            named = {step.sha for line in lines for step in line.steps}
            in_steps = [one for one in reverts if not named.isdisjoint(one.shas)]
            concerned |= {one.id for one in in_steps}
            found.append(self._item(section, lines, in_steps=in_steps))
        return found, concerned

    def one_by_one(self, section: Section, changes: Sequence[Change], most: int) -> Iterable[ItemDocument]:
        """In order of time, each alone; where they are too many, the largest."""
        ranked = sorted(changes, key=lambda one: (not one.title, -weight_of(one), one.lead.author.seconds))[:most]
        lines = []
        for change in (one for one in changes if one in ranked):
            line = self.line(change)
            if section == "reverts":
                reason = reason_for(change)
                line = replace(line, reason=reason.text if reason else "", steps=line.steps[:2])
            lines.append(line)
        yield from self._alone(section, lines, [one for one in changes if one not in ranked])

    def small(self, section: Section, changes: Sequence[Change]) -> Iterable[ItemDocument]:
        """Tests, documents, build: each title of a small month, of a large one the largest. Releases have all their
        names."""
        every = self._is_small or section == "releases"
        ranked = sorted(changes, key=lambda one: (-lines_of(one.lead.files), one.lead.written))
        most = len(ranked) if every or len(ranked) <= MOST_SMALL + 1 else MOST_SMALL
        shown = [one for one in changes if one in ranked[:most] or one.title]
        if shown:
            yield self._item(section, list(map(self.line, shown)), more=[one for one in changes if one not in shown])

    def _alone(self, section: Section, lines: Sequence[LineDocument], more: Sequence[Change]) -> Iterable[ItemDocument]:
        """An item for each line, the last with those that are only counted."""
        for line in lines[:-1]:
            yield self._item(section, [line])
        if lines:
            yield self._item(section, lines[-1:], more=more)

    def _item(
        self,
        section: Section,
        lines: Sequence[LineDocument],
        label: str = "",
        more: Sequence[Change] = (),
        in_steps: Sequence[Change] = (),
    ) -> ItemDocument:
        """`more` are changes that are only counted, `in_steps` those that the steps of the lines name."""
        every = [self._lead_of[line.sha] for line in lines]
        lines = _once(lines)
        own = [self._lead_of[line.sha] for line in lines]
        changes = [*own, *more, *(one for one in every if one not in own), *in_steps]
        return ItemDocument(
            section=section,
            title=label or (lines[0].title if lines else count(len(changes), "change")),
            label=label,
            text="",  # once it is known which quotations stay
            kind=changes[0].kind,
            state=state_of(changes),
            repository=clean(changes[0].lead.repository),
            refs=tuple(dict.fromkeys(ref for change in changes for ref in change.refs)),
            evidence=tuple(dict.fromkeys(sha for change in changes for sha in change.shas)),
            lines=tuple(lines),
            more=tuple(map(reference_of, more)),
        )

    def line(self, change: Change, label: str = "") -> LineDocument:
        labels = title_of(change.lead).labels
        tags = [one for one in labels if folded(one) not in self._everywhere]
        is_said = any(one.casefold() == label.casefold() for one in labels)
        return line_of(
            change,
            called(change),
            tag=tags[0] if tags and not is_said else "",
            measured=measured(change),
            # Fixes of the change that belong to it.
            then=tuple(ThenDocument(quoted_title(one), ref_of(one), one.sha) for one in own_work(change)[1:]),
            notes=tuple(self._notes.get(change.id, ())),
            steps=steps_of(change, self._facts),
        )

    def quoted(self, items: Sequence[ItemDocument]) -> Iterable[ItemDocument]:
        """The items, with quotations for the heaviest changes only: at most MOST_QUOTES, none where numbers are."""
        quotable = (line for item in items if item.section in QUOTED for line in item.lines if not line.measured)
        changes = sorted((self._lead_of[line.sha] for line in quotable), key=weight_of, reverse=True)
        said = ((change.lead.sha, quote_of(change, generous=self._is_tiny)) for change in changes)
        quotes = dict(islice(((sha, quote.text) for sha, quote in said if quote), MOST_QUOTES))
        for item in items:
            lines = tuple(replace(one, quote=quotes[one.sha]) if one.sha in quotes else one for one in item.lines)
            text = " ".join(line.quote for line in lines if line.quote)
            yield replace(item, lines=lines, text=text) if text else item


def _once(lines: Sequence[LineDocument]) -> list[LineDocument]:
    """The lines with each title once, as where one change was made for several branches; the numbers of the others
    stand with the first."""
    first: dict[tuple[str, str], LineDocument] = {}
    for line in lines:
        key = (line.title, line.tag)
        if key not in first or line.steps:
            first[key if key not in first else (line.sha, "")] = line
            continue
        before = first[key]
        refs = [ref for ref in (before.ref, line.ref) if ref[0] == "#"] or [before.ref]
        first[key] = replace(before, ref=", ".join(dict.fromkeys(refs)))
    return list(first.values())


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
