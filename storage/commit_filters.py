"""Whose, when and where: conditions on the table `commits`, each made so that it is read as ranges of an index."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from math import ceil

from bot.model import Identity, Signature
from storage.engine import Connection
from storage.repositories import repository_ids
from storage.sql import numbers

_ALL_TIME = (0, 2**63 - 1)


def commits_where(
    connection: Connection,
    date: str,
    start: datetime | None,
    end: datetime | None,
    identities: Sequence[Identity] | None,
    repositories: Sequence[str] | None,
) -> str:
    """The condition on `commits` for whose, when and where: always one range of an index a person or a repository.
    `date` is the column that says when."""
    first = _ALL_TIME[0] if start is None else int(start.timestamp())
    last = _ALL_TIME[1] if end is None else int(end.timestamp()) - 1
    when = f"{date} BETWEEN {first} AND {last}"
    if identities is None:
        return f"commits.repository_id IN ({numbers(repository_ids(connection, repositories))}) AND {when}"
    whose = f"author_id IN ({numbers(identity_ids(connection, identities))}) AND {when}"
    whose += "".join(f" AND NOT ({elsewhere})" for elsewhere in attributed_elsewhere(connection, identities))
    if repositories is None:
        return whose
    # The plus keeps SQLite from reading by repository: https://www.sqlite.org/optoverview.html#uplus
    return f"{whose} AND +commits.repository_id IN ({numbers(repository_ids(connection, repositories))})"


def nearest_date(
    connection: Connection,
    date: str,
    instant: datetime,
    identities: Sequence[Identity] | None,
    without: Sequence[str],
    *,
    forward: bool = False,
) -> datetime | None:
    """The date nearest to an instant, before it or from it on: one step into an index for each number."""
    elsewhere = ""
    if identities is None:
        column, ids = "repository_id", repository_ids(connection, without=without)
    else:
        column, ids = "author_id", identity_ids(connection, identities)
        elsewhere = f"AND repository_id NOT IN ({numbers(repository_ids(connection, without))})"
        elsewhere += "".join(f" AND NOT ({one})" for one in attributed_elsewhere(connection, identities))
    side, order, choose = (">=", "ASC", min) if forward else ("<", "DESC", max)
    rows = (
        connection.execute(
            f"""SELECT {date} FROM commits WHERE {column} = ? AND {date} {side} ? {elsewhere}
                ORDER BY {date} {order} LIMIT 1""",
            (number, ceil(instant.timestamp())),
        ).fetchone()
        for number in ids
    )
    found = choose((int(row[0]) for row in rows if row), default=None)
    return None if found is None else Signature("", "", found, 0).at


def identity_ids(connection: Connection, identities: Iterable[Identity]) -> list[int]:
    """The numbers of those identities that are known."""
    return list(_known(connection, {(one.name, one.address) for one in identities}).values())


def attributed_elsewhere(connection: Connection, identities: Iterable[Identity]) -> list[str]:
    """Conditions on commits whose authors have a number of `identity_ids` and that are another identity's: what the
    .mailmap of a repository speaks of is shown there by itself."""
    only: dict[tuple[str, str], set[str]] = defaultdict(set)
    but: dict[tuple[str, str], set[str]] = {}
    for one in identities:
        who = one.name, one.address
        if one.only:
            only[who].add(one.only)
        else:
            but[who] = but.get(who, set(one.but)) & set(one.but)
    numbered = _known(connection, {*only, *(who for who, some in but.items() if some)})
    conditions = []
    for who, number in numbered.items():
        told = only.get(who, set())
        names = but[who] - told if who in but else told
        places = numbers(
            row["id"]
            for row in connection.execute("SELECT id, name FROM repositories ORDER BY id")
            if row["name"] in names
        )
        if who in but and not names:
            continue
        conditions.append(f"author_id = {number} AND +repository_id {'IN' if who in but else 'NOT IN'} ({places})")
    return conditions


def _known(connection: Connection, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = {}
    for who in sorted(wanted):
        row = connection.execute("SELECT id FROM identities WHERE name = ? AND address = ?", who).fetchone()
        if row:
            found[who] = row["id"]
    return found
