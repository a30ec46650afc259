"""What is in a release, what came since the last one, and in which release a commit is, from real repositories."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from builders import ADA, GRACE, NOW, Copy, GitRepo, index

from bot.ask.answers import answered
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.ask.releases import Released
from bot.errors import ReleaseUnclear, ReleaseUnknown, ReleaseUnreadable
from bot.month.calendar import Month
from bot.month.releases import LATEST, NEWEST, WHICH
from bot.settings import Settings
from bot.story.documents import DigestDocument, to_json
from storage import Store
from storage.erasure import PersonToErase

ENGINE, WEB = "acme/engine", "acme/web"


def _engine(folder: Path) -> None:
    """v1.0, then v2.0 with a release candidate before it, fixes of v1 on a branch of its own, and more since."""
    repo = GitRepo(folder / "acme" / "engine")

    def add(what: str, author: tuple[str, str], at: str, tag: str = "", **more: str) -> None:
        repo.commit(f"Add {what}", author=author, at=at, files={f"src/{what}.py": f"{what}\n"}, **more)  # type: ignore[arg-type]
        if tag:
            repo.git("tag", tag)

    add("mill", ADA, "2025-07-01 10:00 +0000", "v1.0")
    add("store", ADA, "2025-08-01 10:00 +0000", "v2.0-rc1")
    add("bell", GRACE, "2025-08-09 10:00 +0000", "v2.0")
    add("the lamp (#7)", GRACE, "2025-10-01 10:00 +0000")
    repo.checkout("fixes", new=True)
    repo.reset("v1.0")
    add("patch", ADA, "2025-09-01 10:00 +0000", "v1.0.1")
    lamp = repo.line("rev-parse", "main")
    add("a light", ADA, "2025-10-03 10:00 +0000", "v1.0.2", body=f"(cherry picked from commit {lamp})")
    add("the lamp (#7) (#9)", ADA, "2025-10-04 10:00 +0000", "v1.0.3")
    add("the lamp", GRACE, "2025-10-05 10:00 +0000", "v1.0.4")  # by the same author, but of another file
    repo.checkout("main")


@pytest.fixture
def engine(copy: Copy, tmp_path: Path) -> GitRepo:
    copy(_engine)
    return GitRepo(tmp_path / "acme" / "engine")


@pytest.fixture
def web(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "acme" / "web")
    repo.commit("Add a page", author=GRACE, at="2025-08-02 10:00 +0000", files={"page.ts": "page\n"})
    repo.git("tag", "v2.0")
    return repo


@pytest.fixture
def almanac(engine: GitRepo, store: Store) -> Queries:
    index(store, f"file://{engine.path}", ENGINE)
    return almanac_of(store)


def almanac_of(store: Store) -> Queries:
    return Queries.of(store, Settings(home=store.path.parent, db=store.path, fixed_now=NOW))


def test_releases_are_listed_with_their_days_and_who_made_them(engine: GitRepo, almanac: Queries) -> None:
    """A tag that says who made it is theirs, another whose commit it names; candidates are none."""
    made_by = dict(zip(("GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"), GRACE, strict=True))
    made_by |= {"GIT_COMMITTER_DATE": "2025-10-08 10:00 +0000"}
    engine.git("tag", "--annotate", "--message=Two and a half", "v2.5", "main", env=made_by)
    index(almanac.store, f"file://{engine.path}", ENGINE)
    found = almanac.changes(states=("tagged",), limit=3)
    assert [(row.title, row.by, row.on) for row in found.rows] == [
        ("v2.5", "Grace Hopper", "2025-10-08"),
        ("v1.0.4", "Grace Hopper", "2025-10-05"),
        ("v1.0.3", "Ada Lovelace", "2025-10-04"),
    ]
    assert found.counts["changes"] == 7
    assert "Days between these, the latest first: 3, 1." in found.notes
    of_line = almanac.changes(span="tags:1.0.x", states=("tagged",))
    assert [row.title for row in of_line.rows] == ["v1.0.4", "v1.0.3", "v1.0.2", "v1.0.1", "v1.0"]
    of_ada = almanac.changes("Ada Lovelace", "2025-07..2025-08", states=("tagged",))
    assert [row.title for row in of_ada.rows] == ["v1.0"]
    for span in ("tags:2.0", "v2.0"):
        (named,) = almanac.changes(span=span, states=("tagged",)).rows
    assert (named.title, named.by, named.on) == ("v2.0", "Grace Hopper", "2025-08-09")


def test_the_last_releases_stand_side_by_side_with_the_days_between_them(almanac: Queries) -> None:
    asked = Question("compare", states=("tagged",), order="latest", limit=2)
    tags, *each = answered(almanac, asked).documents
    assert "Days between these, the latest first: 1." in tags.notes
    assert [document.counts["commits"] for document in each if isinstance(document, DigestDocument)] == [1, 1]


def subjects(repo: GitRepo, released: Sequence[Released]) -> list[str]:
    return sorted(repo.line("log", "-1", "--format=%s", sha) for one in released for sha in one.shas)


HELD = [  # a release as it is asked for, and what is told of it
    *((name, ["Add bell", "Add store"]) for name in ("v2.0", "2.0", "2", "V2.0.0", "release-2.0", NEWEST)),
    *((name, ["Add store"]) for name in ("v2.0-rc1", "2.0rc1")),
    ("v1.0", ["Add mill"]),
    ("v1.0.1", ["Add patch"]),
    (LATEST, ["Add the lamp (#7)"]),
    ("v1.0.1..", ["Add bell", "Add store", "Add the lamp (#7)"]),
    ("v1.0.2..", ["Add bell", "Add store"]),  # the lamp was picked to its branch
    ("v1.0.2..v2.0", ["Add bell", "Add store"]),
    ("v1.0..", ["Add bell", "Add store", "Add the lamp (#7)"]),
    *((name, ["Add bell", "Add store"]) for name in ("1.0..2.0", "2.0..1.0")),
    ("v2.0-rc1..v2.0", ["Add bell"]),
]  # fmt: skip


def test_a_release_holds_what_the_one_before_does_not(almanac: Queries, engine: GitRepo) -> None:
    assert [(release, subjects(engine, almanac.releases.asked(release))) for release, _ in HELD] == HELD


def test_a_name_that_several_repositories_have_is_asked_back(
    almanac: Queries, engine: GitRepo, web: GitRepo, store: Store
) -> None:
    index(store, web)
    releases = almanac_of(store).releases
    for release in ("v2.0", "v2.0.."):
        with pytest.raises(ReleaseUnclear, match=r"Which v2\.0: acme/engine v2\.0 or acme/web v2\.0\?") as raised:
            releases.asked(release)
        assert raised.value.choices == (
            ("acme/engine v2.0", ENGINE, release),
            ("acme/web v2.0", WEB, release),
        )
    assert subjects(web, releases.asked("v2.0", [WEB])) == ["Add a page"]
    assert (
        releases.title(releases.asked(NEWEST)) == "acme/engine v2.0 (9 August 2025) and acme/web v2.0 (2 August 2025)"
    )


def test_a_digest_knows_which_release_of_its_time_is_the_first_with_a_change(
    almanac: Queries, engine: GitRepo, store: Store
) -> None:
    engine.git("tag", "-a", "-m", "rc", "v2.1-rc1")
    for number, what in enumerate(("sail", "wheel", "stone"), 2):
        engine.commit(
            f"Remove option --{what}", author=ADA, at=f"2025-10-0{number} 10:00 +0000", files={"src/mill.py": what}
        )
        engine.git("tag", *(["web-1.0"] if what == "stone" else [f"v2.{number - 1}"]))
    index(store, f"file://{engine.path}", ENGINE)
    document = almanac_of(store).team("2025-10")
    assert {one.subject[-6:]: one.release for one in document.changes} == {
        "p (#7)": "v2.1", "--sail": "v2.1", "-wheel": "v2.2", "-stone": None,
    }  # fmt: skip
    assert [(one.title, one.release) for one in document.things if one.section == "act"] == [
        ("Remove option --sail, --wheel and --stone", None)  # of several
    ]


def test_only_what_surely_no_release_of_a_time_has_is_said_to_be_in_none(engine: GitRepo, store: Store) -> None:
    """Not what was picked to one, merged back or not, what an earlier one has, or where one cannot be read."""
    for number, what in enumerate(("a rope", "a sail", "a wheel"), 11):
        engine.commit(f"Add {what}", author=ADA, at=f"2025-10-{number} 10:00 +0000", files={f"{what}.py": what})
    rope, sail, wheel = engine.line("rev-list", "--max-count=3", "--reverse", "main").split()
    engine.checkout("release", new=True)
    engine.reset("v2.0")
    for what, body in (("a line", f"(cherry picked from commit {rope})"), ("a sail", "")):
        engine.commit(f"Add {what}", author=ADA, at="2025-10-14 10:00 +0000", files={f"{what}.py": what}, body=body)
    engine.git("tag", "v2.1")
    engine.checkout("main")
    engine.merge("release", author=ADA, at="2025-10-15 10:00 +0000")
    engine.commit("Add a stone", author=ADA, at="2025-10-16 10:00 +0000", files={"stone.py": "stone"})
    index(store, f"file://{engine.path}", ENGINE)
    almanac = almanac_of(store)
    told = almanac.store.commits.of(ENGINE, engine.line("rev-list", "main").split())
    found = almanac.releases.first_with([one for one in almanac.releases.tags() if one.name == "v2.1"], told)
    assert (rope in {sha for _, sha in found}, sail in {sha for _, sha in found}) == (False, False)
    assert {sha for (_, sha), name in found.items() if not name} >= {wheel, engine.tip}
    assert (ENGINE, engine.line("rev-parse", "v2.0")) not in found
    assert {one.release for one in almanac.team("2025-10").things} <= {"v2.1", "", None}
    gone = replace(almanac.releases.tags()[0], name="v2.2", sha="e" * 40)
    assert "" not in almanac.releases.first_with([*almanac.releases.tags(), gone], told).values()


def test_where_only_parts_are_released_a_change_is_in_that_of_none(web: GitRepo, store: Store) -> None:
    """What the tag of another part has came with this one's as well."""
    web.git("tag", "-d", "v2.0")
    web.commit("Remove option --sail", author=ADA, at="2025-10-02 10:00 +0000", files={"mill.py": "sail"})
    web.git("tag", "py-1.1")
    index(store, f"file://{web.path}", WEB)
    assert [one.release for one in almanac_of(store).team("2025-10").changes] == ["py-1.1"]
    web.commit("Add a mill", author=ADA, at="2025-10-03 10:00 +0000", files={"mill.rs": "mill"})
    web.git("tag", "rs-0.5")
    index(store, f"file://{web.path}", WEB)
    assert [one.release for one in almanac_of(store).team("2025-10").changes] == [None, None]


