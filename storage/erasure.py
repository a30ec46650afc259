"""Those who asked to be forgotten: all that is stored of them is removed, and hashes are left that keep them out.

What others wrote stays theirs: a commit that names somebody in its message keeps its message. But nobody is credited
by it any more, and of a commit that they only put into the branch, the committer is blank.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.errors import StoreUnavailable
from bot.month.addresses import login_in_log, plain
from storage.commit_rows import NOBODY, Blocklist, ensure_key, keep_areas, read_blocklist, recredit, remove
from storage.engine import Connection, Row, Tables, Transaction, batches, ids_of, marks, numbers, written

SOMEBODY_ERASED = "somebody who is forgotten"  # in place of a name
# In place of the words of a post; sent only if Slack turns out never to have taken it.
EMPTIED = "The words of this message are removed, since they named somebody who asked to be forgotten."
_SHA = re.compile(r"[0-9a-f]{40,64}")


@dataclass(frozen=True, slots=True)
class PersonToErase:
    """Somebody as they are to be forgotten.

    Whoever signs with one of `addresses` is this person. Of `pairs`, names with an address that is others' as well or
    is empty, only both together are. `names` are what texts call them, `users` who they are in Slack.
    """

    addresses: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()
    users: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Erased:
    """What was removed with somebody: of which repository how many commits. `hindered` says why the file still holds
    traces of it, and what to do; it is empty where there are none."""

    commits: tuple[tuple[str, int], ...]
    hindered: str = ""


class Erasure(Tables):
    """`swept` has the file written anew, without the bytes of what was removed from it."""

    def __init__(self, transaction: Transaction, swept: Callable[[], bool]) -> None:
        super().__init__(transaction)
        self._swept = swept

    def blocklist(self) -> Blocklist:
        """Who is kept out, as of now."""
        with self._transaction() as connection:
            return read_blocklist(connection)

    def erase(self, whom: PersonToErase, at: datetime) -> Erased:
        """Remove all that is stored of somebody in one transaction, and keep them out from then on. There is no way
        back. Of 18,000 commits it takes seconds, and others can read meanwhile."""
        with self._transaction(write=True) as connection:
            ensure_key(connection, written(at))
            out = read_blocklist(connection)
            hashes = [*map(out.of_address, whom.addresses), *(out.of_pair(*pair) for pair in whom.pairs)]
            rows = [(one, written(at)) for one in hashes]
            connection.executemany("INSERT INTO erasure_blocklist VALUES (?, ?) ON CONFLICT DO NOTHING", rows)
            commits = _PersonRemoval(connection, read_blocklist(connection), whom, written(at)).done()
        return Erased(tuple(sorted(commits.items())), self.sweep())

    def sweep(self) -> str:
        """Have the file hold nothing of what was removed from it. Returns why that failed, empty where it did not."""
        try:
            if self._swept():
                return ""
            return "another process is reading the database and keeps the old state of it: try again when it has ended"
        except StoreUnavailable as error:
            return str(error)

    def readmit(self, name: str, address: str) -> bool:
        """Let somebody in again whose address, or name with address, is among the hashes; False where neither is.

        All repositories are read from their beginning at the next index, which adds what is missing: the commits,
        those whose committer was blanked, and credits.
        """
        with self._transaction(write=True) as connection:
            out = read_blocklist(connection)
            hashes = [out.of_address(address)] if address else []
            hashes += [out.of_pair(name, address)] if name else []
            gone = connection.execute(f"DELETE FROM erasure_blocklist WHERE hash IN ({marks(hashes)})", hashes).rowcount
            if not gone:
                return False
            _read_again(connection)
            return True


def _read_again(connection: Connection) -> None:
    """Have the next index look at all of every history, and read anew what lacks its committer. Whom stored commits
    credit, their own messages say."""
    nobody = "SELECT id FROM identities WHERE name = ? AND address = ?"
    rows = connection.tuples(f"SELECT repository_id, sha FROM commits WHERE committer_id IN ({nobody})", NOBODY)
    for repository, shas in _grouped(rows).items():
        remove(connection, repository, shas)
    # Who is just reading one begins anew, or would take it for read to its end without those who are let in.
    connection.execute("UPDATE repositories SET tip = NULL, arrived = NULL, token = '', token_until = 0")
    connection.execute("UPDATE mailmaps SET text = '', changes = changes + 1")
    recredit(connection)


def _grouped(rows: Iterable[Sequence[Any]]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    for number, sha in rows:
        found[int(number)].append(sha.hex())
    return found


class _PersonRemoval:
    """One person out of all tables, inside one transaction."""

    def __init__(self, connection: Connection, out: Blocklist, whom: PersonToErase, at: str) -> None:
        self._connection, self._run, self._run_many = connection, connection.execute, connection.executemany
        self._out, self._whom, self._at = out, whom, at
        self._shas: set[str] = set()

    def done(self) -> dict[str, int]:
        """How many commits were removed from which repository."""
        commits = self._history()
        self._mailmaps()
        self._users = self._slack()
        self._said_by_hand()
        self._texts()
        return commits

    # --- git

    def _history(self) -> dict[str, int]:
        theirs = self._theirs("identities")
        rows = self._run(f"SELECT repository_id, sha FROM commits WHERE author_id IN ({numbers(theirs)})").fetchall()
        names = {int(row[0]): str(row[1]) for row in self._run("SELECT id, name FROM repositories")}
        found: dict[str, int] = {}
        for repository, shas in _grouped(rows).items():
            remove(self._connection, repository, shas)
            keep_areas(self._connection, [repository])  # their headings are words of titles
            self._run("UPDATE repositories SET kept_out = kept_out + ? WHERE id = ?", (len(shas), repository))
            self._shas.update(shas)
            found[names[repository]] = len(shas)
        self._committers(theirs)
        self._credits()
        return found

    def _theirs(self, table: str) -> list[int]:
        rows = self._run(f"SELECT id, name, address FROM {table}")
        return [int(row["id"]) for row in rows if self._out.holds(row["name"], row["address"])]

    def _committers(self, theirs: Sequence[int]) -> None:
        nobody = ids_of(self._connection, "identities", "name, address", {NOBODY})[NOBODY]
        self._run(f"UPDATE commits SET committer_id = ? WHERE committer_id IN ({numbers(theirs)})", (nobody,))
        # With them go those who only ever put their commits into a branch, as they do under a machine's address.
        self._run("DELETE FROM identities WHERE commits = 0 AND id NOT IN (SELECT DISTINCT committer_id FROM commits)")

    def _credits(self) -> None:
        theirs = numbers(self._theirs("credited"))
        self._run(f"DELETE FROM credits WHERE credited_id IN ({theirs})")
        self._run("DELETE FROM credited WHERE id NOT IN (SELECT credited_id FROM credits)")

    def _mailmaps(self) -> None:
        """Every file counts as another one, so that whoever keeps people puts them together anew."""
        rows = self._run("SELECT repository_id, text FROM mailmaps").fetchall()
        self._run_many(
            "UPDATE mailmaps SET text = ?, changes = changes + 1 WHERE repository_id = ?",
            [(self._out.mailmap(row["text"]), row["repository_id"]) for row in rows],
        )

    # --- what people said

    def _is_theirs(self, address: str) -> bool:
        """Whether an address, or a login with an @ before it, is theirs in a log."""
        login = login_in_log(address)
        return self._out.holds(login, "") if login else self._out.holds("", address)

    def _slack(self) -> tuple[str, ...]:
        """Whoever they are in Slack, once that is removed."""
        linked = self._run("SELECT about, value FROM said WHERE kind = 'slack' AND action = 'link'")
        known = self._run("SELECT id, address FROM slack_users").fetchall()
        users = {*self._whom.users}
        users |= {row["about"] for row in linked if self._is_theirs(row["value"])}
        users |= {row["id"] for row in known if row["address"] and self._is_theirs(row["address"])}
        for some in batches(sorted(users)):
            self._run(f"DELETE FROM slack_users WHERE id IN ({marks(some)})", some)
            self._run(f"UPDATE digests SET owner = '' WHERE owner IN ({marks(some)})", some)
        self._run("DELETE FROM pending_events")  # whoever is being answered is answered; what waits may name anybody
        return tuple(sorted(users))

    def _said_by_hand(self) -> None:
        """Empty rows are left in place of theirs, by which whoever keeps people notices. What they said of others
        stays, said by nobody."""
        by = {plain(name) for name in (*self._whom.names, *self._whom.addresses, *self._users)}
        rows = self._run("SELECT * FROM said").fetchall()
        theirs = numbers(row["id"] for row in rows if self._is_of_them(row))
        blank = "about = '', value = '', by = '', undone_by = '', undone_at = coalesce(undone_at, ?)"
        self._run(f"UPDATE said SET {blank} WHERE id IN ({theirs})", (self._at,))
        for column in ("by", "undone_by"):
            said = numbers(row["id"] for row in rows if plain(row[column] or "") in by)
            self._run(f"UPDATE said SET {column} = ? WHERE id IN ({said}) AND about <> ''", (SOMEBODY_ERASED,))
        for some in batches(sorted(self._shas)):
            for column in ("change", "event"):
                self._run(f"DELETE FROM digest_snapshots WHERE {column} IN ({marks(some)})", some)

    def _is_of_them(self, row: Row) -> bool:
        if row["kind"] == "change":
            return not self._shas.isdisjoint(row["about"].split())
        if row["kind"] == "slack" and row["about"] in self._users:
            return True
        return any(self._is_theirs(row[column]) for column in ("about", "value") if row[column])

    def _texts(self) -> None:
        names = _Named((*self._whom.names, *self._whom.addresses, *self._users), self._shas)
        for table, keys, text in (
            ("conversations", ("channel", "thread"), "context"),
            ("model_cache", ("key",), "text"),
        ):
            rows = self._run(f"SELECT {', '.join(keys)}, {text} FROM {table}").fetchall()
            where = " AND ".join(f"{key} = ?" for key in keys)
            named = [tuple(row[key] for key in keys) for row in rows if names.are_in(row[text])]
            self._run_many(f"DELETE FROM {table} WHERE {where}", named)
        self._posts(names)

    def _posts(self, names: _Named) -> None:
        """What was not sent is planned anew by whoever wants it. Of what was sent, or may have been, the words go."""
        rows = self._run("SELECT key, thread_key, payload, error, state FROM outbox").fetchall()
        named = [row for row in rows if names.are_in(row["payload"]) or names.are_in(row["error"] or "")]
        open_still = {row["key"] for row in rows if row["state"] in ("planned", "failed")}
        waiting = {row["key"] for row in named if row["key"] in open_still}
        waiting |= {row["key"] for row in rows if row["key"] in open_still and row["thread_key"] in waiting}
        self._run_many("DELETE FROM outbox WHERE key = ?", [(key,) for key in sorted(waiting)])
        self._run_many(
            "UPDATE outbox SET payload = ?, error = NULL WHERE key = ?",
            [(json.dumps({"text": EMPTIED}), row["key"]) for row in named if row["key"] not in waiting],
        )


class _Named:
    """Whether a text in JSON names somebody, or a commit of theirs."""

    def __init__(self, names: Iterable[str], shas: Iterable[str]) -> None:
        words = sorted({plain(name) for name in names if name.strip()}, key=len, reverse=True)
        every = "|".join(map(re.escape, words)) or r"(?!)"
        self._names = re.compile(rf"(?<!\w)(?:{every})(?!\w)")
        self._shas = frozenset(shas)

    def are_in(self, text: str) -> bool:
        try:
            said = list(_said(json.loads(text)))
        except ValueError:
            said = [text]
        return any(self._names.search(plain(one)) or not self._shas.isdisjoint(_SHA.findall(one)) for one in said)


def _said(value: Any) -> Iterator[str]:
    """All texts of a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield str(key)
            yield from _said(each)
    elif isinstance(value, list):
        for each in value:
            yield from _said(each)
