"""Walking through blocks: how long they are, by the measures of a whole message, and what the tables of single blocks
cannot say: ids among blocks, and fields that concern each other.

As everywhere in the limits, nothing raises, whatever JSON is given, but where it is said.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from bot.slack.limits.rules import BlockFault, invalid

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


MAX_TABLE_TEXT = 10_000  # over all cells


def id_faults(blocks: Sequence[object]) -> Iterator[BlockFault]:
    """Every block_id is unique in the message or view, every action_id in its block."""
    block_ids: set[str] = set()
    for pointer, block in all_blocks(blocks):
        block_id = block.get("block_id")
        if isinstance(block_id, str):
            if block_id in block_ids:
                yield invalid(f"{pointer}/block_id", f"block_id already exists: {block_id}")
            block_ids.add(block_id)
        found = (node.get("action_id") for node in nodes(list(block.values())))
        action_ids = [action_id for action_id in found if isinstance(action_id, str)]
        for twice in sorted({one for one in action_ids if action_ids.count(one) > 1}):
            yield invalid(pointer, f"action_id already exists in this block: {twice}")


def table_faults(block: Mapping[str, object], pointer: str) -> Iterator[BlockFault]:
    rows = block.get("rows")
    if not isinstance(rows, list | tuple):
        return
    if (length := block_text_length(rows)) > MAX_TABLE_TEXT:
        yield invalid(f"{pointer}/rows", f"{length} characters in all cells, {MAX_TABLE_TEXT} allowed")


def chart_faults(block: Mapping[str, object], pointer: str) -> Iterator[BlockFault]:
    """Series have names of their own, and exactly one point for each category of the axis."""
    chart = block.get("chart")
    if not isinstance(chart, Mapping) or not isinstance(series := chart.get("series"), list | tuple):
        return
    axes = chart.get("axis_config")
    categories = axes.get("categories") if isinstance(axes, Mapping) else None
    wanted = strings(categories) if isinstance(categories, list | tuple) else []
    names = []
    for number, one in enumerate(series):
        if not isinstance(one, Mapping):
            continue
        names.append(one.get("name"))
        data = one.get("data")
        points = [point for point in data if isinstance(point, Mapping)] if isinstance(data, list | tuple) else []
        if strings(point.get("label") for point in points) != wanted:
            yield invalid(f"{pointer}/chart/series/{number}/data", "must have one point for each category")
    if any(names.count(name) > 1 for name in names):
        yield invalid(f"{pointer}/chart/series", "names must be unique")


def strings(values: Iterable[object]) -> list[str]:
    return sorted(value for value in values if isinstance(value, str))


# What the tables cannot say, because it concerns several fields of a block at once.
ALSO = {
    "table": table_faults,
    "data_visualization": chart_faults,
}
