"""`almanac digest --post`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zoneinfo import ZoneInfo

import click

from bot.ask.answer import Almanac
from bot.commands.telling import checked_team, one_month
from bot.digest.delivery import Wanted, deliver
from bot.errors import AlmanacError
from bot.settings import Settings
from bot.slack.audience import hidden_from
from bot.slack.blocks import digest_messages
from bot.slack.poster import Poster, posting_client, workspace_of
from bot.story.render import Templates
from storage import Store


def post_digest(
    settings: Settings,
    when: str,
    channel: str | None,
    team: str | None,
    repositories: Sequence[str],
    zone: ZoneInfo | None,
) -> None:
    """Post a digest to one channel, or to each that almanac.toml names, and print a line for each."""
    checked_team(settings, team)
    if channel and (not channel.strip("#") or re.search(r"[\s|]", channel)):
        raise AlmanacError(f"{channel!r} is no channel; use a name such as #shipped or an id such as C0123456789")
    wanted = [
        Wanted(one.channel, one.team, one.zone or settings.zone_name)
        for one in settings.digests
        if channel is None or one.channel.lstrip("#") == channel.lstrip("#")
    ]
    if channel and (not wanted or team):
        wanted = [Wanted(channel, team, settings.zone_name)]
    if not wanted:
        raise AlmanacError("there is no digest to post: name a --channel, or list [[digests]] in almanac.toml")
    store = Store(settings.database, must_exist=True, dates=settings.dates)
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
            digest_messages(document, Templates(settings.templates), almanac.pages()),
            workspace,
            store,
            poster,
            settings.now(),
        )
        click.echo(f"{one.channel}: {outcome.text}", err=not outcome.ok)
        failures += not outcome.ok
    if failures:
        raise SystemExit(1)
