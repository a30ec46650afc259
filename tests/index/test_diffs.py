"""Diffs are read from repositories as they lie on this disk, and nothing that is in the way spoils an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest
from builders import Copy, GitRepo, everything, index
from traps import Trap, set_traps
from waiting import no_thread_left

from bot.diff import IgnoredTests
from bot.index.diffs import Diffs
from bot.index.git import Concurrency, GitAt
from bot.model import Commit, Key
from storage import Store

TESTS = "".join(f"def test_{name}():\n    assert {name}()\n\n\n" for name in ("reads", "writes", "waits"))


def _engine(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "engine")
    repo.commit("Queue", files={"lib/queue.py": "MAX_SIZE = 64 << 30\n\n\ndef read(queue):\n    return queue.pop(0)\n"})
    repo.commit("Test the queue", files={"tests/test_queue.py": TESTS})
    repo.checkout("side", new=True)
    repo.commit("Skip", files={"tests/test_queue.py": TESTS.replace("def test_w", "@pytest.mark.skip\ndef test_w")})
    repo.checkout("main")
    repo.commit("Move", rename={"lib/queue.py": "lib/queues.py"})
    repo.merge("side")
    repo.commit(
        "Larger", files={"lib/queues.py": "MAX_SIZE = 128 << 30\n\n\ndef read(queue):\n    return queue.pop(0)\n"}
    )
    repo.commit("Nothing")
    index(Store(folder / "store" / "almanac.db"), repo)


@pytest.fixture
def engine(copy: Copy, tmp_path: Path, store: Store) -> GitRepo:
    """Something new, its tests ignored, a merge, a move, and a small change to what is new; indexed."""
    copy(_engine)
    return GitRepo(tmp_path / "acme" / "engine")


def reader(store: Store, concurrency: Concurrency | None = None) -> Diffs:
    return Diffs(store.commits, store.path.parent / "mirrors", concurrency=concurrency)


def by_subject(commits: Iterable[Commit], ignored: Mapping[Key, IgnoredTests]) -> dict[str, IgnoredTests]:
    return {one.subject: ignored[one.key] for one in commits if one.key in ignored}


def test_tests_that_run_again_are_off_no_more(store: Store, engine: GitRepo) -> None:
    """Of two that one commit ignored, one is ignored today."""
    skip = next(one for one in everything(store) if one.subject == "Skip")
    assert reader(store).tests_ignored([skip], 60)[skip.key].off == 2
    engine.commit(
        "Let it run", files={"tests/test_queue.py": TESTS.replace("def test_wr", "@pytest.mark.skip\ndef test_wr")}
    )
    index(store, engine)
    assert reader(store).tests_ignored([skip], 60)[skip.key].off == 1


def test_hunks_are_shown(store: Store, engine: GitRepo) -> None:
    commits = everything(store)
    texts = reader(store).hunks(commits, 2000, 60)
    (larger,) = [text for key, text in texts.items() if engine.line("log", "-1", "--format=%s", key[1]) == "Larger"]
    assert larger == "lib/queues.py\n- MAX_SIZE = 64 << 30\n+ MAX_SIZE = 128 << 30"
    assert sum(map(len, texts.values())) <= 2000


def test_a_git_that_hangs_is_ended_when_the_time_is_over(
    store: Store, engine: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[GitAt] = []

    def hanging(git: GitAt, *_: object) -> Iterable[bytes]:
        begun.append(git)
        git.cancel.wait(600)
        yield b""

    monkeypatch.setattr(GitAt, "blocks", hanging)
    with no_thread_left():
        assert reader(store).tests_ignored(everything(store), 1) == {}
    assert len(begun) == 1


def test_a_repository_that_starts_programs_starts_none(store: Store, engine: GitRepo, tmp_path: Path) -> None:
    commits, trap = everything(store), Trap(tmp_path / "traps")
    shown = reader(store).hunks(commits, 10_000, 60)
    (engine.path / ".git/info").mkdir(exist_ok=True)
    (engine.path / ".git/info/attributes").write_text("* diff=trap\n")
    set_traps(engine, trap)
    for key, value in {"diff.noprefix": "true", "diff.context": "9", "color.diff": "always"}.items():
        engine.git("config", key, value)
    assert shown and reader(store).hunks(commits, 10_000, 60) == shown
    assert by_subject(commits, reader(store).tests_ignored(commits, 60)) == {"Skip": IgnoredTests(2, 2)}
    assert trap.sprung == []


LOG = "## Unreleased\n\n### Fixes\n\n- Grind wet grain (#7)\n- Fix: [#8] Stop at night.\n\n### Parts\n\n- Turn (#9)\n"
OLDER = "2.1\n---\n\nRemovals\n~~~~~~~~\n\n- A\n\n2.0.5\n-----\n\n- B\n"


@pytest.mark.parametrize(
    ("path", "before", "after", "expected"),
    [
        # a line of a change log, below the heading that stands above it
        ("CHANGES.md", LOG, LOG.replace("- Turn", "- Lift the stone by\n  two hands (#12)\n- Turn"),
         [("Parts", "Lift the stone by two hands", ("#12",))]),
        ("docs/changelog.rst", LOG, LOG.replace("- Fix", "- New: [#12] [Stone] Lift it.\n- Fix"),
         [("New", "[Stone] Lift it.", ("#12",))]),
        ("ChangeLog.txt", LOG, LOG.replace("- Fix", "* #12: Lift the stone.\n  By Ada.\n- Fix"),
         [("Fixes", "Lift the stone. By Ada.", ("#12",))]),
        ("CHANGES.rst", LOG, LOG.replace("- Turn", "- Follow :pep:`8` (:issue:`12`)\n- Turn"),
         [("Parts", "Follow PEP 8", ("#12",))]),
        # below the heading of a version, which has digits, and not below one of the version above
        *(
            ("CHANGES.rst", OLDER.replace("2.0.5", name), OLDER.replace("2.0.5", name).replace("- B", "- Lift it\n- B"),
             [(name, "Lift it", ())])
            for name in ("Version 2.0.5", "2.0.5", "v2.0.5", "Mill 2.0.5 (2026-05-01)", "mill 2.0.5", "Release 2")
        ),
        # what is moved, respelled, or taken out
        ("CHANGES.md", LOG, LOG.replace("wet grain", "wet and dry grain"), []),
        ("CHANGES.md", LOG, LOG.replace("- Turn (#9)\n", "").replace("- Grind", "- Turn (#9)\n- Grind"), []),
        ("CHANGES.md", LOG, LOG.replace("- Turn (#9)\n", ""), []),
        ("CHANGES.md", LOG, LOG.replace("## Unreleased", "## 2.0\n\nReleased on 1 May"), []),
        ("mill.md", LOG, LOG.replace("- Turn", "- Lift the stone\n- Turn"), []),
        # a file of its own
        ("changelog.d/12.bugfix", "", "Lift the stone.\n", [("bugfix", "Lift the stone.", ("#12",))]),
        ("news/12.doc.rst", "", "Lift ``it``\nby hand.\n\nSlowly.\n", [("doc", "Lift `it` by hand.", ("#12",))]),
        ("changelog/12.breaking.2.rst", "", "Lift it.", [("breaking", "", ()), ("breaking", "Lift it.", ("#12",))]),
        ("news/a.rst", "", ":func:`mill.lift` and\n:func:`turn` lift.\n", [("", "mill.lift and turn lift.", ())]),
        ("doc/changes/unreleased/stone.md", "", "- Lift it.\n", [("", "Lift it.", ())]),
        ("news/12.feature.rst", "Lift it.", "Lift them all.", []),
        ("news/README.md", "", "Lift it.", []),
        (".changeset/brave-mills.md", "", '---\n"@acme/mill": major\n---\n\nLift it\n',
         [("major", "", ()), ("major", "Lift it", ())]),
        (".changeset/brave-mills.md", "", '---\n"@acme/mill": minor\n---\n\nmajor: none\n', [("", "major: none", ())]),
        (".chloggen/mill.yaml", "", "# note: x\nchange_type: 'breaking'\ncomponent: a\nnote: Lift it\nissues: [12]\n",
         [("breaking", "", ()), ("breaking", "Lift it", ())]),
        ("releasenotes/notes/lift-1a.yaml", "", "---\nfixes:\n  - |\n    Lift the\n    stone.\nupgrade:\n  - Turn it\n",
         [("fixes", "Lift the stone.", ()), ("upgrade", "Turn it", ())]),
        ("docs/mill.yaml", "", "change_type: breaking\n", []),
    ],
)  # fmt: skip
def test_what_a_commit_adds_to_a_change_log_is_its_note(
    store: Store, tmp_path: Path, path: str, before: str, after: str, expected: list[tuple[str, str, tuple[str, ...]]]
) -> None:
    repo = GitRepo(tmp_path / "acme" / "mill")
    repo.commit("Begin", files={"mill.py": "", **({path: before} if before else {})})
    index(store, repo)
    known = {one.sha for one in everything(store)}
    repo.commit("Lift the stone", files={"mill.py": "lift", path: after})
    repo.commit("Cut a release", rename={path: f"{path}.old"})
    index(store, repo)
    found = reader(store).notes([one for one in everything(store) if one.sha not in known], {}, 60) or {}
    entries = [(one.heading, one.text, one.numbers) for some in found.values() for one in some]
    assert entries == expected


def test_the_notes_of_a_branch_are_those_that_stood_when_it_came(store: Store, tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "acme" / "mill")
    repo.commit("Begin", files={"mill.py": ""})
    repo.checkout("side", new=True)
    repo.commit("Lift", files={"mill.py": "lift", "news/1.bugfix": "Lift it.\n", "news/2.removal": "Drop it.\n"})
    repo.commit("Drop nothing", files={"news/1.bugfix": "Lift the stone.\n", "news/2.removal": None})
    repo.checkout("main")
    repo.merge("side")
    index(store, repo)
    commits = everything(store)
    merge = next(one for one in commits if one.is_merge)

    def said(*subjects: str) -> dict[str, list[str]]:
        some = [one for one in commits if one.subject in subjects]
        found = reader(store).notes(some, {merge.key: merge}, 60) or {}
        return {one.subject: [entry.text for entry in found[one.key]] for one in some if one.key in found}

    assert said("Lift", "Drop nothing") == {"Lift": ["Lift the stone."]}
    assert said("Drop nothing") == {}  # what it respelt is of somebody who is not shown


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("parts/old/CHANGES.md", "parts/new/CHANGES.md"),
        ("docs/whatsnew.md", "CHANGES.md"),
        ("changes/12.feature.rst", "newsfragments/12.feature.rst"),
        ("docs/12.feature.rst", "newsfragments/12.feature.rst"),
    ],
)
def test_what_is_moved_is_no_note(store: Store, tmp_path: Path, before: str, after: str) -> None:
    repo = GitRepo(tmp_path / "acme" / "mill")
    repo.commit("Begin", files={"mill.py": "", before: "- Cats are not allowed in the mill\n"})
    repo.checkout("side", new=True)
    repo.commit("Move it", files={"mill.py": "lift"}, rename={before: after})
    repo.checkout("main")
    repo.merge("side")
    index(store, repo)
    merge, *commits = sorted(everything(store), key=lambda one: not one.is_merge)
    moved = [one for one in commits if one.subject == "Move it"]
    assert reader(store).notes(moved, {}, 60) == {}
    assert reader(store).notes(moved, {merge.key: merge}, 60) == {}


def test_of_very_many_change_logs_notes_are_read(store: Store, tmp_path: Path) -> None:
    """More than a program may be given as arguments."""
    repo = GitRepo(tmp_path / "acme" / "mill")
    repo.commit("Begin", files={"mill.py": "", "CHANGES.md": "- Turn\n"})
    deep = "/".join(["p" * 200] * 15)
    repo.commit("Add parts", files={f"{n}/{deep}/CHANGES.md": "- Cut corn\n" for n in range(700)})
    repo.commit("Lift", files={"mill.py": "lift", "CHANGES.md": "- Lift the stone\n- Turn\n"})
    index(store, repo)
    commits = everything(store)
    found = reader(store).notes(commits, {}, 60) or {}
    (lift,) = [one for one in commits if one.subject == "Lift"]
    assert [one.text for one in found[lift.key]] == ["Lift the stone"]


def test_notes_that_are_not_all_read_in_time_are_none(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was read by then: the same commits are told in the same words."""
    repo = GitRepo(tmp_path / "acme" / "mill")
    for number in range(3):
        repo.commit(
            f"Lift {number}", files={"mill.py": f"{number}", f"news/{number}.bugfix": f"Lift {number} times.\n"}
        )
    index(store, repo)
    commits, read = everything(store), GitAt.blocks
    assert len(reader(store).notes(commits, {}, 60) or {}) == 3

    def stuck(git: GitAt, arguments: Sequence[str], lines: Sequence[str]) -> Iterable[bytes]:
        yield from read(git, arguments, lines[:2])
        git.cancel.wait(600)

    monkeypatch.setattr(GitAt, "blocks", stuck)
    assert reader(store).notes(commits, {}, 1) is None
    assert reader(store).notes([], {}, 0) == {}
