"""A text taken apart: its own words, what it quotes, its code, numbers, references, dates, stems. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import NamedTuple

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?)"
)
_QUOTED = re.compile(r"“([^“”]*)”|(?<![\w\"])\"([^\"\n]+)\"(?![\w\"])")
_CODE = re.compile(r"`([^`\n]+)`")
# "12 Nov 2024", "7 and 8 Nov", "Nov 12", "2024-11-12"
_DATE = re.compile(
    rf"\b(?P<a>\d{{1,2}})(?:\s+and\s+(?P<b>\d{{1,2}}))?\s+(?P<m>{_MONTH})\b(?:\.(?=\s+[a-z\d(]))?(?:\s+(?P<y>\d{{4}}))?|"
    rf"\b(?P<m2>{_MONTH})\s+(?P<a2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<y2>\d{{4}}))?|"
    r"\b(?P<iso>\d{4}-\d{2}-\d{2})\b"
)
_DAY_ALONE = re.compile(r"\bon (?P<day>\d{1,2})(?=[,;.)]|\s+and\b|\s*$)")  # "v1 on 9 Aug, v2 on 11"
_MONTH_ALONE = re.compile(rf"\b{_MONTH}\b(?:\s+\d{{4}})?")
REFERENCE = re.compile(r"(?<![\w/.-])(?:[\w.-]+/[\w.-]+)?#\d+(?!\w)")
SHA = re.compile(r"(?<![\w#])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?!\w)")
_NUMBER = re.compile(
    r"(?<![\w#.])(?<![A-Za-z]-)v?[<>~≈]?(?P<number>\d+(?:[.,:]\d+)*)"
    r"[ \u00a0\u202f-]?(?P<unit>%|[A-Za-zµμ×]+(?:/[A-Za-z]+)?)?"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_WORD = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

# Units that may stand behind a number, by the form in which they are compared; capitals count, Mb is not MB.
_UNITS = {
    "%": "% percent pct", "x": "x X × times fold", "s": "s sec secs second seconds",
    "ms": "ms msec millisecond milliseconds", "µs": "µs μs us usec microsecond microseconds", "ns": "ns nsec",
    "min": "min mins minute minutes", "h": "h hr hrs hour hours", "B": "B byte bytes", "bit": "bit bits",
    "kB": "kB KB kb", "KiB": "KiB", "MB": "MB mb megabyte megabytes", "MiB": "MiB",
    "GB": "GB gb gigabyte gigabytes", "GiB": "GiB gib", "TB": "TB tb", "TiB": "TiB", "Mbps": "Mbps Mb/s",
    "Gbps": "Gbps Gb/s gbps", "MB/s": "MB/s MBps", "GB/s": "GB/s GBps", "GiB/s": "GiB/s", "TB/s": "TB/s TBps",
    "Hz": "Hz", "kHz": "kHz KHz", "MHz": "MHz", "GHz": "GHz", "K": "K k", "M": "M", "TFLOPS": "TFLOPS TFLOP/s TFLOPs",
    "QPS": "QPS qps", "TPS": "TPS tps", "tokens/s": "tokens/s tok/s",
}  # fmt: skip
UNITS: dict[str, str] = {form: unit for unit, forms in _UNITS.items() for form in forms.split()}


class Number(NamedTuple):
    """A number without its commas, its unit as UNITS has it or "", both as written, and where they begin."""

    value: str
    unit: str
    written: str
    at: int


class Parts(NamedTuple):
    """A text's own words, with a sign in the place of what it quotes and of code, which follow."""

    own: str
    quoted: tuple[str, ...]
    code: tuple[str, ...]


def parts_of(text: str) -> Parts:
    quoted = tuple(one or other for one, other in _QUOTED.findall(text))
    rest = _QUOTED.sub(" \ufffc ", text)
    return Parts(_CODE.sub(" \ufffd ", rest), quoted, tuple(_CODE.findall(rest)))


def dates_of(text: str) -> Iterator[tuple[int, int, int | None]]:
    """Day, month, and the year if it is given, of each date of a text."""
    for match in _DATE.finditer(text):
        if match["iso"]:
            year, month, day = map(int, match["iso"].split("-"))
            yield day, month, year
            continue
        month = _MONTHS.index((match["m"] or match["m2"])[:3].lower()) + 1
        year_given = match["y"] or match["y2"]
        for given in filter(None, (match["a"], match["b"], match["a2"])):
            yield int(given), month, int(year_given) if year_given else None
        following = _DATE.search(text, match.end())
        for alone in _DAY_ALONE.finditer(text, match.end(), following.start() if following else len(text)):
            yield int(alone["day"]), month, None


def without_dates(text: str) -> str:
    """The text with spaces in the place of its dates."""
    patterns = (_DAY_ALONE, _DATE, _MONTH_ALONE) if _DATE.search(text) else (_MONTH_ALONE,)
    for pattern in patterns:
        text = pattern.sub(_blank, text)
    return text


def without_references(text: str) -> str:
    return REFERENCE.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def numbers_of(text: str) -> Iterator[Number]:
    """The numbers of a text, without the digits of names, references and dates."""
    for match in _NUMBER.finditer(text):
        written, unit, end = match["number"], UNITS.get(match["unit"] or "", ""), match.end("number")
        after = text[end : end + 1]
        if (after.isalpha() or after == "_") and not unit:
            continue  # "3D", "0x1f"
        value = written.replace(",", "") if _THOUSANDS.fullmatch(written) else written
        yield Number(value.rstrip(",:"), unit, match[0].strip() if unit else written, match.start("number"))


def is_rounding(short: str, long: str) -> bool:
    """Whether a number is a longer one, rounded: 1.89 of 1.888514757156372."""
    places = len(short.partition(".")[2])
    if not places or len(long.partition(".")[2]) < places + 2:
        return False
    try:
        return round(Decimal(long), places) == Decimal(short)
    except InvalidOperation:  # a version, or the time of a clock
        return False


def compact(text: str) -> str:
    """Its letters and digits in small letters: "non-contiguous", "nonContiguous" and "non_contiguous" are one."""
    return "".join(sign for sign in text.lower() if sign.isalnum())


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """What a word and its forms have in common, as far as five letters tell."""
    word = word.lower().partition("'")[0].partition("’")[0]
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 2 and not word.endswith("ss"):
            word = word.removesuffix(ending)
            break
    return word[:5]


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, those of names apart: "loadStateDict" is three."""
    return [word.lower() for word in _WORD.findall(CAMEL.sub(" ", text.replace("_", " ")))]


def folded(text: str) -> str:
    """A text by which quotations are compared."""
    return " ".join(re.sub(r"[“”„\"`*‘’']", "", text).casefold().split())
