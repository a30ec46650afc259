"""Shortcuts: one's own month from anywhere, and the month of whoever wrote a message."""

from __future__ import annotations

import pytest
from builders import ADA, NOW, GitRepo, index
from talking import answer_to, ask, buttons, direct, modal, press_in_modal, said

from bot.workspace import BOT_USER_ID, ThreadedWorkspace
from storage import Store

pytestmark = pytest.mark.usefixtures("bot")


def test_my_month_is_the_newest_that_holds_anything(workspace: ThreadedWorkspace) -> None:
    workspace.shortcut("ada", "my_month")
    october = modal(workspace, "ada", "the store")
    assert october["title"]["text"] == "October 2025"
    assert list(buttons(october)) == ["← August 2025", "All 2 changes"]
    press_in_modal(workspace, "ada", "← August 2025")
    august = modal(workspace, "ada", "Add the mill")
    assert (august["id"], list(buttons(august))) == (october["id"], ["October 2025 →"])


def test_the_month_of_whoever_wrote_a_message(workspace: ThreadedWorkspace) -> None:
    ts = workspace.say("grace", "general", "the compiler is in")
    workspace.message_shortcut("guest", "general", ts, "author_month")
    shown = modal(workspace, "guest", "Add a compiler")
    assert "Grace Hopper, October 2025" in said(shown)


def test_who_is_nobody_in_git_is_told_what_to_do(workspace: ThreadedWorkspace) -> None:
    workspace.shortcut("guest", "my_month")
    modal(workspace, "guest", "say so by /almanac link")
    ts = workspace.say("guest", "general", "hello")
    workspace.message_shortcut("ada", "general", ts, "author_month")
    modal(workspace, "ada", "I do not know who Some Guest is in git")


def test_who_asked_not_to_be_shown_is_shown_to_nobody_else(workspace: ThreadedWorkspace, indexed: Store) -> None:
    indexed.said.say("hide", "hide", ["grace@example.com"], "", "U0002", NOW)
    ts = workspace.say("grace", "general", "the compiler is in")
    workspace.message_shortcut("ada", "general", ts, "author_month")
    shown = said(modal(workspace, "ada", "asked not to be shown"))
    assert shown.endswith("Grace Hopper asked not to be shown, so I tell nothing of their work.")
    assert "cannot answer now" not in shown


def test_a_bot_has_no_month(workspace: ThreadedWorkspace) -> None:
    answer = ask(workspace, "ada", "@Almanac ada october 2025")
    assert answer["user"] == BOT_USER_ID
    workspace.message_shortcut("ada", "general", answer["ts"], "author_month")
    modal(workspace, "ada", "No person wrote this message")


def test_a_shortcut_that_opens_too_late_is_answered_in_a_direct_message(workspace: ThreadedWorkspace) -> None:
    workspace.workspace.trigger_seconds = -1.0
    ts = workspace.workspace.next_ts()
    workspace.shortcut("ada", "my_month")
    told = answer_to(workspace, ts, "too little time")
    assert told["channel"] == direct(workspace, "ada")


def test_a_month_of_400_commits_fits_into_a_modal(
    workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store
) -> None:
    engine.many(400, author=ADA, start=1_761_955_200)  # November 2025
    index(indexed, engine.path)
    workspace.shortcut("ada", "my_month")
    shown = modal(workspace, "ada", "November 2025 (to date)")
    assert "← October 2025" in buttons(shown)
