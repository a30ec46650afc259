"""The time zones that are in use, from the table of them that comes with the time zone database."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from zoneinfo import TZPATH, available_timezones

TABLE = "zone.tab"  # a line a place: country, coordinates, name; names that were given up are not in it


@cache
def zones() -> tuple[str, ...]:
    """The time zones that can be chosen: UTC, and one for each place that has a time of its own."""
    named = {line.split("\t")[2] for line in _table().splitlines() if line and not line.startswith("#")}
    return ("UTC", *sorted(named & available_timezones()))


def _table() -> str:
    for folder in TZPATH:
        if (table := Path(folder, TABLE)).is_file():
            return table.read_text("utf-8")
    return files("tzdata").joinpath("zoneinfo", TABLE).read_text("utf-8")
