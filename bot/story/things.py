"""The changes of a month, a person's or a team's → what is one thing, and how much a reader would notice of it. Pure.

What kind each is, is decided in bot/month/kinds.py; docs/digests.md says how things are put together.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from bot.model import Change, Commit, Key, Kind
from bot.month.kinds import (
    BREAKS_IN_BODY,
    FASTER,
    MAKES,
    MUST,
    OFFERS,
    REMAKES,
    Sort,
    brought_back,
    decided,
    is_grave,
    must_act,
    says,
    says_nothing,
    sort_of,
)
from bot.month.message import FORK, heading_of
from bot.month.paths import work_files
from bot.month.title import (
    Title,
    folded,
    is_identifier,
    parts_of,
    title_of,
    title_said,
    unprefixed,
)
from bot.story.changelog import ENDS, Notes, added_by, note_of
from bot.story.lines import events_of
from bot.story.quoting import blocks, measured, sentences
from bot.wording import clean, listed_few, shortened

MOST_LINES, A_LINE = 400, 0.4  # product lines of one change that count, and what each weighs
FEW_LINES = 150  # of what makes nothing, by its title or a new file of more: a rewrite of the inside is long, too
A_NOTE = 120  # what it adds that a change log has it
NAMED_BY_HAND = 400  # what a title given by hand adds
FRAME, LONGEST_FRAME = 3, 12  # words of titles that are told together where they differ in one
MOST_NAMES = 8  # words in which titles that are told together differ

# What the heading of a note says of it.
_SAID: Sequence[tuple[Kind, re.Pattern[str]]] = (
    ("fix", re.compile(r"\bbug|fix", re.I)), ("feature", re.compile(r"\b(?:add|enhanc|feature|improve|new\b)", re.I)),
)  # fmt: skip
# What readers must act on, by a heading: no "Non-breaking changes", nor "Upgraded parts".
_BREAKS = re.compile(
    r"(?<!non.)(?<!no )(?<!not )\b(?:behaviou?r change|break(?:ing|ages?)?\b|deprecat|incompat|major$|remov)"
    r"|\b(?:api|bc|compat\w+) breaks\b|(?:^\W*|\b(?:about|before|for|on|when) (?:you )?)upgrad(?:e|ing)\b"
    r"(?=\W*$| (?:considerations|from|guides?|impact|instructions|notes?|steps|to)\b)",
    re.I,
)
_CLOSES = re.compile(r"\b(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?)\b:?\s+(?:[^\s/#]+/[^\s/#]+)?#\d+", re.I)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is decided of a change by itself: its title in parts, as what it is only counted, of what sort it
    is, and how much a reader would notice of it. One that `is_noted` is called as it is in a change log."""

    title: Title
    chore: str
    sort: Sort
    weight: float
    is_noted: bool = False


@dataclass(frozen=True, slots=True)
class Thing:
    """Changes that a reader takes for one, the heaviest first, and what is decided of them together. They are called by
    the title of the merge that brought them, `topic`; by the words that their titles share with those in which they
    differ, `title`; or by `lead`. What came as one has no `more`."""

    changes: tuple[Change, ...]
    lead: Change
    judged: Judgement
    topic: Commit | None = None
    title: str = ""
    more: int = 0

    @property
    def speaks(self) -> Commit:
        """The commit whose title stands for them."""
        return self.topic or self.lead.lead

    @property
    def said(self) -> Title:
        """That title in its parts."""
        return title_of(self.topic) if self.topic else title_said(self.lead)

    @property
    def notice(self) -> float:
        """How much a reader would notice of all of it."""
        return self.judged.weight + 10 * min(len(self.changes) - 1, 6)


# --- what is decided of each


