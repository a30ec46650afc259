"""A channel's digest, from the command and from the clock, posted once."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from bot_in_workspace import settings_for
from builders import ADA, GitRepo, both_engines
from digesting import jobs_of

from bot.database import PostgresAddress
from bot.digest.tick import Clock
from bot.settings import Settings
from bot.settings_tables import DigestSettings, RepositorySettings
from bot.workspace import ThreadedWorkspace
from storage import Store
from storage.engine import written

ON_THE_FIRST = datetime(2025, 11, 1, 9, 5, tzinfo=UTC)


@pytest.fixture
def indexed(engine: GitRepo, tmp_path: Path, placed: Callable[[Path], Store]) -> Store:
    return placed(tmp_path / "almanac.db")


def settings(slack: ThreadedWorkspace, store: Store, **values: object) -> Settings:
    return settings_for(slack, "socket", db=store.database, **values)


@pytest.fixture
def environment(slack: ThreadedWorkspace, indexed: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a person sets who posts from the command line."""
    place = indexed.database
    monkeypatch.setenv("ALMANAC_DB", place.url if isinstance(place, PostgresAddress) else str(place))
    monkeypatch.setenv("ALMANAC_NOW", "2025-11-05T09:00:00+00:00")
    monkeypatch.setenv("SLACK_API_URL", slack.api_url)
    monkeypatch.setenv("SLACK_BOT_TOKEN", slack.workspace.bot_token)


def reading(wanted: Settings, store: Store) -> AbstractContextManager[object]:
    if not isinstance(store.database, PostgresAddress):
        return nullcontext()
    from index_workers import working

    return working(wanted, store)


@pytest.mark.usefixtures("environment")
def test_digest_post_twice_posts_once(almanac: Callable[..., Any], slack: ThreadedWorkspace) -> None:
    first = almanac("digest", "--post", "--channel", "#shipped")
    assert (first.code, first.out) == (0, "#shipped: October 2025 posted (1 message)\n")
    second = almanac("digest", "--post", "--channel", "#shipped")
    assert (second.code, second.out) == (0, "#shipped: October 2025 was posted already, nothing sent\n")
    (root,) = slack.messages("shipped")
    assert root["text"].startswith("*October 2025*")
    assert "thread_ts" not in root
    labels = [
        one["text"]["text"] for block in root["blocks"] for one in block.get("elements", ()) if "action_id" in one
    ]
    assert labels == ["Somebody’s month", "All 2 changes"]


@pytest.mark.usefixtures("environment")
def test_what_is_posted_is_what_digest_prints(almanac: Callable[..., Any], slack: ThreadedWorkspace) -> None:
    import json

    printed = json.loads(almanac("digest", "--format", "slack").out)
    almanac("digest", "--post", "--channel", "#shipped")
    posted = [call.arguments for call in slack.calls if call.method == "chat.postMessage"]
    assert [(one["text"], one["blocks"]) for one in printed] == [(one["text"], one["blocks"]) for one in posted]


@both_engines
@pytest.mark.usefixtures("environment")
def test_an_interrupted_digest_is_completed_and_nothing_is_sent_twice(
    almanac: Callable[..., Any], slack: ThreadedWorkspace
) -> None:
    slack.faults.next("chat.postMessage", "error:not_in_channel")
    assert almanac("digest", "--post", "--channel", "#shipped").code == 1
    assert slack.messages("shipped") == []
    assert almanac("digest", "--post", "--channel", "#shipped").code == 0
    assert len(slack.messages("shipped")) == 1


@pytest.mark.usefixtures("environment")
def test_a_channel_that_is_not_there_is_said_with_what_to_do(almanac: Callable[..., Any]) -> None:
    ran = almanac("digest", "--post", "--channel", "#nowhere")
    assert ran.code == 1
    assert ran.err.startswith("#nowhere: nothing is posted, channel_not_found: the channel was archived, deleted or")
    assert ran.err.count("\n") == 1


@pytest.mark.usefixtures("environment")
def test_what_was_lost_is_not_posted_again(almanac: Callable[..., Any], slack: ThreadedWorkspace) -> None:
    slack.faults.next("chat.postMessage", "drop_after")
    for _ in range(2):
        ran = almanac("digest", "--post", "--channel", "#shipped")
        assert ran.code == 1 and "not known whether Slack has it" in ran.err
    assert len(slack.messages("shipped")) == 1


@pytest.mark.usefixtures("environment")
def test_what_was_lost_is_posted_again_if_somebody_looked_and_says_so(
    almanac: Callable[..., Any], slack: ThreadedWorkspace
) -> None:
    slack.faults.next("chat.postMessage", "drop_before")
    assert "use --again" in almanac("digest", "--post", "--channel", "#shipped").err
    ran = almanac("digest", "--post", "--again", "--channel", "#shipped")
    assert (ran.code, ran.out) == (0, "#shipped: October 2025 posted (1 message)\n")
    assert len(slack.messages("shipped")) == 1


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize("channel", ["#a|b", "#", "two words"])
def test_what_is_no_channel_is_refused(almanac: Callable[..., Any], channel: str) -> None:
    ran = almanac("digest", "--post", "--channel", channel)
    assert ran.code == 1 and "is no channel" in ran.err and ran.err.count("\n") == 1


