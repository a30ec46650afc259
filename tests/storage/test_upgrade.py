"""An older database is opened by today's Almanac: nothing in it is lost, and its tables become those of a new one.

databases/ holds one for each engine as 0.2.0 made it, and one as it was after step 21, which two further steps make one
of 0.3.0, from a repository of seven commits: a merged pull request, a revert, a tag, an address linked by hand,
somebody hidden, somebody forgotten, a title given by hand, and a digest that was posted.
"""

from __future__ import annotations

import gzip
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.errors import StoreUnavailable
from bot.settings import DatabasePlace, PostgresAddress
from storage import Store, migrations
from storage.store import engine_of

if TYPE_CHECKING:
    from postgres import Server

DATABASES = Path(__file__).parent / "databases"
POST = "digest|T1|#shipped||2025-10|root"
CATALOGUE = {
    "sqlite": [
        "SELECT of.name, wr, one.* FROM pragma_table_list AS of, pragma_table_xinfo(of.name) AS one",
        "SELECT name, one.* FROM pragma_table_list, pragma_foreign_key_list(name) AS one",
        'SELECT of.name, one."unique", origin, partial, two.* '
        "FROM pragma_table_list AS of, pragma_index_list(of.name) AS one, pragma_index_info(one.name) AS two",
        "SELECT name, sql FROM sqlite_master WHERE type IN ('index', 'view')",
    ],
    "postgres": [
        "SELECT table_name, row_number() OVER (PARTITION BY table_name ORDER BY ordinal_position), column_name, "
        "data_type, is_nullable, column_default, is_identity, collation_name FROM information_schema.columns "
        "WHERE table_schema = 'public'",
        "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
        "WHERE connamespace = 'public'::regnamespace",
    ],
}


def on_server(name: str, server: Server) -> PostgresAddress:
    address = server.new_database()
    server.run(gzip.decompress((DATABASES / f"{name}.sql.gz").read_bytes()).decode(), address)
    return address


