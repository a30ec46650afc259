"""What a person types, as Slack passes it on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.workspace import Workspace, WorkspaceUser
from bot.workspace.people import action_of, typed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@Almanac hi", "<@U0ALMANAC> hi"),
        ("what did @ada do?", "what did <@U0001> do?"),
        ("@Ada Lovelace's month", "<@U0001>'s month"),
        ("@ada lovelace", "<@U0001>"),
        ("@adam", "@adam"),
        ("@Grace", "<@U0002>"),
        ("a <b> & c", "a &lt;b&gt; &amp; c"),
        ("<@U0001> and <!channel>", "<@U0001> and <!channel>"),
        ("see #shipped, #unknown", "see <#C0002|shipped>, #unknown"),
        ("https://example.com/a?b=1&c.", "<https://example.com/a?b=1&amp;c>."),
        ("ada@example.com", "<mailto:ada@example.com|ada@example.com>"),
    ],
)
def test_names_channels_and_links_become_references(
    new_workspace: Callable[..., Workspace], text: str, expected: str
) -> None:
    """The longest name wins, references that are there stay, the rest is escaped."""
    assert typed(new_workspace(), text) == expected


def test_commands_have_names_in_their_references(new_workspace: Callable[..., Workspace]) -> None:
    """As with should_escape in the manifest."""
    assert typed(new_workspace(), "month @Ada Lovelace", in_command=True) == "month <@U0001|ada>"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet="@<>&#|! adU01:/.", max_size=40))
def test_typing_never_leaves_a_raw_bracket(text: str) -> None:
    """Whatever is typed, every `<` in the result opens a reference that ends."""
    workspace = Workspace([WorkspaceUser(name="ada")])
    written = typed(workspace, text)
    depth = 0
    for character in written:
        depth += {"<": 1, ">": -1}.get(character, 0)
        assert depth in (0, 1)
    assert depth == 0


BLOCKS = [
    {
        "type": "actions",
        "block_id": "b",
        "elements": [
            {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}, "value": "1"},
            {"type": "static_select", "action_id": "month", "options": [{"value": "a"}, {"value": "b"}]},
            {"type": "users_select", "action_id": "who"},
        ],
    },
    {
        "type": "context_actions",
        "block_id": "f",
        "elements": [
            {
                "type": "feedback_buttons",
                "action_id": "feedback",
                "positive_button": {"text": {"type": "plain_text", "text": "Good"}, "value": "good"},
                "negative_button": {"text": {"type": "plain_text", "text": "Bad"}, "value": "bad"},
            }
        ],
    },
]


@pytest.mark.parametrize(
    ("action_id", "value", "expected"),
    [
        (
            "go",
            None,
            {"type": "button", "block_id": "b", "value": "1", "text": {"type": "plain_text", "text": "Go"}},
        ),
        ("month", "b", {"type": "static_select", "block_id": "b", "selected_option": {"value": "b"}}),
        ("who", "U0001", {"type": "users_select", "block_id": "b", "selected_user": "U0001"}),
        (
            "feedback",
            "bad",
            {
                "type": "feedback_buttons",
                "block_id": "f",
                "value": "bad",
                "text": {"type": "plain_text", "text": "Bad"},
            },
        ),
    ],
)
def test_an_action_tells_what_was_chosen(action_id: str, value: str | None, expected: dict[str, object]) -> None:
    """Type, ids, and the choice in the field Slack uses for that element."""
    assert action_of(BLOCKS, action_id, value) == {"action_id": action_id, **expected}


def test_the_value_tells_elements_of_one_action_id_apart() -> None:
    """A button "show" stands in every block; the one with the value is pressed."""
    show = {"type": "button", "action_id": "show", "text": {"type": "plain_text", "text": "Show"}}
    blocks = [{"type": "section", "block_id": v, "accessory": {**show, "value": v}} for v in ("a", "b")]
    assert [action_of(blocks, "show", value)["block_id"] for value in (None, "a", "b")] == ["a", "a", "b"]


def test_what_cannot_be_pressed_is_named() -> None:
    """The error lists what there is."""
    with pytest.raises(LookupError, match="there is go, month, who, feedback"):
        action_of(BLOCKS, "stop")
    with pytest.raises(LookupError, match="no option"):
        action_of(BLOCKS, "month", "c")
