"""What Slack delivers is answered as it was meant: once, over restarts and in private too, unless it was stopped; and
questions to begin with are offered where somebody opens their messages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from bot_in_workspace import both_ways, running_bot
from builders import both_engines
from talking import SECONDS, answer_to, answers, ask, delivered, direct, settled, whispers

from bot.settings import PrivacySettings, Settings
from bot.slack.web_api import PROMPTS_TITLE
from bot.workspace import BOT_USER_ID, ThreadedWorkspace


@both_ways
@pytest.mark.usefixtures("bot")
def test_a_mention_that_is_a_message_too_is_answered_once(workspace: ThreadedWorkspace) -> None:
    ts = workspace.say("guest", "general", "@Almanac ada october 2025")
    answer_to(workspace, ts, "October 2025")
    event = dict(delivered(workspace, lambda payload: payload.get("event", {}).get("ts") == ts)["event"])
    workspace.happen({**event, "type": "message", "channel_type": "channel"})
    workspace.happen(event)  # under an id of its own
    ask(workspace, "guest", "@Almanac ada august 2025", contains="August")
    assert len(answers(workspace, "general", ts)) == 1
    workspace.wait_until(lambda: all(one.is_acknowledged for one in workspace.deliveries))


@both_engines
@both_ways
@pytest.mark.parametrize("about_others", ["channel", "asker"])
def test_what_is_delivered_again_after_a_restart_is_answered_once(
    workspace: ThreadedWorkspace, settings: Settings, about_others: str
) -> None:
    """What is said to all, and what is whispered."""
    privacy = PrivacySettings(answers_about_others=about_others)  # type: ignore[arg-type]
    settings = replace(settings, privacy=privacy)
    for number in range(2):
        with running_bot(settings):
            if settings.app_token:
                workspace.wait_connected()
            if not number:
                ask(workspace, "guest", "@Almanac ada october 2025", contains="October 2025")
                settled(workspace, 1)
                event_id = delivered(workspace, lambda payload: payload.get("event"))["event_id"]
            else:
                workspace.redeliver(event_id)
                ask(workspace, "guest", "@Almanac ada august 2025", contains="August")
        if settings.app_token:
            workspace.wait_until(lambda: not workspace.socket_mode.open_count)
    roots = [one["ts"] for one in workspace.messages("general") if "october" in one["text"]]
    said = [*answers(workspace, "general", roots[0]), *whispers(workspace, "general", "guest")]
    assert len([one for one in said if "October 2025*" in one["text"]]) == 1


@both_ways
@pytest.mark.usefixtures("bot")
@pytest.mark.parametrize("where", ["general", "direct"])
def test_what_somebody_stopped_is_not_answered(workspace: ThreadedWorkspace, where: str) -> None:
    """As Slack wants it: the work ends, whoever asked is told so, and the session is active again."""
    place, mention = (direct(workspace, "ada"), "") if where == "direct" else ("C0001", "@Almanac ")
    workspace.faults.next("conversations.info", "hold")  # for which the answer waits
    asked = workspace.say("ada", place, f"{mention}ada october 2025")
    workspace.wait_until(lambda: "conversations.info" in [one.method for one in workspace.calls], SECONDS)
    stop = {"type": "agent_session_stopped", "user": "U0001", "channel": place, "thread_ts": asked}
    workspace.happen({**stop, "event_ts": workspace.workspace.next_ts(), "streaming_message_ts": []})
    workspace.wait_until(lambda: any(one.arguments.get("status") == "active" for one in workspace.calls), SECONDS)
    workspace.release()
    said = workspace.wait_for(lambda m: m["channel"] == place and m.get("user") == BOT_USER_ID, SECONDS)
    assert said["text"] == "Stopped: what you asked before is not answered."
    assert "compiler" in ask(workspace, "ada", f"{mention}grace october 2025", place)["text"]


MINE = {"My October 2025": "What did I do in October 2025?"}
SHIPPED = {"What shipped in October 2025?": "What shipped in October 2025?"}
NEWCOMER = {"Which commits are mine?": "link", "What can I ask?": "help"}
OTHER_MONTHS = {
    "My August 2025": "What did I do in August 2025?",
    "Compare October 2025 with August 2025": "Compare my October 2025 with August 2025",
}
OFFERED = [
    ("everyone", "ada", MINE | OTHER_MONTHS | SHIPPED), ("everyone", "guest", SHIPPED | NEWCOMER),
    ("nobody", "grace", MINE), ("nobody", "guest", NEWCOMER),
]  # fmt: skip


@pytest.mark.parametrize(("about_others", "login", "expected"), OFFERED)
def test_prompts_are_about_the_askers_own_months_and_of_others_where_they_may_ask(
    workspace: ThreadedWorkspace, settings: Settings, about_others: str, login: str, expected: dict[str, str]
) -> None:
    privacy = PrivacySettings(about_others=about_others)  # type: ignore[arg-type]
    user, channel = workspace.workspace.user(login), direct(workspace, login)
    event = {"type": "app_home_opened", "user": user and user.id, "channel": channel, "tab": "messages"}
    with running_bot(replace(settings, privacy=privacy)):
        workspace.happen({**event, "event_ts": "1.1"})
        offered = workspace.wait_until(lambda: workspace.workspace.prompts.get(channel), SECONDS)
    assert offered["title"] == PROMPTS_TITLE
    assert {one["title"]: one["message"] for one in offered["prompts"]} == expected
