"""manifest.json asks for what the bot hears and says, within the lengths of Slack's schema for manifests."""

from __future__ import annotations

import json
import re
from pathlib import Path

from bot.settings import Settings
from bot.slack_app.listeners import COMMAND
from bot.slack_app.serve import Bot

ROOT = Path(__file__).parents[2]
MANIFEST = json.loads((ROOT / "manifest.json").read_text())


def test_what_the_app_asks_for_is_heard(settings: Settings) -> None:
    """One that nobody hears is only acknowledged: Slack would deliver it, and nothing would come of it."""
    listeners = Bot.connected(settings).listeners
    features, subscribed = MANIFEST["features"], MANIFEST["settings"]["event_subscriptions"]["bot_events"]
    questions = {"app_mention", "message"}  # which the inbox keeps
    assert {one.partition(".")[0] for one in subscribed} == questions | set(listeners.events)
    assert {one["callback_id"] for one in features["shortcuts"]} == set(listeners.shortcuts)
    assert [one["command"] for one in features["slash_commands"]] == [COMMAND]


def test_what_shortcuts_are_of() -> None:
    shortcuts = MANIFEST["features"]["shortcuts"]
    assert {one["callback_id"]: one["type"] for one in shortcuts} == {"my_month": "global", "author_month": "message"}


def test_the_lengths_of_the_schema_are_kept() -> None:
    """slackapi/manifest-schema: shortcuts' names 24 and descriptions 150, the agent's description 300, four prompts."""
    features = MANIFEST["features"]
    assert all(len(one["name"]) <= 24 and len(one["description"]) <= 150 for one in features["shortcuts"])
    assert len(features["agent_view"]["agent_description"]) <= 300
    assert 1 <= len(features["agent_view"]["suggested_prompts"]) <= 4
    assert "assistant_view" not in features
    assert "[]" not in json.dumps(MANIFEST)  # the schema takes no empty list


def test_the_app_can_hear_what_the_agent_view_needs() -> None:
    assert {"agent_session_stopped", "app_home_opened", "message.im"} <= set(
        MANIFEST["settings"]["event_subscriptions"]["bot_events"]
    )
    assert MANIFEST["settings"]["interactivity"]["is_enabled"]
    assert MANIFEST["features"]["app_home"]["messages_tab_enabled"]


def test_what_is_optional_is_asked_for_too() -> None:
    """As Slack wants it: bot_optional names some of bot (https://docs.slack.dev/reference/app-manifest)."""
    scopes = MANIFEST["oauth_config"]["scopes"]
    assert scopes["bot_optional"] == ["channels:history", "groups:history"]
    assert set(scopes["bot_optional"]) < set(scopes["bot"])


def test_each_scope_has_its_reason_in_the_docs_and_no_other_has_one() -> None:
    table = (
        (ROOT / "docs" / "slack.md").read_text().partition("What each permission is for:")[2].partition("\n\nThe")[0]
    )
    rows = [row.split("|")[1:3] for row in table.splitlines() if row.startswith("| `")]
    reasons = {scope: reason.strip() for scopes, reason in rows for scope in re.findall(r"`([^`]+)`", scopes)}
    assert sorted(reasons) == sorted(MANIFEST["oauth_config"]["scopes"]["bot"])
    assert all(reasons.values())
