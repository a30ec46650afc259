"""A team's post: what came, in one message, each change told once or counted; nobody ranked, nothing lost."""

from __future__ import annotations

import re
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
    another_commit,
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
from bot.month.message import heading_of
from bot.slack.render import document_messages
from bot.story.digest import TeamContext, month_digest
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


def large_team() -> tuple[list[Commit], list[Person]]:
    """Twenty people with twelve changes each, of which some were backed out and some measured."""
    people = [somebody(f"Somebody With A Rather Long Name Number{n:02}", f"p{n}@example.com") for n in range(20)]
    commits: list[Commit] = []
    for n, one in enumerate(people):
        for k, thing in enumerate(THINGS):
            subject = f"Keep whatever the {thing} has of part {n} in a cache that everybody reads (#{100 + 12 * n + k})"
            body = f"Reads of the {thing} go from 9{n} ms to 3{n} ms on a large machine." if k == 0 else ""
            at = f"2025-10-{k + 1:02} {n:02}:00"
            commits.append(commit(subject, at=at, author=one, body=body, paths=big(f"src/{thing}/a.py", 100 + n)))
        commits += backed_out(f"Replace the whole of machine number {n} by a better one", n + 1, one)
    return commits, [*people, GRACE]


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
        assert all(word.strip(",") in there or word in ("and", "more") or word.isdigit() for word in said.split()), said


def test_the_json_has_the_keys_that_programs_ask_for() -> None:
    commits, people = large_team()
    tidy = commit("Add tests of the gate", author=people[0], paths=["tests/test_gate.py"])
    document = digest_of(*commits, tidy, people=people)
    assert (document["schema"], document["span"], document["release"]) == (3, ["2025-10-01", "2025-11-01"], None)
    assert document["repositories"] == [ENGINE]
    keys = {
        "notable": {"kind", "text", "on", "evidence"},
        "areas": {"name", "repository", "changes", "people", "things", "evidence"},
        "also": {"name", "changes", "evidence"},
        "counted": {"kind", "changes", "evidence"},
        "things": {"title", "people", "refs", "evidence"},
    }
    assert {name: [one for one in document[name] if not of <= one.keys()] for name, of in keys.items()} == {
        name: [] for name in keys
    }
    assert document["also"] and document["counted"] and document["notable"] and document["things"]
    counted = (*document["areas"], *document["also"], *document["counted"])
    assert sum(one["changes"] for one in counted) == document["counts"]["changes"]


def test_a_large_team_has_one_message_of_one_screen() -> None:
    commits, people = large_team()
    document = digest_of(*commits, people=people)
    (root,) = document_messages([read(document)], TEMPLATES, PAGES)
    assert len(root.text) <= LONGEST and not root.in_thread
    assert len(document["things"]) >= 12
    assert all(one["title"] in root.text for one in document["things"])


def test_of_few_changes_each_has_its_line() -> None:
    commits = [another_commit(f"Add part {n} of the {thing}", paths=[]) for n, thing in enumerate(THINGS)]
    document = digest_of(*commits, commit("Say how", paths=["docs/a.md"]), commit("small fixes", paths=["a.py"]))
    assert (len(document["things"]), [one["kind"] for one in document["rest"]]) == (13, ["docs"])


def test_each_area_of_five_changes_has_a_line_before_any_has_a_second() -> None:
    heavy = [another_commit(f"Add the {one} to the mill", paths=big("src/mill/a.py", 900)) for one in THINGS]
    light = [another_commit(f"Let {one} turn", paths=big("src/lamp/a.py", 40)) for one in THINGS[:5]]
    document = digest_of(*heavy, *light)
    assert {one["title"].split()[0] for one in document["things"]} == {"Add", "Let"}


def test_the_largest_has_a_line_though_its_author_did_much_else() -> None:
    many = [another_commit(f"Add {one} of wood", paths=big("src/mill/a.py", 100)) for one in THINGS * 3]
    others = [another_commit(f"Let {one} of stone turn", author=GRACE, paths=big("src/mill/a.py")) for one in THINGS]
    largest = another_commit("Improve how the wheel is found", paths=[*big("x/a.py", 300), *big("y/a.py", 300)])
    assert "Improve how the wheel is found" in titles(digest_of(*many, *others, largest), "new")


