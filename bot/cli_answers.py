"""The commands that answer: months, digests, profiles, questions, what a commit is; and what is said of it by hand."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from bot.cli_options import REPO, TEXT_OR_JSON, WHEN, ZONE, answering, collected, pass_settings
from bot.commands.options import AnswerOptions, DigestOptions

if TYPE_CHECKING:
    from bot.settings import Settings


def _thread(_ctx: click.Context, _param: click.Parameter, text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    try:
        value = json.loads(text)
    except ValueError as error:
        raise click.BadParameter(f"is no JSON ({error})") from error
    if not isinstance(value, dict):
        raise click.BadParameter("must be a JSON object")
    return value


@click.command()
@click.argument("person")
@WHEN
@answering
@collected(AnswerOptions)
@pass_settings
def month(settings: Settings, person: str, when: str, options: AnswerOptions) -> None:
    """A developer's month.

    WHEN as people say it: 2025-10, october, last month, this week, since june; default: last month.
    """
    from bot.commands import questions

    click.echo(questions.month(settings, person, when, options))


@click.command()
@click.argument("person", default="")
@answering
@collected(AnswerOptions)
@pass_settings
def profile(settings: Settings, person: str, options: AnswerOptions) -> None:
    """A developer's whole history: a paragraph and a line a month."""
    from bot.commands import profiling

    click.echo(profiling.profile(settings, person, options))


@click.command()
@WHEN
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
@collected(DigestOptions)
@pass_settings
def digest(settings: Settings, options: DigestOptions) -> None:
    """A channel's month, week or quarter, as it would be posted.

    --post posts it. WHEN: 2025-10, 2025-W41, 2025-Q3, last week; default: last month.
    """
    from bot.commands import digesting, posting

    if options.post + options.listed + options.pause + options.resume > 1:
        raise click.UsageError("--post, --list, --pause and --resume are wanted one at a time")
    if options.post:
        posting.post_digest(settings, options)
    elif options.listed:
        click.echo(posting.listed_digests(settings))
    elif options.pause or options.resume:
        click.echo(posting.pause_digests(settings, options))
    else:
        click.echo(digesting.digest(settings, options))


@click.command()
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
@collected(AnswerOptions)
@pass_settings
def export(
    settings: Settings, people: tuple[str, ...], when: str, into: Path | None, prune: bool, options: AnswerOptions
) -> None:
    """Months as pages to send, print or serve.

    One for each person, one for each team and month, and an index of them. Without --into, one page of the people
    named, or of everyone's month.
    """
    from bot.commands import exporting

    if into is None and options.form == "html" and sys.stdout.isatty():
        into = Path("almanac-pages")
    text, said = exporting.export(settings, people, when, into, options, prune=prune)
    if text:
        click.echo(text, nl=not text.endswith("\n"))
    if said:
        click.echo(said, err=True)


@click.command()
@click.argument("question", nargs=-1, required=True)
@click.option(
    "--as", "asker", metavar="PERSON", help="Who asks: whom “I” and “my” mean, and who is told what they may read."
)
@click.option(
    "--after",
    multiple=True,
    metavar="QUESTION",
    help="Asked in the thread of this question; of several, in their order.",
)
@click.option("--parse", is_flag=True, help="Print what was understood, as JSON, and nothing else.")
@click.option(
    "--thread", metavar="JSON", callback=_thread, help='What the thread is about: {"person", "from", "to", "repos"}.'
)
@answering
@collected(AnswerOptions)
@pass_settings
def ask(
    settings: Settings,
    question: tuple[str, ...],
    asker: str | None,
    after: tuple[str, ...],
    parse: bool,
    thread: dict[str, Any] | None,
    options: AnswerOptions,
) -> None:
    """What the bot would answer in Slack."""
    from bot.commands import asking

    click.echo(asking.ask(settings, " ".join(question), asker, thread, after, options, parse=parse))


@click.command()
@click.argument("sha")
@ZONE
@TEXT_OR_JSON
@pass_settings
def explain(settings: Settings, sha: str, form: str, zone: ZoneInfo | None) -> None:
    """Why a commit is in whose month, or in none.

    With its kind and state. SHA may be cut short, or #12.
    """
    from bot.commands import questions

    click.echo(questions.explain(settings, sha, form, zone))


@click.command()
@click.argument("sha", required=False)
@click.option("--kind", help="What kind of change it is: feature, fix, performance, refactor, docs, test, build, ci, …")
@click.option("--title", help="What to call it, in your own words.")
@click.option("--hide", is_flag=True, help="Leave it out of all months.")
@click.option("--undo", is_flag=True, help="Undo what was said of it last.")
@click.option("--list", "listed", is_flag=True, help="All that was said so far.")
@pass_settings
def correct(
    settings: Settings, sha: str | None, kind: str | None, title: str | None, hide: bool, undo: bool, listed: bool
) -> None:
    """Say by hand what a change is.

    For where the rules are not right. SHA may be cut short, or #12.
    """
    from bot.commands import correcting

    click.echo(correcting.run(settings, sha, kind, title, hide=hide, undo=undo, listed=listed))
