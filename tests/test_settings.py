"""What may stand in each table of settings, and where a fault is reported: where it is to be fixed."""

from __future__ import annotations

import traceback
from dataclasses import MISSING, asdict, fields
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.digest.subscriptions import checked
from bot.errors import SettingsError
from bot.month.credits import BOTS
from bot.settings import (
    DigestSettings,
    ModelSettings,
    PersonSettings,
    PrivacySettings,
    RepositorySettings,
    Settings,
    SprintSettings,
    TeamSettings,
    faults_in,
    fields_of,
    load_settings,
    read,
)

SECRET = "xoxb-S3cr3t"
NEITHER = "is neither a channel (#leads, C0123456789) nor a user group (@leads, S0123456789)"
NOBODY = "is neither a person (a name, U0123456789) nor a user group (@leads, S0123456789)"
HALF = "\ud800"  # half a pair: what JSON may say, and no text
TABLES = {
    "repositories": RepositorySettings, "people": PersonSettings, "teams": TeamSettings, "digests": DigestSettings,
    "privacy": PrivacySettings, "model": ModelSettings, "sprint": SprintSettings,
}  # fmt: skip
GOOD: dict[str, dict[str, Any]] = {
    "repositories": {"address": "/srv/a"}, "people": {"name": "Ada"}, "teams": {"name": "engine", "people": ["Ada"]},
    "digests": {"channel": "#a"}, "model": {"address": "http://x", "name": "a"}, "sprint": {"first": "2025-01-06"},
}  # fmt: skip


def refused(values: dict[str, Any]) -> list[tuple[str, str]]:
    """Where the faults are, and what they are."""
    return [(".".join(map(str, place)), message) for place, message in fields_of(values)[1]]


def entry(place: str, value: object) -> dict[str, Any]:
    """Settings in which `value` stands at `place`, a key or a table's key, and all else is well."""
    table, _, key = place.partition(".")
    if not key:
        return {table: value}
    row = {**GOOD.get(table, {}), key: value}
    return {table: [row] if table in ("repositories", "people", "teams", "digests") else row}


def accepted(place: str, value: object) -> Any:
    meant, faults = fields_of(entry(place, value))
    assert not faults
    table, _, key = place.partition(".")
    row = meant[table]
    return getattr(row[0] if isinstance(row, list) else row, key) if key else row


@pytest.mark.parametrize(
    ("place", "written", "meant"),
    [
        # In the environment everything is text.
        ("port", "0", 0), ("port", 65535.0, 65535), ("refresh_minutes", " 30 ", 30),
        ("privacy.guests", "yes", True), ("privacy.guests", "OFF", False), ("privacy.guests", 0, False),
        ("model.seconds", "0.5", 0.5), ("model.seconds", 600, 600.0),
        ("digests.day", "last", 31), ("digests.day", "7", 7), ("digests.cadence", "weekly", "weekly"),
        ("digests.group", "@a", "@a"), ("digests.channel", "ä", "ä"), ("slack_api", "http://slack/api/", "http://slack/api"),
        ("model.address", "http://[::1]:8/v1//", "http://[::1]:8/v1"), ("model", None, None),
        ("repositories.name", None, None), ("host", "", ""),
        ("sprint.first", date(2025, 1, 6), date(2025, 1, 6)), ("sprint.first", "2025-01-06", date(2025, 1, 6)),
        *(("fixed_now", written, datetime(2025, 11, 5, 9, tzinfo=UTC)) for written in (
            "2025-11-05T09:00", "2025-11-05 09:00:00", "2025-11-05t09:00:00z", "2025-11-05T10:00+01:00", "1762333200")),
    ],
)  # fmt: skip
def test_what_is_accepted(place: str, written: object, meant: object) -> None:
    found = accepted(place, written)
    assert found == meant and type(found) is type(meant)