def test_an_area_that_is_called_as_a_chore_is_work() -> None:
    work = [another_commit(f"build: turn {one}", paths=big("src/build/a.py")) for one in THINGS]
    chores = [another_commit(f"Link {one}", paths=["CMakeLists.txt"]) for one in THINGS]
    document = digest_of(*work, *chores)
    assert [(one["name"], one["changes"]) for one in document["areas"]] == [("build", len(THINGS))]
    assert [(one["kind"], one["changes"]) for one in document["counted"]] == [("build", len(THINGS))]


def test_what_has_no_area_is_counted_by_the_folder_it_is_in() -> None:
    some = [
        another_commit(f"Do {one} {n} well", paths=big(f"lib/{path}/src/a.py", 1))
        for n, path in enumerate(["stone-mill", "stone_mill"])
        for one in THINGS
    ]
    assert [one["kind"] for one in digest_of(*some)["rest"]] == ["stone-mill"]


def test_a_dependency_that_was_taken_back_is_told() -> None:
    (line,) = digest_of(commit('Revert "Update module grpc to v1.81.0"', paths=["go.mod"]))["things"]
    assert line["section"] == "out"


def test_of_few_changes_those_that_are_only_counted_else_have_lines_where_there_is_nothing_else() -> None:
    chores = [
        commit("Update dev dependencies", paths=["go.mod"]),
        commit("Revert the change of a test", paths=["tests/test_a.py"], at="2025-10-02 12:00"),
    ]
    document = digest_of(*chores, commit("Keep it", paths=big("src/a.py", 1)))
    assert (titles(document, "new"), titles(document, "out")) == (["Keep it"], [])
    assert len(titles(digest_of(*chores), "new")) == 2


def test_lines_of_one_label_stand_together_the_heaviest_first() -> None:
    sizes = [("mill: add it", 900), ("lamp: support it", 300), ("Add a fine gate", 200), ("mill: allow it", 100)]
    document = digest_of(*(another_commit(one, paths=big("src/a.py", lines)) for one, lines in sizes))
    assert titles(document, "new") == ["add it", "allow it", "support it", "Add a fine gate"]


def test_what_has_no_line_is_counted_by_what_it_is_of() -> None:
    tests = [another_commit(f"Test the {one}", paths=[f"tests/test_{one}.py"]) for one in THINGS]
    work = [another_commit(f"Add the {one} to the mill", paths=big("src/mill/a.py")) for one in THINGS * 3]
    document = digest_of(*tests, *work)
    rest = {one["kind"]: one["changes"] for one in document["rest"]}
    assert rest["tests"] == 12 and set(rest) <= {"mill", "tests"}
    said = ", ".join(f"{one['kind']} {one['changes']}" for one in document["rest"])
    for form in FORMS:
        assert f"… and {sum(rest.values())} more changes: {said}" in TEMPLATES.month(form, read(document))


# --- what a line says


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("Remove the old cache: nobody used it", "Remove the old cache: nobody used it"),
        ("Do not round heights: sailors need them", "Do not round heights: sailors need them"),
        ("mesh_admin: show ids (#7)", "mesh_admin: show ids"),
        ("[mill] Turn faster", "mill: Turn faster"),
        ("[mxfp8] mill: require torch 2.11", "mill: [mxfp8] require torch 2.11"),
        ("fix(parser): read the last line", "parser: read the last line"),
        ("Enhancement: support wind", "src: support wind"),
        ("Fix (beta): support wind", "Fix (beta): support wind"),
        ("engine: Turn faster 🤖🤖🤖 (#7)", "engine: Turn faster"),
        (
            "boards/elecrow-crowpanel-esp32s3-rotary-128: add support",
            "boards/elecrow-crowpanel-esp32s3-rotary-128: add support",
        ),
        ("feat(tlaplus) : added a grammar", "tlaplus: added a grammar"),
        ("ruler: Prevent a deadlock when jitter query hashin… (#7)", "ruler: Prevent a deadlock when jitter query"),
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


