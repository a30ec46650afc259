"""What is shown in modals and done in them: all changes, why they are told so, and what is not right about them."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any, cast

import pytest
from bot_in_workspace import HOSTILE, both_ways
from builders import ADA, NOW, GitRepo, index
from slack_bolt.async_app import AsyncAck
from talking import (
    SECONDS,
    answer_to,
    answers,
    ask,
    buttons,
    direct,
    message_now,
    modal,
    nodes,
    press,
    press_in_modal,
    said,
    write_to_bot,
)

from bot.slack.audience import SORRY
from bot.slack.inbox import WORKERS
from bot.slack.modals import A_PAGE, Dialogs
from bot.slack_app import windows
from bot.slack_app.digests import DigestActions
from bot.workspace import ThreadedWorkspace
from storage import Store

pytestmark = pytest.mark.usefixtures("bot")


def test_all_changes_are_listed_newest_first_with_sure_kinds_and_one_page(
    workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store
) -> None:
    engine.commit("docs: Tell of the mill (#9)", author=ADA, at="2025-10-03 10:00 +0000", files={"mill.md": "mill\n"})
    index(indexed, engine.path)
    october = ask(workspace, "guest", "@Almanac ada october 2025")
    press(workspace, "grace", october, "All 3 changes")
    shown = modal(workspace, "grace", "Fix the store")
    assert shown["title"]["text"] == "All changes"
    heading, *changes = shown["blocks"]
    assert heading["text"]["text"] == "Ada Lovelace, October 2025: 3 changes"
    assert [one["text"]["text"] for one in changes] == ["docs: Tell of the mill (#9)", HOSTILE, "Fix the store (#2)"]
    assert {one["text"]["type"] for one in changes} == {"plain_text"}  # in which nothing is parsed
    fields = [[field["text"] for field in one["fields"]] for one in changes]
    assert fields == [["documentation", "#9"], [engine.shas()[2][:9]], ["#2"]]


def test_why_a_change_is_told_so_is_shown_upon_the_list(workspace: ThreadedWorkspace) -> None:
    october = ask(workspace, "guest", "@Almanac ada october 2025")
    press(workspace, "guest", october, "All 2 changes")
    modal(workspace, "guest", "Fix the store")
    press_in_modal(workspace, "guest", "Explain", 0)
    why = modal(workspace, "guest", HOSTILE, depth=2)
    assert why["title"]["text"] == "Why it is shown this way"
    assert [block["type"] for block in why["blocks"]] == ["rich_text"]
    workspace.close_modal("guest")
    modal(workspace, "guest", "Fix the store")


def test_a_long_list_is_turned_page_by_page(workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store) -> None:
    engine.many(100, author=ADA, start=1_751_328_000)  # July 2025
    index(indexed, engine.path)
    july = ask(workspace, "guest", "@Almanac ada july 2025")
    press(workspace, "guest", july, "All 100 changes")
    first = modal(workspace, "guest", "1 to 40")
    assert list(buttons(first)) == ["Explain", "Older →"] and "Change 99" in said(first)
    assert len([one for one in nodes(first["blocks"]) if one.get("type") == "section"]) == A_PAGE + 1
    press_in_modal(workspace, "guest", "Older →")
    modal(workspace, "guest", "41 to 80")
    press_in_modal(workspace, "guest", "Older →")
    last = modal(workspace, "guest", "81 to 100")
    assert "Change 0" in said(last) and list(buttons(last)) == ["Explain", "← Newer"]
    press_in_modal(workspace, "guest", "← Newer")
    modal(workspace, "guest", "41 to 80")


def test_a_modal_that_is_closed_meanwhile_is_no_mistake(workspace: ThreadedWorkspace) -> None:
    october = ask(workspace, "guest", "@Almanac ada october 2025")
    workspace.faults.next("views.update", "error:not_found")
    press(workspace, "guest", october, "All 2 changes")
    modal(workspace, "guest", "One moment")
    workspace.wait_until(lambda: any(call.method == "views.update" for call in workspace.calls))
    workspace.close_modal("guest")
    press(workspace, "guest", october, "All 2 changes")
    modal(workspace, "guest", "Fix the store")
    assert len(answers(workspace, "general")) == 1


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


def test_a_modal_that_opens_too_late_is_said_to(workspace: ThreadedWorkspace) -> None:
    october = ask(workspace, "guest", "@Almanac ada october 2025")
    workspace.workspace.trigger_seconds = -1.0
    press(workspace, "guest", october, "All 2 changes")
    told = answer_to(workspace, october["ts"], "too little time")
    assert told["ephemeral"] and workspace.modals("guest") == []


class TestNotRight:
    """What somebody says of their own month is shown from then on."""

    def begun(self, workspace: ThreadedWorkspace, text: str = "@Almanac ada october 2025") -> dict[str, object]:
        october = ask(workspace, "ada", text)
        press(workspace, "ada", october, "Not right?")
        modal(workspace, "ada", "Which change?")
        return october

    def corrected(self, workspace: ThreadedWorkspace, sha: str, wrong: str = "", title: str = "") -> None:
        """Say of which change what is wrong."""
        filled = {"change": sha, "wrong": wrong, "title": title}
        workspace.submit("ada", {name: value for name, value in filled.items() if value})

    def test_another_kind(self, workspace: ThreadedWorkspace, engine: GitRepo) -> None:
        october = self.begun(workspace)
        sha = engine.shas()[2]
        self.corrected(workspace, sha, "performance")
        done = modal(workspace, "ada", "from now on")
        assert f"{sha[:9]} counts as a performance change from now on." in said(done)
        told = message_now(workspace, october, lambda m: "Fixed" not in m["text"], "guest")
        assert "Fix the store" in told["text"]
        assert list(buttons(told)) == ["← August 2025", "All 2 changes", "Profile", "Not right?"]

    def test_another_title(self, workspace: ThreadedWorkspace, engine: GitRepo) -> None:
        october = self.begun(workspace)
        self.corrected(workspace, engine.shas()[2], title="Keep <!channel> & *all* of it")
        modal(workspace, "ada", "from now on")
        told = message_now(
            workspace, october, lambda m: "Keep &lt;!channel&gt; &amp; *all* of it" in m["text"], "guest"
        )
        assert "the store" not in told["text"]

    def test_a_title_without_words_is_refused_in_the_modal(self, workspace: ThreadedWorkspace, engine: GitRepo) -> None:
        self.begun(workspace)
        self.corrected(workspace, engine.shas()[2], title="   ")
        errors = workspace.wait_until(lambda: workspace.workspace.modals.errors.get("U0001"))
        assert errors == {"title": "A title needs words: write what the change is to be called."}

    def test_one_thing_is_corrected_at_a_time(self, workspace: ThreadedWorkspace, engine: GitRepo) -> None:
        self.begun(workspace)
        for wrong, title in (("", ""), ("docs", "Another title")):
            self.corrected(workspace, engine.shas()[2], wrong, title)
            errors = workspace.wait_until(lambda: workspace.workspace.modals.errors.pop("U0001", None))
            assert errors == {"title": "Choose what it is, or write what it should be called: one of them."}

    def test_left_out(self, workspace: ThreadedWorkspace, engine: GitRepo) -> None:
        october = self.begun(workspace, "/almanac month october")
        self.corrected(workspace, engine.shas()[2], "hidden")
        modal(workspace, "ada", "is left out from now on")
        told = message_now(workspace, october, lambda m: "store" not in m["text"], "ada")
        assert told["ephemeral"] and "left out at the wish of its author" in json.dumps(told["blocks"])

    def test_what_was_corrected_just_now_can_be_undone(
        self, workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store
    ) -> None:
        october = self.begun(workspace)
        sha = engine.shas()[2]
        self.corrected(workspace, sha, "performance")
        modal(workspace, "ada", "from now on")
        message_now(workspace, october, lambda m: "Fixed" not in m["text"], "guest")
        press_in_modal(workspace, "ada", "Undo")
        assert said(modal(workspace, "ada", "Undone")).endswith(f"Undone: {sha[:9]} is a performance change.")
        message_now(workspace, october, lambda m: m["text"] == october["text"], "guest")
        assert [one.undone_by for one in indexed.said.log("change")] == ["Ada Lovelace"]

    def test_what_was_left_out_can_be_undone_later(self, workspace: ThreadedWorkspace, engine: GitRepo) -> None:
        self.begun(workspace)
        sha = engine.shas()[2]
        self.corrected(workspace, sha, "hidden")
        modal(workspace, "ada", "is left out from now on")
        workspace.close_modal("ada")
        self.begun(workspace, "/almanac month october")
        shown = said(modal(workspace, "ada", "corrected by hand"))
        assert f"{sha[:9]} Fix the store (#2): it is left out of all months (Ada Lovelace, 2025-11-05)." in shown
        press_in_modal(workspace, "ada", "Undo")
        modal(workspace, "ada", f"Undone: {sha[:9]} is left out of all months.")
        assert "the store" in ask(workspace, "ada", "@Almanac ada october 2025")["text"]

    def test_a_month_of_which_all_is_left_out_can_still_be_undone(
        self, workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store
    ) -> None:
        sha = engine.tip
        indexed.said.say("change", "hidden", [sha], "yes", "Grace Hopper", NOW)
        october = ask(workspace, "grace", "@Almanac grace october 2025")
        assert "All" not in " ".join(buttons(october)), "there is nothing to list"
        press(workspace, "grace", october, "Not right?")
        assert "submit" not in modal(workspace, "grace", "it is left out of all months")
        press_in_modal(workspace, "grace", "Undo")
        modal(workspace, "grace", "Undone")
        message_now(workspace, october, lambda m: "Add a compiler" in m["text"], "guest")

    def test_nobody_else_undoes_it(self, workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store) -> None:
        indexed.said.say("change", "title", [engine.tip], "A compiler for all", "Grace Hopper", NOW)
        october = ask(workspace, "grace", "@Almanac grace october 2025")
        press(workspace, "grace", october, "Not right?")
        view = modal(workspace, "grace", "corrected by hand")
        workspace.close_modal("grace")
        workspace.workspace.modals.open("U0001", view)
        press_in_modal(workspace, "ada", "Undo")
        modal(workspace, "ada", "Only the person concerned and admins")
        assert [one.undone_at for one in indexed.said.log("change")] == [None]

    def test_an_undo_that_is_pressed_twice_takes_back_no_more(
        self, workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store
    ) -> None:
        """What was said before counts again, and is not undone by a button that meant what came after it."""
        for title in ("A first title", "A second title"):
            indexed.said.say("change", "title", [engine.tip], title, "Grace Hopper", NOW)
        october = ask(workspace, "grace", "@Almanac grace october 2025")
        press(workspace, "grace", october, "Not right?")
        view = modal(workspace, "grace", "A second title")
        press_in_modal(workspace, "grace", "Undo")
        modal(workspace, "grace", "Undone")
        workspace.close_modal("grace")
        workspace.workspace.modals.open("U0002", view)
        press_in_modal(workspace, "grace", "Undo")
        modal(workspace, "grace", "There is nothing to undo any more.")
        assert [one.value for one in indexed.said.live("change")] == ["A first title"]

    def test_nobody_else_may_say_so(self, workspace: ThreadedWorkspace) -> None:
        october = ask(workspace, "ada", "@Almanac ada october 2025")
        press(workspace, "grace", october, "Not right?")
        refused = modal(workspace, "grace", "can correct")
        assert said(refused).endswith("Only Ada Lovelace and admins can correct what is shown of Ada Lovelace.")
        assert "submit" not in refused

    def test_a_modal_that_somebody_else_submits_changes_nothing(
        self, workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store
    ) -> None:
        """What a modal carries was made for one reader; who may correct is looked at again."""
        self.begun(workspace)
        workspace.workspace.modals.open("U0002", modal(workspace, "ada", "Which change?"))
        workspace.close_modal("ada")
        workspace.submit("grace", {"change": engine.shas()[2], "wrong": "docs"})
        modal(workspace, "grace", "Only the person concerned and admins")
        assert indexed.said.log("change") == []

    @both_ways
    def test_what_comes_of_it_at_once_is_the_answer_to_the_submission(
        self, workspace: ThreadedWorkspace, engine: GitRepo
    ) -> None:
        """By a call of its own it could reach Slack before that answer, which would then stand there for good."""
        self.begun(workspace)
        before = [one.method for one in workspace.calls].count("views.update")
        self.corrected(workspace, engine.shas()[2], "docs")
        modal(workspace, "ada", "counts as a documentation change")
        assert [one.method for one in workspace.calls].count("views.update") == before

    def test_it_is_answered_in_time_however_long_what_stands_below_takes(
        self, workspace: ThreadedWorkspace, engine: GitRepo, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen = threading.Event()

        def slow(*_: object) -> list[object]:
            seen.wait(SECONDS)
            return []

        monkeypatch.setattr(windows, "ACK_SECONDS", 0.2)
        monkeypatch.setattr(DigestActions, "offers", slow)
        self.begun(workspace)
        self.corrected(workspace, engine.shas()[2], "docs")
        modal(workspace, "ada", "One moment")
        seen.set()
        modal(workspace, "ada", "counts as a documentation change")

    def test_a_mistake_of_ours_closes_the_modal_and_is_said(
        self, workspace: ThreadedWorkspace, engine: GitRepo, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: object) -> None:
            raise RuntimeError("a mistake of ours")

        self.begun(workspace)
        monkeypatch.setattr(Dialogs, "correct", broken)
        ts = workspace.workspace.next_ts()
        self.corrected(workspace, engine.shas()[2], "docs")
        assert answer_to(workspace, ts, SORRY)["channel"] == direct(workspace, "ada")
        workspace.wait_until(lambda: not workspace.modals("ada"))

    def test_what_came_of_it_late_is_said_though_the_modal_was_closed(
        self, workspace: ThreadedWorkspace, engine: GitRepo, indexed: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(windows, "ACK_SECONDS", 0)
        self.begun(workspace)
        workspace.faults.next("views.update", "error:not_found")
        ts = workspace.workspace.next_ts()
        self.corrected(workspace, engine.shas()[2], "docs")
        told = answer_to(workspace, ts, "counts as a documentation change")
        assert told["channel"] == direct(workspace, "ada")
        assert [one.value for one in indexed.said.log("change")] == ["docs"]

    def test_in_a_direct_message(self, workspace: ThreadedWorkspace, engine: GitRepo) -> None:
        october = answer_to(workspace, write_to_bot(workspace, "ada", "my october"), "October 2025")
        press(workspace, "ada", october, "Not right?")
        modal(workspace, "ada", "Which change?")
        self.corrected(workspace, engine.shas()[1], "fix")
        modal(workspace, "ada", "counts as a fix")
        told = message_now(workspace, october, lambda m: "• Ping" in m["text"].partition("*Fixed*")[2], "ada")
        assert "Share in a channel" in buttons(told)


def test_what_is_made_just_too_late_is_shown_after_the_answer_that_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bolt sends an answer a moment after it was given; a call that overtakes it would be undone by it."""
    monkeypatch.setattr(windows, "ACK_SECONDS", 0)

    async def submitted() -> list[str]:
        loop, order = asyncio.get_running_loop(), list[str]()
        made = loop.create_future()

        async def ack(**_: object) -> None:
            made.set_result("made")
            loop.call_later(0.05, order.append, "the answer is at Slack")

        found, is_in_time = await windows.in_time(cast(AsyncAck, ack), "Any", made)
        return [*order, f"{found}, in time: {is_in_time}"]

    assert asyncio.run(submitted()) == ["the answer is at Slack", "made, in time: False"]
