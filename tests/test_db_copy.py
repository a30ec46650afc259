"""`almanac db copy`: an index is the same in the database that it was copied to, whichever engine keeps it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from values import ENGINE, another_commit, commit

from bot.model import Identity, Repository
from bot.settings import PostgresAddress
from storage import Store
from storage.commit_rows import packed
from storage.migrations import TAKEN, table_names
from storage.store import CopiedTable, copy_database

psycopg = pytest.importorskip("psycopg", reason="almanac-bot[postgres] is not installed")
from postgres import Server  # noqa: E402

pytestmark = pytest.mark.postgres
Row = tuple[Any, ...]
Run = Callable[..., Any]
TABLES = [table for table in table_names() if table != "commit_words"]
AT = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
FIRST = commit("Add a mill for naïve cafés", body="Reviewed-by: Grace Hopper <grace@example.com>")
SECOND = replace(
    commit("Fix the mill", at="2025-10-04 12:00", body="It keeps 64 MiB.\n" * 90, paths=["docs/m.md", "src/mill.c"]),
    via="e" * 40, came_at=int(AT.timestamp()),
)  # fmt: skip


@pytest.fixture
def address(postgres: Server) -> Iterator[PostgresAddress]:
    one = postgres.database()
    yield one
    postgres.give_back(one)


@pytest.fixture
def server(address: PostgresAddress) -> Store:
    return Store(address)


@pytest.fixture
def filled(store: Store) -> Store:
    """In SQLite, with something in it that was indexed and something that people said."""
    store.commits.register(Repository(ENGINE, "/srv/engine"))
    store.commits.add(ENGINE, [FIRST, SECOND])
    store.commits.mark_indexed(ENGINE, SECOND.sha, AT, shallow=False)
    store.said.say("change", "title", [FIRST.sha], "A mill", "grace", AT)
    return store


def copied(source: Store, target: Store) -> list[CopiedTable]:
    return copy_database(source, target, lambda table, done, rows: None)


def held(store: Store) -> dict[str, list[Row]]:
    """All rows of all tables."""
    with store.transaction() as connection:
        return {table: connection.tuples(f"SELECT * FROM {table} ORDER BY 1, 2") for table in TABLES}  # noqa: S608


# --- the copy is equal

_WORDS = st.text(st.characters(codec="utf-8"))  # NUL too, which PostgreSQL's texts do not hold
_LONG = st.integers(3_000, 30_000).map(lambda length: "".join(f"{number:x}" for number in range(length))[:length])
_KEYS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40)
_UNLIMITED = ("address", "subject", "text", "facts", "payload", "error", "location", "path")
_KINDS: dict[str, st.SearchStrategy[Any]] = {
    "INTEGER": st.integers(-(2**31), 2**31 - 1),
    "BIGINT": st.integers(-(2**63), 2**63 - 1) | st.sampled_from([-(2**63), -1, 0, 2**63 - 1]),
    "TEXT": _WORDS,
    "BLOB": st.binary(max_size=80),
}


def drawn_rows(draw: st.DrawFn, connection: sqlite3.Connection, table: str) -> list[tuple[Any, ...]]:
    """Any rows that a table takes: its keys are told apart by numbers, what they refer to is there, and all else is
    whatever its columns hold."""
    number = count(1)
    columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
    refer = {
        row[3]: [one for (one,) in connection.execute(f"SELECT id FROM {row[2]}")]  # noqa: S608
        for row in connection.execute(f"PRAGMA foreign_key_list({table})")
    }
    rows = []
    for place in range(min(draw(st.integers(0, 3)), *map(len, refer.values()), 3)):
        row = []
        for column in columns:
            value = draw(_KINDS[column[2]] if column[3] or column[5] else st.none() | _KINDS[column[2]])
            if column[1] in refer:
                value = refer[column[1]][place]
            elif column[5] or column[1] in ("name", "path", "sha"):
                own = next(number)
                value = own if column[2] in ("INTEGER", "BIGINT") else f"{draw(_KEYS)}{own}"
                value = value.encode() if column[2] == "BLOB" else value
            elif column[1] == "body" and table == "commits":
                value = packed(draw(_WORDS))
            if column[1] in _UNLIMITED and draw(st.booleans()):
                value = f"{value}{draw(_LONG)}"
            row.append(value)
        rows.append(tuple(row))
    return rows


@given(st.data())
@settings(max_examples=settings.default.max_examples // 3)
def test_whatever_tables_hold_comes_back_from_postgresql_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, postgres: Server, server: Store, data: st.DataObject
) -> None:
    """But for NUL in texts, in whose place PostgreSQL keeps the sign for what cannot be shown."""
    postgres.empty(server.database)
    folder = tmp_path_factory.mktemp("copy")
    first, back = Store(folder / "a.db"), Store(folder / "b.db")
    with closing(sqlite3.connect(first.path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        for table in TABLES:
            for row in data.draw(st.composite(drawn_rows)(connection, table), table):
                connection.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(row))})", row)  # noqa: S608
        connection.execute("COMMIT")
    there = copied(first, server)
    assert copied(server, back) == there
    assert held(back) == {table: [without_nul(row) for row in rows] for table, rows in held(first).items()}


def without_nul(row: Row) -> Row:
    return tuple(value.replace("\0", "\ufffd") if isinstance(value, str) else value for value in row)


def test_the_copy_answers_and_is_written_to_as_the_first(
    filled: Store, address: PostgresAddress, tmp_path: Path
) -> None:
    server, back = Store(address), Store(tmp_path / "back.db")
    assert copied(filled, server) == copied(server, back)
    for store in (filled, server, back):
        assert store.topics.about(["naive cafe"]).commits == (FIRST,)
        assert store.topics.about(["64 mib"]).commits == (SECOND,)
        assert [one for sha in (FIRST.sha, SECOND.sha) for one in store.commits.by_sha(sha)] == [FIRST, SECOND]
        third = another_commit("Paint the mill", paths=["src/mill.c", "src/paint.c"])
        store.commits.add(ENGINE, [third])
        assert store.topics.about(["paint"]).commits == (third,)
        store.commits.register(Repository("acme/other", "/srv/other"))
        assert store.said.say("change", "title", [FIRST.sha], "Another mill", "ada", AT)[0].number == 2
        assert store.identities.authors() == [Identity("Ada Lovelace", "ada@example.com", 3)]


def test_no_table_is_left_out(store: Store) -> None:
    with store.transaction() as connection:
        there = {name for (name,) in connection.tuples("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert {name for name in there if not name.startswith(("commit_words", "sqlite_"))} == {*TABLES, TAKEN}


# --- meanwhile, and in between


def test_what_is_written_meanwhile_is_not_in_the_copy_and_nobody_waits(filled: Store, address: PostgresAddress) -> None:
    before = held(filled)
    target = Store(address)

    def written_meanwhile(table: str, done: int, rows: int) -> None:
        if not done:
            filled.said.say("change", "title", [FIRST.sha], table, "ada", AT)

    copy_database(filled, target, written_meanwhile)
    assert held(target) == before
    assert len(filled.said.log("change")) == 1 + len(before)


@pytest.mark.parametrize("trouble", [KeyboardInterrupt, MemoryError])
def test_a_copy_that_was_interrupted_leaves_nothing_and_is_begun_again(
    filled: Store, address: PostgresAddress, tmp_path: Path, trouble: type[BaseException]
) -> None:
    def interrupted(table: str, done: int, rows: int) -> None:
        if table == "commit_files" and done:
            raise trouble

    for target in (Store(address), Store(tmp_path / "target.db")):
        with pytest.raises(trouble):
            copy_database(filled, target, interrupted)
        assert set(map(len, held(target).values())) == {0}
        copied(filled, target)
        assert held(target) == held(filled)


# --- as a person types it


def said(ran: Any) -> str:
    """The one line that a run ended with."""
    assert (ran.code, ran.out) == (1, "")
    *_, line = ran.err.splitlines()
    assert line.startswith("almanac: ")
    return str(line)


@pytest.mark.parametrize("way", [".", "link.db"])
def test_a_database_is_not_copied_into_itself(almanac: Run, filled: Store, tmp_path: Path, way: str) -> None:
    (tmp_path / "link.db").symlink_to(filled.path)
    other = tmp_path / "link.db" if way == "link.db" else filled.path.parent / "." / filled.path.name
    assert "FROM and TO are both" in said(almanac("db", "copy", filled.path, other))


def test_what_is_wrong_with_either_is_told(almanac: Run, filled: Store, postgres: Server, tmp_path: Path) -> None:
    full = Store(tmp_path / "full.db")
    full.commits.register(Repository("acme/other", "/srv/other"))
    assert "is not empty: name one that is, or a new one" in said(almanac("db", "copy", filled.path, full.path))
    assert [one.name for one in full.commits.repositories()] == ["acme/other"]
    missing = tmp_path / "missing.db"
    assert "no database at" in said(almanac("db", "copy", missing, tmp_path / "new.db"))
    assert not missing.exists()
    assert not (tmp_path / "new.db").exists()
    nowhere = PostgresAddress("postgresql://ada:s3cret@127.0.0.1:1/almanac")
    for pair in ((filled.path, nowhere.url), (nowhere.url, tmp_path / "new.db")):
        line = said(almanac("db", "copy", *pair))
        assert "cannot be reached" in line
        assert "s3cret" not in line
    (tmp_path / "garbage.db").write_bytes(b"garbage " * 1000)
    assert "garbage.db" in said(almanac("db", "copy", filled.path, tmp_path / "garbage.db"))
    assert almanac("db", "copy", filled.path, "postgresql://").code == 2
