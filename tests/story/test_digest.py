"""A channel's digest: the team's month in one message, then a reply for each person; everybody told apart, nobody
ranked, nothing lost."""

from __future__ import annotations

import re
from typing import Any

import pytest
from values import (
    ADA,
    ENGINE,
    GRACE,
    INDEXED,
    UTC_ZONE,
    WEB,
    Json,
    another_commit,
    changed,
    commit,
    indexed,
    read,
    sha_of,
    somebody,
)

from bot.model import Commit, Person
from bot.month.calendar import Month
from bot.month.facts import FactsContext
from bot.month.machines import BOTS
from bot.slack.limits import faults
from bot.slack.messages import document_messages
from bot.story.digest import month_digest
from bot.story.document_json import to_json
from bot.story.render import Templates
from bot.story.team import MOST_ATTENTION, MOST_MEASURED, MOST_THEMES

OCTOBER = Month(2025, 10)
TEMPLATES = Templates()
FORMS = ("text", "markdown", "html")
PAGES = {ENGINE: f"https://github.com/{ENGINE}", WEB: f"https://github.com/{WEB}"}
DEPENDABOT = somebody("dependabot[bot]", "dependabot@github.com")
LONGEST_ROOT = 1_500


def digest_of(*commits: Commit, people: list[Person] | None = None, **more: Any) -> Json:
    known = [ADA, GRACE] if people is None else people
    repositories = [indexed(ENGINE), indexed(WEB)]
    digest = month_digest(
        "everyone", OCTOBER, known, commits, FactsContext(UTC_ZONE, repositories, INDEXED), BOTS, **more
    )
    return to_json(digest.document)


def titles(lines: list[Json]) -> list[str]:
    return [one["title"] for one in lines]


def big(path: str, lines: int = 200) -> list[Any]:
    return [changed(path, lines)]


def backed_out(subject: str, day: int, author: Person = ADA, lines: int = 200) -> list[Commit]:
    one = commit(subject, at=f"2025-10-{day:02} 12:00", author=author, paths=big(f"src/{day}.py", lines))
    body = f"This reverts commit {one.sha}.\n\nIt crashed at start."
    return [
        one,
        commit(f'Revert "{subject}"', at=f"2025-10-{day:02} 18:00", author=GRACE, body=body, paths=one_path(one)),
    ]


def one_path(one: Commit) -> list[Any]:
    return list(one.files)


THINGS = ["lamp", "bell", "well", "mill", "gate", "roof", "hedge", "pond", "cart", "barn", "wheel", "stone"]


def large_team() -> tuple[list[Commit], list[Person]]:
    """Twenty people with twelve changes each, of which some were backed out and some measured."""
    people = [somebody(f"Somebody With A Rather Long Name Number{n:02}", f"p{n}@example.com") for n in range(20)]
    commits: list[Commit] = []
    for n, one in enumerate(people):
        for k, thing in enumerate(THINGS):
            subject = f"Keep whatever the {thing} has of part {n} in a cache that everybody reads (#{100 + 12 * n + k})"
            body = f"Reads of the {thing} go from 9{n} ms to 3{n} ms on a large machine." if k == 0 else ""
            at = f"2025-10-{k + 1:02} {n:02}:00"
            commits.append(commit(subject, at=at, author=one, body=body, paths=big(f"src/{thing}.py", 100 + n)))
        commits += backed_out(f"Replace the whole of machine number {n} by a better one", n + 1, one)
    return commits, [*people, GRACE]


# --- the root


def test_a_part_of_one_repository_does_not_name_it_before_each_number() -> None:
    """Its first line says where; the root, which is of both, names them."""
    document = digest_of(
        commit("Add a wall (#1)", paths=big("src/a.py")),
        commit("Add a plan (#2)", repository=WEB, author=GRACE, paths=big("src/b.ts")),
    )
    root, *parts = document_messages([read(document)], TEMPLATES, PAGES, charts=False)
    assert "engine#1" in root.text and "web#2" in root.text
    assert not any("engine#" in part.text or "web#" in part.text for part in parts)
    assert any("#1" in part.text for part in parts)


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("Remove the old cache: nobody used it", "Remove the old cache: nobody used it"),
        ("Do not round heights: sailors need them", "Do not round heights: sailors need them"),
        ("mesh_admin: show ids (#7)", "mesh_admin: show ids"),
        ("[mill] Turn faster", "mill: Turn faster"),
        ("fix(parser): read the last line", "parser: read the last line"),
        ("docs: say how", "say how"),
        ("Merged PR 12: Choose units: feet or fathoms", "Choose units: feet or fathoms"),
    ],
)
def test_the_root_says_what_stands_before_the_colon_of_a_title(subject: str, said: str) -> None:
    document = digest_of(commit(subject, paths=big("src/a.py")))
    for form in FORMS:
        shown = TEMPLATES.month(form, read(document)).partition(f"{ADA.name}:")[0].replace("\\", "")
        assert re.search(rf"(?:- |<li>){re.escape(said)} ", shown), shown
    root = document_messages([read(document)], TEMPLATES, charts=False)[0]
    assert said in root.text.replace("\\", "")


