"""almanac.toml, `.env` and the environment → Settings. Every bad value is reported at once."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from bot.database import DatabasePlace
from bot.errors import SettingsError, without_credentials
from bot.month.areas import NamedArea
from bot.month.credits import BOTS, TOOLS
from bot.settings_tables import (
    AreaSettings,
    Database,
    DigestSettings,
    Fault,
    ModelSettings,
    PersonSettings,
    PrivacySettings,
    RepositorySettings,
    Secret,
    SprintSettings,
    TeamSettings,
    WebAddress,
    faults_in,
    kinds_of,
    read,
    within,
)

SLACK_API = "https://slack.com/api/"
_UTC = ZoneInfo("UTC")


def _default_home() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "almanac"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the bot runs with. Secrets print as asterisks."""

    home: Path = field(default_factory=_default_home)
    db: Database | None = None
    zone: ZoneInfo = _UTC
    fixed_now: datetime | None = None
    bot_token: Secret | None = None
    app_token: Secret | None = None
    signing_secret: Secret | None = None
    slack_api: WebAddress = SLACK_API
    host: str = ""  # empty: every address of this machine, in `demo` 127.0.0.1
    port: Annotated[int, within(0, 65535)] = 3000
    hook_secret: Secret | None = None
    metrics_token: Secret | None = None
    model_key: Secret | None = None

    repositories: list[RepositorySettings] = field(default_factory=list)
    people: list[PersonSettings] = field(default_factory=list)
    teams: list[TeamSettings] = field(default_factory=list)
    areas: list[AreaSettings] = field(default_factory=list)
    digests: list[DigestSettings] = field(default_factory=list)
    bots: list[str] = field(default_factory=BOTS.copy)
    tools: list[str] = field(default_factory=TOOLS.copy)
    dates: Literal["author", "committer"] = "author"
    join_people: Literal["by name", "addresses only"] = "by name"  # of one full name: see bot.month.joining
    refresh_minutes: Annotated[int, within(1)] = 30
    templates: Path | None = None
    model: ModelSettings | None = None
    privacy: PrivacySettings = field(default_factory=PrivacySettings)
    sprint: SprintSettings | None = None
    former: list[str] = field(default_factory=list)  # keys of former releases that almanac.toml has, in words

    @property
    def secrets(self) -> tuple[str, ...]:
        """What is never to be printed."""
        values = (getattr(self, one.name) for one in fields(self))
        return tuple(text for one in values if isinstance(one, Secret) and (text := one.get_secret_value()))

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

    def areas_of(self, repository: str) -> list[NamedArea]:
        """The parts of a repository that the settings name, in their order."""
        return [NamedArea(one.name, tuple(one.paths)) for one in self.areas if one.repository in (None, repository)]

    def team(self, name: str) -> TeamSettings | None:
        return next((team for team in self.teams if team.name == name), None)


# What only the environment says, for it is secret or of one process, and the variable that says it.
_ENVIRONMENT = {
    "home": "ALMANAC_HOME",
    "db": "ALMANAC_DB",
    "fixed_now": "ALMANAC_NOW",
    "bot_token": "SLACK_BOT_TOKEN",
    "app_token": "SLACK_APP_TOKEN",
    "signing_secret": "SLACK_SIGNING_SECRET",
    "slack_api": "SLACK_API_URL",
    "host": "HOST",
    "port": "PORT",
    "hook_secret": "ALMANAC_HOOK_SECRET",
    "metrics_token": "ALMANAC_METRICS_TOKEN",
    "model_key": "ALMANAC_MODEL_KEY",
}
# The keys of almanac.toml. Each may be set by a variable too, as JSON where it is a list or a table.
KEYS = sorted(one.name for one in fields(Settings) if one.name not in (*_ENVIRONMENT, "former"))
FORMER = ("mirror_contents", "slack")  # keys of former releases, which are ignored
VARIABLES = _ENVIRONMENT | {key: f"ALMANAC_{key.upper()}" for key in KEYS}
_UNKNOWN = f"no such key; known are {', '.join(KEYS)}"
_JSON = [one.name for one in fields(Settings) if re.match(r"list\[|\w+Settings\b", str(one.type))]


def load_settings(folder: Path | None = None) -> Settings:
    """Settings from the environment, `.env` and almanac.toml (in this order of precedence).

    almanac.toml is the file ALMANAC_CONFIG names, else the one in `folder` (the current one) if there
    is any. Raises SettingsError with a line for every value that is wrong.
    """
    folder = folder or Path.cwd()
    config, table = _read_config(folder)
    environment = {**_read_dotenv(folder / ".env"), **{name: text for name, text in os.environ.items() if text}}
    here = {name: environment[variable] for name, variable in VARIABLES.items() if variable in environment}
    in_file, faults = fields_of(
        {key: table[key] for key in KEYS if key in table and key not in here}, seen_from=config.parent
    )
    in_environment, faults_here = fields_of(here, encoded=_JSON)
    faults = [*(((key,), _UNKNOWN) for key in sorted(table.keys() - {*KEYS, *FORMER})), *faults, *faults_here]
    try:
        settings = Settings(**in_file, **in_environment, former=list(_former_in(table)))
    except RuntimeError as error:
        unknown_home = "nobody knows where your home folder is: set ALMANAC_HOME"
        raise SettingsError([*_lines(faults, config, here), unknown_home]) from error
    faults += _contradictions(settings, are_teams_known="teams" not in {place[0] for place, _ in faults})
    if faults:
        raise SettingsError([*_lines(faults, config, here)])
    return settings


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


