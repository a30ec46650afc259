"""Which version of the tables a database has, and what brings it up to date.

A new database is made from its engine's file, sqlite.sql or postgres.sql. A change of the tables is one of both files,
and a further step in STEPS that makes older databases the same. Steps are only ever appended, so that every database
made since 0.2.0 can be brought up to date.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.errors import SchemaNewer, StoreUnavailable
from bot.model import Dates
from storage.commit_rows import pack_files, refer_anew
from storage.engine import Connection, Health, written

BEFORE_0_2 = (
    "was made by an Almanac before 0.2.0, which this one cannot read: move it away and run `almanac index` to make it "
    "anew; what people said by hand (links, corrections, who is hidden or forgotten) and digests made in Slack are "
    "only in the old file, and are to be entered again"
)
_OLD_STEP = "m001_history"  # of the versions before 0.2.0, whose tables are not read any more
# It makes a long history's file longer, so it is made only where a person's month is told by the day on which commits
# came; there, it stays.
_BY_CAME = "commits_by_author_came"


Step = Callable[[Connection], None]


def _tables(engine: str) -> str:
    """The file from which a new database of an engine is made."""
    return Path(__file__).with_name(f"{engine}.sql").read_text(encoding="utf-8")


def table_names() -> list[str]:
    """The tables of a database, those first that others refer to."""
    return re.findall(r"^CREATE (?:VIRTUAL )?TABLE (\w+)", _tables("sqlite"), re.MULTILINE)


def _schema(connection: Connection) -> None:
    """Today's tables: no step is taken after it."""
    connection.script(_tables(connection.engine))


def _lower(connection: Connection) -> None:
    """Names without their case by an expression that both engines know."""
    for name in ("credited_by_name", "credited_by_address", "corrections_by_change"):
        connection.script(f"DROP INDEX IF EXISTS {name};")
    by = "USING hash" if connection.engine == "postgres" else ""
    for column, where in (("name", ""), ("address", " WHERE address <> ''")):
        index = f"credited_by_lower_{column} ON credited {by} (lower({column})){where}"
        connection.script(f"CREATE INDEX IF NOT EXISTS {index};")


def _commit_files(connection: Connection) -> None:
    """The files of a commit in one row, where there was a row a file."""
    if "files" not in connection.names():
        return
    connection.script("DROP VIEW history;")
    refers = "REFERENCES commits (id) ON DELETE CASCADE" if connection.engine == "sqlite" else ""  # there, by step 13
    _make(connection, f"CREATE TABLE commit_files (commit_id INTEGER PRIMARY KEY {refers}, files BLOB NOT NULL);")
    pack_files(connection)
    connection.script("DROP TABLE files;")


def _came(connection: Connection) -> None:
    _add(connection, "commits", "came_at BIGINT NOT NULL DEFAULT 0", "via BLOB")
    _add(connection, "repositories", "arrived TEXT")
    connection.script(
        """UPDATE commits SET came_at = committed_at;
        CREATE INDEX commits_by_came ON commits (repository_id, came_at, author_id);
        DROP INDEX IF EXISTS commits_by_author_committed;
        DROP INDEX IF EXISTS commits_by_time_committed;"""
    )


def _whispers(connection: Connection) -> None:
    """A message that was begun before its words were known gets those that it has; one that may have begun is answered
    anew."""
    _add(connection, "outbox", "only_for TEXT", "not_before TEXT", "asked_by TEXT")
    begun = "state = 'sending' AND tried_at IS NULL"
    connection.execute(f"UPDATE outbox SET state = 'planned' WHERE {begun} AND ts IS NOT NULL")
    connection.execute(f"DELETE FROM outbox WHERE {begun}")


def _ids(connection: Connection) -> None:
    """Ids that are given once, those of commits behind what is still said of some that are gone."""
    _make(connection, "CREATE TABLE ids (name TEXT PRIMARY KEY, last BIGINT NOT NULL) WITHOUT ROWID;")
    stray = " UNION ALL SELECT commit_id FROM commit_references UNION ALL SELECT commit_id FROM credits"
    for table in ("repositories", "identities", "commits", "paths", "credited", *_LOGS):
        every = f"SELECT id FROM {table}{stray if table == 'commits' else ''}"
        connection.execute(f"INSERT INTO ids SELECT '{table}', id FROM ({every}) AS every ORDER BY id DESC LIMIT 1")
    _add(connection, "repositories", "kept_out INTEGER NOT NULL DEFAULT 0")


def _keys(connection: Connection) -> None:
    """Uniqueness and references on a server too, and by name whom commits credit, which step 2 dropped there."""
    if connection.engine == "sqlite":
        return
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


def _previews(connection: Connection) -> None:
    """Nobody is asked before a digest any more, and nobody is mentioned in one."""
    for table in ("previews", "preview_optouts", "mention_optins"):
        connection.script(f"DROP TABLE IF EXISTS {table};")


def _said(connection: Connection) -> None:
    """The four logs of what was said by hand as one. Numbers of links of addresses stay; all others are new ones, that
    no row of any of the four had: what names an old one, such as a button in Slack, finds nothing instead of another's.
    """
    _make(
        connection,
        """CREATE TABLE said (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, action TEXT NOT NULL, about TEXT NOT NULL,
        value TEXT NOT NULL, confirmed INTEGER NOT NULL, by TEXT NOT NULL, at TEXT NOT NULL, undone_by TEXT,
        undone_at TEXT);""",
    )
    names = ", ".join(f"'{table}'" for table in _LOGS)
    every = " UNION ALL ".join(f"SELECT id FROM {table}" for table in _LOGS)
    given = f"SELECT last AS id FROM ids WHERE name IN ({names}) UNION ALL {every}"
    (last,) = connection.tuples(f"SELECT coalesce(max(id), 0) FROM ({given}) AS given")[0]
    for place, (table, columns) in enumerate(_LOGS.items()):
        connection.execute(
            f"""INSERT INTO said (id, kind, action, about, value, confirmed, by, at, undone_by, undone_at)
                SELECT id + {place * last}, {columns}, by, at, undone_by, undone_at FROM {table}"""
        )
        connection.execute(f"DROP TABLE {table}")
    connection.execute(f"DELETE FROM ids WHERE name IN ({names})")
    connection.execute("INSERT INTO ids VALUES ('said', ?)", (len(_LOGS) * last,))


