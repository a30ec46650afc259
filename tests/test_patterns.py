"""No pattern of the product takes for ever over a text that repeats what it reads: each of its repeats is fed with many
of what it reads, behind what comes before it and before what it cannot read.

There is no list of exceptions but of how long a text may be: a pattern that is found here is written anew. What it
costs is measured in processor time, which does not grow on a busy machine.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import signal
from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import bot
import storage

SECONDS = 1.0  # of processor time, of which a pattern takes thousandths
FEW, MANY = 28, 80_000  # exponential time is seen with the first, with the second the square of a length
_USES = ("compile", "match", "search", "sub", "subn", "split", "findall", "fullmatch", "finditer")
_OF_CATEGORY = {sre.CATEGORY_DIGIT: "1", sre.CATEGORY_SPACE: " ", sre.CATEGORY_WORD: "a"}
_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)


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
    elif isinstance(value, dict | tuple | list | frozenset | set):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _compiled(one)


def texts(parsed: Any, most: int = 12) -> list[str]:
    """Some texts that a parsed pattern reads, a few for each way through it."""
    found = [""]
    for step in parsed:
        found = list(islice(map("".join, product(found, dict.fromkeys(_of_step(*step)))), most))
    return found


def _of_step(kind: Any, value: Any) -> list[str]:
    if kind is sre.LITERAL:
        return [chr(value)]
    if kind is sre.IN:
        some = [sign for one in value for sign in _of_step(*one)]
        if value[0][0] is sre.NEGATE:
            return ["a" if (sre.CATEGORY, sre.CATEGORY_NOT_WORD) in value else "%"]
        return [*some[:1], *some[-1:]] or ["%"]
    if kind is sre.RANGE:
        return [chr(value[0])]
    if kind is sre.CATEGORY:
        return [_OF_CATEGORY.get(value, "%")]
    if kind in (sre.ANY, sre.NOT_LITERAL):
        return ["%" if kind is sre.ANY or value != ord("%") else "a"]
    if kind is sre.BRANCH:
        return [text for one in value[1] for text in texts(one, 3)]
    if kind in _REPEATS:
        return [text * times for times in {value[0], min(value[0] + 2, value[1])} for text in texts(value[2], 4)]
    inner = _inner(kind, value)
    return texts(inner) if inner is not None and kind not in (sre.ASSERT, sre.ASSERT_NOT) else [""]


def _inner(kind: Any, value: Any) -> Any:
    if kind in _REPEATS:
        return value[2]
    return {sre.SUBPATTERN: lambda: value[3], sre.ATOMIC_GROUP: lambda: value}.get(kind, lambda: None)()


def fed(parsed: Any, times: int) -> Iterator[str]:
    """Texts in each of which one repeat is fed, wherever it stands: a FEW times, or with MANY signs."""
    steps = list(parsed)
    for at, (kind, value) in enumerate(steps):
        before = texts(steps[:at], 1)[0]
        if kind in _REPEATS and value[1] > FEW:
            some = texts(value[2])
            for text in map("".join, product(some, ["", *some[:5]] if times == FEW else [""])):
                yield before + text * (times if times == FEW else times // max(1, len(text)))
        inside = value[1] if kind is sre.BRANCH else [_inner(kind, value)]
        yield from (before + text for one in inside if one is not None for text in fed(one, times))


class TookForEver(Exception):
    """A pattern was still at it."""


def slow(pattern: str, flags: int, times: int, seconds: float = SECONDS) -> list[str]:
    """A text over which a pattern takes long, if there is one."""

    def stop(*_: object) -> None:
        raise TookForEver

    found, compiled = list[str](), re.compile(pattern, flags)
    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        for text in dict.fromkeys(fed(_parser.parse(pattern, flags), times)):
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
            try:
                (compiled.search if times == FEW else compiled.match)(f"{text}\0")
            except TookForEver:
                found.append(text)
                break
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    finally:
        signal.signal(signal.SIGVTALRM, before)
    return found


@pytest.mark.parametrize(
    ("pattern", "times"),
    [
        (r"(?:a|b|ab)*!", FEW),
        (r"^(?:\W|\b(?:i|d|i'd)\b)*!", FEW),
        (r"(?:\s*,\s*|\s*,?\s+and\s+)*!", FEW),
        (r"x(?:\s*(?:PERSON(?:'s)?|\w+'s)(?!\w))*!", FEW),
        (r"\s*,?\s*!", MANY),
        (r"a\d+[\d.]*!", MANY),
    ],
)
def test_a_repeat_that_can_read_a_text_in_two_ways_is_found(pattern: str, times: int) -> None:
    assert slow(pattern, 0, times, 0.1)


def test_the_patterns_of_the_product_are_looked_at() -> None:
    found = patterns()
    assert len(found) > 300
    assert {"bot.ask.parts", "bot.month.message", "bot.diff", "storage.search"} <= {*found.values()}


def test_no_pattern_takes_exponential_time() -> None:
    wrong = {f"{module}: {pattern}": found for (pattern, flags), module in sorted(patterns().items())
             if (found := slow(pattern, flags, FEW))}  # fmt: skip
    assert not wrong


SHORT = (  # they read questions, lines and sentences, of which no text is long
    "bot.ask.parts", "bot.ask.reading", "bot.ask.times", "bot.ask.words", "bot.month.releases", "bot.story.quoting",
    "bot.sample",
)  # fmt: skip


@pytest.mark.slow
def test_no_two_repeats_share_out_a_long_text() -> None:
    wrong = {f"{module}: {pattern}": found for (pattern, flags), module in sorted(patterns().items())
             if not module.startswith(SHORT) and (found := slow(pattern, flags, MANY))}  # fmt: skip
    assert not wrong
