# ruff: noqa: S608  the names of tables are written here
"""Months and digests of ten million commits in PostgreSQL: `python -m benchmarks.ten_million [--million FILE]`.

A store of a million synthetic commits (benchmarks/filled.py; or FILE, a SQLite file of one) is copied into a private
server with `almanac db copy`, and the server copies it nine times more: other repositories, people, SHAs and keys of
references, the same dates, files and words. So what refers to what is found in the first million only; both are asked.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.asking import Asking
from benchmarks.filled import NOW, filled_home
from benchmarks.timing import ROOT, machine, percentile, say
from bot.errors import AlmanacError
from bot.settings import load_settings
from storage import Store
from storage.migrations import table_names
from storage.store import copy_database

SETTINGS = {"shared_buffers": "2GB", "maintenance_work_mem": "1GB", "max_wal_size": "8GB", "autovacuum": "off"}
COPIES = 10
MONTHS = 500
TEAM, TEAM_MONTH, BEFORE = 50, "2024-10", "2024-09"
_SHA = "substring(sha256({column} || int4send({k})) FOR 20)"
_PARENTS = [_SHA.replace("{column}", f"substring(parents FROM {first} FOR 20)") for first in (1, 21)]
# Which table the numbers of a column are of. A table that has such a column, or whose numbers these are, is copied.
_OF = {"repository_id": "repositories", "author_id": "identities", "committer_id": "identities",
       "credited_id": "credited", "commit_id": "commits"}  # fmt: skip
# What else is another in the copy with the number {k}; anything else is as it was.
_CHANGED = {
    "repositories.name": "name || {k}",
    "repositories.location": "location || {k}",
    "identities.name": "name || ' ' || {k}",
    "identities.address": "address || {k}",
    "credited.name": "name || ' ' || {k}",
    "credited.address": "CASE WHEN address = '' THEN '' ELSE address || {k} END",
    "commits.sha": _SHA.replace("{column}", "sha"),
    "commits.parents": f"CASE length(parents) WHEN 0 THEN parents WHEN 20 THEN {_PARENTS[0]} "
                       f"ELSE {_PARENTS[0]} || {_PARENTS[1]} END",
    "commit_references.key": "key # {mask}",
    "tags.sha": _SHA.replace("{column}", "sha"),
}  # fmt: skip


def multiply(connection: psycopg.Connection[Any], copies: int) -> None:
    """Make `copies` times the commits that there are."""

    def run(statement: str) -> list[Any]:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []

    last = {table: run(f"SELECT coalesce(max(id), 0) FROM {table}")[0][0] for table in set(_OF.values())}

    def changed(table: str, column: str, k: int) -> str:
        of = table if column == "id" else _OF.get(column)
        if of is not None:
            return f"{column} + {k * last[of]}"
        mask = k * 7046029254386353131 % 2**62
        return _CHANGED.get(f"{table}.{column}", f'"{column}"').format(k=k, mask=mask)

    columns: dict[str, list[str]] = {}
    of_schema = "FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY ordinal_position"
    for table, column in run(f"SELECT table_name::text, column_name::text {of_schema}"):
        columns.setdefault(table, []).append(column)
    copied = [table for table in table_names() if table in last or not _OF.keys().isdisjoint(columns[table])]
    names = ", ".join(f"'{table}'" for table in copied)
    indexes = run(
        f"SELECT indexname::text, indexdef, tablename::text FROM pg_indexes WHERE tablename IN ({names}) "
        f"AND indexname NOT IN (SELECT conname FROM pg_constraint)"
    )
    keys = run(
        f"SELECT conname::text, pg_get_constraintdef(oid), conrelid::regclass::text FROM pg_constraint "
        f"WHERE contype IN ('p', 'u', 'x', 'f') AND conrelid::regclass::text IN ({names}) ORDER BY contype <> 'f'"
    )
    for name, _, _ in indexes:
        run(f"DROP INDEX {name}")
    for name, _, table in keys:
        run(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    for table in copied:
        say(f"copying {table}")
        run(f"CREATE TEMP TABLE first AS SELECT * FROM {table}")
        into = ", ".join(f'"{column}"' for column in columns[table])
        for k in range(1, copies):
            values = ", ".join(changed(table, column, k) for column in columns[table])
            run(f"INSERT INTO {table} ({into}) SELECT {values} FROM first")
        run("DROP TABLE first")
    for name, made, table in reversed(keys):  # last those that refer to others
        run(f"ALTER TABLE {table} ADD CONSTRAINT {name} {made}")
    for name, made, _ in indexes:
        say(f"making the index {name}")
        run(str(made))
    run(f"UPDATE ids SET last = last * {copies}")
    say("VACUUM ANALYZE")
    run("VACUUM ANALYZE")


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.ten_million", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--million", type=Path, help="a SQLite file that is filled already")
    parser.add_argument("--copies", type=int, default=COPIES)
    parser.add_argument("--cache", type=Path, default=Path("/tmp/almanac-bench"))  # noqa: S108
    asked = parser.parse_args()
    million = asked.million or filled_home(asked.cache, 1_000_000) / "almanac.db"
    sys.path.insert(0, str(ROOT / "tests"))
    with importlib.import_module("postgres").server(**SETTINGS) as server, contextlib.ExitStack() as stack:
        address = server.new_database()
        began = time.monotonic()
        copy_database(Store(million), Store(address), lambda *_: None)
        say(f"copied the first million in {time.monotonic() - began:.0f} s")
        connection = stack.enter_context(psycopg.connect(address.url, autocommit=True))
        multiply(connection, asked.copies)
        say(f"filled after {time.monotonic() - began:.0f} s")
        size, commits = connection.execute(
            "SELECT sum(pg_total_relation_size(oid)), (SELECT count(*) FROM commits) FROM pg_class "
            "WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        ).fetchall()[0]
        os.environ |= {"ALMANAC_DB": address.url, "ALMANAC_NOW": NOW}
        print(machine())
        print(f"PostgreSQL {connection.info.server_version // 10000} with {SETTINGS}; {commits:,} commits, "
              f"{size / commits:,.0f} bytes each with indexes")  # fmt: skip
        measure(connection, commits, asked.copies, Path(stack.enter_context(tempfile.TemporaryDirectory())))


def measure(connection: psycopg.Connection[Any], commits: int, copies: int, folder: Path) -> None:
    """Ask the database that the environment names; `folder` is for almanac.toml."""
    asking = Asking(load_settings())
    for what, last in (("everybody", commits), ("people of the first million", commits // copies)):
        taken = [took for one in _drawn(connection, last) if (took := _took(asking, one))]
        for part, name in ((0, "to its facts"), (1, "the whole document")):
            p50, p99 = (percentile([one[part] for one in taken], share) for share in (0.5, 0.99))
            print(f"a month of {what}, {name}: p50 {p50:.1f} ms, p99 {p99:.1f} ms of {len(taken)}", flush=True)
    people = [name for name in asking.team(20 * TEAM, TEAM_MONTH) if not name[-1].isdigit()][:TEAM]
    (folder / "almanac.toml").write_text(f'[[teams]]\nname = "team"\npeople = {json.dumps(people)}\n')
    os.environ["ALMANAC_CONFIG"] = str(folder / "almanac.toml")
    asking = Asking(load_settings())
    asking.digest(BEFORE, "team")
    again = asking.digest(TEAM_MONTH, "team"), asking.digest(TEAM_MONTH, "team")
    print(f"a digest of {len(people)} people: {again[0] / 1000:.2f} s, asked again {again[1] / 1000:.2f} s")


def _drawn(connection: psycopg.Connection[Any], last: int) -> list[tuple[str, str]]:
    """Who wrote random commits, up to a number, and when: whoever wrote more is asked about more."""
    chance = random.Random(1)  # noqa: S311
    numbers = [chance.randint(1, last) for _ in range(MONTHS)]
    query = """SELECT name, to_char(to_timestamp(authored_at), 'YYYY-MM') FROM commits
               JOIN identities ON identities.id = author_id WHERE commits.id = ANY(%s)"""
    return connection.execute(query, (numbers,)).fetchall()


def _took(asking: Asking, one: tuple[str, str]) -> tuple[float, float] | None:
    """Milliseconds, but not of a name that several people have."""
    try:
        return asking.month(one)[:2]
    except AlmanacError:
        return None


if __name__ == "__main__":
    main()
