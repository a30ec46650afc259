"""`almanac demo`: the same bot, in the terminal and in a browser."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from builders import ADA, GRACE, GitRepo
from chromium import CHROMIUM, Tab, browser, in_tab


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
        cwd=folder, capture_output=True, text=True, timeout=120,
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
def test_in_a_browser_one_reads_asks_and_presses(engine: GitRepo, tmp_path: Path) -> None:
    """The digest with its chart, an answer with its buttons, modals upon one another, Home, a shortcut, a guest."""

    async def visit(tab: Tab) -> None:
        await tab.open(url)
        await tab.sees("#messages", "2 people made 3 changes in acme/engine in October 2025")
        await tab.click("[data-testid=replies]", "3 replies")  # what was asked there before anybody came
        await tab.sees("[data-testid=thread]", "Ada Lovelace made 1 change in acme/engine in August 2025")
        await tab.click("[data-testid=suggestion]", "What did Ada Lovelace do")
        await tab.until("document.querySelectorAll('[data-testid=thread] .message').length === 2")
        await tab.sees("[data-testid=thread]", "Ada Lovelace made 2 changes in acme/engine in October 2025")

        await tab.click("[data-testid=thread] button", "All 2 changes")
        await tab.sees("#modal", "Ada Lovelace, October 2025: 2 changes")
        assert await tab.value("document.activeElement.closest('dialog').id") == "modal"
        await tab.click("#modal button", "Explain")
        await tab.until("document.querySelector('#modal h2').innerText === 'Why it is told so'")
        await tab.sees("#modal", "by the author date 2025-10-02")
        await tab.key("Escape")
        await tab.sees("#modal h2", "All changes")
        await tab.key("Escape")
        await tab.until("!document.querySelector('#modal').open")
        assert await tab.value("document.activeElement.innerText") == "All 2 changes"

        await tab.click("#thread-messages article:first-of-type [data-testid=message-menu]")  # of what Ada asked
        await tab.click("details[open] [role=menuitem]", "This person's month")
        await tab.sees("#modal", "Ada Lovelace made 2 changes in acme/engine in October 2025")
        await tab.key("Escape")
        await tab.until("!document.querySelector('#modal').open")

        await tab.click("[data-testid=channel-almanac]")
        await tab.sees("[data-testid=suggestion]", "My October 2025")  # what the bot suggests, not the page
        await tab.click("[data-testid=tab-home]")
        await tab.sees("[data-testid=home]", "Who you are in git")
        await tab.click("[data-testid=home] button", "Add an address")
        await tab.click("[data-testid=modal-submit]")
        await tab.sees("#modal .field-error", "Please complete this required field.")
        assert await tab.value("document.activeElement.getAttribute('aria-invalid')") == "true"
        await tab.type("#modal input", "nobody@example.com")
        await tab.key("Enter")
        await tab.sees("#modal", "nobody@example.com will be yours.")
        await tab.key("Escape")
        await tab.until("!document.querySelector('#modal').open")

        await tab.click("[data-testid=tab-messages]")
        await tab.click("[data-testid=shortcuts]")
        await tab.click("details[open] [role=menuitem]", "My month")
        await tab.sees("#modal", "Ada Lovelace made 2 changes in acme/engine in October 2025")
        await tab.key("Escape")
        await tab.until("!document.querySelector('#modal').open")

        await tab.value("location.search = '?as=gil'")
        await tab.until("document.querySelector('[data-testid=who]')?.value === 'gil'")
        await tab.type("[data-testid=composer]", "What shipped in October 2025?")
        await tab.key("Enter")
        await tab.sees("#messages", "you are a guest here")
        assert tab.errors == []

    with open_demo(engine.path, tmp_path) as url, browser(tmp_path) as port:
        asyncio.run(in_tab(port, visit))


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
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        os.close(ours)