def judged(
    changes: Sequence[Change],
    beside: Sequence[Change] = (),
    merges: Mapping[Key, Commit] = MappingProxyType({}),
    notes: Notes = MappingProxyType({}),
) -> dict[str, Judgement]:
    """What is decided of each of a time's changes, and of others that only stand beside these, by id. What one of the
    `merges` brought from a fork mends what endangers users, whatever it says; `notes` are what commits say of
    themselves in a change log."""
    new_paths = _new_paths(changes)
    found = {one.id: _noted(one, [one], notes, new_paths) for one in (*changes, *beside)}
    for one in changes:
        merge = merges.get((one.lead.repository, one.lead.via or ""))
        if merge and FORK.match(merge.subject):
            found[one.id] = replace(found[one.id], sort="security", chore="")
    return found


def _noted(change: Change, whole: Sequence[Change], notes: Notes, new_paths: Collection[str]) -> Judgement:
    """What is decided of a change by what the `whole` that it stands for says of itself to users, if it does; but for
    what its title says that readers must know."""
    it = own = judge(change, new_paths)
    if note := note_of(whole, notes):
        commit = replace(change.lead, subject=note.text or change.lead.subject)
        decision = decided(commit)
        kind = next((kind for kind, said in _SAID if said.search(note.heading)), decision.kind)
        if says(FASTER, note.text.lower()):  # which projects file under whatever headings they have
            kind = "performance"
        it = judge(replace(change, commits=(commit, *change.commits[1:]), kind=kind, chore=decision.chore), new_paths)
        it = replace(it, weight=it.weight + A_NOTE, chore=own.chore and it.chore, is_noted=True)
    if own.sort in ("act", "security"):
        return replace(it, sort=own.sort, weight=max(own.weight, it.weight))
    breaks = _breaks(whole, notes)
    ends = note and it.sort == "new" and ENDS.search(note.text)
    if ends or (breaks and it.sort in ("new", "fixed", "cleaning")):
        return replace(it, sort="act", chore="", weight=it.weight + MUST)
    return it


def _breaks(whole: Sequence[Change], notes: Notes) -> bool:
    """Whether what a change adds to change logs stands below a heading of what breaks, or a file of its own says so,
    which is an item without text."""
    work = [one for one in whole if one.chore != "docs"]  # of documents alone, others did what they tell
    said = (entry for one in work for commit in one.commits for entry in notes.get(commit.key, ()) if not entry.text)
    return any(said) or any(_BREAKS.search(entry.heading) for one in work for entry in added_by(one, notes))


def _new_paths(changes: Iterable[Change]) -> frozenset[str]:
    files = (one for change in changes for commit in change.commits for one in commit.files)
    return frozenset(one.path for one in files if one.state == "added")


def judge(change: Change, new_paths: Collection[str]) -> Judgement:
    """What is decided of a change. `new_paths` are the files that came in the same time."""
    back = "" if change.title else brought_back(change.lead)
    title = unprefixed(parts_of(back) if back else title_said(change))
    must = must_act(change, title, new_paths)
    sort = sort_of(change, title, must)
    words = title.words
    is_begun = title.kind.casefold() == "wip"
    if (says_nothing(words) or is_begun) and sort != "security":  # "Small fixes"
        weight = 0.0
    else:
        weight = must if change.chore else must + _weight(change, title, sort)
    return Judgement(title, change.chore, sort, weight + NAMED_BY_HAND * bool(change.title))


def _weight(change: Change, title: Title, sort: Sort) -> float:
    """How much a reader would notice of a change of the product."""
    lead, words, low = change.lead, title.words, title.low
    product = work_files(lead)
    lines = sum((one.additions or 0) + (one.deletions or 0) / 4 for one in product)
    said = says(MAKES, low) or says(OFFERS, low)
    makes = said or any(one.state == "added" and (one.additions or 0) > FEW_LINES for one in product)
    weight = A_LINE * min(lines, MOST_LINES if makes else FEW_LINES)
    weight += 300 * bool(measured(change))
    weight += 120 * (is_grave(words) or sort == "security") + 40 * (sort == "fixed") + 60 * said
    weight += 100 * ("#" in lead.body and _CLOSES.search(lead.body) is not None)
    if sort == "cleaning":
        return 0.3 * weight
    if sort == "new" and title.kind.casefold() == "chore":
        return 0.2 * weight
    return 0.5 * weight if says(REMAKES, low) else weight