def test_what_only_the_branch_of_a_release_has_is_told_as_well(almanac: Queries) -> None:
    """The index has the default branch alone: of v1.0.1 it holds nothing."""
    document = almanac.team("v1.0.1")
    assert document.counts["commits"] == 1
    (sha,) = (commit.sha for one in document.changes for commit in one.commits)
    assert sha == almanac.releases.asked("v1.0.1")[0].shas[0]
    assert "1 commit, merges and bots counted" in " ".join(document.notes)
    assert [row.title for row in almanac.changes(span="v1.0.2", topic="light").rows] == ["Add a light"]
    assert almanac.changes(span="v1.0.2", topic="patch").rows == ()
    assert "2 commits, merges and bots counted; 1 that it has copies of left out." in almanac.team("v1.0.2..").notes[-1]


def test_whoever_asked_to_be_forgotten_is_not_read_from_git_again(almanac: Queries, store: Store) -> None:
    store.erasure.erase(PersonToErase((ADA[1],)), NOW)
    assert almanac_of(store).team("v1.0.1").counts["commits"] == 0


LOG = """# 2.1
- The bell rings. By Grace. (#12)
- See CVE-2026-1234
- A leak (#14), thanks to Ada Lovelace
- typo (#13)
- Bump the oil from 1.0 to 1.1 (#16)

## Dependencies
- The candle is of wax now
# 2.0
- older
"""


