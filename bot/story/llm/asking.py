"""What a model is asked for a text: prompts within the budget and the time limit, and its answers."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from bot.model import Commit
from bot.month.facts import MonthFacts
from bot.story.llm.completion import Model, Unanswered, completion
from bot.story.llm.material import (
    BYTES_A_TOKEN,
    Hunks,
    NumberedChange,
    lightest_first,
    material,
    numbered,
    within_budget,
)
from bot.story.llm.reply import AGAIN, MONTH, PROFILE, DraftSentence, answer_of

_MOST_FAULTS = 6  # of a sentence that the model is told of


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be written: a "month" (of one MonthFacts), a "digest"'s root or a "profile" (of several).

    `title` is whose or what the digest or profile is. `hunks` reads what is telling of commits' diffs, by repository
    and SHA, at most so many characters; only a month with `model.diffs` asks for it. By `deadline`, an instant of
    `time.monotonic`, all asking is over, as for several texts of one answer; `model.seconds` from now at the latest.
    """

    kind: Literal["month", "digest", "profile"]
    months: Sequence[MonthFacts]
    title: str = ""
    hunks: Callable[[Sequence[Commit], int], Hunks] = lambda commits, most: {}
    deadline: float | None = None


class Prompts(Protocol):
    """What renders a prompt, and knows how prompts are worded; `bot.story.render.Templates` is one."""

    def render(self, template: str, /, **context: Any) -> str: ...

    def source(self, template: str, /) -> str: ...


class Questions:
    """What is asked of a model for one task, about its changes by their numbers. Each raises Unanswered."""

    def __init__(self, task: Task, model: Model, prompts: Prompts) -> None:
        self._task, self._model, self._prompts = task, model, prompts
        latest = time.monotonic() + model.seconds
        self._deadline = latest if task.deadline is None else min(task.deadline, latest)
        self.changes = numbered(task.months)
        self.hunks: Hunks = {}

    def first(self) -> dict[str, Any]:
        """What the model writes."""
        if self._model.diffs and self._task.kind == "month":
            commits = [commit for one in self.changes for commit in one.change.commits]
            self.hunks = self._task.hunks(commits, self._model.tokens * BYTES_A_TOKEN // 2)
        form = PROFILE if self._task.kind == "profile" else MONTH
        return self._answer(self._prompt(self._task.kind, self.changes), form)

    def again(self, wrong: Sequence[DraftSentence]) -> list[tuple[DraftSentence, dict[str, Any]]]:
        """What it writes in the place of sentences that do not hold; it is asked nothing where they name no change."""
        numbers = {n for sentence in wrong for n in sentence.evidence}
        changes = [one for one in self.changes if one.n in numbers]
        if not changes:
            return []
        rows = [
            {"n": n, "part": one.part, "text": one.text, "faults": one.faults[:_MOST_FAULTS]}
            for n, one in enumerate(wrong, 1)
        ]
        given = self._answer(self._prompt("again", changes, rows=rows), AGAIN).get("sentences")
        found = [(one.get("n"), one) for one in (given if isinstance(given, list) else ()) if isinstance(one, dict)]
        return [(wrong[n - 1], one) for n, one in found if isinstance(n, int) and 1 <= n <= len(wrong)]

    def _prompt(self, name: str, changes: Sequence[NumberedChange], **more: Any) -> str:
        """A prompt within the budget: where the subjects alone are too many, the lightest changes are not listed."""

        def render(given: dict[str, Any]) -> str:
            return self._prompts.render(f"prompt/{name}.j2", **given)

        left = list(changes)
        while left:
            if time.monotonic() > self._deadline:  # a hostile history may be slow to look through
                raise Unanswered(f"its messages could not be made ready within {self._model.seconds:g} seconds")
            given = material(self._task.months, left, self.hunks)
            given |= {"title": self._task.title, "unlisted": len(changes) - len(left), **more}
            given["fence"] = fence_of(json.dumps(given, ensure_ascii=False))
            prompt = within_budget(
                given, self._model.tokens, lambda some: self._prompts.render(f"prompt/{name}.j2", **some)
            )
            if prompt is not None:
                return prompt
            if self._task.kind == "month":
                break
            lightest = {one.n for one in lightest_first(left)[: max(1, len(left) // 4)]}
            left = [one for one in left if one.n not in lightest]
        raise Unanswered(f"its subjects alone are more than {self._model.tokens:,} tokens")

    def _answer(self, prompt: str, form: Mapping[str, Any]) -> dict[str, Any]:
        answer = answer_of(completion(self._model, prompt, form, self._deadline), form["properties"])
        if answer is None:
            raise Unanswered("its answer holds no JSON of the wanted form")
        return answer


def fence_of(text: str) -> str:
    """A line that nobody can have written into a message: it does not stand in the text."""
    while (fence := f"===== {secrets.token_hex(12)} =====") in text:
        pass
    return fence
