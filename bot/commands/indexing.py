"""`almanac index`: repositories, one after the other, with a line for each."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from bot.errors import AlmanacError, RepositoryUnavailable
from bot.index.address import Place, place
from bot.index.indexer import Indexed, index_repository
from bot.index.lines import Lines
from bot.settings import Settings
from bot.story.wording import count
from storage import Store

if TYPE_CHECKING:
    from rich.progress import Progress


def index(settings: Settings, repositories: Sequence[str]) -> None:
    """Index repositories and print a line for each. A bad one does not stop the others, but ends in an error."""
    wanted = places(settings, repositories)
    if not wanted:
        raise AlmanacError("there is nothing to index: name a REPO, or list [[repositories]] in almanac.toml")
    store = Store(settings.database)
    with ShownProgress() as progress:
        done = [index_one(settings, store, asked, progress) for asked in wanted]
        told = [one.repository for one in done if one]
        counted = [count_lines(settings, store, name, progress) for name in dict.fromkeys(told)]
    if not all(done) or not all(counted) or any(one.shallow for one in done if one):
        raise SystemExit(1)


def places(settings: Settings, repositories: Sequence[str]) -> list[tuple[str, str | None, str | None]]:
    """What to index: (path or address, name, branch), with what almanac.toml says of it."""
    tables = {table.address: table for table in settings.repositories}
    asked = list(dict.fromkeys(repositories)) or list(tables)
    return [
        (text, tables[text].name if text in tables else None, tables[text].branch if text in tables else None)
        for text in asked
    ]


def index_one(
    settings: Settings, store: Store, asked: tuple[str, str | None, str | None], progress: ShownProgress
) -> Indexed | None:
    """Index one repository and say what came of it. None if it could not be read."""
    text, name, branch = asked
    began = time.monotonic()
    try:
        where: Place = place(text, name)
        done = index_repository(where, branch, store.commits, settings.mirrors, settings.now(), progress)
    except RepositoryUnavailable as error:
        progress.end()
        click.echo(f"almanac: {error}", err=True)
        return None
    progress.end()
    click.echo(_summary(done, time.monotonic() - began))
    for reason, times in done.oddities:
        click.echo(f"almanac: {done.repository}: {times:,} × {reason}", err=True)
    if done.shallow:
        click.echo(
            f"almanac: {done.repository} is a shallow clone, so its older commits are missing: run "
            f"`git fetch --unshallow` there, then index it again",
            err=True,
        )
    return done


def count_lines(settings: Settings, store: Store, name: str, progress: ShownProgress) -> bool:
    """Count the lines of a long history whose names were read first. False if git could not."""
    lacking = len(store.commits.to_count(name))
    if not lacking:
        return True
    began = time.monotonic()
    progress.start(name, lacking, "counting the lines of")
    try:
        done = Lines(store.commits, settings.mirrors).count_all(name, lambda count: progress.advance(name, count))
    except RepositoryUnavailable as error:
        progress.end()
        click.echo(f"almanac: {error}", err=True)
        return False
    progress.end()
    click.echo(f"{name}: lines of {count(done, 'commit')} counted ({time.monotonic() - began:.1f} s)")
    return True


def _summary(done: Indexed, seconds: float) -> str:
    removed = f", {count(done.removed, 'commit')} no longer in the branch removed" if done.removed else ""
    return f"{done.repository}: {count(done.total, 'commit')}, {done.new:,} new{removed} ({seconds:.1f} s)"


class ShownProgress:
    """A bar on a terminal; elsewhere a line when a repository is begun."""

    def __init__(self) -> None:
        self._bar: Progress | None = None

    def __enter__(self) -> ShownProgress:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def start(self, repository: str, total: int, doing: str = "reading") -> None:
        if not total:
            return
        if not sys.stderr.isatty():
            click.echo(f"{repository}: {doing} {count(total, 'commit')}", err=True)
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._bar.add_task(f"{repository}: {doing}", total=total)
        self._bar.start()

    def advance(self, repository: str, commits: int) -> None:
        if self._bar:
            self._bar.advance(self._bar.task_ids[0], commits)

    def end(self) -> None:
        if self._bar:
            self._bar.stop()
            self._bar = None
