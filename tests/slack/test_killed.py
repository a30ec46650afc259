"""A question whose process is killed between any two steps is answered once, by whoever takes it over."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from bot_in_workspace import settings_for

from bot.database import DatabasePlace
from bot.monitoring import Metrics
from bot.settings import Settings
from bot.settings_tables import PrivacySettings
from bot.slack.answering import Conversation, IncomingMessage
from bot.slack.directory import Members
from bot.slack.sender import INTERRUPTED, Sender
from bot.slack.web_api import Client, identity, posting_client
from bot.slack_app.app import Services
from bot.story.render import Templates
from bot.workspace import BOT_USER_ID, ThreadedWorkspace
from storage import Store
from storage.engine import Connection
from storage.outbox import Outbox
from storage.slack_state import Conversations, PendingEvents, ProcessedEvents

Step = Callable[[], None]


HERE = os.getpid()


class Killed(BaseException):
    """What the process would do after this, it does not; one that was forked for it ends at once."""

    def __init__(self) -> None:
        if os.getpid() != HERE:
            os.kill(os.getpid(), signal.SIGKILL)


def is_killed(work: Callable[[], object]) -> bool:
    """Whether it ends before it is through."""
    try:
        work()
    except Killed:
        return True
    return False


def is_killed_for_real(work: Callable[[], object]) -> bool:
    """The same of a process that is forked for it, in which nothing is done any more, not even rolled back."""
    child = os.fork()
    if not child:
        work()
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, -signal.SIGKILL)
    return code != 0


class Life:
    """Ends at a step, for good."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def __call__(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed


class SteppingStore(Store):
    step: Step = staticmethod(lambda: None)

    def __init__(self, place: DatabasePlace) -> None:
        super().__init__(place)
        whole = self.transaction

        @contextmanager
        def stepping(*, write: bool = False, bulk: bool = False) -> Iterator[Connection]:
            if write:
                self.step()
            with whole(write=write, bulk=bulk) as connection:
                yield connection
            if write:
                self.step()

        self.outbox, self.conversations = Outbox(stepping), Conversations(stepping)
        self.processed_events, self.pending_events = ProcessedEvents(stepping), PendingEvents(stepping)


class SteppingClient(Client):
    step: Step = staticmethod(lambda: None)

    def api_call(self, api_method: str, **arguments: Any) -> Any:
        if api_method.startswith("chat."):
            self.step()
        done = super().api_call(api_method, **arguments)
        if api_method.startswith("chat."):
            self.step()
        return done


@dataclass
class Clock:
    at: datetime

    def __call__(self) -> datetime:
        return self.at


def process(settings: Settings, step: Step, clock: Clock) -> tuple[Conversation, Sender]:
    """What answers questions, in a process of its own, as far as the database and Slack can tell."""
    store = SteppingStore(settings.database)
    store.step = step  # type: ignore[method-assign]
    known = posting_client(settings)
    client = SteppingClient(token=known.token, base_url=known.base_url, retry_handlers=[])
    client.step = step  # type: ignore[method-assign]
    me = identity(known)
    members = Members.of(settings, store, str(me["team_id"]))
    poster = Sender(client, store.outbox, clock)
    services = Services.of(settings, store, poster, members, Templates(), Metrics(), me)
    return services.conversation, poster


def answered(
    workspace: ThreadedWorkspace,
    settings: Settings,
    channel: str,
    user: str,
    text: str,
    ends: Callable[[Callable[[], object]], bool] = is_killed,
) -> Iterator[str]:
    """Has somebody ask a process that is killed after no step, after one, and so on, and then another answer, until
    one lives to the end. Gives the ts of each question that was so answered."""
    store = Store(settings.database)
    for steps in range(100):
        ts = workspace.workspace.post(channel, user=user, text=text).ts
        one = IncomingMessage(text, user, channel, ts, event=ts)
        clock, life = Clock(datetime.now(UTC)), Life(10**6)
        store.pending_events.keep([(ts, {})], clock.at, clock.at)
        conversation, _ = process(settings, life, clock)
        life.left = steps
        if ends(partial(conversation.answer, one)):
            is_written = store.outbox.get(f"answer|{workspace.workspace.team_id}|{channel}|{ts}") is not None
            assert bool(store.pending_events.count()) != is_written, "either the question is kept or its answer"
        else:
            return
        clock.at += timedelta(minutes=1)
        other, poster = process(settings, lambda: None, clock)
        other.answer(one)
        for _ in range(4):
            clock.at += timedelta(minutes=2)
            poster.give_up_on_lost()
            poster.reconcile()
            poster.send([post.key for post in store.outbox.in_state("planned")])
        yield ts
    raise AssertionError("it never came to its end")


def keys(workspace: ThreadedWorkspace, channel: str) -> list[str]:
    """Of the bot's messages that all see."""
    found = [one for one in workspace.workspace.stored(channel) if one.json.get("user") == BOT_USER_ID and one.metadata]
    return [str(one.metadata["event_payload"]["key"]) for one in found if one.metadata]


@pytest.fixture
def settings(workspace: ThreadedWorkspace, indexed: Store) -> Settings:
    return settings_for(workspace, "socket", db=indexed.path)


@pytest.mark.parametrize(
    ("channel", "user", "text"),
    [
        ("C0001", "U0003", "ada october 2025"),
        ("D0001", "U0001", "my october 2025"),
    ],
    ids=["in a thread", "in a direct message"],
)
def test_an_answer_that_stays(
    workspace: ThreadedWorkspace, settings: Settings, channel: str, user: str, text: str
) -> None:
    asked = list(answered(workspace, settings, channel, user, text))
    assert len(asked) > 6
    found = keys(workspace, channel)
    assert len(found) == len(set(found))
    firsts = {f"answer|{workspace.workspace.team_id}|{channel}|{ts}" for ts in asked}
    assert firsts <= set(found)


@pytest.mark.parametrize("ends", [is_killed, pytest.param(is_killed_for_real, marks=pytest.mark.slow)])
def test_an_answer_for_one_person_alone(
    workspace: ThreadedWorkspace, settings: Settings, ends: Callable[[Callable[[], object]], bool]
) -> None:
    """It is shown once at most, and where nobody knows whether it was, that is said."""
    settings = replace(settings, privacy=PrivacySettings(answers_about_others="asker"))
    before, asked = 0, 0
    for _ in answered(workspace, settings, "C0001", "U0003", "ada october 2025", ends):
        shown = [one.json["text"] for one in workspace.workspace.stored("C0001") if one.only_for][before:]
        before, asked = before + len(shown), asked + 1
        answers = [text for text in shown if text != INTERRUPTED]
        assert len(answers) <= 1 and all("Ada Lovelace" in text for text in answers)
        assert len(shown) - len(answers) <= 1 and shown
    assert asked > 5
