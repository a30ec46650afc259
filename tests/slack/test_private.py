"""What a channel may not read is shown there in no way: not by question, command, direct message or digest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from bot_in_workspace import patient, running_bot, settings_for
from builders import ADA, NOW, Copy, GitRepo, index
from digesting import jobs_of

from bot.settings_tables import DigestSettings, RepositorySettings
from bot.slack.audience import GUEST_REFUSED, READERS_REFUSED, SHARING_NOTHING
from bot.slack.directory import Members
from bot.workspace import BOT_USER_ID, ThreadedWorkspace, Workspace, WorkspaceChannel, WorkspaceUser, WorkspaceUserGroup
from storage import Store
from storage.people import SlackUser

CAROL = ("Carol Quux", "carol@example.com")
LONG_AGO = datetime(2025, 10, 15, tzinfo=UTC)  # when the digests were first wanted


@pytest.fixture
def workspace() -> Iterator[ThreadedWorkspace]:
    """Ada alone is in #shipped, and Grace in the user group @chiefs."""
    people = [
        WorkspaceUser(name="ada", real_name="Ada Lovelace", email="ada@example.com", id="U0ADA1"),
        WorkspaceUser(name="grace", real_name="Grace H.", email="grace@example.com", id="U0GRACE1"),
        WorkspaceUser(name="guest", real_name="Some Guest", email="guest@example.com", id="U0GUEST1"),
    ]
    shipped = WorkspaceChannel(name="shipped", is_private=True, members=frozenset({"U0ADA1", BOT_USER_ID}))
    chiefs = WorkspaceUserGroup(handle="chiefs", users=("U0GRACE1",))
    team = Workspace(people, ["general", shipped], usergroups=[chiefs])
    with patient(team) as opened:
        yield opened


def _secret(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "secret")
    repo.commit("Plan the raid", author=ADA, at="2025-10-03 10:00 +0000", files={"plan.txt": "p"})


@pytest.fixture
def secret(indexed: Store, copy: Copy, tmp_path: Path) -> GitRepo:
    """A repository that only #shipped and @chiefs may read of."""
    copy(_secret)
    repo = GitRepo(tmp_path / "acme" / "secret")
    index(indexed, repo.path)
    return repo


@pytest.fixture
def asked(
    workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, secret: GitRepo
) -> Iterator[ThreadedWorkspace]:
    tables = [
        RepositorySettings(address=str(engine.path)),
        RepositorySettings(address=str(secret.path), audience=["#shipped", "@chiefs"]),
    ]
    settings = settings_for(workspace, "socket", db=indexed.path, fixed_now=NOW, repositories=tables)
    with running_bot(settings):
        workspace.wait_connected()
        yield workspace


def answer(workspace: ThreadedWorkspace, channel: str, text: str, user: str = "guest") -> dict[str, Any]:
    ts = workspace.say(user, channel, text)
    return workspace.wait_for(lambda m: m.get("user") == BOT_USER_ID and m["ts"] > ts)


@pytest.fixture
def carol(indexed: Store, secret: GitRepo) -> str:
    """The address of somebody who wrote in the secret repository alone."""
    secret.commit("Scout the raid", author=CAROL, at="2025-10-04 10:00 +0000", files={"scout.txt": "s"})
    index(indexed, secret.path)
    return CAROL[1]


def test_what_is_hidden_is_answered_as_what_is_not_there(
    carol: str, asked: ThreadedWorkspace, secret: GitRepo, indexed: Store
) -> None:
    """A repository by its name, a commit by its SHA, and who wrote only there by their address."""
    sha = secret.shas()[1][:10]
    for text, hidden, absent in (
        ("@Almanac ada in acme/secret october", "secret", "absent"),
        (f"@Almanac explain {sha}", sha, "0123456789"),
        (f"/almanac link {carol}", "carol", "nobody"),
        (f"@Almanac link {carol}", "carol", "nobody"),
    ):
        of_hidden, of_absent = (answer(asked, "general", one)["text"] for one in (text, text.replace(hidden, absent)))
        assert of_hidden.replace(hidden, absent) == of_absent
    assert "Plan the raid" in answer(asked, "shipped", f"@Almanac explain {sha}", "ada")["text"]
    assert "is Carol Quux's: 1 commit signed" in answer(asked, "shipped", f"/almanac link {carol}", "ada")["text"]
    with indexed.transaction(write=True) as connection:
        connection.execute("UPDATE slack_users SET address = 'carol@home.example' WHERE id = 'U0GUEST1'")
    said = json.dumps(answer(asked, "general", "/almanac link"))
    assert "I do not know yet who you are in git." in said and "Quux" not in said, "who is proposed to nobody else"


@pytest.mark.parametrize(
    "text", ["month carol october", "profile of carol", "who worked on raid", "ada in acme/secret october", "explain"]
)
def test_what_a_channel_may_not_know_of_is_not_named_where_somebody_shares_it(
    carol: str, asked: ThreadedWorkspace, secret: GitRepo, text: str
) -> None:
    wanted = f"explain {secret.tip}" if text == "explain" else text
    mine = answer(asked, "general", f"/almanac {wanted}", "grace")
    assert "raid" in mine["text"]
    (share,) = [one for block in mine["blocks"] for one in block.get("elements", ()) if one.get("action_id") == "share"]
    asked.press("grace", mine["channel"], mine["ts"], "share", share["value"])
    said = asked.wait_for(lambda m: m["text"] == SHARING_NOTHING)
    assert said["ephemeral"] and not [one for one in asked.messages("general") if "Quux" in one["text"]]


def test_where_slack_does_not_say_who_reads_and_to_a_guest_nothing_is_told(
    asked: ThreadedWorkspace, indexed: Store
) -> None:
    asked.faults.next("conversations.info", "http_500", times=2)
    said = answer(asked, "general", "@Almanac ada october 2025", "grace")
    assert said["text"] == READERS_REFUSED and said.get("ephemeral")
    with indexed.transaction(write=True) as connection:
        connection.execute("UPDATE slack_users SET standing = 'guest' WHERE id = 'U0GUEST1'")
    for text in ("/almanac month grace october", "/almanac help"):
        assert answer(asked, "general", text)["text"] == GUEST_REFUSED


def test_the_clock_pauses_a_digest_where_guests_read_and_says_so_once(
    workspace: ThreadedWorkspace, indexed: Store, secret: GitRepo, caplog: pytest.LogCaptureFixture
) -> None:
    digests = [DigestSettings(channel="#general"), DigestSettings(channel="#shipped")]
    settings = settings_for(workspace, "socket", db=indexed.path, fixed_now=NOW, digests=digests)
    team = workspace.workspace.team_id
    members = Members.of(settings, indexed, team)
    guest = SlackUser("U0GUEST1", "Some Guest", "", "", "guest", False, NOW)
    indexed.slack_users.keep([guest], workspace=team)
    jobs = jobs_of(settings, indexed, workspace, members)
    jobs_of(replace(settings, fixed_now=LONG_AGO), indexed, workspace, members).tick()
    asked = list[str]()
    for _ in range(3):
        jobs.tick()
        asked += [one.paused_why for one in indexed.digests.all() if one.is_paused]
    assert workspace.messages("general") == [] and workspace.messages("shipped") != []
    why = "there are guests in the channel: see `guests` in almanac.toml"
    said = [record.message for record in caplog.records if "#general" in record.message]
    assert (said, asked) == ([f"The monthly digest for #general is paused: {why}"], [why] * 3)
