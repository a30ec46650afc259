"""A browser for tests: Chromium without a window, driven by its own debugging protocol."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import aiohttp

T = TypeVar("T")
CHROMIUM = next((found for name in ("chromium", "chromium-browser") if (found := shutil.which(name))), None)
KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowDown": 40}
SECONDS = 60.0  # to wait for what should come


class Tab:
    """A tab of the browser. What is evaluated in it is JavaScript."""

    def __init__(self, debugger: aiohttp.ClientWebSocketResponse) -> None:
        self._debugger = debugger
        self._numbers = itertools.count(1)
        self.errors: list[str] = []  # what the page's scripts threw, or the browser refused

    async def open(self, url: str) -> None:
        await self.call("Page.navigate", url=url)

    async def until(self, condition: str) -> None:
        """Wait, in the page, until a condition holds."""
        look = f"const look = () => ({condition}) ? done(true) : requestAnimationFrame(look)"
        try:
            await asyncio.wait_for(self.value(f"new Promise(done => {{ {look}; look() }})"), SECONDS)
        except TimeoutError:
            seen = await self.value("(document.querySelector('dialog[open]') ?? document.body).innerText")
            raise AssertionError(f"it never came to {condition}; errors: {self.errors}; there is:\n{seen}") from None

    async def value(self, expression: str) -> Any:
        """What an expression comes to, once it does if it is a promise."""
        for _ in range(200):  # a page that is being replaced forgets what it was asked
            answer = await self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
            if "error" not in answer and "exceptionDetails" not in answer["result"]:
                return answer["result"]["result"].get("value")
            await asyncio.sleep(0.05)
        raise AssertionError(answer)

    async def text(self, selector: str) -> str:
        """What is read in the first element that fits."""
        return str(await self.value(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))

    async def sees(self, selector: str, words: str) -> None:
        """Wait until the first element that fits holds some words."""
        await self.until(
            f"(document.querySelector({json.dumps(selector)})?.innerText ?? '').includes({json.dumps(words)})"
        )

    async def click(self, selector: str, words: str = "") -> None:
        """Click what fits, once it is there: the last that is called so."""
        every = f"[...document.querySelectorAll({json.dumps(selector)})]"
        found = f"{every}.filter(one => one.innerText.includes({json.dumps(words)}))"
        await self.until(f"{found}.length")
        await self.value(f"(() => {{ const one = {found}.at(-1); one.focus(); one.click() }})()")

    async def type(self, selector: str, words: str) -> None:
        """Focus what fits and type."""
        await self.until(f"document.querySelector({json.dumps(selector)})")
        await self.value(f"document.querySelector({json.dumps(selector)}).focus()")
        await self.call("Input.insertText", text=words)

    async def key(self, name: str) -> None:
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if name == "Enter" and kind == "keyDown" else {}
            pressed = {"key": name, "code": name, "windowsVirtualKeyCode": KEYS[name], **text}
            await self.call("Input.dispatchKeyEvent", type=kind, **pressed)

    async def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One call of the debugging protocol, and its answer."""
        number = next(self._numbers)
        await self._debugger.send_json({"id": number, "method": method, "params": parameters})
        async for message in self._debugger:
            told = json.loads(message.data)
            if told.get("id") == number:
                return dict(told)
            if told.get("method") == "Runtime.exceptionThrown":
                self.errors.append(str(told["params"]["exceptionDetails"]))
            elif told.get("method") == "Log.entryAdded" and told["params"]["entry"]["level"] == "error":
                entry = told["params"]["entry"]
                self.errors.append(f"{entry['text']} {entry.get('url', '')}")
        raise AssertionError("the browser went away")


@contextmanager
def browser(folder: Path) -> Iterator[int]:
    """Chromium, until the block is left; gives the port of its debugger."""
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
    assert process.stderr is not None
    try:
        while b"DevTools listening" not in process.stderr.readline():
            pass
        yield port
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()


async def in_tab(port: int, visit: Callable[[Tab], Awaitable[T]], width: int = 1280, height: int = 800) -> T:
    """Do something in the browser's tab, with a window of this size."""
    async with aiohttp.ClientSession() as session:
        async with session.get(f"http://127.0.0.1:{port}/json") as answer:
            pages = json.loads(await answer.text())
        address = next(page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page")
        async with session.ws_connect(address, max_msg_size=0) as debugger:
            tab = Tab(debugger)
            await tab.call("Log.clear")  # of what the page before met with
            for domain in ("Runtime", "Log"):
                await tab.call(f"{domain}.enable")
            size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
            await tab.call("Emulation.setDeviceMetricsOverride", **size)
            try:
                return await visit(tab)
            finally:  # the page asks its server for as long as it is there
                await tab.open("about:blank")
