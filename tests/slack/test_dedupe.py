"""What Slack delivers twice, or under two names, is answered once: over restarts, and in private too."""

from __future__ import annotations

import pytest
from bot_in_workspace import both_ways, running_bot, settings_for
from builders import NOW, both_engines
from talking import answer_to, answers, ask, delivered, settled, whispers

from bot.settings import Settings
from bot.settings_tables import PrivacySettings
from bot.workspace import ThreadedWorkspace
from storage import Store


def event_of(workspace: ThreadedWorkspace, ts: str) -> dict[str, object]:
    """The event by which a message was delivered."""
    return dict(delivered(workspace, lambda payload: payload.get("event", {}).get("ts") == ts)["event"])


@both_ways
@pytest.mark.usefixtures("bot")
def test_a_mention_that_is_a_message_too_is_answered_once(workspace: ThreadedWorkspace) -> None:
    ts = workspace.say("guest", "general", "@Almanac ada october 2025")
    answer_to(workspace, ts, "October 2025")
    event = event_of(workspace, ts)
    workspace.happen({**event, "type": "message", "channel_type": "channel"})
    workspace.happen(event)  # under an id of its own
    ask(workspace, "guest", "@Almanac ada august 2025", contains="August")
    assert len(answers(workspace, "general", ts)) == 1
    workspace.wait_until(lambda: all(one.is_acknowledged for one in workspace.deliveries))


@both_engines
@both_ways
def test_what_is_delivered_again_after_a_restart_is_answered_once(
    workspace: ThreadedWorkspace, settings: Settings
) -> None:
    with running_bot(settings):
        if settings.app_token:
            workspace.wait_connected()
        ts = workspace.say("guest", "general", "@Almanac ada october 2025")
        answer_to(workspace, ts, "October 2025")
        settled(workspace, 1)
        event_id = delivered(workspace, lambda payload: payload.get("event"))["event_id"]
    if settings.app_token:
        workspace.wait_until(lambda: not workspace.socket_mode.open_count)
    with running_bot(settings):
        if settings.app_token:
            workspace.wait_connected()
        workspace.redeliver(event_id)
        ask(workspace, "guest", "@Almanac ada august 2025", contains="August")
    assert len(answers(workspace, "general", ts)) == 1


def test_what_was_whispered_is_not_whispered_again_after_a_restart(
    workspace: ThreadedWorkspace, indexed: Store
) -> None:
    privacy = PrivacySettings(answers_about_others="asker")
    settings = settings_for(workspace, "http", db=indexed.database, fixed_now=NOW, privacy=privacy)
    with running_bot(settings):
        ask(workspace, "guest", "@Almanac ada october 2025", contains="October 2025")
        settled(workspace, 1)
        event_id = delivered(workspace, lambda payload: payload.get("event"))["event_id"]
    with running_bot(settings):
        workspace.redeliver(event_id)
        ask(workspace, "guest", "@Almanac ada august 2025", contains="August")
    told = [one for one in whispers(workspace, "general", "guest") if "October 2025*" in one["text"]]
    assert len(told) == 1
