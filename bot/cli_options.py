"""Options that several commands of `almanac` have, and the types of what they take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from bot.database import DatabasePlace
from bot.settings_tables import database_place

F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ("text", "markdown", "json", "slack", "html")


class Zone(click.ParamType[ZoneInfo]):
    name = "zone"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> ZoneInfo:
        try:
            return value if isinstance(value, ZoneInfo) else ZoneInfo(str(value))
        except (ZoneInfoNotFoundError, ValueError, OSError):
            self.fail(f"{value!r} is no time zone; use a name such as Europe/Berlin or UTC", param, ctx)


class DatabaseType(click.ParamType[DatabasePlace]):
    name = "database"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> DatabasePlace:
        try:
            return database_place(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


ZONE = click.option("--zone", type=Zone(), help="Time zone of the months; default: ALMANAC_ZONE, else UTC.")
REPO = click.option("--repo", "repositories", multiple=True, help="Only this repository; may be repeated.")
TEXT_OR_JSON = click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)


def answering(command: F) -> F:
    """The options of every command that answers."""
    for option in (
        ZONE,
        REPO,
        click.option(
            "--format",
            "form",
            type=click.Choice(FORMATS),
            default="text",
            show_default=True,
            help="slack: the JSON that would be posted.",
        ),
    ):
        command = option(command)
    return command
