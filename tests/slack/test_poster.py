"""A post is made once, whatever becomes of the call."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from bot_in_workspace import free_port, settings_for
from slack_sdk import WebClient

from bot.errors import SlackRefused
from bot.settings import Secret, Settings
from bot.slack.elements import Message
from bot.slack.sender import INTERRUPTED, Sender
from bot.slack.web_api import posting_client, workspace_of
from bot.workspace import ThreadedWorkspace
from storage import Store
from storage.slack_state import Post

NOW = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
BLOCKS = [{"type": "section", "text": {"type": "plain_text", "text": "shipped"}}]


def now() -> datetime:
    return NOW


@pytest.fixture
def client(workspace: ThreadedWorkspace, indexed: Store) -> WebClient:
    return posting_client(settings_for(workspace, "socket", db=indexed.path))


@pytest.fixture
def poster(client: WebClient, indexed: Store) -> Sender:
    return Sender(client, indexed.outbox, now)


def post(key: str = "k", thread_key: str | None = None, **payload: object) -> Post:
    return Post(key, "#shipped", {"text": "shipped", "blocks": BLOCKS, **payload}, thread_key=thread_key)


def send_waiting(poster: Sender, store: Store) -> None:
    """What the next process does."""
    poster.give_up_on_lost()
    poster.send([post.key for post in store.outbox.in_state("planned")])


def posted(workspace: ThreadedWorkspace) -> list[str]:
    return [message["text"] for message in workspace.messages("shipped")]


# What Slack's answer to a post comes to, by what went wrong; how often the message is there, and with its blocks.
POSTS: dict[str, tuple[list[str], str, int, bool]] = {
    "nothing": ([], "sent", 1, True),
    "nobody knows whether Slack took it": (["drop_before"], "unknown", 0, True),
    "Slack took it": (["drop_after"], "unknown", 1, True),
    "a fault of Slack's": (["http_500"], "unknown", 0, True),
    "refused blocks do not cost the reader the text": (["error:invalid_blocks"], "sent", 1, False),
    "blocks are refused, and then an answer is lost": (["error:invalid_blocks", "drop_after"], "unknown", 1, False),
    "refused": (["error:restricted_action"], "failed", 0, True),
}


@pytest.mark.parametrize("name", POSTS)
def test_a_post_is_made_once_whatever_goes_wrong(
    poster: Sender, workspace: ThreadedWorkspace, indexed: Store, name: str
) -> None:
    """However often it is planned and sent, and by the next process too: a second try might be a second post."""
    faults, state, count, has_blocks = POSTS[name]
    for fault in faults:
        workspace.faults.next("chat.postMessage", fault)
    assert poster.plan([post()])
    assert not poster.plan([post(text="another")])
    assert [poster.send(["k"]), poster.send(["k"])] == [{"k": state}] * 2
    send_waiting(poster, indexed)
    assert posted(workspace) == ["shipped"] * count
    assert all(("blocks" in one) == has_blocks for one in workspace.messages("shipped"))
    kept = indexed.outbox.get("k")
    assert kept is not None and bool(kept.error) == (state in ("unknown", "failed"))


def whispered(workspace: ThreadedWorkspace, channel: str = "shipped") -> list[str]:
    """What Ada alone sees in a channel."""
    return [one["text"] for one in workspace.messages(channel, user="U0001") if one.get("ephemeral")]


def whisper(key: str = "answer|k", **more: Any) -> Post:
    return replace(post(key), only_for="U0001", **more)


@pytest.mark.parametrize(
    ("fault", "state", "alone", "direct"),
    [
        ("delay:0", "sent", ["shipped"], []),
        ("error:user_not_in_channel", "failed", [], ["shipped"]),  # it has no place there
        ("drop_before", "unknown", [INTERRUPTED], []),
        ("drop_after", "unknown", ["shipped", INTERRUPTED], []),
        ("http_500", "unknown", [INTERRUPTED], []),
    ],
)
def test_what_one_person_alone_sees_is_shown_once_or_said_to_be_lost(
    poster: Sender, workspace: ThreadedWorkspace, fault: str, state: str, alone: list[str], direct: list[str]
) -> None:
    workspace.faults.next("chat.postEphemeral", fault)
    poster.plan([whisper()])
    found = [poster.send(["answer|k"])["answer|k"] for _ in range(2)]
    assert state == "unknown" or found == [state] * 2
    assert (whispered(workspace), posted(workspace)) == (alone, [])
    assert [one["text"] for one in workspace.messages("U0001")] == direct


def test_what_one_person_alone_sees_is_dropped_when_it_is_late(
    client: WebClient, workspace: ThreadedWorkspace, indexed: Store
) -> None:
    at = [NOW]
    poster = Sender(client, indexed.outbox, lambda: at[0])
    workspace.faults.next("chat.postEphemeral", "ratelimited", retry_after=700)
    poster.plan([whisper("whisper|k")])
    assert poster.send(["whisper|k"]) == {"whisper|k": "planned"}
    at[0] += timedelta(minutes=12)
    again = Sender(client, indexed.outbox, lambda: at[0])
    assert again.send(["whisper|k"]) == {"whisper|k": "failed"}
    assert whispered(workspace) == []


@pytest.mark.parametrize("channel", ["C0002", ""])
def test_what_is_told_in_several_messages_comes_in_their_order_also_where_it_waits(
    client: WebClient, workspace: ThreadedWorkspace, indexed: Store, channel: str
) -> None:
    seconds = [0.0]

    def pause(wait: float) -> None:
        seconds[0] += wait

    poster = Sender(client, indexed.outbox, lambda: NOW + timedelta(seconds=seconds[0]), monotonic=lambda: seconds[0])
    workspace.faults.next("chat.postEphemeral" if channel else "chat.postMessage", "ratelimited", retry_after=2)
    texts = [f"part {number}" for number in range(12)]
    poster.tell("U0001", channel, [Message(text, ()) for text in texts])
    poster.send_waiting(60, pause=pause)
    assert (whispered(workspace) if channel else [one["text"] for one in workspace.messages("U0001")]) == texts


@pytest.mark.parametrize(("asked", "waits"), [(17, 17), ("1e9", 3600), (0, 1), ("soon", 30), ("-5", 1), ("inf", 3600)])
def test_what_slack_will_not_take_now_waits_as_long_as_it_asks_and_an_hour_at_most(
    client: WebClient, workspace: ThreadedWorkspace, indexed: Store, asked: int | str, waits: int
) -> None:
    """Nobody sleeps meanwhile, and what others send by another method or in another channel goes on."""
    seconds = [0.0]
    poster = Sender(client, indexed.outbox, lambda: NOW + timedelta(seconds=seconds[0]), monotonic=lambda: seconds[0])
    workspace.faults.next("chat.postMessage", "ratelimited", retry_after=asked)
    poster.plan([post(), post("next"), replace(post("elsewhere"), channel="#general"), whisper()])
    keys = ["k", "next", "elsewhere", "answer|k"]
    assert poster.send(keys) == {"k": "planned", "next": "planned", "elsewhere": "sent", "answer|k": "sent"}
    assert [indexed.outbox.get(key).not_before for key in ("k", "next")] == [NOW + timedelta(seconds=waits)] * 2  # type: ignore[union-attr]
    assert len([call for call in workspace.calls if call.method == "chat.postMessage"]) == 2
    assert poster.send(["k"]) == {"k": "planned"}
    assert len([call for call in workspace.calls if call.method == "chat.postMessage"]) == 2
    seconds[0] += waits
    assert poster.send(["k", "next"]) == {"k": "sent", "next": "sent"}


def test_a_change_takes_the_place_of_one_that_waits(poster: Sender, workspace: ThreadedWorkspace) -> None:
    poster.plan([post("k", text="first")])
    poster.send(["k"])
    ts = workspace.messages("shipped")[0]["ts"]
    second, third, fourth = (Message(text, ()) for text in ("second", "third", "fourth"))
    workspace.faults.next("chat.update", "ratelimited", retry_after=17)
    assert poster.change("C0002", ts, second) == ""
    (waits,) = poster._outbox.keys("change|")
    other = Sender(poster._client, poster._outbox, now)
    assert other.change("C0002", ts, third) == ""
    assert other.send([waits]) == {waits: "skipped"}
    assert posted(workspace) == ["third"]
    workspace.faults.next("chat.update", "error:edit_window_closed")
    assert other.change("C0002", ts, fourth) == "edit_window_closed"
    assert posted(workspace) == ["third"]


@pytest.mark.parametrize("code", ["token_revoked", "account_inactive", "missing_scope"])
def test_where_slack_does_not_let_the_app_in_nothing_more_is_sent_until_it_does(
    client: WebClient, workspace: ThreadedWorkspace, indexed: Store, caplog: pytest.LogCaptureFixture, code: str
) -> None:
    seconds = [0.0]
    poster = Sender(client, indexed.outbox, now, monotonic=lambda: seconds[0])
    workspace.faults.next("chat.postMessage", f"error:{code}")
    poster.plan([post("one"), post("two")])
    assert poster.send(["one", "two"]) == {"one": "planned", "two": "planned"}
    assert (poster.is_shut_out, poster.is_let_in()) == (True, False)
    assert [call.method for call in workspace.calls] == ["chat.postMessage"]
    workspace.faults.next("auth.test", f"error:{code}")
    seconds[0] += 601
    assert not poster.is_let_in()
    seconds[0] += 601
    assert poster.is_let_in()
    assert poster.send(["one", "two"]) == {"one": "sent", "two": "sent"}
    assert len([record for record in caplog.records if "does not let the app in" in record.message]) == 1


@pytest.fixture
def stands(poster: Sender, workspace: ThreadedWorkspace, indexed: Store) -> None:
    """A message that stands in Slack; its row waits for other words to be put in its place."""
    poster.plan([post("k", text="interrupted")])
    poster.send(["k"])
    with indexed.transaction(write=True) as connection:
        connection.execute("UPDATE outbox SET state = 'planned', payload = '{\"text\": \"whole\"}'")


# What the change of a message meets with, how each try ends, and what stands there then.
CHANGES: dict[str, tuple[str, int, list[str], list[str]]] = {
    **{f"its answer is lost: {fault}": (fault, 1, ["planned", "sent"], ["whole"])
       for fault in ("drop_before", "drop_after", "http_500", "invalid_json")},
    "the message was deleted, and is not posted again": ("error:message_not_found", 1, ["failed"], ["interrupted"]),
    "it is never answered": ("http_500", 20, ["planned"] * 6 + ["failed"], ["interrupted"]),
}  # fmt: skip


@pytest.mark.usefixtures("stands")
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_made_again_but_no_message(poster: Sender, workspace: ThreadedWorkspace, name: str) -> None:
    fault, times, states, stand = CHANGES[name]
    workspace.faults.next("chat.update", fault, times=times)
    found = [poster.send(["k"])["k"] for _ in range(7 if times > 1 else len(states))]
    assert (found[0], found[-1]) == (states[0], states[-1])
    assert posted(workspace) == stand


def test_a_refused_token_and_a_slack_out_of_reach_are_said(workspace: ThreadedWorkspace) -> None:
    settings = replace(settings_for(workspace, "socket"), bot_token=None)
    with pytest.raises(SlackRefused, match="SLACK_BOT_TOKEN is not set"):
        posting_client(settings)
    wrong = Settings(slack_api=workspace.api_url, bot_token=Secret("xoxb-wrong-secret"))
    with pytest.raises(SlackRefused, match="invalid_auth") as refused:
        workspace_of(posting_client(wrong))
    assert "xoxb-wrong-secret" not in str(refused.value)
    nowhere = replace(wrong, slack_api=f"http://127.0.0.1:{free_port()}/api/")
    with pytest.raises(SlackRefused, match="cannot be reached"):
        workspace_of(posting_client(nowhere))
