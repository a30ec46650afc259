"""The commands. Settings, store and Slack are built here, once, and handed inward."""

from __future__ import annotations

import io
import json
import logging
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from bot.cli_options import DATABASE, FORMATS, REPO, TEXT_OR_JSON, ZONE, answering
from bot.cli_people import people
from bot.database import DatabasePlace
from bot.errors import AlmanacError, SettingsError
from bot.index.address import one_line
from bot.index.git import forget_surroundings
from bot.settings import Settings
from bot.settings_sources import load_settings

if TYPE_CHECKING:
    from bot.digest.subscription import Cadence


@dataclass(frozen=True, slots=True)
class DigestOptions:
    """What `almanac digest` is given, each under the name of its option."""

    when: tuple[str, ...]
    post: bool
    again: bool
    channel: str | None
    team: str | None
    cadence: Cadence | None
    listed: bool
    pause: bool
    resume: bool
    form: str
    repositories: tuple[str, ...]
    zone: ZoneInfo | None


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="almanac-bot", prog_name="almanac")
@click.pass_context
def almanac(ctx: click.Context) -> None:
    """Tells a developer's month from git, in Slack and here, every line with its commits."""
    if ctx.invoked_subcommand != "doctor":  # which tells what is wrong in them
        ctx.obj = load_settings()


@almanac.command()
@click.argument("repositories", nargs=-1, metavar="[REPO]...")
@click.pass_obj
def index(settings: Settings, repositories: tuple[str, ...]) -> None:
    """Read what is new in repositories.

    They are given as paths or addresses; without any, those of almanac.toml are read.
    """
    from bot.commands import indexing

    indexing.index(settings, repositories)


@almanac.command()
@click.argument("person")
@click.argument("when", nargs=-1)
@answering
@click.pass_obj
def month(
    settings: Settings,
    person: str,
    when: tuple[str, ...],
    form: str,
    repositories: tuple[str, ...],
    zone: ZoneInfo | None,
) -> None:
    """A developer's month.

    WHEN as people say it: 2025-10, october, last month, this week, since june; default: last month.
    """
    from bot.commands import questions

    click.echo(questions.month(settings, person, " ".join(when), form, repositories, zone))


@almanac.command()
@click.argument("person", default="")
@answering
@click.pass_obj
def profile(settings: Settings, person: str, form: str, repositories: tuple[str, ...], zone: ZoneInfo | None) -> None:
    """A developer's whole history: a paragraph and a line a month."""
    from bot.commands import profiling

    click.echo(profiling.profile(settings, person, form, repositories, zone))


@almanac.command()
@click.argument("when", nargs=-1)
@click.option("--post", is_flag=True, help="Post it to its channel in Slack, once.")
@click.option("--again", is_flag=True, help="With --post: also what Slack may have. Look into the channel first.")
@click.option("--channel", help="The channel; default: each that gets a digest.")
@click.option("--team", help="Only the people of this team of almanac.toml.")
@click.option(
    "--cadence", type=click.Choice(("weekly", "monthly", "quarterly")), help="Of which period, where WHEN says none."
)
@click.option("--list", "listed", is_flag=True, help="The digests that are wanted, when they are due, what is wrong.")
@click.option("--pause", is_flag=True, help="Post the digests of --channel no more.")
@click.option("--resume", is_flag=True, help="Post them again, from the one that is due next on.")
@answering
@click.pass_obj
def digest(settings: Settings, /, **options: Any) -> None:
    """A channel's month, week or quarter, as it would be posted.

    --post posts it. WHEN: 2025-10, 2025-W41, 2025-Q3, last week; default: last month.
    """
    from bot.commands import digesting, posting

    asked = DigestOptions(**options)
    said, where = " ".join(asked.when), (asked.repositories, asked.zone, asked.cadence)
    if asked.post + asked.listed + asked.pause + asked.resume > 1:
        raise click.UsageError("--post, --list, --pause and --resume are wanted one at a time")
    if asked.post:
        posting.post_digest(settings, said, asked.channel, asked.team, *where, again=asked.again)
    elif asked.listed:
        click.echo(posting.listed_digests(settings))
    elif asked.pause or asked.resume:
        click.echo(posting.pause_digests(settings, asked.channel, asked.cadence, resume=asked.resume))
    else:
        click.echo(digesting.digest(settings, said, asked.channel, asked.team, asked.form, *where))


