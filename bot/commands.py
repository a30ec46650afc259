"""What the commands do, apart from Slack: settings in, text out."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from typing import Any
from zoneinfo import ZoneInfo

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.ask.answer import Almanac, Reply
from bot.ask.question import Thread
from bot.ask.when import when as parse_when
from bot.errors import AlmanacError, RepositoryUnavailable
from bot.index.address import Place, place
from bot.index.indexer import Indexed, index_repository
from bot.model import Question
from bot.month.calendar import Month, MonthRange
from bot.settings import Settings
from bot.slack.audience import hidden_from
from bot.slack.messages import digest_messages, reply_messages
from bot.story.document import Document
from bot.story.render import Templates, page
from bot.story.wording import count
from storage import Store


def index(settings: Settings, repositories: Sequence[str]) -> None:
    """Index repositories and print a line for each. A bad one does not stop the others, but ends in an error."""
    wanted = places(settings, repositories)
    if not wanted:
        raise AlmanacError("there is nothing to index: name a REPO, or list [[repositories]] in almanac.toml")
    store = Store(settings.database)
    failures = 0
    with shown_progress() as progress:
        for asked in wanted:
            if not index_one(settings, store, asked, progress):
                failures += 1
    if failures:
        raise SystemExit(1)


def places(settings: Settings, repositories: Sequence[str]) -> list[tuple[str, str | None, str | None]]:
    """What to index: (path or address, name, branch), with what almanac.toml says of it."""
    tables = {table.address: table for table in settings.repositories}
    asked = list(dict.fromkeys(repositories)) or list(tables)
    return [
        (text, tables[text].name if text in tables else None, tables[text].branch if text in tables else None)
        for text in asked
    ]


def index_one(
    settings: Settings, store: Store, asked: tuple[str, str | None, str | None], progress: ShownProgress
) -> bool:
    """Index one repository and say what came of it. False if it could not be read in full."""
    text, name, branch = asked
    began = time.monotonic()
    try:
        where: Place = place(text, name)
        done = index_repository(where, branch, store.commits, settings.mirrors, settings.now(), progress)
    except RepositoryUnavailable as error:
        progress.end()
        click.echo(f"almanac: {error}", err=True)
        return False
    progress.end()
    click.echo(_summary(done, time.monotonic() - began))
    for reason, times in done.oddities:
        click.echo(f"almanac: {done.repository}: {times:,} × {reason}", err=True)
    if done.shallow:
        click.echo(
            f"almanac: {done.repository} is a shallow clone, so its older commits are missing: run "
            f"`git fetch --unshallow` there, then index it again",
            err=True,
        )
    return not done.shallow


def _summary(done: Indexed, seconds: float) -> str:
    removed = f", {count(done.removed, 'commit')} no longer in the branch removed" if done.removed else ""
    return f"{done.repository}: {count(done.total, 'commit')}, {done.new:,} new{removed} ({seconds:.1f} s)"


class ShownProgress:
    """A bar on a terminal; elsewhere a line when a repository is begun."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._bar: Progress | None = None

    def __enter__(self) -> ShownProgress:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def start(self, repository: str, total: int) -> None:
        if not total:
            return
        if not self._console.is_terminal:
            click.echo(f"{repository}: reading {count(total, 'commit')}", err=True)
            return
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
        )
        self._bar.add_task(repository, total=total)
        self._bar.start()

    def advance(self, repository: str, commits: int) -> None:
        if self._bar:
            self._bar.advance(self._bar.task_ids[0], commits)

    def end(self) -> None:
        if self._bar:
            self._bar.stop()
            self._bar = None


def shown_progress() -> ShownProgress:
    return ShownProgress()


def month(
    settings: Settings,
    person: str,
    when: str,
    form: str,
    repositories: Sequence[str],
    zone: ZoneInfo | None,
) -> str:
    """One developer's month, or several of them newest first, in a form."""
    almanac = open_almanac(settings, zone)
    months = months_meant(when, almanac.present())
    documents = almanac.months(almanac.person(person, months), months, repositories)
    if form == "json":
        return as_json(documents[0] if months.is_one else documents)
    return rendered(settings, Reply(Question("month"), tuple(documents)), form)


def digest(
    settings: Settings,
    when: str,
    channel: str | None,
    team: str | None,
    form: str,
    repositories: Sequence[str],
    zone: ZoneInfo | None,
) -> str:
    """A channel's digest in a form."""
    almanac = open_almanac(settings, zone)
    if channel and not team:
        team = next((one.team for one in settings.digests if one.channel.lstrip("#") == channel.lstrip("#")), None)
    if channel:
        almanac = almanac.without(hidden_from({channel}, settings.repositories))
    document = almanac.digest(one_month(when, almanac.present()), checked_team(settings, team), repositories)
    if form == "json":
        return as_json(document)
    if form == "slack":
        return as_json(
            [
                ({"channel": channel} if channel else {})
                | message.payload()
                | ({"thread": True} if message.in_thread else {})
                for message in digest_messages(document, Templates(settings.templates))
            ]
        )
    return rendered(settings, Reply(Question("digest"), (document,)), form)


