"""Questions to begin with: from the asker's own months, offered when the messages tab is opened."""

from __future__ import annotations

import pytest
from bot_in_workspace import running_bot, settings_for
from builders import NOW
from talking import SECONDS, direct

from bot.settings_tables import PrivacySettings
from bot.slack.web_api import PROMPTS_TITLE
from bot.workspace import ThreadedWorkspace
from storage import Store

MINE = {"My October 2025": "What did I do in October 2025?"}
SHIPPED = {"What shipped in October 2025?": "What shipped in October 2025?"}
NEWCOMER = {"Which commits are mine?": "link", "What can I ask?": "help"}
OFFERED: dict[str, dict[str, dict[str, str]]] = {
    "everyone": {
        "ada": {
            **MINE,
            "My August 2025": "What did I do in August 2025?",
            **SHIPPED,
            "Compare October 2025 with August 2025": "Compare my October 2025 with August 2025",
        },
        "guest": {**SHIPPED, **NEWCOMER},
    },
    "nobody": {"grace": MINE, "guest": NEWCOMER},
}


def opened(workspace: ThreadedWorkspace, login: str) -> None:
    """Somebody opens the messages tab."""
    user, team = workspace.workspace.user(login), workspace.workspace.team_id
    assert user
    channel = direct(workspace, login)
    event = {"type": "app_home_opened", "user": user.id, "channel": channel, "tab": "messages", "event_ts": "1.1"}
    body = {"type": "event_callback", "event_id": f"Ev{len(workspace.deliveries)}", "team_id": team, "event": event}
    assert workspace.deliver("events_api", body).is_acknowledged


@pytest.mark.parametrize("about_others", OFFERED)
def test_they_are_about_the_askers_own_months_and_of_others_where_they_may_ask(
    workspace: ThreadedWorkspace, indexed: Store, about_others: str
) -> None:
    privacy = PrivacySettings(about_others=about_others)  # type: ignore[arg-type]
    with running_bot(settings_for(workspace, "http", db=indexed.path, fixed_now=NOW, privacy=privacy)):
        for login, expected in OFFERED[about_others].items():
            opened(workspace, login)
            at = direct(workspace, login)
            offered = workspace.wait_until(lambda at=at: workspace.workspace.prompts.get(at), SECONDS)  # type: ignore[misc]
            assert offered["title"] == PROMPTS_TITLE
            assert {one["title"]: one["message"] for one in offered["prompts"]} == expected
