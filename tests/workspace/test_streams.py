"""Messages that are written while they are read, as Slack has them."""

from __future__ import annotations

from typing import Any

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.workspace import ThreadedWorkspace

ADAS = "D0001"
READING = {"type": "task_update", "id": "reading", "title": "Reading October", "status": "in_progress"}
SECTION = {"type": "section", "block_id": "s", "text": {"type": "plain_text", "text": "a mill"}}
CHART = {
    "type": "data_visualization",
    "block_id": "c",
    "title": "Kinds",
    "chart": {"type": "pie", "segments": [{"label": "Fixes", "value": 2}]},
}


def error_of(method: Any, **arguments: Any) -> str:
    with pytest.raises(SlackApiError) as caught:
        method(**arguments)
    return str(caught.value.response["error"])


def blocks_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    return [{key: value for key, value in block.items() if key != "block_id"} for block in message["blocks"]]


def test_a_stream_grows_and_stops(slack: ThreadedWorkspace, client: WebClient) -> None:
    asked = slack.say("ada", ADAS, "my october")
    ts = client.chat_startStream(channel=ADAS, thread_ts=asked, chunks=[READING])["ts"]
    client.chat_appendStream(channel=ADAS, ts=ts, markdown_text="A *mill*")
    client.chat_appendStream(channel=ADAS, ts=ts, chunks=[{"type": "markdown_text", "text": " and a lamp."}])
    (message,) = slack.messages(ADAS, thread_ts=asked)[1:]
    assert (message["streaming_state"], message["text"]) == ("in_progress", "A *mill* and a lamp.")
    client.chat_stopStream(channel=ADAS, ts=ts, chunks=[{**READING, "status": "complete"}], blocks=[SECTION])
    (message,) = slack.messages(ADAS, thread_ts=asked)[1:]
    assert message["streaming_state"] == "completed"
    assert blocks_of(message) == [
        {"type": "task_card", "task_id": "reading", "title": "Reading October", "status": "complete"},
        {"type": "markdown", "text": "A *mill* and a lamp."},
        {"type": "section", "text": SECTION["text"]},
    ]
    client.chat_update(channel=ADAS, ts=ts, text="whole", blocks=[SECTION])
    assert [one["text"] for one in slack.messages(ADAS, thread_ts=asked)[1:]] == ["whole"]


def test_what_is_no_stream_or_is_one_no_more_is_refused(slack: ThreadedWorkspace, client: WebClient) -> None:
    asked = slack.say("ada", ADAS, "my october")
    ts = client.chat_startStream(channel=ADAS, thread_ts=asked)["ts"]
    assert error_of(client.chat_update, channel=ADAS, ts=ts, text="x") == "streaming_state_conflict"
    client.chat_stopStream(channel=ADAS, ts=ts)
    for method in (client.chat_appendStream, client.chat_stopStream):
        assert error_of(method, channel=ADAS, ts=ts, markdown_text="x") == "message_not_in_streaming_state"
        assert error_of(method, channel=ADAS, ts=asked, markdown_text="x") == "message_not_owned_by_app"
        assert error_of(method, channel=ADAS, ts="1.0", markdown_text="x") == "message_not_found"


def test_a_stream_needs_a_thread_and_in_a_channel_its_reader(slack: ThreadedWorkspace, client: WebClient) -> None:
    said = slack.say("ada", "general", "hello")
    assert error_of(client.chat_startStream, channel=ADAS, thread_ts="") == "invalid_arguments"
    assert error_of(client.chat_startStream, channel=ADAS, thread_ts="1.0") == "thread_not_found"
    where = {"channel": "C0001", "thread_ts": said}
    assert error_of(client.chat_startStream, **where) == "missing_recipient_team_id"
    assert error_of(client.chat_startStream, **where, recipient_team_id="T1") == "missing_recipient_user_id"
    assert client.chat_startStream(**where, recipient_team_id="T1", recipient_user_id="U0001")["ok"]


@pytest.mark.parametrize("chunk", [{"type": "song"}, {"type": "task_update", "id": "x"}, {**READING, "status": "late"}])
def test_chunks_that_are_none_are_refused(slack: ThreadedWorkspace, client: WebClient, chunk: dict[str, Any]) -> None:
    asked = slack.say("ada", ADAS, "my october")
    assert error_of(client.chat_startStream, channel=ADAS, thread_ts=asked, chunks=[chunk]) == "invalid_chunks"
    assert len(slack.messages(ADAS)) == 1


def test_blocks_that_break_the_rules_do_not_end_a_stream(slack: ThreadedWorkspace, client: WebClient) -> None:
    asked = slack.say("ada", ADAS, "my october")
    ts = client.chat_startStream(channel=ADAS, thread_ts=asked)["ts"]
    empty = {"type": "section", "text": {"type": "plain_text", "text": ""}}
    assert error_of(client.chat_stopStream, channel=ADAS, ts=ts, blocks=[empty]) == "invalid_blocks"
    assert client.chat_stopStream(channel=ADAS, ts=ts, blocks=[SECTION])["ok"]


def test_a_workspace_may_lack_a_block(slack: ThreadedWorkspace, client: WebClient) -> None:
    assert client.chat_postMessage(channel="C0001", text="x", blocks=[CHART])["ok"]
    slack.workspace.lacks.add("data_visualization")
    with pytest.raises(SlackApiError) as caught:
        client.chat_postMessage(channel="C0001", text="x", blocks=[SECTION, CHART])
    answer = caught.value.response.data
    assert isinstance(answer, dict)
    assert (answer["error"], answer["errors"]) == (
        "invalid_blocks",
        ["unsupported type: data_visualization [json-pointer:/blocks/1/type]"],
    )
    assert client.chat_postMessage(channel="C0001", text="x", blocks=[SECTION])["ok"]


def test_a_session_has_a_status_until_it_is_answered(slack: ThreadedWorkspace, client: WebClient) -> None:
    asked = slack.say("ada", ADAS, "my october")
    client.agents_sessions_setStatus(channel_id=ADAS, thread_ts=asked, status="processing")
    assert slack.workspace.statuses == {(ADAS, asked): "is working on it…"}
    client.agents_sessions_setStatus(channel_id=ADAS, thread_ts=asked, status="active")
    assert slack.workspace.statuses == {(ADAS, asked): ""}
    assert error_of(client.agents_sessions_setStatus, channel_id=ADAS, thread_ts=asked, status="busy") == (
        "invalid_arguments"
    )


@pytest.mark.parametrize("prompts", [[], [{"title": "x"}], ["x"], [{"title": "x", "message": "y"}] * 5])
def test_prompts_that_slack_would_not_take_are_refused(client: WebClient, prompts: list[Any]) -> None:
    assert error_of(client.assistant_threads_setSuggestedPrompts, channel_id=ADAS, prompts=prompts) == (
        "invalid_arguments"
    )
