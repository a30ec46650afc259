"""PostgreSQL's database: reached, made, brought up to date, looked at; see storage/engine.py."""

from __future__ import annotations

import logging
import re
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool

from bot.database import PostgresAddress
from bot.errors import StoreBusy, StoreLocked, StoreUnavailable
from bot.model import Dates
from storage import index_queue
from storage.engine import START_SECONDS
from storage.migrations import TAKEN, Health, applied, is_current, migrate, table_names
from storage.postgres import PostgresConnection, adapt

index_queue.sql_folder()  # raises ImportError where procrastinate is not installed
logging.getLogger("psycopg").setLevel(logging.ERROR)  # whoever needs a connection says what became of it
OLDEST = 130000  # as PostgreSQL counts its versions: 13, the oldest that is looked after
MOST_CONNECTIONS = 20  # of one process; a thread that writes while it reads takes two
# Who asks is to be told within three seconds that the server is away, and a connection is made in some milliseconds.
CONNECT_SECONDS = 2  # the least that PostgreSQL's own library takes
WAIT_SECONDS = 1.0  # for a connection of the pool, which tries twice in this time to make one
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


class PostgresEngine:
    """The database at an address; see `storage.engine.Engine`. Who writes waits for others at most `busy_seconds`."""

    errors = (psycopg.Error,)

    def __init__(self, address: PostgresAddress, busy_seconds: float) -> None:
        self._address = address
        self._busy_seconds = busy_seconds
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
        self.ahead = timedelta(0)
        weakref.finalize(self, self._pool.close)

    def explained(self, error: Exception) -> Exception:
        text = " ".join(str(error).split())
        code = getattr(error, "sqlstate", None)
        if code is None and not isinstance(error, psycopg.OperationalError):
            return error
        otherwise = _UNREACHABLE if code is None else None
        said = next((advice for pattern, advice in _ADVICE if re.search(pattern, code or text)), otherwise)
        if said is None:
            return error
        for_us, for_all = said.format(f"the database {self._address}", text=text), said.format("my database", text="")
        if said in _PASSING:
            return (StoreLocked if said is _BUSY else StoreBusy)(for_us, for_all.partition(" (")[0].partition(":")[0])
        return StoreUnavailable(for_us, for_all.replace("()", "(see my log)"))

    @contextmanager
    def begun(self, *, write: bool, bulk: bool, durable: bool) -> Iterator[PostgresConnection]:
        self._pool.open()
        with self._pool.connection() as connection:  # commits at the end, or rolls back
            cursor = connection.execute((_BULK if bulk else _WRITE_AT if write else _READ).encode())
            if write and not bulk and cursor.nextset() and (row := cursor.fetchone()):
                self._compare(row[1])
            yield PostgresConnection(connection)

    def _compare(self, theirs: float) -> None:
        """The server's clock with ours: it is asked with each thing that is written, since either may be put right."""
        self.ahead = timedelta(seconds=theirs - time.time())

    @contextmanager
    def held_open(self) -> Iterator[None]:
        """Connections are kept in any case."""
        yield

    def prepare(self, dates: Dates, *, must_exist: bool) -> None:
        with self._alone() as connection:
            connection.script(f"SET lock_timeout = {round(min(self._busy_seconds, START_SECONDS) * 1000) or 1}")
            if self._is_current(connection, dates):
                return
            if must_exist and not applied(connection):
                raise StoreUnavailable(
                    f"nothing is indexed yet (no tables in {self._address}): run `almanac index REPO` first"
                )
            connection.script(_WRITE)  # of several processes that find the tables old, one at a time
            migrate(connection, dates)
            index_queue.migrate_queue(connection)
            connection.script("COMMIT")

    @contextmanager
    def _alone(self) -> Iterator[PostgresConnection]:
        """A connection beside the pool, whose errors are those of the server."""
        with psycopg.connect(self._address.url, **self._kwargs) as connection:
            adapt(connection)
            yield PostgresConnection(connection)

    def _is_current(self, connection: PostgresConnection, dates: Dates = "author") -> bool:
        version, encoding, theirs = connection.tuples(
            f"SELECT current_setting('server_version_num')::int, getdatabaseencoding()::text, {_TIME}"
        )[0]
        self._compare(theirs)
        if version < OLDEST:
            raise StoreUnavailable(
                f"the database {self._address} is of PostgreSQL {version // 10000}: upgrade its server to "
                f"{OLDEST // 10000} or newer"
            )
        if encoding != "UTF8":
            raise StoreUnavailable(
                f"the database {self._address} keeps texts in {encoding}: make one with ENCODING 'UTF8' and "
                f"TEMPLATE template0, and name it in ALMANAC_DB"
            )
        names = connection.names()
        if names and TAKEN not in names:
            raise StoreUnavailable(f"{self._address} is another program's database: name an empty one in ALMANAC_DB")
        return is_current(connection, str(self._address), dates) and not index_queue.missing_steps(connection)

    def health(self, seconds: float) -> Health | None:
        try:
            with self._alone() as connection:
                size, theirs = connection.tuples(f"SELECT pg_database_size(current_database())::int8, {_TIME}")[0]
                self._compare(theirs)
                if not (names := connection.names()):
                    return None
                if TAKEN not in names:
                    return Health(size, is_ours=False)
                lacks = index_queue.missing_steps(connection)
                return Health(size, done=applied(connection), queue_lacks=lacks, ahead=self.ahead)
        except psycopg.Error as error:
            raise self.explained(error) from error

    def check(self) -> None:
        with self._alone() as connection:
            if not self._is_current(connection):
                raise StoreUnavailable(f"the database {self._address} lacks its tables: run `almanac index`")
            connection.script(f"{_WRITE}; ROLLBACK")

    def sweep(self) -> bool:
        """Keeps out all others for as long as it takes to write each table anew, and what the server noted of the
        values in it, of which whoever owns the database may be rid. Its logs and backups are its own matter."""
        with self._alone() as connection:
            is_read = bool(connection.tuples(_READ_NOW))
            connection.script(f"VACUUM (FULL, ANALYZE) {', '.join(sorted(table_names()))}")
            if renewed := connection.tuples(_NOTED):
                (view,) = connection.tuples("SELECT pg_get_viewdef('history'::regclass)")[0]
                types = "; ".join(row[0] for row in renewed)
                connection.script(f"BEGIN; DROP VIEW history; {types}; CREATE VIEW history AS {view} COMMIT")
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
