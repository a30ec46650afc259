"""A served workspace for tests that run in an event loop of their own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from faulty_slack import FaultyWorkspace

from bot.workspace import Workspace


@asynccontextmanager
async def served(workspace: Workspace, **options: Any) -> AsyncIterator[FaultyWorkspace]:
    """It is stopped beside the loop, in which its clients say good-bye."""
    server = FaultyWorkspace(workspace, **options)
    server.start()
    try:
        yield server
    finally:
        await asyncio.to_thread(server.stop)
