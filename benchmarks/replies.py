"""Recorded months with what a model replied to their prompts: data of tests/story/replies → values."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.model import Change, Commit, FileChange, Identity, Person, Repository, RevertEvent, Signature
from bot.month.calendar import Month
from bot.month.facts import MonthFacts
from bot.story.llm.check import Checker, Ground, Part

DATA = Path(__file__).parent.parent / "tests" / "story" / "replies"


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence of a reply, and what is told beside it."""

    text: str
    evidence: tuple[int, ...]
    part: Part
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A month, the diffs that were sent, and the reply."""

    facts: MonthFacts
    hunks: Mapping[tuple[str, str], str]
    reply: Mapping[str, Any]

    def grounds(self) -> dict[int, Ground]:
        return {
            n: Ground(
                change, self.facts.person.name, self.facts.zone,
                "\n".join(self.hunks.get((c.repository, c.sha), "") for c in change.commits),
            )
            for n, change in enumerate(self.facts.changes, 1)
        }  # fmt: skip

    def checker(self) -> Checker:
        return Checker(self.grounds(), (self.facts.person.name, self.facts.month.title))

    def told(self) -> Iterator[Told]:
        reply = self.reply
        one = reply["headline"]
        yield Told(one["text"], tuple(one["evidence"]), "headline")
        for item in reply["items"]:
            whole = " ".join(sentence["text"] for sentence in item["sentences"])
            for sentence in item["sentences"]:
                yield Told(sentence["text"], tuple(sentence["evidence"]), "item", whole)
        for part in ("fixed", "attention", "impact"):
            for sentence in reply[part]:
                yield Told(sentence["text"], tuple(sentence["evidence"]), part)


def recorded() -> list[Recorded]:
    rows = json.loads(gzip.decompress((DATA / "months.json.gz").read_bytes()))
    return [_month(row) for row in rows]


def judged() -> dict[tuple[int, str], str]:
    """What a careful reader, with commits and diffs beside it, found untrue or misleading: why, by month and text."""
    rows = json.loads((DATA / "judged.json").read_text())
    return {(row["month"], row["text"]): row["why"] for row in rows["untrue"]}


def _month(row: Mapping[str, Any]) -> Recorded:
    changes = tuple(_change(one) for one in row["changes"])
    commits = [commit for change in changes for commit in change.commits]
    names = sorted({commit.repository for commit in commits})
    facts = MonthFacts(
        person=Person(row["person"], (Identity(row["person"], ""),)),
        month=Month.parse(row["month"]),
        zone=row["zone"],
        today=None,
        changes=changes,
        merges=(),
        repositories=tuple(Repository(name, f"/srv/{name}") for name in names),
        indexed_at=None,
    )
    hunks = {
        (commit["r"], commit["s"]): hunk
        for change in row["changes"]
        for commit, hunk in zip(change["commits"], change["hunks"], strict=True)
        if hunk
    }
    return Recorded(facts, hunks, row["reply"])


def month_of(row: Mapping[str, Any]) -> Recorded:
    """A month of a single commit, of which nothing is recorded but its message."""
    commit = _commit(row)
    change = Change(commit.sha, (commit,), "chore")
    author = commit.author.name
    month = Month(commit.author.at.year, commit.author.at.month)
    facts = MonthFacts(Person(author, (Identity(author, ""),)), month, "UTC", None, (change,), (), (), None)
    return Recorded(facts, {}, {})


def _change(row: Mapping[str, Any]) -> Change:
    return Change(
        id=row["id"], commits=tuple(map(_commit, row["commits"])), kind=row["kind"], state=row["state"],
        refs=tuple(row["refs"]), out=_revert_event(row["out"]), back=_revert_event(row["back"]), is_sure=row["is_sure"],
        shared_by=row["shared_by"], later=tuple(event for one in row["later"] if (event := _revert_event(one))),
    )  # fmt: skip


# What the recordings call what a commit does to a change.
_EFFECTS: Mapping[str, Any] = {"takes out": "reverts", "brings back": "relands"}


def _revert_event(row: Mapping[str, Any] | None) -> RevertEvent | None:
    return RevertEvent(_EFFECTS[row["does"]], _commit(row["commit"]), "SHA", row["partly"], row["by"]) if row else None


def _commit(row: Mapping[str, Any]) -> Commit:
    author, committer = (Signature(name, "", at, offset) for name, at, offset in (row["a"], row["c"]))
    files = tuple(FileChange(path, "modified", plus, minus) for path, plus, minus in row.get("f", ()))
    return Commit(row["r"], row["s"], (), author, committer, row["t"], row["b"], files)
