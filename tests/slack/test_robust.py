"""What the bot bears: crowds, what nobody should send, Slack in trouble, a database in trouble, and being stopped."""

from __future__ import annotations

import json
import logging
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from bot_in_workspace import SECRET, both_ways, running_bot, settings_for
from builders import NOW
from faulty_slack import send_signed
from talking import SECONDS, answer_to, answers, ask, modal, write_to_bot
from waiting import wait_until

from bot.settings import Settings
from bot.slack import inbox
from bot.slack.answering import Conversation
from bot.slack.audience import SORRY
from bot.slack_app import serve
from bot.slack_app.serve import MOST_BYTES, PING_SECONDS
from bot.workspace import ThreadedWorkspace
from storage import Store
from storage.sqlite import SQLiteEngine

Json = dict[str, Any]


def event_callback(workspace: ThreadedWorkspace, event: object, event_id: str = "Ev77") -> Json:
    return {"type": "event_callback", "event_id": event_id, "team_id": workspace.workspace.team_id, "event": event}


@both_ways
def test_what_there_was_no_time_for_is_answered_at_the_next_start(
    workspace: ThreadedWorkspace, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "STOP_SECONDS", 0.0)
    workspace.faults.next("conversations.info", "hold")  # for which all wait
    monkeypatch.setattr(inbox.log, "warning", lambda *_: workspace.release())  # it says that there is no more time
    with running_bot(settings):
        if settings.app_token:
            workspace.wait_connected()
        asked = [workspace.say("guest", "general", "@Almanac ada october 2025") for _ in range(30)]
        workspace.wait_until(lambda: sum(one.is_acknowledged for one in workspace.deliveries) == 30, SECONDS)
        workspace.wait_until(lambda: any(one.method == "conversations.info" for one in workspace.calls), SECONDS)
    if settings.app_token:
        workspace.wait_until(lambda: not workspace.socket_mode.open_count, SECONDS)
    pending = Store(settings.database).pending_events
    assert pending.count() >= 20
    monkeypatch.undo()
    with running_bot(settings):
        workspace.wait_until(lambda: all(answers(workspace, "general", one) for one in asked), SECONDS)
        wait_until(lambda: not pending.count())
    assert [len(answers(workspace, "general", one)) for one in asked] == [1] * 30


@pytest.fixture
def port(workspace: ThreadedWorkspace, indexed: Store) -> Iterator[int]:
    """The port of a bot that is reached by HTTP."""
    settings = settings_for(workspace, "http", db=indexed.path, fixed_now=NOW)
    with running_bot(settings):
        yield settings.port


HELP = urlencode({"command": "/almanac", "text": "help", "user_id": "U1", "channel_id": "C1"}).encode()
FORM = {"type_": "application/x-www-form-urlencoded"}


def request(port: int, body: bytes, secret: str = SECRET, **more: Any) -> tuple[int, bytes]:
    return send_signed(port, "/slack/events", body, secret=secret, **more)


class TestRequests:
    def test_what_slack_signed_now_is_taken_and_nothing_else(self, port: int, caplog: pytest.LogCaptureFixture) -> None:
        challenge = json.dumps({"type": "url_verification", "token": "t", "challenge": "abc"}).encode()
        checked = b"ssl_check=1&token=t"
        assert request(port, HELP, **FORM)[0] == 200
        status, said = request(port, challenge)
        assert (status, json.loads(said)) == (200, {"challenge": "abc"})
        assert request(port, checked, **FORM)[0] == 200
        assert request(port, checked, "another", **FORM) == (200, b""), "a certificate is checked by whomever"
        odd = ("", "yesterday", "v0=é", "9" * 400, "9" * 5000, "-" + "9" * 400, "1e400", "nan", "٣", "1_0")
        wrong: list[tuple[bytes, dict[str, Any]]] = [
            *((HELP, FORM | {"at": int(time.time()) + by}) for by in (-301, 400)),  # by a busy machine's clock
            (HELP, FORM | {"secret": "another"}),
            *((HELP, FORM | {name: value.encode().decode("latin-1")})
              for name in ("X_Slack_Request_Timestamp", "X_Slack_Signature") for value in odd),
            (HELP + b"&note=ssl_check", FORM | {"X_Slack_Request_Timestamp": "now"}),
            (b"\xff\xfe", {}),  # which is no text
            (challenge, {"secret": "another"}),
        ]  # fmt: skip
        with caplog.at_level(logging.WARNING):
            assert [body for body, how in wrong if request(port, body, **how) != (401, b"")] == []
        assert [one.exc_info for one in caplog.records if one.exc_info] == []

    def test_a_body_that_is_too_large_is_refused_unread(self, port: int) -> None:
        with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
            head = f"POST /slack/events HTTP/1.1\r\nHost: bot\r\nContent-Length: {MOST_BYTES + 1}\r\n\r\n"
            connection.sendall(head.encode() + b"x" * 1000)
            assert connection.recv(1000).startswith(b"HTTP/1.1 413 ")


MODAL = {"id": "V1", "callback_id": "nothing", "type": "modal"}


