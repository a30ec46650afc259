"""`almanac demo`: the bot in a local workspace, over the same protocol as in Slack.

Nothing here answers anything: the app that `almanac serve` runs is started against the workspace's
address, so what is shown is what Slack would get. Without a repository it shows the sample of bot/sample.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import json
import logging
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path

import click

from bot.ask.queries import Queries
from bot.commands.house import House, WantedDigest
from bot.commands.indexing import ShownProgress, index_names, places
from bot.commands.posting import post_digest
from bot.digest.subscriptions import Subscriptions
from bot.errors import AlmanacError, log_to_stderr
from bot.index.places import RepositoryLocation, Where
from bot.model import Person
from bot.month.addresses import noreply_login
from bot.month.calendar import Month
from bot.sample import sample
from bot.settings import DigestSettings, Secret, Settings
from bot.slack.answering import SUBCOMMANDS
from bot.slack.web_api import without_proxy_for_loopback
from bot.slack_app.serve import Bot
from bot.wording import clean
from bot.workspace import BOT_USER_ID, ThreadedWorkspace, Workspace, WorkspaceChannel, WorkspaceUser
from bot.workspace.server import PageOffers
from storage import Store

CHANNEL = "shipped"
PORT = 8765  # the page's, if it is free and no other is asked for
MEMBERS = 12  # of the most active developers, who become the workspace's people
ADMIN = "U0DEMOADMIN"  # the lead's id, where the settings name none
GUEST = WorkspaceUser(id="U0DEMOGUEST", name="gil", real_name="Gil Guest", is_restricted=True)
MANIFEST = Path(__file__).parent.parent / "manifest.json"
WAIT_SECONDS = 60.0
NO_TERMINAL = (
    "There is no terminal here, so this plays once and ends. To open the page in a browser, run it in a terminal, or "
    "with --stay (make demo ARGS=--stay)."
)


def demo(settings: Settings, repositories: Sequence[str], *, once: bool | None, port: int | None) -> None:
    """Index, open a local workspace with the bot in it, post a digest and ask; then print that, or wait for Ctrl-C, as
    is done in a terminal where nothing is said."""
    if once is None and (once := not sys.stdout.isatty()):
        click.echo(NO_TERMINAL)
    log_to_stderr(logging.WARNING)
    settings, wanted = _on(settings, repositories)
    store = Store(settings.database, dates=settings.dates)
    with ShownProgress() as progress:
        index_names(settings, store, wanted, progress)
    if settings.digests:  # the sample's begin anew, for those of an earlier run may be due by now
        Subscriptions(store.digests, [], settings.zone.key).all(settings.now())
    cast = cast_of(Queries.of(store, settings), settings, is_sample=not repositories)
    workspace = open_workspace(cast, settings.host or "127.0.0.1", 0 if once else port)
    try:
        _play(settings, store, workspace, cast, once=bool(once))
    finally:
        workspace.stop()


def _on(settings: Settings, repositories: Sequence[str]) -> tuple[Settings, list[Where]]:
    """What to index, and the settings with the digest that is shown in place of what almanac.toml wants. Each set of
    repositories has a database of its own, so that one demonstration tells nothing of another."""
    if not repositories:
        settings = sample(settings)
        return settings, places(settings, [])
    found = places(settings, repositories)
    wanted = [replace(one, audience=None) if isinstance(one, RepositoryLocation) else one for one in found]
    privacy = replace(settings.privacy, admins=[*settings.privacy.admins, ADMIN])
    named = "\n".join(sorted({one if "://" in one else str(Path(one).absolute()) for one in repositories}))
    own = settings.home / "demo" / f"{hashlib.sha256(named.encode()).hexdigest()[:12]}.db"
    digests = [DigestSettings(channel=f"#{CHANNEL}")]
    return replace(settings, db=settings.db or own, digests=digests, repositories=[], privacy=privacy), wanted


def _play(settings: Settings, store: Store, workspace: ThreadedWorkspace, cast: Cast, *, once: bool) -> None:
    settings = replace(
        settings,
        slack_api=workspace.api_url,
        bot_token=Secret(workspace.workspace.bot_token),
        app_token=Secret(workspace.workspace.app_token),
        signing_secret=None,
        hook_secret=None,
        metrics_token=None,
    )
    without_proxy_for_loopback(settings)
    bot = Bot.connected(settings)

    async def run() -> None:
        async with bot.running():
            await asyncio.to_thread(workspace.wait_connected, WAIT_SECONDS)
            wanted = WantedDigest(str(cast.month), f"#{CHANNEL}")
            await asyncio.to_thread(post_digest, House(settings), wanted, again=False)
            await asyncio.to_thread(_converse, store, workspace, cast)
            if once:
                _show(workspace, cast)
            else:
                click.echo(f"\nThe workspace is open at {workspace.url}/  (Ctrl-C ends it)")
                await asyncio.Event().wait()

    try:
        asyncio.run(run())
    except KeyboardInterrupt:
        if once:
            raise
        click.echo("\nThe workspace is closed.")  # the way it is meant to end


def _converse(store: Store, workspace: ThreadedWorkspace, cast: Cast) -> None:
    """Ask about the most active developer, and follow up; and in private channels, of what is shown only there."""
    question = f"@Almanac what did {clean(cast.lead.name)} do in {cast.month.title}?"
    root = _ask(store, workspace, login_of(cast.people[-1], len(cast.people) - 1), CHANNEL, question)
    follow_up = f"and {cast.before.title}?" if cast.before else "and what shipped?"
    lead = login_of(cast.people[0], 0)
    _ask(store, workspace, lead, CHANNEL, f"@Almanac {follow_up}", root)
    for one in cast.private:
        if clean(cast.lead.name) in one.people:
            question = f"@Almanac what shipped in {one.repository} in {cast.month.title}?"
            _ask(store, workspace, lead, one.channel, question)


def _show(workspace: ThreadedWorkspace, cast: Cast) -> None:
    """Print the channels in which something was said, as they stand."""
    for channel in (CHANNEL, *(one.channel for one in cast.private)):
        roots = [one for one in workspace.messages(channel) if one.get("thread_ts", one["ts"]) == one["ts"]]
        if roots:
            click.echo(f"\n#{channel}")
        for said in (one for root in roots for one in workspace.messages(channel, thread_ts=root["ts"])):
            indent = "    " if said.get("thread_ts", said["ts"]) != said["ts"] else ""
            user = str(said.get("user"))
            name = "Almanac" if user == BOT_USER_ID else workspace.workspace.users[user].real_name
            click.echo(f"\n{indent}{name}:")
            for line in unescape(said["text"].replace(f"<@{BOT_USER_ID}>", "@Almanac")).splitlines():
                click.echo(f"{indent}  {line}".rstrip())


def _ask(
    store: Store, workspace: ThreadedWorkspace, login: str, channel: str, text: str, thread: str | None = None
) -> str:
    """Type a message and wait for the whole of its answer. Returns the ts of the thread it is in."""
    ts = workspace.say(login, channel, text, thread)
    place = workspace.workspace.channel(channel)
    first = f"answer|{workspace.workspace.team_id}|{place.id if place else ''}|{ts}"

    def answered() -> bool:
        said = workspace.messages(channel, thread or ts)
        answers = [message for message in said if message.get("user") == BOT_USER_ID and message["ts"] > ts]
        return bool(answers) and len(answers) >= len(store.outbox.parts(first))

    try:
        workspace.wait_until(answered, WAIT_SECONDS)
    except TimeoutError as error:
        raise AlmanacError(f"the bot did not answer {text!r} in {WAIT_SECONDS:.0f} s") from error
    return thread or ts


# --- who and what is in the workspace


@dataclass(frozen=True, slots=True)
class Cast:
    """Who and what the demonstration is about."""

    month: Month
    lead: Person  # the most active developer of the month
    before: Month | None  # the lead's active month before that
    people: tuple[Person, ...]
    private: tuple[Private, ...] = ()


@dataclass(frozen=True, slots=True)
class Private:
    """A private channel, the names of who is in it, and a repository that is shown there and nowhere else."""

    channel: str
    people: tuple[str, ...]
    repository: str


def cast_of(queries: Queries, settings: Settings, *, is_sample: bool) -> Cast:
    """Raises AlmanacError where there is nothing to show."""
    month = queries.present() - 1 if is_sample else queries.activity.last_month()
    if month is None:
        raise AlmanacError("no commit could be indexed, so there is nothing to show: see the lines above")
    active = queries.activity.most(month)
    if not active:
        raise AlmanacError(f"in {month.title}, the last active month, only machines wrote commits: name another REPO")
    people = list(active)
    earlier = month
    while len(people) < MEMBERS and earlier > month - 12:
        earlier -= 1
        people += [person for person in queries.activity.most(earlier) if person not in people]
    before = [one for one in queries.activity.months(active[0]) if one < month]
    return Cast(month, active[0], before[-1] if before else None, tuple(people[:MEMBERS]), tuple(_private(settings)))


def _private(settings: Settings) -> Iterator[Private]:
    """The channels that audiences list. In one are the people of the team of its name."""
    for table in settings.repositories:
        for entry in table.audience if isinstance(table.audience, list) else ():
            name = entry.removeprefix("#")
            if entry.startswith("#") and (team := settings.team(name)):
                yield Private(name, tuple(team.people), table.name or table.address)


def open_workspace(cast: Cast, host: str, port: int | None) -> ThreadedWorkspace:
    """The workspace with its page, on the port that is named, or one that is free. Raises AlmanacError."""
    users = [
        WorkspaceUser(
            name=login_of(person, number),
            real_name=clean(person.name),
            email=person.addresses[0] if person.addresses else "",
            is_admin=number == 0,
            id=person.slack or ("" if number else ADMIN),
        )
        for number, person in enumerate(cast.people)
    ]
    name = clean(cast.lead.name)
    suggestions = [
        f"What did {name} do in {cast.month.title}?",
        f"What shipped in {cast.month.title}?",
        f"/almanac month @{name} {cast.month}",
        *([f"{name} since {cast.before}"] if cast.before else []),
        "help",
    ]
    workspace = Workspace([*users, GUEST], name="Almanac demo", channels=[])
    members = frozenset(workspace.users) - {GUEST.id}  # where a guest reads along, the bot tells nothing
    for channel in (
        WorkspaceChannel(name="general", members=members),
        WorkspaceChannel(name=CHANNEL, topic="What was done, month by month", members=members),
        WorkspaceChannel(name="partners", is_ext_shared=True),
        *(_channel(one, workspace) for one in cast.private),
    ):
        workspace.add_channel(channel)
    shortcuts = json.loads(MANIFEST.read_text("utf-8"))["features"]["shortcuts"] if MANIFEST.is_file() else []
    subcommands = [{"text": one.name, "arguments": one.example, "description": one.description} for one in SUBCOMMANDS]
    offered = PageOffers(suggestions, shortcuts, subcommands)
    trouble: OSError | None = None
    for number in (PORT, 0) if port is None else (port,):
        opened = ThreadedWorkspace(workspace, offered=offered, host=host, port=number)
        try:
            opened.start()
        except OSError as error:
            trouble = error
        else:
            return opened
    if trouble and port:
        why = "is taken" if trouble.errno == errno.EADDRINUSE else f"cannot be opened ({trouble.strerror})"
        raise AlmanacError(f"port {port} {why}: name another with --port, or none, and a free one is chosen")
    raise AlmanacError(f"no port could be opened on {host}: set HOST to an address of this machine")


def _channel(private: Private, workspace: Workspace) -> WorkspaceChannel:
    members = {user.id for user in workspace.users.values() if user.real_name in private.people}
    topic = f"Where {private.repository} may be shown"
    return WorkspaceChannel(
        name=private.channel, topic=topic, is_private=True, members=frozenset(members | {BOT_USER_ID})
    )


def login_of(person: Person, number: int) -> str:
    """What somebody is called in the workspace, as number so many of its people."""
    if person.slack and person.logins:
        return person.logins[0]
    address = person.addresses[0] if person.addresses else ""
    login = noreply_login(address) or address.partition("@")[0] or "member"
    return re.sub(r"[^a-z0-9._-]", "", login.lower()) + (f".{number}" if number else "")
