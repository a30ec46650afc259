"""Slack as it is on a bad day, and by HTTP: a workspace whose calls fail when they are told to, and which delivers by
signed POSTs to the app's own address."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import http.client
import json
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from aiohttp import ClientConnectionError, ClientError, ClientSession, ClientTimeout, TooManyRedirects, web

from bot.workspace import ThreadedWorkspace, Workspace
from bot.workspace.delivery import Delivery, DeliveryResult, Kind, Transport
from bot.workspace.server import PATIENCE
from bot.workspace.state import Call, Json


class FaultyWorkspace(ThreadedWorkspace):
    """A workspace in which something goes wrong when `faults` says so."""

    def __init__(self, workspace: Workspace, **options: Any) -> None:
        self.faults = InjectedFaults()
        self.http_mode: HttpMode | None = None
        self._ack_timeout = options.get("ack_timeout", 3.0)
        super().__init__(workspace, around=self.faults.around, **options)

    def use_http(self, events_url: str, signing_secret: str) -> None:
        """Deliver by signed POSTs to this address from now on."""
        if self.http_mode is None:
            self.http_mode = HttpMode(events_url, signing_secret, self._ack_timeout)
            self.deliver_by(self.http_mode)
        self.http_mode.url, self.http_mode.secret = events_url, signing_secret

    @property
    def deliveries(self) -> list[Delivery]:
        """Every attempt to reach the app so far, oldest first."""
        return self.in_thread(lambda: list(self._courier.deliveries))

    @property
    def calls(self) -> list[Call]:
        return self.in_thread(lambda: list(self.workspace.calls))

    @property
    def home_views(self) -> dict[str, Json]:
        return self.in_thread(lambda: dict(self.workspace.home_views))

    def modals(self, user: str) -> list[Json]:
        """The modals somebody has open, the topmost last."""
        return self.in_thread(lambda: self.workspace.modals.of(self._user(user).id))

    def wait_for(
        self, predicate: Callable[[Json], bool], timeout: float = PATIENCE, channel: str | None = None
    ) -> Json:
        """The first message that fits, of those there, ephemeral ones too, and those to come. A message is
        Slack's JSON with `channel`. TimeoutError says what was there instead."""
        place = self._channel(channel).id if channel else None

        def seen() -> list[Json]:
            return [message.shown() for message in self.workspace if place in (None, message.channel)]

        try:
            return self.wait_until(lambda: next(filter(predicate, seen()), None), timeout)
        except TimeoutError:
            there = "\n".join(f"  {m['channel']} {m['ts']} {m['user']}: {m['text']!r}" for m in seen())
            raise TimeoutError(f"no such message in {timeout} s; there was:\n{there or '  nothing'}") from None

    def release(self) -> None:
        self.in_thread(self.faults.release)

    def deliver_by(self, transport: Transport) -> None:
        """Deliver by another way than Socket Mode from now on."""
        self.in_thread(lambda: setattr(self._courier, "transport", transport))

    def deliver(self, kind: Kind, payload: Json, attempt: int = 0, reason: str = "") -> Delivery:
        """Hand the app a payload as it is, whatever Slack would never send; once."""
        self.run(self._courier.deliver(kind, payload, attempt, reason))
        return next(one for one in reversed(self.deliveries) if one.payload is payload)

    def redeliver_press(self, action_ts: str) -> None:
        """Deliver a press once more, as a doubled request would."""
        pressed = (one.payload for one in self.deliveries for action in one.payload.get("actions", ())
                   if action.get("action_ts") == action_ts)  # fmt: skip
        self.deliver("interactive", next(pressed))

    def redeliver(self, event_id: str) -> None:
        """Deliver an event that was delivered before once more, as Slack does when it lost the answer."""
        events = (one.payload for one in self.deliveries if one.payload.get("event_id") == event_id)
        self.deliver("events_api", next(events), 1, "timeout")

    def stop(self) -> None:
        http_mode, self.http_mode = self.http_mode, None
        if http_mode:
            self.run(http_mode.stop())
        super().stop()


ANY = "*"  # stands for whichever method is called next


@dataclass(frozen=True)
class Fault:
    kind: str
    retry_after: int | str = 1
    released: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_after(self) -> bool:
        """Whether the call has its effect although the caller never learns so."""
        return self.kind.partition(":")[0] in ("drop_after", "invalid_json", "half", "answer_after")


@dataclass
class InjectedFaults:
    """What goes wrong next. A method's faults are used up in the order they were asked for."""

    _waiting: dict[str, list[Fault]] = field(default_factory=dict)
    _held: list[Fault] = field(default_factory=list)

    def next(self, method: str, kind: str, times: int = 1, *, retry_after: int | str = 1) -> None:
        """Let the next `times` calls of `method` ("response_url" for those, ANY for whichever) meet with
        trouble. Kinds:

        ratelimited      429 with Retry-After; nothing is done
        http_500         500 with JSON; nothing is done
        error:<code>     {"ok": false, "error": code}; nothing is done
        drop_before      the connection closes; nothing is done
        drop_after       it is done, then the connection closes without an answer
        invalid_json     it is done, then the answer is a page of a proxy's
        half             it is done, then the connection closes in the middle of the answer
        answer_after:<…> it is done, then this is the answer, a byte for each character, said to be JSON
        answer_before:<…> the same answer, but nothing is done
        delay:<seconds>  it is done after that time
        hold             it is done once `release` was called
        """
        if kind.partition(":")[0] not in KINDS:
            raise ValueError(f"no such fault: {kind}; there are {', '.join(KINDS)}")
        faults = [Fault(kind, retry_after) for _ in range(times)]
        self._waiting.setdefault(method, []).extend(faults)
        self._held += [fault for fault in faults if fault.kind == "hold"]

    def release(self) -> None:
        """Have all calls done that are held, and those to come that were to be."""
        while self._held:
            self._held.pop().released.set()

    def take(self, method: str) -> Fault | None:
        waiting = self._waiting.get(method) or self._waiting.get(ANY)
        return waiting.pop(0) if waiting else None

    def clear(self) -> None:
        """Let nothing go wrong that was to."""
        self._waiting.clear()

    async def around(self, name: str, request: web.Request, answer: Callable[[], web.Response]) -> web.StreamResponse:
        """What a call meets with, in place of its answer or before it."""
        fault = self.take(name)
        if fault is None:
            return answer()
        if not fault.is_after:
            return await meet(fault, request) or answer()
        done = answer()
        return await meet(fault, request) or done


