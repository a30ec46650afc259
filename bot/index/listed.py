"""The repositories of almanac.toml by their names."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from urllib.parse import unquote

from bot.errors import RepositoryUnavailable
from bot.index.address import place, same_for_all
from bot.index.indexing import RepositoryToIndex
from bot.model import Audience, Repository, narrower
from bot.settings import Settings
from bot.settings_tables import RepositorySettings
from storage import Store


def name_of(table: RepositorySettings) -> str:
    """What a repository is called; one whose address cannot be read, by that."""
    try:
        return place(table.address, table.name).name
    except RepositoryUnavailable as error:
        return table.name or error.repository


def whereabouts(address: str) -> str:
    """What two addresses have in common that lead to one repository: https://host/a/b.git, git@host:a/b and
    ssh://git@host/a/b do, and a path does by whatever links it is written, and as file://."""
    try:
        found = place(address)
    except RepositoryUnavailable:
        return address
    path = str(found.path) if found.path else ""
    if found.location.startswith("file://"):
        path = "/" + unquote(found.location.removeprefix("file://").partition("/")[2])
    return same_for_all(os.path.realpath(path) if path else found.location) or found.location


def named(
    tables: Iterable[RepositorySettings], stored: Sequence[Repository]
) -> list[tuple[RepositorySettings, frozenset[str]]]:
    """Each table with the names of what it is of: its own, and those under which it is indexed from the same place, by
    hand or before almanac.toml knew it."""
    at: dict[str, set[str]] = {}
    for one in stored:
        at.setdefault(whereabouts(one.location), set()).add(one.name)
    return [(one, frozenset({name_of(one)}.union(at.get(whereabouts(one.address), ())))) for one in tables]


def as_listed(table: RepositorySettings) -> RepositoryToIndex:
    """What a table has indexed."""
    return RepositoryToIndex(table.address, name_of(table), table.branch, table.lets_in)


def readers(audience: Audience | None) -> str:
    """Who an audience is: "#leads, @chiefs"."""
    return " and ".join(", ".join(entries) or "nobody" for entries in audience or ()) or "everyone"


def keep_audiences(
    settings: Settings, store: Store, may_widen: Collection[RepositorySettings] = ()
) -> dict[str, tuple[Audience | None, Audience | None]]:
    """Keep with what is indexed who may read of it, as almanac.toml has it: for whoever reads another. Returns what
    changed, as it was before and is now."""
    stored = store.commits.repositories()
    said: dict[str, Audience | None] = {one.name: None for one in stored}
    wider, listed = set[str](), set[str]()
    for table, names in named(settings.repositories, stored):
        said |= {name: narrower(said.get(name), table.lets_in) for name in names}
        wider |= names if table in may_widen else set()
        listed |= names
    return store.commits.keep_audiences(said, wider, listed if settings.repositories else said)


def tables_by_name(settings: Settings) -> dict[str, RepositorySettings]:
    """Of two with one name the first counts."""
    return {name_of(table): table for table in reversed(settings.repositories)}
