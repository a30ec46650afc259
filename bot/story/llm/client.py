"""One question to a language model's server, within a time limit. Nothing it does can delay or break what asks."""

from __future__ import annotations

import ipaddress
import json
import queue
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bot.errors import SettingsError

if TYPE_CHECKING:
    import httpx

    from bot.settings import Settings

_NEEDED = ("httpx", "detect_secrets")

MOST_BYTES = 1_000_000  # of an answer; the longest month is shown in a tenth of it
CHECK_SECONDS = 4.0  # that `almanac doctor` waits for a server
_WITHOUT_SCHEMA = (400, 415, 422, 500, 501)  # what servers say that do not know a schema, or a temperature
_REFUSED = "it refuses the key, or wants one: see ALMANAC_MODEL_KEY"
_BY_STATUS = {
    401: _REFUSED,
    403: _REFUSED,
    404: "it knows no such model, or the address is not that of its API",
    413: "it takes less than was sent: set fewer tokens",
    429: "it is asked too often, or the account is empty",
}


class Unanswered(Exception):
    """The model gave no answer that can be read. Its text says why, and never holds what the server or the key says."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model behind an address that speaks OpenAI's protocol. `seconds` is what one month may take altogether.

    `diffs` says whether it is sent hunks of diffs.
    """

    address: str
    name: str
    key: str = field(default="", repr=False)
    seconds: float = 20.0
    tokens: int = 8000
    diffs: bool = False


def model_of(settings: Settings) -> Model | None:
    """The model that is set, if one is. Raises SettingsError where what it needs is not installed."""
    own = settings.model
    if own is None:
        return None
    if not all(map(find_spec, _NEEDED)):
        raise SettingsError(["[model] needs more than is installed: pip install '.[model]' in Almanac's folder"])
    key = settings.model_key.get_secret_value() if settings.model_key else ""
    return Model(own.address, own.name, key, own.seconds, own.tokens, own.diffs)


def completion(model: Model, prompt: str, schema: Mapping[str, Any], deadline: float) -> str:
    """What the model answers, as text that should hold JSON of the schema.

    `deadline` is an instant of `time.monotonic`: by then it answers or raises Unanswered, whatever the server, the
    network or the look-up of a name does meanwhile.
    """
    import httpx

    left = deadline - time.monotonic()
    if left <= 0:
        raise _late(model)
    try:
        client = httpx.Client(timeout=left, follow_redirects=False, trust_env=not _is_local(model.address))
    except (OSError, ValueError, ImportError, httpx.InvalidURL):  # the last but one: a SOCKS proxy wants a package
        raise Unanswered("a proxy or the certificates that the environment names cannot be used") from None
    outcomes: queue.SimpleQueue[bytes | Exception] = queue.SimpleQueue()

    def ask() -> None:
        try:
            outcomes.put(_exchange(client, model, prompt, schema, deadline))
        except httpx.TimeoutException:
            outcomes.put(_late(model))
        except httpx.ConnectError:
            outcomes.put(Unanswered("its address cannot be reached"))
        # Their texts may hold the key: "Illegal header value b'Bearer ...'".
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError, ValueError, RuntimeError):
            outcomes.put(Unanswered("the exchange broke off"))
        except Exception as failure:
            outcomes.put(failure)

    # A thread of its own: a time limit of httpx's is one for each byte, and none for the look-up of a name.
    threading.Thread(target=ask, name="almanac-model", daemon=True).start()
    try:
        outcome = outcomes.get(timeout=max(0.0, deadline - time.monotonic()))
    except queue.Empty:
        raise _late(model) from None
    finally:
        with suppress(Exception):  # under the thread that may still read from it
            client.close()
    if isinstance(outcome, Exception):
        raise outcome
    return _content_of(outcome)


def server_check(address: str, key: str) -> tuple[str, bool]:
    """What came of asking a server which models it has, and whether it can be worked with. Nothing of anybody's work is
    sent to it, and neither what it says nor the key is repeated."""
    try:
        import httpx
    except ImportError:
        return "httpx is not installed: run `pip install '.[model]'` in Almanac's folder", False
    headers = {"Accept": "application/json", **_authorization(key)}
    try:
        with (
            httpx.Client(timeout=CHECK_SECONDS, follow_redirects=False, trust_env=not _is_local(address)) as client,
            client.stream("GET", f"{address}/models", headers=headers) as response,
        ):
            status = response.status_code
    except httpx.TimeoutException:
        return f"no answer within {CHECK_SECONDS:g} seconds: check the address and the server", False
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, RuntimeError):  # their texts may hold the key
        return "cannot be reached: check the address and the server", False
    if status in (401, 403):
        return _REFUSED, False
    if status >= 500:
        return f"it answers HTTP {status}: see the server's log", False
    return "it answers", True


def _exchange(client: httpx.Client, model: Model, prompt: str, schema: Mapping[str, Any], deadline: float) -> bytes:
    bare = {"model": model.name, "messages": [{"role": "user", "content": prompt}], "stream": False}
    form = {"type": "json_schema", "json_schema": {"name": "month", "strict": True, "schema": schema}}
    status, answer = _post(client, model, {**bare, "temperature": 0, "response_format": form}, deadline)
    if status in _WITHOUT_SCHEMA:
        status, answer = _post(client, model, bare, deadline)
    if 300 <= status < 400:
        raise Unanswered("it answers with another address, and none is followed")
    if status != 200:
        raise Unanswered(_BY_STATUS.get(status, f"it answers HTTP {status}"))
    return answer


def _post(client: httpx.Client, model: Model, body: dict[str, Any], deadline: float) -> tuple[int, bytes]:
    headers = {"Accept": "application/json", "Accept-Encoding": "identity", **_authorization(model.key)}
    with client.stream("POST", f"{model.address}/chat/completions", json=body, headers=headers) as response:
        if response.status_code != 200:
            return response.status_code, b""
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise Unanswered("it packs its answer, which was not asked for")
        read = bytearray()
        for chunk in response.iter_raw():
            read += chunk
            if len(read) > MOST_BYTES:
                raise Unanswered(f"its answer is longer than {MOST_BYTES:,} bytes")
            if time.monotonic() > deadline:
                raise _late(model)
        return 200, bytes(read)


def _content_of(answer: bytes) -> str:
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


def _late(model: Model) -> Unanswered:
    return Unanswered(f"it did not answer within {model.seconds:g} seconds")


def _authorization(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


def _is_local(address: str) -> bool:
    """Whether a server is on this machine: proxies of the environment are not for it."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
