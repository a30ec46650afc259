"""Imports between rooms go one way."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# A room, and the rooms above it, which it must not import.
ABOVE = [
    ("bot/slack", ("bot.digest", "bot.slack_app", "bot.commands")),
    ("bot/digest", ("bot.slack_app", "bot.commands")),
    ("bot/slack_app", ("bot.commands",)),
    ("bot/hooks", ("bot.slack", "bot.digest", "bot.slack_app", "bot.commands")),
    ("bot/monitoring", ("bot.digest", "bot.slack_app", "bot.commands")),
]


@cache
def nodes(file: Path) -> list[ast.AST]:
    """The imports and the constants of a file, but for what it imports for its types alone."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = []
    return [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom | ast.Constant)]


def imported(file: Path) -> list[str]:
    """What a file imports, but for its types alone."""
    found = list[str]()
    for node in nodes(file):
        if isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
        elif isinstance(node, ast.Import):
            found += [name.name for name in node.names]
    return found


@pytest.mark.parametrize(("room", "above"), ABOVE)
def test_a_room_imports_none_above_it(room: str, above: tuple[str, ...]) -> None:
    files = [*(ROOT / room).rglob("*.py"), *ROOT.glob(f"{room}.py")]
    assert files
    upwards = {
        f"{file.relative_to(ROOT)}: {module}"
        for file in files
        for module in imported(file)
        for one in above
        if module == one or module.startswith(f"{one}.")
    }
    assert upwards == set()


def test_the_local_workspace_is_imported_by_the_demonstration_alone() -> None:
    """Whoever runs the bot in Slack loads nothing of it."""
    files = [*(ROOT / "bot").rglob("*.py"), *(ROOT / "storage").rglob("*.py")]
    importing = {
        str(file.relative_to(ROOT))
        for file in files
        if not file.is_relative_to(ROOT / "bot/workspace")
        for module in imported(file)
        if f"{module}.".startswith("bot.workspace.")
    }
    assert importing == {"bot/demo.py"}


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Not when they are called either; only for their types a room may look up."""
    files = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
        for room in ("bot", "storage")
        for file in (ROOT / room).rglob("*.py")
    }
    others = {
        name: {
            one for one in imported(file) if one in files and not f"{name}.".startswith(f"{one}.")
        }  # not its package
        for name, file in files.items()
    }
    while ends := {name for name, them in others.items() if not them & others.keys()}:
        others = {name: them for name, them in others.items() if name not in ends}
    assert others == {}


def test_no_room_but_storage_knows_a_database() -> None:
    """Only the queue takes connections of its own, for the library that has it: no other module loads what an engine
    is made of, and none holds a statement."""
    engines = (
        "sqlite3",
        "sqlite_utils",
        "psycopg",
        "psycopg_pool",
        "procrastinate",
        "storage.sqlite",
        "storage.postgres",
    )
    files = [*(ROOT / "bot").rglob("*.py")]
    knowing = {
        str(file.relative_to(ROOT))
        for file in files
        for module in imported(file)
        if any(f"{module}.".startswith(f"{one}.") for one in engines)
    }
    statement = re.compile(r"\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|PRAGMA)\s")
    stating = {
        str(file.relative_to(ROOT))
        for file in files
        for node in nodes(file)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and statement.match(node.value)
    }
    assert (knowing, stating) == ({"bot/index/jobs.py"}, set())


def test_what_rights_rest_on_knows_nothing_of_what_git_says() -> None:
    """Whoever can commit can write any name, any address and any .mailmap."""
    proving = [ROOT / "bot/ask/proven.py", ROOT / "bot/month/addresses.py"]
    loaded = {module for file in proving for module in imported(file)}
    assert {one for one in loaded if (ROOT / f"{one.replace('.', '/')}.py").exists()} == {
        "bot.model", "bot.month.addresses", "bot.settings",
    }  # fmt: skip
