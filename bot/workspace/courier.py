"""Brings what happens in the workspace to the app, again if need be, and remembers how it went."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from bot.workspace.model import Json, WorkspaceEvent
from bot.workspace.state import Workspace

T = TypeVar("T")
Kind = Literal["events_api", "slash_commands", "interactive"]


@dataclass(frozen=True)
class DeliveryResult:
    """How the app took a delivery. `failure` is "" if it acknowledged, else Slack's x-slack-retry-reason."""

    failure: str = ""
    payload: Json | None = None
    no_retry: bool = False


@dataclass(frozen=True)
class Delivery:
    """One attempt at one delivery, and its reply."""

    kind: Kind
    payload: Json
    attempt: int
    reply: DeliveryResult

    @property
    def is_acknowledged(self) -> bool:
        return not self.reply.failure


class Transport(Protocol):
    async def send(self, kind: Kind, payload: Json, attempt: int, reason: str) -> DeliveryResult:
        """Hand the payload over and wait for the reply no longer than the app has time for one."""


class Courier:
    """Delivers over the transport in charge. Events that nobody acknowledged come again after each of
    `retry_delays` seconds; commands and presses never do: the person at the keyboard sees the failure."""

    def __init__(self, workspace: Workspace, transport: Transport, retry_delays: Sequence[float]) -> None:
        self.workspace = workspace
        self.transport = transport
        self.retry_delays = tuple(retry_delays)
        self.deliveries: list[Delivery] = []
        self._tasks: set[asyncio.Task[Any]] = set()

    async def deliver(self, kind: Kind, payload: Json, attempt: int = 0, reason: str = "") -> DeliveryResult:
        reply = await self.transport.send(kind, payload, attempt, reason)
        self.deliveries.append(Delivery(kind, payload, attempt, reply))
        self.workspace.tell(WorkspaceEvent("delivery"))
        return reply

    async def event(self, payload: Json) -> None:
        """Deliver an event until it is acknowledged or the attempts are used up."""
        reply = await self.deliver("events_api", payload)
        for attempt, delay in enumerate(self.retry_delays, 1):
            if not reply.failure or reply.no_retry:
                return
            await asyncio.sleep(delay)
            reply = await self.deliver("events_api", payload, attempt, reply.failure)

    def background(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Let a delivery go on while the person types on; `stop` ends it. Nobody has to wait for what it comes to."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def stop(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
