"""Whole months and a digest, as they are read. After a wanted change run with GOLDEN=write and read the difference."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, commit, indexed, somebody

from bot.model import Commit, Helped, Sentence
from bot.month.calendar import Month
from bot.month.facts import month_facts
from bot.settings import BOTS
from bot.slack.messages import document_messages
from bot.story.digest import month_digest
from bot.story.document import Document, digest_document, month_document
from bot.story.render import Templates
from bot.story.story import month_story

GOLDEN = Path(__file__).parent.parent / "golden"
OCTOBER = Month(2025, 10)
REPOSITORIES = [indexed(ENGINE), indexed(WEB, web=None)]
PAGES = {one.name: one.web for one in REPOSITORIES}
LINUS, BOT = somebody("Linus Åkesson"), somebody("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com")

SIX = [
    commit(
        "Support transfers over 1 GB with chunking (#1367)",
        at="2025-10-02 09:30",
        body="Summary:\nTransfers are cut into chunks of 512 MB, because lengths have 32 bits.\n\nTest Plan: CI",
        paths=["src/transfer.py", "tests/test_transfer.py"],
    ),
    commit(
        "Fix the race between *two* <allocators> & their ports (#1371)",
        at="2025-10-07 16:05",
        body="`Done` could be sent before `Allocated`, and then the receiver waited forever.",
    ),
    commit(
        "Speed up the first paint (#88)",
        at="2025-10-09 11:00",
        body="The first paint is down from 2.68 s to 0.015 s.",
        repository=WEB,
        paths=["app/paint.ts"],
    ),
    commit(
        "- Remove the simulator's allocator tests",
        at="2025-10-14 08:00",
        body="They test a backend that is not in use.\n\nReviewed-by: Grace Hopper <grace@example.com>",
        paths=["tests/test_sim.py"],
    ),
    commit("docs: explain chunking", at="2025-10-20 10:00", paths=["docs/transfers.md"]),
    commit("Use the shared theme", at="2025-10-31 23:59", repository=WEB, paths=["app/theme.ts"]),
]
MERGES = [
    commit("Merge pull request #12 from ada/chunks", at="2025-10-03 10:00", merge=True),
    commit("Merge pull request #14 from ada/ports", at="2025-10-08 10:00", merge=True),
    commit("Merge branch 'theme'", at="2025-10-09 10:00", merge=True, repository=WEB),
]


def month(commits: list[Commit], now: datetime = INDEXED) -> Document:
    facts = month_facts(ADA, OCTOBER, UTC_ZONE, commits, REPOSITORIES, now)
    return month_document(facts, month_story(facts))


def whole() -> Document:
    """A month with all that a month can have: impact, help, and a commit date that decides."""
    helped = [Helped("reviewer", ENGINE, 1204, 5), Helped("reviewer", WEB, 1, 1), Helped("tester", ENGINE, 2, 1)]
    facts = month_facts(
        ADA, OCTOBER, UTC_ZONE, SIX[:3], REPOSITORIES, INDEXED, helped=helped, dates="committer",
        notes=["1 change in repositories that are not for this channel is left out."],
    )  # fmt: skip
    impact = (
        Sentence("The first paint takes 0.015 s, where it took 2.68 s.", (SIX[2].sha,)),
        Sentence("A receiver no longer waits <forever> for `Allocated`.", (SIX[1].sha, SIX[0].sha)),
    )
    return month_document(facts, replace(month_story(facts), impact=impact))


def digest() -> Document:
    commits = [
        *SIX[:3],
        MERGES[0],
        commit("Add a dark mode (#90)", author=GRACE, repository=WEB, at="2025-10-05 12:00", paths=["app/dark.ts"]),
        commit("Bump vite from 5.0 to 5.1", author=BOT, repository=WEB, paths=["package.json"]),
        commit("Merge branch 'dark'", author=LINUS, repository=WEB, at="2025-10-06 12:00", merge=True),
    ]
    people = [ADA, GRACE, LINUS, BOT]
    return digest_document(month_digest("everyone", OCTOBER, UTC_ZONE, people, commits, REPOSITORIES, INDEXED, BOTS))


MONTHS = {
    "month": lambda: month(SIX),
    "whole": whole,
    "empty": lambda: month([]),
    "merges-only": lambda: month(MERGES),
    "to-date": lambda: month([*SIX[:2], MERGES[0]], datetime(2025, 10, 15, 9, tzinfo=UTC)),
    "digest": digest,
}
FORMS = {"text": "txt", "markdown": "md", "html": "html", "json": "json", "slack": "slack.json"}


def in_form(document: Document, form: str) -> str:
    if form not in ("json", "slack"):
        return Templates().month(form, document, PAGES)
    messages = document_messages([document], Templates(), PAGES)
    return json.dumps(
        document if form == "json" else [message.payload() for message in messages], indent=1, ensure_ascii=False
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", MONTHS)
def test_it_reads_as_it_did(name: str, form: str) -> None:
    document = MONTHS[name]()
    told = in_form(document, form)
    file = GOLDEN / f"{name}.{FORMS[form]}"
    if os.environ.get("GOLDEN") == "write":
        file.write_text(f"{told}\n", encoding="utf-8")
    assert file.read_text(encoding="utf-8") == f"{told}\n"


def test_the_same_commits_give_the_same_bytes_in_any_order() -> None:
    assert json.dumps(month(SIX + MERGES)) == json.dumps(month([*reversed(SIX + MERGES)]))
