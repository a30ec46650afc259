"""How git is run: through GitPython, with nothing in the surroundings able to change what it does; and what it says of
tags and .mailmap.

A repository is other people's data. Its configuration may name programs to start (a pager, a diff
driver, a file system monitor), and the environment may point git elsewhere; both are switched off.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, Any, TypeVar, cast
from urllib.parse import SplitResult, unquote_to_bytes

from bot.errors import AlmanacError
from storage.commits import TagRow

BLOCK = 1 << 18  # bytes read at a time from a running git
AHEAD = 1 << 20  # bytes that git may print before they are read; the most that Linux allows everybody
SAID = 1000  # lines kept of what a running git says about itself
GRACE_SECONDS = 2.0  # for a git that is to end to remove what it has half written
LARGEST_FILE = "32m"  # whose lines are compared, and the most memory that git may ask for at once to do so
CALM = 15  # how far a git that is in no hurry stands back behind others, of 19

# Keys that would start a program or change what is printed. `-c` wins over every file.
# https://git-scm.com/docs/git-config
_SAFE = {
    "core.fsmonitor": "false",
    "core.pager": "cat",
    "core.hooksPath": os.devnull,
    "core.attributesFile": os.devnull,
    "core.quotePath": "false",
    "core.askPass": "",
    "core.bigFileThreshold": LARGEST_FILE,
    "core.deltaBaseCacheLimit": "96m",  # git's own; with a third of it, counting lines takes a seventh longer
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
    "GIT_FLUSH": "0",  # into a pipe git would write each commit by itself, which takes a fifth of its time
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    # Each file that git unpacks is memory that glibc would ask of the system and give back, a twentieth of the time.
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(256 << 20),
    "MALLOC_TOP_PAD_": str(16 << 20),
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


TAGS = "refs/tags/"
LONGEST = 200  # characters of a name; nobody asks for a release by a longer one
LARGEST = 1 << 20  # bytes of a .mailmap; what is more is left out
_FILES = ("100644", "100755", "100664")  # git follows no link that is called .mailmap; the last is of old histories
_USERNAME, _PASSWORD = "ALMANAC_GIT_USERNAME", "ALMANAC_GIT_PASSWORD"
# `printf` is a part of the shell, so that no process has the values as its arguments. What git wants stored or erased
# is not.
_HELPER = f'!f() {{ test "$1" = get && printf "username=%s\\npassword=%s\\n" "${_USERNAME}" "${_PASSWORD}"; }}; f'
CORES = max(1, os.cpu_count() or 1)
A_HOST = 4  # conversations with one host at a time: a forge answers more of them with 429
PATIENCE = 0.1  # seconds until it is looked whether all is to end
AT_ONCE = 16  # repositories that wait for their hosts or their turn

T = TypeVar("T")
R = TypeVar("R")


class GitFailed(Exception):
    """git ended with an error. `text` is what it said, in one line."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text
        self.is_too_large = " over limit " in text  # as git says of GIT_ALLOC_LIMIT


class Stopped(Exception):
    """Nothing more is to be done: what runs was told to stop. No fault of a repository."""


