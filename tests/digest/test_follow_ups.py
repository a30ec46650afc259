"""What becomes of a change after a digest showed it is noted in the digest's thread, once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from bot_in_workspace import settings_for
from builders import ADA, GRACE, GitRepo, index
from digesting import sender_of, service_of
from faulty_slack import FaultyWorkspace

from bot.digest.service import TOO_OLD_WORDS, DigestService
from bot.digest.subscriptions import DigestPost, DigestSubscription
from bot.errors import AlmanacError
from bot.month.calendar import Month
from bot.settings import DigestSettings, RepositorySettings, Settings
from bot.workspace import ThreadedWorkspace, Workspace
from storage import Store

OCTOBER = Month.parse("2025-10")
POSTED = datetime(2025, 11, 1, 9, 5, tzinfo=UTC)
LATER = datetime(2025, 11, 20, 9, 0, tzinfo=UTC)
Json = dict[str, Any]


class Team:
    """A channel that got the digest of October, and a repository that goes on."""

    def __init__(self, slack: ThreadedWorkspace, store: Store, repo: GitRepo) -> None:
        self.slack, self.store, self.repo = slack, store, repo
        self.more: Json = {}

    def settings(self, at: datetime) -> Settings:
        digests = [DigestSettings(channel="#shipped")]
        return settings_for(self.slack, "socket", db=self.store.path, fixed_now=at, **{"digests": digests, **self.more})

    def service(self, at: datetime = LATER) -> DigestService:
        return service_of(self.settings(at), self.store, self.slack)

    @property
    def digest(self) -> DigestPost:
        return DigestPost.of(self.slack.workspace.team_id, DigestSubscription(channel="#shipped"), OCTOBER)

    def post(self) -> Json:
        """The digest of October, posted on the first of November; its first message."""
        service = self.service(POSTED)
        service.plan(self.digest, service.compose(self.digest), POSTED)
        self.send(POSTED)
        return self.slack.messages("shipped")[0]

    def send(self, at: datetime = LATER) -> None:
        sender = sender_of(self.settings(at), self.store)
        sender.send_waiting(20.0, pause=lambda _: False)

    def notes(self) -> list[str]:
        """What stands in the thread below what the digest itself put there."""
        return [one["text"] for one in self.slack.messages("shipped") if "Since this was posted:" in one["text"]]

    def look(self, at: datetime = LATER) -> list[str]:
        index(self.store, self.repo.path)
        self.service(at).look()
        self.send(at)
        return self.notes()


@pytest.fixture
def team(engine: GitRepo, tmp_path: Path) -> Iterator[Team]:
    with FaultyWorkspace(Workspace(channels=["shipped"])) as slack:
        yield Team(slack, Store(tmp_path / "almanac.db"), engine)


def back_out(repo: GitRepo, subject: str, by: Any = GRACE, at: str = "2025-11-10 10:00 +0000") -> str:
    sha = next(one for one in repo.shas() if repo.line("log", "-1", "--format=%s", one) == subject)
    body = f'Revert "{subject}"\n\nThis reverts commit {sha}.\n'
    return repo.commit(body, author=by, at=at, files={f"out/{sha[:6]}": at})


class TestNoted:
    def test_a_change_that_is_backed_out_later_is_noted_once_by_whom_and_when(self, team: Team) -> None:
        root = team.post()
        assert team.look() == []
        out = back_out(team.repo, "Add the mill (#1)")
        line = f"Ada Lovelace: “Add the mill”: 1 Oct landed → 10 Nov backed out by Grace Hopper ({out[:9]})."
        assert team.look() == [f"Since this was posted:\n• {line}"]
        assert [one["thread_ts"] for one in team.slack.messages("shipped") if line in one["text"]] == [root["ts"]]
        assert len(team.look()) == 1
        team.repo.commit("Add a door", author=ADA, at="2025-11-11 10:00 +0000", files={"door": "d"})
        assert len(team.look()) == 1
        back = back_out(team.repo, 'Revert "Add the mill (#1)"', ADA, "2025-11-12 10:00 +0000")
        notes = team.look()
        assert len(notes) == 2
        assert notes[1].endswith(f"→ 10 Nov backed out by Grace Hopper ({out[:9]}) → 12 Nov back ({back[:9]}).")
        assert len(team.look()) == 2


class TestPrivate:
    def test_a_repository_that_the_channel_may_not_read_of_is_not_spoken_of(self, team: Team) -> None:
        team.post()
        back_out(team.repo, "Add the mill (#1)")
        team.more = {"repositories": [RepositorySettings(address=str(team.repo.path), audience=["#leads"])]}
        assert team.look() == []

    def test_who_asked_not_to_be_shown_is_not_named(self, team: Team) -> None:
        team.post()
        out = back_out(team.repo, "Add the mill (#1)")
        team.store.said.say("hide", "hide", ["grace@example.com"], "", "Grace Hopper", LATER)
        back_out(team.repo, "Add a compiler", ADA)  # which is theirs
        (note,) = team.look()
        assert f"10 Nov backed out by somebody ({out[:9]})" in note and "Grace" not in note

    def test_a_change_that_its_author_hid_is_not_noted(self, team: Team) -> None:
        team.post()
        back_out(team.repo, "Add the mill (#1)")
        mill = next(
            one for one in team.repo.shas() if team.repo.line("log", "-1", "--format=%s", one).startswith("Add the m")
        )
        team.store.said.say("change", "hidden", [mill], "yes", "Ada Lovelace", LATER)
        assert team.look() == []


class TestUpdated:
    def test_one_that_is_too_old_says_so(self, team: Team) -> None:
        team.post()
        team.slack.faults.next("chat.update", "error:edit_window_closed")
        with pytest.raises(AlmanacError, match=TOO_OLD_WORDS):
            team.service().update(team.digest)
