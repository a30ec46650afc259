"""Block Kit's rules: what fits passes, what is one too many is named by its place."""

from __future__ import annotations

from typing import Any

import pytest

from bot.slack.elements import MAX_BLOCKS_JSON, blocks_json_size
from bot.workspace.block_kit import faults, view_faults

Json = dict[str, Any]


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def mrkdwn(text: str) -> Json:
    return {"type": "mrkdwn", "text": text}


def section(text: str, **more: Any) -> Json:
    return {"type": "section", "text": mrkdwn(text), **more}


def button(**more: Any) -> Json:
    return {"type": "button", "text": plain("Show"), "action_id": "show", **more}


def option(**more: Any) -> Json:
    return {"text": plain("May"), "value": "2025-05", **more}


def rich(*leaves: Json) -> Json:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(leaves)}]}


def places(*blocks: Any) -> list[tuple[str, str]]:
    """The code and place of each fault in a message with these blocks."""
    return [(fault.code, fault.pointer) for fault in faults({"text": "plain", "blocks": list(blocks)})]


def only(pointer: str, code: str = "invalid_blocks") -> list[tuple[str, str]]:
    return [(code, pointer)]


SELECT = {"type": "static_select", "action_id": "month", "placeholder": plain("Month"), "options": [option()]}
CONFIRM = {"title": plain("Sure?"), "text": mrkdwn("It goes."), "confirm": plain("Yes"), "deny": plain("No")}

GOOD: dict[str, Json] = {
    "section": section("x" * 3000, accessory=button(confirm=CONFIRM), block_id="b" * 255),
    "fields": {"type": "section", "fields": [mrkdwn("x" * 2000)] * 4},
    "header": {"type": "header", "text": {**plain("x" * 150), "emoji": False}},
    "context": {"type": "context", "elements": [mrkdwn("a"), plain("b")]},
    "actions": {"type": "actions", "elements": [button(value="v" * 2000), SELECT]},
    "divider": {"type": "divider"},
    "input": {"type": "input", "label": plain("Who"), "element": {"type": "plain_text_input"}, "optional": True},
    "rich text": rich(
        {"type": "text", "text": "*not bold*", "style": {"code": True}},
        {"type": "link", "url": "https://example.com", "text": "one"},
    ),
    "list": {
        "type": "rich_text",
        "elements": [
            {"type": "rich_text_list", "style": "bullet", "indent": 1, "elements": rich()["elements"]},
            {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "x"}]},
        ],
    },
}


def test_what_slack_takes_passes() -> None:
    """No rule is stricter than Slack's for the blocks the bot may send."""
    found = {name: faults({"text": "plain", "blocks": [block]}) for name, block in GOOD.items()}
    assert {name: some for name, some in found.items() if {one.code for one in some} - {"msg_blocks_too_long"}} == {}


WRONG: list[tuple[Any, str]] = [  # and where the fault is in the block
    (section("x" * 3001), "/text/text"),
    ({"type": "section", "fields": []}, "/fields"),
    ({"type": "section", "fields": [mrkdwn("x")] * 11}, "/fields"),
    ({"type": "section", "fields": [mrkdwn("x" * 2001)]}, "/fields/0/text"),
    (section("x", accessory={"type": "plain_text_input"}), "/accessory/type"),
    (section("x", block_id="b" * 256), "/block_id"),
    ({"type": "section", "text": {**mrkdwn("x"), "emoji": True}}, "/text"),
    ({"type": "section", "text": "x"}, "/text"),
    ({"type": "header", "text": mrkdwn("x")}, "/text/type"),
    ({"type": "header", "text": plain("x" * 151)}, "/text/text"),
    ({"type": "context", "elements": []}, "/elements"),
    ({"type": "context", "elements": [mrkdwn("x")] * 11}, "/elements"),
    ({"type": "context", "elements": [button()]}, "/elements/0/type"),
    ({"type": "actions", "elements": [button(action_id=f"a{n}") for n in range(26)]}, "/elements"),
    ({"type": "actions", "elements": [button(text=plain("x" * 76))]}, "/elements/0/text/text"),
    ({"type": "actions", "elements": [button(text=mrkdwn("x"))]}, "/elements/0/text/type"),
    ({"type": "actions", "elements": [button(value="x" * 2001)]}, "/elements/0/value"),
    ({"type": "actions", "elements": [button(style="loud")]}, "/elements/0/style"),
    ({"type": "actions", "elements": [button(), button()]}, ""),
    (section("x", accessory={**SELECT, "options": [option()] * 101}), "/accessory/options"),
    (section("x", accessory={**SELECT, "options": []}), "/accessory/options"),
    (section("x", accessory={"type": "static_select"}), "/accessory"),
    (section("x", accessory={**SELECT, "options": [option(value="x" * 151)]}), "/accessory/options/0/value"),
    (section("x", accessory={**SELECT, "options": [option(text=plain("x" * 76))]}), "/accessory/options/0/text/text"),
    ({"type": "alert", "text": mrkdwn("x")}, "/type"),
    (None, ""),
    (rich({"type": "text", "text": ""}), "/elements/0/elements/0/text"),
    ({"type": "rich_text", "elements": []}, "/elements"),
]


