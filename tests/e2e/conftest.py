"""The demonstration on the sample team, as somebody opens it, and what every screen of it must be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from demonstration import open_demo
from playwright.sync_api import Page

# WCAG 2.2, levels A and AA.
RULES: dict[str, Any] = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "resultTypes": ["violations"],
}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of its page."""
    home = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ALMANAC_HOME", str(home))
        patch.setenv("ALMANAC_NOW", "2026-11-23T09:30:00Z")
        with open_demo(home) as url:
            yield url


def accessible(page: Page, screen: str) -> None:
    """Fails with what axe-core finds on the screen as it is now."""
    found = Axe().run(page, options=RULES).response["violations"]
    assert not found, (screen, [(one["id"], one["help"], [node["html"] for node in one["nodes"]]) for one in found])
