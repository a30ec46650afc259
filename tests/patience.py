"""How long the bot of the tests waits: for minutes, wherever a limit of seconds would decide what it answers.

A busy machine holds up whatever is waited for, and only a test of such a limit is to see one: it sets that limit.
Run as `python patience.py serve`, this is the `almanac` command in a process of its own, which waits as long.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from bot.workspace.server import PATIENCE

ALMANAC = (sys.executable, str(Path(__file__)))
_LIMITS = (
    "bot.ask.model_answer SECONDS",
    "bot.commands.doctor MANY_SECONDS",
    "bot.hooks TAKE_SECONDS",
    "bot.index.lines ANSWER_SECONDS",
    "bot.index.releases SECONDS",
    "bot.monitoring WAIT_SECONDS",
    "bot.commands.doctor CALL_SECONDS",
    "bot.slack.web_api CALL_SECONDS",
    "bot.slack.sender CALL_SECONDS",
    "bot.slack.inbox KEEP_SECONDS",
    "bot.slack.directory LOOKUP_SECONDS",
    "bot.slack_app.listeners ACK_SECONDS",
)


def be_patient(put: Callable[[object, str, object], object] = setattr) -> None:
    """Put minutes in the place of each limit."""
    from slack_bolt.app.async_app import AsyncApp

    from bot.commands import doctor
    from bot.index.diffs import Diffs

    for limit in _LIMITS:
        module, name = limit.split()
        put(import_module(module), name, PATIENCE)
    for function in (doctor.findings, Diffs.tests_ignored, Diffs.hunks, Diffs.notes):
        put(function, "__defaults__", (PATIENCE,))
    # What a modal is answered with comes within ACK_SECONDS: Bolt, too, has to wait as long, or says 404.
    put(AsyncApp._register_listener, "__defaults__", (False, PATIENCE))


if __name__ == "__main__":
    from bot.cli import main

    be_patient()
    main()
