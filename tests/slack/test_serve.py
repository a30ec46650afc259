"""`almanac serve` as a process: how it starts, what it says, how it ends."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import urllib.error
import urllib.request
from contextlib import closing
from itertools import takewhile

import pytest
from bot_in_workspace import SECRET, free_port
from builders import Run
from patience import ALMANAC
from talking import SECONDS
from waiting import wait_until

from bot.settings import Settings
from bot.slack_app.serve import Bot
from bot.workspace import ThreadedWorkspace
from storage import Store


def surroundings(workspace: ThreadedWorkspace, store: Store, **more: str) -> dict[str, str]:
    token = workspace.workspace.bot_token
    return {"SLACK_API_URL": workspace.api_url, "SLACK_BOT_TOKEN": token, "ALMANAC_DB": str(store.path), **more}


@pytest.mark.parametrize("token", ["xapp-", "xapp-wrong-secret"])
def test_a_wrong_app_token_ends_it_with_one_line(
    almanac: Run, workspace: ThreadedWorkspace, indexed: Store, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    for name, value in surroundings(workspace, indexed, SLACK_APP_TOKEN=token).items():
        monkeypatch.setenv(name, value)
    ran = almanac("serve")
    assert (ran.code, "Traceback" in ran.err, "wrong-secret" in ran.err) == (1, False, False)
    assert "Slack refused SLACK_APP_TOKEN (invalid_auth)" in ran.err.splitlines()[-1]


def test_where_nothing_more_can_be_written_it_is_neither_well_nor_ready(
    workspace: ThreadedWorkspace, indexed: Store
) -> None:
    """As on a full disk: a file that may not grow. What can be read still is no answer, for each is written down."""
    port = str(free_port())
    given = {"SLACK_SIGNING_SECRET": SECRET, "PORT": port, "HOST": "127.0.0.1"}
    # What Python compiles would be cut at that length, and read by every process that comes after.
    known = surroundings(workspace, indexed, **given, PYTHONDONTWRITEBYTECODE="1")
    command = ["sh", "-c", 'ulimit -f 80 && exec "$@" serve', "sh", *ALMANAC]

    def is_refused(path: str) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=SECONDS):
                return False
        except urllib.error.HTTPError as error:
            with error:
                return error.code == 503 and "disk" in json.load(error)["error"]

    with subprocess.Popen(command, env={**os.environ, **known}, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            list(takewhile(lambda line: "answering by" not in line, running.stderr))
            wait_until(lambda: is_refused("health"))
            wait_until(lambda: is_refused("ready"))
        finally:
            running.kill()


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
