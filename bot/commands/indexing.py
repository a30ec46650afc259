"""`almanac index`: several repositories at the same time, with a line for each."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import click

from bot.errors import AlmanacError, RepositoryUnavailable
from bot.index.git import Concurrency
from bot.index.indexing import Indexed, Indexing, Outcome, patiently
from bot.index.lines import Counting, Lines
from bot.index.mirrors import branch_at, disk_use, remove_unused
from bot.index.places import Where, keep_audiences, located, readers, whereabouts
from bot.model import narrower
from bot.settings import Settings
from bot.story.wording import count
from storage import Store

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

NICE = 10  # how far an index stands back, of 19


def index(settings: Settings, repositories: Sequence[str]) -> None:
    """Index repositories and print a line for each. A bad one does not stop the others, but ends in an error.

    It stands back behind other programs: a bot that answers meanwhile would wait for it.
    """
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, max(NICE, os.getpriority(os.PRIO_PROCESS, 0)))
    if not (wanted := places(settings, repositories)):
        raise AlmanacError("there is nothing to index: name a REPO, or list [[repositories]] in almanac.toml")
    store, concurrency = Store(settings.database, dates=settings.dates), Concurrency()
    lines = Lines(store.commits, settings.mirrors, concurrency=concurrency, calm=True)
    with ShownProgress() as progress, store.held_open(), Counting(lines, progress.counted) as counting:
        try:
            patiently(lambda: widen(settings, store, repositories), partial(progress.say, err=True), concurrency.cancel)
            done = index_names(settings, store, wanted, progress, concurrency, counting)
            tell_lines(counting, progress)
        except BaseException:
            concurrency.cancel.stop()
            raise
    tell_mirrors(settings, store)
    if not all(done) or any(one.shallow or one.failure for one in done if one):
        raise SystemExit(1)


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
            _tell(outcome.result, newest_of(store, settings, name, one.branch), outcome, progress)
            if counting and (lacking := counting.lines.lacking(name)):
                progress.start(name, lacking, "counting the lines of", of_lines=True)
                counting.found(name)
            done.append(outcome.result)
    return done


def newest_of(store: Store, settings: Settings, name: str, branch: str | None) -> str:
    """The newest commit of a repository, in words, with the branch that is read of it."""
    known = store.commits.repository(name)
    others = [one.name for one in store.commits.repositories() if one.name != name]
    newest = store.commits.latest(settings.now(), without=others)
    read = branch_at(known.location, settings.mirrors, branch, known.tip) if known else ""
    return f"newest commit{f' of {read}' if read else ''} {f'{newest:%Y-%m-%d %H:%M} UTC' if newest else 'none yet'}"


def _tell(done: Indexed, newest: str, outcome: Outcome, progress: ShownProgress) -> None:
    removed = f", {count(done.removed, 'commit')} no longer in the branch removed" if done.removed else ""
    kept_out = f", {count(done.kept_out, 'commit')} of people who are forgotten kept out" if done.kept_out else ""
    progress.end(done.repository)
    commits = f"{count(done.total, 'commit')}, {done.new:,} new{removed}{kept_out}"
    progress.say(f"{done.repository}: {commits}, {newest} ({outcome.seconds:.1f} s)")
    for reason, times in done.oddities:
        progress.say(f"almanac: {done.repository}: {times:,} × {reason}", err=True)
    if done.failure:
        progress.say(f"almanac: {done.repository}: {done.failure}", err=True)
    if done.shallow:
        progress.say(
            f"almanac: {done.repository} is a shallow clone, so its older commits are missing: run "
            f"`git fetch --unshallow` there, then index it again",
            err=True,
        )


def tell_lines(counting: Counting, progress: ShownProgress) -> None:
    """Wait until lines are counted, and say of how many commits, and why not of all."""
    for one in counting.finish():
        progress.end(one.repository)
        if one.failure:
            progress.say(f"almanac: {one.failure}", err=True)
        else:
            progress.say(f"{one.repository}: lines of {count(one.commits, 'commit')} counted ({one.seconds:.1f} s)")


def tell_mirrors(settings: Settings, store: Store) -> None:
    """Say what mirrors take of the disk, if there are any, once those that nobody uses are removed."""
    remove_unused(settings.mirrors, [one.location for one in store.commits.repositories()], time.time())
    mirrors, size = disk_use(settings.mirrors)
    if mirrors:
        click.echo(f"mirrors: {mirrors:,}, {size / 1e6:,.0f} MB in {settings.mirrors}")


class ShownProgress:
    """Bars on a terminal, one for each repository; elsewhere a line when one is begun. For any thread. `found` is
    called with a repository as soon as more of its commits are stored."""

    def __init__(self) -> None:
        self.found: Callable[[str], object] = str
        self._lock = threading.RLock()
        self._bars: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        self._of_lines: set[str] = set()

    def __enter__(self) -> ShownProgress:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            if self._bars:
                self._bars.stop()
            self._bars = None

    def start(
        self,
        repository: str,
        total: int | None,
        doing: str = "reading",
        of: str = "commit",
        *,
        of_lines: bool = False,
    ) -> None:
        if total == 0:
            return
        with self._lock:
            if of_lines:
                self._of_lines.add(repository)
            if not sys.stderr.isatty():
                much = "all of its commits" if total is None else count(total, of)
                click.echo(f"{repository}: {doing} {much}", err=True)
                return
            if self._bars is None:
                self._bars = _new_bars()
                self._bars.start()
            self.end(repository)  # it may begin anew, where its history is damaged
            self._tasks[repository] = self._bars.add_task(f"{repository}: {doing}", total=total)

    def advance(self, repository: str, commits: int) -> None:
        self._move(repository, advance=commits)
        self.found(repository)

    def reached(self, repository: str, done: int) -> None:
        self._move(repository, completed=done)

    def _move(self, repository: str, *, advance: int | None = None, completed: int | None = None) -> None:
        with self._lock:
            if self._bars and repository in self._tasks:
                self._bars.update(self._tasks[repository], advance=advance, completed=completed)

    def counted(self, repository: str, commits: int) -> None:
        """Lines of so many more commits are counted: shown once the bar of the repository is theirs."""
        if repository in self._of_lines:
            self._move(repository, advance=commits)

    def end(self, repository: str) -> None:
        """Take a repository's bar away."""
        with self._lock:
            if self._bars and repository in self._tasks:
                self._bars.remove_task(self._tasks.pop(repository))

    def say(self, line: str, *, err: bool = False) -> None:
        """A line that stays, above the bars."""
        with self._lock:
            if self._bars:
                self._bars.stop()
            click.echo(line, err=err)
            if self._bars:
                self._bars.start()


def _new_bars() -> Progress:
    """Bars on standard error, which leave nothing behind."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
