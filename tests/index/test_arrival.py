"""Each commit came to the branch with the topic merge that brought it, or else when it was committed."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from builders import ADA, GRACE, GitRepo, everything, index
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.index import indexing
from bot.model import Commit
from storage import Store
from storage.commits import Commits

AUTHORS = (
    ADA, ("Ada Lovelace", "ada@home.example"), ("ada", "ADA@example.com"), GRACE, ("Kim", "kim@example.com"),
    ("Lee", "lee@example.com"),
)  # fmt: skip
PERSON = (0, 0, 0, 1, 2, 3)
TOPIC, LINE, INTO = "Merge branch 'contours'", "Merge branch 'main'", "Merge branch 'main' into contours"
PERHAPS = "Merge branch 'beta'"  # a topic, or a branch of everyone's


class Made(NamedTuple):
    parents: tuple[int, ...]
    author: int
    at: int
    title: str = TOPIC


@st.composite
def histories(draw: st.DrawFn) -> list[Made]:
    """Merges of two and three, nested ones and those of the main branch; beginnings beside the first; lying clocks."""
    made = []
    for number in range(draw(st.integers(2, 16))):
        backs = draw(st.lists(st.integers(1, 7), unique=True, min_size=min(number, 1), max_size=3))
        parents = tuple(number - back for back in backs if back <= number)
        title = draw(st.sampled_from([TOPIC, TOPIC, PERHAPS, PERHAPS, LINE, INTO]))
        made.append(Made(parents, draw(st.integers(0, 5)), draw(st.integers(1, 60)), title))
    return made


def reach(history: Sequence[Made], tip: int) -> set[int]:
    found, todo = set(), [tip]
    while todo:
        number = todo.pop()
        if number not in found:
            found.add(number)
            todo += history[number].parents
    return found


def expected(history: Sequence[Made], tip: int) -> dict[int, int | None]:
    """By which merge each commit came: set by set, as slowly as it is said."""
    via: dict[int, int | None] = dict.fromkeys(reach(history, tip))
    line: int | None = tip
    while line is not None:
        one = history[line]
        is_second = one.title == INTO and len(one.parents) > 1
        line_goes_on = one.parents[is_second] if one.parents else None
        if line_goes_on is not None and one.title != LINE:
            brought = reach(history, line) - reach(history, line_goes_on) - {line}
            changes = [number for number in brought if len(history[number].parents) < 2]
            if one.title != PERHAPS or people({history[number].author for number in changes}) <= 3:
                via |= dict.fromkeys(brought, line)
        line = line_goes_on
    return via


def people(authors: set[int]) -> int:
    """Who they are: Ada's second name and her second address are one person's only where her first are there too."""
    return len({PERSON[author] for author in authors}) + (authors & {0, 1, 2} == {1, 2})


def write(repo: GitRepo, history: Sequence[Made]) -> list[str]:
    """The SHAs of the commits, which no branch has yet."""
    lines = []
    for number, one in enumerate(history):
        name, address = AUTHORS[one.author]
        lines += [
            f"commit refs/made/{number}", f"mark :{number + 1}", f"author {name} <{address}> 1 +0000",
            f"committer Forge <forge@example.com> {one.at} +0000", f"data {len(one.title)}", one.title,
            *(f"{'merge' if place else 'from'} :{parent + 1}" for place, parent in enumerate(one.parents)),
            f"M 100644 inline {number}.py", "data 1", "x", "",
        ]  # fmt: skip
    marks = repo.path / "marks"
    repo.git(
        "fast-import", "--quiet", "--force", "--date-format=raw-permissive", f"--export-marks={marks}",
        stdin="\n".join([*lines, "done", ""]).encode(),
    )  # fmt: skip
    found = dict(line.split() for line in marks.read_text().splitlines())
    return [found[f":{number + 1}"] for number in range(len(history))]


def told(store: Store) -> dict[str, tuple[str | None, int]]:
    return {one.sha: (one.via, one.dated("came").seconds) for one in everything(store)}


runs = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 4)), max_size=3)


def cut(monkeypatch: pytest.MonkeyPatch, batches: int) -> None:
    """Have a run end after so many batches."""
    left = itertools.count(batches, -1)
    add = Commits.add

    def interrupted(self: Commits, name: str, commits: Sequence[Commit]) -> int:
        if not next(left):
            raise KeyboardInterrupt
        return add(self, name, commits)

    monkeypatch.setattr(Commits, "add", interrupted)


@pytest.mark.slow
@pytest.mark.sqlite
def test_many_histories_are_read_alike() -> None:
    """The branch goes on, is pushed anew, goes back; each time it is read, as a rule not to the end."""

    @settings(max_examples=90)
    @given(histories(), runs)
    @example([Made((), 0, 1), Made((0,), 0, 1), Made((1,), 0, 1)], [(0, 0), (2, 1), (0, 0)])  # back where no run ended
    @example([Made((), 0, 1), *(Made((n,), n + 1, 1) for n in range(4)), Made((0, 4), 0, 1)], [])
    @example([Made((), 0, 60), *(Made((n,), 0, 1) for n in range(8)), Made((0,), 0, 61), Made((8, 9), 0, 50)], [(8, 0)])
    def check(history: list[Made], before: list[tuple[int, int]]) -> None:
        with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as small:
            small.setattr(indexing, "BATCH", 2)
            small.setattr(indexing, "LARGEST", 2)
            repo, store = GitRepo(Path(folder) / "acme" / "engine"), Store(Path(folder) / "almanac.db")
            shas = write(repo, history)
            for tip, batches in [*before, (len(history) - 1, 0)]:
                tip %= len(history)
                repo.git("update-ref", "refs/heads/main", shas[tip])
                with pytest.MonkeyPatch.context() as short, suppress(KeyboardInterrupt):
                    if batches:
                        cut(short, batches)
                    index(store, repo)
                    assert told(store) == {
                        shas[number]: (None, history[number].at) if via is None else (shas[via], history[via].at)
                        for number, via in expected(history, tip).items()
                    }

    check()


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "acme" / "engine")
    made.commit("Begin")
    return made


# By how many people a side was written, and whether a merge of these titles brought it as a topic.
TITLES: dict[tuple[int, bool], list[str]] = {
    (1, True): [
        "Merge branch 'contours'", "Merge branch 'contours' into main", "Merge branch 'fix-main' of ../x",
        "Merge branches 'tides' and 'contours'", "Merge remote-tracking branch 'origin/contours'",
        "Merge remote-tracking branch 'ada/main'", "Merge branch 'hotfix/v2.20.4'", "Merge branch 'release-notes'",
        "Merge pull request #20 from sea/side", "Merge pull request #21 from sea/main",
        "Merge pull request #22 from acme/v2-of-the-parser", "Merged in feature/tides (pull request #12)",
        "Merge pull request #12 in SEA/charts from tides to main", "Merged PR 103: Draw the main wrecks",
        'Merge "Draw the main wrecks"', "Merge changes I81f2,I93aa into main", "Merge main and release notes",
        "Land the tides", "",
    ],
    (1, False): [
        "Merge branch 'main'", "Merge branch 'master' of https://github.com/acme/engine", "Merge branch 'dev'",
        "Merge branch 'main' into contours", "Merge remote-tracking branch 'origin/develop' into main",
        "Merge branches 'main' and 'contours'", "Merge branch 'trunk' into 'main'", "Merge main into contours",
        "Merge branch 'release/v2.20.x'", "Merge branch '1.2'", "Merge tag 'v3.0.1' into main", "Merge branch 'v3'",
        "Merge branch 'release-2025.1' into 'main'", "Merge branch 'maint-2.3'", "Merge branch 'stable/2.3'",
        "Merge pull request #20 from acme/dev", "Merge pull request #20 from Acme/release/2.3",
        "Merge pull request #12 in SEA/charts from develop to main", "Merged develop into main",
        "Merge remote-tracking branch 'refs/remotes/origin/main'", "merge origin/main", "Merge with main",
        "Merged in develop (pull request #12)", "Merge dev branch into main",
    ],
    (4, True): [
        TOPIC, "Merge branch 'debug' of ../x", "Merge pull request #20 from sea/upstream-operator",
        "Merge the hexes into this repository", "Merge PR #7: Draw the wrecks", "Merge remote branch 'ada/tides'",
        "Merge branch 'feature/tides'", "Merged in side/tides (pull request #12)",
    ],
    (4, False): [
        PERHAPS, "Merge branch 'ada/next'", "Merge pull request #20 from acme/feature", "Resolve conflicts", "",
        "Merge pull request #21 from sea/develop", "Merge remote-tracking branch 'upstream/main'", "Sync with 2.5",
        "Merge branch 'integration_4.0.6'", "Merge 'tides-1.47.2' into 'main' (#12)", "Merge branch '1.0-maint'",
        "Merge current v3.0 into main", "Merge current branch v3.7 into main", "Merge the latest from upstream",
        "Merge changes from 0.24.2 with main", "Merge latest main",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("people", "is_topic"), TITLES)
def test_a_topic_came_with_its_merge_and_what_everyone_works_on_did_not(
    repo: GitRepo, store: Store, people: int, is_topic: bool
) -> None:
    """A merge of the main or a release branch is none of a topic; nor is one of what many wrote that names a branch of
    everyone's, or does not say what it merges."""
    titles, history = TITLES[people, is_topic], [Made((), 0, 1)]
    for title in titles:
        tip = len(history) - 1
        history += [Made((tip + step,), step + 2 if people > 1 else 0, 1) for step in range(people)]
        history.append(Made((tip, tip + people), 0, 1, title))
    shas = write(repo, history)
    repo.git("update-ref", "refs/heads/main", shas[-1])
    index(store, repo)
    came, every = told(store), people + 1
    brought = [came[side][0] == merge for side, merge in zip(shas[1::every], shas[every::every], strict=True)]
    assert [title for title, found in zip(titles, brought, strict=True) if found is not is_topic] == []


@pytest.mark.parametrize(("branch", "by_second"), [("main", True), ("contours", False)])
def test_a_branch_that_took_the_main_one_in_and_became_it_came_with_that_merge(
    repo: GitRepo, store: Store, branch: str, by_second: bool
) -> None:
    """But where that branch is itself what is read, the main one is taken in as ever."""
    history = [Made((), 0, 1), Made((0,), 0, 2), Made((0,), 3, 3), Made((1, 2), 0, 9, INTO), Made((3,), 0, 10)]
    shas = write(repo, history)
    repo.git("update-ref", f"refs/heads/{branch}", shas[-1])
    repo.git("symbolic-ref", "HEAD", f"refs/heads/{branch}")
    index(store, repo)
    came = told(store)
    assert came[shas[1]] == ((shas[3], 9) if by_second else (None, 2))
    assert came[shas[2]] == (None, 3)
