"""`almanac demo`: the same bot, in the terminal and in a browser."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from builders import ADA, GRACE, GitRepo

from bot.workspace.server import PATIENCE


@pytest.fixture
def engine(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.commit("Add the mill (#1)", author=ADA, at="2025-08-01 10:00 +0000", files={"src/mill.py": "mill\n"})
    repo.commit("Add the store", author=ADA, at="2025-10-01 10:00 +0000", files={"src/store.py": "store\n"})
    repo.commit("Fix the mill", author=ADA, at="2025-10-02 10:00 +0000", files={"src/mill.py": "better\n"})
    repo.commit("Add a compiler", author=GRACE, at="2025-10-02 10:00 +0000", files={"src/compiler.py": "c\n"})
    return repo


@pytest.fixture
def taken() -> Iterator[socket.socket]:
    """The port of a real bot."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def test_without_a_repository_it_is_the_sample_of_a_team(
    almanac: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: socket.socket
) -> None:
    """Whatever repository is around; what is private is shown in its own channel alone, and left out elsewhere. What is
    made up ends with the month before the present one, and is never put into the database of a real bot, nor is its
    port listened on."""
    monkeypatch.setenv("ALMANAC_NOW", "2024-03-01T08:00:00Z")
    monkeypatch.setenv("ALMANAC_DB", str(tmp_path / "real.db"))
    monkeypatch.setenv("ALMANAC_HOOK_SECRET", "what the real bot listens to forges with")
    monkeypatch.setenv("PORT", str(taken.getsockname()[1]))
    monkeypatch.setenv("HOST", "127.0.0.1")
    GitRepo(tmp_path / "mine").commit("Add what is mine")
    monkeypatch.chdir(tmp_path / "mine")
    for _ in range(2):  # and a second run shows the same, though all was posted before
        ran = almanac("demo", "--once")
        assert ran.code == 0, ran.err
        shipped, _, billing = ran.out.partition("\n#shipped\n")[2].partition("\n#billing\n")
        for name in ("Ada Lovelace", "Grace Hopper", "Dave Kim", "Dave Okafor", "Mila Berg"):
            assert name in shipped
        assert "acme/engine" in shipped and "acme/web" in shipped
        assert "acme/billing" not in shipped and "acme/billing" in billing
        assert "what is mine" not in ran.out
        assert "what did Ada Lovelace do in February 2024?" in ran.out
    assert not (tmp_path / "real.db").exists()


def test_stay_opens_the_page_without_a_terminal(engine: GitRepo, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "demo", "--stay", "--port", "0", str(engine.path)],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        said = next(line for line in process.stdout if "http://" in line)
        address = next(word for word in said.split() if word.startswith("http://"))
        assert urlopen(address).status == 200
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        process.stdout.close()


def test_what_cannot_be_is_said_with_what_to_do(
    engine: GitRepo, almanac: Callable[..., Any], taken: socket.socket
) -> None:
    """Nothing is opened elsewhere where nobody would look for it."""
    port = taken.getsockname()[1]
    for arguments, told in (
        (
            ("--stay", "--port", port, engine.path),
            f"port {port} is taken: name another with --port, or none, and a free",
        ),
        (("nowhere",), "nowhere: does not exist: check the path"),
    ):
        ran = almanac("demo", *arguments)
        assert (ran.code, "http://" in ran.out, told in ran.err) == (1, False, True)
