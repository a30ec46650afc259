"""The sample history: the bot tells it whatever the date, and it is made the same each time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from builders import GitRepo, everything, index
from hypothesis import given
from hypothesis import strategies as st

from bot.ask.queries import EVERY, Queries
from bot.month.calendar import Days
from bot.sample import HERE, make, sample, sample_commits
from bot.settings import Settings
from bot.story.render import Templates
from storage import Store

TEXT = (HERE / "history.txt").read_text("utf-8")
AT = datetime(2025, 11, 27, 9, 0, tzinfo=UTC)
REPOSITORIES = ("acme/engine", "acme/web", "acme/billing")


class Sample:
    """The sample at AT, indexed."""

    def __init__(self, home: Path) -> None:
        self.settings = sample(Settings(home=home, fixed_now=AT))
        self.folder = home / "demo" / "sample"
        self.store = Store(self.settings.database)
        for table in self.settings.repositories:
            index(self.store, table.address, table.name)
        self.commits = everything(self.store)
        self.almanac = Queries.of(self.store, self.settings)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    return Sample(tmp_path_factory.mktemp("home"))


def test_every_month_of_everybody_is_told(made: Sample) -> None:
    span = Days.of(made.almanac.present() - 13, made.almanac.present())
    templates, told = Templates(), set[str]()
    for person in made.almanac.known.everyone:
        for document in made.almanac.month(person, span, most=EVERY):
            assert person.name in templates.month("text", document, made.almanac.pages())
            told |= {commit.sha for change in document.changes for commit in change.commits}
    assert told >= {one.sha for one in made.commits}
    for month in span.months or ():
        assert month.title in templates.month("text", made.almanac.digest(month), made.almanac.pages())


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
