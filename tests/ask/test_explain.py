"""Why a commit is in whose month: whose, when, which change, kind and state, each with its rule."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from builders import GitRepo
from drawn import scattered
from hypothesis import given, settings
from values import ADA, ENGINE, GRACE, INDEXED, WEB, commit, somebody

from bot.ask.explain import _OF_REVERTS, _STATES, LONGEST_MESSAGE
from bot.ask.query_service import QueryService
from bot.errors import CommitUnknown
from bot.model import Commit, Repository
from bot.month.calendar import Month, MonthRange
from bot.settings import Settings
from bot.slack.limits import MAX_TEXT, faults
from bot.slack.messages import reply_messages
from bot.story.document_json import to_json
from bot.story.render import Templates
from bot.story.wording import KIND_NAMES
from storage import Store

OCTOBER = MonthRange(Month(2025, 10), Month(2025, 10))
SHA = {name: name * 20 for name in ("a1", "b1", "c1", "d1", "e1")}
LAMP = commit("Add a lamp (#12)", sha=SHA["a1"])
WORK = commit("Cache the kernel (#1)", sha=SHA["a1"])
REVERT = commit('Revert "Cache the kernel (#1)" (#2)', at="2025-10-04 12:00", author=GRACE, sha=SHA["b1"])
AGAIN = commit("[reland] Cache the kernel (#1) (#3)", at="2025-11-02 12:00", sha=SHA["c1"])
BOT = somebody("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com")


def almanac_of(path: Path, *commits: Commit, zone: str = "UTC", now: str = "2026-02-05T09:00:00Z") -> QueryService:
    store = Store(path / "almanac.db")
    for name in (ENGINE, WEB):
        store.commits.register(Repository(name, f"/srv/{name}", indexed_at=INDEXED))
        store.commits.add(name, [one for one in commits if one.repository == name])
    return QueryService.of(store, Settings(fixed_now=datetime.fromisoformat(now), zone=ZoneInfo(zone)))


def told(path: Path, *commits: Commit, what: str | None = None, **more: str) -> list[str]:
    """The lines about the first of the commits, or of what is asked for."""
    return almanac_of(path, *commits, **more).explain(what or commits[0].sha).text.split("\n")


BY_ADDRESS = "  whose    Ada Lovelace's, by its address; signed as Ada Lovelace <ada@example.com>"
ON_3_OCTOBER = "  month    October 2025, by the author date 2025-10-03 12:00 +0000 in UTC"
MAKING = "  kind     feature, by the rule “begins with a verb of making”, which is not sure"
IN = "  state    in, at the end of the month as well as now"
ALONE = "  change   a change of its own"
IN_ENGINE = "  counted  in acme/engine"
UNRELEASED = "  release  in no release: no tag of it is known"


# --- whole


def test_a_plain_commit(tmp_path: Path) -> None:
    assert told(tmp_path, LAMP) == [
        "a1a1a1a1a1a1 Add a lamp (#12)", BY_ADDRESS, ON_3_OCTOBER, ALONE, MAKING, IN, IN_ENGINE, UNRELEASED,
    ]  # fmt: skip


def test_its_message_is_quoted_first_without_what_tools_and_trailers_add(tmp_path: Path) -> None:
    body = (
        "Summary:\nA lamp shows that the engine runs.\n\n- It is green.\n\n```\nlamp --on\n```\n\n"
        "Test Plan: looked at it\n\nReviewed By: ghopper\n\nDifferential Revision: D123456"
    )
    lines = told(tmp_path, replace(LAMP, body=body))
    assert lines[:4] == [
        "a1a1a1a1a1a1 Add a lamp (#12)", "  message  “A lamp shows that the engine runs.",
        "           - It is green.”", BY_ADDRESS,
    ]  # fmt: skip
    assert not any("D123456" in line or "looked" in line or "--on" in line for line in lines)


def test_a_long_message_is_cut(tmp_path: Path) -> None:
    almanac = almanac_of(tmp_path, replace(LAMP, body="Lamps are needed. " * 100))
    first = almanac.explain("#12").lines[0]
    assert (first.about, first.text[:19], first.text[-2:]) == ("message", "“Lamps are needed. ", "…”")
    assert len(first.text) <= LONGEST_MESSAGE + 2


def test_a_merge(tmp_path: Path) -> None:
    assert told(tmp_path, commit("Merge branch 'x'", merge=True, sha=SHA["a1"])) == [
        "a1a1a1a1a1a1 Merge branch 'x'",
        BY_ADDRESS,
        ON_3_OCTOBER,
        "  change   a merge: a commit of the month, shown beside the changes, which its own commits are",
        IN_ENGINE,
        UNRELEASED,
    ]


def test_a_machine(tmp_path: Path) -> None:
    bump = commit("Bump x from 1 to 2", author=BOT, paths=["Cargo.lock"], sha=SHA["a1"])
    assert told(tmp_path, bump) == [
        "a1a1a1a1a1a1 Bump x from 1 to 2",
        "  whose    dependabot[bot]'s, by the GitHub account dependabot[bot]; signed as dependabot[bot] "
        "<49699333+dependabot[bot]@users.noreply.github.com>. A machine by the patterns in `bots`, so it is left out "
        "of digests",
        ON_3_OCTOBER,
        ALONE,
        "  kind     build, by the rule “says that it updates a dependency”, which is not sure",
        IN,
        IN_ENGINE,
        UNRELEASED,
    ]


def test_a_second_address(tmp_path: Path) -> None:
    at_home = commit("Add a bell", author=somebody("Ada L.", "ada@home.example"), sha=SHA["b1"])
    almanac = almanac_of(tmp_path, LAMP, commit("Add a door"), at_home)
    store = Store(tmp_path / "almanac.db")
    before = almanac.explain(at_home.sha).lines[0].text
    assert before == "Ada L.'s, by its address; signed as Ada L. <ada@home.example>"
    store.people_links.add("link", ["ada@home.example"], "ada@example.com", "ada", INDEXED, confirmed=True)
    after = replace(almanac).explain(at_home.sha).lines[0].text
    assert after == "Ada Lovelace's, by a link made by hand; signed as Ada L. <ada@home.example>"


def test_a_change_that_was_backed_out_and_came_back(tmp_path: Path) -> None:
    """Its first commit, its revert and its re-land, each as the month tells it that it is in."""
    turns = (
        "reverted on 4 October 2025 by Grace Hopper (b1b1b1b1b), known by the pull request; brought back on 2 "
        "November 2025 by Ada Lovelace (c1c1c1c1c), known by the pull request"
    )
    chore = "  kind     other, by the rule “nothing decides”, which is not sure"
    assert told(tmp_path / "1", WORK, REVERT, AGAIN) == [
        "a1a1a1a1a1a1 Cache the kernel (#1)",
        BY_ADDRESS,
        ON_3_OCTOBER,
        "  change   one change with b1b1b1b1b in acme/engine and c1c1c1c1c in acme/engine, which began with this",
        chore,
        f"  state    at the end of the month backed out, now back in: {turns}",
        IN_ENGINE,
        UNRELEASED,
    ]
    assert told(tmp_path / "2", REVERT, WORK, AGAIN) == [
        'b1b1b1b1b1b1 Revert "Cache the kernel (#1)" (#2)',
        "  whose    Grace Hopper's, by its address; signed as Grace Hopper <grace@example.com>",
        "  month    October 2025, by the author date 2025-10-04 12:00 +0000 in UTC",
        "  change   one change with a1a1a1a1a in acme/engine and c1c1c1c1c in acme/engine, which began with a1a1a1a1a",
        "  undoes   a1a1a1a1a “Cache the kernel” by Ada Lovelace, known by the pull request",
        "  kind     revert, by the rule “says that it reverts”",
        "  state    at the end of the month it stands, now undone: undone on 2 November 2025 by Ada Lovelace "
        "(c1c1c1c1c), known by the pull request",
        IN_ENGINE,
        UNRELEASED,
    ]
    assert told(tmp_path / "3", AGAIN, REVERT, WORK) == [
        "c1c1c1c1c1c1 [reland] Cache the kernel (#1) (#3)",
        BY_ADDRESS,
        "  month    November 2025, by the author date 2025-11-02 12:00 +0000 in UTC",
        "  change   one change with a1a1a1a1a in acme/engine and b1b1b1b1b in acme/engine, which began with a1a1a1a1a",
        "  restores a1a1a1a1a “Cache the kernel” by Ada Lovelace, known by the pull request",
        chore,
        f"  state    back in, at the end of the month as well as now: {turns}",
        IN_ENGINE,
        UNRELEASED,
    ]


TITLES = ("Add a plan", "Add a bell")
PLAN, BELL = (
    commit(f"{title} (#{n})", body=f"Differential Revision: D7100000{n}", at=f"2025-10-0{n} 12:00", sha=SHA[name])
    for n, (title, name) in enumerate(zip(TITLES, ("a1", "b1"), strict=True), 1)
)
OF_BOTH = commit(
    'Back out "Add a plan" and "Add a bell"',
    body="Original Phabricator Diff: D71000001\nOriginal Phabricator Diff: D71000002",
    at="2025-10-04 12:00",
    author=GRACE,
    sha=SHA["c1"],
)


def test_a_revert_of_several_names_them_and_what_became_of_each(tmp_path: Path) -> None:
    plan_again = commit("Reland Add a plan (#1)", at="2025-10-05 12:00", sha=SHA["d1"])
    assert told(tmp_path, OF_BOTH, PLAN, BELL, plan_again)[3:6] == [
        ALONE,
        "  undoes   a1a1a1a1a “Add a plan” by Ada Lovelace, known by the diff, now back in; b1b1b1b1b “Add a bell” by "
        "Ada Lovelace, known by the diff, now backed out",
        "  kind     revert, by the rule “says that it reverts”",
    ]


def test_the_reason_of_a_revert_is_quoted_where_its_message_gives_one(tmp_path: Path) -> None:
    body = f"This reverts commit {WORK.sha}.\n\nIt breaks the build on arm."
    state = next(line for line in told(tmp_path, WORK, replace(REVERT, body=body)) if line.startswith("  state"))
    assert state.endswith("known by the SHA, with the words “It breaks the build on arm.”")


def test_a_revert_that_does_not_say_so_is_one_by_what_it_does(tmp_path: Path) -> None:
    """The month's rule, which is not what the words of the commit alone would give; its state is its own."""
    fix = commit(
        "Fix broken tests (#9)",
        body=f"This reverts commit {WORK.sha}.",
        at="2025-10-05 12:00",
        author=GRACE,
        sha=SHA["b1"],
    )
    assert told(tmp_path, fix, WORK)[5:8] == [
        "  undoes   a1a1a1a1a “Cache the kernel” by Ada Lovelace, known by the SHA",
        "  kind     revert, by the rule “reverts another change”",
        "  state    it stands, at the end of the month as well as now",
    ]