@pytest.fixture
def logged(almanac: Queries, engine: GitRepo, store: Store) -> Queries:
    """v2.1 with a change log: a change by its number, security told by itself, one by Ada, and a page."""
    for number, (subject, author, path) in enumerate(
        [
            ("Ring it (#12)", GRACE, "src/bell.py"),
            ("Mend the gate (CVE-2026-1234)", GRACE, "src/gate.py"),
            ("Mend the well (#15)", GRACE, "src/well.py"),
            ("docs: a typo (#13)", GRACE, "docs/lamp.md"),
            ("Update the log", GRACE, "CHANGELOG.md"),
        ]
    ):
        at = f"2025-10-0{number + 2} 10:00 +0000"
        engine.commit(subject, author=author, at=at, files={path: LOG if path == "CHANGELOG.md" else subject})
    engine.git("tag", "v2.1")
    index(store, f"file://{engine.path}", ENGINE)
    return almanac_of(store)


def test_a_release_is_told_in_the_words_of_its_change_log(logged: Queries, engine: GitRepo) -> None:
    """With the changes that it names as evidence, else the commit that has it; nothing twice, the rest counted."""
    document = logged.team("v2.1")
    assert document.changelog is not None
    ring, log = engine.line("rev-parse", "main~4"), engine.line("rev-parse", "main")
    assert [(one.text, one.ref, one.people, one.evidence) for one in document.changelog.entries] == [
        ("The bell rings", "#12", ("Grace Hopper",), (ring,)),
        ("A leak, thanks to Ada Lovelace", "#14", (), (log,)),
    ]
    assert (document.changelog.path, document.changelog.more) == ("CHANGELOG.md", 3)
    assert [one.section for one in document.things] == ["security"]
    assert document.counts["changes"] == 1 + 1 + document.more


