"""A running workspace with two people, and Slack's own clients pointed at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from faulty_slack import FaultyWorkspace
from slack_sdk import WebClient

from bot.workspace import ThreadedWorkspace, Workspace, WorkspaceChannel, WorkspaceUser, WorkspaceUserGroup


class Clock:
    """A clock that stands until it is set on."""

    def __init__(self) -> None:
        self.now = 1_760_000_000.25

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def new_workspace(clock: Clock) -> Callable[..., Workspace]:
    """Builds the workspace of these tests: Ada, Grace, and four channels the bot may or may not enter."""

    def build(**options: Any) -> Workspace:
        people = [
            WorkspaceUser(name="ada", real_name="Ada Lovelace", email="ada@example.com", tz="Europe/London"),
            WorkspaceUser(name="grace", real_name="Grace Hopper", email="grace@example.com"),
        ]
        channels: list[str | WorkspaceChannel] = [
            "general",
            WorkspaceChannel(name="shipped", topic="what went out"),
            WorkspaceChannel(name="old", is_archived=True),
            WorkspaceChannel(name="elsewhere", members=frozenset({"U0001"})),
            WorkspaceChannel(name="secret", is_private=True, members=frozenset({"U0001"})),
        ]
        groups = [WorkspaceUserGroup(handle="engineers", users=("U0001",))]
        return Workspace(people, channels, clock=clock, usergroups=groups, **options)

    return build


@pytest.fixture
def slack(new_workspace: Callable[..., Workspace]) -> Iterator[ThreadedWorkspace]:
    """The workspace, served; nobody listens on a socket."""
    with FaultyWorkspace(new_workspace(), ack_timeout=0.2, retry_delays=(0.0,)) as slack:
        yield slack


@pytest.fixture
def client(slack: ThreadedWorkspace) -> WebClient:
    """Slack's client as the bot, without any retries."""
    return WebClient(token=slack.workspace.bot_token, base_url=slack.api_url, retry_handlers=[])