def test_a_change_that_a_helper_of_it_repairs_is_told_as_in_their_month(tmp_path: Path) -> None:
    """What somebody wrote together with the author is in the author's month as well."""
    shared = commit(
        "Add a lamp (#12)", author=GRACE, body="Co-authored-by: Ada Lovelace <ada@example.com>", sha=SHA["b1"]
    )
    revert = commit('Revert "Add a lamp (#12)" (#13)', at="2025-10-05 12:00", sha=SHA["a1"])
    almanac = almanac_of(tmp_path, revert, shared)
    document = to_json(almanac.months(ADA, OCTOBER)[0])
    (change,) = document["changes"]
    lines = {line.about: line.text for line in almanac.explain(revert.sha).lines}
    assert (change["kind"], change["state"]) == ("feature", "backed_out")
    assert lines["kind"].startswith("feature, as b1b1b1b1b is")
    assert lines["state"].startswith("backed out, at the end of the month")


def test_a_part_that_was_reverted(tmp_path: Path) -> None:
    partly = commit('Partially revert "Cache the kernel (#1)"', at="2025-10-04 12:00", author=GRACE, sha=SHA["b1"])
    assert told(tmp_path, WORK, partly)[5] == (
        "  state    partly backed out, at the end of the month as well as now: partly reverted on 4 October 2025 by "
        "Grace Hopper (b1b1b1b1b), known by the pull request"
    )


