"""A quotation cannot be made of words that do not stand in its commit."""

from __future__ import annotations

import pytest
from values import commit

from bot.story.quoting import Quote

ONE = commit("[engine] Keep  `plans` (#12)", body="Plans are kept,\nso that they\x1b[31m need no second look.")


@pytest.mark.parametrize(
    ("text", "place"), [("Keep `plans`", "title"), ("Plans are kept, so that they need no second look.", "body")]
)
def test_words_that_stand_there_are_quoted_in_one_line(text: str, place: str) -> None:
    assert Quote(text, ONE, place) == text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "place"),
    [("Kept `plans`", "title"), ("", "title"), ("Keep `plans`", "body"), ("Plans are kept so", "body")],
)
def test_other_words_are_refused(text: str, place: str) -> None:
    with pytest.raises(ValueError, match="does not stand"):
        Quote(text, ONE, place)  # type: ignore[arg-type]
