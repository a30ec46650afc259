"""POST /hooks/…: a delivery that is signed has what was pushed read soon; what it holds is logged nowhere."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from aiohttp import web

from bot.doctor_findings import Finding, ok, skipped, trouble
from bot.errors import AlmanacError
from bot.hooks.deliveries import FORGES, Forge, IndexedRepositories, Push, is_within, push_of, signed_part
from bot.http_server import ThrottledLog, held
from bot.index.requests import IndexRequests
from bot.settings import Settings
from storage import Store

log = logging.getLogger(__name__)

TAKE_SECONDS = 3.0  # Gitea waits five, others ten
NOTHING = "nothing to read"
SHORTEST = 16  # characters of a secret that nobody can find out by trying
_MAKE_ONE = "make one as docs/scale.md says, and set it in each forge too"


class Webhooks:
    """For one event loop. Each delivery is answered with a line that says what is done, which its sender may know."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        requests: IndexRequests,
        count: Callable[[str, int], None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`count` is called with the forge and the status of each answer."""
        self._secret = settings.hook_secret.get_secret_value() if settings.hook_secret else ""
        self._repositories = IndexedRepositories(settings.repositories)
        self._events = store.processed_events
        self._requests = requests
        self._now = settings.now
        self._count = count
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
        headers = {name.lower(): value for name, value in request.headers.items()}
        body = await request.read()
        part = signed_part(forge, self._secret, headers, body, self._clock())
        if part is None:
            self._throttled.warning(f"a delivery to /hooks/{forge} that is not signed was refused: see its secret")
            return self._answer(forge, 401, "it is not signed with the secret of this address, or was signed long ago")
        with held(request):
            try:
                push = push_of(forge, headers, body)
            except ValueError as error:
                self._throttled.warning(f"a delivery to /hooks/{forge} cannot be read")
                return self._answer(forge, 400, f"it cannot be read: {error}")
            status, said = await self._taken(push, part)
        return self._answer(forge, status, said)

    async def _taken(self, push: Push | None, part: bytes) -> tuple[int, str]:
        if push is None:
            return 200, f"{NOTHING}: it is no push"
        if push.at is not None and not is_within(push.at, self._clock()):
            return 401, "its time is not within five minutes of mine"
        names = self._repositories.to_read(push)
        if names is None:
            return 202, f"{NOTHING}: no repository of almanac.toml is there"
        if not names:
            return 200, f"{NOTHING}: the branch that is read was not pushed"
        try:
            is_new = await asyncio.wait_for(
                asyncio.get_running_loop().run_in_executor(self._thread, self._take, part, names), TAKE_SECONDS
            )
        except (AlmanacError, TimeoutError) as error:
            self._throttled.warning(f"a push is read later: {error or 'the database does not answer'}")
            return 503, "it cannot be taken now: send it again"
        if not is_new:
            return 409, "this very delivery was taken before"
        log.info("pushed, and read now: %s", ", ".join(names))
        return 200, f"read now: {', '.join(names)}"

    def _take(self, part: bytes, names: Sequence[str]) -> bool:
        """Have them read, once for what is signed: False where it was sent before. A delivery that is sent again after
        a failure counts as new."""
        event = f"hook|{hashlib.sha256(part).hexdigest()}"
        if not self._events.claim(event, self._now()):
            return False
        try:
            self._requests.request(names, urgent=True)
        except BaseException:
            self._events.release(event)
            raise
        return True

    def _answer(self, forge: Forge, status: int, said: str) -> web.Response:
        self._count(forge, status)
        return web.json_response({"ok": status < 300, "text": said}, status=status)


def webhooks(settings: Settings) -> Iterator[Finding]:
    """What `almanac doctor` says of them."""
    secret = settings.hook_secret.get_secret_value() if settings.hook_secret else ""
    addresses = ", ".join(f"/hooks/{forge}" for forge in FORGES)
    if not secret:
        seen = f"a push is seen within {settings.refresh_minutes} minutes"
        yield skipped("webhooks", f"are off, so {seen}: to see it at once, set ALMANAC_HOOK_SECRET (docs/scale.md)")
    elif len(secret) < SHORTEST:
        yield trouble("webhooks", f"ALMANAC_HOOK_SECRET is so short that it can be guessed: {_MAKE_ONE}")
    else:
        yield ok("webhooks", f"what is signed is taken at {addresses}")
