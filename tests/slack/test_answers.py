"""Whatever comes as an answer of Slack's is understood, or is one error that everybody expects."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from bot_in_workspace import settings_for
from faulty_slack import FaultyWorkspace

from bot.slack.directory import lookup_client
from bot.slack.sender import Sender
from bot.slack.web_api import (
    AnswerNotUnderstood,
    Client,
    answer_fault,
    posting_client,
)
from bot.workspace import ThreadedWorkspace, Workspace
from storage import Store
from storage.slack_state import Post

NOW = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
GARBAGE = {
    "no UTF-8": "answer_after:\xff\xfe{}",
    "a list": 'answer_after:[{"ok":true}]',
    "an empty list": "answer_after:[]",
    "a string": 'answer_after:"ok"',
    "a number": "answer_after:5",
    "null": "answer_after:null",
    "nothing": "answer_after:",
    "a page": "invalid_json",
    "JSON that ends early": 'answer_after:{"ok":true,"ts":"17',
    "far too deep": f"answer_after:{'[' * 100_000}",
    "a number of 5,000 digits": f'answer_after:{{"ok":true,"ts":{"9" * 5000}}}',
    "ok is a text": 'answer_after:{"ok":"true","ts":"1.2"}',
    "a refusal without a word": 'answer_after:{"ok":false}',
    "a refusal in no words of Slack's": 'answer_after:{"ok":false,"error":{"code":5}}',
}
OF_A_POST = {
    **GARBAGE,
    "half of it": "half",
    "no ts": 'answer_after:{"ok":true,"channel":"C1"}',
    "ts is null": 'answer_after:{"ok":true,"ts":null}',
    "ts is a number": 'answer_after:{"ok":true,"ts":1762333200.0001}',
    "ts is empty": 'answer_after:{"ok":true,"ts":""}',
    "ts is an object": 'answer_after:{"ok":true,"ts":{"ts":"1.2"}}',
}

Call = Callable[[Client], Any]
CALLS: dict[str, Call] = {
    "auth.test": lambda client: client.auth_test(),
    "chat.postEphemeral": lambda client: client.chat_postEphemeral(channel="C1", user="U1", text="x"),
    "chat.postMessage": lambda client: client.chat_postMessage(channel="C1", text="x"),
    "chat.update": lambda client: client.chat_update(channel="C1", ts="1.2", text="x"),
    "conversations.history": lambda client: client.conversations_history(channel="C1"),
    "conversations.info": lambda client: client.conversations_info(channel="C1"),
    "conversations.list": lambda client: client.conversations_list(),
    "conversations.members": lambda client: client.conversations_members(channel="C1"),
    "conversations.open": lambda client: client.conversations_open(users="U1"),
    "conversations.replies": lambda client: client.conversations_replies(channel="C1", ts="1.2"),
    "usergroups.list": lambda client: client.usergroups_list(),
    "users.info": lambda client: client.users_info(user="U1"),
    "users.list": lambda client: client.users_list(),
}


@pytest.fixture(scope="module")
def slack() -> Iterator[ThreadedWorkspace]:
    with FaultyWorkspace(Workspace(channels=["shipped"])) as running:
        yield running


@pytest.fixture(scope="module")
def client(slack: ThreadedWorkspace) -> Client:
    return posting_client(settings_for(slack, "socket"))


@pytest.mark.parametrize(
    ("method", "fault"),
    [*((one, GARBAGE["null"]) for one in CALLS), *(("users.info", one) for one in GARBAGE.values())],
    ids=[*CALLS, *GARBAGE],
)
def test_every_call_says_that_its_answer_is_not_understood(
    slack: ThreadedWorkspace, client: Client, method: str, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    for calling in (client, lookup_client(client)):
        slack.faults.next(method, fault)
        with pytest.raises(AnswerNotUnderstood, match=f"^Slack's answer to {method} is not understood: [^\n]+$"):
            CALLS[method](calling)
    assert caplog.records == []  # that is left to the caller, who says it once


@pytest.mark.parametrize(
    ("method", "answer", "fault"),
    [
        ("chat.postMessage", {"ok": True, "ts": "1762333200.000100", "channel": "C1"}, ""),
        ("chat.postMessage", {"ok": True}, "ts"),
        ("chat.postMessage", {"ok": 1, "ts": "1.2"}, "ok"),
        ("chat.update", {"ok": True}, ""),
        ("auth.test", {"ok": True, "user_id": "U1"}, "team_id"),
        ("auth.test", {"ok": True, "user_id": "U1", "team_id": ""}, "team_id"),
        ("auth.test", {"ok": True, "user_id": "U1", "team_id": ["T1"]}, "team_id"),
        ("users.info", {"ok": True, "user": {"id": "U1", "profile": None, "tz": None}}, ""),
        ("users.info", {"ok": True, "user": []}, "user"),
        ("users.info", {"ok": True, "user": {"id": "U1", "profile": []}}, "user.profile"),
        ("users.list", {"ok": True}, "members"),
        ("users.list", {"ok": True, "members": [{"id": "U1"}, "U2"]}, "members.1"),
        ("users.list", {"ok": True, "members": [], "response_metadata": []}, "response_metadata"),
        ("conversations.members", {"ok": True, "members": ["U1", None]}, "members.1"),
        ("conversations.members", {"ok": True}, "members"),
        ("conversations.open", {"ok": True, "channel": "D1"}, "channel"),
        ("conversations.history", {"ok": True, "messages": [{"ts": "1.2", "metadata": {"event_payload": 5}}]},
         "messages.0.metadata.event_payload"),
        ("usergroups.list", {"ok": True, "usergroups": [{"id": "S1", "users": None}]}, ""),
        ("views.open", {"ok": True, "view": {"id": "V1"}}, "view.hash"),
    ],
)  # fmt: skip
def test_what_is_read_of_an_answer_is_there_and_of_its_type(method: str, answer: Any, fault: str) -> None:
    assert answer_fault(method, answer).partition(" ")[0] == fault


@pytest.mark.parametrize("fault", OF_A_POST.values(), ids=OF_A_POST)
def test_a_post_whose_answer_is_not_understood_is_unknown_at_once_and_said_in_one_line(
    slack: ThreadedWorkspace, client: Client, store: Store, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    before = len(slack.messages("shipped"))
    slack.faults.next("chat.postMessage", fault)
    poster = Sender(client, store.outbox, lambda: NOW)
    poster.plan([Post("k", "#shipped", {"text": "shipped"})])
    with caplog.at_level(logging.INFO):
        assert [poster.send(["k"]), poster.send(["k"])] == [{"k": "unknown"}] * 2
    (said,) = caplog.records
    assert (said.levelname, said.exc_info, "\n" in said.getMessage()) == ("WARNING", None, False)
    assert len(slack.messages("shipped")) == before + 1
    kept = store.outbox.get("k")
    assert kept is not None and (kept.ts, bool(kept.error)) == (None, True)
