"""The sample history: all that the demonstration is to show is in it, and the bot tells it whatever the date."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from builders import GitRepo, everything, index
from hypothesis import given
from hypothesis import strategies as st

from bot.ask.queries import EVERY, Queries
from bot.errors import AlmanacError
from bot.month.calendar import Month, MonthRange
from bot.month.links import Link, links_of
from bot.sample.history import sample_commits
from bot.sample.making import HERE, make, sample
from bot.settings import Settings
from bot.story.render import Templates
from storage import Store

TEXT = (HERE / "history.txt").read_text("utf-8")
AT = datetime(2025, 11, 27, 9, 0, tzinfo=UTC)
REPOSITORIES = ("acme/engine", "acme/web", "acme/billing")
HEAD = "author ada Ada Lovelace <ada@acme.example> Europe/London\n== 1 month ago\n"


class Sample:
    """The sample at AT, indexed."""

    def __init__(self, home: Path) -> None:
        self.settings = sample(Settings(home=home, fixed_now=AT))
        self.folder = home / "demo" / "sample"
        self.store = Store(self.settings.database)
        for table in self.settings.repositories:
            index(self.store, table.address, table.name)
        self.commits = everything(self.store)
        self.links = links_of(self.commits)
        self.almanac = Queries.of(self.store, self.settings)

    def of(self, kind: str) -> list[Link]:
        return [one for one in self.links if one.kind == kind]

    def diffs(self, repository: str) -> str:
        """Every line that a commit of a repository adds or takes away, oldest first."""
        return GitRepo(self.folder / repository).line("log", "--reverse", "--patch", "--unified=0", "--format=%H")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    return Sample(tmp_path_factory.mktemp("home"))


# --- what is in it


def test_changes_come_back_and_one_stays_out(made: Sample) -> None:
    back = {one.target.sha for one in made.of("relands")}
    out = {one.target.sha for one in made.of("reverts")}
    assert len(back) >= 3
    assert out - back
    links = [(one.target.author.at, one.source.author.at) for one in made.of("reverts")]
    months = [tuple(Month.of(at, ZoneInfo("UTC")) for at in link) for link in links]
    assert (made.almanac.present() - 1, made.almanac.present()) in months  # the month that the demonstration opens with


def test_one_change_is_exported_to_both_repositories(made: Sample) -> None:
    pairs = {frozenset({one.source.repository, one.target.repository}) for one in made.of("same")}
    assert pairs == {frozenset({"acme/engine", "acme/web"})}
    assert len(made.of("same")) >= 3


# --- what the bot tells of it


def test_every_month_of_everybody_is_told(made: Sample) -> None:
    span = MonthRange(made.almanac.present() - 13, made.almanac.present())
    templates, told = Templates(), set[str]()
    for person in made.almanac.known.everyone:
        for document in made.almanac.month(person, span, most=EVERY):
            assert person.name in templates.month("text", document, made.almanac.pages())
            told |= {commit.sha for change in document.changes for commit in change.commits}
    assert told >= {one.sha for one in made.commits}
    for month in span:
        assert month.title in templates.month("text", made.almanac.digest(month), made.almanac.pages())


# --- how it is made


def shas(folder: Path) -> dict[str, list[str]]:
    return {name: GitRepo(folder / name).shas("main") for name in REPOSITORIES}


def test_the_same_moment_gives_the_same_shas_and_a_later_one_adds_to_them(made: Sample, tmp_path: Path) -> None:
    make(tmp_path, AT - timedelta(days=15))
    first = shas(tmp_path)
    make(tmp_path, AT)
    later = shas(tmp_path)
    assert later == shas(made.folder)
    assert later["acme/engine"] != first["acme/engine"]
    assert all(later[name][-len(first[name]) :] == first[name] for name in REPOSITORIES)


@given(seconds=st.integers(0, 4_000_000_000))
def test_it_fits_whatever_the_date_is(seconds: int) -> None:
    now = datetime.fromtimestamp(seconds, UTC)
    made = sample_commits(TEXT, now)
    for commits in made.values():
        times = [one.at for one in commits]
        assert times == sorted(times) and times[-1] <= now
        assert times[0] > now - timedelta(days=14 * 31)
    assert sum(map(len, made.values())) >= 250


def test_what_is_there_is_not_made_again_but_what_is_damaged_is(tmp_path: Path) -> None:
    make(tmp_path, AT)
    before, inode = shas(tmp_path), (tmp_path / "acme").stat().st_ino
    make(tmp_path, AT)
    assert (tmp_path / "acme").stat().st_ino == inode
    shutil.rmtree(tmp_path / "acme" / "web")
    make(tmp_path, AT)
    assert shas(tmp_path) == before


def test_it_may_be_made_by_several_at_once(made: Sample, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: make(tmp_path, AT), range(4)))
    assert shas(tmp_path) == shas(made.folder)


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(AlmanacError, match="the sample history could not be made in"):
        sample(Settings(home=tmp_path / "home", fixed_now=AT))


def test_without_git_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(AlmanacError, match="git is not installed"):
        make(tmp_path / "made", AT)


def test_what_others_changed_meanwhile_stays_when_a_change_is_undone() -> None:
    commits = sample_commits(
        HEAD
        + "@ 1 10:00 ada engine\nOne (#1)\n> a.py +2\n"
        + "@ 2 10:00 ada engine\nTwo (#2)\n> a.py +1\n"
        + "@ 3 10:00 ada engine\nNot one\n> undo #1\n",
        AT,
    )["engine"]
    one, two, three = (commit.files["a.py"] for commit in commits[1:])
    assert one and two and two.startswith(one)
    assert three == two.removeprefix(one)
