"""Which version of the tables a database has, and what brings it up to date.

A new database is made from its engine's file, sqlite.sql or postgres.sql. A change of the tables is one of both files,
and a further step in STEPS that makes older databases the same. Steps are only ever appended, so that every database
of a release since 0.2.0 can be brought up to date.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.errors import SchemaNewer, StoreUnavailable
from storage.commit_rows import keep_areas, recredit, refer_anew, renumbered
from storage.engine import Connection, Health, numbers, written

BEFORE_0_2 = (
    "was made by an Almanac before 0.2.0, or by one between that and the next release, which this one cannot read: "
    "move it away and run `almanac index` to make it anew; what people said by hand (links, corrections, who is hidden "
    "or forgotten) and digests made in Slack are only in the old file, and are to be entered again"
)
# The last steps of 0.2.0, and of what followed it. Databases that are between the two belong to no release.
_OF_0_2, _SINCE_0_2 = "m005_commit_files", "m021_workers"
Step = Callable[[Connection], None]


def _tables(engine: str) -> str:
    """The file from which a new database of an engine is made."""
    return Path(__file__).with_name(f"{engine}.sql").read_text(encoding="utf-8")


def table_names() -> list[str]:
    """The tables of a database, those first that others refer to."""
    return re.findall(r"^CREATE (?:VIRTUAL )?TABLE (\w+)", _tables("sqlite"), re.MULTILINE)


def _run(connection: Connection, script: str) -> None:
    """Run on either engine what is written for SQLite."""
    if connection.engine == "postgres":
        for ours, theirs in (("TEXT", 'TEXT COLLATE "C"'), ("BLOB", "BYTEA"), (" WITHOUT ROWID", "")):
            script = script.replace(ours, theirs)
    connection.script(script)


def _since_0_2(connection: Connection) -> None:
    """0.2.0's tables as those of the release after it.

    A message that was begun before its words were known gets those that it has; one that may have begun is answered
    anew. Ids are given once: those of commits go on behind what is still said of some that are gone. The four logs of
    what was said by hand are one. Numbers of links of addresses stay; all others are new ones, that no row of any of
    the four had: what names an old one, such as a button in Slack, finds nothing instead of another's.
    """
    _run(connection, _STEPS_SINCE_0_2)
    stray = " UNION ALL SELECT commit_id FROM commit_references UNION ALL SELECT commit_id FROM credits"
    for table in ("repositories", "identities", "commits", "paths", "credited"):
        every = f"SELECT id FROM {table}{stray if table == 'commits' else ''}"
        connection.execute(f"INSERT INTO ids SELECT '{table}', id FROM ({every}) AS every ORDER BY id DESC LIMIT 1")
    every = " UNION ALL ".join(f"SELECT id FROM {table}" for table in _LOGS)
    (last,) = connection.tuples(f"SELECT coalesce(max(id), 0) FROM ({every}) AS every")[0]
    for place, (table, columns) in enumerate(_LOGS.items()):
        connection.execute(
            f"""INSERT INTO said (id, kind, action, about, value, confirmed, by, at, undone_by, undone_at)
                SELECT id + {place * last}, {columns}, by, at, undone_by, undone_at FROM {table}"""
        )
        connection.execute(f"DROP TABLE {table}")
    connection.execute("INSERT INTO ids VALUES ('said', ?)", (len(_LOGS) * last,))
    if connection.engine == "postgres":
        _once(connection)
        _keys(connection)
    refer_anew(connection)  # by the number of what a revert took out, if it is before its own; 0.1 ms a commit


_STEPS_SINCE_0_2 = """
ALTER TABLE commits ADD COLUMN came_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE commits ADD COLUMN via BLOB;
UPDATE commits SET came_at = committed_at;
CREATE INDEX commits_by_came ON commits (repository_id, came_at, author_id);
DROP INDEX IF EXISTS commits_by_author_committed;
DROP INDEX IF EXISTS commits_by_time_committed;
ALTER TABLE repositories DROP COLUMN worker;
ALTER TABLE repositories ADD COLUMN arrived TEXT;
ALTER TABLE repositories ADD COLUMN audience TEXT;
ALTER TABLE repositories ADD COLUMN token TEXT NOT NULL DEFAULT '';
ALTER TABLE repositories ADD COLUMN token_until BIGINT NOT NULL DEFAULT 0;
ALTER TABLE repositories ADD COLUMN kept_out INTEGER NOT NULL DEFAULT 0;
ALTER TABLE repositories ADD COLUMN unlisted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN only_for TEXT;
ALTER TABLE outbox ADD COLUMN not_before TEXT;
ALTER TABLE outbox ADD COLUMN asked_by TEXT;
UPDATE outbox SET state = 'planned' WHERE state = 'sending' AND tried_at IS NULL AND ts IS NOT NULL;
DELETE FROM outbox WHERE state = 'sending' AND tried_at IS NULL;
ALTER TABLE digests ADD COLUMN wanted_at TEXT;
DROP TABLE previews;
DROP TABLE preview_optouts;
DROP TABLE mention_optins;
CREATE TABLE ids (name TEXT PRIMARY KEY, last BIGINT NOT NULL) WITHOUT ROWID;
CREATE TABLE said (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, action TEXT NOT NULL, about TEXT NOT NULL,
  value TEXT NOT NULL, confirmed INTEGER NOT NULL, by TEXT NOT NULL, at TEXT NOT NULL, undone_by TEXT, undone_at TEXT);
