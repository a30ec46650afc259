"""Which commits may be related to some by what their messages name, directly or through others.

What is found by keys (`storage.commit_rows`) may be related: whether it is, `bot.month.links` decides from the
commits themselves.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from bot.model import Commit, Key
from bot.month.commit_references import CommitKeys, References, keys_of, references_of
from storage.commit_rows import OWNS, POINTS, WORK, commits_numbered, select_numbered
from storage.engine import Connection, Row, batches, marks, numbers
from storage.repositories import numbers_of, repository_ids

MOST_RELATED = 20_000  # commits; no real history relates so many to a month
MANY = 200  # commits that may have brought back what has their title
SOON = 181 * 24 * 3600  # seconds between what is reverted and what brings it back under its title
_NEAREST = 24  # earlier commits of a title, of which the last ones are looked at; tags before titles differ


class RelatedCommits(NamedTuple):
    """Commits, and the references of those that have any, which took most of the time to find."""

    commits: list[Commit]
    references: dict[Key, References]


def related(connection: Connection, commits: Sequence[Commit]) -> RelatedCommits:
    """The commits and all that may be related to them, directly or through others, at most MOST_RELATED more."""
    known = {one.key: one for one in commits}
    most = len(known) + MOST_RELATED
    relations = _Relations(connection)
    new = list(known.values())
    seen = set(numbers_of(connection, known).values())  # which their own keys would find once more
    while len(known) < most:
        # What has the title of others may bring those back if they are out, which costs more to find out.
        found = (relations.of(new) if new else relations.out_before(known)) - seen
        if not new and not found:
            break
        seen |= found
        new = []
        for _, one in commits_numbered(connection, found):
            if one.key not in known:
                known[one.key] = one
                new.append(one)
            if len(known) >= most:
                break
    return RelatedCommits(list(known.values()), relations.references)


class _Title:
    """The commits of a repository that have one title, and those that point to it, in order of time."""

    def __init__(self, owners: Sequence[Row], pointing: Sequence[Row]) -> None:
        self._times = [(int(row[0]), int(row[1])) for row in owners]
        self._ids = [int(row[3]) for row in owners]
        self._places = {row[2]: place for place, row in enumerate(owners)}
        self._pointing = [(int(row[0]), int(row[1])) for row in pointing]
        self._pointing_ids = [int(row[3]) for row in pointing]

    def meant_by(self, commit: Commit) -> Iterator[int]:
        """The last before a commit that points to the title, its parents, and what came soon after it."""
        at = commit.committer.seconds
        start, end = self._before((at, commit.author.seconds))
        yield from self._ids[start:end]
        first = bisect_left(self._times, (at, 0))
        yield from self._ids[first : min(first + MANY, bisect_left(self._times, (at + SOON, 0)))]
        places = (self._places.get(bytes.fromhex(parent)) for parent in commit.parents)
        yield from (self._ids[place] for place in places if place is not None)

    def may_mean(self, commit: Commit) -> bool:
        """Whether some commit that points to the title may mean this one, which has it."""
        return next(self.pointing_to(commit), None) is not None

    def pointing_to(self, commit: Commit) -> Iterator[int]:
        """Those that point to the title and may mean this commit, which has it."""
        at = commit.committer.seconds
        place = self._places.get(bytes.fromhex(commit.sha))
        if place is None:
            return
        for number in range(bisect_left(self._pointing, (at, 0)), len(self._pointing)):
            pointing = self._pointing[number]
            if pointing[0] != at and place < self._before(pointing)[0]:
                return  # it means a later one, and so do those after it
            yield self._pointing_ids[number]

    def _before(self, when: tuple[int, int]) -> tuple[int, int]:
        end = bisect_left(self._times, when)
        # Which of several within one second is the last, their parents tell.
        start = bisect_left(self._times, self._times[max(0, end - _NEAREST)]) if end else 0
        return max(start, end - MANY), end


class _Peer(NamedTuple):
    """A commit among those of one author and title."""

    committed: int
    authored: int
    repository: str
    sha: str
    number: int


class _Relations:
    """Asks each title, each author with a title and each commit once. Who has no peers but themselves has none."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._titles: dict[int, _Title] = {}
        self._peers: dict[int, list[_Peer]] = {}
        self._maybe: dict[int, Key] = {}  # what a known commit brings back if it is out
        self._in: set[int] = set()  # of these, those that are not
        self._merges: dict[Key, set[int]] = {}  # the keys of topic merges
        self.references: dict[Key, References] = {}  # of all that were looked at

    def _references(self, commit: Commit) -> References:
        if (found := self.references.get(commit.key)) is None:
            found = self.references[commit.key] = references_of(commit)
        return found

    def _keys(self, commit: Commit) -> CommitKeys:
        """Its keys, and those of the topic merge that brought it: what points to that points to it."""
        keys = keys_of(commit, self._references(commit))
        if commit.via and (key := (commit.repository, commit.via)) not in self._merges:
            found = self._in_repository(commit.repository, "sha = ?", bytes.fromhex(commit.via))
            self._merges[key] = {own for _, one in found for own in keys_of(one, self._references(one)).own}
        return keys._replace(own=keys.own | self._merges[commit.repository, commit.via]) if commit.via else keys

    def _in_repository(self, name: str, condition: str, *values: object) -> list[tuple[int, Commit]]:
        where = f"commits.repository_id IN ({numbers(repository_ids(self._connection, [name]))}) AND {condition}"
        return select_numbered(self._connection, where, values, with_files=False)

    def of(self, commits: Sequence[Commit]) -> set[int]:
        """The numbers of what is one relation away, but for what may be brought back."""
        keys = [(one, self._keys(one)) for one in commits]
        found, pointed = self._by_keys([some for _, some in keys])
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
        return found | self._of_same_work(keys, pointed)

    def _of_same_work(self, keys: Sequence[tuple[Commit, CommitKeys]], pointed: Collection[int]) -> set[int]:
        """Of the same author and title: what may have brought back those that may be out, and the same patches."""
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
        for (work, repository), times in here.items():
            for peer in self._within(work, repository, times, -SOON):
                self._maybe[peer.number] = (peer.repository, peer.sha)
        for work, seconds in written.items():  # the same patch elsewhere
            found.update(peer.number for peer in self._peers[work] if peer.authored in seconds)
        return found

    def out_before(self, known: Mapping[Key, Commit]) -> set[int]:
        """The numbers of what has been asked about so far, is not known, and may be out."""
        asked = sorted(number for number, key in self._maybe.items() if number not in self._in and key not in known)
        self._maybe.clear()
        found: set[int] = set()
        for some in batches(asked):
            keys = [
                (number, one, self._keys(one))
                for number, one in commits_numbered(self._connection, some, with_files=False)
            ]
            _, pointed = self._by_keys([each for *_, each in keys])
            self._load_titles({key for *_, each in keys for key in each.titles & pointed})
            found.update(number for number, one, each in keys if self._may_be_out(one, each, pointed))
        self._in.update(set(asked) - found)
        return found

    def _may_be_out(self, commit: Commit, keys: CommitKeys, pointed: Collection[int]) -> bool:
        if any(key in pointed for key in keys.own):
            return True
        return any(self._titles[key].may_mean(commit) for key in keys.titles if key in pointed)

    def _by_keys(self, commits: Sequence[CommitKeys]) -> tuple[set[int], set[int]]:
        """What the keys lead to, titles that are quoted left out; and the keys that something points to."""
        own, titles, owned = set[int](), set[int](), set[int]()
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
                elif role == POINTS and (key in own or key in titles):
                    met.add(key)
                    if key in own:
                        found.add(number)
        # Many own a title or point to it, most of them to others that have it: those are looked for one by one.
        for some in batches(sorted(titles - owned)):
            where = f"key IN ({marks(some)}) AND role = {POINTS}"
            rows = self._connection.tuples(f"SELECT DISTINCT key FROM commit_references WHERE {where}", some)
            met.update(row[0] for row in rows)
        return found, met

    def _load_titles(self, keys: set[int]) -> None:
        for key in keys - self._titles.keys():
            owners, pointing = (
                self._connection.execute(
                    """SELECT committed_at, authored_at, sha, commits.id
                       FROM commit_references CROSS JOIN commits ON commits.id = commit_id
                       WHERE key = ? AND role = ? ORDER BY committed_at, authored_at, sha, commits.id""",
                    (key, role),
                ).fetchall()
                for role in (OWNS, POINTS)
            )
            self._titles[key] = _Title(owners, pointing)

    def _load_peers(self, keys: set[int]) -> None:
        new = sorted(keys - self._peers.keys())
        self._peers.update((key, []) for key in new)
        shared: list[int] = []  # most have nobody but the commit that is asked about
        for some in batches(new):
            where = f"key IN ({marks(some)}) AND role = {WORK}"
            rows = self._connection.tuples(
                f"SELECT key FROM commit_references WHERE {where} GROUP BY key HAVING count(*) > 1", some
            )
            shared += [row[0] for row in rows]
        for some in batches(shared):
            rows = self._connection.tuples(
                f"""SELECT key, committed_at, authored_at, repositories.name, sha, commits.id
                    FROM commit_references CROSS JOIN commits ON commits.id = commit_id
                    CROSS JOIN repositories ON repositories.id = repository_id
                    WHERE key IN ({marks(some)}) AND role = {WORK} ORDER BY committed_at, commits.id""",
                some,
            )
            for key, committed, authored, repository, sha, number in rows:
                self._peers[key].append(_Peer(committed, authored, repository, sha.hex(), number))

    def _within(self, work: int, repository: str, times: list[int], reach: int) -> Iterator[_Peer]:
        """Those of one repository that were committed at most so long after one of some times, or before it."""
        peers = [peer for peer in self._peers[work] if peer.repository == repository]
        at = [peer.committed for peer in peers]
        done = 0
        for time in sorted(times):
            start = max(done, bisect_left(at, min(time, time + reach)))
            done = max(done, bisect_right(at, max(time, time + reach)))
            yield from peers[start:done]
