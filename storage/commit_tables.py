"""Commits ↔ rows of several tables. People and paths are kept once and referred to by number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.model import Commit, FileChange, Signature
from storage.commit_files import files_of, insert_files, remove_files
from storage.commit_references import (
    credit_rows,
    put_credits,
    put_references,
    remove_credits,
    remove_references,
)
from storage.commit_rows import CommitRow, unpacked
from storage.engine import Connection
from storage.erasure_blocklist import read_blocklist
from storage.sql import NO_LIMIT, batches, marks, numbered_pairs, numbers

_COLUMNS = (
    "id, repository_id, sha, parents, author_id, authored_at, author_offset, committer_id, committed_at, "
    "committer_offset, counted, subject, body"
)
_PAGE = 2000  # commits in memory at a time


def insert(connection: Connection, repository_id: int, commits: Sequence[CommitRow]) -> int:
    """Add commits of which none is there, with their files, words and the counts that go with them. Returns how many:
    those of people who asked to be forgotten are not added."""
    commits = read_blocklist(connection).spared(commits)
    people = numbered_pairs(connection, "identities", {who for one in commits for who in (one.author, one.committer)})
    first = int(connection.execute("SELECT coalesce(max(id), 0) + 1 FROM commits").fetchone()[0])
    numbered = list(enumerate(commits, first))
    connection.load(
        "commits",
        _COLUMNS,
        [
            (
                number,
                repository_id,
                one.sha,
                one.parents,
                people[one.author],
                one.authored_at,
                one.author_offset,
                people[one.committer],
                one.committed_at,
                one.committer_offset,
                int(one.is_counted),
                one.subject,
                one.body,
            )
            for number, one in numbered
        ],
    )
    insert_files(connection, [(number, one.files) for number, one in numbered])
    connection.add_words([(number, one.said) for number, one in numbered])
    put_references(connection, ((number, one.references) for number, one in numbered))
    put_credits(connection, ((number, one.authored_at, one.credits) for number, one in numbered))
    _count(connection, repository_id, Counter(people[one.author] for one in commits))
    return len(commits)


def remove(connection: Connection, repository_id: int, shas: Iterable[str]) -> None:
    """Remove commits with all that goes with them; those that are not there are no trouble."""
    for some in batches([bytes.fromhex(sha) for sha in shas]):
        where = f"commits.repository_id = ? AND sha IN ({marks(some)})"
        going = list(select_numbered(connection, where, (repository_id, *some), with_files=False))
        connection.remove_words((number, f"{commit.subject}\n{commit.body}") for number, commit in going)
        remove_references(connection, going)
        remove_credits(connection, going)
        ids = numbers(number for number, _ in going)
        rows = connection.execute(f"SELECT author_id, count(*) FROM commits WHERE id IN ({ids}) GROUP BY author_id")
        authors = {int(row[0]): int(row[1]) for row in rows}
        remove_files(connection, ids)
        connection.execute(f"DELETE FROM diff_cache WHERE commit_id IN ({ids})")
        connection.execute(f"DELETE FROM commits WHERE id IN ({ids})")
        _count(connection, repository_id, authors, -1)


def recredit(connection: Connection) -> None:
    """Take in the credits of all stored commits once more, for people who are not kept out any longer."""
    out, last = read_blocklist(connection), 0
    connection.execute("DELETE FROM credits")
    while some := select_numbered(connection, "commits.id > ?", (last,), "commits.id", _PAGE, with_files=False):
        rows = ((number, one.author.seconds, credit_rows(one)) for number, one in some)
        put_credits(
            connection, ((number, at, [row for row in said if not out.holds(*row[:2])]) for number, at, said in rows)
        )
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
                   committer.name, committer.address, committed_at, committer_offset, subject, body, counted
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
    _, repository, sha, parents, *signatures, subject, body, counted = row
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
    )
