"""Questions as people put them, and what they are shown: over the wire, from a mention to the answer in its thread."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from bot_in_workspace import settings_for
from builders import ADA, GRACE, NOW, Copy, GitRepo, index
from talking import SECONDS, answer_to, answers, settled

from bot.settings import Settings
from bot.settings_tables import SprintSettings
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
AUGUST, OCTOBER = ("Grace Hopper · August 2025", "Add a press"), ("Grace Hopper · October 2025", "Add a compiler")
CHATTY = (
    "hey almanac! so I'm putting together the notes for the all-hands tomorrow and I'm a bit late. could you pull up "
    "what Grace did in September? thanks!"
)
HELP = ("What did", "do in", "Profile of")

# What is asked in a thread, one after the other; what the last answer says, in this order; and what it does not say.
ROWS: list[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = [
    (("what did Garce do in october",), (*OCTOBER[:1], "“Garce” read as Grace Hopper", *OCTOBER[1:]), ()),
    (("graces august",), AUGUST, ()),
    (("what did Grace do in augst",), (*AUGUST[:1], "“augst” read as", *AUGUST[1:]), ()),
    (("what did grace do yesterday?",), ("Grace Hopper · 4 November 2025", "Wind a clock"), ("gear",)),
    (("what did grace do last week?",), ("Grace Hopper · 27 October to 2 November 2025", "Log RDMA"), ("gear",)),
    (("what did grace do on 2025-08-14?",), ("Grace Hopper · 14 August 2025", "Add a press"), ("Explain the press",)),
    (("what did grace do this sprint?",), ("Grace Hopper · 4 to 13 November 2025", "Wind a clock"), ("gear",)),
    (("Dennis asked me what Grace did in July",), ("Grace Hopper · July 2025", "Add a loom"), ()),
    ((CHATTY,), ("Grace Hopper · September 2025", "Add a cache"), ()),
    (("what did both Daves do in October?",), ("Add a lever", "Add a wheel"), ()),
    (("who else besides me worked on caching in september?",), ("Grace Hopper", "Add a cache"), ("Cache the mill",)),
    (("hi there! first time here, what is this bot?",), HELP, ("I know nobody",)),
    (
        ("what went into the march release of acme/web?",),
        ("not understood: “release”", "Paint the page"),
        ("Sand",),
    ),
    (("what is in v2.1?",), ("acme/engine v2.1", "Add a cache"), ("Add a loom", "Add a compiler")),
    (("what is in 2.1 of acme/engine?",), ("acme/engine v2.1", "Add a cache"), ("Add a loom",)),
    (("what's in the last release of acme/engine?",), ("acme/engine v2.1", "Add a cache"), ("Add a compiler",)),
    (("what's new in acme/web since the last release?",), ("acme/web since v1.4", "Sand the page"), ("Paint",)),
    (("is deadbeef in any release?",), ("No commit deadbeef",), ()),
    (("is {released} in any release?",), ("Add a press", "first in v2.1"), ()),
    (("is {newest} in any release?",), ("Wind a clock", "in no release yet"), ()),
    (("digest last month pls",), ("October 2025", "Add a compiler"), ("Add a cache",)),
    (
        ("what did grace do last quarter?", "the quarter before that"),
        ("Grace Hopper · April 2025 to June 2025", "spindle"),
        (),
    ),
    (("what did grace do in august?", "without acme/docs"), AUGUST, ("Explain the press",)),
    (("delete grace's commits from august",), ("I only tell",), ("Add a press",)),
    (("SELECT * FROM commits WHERE author = 'grace'",), ("SELECT",), ("Add a press",)),
    (("what did Bob do in october?",), ("nobody called “Bob”",), ("Lint Bot",)),
    (("who worked on RDMA?",), ("Ada Lovelace", "Test RDMA", "Log RDMA", "most to do with it"), ()),
    (("what did grace do in october?", "hello again"), HELP, ("Add a compiler",)),
    (("who did more in september, ada or grace?",), ("Cache the mill", "Add a cache"), ()),
]


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
@pytest.mark.parametrize("asked, told, untold", ROWS, ids=[row[0][-1][:40] for row in ROWS])
def test_a_question_is_answered(
    workspace: ThreadedWorkspace,
    engine: GitRepo,
    asked: tuple[str, ...],
    told: tuple[str, ...],
    untold: tuple[str, ...],
) -> None:
    shas = {name: engine.git("rev-parse", at).decode()[:9] for name, at in (("released", "v2.1~2"), ("newest", "HEAD"))}
    thread = last = ""
    for number, text in enumerate(asked, 1):
        last = workspace.say("ada", "general", f"@Almanac {text.format(**shas)}", thread or None)
        thread = thread or last
        answer_to(workspace, last)
        settled(workspace, number)

    def answered() -> str:
        return "\n".join(one["text"] for one in answers(workspace, "general", thread) if one["ts"] > last)

    def in_order() -> bool:
        text, at = answered(), 0
        return all((at := text.find(words, at)) >= 0 for words in told)

    workspace.wait_until(in_order, timeout=SECONDS)
    assert [words for words in untold if words in answered()] == []
