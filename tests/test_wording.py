"""Text from git in one line, without what steers a reader."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
