"""What a person sees who talks to the bot, over real sockets, however Slack reaches it."""

from __future__ import annotations

import pytest
from bot_in_workspace import both_ways
from talking import SECONDS, answer_to, direct

from bot.workspace import BOT_USER_ID, ThreadedWorkspace

pytestmark = pytest.mark.usefixtures("bot")


@both_ways
@pytest.mark.parametrize("where", ["general", "direct"])
def test_what_somebody_stopped_is_not_answered(workspace: ThreadedWorkspace, bot: None, where: str) -> None:
    """As Slack wants it: the work ends, whoever asked is told so, and the session is active again."""
    channel = workspace.workspace.channel("general")
    place = direct(workspace, "ada") if where == "direct" else channel.id if channel else ""
    workspace.faults.next("conversations.info", "hold")  # for which the answer waits
    asked = workspace.say("ada", place, "@Almanac ada october 2025" if where == "general" else "ada october 2025")
    workspace.wait_until(lambda: "conversations.info" in [one.method for one in workspace.calls], SECONDS)
    stop = {"type": "agent_session_stopped", "user": "U0001", "channel": place, "thread_ts": asked}
    stop |= {"event_ts": workspace.say("grace", "shipped", "meanwhile"), "streaming_message_ts": []}
    workspace.happen(stop)
    workspace.wait_until(
        lambda: [one for one in workspace.calls if one.arguments.get("status") == "active"] or None, SECONDS
    )
    workspace.release()
    said = workspace.wait_for(lambda m: m["channel"] == place and m.get("user") == BOT_USER_ID, SECONDS)
    assert said["text"] == "Stopped: what you asked before is not answered."
    again = workspace.say("ada", place, "@Almanac grace october 2025")
    assert "compiler" in answer_to(workspace, again)["text"]
