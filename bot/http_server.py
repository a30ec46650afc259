"""An HTTP server that bears what strangers do to it: heads and bodies that never end, more connections than there is
room for, what is no HTTP at all.

aiohttp has a time limit for neither: until a request's head is whole, a connection only waits for its keep-alive time
to run out, an hour unless told otherwise. That time counts from the connection's beginning, or from the end of the
request before, whatever arrives meanwhile; so a short one is a limit for heads.
"""

from __future__ import annotations

import asyncio
import logging
import resource
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, cast

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler

log = logging.getLogger(__name__)

HEAD_SECONDS = 20.0  # for a request's head; longer than the 15 for which aiohttp's client keeps a connection
BODY_SECONDS = 10.0  # for its body after that
LINGER_SECONDS = 3.0  # for what is refused unread to be sent: closed before, its sender would see no answer
MOST_CONNECTIONS = 256  # at once; the one that has waited longest for its request makes room
BACKLOG = 64  # connections that may be accepted in one go, before any of them is counted; fewer where files are few
LINE_SECONDS = 60.0

HELD: web.AppKey[set[object]] = web.AppKey("held", set)


class ThrottledLog:
    """Lines of a log that strangers can bring about: each once a minute at most, with how often it was left out."""

    def __init__(self, logger: logging.Logger) -> None:
        self._logger = logger
        self._said: dict[str, float] = {}
        self._left_out: dict[str, int] = {}

    def warning(self, line: str) -> None:
        """Say a line, one of a few that are known beforehand."""
        now = time.monotonic()
        if now - self._said.get(line, float("-inf")) < LINE_SECONDS:
            self._left_out[line] = self._left_out.get(line, 0) + 1
            return
        self._said[line] = now
        if left_out := self._left_out.pop(line, 0):
            line = f"{line} ({left_out} times more since this was said last)"
        self._logger.warning("%s", line)


@web.middleware
async def body_in_time(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Read a body before anything is done with it. One that is too large is refused unread."""
    if (request.content_length or 0) > request.client_max_size:
        raise web.HTTPRequestEntityTooLarge(request.client_max_size, request.content_length or 0)
    if request.can_read_body:
        try:
            async with asyncio.timeout(BODY_SECONDS):
                await request.read()
        except TimeoutError:
            return web.Response(status=408)
        except (web.RequestPayloadError, ConnectionError):  # chunks that are none, or whoever sends went away
            return web.Response(status=400)
    return await handler(request)


@contextmanager
def held(request: web.Request) -> Iterator[None]:
    """Inside, a request's connection does not make room for others."""
    request.app[HELD].add(request.protocol)
    try:
        yield
    finally:
        request.app[HELD].discard(request.protocol)


@asynccontextmanager
async def listening(app: web.Application, host: str | None, port: int, *, stop_seconds: float) -> AsyncIterator[int]:
    """Serve an app inside the block, on every address of this machine where there is no `host`; yields the port.

    Raises OSError where nobody can listen there. Whoever is being answered at the end has `stop_seconds` left.
    """
    app[HELD] = set()
    throttled = ThrottledLog(log)
    runner = web.AppRunner(
        app, access_log=None, shutdown_timeout=stop_seconds, keepalive_timeout=HEAD_SECONDS, logger=_logger(throttled),
        auto_decompress=False,  # Slack sends nothing that is packed, and others may send a little that unpacks to much
        lingering_time=LINGER_SECONDS,
    )  # fmt: skip
    _report_few_descriptors(throttled)
    await runner.setup()
    try:
        made = _limited(cast(web.Server, runner.server), app[HELD], throttled)
        backlog = max(1, min(BACKLOG, most_connections() // 4))  # with connections and files of ours, all may be open
        server = await asyncio.get_running_loop().create_server(made, host or None, port, backlog=backlog)
        try:
            yield int(server.sockets[0].getsockname()[1])
        finally:
            for one in server.sockets:  # accept no more
                asyncio.get_running_loop().remove_reader(one.fileno())
            for _ in range(3):  # what was just accepted becomes known; asyncio would lose it if it were closed now
                await asyncio.sleep(0)
            server.close()
    finally:
        await runner.cleanup()


def most_connections() -> int:
    """How many there may be at once: no more than half of the files that this process may open."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if files == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, files // 2)


def _limited(server: web.Server, at_work: set[object], throttled: ThrottledLog) -> Callable[[], asyncio.Protocol]:
    """Makes protocols for new connections, and room for them among those that are not at work."""
    most = most_connections()
    closing: set[object] = set()

    def made() -> asyncio.Protocol:
        there = server.connections  # oldest first
        closing.intersection_update(there)
        if len(there) - len(closing) >= most:
            waits = next((one for one in there if one not in closing and one not in at_work), None)
            if waits is None:
                throttled.warning(f"there are {most} connections, all of them at work: another one was refused")
                return _Refused()
            throttled.warning(f"there are {most} connections: one that had asked nothing yet was closed")
            closing.add(waits)
            waits.force_close()
        return server()

    return made


class _Refused(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.close()


def _report_few_descriptors(throttled: ThrottledLog) -> None:
    """Have the loop say in one line that no more files can be opened; it says that with a traceback for each try."""

    def on_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if context.get("message") == "socket.accept() out of system resource":
            throttled.warning("no connection can be accepted: too many files are open")
        else:
            loop.default_exception_handler(context)

    asyncio.get_running_loop().set_exception_handler(on_error)


def _logger(throttled: ThrottledLog) -> logging.Logger:
    """aiohttp's, for one server. It says what is no HTTP with a traceback, each time."""

    def is_ours(record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, HttpProcessingError | ConnectionError | UnicodeError):
            throttled.warning("a request that is no HTTP was refused")
            return False
        return True

    logger = logging.Logger(f"{__name__}.server")
    logger.parent = log
    logger.addFilter(is_ours)
    return logger
