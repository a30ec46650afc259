"""What a change log says of a release → the lines of a post, each with the changes whose numbers it gives; and what
changes add to one themselves. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.model import Change, Commit, Key
from bot.month.changelog import ChangeLog, Entry, labelled
from bot.month.histories import number_in
from bot.month.kinds import decided, says_nothing
from bot.month.title import title_said
from bot.story.documents import ChangeLogDocument, EntryDocument
from bot.story.lines import ref_of
from bot.story.quoting import is_whole, sentences
from bot.wording import clean, shortened

LONGEST_ENTRY = LONGEST_NOTE = 220  # characters of what is told of an item; a change's own is told whole or not at all
FEWEST_WORDS = 3  # of what a change says of itself
MOST_ADDED = 5  # items of a change
MOST_NUMBERS = 2  # of an item that no change is known of
# Headings of what is only counted, and of all that stands above once more.
_UPKEEP = re.compile(
    r"\W*(?:all\b.*|bumps?|build\b.*|chores?|ci\b.*|contributors|dependenc\w+\b.*|docs?|documentation|internals?\b.*"
    r"|maintenance|misc\w*|packaging|process|tests?|testing|thanks|translations?|trivial|vendor.*)\W*",
    re.IGNORECASE,
)
ENDS = re.compile(r"\b(?:is|are)(?: now)? deprecated\b|\bno longer (?:allowed|supported)\b")  # of what users have
# Of headings and labels that turn what an item means ("Removed", "Deprecated"): what its own words must say then.
_GONE = r"(?:deleted|discontinued|dropped|gone|removed|reverted)"
_ENDED = r"\bno longer\b|\bunsupported\b|\bnot supported\b"
_OF_ENDS: Sequence[tuple[re.Pattern[str], re.Pattern[str]]] = (
    (
        re.compile(r"\b(?:delet|discontinu|drop|known\b|remov|revert)", re.I),
        re.compile(
            rf"^(?:delet|deprecates?\b|discontinu|drop|remov|revert)|{_ENDED}|{ENDS.pattern}|\b{_GONE}$"
            rf"|\b(?:is|are|was|were|been|now)(?: \w+)? {_GONE}\b", re.I),
    ),
    (
        re.compile(r"\b(?:deprecat|obsolet)", re.I),
        re.compile(rf"^(?:deprecat|obsolet)|{_ENDED}|\b(?:is|are|was|been|now)(?: \w+)? deprecated\b", re.I),
    ),
)  # fmt: skip
# What is headed or labelled as a fix may tell the fault itself, as "Fix: Lists are not redrawn", unless it begins so.
_OF_FAULTS = re.compile(r"\b(?:bug|(?:hot|quick)?fix)|\bsecurity|\bissues?\b|\bregression", re.I)
_REMEDIES = re.compile(
    r"(?:fix(?:e[sd]|ing)?(?= )|(?:correct|repair|prevent|avoid|ensur|handl|restor|resolv|solv)(?:e?[sd]?|ing)\b"
    r"|(?:add(?:ed)?|allow(?:ed)?|correctly|improved?|made|make|reject|respect|no longer|do not|don['’]t)\b)", re.I,
)  # fmt: skip
_NUMBER = re.compile(r"(?<![\w/])#\d+|\bCVE-\d{4}-\d+")


Notes = Mapping[Key, Sequence[Entry]]  # what commits add to change logs, by repository and SHA


def added_by(change: Change, notes: Notes) -> list[Entry]:
    """The few items that a change adds to change logs; of more, and in a release, others did what it writes down."""
    found = [entry for one in change.commits for entry in notes.get(one.key, ()) if entry.text] if notes else []
    is_own = change.kind not in ("release", "revert") and len(found) <= MOST_ADDED
    return [one for one in found if not _UPKEEP.fullmatch(one.heading)] if is_own else []


def note_of(changes: Sequence[Change], notes: Notes) -> Entry | None:
    """What changes that are one say of themselves to users, in its first sentence, with no text where that is no line:
    all that they add to change logs; of several items the first that names their number. Of documents alone, or of
    what has neither a number nor a title that says something, others did what it tells; and where one is called by
    hand, that is what is told."""
    if any(one.title for one in changes):
        return None
    work = [
        one for one in changes if one.chore != "docs" and (number_in(one) or not says_nothing(title_said(one).words))
    ]
    found = [entry for one in changes for entry in added_by(one, notes) if work]
    own = _by_number(changes, {}, {}) if len(found) > 1 else {}
    note = next((one for one in found if len(found) == 1 or not own.keys().isdisjoint(one.numbers)), None)
    if note is None:
        return None
    said = _first_sentence(note.text)
    means_it = all(words.search(said) for heading, words in _OF_ENDS if heading.search(note.heading))
    return replace(note, text=said if means_it else "")


def tells_fault(note: Entry, *, of_fix: bool) -> bool:
    """Whether what an item says, by its heading or `of_fix`, may be the fault that was mended: alone it would be read
    as how it is now."""
    return (of_fix or _OF_FAULTS.search(note.heading) is not None) and _REMEDIES.match(note.text) is None


def _first_sentence(text: str) -> str:
    """The first sentence of an item, with what it says that ends, where that can stand as a line; a full stop in
    brackets or code ends none."""
    parts = sentences(text)
    least = next((number for number, one in enumerate(parts, 1) if ENDS.search(one)), 1)
    whole = (" ".join(parts[:number]).rstrip(".") for number in range(least, len(parts) + 1))
    said = next(filter(is_whole, whole), "")
    return said if len(said.split()) >= FEWEST_WORDS and len(said) <= LONGEST_NOTE else ""


@dataclass(frozen=True, slots=True)
class QuotedLog:
    """What is shown of a change log, and the changes that it is shown of."""

    document: ChangeLogDocument
    changes: tuple[Change, ...]


def quoted_log(
    log: ChangeLog,
    changes: Sequence[Change],
    by: Mapping[str, str],
    merges: Mapping[Key, Commit],
    notes: Notes,
    elsewhere: Collection[str],
    most: int,
) -> QuotedLog:
    """The first items of each heading, at most so many, of some headings more where others have few. Items on nothing
    but what is only counted, as tests and CI, have no line, nor those on what is told `elsewhere`, by its ids. `by`
    says whose a change is, by its id, `merges` are the topic merges by repository and SHA, `notes` what commits add."""
    of_number = _by_number(changes, merges, notes)
    every = [(one, _meant(one, of_number)) for one in log.entries]
    every = [(one, some) for one, some in every if not some or any(each.id not in elsewhere for each in some)]
    work = [
        (one, some)
        for one, some in every
        if not _UPKEEP.fullmatch(one.heading)
        if not (all(change.chore for change in some) if some else _is_chore(one, changes))
    ]
    shown = _chosen(work or every, most)
    found, quoted = list[EntryDocument](), dict[str, Change]()
    for one, some in shown:
        lead = some[0].lead if some else None
        people = dict.fromkeys(who for change in some if (who := by.get(change.id, "")))
        text = next(iter(sentences(one.text)), one.text)
        found.append(
            EntryDocument(
                heading=one.heading,
                text=shortened(text.rstrip("."), LONGEST_ENTRY),
                ref=number_in(some[0]) or ref_of(lead)
                if lead
                else ", ".join([each for each in one.numbers if each not in one.text][:MOST_NUMBERS]),
                sha=lead.sha if lead else log.sha,
                repository=clean(log.repository),
                people=tuple(people),
                evidence=tuple(sha for change in some for sha in change.shas) or (log.sha,),
            )
        )
        quoted |= {change.id: change for change in some}
    document = ChangeLogDocument(clean(log.tag), clean(log.path), log.sha, tuple(found), len(every) - len(found))
    return QuotedLog(document, tuple(quoted.values()))


def _is_chore(entry: Entry, changes: Sequence[Change]) -> bool:
    """Whether an item is in the words of what is only counted, as if it were a change's title."""
    return any(decided(replace(one.lead, subject=entry.text, body="", files=())).chore for one in changes[:1])


