"""JSON that somebody hands in → documents in which every value is of the kind that templates expect. Pure."""

from __future__ import annotations

import json
import re
from typing import Any

from bot.errors import AlmanacError
from bot.story.document import SCHEMA, Document
from bot.story.shapes import (
    A_DIGEST,
    A_LIST,
    A_MONTH,
    A_PROFILE,
    LONGEST_NAME,
    LONGEST_SAID,
    LONGEST_TEXT,
    THE_LISTS,
    Shape,
    Value,
)
from bot.story.wording import clean, listed, shortened

__all__ = [
    "A_DIGEST",
    "A_MONTH",
    "A_PROFILE",
    "LONGEST_NAME",
    "LONGEST_SAID",
    "LONGEST_TEXT",
    "THE_LISTS",
    "Value",
    "documents_of",
    "other_schema",
]

LONGEST_SHOWN = 60  # characters of a wrong value


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
    named = value["sort"] if isinstance(value.get("sort"), str) else None
    usual = A_DIGEST if "digest" in value else A_PROFILE if "paragraph" in value else A_MONTH
    shape = usual if named is None else THE_LISTS.get(named, A_LIST)  # in which a sort that is none does not fit
    told: Document = _fitted(value, shape, where, source)
    if named is not None:
        return told
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
    if missing := [key for key in shape if key not in value and not key.endswith("?")]:
        names = listed([f"{where}.{key}".lstrip(".") for key in missing])
        raise AlmanacError(f"{source}: {names} {'is' if len(missing) == 1 else 'are'} missing")
    return {
        key: _fitted(value[key], wanted, f"{where}.{key}".lstrip("."), source)
        for key, wanted in ((name.removesuffix("?"), wanted) for name, wanted in shape.items())
        if key in value  # a key with a question mark may be missing, as in what an older version printed
    }


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
