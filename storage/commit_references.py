"""What the messages of commits name: keys by which related commits find each other, and people in trailers.

Who a credited person is to us is decided when it is asked: people are linked and renamed, trailers are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from string import ascii_lowercase, ascii_uppercase

from bot.model import Commit, Credited, Dates, Role
from bot.month.trailers import credits_of
from storage.engine import COLUMN_OF, Connection, marks, numbered_pairs
from storage.erasure_blocklist import Blocklist

ReferenceRow = tuple[int, int]  # a key and its role
OWNS, POINTS, WORK = 0, 1, 2  # the roles of a key: see `bot.month.commit_references.Keys`


def put_references(connection: Connection, commits: Iterable[tuple[int, Sequence[ReferenceRow]]]) -> None:
    """Store the references of commits with their numbers."""
    # In the order of the table: neighbours are then on the page that is at hand.
    rows = sorted({(key, role, number) for number, some in commits for key, role in some})
    connection.load("commit_references", "key, role, commit_id", rows)


def reference_rows(commit: Commit) -> list[ReferenceRow]:
    """The keys of a commit, each with its role."""
    from bot.month.commit_references import keys_of, references_of  # its patterns take long to load

    keys = keys_of(commit, references_of(commit))
    rows = [(key, OWNS) for some in (keys.own, keys.titles) for key in some]
    rows += [(key, POINTS) for some in (keys.points, keys.quotes) for key in some]
    return rows if keys.work is None else [*rows, (keys.work, WORK)]


ROLES: tuple[Role, ...] = ("coauthor", "reviewer", "tester", "reporter", "suggester", "helper")  # append only
CreditRow = tuple[str, str, int]  # name, address, and a place in ROLES


def put_credits(
    connection: Connection, commits: Iterable[tuple[int, int, Sequence[CreditRow]]], out: Blocklist
) -> None:
    """Store whom commits name of which that is not stored, with the commits' numbers and author dates; but for those
    who are kept out."""
    rows = [(number, at, *row) for number, at, some in commits for row in some if not out.holds(*row[:2])]
    known = numbered_pairs(connection, "credited", {(name, address) for *_, name, address, _ in rows})
    connection.load(
        "credits",
        "credited_id, authored_at, commit_id, role",
        sorted({(known[name, address], at, number, role) for number, at, name, address, role in rows}),
    )


def credit_rows(commit: Commit) -> list[CreditRow]:
    """Whom a commit names, each with the number of the role."""
    return [(one.name, one.address, ROLES.index(one.role)) for one in credits_of(commit.body)]


_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


def credited_like(connection: Connection, addresses: Sequence[str], names: Sequence[str]) -> dict[int, Credited]:
    """Those who are named with one of the addresses or names, whatever their case, by number. Their role is of no
    meaning."""
    # The database knows the case of ASCII only. Without the empty address SQLite would not use the index.
    forms = ((name,) if name.isascii() else (name, name.lower(), name.upper(), name.title()) for name in names)
    names = sorted({one.translate(_LOWER) for some in forms for one in some})
    rows = connection.execute(
        f"""SELECT id, name, address FROM credited WHERE lower(address) IN ({marks(addresses)}) AND address <> ''
            UNION SELECT id, name, address FROM credited WHERE lower(name) IN ({marks(names)}) ORDER BY id""",
        (*(one.translate(_LOWER) for one in addresses), *names),
    )
    return {int(row["id"]): Credited(ROLES[0], row["name"], row["address"]) for row in rows}


def commits_crediting(
    connection: Connection, credited: Iterable[int], first: int, last: int, dates: Dates
) -> Mapping[int, list[Role]]:
    """The numbers of commits dated between two seconds, the second included, that name one of these, and as what.

    Only author dates are kept beside whom a commit names: by committer dates, all that name somebody are looked up.
    """
    when = f"{COLUMN_OF[dates]} BETWEEN ? AND ?"
    if dates != "author":
        when = f"(SELECT {COLUMN_OF[dates]} FROM commits WHERE id = commit_id) BETWEEN ? AND ?"
    found: dict[int, list[Role]] = {}
    for number in credited:
        rows = connection.execute(
            f"SELECT commit_id, role FROM credits WHERE credited_id = ? AND {when}", (number, first, last)
        )
        for row in rows:
            found.setdefault(int(row["commit_id"]), []).append(ROLES[row["role"]])
    return found
