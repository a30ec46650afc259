"""How git is run: through GitPython, with nothing in the surroundings able to change what it does.

A repository is other people's data. Its configuration may name programs to start (a pager, a diff
driver, a file system monitor), and the environment may point git elsewhere; both are switched off.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, cast

os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")  # a missing git is reported by us, in one line
from git import Git, GitCommandError, GitCommandNotFound

from bot.errors import AlmanacError

BLOCK = 1 << 18  # bytes read at a time from a running git
SAID = 1000  # lines kept of what a running git says about itself

# Keys that would start a program or change what is printed. `-c` wins over every file.
# https://git-scm.com/docs/git-config
_SAFE = {
    "core.fsmonitor": "false",
    "core.pager": "cat",
    "core.hooksPath": os.devnull,
    "core.attributesFile": os.devnull,
    "core.quotePath": "false",
    "core.askPass": "",
    "core.deltaBaseCacheLimit": "32m",  # a third of the default: half the memory in the same time
    "diff.context": "0",  # the lines around a change are not counted, so they need not be found
    "diff.external": "",
    "diff.renameLimit": "1000",
    "diff.algorithm": "myers",
    "diff.ignoreSubmodules": "none",
    "diff.orderFile": os.devnull,
    "diff.relative": "false",
    "log.showRoot": "true",
    "log.showSignature": "false",
    "log.mailmap": "false",
    "log.follow": "false",
    "submodule.recurse": "false",
    "fetch.recurseSubmodules": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "protocol.ext.allow": "never",
}
# For reading what is on this disk: no file of the user's or the machine's counts, and nothing is fetched.
_LOCAL = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
}
# For reaching an address: the user's own credentials and proxies count, but nobody is asked anything.
_REMOTE = {
    "GIT_ALLOW_PROTOCOL": "https:ssh:file",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "true",
    "SSH_ASKPASS": "true",
    "GCM_INTERACTIVE": "never",
    "GIT_HTTP_LOW_SPEED_LIMIT": "1000",
    "GIT_HTTP_LOW_SPEED_TIME": "30",
}
_KEPT = {"GIT_PYTHON_REFRESH", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSH_COMMAND", "GIT_PROXY_COMMAND"}


class GitFailed(Exception):
    """git ended with an error. `text` is what it said, in one line."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def forget_surroundings() -> None:
    """Remove from this process's environment what would point git at another repository or configuration.

    A hook, for instance, runs with GIT_DIR set. To be called once, at the start of the program.
    """
    for name in [name for name in os.environ if name.startswith("GIT_") and name not in _KEPT]:
        del os.environ[name]


class GitAt:
    """git, run on the repository whose own folder (`.git`, or a bare one) is `folder`.

    `remote` lets it reach addresses; without it, it only reads this disk. The folder is taken as it is:
    git does not look for a repository around it, nor mind who owns it, for it was named on purpose. It is
    read like a bare one, so that attributes in somebody's checked-out files do not change what is counted.
    """

    def __init__(self, folder: Path, *, remote: bool = False) -> None:
        self._git = Git(str(folder))
        environment = dict(_LOCAL)
        safe = dict(_SAFE)
        if remote:
            ssh = os.environ.get("GIT_SSH_COMMAND") or "ssh"
            environment = _REMOTE | {"GIT_SSH_COMMAND": f"{ssh} -oBatchMode=yes -oConnectTimeout=20"}
            safe |= {f"protocol.{name}.allow": "always" for name in ("https", "ssh", "file")}
        self._git.update_environment(**environment)
        # GitPython runs git in the current folder where `folder` is out of reach; with -C git refuses.
        self._command = ["git", "-C", str(folder), "--bare", "--no-pager", "--literal-pathspecs"]
        for key, value in safe.items():
            self._command += ["-c", f"{key}={value}"]

    def text(self, *arguments: str, seconds: float | None = None, stdin: IO[bytes] | None = None) -> str:
        """What git prints. Raises GitFailed if it ends with an error or takes longer than `seconds`."""
        try:
            output = self._git.execute(
                [*self._command, *arguments],
                istream=cast(Any, stdin),
                stdout_as_string=False,
                kill_after_timeout=seconds,
            )
        except GitCommandNotFound as error:
            raise AlmanacError("git is not installed, or not in PATH: install it and try again") from error
        except GitCommandError as error:
            raise GitFailed(_one_line(error.stderr)) from error
        return os.fsdecode(output)  # it may be a path

    def blocks(self, arguments: Sequence[str], stdin: IO[bytes]) -> Iterator[bytes]:
        """What git prints, as it comes, in blocks. Raises GitFailed after the last one if it ended badly."""
        process = self._git.execute([*self._command, *arguments], istream=cast(Any, stdin), as_process=True)
        # stderr is read beside stdout, to its end: a pipe that fills up would stop git.
        said: deque[bytes] = deque(maxlen=SAID)
        output, errors = cast(IO[bytes], process.stdout), cast(IO[bytes], process.stderr)
        listener = threading.Thread(target=said.extend, args=(errors,), daemon=True)
        listener.start()
        try:
            while block := output.read(BLOCK):
                yield block
            status = process.proc.wait() if process.proc else 1
        finally:
            if process.proc and process.proc.poll() is None:
                process.proc.kill()
                process.proc.wait()
            listener.join()
            output.close()
            errors.close()
        if status:
            raise GitFailed(_one_line(b"".join(said).decode(errors="replace")) or f"git ended with {status}")


def _one_line(stderr: object) -> str:
    """The telling line of what git wrote: its first fatal or error line, else the last line.

    What a server says is passed on by git as it came, so what could steer a terminal is left out.
    """
    text = stderr.decode(errors="replace") if isinstance(stderr, bytes) else str(stderr or "")
    text = "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text)
    text = text.strip().removeprefix("stderr: '").removesuffix("'")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [number for number, line in enumerate(lines) if line.startswith(("fatal:", "error:", "Timeout:"))]
    if not telling:
        return (lines[-1:] or ["git gave no reason"])[0]
    first = telling[0]
    if first and lines[first].startswith("fatal: Could not read from remote"):
        first -= 1  # what ssh said is the reason
    return lines[first].removeprefix("fatal: ").removeprefix("error: ")
