"""What a sentence names, which must stand in the changes that it names: references, numbers, days, quotations,
identifiers and people; and what it says of states, which is as the facts have it, and shows nothing that was backed out
as delivered. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache

from bot.story.checking.ground import Ground
from bot.story.checking.text import (
    REFERENCE,
    SHA,
    UNITS,
    Number,
    Parts,
    compact,
    dates_of,
    folded,
    is_rounding,
    numbers_of,
    without_dates,
    without_references,
)

_CUT = re.compile(r"\s*(?:…|\.\.\.)\s*")
_CHUNK = re.compile(r"[^\s,;()\[\]{}“”\"!?=<>|→]+")
_TRIM = ".,:'’&*…–—-/~`"
_BEGINS = re.compile(r"(?:^|[.!?:;(–—]|\ufffc)\s*$")
_MIXED = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}|\d[A-Za-z]|[A-Za-z]\d")
_IDENTIFIER = re.compile(rf"{_MIXED.pattern}|\w_\w|^_|_$|::|\w\.\w|\w/\w|^--?\w|@")
_MEASURE = re.compile(r"[<>~≈]?\d[\d.,:]*(?:%|[A-Za-zµμ×]+(?:/[A-Za-z]+)?)?")
# Words of the trade that any writer may use: they name nothing of a commit's own.
_TRADE = frozenset(("api", "ci", "cpu", "gpu", "oss", "pr", "ui", "id", "os", "ide", "io", "ram", "c++", "utc"))


def faults(parts: Parts, grounds: Sequence[Ground], common: Collection[str], people: Iterable[str]) -> Iterator[str]:
    """What is named, but stands in none of the changes. `common` are words in small letters that name the month
    itself, `people` those whom any change of the month names."""
    own, known = parts.own, {*common, *_TRADE}
    shas = {sha for ground in grounds for sha in ground.shas}
    for reference in dict.fromkeys(REFERENCE.findall(own)):
        if not any(reference in ground.references for ground in grounds):
            yield f"{reference} is no number of its changes"
    for day, month, year in dates_of(own):
        days = (on for ground in grounds for on in ground.days)
        if not any((on.day, on.month) == (day, month) and year in (None, on.year) for on in days):
            yield f"nothing of its changes happened on {day:02}-{month:02}"
    quoted = (one for one in parts.quoted if not any(_is_quoted(one, ground) for ground in grounds))
    yield from (f"“{one}” is quoted, but stands in none of its changes" for one in quoted)
    codes = (one for one in parts.code if not _is_known(one, grounds, known, is_code=True))
    yield from (f"`{one}` stands in none of its changes" for one in codes)
    others = (one for one in SHA.findall(own) if not any(sha.startswith(one) for sha in shas))
    yield from (f"{one} is none of its commits" for one in others)
    plain = SHA.sub(" ", without_references(without_dates(own)))
    numbers = (one for one in numbers_of(plain) if not any(_has_number(one, ground) for ground in grounds))
    yield from (f"the number {one.written} stands in none of its changes" for one in numbers)
    names = (one for one in _names_in(plain) if not _is_known(one, grounds, known))
    yield from (f"{one} stands in none of its changes" for one in names)
    yield from (f"{one} has no part in its changes" for one in people if _has_no_part(one, own, grounds))


def _has_no_part(person: str, own: str, grounds: Sequence[Ground]) -> bool:
    """Whether somebody is named whom none of the changes names."""
    if person not in own or any(person in ground.people or person.lower() in ground.lower for ground in grounds):
        return False
    return re.search(rf"(?<!\w){re.escape(person)}(?!\w)", own) is not None


def _has_number(number: Number, ground: Ground) -> bool:
    """Whether a number stands in a change, with its unit or where its unit stands apart, as in the head of a table; or
    is one of its numbers, rounded, or the line of one of its versions ("3.1" of 3.1.0)."""
    units = ground.values.get(number.value, frozenset())
    if number.unit in units or (units and not number.unit):
        return True
    forms = (form.lower() for form, unit in UNITS.items() if unit == number.unit)
    if "" in units and any(form in ground.lower for form in forms):
        return True
    line = f"{number.value}." if "." in number.value and not number.unit else "-"
    return any(is_rounding(number.value, value) or value.startswith(line) for value in ground.values)


def _is_quoted(quotation: str, ground: Ground) -> bool:
    """Whether the pieces of a quotation, which may leave something out at "…", stand in a change in their order."""
    pieces = [piece for piece in (folded(one).strip(" .,;:") for one in _CUT.split(quotation)) if piece]
    text = folded(ground.words)
    for piece in pieces:
        _, found, text = text.partition(piece)
        if not found:
            return False
    return bool(pieces)


def _names_in(plain: str) -> Iterator[str]:
    """The identifiers of a text, and the words with a capital that begin no sentence."""
    for match in _CHUNK.finditer(plain):
        name = re.sub(r"['’]s?$", "", match[0].strip(_TRIM))
        if not any(map(str.isalpha, name)) or _MEASURE.fullmatch(name):
            continue
        if _IDENTIFIER.search(name) or (name[0].isupper() and not _BEGINS.search(plain[: match.start()])):
            yield name


def _is_known(name: str, grounds: Sequence[Ground], known: Collection[str], is_code: bool = False) -> bool:
    """Whether the changes have a name, in whatever case and however it is joined, as a whole or by its parts; of a
    word such as "KJT-based" those that are names."""
    if _has_word(name, grounds, known):
        return True
    parts = [part for part in re.split(r"[^A-Za-z0-9_]" if is_code else r"[-/–+.]", name) if part]
    names = [part for part in parts if part[0].isupper() or _MIXED.search(part) or "_" in part]
    telling = parts if is_code else names or parts
    return (len(parts) > 1 or not telling) and all(_has_word(part, grounds, known) for part in telling)


def _has_word(word: str, grounds: Sequence[Ground], known: Collection[str]) -> bool:
    bare, lower = compact(word), word.lower()
    forms = {bare, f"{bare}s", bare.removesuffix("s"), bare.removesuffix("es"), bare.removesuffix("ed")} - {""}
    is_common = lower in known or lower.removesuffix("s") in known
    return not bare or is_common or any(not forms.isdisjoint(ground.runs) for ground in grounds)


# --- states

_STATES = re.compile(
    r"(?P<still_out>\b(?:not|never|nor) (?:been |yet |come |brought |re-?landed |is )*"
    r"(?:back|re-?landed|brought back|on main|restored)|"
    r"\bstill out\b|\bnot on main\b|\bhas not returned\b|\bdoes not stand\b|\bdo not stand\b|\bno longer in\b)|"
    r"(?P<out>\b(?:(?:is|was|were|been|be|got|being) )?(?:back(?:ed|s|ing)?[ -]out|revert(?:ed|s|ing)?|"
    r"roll(?:ed|s)? back|taken (?:back|out)|withdrawn|undone|undid|pulled again|took (?:it )?out)\b)|"
    r"(?P<back>\b(?:re-?land(?:ed|s|ing)?|land(?:ed|s) again|brought back|came back|comes back|back (?:in|on|since)\b|"
    r"is back|are back|be back|back \d|re-?appl(?:ied|ies)|restor(?:ed|es) (?:on|by)|reinstat\w+|back again|"
    r"stands? again))",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[;:]|[.!?](?=\s|$)|, (?:and|but) |, (?=the part\b)")
_BY_AUTHOR = re.compile(r"\bby (?:the author|its author|himself|herself|themselves)\b")
_DEEDS = {"out": "reverts", "back": "relands"}
_DONE = {"out": "backed out", "back": "brought back"}


def without_states(text: str) -> str:
    return _STATES.sub(" ", text)


@lru_cache(maxsize=1000)
def _states_in(text: str) -> frozenset[str]:
    return frozenset(str(match.lastgroup) for match in _STATES.finditer(text))


def state_faults(own: str, beside: str, grounds: Sequence[Ground], people: Iterable[str]) -> Iterator[str]:
    """What is wrong with the states that `own`, a text's own words, tells; `beside` is what else is said with it."""
    mentions = list(_STATES.finditer(own))
    said = [str(match.lastgroup) for match in mentions]
    back = [ground for ground in grounds if ground.change.state == "relanded" or any(_deeds(ground, "back"))]
    if "out" in said and not any(not ground.is_in or any(_deeds(ground, "out")) for ground in grounds):
        yield "none of its changes was backed out"
    if "back" in said and not back:
        yield "none of its changes was brought back"
    if "still_out" in said and all(ground.is_in for ground in grounds):
        yield "its changes stand"
    if said[-1:] == ["back"] and back and not any(ground.is_in for ground in back):
        yield "it does not stand today"
    for number, match in enumerate(mentions):
        end = mentions[number + 1].start() if number + 1 < len(mentions) else len(own)
        clause_end = _CLAUSE_END.search(own, match.end(), end)
        clause = own[match.start() : clause_end.start() if clause_end else end]
        yield from _wrong_deed(said[number], clause, grounds, people)
    if _states_in(f"{own} {beside}").isdisjoint(("out", "still_out")):
        for ground in grounds:
            if not ground.is_in and ground.change.kind != "revert":
                called = next(iter(ground.change.refs), ground.change.lead.subject[:60])
                yield f"it does not say that {called} was backed out"


