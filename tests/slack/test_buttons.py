"""What can be pressed below an answer, and what that does, however Slack reaches the bot."""

from __future__ import annotations

from typing import Any

import pytest
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
    pressed_at,
    whispers,
    write_to_bot,
)

from bot.slack_app.listeners import GONE, GONE_WORDS
from bot.workspace import BOT_USER_ID, ThreadedWorkspace
from storage import Store

pytestmark = pytest.mark.usefixtures("bot")


def test_a_month_offers_what_can_be_asked_next(workspace: ThreadedWorkspace) -> None:
    october = ask(workspace, "guest", "@Almanac ada october 2025")
    assert list(buttons(october)) == ["← August 2025", "All 2 changes", "Profile", "Not right?"]
    august = ask(workspace, "guest", "@Almanac ada august 2025", contains="August")
    assert list(buttons(august)) == ["October 2025 →", "The change", "Profile", "Not right?"]
    (feedback,) = [one for one in nodes(august["blocks"]) if one.get("type") == "feedback_buttons"]
    assert [feedback["positive_button"]["value"], feedback["negative_button"]["value"]] == ["good", "bad"]


def test_what_only_the_asker_sees_can_be_shared_and_corrected_by_whom_it_is_about(
    workspace: ThreadedWorkspace,
) -> None:
    hers = ask(workspace, "ada", "/almanac month october")
    assert list(buttons(hers)) == ["← August 2025", "All 2 changes", "Profile", "Share here", "Not right?"]
    others = ask(workspace, "guest", "/almanac month @Ada Lovelace october")
    assert list(buttons(others)) == ["← August 2025", "All 2 changes", "Profile", "Share here"]
    in_direct = answer_to(workspace, write_to_bot(workspace, "guest", "ada october 2025"), "October")
    assert list(buttons(in_direct)) == ["← August 2025", "All 2 changes", "Profile", "Share in a channel"]


def test_another_month_is_told_in_the_thread_whoever_asks_for_it(workspace: ThreadedWorkspace) -> None:
    ts = workspace.say("guest", "general", "@Almanac ada october 2025")
    october = answer_to(workspace, ts, "October 2025")
    press(workspace, "grace", october, "← August 2025")
    august = answer_to(workspace, october["ts"], "August 2025")
    assert (august["thread_ts"], "Add the mill" in august["text"]) == (ts, True)
    unchanged = message_now(workspace, october, lambda _: True, "guest")
    assert unchanged["blocks"] == october["blocks"]
    workspace.say("guest", "general", "@Almanac and grace?", ts)  # the thread is about what was told last
    assert "August 2025" in answer_to(workspace, august["ts"], "Grace")["text"]


def test_another_month_takes_the_place_of_what_only_the_asker_sees(workspace: ThreadedWorkspace) -> None:
    october = ask(workspace, "guest", "/almanac month ada october")
    press(workspace, "guest", october, "← August 2025")
    august = message_now(workspace, october, lambda m: "August 2025" in m["text"], "guest")
    assert august["ephemeral"] and "Add the mill" in august["text"]
    assert next(iter(buttons(august))) == "October 2025 →"
    assert answers(workspace, "general") == []


def test_another_month_in_a_direct_message_is_told_beside_it(workspace: ThreadedWorkspace) -> None:
    october = answer_to(workspace, write_to_bot(workspace, "ada", "my october"), "October 2025")
    press(workspace, "ada", october, "← August 2025")
    august = answer_to(workspace, october["ts"], "August 2025")
    assert "thread_ts" not in august
    write_to_bot(workspace, "ada", "and october?")
    answer_to(workspace, august["ts"], "October 2025")


def test_a_press_that_is_delivered_twice_is_answered_once(workspace: ThreadedWorkspace) -> None:
    october = ask(workspace, "guest", "@Almanac ada october 2025")
    press(workspace, "guest", october, "← August 2025")
    answer_to(workspace, october["ts"], "August 2025")
    at = pressed_at(workspace)
    workspace.redeliver_press(at)
    workspace.redeliver_press(at)
    press(workspace, "guest", october, "Profile")
    answer_to(workspace, october["ts"], "Lovelace · August 2025 to")
    told = [one for one in answers(workspace, "general", october["thread_ts"]) if "Add the mill" in one["text"]]
    assert len([one for one in told if one["text"].startswith("*Ada Lovelace · August 2025*")]) == 1


def test_an_opinion_is_kept_once_and_thanked_for(workspace: ThreadedWorkspace, indexed: Store) -> None:
    october = ask(workspace, "guest", "@Almanac ada october 2025")
    for value, thanks in (("good", 1), ("bad", 2)):
        for _ in range(2):  # of which either may be answered first
            workspace.press("guest", "general", october["ts"], "feedback", value)
        workspace.wait_until(lambda number=thanks: len(whispers(workspace, "general", "guest")) >= number)  # type: ignore[misc]
    assert indexed.feedback.counts() == {"good": 0, "bad": 1}
    workspace.press("grace", "general", october["ts"], "feedback", "good")
    workspace.wait_until(lambda: whispers(workspace, "general", "grace"))
    assert indexed.feedback.counts() == {"good": 1, "bad": 1}
    assert len(whispers(workspace, "general", "guest")) == 2


def test_a_button_that_holds_no_question_says_so(workspace: ThreadedWorkspace) -> None:
    channel = direct(workspace, "guest")
    for value in ("", "no JSON", "[]", '{"intent": 3}', '{"intent": "month", "from": "never"}'):
        row = {
            "type": "actions",
            "elements": [
                {
                    "type": "button",
                    "action_id": "ask.0",
                    "text": {"type": "plain_text", "text": "Old"},
                    "value": value or " ",
                }
            ],
        }
        message = workspace.workspace.post(channel, user="U0ALMANAC", text="old", blocks=[row])
        workspace.press("guest", channel, message.ts, "ask.0")
        said = workspace.wait_for(lambda m, ts=message.ts: m["ts"] > ts and m.get("ephemeral"), channel=channel)  # type: ignore[misc]
        assert said["text"] == "This button is too old for me to understand; ask me again."


def row_of(action_id: str) -> dict[str, Any]:
    button = {"type": "button", "action_id": action_id, "text": {"type": "plain_text", "text": "Old"}, "value": "old"}
    return {"type": "actions", "elements": [button]}


def test_what_is_not_offered_any_more_is_answered_with_a_sentence(workspace: ThreadedWorkspace) -> None:
    """In a message, and upon a modal, of a former release; in Home as well, see test_every_id.py."""
    rows, team = [row_of(f"{GONE[0]}.1")], workspace.workspace
    message = team.post("C0001", user=BOT_USER_ID, text="old", blocks=rows)
    workspace.press("guest", "general", message.ts, f"{GONE[0]}.1")
    workspace.wait_until(lambda: [m["text"] for m in whispers(workspace, "general", "guest")] == [GONE_WORDS], SECONDS)
    workspace.shortcut("guest", "my_month")
    shown = modal(workspace, "guest", "link")
    team.modals.replace("U0003", {**shown, "blocks": rows})
    workspace.press_modal("guest", f"{GONE[0]}.1")
    modal(workspace, "guest", GONE_WORDS, depth=2)
