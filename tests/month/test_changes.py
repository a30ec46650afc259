"""Commits become changes, and changes the facts of a month."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, changed, commit, indexed, sha_of

from bot.model import Change, Commit
from bot.month.calendar import Month
from bot.month.facts import FactsContext, MonthFacts, by_repository, counts, month_facts
from bot.month.histories import histories_of, month_changes
from bot.month.kinds import decided

OCTOBER = Month(2025, 10)


def facts_of(*commits, now: datetime = INDEXED, repositories=(ENGINE, WEB), **more) -> MonthFacts:  # type: ignore[no-untyped-def]
    known = [one if not isinstance(one, str) else indexed(one) for one in repositories]
    return month_facts(ADA, OCTOBER, commits, FactsContext(UTC_ZONE, known, now), **more)


def test_a_commit_that_two_repositories_hold_is_one_change() -> None:
    """A fork, a mirror or a renamed repository counts nothing twice."""
    one, twin = (commit("Add a thing", repository=name, sha="a" * 40) for name in (WEB, ENGINE))
    (change,) = month_changes([one, twin], (), None)
    assert (change.id, [held.repository for held in change.commits]) == ("a" * 40, [ENGINE, WEB])
    facts = facts_of(one, twin)
    assert (counts(facts)["commits"], counts(facts)["changes"]) == (1, 1)
    assert (counts(facts)["additions"], counts(facts)["deletions"]) == (5, 1)
    assert [(known.name, *numbers) for known, *numbers in by_repository([facts])] == [(ENGINE, 1, 1), (WEB, 1, 1)]


# --- what became of a change

END = datetime(2025, 11, 1, tzinfo=UTC)
WORK = commit("Cache the kernel (#1)", at="2025-10-03 12:00")
REVERT = commit('Revert "Cache the kernel (#1)" (#2)', at="2025-10-04 12:00", author=GRACE)
AGAIN = commit("[reland] Cache the kernel (#1) (#3)", at="2025-10-20 12:00")
OUT_AGAIN = commit('Revert "[reland] Cache the kernel (#1) (#3)" (#4)', at="2025-11-04 12:00", author=GRACE)
KIND = decided(WORK).kind
HISTORY = (WORK, REVERT, AGAIN, OUT_AGAIN)


def seen(*own: Commit, of: tuple[Commit, ...] = HISTORY, until: datetime = END) -> list[tuple[object, ...]]:
    """A month's changes as kind, state, and the subjects of their commits."""
    found = month_changes(own, histories_of([*own, *of]), until)
    return [(change.kind, change.state, *(one.subject for one in change.commits)) for change in found]


def only(*own: Commit, of: tuple[Commit, ...] = HISTORY, until: datetime = END) -> Change:
    (change,) = month_changes(own, histories_of([*own, *of]), until)
    return change


def test_what_reverts_by_its_body_alone_is_what_its_title_says() -> None:
    """ "Make it opt-in", and then "Enable it by default", whose body reverts the former, is work of its own."""
    off = commit("Make the cache opt-in", at="2025-10-03 12:00", author=GRACE)
    on = commit("Enable the cache by default", at="2025-10-06 12:00", body=f"This reverts commit {off.sha}.")
    off_again = commit(f'Revert "{on.subject}"', at="2025-11-04 12:00", author=GRACE)
    told = only(on, of=(off, off_again))
    assert (told.id, told.kind, told.state, len(told.later)) == (on.sha, decided(on).kind, "landed", 1)
    assert told.kind != "revert"
    told = only(on, of=(off, off_again), until=datetime(2025, 12, 1, tzinfo=UTC))
    assert (told.state, told.reverted_in) == ("backed_out", off_again.sha)


def test_a_revert_that_names_nothing_takes_nothing_out() -> None:
    """Not even what is its contrary line for line: it may be of a part only."""
    gauge, renamed = (
        commit(title, at=f"2025-10-0{n} 12:00", paths=[changed("src/a.py", 6, 6)])
        for n, title in enumerate(("Change the histogram to a gauge", "Rename the variable"), 1)
    )
    revert = commit(
        "chore: revert changing histogram to gauge", at="2025-10-04 12:00", paths=[changed("src/a.py", 6, 6)]
    )
    assert seen(gauge, renamed, revert, of=()) == [
        (decided(gauge).kind, "landed", gauge.subject),
        (decided(renamed).kind, "landed", renamed.subject),
        ("revert", "landed", revert.subject),
    ]


