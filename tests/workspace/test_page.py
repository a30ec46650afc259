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

from bot.workspace import BOT_USER_ID, ThreadedWorkspace, Workspace, page
from bot.workspace.delivery import DeliveryResult
from bot.workspace.state import Json

GO = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}
ACTIONS = [{"type": "actions", "block_id": "b", "elements": [GO]}]


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


def test_the_stream_tells_what_happens(new_workspace: Callable[..., Workspace]) -> None:
    """Messages that come, change and go, and statuses; not what is for others."""

    async def visit() -> None:
        workspace = new_workspace()
        async with browsing(workspace) as (server, session), session.ws_connect("/page/stream") as stream:
            async with session.post("/page/say", json={"channel": "C0001", "text": "hi @Grace"}) as response:
                said = await response.json()
            assert said["ok"] is True
            came = await stream.receive_json()
            assert (came["type"], came["channel"], came["message"]["ts"]) == ("message", "C0001", said["ts"])
            assert (came["message"]["text"], came["message"]["user"]) == ("hi <@U0002>", "U0001")
            server.in_thread(lambda: workspace.post("C0001", user=BOT_USER_ID, text="for Grace", only_for="U0002"))
            server.in_thread(lambda: workspace.post("D0002", user=BOT_USER_ID, text="for Grace"))
            message = workspace.find("C0001", said["ts"])
            assert message is not None
            server.in_thread(lambda: workspace.change(message, text="edited"))
            changed = await stream.receive_json()
            assert (changed["type"], changed["message"]["text"]) == ("changed", "edited")
            server.in_thread(lambda: workspace.set_status("C0001", said["ts"], "is reading"))
            status = {"type": "status", "channel": "C0001", "thread_ts": said["ts"], "status": "is reading"}
            assert await stream.receive_json() == status
            server.in_thread(lambda: workspace.delete(message))
            assert (await stream.receive_json())["type"] == "deleted"

    run(visit())


def test_the_page_presses_buttons(new_workspace: Callable[..., Workspace]) -> None:
    """What cannot be pressed is answered with a reason."""

    async def visit() -> None:
        workspace = new_workspace()
        async with browsing(workspace) as (server, session):
            message = server.in_thread(lambda: workspace.post("C0001", user=BOT_USER_ID, text="x", blocks=ACTIONS))
            body = {"channel": "C0001", "ts": message.ts, "action_id": "go"}
            async with session.post("/page/press", json=body) as response:
                assert await response.json() == {"ok": True, "trouble": "dispatch_failed"}  # nobody listens
            assert server.deliveries[0].payload["actions"][0]["action_id"] == "go"
            async with session.post("/page/press", json={**body, "action_id": "stop"}) as response:
                assert response.status == 400
                assert "there is go" in (await response.json())["error"]

    run(visit())


def test_the_page_opens_tabs_and_runs_shortcuts(new_workspace: Callable[..., Workspace]) -> None:
    """The app is told of each as Slack tells it."""

    async def visit() -> None:
        async with browsing(new_workspace()) as (server, session):
            message = server.in_thread(lambda: server.workspace.post("C0001", user="U0002", text="x"))
            on_it = {"callback_id": "theirs", "channel": "C0001", "ts": message.ts}
            for path, body in (
                ("open", {"tab": "home"}),
                ("open", {"tab": "messages"}),
                ("shortcut", {"callback_id": "mine"}),
                ("shortcut", on_it),
            ):
                async with session.post(f"/page/{path}", json=body) as response:
                    assert response.status == 200
            await asyncio.to_thread(server.wait_until, lambda: len(server.deliveries) == 4 or None)
            told = [one.payload for one in server.deliveries]
        assert [one["event"]["tab"] for one in told if "event" in one] == ["home", "messages"]
        ran = [(one["type"], one["callback_id"]) for one in told if "callback_id" in one]
        assert ran == [("shortcut", "mine"), ("message_action", "theirs")]

    run(visit())


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"channel": "C0001", "text": " "}', '{"channel": 1, "text": "x"}'])
def test_what_is_no_message_is_refused(new_workspace: Callable[..., Workspace], body: str) -> None:
    """With 400 and a reason, and nothing is said."""

    async def visit() -> None:
        async with browsing(new_workspace()) as (server, session):
            async with session.post("/page/say", data=body) as response:
                assert response.status == 400
            assert server.messages("general") == []

    run(visit())


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


def test_what_is_answered_to_a_modal_that_was_closed_meanwhile_is_dropped(
    new_workspace: Callable[..., Workspace],
) -> None:
    """As Slack drops it: there is nobody to see it."""

    async def visit() -> None:
        async with browsing(new_workspace()) as (server, session):

            class Closing:
                async def send(self, kind: str, payload: Json, attempt: int, reason: str) -> DeliveryResult:
                    await asyncio.to_thread(server.close_modal, "ada")
                    return DeliveryResult(payload={"response_action": "errors", "errors": {"b": "no"}})

            server.deliver_by(Closing())
            plain = {"type": "plain_text", "text": "Form"}
            view = {"type": "modal", "id": "V1", "title": plain, "submit": plain, "blocks": []}
            server.in_thread(lambda: server.workspace.modals.open("U0001", view))
            async with session.post("/page/submit", json={"values": {}}) as response:
                assert await response.json() == {"ok": True, "trouble": ""}
            assert server.workspace.modals.of("U0001") == []

    run(visit())


def test_stopping_leaves_nothing_behind(new_workspace: Callable[..., Workspace]) -> None:
    """The thread ends, the port is free again, a second stop does nothing, and nothing works any more."""
    first = ThreadedWorkspace(new_workspace())
    with first:
        port = first.port
        with pytest.raises(OSError, match="in use"):
            ThreadedWorkspace(new_workspace(), port=port).start()
    first.stop()
    with pytest.raises(RuntimeError, match="not running"):
        first.say("ada", "general", "x")
    with ThreadedWorkspace(new_workspace(), port=port) as second:
        assert second.url.endswith(str(port))
