"""Documents → the same with fewer lines, so that an answer can be read at a glance. Pure.

What is told first stays; what is cut off is counted, in changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bot.story.documents import (
    OTHER,
    ChangeReference,
    CountedDocument,
    DigestDocument,
    ItemDocument,
    MonthDocument,
    ProfileDocument,
    ThingDocument,
    TopicDocument,
)
from bot.wording import shortened

if TYPE_CHECKING:
    from bot.story.documents import Document

LONGEST_SHORT = 55  # characters of a title that stands for "1 more"
_ALWAYS = ("attention", "became", "reverts")
_WITH_CHANGES = 3  # people of whom a change is shown before others are named


def cut(document: Document, fits: Callable[[Document], bool]) -> tuple[Document, int]:
    """The document with as many of its lines, from the first on, as fit, and how many changes that leaves out. What a
    model wrote stays whole, and so does a line that is longer alone than fits."""
    if getattr(document, "written", None) is not None or fits(document):
        return document, 0
    least, most = 1, _lines(document)
    while least < most:  # the largest number of lines that fits
        middle = (least + most + 1) // 2
        if fits(_kept(document, middle)[0]):
            least = middle
        else:
            most = middle - 1
    return _kept(document, least)


def _lines(document: Document) -> int:
    """How many lines a document can be cut by."""
    if isinstance(document, MonthDocument):
        return sum(_length(one) for one in document.items)
    if isinstance(document, DigestDocument):
        return len(document.things)
    if isinstance(document, ProfileDocument):
        return len(document.themes) + len(document.months)
    rows = getattr(document, document.listed)
    return len(rows) + (sum(len(one.rows) for one in rows) if isinstance(document, TopicDocument) else 0)


def _kept(document: Document, most: int) -> tuple[Document, int]:
    """The document with so many of its lines, and how many changes the others are, where it does not say so itself."""
    if isinstance(document, MonthDocument):
        items, left = _items(document.items, most)
        return replace(document, items=items), left
    if isinstance(document, DigestDocument):
        others: list[CountedDocument | ThingDocument] = [one for one in document.rest if one.kind == OTHER]
        others += document.things[most:]
        number, evidence = sum(one.changes for one in others), tuple(sha for one in others for sha in one.evidence)
        rest = (*(one for one in document.rest if one.kind != OTHER), CountedDocument(OTHER, number, evidence))
        return replace(document, things=document.things[:most], rest=rest if number else document.rest), 0
    if isinstance(document, ProfileDocument):
        themes = document.themes[:most]
        return replace(document, themes=themes, months=document.months[: most - len(themes)]), 0
    rows = getattr(document, document.listed)
    if isinstance(document, TopicDocument):  # whom to ask is asked: people go before more of their changes
        turns = sorted(
            (0 if turn < 2 and number < _WITH_CHANGES else 1 + turn, number, turn)
            for number, one in enumerate(rows) for turn in range(len(one.rows) + 1)
        )[:most]  # fmt: skip
        shown = Counter(number for _, number, _ in turns)
        people = tuple(replace(one, rows=one.rows[: shown[n] - 1]) for n, one in enumerate(rows) if shown[n])
        return replace(document, people=people, more=document.more + len(rows) - len(people)), 0
    cut_off: Any = {document.listed: rows[:most]}
    if len(rows) > most and hasattr(document, "more"):
        cut_off["more"] = document.more + len(rows) - most
    return replace(document, **cut_off), 0


def _items(items: Sequence[ItemDocument], most: int) -> tuple[tuple[ItemDocument, ...], int]:
    """So many lines: all of what became of something, then of each heading the first, the second and so on. What has no
    line is counted with what is left below its heading."""
    before, ranks = Counter[tuple[str, str]](), list[tuple[int, int]]()
    for number, item in enumerate(items):
        for _ in range(_length(item)):
            ranks.append((0 if item.section in _ALWAYS else before[item.section, item.label], number))
            before[item.section, item.label] += 1
    kept_of = Counter(number for _, number in sorted(ranks)[:most])
    kept: dict[int, ItemDocument] = {}
    last: dict[tuple[str, str], int] = {}  # the last item below each heading
    left = 0
    for number, item in enumerate(items):
        lines, rest = item.lines[: kept_of[number]], item.lines[kept_of[number] :]
        titled = (
            ChangeReference(one.ref, one.sha, one.repository, shortened(one.title, LONGEST_SHORT)) for one in rest
        )
        more, left = (*titled, *item.more), left + len(rest) + len(item.more)
        if kept_of[number]:
            last[item.section, item.label] = number
            kept[number] = replace(item, lines=lines, more=more)
        elif (above := last.get((item.section, item.label))) is not None:
            one = kept[above]
            kept[above] = replace(one, more=(*one.more, *more), changes=(one.changes or 1) + (item.changes or 1))
    untitled = (tuple(replace(each, title=None) for each in one.more) for one in kept.values())
    # One more is called by its title, several are counted.
    return tuple(
        replace(one, more=no) if len(no) > 1 else one for one, no in zip(kept.values(), untitled, strict=True)
    ), left


def _length(item: ItemDocument) -> int:
    return max(1, len(item.lines))
