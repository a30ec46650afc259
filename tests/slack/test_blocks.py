"""A document as messages: complete, within Slack's limits, and with git's text untouched."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, INDEXED, UTC_ZONE, commit, indexed

from bot.month.calendar import Month
from bot.month.facts import month_facts
from bot.slack.blocks import month_messages
from bot.slack.limits import faults
from bot.story.document import month_document
from bot.story.render import Templates
from bot.story.story import month_story

TEMPLATES = Templates()


def messages_of(subjects: list[str], body: str = "") -> list[Any]:
    commits = [commit(subject, body=body, sha=f"{number:040x}") for number, subject in enumerate(subjects, 1)]
    facts = month_facts(ADA, Month(2025, 10), UTC_ZONE, commits, [indexed(ENGINE)], INDEXED)
    return month_messages(month_document(facts, month_story(facts)), TEMPLATES)


@pytest.mark.parametrize("count", [0, 1, 35, 400])
@pytest.mark.parametrize("subject", ["Add a mill", "<!channel> & * _ ~ `" * 160, "漢字" * 700, "&" * 3000])
def test_any_month_fits_into_messages_that_slack_takes(count: int, subject: str) -> None:
    messages = messages_of([f"{number} {subject}" for number in range(count)])
    assert [faults(message.payload()) for message in messages] == [[]] * len(messages)
    assert [message.in_thread for message in messages] == [False] + [True] * (len(messages) - 1)
    text = "\n".join(message.text for message in messages)
    assert all(f"{number:040x}"[:9] in text for number in range(1, count + 1))


@given(st.lists(st.text(max_size=300), max_size=12), st.text(max_size=400))
def test_whatever_git_says_the_messages_pass(subjects: list[str], body: str) -> None:
    assert all(faults(message.payload()) == [] for message in messages_of(subjects, body))


def test_backticks_make_code_and_nothing_else_is_read() -> None:
    (message,) = messages_of(["Use `rust_struct` in *all* of_the_places ` alone"])
    (rich,) = [block for block in message.blocks if block["type"] == "rich_text"][1:]
    leaves = rich["elements"][1]["elements"][0]["elements"]
    assert leaves[:3] == [
        {"type": "text", "text": "Use "},
        {"type": "text", "text": "rust_struct", "style": {"code": True}},
        {"type": "text", "text": " in *all* of_the_places ` alone"},
    ]


def test_a_heading_is_never_the_last_line_of_a_message() -> None:
    for message in messages_of([f"{verb} part {n} {'x' * 90}" for n in range(80) for verb in ("Add", "Fix")]):
        (rich, *_) = [block for block in message.blocks if block["type"] == "rich_text"][-1:]
        assert rich["elements"][-1]["type"] == "rich_text_list"
