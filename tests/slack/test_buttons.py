"""What can be pressed below an answer, and what that does, however Slack reaches the bot."""

from __future__ import annotations

from typing import Any

import pytest
from talking import (
    SECONDS,
    direct,
    modal,
    whispers,
)

from bot.slack_app.listeners import GONE_WORDS
from bot.workspace import BOT_USER_ID, ThreadedWorkspace

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


def row_of(action_id: str) -> dict[str, Any]:
    button = {"type": "button", "action_id": action_id, "text": {"type": "plain_text", "text": "Old"}, "value": "old"}
    return {"type": "actions", "elements": [button]}


def test_what_is_not_offered_any_more_is_answered_with_a_sentence(workspace: ThreadedWorkspace) -> None:
    """In a message, and upon a modal, of a former release; in Home as well, see test_every_id.py."""
    rows, team = [row_of("only_kind.1")], workspace.workspace
    message = team.post("C0001", user=BOT_USER_ID, text="old", blocks=rows)
    workspace.press("guest", "general", message.ts, "only_kind.1")
    workspace.wait_until(lambda: [m["text"] for m in whispers(workspace, "general", "guest")] == [GONE_WORDS], SECONDS)
    workspace.shortcut("guest", "my_month")
    shown = modal(workspace, "guest", "link")
    team.modals.replace("U0003", {**shown, "blocks": rows})
    workspace.press_modal("guest", "only_kind.1")
    modal(workspace, "guest", GONE_WORDS, depth=2)
