"""Markdown, as our templates write it → rows of Slack's rich text. Pure.

One set of templates words a month for Markdown and for Slack; nothing in rich text is parsed by Slack, so that a
`<!channel>` in a title pings nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.slack.limits import blocks_json_size
from bot.slack.limits.blocks import MAX_HEADER
from bot.slack.packing import BREAK, Block, Row, heading_row
from bot.story.render import slack

# Of a row in plain text and in JSON; a longer one goes on in another, so that any of them fits into a message.
LONGEST_ROW, LARGEST_ROW = 1_500, 6_000
LONGEST_LEAF = 300

_MARKDOWN = MarkdownIt("commonmark", {"html": False})
_STYLES = {"strong": "bold", "em": "italic", "s": "strike"}


def rows_of(text: str) -> list[Row]:
    """The rows of a Markdown text: headings, items with their depth, and paragraphs."""
    tokens = _MARKDOWN.parse(text)
    rows: list[Row] = []
    depth, opened, is_heading = 0, False, False
    for token in tokens:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif token.type == "list_item_open":
            opened = True
        elif token.type in ("heading_open", "heading_close"):
            is_heading = token.type == "heading_open"
        elif token.type in ("inline", "fence", "code_block"):
            leaves = list(_leaves(token))
            if not leaves:
                continue
            if is_heading:
                rows.append(heading_row(_plain(leaves)))
            elif depth:
                for piece in _pieces(leaves):
                    rows.append(_item(piece, depth - 1, is_new=opened))
                    opened = False
            elif len(_plain(leaves)) <= MAX_HEADER and all(leaf.get("style", {}).get("bold") for leaf in leaves):
                rows.append(heading_row(_plain(leaves)))
            else:
                for piece in _pieces(leaves):
                    rows.append(Row("paragraph", (BREAK, *piece) if rows else tuple(piece), f"\n{_lines(piece)}"))
    return rows


def _item(leaves: Sequence[Block], indent: int, *, is_new: bool) -> Row:
    sign = "• " if is_new else "  "
    return Row("item", tuple(leaves), f"{'   ' * indent}{sign}{_lines(leaves, '   ' * (indent + 1))}", indent)


def _pieces(leaves: Sequence[Block]) -> Iterator[list[Block]]:
    """The leaves of one row, or of several where it is too long."""
    taken: list[Block] = []
    length = size = 0
    for leaf in leaves:
        for at in range(0, len(leaf["text"]), LONGEST_LEAF):
            part = {**leaf, "text": leaf["text"][at : at + LONGEST_LEAF]}
            more, larger = len(slack(part["text"])) + 1, blocks_json_size(part) + 1
            if taken and (length + more > LONGEST_ROW or size + larger > LARGEST_ROW):
                yield taken
                taken, length, size = [], 0, 0
            taken.append(part)
            length, size = length + more, size + larger
    if taken:
        yield taken


def _lines(leaves: Sequence[Block], margin: str = "") -> str:
    """The same in plain text, which Slack parses; further lines are set in."""
    return f"\n{margin}".join(slack(line) for line in _plain(leaves).split("\n"))


def _plain(leaves: Sequence[Block]) -> str:
    return "".join(leaf["text"] for leaf in leaves)


def _leaves(token: Token) -> Iterator[Block]:
    """The leaves of a paragraph: text with its styles, code, links and line breaks."""
    if token.type != "inline":
        yield {"type": "text", "text": token.content, "style": {"code": True}}
        return
    styles: list[str] = []
    link = ""
    for child in token.children or ():
        name = child.type.removesuffix("_open").removesuffix("_close")
        if name in _STYLES:
            styles = [*styles, _STYLES[name]] if child.nesting == 1 else styles[:-1]
        elif name == "link":
            link = str(child.attrs.get("href", "")) if child.nesting == 1 else ""
        elif child.type in ("softbreak", "hardbreak"):
            yield dict(BREAK)
        elif child.type == "code_inline" or child.content:
            style = dict.fromkeys([*styles, *(["code"] if child.type == "code_inline" else [])], True)
            leaf: Block = {"type": "link", "url": link} if link else {"type": "text"}
            yield {**leaf, "text": child.content, **({"style": style} if style else {})}
