"""A repository at a path: read in place, never written to."""

from __future__ import annotations

import os
from pathlib import Path

from bot.errors import RepositoryUnavailable
from bot.index.address import RepositoryLocation, web_page
from bot.index.git import CancelToken, GitAt, GitFailed
from bot.index.source import Source
from bot.index.tags import TAGS, is_writable, listed

_FALSE = ("false", "no", "off", "0")


def open_local(
    place: RepositoryLocation, path: Path, branch: str | None, cancel: CancelToken, known: str | None
) -> Source:
    """The history at a path. Whether its newest commit can be read is not asked of one that is `known`.

    Where nothing is new this is all there is to do, so it starts git twice and no more.
    """
    try:
        return _open(place, path, branch, cancel, known)
    except GitFailed as error:
        raise RepositoryUnavailable(
            place.location, f"git cannot read it ({error.text}): see `git -C {place.location} fsck`"
        ) from error


def _open(place: RepositoryLocation, path: Path, branch: str | None, cancel: CancelToken, known: str | None) -> Source:
    folder = git_folder(place, path)
    git = GitAt(folder, cancel=cancel)
    common = _common(folder)
    settings = _settings(git)
    advice = _advice(place.location, settings)
    tips, origins, tags = _references(git, branch)
    head = _head(git, folder)
    if branch:
        names = [f"refs/heads/{branch}", f"refs/remotes/origin/{branch}"]
    else:
        origins = origins or _left_by_origin(git, common)
        # Where no configuration says so, git goes by the name of the folder.
        names = _default_branch(head, origins, is_bare=_is_true(settings.get("core.bare", str(folder.name != ".git"))))
    for name in names:
        if tip := tips.get(name) or (name if not name.startswith("refs/") else None):
            web = web_page(settings.get("remote.origin.url", ""))
            called = name.removeprefix("refs/remotes/origin/").removeprefix("refs/heads/")
            source = Source(git, tip, web, _edge(common), advice, tags=tags, branch=called)
            if tip != known and not source.has(tip):
                raise RepositoryUnavailable(place.location, f"its newest commit cannot be read: {advice}")
            return source
        if (common / name).is_file():
            raise RepositoryUnavailable(place.location, f"its branch {name} is damaged: {advice}")
    if branch:
        raise RepositoryUnavailable(place.location, f"has no branch {branch}: check `branch` in almanac.toml")
    if any(name.startswith("refs/heads/") for name in tips):
        raise RepositoryUnavailable(
            place.location, "its HEAD names a branch without commits: name the `branch` in almanac.toml"
        )
    raise RepositoryUnavailable(place.location, "has no commits yet: make one, then index it again")


def git_folder(place: RepositoryLocation, path: Path) -> Path:
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


def advice(folder: Path, location: str) -> str:
    """What to do about a repository of which git cannot read all."""
    return _advice(location, _settings(GitAt(folder)))


def _advice(location: str, settings: dict[str, str]) -> str:
    if _is_partial(settings):
        return "it is a partial clone: index its address, or a full clone"
    return f"see `git -C {location} fsck`"


def _common(folder: Path) -> Path:
    """The folder that linked working trees share; see `commondir` in gitrepository-layout(5)."""
    try:
        return folder / os.fsdecode((folder / "commondir").read_bytes().rstrip(b"\n"))
    except OSError:
        return folder


def _edge(common: Path) -> frozenset[str]:
    try:
        return frozenset((common / "shallow").read_text().split())
    except FileNotFoundError:
        return frozenset()


def _settings(git: GitAt) -> dict[str, str]:
    """The repository's configuration; of a key that is there more than once, the last value counts."""
    found: dict[str, str] = {}
    for entry in git.text("config", "--list", "-z").split("\0"):
        key, equals, value = entry.partition("\n")
        found[key] = value if equals else "true"
    return found


def _is_true(value: str | None) -> bool:
    return value is not None and value.lower() not in _FALSE


def _is_partial(settings: dict[str, str]) -> bool:
    return any(
        _is_true(value)
        for key, value in settings.items()
        if key == "extensions.partialclone" or (key.startswith("remote.") and key.endswith(".promisor"))
    )


def _references(git: GitAt, branch: str | None) -> tuple[dict[str, str], list[str], dict[str, str]]:
    """What each branch names, the two names of origin's default branch, here and there, if it is known, and what each
    tag names."""
    wanted = ["refs/heads", "refs/remotes/origin/HEAD", *([f"refs/remotes/origin/{branch}"] if branch else []), TAGS]
    tips: dict[str, str] = {}
    origins: list[str] = []
    tags: dict[str, str] = {}
    for name, tip, target in listed(git, "%(refname)%00%(objectname)%00%(symref)", *wanted):
        if (tag := name.removeprefix(TAGS)) != name:
            if is_writable(tag):
                tags[tag] = tip
            continue
        tips[name] = tip
        if name == "refs/remotes/origin/HEAD" and target:
            tips[target] = tip
            origins = _names_of_origin(target)
    return tips, origins, tags


def _left_by_origin(git: GitAt, common: Path) -> list[str]:
    """The same where origin's default branch is named by what names nothing any more."""
    if not (common / "refs/remotes/origin/HEAD").is_file():
        return []
    try:
        return _names_of_origin(git.text("symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"))
    except GitFailed:
        return []


def _names_of_origin(target: str) -> list[str]:
    return [f"refs/heads/{target.removeprefix('refs/remotes/origin/')}", target]


def _head(git: GitAt, folder: Path) -> str:
    """The branch that HEAD names, or the SHA of a detached one."""
    try:
        said = os.fsdecode((folder / "HEAD").read_bytes()).strip()
    except OSError:
        said = ""
    if said.startswith("ref:") and not said.endswith("/.invalid"):  # where references are kept in tables
        return said.removeprefix("ref:").strip()
    try:
        return git.text("symbolic-ref", "--quiet", "HEAD")
    except GitFailed:
        return git.text("rev-parse", "--verify", "HEAD")


def _default_branch(head: str, origins: list[str], *, is_bare: bool) -> list[str]:
    """References that may be the default branch, the likeliest first.

    What is checked out of a clone may be anybody's feature branch, so origin's own answer comes first there. Else HEAD
    is the answer, unless it names a branch without commits.
    """
    return [*([] if is_bare else origins), head, "refs/heads/main", "refs/heads/master"]
