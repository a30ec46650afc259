"""The page's API: what a browser on this machine sees, and what one elsewhere does not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from serving import served

from bot.workspace import ThreadedWorkspace, Workspace, page


@asynccontextmanager
async def browsing(
    workspace: Workspace, **options: Any
) -> AsyncIterator[tuple[ThreadedWorkspace, aiohttp.ClientSession]]:
    """A served workspace and a browser's session with it."""
    async with (
        served(workspace, ack_timeout=0.05, retry_delays=(), **options) as server,
        aiohttp.ClientSession(server.url) as session,
    ):
        yield server, session


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:8080"}, 200),
        ({"Host": "[::1]:8080"}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Host": "127.0.0.1.evil.example"}, 403),
        ({"Host": "[bad"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "localhost:80", "Origin": "http://localhost:80"}, 200),
        ({"Host": "localhost:80", "Origin": "http://localhost:81"}, 403),
    ],
)
def test_only_this_machines_own_page_is_answered(
    new_workspace: Callable[..., Workspace], headers: dict[str, str], status: int
) -> None:
    """A page from elsewhere cannot read or drive the workspace, not even under a name that leads here."""

    async def visit() -> None:
        async with browsing(new_workspace()) as (_, session):
            for path in ("/page/state", "/page/stream"):
                async with session.get(path, headers=headers) as response:
                    assert response.status == (400 if status == 200 and path == "/page/stream" else status)
            async with session.post("/page/say", json={"channel": "C0001", "text": "x"}, headers=headers) as response:
                assert response.status == status

    run(visit())


def test_only_the_pages_own_files_are_served(
    new_workspace: Callable[..., Workspace], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scripts and styles of the folder, nothing above it, nothing of another kind."""
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "index.html").write_text("<title>hello</title>")
    (folder / "page.js").write_text("1")
    (tmp_path / "above.js").write_text("2")
    (folder / "notes.txt").write_text("3")
    monkeypatch.setattr(page, "FOLDER", folder)

    async def visit() -> None:
        async with browsing(new_workspace()) as (_, session):
            seen = {}
            for path in ("/", "/page/page.js", "/page/index.html", "/page/notes.txt", "/page/..%2fabove.js"):
                async with session.get(path) as response:
                    seen[path] = response.status
                    assert path != "/page/page.js" or "javascript" in response.content_type
                    if path == "/":
                        assert "hello" in await response.text()
                        assert "default-src 'none'" in response.headers["Content-Security-Policy"]
            assert list(seen.values()) == [200, 200, 404, 404, 404]
            async with session.get("/archives/C0001/p1", allow_redirects=False) as response:
                assert response.headers["Location"] == "/#C0001/p1"

    run(visit())
