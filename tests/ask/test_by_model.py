"""What the tables do not understand is read by a model, if one is to: only what is known comes of it."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from a_model import AModel, hangs, says, sends
from builders import NOW
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, GRACE, commit, somebody

from bot.ask.by_model import checked, read_by_model
from bot.ask.known import Known, Thread
from bot.ask.query_service import QueryService
from bot.ask.question_document import understood_document
from bot.model import Repository
from bot.settings import Settings
from bot.settings_tables import ModelSettings
from bot.story.llm.completion import Model
from bot.story.render import Templates
from storage import Store

TODAY = date(2025, 11, 12)
LINTER = somebody("Lint Bot", "lint@example.com")
KNOWN = Known([ADA, GRACE, LINTER], [ENGINE], asker=ADA, teams=["core"], may_be_offered=lambda one: one != LINTER)
TEXT = "Cad a rinne Grace i mí Dheireadh Fómhair? #12"
GRACES: dict[str, Any] = {
    "intent": "month", "people": ["Grace Hopper"], "from": "2025-10", "to": "2025-10", "repos": [], "topic": None,
    "kinds": [],
}  # fmt: skip


def asked(*answers: Any, seconds: float = 5.0) -> tuple[Any, list[str]]:
    with AModel(*answers) as server:
        model = Model(server.address, "m", seconds=seconds)
        question = read_by_model(TEXT, KNOWN, TODAY, Thread(), model, Templates(), seconds)
        return question, server.prompts


def test_what_a_model_reads_is_asked_as_any_other_question() -> None:
    question, (prompt,) = asked(says(GRACES))
    assert understood_document(question) == GRACES
    assert TEXT in prompt and "Grace Hopper" in prompt and "Wednesday 2025-11-12" in prompt
    assert "Lint Bot" not in prompt and "@example.com" not in prompt


@pytest.mark.parametrize(
    "answer",
    [
        {**GRACES, "people": ["Somebody Else"]},
        {**GRACES, "people": ["Lint Bot"]},
        {**GRACES, "repos": ["acme/secret"]},
        {**GRACES, "kinds": ["poem"]},
        {**GRACES, "from": "2025-13"},
        {**GRACES, "from": "2026-01", "to": "2026-02"},
        {**GRACES, "intent": "delete"},
        {**GRACES, "intent": "unknown"},
        {**GRACES, "intent": "explain", "topic": "#99"},
        {**GRACES, "intent": "who", "topic": None},
        {**GRACES, "intent": "what_shipped", "topic": "sales"},
        {**GRACES, "topic": 7},
        ["month"],
        "Grace's October",
    ],
    ids=str,
)
def test_what_names_something_unknown_is_not_taken(answer: Any) -> None:
    assert asked(says(answer))[0] is None


@pytest.mark.parametrize("answer", [sends(b"busy", 503), sends(b"{}"), says("")])
def test_without_an_answer_nothing_is_read(answer: Any) -> None:
    assert asked(answer)[0] is None


def test_an_answer_that_does_not_come_is_not_waited_for() -> None:
    assert asked(hangs, seconds=0.05)[0] is None


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda own: st.lists(own, max_size=3)))
def test_no_answer_raises(value: Any) -> None:
    for key in GRACES:
        checked({**GRACES, key: value}, TEXT, KNOWN, TODAY)


@pytest.mark.parametrize(("questions", "sent"), [(True, 1), (False, 0)])
def test_only_what_is_not_understood_is_sent_and_only_if_wanted(store: Store, questions: bool, sent: int) -> None:
    with AModel(says({**GRACES, "people": [], "intent": "help"})) as server:
        model = ModelSettings(address=server.address, name="m", seconds=5, questions=questions)
        almanac = QueryService.of(store, Settings(home=store.path.parent, db=store.path, fixed_now=NOW, model=model))
        assert almanac.question("what shipped last month?").intent == "what_shipped"
        assert almanac.question("who is the best developer?").intent == "unknown"
        assert server.requests == []
        almanac.question("fhqwhgads ydtrq")
        assert len(server.requests) == sent


def test_the_name_of_who_asked_not_to_be_shown_is_not_sent(store: Store) -> None:
    store.commits.register(Repository(ENGINE, "/srv/engine", indexed_at=NOW))
    store.commits.add(ENGINE, [commit("Add a part", author=ADA), commit("Add another", author=GRACE)])
    store.hidden_people.hide([GRACE.addresses[0]], "grace", NOW)
    with AModel(says({**GRACES, "people": [], "intent": "help"})) as server:
        model = ModelSettings(address=server.address, name="m", seconds=5, questions=True)
        QueryService.of(store, Settings(home=store.path.parent, db=store.path, fixed_now=NOW, model=model)).question(
            "xq zzt"
        )
        (prompt,) = server.prompts
    assert ADA.name in prompt and GRACE.name not in prompt
