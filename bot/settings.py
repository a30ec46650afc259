"""almanac.toml, `.env` and the environment → Settings: the tables as values, what a value may be, and how it is read;
and where the database is: in a file, or at the address of a PostgreSQL server.

A table is a frozen dataclass; the type of a field says what may stand there. Whoever reads one gets the value, or all
that is wrong with it at once: each fault with its place. `former` names keys of former releases, which are ignored.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from bot.errors import SettingsError, without_credentials
from bot.model import Audience
from bot.month.areas import NamedArea
from bot.month.calendar import Cadence, Week, time_zone
from bot.month.credits import BOTS, TOOLS

_HOST = r"(?:\[[^]/?#\s]*\]|[^][:,/?#@\s]*)(?::\d*)?"
_ADDRESS = re.compile(rf"postgres(?:ql)?://(?:[^/?#]*@)?(?P<at>{_HOST}(?:,{_HOST})*/+[^/@?#][^@?#]*)(?:[?#].*)?")
_LIKE_AN_ADDRESS = re.compile(r"(?i)\s*[a-z][\w+.-]+:/|\s*(?:postgres\w*|mysql)\W{0,3}//|[^:]*:.*@|.*\bpassword\s*=")


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """`url` is as PostgreSQL's own programs take it. As text it is the server and the database, without any secret.

    Raises ValueError for one that names no database.
    """

    url: str = field(repr=False)

    def __post_init__(self) -> None:
        if not _ADDRESS.fullmatch(self.url):
            raise ValueError("is no database address: use postgresql://HOST/DATABASE, with USER:PASSWORD@ before HOST")

    def __str__(self) -> str:
        return _ADDRESS.sub(r"postgresql://\g<at>", self.url)


DatabasePlace = Path | PostgresAddress


def database_place(value: object) -> DatabasePlace:
    """What ALMANAC_DB takes: an address, or a path, seen from the current folder. Raises ValueError."""
    if isinstance(value, str) and _LIKE_AN_ADDRESS.match(value):
        return PostgresAddress(value)
    return absolute(value)


def absolute(value: object, folder: Path = Path()) -> Path:
    """A relative path is seen from the folder. Raises ValueError."""
    if not isinstance(value, str | Path):
        raise ValueError("must be a path in quotes")
    try:
        return (folder / Path(value).expanduser()).absolute()
    except (RuntimeError, ValueError):  # a name that no user has, or could have
        raise ValueError(f"nobody knows the home folder in {str(value)!r}; write the whole path") from None


Fault = tuple[tuple[str | int, ...], str]  # where a bad value is, by keys and by places in lists, and what is wrong


class Faults(ValueError):
    """All that is wrong with a value of several parts."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__(faults[0][1])
        self.faults = faults


class Secret:
    """A text that is never printed."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_secret_value(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "**********"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)


# --- reading


def read(kind: Any, value: object, folder: Path | None = None) -> Any:
    """A value as its type has it. Relative paths are seen from `folder`, or from the current one. In the environment
    everything is text, so numbers, yes and no may be written as that.

    Raises ValueError, which is Faults where it is a value of several parts.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        first, *checks = inner
        if isinstance(checks[0], Instead):
            return checks[0].read(value)
        found = read(first, value, folder)
        for check in checks:
            found = check(found)
        return found
    if origin in (UnionType, Union):  # with None; where there are more, they are Annotated with Instead
        return None if value is None else read(next(one for one in inner if one is not NoneType), value, folder)
    if origin is Literal:
        if not isinstance(value, str) or value not in inner:
            *others, last = map(repr, inner)
            raise ValueError(f"must be {', '.join(others)} or {last}")
        return value
    if origin is list:
        if not isinstance(value, list):
            raise ValueError("must be a list")
        return _each([((number,), inner[0], one) for number, one in enumerate(value)], folder)
    if is_dataclass(kind):
        return _table(kind, value, folder)
    return _path(value, folder) if kind is Path else _SINGLE[kind](value)


def faults_in(error: ValueError) -> list[Fault]:
    """All that is wrong with what could not be read."""
    return error.faults if isinstance(error, Faults) else [((), str(error))]


