"""A document as messages: complete, within Slack's limits, and with git's text untouched."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import example, given
from hypothesis import strategies as st
from values import ADA, ENGINE, INDEXED, UTC_ZONE, Json, commit, indexed, read

from bot.month.calendar import Month
from bot.month.facts import FactsContext, month_facts
from bot.slack.elements import Message
from bot.slack.render import messages_of
from bot.story.documents import to_json
from bot.story.month import month_document
from bot.story.render import Templates
from bot.workspace.block_kit import faults

TEMPLATES = Templates()
OCTOBER = Month(2025, 10)
PAGES = {ENGINE: f"https://github.com/{ENGINE}"}


def document_of(subjects: Sequence[str], body: str = "") -> Json:
    commits = [
        commit(subject, body=body, sha=f"{number:09x}{number:031x}") for number, subject in enumerate(subjects, 1)
    ]
    facts = month_facts(ADA, OCTOBER, commits, FactsContext(UTC_ZONE, [indexed(ENGINE)], INDEXED))
    return to_json(month_document(facts))


def month_of(subjects: Sequence[str], body: str = "") -> list[Message]:
    return messages_of(read(document_of(subjects, body)), TEMPLATES, PAGES)


@given(st.lists(st.text(max_size=300), max_size=12), st.text(max_size=400))
@example(["x", "\x1b[31m", "", "(#1)"], "")
def test_whatever_git_says_the_messages_pass(subjects: list[str], body: str) -> None:
    assert all(faults(message.payload()) == [] for message in month_of(subjects, body))
