"""A document as messages: complete, within Slack's limits, and with git's text untouched."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import example, given
from hypothesis import strategies as st
from values import ADA, ENGINE, INDEXED, UTC_ZONE, Json, commit, indexed, read

from bot.month.calendar import Month
from bot.month.facts import FactsContext, month_facts
from bot.slack.elements import MAX_BLOCKS_JSON, Message, blocks_json_size
from bot.slack.render import NOTHING, Row, messages_of, packed
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


def test_a_heading_is_never_the_last_line_of_a_message() -> None:
    for size in range(1, 40, 3):
        document = document_of([f"Add {'y' * 150} {n}" for n in range(16)] + ["Fix a crash"])
        for number, item in enumerate(document["items"]):
            item["lines"] = item["lines"][:1] * (size if number == 0 else 1)
        check_headings(messages_of(read(document), TEMPLATES))


def check_headings(messages: list[Message]) -> None:
    for message in messages:
        for rich in (block for block in message.blocks if block["type"] == "rich_text"):
            (*_, last) = rich["elements"][-1]["elements"]
            assert last.get("style") != {"bold": True}


def test_the_first_of_several_messages_has_room_for_buttons() -> None:
    leaf = {"type": "text", "text": "Add a part of the mill " * 9}
    messages = packed(NOTHING, [Row("item", (leaf,), leaf["text"])] * 400)
    assert len(messages) > 1
    assert blocks_json_size(messages[0].blocks) <= MAX_BLOCKS_JSON - 3_000
