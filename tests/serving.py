"""A served workspace for tests that run in an event loop of their own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from bot.workspace import ThreadedWorkspace, Workspace


@asynccontextmanager
async def served(workspace: Workspace, **options: Any) -> AsyncIterator[ThreadedWorkspace]:
    """It is stopped beside the loop, in which its clients say good-bye."""
    server = ThreadedWorkspace(workspace, **options)
    server.start()
    try:
        yield server
    finally:
        await asyncio.to_thread(server.stop)
