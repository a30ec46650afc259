"""Block Kit's rules that the tables of single blocks cannot say: ids among blocks, and fields that concern each other.

As everywhere in the limits, nothing raises, whatever JSON is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bot.slack.limits.measures import all_blocks, block_text_length, nodes
from bot.slack.limits.rules import BlockFault, invalid

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
