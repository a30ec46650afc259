"""Who wrote commits, exactly as they signed them; who is in the Slack workspace, as it was last read; and what people
said by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from bot.model import Dates, Identity, Said, SaidKind
from bot.month.addresses import plain
from bot.month.calendar import time_zone
from storage.commit_rows import NO_MERGE, read_blocklist, repository_ids
from storage.engine import COLUMN_OF, Connection, Row, Tables, batches, marks, new_ids, numbers, read, span, written
from storage.search import whose


class Identities(Tables):
    """Who signed commits, exactly as they did."""

    def authors(self, *, without: Sequence[str] = ()) -> list[Identity]:
        """Every author's identity with the count of its commits, by name and address. `without` names repositories
        whose commits do not count: who wrote only there is left out."""
        with self._transaction() as connection:
            # The counts are kept when commits are added and removed: only what is left out is read for them.
            rows = connection.tuples("SELECT name, address, commits FROM identities ORDER BY name, address")
            places = numbers(repository_ids(connection, without)) if without else ""
            hidden = _counted(connection, f"repository_id IN ({places})") if without else {}
        left_out = {who: sum(many.values()) for who, many in hidden.items()}
        left = ((name, mail, commits - left_out.get((name, mail), 0)) for name, mail, commits in rows)
        return [Identity(*one) for one in left if one[2] > 0]

    def credited(self, *, without: Sequence[str] = ()) -> list[Identity]:
        """Whom trailers name, exactly as written, as identities that carry no commits: of name and address one may be
        empty. `without` names repositories whose commits do not count."""
        theirs = "SELECT credited_id FROM credits"
        with self._transaction() as connection:
            if without:
                places = numbers(repository_ids(connection, without=without))
                theirs += f" JOIN commits ON commits.id = commit_id WHERE repository_id IN ({places})"
            rows = connection.tuples(f"SELECT name, address FROM credited WHERE id IN ({theirs}) ORDER BY id")
            return [Identity(name, address) for name, address in rows]

    def counted(
        self, identities: Iterable[Identity], *, without: Sequence[str] = ()
    ) -> dict[tuple[str, str], dict[str, int]]:
        """How many commits some identities are the author of in each repository, by name and address; those with none
        are left out, as are repositories in `without`. Reads an entry of an index for each of their commits."""
        with self._transaction() as connection:
            (ids, _), places = whose(connection, identities), repository_ids(connection, without=without)
            return _counted(connection, f"author_id IN ({numbers(ids)}) AND +repository_id IN ({numbers(places)})")

    def revision(self) -> tuple[int, int]:
        """Two numbers, to know what may be kept: the first is another one whenever links, who is hidden or .mailmap
        files may be others, the second whenever `authors` may, or there is somebody new in Slack."""
        # Each part only ever grows, so that no two changes make up for each other.
        [row] = self._rows(
            """SELECT (SELECT coalesce(sum(changes), 0) FROM mailmaps)
                    + (SELECT coalesce(max(id), 0) + count(undone_at) FROM said WHERE kind <> 'change'),
                      (SELECT coalesce(sum(changes), 0) FROM repositories)
                    + (SELECT count(*) FROM slack_users)"""
        )
        return int(row[0]), int(row[1])

    def earlier(
        self, identities: Iterable[Identity], before: datetime, repositories: Sequence[str], dates: Dates | None = None
    ) -> dict[tuple[str, str], frozenset[str]]:
        """In which of some repositories some identities have a commit dated before an instant, by name and address, and
        by another date if it is given; those who have none are left out. Costs a look into the index for each pair."""
        found: dict[tuple[str, str], set[str]] = {}
        with self._transaction() as connection:
            (ids, _), places = whose(connection, identities), repository_ids(connection, repositories)
            rows = connection.execute(
                f"""SELECT identities.name, address, repositories.name AS repository FROM identities, repositories
                    WHERE identities.id IN ({numbers(ids)}) AND repositories.id IN ({numbers(places)})
                      AND EXISTS (SELECT 1 FROM commits WHERE author_id = identities.id
                                  AND {COLUMN_OF[dates] if dates else self._date} < ?
                                  AND +repository_id = repositories.id)""",
                (int(before.timestamp()),),
            )
            for row in rows:
                found.setdefault((row["name"], row["address"]), set()).add(row["repository"])
        return {who: frozenset(names) for who, names in found.items()}

    def active(
        self, start: datetime, end: datetime, *, without: Sequence[str] = (), merges: bool = True
    ) -> dict[tuple[str, str], dict[str, int]]:
        """Whose commits are dated from `start` up to but not at `end`, by name and address, and how many in each
        repository. `without` names repositories that do not count; `merges` whether merges do, without which all of
        the commits are read, and not their index alone."""
        first, last = span(start, end)
        with self._transaction() as connection:
            places = numbers(repository_ids(connection, without=without))
            where = f"repository_id IN ({places}) AND {self._date} BETWEEN {first} AND {last}"
            return _counted(connection, where if merges else f"{where} AND {NO_MERGE}")


def _counted(connection: Connection, where: str) -> dict[tuple[str, str], dict[str, int]]:
    """Of the commits that a condition holds for, by who wrote them, exactly as they signed: how many in which
    repository."""
    rows = connection.tuples(
        f"""SELECT identities.name, address, repositories.name, written FROM
              (SELECT author_id, repository_id, count(*) AS written FROM commits WHERE {where}
               GROUP BY author_id, repository_id) AS used
            CROSS JOIN identities ON identities.id = author_id
            CROSS JOIN repositories ON repositories.id = repository_id ORDER BY author_id, repository_id"""
    )
    found: dict[tuple[str, str], dict[str, int]] = {}
    for name, address, repository, many in rows:
        found.setdefault((name, address), {})[repository] = many
    return found


# The row without an id is no user: its name is the workspace that the others are of, and it was seen when they were
# last all read.
_ROLL = ""
NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class SlackUser:
    """A user as Slack knew them at `seen_at`; an empty name, address or zone where it does not say. `standing` is
    member, guest, stranger, or unknown where Slack does not say just now. Who is `deleted` cannot ask any more, and
    bots never could."""

    id: str
    name: str = ""
    address: str = ""
    zone: str = ""
    standing: str = "unknown"
    deleted: bool = False
    seen_at: datetime = field(default=NEVER, compare=False)

    @property
    def proved_address(self) -> str:
        """The address that the profile proves to be theirs: a stranger's is another organisation's word."""
        return "" if self.standing == "stranger" else self.address

    @property
    def zone_info(self) -> ZoneInfo | None:
        """The time zone they have set."""
        try:
            return time_zone(self.zone) if self.zone else None
        except ValueError:
            return None


class SlackUsers(Tables):
    def belong_to(self, workspace: str) -> None:
        """Say of which workspace the users are. Those of another are dropped: ids are the same only within one."""
        row = self._row("SELECT name FROM slack_users WHERE id = ?", (_ROLL,))
        if row and row["name"] == workspace:
            return
        with self._transaction(write=True) as connection:
            connection.execute("DELETE FROM slack_users")
            _put(connection, _ROLL, workspace, "", "", "", 0, "")

    def listed_at(self) -> datetime | None:
        """When all of them were last read."""
        row = self._row("SELECT seen_at FROM slack_users WHERE id = ?", (_ROLL,))
        return read(row["seen_at"]) if row else None

    def keep(self, users: Iterable[SlackUser], *, workspace: str, whole: datetime | None = None) -> None:
        """Keep what was read of users. `whole`: these are all of the workspace, as of then.

        Whoever is not among all of them stays: people are remembered when they are gone. Of those who asked to be
        forgotten neither name nor address is kept.
        """
        with self._transaction(write=True) as connection:
            out = read_blocklist(connection)
            for one in users:
                if one.id != _ROLL:
                    who = ("", "") if out.holds(one.name, one.address) else (one.name, one.address)
                    _put(connection, one.id, *who, one.zone, one.standing, int(one.deleted), written(one.seen_at))
            if whole is not None:
                _put(connection, _ROLL, workspace, "", "", "", 0, written(whole))

    def users(self, numbers: Sequence[str]) -> Mapping[str, SlackUser]:
        """Those of the users that are known, by id."""
        found: dict[str, SlackUser] = {}
        with self._transaction() as connection:
            for some in batches([one for one in numbers if one != _ROLL]):
                query = f"SELECT * FROM slack_users WHERE id IN ({marks(some)})"
                found |= {row["id"]: _user(row) for row in connection.execute(query, list(some))}
        return found

    def addresses(self) -> dict[str, str]:
        """The address in the profile of each user that has one, in the form in which it is compared, those who are gone
        last. What the profile of somebody of another workspace says is that one's word."""
        rows = self._rows(
            "SELECT id, address FROM slack_users WHERE address <> '' AND standing <> 'stranger' ORDER BY deleted, id"
        )
        return {row["id"]: plain(row["address"]) for row in rows}

    def everyone(self) -> list[SlackUser]:
        """All who are known, those who are gone too, by name."""
        rows = self._rows("SELECT * FROM slack_users WHERE id <> ? ORDER BY name, id", (_ROLL,))
        return [_user(row) for row in rows]


