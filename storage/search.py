"""Which commits are looked for: whose, when and where, by words, by a topic, or by what messages name.

Of full text the words are kept, not the texts: those are in `commits` already, and are given again when a commit is
removed. Both engines take words from a text in one way, that of SQLite's FTS5: without accents and endings.

What is found by keys (`storage.commit_rows`), directly or through others, may be related: whether it is,
`bot.month.histories` decides from the commits themselves.
"""

from __future__ import annotations

import heapq
import re
import sqlite3
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from math import inf, log
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, NamedTuple

from bot.model import Commit, Dates, Identity, Key
from bot.month.addresses import unaccented
from storage.commit_rows import (
    NO_MERGE,
    OWNS,
    POINTS,
    WORK,
    commits_numbered,
    numbers_of,
    paths_of,
    repository_ids,
    select_numbered,
)
from storage.engine import COLUMN_OF, Connection, Tables, batches, marks, numbers, span, time_of

if TYPE_CHECKING:
    from bot.month.message import CommitKeys

TOKENIZER = "porter unicode61 remove_diacritics 2"  # as in sqlite.sql; another would need all words to be taken in anew
WORD = re.compile(r"[^\W_]+")
_JOINED = re.compile(r"[^\W_][\W_]+[^\W_]")
_SIGNED = re.compile(r"(?<![^\W_])[^\W_]+(?:\+\+|#(?!\d))")  # C++, C#
_SAID = re.compile(rf"{_SIGNED.pattern}|{WORD.pattern}")
_MOST_WORDS = 32
# On a history of a million commits: to read which of them hold a word takes 0.2 ms a thousand; to look up their dates
# 2 ms, to go through the newest commits 1 ms, and to look at the files of commits 10 ms.
NEAR, FEWEST = 100, 1_000  # commits that are ranked by the words they hold; and for a word of one to be rare
FEW = 20_000  # commits that hold the words, up to which the dates of all of them are looked up
WALKED = 60_000  # of the newest commits, where there are more than FEW
WITH_FILES = 5_000  # commits whose files are looked at for words,
LOOKED_AT = 40_000  # and for one file or folder
_PAGE = 2_000  # of them at once
_SHARE = 3  # at least every third file of a commit has the words in its path, or the commit is about something else
Dated = tuple[int, int]  # the date of a commit in seconds, and its number


# --- whose, when and where: conditions on the table `commits`, each read as ranges of an index


def commits_where(
    connection: Connection,
    dates: Dates,
    start: datetime | None,
    end: datetime | None,
    identities: Sequence[Identity] | None,
    repositories: Sequence[str] | None,
) -> str:
    """The condition on `commits` for whose, when and where: always one range of an index a person or a repository."""
    first, last = span(start, end)
    when = f"{COLUMN_OF[dates]} BETWEEN {first} AND {last}"
    is_anywhere = identities is not None and repositories is None
    where = "" if is_anywhere else f"commits.repository_id IN ({numbers(repository_ids(connection, repositories))})"
    if identities is None:
        return f"{where} AND {when}"
    ids, elsewhere = whose(connection, identities)
    # The plus keeps SQLite from reading by what stands behind it: https://www.sqlite.org/optoverview.html#uplus
    there = f" AND +{where}" if where else ""
    return f"author_id IN ({numbers(ids)}) AND {when}{elsewhere}{there}"


def whose(connection: Connection, identities: Iterable[Identity]) -> tuple[list[int], str]:
    """The numbers of those identities that are known, and what else holds of commits with such an author that are
    theirs: what the .mailmap of a repository speaks of is shown there by itself."""
    only: dict[tuple[str, str], set[str]] = defaultdict(set)
    but: dict[tuple[str, str], set[str]] = {}
    for one in identities:
        who = one.name, one.address
        if one.only:
            only[who].add(one.only)
        else:
            but[who] = but.get(who, set(one.but)) & set(one.but)
    ids, conditions, query = [], "", "SELECT id FROM identities WHERE name = ? AND address = ?"
    for who in sorted({*only, *but}):
        if (row := connection.execute(query, who).fetchone()) is None:
            continue
        ids.append(int(row[0]))
        if names := but[who] - only[who] if who in but else only[who]:
            there = f"{'IN' if who in but else 'NOT IN'} ({numbers(repository_ids(connection, sorted(names)))})"
            conditions += f" AND NOT (author_id = {row[0]} AND +repository_id {there})"
    return ids, conditions


