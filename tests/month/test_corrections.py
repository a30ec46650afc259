"""What people say of changes by hand counts in all that is shown of a month, and follows a change however it grows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from drawn import scattered
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, Json, commit, indexed, read, sha_of

from bot.errors import AlmanacError
from bot.model import Commit, CorrectedField, Person, Said
from bot.month.calendar import Month
from bot.month.corrections import KINDS, Corrections, checked
from bot.month.facts import FactsContext, month_facts
from bot.month.histories import by_commit, histories_of
from bot.story.digest import month_digest
from bot.story.documents import to_json
from bot.story.month import month_document

OCTOBER, NOVEMBER = Month(2025, 10), Month(2025, 11)
KNOWN = [indexed(ENGINE), indexed(WEB)]
BY = "Grace Hopper"
LAMP = commit("Add a lamp", paths=["src/lamp.py"], body="It cuts reads from 9 s to 3 s.", sha="a1" * 20)
DOOR = commit("Fix the door that jams", at="2025-10-05 12:00", paths=["src/door.py", "tests/door.py"], sha="b1" * 20)
MILL = commit("Add a mill", at="2025-10-07 12:00", repository=WEB, paths=["Dockerfile"], sha="c1" * 20)
MONTH = [LAMP, DOOR, MILL]


def said(field: CorrectedField, value: str, of: Commit | str, number: int = 1, by: str = BY) -> Said:
    return Said(number, "change", field, of if isinstance(of, str) else of.sha, value, by, INDEXED)


def told(
    commits: Sequence[Commit],
    *corrections: Said,
    person: Person = ADA,
    month: Month = OCTOBER,
    every: Sequence[Commit] = (),
) -> Json:
    """The document of a person's month, of which every commit is theirs."""
    whole = by_commit(histories_of(every or commits))
    facts = month_facts(
        person,
        month,
        commits,
        FactsContext(
            UTC_ZONE, KNOWN, INDEXED + timedelta(days=60), histories=whole, corrections=Corrections(corrections)
        ),
    )
    return to_json(month_document(facts))


def kinds(document: Json) -> list[tuple[str, str]]:
    return [(change["id"], change["kind"]) for change in document["changes"]]


# --- a change that grows


OUT = commit('Revert "Add a lamp"', at="2025-10-04 12:00", body=f"This reverts commit {LAMP.sha}.", sha="a2" * 20)
EXPORT = commit("Add a lamp", at="2025-10-02 12:00", repository=WEB, sha="a0" * 20,
                body="X-link: https://github.com/acme/engine/pull/7\n\nDifferential Revision: D71000001")  # fmt: skip
WORK = commit("Add a lamp (#7)", sha="a4" * 20, body="Differential Revision: D71000001")


def test_what_was_said_holds_once_an_earlier_export_gives_the_change_another_id() -> None:
    correction = said("kind", "docs", WORK)
    assert kinds(told([WORK], correction)) == [(WORK.sha, "docs")]
    assert kinds(told([WORK, EXPORT], correction)) == [(EXPORT.sha, "docs")]
    assert told([WORK, EXPORT], said("hidden", "yes", WORK))["changes"] == []


def test_what_was_said_of_a_revert_is_not_said_of_what_it_takes_out() -> None:
    late = replace(OUT, author=replace(OUT.author, seconds=OUT.author.seconds + 31 * 24 * 3600))
    late = replace(late, committer=late.author)
    every = [LAMP, late]
    correction = said("kind", "docs", late)
    assert kinds(told([LAMP], correction, every=every)) == [(LAMP.sha, "feature")]
    assert kinds(told([late], correction, month=NOVEMBER, every=every)) == [(late.sha, "docs")]
    assert kinds(told([late], said("kind", "docs", LAMP), month=NOVEMBER, every=every)) == [(late.sha, "revert")]
    hidden = told([late], said("hidden", "yes", LAMP), month=NOVEMBER, every=every)
    assert kinds(hidden) == [(late.sha, "revert")]


# --- anything

VALUES: dict[CorrectedField, st.SearchStrategy[str]] = {
    "kind": st.sampled_from(KINDS),
    "title": st.text(min_size=1, max_size=150),
    "hidden": st.just("yes"),
}


@st.composite
def corrected(draw: st.DrawFn) -> tuple[list[Commit], list[Said]]:
    commits = draw(scattered([ENGINE, WEB]))
    shas = st.sampled_from([one.sha for one in commits] + [sha_of("none")])
    found = []
    for number in range(1, draw(st.integers(0, 8)) + 1):
        field = draw(st.sampled_from(sorted(VALUES)))
        about = " ".join(draw(st.lists(shas, min_size=1, max_size=3)))
        found.append(said(field, draw(VALUES[field]), about, number, draw(st.text(max_size=20))))
    return commits, draw(st.permutations(found))


@given(corrected())
def test_whatever_is_said_of_whatever_history_is_told_and_once_undone_is_as_if_never_said(
    drawn: tuple[list[Commit], list[Said]],
) -> None:
    commits, corrections = drawn
    own = [one for one in commits if one in ADA.signatures and Month.of(one.author.at, UTC_ZONE) == OCTOBER]
    after = told(own, *corrections, every=commits)
    assert to_json(read(after)) == after
    assert after["coverage"]["commits_told"] == after["coverage"]["commits_total"]
    assert after == told(own, *reversed(corrections), every=commits)
    of_all = month_digest(
        "everyone",
        OCTOBER,
        [ADA, GRACE],
        commits,
        FactsContext(UTC_ZONE, KNOWN, INDEXED, corrections=Corrections(corrections)),
        [],
    )
    together = to_json(of_all.document)
    assert to_json(read(together)) == together
    undone = [replace(one, undone_by=BY, undone_at=INDEXED) for one in corrections]
    assert json.dumps(told(own, *undone, every=commits)) == json.dumps(told(own, every=commits))
    hidden = {sha for one in corrections if one.action == "hidden" for sha in one.about.split()}
    told_of = [one for change in after["changes"] for one in change["commits"]]
    assert hidden.isdisjoint(one["sha"] for one in told_of if is_work(one, own, commits))


def is_work(told: Json, own: Sequence[Commit], every: Sequence[Commit]) -> bool:
    """Whether a commit is work, or its re-land: a revert is shown with what it takes out, whatever is said of it."""
    one = next(one for one in own if one.sha == told["sha"])
    history = by_commit(histories_of(every))[one.repository, one.sha]
    return one in history.originals


# --- what may be said


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("kind", "bug", "“bug” is no kind of change: there are feature, fix, "),
        ("kind", "", "“” is no kind of change"),
        ("kind", "\x1b[31m", "'\\x1b[31m' is no kind of change"),
        ("title", " \n ", "a title needs words"),
        ("title", "\u200d", "a title needs words"),
        ("title", "\uffff \ufffe", "a title needs words"),
        ("title", "a\nb", "a title is one line of plain text"),
        ("title", "\u202etxt", "a title is one line of plain text"),
        ("title", "\ud800", "a title is one line of plain text"),
        ("title", "x" * 151, "a title has at most 150 characters, and this has 151: shorten it"),
        ("hidden", "no", "a change is hidden or not: say yes, or undo it"),
        ("state", "landed", "“state” cannot be corrected: there are kind, title, hidden"),
    ],
)
def test_what_cannot_be_kept_is_refused_in_one_line(field: str, value: str, why: str) -> None:
    with pytest.raises(AlmanacError) as refused:
        checked(field, value)
    assert str(refused.value).startswith(why)
    assert str(refused.value).isprintable()
