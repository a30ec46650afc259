"""`almanac demo`: the same bot, in the terminal and in a browser."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from builders import ADA, GRACE, GitRepo

NUMBERS = itertools.count(1)  # of the calls to the browser
CHROMIUM = next((found for name in ("chromium", "chromium-browser") if (found := shutil.which(name))), None)


@pytest.fixture
def engine(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "acme" / "engine")
    repo.commit("Add the mill (#1)", author=ADA, at="2025-08-01 10:00 +0000", files={"src/mill.py": "mill\n"})
    repo.commit("Add the store", author=ADA, at="2025-10-01 10:00 +0000", files={"src/store.py": "store\n"})
    repo.commit("Fix the mill", author=ADA, at="2025-10-02 10:00 +0000", files={"src/mill.py": "better\n"})
    repo.commit("Add a compiler", author=GRACE, at="2025-10-02 10:00 +0000", files={"src/compiler.py": "c\n"})
    return repo


def demo(*arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", "demo", *map(str, arguments)],
        cwd=folder, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def test_once_plays_the_digest_a_question_and_a_follow_up(engine: GitRepo, tmp_path: Path) -> None:
    ran = demo("--once", engine.path, folder=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "2 people made 3 changes in acme/engine in October 2025" in ran.stdout
    question, answer, follow_up, second = (
        ran.stdout.index(text)
        for text in (
            "@Almanac what did Ada Lovelace do in October 2025?",
            "Ada Lovelace made 2 changes in acme/engine in October 2025",
            "@Almanac and August 2025?",
            "Ada Lovelace made 1 change in acme/engine in August 2025",
        )
    )
    assert question < answer < follow_up < second


def test_without_a_terminal_it_plays_once_on_the_repository_around_it(engine: GitRepo) -> None:
    inside = engine.path / "src"
    for _ in range(2):  # and a second run shows the same, though all was posted before
        ran = demo(folder=inside)
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout.count("2 people made 3 changes") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "almanac: there is no git repository around"),
        (["nowhere"], "does not exist: check the path"),
    ],
)
def test_with_nothing_to_show_it_says_what_to_do(tmp_path: Path, arguments: list[str], said: str) -> None:
    ran = demo(*arguments, folder=tmp_path)
    assert ran.returncode == 1
    assert said in ran.stderr and "Traceback" not in ran.stderr


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
def test_in_a_browser_one_reads_the_digest_and_asks(engine: GitRepo, tmp_path: Path) -> None:
    with open_demo(engine.path, tmp_path) as url, browser(tmp_path) as port:
        seen = asyncio.run(_visit(port, url))
    assert "2 people made 3 changes in acme/engine in October 2025" in seen["channel"]
    assert "Ada Lovelace made 2 changes in acme/engine in October 2025" in seen["thread"]


@contextmanager
def open_demo(repository: Path, folder: Path) -> Iterator[str]:
    """`almanac demo` on a terminal of its own, until the block is left; gives the page's address."""
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "demo", str(repository), "--port", "0"],
        cwd=folder, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    try:
        said = ""
        while "Ctrl-C" not in said:
            said += os.read(ours, 4096).decode()
        yield next(word for word in said.split() if word.startswith("http://127.0.0.1:"))
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        os.close(ours)


@contextmanager
def browser(folder: Path) -> Iterator[int]:
    """Chromium without a window; gives the port of its debugger."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    assert CHROMIUM is not None
    process = subprocess.Popen(
        [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            f"--user-data-dir={folder / 'profile'}", f"--remote-debugging-port={port}", "about:blank",
        ],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stderr is not None
        while b"DevTools listening" not in process.stderr.readline():
            pass
        yield port
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()


async def _visit(port: int, url: str) -> dict[str, str]:
    """Open the page, press the first suggestion, and return what the channel and the thread then say."""
    async with aiohttp.ClientSession() as session:
        async with session.get(f"http://127.0.0.1:{port}/json") as answer:
            pages = json.loads(await answer.text())
        address = next(page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page")
        async with session.ws_connect(address) as debugger:
            await _call(debugger, "Page.navigate", {"url": url})
            await _until(debugger, "document.body.innerText.includes('people made')")
            channel = await _evaluate(debugger, "document.querySelector('main, body').innerText")
            await _evaluate(debugger, "document.querySelector('[data-testid=suggestion]').click()")
            asked = "document.querySelector('[data-testid=thread]')?.innerText"
            await _until(debugger, f"({asked} || '').includes('Ada Lovelace made')")
            return {"channel": str(channel), "thread": str(await _evaluate(debugger, asked))}


async def _until(debugger: aiohttp.ClientWebSocketResponse, condition: str) -> None:
    """Wait, in the page, until a condition holds."""
    look = f"const look = () => ({condition}) ? done(true) : requestAnimationFrame(look)"
    wait = f"new Promise(done => {{ {look}; look() }})"
    await _evaluate(debugger, wait)


async def _evaluate(debugger: aiohttp.ClientWebSocketResponse, expression: str) -> Any:
    wanted = {"expression": expression, "awaitPromise": True, "returnByValue": True}
    for _ in range(200):  # a page that is being replaced forgets what it was asked
        answer = await _call(debugger, "Runtime.evaluate", wanted)
        if "error" not in answer and "exceptionDetails" not in answer["result"]:
            return answer["result"]["result"].get("value")
        await asyncio.sleep(0.05)
    raise AssertionError(answer)


async def _call(debugger: aiohttp.ClientWebSocketResponse, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
    number = next(NUMBERS)
    await debugger.send_json({"id": number, "method": method, "params": parameters})
    async for message in debugger:
        answer = json.loads(message.data)
        if answer.get("id") == number:
            return dict(answer)
    raise AssertionError("the browser went away")
