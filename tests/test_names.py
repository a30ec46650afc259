"""A name says one thing."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
PUBLIC_CLASS = re.compile(r"^[ \t]*class ([A-Za-z]\w*)[(:\[]", re.MULTILINE)


def test_no_two_public_classes_have_one_name() -> None:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for room in ("bot", "storage"):
        for file in (ROOT / room).rglob("*.py"):
            for found in PUBLIC_CLASS.finditer(file.read_text(encoding="utf-8")):
                places[found[1]].append(f"{file}:{found[0].strip()}")
    assert len(places) > 300
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


# It says nothing of what a value is: a document, a text, a line, a reply (see docs/architecture.md).
PRIVATE_WORD = re.compile(r"(?:^|_)told(?:_|$)", re.IGNORECASE)


def test_no_name_is_a_private_word() -> None:
    """Of functions, classes, arguments, variables, attributes, and what is imported under another name."""
    found: list[str] = []
    searched = 0
    for place in (ROOT / "bot").rglob("*.py"):
        for node in ast.walk(ast.parse(place.read_text(encoding="utf-8"))):
            for name in (getattr(node, part, None) for part in ("name", "asname", "id", "attr", "arg", "rest")):
                if isinstance(name, str):
                    searched += 1
                    if PRIVATE_WORD.search(name):
                        found.append(f"{place}:{getattr(node, 'lineno', 0)} {name}")
    assert searched > 10_000
    assert found == []