# --- what is one


def things_of(
    changes: Sequence[Change],
    of: Mapping[str, Judgement],
    by: Mapping[str, str],
    merges: Mapping[Key, Commit],
    *,
    by_branch: bool = False,
    notes: Notes = MappingProxyType({}),
) -> list[Thing]:
    """What is one thing, each change in exactly one, the heaviest first: what came by one pull request, or topic merge
    with a title of its own, `by_branch` also without one; of one author and sort, what has one title, and titles that
    differ in one word. What readers must act on stands alone unless all of it is; and so does what was ever taken out.
    `of` is what is decided of each by itself, `by` says whose a change is, `merges` are the topic merges by repository
    and SHA, `notes` what commits say of themselves in a change log."""
    new_paths, found = _new_paths(changes), list[Thing]()
    named = Counter((one.repository, one.subject) for one in merges.values() if by_branch)
    once = {key for key, one in merges.items() if FORK.match(one.subject) or named[one.repository, one.subject] == 1}
    brought: dict[Key, list[Change]] = defaultdict(list)
    alike: dict[tuple[object, ...], list[Change]] = defaultdict(list)

    def apart(one: Change) -> None:
        it = of[one.id]
        is_alone = it.sort in ("security", "out") or events_of(one)
        alike[(one.id,) if is_alone else (by.get(one.id, ""), it.sort, it.chore)].append(one)

    for one in sorted(changes, key=lambda one: (-of[one.id].weight, one.lead.written)):
        together = _came_with(one, merges, once)
        # What was taken out stands alone, but for what came and went within one pull request.
        if together and (of[one.id].sort == "out" or events_of(one)):
            is_inside = together in merges and all(event.commit.via == one.lead.via for event in events_of(one))
            together = together if is_inside else None
        if together:
            brought[together].append(one)
        else:
            apart(one)
    for key, some in brought.items():
        merge, lead = merges.get(key), some[0]
        speaks = merge is not None and (len(some) > 1 or (not lead.title and says_nothing(of[lead.id].title.words)))
        own = of[lead.id]  # by which a branch without a title is called
        if speaks or (len(some) > 1 and not key[1].startswith("by ")):
            own = _noted(_whole(merge, some) if merge and speaks else lead, some, notes, new_paths)
        left = some if own.sort == "act" else [one for one in some if of[one.id].sort != "act"]
        if len(left) > 1 or (speaks and left == some):
            if secure := [one for one in left if of[one.id].sort == "security" and not of[one.id].chore]:
                left = sorted(left, key=lambda one: one not in secure)
                own = replace(own if speaks else of[secure[0].id], sort="security")
            found.append(Thing(tuple(left), left[0], own, merge))
            some = [one for one in some if one not in left]
        for one in some:
            apart(one)
    found += [thing for some in alike.values() for thing in _things_alike(some, of)]
    return _of_one_note(sorted(found, key=lambda one: (-one.judged.weight, one.lead.lead.written)))


def _of_one_note(things: Sequence[Thing]) -> list[Thing]:
    """Things with those of one note, as what was done for several releases, as one."""
    found = dict[object, Thing]()
    for one in things:
        is_apart = not one.judged.is_noted or events_of(one.lead)
        key = one.lead.id if is_apart else (one.lead.lead.repository, one.judged.sort, one.judged.title)
        first = found.setdefault(key, one)
        if first is not one:
            changes = (*first.changes, *one.changes)
            found[key] = replace(first, changes=changes, more=len(changes) - 1)
    return list(found.values())


def _whole(merge: Commit, changes: Sequence[Change]) -> Change:
    """What a merge brought, as one change with its message."""
    files = tuple(file for one in changes for file in one.lead.files)
    commit = replace(merge, parents=merge.parents[:1], files=files)
    decision = decided(commit)
    return Change(merge.sha, (commit,), decision.kind, is_sure=decision.is_sure, chore=decision.chore)


