"""Where a repository's history is read from: a local path in place, an address through our own mirror.

A mirror is a bare repository with one branch, the default one. A local path is never written to.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from bot.errors import RepositoryUnavailable
from bot.index.address import Place, web_page, without_credentials
from bot.index.git import GitAt, GitFailed

# A first clone of a large repository takes minutes; one that takes longer than this hangs.
FETCH_SECONDS = 3600.0
ASK_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Source:
    """A history that can be read: the newest commit of the default branch, and git in its folder."""

    git: GitAt
    tip: str
    web: str | None
    edge: frozenset[str] = frozenset()  # commits of a shallow clone whose parents are missing

    def has(self, sha: str) -> bool:
        try:
            self.git.text("cat-file", "-e", f"{sha}^{{commit}}")
        except GitFailed:
            return False
        return True


def open_source(place: Place, mirrors: Path, branch: str | None = None) -> Source:
    """The history at a place, brought up to date if it is an address.

    Raises RepositoryUnavailable where there is none, it cannot be reached or read, or it is empty.
    """
    if place.path is not None:
        return _local(place, place.path, branch)
    return _mirrored(place, mirrors, branch)


def _local(place: Place, path: Path, branch: str | None) -> Source:
    if not path.exists():
        raise RepositoryUnavailable(place.location, "does not exist: check the path")
    if not path.is_dir():
        raise RepositoryUnavailable(place.location, "is a file, not a repository: name the repository's folder")
    git = GitAt(path)
    try:
        folder = Path(git.text("rev-parse", "--absolute-git-dir").strip())
    except GitFailed as error:
        if (path / ".git").exists() or (path / "objects").is_dir():
            raise RepositoryUnavailable(
                place.location, f"git cannot read it ({error.text}): see `git -C {path} fsck`"
            ) from error
        raise RepositoryUnavailable(
            place.location, "is no git repository: name a folder that holds one, or an address"
        ) from error
    names = [f"refs/heads/{branch}", f"refs/remotes/origin/{branch}"] if branch else _default_branch(git)
    tip = next((sha for name in names if (sha := _resolve(git, name))), None)
    if tip is None and branch:
        raise RepositoryUnavailable(place.location, f"has no branch {branch}: check `branch` in almanac.toml")
    if tip is None:
        if not _is_intact(git):
            raise RepositoryUnavailable(place.location, f"its newest commit cannot be read: see `git -C {path} fsck`")
        raise RepositoryUnavailable(place.location, "has no commits yet: make one, then index it again")
    return Source(git, tip, _origin_page(git), _edge(git, folder))


def _default_branch(git: GitAt) -> list[str]:
    """References that may be the default branch, the likeliest first.

    What is checked out may be anybody's feature branch, so origin's own answer comes first, then the
    usual names, and only then HEAD. In a bare repository HEAD is the answer.
    """
    if git.text("rev-parse", "--is-bare-repository").strip() == "true":
        return ["HEAD"]
    try:
        name = git.text("symbolic-ref", "--quiet", "refs/remotes/origin/HEAD").strip()
        short = name.removeprefix("refs/remotes/origin/")
        return [f"refs/heads/{short}", name, "HEAD"]
    except GitFailed:
        return ["refs/heads/main", "refs/heads/master", "HEAD"]


def _resolve(git: GitAt, name: str) -> str | None:
    try:
        return git.text("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}").strip()
    except GitFailed:
        return None


def _is_intact(git: GitAt) -> bool:
    """Whether a repository without a readable tip is simply empty, and not damaged."""
    try:
        return not git.text("for-each-ref", "--count=1").strip()
    except GitFailed:
        return False


def _edge(git: GitAt, folder: Path) -> frozenset[str]:
    if git.text("rev-parse", "--is-shallow-repository").strip() != "true":
        return frozenset()
    common = Path(git.text("rev-parse", "--git-common-dir").strip())
    for name in (folder / "shallow", folder / common / "shallow"):
        if name.is_file():
            return frozenset(name.read_text().split())
    return frozenset()


def _origin_page(git: GitAt) -> str | None:
    try:
        return web_page(git.text("config", "--get", "remote.origin.url").strip())
    except GitFailed:
        return None


def _mirrored(place: Place, mirrors: Path, branch: str | None) -> Source:
    address = place.address or ""
    folder = mirrors / _folder_name(place.location)
    try:
        mirrors.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RepositoryUnavailable(
            place.location, f"its mirror cannot be kept in {mirrors} ({error.strerror}): see ALMANAC_HOME"
        ) from error
    try:
        name, tip = _ask(GitAt(mirrors, remote=True), address, branch)
    except GitFailed as error:
        raise RepositoryUnavailable(place.location, _unreachable(error.text)) from error
    if not tip:
        reason = f"has no branch {branch}: check `branch` in almanac.toml" if branch else "has no commits yet"
        raise RepositoryUnavailable(place.location, reason)
    try:
        if not (folder / "HEAD").exists():
            GitAt(mirrors).text("init", "--quiet", "--bare", "--template=", "--", str(folder))
        source = Source(GitAt(folder), tip, place.web)
        if _resolve(source.git, name) != tip:
            GitAt(folder, remote=True).text(
                "fetch", "--quiet", "--force", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
                "--no-auto-maintenance", "--", address, f"+{name}:{name}",
                seconds=FETCH_SECONDS,
            )  # fmt: skip
            source.git.text("symbolic-ref", "HEAD", name)
    except GitFailed as error:
        raise RepositoryUnavailable(place.location, _unreachable(error.text)) from error
    # What came may be newer than what was asked for a moment ago.
    return Source(source.git, _resolve(source.git, name) or tip, place.web, _edge(source.git, folder))


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
    return ("refs/heads/almanac-detached" if name == "HEAD" and tip else name), tip


def _folder_name(location: str) -> str:
    readable = re.sub(r"[^A-Za-z0-9]+", "-", location.partition("://")[2]).strip("-")[-60:]
    return f"{readable}-{hashlib.sha256(location.encode()).hexdigest()[:8]}.git"


def _unreachable(said: str) -> str:
    said = without_credentials(said).removeprefix("fatal: ").removeprefix("error: ")
    if said.startswith("Timeout:"):
        said = "it did not answer in time"
    return f"cannot be reached ({said}): check the address, and that git may read it here without a password"