# --- by words


def is_said(topic: str, text: str) -> bool:
    """Whether a word of a text begins with each of those of a topic."""
    words, low = _patterns(topic), text.casefold()
    return bool(words) and all(re.search(rf"(?<![^\W_]){word}", low) for word in words)


def is_named(topic: str, text: str) -> bool:
    """Whether a text has the words of a topic one behind the other."""
    phrase = r"[\W_]+".join(_patterns(topic))
    return bool(phrase) and re.search(rf"(?<![^\W_]){phrase}(?![^\W_])", text.casefold()) is not None


def _patterns(topic: str) -> list[str]:
    """The words of a topic, each in singular and plural."""
    return [f"{re.escape(word.removesuffix('s'))}s?" for word in _SAID.findall(topic.casefold())[:_MOST_WORDS]]


def is_signed(topic: str) -> bool:
    """Whether a topic is called as no path is: C++ is not "c"."""
    return _SIGNED.search(topic) is not None


def words_in(text: str) -> list[str]:
    """The words of what somebody typed, each once; at most so many."""
    return list(dict.fromkeys(word.lower() for word in WORD.findall(text)))[:_MOST_WORDS]


def matching(connection: Connection, text: str, among: Sequence[int] | None = None) -> list[int]:
    """The numbers of the commits that hold all words of what somebody typed, in order; none where it has no words. What
    is joined, such as `to_address` or use-after-free, must stand there so, one part behind the other; and so must C++.

    Nothing in `text` is syntax. `among` are those to choose from, in order, if not all.
    """
    words = words_in(text)
    if not words or (among is not None and not among):
        return []
    found = connection.commits_with(words, among)
    if among is not None:
        wanted = set(among)
        found = [number for number in found if number in wanted]
    joined = [unaccented(one) for one in text.split() if _JOINED.search(one) or is_signed(one)]
    if not joined or len(found) > FEW:
        return found
    holding = list[int]()
    for number, one in commits_numbered(connection, found, with_files=False):
        text = unaccented(f"{one.subject}\n{one.body}")
        if all(is_named(name, text) for name in joined):
            holding.append(number)
    return sorted(holding)


def words_of(texts: Iterable[tuple[int, str]], detail: str = "none") -> dict[int, list[str]]:
    """The words of texts by their numbers, as SQLite's FTS5 takes them, so that both engines find the same."""
    found: dict[int, list[str]] = {}
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as memory:
        memory.execute(f"CREATE VIRTUAL TABLE texts USING fts5 (text, content='', detail='{detail}', columnsize=0, "
                       f"tokenize='{TOKENIZER}')")  # fmt: skip
        memory.execute("CREATE VIRTUAL TABLE words USING fts5vocab (texts, instance)")
        memory.execute("BEGIN")
        for number, text in texts:
            found[number] = []
            memory.execute("INSERT INTO texts (rowid, text) VALUES (?, ?)", (number, text))
        for word, number in memory.execute("SELECT term, doc FROM words"):
            found[number].append(word)
    return found


@dataclass(frozen=True, slots=True)
class Found:
    """Commits, newest first. What is older than `since`, or newer where the oldest were looked for, was not looked at,
    where that is known; of what is older than `files_since`, only the messages were."""

    commits: tuple[Commit, ...]
    since: datetime | None = None
    files_since: datetime | None = None