def post_digest(
    settings: Settings,
    when: str,
    channel: str | None,
    team: str | None,
    repositories: Sequence[str],
    zone: ZoneInfo | None,
) -> None:
    """Post a digest to one channel, or to each that almanac.toml names, and print a line for each."""
    from bot.digest.delivery import Wanted, deliver
    from bot.slack.poster import Poster, posting_client, workspace_of

    checked_team(settings, team)
    wanted = [
        Wanted(one.channel, one.team, one.zone or settings.zone_name)
        for one in settings.digests
        if channel is None or one.channel.lstrip("#") == channel.lstrip("#")
    ]
    if channel and (not wanted or team):
        wanted = [Wanted(channel, team, settings.zone_name)]
    if not wanted:
        raise AlmanacError("there is no digest to post: name a --channel, or list [[digests]] in almanac.toml")
    store = Store(settings.database, must_exist=True)
    client = posting_client(settings)
    poster = Poster(client, store.outbox, settings.now)
    workspace = workspace_of(client)
    failures = 0
    for one in wanted:
        hidden = hidden_from({one.channel}, settings.repositories)
        almanac = Almanac(store, settings, zone or ZoneInfo(one.zone), hidden)
        wished = one_month(when, almanac.present())
        document = almanac.digest(wished, one.team, repositories)
        outcome = deliver(
            one,
            document,
            digest_messages(document, Templates(settings.templates)),
            workspace,
            store,
            poster,
            settings.now(),
        )
        click.echo(f"{one.channel}: {outcome.text}", err=not outcome.ok)
        failures += not outcome.ok
    if failures:
        raise SystemExit(1)


def ask(
    settings: Settings,
    question: str,
    asker: str | None,
    parse: bool,
    thread: dict[str, Any] | None,
    form: str,
    repositories: Sequence[str],
    zone: ZoneInfo | None,
) -> str:
    """What is answered to a question, or what was understood of it."""
    almanac = open_almanac(settings, zone)
    present = almanac.present()
    person = almanac.person(asker, MonthRange(present, present)) if asker else None
    about = Thread.of(thread)
    understood = almanac.question(question, asker=person, thread=about)
    if repositories:
        understood = _only_in(understood, repositories)
    if parse:
        return as_json(parsed(understood))
    reply = almanac.reply(understood, about)
    return as_json(list(reply.documents)) if form == "json" else rendered(settings, reply, form, almanac)


def _only_in(question: Question, repositories: Sequence[str]) -> Question:
    from dataclasses import replace

    return replace(question, repositories=tuple(repositories))


def parsed(question: Question) -> dict[str, Any]:
    """What was understood, as the JSON that `almanac ask --parse` prints."""
    return {
        "intent": question.intent,
        "people": list(question.people),
        "from": str(question.first) if question.first else None,
        "to": str(question.last) if question.last else None,
        "repos": list(question.repositories),
        "topic": question.topic,
        "kinds": list(question.kinds),
    }


def open_almanac(settings: Settings, zone: ZoneInfo | None = None) -> Almanac:
    return Almanac(Store(settings.database, must_exist=True), settings, zone)


def months_meant(text: str, present: Month) -> MonthRange:
    """The months that a text says; last month where it says nothing. Raises AlmanacError where it is no months."""
    if not text.strip():
        return MonthRange(present - 1, present - 1)
    meant = parse_when(text, present)
    if meant.wrong:
        raise AlmanacError(meant.wrong.rstrip(".") + "; write it as 2025-10, october, last month or since june")
    if meant.months is None or meant.rest.strip(" ?.!"):
        raise AlmanacError(f"{text!r} is no month I know; write it as 2025-10, october, last month or since june")
    return meant.months


def one_month(text: str, present: Month) -> Month:
    months = months_meant(text, present)
    if not months.is_one:
        raise AlmanacError(f"a digest is of one month, and {text!r} is several; name one, such as {months.last}")
    return months.first


def checked_team(settings: Settings, team: str | None) -> str | None:
    if team and settings.team(team) is None:
        raise AlmanacError(f"there is no team {team!r} in almanac.toml")
    return team


def rendered(settings: Settings, reply: Reply, form: str, almanac: Almanac | None = None) -> str:
    """A reply as text, Markdown, HTML, or the messages that Slack would get."""
    templates = Templates(settings.templates)
    if form == "slack" or not reply.documents:
        messages = reply_messages(reply, templates, almanac)
        if form == "slack":
            return as_json([m.payload() | ({"thread": True} if m.in_thread else {}) for m in messages])
        return "\n\n".join(message.text for message in messages)
    parts = [templates.month(form, document) for document in reply.documents]
    if form == "html":
        return page("Almanac", "\n".join(parts))
    return "\n\n\n".join([*parts, *([reply.words] if reply.words else [])])


def as_json(value: Document | Iterable[Document]) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)
