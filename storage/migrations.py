"""Which version of the tables a database has, and what brings it up to date.

A change of the tables is a further step: a function below `m001_schema`, and its place in STEPS. Steps are only ever
appended, so that every database made since 0.2.0 can be brought up to date.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import TYPE_CHECKING

from bot.errors import SchemaNewer, StoreUnavailable
from bot.model import Dates
from storage.commit_files import pack_files
from storage.commit_rows import refer_anew
from storage.engine import Connection
from storage.schema import COMMIT_FILES, HISTORY_VIEW, IDS, SAID, create_tables
from storage.sql import written

if TYPE_CHECKING:
    from storage.sqlite import SQLiteConnection

BEFORE_0_2 = (
    "was made by an Almanac before 0.2.0, which this one cannot read: move it away and run `almanac index` to make it "
    "anew; what people said by hand (links, corrections, who is hidden or forgotten) and digests made in Slack are "
    "only in the old file, and are to be entered again"
)
_OLD_STEP = "m001_history"  # of the versions before 0.2.0, whose tables are not read any more
# The others are there from the first. This one makes a long history's file longer, so it is made only where a person's
# month is told by the day on which commits came; there, it stays.
_INDEXES: Mapping[Dates, Mapping[str, str]] = {
    "author": {},
    "committer": {
        "commits_by_author_came": "commits (author_id, came_at, repository_id)",
    },
    "came": {},
}


def m001_schema(connection: Connection) -> None:
    create_tables(connection)


def m002_lower(connection: Connection) -> None:
    """Names without their case by an expression that both engines know."""
    for name in ("credited_by_name", "credited_by_address", "corrections_by_change"):
        connection.execute(f"DROP INDEX IF EXISTS {name}")
    connection.execute("CREATE INDEX IF NOT EXISTS credited_by_lower_name ON credited (lower(name))")
    connection.execute(
        "CREATE INDEX IF NOT EXISTS credited_by_lower_address ON credited (lower(address)) WHERE address <> ''"
    )


def m003_leases(connection: Connection) -> None:
    """Until when the process that answers a question is taken to live; NULL: nobody does."""
    connection.create("ALTER TABLE pending_events ADD COLUMN leased_until TEXT;")


def m004_workers(connection: Connection) -> None:
    """Which worker read a repository last, and so has its mirror; empty where the bot itself reads."""
    connection.create("ALTER TABLE repositories ADD COLUMN worker TEXT NOT NULL DEFAULT '';")


def m005_commit_files(connection: Connection) -> None:
    """The files of a commit in one row, where there was a row a file."""
    if "files" not in connection.names():
        return  # made with today's tables
    connection.execute("DROP VIEW history")
    connection.create(COMMIT_FILES + HISTORY_VIEW)
    pack_files(connection)
    connection.execute("DROP TABLE files")


def m006_came(connection: Connection) -> None:
    """When a commit came to the default branch, by which topic merge, and up to which tip that is known."""
    connection.create("ALTER TABLE commits ADD COLUMN came_at BIGINT NOT NULL DEFAULT 0;")
    connection.create("ALTER TABLE commits ADD COLUMN via BLOB;")  # the SHA of a merge, whose committer date it then is
    connection.create("ALTER TABLE repositories ADD COLUMN arrived TEXT;")
    connection.execute("UPDATE commits SET came_at = committed_at")
    connection.execute("CREATE INDEX commits_by_came ON commits (repository_id, came_at, author_id)")
    for name in ("commits_by_author_committed", "commits_by_time_committed"):
        connection.execute(f"DROP INDEX IF EXISTS {name}")


def m007_whispers(connection: Connection) -> None:
    """A post that one person alone sees; until when a post waits; who is told where it cannot be posted. A message that
    was begun before its words were known gets those that it has; one that may have begun is answered anew."""
    connection.create(
        "ALTER TABLE outbox ADD COLUMN only_for TEXT;\n"
        "ALTER TABLE outbox ADD COLUMN not_before TEXT;\n"
        "ALTER TABLE outbox ADD COLUMN asked_by TEXT;\n"
    )
    begun = "state = 'sending' AND tried_at IS NULL"
    connection.execute(f"UPDATE outbox SET state = 'planned' WHERE {begun} AND ts IS NOT NULL")
    connection.execute(f"DELETE FROM outbox WHERE {begun}")


def m008_audiences(connection: Connection) -> None:
    """Who may read of a repository in Slack, as JSON; NULL: no almanac.toml that named it was read since."""
    connection.create("ALTER TABLE repositories ADD COLUMN audience TEXT;")


def m009_references(connection: Connection) -> None:
    """The keys of commits by what their messages say in the words of more forges; 0.1 ms a commit, once."""
    refer_anew(connection)


def m010_tokens(connection: Connection) -> None:
    """Who writes a repository, and until when that is taken to be so; see `Repositories.taken`."""
    connection.create("ALTER TABLE repositories ADD COLUMN token TEXT NOT NULL DEFAULT '';")
    connection.create("ALTER TABLE repositories ADD COLUMN token_until BIGINT NOT NULL DEFAULT 0;")


def m011_wanted(connection: Connection) -> None:
    """When a digest was last known to be in an almanac.toml."""
    connection.create("ALTER TABLE digests ADD COLUMN wanted_at TEXT;")


def m012_ids(connection: Connection) -> None:
    """Ids that are given once, those of commits behind what is still said of some that are gone; and of how many
    commits a branch has that are not stored."""
    if "ids" not in connection.names():
        connection.create(IDS)
    stray = " UNION ALL SELECT commit_id FROM commit_references UNION ALL SELECT commit_id FROM credits"
    numbered = {"repositories", "identities", "commits", "paths", "credited", *_LOGS}
    for table in sorted(numbered & connection.names()):
        every = f"SELECT id FROM {table}{stray if table == 'commits' else ''}"
        connection.execute(f"INSERT INTO ids SELECT '{table}', id FROM ({every}) AS every ORDER BY id DESC LIMIT 1")
    connection.create("ALTER TABLE repositories ADD COLUMN kept_out INTEGER NOT NULL DEFAULT 0;")


def m013_keys(connection: Connection) -> None:
    """Uniqueness and references on a server too, and by name whom commits credit, which step 2 dropped there."""
    connection.add_keys()


def m014_unlisted(connection: Connection) -> None:
    """Whether the almanac.toml that was read last lists repositories, and not this one."""
    connection.create("ALTER TABLE repositories ADD COLUMN unlisted INTEGER NOT NULL DEFAULT 0;")


def m015_references(connection: Connection) -> None:
    """The keys of commits once more, by what merges of bors and submissions of Gerrit say."""
    refer_anew(connection)


def m016_references(connection: Connection) -> None:
    """The keys of commits once more, by what rollbacks of changelists and of whole stacks name."""
    refer_anew(connection)


def m017_previews(connection: Connection) -> None:
    """Nobody is asked before a digest any more, and nobody is mentioned in one."""
    for table in ("previews", "preview_optouts", "mention_optins"):
        connection.execute(f"DROP TABLE IF EXISTS {table}")


def m018_said(connection: Connection) -> None:
    """The four logs of what was said by hand as one. Numbers of links of addresses stay; all others are new ones, that
    no row of any of the four had: what names an old one, such as a button in Slack, finds nothing instead of another's.
    """
    if "said" in connection.names():
        return  # made with today's tables
    connection.create(SAID)
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


# Until step 18: what each log held, as kind, action, about, value and confirmed.
_LOGS = {
    "people_links": "'address', action, address, other, confirmed",
    "hidden_people": "'hide', 'hide', address, '', 0",
    "slack_links": """'slack', action, "user", address, confirmed""",
    "corrections": "'change', field, change, value, 0",
}
STEPS = (
    m001_schema, m002_lower, m003_leases, m004_workers, m005_commit_files, m006_came, m007_whispers, m008_audiences,
    m009_references, m010_tokens, m011_wanted, m012_ids, m013_keys, m014_unlisted, m015_references,
    m016_references, m017_previews, m018_said,
)  # fmt: skip
TAKEN = (
    "_sqlite_migrations"  # where the steps that a database has been through are written down, by sqlite-utils in a file
)


def step_names() -> tuple[str, ...]:
    return tuple(step.__name__ for step in STEPS)


@dataclass(frozen=True, slots=True)
class Health:
    """What was found of a database. `size` is in bytes, its log included. `done` are the steps that it has been
    through, `queue_lacks` those of the job queue that it has not. `faults` is empty where nothing is damaged, None
    where there was no time to look. `ahead` is how far its server's clock is ahead of ours."""

    size: int
    is_ours: bool = True
    done: tuple[str, ...] = ()
    queue_lacks: tuple[str, ...] = ()
    faults: tuple[str, ...] | None = ()
    ahead: timedelta = timedelta(0)

    @property
    def missing(self) -> tuple[str, ...]:
        return (*(step for step in step_names() if step not in self.done), *self.queue_lacks)

    @property
    def is_outdated(self) -> bool:
        """Whether it is from before 0.2.0, so that its tables are not read any more."""
        return _OLD_STEP in self.done

    @property
    def is_newer(self) -> bool:
        """Whether it has been through steps of a newer Almanac."""
        return not self.is_outdated and not set(self.done) <= set(step_names())

    @property
    def is_current(self) -> bool:
        return self.is_ours and not (self.missing or self.is_newer or self.is_outdated)