@almanac.command()
@click.argument("people", nargs=-1, metavar="[PERSON]...")
@click.option(
    "--months", "when", default="", metavar="WHEN", help="Which months, as people say it; default: last month."
)
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write files into this folder; pages in a terminal go into almanac-pages.",
)
@click.option("--prune", is_flag=True, help="With --into: remove pages of earlier exports that are not made any more.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("html", "markdown", "json", "csv")),
    default="html",
    show_default=True,
    help="csv: a row for each change.",
)
@REPO
@ZONE
@click.pass_obj
def export(
    settings: Settings,
    people: tuple[str, ...],
    when: str,
    into: Path | None,
    prune: bool,
    form: str,
    repositories: tuple[str, ...],
    zone: ZoneInfo | None,
) -> None:
    """Months as pages to send, print or serve.

    One for each person, one for each team and month, and an index of them. Without --into, one page of the people
    named, or of everyone's month.
    """
    from bot.commands import exporting

    if into is None and form == "html" and sys.stdout.isatty():
        into = Path("almanac-pages")
    text, said = exporting.export(settings, people, when, form, into, repositories, zone, prune=prune)
    if text:
        click.echo(text, nl=not text.endswith("\n"))
    if said:
        click.echo(said, err=True)


@almanac.command()
@click.argument("question", nargs=-1, required=True)
@click.option("--as", "asker", metavar="PERSON", help="Who asks: whom “I” and “my” mean.")
@click.option("--parse", is_flag=True, help="Print what was understood, as JSON, and nothing else.")
@click.option("--thread", metavar="JSON", help='What the thread is about: {"person", "from", "to", "repos"}.')
@answering
@click.pass_obj
def ask(
    settings: Settings,
    question: tuple[str, ...],
    asker: str | None,
    parse: bool,
    thread: str | None,
    form: str,
    repositories: tuple[str, ...],
    zone: ZoneInfo | None,
) -> None:
    """What the bot would answer in Slack."""
    from bot.commands import questions

    click.echo(questions.ask(settings, " ".join(question), asker, parse, _thread(thread), form, repositories, zone))


@almanac.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--format",
    "form",
    type=click.Choice([form for form in FORMATS if form != "json"]),
    default="text",
    show_default=True,
)
@click.pass_obj
def render(settings: Settings, file: str, form: str) -> None:
    """What --format json printed, in words again.

    FILE may be - for standard input.
    """
    from bot.commands import rendering

    click.echo(rendering.render(settings, file, form))


@almanac.command()
@click.argument("sha")
@ZONE
@TEXT_OR_JSON
@click.pass_obj
def explain(settings: Settings, sha: str, form: str, zone: ZoneInfo | None) -> None:
    """Why a commit is in whose month, or in none.

    With its kind and state. SHA may be cut short, or #12.
    """
    from bot.commands import questions

    click.echo(questions.explain(settings, sha, form, zone))


@almanac.command()
@click.argument("sha", required=False)
@click.option("--kind", help="What kind of change it is: feature, fix, performance, refactor, docs, test, build, ci, …")
@click.option("--title", help="What to call it, in your own words.")
@click.option("--hide", is_flag=True, help="Leave it out of all months.")
@click.option("--undo", is_flag=True, help="Undo what was said of it last.")
@click.option("--list", "listed", is_flag=True, help="All that was said so far.")
@click.pass_obj
def correct(
    settings: Settings, sha: str | None, kind: str | None, title: str | None, hide: bool, undo: bool, listed: bool
) -> None:
    """Say by hand what a change is.

    For where the rules are not right. SHA may be cut short, or #12.
    """
    from bot.commands import correcting

    click.echo(correcting.run(settings, sha, kind, title, hide=hide, undo=undo, listed=listed))


@almanac.command()
@click.pass_obj
def serve(settings: Settings) -> None:
    """Answer in Slack and post digests.

    By Socket Mode with SLACK_APP_TOKEN, else by HTTP on PORT.
    """
    from bot.slack_app.serve import serve as run

    run(settings)


@almanac.command()
@click.option("--name", help="What the worker is called; default: the name of this host. No two may share one.")
@click.pass_obj
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
@click.pass_obj
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


almanac.add_command(people)


@almanac.group()
def db() -> None:
    """The database as a whole."""


@db.command("copy")
@click.argument("source", metavar="FROM", type=DATABASE)
@click.argument("target", metavar="TO", type=DATABASE)
@click.pass_obj
def copy_db(settings: Settings, source: DatabasePlace, target: DatabasePlace) -> None:
    """Copy an index into an empty database, and compare the two.

    FROM and TO are paths of SQLite files or postgresql:// addresses. FROM may be in use meanwhile.
    """
    from bot.commands import copying

    click.echo(copying.copy(source, target, settings.dates))


def _thread(text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    try:
        value = json.loads(text)
    except ValueError as error:
        raise click.BadParameter(f"is no JSON ({error})", param_hint="--thread") from error
    if not isinstance(value, dict):
        raise click.BadParameter("must be a JSON object", param_hint="--thread")
    return value


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
            click.echo(one_line(line), err=True)
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
