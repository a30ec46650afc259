"""almanac.toml and the environment → Settings. Every bad value is reported at once."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from bot.errors import SettingsError
from bot.index.address import without_credentials
from bot.model import Dates
from bot.settings_tables import (
    BOTS,
    TOOLS,
    Aware,
    DigestSettings,
    Folder,
    ModelSettings,
    PersonSettings,
    PrivacySettings,
    RepositorySettings,
    SlackSettings,
    Table,
    TeamSettings,
    ZoneName,
)

__all__ = [
    "BOTS", "SLACK_API", "TOOLS", "DigestSettings", "ModelSettings", "PersonSettings", "PrivacySettings",
    "RepositorySettings", "Settings", "SlackSettings", "TeamSettings", "load_settings",
]  # fmt: skip

SLACK_API = "https://slack.com/api/"


class Settings(BaseModel):
    """What the bot runs with. Secrets print as asterisks."""

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    home: Folder = Field(default_factory=lambda: _default_home(), alias="ALMANAC_HOME")
    db: Folder | None = Field(default=None, alias="ALMANAC_DB")
    zone_name: ZoneName = Field(default="UTC", alias="ALMANAC_ZONE")
    fixed_now: Aware | None = Field(default=None, alias="ALMANAC_NOW")
    bot_token: SecretStr | None = Field(default=None, alias="SLACK_BOT_TOKEN")
    app_token: SecretStr | None = Field(default=None, alias="SLACK_APP_TOKEN")
    signing_secret: SecretStr | None = Field(default=None, alias="SLACK_SIGNING_SECRET")
    slack_api: str = Field(default=SLACK_API, alias="SLACK_API_URL", pattern="^https?://")
    port: int = Field(default=3000, alias="PORT", ge=0, le=65535)
    model_key: SecretStr | None = Field(default=None, alias="ALMANAC_MODEL_KEY")

    repositories: list[RepositorySettings] = []
    people: list[PersonSettings] = []
    teams: list[TeamSettings] = []
    digests: list[DigestSettings] = []
    bots: list[str] = BOTS
    tools: list[str] = TOOLS
    dates: Dates = "author"
    refresh_minutes: int = Field(default=30, ge=1)
    mirror_contents: bool = True
    templates: Folder | None = None
    model: ModelSettings | None = None
    privacy: PrivacySettings = PrivacySettings()
    slack: SlackSettings = SlackSettings()

    @property
    def database(self) -> Path:
        return self.db or self.home / "almanac.db"

    @property
    def mirrors(self) -> Path:
        return self.home / "mirrors"

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.zone_name)

    def now(self) -> datetime:
        """The present, or what ALMANAC_NOW fixes it at for tests and demonstrations."""
        return self.fixed_now or datetime.now(UTC)

    def team(self, name: str) -> TeamSettings | None:
        return next((team for team in self.teams if team.name == name), None)


def _default_home() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "almanac"


def load_settings(folder: Path | None = None) -> Settings:
    """Settings from the environment, `.env` and almanac.toml (in this order of precedence).

    almanac.toml is the file ALMANAC_CONFIG names, else the one in `folder` (the current one) if there
    is any. Raises SettingsError with a line for every value that is wrong.
    """
    folder = folder or Path.cwd()
    config, values = _read_config(folder)
    faults = [f"{config}: {key}: {_UNKNOWN}" for key in sorted(set(values) - set(_KEYS))]
    try:
        # What is set for this one process wins over the file.
        settings = Settings(**{**_for_fields(config, values), **_from_environment(folder / ".env")})
    except ValidationError as error:
        raise SettingsError([*faults, *_faults(error, config, values)]) from error
    except SettingsError as error:
        raise SettingsError([*faults, *error.faults]) from error
    except RuntimeError as error:
        raise SettingsError([*faults, "nobody knows where your home folder is: set ALMANAC_HOME"]) from error
    if faults := [*faults, *_contradictions(settings, config)]:
        raise SettingsError(faults)
    return settings


_KEYS = (
    "bots", "dates", "digests", "mirror_contents", "model", "people", "privacy", "refresh_minutes", "repositories",
    "slack", "teams", "templates", "tools", "zone",
)  # fmt: skip
_UNKNOWN = f"no such key; known are {', '.join(_KEYS)}"


def _read_config(folder: Path) -> tuple[Path, dict[str, Any]]:
    """almanac.toml's path, and what it says as it stands."""
    named = os.environ.get("ALMANAC_CONFIG")
    config = Path(named) if named else folder / "almanac.toml"
    try:
        config = config.expanduser()
        with config.open("rb") as file:
            return config, tomllib.load(file)
    except FileNotFoundError as error:
        if not named:
            return config, {}
        raise SettingsError(
            [f"ALMANAC_CONFIG names {config}, which does not exist: make it or unset the variable"]
        ) from error
    except (OSError, RuntimeError) as error:
        raise SettingsError([f"{config}: cannot be read: {getattr(error, 'strerror', None) or error}"]) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError([f"{config}: is no TOML: {error}"]) from error


