"""Which commits may be related to some by what their messages name, directly or through others.

What is found by keys (`storage.commit_rows`) may be related: whether it is, `bot.month.histories` decides from the
commits themselves.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from bot.model import Commit, Key
from bot.month.message import CommitKeys, keys_of
from storage.commit_rows import OWNS, POINTS, WORK, commits_numbered, numbers_of, repository_ids, select_numbered
from storage.engine import Connection, batches, marks, numbers

MOST_RELATED = 20_000  # commits; no real history relates so many to a month
MANY = 200  # commits that may have brought back what has their title
SOON = 181 * 24 * 3600  # seconds between what is reverted and what brings it back under its title
_NEAREST = 24  # earlier commits of a title, of which the last ones are looked at; tags before titles differ


class RelatedCommits(NamedTuple):
    """Commits, and which of them are surely related to none: most, of which nobody need look for links."""

    commits: list[Commit]
    alone: set[Key]


def related(connection: Connection, commits: Sequence[Commit]) -> RelatedCommits:
    """The commits and all that may be related to them, directly or through others, at most MOST_RELATED more."""
    known = {one.key: one for one in commits}
    most = len(known) + MOST_RELATED
    relations = _Relations(connection)
    new = list(known.values())
    seen = set(numbers_of(connection, known).values())  # which their own keys would find once more
    while new and len(known) < most:
        found = relations.of(new, seen) - seen
        seen |= found
        new = []
        for _, one in commits_numbered(connection, found):
            if one.key not in known:
                known[one.key] = one
                new.append(one)
            if len(known) >= most:
                break
    return RelatedCommits(list(known.values()), relations.alone)


class _Dated(NamedTuple):
    """A commit among those that have something in common."""

    committed: int
    authored: int
    sha: bytes
    number: int
    repository: str


class _Title(NamedTuple):
    """The commits of a repository that have one title, and those that point to it, in order of time."""

    owners: Sequence[_Dated]
    pointing: Sequence[_Dated]
    places: Mapping[bytes, int]  # of owners, by SHA

    def meant_by(self, commit: Commit) -> Iterator[int]:
        """The last before a commit that points to the title, its parents, and what came soon after it."""
        at = commit.committer.seconds
        start, end = self._before((at, commit.author.seconds))
        first = bisect_left(self.owners, (at,))
        last = min(first + MANY, bisect_left(self.owners, (at + SOON,)))
        places = [self.places.get(bytes.fromhex(parent)) for parent in commit.parents]
        parents = (self.owners[place] for place in places if place is not None)
        yield from map(attrgetter("number"), (*self.owners[start:end], *self.owners[first:last], *parents))

    def pointing_to(self, commit: Commit) -> Iterator[int]:
        """Those that point to the title and may mean this commit, which has it."""
        at, place = commit.committer.seconds, self.places.get(bytes.fromhex(commit.sha))
        if place is None:
            return
        for number in range(bisect_left(self.pointing, (at,)), len(self.pointing)):
            one = self.pointing[number]
            if one.committed != at and place < self._before(one[:2])[0]:
                return  # it means a later one, and so do those after it
            yield one.number

    def _before(self, when: tuple[int, int]) -> tuple[int, int]:
        end = bisect_left(self.owners, when)
        # Which of several within one second is the last, their parents tell.
        start = bisect_left(self.owners, self.owners[max(0, end - _NEAREST)][:2]) if end else 0
        return max(start, end - MANY), end


class _Relations:
    """Asks each title, each author with a title and each commit once. Who has no peers but themselves has none."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._titles: dict[int, _Title] = {}
        self._peers: dict[int, list[_Dated]] = {}
        self._asked: set[int] = set()  # of what a known commit brings back if it is out, whether it is
        self._merges: dict[Key, set[int]] = {}  # the keys of topic merges
        self.alone: set[Key] = set()  # of all that were looked at

    def _keys(self, commit: Commit) -> CommitKeys:
        """Its keys, and those of the topic merge that brought it: what points to that points to it."""
        keys = keys_of(commit)
        if commit.via and (key := (commit.repository, commit.via)) not in self._merges:
            found = self._in_repository(commit.repository, "sha = ?", bytes.fromhex(commit.via))
            self._merges[key] = {own for _, one in found for own in keys_of(one).own}
        return keys._replace(own=keys.own | self._merges[commit.repository, commit.via]) if commit.via else keys

    def _in_repository(self, name: str, condition: str, *values: object) -> list[tuple[int, Commit]]:
        where = f"commits.repository_id IN ({numbers(repository_ids(self._connection, [name]))}) AND {condition}"
        return select_numbered(self._connection, where, values, with_files=False)

    def of(self, commits: Sequence[Commit], seen: Collection[int]) -> set[int]:
        """The numbers of what is one relation away; `seen` are those of what is known."""
        keys = [(one, self._keys(one)) for one in commits]
        found, pointed, owners = self._by_keys([some for _, some in keys])
        for one, some in keys:
            if one.is_merge and not pointed.isdisjoint(some.own):
                values = one.committer.seconds, bytes.fromhex(one.sha)
                brought = self._in_repository(one.repository, "came_at = ? AND via = ?", *values)
                found.update(number for number, _ in brought)
        self._load_titles({key for _, some in keys for key in some.quotes | some.titles & pointed})
        for one, some in keys:
            for key in some.quotes:
                found.update(self._titles[key].meant_by(one))
            for key in some.titles & pointed:
                found.update(self._titles[key].pointing_to(one))
        found |= self._of_same_work(keys, pointed, found.union(seen))
        met = pointed.union(key for key, number in owners.items() if number > 1)
        self.alone.update(
            one.key for one, some in keys
            if not (one.is_merge or one.via or some.quotes or (some.work is not None and self._peers[some.work]))
            and met.isdisjoint(some.own) and pointed.isdisjoint(some.titles) and owners.keys().isdisjoint(some.points)
        )  # fmt: skip
        return found

    def _of_same_work(
        self, keys: Sequence[tuple[Commit, CommitKeys]], pointed: Collection[int], seen: Collection[int]
    ) -> set[int]:
        """Of the same author and title: what may have brought back those that may be out, what they bring back if it is
        out, and the same patches."""
        found = set[int]()
        self._load_peers({some.work for _, some in keys if some.work is not None})
        written: dict[int, set[int]] = {}
        gone: dict[tuple[int, str], list[int]] = {}
        here: dict[tuple[int, str], list[int]] = {}
        for one, some in keys:
            if some.work is not None and len(self._peers[some.work]) > 1:
                written.setdefault(some.work, set()).add(one.author.seconds)
                here.setdefault((some.work, one.repository), []).append(one.committer.seconds)
                if self._may_be_out(one, some, pointed):
                    gone.setdefault((some.work, one.repository), []).append(one.committer.seconds)
        for (work, repository), times in gone.items():
            found.update(peer.number for peer in self._within(work, repository, times, SOON))
        for work, seconds in written.items():  # the same patch elsewhere
            found.update(peer.number for peer in self._peers[work] if peer.authored in seconds)
        before = {
            peer.number
            for (work, repository), times in here.items()
            for peer in self._within(work, repository, times, -SOON)
        }
        return found | self._out(before.difference(self._asked, found, seen))

    def _out(self, numbers: Collection[int]) -> set[int]:
        """Those that may be out."""
        found = set[int]()
        self._asked.update(numbers)
        for some in batches(sorted(numbers)):
            read = commits_numbered(self._connection, some, with_files=False)
            keys = [(number, one, self._keys(one)) for number, one in read]
            _, pointed, _ = self._by_keys([each for *_, each in keys])
            self._load_titles({key for *_, each in keys for key in each.titles & pointed})
            found.update(number for number, one, each in keys if self._may_be_out(one, each, pointed))
        return found

    def _may_be_out(self, commit: Commit, keys: CommitKeys, pointed: Collection[int]) -> bool:
        if any(key in pointed for key in keys.own):
            return True
        return any(any(self._titles[key].pointing_to(commit)) for key in keys.titles if key in pointed)

    def _by_keys(self, commits: Sequence[CommitKeys]) -> tuple[set[int], set[int], Counter[int]]:
        """What the keys lead to, titles that are quoted left out; the keys that something points to; and how many
        commits have each, of those that are no titles."""
        own, titles, owned, owners = set[int](), set[int](), set[int](), Counter[int]()
        for keys in commits:
            own |= keys.own
            titles |= keys.titles
            owned |= keys.points
        owned |= own
        found, met = set[int](), set[int]()
        for some in batches(sorted(owned)):
            for key, role, number in self._connection.tuples(
                f"SELECT key, role, commit_id FROM commit_references WHERE key IN ({marks(some)})", some
            ):
                if role == OWNS:
                    found.add(number)
                    owners[key] += 1
                elif role == POINTS and (key in own or key in titles):
                    met.add(key)
                    if key in own:
                        found.add(number)
        # Many own a title or point to it, most of them to others that have it: those are looked for one by one.
        for some in batches(sorted(titles - owned)):
            where = f"key IN ({marks(some)}) AND role = {POINTS}"
            rows = self._connection.tuples(f"SELECT DISTINCT key FROM commit_references WHERE {where}", some)
            met.update(row[0] for row in rows)
        return found, met, owners

    def _load_titles(self, keys: set[int]) -> None:
        for key in keys - self._titles.keys():
            owners, pointing = (sorted(self._having([key], role)[key]) for role in (OWNS, POINTS))
            self._titles[key] = _Title(owners, pointing, {one.sha: place for place, one in enumerate(owners)})

    def _load_peers(self, keys: set[int]) -> None:
        new = sorted(keys - self._peers.keys())
        shared: list[int] = []  # most have nobody but the commit that is asked about
        for some in batches(new):
            where = f"key IN ({marks(some)}) AND role = {WORK}"
            rows = self._connection.tuples(
                f"SELECT key FROM commit_references WHERE {where} GROUP BY key HAVING count(*) > 1", some
            )
            shared += [row[0] for row in rows]
        self._peers.update((key, []) for key in new)
        for some in batches(shared):
            self._peers.update(self._having(some, WORK))

    def _having(self, keys: Sequence[int], role: int) -> dict[int, list[_Dated]]:
        """The commits that have one of some keys in a role, by key, in the order in which they were committed."""
        found: dict[int, list[_Dated]] = {key: [] for key in keys}
        for key, *row in self._connection.tuples(
            f"""SELECT key, committed_at, authored_at, sha, commits.id, repositories.name
                FROM commit_references CROSS JOIN commits ON commits.id = commit_id
                CROSS JOIN repositories ON repositories.id = repository_id
                WHERE key IN ({marks(keys)}) AND role = {role} ORDER BY committed_at, commits.id""",
            keys,
        ):
            found[key].append(_Dated(*row))
        return found

    def _within(self, work: int, repository: str, times: list[int], reach: int) -> Iterator[_Dated]:
        """Those of one repository that were committed at most so long after one of some times, or before it."""
        peers = [peer for peer in self._peers[work] if peer.repository == repository]
        done = 0
        for time in sorted(times):
            start = max(done, bisect_left(peers, (min(time, time + reach),)))
            done = max(done, bisect_left(peers, (max(time, time + reach) + 1,)))
            yield from peers[start:done]
