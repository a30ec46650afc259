"""The README's picture: the demonstration as it opens, with a month of somebody's beside it. Run by `make picture`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from browser import CHROMIUM, browser, open_page, wait_for
from demonstration import open_demo
from playwright.sync_api import expect

WIDTH, HEIGHT = 1360, 1040


def picture(path: Path, folder: Path) -> None:
    """Take it, as a PNG: the channel from its top on, with the last question's thread open beside it. The demonstration
    keeps what is its own in `folder`."""
    with (
        open_demo(folder) as url,
        browser() as chromium,
        open_page(chromium, url, width=WIDTH, height=HEIGHT) as page,
    ):
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
        picture(Path(sys.argv[1]).absolute(), Path(folder))