def test_the_fix_of_an_advisory_says_what_its_body_does() -> None:
    body = "* Spec: add a repro\n\n* Fix: ignore content-length when transfer-encoding is set"
    document = digest_of(commit("Merge commit from fork", body=body, paths=big("src/http.cr")))
    assert [(one["section"], one["text"]) for one in document["things"]] == [
        ("security", "“Fix: ignore content-length when transfer-encoding is set”")
    ]


def test_what_came_from_a_fork_for_an_advisory_is_security_whatever_it_says() -> None:
    merge = commit("Merge commit from fork", body="Keep the paths", merge=True, sha="d" * 40)
    one = replace(commit('Revert "perf: walk the tree once"', paths=big("src/tree.py")), via=merge.sha)
    document = digest_of(one, beside=areas_of([one], merges={merge.key: merge}))
    assert [(line["section"], line["text"]) for line in document["things"]] == [("security", "")]


def test_what_came_by_a_pull_request_has_its_number_though_its_own_message_has_none() -> None:
    merge = commit("Merge pull request #7 from ada/mill", body="Build the mill", merge=True, sha="d" * 40)
    one = replace(commit("Add the mill", paths=big("src/mill.py")), via=merge.sha)
    document = digest_of(one, commit("Add a lamp (#9)"), beside=areas_of([one], merges={merge.key: merge}))
    assert {line["title"]: (line["ref"], line["refs"]) for line in document["things"]} == {
        "Add the mill": ("#7", ["#7"]), "Add a lamp": ("#9", ["#9"]),
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


@pytest.mark.parametrize(
    ("first", "merged", "written"),
    [
        ("2025-06", 2025, "written in June"), ("2025-05", 2025, "written from May to June"),
        ("2024-06", 2025, "written from June 2024 to June 2025"),
        ("2025-05", 2026, "written from May to June 2025"),
    ],
)  # fmt: skip
def test_a_branch_that_lived_apart_is_a_line_that_says_when_it_was_written(
    first: str, merged: int, written: str
) -> None:
    merge = commit("Merge branch 'debug'", sha="d" * 40, at=f"{merged}-10-06 12:00")
    merge = replace(merge, parents=("1" * 40, "2" * 40))
    days = [f"{first}-02 10:00", *(f"2025-06-{day:02} 10:00" for day in range(3, 18))]
    some = [commit(f"Draw part {day[-8:-6]} of it", at=day, paths=big("src/a.py")) for day in days]
    some = [replace(one, via=merge.sha, came_at=merge.committer.seconds) for one in some]
    beside = areas_of(some, merges={merge.key: merge})
    (line,) = digest_of(merge, *some, beside=beside, period=Month(merged, 10))["things"]
    assert (line["title"], line["text"], line["sha"]) == ("Merged: debug", written, merge.sha)


def test_what_was_taken_back_in_its_own_month_is_one_line_with_its_day_and_reason() -> None:
    document = digest_of(*backed_out("Replace the mill", 3), commit("Add a lamp", at="2025-10-09 12:00"))
    (out,) = [one for one in document["things"] if one["section"] == "out"]
    assert (out["title"], out["text"], out["changes"]) == (
        "Replace the mill", "taken back on 3 Oct, “It crashed at start”", 2,
    )  # fmt: skip
    assert titles(document, "new") == ["Add a lamp"]
    assert [one["kind"] for one in document["notable"]] == ["taken_back_since"]


def test_what_was_taken_back_within_the_hour_is_counted_alone() -> None:
    one, out = backed_out("Replace the mill", 3)
    soon = replace(out, came_at=int((one.committer.at + timedelta(minutes=3)).timestamp()))
    many = [commit(f"Add a {it}, {n}", at="2025-10-09 12:00", paths=big(f"{n}.py")) for n, it in enumerate(THINGS * 2)]
    assert titles(digest_of(one, out, *many), "out") == ["Replace the mill"]
    document = digest_of(one, soon, *many)
    assert (titles(document, "out"), document["counts"]["changes"]) == ([], len(many) + 2)


def test_a_reason_says_what_went_wrong() -> None:
    one, out = backed_out("Replace the mill", 3)
    said = replace(out, body=f"This reverts commit {one.sha}.\n\nNormally this is fine, because the mill turns anyway.")
    assert digest_of(one, said)["things"][0]["text"] == "taken back on 3 Oct"
    said = replace(out, body=f"This reverts commit {one.sha}.\n\nThis should be a regression test of a later one.")
    assert digest_of(one, said)["things"][0]["text"] == "taken back on 3 Oct"
    said = replace(out, body=f"The mill fails with\n\n\tno stone\n\nThis reverts commit {one.sha}.")
    assert digest_of(one, said)["things"][0]["text"] == "taken back on 3 Oct"


def test_for_which_release_a_change_is_stands_before_it_and_is_no_part_of_the_product() -> None:
    some = [another_commit(f"[12.x] Add a lamp to wheel {one} of the mill", paths=big("src/a.py")) for one in range(16)]
    document = digest_of(*some)
    assert {one["label"] for one in document["things"]} == {"12.x"}
    assert "12.x" not in {one["name"] for one in document["also"]}


def test_what_was_taken_back_later_says_so() -> None:
    one = commit("Replace the mill", at="2025-09-30 12:00")
    out = commit('Revert "Replace the mill"', at="2025-10-02 12:00", body=f"This reverts commit {one.sha}.")
    september = digest_of(one, out, period=Month(2025, 9))
    assert titles(september, "out") == ["Replace the mill"]
    assert september["things"][0]["text"] == "taken back on 2 Oct"


def test_what_was_out_at_the_end_of_the_time_says_when_it_went_and_since_when_it_is_back() -> None:
    """It went on the day it came, came back, went and came back: of that the first and the last are told."""
    first = backed_out("Turn the mill by default", 3)
    again = commit('Reland "Turn the mill by default"', at="2025-11-06 12:00", paths=big("src/3.py"))
    out = commit('Revert "Turn the mill by default"', at="2025-11-07 12:00", body=f"This reverts commit {again.sha}.")
    back = commit('Reland "Turn the mill by default"', at="2025-11-09 12:00", paths=big("src/3.py"))
    (line,) = digest_of(*first, again, out, back)["things"]
    assert (line["section"], line["text"]) == ("out", "taken back on 3 Oct, back since 9 Nov")


def test_a_revert_that_names_nothing_that_landed_is_no_take_back() -> None:
    assert not titles(digest_of(commit("Revert clarification of `--runtime`", paths=big("src/a.py"))), "out")
    assert not titles(digest_of(commit("revert: add conflict labels", paths=big("src/a.py"))), "out")  # a command's
    assert titles(digest_of(commit("Revert touching the bounds (#7)", paths=big("src/a.py"))), "out")


def test_what_readers_must_act_on_says_where_it_is() -> None:
    files = [changed("rules/erlang/runner/src/a.erl", 30), changed("rules/erlang/runner/BUCK", 1)]
    (line,) = digest_of(commit("Remove support for the old file format", paths=files))["things"]
    assert (line["section"], line["label"]) == ("act", "erlang/runner")


def test_what_brings_something_back_is_work_though_its_body_reverts() -> None:
    off = commit("Keep the mill off", at="2025-10-01 12:00", author=GRACE, paths=big("src/a.py"))
    on = commit(
        "Turn the mill on", at="2025-10-02 12:00", body=f"This reverts commit {off.sha}.", paths=big("src/a.py")
    )
    document = digest_of(off, on)
    assert (titles(document, "new"), titles(document, "out")) == (["Turn the mill on"], ["Keep the mill off"])


def test_what_was_taken_back_has_a_line_beside_what_its_author_did_next() -> None:
    """Where two changes share their words, what is out must not hide behind what is in; what came back says so."""
    again = commit("Refactor the network of the mill a second time", at="2025-10-20 12:00", paths=big("src/a.py", 400))
    document = digest_of(*backed_out("Refactor the network of the mill", 3), again)
    assert (titles(document, "new"), titles(document, "out")) == ([again.subject], ["Refactor the network of the mill"])
    back = commit('Reland "Refactor the network of the mill"', at="2025-10-09 12:00", paths=big("src/3.py"))
    (line,) = digest_of(*backed_out("Refactor the network of the mill", 3), back)["things"]
    assert (line["section"], line["text"]) == ("out", "taken back on 3 Oct, back since 9 Oct")


@pytest.mark.parametrize("subject", ['Re-land "mill: add a wheel"', 'Revert "Revert "mill: add a wheel""'])
def test_what_comes_back_after_its_month_is_called_as_it_was(subject: str) -> None:
    (line,) = digest_of(commit(subject, paths=big("src/a.py")))["things"]
    assert (line["section"], line["label"], line["title"]) == ("new", "mill", "add a wheel")


def test_a_revert_of_several_is_told_though_one_of_them_is_a_chore() -> None:
    page = commit("docs: explain the mill", at="2025-10-01 12:00", paths=["docs/a.md"])
    body = f"This reverts commit {page.sha}.\n\nIt broke."
    out = commit('Revert "Add a wheel" (#7)', at="2025-10-02 12:00", paths=big("src/a.py"), body=body, author=GRACE)
    assert titles(digest_of(page, out), "out") == ['Revert "Add a wheel"']


def test_what_was_taken_back_in_part_is_not_taken_back() -> None:
    one = commit("Replace the mill", at="2025-10-01 12:00", paths=big("src/a.py"))
    part = commit('Partially revert "Replace the mill"', at="2025-10-02 12:00", author=GRACE)
    document = digest_of(one, part)
    assert (titles(document, "new"), document["things"][0]["text"]) == (["Replace the mill"], "")


def test_a_test_that_is_still_off_is_said_to_be() -> None:
    one = commit("Fix rocm CI", paths=[changed("tests/test_a.py", 11, 0)])
    document = digest_of(one, beside=areas_of([one], off=frozenset({one.sha})))
    assert titles(document, "off") == ["Fix rocm CI"]
    assert "Tests still off" in TEMPLATES.month("text", read(document))


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["v1.0"], "Released v1.0 (2 Oct)."),
        (["v1.0", "api/v1.0", "api/v1.1"], "Released v1.0 (2 Oct) and api/v1.1 (4 Oct)."),
        (["v1.0", "1.0", "v1.0.1rc1", "v1.0.1", "nightly"], "Released v1.0 (2 Oct) and v1.0.1 (5 Oct)."),
        (["chart-7.1", "v3.7.4", "v3.6.13"], "Released v3.7.4 (3 Oct), v3.6.13 (4 Oct) and chart-7.1 (2 Oct)."),
        (
            ["release-20251006.0", "release-20251013.0", "release-20251020.0"],
            "Released release-20251006.0 (2 Oct) to release-20251020.0 (4 Oct).",
        ),
        (["web-v2.0", "v1.1"], "Released engine v1.1 (3 Oct) and web web-v2.0 (2 Oct)."),
        (["lib-v2.0", "v1.1"], "Released v1.1 (3 Oct) and lib-v2.0 (2 Oct)."),
        (["v1.0-rc1", "v1.0-rc2", "nightly"], "Released v1.0-rc2 (3 Oct)."),
        (["v1.0-rc1", "v1.0"], "Released v1.0 (3 Oct)."),
        (["v2.0b1", "v1.9.1"], "Released v2.0b1 (2 Oct) and v1.9.1 (3 Oct)."),
        ([], ""),
    ],
)
def test_versions_of_the_month_are_named_each_once(names: list[str], said: str) -> None:
    days = enumerate(names, 2)
    tags = [Tag(WEB if "web" in one else ENGINE, one, f"{n:040}", INDEXED.replace(month=10, day=n)) for n, one in days]
    document = digest_of(commit(), beside=areas_of([], tags=tags))
    assert document["released"] == said
    assert said in TEMPLATES.month("markdown", read(document)).replace("\\", "")


