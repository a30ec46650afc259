"""almanac.toml and the environment → Settings. Every bad value is reported at once."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, get_type_hints
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, SecretStr, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from bot.database import DatabasePlace
from bot.errors import SettingsError
from bot.index.address import without_credentials
from bot.model import Dates
from bot.month.machines import BOTS, TOOLS
from bot.settings_tables import (
    DatabaseSetting,
    Digest,
    DigestSettings,
    Folder,
    JoinPeople,
    ModelSettings,
    PersonSettings,
    PrivacySettings,
    RepositorySettings,
    SlackSettings,
    SprintSettings,
    TeamSettings,
    ZoneName,
    matches,
    message_of,
)

__all__ = [
    "KEYS", "SLACK_API", "VARIABLES", "DigestSettings", "ModelSettings", "PersonSettings",
    "PrivacySettings", "RepositorySettings", "SecretStr", "Settings", "SlackSettings", "SprintSettings", "TeamSettings",
    "fields_of", "load_settings",
]  # fmt: skip

SLACK_API = "https://slack.com/api/"


def _default_home() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "almanac"


def _aware(instant: datetime) -> datetime:
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the bot runs with. Secrets print as asterisks."""

    home: Folder = field(default_factory=_default_home)
    db: DatabaseSetting | None = None
    zone_name: ZoneName = "UTC"
    fixed_now: Annotated[datetime, AfterValidator(_aware)] | None = None
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
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.zone_name)

    @property
    def has_endpoints(self) -> bool:
        """Whether the bot is to listen on PORT for others than Slack."""
        return bool(self.hook_secret or self.metrics_token)

    def now(self) -> datetime:
        """The present, or what ALMANAC_NOW fixes it at for tests and demonstrations."""
        return self.fixed_now or datetime.now(UTC)

    def team(self, name: str) -> TeamSettings | None:
        return next((team for team in self.teams if team.name == name), None)


# The variable of the environment that sets each field; those of _JSON are written as JSON there.
VARIABLES = {one.name: f"ALMANAC_{one.name.upper()}" for one in fields(Settings)} | {
    "zone_name": "ALMANAC_ZONE",
    "fixed_now": "ALMANAC_NOW",
    "bot_token": "SLACK_BOT_TOKEN",
    "app_token": "SLACK_APP_TOKEN",
    "signing_secret": "SLACK_SIGNING_SECRET",
    "slack_api": "SLACK_API_URL",
    "host": "HOST",
    "port": "PORT",
}
_JSON = ("repositories", "people", "teams", "digests", "bots", "tools", "model", "privacy", "slack", "sprint")


def fields_of(values: Mapping[str, Any]) -> tuple[dict[str, Any], list[ErrorDetails]]:
    """What is written of each field of Settings, as the field holds it, and the faults of what cannot be.

    Only what is written has its type read: to read those of all fields takes longer than most commands.
    """
    kinds = get_type_hints(Settings, include_extras=True)
    meant: dict[str, Any] = {}
    faults: list[ErrorDetails] = []
    for name in (one.name for one in fields(Settings) if one.name in values):
        try:
            meant[name] = TypeAdapter(kinds[name]).validate_python(values[name])
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False)
            faults += [{**fault, "loc": (name, *fault["loc"])} for fault in found]
    return meant, faults


def load_settings(folder: Path | None = None) -> Settings:
    """Settings from the environment, `.env` and almanac.toml (in this order of precedence).

    almanac.toml is the file ALMANAC_CONFIG names, else the one in `folder` (the current one) if there
    is any. Raises SettingsError with a line for every value that is wrong.
    """
    folder = folder or Path.cwd()
    config, table = _read_config(folder)
    faults = [f"{config}: {_bare(key)}: {_UNKNOWN}" for key in sorted(set(table) - set(KEYS))]
    here, unreadable = _from_environment(folder / ".env")
    faults += unreadable
    # What is set for this one process wins over the file.
    meant, wrong = fields_of({**_for_fields(config, table), **here})
    if wrong:
        raise SettingsError([*faults, *_lines(wrong, config, here)])
    try:
        settings = Settings(**meant)
    except RuntimeError as error:
        raise SettingsError([*faults, "nobody knows where your home folder is: set ALMANAC_HOME"]) from error
    if faults := [*faults, *_contradictions(settings, config)]:
        raise SettingsError(faults)
    return settings


KEYS = (
    "bots", "dates", "digests", "join_people", "mirror_contents", "model", "people", "privacy", "refresh_minutes",
    "repositories", "slack", "sprint", "teams", "templates", "tools", "zone",
)  # fmt: skip
_UNKNOWN = f"no such key; known are {', '.join(KEYS)}"


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


def _from_environment(dotenv: Path) -> tuple[dict[str, Any], list[str]]:
    """What the environment sets, and `.env` where that does not, under the names that Settings takes; and the faults
    of what cannot be read.

    Each key of almanac.toml may be set as ALMANAC_KEY too; lists and tables are written as JSON there.
    """
    found = {**_read_dotenv(dotenv), **{name: text for name, text in os.environ.items() if text}}
    values: dict[str, Any] = {}
    faults = []
    for name, variable in VARIABLES.items():
        if variable not in found:
            continue
        try:
            value = json.loads(found[variable]) if name in _JSON else found[variable]
            json.dumps(value, ensure_ascii=False).encode()  # no bytes of another encoding, no half of a pair in JSON
            values[name] = value
        except UnicodeEncodeError:
            faults.append(f"{variable}: holds characters that are no text")
        except (ValueError, RecursionError):
            faults.append(f'the environment: "{name}" in {variable} is no JSON: write it as JSON')
    return values, faults


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
    known = {key: value for key, value in values.items() if key in KEYS}
    if "zone" in known:
        known["zone_name"] = known.pop("zone")
    if isinstance(known.get("templates"), str) and not known["templates"].startswith("~"):
        known["templates"] = config.parent / known["templates"]
    for table in known["digests"] if isinstance(known.get("digests"), list) else ():
        folder = table.get("templates") if isinstance(table, dict) else None
        if isinstance(folder, str) and not folder.startswith("~"):
            table["templates"] = config.parent / folder
    return known


def _lines(faults: Iterable[ErrorDetails], config: Path, here: dict[str, Any]) -> Iterator[str]:
    """A line for every fault, with where it is to be fixed: a variable, or a place in the file."""
    for fault in faults:
        name, *steps = fault["loc"]
        inside = "".join(f"[{step + 1}]" if isinstance(step, int) else f".{_bare(step)}" for step in steps)
        if name not in here:
            yield f"{config}: {'zone' if name == 'zone_name' else name}{inside}: {message_of(fault)}"
        else:
            place = f" {inside.removeprefix('.')}:" if inside else ""
            yield f"{VARIABLES[str(name)]}:{place} {message_of(fault)}"


def _bare(key: str) -> str:
    """A key as TOML writes it: in quotes where it is no plain word, so that it stays in its line."""
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key)


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
