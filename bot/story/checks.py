"""What the values of a document must be, for documents that somebody hands in. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.month.calendar import parse_any_period

LONGEST_TEXT = 20_000  # characters; a longer one is no text of ours, and is refused
# A headline and an item with its title and repository are one message, in which Slack takes 9,000 characters.
LONGEST_SAID = 3_000  # a headline's, an item's, a sentence's; ours are at most about 2,000
LONGEST_NAME = 300  # a title's, a repository's


@dataclass(frozen=True, slots=True)
class ValueRule:
    """What a single value must be, in words and as a test."""

    wanted: str
    is_so: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class NumberNames:
    """The names under which numbers are given."""

    names: str


def _text(longest: int) -> ValueRule:
    wanted = f"text of at most {longest:,} characters"
    return ValueRule(wanted, lambda value: isinstance(value, str) and len(value) <= longest)


def _reads(read: Callable[[str], object]) -> Callable[[Any], bool]:
    """Whether a value is text that can be read as something."""

    def is_so(value: Any) -> bool:
        try:
            return isinstance(value, str) and bool(read(value))
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return False

    return is_so


def _is_day(text: str) -> bool:
    return date.fromisoformat(text).isoformat() == text


def _has_offset(text: str) -> bool:
    return datetime.fromisoformat(text).utcoffset() is not None


def _is_utc(text: str) -> bool:
    return datetime.fromisoformat(text).utcoffset() == timedelta()


NUMBER = ValueRule("a whole number of at least 0", lambda value: type(value) is int and value >= 0)  # and no bool
FLAG = ValueRule("true or false", lambda value: isinstance(value, bool))

AnyText = Annotated[
    str, ValueRule("text", lambda value: isinstance(value, str))
]  # as long as git has it: no form shows it
Text = Annotated[str, _text(LONGEST_TEXT)]
Said = Annotated[str, _text(LONGEST_SAID)]
Name = Annotated[str, _text(LONGEST_NAME)]
PersonName = AnyText  # forms shorten it
Number = Annotated[int, NUMBER]
Sha = Annotated[str, ValueRule("a full SHA", _reads(re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}").fullmatch))]
Period = Annotated[str, ValueRule("a month such as 2025-10", _reads(parse_any_period))]
Day = Annotated[str, ValueRule("a day such as 2025-10-03", _reads(_is_day))]
Zone = Annotated[str, ValueRule("a time zone such as Europe/Berlin", _reads(ZoneInfo))]
Time = Annotated[str, ValueRule("a time with its offset, such as 2025-10-03T12:00:00+02:00", _reads(_has_offset))]
UtcTime = Annotated[str, ValueRule("a time in UTC, such as 2025-11-05T09:00:00+00:00", _reads(_is_utc))]
