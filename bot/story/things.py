"""The changes of a month, a person's or a team's → what is one thing, how much a reader would notice of it, and under
which themes a person's things stand; and what changes say of themselves in change logs. Pure.

What kind each is, is decided in bot/month/kinds.py; docs/digests.md and docs/months.md say how things are put together.
A theme is what its person would call it: what several titles are filed under, or a folder that holds most of their
lines. Nothing is reworded.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from bot.model import Change, Commit, FileChange, Key, Kind
from bot.month.histories import number_in
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
    says,
    says_nothing,
    sort_of,
)
from bot.month.message import FORK, heading_of
from bot.month.paths import lines_of, product_files, work_files
from bot.month.releases import Entry
from bot.month.title import (
    Title,
    folded,
    is_identifier,
    is_telling,
    parts_of,
    title_of,
    title_said,
    unprefixed,
)
from bot.story.lines import events_of
from bot.story.quoting import blocks, is_whole, measured, sentences
from bot.wording import listed_few

MOST_LINES, A_LINE = 400, 0.4  # product lines of one change that count, and what each weighs;
MORE_LINES, A_LINE_MORE = 1_600, 0.05  # and what further ones do
FEW_LINES = 150  # of a rewrite of the inside, which is long, too
OF_OFFER, LEAST_OFFER = 60, 20  # what a title adds that says it brings something, with what one of a line or two adds
A_NOTE = 120  # what it adds that a change log has it
NAMED_BY_HAND = 400  # what a title given by hand adds
FRAME, LONGEST_FRAME = 3, 12  # words of titles that are told together where they differ in one
MOST_NAMES = 8  # words in which titles that are told together differ

_CLOSES = re.compile(r"\b(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?)\b:?\s+(?:[^\s/#]+/[^\s/#]+)?#\d+", re.I)
_OF_FAULTS = re.compile(r"\b(?:bug|(?:hot|quick)?fix)|\bsecurity|\bissues?\b|\bregression", re.I)
_REMEDIES = re.compile(
    r"(?:fix(?:e[sd]|ing)?(?= )|(?:correct|repair|prevent|avoid|ensur|handl|restor|resolv|solv)(?:e?[sd]?|ing)\b"
    r"|(?:add(?:ed)?|allow(?:ed)?|correctly|improved?|made|make|reject|respect|no longer|do not|don['’]t)\b)", re.I,
)  # fmt: skip


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


# --- what changes say of themselves in change logs

LONGEST_NOTE = 220  # characters of what a change says of itself, whole or not at all
FEWEST_WORDS = 3  # of that
MOST_ADDED = 5  # items of a change
Notes = Mapping[Key, Sequence[Entry]]  # what commits add to change logs, by repository and SHA
# What the heading of an item says of it: of what sort it is; that it is only counted, or stands above once more; that
# readers must act on it, but for "Non-breaking changes" and "Upgraded parts".
_SAID: Sequence[tuple[Kind, re.Pattern[str]]] = (
    ("fix", re.compile(r"\bbug|fix", re.I)), ("feature", re.compile(r"\b(?:add|enhanc|feature|improve|new\b)", re.I)),
)  # fmt: skip
UPKEEP = re.compile(
    r"\W*(?:all\b.*|bumps?|build\b.*|chores?|ci\b.*|contributors|dependenc\w+\b.*|docs?|documentation|internals?\b.*"
    r"|maintenance|misc\w*|packaging|process|tests?|testing|thanks|translations?|trivial|vendor.*)\W*",
    re.IGNORECASE,
)
_BREAKS = re.compile(
    r"(?<!non.)(?<!no )(?<!not )\b(?:behaviou?r change|break(?:ing|ages?)?\b|deprecat|incompat|major$|remov)"
    r"|\b(?:api|bc|compat\w+) breaks\b|(?:^\W*|\b(?:about|before|for|on|when) (?:you )?)upgrad(?:e|ing)\b"
    r"(?=\W*$| (?:considerations|from|guides?|impact|instructions|notes?|steps|to)\b)",
    re.I,
)
_ENDS = re.compile(r"\b(?:is|are)(?: now)? deprecated\b|\bno longer (?:allowed|supported)\b")  # of what users have
# That it is no more, which its own words must say then.
_GONE = r"(?:deleted|discontinued|dropped|gone|removed|reverted)"
_ENDED = r"\bno longer\b|\bunsupported\b|\bnot supported\b"
_OF_ENDS: Sequence[tuple[re.Pattern[str], re.Pattern[str]]] = (
    (
        re.compile(r"\b(?:delet|discontinu|drop|known\b|remov|revert)", re.I),
        re.compile(
            rf"^(?:delet|deprecates?\b|discontinu|drop|remov|revert)|{_ENDED}|{_ENDS.pattern}|\b{_GONE}$"
            rf"|\b(?:is|are|was|were|been|now)(?: \w+)? {_GONE}\b", re.I),
    ),
    (
        re.compile(r"\b(?:deprecat|obsolet)", re.I),
        re.compile(rf"^(?:deprecat|obsolet)|{_ENDED}|\b(?:is|are|was|been|now)(?: \w+)? deprecated\b", re.I),
    ),
)  # fmt: skip
_NUMBER = re.compile(r"(?<![\w/])#\d+|\bCVE-\d{4}-\d+")


def added_by(change: Change, notes: Notes) -> list[Entry]:
    """The few items that a change adds to change logs; of more, and in a release, others did what it writes down."""
    found = [entry for one in change.commits for entry in notes.get(one.key, ()) if entry.text] if notes else []
    is_own = change.kind not in ("release", "revert") and len(found) <= MOST_ADDED
    return [one for one in found if not UPKEEP.fullmatch(one.heading)] if is_own else []


def tells_fault(note: Entry, *, of_fix: bool) -> bool:
    """Whether what an item says, by its heading or `of_fix`, may be the fault that was mended: alone it would be read
    as how it is now."""
    return (of_fix or _OF_FAULTS.search(note.heading) is not None) and _REMEDIES.match(note.text) is None


def note_of(changes: Sequence[Change], notes: Notes) -> Entry | None:
    """What changes that are one say of themselves to users, in its first sentence, with no text where that is no line:
    all that they add to change logs; of several items the first that names their number. Of documents alone, or of
    what has neither a number nor a title that says something, others did what it tells; and where one is called by
    hand, that is what is told."""
    if any(one.title for one in changes):
        return None
    if not any(one.chore != "docs" and (number_in(one) or not says_nothing(title_said(one).words)) for one in changes):
        return None
    found = [entry for one in changes for entry in added_by(one, notes)]
    own = {number for one in changes for number in numbers_said(one)} if len(found) > 1 else set[str]()
    note = next((one for one in found if len(found) == 1 or not own.isdisjoint(one.numbers)), None)
    if note is None:
        return None
    said = _first_sentence(note.text)
    means_it = all(words.search(said) for heading, words in _OF_ENDS if heading.search(note.heading))
    return replace(note, text=said if means_it else "")


def numbers_said(change: Change, merge: Commit | None = None) -> list[str]:
    """The number of a change and those that its messages name, with that of the `merge` that brought it, and the
    beginnings of its hashes."""
    messages = [*change.commits, *([merge] if merge else [])]
    said = _NUMBER.findall("\n".join(f"{each.subject}\n{each.body}" for each in messages))
    return [*filter(None, [number_in(change)]), *said, *(sha[:7] for sha in change.shas)]


def _first_sentence(text: str) -> str:
    """The first sentence of an item, with what it says that ends, where that can stand as a line; a full stop in
    brackets or code ends none."""
    parts = sentences(text)
    least = next((number for number, one in enumerate(parts, 1) if _ENDS.search(one)), 1)
    whole = (" ".join(parts[:number]).rstrip(".") for number in range(least, len(parts) + 1))
    said = next(filter(is_whole, whole), "")
    return said if len(said.split()) >= FEWEST_WORDS and len(said) <= LONGEST_NOTE else ""


# --- what is decided of each


def judged(
    changes: Sequence[Change],
    merges: Mapping[Key, Commit] = MappingProxyType({}),
    notes: Notes = MappingProxyType({}),
) -> dict[str, Judgement]:
    """What is decided of each of a time's changes, by id. What one of the `merges` brought from a fork mends what
    endangers users, whatever it says; `notes` are what commits say of themselves in a change log."""
    new_paths = _new_paths(changes)
    found = {one.id: _noted(one, [one], notes, new_paths) for one in changes}
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
        commits = (commit, *change.commits[1:])
        it = judge(replace(change, commits=commits, kind=kind, chore=decision.chore), new_paths)
        it = replace(it, weight=it.weight + A_NOTE, chore=own.chore and it.chore, is_noted=True)
    if own.sort in ("act", "security"):
        return replace(it, sort=own.sort, weight=max(own.weight, it.weight))
    breaks = _breaks(whole, notes)
    ends = note and it.sort == "new" and _ENDS.search(note.text)
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
    if says_nothing(words) and sort != "security":  # "Small fixes"
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
    is_inside = not said and (sort == "cleaning" or says(REMAKES, low))
    weight = A_LINE * min(lines, FEW_LINES if is_inside else MOST_LINES)
    weight += A_LINE_MORE * min(max(lines - MOST_LINES, 0), MORE_LINES)
    weight += 150 * bool(measured(change)) + said * min(OF_OFFER, LEAST_OFFER + lines)
    weight += 120 * (is_grave(words) or sort == "security") + 40 * (sort == "fixed")
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
    notes: Notes = MappingProxyType({}),
) -> list[Thing]:
    """What is one thing, each change in exactly one, the heaviest first: what came by one pull request, or topic merge
    with a title of its own; of one author and sort, what has one title, and titles that differ in one word. What
    readers must act on stands alone unless all of it is; and so does what was ever taken out.
    `of` is what is decided of each by itself, `by` says whose a change is, `merges` are the topic merges by repository
    and SHA, `notes` what commits say of themselves in a change log."""
    new_paths, found = _new_paths(changes), list[Thing]()
    brought: dict[Key, list[Change]] = defaultdict(list)
    alike: dict[tuple[object, ...], list[Change]] = defaultdict(list)

    def apart(one: Change) -> None:
        it = of[one.id]
        is_alone = it.sort in ("security", "out") or events_of(one)
        alike[(one.id,) if is_alone else (by.get(one.id, ""), it.sort, it.chore)].append(one)

    for one in sorted(changes, key=lambda one: (-of[one.id].weight, one.lead.written)):
        together = _came_with(one, merges)
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
        own, speaks = of[lead.id], len(some) > 1 or not (merge is None or lead.title or of[lead.id].is_noted)
        if speaks:
            own = _noted(_whole(merge, some) if merge else lead, some, notes, new_paths)
        if len(some) == 1 and own.sort == "new":  # which its only commit may say is a fix
            own = replace(own, sort=of[lead.id].sort)
        left = some if own.sort == "act" else [one for one in some if of[one.id].sort != "act"]
        if len(left) > 1 or (speaks and left == some):
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
    files = tuple(file for one in changes for file in one.lead.files)
    commit = replace(merge, parents=merge.parents[:1], files=files)
    decision = decided(commit)
    return Change(merge.sha, (commit,), decision.kind, is_sure=decision.is_sure, chore=decision.chore)


def _came_with(change: Change, merges: Mapping[Key, Commit]) -> Key | None:
    """By what a change came with others: a topic merge that has a title of its own, and the whole of it; or the number
    of its pull request, else that of a merge without a title."""
    lead, numbers = change.lead, heading_of(change.lead).numbers
    if merge := merges.get((lead.repository, lead.via or "")):
        title = heading_of(merge).title
        is_untitled = title.startswith("Merge") and merge.subject.startswith(title)  # "Merge rows" below that is one
        if not (is_untitled or title.endswith(("…", "..")) or says_nothing(title)):
            return merge.key
        numbers = numbers or (heading_of(merge).numbers if is_untitled else ())
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


# --- the themes of a person's things

FEWEST, SMALLEST = 3, 12  # changes of a theme, and of how many things of a month it has one at least
MOST_THEMES = 7
LONGEST_NAME = 40  # characters of what may head a theme
MOST_OF_MONTH = 0.7  # of its changes: a name that more of them have tells nothing
SHARE = 1 / 2  # of a change's product lines: a folder that holds so many names it
_EMPTY = (
    "add-ons app application arch bin cargo class classes client cmd code components config contrib control core "
    "crates data detail generic header headers helper helpers impl impls import include index inner interface "
    "internal kernels lang lib libs main makefile misc mod model models module modules new os package packages pkg "
    "private public python rust server share shared source sources src std support test testing tests tools types "
    "util utilities utility utils version"
)
_EMPTY_NAMES = frozenset(_EMPTY.split())
FEWEST_LETTERS = 4

Names = dict[str, tuple[str, int]]  # of a thing: each name as it is compared, as it is written, and where
FILED, FOLDER = 2, 1  # what a title is filed under, and a folder of its change


@dataclass(frozen=True, slots=True)
class Theme:
    """Things under one name, the most noticed first; without a name, those that no theme has."""

    name: str
    things: tuple[Thing, ...]


def themes_of(things: Sequence[Thing], everywhere: Collection[str] = (), *, by_folder: bool = True) -> list[Theme]:
    """The things of a month under the names that most of them share, that of most changes first, those without last.
    What is `everywhere` in the month is no name, and a folder only `by_folder`."""
    no_names = {_key(one) for one in everywhere}
    no_names |= {_key(part) for one in things for part in re.split(r"[/-]", one.lead.lead.repository)}
    names = [{key: it for key, it in _names_of(one, by_folder).items() if key not in no_names} for one in things]
    having: dict[str, set[int]] = defaultdict(set)
    worth, filed = Counter[str](), Counter[str]()
    for number, of_thing in enumerate(names):
        for name, (_, place) in of_thing.items():
            having[name].add(number)
            worth[name] += place
            filed[name] += place == FILED
    most = MOST_OF_MONTH * len(things)
    fit = [
        name for name, some in having.items() if len(some) > 1 and (len(some) <= most or 2 * filed[name] > len(some))
    ]
    left, found, fewest = set(range(len(things))), list[Theme](), max(FEWEST, len(things) // SMALLEST)

    def size(name: str) -> tuple[int, int, int, str]:
        some = having[name] & left
        changes = sum(len(things[one].changes) for one in some) if len(some) > 1 else 0
        return changes, worth[name], len(name), name

    while len(found) < MOST_THEMES and fit and size(best := max(fit, key=size))[0] >= fewest:
        some = sorted(left & having[best])
        written = [names[one][best] for one in some]
        forms = Counter(form for form, place in written if place != FOLDER) or Counter(form for form, _ in written)
        left.difference_update(some)
        heading = min(forms, key=lambda form: (-forms[form], form))
        found.append(Theme(heading, tuple(things[one] for one in some)))
    found.sort(key=lambda one: -sum(len(thing.changes) for thing in one.things))
    rest = tuple(things[one] for one in sorted(left))
    return [*found, *([Theme("", rest)] if rest else [])]


def _names_of(thing: Thing, by_folder: bool) -> Names:
    """The names of a thing, each in its first form: what its titles are filed under, and the folders that hold most of
    their lines."""
    found: Names = {}

    def add(form: str, place: int) -> None:
        key = _key(form)
        is_empty = place == FOLDER and not _EMPTY_NAMES.isdisjoint((key, form.casefold()))
        if 2 < len(key) <= LONGEST_NAME and not is_empty and is_telling(form) and form[0].isalpha():
            found.setdefault(key, (form, place))

    if chore := thing.judged.chore:  # as where most of a month is of CI
        found[_key(chore)] = chore, FILED
    files = [file for change in thing.changes for file in product_files(change.lead)]
    for change in thing.changes:
        title = thing.said if thing.topic else title_said(change)
        for label in title.labels:
            add(label, FILED)
    for folder in _folders_of_most(files) if by_folder else ():
        add(folder, FOLDER)
    return found


def _folders_of_most(files: Sequence[FileChange]) -> list[str]:
    """The names of the folders that hold half of the changed lines."""
    lines = Counter[str]()
    for file in files:
        for folder in {"", *file.path.split("/")[:-1]}:
            lines[folder] += max(lines_of((file,)), 1)
    named = (folder for folder in lines if folder and "." not in folder)  # "Mill.Server.Wheels" is a name of code
    return [folder for folder in named if lines[folder] >= SHARE * lines[""]]


def _key(name: str) -> str:
    """A name as it is compared: "mesh_admin" and "mesh admins" are one."""
    key = folded(name.strip("`"))
    return key.removesuffix("s") if len(key) > FEWEST_LETTERS and not key.endswith("ss") else key
