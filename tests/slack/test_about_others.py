"""Whose work is shown decides who may ask and who else reads the answer, not who asks: every query, by three readers,
under each setting."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bot_in_workspace import patient, running_bot, settings_for, two_and_a_guest
from builders import ADA, GRACE, NOW, Copy, GitRepo, index

from bot.settings_tables import PersonSettings, PrivacySettings
from bot.slack.audience import GUEST_REFUSED, OTHERS_REFUSED
from bot.workspace import BOT_USER_ID, ThreadedWorkspace, Workspace
from storage import Store

ADAS = ("mill", "lathe")  # words of titles of Ada's
# What Grace asks, and whose work the answer shows.
QUERIES = {
    "my october": "hers", "my october as markdown": "hers", "grace hopper in october": "hers",
    "my profile": "hers", "compare my september and october": "hers", "my changes in october": "hers",
    "my bug fixes in october": "hers", "my biggest changes in october": "hers",
    "explain {hers}": "hers",
    "my reviews in october": "others'", "what did i review in october?": "others'",
    "show the changes i reviewed in october": "others'", "reviews by grace hopper in october": "others'",
    "who reviewed my changes in october?": "others'",
    "did ada and i work on the same files in october?": "others'", "compare me and ada in october": "others'",
    "ada in october": "others'", "profile of ada": "others'", "changes of ada in october": "others'",
    "ada's reviews in october": "others'", "biggest changes in october": "others'", "explain {adas}": "others'",
    "who worked on the mill?": "others'", "who worked on the loom?": "others'", "what shipped in october?": "others'",
    "what did we do in october?": "others'", "help": "nobody's",
}  # fmt: skip
# How Grace, whom some of them name, and Ada, whom none does, are answered: to all, alone, or not.
SETTINGS: dict[str, tuple[dict[str, Any], dict[str, str], dict[str, str]]] = {
    "asker": (
        {"answers_about_others": "asker"}, {"hers": "all", "others'": "alone"}, {"hers": "alone", "others'": "alone"},
    ),
    "nobody": (
        {"about_others": "nobody"}, {"hers": "all", "others'": "no"}, {"hers": "no", "others'": "no"},
    ),
    "some, asker": (
        {"about_others": ["Grace Hopper"], "answers_about_others": "asker"}, {"hers": "all", "others'": "alone"},
        {"hers": "no", "others'": "no"},
    ),
}  # fmt: skip


def _looms(folder: Path) -> None:
    """Grace reviewed what Ada wrote, and Ada what Grace did."""
    repo = GitRepo(folder / "acme" / "looms")
    for title, author, reviewer, day in (
        ("Add the mill (#1)", ADA, GRACE, "2025-10-02"), ("Fix the lathe (#2)", ADA, GRACE, "2025-10-03"),
        ("Add the loom (#3)", GRACE, ADA, "2025-10-04"), ("Fix the shuttle (#4)", GRACE, ADA, "2025-10-05"),
        ("Add the spindle (#5)", GRACE, ADA, "2025-09-05"),
    ):  # fmt: skip
        body = f"Reviewed-by: {reviewer[0]} <{reviewer[1]}>"
        repo.commit(
            title, body=body, author=author, at=f"{day} 10:00 +0000", files={f"src/{title.split()[2]}.py": title}
        )
    index(Store(folder / "almanac.db"), repo)


@pytest.fixture
def looms(copy: Copy, tmp_path: Path) -> GitRepo:
    copy(_looms)
    return GitRepo(tmp_path / "acme" / "looms")


@pytest.fixture
def team() -> Iterator[ThreadedWorkspace]:
    with patient(Workspace(two_and_a_guest(), [f"c{number}" for number in range(len(QUERIES) + 4)])) as opened:
        yield opened


def how(workspace: ThreadedWorkspace, number: int, user: str, text: str) -> tuple[str, str]:
    """How somebody who asks in a channel of its own is answered, and with what."""
    channel = workspace.workspace.channel(f"c{number}")
    assert channel is not None
    workspace.say(user, channel.id, f"@Almanac {text}")
    said = workspace.wait_for(lambda m: m.get("user") == BOT_USER_ID and m["channel"] == channel.id)
    if said["text"] in (OTHERS_REFUSED, GUEST_REFUSED):
        assert said["ephemeral"]
        return "no", ""
    return ("alone" if said.get("ephemeral") else "all"), json.dumps(said)


@pytest.mark.parametrize("privacy", SETTINGS)
def test_whose_work_is_shown_decides(
    team: ThreadedWorkspace, looms: GitRepo, tmp_path: Path, placed: Any, privacy: str
) -> None:
    rules, grace, ada = SETTINGS[privacy]
    hers, adas = (looms.line("log", "-1", "--format=%H", f"--grep={word}") for word in ("loom", "mill"))
    settings = settings_for(
        team, "socket", db=placed(tmp_path / "almanac.db").database, fixed_now=NOW,
        people=[PersonSettings(name="Grace Hopper", addresses=[GRACE[1]], slack="U0GRACE1")],
        privacy=PrivacySettings(**rules, guests=True),
    )  # fmt: skip
    with running_bot(settings):
        team.wait_connected()
        found = dict[str, str]()
        for number, text in enumerate(QUERIES):
            found[text], shown = how(team, number, "grace", text.format(hers=hers, adas=adas))
            if QUERIES[text] == "hers":
                assert not any(word in shown for word in ADAS), text
        assert found == {text: grace.get(whose, "all") for text, whose in QUERIES.items()}
        asked = [
            "grace hopper in october",
            "profile of grace hopper",
            "reviews by grace hopper in october",
            f"explain {hers}",
        ]
        assert {text: how(team, len(QUERIES) + number, "ada", text)[0] for number, text in enumerate(asked)} == {
            text: ada["others'" if "reviews" in text else "hers"] for text in asked
        }
