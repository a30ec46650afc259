"""Settings come from three places in a known order; every bad value is shown at once, and no secret ever."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.errors import SettingsError
from bot.month.credits import BOTS
from bot.settings import Settings, load_settings
from bot.settings_tables import PrivacySettings

SECRET = "xoxb-S3cr3t"


def configured(folder: Path, text: str) -> Settings:
    (folder / "almanac.toml").write_text(text)
    return load_settings(folder)


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
    text = 'zone = "Asia/Tokyo"\n'
    assert configured(own_place, text).zone.key == "Asia/Tokyo"
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
