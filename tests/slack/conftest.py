"""A team of three, a repository of theirs, and the bot at work."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bot_in_workspace import HOSTILE, patient, running_bot, settings_for
from builders import ADA, GRACE, NOW, Copy, GitRepo, index
from talking import broken_limits

from bot.settings import Settings
from bot.workspace import ThreadedWorkspace, Workspace, WorkspaceUser
from storage import Store

MANIFEST = Path(__file__).parents[2] / "manifest.json"


def _engine(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "engine")
    repo.commit("Add the mill (#1)", author=ADA, at="2025-08-04 10:00 +0000", files={"src/mill.py": "mill\n"})
    repo.commit("Fix the store (#2)", author=ADA, at="2025-10-01 10:00 +0000", files={"src/store.py": "store\n"})
    repo.commit(HOSTILE, author=ADA, at="2025-10-02 10:00 +0000", files={"src/bell.py": "bell\n"})
    repo.commit("Add a compiler (#3)", author=GRACE, at="2025-10-05 10:00 +0000", files={"src/compiler.py": "c\n"})
    index(Store(folder / "almanac.db"), repo)


@pytest.fixture
def engine(copy: Copy, tmp_path: Path) -> GitRepo:
    """Ada's August, September and October 2025, and one commit of Grace's; indexed, see `indexed`."""
    copy(_engine)
    return GitRepo(tmp_path / "acme" / "engine")


@pytest.fixture
def indexed(engine: GitRepo, tmp_path: Path, placed: Callable[[Path], Store]) -> Store:
    return placed(tmp_path / "almanac.db")


@pytest.fixture
def workspace() -> Iterator[ThreadedWorkspace]:
    people = [
        WorkspaceUser(name="ada", real_name="Ada Lovelace", email="ada@example.com", tz="Europe/London"),
        WorkspaceUser(name="grace", real_name="Grace H.", email="grace@example.com"),
        WorkspaceUser(name="guest", real_name="Some Guest", email="guest@example.com"),
    ]
    scopes = json.loads(MANIFEST.read_text())["oauth_config"]["scopes"]["bot"]  # no more than the app asks for
    team = Workspace(people, ["general", "shipped"], scopes=scopes)
    with patient(team) as opened:
        yield opened
        assert broken_limits(opened.calls) == []


@pytest.fixture
def transport() -> str:
    """How Slack reaches the bot. Tests of what might depend on it are marked `both_ways`."""
    return "http"


@pytest.fixture
def settings(transport: str, workspace: ThreadedWorkspace, indexed: Store) -> Settings:
    return settings_for(workspace, transport, db=indexed.database, fixed_now=NOW)


@pytest.fixture
def bot(settings: Settings, workspace: ThreadedWorkspace) -> Iterator[None]:
    with running_bot(settings):
        if settings.app_token:
            workspace.wait_connected()
        yield
