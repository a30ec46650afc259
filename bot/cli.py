"""`almanac`: one table of commands. A row says what a command is called, what it does, what is opened for it, which
function does it, and its arguments; click is built from the rows.

A function gets what is opened for it and the values of its arguments by name, and returns the text that is printed.
It is imported when it is called, so that who asks for help waits for nothing.
"""

from __future__ import annotations

import gc
import io
import json
import logging
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from bot.errors import AlmanacError, SettingsError, without_credentials
from bot.index.git import forget_surroundings
from bot.index.places import one_line
from bot.month.calendar import CADENCES, OF_A_DIGEST, time_zone
from bot.settings import database_place

T = TypeVar("T")
# Rows come by the hundred thousand, and hold nothing that leads back to them; what does is not to fill a server
# meanwhile.
COLLECTED_AFTER = (200_000, 2, 2)
FORMATS = ("text", "markdown", "json", "slack", "html")
Opens = Literal["nothing", "settings", "index"]


@dataclass(frozen=True, slots=True)
class Command:
    """A row. `name` may be of two words, a group and a command in it; of `help` lists of commands show the first
    paragraph. `does` is module:function, `opens` what that gets first: Settings; a House, which is an index with the
    settings and the values of --format, --repo and --zone; or nothing."""

    name: str
    help: str
    opens: Opens
    does: str
    arguments: tuple[click.Parameter, ...] = ()


class _Setting(click.ParamType[T]):
    """What a setting may be, in an option or argument; `read` raises ValueError."""

    def __init__(self, name: str, read: Callable[[object], T]) -> None:
        self.name = name
        self._read = read

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> T:
        try:
            return self._read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def _json_object(text: object) -> dict[str, Any]:
    try:
        value = json.loads(str(text))
    except ValueError as error:
        raise ValueError(f"is no JSON ({error})") from error
    if not isinstance(value, dict):
        raise ValueError("must be a JSON object")
    return value


def _words(name: str, **more: Any) -> click.Argument:
    """Words that mean something together."""
    return click.Argument([name], nargs=-1, callback=lambda _ctx, _param, words: " ".join(words), **more)


def _flag(name: str, said: str) -> click.Option:
    return click.Option(name.split(), is_flag=True, help=said)


def _form(*forms: str, default: str, said: str | None = None) -> click.Option:
    return click.Option(["--format", "form"], type=click.Choice(forms), default=default, show_default=True, help=said)


PERSON = click.Argument(["person"])
WHEN = _words("when")
SHA = click.Argument(["sha"])
ADDRESSES = click.Argument(["addresses"], nargs=-1, required=True, metavar="ADDRESS|LOGIN...")
REPOSITORIES = click.Argument(["repositories"], nargs=-1, metavar="[REPO]...")
DATABASE = _Setting("database", database_place)
ZONE = click.Option(
    ["--zone"],
    type=_Setting("zone", time_zone),
    help="Time zone of the months; default: ALMANAC_ZONE, zone of almanac.toml, UTC.",
)
REPO = click.Option(["--repo", "repositories"], multiple=True, help="Only this repository; may be repeated.")
FORMAT = _form(*FORMATS, default="text", said="slack: the JSON that would be posted.")
TEXT_OR_JSON = _form("text", "json", default="text")
ANSWER = (FORMAT, REPO, ZONE)
TEXT = _words("text")

