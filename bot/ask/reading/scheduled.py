"""What is posted again and again: the words that ask for it, change it, or ask when. Pure."""

from __future__ import annotations

import re

_POLITE = (
    r"^\W*(?:(?:please|pls|plz|hi|hey|hello|almanac|ok(?:ay)?|so|and|also|then|now|from\s+now\s+on|can\s+you|could\s+you|"
    r"would\s+you|will\s+you|"
    r"can\s+(?:we|i)|i\s+want\s+(?:you\s+)?to|i['’]d\s+like\s+(?:you\s+)?to|we\s+want\s+(?:you\s+)?to|let['’]s|start|"
    r"begin|how\s+(?:do|can)\s+i|how\s+to)[\s,]+)*"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_DIGEST = (
    r"(?:digests?|summar(?:y|ies)|reports?|recaps?|round-?ups?|posts?|posting|reminders?|schedules?|updates?|"
    r"newsletter)"
)
_AGAIN = (
    rf"(?:\b(?:every|each)\s+(?:other\s+|single\s+|\w+\s+)?(?:months?|weeks?|days?|quarters?|years?|first|last|"
    rf"mornings?|{_DAY}|\d+(?:st|nd|rd|th)?|work\s?day|weekday)\b|"
    rf"\b(?:every|each)\s+(?:first|last|1st|second|third|{_DAY})\b|\b(?:monthly|weekly|daily|quarterly|fortnightly|"
    rf"bi-?weekly|yearly)\b(?!\s+{_DIGEST}\b)|"
    rf"\b(?:once|twice)\s+an?\s+(?:month|week|day|quarter)\b|\bon\s+(?:{_DAY}|weekdays|workdays|(?:the\s+)?(?:first|"
    rf"last|second|third|\d+(?:st|nd|rd|th))"
    r"(?:\s+(?:\w+\s+)?(?:of|in)\s+(?:the|each|every|next)\s+(?:month|week|quarter))?(?=\W*$|\s+at\b|\s+of\b|"
    r"\s+(?:mon|tue|wed|thu|fri|sat|sun|day|work)))|"
    r"\bat\s+\d{1,2}(?::\d\d)?\s*(?:am|pm|h|o['’]clock)?(?=\W|$)|\btomorrow\b|\bnext\s+week\b|\bautomatically\b|"
    r"\bregularly\b)"
)
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_POLITE}(?:post|posting|send|sending|share|publish|deliver|remind|dm|mail|e-?mail|repeat|run|announce|"
        rf"digest|{_DIGEST})\b.*{_AGAIN}",
        rf"{_POLITE}{_AGAIN}",
        rf"{_POLITE}(?:give|tell|show)\s+(?:me|us)\b(?!.*\b(?:did|has|was|were|have)\b).*(?:\b(?:every|"
        rf"each)\s+(?:{_DAY}|first|last|\d+|month\s+(?:on|at|from)\b|(?:week|month|quarter)\W*$))",
        rf"{_POLITE}(?:re|un)?-?schedule\b(?!\s*r)(?!s)(?!\s+(?:changes|fixes|work|code))",
        r"\b(?:un)?subscribe\b(?!\s*\()(?=.*)(?<!the subscribe)",
        rf"{_POLITE}(?:pause|resume|unpause|stop|cancel|disable|enable|suspend|mute|unmute|delete|remove|"
        rf"turn\s+(?:off|on)|switch\s+(?:off|on)|skip|"
        rf"restart|start|kill|end|hold|opt\s+(?:me\s+)?out(?:\s+of)?|set\s*up|create|add|make|configure|set|edit|"
        rf"change|move|shift|postpone|switch|"
        rf"update|delay|no\s+more|don['’]?t|do\s+not|never)\b.*\b(?:{_DIGEST}|posting|cadence)\b(?!\s+(?:code|page|"
        rf"module|tests?)\b)",
        rf"{_POLITE}(?:pause|resume|unpause|stop|cancel|suspend)\s*(?:it|that|this|everything|please)?[\s.!]*$",
        rf"{_POLITE}(?:move|change|set|switch|shift|make|postpone|do|post|send|share)\s+(?:it|that|"
        rf"this)\b.*(?:{_AGAIN}|\b{_DAY}\b|\b\d{{1,2}}\s*(?:am|pm)\b|\b(?:weekly|monthly|quarterly|daily)\b)",
        rf"{_POLITE}(?:i|we)(?:['’]d)?\s+(?:want|would\s+like|like|need)\s+(?:a|the|to\s+(?:have|get|see|"
        rf"receive))\b.*\b(?:monthly|weekly|daily|quarterly)\s+{_DIGEST}\b",
        rf"^\W*(?:so\s+|and\s+)?when(?:['’]s|\s+(?:is|was|does|do|did|will|are|should|can))\b.*\b(?:{_DIGEST}|posted|"
        rf"next\s+(?:one|run))\b(?!.*\b(?:page|module)\b)",
        r"^\W*(?:what|what['’]s|which|list|show|is|are|anything)\b(?:\s+(?:me|is|are|the|all|there|any|anything|"
        r"things|digests?|posts?|currently|get|gets|been|has|have|my|our))*\s+"
        r"(?:scheduled|schedules?|recurring|repeats?|repeated|repeating|planned)\b(?!\s+(?:jobs?|tasks?|code|fixes|"
        r"changes|work|commits?)\b)",
        r"^\W*(?:list|show|what|which|are\s+there|do\s+we\s+have|how\s+many|see|all)\b(?:\s+(?:me|the|all|our|my|"
        r"other|any|of|active|paused|set|up))*\s+(?:digests|schedules|subscriptions)"
        r"(?:\s+(?:are|do|we|have|there|set|up|configured|exist|running|active|scheduled|in|on|this|channel|here|"
        r"planned|is|get|posted|for|paused|you|post))*\W*$",
        r"^\W*(?:my\s+|the\s+|our\s+)?(?:schedules?|subscriptions?)\W*$",
        r"^\W*(?:and\s+|but\s+|so\s+)?(?:why|where|how\s+come)\b.*\b(?:digest|post(?:ed)?)\b",
        rf"\b(?:post|send|share|publish)\b[^?]*\b{_DIGEST}\b[^?]*\b(?:every|each)\s+(?:{_DAY}|day|week|month|quarter)\b",
        rf"^\W*(?:next|upcoming)\s+{_DIGEST}\b(?!\s+(?:for|of)\b)",
    )
)  # fmt: skip
# What somebody did is no schedule, however often they did it.
_TOLD = re.compile(
    r"^\W*(?:and\s+|so\s+)?(?:(?:can|could)\s+you\s+)?(?:tell\s+me\s+|show\s+me\s+)?(?:what|how|which|"
    r"who)\s+(?:(?!scheduled|digest)\S+\s+){0,3}?(?:did|has|have|had|was|were|worked|do(?!\s+i\b))\b"
    r"(?!.*\b(?:digests?|posted)\b)|\b(?:did|has|had)\b(?!.*\b(?:digests?|posted)\b)",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:again|now|right\s+away|right\s+now|once|immediately|this\s+once)\b(?!.*\b(?:every|each|monthly|weekly|"
    r"daily)\b)",
    re.IGNORECASE,
)
_STOPS = re.compile(
    r"\b(?:pause|resume|unpause|stop|cancel|disable|enable|suspend|schedule|change|move|edit|delete|every|each|when)\b",
    re.I,
)


def is_schedule(text: str) -> bool:
    """Whether a text is about what is posted again and again: to set, change, pause or list it."""
    if _TOLD.search(text) or (_ONCE.search(text) and not _STOPS.search(text)):
        return False
    return any(pattern.search(text) for pattern in _PATTERNS)