def test_a_month_is_told_with_what_its_release_held_in_the_words_of_its_change_log(
    logged: Queries, engine: GitRepo, store: Store
) -> None:
    """Where that begins a line and all of it may be told: what is in no release has its lines beside it."""
    engine.commit("Add a sail (#20)", author=ADA, at="2025-10-09 10:00 +0000", files={"src/sail.py": "sail\n"})
    index(store, f"file://{engine.path}", ENGINE)
    for document in (logged.team("2025-10"), logged.digest(Month(2025, 10))):
        assert document.changelog is not None
        assert document.changelog.tag == "v2.1"
        assert [one.ref for one in document.changelog.entries] == ["#12", "#14"]
        titles = [one.title for one in document.things]
        assert "Add a sail" in titles
        assert not {"Ring it", "Mend the well"} & {*titles}
        told = {sha for one in (*document.things, *document.changelog.entries) for sha in one.evidence}
        rest = [sha for one in document.rest for sha in one.evidence]
        # The change that brought the log is one of the month's, too.
        assert {*told, *rest} == {commit.sha for one in document.changes for commit in one.commits}
        assert told & {*rest} == {document.changelog.sha}
    assert logged.team("2025-10", topic="bell").changelog is None
    store.said.say("hide", "hide", [GRACE[1]], "", "grace", NOW)
    assert almanac_of(store).team("2025-10").changelog is None


def test_a_change_log_is_quoted_only_where_all_of_the_release_is_told(logged: Queries, store: Store) -> None:
    """Not of a part of it, nor of what the reader may not see; and nobody is named who asked not to be shown."""
    for release, more in (("v1.0..v2.1", {}), ("v2.1", {"topic": "bell"}), ("v2.1", {"paths": ("src",)}), ("v1.0", {})):
        assert logged.team(release, **more).changelog is None  # type: ignore[arg-type]
    store.said.say("hide", "hide", [ADA[1]], "", "ada", NOW)
    told = almanac_of(store).team("v2.1").changelog
    assert told and [one.text for one in told.entries] == ["The bell rings"]
    store.said.say("hide", "hide", [GRACE[1]], "", "grace", NOW)
    assert almanac_of(store).team("v2.1").changelog is None


def test_a_change_log_is_not_quoted_where_whoever_took_part_is_forgotten(logged: Queries, store: Store) -> None:
    store.erasure.erase(PersonToErase((GRACE[1],)), NOW)
    assert almanac_of(store).team("v2.1").changelog is None


@pytest.fixture
def picked(engine: GitRepo, store: Store) -> Queries:
    """v2.1 with a change log of two items, one of which, Grace's lamp, was picked to v2.0.1 before; v2.0.2 has it too,
    but was made behind v2.1, with what Ada did last for that."""
    lamp = engine.line("rev-parse", "main")
    log = "# 2.1\n- Light at last (#7)\n- A sail (#20)\n"
    files = {"CHANGELOG.md": log, "sail": "sail\n"}
    engine.commit("Add a sail (#20)", author=ADA, at="2025-10-06 10:00 +0000", files=files)
    engine.git("tag", "v2.1")
    sail = engine.line("rev-parse", "main")
    engine.checkout("later", new=True)
    engine.reset("v2.0")
    for sha, at, tag in ((lamp, "2025-10-02", "v2.0.1"), (sail, "2025-10-08", "v2.0.2")):
        body = f"(cherry picked from commit {sha})"
        engine.commit(f"Pick for {tag}", author=ADA, at=f"{at} 10:00 +0000", files={tag: tag}, body=body)
        engine.git("tag", tag)
    engine.checkout("main")
    index(store, f"file://{engine.path}", ENGINE)
    return almanac_of(store)


