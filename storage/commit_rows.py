"""Commits ↔ rows of several tables. People and paths are kept once and referred to by number."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from bot.model import Commit, FileChange, Signature
from storage.commit_files import files_of, insert_files, remove_files
from storage.commit_references import (
    CreditRow,
    ReferenceRow,
    credit_rows,
    put_credits,
    put_references,
    reference_rows,
)
from storage.engine import NO_LIMIT, Connection, batches, marks, new_ids, numbered_pairs, numbers
from storage.erasure_blocklist import NOBODY, read_blocklist

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


class Brought(NamedTuple):
    """What one topic merge, committed at a time in seconds, brought to the branch, merges included."""

    via: str
    at: int
    shas: bytes  # one after the other


_COLUMNS = (
    "id, repository_id, sha, parents, author_id, authored_at, author_offset, committer_id, committed_at, "
    "committer_offset, counted, subject, body, came_at, via"
)
_PAGE = 2000  # commits in memory at a time


class ReadyCommit(NamedTuple):
    """A commit with what takes longest to make of it, which is made before others have to wait for who writes."""

    commit: Commit
    body: bytes
    references: list[ReferenceRow]
    credits: list[CreditRow]


def ready(commit: Commit) -> ReadyCommit:
    return ReadyCommit(commit, packed(commit.body), reference_rows(commit), credit_rows(commit))


def insert(connection: Connection, repository_id: int, commits: Iterable[ReadyCommit]) -> int:
    """Add commits of which none is there, with their files, words and the counts that go with them. Returns how many:
    those of people who asked to be forgotten are not added; what others wrote is, without them as its committer and in
    its credits."""
    out = read_blocklist(connection)
    commits = [one for one in commits if not out.holds(*one.commit.author.who)]
    committers = [NOBODY if out.holds(*who) else who for who in (one.commit.committer.who for one in commits)]
    people = numbered_pairs(connection, "identities", {*committers, *(one.commit.author.who for one in commits)})
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
    numbered = list(enumerate(commits, first))
    insert_files(connection, [(number, one.commit.files) for number, one in numbered])
    connection.add_words([(number, f"{one.commit.subject}\n{one.commit.body}") for number, one in numbered])
    put_references(connection, ((number, one.references) for number, one in numbered))
    put_credits(connection, ((number, one.commit.author.seconds, one.credits) for number, one in numbered), out)
    _count(connection, repository_id, Counter(people[one.commit.author.who] for one in commits))
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
        remove_files(connection, ids)
        connection.execute(f"DELETE FROM diff_cache WHERE commit_id IN ({ids})")
        connection.execute(f"DELETE FROM commits WHERE id IN ({ids})")
        _count(connection, repository_id, Counter(row[1] for row in rows), -1)
        gone += [row[0] for row in rows]
    if gone:  # they have no index by commit, so all of them are looked at, once
        for table in ("commit_references", "credits"):
            connection.execute(f"DELETE FROM {table} WHERE commit_id IN ({numbers(gone)})")
    return len(gone)


def put_arrivals(connection: Connection, repository_id: int, brought: Iterable[Brought], *, anew: bool) -> None:
    """Say of commits which topic merge brought them; with `anew`, of all others that none did."""
    if anew:
        reset = "UPDATE commits SET came_at = committed_at, via = NULL WHERE repository_id = ? AND via IS NOT NULL"
        connection.execute(reset, (repository_id,))
    connection.executemany(
        "UPDATE commits SET came_at = ?, via = ? WHERE repository_id = ? AND sha = ?",
        (
            (one.at, via, repository_id, one.shas[at : at + len(via)])
            for one in brought
            for via in (bytes.fromhex(one.via),)
            for at in range(0, len(one.shas), len(via))
        ),
    )


def recredit(connection: Connection) -> None:
    """Take in the credits of all stored commits once more, for people who are not kept out any longer."""
    out, last = read_blocklist(connection), 0
    connection.execute("DELETE FROM credits")
    while some := select_numbered(connection, "commits.id > ?", (last,), "commits.id", _PAGE, with_files=False):
        put_credits(connection, ((number, one.author.seconds, credit_rows(one)) for number, one in some), out)
        last = some[-1][0]


def refer_anew(connection: Connection) -> None:
    """Make the keys of all stored commits once more, as their messages are read today. It reads only columns that a
    database of any step has."""
    connection.execute("DELETE FROM commit_references")
    rows: Sequence[Sequence[Any]] = [(0,)]
    while rows := connection.tuples(
        """SELECT commits.id, repositories.name, sha, parents, identities.name, address, subject, body FROM commits
           CROSS JOIN repositories ON repositories.id = repository_id CROSS JOIN identities ON identities.id = author_id
           WHERE commits.id > ? ORDER BY commits.id LIMIT ?""",
        (rows[-1][0], _PAGE),
    ):
        commits = ((row[0], _commit((*row[:6], 0, 0, *row[4:6], 0, 0, *row[6:], 0, None, 0), ())) for row in rows)
        put_references(connection, ((number, reference_rows(one)) for number, one in commits))


def _count(connection: Connection, repository_id: int, authors: Mapping[int, int], sign: int = 1) -> None:
    connection.executemany(
        "UPDATE identities SET commits = commits + ? WHERE id = ?",
        [(sign * count, number) for number, count in authors.items()],
    )
    connection.execute(
        "UPDATE repositories SET commits = commits + ?, changes = changes + 1 WHERE id = ?",
        (sign * sum(authors.values()), repository_id),
    )


def select(
    connection: Connection,
    where: str,
    values: Sequence[object],
    order: str = "authored_at, sha, repository",
    limit: int = NO_LIMIT,
) -> list[Commit]:
    """The commits that a condition on the table `commits` holds for, with their files."""
    return [commit for _, commit in select_numbered(connection, where, values, order, limit)]


def select_numbered(
    connection: Connection,
    where: str,
    values: Sequence[object],
    order: str = "authored_at, sha, repository",
    limit: int = NO_LIMIT,
    *,
    with_files: bool = True,
) -> list[tuple[int, Commit]]:
    """The same with the commits' numbers."""
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
