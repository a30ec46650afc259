"""One question to a language model's server, within a time limit. Nothing it does can delay or break what asks."""

from __future__ import annotations

import ipaddress
import json
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import httpx

MOST_BYTES = 1_000_000  # of an answer; the longest month is told in a tenth of it
_BARE = (400, 415, 422, 500, 501)  # what servers say that do not know a schema, or a temperature
_SAID = {
    401: "it refuses the key, or wants one: see ALMANAC_MODEL_KEY",
    403: "it refuses the key, or wants one: see ALMANAC_MODEL_KEY",
    404: "it knows no such model, or the address is not that of its API",
    413: "it takes less than was sent: set fewer tokens",
    429: "it is asked too often, or the account is empty",
}


class Unanswered(Exception):
    """The model gave no answer that can be read. Its text says why, and never holds what the server or the key says."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model behind an address that speaks OpenAI's protocol. `seconds` is what one month may take altogether.

    `diffs` says whether it is sent hunks of diffs; `second` is the model that is asked for a second opinion, if any.
    """

    address: str
    name: str
    key: str = field(default="", repr=False)
    seconds: float = 20.0
    tokens: int = 8000
    diffs: bool = False
    second: str = ""


def completion(model: Model, prompt: str, schema: Mapping[str, Any], until: float) -> str:
    """What the model answers, as text that should hold JSON of the schema.

    `until` is an instant of `time.monotonic`: by then it answers or raises Unanswered, whatever the server, the
    network or the look-up of a name does meanwhile.
    """
    import httpx

    if until <= time.monotonic():
        raise Unanswered(_too_late(model))
    try:
        call = _Call(model, prompt, schema, until, httpx)
    except (OSError, ValueError, ImportError, httpx.InvalidURL):  # the last but one: a SOCKS proxy wants a package
        raise Unanswered("a proxy or the certificates that the environment names cannot be used") from None
    # A thread of its own: a time limit of httpx's is one for each byte, and none for the look-up of a name.
    threading.Thread(target=call.run, name="almanac-model", daemon=True).start()
    if not call.done.wait(until - time.monotonic()):
        call.give_up()
        raise Unanswered(_too_late(model))
    if call.failure is not None:
        raise call.failure
    return _said(call.answer)


class _Call:
    """The exchange of one question, which may be given up from another thread at any time."""

    def __init__(self, model: Model, prompt: str, schema: Mapping[str, Any], until: float, http: Any) -> None:
        self.done = threading.Event()
        self.answer = b""
        self.failure: Exception | None = None
        self._model, self._until = model, until
        self._prompt, self._schema = prompt, schema
        limit = max(0.01, until - time.monotonic())
        self._http = http
        # Proxies of the environment are not for a server on this machine.
        self._client: httpx.Client = http.Client(
            timeout=limit, follow_redirects=False, trust_env=not _is_here(model.address)
        )

    def run(self) -> None:
        try:
            self.answer = self._exchange()
        except Unanswered as failure:
            self.failure = failure
        except self._http.TimeoutException:
            self.failure = Unanswered(_too_late(self._model))
        except self._http.ConnectError:
            self.failure = Unanswered("its address cannot be reached")
        # Their texts may hold the key: "Illegal header value b'Bearer ...'".
        except (self._http.HTTPError, self._http.InvalidURL, self._http.StreamError, OSError, ValueError, RuntimeError):
            self.failure = Unanswered("the exchange broke off")
        except Exception as bug:  # raised where it is waited for
            self.failure = bug
        finally:
            with suppress(Exception):
                self._client.close()
            self.done.set()

    def give_up(self) -> None:
        """Close the connection under whoever still reads from it."""
        with suppress(Exception):
            self._client.close()

    def _exchange(self) -> bytes:
        messages = [{"role": "user", "content": self._prompt}]
        bare = {"model": self._model.name, "messages": messages, "stream": False}
        form = {"type": "json_schema", "json_schema": {"name": "month", "strict": True, "schema": self._schema}}
        status, answer = self._post({**bare, "temperature": 0, "response_format": form})
        if status in _BARE:
            status, answer = self._post(bare)
        if 300 <= status < 400:
            raise Unanswered("it answers with another address, and none is followed")
        if status != 200:
            raise Unanswered(_SAID.get(status, f"it answers HTTP {status}"))
        return answer

    def _post(self, body: dict[str, Any]) -> tuple[int, bytes]:
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        if self._model.key:
            headers["Authorization"] = f"Bearer {self._model.key}"
        with self._client.stream(
            "POST", f"{self._model.address}/chat/completions", json=body, headers=headers
        ) as response:
            if response.status_code != 200:
                return response.status_code, b""
            if response.headers.get("content-encoding", "identity").lower() != "identity":
                raise Unanswered("it packs its answer, which was not asked for")
            read = bytearray()
            for chunk in response.iter_raw():
                read += chunk
                if len(read) > MOST_BYTES:
                    raise Unanswered(f"its answer is longer than {MOST_BYTES:,} bytes")
                if time.monotonic() > self._until:
                    raise Unanswered(_too_late(self._model))
            return 200, bytes(read)


def _too_late(model: Model) -> str:
    return f"it did not answer within {model.seconds:g} seconds"


def _said(answer: bytes) -> str:
    """The words of an answer in OpenAI's form."""
    try:
        choice = json.loads(answer)["choices"][0]
        message, ending = choice["message"], choice.get("finish_reason")
        content, refusal = message.get("content"), message.get("refusal")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise Unanswered("its answer is not in the form of a chat completion") from None
    if refusal or ending == "content_filter":
        raise Unanswered("it refuses to answer")
    if ending == "length":
        raise Unanswered("its answer was cut off: it needs a larger context")
    if isinstance(content, list):  # parts, as some servers give them
        parts = (part.get("text") for part in content if isinstance(part, dict))
        content = "".join(part for part in parts if isinstance(part, str))
    if not isinstance(content, str) or not content.strip():
        raise Unanswered("its answer is empty")
    return content


def _is_here(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
