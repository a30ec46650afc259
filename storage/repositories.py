"""Repositories: where each is found, how far it is indexed, its .mailmap and its tags."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from datetime import datetime
from itertools import product
from typing import NamedTuple, Self

from bot.errors import RepositoryUnavailable, StoreLocked, StoreUnavailable
from bot.model import Audience, Key, Repository, Tag, narrower
from storage.engine import Connection, Row, Tables, Values, batches, marks, new_ids, read, time_of, written
from storage.erasure_blocklist import read_blocklist
from storage.outbox import withdraw

TOKEN_SECONDS = 60  # without a sign of life, after which anybody may write a repository


class TagRow(NamedTuple):
    """A tag as read. `object` is what git keeps under its name, by which it is known whether it was moved; `sha` is the
    commit it names in the end, None where that is none; `seconds` is Unix time."""

    name: str
    object: str
    sha: str | None
    seconds: int


class IndexState(NamedTuple):
    """What is stored of a repository, all of it read at one moment."""

    repository: Repository
    commits: int
    is_counted: bool  # whether the lines of all commits are
    has_mailmap: bool  # whether it was ever stored, be it that there is none
    tags: dict[str, str]  # what each stands for, by its name
    arrived: str | None  # the tip for which it is known what topic merges brought; None once commits were added since
    kept_out: int  # how many commits of the branch are not stored, since their authors asked to be forgotten
    is_taken: bool  # whether somebody writes it; see `Repositories.taken`


class Repositories(Tables):
    def repositories(self) -> list[Repository]:
        """Every repository, by name."""
        return [_repository(row) for row in self._rows("SELECT * FROM repositories ORDER BY name")]

    def repository(self, name: str) -> Repository | None:
        row = self._row("SELECT * FROM repositories WHERE name = ?", (name,))
        return _repository(row) if row else None

    def index_state(self, name: str) -> IndexState | None:
        """What an index needs to know of a repository to see whether anything is new."""
        with self._transaction() as connection:
            row = connection.execute(
                """SELECT *, EXISTS (SELECT 1 FROM mailmaps WHERE repository_id = repositories.id) AS has_mailmap,
                          EXISTS (SELECT 1 FROM commits INDEXED BY commits_to_count
                                   WHERE repository_id = repositories.id AND counted = 0) AS lacks_lines
                     FROM repositories WHERE name = ?""",
                (name,),
            ).fetchone()
            if row is None:
                return None
            tags = connection.execute("SELECT name, object FROM tags WHERE repository_id = ?", (row["id"],))
            return IndexState(
                _repository(row),
                commits=int(row["commits"]),
                is_counted=not row["lacks_lines"],
                has_mailmap=bool(row["has_mailmap"]),
                tags={tag["name"]: tag["object"].hex() for tag in tags},
                arrived=row["arrived"],
                kept_out=int(row["kept_out"]),
                is_taken=bool(row["token_until"]) and row["token_until"] > connection.seconds(),
            )

    @contextmanager
    def taken(self, name: str) -> Iterator[Self]:
        """Inside, nobody else writes the repository, if all do it by what they are given here. Each of its transactions
        looks whether that is so still, for a process that was frozen may be taken for dead. Raises StoreLocked where
        somebody else writes the repository, at once or later."""
        token, mine, end = secrets.token_hex(8), copy(self), threading.Event()

        def hold(connection: Connection, where: str) -> None:
            now = connection.seconds()
            update = "UPDATE repositories SET token = :token, token_until = :until WHERE name = :name AND "
            values = {"name": name, "token": token, "now": now, "until": now + TOKEN_SECONDS}
            if not connection.execute(update + where, values).rowcount:
                raise being_read(name)

        @contextmanager
        def transaction(*, write: bool = False, bulk: bool = False, durable: bool = False) -> Iterator[Connection]:
            with self._transaction(write=write, bulk=bulk, durable=durable) as connection:
                if write or bulk:
                    hold(connection, "token = :token")
                yield connection

        def live() -> None:
            while not end.wait(TOKEN_SECONDS / 4):
                with suppress(StoreUnavailable), transaction(bulk=True):
                    pass  # what takes longer between two batches is not taken for dead

        with self._transaction(bulk=True) as connection:
            hold(connection, "token_until <= :now")
        mine._transaction = transaction
        living = threading.Thread(target=live)
        living.start()
        try:
            yield mine
        finally:
            end.set()
            living.join()
            with suppress(StoreUnavailable):  # it is over by itself
                self._read_from_git(
                    "UPDATE repositories SET token = '', token_until = 0 WHERE name = ? AND token = ?", (name, token)
                )

    # What is read from git is written without waiting for the disk of a server, which may lose it all, but no part of
    # it without what was written later; so it is read again.

    def register(self, repository: Repository) -> None:
        """Make the repository known, or renew where it is found: what is indexed of it, and who guards it, stays."""
        audience = json.dumps(repository.audience)
        with self._transaction(bulk=True) as connection:
            connection.execute(
                """INSERT INTO repositories (id, name, location, web, audience) VALUES (?, ?, ?, ?, ?)
                   ON CONFLICT (name) DO UPDATE SET location = excluded.location, web = excluded.web, audience = CASE
                     WHEN repositories.location <> excluded.location AND repositories.audience = '[]'
                     THEN excluded.audience ELSE repositories.audience END""",
                (new_ids(connection, "repositories"), repository.name, repository.location, repository.web, audience),
            )

    def keep_audiences(
        self, said: Mapping[str, Audience | None], may_widen: Collection[str] = (), shown: Collection[str] | None = None
    ) -> dict[str, tuple[Audience | None, Audience | None]]:
        """Keep who may read of repositories by the almanac.toml that is read here, None where it has no table: the
        narrower of that and of what is kept, but for those that it `may_widen`. Returns what changed, as it was before
        and is now.

        Only those that are `shown` may be seen in Slack at all, where that is given. Nothing that waits to be sent is
        sent as it was written once fewer may read of something.

        Of two that have a commit in common, one that no table ever named has the other's; of two with the same newest
        commit, either.
        """
        with self._transaction(write=True) as connection:
            query = "SELECT id, name, tip, commits, audience, unlisted FROM repositories ORDER BY name"
            rows = {row["name"]: row for row in connection.execute(query)}
            kept = {name: _audience(row["audience"]) for name, row in rows.items()}
            now = kept.copy()
            for name in said.keys() & rows:
                now[name] = said[name] if name in may_widen else narrower(kept[name], said[name])
            for one, other in product(rows, [name for name in rows if now[name]]):
                is_same = rows[one]["tip"] and rows[one]["tip"] == rows[other]["tip"]
                is_asked = now[one] is None and not said.keys().isdisjoint((one, other))
                if is_same or (is_asked and _shares(connection, rows[one], rows[other])):
                    now[one] = narrower(now[one], now[other])
            changed = {name: (kept[name], now[name]) for name in rows if now[name] != kept[name]}
            connection.executemany(
                "UPDATE repositories SET audience = ? WHERE name = ?",
                [(json.dumps(audience), name) for name, (_, audience) in changed.items()],
            )
            turned = [name for name in rows if shown is not None and (name in shown) == bool(rows[name]["unlisted"])]
            connection.executemany(
                "UPDATE repositories SET unlisted = 1 - unlisted WHERE name = ?", [(name,) for name in turned]
            )
            fewer = [name for name in turned if not rows[name]["unlisted"]]
            if fewer or any(now and narrower(before, now) == now for before, now in changed.values()):
                withdraw(connection)
        return changed

    def mark_unchanged(self, name: str, tip: str, at: datetime) -> bool:
        """Record that `tip` is still the newest commit. False, and nothing is recorded, where it is not the one that
        was indexed last."""
        update = "UPDATE repositories SET indexed_at = ?, failure = NULL WHERE name = ? AND tip = ? AND shallow = 0"
        return self._read_from_git(update, (written(at), name, tip)) == 1

    def mark_failed(self, name: str, reason: str) -> None:
        """Record why the repository could not be read. Its commits and its tip stay."""
        self._read_from_git("UPDATE repositories SET failure = ? WHERE name = ?", (reason, name))

    def _read_from_git(self, statement: str, values: Values) -> int:
        with self._transaction(bulk=True) as connection:
            return connection.execute(statement, values).rowcount

    def count(self, name: str) -> int:
        """How many commits are stored for the repository. Raises RepositoryUnavailable if it is not known."""
        with self._transaction() as connection:
            number = repository_id(connection, name)
            return int(connection.execute("SELECT commits FROM repositories WHERE id = ?", (number,)).fetchone()[0])

    # --- .mailmap files

    def mailmaps(self, *, without: Sequence[str] = ()) -> dict[str, str]:
        """The texts of those that hold something, by the name of their repository; those of `without` left out."""
        rows = self._rows(
            """SELECT name, text FROM mailmaps JOIN repositories ON repositories.id = repository_id
               WHERE text <> '' ORDER BY name"""
        )
        return {row["name"]: row["text"] for row in rows if row["name"] not in without}

    def put_mailmap(self, name: str, text: str) -> None:
        """Store the text in place of what was there; empty where there is none. The same again changes nothing. Lines
        on people who asked to be forgotten are left out.

        A repository that is not known is passed over.
        """
        with self._transaction(bulk=True) as connection:
            connection.execute(
                """INSERT INTO mailmaps (repository_id, text)
                   SELECT id, :text FROM repositories WHERE name = :name
                   ON CONFLICT (repository_id) DO UPDATE SET text = excluded.text, changes = mailmaps.changes + 1
                   WHERE mailmaps.text <> excluded.text""",
                {"name": name, "text": read_blocklist(connection).mailmap(text.replace("\0", ""))},
            )

    # --- tags

    def tags(self, *, without: Sequence[str] = ()) -> list[Tag]:
        """Those of all repositories that name a commit, by repository and name; those of `without` left out."""
        rows = self._rows(
            """SELECT repositories.name AS repository, tags.name, sha, at
               FROM tags JOIN repositories ON repositories.id = repository_id
               WHERE sha IS NOT NULL ORDER BY repositories.name, tags.name"""
        )
        return [
            Tag(row["repository"], row["name"], row["sha"].hex(), time_of(row["at"]))
            for row in rows
            if row["repository"] not in without
        ]

    def put_tags(self, name: str, tags: Sequence[TagRow]) -> None:
        """Store these in place of what was there; only what differs is written. A repository that is not known is
        passed over."""
        with self._transaction(bulk=True) as connection:
            for number in repository_ids(connection, [name]):
                query = "SELECT name, object FROM tags WHERE repository_id = ?"
                known = {(tag, sha.hex()) for tag, sha in connection.tuples(query, (number,))}
                there = {(one.name, one.object): one for one in tags}
                connection.executemany(
                    "DELETE FROM tags WHERE repository_id = ? AND name = ?",
                    [(number, tag) for tag, _ in known.difference(there)],
                )
                rows = (
                    (number, one.name, bytes.fromhex(one.object), one.sha and bytes.fromhex(one.sha), one.seconds)
                    for key, one in there.items()
                    if key not in known
                )
                connection.load("tags", "repository_id, name, object, sha, at", rows)


def being_read(name: str) -> StoreLocked:
    """That somebody else holds a repository."""
    return StoreLocked(f"{name}: another process reads it", f"{name}: another process reads it")


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
        rows = connection.tuples(
            f"SELECT sha, id FROM commits WHERE repository_id = ? AND sha IN ({marks(some)})", (repository, *some)
        )
        found.update((sha, number) for sha, number in rows)
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


def _shares(connection: Connection, one: Row, other: Row) -> bool:
    """Whether two repositories have any commit in common: the shorter history is looked for in the longer one."""
    ids = [each["id"] for each in sorted((one, other), key=lambda each: int(each["commits"]))]
    query = """SELECT 1 FROM commits AS one WHERE one.repository_id = ? AND EXISTS
                 (SELECT 1 FROM commits AS other WHERE other.repository_id = ? AND other.sha = one.sha) LIMIT 1"""
    return connection.execute(query, ids).fetchone() is not None


def _audience(text: str | None) -> Audience | None:
    said = json.loads(text or "null")
    return said if said is None else tuple(map(tuple, said))


def _repository(row: Row) -> Repository:
    return Repository(
        name=row["name"],
        location=row["location"],
        web=row["web"],
        tip=row["tip"],
        indexed_at=read(row["indexed_at"]),
        shallow=bool(row["shallow"]),
        failure=row["failure"],
        audience=_audience(row["audience"]),
    )
