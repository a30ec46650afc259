"""The nouns that all rooms use: those of git, people and changes. All of them are frozen values; none of them reads or
writes anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, Literal, NamedTuple

Kind = Literal["feature", "fix", "performance", "refactor", "docs", "test", "build", "ci", "revert", "release", "chore"]
State = Literal["landed", "backed_out", "relanded", "partly"]
FileState = Literal["added", "modified", "deleted", "renamed", "copied", "retyped"]
# By which day a commit belongs to a month: when it was written, or when it came to the default branch. "committer" is
# what almanac.toml calls the latter.
Dates = Literal["author", "committer", "came"]
CorrectedField = Literal["kind", "title", "hidden"]
SaidKind = Literal["address", "slack", "hide", "change"]
Key = tuple[str, str]  # of a commit: repository and SHA
Role = Literal["coauthor", "reviewer", "tester", "reporter", "suggester", "helper"]

_LAST_SECOND = int(datetime(9998, 12, 31, tzinfo=UTC).timestamp())


@dataclass(frozen=True, slots=True)
class Signature:
    """Who, and when: one of the two that git keeps for a commit.

    `seconds` is Unix time and `offset` minutes east of UTC, both just as recorded, which may be
    nonsense: git accepts an offset of +9999 (6,039 minutes) and any 64-bit time.
    """

    name: str
    address: str
    seconds: int
    offset: int

    @property
    def who(self) -> tuple[str, str]:
        """The name and the address, exactly as written: who signed, whenever it was."""
        return self.name, self.address

    @property
    def at(self) -> datetime:
        """The instant, in UTC; a time past the year 9998 is shown as its last day."""
        return datetime.fromtimestamp(min(max(self.seconds, 0), _LAST_SECOND), UTC)

    @property
    def local(self) -> datetime:
        """The instant on the clock of who signed; UTC where the recorded offset cannot be one."""
        if abs(self.offset) >= 24 * 60:
            return self.at
        return self.at.astimezone(timezone(timedelta(minutes=self.offset)))


class FileChange(NamedTuple):  # of which there are so many that a dataclass would take three times as long to make
    """What a commit did to one file. Line counts are None for a binary file or where not counted."""

    path: str
    state: FileState
    additions: int | None = None
    deletions: int | None = None
    old_path: str | None = None
    binary: bool = False


@dataclass(frozen=True, slots=True)
class Commit:
    repository: str
    sha: str
    parents: tuple[str, ...]
    author: Signature
    committer: Signature
    subject: str
    body: str
    files: tuple[FileChange, ...] = ()
    is_counted: bool = True  # whether the lines of its files are known
    via: str | None = None  # the SHA of the topic merge that brought it to the default branch, if one did,
    came_at: int | None = None  # and that merge's committer date in seconds
    # What `bot.month.message` has read of the message, which a month asks for half a dozen times.
    heading: Any = field(default=None, init=False, repr=False, compare=False)
    references: Any = field(default=None, init=False, repr=False, compare=False)

    @property
    def key(self) -> Key:
        return self.repository, self.sha

    @property
    def written(self) -> tuple[int, str, int, str, str]:
        """The order of what weighs the same: by when it was written, then by its title. A rebase changes neither, nor
        how long a body is in which the SHAs of others stand, so that SHAs order only what is alike in all else."""
        return self.author.seconds, self.subject, len(self.body), self.repository, self.sha

    @property
    def is_merge(self) -> bool:
        return len(self.parents) > 1

    @property
    def came(self) -> datetime:
        """When it came to the default branch: with the topic merge that brought it, else when it was committed."""
        return self.dated("came").at

    def dated(self, dates: Dates) -> Signature:
        """The signature whose time says which month the commit belongs to. Nothing else decides that. By the day it
        came, it is the committer's with that time."""
        if dates == "author":
            return self.author
        return self.committer if self.came_at is None else replace(self.committer, seconds=self.came_at)


# Who may read of a repository in Slack: whoever one of the channels and user groups of each list lets in. No list lets
# in everyone, an empty one nobody.
Audience = tuple[tuple[str, ...], ...]


def narrower(one: Audience | None, other: Audience | None) -> Audience | None:
    """Whom both let in; None where neither is known. A list that holds all of another adds nothing to it."""
    if one is None or other is None:
        return one if other is None else other
    lists = {tuple(sorted(set(each))) for each in (*one, *other)}
    return tuple(sorted(each for each in lists if not any(set(less) < set(each) for less in lists)))


def is_called(name: str, said: str | None) -> bool:
    """Whether a repository is what is said, by its name or the last part of it; any is, where nothing is said."""
    return not said or said.casefold() in (name.casefold(), name.casefold().rpartition("/")[2])


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository as indexed. `web` is the page its commits can be opened under, where it has one."""

    name: str
    location: str  # an address without credentials, or an absolute path
    web: str | None = None
    tip: str | None = None  # everything reachable from here is indexed
    indexed_at: datetime | None = None
    shallow: bool = False  # the clone that was read lacks older history
    failure: str | None = None  # why the last attempt to read it failed, until one succeeds
    audience: Audience | None = None  # as almanac.toml said; None: no table named it


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag: the commit that it names, and when it was made, or the commit where the tag itself does not say."""

    repository: str
    name: str
    sha: str
    at: datetime


ITS_ADDRESS = "its address"  # the rule where no other holds: one address is one person


