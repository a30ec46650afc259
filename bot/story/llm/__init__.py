"""A month in a model's words, where somebody wants that: asked once, judged, asked once more, and otherwise plain.

What the model writes is taken sentence by sentence, where `proof` and `judging` find nothing wrong with it. It
decides nothing: which commits are told together, what became of them and every count are the plain story's.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from bot.errors import SettingsError, StoreUnavailable
from bot.model import Item, MonthFacts, Sentence, Story
from bot.story.document import month_document
from bot.story.llm.completion import Model, Unanswered, completion
from bot.story.llm.judging import Judged, answer_of, judged
from bot.story.llm.prompting import Again, Asked, Text, askable, material, sent, wants_headline, within_budget

if TYPE_CHECKING:
    from bot.settings import Settings
    from bot.story.render import Templates

log = logging.getLogger(__name__)
_NEEDED = ("httpx", "detect_secrets")
_STUB: dict[str, Any] = {  # of each of a template's parts one, so that a key changes with the wording of a prompt
    "name": "-", "when": "-", "numbers": ["-"], "headline": True, "repositories": ["-"], "cut": 1, "fence": "-",
    "wrong": {"text": "-", "faults": ["-"]},
    "items": [
        {"n": 1, "kind": "-", "repository": "-", "title": "-", "text": "-", "faults": ["-"],
         "commits": [{"sha": "-", "subject": "-", "body": "-"}]}
    ],
}  # fmt: skip
_EVIDENCE = {"type": "array", "items": {"type": "string"}}
_SENTENCE = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "evidence": _EVIDENCE},
    "required": ["text", "evidence"],
    "additionalProperties": False,
}
_ITEM = {
    "type": "object",
    "properties": {
        "n": {"type": "integer"},
        "title": {"type": "string"},
        "sentences": {"type": "array", "items": _SENTENCE},
    },
    "required": ["n", "title", "sentences"],
    "additionalProperties": False,
}
SCHEMA = {
    "type": "object",
    "properties": {"headline": {"anyOf": [_SENTENCE, {"type": "null"}]}, "items": {"type": "array", "items": _ITEM}},
    "required": ["headline", "items"],
    "additionalProperties": False,
}


class Kept(Protocol):
    """What was written before, by a key; `storage.writings.Writings` is one."""

    def get(self, key: str) -> dict[str, Any] | None: ...

    def put(self, key: str, text: dict[str, Any], now: datetime) -> None: ...


def model_of(settings: Settings) -> Model | None:
    """The model that is set, if one is. Raises SettingsError where what it needs is not installed."""
    if settings.model is None:
        return None
    if not all(map(find_spec, _NEEDED)):
        raise SettingsError(['[model] needs more than is installed: pip install "almanac-bot[model]"'])
    key = settings.model_key.get_secret_value() if settings.model_key else ""
    return Model(settings.model.address, settings.model.name, key, settings.model.seconds, settings.model.tokens)


def written(
    facts: MonthFacts,
    story: Story,
    model: Model | None,
    kept: Kept,
    templates: Templates,
    now: datetime,
    *,
    until: float | None = None,
    say: Callable[[str], None] = log.warning,
) -> Story:
    """The story in the model's words as far as they hold, the plain story otherwise; always of the same items with
    the same commits.

    By `until`, an instant of `time.monotonic`, all asking is over: `model.seconds` from now, unless it is given, as
    for several months of one answer. `say` is told in one line why the model was of no use. Of an answer, what held
    is kept, and the same facts get the same words again without asking.
    """
    if model is None:
        return story
    asked, headline = askable(facts, story), wants_headline(facts)
    if not asked:
        return story
    limit = time.monotonic() + model.seconds
    key = _key(facts, story, model, templates)
    try:
        if (before := _kept(kept, key)) is not None:
            return _told(story, judged(before, facts, asked, story if headline else None))
        asking = _Asking(model, templates, facts, story, asked, limit if until is None else min(until, limit))
        told, is_whole = _answers(asking, headline)
        if not told.items and told.headline is None:
            raise Unanswered("nothing of what it wrote holds")
    except Unanswered as reason:
        say(f"{facts.month.title} is told without the model {model.name}: {reason}")
        return story
    if is_whole:
        try:
            kept.put(key, _to_keep(told), now)
        except StoreUnavailable as error:  # words that cannot be kept are as good
            say(f"what the model {model.name} wrote of {facts.month.title} could not be kept: {error}")
    return _told(story, told)


def _kept(kept: Kept, key: str) -> dict[str, Any] | None:
    try:
        return kept.get(key)
    except StoreUnavailable:
        return None


class _Asking:
    """One month's questions to a model, all of them by the same instant."""

    def __init__(
        self,
        model: Model,
        templates: Templates,
        facts: MonthFacts,
        story: Story,
        asked: Sequence[Asked],
        until: float,
    ) -> None:
        self.facts, self.story, self.asked = facts, story, asked
        self._model, self._templates, self._until = model, templates, until
        self._texts: dict[str, Text] = {}
        for commit in (commit for one in asked for commit in one.commits):
            if time.monotonic() > until:  # a hostile history may be slow to look through
                raise Unanswered(f"its messages could not be made ready within {model.seconds:g} seconds")
            self._texts.setdefault(commit.sha, sent(commit))

    def ask(
        self,
        template: str,
        asked: Sequence[Asked],
        *,
        headline: bool,
        again: Mapping[int, Again] | None = None,
    ) -> Judged:
        """What holds of the model's answer about some items. Raises Unanswered."""
        given = material(self.facts, asked, self._texts, headline=headline, again=again)
        fence = _fence(json.dumps(given, ensure_ascii=False))
        prompt = within_budget(
            given, self._model.tokens, lambda some: self._templates.render(template, **some, fence=fence)
        )
        if prompt is None:
            raise Unanswered(f"its subjects alone are more than {self._model.tokens:,} tokens")
        answer = answer_of(completion(self._model, prompt, SCHEMA, self._until))
        if answer is None:
            raise Unanswered("its answer holds no JSON of the wanted form")
        return judged(answer, self.facts, asked, self.story if headline else None)


