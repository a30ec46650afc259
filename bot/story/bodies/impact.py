"""What a commit's body says was measured or observed, quoted; what was only hoped for is left out. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from bot.story.bodies import impact_words as words
from bot.story.bodies.prose import LONGEST_SUBJECT, Block, blocks, is_whole, new_words, of_the_whole, sentences
from bot.story.words.remembered import remembered

LONGEST = 260  # characters of an effect
FEWEST_WORDS = 3
MOST = 5  # effects of one body
_MOST_READ = 400  # blocks of a body
_MOST_COMPARED = 2  # measures of one log
_LEAST_CHANGE = 0.005  # of a measure, for its author to call it one
_MORE_THAN_NOISE = 0.02  # of a measure that only stands in a log
_LEAST_NEW = 2  # words beside the subject's, for an observation to be more than the subject again
_END = re.compile(r"[\s.,;:!]+$")
_LINK = re.compile(r"\s*(?:\(\[[^\]\n]*\]\([^)\n]*\)\)|\[[^\]\n]*\]\([^)\n]*\)|[(\[]?https?://\S*)[.\s]*$")
_DECORATION = re.compile(r"^[\s*>=#-]+|^\(?\d[.)]\s+|(?<=\w)\s*\(#\d+\)$")


@dataclass(frozen=True, slots=True)
class Effect:
    """A quotation of what was found: in one line, word for word, without its full stop.

    Where the two ends of a comparison stand apart, it is "before: …, after: …". The `weight` is for comparing
    effects: 1 for a measurement with both its ends, less for what says less.
    """

    text: str
    kind: Literal["measured", "observed"]
    weight: float


def effects(body: str, subject: str) -> list[Effect]:
    """What a body says was measured or observed of its change, best first; usually nothing."""
    return list(_effects(body, subject[:LONGEST_SUBJECT])) if body else []


@remembered
def _effects(body: str, subject: str) -> tuple[Effect, ...]:
    found: dict[str, Effect] = {}
    every = list(islice(blocks(of_the_whole(body, subject)), _MOST_READ))
    for effect in (*islice(_compared(every), _MOST_COMPARED), *_said(every, subject)):
        found.setdefault(effect.text.casefold(), effect)
    return tuple(sorted(found.values(), key=lambda effect: -effect.weight)[:MOST])


def _said(every: list[Block], subject: str) -> Iterator[Effect]:
    mixed: set[int] | None = None
    for number, block in enumerate(every):
        if block.kind == "line" or block.part in ("tested", "before", "background") or not may_tell(block.text):
            continue
        for sentence in _with_brackets(block.text):
            text = _trimmed(sentence)
            if not _is_fit(text):
                text = _clause(text)
                if not text or not _is_fit(text) or not words.FROM_TO[1].search(text):
                    continue
            if weight := _measured(text):
                mixed = _mixed(every) if mixed is None else mixed
                if number in mixed:
                    continue
                yield Effect(text, "measured", weight)
            elif block.part != "results" and (weight := _observed(text, subject)):
                yield Effect(text, "observed", weight)


def may_tell(text: str) -> bool:
    """Whether there can be an effect in a text: no measure is without a digit, no observation without a word of these.
    That is soon seen, and most texts have neither."""
    if not text.isascii() or words.DIGIT.search(text):
        return True
    small = text.replace("**", "").lower()
    return any(word in small for word in words.OBSERVED_BY)


def _mixed(every: list[Block]) -> set[int]:
    """Which blocks are lists or paragraphs that also tell of something that got worse: what got better in them is
    picked from a mixed result."""
    found: set[int] = set()
    together: list[int] = []
    for number, block in enumerate(every):
        if not (together and block.kind == every[together[-1]].kind == "item"):
            together = []
        together.append(number)
        if any(words.SLOWER.search(one) and not words.CURED.search(one) for one in sentences(block.text)):
            found.update(together)
        elif number - 1 in found and len(together) > 1:
            found.add(number)
    return found


def _with_brackets(text: str) -> Iterator[str]:
    """The sentences of a text; one that stands in brackets belongs to that before it."""
    held = ""
    for sentence in sentences(text):
        if held and sentence.startswith("(") and sentence.endswith((")", ").")):
            held = f"{held} {sentence}"
            continue
        if held:
            yield held
        held = sentence
    if held:
        yield held


def _trimmed(sentence: str) -> str:
    """A sentence without the marks of a list before it, and without an address or a full stop at its end."""
    text = sentence.replace("**", "")
    if not text[:1].isalpha() or text[-1:] in ")\n":
        text = _DECORATION.sub("", text)
    if "](" in text or "http" in text:
        text = _LINK.sub("", text)
    if not text[-1:].isalnum():
        text = _END.sub("", text)
    is_ended = text.isascii() and not text.lower().endswith(words.UNFINISHED_ENDS)
    return text if is_ended else words.UNFINISHED.sub("", text)


def _clause(text: str) -> str:
    """The end of a sentence that is too long or tells too much: its last clause."""
    if len(text) > 4 * LONGEST:
        return ""
    ends = list(words.CLAUSE.finditer(text))
    return text[ends[-1].end() :] if ends else ""


def _is_fit(text: str) -> bool:
    return (
        len(text) <= LONGEST
        and len(text.split()) >= FEWEST_WORDS
        and len(re.findall(r"[^\W\d_]{2,}", text)) >= FEWEST_WORDS - 1
        and not words.UNFIT.search(text)
        and is_whole(text)
    )


def _measured(text: str) -> float:
    """How much a statement tells as a measurement of the change; 0 where it is none, or not surely one."""
    if not words.HAS_AMOUNT.search(text) or words.HOPED.search(text) or words.SETTING.search(text):
        return 0.0
    if words.OF_OTHERS.search(text) or (words.WORSE.search(text) and not words.CURED.search(text)):
        return 0.0
    for pattern in words.FROM_TO:
        if found := pattern.any.search(text):
            better = _is_better(found["a"], found["ua"], found["b"], found["ub"], text)
            if better is not None:
                return 1.0 if better else 0.0
    if any(pattern.search(text) for pattern in words.GAINED):
        return 0.9
    if words.SAVED.search(text) and not words.UNSURE.search(text):
        return 0.8
    return 0.0


def _observed(text: str, subject: str) -> float:
    """How much a statement tells as something observed; 0 where it is none, or not surely one."""
    if words.POINTS_BACK.match(text) or words.DOUBTED.search(text) or words.UPGRADE.match(subject):
        return 0.0
    if new_words(words.HISTORY.sub("", text), subject)[0] < _LEAST_NEW:
        return 0.0
    return next((weight for weight, pattern in words.OBSERVED if pattern.search(text)), 0.0)


def _is_better(before: str, unit_before: str | None, after: str, unit_after: str | None, text: str) -> bool | None:
    """Whether the second of two measures is better than the first; None where their unit and the words do not say."""
    unit = unit_after or unit_before or ""
    first, second = _number(before, unit_before or unit), _number(after, unit)
    if not first or second is None:
        return None
    if abs(second - first) < _LEAST_CHANGE * first:
        return False
    rises = second > first
    if words.RATE.fullmatch(unit):
        return rises
    if words.TIME.fullmatch(unit) or words.CLOCK.fullmatch(before):
        return not rises
    if words.SIZE.fullmatch(unit):
        return not rises if words.LESS_IS_BETTER.search(text) else None
    if words.MORE_IS_BETTER.search(text):
        return rises
    return not rises if words.LESS_IS_BETTER.search(text) else None


def _number(digits: str, unit: str) -> float | None:
    if not unit and (clock := words.CLOCK.fullmatch(digits.strip(" ~"))):
        return sum(int(clock[part] or 0) * seconds for part, seconds in (("h", 3600), ("m", 60), ("s", 1)))
    found = re.search(r"\d[\d,]*(?:\.\d+)?", digits)
    if not found:
        return None
    number = float(found[0].replace(",", ""))
    if digits.rstrip()[-1:] in ("k", "K"):
        number *= 1_000
    return number * words.SCALE.get(unit.lower(), 1.0)


def _compared(every: list[Block]) -> Iterator[Effect]:
    """Measurements whose two ends stand under "Before" and "After", with the same words around them."""
    held: dict[tuple[str, str], tuple[str, re.Match[str]]] = {}
    for index, block in enumerate(every):
        if block.kind == "prose" and _are_ends(three := every[index + 1 : index + 4]):
            yield from _from_to(three) if words.LEADS_TO.search(block.text) else ()
        if not words.DIGIT.search(block.text):
            continue
        if inline := words.BEFORE_AFTER.search(block.text):
            first = {_around(one): (one[0].strip(), one) for one in words.ENTRY.finditer(inline["before"])}
            for one in words.ENTRY.finditer(inline["after"]):
                yield from _pair(first.get(_around(one)), one)
        elif (end := _end(block)) and (entry := words.ENTRY.search(end[1])):
            if end[0] == "before":
                held.setdefault(_around(entry), (entry[0].strip(), entry))
            else:
                yield from _pair(held.pop(_around(entry), None), entry)


def _end(block: Block) -> tuple[str, str] | None:
    """Which end of a comparison a block is, and what it says: by the label above it, or by its own."""
    if own := words.ONE_END.match(block.text):
        return own["end"].lower(), own["said"]
    return (block.part, block.text) if block.part in ("before", "after") else None


def _are_ends(three: list[Block]) -> bool:
    """Whether there is a line of a log, "to", and another one."""
    return len(three) == 3 and three[0].kind == three[2].kind == "line" and three[1].text.casefold() in ("to", "to:")


def _from_to(three: list[Block]) -> Iterator[Effect]:
    """Behind "We go from" a line of a log, "to", and the same line with another number."""
    first, second = words.ENTRY.search(three[0].text), words.ENTRY.search(three[2].text)
    if first and second and _around(first) == _around(second):
        yield from _pair((first[0], first), second)


def _around(entry: re.Match[str]) -> tuple[str, str]:
    return entry["name"].strip(" -*:=~").casefold(), entry["rest"].strip().casefold()


def _pair(first: tuple[str, re.Match[str]] | None, one: re.Match[str]) -> Iterator[Effect]:
    if first is None or not any(_around(one)):
        return  # a number without a name
    text, before = first
    text = f"before: {text.strip(' -*')}, after: {one[0].strip(' -*')}"
    first_number, second = _number(before["n"], before["u"]), _number(one["n"], one["u"])
    if not first_number or second is None or abs(second - first_number) < _MORE_THAN_NOISE * first_number:
        return
    if len(text) <= LONGEST and is_whole(text) and _is_better(before["n"], before["u"], one["n"], one["u"], text):
        yield Effect(text, "measured", 1.0)
