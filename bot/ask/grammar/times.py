"""The forms in which people write a time → the months each of them is. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from bot.ask.grammar import long_times, readings
from bot.ask.grammar.month_words import SEASONS, TWO_MONTHS
from bot.ask.grammar.readings import COUNTED, NAME, NUMBERS, ORDINALS, Piece, Reading, Unclear, one_of
from bot.month.anycase import AnyCase
from bot.month.calendar import Month, MonthRange

YEAR = r"(?:19|20)\d{2}"
_NUMBER = rf"(?:\d{{1,3}}|{one_of(COUNTED)}|an?)"
_NEAR_YEAR = r"(?:last|previous|this|next|the\s+same)\s+year"
_YEAR_SAID = rf"(?:{YEAR}|['’]\d{{2}}|(?:of\s+)?{_NEAR_YEAR})"
_OF_YEAR = rf"(?P<year>the\s+year|{_NEAR_YEAR}|{YEAR})"
_BEFORE, _AFTER = r"(?<![\w@/#.<])(?<!\d-)", r"(?![\w@/]|[-.]\w)"
_LAST = r"(?:last|past|previous|prior|trailing|recent)"
_DAYS = (
    r"(?:days?|weeks?|weekends?|fortnights?|sprints?|hours?|mornings?|nights?|(?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)days?)"
)
_SEASON = one_of(SEASONS)
_ORDINAL = one_of(ORDINALS)

_POSSESSIVE = re.compile(r"['’]s\b")


def pieces_of(text: str, present: Month, context: MonthRange | None) -> list[Piece]:
    """Every time that is named, the first and longest reading of each. Raises ValueError where one cannot be."""
    found: list[Piece] = []
    taken = [False] * (len(text) + 1)
    said = summed_up(text)
    for form in FORMS:
        if not form.may_be_in(said):
            continue
        for match in form.pattern.any.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            try:
                piece = form.reading(match, present, context)
            except Unclear as unclear:
                unclear.span = match.span()
                raise
            if piece is None:
                continue
            end = match.end() + (len(s[0]) if (s := _POSSESSIVE.match(text, match.end())) else 0)
            found.append(replace(piece, end=end))
            taken[match.start() : end] = [True] * (end - match.start())
    found.sort(key=lambda piece: piece.start)
    for number, piece in enumerate(found[1:], 1):
        before = found[number - 1]
        if piece.steps and before.months.is_one:  # "compare august with the month before"
            month = before.months.first + piece.steps
            found[number] = replace(piece, months=MonthRange(month, month), floating=before.floating)
    return found


# Tried in this order; what one has taken, the next ones do not see. Before each stands what a text must have for it:
# words, or one of several, "9" for a digit and MONTH for a month's name. Most questions need few of the forms.
_TABLE: tuple[tuple[str, str, Reading], ...] = (
    # 2025-10-03, 3.10.2025, 3 October, October 3rd, October 3, 2025
    ("9", rf"{_BEFORE}(?P<year>\d{{4}})([-/.])(?P<number>\d{{1,2}})\2\d{{1,2}}(?:t[\d:.]+z?)?(?![\w-])", readings.day),
    ("9", rf"{_BEFORE}\d{{1,2}}([./-])\d{{1,2}}\1(?:\d{{4}}|\d{{2}})(?![\w-])", readings.day),
    ("9 MONTH", rf"{_BEFORE}(?:\d{{1,2}}(?:st|nd|rd|th)|"
        rf"\d{{1,2}}\.)\s+(?:of\s+)?(?P<name>{NAME})(?:,?\s+(?P<year>{YEAR}))?{_AFTER}",
     readings.day),
    ("9 MONTH",
     rf"{_BEFORE}\d{{1,2}}\.?\s+(?:de\s+)?(?P<name>{NAME})(?:\s+(?:de\s+)?(?P<year>{YEAR})|(?=\W*$|\s+(?:to|until|"
        rf"till|through|and|bis)\s)){_AFTER}",
     readings.day),
    ("9 MONTH",
     rf"{_BEFORE}(?P<name>{NAME})\.?\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)(?:,?\s+(?P<year>{YEAR}))?{_AFTER}",
     readings.day),
    ("9 MONTH", rf"{_BEFORE}(?P<name>{NAME})\.?\s+\d{{1,2}},?\s+(?P<year>{YEAR}){_AFTER}", readings.day),
    ("half|day|week",
     rf"\b(?:first|second|third|fourth|last|1st|2nd|3rd|4th)\s+(?:half|days?|weeks?)\s+of\s+(?:the\s+|(?:this|"
        rf"last)\s+)?"
     rf"(?:month|(?P<name>{NAME}))\b", readings.part_of_month),
    ("day|week|fortnight|sprint|hour|morning|night|heute|gestern|hui|ayer|ontem|gisteren|vandaag|woch|semaine|semana",
     rf"\b(?:{_LAST}|this|current|next|coming|every|each)\s+(?:{_NUMBER}\s+)?{_DAYS}\b|"
     rf"\b{_NUMBER}\s+{_DAYS}\s+ago\b|\b(?:since|until|till|on)\s+(?:yesterday|monday|tuesday|wednesday|"
     r"thursday|friday|saturday|sunday)\b|\byesterday\b|\btonight\b|"
     r"(?<!\bto )(?<!\btill )(?<!\buntil )(?<!\bthrough )(?<!\band )(?<!\bdate )(?<![-–—] )(?<![-–—])\btoday\b|"
     r"\b(?:heute|gestern|aujourd['’]hui|ayer|ontem|gisteren|vandaag|(?:diese|letzte|vorige|deze)\s+woche?k?|"
     r"(?:la\s+)?semaine\s+derni[eè]re|semana\s+pasada)\b", readings.day),
    # months by number
    ("9", rf"{_BEFORE}(?P<month>\d{{1,2}})\s*[-–]\s*(?P<month2>\d{{1,2}})[/.](?P<year>{YEAR})(?!\w|[-/.]\d)",
     readings.two_numbers),
    ("9", rf"{_BEFORE}(?P<year>\d{{4}})[-/.](?P<month>\d{{1,2}})(?!\w|[-/.]\d(?!\d{{3}}))", readings.numbers),
    ("9", rf"{_BEFORE}(?P<month>\d{{1,2}})[-/.](?P<year>{YEAR})(?!\w|[-/.]\d)", readings.numbers),
    ("9", r"(?<![\w#/.-])(?P<year>20\d{2})(?P<month>0[1-9]|1[0-2])(?![\w/.-])", readings.numbers),
    ("月|월", r"(?P<which>)(?P<year>\d{4})\s*[年년]\s*(?P<month>\d{1,2})\s*[月월]", readings.cjk),
    ("月|월", r"(?<![\d年년])(?P<year>)(?P<month>\d{1,2}|十[一二]?|[一二三四五六七八九])\s*[月월](?!\d)", readings.cjk),
    ("9 month", rf"\bmonth\s+(?P<month>\d{{1,2}})(?:\s+of\s+{_OF_YEAR})?(?![\w/.-])", readings.numbered),
    ("month", rf"\b(?:the\s+)?(?P<month>{_ORDINAL})\s+month\s+of\s+{_OF_YEAR}(?!\w)", readings.numbered),
    ("month",
     rf"\b(?:the\s+)?(?P<which>first|last|final)\s+(?:(?P<count>{_NUMBER})\s+)?months?\s+(?:of|in)\s+{_OF_YEAR}(?!\w)",
     long_times.months_of_year),
    # months by name
    ("MONTH", rf"{_BEFORE}(?P<name>{NAME})(?:\.?,?\s+(?:of\s+|in\s+|de\s+|del\s+)?|[-/.]|\s*)"
     rf"(?P<year>{_YEAR_SAID}){_AFTER}", readings.name_and_year),
    ("9 MONTH", rf"{_BEFORE}(?P<year>{YEAR})(?:['’]s)?[\s/-]+(?P<name>{NAME}){_AFTER}", readings.name_and_year),
    ("MONTH year", rf"\b(?P<year>{_NEAR_YEAR})(?:['’]s)?\s+(?P<name>{NAME}){_AFTER}", readings.name_and_year),
    ("MONTH", rf"\b(?P<which>last|past|previous|this|next|coming)\s+(?P<name>{NAME}){_AFTER}", readings.near_name),
    ("9 MONTH", rf"{_BEFORE}(?P<name>{NAME})(?:\.?\s+|[-/.]|)(?P<day>\d{{1,2}})(?![\w.:/%-])", readings.day_or_year),
    ("listopad", rf"{_BEFORE}(?P<name>{one_of(dict.fromkeys(TWO_MONTHS, 0))}){_AFTER}", readings.two_months),
    # quarters and halves
    ("9 q", rf"{_BEFORE}(?P<before>{YEAR})[\s/-]*q(?P<quarter>[1-4])(?P<year>)(?!\w)", long_times.quarter),
    ("9 q",
     rf"(?:(?<![\w/#-])|(?<=q[1-4]-))q(?P<quarter>[1-4])(?:[\s/-]*(?:of\s+|in\s+)?(?P<year>{_YEAR_SAID}))?(?!\w)",
     long_times.quarter),
    ("9 q", rf"(?<![\w/#-])(?P<quarter>[1-4])q[\s/-]*(?P<year>{_YEAR_SAID})(?!\w)", long_times.quarter),
    ("quarter", rf"\b(?P<quarter>first|second|third|fourth|1st|2nd|3rd|4th)\s+quarter(?:\s+(?:of\s+|in\s+)?"
     rf"(?:the\s+year|(?P<year>{_YEAR_SAID})))?(?!\w)", long_times.quarter),
    ("quarter",
     rf"\b(?P<quarter>last|final)\s+quarter\s+of\s+(?:the\s+year|(?P<year>{_YEAR_SAID}))(?!\w)", long_times.quarter),
    ("quarter",
     rf"\bquarter\s+(?P<quarter>[1-4]|{one_of(NUMBERS[:4])})(?:\s+(?:of\s+|in\s+)?(?P<year>{_YEAR_SAID}))?(?!\w)",
     long_times.quarter),
    ("9 q", r"\b(?:in|for|during|of|since)\s+q(?:[05-9]|\d\d+)(?!\w)", long_times.no_quarter),
    ("fy|fiscal|financial",
     r"\bfy\s*['’]?(?:20)?\d\d\b|\b(?:fiscal|financial)\s+(?:year|quarter|month)\b", long_times.fiscal),
    ("9 h", rf"{_BEFORE}(?P<before>{YEAR})[\s/-]*h(?P<half>[12])(?P<year>)(?!\w)", long_times.half),
    ("9 h", rf"(?<![\w/#-])h(?P<half>[12])[\s/-]*(?:of\s+)?(?P<year>{_YEAR_SAID})(?!\w)", long_times.half),
    ("9 h", r"(?:(?<=\bin )|(?<=\bfor )|(?<=\bduring )|(?<=\bsince )|(?<='s )|(?<=’s ))h(?P<half>[12])(?P<year>)(?!\w)",
     long_times.half),
    ("9 h", r"(?<!\bthe )(?<![\w/#-])h(?P<half>[12])(?P<year>)(?=\W*$)", long_times.half),
    ("half",
     rf"\b(?P<half>first|second|last|1st|2nd)\s+half(?:\s+of\s+(?:the\s+year|(?P<year>{YEAR}|{_NEAR_YEAR}))|(?=\W*$))"
     r"(?!\w)", long_times.half),
    # counted
    ("month|quarter|year",
     rf"\b(?P<which>{_LAST}|next|coming)\s+(?P<count>\d{{1,4}}|{one_of(COUNTED)})\s+(?:full\s+|whole\s+|calendar\s+|"
     r"complete\s+)?(?P<unit>months?|quarters?|years?)\b", long_times.counted),
    ("month|quarter|year",
     rf"\b(?P<count>\d{{1,4}}|{one_of(COUNTED)})\s+(?P<which>last|past|previous|most\s+recent)\s+(?P<unit>months|"
        rf"quarters|"
     r"years)\b", long_times.counted),
    ("half", rf"\b{_LAST}\s+half(?:\s+a)?[\s-]+year\b", long_times.half_year),
    ("ago|back", rf"\b(?P<count>\d{{1,3}}|{one_of(COUNTED)}|an?)\s+(?P<unit>months?|quarters?|years?)\s+(?:ago|back)\b",
     long_times.ago),
    ("month", rf"\b(?P<count>\d{{1,3}}|{one_of(COUNTED)}|an?)\s+months?\s+(?P<which>before|earlier|prior|later)\b"
     r"(?:\s+(?:that|this|it))?\b(?!\s+\w)", readings.beside),
    ("before", r"\b(?P<unit>month|quarter|year)\s+before\s+last\b", readings.before_last),
    ("quarter", r"\b(?P<which>last|past|previous|prior|this|current|next|following|coming)\s+quarter(?:\s+so\s+far)?\b",
     long_times.near_quarter),
    ("year", r"\b(?:the\s+)?same\s+(?:months?|quarters?|time|period|range)\s+(?:(?:of|in)\s+)?(?:the\s+)?(?:last|"
        r"previous)\s+year\b|"
     r"\b(?:a|one)\s+year\s+(?:earlier|before)\b|\bthe\s+year\s+before(?:\s+that)?(?=\W*$)", long_times.year_before),
    ("9", rf"{_BEFORE}(?P<month>0?[1-9]|1[0-2])/(?P<year>\d{{2}})(?![\w/.-])", readings.short),
    ("this|last", r"\b(?:this|last)\s+(?:month\s+)?(?:and|&)\s+(?:the\s+)?(?:last|this|previous)(?:\s+(?:month|one))\b|"
     r"\b(?:this|last)\s+month\s+(?:and|&)\s+(?:the\s+)?(?:last|this|previous)\b", readings.this_and_last),
    ("month", r"\b(?P<which>last|past|previous|prior|this|current|next|following|coming)"
     r"\s+(?:calendar\s+)?month(?:\s+so\s+far)?\b", readings.near_month),
    ("monat|mois|mes|mês|maand|manad|månad|miesi|месяце|月|달",
     r"\b(?:(?:im\s+)?(?:letzte[nrms]?|vergangene[nrms]?|vorige[nrms]?)\s+monats?|(?:le\s+)?mois\s+dernier|"
        r"(?:el\s+)?mes\s+pasado|"
     r"(?:o\s+|no\s+)?m[eê]s\s+passado|(?:il\s+)?mese\s+scorso|(?:vorige|afgelopen)\s+maand|f[oö]rra\s+m[aå]naden|"
     r"(?:w\s+)?(?:zesz[lł]ym|ubieg[lł]ym)\s+miesi[aą]cu|в\s+прошлом\s+месяце)\b|上个月|上個月|先月|지난달|지난 달",
     readings.last_month),
    ("monat|mois|mês|mes|maand|manad|månad|miesi|месяце|月|달",
     r"\b(?:(?:in\s+)?diese[nrms]?\s+monats?|ce\s+mois(?:-ci)?|este\s+m[eê]s|questo\s+mese|deze\s+maand|"
        r"denna\s+m[aå]nad(?:en)?|"
     r"(?:w\s+)?tym\s+miesi[aą]cu|в\s+этом\s+месяце)\b|这个月|這個月|今月|이번 ?달", readings.this_month),
    ("before|after|earlier|later", r"\b(?:the\s+)?(?:month|one)\s+(?P<which>before|after|earlier|later)"
     r"(?:\s+(?:that|this|it))?\b(?!\s+(?!(?:for|of|by|in|with|and)\b)\w)", readings.beside),
    ("date|ytd|mtd|qtd",
     r"\b(?:year[\s-]+to[\s-]+date|ytd|month[\s-]+to[\s-]+date|mtd|quarter[\s-]+to[\s-]+date|qtd)\b",
     long_times.so_far),
    ("early|late|mid|beginning|start|end|middle",
     rf"\b(?P<part>early|late|mid|beginning|start|end|middle)(?:\s+(?:in|of)\s+|[\s-]+){_OF_YEAR}"
     rf"(?![\w-])", long_times.part_of_year),
    ("year", r"\b(?P<which>last|past|previous|prior|this|current|next|following|coming)"
     r"\s+(?:calendar\s+)?year(?:\s+so\s+far)?\b",
     long_times.near_year),
    ("year", r"\b(?:the\s+)?(?:whole|entire|full)\s+year\b(?!\s+(?:of|in|\d))|\ball\s+year(?:\s+long)?\b",
     long_times.whole_year),
    ("spring|summer|autumn|fall|winter",
     rf"\b(?:in|last|this|past|during|over|since|all|next|for|of)\s+(?:the\s+)?(?:early\s+|"
        rf"late\s+)?(?P<season>{_SEASON})"
     rf"(?!\s+(?:boot|frame\w*|clean\w*|through|back|over|security|batch|data|cloud|mvc|in|for)\b)"
     rf"(?:\s+(?:of\s+)?(?P<year>{_YEAR_SAID}))?(?![\w-])", long_times.season),
    ("spring|summer|autumn|fall|winter",
     rf"(?<![\w@/#.-])(?P<season>{_SEASON})\s+(?:of\s+)?(?P<year>{_YEAR_SAID})(?![\w-])", long_times.season),
    ("spring|summer|autumn|fall|winter",
     rf"(?<=\w)(?<!\bthe)(?<!\ba)(?<!\bto)(?<!\bmay)\s+(?P<season>{_SEASON})(?P<year>)(?=\W*$)", long_times.season),
    ("MONTH", rf"{_BEFORE}(?P<name>{NAME})\.?(?![\w@/]|-(?!\s|{NAME}\b))", readings.name),
    ("9", r"\b(?:in|for|during|since|of)\s+(?P<year>['’]\d\d)(?!\w)", long_times.year),
    ("9",
     rf"(?<![\w#./$€£-])(?P<year>{YEAR})(?![\w%/]|[-.]\d|\s*(?:commits?|changes?|lines?|files?)\b)", long_times.year),
)  # fmt: skip


class _Form:
    """A form, compiled when first needed, and what a text must have for it to be there at all."""

    def __init__(self, needs: str, pattern: str, reading: Reading) -> None:
        self.needs = tuple(tuple(need.split("|")) for need in needs.split())
        self.pattern = AnyCase(pattern)
        self.reading = reading

    def may_be_in(self, text: str) -> bool:
        """Whether it is worth looking for in a text, which is in small letters and as `summed_up` gives it."""
        return all(any(word in text for word in need) for need in self.needs)


_DIGIT, _ANY_MONTH = re.compile(r"\d"), re.compile(NAME, re.IGNORECASE)


def summed_up(text: str) -> str:
    """The text in small letters, with "9" if there is a digit in it, and "MONTH" if there is a month's name."""
    return f"{text.lower()} {'9' if _DIGIT.search(text) else ''} {'MONTH' if _ANY_MONTH.search(text) else ''}"


FORMS = tuple(_Form(*form) for form in _TABLE)
PATTERNS = tuple(form.pattern for form in FORMS)
