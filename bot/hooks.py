"""Webhooks: a forge, or a `post-receive` of plain git, says that something was pushed, so that it is read at once.

A delivery to POST /hooks/… is known to be written by somebody who knows the secret, which is compared in constant time;
it says what was pushed, and is answered with a line that says what is done. What it holds is logged nowhere.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import gc
import hashlib
import hmac
import json
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args
from urllib.parse import parse_qs

from aiohttp import web

from bot.errors import AlmanacError, RepositoryUnavailable
from bot.http_server import ThrottledLog, held
from bot.index.indexing import IndexRequests
from bot.index.places import place, same_for_all, whereabouts
from bot.settings import RepositorySettings, Settings
from storage import Store

log = logging.getLogger(__name__)

Forge = Literal["github", "gitlab", "gitea", "push"]
FORGES: tuple[Forge, ...] = get_args(Forge)
Json = Mapping[str, Any]

MOST_APART = 300.0  # seconds between the time that a delivery says and ours
_PREFIX = "whsec_"  # of a secret that is base64: https://www.standardwebhooks.com, "Signature scheme"
_SIGNED_BY = {
    "github": ("x-hub-signature-256", "sha256="), "gitea": ("x-gitea-signature", ""),
    "push": ("x-almanac-signature", "sha256="),
}  # fmt: skip
_FORM = "payload="  # what GitHub's page offers first
# Where the parts of a repository stand: first of GitHub and Gitea, then of GitLab.
_ADDRESSES = ("clone_url", "ssh_url", "html_url", "git_http_url", "git_ssh_url", "web_url")
_NAMES = ("full_name", "path_with_namespace")

TAKE_SECONDS = 3.0  # Gitea waits five, others ten
NOTHING = "nothing to read"


def signed_part(forge: Forge, secret: str, headers: Mapping[str, str], body: bytes, now: float) -> bytes | None:
    """What of a delivery its signature covers, by which it is known again; None where it is not signed, or wrongly, or
    where a time that is signed with it is not `now`. Headers are looked up in small letters."""
    if forge != "gitlab":
        header, prefix = _SIGNED_BY[forge]
        expected = prefix + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
        return body if _same(headers.get(header, ""), expected) else None
    if "webhook-signature" in headers:
        return _by_signing_token(secret, headers, body, now)
    return body if _same(headers.get("x-gitlab-token", ""), secret) else None


def is_within(at: float, now: float) -> bool:
    """Whether a time is near enough to the present not to be that of a delivery which somebody kept."""
    return now - MOST_APART <= at <= now + MOST_APART  # False for what is no number, or too large for a float


def _by_signing_token(secret: str, headers: Mapping[str, str], body: bytes, now: float) -> bytes | None:
    """https://docs.gitlab.com/user/project/integrations/webhooks/; nothing is signed where the secret is no such token,
    with which anybody could sign."""
    identity, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True) if secret.startswith(_PREFIX) else b""
    except binascii.Error:
        key = b""
    if not key or not (at.isascii() and at.isdigit() and len(at) < 20 and is_within(int(at), now)):
        return None
    part = b".".join((_bytes(identity), at.encode(), body))
    expected = "v1," + base64.b64encode(hmac.new(key, part, hashlib.sha256).digest()).decode()
    # More than one stands there while a secret is replaced.
    return part if any(_same(one, expected) for one in headers["webhook-signature"].split(" ")) else None


def _same(given: str, expected: str) -> bool:
    return hmac.compare_digest(_bytes(given), _bytes(expected))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")  # as aiohttp decodes headers


@dataclass(frozen=True, slots=True)
class Push:
    """`ref` is whole (refs/heads/main), or empty where it is not said. The repository is at one of `addresses`, and
    has a full `name` there; `default_branch` is empty where it is not said. `at` is in seconds, of a plain push."""

    ref: str
    addresses: tuple[str, ...]
    name: str
    default_branch: str = ""
    at: float | None = None


def push_of(forge: Forge, headers: Mapping[str, str], body: bytes) -> Push | None:
    """The push; None where something else happened, such as a ping. Raises ValueError where it cannot be read."""
    said, at = _object(_json(body)), None
    addresses: tuple[str, ...]
    if forge == "push":  # what docs/scale.md has a post-receive send
        name, default, at = _text(said.get("repository")), said.get("default_branch"), said.get("time")
        addresses = (name,)
        if isinstance(at, bool) or not isinstance(at, int | float):
            raise ValueError("it has no time in seconds")
    else:
        happened = said.get("event_name", said.get("object_kind"))
        is_push = happened in ("push", "tag_push") if forge == "gitlab" else headers.get(f"x-{forge}-event") == "push"
        if not is_push:
            return None
        repository = _object(said.get("project" if forge == "gitlab" else "repository"))
        addresses = tuple(text for key in _ADDRESSES if (text := _text(repository.get(key, ""))))
        name = next((text for key in _NAMES if (text := _text(repository.get(key, "")))), "")
        default = repository.get("default_branch")
    if not (addresses or name) or addresses == ("",):
        raise ValueError("it names no repository")
    ref = _text(said.get("ref") or "")
    if not ref.startswith("refs/") and (ref or forge != "push"):
        raise ValueError("it names no reference")
    return Push(ref, addresses, name, _text(default or ""), at)


def _json(body: bytes) -> object:
    text = body.decode()
    if text.startswith(_FORM):  # whatever its content type: curl says it of all that it sends
        text = parse_qs(text, max_num_fields=10).get("payload", [""])[0]
    gc.disable()  # whatever it would end meanwhile finds no stack left to end on
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is far too deep") from None
    finally:
        gc.enable()


def _object(value: object) -> Json:
    if not isinstance(value, Mapping):
        raise ValueError("it is no object where it should be one")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("it holds something else where a text should be")
    return value


def to_read(tables: Iterable[RepositorySettings], push: Push) -> list[str] | None:
    """The names of the listed repositories that a push is to and of which the branch that is read, or a tag, was
    pushed; None where it is to none.

    A host may be called otherwise here than its forge calls it, so where no address fits, the full name decides, or the
    path of an address: at worst one that did not change is looked at.
    """
    addresses = {key for address in push.addresses if (key := same_for_all(address))}
    called = push.name.strip("/").casefold()
    there, alike = set[tuple[str, str | None]](), set[tuple[str, str | None]]()
    for table in tables:
        try:
            where, usual = place(table.address, table.name), place(table.address).name
        except RepositoryUnavailable:
            continue  # which each index says
        one = where.name, table.branch
        keys = {same_for_all(where.location) or "", whereabouts(table.address)} - {""}
        if not addresses.isdisjoint(keys):
            there.add(one)
        if called in {where.name.casefold(), usual.casefold(), *(key.partition("/")[2] for key in keys)}:
            alike.add(one)
    found = there or alike
    if not found:
        return None
    if not push.ref or push.ref.startswith("refs/tags/"):
        return sorted({name for name, _ in found})
    pushed = push.ref.removeprefix("refs/heads/")
    read = {name for name, branch in found if (branch or push.default_branch) in ("", pushed)}
    return sorted(read) if pushed != push.ref else []


class Webhooks:
    """For one event loop. Each delivery is answered with a line that says what is done, which its sender may know."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        requests: IndexRequests,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._secret = settings.hook_secret.get_secret_value() if settings.hook_secret else ""
        self._tables = settings.repositories
        self._events = store.processed_events
        self._requests = requests
        self._now = settings.now
        self._clock = clock
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hooks")  # not behind those that answer
        self._throttled = ThrottledLog(log)

    def routes(self) -> list[web.RouteDef]:
        """None without a secret, so that whoever asks finds nothing."""
        return [web.post(f"/hooks/{forge}", partial(self._receive, forge)) for forge in FORGES if self._secret]

    def close(self) -> None:
        """Blocks until what is being taken is taken."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    async def _receive(self, forge: Forge, request: web.Request) -> web.Response:
        status, said = await self._answered(forge, request)
        return web.json_response({"ok": status < 300, "text": said}, status=status)

    async def _answered(self, forge: Forge, request: web.Request) -> tuple[int, str]:
        headers = {name.lower(): value for name, value in request.headers.items()}
        body = await request.read()
        part = signed_part(forge, self._secret, headers, body, self._clock())
        if part is None:
            self._throttled.warning(f"a delivery to /hooks/{forge} that is not signed was refused: see its secret")
            return 401, "it is not signed with the secret of this address, or was signed long ago"
        with held(request):
            try:
                push = push_of(forge, headers, body)
            except ValueError as error:
                self._throttled.warning(f"a delivery to /hooks/{forge} cannot be read")
                return 400, f"it cannot be read: {error}"
            if push is None:
                return 200, f"{NOTHING}: it is no push"
            if push.at is not None and not is_within(push.at, self._clock()):
                return 401, "its time is not within five minutes of mine"
            taking = asyncio.get_running_loop().run_in_executor(self._thread, self._take, push, part)
            try:
                return await asyncio.wait_for(taking, TAKE_SECONDS)
            except (AlmanacError, TimeoutError) as error:
                self._throttled.warning(f"a push is read later: {str(error) or 'the database does not answer'}")
                return 503, "it cannot be taken now: send it again"

    def _take(self, push: Push, part: bytes) -> tuple[int, str]:
        """Have what was pushed read, once for what is signed. A delivery that is sent again after a failure is new."""
        names = to_read(self._tables, push)
        if names is None:
            return 202, f"{NOTHING}: no repository of almanac.toml is there"
        if not names:
            return 200, f"{NOTHING}: the branch that is read was not pushed"
        event = f"hook|{hashlib.sha256(part).hexdigest()}"
        if not self._events.claim(event, self._now()):
            return 409, "this very delivery was taken before"
        try:
            self._requests.request(names, urgent=True)
        except BaseException:
            self._events.release(event)
            raise
        log.info("pushed, and read now: %s", ", ".join(names))
        return 200, f"read now: {', '.join(names)}"
