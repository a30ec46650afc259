"""What a person sees in the Home tab, and what pressing there does, however Slack reaches the bot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from bot_in_workspace import HOSTILE
from builders import NOW, GitRepo, Person, index
from plays import Play
from talking import SECONDS, nodes, pressed_at, said
from waiting import wait_until

from bot.settings import DigestSettings, PrivacySettings, Settings
from bot.slack.audience import GUEST_REFUSED
from bot.slack_app import home
from bot.slack_app.home import HomeTab
from bot.workspace import ThreadedWorkspace
from storage import Store
from storage.people import SlackUser

EDITH, GUEST = ("Edith Clarke", "edith@old.example.com"), ("Some Guest", "guest@example.com")
SG = ("Some Guest", "sg@old.example.com")  # not the address of their profile
Written = tuple[str, Person, str]

# What was written beside the engine's own history, and what is seen then.
PLAYS: dict[str, tuple[Written | None, str]] = {
    "a whole month comes as a direct message that can be followed up": (
        None,
        """
        ada opens home: 2 changes in acme … Fix the store
        ada presses All of October 2025
        bot direct: Ada Lovelace · October 2025 … the store
        ada direct: and august?
        bot direct: August 2025 … Add the mill
        """,
    ),
    "who was not active lately is offered their newest month": (
        ("Begin (#0)", GUEST, "2024-05-01"),
        """
        guest opens home: Your months
        first: Your May 2024
        guest presses Your May 2024
        bot direct: Some Guest · May 2024
        """,
    ),
    "not me is confirmed and can be undone": (
        None,
        f"""
        grace opens home: grace@example.com … You will not be Grace Hopper <grace@example.com> any more.
        grace presses Not me
        home: {home.UNKNOWN} … Done: grace@example.com is not yours any more. … 5 November 2025: Grace H. said that
        not: 1 change in acme
        grace presses Undo
        home: 1 change in acme … undone by Grace H. on 5 November 2025
        buttons: All of October 2025; Your profile; Not me; Add an address; Digests; Do not show me
        """,
    ),
    "a stranger to git adds an address and is somebody": (
        ("Add a clock (#4)", EDITH, "2025-10-07"),
        f"""
        guest opens home: {home.UNKNOWN}
        first: Add an address
        guest presses Add an address
        modal: An address that your commits are signed with
        guest submits address=edith@old.example.com
        modal: You will be Edith Clarke <edith@old.example.com>, who has 1 commit
        guest submits
        modal: Done: that is Edith Clarke <edith@old.example.com>.
        home: 1 change in acme … Some Guest is edith@old.example.com, not confirmed by an admin.
        not: Confirm
        ada opens home: not confirmed by an admin … Confirm … Decline
        ada presses Confirm
        home: Confirmed: Some Guest is edith@old.example.com.
        """,
    ),
    "what cannot be claimed is said below what was typed": (
        None,
        f"""
        grace opens home: grace@example.com
        guest opens home: {home.UNKNOWN}
        guest presses Add an address
        modal: An address that your commits are signed with
        guest submits address="no such thing"
        refused address: 'no such thing' is no address and no login
        guest submits address=grace@example.com
        refused address: grace@example.com is Grace H.'s: if that is not right, an admin can change it.
        """,
    ),
    "who may be theirs is asked with the reason": (
        ("Visit", SG, "2025-10-07"),
        """
        guest opens home: I take you for Some Guest, only because you have the same name … Why: the same name.
        first: This is me
        guest presses This is me
        home: Done: that is Some Guest <sg@old.example.com>.
        first:
        not: I take you
        """,
    ),
    "who asks not to be shown still sees themselves": (
        None,
        f"""
        grace opens home: {home.SHOWN} … {home.HIDING}
        grace presses Do not show me
        home: {home.HIDDEN} … 1 change in acme
        ada #general: @Almanac what did grace hopper do in october?
        bot thread: asked not to be shown
        grace opens home: {home.HIDDEN}
        grace presses Show me again
        home: {home.SHOWN}
        """,
    ),
}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Ada is an admin; two digests are wanted, one of them in a channel of which Slack knows nothing."""
    digests = [
        DigestSettings(channel="#shipped", hour=9),
        DigestSettings(channel="#leads", cadence="weekly", team=None),
    ]
    return replace(settings, digests=digests, privacy=PrivacySettings(admins=["U0001"]))


@pytest.fixture
def play(workspace: ThreadedWorkspace, bot: None) -> Play:
    return Play(workspace)


