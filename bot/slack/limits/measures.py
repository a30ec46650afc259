"""Walking through blocks, and how long they are: the measures the limits of a whole message are taken in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

TEXT_KEYS = ("text", "alt_text", "title", "caption", "label", "name", "fallback", "x_label", "y_label")


def block_text_length(blocks: object) -> int:
    """How many characters of text the blocks hold, as measured against MAX_BLOCKS_TEXT: everything a reader
    or a screen reader gets, not ids, values or addresses."""
    total = 0
    for node in nodes(blocks):
        total += sum(len(value) for key, value in node.items() if key in TEXT_KEYS and isinstance(value, str))
        categories = node.get("categories")
        if isinstance(categories, list | tuple):
            total += sum(len(label) for label in categories if isinstance(label, str))
    return total


def blocks_json_size(blocks: object) -> int:
    """How many bytes the blocks take as compact JSON in UTF-8, as measured against MAX_BLOCKS_JSON.
    ValueError if they are no JSON."""
    try:
        written = json.dumps(blocks, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError("the blocks are no JSON") from error
    return len(written.encode("utf-8", "surrogatepass"))


def nodes(value: object) -> Iterator[Mapping[str, object]]:
    """Every object in a JSON value, however deep, in order."""
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, Mapping):
            yield here
            waiting += reversed(list(here.values()))
        elif isinstance(here, list | tuple):
            waiting += reversed(here)


def all_blocks(blocks: Sequence[object]) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Every block with its pointer."""
    for number, block in enumerate(blocks):
        if isinstance(block, Mapping):
            yield f"/blocks/{number}", block


def kinds_in(blocks: Sequence[object]) -> list[str]:
    return [kind_of(block) for _, block in all_blocks(blocks)]


def kind_of(block: Mapping[str, object]) -> str:
    kind = block.get("type")
    return kind if isinstance(kind, str) else ""
