"""Plain questions in other languages, put into the English that the reading reads. Pure.

languages.json is the table: of each language what its words and phrases are in English, by what they do in a text:
"asks" (who, what, when), "helps" (did, was), "deeds" (changed, worked), "order" (last, first), "news" (new), "times",
"behind" (what English has before a word) and "others". In a phrase `_` is a space, `#` a date in figures, which is
kept, `…*` has any ending, and `…~` ends a word. The longest is taken; what no phrase has stays as it was typed. There
is no grammar but an order of words: English has first what is asked and what helps, and last what was done and when.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache, reduce
from importlib.resources import files
from typing import NamedTuple

from bot.ask.words import listed_words, lists
from bot.month.addresses import unaccented
from bot.month.people import Directory

OTHER_SCRIPT = re.compile("[\u0370-\u1cff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_UNSPACED = {  # the languages of a script, the rarest first: Japanese has Chinese signs too
    "Korean": re.compile("[\uac00-\ud7af]"),
    "Japanese": re.compile("[\u3040-\u30ff]"),
    "Chinese": re.compile("[\u3400-\u9fff]"),
}
_LEAST = 2  # words of a language that make a text one of it, where English has fewer; one of no more than two others
_BASE = {"changed": "change", "merged": "merge"} | dict.fromkeys(("committed", "did", "do", "worked"), "commit")
_MOST_OF_NAME = 6  # words of a name, or letters of one without spaces
_DATE = r"(?<![A-Za-z0-9.])\d[\d年月日년월일./-]{0,20}+(?: \d{1,2}[月日월일]){0,2}+"  # of as many signs as two dates
_TOKEN = re.compile(r"[^\s,;?!()\"“”„|、。？¿¡]+")
_SIGN = re.compile(r"[\w.@'-]+|\S", re.ASCII)
_QUOTED = re.compile(r"[\"“”„][^\"“”„]+[\"“”]|`[^`]+`")
_ENDS = re.compile(r"([?!;\n。？！]|\.(?=\s|$))")


class _Piece(NamedTuple):
    """What some letters of a text are in English, and what they do in a question: "" where no phrase has them."""

    english: str
    role: str = ""


def in_english(text: str, directory: Directory) -> tuple[str, str] | None:
    """A text in English, and the name of the language that most of its words are of; None where that is English, or a
    language of which there is no table. Names of people, and what is quoted, stay as they are."""
    if not (language := _language_of(_QUOTED.sub(" ", text))):
        return None
    kept = [*(match.span() for match in _QUOTED.finditer(text)), *_names(text, directory, language)]
    clauses = _clauses(_pieces(language, re.sub("[¿¡]", " ", text), kept))
    said = " ".join(piece.english for clause in clauses for piece in _ordered(clause) if piece.english)
    said = re.sub(r" +(?=[?!;,.。？！])", "", said)
    return (said, language) if said.split() != text.split() else None


def _language_of(text: str) -> str:
    """The language that most words of a text are of, where there is a table of it; "" for English too."""
    if name := next((name for name, script in _UNSPACED.items() if script.search(text)), ""):
        rare = known = sum(len(match[0]) for match in _phrases(name)[0].finditer(text))
        words = re.findall(r"[a-z]+", text.lower())
    else:
        tokens = (_folded(match[0].strip(".:*_~'’<>[]{}-")) for match in _TOKEN.finditer(text))
        words = [part for token in tokens for part in re.findall(r"\w+['’](?=\w)|.+", token)]
        rare, known, name = max(
            (sum(word in own or word.startswith(begins) for word in words), sum(word in every for word in words), name)
            for name, (own, begins, every) in _words().items()
        )
    english = sum(name in _UNSPACED or word not in _words()[name][2] for word in words if word in listed_words())
    least = min(_LEAST, max(len(words) - _LEAST, 1)) if words else _LEAST
    return name if rare > english and max(rare, known) >= least else ""


def _names(text: str, directory: Directory, language: str) -> Iterator[tuple[int, int]]:
    """Where full names stand, and behind the first word whatever is written as a name and is one."""
    tokens = [match.span() for match in (_SIGN if language in _UNSPACED else _TOKEN).finditer(text)]
    for first, (start, _) in enumerate(tokens):
        for size in range(min(_MOST_OF_NAME, len(tokens) - first), 0, -1):
            end = tokens[first + size - 1][1]
            said = text[start:end].rstrip(".:'’").casefold().lstrip("@")
            may_be = size > 1 or text[start] == "@" or (first and text[start].isupper())
            if directory.named(said) or (may_be and directory.exactly(said, levels=(1, 2, 3))):
                yield start, end
                break


def _pieces(language: str, text: str, kept: Sequence[tuple[int, int]]) -> Iterator[_Piece]:
    """The pieces of a text; at the `kept` places it is as it was typed."""
    pattern, meant = _phrases(language)
    last = 0
    for match in pattern.finditer(_folded(text)):
        start, end = match.span()
        if any(start < to and since < end for since, to in kept):
            continue
        yield _Piece(text[last:start].strip(" "))
        piece = _tables()[language].get(text[start:end].lower()) or meant[(match.lastindex or 1) - 1]
        dates = re.findall(_DATE, match[0])
        yield _Piece(reduce(lambda said, date: said.replace("#", date.strip(), 1), dates, piece.english), piece.role)
        last = end
    yield _Piece(text[last:].strip(" "))


def _clauses(pieces: Iterator[_Piece]) -> Iterator[list[_Piece]]:
    """The pieces of each sentence; what stands behind in English before."""
    clause: list[_Piece] = []
    for piece in pieces:
        for said in [piece] if piece.role else map(_Piece, _ENDS.split(piece.english)):
            if _ENDS.fullmatch(said.english):
                yield from (clause, [said])
                clause = []
            elif said.english:
                clause.insert(len(clause) - (said.role == "behind"), said)
    yield clause


def _ordered(clause: Sequence[_Piece]) -> Sequence[_Piece]:
    """A clause with its pieces in English order."""
    roles = ("asks", "deeds", "helps", "order", "times")
    asks, deeds, helps, order, times = ([one for one in clause if one.role == role][:1] for role in roles)
    asked, first, did = (asks or [_Piece("")])[0].english, [*asks], _Piece("did", "helps")
    is_active = helps in ([], [did])
    if asked == "who" and deeds:
        first += [*order, *deeds]
        clause = [one for one in clause if one not in helps]
    elif asked == "when" and order and deeds and is_active and deeds[0].english in _BASE:  # "when did X last commit"
        both = [one for one in clause if one in (*order, *deeds)]
        last = _Piece(f"{order[0].english} {_BASE[deeds[0].english]}")
        clause = [last if one == both[0] else one for one in clause if one not in (*helps, both[1])]
        first, deeds = [*asks, did], []
    elif asked in ("when", "why") and (deeds or not helps) and did not in helps:
        first += helps if helps == [_Piece("will", "helps")] else [_Piece("was")]
        clause = [one for one in clause if one not in helps]
    elif deeds and is_active and (clause[0] == deeds[0] or (asked == "what" and helps)):
        first, times = [*asks, did], [*times, *deeds]
    leads = [one for one in clause[:1] if one.english == "and"]
    said = [*leads, *first, *(one for one in clause if one not in (*leads, *first, *times)), *times]
    topic = next(
        (n for n, one in enumerate(said[:-1]) if one.english in ("about", "in", "on") and not said[n + 1].role), -1
    )
    if deeds and 0 <= topic < said.index(deeds[0]):  # "what did ada on the parser change"
        said.insert(topic, said.pop(said.index(deeds[0])))
    return said


def _folded(text: str) -> str:
    """A text in small letters without accents, letter for letter."""
    return text.lower() if text.isascii() else "".join(map(_plain, text))


@cache
def _plain(letter: str) -> str:
    return (unaccented(letter.lower()) or letter)[0] if letter < "\u3000" else letter


@cache
def _tables() -> Mapping[str, Mapping[str, _Piece]]:
    """Of each language, what its phrases are, with their accents and, where no other is so, without them."""
    found = {}
    for name, roles in json.loads(files("bot.ask").joinpath("languages.json").read_text("utf-8")).items():
        written = {
            phrase.replace("_", " "): _Piece(english, role)
            for role, some in roles.items()
            for english, phrases in some.items()
            for phrase in phrases.split()
        }
        found[name] = {_folded(phrase): piece for phrase, piece in reversed(written.items())} | written
    return found


@cache
def _words() -> Mapping[str, tuple[Set[str], tuple[str, ...], Set[str]]]:
    """Of each language with spaces the words that no English question has, the beginnings of such, and all words."""
    found = {}
    for name in [name for name in _tables() if name not in _UNSPACED]:
        every = {word for phrase in _tables()[name] for word in phrase.split()}
        joins = {phrase for phrase, piece in _tables()[name].items() if piece.english == "and" and phrase not in "ai"}
        own = (every - listed_words() - lists()["name parts"]) | joins
        found[name] = own, tuple(word[:-1] for word in own if word.endswith("*")), every
    return found


@cache
def _phrases(language: str) -> tuple[re.Pattern[str], Sequence[_Piece]]:
    """What finds the longest phrase of a language, an empty group behind each, and what these are in their order."""
    table, is_spaced = _tables()[language], language not in _UNSPACED
    gap, end = (r"\s+", r"(?![\w/@#]|['’.-]\w)") if is_spaced else (r"\s*", "")
    signs = ((r"\ ", gap), (r"\*", r"\w*"), (r"\#", _DATE), (r"\~", r"(?!\w)"))
    phrases = sorted({_folded(phrase) for phrase in table}, key=lambda phrase: (-len(phrase), phrase))
    written = "|".join(re.escape(phrase) + ("" if phrase[-1] in "'*" else end) + "()" for phrase in phrases)
    pattern = reduce(lambda said, sign: said.replace(*sign), signs, written)
    whole = re.compile((r"(?<![\w/@#.-])" if is_spaced else "") + f"(?:{pattern})")
    return whole, [table[phrase] for phrase in phrases]