class Topics(Tables):
    """Reads what commits say and which files they touch. By `dates` a commit is new or old."""

    def about(
        self,
        topics: Sequence[str],
        start: datetime | None = None,
        end: datetime | None = None,
        *,
        paths: Sequence[str] = (),
        repositories: Sequence[str] | None = None,
        order: Literal["latest", "landed", "first"] = "latest",
        limit: int = 300,
    ) -> Found:
        """The newest commits but for merges, at most `limit`, by the settings' dates, by the day they "landed", or the
        oldest, which were "first": those that touch one of the `paths`, files or folders, whole or the end of one;
        without any, those that say all words of one of the topics, or of whose files at least a third has all of them
        in its path; without either, all. Dated from `start` up to but not at
        `end`. `repositories` says where.

        Words of messages match whatever their ending, those of paths where one begins.
        """
        with self._transaction() as connection:
            date, is_first = COLUMN_OF["came"] if order == "landed" else self._date, order == "first"
            places = repository_ids(connection, repositories)
            reader = _Reader(connection, date, places, span(start, end), is_first)
            found, since, files_since = set[Dated](), None, None
            if paths:
                wanted = {number for path in paths for number in reader.paths_at(path)}
                touched, since = reader.touching(wanted, inf, limit)
                found.update(touched)
            elif not topics:
                found.update(reader.newest(limit))
            else:
                said, since = reader.saying(topics, limit)
                touched, files_since = reader.touching(reader.paths_with(topics), _SHARE, limit)
                found.update(said, touched)
            every = sorted(found, reverse=not is_first)
            if len(every) > limit:
                last, every = every[limit - 1][0], every[:limit]
                since = last if since is None else (min if is_first else max)(last, since)
            ids = [number for at, number in every if since is None or at == since or (at < since) == is_first]
            where, by = f"commits.id IN ({numbers(ids)}) AND {NO_MERGE}", f"{date} DESC, sha, repository"
            commits = [one for _, one in select_numbered(connection, where, (), order=by)]
        looked_at = [None if one is None else time_of(one) for one in (since, files_since)]
        return Found(tuple(commits), looked_at[0], looked_at[1])

    def is_path(self, text: str, *, without: Sequence[str] = ()) -> bool:
        """Whether a text is the path of a file or a folder that there ever was, or the end of one: not a mere word.
        Where repositories are named in `without`, one that the newest commits of the others touch."""
        if " " in text or not ("/" in text or "." in text[1:-1]):
            return False
        with self._transaction() as connection:
            reader = _Reader(connection, self._date, repository_ids(connection, without=without), span(None, None))
            paths = reader.paths_at(text)
            return bool(paths and (not without or reader.touching(paths, inf, 1)[0]))

    def saying(self, topics: Sequence[str], commits: Sequence[Commit]) -> list[set[Key]]:
        """For each topic those of the commits whose messages say all of its words, whatever their ending."""
        with self._transaction() as connection:
            stored = numbers_of(connection, (one.key for one in commits))
            keys = {number: key for key, number in stored.items()}
            among = sorted(keys)
            found = [{keys[number] for number in matching(connection, topic, among)} for topic in topics]
        for one in (one for one in commits if one.key not in stored):
            for topic, said in zip(topics, found, strict=True):
                said |= {one.key} if is_said(topic, f"{one.subject}\n{one.body}") else set()
        return found

    def held(self, words: Iterable[str], *, without: Sequence[str] = (), least: int = 1) -> set[str]:
        """Which of some words stand in messages, whatever their ending: in one, or `least`, of the commits that are
        looked at for each, at most FEW. `without` names repositories."""
        with self._transaction() as connection:
            places = numbers(repository_ids(connection, without=without))

            def is_held(word: str) -> bool:
                parts = WORD.findall(word)[:_MOST_WORDS]
                some = numbers(connection.commits_with(parts, None, FEW) if parts else ())
                query = f"SELECT 1 FROM commits WHERE id IN ({some}) AND +repository_id IN ({places}) LIMIT {least:d}"
                return len(connection.execute(query).fetchall()) == least

            return set(filter(is_held, words))

    def nearest(
        self,
        words: Iterable[str],
        start: datetime | None = None,
        end: datetime | None = None,
        *,
        identities: Sequence[Identity] | None = None,
        repositories: Sequence[str] | None = None,
        without: Sequence[str] = (),
    ) -> tuple[list[Commit], dict[str, float]]:
        """The commits whose messages hold the rarest of some words, whatever their ending, that came from `start` up to
        but not at `end`, in some repositories, and are merges or by some identities; and how rare each word is in all
        repositories but those `without`: 0 where all commits hold it, 1 where one of FEWEST does. FEW bring none."""
        score, rarity = defaultdict[int, float](float), dict[str, float]()
        with self._transaction() as connection:
            places, there = (numbers(repository_ids(connection, some, without)) for some in (None, repositories))
            every = sum(n for (n,) in connection.tuples(f"SELECT commits FROM repositories WHERE id IN ({places})"))
            first, last = span(start, end)
            wanted = f"+repository_id IN ({there}) AND +{COLUMN_OF['came']} BETWEEN {first} AND {last}"
            if identities is not None:
                ids, elsewhere = whose(connection, identities)
                wanted += f" AND (author_id IN ({numbers(ids)}){elsewhere} OR NOT ({NO_MERGE}))"
            for word in words:
                # What is left out must not make a word a common one.
                some = connection.commits_with([word], None, None if without else FEW)
                shown = f"SELECT id FROM commits WHERE id IN ({numbers(some)}) AND +repository_id IN ({places})"
                some = [number for (number,) in connection.tuples(shown)] if without else some
                few = min(len(some), FEW)
                rarity |= {word: log(max(1, every / few)) / log(max(every, FEWEST))} if few else {}
                for number in some if few < FEW else ():
                    score[number] += rarity[word]
            ranked, best = sorted(score, key=lambda number: (score[number], number), reverse=True), list[int]()
            while ranked and len(best) < NEAR:
                some, ranked = ranked[:_PAGE], ranked[_PAGE:]
                rows = connection.tuples(f"SELECT id FROM commits WHERE id IN ({numbers(some)}) AND {wanted}")
                found = {number for (number,) in rows}
                best += filter(found.__contains__, some)
            return [one for _, one in commits_numbered(connection, best[:NEAR])], rarity


