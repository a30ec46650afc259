"""The repositories of almanac.toml by their names."""

from __future__ import annotations

from bot.errors import RepositoryUnavailable
from bot.index.address import place
from bot.settings import Settings
from bot.settings_tables import RepositorySettings


def name_of(table: RepositorySettings) -> str:
    """What a repository is called; one whose address cannot be read, by that."""
    try:
        return place(table.address, table.name).name
    except RepositoryUnavailable as error:
        return table.name or error.repository


def tables_by_name(settings: Settings) -> dict[str, RepositorySettings]:
    """Of two with one name the first counts."""
    return {name_of(table): table for table in reversed(settings.repositories)}


def names_by_location(settings: Settings) -> dict[str, str]:
    """So that an error of reading one calls it by its name."""
    found: dict[str, str] = {}
    for table in settings.repositories:
        try:
            found[place(table.address, table.name).location] = name_of(table)
        except RepositoryUnavailable as error:
            found[error.repository] = name_of(table)
    return found
