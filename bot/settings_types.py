"""What a value of the settings may be: types with their limits, for pydantic to hold values against."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from bot.database import SCHEMES, DatabasePlace, PostgresAddress


def time_zone(name: object) -> ZoneInfo:
    """Raises ValueError."""
    try:
        return ZoneInfo(str(name))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"{name!r} is no time zone; use a name such as Europe/Berlin or UTC") from None


def database_place(value: object) -> DatabasePlace:
    """What ALMANAC_DB takes: an address, or a path, seen from the current folder. Raises ValueError."""
    if isinstance(value, str) and value.startswith(SCHEMES):
        return PostgresAddress(value)
    if not isinstance(value, str | Path):
        raise ValueError("must be a path in quotes")
    return _absolute(Path(value))


def _absolute(path: Path, folder: Path | None = None) -> Path:
    """A relative path is seen from the folder, or from the current one."""
    try:
        return ((folder or Path()) / path.expanduser()).absolute()
    except (RuntimeError, ValueError):  # a name that no user has, or could have
        raise ValueError(f"nobody knows the home folder in {str(path)!r}; write the whole path") from None


def _model_address(address: str) -> str:
    """An address that paths can be put behind, without a slash at its end."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable or re.search(r"[\s\x00-\x1f]", address):
        raise ValueError("is no address; use one such as http://localhost:11434/v1")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("must hold neither a name, nor a password, nor what stands behind ? or #")
    return address.rstrip("/")


def matches(pattern: str, message: str) -> AfterValidator:
    """Refuses a text that is not of the pattern: '{it} {message}'."""

    def check(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(f"{text!r} {message}")
        return text

    return AfterValidator(check)


def _channel_or_group(entry: str) -> str:
    if entry == "everyone":
        raise ValueError('"everyone" stands alone, not in a list')
    if not re.fullmatch(r"[#@]?[^\s#@|<>]+", entry) or re.fullmatch(r"[UW][A-Z0-9]{8,}", entry):  # a user's id
        raise ValueError(f"{entry!r} is neither a channel (#leads, C0123456789) nor a user group (@leads, S0123456789)")
    return entry


def _person_or_group(entry: str) -> str:
    if entry in ("everyone", "nobody"):
        raise ValueError(f'"{entry}" stands for no person in a list')
    if not entry.strip() or entry.startswith("#") or entry == "@":
        raise ValueError(f"{entry!r} is neither a person (a name, U0123456789) nor a user group (@leads, S0123456789)")
    return entry


def must_be(message: str) -> WrapValidator:
    """Of a value that fits none of several types, one line in place of one for each. What is wrong with an entry of a
    list is said as it is."""

    def validate(value: object, handler: ValidatorFunctionWrapHandler) -> object:
        try:
            return handler(value)
        except ValidationError as error:
            of_entries = (fault["ctx"]["error"] for fault in error.errors() if fault["type"] == "value_error")
            raise ValueError(next(of_entries, f"must be {message}")) from None

    return WrapValidator(validate)


def _seen_from_its_file(path: Path, info: ValidationInfo) -> Path:
    """The folder of the file that names it is the context it is validated in."""
    return _absolute(path, info.context)


Filled = Annotated[str, Field(min_length=1)]
Folder = Annotated[Path, AfterValidator(_seen_from_its_file)]
Database = Annotated[DatabasePlace, PlainValidator(database_place)]
Instant = Annotated[datetime, AfterValidator(lambda at: at if at.tzinfo else at.replace(tzinfo=UTC))]
Zone = Annotated[ZoneInfo, PlainValidator(time_zone)]
ZoneName = Annotated[str, AfterValidator(lambda name: time_zone(name).key)]
Channel = Annotated[
    str, matches(r"#?[^\s#|]+", "is no channel; use a name such as #shipped or an id such as C0123456789")
]
UserGroup = Annotated[
    str, matches(r"@?[^\s|,@]+", "is no user group; use a name such as @engine or an id such as S0123456789")
]
ModelAddress = Annotated[str, AfterValidator(_model_address)]
Places = Annotated[list[Annotated[str, AfterValidator(_channel_or_group)]], Field(min_length=1)]
People = list[Annotated[str, AfterValidator(_person_or_group)]]
Day = Annotated[int, Field(ge=1, le=31), BeforeValidator(lambda value: 31 if value == "last" else value)]


class Table:
    """What every table has: a key that is not known is a mistake."""

    __slots__ = ()
    __pydantic_config__ = ConfigDict(extra="forbid")
