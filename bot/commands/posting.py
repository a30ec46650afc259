"""`almanac digest --post`, `--list`, `--pause` and `--resume`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

import click

from bot.commands.digesting import checked_team
from bot.commands.periods import cadence_of, posted_period
from bot.digest.composing import Composer
from bot.digest.delivery import Wanted, deliver
from bot.digest.follow_ups import FollowUps
from bot.digest.health import problems
from bot.digest.pausing import described
from bot.digest.preview_requests import PreviewRequests
from bot.digest.rate_limit import RateLimit
from bot.digest.schedule import Cadence, Schedule
from bot.digest.subscriptions import Wanted as Known
from bot.digest.subscriptions import WantedDigests
from bot.errors import AlmanacError
from bot.settings import Settings
from bot.slack.client import posting_client, workspace_of
from bot.slack.lookups import lookup_client
from bot.slack.members import Members
from bot.slack.poster import EVENT_TYPE, Poster
from bot.slack.reconciling import Reconciler
from bot.story.render import Templates
from storage import Store

NOTHING_TO_POST = "there is no digest to post: name a --channel, or list [[digests]] in almanac.toml"


def post_digest(
    settings: Settings,
    when: str,
    channel: str | None,
    team: str | None,
    repositories: Sequence[str],
    zone: ZoneInfo | None,
    cadence: Cadence | None = None,
    *,
    again: bool = False,
) -> None:
    """Post a digest to one channel, or each that is wanted, and print a line for each.

    Without WHEN each tells the last whole period of its cadence; with it, those of that cadence tell that period.
    """
    checked_team(settings, team)
    _check_channel(channel)
    store = Store(settings.database, must_exist=True, dates=settings.dates)
    if when.strip():
        cadence = cadence_of(posted_period(when, settings.now(), zone or settings.zone))
    known = [one.schedule for one in _known(settings, store)]
    if not known and not channel:
        raise AlmanacError(NOTHING_TO_POST)
    client = posting_client(settings)
    poster = Poster(client, store.outbox, settings.now, store.streams)
    workspace = workspace_of(client)
    members, templates = Members.of(settings, store, workspace), Templates(settings.templates)
    called = _names_of(members, channel)
    found = [one for one in known if _is_for(one, called, cadence)]
    if channel and (not found or team or repositories):
        meant = Schedule(channel, team, repositories=tuple(repositories), zone=settings.zone_name)
        meant = replace(meant, cadence=cadence or "monthly")
        # One that is wanted is known as that one by its posts, by whichever name of the channel it is asked for here.
        found = [one for one in known if _is_for(one, called, meant.cadence) and _whom(one) == _whom(meant)] or [meant]
    elif repositories:
        found = [replace(one, repositories=tuple(repositories)) for one in found]
    if not found:
        raise AlmanacError(NOTHING_TO_POST)
    composer = Composer(settings, store, members, templates)
    reconciler = Reconciler(lookup_client(client), store.outbox, settings.now, EVENT_TYPE)
    preview_requests = PreviewRequests(settings, store, members, composer, templates, workspace)
    follow_ups = FollowUps(settings, store, members, workspace)
    failures = 0
    poster.give_up_on_lost()  # of a run that was killed
    reconciler.reconcile()
    for one in found:
        where = zone or ZoneInfo(one.zone)
        period = posted_period(when, settings.now(), where, one.cadence)
        try:
            first = preview_requests.first(one, period)
            composed = composer.compose(one, period, zone=where, replies=preview_requests.replies(first))
        except AlmanacError as error:
            click.echo(f"{one.channel}: nothing is posted, {error}", err=True)
            failures += 1
            continue
        if again:  # whoever looked for it may have missed it
            for post in store.outbox.in_state("unknown", first):
                reconciler.find(post)
        if not composed.document["to_date"]:
            follow_ups.posting(first, composed.document, where.key)
        outcome = deliver(
            Wanted(one.channel, one.key.partition("|")[2], one.zone),
            composed.document,
            composed.messages,
            workspace,
            store,
            poster,
            settings.now(),
            channel=composed.channel,
            again=again,
            rate_limit=RateLimit(),
        )
        click.echo(f"{one.channel}: {outcome.text}", err=not outcome.ok)
        failures += not outcome.ok
    if failures:
        raise SystemExit(1)


def listed_digests(settings: Settings) -> str:
    """Every digest that is wanted: when it is due next, or that it is paused; and what is wrong."""
    store = Store(settings.database, must_exist=True, dates=settings.dates)
    lines = [_line(one, settings) for one in _known(settings, store)]
    return "\n".join([*(lines or ["No digests are wanted."]), *problems(store)])


def pause_digests(settings: Settings, channel: str | None, cadence: Cadence | None, *, resume: bool) -> str:
    """Pause the digests of a channel, or have them again from what is due next on. Returns a line for each."""
    _check_channel(channel)
    if channel is None:
        raise AlmanacError("say which: name its --channel, and its --cadence where there are several")
    store = Store(settings.database, must_exist=True, dates=settings.dates)
    called = _called(settings, store, channel)
    digests = WantedDigests(store.digests, settings.digests, settings.zone_name)
    now, lines = settings.now(), list[str]()
    for one in _known(settings, store):
        if not _is_for(one.schedule, called, cadence):
            continue
        if resume:
            said = "is posted again from" if digests.resume(one, now) else "was not paused; it is posted from"
            lines.append(f"{described(one.schedule)} {said} {one.schedule.upcoming(now).title} on")
        else:
            done = digests.pause(one, "paused by hand", now)
            lines.append(f"{described(one.schedule)} {'is paused' if done else 'was paused already'}")
    if not lines:
        raise AlmanacError(f"there is no digest for {channel}: see almanac digest --list")
    return "\n".join(lines)


def _known(settings: Settings, store: Store) -> list[Known]:
    return WantedDigests(store.digests, settings.digests, settings.zone_name).known(settings.now())


def _is_for(schedule: Schedule, called: Collection[str], cadence: Cadence | None) -> bool:
    """Whether a schedule is for a channel that is called so, or for any where no name is given; and of a cadence."""
    in_channel = not called or schedule.channel.lstrip("#") in called
    return in_channel and (cadence is None or schedule.cadence == cadence)


def _whom(schedule: Schedule) -> str:
    return schedule.key.partition("|")[2]


def _names_of(members: Members, channel: str | None) -> frozenset[str]:
    """What a channel is called, as schedules have it: its name and its id, as far as Slack says."""
    if channel is None:
        return frozenset()
    place = members.place_named(channel)
    return frozenset({channel.lstrip("#"), place.name, place.channel}) - {""}


def _called(settings: Settings, store: Store, channel: str) -> frozenset[str]:
    """The same where Slack need not be there: digests that are made in Slack know their channels by id only."""
    itself = frozenset({channel.lstrip("#")})
    if settings.bot_token is None or any(_is_for(one.schedule, itself, None) for one in _known(settings, store)):
        return itself
    try:
        return _names_of(Members.of(settings, store, workspace_of(posting_client(settings))), channel)
    except AlmanacError:
        return itself


def _check_channel(channel: str | None) -> None:
    if channel is not None and (not channel.strip("#") or re.search(r"[\s|]", channel)):
        raise AlmanacError(f"{channel!r} is no channel; use a name such as #shipped or an id such as C0123456789")


def _line(one: Known, settings: Settings) -> str:
    schedule, stored = one.schedule, one.stored
    made = "made in Slack" if one.is_ours else "from almanac.toml"
    if stored.paused_at:
        return f"{described(schedule)}, {made}: paused since {stored.paused_at:%Y-%m-%d} ({stored.paused_why})"
    period = schedule.upcoming(settings.now())
    due = schedule.due_at(period).astimezone(ZoneInfo(schedule.zone))
    return f"{described(schedule)}, {made}: tells {period.title} on {due:%Y-%m-%d at %H:%M} {schedule.zone}"
