"""A browser for tests: Debian's Chromium without a window, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

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


# Windows that nobody uses now, by their options, and what went wrong in each: to open one takes longer than all that a
# page loads.
_IDLE: WeakKeyDictionary[Browser, dict[str, list[tuple[Page, list[str]]]]] = WeakKeyDictionary()


def _new_window(chromium: Browser, options: dict[str, Any]) -> tuple[Page, list[str]]:
    # Without motion, or a screen could be looked at while a part of it slides in.
    page, errors = chromium.new_page(reduced_motion="reduce", **options), list[str]()
    page.set_default_timeout(MILLISECONDS)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(f"{said.text} {said.location}") if said.type == "error" else None)
    return page, errors


@contextmanager
def open_page(chromium: Browser, url: str, *, width: int = 1280, height: int = 800, **options: Any) -> Iterator[Page]:
    """The page at an address in a window of this size, which finds no cookie and nothing stored, and shares them with
    no other page. Its scripts may throw nothing and nothing may be refused to it, by the time the block is left."""
    options["viewport"] = {"width": width, "height": height}
    idle = _IDLE.setdefault(chromium, {}).setdefault(repr(options), [])
    page, errors = idle.pop() if idle else _new_window(chromium, options)
    try:
        page.goto(url)
        yield page
        assert errors == []
    except BaseException:
        page.close()
        raise
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
    page.context.clear_cookies()
    page.goto("about:blank")
    page.mouse.move(-1, -1)  # or it would point at something in the next page
    errors.clear()
    idle.append((page, errors))


def wait_for(page: Page, condition: str) -> None:
    """Until a condition holds, as JavaScript."""
    page.wait_for_function(f"() => Boolean({condition})")