def test_what_was_picked_before_a_release_is_not_new_in_it(picked: Queries, engine: GitRepo) -> None:
    assert subjects(engine, picked.releases.asked("v2.0.1..v2.1")) == ["Add a sail (#20)"]
    # v2.0.2 is of a lower version, but younger: what it has was in v2.1 first.
    assert subjects(engine, picked.releases.asked("v2.1")) == ["Add a sail (#20)", "Add the lamp (#7)"]
    assert {*picked.releases.first_with(picked.releases.tags()).values()} >= {"v2.1"}


def test_what_was_picked_of_somebody_hidden_is_in_no_change_log(picked: Queries, engine: GitRepo, store: Store) -> None:
    engine.git("tag", "--delete", "v2.0.2")
    index(store, f"file://{engine.path}", ENGINE)
    told = almanac_of(store).team("v2.1")
    assert told.changelog and [one.text for one in told.changelog.entries] == ["Light at last", "A sail"]
    store.said.say("hide", "hide", [GRACE[1]], "", "grace", NOW)
    assert almanac_of(store).team("v2.1").changelog is None


def test_a_change_log_that_tells_hardly_anything_of_a_release_is_not_quoted(engine: GitRepo, store: Store) -> None:
    for number in range(6):
        engine.commit(f"Add sail {number}", author=ADA, at=f"2025-10-1{number} 10:00 +0000", files={f"{number}": "1"})
    log = {"CHANGELOG.md": "# 2.1\n- Bug fixes\n"}
    engine.commit("Log it", author=ADA, at="2025-10-17 10:00 +0000", files=log)
    engine.git("tag", "v2.1")
    index(store, f"file://{engine.path}", ENGINE)
    assert almanac_of(store).team("v2.1").changelog is None


def test_who_is_new_in_a_release_had_nothing_before_it(almanac: Queries) -> None:
    new = {"v1.0": ["Ada Lovelace"], "v2.0": ["Grace Hopper"], "v1.0..": ["Grace Hopper"], "v1.0.1": []}
    assert {one: [each.name for each in almanac.who(one, first_time=True).people] for one in new} == new


IN_WHICH = [  # a commit, of which releases is asked, and what is said
    ("v2.0", "v2.0", "first in v2.0 (9 August 2025)"),
    ("v1.0", "v2.0", "first in v1.0 (1 July 2025); it is in v2.0 (9 August 2025) as well"),
    ("v2.0", "v1.0..v2.0", "first in v2.0 (9 August 2025), and not in v1.0 (1 July 2025)"),
    ("v2.0", "rc1", "first in v2.0 (9 August 2025), and not in v2.0-rc1 (1 August 2025)"),
    ("v2.0-rc1", NEWEST, "first in v2.0-rc1 (1 August 2025), then in the release v2.0 (9 August 2025)"),
    (
        "main",
        "v2.0",
        "in no release itself; its copy COPY is first in v1.0.2 (3 October 2025), and not in v2.0 (9 August 2025)",
    ),
    ("v2.0", WHICH, "first in v2.0 (9 August 2025)"),
]


def test_whether_a_commit_is_in_some_releases(almanac: Queries, engine: GitRepo) -> None:
    copy = engine.line("rev-parse", "v1.0.2")[:9]
    for revision, asked, said in IN_WHICH:
        (told,) = almanac.explain([engine.line("rev-parse", revision)], release=asked).explained
        assert (told.brief[0].about, told.brief[0].text) == ("release", said.replace("COPY", copy)), asked


def test_a_backport_that_says_nothing_is_known_by_its_author_and_files_unless_its_title_recurs(
    engine: GitRepo, store: Store
) -> None:
    def add(title: str, day: int) -> str:
        engine.commit(title, author=ADA, at=f"2025-10-{day} 10:00 +0000", files={f"{title[-4:]}.py": f"{day}"})
        return engine.tip

    sail, bump = add("Add a large sail", 10), add("Update the tool pins", 11)
    add("Update the tool pins", 12)
    engine.checkout("fixes")
    copy = add("Add a large sail", 13)
    add("Update the tool pins", 14)
    engine.git("tag", "v1.0.5")
    engine.checkout("main")
    index(store, f"file://{engine.path}", ENGINE)
    told = [one.brief[0].text for one in almanac_of(store).explain([sail, bump], release=WHICH).explained]
    assert told == [
        f"in no release itself; its copy {copy[:9]} is first in v1.0.5 (14 October 2025)", "in no release yet"
    ]  # fmt: skip


