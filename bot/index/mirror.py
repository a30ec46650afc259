"""Where a repository's history is read from: a local path in place, an address through our own mirror.

A mirror is a bare repository with one branch, the default one, and can be made anew at any time. A local
path is never written to.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.errors import RepositoryUnavailable
from bot.index.address import Place, web_page, without_credentials
from bot.index.git import GitAt, GitFailed

# A first clone of a large repository takes minutes; one that takes longer than this hangs.
FETCH_SECONDS = 3600.0
ASK_SECONDS = 60.0

_BRANCH = re.compile(r"refs/heads/[^\s:*?\[\\^~]+")  # git check-ref-format


@dataclass(frozen=True, slots=True)
class Source:
    """A history that can be read: the newest commit of the default branch, and git in its folder."""

    git: GitAt
    tip: str
    web: str | None
    edge: frozenset[str] = frozenset()  # commits of a shallow clone whose parents are missing
    advice: str = ""  # what to do if git cannot read all of it

    def has(self, sha: str) -> bool:
        try:
            self.git.text("cat-file", "-e", f"{sha}^{{commit}}")
        except GitFailed:
            return False
        return True


def open_source(place: Place, mirrors: Path, branch: str | None = None, *, anew: bool = False) -> Source:
    """The history at a place, brought up to date if it is an address; with `anew`, through a new mirror.

    Raises RepositoryUnavailable where there is none, it cannot be reached or read, or it is empty.
    """
    if place.path is not None:
        try:
            return _local(place, place.path, branch)
        except GitFailed as error:
            raise RepositoryUnavailable(
                place.location, f"git cannot read it ({error.text}): see `git -C {place.location} fsck`"
            ) from error
    return _mirrored(place, mirrors, branch, anew)


def stored_at(location: str, mirrors: Path) -> Path:
    """Git's own folder of what was indexed from a location, as it lies on this disk; nothing is fetched.

    Raises RepositoryUnavailable where it is gone.
    """
    if "://" in location:
        return mirrors / _folder_name(location)
    return _git_folder(Place(name=location, location=location), Path(location))


# --- a path


def _local(place: Place, path: Path, branch: str | None) -> Source:
    folder = _git_folder(place, path)
    git = GitAt(folder)
    common = folder / git.text("rev-parse", "--git-common-dir")
    advice = f"see `git -C {place.location} fsck`"
    if _set(git, r"^(extensions\.partialclone|remote\..*\.promisor)$"):
        advice = "it is a partial clone: index its address, or a full clone"
    names = [f"refs/heads/{branch}", f"refs/remotes/origin/{branch}"] if branch else _default_branch(git)
    for name in names:
        if tip := _tip(git, name):
            if not Source(git, tip, None).has(tip):
                raise RepositoryUnavailable(place.location, f"its newest commit cannot be read: {advice}")
            return Source(git, tip, _origin_page(git), _edge(git, folder), advice)
        if (common / name).is_file() and name.startswith("refs/"):
            raise RepositoryUnavailable(place.location, f"its branch {name} is damaged: {advice}")
    if branch:
        raise RepositoryUnavailable(place.location, f"has no branch {branch}: check `branch` in almanac.toml")
    if git.text("for-each-ref", "--count=1", "refs/heads"):
        raise RepositoryUnavailable(
            place.location, "its HEAD names a branch without commits: name the `branch` in almanac.toml"
        )
    raise RepositoryUnavailable(place.location, "has no commits yet: make one, then index it again")


def _git_folder(place: Place, path: Path) -> Path:
    """Git's own folder of the repository at a path: the one named `.git`, or a bare one itself."""
    try:
        if not path.exists():
            raise RepositoryUnavailable(place.location, "does not exist: check the path")
        if not path.is_dir():
            raise RepositoryUnavailable(place.location, "is a file, not a repository: name the repository's folder")
        folder = path / ".git"
        if folder.is_file():  # a linked working tree or a submodule: the file says where the folder is
            folder = path / os.fsdecode(folder.read_bytes().removeprefix(b"gitdir:").strip())
        elif not folder.exists():
            folder = path
        if folder == path and not (path / "objects").is_dir():
            raise RepositoryUnavailable(
                place.location, "is no git repository: name a folder that holds one, or an address"
            )
    except (OSError, ValueError) as error:
        raise RepositoryUnavailable(place.location, f"cannot be looked at ({error}): check the path") from error
    return folder


def _default_branch(git: GitAt) -> list[str]:
    """References that may be the default branch, the likeliest first.

    What is checked out may be anybody's feature branch, so origin's own answer comes first, then the
    usual names, and only then HEAD. In a bare repository HEAD is the answer.
    """
    usual = ["refs/heads/main", "refs/heads/master"]
    head = _symbolic(git, "HEAD") or "HEAD"
    if _set(git, r"^core\.bare$"):
        return [head, *usual]
    if name := _symbolic(git, "refs/remotes/origin/HEAD"):
        return [f"refs/heads/{name.removeprefix('refs/remotes/origin/')}", name, head]
    return [*usual, head]


def _symbolic(git: GitAt, name: str) -> str | None:
    try:
        return git.text("symbolic-ref", "--quiet", name)
    except GitFailed:
        return None


