"""A month, a digest's root or a profile written by a model, where somebody wants that.

What it writes is taken sentence by sentence, where `bot.story.checking` finds nothing wrong with it. It decides
nothing: states, dates, people and counts are the facts', and every commit is told whatever the model says.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING

from bot.errors import SettingsError, StoreUnavailable
from bot.model import MonthFacts
from bot.story.llm.completion import Model, Unanswered
from bot.story.llm.material import plain_bullet
from bot.story.llm.told import Written, WrittenItem, written_document
from bot.story.llm.writing import (
    Kept,
    Plain,
    Prompts,
    ReadHunks,
    Sort,
    Writing,
    kept_before,
)

if TYPE_CHECKING:
    from bot.settings import Settings

__all__ = ["Kept", "Model", "Written", "WrittenItem", "model_of", "write", "written_document"]

log = logging.getLogger(__name__)
_NEEDED = ("httpx", "detect_secrets")


def model_of(settings: Settings) -> Model | None:
    """The model that is set, if one is. Raises SettingsError where what it needs is not installed."""
    if settings.model is None:
        return None
    if not all(map(find_spec, _NEEDED)):
        raise SettingsError(['[model] needs more than is installed: pip install "almanac-bot[model]"'])
    own = settings.model
    key = settings.model_key.get_secret_value() if settings.model_key else ""
    second = own.second_opinion
    return Model(
        own.address, own.name, key, own.seconds, own.tokens, own.diffs,
        second=second if isinstance(second, str) else own.name if second else "",
    )  # fmt: skip


def write(
    sort: Sort,
    months: Sequence[MonthFacts],
    model: Model | None,
    kept: Kept,
    prompts: Prompts,
    now: datetime,
    *,
    hunks: ReadHunks = lambda commits, most: {},
    plain: Plain = plain_bullet,
    title: str = "",
    until: float | None = None,
    say: Callable[[str], None] = log.warning,
) -> Written | None:
    """A "month" (of one MonthFacts), a "digest"'s root or a "profile" (of several), written by the model; None where
    there is no model, nothing to tell or no answer, which `say` is told in one line.

    `hunks` reads what is telling of commits' diffs, by repository and SHA; only a month with `model.diffs` asks for it.
    `plain` tells a change whose sentence does not hold. `title` is whose or what the digest or profile is. By `until`,
    an instant of `time.monotonic`, all asking is over: `model.seconds` from now, unless it is given, as for several
    texts of one answer. What holds is kept, and the same changes get the same words again without asking.
    """
    if model is None or not any(facts.changes for facts in months):
        return None
    limit = time.monotonic() + model.seconds
    ends = limit if until is None else min(until, limit)
    writing = Writing(sort, months, model, prompts, ends, plain, title)
    key = writing.key
    if (before := kept_before(kept, key)) is not None:
        draft = writing.from_kept(before)
        writing.judge(draft)
        return writing.written(draft)
    called = title or months[0].month.title
    try:
        writing.read(hunks)
        draft = writing.draft()
    except Unanswered as reason:
        say(f"{called} is told without the model {model.name}: {reason}")
        return None
    is_whole = True
    if wrong := writing.judge(draft):
        try:
            writing.again(draft, wrong)
        except Unanswered:
            is_whole = False
    if model.second:
        try:
            writing.opinion(draft)
        except Unanswered as reason:
            is_whole = False
            say(f"{called} has no second opinion of {model.second}: {reason}")
    if all(row.faults for row in draft.rows()):
        say(f"{called} is told without the model {model.name}: nothing of what it wrote holds")
        return None
    if is_whole:
        try:
            kept.put(key, writing.as_kept(draft), now)
        except StoreUnavailable as error:  # words that cannot be kept are as good
            say(f"what the model {model.name} wrote of {called} could not be kept: {error}")
    return writing.written(draft)
