"""What is written for users agrees with the program."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

import click
import pytest

from bot.cli import almanac
from bot.model import Kind, State
from bot.month.credits import BOTS, TOOLS
from bot.settings import (
    KEYS,
    VARIABLES,
    DigestSettings,
    ModelSettings,
    PrivacySettings,
    Settings,
    SprintSettings,
    load_settings,
)
from bot.story.documents import SCHEMA, DigestDocument, MonthDocument

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]


def test_the_readme_lists_every_command_and_no_other() -> None:
    listed = set(re.findall(r"^\| `almanac (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert listed == set(almanac.commands)


def test_every_option_that_the_pages_name_is_there() -> None:
    groups = [one for one in almanac.commands.values() if isinstance(one, click.Group)]
    commands = [*almanac.commands.values(), *(command for group in groups for command in group.commands.values())]
    options = {name for command in commands for one in command.params for name in (*one.opts, *one.secondary_opts)}
    said = {option for page in PAGES for option in re.findall(r"`(?:[^`\n]*\s)?(--[a-z][a-z-]+)", page.read_text())}
    assert said - options <= {"--unshallow", "--raw", "--numstat"}  # git's


def rows(page: str, heading: str) -> dict[str, str]:
    """The rows of a page's tables below a heading, by what stands in their first column between backticks."""
    text = (ROOT / "docs" / page).read_text().partition(heading)[2].partition("\n## ")[0]
    found = re.findall(r"^\| (`[^|]+`) \| (.+) \|$", text, re.MULTILINE)
    return {name: rest for first, rest in found for name in re.findall(r"`([^`]+)`", first)}


def keys_within(wanted: Any) -> set[str]:
    """Every key of a type, at whatever depth."""
    inner = [part for one in get_args(wanted) for part in keys_within(one)]
    if not (isinstance(wanted, type) and is_dataclass(wanted)):
        return set(inner)
    types = get_type_hints(wanted, include_extras=True)
    return {name.rstrip("_") for name in types if name != "template"}.union(*map(keys_within, types.values()))


def test_the_page_of_the_json_names_every_key() -> None:
    text = (ROOT / "docs" / "json.md").read_text()
    table = rows("json.md", "# The JSON of a month")
    types = get_type_hints(MonthDocument, include_extras=True)
    keys = {name.rstrip("_"): types[name] for name in (one.name for one in fields(MonthDocument))}
    assert set(table) == set(keys)
    for key, wanted in keys.items():
        said = table[key] + (text if key in ("changes", "items", "written", "largest") else "")
        assert keys_within(wanted) <= set(re.findall(r"`([^`]+)`", said)), key
    digest = text.partition("`almanac digest --format json`")[2].partition("\n## ")[0]
    of_digest = {one.name.rstrip("_") for one in fields(DigestDocument)}
    assert of_digest - {"schema"} <= set(re.findall(r"`([^`]+)`", digest))
    assert table["schema"].startswith(f"{SCHEMA};")
    for name, words in (("kind", get_args(Kind)), ("state", get_args(State))):
        assert f"`{name}` is one of {', '.join(words)}" in text


def test_the_example_settings_are_accepted_and_say_the_defaults(tmp_path: Path) -> None:
    text = (ROOT / "almanac.example.toml").read_text()
    (tmp_path / "almanac.toml").write_text(text)
    settings = load_settings(tmp_path)
    assert not (settings.people or settings.teams or settings.digests or settings.areas)  # whoever copies it has none
    table = re.search(r"(?ms)^# \[\[digests\]\]$.*?^$", text)
    shown = re.sub("(?m)^# (?!(?:group|repositories) = )(?=\\w+ = |\\[)", "", table[0]) if table else ""
    (tmp_path / "almanac.toml").write_text(shown.replace('team = "engine"', ""))
    (digest,) = load_settings(tmp_path).digests
    for key in ("cadence", "day", "hour", "quiet", "months_back"):
        assert getattr(digest, key) == getattr(DigestSettings(channel="#a"), key), key
    assert (settings.bots, settings.tools, settings.dates) == (BOTS, TOOLS, Settings().dates)
    assert settings.refresh_minutes == Settings().refresh_minutes


def keys_of(table: Any) -> list[str]:
    return [field.name for field in fields(table)]


def test_the_example_settings_explain_every_key() -> None:
    text = (ROOT / "almanac.example.toml").read_text()
    tables = {"repositories", "people", "teams", "areas", "digests"}
    for name in tables:
        assert f"[[{name}]]" in text
        (row,) = get_type_hints(Settings)[name].__args__
        for key in keys_of(row):
            assert re.search(rf"^(?:# )?{key} = ", text, re.MULTILINE), f"{name}.{key}"
    for key in {*KEYS} - {*tables, "model", "privacy", "sprint"}:
        assert re.search(rf"^(?:# )?{key} = ", text, re.MULTILINE), key
    for name, table in (("privacy", PrivacySettings), ("sprint", SprintSettings)):
        rest = text.partition(f"[{name}]\n")[2].partition("\n[")[0]
        shown = keys_of(table)
        assert all(re.search(rf"^(?:# )?{key} = ", rest, re.MULTILINE) for key in shown), name
    model = text.partition("# [model]\n")[2]
    assert all(re.search(rf"^# {key} = ", model, re.MULTILINE) for key in keys_of(ModelSettings))


def test_the_example_environment_names_only_what_is_read() -> None:
    text = (ROOT / ".env.example").read_text()
    known = set(VARIABLES.values()) | {"ALMANAC_CONFIG"}
    assert set(re.findall(r"^#?([A-Z_]+)=", text, re.MULTILINE)) <= known


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md", "bot/__init__.py"])
def test_the_files_that_a_page_about_the_code_names_are_there(page: str) -> None:
    named = set(re.findall(r"`([\w/.]+\.(?:py|toml)|[\w/]+/)`", (ROOT / page).read_text(encoding="utf-8")))
    files = [str(file.relative_to(ROOT)) for file in ROOT.rglob("*") if file.suffix in (".py", ".toml")]
    assert named
    assert [
        one
        for one in sorted(named)
        if one != "almanac.toml"
        and not (ROOT / one).is_dir()
        and not (ROOT / "bot" / one).is_dir()
        and not any(file == one or file.endswith(f"/{one}") for file in files)
    ] == []


def test_no_page_names_a_registry() -> None:
    others = ("pyproject.toml", "Makefile", "Dockerfile", "compose.yaml", ".ci/run")
    files = [*PAGES, *(ROOT / name for name in others), *ROOT.glob("requirements*.txt")]
    for file in files:
        assert not re.search(
            r"pypi\.org|pythonhosted|registry\.npmjs|--(?:extra-)?index-url \S|--find-links \S", file.read_text()
        ), file
