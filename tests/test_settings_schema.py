"""The tables of settings: every fault of every entry at once, told where it is to be mended."""

from __future__ import annotations

import traceback
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voluptuous import MultipleInvalid

from bot import settings_schema as schemas
from bot.digest.subscriptions import checked
from bot.errors import SettingsError
from bot.settings import Settings, load_settings
from bot.settings_tables import (
    DigestSettings,
    ModelSettings,
    PersonSettings,
    PrivacySettings,
    RepositorySettings,
    SlackSettings,
    TeamSettings,
)

TOKEN = "xoxb-S3cr3t"
HALF = "\ud800"  # half a pair: what JSON may say, and no text

TABLES = {
    RepositorySettings: schemas.REPOSITORY, PersonSettings: schemas.PERSON, TeamSettings: schemas.TEAM,
    DigestSettings: schemas.DIGEST, PrivacySettings: schemas.PRIVACY, SlackSettings: schemas.SLACK,
    ModelSettings: schemas.MODEL, Settings: schemas.SETTINGS,
}  # fmt: skip


@pytest.mark.parametrize("kind", TABLES)
def test_every_key_of_a_table_may_be_written_and_no_other(kind: type[Any]) -> None:
    """What stands there fits none; the faults are in the order of the keys, and what nobody knows comes last."""
    keys = [field.name for field in fields(kind)]
    with pytest.raises(MultipleInvalid) as refused:
        TABLES[kind]({"colour": "red", **{key: object() for key in reversed(keys)}})
    assert [str(fault.path[0]) for fault in refused.value.errors] == [*keys, "colour"]
    assert [fault.msg == "no such key" for fault in refused.value.errors] == [False] * len(keys) + [True]


def test_the_faults_of_every_entry_are_told() -> None:
    with pytest.raises(MultipleInvalid) as refused:
        schemas.SETTINGS(
            {"digests": [{"day": 0}, 3, {"channel": "#a"}, {"channel": "#a", "repositories": [1, "b", 2]}]}
        )
    assert [(*map(str, fault.path), fault.msg) for fault in refused.value.errors] == [
        ("digests", "0", "channel", "is missing"),
        ("digests", "0", "day", 'must be a whole number from 1 to 31, or "last"'),
        ("digests", "1", "must be a table"),
        ("digests", "3", "repositories", "0", "must be text in quotes"),
        ("digests", "3", "repositories", "2", "must be text in quotes"),
    ]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
    | st.sampled_from(["last", "everyone", "UTC", "#a", "@a", "http://x", HALF, "a\nb"]),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=3), some, max_size=3),
    max_leaves=8,
)  # fmt: skip
ROWS = st.fixed_dictionaries(
    {}, optional={field.name: ANYTHING for kind in TABLES if kind is not Settings for field in fields(kind)}
)


@given(
    st.fixed_dictionaries(
        {}, optional={field.name: ANYTHING | ROWS | st.lists(ROWS, max_size=3) for field in fields(Settings)}
    )
)
def test_whatever_is_written_is_accepted_or_refused_in_lines(written: dict[str, Any]) -> None:
    try:
        Settings(**schemas.SETTINGS(written))
    except MultipleInvalid as refused:
        assert refused.errors
        for fault in refused.errors:
            assert fault.path and fault.msg.isprintable() and fault.msg != "not a valid value"


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
    templates=st.sampled_from([None, Path("/srv/wording")]),
    months_back=st.integers(0, 24),
    preview_days=st.integers(0, 14),
    unanswered=st.sampled_from(["post", "leave out"]),
)


@given(DIGESTS)
def test_a_digest_that_is_stored_is_read_as_it_was(digest: DigestSettings) -> None:
    assert checked(digest.as_wanted()) == digest


def test_of_a_digest_only_what_is_not_usual_is_stored() -> None:
    assert DigestSettings(channel="#a").as_wanted() == {"channel": "#a"}
    assert DigestSettings(channel="", day=31, templates=Path("/x"), repositories=["a"]).as_wanted() == {
        "channel": "", "repositories": ["a"], "day": 31, "templates": "/x",
    }  # fmt: skip


class TestEnvironment:
    """A fault is told where it is to be mended."""

    def faults(self) -> list[str]:
        with pytest.raises(SettingsError) as error:
            load_settings()
        return error.value.faults

    def test_a_fault_in_json_is_told_with_its_place(self, own_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (own_place / "almanac.toml").write_text("[privacy]\nguests = true\n")
        monkeypatch.setenv("ALMANAC_DIGESTS", '[{"channel": "#a"}, {"channel": "#b", "day": 32}]')
        monkeypatch.setenv("ALMANAC_PRIVACY", '{"guests": "some", "two\\nlines": 1}')
        monkeypatch.setenv("ALMANAC_TOOLS", '"a"')
        assert self.faults() == [
            'ALMANAC_DIGESTS: [2].day: must be a whole number from 1 to 31, or "last"',
            'ALMANAC_TOOLS: must be a list of texts, such as ["a", "b"]',
            "ALMANAC_PRIVACY: guests: must be true or false",
            'ALMANAC_PRIVACY: "two\\nlines": no such key',
        ]

    def test_all_that_is_no_json_is_told_at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ALMANAC_BOTS", "robot*")
        monkeypatch.setenv("ALMANAC_TEAMS", "[" * 100_000)
        assert self.faults() == [
            'the environment: "bots" in ALMANAC_BOTS is no JSON: write it as JSON',
            'the environment: "teams" in ALMANAC_TEAMS is no JSON: write it as JSON',
        ]

    def test_a_fault_in_dotenv_is_told_of_its_variable(self, own_place: Path) -> None:
        (own_place / "almanac.toml").write_text("refresh_minutes = 5\n")
        (own_place / ".env").write_text("ALMANAC_REFRESH_MINUTES=soon\n")
        assert self.faults() == ["ALMANAC_REFRESH_MINUTES: must be a whole number of at least 1"]

    def test_every_list_and_table_may_be_set_as_json(self, monkeypatch: pytest.MonkeyPatch) -> None:
        values = {
            "repositories": '[{"address": "/srv/a"}]', "people": '[{"name": "Ada"}]', "bots": '["a"]', "tools": "[]",
            "teams": '[{"name": "engine", "people": ["Ada"]}]', "digests": '[{"channel": "#a"}]',
            "model": '{"address": "http://x", "name": "a"}', "privacy": '{"guests": true}',
            "slack": '{"charts": false}',
        }  # fmt: skip
        for key, written in values.items():
            monkeypatch.setenv(f"ALMANAC_{key.upper()}", written)
        settings = load_settings()
        assert {key: getattr(settings, key) for key in values} == {
            "repositories": [RepositorySettings(address="/srv/a")],
            "people": [PersonSettings(name="Ada")],
            "bots": ["a"],
            "tools": [],
            "teams": [TeamSettings(name="engine", people=["Ada"])],
            "digests": [DigestSettings(channel="#a")],
            "model": ModelSettings(address="http://x", name="a"),
            "privacy": PrivacySettings(guests=True),
            "slack": SlackSettings(charts=False),
        }

    def test_a_secret_that_is_no_text_is_refused_and_not_shown(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SLACK_BOT_TOKEN", f"{TOKEN}\udcff")
        monkeypatch.setenv("PORT", "none")
        with pytest.raises(SettingsError) as error:
            load_settings()
        assert error.value.faults == [
            "SLACK_BOT_TOKEN: holds characters that are no text",
            "PORT: must be a whole number from 0 to 65535",
        ]
        assert TOKEN not in "".join(traceback.format_exception(error.value))
