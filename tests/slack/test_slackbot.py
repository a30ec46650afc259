"""`POST /mcp` for Slackbot: whoever Slack says is asking is the reader, and nobody else gets anything."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from bot_in_workspace import SECRET, patient, running_bot, settings_for, two_and_a_guest
from builders import NOW
from faulty_slack import send_signed

from bot.settings import Settings
from bot.workspace import ThreadedWorkspace, Workspace
from bot.workspace.block_kit import faults
from storage import Store

pytest.importorskip("mcp", reason="almanac-bot[mcp] is not installed")


@pytest.fixture
def team() -> Iterator[ThreadedWorkspace]:
    with patient(Workspace(two_and_a_guest(), ["general"])) as opened:
        yield opened


@pytest.fixture
def settings(team: ThreadedWorkspace, indexed: Store) -> Settings:
    return settings_for(team, "http", db=indexed.database, fixed_now=NOW, host="127.0.0.1")


def posted(settings: Settings, body: bytes, secret: str = SECRET, **more: Any) -> tuple[int, Any]:
    """What is answered to a body that is signed as Slack signs, unless `more` says otherwise."""
    accepted = {"Accept": "application/json, text/event-stream"}
    status, said = send_signed(settings.port, "/mcp", body, secret=secret, **accepted, **more)
    return status, json.loads(said) if said else said


NUMBERS = iter(range(1, 1_000_000))  # no two calls are alike


def call(workspace: ThreadedWorkspace, user: str | None, name: str, given: dict[str, Any], **more: Any) -> bytes:
    slack = {"user_id": user, "team_id": workspace.workspace.team_id} | more
    params = {"name": name, "arguments": given, "_meta": {"slack": slack}}
    return json.dumps({"jsonrpc": "2.0", "id": next(NUMBERS), "method": "tools/call", "params": params}).encode()


def id_of(workspace: ThreadedWorkspace, login: str) -> str:
    user = workspace.workspace.user(login)
    assert user is not None
    return user.id


def test_slackbot_finds_the_tools_and_is_answered_in_words_json_and_blocks(
    team: ThreadedWorkspace, settings: Settings
) -> None:
    with running_bot(settings):
        opening = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "s", "version": "1"}}
        asks = [("initialize", opening), ("tools/list", {}), ("ping", {})]
        found = []
        for number, (method, params) in enumerate(asks):
            body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
            found.append(posted(settings, body))
        assert [status for status, _ in found] == [200, 200, 200]
        assert found[0][1]["result"]["serverInfo"]["name"] == "almanac"
        tools = found[1][1]["result"]["tools"]
        assert all(one["_meta"] == {"slack": {"supportsBlockKit": True}} for one in tools)
        given = {"people": ["Grace Hopper"], "span": "2025-10"}
        status, said = posted(settings, call(team, id_of(team, "ada"), "month", given))
        assert status == 200
        result = said["result"]
        assert "Grace Hopper, October 2025" in result["content"][0]["text"]
        assert result["structuredContent"]["documents"][0]["counts"]["changes"] == 1
        blocks = result["_meta"]["slack"]["blocks"]
        assert faults({"channel": "C1", "text": "a", "blocks": blocks}) == [] and "compiler" in json.dumps(blocks)


def test_what_is_not_signed_now_for_this_workspace_gets_nothing(team: ThreadedWorkspace, settings: Settings) -> None:
    ada, given, now = id_of(team, "ada"), {"people": ["Ada Lovelace"]}, int(time.time())
    listing = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).encode()
    foreign = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {"slack": {"team_id": "T0OTHER1"}}}}
    ).encode()
    with running_bot(settings):
        refused = {
            "unsigned": posted(settings, call(team, ada, "month", given), X_Slack_Signature=""),
            "signed by another": posted(settings, call(team, ada, "month", given), "another secret"),
            "no time": posted(settings, call(team, ada, "month", given), at=10**30),
            "six minutes old": posted(settings, call(team, ada, "month", given), at=now - 360),
            "of another workspace": posted(settings, call(team, ada, "month", given, team_id="T0OTHER1")),
            "of no workspace": posted(settings, call(team, ada, "month", given, team_id=None)),
            "by nobody": posted(settings, call(team, None, "month", given)),
            "discovery, unsigned": posted(settings, listing, X_Slack_Signature=""),
            "discovery of another workspace": posted(settings, foreign),
            "no JSON": posted(settings, b"{"),
            "no object": posted(settings, b"[1, 2]"),
            "too deep": posted(settings, b"[" * 100_000),
        }
        assert refused == dict.fromkeys(refused, (401, b""))
        body = call(team, ada, "month", given)
        assert [posted(settings, body, at=now)[0] for _ in range(3)] == [200, 401, 401]
        assert posted(settings, call(team, ada, "month", given))[0] == 200
