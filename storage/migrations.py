"""Brings a database up to date. A module of its own: most commands find it as it should be, and load none of this."""

from __future__ import annotations

import sqlite3

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from storage.schema import create_tables

migrations = Migrations("almanac")


@migrations()
def m001_schema(db: Database) -> None:
    create_tables(db.conn)


def migrate(connection: sqlite3.Connection) -> None:
    """Take the steps that the database has not been through, inside the caller's transaction."""
    migrations.apply(Database(connection, execute_plugins=False))