def _by_number(changes: Sequence[Change], merges: Mapping[Key, Commit], notes: Notes) -> dict[str, list[Change]]:
    """The changes by the numbers that they have, by their hashes, by the numbers that their messages name, and by the
    first sentences and the numbers of the few items that they add to a change log."""
    found = defaultdict[str, list[Change]](list)
    for one in changes:
        merge = merges.get((one.lead.repository, one.lead.via or ""))
        said = "\n".join(f"{each.subject}\n{each.body}" for each in (*one.commits, *([merge] if merge else [])))
        items = [it for entry in added_by(one, notes) for it in (sentences(entry.text)[0], *entry.numbers)]
        named = (number_in(one), *_NUMBER.findall(said), *(sha[:7] for sha in one.shas), *items)
        for number in dict.fromkeys(filter(None, named)):
            found[number].append(one)
    return found


def _meant(entry: Entry, of_number: Mapping[str, Sequence[Change]]) -> list[Change]:
    """The changes that added it, else of the first of its numbers that any has those that are called so, or all."""
    for number in (sentences(labelled(entry).text)[0], *entry.numbers):
        if some := of_number.get(number):
            return [one for one in some if number_in(one) == number] or list(some)
    return []


def _chosen(every: Sequence[tuple[Entry, list[Change]]], most: int) -> list[tuple[Entry, list[Change]]]:
    """At most so many, as many of each heading as fit where others have fewer."""
    place, ranked = defaultdict[str, int](int), list[tuple[int, int]]()
    for at, (one, _) in enumerate(every):
        ranked.append((place[one.heading], at))
        place[one.heading] += 1
    return [every[at] for at in sorted(at for _, at in sorted(ranked)[:most])]