def _wrong_deed(state: str, clause: str, grounds: Sequence[Ground], people: Iterable[str]) -> Iterator[str]:
    """A day or a person that is said with a state, and is another's."""
    deeds = [deed for ground in grounds for deed in _deeds(ground, state)]
    if not deeds:
        return
    days = {(day.day, day.month) for on, _ in deeds for day in on}
    if any((day, month) not in days for day, month, _ in dates_of(clause)):
        yield f"it was not {_DONE[state]} on that day"
    who = {name for _, names in deeds for name in names}
    for name in people:
        if name in clause and name not in who and re.search(rf"\bby {re.escape(name)}(?!\w)", clause):
            yield f"it was not {_DONE[state]} by {name}"
    if _BY_AUTHOR.search(clause) and who.isdisjoint(name for ground in grounds for name in _authors(ground)):
        yield f"it was not {_DONE[state]} by the author"


def _deeds(ground: Ground, state: str) -> Iterator[tuple[frozenset[date], frozenset[str]]]:
    """The days and the people of what reverted a change or brought it back: of its reverts, or of the change itself
    where that is one."""
    for revert in ground.reverts:
        if revert.does == _DEEDS.get(state):
            yield revert.days, revert.people
    is_revert = ground.change.kind == "revert" and state == "out"
    if is_revert or state in _states_in(ground.message):
        yield ground.days, frozenset(_authors(ground) - {ground.person})


def _authors(ground: Ground) -> set[str]:
    return {ground.person, *(commit.author.name for commit in ground.change.commits)}