@pytest.mark.parametrize(
    ("place", "written", "message"),
    [
        ("port", -1, "must be greater than or equal to 0"),
        ("port", "9" * 5000, "must be a whole number"),
        ("refresh_minutes", 0, "must be greater than or equal to 1"),
        ("host", 3, "must be text in quotes"),
        ("dates", "birth", "must be 'author' or 'committer'"),
        ("privacy.guests", 2, "must be true or false"),
        ("bots", "a", "must be a list"),
        ("fixed_now", "yesterday", "must be a time such as 2025-11-05T09:00:00Z"),
        ("home", 3, "must be a path in quotes"),
        ("home", "~nobody-has-this-name/x",
         "nobody knows the home folder in '~nobody-has-this-name/x'; write the whole path"),
        ("slack_api", "ftp://slack", "is no address; use one such as https://HOST/PATH"),
        ("digests.hour", 24, "must be less than or equal to 23"),
        ("digests.day", "Last", "must be a whole number"),
        ("digests.day", 32, "must be less than or equal to 31"),
        ("digests.channel", "#a\n",
         "'#a\\n' is no channel; use a name such as #shipped or an id such as C0123456789"),
        ("digests.group", "a b", "'a b' is no user group; use a name such as @engine or an id such as S0123456789"),
        ("teams.name", "a|b", "'a|b' must be without |"),
        ("teams.name", "", "must not be empty"),
        ("teams.people", [], "must not be empty"),
        ("sprint.first", "January", "must be a day such as 2025-01-06"),
        ("sprint.days", 0, "must be greater than or equal to 1"),
        ("model.seconds", "nan", "must be less than or equal to 600"),
        ("model.tokens", 499, "must be greater than or equal to 500"),
        *(("model.address", written, "is no address; use one such as https://HOST/PATH")
          for written in ("http://[::1", "http://x:99999", "http://x:0", "ftp://x", "http://", "http://a b")),
        *(("zone", written, f"{written!r} is no time zone; use a name such as Europe/Berlin or UTC")
          for written in ("Mars/Phobos", "", "../../etc/passwd", "/etc/localtime", "Europe", "UTC\0")),
        ("repositories.audience", ["everyone"], '"everyone" stands alone, not in a list'),
        ("repositories.audience", [], 'must be "everyone", or a list of channels and user groups'),
        *(("repositories.audience", ["#leads", written], f"{written!r} {NEITHER}")
          for written in ("a b", "U0123456789")),
        ("privacy.about_others", "leads", 'must be "everyone", "nobody", or a list of people and user groups'),
        ("privacy.answers_about_others", "nobody", "must be 'channel' or 'asker'"),
        *(("privacy.about_others", ["Ada Lovelace", written], f"{written!r} {NOBODY}")
          for written in ("", " ", "@", "#leads")),
        *(("privacy.about_others", ["Ada Lovelace", written], f'"{written}" stands for no person in a list')
          for written in ("everyone", "nobody")),
        ("model.address", "https://bob:pw@x",
         "must hold neither a name, nor a password, nor what stands behind ? or #"),
    ],
)  # fmt: skip
def test_what_is_refused(place: str, written: object, message: str) -> None:
    ((where, said),) = refused(entry(place, written))
    assert where.replace(".0", "") == place and said == message


def test_what_contradicts_itself_is_refused() -> None:
    rows = [{"channel": "#a", "cadence": "weekly", "day": 8}, {"channel": "#a", "team": "engine", "group": "@a"}]
    assert refused({"digests": rows}) == [
        ("digests.0", "the day of a weekly digest is 1 (Monday) to 7 (Sunday)"),
        ("digests.1", "has both a team and a group: a digest is of one of them"),
    ]


