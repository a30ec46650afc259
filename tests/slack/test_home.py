"""What a person sees in the Home tab, and what pressing there does, however Slack reaches the bot."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bot_in_workspace import HOSTILE, running_bot, settings_for
from builders import ADA, NOW, GitRepo, index
from talking import SECONDS, answer_to, buttons, direct, modal, nodes, pressed_at, said, write_to_bot
from values import commit, somebody
from waiting import wait_until

from bot.settings import Settings
from bot.settings_tables import DigestSettings, PrivacySettings, RepositorySettings
from bot.slack import elements
from bot.slack.audience import GUEST_REFUSED
from bot.slack_app import home
from bot.slack_app.home import HomeTab
from bot.workspace import BOT_USER_ID, ThreadedWorkspace, WorkspaceChannel
from storage import Store
from storage.people import SlackUser

Json = dict[str, Any]
EDITH = ("Edith Clarke", "edith@old.example.com")


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Ada is an admin; two digests are wanted, one of them in a channel of which Slack knows nothing."""
    digests = [
        DigestSettings(channel="#shipped", hour=9),
        DigestSettings(channel="#leads", cadence="weekly", team=None),
    ]
    return replace(settings, digests=digests, privacy=PrivacySettings(admins=["U0001"]))


def user_id(workspace: ThreadedWorkspace, login: str) -> str:
    user = workspace.workspace.user(login)
    assert user is not None
    return user.id


def tab(workspace: ThreadedWorkspace, login: str, fits: Callable[[Json], bool], seconds: float = SECONDS) -> Json:
    """Somebody's Home tab, once it fits."""
    user = user_id(workspace, login)

    def shown() -> Json | None:
        view = workspace.workspace.home_views.get(user)
        return view if view and fits(view) else None

    return workspace.wait_until(shown, timeout=seconds)


def showing(*texts: str) -> Callable[[Json], bool]:
    return lambda view: all(text in said(view) for text in texts) and elements.LOADING not in said(view)


def opened(workspace: ThreadedWorkspace, login: str, *texts: str) -> Json:
    """Their tab as it is opened; once more where the bot has not noticed yet what was indexed just now."""
    for _ in range(20):
        workspace.open_home(login)
        with contextlib.suppress(TimeoutError):
            return tab(workspace, login, showing(*texts), SECONDS / 20)
    raise AssertionError(said(workspace.home_views[user_id(workspace, login)]))


def press(workspace: ThreadedWorkspace, login: str, label: str, view: Json | None = None) -> None:
    shown = view or workspace.home_views[user_id(workspace, login)]
    one = buttons(shown)[label]
    workspace.press_home(login, one["action_id"], one.get("value"))


def primary(view: Json) -> list[str]:
    """What is offered first."""
    return [label for label, one in buttons(view).items() if one.get("style") == "primary"]


def headers(view: Json) -> list[str]:
    return [block["text"]["text"] for block in view["blocks"] if block["type"] == "header"]


def shown_errors(workspace: ThreadedWorkspace, user: str) -> Json:
    return workspace.workspace.modals.errors.get(user) or {}


def with_edith(engine: GitRepo, indexed: Store) -> None:
    engine.commit("Add a clock (#4)", author=EDITH, at="2025-10-07 10:00 +0000", files={"src/clock.py": "c\n"})
    index(indexed, engine.path)


