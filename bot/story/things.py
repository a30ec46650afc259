"""The changes of a month, a person's or a team's → what is one thing, and how much a reader would notice of it. Pure.

What kind each is, is decided in bot/month/kinds.py; docs/digests.md says how things are put together.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from bot.model import Change, Commit, Key
from bot.month.kinds import (
    BREAKS_IN_BODY,
    MAKES,
    MUST,
    OFFERS,
    REMAKES,
    Sort,
    brought_back,
    decided,
    is_grave,
    must_act,
    note_kinds,
    says,
    says_nothing,
    sort_of,
)
from bot.month.message import FORK, heading_of
from bot.month.paths import work_files
from bot.month.title import (
    EVERYDAY,
    Title,
    folded,
    is_identifier,
    parts_of,
    stem,
    title_of,
    title_said,
    unprefixed,
    words_of,
)
from bot.story.lines import events_of
from bot.story.quoting import blocks, measured, sentences
from bot.wording import clean, listed, shortened

MOST_LINES, A_LINE = 400, 0.4  # product lines of one change that count, and what each weighs
FEW_LINES = 150  # of what makes nothing, by its title or a new file of more: a rewrite of the inside is long, too
NAMED_BY_HAND = 400  # what a title given by hand adds
FEWEST_WORDS = 3  # of a title that is told together with those that differ from it in one word
MOST_NAMES = 8  # words in which titles that are told together differ

# --- what weighs

_OF_CODE = re.compile(  # what those notice who work on the inside
    r"\b(?:structs?|traits?|enums?|helpers?|wrappers?|ast|getters?|accessors?|macros?|overloads?|subclass|impls?|"
    r"__\w+__|mutex(?:es)?|constants?|typeddicts?|asserts?|abcmeta|dataclass(?:es)?|base class|stubs?|packages?|"
    r"methods?|scaffold\w*|skeleton|foundation|primitives|builders?|decoders?|executors?|deprecation notice)\b"
    r"|#\["
)
_USES = re.compile(r"(?:(?:do not|don['’]t|no longer) )?(?:us(?:e|es|ing)|call\w*|switch to) ")  # likewise
_STABLE = re.compile(r"stabili[sz]e ")
_CLOSES = re.compile(r"\b(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?)\b:?\s+(?:[^\s/#]+/[^\s/#]+)?#\d+", re.I)
_NOTE = re.compile(r"(?:^|/)(?:release_?notes?|changelogs?|news|newsfragments?|changes|changeset)(?:/|\.d/|\.)", re.I)
_EXAMPLE = re.compile(r"(?:^|/)(?:examples?|tutorials?|docs?|documentation|userguide)/", re.I)
# Files are touched by many changes of a time.
_of_notes, _of_examples = (lru_cache(maxsize=65_536)(pattern.search) for pattern in (_NOTE, _EXAMPLE))


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is decided of a change by itself: its title in parts, as what it is only counted, of what sort it
    is, and how much a reader would notice of it."""

    title: Title
    chore: str
    sort: Sort
    weight: float


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
    def is_own(self) -> bool:
        """Whether a change of its own speaks for it, and no merge."""
        return self.topic is None

    @property
    def said(self) -> Title:
        """That title in its parts."""
        return title_of(self.topic) if self.topic else title_said(self.lead)

    @property
    def notice(self) -> float:
        """How much a reader would notice of all of it."""
        return self.judged.weight + 10 * min(len(self.changes) - 1, 6)


def judged(
    changes: Sequence[Change],
    beside: Sequence[Change] = (),
    merges: Mapping[Key, Commit] = MappingProxyType({}),
    breaking: Collection[Key] = (),
) -> dict[str, Judgement]:
    """What is decided of each of a time's changes, and of others that only stand beside these, by id. What one of the
    `merges` brought from a fork mends what endangers users, whatever it says; what is `breaking` must be acted on."""
    new_paths = _new_paths(changes)
    forks = {key for key, merge in merges.items() if FORK.match(merge.subject)}
    found = {one.id: judge(one, new_paths) for one in (*changes, *beside)}
    for one in changes:
        if one.lead.key in breaking and (it := found[one.id]).sort in ("new", "fixed", "cleaning"):
            found[one.id] = replace(it, sort="act", chore="", weight=it.weight + MUST)
    of_forks = (one.id for one in changes if (one.lead.repository, one.lead.via or "") in forks)
    return {**found, **{one: replace(found[one], sort="security", chore="") for one in of_forks}}


def _new_paths(changes: Iterable[Change]) -> frozenset[str]:
    return frozenset(
        one.path for change in changes for commit in change.commits for one in commit.files if one.state == "added"
    )


def judge(change: Change, new_paths: Collection[str]) -> Judgement:
    """What is decided of a change. `new_paths` are the files that came in the same time."""
    back = "" if change.title else brought_back(change.lead)
    title = unprefixed(parts_of(back) if back else title_said(change))
    must = must_act(change, title, new_paths)
    sort = sort_of(change, title, must)
    return Judgement(title, change.chore, sort, _weight(change, title, sort, must))


