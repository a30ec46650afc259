"""Diffs are read from repositories as they lie on this disk, and nothing that is in the way spoils an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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


@pytest.mark.parametrize(
    ("path", "text", "is_breaking"),
    [
        (".chloggen/mill.yaml", "change_type: breaking\nnote: Remove the mill\n", True),
        (".chloggen/mill.yaml", 'change_type: "breaking"\n', True),
        (".chloggen/mill.yaml", "# change_type: breaking\nchange_type: enhancement\n", False),
        (".changeset/brave-mills.md", '---\n"@acme/mill": major\n---\n\nRemove the mill\n', True),
        (".changeset/brave-mills.md", '---\n"@acme/mill": minor\n---\n\nmajor: none\n', False),
        ("docs/mill.yaml", "change_type: breaking\n", False),
    ],
)
def test_a_change_file_says_what_breaks(store: Store, tmp_path: Path, path: str, text: str, is_breaking: bool) -> None:
    repo = GitRepo(tmp_path / "acme" / "mill")
    repo.commit("Remove the mill", files={"mill.py": "", path: text})
    repo.commit("Cut a release", rename={path: f"{path}.old"})
    index(store, repo)
    commits = everything(store)
    found = reader(store).breaking(commits, 60)
    assert {one.subject for one in commits if one.key in found} == ({"Remove the mill"} if is_breaking else set())
