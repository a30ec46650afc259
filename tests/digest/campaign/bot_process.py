"""A bot that can be killed at every step of a delivery, in a process that is forked and so costs milliseconds."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from bot.digest.service import Composed, DigestService
from bot.digest.subscriptions import DigestPost, Subscriptions
from bot.digest.tick import Jobs
from bot.errors import RepositoryUnavailable
from bot.month.calendar import Month
from bot.month.facts import FactsContext
from bot.settings import Settings
from bot.settings_tables import DigestSettings, PrivacySettings, Secret
from bot.slack import sender
from bot.slack.directory import Members
from bot.slack.elements import Message
from bot.slack.sender import Sender
from bot.slack.web_api import Client
from bot.story.digest import month_digest
from bot.story.render import Templates
from storage import Store
from storage.outbox import Outbox
from storage.slack_state import Digests

PARTS = ("root", "part 1", "part 2")
OWNER = "U0OWNER"
# The times of the product, some hundred times shorter.
CALL_SECONDS = 0.5
LOST_AFTER = timedelta(seconds=0.8)
LOOK_AFTER, SURE_AFTER = timedelta(seconds=0.05), timedelta(seconds=0.6)
PATIENCE = 30.0  # until what does not end counts as hanging
TICK = 0.02

Step = Callable[[str], None]
T = TypeVar("T")


@dataclass(frozen=True)
class Where:
    """What a bot needs to know to run."""

    database: Path
    api: str
    token: str
    team: str
    channel: str


@dataclass(frozen=True)
class Fate:
    """What happens to a bot: it is killed at a step, which comes for the nth time; its clock is put forward or back by
    so many hours at each tick, in turn, the last for good; others' calls take longer than a call of ours may."""

    step: str = ""
    nth: int = 1
    hours: tuple[float, ...] = ()
    patient: bool = False  # with others that live: who seems lost is only slow


def which(key: str) -> str:
    """A message by what it is in its digest."""
    if not key.startswith("digest|"):
        return "notice"
    return PARTS[len(key.split("|")) - 5 and int(key.rsplit("|", 1)[1])]


class SteppingOutbox(Outbox):
    step: Step

    def plan(self, posts: Any, now: datetime, state: str = "planned") -> bool:
        name = which(posts[0].key) if posts else ""
        return self._between(f"plan {name}".replace(" root", ""), super().plan, posts, now, state)

    def claim(self, key: str, now: datetime) -> int:
        return self._between(f"claim {which(key)}", super().claim, key, now)

    def record_attempt(self, claimed: Any, state: str, now: datetime, **more: Any) -> None:
        return self._between(f"settle {which(claimed.key)}", super().record_attempt, claimed, state, now, **more)

    def give_up_on_lost(self, now: datetime, after: timedelta, *more: Any) -> list[str]:
        return self._between("give up", super().give_up_on_lost, now, after, *more)

    def resolve(self, post: Any, state: str, now: datetime, **more: Any) -> bool:
        name = {"sent": "found", "planned": "try again"}.get(state, "looked")
        return self._between(name, super().resolve, post, state, now, **more)

    def hold(self, first: str, error: str, now: datetime) -> None:
        return self._between("hold", super().hold, first, error, now)

    def _between(self, name: str, work: Callable[..., T], *arguments: Any, **more: Any) -> T:
        self.step(f"before {name}")
        done = work(*arguments, **more)
        if done or done is None:  # and not by another process
            self.step(f"after {name}")
        return done


class SteppingDigests(Digests):
    step: Step

    def plan(self, *arguments: Any) -> bool:
        self.step("before plan")
        done = super().plan(*arguments)
        if done:
            self.step("after plan")
        return done

    def pause(self, *arguments: Any, **more: Any) -> bool:
        self.step("before pause")
        done = super().pause(*arguments, **more)
        self.step("after pause")
        return done

    def reported(self, *arguments: Any) -> bool:
        self.step("before told")
        done = super().reported(*arguments)
        self.step("after told")
        return done


class SteppingClient(Client):
    step: Step = staticmethod(lambda _: None)

    def chat_postMessage(self, **arguments: Any) -> Any:
        name = which(arguments["metadata"]["event_payload"]["key"])
        self.step(f"before call {name}")
        self.step(f"in call {name}")
        done = super().chat_postMessage(**arguments)
        self.step(f"after call {name}")
        return done

    def conversations_history(self, **arguments: Any) -> Any:
        return self._look(super().conversations_history, arguments)

    def conversations_replies(self, **arguments: Any) -> Any:
        return self._look(super().conversations_replies, arguments)

    def _look(self, call: Callable[..., Any], arguments: dict[str, Any]) -> Any:
        self.step("before look")
        answer = call(**arguments)
        self.step("after look")
        return answer