def _names_nothing(words: str) -> bool:
    """Whether a title has only words that stand in titles of everything ("Fix return type")."""
    return all(stem(one) in EVERYDAY or one.isdigit() for one in words_of(words))


def _weight(change: Change, title: Title, sort: Sort, must: float) -> float:
    """How much a reader would notice of a change."""
    lead, words, low, paths = change.lead, title.words, title.low, [one.path for one in change.lead.files]
    by_hand = NAMED_BY_HAND if change.title else 0
    if (says_nothing(words) or (not title.labels and _names_nothing(words))) and sort != "security":
        return by_hand
    if change.chore:
        return must + by_hand
    product = work_files(lead)
    lines = sum((one.additions or 0) + (one.deletions or 0) / 4 for one in product)
    said = says(MAKES, low) or says(OFFERS, low)
    makes = said or any(one.state == "added" and (one.additions or 0) > FEW_LINES for one in product)
    weight = A_LINE * min(lines, MOST_LINES if makes else FEW_LINES)
    weight += 300 * bool(measured(change))
    weight += 120 * (is_grave(words) or sort == "security") + 40 * (sort == "fixed")
    is_inside = set(note_kinds(lead)) == {"misc"} or title.kind.casefold() == "chore"  # as its author says
    weight += 120 * (any(map(_of_notes, paths)) and not is_inside)
    weight += 100 * (bool(lines) and any(map(_of_examples, paths)))
    weight += 100 * ("#" in lead.body and _CLOSES.search(lead.body) is not None)
    weight += 60 * said + 200 * (sort == "new" and says(_STABLE, low))
    named = sum(map(is_identifier, words_of(words)))
    if 2 * named > len(words.split()):
        weight /= 2
    uses = says(_USES, low) and not title.kind.casefold().startswith("feat")
    if sort == "new" and (is_inside or uses or _OF_CODE.search(low)):
        weight *= 0.2
    if sort == "cleaning" or says(REMAKES, low):
        weight *= 0.3 if sort == "cleaning" else 0.5
    return weight + must + by_hand


# --- what is one


def things_of(
    changes: Sequence[Change],
    of: Mapping[str, Judgement],
    by: Mapping[str, str],
    merges: Mapping[Key, Commit],
) -> list[Thing]:
    """What is one thing, each change in exactly one, the heaviest first: what came by one pull request, or topic merge
    with a title of its own; of one author and sort, what has one title but for its place in a series, and titles that
    differ in one word. What readers must act on stands alone unless all of it is; and so does what was ever taken out.
    `of` is what is decided of each by itself, `by` says whose a change is, `merges` are the topic merges by repository
    and SHA."""
    new_paths = _new_paths(changes)
    brought: dict[Key, list[Change]] = defaultdict(list)
    alike: dict[tuple[object, ...], list[Change]] = defaultdict(list)
    for one in sorted(changes, key=lambda one: (-of[one.id].weight, one.lead.written)):
        together = _came_with(one, merges)
        # What was taken out stands alone, but for what came and went within one pull request.
        if (of[one.id].sort == "out" or events_of(one)) and not (together in merges and _stays_inside(one)):
            together = None
        if together:
            brought[together].append(one)
        else:
            alike[_apart(one, of[one.id], by)].append(one)
    found = list[Thing]()
    for key, some in brought.items():
        merge = merges.get(key)
        own = of[some[0].id]
        is_one = len(some) > 1 or (merge is not None and not some[0].title and says_nothing(own.title.words))
        if merge and is_one:
            own = judge(_whole(merge, some), new_paths)
        left = some if own.sort == "act" else [one for one in some if of[one.id].sort != "act"]
        is_one = len(left) > 1 or (is_one and left == some)
        if is_one:
            if any(of[one.id].sort == "security" for one in left if not of[one.id].chore):
                own = replace(own, sort="security")
            found.append(Thing(tuple(left), left[0], own, merge))
        for one in some:
            if not (is_one and one in left):
                alike[_apart(one, of[one.id], by)].append(one)
    found += [thing for some in alike.values() for thing in _things_alike(some, of)]
    return sorted(found, key=lambda one: (-one.judged.weight, one.lead.lead.written))


def _whole(merge: Commit, changes: Sequence[Change]) -> Change:
    """What a merge brought, as one change with its message."""
    files = tuple(file for one in changes for file in one.lead.files)
    commit = replace(merge, parents=merge.parents[:1], files=files)
    decision = decided(commit)
    return Change(merge.sha, (commit,), decision.kind, is_sure=decision.is_sure, chore=decision.chore)


def branch_of(merge: Commit) -> str:
    """What a merge brought, as it calls it: a branch, where it names one."""
    title = heading_of(merge).title
    if not (named := _BRANCH.match(merge.subject)):
        name = title.removeprefix("Merge ")
    else:
        name = named[2] if named[2] and named[1] in ("main", "master") else named[1]
    return shortened(clean(name))