def is_current(connection: Connection, shown: str, dates: Dates = "author") -> bool:
    """Whether a database has all tables, and the indexes by which months of these dates are read. Raises
    StoreUnavailable for one that this Almanac cannot read; `shown` is what it is called."""
    found = Health(0, done=applied(connection))
    if found.is_outdated:
        raise StoreUnavailable(f"the database {shown} {BEFORE_0_2}")
    if found.is_newer:
        raise SchemaNewer(
            f"the database {shown} was made by a newer Almanac: upgrade this one, or name another in ALMANAC_DB"
        )
    return not found.missing and (not _INDEXES[dates] or _INDEXES[dates].keys() <= connection.names())


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
    """Take the steps that a server's database has not been through, inside the caller's transaction, and write them
    down as sqlite-utils does; and make the indexes that months of these dates want."""
    connection.create(
        f"""CREATE TABLE IF NOT EXISTS {TAKEN} (
  id INTEGER PRIMARY KEY, migration_set TEXT NOT NULL, name TEXT NOT NULL, applied_at TEXT NOT NULL);"""
    )
    done = applied(connection)
    for step in STEPS:
        if step.__name__ not in done:
            step(connection)
            record(connection, step.__name__)
    _add_indexes(connection, dates)


def migrate_file(connection: SQLiteConnection, dates: Dates) -> None:
    """The same for SQLite's file."""
    # Loaded only now: most commands find the database as it should be, and start sooner.
    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations

    def on_ours(step: Callable[[Connection], None]) -> Callable[[Database], None]:
        @wraps(step)
        def taken(_: Database) -> None:
            step(connection)

        return taken

    steps = Migrations("almanac")
    for step in STEPS:
        steps()(on_ours(step))
    steps.apply(Database(connection, execute_plugins=False))
    _add_indexes(connection, dates)


def _add_indexes(connection: Connection, dates: Dates) -> None:
    """An index of a million commits takes about a second, once."""
    for name, of in _INDEXES[dates].items():
        connection.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {of}")
