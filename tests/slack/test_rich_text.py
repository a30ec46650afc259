"""Markdown as rich text: what our templates mark is marked, and what git says is only ever words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.slack.packing import Row
from bot.slack.rich_text import rows_of
from bot.story.render import markdown
from bot.story.wording import clean

BREAK = {"type": "text", "text": "\n"}
HOSTILE = (
    "<!channel>", "<@U1> & <https://evil.example|here>", "*x* _y_ **z** ~~w~~", "__a__b_", "[a](javascript:x)",
    "![a](https://b.c)", "[a]: https://b.c", "<https://a.b>", "# one", "- one", "+ one", "1. one", "1) one", "> one",
    "```", "~~~", "===", "---", "***", "| a | b |", "&lt; &#42;", "\\* \\", "<b>x</b>", "a `` b", "` a `", "a\n\n# b",
)  # fmt: skip
words = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=60), st.text("`*_[]()<>!#-+=.>~&\\|:1a \n", max_size=30))


def text(said: str, *styles: str) -> dict[str, Any]:
    return {"type": "text", "text": said, **({"style": dict.fromkeys(styles, True)} if styles else {})}


def leaves_of(row: Row) -> list[dict[str, Any]]:
    return [leaf for leaf in row.leaves if leaf != BREAK]


def words_of(row: Row) -> str:
    return "".join(leaf["text"] for leaf in leaves_of(row))


def test_what_templates_mark_is_marked() -> None:
    said = "# A *title*\n\nTold `here` in **bold**, *slanted*\nand [#12](https://a.b/12).\n\n**Fixed**\n"
    title, paragraph, heading = rows_of(said)
    assert (title.kind, title.leaves) == ("heading", (text("A title", "bold"),))
    assert (heading.kind, heading.leaves) == ("heading", (text("Fixed", "bold"),))
    link = {"type": "link", "url": "https://a.b/12", "text": "#12"}
    assert paragraph.kind == "paragraph" and list(paragraph.leaves) == [
        BREAK, text("Told "), text("here", "code"), text(" in "), text("bold", "bold"), text(", "),
        text("slanted", "italic"), BREAK, text("and "), link, text("."),
    ]  # fmt: skip
    assert paragraph.text == "\nTold here in bold, slanted\nand #12."


def test_lists_keep_their_depth_and_the_lines_of_an_item_stay_with_it() -> None:
    rows = rows_of("- **one**\n  - two & [#2](https://a.b)\n    *“why”*\n  - three\n- four")
    assert [(row.kind, row.indent, words_of(row)) for row in rows] == [
        ("item", 0, "one"), ("item", 1, "two & #2“why”"), ("item", 1, "three"), ("item", 0, "four"),
    ]  # fmt: skip
    assert [row.text for row in rows] == ["• one", "   • two &amp; #2\n      “why”", "   • three", "• four"]


def test_nothing_gives_no_rows() -> None:
    assert rows_of("") == rows_of("\n\n") == []


@pytest.mark.parametrize(
    "frame", ["{}", "- {}", "- a\n  - {}", "- a\n  {}", "*“{}”*", "- **x**: {}", "a\n{}", "x {}, y"]
)
@given(words)
@example("+")
@example("\x1b")  # which by itself steers no terminal, and before ", y" takes it along
def test_what_git_says_comes_back_as_it_is_wherever_it_stands(frame: str, said: str) -> None:
    """No mark, no link, no list of an author's making: only what stands between backticks is code."""
    rows = rows_of(frame.format(markdown(said)))
    every = [leaf for row in rows for leaf in leaves_of(row)]
    assert {leaf["type"] for leaf in every} <= {"text"}
    marks = [leaf["text"] for leaf in every if "code" in leaf.get("style", {})]
    assert all(f"`{mark}`" in clean(said) for mark in marks)
    wanted = re.sub(r"^ *- |\*", "", frame, flags=re.MULTILINE).format(clean(said))
    assert _bare("".join(leaf["text"] for leaf in every)) == _bare(wanted)


def _bare(said: str) -> str:
    """Without spaces, which Markdown folds, and the marks of code, which are read."""
    return "".join(said.split()).replace("`", "")


@example("]0[")
@example("[a][b](c)")
@given(words)
def test_a_title_stays_one_heading_one_link_and_one_label(said: str) -> None:
    shown = markdown(said)
    if not shown:
        return
    (row,) = rows_of(f"# {shown}")
    assert row.kind == "heading"
    (row,) = rows_of(f"- [{shown}](https://a.b)")
    assert {leaf.get("url") for leaf in leaves_of(row)} == {"https://a.b"}
    (row,) = rows_of(f"- **{shown}**, 2")
    *label, rest = leaves_of(row)
    assert rest == text(", 2") and all(leaf["style"]["bold"] for leaf in label)
