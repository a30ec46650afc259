"""Commits: written in batches, found by whose and when, by SHA, or by what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING

from bot.model import Commit, Credited, FileChange, Identity, Role
from storage.commit_rows import (
    OWNS,
    ROLES,
    Brought,
    commits_numbered,
    files_of,
    insert,
    insert_files,
    put_arrivals,
    ready,
    remove,
    select,
)
from storage.digests import carry_over
from storage.engine import NO_LIMIT, batches, marks, numbers, span, time_of, written
from storage.erasure_blocklist import read_blocklist
from storage.repositories import Repositories, commit_ids, repository_id, repository_ids
from storage.search import NO_MERGE, commits_where, nearest_date

if TYPE_CHECKING:
    from storage.related_commits import RelatedCommits


_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


class Commits(Repositories):
    """The commits of all repositories, and the repositories themselves.

    Where something is asked by time, a commit's date is its author's or the day it came, as `dates` says.
    Where a repository is named that is not known, writing and listing raise RepositoryUnavailable.
    """

    # --- writing

    def add(self, name: str, commits: Sequence[Commit]) -> int:
        """Store the commits in one transaction, leaving out those already there, and those of people who asked to be
        forgotten. Returns how many were new."""
        made = list(map(ready, commits))
        with self._transaction(write=True, bulk=True) as connection:
            number = repository_id(connection, name)
            known = {sha.hex() for sha in commit_ids(connection, number, [bytes.fromhex(one.sha) for one in commits])}
            new = {one.commit.sha: one for one in made if one.commit.sha not in known}
            return insert(connection, number, new.values())

    def forget(self, name: str, shas: Sequence[str]) -> None:
        """Remove commits, so that they are read again."""
        with self._transaction(write=True) as connection:
            remove(connection, repository_id(connection, name), shas)

    def mark_indexed(
        self, name: str, tip: str, at: datetime, every: int = 0, *, shallow: bool, gone: Sequence[str] = (),
        brought: Iterable[Brought] | None = (), anew: bool = False,
    ) -> int:  # fmt: skip
        """Record that everything reachable from `tip`, so many commits, is stored, and what topic merges `brought`, of
        the whole branch where `anew`, or None where that cannot be told yet; and forget the commits in `gone`, which
        no longer are reachable, in the same transaction. Returns how many of these were stored."""
        with self._transaction(bulk=True) as connection:
            number = repository_id(connection, name)
            carry_over(connection, number, gone)
            removed = remove(connection, number, gone)
            put_arrivals(connection, number, brought or (), anew=anew)
            connection.execute(
                """UPDATE repositories SET tip = ?, arrived = ?, indexed_at = ?, shallow = ?, failure = NULL,
                          kept_out = CASE WHEN commits < ? THEN ? - commits ELSE 0 END WHERE id = ?""",
                (tip, None if shallow or brought is None else tip, written(at), int(shallow), every, every, number),
            )
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
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT sha FROM commits WHERE repository_id = ? AND sha >= ? AND sha < ?",
                (repository_id(connection, name), *_bounds(beginning)),
            )
            return {row["sha"].hex() for row in rows}

    def lacking(self, name: str, shas: Sequence[str]) -> list[str]:
        """Those of the SHAs that are not stored, in their order."""
        with self._transaction() as connection:
            known = commit_ids(connection, repository_id(connection, name), [bytes.fromhex(sha) for sha in shas])
            return [sha for sha in shas if bytes.fromhex(sha) not in known]

    def without_forgotten(self, commits: Sequence[Commit]) -> list[Commit]:
        """Of commits that are not stored, those whose authors did not ask to be forgotten."""
        with self._transaction() as connection:
            blocklist = read_blocklist(connection)
            return [one for one in commits if not blocklist.holds(*one.author.who)]

    def parentless(self, name: str) -> set[str]:
        """The SHAs of stored commits without a parent: first commits, and those at the edge of a shallow clone."""
        with self._transaction() as connection:
            query = "SELECT sha FROM commits WHERE repository_id = ? AND parents = ?"
            rows = connection.execute(query, (repository_id(connection, name), b""))
            return {row["sha"].hex() for row in rows}

    def to_count(self, name: str, limit: int | None = None) -> list[str]:
        """The SHAs of commits whose lines are not counted, newest first, at most `limit`."""
        with self._transaction() as connection:
            rows = connection.execute(
                # Named: SQLite, which knows nothing of how few these are, may read all commits by another one.
                """SELECT sha FROM commits INDEXED BY commits_to_count
                   WHERE repository_id = ? AND counted = 0
                   ORDER BY committed_at DESC, id LIMIT ?""",
                (repository_id(connection, name), NO_LIMIT if limit is None else limit),
            )
            return [row["sha"].hex() for row in rows]

    def uncounted(self, name: str) -> int:
        """How many commits `to_count` would give."""
        with self._transaction() as connection:
            row = connection.execute(
                """SELECT count(*) FROM commits INDEXED BY commits_to_count
                    WHERE repository_id = ? AND counted = 0""",
                (repository_id(connection, name),),
            ).fetchone()
            return int(row[0])

    # --- reading

    def between(
        self,
        start: datetime,
        end: datetime,
        *,
        identities: Sequence[Identity] | None = None,
        repositories: Sequence[str] | None = None,
    ) -> list[Commit]:
        """Commits dated from `start` up to but not at `end`, in order of author date, then SHA, with their files.

        `identities` and `repositories`, where given, name whose and where.
        """
        with self._transaction() as connection:
            where = commits_where(connection, self._dates, start, end, identities, repositories)
            return select(connection, where, ())

    def arrivals(
        self, start: datetime, end: datetime, repositories: Sequence[str] | None = None
    ) -> list[tuple[str, str, datetime, datetime]]:
        """Of the commits of `between` but for merges: repository, SHA, when they came and were written; in no order."""
        with self._transaction() as connection:
            where = commits_where(connection, self._dates, start, end, None, repositories)
            columns = "name, sha, came_at, authored_at"
            tables = "commits JOIN repositories ON repositories.id = repository_id"
            rows = connection.tuples(f"SELECT {columns} FROM {tables} WHERE {where} AND {NO_MERGE}")
        return [(name, sha.hex(), time_of(came), time_of(written)) for name, sha, came, written in rows]

    def changed(
        self, start: datetime, end: datetime, repositories: Sequence[str]
    ) -> dict[str, list[tuple[str, list[str]]]]:
        """Of the commits of `between` but for merges, by repository: the subject and the paths of the files of each."""
        with self._transaction() as connection:
            where = commits_where(connection, self._dates, start, end, None, repositories)
            tables = "commits JOIN repositories ON repositories.id = repository_id"
            columns = "commits.id, name, subject"
            rows = connection.tuples(f"SELECT {columns} FROM {tables} WHERE {where} AND {NO_MERGE} ORDER BY commits.id")
            files = files_of(connection, [number for number, *_ in rows])
        found: dict[str, list[tuple[str, list[str]]]] = {}
        for number, name, subject in rows:
            found.setdefault(name, []).append((subject, [one.path for one in files.get(number, ())]))
        return found

    def related(self, commits: Sequence[Commit]) -> RelatedCommits:
        """The commits and all that may be related to them by what messages say, in whatever repository and month; with
        what the messages say, as far as it was read to find them."""
        from storage.related_commits import related  # its patterns take long to load

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
            return select(connection, where, (merge.committer.seconds, bytes.fromhex(merge.sha)))

    def by_pull(self, repository: str | None, number: int) -> list[Commit]:
        """The commits of a pull request, at most ten: in all repositories, or in one, by its name or the last part."""
        from bot.month.commit_references import Reference, key_of

        with self._transaction() as connection:
            names = [one["name"] for one in connection.execute("SELECT name FROM repositories ORDER BY name")]
            keys = [
                key_of(Reference("pull", f"{name}{sign}{number}".casefold()))
                for sign in "#+"
                for name in names
                if repository is None or repository.casefold() in (name.casefold(), name.casefold().rpartition("/")[2])
            ]
            found: list[int] = []
            for some in batches(keys):
                rows = connection.execute(
                    f"""SELECT commit_id FROM commit_references WHERE key IN ({marks(some)}) AND role = {OWNS}
                        ORDER BY key, commit_id LIMIT 10""",
                    some,
                )
                found += [int(row[0]) for row in rows]
            return select(connection, f"commits.id IN ({numbers(found)})", (), limit=10)

    def by_sha(self, prefix: str) -> list[Commit]:
        """Commits whose SHA starts with `prefix` (hexadecimal), at most ten."""
        try:
            bounds = _bounds(prefix)
        except ValueError:
            return []
        with self._transaction() as connection:
            where = f"commits.repository_id IN ({numbers(repository_ids(connection))}) AND sha >= ? AND sha < ?"
            return select(connection, where, bounds, limit=10)

    # --- when somebody was active

    def latest(
        self, before: datetime, identities: Sequence[Identity] | None = None, *, without: Sequence[str] = ()
    ) -> datetime | None:
        """The newest date of a commit before an instant, of everybody where `identities` is None. `without`
        names repositories that do not count."""
        with self._transaction() as connection:
            return nearest_date(connection, self._date, before, identities, without)

    def earliest(
        self, since: datetime, identities: Sequence[Identity] | None = None, *, without: Sequence[str] = ()
    ) -> datetime | None:
        """The oldest date of a commit that is not before `since`; for the rest, as `latest`."""
        with self._transaction() as connection:
            return nearest_date(connection, self._date, since, identities, without, forward=True)

    def latest_of_each(
        self,
        start_of: Callable[[datetime], datetime],
        before: datetime,
        identities: Sequence[Identity] | None = None,
        *,
        without: Sequence[str] = (),
    ) -> list[datetime]:
        """The newest date of a commit in each period that has any, newest first; `start_of` says when the period of
        an instant begins. Costs a look into the index a period, not a commit; for the rest, as `latest`."""
        found: list[datetime] = []
        with self._transaction() as connection:
            while at := nearest_date(connection, self._date, before, identities, without):
                found.append(at)
                before = start_of(at)
        return found


def _bounds(beginning: str) -> tuple[bytes, bytes]:
    """All SHAs that begin with these digits are from the first of these up to the second. Raises ValueError."""
    odd = len(beginning) % 2
    return bytes.fromhex(beginning + "0" * odd), bytes.fromhex(beginning + "f" * odd) + b"\xff" * 33
