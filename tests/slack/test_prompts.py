"""Questions to begin with: from the asker's own months, offered when the messages tab is opened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from bot_in_workspace import settings_for
from builders import NOW, GitRepo, index
from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.ask.answers import understood
from bot.ask.queries import Queries
from bot.slack.answering import PROMPTS_TITLE, Prompt, prompts_for
from bot.slack_app.listeners import prompts as listener
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


def test_who_has_one_month_is_offered_no_comparison(almanac: Queries) -> None:
    (grace,) = [person for person in almanac.known.everyone if person.name == "Grace Hopper"]
    assert [prompt.title for prompt in prompts_for(almanac, grace)] == [
        "My October 2025",
        "What shipped in October 2025?",
    ]


def test_a_month_that_is_not_over_is_named_so(almanac: Queries, indexed: Store, engine: GitRepo) -> None:
    engine.commit("Add a bell", at="2025-11-02 10:00 +0000", files={"src/bells.py": "b\n"})
    index(indexed, engine.path)
    (ada,) = [person for person in almanac.known.everyone if person.name == "Ada Lovelace"]
    assert prompts_for(almanac, ada)[0] == Prompt("My November 2025 so far", "What did I do in November 2025?")


def test_somebody_unknown_is_offered_nobody_by_name(almanac: Queries) -> None:
    assert prompts_for(almanac, None) == [
        Prompt("What shipped in October 2025?", "What shipped in October 2025?"),
        Prompt("Which commits are mine?", "link"),
        Prompt("What can I ask?", "help"),
    ]


def test_each_is_understood(almanac: Queries) -> None:
    (ada,) = [person for person in almanac.known.everyone if person.name == "Ada Lovelace"]
    asked = [understood(almanac, prompt.message, asker=ada) for prompt in prompts_for(almanac, ada)]
    assert [question.intent for question in asked] == ["month", "month", "what_shipped", "compare"]
    assert [question.people for question in asked] == [("Ada Lovelace",), ("Ada Lovelace",), (), ("Ada Lovelace",)]
    asked = [understood(almanac, prompt.message) for prompt in prompts_for(almanac, None)]
    assert [question.intent for question in asked] == ["what_shipped", "link", "help"]


class Suggesting:
    """A conversation that remembers whom it suggested something."""

    def __init__(self, prompts: list[Prompt]) -> None:
        self._prompts = prompts
        self.asked: list[tuple[str, str]] = []

    def prompts(self, user: str, channel: str) -> list[Prompt]:
        self.asked.append((user, channel))
        return self._prompts


async def work(task: Callable[..., Any], *arguments: Any) -> Any:
    return await asyncio.to_thread(task, *arguments)


def open_tab(workspace: ThreadedWorkspace, suggesting: Suggesting, *tabs: str) -> None:
    """Let Ada open tabs of an app that has the listener alone."""

    async def run() -> None:
        client = AsyncWebClient(token=workspace.workspace.bot_token, base_url=workspace.api_url)
        app = AsyncApp(client=client, signing_secret="unused", request_verification_enabled=False)
        listener.register(app, suggesting, work)

        @app.event("app_home_opened")
        async def another() -> None:
            """Home's own listener."""

        for tab in tabs:
            event = {"type": "app_home_opened", "user": "U0001", "channel": "D0001", "tab": tab}
            body = {"type": "event_callback", "team_id": workspace.workspace.team_id, "event": event}
            answer = await app.async_dispatch(AsyncBoltRequest(body=body, mode="socket_mode"))
            assert answer.status == 200
            await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})

    asyncio.run(run())


def calls(workspace: ThreadedWorkspace) -> int:
    return sum(call.method == listener.METHOD for call in workspace.calls)


def test_they_are_offered_when_the_messages_tab_is_opened(workspace: ThreadedWorkspace) -> None:
    suggesting = Suggesting([Prompt("What can I ask?", "help")])
    open_tab(workspace, suggesting, "messages", "home")
    assert suggesting.asked == [("U0001", "D0001")]
    assert workspace.workspace.prompts == {
        "D0001": {"title": PROMPTS_TITLE, "prompts": [{"title": "What can I ask?", "message": "help"}]}
    }


def test_nothing_is_offered_to_whom_nothing_may_be_told(workspace: ThreadedWorkspace) -> None:
    open_tab(workspace, Suggesting([]), "messages")
    assert calls(workspace) == 0


def test_a_workspace_without_prompts_is_left_alone(workspace: ThreadedWorkspace) -> None:
    workspace.faults.next(listener.METHOD, "error:missing_scope", times=3)
    open_tab(workspace, Suggesting([Prompt("What can I ask?", "help")]), "messages", "messages")
    assert calls(workspace) == 1
