"""Who is never answered, not even by a refusal: bots, who is gone, and what is for another workspace or app."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from bot_in_workspace import both_ways, patient
from talking import SECONDS

from bot.workspace import BOT_USER_ID, ThreadedWorkspace, Workspace, WorkspaceUser

Json = dict[str, Any]
SAYS = ("chat.postMessage", "chat.postEphemeral", "chat.update", "views.open", "views.publish")


@pytest.fixture
def workspace() -> Iterator[ThreadedWorkspace]:
    people = [
        WorkspaceUser(name="ada", real_name="Ada Lovelace", email="ada@example.com", id="U0ADA1"),
        WorkspaceUser(name="robot", real_name="Ro Bot", id="U0ROBOT1", is_bot=True),
        WorkspaceUser(name="left", real_name="Lefty Gone", email="left@example.com", id="U0LEFT1", deleted=True),
    ]
    with patient(Workspace(people, ["general"])) as opened:
        yield opened


def mention(workspace: ThreadedWorkspace, user: str, ts: str) -> Json:
    channel = workspace.workspace.channel("general")
    assert channel is not None
    text = f"<@{BOT_USER_ID}> ada october 2025"
    return {"type": "app_mention", "user": user, "text": text, "ts": ts, "event_ts": ts, "channel": channel.id}


def delivered(workspace: ThreadedWorkspace, event: Json, number: int, **more: Any) -> None:
    team = workspace.workspace.team_id
    body = {
        "type": "event_callback", "event_id": f"Ev{number}", "team_id": team, "api_app_id": "A0ALMANAC", "event": event,
        "authorizations": [{"team_id": team, "user_id": BOT_USER_ID}], "is_ext_shared_channel": False,
    }  # fmt: skip
    assert workspace.deliver("events_api", body | more).is_acknowledged


def is_answered_alone(workspace: ThreadedWorkspace, *others: str) -> bool:
    """Whether the bot says something to Ada, who asks last, and said nothing before."""
    ts = workspace.say("ada", "general", "@Almanac ada october 2025")
    workspace.wait_for(lambda m: m.get("user") == BOT_USER_ID and m.get("thread_ts") == ts, SECONDS)
    said = [one.arguments for one in workspace.calls if one.method in SAYS]
    return all(one.get("thread_ts") in (ts, *others) for one in said) and bool(said)


USERS = ("U0ROBOT1", "U0LEFT1", "USLACKBOT")
ELSEWHERE: list[Json] = [
    {"team_id": "T0OTHER1"},
    {"enterprise_id": "E0OTHER1"},
    {"api_app_id": "A0OTHER1"},
    {"authorizations": [{"team_id": "T0OTHER1"}]},
    {"team_id": "T0OTHER1", "is_ext_shared_channel": True, "authorizations": [{"team_id": "T0OTHER1"}]},
    {"api_app_id": "A0OTHER1", "is_ext_shared_channel": True},
]


@both_ways
@pytest.mark.usefixtures("bot")
def test_bots_who_is_gone_and_what_is_for_others(workspace: ThreadedWorkspace) -> None:
    for number, user in enumerate(USERS):
        delivered(workspace, mention(workspace, user, f"1.{number}"), number)
        dm = {**mention(workspace, user, f"1.9{number}"), "type": "message", "channel_type": "im"}
        delivered(workspace, dm, 90 + number)
    for number, more in enumerate(ELSEWHERE, 200):
        delivered(workspace, mention(workspace, "U0ADA1", f"1.{number}"), number, **more)
    command = {
        "command": "/almanac", "text": "help", "user_id": "U0ADA1", "channel_id": "C0001",
        "team_id": workspace.workspace.team_id, "response_url": f"{workspace.api_url}response/nowhere",
    }  # fmt: skip
    for more in ({"team_id": "T0OTHER1"}, {"enterprise_id": "E0OTHER1"}, {"user_id": "U0LEFT1"}):
        assert workspace.deliver("slash_commands", command | more).is_acknowledged
    assert is_answered_alone(workspace)
    statuses = [one.arguments for one in workspace.calls if one.method.endswith(".setStatus")]
    assert not [one for one in statuses if one["thread_ts"].startswith("1.")], "nor do they see that it works"


@pytest.mark.usefixtures("bot")
def test_what_happened_elsewhere_in_a_shared_channel_is_answered(workspace: ThreadedWorkspace) -> None:
    """Slack delivers it for this workspace."""
    delivered(workspace, mention(workspace, "U0ADA1", "1.1"), 1, team_id="T0OTHER1", is_ext_shared_channel=True)
    workspace.wait_for(lambda m: m.get("user") == BOT_USER_ID, SECONDS)
