"""A month is laid out by rules that a reader notices: work by weight, fixes apart, what did not stay with its dates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from drawn import PATHS, histories
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, GRACE, INDEXED, UTC_ZONE, WEB, Json, changed, commit, indexed, read, somebody

from bot.diff import IgnoredTests
from bot.model import Commit
from bot.month.calendar import Month
from bot.month.facts import FactsContext, MonthFacts, month_facts
from bot.month.histories import by_commit, histories_of
from bot.month.message import heading_of
from bot.month.releases import Entry
from bot.story.documents import cut, to_json
from bot.story.month import month_document
from bot.story.render import Templates
from bot.wording import UNNAMED, clean

OCTOBER = Month(2025, 10)
REPOSITORIES = [indexed(ENGINE), indexed(WEB)]


def facts_of(commits: Sequence[Commit], known: Sequence[Commit] = (), **more: Any) -> MonthFacts:
    whole = by_commit(histories_of([*commits, *known]))
    own = [one for one in commits if one in ADA.signatures and one.author.at.month == 10]
    return month_facts(ADA, OCTOBER, own, FactsContext(UTC_ZONE, REPOSITORIES, INDEXED, histories=whole), **more)


def document_of(*commits: Commit, **more: Any) -> Json:
    facts = facts_of(commits)
    return to_json(month_document(facts, **more))


def sections(document: Json) -> dict[str, list[str]]:
    """The titles by section, in the order shown."""
    found: dict[str, list[str]] = {}
    for item in document["items"]:
        found.setdefault(item["section"], []).extend(line["title"] for line in item["lines"])
    return found


def big(path: str = "src/engine.py", lines: int = 200) -> list[Any]:
    return [changed(path, lines)]


def days(titles: Sequence[str], **more: Any) -> list[Commit]:
    return [commit(title, at=f"2025-10-{day:02} 12:00", **more) for day, title in enumerate(titles, 1)]


def test_work_fixes_tests_and_documents_stand_apart() -> None:
    document = document_of(
        commit("Add a plan cache", at="2025-10-01 12:00", paths=big()),
        commit("Fix the lock", at="2025-10-02 12:00", paths=big("src/lock.py", 20)),
        commit("Cover the lexer", at="2025-10-03 12:00", paths=["tests/test_lexer.py"]),
        commit("Say how plans are kept", at="2025-10-04 12:00", paths=["docs/plans.md"]),
        commit("Run on two machines", at="2025-10-05 12:00", paths=[".github/workflows/ci.yml"]),
    )
    assert sections(document) == {
        "work": ["Add a plan cache"],
        "fixed": ["Fix the lock"],
        "tests": ["Cover the lexer"],
        "docs": ["Say how plans are kept"],
        "build": ["Run on two machines"],
    }
    shown = {
        line["title"] for part in to_json(read(document).sections) for item in part["items"] for line in item["lines"]
    }
    assert "Fix the lock" in shown  # as its author said it


@pytest.mark.parametrize("in_time", [1, 40])
def test_what_landed_after_its_month_is_said_once_and_beside_lines_where_few_did(in_time: int) -> None:
    """Written in October and on the branch in May: no line of October reads as if it had been there then."""
    named = {"Add a plan": big(), "Fix a lock": big(), "Cover rows": ["tests/a.py"], "Say how": ["docs/a.md"]}
    late = [
        replace(one, committer=commit(at="2026-05-13 12:00").author)
        for one in (commit(title, at="2025-10-03 12:00", paths=paths) for title, paths in named.items())
    ]
    text = Templates().month("text", read(document_of(*late, *many(in_time))))
    assert "4 of them landed only on 13 May 2026." in text
    marked = [title for title in named if re.search(rf"{title} \(\w{{9}}, landed 13 May 2026\)", text)]
    assert marked == ([] if in_time == 1 else list(named))


@pytest.mark.parametrize(
    ("subject", "section"),
    [
        ("Fix a crash at start", "fixed"),
        ("fix: read the last line", "fixed"),
        ("Avoid a race of two readers", "fixed"),
        ("Update ring to fix vulnerability", "fixed"),
        ("CVE-2025-1234: check the length", "fixed"),
        ("Stop a crash of plans", "fixed"),
        ("fix comment", "docs"),
        ("Add clang-format formatter for cpp", "work"),
        ("ring: minor style fixes", "other"),
        ("Correct paths", "fixed"),
        ("Fix: Plan.current?", "fixed"),
        ("Handle whitespace at the end of a title", "work"),
        ("Reduce the deadlock cap", "work"),
        ("Handle an empty plan", "work"),
        ("Correct the changelog", "docs"),
        ("Use the typed command's documentation", "work"),
        ("Change formatting of lists", "work"),
        ("clippy", "other"),
        ("Use SPDX copyright tags in lists", "other"),
        ("json: Fix a bare dot in scientific notation; add a test of it", "fixed"),
        ("Fix the test of bare dots", "tests"),
        ("address review comments", "other"),
        ("autoformat", "other"),
    ],
)
def test_only_what_says_so_is_told_as_fixed_and_what_says_nothing_is_no_work(subject: str, section: str) -> None:
    paths = ["CHANGELOG.md"] if "changelog" in subject else [changed("src/lists.py", 100 if "lists" in subject else 9)]
    paths += ["tests/test_titles.py"] if "whitespace" in subject else []
    found = sections(document_of(commit(subject, at="2025-10-03 12:00", paths=paths), *many(2)))
    assert [name for name, titles in found.items() if not all(one.startswith("Widen") for one in titles)] == [
        section
    ] or (section == "work" and list(found) == ["work"])


def test_what_was_backed_out_is_no_work_and_has_its_dates_and_reason() -> None:
    work = commit("Add prefetching (#5251)", at="2025-10-19 12:00", paths=big(), sha="a" * 40)
    out = commit(
        'Revert "Add prefetching" (#5423)', at="2025-10-21 12:00", author=GRACE,
        body=f"This reverts commit {'a' * 40}.\n\nThe culprit pulls CUDA into CPU builds.",
    )  # fmt: skip
    document = document_of(work, out)
    assert sections(document) == {"attention": ["Add prefetching"]}
    (line,) = document["items"][0]["lines"]
    assert [(step["did"], step["on"], step["by"], step["ref"]) for step in line["steps"]] == [
        ("landed", "2025-10-19", "", ""),
        ("backed out", "2025-10-21", "Grace Hopper", "#5423"),
    ]
    assert line["reason"] == "The culprit pulls CUDA into CPU builds."
    assert "backed out" in document["headline"]["text"]


def test_the_work_of_others_names_who_mended_it_and_that_of_bots_is_counted_apart() -> None:
    theirs = commit("Add a mill (#7)", at="2025-10-03 12:00", author=GRACE)
    bots = commit("Bump a mill to 2.0", author=somebody("renovate[bot]", "renovate@github.com"))
    fix = commit("Fix the mill (#9)", at="2025-10-05 12:00", body="This fixes a crash that was introduced in #7.")
    facts = month_facts(ADA, OCTOBER, [theirs, bots, fix], FactsContext(UTC_ZONE, REPOSITORIES, INDEXED))
    text = Templates().month("text", month_document(facts))
    assert text.splitlines()[1] == "1 change and co-author of 1 by others and of 1 by bots in acme/engine."
    assert "3 Oct landed → 5 Oct fixed by Ada Lovelace (#9)" in text


@pytest.mark.parametrize(("name", "said"), [("Grace Hopper", True), (UNNAMED, False)])
def test_a_revert_names_no_title_of_somebody_who_is_not_shown(name: str, said: bool) -> None:
    hers = commit("Add a mill", at="2025-09-03 12:00", author=GRACE, sha="946867b" + "0" * 33)
    out = commit("Revert 946867b as it breaks dials", at="2025-10-04 12:00")
    context = FactsContext(
        UTC_ZONE, REPOSITORIES, INDEXED, by_commit(histories_of([hers, out])),
        lambda one: name if one == hers else one.author.name,
    )  # fmt: skip
    text = Templates().month("text", month_document(month_facts(ADA, OCTOBER, [out], context)))
    assert ("takes out “Add a mill”" in text) == said


def test_facts_of_diffs_stand_with_their_change_and_what_is_still_off_needs_attention() -> None:
    off, again = (
        commit("Resolve broken tests", paths=big()),
        commit("Add an action", at="2025-10-09 12:00", paths=big()),
    )
    document = document_of(off, again, ignored={off.sha: IgnoredTests(4, 3), again.sha: IgnoredTests(2, 0)})
    assert sections(document) == {"work": ["Add an action"], "attention": ["Resolve broken tests"]}
    assert [item["lines"][0]["notes"] for item in document["items"]] == [["2 tests ignored"], ["4 tests ignored"]]


def many(number: int, **more: Any) -> list[Commit]:
    """Changes that have no name in common, the larger the later."""
    return [
        commit(
            f"Widen a{n} by b{n} (#{n})", at=f"2025-10-{n % 28 + 1:02} 12:00", paths=big(f"src/{n}.py", n + 20), **more
        )
        for n in range(1, number + 1)
    ]


def test_a_shorter_answer_has_the_first_lines_of_each_theme_and_what_became_of_something() -> None:
    """Down to a line each; what it leaves out is counted where it stood."""
    themes = [
        commit(f"{name}: Keep {word} of {name} {n}", at=f"2025-10-0{n} 12:00", paths=big(f"src/{name}.py", 90))
        for name in ("cache", "walls")
        for n, word in enumerate(("plans", "locks", "rows", "doors"), 1)
    ]
    lost = commit("Add a roof", at="2025-10-08 12:00", paths=big("src/roof.py"))
    out = commit('Revert "Add a roof"', at="2025-10-20 12:00", author=GRACE, paths=big("src/roof.py"))
    whole = month_document(facts_of([*many(12), *themes, lost, out]))
    for most in range(4, 12):
        kept, left = cut(whole, lambda one, most=most: sum(len(item.lines) for item in one.items) <= most)  # type: ignore[misc]
        names = {item.label or item.section: item for item in kept.items}
        assert {"cache", "walls", "attention"} <= names.keys()
        assert left == sum(len(item.more) for item in kept.items) == 21 - most
        assert {sha for item in kept.items for sha in item.evidence}


def test_a_line_of_several_changes_names_the_commit_of_each_that_has_no_number() -> None:
    mill, lamp = days(["Add a plan of mills", "Add a plan of lamps"], paths=big())
    (line,) = document_of(mill, lamp)["items"][0]["lines"]
    assert (line["title"], line["ref"].split()) == ("Add a plan of mills and lamps", [mill.sha[:9], lamp.sha[:9]])


def test_what_has_no_line_in_a_large_month_is_counted_and_nothing_that_says_nothing_has_one() -> None:
    small = days(["More work on dials", "Various clean-ups", "Update guide.md", "Start work on rows"], paths=big())
    pages = days(["Describe dials", "Describe rows", "Describe plans"], paths=["docs/a.md"])
    document = month_document(facts_of([*many(60), *small, *pages]))
    text = Templates().month("text", document)
    told = len(re.findall(r"Widen a\d+ by b\d+ \(#\d+\)", text))
    assert 7 <= told < 60
    assert f"- and {60 - told} more" in text.splitlines()
    assert "- Docs 4, Small changes 3" in text.splitlines()
    assert not any(one in text for one in ("dials", "Various", "guide", "rows"))


def test_a_merge_speaks_by_its_title_for_what_it_brought() -> None:
    merge = commit("Merge pull request #77 from ada/cache", sha="f" * 40, body="Keep plans for a day", merge=True)
    brought = [
        replace(one, via=merge.sha) for one in days(["Add a cache", "Read plans", "Fix review comments", "Cover all"])
    ]
    document = to_json(month_document(facts_of(brought), topics={merge.key: merge}))
    (item,) = document["items"]
    (line,) = item["lines"]
    assert (line["title"], line["ref"]) == ("Keep plans for a day", "#77")
    assert line["notes"] == ["4 changes"]
    assert set(item["evidence"]) == {one.sha for one in brought}


def test_what_a_pull_request_says_it_fixes_is_told_as_fixed() -> None:
    merge = commit("Merge pull request #77 from ada/cache", sha="f" * 40, body="Fix the detection", merge=True)
    brought = [replace(one, via=merge.sha) for one in days(["Add a register", "Read it on init"], paths=big())]
    document = to_json(month_document(facts_of(brought), topics={merge.key: merge}))
    assert sections(document) == {"fixed": ["Fix the detection"]}
    pages = [replace(one, via=merge.sha) for one in days(["Move the guide", "Link it"], paths=["docs/guide.md"])]
    document = to_json(month_document(facts_of([*pages, *many(2)]), topics={merge.key: merge}))
    assert "fixed" not in sections(document)


def test_a_branch_that_updates_a_linter_is_no_work_whatever_its_commits_say() -> None:
    merge = commit("Bump golangci-lint to v2.12.2 (#77)", sha="f" * 40, merge=True)
    brought = [replace(one, via=merge.sha) for one in days(["Use lo.Map for rows", "Fix use of Ptr"], paths=big())]
    document = to_json(month_document(facts_of([*brought, *many(3)]), topics={merge.key: merge}))
    assert sections(document)["build"] == ["Bump golangci-lint to v2.12.2"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Lamps burn until somebody goes to bed.", "Lamps burn until somebody goes to bed"),
        ("Add a lamp for night readers.", ""),  # the title once more
        (f"Lamps burn until somebody goes to bed or {'reads ' * 40}", ""),  # no whole sentence
    ],
)
def test_what_a_change_says_to_users_is_quoted_below_its_title(said: str, expected: str) -> None:
    one = commit("Add a lamp for readers at night", paths=big())
    document = to_json(month_document(facts_of([one]), notes={one.key: [Entry("", said, ())]}))
    assert [(item["title"], item["text"]) for item in document["items"]] == [(one.subject, expected)]


@pytest.mark.parametrize(
    ("subject", "heading", "said", "is_quoted"),
    [
        ("Light lamps at night", "Fix", "Long shadows of readers are not drawn anew", False),
        ("Light lamps at night", "Bugs fixed", "Long shadows of readers are not drawn anew", False),
        ("Light lamps at night", "Security", "Long shadows of readers tell who reads", False),
        ("Light lamps at night", "bugfix", "Returns wrong shadows of readers", False),
        ("Fix lamps at night", "Reading", "Long shadows of readers are not drawn anew", False),
        ("Light lamps at night", "Reading", "Long shadows of readers are drawn anew", True),
        *(
            ("Light lamps at night", "Fix", f"{verb} long shadows of readers behind curtains", True)
            for verb in ("Fix", "Fixed", "Prevent", "Avoided", "Ensure", "Handle", "Corrects")
        ),
        ("Light lamps at night", "Fix", "No longer draw shadows of readers", True),
    ],
)
def test_no_note_that_may_tell_a_fault_stands_below_a_title(
    subject: str, heading: str, said: str, is_quoted: bool
) -> None:
    one = commit(subject, paths=big())
    document = to_json(month_document(facts_of([one]), notes={one.key: [Entry(heading, said, ())]}))
    assert [item["text"] for item in document["items"]] == [said if is_quoted else ""]


def test_what_a_change_says_to_users_does_not_stand_below_a_title_given_by_hand() -> None:
    one = commit("Add a lamp for readers at night", paths=big())
    facts = facts_of([one])
    named = replace(facts, changes=tuple(replace(change, title="Work for a customer") for change in facts.changes))
    document = to_json(month_document(named, notes={one.key: [Entry("", "Lamps burn until somebody goes to bed", ())]}))
    assert [(item["title"], item["text"]) for item in document["items"]] == [("Work for a customer", "")]


def test_a_merge_of_a_line_of_releases_speaks_for_nothing() -> None:
    merge = commit("Merge 'v1.2' into 'master'", sha="f" * 40, merge=True)
    release = commit("Prepare release 1.2.3", at="2025-10-04 12:00", paths=["version.txt"])
    brought = [replace(one, via=merge.sha) for one in (*days(["Keep the plan", "Read ahead"], paths=big()), release)]
    document = to_json(month_document(facts_of(brought), topics={merge.key: merge}))
    assert sections(document) == {"work": ["Keep the plan", "Read ahead"], "releases": ["Prepare release 1.2.3"]}


def test_what_begins_by_saying_that_it_fixes_is_told_as_fixed_whatever_its_kind_but_for_lints() -> None:
    fix, lint, build = (
        commit("Prevent a crash when it is empty", at="2025-10-01 12:00", paths=["src/a.py", "tests/test_a.py"]),
        commit("Fix clippy lints", at="2025-10-02 12:00", paths=["src/b.rs"]),
        commit("Fix the build on two machines", at="2025-10-03 12:00", paths=["src/c.py"]),
    )
    document = document_of(fix, lint, build)
    assert {one["kind"] for one in document["changes"]} == {"fix", "chore"}
    assert sections(document) == {"fixed": [fix.subject, build.subject], "other": [lint.subject]}


# --- for any history

BODIES = (
    "", "", "Plans are kept, so that they need no second look because of the cache.", "Fixes #3, a crash.",
    "Latency goes from 30 ms to 12 ms on H100.", "Reviewed-by: Grace Hopper <grace@example.com>",
)  # fmt: skip
STATES = {"landed", "backed out", "partly backed out", "back", "partly back", "fixed", "undone"}


@st.composite
def with_bodies(draw: st.DrawFn) -> list[Commit]:
    found = draw(histories(repositories=[ENGINE, WEB]))
    return [replace(one, body=f"{draw(st.sampled_from(BODIES))}\n\n{one.body}".strip()) for one in found]


@given(with_bodies())
def test_every_commit_of_any_month_is_in_an_item(commits: list[Commit]) -> None:
    facts = facts_of(commits)
    document = to_json(month_document(facts))
    assert {sha for item in document["items"] for sha in item["evidence"]} >= {one.sha for one in facts.commits}
    assert document["coverage"]["commits_told"] == document["coverage"]["commits_total"]


@given(with_bodies())
def test_nothing_that_was_backed_out_is_told_as_work(commits: list[Commit]) -> None:
    facts = facts_of(commits)
    out = {change.id for change in facts.changes if change.state == "backed_out"}
    shas = {sha for change in facts.changes if change.id in out for sha in change.shas}
    for item in month_document(facts).items:
        if item.section in ("work", "fixed", "tests", "docs", "build", "other"):
            assert shas.isdisjoint(item.evidence)


@given(with_bodies())
def test_every_leaf_is_a_quotation_a_fact_or_a_word_of_ours(commits: list[Commit]) -> None:
    facts = facts_of(commits)
    document = to_json(month_document(facts))
    by_sha = {one.sha: one for one in commits}
    paths = " ".join(path for some in PATHS for path in some)
    for item in document["items"]:
        titles = " ".join(clean(by_sha[sha].subject) for sha in item["evidence"])
        assert item["label"] in titles or item["label"] in paths
        assert item["text"] == " ".join(line["quote"] for line in item["lines"] if line["quote"])
        for line in item["lines"]:
            lead = by_sha[line["sha"]]
            if len(line["evidence"]) == 1:
                assert line["title"] in heading_of(lead).line or line["title"] == "(no subject)"
            else:  # several at once: in words of their titles
                said = " ".join(heading_of(by_sha[sha]).line for sha in line["evidence"]) + " and more"
                assert all(word.strip(",") in said or word.isdigit() for word in line["title"].split())
            assert line["tag"] in heading_of(lead).line
            assert line["quote"] in clean(lead.body)
            assert all(part in clean(lead.body) for one in line["measured"] for part in re.findall("“(.+?)”", one))
            assert {step["did"] for step in line["steps"]} <= STATES
            for step in line["steps"]:
                assert step["sha"] in by_sha
                assert step["by"] in ("", clean(by_sha[step["sha"]].author.name))
            assert (
                not line["reason"]
                or any(line["reason"] in clean(by_sha[step["sha"]].body) for step in line["steps"])
                or line["reason"] in clean(lead.body)
            )
    numbers = set(re.findall(r"\d+", document["headline"]["text"]))
    own = [one for one in facts.changes if not one.is_shared]
    states = [one.state for one in own if one.kind != "revert"]
    commits = {commit.sha for one in own for commit in one.commits} & {one.sha for one in facts.commits}
    reverts = len(own) - len(states)
    counted = (len(facts.merges), len(own), len(commits), reverts, len(facts.changes) - len(own))
    assert numbers <= set(map(str, (*counted, *map(states.count, states))))


@given(with_bodies(), st.randoms())
def test_the_order_in_which_commits_come_makes_no_difference(commits: list[Commit], random: Any) -> None:
    shuffled = list(commits)
    random.shuffle(shuffled)
    one, other = facts_of(commits), facts_of(shuffled)
    assert month_document(one) == month_document(other)


@given(with_bodies())
def test_the_changes_of_any_month_can_be_counted_in_its_lines(commits: list[Commit]) -> None:
    """A line is one change, or has the number of each, or says how many it is; so is each short title."""
    document = document_of(*commits)
    for item in document["items"]:
        if item["section"] in ("merges", "attention", "became"):
            continue
        counted = 0
        for line in item["lines"]:
            (said,) = re.findall(r"(?:^|,)(\d+) changes", ",".join(line["notes"])) or ["0"]
            (beside,) = re.findall(r"and (\d+) more", line["ref"]) or ["0"]
            counted += int(said) or max(1, line["ref"].count("#") + int(beside))
        for one in item["more"]:
            (said,) = re.findall(r"\((\d+) changes\)$", one.get("title", "")) or ["1"]
            counted += int(said)
        assert counted == item["changes"]


def test_only_what_is_out_today_needs_attention() -> None:
    """What is back, whenever that was, stands under what became of it, after the work."""
    stays, other = (
        commit("Add a plan", at="2025-10-01 12:00", paths=big("src/a.py")),
        commit("Add a wall", at="2025-10-02 12:00", paths=big("src/b.py")),
    )
    outs = [
        commit(f'Revert "{one.subject}"', at="2025-10-20 12:00", author=GRACE, paths=list(one.files))
        for one in (stays, other)
    ]
    again = commit("Reland Add a plan", at="2025-11-20 12:00", author=GRACE, paths=list(stays.files))
    work = commit("Add a roof", at="2025-10-03 12:00", paths=big("src/c.py"))
    document = document_of(stays, other, work, *outs, again)
    assert sections(document) == {"work": ["Add a roof"], "attention": ["Add a wall"], "became": ["Add a plan"]}
    assert [one["text"].split(" (")[0] for one in document["attention"]] == ["Add a wall"]
    text = Templates().month("text", read(document))
    assert text.index("Add a roof") < text.index("What became of it") < text.index("20 Nov back by Grace Hopper")