def test_how_many_of_the_changes_the_releases_of_the_time_have_is_said() -> None:
    some = [commit("Add a lamp", sha="1" * 40), commit("Add a wheel", sha="2" * 40)]
    tags = [Tag(ENGINE, "v1.0", "1" * 40, INDEXED.replace(month=10, day=2))]
    for released, said in (
        ({some[0].key: "v1.0"}, ", with 1 of these 2 changes"),
        ({}, ", with none of these 2 changes"),
    ):
        document = digest_of(*some, beside=areas_of(some, tags=tags, released=released))
        assert document["released"] == f"Released v1.0 (2 Oct){said}."


def test_two_versions_at_one_commit_are_one_release() -> None:
    tags = [Tag(ENGINE, one, "a" * 40, INDEXED.replace(month=10, day=2)) for one in ("v0.304.2", "v3.4.2")]
    assert digest_of(commit(), beside=areas_of([], tags=tags))["released"] == "Released v3.4.2 (2 Oct)."


def test_what_is_hostile_stands_escaped_in_every_form() -> None:
    hostile = "Add <script>alert(1)</script> & `x` *y*"
    document = digest_of(commit(hostile), *backed_out("Replace <b>it</b>", 7))
    assert not re.search("<script|<b>", TEMPLATES.month("html", read(document)))
    assert "\\<script" in TEMPLATES.month("markdown", read(document))
    messages = document_messages([read(document)], TEMPLATES)
    assert [faults(message.payload()) for message in messages] == [[]]