def test_a_commit_of_two_repositories_and_an_export(tmp_path: Path) -> None:
    twin = replace(LAMP, repository=WEB)
    lines = told(tmp_path / "1", LAMP, twin)
    assert lines[-5:-1] == [ALONE, MAKING, IN, "  counted  in acme/engine and acme/web"]
    body = "Differential Revision: D71000001"
    here, there = (
        commit("Add a lamp", body=body, at=at, repository=name, sha=sha)
        for name, at, sha in ((ENGINE, "2025-10-03 12:00", SHA["a1"]), (WEB, "2025-10-03 13:00", SHA["b1"]))
    )
    assert told(tmp_path / "2", here, there)[3] == (
        "  change   one change with b1b1b1b1b in acme/web, which began with this"
    )
    assert told(tmp_path / "3", there, here)[3] == "  change   one change with a1a1a1a1a in acme/engine: the same work"


def test_a_fix_that_the_month_tells_with_what_it_repairs(tmp_path: Path) -> None:
    fix = commit("Fix the lock of it", at="2025-10-05 12:00", body=f"Fixes: {LAMP.sha[:12]}", sha=SHA["b1"])
    lines = told(tmp_path, fix, LAMP)
    assert lines[3:] == [
        "  change   shown with a1a1a1a1a, which it repairs",
        "  kind     feature, as a1a1a1a1a is, by the rule “begins with a verb of making”, which is not sure",
        IN,
        IN_ENGINE,
        UNRELEASED,
    ]
    (document,) = QueryService.of(
        Store(tmp_path / "almanac.db"), Settings(fixed_now=datetime(2026, 2, 5, 9, tzinfo=UTC))
    ).months(ADA, OCTOBER)
    assert [(item.kind, item.evidence) for item in document.items] == [("feature", (LAMP.sha, fix.sha))]


