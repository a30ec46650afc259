"""`almanac people`: who is who, as it is read and said on the command line."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from bot.cli_options import TEXT_OR_JSON, pass_settings

if TYPE_CHECKING:
    from bot.commands.people import PeopleCommands
    from bot.settings import Settings


def pass_commands(command: Callable[..., None]) -> Callable[..., None]:
    """The command's first argument is what does it."""

    @wraps(command)
    def run(settings: Settings, **values: Any) -> None:
        from bot.commands.people import PeopleCommands

        command(PeopleCommands(settings), **values)

    return pass_settings(run)


@click.group()
def people() -> None:
    """Who is who: people, and which addresses are one person's."""


@people.command("list")
@click.argument("text", nargs=-1)
@TEXT_OR_JSON
@pass_commands
def list_people(commands: PeopleCommands, text: tuple[str, ...], form: str) -> None:
    """Everybody with commits, addresses and logins.

    With TEXT, those whose name, address or login holds it.
    """
    click.echo(commands.listed(" ".join(text), form))


@people.command("suggestions")
@click.option("--all", "whole", is_flag=True, help="All names in trailers that are nobody's, not the most frequent.")
@TEXT_OR_JSON
@pass_commands
def suggest_people(commands: PeopleCommands, whole: bool, form: str) -> None:
    """Who may be one person under several addresses, and why.

    Also whose the names in trailers may be that are nobody's. Nothing is linked by itself.
    """
    click.echo(commands.suggested(form, whole=whole))


@people.command("accept")
@click.argument("text", nargs=-1)
@click.option(
    "--all", "every", is_flag=True, help="All suggestions but the doubtful, of people and of names in trailers."
)
@pass_commands
def accept_people(commands: PeopleCommands, text: tuple[str, ...], every: bool) -> None:
    """Link those who are suggested to be one person.

    Those whose name or address holds TEXT, or all.
    """
    click.echo(commands.accepted(" ".join(text), every=every))


@people.command("link")
@click.argument("person")
@click.argument("addresses", nargs=-1, required=True, metavar="ADDRESS|LOGIN...")
@pass_commands
def link_people(commands: PeopleCommands, person: str, addresses: tuple[str, ...]) -> None:
    """Say that addresses or logins are PERSON's.

    PERSON may be given by an address too; logins are what trailers name them by.
    """
    click.echo(commands.link(person, addresses))


@people.command("unlink")
@click.argument("person")
@click.argument("address", metavar="ADDRESS|LOGIN")
@pass_commands
def unlink_people(commands: PeopleCommands, person: str, address: str) -> None:
    """Say that an address or a login is not PERSON's."""
    click.echo(commands.unlink(person, address))


@people.command("undo")
@click.argument("number", type=click.IntRange(min=1, max=2**63 - 1), required=False)
@pass_commands
def undo_people(commands: PeopleCommands, number: int | None) -> None:
    """Undo what was linked or unlinked last.

    Or what has NUMBER in the log.
    """
    click.echo(commands.undo(number))


@people.command("log")
@pass_commands
def log_people(commands: PeopleCommands) -> None:
    """What was linked and unlinked by hand, by whom and when."""
    click.echo(commands.log())


@people.command("hide")
@click.argument("person")
@pass_commands
def hide_person(commands: PeopleCommands, person: str) -> None:
    """Note that PERSON asked not to be shown.

    Not in months, profiles, lists and digests.
    """
    click.echo(commands.hide(person))


@people.command("show")
@click.argument("person")
@pass_commands
def show_person(commands: PeopleCommands, person: str) -> None:
    """Show PERSON again."""
    click.echo(commands.show(person))


@people.command("forget")
@click.argument("person")
@click.option("--yes", "is_sure", is_flag=True, help="Do not ask whether that is meant.")
@pass_commands
def forget_person(commands: PeopleCommands, person: str, is_sure: bool) -> None:
    """Remove all that is stored of PERSON, and keep them out. It cannot be undone."""
    from bot.commands import erasing

    erasing.forget(commands.settings, person, is_sure=is_sure)


@people.command("remember")
@click.argument("addresses", nargs=-1, required=True, metavar="ADDRESS|LOGIN...")
@pass_commands
def remember_person(commands: PeopleCommands, addresses: tuple[str, ...]) -> None:
    """Let somebody in again at the next index, who was forgotten."""
    from bot.commands import erasing

    erasing.remember(commands.settings, addresses)
