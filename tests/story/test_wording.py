"""Cleaning, counting, listing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.story.wording import KINDS, clean, count, kinds_listed, listed, shortened


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


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("short", "short"),
        ("one two three four", "one two…"),
        ("x" * 30, "xxxxxxxxxxx…"),
        ("one two, three", "one two…"),
    ],
)
def test_long_text_is_cut_between_words(text: str, cut: str) -> None:
    assert cut == shortened(text, 12)


@given(st.text(max_size=80), st.integers(5, 40))
def test_cut_text_fits(text: str, longest: int) -> None:
    assert len(shortened(text, longest)) <= max(longest, 1)


def test_counts_and_lists() -> None:
    assert [
        count(1, "change"),
        count(0, "change"),
        count(1204, "change"),
        count(2, "branch", "branches"),
    ] == ["1 change", "0 changes", "1,204 changes", "2 branches"]
    assert [listed([]), listed("a"), listed("ab"), listed("abc", "or")] == ["", "a", "a and b", "a, b or c"]


def test_kinds_are_told_most_first_and_what_nobody_knows_last() -> None:
    assert (
        kinds_listed({"chore": 9, "ci": 1, "fix": 2, "feature": 1, "docs": 0})
        == "2 fixes, 1 feature, 1 CI change and 9 other changes"
    )
    assert len(KINDS) == 11
