"""`almanac demo`: the bot in a local workspace, over the same protocol as in Slack.

Nothing here answers anything: the app that `almanac serve` runs is started against the workspace's
address, so what is shown is what Slack would get. Without a repository it shows the sample of bot/sample.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import click

from bot.ask.queries import Queries
from bot.commands.indexing import ShownProgress, index_names, places
from bot.demo_workspace import ADMIN, CHANNEL, Cast, cast_of, login_of, open_workspace
from bot.digest.composing import deliver, planned_posts
from bot.digest.subscriptions import DigestPost, DigestSubscription, Subscriptions
from bot.errors import AlmanacError, log_to_stderr
from bot.index.places import RepositoryToIndex
from bot.sample.making import sample
from bot.settings import Settings
from bot.settings_tables import DigestSettings, Secret
from bot.slack.directory import Members
from bot.slack.render import messages_of
from bot.slack.sender import Sender
from bot.slack.web_api import posting_client, without_proxy_for_loopback
from bot.slack_app.serve import Bot
from bot.story.render import Templates
from bot.story.wording import clean
from bot.workspace import BOT_USER_ID, ThreadedWorkspace
from storage import Store

POST_SECONDS = 3600.0
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
    settings, wanted = _on(settings, repositories) if repositories else _on_sample(settings)
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


def _on(settings: Settings, repositories: Sequence[str]) -> tuple[Settings, list[RepositoryToIndex]]:
    """What to index, and the settings with the digest that is shown in place of what almanac.toml wants."""
    wanted = [replace(one, audience=None) for one in places(settings, repositories)]
    privacy = replace(settings.privacy, admins=[*settings.privacy.admins, ADMIN])
    database = settings.db or _database(settings, wanted)
    digests = [DigestSettings(channel=f"#{CHANNEL}")]
    return replace(settings, db=database, digests=digests, repositories=[], privacy=privacy), wanted


def _on_sample(settings: Settings) -> tuple[Settings, list[RepositoryToIndex]]:
    settings = sample(settings)
    return settings, places(settings, [])


def _database(settings: Settings, wanted: Sequence[RepositoryToIndex]) -> Path:
    """A database of its own for each set of repositories, so that one demonstration tells nothing of another."""
    named = "\n".join(sorted(str(Path(one.text).absolute()) if "://" not in one.text else one.text for one in wanted))
    return settings.home / "demo" / f"{hashlib.sha256(named.encode()).hexdigest()[:12]}.db"


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
            await asyncio.to_thread(_post_digest, settings, store, workspace, cast)
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


def _post_digest(settings: Settings, store: Store, workspace: ThreadedWorkspace, cast: Cast) -> None:
    _, seen = Members.of(settings, store, workspace.workspace.team_id).seen_in(f"#{CHANNEL}")
    if seen.refused:
        raise AlmanacError(f"the digest could not be posted: {seen.refused}")
    queries = Queries.of(store, settings, hidden=seen.hidden)
    document = queries.digest(cast.month)
    messages = messages_of(document, Templates(settings.templates), queries.pages())
    wanted = DigestSubscription(channel=f"#{CHANNEL}", zone=settings.zone.key)
    digest = DigestPost.of(
        workspace.workspace.team_id, wanted, cast.month, settings.now() if document.to_date else None
    )
    posts = planned_posts(digest, wanted.channel, messages)
    store.digests.plan(digest, {}, posts, settings.now(), document.headline.evidence)
    sender = Sender(
        posting_client(settings), store.outbox, apart=0.0
    )  # this workspace takes any number of messages a second
    outcome = deliver(digest, store, sender, settings.now(), POST_SECONDS)
    if not outcome.ok:
        raise AlmanacError(f"the digest could not be posted: {outcome.text}")


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
        messages = workspace.messages(channel)
        if messages:
            click.echo(f"\n#{channel}")
        for message in messages:
            is_reply = message.get("thread_ts", message["ts"]) != message["ts"]
            if not is_reply:
                for said in (message, *workspace.messages(channel, thread_ts=message["ts"])[1:]):
                    _print(workspace, said, "" if said is message else "    ")


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


def _print(workspace: ThreadedWorkspace, message: dict[str, Any], indent: str) -> None:
    user = message.get("user")
    name = "Almanac" if user == BOT_USER_ID else workspace.workspace.users[str(user)].real_name
    text = unescape(re.sub(rf"<@{BOT_USER_ID}>", "@Almanac", message["text"]))
    click.echo(f"\n{indent}{name}:")
    for line in text.splitlines():
        click.echo(f"{indent}  {line}".rstrip())
