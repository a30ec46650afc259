"""Text from git in one line, without what steers a reader."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepo
from exports import FORMULA, formulas
from hypothesis import given
from hypothesis import strategies as st

from bot.commands.export import table
from bot.wording import clean


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("\x1b[31mred\x1b[0m alert", "red alert"),
        ("\x1b]0;title\x07done", "done"),
        ("a\x00b\x9bc\x7f", "a b"),  # C1's CSI takes the letter with it
        ("one\r\ntwo\tthree\u2028four", "one two three four"),
        ("abc\u202edef\u2066", "abcdef"),
        ("half \ud800 pair", "half \ufffd pair"),
        ("\ufeffstart\u200b", "start"),
        ("family 👨‍👩‍👧 stays", "family 👨‍👩‍👧 stays"),
        ("turn ``mill.x`` with ```code```", "turn `mill.x` with ```code```"),
        ("   ", ""),
    ],
)
def test_nothing_that_steers_a_reader_is_left(text: str, cleaned: str) -> None:
    assert cleaned == clean(text)


@given(st.text(st.characters(), max_size=100))
def test_clean_text_stays_as_it_is(text: str) -> None:
    once = clean(text)
    assert once == clean(once)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", once)
    once.encode()


# A CSV file is opened by spreadsheets that guess its separator: whatever they guess, nothing in it is a formula.


ODD = st.sampled_from("=+-@＝＠;,|\t\r\n\"' abc\x00\x1b\u202e\u2028")
CELLS = st.text(ODD | st.characters(codec="utf-8"), max_size=24)
ROWS = st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=4)


def cells(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


BEFORE = ("", " ", "Fix it;", "Fix it,", "Fix it\t", "Fix it|", 'x;"', 'x";', 'x"; "', ";;", "x\n", "x\r\n")


def test_no_cell_begins_a_formula_for_any_separator() -> None:
    for start, before in product(FORMULA, BEFORE):
        told = table([["a", f"{before}{start}cmd|' /C calc'!A0", "b"], [f"{before}{start}1", "", '"']])
        assert formulas(told) == [], (start, before)
        assert [len(row) for row in cells(told)] == [3, 3], (start, before)


@given(ROWS)
def test_whatever_is_written_nothing_is_a_formula_and_the_text_is_kept(rows: list[list[str]]) -> None:
    told = table(rows)
    assert formulas(told) == []
    assert told.count("\n") == len(rows)
    read = cells(told)
    assert [[cell.replace("'", "") for cell in row] for row in read] == [
        [clean(cell).replace("'", "") for cell in row] for row in rows
    ]


# What is typed on the command line steers no terminal and turns no line around when it is said back.


HOSTILE = "a\x1b[31mb\x07\u202egnp\u2066\u200f\x9b"


ARGUMENTS = [
    ["ask", HOSTILE], ["ask", f"who worked on {HOSTILE}?"], ["ask", f"what did {HOSTILE} do in october?"],
    ["ask", "ada", "--as", HOSTILE], ["month", HOSTILE], ["month", "ada", HOSTILE],
    ["month", "ada", "--repo", HOSTILE], ["month", "ada", "--zone", HOSTILE],
    ["profile", HOSTILE], ["digest", HOSTILE], ["explain", HOSTILE],
    ["index", HOSTILE], ["index", f"https://{HOSTILE}/a/b"], ["export", HOSTILE],
    ["correct", HOSTILE, "--kind", "fix"], ["correct", HOSTILE, "--kind", HOSTILE], ["people", "list", HOSTILE],
    ["people", "link", HOSTILE, "x@example.com"], ["people", "link", "ada", HOSTILE], ["people", "hide", HOSTILE],
    ["people", "undo", HOSTILE], [HOSTILE], [f"--{HOSTILE}"], ["doctor", HOSTILE], ["digest", "--pause", HOSTILE],
]  # fmt: skip


def test_no_sign_of_it_is_printed_raw(tmp_path: Path, almanac: Callable[..., Any]) -> None:
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.many(2)
    almanac("index", repo.path)
    for arguments in ARGUMENTS:
        ran = almanac(*arguments)
        raw = {sign for sign in ran.out + ran.err if not sign.isprintable() and sign != "\n"}
        assert raw == set(), (arguments, ran.out, ran.err)
