"""The Web API of the local workspace, through Slack's own client over a real socket."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.workspace import ThreadedWorkspace, Workspace

DIVIDER = {"type": "divider", "block_id": "line"}


def error_of(function: Callable[..., Any], **arguments: Any) -> str:
    """The error code a call ends with."""
    with pytest.raises(SlackApiError) as caught:
        function(**arguments)
    return str(caught.value.response["error"])


def test_what_slack_refuses_is_refused_here(slack: ThreadedWorkspace, client: WebClient) -> None:
    """An invalid block is answered with its place, and nothing is posted."""
    with pytest.raises(SlackApiError) as caught:
        client.chat_postMessage(
            channel="C0001", text="x", blocks=[{"type": "header", "text": {"type": "plain_text", "text": ""}}]
        )
    said = "must be more than 0 characters [json-pointer:/blocks/0/text/text]"
    answer = caught.value.response.data
    expected = {"ok": False, "error": "invalid_blocks", "errors": [said]}
    assert answer == {**expected, "response_metadata": {"messages": [f"[ERROR] {said}"]}}
    assert slack.messages("C0001") == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"channel": "C0001", "text": ""}, "no_text"),
        ({"channel": "C0001", "blocks": [DIVIDER]}, "no_text"),
        ({"channel": "C0001", "text": "x" * 4001}, "msg_too_long"),
        ({"channel": "C0001", "text": "x", "blocks": [{"type": "divider"}] * 51}, "msg_blocks_too_many"),
        ({"channel": "C0001", "text": "x", "blocks": "[{"}, "invalid_blocks_format"),
        ({"channel": "C0001", "text": "x", "metadata": {"event_type": "x"}}, "invalid_metadata_format"),
        ({"channel": "C0001", "text": "x", "thread_ts": "1.000000"}, "thread_not_found"),
        ({"channel": "C9999", "text": "x"}, "channel_not_found"),
        ({"channel": "#nowhere", "text": "x"}, "channel_not_found"),
        ({"channel": "secret", "text": "x"}, "channel_not_found"),
        ({"channel": "old", "text": "x"}, "is_archived"),
    ],
)
def test_posting_fails_with_slacks_codes(client: WebClient, arguments: dict[str, Any], code: str) -> None:
    """Each reason has Slack's own code."""
    assert error_of(client.api_call, api_method="chat.postMessage", json=arguments) == code


def test_scopes_are_asked_for(new_workspace: Callable[..., Workspace]) -> None:
    """A call without its scope says what is needed and what was granted."""
    with ThreadedWorkspace(new_workspace(scopes=["chat:write"])) as slack:
        client = WebClient(token=slack.workspace.bot_token, base_url=slack.api_url)
        assert error_of(client.chat_postMessage, channel="elsewhere", text="x") == "not_in_channel"
        with pytest.raises(SlackApiError) as caught:
            client.users_list()
    answer = caught.value.response
    assert (answer["error"], answer["needed"], answer["provided"]) == ("missing_scope", "users:read", "chat:write")


def test_tokens_are_checked_and_kept_out_of_the_journal(slack: ThreadedWorkspace, client: WebClient) -> None:
    """None, a wrong one, the other sort; and no token is in the journal."""
    for token, code in ((None, "not_authed"), ("xoxb-wrong", "invalid_auth")):
        assert error_of(WebClient(token=token, base_url=slack.api_url).auth_test) == code
    assert error_of(client.apps_connections_open, app_token=slack.workspace.bot_token) == "not_allowed_token_type"
    assert error_of(WebClient(token=slack.workspace.app_token, base_url=slack.api_url).auth_test) == (
        "not_allowed_token_type"
    )
    assert error_of(client.api_call, api_method="admin.nothing") == "unknown_method"
    assert [call.method for call in slack.calls][-2:] == ["auth.test", "admin.nothing"]
    assert "xoxb" not in repr(slack.calls) and "xapp" not in repr(slack.calls)


def test_threads_are_kept_apart(slack: ThreadedWorkspace, client: WebClient) -> None:
    """History shows roots with their count of replies; a reply to a reply is one to the root."""
    root = slack.say("ada", "general", "well?")
    first = client.chat_postMessage(channel="C0001", text="one", thread_ts=root)["ts"]
    second = client.chat_postMessage(channel="C0001", text="two", thread_ts=first)
    assert second["message"]["thread_ts"] == root
    (shown,) = client.conversations_history(channel="C0001")["messages"]
    assert (shown["ts"], shown["reply_count"], shown["latest_reply"]) == (root, 2, second["ts"])
    texts = [message["text"] for message in client.conversations_replies(channel="C0001", ts=first)["messages"]]
    assert texts == ["well?", "one", "two"]
    assert [message["text"] for message in slack.messages("general", thread_ts=root)] == texts
    assert error_of(client.conversations_replies, channel="C0001", ts="1.0") == "thread_not_found"


def test_an_ephemeral_message_is_for_one_pair_of_eyes(slack: ThreadedWorkspace, client: WebClient) -> None:
    """Nobody else sees it, it is not in the history, and it cannot be answered in a thread."""
    ts = client.chat_postEphemeral(channel="C0001", user="U0001", text="psst")["message_ts"]
    assert [message["text"] for message in slack.messages("general", user="U0001")] == ["psst"]
    assert slack.messages("general", user="U0001")[0]["ephemeral"] is True
    assert slack.messages("general", user="U0002") == slack.messages("general") == []
    assert client.conversations_history(channel="C0001")["messages"] == []
    assert error_of(client.chat_postMessage, channel="C0001", text="x", thread_ts=ts) == "cannot_reply_to_message"
    refused = error_of(client.chat_postEphemeral, channel="elsewhere", user="U0002", text="x")
    assert refused == "user_not_in_channel"


def test_views_are_kept_and_checked(slack: ThreadedWorkspace, client: WebClient, clock: Any) -> None:
    """A home tab is published per person; a trigger opens one modal, within three seconds."""
    home = {"type": "home", "blocks": [DIVIDER]}
    first = client.views_publish(user_id="U0001", view=home)["view"]
    assert client.views_publish(user_id="U0001", view=home)["view"]["id"] == first["id"]
    assert error_of(client.views_publish, user_id="U0001", view=home, hash=first["hash"]) == "hash_conflict"
    assert error_of(client.views_publish, user_id="U0001", view={"type": "home", "blocks": [{}]}) == "invalid_blocks"
    modal = {"type": "modal", "title": {"type": "plain_text", "text": "Settings"}, "blocks": [DIVIDER]}
    trigger, late = slack.workspace.new_trigger(), slack.workspace.new_trigger()
    opened = client.views_open(trigger_id=trigger, view=modal)["view"]
    assert client.views_update(view_id=opened["id"], view=modal, hash=opened["hash"])["view"]["id"] == opened["id"]
    assert error_of(client.views_open, trigger_id=trigger, view=modal) == "exchanged_trigger_id"
    clock.now += 4
    assert error_of(client.views_open, trigger_id=late, view=modal) == "expired_trigger_id"
    assert error_of(client.views_open, trigger_id="1.2.3", view=modal) == "invalid_trigger_id"
