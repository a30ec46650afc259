"""The pictures of docs/, of the sample history: the demonstration as it opens, with a month of somebody's beside it,
and two of the pages that `almanac export` writes. Run by `make picture`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from browser import CHROMIUM, browser, open_page, wait_for
from demonstration import open_demo
from playwright.sync_api import Browser, expect

WIDTH, HEIGHT = 1080, 660
WIDTH_OF_PAGE, HEIGHT_OF_PAGE = 900, 1100


def pictures(into: Path, folder: Path) -> None:
    """Take them, as workspace.png, person.png and team.png. The demonstration keeps what is its own in `folder`."""
    with browser() as chromium:
        with open_demo(folder) as url:
            picture(chromium, url, into / "workspace.png")
        sample = Path(os.environ["ALMANAC_HOME"]) / "demo" / "sample"
        subprocess.run(
            [sys.executable, "-m", "bot", "export", "--into", folder / "pages"],
            cwd=sample, env={**os.environ, "ALMANAC_DB": str(sample / "almanac.db")}, check=True,
        )  # fmt: skip
        for name, found in (("person", "people/grace-hopper.html"), ("team", "teams/everyone/*.html")):
            (page,) = (folder / "pages").glob(found)
            with open_page(chromium, page.as_uri(), width=WIDTH_OF_PAGE, height=HEIGHT_OF_PAGE) as shown:
                shown.screenshot(path=into / f"{name}.png")


def picture(chromium: Browser, url: str, path: Path) -> None:
    """The channel from its top on, with the last question's thread open beside it."""
    with open_page(chromium, url, width=WIDTH, height=HEIGHT) as page:
        page.get_by_test_id("replies").last.click()
        expect(page.get_by_test_id("thread")).to_contain_text("Almanac")
        wait_for(page, "document.querySelectorAll('#thread-messages article')[1]")
        page.evaluate(
            "() => { document.activeElement.blur(); document.querySelector('#scroll').scrollTop = 0;"
            " document.querySelectorAll('#thread-messages article')[1].scrollIntoView() }"
        )
        page.screenshot(path=path)


if __name__ == "__main__":
    if CHROMIUM is None:
        sys.exit("there is no Chromium here: install it (Debian, Ubuntu: apt install chromium)")
    with TemporaryDirectory() as folder:
        os.environ["ALMANAC_HOME"] = folder
        pictures(Path(sys.argv[1]).absolute(), Path(folder))
