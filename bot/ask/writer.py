"""Documents in a model's words, and questions that it answers, where a model is set."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeVar

from bot.model import Commit
from bot.month.facts import MonthFacts
from bot.settings import Settings
from bot.story.documents import DigestDocument, MonthDocument
from storage import Store

if TYPE_CHECKING:
    from bot.story.llm.client import Model

DocumentT = TypeVar("DocumentT", MonthDocument, DigestDocument)
ReadHunks = Callable[[Sequence[Commit], int], Mapping[tuple[str, str], str]]

log = logging.getLogger(__name__)


class Writer:
    """Hands months to the model of the settings; `warn` is given a line that says why words stayed plain.

    Raises SettingsError where a model is set and what it needs is not installed.
    """

    def __init__(self, settings: Settings, store: Store, warn: Callable[[str], None] = log.warning) -> None:
        self._settings = settings
        self._store = store
        self._warn = warn
        self._model: Model | None = None
        if settings.model:
            from bot.story.llm.client import model_of  # with all it needs, which hardly anybody has to load

            self._model = model_of(settings)

    def plain(self) -> Writer:
        """One that leaves documents in plain words."""
        return Writer(replace(self._settings, model=None), self._store, self._warn)

    def until(self) -> float:
        """Until when, by `time.monotonic`, an answer may wait for the model, however many months it tells."""
        return time.monotonic() + self._model.seconds if self._model else math.inf

    def written(
        self,
        kind: Literal["month", "digest"],
        months: Sequence[MonthFacts],
        document: DocumentT,
        deadline: float,
        title: str = "",
        hunks: ReadHunks = lambda commits, most: {},
    ) -> DocumentT:
        """The document with what the model wrote of it under "written", as far as it could be proved; without, if
        there is none. The document itself stays as it is, but for the impact of a month. `hunks` reads what is telling
        of diffs, where the settings say that the model is given it."""
        if self._model is None:
            return document
        from bot.story.llm.write import Task, write
        from bot.story.render import Templates

        plain = document if isinstance(document, DigestDocument) else None
        task = Task(kind, months, title, hunks, deadline, plain)
        prompts, cache = Templates(self._settings.templates), self._store.model_cache
        words = write(task, self._model, prompts, cache, self._settings.now(), self._warn)
        if words is None:
            return document
        if isinstance(document, MonthDocument):
            return replace(document, written=words, impact=words.impact)
        return replace(document, written=words)

    @property
    def answering(self) -> Model | None:
        """The model that answers what is no plain question, where the settings want that."""
        return self._model if self._settings.model and self._settings.model.questions else None
