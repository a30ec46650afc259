"""The tables of procrastinate, the queue of index jobs: in PostgreSQL only, made and brought up to date with ours.

Its own migrations are files with SQL (https://procrastinate.readthedocs.io/en/stable/howto/production/migrations.html).
Those that a database has been through are written down beside ours, in a set of their own.
"""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from storage.postgres import PostgresConnection
from storage.sql import written

_SET = "procrastinate"

_found = find_spec("procrastinate")  # without loading it, which takes a third of a second
if _found is None or _found.origin is None:
    raise ImportError("No module named 'procrastinate'")
_FOLDER = Path(_found.origin).parent / "sql"


def missing(connection: PostgresConnection, taken: str) -> tuple[str, ...]:
    """The migrations of the installed procrastinate that a database has not been through, in order; `taken` is the
    table in which migrations are written down."""
    rows = connection.tuples(f"SELECT name FROM {taken} WHERE migration_set = ?", (_SET,))
    done = {row[0] for row in rows}
    return tuple(name for name in _names() if name not in done)


def bring_up_to_date(connection: PostgresConnection, taken: str) -> None:
    """Make the tables, or take the migrations that are missing, inside the caller's transaction."""
    names = missing(connection, taken)
    if names == _names():
        connection.script((_FOLDER / "schema.sql").read_bytes())
    else:
        for name in names:
            connection.script((_FOLDER / "migrations" / f"{name}.sql").read_bytes())
    at = written(datetime.now(UTC))
    connection.executemany(
        f"INSERT INTO {taken} (migration_set, name, applied_at) VALUES (?, ?, ?)", [(_SET, name, at) for name in names]
    )


def _names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (_FOLDER / "migrations").glob("*.sql")))
