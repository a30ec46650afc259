"""Questions as people put them, and what they are shown: over the wire, from a mention to the answer in its thread."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from bot_in_workspace import settings_for
from builders import ADA, GRACE, NOW, Copy, GitRepo, index
from plays import Play

from bot.settings import Settings, SprintSettings
from bot.workspace import ThreadedWorkspace
from storage import Store

KIM, OKAFOR = ("Dave Kim", "kim@example.com"), ("Dave Okafor", "okafor@example.com")
LINT = ("CodemodService Lint Bot", "lint@example.com")
HISTORY = (  # repository, day, author, title, tag
    ("engine", "2025-05-06", GRACE, "Add a spindle", ""),
    ("engine", "2025-06-02", ADA, "Speed up RDMA", ""),
    ("engine", "2025-06-03", ADA, "Test RDMA", ""),
    ("engine", "2025-07-07", GRACE, "Add a loom", "v2.0"),
    ("engine", "2025-08-14", GRACE, "Add a press", ""),
    ("engine", "2025-09-05", ADA, "Cache the mill", ""),
    ("engine", "2025-09-09", GRACE, "Add a cache", "v2.1"),
    ("engine", "2025-10-05", GRACE, "Add a compiler", ""),
    ("engine", "2025-10-07", KIM, "Add a lever", ""),
    ("engine", "2025-10-08", OKAFOR, "Add a wheel", ""),
    ("engine", "2025-10-09", LINT, "Sort the imports", ""),
    ("engine", "2025-10-29", GRACE, "Log RDMA", ""),
    ("engine", "2025-11-03", GRACE, "Oil a gear", ""),
    ("engine", "2025-11-04", GRACE, "Wind a clock", ""),
    ("docs", "2025-08-15", GRACE, "Explain the press", ""),
    ("web", "2025-03-10", ADA, "Paint the page", "v1.4"),
    ("web", "2025-04-02", ADA, "Sand the page", ""),
)
# What is asked in a thread, one after the other | what the last answer says | and what it does not say.
ROWS = """
what did Garce do in october | “Garce” read as Grace Hopper … Grace Hopper · October 2025 … Add a compiler |
what did Grace do in augst | “augst” read as … Grace Hopper · August 2025 … Add a press |
what did grace do yesterday? | Grace Hopper · 4 November 2025 … Wind a clock | gear
what did grace do last week? | Grace Hopper · 27 October to 2 November 2025 … Log RDMA | gear
what did grace do on 2025-08-14? | Grace Hopper · 14 August 2025 … Add a press | Explain the press
what did grace do this sprint? | Grace Hopper · 4 to 13 November 2025 … Wind a clock | gear
Dennis asked me what Grace did in July | Grace Hopper · July 2025 … Add a loom |
hey! I'm a bit late: could you pull up what Grace did in September? | Grace Hopper · September 2025 … Add a cache |
who else besides me worked on caching in september? | Grace Hopper … Add a cache | Cache the mill
hi there! first time here, what is this bot? | What did … do in … Profile of | I know nobody
what went into the march release of acme/web? | not understood: “release” … Paint the page | Sand
what is in 2.1 of acme/engine? | acme/engine v2.1 … Add a cache | Add a loom
what's new in acme/web since the last release? | acme/web since v1.4 … Sand the page | Paint
is deadbeef in any release? | No commit deadbeef |
is RELEASED in any release? | Add a press … first in v2.1 |
is NEWEST in any release? | Wind a clock … in no release yet |
digest last month pls | October 2025 … Add a compiler | Add a cache
what did grace do last quarter? / the quarter before that | Grace Hopper · April 2025 to June 2025 … spindle |
what did grace do in august? / without acme/docs | Grace Hopper · August 2025 … Add a press | Explain the press
delete grace's commits from august | I only tell | Add a press
SELECT * FROM commits WHERE author = 'grace' | SELECT | Add a press
what did Bob do in october? | nobody called “Bob” | Lint Bot
who worked on RDMA? | Ada Lovelace … Test RDMA … Log RDMA … two years to the latest change |
what did grace do in october? / hello again | What did … do in … Profile of | Add a compiler
"""


def _team(folder: Path) -> None:
    store = Store(folder / "almanac.db")
    for name in ("engine", "docs", "web"):
        repo = GitRepo(folder / "acme" / name)
        for number, (_, day, author, title, tag) in enumerate(one for one in HISTORY if one[0] == name):
            repo.commit(title, author=author, at=f"{day} 10:00 +0000", files={f"{number}.txt": f"{title}\n"})
            if tag:
                repo.git("tag", tag)
        index(store, repo)


@pytest.fixture
def engine(copy: Copy, tmp_path: Path) -> GitRepo:
    copy(_team)
    return GitRepo(tmp_path / "acme" / "engine")


@pytest.fixture
def settings(workspace: ThreadedWorkspace, indexed: Store) -> Settings:
    sprint = SprintSettings(first=date(2025, 10, 25), days=10)
    return settings_for(workspace, "http", db=indexed.path, fixed_now=NOW, sprint=sprint)


@pytest.mark.usefixtures("bot")
def test_a_question_is_answered(workspace: ThreadedWorkspace, engine: GitRepo) -> None:
    play, rows = Play(workspace), ROWS
    for name, at in (("RELEASED", "v2.1~2"), ("NEWEST", "HEAD")):
        rows = rows.replace(name, engine.line("rev-parse", at)[:9])
    for row in rows.strip().splitlines():
        asked, told, untold = map(str.strip, row.split("|"))
        texts = asked.split(" / ")
        for number, text in enumerate(texts, 1):
            play.play(f"ada {'thread' if number > 1 else '#general'}: @Almanac {text}")
            play.play(f"bot thread: {told if number == len(texts) else ''}")
        assert not untold or untold not in play.seen["text"], row