def add(engine: GitRepo, indexed: Store, title: str, author: Person, day: str) -> None:
    engine.commit(title, author=author, at=f"{day} 10:00 +0000", files={"src/more.py": title})
    index(indexed, engine.path)


@pytest.mark.parametrize("name", PLAYS)
def test_what_is_pressed_there(play: Play, engine: GitRepo, indexed: Store, name: str) -> None:
    written, text = PLAYS[name]
    if written:
        add(engine, indexed, *written)
    play.play(text)


class TestShown:
    """What stands in the tab."""

    def test_it_holds_ones_months_addresses_digests_and_the_index(self, play: Play) -> None:
        play.play("""
            grace opens home: 1 change in acme … November 2025 so far … Add a compiler
            buttons: All of October 2025; Your profile; Not me; Add an address; Digests; Do not show me
            home: Why: the address in your profile; 1 commit signed with it. … #shipped: everyone, monthly
            home: 1 repository: acme/engine.
            not: #leads
        """)
        assert [block["text"]["text"] for block in play.seen["blocks"] if block["type"] == "header"] == [
            "Your months", "Who you are in git", "Digests", "The index", "What others see of you",
        ]  # fmt: skip
        assert [one["text"] for one in nodes(play.seen["blocks"]) if one.get("type") == "mrkdwn"] == [
            "Next: <!date^1764579600^{date_pretty} at {time}|1 December 2025, 09:00 UTC>",
            "Newest commit: <!date^1759658400^{date_pretty} at {time}|5 October 2025, 10:00 UTC>. "
            "Last read: <!date^1762333200^{date_pretty} at {time}|5 November 2025, 09:00 UTC>.",
        ]

    def test_text_from_git_is_never_parsed(self, play: Play, engine: GitRepo, indexed: Store) -> None:
        add(engine, indexed, HOSTILE, (HOSTILE, "<!here>@example.com"), "2025-11-01")
        play.play("ada opens home: 2 changes in acme … Ping <!channel>")  # it is told, as it stands
        parsed = [one["text"] for one in nodes(play.seen["blocks"]) if one.get("type") == "mrkdwn"]
        assert parsed and all("Ping" not in one and "<!channel>" not in one for one in parsed)

    def test_a_guest_of_the_workspace_reads_one_sentence(self, play: Play, indexed: Store) -> None:
        wait_until(lambda: indexed.slack_users.listed_at() is not None)  # once a day, and first of all
        row = SlackUser("U0003", "Some Guest", "guest@example.com", "", "guest", False, NOW)
        indexed.slack_users.keep([row], workspace=play.workspace.workspace.team_id)
        play.play(f"guest opens home: {GUEST_REFUSED}")
        assert [block["text"]["text"] for block in play.seen["blocks"]] == [GUEST_REFUSED]

    def test_what_fails_costs_only_its_own_part(self, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(*_: Any) -> None:
            raise RuntimeError("by a test")

        monkeypatch.setattr(HomeTab, "months", broken)
        play.play("ada opens home: Your months cannot be shown just now … #shipped … ada@example.com")


class TestDone:
    """What is done is done as a whole, once, and by those whom it concerns."""

    def test_nobody_undoes_what_concerns_others(self, play: Play, indexed: Store) -> None:
        indexed.said.say("slack", "link", ["U0002"], "grace@example.com", "U0002", NOW)
        play.play(f"guest opens home: {home.UNKNOWN}")
        stolen = {"type": "button", "action_id": "home_undo.0", "text": {"type": "plain_text", "text": "Undo"}}
        row = {"type": "actions", "elements": [{**stolen, "value": "slack:1"}]}
        play.seen = {**play.seen, "blocks": [*play.seen["blocks"], row]}
        play.workspace.workspace.home_views["U0003"] = play.seen
        play.play("guest presses Undo\nhome: Only whom it concerns, or an admin, can undo this.")
        assert [one.undone_at for one in indexed.said.log("slack")] == [None]

    def test_a_press_that_is_delivered_again_does_nothing_more(self, play: Play, indexed: Store) -> None:
        play.play(f"""
            grace opens home: {home.SHOWN}
            grace presses Do not show me
            home: {home.HIDDEN}
            grace presses Show me again
            home: {home.SHOWN} … is shown again
        """)
        play.workspace.redeliver_press(pressed_at(play.workspace))
        play.workspace.wait_until(lambda: "is shown again" not in said(play.workspace.home_views["U0002"]), SECONDS)
        play.play(f"home: {home.SHOWN}")
        assert indexed.said.live("hide") == []
