"""What strangers can do to a port: nothing that holds up others, and nothing that fills the log."""

from __future__ import annotations

import asyncio
import errno
import http.client
import logging
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager

import pytest
from aiohttp import web

from bot import http_server
from bot.http_server import body_in_time, listening
from bot.workspace.server import PATIENCE

SECONDS = PATIENCE


@asynccontextmanager
async def echo() -> AsyncIterator[int]:
    """An app that answers with the body it was sent."""

    async def answered(request: web.Request) -> web.Response:
        return web.Response(body=await request.read())

    app = web.Application(client_max_size=1000, middlewares=[body_in_time])
    app.add_routes([web.post("/", answered)])
    async with listening(app, "127.0.0.1", 0, stop_seconds=0.0) as port:
        yield port


@contextmanager
def served() -> Iterator[int]:
    """The same app, served by a thread."""
    ports: list[int] = []
    started, stops = threading.Event(), list[Callable[[], object]]()

    async def run() -> None:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        stops.append(lambda: loop.call_soon_threadsafe(stop.set))
        async with echo() as port:
            ports.append(port)
            started.set()
            await stop.wait()
            context = {"message": "socket.accept() out of system resource", "exception": OSError(errno.EMFILE, "full")}
            for _ in range(1000):
                loop.call_exception_handler(context)

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    assert started.wait(SECONDS)
    try:
        yield ports[0]
    finally:
        stops[0]()
        thread.join()


def opened(port: int, sent: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
    connection.sendall(sent)
    return connection


def post(port: int, body: bytes) -> bytes:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)) as connection:
        connection.request("POST", "/", body)
        return connection.getresponse().read()


HEAD = b"POST / HTTP/1.1\r\nHost: bot\r\n"
UNFINISHED = [b"", b"POS", HEAD, HEAD + b"Content-Le"]


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING]


@pytest.mark.parametrize(
    ("limit", "sent", "said"),
    [
        *(("HEAD_SECONDS", sent, b"") for sent in UNFINISHED),
        ("BODY_SECONDS", HEAD + b"Content-Length: 500\r\n\r\nhi", b"HTTP/1.1 408 "),
    ],
)
def test_what_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch, limit: str, sent: bytes, said: bytes) -> None:
    monkeypatch.setattr(http_server, limit, 0.2)
    with served() as port, opened(port, sent) as connection:
        assert connection.recv(1000)[: len(said) or 1] == said


def test_a_connection_that_asks_nothing_more_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "HEAD_SECONDS", 2.0)  # in which a busy machine is heard
    with served() as port, opened(port, HEAD + b"Content-Length: 2\r\n\r\nhi") as connection:
        said = b"".join(iter(lambda: connection.recv(1000), b""))
        assert said.startswith(b"HTTP/1.1 200 ") and said.endswith(b"hi")


def test_half_open_ones_hold_up_nobody(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """The one that has waited longest makes room, so whoever does ask something is heard at once."""
    monkeypatch.setattr(http_server, "MOST_CONNECTIONS", 20)
    with served() as port, ExitStack() as stack:
        many = 2 * http_server.BACKLOG
        half_open = [stack.enter_context(opened(port, UNFINISHED[number % 4])) for number in range(many)]
        assert [post(port, str(number).encode()) for number in range(10)] == [b"%d" % n for n in range(10)]
        closed = sum(_is_closed(one) for one in half_open)
        assert closed >= many - 20 - http_server.BACKLOG
    assert len(lines(caplog)) == 2, lines(caplog)  # and the one of descriptors


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20,
        b"GET / HTTP/9.9.9\r\n\r\n",
        HEAD + b"X" * 20_000 + b"\r\n\r\n",
        HEAD + b"Content-Length: -1\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nno length\r\n",
        HEAD + b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi",
        HEAD + b"Content-Length: 500\r\n\r\nhi",  # and then nothing more
    ],
)
def test_what_is_no_http_is_one_line_at_most(sent: bytes, caplog: pytest.LogCaptureFixture) -> None:
    with served() as port:
        for _ in range(30):
            with opened(port, sent) as connection:
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(1000):
                    pass
        assert post(port, b"hello") == b"hello"
    assert len(lines(caplog)) <= 2, lines(caplog)
    assert [one for one in caplog.records if one.exc_info] == []


def _is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