def test_a_refused_digest_is_tried_again_by_the_clock(slack: ThreadedWorkspace, indexed: Store) -> None:
    wanted = settings(
        slack, indexed, fixed_now=datetime(2025, 10, 20, tzinfo=UTC), digests=[DigestSettings(channel="#shipped")]
    )
    jobs_of(wanted, indexed, slack).tick()
    slack.faults.next("chat.postMessage", "error:msg_too_long")
    jobs_of(replace(wanted, fixed_now=ON_THE_FIRST), indexed, slack).tick()
    jobs_of(replace(wanted, fixed_now=ON_THE_FIRST), indexed, slack).tick()
    assert slack.messages("shipped") == []
    later = ON_THE_FIRST.replace(hour=11)
    jobs_of(replace(wanted, fixed_now=later), indexed, slack).tick()
    assert len(slack.messages("shipped")) == 1


@pytest.mark.usefixtures("environment")
def test_a_month_to_date_does_not_take_the_place_of_the_whole(
    almanac: Callable[..., Any], slack: ThreadedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMANAC_NOW", "2025-10-20T09:00:00+00:00")
    assert almanac("digest", "this", "month", "--post", "--channel", "shipped").code == 0
    monkeypatch.setenv("ALMANAC_NOW", "2025-11-02T09:00:00+00:00")
    assert almanac("digest", "--post", "--channel", "#shipped").out == "#shipped: October 2025 posted (1 message)\n"
    roots = [
        m["text"].splitlines()[0]
        for m in slack.messages("shipped")
        if "thread_ts" not in m or m["thread_ts"] == m["ts"]
    ]
    assert roots == ["*October 2025 (to date)*", "*October 2025*"]


@both_engines
def test_the_clock_posts_what_is_due_once(slack: ThreadedWorkspace, indexed: Store, engine: GitRepo) -> None:
    """What is new is read before it posts, by a worker where there are any; and a second tick, or a second bot, posts
    nothing more."""
    wanted = settings(
        slack, indexed, fixed_now=datetime(2025, 10, 20, tzinfo=UTC), digests=[DigestSettings(channel="#shipped")],
        repositories=[RepositorySettings(address=str(engine.path))],
    )  # fmt: skip
    jobs_of(wanted, indexed, slack).tick()
    assert slack.messages("shipped") == []
    engine.commit("Add the printer", author=ADA, at="2025-10-30 10:00 +0000", files={"src/printer.py": "p\n"})
    later = replace(wanted, fixed_now=ON_THE_FIRST)
    with reading(later, indexed):
        for _ in range(2):
            jobs_of(later, indexed, slack).tick()
    assert [("printer" in one["text"]) for one in slack.messages("shipped")] == [True]


def test_a_clock_goes_on_after_a_round_that_failed(caplog: pytest.LogCaptureFixture) -> None:
    import threading

    ticked = threading.Event()
    count = iter(range(10))

    def tick() -> None:
        if next(count) == 0:
            raise ValueError("a bug")
        ticked.set()

    clock = Clock(tick, lambda: None, 60, tick_seconds=0.05)
    clock.start()
    try:
        assert ticked.wait(240)
    finally:
        clock.stop()
    assert "a bug" in caplog.text


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize(
    "answer", ["answer_after:\xff", 'answer_after:[{"ok":true}]', 'answer_after:{"ok":tr', 'answer_after:{"ok":true}']
)
@pytest.mark.parametrize("method", ["auth.test", "chat.postMessage", "conversations.list", "conversations.info"])
def test_an_answer_that_is_not_understood_is_one_line(
    almanac: Callable[..., Any], slack: ThreadedWorkspace, method: str, answer: str
) -> None:
    slack.faults.next(method, answer, times=9)
    ran = almanac("digest", "--post", "--channel", "#shipped")
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert len(slack.messages("shipped")) == (method == "chat.postMessage")
    assert method != "chat.postMessage" or "not known whether Slack has it" in ran.err


@both_engines
@pytest.mark.usefixtures("environment")
def test_what_a_run_was_sending_when_it_was_killed_is_settled_by_the_next(
    almanac: Callable[..., Any], slack: ThreadedWorkspace, indexed: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No bot need run where digests are posted by hand."""
    with monkeypatch.context() as dying:
        dying.setattr("storage.outbox.Outbox.record_attempt", lambda *_, **__: sys.exit(137))
        assert almanac("digest", "2025-10", "--post", "--channel", "#shipped").code == 137
    assert "being posted by another process" in almanac("digest", "2025-10", "--post", "--channel", "#shipped").out
    with indexed.transaction(write=True) as connection:  # a minute later
        connection.execute(
            "UPDATE outbox SET changed_at = ? WHERE state = 'sending'",
            (written(datetime.now(UTC) - timedelta(minutes=1)),),
        )
    assert almanac("digest", "2025-10", "--post", "--channel", "#shipped").code == 0
    assert len(slack.messages("shipped")) == 1