class CancelToken:
    """Ends every git that was started under it, at once, and lets no other begin."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._ends: list[Callable[[], None]] = []

    def stop(self) -> None:
        with self._lock:
            self._stopped.set()
            for end in self._ends:
                end()

    @contextmanager
    def ending(self, end: Callable[[], None]) -> Iterator[None]:
        """Inside, `stop` calls `end` too; at once where it was called already."""
        with self._lock:
            self._ends.append(end)
            if self._stopped.is_set():
                end()
        try:
            yield
        finally:
            with self._lock:
                self._ends.remove(end)

    @contextmanager
    def within(self, seconds: float | None = None) -> Iterator[CancelToken]:
        """A part of what this one ends, which can be ended by itself, and is at the end of the block, or after so many
        seconds of it."""
        part = CancelToken()
        clock = threading.Timer(max(0.0, seconds or 0.0), part.stop)
        if seconds is not None:
            clock.start()
        try:
            with self.ending(part.stop):
                yield part
        finally:
            part.stop()
            if seconds is not None:
                clock.cancel()
                clock.join()

    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def check(self) -> None:
        """Raises Stopped once `stop` was called."""
        self.wait(0)

    def wait(self, seconds: float) -> None:
        """Let time pass; raises Stopped if `stop` is called meanwhile."""
        if self._stopped.wait(seconds):
            raise Stopped


class Concurrency:
    """What repositories that are read at the same time share: the machine's `cores`, the ways to each host, `writing`
    to the database, and the end. Made for a round over them, which `cancel` ends at once, from any thread."""

    def __init__(self, cancel: CancelToken | None = None) -> None:
        self.cancel = cancel or CancelToken()
        self.cores = threading.BoundedSemaphore(CORES)
        self.writing = threading.Lock()  # the database has one writer; a lock is fairer than its busy timeout
        self._hosts: dict[str, threading.BoundedSemaphore] = {}

    def host(self, name: str) -> threading.BoundedSemaphore:
        """The ways to a host."""
        return self._hosts.setdefault(name, threading.BoundedSemaphore(A_HOST))

    def each(self, work: Callable[[T], R], wanted: Iterable[T]) -> Iterator[R]:
        """What `work` makes of each, in the order of `wanted`, several at the same time.

        An exception of one, or of whoever takes the results, ends all others before it is passed on; no thread
        and no git is left behind.
        """
        jobs = list(wanted)
        with ThreadPoolExecutor(max(1, min(AT_ONCE, len(jobs))), thread_name_prefix="index") as pool:
            try:
                running = [pool.submit(work, one) for one in jobs]
                for one in running:
                    # In short waits: Ctrl-C may be noticed by another thread, which does not wake this one.
                    while not wait([one], timeout=PATIENCE).done:
                        pass
                    yield one.result()
            except BaseException:
                self.cancel.stop()
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def forget_surroundings() -> None:
    """Remove from this process's environment what would point git at another repository or configuration.

    A hook, for instance, runs with GIT_DIR set. To be called once, at the start of the program.
    """
    for name in [name for name in os.environ if name.startswith("GIT_") and name not in _KEPT]:
        del os.environ[name]


class GitAt:
    """git, run on the repository whose own folder (`.git`, or a bare one) is `folder`.

    `remote` lets it reach addresses, with `credentials` if it is asked for any; without it, it only reads this disk.
    The folder is taken as it is: git does not look for a repository around it, nor mind who owns it, for it was named
    on purpose. It is read like a bare one, so that attributes in somebody's checked-out files do not change what is
    counted. Its `cancel` token may end it at any time; a `calm` one leaves the machine to others.
    """

    def __init__(
        self,
        folder: Path,
        *,
        remote: bool = False,
        credentials: Credentials | None = None,
        cancel: CancelToken | None = None,
        calm: bool = False,
    ) -> None:
        self.folder = folder
        self.cancel = cancel or CancelToken()
        self._calm = calm
        os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")  # a missing git is reported by us, in one line
        from git import Git  # which takes long to load, and what is made from the store alone does without

        self._git = Git(str(folder))
        environment = dict(_LOCAL)
        safe = dict(_SAFE)
        if remote:
            ssh = os.environ.get("GIT_SSH_COMMAND") or "ssh"
            environment = _REMOTE | {"GIT_SSH_COMMAND": f"{ssh} -oBatchMode=yes -oConnectTimeout=20"}
            environment |= credentials.environment() if credentials else {}
            safe |= {f"protocol.{name}.allow": "always" for name in ("https", "ssh", "file")}
        self._git.update_environment(**environment)
        # GitPython runs git in the current folder where `folder` is out of reach; with -C git refuses.
        self._command = ["git", "-C", str(folder), "--bare", "--no-pager", "--literal-pathspecs"]
        for key, value in safe.items():
            self._command += ["-c", f"{key}={value}"]

    def text(self, *arguments: str, seconds: float | None = None) -> str:
        """What git prints. Raises GitFailed if it ends with an error or takes longer than `seconds`."""
        with closing(self.blocks(arguments, seconds=seconds)) as blocks:
            return os.fsdecode(b"".join(blocks).removesuffix(b"\n"))  # it may be a path

    def blocks(
        self, arguments: Sequence[str], lines: Sequence[str] | None = None, seconds: float | None = None
    ) -> Generator[bytes]:
        """What git prints, as it comes, in blocks; `lines` are what it reads. Raises GitFailed after the last block if
        it ended badly, or after `seconds`."""
        from git import GitCommandNotFound

        self.cancel.check()
        # To find renames, or to show what came or went, git unpacks a file of any size.
        limit = {"GIT_ALLOC_LIMIT": LARGEST_FILE} if {"--numstat", "--patch"} & {*arguments} else None
        istream = cast(Any, None if lines is None else subprocess.PIPE)
        try:  # in a group of its own with what it starts, so that all of it can be ended
            started = self._git.execute(
                [*self._command, *arguments], istream=istream, as_process=True, process_group=0, env=limit
            )
        except GitCommandNotFound as error:
            raise AlmanacError("git is not installed, or not in PATH: install it and try again") from error
        except OSError as error:  # as of more arguments than the system takes
            raise GitFailed(f"git could not be started ({error.strerror})") from error
        process = cast("subprocess.Popen[bytes]", started.proc)
        if self._calm:
            with suppress(OSError):  # it has ended already
                os.setpriority(os.PRIO_PROCESS, process.pid, CALM)
        said: deque[bytes] = deque(maxlen=SAID)
        listener = threading.Thread(target=said.extend, args=(process.stderr,), daemon=True)
        listener.start()
        with self.cancel.within(seconds) as clock, clock.ending(partial(_end, process)):
            try:
                if lines is not None:  # beside stdout: a pipe that fills up would stop git
                    threading.Thread(target=_hand, args=(process.stdin, lines), daemon=True).start()
                printed = cast(IO[bytes], process.stdout)
                if hasattr(fcntl, "F_SETPIPE_SZ"):  # on Linux git may run ahead while what it has printed is stored
                    with suppress(OSError):  # a user may have used up what all pipes together may hold
                        fcntl.fcntl(printed, fcntl.F_SETPIPE_SZ, AHEAD)
                while block := printed.read(BLOCK):
                    yield block
                process.wait()
            finally:
                _ended(process)
                listener.join()
                for pipe in (process.stdin, process.stdout, process.stderr):
                    with suppress(BrokenPipeError):  # it has ended
                        if pipe:
                            pipe.close()
                self.cancel.check()  # one that was ended so says nothing of its own
                if clock.is_stopped():
                    raise GitFailed(f"Timeout: it took longer than {seconds:.0f} s")
        if process.returncode:
            raise GitFailed(_one_line(b"".join(said)) if said else f"git ended with {process.returncode}")

    def references(self, form: str, *wanted: str) -> Iterator[list[str]]:
        """The fields of each reference, which stand with %00 between them in a form. Raises GitFailed."""
        lines = self.text("for-each-ref", f"--format={form}", *wanted).split("\n")
        return (line.split("\0") for line in lines if line)


def _hand(pipe: IO[bytes], lines: Sequence[str]) -> None:
    with suppress(BrokenPipeError), pipe:  # it has ended
        pipe.write("".join(f"{line}\n" for line in lines).encode())


def _end(process: subprocess.Popen[bytes], how: signal.Signals = signal.SIGTERM) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, how)


def _ended(process: subprocess.Popen[bytes]) -> None:
    """Wait for one that nobody reads any more."""
    if process.poll() is None:
        _end(process)
        try:
            process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            _end(process, signal.SIGKILL)
            process.wait()


def _one_line(stderr: bytes) -> str:
    """The telling line of what git wrote: its first fatal or error line, else the last line.

    What a server says is passed on by git as it came, so what could steer a terminal is left out.
    """
    text = stderr.decode(errors="replace")
    text = "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [number for number, line in enumerate(lines) if line.startswith(("fatal:", "error:"))]
    if not telling:
        return (lines[-1:] or ["git gave no reason"])[0]
    first = telling[0]
    if first and lines[first].startswith("fatal: Could not read from remote"):
        first -= 1  # what ssh said is the reason
    return lines[first].removeprefix("fatal: ").removeprefix("error: ")


@dataclass(frozen=True, slots=True)
class Credentials:
    """A user and a password for one server, as https://host:port. Without a password the user may be a token, or
    somebody whose password a helper of the user's own git knows."""

    server: str
    username: str = field(repr=False)
    password: str | None = field(repr=False)

    @classmethod
    def of(cls, parts: SplitResult) -> Credentials | None:
        """Those of an https address; None where it has none."""
        if parts.scheme.lower() != "https" or parts.username is None:
            return None
        username, password = _decoded(parts.username), None if parts.password is None else _decoded(parts.password)
        return cls(f"https://{parts.netloc.rpartition('@')[2]}", username, password)

    def environment(self) -> dict[str, str]:
        """For git 2.31 and newer: https://git-scm.com/docs/git-config#Documentation/git-config.txt-GITCONFIGCOUNT"""
        section = f"credential.{self.server}"
        settings = [(f"{section}.username", self.username)] if self.password is None else [(f"{section}.helper", "")]
        settings.append((f"{section}.helper", _HELPER))
        environment = {"GIT_CONFIG_COUNT": str(len(settings)), _USERNAME: self.username, _PASSWORD: self.password or ""}
        for number, (key, value) in enumerate(settings):
            environment |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
        return environment


