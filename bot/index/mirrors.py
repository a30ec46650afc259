"""Histories that can be read: of a repository at a path, in place and never written to, or at an address, through a
mirror of our own.

A mirror is a bare repository with one branch, the default one, and all tags. It can be made anew at any time.

git ends at the first object that it cannot read, whatever it was asked for. So of a damaged history commits are asked
for one by one, and what git ends at is left out by beginning anew behind it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import random
import re
import shutil
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from bot.errors import RepositoryUnavailable, ServerUnavailable
from bot.index.git import TAGS, CancelToken, Concurrency, GitAt, GitFailed, is_writable, tag_objects
from bot.index.gitlog import NAMES_OPTIONS, OPTIONS, WITHOUT_FILES, LogParser
from bot.index.places import RepositoryLocation, web_page
from bot.model import Commit
from storage.commits import Commits

T = TypeVar("T")

# So many commits are read with their lines at once. Of more, the names come first, so that months can be shown
# while the lines, which take ten times as long, are still counted.
AT_ONCE = 1000
# A first clone of a large repository takes minutes; one that takes longer than this hangs.
FETCH_SECONDS = 3600.0
ASK_SECONDS = 60.0
ATTEMPTS = 3
BACK_OFF_SECONDS = 1.0  # before the second attempt; doubled for each one more, and half of it left to chance
UNUSED_SECONDS = 30 * 24 * 3600
_NAMES_ONLY = "almanac-names-only"  # until 0.2.0, a file in a mirror without the contents of files

_ORIGIN = "refs/remotes/origin/"
_FALSE = ("false", "no", "off", "0")
_BRANCH = re.compile(r"refs/heads/[^\s:*?\[\\^~]+")  # git check-ref-format
_MAY_PASS = re.compile(
    r"could not resolve|couldn't resolve|temporary failure|connection (refused|reset|closed|timed out)|timed out"
    r"|failed to connect|early eof|unexpected disconnect|hung up|rpc failed|network is|ssl_|gnutls"
    r"|returned error: (429|5\d\d)|kex_exchange|broken pipe|transfer closed",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Source:
    """The newest commit of a place's branch, and git in the repository's folder. What git cannot read raises
    GitFailed."""

    place: RepositoryLocation
    git: GitAt
    tip: str
    web: str | None
    edge: frozenset[str] = frozenset()  # commits of a shallow clone whose parents are missing
    advice: str = ""  # what to do if git cannot read all of it
    tags: Mapping[str, str] = field(default_factory=dict)  # what each stands for, as `bot.index.git.tag_objects` has it
    branch: str = ""  # by the name that people know

    def has(self, sha: str) -> bool:
        try:
            self.git.text("cat-file", "-e", f"{sha}^{{commit}}")
        except GitFailed:
            return False
        return True

    def reachable(self, *but: str) -> list[str]:
        """The commits that the tip leads to, children first."""
        return self.git.text("rev-list", "--topo-order", *but, self.tip).split()

    def options_for(self, commits: int | None) -> tuple[str, ...]:
        """What to ask `git log` of so many commits; None: of all of a long history."""
        return OPTIONS if commits is not None and commits <= AT_ONCE else NAMES_OPTIONS

    def commits(
        self,
        shas: Sequence[str] | None,
        options: Sequence[str],
        oddities: Counter[str],
        seen: Callable[[Commit], object] = lambda _: None,
    ) -> Generator[Commit]:
        """The log of these commits in their order, or of all that the tip leads to, children first. Each is `seen`; at
        the end `oddities` are counted."""
        if shas is not None and not shas:
            return
        parser = LogParser(self.place.name, without_files=self.edge)
        arguments = ["log", *options, "--no-ext-diff", "--no-textconv"]
        arguments += ["--topo-order", self.tip, "--"] if shas is None else ["--no-walk=unsorted", "--stdin"]
        try:
            with closing(self.git.blocks(arguments, shas)) as blocks:
                for one in parser.commits(blocks):
                    seen(one)
                    yield one
        finally:
            oddities.update(parser.oddities)


def open_source(
    place: RepositoryLocation,
    mirrors: Path,
    *,
    concurrency: Concurrency | None = None,
    known: str | None = None,
    anew: bool = False,
) -> Source:
    """The history at a place, brought up to date if it is an address; with `anew`, through a new mirror.

    Whether the newest commit can be read is not asked of one that is `known`. Raises RepositoryUnavailable where there
    is none, it cannot be reached or read, or it is empty.
    """
    concurrency = concurrency or Concurrency()
    if place.path is None:
        return _Mirror(place, mirrors, concurrency).opened(anew)
    try:
        return _open_local(place, place.path, concurrency.cancel, known)
    except GitFailed as error:
        reason = f"git cannot read it ({error.text}): see `git -C {place.location} fsck`"
        raise RepositoryUnavailable(place.location, reason) from error


def _open_local(place: RepositoryLocation, path: Path, cancel: CancelToken, known: str | None) -> Source:
    """Where nothing is new this is all there is to do, so it starts git twice and no more."""
    branch = place.branch
    folder = git_folder(place.location, path)
    git = GitAt(folder, cancel=cancel)
    try:  # the folder that linked working trees share; see `commondir` in gitrepository-layout(5)
        common = folder / os.fsdecode((folder / "commondir").read_bytes().rstrip(b"\n"))
    except OSError:
        common = folder
    settings = _settings(git)
    advice = _advice(place.location, settings)
    tips, tags, origin = _references(git, common, branch)
    # Where no configuration says what a clone is, git goes by the name of the folder.
    is_bare = _is_true(settings.get("core.bare", str(folder.name != ".git")))
    for name in _names(git, folder, branch, "" if is_bare else origin):
        if tip := tips.get(name) or ("" if name.startswith("refs/") else name):
            web = web_page(settings.get("remote.origin.url", ""))
            called = name.removeprefix(_ORIGIN).removeprefix("refs/heads/")
            source = Source(place, git, tip, web, _edge(common), advice, tags=tags, branch=called)
            if tip != known and not source.has(tip):
                raise RepositoryUnavailable(place.location, f"its newest commit cannot be read: {advice}")
            return source
        if (common / name).is_file():
            raise RepositoryUnavailable(place.location, f"its branch {name} is damaged: {advice}")
    if branch:
        reason = _empty(branch)
    elif any(name.startswith("refs/heads/") for name in tips):
        reason = "its HEAD names a branch without commits: name the `branch` in almanac.toml"
    else:
        reason = "has no commits yet: make one, then index it again"
    raise RepositoryUnavailable(place.location, reason)


def _references(git: GitAt, common: Path, branch: str | None) -> tuple[dict[str, str], dict[str, str], str]:
    """What branches and tags stand for, and what the clone took for the default branch of where it is from."""
    tips: dict[str, str] = {}
    tags: dict[str, str] = {}
    origin = ""
    wanted = ["refs/heads", f"{_ORIGIN}HEAD", *([f"{_ORIGIN}{branch}"] if branch else []), TAGS]
    for name, tip, target in git.references("%(refname)%00%(objectname)%00%(symref)", *wanted):
        tag = name.removeprefix(TAGS)
        if tag == name:
            tips[name] = tip
        elif is_writable(tag):
            tags[tag] = tip
        if name == f"{_ORIGIN}HEAD" and target:
            tips[target], origin = tip, target
    if not origin and (common / f"{_ORIGIN}HEAD").is_file():  # it names what is there no more
        with suppress(GitFailed):
            origin = git.text("symbolic-ref", "--quiet", f"{_ORIGIN}HEAD")
    return tips, tags, origin


def _names(git: GitAt, folder: Path, branch: str | None, origin: str) -> list[str]:
    """What the branch may be called, what comes first first. What is checked out of a clone may be anybody's feature
    branch, so origin's own answer comes first there."""
    if branch:
        return [f"refs/heads/{branch}", f"{_ORIGIN}{branch}"]
    names = [f"refs/heads/{origin.removeprefix(_ORIGIN)}", origin] if origin else []
    return [*names, _head(git, folder), "refs/heads/main", "refs/heads/master"]


