"""Posts whose answer was lost are looked for in Slack before anything is sent again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from faulty_slack import FaultyWorkspace
from slack_sdk import WebClient

from bot.slack.sender import Sender
from bot.workspace import ThreadedWorkspace, Workspace
from bot.workspace.state import WorkspaceChannel, WorkspaceUser
from storage import Store
from storage.outbox import Post

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
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "almanac.db")


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


def test_a_post_that_slack_took_is_found_and_not_sent_again(
    team: ThreadedWorkspace, store: Store, poster: Sender, clock: Clock
) -> None:
    team.faults.next("chat.postMessage", "drop_after")
    send(poster, Post("digest|1", "C0SHIPPED", {"text": "October"}))
    assert state(store, "digest|1") == "unknown"
    assert poster.reconcile() == []  # too early to look
    assert state(store, "digest|1") == "unknown"
    clock.wait(11)
    assert poster.reconcile() == []
    found = store.outbox.get("digest|1")
    assert found is not None
    assert (found.state, found.ts) == ("sent", team.messages("C0SHIPPED")[0]["ts"])
    assert texts(team, "C0SHIPPED") == ["October"]


def test_a_post_that_slack_never_took_is_sent_again_after_two_looks(
    team: ThreadedWorkspace, store: Store, poster: Sender, clock: Clock
) -> None:
    team.faults.next("chat.postMessage", "drop_before")
    send(poster, Post("digest|1", "C0SHIPPED", {"text": "October"}))
    clock.wait(11)
    assert (poster.reconcile(), state(store, "digest|1")) == ([], "unknown")
    assert (poster.reconcile(), state(store, "digest|1")) == ([], "unknown")  # a look that comes too soon is none
    clock.wait(61)
    assert poster.reconcile() == ["digest|1"]
    poster.send(["digest|1"])
    assert (texts(team, "C0SHIPPED"), state(store, "digest|1")) == (["October"], "sent")


def test_where_history_may_not_be_read_nothing_is_sent_again(
    team: ThreadedWorkspace, store: Store, poster: Sender, clock: Clock
) -> None:
    for number, kind in enumerate(("drop_after", "drop_before")):
        team.faults.next("chat.postMessage", kind)
        send(poster, Post(f"digest|{number}", "C0ELSEWHERE", {"text": "October"}))
    for _ in range(5):
        clock.wait(60)
        assert poster.reconcile() == []
    assert [state(store, f"digest|{number}") for number in (0, 1)] == ["unknown", "unknown"]
    assert len(texts(team, "C0ELSEWHERE")) <= 1


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


def test_what_cannot_be_looked_through_stays_unknown(
    team: ThreadedWorkspace, store: Store, poster: Sender, clock: Clock
) -> None:
    team.faults.next("chat.postMessage", "drop_after")
    send(poster, Post("digest|1", "C0SHIPPED", {"text": "October"}))
    for kind in ("http_500", "drop_before", "error:missing_scope"):
        clock.wait(60)
        team.faults.next("conversations.history", kind)
        assert poster.reconcile() == []
        assert state(store, "digest|1") == "unknown"


def test_where_history_may_be_read_again_a_post_is_found_after_all(
    team: ThreadedWorkspace, store: Store, poster: Sender, clock: Clock
) -> None:
    team.faults.next("chat.postMessage", "drop_after")
    send(poster, Post("digest|1", "C0SHIPPED", {"text": "October"}))
    clock.wait(11)
    team.faults.next("conversations.history", "error:not_in_channel")
    poster.reconcile()
    (lost,) = store.outbox.in_state("unknown")
    assert (lost.is_unsearchable, lost.error) == (True, "the channel's history cannot be read (not_in_channel)")
    clock.wait(60)
    poster.reconcile()
    assert state(store, "digest|1") == "unknown"  # not at each tick
    clock.wait(300)
    poster.reconcile()
    assert state(store, "digest|1") == "sent"


@pytest.mark.parametrize("days", [-3, 3])
def test_where_our_clock_is_not_slacks_nothing_is_sent_again(
    team: ThreadedWorkspace, store: Store, poster: Sender, clock: Clock, days: int
) -> None:
    """Who does not know since when to look cannot say that nothing is there."""
    clock.wait(days * 86400)
    team.faults.next("chat.postMessage", "drop_before")
    send(poster, Post("digest|1", "C0SHIPPED", {"text": "October"}))
    for _ in range(5):
        clock.wait(600)
        assert poster.reconcile() == []
    (lost,) = store.outbox.in_state("unknown")
    assert lost.error is not None and "clock is, or was," in lost.error


def test_a_post_that_was_sent_by_a_wrong_clock_is_found_when_the_clock_is_right_again(
    team: ThreadedWorkspace, store: Store, poster: Sender, clock: Clock
) -> None:
    clock.wait(3 * 86400)
    team.faults.next("chat.postMessage", "drop_after")
    send(poster, Post("digest|1", "C0SHIPPED", {"text": "October"}))
    clock.wait(-3 * 86400)
    assert poster.reconcile() == []
    assert (state(store, "digest|1"), texts(team, "C0SHIPPED")) == ("sent", ["October"])
