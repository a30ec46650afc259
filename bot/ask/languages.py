"""Plain questions in other languages, put into the English that the reading reads. Pure.

languages.json is the table: of each language what its words and phrases are in English, by what they do in a question:
"asks" (who, what, when), "helps" (did, was), "deeds" (changed, worked), "order" (last, first), "times" and "others".
In a phrase `_` is a space, `#` a day or month in figures, which stays, and `…*` any ending. The longest is taken, and
what no phrase has stays as it was typed. There is no grammar but an order of words: English has first what is asked
and what helps, and behind "who" what was done.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, reduce
from importlib.resources import files

from bot.ask.words import listed_words, lists
from bot.month.addresses import unaccented
from bot.month.calendar import NAMES
from bot.month.people import Directory

OTHER_SCRIPT = re.compile("[\u0370-\u1cff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SCRIPTS = (  # the language of a script, the rarest first: Japanese has Chinese signs too
    ("Korean", re.compile("[\uac00-\ud7af]")),
    ("Japanese", re.compile("[\u3040-\u30ff]")),
    ("Chinese", re.compile("[\u3400-\u9fff]")),
)
_LEAST = 2  # words of a language that make a text one of it, where English has fewer
_MOST_OF_NAME = 6  # words of a name, or letters of one without spaces
_DATE = r"(?<![A-Za-z0-9.])\d[\d年月日년월일./-]*(?: \d+[月日월일])*"
_DAY = rf"(?:\d{{1,2}}\.?(?: (?:of )?(?:{'|'.join(NAMES)}))?|(?:{'|'.join(NAMES)})(?: \d{{4}})?)"
_RANGE = re.compile(rf"(?:of|by|from|since) ({_DAY}) (?:in|to|until) (?={_DAY}\b)", re.IGNORECASE)
_TOKEN = re.compile(r"[^\s,;?!()\"“”„|¿¡、。？]+")
_SIGN = re.compile(r"[\w.@'-]+|\S", re.ASCII)
_QUOTED = re.compile(r"[\"“”„][^\"“”„]+[\"“”]|`[^`]+`")
_ENDS = re.compile(r"[?!;\n。？]|\.(?=\s|$)")


@dataclass(frozen=True, slots=True)
class _Piece:
    """What some letters of a text are in English, and what they do in the question: "" where the table has them not."""

    english: str
    role: str = ""


def in_english(text: str, directory: Directory) -> tuple[str, str] | None:
    """A text in English, and the name of the language that most of its words are of; None where that is English, or a
    language of which there is no table. Names of people stay as they are."""
    text = re.sub("[¿¡]", " ", text)
    language = _language_of(_QUOTED.sub(" ", text))
    if not language:
        return None
    kept = [range(*match.span()) for match in _QUOTED.finditer(text)]
    kept += _names(text, directory, is_spaced=language not in dict(_SCRIPTS))
    clauses = _clauses(list(_pieces(language, text, kept)))
    said = " ".join(piece.english for clause in clauses for piece in _ordered(clause) if piece.english)
    said = _RANGE.sub(r"from \1 to ", re.sub(r" +(?=[?!;,.])", "", said))
    return (said, language) if said.split() != text.split() else None


def _language_of(text: str) -> str:
    """The language that most words of a text are of, where there is a table of it; "" for English too."""
    if name := next((name for name, script in _SCRIPTS if script.search(text)), ""):
        count = sum(len(match[0]) for match in _phrases(name)[0].finditer(text))
        english = sum(word in listed_words() for word in re.findall(r"[a-z]+", text.lower()))
        return name if count >= max(_LEAST, english + 1) else ""
    tokens = [_folded(match[0].strip(".:*_~'’<>[]{}-")) for match in _TOKEN.finditer(text)]
    words = [part for token in tokens for part in re.findall(r"\w+['’](?=\w)|.+", token)]
    counts = {
        name: sum(word in own or word.startswith(begins) for word in words)
        for name, (own, begins, _) in _words().items()
    }
    name = max(counts, key=lambda one: counts[one])
    english = sum(word in listed_words() and word not in _words()[name][2] for word in words)
    return name if counts[name] >= max(min(_LEAST, len(words)), english + 1) else ""


def _names(text: str, directory: Directory, *, is_spaced: bool) -> Iterator[range]:
    """Where full names stand, and behind the first word whatever is written as a name and is one."""
    tokens = [match.span() for match in (_TOKEN if is_spaced else _SIGN).finditer(text)]
    for first, (start, _) in enumerate(tokens):
        for size in range(min(_MOST_OF_NAME, len(tokens) - first), 0, -1):
            end = tokens[first + size - 1][1]
            said = text[start:end].rstrip(".:'’").casefold().lstrip("@")
            may_be = size > 1 or text[start] == "@" or (first and text[start].isupper())
            if directory.named(said) or (may_be and directory.exactly(said, levels=(1, 2, 3))):
                yield range(start, end)
                break


def _pieces(language: str, text: str, kept: Sequence[range]) -> Iterator[_Piece]:
    """The pieces of a text; at the `kept` places it is as it was typed."""
    pattern, meant = _phrases(language)
    last = 0
    for match in pattern.finditer(_folded(text)):
        if any(match.start() < one.stop and one.start < match.end() for one in kept):
            continue
        if between := text[last : match.start()].strip(" "):
            yield _Piece(between)
        typed = text[match.start() : match.end()].lower()
        piece = _tables()[language].get(typed) or meant[(match.lastindex or 1) - 1]
        dates = re.findall(_DATE, match[0]) if "#" in piece.english else ()
        yield _Piece(reduce(lambda said, date: said.replace("#", date.strip(), 1), dates, piece.english), piece.role)
        last = match.end()
    if rest := text[last:].strip(" "):
        yield _Piece(rest)


def _clauses(pieces: Sequence[_Piece]) -> Iterator[Sequence[_Piece]]:
    """The pieces of each sentence, and of each question in it."""
    clause: list[_Piece] = []
    for piece in pieces:
        asked = any(one.role == "asks" for one in clause)
        if piece.role == "asks" and asked and clause[-1].english in ("and", ","):
            joint = clause.pop()
            yield clause
            clause = [joint]
        clause.append(piece)
        if not piece.role and _ENDS.search(piece.english):
            yield clause
            clause = []
    yield clause


def _ordered(clause: Sequence[_Piece]) -> Sequence[_Piece]:
    """A clause with its pieces in English order."""
    clause = list(clause)
    for n in [n for n, piece in enumerate(clause) if n and piece.role == "behind"]:
        clause[n - 1 : n + 1] = clause[n], clause[n - 1]
    asked = next((one for one in clause if one.role == "asks"), None)
    if not asked:
        return clause
    leads = [one for one in clause[:1] if one.english == "and"]
    deeds = [one for one in clause if one.role == "deeds"][:1]
    helps, news = ([one for one in clause if one.role == role][:1] for role in ("helps", "news"))
    rest = [one for one in clause if one not in (asked, *leads)]
    if asked.english != "who" or not deeds:
        is_past = not any(one.english in ("did", "will") for one in helps)
        if asked.english in ("when", "why") and (deeds or not helps) and is_past:
            helps, rest = [_Piece("was")], [one for one in rest if one not in helps]
        elif news and asked.english == "what":
            helps = helps or [_Piece("is")]
        elif not news:
            helps = []
        return [*leads, asked, *helps, *news, *(one for one in rest if one not in (*helps, *news))]
    order = [one for one in rest if one.role == "order"][:1]
    times = [one for one in rest if one.role == "times"]
    others = [one for one in rest if one not in (*order, *deeds, *times) and one.role != "helps"]
    return [*leads, asked, *order, *deeds, *others, *times]


def _folded(text: str) -> str:
    """A text in small letters without accents, letter for letter."""
    return text.lower() if text.isascii() else "".join(map(_plain, text))


@cache
def _plain(letter: str) -> str:
    return (unaccented(letter.lower()) or letter)[0] if letter < "\u3000" else letter


@cache
def _tables() -> Mapping[str, Mapping[str, _Piece]]:
    """Of each language, what its phrases are, with their accents and, where no other is so, without them."""
    table = json.loads(files("bot.ask").joinpath("languages.json").read_text("utf-8"))
    found: dict[str, dict[str, _Piece]] = {}
    for name, roles in table.items():
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
    for name in sorted(_tables().keys() - dict(_SCRIPTS)):
        every = {word for phrase in _tables()[name] for word in phrase.split()}
        own = every - listed_words() - lists()["name parts"]
        found[name] = own, tuple(word[:-1] for word in own if word.endswith("*")), every
    return found


@cache
def _phrases(language: str) -> tuple[re.Pattern[str], Sequence[_Piece]]:
    """What finds the longest phrase of a language, an empty group behind each, and what these are in their order."""
    table, is_spaced = _tables()[language], language not in dict(_SCRIPTS)
    gap, end = (r"\s+", r"(?![\w/@#]|['’.-]\w)") if is_spaced else (r"\s*", "")
    signs = ((r"\ ", gap), (r"\*", r"\w*"), (r"\#", _DATE), (r"\~", r"(?!\w)"))
    opens: dict[str, list[str]] = {}
    for phrase in sorted({_folded(phrase) for phrase in table}, key=lambda phrase: (-len(phrase), phrase)):
        opens.setdefault(phrase[0], []).append(phrase)
    written = []
    for first, some in opens.items():
        rest = (re.escape(phrase[1:]) + ("" if phrase[-1] in "'*" else end) for phrase in some)
        written.append(f"{first}(?:{'|'.join(f'{one}()' for one in rest)})")
    pattern = reduce(lambda said, sign: said.replace(*sign), signs, "|".join(written).replace("#(?:", r"\#(?:"))
    before = r"(?<![\w/@#.-])" if is_spaced else ""
    return re.compile(f"{before}(?:{pattern})"), [table[phrase] for some in opens.values() for phrase in some]
