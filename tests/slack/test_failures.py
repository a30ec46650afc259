"""Whatever goes wrong after a request was acknowledged, whoever waits for an answer is told so in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from talking import answer_to, ask, direct, modal, press, settled, write_to_bot

from bot.settings import Settings
from bot.workspace import ThreadedWorkspace

pytestmark = pytest.mark.usefixtures("bot")


@pytest.fixture
def damaged(bot: None, settings: Settings) -> None:
    Path(str(settings.db)).write_bytes(b"no database at all" * 100)


@pytest.mark.usefixtures("damaged")
class TestWithADamagedDatabase:
    def test_a_command(self, workspace: ThreadedWorkspace) -> None:
        answer = ask(workspace, "guest", "/almanac month ada october")
        assert answer["ephemeral"] and "damaged" in answer["text"]

    def test_a_mention(self, workspace: ThreadedWorkspace) -> None:
        answer = ask(workspace, "guest", "@Almanac ada october 2025")
        assert answer["ephemeral"] and "damaged" in answer["text"]

    def test_a_direct_message(self, workspace: ThreadedWorkspace) -> None:
        answer = answer_to(workspace, write_to_bot(workspace, "guest", "ada october 2025"))
        assert (answer["channel"], "damaged" in answer["text"]) == (direct(workspace, "guest"), True)

    def test_a_shortcut(self, workspace: ThreadedWorkspace) -> None:
        workspace.shortcut("guest", "my_month")
        modal(workspace, "guest", "damaged")


def test_a_press(workspace: ThreadedWorkspace, settings: Settings) -> None:
    october = ask(workspace, "guest", "@Almanac ada october 2025")
    Path(str(settings.db)).write_bytes(b"no database at all" * 100)
    press(workspace, "guest", october, "Profile")
    told = answer_to(workspace, october["ts"], "damaged")
    assert told["ephemeral"]
    settled(workspace, 2)
    press(workspace, "guest", october, "All 2 changes")
    modal(workspace, "guest", "damaged")


def test_an_answer_that_slack_does_not_take(workspace: ThreadedWorkspace) -> None:
    workspace.faults.next("chat.postMessage", "error:restricted_action")
    told = ask(workspace, "guest", "@Almanac ada october 2025")
    assert told["ephemeral"] and "could not be posted there: the workspace does not let apps post there" in told["text"]
    october = ask(workspace, "guest", "@Almanac ada october 2025", contains="the store")
    workspace.faults.next("chat.postMessage", "error:restricted_action")
    press(workspace, "ada", october, "Profile")
    told = answer_to(workspace, october["ts"], "could not be posted there")
    assert told["ephemeral"]
