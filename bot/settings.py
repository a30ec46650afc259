"""What almanac.toml and the environment may say, as values; `bot.settings_sources` reads them.

They are plain dataclasses: pydantic reads their types and limits where `load_settings` or a stored digest asks it to.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, SecretStr, TypeAdapter

from bot.database import DatabasePlace
from bot.model import Dates
from bot.month.machines import BOTS, TOOLS
from bot.settings_types import (
    Channel,
    Database,
    Day,
    Filled,
    Folder,
    Instant,
    ModelAddress,
    People,
    Places,
    Table,
    UserGroup,
    Zone,
    ZoneName,
    matches,
    must_be,
)

SLACK_API = "https://slack.com/api/"
_UTC = ZoneInfo("UTC")

# Whether people of one full name are treated as one person: see bot.month.by_name.
JoinPeople = Literal["by name", "addresses only"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositorySettings(Table):
    address: Filled
    name: Filled | None = None
    audience: Annotated[Literal["everyone"] | Places, must_be('"everyone", or a list of channels and user groups')] = (
        "everyone"
    )
    branch: Filled | None = None


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
class DigestSettings(Table):
    channel: Channel
    team: str | None = None
    group: UserGroup | None = None
    repositories: list[str] = field(default_factory=list)
    cadence: Literal["weekly", "monthly", "quarterly"] = "monthly"
    day: Day = 1
    hour: Annotated[int, Field(ge=0, le=23)] = 9
    zone: ZoneName | None = None
    quiet: Literal["say", "skip"] = "say"
    templates: Folder | None = None
    months_back: Annotated[int, Field(ge=0, le=24)] = 3
    preview_days: Annotated[int, Field(ge=0, le=14)] = 0
    unanswered: Literal["post", "leave out"] = "post"

    def as_wanted(self) -> dict[str, Any]:
        """What is other than the defaults, as plain JSON: the form in which a digest is stored."""
        values: dict[str, Any] = digest_adapter().dump_python(self, mode="json", exclude_defaults=True)
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
        must_be('"everyone", "nobody", or a list of people and user groups'),
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

    charts: bool = True
    streaming: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings(Table):
    """A language model that words are asked of. Its key stands in ALMANAC_MODEL_KEY, never here.

    `second_opinion` is whether the same model is asked again whether each sentence holds, or which other is. With
    `questions`, it reads what people ask where our own tables do not understand it.
    """

    address: ModelAddress
    name: Filled
    seconds: Annotated[float, Field(gt=0, le=600)] = 20
    tokens: Annotated[int, Field(ge=500, le=1_000_000)] = 8000
    diffs: bool = False
    second_opinion: Annotated[
        bool | Filled, Field(union_mode="left_to_right"), must_be("true, false or the name of a model")
    ] = False
    questions: bool = False


def _default_home() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "almanac"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the bot runs with. Secrets print as asterisks."""

    home: Folder = field(default_factory=_default_home)
    db: Database | None = None
    zone: Zone = _UTC
    fixed_now: Instant | None = None
    bot_token: SecretStr | None = None
    app_token: SecretStr | None = None
    signing_secret: SecretStr | None = None
    slack_api: Annotated[str, matches("https?://.*", "must begin with https:// or http://")] = SLACK_API
    host: str = ""  # empty: every address of this machine, in `demo` 127.0.0.1
    port: Annotated[int, Field(ge=0, le=65535)] = 3000
    hook_secret: SecretStr | None = None
    metrics_token: SecretStr | None = None
    model_key: SecretStr | None = None

    repositories: list[RepositorySettings] = field(default_factory=list)
    people: list[PersonSettings] = field(default_factory=list)
    teams: list[TeamSettings] = field(default_factory=list)
    digests: list[Digest] = field(default_factory=list)
    bots: list[str] = field(default_factory=BOTS.copy)
    tools: list[str] = field(default_factory=TOOLS.copy)
    dates: Dates = "author"
    join_people: JoinPeople = "by name"
    refresh_minutes: Annotated[int, Field(ge=1)] = 30
    mirror_contents: bool = True
    templates: Folder | None = None
    model: ModelSettings | None = None
    privacy: PrivacySettings = field(default_factory=PrivacySettings)
    slack: SlackSettings = field(default_factory=SlackSettings)
    sprint: SprintSettings | None = None

    @property
    def database(self) -> DatabasePlace:
        return self.db or self.home / "almanac.db"

    @property
    def mirrors(self) -> Path:
        return self.home / "mirrors"

    @property
    def has_endpoints(self) -> bool:
        """Whether the bot is to listen on PORT for others than Slack."""
        return bool(self.hook_secret or self.metrics_token)

    def now(self) -> datetime:
        """The present, or what ALMANAC_NOW fixes it at for tests and demonstrations."""
        return self.fixed_now or datetime.now(UTC)

    def team(self, name: str) -> TeamSettings | None:
        return next((team for team in self.teams if team.name == name), None)
