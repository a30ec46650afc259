"""A PostgreSQL server, whatever is wrong with it, is told of in one line, and several processes may share it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.errors import StoreUnavailable
from bot.model import Repository
from bot.settings import PostgresAddress
from storage import Store
from storage.commits import TagRow
from storage.migrations import STEPS

psycopg = pytest.importorskip("psycopg", reason="almanac-bot[postgres] is not installed")
from postgres import Server  # noqa: E402

pytestmark = pytest.mark.server
ENGINE = Repository("acme/engine", "/srv/engine")


def refused(address: PostgresAddress, **more: float) -> str:
    with pytest.raises(StoreUnavailable) as error:
        Store(address, **more)  # type: ignore[arg-type]
    line = str(error.value)
    assert "\n" not in line
    return line


@pytest.fixture
def address(postgres: Server) -> Iterator[PostgresAddress]:
    one = postgres.database()
    yield one
    postgres.give_back(one)


def asked(address: PostgresAddress, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(address.url) as connection:
        return connection.execute(query.encode()).fetchall()


# --- making it


def test_whoever_starts_first_makes_the_tables_and_all_others_wait(postgres: Server) -> None:
    address = postgres.new_database()
    opening = (
        "import sys; from bot.settings import PostgresAddress; from bot.model import Repository;"
        "from storage import Store;"
        "Store(PostgresAddress(sys.argv[1])).commits.register(Repository(sys.argv[2], '/srv'))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    running = [
        subprocess.Popen([sys.executable, "-c", opening, address.url, name], env=environment, stderr=subprocess.PIPE)
        for name in "abcd"
    ]
    said = b"".join(process.communicate()[1] for process in running).decode()
    # Whoever waits for long says so.
    assert set(said.splitlines()) <= {
        f"the tables of {address} are being brought up to date; waiting until that is done"
    }
    assert [process.returncode for process in running] == [0] * 4
    assert [one.name for one in Store(address).commits.repositories()] == list("abcd")
    taken = "SELECT name FROM _sqlite_migrations WHERE migration_set = '{}' ORDER BY name"
    assert asked(address, taken.format("almanac")) == [(step,) for step in STEPS]
    of_the_queue = asked(address, taken.format("procrastinate"))
    assert of_the_queue == sorted(set(of_the_queue)) != []


# --- what is wrong


def test_a_wrong_address_is_told_without_its_secrets() -> None:
    line = refused(PostgresAddress("postgresql://ada:s3cret@127.0.0.1:1/almanac"))
    assert line.startswith("the database postgresql://127.0.0.1:1/almanac cannot be reached (")
    assert line.endswith("see whether the server runs, and what ALMANAC_DB says")
    assert "s3cret" not in line
    assert "s3cret" not in refused(PostgresAddress("postgresql://ada:s3cret@127.0.0.1/almanac?nonsense=1"))
    assert "s3cret" not in repr(PostgresAddress("postgresql://ada:s3cret@127.0.0.1/almanac"))


def test_a_database_that_cannot_be_ours_is_told_and_left_alone(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = refused(postgres.address("nowhere"))
    assert line.startswith("the database postgresql:///nowhere does not exist (")
    assert line.endswith("make it with `createdb`, or correct ALMANAC_DB")
    address = postgres.new_database()
    postgres.run("CREATE TABLE contacts (name text)", address)
    assert refused(address) == f"{address} is another program's database: name an empty one in ALMANAC_DB"
    assert asked(address, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == [("contacts",)]
    address = postgres.new_database("TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
    assert "keeps texts in LATIN1: make one with ENCODING 'UTF8'" in refused(address)
    monkeypatch.setattr("storage.postgres.OLDEST", 990000)
    assert refused(postgres.new_database()).endswith("upgrade its server to 99 or newer")
    monkeypatch.setitem(sys.modules, "storage.postgres", None)
    assert refused(PostgresAddress("postgresql://127.0.0.1/almanac")).endswith(
        "pip install '.[postgres]' in Almanac's folder"
    )


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("53100", "is full: free some room, then try again"),  # disk_full
        ("53200", "is short of memory or of what it may use (no luck): let its server have more, then try again"),
        ("53400", "is short of memory or of what it may use (no luck): let its server have more, then try again"),
        ("40001", "wait until it has finished, then try again"),  # serialization_failure
        ("40P01", "wait until it has finished, then try again"),  # deadlock_detected
        ("57014", "lets nothing take so long (no luck): lift that limit for this user"),  # query_canceled
        ("57P03", "cannot be reached (no luck): see whether the server runs, and what ALMANAC_DB says"),
    ],
)
def test_what_the_server_reports_is_told_and_undoes_what_was_begun(
    address: PostgresAddress, code: str, text: str
) -> None:
    store = Store(address)
    with pytest.raises(StoreUnavailable) as error, store.transaction(write=True) as connection:
        connection.execute("INSERT INTO repositories (id, name, location) VALUES (1, 'a', 'b')")
        connection.execute(f"DO $$ BEGIN RAISE EXCEPTION 'no luck' USING ERRCODE = '{code}'; END $$")
    line = str(error.value).partition(" CONTEXT:")[0]
    assert "\n" not in str(error.value)
    assert str(address) in line
    assert text.partition(" (")[0] in line
    assert store.commits.repositories() == []


# --- what it keeps


def test_a_history_of_very_long_names_and_words_is_kept(address: PostgresAddress, tmp_path: Path) -> None:
    """Longer than a B-tree takes, or a tsvector, and of signs that no compression makes shorter."""
    from bot.model import Commit, FileChange, Signature

    long = "".join(f"{number:x}" for number in range(30_000))
    who = Signature(long, f"{long}@example.com", 1_759_000_000, 0)
    body = f"{long}\n\nReviewed-by: {long} <{long}@example.org>"
    one = Commit("acme/engine", "a" * 40, (), who, who, "Add " + long, body, (FileChange(f"src/{long}", "added"),))
    store = Store(address)
    store.commits.register(ENGINE)
    assert store.commits.add("acme/engine", [one]) == 1
    assert store.commits.of("acme/engine", [one.sha]) == [one]
    assert store.topics.about(["add"]).commits == store.topics.about([long]).commits == (one,)
    tag = TagRow(long, one.sha, one.sha, 1_759_000_000)
    for _ in range(2):
        store.commits.put_tags("acme/engine", [tag])
    assert [(one.repository, one.name) for one in store.commits.tags()] == [("acme/engine", long)]
