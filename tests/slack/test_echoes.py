"""What somebody asked is not said back in a way that calls others, turns a line around or steers a terminal."""

from __future__ import annotations

import json
from typing import Any

import pytest
from bot_in_workspace import running_bot, settings_for
from builders import NOW
from talking import SECONDS, direct, nodes

from bot.workspace import BOT_USER_ID, ThreadedWorkspace
from storage import Store

HOSTILE = (
    "<@U0999>",
    "<@U0002|grace>",
    "<!here>",
    "<!channel|x>",
    "<!subteam^S1|@team>",
    "\u202egnp\u202c",
    "a\x1b[31mb",
)
ASKED = (
    "{}", "what did {} do in october 2025?", "who worked on {}?", "explain {}", "why is #{} a fix?", "profile of {}",
    "ada in {}", "only {}", "what happened in {} since june?", "compare {} and ada in october", "link {}",
    "show {}'s bug fixes", "the {} team in october", "month {} octobr", "{} as markdown", "whose is {}?",
    "ada octobr {} 2025", "digest {}",
)  # fmt: skip


def shown(arguments: dict[str, Any]) -> list[str]:
    """The texts of a call in which Slack reads markup, or that anybody reads."""
    blocks = arguments.get("blocks") or []
    marked = [one["text"] for one in nodes(blocks) if one.get("type") == "mrkdwn" or one.get("type") == "markdown"]
    return [arguments.get("text") or "", *marked]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_question_is_not_said_back_as_a_mention(workspace: ThreadedWorkspace, indexed: Store, hostile: str) -> None:
    settings = settings_for(workspace, "socket", db=indexed.path, fixed_now=NOW)
    with running_bot(settings):
        workspace.wait_connected()
        before = len(workspace.calls)
        for number, text in enumerate(ASKED, HOSTILE.index(hostile)):  # each by command and in a direct message
            if number % 2:
                workspace.say("guest", "general", f"/almanac {text.format(hostile)}")
            else:
                workspace.say("guest", direct(workspace, "guest"), text.format(hostile))
        sent = ("response_url", "chat.postMessage", "chat.postEphemeral", "views.open", "views.update")
        answered = lambda: [one for one in workspace.calls[before:] if one.method in sent]  # noqa: E731
        workspace.wait_until(lambda: len(answered()) >= len(ASKED) - 1, SECONDS)
    wrong = []
    for call in answered():
        for text in shown(call.arguments):
            left = text.replace("<@U0001>", "").replace(f"<@{BOT_USER_ID}>", "")
            if "<@" in left or "<!h" in left or "<!c" in left or "<!s" in left:
                wrong.append(text)
        if any(sign in json.dumps(call.arguments, ensure_ascii=False) for sign in ("\u202e", "\x1b", "\\u001b")):
            wrong.append(json.dumps(call.arguments)[:300])
    assert wrong == []
