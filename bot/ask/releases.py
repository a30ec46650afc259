"""Store and mirrors → which release is meant, what is in it, and in which release a commit or a copy of it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar
from zoneinfo import ZoneInfo

from bot.errors import ReleaseUnclear, ReleaseUnknown, ReleaseUnreadable, RepositoryUnavailable
from bot.index.git import GitAt, GitFailed
from bot.index.mirrors import stored_at
from bot.index.releases import (
    change_logs,
    commits_between,
    commits_of,
    copied_to,
    copies_beside,
    lacked,
    taggers,
    tags_with,
)
from bot.model import Commit, Key, Repository, Signature, Tag
from bot.month import releases as versions
from bot.month.releases import LATEST, NEWEST, ChangeLog, entries_of, is_final, is_of_whole, newest, version_of
from bot.story.documents import ReleaseDocument
from bot.story.lines import on
from bot.wording import UNNAMED, clean, count, listed, listed_few
from storage import Store

T = TypeVar("T")
MOST_COMMITS = 5000  # of a release that is shown; what is longer is no release but a history
MOST_BESIDE = 300  # of them that are not in the index and are read from git
SHORT = 9  # digits of a SHA that is named
MOST_CHOICES = 4  # tags that a name may mean
MOST_TAGS = 12  # that are listed of a repository
MOST_RELEASES = 3  # in which a commit came first, where several things of a repository are released


@dataclass(frozen=True, slots=True)
class Released:
    """What a release holds: the commits, indexed or not, that the release before it does not. Where `tag` is None, it
    is what is not in any release yet, since `since`. Those of which that one has copies are among `shas` or `copied`.
    """

    repository: str
    tag: Tag | None
    since: Tag | None
    shas: tuple[str, ...]
    copied: tuple[str, ...] = ()


class Releases:
    """Knows the tags of the repositories that may be read of."""

    def __init__(
        self, store: Store, mirrors: Path, repositories: Callable[[Sequence[str]], list[Repository]], zone: ZoneInfo
    ) -> None:
        self._store = store
        self._mirrors = mirrors
        self._repositories = repositories
        self._zone = zone
        self._copied: dict[Key, list[tuple[str, Tag]]] = {}

    def tags(self, repositories: Sequence[str] = ()) -> list[Tag]:
        """Those of some repositories, or of all."""
        known = {one.name for one in self._repositories(repositories)}
        return [one for one in self._store.commits.tags() if one.repository in known]

    def named(self, name: str, repositories: Sequence[str] = (), asked: str = "") -> list[Tag]:
        """The tags that a name means, in each repository that has it; of NEWEST or LATEST each one's last release.

        Raises ReleaseUnknown where there is none, with the nearest, each put into what was `asked` if that is more.
        """
        tags, is_last = self.tags(repositories), name in (LATEST, NEWEST)
        if is_last:
            each = dict.fromkeys(one.repository for one in tags)
            last = (newest(one for one in tags if one.repository == where) for where in each)
            found = [one for one in last if one]
        else:
            found = list({(one.repository, one.sha): one for one in versions.meant(name, tags)}.values())
        if found:
            return found
        where = f" in {clean(listed(list(repositories)))}" if repositories else ""
        if is_last:
            raise ReleaseUnknown(f"No release is known{where}: there is no tag with a version.")
        near = versions.nearest(name, tags)
        said = f" The nearest are {listed([_label(one) for one in near])}." if near else " No tag is known there."
        choices = [_choice(one, name, asked or name) for one in near]
        raise ReleaseUnknown(f"There is no tag {clean(name)}{where}.{said}", choices)

    def asked(self, release: str, repositories: Sequence[str] = ()) -> list[Released]:
        """What is meant by "2.5", what the release before has not; "2.4..2.5", either way round; "2.5..", what came
        since; LATEST, since the last release, and NEWEST, the last release: of these, one for each repository.

        Raises ReleaseUnknown; ReleaseUnclear where a name may mean several tags; and ReleaseUnreadable, also where it
        is too much to be told.
        """

        def one_of(name: str, where: Sequence[str]) -> list[Tag]:
            tags = self.named(name, where, release)
            if len(tags) > 1 and name not in (LATEST, NEWEST):
                some = tags[:MOST_CHOICES]
                words = f"Which {clean(name)}: {listed([_label(one) for one in some], 'or')}?"
                raise ReleaseUnclear(words, [_choice(one, name, release) for one in some])
            return tags

        start, dots, end = release.rpartition("..")
        name = end or start
        tags = one_of(name, repositories)
        earlier = one_of(start, [tags[0].repository])[0] if start and end else None
        if earlier and not versions.in_order(earlier, tags[0]):
            tags, earlier = [earlier], tags[0]
        is_since = name == LATEST or (bool(dots) and not end)
        found = [self.since(one) if is_since else self._uncopied(self.released(one, earlier)) for one in tags]
        if any(len(one.shas) > MOST_COMMITS for one in found):
            much = f"it is more than {count(MOST_COMMITS, 'commit')}, too many to tell at once: ask for some months"
            raise ReleaseUnreadable(much)
        return found

    def released(self, tag: Tag, since: Tag | None = None) -> Released:
        """What is in a release, and not in an earlier one: by default, in the one before. Raises ReleaseUnreadable."""
        last = since or versions.before(tag, self.tags([tag.repository]))
        return Released(tag.repository, tag, last, self._between(tag.repository, tag.sha, last))

    def since(self, tag: Tag) -> Released:
        """What is on the indexed branch and not in a release, nor a copy of it. Raises ReleaseUnreadable."""
        tip = self._tip(tag.repository) or tag.sha
        return self._uncopied(Released(tag.repository, None, tag, self._between(tag.repository, tip, tag)))

    def _between(self, repository: str, sha: str, since: Tag | None) -> tuple[str, ...]:
        last = since.sha if since else None
        return self._read(repository, lambda git: tuple(commits_between(git, sha, last, MOST_COMMITS + 1)))

    def _uncopied(self, one: Released) -> Released:
        """The same but for what was picked to the release before it, where that was made before."""
        if one.since is None or (one.tag and one.tag.at < one.since.at) or len(one.shas) > MOST_COMMITS:
            return one
        tip, last = (one.tag.sha if one.tag else self._tip(one.repository)) or one.since.sha, one.since.sha
        beside = self._read(one.repository, lambda git: commits_between(git, last, tip, 1))
        if not beside:  # as most: it has no branch of its own
            return one
        stored = self._store.commits.of(one.repository, one.shas)
        copied = self._read(one.repository, lambda git: copied_to(git, stored, tip, last))
        shas = tuple(sha for sha in one.shas if sha not in copied)
        return replace(one, shas=shas, copied=tuple(sorted(copied)))

    def beside(self, released: Sequence[Released]) -> tuple[list[Commit], int]:
        """The commits of releases that are not in the index, as of a branch that a release was cut from, and how many
        more of them there are, which cannot be read or are too many."""
        found, lacking, forgotten = list[Commit](), 0, self._store.erasure.blocklist()
        for one in released:
            shas = self._store.commits.lacking(one.repository, one.shas)
            read = self._commits(one.repository, shas)
            found, lacking = [*found, *read], lacking + len(shas) - len(read)
        return [one for one in found if not forgotten.holds(*one.author.who)], lacking

    def _commits(self, name: str, shas: Sequence[str]) -> list[Commit]:
        """Those of a repository that git has, at most MOST_BESIDE, or none where it cannot be read."""
        with suppress(ReleaseUnreadable):
            return self._read(name, partial(commits_of, repository=name, shas=shas[:MOST_BESIDE]))
        return []

    def is_forgotten(self, released: Released) -> bool:
        """Whether somebody who asked to be forgotten may have taken part in a release: anybody did, and not all of it
        is stored."""
        forgotten = self._store.erasure.blocklist()
        return bool(forgotten) and bool(self._store.commits.lacking(released.repository, released.shas))

    def change_log(self, released: Released) -> ChangeLog | None:
        """What the change log of a release says of it: as it is there, else on the branch, where some are written
        afterwards. Of a part of the repository it stands in its folder. None where there is none, or it cannot be
        read."""
        tag, version = released.tag, version_of(released.tag.name) if released.tag else None
        if tag is None or version is None:
            return None
        folders = [*filter(None, [version.words]), *(("", "docs", "doc") if is_of_whole(tag) else ())]
        shas = dict.fromkeys(filter(None, (tag.sha, self._tip(tag.repository))))

        def read(git: GitAt) -> ChangeLog | None:
            for sha in shas:
                for path, text in change_logs(git, sha, folders):
                    if entries := entries_of(text, tag.name):
                        return ChangeLog(tag.repository, tag.name, path, sha, entries)
            return None

        with suppress(ReleaseUnreadable):
            return self._read(tag.repository, read)
        return None

    def made(self, tags: Sequence[Tag]) -> list[tuple[Tag, Commit, bool]]:
        """Each tag with the commit that it names, signed by who made the tag where git says so, and whether it does.
        What cannot be read is left out."""
        found, forgotten = list[tuple[Tag, Commit, bool]](), self._store.erasure.blocklist()
        for name in dict.fromkeys(one.repository for one in tags):
            theirs = [one for one in tags if one.repository == name]
            commits = {one.sha: one for one in self._store.commits.of(name, [one.sha for one in theirs])}
            lacking = [one.sha for one in theirs if one.sha not in commits]
            commits |= {one.sha: one for one in self._commits(name, lacking)}
            by = dict[str, tuple[str, str]]()
            with suppress(ReleaseUnreadable):
                by = self._read(name, taggers)
            for tag in (one for one in theirs if one.sha in commits):
                commit, who = commits[tag.sha], by.get(tag.name)
                signed = Signature(*who, int(tag.at.timestamp()), 0) if who else commit.author
                if forgotten.holds(*signed.who):
                    signed = replace(signed, name=UNNAMED, address="")
                found.append((tag, replace(commit, author=signed), who is not None))
        return found

    def first_with(self, tags: Sequence[Tag], commits: Sequence[Commit] = ()) -> dict[Key, str]:
        """Which of some releases is the first that has a commit, final ones before all others, by repository and SHA;
        "" for those of some commits that surely none of them has, nor a copy.
        Only those count that are of the whole repository, as its last release is, and can be read; none where the last
        one is of a part, as `py-1.33` is, and there are others'."""
        found: dict[Key, str] = {}
        for name in {one.repository for one in tags}:
            theirs, whole = [one for one in tags if one.repository == name], newest(self.tags([name]))
            several = len({_words(one) for one in theirs if is_final(one)}) > 1
            if whole is None or (several and not is_of_whole(whole)):
                continue
            same = [one for one in theirs if _words(one) == _words(whole)]
            for tag in sorted(same, key=lambda one: (not is_final(one), one.at, one.name)):
                with suppress(ReleaseUnreadable):
                    for sha in self.released(tag).shas:
                        found.setdefault((name, sha), tag.name)
            left = [one for one in commits if one.repository == name and one.key not in found]
            shas = [one.sha for one in same]
            with suppress(ReleaseUnreadable):
                found |= {(name, sha): "" for sha in self._read(name, partial(lacked, commits=left, releases=shas))}
        return found

    # --- as it is told

    def tagged(self, tag: Tag) -> str:
        """ "v2.1 (30 September 2025)"."""
        return f"{clean(tag.name)} ({on(tag.at, self._zone)})"

    def title(self, released: Sequence[Released]) -> str:
        """ "acme/engine v2.1 (30 September 2025)", "acme/engine since v2.1 (30 September 2025)"."""
        each = ((one, "" if one.tag else "since ", one.tag or one.since) for one in released)
        return listed([f"{clean(one.repository)} {since}{self.tagged(tag)}" for one, since, tag in each if tag])

    def notes(self, released: Sequence[Released], lacking: int) -> list[str]:
        """What a reader must know of what is shown of releases; `lacking` of their commits are not in the index."""
        said = dict[str, None]()
        for one in released:
            what, many = (
                "There is no earlier release of its kind, so all of it is shown",
                count(len(one.shas), "commit"),
            )
            if one.since:
                copied = f"; {len(one.copied):,} that it has copies of left out" if one.copied else ""
                many += f", merges and bots counted{copied}"
                what = f"This shows what is not in {self.tagged(one.since)}"
            said[f"{what}: {many}."] = None
        if lacking:
            are = "is" if lacking == 1 else "are"
            said[f"{count(lacking, 'commit')} of it {are} not in the index, which has default branches only."] = None
        return list(said)

    def document(self, released: Sequence[Released]) -> tuple[ReleaseDocument, ...]:
        """For the document of a digest."""
        found = list[ReleaseDocument]()
        for one in released:
            tag, since = one.tag, clean(one.since.name) if one.since else None
            day = tag.at.astimezone(self._zone).date().isoformat() if tag else None
            name, sha = (clean(tag.name), tag.sha) if tag else (None, None)
            found.append(ReleaseDocument(repository=clean(one.repository), tag=name, on=day, sha=sha, since=since))
        return tuple(found)

    # --- of a commit

    def holding(self, commit: Commit, asked: Sequence[str] | None = None) -> str:
        """In which release a commit is, and where that is `asked`, whether in those that are, or in which its copy is;
        as a sentence without its end."""
        tags = self.tags([commit.repository])
        if not tags:
            return "in no release: no tag of it is known"
        try:
            there = self._read(commit.repository, lambda git: tags_with(git, commit.sha))
        except ReleaseUnreadable as error:
            return f"not known: {error}"
        found = versions.first(versions.releases(versions.of_parts(tags, (file.path for file in commit.files))), there)
        copies = self.copies(commit) if asked or not found else []
        each = ([newest(tags)] if name == NEWEST else versions.meant(name, tags) for name in asked or ())
        named = [one for some in each for one in some if one]
        copied = {_line(tag): tag.at for _, tag in reversed(copies)}  # a release of that line from then on has it too
        held = [one for one in named if one.name in there and one not in found]
        lacking = (one for one in named if one.name not in there)
        other = [one for one in lacking if not (_line(one) in copied and copied[_line(one)] <= one.at)]
        then = listed_few(list(map(self.tagged, found[1:])), MOST_RELEASES)
        if found:
            said = f"first in {self.tagged(found[0])}"
            said += f", then in {'the release ' if len(found) == 2 else ''}{then}" if then else ""
            said += "" if then or is_final(found[0]) else ", in no final release yet"
        elif held:
            said = f"in {listed(list(map(self.tagged, held)))}"
        elif copies:
            said = f"in no release itself; its copy {copies[0][0][:SHORT]} is first in {self.tagged(copies[0][1])}"
        else:
            said = "in no release yet"
        if found and held:
            said += f"; it is in {listed(list(map(self.tagged, held)))} as well"
        and_not = "and" if found or held or copies else "so"
        return f"{said}, {and_not} not in {listed(list(map(self.tagged, other)), 'or')}" if other else said

    def copies(self, commit: Commit) -> list[tuple[str, Tag]]:
        """The SHAs of the copies of a commit that only releases have, as backports are, each with the first release
        that has it. What cannot be read has none."""
        if commit.key in self._copied:
            return self._copied[commit.key]
        tags = versions.releases(self.tags([commit.repository]))
        tip = self._tip(commit.repository)
        if not tags or not tip:
            return []

        def read(git: GitAt) -> list[tuple[str, Tag]]:
            shas = copies_beside(git, commit, tip)
            return [(sha, one) for sha in shas for one in versions.first(tags, tags_with(git, sha))[:1]]

        try:
            found = sorted(self._read(commit.repository, read), key=lambda one: (one[1].at, one[1].name, one[0]))
        except ReleaseUnreadable:
            return []
        return self._copied.setdefault(commit.key, found)

    def _tip(self, name: str) -> str | None:
        (repository,) = self._repositories([name])
        return repository.tip

    def _read(self, name: str, read: Callable[[GitAt], T]) -> T:
        (repository,) = self._repositories([name])
        try:
            return read(GitAt(stored_at(repository.location, self._mirrors)))
        except (GitFailed, RepositoryUnavailable) as error:
            is_slow = isinstance(error, GitFailed) and error.text.startswith("Timeout:")
            why = "it took too long" if is_slow else "run almanac index, then ask again"
            raise ReleaseUnreadable(f"the history of {clean(name)} cannot be read here now: {why}") from error


def _line(tag: Tag) -> object:
    """The line of releases that a tag is of: 2.5 of v2.5.1."""
    version = version_of(tag.name)
    return version and version.line


def _words(tag: Tag) -> str | None:
    version = version_of(tag.name)
    return version.words if version else None


def _label(tag: Tag) -> str:
    return f"{clean(tag.repository)} {clean(tag.name)}"


def _choice(tag: Tag, name: str, release: str) -> tuple[str, str, str]:
    """What stands on a button, and the repository and the release to ask for: the tag in the place of the name."""
    return _label(tag), tag.repository, "..".join(tag.name if part == name else part for part in release.split(".."))
