"""The commands. Settings, store and Slack are built here, once, and handed inward."""

from __future__ import annotations

import io
import logging
import os
import sys
from typing import TYPE_CHECKING

import click

from bot.cli_answers import ask, correct, digest, explain, export, month, profile
from bot.cli_options import DATABASE, TEXT_OR_JSON, pass_settings
from bot.cli_people import people
from bot.database import DatabasePlace
from bot.errors import AlmanacError, SettingsError, without_credentials
from bot.index.git import forget_surroundings
from bot.index.places import one_line

if TYPE_CHECKING:
    from bot.settings import Settings


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="almanac-bot", prog_name="almanac")
def almanac() -> None:
    """Tells a developer's month from git, in Slack and here, every line with its commits."""


@almanac.command()
@click.argument("repositories", nargs=-1, metavar="[REPO]...")
@pass_settings
def index(settings: Settings, repositories: tuple[str, ...]) -> None:
    """Read what is new in repositories.

    They are given as paths or addresses; without any, those of almanac.toml are read.
    """
    from bot.commands import indexing

    indexing.index(settings, repositories)


@almanac.command()
@pass_settings
def serve(settings: Settings) -> None:
    """Answer in Slack and post digests.

    By Socket Mode with SLACK_APP_TOKEN, else by HTTP on PORT.
    """
    from bot.slack_app.serve import serve as run

    run(settings)


@almanac.command()
@pass_settings
def mcp(settings: Settings) -> None:
    """Answer an editor's agent by MCP.

    On standard input and output: each query is a tool.
    """
    from bot.mcp.server import serve_stdio

    serve_stdio(settings)


@almanac.command()
@click.option("--name", help="Of no use any more: workers need no names.")
@pass_settings
def worker(settings: Settings, name: str | None) -> None:
    """Read repositories that others ask for.

    Where the database is PostgreSQL: on any number of hosts, one repository at a time each.
    """
    from bot.commands import working

    working.work(settings, name)


@almanac.command()
@TEXT_OR_JSON
def doctor(form: str) -> None:
    """Look at all that the bot needs, and say what to do.

    Settings, database, repositories and Slack.
    """
    from bot.commands.doctor import doctor as look

    text, is_well = look(form)
    click.echo(text)
    if not is_well:
        raise SystemExit(1)


@almanac.command()
@click.argument("repositories", nargs=-1, metavar="[REPO]...")
@click.option(
    "--once/--stay",
    default=None,
    help="Play a short conversation in the terminal and end, or open the page; default: the page in a terminal.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=None,
    help="Where the page is; default: 8765, or any free one if that is taken. 0: any free one.",
)
@pass_settings
def demo(settings: Settings, repositories: tuple[str, ...], once: bool | None, port: int | None) -> None:
    """Try the bot in a local workspace in the browser.

    Without REPO, on the sample history of a small team.
    """
    from bot.demo import NO_TERMINAL
    from bot.demo import demo as run

    if once is None:
        once = not sys.stdout.isatty()
        if once:
            click.echo(NO_TERMINAL)
    run(settings, repositories, once=once, port=port)


for command in (month, profile, digest, export, ask, explain, correct, people):
    almanac.add_command(command)


@almanac.group()
def db() -> None:
    """The database as a whole."""


@db.command("copy")
@click.argument("source", metavar="FROM", type=DATABASE)
@click.argument("target", metavar="TO", type=DATABASE)
@pass_settings
def copy_db(settings: Settings, source: DatabasePlace, target: DatabasePlace) -> None:
    """Copy an index into an empty database, and compare the two.

    FROM and TO are paths of SQLite files or postgresql:// addresses. FROM may be in use meanwhile.
    """
    from bot.commands import copying

    click.echo(copying.copy(source, target, settings.dates))


def main() -> None:
    """The `almanac` command. Exits with 0, with 1 for what a user can fix, with 2 for wrong usage."""
    forget_surroundings()
    logging.getLogger().addHandler(logging.NullHandler())  # what a command has to say, it prints
    try:
        code = almanac.main(standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        said = io.StringIO()
        error.show(said)
        for line in said.getvalue().splitlines():  # they quote what was typed
            click.echo(one_line(without_credentials(line)), err=True)
        sys.exit(error.exit_code)
    except SettingsError as error:
        for fault in error.faults:
            click.echo(f"almanac: {one_line(fault)}", err=True)
        sys.exit(1)
    except AlmanacError as error:
        click.echo(f"almanac: {one_line(str(error))}", err=True)
        sys.exit(1)
    except (KeyboardInterrupt, click.Abort):
        click.echo("almanac: stopped; what was done is kept", err=True)
        sys.exit(130)
    except BrokenPipeError:  # `almanac … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    sys.exit(code if isinstance(code, int) else 0)