def test_a_theme_that_is_called_as_its_changes_begin_does_not_say_so_twice() -> None:
    document = digest_of(*(commit(f"mill: {what} (#{n})", paths=big(f"src/{n}.py")) for n, what in enumerate("ab")))
    assert [(one["label"], one["lines"][0]["tag"]) for one in document["themes"]] == [("mill", "")]


def test_of_a_large_team_the_root_is_short_and_what_needs_attention_is_kept() -> None:
    commits, people = large_team()
    document = digest_of(*commits, people=people)
    assert 3 < len(document["attention"]) <= MOST_ATTENTION
    assert 0 < len(document["measured"]) <= MOST_MEASURED
    assert 0 < len(document["themes"]) <= MOST_THEMES
    root, *_ = document_messages([read(document)], TEMPLATES, PAGES, charts=False)
    assert not root.in_thread
    assert len(root.text) <= LONGEST_ROOT
    assert all(one["title"] in root.text for part in ("attention", "measured") for one in document[part])


def test_themes_and_the_others_are_all_changes() -> None:
    commits, people = large_team()
    document = digest_of(*commits, people=people)
    told = {sha for theme in document["themes"] for sha in theme["evidence"]}
    changes = [change for month in document["people"] for change in month["changes"]]
    in_themes = sum(any(one["sha"] in told for one in change["commits"]) for change in changes)
    assert in_themes + document["others"] == document["counts"]["changes"]


def test_what_was_backed_out_needs_attention_with_its_dates_and_is_no_theme() -> None:
    document = digest_of(*backed_out("Replace the mill", 3), commit("Add a lamp", at="2025-10-09 12:00"))
    (line,) = document["attention"]
    assert (line["title"], line["by"]) == ("Replace the mill", ADA.name)
    assert [(step["did"], step["on"], step["by"]) for step in line["steps"]] == [
        ("landed", "2025-10-03", ""), ("backed out", "2025-10-03", GRACE.name),
    ]  # fmt: skip
    assert "It crashed at start." in line["text"]
    assert [titles(theme["lines"]) for theme in document["themes"]] == [["Add a lamp"]]


def test_of_much_that_needs_attention_the_largest_is_told_in_order_of_time() -> None:
    several = [backed_out(f"Replace the {thing}", n, lines=n * 10) for n, thing in enumerate(THINGS, 1)]
    document = digest_of(*(one for pair in several for one in pair))
    assert titles(document["attention"]) == [f"Replace the {thing}" for thing in THINGS[-MOST_ATTENTION:]]


def test_what_was_measured_is_told_with_its_numbers() -> None:
    document = digest_of(commit("Keep plans", body="Reads go from 30 ms to 12 ms on H100.", paths=big("src/plans.py")))
    (line,) = document["measured"]
    assert line["title"] == "Keep plans" and "30 ms to 12 ms" in line["text"]
    assert all("30 ms to 12 ms" in TEMPLATES.month(form, read(document)) for form in FORMS)


def test_who_else_did_much_of_a_theme_is_named_with_it() -> None:
    document = digest_of(
        commit("[plans] Keep plans (#1)", paths=big("src/plans.py", 300)),
        commit("[plans] Read plans (#2)", at="2025-10-04 12:00", author=GRACE, paths=big("src/plans.py")),
    )
    (theme,) = document["themes"]
    assert (theme["label"], theme["changes"], theme["lines"][0]["by"]) == ("plans", 2, ADA.name)
    assert [(one["by"], one["ref"]) for one in theme["also"]] == [(GRACE.name, "#2")]


def test_a_title_said_by_hand_and_one_that_is_hostile_stand_in_every_form() -> None:
    hostile = "Add <script>alert(1)</script> & `x` *y*"
    document = digest_of(commit(hostile), *backed_out("Replace <b>it</b>", 7))
    assert not re.search("<script|<b>", TEMPLATES.month("html", read(document)))
    assert "\\<script" in TEMPLATES.month("markdown", read(document))
    messages = document_messages([read(document)], TEMPLATES)
    assert [faults(message.payload()) for message in messages] == [[]] * len(messages)


