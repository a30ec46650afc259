"""A story in a model's words where a model is set, and otherwise as it is."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from bot.model import MonthFacts, Story
from bot.settings import Settings
from storage import Store

if TYPE_CHECKING:
    from bot.story.llm.completion import Model

Say = Callable[[str], None]

log = logging.getLogger(__name__)


class Writer:
    """Hands stories to the model of the settings; `say` is told in a line why words stayed plain.

    Raises SettingsError where a model is set and what it needs is not installed.
    """

    def __init__(self, settings: Settings, store: Store, say: Say = log.warning) -> None:
        self._settings = settings
        self._store = store
        self._say = say
        self._model: Model | None = None
        if settings.model:
            from bot.story.llm import model_of  # with all it needs, which hardly anybody has to load

            self._model = model_of(settings)

    def until(self) -> float | None:
        """Until when, by `time.monotonic`, an answer may wait for the model, however many months it tells."""
        return time.monotonic() + self._model.seconds if self._model else None

    def written(self, facts: MonthFacts, story: Story, until: float | None) -> Story:
        """The story, in the model's words as far as they could be proved."""
        if self._model is None:
            return story
        from bot.story.llm import written
        from bot.story.render import Templates

        templates, now = Templates(self._settings.templates), self._settings.now()
        return written(facts, story, self._model, self._store.writings, templates, now, until=until, say=self._say)
