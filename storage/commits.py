"""Repositories and their commits."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import TypeVar

from bot.errors import RepositoryUnavailable
from bot.model import Commit, FileChange, Identity, Repository, Signature
from storage.transactions import Transaction, read, written

T = TypeVar("T")
_MANY = 500  # values in one statement; SQLite's own limit was 999 for a long time
_REPOSITORIES = """SELECT *, (SELECT max(committed_at) FROM commits WHERE repository_id = repositories.id) AS newest
                   FROM repositories"""


class Commits:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    # --- repositories

    def repositories(self) -> list[Repository]:
        with self._transaction() as connection:
            return [_repository(row) for row in connection.execute(f"{_REPOSITORIES} ORDER BY name")]

    def repository(self, name: str) -> Repository | None:
        with self._transaction() as connection:
            row = connection.execute(f"{_REPOSITORIES} WHERE name = ?", (name,)).fetchone()
            return _repository(row) if row else None

    def register(self, repository: Repository) -> None:
        """Make the repository known, or renew where it is found. What is indexed of it stays."""
        with self._transaction(write=True) as connection:
            connection.execute(
                """INSERT INTO repositories (name, location, web) VALUES (:name, :location, :web)
                   ON CONFLICT (name) DO UPDATE SET location = :location, web = :web""",
                {"name": repository.name, "location": repository.location, "web": repository.web},
            )

    def mark_indexed(self, name: str, tip: str, at: datetime, *, shallow: bool, gone: Sequence[str] = ()) -> None:
        """Record that everything reachable from `tip` is stored, and forget the commits in `gone`, which no
        longer are reachable, in the same transaction."""
        with self._transaction(write=True) as connection:
            repository_id = _repository_id(connection, name)
            _forget(connection, repository_id, gone)
            connection.execute(
                "UPDATE repositories SET tip = ?, indexed_at = ?, shallow = ?, failure = NULL WHERE id = ?",
                (tip, written(at), shallow, repository_id),
            )

    def mark_failed(self, name: str, reason: str) -> None:
        """Record why the repository could not be read. Its commits and its tip stay."""
        with self._transaction(write=True) as connection:
            connection.execute("UPDATE repositories SET failure = ? WHERE name = ?", (reason, name))

    # --- writing commits

    def stored(self, name: str) -> set[str]:
        """The SHAs of all commits stored for the repository."""
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT sha FROM commits WHERE repository_id = ?", (_repository_id(connection, name),)
            )
            return {row["sha"] for row in rows}

    def parentless(self, name: str) -> set[str]:
        """The SHAs of stored commits without a parent: first commits, and those at the edge of a shallow clone."""
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT sha FROM commits WHERE repository_id = ? AND parents = ''", (_repository_id(connection, name),)
            )
            return {row["sha"] for row in rows}

    def forget(self, name: str, shas: Sequence[str]) -> None:
        """Remove commits, so that they are read again."""
        with self._transaction(write=True) as connection:
            _forget(connection, _repository_id(connection, name), shas)

    def add(self, name: str, commits: Sequence[Commit]) -> int:
        """Store the commits in one transaction, leaving out those already there. Returns how many were new."""
        with self._transaction(write=True) as connection:
            repository_id = _repository_id(connection, name)
            known = _existing(connection, repository_id, [commit.sha for commit in commits])
            new = {commit.sha: commit for commit in commits if commit.sha not in known}
            _insert(connection, repository_id, list(new.values()))
            return len(new)

    def count(self, name: str) -> int:
        """How many commits are stored for the repository."""
        with self._transaction() as connection:
            row = connection.execute(
                "SELECT count(*) FROM commits WHERE repository_id = ?", (_repository_id(connection, name),)
            ).fetchone()
            return int(row[0])

    # --- line counts

    def to_count(self, name: str) -> list[str]:
        """The SHAs of commits whose lines are not counted, newest first."""
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT sha FROM commits WHERE repository_id = ? AND counted = 0 ORDER BY committed_at DESC, id",
                (_repository_id(connection, name),),
            )
            return [row["sha"] for row in rows]

    def put_lines(self, name: str, counted: Sequence[tuple[str, Sequence[FileChange]]]) -> None:
        """Give commits their files with line counts, in place of those they have, in one transaction."""
        with self._transaction(write=True) as connection:
            repository_id = _repository_id(connection, name)
            found: list[tuple[int, Sequence[FileChange]]] = []
            for sha, files in counted:
                row = connection.execute(
                    "SELECT id FROM commits WHERE repository_id = ? AND sha = ?", (repository_id, sha)
                ).fetchone()
                if row is not None:  # it may have been removed from the branch since
                    found.append((int(row["id"]), files))
            ids = [(number,) for number, _ in found]
            connection.executemany("DELETE FROM files WHERE commit_id = ?", ids)
            _insert_files(connection, found)
            connection.executemany("UPDATE commits SET counted = 1 WHERE id = ?", ids)

    # --- reading commits

    def between(
        self,
        start: datetime,
        end: datetime,
        *,
        identities: Sequence[Identity] | None = None,
        repositories: Sequence[str] | None = None,
    ) -> list[Commit]:
        """Commits authored from `start` up to but not at `end`, by author date, then SHA, with their files.

        `identities` and `repositories`, where given, name whose and where.
        """
        where, values = (
            ["authored_at >= ?", "authored_at < ?"],
            [int(start.timestamp()), int(end.timestamp())],
        )
        with self._transaction() as connection:
            if identities is not None:
                ids = _identity_ids(connection, identities)
                where.append(f"author_id IN ({','.join(map(str, ids))})")
            if repositories is not None:
                where.append(f"repositories.name IN ({_marks(repositories)})")
            return _read(connection, " AND ".join(where), [*values, *(repositories or ())])

    def by_sha(self, prefix: str) -> list[Commit]:
        """Commits whose SHA starts with `prefix` (hexadecimal), at most ten."""
        with self._transaction() as connection:
            return _read(connection, "sha >= ? AND sha < ?", [prefix.lower(), prefix.lower() + "g"], limit=10)

    def author_times(
        self, identities: Sequence[Identity] | None = None, *, without: Sequence[str] = ()
    ) -> list[datetime]:
        """When commits were authored, oldest first; of everybody where `identities` is None. `without` names
        repositories that do not count."""
        with self._transaction() as connection:
            where = [f"repository_id NOT IN (SELECT id FROM repositories WHERE name IN ({_marks(without)}))"]
            if identities is not None:
                where.append(f"author_id IN ({','.join(map(str, _identity_ids(connection, identities)))})")
            rows = connection.execute(
                f"SELECT authored_at FROM commits WHERE {' AND '.join(where)} ORDER BY authored_at", list(without)
            )
            return [Signature("", "", row["authored_at"], 0).at for row in rows]


def _repository(row: sqlite3.Row) -> Repository:
    return Repository(
        name=row["name"],
        location=row["location"],
        web=row["web"],
        tip=row["tip"],
        indexed_at=read(row["indexed_at"]),
        shallow=bool(row["shallow"]),
        failure=row["failure"],
    )


def _repository_id(connection: sqlite3.Connection, name: str) -> int:
    row = connection.execute("SELECT id FROM repositories WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise RepositoryUnavailable(name, "is not indexed: run `almanac index` with its path or address")
    return int(row["id"])


def _identity_ids(connection: sqlite3.Connection, identities: Sequence[Identity]) -> list[int]:
    ids: list[int] = []
    for identity in identities:
        rows = connection.execute(
            "SELECT id FROM identities WHERE name = ? AND address = ?", (identity.name, identity.address)
        )
        ids += [int(row["id"]) for row in rows]
    return ids


def _existing(connection: sqlite3.Connection, repository_id: int, shas: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for some in _batches(shas):
        rows = connection.execute(
            f"SELECT sha FROM commits WHERE repository_id = ? AND sha IN ({_marks(some)})",
            (repository_id, *some),
        )
        found |= {row["sha"] for row in rows}
    return found


def _forget(connection: sqlite3.Connection, repository_id: int, shas: Sequence[str]) -> None:
    for some in _batches(shas):
        connection.execute(
            f"DELETE FROM commits WHERE repository_id = ? AND sha IN ({_marks(some)})", (repository_id, *some)
        )


def _insert(connection: sqlite3.Connection, repository_id: int, commits: Sequence[Commit]) -> None:
    authors = _ids_of(
        connection,
        "identities",
        ("name", "address"),
        {(s.name, s.address) for commit in commits for s in (commit.author, commit.committer)},
    )
    first = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM commits").fetchone()[0]
    connection.executemany(
        "INSERT INTO commits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                number,
                repository_id,
                commit.sha,
                " ".join(commit.parents),
                authors[commit.author.name, commit.author.address],
                commit.author.seconds,
                commit.author.offset,
                authors[commit.committer.name, commit.committer.address],
                commit.committer.seconds,
                commit.committer.offset,
                commit.subject,
                commit.body,
                commit.is_counted,
            )
            for number, commit in enumerate(commits, first)
        ),
    )
    _insert_files(connection, [(number, commit.files) for number, commit in enumerate(commits, first)])


def _insert_files(connection: sqlite3.Connection, commits: Sequence[tuple[int, Sequence[FileChange]]]) -> None:
    named = {path for _, files in commits for file in files for path in (file.path, file.old_path) if path}
    paths = _ids_of(connection, "paths", ("path",), {(path,) for path in named})
    connection.executemany(
        "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            (
                number,
                paths[(file.path,)],
                file.state,
                file.additions,
                file.deletions,
                paths[(file.old_path,)] if file.old_path else None,
                file.binary,
            )
            for number, files in commits
            for file in files
        ),
    )


def _ids_of(
    connection: sqlite3.Connection, table: str, columns: tuple[str, ...], values: set[tuple[str, ...]]
) -> dict[tuple[str, ...], int]:
    """The number of each value in `table`, which gets those it lacks."""
    rows = sorted(values)
    connection.executemany(f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({_marks(columns)})", rows)
    match = " AND ".join(f"{column} = ?" for column in columns)
    return {row: connection.execute(f"SELECT id FROM {table} WHERE {match}", row).fetchone()[0] for row in rows}


def _read(connection: sqlite3.Connection, where: str, values: Sequence[object], limit: int = -1) -> list[Commit]:
    rows = connection.execute(
        f"""SELECT commits.*, repositories.name AS repository,
                   author.name AS author_name, author.address AS author_address,
                   committer.name AS committer_name, committer.address AS committer_address
            FROM commits
            JOIN repositories ON repositories.id = repository_id
            JOIN identities AS author ON author.id = author_id
            JOIN identities AS committer ON committer.id = committer_id
            WHERE {where} ORDER BY authored_at, sha, repository LIMIT ?""",
        (*values, limit),
    ).fetchall()
    files = _files(connection, [row["id"] for row in rows])
    return [
        Commit(
            repository=row["repository"],
            sha=row["sha"],
            parents=tuple(row["parents"].split()),
            author=Signature(row["author_name"], row["author_address"], row["authored_at"], row["author_offset"]),
            committer=Signature(
                row["committer_name"], row["committer_address"], row["committed_at"], row["committer_offset"]
            ),
            subject=row["subject"],
            body=row["body"],
            files=files.get(row["id"], ()),
            is_counted=bool(row["counted"]),
        )
        for row in rows
    ]


def _files(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, tuple[FileChange, ...]]:
    found: dict[int, tuple[FileChange, ...]] = {}
    for some in _batches(sorted(ids)):
        rows = connection.execute(
            f"""SELECT commit_id, path.path, old.path AS old_path, state, additions, deletions, binary
                FROM files JOIN paths AS path ON path.id = path_id
                LEFT JOIN paths AS old ON old.id = old_path_id
                WHERE commit_id IN ({_marks(some)}) ORDER BY commit_id, path.path""",
            some,
        )
        for commit_id, group in groupby(rows, key=lambda row: int(row["commit_id"])):
            found[commit_id] = tuple(
                FileChange(
                    row["path"],
                    row["state"],
                    row["additions"],
                    row["deletions"],
                    row["old_path"],
                    bool(row["binary"]),
                )
                for row in group
            )
    return found


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def _batches(values: Sequence[T]) -> Iterable[Sequence[T]]:
    return (values[at : at + _MANY] for at in range(0, len(values), _MANY))
