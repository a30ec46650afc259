"""A CSV file is opened by spreadsheets that guess its separator: whatever they guess, nothing in it is a formula."""

from __future__ import annotations

import csv
import io

import pytest
from exports import FORMULA, formulas
from hypothesis import given
from hypothesis import strategies as st

from bot.commands.export import table
from bot.wording import clean

ODD = st.sampled_from("=+-@＝＠;,|\t\r\n\"' abc\x00\x1b\u202e\u2028")
CELLS = st.text(ODD | st.characters(codec="utf-8"), max_size=24)
ROWS = st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=4)


def cells(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("start", FORMULA)
@pytest.mark.parametrize(
    "before", ["", " ", "Fix it;", "Fix it,", "Fix it\t", "Fix it|", 'x;"', 'x";', 'x"; "', ";;", "x\n", "x\r\n"]
)
def test_no_cell_begins_a_formula_for_any_separator(start: str, before: str) -> None:
    told = table([["a", f"{before}{start}cmd|' /C calc'!A0", "b"], [f"{before}{start}1", "", '"']])
    assert formulas(told) == []
    assert [len(row) for row in cells(told)] == [3, 3]


@given(ROWS)
def test_whatever_is_written_nothing_is_a_formula_and_the_text_is_kept(rows: list[list[str]]) -> None:
    told = table(rows)
    assert formulas(told) == []
    assert told.count("\n") == len(rows)
    read = cells(told)
    assert [[cell.replace("'", "") for cell in row] for row in read] == [
        [clean(cell).replace("'", "") for cell in row] for row in rows
    ]