# --- people


def test_each_person_has_one_reply_in_order_of_name() -> None:
    commits, people = large_team()
    document = digest_of(*commits, people=people)
    names = [month["person"]["name"] for month in document["people"]]
    assert names == sorted(names)
    _root, *replies = document_messages([read(document)], TEMPLATES, PAGES)
    assert all(reply.in_thread for reply in replies)
    assert [reply.text.partition("\n")[0].strip("*") for reply in replies] == names


def test_people_are_never_ranked() -> None:
    zoe = somebody("Zoe")
    commits = [another_commit(author=zoe), another_commit(author=zoe), another_commit(author=GRACE), another_commit()]
    names = [month["person"]["name"] for month in digest_of(*commits, people=[zoe, GRACE, ADA])["people"]]
    assert names == ["Ada Lovelace", "Grace Hopper", "Zoe"]


def test_two_people_with_one_name_are_told_apart() -> None:
    others = [somebody("Ada Lovelace", f"ada@{place}.example") for place in ("home", "work")]
    document = digest_of(
        *(commit(f"Add a {thing}", author=one) for one, thing in zip(others, THINGS, strict=False)), people=others
    )
    by = [line["by"] for theme in document["themes"] for line in theme["lines"]]
    assert len(set(by)) == 2
    assert sorted(re.findall(r"ada@\w+\.example", " ".join(by))) == ["ada@home.example", "ada@work.example"]


def test_an_address_that_tells_people_apart_steers_no_terminal() -> None:
    others = [somebody("Ada Lovelace", f"a{n}\t\x1b[31m@example.com") for n in (1, 2)]
    document = digest_of(*(commit(f"Add part {n}", author=one) for n, one in enumerate(others)), people=others)
    by = " ".join(line["by"] for theme in document["themes"] for line in theme["lines"])
    assert "a1" in by
    for said in (by, *(TEMPLATES.month(form, read(document)) for form in FORMS)):
        assert not re.search(r"[\x00-\x09\x0b-\x1f]", said)


def test_machines_are_a_line_and_nobody() -> None:
    bumps = [commit(f"Bump {n}", author=DEPENDABOT, sha=sha_of(n)) for n in range(3)]
    document = digest_of(commit("Add a lamp"), *bumps, people=[ADA, DEPENDABOT])
    assert [month["person"]["name"] for month in document["people"]] == [ADA.name]
    assert "3 commits" in document["machines"] and document["counts"]["commits"] == 1
    for form in FORMS:
        assert TEMPLATES.month(form, read(document)).count(document["machines"]) == 1
    assert digest_of(commit("Add a lamp"), *bumps, people=[ADA, DEPENDABOT], team=[ADA])["machines"] == ""


def test_a_digest_of_a_team_has_its_people_only() -> None:
    document = digest_of(commit("Add a thing"), commit("Fix it", author=GRACE), team=[GRACE])
    assert [month["person"]["name"] for month in document["people"]] == ["Grace Hopper"]
    assert (document["counts"]["people"], document["counts"]["changes"]) == (1, 1)


def test_somebody_who_was_indexed_a_moment_ago_is_told() -> None:
    """People and commits are read one after the other, and an index may run between."""
    document = digest_of(commit("Add a thing", author=GRACE), people=[ADA])
    assert [month["person"]["name"] for month in document["people"]] == ["Grace Hopper"]


# --- odd months


def test_a_digest_of_nobody() -> None:
    document = digest_of()
    assert (document["people"], document["themes"], document["headline"]["evidence"]) == ([], [], [])
    assert all(document["headline"]["text"] in TEMPLATES.month(form, read(document)) for form in FORMS)
    (message,) = document_messages([read(document)], TEMPLATES)
    assert faults(message.payload()) == []


@pytest.mark.parametrize("form", FORMS)
def test_a_digest_of_merges_only(form: str) -> None:
    document = digest_of(commit("Merge branch 'x'", merge=True))
    assert (document["counts"]["people"], document["counts"]["changes"], document["themes"]) == (1, 0, [])
    assert ADA.name in TEMPLATES.month(form, read(document))


def test_a_change_of_two_repositories_counts_once_in_a_digest() -> None:
    document = digest_of(*(commit("Add a thing", repository=name, sha="a" * 40) for name in (ENGINE, WEB)))
    assert document["counts"] == {"people": 1, "commits": 1, "changes": 1, "landed": 1, "backed_out": 0, "relanded": 0}