@pytest.mark.usefixtures("bot")
class TestWhatArrives:
    def test_what_nobody_listens_to_is_acknowledged(self, workspace: ThreadedWorkspace) -> None:
        events: list[Json] = [
            {"type": "reaction_added", "user": "U1", "item": {"type": "message", "channel": "C1", "ts": "1.2"}},
            {"type": "something_of_next_year"},
            {"type": "app_uninstalled"},
            {"type": "message", "subtype": "message_changed", "channel": "C1", "ts": "1.2", "channel_type": "im"},
        ]
        pressed: list[Json] = [
            {"type": "block_actions", "actions": [{"action_id": "nothing", "block_id": "b", "type": "button"}]},
            {"type": "view_submission", "view": {**MODAL, "state": {"values": {}}}},
            {"type": "view_closed", "view": {"callback_id": "nothing", "type": "modal"}},
            {"type": "shortcut", "callback_id": "nothing"},
            {"type": "message_action", "callback_id": "nothing", "message": {"ts": "1.2"}, "channel": {"id": "C1"}},
            {"type": "block_suggestion", "action_id": "nothing", "block_id": "b", "value": "x"},
        ]
        whole: Json = {"user": {"id": "U1"}, "team": {"id": workspace.workspace.team_id}, "trigger_id": "1.2.3"}
        url = f"{workspace.url}/response/none"
        command = {"command": "/other", "user_id": "U1", "channel_id": "C1", "text": "", "response_url": url}
        every: list[tuple[Any, Json]] = [
            *(("events_api", event_callback(workspace, one, f"Ev{number}")) for number, one in enumerate(events)),
            *(("interactive", whole | one) for one in pressed),
            ("slash_commands", command),
        ]
        assert [one for kind, one in every if not workspace.deliver(kind, one).is_acknowledged] == []

    @both_ways
    @pytest.mark.parametrize("event", [None, {"type": "app_mention", "channel": "C1", "ts": None}, {"text": 7}])
    def test_an_event_of_another_shape_ends_in_one_line(
        self, workspace: ThreadedWorkspace, event: Json | None, caplog: pytest.LogCaptureFixture, settings: Settings
    ) -> None:
        with caplog.at_level(logging.WARNING):
            delivered = workspace.deliver("events_api", event_callback(workspace, event))
        assert delivered.is_acknowledged == bool(settings.app_token)  # HTTP answers 400, not to be sent again
        assert delivered.is_acknowledged or delivered.reply.no_retry
        said = [one for one in caplog.records if one.levelno >= logging.WARNING]
        assert [(one.getMessage().startswith("what Slack sent cannot be read: "), one.exc_info) for one in said] == [
            (True, None)
        ]


@pytest.mark.usefixtures("bot")
class TestTheDatabaseInTrouble:
    @pytest.fixture
    def impatient(self, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
        """As long as a bot waits for others to write, a test would take."""
        connect = SQLiteEngine.connect

        def connected(engine: SQLiteEngine, mode: str = "rw") -> sqlite3.Connection:
            connection = connect(engine, mode)
            connection.execute("PRAGMA busy_timeout = 200")
            return connection

        monkeypatch.setattr(SQLiteEngine, "connect", connected)

    def test_a_listener_that_fails_says_one_sentence(
        self, workspace: ThreadedWorkspace, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def broken(*_: object) -> None:
            raise RuntimeError("a mistake of ours")

        monkeypatch.setattr(Conversation, "answer", broken)
        told = ask(workspace, "guest", "@Almanac ada october 2025")
        assert (told["ephemeral"], told["text"]) == (True, SORRY)
        assert answer_to(workspace, write_to_bot(workspace, "guest", "help"))["text"] == SORRY
        assert [str(one.exc_info[1]) for one in caplog.records if one.exc_info] == ["a mistake of ours"] * 2

    @pytest.mark.usefixtures("impatient")
    def test_where_the_database_is_stays_in_the_log(
        self, workspace: ThreadedWorkspace, settings: Settings, caplog: pytest.LogCaptureFixture
    ) -> None:
        with held(settings.database):
            ask(workspace, "guest", "@Almanac ada october 2025")
        assert str(settings.database) in caplog.text
        Path(settings.database).write_bytes(b"no database at all" * 100)
        ask(workspace, "guest", "@Almanac ada october 2025")
        ask(workspace, "guest", "/almanac ada october")
        workspace.shortcut("guest", "my_month")
        modal(workspace, "guest", "damaged")
        workspace.open_home("guest")
        workspace.wait_until(lambda: "damaged" in json.dumps(workspace.home_views), SECONDS)
        shown = json.dumps([*(call.arguments for call in workspace.calls), workspace.home_views], default=str)
        assert str(settings.database.parent) not in shown and settings.database.name not in shown


@pytest.mark.parametrize("transport", ["socket"])
@pytest.mark.usefixtures("bot")
def test_a_connection_that_is_lost_is_made_again_soon(workspace: ThreadedWorkspace) -> None:
    """Though Slack opens none at the first try. Slack delivers nothing meanwhile, so it may take five seconds."""
    workspace.faults.next("apps.connections.open", "http_500")
    workspace.run(workspace.socket_mode.stop())
    wait_until(lambda: len([one for one in workspace.calls if one.method == "apps.connections.open"]) > 2)
    workspace.wait_connected()
    ask(workspace, "guest", "@Almanac ada october 2025")
    assert 2 * PING_SECONDS <= 5


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Another process writes to the database meanwhile."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")
