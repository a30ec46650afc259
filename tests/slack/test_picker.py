"""/almanac alone opens menus of who, when and where; what is chosen is answered as if it had been typed."""

from __future__ import annotations

import pytest
from builders import GitRepo, index
from talking import SECONDS, modal, nodes, said, whispers

from bot.month.calendar import Month
from bot.slack.modals import picker
from bot.workspace import ThreadedWorkspace
from storage import Store

PRESENT = Month(2025, 11)


def state(**chosen: dict[str, object]) -> dict[str, object]:
    return {name: {name: value} for name, value in chosen.items()}


def test_a_long_name_is_no_option_and_one_repository_is_no_choice() -> None:
    def options(names: list[str]) -> list[str]:
        menus = [one for one in nodes(picker(PRESENT, names, "C1", "u")) if one.get("action_id") == "where"]
        return [option["value"] for menu in menus for option in menu["options"]]

    assert options(["a/b", "a/" + "b" * 80, "c/d"]) == ["a/b", "c/d"]
    assert options(["a/b"]) == []
    assert len(options([f"a/{number}" for number in range(300)])) == 100


@pytest.mark.usefixtures("bot")
class TestInTheWorkspace:
    def test_somebody_picks_a_person_and_a_month(self, workspace: ThreadedWorkspace) -> None:
        workspace.say("ada", "general", "/almanac")
        shown = modal(workspace, "ada", "In which month?")
        assert not [one for one in nodes(shown) if one.get("action_id") == "where"]  # there is one repository
        grace = workspace.workspace.user("grace")
        assert grace
        workspace.submit("ada", {"who": grace.id, "when": "2025-10"})
        assert "Grace Hopper · October 2025" in _whispered(workspace, "ada")

    def test_everyone_is_meant_where_nobody_is_picked(
        self, workspace: ThreadedWorkspace, indexed: Store, engine: GitRepo
    ) -> None:
        web = GitRepo(engine.path.parent / "web")
        web.commit("Add a page", at="2025-10-03 10:00 +0000", files={"page.ts": "page\n"})
        index(indexed, web)
        workspace.say("ada", "general", "/almanac")
        modal(workspace, "ada", "In which repository?")
        workspace.submit("ada", {"when": "2025-10", "where": "acme/web"})
        told = _whispered(workspace, "ada")
        assert "October 2025 · acme/web" in told and "compiler" not in told


def _whispered(workspace: ThreadedWorkspace, login: str) -> str:
    return workspace.wait_until(lambda: "".join(map(said, whispers(workspace, "general", login))), SECONDS)
