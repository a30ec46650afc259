"""A post is made once, whatever becomes of the call."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from bot_in_workspace import free_port, settings_for
from pydantic import SecretStr
from slack_sdk import WebClient

from bot.errors import SlackRefused
from bot.settings import Settings
from bot.slack import poster as poster_module
from bot.slack.client import posting_client, workspace_of
from bot.slack.poster import MOST_WAITS, Poster
from bot.workspace import ThreadedWorkspace
from storage import Store
from storage.outbox import Post

NOW = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
BLOCKS = [{"type": "section", "text": {"type": "plain_text", "text": "shipped"}}]
CHART = {
    "type": "data_visualization",
    "title": "Changes by week",
    "chart": {"type": "pie", "segments": [{"label": "1–5 Oct", "value": 4}]},
}


def now() -> datetime:
    return NOW


@pytest.fixture
def client(workspace: ThreadedWorkspace, indexed: Store) -> WebClient:
    return posting_client(settings_for(workspace, "socket", db=indexed.path))


@pytest.fixture
def poster(client: WebClient, indexed: Store) -> Poster:
    return Poster(client, indexed.outbox, now)


def post(key: str = "k", thread_key: str | None = None, **payload: object) -> Post:
    return Post(key, "#shipped", {"text": "shipped", "blocks": BLOCKS, **payload}, thread_key=thread_key)


def posted(workspace: ThreadedWorkspace) -> list[str]:
    return [message["text"] for message in workspace.messages("shipped")]


def test_a_post_that_is_planned_and_sent_twice_is_made_once(poster: Poster, workspace: ThreadedWorkspace) -> None:
    assert poster.plan([post()])
    assert not poster.plan([post(text="another")])
    assert poster.send(["k"]) == {"k": "sent"}
    assert poster.send(["k"]) == {"k": "sent"}
    assert posted(workspace) == ["shipped"]


def test_many_senders_at_once_make_one_post(client: WebClient, workspace: ThreadedWorkspace, indexed: Store) -> None:
    posters = [Poster(client, Store(indexed.path).outbox, now) for _ in range(8)]
    barrier = threading.Barrier(len(posters))

    def race(poster: Poster) -> None:
        barrier.wait()
        poster.plan([post()])
        poster.send(["k"])

    threads = [threading.Thread(target=race, args=(poster,)) for poster in posters]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert posted(workspace) == ["shipped"]


def test_what_another_sends_at_this_moment_is_waited_for(poster: Poster, indexed: Store) -> None:
    """Whoever asked has to be shown if it fails, and the other sender does not know whom it answers."""
    poster.plan([post()])
    assert indexed.outbox.claim("k", now())
    other = threading.Timer(0.3, lambda: indexed.outbox.settle("k", "failed", now(), error="is_archived: it is gone"))
    other.start()
    assert poster.send(["k"]) == {"k": "failed"}
    other.join()


def test_a_sender_that_never_ends_is_not_waited_for_forever(
    poster: Poster, indexed: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poster_module, "CALL_SECONDS", 0.1)
    poster.plan([post()])
    assert indexed.outbox.claim("k", now())
    assert poster.send(["k"]) == {"k": "sending"}


def test_slack_saying_later_is_waited_out(client: WebClient, workspace: ThreadedWorkspace, indexed: Store) -> None:
    """Meanwhile nobody holds the post: whoever waits may die."""
    waited = list[tuple[float, dict[str, str]]]()
    poster = Poster(
        client, indexed.outbox, now, sleep=lambda seconds: waited.append((seconds, indexed.outbox.parts("k")))
    )
    workspace.faults.next("chat.postMessage", "ratelimited", retry_after=17)
    poster.plan([post()])
    assert poster.send(["k"]) == {"k": "sent"}
    assert waited == [(17.0, {"k": "planned"})]
    assert posted(workspace) == ["shipped"]


def test_who_asks_to_wait_again_and_again_is_left_for_the_next_round(
    client: WebClient, workspace: ThreadedWorkspace, indexed: Store
) -> None:
    waited = list[float]()
    poster = Poster(client, indexed.outbox, now, sleep=waited.append)
    workspace.faults.next("chat.postMessage", "ratelimited", times=9, retry_after=2)
    poster.plan([post()])
    assert poster.send(["k"]) == {"k": "planned"}
    assert waited == [2.0] * MOST_WAITS


@pytest.mark.parametrize(("fault", "count"), [("drop_before", 0), ("drop_after", 1), ("http_500", 0)])
def test_a_lost_answer_is_not_sent_again(
    poster: Poster, workspace: ThreadedWorkspace, indexed: Store, fault: str, count: int
) -> None:
    """Nobody knows whether Slack took it, so a second try might be a second post."""
    workspace.faults.next("chat.postMessage", fault)
    poster.plan([post()])
    assert poster.send(["k"]) == {"k": "unknown"}
    assert poster.send(["k"]) == {"k": "unknown"}
    poster.send_waiting()
    assert len(posted(workspace)) <= max(count, 1) and len(posted(workspace)) == len(set(posted(workspace)))
    kept = indexed.outbox.get("k")
    assert kept is not None and kept.error


def test_a_post_that_could_not_reach_slack_waits_for_the_next_round(
    workspace: ThreadedWorkspace, indexed: Store, client: WebClient
) -> None:
    nowhere = WebClient(token="xoxb-made-up", base_url=f"http://127.0.0.1:{free_port()}/api/", retry_handlers=[])
    poster = Poster(nowhere, indexed.outbox, now)
    poster.plan([post()])
    assert poster.send(["k"]) == {"k": "planned"}
    Poster(client, indexed.outbox, now).send_waiting()
    assert posted(workspace) == ["shipped"]


def test_a_broken_channel_fails_with_what_to_do(poster: Poster, workspace: ThreadedWorkspace, indexed: Store) -> None:
    workspace.faults.next("chat.postMessage", "error:not_in_channel")
    poster.plan([post()])
    assert poster.send(["k"]) == {"k": "failed"}
    kept = indexed.outbox.get("k")
    assert kept is not None and kept.error is not None and "/invite @Almanac" in kept.error


def test_blocks_that_slack_refuses_do_not_cost_the_reader_the_text(
    poster: Poster, workspace: ThreadedWorkspace
) -> None:
    workspace.faults.next("chat.postMessage", "error:invalid_blocks")
    poster.plan([post()])
    assert poster.send(["k"]) == {"k": "sent"}
    assert "blocks" not in workspace.messages("shipped")[0]
    assert posted(workspace) == ["shipped"]


def test_a_thread_never_comes_before_its_root(poster: Poster, workspace: ThreadedWorkspace) -> None:
    poster.plan([post("root", text="root"), post("root|1", "root", text="reply")])
    assert poster.send(["root|1"]) == {"root|1": "planned"}
    assert poster.send(["root", "root|1"]) == {"root": "sent", "root|1": "sent"}
    root, reply = workspace.messages("shipped")
    assert (root["text"], reply["text"], reply["thread_ts"]) == ("root", "reply", root["ts"])


@pytest.fixture
def no_charts(workspace: ThreadedWorkspace) -> None:
    """A workspace that has not got charts."""
    workspace.workspace.lacks.add("data_visualization")


def sent_blocks(workspace: ThreadedWorkspace) -> list[list[str]]:
    """The types of the blocks of each attempt to post."""
    calls = [call for call in workspace.calls if call.method == "chat.postMessage"]
    return [[block["type"] for block in call.arguments.get("blocks", ())] for call in calls]


@pytest.mark.usefixtures("no_charts")
def test_where_charts_are_refused_the_other_blocks_are_posted(poster: Poster, workspace: ThreadedWorkspace) -> None:
    poster.plan([post(blocks=[*BLOCKS, CHART])])
    assert poster.send(["k"]) == {"k": "sent"}
    (message,) = workspace.messages("shipped")
    assert [block["type"] for block in message["blocks"]] == ["section"]
    assert sent_blocks(workspace) == [["section", "data_visualization"], ["section"]]


@pytest.mark.usefixtures("no_charts")
def test_that_charts_are_refused_is_remembered(poster: Poster, workspace: ThreadedWorkspace) -> None:
    poster.plan([post("one", blocks=[*BLOCKS, CHART]), post("two", blocks=[*BLOCKS, CHART])])
    assert poster.send(["one", "two"]) == {"one": "sent", "two": "sent"}
    assert sent_blocks(workspace) == [["section", "data_visualization"], ["section"], ["section"]]
    assert poster.fitted({"text": "x", "blocks": [CHART]}) == {"text": "x", "blocks": []}


def test_charts_are_kept_where_slack_takes_them(poster: Poster, workspace: ThreadedWorkspace) -> None:
    poster.plan([post(blocks=[*BLOCKS, CHART])])
    assert poster.send(["k"]) == {"k": "sent"}
    assert sent_blocks(workspace) == [["section", "data_visualization"]]
    assert poster.fitted({"text": "x", "blocks": [CHART]}) == {"text": "x", "blocks": [CHART]}


def test_blocks_refused_for_another_reason_do_not_speak_against_charts(
    poster: Poster, workspace: ThreadedWorkspace
) -> None:
    """With and without charts they are refused: then the text alone is posted, and charts are tried again."""
    workspace.faults.next("chat.postMessage", "error:invalid_blocks", times=2)
    poster.plan([post(blocks=[*BLOCKS, CHART]), post("next", blocks=[*BLOCKS, CHART])])
    assert poster.send(["k", "next"]) == {"k": "sent", "next": "sent"}
    with_charts = ["section", "data_visualization"]
    assert sent_blocks(workspace) == [with_charts, ["section"], [], with_charts]
    assert posted(workspace) == ["shipped", "shipped"]


def test_too_long_with_charts_does_not_speak_against_charts(poster: Poster, workspace: ThreadedWorkspace) -> None:
    workspace.faults.next("chat.postMessage", "error:msg_blocks_too_long")
    poster.plan([post(blocks=[*BLOCKS, CHART])])
    assert poster.send(["k"]) == {"k": "sent"}
    assert sent_blocks(workspace) == [["section", "data_visualization"], ["section"]]
    assert poster.fitted({"text": "x", "blocks": [CHART]}) == {"text": "x", "blocks": [CHART]}


def test_charts_refused_and_then_an_answer_lost_is_not_sent_again(
    poster: Poster, workspace: ThreadedWorkspace, indexed: Store
) -> None:
    workspace.faults.next("chat.postMessage", "error:invalid_blocks")
    workspace.faults.next("chat.postMessage", "drop_after")
    poster.plan([post(blocks=[*BLOCKS, CHART])])
    assert poster.send(["k"]) == {"k": "unknown"}
    poster.send_waiting()
    assert posted(workspace) == ["shipped"]


def test_the_replies_to_a_lost_root_are_held_back_and_follow_when_it_is_found(
    poster: Poster, workspace: ThreadedWorkspace, indexed: Store
) -> None:
    workspace.faults.next("chat.postMessage", "drop_after")
    poster.plan([post("root"), post("root|1", "root")])
    assert poster.send(["root", "root|1"]) == {"root": "unknown", "root|1": "planned"}
    (root,) = indexed.outbox.in_state("unknown")
    assert indexed.outbox.found(root, workspace.messages("shipped")[0]["ts"], NOW)
    assert poster.send(["root", "root|1"]) == {"root": "sent", "root|1": "sent"}
    assert [message.get("thread_ts") for message in workspace.messages("shipped")][1] == indexed.outbox.get("root").ts  # type: ignore[union-attr]


@pytest.mark.parametrize("code", ["token_revoked", "account_inactive", "missing_scope"])
def test_where_slack_does_not_let_the_app_in_nothing_more_is_sent_until_it_does(
    client: WebClient, workspace: ThreadedWorkspace, indexed: Store, caplog: pytest.LogCaptureFixture, code: str
) -> None:
    seconds = [0.0]
    poster = Poster(client, indexed.outbox, now, monotonic=lambda: seconds[0])
    workspace.faults.next("chat.postMessage", f"error:{code}")
    poster.plan([post("one"), post("two")])
    assert poster.send(["one", "two"]) == {"one": "planned", "two": "planned"}
    assert (poster.send_one("two").stopped, poster.is_let_in()) == (True, False)
    assert [call.method for call in workspace.calls] == ["chat.postMessage"]
    workspace.faults.next("auth.test", f"error:{code}")
    seconds[0] += 601
    assert not poster.is_let_in()
    seconds[0] += 601
    assert poster.is_let_in()
    assert poster.send(["one", "two"]) == {"one": "sent", "two": "sent"}
    assert len([record for record in caplog.records if "does not let the app in" in record.message]) == 1


def test_slack_asking_to_wait_is_told_to_who_has_other_channels_to_go_on_with(
    poster: Poster, workspace: ThreadedWorkspace
) -> None:
    workspace.faults.next("chat.postMessage", "ratelimited", retry_after=17)
    poster.plan([post()])
    sent = poster.send_one("k")
    assert (sent.state, sent.was_called, sent.asked_to_wait) == ("planned", True, 17.0)
    assert poster.send_one("k").state == "sent"


def test_a_sender_that_died_leaves_a_post_that_is_given_up(poster: Poster, indexed: Store) -> None:
    poster.plan([post()])
    assert indexed.outbox.claim("k", NOW - timedelta(hours=1))
    poster.send_waiting()
    kept = indexed.outbox.get("k")
    assert kept is not None and kept.state == "unknown"


def test_the_key_travels_with_the_message(poster: Poster, workspace: ThreadedWorkspace) -> None:
    poster.plan([post()])
    poster.send(["k"])
    call = next(call for call in workspace.calls if call.method == "chat.postMessage")
    assert call.arguments["metadata"] == {"event_type": "almanac_post", "event_payload": {"key": "k"}}
    assert call.arguments["unfurl_links"] is False and call.arguments["unfurl_media"] is False


def test_a_refused_token_is_said_without_being_shown(workspace: ThreadedWorkspace, tmp_path: Path) -> None:
    settings = replace(settings_for(workspace, "socket"), bot_token=None)
    with pytest.raises(SlackRefused, match="SLACK_BOT_TOKEN is not set"):
        posting_client(settings)
    wrong = Settings(slack_api=workspace.api_url, bot_token=SecretStr("xoxb-wrong-secret"))
    with pytest.raises(SlackRefused, match="invalid_auth") as refused:
        workspace_of(posting_client(wrong))
    assert "xoxb-wrong-secret" not in str(refused.value)


def test_slack_that_cannot_be_reached_is_said_in_one_line(almanac: Callable[..., object]) -> None:
    nowhere = Settings(slack_api=f"http://127.0.0.1:{free_port()}/api/", bot_token=SecretStr("xoxb-1"))
    with pytest.raises(SlackRefused, match="cannot be reached"):
        workspace_of(posting_client(nowhere))


@pytest.fixture
def stands(poster: Poster, workspace: ThreadedWorkspace, indexed: Store) -> str:
    """The ts of a message that stands in Slack; its row waits for other words to be put in its place."""
    poster.plan([post("k", text="interrupted")])
    poster.send(["k"])
    with indexed.transaction(write=True) as connection:
        connection.execute("UPDATE outbox SET state = 'planned', payload = '{\"text\": \"whole\"}'")
    return str(workspace.messages("shipped")[0]["ts"])


@pytest.mark.usefixtures("stands")
@pytest.mark.parametrize("fault", ["drop_before", "drop_after", "http_500", "invalid_json"])
def test_a_change_whose_answer_is_lost_is_made_again(poster: Poster, workspace: ThreadedWorkspace, fault: str) -> None:
    workspace.faults.next("chat.update", fault)
    assert poster.send(["k"]) == {"k": "planned"}
    assert poster.send(["k"]) == {"k": "sent"}
    assert posted(workspace) == ["whole"]


@pytest.mark.usefixtures("stands")
def test_words_that_cannot_be_put_into_a_message_are_posted_as_another(
    poster: Poster, workspace: ThreadedWorkspace
) -> None:
    workspace.faults.next("chat.update", "error:streaming_state_conflict")
    assert poster.send(["k"]) == {"k": "sent"}
    assert posted(workspace) == ["interrupted", "whole"]


def test_a_message_that_was_deleted_is_not_posted_again(
    poster: Poster, workspace: ThreadedWorkspace, stands: str
) -> None:
    workspace.faults.next("chat.update", "error:message_not_found")
    assert poster.send(["k"]) == {"k": "failed"}
    assert posted(workspace) == ["interrupted"] and stands


@pytest.mark.usefixtures("stands")
def test_a_change_that_is_never_answered_is_given_up(poster: Poster, workspace: ThreadedWorkspace) -> None:
    workspace.faults.next("chat.update", "http_500", times=20)
    states = [poster.send(["k"])["k"] for _ in range(7)]
    assert states[0] == "planned" and states[-1] == "failed"