def _set(git: GitAt, keys: str) -> bool:
    """Whether a key of the repository's configuration that matches is there and not false."""
    try:
        lines = git.text("config", "--get-regexp", keys).splitlines()
    except GitFailed:
        return False
    return any(not line.endswith((" false", " no", " off", " 0")) for line in lines)


def _tip(git: GitAt, name: str) -> str | None:
    """The SHA that a reference names, whether or not its commit can be read; None if there is none."""
    try:
        return git.text("rev-parse", "--verify", "--quiet", "--end-of-options", name) or None
    except GitFailed:
        return None


def _edge(git: GitAt, folder: Path) -> frozenset[str]:
    shallow = folder / git.text("rev-parse", "--git-path", "shallow")
    try:
        return frozenset(shallow.read_text().split())
    except FileNotFoundError:
        return frozenset()


def _origin_page(git: GitAt) -> str | None:
    try:
        return web_page(git.text("config", "--get", "remote.origin.url"))
    except GitFailed:
        return None


# --- an address


def _mirrored(place: Place, mirrors: Path, branch: str | None, anew: bool) -> Source:
    address = place.address or ""
    folder = mirrors / _folder_name(place.location)
    try:
        mirrors.mkdir(parents=True, exist_ok=True)
        with _alone(folder):
            name, tip = _ask(GitAt(mirrors, remote=True), address, branch)
            if not tip:
                raise RepositoryUnavailable(place.location, _empty(branch))
            if anew or not _brought_up_to_date(folder, address, name, tip):
                _make_anew(folder, address, name)
            git = GitAt(folder)
            # What came may be newer than what was asked for a moment ago.
            return Source(git, _tip(git, _kept_as(name)) or tip, place.web, _edge(git, folder), "index it again")
    except GitFailed as error:
        raise RepositoryUnavailable(place.location, _unreachable(error.text)) from error
    except OSError as error:
        raise RepositoryUnavailable(
            place.location, f"its mirror cannot be kept in {mirrors} ({error.strerror}): see ALMANAC_HOME"
        ) from error


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process at a time at a mirror; the others wait. A process that dies lets go."""
    with folder.with_suffix(".lock").open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _ask(git: GitAt, address: str, branch: str | None) -> tuple[str, str | None]:
    """The full name of the default branch (or of `branch`) at an address, and its newest commit."""
    wanted = f"refs/heads/{branch}" if branch else "HEAD"
    answer = git.text("ls-remote", "--quiet", "--symref", "--", address, wanted, seconds=ASK_SECONDS)
    name, tip = wanted, None
    for line in answer.splitlines():
        value, _, ref = line.partition("\t")
        if ref == wanted and value.startswith("ref: "):
            name = value.removeprefix("ref: ")
        elif ref == wanted:
            tip = value
    if tip is None and branch is None:
        return _ask_for_branches(git, address)
    if name != "HEAD" and not _BRANCH.fullmatch(name):
        raise GitFailed("it names a default branch that can be none")
    return name, tip


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


def _brought_up_to_date(folder: Path, address: str, name: str, tip: str) -> bool:
    """Fetch into the mirror what it lacks. False if there is no mirror, or none that can be built on.

    A shallow one is of a repository that was shallow itself; what it lacked may have come there since.
    """
    if not folder.exists() or (folder / "shallow").exists():
        return False
    try:
        if _tip(GitAt(folder), _kept_as(name)) != tip:
            _fetch(folder, address, name)
    except GitFailed as error:
        if error.text.startswith("Timeout:"):
            raise
        return False
    return True


def _make_anew(folder: Path, address: str, name: str) -> None:
    """A new mirror, which takes the old one's place once it is whole."""
    fresh = folder.with_suffix(".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    try:
        GitAt(fresh).text("init", "--quiet", "--bare", "--template=")
        _fetch(fresh, address, name)
        if folder.exists():
            shutil.rmtree(folder)
        fresh.rename(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _fetch(folder: Path, address: str, name: str) -> None:
    GitAt(folder, remote=True).text(
        "fetch", "--quiet", "--force", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
        "--no-auto-maintenance", "--update-shallow", "--", address, f"+{name}:{_kept_as(name)}",
        seconds=FETCH_SECONDS,
    )  # fmt: skip
    GitAt(folder).text("symbolic-ref", "HEAD", _kept_as(name))


def _kept_as(name: str) -> str:
    return "refs/heads/almanac-detached" if name == "HEAD" else name


def _folder_name(location: str) -> str:
    readable = re.sub(r"[^A-Za-z0-9]+", "-", location.rpartition("://")[2]).strip("-")[-60:]
    return f"{readable}-{hashlib.sha256(location.encode()).hexdigest()[:8]}.git"


def _empty(branch: str | None) -> str:
    if branch:
        return f"has no branch {branch}: check `branch` in almanac.toml"
    return "has no commits yet: push one, then index it again"


def _unreachable(said: str) -> str:
    said = without_credentials(said)
    if said.startswith("Timeout:"):
        said = "it did not answer in time"
    return f"cannot be reached ({said}): check the address, and that git may read it here without a password"
