"""Commits ↔ rows of several tables. People and paths are kept once and referred to by number.

The files of a commit are one row, packed, since they are only ever asked for by their commit: a row a file took a
quarter of a PostgreSQL database. Of what messages name there are keys, by which related commits find each other, and
the people in trailers; who a credited person is to us is decided when it is asked: people are linked and renamed,
trailers are not.

What of commits is not stored: what is of people who asked to be forgotten, who are known by hashes alone. Of an
address, a login or a name with an address only a keyed hash is kept. The key is random and stands in the same table:
without the file nobody can look up whether an address is among them, and with it only somebody who has the address
already.
"""

from __future__ import annotations

import hmac
import json
import re
import struct
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from bot.errors import RepositoryUnavailable
from bot.model import Commit, FileChange, FileState, Key, Role, Signature
from bot.month.addresses import noreply_login, plain
from bot.month.credits import credits_of
from storage.engine import NO_LIMIT, Connection, batches, ids_of, marks, new_ids, numbers, read, span

# Never to be changed: what was packed with it cannot be read without it. What is most common stands last.
_PHRASES = (
    b"cherry picked from commit This reverts commit Change-Id: I Merge branch 'main' into Merge pull request # from "
    b"Reported-by: Tested-by: Acked-by: Suggested-by: Helped-by: Cc: Fixes: Closes: Approved-by: "
    b"Co-authored-by: <noreply@users.noreply.github.com>\nCo-authored-by: dependabot[bot] "
    b"<49699333+dependabot[bot]@users.noreply.github.com>\nSigned-off-by: Signed-off-by: @gmail.com>\n"
    b"the of to and in is that for this be we with it as not are when which from should use instead because\n- \n* "
    b"imported-using-ghimport\n\nghstack-source-id: X-link: https://github.com/ Pull Request resolved: "
    b"https://github.com/ /pull/\n\nSummary:\n\nTest Plan:\n\nReviewed By: \n\nDifferential Revision: D\n\n"
    b"fbshipit-source-id: "
)
_PLAIN = b"\xff"  # before a body that is not packed: nothing that is begins so (RFC 1951, 3.2.3: no block type 11)
_SHORT = 48  # bytes; less is not worth the trouble
# 8 kB of memory for what came before, and as much work to find it: with zlib's own 32 kB, whose memory is asked
# of the system anew each time, packing takes up to four times as long and saves nothing.
_WINDOW, _MEMORY = -13, 6


def packed(body: str) -> bytes:
    """The body as it is put into the database."""
    raw = body.encode()
    if len(raw) <= _SHORT:
        return raw and _PLAIN + raw
    packer = zlib.compressobj(6, zlib.DEFLATED, _WINDOW, _MEMORY, zdict=_PHRASES)
    small = packer.compress(raw) + packer.flush()
    return small if len(small) < len(raw) else _PLAIN + raw


def unpacked(stored: bytes | str) -> str:
    """The body that was packed."""
    if isinstance(stored, str):  # until 0.2.0 those that are not packed were stored as text
        return stored
    if stored[:1] == _PLAIN:
        return stored[1:].decode()
    return zlib.decompressobj(_WINDOW, zdict=_PHRASES).decompress(stored).decode()


# --- files

# Never to be changed: their places are stored.
_STATES: tuple[FileState, ...] = ("added", "modified", "deleted", "renamed", "copied", "retyped")
_PLACES: Mapping[str, int] = {state: place for place, state in enumerate(_STATES)}
_BINARY, _HAS_OLD = 0x40, 0x80  # beside the place of the state
_NONE = 0xFFFFFFFF  # of lines that are not counted


# A FileChange with the numbers of its paths, 0 for none.
NumberedFile = tuple[int, FileState, int | None, int | None, int, bool]


