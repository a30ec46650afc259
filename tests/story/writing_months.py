"""A month of two commits, what a model replies of it, and what is shown then."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Any

from bot.model import Commit
from bot.month.calendar import Month
from bot.month.facts import FactsContext, MonthFacts, month_facts
from bot.story.documents import WrittenDocument
from bot.story.llm.client import Model
from bot.story.llm.write import Task, write
from bot.story.render import Templates
from bot.workspace.server import PATIENCE
from tests.a_model import AModel, Answer
from tests.values import ADA, ENGINE, UTC_ZONE, commit, indexed

NOW = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
KEY = "sk-a-key-that-nobody-may-read-0123456789"
CHUNKS = commit(
    "Stream chunks of the checkpoint from disk (#12)",
    at="2025-10-03 12:00",
    body="Reading the whole checkpoint took 2.68 s. With chunks of 64 KiB it takes 0.015 s.\n\n"
    "Reviewed-by: Bob Example <bob@example.org>\nThe password: hunter22-and-more",
    sha="c" * 40,
)
PARSER = commit("Fix a crash of the parser on empty lines", at="2025-10-05 12:00", sha="a" * 40)
COMMITS = (CHUNKS, PARSER)


def said(text: str, *evidence: Any) -> dict[str, Any]:
    return {"text": text, "evidence": list(evidence)}


STREAMS = said("The checkpoint is streamed from disk in chunks of 64 KiB (#12).", 1)
MENDED = said("The parser crashed on empty lines.", 2)
MEASURED = said("Reading a checkpoint takes 0.015 s instead of 2.68 s (#12).", 1)
HEADLINE = said("Checkpoints are streamed from disk, and the parser takes empty lines.", 1, 2)


def reply(**parts: Any) -> dict[str, Any]:
    """A reply in the wanted form, all of which holds."""
    own: dict[str, Any] = {
        "headline": HEADLINE,
        "items": [{"title": "Checkpoint", "sentences": [STREAMS]}, {"title": "Bugs fixed", "sentences": [MENDED]}],
        "attention": [],
        "impact": [MEASURED],
    }
    return {**own, **parts}


GOOD = reply()


def facts_of(*commits: Commit, to_date: bool = False) -> MonthFacts:
    facts = month_facts(ADA, Month(2025, 10), commits, FactsContext(UTC_ZONE, [indexed(ENGINE)], NOW))
    return replace(facts, today=date(2025, 10, 31) if to_date else None)


FACTS = facts_of(*COMMITS)


@dataclass
class Memory:
    """What was written before, in memory."""

    rows: dict[str, dict[str, Any]] = field(default_factory=dict)

    def get(self, key: str) -> dict[str, Any] | None:
        return self.rows.get(key)

    def put(self, key: str, text: dict[str, Any], now: datetime) -> None:
        assert now == NOW
        self.rows[key] = json.loads(json.dumps(text))


@dataclass
class Outcome:
    told: WrittenDocument | None
    said: list[str]
    server: AModel
    kept: Memory
    seconds: float

    @property
    def texts(self) -> list[str]:
        return texts_of(self.told) if self.told else []


def texts_of(told: WrittenDocument) -> list[str]:
    """Everything that is said, sentence by sentence."""
    others = (*([told.headline] if told.headline else []), *told.attention, *told.impact)
    return [*(line for item in told.items for line in item.lines), *(one.text for one in others)]


def named_in(told: WrittenDocument) -> set[str]:
    """The commits that stand in its items, in what needs attention and in what came of it."""
    return {sha for one in (*told.items, *told.attention, *told.impact) for sha in one.evidence}


def ask(
    *answers: Answer,
    facts: MonthFacts = FACTS,
    seconds: float = PATIENCE,
    tokens: int = 8000,
    kept: Memory | None = None,
    key: str = KEY,
    hunks: dict[tuple[str, str], str] | None = None,
    templates: Templates | None = None,
) -> Outcome:
    """What is shown with a model that answers so; every commit of the month is in it, and no line shows the key."""
    kept, lines = kept if kept is not None else Memory(), list[str]()
    with AModel(*answers) as server:
        model = Model(server.address, "small", key, seconds, tokens, diffs=hunks is not None)
        begun = time.process_time()
        task = Task("month", [facts], hunks=lambda commits, most: hunks or {})
        told = write(task, model, templates or Templates(), kept, NOW, lines.append)
        took = time.process_time() - begun
    if told:
        by_sha = {sha: change for change in facts.changes for sha in change.shas}
        rest = {sha for one in told.rest for sha in by_sha[one.sha].shas}
        assert named_in(told) | rest == by_sha.keys()
    assert all(KEY not in line and "\n" not in line for line in lines)
    return Outcome(told, lines, server, kept, took)
