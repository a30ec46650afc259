"""Of somebody who is erased nothing is in the files of a PostgreSQL server any more, nor in what it notes of values."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders import GRACE, GitRepo, everything, index

from bot.model import Repository
from bot.settings import PostgresAddress
from storage import Store
from storage.erasure import PersonToErase

psycopg = pytest.importorskip("psycopg", reason="almanac-bot[postgres] is not installed")
from postgres import server  # noqa: E402

if TYPE_CHECKING:
    from postgres import Server

pytestmark = pytest.mark.server
AT = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
SECRETS = (b"grace hopper", b"grace@example.com", b"difference engine")


@pytest.fixture
def own() -> Iterator[Server]:
    """A server of the test's own: what other tests write stays in the files of theirs."""
    with server() as one:
        yield one


@pytest.fixture
def address(own: Server) -> PostgresAddress:
    return own.new_database()


def in_files(own: Server) -> set[bytes]:
    """What of it the files of the cluster hold, but for its log of changes, which the server writes over in time."""
    found = set[bytes]()
    for path in (own.folder / "data").rglob("*"):
        if path.is_file() and "pg_wal" not in path.parts:
            held = path.read_bytes().lower()
            found |= {secret for secret in SECRETS if secret in held}
    return found


def noted(address: PostgresAddress) -> set[str]:
    with psycopg.connect(address.url) as connection:
        rows = connection.execute("SELECT tablename, attname, pg_stats::text FROM pg_stats").fetchall()
        rows += connection.execute("SELECT 'itself', '', pg_statistic::text FROM pg_statistic").fetchall()
    return {f"{row[0]}.{row[1]}" for row in rows if any(secret.decode() in row[2].lower() for secret in SECRETS)}


def fill(store: Store, repo: GitRepo, others: bool) -> None:
    for number in range(12):
        repo.commit(f"Step {number} of the difference engine", author=GRACE, files={f"{number}.py": "1\n"})
    if others:
        for number in range(12):
            repo.commit(f"Oil {number}", files={f"oil{number}.py": "1\n"})
    index(store, repo)
    for number in range(12):
        store.said.say("slack", "link", [f"U{number}"], GRACE[1], "Grace Hopper", AT)
        store.said.say("hide", "hide", [GRACE[1]], "", "Grace Hopper", AT)
        store.said.say("address", "link", [GRACE[1]], "g@x.example", "Grace Hopper", AT, confirmed=True)
    sha = repo.shas()[-1]
    for number in range(12):
        store.said.say("change", "title", [sha], f"The difference engine {number}", "Grace Hopper", AT)


@pytest.mark.parametrize("others", [True, False], ids=["among others", "nobody else"])
def test_no_file_of_the_cluster_and_no_statistic_holds_who_is_erased(
    own: Server, address: PostgresAddress, tmp_path: Path, others: bool
) -> None:
    store = Store(address)
    fill(store, GitRepo(tmp_path / "acme" / "engine"), others)
    own.run("VACUUM (FREEZE, ANALYZE)", address)  # as the server does by itself, now and then
    own.run("CHECKPOINT")
    assert {b"grace hopper", b"grace@example.com"} <= in_files(own)
    assert noted(address)
    whom = PersonToErase((GRACE[1],), (("Grace Hopper", ""),), ("Grace Hopper",))
    assert store.erasure.erase(whom, AT).hindered == ""
    assert noted(address) == set()
    assert in_files(own) == set()
    assert len(everything(store)) == (12 if others else 0)


def test_who_reads_meanwhile_keeps_what_was_there_and_that_is_told(own: Server, address: PostgresAddress) -> None:
    store = Store(address)
    store.commits.register(Repository("acme/engine", "/srv/engine"))
    with psycopg.connect(address.url) as other:
        other.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        other.execute("SELECT 1")
        assert "try again when it has ended" in store.erasure.sweep()
    assert store.erasure.sweep() == ""