@pytest.mark.parametrize("kind", TABLES.values())
def test_every_key_of_a_table_may_be_written_and_no_other(kind: type[Any]) -> None:
    """What stands there fits none; the faults are in the order of the keys, and what nobody knows comes last."""
    keys = [field.name for field in fields(kind)]
    with pytest.raises(ValueError) as error:
        read(kind, {"colour": "red", **{key: object() for key in reversed(keys)}})
    places = [place[0] for place, _ in faults_in(error.value)]
    assert places == [*keys, "colour"]
    assert faults_in(error.value)[-1][1].startswith("no such key; known are ")
    needed = [one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING]
    with pytest.raises(ValueError) as error:
        read(kind, {"colour": "red"})
    said = [message.partition(";")[0] for _, message in faults_in(error.value)]
    assert said == ["is missing"] * len(needed) + ["no such key"]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
    | st.sampled_from(["last", "everyone", "UTC", "#a", "@a", "http://x", HALF, "a\nb"]),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=3), some, max_size=3),
    max_leaves=8,
)  # fmt: skip
ROW_KEYS = sorted({one.name for kind in TABLES.values() for one in fields(kind)})
ROWS = st.dictionaries(st.sampled_from(ROW_KEYS), ANYTHING, max_size=4)
KEYS = sorted(field.name for field in fields(Settings))


@given(st.dictionaries(st.sampled_from(KEYS), ANYTHING | ROWS | st.lists(ROWS, max_size=3), max_size=6))
def test_whatever_is_written_is_accepted_or_refused_in_lines(written: dict[str, Any]) -> None:
    meant, faults = fields_of(written)
    assert all(message.isprintable() for _, message in faults)
    assert {place[0] for place, _ in faults} == written.keys() - meant.keys()


DIGESTS = st.builds(
    DigestSettings,
    channel=st.sampled_from(["#a", "C0123456789"]),
    team=st.none() | st.just("engine"),
    repositories=st.lists(st.text(st.characters(codec="utf-8"))),
    cadence=st.sampled_from(["monthly", "quarterly"]),
    day=st.integers(1, 31),
    hour=st.integers(0, 23),
    zone=st.sampled_from([None, "UTC", "Europe/Berlin"]),
    quiet=st.sampled_from(["say", "skip"]),
    months_back=st.integers(0, 24),
)


@given(DIGESTS)
def test_a_digest_that_is_stored_is_read_as_it_was(digest: DigestSettings) -> None:
    assert checked(digest.as_wanted()) == digest