def _numbers(connection: Connection) -> None:
    """All ids are those of the table `ids`, on a server too."""
    for table in ("repositories", "identities", "commits", "paths", "credited", "said"):
        if connection.engine == "postgres":
            connection.script(f"ALTER TABLE {table} ALTER COLUMN id DROP IDENTITY IF EXISTS;")


# Until step 18: what each log held, as kind, action, about, value and confirmed.
_LOGS = {
    "people_links": "'address', action, address, other, confirmed",
    "hidden_people": "'hide', 'hide', address, '', 0",
    "slack_links": """'slack', action, "user", address, confirmed""",
    "corrections": "'change', field, change, value, 0",
}


def _add(connection: Connection, table: str, *columns: str) -> None:
    for column in columns:
        _make(connection, f"ALTER TABLE {table} ADD COLUMN {column};")


def _make(connection: Connection, script: str) -> None:
    """In the words of SQLite, or those that they are on a server."""
    if connection.engine == "postgres":
        script = script.replace("TEXT", 'TEXT COLLATE "C"').replace("BLOB", "BYTEA").replace(" WITHOUT ROWID", "")
    connection.script(script)


def _added(table: str, *columns: str) -> Step:
    return lambda connection: _add(connection, table, *columns)


STEPS: dict[str, Step] = {
    "m001_schema": _schema,
    "m002_lower": _lower,
    "m003_leases": _added("pending_events", "leased_until TEXT"),
    "m004_workers": _added("repositories", "worker TEXT NOT NULL DEFAULT ''"),
    "m005_commit_files": _commit_files,
    "m006_came": _came,
    "m007_whispers": _whispers,
    "m008_audiences": _added("repositories", "audience TEXT"),
    "m009_references": lambda _: None,  # step 20 makes them
    "m010_tokens": _added("repositories", "token TEXT NOT NULL DEFAULT ''", "token_until BIGINT NOT NULL DEFAULT 0"),
    "m011_wanted": _added("digests", "wanted_at TEXT"),
    "m012_ids": _ids,
    "m013_keys": _keys,
    "m014_unlisted": _added("repositories", "unlisted INTEGER NOT NULL DEFAULT 0"),
    "m015_references": lambda _: None,
    "m016_references": lambda _: None,
    "m017_previews": _previews,
    "m018_said": _said,
    "m019_numbers": _numbers,
    "m020_references": refer_anew,  # by the number of what a revert took out, if it is before its own; 0.1 ms a commit
    "m021_workers": lambda connection: connection.script("ALTER TABLE repositories DROP COLUMN worker;"),
}
# Where the steps that a database has been through are written down, in a file by sqlite-utils.
TAKEN = "_sqlite_migrations"


def health_of(connection: Connection, size: int, **found: Any) -> Health:
    """By the steps that a database has been through."""
    done, names = applied(connection), STEPS
    missing = (*(step for step in names if step not in done), *found.pop("queue_lacks", ()))
    is_outdated = _OLD_STEP in done
    is_newer = not is_outdated and not {*done} <= {*names}
    return Health(size, done=done, missing=missing, is_outdated=is_outdated, is_newer=is_newer, **found)


def is_current(connection: Connection, shown: str, dates: Dates = "author") -> bool:
    """Whether a database has all tables, and the indexes by which months of these dates are read. Raises
    StoreUnavailable for one that this Almanac cannot read; `shown` is what it is called."""
    found = health_of(connection, 0)
    if found.is_outdated:
        raise StoreUnavailable(f"the database {shown} {BEFORE_0_2}")
    if found.is_newer:
        raise SchemaNewer(
            f"the database {shown} was made by a newer Almanac: upgrade this one, or name another in ALMANAC_DB"
        )
    return not found.missing and (dates != "committer" or _BY_CAME in connection.names())


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


def migrate(connection: Connection, dates: Dates) -> None:
    """Make the tables of a new database, or take the steps that an older one has not been through, inside the caller's
    transaction; and make the indexes that months of these dates want."""
    done = applied(connection)
    steps = STEPS if done else {**dict.fromkeys(STEPS, lambda _: None), "m001_schema": _schema}
    if connection.engine == "sqlite":
        _apply(connection, steps)
    else:
        for name in [name for name in steps if name not in done]:
            steps[name](connection)
            record(connection, name)
    names = connection.names()
    if "history" not in names:
        connection.script("".join(_tables(connection.engine).partition("CREATE VIEW")[1:]))
    if dates == "committer" and _BY_CAME not in names:  # of a million commits, about a second, once
        connection.execute(f"CREATE INDEX {_BY_CAME} ON commits (author_id, came_at, repository_id)")


def _apply(connection: Connection, steps: Mapping[str, Step]) -> None:
    """By sqlite-utils, which is loaded only now: most commands find the database as it should be, and start sooner."""
    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations

    migrations = Migrations("almanac")
    for name, step in steps.items():
        migrations(name=name)(lambda _, step=step: step(connection))
    migrations.apply(Database(connection, execute_plugins=False))  # type: ignore[arg-type]
