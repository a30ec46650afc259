"""A question written down as JSON, and read again."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ask.grammar.written import question_document, question_of
from bot.model import Question
from bot.month.calendar import Month

_TEXTS = st.lists(st.text(max_size=20), max_size=3).map(tuple)
_MONTHS = st.builds(Month, st.integers(1, 9998), st.integers(1, 12)) | st.none()


@given(
    st.builds(
        Question,
        st.sampled_from(["month", "compare", "profile", "who", "changes"]),
        people=_TEXTS,
        first=_MONTHS,
        last=_MONTHS,
        repositories=_TEXTS,
        topic=st.text(max_size=20) | st.none(),
        kinds=_TEXTS,
        form=st.sampled_from([None, "markdown"]),
    )
)
def test_a_question_comes_back_from_json_as_it_was(question: Question) -> None:
    assert question_of(json.loads(json.dumps(question_document(question)))) == question


def test_what_is_printed_has_a_form_only_where_one_is_wanted() -> None:
    document = {
        "intent": "month", "people": ["Ada"], "from": "2025-08", "to": "2025-09", "repos": ["a/b"], "topic": None,
        "kinds": [],
    }  # fmt: skip
    question = Question("month", ("Ada",), Month(2025, 8), Month(2025, 9), ("a/b",))
    assert question_document(question) == document
    assert question_of({**document, "form": "markdown"}).form == "markdown"
    assert question_of({"intent": "help"}) == Question("help")


@pytest.mark.parametrize(
    "document",
    [{}, {"intent": 7}, {"intent": "month", "people": "Ada"}, {"intent": "month", "from": "2025-13"},
     {"intent": "month", "topic": 7}, {"intent": "month", "kinds": [1]}, {"intent": "month", "form": "pdf"}],
)  # fmt: skip
def test_what_is_no_question_is_refused(document: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        question_of(document)
