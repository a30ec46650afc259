"""What a person sees who talks to the bot, over real sockets, however Slack reaches it."""

from __future__ import annotations

import html
import json

import pytest
from bot_in_workspace import HOSTILE, both_ways
from builders import GitRepo
from talking import SECONDS, answer_to, direct, nodes

from bot.workspace import BOT_USER_ID, ThreadedWorkspace
from bot.workspace.block_kit import faults

pytestmark = pytest.mark.usefixtures("bot")


def test_commit_text_pings_nobody(workspace: ThreadedWorkspace) -> None:
    ts = workspace.say("guest", "general", "@Almanac ada october 2025")
    answer = answer_to(workspace, ts, "Ping")
    assert "&lt;!channel&gt; &amp; *everyone* &lt;@U0001&gt;" in answer["text"]
    leaves = [leaf for leaf in nodes(answer["blocks"]) if leaf.get("type") == "text" and "text" in leaf]
    (at,) = [number for number, leaf in enumerate(leaves) if "<!channel>" in leaf["text"]]
    assert leaves[at] == {"type": "text", "text": HOSTILE.removesuffix("`now`")}
    assert leaves[at + 1] == {"type": "text", "text": "now", "style": {"code": True}}
    others = [block for block in answer["blocks"] if block["type"] != "rich_text"]  # in which text is parsed
    assert "channel" not in json.dumps(others)


def test_markdown_is_the_same_where_slack_shows_only_the_text(workspace: ThreadedWorkspace) -> None:
    ts = workspace.say("guest", "general", "@Almanac ada october 2025 as markdown")
    answer = answer_to(workspace, ts, "October")
    (shown,) = [one for one in nodes(answer["blocks"]) if one.get("type") == "rich_text_preformatted"]
    (leaf,) = shown["elements"]
    assert "\n- " in leaf["text"] and html.unescape(answer["text"]) == leaf["text"]


def test_a_commit_is_explained_and_its_text_pings_nobody(workspace: ThreadedWorkspace, engine: GitRepo) -> None:
    sha = engine.shas()[1]
    ts = workspace.say("guest", "general", f"@Almanac why is {sha[:9]} in october?")
    answer = answer_to(workspace, ts, sha[:12])
    assert f"{sha[:12]} Ping &lt;!channel&gt; &amp; *everyone* &lt;@U0001&gt;" in answer["text"]
    assert "written on 2 October 2025" in answer["text"]
    told = [block["type"] for block in answer["blocks"] if block["type"] != "actions"]
    assert told == ["rich_text"]  # in which nothing is parsed
    assert {leaf["type"] for leaf in nodes(answer["blocks"][:1]) if "text" in leaf} == {"text"}
    assert faults({"text": answer["text"], "blocks": answer["blocks"]}) == []


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
