"""PostgreSQL's side of storage/engine.py: an address, its connections, and its errors in words that say what to do."""

from __future__ import annotations

import logging
import re
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper
from psycopg.types.string import StrBinaryDumper, StrDumper
from psycopg_pool import ConnectionPool

from bot.errors import StoreBusy, StoreLocked, StoreUnavailable
from bot.settings import PostgresAddress
from storage.engine import PAGE, START_SECONDS, Connection, Engine, Health, Values
from storage.migrations import TAKEN, applied, health_of, is_current, migrate, record, table_names
from storage.search import words_of

logging.getLogger("psycopg").setLevel(logging.ERROR)  # whoever needs a connection says what became of it
OLDEST = 130000  # as PostgreSQL counts its versions: 13, the oldest that is looked after
MOST_CONNECTIONS = 20  # of one process; a thread that writes while it reads takes two
# Who asks is to be told within three seconds that the server is away. A connection is made in some milliseconds, on a
# busy machine in a second.
CONNECT_SECONDS = 2  # the least that PostgreSQL's own library takes
WAIT_SECONDS = 2.0  # for a connection of the pool, which tries twice in this time to make one
# For a server that is gone without a word; the parameters of the address go first.
_NETWORK = {"tcp_user_timeout": 5000, "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 2}
_LOCK = 0x416C6D61  # "Alma": whoever writes, or brings the tables up to date, holds it
_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# One process writes at a time, as in SQLite, so that what it has just read is still so.
_WRITE = f"BEGIN; SELECT pg_advisory_xact_lock({_LOCK})"
_TIME = "extract(epoch FROM clock_timestamp())::float8"  # by the server's clock; now() is when a transaction began
_WRITE_AT = f"{_WRITE}, {_TIME}"
# What is read from git is read again if the server loses it; and nothing is lost that was committed before the rest.
_BULK = f"{_WRITE}; SET LOCAL synchronous_commit = off"
_LONGEST_WORD = 2046  # bytes, of PostgreSQL; https://www.postgresql.org/docs/15/textsearch-limitations.html
_MOST_BYTES = 1_000_000  # of the words of a commit; those behind are not found

_HINTS = re.compile(r"\bCROSS (?=JOIN\b)| INDEXED BY \w+")  # by which SQLite is told how to read; PostgreSQL chooses
_BOUND = re.compile(r"'[^']*'|(\?|(?<!:):[a-z]\w*)")


class NamedRow(tuple[Any, ...]):
    """A row whose values are known by the names of their columns too."""

    _places: Mapping[str, int]

    def __getitem__(self, key: Any) -> Any:
        return tuple.__getitem__(self, self._places[key] if isinstance(key, str) else key)

    def keys(self) -> Iterable[str]:
        return self._places.keys()


def _named_rows(cursor: psycopg.Cursor[Any]) -> Callable[[Sequence[Any]], NamedRow]:
    places = {column.name: place for place, column in enumerate(cursor.description or ())}

    def row(values: Sequence[Any]) -> NamedRow:
        made = NamedRow(values)
        made._places = places
        return made

    return row


def adapt(connection: psycopg.Connection[Any]) -> None:
    """Have values bound as one type each, so that a statement that is asked again is planned once."""
    for dumper in (Int8Dumper, Int8BinaryDumper):
        connection.adapters.register_dumper(int, dumper)
    for text in (StrBinaryDumper, StrDumper):
        connection.adapters.register_dumper(str, text)


class PostgresConnection:
    """See `storage.engine.Connection`."""

    engine: Literal["postgres"] = "postgres"

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def _cursor(self) -> psycopg.RawCursor[Any]:
        return psycopg.RawCursor(self._connection)

    def execute(self, sql: str, values: Values = (), /) -> psycopg.RawCursor[NamedRow]:
        cursor = psycopg.RawCursor(self._connection, row_factory=_named_rows)
        statement, names = _translated(sql)
        return cursor.execute(statement, _bound(names, values), binary=True)

    def executemany(self, sql: str, values: Iterable[Values], /) -> None:
        statement, names = _translated(sql)
        self._cursor().executemany(statement, [_bound(names, one) for one in values])

    def tuples(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        statement, names = _translated(sql)
        found: list[tuple[Any, ...]] = self._cursor().execute(statement, _bound(names, values), binary=True).fetchall()
        return found

    def pages(self, sql: str) -> Iterator[list[tuple[Any, ...]]]:
        self._connection.execute(b"SET LOCAL cursor_tuple_fraction = 1")  # all of it is read, not the first rows
        with psycopg.RawServerCursor(self._connection, "pages") as cursor:
            cursor.execute(sql.encode(), binary=True)
            while page := cursor.fetchmany(PAGE):
                yield page

    def load(self, table: str, columns: str, rows: Iterable[Sequence[Any]]) -> None:
        with self._cursor().copy(f"COPY {table} ({columns}) FROM STDIN".encode()) as copy:
            for row in rows:
                copy.write_row(_bound((), row))

    def names(self) -> set[str]:
        here = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
        return {row[0] for row in self.tuples(f"SELECT relname::text FROM pg_class WHERE relnamespace = {here}")}

    def seconds(self) -> int:
        return int(self.tuples("SELECT extract(epoch FROM clock_timestamp())::bigint")[0][0])

    def script(self, statements: str) -> None:
        self._connection.execute(statements.encode())

    def add_words(self, commits: Iterable[tuple[int, str]]) -> None:
        rows = [(number, _vector(words)) for number, words in words_of(commits).items()]
        self.load("commit_words", "commit_id, words", rows)

    def remove_words(self, commits: Iterable[tuple[int, str]]) -> None:
        numbers = [number for number, _ in commits]
        self._connection.execute("DELETE FROM commit_words WHERE commit_id = ANY(%s)", (numbers,))

    def commits_with(self, words: Sequence[str], among: Sequence[int] | None, most: int | None = None) -> list[int]:
        # As FTS5 does: a word that has no letters to it is not looked for, one that has several parts cannot be.
        found = words_of(enumerate(words), "full")
        if not any(found.values()) or any(len(parts) > 1 for parts in found.values()):
            return []
        wanted = " & ".join(sorted({f"'{_cut(parts[0])}'" for parts in found.values() if parts}))
        query, values = "SELECT commit_id FROM commit_words WHERE words @@ $1::tsquery", list[object]([wanted])
        if most is not None:
            query += f" LIMIT {most:d}"
        else:
            query += " ORDER BY commit_id" if among is None else " AND commit_id = ANY($2) ORDER BY commit_id"
            values += [] if among is None else [list(among)]
        return [row[0] for row in self._cursor().execute(query.encode(), values)]


@lru_cache(1024)
def _translated(sql: str) -> tuple[bytes, tuple[str, ...]]:
    """A statement as PostgreSQL takes it, and the names of its values in order, or their places."""
    names: list[str] = []

    def numbered(match: re.Match[str]) -> str:
        if not match[1]:
            return match[0]
        name = match[1][1:] or str(len(names))  # each ? is a value of its own
        if name not in names:
            names.append(name)
        return f"${names.index(name) + 1}"

    return _BOUND.sub(numbered, _HINTS.sub("", sql)).encode(), tuple(names)


def _bound(names: tuple[str, ...], values: Values) -> Sequence[Any]:
    found: Sequence[Any] = [values[name] for name in names] if isinstance(values, Mapping) else values
    if any(isinstance(value, str) and "\0" in value for value in found):  # which no text of PostgreSQL holds
        found = [value.replace("\0", "\ufffd") if isinstance(value, str) else value for value in found]
    return found


def _cut(word: str) -> str:
    return word.encode()[:_LONGEST_WORD].decode(errors="ignore")


def _vector(words: Iterable[str]) -> str:
    """Words as a tsvector is written; they are letters and digits alone."""
    said = " ".join(map(_cut, words))
    if len(said) * 4 > _MOST_BYTES:
        said = said.encode()[:_MOST_BYTES].decode(errors="ignore").rpartition(" ")[0]
    return said


class PostgresEngine(Engine):
    """The database at an address."""

    errors = (psycopg.Error,)
    place: PostgresAddress

    def __init__(self, address: PostgresAddress, busy_seconds: float) -> None:
        super().__init__(address, busy_seconds)
        try:
            given = conninfo_to_dict(address.url)
        except psycopg.ProgrammingError:
            raise StoreUnavailable(
                f"the database {address} cannot be reached: ALMANAC_DB is not written as PostgreSQL reads it"
            ) from None
        # Just-in-time compilation takes longer than most of what is asked here.
        options = f"{given.get('options', '')} -c jit=off -c lock_timeout={max(1, int(busy_seconds * 1000))}"
        self._kwargs: dict[str, Any] = {
            **{name: value for name, value in _NETWORK.items() if name not in given},
            "autocommit": True, "connect_timeout": CONNECT_SECONDS, "application_name": "almanac",
            "client_encoding": "utf8", "options": options,
        }  # fmt: skip
        self._pool = ConnectionPool(
            address.url, kwargs=self._kwargs, configure=adapt, min_size=0, max_size=MOST_CONNECTIONS, open=False,
            timeout=WAIT_SECONDS, reconnect_timeout=WAIT_SECONDS / 2, name="almanac",
            check=ConnectionPool.check_connection,  # those that broke while they waited are passed over
        )  # fmt: skip
        weakref.finalize(self, self._pool.close)

    def explained(self, error: BaseException) -> BaseException:
        if not isinstance(error, self.errors):
            return error
        text = " ".join(str(error).split())
        code = getattr(error, "sqlstate", None)
        if code is None and not isinstance(error, psycopg.OperationalError):
            return error
        otherwise = _UNREACHABLE if code is None else None
        said = next((advice for pattern, advice in _ADVICE if re.search(pattern, code or text)), otherwise)
        if said is None:
            return error
        for_us, for_all = said.format(f"the database {self.place}", text=text), said.format("my database", text="")
        if said in _PASSING:
            return (StoreLocked if said is _BUSY else StoreBusy)(for_us, for_all.partition(" (")[0].partition(":")[0])
        return StoreUnavailable(for_us, for_all.replace("()", "(see my log)"))

    @contextmanager
    def begun(self, *, write: bool, bulk: bool) -> Iterator[PostgresConnection]:
        self._pool.open()
        with self._pool.connection() as connection:  # commits at the end, or rolls back
            cursor = connection.execute((_BULK if bulk else _WRITE_AT if write else _READ).encode())
            if write and not bulk and cursor.nextset() and (row := cursor.fetchone()):
                self._compare(row[1])
            yield PostgresConnection(connection)

    def _compare(self, theirs: float) -> None:
        """The server's clock with ours: it is asked with each thing that is written, since either may be put right."""
        self.ahead = timedelta(seconds=theirs - time.time())

    def made(self, *, must_exist: bool) -> None:
        with self._alone() as connection:
            connection.script(f"SET lock_timeout = {round(min(self._busy_seconds, START_SECONDS) * 1000) or 1}")
            if self._is_current(connection):
                return
            if must_exist and not applied(connection):
                raise StoreUnavailable(
                    f"nothing is indexed yet (no tables in {self.place}): run `almanac index REPO` first"
                )
            connection.script(_WRITE)  # of several processes that find the tables old, one at a time
            migrate(connection)
            migrate_queue(connection)
            connection.script("COMMIT")

    @contextmanager
    def _alone(self) -> Iterator[PostgresConnection]:
        """A connection beside the pool, whose errors are those of the server."""
        with psycopg.connect(self.place.url, **self._kwargs) as connection:
            adapt(connection)
            yield PostgresConnection(connection)

    def _is_current(self, connection: PostgresConnection) -> bool:
        version, encoding, theirs = connection.tuples(
            f"SELECT current_setting('server_version_num')::int, getdatabaseencoding()::text, {_TIME}"
        )[0]
        self._compare(theirs)
        if version < OLDEST:
            raise StoreUnavailable(
                f"the database {self.place} is of PostgreSQL {version // 10000}: upgrade its server to "
                f"{OLDEST // 10000} or newer"
            )
        if encoding != "UTF8":
            raise StoreUnavailable(
                f"the database {self.place} keeps texts in {encoding}: make one with ENCODING 'UTF8' and "
                f"TEMPLATE template0, and name it in ALMANAC_DB"
            )
        names = connection.names()
        if names and TAKEN not in names:
            raise StoreUnavailable(f"{self.place} is another program's database: name an empty one in ALMANAC_DB")
        return is_current(connection, str(self.place)) and not missing_steps(connection)

    def health(self, seconds: float) -> Health | None:
        with self.explaining(), self._alone() as connection:
            size, theirs = connection.tuples(f"SELECT pg_database_size(current_database())::int8, {_TIME}")[0]
            self._compare(theirs)
            if not (names := connection.names()):
                return None
            if TAKEN not in names:
                return Health(size, is_ours=False)
            return health_of(connection, size, queue_lacks=missing_steps(connection), ahead=self.ahead)

    def sweep(self) -> bool:
        """Keeps out all others for as long as it takes to write each table anew, and what the server noted of the
        values in it, of which whoever owns the database may be rid. Its logs and backups are its own matter."""
        with self.explaining(), self._alone() as connection:
            is_read = bool(connection.tuples(_READ_NOW))
            connection.script(f"VACUUM (FULL, ANALYZE) {', '.join(sorted(table_names()))}")
            for (renew,) in connection.tuples(_NOTED):
                connection.script(renew)
            connection.script("VACUUM (FULL) pg_catalog.pg_statistic")
            with suppress(psycopg.errors.InsufficientPrivilege):
                connection.script("CHECKPOINT")  # what was dropped goes from the disk now
        return not is_read


# Who reads keeps what was there when they began, which then is written anew too.
_READ_NOW = """SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND backend_xmin IS NOT NULL
AND pid <> pg_backend_pid()"""
# What is noted of an empty table stays as it was, but for columns that are given their type once more.
_NOTED = """SELECT format('ALTER TABLE %I ALTER COLUMN %I TYPE %s%s', tablename, pg_stats.attname, typname,
CASE typname WHEN 'text' THEN ' COLLATE "C"' ELSE '' END)
FROM pg_stats JOIN pg_attribute ON attrelid = format('%I.%I', schemaname, tablename)::regclass
 AND pg_attribute.attname = pg_stats.attname JOIN pg_type ON pg_type.oid = atttypid
WHERE schemaname = current_schema() AND typname IN ('text', 'bytea', 'tsvector') AND pg_relation_size(attrelid) = 0
 AND EXISTS (SELECT 1 FROM pg_class WHERE pg_class.oid = attrelid AND relkind = 'r')"""
_BUSY = "{0} is locked by another process: wait until it has finished, then try again"
_UNREACHABLE = "{0} cannot be reached ({text}): see whether the server runs, and what ALMANAC_DB says"
_TOO_MANY = "{0} has no connection left: let the server take more (max_connections), or stop what holds them"
_RIGHTS = "{0} lets this user not do that ({text}): give it the right to make and change tables there"
_FULL = "the disk of {0} is full: free some room, then try again"
_SHORT = "{0} is short of memory or of what it may use ({text}): let its server have more, then try again"
_LIMITED = "{0} lets nothing take so long ({text}): lift that limit for this user"
_READ_ONLY = "{0} is read-only: name the server that takes changes in ALMANAC_DB"
_PASSING = (_BUSY, _UNREACHABLE, _TOO_MANY, _READ_ONLY)  # the last is a server that another takes the place of
# By the code of what the server says of a statement (https://www.postgresql.org/docs/15/errcodes-appendix.html), and by
# the words of what it says of a connection that it does not take, which has none.
_ADVICE = (
    ("^55P03$", _BUSY),  # the lock was not free in time
    ("^40...$", _BUSY),  # a deadlock, or two that changed the same
    ("^53300$|too many (clients|connections)|connection slots are reserved", _TOO_MANY),
    ("^53100$", _FULL),
    ("^53...$", _SHORT),
    ("^57014$|^25P..$", _LIMITED),
    ("^42501$|permission denied", _RIGHTS),
    ("^25006$", _READ_ONLY),
    ("^57P..$|^08...$", _UNREACHABLE),  # it is shut down or starts; the connection is lost
    ("password authentication failed", "{0} does not take this user or password: correct them in ALMANAC_DB"),
    ("no password supplied", "{0} wants a password: write it into ALMANAC_DB"),
    ("does not exist", "{0} does not exist ({text}): make it with `createdb`, or correct ALMANAC_DB"),
)


# --- the tables of procrastinate, the queue of index jobs, made and brought up to date with ours; which workers run.
# --- Whoever defers, lists, takes and ends jobs is procrastinate (bot/index/jobs.py).

# Of two numbers, so that it is not mistaken for the one that writers hold above.
WORKERS = 0x416C6D77


def sql_folder() -> Path:
    """Where procrastinate has its tables and their migrations, each a file with SQL
    (https://procrastinate.readthedocs.io/en/stable/howto/production/migrations.html). It is not loaded for that, which
    takes a third of a second. Raises ImportError where it is not installed."""
    found = find_spec("procrastinate")
    if found is None or found.origin is None:
        raise ImportError("No module named 'procrastinate'")
    return Path(found.origin).parent / "sql"


def missing_steps(connection: Connection) -> tuple[str, ...]:
    """The migrations of the installed procrastinate that a database has not been through, in order."""
    done = applied(connection, "procrastinate")
    names = sorted(path.stem for path in (sql_folder() / "migrations").glob("*.sql"))
    return tuple(name for name in names if name not in done)


def migrate_queue(connection: Connection) -> None:
    """Make the tables, or take the migrations that are missing, inside the caller's transaction."""
    missing = missing_steps(connection)
    files = [sql_folder() / "migrations" / f"{name}.sql" for name in missing]
    if not applied(connection, "procrastinate"):
        files = [sql_folder() / "schema.sql"]
    for file in files:
        connection.script(file.read_text(encoding="utf-8"))
    for name in missing:
        record(connection, name, "procrastinate")


def workers(connection: Connection) -> int:
    """How many workers run: each holds a lock as long as it does."""
    query = f"""SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND objid = 0
                AND classid = {WORKERS}
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
    return int(connection.tuples(query)[0][0])


WORKER_SECONDS = 3  # that a worker waits for a connection


def connection_options(name: str = "almanac", *, durable: bool = True) -> dict[str, Any]:
    """What psycopg is given for a connection that is held. That the other side is gone is noticed within half a
    minute, here and there. Who does not ask for what is `durable` does not wait for the server's disk."""
    patience = "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
    patience += "" if durable else " -c synchronous_commit=off"
    return {
        "connect_timeout": WORKER_SECONDS, "application_name": name, "options": patience,
        "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 25_000,
    }  # fmt: skip


class WorkerSession:
    """A connection that says that a worker runs, as long as it lasts. Any thread may use it. Raises psycopg.Error where
    it is lost."""

    def __init__(self, address: PostgresAddress) -> None:
        self._connection = psycopg.connect(address.url, autocommit=True, **connection_options("almanac worker"))
        self._asked("pg_advisory_lock_shared(%s, 0)", WORKERS)

    def close(self) -> None:
        """The server would let go of the locks too, but some time after the connection ended."""
        with suppress(psycopg.Error):
            self._asked("pg_advisory_unlock_all()")
        self._connection.close()

    def _asked(self, function: str, *values: object) -> Any:
        row = self._connection.execute(f"SELECT {function}".encode(), values).fetchone()
        return row and row[0]

    @contextmanager
    def alone(self) -> Iterator[bool]:
        """Whether no other worker is in this block."""
        is_alone = bool(self._asked("pg_try_advisory_lock(%s, 1)", WORKERS))
        try:
            yield is_alone
        finally:
            if is_alone:
                with suppress(psycopg.Error):  # a lost connection has let go of it
                    self._asked("pg_advisory_unlock(%s, 1)", WORKERS)


sql_folder()  # raises ImportError where procrastinate is not installed