@pytest.mark.parametrize(("block", "expected"), WRONG)
def test_what_slack_refuses_is_named_by_its_place(block: Any, expected: str) -> None:
    """One thing wrong gives one fault, with a JSON pointer to it."""
    assert places(block) == only(f"/blocks/0{expected}")


def test_all_blocks_together_are_limited() -> None:
    """Fifty blocks go, and 15,000 bytes of JSON, and no more."""
    assert places(*[{"type": "divider"}] * 50) == []
    assert places(*[{"type": "divider"}] * 51) == only("/blocks", "msg_blocks_too_many")
    room = MAX_BLOCKS_JSON - blocks_json_size([section("x")] * 6)
    long = [section("x" * (1 + room // 6))] * 5
    widest = [*long, section("x" * (1 + room // 6 + room % 6))]
    assert blocks_json_size(widest) == MAX_BLOCKS_JSON and places(*widest) == []
    assert places(*widest[1:], section("x" * (2 + room // 6))) == only("/blocks", "msg_blocks_too_long")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"text": "x", "blocks": []}, []),
        ({"text": "x" * 4000}, []),
        ({"text": "x" * 4001}, ["msg_too_long"]),
        ({"blocks": [section("x")]}, ["no_text"]),
        ({"text": " \n", "blocks": [section("x")]}, ["no_text"]),
        ({"text": "x", "blocks": {"type": "divider"}}, ["invalid_blocks_format"]),
        ({"text": "x", "blocks": [{"type": "divider", 1: object()}]}, ["invalid_blocks", "invalid_blocks_format"]),
        ({"text": "x", "metadata": {"event_type": "post", "event_payload": {"key": "1", "n": [{"a": 1}]}}}, []),
        ({"text": "x", "metadata": {"event_type": "post"}}, ["invalid_metadata_format"]),
    ],
)
def test_the_rest_of_a_message_is_checked_too(message: Json, expected: list[str]) -> None:
    """Text that is the whole sense, metadata of Slack's form."""
    assert [fault.code for fault in faults(message)] == expected


MODAL = {"type": "modal", "title": plain("x" * 24), "close": plain("Close"), "blocks": [section("x")]}
INPUT = {"type": "input", "label": plain("Who"), "element": {"type": "plain_text_input"}}


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (MODAL, []),
        ({"type": "home", "blocks": [{"type": "divider"}] * 101}, ["/blocks"]),
        ({**MODAL, "blocks": [{"type": "table"}]}, ["/blocks/0/type"]),
        ({**MODAL, "title": plain("x" * 25)}, ["/title/text"]),
        ({**MODAL, "private_metadata": "x" * 3001}, ["/private_metadata"]),
        ({"type": "modal", "blocks": []}, ["", "/blocks"]),
        ({**MODAL, "blocks": [INPUT]}, [""]),
        ({**MODAL, "blocks": [INPUT], "submit": plain("Save")}, []),
        ({**MODAL, "blocks": [section("x", block_id="a")] * 2}, ["/blocks/1/block_id"]),
        ([], [""]),
    ],
)
def test_views_are_checked(view: Any, expected: list[str]) -> None:
    """A modal and a home tab have rules of their own."""
    assert [fault.pointer for fault in view_faults(view)] == expected
