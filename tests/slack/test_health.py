"""/health is for whoever sends requests: it says that the bot can answer only where it can."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from builders import NOW, Copy, GitRepo, index

from bot.monitoring import HealthCheck
from bot.settings import Settings
from storage import Store


def _many(folder: Path) -> None:
    repo = GitRepo(folder / "acme" / "engine")
    repo.many(300, start=1_751_328_000)
    index(Store(folder / "almanac.db"), repo.path)


@pytest.fixture
def whole(copy: Copy, tmp_path: Path) -> Store:
    """A database of some pages, all of them in the file itself."""
    copy(_many)
    with closing(sqlite3.connect(tmp_path / "almanac.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Store(tmp_path / "almanac.db")


def settings_of(store: Store) -> Settings:
    return Settings(db=store.path, fixed_now=NOW)


def fault(store: Store) -> str:
    async def main() -> str:
        with closing(HealthCheck(settings_of(store), store)) as check:
            return (await check.looked()).fault

    return asyncio.run(main())


def run(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for one in statements:
            connection.execute(one)


def overwrite(path: Path, begin: float, size: int, byte: bytes = b"\0") -> None:
    length = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(int(length * begin) // 4096 * 4096)
        file.write(byte * size)


def zeroed_root(path: Path) -> None:
    """The first page of the commits, which says where the others are."""
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'commits'").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\0" * 4096)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "gone": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "no database": lambda path: path.write_bytes(b"no database at all" * 1000),
    "its beginning overwritten": lambda path: overwrite(path, 0.0, 100),
    "cut in half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "a page of zeros": lambda path: overwrite(path, 0.5, 4096),
    "pages of noise": lambda path: overwrite(path, 0.6, 8192, b"\xa5"),
    "the commits' first page": zeroed_root,
    "a table dropped": lambda path: run(path, "PRAGMA foreign_keys = OFF", "DROP TABLE commits"),
    "a table renamed": lambda path: run(path, "ALTER TABLE said RENAME TO elsewhere"),
    "of a newer program": lambda path: run(path, "UPDATE _sqlite_migrations SET name = 'm999' WHERE name LIKE 'm001%'"),
    "another program's": lambda path: run(path, "PRAGMA application_id = 7"),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_one_is_not(whole: Store, damage: str) -> None:
    with whole.held_open():  # as the running bot does, with connections that have read it before
        whole.commits.repositories()
        DAMAGES[damage](whole.path)
        said = fault(whole)
    assert said and "\n" not in said
    assert str(whole.path.parent) not in said
