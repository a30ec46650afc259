"""An answer that is written while it is read: there once, whole in the end, whatever becomes of the stream."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from bot_in_workspace import settings_for
from slack_sdk import WebClient
from values import ADA, ENGINE, INDEXED, UTC_ZONE, commit, indexed

from bot.ask.question import Question
from bot.model import Sentence
from bot.month.calendar import Days, Month, MonthRange
from bot.month.facts import FactsContext, month_facts
from bot.slack.client import posting_client
from bot.slack.poster import ABANDONED_AFTER, LOST_AFTER, MOST_ENDINGS, Poster
from bot.slack.streaming import INTERRUPTED, MOST_A_MINUTE, Stream, Streaming, worthwhile
from bot.story.documents import PersonDocument
from bot.story.month import month_document
from bot.workspace import ThreadedWorkspace
from storage import Store
from storage.outbox import Post

ADAS, FIRST = "D0001", "answer|T1|D0001|1.0"
BLOCKS = [{"type": "section", "text": {"type": "plain_text", "text": "October: a mill"}}]
CHART = {
    "type": "data_visualization",
    "title": "Kinds",
    "chart": {"type": "pie", "segments": [{"label": "Fixes", "value": 1}]},
}
OCTOBER = month_document(
    month_facts(ADA, Month(2025, 10), [commit()], FactsContext(UTC_ZONE, [indexed(ENGINE)], INDEXED))
)


class Clock:
    """A clock that stands until it is set on."""

    def __init__(self) -> None:
        self.at = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def seconds(self) -> float:
        return self.at.timestamp()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(workspace: ThreadedWorkspace, indexed: Store) -> WebClient:
    return posting_client(settings_for(workspace, "socket", db=indexed.path))


@pytest.fixture
def poster(client: WebClient, indexed: Store, clock: Clock) -> Poster:
    return Poster(client, indexed.outbox, clock)


@pytest.fixture
def streaming(client: WebClient, indexed: Store, poster: Poster, clock: Clock) -> Streaming:
    return Streaming(client, indexed.outbox, poster, clock, clock=clock.seconds)


@pytest.fixture
def ask(
    streaming: Streaming, poster: Poster, indexed: Store, workspace: ThreadedWorkspace
) -> Callable[..., dict[str, str]]:
    """Ask, and have an answer of two messages; `during` is done with the stream while it is made."""

    def asked(during: Callable[[Stream], None] = lambda _: None, first: str = FIRST, **posted: Any) -> dict[str, str]:
        asked_ts = workspace.say("ada", ADAS, "ada since august")
        with streaming.answer(first, ADAS, asked_ts, None, "August to October 2025", True) as stream:
            during(stream)
            payload = {"text": "October: a mill", "blocks": BLOCKS, **posted}
            more = {"text": "August: a lamp", "blocks": BLOCKS}
            stream.plan([Post(first, ADAS, payload), Post(f"{first}|1", ADAS, more, thread_key=first)])
        return poster.send(list(indexed.outbox.parts(first)))

    return asked


def of_bot(workspace: ThreadedWorkspace) -> list[dict[str, Any]]:
    return [message for message in workspace.messages(ADAS) if message.get("bot_id")]


def texts(workspace: ThreadedWorkspace) -> list[str]:
    return [message["text"] for message in of_bot(workspace)]


def called(workspace: ThreadedWorkspace) -> list[str]:
    return [call.method for call in workspace.calls if call.method.startswith("chat.")]


SENT = {FIRST: "sent", f"{FIRST}|1": "sent"}
WHOLE = ["October: a mill", "August: a lamp"]


def test_an_answer_is_shown_as_it_grows_and_is_whole_in_the_end(
    ask: Callable[..., dict[str, str]], workspace: ThreadedWorkspace
) -> None:
    seen: list[list[tuple[str, str]]] = []

    def look() -> None:
        (message,) = of_bot(workspace)
        seen.append([(block["title"], block["status"]) for block in message["blocks"]])

    def during(stream: Stream) -> None:
        look()
        stream.month_ready(OCTOBER)
        look()

    assert ask(during) == SENT
    reading = ("Reading August to October 2025", "in_progress")
    assert seen == [[reading], [reading, ("October 2025", "complete")]]
    root, reply = of_bot(workspace)
    question = workspace.messages(ADAS)[0]["ts"]
    assert (root["text"], reply["text"]) == ("October: a mill", "August: a lamp")
    assert root["thread_ts"] == reply["thread_ts"] == question
    assert [block["type"] for block in root["blocks"]] == ["section"] and root["streaming_state"] == "completed"
    assert called(workspace) == [
        "chat.startStream",
        "chat.appendStream",
        "chat.stopStream",
        "chat.update",
        "chat.postMessage",
    ]
    update = next(call for call in workspace.calls if call.method == "chat.update")
    assert update.arguments["metadata"]["event_payload"] == {"key": FIRST}


def test_nothing_that_git_says_is_in_what_is_streamed(
    ask: Callable[..., dict[str, str]], workspace: ThreadedWorkspace
) -> None:
    person, headline = PersonDocument("<!channel>", ()), Sentence("<@U0001> *did*", ())
    hostile = replace(OCTOBER, person=person, headline=headline)
    ask(lambda stream: stream.month_ready(hostile))
    (append,) = [call for call in workspace.calls if call.method == "chat.appendStream"]
    assert append.arguments["chunks"] == [
        {"type": "task_update", "id": "month-1", "title": "October 2025", "status": "complete", "details": "1 change"}
    ]


@pytest.mark.parametrize(
    "fault",
    ["error:unknown_method", "error:missing_scope", "error:fatal_error", "ratelimited", "drop_before", "http_500"],
)
def test_where_a_stream_does_not_begin_the_answer_is_posted(
    ask: Callable[..., dict[str, str]], workspace: ThreadedWorkspace, fault: str
) -> None:
    workspace.faults.next("chat.startStream", fault)
    assert ask(lambda stream: stream.month_ready(OCTOBER)) == SENT
    assert texts(workspace) == WHOLE
    assert called(workspace) == ["chat.startStream", "chat.postMessage", "chat.postMessage"]
    root, reply = of_bot(workspace)
    assert "thread_ts" not in workspace.messages(ADAS)[0]  # beside the question, as without streams
    assert reply["thread_ts"] == root["ts"]


@pytest.mark.parametrize("fault", ["drop_after", "invalid_json"])
def test_a_stream_that_may_have_begun_unheard_of_does_not_cost_the_answer(
    ask: Callable[..., dict[str, str]], workspace: ThreadedWorkspace, fault: str
) -> None:
    workspace.faults.next("chat.startStream", fault)
    assert ask() == SENT
    assert [text for text in texts(workspace) if text] == WHOLE


@pytest.mark.parametrize("fault", ["error:message_not_in_streaming_state", "ratelimited", "drop_before", "drop_after"])
def test_a_stream_that_cannot_grow_ends_as_the_whole_answer(
    ask: Callable[..., dict[str, str]], workspace: ThreadedWorkspace, fault: str
) -> None:
    def during(stream: Stream) -> None:
        stream.month_ready(OCTOBER)
        stream.month_ready(OCTOBER)

    workspace.faults.next("chat.appendStream", fault)
    assert ask(during) == SENT
    assert texts(workspace) == WHOLE
    assert called(workspace).count("chat.appendStream") == 1  # what broke is left alone


@pytest.mark.parametrize("method", ["chat.stopStream", "chat.update"])
@pytest.mark.parametrize("fault", ["error:internal_error", "ratelimited", "http_500", "drop_before", "drop_after"])
def test_an_ending_that_goes_wrong_is_made_again(
    ask: Callable[..., dict[str, str]], workspace: ThreadedWorkspace, method: str, fault: str
) -> None:
    """For it posts nothing new."""
    workspace.faults.next(method, fault, retry_after=0)
    assert ask() == SENT
    assert texts(workspace) == WHOLE


def test_a_stream_that_slack_has_ended_gets_its_answer(
    ask: Callable[..., dict[str, str]], workspace: ThreadedWorkspace
) -> None:
    def during(_: Stream) -> None:
        ended = workspace.workspace.find(ADAS, of_bot(workspace)[0]["ts"])
        assert ended is not None
        workspace.workspace.change(ended, streaming_state="completed")

    assert ask(during) == SENT
    assert texts(workspace) == WHOLE


def test_blocks_that_could_be_given_only_to_the_stream_are_enough(
    ask: Callable[..., dict[str, str]], workspace: ThreadedWorkspace
) -> None:
    workspace.faults.next("chat.update", "error:edit_window_closed", times=2)
    assert ask() == SENT
    root, reply = of_bot(workspace)
    assert [block["type"] for block in root["blocks"]] == ["task_card", "section"]
    assert reply["text"] == "August: a lamp"


def test_a_message_that_can_no_longer_be_written_on_is_followed_by_the_answer(
    ask: Callable[..., dict[str, str]], workspace: ThreadedWorkspace
) -> None:
    workspace.faults.next("chat.stopStream", "error:message_not_in_streaming_state", times=2)
    workspace.faults.next("chat.update", "error:cant_update_message", times=2)
    assert ask() == SENT
    assert texts(workspace) == ["", *WHOLE]


def test_an_answer_whose_message_was_deleted_is_not_posted_again(
    ask: Callable[..., dict[str, str]], workspace: ThreadedWorkspace
) -> None:
    def during(_: Stream) -> None:
        begun = workspace.workspace.find(ADAS, of_bot(workspace)[0]["ts"])
        assert begun is not None
        workspace.workspace.delete(begun)

    assert ask(during)[FIRST] == "failed"
    assert texts(workspace) == ["August: a lamp"]


def test_who_stops_an_answer_is_obeyed(ask: Callable[..., dict[str, str]], workspace: ThreadedWorkspace) -> None:
    workspace.faults.next("chat.appendStream", "error:stopped_by_user")
    assert ask(lambda stream: stream.month_ready(OCTOBER)) == {FIRST: "sent"}
    assert texts(workspace) == [""] and "chat.postMessage" not in called(workspace)


def test_charts_that_are_refused_cost_a_streamed_answer_nothing_else(
    ask: Callable[..., dict[str, str]], workspace: ThreadedWorkspace
) -> None:
    workspace.workspace.lacks.add("data_visualization")
    assert ask(blocks=[*BLOCKS, CHART]) == SENT
    assert texts(workspace) == WHOLE
    assert [block["type"] for block in of_bot(workspace)[0]["blocks"]] == ["section"]


def test_an_answer_whose_process_died_says_so_once(
    workspace: ThreadedWorkspace,
    client: WebClient,
    indexed: Store,
    poster: Poster,
    streaming: Streaming,
    clock: Clock,
) -> None:
    asked_ts = workspace.say("ada", ADAS, "ada since august")
    answer = streaming.answer(FIRST, ADAS, asked_ts, None, "August", True)
    answer.__enter__()  # and never left
    kept = indexed.outbox.get(FIRST)
    assert kept is not None and (kept.state, bool(kept.ts)) == ("sending", True)
    poster.send_waiting()
    assert texts(workspace) == [""]  # it may be at work still
    clock.at += ABANDONED_AFTER + timedelta(seconds=1)
    for _ in range(2):
        Poster(client, indexed.outbox, clock).send_waiting()
    assert texts(workspace) == [INTERRUPTED]
    assert indexed.outbox.parts(FIRST) == {FIRST: "sent"}


def test_an_answer_whose_process_died_is_gone_on_with_by_whoever_takes_it_over(
    workspace: ThreadedWorkspace, indexed: Store, poster: Poster, streaming: Streaming
) -> None:
    """In the message that has begun."""
    asked_ts = workspace.say("ada", ADAS, "ada since august")
    answer = streaming.answer(FIRST, ADAS, asked_ts, None, "August", True)
    answer.__enter__()  # and never left
    with streaming.answer(FIRST, ADAS, asked_ts, None, "August", True, again=True) as stream:
        assert stream.plan([Post(FIRST, ADAS, {"text": "October: a mill", "blocks": BLOCKS})])
    assert poster.send([FIRST]) == {FIRST: "sent"}
    assert (texts(workspace), called(workspace).count("chat.startStream")) == (["October: a mill"], 1)


def test_an_answer_whose_process_died_when_it_was_written_is_given_whole(
    workspace: ThreadedWorkspace, indexed: Store, poster: Poster, streaming: Streaming
) -> None:
    asked_ts = workspace.say("ada", ADAS, "ada since august")
    with streaming.answer(FIRST, ADAS, asked_ts, None, "August", True) as stream:
        assert stream.plan([Post(FIRST, ADAS, {"text": "October: a mill", "blocks": BLOCKS})])
    assert texts(workspace) == [""]  # here it dies
    poster.send_waiting()
    assert texts(workspace) == ["October: a mill"]


def test_an_answer_whose_end_was_not_recorded_is_ended_again_and_stands_once(
    workspace: ThreadedWorkspace,
    ask: Callable[..., dict[str, str]],
    indexed: Store,
    poster: Poster,
    clock: Clock,
) -> None:
    ask()
    kept = indexed.outbox.get(FIRST)
    assert kept is not None
    indexed.outbox.settle(FIRST, "sending", clock())  # as if it had died before it wrote down that all is well
    clock.at += LOST_AFTER + timedelta(seconds=1)
    poster.send_waiting()
    assert texts(workspace) == WHOLE
    assert indexed.outbox.parts(FIRST) == SENT


def test_an_ending_that_never_works_is_given_up(
    workspace: ThreadedWorkspace, ask: Callable[..., dict[str, str]], indexed: Store, poster: Poster
) -> None:
    workspace.faults.next("chat.stopStream", "drop_before", times=100)
    workspace.faults.next("chat.update", "drop_before", times=100)
    assert ask()[FIRST] == "planned"
    for _ in range(MOST_ENDINGS):
        poster.send_waiting()
    assert indexed.outbox.parts(FIRST)[FIRST] == "failed"


def test_what_is_raised_while_an_answer_is_made_ends_its_stream(
    workspace: ThreadedWorkspace, streaming: Streaming
) -> None:
    asked_ts = workspace.say("ada", ADAS, "ada since august")
    with (
        pytest.raises(RuntimeError, match="a bug"),
        streaming.answer(FIRST, ADAS, asked_ts, None, "August", True),
    ):
        raise RuntimeError("a bug")
    assert texts(workspace) == [INTERRUPTED]


def test_an_answer_that_another_process_makes_is_not_made_again(
    workspace: ThreadedWorkspace, indexed: Store, streaming: Streaming
) -> None:
    asked_ts = workspace.say("ada", ADAS, "ada since august")
    with streaming.answer(FIRST, ADAS, asked_ts, None, "August", True):
        with streaming.answer(FIRST, ADAS, asked_ts, None, "August", True) as second:
            assert not second.plan([Post(FIRST, ADAS, {"text": "twice", "blocks": BLOCKS})])
        assert called(workspace) == ["chat.startStream"]


def test_more_streams_than_slack_takes_in_a_minute_are_plain_answers(
    ask: Callable[..., dict[str, str]], workspace: ThreadedWorkspace, clock: Clock
) -> None:
    for number in range(MOST_A_MINUTE + 2):
        ask(first=f"answer|{number}")
    assert called(workspace).count("chat.startStream") == MOST_A_MINUTE
    clock.at += timedelta(seconds=61)
    ask(first="answer|later")
    assert called(workspace).count("chat.startStream") == MOST_A_MINUTE + 1
    assert texts(workspace) == WHOLE * (MOST_A_MINUTE + 3)


def test_a_workspace_without_streams_is_asked_once_an_hour(
    ask: Callable[..., dict[str, str]], workspace: ThreadedWorkspace, clock: Clock
) -> None:
    workspace.faults.next("chat.startStream", "error:unknown_method", times=2)
    for number in range(3):
        ask(first=f"answer|{number}")
    clock.at += timedelta(minutes=61)
    ask(first="answer|later")
    assert called(workspace).count("chat.startStream") == 2
    assert texts(workspace) == WHOLE * 4


def test_no_stream_where_none_is_wanted(
    workspace: ThreadedWorkspace, client: WebClient, indexed: Store, poster: Poster, clock: Clock
) -> None:
    off, on = (
        Streaming(client, indexed.outbox, poster, clock, on=False),
        Streaming(client, indexed.outbox, poster, clock),
    )
    for streaming, worth in ((off, True), (on, False)):
        with streaming.answer(f"answer|{worth}", ADAS, "1.0", None, "August", worth) as stream:
            assert stream.thread_ts is None
            assert stream.plan([Post(f"answer|{worth}", ADAS, {"text": "plain", "blocks": BLOCKS})])
        poster.send([f"answer|{worth}"])
    assert called(workspace) == ["chat.postMessage"] * 2


AUGUST, NOVEMBER = Month(2025, 8), Month(2025, 11)


@pytest.mark.parametrize(
    ("question", "direct", "model", "expected"),
    [
        (Question("month", ("Ada",), Days.of(MonthRange(AUGUST, NOVEMBER))), True, False, True),
        (Question("month", ("Ada",), Days.of(AUGUST)), True, False, False),
        (Question("month", ("Ada",), Days.of(AUGUST)), True, True, True),
        (Question("month", ("Ada",)), True, False, False),
        (Question("month", ("Ada", "Grace"), Days.of(AUGUST)), True, False, True),
        (Question("month", ("Ada",), Days.of(MonthRange(AUGUST, NOVEMBER))), False, True, False),
        (Question("month"), True, True, False),
        (Question("help"), True, True, False),
        (Question("profile", ("Ada",)), True, True, False),
    ],
)
def test_only_answers_that_are_long_in_coming_are_streamed_and_only_in_direct_messages(
    question: Question, direct: bool, model: bool, expected: bool
) -> None:
    assert worthwhile(question, direct=direct, model=model) is expected


@pytest.mark.usefixtures("bot")
def test_months_asked_for_in_a_direct_message_are_shown_one_by_one(workspace: ThreadedWorkspace) -> None:
    workspace.say("ada", ADAS, "what did I do since august?")
    root = workspace.wait_for(lambda message: "Ada Lovelace, October 2025" in message["text"], channel=ADAS)
    workspace.wait_for(lambda message: "Ada Lovelace, August 2025" in message["text"], channel=ADAS)
    tasks = [
        (chunk["title"], chunk["status"])
        for call in workspace.calls
        for chunk in call.arguments.get("chunks", ())
        if "Stream" in call.method
    ]
    assert tasks == [
        ("Reading August 2025 to November 2025", "in_progress"),
        ("October 2025", "complete"),
        ("August 2025", "complete"),
    ]
    assert not any(block["type"] == "task_card" for block in root["blocks"])
    assert texts(workspace).count(root["text"]) == 1