def test_what_was_taken_out_is_in_the_releases_before_and_only_in_those_of_its_part(
    almanac: Queries, engine: GitRepo, store: Store
) -> None:
    engine.commit("Add a sail", author=ADA, at="2025-10-10 10:00 +0000", files={"mill/sail.py": "sail\n"})
    sail = engine.tip
    engine.git("tag", "mill-1.0")
    engine.git("tag", "wheel-3.0")
    body = f"Back out the sail\n\nThis reverts commit {sail}."
    engine.commit(body, author=GRACE, at="2025-10-11 10:00 +0000", files={"mill/sail.py": ""})
    engine.git("tag", "mill-1.1")
    index(store, f"file://{engine.path}", ENGINE)
    (told,) = almanac_of(store).explain([sail], release=WHICH).explained
    assert told.brief[0].text == (
        f"first in mill-1.0 (10 October 2025); {engine.tip[:9]}, which took it out, is first in mill-1.1 "
        f"(11 October 2025)"
    )


def test_a_release_of_another_part_that_is_asked_about_is_told_alone(
    almanac: Queries, engine: GitRepo, store: Store
) -> None:
    engine.git("tag", "util-0.9")
    engine.commit("Add a tool", author=ADA, at="2025-10-10 10:00 +0000", files={"util/tool.py": "tool\n"})
    engine.git("tag", "core-1.0")
    index(store, f"file://{engine.path}", ENGINE)
    for asked, said in (
        ("core-1.0", "in core-1.0 (10 October 2025)"),
        ("util-0.9..core-1.0", "in core-1.0 (10 October 2025), and not in util-0.9 (1 October 2025)"),
        ("util-0.9", "in no release yet, so not in util-0.9 (1 October 2025)"),
    ):
        (told,) = almanac_of(store).explain([engine.tip], release=asked).explained
        assert told.brief[0].text == said


def test_a_mirror_that_is_gone_is_said_and_nothing_is_guessed(almanac: Queries, engine: GitRepo, store: Store) -> None:
    shutil.rmtree(store.path.parent / "mirrors")
    with pytest.raises(ReleaseUnreadable, match="almanac index"):
        almanac.releases.asked("v2.0")
    assert "almanac index" in almanac.explain([engine.tip]).explained[0].text


def test_where_there_is_no_release_that_is_said(engine: GitRepo, store: Store) -> None:
    engine.git("tag", "--delete", *engine.line("tag").split())
    index(store, engine)
    for release, said in (
        (LATEST, "No release is known: there is no tag with a version."),
        ("v2.0", "There is no tag v2"),
    ):
        with pytest.raises(ReleaseUnknown, match=said) as raised:
            almanac_of(store).releases.asked(release)
        assert raised.value.choices == ()


def test_tags_of_a_repository_that_may_not_be_read_are_unknown(almanac: Queries, web: GitRepo, store: Store) -> None:
    web.git("tag", "secret-1.0")
    index(store, web)
    elsewhere = replace(almanac_of(store), hidden=frozenset({WEB})).releases
    assert elsewhere.title(elsewhere.asked("v2.0")) == "acme/engine v2.0 (9 August 2025)"
    with pytest.raises(ReleaseUnknown) as raised:
        elsewhere.asked("secret-1.0")
    assert WEB not in str(raised.value) and all(where == ENGINE for _, where, _ in raised.value.choices)


def test_what_a_hidden_address_signed_under_another_name_is_told_of_nobody(
    engine: GitRepo, almanac: Queries, store: Store
) -> None:
    """The index, which has no commit of that name, knows them by their address alone."""
    engine.checkout("fixes")
    engine.commit("Mend it (#8)", author=("Lin H", ADA[1]), at="2025-10-06 10:00 +0000", files={"mend.py": "mend\n"})
    made_by = {"GIT_COMMITTER_NAME": "Lin H", "GIT_COMMITTER_EMAIL": ADA[1]}
    engine.git("tag", "--annotate", "--message=Mended", "v1.0.5", env=made_by)
    engine.checkout("main")
    index(store, f"file://{engine.path}", ENGINE)
    assert [one.name for one in almanac_of(store).who("v1.0.5").people] == ["Lin H"]
    store.said.say("hide", "hide", [ADA[1]], "", "ada", NOW)
    hiding = almanac_of(store)
    assert (hiding.who("v1.0.5").people, hiding.team("v1.0.5").changes) == ((), ())
    assert "Lin H" not in json.dumps(to_json(hiding.changes(states=("tagged",))))
