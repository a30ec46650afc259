"""The tables of almanac.toml, and what a value in them may be."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

# Authors that are machines, by name or address; see bot.month.people.is_bot for how a pattern is held against them.
BOTS = [
    "*[bot]", "*[bot]@*", "* bot", "*-bot", "*_bot", "dependabot*", "renovate*", "github-actions*", "*-ci",
    "generatedunixname*",
]  # fmt: skip
# AI tools that trailers name; see bot.month.people.is_tool for how a pattern is held against them. Companies' own
# people write from the same domains, so an address stands here in full; a first name only with what a tool adds.
TOOLS = [
    "noreply@anthropic.com", "claude@anthropic.com", "claude@users.noreply.github.com",
    "*+claude@users.noreply.github.com", "*claude*[bot]*", "claude", "claude ai", "claude code*", "claude opus*",
    "claude sonnet*", "claude haiku*", "claude fable*", "claude 3*", "claude 4*", "claude 5*",
    "copilot@github.com", "copilot@users.noreply.github.com", "*+copilot@users.noreply.github.com", "*copilot*[bot]*",
    "copilot", "copilot agent*", "copilot autofix*", "copilot coding agent*", "copilot swe agent*", "github copilot*",
    "cursoragent@cursor.com", "cursor <cursoragent*", "*cursor*[bot]*", "cursor", "cursor agent*", "cursor ai*",
    "codex@openai.com", "noreply@openai.com", "*codex*[bot]*", "codex", "codex cli*", "openai codex*", "chatgpt*",
    "gpt-*", "gemini", "gemini cli*", "gemini code assist*", "gemini 1*", "gemini 2*", "gemini 3*", "google gemini*",
    "*gemini*[bot]*", "devin ai*", "devin@cognition.ai", "devin@cognition-labs.com", "*devin-ai*[bot]*",
    "aider (*", "aider@aider.chat", "noreply@aider.chat", "windsurf ai*", "windsurf cascade*", "windsurf@codeium.com",
    "noreply@windsurf.com", "amp@ampcode.com", "noreply@ampcode.com", "amp@sourcegraph.com", "sourcegraph amp*",
    "amazon q developer*", "*amazon-q*[bot]*", "google jules*", "*jules*[bot]*", "junie@jetbrains.com",
    "jetbrains junie*", "opencode", "noreply@opencode.ai", "crush@charm.land", "agent@warp.dev",
    "roomote@roocode.com", "roo code*", "openhands@all-hands.dev", "qwen-coder*", "*coderabbit*[bot]*",
    "*greptile*[bot]*", "*sourcery-ai*[bot]*",
]  # fmt: skip


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"{name!r} is no time zone; use a name such as Europe/Berlin or UTC") from None
    return name


def _absolute(path: Path) -> Path:
    try:
        return path.expanduser().absolute()
    except RuntimeError:
        raise ValueError(f"nobody knows the home folder in {str(path)!r}; write the whole path") from None


def _aware(instant: datetime) -> datetime:
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


def _day(value: object) -> object:
    return 31 if value == "last" else value


def _audience(value: object) -> object:
    if value != "everyone" and not _is_list(value):
        raise ValueError('must be "everyone", or a list of channels and user groups')
    for entry in value if isinstance(value, list) else ():
        if entry == "everyone":
            raise ValueError('"everyone" stands alone, not in a list')
        if not re.fullmatch(r"[#@]?[^\s#@|<>]+", entry) or re.fullmatch(r"[UW][A-Z0-9]{8,}", entry):  # a user's id
            raise ValueError(
                f"{entry!r} is neither a channel (#leads, C0123456789) nor a user group (@leads, S0123456789)"
            )
    return value


def _others(value: object) -> object:
    if value in ("everyone", "nobody"):
        return value
    if not _is_list(value):
        raise ValueError('must be "everyone", "nobody", or a list of people and user groups')
    return _people(value)


def _people(value: object) -> object:
    """A list of people: names, ids such as U0123456789, and user groups."""
    for entry in value if isinstance(value, list) else ():
        if entry in ("everyone", "nobody"):
            raise ValueError(f'"{entry}" stands for no person in a list')
        if isinstance(entry, str) and (not entry.strip() or entry.startswith("#") or entry == "@"):
            raise ValueError(
                f"{entry!r} is neither a person (a name, U0123456789) nor a user group (@leads, S0123456789)"
            )
    return value


def _is_list(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)


def _channel(name: str) -> str:
    if not re.fullmatch(r"#?[^\s#|]+", name):
        raise ValueError(f"{name!r} is no channel; use a name such as #shipped or an id such as C0123456789")
    return name


Folder = Annotated[Path, AfterValidator(_absolute)]
ZoneName = Annotated[str, AfterValidator(_zone)]
Aware = Annotated[datetime, AfterValidator(_aware)]


class Table(BaseModel):
    """A table of almanac.toml. A key that is not known is a mistake, so it is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RepositorySettings(Table):
    address: str = Field(min_length=1)
    name: str | None = Field(default=None, min_length=1)
    audience: Annotated[str | list[str], BeforeValidator(_audience)] = "everyone"
    branch: str | None = Field(default=None, min_length=1)


