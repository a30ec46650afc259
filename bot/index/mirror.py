"""An address's history, read through a mirror of our own.

A mirror is a bare repository with one branch, the default one, and all tags. It can be made anew at any time.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import random
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from bot.errors import RepositoryUnavailable, ServerUnavailable
from bot.index.address import RepositoryLocation
from bot.index.git import CancelToken, Concurrency, GitAt, GitFailed
from bot.index.local import git_folder, open_local
from bot.index.source import Source
from bot.index.tags import TAGS, is_writable, tag_objects

T = TypeVar("T")

# A first clone of a large repository takes minutes; one that takes longer than this hangs.
FETCH_SECONDS = 3600.0
ASK_SECONDS = 60.0
ATTEMPTS = 3
BACK_OFF_SECONDS = 1.0  # before the second attempt; doubled for each one more, and half of it left to chance
NAMES_ONLY = "almanac-names-only"  # a file in a mirror without the contents of files

_BRANCH = re.compile(r"refs/heads/[^\s:*?\[\\^~]+")  # git check-ref-format
_MAY_PASS = re.compile(
    r"could not resolve|couldn't resolve|temporary failure|connection (refused|reset|closed|timed out)|timed out"
    r"|failed to connect|early eof|unexpected disconnect|hung up|rpc failed|network is|ssl_|gnutls"
    r"|returned error: (429|5\d\d)|kex_exchange|broken pipe|transfer closed",
    re.IGNORECASE,
)


def open_source(
    place: RepositoryLocation,
    mirrors: Path,
    branch: str | None = None,
    *,
    concurrency: Concurrency | None = None,
    known: str | None = None,
    contents: bool = True,
    anew: bool = False,
) -> Source:
    """The history at a place, brought up to date if it is an address; with `anew`, through a new mirror.

    `known` is the commit that was the newest before. Without `contents` a mirror has the names of files only.
    Raises RepositoryUnavailable where there is none, it cannot be reached or read, or it is empty.
    """
    concurrency = concurrency or Concurrency()
    if place.path is not None:
        return open_local(place, place.path, branch, concurrency.cancel, known)
    return _Mirror(place, mirrors, concurrency, contents).opened(branch, anew)


def stored_at(location: str, mirrors: Path) -> Path:
    """Git's own folder of what was indexed from a location, as it lies on this disk; nothing is fetched.

    Raises RepositoryUnavailable where it is gone.
    """
    if is_address(location):
        return mirrors / folder_name(location)
    return git_folder(RepositoryLocation(name=location, location=location), Path(location))


def branch_at(location: str, mirrors: Path, branch: str | None, known: str | None) -> str:
    """The branch that is read there where almanac.toml says `branch`, as people call it; "" where none is here."""
    try:
        if is_address(location):
            git = GitAt(mirrors / folder_name(location))
            return git.text("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads")
        here = RepositoryLocation(name=location, location=location)
        return open_local(here, Path(location), branch, CancelToken(), known).branch
    except (GitFailed, RepositoryUnavailable):
        return ""


def has_contents(folder: Path) -> bool:
    """Whether the lines of files can be counted in what `stored_at` names: not where only names were fetched, nor where
    the mirror is on another machine."""
    return folder.is_dir() and not (folder / NAMES_ONLY).exists()


def is_address(location: str) -> bool:
    """Whether what Place calls a location is no path."""
    return not location.startswith("/")


def folder_name(location: str) -> str:
    """The name of the folder that mirrors an address."""
    readable = re.sub(r"[^A-Za-z0-9]+", "-", location.rpartition("://")[2]).strip("-")[-60:]
    return f"{readable}-{hashlib.sha256(location.encode()).hexdigest()[:8]}.git"


@contextmanager
def alone(folder: Path, *, wait: bool = True) -> Iterator[None]:
    """One process at a time at a mirror; the others wait, or get BlockingIOError. A process that dies lets go."""
    with folder.with_suffix(".lock").open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        os.utime(file.fileno())  # when it was last used
        yield


@dataclass(frozen=True, slots=True)
class _Mirror:
    place: RepositoryLocation
    mirrors: Path
    concurrency: Concurrency
    contents: bool

    @property
    def folder(self) -> Path:
        return self.mirrors / folder_name(self.place.location)

    @property
    def address(self) -> str:
        return self.place.address or ""

    def opened(self, branch: str | None, anew: bool) -> Source:
        try:
            self.mirrors.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self.concurrency.host_slot(host_of(self.address)), alone(self.folder):
                name, tip, tags = self._patiently(lambda: _ask(self._reaching(self.mirrors), self.address, branch))
                if not tip:
                    raise RepositoryUnavailable(self.place.location, _empty(branch))
                if anew or not self._brought_up_to_date(name, tip):
                    self._make_anew(name, tip)
                return self._source(name, tip, self._tags_here(tags))
        except GitFailed as error:
            sort = ServerUnavailable if _may_pass(error) else RepositoryUnavailable
            raise sort(self.place.location, _unreachable(error.text)) from error
        except OSError as error:
            raise RepositoryUnavailable(
                self.place.location, f"its mirror cannot be kept in {self.mirrors} ({error.strerror}): see ALMANAC_HOME"
            ) from error

    def _source(self, name: str, tip: str, tags: dict[str, str]) -> Source:
        git = self._here(self.folder)
        try:
            edge = frozenset((self.folder / "shallow").read_text().split())
        except FileNotFoundError:
            edge = frozenset()
        # What came may be newer than what was asked for a moment ago.
        tip = _tip(git, _kept_as(name)) or tip
        return Source(git, tip, self.place.web, edge, "index it again", has_contents(self.folder), tags)

    def _brought_up_to_date(self, name: str, tip: str) -> bool:
        """Fetch into the mirror what it lacks. False if there is no mirror, or none that can be built on.

        A shallow one is of a repository that was shallow itself; what it lacked may have come there since.
        """
        if not self.folder.exists() or (self.folder / "shallow").exists() or has_contents(self.folder) != self.contents:
            return False
        try:
            if _tip(self._here(self.folder), _kept_as(name)) != tip:
                for left in (self.folder / "objects/pack").glob("tmp_*"):  # by a fetch that was killed
                    left.unlink()
                self._fetch(self.folder, name)
        except GitFailed as error:
            if _may_pass(error):
                raise
            return False
        return True

    def _make_anew(self, name: str, tip: str) -> None:
        """A new mirror, which takes the old one's place once it is whole."""
        fresh = self.folder.with_suffix(".new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)  # whoever may read of it is asked by the bot, not by the disk
        try:
            kind = ["--object-format=sha256"] if len(tip) == 64 else []
            self._here(fresh).text("init", "--quiet", "--bare", "--template=", *kind)
            if not self.contents:
                # Said of a remote without an address, so that no token is kept and nothing is fetched by itself.
                for key, value in (
                    ("core.repositoryFormatVersion", "1"),
                    ("extensions.partialClone", "almanac"),
                    ("remote.almanac.promisor", "true"),
                    ("remote.almanac.partialCloneFilter", "blob:none"),
                ):
                    self._here(fresh).text("config", key, value)
                (fresh / NAMES_ONLY).touch()
            self._fetch(fresh, name)
            if self.folder.exists():
                shutil.rmtree(self.folder)
            fresh.rename(self.folder)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    def _fetch(self, folder: Path, name: str) -> None:
        self._patiently(lambda: _fetch(self._reaching(folder), self.address, name, contents=self.contents))
        self._here(folder).text("symbolic-ref", "HEAD", _kept_as(name))

    def _tags_here(self, there: dict[str, str]) -> dict[str, str]:
        """The tags of the mirror, once those that are new or were moved are fetched and those that are gone dropped.

        What cannot be fetched, such as a name that no file here can have, is left for another time: the branch counts.
        """
        git = self._here(self.folder)
        here = tag_objects(git)
        if here == there:
            return here
        with suppress(GitFailed):
            _fetch(self._reaching(self.folder), self.address, f"{TAGS}*", contents=self.contents)
        git.text("pack-refs", "--all")  # of thousands, each would be a file
        return tag_objects(git)

    def _here(self, folder: Path) -> GitAt:
        return GitAt(folder, cancel=self.concurrency.cancel)

    def _reaching(self, folder: Path) -> GitAt:
        return GitAt(folder, remote=True, credentials=self.place.credentials, cancel=self.concurrency.cancel)

    def _patiently(self, reach: Callable[[], T]) -> T:
        """What `reach` gives, asked again after a while where what went wrong may pass."""
        for attempt in range(1, ATTEMPTS):
            try:
                return reach()
            except GitFailed as error:
                if not _MAY_PASS.search(error.text):
                    raise
            longest = BACK_OFF_SECONDS * 2 ** (attempt - 1)
            self.concurrency.cancel.wait(random.uniform(longest / 2, longest))  # noqa: S311  many must not come back at once
        return reach()


def _ask(git: GitAt, address: str, branch: str | None) -> tuple[str, str | None, dict[str, str]]:
    """The full name of the default branch (or of `branch`) at an address, its newest commit, and what each tag there
    stands for."""
    wanted = f"refs/heads/{branch}" if branch else "HEAD"
    answer = git.text("ls-remote", "--quiet", "--symref", "--", address, wanted, f"{TAGS}*", seconds=ASK_SECONDS)
    name, tip = wanted, None
    tags: dict[str, str] = {}
    for line in answer.split("\n"):
        value, _, ref = line.partition("\t")
        tag = ref.removeprefix(TAGS)
        if tag != ref and not ref.endswith("^{}") and is_writable(tag):
            tags[tag] = value
        if ref == wanted and value.startswith("ref: "):
            name = value.removeprefix("ref: ")
        elif ref == wanted:
            tip = value
    if tip is None and branch is None:
        return *_ask_for_branches(git, address), tags
    if name != "HEAD" and not _BRANCH.fullmatch(name):
        raise GitFailed("it names a default branch that can be none")
    return name, tip, tags


def _ask_for_branches(git: GitAt, address: str) -> tuple[str, str | None]:
    """The same where HEAD names no branch that exists: the usual name, else the only one."""
    answer = git.text("ls-remote", "--quiet", "--heads", "--", address, seconds=ASK_SECONDS)
    lines = [line.partition("\t") for line in answer.splitlines()]
    tips = {name: tip for tip, _, name in lines if _BRANCH.fullmatch(name)}
    for name in ("refs/heads/main", "refs/heads/master"):
        if name in tips:
            return name, tips[name]
    if len(tips) > 1:
        raise GitFailed("its HEAD names a branch without commits; name the `branch` in almanac.toml")
    return next(iter(tips.items()), ("HEAD", None))


def _fetch(git: GitAt, address: str, name: str, *, contents: bool) -> None:
    """Fetch a reference, or all of a pattern; of these what is gone there is dropped here."""
    where = ["--", address] if contents else ["--filter=blob:none", "--", "almanac"]
    # A server that does not filter sends everything.
    git.text(
        *([] if contents else ["-c", f"remote.almanac.url={address}"]),
        "fetch", "--quiet", "--force", "--prune", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
        "--no-auto-maintenance", "--update-shallow", *where, f"+{name}:{_kept_as(name)}",
        seconds=FETCH_SECONDS,
    )  # fmt: skip


def _tip(git: GitAt, name: str) -> str | None:
    """The SHA that a reference names, whether or not its commit can be read; None if there is none."""
    try:
        return git.text("rev-parse", "--verify", "--quiet", "--end-of-options", name) or None
    except GitFailed:
        return None


def _may_pass(error: GitFailed) -> bool:
    return error.text.startswith("Timeout:") or _MAY_PASS.search(error.text) is not None


def host_of(address: str) -> str:
    """What is asked on the other side; of two addresses on this disk each is its own."""
    if "://" not in address:
        return address.partition("@")[2].partition(":")[0]
    return urlsplit(address).hostname or address


def _kept_as(name: str) -> str:
    return "refs/heads/almanac-detached" if name == "HEAD" else name


def _empty(branch: str | None) -> str:
    if branch:
        return f"has no branch {branch}: check `branch` in almanac.toml"
    return "has no commits yet: push one, then index it again"


def _unreachable(said: str) -> str:
    if said.startswith("Timeout:"):
        said = "it did not answer in time"
    return f"cannot be reached ({said}): check the address, and that git may read it here without a password"
