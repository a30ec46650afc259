"""A document as messages: complete, within Slack's limits, and with git's text untouched."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, INDEXED, UTC_ZONE, commit, indexed, sha_of, somebody

from bot.model import Sentence
from bot.month.calendar import Month
from bot.month.facts import month_facts
from bot.settings import BOTS
from bot.slack.blocks import Message, digest_messages, month_messages
from bot.slack.limits import MAX_BLOCKS_JSON, MAX_BLOCKS_TEXT, block_text_length, blocks_json_size, faults
from bot.story.digest import month_digest
from bot.story.document import digest_document, month_document
from bot.story.render import Templates
from bot.story.story import month_story

TEMPLATES = Templates()


def messages_of(subjects: list[str], body: str = "") -> list[Any]:
    commits = [
        commit(subject, body=body, sha=f"{number:09x}{number:031x}") for number, subject in enumerate(subjects, 1)
    ]
    facts = month_facts(ADA, Month(2025, 10), UTC_ZONE, commits, [indexed(ENGINE)], INDEXED)
    return month_messages(month_document(facts, month_story(facts)), TEMPLATES)


@pytest.mark.parametrize("count", [0, 1, 35, 400])
@pytest.mark.parametrize("subject", ["Add a mill", "<!channel> & * _ ~ `" * 160, "漢字" * 700, "&" * 3000])
def test_any_month_fits_into_messages_that_slack_takes(count: int, subject: str) -> None:
    messages = messages_of([f"{number} {subject}" for number in range(count)])
    assert [faults(message.payload()) for message in messages] == [[]] * len(messages)
    assert [message.in_thread for message in messages] == [False] + [True] * (len(messages) - 1)
    text = "\n".join(message.text for message in messages)
    assert all(f"{number:09x}" in text for number in range(1, count + 1))


@given(st.lists(st.text(max_size=300), max_size=12), st.text(max_size=400))
def test_whatever_git_says_the_messages_pass(subjects: list[str], body: str) -> None:
    assert all(faults(message.payload()) == [] for message in messages_of(subjects, body))


def test_backticks_make_code_and_nothing_else_is_read() -> None:
    (message,) = messages_of(["Use `rust_struct` in *all* of_the_places"])
    title, text = item_of(message)
    assert title == [
        {"type": "text", "text": "Use of ", "style": {"bold": True}},
        {"type": "text", "text": "rust_struct", "style": {"bold": True, "code": True}},
        {"type": "text", "text": " in *all* of_the_places", "style": {"bold": True}},
    ]
    assert text == [
        {"type": "text", "text": "Used "},
        {"type": "text", "text": "rust_struct", "style": {"code": True}},
        {"type": "text", "text": " in *all* of_the_places."},
    ]


def test_a_backtick_alone_is_shown_as_it_is() -> None:
    """Wherever it comes from: a story closes its own, a model's or an edited document's may be open."""
    facts = month_facts(ADA, Month(2025, 10), UTC_ZONE, [commit()], [indexed(ENGINE)], INDEXED)
    document = month_document(facts, month_story(facts))
    document["items"][0]["text"] = "Use `it` in <!here> ` alone"
    (message,) = month_messages(document, TEMPLATES)
    assert item_of(message)[1] == [
        {"type": "text", "text": "Use "},
        {"type": "text", "text": "it", "style": {"code": True}},
        {"type": "text", "text": " in <!here> ` alone"},
    ]


def item_of(message: Message) -> tuple[list[Any], list[Any]]:
    """The leaves of the title and of the text of the first item, without its commit between them."""
    (rich,) = [block for block in message.blocks if block["type"] == "rich_text"][1:]
    leaves = rich["elements"][0]["elements"][0]["elements"]
    return leaves[: leaves.index({"type": "text", "text": " "})], leaves[
        leaves.index({"type": "text", "text": "\n"}) + 1 :
    ]


def test_a_heading_is_never_the_last_line_of_a_message() -> None:
    """In a digest's thread, where each person has one, and before the impact."""
    people = [somebody(f"P{n:02}") for n in range(40)]
    commits = [commit(f"Add {'x' * 90} {n}", author=p, sha=sha_of((p.name, n))) for p in people for n in range(5)]
    month = Month(2025, 10)
    digest = month_digest("everyone", month, UTC_ZONE, people, commits, [indexed(ENGINE)], INDEXED, BOTS)
    facts = month_facts(people[0], month, UTC_ZONE, commits[:5], [indexed(ENGINE)], INDEXED)
    for size in range(1, 40):
        story = month_story(facts)
        long = [replace(story.items[0], title=f"{'y' * 300} {n}") for n in range(size)]
        said = (Sentence("It was.", (commits[0].sha,)),)
        document = month_document(facts, replace(story, items=(*long, *story.items), impact=said))
        check_headings(month_messages(document, TEMPLATES))
    threads = digest_messages(digest_document(digest), TEMPLATES)
    assert len(threads) > 2
    check_headings(threads)


def check_headings(messages: list[Message]) -> None:
    for message in messages:
        for rich in (block for block in message.blocks if block["type"] == "rich_text"):
            (*_, last) = rich["elements"][-1]["elements"]
            assert last.get("style") != {"bold": True}


def test_a_digest_of_many_tells_of_everybody_in_its_thread() -> None:
    """Not of as many as there is room for in the channel, by the alphabet, and of the others elsewhere."""
    people = [somebody(f"Person {n:02}") for n in range(60)]
    commits = [commit(f"Add part {n} of {p.name}", author=p, sha=sha_of((p.name, n))) for p in people for n in range(3)]
    digest = month_digest("everyone", Month(2025, 10), UTC_ZONE, people, commits, [indexed(ENGINE)], INDEXED, BOTS)
    root, *thread = digest_messages(digest_document(digest), TEMPLATES)
    assert "The thread tells of 60 people, first in short, then change by change." in root.text
    assert "Person 00 made" not in root.text and thread[0].text.startswith("Person 00 made 3 changes")
    assert "180 commits told" in root.text and all(one.in_thread for one in thread)
    assert [faults(message.payload()) for message in (root, *thread)] == [[]] * (len(thread) + 1)
    assert all(f"*{person.name}: 3 changes*" in "".join(one.text for one in thread) for person in people)


def test_no_message_begins_with_an_empty_line() -> None:
    people = [somebody(f"Person {n:02}") for n in range(60)]
    commits = [commit(f"Add a part of {p.name}", author=p, sha=sha_of(p.name)) for p in people]
    digest = month_digest("everyone", Month(2025, 10), UTC_ZONE, people, commits, [indexed(ENGINE)], INDEXED, BOTS)
    for message in digest_messages(digest_document(digest), TEMPLATES):
        assert not message.text.startswith("\n")
        if message.blocks[0]["type"] == "rich_text":
            assert message.blocks[0]["elements"][0]["elements"][0] != {"type": "text", "text": "\n"}


def test_the_first_of_several_messages_has_room_for_buttons() -> None:
    messages = messages_of([f"Add part {number} {'of the mill ' * 9}" for number in range(100)])
    assert len(messages) > 1
    assert blocks_json_size(messages[0].blocks) <= MAX_BLOCKS_JSON - 3_000
    assert block_text_length(messages[0].blocks) <= MAX_BLOCKS_TEXT - 400
