"""The whole way of a digest by the clock: it is posted, and what becomes of it is noted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from bot_in_workspace import settings_for
from builders import ADA, GRACE, GitRepo, index
from digesting import jobs_of
from talking import direct

from bot.digest.tick import Jobs
from bot.settings_tables import DigestSettings, RepositorySettings
from bot.workspace import ThreadedWorkspace, Workspace, WorkspaceUser
from storage import Store


@pytest.fixture
def slack() -> Iterator[ThreadedWorkspace]:
    people = [
        WorkspaceUser(name="ada", real_name="Ada Lovelace", email="ada@example.com", id="U0ADA1"),
        WorkspaceUser(name="grace", real_name="Grace H.", email="grace@example.com", id="U0GRACE1"),
    ]
    with ThreadedWorkspace(Workspace(people, ["shipped"]), retry_delays=(0.0,)) as opened:
        yield opened


def jobs(slack: ThreadedWorkspace, store: Store, repo: GitRepo, at: datetime) -> Jobs:
    """The rounds of a bot that has just started: nothing is in its memory."""
    wanted = settings_for(
        slack,
        "socket",
        db=store.path,
        home=store.path.parent / "home",
        fixed_now=at,
        repositories=[RepositorySettings(address=str(repo.path))],
        digests=[DigestSettings(channel="#shipped")],
    )
    return jobs_of(wanted, store, slack)


def test_posted_and_noted_each_once_however_often_the_bot_starts(slack: ThreadedWorkspace, tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "acme" / "engine")
    mill = repo.commit("Add the mill", author=ADA, at="2025-10-01 10:00 +0000", files={"src/mill.py": "mill\n"})
    repo.commit("Add a compiler", author=GRACE, at="2025-10-02 10:00 +0000", files={"src/compiler.py": "c\n"})
    store = Store(tmp_path / "almanac.db")
    index(store, repo.path)

    def tick(*at: int) -> None:
        for _ in range(2):
            one = jobs(slack, store, repo, datetime(*at, tzinfo=UTC))  # type: ignore[arg-type]
            one.refresh()
            one.look_back()
            one.tick()

    tick(2025, 10, 30, 9, 5)
    assert slack.messages("shipped") == []
    tick(2025, 11, 1, 9, 5)
    (root,) = slack.messages("shipped")
    assert "2 people, 2 changes" in root["text"] and "Grace" in root["text"]
    body = f'Revert "Add the mill"\n\nThis reverts commit {mill}.\n'
    repo.commit(body, author=GRACE, at="2025-11-10 10:00 +0000", files={"out": "o"})
    tick(2025, 11, 10, 12)
    *_, note = slack.messages("shipped")
    assert "→ 10 Nov backed out by Grace Hopper" in note["text"]
    assert note["thread_ts"] == root["ts"] and len(slack.messages("shipped")) == 2
    assert [slack.messages(direct(slack, login)) for login in ("ada", "grace")] == [[], []]
