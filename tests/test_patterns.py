"""No pattern of the product has a repeat that can read a text in several ways, which takes for ever over some texts.

There is no list of exceptions: a pattern that is found here is written anew.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ambiguity import ambiguous, shared_out

import bot
import storage

_USES = ("compile", "match", "search", "sub", "subn", "split", "findall", "fullmatch", "finditer")


@cache
def patterns() -> dict[tuple[str, int], str]:
    """Each pattern of the product, with its flags, and a module that it stands in."""
    found = {(pattern, flags & ~re.UNICODE): module for module, pattern, flags in _patterns()}
    flagged = {pattern for pattern, flags in found if flags}
    return {one: module for one, module in found.items() if one[1] or one[0] not in flagged}


def _patterns() -> Iterator[tuple[str, str, int]]:
    """As (module, pattern, flags): those that a module holds, in tables too, and those that are written where they are
    used."""
    for package in (bot, storage):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name.endswith("__main__"):
                continue
            loaded = importlib.import_module(module.name)
            for value in vars(loaded).values():
                yield from ((module.name, one.pattern, one.flags) for one in _compiled(value))
            for node in ast.walk(ast.parse(Path(str(loaded.__file__)).read_text("utf-8"))):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in {f"re.{use}" for use in _USES}:
                    try:
                        pattern = eval(ast.unparse(node.args[0]), vars(loaded))  # noqa: S307
                    except NameError:
                        continue  # of a table, which is a value of the module, or of what a function is given
                    if isinstance(pattern, str):
                        yield module.name, pattern, 0


def _compiled(value: Any) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _compiled(one)
    elif isinstance(value, tuple | list | frozenset | set):
        for one in value:
            yield from _compiled(one)


WAYS = [
    (ambiguous, r"(?:a|b|ab)*!", "ab"),
    (ambiguous, r"^(?:\W|\b(?:i|d|i'd)\b)*!", "i'd"),
    (ambiguous, r"(?:\s*,\s*|\s*,?\s+and\s+)*!", " and "),
    (ambiguous, r"(?:\s*(?:PERSON(?:'s)?|\w+'s)(?!\w))*!", "PERSON's"),
    (ambiguous, r"(?:Ab|aB)*!(?i:)", "ab"),
    (shared_out, r"who(?:\s+(?:been|did))*\s+(?:been\s+)*x", " been"),
    (shared_out, r"\s*,?\s*!", " "),
    (shared_out, r"a\d+[\d.]*!", "1"),
]
ONE_WAY = [
    r"(?:\w+\s)*!", r"(?:\w|\w')*!", r"(?:\b(?:me|met)\b|\W)*!", r"(?:\s*(?:me|us|\w+'s)(?!\w))*!", r"\s*(?:,\s*)?!",
    r"(?:a|b)*c(?:a|b)*!", r"(?<!\w)\w+(?!\w)", r"(?:[a-z]+-)*[a-z]+!", r"\d+(?:\.\d+)*!",
]  # fmt: skip


@pytest.mark.parametrize(("finds", "pattern", "_"), WAYS)
def test_a_repeat_that_can_read_a_text_in_two_ways_is_found(
    finds: Callable[[str, int], str | None], pattern: str, _: str
) -> None:
    assert finds(pattern, re.IGNORECASE if "(?i:)" in pattern else 0)


@pytest.mark.parametrize("pattern", ONE_WAY)
def test_a_repeat_that_reads_each_text_in_one_way_is_none(pattern: str) -> None:
    assert (ambiguous(pattern), shared_out(pattern)) == (None, None)


def test_the_patterns_of_the_product_are_looked_at() -> None:
    found = patterns()
    assert len(found) > 300
    assert {"bot.ask.parts", "bot.month.trailers", "bot.diff.tests", "storage.search"} <= {*found.values()}


def test_no_repeat_can_read_a_text_in_two_ways() -> None:
    wrong = [
        f"{module}: {pattern}: {found}"
        for (pattern, flags), module in sorted(patterns().items())
        if (found := ambiguous(pattern, flags))
    ]
    assert not wrong


SHORT = {  # the texts that these modules read, for which the square is nothing; tests/test_reading_time.py measures it
    "bot.ask.parts": "a word of a question",
    "bot.ask.reading": "a question, of at most 3,000 characters",
    "bot.ask.times": "a question",
    "bot.ask.words": "a question",
    "bot.story.quoting": "a sentence of at most 300 characters",
    "bot.sample.history": "the sample's own",
}


@pytest.mark.slow
def test_no_two_repeats_can_share_out_a_long_text() -> None:
    wrong = [
        f"{module}: {pattern}: {found}"
        for (pattern, flags), module in sorted(patterns().items())
        if not module.startswith((*SHORT,)) and (found := shared_out(pattern, flags))
    ]
    assert not wrong