@pytest.mark.parametrize(
    ("subject", "kind"),
    [
        ("Revert the lamp", "revert, by the rule “says that it reverts”"),
        ("Add a lamp", "feature, by the rule “begins with a verb of making”, which is not sure"),
        ("Lamp", "other, by the rule “nothing decides”, which is not sure"),
        ("docs: tell of lamps", "documentation, by the rule “says its kind in a prefix or a tag”"),
    ],
)
def test_a_kind_says_its_rule_and_where_that_is_not_sure(tmp_path: Path, subject: str, kind: str) -> None:
    assert told(tmp_path, commit(subject))[4] == f"  kind     {kind}"


@pytest.mark.parametrize(
    ("body", "credit"),
    [
        ("Reviewed-by: Grace Hopper <grace@example.com>", "reviewed by Grace Hopper"),
        ("Co-authored-by: G <GRACE@example.com>", "written together with Grace Hopper"),
        (
            "Reviewed-by: Grace Hopper <grace@example.com>\nTested-by: Zoe <zoe@x.example>\nTested-by: Y <y@x.example>",
            "reviewed by Grace Hopper; trailers also name Zoe <zoe@x.example> and Y <y@x.example>, not known here",
        ),
        ("Tested-by: Zoe <zoe@x.example>", "trailers name Zoe <zoe@x.example>, not known here"),
        ("Reviewed By: zoe, yan", "trailers name zoe and yan, not known here"),
        (
            "Tested-by: Zoe <zoe@x.example>\nReviewed-by: Zoe <zoe@x.example>",
            "trailers name Zoe <zoe@x.example>, not known here",
        ),
        (
            "\n".join(f"Tested-by: T{n} <t{n}@x.example>" for n in range(10)),
            "trailers name " + ", ".join(f"T{n} <t{n}@x.example>" for n in range(8)) + " and 2 more, not known here",
        ),
        ("Co-authored-by: Ada Lovelace <ada@example.com>", None),
        ("Reviewed By: ada", None),
        ("Co-authored-by: Ada <ada@example.com>\nTested-by: Ada Lovelace <ada@laptop.local>", None),
        ("Co-authored-by: Claude <noreply@anthropic.com>", None),
        ("Co-authored-by: renovate[bot] <renovate@x.example>", None),
        ("It is bright.", None),
    ],
)
def test_who_else_is_named(tmp_path: Path, body: str, credit: str | None) -> None:
    lines = told(tmp_path, commit("Add a lamp", body=body), commit("Add a bell", author=GRACE))
    assert [line for line in lines if line.startswith("  credit")] == ([f"  credit   {credit}"] if credit else [])


