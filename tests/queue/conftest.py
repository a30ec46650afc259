"""A database of PostgreSQL for each test, given back empty."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from bot.database import PostgresAddress
from storage import Store

if TYPE_CHECKING:
    from postgres import Server


@pytest.fixture
def address(postgres: Server) -> Iterator[PostgresAddress]:
    one = postgres.database()
    yield one
    postgres.give_back(one)


@pytest.fixture(name="store")
def queue_store(address: PostgresAddress) -> Store:
    return Store(address)


@pytest.fixture
def asked(address: PostgresAddress) -> Callable[[str], list[tuple[Any, ...]]]:
    """What the database answers to a query."""
    import psycopg

    def asked(query: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(address.url, autocommit=True) as connection:
            cursor = connection.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

    return asked