def _read_dotenv(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    from dotenv import dotenv_values

    try:
        return {name: text for name, text in dotenv_values(path).items() if text}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError([f"{path}: cannot be read: {error}"]) from error


def fields_of(
    values: Mapping[str, Any], *, seen_from: Path | None = None, encoded: Collection[str] = ()
) -> tuple[dict[str, Any], list[Fault]]:
    """What is written of fields of Settings, as the fields hold it, and the faults of what they cannot.

    Relative folders are those of the folder `seen_from`, or of the current one; fields that are `encoded` are JSON.
    """
    kinds = kinds_of(Settings)
    meant: dict[str, Any] = {}
    faults: list[Fault] = []
    for name in (one for one in kinds if one in values):
        try:
            meant[name] = read(kinds[name], _decoded(values[name]) if name in encoded else values[name], seen_from)
        except ValueError as error:
            faults += [((name, *place), message) for place, message in faults_in(error)]
    return meant, faults


def _former_in(table: Mapping[str, Any]) -> Iterator[str]:
    """The keys of former releases that stand in almanac.toml, which is read well otherwise."""
    yield from (f"[{key}]" if isinstance(table[key], Mapping) else key for key in FORMER if key in table)
    for place, kind in (("[[digests]]", DigestSettings), ("[model]", ModelSettings)):
        found = table.get(place.strip("[]"))
        rows = found if isinstance(found, list) else [found]
        keys = {key for row in rows if isinstance(row, Mapping) for key in row}
        yield from (f"{key} under {place}" for key in kind.former if key in keys)


def _decoded(text: str) -> object:
    try:
        value: object = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()  # half a pair is no text
    except (ValueError, RecursionError) as error:
        raise ValueError("is no JSON: write it as JSON") from error
    return value


def _lines(faults: Iterable[Fault], config: Path, here: Mapping[str, str]) -> Iterator[str]:
    """A line for each fault, which begins with where it is to be fixed: a variable, or the file."""
    for place, message in faults:
        name, *inside = place
        if name in here:
            yield f"{VARIABLES[str(name)]}: {line_of(inside, message)}"
        else:
            yield f"{config}: {line_of(place, message)}"


def line_of(place: Iterable[str | int], message: str) -> str:
    """A fault in words, with its place as TOML would say it: "digests[2].day: must be …"."""
    steps = "".join(f"[{step + 1}]" if isinstance(step, int) else f".{_bare(step)}" for step in place)
    return f"{steps.removeprefix('.')}: {message}" if steps else message


def _bare(key: str) -> str:
    """A key as TOML writes it: in quotes where it is no plain word, so that it stays in its line."""
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key)


def _contradictions(settings: Settings, *, are_teams_known: bool) -> Iterator[Fault]:
    """What is wrong with values that are right one by one."""
    teams = {team.name for team in settings.teams}
    digests: dict[tuple[str | None, ...], int] = {}
    for number, digest in enumerate(settings.digests):
        if digest.team and digest.team not in teams and are_teams_known:
            yield ("digests", number, "team"), f"there is no team {digest.team!r} in [[teams]]"
        same = (digest.channel.lstrip("#"), digest.team or digest.group, *digest.repositories, digest.cadence)
        if (first := digests.setdefault(same, number)) != number:
            yield ("digests", number), f"number {first + 1} is of the same channel, people and cadence"
    owners: dict[str, str] = {}
    for number, person in enumerate(settings.people):
        for address in person.addresses:
            owner = owners.setdefault(address.lower(), person.name)
            if owner != person.name:
                said = f"{address} belongs to {owner} already; an address is one person's"
                yield ("people", number, "addresses"), said
    for table, key, values in (
        ("repositories", "address", [one.address for one in settings.repositories]),
        ("repositories", "name", [one.name for one in settings.repositories]),
        ("teams", "name", [one.name for one in settings.teams]),
    ):
        numbers: dict[str | None, int] = {}
        for number, value in enumerate(values):
            first = numbers.setdefault(value, number)
            if value is not None and first != number:
                yield (table, number, key), f"{without_credentials(value)} is that of number {first + 1} already"
    if settings.templates and not settings.templates.is_dir():
        yield ("templates",), f"there is no folder {settings.templates}"
