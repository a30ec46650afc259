"""Digests that are due while histories are rewritten, and processes are killed: rounds of a campaign.

Each round has a channel of its own, whose digest of the month before is due at once.
"""

from __future__ import annotations

import random
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.history import GIT
from benchmarks.timing import say
from benchmarks.town import Town, indexed
from bot.digest.subscriptions import Subscriptions
from bot.settings import DigestSettings, PostgresAddress
from bot.workspace.state import WorkspaceChannel
from storage import Store

OWNER = "U0001"
PEOPLE = ("Ada Lovelace", "Grace Hopper", "Barbara Liskov", "Frances Allen")
EVERY = 20  # rounds, after which the index is compared
SECONDS = 180.0  # until what is not there counts as lost
KILL_SECONDS = 3.0  # in which a round's kills fall
# Who is credited with what, in every commit.
CREDITS = (
    "SELECT r.name, encode(c.sha, 'hex'), cr.name, cr.address, x.role FROM credits x "
    "JOIN commits c ON c.id = x.commit_id JOIN repositories r ON r.id = c.repository_id "
    "JOIN credited cr ON cr.id = x.credited_id ORDER BY 1, 2, 3, 4, 5"
)
WORDS = (
    "SELECT encode(c.sha, 'hex'), w.words::text FROM commit_words w JOIN commits c ON c.id = w.commit_id ORDER BY 1, 2"
)


@dataclass
class Outcome:
    rounds: int = 0
    kills: int = 0
    posts: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    longest: float = 0.0


def made(folder: Path, count: int) -> list[Path]:
    """Small repositories, whose commits are of the month before this."""
    found = [folder / f"small{number}" for number in range(count)]
    for one in found:
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(one)], check=True, env=GIT)
        _commit(one, "", 12, random.Random(one.name))  # noqa: S311
    return found


def rewrite(repository: Path, dice: random.Random) -> None:
    """Put other commits in the place of the newest."""
    back = dice.randrange(4)
    _commit(repository, f"main~{back}", dice.randint(back, back + 2) or 1, dice)


def _commit(repository: Path, onto: str, count: int, dice: random.Random) -> None:
    before = datetime.now(UTC).replace(day=1) - timedelta(days=15)
    stream = list[str]()
    for number in range(count):
        who, at = dice.choice(PEOPLE), int(before.timestamp()) + dice.randrange(86_400)
        words = f"{dice.choice(('Add', 'Fix', 'Speed up'))} part {dice.randrange(10**9)}\n\nReviewed-by: {PEOPLE[0]}\n"
        signature = f"{who} <{who.split()[0].lower()}@example.com> {at} +0000"
        stream += ["commit refs/heads/main", f"committer {signature}", f"data {len(words)}\n{words}"]
        if onto and not number:
            stream.append(f"from {_tip(repository, onto)}")
        text = f"{dice.randrange(10**9)}\n"
        stream += [f"M 644 inline src/part{dice.randrange(20)}.py", f"data {len(text)}\n{text}"]
    command = ["git", "-C", str(repository), "fast-import", "--quiet", "--force"]
    subprocess.run(command, input="\n".join(stream) + "\n", text=True, check=True, env=GIT)


def _tip(repository: Path, name: str = "main") -> str:
    command = ["git", "-C", str(repository), "rev-parse", name]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=GIT).stdout.strip()


def rounds(town: Town, repositories: Sequence[Path], count: int, folder: Path) -> dict[str, Any]:
    outcome, dice = Outcome(), random.Random(1)  # noqa: S311
    for number in range(count):
        _round(town, repositories, f"C0ROUND{number:04}", outcome, dice)
        if number % EVERY == EVERY - 1 or number == count - 1:
            outcome.differences += compared(town, repositories, folder / f"compared{number}")
            say(f"{number + 1} rounds: {outcome}")
    return {name: getattr(outcome, name) for name in Outcome.__dataclass_fields__}


def _round(town: Town, repositories: Sequence[Path], channel: str, outcome: Outcome, dice: random.Random) -> None:
    team = town.workspace.workspace
    town.workspace.in_thread(lambda: team.add_channel(WorkspaceChannel(name=channel.lower(), id=channel)))
    for repository in repositories:
        rewrite(repository, dice)
    now = datetime.now(UTC)
    table = DigestSettings(channel=channel, hour=0)
    since = now.replace(day=1) - timedelta(days=15)
    Subscriptions(town.store.digests, [], "UTC").make(table.as_wanted(), OWNER, since)
    began = time.monotonic()
    for at in sorted(dice.uniform(0.0, KILL_SECONDS) for _ in range(dice.randint(2, 5))):
        time.sleep(max(0.0, began + at - time.monotonic()))
        dice.choice(town.processes).kill()
        outcome.kills += 1
    while time.monotonic() - began < SECONDS and not _is_posted(town.store, channel):
        time.sleep(0.1)
    outcome.longest = max(outcome.longest, round(time.monotonic() - began, 1))
    outcome.rounds += 1
    keys = town.store.outbox.keys(f"digest|{team.team_id}|{channel}|")
    there: Counter[str] = Counter()
    town.workspace.in_thread(
        lambda: there.update(
            str(((one.metadata or {}).get("event_payload") or {}).get("key")) for one in team.stored(channel)
        )
    )
    outcome.posts += sum(there.values())
    outcome.lost += [key for key in keys or [f"{channel}: nothing was planned"] if not there[key]]
    outcome.doubled += [key for key, times in there.items() if times > 1]


def _is_posted(store: Store, channel: str) -> bool:
    keys = [key for key in store.outbox.keys("digest|") if f"|{channel}|" in key]
    found = [post for key in keys if (post := store.outbox.get(key))]
    return bool(found) and all(post.state == "sent" for post in found)


def compared(town: Town, repositories: Sequence[Path], folder: Path) -> list[str]:
    """What differs between the index, once it has come to rest, and one that nobody disturbed."""
    tips = {f"made/{one.name}": _tip(one) for one in repositories}
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if {one.name: one.tip for one in town.store.commits.repositories()} == tips and not _uncounted(town.store):
            break
        time.sleep(0.5)
    else:
        return [f"{folder.name}: the index did not come to rest"]
    fresh = Store(town.postgres.new_database())
    indexed(fresh, repositories, folder)
    ours, undisturbed = _content(town.store), _content(fresh)
    return [f"{folder.name}: {what}" for what in undisturbed if not ours[what] or ours[what] != undisturbed[what]]


def _uncounted(store: Store) -> int:
    return sum(store.commits.uncounted(one.name) for one in store.commits.repositories())


def _content(store: Store) -> dict[str, Any]:
    names = sorted(one.name for one in store.commits.repositories())
    commits = [store.commits.of(name, sorted(store.commits.stored(name))) for name in names]
    return {"commits": commits, "credits": _dump(store, CREDITS), "words": _dump(store, WORDS)}


def _dump(store: Store, query: str) -> list[tuple[Any, ...]]:
    if not isinstance(store.database, PostgresAddress):
        raise TypeError("these rounds are of PostgreSQL")
    with psycopg.connect(store.database.url) as connection:
        return connection.execute(query.encode()).fetchall()
