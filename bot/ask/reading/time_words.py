"""The words of a text as the table of times knows them: "august" is "m8", "gestern" "1 day ago". Pure."""

from __future__ import annotations

import re

from bot.ask.reading.vocabulary import MEANT, month_number, words_of
from bot.ask.reading.words import Text
from bot.month.calendar import NAMES
from bot.month.people import unaccented

# What one word says in figures, put as "14 m8 y2025", "m8 y2025", "q3 2025" and "week 43 y2025"; "§" is behind what may
# be month and day as well as day and month.
_MONTH, _SURELY_DAY = r"(0?[1-9]|1[0-2])", r"(1[3-9]|[2-9]\d)"
_FIGURES = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (r"(\d{4})[-/.](1[3-9]|[2-3]\d)[-/.](\d\d?)", r"\2 m\3 y\1"),
        (r"(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?:t[\d.]+z?)?", r"\3 m\2 y\1"),
        (rf"{_MONTH}([/-]){_SURELY_DAY}\2(?:20)?(\d\d)", r"\3 m\1 y20\4"),
        (rf"{_MONTH}([/-]){_MONTH}\2(?:20)?(\d\d)", r"\1 m\3 y20\4 §"),
        (r"(\d\d?)([/-])(\d\d?)\2(?:20)?(\d\d)", r"\1 m\3 y20\4"),
        (r"(\d\d?)\.(\d\d?)\.(\d{4})", r"\1 m\2 y\3"),
        (r"(0[1-9]|[12]\d|3[01])\.(0[1-9]|1[0-2])\.(\d\d)", r"\1 m\2 y20\3"),
        (r"(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])", r"\3 m\2 y\1"),
        (r"(\d{4})[-/.](\d\d?)", r"m\2 y\1"),
        (r"(20\d\d)(0[1-9]|1[0-2])", r"m\2 y\1"),
        (r"(\d\d?)[-/.](\d{4})", r"m\1 y\2"),
        (r"(\d\d?)-(\d\d?)[/.](\d{4})", r"m\1 - m\2 y\3"),
        (r"(early|mid|late)-(\d{4})", r"\1 y\2"),
        (r"(\d{4})-?w(\d\d)", r"week \2 y\1"),
        (r"(\d{4})-?([qh]\d)", r"\2 \1"),
        (r"([qh]\d)[-/]?(\d{4}|'\d\d)", r"\1 \2"),
        (r"(\d)q-?(\d{4})", r"q\1 \2"),
        (r"([qh]\d)-([qh]\d)", r"\1 - \2"),
        (r"(\d+)(?:st|nd|rd|th)", r"\1th"),
        (r"(\d\d?)-(\d\d?)(?:st|nd|rd|th)?", r"\1 - \2"),
    )
)
# A day without its year is one only where a word before it says so: 3/4 may be a part, 3.10 a version.
_DAYS = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (rf"{_MONTH}/{_SURELY_DAY}", r"\2 m\1"),
        (rf"{_MONTH}/{_MONTH}", r"\1 m\2 §"),
        (rf"(\d\d?)/{_MONTH}", r"\1 m\2"),
        (r"(\d\d?)\.(0[1-9]|1[0-2])", r"\1 m\2"),
    )
)
_BEFORE_DAYS = {"on", "since", "until", "from", "to", "between", "and", "after", "before", "of", "am", "-"}
_CJK = {"上个月": " last month ", "上個月": " last month ", "先月": " last month ", "지난달": " last month ",
        "这个月": " this month ", "這個月": " this month ", "今月": " this month ", "이번달": " this month ",
        "上周": " last week ", "先週": " last week ", "지난주": " last week ", "昨天": " 1 day ago ",
        "昨日": " 1 day ago ", "今天": " this day ", "十一月": "11月", "十二月": "12月", "十月": "10月",
        **{f"{sign}月": f"{number}月" for number, sign in enumerate("一二三四五六七八九", 1)}}  # fmt: skip