# --- months


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        ("UTC", "October 2025, by the author date 2025-09-30 17:12 -0700 in UTC (for its author it was still September "
                "2025)"),
        ("America/Los_Angeles", "September 2025, by the author date 2025-09-30 17:12 -0700 in America/Los_Angeles"),
    ],
)  # fmt: skip
def test_a_month_is_that_of_the_zone(tmp_path: Path, zone: str, text: str) -> None:
    late = commit("Add a lamp", at="2025-09-30 17:12-07:00")
    assert told(tmp_path, late, zone=zone)[2] == f"  month    {text}"


def test_a_month_that_had_begun_for_the_author_alone(tmp_path: Path) -> None:
    early = commit("Add a lamp", at="2025-10-01 00:30+02:00")
    assert told(tmp_path, early)[2] == (
        "  month    September 2025, by the author date 2025-10-01 00:30 +0200 in UTC (for its author it was already "
        "October 2025)"
    )


@pytest.mark.parametrize(
    ("days", "more"), [(40, ". It was merged on 12 November 2025, when the month was over"), (2, ""), (-40, "")]
)
def test_a_late_merge_is_noted(tmp_path: Path, days: int, more: str) -> None:
    one = replace(LAMP, committer=replace(LAMP.committer, seconds=LAMP.committer.seconds + days * 24 * 3600))
    assert told(tmp_path, one)[2] == ON_3_OCTOBER + more


def test_a_month_that_is_not_over_has_no_end_yet(tmp_path: Path) -> None:
    assert told(tmp_path, LAMP, now="2025-10-20T09:00:00Z")[5] == "  state    in so far"


# --- which commit is meant


@pytest.mark.parametrize(
    "what",
    ["a1a1", "A1A1A1A1", SHA["a1"], "#12", "!12", "acme/engine!12", "acme/engine#12", "Acme/Engine#12", "`a1a1a1`?"],
)
def test_a_commit_is_named_by_its_beginning_or_its_pull_request(tmp_path: Path, what: str) -> None:
    assert told(tmp_path, LAMP, what=what)[0] == "a1a1a1a1a1a1 Add a lamp (#12)"


NOT_INDEXED = (
    "is indexed: check the digits, or run `almanac index` if it is new; only default branches are indexed, and no open "
    "pull requests"
)
NO_SHA = "is no commit: write the first digits of its SHA, or #12 of its subject"


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("ffff", f"no commit ffff {NOT_INDEXED}"),
        ("#99", f"no commit #99 {NOT_INDEXED}"),
        ("acme/absent#12", f"no commit acme/absent#12 {NOT_INDEXED}"),
        ("abc", f"'abc' {NO_SHA}"),
        ("the lamp", f"'the lamp' {NO_SHA}"),
        ("\x1b[31m<!channel>", f"'<!channel>' {NO_SHA}"),
        ("", f"'' {NO_SHA}"),
        (
            "abcd",
            "abcd may be abcd11111 (acme/engine: One (#7)), abcd22222 (acme/engine: Two (#7)) or abcd33333 "
            "(acme/web: Three): write more digits",
        ),
        ("#7", "#7 may be abcd11111 (acme/engine: One (#7)) or abcd22222 (acme/engine: Two (#7)): write the SHA"),
        (
            "#8",
            "#8 may be eeee11111 (acme/engine: Four (#8)) or eeee22222 (acme/web: Five (#8)): write acme/engine#8 or "
            "acme/web#8",
        ),
    ],
)
def test_what_means_none_or_several_is_answered_with_what_to_write(tmp_path: Path, what: str, said: str) -> None:
    three = [
        commit(subject, at=f"2025-10-0{n} 12:00", repository=name, sha="abcd" + str(n) * 36)
        for n, (subject, name) in enumerate([("One (#7)", ENGINE), ("Two (#7)", ENGINE), ("Three", WEB)], 1)
    ]
    eight = [commit("Four (#8)", sha="eeee" + "1" * 36), commit("Five (#8)", repository=WEB, sha="eeee" + "2" * 36)]
    almanac = almanac_of(tmp_path, *three, replace(three[0], repository=WEB), *eight)
    with pytest.raises(CommitUnknown) as raised:
        almanac.explain(what)
    assert str(raised.value) == said