class PersonSettings(Table):
    name: str = Field(min_length=1)
    addresses: list[str] = []
    logins: list[str] = []
    nicknames: list[str] = []
    slack: str | None = None


class TeamSettings(Table):
    name: str = Field(min_length=1, pattern=r"^[^|]+$")
    people: list[str] = Field(min_length=1)


class DigestSettings(Table):
    channel: Annotated[str, AfterValidator(_channel)]
    team: str | None = None
    group: str | None = Field(default=None, pattern=r"^@?[^\s|,@]+$")
    repositories: list[str] = []
    cadence: Literal["weekly", "monthly", "quarterly"] = "monthly"
    day: Annotated[int, BeforeValidator(_day)] = Field(default=1, ge=1, le=31)
    hour: int = Field(default=9, ge=0, le=23)
    zone: ZoneName | None = None
    quiet: Literal["say", "skip"] = "say"
    templates: Folder | None = None
    months_back: int = Field(default=3, ge=0, le=24)
    preview_days: int = Field(default=0, ge=0, le=14)
    unanswered: Literal["post", "leave out"] = "post"

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.cadence == "weekly" and self.day > 7:
            raise ValueError("the day of a weekly digest is 1 (Monday) to 7 (Sunday)")
        if self.team and self.group:
            raise ValueError("has both a team and a group: a digest is of one of them")
        return self


class PrivacySettings(Table):
    """Who may see what, besides the audiences of repositories; docs/privacy.md tells the rules."""

    about_others: Annotated[Literal["everyone", "nobody"] | list[str], BeforeValidator(_others)] = "everyone"
    answers_about_others: Literal["channel", "asker"] = "channel"
    guests: bool = False
    shared_channels: bool = False
    admins: Annotated[list[str], BeforeValidator(_people)] = []


class SlackSettings(Table):
    """What of Slack is used."""

    charts: bool = True
    streaming: bool = True


def _model_address(address: str) -> str:
    """An address that paths can be put behind, without a slash at its end."""
    parts = urlsplit(address)  # raises ValueError for what is none at all
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"[\s\x00-\x1f]", address):
        raise ValueError("is no address; use one such as http://localhost:11434/v1")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("must hold neither a name, nor a password, nor what stands behind ? or #")
    if parts.port == 0:
        raise ValueError("is no address; use one such as http://localhost:11434/v1")
    return address.rstrip("/")


class ModelSettings(Table):
    """A language model that words are asked of. Its key stands in ALMANAC_MODEL_KEY, never here."""

    address: Annotated[str, AfterValidator(_model_address)]
    name: str = Field(min_length=1)
    seconds: float = Field(default=20, gt=0, le=600, allow_inf_nan=False)
    tokens: int = Field(default=8000, ge=500, le=1_000_000)
