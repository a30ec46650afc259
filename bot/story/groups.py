"""A month's changes → those that surely belong together, under what they share. Pure.

A change is in one group only, by the strongest thing that it shares with others; members never lead to further ones.
What is not sure to belong anywhere stays alone: nothing is put together to save lines (docs/themes.md).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from bot.model import Change
from bot.story.terms import EVERYDAY, GENERIC_LABELS, is_identifier, stem, words_of
from bot.story.title import LONGEST_LABEL, Title, number_of, title_of
from bot.story.weight import product_files

SOON = 7 * 24 * 3600  # seconds between the first and the last change that share a word or an identifier alone
MOST_OF_MONTH = 0.7  # of a month's changes: a label that more of them have tells nothing
FEWEST_LETTERS = 5  # of a word that ties two changes,
FEWEST_IN_LABEL = 4  # and of one that names a group
A_MONTH = 32 * 24 * 3600  # in which an identifier ties
_STACK = re.compile(r"^[ \t]*[*-] (?:__->__ )?(?:https?://github\.com/\S{1,80}/(?:issues|pull)/|#)(\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Group:
    """Changes that belong together, in order of writing. `label` stands in their titles or paths; a change alone has
    none."""

    changes: tuple[Change, ...]
    label: str = ""


class _Key(NamedTuple):
    """What changes share: the smaller `strength`, the surer."""

    strength: int
    value: str


_TAG, _STACKED, _IDENTIFIER, _PHRASE = range(4)


def groups_of(changes: Sequence[Change]) -> list[Group]:
    """The groups of a month, those alone among them, in order of writing. Every change is in exactly one."""
    ordered = sorted(changes, key=lambda change: change.lead.written)
    titles = [title_of(change.lead) for change in ordered]
    shared = _shared(ordered, titles)
    left = set(range(len(ordered)))
    found: list[tuple[list[int], _Key | None]] = []
    while True:
        live = ((key, members & left) for key, members in shared.items())
        best = min(
            (one for one in live if len(one[1]) > 1),
            key=lambda one: (one[0].strength, -len(one[1]), min(one[1]), one[0].value),
            default=None,
        )
        if best is None:
            break
        key, members = best
        found.append((sorted(members), key))
        left -= members
    found += [([number], None) for number in left]
    found.sort(key=lambda one: one[0][0])
    return [
        group
        for members, key in found
        for group in _groups([ordered[n] for n in members], [titles[n] for n in members], key)
    ]


def _shared(ordered: Sequence[Change], titles: Sequence[Title]) -> Mapping[_Key, set[int]]:
    found: dict[_Key, set[int]] = defaultdict(set)
    for number, (change, title) in enumerate(zip(ordered, titles, strict=True)):
        for label in title.labels:
            if is_telling(label):
                found[_Key(_TAG, f"{change.lead.repository}\n{folded(label)}")].add(number)
    most = MOST_OF_MONTH * len(ordered) if len(ordered) > 3 else len(ordered)
    found = defaultdict(set, {key: members for key, members in found.items() if len(members) <= most})
    _soon(ordered, titles, found)
    _stacks(ordered, titles, found)
    return found


def is_telling(label: str) -> bool:
    """Whether a tag or prefix names something: not a sort of change, and no folder of all the project."""
    return not GENERIC_LABELS.issuperset(re.split(r"[ /]", folded(label))) and not label.startswith("fbcode")


def folded(label: str) -> str:
    """A label as it is compared: "mesh_admin" and "mesh admin" are one."""
    return re.sub(r"[\s_-]+", " ", label.casefold()).strip()


def _soon(ordered: Sequence[Change], titles: Sequence[Title], found: dict[_Key, set[int]]) -> None:
    """What has an identifier, or two words in a row, in its title within some days."""
    by_term: dict[tuple[int, str], list[int]] = defaultdict(list)
    for number, title in enumerate(titles):
        terms: dict[tuple[int, str], None] = {}
        words = words_of(title.words)
        for word in words:
            if is_identifier(word) and word.strip("`_").casefold() not in GENERIC_LABELS:
                terms[_IDENTIFIER, word.strip("`").casefold()] = None
        plain = [stem(word) for word in words]
        for one, other in pairwise(plain):
            if one not in EVERYDAY and other not in EVERYDAY and len(one) + len(other) > 6:
                terms[_PHRASE, f"{one} {other}"] = None
        for term in terms:
            by_term[term].append(number)
    for (strength, value), numbers in by_term.items():
        for run in _runs(ordered, numbers, A_MONTH if strength == _IDENTIFIER else SOON):
            if strength == _PHRASE:
                run = _near_each_other(run, ordered)
            if 1 < len(run) <= max(3, MOST_OF_MONTH * len(ordered)):
                found[_Key(strength, f"{value}\n{run[0]}")] |= set(run)


def _near_each_other(run: list[int], ordered: Sequence[Change]) -> list[int]:
    """Those of a run that have a folder in common with its first, as far as files are known."""
    first = _folders(ordered[run[0]])
    return [
        number for number in run if number == run[0] or not first or not first.isdisjoint(_folders(ordered[number]))
    ]


def _folders(change: Change) -> set[str]:
    return {file.path.rpartition("/")[0] for file in change.lead.files[:60]}


def _runs(ordered: Sequence[Change], numbers: Iterable[int], apart: int) -> Iterable[list[int]]:
    run: list[int] = []
    for number in numbers:
        if run and ordered[number].lead.author.seconds - ordered[run[-1]].lead.author.seconds > apart:
            yield run
            run = []
        run.append(number)
    if run:
        yield run


def _stacks(ordered: Sequence[Change], titles: Sequence[Title], found: dict[_Key, set[int]]) -> None:
    """What landed in one second and shares a word or a file with another one of it; and what says that it is one
    stack."""
    of_number = {number_of(change.lead): number for number, change in enumerate(ordered)}
    landed: dict[tuple[str, str, int], set[int]] = defaultdict(set)
    for number, change in enumerate(ordered):
        lead = change.lead
        landed[lead.repository, lead.author.address, lead.committer.seconds].add(number)
        said = {of_number[f"#{one}"] for one in _stack_numbers(lead.body) if f"#{one}" in of_number}
        if said - {number}:
            found[_Key(_STACKED, f"said {min(said | {number})}")] |= said | {number}
    for key, members in landed.items():
        linked = _linked(sorted(members), ordered, titles)
        for part in linked:
            if len(part) > 1:
                found[_Key(_STACKED, f"{key} {min(part)}")] |= set(part)


def _stack_numbers(body: str) -> list[str]:
    at = body.find("Stack from")
    at = body.find("stack-info:") if at < 0 else at
    if at < 0:
        return []
    end = body.find("\n\n", at)
    return _STACK.findall(body[at : end if end > 0 else at + 4_000])[:64]


def _linked(members: Sequence[int], ordered: Sequence[Change], titles: Sequence[Title]) -> list[list[int]]:
    """The parts of a stack in which each touches the files or the words of one before it."""
    parts: list[list[int]] = []
    for number in members:
        near = [
            part
            for part in parts
            if any(_touch(ordered[number], ordered[other], titles[number], titles[other]) for other in part)
        ]
        joined = sorted({number, *(other for part in near for other in part)})
        parts = [part for part in parts if part not in near] + [joined]
    return parts


def _touch(one: Change, other: Change, title: Title, others: Title) -> bool:
    """Whether two changes have a file of the product or a telling word of their titles in common."""
    files = {file.path for file in product_files(one.lead)[:60]}
    if not files.isdisjoint(file.path for file in product_files(other.lead)[:60]):
        return True
    return bool(_telling(title) & _telling(others))


def share_a_word(one: Change, other: Change) -> bool:
    """Whether the titles of two changes have a telling word in common."""
    return bool(_telling(title_of(one.lead)) & _telling(title_of(other.lead)))


def _telling(title: Title) -> set[str]:
    return {word for word in map(stem, words_of(title.words)) if len(word) >= FEWEST_LETTERS and word not in EVERYDAY}


# --- labels


def _groups(changes: Sequence[Change], titles: Sequence[Title], key: _Key | None) -> list[Group]:
    """A group under its label, without those whose titles do not have it; where no label tells anything, its changes
    are better shown each by itself."""
    label, named = _label(titles, key) if key else ("", ())
    named = named if len(named) > 1 else ()
    rest = [Group((change,)) for number, change in enumerate(changes) if number not in named]
    return sorted(
        [*([Group(tuple(changes[number] for number in named), label)] if named else []), *rest],
        key=lambda group: group.changes[0].lead.author.seconds,
    )


def _label(titles: Sequence[Title], key: _Key) -> tuple[str, Sequence[int]]:
    """What a group shares, as its titles write it, and which of them have it; empty where nothing tells."""
    every = range(len(titles))
    if key.strength == _TAG:
        shared = key.value.partition("\n")[2]
        forms = Counter(label for title in titles for label in title.labels if folded(label) == shared)
        return min(forms, key=lambda form: (-forms[form], form)), every
    if label := phrase_of(titles, len(titles)) or _common_label(titles):
        return label, every
    label = phrase_of(titles, (len(titles) + 1) // 2)
    words = _stems(label.split())
    return label, [number for number in every if label and _has_run(_stems(titles[number].words.split()), words)]


def _stems(words: Iterable[str]) -> list[str]:
    return [stem(_bare(word)) for word in words]


def _has_run(words: Sequence[str], run: Sequence[str]) -> bool:
    return any(list(words[at : at + len(run)]) == list(run) for at in range(len(words) - len(run) + 1))


def _common_label(titles: Sequence[Title]) -> str:
    counted = Counter(label for title in titles for label in title.labels if is_telling(label))
    label = min(counted, key=lambda one: (-counted[one], one), default="")
    return label if label and counted[label] == len(titles) else ""


def phrase_of(titles: Sequence[Title], least: int) -> str:
    """The longest run of words that so many titles share, as it is mostly written; one word must be telling."""
    forms: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for title in titles:
        words = title.words.split()
        stems = _stems(words)
        seen: set[tuple[str, ...]] = set()
        for start in range(len(words)):
            for end in range(start + 1, min(len(words), start + 4) + 1):
                run = tuple(stems[start:end])
                if run[0] in EVERYDAY or run[-1] in EVERYDAY or not all(map(_has_letters, run)) or run in seen:
                    continue
                seen.add(run)
                form = " ".join(words[start:end]).strip(".,:;()[]\"'“”")
                if len(form) <= LONGEST_LABEL:
                    forms[run][form] += 1
    shared = [
        run
        for run, said in forms.items()
        if said.total() >= max(2, least) and _is_telling(run, said) and not _is_opening(run, titles)
    ]
    best = min(shared, key=lambda run: (-len(run), -len("".join(run)), run), default=None)
    if best is None:
        return ""
    said = forms[best]
    label = min(said, key=lambda form: (-said[form], len(form), form))
    return label if label.count("`") % 2 == 0 else label.replace("`", "")


def _has_letters(word: str) -> bool:
    return any(map(str.isalpha, word))


def _is_telling(run: Sequence[str], said: Mapping[str, int]) -> bool:
    """Whether a run of words names something: several do, and one that is an identifier or an uncommon small word."""
    if len(run) > 1:
        return True
    form = next(iter(said))
    return is_identifier(form) or (len(run[0]) >= FEWEST_IN_LABEL and run[0] not in GENERIC_LABELS and form.islower())


def _is_opening(run: Sequence[str], titles: Sequence[Title]) -> bool:
    """Whether a word mostly stands first, where verbs do."""
    first = sum(stem(_bare(title.words.split()[0])) == run[0] for title in titles if title.words.split())
    return len(run) == 1 and 2 * first > len(titles)


def _bare(word: str) -> str:
    return word.strip(".,:;()[]\"'“”`")