class Death:
    """Kills the process, as SIGKILL does, when its hour has come. In the middle of a call: once Slack has it."""

    def __init__(self, fate: Fate) -> None:
        self._fate = fate
        self._came = 0

    def __call__(self, step: str) -> None:
        if step != self._fate.step:
            return
        self._came += 1
        if self._came < self._fate.nth:
            return
        if step.startswith("in call"):
            signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
            signal.setitimer(signal.ITIMER_REAL, 0.08)
        else:
            os.kill(os.getpid(), signal.SIGKILL)


class JumpingSettings(Settings):
    """With a clock that is put forward and back."""

    def now(self) -> datetime:
        return datetime.now(UTC) + OFFSET[0]


OFFSET = [timedelta(0)]


_EMPTY = month_digest(
    "everyone", Month(2025, 10), [], [], FactsContext(ZoneInfo("UTC"), [], datetime(2025, 11, 1, tzinfo=UTC)), ()
)
DOCUMENT = replace(_EMPTY.document, counts={"commits": 1})


class QuickDigests(DigestService):
    """Tells the same three messages of every period, for the campaign is of how they are delivered."""

    def compose(self, post: DigestPost, unread: Sequence[RepositoryUnavailable] = ()) -> Composed:
        messages = [Message(f"{post.period} {name}", (), in_thread=bool(n)) for n, name in enumerate(PARTS)]
        return Composed(post.subscription.channel, DOCUMENT, tuple(messages), ())


def settings_of(where: Where) -> JumpingSettings:
    return JumpingSettings(
        slack_api=where.api, bot_token=Secret(where.token), db=where.database,
        privacy=PrivacySettings(guests=True, shared_channels=True),
    )  # fmt: skip


def prepare(where: Where) -> None:
    """A database in which one digest is due."""
    store, present = Store(where.database), datetime.now(UTC)
    before = (present.replace(day=1) - timedelta(days=15)).replace(day=15)
    table = DigestSettings(channel=where.channel, hour=0)
    Subscriptions(store.digests, [], "UTC").make(table.as_wanted(), OWNER, before)


def run(where: Where, fate: Fate) -> None:
    """Tick until nothing waits any more."""
    logging.disable(logging.CRITICAL)
    sender.SECONDS_APART = 0.0
    settings = settings_of(where)
    death = Death(fate)
    store = Store(where.database)
    store.outbox = SteppingOutbox(store.transaction)
    store.digests = SteppingDigests(store.transaction)
    store.outbox.step = store.digests.step = death
    client = SteppingClient(token=where.token, base_url=where.api, timeout=CALL_SECONDS, retry_handlers=[])
    client.step = death
    lost_after = timedelta(seconds=4) if fate.patient else LOST_AFTER
    poster = Sender(client, store.outbox, settings.now, lost_after=lost_after, looks_after=(LOOK_AFTER, SURE_AFTER))
    members = Members.of(settings, store, where.team)
    digests = QuickDigests(settings, store, members, Templates(), poster, where.team)
    jobs = Jobs(settings, store, poster, digests)
    hours, end = list(fate.hours), time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if hours:
            OFFSET[0] = timedelta(hours=hours.pop(0))
        jobs.tick()
        poster.send_waiting(PATIENCE)
        if not hours and is_settled(store):
            os._exit(0)
        time.sleep(TICK)
    os._exit(3)


def is_settled(store: Store) -> bool:
    """Whether nothing more will happen: all is sent or refused, or waits for what cannot be looked for."""
    outbox = store.outbox
    if not outbox.keys("digest|") or outbox.waiting(datetime.now(UTC)) or outbox.in_state("sending"):
        return False
    unknown = outbox.in_state("unknown")
    if not all(post.is_unsearchable for post in unknown):
        return False
    digests = [one for one in store.digests.all() if one.paused_at is not None and one.reported_at is None]
    failed = outbox.in_state("failed", "digest|")
    paused = any(one.paused_at is not None for one in store.digests.all())
    return not digests and (paused or not failed)


def forked(work: Callable[[], None]) -> int:
    """Do something in a process of its own, and return its id."""
    if child := os.fork():
        return child
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        work()
    except BaseException:
        import traceback

        traceback.print_exc()
    os._exit(4)


def ended(processes: Sequence[int]) -> list[int]:
    """Wait for processes, and return how each ended: its code, or the signal with a minus."""
    return [os.waitstatus_to_exitcode(os.waitpid(one, 0)[1]) for one in processes]
