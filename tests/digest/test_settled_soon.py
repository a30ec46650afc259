"""A bot that was killed while a message was being sent costs a minute or two, with the times of the product."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from bot_in_workspace import settings_for

from bot.digest.tick import SEND_SECONDS, TICK_SECONDS, Jobs, Watch
from bot.slack.sender import Sender
from bot.slack.web_api import Client, posting_client
from bot.story.render import Templates
from bot.workspace import ThreadedWorkspace, Workspace
from storage import Store
from storage.outbox import Post

KEY = "digest|T|#shipped||2025-10|1"


class Killed(BaseException):
    """Nothing catches it, as nothing catches SIGKILL."""


class Deadly(Client):
    """Kills its process after or before Slack takes a message."""

    before = False

    def chat_postMessage(self, **arguments: Any) -> Any:
        if not self.before:
            super().chat_postMessage(**arguments)
        raise Killed


@pytest.fixture
def slack() -> Iterator[ThreadedWorkspace]:
    with ThreadedWorkspace(Workspace(channels=["shipped"])) as running:
        yield running


class Life:
    """A bot that was killed, and the next one, that ticks from some second on; both by a clock of their own."""

    def __init__(self, slack: ThreadedWorkspace, path: Path, *, before: bool) -> None:
        self.store, self.now = Store(path / "almanac.db"), datetime.now(UTC)
        wanted = settings_for(slack, "socket", db=self.store.path)
        deadly = Deadly(token=slack.workspace.bot_token, base_url=slack.api_url)
        deadly.before = before
        first = Sender(deadly, self.store.outbox, self.clock)
        first.plan([Post(KEY, self.channel_of(slack), {"text": "October"})])
        with pytest.raises(Killed):
            first.send([KEY])
        client = posting_client(wanted)
        self.jobs = Jobs(
            wanted, self.store, Sender(client, self.store.outbox, self.clock), Templates(), slack.workspace.team_id,
        )  # fmt: skip
        self.jobs._watch = Watch(self.clock, lambda: self.now.timestamp())

    def clock(self) -> datetime:
        return self.now

    @staticmethod
    def channel_of(slack: ThreadedWorkspace) -> str:
        channel = slack.workspace.channel("shipped")
        assert channel is not None
        return channel.id

    def settled_after(self, first_tick: float) -> float:
        """The seconds until it is sent, the first tick being that many after the kill."""
        killed, self.now = self.now, self.now + timedelta(seconds=first_tick)
        while (self.now - killed).total_seconds() < 1_000:
            self.jobs.tick()
            if self.store.outbox.parts(KEY) == {KEY: "sent"}:
                return (self.now - killed).total_seconds()
            self.now += timedelta(seconds=TICK_SECONDS)
        raise AssertionError(self.store.outbox.get(KEY))


@pytest.mark.parametrize("first_tick", [0, 1, 14, 15, 16, 29])
def test_what_slack_took_is_settled_within_90_seconds(
    slack: ThreadedWorkspace, tmp_path: Path, first_tick: int
) -> None:
    assert Life(slack, tmp_path, before=False).settled_after(first_tick) <= 90
    assert [one["text"] for one in slack.messages("shipped")] == ["October"]


@pytest.mark.parametrize("first_tick", [0, 15, 29])
def test_what_slack_never_took_is_sent_within_three_minutes(
    slack: ThreadedWorkspace, tmp_path: Path, first_tick: int
) -> None:
    assert Life(slack, tmp_path, before=True).settled_after(first_tick) <= 180
    assert [one["text"] for one in slack.messages("shipped")] == ["October"]


def test_a_tick_ends_before_the_next() -> None:
    assert 2 * SEND_SECONDS < TICK_SECONDS
