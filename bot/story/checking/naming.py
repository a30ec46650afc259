"""What a sentence names: references, numbers, days, quotations, identifiers and people, each of which must stand in
the changes that it rests on. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation

from bot.story.checking.ground import Ground
from bot.story.checking.text import (
    SHA,
    Number,
    Parts,
    compact,
    dates_of,
    folded,
    numbers_of,
    references_of,
    without_dates,
    without_references,
)

_CUT = re.compile(r"\s*(?:…|\.\.\.)\s*")
_CHUNK = re.compile(r"[^\s,;()\[\]{}“”\"!?=<>|→]+")
_TRIM = ".,:'’&*…–—-/"
_BEGINS = re.compile(r"(?:^|[.!?:;(–—]|\ufffc)\s*$")
_MIXED = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}|\d[A-Za-z]|[A-Za-z]\d")
_SIGNS = re.compile(r"\w_\w|^_|_$|::|\w\.\w|\w/\w|^--?\w|@")
_PART = re.compile(r"[A-Za-z0-9_]+")
_MEASURE = re.compile(r"[<>~≈]?\d[\d.,:]*(?:%|[A-Za-zµμ×]+(?:/[A-Za-z]+)?)?")
# Words of the trade that any writer may use: they name nothing of a commit's own.
_TRADE = frozenset(("api", "ci", "cpu", "gpu", "oss", "pr", "ui", "id", "os", "ide", "io", "ram", "c++", "utc"))


def faults(parts: Parts, grounds: Sequence[Ground], common: frozenset[str], people: Iterable[str]) -> Iterator[str]:
    """What is named, but stands in none of the changes. `common` are words in small letters that name the month
    itself, `people` those whom any change of the month names."""
    own = parts.own
    for ref in dict.fromkeys(references_of(own)):
        if not any(ref in ground.references for ground in grounds):
            yield f"{ref} is no number of its changes"
    for day, month, year, _ in dates_of(own):
        if not any(ground.is_day(day, month, year) for ground in grounds):
            yield f"nothing of its changes happened on {day:02}-{month:02}"
    for quotation in parts.quoted:
        pieces = [piece for piece in (folded(one).strip(" .,;:") for one in _CUT.split(quotation)) if piece]
        if not any(_has_pieces(folded(ground.told), pieces) for ground in grounds):
            yield f"“{quotation}” is quoted, but stands in none of its changes"
    for code in parts.code:
        if not _stands(code, grounds):
            yield f"`{code}` stands in none of its changes"
    for sha in SHA.findall(own):
        if not any(one.startswith(sha) for ground in grounds for one in ground.shas):
            yield f"{sha} is none of its commits"
    own = SHA.sub(" ", without_references(without_dates(own)))
    for number in numbers_of(own):
        if not has_number(number, grounds):
            yield f"the number {number.written} stands in none of its changes"
    yield from (f"{said} stands in none of its changes" for said in _names(own) if not _is_known(said, grounds, common))
    yield from _strangers(parts.own, grounds, people)


def has_number(number: Number, grounds: Sequence[Ground]) -> bool:
    """Whether a number stands in a change, with its unit or where its unit is told apart, or is one of it, rounded."""
    for ground in grounds:
        units = ground.values.get(number.value)
        if units is not None and (
            not number.unit or number.unit in units or ("" in units and _has_unit(number.unit, ground))
        ):
            return True
        if "." in number.value and any(_rounds(value, number.value) for value in ground.values):
            return True
    return False


def _has_unit(unit: str, ground: Ground) -> bool:
    """Whether a unit is told anywhere, as in the head of a table."""
    forms = {"x": ("x", "×", "times", "speedup"), "µs": ("us", "µs", "μs", "micro"), "s": ("s", "sec", "seconds")}
    return any(form in ground.lower for form in forms.get(unit, (unit.lower(),)))


def _rounds(value: str, said: str) -> bool:
    """Whether what is said is a longer number, rounded: 1.89 of 1.888514757156372."""
    try:
        long, short = Decimal(value), Decimal(said)
    except InvalidOperation:
        return False
    places = -int(short.as_tuple().exponent)
    return -int(long.as_tuple().exponent) >= places + 2 and round(long, places) == short


def _has_pieces(text: str, pieces: Sequence[str]) -> bool:
    for piece in pieces:
        _, found, text = text.partition(piece)
        if not found:
            return False
    return bool(pieces)


def _stands(said: str, grounds: Sequence[Ground]) -> bool:
    """Whether code stands in a change, in whatever case, as a whole or by each of its parts."""
    parts = [part for part in _PART.findall(said) if compact(part)]
    if not parts:
        return True
    return any(
        compact(said) in ground.runs or all(_has_word(part, ground) for part in parts) for ground in grounds
    ) or all(any(_has_word(part, ground) for ground in grounds) for part in parts)


def _has_word(said: str, ground: Ground) -> bool:
    word = compact(said)
    forms = {word, f"{word}s", word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ed")}
    return any(form in ground.runs or form in ground.words for form in forms if form)


def _names(own: str) -> Iterator[str]:
    """The identifiers of a text, and the words with a capital that begin no sentence."""
    for match in _CHUNK.finditer(own):
        said = match[0].strip(_TRIM + "~`")
        said = re.sub(r"['’]s?$", "", said)
        if not any(map(str.isalpha, said)) or _MEASURE.fullmatch(said):
            continue
        begins = bool(_BEGINS.search(own[: match.start()]))
        is_identifier = bool(_MIXED.search(said) or _SIGNS.search(said))
        if is_identifier or (said[0].isupper() and not begins):
            yield said


def _is_known(said: str, grounds: Sequence[Ground], common: frozenset[str]) -> bool:
    if {said.lower(), said.lower().removesuffix("s")} & (common | _TRADE):
        return True
    if _is_word(said, grounds):
        return True
    parts = [part for part in re.split(r"[-/–+.]", said) if part]
    telling = [part for part in parts if part[0].isupper() or _MIXED.search(part) or "_" in part]
    if len(parts) < 2:
        return False
    return all(part.lower() in common or part.lower() in _TRADE or _is_word(part, grounds) for part in telling or parts)


def _is_word(said: str, grounds: Sequence[Ground]) -> bool:
    word = compact(said)
    if not word:
        return True
    return any(_has_word(word, ground) for ground in grounds)


def _strangers(own: str, grounds: Sequence[Ground], people: Iterable[str]) -> Iterator[str]:
    """People of the month whom none of the changes names."""
    for name in people:
        if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", own):
            continue
        if not any(name in ground.people or name.lower() in ground.lower for ground in grounds):
            yield f"{name} has no part in its changes"