def git_folder(location: str, path: Path) -> Path:
    """Git's own folder of the repository at a path: the one named `.git`, or a bare one itself."""
    try:
        if not path.exists():
            raise RepositoryUnavailable(location, "does not exist: check the path")
        if not path.is_dir():
            raise RepositoryUnavailable(location, "is a file, not a repository: name the repository's folder")
        folder = path / ".git"
        if folder.is_file():  # a linked working tree or a submodule: the file says where the folder is
            folder = path / os.fsdecode(folder.read_bytes().removeprefix(b"gitdir:").strip())
        elif not folder.exists():
            folder = path
        if folder == path and not (path / "objects").is_dir():
            raise RepositoryUnavailable(location, "is no git repository: name a folder that holds one, or an address")
    except (OSError, ValueError) as error:
        raise RepositoryUnavailable(location, f"cannot be looked at ({error}): check the path") from error
    return folder


def advice(folder: Path, location: str) -> str:
    """What to do about a repository of which git cannot read all."""
    return _advice(location, _settings(GitAt(folder)))


def _advice(location: str, settings: dict[str, str]) -> str:
    for key, value in settings.items():
        is_said = key == "extensions.partialclone" or (key.startswith("remote.") and key.endswith(".promisor"))
        if is_said and _is_true(value):
            return "it is a partial clone: index its address, or a full clone"
    return f"see `git -C {location} fsck`"


