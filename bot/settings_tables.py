"""The tables of almanac.toml as values, and what a value may be: types with their limits.

They are plain dataclasses: pydantic reads their types where `load_settings` or a stored digest asks it to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from bot.database import DatabasePlace, absolute, database_place
from bot.errors import without_credentials
from bot.model import Audience
from bot.month.calendar import time_zone


def _web_address(address: str) -> str:
    """An address that paths can be put behind, without a slash at its end."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable or re.search(r"[\s\x00-\x1f]", address):
        raise ValueError("is no address; use one such as https://HOST/PATH")
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


def _name_of_repository(text: str) -> str:
    if without_credentials(text) != text:
        raise ValueError("is an address: write the name of the repository")
    return text


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


def _must_be(message: str) -> WrapValidator:
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
    return absolute(path, info.context)


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
WebAddress = Annotated[str, AfterValidator(_web_address)]
Places = Annotated[list[Annotated[str, AfterValidator(_channel_or_group)]], Field(min_length=1)]
People = list[Annotated[str, AfterValidator(_person_or_group)]]
Day = Annotated[int, Field(ge=1, le=31), BeforeValidator(lambda value: 31 if value == "last" else value)]


class Table:
    """What every table has: a key that is not known is a mistake."""

    __slots__ = ()
    __pydantic_config__ = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositorySettings(Table):
    address: Filled
    name: Filled | None = None
    audience: Annotated[Literal["everyone"] | Places, _must_be('"everyone", or a list of channels and user groups')] = (
        "everyone"
    )
    branch: Filled | None = None

    @property
    def lets_in(self) -> Audience:
        return () if self.audience == "everyone" else (tuple(self.audience),)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonSettings(Table):
    name: Filled
    addresses: list[str] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)
    nicknames: list[str] = field(default_factory=list)
    slack: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SprintSettings(Table):
    """Sprints follow each other without a gap: the first day of any of them, and how many days each has."""

    first: date
    days: Annotated[int, Field(ge=1, le=366)] = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamSettings(Table):
    name: Annotated[Filled, matches(r"[^|]+", "must be without |")]
    people: Annotated[list[str], Field(min_length=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaSettings(Table):
    """A part of the product by name, and the beginnings of the paths that are in it, of one repository or of any.
    Without a name it is no area at all."""

    name: str = ""
    paths: Annotated[list[Filled], Field(min_length=1)]
    repository: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestSettings(Table):
    channel: Channel
    team: str | None = None
    group: UserGroup | None = None
    repositories: list[Annotated[str, AfterValidator(_name_of_repository)]] = field(default_factory=list)
    cadence: Literal["weekly", "monthly", "quarterly"] = "monthly"
    day: Day = 1
    hour: Annotated[int, Field(ge=0, le=23)] = 9
    zone: ZoneName | None = None
    quiet: Literal["say", "skip"] = "say"
    templates: Folder | None = None
    months_back: Annotated[int, Field(ge=0, le=24)] = 3
    preview_days: Annotated[int | None, Field(ge=0, le=14)] = None  # of a former release, as the next: nobody is asked
    unanswered: Literal["post", "leave out"] | None = None

    def as_wanted(self) -> dict[str, Any]:
        """What is other than the defaults, as plain JSON: the form in which a digest is stored."""
        values: dict[str, Any] = digest_adapter().dump_python(
            self, mode="json", exclude_defaults=True, exclude={"preview_days", "unanswered"}
        )
        return values


def _fits(digest: DigestSettings) -> DigestSettings:
    """What the keys of a digest must be together."""
    if digest.cadence == "weekly" and digest.day > 7:
        raise ValueError("the day of a weekly digest is 1 (Monday) to 7 (Sunday)")
    if digest.team and digest.group:
        raise ValueError("has both a team and a group: a digest is of one of them")
    return digest


# A dataclass alone cannot say what holds of several of its keys.
Digest = Annotated[DigestSettings, AfterValidator(_fits)]


@cache
def digest_adapter() -> TypeAdapter[DigestSettings]:
    """Reads and writes a digest as it is stored. Made when it is first asked for: few commands do."""
    return TypeAdapter(Digest)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacySettings(Table):
    """Who may see what, besides the audiences of repositories; docs/privacy.md tells the rules."""

    about_others: Annotated[
        Literal["everyone", "nobody"] | Annotated[People, Field(min_length=1)],
        _must_be('"everyone", "nobody", or a list of people and user groups'),
    ] = "everyone"
    answers_about_others: Literal["channel", "asker"] = "channel"
    guests: bool = False
    shared_channels: bool = False
    admins: People = field(default_factory=list)

    @property
    def claims_wait(self) -> bool:
        """Whether what somebody says of themselves counts for nothing before an admin has confirmed it: by it they
        would read of others what they may not ask."""
        return self.about_others != "everyone"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackSettings(Table):
    """What of Slack is used."""

    # Of former releases: no charts are posted, and months are not written while they are read any more.
    charts: bool | None = None
    streaming: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings(Table):
    """A language model that words are asked of. Its key stands in ALMANAC_MODEL_KEY, never here.

    With `questions`, it answers what our own tables do not wholly account for.
    """

    address: WebAddress
    name: Filled
    seconds: Annotated[float, Field(gt=0, le=600)] = 20
    tokens: Annotated[int, Field(ge=500, le=1_000_000)] = 8000
    diffs: bool = False
    questions: bool = False
    second_opinion: bool | str | None = None  # of former releases: a sentence that holds is asked about once