def _decoded(text: str) -> str:
    return os.fsdecode(unquote_to_bytes(text))


def tag_objects(git: GitAt) -> dict[str, str]:
    """What each tag stands for, by its name: no object is read for it. Names that nobody can write are left out.

    Raises GitFailed.
    """
    rows = git.references("%(refname)%00%(objectname)", TAGS)
    return {name: sha for ref, sha in rows if is_writable(name := ref.removeprefix(TAGS))}


def read_tags(git: GitAt) -> list[TagRow]:
    """The same tags with the commits that they name, and when they were made. Raises GitFailed, also where one of them
    names what is not there."""
    form = "%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)%00%(creatordate:unix)"
    found = []
    for ref, kind, sha, peeled_kind, peeled, seconds in git.references(form, TAGS):
        name = ref.removeprefix(TAGS)
        if is_writable(name):
            commit = sha if kind == "commit" else peeled if peeled_kind == "commit" else None
            found.append(TagRow(name, sha, commit, _seconds(seconds)))
    return found


def is_writable(name: str) -> bool:
    """Whether a name can be shown and typed: of no excessive length, in UTF-8, without control characters."""
    return len(name) <= LONGEST and name.isprintable()


def _seconds(text: str) -> int:
    """Unix time, as far as the database takes it; 0 where there is none."""
    try:
        return min(max(int(text), 0), 2**63 - 1)
    except ValueError:
        return 0


def read_mailmap(git: GitAt, tip: str) -> str:
    """The text of the .mailmap; empty where there is none. Bytes that are no UTF-8 are replaced.

    Of a file that is too large only the lines that fit are given. Raises GitFailed where there is one that cannot
    be read, as in a mirror without the contents of files.
    """
    mode, _, rest = git.text("ls-tree", "-z", tip, "--", ".mailmap").partition(" ")
    if mode not in _FILES:
        return ""
    with closing(git.blocks(["cat-file", "blob", rest.partition(" ")[2].partition("\t")[0]])) as blocks:
        text = b"".join(islice(blocks, LARGEST // BLOCK + 1))
    return (text if len(text) <= LARGEST else text[:LARGEST].rpartition(b"\n")[0]).decode(errors="replace")
