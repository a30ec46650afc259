"""Several processes read the same repositories while one after the other is killed or frozen: no commit is lost or
stored twice, and no index ends since the database is locked. `make slow` runs it and prints the counts."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from builders import GitRepo, a_minute_later, both_engines, everything, index

from bot.index.lines import Lines
from bot.settings import DatabasePlace, PostgresAddress
from storage import Store

pytestmark = pytest.mark.slow
ROUNDS, ACTS = 3, 8  # what befalls the processes in a round, however long that takes
# Small batches and a token that is soon over, so that much falls between two of them.
READER = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from bot.index import indexing
from storage import Store, commits
from bot.settings import PostgresAddress

kind, database, home, *paths = sys.argv[1:]
indexing.BATCH = indexing.LARGEST = 40
commits.TOKEN_SECONDS = 2
if database.startswith("postgresql"):  # which may take its time on a busy machine
    from storage import postgres
    postgres.CONNECT_SECONDS, postgres.WAIT_SECONDS = 600, 600.0
if kind == "index":
    os.environ.update(ALMANAC_DB=database, ALMANAC_HOME=home)
    sys.argv = ["almanac", "index", *paths]
    from bot.cli import main
    main()
elif kind == "worker":
    from dataclasses import replace
    from index_workers import SOON, settings_of
    from bot.index.jobs import IndexWorker, JobQueue
    import asyncio
    names = {"acme/" + Path(one).name: one for one in paths}
    address = PostgresAddress(database)
    store = Store(address)
    JobQueue(store).request(list(names), urgent=False)
    asyncio.run(IndexWorker(settings_of(address, Path(home), names), store, replace(SOON, stalled=1.0)).run())
else:  # as serve does at each tick
    from bot.index.indexing import Indexing
    from bot.index.places import located
    store = Store(PostgresAddress(database) if database.startswith("postgresql") else Path(database))
    while True:
        list(Indexing(store.commits, Path(home) / "mirrors", datetime.now(UTC)).all(map(located, paths)))
"""


def started(kind: str, database: DatabasePlace, home: Path, repos: list[GitRepo]) -> subprocess.Popen[str]:
    shown = database.url if isinstance(database, PostgresAddress) else str(database)
    command = [sys.executable, "-c", READER, kind, shown, str(home), *(str(repo.path) for repo in repos)]
    paths = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    return subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        process_group=0,
    )  # fmt: skip


def rewrite(repo: GitRepo, dice: random.Random) -> None:
    """A push, and now and then one that takes back what was there."""
    if dice.random() < 0.5:
        repo.reset(f"HEAD~{dice.randint(1, 40)}")
    for number in range(dice.randint(5, 30)):
        repo.commit(f"Later {number} {dice.random()}")


def end(one: subprocess.Popen[str]) -> None:
    for number in (signal.SIGCONT, signal.SIGKILL):
        os.killpg(one.pid, number)
    one.communicate()


@both_engines
def test_every_commit_is_stored_once_whoever_is_killed(
    on_engine: str, tmp_path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    dice, seen = random.Random(7), Counter[str]()  # noqa: S311
    server = request.getfixturevalue("postgres") if on_engine == "postgres" else None
    database: DatabasePlace = server.database() if server else tmp_path / "almanac.db"
    repos = [GitRepo(tmp_path / "acme" / f"engine{number}") for number in range(3)]
    for repo in repos:
        repo.many(600)
    kinds = ["index", "index", "serve", *(["worker"] if server else [])]
    ended_badly = list[str]()
    for _ in range(ROUNDS):
        running = [(kind, started(kind, database, tmp_path / f"home{n}", repos)) for n, kind in enumerate(kinds)]
        for _ in range(ACTS):
            time.sleep(dice.uniform(0.2, 1.2))  # anything may be under way then
            at = dice.randrange(len(running))
            kind, one = running[at]
            if one.poll() is not None:
                said = one.communicate()[1]
                seen[f"{kind} ended"] += 1
                if one.returncode:
                    ended_badly.append(f"{kind}: {one.returncode}: {said[-2000:]}")
            elif dice.random() < 0.3:  # for longer than its token
                os.killpg(one.pid, signal.SIGSTOP)
                time.sleep(2.5)
                os.killpg(one.pid, signal.SIGCONT)
                seen[f"{kind} frozen"] += 1
                continue
            else:
                end(one)
                seen[f"{kind} killed"] += 1
            running[at] = (kind, started(kind, database, tmp_path / f"home{at}", repos))
            if dice.random() < 0.2:
                rewrite(dice.choice(repos), dice)
                seen["pushes"] += 1
        for _, one in running:
            end(one)
    store = Store(database)
    a_minute_later(store)
    last = started("index", database, tmp_path / "last", repos)
    said = last.communicate()[1]
    assert (last.returncode, ended_badly) == (0, []), said
    stored = Counter((one.repository, one.sha) for one in everything(store))
    wanted = {(f"acme/{repo.path.name}", sha) for repo in repos for sha in repo.shas()}
    seen |= Counter({"commits": len(stored), "of rev-list": len(wanted), "stored twice": stored.total() - len(stored)})
    with capsys.disabled():
        print(f"\n{on_engine}: {dict(sorted(seen.items()))}")
    assert set(stored) == wanted
    assert set(stored.values()) == {1}
    whole = Store(tmp_path / "whole.db")
    for repo in repos:
        index(whole, repo)
        Lines(whole.commits, tmp_path).count_all(f"acme/{repo.path.name}")
    assert everything(store) == everything(whole), "as if undisturbed"
    assert sum(count for what, count in seen.items() if what.endswith("killed")) >= ROUNDS
    if server:
        server.give_back(database)