def _each(parts: list[tuple[tuple[str | int, ...], Any, object]], folder: Path | None) -> list[Any]:
    found, faults = [], list[Fault]()
    for place, kind, value in parts:
        try:
            found.append(read(kind, value, folder))
        except ValueError as error:
            faults += [((*place, *within), said) for within, said in faults_in(error)]
    if faults:
        raise Faults(faults)
    return found


@cache
def kinds_of(table: Any) -> dict[str, Any]:
    """What may stand in each field of a table."""
    hints = get_type_hints(table, include_extras=True)
    return {one.name: hints[one.name] for one in fields(table)}


def _table(kind: Any, value: object, folder: Path | None) -> Any:
    if not isinstance(value, Mapping):
        raise ValueError("must be a table")
    kinds, faults, found = kinds_of(kind), list[Fault](), {}
    for one in fields(kind):
        if one.name not in value:
            if one.default is MISSING and one.default_factory is MISSING:
                faults.append(((one.name,), "is missing"))
            continue
        try:
            found[one.name] = read(kinds[one.name], value[one.name], folder)
        except ValueError as error:
            faults += [((one.name, *within), said) for within, said in faults_in(error)]
    known = {*kinds, *getattr(kind, "former", ())}
    unknown = f"no such key; known are {', '.join(sorted(kinds))}"
    faults += [((str(key),), unknown) for key in value if key not in known]
    if faults:
        raise Faults(faults)
    return kind(**found)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text in quotes")
    if re.search(r"[\ud800-\udfff]", value):  # bytes of the environment that are no UTF-8, or half a pair in JSON
        raise ValueError("holds characters that are no text")
    return value


def _whole_number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("must be a whole number")
    try:
        number = int(value)
    except (ValueError, OverflowError):
        raise ValueError("must be a whole number") from None
    if isinstance(value, float) and number != value:
        raise ValueError("must be a whole number")
    return number


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("must be a number")
    try:
        return float(value)
    except (ValueError, OverflowError):
        raise ValueError("must be a number") from None


def _flag(value: object) -> bool:
    written = str(value).strip().casefold() if isinstance(value, bool | int | str) else ""
    if written in ("true", "yes", "on", "1", "t", "y"):
        return True
    if written in ("false", "no", "off", "0", "f", "n"):
        return False
    raise ValueError("must be true or false")


def _path(value: object, folder: Path | None) -> Path:
    return absolute(_text(value) if isinstance(value, str) else value, folder or Path())


def _instant(value: object) -> datetime:
    try:
        if isinstance(value, str) and re.fullmatch(r"\d+", value):
            return datetime.fromtimestamp(int(value), UTC)
        at = value if isinstance(value, datetime) else datetime.fromisoformat(_text(value).upper())
    except (ValueError, OverflowError, OSError):
        raise ValueError("must be a time such as 2025-11-05T09:00:00Z") from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _day_of_calendar(value: object) -> date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    try:
        return date.fromisoformat(_text(value))
    except ValueError:
        raise ValueError("must be a day such as 2025-01-06") from None


_SINGLE: dict[Any, Callable[[object], Any]] = {
    str: _text, int: _whole_number, float: _number, bool: _flag, datetime: _instant, date: _day_of_calendar,
    ZoneInfo: time_zone, Secret: lambda value: Secret(_text(value)), object: lambda value: value,
}  # fmt: skip


# --- what a value may be


@dataclass(frozen=True, slots=True)
class Instead:
    """Reads a value in a way of its own."""

    read: Callable[[object], Any]


def within(least: float, most: float | None = None) -> Callable[[Any], Any]:
    """Refuses a number that is less, or more."""

    def check(number: Any) -> Any:
        if number < least:
            raise ValueError(f"must be greater than or equal to {least:g}")
        if most is not None and not number <= most:  # which a nan is not either
            raise ValueError(f"must be less than or equal to {most}")
        return number

    return check