@dataclass(frozen=True)
class _Reader:
    connection: Connection
    date: str
    places: Sequence[int]  # repositories
    bounds: tuple[int, int]
    is_first: bool = False  # the oldest come first

    def newest(self, most: int) -> Iterator[Dated]:
        """At most so many commits, newest first, read as they are asked for."""
        side = "ASC" if self.is_first else "DESC"
        cursors = [
            self.connection.execute(
                f"""SELECT {self.date}, id FROM commits WHERE repository_id = ? AND {self.date} BETWEEN ? AND ?
                    ORDER BY {self.date} {side}, author_id {side}, id {side} LIMIT ?""",
                (place, *self.bounds, most),
            )
            for place in self.places
        ]
        every = [((int(row[0]), int(row[1])) for row in cursor) for cursor in cursors]
        return islice(heapq.merge(*every, reverse=not self.is_first) if len(every) != 1 else every[0], most)

    def saying(self, topics: Sequence[str], limit: int) -> tuple[list[Dated], int | None]:
        """The newest commits that say all words of one of some topics, and since when was looked, where not at all of
        them."""
        holding = sorted({number for topic in topics for number in matching(self.connection, topic)})
        if len(holding) > FEW:
            return self._walked(WALKED, limit, set(holding).intersection)
        found = self.connection.tuples(
            f"""SELECT {self.date}, id FROM commits WHERE id IN ({numbers(holding)})
                AND +repository_id IN ({numbers(self.places)}) AND +{self.date} BETWEEN ? AND ? AND {NO_MERGE}""",
            self.bounds,
        )
        return [(at, number) for at, number in found], None

    def touching(self, paths: set[int], share: float, limit: int) -> tuple[list[Dated], int | None]:
        """The newest commits, at most `limit`, of which enough files are among some: one in `share`, or any where that
        is infinite. And since when was looked, where not at all of them."""
        if not paths:
            return [], None

        def enough(some: Sequence[int]) -> Iterator[int]:
            query = f"SELECT commit_id, files FROM commit_files WHERE commit_id IN ({numbers(some)})"
            for commit, touched in ((commit, paths_of(packed)) for commit, packed in self.connection.tuples(query)):
                if not paths.isdisjoint(touched) and share * sum(path in paths for path in touched) >= len(touched):
                    yield commit

        return self._walked(LOOKED_AT if share == inf else WITH_FILES, limit, enough)

    def _walked(
        self, most: int, limit: int, chosen: Callable[[Sequence[int]], Iterable[int]]
    ) -> tuple[list[Dated], int | None]:
        """Of so many of the newest commits those that are chosen, until there are `limit`; and since when was looked,
        where not at all of them."""
        newest, found, left, last = self.newest(most + 1), list[Dated](), most, 0
        while len(found) < limit and (some := list(islice(newest, min(left, _PAGE)))):
            left, last = left - len(some), some[-1][0]
            wanted = set(chosen([number for _, number in some]))
            found += [one for one in some if one[1] in wanted]
        return found, last if next(newest, None) else None

    def paths_at(self, path: str) -> set[int]:
        """The files that have a path, or end in it, or are in such a folder."""
        wanted = f"/{path.strip('/ ').casefold()}/"
        rows = self.connection.execute(
            "SELECT id, path FROM paths WHERE '/' || lower(path) || '/' LIKE ?", [f"%{wanted}%"]
        )
        return {int(row[0]) for row in rows if wanted in f"/{row[1].casefold()}/"}  # in LIKE, _ is any letter

    def paths_with(self, topics: Sequence[str]) -> set[int]:
        """The files with all words of one of some topics in their paths."""
        every = [words for topic in topics if (words := words_in(topic)) and not is_signed(topic)]
        if not every:
            return set()
        # Of ASCII alone, as both engines have it.
        like = " OR ".join(f"({' AND '.join(['lower(path) LIKE ?'] * len(words))})" for words in every)
        values = [f"%{word}%" for words in every for word in words]
        rows = self.connection.execute(f"SELECT id, path FROM paths WHERE {like}", values)
        begins = [begins_of(words) for words in every]
        return {int(row[0]) for row in rows if any(all(one.search(row[1]) for one in some) for some in begins)}


def begins_of(words: Iterable[str]) -> list[re.Pattern[str]]:
    """What finds each of some words where one begins in a path."""
    return [re.compile(rf"(?<![^\W_]){re.escape(word)}", re.IGNORECASE) for word in words]


# --- by what messages name

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
        from bot.month.message import keys_of  # its patterns take long to load

        self._keys_of = keys_of
        self._connection = connection
        self._titles: dict[int, _Title] = {}
        self._peers: dict[int, list[_Dated]] = {}
        self._asked: set[int] = set()  # of what a known commit brings back if it is out, whether it is
        self._merges: dict[Key, set[int]] = {}  # the keys of topic merges
        self.alone: set[Key] = set()  # of all that were looked at

    def _keys(self, commit: Commit) -> CommitKeys:
        """Its keys, and those of the topic merge that brought it: what points to that points to it."""
        keys = self._keys_of(commit)
        if commit.via and (key := (commit.repository, commit.via)) not in self._merges:
            found = self._in_repository(commit.repository, "sha = ?", bytes.fromhex(commit.via))
            self._merges[key] = {own for _, one in found for own in self._keys_of(one).own}
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
