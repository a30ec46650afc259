"""A question written down as JSON, and read again."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ask.question import Question
from bot.ask.question_document import question_document, question_of
from bot.month.calendar import Days, Month
from bot.wording import KINDS

_TEXTS = st.lists(st.text(max_size=20), max_size=3).map(tuple)
_MONTHS = st.builds(Month, st.integers(1, 9998), st.integers(1, 12))
_DAYS = st.dates(max_value=date(9998, 12, 31))
_SPANS = st.one_of(
    _MONTHS.map(Days.of),
    st.tuples(_DAYS, _DAYS).map(lambda ends: Days(min(ends), max(ends) + timedelta(days=1))),
)


@given(
    st.builds(
        Question,
        st.sampled_from(["month", "compare", "profile", "who", "changes"]),
        people=_TEXTS,
        span=st.one_of(st.none(), _SPANS),
        repositories=_TEXTS,
        topic=st.text(max_size=20) | st.none(),
        kinds=st.lists(st.sampled_from(sorted(KINDS)), max_size=3).map(tuple),
        form=st.sampled_from([(), ("markdown",), ("short", "german")]),
        without=_TEXTS,
        without_repositories=_TEXTS,
        release=st.text(min_size=1, max_size=20) | st.none(),
        team=st.none() | st.just("core"),
        topic_in=st.sampled_from([None, "subject"]),
        paths=_TEXTS,
        references=_TEXTS,
        states=_TEXTS,
        reviews=st.sampled_from([None, "by", "of"]),
        order=st.sampled_from([None, "size", "landed"]),
        limit=st.none() | st.integers(1, 50),
        count=st.booleans(),
        only=st.booleans(),
        first_time=st.booleans(),
        without_topics=_TEXTS,
        without_kinds=_TEXTS,
        unread=_TEXTS,
    )
)
def test_a_question_comes_back_from_json_as_it_was(question: Question) -> None:
    assert question_of(json.loads(json.dumps(question_document(question)))) == question


@pytest.mark.parametrize(
    "document",
    [{}, {"intent": 7}, {"intent": "month", "people": "Ada"}, {"intent": "month", "from": "2025-13"},
     {"intent": "month", "topic": 7}, {"intent": "month", "kinds": [1]},
     {"intent": "changes", "kinds": ["largest", "fix"]}, {"intent": "month", "form": "pdf"},
     {"intent": "changes", "size": ["more than 500 lines"]}],  # a button of 0.3.0
)  # fmt: skip
def test_what_is_no_question_is_refused(document: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        question_of(document)


@pytest.mark.parametrize(
    ("topic", "asks"),
    [
        ("acme/web#12", Question("explain", references=("acme/web#12",))),
        ("1a2b3c4d5", Question("explain", references=("1a2b3c4d5",))),
        ("the parser", Question("explain", topic="the parser")),
    ],
)
def test_a_button_of_the_last_release_explains_its_commit(topic: str, asks: Question) -> None:
    assert question_of({"intent": "explain", "topic": topic}) == asks
