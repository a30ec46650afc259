"""The months that people write."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from steps import steps

from bot.ask.grammar.when import when
from bot.month.calendar import Month, MonthRange

NOW = Month(2025, 11)
DAYS = "I tell whole months, not days or weeks: ask for a month, such as this month or last month."

# What is written in November 2025 → its first and last month.
WRITTEN = """
2025-08 | 2025-08
2025/08 | 2025-08
2025.08 | 2025-08
08/2025 | 2025-08
8/2025 | 2025-08
08-2025 | 2025-08
aug | 2025-08
Aug. | 2025-08
august | 2025-08
AUGUST | 2025-08
sept | 2025-09
in august | 2025-08
during august | 2025-08
the month of august | 2025-08
in early august | 2025-08
august's | 2025-08
december | 2024-12
november | 2025-11
may | 2025-05
in may | 2025-05
may 2024 | 2024-05
may, 2024 | 2024-05
may of 2024 | 2024-05
may '24 | 2024-05
2024 may | 2024-05
may last year | 2024-05
may of last year | 2024-05
may this year | 2025-05
oct-2024 | 2024-10
last june | 2025-06
last november | 2024-11
this june | 2025-06
this month | 2025-11
the current month | 2025-11
month to date | 2025-11
last month | 2025-10
past month | 2025-10
previous month | 2025-10
the month before | 2025-10
the month before last | 2025-09
a month ago | 2025-10
two months ago | 2025-09
12 months ago | 2024-11
Q3 | 2025-07 2025-09
q4 | 2025-10 2025-11
in Q1 | 2025-01 2025-03
Q3 2024 | 2024-07 2024-09
Q3 of 2024 | 2024-07 2024-09
2024 Q3 | 2024-07 2024-09
2024-Q3 | 2024-07 2024-09
Q3 last year | 2024-07 2024-09
third quarter of last year | 2024-07 2024-09
last quarter | 2025-07 2025-09
this quarter | 2025-10 2025-11
H1 2025 | 2025-01 2025-06
first half of 2025 | 2025-01 2025-06
second half of last year | 2024-07 2024-12
last year | 2024-01 2024-12
this year | 2025-01 2025-11
year to date | 2025-01 2025-11
2024 | 2024-01 2024-12
in 2024 | 2024-01 2024-12
a year ago | 2024-01 2024-12
the past three months | 2025-08 2025-10
last 3 months | 2025-08 2025-10
the last 12 months | 2024-11 2025-10
over the past couple of months | 2025-09 2025-10
the last few months | 2025-08 2025-10
last two quarters | 2025-04 2025-09
past two years | 2023-01 2024-12
last half year | 2025-05 2025-10
since june | 2025-06 2025-11
since june 2024 | 2024-06 2025-11
from june onwards | 2025-06 2025-11
from june until now | 2025-06 2025-11
june to now | 2025-06 2025-11
since 2024 | 2024-01 2025-11
since Q2 | 2025-04 2025-11
since last month | 2025-10 2025-11
since last year | 2024-01 2025-11
since may | 2025-05 2025-11
after june | 2025-07 2025-11
between june and august | 2025-06 2025-08
from june to august | 2025-06 2025-08
june to august | 2025-06 2025-08
june - august | 2025-06 2025-08
june-august | 2025-06 2025-08
june – august 2024 | 2024-06 2024-08
jun..aug | 2025-06 2025-08
june through august | 2025-06 2025-08
march to may | 2025-03 2025-05
between may and july | 2025-05 2025-07
may and june | 2025-05 2025-06
june and august | 2025-06 2025-08
june, july and august | 2025-06 2025-08
december to january | 2024-12 2025-01
november 2024 to february | 2024-11 2025-02
june 2024 to june 2025 | 2024-06 2025-06
2025-06 to 2025-08 | 2025-06 2025-08
2025-06 - 2025-08 | 2025-06 2025-08
2025-06..2025-08 | 2025-06 2025-08
Q1 to Q3 | 2025-01 2025-09
Q3 2024 to Q1 | 2024-07 2025-03
2023-2024 | 2023-01 2024-12
from 2023 to 2024 | 2023-01 2024-12
october to december 2025 | 2025-10 2025-11
im oktober | 2025-10
Oktober 2024 | 2024-10
en août | 2025-08
février 2025 | 2025-02
en mars | 2025-03
mars 2025 | 2025-03
im Mai | 2025-05
diciembre | 2024-12
em setembro | 2025-09
seit juni | 2025-06 2025-11
2025年10月 | 2025-10
10月 | 2025-10
12월 | 2024-12
"""

ROWS = [
    (written.strip(), *(Month.parse(month) for month in (meant.split() * 2)[:: max(1, len(meant.split()))][:2]))
    if len(meant.split()) == 1
    else (written.strip(), *map(Month.parse, meant.split()))
    for written, meant in (line.split(" | ") for line in WRITTEN.strip().splitlines())
]


def test_what_is_written_is_read_and_taken_out() -> None:
    read = [(when(f"Ada {written}?", NOW), MonthRange(first, last), written) for written, first, last in ROWS]
    assert [one for one in read if (one[0].months, one[0].wrong) != (one[1], None)] == []
    assert [one for one in read if one[0].rest.strip(" ?") not in ("Ada", "Ada 's")] == []


@pytest.mark.parametrize(
    ("text", "months", "rest"),
    [
        ("what may I ask", None, "what may I ask"),
        ("you may see ada", None, "you may see ada"),
        ("may we see june", "2025-06", "may we see"),
        ("may ada be told", None, "may ada be told"),
        ("march on", None, "march on"),
        ("the long march", None, "the long march"),
        ("march on to june", "2025-06", "march on to"),
        ("ada in march.", "2025-03", "ada"),
        ("what did ada do may", "2025-05", "what did ada do"),
        ("Mars lander", None, "Mars lander"),
        ("Mai Tran", None, "Mai Tran"),
        ("Julio did it", None, "Julio did it"),
        ("jan-frederik", None, "jan-frederik"),
        ("june@example.com", None, "june@example.com"),
        ("acme/june", None, "acme/june"),
        ("decided to augment a marble in the maytime", None, "decided to augment a marble in the maytime"),
        ("#2025", None, "#2025"),
        ("fix 2024 commits", None, "fix 2024 commits"),
        ("v2024.10.1", None, "v2024.10.1"),
        ("port 2024/tcp", None, "port 2024/tcp"),
        ("the H2 database", None, "the H2 database"),
        ("Ada june june", "2025-06", "Ada"),
        ("", None, ""),
    ],
)
def test_ordinary_words_are_no_months(text: str, months: str | None, rest: str) -> None:
    asked = when(text, NOW)
    wanted = MonthRange(Month.parse(months), Month.parse(months)) if months else None
    assert (asked.months, " ".join(asked.rest.split()), asked.wrong) == (wanted, rest, None)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("2025-13", "There is no month 2025-13."),
        ("13/2025", "There is no month 2025-13."),
        ("2025-00", "There is no month 2025-00."),
        ("next month", "December 2025 has not begun yet."),
        ("2025-12", "December 2025 has not begun yet."),
        ("december 2025", "December 2025 has not begun yet."),
        ("this december", "December 2025 has not begun yet."),
        ("next june", "June 2026 has not begun yet."),
        ("next quarter", "January 2026 to March 2026 has not begun yet."),
        ("next year", "January 2026 to December 2026 has not begun yet."),
        ("2031", "January 2031 to December 2031 has not begun yet."),
        ("since 2031", "January 2031 has not begun yet."),
        ("next 3 months", "December 2025 to February 2026 has not begun yet."),
        ("from october 2025 to june 2025", "2025-10 is after 2025-06."),
        ("until august", "Since when? Say the first month too, such as “from june to august”."),
        ("the past 500 months", "500 months are more than can be told at once; ask for 1 to 120 months."),
        ("10/25", "Do you mean 2025-10? Write the year in full, so that it is no day."),
        ("in Q7", "There are four quarters, Q1 to Q4."),
        ("oct 25", "Do you mean a day, or October 2025? I tell whole months; write the year in full."),
        ("june 2024 but not may 2024", "Which months do you mean: June 2024 or May 2024?"),
        *((day, DAYS) for day in [
            "yesterday", "last week", "this week", "past 30 days", "two weeks ago", "2025-10-05", "5.10.2025",
            "october 5th", "5th of october", "5 october 2025", "october 5, 2025", "last sprint", "since monday",
        ]),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_and_not_guessed(text: str, wrong: str) -> None:
    asked = when(f"ada {text}", NOW)
    assert (asked.months, asked.wrong) == (None, wrong)


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("previous month", "2025-02"),
        ("the month before", "2025-02"),
        ("and the one before that?", "2025-02"),
        ("next month", "2025-06"),
        ("the following month", "2025-06"),
        ("the month after", "2025-06"),
        ("last month", "2025-10"),
        ("this month", "2025-11"),
    ],
)
def test_a_thread_is_what_previous_and_next_are_counted_from(text: str, month: str) -> None:
    about = MonthRange(Month(2025, 3), Month(2025, 5))
    assert when(text, NOW, about).months == MonthRange(Month.parse(month), Month.parse(month))


def test_the_same_months_last_year_are_counted_from_the_thread() -> None:
    about = MonthRange(Month(2025, 3), Month(2025, 5))
    assert when("same months last year", NOW, about).months == MonthRange(Month(2024, 3), Month(2024, 5))
    assert when("same month last year", NOW).months == MonthRange(Month(2024, 11), Month(2024, 11))


def test_the_month_after_the_present_has_not_begun_in_a_thread_either() -> None:
    assert when("next month", NOW, MonthRange(NOW, NOW)).wrong == "December 2025 has not begun yet."


_PIECES = st.sampled_from(
    ["june", "may", "march", "2025", "2025-13", "q3", "since", "to", "and", "last", "next", "month", "3", "year", "-",
     "..",
     "'s", "ada", "between", "'25", "10/2025", "mai", "月", "1", "\x00", "quarter", "ago", ","]
)  # fmt: skip


@given(
    st.one_of(st.text(max_size=80), st.lists(_PIECES, max_size=12).map(" ".join)),
    st.integers(1900, 9998),
    st.integers(1, 12),
)
@example("last month", 1, 1)
@example("the past 120 months", 5, 1)
@example("june to june", 1, 1)
@example("next month", 9998, 12)
def test_any_text_is_read(text: str, year: int, number: int) -> None:
    """A range that is not in the future, or none; never an exception."""
    present = Month(year, number)
    asked = when(text, present)
    assert asked.months is None or (asked.months.last <= present and asked.wrong is None)


@pytest.mark.parametrize("piece", ["june ", "may ", "2025-10 ", "to ", "1", "last 3 ", "-", "june to ", "x"])
def test_a_long_text_is_read_at_once(piece: str) -> None:
    text = piece * (300 // len(piece))
    when(text, NOW)  # so that patterns that are made when first needed are there
    assert steps(lambda: when(text, NOW)) < 30_000
