"""What is known of repositories and their commits: written in batches, found by whose and when or by SHA; where each
repository is found, how far it is indexed, its .mailmap and its tags; and what was costly to find out."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from datetime import datetime
from itertools import product
from math import ceil
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple, Self

from bot.errors import StoreLocked, StoreUnavailable
from bot.model import Audience, Commit, Credited, FileChange, Identity, Repository, Role, Tag, is_called, narrower
from storage.commit_rows import (
    NO_MERGE,
    OWNS,
    ROLES,
    Brought,
    commit_ids,
    commits_numbered,
    credit_rows,
    insert,
    insert_files,
    keep_areas,
    learnt_areas,
    packed,
    read_blocklist,
    reference_rows,
    remove,
    repository_id,
    repository_ids,
    select_numbered,
)
from storage.engine import (
    NO_LIMIT,
    Connection,
    Row,
    Tables,
    batches,
    marks,
    new_ids,
    numbers,
    read,
    span,
    time_of,
    written,
)
from storage.search import RelatedCommits, commits_where, related, whose
from storage.slack_state import carry_over, withdraw

TOKEN_SECONDS = 60  # without a sign of life, after which anybody may write a repository
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
# Named: SQLite, which knows nothing of how few these are, may read all commits by another one.
_TO_COUNT = "INDEXED BY commits_to_count WHERE repository_id = ? AND counted = 0"


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
    tags: dict[str, str]  # what each stands for, by its name
    arrived: str | None  # the tip for which it is known what topic merges brought; None once commits were added since
    kept_out: int  # how many commits of the branch are not stored, since their authors asked to be forgotten
    is_taken: bool  # whether somebody writes it; see `Repositories.taken`


class Commits(Tables):
    """The commits of all repositories, and the repositories themselves.

    Where something is asked by time, a commit's date is its author's or the day it came, as `dates` says.
    Where a repository is named that is not known, writing and listing raise RepositoryUnavailable.
    """

    # --- writing

    def add(self, name: str, commits: Sequence[Commit]) -> int:
        """Store the commits in one transaction, leaving out those already there, and those of people who asked to be
        forgotten. Returns how many were new."""
        # What takes longest is done before others have to wait for who writes.
        made = {
            bytes.fromhex(one.sha): (one, packed(one.body), reference_rows(one), credit_rows(one)) for one in commits
        }
        with self._transaction(write=True, bulk=True) as connection:
            number = repository_id(connection, name)
            known = commit_ids(connection, number, list(made))
            return insert(connection, number, [one for sha, one in made.items() if sha not in known])

    def forget(self, name: str, shas: Sequence[str]) -> None:
        """Remove commits, so that they are read again."""
        with self._transaction(write=True) as connection:
            remove(connection, repository_id(connection, name), shas)

    def remove(self, name: str) -> int:
        """Take a repository out, with its commits, tags and .mailmap. Returns how many commits it had."""
        with self._transaction(write=True, bulk=True) as connection:
            number = repository_id(connection, name)
            shas = connection.tuples("SELECT sha FROM commits WHERE repository_id = ?", (number,))
            removed = remove(connection, number, [sha.hex() for (sha,) in shas])
            for table in ("tags", "mailmaps"):
                connection.execute(f"DELETE FROM {table} WHERE repository_id = ?", (number,))
            connection.execute("DELETE FROM repositories WHERE id = ?", (number,))
            return removed

    def mark_indexed(
        self, name: str, tip: str, at: datetime, every: int = 0, *, shallow: bool, gone: Sequence[str] = (),
        brought: Iterable[Brought] | None = (), anew: bool = False,
    ) -> int:  # fmt: skip
        """Record that everything reachable from `tip`, so many commits, is stored, and what topic merges `brought`, of
        the whole branch where `anew`, or None where that cannot be told yet; and forget the commits in `gone`, which
        no longer are reachable, in the same transaction. With whom it shares its history is known then, and who
        may read of it, as `keep_audiences` says, before it is shown. Returns how many of `gone` were stored."""
        with self._transaction(bulk=True) as connection:
            number = repository_id(connection, name)
            carry_over(connection, number, gone)
            removed = remove(connection, number, gone)
            if anew:
                reset = "came_at = committed_at, via = NULL WHERE repository_id = ? AND via IS NOT NULL"
                connection.execute(f"UPDATE commits SET {reset}", (number,))
            connection.executemany(
                "UPDATE commits SET came_at = ?, via = ? WHERE repository_id = ? AND sha = ?",
                (
                    (one.at, via, number, one.shas[at : at + len(via)])
                    for one in brought or ()
                    for via in (bytes.fromhex(one.via),)
                    for at in range(0, len(one.shas), len(via))
                ),
            )
            connection.execute(
                """UPDATE repositories SET tip = ?, arrived = ?, indexed_at = ?, shallow = ?, failure = NULL,
                          kept_out = CASE WHEN commits < ? THEN ? - commits ELSE 0 END WHERE id = ?""",
                (tip, None if shallow or brought is None else tip, written(at), int(shallow), every, every, number),
            )
            keep_areas(connection, [number])
            self.keep_audiences({name: None})
            return removed

    def put_lines(self, name: str, counted: Sequence[tuple[str, Sequence[FileChange]]]) -> None:
        """Give commits their files with line counts, in place of those they have, in one transaction."""
        with self._transaction(write=True, bulk=True) as connection:
            ids = commit_ids(connection, repository_id(connection, name), [bytes.fromhex(sha) for sha, _ in counted])
            # One may have been removed from the branch since.
            found = [(ids[key], files) for sha, files in counted if (key := bytes.fromhex(sha)) in ids]
            for some in batches([number for number, _ in found]):
                connection.execute(f"DELETE FROM commit_files WHERE commit_id IN ({numbers(some)})")
                connection.execute(f"UPDATE commits SET counted = 1 WHERE id IN ({numbers(some)})")
            insert_files(connection, found)

    # --- which there are

    def stored(self, name: str, beginning: str = "") -> set[str]:
        """The SHAs of the commits stored for the repository, of those that begin with these digits.

        Each takes 140 bytes: a long history is better asked for digit by digit.
        """
        return set(self._shas(name, "WHERE repository_id = ? AND sha >= ? AND sha < ?", *_bounds(beginning)))

    def parentless(self, name: str) -> set[str]:
        """The SHAs of stored commits without a parent: first commits, and those at the edge of a shallow clone."""
        return set(self._shas(name, "WHERE repository_id = ? AND parents = ?", b""))

    def to_count(self, name: str, limit: int = NO_LIMIT) -> list[str]:
        """The SHAs of commits whose lines are not counted, newest first, at most `limit`."""
        return self._shas(name, f"{_TO_COUNT} ORDER BY committed_at DESC, id LIMIT ?", limit)

    def _shas(self, name: str, which: str, *values: object) -> list[str]:
        with self._transaction() as connection:
            number = repository_id(connection, name)
            return [sha.hex() for (sha,) in connection.tuples(f"SELECT sha FROM commits {which}", (number, *values))]

    def lacking(self, name: str, shas: Sequence[str]) -> list[str]:
        """Those of the SHAs that are not stored, in their order."""
        with self._transaction() as connection:
            known = commit_ids(connection, repository_id(connection, name), [bytes.fromhex(sha) for sha in shas])
            return [sha for sha in shas if bytes.fromhex(sha) not in known]

    def uncounted(self, name: str) -> int:
        """How many commits `to_count` would give."""
        with self._transaction() as connection:
            number = repository_id(connection, name)
            return int(connection.tuples(f"SELECT count(*) FROM commits {_TO_COUNT}", (number,))[0][0])

    # --- reading

    def between(
        self,
        start: datetime,
        end: datetime,
        *,
        identities: Sequence[Identity] | None = None,
        repositories: Sequence[str] | None = None,
        written_before: datetime | None = None,
    ) -> list[Commit]:
        """Commits dated from `start` up to but not at `end`, in order of author date, then SHA, with their files.

        `identities`, `repositories` and `written_before`, where given, say whose, where and that they are older.
        """
        with self._transaction() as connection:
            where = commits_where(connection, self._dates, start, end, identities, repositories)
            where += f" AND +authored_at <= {span(None, written_before)[1]}" if written_before else ""
            return [one for _, one in select_numbered(connection, where, ())]

    def arrivals(
        self, start: datetime, end: datetime, repositories: Sequence[str] | None = None
    ) -> list[tuple[str, str, datetime, datetime]]:
        """Of the commits of `between` but for merges: repository, SHA, when they came and were written; in no order."""
        with self._transaction() as connection:
            where = commits_where(connection, self._dates, start, end, None, repositories)
            tables = "commits JOIN repositories ON repositories.id = repository_id"
            query = f"SELECT name, sha, came_at, authored_at FROM {tables} WHERE {where} AND {NO_MERGE}"
            rows = connection.tuples(query)
        return [(name, sha.hex(), time_of(came), time_of(written)) for name, sha, came, written in rows]

    def areas(self, repositories: Sequence[str]) -> dict[str, dict[str, str]]:
        """By the name of each of these repositories its areas with their headings, as they were learnt when it was read
        last; of one that was not yet read to its end, as they are learnt of what is there."""
        with self._transaction() as connection:
            query = f"SELECT id, name, areas FROM repositories WHERE name IN ({marks(repositories)})"
            rows = connection.tuples(query, repositories)
            return {name: json.loads(kept) if kept else learnt_areas(connection, one) for one, name, kept in rows}

    def related(self, commits: Sequence[Commit]) -> RelatedCommits:
        """The commits and all that may be related to them by what messages say, in whatever repository and month; and
        which of all these are surely related to none."""
        with self._transaction() as connection:
            return related(connection, commits)

    def crediting(
        self,
        start: datetime,
        end: datetime,
        addresses: Sequence[str],
        names: Sequence[str],
        is_theirs: Callable[[Credited], bool],
    ) -> list[tuple[Role, Commit]]:
        """Commits dated from `start` up to but not at `end` whose trailers name somebody, and as what, in order of
        author date, then SHA; with their files where it is as a co-author.

        Looked at are trailers with one of the addresses or names; of these `is_theirs` chooses.
        """
        # The database knows the case of ASCII only. Without the empty address SQLite would not use the index.
        forms = ((name,) if name.isascii() else (name, name.lower(), name.upper(), name.title()) for name in names)
        like = [one.translate(_LOWER) for one in addresses], sorted({one.translate(_LOWER) for f in forms for one in f})
        date = f"(SELECT {self._date} FROM commits WHERE id = commit_id)"  # only author dates stand beside credits
        query = f"""SELECT role, commit_id, name, address FROM credited CROSS JOIN credits ON credited_id = id
                    WHERE id IN (SELECT id FROM credited WHERE lower(address) IN ({marks(like[0])}) AND address <> ''
                                 UNION SELECT id FROM credited WHERE lower(name) IN ({marks(like[1])}))
                      AND {"authored_at" if self._dates == "author" else date} BETWEEN ? AND ?"""
        with self._transaction() as connection:
            rows = connection.tuples(query, (*like[0], *like[1], *span(start, end)))
            found = [
                (role, number)
                for place, number, *who in rows
                for role in (ROLES[place],)
                if is_theirs(Credited(role, *who))
            ]
            shared = {number for role, number in found if role == "coauthor"}
            others = {number for _, number in found} - shared
            commits = dict(commits_numbered(connection, shared))
            commits.update(commits_numbered(connection, others, with_files=False))
        pairs = [(role, commits[number]) for role, number in found if number in commits]
        return sorted(pairs, key=lambda pair: (pair[1].author.seconds, pair[1].sha, pair[1].repository, pair[0]))

    def of(self, name: str, shas: Sequence[str]) -> list[Commit]:
        """Those of the SHAs that are stored for a repository, in order of author date, then SHA, with their files."""
        with self._transaction() as connection:
            ids = commit_ids(connection, repository_id(connection, name), [bytes.fromhex(sha) for sha in shas])
            found = [one for _, one in commits_numbered(connection, ids.values())]
        return sorted(found, key=lambda one: (one.author.seconds, one.sha))

    def brought(self, merge: Commit) -> list[Commit]:
        """The commits that came to the default branch with a topic merge, in order of author date."""
        with self._transaction() as connection:
            where = f"commits.repository_id = {repository_id(connection, merge.repository)} AND came_at = ? AND via = ?"
            values = merge.committer.seconds, bytes.fromhex(merge.sha)
            # The plus keeps SQLite from reading by its order: https://www.sqlite.org/optoverview.html#uplus
            return [one for _, one in select_numbered(connection, where, values, "+authored_at, sha, repository")]

    def by_pull(self, repository: str | None, number: int) -> list[Commit]:
        """The commits of a pull request, at most ten: in all repositories, or in one, by its name or the last part."""
        from bot.month.message import Reference, key_of

        with self._transaction() as connection:
            rows = connection.tuples("SELECT name FROM repositories ORDER BY name")
            names = [name for (name,) in rows if is_called(name, repository)]
            pulls = (f"{name}{sign}{number}".casefold() for sign in "#+" for name in names)
            found: list[int] = []
            for some in batches([key_of(Reference("pull", pull)) for pull in pulls]):
                query = f"""SELECT commit_id FROM commit_references WHERE key IN ({marks(some)}) AND role = {OWNS}
                            ORDER BY key, commit_id LIMIT 10"""
                found += [row[0] for row in connection.tuples(query, some)]
            return [one for _, one in select_numbered(connection, f"commits.id IN ({numbers(found)})", (), limit=10)]

    def by_sha(self, prefix: str) -> list[Commit]:
        """Commits whose SHA starts with `prefix` (hexadecimal), at most ten."""
        try:
            bounds = _bounds(prefix)
        except ValueError:
            return []
        with self._transaction() as connection:
            where = f"commits.repository_id IN ({numbers(repository_ids(connection))}) AND sha >= ? AND sha < ?"
            return [one for _, one in select_numbered(connection, where, bounds, limit=10)]

    # --- when somebody was active

    def latest(
        self,
        before: datetime,
        identities: Sequence[Identity] | None = None,
        *,
        without: Sequence[str] = (),
        of: str | None = None,
    ) -> datetime | None:
        """The newest date of a commit before an instant, of everybody where `identities` is None. `without`
        names repositories that do not count; `of` one that alone does, where it is of everybody."""
        return self._nearest(before, identities, without, of=of)

    def earliest(
        self, since: datetime, identities: Sequence[Identity] | None = None, *, without: Sequence[str] = ()
    ) -> datetime | None:
        """The oldest date of a commit that is not before `since`; for the rest, as `latest`."""
        return self._nearest(since, identities, without, forward=True)

    def _nearest(
        self, instant: datetime, identities: Sequence[Identity] | None, without: Sequence[str],
        *, forward: bool = False, of: str | None = None,
    ) -> datetime | None:  # fmt: skip
        """One step into an index for each repository or identity."""
        elsewhere, date = "", self._date
        side, order, choose = (">=", "ASC", min) if forward else ("<", "DESC", max)
        with self._transaction() as connection:
            if identities is None:
                column, ids = "repository_id", repository_ids(connection, None if of is None else [of], without)
            else:
                column, (ids, elsewhere) = "author_id", whose(connection, identities)
                elsewhere += f" AND repository_id NOT IN ({numbers(repository_ids(connection, without))})"
            query = f"""SELECT {date} FROM commits WHERE {column} = ? AND {date} {side} ? {elsewhere}
                        ORDER BY {date} {order} LIMIT 1"""
            found = [row for one in ids for row in connection.tuples(query, (one, ceil(instant.timestamp())))]
        return time_of(choose(found)[0]) if found else None

    # --- repositories

    def repositories(self) -> list[Repository]:
        """Every repository, by name."""
        return [_repository(row) for row in self._rows("SELECT * FROM repositories ORDER BY name")]

    def repository(self, name: str) -> Repository | None:
        row = self._row("SELECT * FROM repositories WHERE name = ?", (name,))
        return _repository(row) if row else None

    def index_state(self, name: str) -> IndexState | None:
        """What an index needs to know of a repository to see whether anything is new."""
        with self._transaction() as connection:
            row = connection.execute("SELECT * FROM repositories WHERE name = ?", (name,)).fetchone()
            if row is None:
                return None
            tags = connection.execute("SELECT name, object FROM tags WHERE repository_id = ?", (row["id"],))
            return IndexState(
                _repository(row),
                commits=int(row["commits"]),
                tags={tag["name"]: tag["object"].hex() for tag in tags},
                arrived=row["arrived"],
                kept_out=int(row["kept_out"]),
                is_taken=bool(row["token_until"]) and row["token_until"] > connection.seconds(),
            )

    @contextmanager
    def taken(self, name: str) -> Iterator[Self]:
        """Inside, nobody else writes the repository, if all do it by what they are given here. Each of its transactions
        looks whether that is so still: a process that was frozen for TOKEN_SECONDS may be taken for dead, and gives way
        to who comes next. Raises StoreLocked where somebody else writes the repository, at once or later."""
        token, mine, end = secrets.token_hex(8), copy(self), threading.Event()

        def hold(connection: Connection, where: str) -> None:
            now = connection.seconds()
            update = "UPDATE repositories SET token = :token, token_until = :until WHERE name = :name AND "
            values = {"name": name, "token": token, "now": now, "until": now + TOKEN_SECONDS}
            if not connection.execute(update + where, values).rowcount:
                raise being_read(name)

        @contextmanager
        def transaction(*, write: bool = False, bulk: bool = False) -> Iterator[Connection]:
            with self._transaction(write=write, bulk=bulk) as connection:
                if write or bulk:
                    hold(connection, "token = :token")
                yield connection

        def live() -> None:
            # Two whose git takes longer than that for one step would overtake each other for ever.
            while not end.wait(TOKEN_SECONDS / 4):
                with suppress(StoreUnavailable), transaction(bulk=True):
                    pass

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
                release = "UPDATE repositories SET token = '', token_until = 0 WHERE name = ? AND token = ?"
                self._write(release, (name, token), bulk=True)

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
        return self._write(update, (written(at), name, tip), bulk=True) == 1

    def mark_failed(self, name: str, reason: str) -> None:
        """Record why the repository could not be read. Its commits and its tip stay."""
        self._write("UPDATE repositories SET failure = ? WHERE name = ?", (reason, name), bulk=True)

    def count(self, name: str) -> int:
        """How many commits are stored for the repository. Raises RepositoryUnavailable if it is not known."""
        with self._transaction() as connection:
            number = repository_id(connection, name)
            return int(connection.execute("SELECT commits FROM repositories WHERE id = ?", (number,)).fetchone()[0])

    # --- .mailmap files

    def mailmaps(self, *, without: Sequence[str] = ()) -> dict[str, str]:
        """The texts of those that hold something, by the name of their repository; those of `without` left out."""
        tables = "mailmaps JOIN repositories ON repositories.id = repository_id"
        rows = self._rows(f"SELECT name, text FROM {tables} WHERE text <> '' ORDER BY name")
        return {row["name"]: row["text"] for row in rows if row["name"] not in without}

    def put_mailmap(self, name: str, text: str) -> bool:
        """Store the text in place of what was there; empty where there is none. Lines on people who asked to be
        forgotten are left out. False if it is the same again, or the repository is not known."""
        with self._transaction(bulk=True) as connection:
            put = connection.execute(
                """INSERT INTO mailmaps (repository_id, text)
                   SELECT id, :text FROM repositories WHERE name = :name
                   ON CONFLICT (repository_id) DO UPDATE SET text = excluded.text, changes = mailmaps.changes + 1
                   WHERE mailmaps.text <> excluded.text""",
                {"name": name, "text": read_blocklist(connection).mailmap(text.replace("\0", ""))},
            )
            return put.rowcount == 1

    # --- tags

    def tags(self, *, without: Sequence[str] = ()) -> list[Tag]:
        """Those of all repositories that name a commit, by repository and name; those of `without` left out."""
        tables = "tags JOIN repositories ON repositories.id = repository_id"
        order = "ORDER BY repositories.name, tags.name"
        rows = self._rows(f"SELECT repositories.name, tags.name, sha, at FROM {tables} WHERE sha IS NOT NULL {order}")
        return [Tag(place, name, sha.hex(), time_of(at)) for place, name, sha, at in rows if place not in without]

    def put_tags(self, name: str, tags: Sequence[TagRow]) -> None:
        """Store these in place of what was there. A repository that is not known is passed over."""
        with self._transaction(bulk=True) as connection:
            for number in repository_ids(connection, [name]):
                connection.execute("DELETE FROM tags WHERE repository_id = ?", (number,))
                rows = (
                    (number, one.name, bytes.fromhex(one.object), one.sha and bytes.fromhex(one.sha), one.seconds)
                    for one in tags
                )
                connection.load("tags", "repository_id, name, object, sha, at", rows)


def being_read(name: str) -> StoreLocked:
    """That somebody else holds a repository."""
    return StoreLocked(f"{name}: another process reads it", f"{name}: another process reads it")


def _bounds(beginning: str) -> tuple[bytes, bytes]:
    """All SHAs that begin with these digits are from the first of these up to the second. Raises ValueError."""
    odd = len(beginning) % 2
    return bytes.fromhex(beginning + "0" * odd), bytes.fromhex(beginning + "f" * odd) + b"\xff" * 33


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
        row["name"], row["location"], row["web"], row["tip"], read(row["indexed_at"]), bool(row["shallow"]),
        row["failure"], _audience(row["audience"]),
    )  # fmt: skip


class ModelCache(Tables):
    """What a model wrote of a month, by what it was written from, so that the month tells the same again."""

    def get(self, key: str) -> dict[str, Any] | None:
        """What is kept under the key, if anything is."""
        row = self._row("SELECT text FROM model_cache WHERE key = ?", (key,))
        return json.loads(row["text"]) if row else None

    def put(self, key: str, text: dict[str, Any], now: datetime) -> None:
        """Keep it, unless something is kept under the key already: what was shown once is shown again."""
        self._write(
            "INSERT INTO model_cache (key, written_at, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (key, written(now), json.dumps(text, ensure_ascii=False, sort_keys=True)),
        )