# "Merge branch 'beta'", "Merge remote-tracking branch 'origin/beta'", "Merge pull request #7 from ada/beta"
_BRANCH = re.compile(r"Merge (?:[^']*'(?:origin/)?|pull request #\d+ from [^/\s]+/)([^'\s]+)'?(?: into '?([^'\s]+))?")


def _own_title(merge: Commit) -> str | None:
    title = heading_of(merge).title
    return None if _is_untitled(merge) or title.endswith(("…", "..")) or says_nothing(title) else title


def _is_untitled(merge: Commit) -> bool:
    """Whether a merge says only what it merges: "Merge JSON responses" below that is a title."""
    title = heading_of(merge).title
    return title.startswith("Merge") and merge.subject.startswith(title)


def _came_with(change: Change, merges: Mapping[Key, Commit]) -> Key | None:
    """By what a change came with others: a topic merge that has a title of its own, and the whole of it; or the number
    of its pull request, else that of a merge without a title."""
    lead = change.lead
    merge = merges.get((lead.repository, lead.via or ""))
    if merge and _own_title(merge):
        return merge.key
    numbers = heading_of(lead).numbers or (heading_of(merge).numbers if merge and _is_untitled(merge) else ())
    return (lead.repository, numbers[-1]) if numbers else None


def _stays_inside(change: Change) -> bool:
    """Whether all that became of a change came with it to the default branch."""
    return all(event.commit.via == change.lead.via for event in events_of(change))


def _apart(change: Change, it: Judgement, by: Mapping[str, str]) -> tuple[object, ...]:
    """Equal of changes of which one may be like the other."""
    is_alone = it.sort in ("security", "out") or events_of(change)
    return (change.id,) if is_alone else (by.get(change.id, ""), it.sort, it.chore)


def _things_alike(changes: Sequence[Change], of: Mapping[str, Judgement]) -> Iterator[Thing]:
    """What has one title but for its place in a series, titles that differ in one word, and each other alone; of
    changes the heaviest first."""
    if len(changes) == 1:  # as most
        yield Thing(tuple(changes), changes[0], of[changes[0].id])
        return
    series: dict[object, list[Change]] = defaultdict(list)
    for change in changes:
        series[_place_in_series(change)].append(change)
    for some in series.values():
        if len(some) > 1:
            words = title_said(some[0]).words
            yield Thing(tuple(some), some[0], of[some[0].id], None, _COUNTED.sub("", words) or words, len(some) - 1)
    for some, said in _alike([some[0] for some in series.values() if len(some) == 1], of):
        yield Thing(tuple(some), some[0], of[some[0].id], None, said, len(some) - 1)


_COUNTED = re.compile(r"[,(\[ ]+(?:(?:pt\.?|part|step|phase) ?\d{1,3}|\d{1,3}/(?:\d{1,3}|n))[)\]]?$", re.IGNORECASE)


def _place_in_series(change: Change) -> object:
    """Equal of titles that are the same but for a number at their end or in brackets before them."""
    title = title_said(change)
    words = _COUNTED.sub("", title.words).casefold()
    return (change.lead.repository, folded(" ".join(title.labels)), words) if len(words.split()) > 1 else change.id


def _alike(changes: Sequence[Change], of: Mapping[str, Judgement]) -> Iterator[tuple[list[Change], str]]:
    """Titles that differ in one word behind the first, together with what they say at once; and all others alone."""
    by_frame: dict[tuple[str, str, tuple[str, ...], tuple[str, ...]], list[tuple[Change, str]]] = defaultdict(list)
    for change in changes:
        title = title_said(change)
        words = title.words.split()
        if change.title or not (2 <= len(words) <= 12) or (len(words) < FEWEST_WORDS and not title.prefix):
            continue
        if measured(change):  # of this one alone
            continue
        for at in range(1, len(words)):
            labels, before, behind = folded(" ".join(title.labels)), tuple(words[:at]), tuple(words[at + 1 :])
            by_frame[change.lead.repository, labels, before, behind].append((change, words[at]))
    taken = set[str]()
    for (*_, before, behind), every in sorted(by_frame.items(), key=lambda one: -len(one[1])):
        some = [(change, word) for change, word in every if change.id not in taken]
        is_telling = len(before) + len(behind) >= FEWEST_WORDS or all(is_identifier(word) for _, word in some)
        if len(some) < (2 if is_telling else 3):
            continue
        some.sort(key=lambda one: (-of[one[0].id].weight, one[0].lead.written))
        names = list(dict.fromkeys(word.rstrip(",") for _, word in some))
        most = MOST_NAMES if len(names) > MOST_NAMES + 1 else len(names)
        shown = [*names[:most], *([f"{len(names) - most} more"] if len(names) > most else [])]
        taken |= {change.id for change, _ in some}
        yield [change for change, _ in some], " ".join((*before, listed(shown), *behind))
    yield from (([one], "") for one in changes if one.id not in taken)


def said_breaking(commit: Commit) -> str:
    """The first sentence of what a body says is broken; empty where it says nothing of it."""
    found = BREAKS_IN_BODY.search(commit.body)
    for block in blocks(commit.body[found.end() :]) if found else ():
        return next(iter(sentences(block.text)), "")
    return ""