@pytest.mark.usefixtures("bot")
class TestShown:
    """What stands in the tab."""

    def test_it_holds_ones_months_addresses_digests_and_the_index(self, workspace: ThreadedWorkspace) -> None:
        view = opened(workspace, "grace", "1 change in acme")
        assert headers(view) == [
            "Your months", "Who you are in git", "Digests", "The index", "What others see of you",
        ]  # fmt: skip
        assert list(buttons(view)) == [
            "All of October 2025",
            "Your profile",
            "Not me",
            "Add an address",
            "Digests",
            "Do not show me",
        ]
        text = said(view)
        assert "November 2025 so far" in text and "Add a compiler" in text
        assert "grace@example.com\nWhy: the address in your profile; they signed 1 commit with it." in text
        assert "#shipped: everyone, monthly" in text and "#leads" not in text
        assert "1 repository: acme/engine." in text
        dates = [one["text"] for one in nodes(view["blocks"]) if one.get("type") == "mrkdwn"]
        assert dates == [
            "Next: <!date^1764579600^{date_pretty} at {time}|1 December 2025, 09:00 UTC>",
            "Newest commit: <!date^1759658400^{date_pretty} at {time}|5 October 2025, 10:00 UTC>. "
            "Last read: <!date^1762333200^{date_pretty} at {time}|5 November 2025, 09:00 UTC>.",
        ]

    def test_text_from_git_is_never_parsed(self, workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store) -> None:
        engine.commit(HOSTILE, author=(HOSTILE, "<!here>@example.com"), at="2025-11-01 10:00 +0000", files={"a": "a"})
        index(indexed, engine.path)
        view = opened(workspace, "ada", "2 changes in acme")
        parsed = [one["text"] for one in nodes(view["blocks"]) if one.get("type") == "mrkdwn"]
        assert parsed and all("Ping" not in one and "<!channel>" not in one for one in parsed)
        assert "Ping <!channel>" in said(view)  # but it is told, as it stands

    def test_a_whole_month_comes_as_a_direct_message_that_can_be_followed_up(
        self, workspace: ThreadedWorkspace
    ) -> None:
        opened(workspace, "ada", "2 changes in acme", "Fix the store")  # whole, where no heading says so
        press(workspace, "ada", "All of October 2025")
        answer = answer_to(workspace, "0", "Ada Lovelace · October 2025")
        assert answer["channel"] == direct(workspace, "ada") and "the store" in answer["text"]
        ts = write_to_bot(workspace, "ada", "and august?")
        assert "Add the mill" in answer_to(workspace, ts, "August 2025")["text"]

    def test_who_was_not_active_lately_is_offered_their_newest_month(
        self, workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store
    ) -> None:
        engine.commit("Begin (#0)", author=("Some Guest", "guest@example.com"), at="2024-05-01 10:00 +0000")
        index(indexed, engine.path)
        view = opened(workspace, "guest", "Your months")
        assert primary(view) == ["Your May 2024"]
        press(workspace, "guest", "Your May 2024")
        assert "Some Guest · May 2024" in answer_to(workspace, "0", "May 2024")["text"]

    def test_a_guest_of_the_workspace_reads_one_sentence(self, workspace: ThreadedWorkspace, indexed: Store) -> None:
        user = user_id(workspace, "guest")
        wait_until(lambda: indexed.slack_users.listed_at() is not None)  # once a day, and first of all
        row = SlackUser(user, "Some Guest", "guest@example.com", "", "guest", False, NOW)
        indexed.slack_users.keep([row], workspace=workspace.workspace.team_id)
        view = opened(workspace, "guest", GUEST_REFUSED)
        assert [block["text"]["text"] for block in view["blocks"]] == [GUEST_REFUSED]

    def test_where_nothing_is_indexed_it_is_said_and_looked_again(
        self, workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store
    ) -> None:
        with indexed.transaction(write=True) as connection:
            connection.execute("DELETE FROM commits")
            connection.execute("DELETE FROM repositories")
        view = opened(workspace, "guest", "Nothing is indexed yet")
        assert primary(view) == ["Add an address", "Look again"]
        index(indexed, engine.path)
        press(workspace, "guest", "Look again")
        tab(workspace, "guest", showing("1 repository: acme/engine."))

    def test_a_repository_that_cannot_be_read_is_told_in_a_line(
        self, workspace: ThreadedWorkspace, indexed: Store
    ) -> None:
        indexed.commits.mark_failed("acme/engine", "the host refused: <!channel> & *all*")
        opened(workspace, "grace", "acme/engine could not be read: the host refused: <!channel> & *all*")

    def test_what_takes_its_time_does_not_keep_the_rest_waiting(
        self, workspace: ThreadedWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole, seen = HomeTab.months, threading.Event()

        def slow(*arguments: Any) -> Any:
            seen.wait(SECONDS)
            return whole(*arguments)

        monkeypatch.setattr(HomeTab, "months", slow)
        workspace.open_home("ada")
        tab(workspace, "ada", lambda view: elements.LOADING in said(view) and "ada@example.com" in said(view))
        seen.set()
        tab(workspace, "ada", showing("2 changes in acme"))

    def test_what_fails_costs_only_its_own_part(
        self, workspace: ThreadedWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: Any) -> None:
            raise RuntimeError("by a test")

        monkeypatch.setattr(HomeTab, "months", broken)
        opened(workspace, "ada", "Your months cannot be shown just now", "#shipped", "ada@example.com")


@pytest.mark.usefixtures("bot")
class TestWhoTheyAre:
    """Addresses are theirs by rules that are shown; what they say of them is confirmed, logged and undoable."""

    def test_not_me_is_confirmed_and_can_be_undone(self, workspace: ThreadedWorkspace) -> None:
        view = opened(workspace, "grace", "grace@example.com")
        sure = buttons(view)["Not me"]["confirm"]
        assert sure["text"]["text"] == "You will not be Grace Hopper <grace@example.com> any more."
        press(workspace, "grace", "Not me")
        view = tab(workspace, "grace", showing(home.UNKNOWN, "Done: that is not Grace Hopper <grace@example.com>."))
        assert "5 November 2025: Grace H. said that Grace H. is not grace@example.com." in said(view)
        press(workspace, "grace", "Undo")
        view = tab(workspace, "grace", showing("1 change in acme"))
        assert "Undo" not in buttons(view) and "undone by Grace H. on 5 November 2025" in said(view)

    def test_a_stranger_to_git_adds_an_address_and_is_somebody(
        self, workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store
    ) -> None:
        with_edith(engine, indexed)
        view = opened(workspace, "guest", home.UNKNOWN)
        assert primary(view) == ["Add an address"]
        press(workspace, "guest", "Add an address")
        modal(workspace, "guest", "An address that your commits are signed with")
        workspace.submit("guest", {"address": "edith@old.example.com"})
        modal(workspace, "guest", "You will be Edith Clarke <edith@old.example.com>, who has 1 commit")
        workspace.submit("guest")
        modal(workspace, "guest", "Done: that is Edith Clarke <edith@old.example.com>.")
        view = tab(workspace, "guest", showing("1 change in acme", "edith@old.example.com"))
        assert "Some Guest said that Some Guest is edith@old.example.com, not confirmed by an admin." in said(view)

    def test_what_cannot_be_claimed_is_said_below_what_was_typed(self, workspace: ThreadedWorkspace) -> None:
        opened(workspace, "grace", "grace@example.com")
        opened(workspace, "guest", home.UNKNOWN)
        user = user_id(workspace, "guest")
        for typed, why in (
            ("no such thing", "'no such thing' is no address and no login"),
            ("grace@example.com", "grace@example.com is Grace H.'s: if that is not right, an admin can change it."),
        ):
            press(workspace, "guest", "Add an address")
            modal(workspace, "guest", "An address that your commits are signed with")
            workspace.submit("guest", {"address": typed})
            workspace.wait_until(lambda w=why: w in shown_errors(workspace, user).get("address", ""), timeout=SECONDS)
            workspace.close_modal("guest")  # else the next one would be taken for open before it is

    def test_what_cannot_be_done_as_a_whole_is_not_begun(
        self, workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store
    ) -> None:
        """What is said of an address, and that admins are told of it."""
        engine.commit("Visit", author=("Some Guest", "sg@old.example.com"), at="2025-10-07 10:00 +0000")
        index(indexed, engine.path)
        with closing(sqlite3.connect(indexed.path)) as connection, connection:
            connection.execute(
                """CREATE TRIGGER full BEFORE INSERT ON outbox WHEN new.key LIKE 'claim|%'
                   BEGIN SELECT RAISE(ABORT, 'no room'); END"""
            )
        opened(workspace, "guest", "Some Guest, sg@old.example.com")
        press(workspace, "guest", "This is me")
        tab(workspace, "guest", showing("atabase"))
        assert indexed.said.log("slack") == []

    def test_who_may_be_theirs_is_asked_with_the_reason(
        self, workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store
    ) -> None:
        engine.commit("Visit", author=("Some Guest", "sg@old.example.com"), at="2025-10-07 10:00 +0000")
        index(indexed, engine.path)
        view = opened(workspace, "guest", "I take you for Some Guest, only because you have the same name")
        assert "Some Guest, sg@old.example.com, 1 commit\nWhy: the same name." in said(view)
        assert primary(view) == ["This is me"]
        press(workspace, "guest", "This is me")
        view = tab(workspace, "guest", showing("Done: that is Some Guest <sg@old.example.com>."))
        assert primary(view) == [] and "I take you" not in said(view)

    def test_who_asks_not_to_be_shown_still_sees_themselves(self, workspace: ThreadedWorkspace) -> None:
        view = opened(workspace, "grace", home.SHOWN)
        assert buttons(view)["Do not show me"]["confirm"]["text"]["text"] == home.HIDING
        press(workspace, "grace", "Do not show me")
        view = tab(workspace, "grace", showing(home.HIDDEN, "1 change in acme"))
        ts = workspace.say("ada", "general", "@Almanac what did grace hopper do in october?")
        assert "asked not to be shown" in answer_to(workspace, ts)["text"]
        press(workspace, "grace", "Show me again")
        tab(workspace, "grace", showing(home.SHOWN))

    def test_nobody_undoes_what_concerns_others(self, workspace: ThreadedWorkspace, indexed: Store) -> None:
        indexed.said.say("slack", "link", ["U0002"], "grace@example.com", "U0002", NOW)
        opened(workspace, "guest", home.UNKNOWN)
        guest = user_id(workspace, "guest")
        stolen = {"type": "button", "action_id": "home_undo.0", "text": {"type": "plain_text", "text": "Undo"}}
        row = {"type": "actions", "elements": [{**stolen, "value": "slack:1"}]}
        view = workspace.home_views[guest]
        workspace.workspace.home_views[guest] = {**view, "blocks": [*view["blocks"], row]}
        workspace.press_home("guest", "home_undo.0")
        tab(workspace, "guest", showing("Only whom it concerns, or an admin, can undo this."))
        assert [one.undone_at for one in indexed.said.log("slack")] == [None]

    def test_a_press_that_is_delivered_again_does_nothing_more(
        self, workspace: ThreadedWorkspace, indexed: Store
    ) -> None:
        opened(workspace, "grace", home.SHOWN)
        press(workspace, "grace", "Do not show me")
        tab(workspace, "grace", showing(home.HIDDEN))
        press(workspace, "grace", "Show me again")
        tab(workspace, "grace", showing(home.SHOWN, "is shown again"))
        workspace.redeliver_press(pressed_at(workspace))
        tab(workspace, "grace", lambda view: "is shown again" not in said(view))
        assert home.SHOWN in said(workspace.home_views[user_id(workspace, "grace")])
        assert indexed.said.live("hide") == []

    def test_of_many_addresses_the_rest_is_counted(self, workspace: ThreadedWorkspace, indexed: Store) -> None:
        others = [f"ada{number}@example.com" for number in range(17)]
        works = [commit(f"Work as {one}", author=somebody("Ada", one), repository="acme/engine") for one in others]
        indexed.commits.add("acme/engine", works)
        indexed.said.say("address", "link", others, "ada@example.com", "root", NOW, confirmed=True)
        view = opened(workspace, "ada", "linked by hand, by root on 5 November 2025", "3 more: ask /almanac link")
        labels = [one["text"]["text"] for one in nodes(view["blocks"]) if one.get("type") == "button"]
        assert labels.count("Not me") == 15


@pytest.mark.usefixtures("bot")
class TestPublished:
    """A tab is published with the hash of what it replaces, and never in the way of anything."""

    def test_with_the_hash_of_the_view_before(self, workspace: ThreadedWorkspace) -> None:
        first = opened(workspace, "grace", "1 change in acme")
        before = len(published(workspace))
        workspace.open_home("grace")
        workspace.wait_until(lambda: published(workspace)[before:], timeout=SECONDS)
        hashes = [call.arguments.get("hash") for call in published(workspace)]
        assert hashes[0] is None and all(hashes[1:]) and hashes[before] == first["hash"]

    def test_anew_where_it_shows_something_newer(self, workspace: ThreadedWorkspace) -> None:
        opened(workspace, "grace", "1 change in acme")
        before = len(published(workspace))
        workspace.faults.next("views.publish", "error:hash_conflict")
        press(workspace, "grace", "Not me")
        tab(workspace, "grace", showing("Done: that is not Grace Hopper <grace@example.com>."))
        assert [bool(call.arguments.get("hash")) for call in published(workspace)[before:]] == [True, False]

    def test_that_it_is_switched_off_is_said_once(
        self, workspace: ThreadedWorkspace, caplog: pytest.LogCaptureFixture
    ) -> None:
        workspace.faults.next("views.publish", "error:not_enabled", 2)
        for opening in (1, 2):
            workspace.open_home("grace")
            workspace.wait_until(lambda n=opening: published(workspace)[n - 1 :], timeout=SECONDS)
        opened(workspace, "grace", "1 change in acme")
        assert [one.message for one in caplog.records if "not_enabled" in one.message] == [
            "views.publish: not_enabled: switch on the Home tab, as manifest.json has it; it is not said again"
        ]


def published(workspace: ThreadedWorkspace) -> list[Any]:
    return [call for call in workspace.calls if call.method == "views.publish"]


class TestPrivate:
    """What somebody may not read is not there for them."""

    @pytest.fixture
    def asked(
        self, workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo, tmp_path: Path
    ) -> Iterator[ThreadedWorkspace]:
        secret = GitRepo(tmp_path / "acme" / "secret")
        secret.commit("Plan the raid", author=ADA, at="2025-10-09 10:00 +0000", files={"plan.txt": "p"})
        secret.commit("Join", author=("Some Guest", "sg@old.example.com"), at="2025-10-09 11:00 +0000")
        index(indexed, secret.path)
        members = frozenset({user_id(workspace, "ada"), BOT_USER_ID})
        workspace.workspace.add_channel(WorkspaceChannel(name="chiefs", is_private=True, members=members))
        settings = settings_for(
            workspace,
            "socket",
            db=indexed.path,
            fixed_now=NOW,
            repositories=[
                RepositorySettings(address=str(engine.path)),
                RepositorySettings(address=str(secret.path), audience=["#chiefs"]),
            ],
            digests=[
                DigestSettings(channel="#chiefs"),
                DigestSettings(channel="#shipped", repositories=["acme/secret"]),
                DigestSettings(channel="#general"),
            ],
        )
        with running_bot(settings):
            workspace.wait_connected()
            yield workspace

    def test_neither_repositories_nor_channels_nor_authors(self, asked: ThreadedWorkspace) -> None:
        view = opened(asked, "guest", "1 repository: acme/engine.", "#general: everyone, monthly")
        text = json.dumps(view["blocks"])
        assert "secret" not in text and "chiefs" not in text and "sg@old" not in text and "Plan" not in text

    def test_whom_it_is_for_is_told(self, asked: ThreadedWorkspace) -> None:
        opened(asked, "ada", "acme/engine and acme/secret", "3 changes in acme", "everyone in acme/secret")
