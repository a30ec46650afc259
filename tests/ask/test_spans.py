"""Days and weeks are shown like months; people and repositories can be left out; what was assumed is said first."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from builders import query_service
from values import GRACE, INDEXED, WEB, commit, read

from bot.ask.answers import Reply, answered
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.commands.asking import rendered
from bot.month.calendar import Days, Month
from bot.settings import Settings
from bot.story.documents import to_json

WEEK = Days(date(2025, 10, 6), date(2025, 10, 13))
BEFORE = Days(date(2025, 9, 29), date(2025, 10, 6))
DAY = Days(date(2025, 10, 8), date(2025, 10, 9))
EMPTY = Days(date(2025, 10, 20), date(2025, 10, 22))
BETWEEN = Days(date(2025, 10, 4), date(2025, 10, 6))
COMMITS = [
    commit("Add a cache (#1)", at="2025-10-03 12:00", paths=["src/cache.py"]),
    commit("Add a lamp (#2)", at="2025-10-06 00:00", paths=["src/lamp.py"]),
    commit("Fix a lamp (#3)", at="2025-10-08 23:59", author=GRACE, paths=["src/lamp.py"]),
    commit("Add a page (#4)", at="2025-10-12 12:00", author=GRACE, repository=WEB, paths=["lamp/page.ts"]),
    commit("Add a light (#5)", at="2025-10-13 00:00", paths=["src/light.py"]),
]


@pytest.fixture
def almanac(tmp_path: Path) -> Queries:
    return query_service(tmp_path, COMMITS)


def numbers(reply: Reply) -> set[int]:
    """The changes that are shown, by their numbers."""
    text = json.dumps(to_json(reply.documents))
    return {number for number in range(1, 6) if f"(#{number})" in text or f'"#{number}"' in text}


@pytest.mark.parametrize(
    "question, expected",
    [
        (Question("month", people=("Ada Lovelace",), span=WEEK), {2}),
        (Question("month", people=("Grace Hopper",), span=WEEK), {3, 4}),
        (Question("month", people=("Grace Hopper",), span=DAY), {3}),
        (Question("digest", span=WEEK), {2, 3, 4}),
        (Question("what_shipped", span=DAY), {3}),
        (Question("what_shipped", span=WEEK, repositories=(WEB,)), {4}),
        (Question("changes", span=WEEK), {2, 3, 4}),
        (Question("changes", people=("Grace Hopper",), span=WEEK, kinds=("fix",)), {3}),
        (Question("who", topic="lamp", span=WEEK), {2, 3, 4}),
        (Question("compare", people=("Ada Lovelace", "Grace Hopper"), span=WEEK), {2, 3, 4}),
        (Question("compare", people=("Ada Lovelace",), span=Days(BEFORE.first, WEEK.end), ends=(BEFORE, WEEK)), {1, 2}),
    ],
)
def test_an_answer_holds_the_days_that_are_asked_for(almanac: Queries, question: Question, expected: set[int]) -> None:
    reply = answered(almanac, question)
    assert numbers(reply) == expected
    for document in reply.documents:
        assert read(to_json(document)) == document
        assert document.from_ in {str(one.first) for one in (question.span, BEFORE, WEEK) if one}
    for form in ("text", "markdown", "html", "slack"):
        whole = rendered(Settings(fixed_now=INDEXED), [reply], form, almanac)
        assert question.ends or question.intent == "compare" or (question.span and question.span.title in whole)


def test_an_empty_time_says_so_and_which_days_are_nearest(almanac: Queries) -> None:
    reply = answered(almanac, Question("month", people=("Ada Lovelace",), span=EMPTY))
    assert reply.documents[0].headline.text == "No commits."
    assert list(reply.documents[0].notes) == ["The nearest active day is 13 October 2025."]


@pytest.mark.parametrize(
    ("span", "repositories", "nearest"),
    [
        (EMPTY, (), "The nearest active day is 13 October 2025."),
        (
            Days(date(2025, 10, 4), date(2025, 10, 6)),
            (),
            "The nearest active days are 3 October 2025 and 6 October 2025.",
        ),
        (EMPTY, (WEB,), "The nearest active day is 12 October 2025."),
        (Month(2025, 9), (), "The nearest active month is October 2025."),
    ],
)
def test_so_does_a_teams(almanac: Queries, span: Days | Month, repositories: tuple[str, ...], nearest: str) -> None:
    reply = answered(almanac, Question("what_shipped", span=Days.of(span), repositories=repositories))
    assert (reply.documents[0].headline.text, list(reply.documents[0].notes)) == ("No commits.", [nearest])
    if isinstance(span, Month):
        assert list(almanac.digest(span).notes) == [nearest]
    elsewhere = replace(almanac, hidden=frozenset({WEB}))
    assert "12" not in json.dumps(to_json(answered(elsewhere, Question("what_shipped", span=EMPTY)).documents))


def test_a_repository_that_may_not_be_read_is_not_named_where_it_is_left_out(almanac: Queries) -> None:
    elsewhere = replace(almanac, hidden=frozenset({WEB}))
    reply = answered(elsewhere, Question("digest", span=WEEK, without_repositories=(WEB,)))
    assert numbers(reply) == {2, 3}
    assert WEB not in json.dumps(to_json(reply.documents))