def _came_with(change: Change, merges: Mapping[Key, Commit], once: Collection[Key]) -> Key | None:
    """By what a change came with others: a topic merge that has a title of its own, and the whole of it; or the number
    of its pull request, else that of a merge without a title; else the branch, of a name that is no line's, where that
    was merged `once`."""
    lead, numbers = change.lead, heading_of(change.lead).numbers
    if merge := merges.get((lead.repository, lead.via or "")):
        title = heading_of(merge).title
        is_untitled = title.startswith("Merge") and merge.subject.startswith(title)  # "Merge rows" below that is one
        if not (is_untitled or title.endswith(("…", "..")) or says_nothing(title)):
            return merge.key
        numbers = numbers or (heading_of(merge).numbers if is_untitled else ())
        if not numbers and is_untitled and merge.key in once and not _OF_LINE.search(branch_of(merge)):
            return lead.repository, f"by {merge.sha}"
    return (lead.repository, numbers[-1]) if numbers else None


def _things_alike(changes: Sequence[Change], of: Mapping[str, Judgement]) -> Iterator[Thing]:
    """Titles that are the same, and those that differ in one word behind the first, each group as one thing with what
    its titles say at once; and all others alone. Of changes the heaviest first."""
    frames: dict[tuple[object, ...], list[tuple[Change, str]]] = defaultdict(list)
    for change in changes if len(changes) > 1 else ():
        title = title_said(change)
        where, words = (change.lead.repository, folded(" ".join(title.labels))), title.words.split()
        if len(words) > 1:
            frames[*where, "", " ".join(words).casefold()].append((change, ""))
        # What was measured is of that change alone, and what it is called by hand.
        if FRAME - bool(title.prefix) <= len(words) <= LONGEST_FRAME and not (change.title or measured(change)):
            for at in range(1, len(words)):
                frames[*where, " ".join(words[:at]), " ".join(words[at + 1 :])].append((change, words[at]))
    taken = set[str]()
    for (*_, before, behind), every in sorted(frames.items(), key=lambda one: (one[0][2] != "", -len(one[1]))):
        some = [(change, word) for change, word in every if change.id not in taken]
        is_telling = not before or len(f"{before} {behind}".split()) >= FRAME or all(is_identifier(w) for _, w in some)
        if len(some) < (2 if is_telling else 3):
            continue
        names = list(dict.fromkeys(word.rstrip(",") for _, word in some))
        lead, most = some[0][0], MOST_NAMES if len(names) > MOST_NAMES + 1 else len(names)
        said = f"{before} {listed_few(names, most)} {behind}" if before else title_said(lead).words
        taken |= {change.id for change, _ in some}
        yield Thing(tuple(change for change, _ in some), lead, of[lead.id], None, said.strip(), len(some) - 1)
    yield from (Thing((one,), one, of[one.id]) for one in changes if one.id not in taken)


def said_breaking(commit: Commit) -> str:
    """The first sentence of what a body says is broken; empty where it says nothing of it."""
    found = BREAKS_IN_BODY.search(commit.body)
    for block in blocks(commit.body[found.end() :]) if found else ():
        return next(iter(sentences(block.text)), "")
    return ""


def branch_of(merge: Commit) -> str:
    """What a merge brought, as it calls it: a branch, where it names one."""
    title = heading_of(merge).title
    if not (named := _BRANCH.match(merge.subject)):
        name = title.removeprefix("Merge ")
    else:
        name = named[2] if named[2] and named[1] in ("main", "master") else named[1]
    return shortened(clean(name))


_OF_LINE = re.compile(r"(?:^|[-_/])(?:main|master|trunk|dev(?:el|elop)?|next|staging|beta)$|\d\.(?:\d|x)")
# "Merge branch 'beta'", "Merge remote-tracking branch 'origin/beta'", "Merge pull request #7 from ada/beta"
_BRANCH = re.compile(r"Merge (?:[^']*'(?:origin/)?|pull request #\d+ from [^/\s]+/)([^'\s]+)'?(?: into '?([^'\s]+))?")
