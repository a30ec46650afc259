"""What is told of commits and topics: why, whose, when, their fate and their copies; and by which rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from drawn import scattered
from hypothesis import given, settings
from values import ENGINE, GRACE, INDEXED, WEB, changed, commit, somebody

from bot.ask.answers import answered, understood
from bot.ask.explain import Explanation
from bot.ask.queries import Queries
from bot.errors import CommitUnknown
from bot.model import Commit, Repository
from bot.settings import Settings
from bot.story.documents import to_json
from bot.wording import KIND_NAMES
from storage import Store

A1, B1, C1, D1, E1 = (name * 20 for name in ("a1", "b1", "c1", "d1", "e1"))
LAMP = commit("Add a lamp (#12)", sha=A1)
WORK = commit("Cache the kernel (#1)", sha=A1)
REVERT = commit('Revert "Cache the kernel (#1)" (#2)', at="2025-10-04 12:00", author=GRACE, sha=B1)
AGAIN = commit("[reland] Cache the kernel (#1) (#3)", at="2025-11-02 12:00", sha=C1)
TWICE = commit(f'Revert "{AGAIN.subject}"', at="2025-11-03 12:00", author=GRACE, body=f"Reverts {C1}.", sha=D1)
BECAUSE = replace(REVERT, body=f"This reverts commit {A1}.\n\nIt breaks the build on arm. Sorry!")
BOT = somebody("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com")
DIFF = "Differential Revision: D7100000"


def almanac_of(path: Path, *commits: Commit, zone: str = "UTC", now: str = "2026-02-05T09:00:00Z") -> Queries:
    store = Store(path / "almanac.db")
    for name in (ENGINE, WEB):
        store.commits.register(Repository(name, f"/srv/{name}", indexed_at=INDEXED))
        store.commits.add(name, [one for one in commits if one.repository == name])
    return Queries.of(store, Settings(fixed_now=datetime.fromisoformat(now), zone=ZoneInfo(zone)))


def explained(path: Path, *commits: Commit, what: str | None = None, **more: str) -> Explanation:
    """What is known of the first of the commits, or of what is asked for."""
    return almanac_of(path, *commits, **more).explain([what or commits[0].sha]).explained[0]


def decided(explanation: Explanation) -> dict[str, str]:
    return {line.about: line.text for line in (*explanation.brief, *explanation.decided)}


# --- briefly, as people ask

PICKED = commit("Add a lamp", body=f"(cherry picked from commit {A1})", at="2025-10-09 12:00", repository=WEB, sha=B1)
MERGED = [
    commit("Merge pull request #12 from ada/lamp", author=GRACE, merge=True, at="2025-10-05 12:00", sha=B1),
    replace(commit("Add a lamp", body="It shows that the engine runs.", sha=A1), via=B1, came_at=1_759_665_600),
]
IN_OCTOBER = "Ada Lovelace's, written on 3 October 2025; it came to acme/engine that day"
OUT = "reverted on 4 October 2025 by Grace Hopper (b1b1b1b1b)"
BACK = "brought back on 2 November 2025 by Ada Lovelace (c1c1c1c1c)"


@pytest.mark.parametrize(
    ("commits", "about", "said"),
    [
        ([LAMP], "why", "the message gives none"),
        ([replace(LAMP, body="Fixes #15178\nCloses #15171")], "why", "the message gives none"),
        ([commit("Add a lamp. It shows that the engine runs. (#12)")], "why", "“It shows that the engine runs.”"),
        ([replace(LAMP, body="Lamps help us. They glow.\n\nTest Plan: looked")], "why", "“Lamps help us. They glow.”"),
        ([replace(LAMP, body="Now write this\n```\nlamp()\n```\nand it is lit.")], "why",
         "“Now write this …\nand it is lit.”"),
        ([replace(LAMP, body="* Add a lamp\n* fix\n* make it green\n* dim it\n* dim it again")], "why",
         "“- make it green\n- dim it again”"),
        ([replace(LAMP, body="Now write this,\n\n    lamp()\n\nand it is lit.")], "why",
         "“Now write this, …\nand it is lit.”"),
        ([replace(LAMP, body="It is lit. " * 80)], "why", f"“{'It is lit. ' * 63}…”"),
        ([REVERT, WORK], "why", "the message gives none"),
        ([replace(BECAUSE, body=f"This reverts commit {A1}."), WORK], "why", "the message gives none"),
        ([BECAUSE, WORK], "why", "“It breaks the build on arm.”"),
        (MERGED, "why", "“It shows that the engine runs.”"),
        ([LAMP], "whose", IN_OCTOBER),
        ([replace(LAMP, body="Reviewed-by: G <grace@example.com>"), REVERT], "whose",
         f"{IN_OCTOBER}; reviewed by Grace Hopper"),
        ([LAMP, replace(LAMP, repository=WEB)], "whose", f"{IN_OCTOBER} and acme/web that day"),
        (MERGED, "whose", "Ada Lovelace's, written on 3 October 2025; it came to acme/engine on 5 October 2025"),
        ([LAMP], "fate", "in: nothing is known to have reverted it"),
        ([WORK, REVERT], "fate", f"backed out: {OUT}, whose message gives no reason"),
        ([WORK, replace(REVERT, subject="Revert the cache, too slow", body=f"This reverts commit {A1}.")], "fate",
         f"backed out: {OUT}: “Revert the cache, too slow”"),
        ([WORK, replace(REVERT, body=f"This reverts commit {A1}.\n\nThe build for arm wants a hash of it.")], "fate",
         f"backed out: {OUT}"),
        ([WORK, BECAUSE], "fate", f"backed out: {OUT}: “It breaks the build on arm.”"),
        ([WORK, BECAUSE, AGAIN], "fate", f"back in: {OUT}: “It breaks the build on arm.”; {BACK}"),
        ([BECAUSE, WORK], "fate", "it stands: it reverts a1a1a1a1a “Cache the kernel” by Ada Lovelace"),
        ([TWICE, AGAIN, BECAUSE, WORK], "fate",
         "it stands: it reverts c1c1c1c1c “[reland] Cache the kernel” by Ada Lovelace"),
        ([AGAIN, REVERT, WORK], "fate", "back in: it brings back a1a1a1a1a “Cache the kernel” by Ada Lovelace; "
         f"{OUT}, whose message gives no reason"),
        ([*MERGED, commit("Revert the lamp", body="Reverts #12. Too bright for the cat.", at="2025-10-07 12:00",
                          author=GRACE, sha=C1)], "fate",
         "backed out: reverted on 7 October 2025 by Grace Hopper (c1c1c1c1c): “Too bright for the cat.”"),
        ([LAMP], "copies", "no cherry-pick, backport or export of it is known"),
        ([LAMP, PICKED], "copies", "the same change is b1b1b1b1b in acme/web, 9 October 2025"),
        ([WORK, REVERT, AGAIN], "copies", "no cherry-pick, backport or export of it is known"),
        ([LAMP], "release", "in no release: no tag of it is known"),
    ],
)  # fmt: skip
def test_of_a_commit_is_told(tmp_path: Path, commits: Sequence[Commit], about: str, said: str) -> None:
    told = explained(tmp_path, *commits)
    assert decided(told)[about] == said
    assert f"{about:<8} {said.splitlines()[0]}" in told.short


# --- by topic

TOPIC = [
    commit("Tidy", body="Makes room for a lamp.", at="2025-01-01 12:00", sha=D1),
    commit("Add a lamp", body="It shows that the engine runs.", at="2025-02-01 12:00", sha=A1),
    commit("docs: say of the lamp how it is lit", at="2025-03-01 12:00", paths=[changed("a.md", 900)], sha=E1),
    commit("Dim the lamp", body="At night.", at="2025-04-01 12:00", paths=[changed("b.c", 50)], author=GRACE, sha=B1),
    commit('Revert "Dim the lamp"', body="It hangs.", at="2025-05-01 12:00", paths=["b.c"], author=GRACE, sha=C1),
    commit("Bump lamp from 1 to 2", author=BOT, at="2025-06-01 12:00"),
    commit("Light every lamp at once", at="2025-07-01 12:00", paths=[changed("b.c", 70)]),
    commit("Add a bell", at="2025-08-01 12:00"),
]


@pytest.mark.parametrize(
    ("asked", "titles", "note"),
    [
        ({"topic": "lamp"}, ["Add a lamp", "Dim the lamp", "Light every lamp at once", "docs: say of the lamp"],
         "The first of these is the first in the index that names “lamp”."),
        ({"topic": "lamps", "span": "2025-02"}, ["Add a lamp"], ""),
        ({"topic": "bell OR room"}, ["Add a bell", "Tidy"], "names “bell OR room”"),
        ({"topic": "lamp", "people": "Grace Hopper"}, ["Dim the lamp"], ""),
        ({"topic": "lamp", "span": "2025-07"}, ["Light every lamp at once"], ""),
        ({"topic": "lamp", "reverted": True}, ["Dim the lamp"], ""),
        ({"topic": "lamp", "deed": "snuff OR light"}, ["Light every lamp at once", "Dim the lamp", "Add a lamp"], ""),
        ({"topic": "lamp", "paths": ("b.c",)}, ["Dim the lamp", "Light every lamp at once"], ""),
        ({"topic": "lamp", "without": ("b.c", "docs")}, ["Add a lamp", "Tidy"], ""),
        ({"topic": "lamp", "kinds": ("docs",)}, ["docs: say of the lamp"], ""),
        ({"topic": "bell", "kinds": ("fix",)}, ["Add a bell"], "No change on “bell” is told by its title to be a"),
        ({"topic": "bell", "reverted": True}, ["Add a bell"], "No change on “bell” is known to have been reverted."),
    ],
)  # fmt: skip
def test_of_a_topic_the_first_and_the_best_are_told(
    tmp_path: Path, asked: dict[str, Any], titles: list[str], note: str
) -> None:
    told = almanac_of(tmp_path, *TOPIC).explain(**asked)
    assert [one.subject[: len(title)] for one, title in zip(told.explained, titles, strict=True)] == titles
    assert note in " ".join(told.notes)


def test_of_a_file_what_names_it_in_its_title_comes_first(tmp_path: Path) -> None:
    touched = commit("Drop old versions", body="Nobody runs them.", paths=[changed("tools/migrate.py", 90)], sha=A1)
    named = commit("Delete tools/migrate.py", paths=[changed("tools/migrate.py", 9)], sha=B1)
    told = almanac_of(tmp_path, touched, named).explain(paths=["migrate.py"])
    assert [one.subject for one in told.explained] == [named.subject, touched.subject]


def test_what_a_topic_shows_first_is_quoted_at_length(tmp_path: Path) -> None:
    reason = "It drains the battery. " * 18
    told = almanac_of(
        tmp_path,
        commit("Drop the lamp", body=reason, at="2025-02-01 12:00", sha=A1),
        commit("Clean the glass of the lamp", body=reason, at="2025-02-02 12:00", sha=B1),
    ).explain(topic="drop lamp OR lamp")
    first, second = (decided(one)["why"] for one in told.explained)
    assert reason.strip() in first and second.endswith("…”") and len(second) < len(first) / 2


def test_a_topic_is_told_of_those_of_one_name_together(tmp_path: Path) -> None:
    grace, other = (somebody("Grace Hopper", f"{at}@users.noreply.github.com") for at in ("1+grace", "2+hopper"))
    almanac = almanac_of(
        tmp_path,
        commit("Add a wheel parser", author=other, sha=A1),
        commit("Oil the lamp", author=grace, sha=B1),
        commit("Turn the wheel parser", sha=C1),
    )
    question = understood(almanac, "why did grace hopper add the wheel parser")
    reply = answered(almanac, question)
    assert reply.first == "Grace Hopper · “wheel parser” · both of the name Grace Hopper"
    assert reply.explanations and [one.subject for one in reply.explanations.explained] == ["Add a wheel parser"]


# --- by which rules

ON_3_OCTOBER = "October 2025, by the author date 2025-10-03 12:00 +0000 in UTC"
LATE = replace(LAMP, committer=replace(LAMP.committer, seconds=LAMP.committer.seconds + 40 * 24 * 3600))
BOTH = [
    commit('Back out "Add a plan" and "Add a bell"', at="2025-10-04 12:00", author=GRACE, sha=C1,
           body="Original Phabricator Diff: D71000001\nOriginal Phabricator Diff: D71000002"),
    commit("Add a plan (#1)", body=f"{DIFF}1", at="2025-10-01 12:00", sha=A1),
    commit("Add a bell (#2)", body=f"{DIFF}2", at="2025-10-02 12:00", sha=B1),
    commit("Reland Add a plan (#1)", at="2025-10-05 12:00", sha=D1),
]  # fmt: skip
TESTERS = "\n".join(f"Tested-by: T{n} <t{n}@x.example>" for n in range(10))
WITH_ADA = commit("Add a lamp (#12)", author=GRACE, body="Co-authored-by: Ada Lovelace <ada@example.com>", sha=B1)


@pytest.mark.parametrize(
    ("commits", "expected"),
    [
        ([LAMP], {"author": "Ada Lovelace's, by its address; signed as Ada Lovelace <ada@example.com>",
                  "month": ON_3_OCTOBER,
                  "kind": "feature, by the rule “begins with a verb of making”, which is not sure",
                  "state": "in, at the end of the month as well as now",
                  "release": "in no release: no tag of it is known"}),
        ([commit("Merge branch 'x'", merge=True)],
         {"change": "a merge: a commit of the month, shown beside the changes, which its own commits are"}),
        ([commit("Bump x from 1 to 2", author=BOT, paths=["Cargo.lock"])],
         {"author": "dependabot[bot]'s, by the GitHub account dependabot[bot]; signed as dependabot[bot] "
                   "<49699333+dependabot[bot]@users.noreply.github.com>. A machine by the patterns in `bots`, so it "
                   "is left out of digests"}),
        ([LATE], {"month": ON_3_OCTOBER}),
        ([commit(at="2025-10-01 00:30+02:00")],
         {"month": "September 2025, by the author date 2025-10-01 00:30 +0200 in UTC"}),
        ([WORK, REVERT, AGAIN],
         {"state": "at the end of the month backed out, now back in"}),
        ([WORK, BECAUSE], {"state": "backed out, at the end of the month as well as now"}),
        ([REVERT, WORK, AGAIN],
         {"fate": "undone: it reverts a1a1a1a1a “Cache the kernel” by Ada Lovelace; undone on 2 November 2025 by "
                  "Ada Lovelace (c1c1c1c1c)",
          "kind": "revert, by the rule “says that it reverts”",
          "state": "at the end of the month it stands, now undone"}),
        (BOTH, {"fate": "it stands: it reverts a1a1a1a1a “Add a plan” by Ada Lovelace; it reverts b1b1b1b1b “Add a "
                        "bell” by Ada Lovelace"}),
        ([commit("Fix tests (#9)", body=f"This reverts commit {A1}.", at="2025-10-05 12:00", author=GRACE), WORK],
         {"kind": "tests, by the rule “says that it is of tests”, which is not sure"}),
        ([commit("Fix the lock of it", at="2025-10-05 12:00", body=f"Fixes: {A1[:12]}"), LAMP],
         {"kind": "fix, by the rule “begins with a verb of repair”, which is not sure"}),
        ([commit('Revert "Add a lamp (#12)" (#13)', at="2025-10-05 12:00", sha=A1), WITH_ADA],
         {"kind": "feature, as b1b1b1b1b is, by the rule “begins with a verb of making”, which is not sure",
          "state": "backed out, at the end of the month as well as now",
          "fate": "it stands: it reverts b1b1b1b1b “Add a lamp” by Grace Hopper"}),
        ([WORK, commit('Partially revert "Cache the kernel (#1)"', at="2025-10-04 12:00", author=GRACE, sha=B1)],
         {"state": "partly backed out, at the end of the month as well as now"}),
        ([replace(LAMP, body="Tested-by: Zoe <zoe@x.example>\nReviewed-by: Grace Hopper <grace@example.com>"), REVERT],
         {"whose": f"{IN_OCTOBER}; reviewed by Grace Hopper; tested by Zoe <zoe@x.example>"}),
        ([replace(LAMP, body=TESTERS)],
         {"whose": f"{IN_OCTOBER}; tested by " + ", ".join(f"T{n} <t{n}@x.example>" for n in range(8)) + " and 2 "
                   "others"}),
        ([replace(LAMP, body="Co-authored-by: Ada <ada@example.com>")], {"whose": IN_OCTOBER}),
        ([replace(LAMP, body="Co-authored-by: Claude <noreply@anthropic.com>")], {"whose": IN_OCTOBER}),
    ],
)  # fmt: skip
def test_it_is_decided_by_rules(tmp_path: Path, commits: Sequence[Commit], expected: dict[str, str | None]) -> None:
    lines = decided(explained(tmp_path, *commits))
    assert {about: lines.get(about) for about in expected} == expected


# --- which commit is meant

NOT_INDEXED = (
    "No commit {} is indexed: check the digits, or run `almanac index` if it is new; only default branches are "
    "indexed, and no open pull requests"
)
NO_SHA = "is no commit: write the first digits of its SHA, or #12 of its subject"
MANY = [
    *(commit(title, at=f"2025-10-0{n} 12:00", repository=where, sha="abcd" + str(n) * 36)
      for n, (title, where) in enumerate([("One (#7)", ENGINE), ("Two (#7)", ENGINE), ("Three", WEB)], 1)),
    commit("Four (#8)", sha="eeee" + "1" * 36), commit("Five (#8)", repository=WEB, sha="eeee" + "2" * 36),
    commit("Add a lamp (#9)", repository=WEB, sha=B1),
    commit("Add a lamp", body=f"X-link: https://github.com/{WEB}/pull/9", sha=C1),
    LAMP,
]  # fmt: skip


@pytest.mark.parametrize(
    ("what", "sha", "said", "meant"),
    [
        *((what, A1, "", ()) for what in ("a1a1", "A1A1A1", A1, "#12", "!12", "Acme/Engine!12", "`a1a1`?")),
        *((what, "eeee" + "2" * 36, "", ()) for what in ("web#8", "Web#8", f"{WEB}#8")),
        ("web#9", B1, "", ()),
        ("ffff", "", NOT_INDEXED.format("ffff").replace("No", "no", 1), ()),
        ("the lamp", "", f"'the lamp' {NO_SHA}", ()),
        ("\x1b[31m<!channel>", "", f"'<!channel>' {NO_SHA}", ()),
        ("abcd", "", "abcd may be abcd11111 (acme/engine: One (#7)), abcd22222 (acme/engine: Two (#7)) or abcd33333 "
         "(acme/web: Three): write more digits", ("abcd11111111", "abcd22222222", "abcd33333333")),
        ("#7", "", "#7 may be abcd11111 (acme/engine: One (#7)) or abcd22222 (acme/engine: Two (#7)): write the SHA",
         ("abcd11111111", "abcd22222222")),
        ("#8", "", "#8 may be eeee11111 (acme/engine: Four (#8)) or eeee22222 (acme/web: Five (#8)): write "
         "acme/engine#8 or acme/web#8", ("acme/engine#8", "acme/web#8")),
    ],
)  # fmt: skip
def test_a_reference_means_one_commit_or_is_asked_back(
    tmp_path: Path, what: str, sha: str, said: str, meant: tuple[str, ...]
) -> None:
    almanac = almanac_of(tmp_path, *MANY)
    if sha:
        assert almanac.explain([what]).explained[0].sha == sha
        return
    with pytest.raises(CommitUnknown) as raised:
        almanac.explain([what])
    assert (str(raised.value), raised.value.meant) == (said, meant)


# --- what may not be told


HIDDEN = frozenset({WEB})


def secret_turns() -> list[Commit]:
    """A change that a hidden repository holds as well, where alone it was taken out."""
    here, there = (
        commit("Cache the kernel", body=f"{DIFF}1", repository=name, sha=sha) for name, sha in ((ENGINE, A1), (WEB, B1))
    )
    out = [
        commit("Back out for the raid", body=f"This reverts commit {sha}.", at="2025-11-04 12:00", author=GRACE,
               repository=WEB, sha=own)
        for sha, own in ((B1, C1), (A1, D1))
    ]  # fmt: skip
    return [here, there, *out]


def test_nor_which_files_a_hidden_repository_has(tmp_path: Path) -> None:
    here = commit("Mend it as plans/raid.py was", sha=A1)
    secret = commit("Plan", repository=WEB, paths=["plans/raid.py"], sha=B1)
    whole, none = (almanac_of(tmp_path / name, here, *some) for name, some in (("1", [secret]), ("2", [])))
    hidden = replace(whole, hidden=HIDDEN)
    for text in ("who worked on plans/raid.py?", "why was plans/raid.py removed?"):
        assert understood(whole, text).paths == ("plans/raid.py",)
        assert understood(hidden, text) == understood(none, text)
    assert hidden.explain(topic="plans/raid.py") == none.explain(topic="plans/raid.py")


def test_of_a_hidden_repository_nothing_is_told(tmp_path: Path) -> None:
    here, *secret = secret_turns()
    whole, none = (almanac_of(tmp_path / name, here, *some) for name, some in (("1", secret), ("2", [])))
    hidden = replace(whole, hidden=HIDDEN)
    assert "c1c1c1c1c" in whole.explain([A1]).explained[0].text
    for asked in ({"references": [A1]}, {"topic": "kernel"}, {"topic": "kernel", "reverted": True}):
        assert hidden.explain(**asked) == none.explain(**asked)  # type: ignore[arg-type]
    for asked in ({"references": [B1]}, {"topic": "raid"}):
        said = []
        for almanac in (hidden, none):
            with pytest.raises(CommitUnknown) as raised:
                almanac.explain(**asked)  # type: ignore[arg-type]
            said.append(str(raised.value))
        assert said[0] == said[1]


# --- printed


def test_as_json_it_has_all_that_its_author_wrote(tmp_path: Path) -> None:
    body = "It is lit.\nAnd warm.\n\n- one\n- two\n\nReviewed-by: G <grace@example.com>"
    assert to_json(explained(tmp_path, replace(LAMP, body=body)))["message"] == "It is lit. And warm.\none\ntwo"


def test_hostile_text_steers_no_terminal(tmp_path: Path) -> None:
    author = somebody("\x1b]0;Ada\x07 Eve\u2066", "eve@example.com")
    told = explained(tmp_path, commit("\x1b[31mAdd\x07 \u202ea <!channel> lamp", author=author, sha=A1))
    text = f"{told.text}\n{told.short}"
    assert text.startswith("a1a1a1a1a1a1 Add a <!channel> lamp")
    assert not {sign for sign in text if not sign.isprintable() and sign != "\n"}


# --- the promise

STATES = {"landed": "in", "backed_out": "backed out", "relanded": "back in", "partly": "partly backed out"}
OF_REVERTS = {**STATES, "landed": "it stands", "backed_out": "undone", "partly": "partly undone"}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("explained")


def test_what_is_explained_is_what_the_month_tells(shared: Path) -> None:
    """Whatever commits say of each other: the same kind and the same state, for each commit of a month."""
    store = almanac_of(shared).store

    @settings(max_examples=settings.default.max_examples // 5)
    @given(scattered((ENGINE, WEB)))
    def check(commits: list[Commit]) -> None:
        for name in (ENGINE, WEB):
            store.commits.forget(name, sorted(store.commits.stored(name)))
        almanac = almanac_of(shared, *commits, now="2027-01-01T00:00:00Z")
        for person in almanac.known.everyone:
            for document in to_json(almanac.month(person, "2025-09..2026-12")):
                for change in document["changes"]:
                    for one in change["commits"]:
                        lines = decided(almanac.explain([one["sha"]]).explained[0])
                        assert lines["kind"].partition(",")[0] == KIND_NAMES[change["kind"]]
                        then = re.split("[,:]", lines["state"].removeprefix("at the end of the month "))[0]
                        assert then == (OF_REVERTS if change["kind"] == "revert" else STATES)[change["state"]]

    check()
