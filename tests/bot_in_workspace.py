"""The bot of `almanac serve`, running beside a local workspace, for scenario tests."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from builders import ADA, GRACE
from faulty_slack import FaultyWorkspace

from bot.settings import Secret, Settings
from bot.slack_app.serve import Bot
from bot.workspace import ThreadedWorkspace, Workspace, WorkspaceUser
from bot.workspace.server import PATIENCE

SECRET = "a made-up signing secret"
# For tests of what might depend on how Slack reaches the bot, see the fixture `transport`.
both_ways = pytest.mark.parametrize("transport", ["socket", "http"])
HOSTILE = "Ping <!channel> & *everyone* <@U0001> `now`"


def two_and_a_guest() -> list[WorkspaceUser]:
    """Ada, Grace and a guest of the workspace, with ids that settings can name."""
    return [
        WorkspaceUser(name="ada", real_name="Ada Lovelace", email=ADA[1], id="U0ADA1"),
        WorkspaceUser(name="grace", real_name="Grace Hopper", email=GRACE[1], id="U0GRACE1"),
        WorkspaceUser(
            name="guest", real_name="Some Guest", email="guest@example.com", id="U0GUEST1", is_restricted=True
        ),
    ]


def patient(team: Workspace) -> ThreadedWorkspace:
    """A workspace that waits a minute where Slack waits three seconds: for what it delivers to be acknowledged, and for
    the window that somebody's click is to open. What is not acknowledged is delivered once more."""
    team.trigger_seconds = PATIENCE
    return FaultyWorkspace(team, ack_timeout=PATIENCE, retry_delays=(0.0,))


@contextmanager
def running_bot(settings: Settings) -> Iterator[None]:
    """The bot answers inside the block, in a thread with a loop of its own."""
    started, failure, stops = threading.Event(), list[BaseException](), list[Callable[[], object]]()

    async def run() -> None:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        stops.append(lambda: loop.call_soon_threadsafe(stop.set))
        async with Bot.connected(settings).running():
            started.set()
            await stop.wait()
        await _let_go(loop)

    def main() -> None:
        try:
            asyncio.run(run())
        except BaseException as error:
            failure.append(error)
        finally:
            started.set()

    thread = threading.Thread(target=main, name="bot")
    thread.start()
    started.wait()
    try:
        if failure:
            raise failure[0]
        yield
    finally:
        if thread.is_alive():
            stops[0]()
        thread.join()
    if failure:
        raise failure[0]


async def _let_go(loop: asyncio.AbstractEventLoop) -> None:
    """Close what a process closes with its end: connections that the other side held on to, or was just opening."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    for transport in list(getattr(loop, "_transports", {}).values()):
        transport.abort()
    await asyncio.sleep(0)


def settings_for(workspace: ThreadedWorkspace, mode: str, **values: Any) -> Settings:
    """Settings that point the bot at the workspace; in HTTP mode the workspace is pointed at the bot too."""
    team = workspace.workspace
    settings = Settings(slack_api=workspace.api_url, bot_token=Secret(team.bot_token), **values)
    if mode == "socket":
        return replace(settings, app_token=Secret(team.app_token))
    port = free_port()
    workspace.use_http(f"http://127.0.0.1:{port}/slack/events", SECRET)
    return replace(settings, signing_secret=Secret(SECRET), port=port)


_held = list[socket.socket]()
MOST_HELD = 64  # more than any test wants at a time


def free_port() -> int:
    """A port of 127.0.0.1 on which nobody listens. It stays bound here, so that the system gives it to nobody else; a
    server that is told of it can listen there all the same, since both reuse addresses."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    _held.append(held)
    for old in _held[:-MOST_HELD]:
        old.close()
        _held.remove(old)
    return int(held.getsockname()[1])
