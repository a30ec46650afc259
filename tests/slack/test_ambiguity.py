"""Where several things may have been meant, the bot asks back with buttons, and is answered once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import GitRepo, index
from talking import answer_to, answers, ask, buttons, message_now, nodes, press, write_to_bot

from bot.slack.elements import NONE_OF_THESE
from bot.workspace import ThreadedWorkspace
from storage import Store

KIM, OKAFOR = ("Dave Kim", "dave.kim@example.com"), ("Dave Okafor", "okafor@example.com")


@pytest.fixture
def daves(indexed: Store, tmp_path: Path) -> None:
    """Two of them, with one commit each."""
    repo = GitRepo(tmp_path / "acme" / "tools")
    repo.commit("Add a hammer (#7)", author=KIM, at="2025-10-03 10:00 +0000", files={"hammer.py": "h"})
    repo.commit("Add a saw (#8)", author=OKAFOR, at="2025-10-04 10:00 +0000", files={"saw.py": "s"})
    index(indexed, repo.path)


pytestmark = pytest.mark.usefixtures("daves", "bot")


def test_two_of_one_name_are_offered(workspace: ThreadedWorkspace) -> None:
    back = ask(workspace, "guest", "@Almanac what did dave do in october 2025?")
    assert "Which dave: Dave Kim (1 commit) or Dave Okafor (1)?" in back["text"].replace("Dave:", "dave:")
    assert list(buttons(back)) == ["Dave Kim", "Dave Okafor"]
    assert NONE_OF_THESE in json.dumps(back["blocks"])


def test_a_choice_is_answered_in_the_thread_and_the_buttons_go(workspace: ThreadedWorkspace) -> None:
    ts = workspace.say("guest", "general", "@Almanac what did dave do in october 2025?")
    back = answer_to(workspace, ts)
    press(workspace, "grace", back, "Dave Okafor")
    told = answer_to(workspace, back["ts"], "Add a saw")
    assert told["thread_ts"] == ts
    settled = message_now(workspace, back, lambda m: not buttons(m), "guest")
    assert settled["text"] == back["text"]
    shown = [one["text"] for one in nodes(settled["blocks"]) if one.get("type") == "plain_text"]
    assert shown == ["Chosen: Dave Okafor"]


def test_a_second_choice_is_not_answered(workspace: ThreadedWorkspace) -> None:
    """Two people press before the buttons are gone: the first is answered."""
    ts = workspace.say("guest", "general", "@Almanac what did dave do in october 2025?")
    back = answer_to(workspace, ts)
    workspace.faults.next("chat.update", "error:message_not_found")
    press(workspace, "grace", back, "Dave Okafor")
    answer_to(workspace, back["ts"], "Add a saw")
    press(workspace, "ada", back, "Dave Kim")
    ask(workspace, "guest", "@Almanac ada august 2025", contains="August")
    assert len(answers(workspace, "general", ts)) == 2


def test_a_choice_takes_the_place_of_what_only_the_asker_sees(workspace: ThreadedWorkspace) -> None:
    back = ask(workspace, "guest", "/almanac month dave october 2025")
    press(workspace, "guest", back, "Dave Kim")
    told = message_now(workspace, back, lambda m: "Add a hammer" in m["text"], "guest")
    assert told["ephemeral"] and "Share here" in buttons(told)


def test_a_choice_in_a_direct_message_is_answered_beside_it(workspace: ThreadedWorkspace) -> None:
    back = answer_to(workspace, write_to_bot(workspace, "guest", "what did dave do in october 2025?"))
    press(workspace, "guest", back, "Dave Kim")
    told = answer_to(workspace, back["ts"], "Add a hammer")
    assert "thread_ts" not in told
    message_now(workspace, back, lambda m: not buttons(m), "guest")
    write_to_bot(workspace, "guest", "and september?")
    assert "Dave Kim" in answer_to(workspace, told["ts"], "September 2025")["text"]


def test_a_month_without_commits_offers_the_nearest(workspace: ThreadedWorkspace) -> None:
    ts = workspace.say("guest", "general", "@Almanac ada september 2025")
    empty = answer_to(workspace, ts)
    assert list(buttons(empty)) == ["August 2025", "October 2025", "Profile"]
    press(workspace, "guest", empty, "August 2025")
    assert "Add the mill" in answer_to(workspace, empty["ts"], "August 2025")["text"]
    message_now(workspace, empty, lambda m: list(buttons(m)) == ["Profile"], "guest")


def test_a_name_with_another_family_name_offers_whom_it_is_near(workspace: ThreadedWorkspace) -> None:
    back = ask(workspace, "guest", "@Almanac what did Grace Kelly do in october 2025?")
    assert "Grace Hopper" in buttons(back)
    press(workspace, "guest", back, "Grace Hopper")
    answer_to(workspace, back["ts"], "Add a compiler")
