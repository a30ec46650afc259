"""Many questions at once: each is acknowledged in time, and answered once."""

from __future__ import annotations

from collections import Counter

import pytest
from talking import answers, direct

from bot.workspace import BOT_USER_ID, ThreadedWorkspace

pytestmark = pytest.mark.usefixtures("bot")
QUESTIONS = 40


@pytest.mark.parametrize(
    ("transport", "on_engine"),
    [("socket", "sqlite"), ("http", "sqlite"), pytest.param("http", "postgres", marks=pytest.mark.postgres)],
)
def test_many_questions_are_all_answered_and_none_twice(workspace: ThreadedWorkspace) -> None:
    asked = [
        workspace.say("guest", "general", f"@Almanac ada {'october' if number % 2 else 'august'} 2025")
        for number in range(QUESTIONS // 2)
    ]
    for number in range(QUESTIONS // 4):
        workspace.say("ada", direct(workspace, "ada"), "my october" if number % 2 else "help")
        workspace.say("grace", "general", "/almanac month ada october")

    def told() -> bool:
        threads = Counter(m.get("thread_ts") for m in answers(workspace, "general"))
        in_direct = answers(workspace, direct(workspace, "ada"))
        private = [m for m in workspace.messages("general", user="U0002") if m.get("ephemeral")]
        return len(threads) >= len(asked) and len(in_direct) >= QUESTIONS // 4 and len(private) >= QUESTIONS // 4

    workspace.wait_until(told)
    assert Counter(m["thread_ts"] for m in answers(workspace, "general")) == dict.fromkeys(asked, 1)
    assert len(answers(workspace, direct(workspace, "ada"))) == QUESTIONS // 4
    assert len([m for m in workspace.messages("general", user="U0002") if m.get("ephemeral")]) == QUESTIONS // 4
    workspace.wait_until(lambda: all(one.is_acknowledged for one in workspace.deliveries))
    assert [one.attempt for one in workspace.deliveries if one.attempt] == []  # Slack had to deliver none again
    assert BOT_USER_ID not in {m["user"] for m in workspace.messages("shipped")}
