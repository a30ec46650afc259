"""Odd months as they are read, and what holds for any month. After a wanted change run with GOLDEN=write and read."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from drawn import PATHS, TIMES, histories, later
from hypothesis import given
from hypothesis import strategies as st
from odd_months import MONTHS, OCTOBER, REPOSITORIES, facts_of
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, another_commit, changed, commit, sha_of

from bot.model import Commit, MonthFacts, Sentence, Story, Turn
from bot.month.facts import month_facts
from bot.month.histories import by_commit, histories_of
from bot.story.document import month_document
from bot.story.grouping.themes import MOST_SHOWN
from bot.story.items import REST
from bot.story.proving.grammar import mistakes
from bot.story.proving.proof import Proof
from bot.story.render import Templates
from bot.story.story import month_story

FILE = Path(__file__).parent.parent / "golden" / "odd-months.txt"
# Subjects that are good English, so that what is wrong in a sentence is of our making.
VERBS = ("Add", "Fix", "Remove", "Rename", "Speed up", "Support", "Use", "Document", "Test", "Bump", "Move", "Allow")
THINGS = (
    "the plan cache", "a lamp", "an index of jobs", "retries in the worker", "the lexer's last line", "`Plan.take`",
    "plans without a key", "CUDA graphs", "src/lock.py", "version 2.1",
)  # fmt: skip
BEFORE = ("", "", "[jobs] ", "fix: ", "feat(parser)!: ", "- ", "[BE][easy] ")
AFTER = ("", "", " (#12)", ".", " and its tests", " by default")
BODIES = (
    "", "", "The lock was held while a file was read, so that others waited for it.",
    "Summary:\nThis PR adds a queue, because jobs were lost when a worker stopped.\n\nTest Plan: CI",
    "Loading the big index takes 0.4 s instead of 2.9 s.",
    "- one\n- two\n\n```\nTraceback\n```", "Co-authored-by: Ada Lovelace <ada@example.com>",
)  # fmt: skip


def golden(name: str) -> str:
    facts = facts_of(name)
    told = Templates().month("text", month_document(facts, month_story(facts)))
    return f"=== {name}\n{told}\n"


def test_odd_months_read_as_they_did() -> None:
    told = {name: golden(name) for name in MONTHS}
    if os.environ.get("GOLDEN") == "write":
        FILE.write_text("".join(told.values()), encoding="utf-8")
    kept = FILE.read_text(encoding="utf-8")
    assert [name for name, text in told.items() if text not in kept] == []
    assert kept == "".join(told.values())


def sentences_of(story: Story) -> Iterator[Sentence]:
    yield story.headline
    for item in story.items:
        yield from item.sentences
    yield from story.impact
    yield from story.helped


def ill_formed(story: Story) -> list[tuple[str, list[str]]]:
    return [(one.text, found) for one in sentences_of(story) if (found := mistakes(one.text))]


def unproved(facts: MonthFacts, story: Story) -> list[tuple[str, list[str]]]:
    """The sentences of items that the month's commits do not bear out. How many changes are told together, and what
    turned one and why, is known from the facts."""
    proof = Proof.of(facts)
    known = [text for change in facts.changes for turn in (change.out, change.back) if turn for text in known_of(turn)]
    known += [f"{number} {word}" for number in range(1, len(facts.changes) + 1) for word in ("change", "changes")]
    known += [f"{number} more {word}" for number in range(1, len(facts.changes) + 1) for word in ("change", "changes")]
    return [(one.text, found) for item in story.items for one in item.sentences if (found := proof.faults(one, known))]


def known_of(turn: Turn) -> tuple[str, ...]:
    day = turn.commit.committer.at
    return (turn.commit.sha[:9], turn.by, f"{day.day} {day:%B} {day.year}", turn.commit.body)


@pytest.mark.parametrize("name", MONTHS)
def test_an_odd_month_is_told_whole_in_good_grammar(name: str) -> None:
    facts = facts_of(name)
    story = month_story(facts)
    assert {sha for item in story.items for sha in item.evidence} == {one.sha for one in MONTHS[name]}
    assert ill_formed(story) == []
    assert all(item.title and item.title == item.title.strip() for item in story.items)


@st.composite
def months(draw: st.DrawFn) -> list[Commit]:
    """Commits that point to each other, and others, in good English; merges among them."""
    found = draw(histories(titles=["Add a plan", "[jobs] Fix the lock", "Use the lamp for plans"]))
    for number in range(draw(st.integers(0, 30))):
        subject = "".join(draw(st.sampled_from(part)) for part in (BEFORE, VERBS, [" "], THINGS, AFTER))
        found.append(
            commit(
                subject,
                body=draw(st.sampled_from(BODIES)),
                at=later(draw(TIMES)),
                author=draw(st.sampled_from([ADA, ADA, GRACE])),
                repository=draw(st.sampled_from([ENGINE, WEB])),
                paths=draw(st.sampled_from(PATHS)),
                merge=draw(st.integers(0, 9)) == 9,
                sha=sha_of((number, "told")),
            )
        )
    return found


def hers(commits: list[Commit]) -> MonthFacts:
    own = [one for one in commits if one.author.name == ADA.name or ADA.identities[0].address in one.body]
    whole = by_commit(histories_of(commits))
    return month_facts(ADA, OCTOBER, UTC_ZONE, own, REPOSITORIES, INDEXED, histories=whole)


def is_told_whole(facts: MonthFacts, story: Story) -> None:
    told = [sha for item in story.items for sha in item.evidence]
    assert set(told) == {one.sha for one in facts.commits}
    assert len(told) == len(set(told))
    for item in story.items:
        assert {sha for one in item.sentences for sha in one.evidence} <= set(item.evidence)
        assert not item.sentences or {sha for one in item.sentences for sha in one.evidence} == set(item.evidence)
    repositories = {one.repository for one in facts.merges}
    assert len(story.items) <= MOST_SHOWN + len(repositories)
    assert [item.title for item in story.items[:-1]].count(REST) <= (1 if facts.merges else 0)


@given(months())
def test_any_month_is_told_whole_in_good_grammar_and_proved(commits: list[Commit]) -> None:
    facts = hers(commits)
    story = month_story(facts)
    is_told_whole(facts, story)
    assert ill_formed(story) == []
    assert unproved(facts, story) == []
    assert story.replaced == 0


_free = st.tuples(st.text(max_size=60), st.text(max_size=200), st.integers(1, 28), st.sampled_from(PATHS))


@given(st.lists(_free, max_size=14))
def test_whatever_is_written_is_told_whole_and_proved(texts: list[tuple[str, str, int, list[str]]]) -> None:
    commits = [
        commit(subject, body=body, at=f"2025-10-{day:02} 12:00", paths=paths, sha=sha_of((n, "free")))
        for n, (subject, body, day, paths) in enumerate(texts)
    ]
    facts = hers(commits)
    story = month_story(facts)
    is_told_whole(facts, story)
    assert unproved(facts, story) == []
    assert all(one.text == one.text.strip() and one.text for one in sentences_of(story))


def test_story_and_proof_of_400_commits_take_less_than_half_a_second() -> None:
    body = (
        "Summary:\nA transfer of more than 40 keys failed, because the lock was held while the file was read. Now it "
        "is not.\n\nLoading takes 0.4 s instead of 2.9 s for transfer {0}.\n\nTest Plan:\n```\npytest tests/{0}.py\n"
        "```\n\nReviewed-by: Grace Hopper <grace@example.com>\nDifferential Revision: D7{0:07}\n"
    )
    commits = [
        another_commit(
            f"{VERBS[n % len(VERBS)]} {THINGS[n % 7]} of part {n} (#{n})",
            body=body.format(n),
            at=f"2025-10-{n % 28 + 1:02} {n % 24:02}:00",
            paths=[changed(f"src/{n % 40}/{n}.py"), changed(f"tests/test_{n}.py")],
        )
        for n in range(400)
    ]
    facts = hers(commits)
    began = time.thread_time()
    story = month_story(facts)
    took = time.thread_time() - began
    assert sum(len(item.evidence) for item in story.items) == 400
    assert took < 0.5