def matches(pattern: str, message: str) -> Callable[[str], str]:
    """Refuses a text that is not of the pattern: '{it} {message}'."""

    def check(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(f"{text!r} {message}")
        return text

    return check


def _filled(value: Any) -> Any:
    if not value:
        raise ValueError("must not be empty")
    return value


def _word_or_list(words: tuple[str, ...], check: Callable[[str], str], otherwise: str) -> Instead:
    """One of the words, or a list that is not empty, each entry of which is checked."""

    def reading(value: object) -> object:
        if isinstance(value, str) and value in words:
            return value
        if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
            quoted = ", ".join(f'"{word}"' for word in words)
            raise ValueError(f"must be {quoted}, or {otherwise}")
        return [check(one) for one in value]

    return Instead(reading)


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


def _day(value: object) -> int:
    """Of a month, or of a week: "last" is the 31st."""
    day: int = within(1, 31)(31 if value == "last" else _whole_number(value))
    return day


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


Filled = Annotated[str, _filled]
Database = Annotated[DatabasePlace, Instead(database_place)]
ZoneName = Annotated[str, Instead(lambda name: time_zone(name).key)]
Channel = Annotated[
    str, matches(r"#?[^\s#|]+", "is no channel; use a name such as #shipped or an id such as C0123456789")
]
UserGroup = Annotated[
    str, matches(r"@?[^\s|,@]+", "is no user group; use a name such as @engine or an id such as S0123456789")
]
WebAddress = Annotated[str, _web_address]
People = list[Annotated[str, _person_or_group]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositorySettings:
    address: Filled
    name: Filled | None = None
    audience: Annotated[
        Literal["everyone"] | list[str],
        _word_or_list(("everyone",), _channel_or_group, "a list of channels and user groups"),
    ] = "everyone"
    branch: Filled | None = None

    @property
    def lets_in(self) -> Audience:
        return () if self.audience == "everyone" else (tuple(self.audience),)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonSettings:
    name: Filled
    addresses: list[str] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)
    nicknames: list[str] = field(default_factory=list)
    slack: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SprintSettings:
    """Sprints follow each other without a gap: the first day of any of them, and how many days each has."""

    first: date
    days: Annotated[int, within(1, 366)] = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamSettings:
    name: Annotated[Filled, matches(r"[^|]+", "must be without |")]
    people: Annotated[list[str], _filled]


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaSettings:
    """A part of the product by name, and the beginnings of the paths that are in it, of one repository or of any.
    Without a name it is no area at all."""

    name: str = ""
    paths: Annotated[list[Filled], _filled]
    repository: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestSettings:
    former = ("preview_days", "unanswered", "templates")

    channel: Channel
    team: str | None = None
    group: UserGroup | None = None
    repositories: list[Annotated[str, _name_of_repository]] = field(default_factory=list)
    cadence: Cadence = "monthly"
    day: Annotated[int, Instead(_day)] = 1
    hour: Annotated[int, within(0, 23)] = 9
    zone: ZoneName | None = None
    quiet: Literal["say", "skip"] = "say"
    months_back: Annotated[int, within(0, 24)] = 3

    def as_wanted(self) -> dict[str, Any]:
        """What is other than the defaults, as plain JSON: the form in which a digest is stored."""
        usual = DigestSettings(channel="\0")
        values = {one.name: getattr(self, one.name) for one in fields(DigestSettings)}
        return {key: value for key, value in values.items() if value != getattr(usual, key)}

    def __post_init__(self) -> None:
        """Raises ValueError where its keys do not go together."""
        if self.cadence == "weekly" and self.day > Week.last_day:
            raise ValueError("the day of a weekly digest is 1 (Monday) to 7 (Sunday)")
        if self.team and self.group:
            raise ValueError("has both a team and a group: a digest is of one of them")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacySettings:
    """Who may see what, besides the audiences of repositories; docs/privacy.md tells the rules."""

    about_others: Annotated[
        Literal["everyone", "nobody"] | list[str],
        _word_or_list(("everyone", "nobody"), _person_or_group, "a list of people and user groups"),
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
class ModelSettings:
    """A language model that words are asked of. Its key stands in ALMANAC_MODEL_KEY, never here.

    With `questions`, it answers all but plain questions, which our own tables read surely.
    """

    former = ("second_opinion",)

    address: WebAddress
    name: Filled
    seconds: Annotated[float, within(0.001, 600)] = 20
    tokens: Annotated[int, within(500, 1_000_000)] = 8000
    diffs: bool = False
    questions: bool = False


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
