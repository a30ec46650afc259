"""HTTP mode: signed POSTs to the app's own address, as Slack sends them."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from urllib.parse import urlencode

from aiohttp import ClientConnectionError, ClientError, ClientSession, ClientTimeout, TooManyRedirects

from bot.workspace.courier import DeliveryResult, Kind
from bot.workspace.model import Json

MAX_REDIRECTS = 2  # Slack follows no more


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Slack's v0 signature of a request body."""
    base = b"v0:" + timestamp.encode() + b":" + body
    return "v0=" + hmac.new(secret.encode(), base, hashlib.sha256).hexdigest()


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

    async def verify_url(self, challenge: str) -> DeliveryResult:
        """Ask the app to prove that the address is its own, as Slack does when it is configured: the reply's
        payload should hold the challenge."""
        body = {"type": "url_verification", "token": "local", "challenge": challenge}
        return await self.post(json.dumps(body).encode(), "application/json", {})

    async def check_ssl(self) -> DeliveryResult:
        """The check of a certificate that Slack makes of a command's address now and then."""
        body = urlencode({"ssl_check": "1", "token": "local"}).encode()
        return await self.post(body, "application/x-www-form-urlencoded", {})

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
