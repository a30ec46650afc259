"""Options that several commands of `almanac` have, and the types of what they take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any, TypeVar, cast

import click

from bot.database import database_place
from bot.month.calendar import time_zone

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
FORMATS = ("text", "markdown", "json", "slack", "html")


class Setting(click.ParamType[T]):
    """What a setting may be, in an option or argument; `read` raises ValueError."""

    def __init__(self, name: str, read: Callable[[object], T]) -> None:
        self.name = name
        self._read = read

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> T:
        try:
            return self._read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


DATABASE = Setting("database", database_place)
ZONE_TYPE = Setting("zone", time_zone)
ZONE = click.option("--zone", type=ZONE_TYPE, help="Time zone of the months; default: ALMANAC_ZONE, else UTC.")
REPO = click.option("--repo", "repositories", multiple=True, help="Only this repository; may be repeated.")
TEXT_OR_JSON = click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)


WHEN = click.argument("when", nargs=-1, callback=lambda _ctx, _param, words: " ".join(words))


def pass_settings(command: F) -> F:
    """The settings are the command's first argument. They are loaded once its others are read, which takes long, and
    which who asks for help or mistypes an option does without."""

    @wraps(command)
    def run(*args: Any, **values: Any) -> Any:
        from bot.settings import load_settings

        return command(load_settings(), *args, **values)

    return cast(F, run)


def collected(kind: type) -> Callable[[F], F]:
    """Options reach the command as one value, `options`: those that the dataclass `kind` has fields for."""
    names = [one.name for one in fields(kind)]

    def decorated(command: F) -> F:
        @wraps(command)
        def run(*args: Any, **values: Any) -> Any:
            return command(*args, options=kind(**{name: values.pop(name) for name in names}), **values)

        return cast(F, run)

    return decorated


def answering(command: F) -> F:
    """The options of every command that answers: those of AnswerOptions."""
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
