"""What a change log says of a release → the lines of a post, each with the changes whose numbers it gives; and what
changes add to one themselves. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.model import Change, Commit, Key
from bot.month.changelog import ChangeLog, Entry
from bot.month.changes import number_in
from bot.month.kinds import decided
from bot.month.title import LONGEST, WHOLE
from bot.story.documents import ChangeLogDocument, EntryDocument
from bot.story.lines import ref_of
from bot.story.quoting import is_whole, sentences
from bot.wording import clean, shortened

LONGEST_ENTRY = 200  # characters of what is told of an item
FEWEST_WORDS = 3  # of what a change says of itself
MOST_NUMBERS = 2  # of an item that no change is known of
# Headings of what is only counted, and of all that stands above once more.
_UPKEEP = re.compile(
    r"\W*(?:all\b.*|bumps?|build\b.*|chores?|ci\b.*|contributors|dependenc\w+\b.*|docs?|documentation|internals?\b.*"
    r"|maintenance|misc\w*|packaging|process|tests?|testing|thanks|translations?|trivial|vendor\w*)\W*",
    re.IGNORECASE,
)
_ADDS = re.compile(
    r" \((?:e\.g\.|for example|i\.e\.|such as)|; | -- | — |, which | (?:by \w+ing|because|instead of|so that) "
)
_NUMBER = re.compile(r"(?<![\w/])#\d+|\bCVE-\d{4}-\d+")


Notes = Mapping[Key, Sequence[Entry]]  # what commits add to change logs, by repository and SHA


def note_of(changes: Sequence[Change], notes: Notes) -> Entry | None:
    """What changes that are one say of themselves to users, in its first sentence: all that they add to a change log;
    of several items the first that names their number. A release adds what others did."""
    work = [one for one in changes if one.kind not in ("release", "revert")] if notes else []
    found = [
        replace(entry, text=_as_line(text))
        for one in work
        for commit in one.commits
        for entry in notes.get(commit.key, ())
        if not _UPKEEP.fullmatch(entry.heading)
        if len((text := sentences(entry.text)[0].rstrip(".")).split()) >= FEWEST_WORDS and is_whole(text)
    ]
    if len(found) > 1:
        own = {*_by_number(work, {})}
        found = [one for one in found if not own.isdisjoint(one.numbers)]
    # Where all of it is of documents alone, others did what it tells.
    return found[0] if found and any(one.chore != "docs" for one in work) else None


def _as_line(sentence: str) -> str:
    """A sentence as far as a line goes, without the phrase at the end of a long one that only adds something."""
    ends = (
        found.start() for found in _ADDS.finditer(sentence, LONGEST // 3, WHOLE) if is_whole(sentence[: found.start()])
    )
    end = next(ends, 0) if len(sentence) > LONGEST else 0
    return f"{sentence[:end]}…" if end else shortened(sentence, WHOLE)


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
    elsewhere: Collection[str],
    most: int,
) -> QuotedLog:
    """The first items of each heading, at most so many, of some headings more where others have few. Items on nothing
    but what is only counted, as tests and CI, have no line, nor those on what is told `elsewhere`, by its ids. `by`
    says whose a change is, by its id, `merges` are the topic merges by repository and SHA."""
    of_number = _by_number(changes, merges)
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


def _by_number(changes: Sequence[Change], merges: Mapping[Key, Commit]) -> dict[str, list[Change]]:
    """The changes by the numbers that they have, by their hashes, and by the numbers that their messages name."""
    found = defaultdict[str, list[Change]](list)
    for one in changes:
        merge = merges.get((one.lead.repository, one.lead.via or ""))
        said = "\n".join(f"{each.subject}\n{each.body}" for each in (*one.commits, *([merge] if merge else [])))
        named = (number_in(one), *_NUMBER.findall(said), *(sha[:7] for sha in one.shas))
        for number in dict.fromkeys(filter(None, named)):
            found[number].append(one)
    return found


def _meant(entry: Entry, of_number: Mapping[str, Sequence[Change]]) -> list[Change]:
    """The changes of the first of its numbers that any has, those that are called so before others."""
    for number in entry.numbers:
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
