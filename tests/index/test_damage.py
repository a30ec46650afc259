"""Of a history that is damaged, all is stored that git can read; the rest is named, and tried again by each run."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import Copy, GitRepo, everything, index

from bot.index import indexing, mirrors
from bot.index.lines import Lines
from bot.model import Commit
from storage import Store

NAME = "acme/engine"


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    return GitRepo(tmp_path / "acme" / "engine")


@pytest.fixture(autouse=True)
def at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are read first, as of a long history, but where a test is marked `either_way`."""
    monkeypatch.setattr(mirrors, "AT_ONCE", getattr(request, "param", 0))
    monkeypatch.setattr(indexing, "BATCH", 3)


either_way = pytest.mark.parametrize("at_once", [1000, 0], ids=["lines at once", "names first"], indirect=True)


Damage = Callable[[Path], None]


def lose(path: Path) -> None:
    path.unlink()


def garble(path: Path) -> None:
    path.chmod(0o644)
    path.write_bytes(b"garbage")


def empty(path: Path) -> None:
    path.chmod(0o644)
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-20])


DAMAGES = [lose, garble, empty, cut]


class Damaged:
    """An object that is damaged, and can be mended."""

    def __init__(self, repo: GitRepo, revision: str, damage: Damage = lose) -> None:
        self.sha = repo.line("rev-parse", revision)
        self._path = repo.loose_object(self.sha)
        self._kept = self._path.read_bytes()
        damage(self._path)

    def mend(self) -> None:
        self._path.unlink(missing_ok=True)
        self._path.write_bytes(self._kept)


def line(repo: GitRepo, number: int = 10) -> list[str]:
    """A history without branches."""
    return [repo.commit(f"Commit {at}", files={"a": "x\n" * at}) for at in range(1, number + 1)]


def _ten(folder: Path) -> None:
    line(GitRepo(folder / "acme" / "engine"))


@pytest.fixture
def made(copy: Copy, repo: GitRepo) -> list[str]:
    """Such a history of ten commits in the repository, oldest first."""
    copy(_ten)
    return repo.shas()[::-1]


def shas(store: Store) -> set[str]:
    return {commit.sha for commit in everything(store)}


def counter(store: Store) -> Lines:
    return Lines(store.commits, store.path.parent / "mirrors")


_UNDISTURBED: dict[str, list[Commit]] = {}


def undisturbed(repo: GitRepo, folder: Path) -> list[Commit]:
    """What an index of the whole history stores; of one history it is made once."""
    if (tip := repo.tip) not in _UNDISTURBED:
        _UNDISTURBED[tip] = _undisturbed(repo, folder)
    return _UNDISTURBED[tip]


def _undisturbed(repo: GitRepo, folder: Path) -> list[Commit]:
    store = Store(folder / "undisturbed" / "almanac.db")
    assert index(store, repo).failure is None
    counter(store).count_all(NAME)
    return everything(store)


def indexed_again(store: Store, repo: GitRepo) -> list[Commit]:
    """What is stored after the next index, which finds nothing wrong."""
    assert index(store, repo).failure is None
    counter(store).count_all(NAME)
    known = store.commits.repository(NAME)
    assert known and (known.tip, known.failure) == (repo.tip, None)
    return everything(store)


@either_way
def test_several_are_named_and_counted(repo: GitRepo, store: Store, tmp_path: Path) -> None:
    base = line(repo, 1)
    tips = []
    for number in range(5):
        repo.checkout(base[0])
        tips.append(repo.commit(f"Beside {number}", files={f"b{number}": "1"}))
        repo.branch(f"side-{number}")
    repo.checkout("main")
    merges = [repo.merge(f"side-{number}") for number in range(5)]
    damaged = [Damaged(repo, sha, damage) for sha, damage in zip(tips, [*DAMAGES, lose], strict=True)]
    done = index(store, repo)
    assert shas(store) == {*base, *merges}
    assert done.failure and "5 commits (" in done.failure
    for one in damaged[:3]:
        one.mend()
        assert index(store, repo).new == 1
    for one in damaged[3:]:
        one.mend()
    assert indexed_again(store, repo) == undisturbed(repo, tmp_path)


def test_the_command_says_it_in_a_line_and_counts_what_it_can(
    repo: GitRepo, made: list[str], tmp_path: Path, almanac: Callable[..., object]
) -> None:
    Damaged(repo, made[1])
    Damaged(repo, f"{made[6]}:a")
    for new in (8, 0):
        ran = almanac("index", repo.path)
        assert ran.code == 1  # type: ignore[attr-defined]
        assert f"acme/engine: 8 commits, {new} new" in ran.out  # type: ignore[attr-defined]
        told = [one for one in ran.err.splitlines() if one.startswith("almanac: ")]  # type: ignore[attr-defined]
        assert any(made[1][:12] in one and "cannot be read" in one for one in told)
        assert any(made[6][:12] in one and "lines" in one for one in told)


@pytest.mark.slow
@either_way
def test_damaged_anywhere_nothing_is_lost_and_mended_it_is_as_if_undisturbed(tmp_path: Path) -> None:
    """Eight histories with merges; in each, one to six objects of any kind are damaged in any way, twice."""
    tries = 0
    for seed in range(8):
        chance = random.Random(seed)  # noqa: S311
        repo = GitRepo(tmp_path / str(seed) / "acme" / "engine")
        for number in range(14):
            if number % 5 == 4:
                repo.branch("side", f"HEAD~{chance.randrange(1, 3)}")
                repo.checkout("side")
                repo.commit(f"Beside {number}", files={f"b{number}": f"{number}\n"})
                repo.checkout("main")
                repo.merge("side")
            repo.commit(f"Commit {number}", files={f"a{number % 3}": f"{number}\n" * chance.randrange(1, 9)})
        whole = undisturbed(repo, tmp_path / str(seed))
        store = Store(tmp_path / str(seed) / "store" / "almanac.db")
        before: set[str] = set()
        objects = repo.line("rev-list", "--objects", "--no-object-names", "HEAD").split()
        for _ in range(2):
            broken = [
                Damaged(repo, sha, chance.choice(DAMAGES))
                for sha in chance.sample([one for one in objects if one != repo.tip], chance.randrange(1, 7))
            ]
            done = index(store, repo)
            now = shas(store)
            lost = {one.sha for one in broken} & {one.sha for one in whole}
            assert before <= now <= {one.sha for one in whole}
            assert bool(done.failure) == (now != {one.sha for one in whole})
            assert not lost or now >= _reachable_past(whole, repo.tip, lost - before)
            before = now
            for one in broken:
                one.mend()
            tries += 1
        assert indexed_again(store, repo) == whole
    assert tries == 16


def _reachable_past(commits: list[Commit], tip: str, lost: set[str]) -> set[str]:
    """All that a history leads to without the commits that are lost."""
    by_sha = {one.sha: one for one in commits}
    found: set[str] = set()
    waiting = [tip]
    while waiting:
        sha = waiting.pop()
        if sha not in found and sha not in lost:
            found.add(sha)
            waiting += by_sha[sha].parents
    return found
