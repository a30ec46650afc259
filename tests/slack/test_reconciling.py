"""Posts whose answer was lost are looked for in Slack before anything is sent again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from faulty_slack import FaultyWorkspace
from slack_sdk import WebClient

from bot.slack.sender import INTERRUPTED, Sender
from bot.workspace import ThreadedWorkspace, Workspace
from bot.workspace.state import WorkspaceChannel, WorkspaceUser
from storage import Store
from storage.slack_state import Post

ADA = WorkspaceUser(name="ada", real_name="Ada Lovelace", id="U0ADA")


class Clock:
    def __init__(self) -> None:
        self.at = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.at

    def wait(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


@pytest.fixture
def team() -> Iterator[ThreadedWorkspace]:
    channels = [
        WorkspaceChannel(name="shipped", id="C0SHIPPED"),
        WorkspaceChannel(name="elsewhere", id="C0ELSEWHERE", members=frozenset(["U0ADA"])),
    ]
    with FaultyWorkspace(Workspace([ADA], channels)) as running:
        yield running


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(team: ThreadedWorkspace) -> WebClient:
    return WebClient(token=team.workspace.bot_token, base_url=team.api_url, retry_handlers=[])


@pytest.fixture
def poster(client: WebClient, store: Store, clock: Clock) -> Sender:
    return Sender(client, store.outbox, clock)


def state(store: Store, key: str) -> str:
    post = store.outbox.get(key)
    assert post is not None
    return post.state


def texts(team: ThreadedWorkspace, channel: str, thread_ts: str | None = None) -> list[str]:
    return [str(message["text"]) for message in team.messages(channel, thread_ts)]


def send(poster: Sender, *posts: Post) -> None:
    poster.plan(posts)
    poster.send([post.key for post in posts])


DAY, NO_HISTORY = 86_400, "error:not_in_channel"
# What becomes of the call; then, after so many seconds, what a look meets with and what is known then; and how often
# the message is there in the end.
LOST: dict[str, tuple[str, list[tuple[int, str, str]], int]] = {
    "what Slack took is found, once it is not too early to look": (
        "drop_after", [(0, "", "unknown"), (11, "", "sent")], 1),
    "what it never took is sent again after two looks, of which none comes too soon": (
        "drop_before", [(11, "", "unknown"), (0, "", "unknown"), (61, "", "sent")], 1),
    "what cannot be looked through stays unknown": (
        "drop_after", [(60, one, "unknown") for one in ("http_500", "drop_before", "error:missing_scope")], 1),
    "where history may be read again it is found after all, but not looked for at each tick": (
        "drop_after", [(11, NO_HISTORY, "unknown"), (60, "", "unknown"), (300, "", "sent")], 1),
    "sent by a clock that is fast, it is found when that is right again": (
        "drop_after", [(-3 * DAY, "", "sent")], 1),
    "by a slow clock, nobody can say that it is not there": ("drop_before", [(600, "", "unknown")] * 5, 0),
    "nor by a fast one": ("drop_before", [(600, "", "unknown")] * 5, 0),
}  # fmt: skip
CLOCKS = {"sent by a clock that is fast": 3 * DAY, "by a slow clock": -3 * DAY, "nor by a fast one": 3 * DAY}


@pytest.mark.parametrize("name", LOST)
def test_what_is_lost_is_looked_for_before_it_is_sent_again(
    team: ThreadedWorkspace, store: Store, poster: Sender, clock: Clock, name: str
) -> None:
    lost, looks, count = LOST[name]
    clock.wait(next((seconds for begin, seconds in CLOCKS.items() if name.startswith(begin)), 0))
    team.faults.next("chat.postMessage", lost)
    send(poster, Post("digest|1", "C0SHIPPED", {"text": "October"}))
    assert state(store, "digest|1") == "unknown"
    for seconds, fault, known in looks:
        clock.wait(seconds)
        if fault:
            team.faults.next("conversations.history", fault)
        poster.send(poster.reconcile())
        assert state(store, "digest|1") == known
        kept = store.outbox.get("digest|1")
        assert kept is not None
        assert fault != NO_HISTORY or (
            kept.is_unsearchable and "history cannot be read (not_in_channel)" in str(kept.error)
        )
        assert count or "clock is, or was," in str(kept.error)
        assert known != "sent" or kept.ts == team.messages("C0SHIPPED")[0]["ts"]
    assert texts(team, "C0SHIPPED") == ["October"] * count


def test_whoever_asked_is_told_once_of_an_answer_that_a_kill_may_have_lost(
    team: ThreadedWorkspace, store: Store, poster: Sender, clock: Clock
) -> None:
    """Nobody can look whether it is there, and it is not sent again."""
    answer = Post("answer|1", "C0ELSEWHERE", {"text": "October"}, asked_by="U0ADA")
    store.outbox.plan([answer], clock(), "sending")  # and then its process was killed
    for _ in range(4):
        clock.wait(360)
        poster.give_up_on_lost()
        assert poster.reconcile() == []
        poster.send([post.key for post in store.outbox.in_state("planned")])
    assert state(store, "answer|1") == "unknown"
    assert texts(team, "U0ADA") == [INTERRUPTED]


def test_a_part_of_a_thread_is_looked_for_in_its_thread(
    team: ThreadedWorkspace, store: Store, poster: Sender, clock: Clock
) -> None:
    root = Post("digest|1", "C0SHIPPED", {"text": "October"})
    part = Post("digest|1|1", "C0SHIPPED", {"text": "Grace"}, thread_key="digest|1")
    send(poster, root)
    team.faults.next("chat.postMessage", "invalid_json")
    send(poster, part)
    assert state(store, "digest|1|1") == "unknown"
    clock.wait(11)
    poster.reconcile()
    assert state(store, "digest|1|1") == "sent"
    ts = str(team.messages("C0SHIPPED")[0]["ts"])
    assert texts(team, "C0SHIPPED", ts) == ["October", "Grace"]


def test_two_that_look_at_the_same_time_let_it_be_sent_once(
    team: ThreadedWorkspace, store: Store, poster: Sender, client: WebClient, clock: Clock
) -> None:
    team.faults.next("chat.postMessage", "drop_before")
    send(poster, Post("digest|1", "C0SHIPPED", {"text": "October"}))
    clock.wait(11)
    both = [Sender(client, store.outbox, clock, looks_after=(timedelta(0), timedelta(0))) for _ in range(2)]
    seen = store.outbox.in_state("unknown")[0]
    assert store.outbox.resolve(seen, "unknown", clock(), searches=1)
    assert not store.outbox.resolve(seen, "unknown", clock(), searches=1)  # as another read it before
    assert [key for one in both for key in one.reconcile()] == ["digest|1"]
    poster.send(["digest|1"])
    assert not store.outbox.resolve(seen, "planned", clock())
    assert texts(team, "C0SHIPPED") == ["October"]
