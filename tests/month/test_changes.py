"""Commits become changes, and changes the facts of a month."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, INDEXED, UTC_ZONE, WEB, another_commit, changed, commit, indexed

from bot.model import MonthFacts
from bot.month.calendar import Month
from bot.month.changes import changes_of
from bot.month.facts import by_kind, by_repository, counts, month_facts
from bot.month.trailers import references, without_references

OCTOBER = Month(2025, 10)


def facts_of(*commits, now: datetime = INDEXED, repositories=(ENGINE, WEB), **more) -> MonthFacts:  # type: ignore[no-untyped-def]
    known = [one if not isinstance(one, str) else indexed(one) for one in repositories]
    return month_facts(ADA, OCTOBER, UTC_ZONE, commits, known, now, **more)


@pytest.mark.parametrize(
    ("subject", "refs", "rest"),
    [
        ("Fix the cache (#123)", ("#123",), "Fix the cache"),
        ("Fix the cache (#1) (#2)", ("#1", "#2"), "Fix the cache"),
        ("Move it (fairinternal/xformers#1310)", ("fairinternal/xformers#1310",), "Move it"),
        ('Revert "A (acme/x#1)" (acme/x#2)', ("acme/x#2",), 'Revert "A (acme/x#1)"'),
        ("Fixes #12 in the cache", (), "Fixes #12 in the cache"),
        ("(#123)", ("#123",), "(#123)"),
        ("Merge pull request #7 from ada/x", ("#7",), "Merge pull request #7 from ada/x"),
        ("Say (why)", (), "Say (why)"),
        ("", (), ""),
    ],
)
def test_the_numbers_a_forge_appends(subject: str, refs: tuple[str, ...], rest: str) -> None:
    assert (refs, rest) == (references(subject), without_references(subject))


def test_a_commit_that_two_repositories_hold_is_one_change() -> None:
    """A fork, a mirror or a renamed repository counts nothing twice."""
    one, twin = (commit("Add a thing", repository=name, sha="a" * 40) for name in (WEB, ENGINE))
    (change,) = changes_of([one, twin])
    assert (change.id, [held.repository for held in change.commits]) == ("a" * 40, [ENGINE, WEB])
    facts = facts_of(one, twin)
    assert (counts(facts)["commits"], counts(facts)["changes"]) == (1, 1)
    assert (counts(facts)["additions"], counts(facts)["deletions"]) == (5, 1)
    assert [(known.name, *numbers) for known, *numbers in by_repository([facts])] == [(ENGINE, 1, 1), (WEB, 1, 1)]


def test_merges_are_commits_and_no_changes() -> None:
    facts = facts_of(commit("Add a thing"), commit("Merge branch x", merge=True))
    assert (
        counts(facts)["commits"],
        counts(facts)["changes"],
        [merge.subject for merge in facts.merges],
    ) == (2, 1, ["Merge branch x"])


def test_changes_are_in_order_of_time_however_they_come() -> None:
    commits = [another_commit(str(day), at=f"2025-10-{day:02} 08:00") for day in range(1, 20)]
    shuffled = commits[:]
    Random(1).shuffle(shuffled)  # noqa: S311  # no secret
    assert [str(day) for day in range(1, 20)] == [change.lead.subject for change in changes_of(shuffled)]


def test_counts_of_lines_leave_out_what_has_none() -> None:
    files = [changed("a.py", 10, 2), changed("b.bin", None, None)]  # type: ignore[arg-type]
    assert tuple(counts(facts_of(commit(paths=files)))[key] for key in ("additions", "deletions")) == (10, 2)


@pytest.mark.parametrize(
    ("now", "to_date"),
    [(datetime(2025, 10, 31, 23, 59, 59, tzinfo=UTC), True), (datetime(2025, 11, 1, tzinfo=UTC), False)],
)
def test_a_month_is_to_date_until_it_is_over(now: datetime, to_date: bool) -> None:
    assert to_date == facts_of(now=now).to_date


def test_an_empty_month_has_facts() -> None:
    facts = facts_of()
    assert counts(facts) == {
        "commits": 0,
        "changes": 0,
        "landed": 0,
        "backed_out": 0,
        "relanded": 0,
        "additions": 0,
        "deletions": 0,
    }
    assert (facts.commits, facts.repositories, dict(by_kind([facts]))) == ((), (), {})


def test_a_repository_that_could_not_be_read_is_noted() -> None:
    repositories = [
        indexed(ENGINE, failure="gone"),
        indexed(WEB, shallow=True),
        indexed("acme/new", failure="gone", indexed_at=None),
    ]
    assert facts_of(repositories=repositories).notes == (
        "acme/engine could not be read at the last try, so it is told as of 5 November 2025.",
        "acme/web was read from a shallow clone, so older commits are missing.",
        "acme/new could not be read at the last try, so it is not told in full.",
    )


def test_the_oldest_index_dates_the_month() -> None:
    older = datetime(2025, 11, 1, tzinfo=UTC)
    facts = facts_of(repositories=[indexed(ENGINE), indexed(WEB, indexed_at=older)])
    assert older == facts.indexed_at


@given(st.lists(st.tuples(st.integers(0, 8), st.sampled_from([ENGINE, WEB]), st.booleans()), max_size=20))
def test_every_commit_is_counted_once(rows: list[tuple[int, str, bool]]) -> None:
    commits = [commit(str(n), sha=f"{n}{int(merge)}" * 20, repository=name, merge=merge) for n, name, merge in rows]
    facts = facts_of(*commits)
    numbers = counts(facts)
    assert len({one.sha for one in commits}) == numbers["commits"]
    assert len({one.sha for one in commits if not one.is_merge}) == numbers["changes"] == sum(by_kind([facts]).values())
    assert numbers["changes"] == numbers["landed"] + numbers["backed_out"] + numbers["relanded"]