LEADS = words_of(
    """
    in for of during since from until to between last this next about around early late mid month im en em au
    seit vom von de depuis desde für pour para och und et and or w od do sedan från om van sinds per nel di del
    ad no na a à with than vs against through versus i v в с compare 's
    """
)
_ENGLISH = {name[:length].lower() for name in NAMES for length in (3, len(name))} | {"sept"}
_SURE = _ENGLISH - {"mar", "march", "may"}  # the others are words, or people, as well
_TIMELY = words_of(
    """
    digest digests summary recap report reports update release overview story month review round-up roundup post
    numbers changes fixes features commits work for please pls thanks thx bug bugs so far was is and to until through
    """
)
_NO_MONTH_BEFORE = words_of("i we you he she they it have has be not also ask well past through on know forward back")
_NO_MONTH_BEHIND = words_of("the a an to who which i we you he she they it that")
_RELEASES = words_of("release digest report summary recap notes")


def is_month(text: Text, number: int) -> bool:
    """Whether a word that is a month's name is one here: "may", "march" and "an august team" often are not."""
    low = text.words[number].low
    before, after = text.word(number - 1), text.word(number + 1)
    if low == "august" and before in ("an", "such", "most", "so", "very") and after and after not in _TIMELY:
        return bool(month_number(after)) or after[:1].isdigit()
    if (
        low in _SURE
        or (low not in _ENGLISH and len(low) > 7)
        or len(text.words) == 1
        or (number and (before == "my" or text.words[number - 1].is_owner))
    ):
        return True
    if after[:2] in ("19", "20") or (after[:1] == "'" and after[1:].isdigit()):
        return True
    if after in _NO_MONTH_BEFORE and before not in ("in", "during"):
        return False
    if before == "the" and after in _RELEASES and not any(word.low in ("who", "who's") for word in text.words):
        return True  # "the march release"
    if low in _ENGLISH and before in _NO_MONTH_BEHIND:
        return before == "to" or (before == "the" and not after and low != "may")
    if before in LEADS or before in ("and", ",") or month_number(before) is not None:
        return True
    if low not in _ENGLISH:
        return before == "PERSON" or after.startswith("ayı")  # "ekim ayında"
    if not after:
        return before not in ("will", "who")
    return (number == 0 and (after in _TIMELY or after.isupper())) or after in ("digest", "release", "and", "to", "for")


def time_words(text: Text) -> tuple[str, list[int]]:
    """The text in the words of the table, and where each word begins. What is no word, or is taken, is "¤"."""
    return text.rendered("¤" if word.taken else _meant(text, number) for number, word in enumerate(text.words))


def _meant(text: Text, number: int) -> str:
    low = text.words[number].low
    plain = unaccented(low)
    if meant := MEANT.get(plain) or MEANT.get(low):
        return low if meant[0] == "m" and meant[1:].isdigit() and not is_month(text, number) else meant
    if len(low) == 1 or (low.isascii() and low.isalpha()):
        return low
    if not low.isascii():
        for written, said in _CJK.items():
            low = low.replace(written, said)
    if any(map(str.isdigit, low)):
        is_day = text.word(number - 1) in _BEFORE_DAYS
        for pattern, figures in (*_FIGURES, *(_DAYS if is_day else ())):
            if match := pattern.fullmatch(low):
                return match.expand(figures)
    return _compound(low)


def _compound(low: str) -> str:
    """ "aug2025" and "june–august" with the months in them; "¤" for what is neither that nor a plain word."""
    parts = re.split(
        r"[-–/]|(?<=[^\W\d_])(?=['’]?\d)", low.removeprefix("mid-").removeprefix("early-").removeprefix("late-")
    )
    months = [month_number(part) for part in parts]
    if any(months) and all(month or re.fullmatch(r"['’]?\d+", part) for month, part in zip(months, parts, strict=True)):
        if len(parts) == 2 and len(parts[1].strip("'’")) == 2 and "-" not in low:
            parts[1] = f"'{parts[1].strip(chr(39) + '’')}"  # "aug25" is of 2025
        said = [f"m{month}" if month else part for month, part in zip(months, parts, strict=True)]
        return (" - " if all(months) else " ").join(said)
    return low if re.fullmatch(r"[\w\s]+|'\d\d|[–—-]|.*[’'][a-z]+", low) else "¤"
