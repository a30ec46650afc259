"""All that is promised of storage holds on both engines, but for what is said of SQLite's file alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.settings import DatabasePlace, PostgresAddress
from storage import Store, store
from storage.engine import Engine

if TYPE_CHECKING:
    from postgres import Server


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "on_engine" in metafunc.fixturenames:
        engines = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
        if metafunc.definition.get_closest_marker("sqlite"):
            engines = ["sqlite"]
        if metafunc.definition.get_closest_marker("server"):
            engines = engines[1:]
        metafunc.parametrize("on_engine", engines, indirect=True)


@pytest.fixture(autouse=True)
def on_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """On PostgreSQL, whoever names a file is given a database of the server for it, one a file."""
    if request.param == "sqlite":
        yield request.param
        return
    one: Server = request.getfixturevalue("postgres")
    known: dict[Path, PostgresAddress] = {}
    opened = store.engine_of

    def engine_of(place: DatabasePlace, busy_seconds: float = store.BUSY_SECONDS) -> Engine:
        if isinstance(place, Path):
            place = known.get(place) or known.setdefault(place, one.database())
        return opened(place, busy_seconds)

    monkeypatch.setattr(store, "engine_of", engine_of)
    yield request.param
    for address in known.values():
        one.give_back(address)


@pytest.fixture(name="store")
def new_store(tmp_path: Path) -> Store:
    """A new database."""
    return Store(tmp_path / "almanac.db")
