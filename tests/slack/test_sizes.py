"""Months of every size, with buttons below them, fit into what Slack takes, in messages and in modals."""

from __future__ import annotations

from pathlib import Path

import pytest
from bot_in_workspace import running_bot, settings_for
from builders import ADA, NOW, GitRepo, index
from talking import answer_to, ask, broken_limits, buttons, modal, nodes, press, press_in_modal, said

from bot.workspace import ThreadedWorkspace
from storage import Store

LONG = "Ring <!channel> & *all* of _them_ `now` <@U0001> " * 61 + "!" * 11
JULY = 1_751_328_000


def many(repo: GitRepo, commits: int) -> None:
    repo.many(commits, author=ADA, start=JULY)


def long_subjects(repo: GitRepo) -> None:
    assert len(LONG) == 3_000
    for number in range(3):
        repo.commit(
            f"{number} {LONG}", author=ADA, at=f"2025-07-0{number + 1} 10:00 +0000", files={f"{number}.py": "x"}
        )


@pytest.mark.parametrize("commits", [400, None])
def test_a_month_of_any_size(workspace: ThreadedWorkspace, indexed: Store, tmp_path: Path, commits: int | None) -> None:
    repo = GitRepo(tmp_path / "acme" / "many")
    if commits is None:
        long_subjects(repo)
    else:
        many(repo, commits)
    index(indexed, repo.path)
    settings = settings_for(workspace, "socket", db=indexed.path, fixed_now=NOW)
    with running_bot(settings):
        workspace.wait_connected()
        ts = workspace.say("guest", "general", "@Almanac ada july 2025")
        shown = workspace.wait_for(lambda m: m["ts"] > ts and "Profile" in buttons({"blocks": m.get("blocks", [])}))
        label = next(one for one in buttons(shown) if "change" in one)
        assert label == f"All {commits or 3} changes"
        assert {"August 2025 →", "Profile", "Not right?"} <= set(buttons(shown))
        press(workspace, "ada", shown, label)
        modal(workspace, "ada", "Ada Lovelace, July 2025")
        press_in_modal(workspace, "ada", "Explain")
        modal(workspace, "ada", "Why it is shown this way", depth=2)
        workspace.wait_until(lambda: "One moment" not in said(workspace.modals("ada")[-1]))
        workspace.close_modal("ada", every=True)
        press(workspace, "ada", shown, "Not right?")
        which = modal(workspace, "ada", "Ada Lovelace, July 2025")
        options = [one for one in nodes(which["blocks"]) if "value" in one and len(one["value"]) == 40]
        assert len({one["value"] for one in options}) == (commits or 3)
        workspace.submit("ada", {"change": options[0]["value"], "title": "It"})
        modal(workspace, "ada", "is called “It” from now on")
        workspace.close_modal("ada")
        mine = ask(workspace, "ada", "/almanac month july", contains="July")
        assert mine["ephemeral"]
        workspace.say("ada", "general", "/almanac month july 2025")
        answer_to(workspace, mine["ts"], "July")
        workspace.shortcut("ada", "my_month")
        assert said(modal(workspace, "ada", "October 2025"))
    assert broken_limits(workspace.calls) == []
    assert all("<!channel>" not in str(call.arguments.get("text", "")) for call in workspace.calls)
