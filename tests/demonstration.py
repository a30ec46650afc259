"""`almanac demo` on a terminal, for tests and for the picture of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.workspace.server import PATIENCE


@contextmanager
def open_demo(folder: Path, *arguments: object) -> Iterator[str]:
    """The demonstration in a terminal of its own, started in `folder`, until the block is left; gives the page's
    address."""
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "demo", *map(str, arguments), "--port", "0"],
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
        assert process.wait(PATIENCE) == 0
        os.close(ours)
