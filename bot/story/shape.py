"""JSON that somebody hands in → documents in which every value is of the kind that templates expect. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.errors import AlmanacError
from bot.model import Kind, State
from bot.month.calendar import parse_period
from bot.story.document import SCHEMA, Document
from bot.story.wording import clean, listed, shortened

LONGEST_TEXT = 20_000  # characters; a longer one is no text of ours, and is refused
# A headline and an item with its title and repository are one message, in which Slack takes 9,000 characters.
LONGEST_SAID = 3_000  # a headline's, an item's, a sentence's; ours are at most about 2,000
LONGEST_NAME = 300  # a title's, a person's, a repository's
LONGEST_SHOWN = 60  # of a wrong value
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
        return isinstance(value, str) and bool(parse_period(value))
    except ValueError:
        return False


def _offset(value: Any) -> timedelta | None:
    try:
        return datetime.fromisoformat(value).utcoffset() if isinstance(value, str) else None
    except ValueError:
        return None


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
KIND, STATE = _one_of(get_args(Kind)), _one_of(get_args(State))
SENTENCE = {"text": SAID, "evidence": [SHA]}
SKILL = {"name": NAME, "evidence": [SHA]}
REPOSITORY = {"name": NAME, "commits": NUMBER, "changes": NUMBER}

ITEM = {
    "title": NAME, "text": SAID, "kind": KIND, "state": STATE, "repository": NAME, "refs": [TEXT], "evidence": [SHA],
}  # fmt: skip

A_MONTH: dict[str, Any] = {
    "schema": NUMBER,
    "person": {"name": NAME, "addresses": [TEXT]},
    "month": MONTH,
    "zone": ZONE,
    "to_date": FLAG,
    "counts": {
        "commits": NUMBER, "changes": NUMBER, "landed": NUMBER, "backed_out": NUMBER, "relanded": NUMBER,
        "additions": NUMBER, "deletions": NUMBER,
    },
    "repositories": [REPOSITORY],
    "headline": SENTENCE,
    "items": [ITEM],
    "impact": [SENTENCE],
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
}  # fmt: skip
A_DIGEST: dict[str, Any] = {
    "schema": NUMBER,
    "digest": NAME,
    "month": MONTH,
    "zone": ZONE,
    "to_date": FLAG,
    "counts": {
        "people": NUMBER, "commits": NUMBER, "changes": NUMBER, "landed": NUMBER, "backed_out": NUMBER,
        "relanded": NUMBER,
    },
    "repositories": [REPOSITORY],
    "headline": SENTENCE,
    "themes": [ITEM],
    "summaries": [SENTENCE],
    "people": [A_MONTH],
    "indexed_at": UTC_TIME | NOTHING,
    "notes": [TEXT],
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
    "themes": [{"name": NAME, "changes": NUMBER, "from": MONTH, "to": MONTH, "evidence": [SHA]}],
    "skills": {"languages": [{"name": NAME, "lines": NUMBER}], "technologies": [SKILL], "practices": [SKILL]},
    "repositories": [
        {"name": NAME, "months": NUMBER, "commits": NUMBER, "changes": NUMBER, "languages": [TEXT],
         "technologies": [TEXT]}
    ],
    "months": [A_MONTH],
    "coverage": {"commits_told": NUMBER, "commits_total": NUMBER},
    "indexed_at": UTC_TIME | NOTHING,
    "notes": [TEXT],
}  # fmt: skip


def documents_of(text: bytes | str, source: str) -> list[Document]:
    """The documents of JSON: of one, or of a list of them. What is not known in them is left out, and text is cleaned
    as text from git is.

    Raises AlmanacError where it is no such thing, with `source`, the place as `jq` names it, and what should be there.
    """
    if not text.strip():
        raise AlmanacError(f"{source}: is empty: hand in what --format json prints")
    try:
        value = json.loads(text)
        many = value if isinstance(value, list) else [value]
        if not many:
            raise AlmanacError(f"{source}: is an empty list, so there is no month in it to tell")
        return [_document(one, f"[{n}]" if isinstance(value, list) else "", source) for n, one in enumerate(many)]
    except UnicodeDecodeError as error:
        raise AlmanacError(f"{source}: is no JSON: its bytes are not text in UTF-8") from error
    except ValueError as error:
        raise AlmanacError(f"{source}: is no JSON ({clean(str(error))}): hand in what --format json prints") from error
    except RecursionError as error:
        raise AlmanacError(f"{source}: is nested too deeply to be a document") from error


def _document(value: Any, where: str, source: str) -> Document:
    at = f"{source}: {where}: " if where else f"{source}: "
    if not isinstance(value, dict):
        raise AlmanacError(f"{at}must be an object, not {_shown(value)}: hand in what --format json prints")
    if "schema" not in value:
        raise AlmanacError(f'{at}has no "schema", so it is no month or digest: hand in what --format json prints')
    if type(value["schema"]) is not int or value["schema"] != SCHEMA:
        raise AlmanacError(f"{at}{other_schema(value['schema'])}")
    shape = A_DIGEST if "digest" in value else A_PROFILE if "paragraph" in value else A_MONTH
    told: Document = _fitted(value, shape, where, source)
    at = f"{where}." if where else ""
    for key in ("people", "months"):
        for number, month in enumerate(told.get(key, ())):
            _agreeing(month, month["items"], f"{at}{key}[{number}].", source)
    if "coverage" in told:
        items = told.get("items") or [item for month in told.get("months", ()) for item in month["items"]]
        _agreeing(told, items, at, source)
    return told


def _agreeing(told: Document, items: list[Document], at: str, source: str) -> None:
    """Raises AlmanacError where the coverage says more commits told than there are, or than the items name."""
    coverage = told["coverage"]
    named = len({sha for item in items for sha in item["evidence"]})
    limits = (coverage["commits_total"], "in commits_total"), (named, "of commits that items name")
    most, which = min(limits, key=lambda one: one[0])
    if coverage["commits_told"] > most:
        said = f"must be at most {most}, the number {which}, not {_shown(coverage['commits_told'])}"
        raise AlmanacError(f"{source}: {at}coverage.commits_told {said}")


def other_schema(schema: Any) -> str:
    """What is wrong with a document of another schema than ours."""
    return f"is of schema {_shown(schema)}, and this version of Almanac reads schema {SCHEMA}: print it anew"


def _fitted(value: Any, shape: Shape, where: str, source: str) -> Any:
    """The value in its shape, with clean text. Raises AlmanacError at the first place where it does not fit."""
    if isinstance(shape, Value):
        if not shape.is_so(value):
            raise AlmanacError(f"{source}: {where} must be {shape.wanted}, not {_wrong(value)}")
        return _clean(value) if isinstance(value, str) else value
    if isinstance(shape, list):
        if not isinstance(value, list):
            raise AlmanacError(f"{source}: {where} must be a list, not {_shown(value)}")
        return [_fitted(one, shape[0], f"{where}[{number}]", source) for number, one in enumerate(value)]
    if not isinstance(value, dict):
        raise AlmanacError(f"{source}: {where} must be an object, not {_shown(value)}")
    if missing := [key for key in shape if key not in value]:
        names = listed([f"{where}.{key}".lstrip(".") for key in missing])
        raise AlmanacError(f"{source}: {names} {'is' if len(missing) == 1 else 'are'} missing")
    return {key: _fitted(value[key], shape[key], f"{where}.{key}".lstrip("."), source) for key in shape}


def _clean(text: str) -> str:
    if len(text) > LONGEST_TEXT:  # a subject: each beginning of a sequence is looked for the end of, which is too slow
        text = re.sub(r"[\x1b\x80-\x9f]", " ", text)
    return clean(text)


def _wrong(value: Any) -> str:
    """A wrong value as it is shown, or how long it is, where that is what is wrong."""
    is_long = isinstance(value, str) and len(value) > LONGEST_NAME
    return f"one of {len(value):,}" if is_long else _shown(value)


def _shown(value: Any) -> str:
    """A wrong value, as JSON has it, or what it is where that would be long."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, str):
        value = _clean(value[: 10 * LONGEST_SHOWN])
    return shortened(json.dumps(value, ensure_ascii=False), LONGEST_SHOWN)
