"""What arrives is looked at before anything relies on it: Bolt takes what passes, whatever Slack or others send."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from slack_bolt.async_app import AsyncBoltRequest

from bot.slack.inbox import is_kept
from bot.slack.payload_checks import fault_of

MENTION: dict[str, Any] = {
    "type": "event_callback",
    "event_id": "Ev1",
    "team_id": "T1",
    "authorizations": [{"enterprise_id": None, "team_id": "T1", "user_id": "U1", "is_bot": True}],
    "event": {"type": "app_mention", "channel": "C1", "user": "U2", "ts": "1.2", "text": "hello", "event_ts": "1.2"},
}
PRESS: dict[str, Any] = {
    "type": "block_actions",
    "user": {"id": "U2", "team_id": "T1"},
    "team": {"id": "T1", "domain": "acme"},
    "channel": {"id": "C1", "name": "general"},
    "container": {"type": "message", "message_ts": "1.2"},
    "message": {"ts": "1.2", "user": "U1", "text": "…"},
    "actions": [{"action_id": "a", "block_id": "b", "type": "button", "value": "{}"}],
    "trigger_id": "1.2.3",
    "response_url": "https://hooks.example/1",
}
SUBMISSION: dict[str, Any] = {
    "type": "view_submission",
    "user": {"id": "U2"},
    "team": {"id": "T1"},
    "view": {"id": "V1", "type": "modal", "callback_id": "share", "state": {"values": {}}, "private_metadata": ""},
}
COMMAND: dict[str, Any] = {
    "command": "/almanac",
    "text": "help",
    "user_id": "U2",
    "channel_id": "C1",
    "team_id": "T1",
    "response_url": "https://hooks.example/1",
    "trigger_id": "1.2.3",
}
SHORTCUT: dict[str, Any] = {"type": "shortcut", "user": {"id": "U2"}, "callback_id": "my_month", "trigger_id": "1.2.3"}
WELL = [MENTION, PRESS, SUBMISSION, COMMAND, SHORTCUT, {"type": "url_verification", "challenge": "c"}]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def without(body: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in body.items() if key != name}


@pytest.mark.parametrize("body", WELL)
def test_what_slack_sends_is_well(body: dict[str, Any]) -> None:
    assert fault_of(body) == ""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ([], "it is no object"),
        ({}, "it is of a sort that is not asked for"),
        ({"type": "event_callback"}, "it has no event"),
        ({"type": "event_callback", "event": {"type": "app_mention", "ts": "1"}}, "event: channel is missing"),
        ({"type": "event_callback", "event": {"type": "message", "channel": 7, "ts": "1"}},
         "event: channel is neither an id nor an object with one"),
        ({**MENTION, "authorizations": "T1"}, "authorizations is no list of objects"),
        ({**MENTION, "event": {**MENTION["event"], "text": ["hello"]}}, "event: text is no text"),
        ({**PRESS, "actions": []}, "actions is empty"),
        ({**PRESS, "actions": [{"value": "x"}]}, "actions.0.action_id is missing"),
        ({**PRESS, "user": None}, "user is of another type"),
        ({**SUBMISSION, "view": {}}, "view.callback_id is missing"),
        ({**SUBMISSION, "view": without(SUBMISSION["view"], "id")}, "view.id is missing"),
        ({**SUBMISSION, "view": without(SUBMISSION["view"], "state")}, "view.state is missing"),
        ({**SUBMISSION, "view": {**SUBMISSION["view"], "state": {"values": {"b": []}}}},
         "view.state.values.b is of another type"),
        ({**SUBMISSION, "view": {**SUBMISSION["view"], "state": {"values": {"b": {"a": "x"}}}}},
         "view.state.values.b.a is of another type"),
        ({**SUBMISSION, "view": {**SUBMISSION["view"], "state": {"values": {"b": {"a": {"selected_option": "x"}}}}}},
         "view.state.values.b.a.selected_option is of another type"),
        ({**SUBMISSION, "view": {**SUBMISSION["view"], "private_metadata": {}}},
         "view.private_metadata is of another type"),
        (without(PRESS, "trigger_id"), "trigger_id is missing"),
        ({**PRESS, "channel": "C1"}, "channel is of another type"),
        ({**PRESS, "message": {"ts": "1.2", "blocks": 7}}, "message.blocks is of another type"),
        ({**PRESS, "response_url": "C1"}, "response_url is no address"),
        (without(SHORTCUT, "trigger_id"), "trigger_id is missing"),
        ({"command": "/almanac", "user_id": "U2"}, "channel_id is missing"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_without_anything_of_the_body(body: object, said: str) -> None:
    assert fault_of(body) == said


@given(st.sampled_from(WELL), st.data())
@example(MENTION, None)
def test_whatever_passes_can_be_handed_to_bolt(body: dict[str, Any], data: st.DataObject | None) -> None:
    changed = copy.deepcopy(body)
    if data:
        places = [changed]
        places += [one for one in changed.values() if isinstance(one, dict)]
        places += [one for value in changed.values() if isinstance(value, list) for one in value]
        place = data.draw(st.sampled_from(places))
        key = data.draw(st.sampled_from(sorted(place)))
        if data.draw(st.booleans()):
            del place[key]
        else:
            place[key] = data.draw(ANYTHING)
    if not fault_of(changed):
        AsyncBoltRequest(mode="socket_mode", body=changed)
        AsyncBoltRequest(body=json.dumps(changed), headers={"content-type": "application/json"})
        assert is_kept(changed) in (True, False)


@given(ANYTHING)
def test_any_value_is_judged(body: object) -> None:
    assert isinstance(fault_of(body), str)


def test_what_is_nested_ever_so_deeply_is_judged() -> None:
    body: dict[str, Any] = dict(SHORTCUT)
    for _ in range(5000):
        body = {"view": body, **SHORTCUT}
    assert fault_of(body) == ""
