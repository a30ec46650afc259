"""What a person types, as Slack passes it on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.workspace import Workspace, WorkspaceUser
from bot.workspace.people import typed


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
