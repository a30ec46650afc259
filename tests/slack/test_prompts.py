"""Questions to begin with: from the asker's own months, offered when the messages tab is opened."""

from __future__ import annotations

import pytest
from bot_in_workspace import settings_for
from builders import NOW
from talking import SECONDS, ask, direct

from bot.ask.queries import Queries
from bot.slack.answering import prompts_for
from bot.slack.web_api import PROMPTS, PROMPTS_TITLE
from bot.workspace import ThreadedWorkspace
from storage import Store

SHIPPED = "What shipped in October 2025?"
NEWCOMER = {"Which commits are mine?": "link", "What can I ask?": "help"}


@pytest.mark.parametrize(
    ("name", "others", "expected"),
    [
        (
            "Ada Lovelace",
            True,
            {
                "My October 2025": "What did I do in October 2025?",
                "My August 2025": "What did I do in August 2025?",
                SHIPPED: SHIPPED,
                "Compare October 2025 with August 2025": "Compare my October 2025 with August 2025",
            },
        ),
        ("Grace Hopper", False, {"My October 2025": "What did I do in October 2025?"}),
        (None, False, NEWCOMER),
        (None, True, {SHIPPED: SHIPPED, **NEWCOMER}),  # somebody unknown is offered nobody by name
    ],
)
def test_they_are_about_the_askers_own_months(
    name: str | None, others: bool, expected: dict[str, str], workspace: ThreadedWorkspace, indexed: Store
) -> None:
    almanac = Queries.of(indexed, settings_for(workspace, "socket", db=indexed.path, fixed_now=NOW))
    person = next((one for one in almanac.known.everyone if one.name == name), None)
    offered = prompts_for(almanac, person, others=others)
    assert {one["title"]: one["message"] for one in offered} == expected


def opened(workspace: ThreadedWorkspace, login: str) -> None:
    """Somebody opens the messages tab."""
    user, team = workspace.workspace.user(login), workspace.workspace.team_id
    assert user
    channel = direct(workspace, login)
    event = {"type": "app_home_opened", "user": user.id, "channel": channel, "tab": "messages", "event_ts": "1.1"}
    body = {"type": "event_callback", "event_id": f"Ev{len(workspace.deliveries)}", "team_id": team, "event": event}
    assert workspace.deliver("events_api", body).is_acknowledged


def calls(workspace: ThreadedWorkspace) -> int:
    return sum(call.method == PROMPTS for call in workspace.calls)


@pytest.mark.usefixtures("bot")
def test_they_are_offered_when_the_messages_tab_is_opened(workspace: ThreadedWorkspace) -> None:
    opened(workspace, "guest")
    offered = workspace.wait_until(lambda: workspace.workspace.prompts.get(direct(workspace, "guest")), SECONDS)
    assert (offered["title"], offered["prompts"][-1]) == (
        PROMPTS_TITLE,
        {"title": "What can I ask?", "message": "help"},
    )


@pytest.mark.usefixtures("bot")
def test_a_workspace_without_prompts_is_left_alone(workspace: ThreadedWorkspace) -> None:
    workspace.faults.next(PROMPTS, "error:missing_scope")
    opened(workspace, "ada")
    workspace.wait_until(lambda: calls(workspace) == 1, SECONDS)
    opened(workspace, "ada")
    ask(workspace, "ada", "@Almanac my october")  # what came before is through
    assert calls(workspace) == 1
