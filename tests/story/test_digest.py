"""A team's post: what came, in one message, each change told once or counted; nobody ranked, nothing lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from values import (
    ADA,
    ENGINE,
    GRACE,
    INDEXED,
    UTC_ZONE,
    WEB,
    Json,
    changed,
    commit,
    indexed,
    read,
    sha_of,
    somebody,
)

from bot.model import Commit, Person, Tag
from bot.month.areas import learn
from bot.month.calendar import AnyPeriod, Days, Month
from bot.month.credits import BOTS
from bot.month.facts import FactsContext
from bot.month.histories import histories_of, month_changes
from bot.month.message import heading_of
from bot.month.releases import ChangeLog, Entry
from bot.slack.render import document_messages
from bot.story.digest import TeamContext, month_digest, team_post
from bot.story.documents import to_json
from bot.story.render import Templates
from bot.wording import clean
from bot.workspace.block_kit import faults

OCTOBER = Month(2025, 10)
TEMPLATES = Templates()
FORMS = ("text", "markdown", "html")
PAGES = {ENGINE: f"https://github.com/{ENGINE}", WEB: f"https://github.com/{WEB}"}
DEPENDABOT = somebody("dependabot[bot]", "dependabot@github.com")
LONGEST, MOST_LINES = 2_800, 36
LONGEST_WEEK = 1_200
WEEK = Days.of(OCTOBER)


def digest_of(
    *commits: Commit, people: Sequence[Person] | None = None, period: AnyPeriod = OCTOBER, **more: Any
) -> Json:
    known = [ADA, GRACE] if people is None else people
    repositories = [indexed(ENGINE), indexed(WEB)]
    beside = more.pop("beside", None) or areas_of(commits)
    digest = month_digest(
        "everyone", period, known, commits, FactsContext(UTC_ZONE, repositories, INDEXED), BOTS,
        known=lambda _: beside, **more,
    )  # fmt: skip
    return to_json(digest.document)


def areas_of(commits: Sequence[Commit], **more: Any) -> TeamContext:
    year = [(heading_of(one).line, [file.path for file in one.files]) for one in commits if not one.is_merge]
    return TeamContext({name: learn(year) for name in (ENGINE, WEB)}, **more)


def titles(document: Json, section: str) -> list[str]:
    return [one["title"] for one in document["things"] if one["section"] == section]


def big(path: str, lines: int = 200) -> list[Any]:
    return [changed(path, lines)]


def backed_out(subject: str, day: int, author: Person = ADA, lines: int = 200) -> list[Commit]:
    one = commit(subject, at=f"2025-10-{day:02} 12:00", author=author, paths=big(f"src/{day}.py", lines))
    body = f"This reverts commit {one.sha}.\n\nIt crashed at start."
    return [
        one,
        commit(f'Revert "{subject}"', at=f"2025-10-{day:02} 18:00", author=GRACE, body=body, paths=list(one.files)),
    ]


THINGS = ["lamp", "bell", "well", "mill", "gate", "roof", "hedge", "pond", "cart", "barn", "wheel", "stone"]


# --- counts and limits


WORDS = st.sampled_from(
    [
        "Fix a crash in",
        "Add",
        "Remove deprecated",
        "Deprecate",
        "Rename",
        "Test",
        "docs:",
        "Bump",
        "Speed up",
        "mill:",
        "[ROCm] tune",
        "Update",
        "security:",
        "Flip the default of",
        "Translated using Weblate",
        "漢字",
    ]
)
PATHS = st.sampled_from(
    [
        "src/mill/a.py",
        "src/lamp/b.py",
        "src/lamp/view/c.py",
        "web/app.ts",
        "tests/test_a.py",
        "docs/a.md",
        "a.py",
        ".github/workflows/a.yml",
        "pyproject.toml",
        "locale/de/a.po",
        "Cargo.lock",
    ]
)
ONE = st.tuples(
    WORDS,
    st.sampled_from([*THINGS, "", "x" * 130, "the `long_name` of it"]),
    st.lists(PATHS, max_size=3, unique=True),
    st.integers(0, 2_000),
    st.integers(1, 31),
    st.booleans(),
    st.sampled_from(["", " (#7)", " (#8)"]),
    st.sampled_from(["", "Fixes #3.", "BREAKING CHANGE: read it anew.", "It goes from 30 ms to 12 ms on H100."]),
)


@given(st.lists(ONE, max_size=60), st.booleans())
def test_every_change_is_in_one_line_or_counted_and_the_post_is_short(some: list[Any], is_week: bool) -> None:
    commits: list[Commit] = []
    for verb, thing, paths, lines, day, is_grace, number, body in some:
        who, files = (GRACE if is_grace else ADA), [changed(path, lines) for path in paths]
        at = f"2025-10-{day:02} {len(commits) % 24:02}:00"
        subject, sha = f"{verb} {thing} {len(commits)}{number}", sha_of(len(commits))
        made = commit(subject, at=at, author=who, paths=files, body=body, sha=sha)
        commits.append(made)
        if lines % 7 == 0:
            undone = f'Revert "{made.subject}"\n', f"This reverts commit {made.sha}."
            commits.append(commit(undone[0], at=f"2025-10-{day:02} 23:00", author=ADA, paths=files, body=undone[1],
                                  sha=sha_of(f"revert {len(commits)}")))  # fmt: skip
    period = Days(WEEK.first, WEEK.first.replace(day=8)) if is_week else OCTOBER
    document = digest_of(*commits, period=period)
    number = document["counts"]["changes"]
    assert sum(one["changes"] for one in (*document["things"], *document["rest"])) == number
    parts = [*document["areas"], *document["also"], *document["counted"]]
    assert sum(one["changes"] for one in parts) == number
    told = [sha for one in (*document["things"], *document["rest"]) for sha in one["evidence"]]
    assert len(told) == len(set(told)) and set(told) == {sha for one in parts for sha in one["evidence"]}
    assert all(one["changes"] == one["more"] + 1 or one["section"] for one in document["things"])
    text = TEMPLATES.month("text", read(document))
    assert len(text) <= (LONGEST_WEEK if is_week else LONGEST)
    assert len([line for line in text.splitlines() if line]) <= MOST_LINES
    messages = document_messages([read(document)], TEMPLATES, PAGES)
    assert [faults(message.payload()) for message in messages] == [[]]
    subjects = {one.sha: one for one in commits}
    for one in document["things"]:
        said = one["title"].rpartition("] ")[2]
        if said in clean(heading_of(subjects[one["sha"]]).line):
            continue
        there = " ".join(clean(heading_of(subjects[sha]).line) for sha in one["evidence"] if sha in subjects)
        words = (word.strip(",…") for word in said.split())
        assert all(word in there or word in ("and", "more") or word.isdigit() for word in words), said


# --- what a line says


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("Remove the old cache: nobody used it", "Remove the old cache: nobody used it"),
        ("Do not round heights: sailors need them", "Do not round heights: sailors need them"),
        ("mesh_admin: show ids (#7)", "mesh_admin: show ids"),
        ("[mill] Turn faster", "mill: Turn faster"),
        ("[mxfp8] mill: require torch 2.11", "mxfp8: mill: require torch 2.11"),
        ("fix(parser): read the last line", "parser: read the last line"),
        ("Enhancement: support wind", "src: support wind"),
        ("Fix (beta): support wind", "Fix (beta): support wind"),
        ("engine: Turn faster 🤖🤖🤖 (#7)", "engine: Turn faster"),
        (
            "boards/elecrow-crowpanel-esp32s3-rotary-128: add support",
            "boards/elecrow-crowpanel-esp32s3-rotary-128: add support",
        ),
        ("feat(tlaplus) : added a grammar", "tlaplus: added a grammar"),
        (
            "ruler: Prevent a deadlock when jitter query hashin… (#7)",
            "ruler: Prevent a deadlock when jitter query hashin…",
        ),
        ("MSC4140: update error responses", "MSC4140: update error responses"),
        (
            f"Fix what {'often ' * 15}caused deactivated, erased users",
            f"Fix what {'often ' * 15}caused deactivated, erased users",
        ),
        ("S625833: Log the launcher", "Log the launcher"),
        ("Merged PR 12: Choose units: feet or fathoms", "src: Choose units: feet or fathoms"),
    ],
)
def test_a_line_says_all_of_a_title_that_limits_it(subject: str, said: str) -> None:
    """And before it the area, where the title has no prefix of its own."""
    document = digest_of(commit(subject, paths=big("src/a.py")))
    for one in document["things"]:
        one["label"] = one["label"] or "src"
    for form in FORMS:
        shown = re.sub(r"</?(?:strong|code)>|\*\*|\\", "", TEMPLATES.month(form, read(document)))
        assert re.search(rf"(?:- |<li>)(?:src: )?{re.escape(said)} \(", shown), shown


def test_what_readers_must_act_on_comes_first_with_what_its_body_says_of_it() -> None:
    document = digest_of(
        commit("Add a lamp", paths=big("src/lamp.py", 900)),
        commit("feat!: rename the table", paths=big("src/a.py"), body="BREAKING CHANGE: Read `mills` now. Or not."),
    )
    assert [one["section"] for one in document["things"]] == ["act", "new"]
    assert document["things"][0]["text"] == "“Read `mills` now”"
    assert "Before you upgrade" in TEMPLATES.month("text", read(document))


def test_what_readers_must_act_on_says_in_which_release_it_is() -> None:
    some = [
        commit("Add a lamp", paths=big("src/lamp.py", 900)),
        commit("feat!: rename the table", paths=big("src/a.py")),
    ]
    document = digest_of(*some, beside=areas_of(some, released={one.key: "v2.1" for one in some}))
    assert [one["release"] for one in document["things"]] == ["v2.1", "v2.1"]
    told = TEMPLATES.month("text", read(document))
    assert ("rename the table" in told, told.count("Ada Lovelace, in v2.1)")) == (True, 1)


def test_where_most_came_with_one_release_only_what_did_not_says_so() -> None:
    many = [commit(f"Add a {it} to a {THINGS[n - 5]}", paths=big(f"src/{it}.py")) for n, it in enumerate(THINGS)]
    released = {one.key: "v2.1" for one in many[1:]} | {many[0].key: ""}
    tags = [Tag(ENGINE, "v2.1", "f" * 40, INDEXED.replace(month=10, day=9))]
    document = digest_of(*many, beside=areas_of(many, released=released, tags=tags))
    told = TEMPLATES.month("text", read(document))
    assert "Where nothing else is said, work is in v2.1." in told
    assert ("Add a lamp to" in told, told.count("not in v2.1)"), told.count(", in v2.1)")) == (True, 1, 0)
    assert "not in v2.1" not in TEMPLATES.month("text", read(digest_of(*many, beside=areas_of(many))))
    # Where it is not known of one, as of what is there in part, each of the others says where it is.
    document = digest_of(*many, beside=areas_of(many, released={one.key: "v2.1" for one in many[1:]}, tags=tags))
    told = TEMPLATES.month("text", read(document))
    assert ("in v2.1." in told, "not in v2.1" in told, told.count(", in v2.1)")) == (False, False, len(many) - 1)


def test_the_largest_change_has_a_line_whatever_its_title_says() -> None:
    """Titles that say “add” are many, and most of them are of a line or two."""
    small = [commit(f"Add a {it} to a {THINGS[n - 5]}", paths=big("src/a.py", 2)) for n, it in enumerate(THINGS)]
    large = commit("trust of the workspace, v2", paths=big("src/trust.py", 900))
    assert titles(digest_of(*small, large), "new")[0] == "trust of the workspace, v2"


def test_a_line_on_security_names_its_advisories() -> None:
    body = "Reported as GHSA-3g8v-8r37-cgjm and CVE-2026-12345."
    document = digest_of(commit("Prevent path traversal", body=body, paths=big("src/http.py")))
    assert document["things"][0]["text"].endswith("; GHSA-3g8v-8r37-cgjm and CVE-2026-12345")


def test_the_fix_of_an_advisory_says_what_its_body_does() -> None:
    body = "* Spec: add a repro\n\n* Fix: ignore content-length when transfer-encoding is set"
    document = digest_of(commit("Merge commit from fork", body=body, paths=big("src/http.cr")))
    assert [(one["section"], one["title"], one["text"]) for one in document["things"]] == [
        ("security", "ignore content-length when transfer-encoding is set", "")
    ]


def test_what_came_from_a_fork_for_an_advisory_is_security_whatever_it_says() -> None:
    merge = commit("Merge commit from fork", body="Keep the paths", merge=True, sha="d" * 40)
    one = replace(commit('Revert "perf: walk the tree once"', paths=big("src/tree.py")), via=merge.sha)
    document = digest_of(one, beside=areas_of([one], merges={merge.key: merge}))
    assert [(line["section"], line["text"]) for line in document["things"]] == [("security", "")]


def test_what_came_by_a_pull_request_is_called_by_its_title_and_has_its_number() -> None:
    merge = commit("Merge pull request #7 from ada/mill", body="Build the mill", merge=True, sha="d" * 40)
    one = replace(commit("Add the mill", paths=big("src/mill.py")), via=merge.sha)
    document = digest_of(one, commit("Add a lamp (#9)"), beside=areas_of([one], merges={merge.key: merge}))
    assert {line["title"]: (line["ref"], line["refs"]) for line in document["things"]} == {
        "Build the mill": ("#7", ["#7"]), "Add a lamp": ("#9", ["#9"]),
    }  # fmt: skip


def test_what_was_measured_is_told_with_its_numbers() -> None:
    document = digest_of(commit("Keep plans", body="Reads go from 30 ms to 12 ms on H100.", paths=big("src/plans.py")))
    assert document["things"][0]["text"] == "“Reads go from 30 ms to 12 ms on H100”"
    assert all("30 ms to 12 ms" in TEMPLATES.month(form, read(document)) for form in FORMS)


def test_several_of_one_pull_request_have_one_line_with_all_who_made_them() -> None:
    document = digest_of(
        commit("Add the whole mill (#9)", paths=big("src/a.py", 900)),
        commit("Oil the mill (#9)", author=GRACE, at="2025-10-04 12:00"),
    )
    (line,) = document["things"]
    assert (line["title"], line["more"], line["people"]) == ("Add the whole mill", 0, [ADA.name, GRACE.name])
    assert "(#9, 2 changes, Ada Lovelace, Grace Hopper)" in TEMPLATES.month("text", read(document))


def test_what_was_taken_back_in_its_own_month_is_one_line_with_its_day_and_reason() -> None:
    document = digest_of(*backed_out("Replace the mill", 3), commit("Add a lamp", at="2025-10-09 12:00"))
    (out,) = [one for one in document["things"] if one["section"] == "out"]
    assert (out["title"], out["text"], out["changes"]) == (
        "Replace the mill", "taken back by Grace Hopper on 3 Oct, “It crashed at start”", 2,
    )  # fmt: skip
    assert titles(document, "new") == ["Add a lamp"]
    assert [one["kind"] for one in document["notable"]] == ["taken_back_since"]


def test_a_revert_that_names_only_a_commit_says_what_that_was_called() -> None:
    one = commit("Replace the mill", at="2025-09-03 12:00", sha="946867b" + "0" * 33)
    out = commit("Revert 946867b as it breaks dials (#12)", at="2025-10-04 12:00", author=GRACE)
    changes = month_changes([out], histories_of([one, out]), None)
    (line,) = team_post(changes, {}, areas_of([out]), UTC_ZONE, 31)["things"]
    assert (line.title, line.text) == (
        "Revert 946867b as it breaks dials", "takes out “Replace the mill” by Ada Lovelace",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("subject", "body", "why"),
    [
        ('Revert "Replace the mill"', "This reverts commit {}.", ""),
        (
            "Replace the mill by a wheel that needs none",
            "This reverts commit {}.",
            "“Replace the mill by a wheel that needs none”",
        ),
        (
            'mill: revert "Replace the mill" (#12)',
            "This reverts commit {}. It crashed at start.",
            "“It crashed at start”",
        ),
        ('Revert "Replace the mill"', "This reverts commit {}.\n\nAda and I talked it over at length.", ""),
    ],
)
def test_what_was_taken_back_says_by_whom_and_why(subject: str, body: str, why: str) -> None:
    one = commit("Replace the mill", at="2025-10-03 12:00", paths=big("src/mill.py"))
    out = commit(subject, at="2025-10-04 12:00", author=GRACE, body=body.format(one.sha), paths=list(one.files))
    (line,) = [each for each in digest_of(one, out)["things"] if each["section"] == "out"]
    assert line["text"] == ", ".join(filter(None, ["taken back by Grace Hopper on 4 Oct", why]))


def test_a_revert_of_the_change_before_it_is_told_only_where_it_says_which() -> None:
    said = "Revert the last change"
    for title, shown in ((said, 0), ("Revert r1.343, which broke dials", 1), ('Revert "Replace the mill"', 1)):
        many = [commit(f"Add a {it}, {n}", paths=big(f"{n}.py")) for n, it in enumerate(THINGS * 2)]
        assert len(titles(digest_of(commit(title), *many), "out")) == shown


def test_what_came_twice_and_was_taken_back_once_stands() -> None:
    one, out = backed_out("Replace the mill", 3)
    twin = commit("Replace the mill", at="2025-10-03 12:00", author=GRACE, paths=list(one.files), sha="e" * 40)
    for some, sections in (([one, out], {"out": 1}), ([one, out, twin], {"new": 1})):
        document = digest_of(*some)
        assert Counter(line["section"] for line in document["things"]) == sections
        assert document["counts"]["changes"] == sum(
            line["changes"] for line in (*document["things"], *document["rest"])
        )


def test_a_placeholder_is_nobody() -> None:
    nobody = somebody("Your Name", "you@example.com")
    some = [commit("Add a lamp", author=ADA), commit("Add a bell", author=nobody)]
    document = digest_of(*some, people=[ADA, nobody])
    assert (document["counts"]["people"], document["counts"]["changes"]) == (1, 2)
    assert "Your Name" not in TEMPLATES.month("text", read(document))
    alone = digest_of(*some[1:], people=[nobody])
    assert alone["headline"]["text"] == f"1 change in {ENGINE}."


def test_a_sentence_of_the_body_explains_a_title_that_is_not_long() -> None:
    body = "Allow modules to use .mjs files for their settings instead of just .js"
    long = f"Support every variant of settings there is, {', '.join(THINGS)} among them"
    for title, said in (("Support variants of settings", f"“{body}”"), (long, "")):
        (line,) = digest_of(commit(title, body=body, paths=big("src/a.py")))["things"]
        assert line["text"] == said


def test_no_release_is_said_to_have_what_was_taken_back_in_it() -> None:
    one, out = backed_out("Replace the mill", 3)
    for released, said in (({one.key: "v2", out.key: "v2"}, None), ({one.key: "v2", out.key: "v2.1"}, "v2")):
        document = digest_of(one, out, beside=areas_of([one, out], released=released))
        assert [line.get("release") for line in document["things"] if line["section"] == "out"] == [said]


def test_what_was_taken_back_within_the_hour_is_counted_alone() -> None:
    one, out = backed_out("Replace the mill", 3)
    soon = replace(out, came_at=int((one.committer.at + timedelta(minutes=3)).timestamp()))
    many = [commit(f"Add a {it}, {n}", at="2025-10-09 12:00", paths=big(f"{n}.py")) for n, it in enumerate(THINGS * 2)]
    assert titles(digest_of(one, out, *many), "out") == ["Replace the mill"]
    document = digest_of(one, soon, *many)
    assert (titles(document, "out"), document["counts"]["changes"]) == ([], len(many) + 2)


def test_a_test_that_is_still_off_is_said_to_be() -> None:
    one = commit("Fix rocm CI", paths=[changed("tests/test_a.py", 11, 0)])
    document = digest_of(one, beside=areas_of([one], off=frozenset({one.sha})))
    assert titles(document, "off") == ["Fix rocm CI"]
    assert "Tests still off" in TEMPLATES.month("text", read(document))


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["v1.0"], "Released v1.0 (2 Oct)."),
        (["v1.0", "api/v1.1"], "Released v1.0 (2 Oct) and api/v1.1 (3 Oct)."),
        (["v1.0", "api/v1.0@"], "Released v1.0 (2 Oct)."),  # of one commit
        (["v1.0", "1.0", "v1.0.1rc1", "v1.0.1", "nightly"], "Released v1.0 (2 Oct) and v1.0.1 (5 Oct)."),
        (["chart-7.1", "v3.7.4", "v3.6.13"], "Released chart-7.1 (2 Oct), v3.7.4 (3 Oct) and v3.6.13 (4 Oct)."),
        (
            ["release-20251006.0", "release-20251013.0", "release-20251020.0"],
            "Released release-20251006.0 (2 Oct) to release-20251020.0 (4 Oct).",
        ),
        (["web-v2.0", "v1.1"], "Released web web-v2.0 (2 Oct) and engine v1.1 (3 Oct)."),
        (["lib-v2.0", "v1.1"], "Released lib-v2.0 (2 Oct) and v1.1 (3 Oct)."),
        (
            ["v1.1", "v1.2", "v1.3", "v1.4", "v1.5", "v1.6", "v0.9.1", "v0.9.2", "v0.9.3"],
            "Released v1.2 (3 Oct), v1.3 (4 Oct), v1.4 (5 Oct), v1.5 (6 Oct), v1.6 (7 Oct), v0.9.1 (8 Oct) to v0.9.3 "
            "(10 Oct) and 1 other.",
        ),
        (["v1.0-rc1", "v1.0-rc2", "nightly"], "Released v1.0-rc2 (3 Oct)."),
        (["v1.0-rc1", "v1.0"], "Released v1.0 (3 Oct)."),
        (["v1.1.0", "v1.1.1"], "Released v1.1.0 (2 Oct) and v1.1.1 (3 Oct)."),
        (["v0.2-test", "patch/fix-rows-2026-05-12", "v0.1"], "Released v0.1 (4 Oct)."),
        (["v2.0-rc1", "part_v0.26-rc1"], "Released v2.0-rc1 (2 Oct) and part_v0.26-rc1 (3 Oct)."),
        (["v2.0b1", "v1.9.1"], "Released v2.0b1 (2 Oct) and v1.9.1 (3 Oct)."),
        ([], ""),
    ],
)
def test_versions_of_the_month_are_named_each_once(names: list[str], said: str) -> None:
    tags = [
        Tag(
            WEB if "web" in one else ENGINE, one.rstrip("@"), f"{n - one.count('@'):040}",
            INDEXED.replace(month=10, day=n),
        )
        for n, one in enumerate(names, 2)
    ]  # fmt: skip
    document = digest_of(commit(), beside=areas_of([], tags=tags))
    assert document["released"] == said
    assert said in TEMPLATES.month("markdown", read(document)).replace("\\", "")


def test_what_is_hostile_stands_escaped_in_every_form() -> None:
    hostile = "Add <script>alert(1)</script> & `x` *y*"
    document = digest_of(commit(hostile), *backed_out("Replace <b>it</b>", 7))
    assert not re.search("<script|<b>", TEMPLATES.month("html", read(document)))
    assert "\\<script" in TEMPLATES.month("markdown", read(document))
    messages = document_messages([read(document)], TEMPLATES)
    assert [faults(message.payload()) for message in messages] == [[]]


# --- people


def test_nobodys_address_is_in_a_post() -> None:
    others = [somebody("Ada Lovelace", f"ada@{place}.example") for place in ("home", "work")]
    document = digest_of(
        *(commit(f"Add a {thing}", author=one) for one, thing in zip(others, THINGS, strict=False)), people=others
    )
    assert document["counts"]["people"] == 2
    assert not any("@" in TEMPLATES.month(form, read(document)) for form in FORMS)


def test_the_work_of_a_coding_agent_is_as_others_but_it_is_nobody() -> None:
    agent = somebody("copilot-swe-agent[bot]", "198982749+Copilot@users.noreply.github.com")
    alone = commit("Add a lamp to the mill", author=agent, paths=big("src/lamp.py"))
    document = digest_of(alone, people=[ADA, agent])
    assert [(one["title"], one["people"]) for one in document["things"]] == [("Add a lamp to the mill", [agent.name])]
    assert (document["counts"]["people"], document["machines"]) == (0, "")


def test_machines_are_a_line_and_nobody() -> None:
    bumps = [commit(f"Bump {n}", author=DEPENDABOT, sha=sha_of(n)) for n in range(3)]
    document = digest_of(commit("Add a lamp"), *bumps, people=[ADA, DEPENDABOT])
    assert [one["people"] for one in document["things"]] == [[ADA.name]]
    assert "3 commits" in document["machines"] and document["counts"]["commits"] == 1
    for form in FORMS:
        assert TEMPLATES.month(form, read(document)).count(document["machines"]) == 1
    assert digest_of(commit("Add a lamp"), *bumps, people=[ADA, DEPENDABOT], team=[ADA])["machines"] == ""
    merge = replace(commit("Merge pull request #7 from ada/mill", author=DEPENDABOT), parents=("1" * 40, "2" * 40))
    assert digest_of(commit("Add a lamp"), merge, people=[ADA, DEPENDABOT])["machines"] == ""


def test_a_digest_of_a_team_has_its_people_only() -> None:
    document = digest_of(commit("Add a thing"), commit("Fix it", author=GRACE), team=[GRACE])
    assert [one["people"] for one in document["things"]] == [["Grace Hopper"]]
    assert (document["counts"]["people"], document["counts"]["changes"]) == (1, 1)


# --- odd months


def test_a_small_months_work_has_lines_where_its_titles_say_something() -> None:
    works = [commit(one, paths=["src/api.py"]) for one in ("Name each dial", "Tweak", "Update dials.py")]
    pages = [commit(f"Describe mill {n}", paths=["docs/mill.md"]) for n in range(20)]
    assert [one["title"] for one in digest_of(*works, *pages)["things"]] == ["Name each dial"]
    assert len(digest_of(*works)["things"]) == 3


def test_of_equal_work_somebodys_first_comes_before_anothers_last() -> None:
    own = [commit(f"Add {n}dial to {n}gate", paths=big(f"src/{n}.py", 60)) for n in "abcdefghijklmnopqrstuvwxyz"]
    hers = commit("Add a lamp at night", paths=big("src/gate.py", 50), author=GRACE)
    assert "Add a lamp at night" in [one["title"] for one in digest_of(*own, hers)["things"]]


def test_where_changes_say_what_they_mean_to_users_the_rest_is_counted() -> None:
    noted = [commit(f"Add {n} to the {n} of rows", paths=big(f"src/{n}.py")) for n in THINGS[:6]]
    others = [commit(f"Use a {n} in columns", paths=big(f"src/{n}/x.py")) for n in THINGS]
    others += [commit("Drop support for Python 3.9", paths=big("src/snake.py"))]
    entries = {one.key: [Entry("Bugs", f"Rows have a {n}.", ())] for one, n in zip(noted, THINGS, strict=False)}
    document = digest_of(*noted, *others, beside=areas_of([*noted, *others], notes=entries))
    assert titles(document, "act") == ["Drop support for Python 3.9"]
    assert titles(document, "new") == []
    assert sorted(titles(document, "fixed")) == sorted(f"Rows have a {n}" for n in THINGS[:6])
    assert sum(one["changes"] for one in document["rest"]) == len(THINGS)


def test_what_one_repository_notes_hides_nothing_of_another_and_no_grave_fault() -> None:
    noted = [commit(f"Add {n} to the {n} of rows", paths=big(f"src/{n}.py")) for n in THINGS[:6]]
    others = [commit(f"Use a {n} in columns", paths=big(f"src/{n}/x.py")) for n in THINGS]
    others += [commit("Fix a crash of the clock", paths=big("src/clock.py"))]
    plain = [commit(f"Add a {n} to {n}books", paths=big(f"lib/{n}.py"), repository=WEB) for n in THINGS]
    entries = {one.key: [Entry("", f"Rows have a {n}.", ())] for one, n in zip(noted, THINGS, strict=False)}
    every = [*noted, *others, *plain]
    told = [one["title"] for one in digest_of(*every, beside=areas_of(every, notes=entries))["things"]]
    assert sum(one.endswith("books") for one in told) >= 5
    assert "Fix a crash of the clock" in told
    assert not any(one.endswith("in columns") for one in told)


def test_an_item_without_a_number_is_of_the_change_that_added_it() -> None:
    one, other = commit("Use stones", paths=big("src/stone.py")), commit("Use wheels", paths=big("src/wheel.py"))
    added = Entry("Mill", "Wet grain is ground, too. By Ada.", ())
    log = ChangeLog(ENGINE, "", "CHANGES", "f" * 40, (replace(added, text="Wet grain is ground, too. By Ada Roe."),))
    document = digest_of(one, other, beside=areas_of([one, other], notes={one.key: [added]}, log=log))
    assert [entry["evidence"] for entry in document["changelog"]["entries"]] == [[one.sha]]
    assert sum(row["changes"] for row in document["rest"]) == 1


def test_a_post_with_a_change_log_is_as_short_as_one_without() -> None:
    commits = [commit(f"Add {n}dial to {n}gate " + "of rows " * 8, paths=big(f"src/{n}.py")) for n in "abcdefghijklmno"]
    commits += [commit(f"Fix {n}mill at {n}gate " + "of rows " * 8, paths=big(f"src/{n}.py")) for n in "pqrstuvwxyz"]
    entries = tuple(Entry(f"Part {n % 4}", f"Item {n} " + "of plans " * 15, ()) for n in range(40))
    log = ChangeLog(ENGINE, "v2.0", "CHANGES", "f" * 40, entries)
    digest = month_digest(
        "everyone", OCTOBER, [ADA], commits, FactsContext(UTC_ZONE, [indexed(ENGINE)], INDEXED), BOTS,
        known=lambda _: TeamContext(log=log),
    )  # fmt: skip
    text = TEMPLATES.month("text", digest.document)
    assert "CHANGES says of v2.0" in text
    assert len(text) <= 2_800
    assert len([line for line in text.splitlines() if line]) <= 36
