"""`almanac db copy`: moves an index from one database to another."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.commands.indexing import bars
from bot.database import DatabasePlace
from bot.errors import AlmanacError
from bot.settings import Settings
from bot.story.wording import count
from storage import Store
from storage.copying import copy_database

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


def copy(settings: Settings, source: DatabasePlace, target: DatabasePlace) -> str:
    """Copy a database into an empty one and compare the two. Returns a line for each table that holds anything."""
    if _resolved(source) == _resolved(target):
        raise AlmanacError(f"FROM and TO are both {source}: name another database to copy it into")
    began = time.monotonic()
    old, new = Store(source, must_exist=True, dates=settings.dates), Store(target, dates=settings.dates)
    try:
        with old.held_open(), new.held_open(), _ShownProgress() as shown:
            copied = [one for one in copy_database(old, new, shown.copied) if one.rows]
    except KeyboardInterrupt:
        click.echo(f"almanac: stopped; {target} is empty as before", err=True)
        raise SystemExit(130) from None
    rows = sum(one.rows for one in copied)
    lines = [f"{one.name:20} {one.rows:14,}  {one.checksum}" for one in copied]
    seconds = time.monotonic() - began
    said = f"{count(rows, 'row')} copied from {source} to {target}, and equal there ({seconds:.1f} s)"
    return "\n".join([*lines, said])


def _resolved(place: DatabasePlace) -> object:
    return place.resolve() if isinstance(place, Path) else place


class _ShownProgress:
    """A bar on a terminal, elsewhere a line when a table is begun."""

    def __init__(self) -> None:
        self._bars: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> _ShownProgress:
        if sys.stderr.isatty():
            self._bars = bars()
            self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bars:
            self._bars.stop()

    def copied(self, table: str, done: int, rows: int) -> None:
        if not rows:
            return
        if self._bars is None:
            if not done:
                click.echo(f"{table}: copying {count(rows, 'row')}", err=True)
            return
        if not done:
            if self._task is not None:
                self._bars.remove_task(self._task)
            self._task = self._bars.add_task(table, total=rows)
        elif self._task is not None:
            self._bars.update(self._task, completed=done)