def test_a_revert_of_what_is_not_known_is_a_change_of_its_own() -> None:
    unknown = commit('Revert "What never was" (#7)')
    assert seen(unknown, of=()) == [("revert", "landed", unknown.subject)]
    undone = commit('Revert "Revert "What never was" (#7)"', at="2025-10-09 12:00")
    assert seen(unknown, of=(undone,)) == [("revert", "backed_out", unknown.subject)]


def exported(subject: str, sha: str, repository: str, **more: object) -> Commit:
    body = "Differential Revision: D71000001"
    return commit(subject, sha=sha_of(sha), repository=repository, body=body, **more)  # type: ignore[arg-type]


def test_one_diff_in_two_repositories_is_one_change() -> None:
    """Its reverts there are one turn; a revert in one of them leaves a part."""
    pair = [exported("Stream the weights", name, name) for name in (WEB, ENGINE)]
    (change,) = month_changes(pair, (), None)
    assert (change.id, [one.repository for one in change.commits]) == (sha_of(ENGINE), [ENGINE, WEB])
    outs = [
        commit(
            "Revert D71000001: Stream the weights", at="2025-10-04 12:00", sha=sha_of(("out", name)), repository=name
        )
        for name in (WEB, ENGINE)
    ]
    (out,) = month_changes([*pair, *outs], (), None)
    assert (out.state, out.reverted_in, len(out.commits)) == ("backed_out", sha_of(("out", ENGINE)), 4)
    (part,) = month_changes([*pair, outs[0]], (), None)
    assert part.state == "partly"


def test_a_second_landing_of_one_diff_after_its_revert_is_a_reland() -> None:
    first = exported("Stream the weights", "first", ENGINE)
    out = commit("Revert D71000001", at="2025-10-04 12:00")
    second = exported("Stream the weights, mended", "second", ENGINE, at="2025-10-05 12:00")
    (change,) = month_changes([first, out, second], (), None)
    assert (change.state, change.relanded_in) == ("relanded", second.sha)
    (twice,) = month_changes([first, second], (), None)
    assert (twice.state, twice.commits) == ("landed", (first, second))


def test_a_fix_of_ones_own_change_is_another_change_that_the_first_one_names() -> None:
    fix = commit("Fix the lock", at="2025-10-09 12:00", body=f"Fixes: {WORK.sha[:12]}")
    assert seen(WORK, fix, of=()) == [(KIND, "landed", WORK.subject), ("fix", "landed", fix.subject)]
    assert [one.commit for one in only(WORK, of=(fix,)).fixes] == [fix]


LOADS = commit("Load the plans (#4123)", at="2025-10-03 12:00", paths=["src/load.py"])
NAMED = "They were broken by #4123."


def fixes_of_loads(
    subject: str, body: str = NAMED, path: str = "src/load.py", at: str = "2025-12-05 12:00"
) -> list[str]:
    """By whom the change is fixed later, by one other commit."""
    later = commit(subject, body=body, at=at, author=GRACE, paths=[path])
    return [one.by for one in only(LOADS, of=(later,)).fixes]


@pytest.mark.parametrize(
    "other",
    [
        {"subject": "Fix lost plans", "body": "They were lost since #4123."},
        {"subject": "Fix lost plans", "path": "src/other.py"},
        {"subject": "Fix lost plans", "at": "2025-10-02 12:00"},  # earlier
        {"subject": "Fix lost plans", "at": "2026-10-02 12:00"},  # much later
        {"subject": "Skip the test of lost plans", "path": "tests/test_load.py"},
        {"subject": "Fix ruff on main"},
        {"subject": "pyre fixes for it"},
        {"subject": "Fix a typo in a comment"},
        {"subject": "test: fix how plans are lost"},
        {"subject": "docs: fix how plans are told"},
        {"subject": "ci: name the label"},
        {"subject": 'Revert "Load the plans (#4123)"'},
    ],
)
def test_what_only_names_a_change_or_changes_nothing_of_it_is_no_later_fix(other: dict[str, str]) -> None:
    assert fixes_of_loads(**other) == []
