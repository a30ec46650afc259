"""A whole history: how much, where and when, what recurs in it, and a line a month; nothing that no commit bears."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, Json, changed, commit, indexed, read

from bot.model import Commit, Role
from bot.month.facts import FactsContext, LifetimeFacts, whole_facts
from bot.month.histories import by_commit, histories_of
from bot.story.documents import ProfileDocument, to_json
from bot.story.month import MOST_MEASURED, MOST_RECURRING, MOST_TITLES, profile_document

REPOSITORIES = [indexed(ENGINE), indexed(WEB)]


def whole_of(*commits: Commit, known: Sequence[Commit] = (), **more: Any) -> LifetimeFacts:
    """The whole of these commits, which are Ada's, as of November 2025; `known` are those of others."""
    credited: Sequence[tuple[Role, Commit]] = more.pop("credited", ())
    more = {"histories": by_commit(histories_of([*commits, *known])), **more}
    repositories = more.pop("repositories", REPOSITORIES)
    return whole_facts(ADA, commits, credited, FactsContext(UTC_ZONE, repositories, INDEXED, **more))


def document_of(*commits: Commit, **more: Any) -> Json:
    whole = whole_of(*commits, **more)
    return to_json(profile_document(whole))


def themes(*commits: Commit) -> dict[str, int]:
    """What recurs in some commits: the names, and how many changes each has."""
    return {one["name"]: one["changes"] for one in document_of(*commits)["themes"]}


def numbers(document: Json) -> list[list[int]]:
    """The numbers that each sentence of the paragraph says, without those of years."""
    return [
        [int(one) for one in re.findall(r"\b\d+\b", sentence["text"]) if len(one) < 4]
        for sentence in document["paragraph"]
    ]


def day(number: int) -> str:
    """The days of a year and a half, three days apart."""
    month = number * 3 // 28
    return f"{2024 + month // 12}-{month % 12 + 1:02}-{number * 3 % 28 + 1:02} 10:00"


WORK = (
    ("Add a mill for {}", "src/mill/grind.rs"),
    ("Test {} in pytest", "tests/test_mill.py"),
    ("Json {}", "docs/card.md"),
    ("Mend the order of {} in PunchCard", "src/punch_card.py"),
    ("PunchCard: read {} from a reader", "src/punch_card.py"),
    ("Carry the tens of {}", "src/mill/carriage.rs"),
    ("Let the mill stop after {}", "src/mill/stop.rs"),
    ("Print {} with the plotter", "src/plotter.py"),
    ("Teach the plotter {}", "src/plotter.py"),
)
THINGS = ("cosines", "one barrel", "many digits", "a bell", "Bernoulli numbers")


def history(changes: int) -> list[Commit]:
    """So many changes over many months."""
    return [
        commit(WORK[n % len(WORK)][0].format(f"{THINGS[n % 5]} {n}"), at=day(n), paths=[WORK[n % len(WORK)][1]])
        for n in range(changes)
    ]


# Words that most of a history has are the project's, and so no theme.
REST = [commit(f"Widen a{n} by b{n}", at=f"2024-05-{n + 1:02} 10:00") for n in range(25)]


def pens(number: int, apart: int = 9) -> list[Commit]:
    """Changes of one theme, so many times three days apart."""
    return [commit(f"plotter: Add the pens {n}", at=day(n * apart), paths=["src/plotter.py"]) for n in range(number)]


def taken_out(work: Commit, at: str) -> Commit:
    return commit(f'Revert "{work.subject}"', at=at, body=f"This reverts commit {work.sha}.", author=ADA)


# --- how much, where and when


def test_what_was_backed_out_is_counted_and_no_theme() -> None:
    work = pens(8)
    out = taken_out(work[7], day(80))
    document = document_of(*work, out, *REST)
    assert document["counts"] == {
        "months": len(document["months"]), "commits": 34, "changes": 33, "landed": 32, "backed_out": 1, "relanded": 0,
    }  # fmt: skip
    assert numbers(document)[1] == [1] and set(document["paragraph"][1]["evidence"]) == {work[7].sha, out.sha}
    (theme,) = document["themes"]
    assert set(theme["evidence"]) == {one.sha for one in work[:7]}


@pytest.mark.parametrize("role", ["reviewer", "coauthor"])
def test_what_was_done_for_others_is_told_apart(role: Role) -> None:
    theirs = [commit(f"Add wheel {n}", at=f"2025-0{n}-07 12:00", author=GRACE) for n in (1, 2)]
    shared = theirs if role == "coauthor" else []
    document = document_of(*history(12), *shared, known=theirs, credited=[(role, one) for one in theirs])
    first, last = document["paragraph"][0], document["paragraph"][-1]
    assert numbers(document)[0][0] == 12 and numbers(document)[-1] == [2] and first != last
    assert last["evidence"] == [one.sha for one in theirs]


# --- what recurs


def test_a_theme_shows_its_largest_titles_each_once_the_earlier_first() -> None:
    titles = [f"plotter: Add a pen {n // 2}" for n in range(12)]
    work = [commit(title, at=day(n * 9), paths=[changed("src/pen.py", 10 + n)]) for n, title in enumerate(titles)]
    (theme,) = document_of(*work, *REST)["themes"]
    assert len(theme["lines"]) == MOST_TITLES
    assert [line["title"] for line in theme["lines"]] == [f"Add a pen {n}" for n in (3, 4, 5)]
    assert (theme["from"], theme["to"], theme["changes"]) == (day(0)[:7], day(99)[:7], 12)


def test_what_was_measured_is_quoted_with_its_change() -> None:
    work = [
        commit(f"Use the cache {n}", at=day(n * 9), body=f"Latency goes from {90 + n} ms to {10 + n} ms on H100.")
        for n in range(MOST_MEASURED + 2)
    ]
    measured = document_of(*work, *history(9))["measured"]
    assert len(measured) == MOST_MEASURED
    bodies = {one.sha: one.body for one in work}
    assert all(one["text"].strip("“”.") in bodies[one["sha"]] for one in measured)


# --- the document


def test_the_page_names_every_key() -> None:
    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text()
    table = page.partition("## Profiles")[2]
    assert set(re.findall(r"`([a-z_]+)`", table)) >= {
        one.name.rstrip("_") for one in fields(ProfileDocument) if one.default is MISSING
    }


# --- whatever is in git

SUBJECTS = st.one_of(st.text(max_size=60), st.sampled_from([one for one, _ in WORK]), st.just("Fix `a” “b"))
COMMITS = st.lists(
    st.tuples(SUBJECTS, st.integers(0, 170), st.sampled_from(["src/mill.py", "a", "x/y/zebra_crossing.rs", "é/ü.c"])),
    max_size=30,
)


@given(COMMITS)
def test_whatever_git_holds_all_rests_on_commits_and_is_the_same_again(drawn: list[tuple[str, int, str]]) -> None:
    commits = [
        commit(subject, at=day(number), paths=[path], sha=f"{place:040x}")
        for place, (subject, number, path) in enumerate(drawn)
    ]
    document = document_of(*commits)
    known = {one.sha for one in commits}
    assert all(one["evidence"] or not commits for one in document["paragraph"])
    assert all(known.issuperset(one["evidence"]) for one in (*document["paragraph"], *document["themes"]))
    assert len(document["themes"]) <= MOST_RECURRING
    assert document_of(*reversed(commits)) == document
    assert to_json(read(document)) == document
