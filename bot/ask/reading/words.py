"""A text as words: without what Slack puts around them, spelled as was meant, each with what it was found to be.

Pure. What is looked for stands in tables. What was found is taken, and the rest can be looked at with the finds in
capitals: "what did PERSON do WHEN in REPO".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from unicodedata import normalize

from rapidfuzz import process
from rapidfuzz.distance import OSA

from bot.ask.reading.vocabulary import CONTRACTED, FILLER, KEYWORDS, month_number
from bot.month.calendar import NAMES

_ADDRESS = re.compile(r"<mailto:([^|>]+)(?:\|[^>]*)?>", re.IGNORECASE)
_LINK = re.compile(r"<(https?://[^|>]+)(?:\|[^>]*)?>", re.IGNORECASE)
_PAGE = re.compile(
    r"https?://[^/\s]+/([\w.-]+/[\w.-]+?)(?:\.git)?(?:/(?:-/)?(commit|pull|issues|merge_requests)/(\w+)[^\s,;!)]*)?"
    r"/?(?=[\s,;:?!)]|$)",
    re.IGNORECASE,
)
_UNSEEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ue000-\uf8ff]")
_CHANNEL = re.compile(r"<[#!][^>]*>")
_EMOJI = re.compile(r"(?<!\w):[a-z][a-z0-9_+-]*:(?!\w)")
_FENCED = re.compile(r"```.*?(?:```|$)", re.DOTALL)
_QUOTED = re.compile(r"^\s*(?:>|&gt;).*$|[\"“][^\"”]{40,}[\"”]", re.MULTILINE)
_LATIN_THEN_OTHER = re.compile(r"(?<=[A-Za-z0-9])(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])|"
                               r"(?<=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])(?=[A-Za-z0-9])")  # fmt: skip
_WORD = re.compile(r"<@[^<>\s]*>(?:['’][sS]\b)?|(?:[\w.-]+(?:/[\w.-]+)+|(?<!\w))!\d+(?!\w)|[^\s,;:?!()\"“”„|¿¡、。]+")
_DOTTED = re.compile(r"(?<![\w.])(\d\d?)\.(0?[1-9]|1[0-2])\.(?!\w)(\s?[-–])?")
# Where this stands, they are days and no versions at the ends of sentences.
_IS_DOTTED = re.compile(r"(?<![\w.])\d\d?\.(?:0[1-9]\.(?!\w)|1?\d\.(?:\s?[-–]|\s+[a-z]))|\b[Oo]n \d\d?\.1?\d\.(?!\w)")
_SHORT_YEAR = re.compile(r"['’]\d\d")
_EDGES = "*_~`'’‘.-…<>[]{}«»"
_OWNED = re.compile(r"(?<=\w)['’]s?$|(?<=\w\w)的$", re.IGNORECASE)
OTHER_SCRIPT = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def _of_page(page: re.Match[str]) -> str:
    """The repository, the commit or the number that a page of a forge is of."""
    repository, what, which = page.groups()
    return which if what and what.lower() == "commit" else f"{repository}#{which}" if what else repository


def unwrapped(text: str) -> str:
    """The text without what Slack puts around addresses, links and channels, and without its escapes."""
    text = _ADDRESS.sub(r" \1 ", normalize("NFKC", _UNSEEN.sub("", text)))
    text = _PAGE.sub(_of_page, _LINK.sub(r" \1 ", text))
    return unescape(_EMOJI.sub(" ", _CHANNEL.sub(" ", text)))


def asked_in(text: str) -> str:
    """The text without code blocks and what it quotes of others, unless that is all of it."""
    rest = _QUOTED.sub(" ", _FENCED.sub(" ", text))
    return rest if re.search(r"\w", rest) else text.replace("`", " ")


def _without_dots(text: str) -> str:
    """ "31.08." as "31 August"."""
    if not _IS_DOTTED.search(text):
        return text
    return _DOTTED.sub(lambda day: f"{day[1]} {NAMES[int(day[2]) - 1]}{' - ' if day[3] else ' '}", text)


@lru_cache(maxsize=8192)
def spelled(word: str) -> str:
    """What a word was meant to be that is one of KEYWORDS but for a slip, such as "ocotber"; else the word."""
    if word in CONTRACTED:
        return CONTRACTED[word]
    if word in FILLER or word in KEYWORDS or len(word) < 4 or not word.isalpha() or not word.isascii():
        return word
    slips = 1 if len(word) < 8 else 2
    near = process.extractOne(word, KEYWORDS, scorer=OSA.distance, score_cutoff=slips)
    if near is None or (len(word) == len(near[0]) == 4 and sorted(word) != sorted(near[0])) or near[0][0] != word[0]:
        return word
    return near[0]


@dataclass(slots=True)
class TypedWord:
    """`raw` is as typed, without its edges, `low` as it was meant; `taken` says what it was found to be."""

    raw: str
    low: str
    before: str  # what stands between it and the word before
    is_owner: bool = False  # "grace's"
    is_handle: bool = False  # "@ghopper"
    taken: str = ""
    opens: bool = True  # whether it is the first word of what was found

    @property
    def is_name_like(self) -> bool:
        return bool(self.raw) and any(map(str.isalpha, self.raw)) and self.low not in FILLER


class Text:
    """The words of a text. `is_name` tells which are never a slip, as somebody is called so."""

    def __init__(self, text: str, is_name: Callable[[str], bool]) -> None:
        self.words: list[TypedWord] = []
        self.assumed: list[str] = []
        last = 0
        text = re.sub(r"(?<=\w)&(?=\w)", " & ", _LATIN_THEN_OTHER.sub(" ", text))
        text = _without_dots(text)
        text = re.sub(r"(?<=\d{4})[-–](?=\d{1,2}[/.]\d{4})|(?<=\d)\.\.(?=v?\d)", " - ", text)
        for match in _WORD.finditer(text):
            raw = match[0].strip(_EDGES) or match[0]
            if match[0].startswith("<@"):
                raw = match[0].partition(">")[0] + ">"
            elif _SHORT_YEAR.fullmatch(match[0]):
                raw = f"'{match[0][1:]}"
            owned = (match[0] != raw and raw[:2] == "<@") or _OWNED.search(match[0].rstrip(_EDGES[:4] + "."))
            base = _OWNED.sub("", raw) if owned and raw[:2] != "<@" else raw
            name = next((base[:n] for n in range(min(len(base) - 1, 6), 1, -1) if is_name(base[:n])), "") if (
                OTHER_SCRIPT.search(base) and not is_name(base)) else ""  # fmt: skip
            if name:
                self.words.append(TypedWord(name, name, text[last : match.start()]))
                last = match.start() + len(name)
                base, owned = base[len(name) :].lstrip("的"), None
                if not base:
                    continue
            low = base.lstrip("@").casefold().replace("’", "'")
            meant = low if month_number(low) or is_name(low) else spelled(low)
            if meant != low and meant.title() in NAMES:
                self.assumed.append(f"reading “{base[:40]}” as {meant.title()}")
            self.words.append(
                TypedWord(base, meant, text[last : match.start()], bool(owned), raw.startswith("@") and len(raw) > 1)
            )
            last = match.end()
        self.tail = text[last:]
        self._low: tuple[str, list[int]] | None = None

    def rendered(self, said: Iterable[str]) -> tuple[str, list[int]]:
        """The text with what is said for each word, "" where the one before says it too, and where each begins."""
        parts, starts, at = list[str](), list[int](), 0
        for word, text in zip(self.words, said, strict=True):
            gap = re.sub(r"\s+", " ", word.before) or " " if parts else word.before.lstrip()
            starts.append(at + len(gap) if text or not starts else starts[-1])
            parts.append((f"{gap}{text}" if text else "") + ("'s" if word.is_owner else ""))
            at += len(parts[-1])
        return "".join([*parts, self.tail.rstrip()]), starts

    @property
    def low(self) -> str:
        """The text as it was meant, in small letters."""
        if self._low is None:
            self._low = self.rendered(word.low for word in self.words)
        return self._low[0]

    def between(self, start: int, end: int) -> tuple[int, int]:
        """The words that stand, in `low`, between two places."""
        starts = self._low[1] if self.low and self._low else []
        inside = [n for n, at in enumerate(starts) if at < end and at + len(self.words[n].low) > start]
        return (inside[0], inside[-1] + 1) if inside else (0, 0)

    def take(self, first: int, end: int, what: str) -> None:
        for number in range(first, end):
            self.words[number].taken, self.words[number].opens = what, number == first

    def is_free(self, first: int, end: int) -> bool:
        return not any(word.taken for word in self.words[first:end])

    def word(self, number: int) -> str:
        """A word in small letters; "" beyond the ends, and what was found in capitals."""
        if not 0 <= number < len(self.words):
            return ""
        return self.words[number].taken or self.words[number].low.rpartition(" ")[2]

    def skeleton(self) -> tuple[str, list[int]]:
        """The text with what was found in capitals, and where each word begins in it."""
        return self.rendered((one.taken if one.opens else "") if one.taken else one.low for one in self.words)

    def raw(self, numbers: list[int]) -> str:
        """Some of the words as they were typed."""
        parts = list[str]()
        for place, number in enumerate(numbers):
            word = self.words[number]
            gap = re.sub(r"\s+", " ", word.before) if place and numbers[place - 1] == number - 1 else " "
            parts.append((gap if place else "") + word.raw + ("'s" if word.is_owner else ""))
        return "".join(parts).strip()


_FORM = re.compile(
    r"[\s,]*\b(?:as|in|into|to|using|with)\s+(?:an?\s+)?(?P<form>markdown|md|brag[\s-]+doc(?:ument)?|html|json|csv|pdf|"
    r"excel|xlsx?|word|yaml|latex|powerpoint)(?:\s+(?:format|file|text|table|document|please|pls))*(?=\W*$|\s*[,.;])|"
    r"^\W*(?:and\s+|now\s+)?(?:(?:give|show|send)\s+(?:me\s+)?)?(?:the\s+)?(?P<alone>markdown|md)"
    r"(?:\s+(?:version|format|please|of\s+(?:that|this|it)))*\W*$",
    re.IGNORECASE,
)


def form_of(text: str) -> tuple[str, str | None]:
    """The text without the form that the answer is wanted in, and that form: "markdown", or one there is not."""
    match = _FORM.search(text)
    if not match:
        return text, None
    said = (match["form"] or match["alone"]).lower()
    form = "markdown" if said in ("markdown", "md") or said.startswith("brag") else said
    return f"{text[: match.start()]} {text[match.end() :]}".strip(), form
