"""`almanac index`, `worker` and `db copy`: what writes a whole index, with a line for each repository or table."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence, Set
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import click

from bot.errors import AlmanacError, RepositoryUnavailable, log_to_stderr
from bot.index.git import Concurrency
from bot.index.indexing import Indexed, Indexing, Outcome, patiently
from bot.index.lines import Counting, Lines
from bot.index.mirrors import remove_unused
from bot.index.places import Where, keep_audiences, located, one_line, readers, tables_by_name, whereabouts
from bot.model import narrower
from bot.settings import DatabasePlace, PostgresAddress, Settings
from bot.wording import count, listed
from storage import Store

log = logging.getLogger(__name__)

NICE = 10  # how far an index stands back, of 19
DRAWN_SECONDS = 0.1  # between two looks of the line that shows how far it is


def index(settings: Settings, repositories: Sequence[str], *, remove: bool = False) -> None:
    """Index repositories and print a line for each, or take them out of the index. A bad one does not stop the others,
    but ends in an error.

    It stands back behind other programs: a bot that answers meanwhile would wait for it.
    """
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, max(NICE, os.getpriority(os.PRIO_PROCESS, 0)))
    if remove:
        take_out(settings, repositories)
        return
    if not (wanted := places(settings, repositories)):
        raise AlmanacError("there is nothing to index: name a REPO, or list [[repositories]] in almanac.toml")
    store, concurrency = Store(settings.database, dates=settings.dates), Concurrency()
    lines = Lines(store.commits, settings.mirrors, concurrency=concurrency)
    with ShownProgress() as progress, store.held_open(), closing(Counting(lines, progress.counted)) as counting:
        try:
            patiently(lambda: widen(settings, store, repositories), partial(progress.say, err=True), concurrency.cancel)
            done = index_names(settings, store, wanted, progress, concurrency, counting)
            _tell_lines(counting, progress)
        except BaseException:
            concurrency.cancel.stop()
            raise
    _renamed(settings, store, {one.repository for one in done if one and not one.failure})
    remove_unused(settings.mirrors, [one.location for one in store.commits.repositories()], time.time())
    if not all(done) or any(one.shallow or one.failure for one in done if one):
        raise SystemExit(1)


def take_out(settings: Settings, repositories: Sequence[str]) -> None:
    """Remove repositories, each by the name that answers give it or by where it is, and print a line for each."""
    store, wanted = Store(settings.database, dates=settings.dates), dict[str, None]()
    known = {one.name: whereabouts(one.location) for one in store.commits.repositories()}
    listing = tables_by_name(settings).keys()
    for text in repositories:
        found = [text] if text in known else [name for name in known if known[name] == whereabouts(text)]
        if not found:
            raise RepositoryUnavailable(one_line(text), f"is not indexed; there are {listed(sorted(known)) or 'none'}")
        if again := listing & {*found}:
            raise AlmanacError(f"{listed(sorted(again))} would be read again: take its table out of almanac.toml first")
        wanted |= dict.fromkeys(found)
    if not wanted:
        raise AlmanacError("there is nothing to remove: name a REPO")
    for name in wanted:
        click.echo(f"{name}: removed, with {count(_removed(store, name), 'commit')}")
    remove_unused(settings.mirrors, [one.location for one in store.commits.repositories()], time.time())


def _renamed(settings: Settings, store: Store, read: Set[str]) -> None:
    """Remove what was just read under a name of almanac.toml and is there under another one too, which it had before:
    it would be told as two."""
    listing = tables_by_name(settings).keys()
    every = [(whereabouts(one.location), one) for one in store.commits.repositories()]
    now = {where: one.name for where, one in every if one.name in listing & read}
    for where, one in every:
        name = now.get(where, "") if one.name not in listing else ""
        if name and one.tip and store.commits.of(name, [one.tip]):  # two servers of one host have one place, too
            _removed(store, one.name)
            click.echo(f"{one.name}: is {name} from now on")


def _removed(store: Store, name: str) -> int:
    with store.commits.taken(name) as taken:
        return taken.remove(name)


def places(settings: Settings, repositories: Sequence[str]) -> list[Where]:
    """What to index, with what almanac.toml says of it, however the same place is written there."""
    tables = {whereabouts(table.address): table for table in settings.repositories}
    asked = list(dict.fromkeys(repositories)) or [table.address for table in settings.repositories]
    return [located(text, tables.get(whereabouts(text))) for text in asked]


def widen(settings: Settings, store: Store, repositories: Sequence[str]) -> None:
    """Let all read of what is to be indexed whom almanac.toml lets by now; and say of which that is more than did."""
    asked = {whereabouts(text) for text in repositories}
    tables = [table for table in settings.repositories if not asked or whereabouts(table.address) in asked]
    for name, (before, now) in keep_audiences(settings, store, tables).items():
        if before and narrower(before, now) != now:
            click.echo(f"{name}: in Slack for {readers(now)} from now on, no longer only for {readers(before)}")


def index_names(
    settings: Settings,
    store: Store,
    wanted: Sequence[Where],
    progress: ShownProgress,
    concurrency: Concurrency | None = None,
    counting: Counting | None = None,
) -> list[Indexed | None]:
    """Index repositories and say what came of each, in their order. None for one that could not be read.

    `counting` is called as soon as there are lines to count.
    """
    done: list[Indexed | None] = []
    if counting:
        progress.found = counting.found
    indexing = Indexing(store.commits, settings.mirrors, settings.now(), progress, concurrency or Concurrency())
    for one, outcome in zip(wanted, indexing.all(wanted, partial(progress.say, err=True)), strict=True):
        if isinstance(outcome.result, RepositoryUnavailable) or isinstance(one, RepositoryUnavailable):
            progress.say(f"almanac: {outcome.result}", err=True)
            done.append(None)
        else:
            name = outcome.result.repository
            _tell(outcome.result, newest_of(store, settings, name, outcome.result.branch), outcome, progress)
            if counting and (lacking := counting.lines.lacking(name)):
                progress.start(name, lacking, "counting the lines of")
                counting.found(name)
            done.append(outcome.result)
    return done


def newest_of(store: Store, settings: Settings, name: str, branch: str) -> str:
    """The newest commit of a repository, in words, with the branch that is read of it; "" is not named."""
    newest = store.commits.latest(settings.now(), of=name)
    read = f" of {branch}" if branch else ""
    return f"newest commit{read} {f'{newest:%Y-%m-%d %H:%M} UTC' if newest else 'none yet'}"


def _tell(done: Indexed, newest: str, outcome: Outcome, progress: ShownProgress) -> None:
    name = done.repository
    removed = f", {count(done.removed, 'commit')} no longer in the branch removed" if done.removed else ""
    kept_out = f", {count(done.kept_out, 'commit')} of people who are forgotten kept out" if done.kept_out else ""
    progress.end(name)
    commits = f"{count(done.total, 'commit')}, {done.new:,} new{removed}{kept_out}"
    progress.say(f"{name}: {commits}, {newest} ({outcome.seconds:.1f} s)")
    shallow = (
        "a shallow clone, so its older commits are missing: run `git fetch --unshallow` there, then index it again"
    )
    wrong = [f"{name}: {times:,} × {reason}" for reason, times in done.oddities]
    wrong += [f"{name}: {done.failure}"] if done.failure else []
    for line in [*wrong, *([f"{name} is {shallow}"] if done.shallow else [])]:
        progress.say(f"almanac: {line}", err=True)


def _tell_lines(counting: Counting, progress: ShownProgress) -> None:
    """Wait until lines are counted, and say of how many commits, and why not of all."""
    for one in counting.finish():
        progress.end(one.repository)
        if one.failure:
            progress.say(f"almanac: {one.failure}", err=True)
        else:
            progress.say(f"{one.repository}: lines of {count(one.commits, 'commit')} counted ({one.seconds:.1f} s)")


class ShownProgress:
    """How far each is, in a line of the terminal that goes away again; elsewhere a line when one is begun. For any
    thread. `found` is called with a repository as soon as more of its commits are stored."""

    def __init__(self) -> None:
        self.found: Callable[[str], object] = str
        self._lock = threading.RLock()
        self._is_drawn = sys.stderr.isatty()
        self._drawn_at = 0.0
        self._under_way: dict[str, tuple[str, int, int | None]] = {}  # what is done, how far, of how many

    def __enter__(self) -> ShownProgress:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._under_way.clear()
            self._draw()

    def start(self, name: str, total: int | None, doing: str = "reading", of: str = "commit") -> None:
        if total == 0:
            return
        with self._lock:
            if self._is_drawn:
                self._under_way[name] = (doing, 0, total)
                self._draw()
            else:
                much = "all of its commits" if total is None else count(total, of)
                click.echo(f"{name}: {doing} {much}", err=True)

    def advance(self, repository: str, commits: int) -> None:
        self._move(repository, "reading", commits)
        self.found(repository)

    def counted(self, repository: str, commits: int) -> None:
        """Lines of so many more commits are counted: shown once the names are read."""
        self._move(repository, "counting the lines of", commits)

    def reached(self, name: str, done: int) -> None:
        with self._lock:
            if known := self._under_way.get(name):
                self._under_way[name] = (known[0], done, known[2])
                if time.monotonic() - self._drawn_at >= DRAWN_SECONDS:
                    self._draw()

    def _move(self, name: str, doing: str, more: int) -> None:
        with self._lock:
            known = self._under_way.get(name)
            if known and known[0] == doing:
                self.reached(name, known[1] + more)

    def end(self, name: str) -> None:
        with self._lock:
            if self._under_way.pop(name, None):
                self._draw()

    def say(self, line: str, *, err: bool = False) -> None:
        """A line that stays, above the one that goes away."""
        with self._lock:
            self._wipe()
            click.echo(line, err=err)
            self._draw()

    def _wipe(self) -> None:
        if self._is_drawn:
            click.echo("\r\x1b[K", nl=False, err=True)

    def _draw(self) -> None:
        if self._is_drawn:
            parts = (
                f"{name}: {doing} {done:,}{f' of {total:,}' if total else ''}"
                for name, (doing, done, total) in self._under_way.items()
            )
            self._wipe()
            click.echo(one_line("; ".join(parts))[: shutil.get_terminal_size().columns - 1], nl=False, err=True)
            self._drawn_at = time.monotonic()


def work(settings: Settings) -> None:
    """Take index jobs until SIGINT or SIGTERM."""
    address = settings.database
    if not isinstance(address, PostgresAddress):
        raise AlmanacError(
            "workers need PostgreSQL, for SQLite's file is read by one machine: name a server in ALMANAC_DB, or run "
            "`almanac serve`, which reads the repositories itself"
        )
    if not settings.repositories:
        raise AlmanacError("there is nothing to read: list [[repositories]] in almanac.toml, the same on every host")
    store = Store(address, dates=settings.dates)
    from bot.index.jobs import IndexWorker  # once it is known that what it takes is installed

    log_to_stderr()
    # What they say of jobs and of lost connections the worker says itself, in one line.
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
    logging.getLogger("procrastinate").setLevel(logging.ERROR)
    for handler in logging.getLogger().handlers:
        handler.addFilter(_without_jobs)

    async def run() -> None:
        worker = IndexWorker(settings, store)
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(_in_one_line)
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, worker.stop)
        await worker.run()
        log.info("stopped")

    asyncio.run(run())


def _without_jobs(record: logging.LogRecord) -> bool:
    """Of procrastinate, why it ends by itself, in one line."""
    if record.name.startswith("procrastinate"):
        record.exc_info = None
        return getattr(record, "action", "") == "side_task_failed"
    return True


def _in_one_line(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """A job whose end cannot be written down, since the database is lost, is taken over later."""
    log.warning("%s", one_line(" ".join(f"{context['message']}: {context.get('exception')}".split())))


def copy(settings: Settings, source: DatabasePlace, target: DatabasePlace) -> str:
    """Copy a database into an empty one and compare the two. Returns a line for each table that holds anything."""
    from storage.store import copy_database

    if _resolved(source) == _resolved(target):
        raise AlmanacError(f"FROM and TO are both {source}: name another database to copy it into")
    began = time.monotonic()
    old, new = Store(source, must_exist=True, dates=settings.dates), Store(target, dates=settings.dates)
    try:
        with old.held_open(), new.held_open(), ShownProgress() as progress:

            def show(table: str, done: int, rows: int) -> None:
                if not done:
                    progress.start(table, rows, "copying", "row")
                elif done < rows:
                    progress.reached(table, done)
                else:
                    progress.end(table)

            copied = [one for one in copy_database(old, new, show) if one.rows]
    except KeyboardInterrupt:
        click.echo(f"almanac: stopped; {target} is empty as before", err=True)
        raise SystemExit(130) from None
    lines = [f"{one.name:20} {one.rows:14,}  {one.checksum}" for one in copied]
    rows = count(sum(one.rows for one in copied), "row")
    seconds = time.monotonic() - began
    return "\n".join([*lines, f"{rows} copied from {source} to {target}, and equal there ({seconds:.1f} s)"])


def _resolved(place: DatabasePlace) -> object:
    return place.resolve() if isinstance(place, Path) else place
