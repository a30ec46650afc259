"""A month, a digest's root or a profile written by a model, where somebody wants that.

What it writes is taken sentence by sentence, where `bot.story.checker` finds nothing wrong with it. It decides
nothing: states, dates, people and counts are the facts', and every commit is shown whatever the model says.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from bot.errors import SettingsError
from bot.story.llm.completion import Model
from bot.story.llm.writing import Task, write

if TYPE_CHECKING:
    from bot.settings import Settings

__all__ = ["Model", "Task", "model_of", "write"]

_NEEDED = ("httpx", "detect_secrets")


def model_of(settings: Settings) -> Model | None:
    """The model that is set, if one is. Raises SettingsError where what it needs is not installed."""
    own = settings.model
    if own is None:
        return None
    if not all(map(find_spec, _NEEDED)):
        raise SettingsError(['[model] needs more than is installed: pip install "almanac-bot[model]"'])
    key = settings.model_key.get_secret_value() if settings.model_key else ""
    return Model(own.address, own.name, key, own.seconds, own.tokens, own.diffs)
