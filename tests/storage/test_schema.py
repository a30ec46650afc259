"""The tables of a database: on both engines the same, and those of an upgraded one those of a new one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from storage import Store, search
from storage.engine import Connection

TYPES = {"INTEGER": "integer", "BIGINT": "bigint", "TEXT": "text", "BLOB": "bytea"}
# What a server has instead of a key that would hold a text of any length; see storage/postgres.sql.
ON_SERVER = {"identities_by_name", "credited_by_name", "tags_by_repository"}
Described = dict[str, Any]


def of_file(connection: Connection) -> Described:
    """Tables with their columns, in order, what is unique in them, and what they refer to; and indexes."""
    found: Described = {"columns": {}, "unique": set(), "refers": set(), "indexes": set()}
    for (table,) in connection.tuples(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%\\_%words%' ESCAPE '\\'"
    ):
        if table.startswith(("sqlite_", "_sqlite")):
            continue
        columns = connection.tuples('SELECT name, type, "notnull" OR pk, pk FROM pragma_table_xinfo(?)', (table,))
        found["columns"][table] = [(name, TYPES[kind], bool(is_set)) for name, kind, is_set, _ in columns]
        found["unique"].add((table, frozenset(name for name, *_, place in columns if place)))
        rows = connection.tuples('SELECT "from", "table", on_delete FROM pragma_foreign_key_list(?)', (table,))
        found["refers"] |= {(table, *row) for row in rows}
        for name, is_unique, origin in connection.tuples(
            'SELECT name, "unique", origin FROM pragma_index_list(?)', (table,)
        ):
            of = [row[0] for row in connection.tuples("SELECT name FROM pragma_index_info(?)", (name,))]
            if is_unique:
                found["unique"].add((table, frozenset(of)))
            if origin == "c":
                found["indexes"].add(name)
    return found


def of_server(connection: Connection) -> Described:
    found: Described = {"columns": {}, "unique": set(), "refers": set(), "indexes": set()}
    rows = connection.tuples(
        """SELECT table_name::text, column_name::text, data_type::text, is_nullable = 'NO', collation_name::text,
                  is_identity::text
           FROM information_schema.columns NATURAL JOIN information_schema.tables
           WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name !~ 'procrastinate|_sqlite|words'
           ORDER BY table_name, ordinal_position"""
    )
    for table, column, kind, is_set, collation, identity in rows:
        assert (collation == "C") == (kind == "text"), (table, column)
        assert identity == "NO", (table, column)
        found["columns"].setdefault(table, []).append((column, kind, is_set))
    rows = connection.tuples(
        """SELECT conrelid::regclass::text, contype::text, pg_get_constraintdef(oid) FROM pg_constraint
           WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'x', 'f')
             AND conrelid::regclass::text !~ 'procrastinate|_sqlite|words'"""
    )
    deletes = {True: "CASCADE", False: "NO ACTION"}
    for table, kind, said in rows:
        if kind == "f":
            column, other = re.findall(r"\((\w+)\) REFERENCES (\w+)", said)[0]
            found["refers"].add((table, column, other, deletes["ON DELETE CASCADE" in said]))
            continue
        of = re.sub(r'::text|COLLATE "C"|WITH =|USING hash|ARRAY|EXCLUDE|PRIMARY KEY|UNIQUE', "", said)
        found["unique"].add((table, frozenset(re.findall(r"\w+", of))))
    rows = connection.tuples(
        """SELECT tablename::text, indexname::text, indexdef FROM pg_indexes WHERE schemaname = 'public'
           AND indexname NOT IN (SELECT conname FROM pg_constraint) AND tablename !~ 'procrastinate|_sqlite|words'"""
    )
    for table, name, said in rows:
        found["indexes"].add(name)
        if "UNIQUE" in said:
            found["unique"].add((table, frozenset(re.findall(r"\w+", said.partition("(")[2]))))
    return found


@pytest.mark.server
def test_both_engines_have_the_same_tables(tmp_path: Path, store: Store) -> None:
    with store.transaction() as connection:
        server = of_server(connection)
    from storage.sqlite import SQLiteEngine

    engine = SQLiteEngine(tmp_path / "file.db", 10)
    engine.prepare(must_exist=False)
    with engine.begun(write=False, bulk=False) as connection:
        file = of_file(connection)
    assert server["columns"] == file["columns"]
    assert {(table, of) for table, of in file["unique"] if of} == server["unique"]
    assert server["refers"] == file["refers"]
    assert server["indexes"] == file["indexes"] | ON_SERVER


@pytest.mark.sqlite
def test_words_are_taken_in_as_they_are_looked_for(store: Store) -> None:
    with store.transaction() as connection:
        [(made,)] = connection.tuples("SELECT sql FROM sqlite_master WHERE name = 'commit_words'")
    assert f"tokenize='{search.TOKENIZER}'" in made