def test_a_fault_of_the_environment_is_reported_where_it_is_to_be_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them at once; a secret that is no text is refused, and not shown."""
    for name, value in {
        "ALMANAC_TEAMS": "[" * 100_000, "ALMANAC_BOTS": '["\\ud800"]', "PORT": "none",
        "SLACK_BOT_TOKEN": f"{SECRET}\udcff",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as error:
        load_settings()
    assert sorted(error.value.faults) == [
        "ALMANAC_BOTS: is no JSON: write it as JSON",
        "ALMANAC_TEAMS: is no JSON: write it as JSON",
        "PORT: must be a whole number",
        "SLACK_BOT_TOKEN: holds characters that are no text",
    ]
    assert SECRET not in "".join(traceback.format_exception(error.value))


# Settings come from three places in a known order; every bad value is shown at once, and no secret ever.


def faults(folder: Path, text: str | None = None) -> list[str]:
    """What is shown to be wrong, without the path of almanac.toml."""
    if text is not None:
        (folder / "almanac.toml").write_text(text)
    with pytest.raises(SettingsError) as error:
        load_settings(folder)
    assert SECRET not in str(error.value)
    assert all("\n" not in fault for fault in error.value.faults)
    return [fault.replace(f"{folder}/", "") for fault in error.value.faults]


def test_nothing_needs_to_be_set(own_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ALMANAC_HOME")
    settings = load_settings()
    assert settings.home == own_place / ".local/share/almanac"
    assert settings.database == own_place / ".local/share/almanac/almanac.db"
    assert settings.mirrors == own_place / ".local/share/almanac/mirrors"
    assert (settings.zone, settings.port, settings.slack_api) == (ZoneInfo("UTC"), 3000, "https://slack.com/api/")
    assert (settings.bots, settings.refresh_minutes, settings.repositories) == (BOTS, 30, [])
    assert settings.privacy == PrivacySettings(
        about_others="everyone", answers_about_others="channel", guests=False, shared_channels=False, admins=[]
    )
    assert abs((settings.now() - datetime.now(UTC)).total_seconds()) < 60


def test_the_environment_wins_over_dotenv_and_that_over_the_file(
    own_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (own_place / "almanac.toml").write_text('zone = "Asia/Tokyo"\n')
    assert load_settings().zone.key == "Asia/Tokyo"
    (own_place / ".env").write_text(f"ALMANAC_ZONE=Europe/Paris\nSLACK_BOT_TOKEN={SECRET}\nOTHER=ignored\n")
    assert load_settings().zone.key == "Europe/Paris"
    assert load_settings().bot_token.get_secret_value() == SECRET  # type: ignore[union-attr]
    monkeypatch.setenv("ALMANAC_ZONE", "America/Lima")
    assert load_settings().zone.key == "America/Lima"
    monkeypatch.setenv("ALMANAC_ZONE", "")
    assert load_settings().zone.key == "Europe/Paris"


def test_contradictions_are_told(own_place: Path) -> None:
    assert faults(
        own_place,
        """
        templates = "nowhere"
        [[repositories]]
        address = "https://S3cr3t@example.com/a/b"
        name = "a/b"
        [[repositories]]
        address = "https://S3cr3t@example.com/a/b"
        [[repositories]]
        address = "/srv/b"
        name = "a/b"
        [[people]]
        name = "Grace Hopper"
        addresses = ["grace@example.com"]
        [[people]]
        name = "Ada Lovelace"
        addresses = ["ada@example.com", "GRACE@example.com"]
        [[teams]]
        name = "engine"
        people = ["Grace Hopper"]
        [[teams]]
        name = "engine"
        people = ["Ada Lovelace"]
        [[digests]]
        channel = "#shipped"
        team = "engines"
        """,
    ) == [
        "almanac.toml: digests[1].team: there is no team 'engines' in [[teams]]",
        "almanac.toml: people[2].addresses: GRACE@example.com belongs to Grace Hopper already; "
        "an address is one person's",
        "almanac.toml: repositories[2].address: https://example.com/a/b is that of number 1 already",
        "almanac.toml: repositories[3].name: a/b is that of number 1 already",
        "almanac.toml: teams[2].name: engine is that of number 1 already",
        "almanac.toml: templates: there is no folder nowhere",
    ]


def test_files_that_cannot_be_read_are_told(own_place: Path) -> None:
    for text in (b"a = ", b"[[people]\n", b"zone = UTC", b'a = "\\ud800"', b"zone = '\xff'\n"):
        (own_place / "almanac.toml").write_bytes(text)
        (told,) = faults(own_place)
        assert told.startswith("almanac.toml: is no TOML: ")
    (own_place / "almanac.toml").unlink()
    (own_place / "almanac.toml").mkdir()
    assert faults(own_place) == ["almanac.toml: cannot be read: Is a directory"]
    (own_place / "almanac.toml").rmdir()
    (own_place / ".env").write_bytes(b"\xff\xfe")
    (told,) = faults(own_place)
    assert told.startswith(".env: cannot be read: ")


def test_secrets_are_never_printed(own_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET"):
        monkeypatch.setenv(name, SECRET)
    settings = load_settings()
    for shown in (repr(settings), f"{settings}", f"{asdict(settings)}", f"{settings.bot_token} {settings.bot_token!r}"):
        assert SECRET not in shown
    assert settings.app_token.get_secret_value() == SECRET  # type: ignore[union-attr]


def test_the_database_is_a_file_or_an_address_of_a_server(own_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the address nobody sees user, password or parameters."""
    monkeypatch.setenv("ALMANAC_DB", "index.db")
    assert load_settings(own_place).database == own_place / "index.db"
    monkeypatch.setenv("ALMANAC_DB", f"postgresql://ada:{SECRET}@db.example.com:5433/almanac?sslpassword={SECRET}")
    settings = load_settings(own_place)
    assert str(settings.database) == "postgresql://db.example.com:5433/almanac"
    assert SECRET not in repr(settings)
    for wrong in ("postgresql://ada@db", "postgres://", "postgresql://[::1/almanac"):
        monkeypatch.setenv("ALMANAC_DB", wrong)
        assert faults(own_place) == [
            "ALMANAC_DB: is no database address: use postgresql://HOST/DATABASE, with USER:PASSWORD@ before HOST"
        ]