"""
# What each log of 0.2.0 held, as kind, action, about, value and confirmed.
_LOGS = {
    "people_links": "'address', action, address, other, confirmed",
    "hidden_people": "'hide', 'hide', address, '', 0",
    "slack_links": """'slack', action, "user", address, confirmed""",
    "corrections": "'change', field, change, value, 0",
}


def _once(connection: Connection) -> None:
    """Of what a server let in twice, the first stays, and stands for the others."""
    moved: dict[str, dict[int, int]] = {}
    for table, columns in (("identities", "name, address"), ("credited", "name, address"), ("paths", "path")):
        same = f"SELECT id, min(id) OVER (PARTITION BY {columns}) AS first FROM {table}"
        moved[table] = dict(connection.tuples(f"SELECT id, first FROM ({same}) AS same WHERE id <> first"))
    people = [(first, other) for other, first in moved["identities"].items()]
    for column in ("author_id", "committer_id"):
        connection.executemany(f"UPDATE commits SET {column} = ? WHERE {column} = ?", people)
    count = "SELECT count(*) FROM commits WHERE author_id = identities.id"
    connection.execute(
        f"UPDATE identities SET commits = ({count}) WHERE id IN ({numbers(first for first, _ in people)})"
    )
    for page in connection.pages("SELECT files, commit_id FROM commit_files") if moved["paths"] else ():
        files = [(renumbered(packed, moved["paths"]), commit) for packed, commit in page]
        connection.executemany("UPDATE commit_files SET files = ? WHERE commit_id = ?", files)
    for table, others in moved.items():
        connection.execute(f"DELETE FROM {table} WHERE id IN ({numbers(others)})")
    if moved["credited"]:
        recredit(connection)
    connection.script(
        """DELETE FROM tags AS one USING tags AS other WHERE one.repository_id = other.repository_id
        AND one.name = other.name AND one.ctid > other.ctid;"""
    )


def _keys(connection: Connection) -> None:
    """Uniqueness and references on a server too, by name whom commits credit, and no ids but those of the table."""
    for table, column, other, then in (
        ("commits", "repository_id", "repositories", ""), ("commits", "author_id", "identities", ""),
        ("commits", "committer_id", "identities", ""), ("credits", "credited_id", "credited", ""),
        ("tags", "repository_id", "repositories", ""), ("diff_cache", "commit_id", "commits", " ON DELETE CASCADE"),
        ("mailmaps", "repository_id", "repositories", " ON DELETE CASCADE"),
        ("commit_files", "commit_id", "commits", " ON DELETE CASCADE"),
    ):  # fmt: skip
        there = f"SELECT 1 FROM {other} WHERE {other}.id = {table}.{column}"
        connection.script(  # nothing could be told of what is deleted
            f"DELETE FROM {table} WHERE NOT EXISTS ({there});"
            f"ALTER TABLE {table} ADD FOREIGN KEY ({column}) REFERENCES {other} (id){then};"
        )
    connection.script(
        """ALTER TABLE identities ADD EXCLUDE USING hash ((ARRAY[name, address]) WITH =);
        ALTER TABLE credited ADD EXCLUDE USING hash ((ARRAY[name, address]) WITH =);
        ALTER TABLE tags ADD EXCLUDE USING hash ((ARRAY[repository_id::text COLLATE "C", name]) WITH =);
        ALTER TABLE paths ADD EXCLUDE USING hash (path WITH =);
        DROP INDEX paths_by_path;
        CREATE INDEX credited_by_name ON credited USING hash (name);"""
    )
    for table in ("repositories", "identities", "commits", "paths", "credited"):
        connection.script(f"ALTER TABLE {table} ALTER COLUMN id DROP IDENTITY;")


def _areas(connection: Connection) -> None:
    """What whole repositories are made of is learnt, and kept from now on; 0.1 s of one of 5,000 commits a year."""
    _run(connection, "ALTER TABLE repositories ADD COLUMN areas TEXT;")
    keep_areas(connection, [one for (one,) in connection.tuples("SELECT id FROM repositories WHERE tip IS NOT NULL")])


# The index that was made only for who tells months by the day on which commits came.
_MONTHS_BY_CAME = """DROP VIEW IF EXISTS history;
CREATE INDEX IF NOT EXISTS commits_by_author_came ON commits (author_id, came_at, repository_id);"""
STEPS: dict[str, Step] = {
    "m001_schema": lambda _: None,  # what every database begins with
    _SINCE_0_2: _since_0_2,
    "m022_months_by_came": lambda connection: _run(connection, _MONTHS_BY_CAME),
    "m023_opinions": lambda connection: _run(connection, "DROP TABLE IF EXISTS feedback;"),
    # What came by merges is looked for once more: those of many people bring their changes on their own day now.
    "m024_arrivals": lambda connection: _run(connection, "UPDATE repositories SET arrived = NULL;"),
    "m025_diffs": lambda connection: _run(connection, "DROP TABLE IF EXISTS diff_cache;"),  # read anew each time
    "m026_areas": _areas,
}
# Where the steps that a database has been through are written down, in a file by sqlite-utils.
TAKEN = "_sqlite_migrations"


def health_of(connection: Connection, size: int, **found: Any) -> Health:
    """By the steps that a database has been through."""
    done, last = applied(connection), [*STEPS][-1]
    missing = (*(step for step in STEPS if step not in done), *found.pop("queue_lacks", ()))
    newest = max(done, default=last)
    is_outdated = newest < _SINCE_0_2 and newest != _OF_0_2
    return Health(size, done=done, missing=missing, is_outdated=is_outdated, is_newer=newest > last, **found)


def is_current(connection: Connection, shown: str) -> bool:
    """Whether a database has been through all steps. Raises StoreUnavailable for one that this Almanac cannot read;
    `shown` is what it is called."""
    found = health_of(connection, 0)
    if found.is_outdated:
        raise StoreUnavailable(f"the database {shown} {BEFORE_0_2}")
    if found.is_newer:
        raise SchemaNewer(
            f"the database {shown} was made by a newer Almanac: upgrade this one, or name another in ALMANAC_DB"
        )
    return not found.missing


def applied(connection: Connection, steps: str = "almanac") -> tuple[str, ...]:
    """The steps, ours or those of another set, that a database has been through, in order; none if it is new."""
    if TAKEN not in connection.names():
        return ()
    rows = connection.execute(f"SELECT name FROM {TAKEN} WHERE migration_set = ? ORDER BY id", (steps,))
    return tuple(row[0] for row in rows)


def record(connection: Connection, name: str, steps: str = "almanac") -> None:
    """Write down that a step is taken."""
    connection.execute(
        f"INSERT INTO {TAKEN} (migration_set, name, applied_at) VALUES (?, ?, ?)",
        (steps, name, written(datetime.now(UTC))),
    )


def migrate(connection: Connection) -> None:
    """Make the tables of a new database, or take the steps that an older one has not been through, inside the caller's
    transaction."""
    done = applied(connection)
    if done and connection.engine == "sqlite":
        _apply(connection)
        return
    if not done:
        connection.script(_tables(connection.engine))
    for name in [name for name in STEPS if name not in done]:
        if done:
            STEPS[name](connection)
        record(connection, name)


def _apply(connection: Connection) -> None:
    """By sqlite-utils, which is loaded only now: it takes a fifth of a second."""
    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations

    migrations = Migrations("almanac")
    for name, step in STEPS.items():
        migrations(name=name)(lambda _, step=step: step(connection))
    migrations.apply(Database(connection, execute_plugins=False))  # type: ignore[arg-type]
