"""What is shown in modals and done in them: all changes, why they are told so, and what is not right about them."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from builders import ADA, NOW, GitRepo, index
from plays import Play
from talking import SECONDS, ask, modal, nodes, press

from bot.slack.audience import SORRY
from bot.slack.inbox import WORKERS
from bot.slack.modals import A_PAGE, Dialogs
from bot.workspace import ThreadedWorkspace
from storage import Store

pytestmark = pytest.mark.usefixtures("bot")
NOT_RIGHT = """
    ada #general: {asked}
    bot {where}: October 2025
    ada presses Not right?
    modal: Which change?
"""
BEGUN = NOT_RIGHT.format(asked="@Almanac ada october 2025", where="thread")
ALONE = NOT_RIGHT.format(asked="/almanac month october", where="alone")
# SHA is that of a fix of Ada's, and SHORT its beginning.
PLAYS = {
    "why a change is told so is shown upon the list": """
        guest #general: @Almanac ada october 2025
        bot thread: October 2025
        guest presses All 2 changes
        modal: Fix the store
        guest presses Explain
        modal 2: Ping <!channel> … Why it is shown this way
        guest closes
        modal: Fix the store
    """,
    "a change counts as another kind until that is undone": f"""
        {BEGUN}
        ada submits change=SHA wrong=performance
        modal: SHORT counts as a performance change from now on.
        not here: Fixed
        buttons: ← August 2025; All 2 changes; Profile; Not right?
        modal: from now on
        ada presses Undo
        modal: Undone: SHORT is a performance change.
        bot here: *Fixed*
    """,
    "it is called otherwise": f"""
        {BEGUN}
        ada submits change=SHA title="Keep <!channel> & *all* of it"
        modal: from now on
        bot here: Keep &lt;!channel&gt; &amp; *all* of it
        not: the store
    """,
    "one thing is corrected at a time, and a title needs words": f"""
        {BEGUN}
        ada submits change=SHA
        refused title: Choose what it is, or write what it should be called: one of them.
        ada submits change=SHA title="   "
        refused title: A title needs words: write what the change is to be called.
        ada submits change=SHA wrong=docs title=Another
        refused title: Choose what it is, or write what it should be called: one of them.
    """,
    "it is left out, which can be undone later": f"""
        {ALONE}
        ada submits change=SHA wrong=hidden
        modal: is left out from now on
        not here: store
        bot here: left out at the wish of its author
        ada closes
        {ALONE}
        modal: corrected by hand … SHORT Fix the store (#2): it is left out of all months (Ada Lovelace, 2025-11-05).
        ada presses Undo
        modal: Undone: SHORT is left out of all months.
        ada #general: @Almanac ada october 2025
        bot thread: the store
    """,
    "nobody else may say so": """
        ada #general: @Almanac ada october 2025
        bot thread: October 2025
        grace presses Not right?
        modal: Only Ada Lovelace and admins can correct what is shown of Ada Lovelace.
    """,
    "in a direct message": """
        ada direct: my october
        bot direct: October 2025
        ada presses Not right?
        modal: Which change?
        ada submits change=SHA wrong=performance
        modal: counts as a performance change
        not here: Fixed
        buttons: ← August 2025; All 2 changes; Profile; Share in a channel; Not right?
    """,
}


@pytest.mark.parametrize("name", PLAYS)
def test_what_is_done_in_them(workspace: ThreadedWorkspace, engine: GitRepo, name: str) -> None:
    sha = engine.shas()[2]
    Play(workspace).play(PLAYS[name].replace("SHA", sha).replace("SHORT", sha[:9]))


LONG = "Ring <!channel> & *all* of _them_ `now` <@U0001> " * 61 + "!" * 11  # 3,000 characters
SIZES = {"very many": 400, "very long": 3}


@pytest.mark.parametrize("size", SIZES)
def test_months_of_every_size_fit_into_messages_and_modals(
    workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store, size: str
) -> None:
    """The workspace refuses what Slack would."""
    if size == "very many":
        engine.many(400, author=ADA, start=1_751_328_000)  # July 2025
    for number in range(3 if size == "very long" else 0):
        engine.commit(f"{number} {LONG}", author=ADA, at=f"2025-07-0{number + 1} 10:00 +0000", files={f"{number}": "x"})
    index(indexed, engine.path)
    play = Play(workspace)
    play.play(f"""
        guest #general: @Almanac ada july 2025
        bot thread: July 2025
        buttons: August 2025 →; All {SIZES[size]} changes; Profile; Not right?
        ada presses All {SIZES[size]} changes
        modal: Ada Lovelace, July 2025
        ada presses Explain
        modal 2: Why it is shown this way
        ada closes all
        ada presses the same: Not right?
        modal: Which change?
    """)
    options = {one["value"] for one in nodes(play.seen["blocks"]) if len(one.get("value", "")) == 40}
    assert len(options) == SIZES[size]
    play.play(f"""
        ada submits change={min(options)} title=It
        modal: is called “It” from now on
        ada closes
        ada #general: /almanac month july
        bot alone: July
    """)
    assert all("<!channel>" not in str(call.arguments.get("text", "")) for call in workspace.calls)


def test_a_long_list_is_turned_page_by_page(workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store) -> None:
    engine.many(100, author=ADA, start=1_751_328_000)  # July 2025
    index(indexed, engine.path)
    play = Play(workspace)
    play.play("""
        guest #general: @Almanac ada july 2025
        bot thread: July 2025
        guest presses All 100 changes
        modal: 1 to 40 … Change 99
        buttons: Explain; Older →
    """)
    assert len([one for one in nodes(play.seen["blocks"]) if one.get("type") == "section"]) == A_PAGE + 1
    play.play("""
        guest presses Older →
        modal: 41 to 80
        guest presses Older →
        modal: 81 to 100 … Change 0
        buttons: Explain; ← Newer
        guest presses ← Newer
        modal: 41 to 80
    """)


def test_a_modal_opens_at_once_while_every_thread_is_busy(
    workspace: ThreadedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A trigger lives three seconds."""
    october, whole, free = ask(workspace, "guest", "@Almanac ada october 2025"), Dialogs.changes, threading.Event()

    def slow(*arguments: Any) -> Any:
        free.wait(SECONDS)
        return whole(*arguments)

    monkeypatch.setattr(Dialogs, "changes", slow)
    for number in range(WORKERS + 1):
        press(workspace, "guest", october, "All 2 changes")
        workspace.wait_until(lambda n=number: opened(workspace) > n, SECONDS)  # type: ignore[misc]
    modal(workspace, "guest", "One moment")
    free.set()
    modal(workspace, "guest", "Fix the store")


def opened(workspace: ThreadedWorkspace) -> int:
    return sum(call.method == "views.open" for call in workspace.calls)


def test_what_is_undone_is_what_the_button_meant(workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store) -> None:
    """What was said before counts again, and is not undone by a button that meant what came after it."""
    for title in ("A first title", "A second title"):
        indexed.said.say("change", "title", [engine.tip], title, "Grace Hopper", NOW)
    play = Play(workspace)
    play.play("""
        grace #general: @Almanac grace october 2025
        bot thread: October 2025
        grace presses Not right?
        modal: A second title
    """)
    view = play.seen
    play.play("grace presses Undo\nmodal: Undone\ngrace closes")
    workspace.workspace.modals.open("U0002", view)
    play.play("grace presses Undo\nmodal: There is nothing to undo any more.")
    assert [one.value for one in indexed.said.live("change")] == ["A first title"]


def test_a_mistake_of_ours_closes_the_modal_and_is_said(
    workspace: ThreadedWorkspace, engine: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a mistake of ours")

    play = Play(workspace)
    play.play(BEGUN)
    monkeypatch.setattr(Dialogs, "correct", broken)
    play.play(f"ada submits change={engine.shas()[2]} wrong=docs\nbot direct: {SORRY}")
    workspace.wait_until(lambda: not workspace.modals("ada"))
