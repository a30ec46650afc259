"""Questions to begin with: from the asker's own months, offered when the messages tab is opened."""

from __future__ import annotations

import pytest
from bot_in_workspace import settings_for
from builders import NOW
from talking import SECONDS, ask, direct

from bot.ask.queries import Queries
from bot.slack.answering import PROMPTS_TITLE, Prompt, prompts_for
from bot.slack_app.listeners import PROMPTS
from bot.workspace import ThreadedWorkspace
from storage import Store


@pytest.fixture
def almanac(workspace: ThreadedWorkspace, indexed: Store) -> Queries:
    return Queries.of(indexed, settings_for(workspace, "socket", db=indexed.path, fixed_now=NOW))


def test_they_are_about_the_askers_own_months(almanac: Queries) -> None:
    (ada,) = [person for person in almanac.known.everyone if person.name == "Ada Lovelace"]
    assert prompts_for(almanac, ada) == [
        Prompt("My October 2025", "What did I do in October 2025?"),
        Prompt("My August 2025", "What did I do in August 2025?"),
        Prompt("What shipped in October 2025?", "What shipped in October 2025?"),
        Prompt("Compare October 2025 with August 2025", "Compare my October 2025 with August 2025"),
    ]


def test_who_may_ask_only_about_themselves_is_offered_nothing_else(almanac: Queries) -> None:
    (grace,) = [person for person in almanac.known.everyone if person.name == "Grace Hopper"]
    assert [prompt.title for prompt in prompts_for(almanac, grace, others=False)] == ["My October 2025"]
    assert [prompt.message for prompt in prompts_for(almanac, None, others=False)] == ["link", "help"]


def test_somebody_unknown_is_offered_nobody_by_name(almanac: Queries) -> None:
    assert prompts_for(almanac, None) == [
        Prompt("What shipped in October 2025?", "What shipped in October 2025?"),
        Prompt("Which commits are mine?", "link"),
        Prompt("What can I ask?", "help"),
    ]


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
