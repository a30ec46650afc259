"""A name says one thing."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent


@cache
def trees(room: str) -> list[tuple[Path, ast.Module]]:
    """Each file of a folder, relative to the root."""
    files = sorted((ROOT / room).rglob("*.py"))
    return [(file.relative_to(ROOT), ast.parse(file.read_text(encoding="utf-8"))) for file in files]


def test_no_two_public_classes_have_one_name() -> None:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for room in ("bot", "storage"):
        for file, tree in trees(room):
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(f"{file}:{node.lineno}")
    assert len(places) > 300
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


# It says nothing of what a value is: a document, a text, a line, a reply (see docs/glossary.md).
PRIVATE_WORD = re.compile(r"(?:^|_)told(?:_|$)", re.IGNORECASE)


def test_no_name_is_a_private_word() -> None:
    """Of functions, classes, arguments, variables, attributes, and what is imported under another name."""
    found: list[str] = []
    searched = 0
    for place, tree in trees("bot"):
        for node in ast.walk(tree):
            for name in (getattr(node, part, None) for part in ("name", "asname", "id", "attr", "arg", "rest")):
                if isinstance(name, str):
                    searched += 1
                    if PRIVATE_WORD.search(name):
                        found.append(f"{place}:{getattr(node, 'lineno', 0)} {name}")
    assert searched > 10_000
    assert found == []