GROUPS = {
    "people": "Who is who: people, and which addresses are one person's.",
    "db": "The database as a whole.",
}
COMMANDS = (
    Command(
        "index",
        """Read what is new in repositories.

        They are given as paths or addresses; without any, those of almanac.toml are read.""",
        "settings", "bot.commands.indexing:index",
        (REPOSITORIES, _flag("--remove", "Take them out of the index, by name, path or address.")),
    ),
    Command(
        "serve",
        """Answer in Slack and post digests.

        By Socket Mode with SLACK_APP_TOKEN, else by HTTP on PORT.""",
        "settings", "bot.slack_app.serve:serve",
    ),
    Command(
        "mcp",
        """Answer an editor's agent by MCP.

        On standard input and output: each query is a tool.""",
        "settings", "bot.mcp.server:serve_stdio",
    ),
    Command(
        "worker",
        """Read repositories that others ask for.

        Where the database is PostgreSQL: on any number of hosts, one repository at a time each.""",
        "settings", "bot.commands.indexing:work",
    ),
    Command(
        "doctor",
        """Look at all that the bot needs, and say what to do.

        Settings, database, repositories and Slack.""",
        "nothing", "bot.commands.doctor:doctor", (TEXT_OR_JSON,),
    ),
    Command(
        "demo",
        """Try the bot in a local workspace in the browser.

        Without REPO, on the sample history of a small team.""",
        "settings", "bot.demo:demo",
        (
            REPOSITORIES,
            click.Option(["--once/--stay"], default=None, help="Play a short conversation in the terminal and end, or "
                         "open the page; default: the page in a terminal."),
            click.Option(["--port"], type=click.IntRange(0, 65535), help="Where the page is; default: 8765, or any "
                         "free one if that is taken. 0: any free one."),
        ),
    ),
    Command(
        "month",
        """A developer's month.

        WHEN as people say it: 2025-10, october, last month, this week, since june; default: last month.""",
        "index", "bot.commands.answers:month", (PERSON, WHEN, *ANSWER),
    ),
    Command(
        "profile", "A developer's whole history: a paragraph and a line a month.",
        "index", "bot.commands.answers:profile", (click.Argument(["person"], default=""), *ANSWER),
    ),
    Command(
        "digest",
        f"""A channel's {OF_A_DIGEST}, as it would be posted.

        --post posts it. WHEN: 2025-10, 2025-W41, 2025-Q3, last week; default: last month.""",
        "index", "bot.commands.answers:digest",
        (
            WHEN,
            _flag("--post", "Post it to its channel in Slack, once."),
            _flag("--again", "With --post: also what Slack may have. Look into the channel first."),
            click.Option(["--channel"], help="The channel; default: each that gets a digest."),
            click.Option(["--team"], help="Only the people of this team of almanac.toml."),
            click.Option(["--cadence"], type=click.Choice([*CADENCES]),
                         help="Of which period, where WHEN says none."),
            _flag("--list listed", "The digests that are wanted, when they are due, what is wrong."),
            _flag("--pause", "Post the digests of --channel no more."),
            _flag("--resume", "Post them again, from the one that is due next on."),
            *ANSWER,
        ),
    ),
    Command(
        "export",
        """Months as pages to send, print or serve.

        One for each person, one for each team and month, and an index of them.""",
        "index", "bot.commands.export:export",
        (
            click.Argument(["people"], nargs=-1, metavar="[PERSON]..."),
            click.Option(["--months", "when"], default="", metavar="WHEN",
                         help="Which months, as people say it; default: last month."),
            click.Option(["--into"], type=click.Path(file_okay=False, path_type=Path),
                         help="Write files into this folder; pages go into almanac-pages without it."),
            _form("html", "markdown", "json", "csv", default="html", said="csv: a row for each change."),
            REPO,
            ZONE,
        ),
    ),
    Command(
        "ask", "What the bot would answer in Slack.",
        "index", "bot.commands.asking:ask",
        (
            _words("question", required=True),
            click.Option(["--as", "asker"], metavar="PERSON", help="Who asks: whom “I” and “my” mean, and who is told "
                         "what they may read."),
            click.Option(["--after"], multiple=True, metavar="QUESTION",
                         help="Asked in the thread of this question; of several, in their order."),
            _flag("--parse", "Print what was understood, as JSON, and nothing else."),
            click.Option(["--thread"], metavar="JSON", type=_Setting("JSON", _json_object),
                         help='What the thread is about: {"person", "from", "to", "repos"}.'),
            *ANSWER,
        ),
    ),
    Command(
        "explain",
        """Why a commit is in whose month, or in none.

        With its kind and state. SHA may be cut short, or #12.""",
        "index", "bot.commands.answers:explain", (SHA, TEXT_OR_JSON, ZONE),
    ),
    Command(
        "correct",
        """Say by hand what a change is.

        For where the rules are not right. SHA may be cut short, or #12.""",
        "index", "bot.commands.people:correct",
        (
            click.Argument(["sha"], required=False),
            click.Option(["--kind"], help="What kind of change it is: feature, fix, performance, refactor, docs, test, "
                         "build, ci, …"),
            click.Option(["--title"], help="What to call it, in your own words."),
            _flag("--hide", "Leave it out of all months."),
            _flag("--undo", "Undo what was said of it last."),
            _flag("--list listed", "All that was said so far."),
        ),
    ),
    Command(
        "people list",
        """Everybody with commits, addresses and logins.

        With TEXT, those whose name, address or login holds it.""",
        "index", "bot.commands.people:listed_people", (TEXT, TEXT_OR_JSON),
    ),
    Command(
        "people link",
        """Say that addresses or logins are PERSON's.

        PERSON may be given by an address too; logins are what trailers name them by.""",
        "index", "bot.commands.people:link", (PERSON, ADDRESSES),
    ),
    Command(
        "people unlink", "Say that an address or a login is not PERSON's.",
        "index", "bot.commands.people:unlink", (PERSON, click.Argument(["address"], metavar="ADDRESS|LOGIN")),
    ),
    Command(
        "people undo",
        """Undo what was linked or unlinked last.

        Or what has NUMBER in the log.""",
        "index", "bot.commands.people:undo",
        (click.Argument(["number"], type=click.IntRange(min=1, max=2**63 - 1), required=False),),
    ),
    Command(
        "people log", "What was linked and unlinked by hand, by whom and when.",
        "index", "bot.commands.people:log",
    ),
    Command(
        "people hide",
        """Note that PERSON asked not to be shown.

        Not in months, profiles, lists and digests.""",
        "index", "bot.commands.people:hide", (PERSON,),
    ),
    Command("people show", "Show PERSON again.", "index", "bot.commands.people:show", (PERSON,)),
    Command(
        "people forget", "Remove all that is stored of PERSON, and keep them out. It cannot be undone.",
        "index", "bot.commands.people:forget",
        (PERSON, _flag("--yes is_sure", "Do not ask whether that is meant.")),
    ),
    Command(
        "people remember", "Let somebody in again at the next index, who was forgotten.",
        "index", "bot.commands.people:remember", (ADDRESSES,),
    ),
    Command(
        "db copy",
        """Copy an index into an empty database, and compare the two.

        FROM and TO are paths of SQLite files or postgresql:// addresses. FROM may be in use meanwhile.""",
        "settings", "bot.commands.indexing:copy",
        (click.Argument(["source"], metavar="FROM", type=DATABASE),
         click.Argument(["target"], metavar="TO", type=DATABASE)),
    ),
)  # fmt: skip


