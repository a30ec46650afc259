"""`almanac digest`: a channel's digest as it would be posted, in the form that is wanted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.commands.options import DigestOptions
from bot.commands.periods import cadence_of, period_meant
from bot.commands.questions import open_queries
from bot.commands.rendering import as_json, in_form, payloads
from bot.digest.subscription import DigestSubscription
from bot.digest.subscriptions import Subscriptions
from bot.errors import AlmanacError
from bot.settings import Settings
from bot.story.render import Templates
from bot.story.wording import listed
from storage import Store


def digest(settings: Settings, options: DigestOptions) -> str:
    """A digest in a form: of everyone, of a team, or the one that a channel gets."""
    store = Store(settings.database, must_exist=True, dates=settings.dates)
    channel, form = options.channel, options.form
    one = _of_channel(settings, store, options) or DigestSubscription(channel=channel or "", team=options.team)
    queries = open_queries(settings, options.zone or (ZoneInfo(one.zone) if one.first else None))
    period = period_meant(options.when, settings.now(), queries.zone, options.cadence or one.cadence, settings.sprint)
    if channel:
        from bot.slack.audience import hidden_in

        queries = replace(queries, hidden=hidden_in(channel, settings, queries.indexed))
    if one.group:
        raise AlmanacError(
            f"the digest of @{one.group.lstrip('@')} is of people whom only Slack knows: see it there with "
            f"/almanac digest, or post it with --post"
        )
    if one.templates:
        settings = replace(settings, templates=Path(one.templates))
    repositories = options.repositories or one.repositories
    document = queries.digest(period, checked_team(settings, one.team), repositories)
    if form == "json":
        return as_json(document)
    if form == "slack":
        from bot.digest.composing import asking_again
        from bot.slack.render import post_messages

        again = asking_again(replace(one, repositories=list(repositories)), period)
        messages = post_messages(document, Templates(settings.templates), queries.pages(), again)
        return as_json([{"channel": channel} | each if channel else each for each in payloads(messages)])
    return in_form(settings, [document], form, queries.pages())


def checked_team(settings: Settings, team: str | None) -> str | None:
    if team and settings.team(team) is None:
        raise AlmanacError(f"there is no team {team!r} in almanac.toml")
    return team


def _of_channel(settings: Settings, store: Store, options: DigestOptions) -> DigestSubscription | None:
    """The digest that a channel gets, of a cadence or of that of the period that is asked for. Raises AlmanacError
    where it gets none."""
    if options.channel is None or options.team or options.repositories:
        return None
    known = Subscriptions(store.digests, settings.digests, settings.zone.key).known(settings.now())
    of_channel = [one for one in known if one.channel.lstrip("#") == options.channel.lstrip("#")]
    cadence = options.cadence
    if options.when.strip():
        cadence = cadence_of(period_meant(options.when, settings.now(), options.zone or settings.zone))
    found = next((one for one in of_channel if cadence in (None, one.cadence)), None)
    if found is None:
        has = [f"a {one.cadence} one of {one.whom or 'everyone'}" for one in of_channel]
        gets = f"no {cadence} digest, only {listed(has)}" if has else "no digest"
        raise AlmanacError(
            f"{options.channel} gets {gets}: leave --channel out for everybody's, or name a --team or --repo"
        )
    return found
