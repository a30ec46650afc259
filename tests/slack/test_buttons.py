"""What can be pressed below an answer, and what that does, however Slack reaches the bot."""

from __future__ import annotations

import pytest
from talking import (
    direct,
)

from bot.workspace import ThreadedWorkspace

pytestmark = pytest.mark.usefixtures("bot")


def test_a_button_that_holds_no_question_says_so(workspace: ThreadedWorkspace) -> None:
    channel = direct(workspace, "guest")
    for value in ("", "no JSON", "[]", '{"intent": 3}', '{"intent": "month", "from": "never"}'):
        row = {
            "type": "actions",
            "elements": [
                {
                    "type": "button",
                    "action_id": "ask.0",
                    "text": {"type": "plain_text", "text": "Old"},
                    "value": value or " ",
                }
            ],
        }
        message = workspace.workspace.post(channel, user="U0ALMANAC", text="old", blocks=[row])
        workspace.press("guest", channel, message.ts, "ask.0")
        said = workspace.wait_for(lambda m, ts=message.ts: m["ts"] > ts and m.get("ephemeral"), channel=channel)  # type: ignore[misc]
        assert said["text"] == "What was pressed or filled in cannot be read any more: ask again."
