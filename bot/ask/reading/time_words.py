"""The words of a text as the table of times knows them: months as "m08", weekdays as "d2", other languages in English.

Pure.
"""

from __future__ import annotations

import re

from bot.ask.reading.month_words import DOUBTFUL, ENGLISH_MONTHS, month_number
from bot.ask.reading.vocabulary import words_of
from bot.ask.reading.words import Text
from bot.month.people import unaccented

_MANY = """
last: letzte letzten letzter letztem vergangene vergangenen vorige vorigen afgelopen forra sidste zeszlym ubieglym
last: прошлом прошлой
xlast: dernier derniere pasado pasada passado passada scorso scorsa
this: diese diesen dieser diesem ce cette este esta questo questa deze denna tym этом этой
month: monat monats mois mes mese maand manaden manad miesiacu месяце
week: woche semaine semana settimana vecka veckan tygodniu неделе uge
quarter: quartal trimestre kwartaal kwartal
year: jahr jahres annee ano anno jaar
yesterday: gestern hier ayer ontem ieri gisteren wczoraj igar вчера 昨天 昨日 어제
today: heute aujourd'hui hoy hoje oggi vandaag dzisiaj idag сегодня 今天 今日 오늘
since: seit depuis desde sinds sedan dal
to: bis hasta ate tot thru through –  —
between: zwischen entre
until: till til
ago: back
past: trailing recent
previous: prior
next: coming following
"""
_ALIKE = {word: meant for line in _MANY.strip().splitlines() for meant, _, some in [line.partition(":")]
          for word in some.split()}  # fmt: skip
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAYS_ELSEWHERE = (
    "montag lundi lunes lunedi maandag", "dienstag mardi martes martedi dinsdag", "mittwoch mercredi miercoles",
    "donnerstag jeudi jueves giovedi donderdag", "freitag vendredi viernes venerdi vrijdag", "samstag samedi sabado",
    "sonntag dimanche domingo zondag",
)  # fmt: skip
_WEEKDAYS = {form: number for number, day in enumerate(_DAYS, 1) for form in (day, f"{day}s", day[:3])} | {
    word: number for number, days in enumerate(_DAYS_ELSEWHERE, 1) for word in days.split()
}
_WEEKDAYS = {word: number for word, number in _WEEKDAYS.items() if word not in ("sun", "sat", "wed")} | {
    "tues": 2, "thur": 4, "thurs": 4,
}  # fmt: skip
_NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_COUNTS = {word: number for number, word in enumerate(_NUMBERS, 1)} | {
    "couple": 2,
    "few": 3,
    "thirty": 30,
    "ninety": 90,
}
_TH = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_ORDINALS = {word: number for number, word in enumerate(_TH.split(), 1)}
_PART = re.compile(r"[^\W\d_]+")
_CJK_MONTHS = {"十月": "10月", "十一月": "11月", "十二月": "12月"} | {
    f"{sign}月": f"{number}月" for number, sign in enumerate("一二三四五六七八九", 1)
}
_CJK = {"上个月": " last month ", "上個月": " last month ", "先月": " last month ", "지난달": " last month ",
        "这个月": " this month ", "這個月": " this month ", "今月": " this month ", "이번달": " this month ",
        "上周": " last week ", "先週": " last week ", "지난주": " last week ", "昨天": " yesterday ",
        "昨日": " yesterday ", "今天": " today "}  # fmt: skip

LEADS = words_of(
    """
    in for of during since from until to between last this next about around early late mid month im en em au
    seit vom von de depuis desde für pour para och und et and or w od do sedan från om van sinds per nel di del
    ad no na a à with than vs against through versus i v в с compare 's
    """
)
TIMELY = words_of(
    """
    digest digests summary recap report reports update release overview story month review round-up roundup post
    numbers changes fixes features commits work for please pls thanks thx ? bug bugs so far was is and to until
    through
    """
)


_NO_MONTH_BEFORE = words_of("i we you he she they it have has be not also ask well past through on know forward back")
_NO_MONTH_BEHIND = words_of("the a an to who which i we you he she they it that")
_RELEASES = words_of("release digest report summary recap notes")


def is_month(text: Text, number: int) -> bool:
    """Whether a word that is a month's name is one here: "may", "march" and "an august team" often are not."""
    low = text.words[number].low
    before, after = text.word(number - 1), text.word(number + 1)
    if low == "august" and before in ("an", "such", "most", "so", "very") and after and after not in TIMELY:
        return bool(month_number(after)) or after[:1].isdigit()
    if unaccented(low) not in DOUBTFUL:
        return True
    alone = len(text.words) == 1
    leads = text.words[number - 1].is_owner if number else False
    if alone or leads or after[:2] in ("19", "20") or (after[:1] in "'’" and after[1:].isdigit()):
        return True
    if after in _NO_MONTH_BEFORE and before not in ("in", "during"):
        return False
    if before == "the" and after in _RELEASES and not any(word.low in ("who", "who's") for word in text.words):
        return True  # "the march release"
    if low in ENGLISH_MONTHS and before in _NO_MONTH_BEHIND:
        return before == "to" or (before == "the" and not after and low != "may")
    if before in LEADS or before in ("and", ",") or month_number(before) is not None:
        return True
    if low not in ENGLISH_MONTHS:
        return after.startswith("ayı")  # "ekim ayında"
    if not after:
        return before not in ("will", "who")
    return (number == 0 and (after in TIMELY or after.isupper())) or after in ("digest", "release", "and", "to", "for")


def time_words(text: Text) -> tuple[str, list[int]]:
    """The text in the words of the table, and where each word begins. What is taken is "¤"."""
    parts, starts, at = list[str](), list[int](), 0
    for number, word in enumerate(text.words):
        gap = re.sub(r"\s+", " ", word.before) or (" " if parts else "")
        said = "¤" if word.taken else _as_known(text, number)
        starts.append(at + len(gap))
        piece = f"{gap}{said}{chr(39) + 's' if word.is_owner else ''}"
        parts.append(piece)
        at += len(piece)
    return "".join(parts), starts


def _as_known(text: Text, number: int) -> str:
    low = text.words[number].low
    plain = low if low.isascii() else unaccented(low)
    if plain in _WEEKDAYS:
        return f"d{_WEEKDAYS[plain]}"
    if plain in _COUNTS:
        return str(_COUNTS[plain])
    if plain in _ALIKE or low in _ALIKE:
        return _ALIKE.get(plain) or _ALIKE[low]
    if plain in _ORDINALS:
        return f"{_ORDINALS[plain]}th"
    if (named := month_number(low)) is not None:
        return f"m{named:02}" if is_month(text, number) else low
    if not low.isascii() and not low[0].isdigit():
        for written, meant in (*_CJK.items(), *sorted(_CJK_MONTHS.items(), key=lambda one: -len(one[0]))):
            low = low.replace(written, meant)
    if any(map(str.isdigit, low)) or "-" in low or "–" in low or "/" in low:
        return _compound(low)
    return low


def _compound(low: str) -> str:
    """ "aug2025" and "june–august" with the months in them, "2nd" with what it counts."""

    def known(part: re.Match[str]) -> str:
        named = month_number(part[0])
        return f"m{named:02}" if named else part[0]

    words = _PART.findall(low)
    months = [word for word in words if month_number(word)]
    if low.startswith(("mid-", "early-", "late-")):
        low, words = low.partition("-")[2], words[1:]
    if not months or (len(words) > len(months) and not any(map(str.isdigit, low))):
        return low.replace("–", "-")
    return _PART.sub(known, low).replace("–", "-").replace("/", "-" if len(months) > 1 else "/")
