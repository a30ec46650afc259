"""How soon a push is in an answer, by a webhook: `python -m benchmarks.webhooks [--repositories 1000] [--postgres]`.

Bare repositories with a `post-receive` that calls curl, as docs/scale.md has it; `almanac serve` in HTTP mode beside a
local workspace, with `--postgres` a worker too; then a push at a time to a repository drawn at random, and a question
in Slack, asked again and again, until its answer has the commit. The time runs from before `git push` is started.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import random
import secrets
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.history import write_repository
from benchmarks.timing import ROOT, machine, percentile, say, surroundings
from bot.workspace import BOT_USER_ID, Workspace, WorkspaceUser
from bot.workspace.state import Json

sys.path.append(str(ROOT / "tests"))
from faulty_slack import FaultyWorkspace

EACH = 5  # commits
ANSWER_SECONDS = 60.0
SIGNING_SECRET = secrets.token_hex()
HOOK_SECRET = secrets.token_hex()


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.webhooks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repositories", type=int, default=1000, help="that are known: %(default)s")
    parser.add_argument("--pushes", type=int, default=60, help="that are measured: %(default)s")
    parser.add_argument("--refresh", type=int, default=30, help="refresh_minutes: %(default)s")
    parser.add_argument("--postgres", action="store_true", help="on a private server, with a worker")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "almanac-bench")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> None:
    asked = arguments(given)
    asked.cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="almanac-hooks-") as folder, contextlib.ExitStack() as stack:
        database = stack.enter_context(_postgres()) if asked.postgres else str(Path(folder) / "almanac.db")
        waited, answered = measured(asked, Path(folder), database)
    print(f"{machine()}\n{'PostgreSQL and a worker' if asked.postgres else 'SQLite'}, {asked.repositories:,} known")
    for name, values in (("git push, with its hook", waited), ("push to its answer", answered)):
        ordered = (
            f"p50 {statistics.median(values):.2f} s, p95 {percentile(values, 0.95):.2f} s, max {max(values):.2f} s"
        )
        print(f"{name}: {ordered} ({len(values)} pushes)")


def measured(asked: argparse.Namespace, folder: Path, database: str) -> tuple[list[float], list[float]]:
    """Seconds of each push, until it was over and until it was in an answer."""
    port = _free_port()
    repositories = _repositories(asked, folder, port)
    team = Workspace([WorkspaceUser(name="ada", real_name="Ada Lovelace", email="ada@example.com")], ["general"])
    with contextlib.ExitStack() as stack:
        workspace = stack.enter_context(FaultyWorkspace(team))
        workspace.use_http(f"http://127.0.0.1:{port}/slack/events", SIGNING_SECRET)
        environment = surroundings(folder / "home") | {
            "ALMANAC_DB": database, "SLACK_API_URL": workspace.api_url, "SLACK_BOT_TOKEN": team.bot_token,
            "SLACK_SIGNING_SECRET": SIGNING_SECRET, "ALMANAC_HOOK_SECRET": HOOK_SECRET, "PORT": str(port),
            "HOST": "127.0.0.1",
        }  # fmt: skip
        (folder / "home" / "almanac.toml").write_text(
            f"refresh_minutes = {asked.refresh}\n"
            + "".join(f'[[repositories]]\naddress = "file://{one}"\n' for one in repositories)
        )
        say(f"indexing {asked.repositories:,} repositories")
        subprocess.run([sys.executable, "-m", "bot", "index"], env=environment, check=True, capture_output=True)
        if asked.postgres:
            stack.enter_context(_running("worker", environment, folder))
        stack.enter_context(_running("serve", environment, folder))
        _until_ready(port)
        draw = random.Random(1)  # noqa: S311
        took = [_pushed(workspace, repositories[draw.randrange(len(repositories))], folder, number)
                for number in range(asked.pushes)]  # fmt: skip
    return [one for one, _ in took], [one for _, one in took]


def _repositories(asked: argparse.Namespace, folder: Path, port: int) -> list[Path]:
    """Bare ones, each with the hook. They are copies, for they are pushed to."""
    say(f"making {asked.repositories:,} repositories")
    page = (ROOT / "docs" / "scale.md").read_text()
    hook = page.partition("```sh\n#!/bin/sh\n")[2].partition("```")[0]
    secret = folder / "secret"
    secret.write_text(f"ALMANAC_HOOK_SECRET={HOOK_SECRET}\n")
    hook = hook.replace("https://HOST", f"http://127.0.0.1:{port}").replace("/etc/almanac-hook.env", str(secret))
    made = []
    for number in range(asked.repositories):
        whole = write_repository(asked.cache / f"tiny-{number}.git", EACH, number)
        copy = folder / "git" / "acme" / f"tiny-{number}.git"
        shutil.copytree(whole, copy, ignore=shutil.ignore_patterns("*.sample"))
        place = copy / "hooks" / "post-receive"
        place.parent.mkdir(exist_ok=True)
        place.write_text("#!/bin/sh\n" + hook.replace("acme/engine", f"acme/tiny-{number}"))
        place.chmod(0o755)
        made.append(copy)
    return made


def _pushed(workspace: FaultyWorkspace, repository: Path, folder: Path, number: int) -> tuple[float, float]:
    mine = folder / "mine" / str(number)
    git = ["git", "-c", "user.name=Ada Lovelace", "-c", "user.email=ada@example.com"]
    subject = f"Add whistle {number} ({secrets.token_hex(4)})"
    subprocess.run([*git, "clone", "--quiet", repository, mine], check=True)
    (mine / "whistle").write_text(subject)
    subprocess.run([*git, "-C", mine, "add", "whistle"], check=True)
    subprocess.run([*git, "-C", mine, "commit", "--quiet", "-m", subject], check=True)
    sha = subprocess.run(["git", "-C", mine, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout
    began = time.perf_counter()
    subprocess.run(["git", "-C", mine, "push", "--quiet", "origin", "HEAD:main"], check=True)
    pushed = time.perf_counter() - began
    while time.perf_counter() - began < ANSWER_SECONDS:
        asked = workspace.say("ada", "general", f"/almanac explain {sha[:12]}")
        answer = workspace.wait_for(partial(_is_answer_to, asked), ANSWER_SECONDS)
        if subject in str(answer):
            answered = time.perf_counter() - began
            say(f"push {number}: {answered:.2f} s")
            return pushed, answered
        time.sleep(0.05)
    raise RuntimeError(f"{subject} in {repository.name} was in no answer within {ANSWER_SECONDS:g} s")


def _is_answer_to(asked: str, message: Json) -> bool:
    return message.get("user") == BOT_USER_ID and message["ts"] > asked


@contextlib.contextmanager
def _running(command: str, environment: Mapping[str, str], folder: Path) -> Iterator[None]:
    with (folder / f"{command}.log").open("w") as log:
        process = subprocess.Popen([sys.executable, "-m", "bot", command], env=dict(environment), stderr=log)
        try:
            yield
        except BaseException:
            print((folder / f"{command}.log").read_text()[-3000:], file=sys.stderr)
            raise
        finally:
            process.terminate()
            began = time.monotonic()
            process.wait(60)
            say(f"almanac {command} ended within {time.monotonic() - began:.1f} s")


def _until_ready(port: int) -> None:
    end = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < end:
        with contextlib.suppress(urllib.error.URLError, ConnectionError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=5).close()
            return
        time.sleep(0.1)
    raise RuntimeError("almanac serve does not get ready")


@contextlib.contextmanager
def _postgres() -> Iterator[str]:
    """The address of a database on a server of the tests' own, which waits for no disk."""
    with importlib.import_module("postgres").server() as server:
        yield server.new_database().url


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    os.environ.pop("GIT_DIR", None)
    main()
