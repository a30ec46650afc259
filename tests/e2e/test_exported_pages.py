"""The pages of `almanac export`, from the files as they were written: everybody can read them, on any screen."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from browser import BROWSER, open_page
from e2e.conftest import accessible
from playwright.sync_api import Browser

from bot.sample import sample
from bot.settings import Settings

pytestmark = BROWSER
LARGEST = 300_000  # bytes


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a quarter of the sample team."""
    home = tmp_path_factory.mktemp("exported")
    sample(Settings(home=home, fixed_now=datetime(2026, 11, 23, 9, tzinfo=UTC)))
    folder, env = home / "demo" / "sample", os.environ | {"ALMANAC_HOME": str(home), "ALMANAC_DB": str(home / "a.db")}
    for command in (["index"], ["export", "--months", "august to october 2026", "--into", "pages"]):
        ran = subprocess.run([sys.executable, "-m", "bot", *command], cwd=folder, env=env, capture_output=True)
        assert ran.returncode == 0, ran.stderr
    return folder / "pages"


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_everybody_can_read_them(pages: Path, chromium: Browser, width: int, scheme: str) -> None:
    """Nothing is wider than the window, nothing loads anything, and no script is needed."""
    for name in ("index.html", "people/grace-hopper.html", "teams/everyone/2026-10.html"):
        page = pages / name
        assert page.stat().st_size < LARGEST
        with open_page(chromium, page.as_uri(), width=width, color_scheme=scheme) as shown:
            assert shown.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name
            assert shown.evaluate("performance.getEntriesByType('resource').length + document.scripts.length") == 0
            accessible(shown, name)
