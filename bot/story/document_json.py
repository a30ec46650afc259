"""Documents → JSON: what `--format json` prints. Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from bot.story.documents import keys_of


def to_json(value: Any) -> Any:
    """A document, or a part of one, as JSON has it."""
    if dataclasses.is_dataclass(value):
        return {key: to_json(one) for key, one in keys_of(value).items()}
    if isinstance(value, tuple | list):
        return [to_json(one) for one in value]
    return dict(value) if isinstance(value, Mapping) else value