def _put(connection: Connection, *row: str | int) -> None:
    connection.execute(
        """INSERT INTO slack_users (id, name, address, zone, standing, deleted, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET name = excluded.name, address = excluded.address, zone = excluded.zone,
             standing = excluded.standing, deleted = excluded.deleted, seen_at = excluded.seen_at""",
        row,
    )


def _user(row: Row) -> SlackUser:
    known = {"deleted": bool(row["deleted"]), "seen_at": datetime.fromisoformat(row["seen_at"])}
    return SlackUser(**dict(row) | known)


class SaidLog(Tables):
    """All that people said by hand: rows are added and undone, never changed otherwise. Of those who are erased
    nothing stays, neither what was said of them or their commits nor their names (`storage.erasure`)."""

    def say(
        self, kind: SaidKind, action: str, about: Sequence[str], value: str, by: str, at: datetime,
        *, confirmed: bool = False,
    ) -> list[Said]:  # fmt: skip
        """Note the same of each of what it is about: all of it or nothing."""
        insert = """INSERT INTO said (id, kind, action, about, value, confirmed, by, at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING *"""
        with self._transaction(write=True) as connection:
            first = new_ids(connection, "said", len(about))
            said = ((kind, action, one, value, int(confirmed), by, written(at)) for one in about)
            return [_said(connection.execute(insert, (first + at, *row)).fetchone()) for at, row in enumerate(said)]

    def log(self, *kinds: SaidKind) -> list[Said]:
        """All that was ever said of these kinds, in order; of those who were erased, nothing."""
        query = f"SELECT * FROM said WHERE kind IN ({marks(kinds)}) AND about <> '' ORDER BY id"
        return [_said(row) for row in self._rows(query, kinds)]

    def live(self, *kinds: SaidKind) -> list[Said]:
        """What was not undone of it."""
        return [one for one in self.log(*kinds) if one.undone_at is None]

    def undo(self, kind: SaidKind, number: int | None, by: str, at: datetime) -> Said | None:
        """Undo what was said under a number, else what was said last of a kind, and return it. None where there is none
        that still counts."""
        update = """UPDATE said SET undone_by = ?, undone_at = ? WHERE undone_at IS NULL AND kind = ?
                    AND id = coalesce(?, (SELECT max(id) FROM said WHERE undone_at IS NULL AND kind = ?)) RETURNING *"""
        with self._transaction(write=True) as connection:
            row = connection.execute(update, (by, written(at), kind, number, kind)).fetchone()
            return _said(row) if row else None


def _said(row: Row) -> Said:
    return Said(
        row["id"], row["kind"], row["action"], row["about"], row["value"], row["by"],
        datetime.fromisoformat(row["at"]), row["undone_by"], read(row["undone_at"]), bool(row["confirmed"]),
    )  # fmt: skip
