"""What each value of a document must be, for documents that somebody hands in. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.model import Kind, State
from bot.month.calendar import parse_any_period
from bot.story.document import LISTS
from bot.story.figures import OTHER
from bot.story.parts import Section

LONGEST_TEXT = 20_000  # characters; a longer one is no text of ours, and is refused
# A headline and an item with its title and repository are one message, in which Slack takes 9,000 characters.
LONGEST_SAID = 3_000  # a headline's, an item's, a sentence's; ours are at most about 2,000
LONGEST_NAME = 300  # a title's, a person's, a repository's
_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Value:
    """What a single value must be, in words and as a test."""

    wanted: str
    is_so: Callable[[Any], bool]

    def __or__(self, other: Value) -> Value:
        return Value(f"{self.wanted} or {other.wanted}", lambda value: self.is_so(value) or other.is_so(value))


Shape = dict[str, Any] | list[Any] | Value


def _one_of(names: tuple[str, ...]) -> Value:
    return Value(f"one of {', '.join(names)}", lambda value: isinstance(value, str) and value in names)


def _is_month(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(parse_any_period(value))
    except ValueError:
        return False


def _offset(value: Any) -> timedelta | None:
    try:
        return datetime.fromisoformat(value).utcoffset() if isinstance(value, str) else None
    except ValueError:
        return None


def _is_day(value: Any) -> bool:
    try:
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _is_zone(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(ZoneInfo(value))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False


def _text(longest: int) -> Value:
    wanted = f"text of at most {longest:,} characters"
    return Value(wanted, lambda value: isinstance(value, str) and len(value) <= longest)


ANY_TEXT = Value("text", lambda value: isinstance(value, str))  # of data that no form shows, as long as git has it
TEXT, NAME, SAID = map(_text, (LONGEST_TEXT, LONGEST_NAME, LONGEST_SAID))
ZONE = Value("a time zone such as Europe/Berlin", _is_zone)
NUMBER = Value("a whole number of at least 0", lambda value: type(value) is int and value >= 0)  # and no bool
FLAG = Value("true or false", lambda value: isinstance(value, bool))
NOTHING = Value("null", lambda value: value is None)
SHA = Value("a full SHA", lambda value: isinstance(value, str) and bool(_SHA.fullmatch(value)))
MONTH = Value("a month such as 2025-10", _is_month)
TIME = Value("a time with its offset, such as 2025-10-03T12:00:00+02:00", lambda value: _offset(value) is not None)
UTC_TIME = Value("a time in UTC, such as 2025-11-05T09:00:00+00:00", lambda value: _offset(value) == timedelta())
DAY = Value("a day such as 2025-10-03", _is_day)
KIND, STATE = _one_of(get_args(Kind)), _one_of(get_args(State))
SENTENCE = {"text": SAID, "evidence": [SHA]}
SKILL = {"name": NAME, "evidence": [SHA]}
WEEK = {"from": DAY, "to": DAY, "changes": NUMBER}
REPOSITORY = {"name": NAME, "commits": NUMBER, "changes": NUMBER}

NAMED = {"ref": NAME, "sha": SHA, "repository": NAME}
STEP = {**NAMED, "did": NAME, "on": DAY, "by": NAME}
LINE = {
    **NAMED, "title": SAID, "tag": NAME, "on": DAY, "by": NAME, "kind": KIND, "state": STATE, "quote": SAID,
    "measured": [SAID], "then": [{"title": SAID, "ref": NAME, "sha": SHA}], "notes": [SAID], "steps": [STEP],
    "reason": SAID, "evidence": [SHA],
}  # fmt: skip
ITEM = {
    "section": _one_of(get_args(Section)), "title": SAID, "label": NAME, "text": SAID, "kind": KIND, "state": STATE,
    "repository": NAME, "refs": [TEXT], "evidence": [SHA], "lines": [LINE], "more": [NAMED],
}  # fmt: skip
OF_TEAM = {
    **NAMED, "title": SAID, "by": NAME, "on": DAY, "steps": [STEP], "notes": [SAID], "measured": [SAID],
}  # fmt: skip
THEME = {
    "title": SAID, "label": NAME, "changes": NUMBER, "lines": [OF_TEAM], "also": [OF_TEAM], "repository": NAME,
    "evidence": [SHA],
}  # fmt: skip

WRITTEN = {
    "headline?": SENTENCE, "items": [{"title": NAME, "text": SAID, "evidence": [SHA]}], "fixed": [SENTENCE],
    "attention": [SENTENCE], "impact": [SENTENCE], "technologies": [NAME], "named": [NAMED],
    "rest": [{**NAMED, "title": SAID, "by": NAME}],
}  # fmt: skip

A_MONTH: dict[str, Any] = {
    "schema": NUMBER,
    "person": {"name": NAME, "addresses": [TEXT]},
    "month": MONTH,
    "from?": DAY,
    "to?": DAY,
    "zone": ZONE,
    "to_date": FLAG,
    "counts": {
        "commits": NUMBER, "changes": NUMBER, "landed": NUMBER, "backed_out": NUMBER, "relanded": NUMBER,
        "additions": NUMBER, "deletions": NUMBER,
    },
    "figures?": {"weeks": [WEEK], "kinds": [{"kind": _one_of((*get_args(Kind), OTHER)), "changes": NUMBER}]},
    "repositories": [REPOSITORY],
    "headline": SENTENCE,
    "attention_first": FLAG,
    "items": [ITEM],
    "attention": [SENTENCE],
    "measured": [SENTENCE],
    "impact": [SENTENCE],
    "written?": WRITTEN,
    "skills": {"languages": [{"name": NAME, "lines": NUMBER}], "technologies": [SKILL], "practices": [SKILL]},
    "credit": {"reviewed": [{"repository": NAME, "commits": NUMBER, "people": NUMBER}], "coauthored": [SHA]},
    "changes": [
        {
            "id": TEXT,
            "commits": [{"repository": NAME, "sha": SHA, "author_date": TIME}],
            "subject": ANY_TEXT,
            "kind": KIND,
            "state": STATE,
            "by": ANY_TEXT | NOTHING,
            "reverted_in": SHA | NOTHING,
            "relanded_in": SHA | NOTHING,
            "refs": [TEXT],
        }
    ],
    "coverage": {"commits_told": NUMBER, "commits_total": NUMBER},
    "indexed_at": UTC_TIME | NOTHING,
    "notes": [TEXT],
    "details?": [TEXT],
}  # fmt: skip
A_DIGEST: dict[str, Any] = {
    "schema": NUMBER,
    "digest": NAME,
    "month": MONTH,
    "from?": DAY,
    "to?": DAY,
    "release?": [
        {"repository": NAME, "tag": NAME | NOTHING, "on": DAY | NOTHING, "sha": SHA | NOTHING, "since": NAME | NOTHING}
    ],
    "zone": ZONE,
    "to_date": FLAG,
    "counts": {
        "people": NUMBER, "commits": NUMBER, "changes": NUMBER, "landed": NUMBER, "backed_out": NUMBER,
        "relanded": NUMBER,
    },
    "figures?": {"weeks": [WEEK], "repositories": [{"name": NAME, "changes": [NUMBER]}]},
    "repositories": [REPOSITORY],
    "headline": SENTENCE,
    "attention": [{**OF_TEAM, **SENTENCE}],
    "measured": [{**OF_TEAM, **SENTENCE}],
    "themes": [THEME],
    "others": NUMBER,
    "written?": WRITTEN,
    "machines": SAID,
    "people": [{**A_MONTH, "own_words?": TEXT}],
    "indexed_at": UTC_TIME | NOTHING,
    "notes": [TEXT],
    "details?": [TEXT],
}  # fmt: skip

A_PROFILE: dict[str, Any] = {
    "schema": NUMBER,
    "person": {"name": NAME, "addresses": [TEXT]},
    "from": MONTH | NOTHING,
    "to": MONTH | NOTHING,
    "zone": ZONE,
    "to_date": FLAG,
    "counts": {
        "months": NUMBER, "commits": NUMBER, "changes": NUMBER, "landed": NUMBER, "backed_out": NUMBER,
        "relanded": NUMBER,
    },
    "paragraph": [SENTENCE],
    "themes": [
        {"name": NAME, "changes": NUMBER, "from": MONTH, "to": MONTH, "when": NAME, "lines": [LINE], "evidence": [SHA]}
    ],
    "measured": [{**LINE, "text": SAID}],
    "attention": [{**LINE, "text": SAID}],
    "skills": {"languages": [{"name": NAME, "lines": NUMBER}], "technologies": [SKILL], "practices": [SKILL]},
    "repositories": [
        {"name": NAME, "months": NUMBER, "commits": NUMBER, "changes": NUMBER, "languages": [TEXT],
         "technologies": [TEXT]}
    ],
    "earlier": NAME,
    "written?": WRITTEN,
    "months": [{**A_MONTH, "largest?": LINE, "own": NUMBER}],
    "coverage": {"commits_told": NUMBER, "commits_total": NUMBER},
    "indexed_at": UTC_TIME | NOTHING,
    "notes": [TEXT],
    "details?": [TEXT],
}  # fmt: skip

LISTED = {**LINE, "text": SAID, "refs": [TEXT], "id": TEXT, "is_sure": FLAG, "at": TIME}
SOMEBODY = {"name": NAME, "addresses": [TEXT], "called": NAME}
KINDS = [{"kind": KIND, "changes": NUMBER}]
CHANGES = {"commits": NUMBER, "changes": NUMBER, "landed": NUMBER, "backed_out": NUMBER, "relanded": NUMBER}
A_LIST: dict[str, Any] = {
    "schema": NUMBER,
    "sort": _one_of(LISTS),
    "title": SAID,
    "from": MONTH,
    "to": MONTH,
    "zone": ZONE,
    "to_date": FLAG,
    "headline": SENTENCE,
    "commits": [{"repository": NAME, "sha": SHA, "author_date": TIME}],
    "repositories": [REPOSITORY],
    "indexed_at": UTC_TIME | NOTHING,
    "notes": [TEXT],
    "details?": [TEXT],
}  # fmt: skip
THE_LISTS: dict[str, dict[str, Any]] = {
    "changes": {
        **A_LIST,
        "kinds": [KIND],
        "counts": CHANGES,
        "instead": KINDS,
        "people": [{**SOMEBODY, "counts": {"changes": NUMBER}, "items": [LISTED]}],
    },
    "comparison": {
        **A_LIST,
        "differences": [SENTENCE],
        "sides": [
            {
                "name": NAME, "person": SOMEBODY, "from": MONTH, "to": MONTH, "to_date": FLAG, "headline": SENTENCE,
                "counts": CHANGES, "kinds": KINDS, "repositories": [REPOSITORY], "technologies": [NAME],
                "items": [ITEM],
            }
        ],
    },
    "who": {
        **A_LIST,
        "from": MONTH | NOTHING,
        "to": MONTH | NOTHING,
        "topic": TEXT,
        "counts": {"people": NUMBER, "commits": NUMBER, "changes": NUMBER},
        "people": [
            {**SOMEBODY, "headline": SENTENCE, "counts": {"changes": NUMBER, "commits": NUMBER}, "items": [LISTED]}
        ],
    },
    "shipped": {
        **A_LIST,
        "counts": {"people": NUMBER, **CHANGES},
        "months": [
            {
                "month": MONTH, "to_date": FLAG, "headline": SENTENCE, "counts": {"people": NUMBER, **CHANGES},
                "items": [THEME],
            }
        ],
    },
}  # fmt: skip
