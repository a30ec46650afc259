"""An answer for one pair of eyes is shown to others only anew, with what they may read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bot_in_workspace import running_bot, settings_for
from builders import ADA, NOW, GitRepo, index
from talking import answer_to, answers, ask, buttons, delivered, modal, press, pressed_at, said, whispers, write_to_bot

from bot.settings_tables import PrivacySettings, RepositorySettings
from bot.workspace import ThreadedWorkspace
from storage import Store


@pytest.mark.usefixtures("bot")
class TestShared:
    def test_it_is_posted_anew_and_the_other_goes(self, workspace: ThreadedWorkspace) -> None:
        mine = ask(workspace, "guest", "/almanac month ada october")
        press(workspace, "guest", mine, "Share here")
        posted = answer_to(workspace, mine["ts"], "Ada Lovelace · October 2025")
        assert "ephemeral" not in posted and "the store" in posted["text"]
        assert list(buttons(posted)) == ["← August 2025", "All 2 changes", "Profile", "Not right?"]
        workspace.wait_until(lambda: not whispers(workspace, "general", "guest"))

    def test_a_press_that_is_delivered_twice_posts_once(self, workspace: ThreadedWorkspace) -> None:
        mine = ask(workspace, "guest", "/almanac month ada october")
        press(workspace, "guest", mine, "Share here")
        answer_to(workspace, mine["ts"], "Ada Lovelace · October 2025")
        workspace.redeliver_press(pressed_at(workspace))
        ask(workspace, "guest", "@Almanac ada august 2025", contains="August")
        assert len([one for one in answers(workspace, "general") if "October 2025" in one["text"]]) == 1

    def test_from_a_direct_message_into_a_channel_that_is_chosen(self, workspace: ThreadedWorkspace) -> None:
        mine = answer_to(workspace, write_to_bot(workspace, "ada", "my october"), "October 2025")
        press(workspace, "ada", mine, "Share in a channel")
        modal(workspace, "ada", "Post it in")
        workspace.submit("ada", {"channel": "C0002"})
        modal(workspace, "ada", "It is posted there.")
        (posted,) = answers(workspace, "shipped")
        assert "the store" in posted["text"]

    def test_what_cannot_be_posted_is_said_to_whoever_wanted_it(self, workspace: ThreadedWorkspace) -> None:
        mine = ask(workspace, "guest", "/almanac month ada october")
        workspace.faults.next("chat.postMessage", "error:not_in_channel")
        press(workspace, "guest", mine, "Share here")
        told = answer_to(workspace, mine["ts"], "could not be posted there")
        assert told["ephemeral"] and "/invite @Almanac" in told["text"]
        assert whispers(workspace, "general", "guest")[0]["ts"] == mine["ts"]  # what was there stays


class TestWithLessForOthers:
    @pytest.fixture
    def asked(
        self,
        workspace: ThreadedWorkspace,
        indexed: Store,
        engine: GitRepo,
        tmp_path: Path,
        request: pytest.FixtureRequest,
    ) -> Iterator[ThreadedWorkspace]:
        """A bot with a repository that only #shipped reads of, and answers about others for the asker alone."""
        repo = GitRepo(tmp_path / "acme" / "secret")
        repo.commit("Plan the raid", author=ADA, at="2025-10-03 10:00 +0000", files={"plan.txt": "p"})
        index(indexed, repo.path)
        guarded = RepositorySettings(address=str(repo.path), audience=["#shipped"])
        tables = [RepositorySettings(address=str(engine.path)), guarded]
        privacy = PrivacySettings(answers_about_others=getattr(request, "param", "channel"))
        settings = settings_for(
            workspace, "socket", db=indexed.path, fixed_now=NOW, repositories=tables, privacy=privacy
        )
        with running_bot(settings):
            workspace.wait_connected()
            yield workspace

    def test_what_a_channel_may_not_read_is_left_out_there(self, asked: ThreadedWorkspace) -> None:
        mine = answer_to(asked, write_to_bot(asked, "ada", "my october"), "October 2025")
        assert "Plan the raid" in mine["text"]  # she is in #shipped
        press(asked, "ada", mine, "Share in a channel")
        modal(asked, "ada", "Post it in")
        asked.submit("ada", {"channel": "C0001"})
        modal(asked, "ada", "It is posted there.")
        (posted,) = answers(asked, "general")
        assert "raid" not in str(posted) and "the store" in posted["text"]

    @pytest.mark.parametrize("asked", ["asker"], indirect=True)
    def test_answers_about_others_stay_with_the_asker(self, asked: ThreadedWorkspace) -> None:
        mine = ask(asked, "grace", "/almanac month ada october")
        press(asked, "grace", mine, "Share here")
        told = answer_to(asked, mine["ts"], "cannot be shown in the channel")
        assert told["ephemeral"] and answers(asked, "general") == []

    @pytest.mark.parametrize("asked", ["asker"], indirect=True)
    def test_a_mention_about_others_is_answered_to_the_asker_alone(self, asked: ThreadedWorkspace) -> None:
        answer = ask(asked, "grace", "@Almanac ada october 2025", contains="the store")
        assert answer["ephemeral"] and whispers(asked, "general", "ada") == []
        event = delivered(asked, lambda payload: payload.get("event"))["event_id"]
        asked.redeliver(event)
        hers = ask(asked, "grace", "@Almanac grace october 2025", contains="Add a compiler")
        assert "ephemeral" not in hers
        assert len(whispers(asked, "general", "grace")) == 1
        press(asked, "ada", hers, "Profile")  # of somebody else: hers alone to see
        told = answer_to(asked, hers["ts"], "Grace Hopper")
        assert told["ephemeral"] and len(answers(asked, "general", hers["thread_ts"])) == 1

    @pytest.mark.parametrize("asked", ["asker"], indirect=True)
    def test_where_nothing_can_be_whispered_it_is_a_direct_message(self, asked: ThreadedWorkspace) -> None:
        asked.faults.next("chat.postEphemeral", "error:user_not_in_channel")
        answer = ask(asked, "grace", "@Almanac ada october 2025", contains="the store")
        assert answer["channel"].startswith("D") and answers(asked, "general") == []
        assert said(answer)
