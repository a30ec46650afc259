"""Several repositories at once: each as it would be alone, and all of them ended at once when they must."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from builders import GitRepo
from waiting import wait_until

from bot.index.indexing import OwnIndexing


def is_running(process_id: int) -> bool:
    try:
        return Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def repos(tmp_path: Path) -> list[GitRepo]:
    made = [GitRepo(tmp_path / "acme" / f"engine-{number}") for number in range(6)]
    for number, repo in enumerate(made):
        repo.many(10 * (6 - number))
    return made


def test_what_is_asked_for_while_it_is_read_is_read_once_more_and_holds_up_no_other() -> None:
    """As who serves reads them itself, where the database is a file."""
    begun, go_on = list[str](), threading.Event()

    def read(names: Sequence[str]) -> None:
        begun.extend(names)
        if names == ["slow"]:
            assert go_on.wait(240)
            raise RuntimeError("its disk is away")

    own = OwnIndexing(read)
    own.request(["slow"], urgent=False)
    wait_until(lambda: begun == ["slow"])
    for _ in range(3):
        own.request(["slow", "other", "slow"], urgent=True)
    wait_until(lambda: "other" in begun)
    go_on.set()
    wait_until(lambda: begun.count("slow") == 2)

    def asked_anew() -> bool:
        own.request(["slow"], urgent=False)
        return begun.count("slow") > 2

    wait_until(asked_anew)


# --- the end


def test_ctrl_c_ends_it_at_once_and_the_next_run_completes_it(repos: list[GitRepo], tmp_path: Path) -> None:
    """While one repository waits for its host and the others are read."""
    ssh = tmp_path / "ssh"
    ssh.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/asking\nexec sleep 1000\n")
    ssh.chmod(0o755)
    places = [str(repo.path) for repo in repos]
    command = [sys.executable, "-m", "bot", "index"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "GIT_SSH_COMMAND": str(ssh)}
    running = subprocess.Popen(
        [*command, "git@forge.example:acme/slow", *places],
        env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    asking = tmp_path / "asking"
    wait_until(lambda: asking.exists() and bool(asking.read_text().strip()))
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=240)
    assert (running.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "almanac: stopped; what was done is kept"
    assert "Traceback" not in err
    wait_until(lambda: not is_running(int(asking.read_text())))
    again = subprocess.run([*command, *places], env=env, capture_output=True, text=True)
    assert again.returncode == 0
    assert [line.split(",")[0] for line in again.stdout.splitlines()] == [
        f"acme/engine-{number}: {10 * (6 - number)} commits" for number in range(6)
    ]