@pytest.mark.parametrize("what", ["web#8", "Web#8", "acme/web#8"])
def test_a_repository_may_be_named_by_the_last_part_of_its_name(tmp_path: Path, what: str) -> None:
    here, there = commit("Four (#8)", sha=SHA["a1"]), commit("Five (#8)", repository=WEB, sha=SHA["b1"])
    almanac = almanac_of(tmp_path, here, there)
    assert almanac.explain(what).commit == there
    assert almanac.reply(almanac.question(f"explain {what}")).explanation == almanac.explain(there.sha)


def test_a_pull_request_means_its_own_repositorys_commit_before_an_export(tmp_path: Path) -> None:
    own = commit("Add a lamp (#9)", repository=WEB, sha=SHA["a1"])
    export = commit("Add a lamp", body=f"X-link: https://github.com/{WEB}/pull/9", sha=SHA["b1"])
    assert told(tmp_path, own, export, what=f"{WEB}#9")[0] == "a1a1a1a1a1a1 Add a lamp (#9)"


# --- what may not be told


HIDDEN = frozenset({WEB})


@pytest.mark.parametrize("what", [SHA["b1"], "b1b1", "#31", f"{WEB}#31"])
def test_of_a_hidden_repository_a_commit_is_unknown_as_if_it_were_not_there(tmp_path: Path, what: str) -> None:
    secret = commit("Plan the raid (#31)", repository=WEB, sha=SHA["b1"])
    said = []
    for name, commits in (("with", [LAMP, secret]), ("without", [LAMP])):
        with pytest.raises(CommitUnknown) as raised:
            replace(almanac_of(tmp_path / name, *commits), hidden=HIDDEN).explain(what)
        said.append(str(raised.value))
    assert said[0] == said[1]


def test_a_hidden_commit_makes_nothing_ambiguous(tmp_path: Path) -> None:
    secret = commit("Plan the raid (#12)", repository=WEB, sha="a1a1" + "b" * 36)
    almanac = almanac_of(tmp_path, LAMP, secret)
    with pytest.raises(CommitUnknown):
        almanac.explain("a1a1")
    for what in ("a1a1", "#12"):
        assert replace(almanac, hidden=HIDDEN).explain(what).commit.sha == LAMP.sha


def secret_turns() -> list[Commit]:
    """A change that a hidden repository holds as well, where alone it was taken out."""
    body = "Differential Revision: D71000001"
    here, there = (
        commit("Cache the kernel", body=body, repository=name, sha=sha)
        for name, sha in ((ENGINE, SHA["a1"]), (WEB, SHA["b1"]))
    )
    out = [
        commit(
            "Back out for the raid",
            body=f"This reverts commit {sha}.",
            at="2025-11-04 12:00",
            author=GRACE,
            repository=WEB,
            sha=SHA[name],
        )
        for sha, name in ((there.sha, "c1"), (here.sha, "d1"))
    ]
    return [here, there, *out]


def test_neither_state_nor_exports_tell_of_a_hidden_repository(tmp_path: Path) -> None:
    here, *secret = secret_turns()
    open_lines = almanac_of(tmp_path / "open", here, *secret).explain(here.sha).text
    assert "c1c1c1c1c" in open_lines and WEB in open_lines
    told_here = replace(almanac_of(tmp_path / "hidden", here, *secret), hidden=HIDDEN).explain(here.sha)
    assert told_here == almanac_of(tmp_path / "none", here).explain(here.sha)