def _answers(asking: _Asking, headline: bool) -> tuple[Judged, bool]:
    """What holds after at most two questions, and whether both were answered."""
    first = asking.ask("prompt/month.j2", asking.asked, headline=headline)
    if not first.wrong:
        return first, True
    some = [one for one in asking.asked if one.n in first.wrong]
    try:
        second = asking.ask("prompt/again.j2", some, headline=0 in first.wrong, again=first.wrong)
    except Unanswered:
        return first, False
    # What is wrong in part again is told as it was at first, unless that was worse.
    better = {
        n: item for n, item in second.items.items() if n not in first.items or _faults(second, n) < _faults(first, n)
    }
    return Judged(first.headline or second.headline, {**first.items, **better}, second.wrong), True


def _faults(told: Judged, n: int) -> int:
    return len(told.wrong[n].faults) if n in told.wrong else 0


def _told(story: Story, told: Judged) -> Story:
    items = tuple(told.items.get(n, item) for n, item in enumerate(story.items, 1))
    said = told.headline.text if told.headline else story.headline.text
    return replace(story, headline=replace(story.headline, text=said), items=items)  # it counts all commits


def _to_keep(told: Judged) -> dict[str, Any]:
    """What held, in the form of an answer, so that it is judged again whenever it is told."""
    return {
        "headline": _sentence(told.headline) if told.headline else None,
        "items": [_kept_item(n, item) for n, item in sorted(told.items.items())],
    }


def _kept_item(n: int, item: Item) -> dict[str, Any]:
    return {"n": n, "title": item.title, "sentences": [_sentence(one) for one in item.sentences]}


def _sentence(sentence: Sentence) -> dict[str, Any]:
    return {"text": sentence.text, "evidence": list(sentence.evidence)}


def _key(facts: MonthFacts, story: Story, model: Model, templates: Templates) -> str:
    """A hash of all that the words come from: the facts, but for when they were read, the model, and the prompts."""
    document = {key: value for key, value in month_document(facts, story).items() if key not in ("indexed_at", "notes")}
    prompts = [templates.render(f"prompt/{name}.j2", **_STUB) for name in ("month", "again")]
    whole = json.dumps([model.name, model.tokens, prompts, document], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(whole.encode()).hexdigest()


def _fence(text: str) -> str:
    """A line that nobody can have written into a message: it does not stand in the text."""
    while (fence := f"===== {secrets.token_hex(12)} =====") in text:
        pass
    return fence
