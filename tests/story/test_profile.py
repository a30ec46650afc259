"""A whole history: how much, where and when, what recurs in it, and a line a month; nothing that no commit bears."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import MISSING, fields, replace
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
from bot.story.month import month_document
from bot.story.profile import FEW, MOST_MEASURED, MOST_MONTHS, MOST_THEMES, MOST_TITLES, profile_document
from bot.story.render import Templates

YEAR = 366 * 24 * 3600
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
    return [commit(f"Add the plotter pen {n}", at=day(n * apart)) for n in range(number)]


def taken_out(work: Commit, at: str) -> Commit:
    return commit(f'Revert "{work.subject}"', at=at, body=f"This reverts commit {work.sha}.", author=ADA)


# --- how much, where and when


def test_the_paragraph_says_how_much_in_how_many_months_and_rests_on_every_commit() -> None:
    commits = history(40)
    document = document_of(*commits)
    (sentence,) = document["paragraph"]
    counts = document["counts"]
    assert numbers(document)[:1] == [[counts["changes"], counts["months"]]] == [[40, 5]]
    assert set(sentence["evidence"]) == {one.sha for one in commits}
    assert ENGINE in sentence["text"] and WEB not in sentence["text"]
    assert (document["from"], document["to"]) == ("2024-01", "2024-05")


def test_somebody_without_commits_has_a_profile_of_nothing() -> None:
    document = document_of()
    assert [one["evidence"] for one in document["paragraph"]] == [[]] and numbers(document) == [[]]
    assert (document["from"], document["to"], document["months"], document["themes"]) == (None, None, [], [])
    assert set(document["counts"].values()) == {0}


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


def test_what_came_back_in_a_later_month_is_one_change_that_stands() -> None:
    work = commit("Add the great bell", at="2025-01-03 12:00")
    out = taken_out(work, "2025-02-05 12:00")
    back = commit(f'Reland "{work.subject}"', at="2025-03-05 12:00", body=f"Relands {work.sha}.")
    document = document_of(work, out, back, commit("Read cards", at="2025-03-06 12:00"))
    assert document["counts"] == {
        "months": 3, "commits": 4, "changes": 2, "landed": 1, "backed_out": 0, "relanded": 1,
    }  # fmt: skip


def test_who_only_took_out_others_work_has_no_theme() -> None:
    work = [commit(f"Add the plotter pen {n}", at=day(n * 9), author=GRACE) for n in range(8)]
    outs = [taken_out(one, day(90 + n * 9)) for n, one in enumerate(work)]
    document = document_of(*outs, *REST, known=work)
    assert (document["counts"]["changes"], document["themes"]) == (33, [])


@pytest.mark.parametrize("role", ["reviewer", "coauthor"])
def test_what_was_done_for_others_is_told_apart(role: Role) -> None:
    theirs = [commit(f"Add wheel {n}", at=f"2025-0{n}-07 12:00", author=GRACE) for n in (1, 2)]
    shared = theirs if role == "coauthor" else []
    document = document_of(*history(12), *shared, known=theirs, credited=[(role, one) for one in theirs])
    first, last = document["paragraph"][0], document["paragraph"][-1]
    assert numbers(document)[0][0] == 12 and numbers(document)[-1] == [2] and first != last
    assert last["evidence"] == [one.sha for one in theirs]


# --- what recurs


def test_what_recurs_is_called_as_the_team_writes_it() -> None:
    tagged = [commit(f"[loom link] Step {n}", at=day(n * 9)) for n in range(1, 5)]
    assert themes(*tagged, *REST) == {"loom link": 4}
    assert themes(*history(40))["PunchCard"] == 9


def test_what_is_in_one_month_does_not_recur() -> None:
    assert (themes(*pens(4, apart=1), *REST), themes(*pens(4), *REST)) == ({}, {"plotter": 4})


def test_a_short_history_is_told_by_its_months_alone() -> None:
    tagged, rest = [commit(f"loom: Step {n}", at=day(n * 9)) for n in range(1, 4)], REST[: FEW - 3]
    assert (themes(*tagged, *rest), themes(*tagged, *rest, REST[-1])) == ({}, {"loom": 3})


def test_the_repository_and_what_is_only_counted_are_no_themes() -> None:
    oiled = [commit(f"Oil the engine {n}", at=day(n * 9)) for n in range(9)]
    tested = [commit(f"loom: Step {n}", at=day(n * 9), paths=["tests/test_loom.py"]) for n in range(9)]
    assert themes(*oiled, *tested, *REST) == {}


def test_a_theme_shows_its_largest_titles_each_once_the_earlier_first() -> None:
    titles = [f"Add the plotter pen {n // 2}" for n in range(12)]
    work = [commit(title, at=day(n * 9), paths=[changed("src/pen.py", 10 + n)]) for n, title in enumerate(titles)]
    (theme,) = document_of(*work, *REST)["themes"]
    assert len(theme["lines"]) == MOST_TITLES
    assert [line["title"] for line in theme["lines"]] == [f"Add the plotter pen {n}" for n in (3, 4, 5)]
    assert (theme["from"], theme["to"], theme["changes"]) == (day(0)[:7], day(99)[:7], 12)


def test_a_theme_spans_the_months_by_the_date_that_counts() -> None:
    """By the committer's date where that one decides the month, here a year after the author's."""
    written = [*pens(7, apart=4), *REST]
    later = [replace(one, committer=replace(one.committer, seconds=one.committer.seconds + YEAR)) for one in written]
    document = document_of(*later, dates="committer")
    assert {(one["from"], one["to"]) for one in document["themes"]} == {("2025-01", "2025-03")}
    assert len(document["details"]) == 1 and document["notes"] == []


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


def test_of_a_long_history_earlier_months_are_a_line_in_every_form() -> None:
    commits = [commit(f"Turn wheel {n:02}", at=f"{2023 + n // 12}-{n % 12 + 1:02}-03 10:00") for n in range(20)]
    document = document_of(*commits)
    short = document_of(*commits[:MOST_MONTHS])
    assert len(document["months"]) == 20 and "8" in document["earlier"] and short["earlier"] == ""
    for form in ("text", "markdown", "html"):
        told = Templates().month(form, read(document))
        assert document["earlier"] in told
        assert [n for n in range(20) if f"Turn wheel {n:02}" in told] == list(range(8, 20))


def test_a_month_is_told_by_its_largest_change_that_stands() -> None:
    small, large = (commit(f"Turn wheel {n}", paths=[changed("a.py", n)]) for n in (10, 90))
    out = commit("Add a bell", paths=[changed("b.py", 300)])
    (month,) = document_of(small, large, out, taken_out(out, "2025-10-09 12:00"))["months"]
    assert month["largest"]["sha"] == large.sha and month["own"] == month["counts"]["changes"]


def test_a_clean_up_leads_no_month_however_large_it_is() -> None:
    small = commit("Show the hours of light", at="2025-10-03 12:00", paths=[changed("src/light.py", 40)])
    large = commit("Rename the lamps of all pages", at="2025-10-04 12:00", paths=[changed("src/lamps.py", 900)])
    (month,) = document_of(small, large)["months"]
    assert month["largest"]["sha"] == small.sha


def test_the_page_names_every_key() -> None:
    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text()
    table = page.partition("## Profiles")[2]
    assert set(re.findall(r"`([a-z_]+)`", table)) >= {
        one.name.rstrip("_") for one in fields(ProfileDocument) if one.default is MISSING
    }


def test_the_document_has_months_newest_first_and_tells_every_commit() -> None:
    document = document_of(*history(20))
    months = [month["month"] for month in document["months"]]
    assert months == sorted(months, reverse=True) and document["counts"]["months"] == len(months)
    assert document["coverage"] == {"commits_told": 20, "commits_total": 20}


def test_repositories_are_told_by_changes_with_what_was_used_there() -> None:
    work = [
        commit("Add a wheel", at="2025-01-03 12:00", paths=["src/wheel.rs"]),
        commit("Add an axle", at="2025-02-03 12:00", paths=["src/axle.rs"], repository=WEB),
        commit("Add a spoke", at="2025-02-04 12:00", paths=["src/spoke.py"], repository=WEB),
    ]
    assert document_of(*work)["repositories"] == [
        {"name": WEB, "months": 1, "commits": 2, "changes": 2},
        {"name": ENGINE, "months": 1, "commits": 1, "changes": 1},
    ]


def test_what_is_wrong_with_the_index_is_noted_once() -> None:
    document = document_of(*history(12), repositories=[replace(indexed(ENGINE), failure="gone"), indexed(WEB)])
    assert len(document["notes"]) == 1 and ENGINE in document["notes"][0]
    assert not any(month["notes"] for month in document["months"])


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
    assert len(document["themes"]) <= MOST_THEMES
    assert document_of(*reversed(commits)) == document
    assert to_json(read(document)) == document


def test_huge_subjects_and_paths_cost_little_time() -> None:
    huge = "wheel of Many_Parts " * 80_000
    commits = [commit(f"{n} {huge}", at=day(n), paths=["/".join(["p_q" * 50_000] * 4)]) for n in range(FEW + 1)]
    assert seconds_for(*commits) < 2


def test_ten_years_of_three_thousand_commits_are_told_at_once() -> None:
    commits = [
        replace(one, author=replace(one.author, seconds=one.author.seconds + number * YEAR // 300))
        for number, one in enumerate(history(170) * 18)
    ]
    assert seconds_for(*(replace(one, sha=f"{n:040x}") for n, one in enumerate(commits))) < 2


def seconds_for(*commits: Commit) -> float:
    """How long a profile takes beside its months."""
    whole = whole_of(*commits)
    begun = time.process_time()
    for facts in whole.months:
        month_document(facts)
    months = time.process_time() - begun
    profile_document(whole)
    return time.process_time() - begun - 2 * months