def test_a_month_tells_of_a_hidden_repository_how_many_changes_and_no_more(tmp_path: Path) -> None:
    here, there, *out = secret_turns()
    own = [here, commit("Add a lamp (#12)", at="2025-10-09 12:00", sha=SHA["e1"])]
    secret = [there, *out, replace(own[1], repository=WEB), commit("Plan the raid", repository=WEB)]
    (hidden,) = replace(almanac_of(tmp_path / "1", *own, *secret), hidden=HIDDEN).months(ADA, OCTOBER)
    (without,) = replace(almanac_of(tmp_path / "2", *own), hidden=HIDDEN).months(ADA, OCTOBER)
    assert hidden.notes == ("1 change in repositories that are not for this channel is left out.",)
    assert replace(hidden, notes=()) == without
    assert there.sha not in json.dumps(to_json(hidden))


def test_help_in_a_hidden_repository_is_not_told(tmp_path: Path) -> None:
    read = commit("Plan the raid", repository=WEB, body="Reviewed-by: Ada Lovelace <ada@example.com>", author=GRACE)
    almanac = almanac_of(tmp_path, LAMP, read)
    document = to_json(almanac.months(ADA, OCTOBER)[0])
    assert document["credit"]["reviewed"] == [{"repository": WEB, "commits": 1, "people": 1}]
    document = to_json(replace(almanac, hidden=HIDDEN).months(ADA, OCTOBER)[0])
    assert document["credit"]["reviewed"] == []
    assert WEB not in json.dumps(document)


# --- asked


def test_in_slack_it_is_one_block_of_lines_in_which_nothing_is_parsed(tmp_path: Path) -> None:
    almanac = almanac_of(tmp_path, commit("Ping <!channel> & all", sha=SHA["a1"]))
    (message,) = reply_messages(almanac.reply(almanac.question("explain a1a1a1a1")), Templates(), almanac)
    (block,) = message.blocks
    (section,) = block["elements"]
    assert section["elements"][:4] == [
        {"type": "text", "text": "a1a1a1a1a1a1", "style": {"code": True}},
        {"type": "text", "text": " Ping <!channel> & all"},
        {"type": "text", "text": "\nwhose", "style": {"bold": True}},
        {"type": "text", "text": " Ada Lovelace's, by its address; signed as Ada Lovelace <ada@example.com>"},
    ]
    lines = message.text.split("\n")
    assert lines[:2] == [
        "a1a1a1a1a1a1 Ping &lt;!channel&gt; &amp; all",
        "*whose* Ada Lovelace's, by its address; signed as Ada Lovelace &lt;ada@example.com&gt;",
    ]
    assert len(lines) == 8
    assert faults(message.payload()) == []


def test_an_explanation_fits_into_a_message_however_long_it_is(tmp_path: Path) -> None:
    helpers = "\n".join(f"Tested-by: {'漢' * 90} {n} <t{n}@x.example>" for n in range(9))
    long = commit("& 漢字" * 2_000, body=helpers, sha=SHA["a1"])
    almanac = almanac_of(tmp_path, long)
    (message,) = reply_messages(almanac.reply(almanac.question("explain a1a1a1a1")), Templates(), almanac)
    assert len(message.blocks) == 1
    assert len(message.text) <= MAX_TEXT
    assert faults(message.payload()) == []


@pytest.mark.parametrize("question", ["why is #12 in october?", "explain a1a1a1a", "explain #12", "what is a1a1a1a1?"])
def test_a_question_is_answered_with_the_lines(tmp_path: Path, question: str) -> None:
    almanac = almanac_of(tmp_path, LAMP)
    reply = almanac.reply(almanac.question(question))
    assert (reply.words, reply.documents, reply.help) == (almanac.explain("#12").text, (), False)


def test_a_question_about_an_unknown_commit_is_answered_in_a_sentence(tmp_path: Path) -> None:
    almanac = almanac_of(tmp_path, LAMP)
    assert almanac.reply(almanac.question("explain #99")).words == f"No commit #99 {NOT_INDEXED}."


def test_as_json_it_is_a_list_of_what_was_decided(tmp_path: Path) -> None:
    document = almanac_of(tmp_path, WORK, REVERT).explain(WORK.sha).document()
    assert {key: document[key] for key in ("schema", "sha", "repository", "subject")} == {
        "schema": 1,
        "sha": WORK.sha,
        "repository": ENGINE,
        "subject": "Cache the kernel (#1)",
    }
    assert [line["about"] for line in document["decided"]] == [
        "whose", "month", "change", "kind", "state", "counted", "release",
    ]  # fmt: skip
    assert document["decided"][4] == {
        "about": "state",
        "text": "backed out, at the end of the month as well as now: reverted on 4 October 2025 by Grace Hopper "
        "(b1b1b1b1b), known by the pull request",
        "evidence": [REVERT.sha],
    }
    assert json.loads(json.dumps(document)) == document