def test_numbers_of_several_repositories_name_theirs() -> None:
    document = digest_of(
        commit("Add a wall (#1)", paths=big("src/a.py")),
        commit("Add a plan (#2)", repository=WEB, author=GRACE, paths=big("src/b.ts")),
    )
    (root,) = document_messages([read(document)], TEMPLATES, PAGES)
    assert "engine#1" in root.text and "web#2" in root.text


# --- people


def test_nobodys_address_is_in_a_post() -> None:
    others = [somebody("Ada Lovelace", f"ada@{place}.example") for place in ("home", "work")]
    document = digest_of(
        *(commit(f"Add a {thing}", author=one) for one, thing in zip(others, THINGS, strict=False)), people=others
    )
    assert document["counts"]["people"] == 2
    assert not any("@" in TEMPLATES.month(form, read(document)) for form in FORMS)


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


def test_somebody_who_was_indexed_a_moment_ago_is_told() -> None:
    """People and commits are read one after the other, and an index may run between."""
    document = digest_of(commit("Add a thing", author=GRACE), people=[ADA])
    assert [one["people"] for one in document["things"]] == [["Grace Hopper"]]


# --- odd months


def test_a_digest_of_nobody() -> None:
    document = digest_of()
    assert (document["things"], document["rest"], document["headline"]["evidence"]) == ([], [], [])
    assert all(document["headline"]["text"] in TEMPLATES.month(form, read(document)) for form in FORMS)
    (message,) = document_messages([read(document)], TEMPLATES)
    assert faults(message.payload()) == []


@pytest.mark.parametrize("form", FORMS)
def test_a_digest_of_merges_only(form: str) -> None:
    document = digest_of(commit("Merge branch 'x'", merge=True))
    assert (document["counts"]["people"], document["counts"]["changes"], document["things"]) == (1, 0, [])
    assert "1 person merged branches" in TEMPLATES.month(form, read(document))


def test_a_change_of_two_repositories_counts_once_in_a_digest() -> None:
    document = digest_of(*(commit("Add a thing", repository=name, sha="a" * 40) for name in (ENGINE, WEB)))
    assert document["counts"] == {"people": 1, "commits": 1, "changes": 1, "landed": 1, "backed_out": 0, "relanded": 0}
