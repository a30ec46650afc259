"""The README's picture: the demonstration as it opens, with a month of somebody's beside it. Run by `make picture`."""

from __future__ import annotations

import asyncio
import base64
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from chromium import CHROMIUM, Tab, browser, in_tab
from demonstration import open_demo

WIDTH, HEIGHT = 1360, 1040


def picture(path: Path, folder: Path) -> None:
    """Take it, as a PNG. The demonstration and the browser keep what is theirs in `folder`."""
    with open_demo(folder) as url, browser(folder) as port:
        path.write_bytes(asyncio.run(in_tab(port, lambda tab: taken(tab, url), WIDTH, HEIGHT)))


async def taken(tab: Tab, url: str) -> bytes:
    """The channel from its top on, with the last question's thread open beside it, as a PNG."""
    await tab.open(url)
    await tab.click("[data-testid=replies]")
    await tab.sees("[data-testid=thread]", "Almanac")
    await tab.until("document.fonts.status === 'loaded' && document.querySelectorAll('#thread-messages article')[1]")
    await tab.value(
        "(() => { document.activeElement.blur(); document.querySelector('#scroll').scrollTop = 0;"
        " document.querySelectorAll('#thread-messages article')[1].scrollIntoView() })()"
    )
    answer = await tab.call("Page.captureScreenshot", format="png")
    return base64.b64decode(answer["result"]["data"])


if __name__ == "__main__":
    if CHROMIUM is None:
        sys.exit("there is no Chromium here: install it (Debian, Ubuntu: apt install chromium)")
    with TemporaryDirectory() as folder:
        os.environ["ALMANAC_HOME"] = folder
        picture(Path(sys.argv[1]).absolute(), Path(folder))
