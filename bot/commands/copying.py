"""`almanac db copy`: moves an index from one database to another."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import click

from bot.commands.indexing import ShownProgress
from bot.database import DatabasePlace
from bot.errors import AlmanacError
from bot.settings import Settings
from bot.story.wording import count
from storage import Store
from storage.copying import copy_database


def copy(settings: Settings, source: DatabasePlace, target: DatabasePlace) -> str:
    """Copy a database into an empty one and compare the two. Returns a line for each table that holds anything."""
    if _resolved(source) == _resolved(target):
        raise AlmanacError(f"FROM and TO are both {source}: name another database to copy it into")
    began = time.monotonic()
    old, new = Store(source, must_exist=True, dates=settings.dates), Store(target, dates=settings.dates)
    try:
        with old.held_open(), new.held_open(), ShownProgress() as progress:
            copied = [one for one in copy_database(old, new, partial(_show, progress)) if one.rows]
    except KeyboardInterrupt:
        click.echo(f"almanac: stopped; {target} is empty as before", err=True)
        raise SystemExit(130) from None
    rows = sum(one.rows for one in copied)
    lines = [f"{one.name:20} {one.rows:14,}  {one.checksum}" for one in copied]
    seconds = time.monotonic() - began
    said = f"{count(rows, 'row')} copied from {source} to {target}, and equal there ({seconds:.1f} s)"
    return "\n".join([*lines, said])


def _show(progress: ShownProgress, table: str, done: int, rows: int) -> None:
    if not done:
        progress.start(table, rows, "copying", "row")
    elif done < rows:
        progress.reached(table, done)
    else:
        progress.end(table)


def _resolved(place: DatabasePlace) -> object:
    return place.resolve() if isinstance(place, Path) else place
