"""`almanac serve` as a process: how it starts, what it says, how it ends."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from bot_in_workspace import SECRET, free_port
from patience import ALMANAC
from talking import SECONDS
from waiting import wait_until

from bot.settings import Settings
from bot.slack_app.serve import Bot
from bot.workspace import ThreadedWorkspace
from storage import Store

STARTED: list[subprocess.Popen[str]] = []


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """A test that fails leaves no process behind either."""
    yield
    while STARTED:
        process = STARTED.pop()
        if process.poll() is None:
            process.kill()
            process.communicate(timeout=SECONDS)


def serve(
    workspace: ThreadedWorkspace, store: Store, *, files: int = 1024, blocks: str = "unlimited", **environment: str
) -> subprocess.Popen[str]:
    """The process; it may open so many files, and write none that is longer than so many blocks of 512 bytes."""
    known = {
        # What Python compiles would be cut at that length, and read by every process that comes after.
        "PYTHONDONTWRITEBYTECODE": "" if blocks == "unlimited" else "1",
        "SLACK_API_URL": workspace.api_url,
        "SLACK_BOT_TOKEN": workspace.workspace.bot_token,
        "ALMANAC_DB": str(store.path),
        **environment,
    }
    command = ["sh", "-c", f'ulimit -n {files} && ulimit -f {blocks} && exec "$@" serve', "sh", *ALMANAC]
    process = subprocess.Popen(
        command, env={**os.environ, **known}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    STARTED.append(process)
    return process


def until_it_answers(running: subprocess.Popen[str]) -> str:
    """What it said until then."""
    assert running.stderr is not None
    said = ""
    for line in running.stderr:
        said += line
        if "answering by" in line:
            break
    return said


@pytest.fixture
def almanac_there(
    almanac: Callable[..., Any], workspace: ThreadedWorkspace, indexed: Store, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """`almanac serve` in this process, which ends with one line at once: that line."""

    def ended(**environment: str) -> str:
        token = workspace.workspace.bot_token
        given = {"SLACK_API_URL": workspace.api_url, "SLACK_BOT_TOKEN": token, "ALMANAC_DB": str(indexed.path)}
        for name, value in (given | environment).items():
            monkeypatch.setenv(name, value)
        ran = almanac("serve")
        assert (ran.code, "Traceback" in ran.err) == (1, False)
        return str(ran.err.splitlines()[-1])

    return ended


def test_a_wrong_app_token_ends_it_with_one_line(almanac_there: Callable[..., str]) -> None:
    for token in ("xapp-", "xapp-wrong-secret"):
        said = almanac_there(SLACK_APP_TOKEN=token)
        assert "Slack refused SLACK_APP_TOKEN (invalid_auth)" in said and "wrong-secret" not in said


def test_where_nothing_more_can_be_written_it_is_neither_well_nor_ready(
    workspace: ThreadedWorkspace, indexed: Store
) -> None:
    """As on a full disk: a file that may not grow. What can be read still is no answer, for each is written down."""
    port = free_port()
    given = {"SLACK_SIGNING_SECRET": SECRET, "PORT": str(port), "HOST": "127.0.0.1"}
    running = serve(workspace, indexed, blocks="80", **given)
    until_it_answers(running)
    for path in ("health", "ready"):

        def refused(path: str = path) -> bool:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=SECONDS):
                    return False
            except urllib.error.HTTPError as error:
                with error:
                    return error.code == 503 and "disk" in json.load(error)["error"]

        wait_until(refused)


def test_a_bot_ends_when_a_newer_almanac_has_changed_the_tables(settings: Settings, indexed: Store) -> None:
    """As it would not start: what it writes might not fit any more."""
    bot, ended = Bot.connected(settings), list[str]()
    bot.on_outdated = lambda: ended.append(str(bot.outdated))
    bot.tick()
    assert ended == []
    with closing(sqlite3.connect(indexed.path)) as connection, connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('almanac', 'm999_later', '')"
        )
    bot.tick()
    (line,) = ended
    assert line.startswith(f"the database {indexed.path} was made by a newer Almanac: upgrade this one")
