"""Documents ⇄ JSON: what `--format json` prints, and what `almanac render` reads of it. Pure."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from bot.errors import AlmanacError
from bot.model import Sentence
from bot.month.skills import Skill
from bot.story.checks import FLAG, LONGEST_NAME, LONGEST_TEXT, Name, Number, Said, Sha, ValueRule
from bot.story.documents import SCHEMA, TEAM_SCHEMA, DigestDocument, MonthDocument, is_optional, keys_of
from bot.story.list_documents import LISTS, Document
from bot.story.profile_documents import ProfileDocument
from bot.story.wording import clean, listed, shortened

T = TypeVar("T")
LONGEST_SHOWN = 60  # characters of a wrong value
# What the values of two classes must be that are not only parts of documents.
_PARTS: dict[type, dict[str, Any]] = {
    Sentence: {"text": Said, "evidence": tuple[Sha, ...]},
    Skill: {"name": Name, "evidence": tuple[Sha, ...]},
}


def to_json(value: Any) -> Any:
    """A document, or a part of one, as JSON has it."""
    if dataclasses.is_dataclass(value):
        return {key: to_json(one) for key, one in keys_of(value).items()}
    if isinstance(value, tuple | list):
        return [to_json(one) for one in value]
    return dict(value) if isinstance(value, Mapping) else value


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
    schema = TEAM_SCHEMA if "digest" in value else SCHEMA
    if type(value["schema"]) is not int or value["schema"] != schema:
        said = f"is of schema {_shown(value['schema'])}, and this version of Almanac reads schema {schema}"
        raise AlmanacError(f"{at}{said}: print it anew")
    if "sort" in value:
        known = {kind.template: kind for kind in LISTS}
        if value["sort"] not in known:
            named = f"{where}.sort".lstrip(".")
            raise AlmanacError(f"{source}: {named} must be one of {', '.join(known)}, not {_shown(value['sort'])}")
        kind: type[Document] = known[value["sort"]]
    else:
        kind = DigestDocument if "digest" in value else ProfileDocument if "paragraph" in value else MonthDocument
    try:
        return from_json(kind, value, where)
    except _Unfit as error:
        raise AlmanacError(f"{source}: {error}") from error


class _Unfit(Exception):
    """A value that is not what its place wants; in words, with the place."""


def from_json(kind: type[T], value: Any, where: str = "") -> T:
    """A document, or a part of one, of JSON. Raises _Unfit at the first value that does not fit."""
    return cast(T, _read(kind, value, where))


def _read(wanted: Any, value: Any, where: str) -> Any:
    check = _check_of(wanted)
    if check is not None:
        if not check.is_so(value):
            raise _Unfit(f"{where} must be {check.wanted}, not {_wrong(value)}")
        return _clean(value) if isinstance(value, str) else value
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin in (UnionType, Union):
        return None if value is None else _read(inner[0], value, where)
    if origin is tuple:
        if not isinstance(value, list):
            raise _Unfit(f"{where} must be a list, not {_shown(value)}")
        return tuple(_read(inner[0], one, f"{where}[{number}]") for number, one in enumerate(value))
    if not isinstance(value, dict):
        raise _Unfit(f"{where} must be an object, not {_shown(value)}")
    of_numbers = origin is Annotated
    types = dict.fromkeys(inner[1].names.split(), Number) if of_numbers else _types(wanted)
    optional = () if of_numbers else [one.name for one in dataclasses.fields(wanted) if is_optional(one)]
    if missing := [key for name in types if (key := name.rstrip("_")) not in value and name not in optional]:
        names = listed([f"{where}.{key}".lstrip(".") for key in missing])
        raise _Unfit(f"{names} {'is' if len(missing) == 1 else 'are'} missing")
    read = {
        name: _read(kind, value[key], f"{where}.{key}".lstrip("."))
        for name, kind in types.items()
        if (key := name.rstrip("_")) in value
    }
    return read if of_numbers else wanted(**read)


@lru_cache(maxsize=256)
def _types(kind: type) -> dict[str, Any]:
    """The types of the fields of a class."""
    hints = _PARTS.get(kind) or get_type_hints(kind, include_extras=True)
    return {one.name: hints[one.name] for one in dataclasses.fields(kind)}


@lru_cache(maxsize=256)
def _check_of(wanted: Any) -> ValueRule | None:
    """What a single value must be; None where the type is of several."""
    if wanted is bool:
        return FLAG
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin is Literal:
        return ValueRule(f"one of {', '.join(inner)}", lambda value: isinstance(value, str) and value in inner)
    if origin is Annotated:
        return inner[1] if isinstance(inner[1], ValueRule) else None
    if origin in (UnionType, Union) and (one := _check_of(inner[0])):
        return ValueRule(f"{one.wanted} or null", lambda value: value is None or one.is_so(value))
    return None


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
