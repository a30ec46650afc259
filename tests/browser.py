"""A browser for tests: Debian's Chromium without a window, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

CHROMIUM = next((found for name in ("chromium", "chromium-browser") if (found := shutil.which(name))), None)
MILLISECONDS = 60_000  # to wait for what should come; nothing comes near it but on a very busy machine
BROWSER = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")]


@contextmanager
def browser() -> Iterator[Browser]:
    """Chromium, until the block is left. No event loop can be started in this thread meanwhile."""
    expect.set_options(timeout=MILLISECONDS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
        )
        try:
            yield chromium
        finally:
            chromium.close()


# Contexts that nobody uses now, by the size of their window: to make one takes longer than to open a page in it.
_IDLE: WeakKeyDictionary[Browser, dict[str, list[BrowserContext]]] = WeakKeyDictionary()


@contextmanager
def open_page(chromium: Browser, url: str, *, width: int = 1280, height: int = 800, **options: Any) -> Iterator[Page]:
    """The page at an address in a window of this size, which finds no cookie and nothing stored, and shares them with
    no other page. Its scripts may throw nothing and nothing may be refused to it, by the time the block is left."""
    options["viewport"] = {"width": width, "height": height}
    idle = _IDLE.setdefault(chromium, {}).setdefault(repr(options), [])
    context = idle.pop() if idle else chromium.new_context(**options)
    context.set_default_timeout(MILLISECONDS)
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(f"{said.text} {said.location}") if said.type == "error" else None)
    try:
        page.goto(url)
        yield page
        assert errors == []
    except BaseException:
        context.close()
        raise
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
    page.close()
    context.clear_cookies()
    idle.append(context)


def wait_for(page: Page, condition: str) -> None:
    """Until a condition holds, as JavaScript."""
    page.wait_for_function(f"() => Boolean({condition})")
