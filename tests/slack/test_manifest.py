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


def test_the_lengths_of_the_schema_are_kept() -> None:
    """slackapi/manifest-schema: the app's name 35 and description 140, shortcuts' names 24 and descriptions 150,
    commands' descriptions 2,000, the agent's 300, and four prompts."""
    shown, features = MANIFEST["display_information"], MANIFEST["features"]
    assert len(shown["name"]) <= 35 and len(shown["description"]) <= 140
    assert all(len(one["name"]) <= 24 and len(one["description"]) <= 150 for one in features["shortcuts"])
    assert all(len(one["description"]) <= 2000 and one["should_escape"] for one in features["slash_commands"])
    assert len(features["agent_view"]["agent_description"]) <= 300
    assert 1 <= len(features["agent_view"]["suggested_prompts"]) <= 4
    assert "assistant_view" not in features
    assert "[]" not in json.dumps(MANIFEST)  # the schema takes no empty list


def test_each_scope_has_its_reason_in_the_docs_and_no_other_has_one() -> None:
    """What is optional is among those that are asked for: https://docs.slack.dev/reference/app-manifest."""
    scopes = MANIFEST["oauth_config"]["scopes"]
    assert scopes["bot_optional"] == ["channels:history", "groups:history"]
    assert set(scopes["bot_optional"]) < set(scopes["bot"])
    page = (ROOT / "docs" / "slack.md").read_text()
    table = page.partition("What each permission is for:")[2].partition("\n\nThe")[0]
    rows = [row.split("|")[1:3] for row in table.splitlines() if row.startswith("| `")]
    reasons = {scope: reason.strip() for scopes, reason in rows for scope in re.findall(r"`([^`]+)`", scopes)}
    assert sorted(reasons) == sorted(scopes["bot"])
    assert all(reasons.values())
