"""Several `almanac serve` on one PostgreSQL: whoever gets a question, it is answered once, and a database that is away
is said to be."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from bot_in_workspace import running_bot, settings_for
from builders import GitRepo, index
from talking import SECONDS, answer_to, answers, direct, write_to_bot
from waiting import wait_until

from bot.settings import PostgresAddress, Settings
from bot.slack import inbox
from bot.workspace import ThreadedWorkspace
from storage import Store

if TYPE_CHECKING:
    from postgres import Server

pytestmark = pytest.mark.postgres
QUESTION = "@Almanac ada october 2025"
Json = dict[str, Any]


@pytest.fixture
def store(postgres: Server, engine: GitRepo) -> Iterator[Store]:
    address = postgres.database()
    store = Store(address)
    index(store, engine)
    yield store
    postgres.give_back(address)


@pytest.fixture
def settings(workspace: ThreadedWorkspace, store: Store) -> Settings:
    """Leases run out by the real clock."""
    assert isinstance(store.database, PostgresAddress)
    return settings_for(workspace, "http", db=store.database)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "RENEW_SECONDS", 0.05)
    monkeypatch.setattr(inbox, "TRY_SECONDS", 0.05)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that finds out as soon as the product does that its database is away."""
    from storage import postgres

    monkeypatch.setattr(postgres, "WAIT_SECONDS", 1.0)


def events(workspace: ThreadedWorkspace) -> list[str]:
    """The ids of the questions that were acknowledged."""
    return [str(one.payload["event_id"]) for one in workspace.deliveries if one.is_acknowledged and is_question(one)]


def is_question(delivery: Any) -> bool:
    return inbox.is_question(delivery.payload)


def told(workspace: ThreadedWorkspace) -> list[str]:
    return [str(one.arguments["text"]) for one in workspace.calls if one.method == "chat.postEphemeral"]


def wait_for_answers(workspace: ThreadedWorkspace, asked: list[str]) -> None:
    workspace.wait_until(lambda: all(answers(workspace, "general", one) for one in asked), SECONDS)


def mention(workspace: ThreadedWorkspace, ts: str) -> Json:
    event = {"type": "app_mention", "user": "U0001", "channel": "C0001", "ts": ts, "text": QUESTION}
    return {"type": "event_callback", "event_id": "Ev1", "team_id": workspace.workspace.team_id, "event": event}


def test_what_a_process_that_died_was_asked_is_answered_by_one_that_lives(
    workspace: ThreadedWorkspace, settings: Settings, store: Store
) -> None:
    with running_bot(settings):
        asked = workspace.workspace.post("C0001", user="U0001", text=QUESTION).ts
        at = datetime.now(UTC) - timedelta(minutes=1)
        store.pending_events.keep([("Ev1", mention(workspace, asked))], at, at + inbox.LEASE)
        answer_to(workspace, asked, "October 2025")
        wait_until(lambda: not store.pending_events.count())
    assert len(answers(workspace, "general", asked)) == 1


def test_what_a_process_that_lives_is_asked_is_left_to_it(
    workspace: ThreadedWorkspace, settings: Settings, store: Store
) -> None:
    """Also where it takes longer than a lease, and by others that start meanwhile."""
    now = datetime.now(UTC)
    store.pending_events.keep([("Ev1", mention(workspace, "1.2"))], now, now + timedelta(hours=1))
    with running_bot(settings):
        answer_to(workspace, workspace.say("guest", "general", QUESTION), "October 2025")
    assert len([one for one in workspace.calls if one.method == "chat.postMessage"]) == 1
    assert store.pending_events.count() == 1


@pytest.mark.usefixtures("impatient")
def test_a_database_that_is_away_is_said_to_be_and_what_was_asked_meanwhile_is_answered_afterwards(
    workspace: ThreadedWorkspace, settings: Settings, store: Store, postgres: Server, caplog: pytest.LogCaptureFixture
) -> None:
    with running_bot(settings):
        answer_to(workspace, write_to_bot(workspace, "guest", "help"))
        postgres.stop()
        try:
            asked = [workspace.say("guest", "general", QUESTION) for _ in range(3)]
            write_to_bot(workspace, "ada", "ada october 2025")
            workspace.wait_until(lambda: len(told(workspace)) == 4, SECONDS)
            workspace.wait_until(lambda: len(events(workspace)) == 5, SECONDS)
            workspace.say("guest", "general", "/almanac month ada october 2025")
            said = workspace.wait_for(lambda m: "/almanac" not in m["text"] and m["ts"] > asked[-1], SECONDS)
        finally:
            postgres.start()
        wait_for_answers(workspace, asked)
        wait_until(lambda: not store.pending_events.count())
    away = "I cannot answer now: my database cannot be reached."
    assert told(workspace) == [f"{away} I will as soon as that is over; you need not ask again."] * 4
    assert said["text"].startswith("I cannot answer now: my database cannot be reached")
    assert [len(answers(workspace, "general", one)) for one in asked] == [1, 1, 1]
    assert len(answers(workspace, direct(workspace, "ada"))) == 1
    assert [one.getMessage() for one in caplog.records if one.exc_info] == []