def _run(command: Command, values: dict[str, Any]) -> None:
    """Open what a command needs, have it done, and print what it says."""
    module, _, name = command.does.partition(":")
    opened: list[Any] = []
    if command.opens != "nothing":
        from bot.settings import load_settings

        opened = [load_settings()]
    if command.opens == "index":
        from bot.commands.house import House

        opened = [House(*opened, **{key: values.pop(key) for key in ("form", "repositories", "zone") if key in values})]
    if said := getattr(import_module(module), name)(*opened, **values):
        click.echo(said, nl=not said.endswith("\n"))


def _built() -> click.Group:
    """click's commands of the rows."""
    whole = click.Group(
        "almanac", help="Tells a developer's month from git, in Slack and here, every line with its commits.",
        context_settings={"help_option_names": ["-h", "--help"]},
    )  # fmt: skip
    click.version_option(package_name="almanac-bot", prog_name="almanac")(whole)
    groups = {name: click.Group(name, help=said) for name, said in GROUPS.items()}
    for row in COMMANDS:
        group, _, name = row.name.rpartition(" ")

        def callback(row: Command = row, **values: Any) -> None:
            _run(row, values)

        built = click.Command(name, params=list(row.arguments), callback=callback, help=row.help)
        (groups[group] if group else whole).add_command(built)
    for one in groups.values():
        whole.add_command(one)
    return whole


almanac = _built()


def main() -> None:
    """The `almanac` command. Exits with 0, with 1 for what a user can fix, with 2 for wrong usage."""
    forget_surroundings()
    gc.set_threshold(*COLLECTED_AFTER)
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
    except (KeyboardInterrupt, click.Abort) as error:
        if isinstance(error.__cause__, EOFError):  # a fault of ours, which click takes for the end of typing
            raise error.__cause__ from None
        click.echo("almanac: stopped; what was done is kept", err=True)
        sys.exit(130)
    except BrokenPipeError:  # `almanac … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    sys.exit(code if isinstance(code, int) else 0)
