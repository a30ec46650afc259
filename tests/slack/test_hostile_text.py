"""No mention, and no sign that steers a terminal or turns the reading order, leaves the bot: whoever wrote it, in git
or in a question, and wherever it stands."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from bot_in_workspace import running_bot, settings_for
from builders import NOW, Copy, GitRepo, index
from talking import SECONDS, answer_to, ask, buttons, direct, modal, nodes, press

from bot.workspace import BOT_USER_ID, Call, ThreadedWorkspace
from storage import Store

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
C1 = "".join(map(chr, range(0x7F, 0xA0)))
STEERS = BIDI + C1 + "\x08\x0b\x1b\r"
ADA = (f"Ada\u200f Love{BIDI}lace", "ada@example.com")
MENTIONS = ("<@U0999>", "<@U0002|grace>", "<!here>", "<!channel|x>", "<!subteam^S1|@team>")
ASKED = (
    "{}", "what did {} do in october 2025?", "who worked on {}?", "explain {}", "why is #{} a fix?", "profile of {}",
    "ada in {}", "only {}", "what happened in {} since june?", "compare {} and ada in october", "link {}",
    "show {}'s bug fixes", "the {} team in october", "month {} octobr", "{} as markdown", "whose is {}?",
    "ada octobr {} 2025", "digest {}",
)  # fmt: skip
OF_GIT = (
    "ada\u200f october 2025", "ada october 2025 as markdown", "profile of ada", "changes of ada in october",
    "biggest changes in october", "who worked on mill?", "explain #1",
    "explain {sha}", "what shipped in october?", "who reviewed ada's changes in october?", "link ada@example.com",
    "what happened in acme/{steers}signs?", "help",
)  # fmt: skip
SAYS = ("response_url", "chat.postMessage", "chat.postEphemeral", "views.open", "views.update")


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


def steering(calls: list[Call]) -> list[str]:
    """What was sent with a sign that steers in it, be it in a text or in JSON that is shown to nobody."""
    sent = [json.dumps(one.arguments, ensure_ascii=False) for one in calls]
    return [text[:500] for text in sent if set(text) & set(STEERS) or "\\u001b" in text]


def marked(arguments: dict[str, Any]) -> list[str]:
    """The texts of a call in which Slack reads markup."""
    blocks = [one["text"] for one in nodes(arguments.get("blocks") or []) if one.get("type") in ("mrkdwn", "markdown")]
    return [arguments.get("text") or "", *blocks]


def test_a_question_is_not_said_back_as_a_mention_nor_with_signs(workspace: ThreadedWorkspace, indexed: Store) -> None:
    with running_bot(settings_for(workspace, "socket", db=indexed.path, fixed_now=NOW)):
        workspace.wait_connected()
        asked = [text.format(one) for one, text in product((*MENTIONS, f"x{STEERS}y"), ASKED)]
        before = len(workspace.calls)
        for number, text in enumerate(asked):  # in turn by command and in a direct message
            if number % 2:
                workspace.say("guest", "general", f"/almanac {text}")
            else:
                workspace.say("guest", direct(workspace, "guest"), text)
        answered = lambda: [one for one in workspace.calls[before:] if one.method in SAYS]  # noqa: E731
        workspace.wait_until(lambda: len(answered()) >= len(asked), SECONDS)
    assert steering(answered()) == []
    said = [text for call in answered() for text in marked(call.arguments)]
    left = [text.replace("<@U0001>", "").replace(f"<@{BOT_USER_ID}>", "") for text in said]
    assert [text for text in left if "<@" in text or "<!" in text.replace("<!date", "")] == []


def test_what_stands_in_git_is_told_without_signs_and_its_buttons_work(
    workspace: ThreadedWorkspace, signs: GitRepo, tmp_path: Path, placed: Any
) -> None:
    store = placed(tmp_path / "almanac.db")
    with running_bot(settings_for(workspace, "socket", db=store.database, fixed_now=NOW)):
        workspace.wait_connected()
        for text in OF_GIT:
            asked = text.format(sha=signs.tip, steers=STEERS)
            ask(workspace, "guest", f"/almanac {asked}")
            answer_to(workspace, workspace.say("ada", direct(workspace, "ada"), asked))
        ts = workspace.say("guest", "shipped", "@Almanac ada@example.com october 2025")
        october = workspace.wait_for(lambda m: m.get("thread_ts") == ts != m["ts"], SECONDS)
        assert "All 3 changes" in buttons(october)
        press(workspace, "guest", october, "All 3 changes")
        assert "mill 2" in json.dumps(modal(workspace, "guest", "mill"))
        workspace.open_home("ada")
        workspace.wait_until(lambda: workspace.home_views or None, SECONDS)
    assert steering(workspace.calls) == []