def _pack(files: Sequence[NumberedFile]) -> bytes:
    """How many, then of each three numbers, then a byte of each, then the earlier paths of those that have one."""
    lines = [number for path, _, more, less, *_ in files for number in (path, _lines(more), _lines(less))]
    flags = [
        _PLACES[state] | (_BINARY if binary else 0) | (_HAS_OLD if old else 0) for _, state, _, _, old, binary in files
    ]
    olds = [one[4] for one in files if one[4]]
    return struct.pack(f"<I{len(lines)}I{len(flags)}B{len(olds)}I", len(files), *lines, *flags, *olds)


def _lines(count: int | None) -> int:
    return _NONE if count is None else min(count, _NONE - 1)


def _unpack(packed: bytes) -> list[NumberedFile]:
    (count,) = struct.unpack_from("<I", packed)
    begin = 4 + 12 * count
    lines = struct.unpack_from(f"<{3 * count}I", packed, 4)
    flags = packed[begin : begin + count]
    olds = iter(struct.unpack_from(f"<{(len(packed) - begin - count) // 4}I", packed, begin + count))
    counts = [None if number == _NONE else number for number in lines]
    return [
        (path, _STATES[flag & 0x0F], more, less, next(olds) if flag & _HAS_OLD else 0, bool(flag & _BINARY))
        for path, more, less, flag in zip(lines[::3], counts[1::3], counts[2::3], flags, strict=True)
    ]


def paths_of(packed: bytes) -> tuple[int, ...]:
    """The numbers of the paths of a commit's files."""
    (count,) = struct.unpack_from("<I", packed)
    return struct.unpack_from(f"<{3 * count}I", packed, 4)[::3]


def renumbered(packed: bytes, moved: Mapping[int, int]) -> bytes:
    """The files of a commit with other numbers of their paths, where they are `moved`."""
    return _pack([(moved.get(one[0], one[0]), *one[1:4], moved.get(one[4], one[4]), one[5]) for one in _unpack(packed)])


def insert_files(connection: Connection, commits: Sequence[tuple[int, Sequence[FileChange]]]) -> None:
    """Store the files of commits that have none; of two with one path in a commit, the last."""
    wanted = {(path,) for _, files in commits for one in files for path in (one[0], one[4]) if path}
    paths = {path: number for (path,), number in ids_of(connection, "paths", "path", wanted).items()}
    rows = []
    for number, files in commits:
        by_path = {one.path: (paths[one.path], *one[1:4], paths[one[4]] if one[4] else 0, one[5]) for one in files}
        if by_path:
            rows.append((number, _pack(list(by_path.values()))))
    connection.load("commit_files", "commit_id, files", rows)


def files_of(connection: Connection, ids: Sequence[int]) -> dict[int, tuple[FileChange, ...]]:
    """The files of commits by their numbers, in order of their paths; those that have none are left out."""
    found = {number: _unpack(packed) for number, packed in _packed(connection, ids)}
    used = {number for files in found.values() for one in files for number in (one[0], one[4]) if number}
    paths = _paths(connection, used)
    return {
        number: tuple(sorted(FileChange(paths[one[0]], *one[1:4], paths.get(one[4]), one[5]) for one in files))
        for number, files in found.items()
    }


def paths_in(connection: Connection, ids: Sequence[int]) -> dict[int, list[str]]:
    """The paths of the files of commits by their numbers; those that have none are left out."""
    found = {number: paths_of(packed) for number, packed in _packed(connection, ids)}
    paths = _paths(connection, set(chain.from_iterable(found.values())))
    return {number: [paths[one] for one in files] for number, files in found.items()}