def _settings(git: GitAt) -> dict[str, str]:
    """The repository's configuration; of a key that is there more than once, the last value counts."""
    found: dict[str, str] = {}
    for entry in git.text("config", "--list", "-z").split("\0"):
        key, equals, value = entry.partition("\n")
        found[key] = value if equals else "true"
    return found


def _is_true(value: str) -> bool:
    return value.lower() not in _FALSE


def _edge(folder: Path) -> frozenset[str]:
    try:
        return frozenset((folder / "shallow").read_text().split())
    except FileNotFoundError:
        return frozenset()


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


def stored_at(location: str, mirrors: Path) -> Path:
    """Git's own folder of what was indexed from a location, as it lies on this disk; nothing is fetched.

    Raises RepositoryUnavailable where it is gone.
    """
    if is_address(location):
        return mirrors / folder_name(location)
    return git_folder(location, Path(location))


def branch_at(location: str, mirrors: Path, branch: str | None, known: str | None) -> str:
    """The branch that is read there where almanac.toml says `branch`, as people call it; "" where none is here."""
    try:
        if is_address(location):
            git = GitAt(mirrors / folder_name(location))
            return git.text("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads")
        here = RepositoryLocation(name=location, location=location, branch=branch)
        return _open_local(here, Path(location), CancelToken(), known).branch
    except (GitFailed, RepositoryUnavailable):
        return ""


def has_contents(folder: Path) -> bool:
    """Whether the lines of files can be counted in what `stored_at` names: not where the mirror is
    on another machine, or one of 0.2.0 has names only, until it is next read."""
    return folder.is_dir() and not (folder / _NAMES_ONLY).exists()


def is_address(location: str) -> bool:
    """Whether what a RepositoryLocation calls its location is no path."""
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

    @property
    def folder(self) -> Path:
        return self.mirrors / folder_name(self.place.location)

    @property
    def address(self) -> str:
        return self.place.address or ""

    def opened(self, anew: bool) -> Source:
        branch = self.place.branch
        try:
            self.mirrors.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self.concurrency.host(host_of(self.address)), alone(self.folder):
                name, tip, tags = self._patiently(lambda: _ask(self._reaching(self.mirrors), self.address, branch))
                if not tip:
                    raise RepositoryUnavailable(self.place.location, _empty(branch))
                if anew or not self._brought_up_to_date(name, tip):
                    self._make_anew(name, tip)
                tags, git = self._tags_here(tags), self._here(self.folder)
                tip = _tip(git, _kept_as(name)) or tip  # what came may be newer than what was asked for a moment ago
                called = name.removeprefix("refs/heads/")
                return Source(
                    self.place, git, tip, self.place.web, _edge(self.folder), "index it again", tags, branch=called
                )
        except GitFailed as error:
            sort = ServerUnavailable if _may_pass(error) else RepositoryUnavailable
            said = "it did not answer in time" if error.text.startswith("Timeout:") else error.text
            raise sort(
                self.place.location,
                f"cannot be reached ({said}): check the address, and that git may read it here without a password",
            ) from error
        except OSError as error:
            raise RepositoryUnavailable(
                self.place.location, f"its mirror cannot be kept in {self.mirrors} ({error.strerror}): see ALMANAC_HOME"
            ) from error

    def _brought_up_to_date(self, name: str, tip: str) -> bool:
        """Fetch into the mirror what it lacks. False if there is no mirror, or none that can be built on.

        A shallow one is of a repository that was shallow itself; what it lacked may have come there since.
        """
        if not has_contents(self.folder) or (self.folder / "shallow").exists():
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
            self._fetch(fresh, name)
            if self.folder.exists():
                shutil.rmtree(self.folder)
            fresh.rename(self.folder)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    def _fetch(self, folder: Path, name: str) -> None:
        self._patiently(lambda: _fetch(self._reaching(folder), self.address, name))
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
            _fetch(self._reaching(self.folder), self.address, f"{TAGS}*")
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


