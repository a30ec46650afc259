"""Days that people write in figures, and days that not every month has: read, or refused with the reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import ADA, Copy, GitRepo, index
from conftest import Ran

from storage import Store


def _engine(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "engine")
    repo.commit("Add the mill", author=ADA, at="2025-08-31 10:00 +0000")
    index(Store(folder / "almanac.db"), repo)


@pytest.fixture
def asked(
    almanac: Callable[..., Ran], copy_home: Copy, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, str], dict[str, object]]:
    copy_home(_engine)

    def asked(today: str, when: str) -> dict[str, object]:
        monkeypatch.setenv("ALMANAC_NOW", f"{today}T12:00:00Z")
        ran = almanac("ask", f"what did ada lovelace do {when}", "--parse")
        assert ran.code == 0, ran.err
        return dict(json.loads(ran.out))

    return asked


TODAY = "2025-11-10"
READ = [
    # what not every month, or not every year, has
    (TODAY, "on the 31st?", "2025-10-31"),
    ("2025-12-10", "on the 31st?", "2025-10-31"),
    ("2025-12-31", "on the 31st?", "2025-12-31"),
    ("2025-03-10", "on the 31st?", "2025-01-31"),
    ("2025-03-10", "on the 30th?", "2025-01-30"),
    ("2025-03-10", "on the 29th?", "2025-01-29"),
    ("2024-03-10", "on the 29th?", "2024-02-29"),
    ("2025-05-10", "on the 31st?", "2025-03-31"),
    ("2025-03-10", "on 29 february?", "2024-02-29"),
    ("2027-12-31", "on february 29th?", "2024-02-29"),
    (TODAY, "on 29.02.", "2024-02-29"),
    # in figures
    (TODAY, "on 2025-08-31?", "2025-08-31"),
    (TODAY, "on 2025-8-31", "2025-08-31"),
    (TODAY, "on 2025/08/31", "2025-08-31"),
    (TODAY, "on 2025.08.31", "2025-08-31"),
    (TODAY, "on 2025-31-08", "2025-08-31"),
    (TODAY, "on 20250831", "2025-08-31"),
    (TODAY, "on 31/08/2025", "2025-08-31"),
    (TODAY, "on 31-08-2025", "2025-08-31"),
    (TODAY, "on 31.08.2025", "2025-08-31"),
    (TODAY, "on 31.8.2025", "2025-08-31"),
    (TODAY, "on 08/31/2025", "2025-08-31"),
    (TODAY, "on 8/31/2025", "2025-08-31"),
    (TODAY, "on 08-31-2025", "2025-08-31"),
    (TODAY, "on 8/31/25", "2025-08-31"),
    (TODAY, "on 31/08/25", "2025-08-31"),
    (TODAY, "on 31.08.25", "2025-08-31"),
    (TODAY, "on 31.08.", "2025-08-31"),
    (TODAY, "on 31.8.?", "2025-08-31"),
    (TODAY, "on 31.08", "2025-08-31"),
    (TODAY, "on 31/8", "2025-08-31"),
    (TODAY, "on 8/31?", "2025-08-31"),
    (TODAY, "on 31. august", "2025-08-31"),
    (TODAY, "on 31.12.", "2024-12-31"),
]


@pytest.mark.parametrize("today, when, day", READ)
def test_a_day_is_the_latest_such_day(
    asked: Callable[[str, str], dict[str, object]], today: str, when: str, day: str
) -> None:
    read = asked(today, when)
    assert (read["intent"], read["from"], read["to"]) == ("month", day, day)


@pytest.mark.parametrize(
    "when, first, last",
    [
        ("20.07.-26.07.", "2025-07-20", "2025-07-26"),
        ("from 20.07. to 26.07.2025", "2025-07-20", "2025-07-26"),
        ("between 1.8. and 14.8.", "2025-08-01", "2025-08-14"),
        ("from 27/7 to 14/8", "2025-07-27", "2025-08-14"),
        ("since 8/20", "2025-08-20", "2025-11-10"),
        ("in the week of 8/25/2025", "2025-08-25", "2025-08-31"),
        ("06-08/2025", "2025-06", "2025-08"),
    ],
)
def test_days_in_figures_are_ends_of_a_span(
    asked: Callable[[str, str], dict[str, object]], when: str, first: str, last: str
) -> None:
    read = asked(TODAY, when)
    assert (read["from"], read["to"]) == (first, last)


@pytest.mark.parametrize("when", ["on 03/04/2025", "on 3/4", "on 3-4-2025"])
def test_what_may_be_month_and_day_says_how_it_was_read(
    almanac: Callable[..., Ran], asked: Callable[[str, str], dict[str, object]], when: str
) -> None:
    read = asked(TODAY, when)
    assert (read["from"], read["to"]) == ("2025-04-03", "2025-04-03")
    answer = almanac("ask", f"what did ada lovelace do {when}")
    assert answer.out.startswith(f"{when.capitalize()}: 3 April 2025.")


@pytest.mark.parametrize(
    "when, why",
    [
        ("on 30 february", "There is no 30 February."),
        ("on 30.2.2025", "There is no 30 February 2025."),
        ("on 31 april", "There is no 31 April."),
        ("on 29 february 2025", "There is no 29 February 2025."),
        ("on 31/2/2025", "There is no 31 February 2025."),
        ("on 32.08.2025", "There is no 32 August 2025."),
        ("on 08/32/2025", "There is no 32 August 2025."),
        ("on 31/13/2025", "There is no month 2025-13."),
    ],
)
def test_a_day_that_there_is_not_is_refused_with_the_reason(
    almanac: Callable[..., Ran], asked: Callable[[str, str], dict[str, object]], when: str, why: str
) -> None:
    assert asked(TODAY, when)["intent"] == "unknown"
    answer = almanac("ask", f"what did ada lovelace do {when}")
    assert answer.out.startswith(why)


@pytest.mark.parametrize("when", ["in python 3.10", "in 3.10.", "for 3/4 of the shards", "between 2.4 and 2.5."])
def test_versions_and_parts_are_no_days(asked: Callable[[str, str], dict[str, object]], when: str) -> None:
    read = asked(TODAY, when)
    assert (read["from"], read["to"]) == (None, None)
