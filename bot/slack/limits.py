"""Slack's numbers, and how a message is measured by them. Pure.

From docs.slack.dev/reference/block-kit where nothing else is said. The rules of each block and element are those of the
local workspace, which refuses what Slack refuses (bot/workspace/block_kit.py).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

MAX_BLOCKS = 50
MAX_VIEW_BLOCKS = 100
# Slack's cap on the text of all blocks of a message is not documented; msg_blocks_too_long was met between
# 9,597 characters / 15,561 bytes, which passed, and 11,341 / 17,694 (slackapi/bolt-js issues 2509 and 2867).
MAX_BLOCKS_TEXT = 9_000
MAX_BLOCKS_JSON = 15_000
# Slack splits a text of more than 4,040 characters in several messages (slackapi/bolt-python issue 764) and
# recommends 4,000.
MAX_TEXT = 3_900
MAX_VIEW_JSON = 250_000  # view_too_large; the number is not documented, and reported by those who met it
MAX_VIEW_TITLE = 24  # also submit and close
MAX_SECTION_TEXT = 3_000
MAX_HEADER = 150
MAX_BUTTON_TEXT = 75
MAX_BUTTON_VALUE = 2_000
MAX_OPTIONS = 100
MAX_OPTION_TEXT = 75
MAX_OPTION_VALUE = 150
MAX_SUGGESTED_PROMPTS = 4

_TEXTS = ("text", "alt_text", "title", "caption", "label", "name", "fallback")


def block_text_length(blocks: object) -> int:
    """How many characters of text the blocks hold, as measured against MAX_BLOCKS_TEXT: everything a reader
    or a screen reader gets, not ids, values or addresses."""
    return sum(len(value) for node in nodes(blocks) for key in _TEXTS if isinstance(value := node.get(key), str))


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
