"""A PostgreSQL server of a test run's own: in a temporary folder, on a socket, for an unprivileged user."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest
from waiting import wait_until

from bot.settings import PostgresAddress
from bot.workspace.server import PATIENCE
from storage import Store
from storage.migrations import STEPS

_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "autovacuum": "off",
    "shared_buffers": "32MB",
    "max_connections": "40",
}
USER = "almanac"


def programs() -> Path | None:
    """The folder of PostgreSQL's programs, of the newest version that is installed."""
    found = shutil.which("initdb")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    return Path(found).parent if found else debian[-1].parent if debian else None


def _unprivileged() -> tuple[list[str], int]:
    """What starts a program as a user that PostgreSQL accepts and ends it with this process; and that user."""
    if os.getuid():
        return ["setpriv", "--pdeathsig", "INT"] if shutil.which("setpriv") else [], os.getuid()
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        ids = ["--reuid", str(user.pw_uid), "--regid", str(user.pw_gid), "--clear-groups"]
        return ["setpriv", *ids, "--pdeathsig", "INT"], user.pw_uid
    pytest.skip("PostgreSQL does not run as root, and there is no user postgres or nobody")


# To make a database and drop it again takes a third of a second, to delete what a test wrote some milliseconds; to
# truncate tables takes longer, for each of their files is made anew, but for what holds many rows.
_EMPTY = """
DO $$ DECLARE one record; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR one IN SELECT oid::regclass AS name, pg_relation_size(oid) AS size FROM pg_class WHERE relkind = 'r'
    AND relnamespace = 'public'::regnamespace AND relname <> '_sqlite_migrations' AND pg_relation_size(oid) > 0
  LOOP EXECUTE format(CASE WHEN one.size > 100000 THEN 'TRUNCATE %s CASCADE' ELSE 'DELETE FROM %s' END, one.name);
  END LOOP;
  PERFORM setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S' AND relname NOT LIKE '_sqlite%';
END $$
"""

# What stays open from test to test has a name.
_END_SESSIONS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE backend_type = 'client backend' AND application_name <> 'tests'
"""
_END_SESSIONS_HERE = _END_SESSIONS + "AND datname = current_database()"


class Server:
    """Gives out databases: with all tables, and what is given back once more, or new ones without any."""

    def __init__(self, folder: Path, command: list[str]) -> None:
        self.folder = folder
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._count = 0
        self._free: list[PostgresAddress] = []
        self._sessions: dict[PostgresAddress, psycopg.Connection] = {}

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log, cwd=self.folder)
        _wait(self.folder, self._process)

    def stop(self) -> None:
        """Ends sessions too."""
        while self._sessions:
            self._sessions.popitem()[1].close()
        if self._process:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(PATIENCE)
            self._process = None

    def freeze(self) -> None:
        """Have it answer nothing, and close no connection, until `thaw`."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, what: signal.Signals) -> None:
        if self._process:
            pid = self._process.pid
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            for one in (pid, *map(int, children)):
                with suppress(ProcessLookupError):
                    os.kill(one, what)

    def address(self, name: str, user: str = USER) -> PostgresAddress:
        return PostgresAddress(f"postgresql://{user}@/{name}?host={self.folder}")

    def run(self, statement: str, address: PostgresAddress | None = None) -> None:
        """In a session that stays open, and is begun again if a test cut it: to begin one takes longer than most of
        what is said in it."""
        one = address or self.address("postgres")
        if one in self._sessions:
            with suppress(psycopg.errors.AdminShutdown):
                self._sessions[one].execute(statement.encode())
                return
        self._sessions[one] = psycopg.connect(one.url, autocommit=True, application_name="tests")
        self._sessions[one].execute(statement.encode())

    def database(self) -> PostgresAddress:
        """One with all tables, empty."""
        if self._free:
            return self._free.pop()
        one = self.new_database()
        Store(one)
        return one

    def new_database(self, options: str = "") -> PostgresAddress:
        """One without tables."""
        self._count += 1
        self.run(f"CREATE DATABASE test{self._count} {options}")
        return self.address(f"test{self._count}")

    def end_sessions(self) -> None:
        """Those of all databases, but for the one that says so."""
        if self._process:
            self.run(_END_SESSIONS)

    def empty(self, address: PostgresAddress) -> None:
        self.run(_EMPTY, address)

    def give_back(self, address: PostgresAddress) -> None:
        """Let another test have it, without anybody who might still write to it, unless this one has changed which
        steps it has been through."""
        self.run(_END_SESSIONS_HERE, address)
        wait_until(lambda: not self._sessions[address].execute(_END_SESSIONS_HERE.encode()).fetchall())
        self.empty(address)
        steps = self._sessions[address].execute(
            "SELECT name FROM _sqlite_migrations WHERE migration_set = 'almanac' ORDER BY id"
        )
        if tuple(name for (name,) in steps) == tuple(STEPS):
            self._free.append(address)


@contextmanager
def server(**settings: str) -> Iterator[Server]:
    """A server that runs, with `settings` beside those above; skips the test, with the reason, where there can be
    none."""
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL is not installed (Debian, Ubuntu: apt install postgresql)")
    start, user = _unprivileged()
    folder = Path(tempfile.mkdtemp(prefix="almanac-pg-"))
    try:
        os.chown(folder, user, -1)
        data = str(folder / "data")
        subprocess.run(
            [*start, str(found / "initdb"), "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
            check=True, capture_output=True, cwd=folder,
        )  # fmt: skip
        options = [part for name, value in (_SETTINGS | settings).items() for part in ("-c", f"{name}={value}")]
        one = Server(folder, [*start, str(found / "postgres"), "-D", data, "-k", str(folder), *options])
        one.start()
        try:
            yield one
        finally:
            one.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait(folder: Path, process: subprocess.Popen[bytes]) -> None:
    """Until the server answers; raises what its log says if it ends."""
    while process.poll() is None:
        try:
            psycopg.connect(f"postgresql://{USER}@/postgres?host={folder}", connect_timeout=10).close()
            return
        except psycopg.OperationalError:
            continue
    raise AssertionError((folder / "log").read_text())
