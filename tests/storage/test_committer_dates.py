"""Asked by the days on which commits came, the store answers just as it would if those were the author dates."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import Commit, Dates, Identity, Repository, Signature
from storage import Store
from storage.commits import Commits

ADA, GRACE = Identity("Ada Lovelace", "ada@example.com"), Identity("Grace Hopper", "grace@example.com")
REPOSITORIES = ("acme/engine", "acme/web")
DAY = 24 * 3600
CREDITS = {
    ADA: "Reviewed-by: Grace Hopper <grace@example.com>",
    GRACE: "Co-authored-by: Ada Lovelace <ada@example.com>\nReviewed-by: Ada Lovelace <ada@example.com>",
}

days = st.integers(0, 40)
histories = st.lists(
    st.tuples(st.sampled_from(REPOSITORIES), st.sampled_from([ADA, GRACE]), days, days, st.none() | days),
    min_size=1, max_size=12,
)  # fmt: skip


def utc(day: int) -> datetime:
    return datetime.fromtimestamp(day * DAY, UTC)


def made(number: int, repository: str, who: Identity, authored: int, committed: int, came: int | None = None) -> Commit:
    """A commit, and with `came` one that a topic merge brought on that day."""
    author = Signature(who.name, who.address, authored * DAY, 60)
    machine = Signature("GitHub", "noreply@github.com", committed * DAY, -60)
    commit = Commit(repository, f"{number:040x}", (), author, machine, "Add a cache", CREDITS[who])
    return commit if came is None else replace(commit, via="e" * 40, came_at=came * DAY)


def turned(commit: Commit) -> Commit:
    """The same written on the day when it came, and the other way round."""
    written, came = commit.author.seconds, commit.dated("came").seconds
    return replace(
        commit, author=replace(commit.author, seconds=came), committer=replace(commit.committer, seconds=written),
        via=None, came_at=None,
    )  # fmt: skip


def store_of(path: Path, commits: list[Commit], dates: Dates) -> Store:
    store = Store(path, dates=dates)
    for name in REPOSITORIES:
        store.commits.register(Repository(name, f"/srv/{name}"))
        store.commits.add(name, [one for one in commits if one.repository == name])
    return store


def answers(store: Store, commits: Commits, start: datetime, end: datetime) -> list[object]:
    """All that is asked by time, in no order but where the order tells newest from oldest."""

    def found(some: list[Commit]) -> set[str]:
        return {one.sha for one in some}

    told: list[object] = []
    for whose in (None, [ADA], [ADA, GRACE]):
        told += [
            found(commits.between(start, end, identities=whose)),
            found(commits.between(start, end, identities=whose, repositories=["acme/web"])),
            commits.latest(end, whose),
            commits.latest(end, whose, without=["acme/web"]),
            commits.earliest(start, whose),
        ]
    for one in (ADA, GRACE):
        credited = commits.crediting(start, end, [one.address], [one.name], lambda _: True)
        told.append({(role, of.sha) for role, of in credited})
    active = store.identities.active(start, end)
    return [*told, active, store.identities.active(start, end, without=["acme/web"])]


@pytest.mark.sqlite  # a hundred databases
@given(histories, days, days)
def test_committer_dates_answer_as_author_dates_would(
    history: list[tuple[str, Identity, int, int, int | None]], one: int, other: int
) -> None:
    commits = [made(number, *each) for number, each in enumerate(history)]
    start, end = utc(min(one, other)), utc(max(one, other) + 1)
    with TemporaryDirectory() as folder:
        by_committer = store_of(Path(folder) / "committer.db", commits, "committer")
        by_author = store_of(Path(folder) / "author.db", [turned(commit) for commit in commits], "author")
        told = answers(by_author, by_author.commits, start, end)
        assert answers(by_committer, by_committer.commits, start, end) == told
        assert answers(by_committer, by_committer.came, start, end) == told
        months = by_committer.commits.between(start, end)
        assert {one.sha for one in months} == {one.sha for one in commits if start <= one.dated("committer").at < end}
