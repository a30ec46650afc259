"""What stands after /almanac, word by word."""

from __future__ import annotations

import pytest
from talking import answers, ask, buttons, press, said

from bot.workspace import ThreadedWorkspace


@pytest.mark.usefixtures("bot")
class TestInTheWorkspace:
    @pytest.mark.parametrize(
        ("typed", "contains"),
        [
            ("month", "Ada Lovelace · October 2025"),
            ("month @Grace H. october", "Grace Hopper · October 2025"),
            ("month august", "Ada Lovelace · August 2025"),
            ("month zorblax in august", "I know nobody called “zorblax”"),
            ("month everyone august", "1 person, 1 change in acme/engine"),
            ("month 2025-13", "There is no month 2025-13"),
            ("what did I do in august?", "Ada Lovelace · August 2025"),
            ("profile", "Ada Lovelace · August 2025 to October 2025"),
            ("profile grace", "Grace Hopper · October 2025"),
            ("digest october", "October 2025"),
            ("who compiler", "Grace Hopper"),
            ("who the compiler", "Grace Hopper"),
            ("who worked on the compiler", "Grace Hopper"),
            ("who’s been working on the compiler", "Grace Hopper"),
            ("Profile @Grace H.", "Grace Hopper · October 2025"),
            ("changes grace in october", "Add a compiler"),
            ("changes october", "Fix the store"),
            ("explain #3", "Add a compiler (#3)"),
            ("settings", "almanac.toml"),
            ("help", "What did"),
            ("fhqwhgads", "I did not understand"),
        ],
    )
    def test_a_subcommand_is_answered_for_the_asker_alone(
        self, workspace: ThreadedWorkspace, typed: str, contains: str
    ) -> None:
        answer = ask(workspace, "ada", f"/almanac {typed}".strip(), contains=contains)
        assert answer["ephemeral"]
        assert answers(workspace, "general") == []

    def test_link_says_who_one_is_and_who_one_may_be(self, workspace: ThreadedWorkspace) -> None:
        hers = ask(workspace, "ada", "/almanac link")
        assert "You are Ada Lovelace" in hers["text"] and "ada@example.com" in hers["text"]
        nobody = ask(workspace, "guest", "/almanac link")
        assert "I do not know yet who you are" in nobody["text"]

    def test_an_address_is_linked_once_it_is_confirmed(self, workspace: ThreadedWorkspace) -> None:
        offered = ask(workspace, "guest", "/almanac link grace@example.com")
        assert "grace@example.com" in offered["text"]
        assert list(buttons(offered)) == []  # it is somebody else's by their address in Slack
        assert "almanac.toml" not in offered["text"]

    def test_what_is_confirmed_takes_the_place_of_the_question(self, workspace: ThreadedWorkspace) -> None:
        offered = ask(workspace, "ada", "/almanac unlink ada@example.com")
        (label,) = buttons(offered)
        press(workspace, "ada", offered, label)
        done = workspace.wait_for(lambda m: m["ts"] == offered["ts"] and m["text"].startswith("Done"))
        assert buttons(done) == {}
        assert "I do not know yet" in ask(workspace, "ada", "/almanac link")["text"]
        assert said(done)
