"""What is in a release, what came since the last one, and in which release a commit is, from real repositories."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from builders import ADA, GRACE, NOW, Copy, GitRepo, index

from bot.ask.queries import Queries
from bot.ask.releases import Released
from bot.errors import ReleaseUnclear, ReleaseUnknown, ReleaseUnreadable
from bot.month.releases import LATEST, NEWEST, WHICH
from bot.settings import Settings
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


def test_who_shipped_a_release_is_told(almanac: Queries) -> None:
    said = almanac.who("tags:v2.0").headline.text
    assert "v2.0 was tagged at “Add bell” by Grace Hopper." in said


def subjects(repo: GitRepo, released: Sequence[Released]) -> list[str]:
    return sorted(repo.line("log", "-1", "--format=%s", sha) for one in released for sha in one.shas)


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        *((name, ["Add bell", "Add store"]) for name in ("v2.0", "2.0", "2", "V2.0.0", "release-2.0", NEWEST)),
        *((name, ["Add store"]) for name in ("v2.0-rc1", "2.0rc1")),
        ("v1.0", ["Add mill"]),
        ("v1.0.1", ["Add patch"]),
        (LATEST, ["Add the lamp (#7)"]),
        ("v1.0..", ["Add bell", "Add store", "Add the lamp (#7)"]),
        *((name, ["Add bell", "Add store"]) for name in ("1.0..2.0", "2.0..1.0")),
        ("v2.0-rc1..v2.0", ["Add bell"]),
    ],
)  # fmt: skip
def test_a_release_holds_what_the_one_before_does_not(
    almanac: Queries, engine: GitRepo, release: str, expected: list[str]
) -> None:
    assert subjects(engine, almanac.releases.asked(release)) == expected


def test_the_release_before_may_be_on_a_branch_that_was_never_merged(
    almanac: Queries, engine: GitRepo, store: Store
) -> None:
    engine.checkout("v2-fixes", new=True)
    engine.reset("v2.0")
    engine.commit("Pick a patch", author=ADA, at="2025-08-20 10:00 +0000", files={"src/bell.py": "rings\n"})
    engine.git("tag", "v2.1")
    engine.checkout("main")
    engine.commit("Add a gate", author=ADA, at="2025-10-03 10:00 +0000", files={"src/gate.py": "gate\n"})
    engine.git("tag", "v3.0")
    index(store, f"file://{engine.path}", ENGINE)
    (released,) = almanac_of(store).releases.asked("v3.0")
    assert released.since and released.since.name == "v2.1"
    assert subjects(engine, [released]) == ["Add a gate", "Add the lamp (#7)"]


@pytest.mark.parametrize(
    ("release", "said", "choices"),
    [
        ("v2.2", "There is no tag v2.2. The nearest are acme/engine v2.0 and acme/engine v2.0-rc1.",
         ["v2.0", "v2.0-rc1"]),
        ("1.4", "There is no tag 1.4. The nearest are acme/engine v1.0.4, acme/engine v1.0.3 and acme/engine v1.0.2.",
         ["v1.0.4", "v1.0.3", "v1.0.2"]),
        ("9..2.0", "There is no tag 9 in acme/engine. The nearest are ", ["v1.0..2.0", "v2.0-rc1..2.0", "v2.0..2.0"]),
    ],
)  # fmt: skip
def test_an_unknown_release_is_a_sentence_with_the_nearest(
    almanac: Queries, release: str, said: str, choices: list[str]
) -> None:
    with pytest.raises(ReleaseUnknown) as raised:
        almanac.releases.asked(release)
    assert str(raised.value).startswith(said)
    assert {where for _, where, _ in raised.value.choices} == {ENGINE}
    assert sorted(one for *_, one in raised.value.choices) == sorted(choices)


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


def test_tags_of_a_repository_that_may_not_be_read_are_unknown(almanac: Queries, web: GitRepo, store: Store) -> None:
    web.git("tag", "secret-1.0")
    index(store, web)
    elsewhere = replace(almanac_of(store), hidden=frozenset({WEB})).releases
    assert elsewhere.title(elsewhere.asked("v2.0")) == "acme/engine v2.0 (9 August 2025)"
    with pytest.raises(ReleaseUnknown) as raised:
        elsewhere.asked("secret-1.0")
    assert WEB not in str(raised.value) and all(where == ENGINE for _, where, _ in raised.value.choices)


@pytest.mark.parametrize(
    ("revision", "release", "copies"),
    [
        ("v1.0", "first in v1.0 (1 July 2025)", None),
        ("v2.0-rc1", "first in v2.0-rc1 (1 August 2025), then in the release v2.0 (9 August 2025)", None),
        ("main", "in no release yet", ["v1.0.2 (3 October 2025)", "v1.0.3 (4 October 2025)"]),
    ],
)
def test_a_commit_is_in_a_release_and_what_was_picked_from_it_in_another(
    almanac: Queries, engine: GitRepo, revision: str, release: str, copies: list[str] | None
) -> None:
    (told,) = almanac.explain([engine.line("rev-parse", revision)]).explained
    assert told.line("release") == release
    picked = [f"{engine.line('rev-parse', tag.split()[0])[:9]} in acme/engine {tag}" for tag in copies or ()]
    said = (
        f"the same change is {' and '.join(picked)}" if picked else "no cherry-pick, backport or export of it is known"
    )
    assert told.line("copies") == said


def test_where_several_things_are_released_each_has_its_first(almanac: Queries, engine: GitRepo, store: Store) -> None:
    for number, tag in enumerate(("web-1.0", "api-1.0", "cli-1.0", "web-1.1"), 1):
        engine.commit(f"Prepare {tag}", at=f"2025-10-1{number} 10:00 +0000", files={"VERSION": tag})
        engine.git("tag", tag)
    index(store, f"file://{engine.path}", ENGINE)
    (first,) = almanac_of(store).explain([engine.line("rev-parse", "v2.0")]).explained
    assert first.line("release") == (
        "first in v2.0 (9 August 2025), then in web-1.0 (11 October 2025), api-1.0 (12 October 2025) and cli-1.0 (13 "
        "October 2025)"
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
    assert "1 commit, merges counted" in " ".join(document.notes)
    assert [row.title for row in almanac.changes(span="v1.0.2", topic="light").rows] == ["Add a light"]
    assert almanac.changes(span="v1.0.2", topic="patch").rows == ()


def test_whoever_asked_to_be_forgotten_is_not_read_from_git_again(almanac: Queries, store: Store) -> None:
    store.erasure.erase(PersonToErase((ADA[1],)), NOW)
    assert almanac_of(store).team("v1.0.1").counts["commits"] == 0


@pytest.mark.parametrize(
    ("release", "names"),
    [("v1.0", ["Ada Lovelace"]), ("v2.0", ["Grace Hopper"]), ("v1.0..", ["Grace Hopper"]), ("v1.0.1", [])],
)
def test_who_is_new_in_a_release_had_nothing_before_it(almanac: Queries, release: str, names: list[str]) -> None:
    assert [one.name for one in almanac.who(release, first_time=True).people] == names


def test_who_wrote_the_same_before_on_the_branch_is_new_in_the_release_that_picked_it(
    almanac: Queries, engine: GitRepo, store: Store
) -> None:
    eve = ("Eve Poe", "eve@example.com")
    engine.commit("Add a sail", author=eve, at="2025-10-10 10:00 +0000", files={"src/sail.py": "sail\n"})
    sail = engine.tip
    engine.checkout("next", new=True)
    engine.reset("v2.0")
    body = f"Add a sail\n\n(cherry picked from commit {sail})"
    engine.commit(body, author=eve, at="2025-10-12 10:00 +0000", files={"src/sail.py": "sail\n"})
    engine.git("tag", "v2.1")
    engine.checkout("main")
    index(store, f"file://{engine.path}", ENGINE)
    assert [one.name for one in almanac_of(store).who("v2.1", first_time=True).people] == ["Eve Poe"]


@pytest.mark.parametrize(
    ("revision", "asked", "said"),
    [
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
    ],
)
def test_whether_a_commit_is_in_some_releases(
    almanac: Queries, engine: GitRepo, revision: str, asked: str, said: str
) -> None:
    (told,) = almanac.explain([engine.line("rev-parse", revision)], release=asked).explained
    assert told.line("release") == said.replace("COPY", engine.line("rev-parse", "v1.0.2")[:9])
    assert told.brief[0].about == "release"


def test_a_fix_of_an_older_line_is_first_in_each_later_line(almanac: Queries, engine: GitRepo, store: Store) -> None:
    engine.commit("Mend the mill", author=ADA, at="2025-10-10 10:00 +0000", files={"src/mill.py": "mended\n"})
    mended = engine.tip
    for number, tag in enumerate(("v2.0.1", "v2.1", "v2.1.1", "v2.2"), 11):
        engine.commit(f"Prepare {tag}", at=f"2025-10-{number} 10:00 +0000", files={"VERSION": tag})
        engine.git("tag", tag)
    index(store, f"file://{engine.path}", ENGINE)
    (told,) = almanac_of(store).explain([mended]).explained
    assert told.line("release") == (
        "first in v2.0.1 (11 October 2025), then in v2.1 (12 October 2025) and v2.2 (14 October 2025)"
    )


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
    assert told.line("release") == (
        f"first in mill-1.0 (10 October 2025); {engine.tip[:9]}, which took it out, is first in mill-1.1 "
        f"(11 October 2025)"
    )


def test_of_several_it_is_said_in_which_release_each_is(almanac: Queries, engine: GitRepo) -> None:
    shas = [engine.line("rev-parse", tag) for tag in ("v1.0", "v2.0")]
    told = almanac.explain(shas, release=WHICH).explained
    assert [[line.about for line in one.brief if line.evidence] for one in told] == [["release"]] * 2
    assert [one.line("release")[:13] for one in told] == ["first in v1.0", "first in v2.0"]


def test_a_path_came_with_what_first_added_it(almanac: Queries, engine: GitRepo, store: Store) -> None:
    engine.commit("Mend src/bell.py", author=ADA, at="2025-10-08 10:00 +0000", files={"src/bell.py": "bell\n\n"})
    engine.commit("Ring", author=ADA, at="2025-10-09 10:00 +0000", files={"src/bell.py": "ring\n" * 9, "b": "\n"})
    index(store, f"file://{engine.path}", ENGINE)
    told = almanac_of(store).explain(topic="src/bell.py")
    assert [one.subject for one in told.explained] == ["Add bell", "Ring", "Mend src/bell.py"]
    assert told.notes == ("The first of these is the first in the index that adds “src/bell.py”.",)


def test_the_tag_of_a_build_is_no_release_where_there_are_versions(
    almanac: Queries, engine: GitRepo, store: Store
) -> None:
    engine.git("tag", "ci/6186")
    index(store, engine)
    assert almanac_of(store).explain([engine.tip]).explained[0].line("release") == "in no release yet"


def test_a_mirror_that_is_gone_is_said_and_nothing_is_guessed(almanac: Queries, engine: GitRepo, store: Store) -> None:
    shutil.rmtree(store.path.parent / "mirrors")
    with pytest.raises(ReleaseUnreadable, match="almanac index"):
        almanac.releases.asked("v2.0")
    assert "almanac index" in almanac.explain([engine.tip]).explained[0].line("release")


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


def test_a_commit_whose_lines_were_not_counted_is_explained(almanac: Queries, engine: GitRepo, store: Store) -> None:
    with store.transaction(write=True) as connection:
        connection.execute("UPDATE commits SET counted = 0")
    assert almanac.explain([engine.tip]).explained[0].line("release") == "in no release yet"