@dataclass(frozen=True, slots=True)
class Identity:
    """A name with an address, exactly as an author wrote them, and how many commits carry the pair.

    Where the .mailmap of a repository speaks of it, its commits there are an identity of their own, `only` of that
    repository, and the identity of its other commits is of all repositories `but` such ones. It is `moved` where that
    file puts another address in the place of its own. `by` is the rule by which it is whose it is, in a few words.
    """

    name: str
    address: str
    commits: int = 0
    only: str = ""
    but: tuple[str, ...] = ()
    moved: bool = False
    by: str = field(default=ITS_ADDRESS, compare=False, repr=False)

    def is_of(self, repository: str) -> bool:
        """Whether its commits of a repository, if there are any, are among those that it is of."""
        return repository == self.only if self.only else repository not in self.but


class Signatures:
    """As whom somebody, or several people, sign: looked up for many commits."""

    def __init__(self, identities: Iterable[Identity]) -> None:
        every = tuple(identities)
        self._only = frozenset((one.name, one.address, one.only) for one in every if one.only)
        self._but = {(one.name, one.address): one.but for one in every if not one.only}

    def __contains__(self, commit: Commit) -> bool:
        who = commit.author.who
        return commit.repository not in self._but.get(who, (commit.repository,)) or (
            bool(self._only) and (*who, commit.repository) in self._only
        )

    def overlaps(self, other: Signatures) -> bool:
        """Whether there is a signature that is in both."""
        return not (self._only.isdisjoint(other._only) and self._but.keys().isdisjoint(other._but))


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, with all the identities that are known to be theirs. `parts` are those who are one by a name or a login
    alone, as they are without it; first the one to whom the others are put."""

    name: str
    identities: tuple[Identity, ...]
    logins: tuple[str, ...] = ()
    nicknames: tuple[str, ...] = ()
    slack: str | None = None
    parts: tuple[Person, ...] = field(default=(), compare=False, repr=False)

    def __hash__(self) -> int:  # they are looked up by the ten thousand
        return hash((self.name, len(self.identities)))

    @property
    def addresses(self) -> tuple[str, ...]:
        """Their addresses in small letters, most used first."""
        if len(self.identities) == 1:  # as of most
            return (self.identities[0].address.lower(),) if self.identities[0].address else ()
        counted: dict[str, int] = {}
        for identity in self.identities:
            if identity.address:
                address = identity.address.lower()
                counted[address] = counted.get(address, 0) + identity.commits
        return tuple(sorted(counted, key=lambda address: (-counted[address], address)))

    @property
    def commits(self) -> int:
        return sum(identity.commits for identity in self.identities)

    @property
    def signatures(self) -> Signatures:
        """As whom they sign: `commit in person.signatures` says that a commit is theirs."""
        return Signatures(self.identities)


@dataclass(frozen=True, slots=True)
class Credited:
    """Whom a trailer of a commit names, exactly as written. `name` may be a login; `address` may be empty."""

    role: Role
    name: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class RevertEvent:
    """A commit that reverted a change, whole or partly, or brought it back, and how that is known."""

    does: Literal["reverts", "relands"]
    commit: Commit
    found_by: str  # the trace that tells: "SHA", "changeset", "diff", "pull request", "subject", "merge"
    partly: bool = False
    by: str = ""  # whose work the commit is, by name


@dataclass(frozen=True, slots=True)
class LaterFix:
    """A commit that says it repairs a change which had landed before, and whose work it is, by name."""

    commit: Commit
    by: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody said by hand, under its number in a log that is only added to; what is undone counts for nothing.

    - address: that an address, or a login with an @ before it, is or is not (link, unlink) whose address is `value`
    - slack: that a user of Slack, by id, is or is not (link, unlink) who has the address in `value`
    - hide: that whoever has an address, or a login with an @ before it, asked not to be shown
    - change: what a change is called or counted as (title, kind), or "yes": that it is left out (hidden). It is about
      `Change.id`, then the SHAs of the work's exports and re-lands as known then, with spaces between

    `confirmed` is what an admin said, or whoever is at the command line; others mean themselves.
    """

    number: int
    kind: SaidKind
    action: str
    about: str
    value: str
    by: str
    at: datetime
    undone_by: str | None = None
    undone_at: datetime | None = None
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """One piece of work. Its `id` stays the same when the index is made anew.

    In a person's month, `commits` are those of the month that are theirs, `state` is that of the month's end, and
    `later` holds what happened to the change since. `rule` is the name of the rule that decided the kind, `chore` as
    what it is only counted. `title` is what somebody called it by hand, and `corrections` are what was said of it and
    counts, at most one an action.
    """

    id: str
    commits: tuple[Commit, ...]
    kind: Kind
    state: State = "landed"
    refs: tuple[str, ...] = ()
    out: RevertEvent | None = None  # what reverted it last
    back: RevertEvent | None = None  # what brought it back after that
    rule: str = ""
    is_sure: bool = True
    chore: str = ""
    shared_by: str = ""  # the author by name, where that is somebody else whom the person helped to write it
    later: tuple[RevertEvent, ...] = ()
    earlier: tuple[RevertEvent, ...] = ()  # what happened before it was reverted last
    undone: tuple[Commit, ...] = ()  # what a change that reverts takes out,
    undone_by: str = ""  # and whose that was, by name
    fixes: tuple[LaterFix, ...] = ()  # of commits that are not the change's own, in order of time
    title: str = ""
    corrections: tuple[Said, ...] = ()

    @property
    def is_shared(self) -> bool:
        return bool(self.shared_by)

    @property
    def reverted_in(self) -> str | None:
        return self.out.commit.sha if self.out else None

    @property
    def reverted_by(self) -> str | None:
        return self.out.by if self.out else None

    @property
    def relanded_in(self) -> str | None:
        return self.back.commit.sha if self.back else None

    @property
    def lead(self) -> Commit:
        """The commit that speaks for the change."""
        return self.commits[0]

    @property
    def shas(self) -> tuple[str, ...]:
        return tuple(commit.sha for commit in self.commits)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words and the SHAs of the commits they rest on."""

    text: str
    evidence: tuple[str, ...]
