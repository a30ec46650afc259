"""No sign that steers a terminal or turns the reading order leaves the bot, whoever wrote it and wherever it stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bot_in_workspace import running_bot, settings_for
from builders import NOW, Copy, GitRepo, index
from talking import SECONDS, answer_to, ask, buttons, direct, modal, press

from bot.workspace import ThreadedWorkspace
from storage import Store

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
C1 = "".join(map(chr, range(0x7F, 0xA0)))
STEERS = BIDI + C1 + "\x08\x0b\x1b\r"
ADA = (f"Ada\u200f Love{BIDI}lace", "ada@example.com")


def _signs(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "signs")
    for number, day in enumerate((2, 3, 4)):
        title = f"fix({STEERS}core): Ha{STEERS}lt `the{BIDI}` mill {number} (#{number + 1})"
        body = f"It st{STEERS}alled at 3{BIDI} ms and now takes 2 ms.\n\nReviewed-by: Gr{BIDI}ace <grace@example.com>"
        files = {f"src/mi{BIDI}ll{number}.py": f"{number}\n"}
        repo.commit(title, body=body, author=ADA, at=f"2025-10-0{day} 10:00 +0000", files=files)
    repo.git("tag", f"v1.{BIDI}0")
    index(Store(folder / "almanac.db"), repo)


@pytest.fixture
def signs(copy: Copy, tmp_path: Path) -> GitRepo:
    copy(_signs)
    return GitRepo(tmp_path / "acme" / "signs")


TEXTS = [
    "ada\u200f october 2025", "ada october 2025 as markdown", "profile of ada", "changes of ada in october",
    "which files did ada change in october?", "biggest changes in october", "who worked on mill?", "explain #1",
    "explain {sha}", "what shipped in october?", "who reviewed ada's changes in october?", f"who is x{STEERS}y?",
    f"who worked on x{STEERS}y?", f"compare x{STEERS}y and ada in october", f"explain {STEERS}",
    f"link x{STEERS}y@a.example",
    f"what happened in acme/{STEERS}signs?", "link ada@example.com", "help",
]  # fmt: skip


def steering(value: Any) -> set[str]:
    """The signs of Slack's JSON that steer, be they in a text or written as \\u… in JSON that is shown to nobody."""
    return set(json.dumps(value, ensure_ascii=False)) & set(STEERS) - {"\n", "\t"}


def test_none_leaves_the_bot(workspace: ThreadedWorkspace, signs: GitRepo, tmp_path: Path, placed: Any) -> None:
    store = placed(tmp_path / "almanac.db")
    settings = settings_for(workspace, "socket", db=store.database, fixed_now=NOW)
    with running_bot(settings):
        workspace.wait_connected()
        for text in TEXTS:
            asked = text.format(sha=signs.tip)
            ask(workspace, "guest", f"/almanac {asked}")
            answer_to(workspace, workspace.say("ada", direct(workspace, "ada"), asked))
        ts = workspace.say("guest", "shipped", "@Almanac ada october 2025")
        october = workspace.wait_for(lambda m: m.get("thread_ts") == ts != m["ts"], SECONDS)
        press(workspace, "guest", october, "All 3 changes")
        modal(workspace, "guest", "mill")
        workspace.open_home("ada")
        workspace.wait_until(lambda: workspace.home_views or None, SECONDS)
    wrong = {(call.method, sign): call.arguments for call in workspace.calls for sign in steering(call.arguments)}
    assert wrong == {}


def test_buttons_of_somebody_with_such_a_name_work(
    workspace: ThreadedWorkspace, signs: GitRepo, tmp_path: Path, placed: Any
) -> None:
    settings = settings_for(workspace, "socket", db=placed(tmp_path / "almanac.db").database, fixed_now=NOW)
    with running_bot(settings):
        workspace.wait_connected()
        said = ask(workspace, "guest", "@Almanac ada@example.com october 2025")
        assert "All 3 changes" in buttons(said)
        press(workspace, "guest", said, "All 3 changes")
        assert "mill 2" in json.dumps(modal(workspace, "guest", "mill"))