def _from_environment(dotenv: Path) -> dict[str, Any]:
    """What the environment sets, and `.env` where that does not, under the names that Settings takes.

    Each key of almanac.toml may be set as ALMANAC_KEY too; lists and tables are written as JSON there.
    """
    found = {**_read_dotenv(dotenv), **{name: text for name, text in os.environ.items() if text}}
    values: dict[str, Any] = {}
    for name, field in Settings.model_fields.items():
        variable = field.alias or f"ALMANAC_{name.upper()}"
        if variable not in found:
            continue
        values[field.alias or name] = found[variable]
        if isinstance(field.default, list | Table) or name == "model":
            try:
                values[name] = json.loads(found[variable])
            except ValueError as error:
                raise SettingsError(
                    [f'the environment: "{name}" in {variable} is no JSON: write it as JSON']
                ) from error
    return values


def _read_dotenv(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    from dotenv import dotenv_values

    try:
        return {name: text for name, text in dotenv_values(path).items() if text}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError([f"{path}: cannot be read: {error}"]) from error


def _for_fields(config: Path, values: dict[str, Any]) -> dict[str, Any]:
    """What almanac.toml says, under the names that Settings takes. A relative folder is seen from the file."""
    known = {key: value for key, value in values.items() if key in _KEYS}
    if "zone" in known:
        known["ALMANAC_ZONE"] = known.pop("zone")
    if isinstance(known.get("templates"), str) and not known["templates"].startswith("~"):
        known["templates"] = config.parent / known["templates"]
    for table in known["digests"] if isinstance(known.get("digests"), list) else ():
        folder = table.get("templates") if isinstance(table, dict) else None
        if isinstance(folder, str) and not folder.startswith("~"):
            table["templates"] = config.parent / folder
    return known


def _faults(error: ValidationError, config: Path, values: dict[str, Any]) -> Iterator[str]:
    for fault in error.errors(include_input=False, include_url=False):
        place, *rest = fault["loc"]
        message = {"extra_forbidden": "no such key", "missing": "is missing"}.get(
            fault["type"], fault["msg"].removeprefix("Value error, ")
        )
        aliases = {field.alias for field in Settings.model_fields.values()}
        variable = str(place) if place in aliases else f"ALMANAC_{str(place).upper()}"
        in_file = "zone" if place == "ALMANAC_ZONE" else str(place)
        if os.environ.get(variable) or in_file not in values:
            yield f"{variable}: {message}"
            continue
        path = in_file
        for step in rest:
            path += f"[{step + 1}]" if isinstance(step, int) else f".{step}"
        yield f"{config}: {path}: {message}"


def _contradictions(settings: Settings, config: Path) -> Iterator[str]:
    teams = {team.name for team in settings.teams}
    digests: dict[tuple[str | None, ...], int] = {}
    for number, digest in enumerate(settings.digests, 1):
        if digest.team and digest.team not in teams:
            yield f"{config}: digests[{number}].team: there is no team {digest.team!r} in [[teams]]"
        if digest.templates and not digest.templates.is_dir():
            yield f"{config}: digests[{number}].templates: there is no folder {digest.templates}"
        same = (digest.channel.lstrip("#"), digest.team or digest.group, *digest.repositories, digest.cadence)
        if (first := digests.setdefault(same, number)) != number:
            yield f"{config}: digests[{number}]: number {first} is of the same channel, people and cadence"
    owners: dict[str, str] = {}
    for number, person in enumerate(settings.people, 1):
        for address in person.addresses:
            owner = owners.setdefault(address.lower(), person.name)
            if owner != person.name:
                yield (
                    f"{config}: people[{number}].addresses: {address} belongs to {owner} already; "
                    f"an address is one person's"
                )
    for key, values in (
        ("repositories[{}].address", [table.address for table in settings.repositories]),
        ("repositories[{}].name", [table.name for table in settings.repositories]),
        ("teams[{}].name", [team.name for team in settings.teams]),
    ):
        for number, value in enumerate(values, 1):
            if value is not None and (first := values.index(value) + 1) != number:
                yield f"{config}: {key.format(number)}: {without_credentials(value)} is that of number {first} already"
    if settings.templates and not settings.templates.is_dir():
        yield f"{config}: templates: there is no folder {settings.templates}"