def test_hostile_text_steers_no_terminal(tmp_path: Path) -> None:
    hostile = "\x1b[31mAdd\x07 \u202ea <!channel> lamp"
    author = somebody("\x1b]0;Ada\x07 Eve\u2066", "eve@example.com")
    lines = told(tmp_path, commit(hostile, author=author, sha=SHA["a1"]))
    assert lines[0] == "a1a1a1a1a1a1 Add a <!channel> lamp"
    assert not {sign for line in lines for sign in line if not sign.isprintable()}


# --- typed


def test_the_command_prints_the_same_lines(
    almanac: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMANAC_NOW", "2025-11-05T09:00:00Z")
    repo = GitRepo(tmp_path / "acme" / "engine")
    sha = repo.commit("Add a lamp (#12)", at="2025-09-30 17:12 -0700", files={"src/lamp.py": "on\n"})
    assert almanac("index", repo.path).code == 0
    ran = almanac("explain", sha[:7])
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "\n".join(
        [
            f"{sha[:12]} Add a lamp (#12)",
            BY_ADDRESS,
            "  month    October 2025, by the author date 2025-09-30 17:12 -0700 in UTC (for its author it was still "
            "September 2025)",
            ALONE,
            "  kind     feature, by the rule “makes something, in new files or with tests and documents”",
            IN,
            IN_ENGINE,
            UNRELEASED,
            "",
        ]
    )
    assert almanac("explain", "#12").out == almanac("explain", "acme/engine#12").out == ran.out
    assert json.loads(almanac("explain", sha, "--format", "json").out)["sha"] == sha
    assert almanac("ask", f"explain {sha}").out == ran.out
    assert almanac("ask", f"explain {sha}", "--format", "markdown").out == f"```\n{ran.out}```\n"
    assert "&lt;ada@example.com&gt;\n  month " in almanac("ask", f"explain {sha}", "--format", "html").out
    assert [one["sha"] for one in json.loads(almanac("ask", f"explain {sha}", "--format", "json").out)] == [sha]
    assert almanac("ask", "explain ffff1111").out.startswith("No commit ffff1111 is indexed: check the digits")
    there = almanac("explain", sha, "--zone", "America/Los_Angeles").out
    assert "  month    September 2025, by the author date 2025-09-30 17:12 -0700 in America/Los_Angeles\n" in there
    unknown = almanac("explain", "ffff")
    assert (unknown.code, unknown.out) == (1, "")
    assert NOT_INDEXED in unknown.err


# --- the promise


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("explained")


def test_what_is_explained_is_what_the_month_tells(shared: Path) -> None:
    """Whatever commits say of each other: the same kind and the same state, for each commit of a month."""
    almanac_of(shared)
    store = Store(shared / "almanac.db")

    @settings(max_examples=settings.default.max_examples // 5)
    @given(scattered((ENGINE, WEB)))
    def check(commits: list[Commit]) -> None:
        for name in (ENGINE, WEB):
            store.commits.forget(name, sorted(store.commits.stored(name)))
        almanac = almanac_of(shared, *commits, now="2027-01-01T00:00:00Z")
        for person in almanac.known.everyone:
            for document in to_json(almanac.months(person, MonthRange(Month(2025, 9), Month(2026, 12)))):
                for change in document["changes"]:
                    for one in change["commits"]:
                        lines = {line.about: line.text for line in almanac.explain(one["sha"]).lines}
                        assert lines["month"].startswith(Month.parse(document["month"]).title)
                        assert lines["kind"].partition(",")[0] == KIND_NAMES[change["kind"]]
                        then = re.split("[,:]", lines["state"].removeprefix("at the end of the month "))[0]
                        assert then == (_OF_REVERTS if change["kind"] == "revert" else _STATES)[change["state"]]

    check()