def _fetch(git: GitAt, address: str, name: str) -> None:
    """Fetch a reference, or all of a pattern; of these what is gone there is dropped here."""
    git.text(
        "fetch", "--quiet", "--force", "--prune", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
        "--no-auto-maintenance", "--update-shallow", "--", address, f"+{name}:{_kept_as(name)}",
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


def remove_unused(mirrors: Path, named: Iterable[str], now: float) -> int:
    """Remove the mirrors of locations that are not `named` any more. Returns how many were.

    Other databases may be indexed from the same mirrors, so only what nobody has opened for UNUSED_SECONDS is
    removed, and nothing that somebody has open. A mirror that is missed after all is fetched anew.
    """
    kept = {folder_name(location) for location in named if is_address(location)}
    removed = 0
    for folder in sorted([*mirrors.glob("*.git"), *mirrors.glob("*.new")]):  # or what was left of a fetch
        lock = folder.with_suffix(".lock")
        try:
            last_used = lock.stat().st_mtime
            if folder.with_suffix(".git").name in kept or now - last_used < UNUSED_SECONDS:
                continue
            with alone(folder, wait=False):
                shutil.rmtree(folder)
                removed += 1
            os.utime(lock, (last_used, last_used))
        except OSError:  # it is in use, or cannot be removed: another time
            continue
    return removed


# --- what can be read where git cannot read every object

NAMED = 3  # commits named in a line; of more, how many there are


class DamagedHistory:
    """Reads past what is damaged, for one run over one repository, after git ended with `error`.

    `oddities` counts what was odd about the commits that were read. Everything raises GitFailed where nothing can be
    read any more, as of a disk that was taken away.
    """

    def __init__(self, source: Source, known: Commits, error: GitFailed) -> None:
        self.oddities: Counter[str] = Counter()
        self._source = source
        self._known = known
        self._error = error
        self._lost: list[str] = []

    def reachable(self) -> list[str]:
        """The commits that can be reached from the tip past those that cannot be read, in about their order."""
        try:
            # Where a commit-graph is kept, git knows the parents of a commit that it cannot read.
            return self._source.reachable()
        except GitFailed:
            return list(self._walked())

    def read(self, shas: Sequence[str]) -> Generator[Commit]:
        """The commits with all that can be read of them: files with their lines, else their names, else none."""
        source, failed = self._source, list[str]()

        def spoilt(sha: str, error: GitFailed) -> None:
            if not source.has(source.tip):
                raise error
            failed.append(sha)

        for asked in dict.fromkeys([source.options_for(len(shas)), NAMES_OPTIONS, WITHOUT_FILES]):  # less and less
            read = partial(source.commits, options=asked, oddities=self.oddities)
            with closing(past_damage(read, shas, spoilt)) as found:
                for one in found:
                    yield replace(one, is_counted=False) if asked is WITHOUT_FILES else one
            shas, failed = failed, []
        self._lost += shas

    def lost(self) -> str | None:
        """Which commits could not be read, so that others behind them may be missing too, in one line."""
        if not self._lost:
            return None
        only = "it" if len(self._lost) == 1 else "they"
        return (
            f"{named(self._lost)} cannot be read, nor what only {only} would lead to ({self._error.text}); what can be "
            f"read is kept: {self._source.advice}"
        )

    def _walked(self) -> Iterator[str]:
        """From the tip by way of parents; those of a commit that cannot be read may be known from an earlier run."""
        source = self._source
        every, rest = list[str](), b""
        listed = ("cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)")
        with closing(source.git.blocks(listed)) as blocks:  # a long history has millions that are no commits
            for block in blocks:
                *lines, rest = (rest + block).split(b"\n")
                every += [line[7:].decode() for line in lines if line.startswith(b"commit ")]
        read = partial(source.commits, options=WITHOUT_FILES, oddities=Counter())
        with closing(past_damage(read, every, lambda sha, error: None)) as found:
            known: dict[str, Sequence[str]] = {one.sha: one.parents for one in found}
        waiting, met = deque([source.tip]), {source.tip}
        while waiting:
            sha = waiting.popleft()
            if (parents := known.get(sha)) is None:
                stored = (one for one in self._known.by_sha(sha) if one.repository == source.place.name)
                parents = next((one.parents for one in stored), None)
            if parents is None:
                if sha == source.tip:
                    raise self._error
                self._lost.append(sha)
                continue
            yield sha
            for parent in parents if sha not in source.edge else ():
                if parent not in met:
                    met.add(parent)
                    waiting.append(parent)


def past_damage(
    read: Callable[[Sequence[str]], Generator[T]], shas: Sequence[str], spoilt: Callable[[str, GitFailed], None]
) -> Generator[T]:
    """What `read` gives of each commit, one for each and in their order, past those at which it raises GitFailed.

    `spoilt` is called with these, and may raise to end it. How far git came before it failed is known but for one,
    which may have been read in part: it is asked for alone.
    """
    at, alone = 0, False
    while at < len(shas):
        try:
            with closing(read(shas[at : at + 1] if alone else shas[at:])) as found:
                for one in found:
                    at += 1
                    yield one
            alone = False
        except GitFailed as error:
            if alone:
                spoilt(shas[at], error)
                at += 1
            alone = True


def named(shas: Sequence[str]) -> str:
    """The commits as they are named in a line."""
    some = ", ".join(sha[:12] for sha in shas[:NAMED])
    if len(shas) == 1:
        return f"commit {some}"
    return f"{len(shas):,} commits ({some}{', …' if len(shas) > NAMED else ''})"
