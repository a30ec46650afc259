"""A month, a digest's root or a profile in a model's words: asked, checked, asked once more, and otherwise plain."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import Any, Literal, Protocol

from bot.errors import StoreUnavailable
from bot.model import Commit, MonthFacts, Sentence
from bot.story.checking.checker import Checker
from bot.story.checking.ground import Ground
from bot.story.checking.naming import faults as naming_faults
from bot.story.checking.text import parts_of
from bot.story.llm.completion import Model, Unanswered, completion
from bot.story.llm.material import (
    BYTES_A_TOKEN,
    SPEAKS_TO_MODEL,
    Hunks,
    Numbered,
    lightest_first,
    material,
    numbered,
    plain_bullet,
    stands,
    within_budget,
)
from bot.story.llm.redaction import within
from bot.story.llm.reply import AGAIN, OPINION, PROFILE, TOLD, Draft, Row, answer_of, draft_of, row_of
from bot.story.llm.told import Written, WrittenItem

Sort = Literal["month", "digest", "profile"]
Plain = Callable[[Numbered], str]
ReadHunks = Callable[[Sequence[Commit], int], Hunks]  # of commits, at most so many signs; `Diffs.hunks` is one
_PROMPTS = ("commits", "rules", "month", "digest", "profile", "again", "opinion")  # whose wording is a part of a key


class Kept(Protocol):
    """What was written before, by a key; `storage.caches.Writings` is one."""

    def get(self, key: str) -> dict[str, Any] | None: ...

    def put(self, key: str, text: dict[str, Any], now: datetime) -> None: ...


class Prompts(Protocol):
    """What renders a prompt, and knows how prompts are worded; `bot.story.render.Templates` is one."""

    def render(self, template: str, /, **context: Any) -> str: ...

    def source(self, template: str, /) -> str: ...


class Writing:
    """One text of one sort about some months, and what is asked of a model for it."""

    def __init__(
        self,
        sort: Sort,
        months: Sequence[MonthFacts],
        model: Model,
        prompts: Prompts,
        until: float,
        plain: Plain = plain_bullet,
        title: str = "",
    ) -> None:
        self._sort, self._months, self._model, self._prompts = sort, months, model, prompts
        self._hunks: Hunks = {}
        self._until, self._plain, self._title = until, plain, title
        self.changes = numbered(months)
        self._by_number = {one.n: one for one in self.changes}

    def read(self, hunks: ReadHunks) -> None:
        """Read what is telling of the diffs, if they are to be sent: of half of what may be sent altogether."""
        if self._model.diffs and self._sort == "month":
            commits = [commit for one in self.changes for commit in one.change.commits]
            self._hunks = hunks(commits, self._model.tokens * BYTES_A_TOKEN // 2)

    @cached_property
    def _grounds(self) -> dict[int, Ground]:
        return {one.n: self._ground(one) for one in self.changes}

    @cached_property
    def _checker(self) -> Checker:
        named = (text for facts in self._months for text in (facts.person.name, facts.month.title))
        return Checker(self._grounds, (self._title, *named))

    def _ground(self, one: Numbered) -> Ground:
        found = (self._hunks.get((commit.repository, commit.sha), "") for commit in one.change.commits)
        hunks = within("\n".join(dict.fromkeys(found)))
        silent = any(SPEAKS_TO_MODEL.search(within(commit.body)) for commit in one.change.commits)
        person = one.facts.person.name
        return Ground(one.change, person, one.facts.zone, "" if SPEAKS_TO_MODEL.search(hunks) else hunks, silent)

    @property
    def key(self) -> str:
        """A hash of all that the words come from: the changes as they stand, the model, and how prompts are worded."""
        changes = [
            [
                one.facts.person.name, str(one.facts.month), one.facts.to_date, one.change.shas, one.change.kind,
                one.change.state, one.change.title, one.change.refs, one.change.shared_by,
                [[turn.commit.sha, turn.does, turn.partly, turn.by] for turn in one.turns],
            ]
            for one in self.changes
        ]  # fmt: skip
        sources = [self._prompts.source(f"prompt/{name}.j2") for name in _PROMPTS]
        own = [
            self._sort, self._title, self._model.name, self._model.tokens, self._model.diffs, self._model.second
        ]  # fmt: skip
        return hashlib.sha256(json.dumps([own, sources, changes], ensure_ascii=True).encode()).hexdigest()

    # asking

    def draft(self) -> Draft:
        """What the model writes at first. Raises Unanswered."""
        form = PROFILE if self._sort == "profile" else TOLD
        prompt = self._prompt(f"prompt/{self._sort}.j2", self.changes)
        return draft_of(self._asked(prompt, form))

    def _prompt(self, template: str, changes: Sequence[Numbered], **more: Any) -> str:
        """A prompt within the budget: where the subjects alone are too many, the lightest changes are not listed."""
        left = list(changes)
        while left:
            if time.monotonic() > self._until:  # a hostile history may be slow to look through
                raise Unanswered(f"its messages could not be made ready within {self._model.seconds:g} seconds")
            given = material(self._months, left, self._hunks)
            given |= {"title": self._title, "unlisted": len(changes) - len(left), **more}
            fence = _fence(json.dumps(given, ensure_ascii=False))
            prompt = within_budget(
                given,
                self._model.tokens,
                lambda some, fence=fence: self._prompts.render(template, **some, fence=fence),  # type: ignore[misc]
            )
            if prompt is not None:
                return prompt
            if self._sort == "month":
                break
            lightest = {one.n for one in lightest_first(left)[: max(1, len(left) // 4)]}
            left = [one for one in left if one.n not in lightest]
        raise Unanswered(f"its subjects alone are more than {self._model.tokens:,} tokens")

    def _asked(self, prompt: str, form: Mapping[str, Any], model: Model | None = None) -> dict[str, Any]:
        answer = answer_of(completion(model or self._model, prompt, form, self._until), form["properties"])
        if answer is None:
            raise Unanswered("its answer holds no JSON of the wanted form")
        return answer

    # checking

    def judge(self, draft: Draft) -> list[Row]:
        """The sentences that do not hold, each with what is wrong with it in its `faults`."""
        beside = {id(row): " ".join(one.text for one in rows) for _, rows in draft.items for row in rows}
        for row in draft.rows():
            if not row.faults:
                row.faults = self._checker.faults(row.text, row.evidence, row.part, beside.get(id(row), ""))
        return [row for row in draft.rows() if row.faults]

    def again(self, draft: Draft, wrong: Sequence[Row]) -> None:
        """Ask once more for what does not hold, and take what then does. Raises Unanswered."""
        numbers = {n for row in wrong for n in row.evidence if n in self._by_number}
        about = [one for one in self.changes if one.n in numbers]
        if not about:
            return
        rows = [
            {"n": n, "part": row.part, "text": row.text, "faults": row.faults[:6]} for n, row in enumerate(wrong, 1)
        ]
        answer = self._asked(self._prompt("prompt/again.j2", about, rows=rows), AGAIN)
        given = answer.get("sentences")
        for one in given if isinstance(given, list) else ():
            n = one.get("n") if isinstance(one, dict) else None
            if not isinstance(n, int) or not 1 <= n <= len(wrong):
                continue
            row = wrong[n - 1]
            fresh = row_of(one, row.part)
            if fresh.text:
                row.text, row.evidence, row.faults = fresh.text, fresh.evidence, fresh.faults
        self.judge(draft)

    def opinion(self, draft: Draft) -> None:
        """Ask for a second opinion of what holds; what it says no to does not. Raises Unanswered."""
        rows = [row for row in draft.rows() if not row.faults]
        numbers = {n for row in rows for n in row.evidence}
        about = [one for one in self.changes if one.n in numbers]
        if not about:
            return
        asked = [{"n": n, "text": row.text, "evidence": list(row.evidence)} for n, row in enumerate(rows, 1)]
        model = replace(self._model, name=self._model.second or self._model.name)
        answer = self._asked(self._prompt("prompt/opinion.j2", about, rows=asked), OPINION, model)
        given = answer.get("verdicts")
        for one in given if isinstance(given, list) else ():
            n = one.get("n") if isinstance(one, dict) else None
            if isinstance(n, int) and 1 <= n <= len(rows) and one.get("verdict") == "no":
                rows[n - 1].faults = ["the second opinion says no"]

    # telling

    def written(self, draft: Draft) -> Written:
        """What holds, with plain words in the place of what does not; every change is in it."""
        plain: list[int] = []  # changes of sentences that do not hold

        def told(rows: Sequence[Row]) -> tuple[Sentence, ...]:
            for row in rows:
                if row.faults and row.part != "impact":
                    plain.extend(n for n in row.evidence if n in self._by_number)
            return tuple(Sentence(row.text, self._shas(row.evidence)) for row in rows if not row.faults)

        items = tuple(WrittenItem(self._name(name, rows), told(rows)) for name, rows in draft.items)
        fixed, attention, impact = told(draft.fixed), told(draft.attention), told(draft.impact)
        named = {sha for item in items for sha in item.evidence}
        named |= {sha for one in (*fixed, *attention, *impact) for sha in one.evidence}
        untold = [self._by_number[n] for n in dict.fromkeys(plain) if not named.issuperset(self._by_number[n].shas)]
        lost = [one for one in self.changes if self._is_out(one) and not named.issuperset(one.shas)]
        bullets = tuple(Sentence(self._plain(one), one.shas) for one in untold if not self._is_out(one))
        attention += tuple(Sentence(self._plain(one), one.shas) for one in lost)
        items = tuple(item for item in items if item.sentences)
        items += tuple(WrittenItem("", (one,)) for one in bullets)
        named |= {sha for one in (*untold, *lost) for sha in one.shas}
        every = dict.fromkeys(commit.sha for facts in self._months for commit in facts.commits)
        wrong = sum(bool(row.faults) for row in draft.rows())
        headline = draft.headline if draft.headline and not draft.headline.faults else None
        return Written(
            Sentence(headline.text, self._shas(headline.evidence)) if headline else None,
            items, fixed, attention, impact,
            tuple(one for one in draft.technologies if self._is_there(one)),
            tuple(sha for sha in every if sha not in named),
            wrong,
        )  # fmt: skip

    def _is_out(self, one: Numbered) -> bool:
        return not stands(one) and one.change.kind != "revert"

    def _shas(self, evidence: Sequence[int]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(sha for n in evidence for sha in self._by_number[n].shas))

    def _name(self, title: str, rows: Sequence[Row]) -> str:
        """The title of an item, if its changes have what it names."""
        if self._sort == "profile" and title in {str(facts.month) for facts in self._months}:
            return title
        grounds = [
            self._grounds[n] for n in dict.fromkeys(n for row in rows for n in row.evidence) if n in self._grounds
        ]
        own = parts_of(title)
        return "" if not grounds or list(naming_faults(own, grounds, frozenset(), ())) else title

    def _is_there(self, technology: str) -> bool:
        own = parts_of(f"with {technology}")
        return not list(naming_faults(own, list(self._grounds.values()), frozenset(), ()))

    def as_kept(self, draft: Draft) -> dict[str, Any]:
        """A draft in the form of a reply, with the hunks it rests on: it is judged again whenever it is told."""
        hunks = [[*key, text] for key, text in self._hunks.items() if text]
        return {**_as_reply(draft), "hunks": hunks}

    def from_kept(self, kept: Mapping[str, Any]) -> Draft:
        """A draft that was kept; what was refused then, be it by a second opinion, is refused now."""
        given = kept.get("hunks")
        rows = [row for row in (given if isinstance(given, list) else ()) if _is_hunk(row)]
        self._hunks = {(name, sha): text for name, sha, text in rows}
        draft, refused = draft_of(kept), kept.get("refused")
        for n, row in enumerate(draft.rows()):
            if isinstance(refused, list) and n in refused and not row.faults:
                row.faults = ["it was refused when it was written"]
        return draft


def _is_hunk(row: Any) -> bool:
    return isinstance(row, list) and len(row) == 3 and all(isinstance(one, str) for one in row)


def _as_reply(draft: Draft) -> dict[str, Any]:

    def row(one: Row) -> dict[str, Any]:
        return {"text": one.text, "evidence": list(one.evidence)}

    def rows(some: Sequence[Row]) -> list[dict[str, Any]]:
        return [row(one) for one in some]

    return {
        "headline": row(draft.headline) if draft.headline else None,
        "items": [{"title": title, "sentences": rows(some)} for title, some in draft.items],
        "fixed": rows(draft.fixed), "attention": rows(draft.attention), "impact": rows(draft.impact),
        "technologies": draft.technologies,
        "refused": [n for n, one in enumerate(draft.rows()) if one.faults],
    }  # fmt: skip


def kept_before(kept: Kept, key: str) -> dict[str, Any] | None:
    try:
        return kept.get(key)
    except StoreUnavailable:
        return None


def _fence(text: str) -> str:
    """A line that nobody can have written into a message: it does not stand in the text."""
    while (fence := f"===== {secrets.token_hex(12)} =====") in text:
        pass
    return fence
