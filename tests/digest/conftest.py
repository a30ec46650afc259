"""A workspace, and a repository of which October is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import ADA, GRACE, Copy, GitRepo, index
from faulty_slack import FaultyWorkspace

from bot.workspace import Workspace
from storage import Store


@pytest.fixture
def slack() -> Iterator[FaultyWorkspace]:
    with FaultyWorkspace(Workspace(channels=["shipped", "other"])) as opened:
        yield opened


def _engine(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "engine")
    repo.commit("Add the mill (#1)", author=ADA, at="2025-10-01 10:00 +0000", files={"src/mill.py": "mill\n"})
    repo.commit("Add a compiler", author=GRACE, at="2025-10-28 10:00 +0000", files={"src/compiler.py": "c\n"})
    index(Store(folder / "almanac.db"), repo.path)


@pytest.fixture
def engine(copy: Copy, tmp_path: Path) -> GitRepo:
    """It is indexed in almanac.db beside it."""
    copy(_engine)
    return GitRepo(tmp_path / "acme" / "engine")
