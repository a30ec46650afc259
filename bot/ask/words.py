"""What somebody typed, as words, and the closed lists that say what words carry. Pure.

The lists are data, in words.json: a class, and the phrases of it. `split_words` makes the words; each pass of the
reading then takes those it understands, and says in `Word.taken` what for. What nobody takes is unread.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import unescape
from importlib.resources import files
from string import ascii_lowercase
from typing import Any
from unicodedata import normalize

from rapidfuzz.distance import OSA

from bot.month.calendar import NAMES

_MERGE_REQUEST = re.compile(r"(^|[\s(]|[\w.-]{1,100}/[\w.-]{1,100})!(?=\d)")  # !12, acme/web!12, as GitLab writes them
_ADDRESS = re.compile(r"<mailto:([^|>]+)(?:\|[^>]*)?>", re.IGNORECASE)
_LINK = re.compile(r"<(https?://[^|>]+)(?:\|[^>]*)?>", re.IGNORECASE)
_PAGE = re.compile(
    r"https?://[^/\s]+/([\w.-]+/[\w.-]+?)(?:\.git)?(?:/(?:-/)?(commit|pull|issues|merge_requests)/(\w+)[^\s,;!)]*)?"
    r"/?(?=[\s,;:?!)]|$)",
    re.IGNORECASE,
)
_UNSEEN = re.compile(
    "[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ue000-\uf8ff\x00-\x08\x0b-\x1f\x7f-\x9f]"
)
_CHANNEL = re.compile(r"<[#!][^>]*>")
_EMOJI = re.compile(r"(?<![\w:]):[a-z][a-z0-9_+-]*:(?![\w:])")
_FENCED = re.compile(r"```.*?(?:```|$)", re.DOTALL)
_CITED = re.compile(r"^\s*>.*$", re.MULTILINE)
_COMMAND = re.compile(r"^\s*/(?:almanac\b\s*)?(?=\w|$)", re.IGNORECASE)
_QUOTE = re.compile(
    r"[\"“”„][^\"“”„]{1,200}[\"“”]|`[^`\n]{1,200}`|(?<!\w)'[^'\n]*? [^'\n]{1,200}'(?!\w)|(?<=\s)'\w[\w.-]+'(?!\w)"
)
_WORD = re.compile(r"<@[^<>\s]*>(?:['’][sS]\b)?|[^\s\u200b,;?!()\"“”„|¿¡、。]+")
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_EDGES = "*_~`'’‘.-–—…<>[]{}«»:"
_OWNED = re.compile(r"(?<=\w)['’]s?$|(?<=\w\w)的$", re.IGNORECASE)
_MONTH = "|".join(sorted({part for name in NAMES for part in (name, name[:3], name[:4])}, key=len, reverse=True))
_PARTED = re.compile(r"(?<=[a-z]{2})(?=\d+$)", re.IGNORECASE)  # sha1
_HALF, _JOINT = "\u200b", "\u200b-\u200b"  # nothing typed holds this, see _UNSEEN
# What is one word to the eye and two to the reading: aug2025, jun–aug, Jul-2024, 6-20, 20.07.-26.07., q1-q2, 2.4..2.5
_HALVES = (
    (re.compile(rf"\b({_MONTH})(?=['’]?\d)", re.IGNORECASE), rf"\1{_HALF}"),
    (re.compile(rf"\b({_MONTH}|(?<![\w./-])\d{{4}})[-–/](?=(?:{_MONTH})\b|\d{{4}}\b)", re.IGNORECASE), rf"\1{_JOINT}"),
    (re.compile(r"(?<![\w./-])(\d\d?)[-–](?=\d\d?(?![\w-]|\.\d))"), rf"\1{_JOINT}"),
    (re.compile(r"(\d{4}|\d\.|\b[qh]\d)[-–](?=\d\d?[/.]\d|[qh]\d\b)", re.IGNORECASE), rf"\1{_JOINT}"),
    (re.compile(r"(?<=\w)\.\.(?=\w)"), f"{_HALF}..{_HALF}"),
    (re.compile(r"(?<=[^\W\d])([&+])(?=[^\W\d]+(?!\w))"), r" \1 "),
    (re.compile(rf"(?<=[A-Za-z])(?=[{_CJK}])|(?<=[A-Za-z]\d)(?=[{_CJK}])|(?<=[{_CJK}])(?=[A-Za-z0-9])"), " "),
)
_ENDS = re.compile("[!?;\n…\u2600-\u27bf\U0001f300-\U0001faff]|\\.\\.")


@dataclass(slots=True)
class Word:
    """A word of a question: `raw` as typed, without its edges and a possessive; `low` the same in small letters.

    `before` is the text between it and the word before; "" where the two are one word to the eye ("aug2025", "what's";
    of the latter the first word has all that was typed).
    `taken` is what it was understood as, "" as long as nothing took it. Words in one pair of quotation marks or
    backticks have the same `quote`, others 0.
    """

    raw: str
    low: str
    before: str
    taken: str = ""
    is_owner: bool = False  # "grace's"
    is_handle: bool = False  # "@ghopper"
    sentence: int = 0
    quote: int = 0


def cleaned(text: str) -> str:
    """The text without what Slack puts around addresses, links and channels, without code blocks and what it cites of
    others (unless that is all of it), and without the command that it was typed behind."""
    text = _ADDRESS.sub(r" \1 ", normalize("NFKC", _UNSEEN.sub("", text)))
    text = _MERGE_REQUEST.sub(r"\1#", text)
    text = _PAGE.sub(_of_page, _LINK.sub(r" \1 ", text))
    text = unescape(_EMOJI.sub(" … ", _CHANNEL.sub(" ", text)))
    own = _CITED.sub(" ", _FENCED.sub(" ", text))
    return _COMMAND.sub("", own if re.search(r"\w", own) else text).strip()


def _of_page(page: re.Match[str]) -> str:
    """The repository, the commit or the number that a page of a forge is of."""
    repository, what, which = page.groups()
    return which if what and what.lower() == "commit" else f"{repository}#{which}" if what else repository


def split_words(text: str) -> list[Word]:
    """The words of a text that is `cleaned`."""
    for pattern, halves in _HALVES:
        text = pattern.sub(halves, text)
    quotes = [match.span() for match in _QUOTE.finditer(text)]
    words: list[Word] = []
    last, sentence = 0, 0
    for match in _WORD.finditer(text):
        start, end = _within(match)
        if start >= end:
            continue
        typed, gap = text[start:end], text[last:start].replace(_HALF, "")
        quote = next((n for n, (begins, ends) in enumerate(quotes, 1) if begins <= start < ends), 0)
        if not re.search(r"[\w&+*]", typed) or (typed.casefold() in lists()["adverbs"] and not quote):
            continue  # what it stands between are one phrase: "was actually in it"
        sentence += bool(words) and _is_end(gap, words[-1], text[start:])
        ends_quote = quote and quotes[quote - 1][1] == match.end()  # 'of this'
        opens = not words or words[-1].sentence != sentence or "," in gap or words[-1].low in lists()["before not"]
        meant = _contracted(typed)
        if opens and _is_asked(meant, text[match.end() :]):  # "didn't the cache get dropped?" asks no other
            meant = meant[:1]
        if meant:
            words += [Word("", low, "", sentence=sentence, quote=quote) for low in meant]
            words[-len(meant)].raw, words[-len(meant)].before = typed, gap
        else:
            is_mention, is_handle = typed.startswith("<@"), typed[0] == "@" and len(typed) > 1
            said = typed if is_mention else text[start : match.end()].rstrip("*_`~.-")
            raw = typed.partition(">")[0] + ">" if is_mention else _OWNED.sub("", typed)
            is_owner = (
                not ends_quote and (re.search(r"['’]s?$", said) if is_mention else _OWNED.search(said)) is not None
            )
            low = raw.lstrip("@").casefold().replace("’", "'")
            words.append(Word(raw, low, gap, "", is_owner, is_handle, sentence, quote))
        last = end
    return words


def as_typed(words: Sequence[Word]) -> str:
    """Some words of a text as they stand in it, with their quotation marks."""
    said = "".join(word.before + word.raw + "'s" * word.is_owner for word in words)
    before, last = next(word.before for word in words if word.raw), words[-1].quote
    closing = next((word.before[-1:] for word in words if last and word.quote == last), "")
    closing += ")" * (said.removeprefix(before).count("(") > said.count(")"))
    return f"{before[-1:] if words[0].quote else ''}{said.removeprefix(before)}{closing}"


def _within(match: re.Match[str]) -> tuple[int, int]:
    """Where a word begins and ends without what only surrounds it; the dot of .github and __ of __init__ stay."""
    said = match[0]
    if said.startswith("<@") and ">" in said:
        return match.span()
    inner = said.strip(_EDGES)
    if not inner:
        return match.start(), match.start()
    at = said.index(inner)
    start, end = match.start() + at, match.start() + at + len(inner)
    lead, tail = said[:at], said[at + len(inner) :]
    if lead.endswith("__") and "__" in inner + tail:
        return start - 2, end + 2 * tail.startswith("__")
    if lead.endswith("_") and "_" not in tail and "." in inner:  # _reloader.py
        return start - 1, end
    if lead in (".", "*.", "'", "’") and (lead[0] in ".*" or re.fullmatch(r"\d\d", inner)):
        start -= len(lead)
    return start, end


def _is_end(gap: str, before: Word, rest: str) -> bool:
    """Whether a sentence ends in the text between two words."""
    if _ENDS.search(gap):
        return bool(re.search(r"\s", gap))
    if re.match(r"\.\W*\s", gap):
        is_long = len(before.raw) > 2 and before.low not in lists()["abbreviated"]
        return is_long and (rest[0].isupper() or before.low.isalpha())
    return re.match(r"\s+[-–—]\s", gap) is not None and rest.partition(" ")[0].casefold() in lists()["opens"]


def _contracted(typed: str) -> list[str]:
    """ "what's" as "what" and "is"; nothing where a word is one."""
    low = typed.casefold().replace("’", "'")
    if meant := tables()["contracted"].get(low):
        return meant.split()
    for ending, meant in tables()["endings"].items():
        base = low.removesuffix(ending)
        if base not in (low, "") and (ending != "'s" or base in lists()["is behind"]):
            return [base, meant]
    return []


def _is_asked(said: Sequence[str], rest: str) -> bool:
    """Whether "isn't" and the like begin a question, which their subject follows; not "wasn't sure"."""
    subject = re.match(r"[\s\W]*([\w'-]*)", rest)
    is_not = len(said) == 2 and said[1] == "not" and said[0] in lists()["before subject"]
    low = subject[1].casefold() if subject else ""
    is_other = said[:1] not in (["do"], ["have"]) and low not in lists()["generic"] | {""}
    return is_not and (is_other or low in lists()["behind not"])


@cache
def tables() -> Mapping[str, Mapping[str, str]]:
    """The tables of words.json that give another word for a word."""
    found: Mapping[str, Mapping[str, str]] = written()["tables"]
    return found


@cache
def lists() -> Mapping[str, frozenset[str]]:
    """The lists of single words that a pass looks for, by their names."""
    return {name: frozenset(words) for name, words in {**written()["words"], "made": tables()["made"]}.items()}


@dataclass(frozen=True, slots=True)
class _Phrase:
    """What one line of a list stands for, up to twenty thousand phrases: of "in|part_of a|any tag|-" one of what is
    between bars, `_` a space and `-` nothing. At each place stands one of some words, several words, or nothing."""

    classes: frozenset[str]  # with their groups
    places: Sequence[tuple[frozenset[str], Sequence[tuple[str, ...]], bool]]
    firsts: frozenset[str]  # the words that it may begin with
    later: frozenset[str | None]  # and those that may stand behind the first; None where one word can be all

    @classmethod
    def of(cls, line: str, classes: frozenset[str]) -> _Phrase:
        places = []
        for written in line.split() if "|" in line else [line]:
            said = [_lows(one.replace("_", " ")) for one in written.split("|") if one != "-"]
            single = frozenset(one[0] for one in said if len(one) == 1)
            places.append((single, [one for one in said if len(one) > 1], len(said) < written.count("|") + 1))
        behind = {word for _, several, _ in places for one in several for word in one[1:]}
        begins = [single.union(one[0] for one in several) for single, several, _ in places]
        required = [n for n, (*_, may_lack) in enumerate(places) if not may_lack]
        firsts = frozenset().union(*begins[: required[0] + 1 if required else None])
        is_word = len(required) <= 1 and all(places[n][0] for n in required)
        return cls(classes, places, firsts, frozenset(behind.union(*begins[1:], [None] if is_word else [])))

    def ends(self, lows: tuple[str, ...], start: int) -> set[int]:
        """Where it may end if it begins at `start`."""
        reached = {start}
        for single, several, may_lack in self.places:
            after = set(reached) if may_lack else set[int]()
            for at in reached:
                if at < len(lows) and lows[at] in single:
                    after.add(at + 1)
                after.update(at + len(one) for one in several if lows[at : at + len(one)] == one)
            if not after:
                return after
            reached = after
        return reached - {start}


def _lows(phrase: str) -> tuple[str, ...]:
    is_plain = phrase.replace(" ", "").isalpha() and phrase not in tables()["contracted"]
    return tuple(phrase.split() if is_plain else (word.low for word in split_words(phrase)))


@cache
def _phrases() -> Mapping[str, Sequence[_Phrase]]:
    """The lines of the lists, by the words that they may begin with."""
    classes: dict[str, set[str]] = {}
    for name, lines in (*written()["phrases"].items(), ("action", tables()["actions"])):
        for line in lines:
            classes.setdefault(line, set()).add(name)
    found: dict[str, list[_Phrase]] = {}
    groups = written()["groups"].items()
    for line, names in classes.items():
        phrase = _Phrase.of(line, frozenset(names | {group for group, of in groups if not names.isdisjoint(of)}))
        for word in phrase.firsts:
            found.setdefault(word, []).append(phrase)
    return found


def phrases_at(lows: tuple[str, ...], start: int) -> Mapping[int, frozenset[str]]:
    """The classes, with their groups, of the phrases that begin at one of some words in small letters, by where they
    end."""
    found: dict[int, frozenset[str]] = {}
    following = lows[start + 1] if start + 1 < len(lows) else None
    for phrase in _phrases().get(lows[start], ()):
        if following in phrase.later or None in phrase.later:
            for end in phrase.ends(lows, start):
                found[end] = found.get(end, frozenset()) | phrase.classes
    return found


def classes_of(word: str) -> frozenset[str]:
    """The classes that a word has by itself."""
    return phrases_at((word,), 0).get(1, frozenset())


def content_of(words: Iterable[str], but: Collection[str] = ()) -> list[str]:
    """Those of some words in small letters that say anything of a change which somebody describes, each once."""
    said = dict.fromkeys(part.casefold() for word in words for part in re.findall(r"[^\W_]+", word))
    passed = {name: frozenset(some) for name, some in written()["passed over"].items()}
    kept = (one for one in said if one not in but and one not in passed["words"] and len(one) > one.isdigit() * 2)
    return [one for one in kept if classes_of(one).isdisjoint(passed["classes"])]


@cache
def listed_words() -> frozenset[str]:
    """Every word that stands in a list."""
    behind = {word for some in _phrases().values() for one in some for word in one.later if word}
    return frozenset(behind.union(_phrases(), *lists().values()))


def slip(word: str) -> str:
    """The one listed word that one letter, or a swap of two, separates from a word; "" where none does."""
    near = {one for some in _without_a_letter(word[:20]) for one in _correct().get(some, ())}
    meant = {one for one in near if OSA.distance(word, one) <= 1 and _is_slip(word, one)}
    return meant.pop() if len(meant) == 1 else ""


def _is_slip(word: str, meant: str) -> bool:
    swapped = sorted(word) == sorted(meant)
    if meant not in lists()["slips"]:  # of any other one is missing, or inside too much: "coding" is no "coming"
        ending = len(word) != len(meant) and (word[0], word[-1]) == (meant[0], meant[-1])
        return swapped or meant.startswith(word) or ending
    return swapped or (meant[0] == word[0] and max(len(word), len(meant)) > 4)


def respelled(topic: str) -> str:
    """A topic as titles may have it too: joined words parted and parted ones joined (sha1, sha-1), short ones whole."""
    whole = [tables()["short"].get(word.casefold(), word) for word in topic.split()]
    return " ".join(one.replace("-", "") if one.count("-") == 1 else _PARTED.sub("-", one) for one in whole)


def apart(topic: str) -> list[str]:
    """The alternatives of a topic that differ in more than spelling, of which the first stands for all."""
    some = topic.split(" OR ")
    return [one for n, one in enumerate(some) if one not in map(respelled, some[:n])]


def one_letter_off(word: str) -> set[str]:
    """What one letter, or a swap of two, separates from a word, with its first letter."""
    halves = [(word[:n], word[n:]) for n in range(1, len(word) + 1)]
    swapped = {f"{a}{b[1]}{b[0]}{b[2:]}" for a, b in halves if len(b) > 1}
    more = {f"{a}{letter}{b[lost:]}" for a, b in halves for letter in ascii_lowercase for lost in (0, 1)}
    return (swapped | more | {a + b[1:] for a, b in halves}) - {word}


@cache
def _correct() -> Mapping[str, Sequence[str]]:
    """What a slip may be meant for, by all that it and a slip of it may have left when each lacks a letter."""
    long = {word for word in listed_words() if len(word) > 4 and word.isascii() and word.isalpha()}
    found: dict[str, list[str]] = {}
    for word in long | lists()["slips"]:
        for some in _without_a_letter(word):
            found.setdefault(some, []).append(word)
    return found


def _without_a_letter(word: str) -> set[str]:
    return {word, *(word[:n] + word[n + 1 :] for n in range(len(word)))}


@cache
def written() -> Mapping[str, Mapping[str, Any]]:
    data: Mapping[str, Mapping[str, Any]] = json.loads(files("bot.ask").joinpath("words.json").read_text("utf-8"))
    return data