@pytest.fixture(params=["0.2.0", "0.3.0"])
def old(
    on_engine: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> DatabasePlace:
    file = request.param.replace("0.3.0", "step21")
    if on_engine == "sqlite":
        place: DatabasePlace = tmp_path / "old.db"
        (tmp_path / "old.db").write_bytes(gzip.decompress((DATABASES / f"{file}.db.gz").read_bytes()))
    else:
        place = on_server(file, request.getfixturevalue("postgres"))
    if request.param == "0.3.0":
        steps = {name: step for name, step in migrations.STEPS.items() if name < "m024"}
        with monkeypatch.context() as then:
            then.setattr(migrations, "STEPS", steps)
            Store(place)
    return place


def catalogue(store: Store, engine: str) -> list[tuple[object, ...]]:
    with store.transaction() as connection:
        rows = [row for sql in CATALOGUE[engine] for row in connection.tuples(sql)]
        return sorted(tuple(" ".join(str(value).split()) for value in row) for row in rows)


@pytest.fixture
def new(on_engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> DatabasePlace:
    """One that no other test has had."""
    if on_engine == "sqlite":
        return tmp_path / "new.db"
    server: Server = request.getfixturevalue("postgres")
    return server.new_database()


def test_its_tables_indexes_and_constraints_become_those_of_a_new_one(
    old: DatabasePlace, new: DatabasePlace, on_engine: str
) -> None:
    assert catalogue(Store(old), on_engine) == catalogue(Store(new), on_engine)


def test_nothing_in_it_is_lost(old: DatabasePlace) -> None:
    store = Store(old)
    start, end = datetime(2025, 9, 1, tzinfo=UTC), datetime(2025, 11, 1, tzinfo=UTC)
    commits = store.commits.between(start, end)
    assert {one.came for one in commits} == {one.committer.at for one in commits}
    assert sorted((one.author.name, one.subject, len(one.files)) for one in commits) == [
        ("Ada Lovelace", "Add a store (#3)", 1),
        ("Ada Lovelace", "Add the mill (#1)", 1),
        ("Ada Lovelace", 'Revert "Add a store (#3)"', 1),
        ("Grace Hopper", "Add a compiler", 1),
        ("Grace Hopper", "Merge pull request #2 from grace/side", 0),
        ("Ida Rhodes", "Add taxes", 1),
    ]
    assert [one.subject for one in store.commits.by_pull(None, 1)] == ["Add the mill (#1)"]
    assert [one.subject for one in store.commits.by_pull(None, 2)] == ["Merge pull request #2 from grace/side"]
    assert [one.about for one in store.said.live("address")] == ["ada@example.com"]
    assert [one.about for one in store.said.live("hide")] == ["ida@example.com"]
    assert [one.value for one in store.said.live("change")] == ["Build the mill"]
    # Numbers of links stay; another's, such as one that a button in Slack holds, is nobody's any more.
    numbers = [(one.kind, one.number) for one in store.said.log("address", "hide", "change")]
    assert numbers == [("address", 1), ("hide", 2), ("change", 4)]
    (said,) = store.said.say("slack", "link", ["U1"], "ada@example.com", "ada", start)
    assert said.number == 5
    assert store.commits.add("old/engine", [replace(commits[0], sha="f" * 40)]) == 1
    assert store.commits.areas(["old/engine"]) == {"old/engine": {"store": ""}}  # as learnt when it was opened
    with store.transaction() as connection:
        numbers = [row[0] for row in connection.tuples("SELECT id FROM commits ORDER BY id")]
    assert numbers[-1] == 8
    post = store.outbox.get(POST)
    assert post is not None and (post.state, post.ts) == ("sent", "1700000000.000100")
    assert list(store.digest_snapshots.known(POST)) == ["5be4915009c2a819616e74d1ee2826daa3a4d73d"]
    assert [(one.tip or "")[:7] for one in store.commits.repositories()] == ["b4c5110"]


@pytest.mark.parametrize("old", ["0.2.0"], indirect=True)
def test_areas_are_learnt_of_paths_that_are_a_thousand_folders_deep(old: DatabasePlace) -> None:
    with engine_of(old).begun(write=True, bulk=False) as connection:
        connection.execute("UPDATE paths SET path = ? || path", ("a/" * 1_200,))
    (area,) = Store(old).commits.areas(["old/engine"])["old/engine"]
    assert set(area) == {"a", "/"}


TWICE = r"""
SET search_path = public;
INSERT INTO identities VALUES (9, 'Ada Lovelace', 'ada@example.com', 1);
UPDATE identities SET commits = 0 WHERE id = 1;
UPDATE commits SET author_id = 9, committer_id = 9 WHERE id = 6;
INSERT INTO credited VALUES (9, 'Ada Lovelace', 'ada@example.com');
INSERT INTO credits VALUES (9, 1758362400, 7, 0);
INSERT INTO paths VALUES (9, 'mill.py');
UPDATE commit_files SET files = '\x0100000009000000010000000000000000' WHERE commit_id = 6;
INSERT INTO tags SELECT * FROM tags;
"""


@pytest.mark.server
def test_what_a_server_let_in_twice_is_there_once(postgres: Server) -> None:
    """0.2.0 had no keys there."""
    told = []
    for before in ("", TWICE):
        address = on_server("0.2.0", postgres)
        postgres.run(before, address)
        store = Store(address)
        start, end = datetime(2025, 9, 1, tzinfo=UTC), datetime(2025, 11, 1, tzinfo=UTC)
        credits = store.commits.crediting(start, end, ["ada@example.com"], [], lambda _: True)
        people = store.identities.authors(), store.identities.credited()
        told.append((store.commits.between(start, end), credits, *people, store.commits.tags()))
    assert told[0] == told[1]
    assert len(told[0][1]) == 1


def test_one_that_is_of_no_release_is_told(old: DatabasePlace) -> None:
    store = Store(old)
    with store.transaction(write=True) as connection:
        connection.execute("DELETE FROM _sqlite_migrations WHERE name >= 'm006'")
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('almanac', 'm017_previews', '')"
        )
    with pytest.raises(StoreUnavailable, match=r"before 0\.2\.0, or by one between that and the next release"):
        Store(old)


@pytest.mark.parametrize("old", ["0.2.0"], indirect=True)
def test_messages_that_were_begun_get_the_words_they_have(old: DatabasePlace) -> None:
    """What was begun and nobody claimed; where it is not known that a message began, its question is answered."""
    rows = [("begun", "3.0", None), ("perhaps", None, None), ("claimed", None, "2025-10-01")]
    with engine_of(old).begun(write=True, bulk=False) as connection:
        connection.executemany(
            """INSERT INTO outbox (key, channel, payload, state, ts, tried_at, planned_at, changed_at)
               VALUES (?, 'D1', '{"text": "interrupted"}', 'sending', ?, ?, '2025-10-01', '2025-10-01')""",
            rows,
        )
    outbox = Store(old).outbox
    states = {key: outbox.parts(key).get(key) for key, *_ in rows}
    assert states == {"begun": "planned", "perhaps": None, "claimed": "sending"}
    assert (post := outbox.get("begun")) and (post.ts, post.payload) == ("3.0", {"text": "interrupted"})
