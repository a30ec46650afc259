"""Times as people write them, each with the days that are meant: asked on Wednesday, 12 November 2025."""

from __future__ import annotations

from datetime import date

import pytest

from bot.ask.times import Now, find_times, time_alone
from bot.ask.words import cleaned, split_words
from bot.month.calendar import Days

TODAY, SPRINT = date(2025, 11, 12), (date(2025, 11, 10), 14)
# What is said | the days, "a + b" where two stand side by side, or "" where no time is read | what is assumed, or said.
READ = """
in june | 2025-06
from 27 July to 14 August | 2025-07-27..2025-08-14
20.07.-26.07. | 2025-07-20..2025-07-26
since my holiday on 4 July | 2025-07-04..2025-11-12
since the start of the month | 2025-11
until the freeze |
in december 2030 | | December 2030 has not begun yet.
in 2025-13 | | There is no month 2025-13.
in march and may | 2025-03 + 2025-05
"""


def read(text: str, about: str = "") -> tuple[str, str]:
    """The times of a text, and what is said of them."""
    words = split_words(cleaned(text))
    first, _, last = about.partition("..")

    now = Now(TODAY, Days.parse(first, last or first) if about else None, SPRINT)
    found = find_times(words, now)
    days = ", ".join(" + ".join(map(str, one.ends or (one.days,))) for one in found if one.days)
    return days, "; ".join(said for one in found for said in (*one.assumed, one.unclear) if said)


@pytest.mark.parametrize("row", READ.strip().splitlines())
def test_a_time_is_the_days_that_are_meant(row: str) -> None:
    text, days, *said = map(str.strip, row.split("|"))
    assert read(text) == (days, *(said or [""]))


def test_what_is_more_than_a_time_is_none() -> None:
    assert time_alone("in june", TODAY) is not None
    assert time_alone("grace in june", TODAY) is None
