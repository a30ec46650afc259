"""Count what one question and one digest take of our own code: `python -m benchmarks.trace`, or `make trace`.

The bot of `almanac serve` runs beside a local workspace on the sample team's history. While `/almanac month PERSON`, or
the same in a mention, is on its way from Slack's payload to the answer, and while one tick of the clock posts a digest
and the next does nothing, each function of bot/ and storage/ that is called is noted, and each transaction that SQLite
begins. Counts are exact and the same on any machine.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import logging
import sqlite3
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from benchmarks.timing import ROOT
from bot.commands.indexing import index
from bot.digest.service import DigestService
from bot.digest.tick import Jobs
from bot.sample import sample
from bot.settings import Secret, Settings
from bot.slack import inbox
from bot.slack.directory import Members
from bot.slack.sender import Sender
from bot.slack.web_api import posting_client, without_proxy_for_loopback
from bot.slack_app.serve import Bot
from bot.story.render import Templates
from bot.workspace import ThreadedWorkspace, Workspace, WorkspaceUser
from bot.workspace.server import PATIENCE
from storage import Store

NOW = datetime(2025, 11, 3, 12, tzinfo=UTC)
FIRST = datetime(2025, 12, 1, 9, tzinfo=UTC)
CHANNEL = "shipped"
MENTIONED_IN = "general"
QUESTION = "/almanac month Grace Hopper"
MENTION = "@almanac month Grace Hopper"
MOST_CALLERS = 3  # of a function, those that called it most
LOOK_SECONDS = 0.05  # between two looks whether anything is under way
THREADS = ("MainThread", "answer", "asked")  # the names of the bot's, of the loop's and of the measured tick's
Json = dict[str, Any]
OURS = (f"{ROOT}/bot/", f"{ROOT}/storage/")
NOT_OF_THE_BOT = (f"{ROOT}/bot/workspace/", f"{ROOT}/bot/sample/")


class Trace:
    """What was called, in all threads but the workspace's own, while `counting`."""

    def __init__(self) -> None:
        self.calls: Counter[CodeType] = Counter()
        self.callers: defaultdict[CodeType, Counter[str]] = defaultdict(Counter)
        self.statements: list[str] = []
        self.depth = 0
        self._counting = False
        self._ours: dict[CodeType, bool] = {}
        self._thread = threading.local()

    @property
    def transactions(self) -> int:
        return sum(one.startswith("BEGIN") for one in self.statements)

    @contextmanager
    def counting(self) -> Iterator[None]:
        self.calls.clear()
        self.callers.clear()
        self.statements.clear()
        self.depth, self._counting = 0, True
        try:
            yield
        finally:
            self._counting = False

    def called(self, frame: FrameType, event: str, _: object) -> None:
        """For sys.setprofile."""
        if not self._counting or event not in ("call", "return") or not self._is_ours(frame.f_code):
            return
        depth = max(0, getattr(self._thread, "depth", 0) + (1 if event == "call" else -1))
        self._thread.depth = depth
        if event == "call":
            self.calls[frame.f_code] += 1
            self.callers[frame.f_code][_caller(frame)] += 1
            self.depth = max(self.depth, depth)

    def _is_ours(self, code: CodeType) -> bool:
        known = self._ours.get(code)
        if known is None:
            is_function = not code.co_name.startswith("<") or code.co_name == "<lambda>"
            path = code.co_filename
            known = is_function and path.startswith(OURS) and not path.startswith(NOT_OF_THE_BOT)
            self._ours[code] = known
        return known and threading.current_thread().name.startswith(THREADS)

    def watch_sqlite(self) -> None:
        """Note the statements of every connection that is opened from now on."""
        connect = sqlite3.connect

        def connected(*arguments: Any, **named: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = connect(*arguments, **named)
            connection.set_trace_callback(self._executed)
            return connection

        sqlite3.connect = connected  # type: ignore[assignment]

    def _executed(self, statement: str) -> None:
        if self._counting and threading.current_thread().name.startswith(THREADS):
            self.statements.append(" ".join(statement.split()))

    def report(self, title: str, *, each: bool) -> str:
        """The counts, and how many of the functions are of which folder; with `each`, all names and callers."""
        names: dict[str, list[str]] = {}
        for code, calls in sorted(self.calls.items(), key=lambda one: one[0].co_firstlineno):
            module = Path(code.co_filename).relative_to(ROOT).as_posix()
            by = ", ".join(name for name, _ in self.callers[code].most_common(MOST_CALLERS))
            names.setdefault(module, []).append(f"{code.co_qualname} {calls}, by {by}")
        rooms: Counter[str] = Counter()
        for module, functions in names.items():
            rooms["/".join(module.split("/")[: 2 if module.startswith("bot/") else 1])] += len(functions)
        lines = [
            f"{title}: {len(self.calls)} functions in {len(names)} modules, {self.transactions} transactions, "
            f"{self.depth} deep",
            "  " + ", ".join(f"{room} {count}" for room, count in rooms.most_common()),
        ]
        if each:
            for module, functions in sorted(names.items()):
                lines += [f"  {len(functions):3} {module}", *(f"      {function}" for function in functions)]
            lines += [f"  {statement}" for statement in self.statements]
        return "\n".join(lines)


def _caller(frame: FrameType) -> str:
    """What called a function, by its name; of comprehensions, what they are in."""
    by = frame.f_back
    while by and by.f_code.co_name.startswith("<") and by.f_code.co_name != "<lambda>":
        by = by.f_back
    return by.f_code.co_qualname if by else ""


def prepared(home: Path) -> tuple[Settings, Store]:
    """The sample, indexed with its lines."""
    settings = sample(Settings(home=home, fixed_now=NOW))
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        index(settings, [])
    return settings, Store(settings.database, dates=settings.dates)


def opened_workspace() -> ThreadedWorkspace:
    """A workspace of two who are in the sample."""
    people = [
        WorkspaceUser(id="U0DEMOADA", name="ada", real_name="Ada Lovelace", email="ada@acme.example"),
        WorkspaceUser(id="U0DEMOGRACE", name="grace", real_name="Grace Hopper", email="grace@acme.example"),
    ]
    return ThreadedWorkspace(Workspace(people, [CHANNEL, MENTIONED_IN]), ack_timeout=PATIENCE)


async def question(trace: Trace, settings: Settings, store: Store, workspace: ThreadedWorkspace, text: str) -> None:
    """What an answer for the asker alone takes, or one to a mention, once the bot has answered before."""

    def under_way() -> bool:
        counts = store.outbox.counts()
        return bool(store.pending_events.count() or counts.get("planned") or counts.get("sending"))

    def asked() -> Json:
        if text.startswith("@"):
            ts = workspace.say("ada", MENTIONED_IN, text)
            answer = workspace.wait_until(lambda: workspace.messages(MENTIONED_IN, ts)[1:])[-1]
        else:
            before = len(workspace.messages(CHANNEL, user="U0DEMOADA"))
            workspace.say("ada", CHANNEL, text)
            answer = workspace.wait_until(lambda: workspace.messages(CHANNEL, None, "U0DEMOADA")[before:])[-1]
        while under_way():
            time.sleep(LOOK_SECONDS)
        return answer

    async with Bot.connected(replace(settings, digests=[])).running():
        await asyncio.to_thread(workspace.wait_connected)
        await asyncio.to_thread(asked)
        with trace.counting():
            answer = await asyncio.to_thread(asked)
    if "Grace Hopper" not in answer["text"]:
        raise RuntimeError(f"{text} was answered with {answer['text']!r}")


def ticks(trace: Trace, settings: Settings, store: Store, workspace: ThreadedWorkspace) -> Iterator[str]:
    """What two ticks take: one in which a digest comes due and is posted, and the next. Yields what each is."""
    poster = Sender(posting_client(settings), store.outbox, settings.now)
    team = workspace.workspace.team_id
    service = DigestService(settings, store, Members.of(settings, store, team), Templates(), poster, team)
    jobs = Jobs(settings, store, poster, service)
    for title, seconds in (("a tick in which a digest is due, and its sending", PATIENCE), ("a tick", 0.0)):
        with store.held_open(), trace.counting():
            jobs.tick()
            if seconds:
                poster.send_waiting(seconds)
        yield title
    if len(workspace.messages(CHANNEL)) != 1:
        raise RuntimeError("the digest was not posted once")


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.trace", description=(__doc__ or "").splitlines()[0])
    each = "name every function, how often it is called and by what, and every statement"
    parser.add_argument("--each", action="store_true", help=each)
    parser.add_argument("--question", default=QUESTION, help="default: %(default)s")
    asked = parser.parse_args(given)
    logging.basicConfig(level=logging.ERROR)
    inbox.RENEW_SECONDS = 3600.0  # looking after what others left is no part of a question
    trace = Trace()
    trace.watch_sqlite()
    with tempfile.TemporaryDirectory() as folder, opened_workspace() as workspace:
        settings, store = prepared(Path(folder))
        team = workspace.workspace
        settings = replace(
            settings,
            slack_api=workspace.api_url,
            bot_token=Secret(team.bot_token),
            app_token=Secret(team.app_token),
        )
        without_proxy_for_loopback(settings)
        threading.setprofile(trace.called)
        sys.setprofile(trace.called)
        try:
            for text in (asked.question, MENTION):
                asyncio.run(question(trace, settings, store, workspace, text))
                print(trace.report(text, each=asked.each))
            for title in ticks(trace, replace(settings, fixed_now=FIRST), store, workspace):
                print(trace.report(title, each=asked.each))
        finally:
            sys.setprofile(None)
            threading.setprofile(None)


if __name__ == "__main__":
    main()