def _packed(connection: Connection, ids: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    for some in batches(sorted(ids)):
        yield from connection.tuples(f"SELECT commit_id, files FROM commit_files WHERE commit_id IN ({numbers(some)})")


def _paths(connection: Connection, used: Collection[int]) -> dict[int, str]:
    found: dict[int, str] = {}
    for some in batches(sorted(used)):
        found |= dict(connection.tuples(f"SELECT id, path FROM paths WHERE id IN ({numbers(some)})"))
    return found


# --- what messages name

ReferenceRow = tuple[int, int]  # a key and its role
OWNS, POINTS, WORK = 0, 1, 2  # the roles of a key: see `bot.month.message.CommitKeys`


def put_references(connection: Connection, commits: Iterable[tuple[int, Sequence[ReferenceRow]]]) -> None:
    """Store the references of commits with their numbers."""
    # In the order of the table: neighbours are then on the page that is at hand.
    rows = sorted({(key, role, number) for number, some in commits for key, role in some})
    connection.load("commit_references", "key, role, commit_id", rows)


def reference_rows(commit: Commit) -> list[ReferenceRow]:
    """The keys of a commit, each with its role."""
    from bot.month.message import keys_of  # its patterns take long to load

    keys = keys_of(commit)
    rows = [(key, OWNS) for some in (keys.own, keys.titles) for key in some]
    rows += [(key, POINTS) for some in (keys.points, keys.quotes) for key in some]
    return rows if keys.work is None else [*rows, (keys.work, WORK)]


ROLES: tuple[Role, ...] = ("coauthor", "reviewer", "tester", "reporter", "suggester", "helper")  # append only
CreditRow = tuple[str, str, int]  # name, address, and a place in ROLES


def put_credits(
    connection: Connection, commits: Iterable[tuple[int, int, Sequence[CreditRow]]], out: Blocklist
) -> None:
    """Store whom commits name of which that is not stored, with the commits' numbers and author dates; but for those
    who are kept out."""
    rows = [(number, at, *row) for number, at, some in commits for row in some if not out.holds(*row[:2])]
    known = ids_of(connection, "credited", "name, address", {(name, address) for *_, name, address, _ in rows})
    connection.load(
        "credits",
        "credited_id, authored_at, commit_id, role",
        sorted({(known[name, address], at, number, role) for number, at, name, address, role in rows}),
    )


def credit_rows(commit: Commit) -> list[CreditRow]:
    """Whom a commit names, each with the number of the role."""
    return [(one.name, one.address, ROLES.index(one.role)) for one in credits_of(commit.body)]


# --- commits


class Brought(NamedTuple):
    """What one topic merge, committed at a time in seconds, brought to the branch, merges included."""

    via: str
    at: int
    shas: bytes  # one after the other


NO_MERGE = "length(parents) <= length(sha)"
YEAR = 366 * 24 * 3600  # seconds, from which areas are learnt
_COLUMNS = (
    "id, repository_id, sha, parents, author_id, authored_at, author_offset, committer_id, committed_at, "
    "committer_offset, counted, subject, body, came_at, via"
)
_PAGE = 2000  # commits in memory at a time


# A commit with what takes longest to make of it: its body, packed, its references and whom it credits.
ReadyCommit = tuple[Commit, bytes, list[ReferenceRow], list[CreditRow]]


def insert(connection: Connection, repository_id: int, commits: Iterable[ReadyCommit]) -> int:
    """Add commits of which none is there, with their files, words and the counts that go with them. Returns how many:
    those of people who asked to be forgotten are not added; what others wrote is, without them as its committer and in
    its credits."""
    out = read_blocklist(connection)
    commits = [one for one in commits if not out.holds(*one[0].author.who)]
    committers = [NOBODY if out.holds(*who) else who for who in (one.committer.who for one, *_ in commits)]
    wanted = {*committers, *(one.author.who for one, *_ in commits)}
    people = ids_of(connection, "identities", "name, address", wanted)
    first = new_ids(connection, "commits", len(commits))
    rows = []
    for number, ((commit, body, *_), committer) in enumerate(zip(commits, committers, strict=True), first):
        sha, parents = bytes.fromhex(commit.sha), bytes.fromhex("".join(commit.parents))
        author, came_at = commit.author, commit.committer.seconds if commit.came_at is None else commit.came_at
        rows.append((
            number, repository_id, sha, parents, people[author.who], author.seconds, author.offset, people[committer],
            commit.committer.seconds, commit.committer.offset, int(commit.is_counted), commit.subject, body, came_at,
            bytes.fromhex(commit.via) if commit.via else None,
        ))  # fmt: skip
    connection.load("commits", _COLUMNS, rows)
    numbered = [(number, *one) for number, one in enumerate(commits, first)]
    insert_files(connection, [(number, one.files) for number, one, *_ in numbered])
    connection.add_words([(number, f"{one.subject}\n{one.body}") for number, one, *_ in numbered])
    put_references(connection, ((number, references) for number, _, _, references, _ in numbered))
    put_credits(connection, ((number, one.author.seconds, credits) for number, one, *_, credits in numbered), out)
    _count(connection, repository_id, Counter(people[one.author.who] for one, *_ in commits))
    connection.execute("UPDATE repositories SET arrived = NULL WHERE id = ? AND arrived IS NOT NULL", (repository_id,))
    return len(commits)


def remove(connection: Connection, repository_id: int, shas: Iterable[str]) -> int:
    """Remove commits with all that goes with them; those that are not there are no trouble. Returns how many were."""
    gone: list[int] = []
    for some in batches([bytes.fromhex(sha) for sha in shas]):
        query = f"SELECT id, author_id, subject, body FROM commits WHERE repository_id = ? AND sha IN ({marks(some)})"
        rows = connection.tuples(query, (repository_id, *some))
        connection.remove_words((number, f"{subject}\n{unpacked(body)}") for number, _, subject, body in rows)
        ids = numbers(row[0] for row in rows)
        connection.execute(f"DELETE FROM commit_files WHERE commit_id IN ({ids})")
        connection.execute(f"DELETE FROM commits WHERE id IN ({ids})")
        _count(connection, repository_id, Counter(row[1] for row in rows), -1)
        gone += [row[0] for row in rows]
    if gone:  # they have no index by commit, so all of them are looked at, once
        for table in ("commit_references", "credits"):
            connection.execute(f"DELETE FROM {table} WHERE commit_id IN ({numbers(gone)})")
    return len(gone)


def recredit(connection: Connection) -> None:
    """Take in the credits of all stored commits once more, for people who are not kept out any longer."""
    out = read_blocklist(connection)
    connection.execute("DELETE FROM credits")
    for some in _every(connection):
        put_credits(connection, ((number, one.author.seconds, credit_rows(one)) for number, one in some), out)


def refer_anew(connection: Connection) -> None:
    """Make the keys of all stored commits once more, as their messages are read today."""
    connection.execute("DELETE FROM commit_references")
    for some in _every(connection):
        put_references(connection, ((number, reference_rows(one)) for number, one in some))


def _every(connection: Connection) -> Iterator[list[tuple[int, Commit]]]:
    """All stored commits without their files, with their numbers, some at a time."""
    last = 0
    while some := select_numbered(connection, "commits.id > ?", (last,), "commits.id", _PAGE, with_files=False):
        yield some
        last = some[-1][0]


def _count(connection: Connection, repository_id: int, authors: Mapping[int, int], sign: int = 1) -> None:
    connection.executemany(
        "UPDATE identities SET commits = commits + ? WHERE id = ?",
        [(sign * count, number) for number, count in authors.items()],
    )
    connection.execute(
        "UPDATE repositories SET commits = commits + ?, changes = changes + 1 WHERE id = ?",
        (sign * sum(authors.values()), repository_id),
    )


def select_numbered(
    connection: Connection,
    where: str,
    values: Sequence[object],
    order: str = "authored_at, sha, repository",
    limit: int = NO_LIMIT,
    *,
    with_files: bool = True,
) -> list[tuple[int, Commit]]:
    """The commits that a condition on the table `commits` holds for, with their numbers."""
    # CROSS JOIN keeps the order: the condition has an index on `commits`, and each of the others is one row.
    rows = connection.tuples(  # in the order of `_commit`
        f"""SELECT commits.id, repositories.name AS repository, sha, parents,
                   author.name, author.address, authored_at, author_offset,
                   committer.name, committer.address, committed_at, committer_offset, subject, body, counted,
                   via, came_at
            FROM commits
            CROSS JOIN repositories ON repositories.id = commits.repository_id
            CROSS JOIN identities AS author ON author.id = author_id
            CROSS JOIN identities AS committer ON committer.id = committer_id
            WHERE {where} ORDER BY {order} LIMIT ?""",
        (*values, limit),
    )
    files = files_of(connection, [row[0] for row in rows]) if with_files else {}
    return [(row[0], _commit(row, files.get(row[0], ()))) for row in rows]


def commits_numbered(
    connection: Connection, ids: Iterable[int], *, with_files: bool = True
) -> Iterator[tuple[int, Commit]]:
    """The commits with some numbers, in no order."""
    for some in batches(sorted(ids)):
        yield from select_numbered(connection, f"commits.id IN ({numbers(some)})", (), with_files=with_files)


def _commit(row: Sequence[Any], files: tuple[FileChange, ...]) -> Commit:
    """Of the columns of `select_numbered`."""
    _, repository, sha, parents, *signatures, subject, body, counted, via, came_at = row
    return Commit(
        repository,
        sha.hex(),
        tuple([parents[at : at + len(sha)].hex() for at in range(0, len(parents), len(sha))]),
        Signature(*signatures[:4]),
        Signature(*signatures[4:]),
        subject,
        unpacked(body),
        files,
        bool(counted),
        via and via.hex(),
        came_at if via else None,
    )


# --- areas


def learnt_areas(connection: Connection, repository: int) -> dict[str, str]:
    """The areas of a repository with their headings, the largest first, from what came in the twelve months to its
    newest commit. Clocks lie: what came after it was read does not count."""
    from bot.month.areas import learn  # what it knows of file names takes long to load

    ((at,),) = connection.tuples("SELECT indexed_at FROM repositories WHERE id = ?", (repository,))
    which = "FROM commits WHERE repository_id = ? AND came_at <= ?"
    year = f"SELECT id, subject {which} AND came_at > (SELECT max(came_at) {which}) - {YEAR} AND {NO_MERGE}"
    titles = connection.tuples(year, 2 * (repository, span(None, read(at))[1]))
    paths = paths_in(connection, [number for number, _ in titles])
    return dict(learn((title, paths.get(number, ())) for number, title in titles).headings)


def keep_areas(connection: Connection, repositories: Iterable[int]) -> None:
    """Learn the areas of repositories anew, and keep them."""
    connection.executemany(
        "UPDATE repositories SET areas = ? WHERE id = ?",
        [(json.dumps(learnt_areas(connection, one)), one) for one in repositories],
    )


# --- where a repository and its commits stand


def not_indexed(name: str) -> RepositoryUnavailable:
    return RepositoryUnavailable(name, "is not indexed: run `almanac index` with its path or address")


def repository_id(connection: Connection, name: str) -> int:
    row = connection.execute("SELECT id FROM repositories WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise not_indexed(name)
    return int(row["id"])


def repository_ids(
    connection: Connection, names: Sequence[str] | None = None, without: Iterable[str] = ()
) -> list[int]:
    """The numbers of the repositories with these names, or of all, those named in `without` left out."""
    left_out = [*without, ""]  # none has no name
    where, values = f"name NOT IN ({marks(left_out)})", left_out
    if names is not None:
        where, values = f"{where} AND name IN ({marks(names)})", [*left_out, *names]
    rows = connection.execute(f"SELECT id FROM repositories WHERE {where} ORDER BY id", values)
    return [int(row["id"]) for row in rows]


def commit_ids(connection: Connection, repository: int, shas: Sequence[bytes]) -> dict[bytes, int]:
    """The numbers of those commits of a repository that are stored."""
    found: dict[bytes, int] = {}
    for some in batches(shas):
        query = f"SELECT sha, id FROM commits WHERE repository_id = ? AND sha IN ({marks(some)})"
        found |= dict(connection.tuples(query, (repository, *some)))
    return found


def numbers_of(connection: Connection, commits: Iterable[Key]) -> dict[Key, int]:
    """The numbers of those commits that are stored, of whatever repositories."""
    by_place: dict[str, list[bytes]] = {}
    for name, sha in commits:
        by_place.setdefault(name, []).append(bytes.fromhex(sha))
    return {
        (name, sha.hex()): number
        for name, shas in by_place.items()
        for place in repository_ids(connection, [name])
        for sha, number in commit_ids(connection, place, shas).items()
    }


# --- who is kept out

NOBODY = ("", "")  # stands for a committer who asked to be forgotten
_KEY = "key:"  # before the key, which stands among the hashes
_IN_MAILMAP = re.compile(r"([^<>]*)<([^<>]*)>")


class Blocklist:
    """The hashes of those who are kept out; without any it holds nobody, and costs nothing."""

    def __init__(self, key: bytes, hashes: Iterable[str]) -> None:
        self._key = key
        self._hashes = frozenset(hashes)
        self._known: dict[tuple[str, str], bool] = {}

    def __bool__(self) -> bool:
        return bool(self._hashes)

    def of_address(self, address: str) -> str:
        """The hash of an address, whoever signs with it."""
        return self._hash("address", plain(address))

    def of_pair(self, name: str, address: str) -> str:
        """The hash of a name with an address, which may be empty: of a name or a login alone."""
        return self._hash("pair", plain(name if address else name.strip().removeprefix("@")), plain(address))

    def holds(self, name: str, address: str) -> bool:
        """Whether this is somebody who asked to be forgotten: by address, by name and address together, or by the
        GitHub login in the address."""
        if not self._hashes:
            return False
        known = self._known.get((name, address))
        if known is None:
            known = self._known[name, address] = not self._hashes.isdisjoint(self._of(name, address))
        return known

    def _of(self, name: str, address: str) -> list[str]:
        found = [self.of_pair(name, address)]
        if address.strip():
            found.append(self.of_address(address))
            if login := noreply_login(address):
                found.append(self.of_pair(login, ""))
        return found

    def _hash(self, *parts: str) -> str:
        return hmac.digest(self._key, "\0".join(parts).encode(), "sha256").hex()

    def mailmap(self, text: str) -> str:
        """The text of a .mailmap without the lines that name them."""
        if not self:
            return text
        return "".join(line for line in text.splitlines(keepends=True) if not self._is_named(line))

    def _is_named(self, line: str) -> bool:
        return any(self.holds(name, address) for name, address in _IN_MAILMAP.findall(line))


def read_blocklist(connection: Connection) -> Blocklist:
    """As it is now."""
    rows = [str(row[0]) for row in connection.execute("SELECT hash FROM erasure_blocklist")]
    key = next((row.removeprefix(_KEY) for row in rows if row.startswith(_KEY)), "")
    return Blocklist(bytes.fromhex(key), (row for row in rows if not row.startswith(_KEY)))


def ensure_key(connection: Connection, at: str) -> None:
    """Make the key where there is none yet. It is never made anew: the hashes are of no use without it."""
    there = connection.execute("SELECT 1 FROM erasure_blocklist WHERE hash LIKE ?", (f"{_KEY}%",)).fetchone()
    if not there:
        import secrets

        connection.execute("INSERT INTO erasure_blocklist VALUES (?, ?)", (_KEY + secrets.token_hex(32), at))