KINDS = (
    "ratelimited", "http_500", "error", "drop_before", "drop_after", "invalid_json", "half", "answer_after",
    "answer_before", "delay", "hold",
)  # fmt: skip


async def meet(fault: Fault, request: web.Request) -> web.StreamResponse | None:
    """Wait, or give the answer that a fault puts in place of the real one."""
    kind, _, detail = fault.kind.partition(":")
    if kind == "delay":
        await asyncio.sleep(float(detail))
        return None
    if kind == "hold":
        await fault.released.wait()
        return None
    if kind in ("drop_before", "drop_after"):
        if request.transport is not None:
            request.transport.abort()
        return web.Response()
    if kind == "half":
        return await _half(request)
    if kind in ("answer_after", "answer_before"):
        return web.Response(body=detail.encode("latin-1"), content_type="application/json", charset="utf-8")
    if kind == "invalid_json":
        return web.Response(text="<html>upstream connect error</html>", content_type="text/html")
    if kind == "ratelimited":
        answer: Json = {"ok": False, "error": "ratelimited"}
        return web.json_response(answer, status=429, headers={"Retry-After": str(fault.retry_after)})
    if kind == "http_500":
        return web.json_response({"ok": False, "error": "internal_error"}, status=500)
    return web.json_response({"ok": False, "error": detail})


async def _half(request: web.Request) -> web.StreamResponse:
    """Begin an answer that promises more than comes."""
    answer = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "100"})
    answer.force_close()
    await answer.prepare(request)
    await answer.write(b'{"ok":true,"channel":"C0')
    return answer


MAX_REDIRECTS = 2  # Slack follows no more


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Slack's v0 signature of a request body."""
    base = b"v0:" + timestamp.encode() + b":" + body
    return "v0=" + hmac.new(secret.encode(), base, hashlib.sha256).hexdigest()


def send_signed(
    port: int, path: str, body: bytes, *, type_: str = "application/json", secret: str, at: int | None = None,
    **headers: str,
) -> tuple[int, bytes]:  # fmt: skip
    """What a bot at a port answers to a request that is signed as Slack signs, now or at a time; other headers take
    the place of those."""
    timestamp = str(int(time.time()) if at is None else at)
    signed = {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": signature(secret, timestamp, body)}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("POST", path, body, {"Content-Type": type_, **signed, **named})
        answer = connection.getresponse()
        return answer.status, answer.read()


class HttpMode:
    """Posts to `url`, signed with `secret`; the app has `ack_timeout` seconds to answer 2xx."""

    def __init__(self, url: str, secret: str, ack_timeout: float) -> None:
        self.url = url
        self.secret = secret
        self.ack_timeout = ack_timeout
        self._session: ClientSession | None = None

    async def send(self, kind: Kind, payload: Json, attempt: int, reason: str) -> DeliveryResult:
        headers = {"x-slack-retry-num": str(attempt), "x-slack-retry-reason": reason} if attempt else {}
        if kind == "events_api":
            return await self.post(json.dumps(payload).encode(), "application/json", headers)
        form = payload if kind == "slash_commands" else {"payload": json.dumps(payload)}
        return await self.post(urlencode(form).encode(), "application/x-www-form-urlencoded", headers)

    async def post(self, body: bytes, content_type: str, headers: Mapping[str, str]) -> DeliveryResult:
        """Sign the exact bytes and send them. The app checks the time of the signature against its own
        clock, so this is the one place where the workspace's clock does not count."""
        timestamp = str(int(time.time()))
        signed = {
            "Content-Type": content_type,
            "User-Agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
            "X-Slack-Request-Timestamp": timestamp,
            "X-Slack-Signature": signature(self.secret, timestamp, body),
            **headers,
        }
        if self._session is None:
            self._session = ClientSession(timeout=ClientTimeout(total=self.ack_timeout))
        try:
            async with self._session.post(self.url, data=body, headers=signed, max_redirects=MAX_REDIRECTS) as response:
                text = await response.text()
                if not 200 <= response.status < 300:
                    return DeliveryResult("http_error", no_retry=response.headers.get("x-slack-no-retry") == "1")
        except TooManyRedirects:
            return DeliveryResult("too_many_redirects")
        except TimeoutError:
            return DeliveryResult("http_timeout")
        except ClientConnectionError:
            return DeliveryResult("connection_failed")
        except (ClientError, UnicodeDecodeError):
            return DeliveryResult("unknown_error")
        return DeliveryResult(payload=answer_of(text))

    async def stop(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None


def answer_of(text: str) -> Json | None:
    """The body of an acknowledgement: JSON, or plain text, which Slack takes for a message's text."""
    if not text.strip():
        return None
    try:
        answer = json.loads(text)
    except json.JSONDecodeError:
        return {"text": text}
    return answer if isinstance(answer, dict) else {"text": text}
