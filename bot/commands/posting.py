"""`almanac digest --post`, `--list`, `--pause` and `--resume`."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from zoneinfo import ZoneInfo

import click

from bot.commands.house import House, WantedDigest, checked_team, period_meant
from bot.digest.service import DigestService, problems
from bot.digest.subscriptions import DigestPost, DigestSubscription, Subscriptions
from bot.errors import AlmanacError
from bot.index.places import keep_audiences
from bot.month.calendar import OF_A_DIGEST, Cadence, Days, Period
from bot.settings import Channel, Settings, read
from bot.slack.directory import Members
from bot.slack.sender import Sender
from bot.slack.web_api import posting_client, workspace_of
from bot.story.render import Templates
from storage import Store

BY_HAND_SECONDS = 3600.0  # what a person who posts a digest waits for it at most, where Slack asks to wait
NOTHING_TO_POST = "there is no digest to post: name a --channel, or list [[digests]] in almanac.toml"


def post_digest(house: House, wanted: WantedDigest, *, again: bool) -> str:
    """Post a digest to one channel, or each that is wanted, and print a line for each. Exits where one fails.

    Without WHEN each tells the last whole period of its cadence; with it, those of that cadence tell that period.
    """
    settings, store, zone = house.settings, house.store, house.zone
    when, channel, cadence = wanted.when, wanted.channel, wanted.cadence
    team, repositories = checked_team(settings, wanted.team), list(house.repositories)
    _check_channel(channel)
    keep_audiences(settings, store)
    if when.strip():
        cadence = _posted(when, settings, zone or settings.zone).cadence
    known = _known(settings, store)
    if not known and not channel:
        raise AlmanacError(NOTHING_TO_POST)
    client = posting_client(settings)
    sender = Sender(client, store.outbox, store.shared())
    workspace = workspace_of(client)
    members = Members.of(settings, store, workspace)
    service = DigestService(settings, store, members, Templates(settings.templates), sender, workspace)
    called = _names_of(members, channel)
    found = [one for one in known if _is_for(one, called, cadence)]
    if channel and (not found or team or repositories):
        meant = DigestSubscription(
            channel=channel, team=team, repositories=repositories, cadence=cadence or "monthly",
            zone=settings.zone.key,
        )  # fmt: skip
        # One that is wanted is known as that one by its posts, by whichever name of the channel it is asked for here.
        found = [one for one in known if _is_for(one, called, meant.cadence) and one.whom == meant.whom] or [meant]
    elif repositories:
        found = [replace(one, repositories=repositories) for one in found]
    if not found:
        raise AlmanacError(NOTHING_TO_POST)
    failures = 0
    sender.give_up_on_lost()  # of a run that was killed
    sender.reconcile()
    for one in found:
        one = replace(one, zone=zone.key) if zone else one
        period = _posted(when, settings, ZoneInfo(one.zone), one.cadence)
        is_over = period.is_over(settings.now(), ZoneInfo(one.zone))
        digest = DigestPost.of(workspace, one, period, None if is_over else settings.now())
        try:
            composed = service.compose(DigestPost.of(workspace, one, period))
        except AlmanacError as error:
            click.echo(f"{one.channel}: nothing is posted, {error}", err=True)
            failures += 1
            continue
        if again:  # whoever looked for it may have missed it
            for post in store.outbox.in_state("unknown", digest.key):
                sender.find(post)
        service.plan(digest, composed, settings.now())
        outcome = service.deliver(digest, BY_HAND_SECONDS, again=again)
        click.echo(f"{one.channel}: {outcome.text}", err=not outcome.ok)
        failures += not outcome.ok
    if failures:
        raise SystemExit(1)
    return ""


def listed_digests(house: House) -> str:
    """Every digest that is wanted: when it is due next, or that it is paused; and what is wrong."""
    lines = [_line(one, house.settings) for one in _known(house.settings, house.store)]
    return "\n".join([*(lines or ["No digests are wanted."]), *problems(house.store)])


def pause_digests(house: House, wanted: WantedDigest, *, resume: bool) -> str:
    """Pause the digests of a channel, or have them again from what is due next on. Returns a line for each."""
    settings, store, channel = house.settings, house.store, wanted.channel
    _check_channel(channel)
    if channel is None:
        raise AlmanacError("say which: name its --channel, and its --cadence where there are several")
    called, known = frozenset({channel.lstrip("#")}), _known(settings, store)
    if settings.bot_token and not any(_is_for(one, called, None) for one in known):
        with suppress(AlmanacError):  # those made in Slack know their channels by id only
            called = _names_of(Members.of(settings, store, workspace_of(posting_client(settings))), channel)
    digests = Subscriptions.of(settings, store)
    now, lines = settings.now(), list[str]()
    for one in (one for one in known if _is_for(one, called, wanted.cadence)):
        if resume:
            said = "is posted again from" if digests.resume(one, now) else "was not paused; it is posted from"
            lines.append(f"{one.described} {said} {one.upcoming(now).title} on")
        else:
            done = digests.pause(one, "paused by hand", now)
            lines.append(f"{one.described} {'is paused' if done else 'was paused already'}")
    if not lines:
        raise AlmanacError(f"there is no digest for {channel}: see almanac digest --list")
    return "\n".join(lines)


def _posted(text: str, settings: Settings, zone: ZoneInfo, cadence: Cadence | None = None) -> Period:
    """The same as `period_meant`, for a digest that is posted. Raises AlmanacError for days."""
    period = period_meant(text, settings, zone, cadence)
    if isinstance(period, Days):
        raise AlmanacError(f"a digest is posted of one {OF_A_DIGEST}, not of {period.title}")
    return period


def _known(settings: Settings, store: Store) -> list[DigestSubscription]:
    return Subscriptions.of(settings, store).known(settings.now())


def _is_for(one: DigestSubscription, called: Collection[str], cadence: Cadence | None) -> bool:
    """Whether a digest is for a channel that is called so, or for any where no name is given; and of a cadence."""
    in_channel = not called or one.channel.lstrip("#") in called
    return in_channel and (cadence is None or one.cadence == cadence)


def _names_of(members: Members, channel: str | None) -> frozenset[str]:
    """What a channel is called, as schedules have it: its name and its id, as far as Slack says."""
    if channel is None:
        return frozenset()
    place = members.place_named(channel)
    return frozenset({channel.lstrip("#"), place.name, place.channel}) - {""}


def _check_channel(channel: str | None) -> None:
    try:
        read(Channel | None, channel)
    except ValueError as error:
        raise AlmanacError(str(error)) from error


def _line(one: DigestSubscription, settings: Settings) -> str:
    made = "made in Slack" if one.is_made_in_slack else "from almanac.toml"
    if one.paused_at:
        return f"{one.described}, {made}: paused since {one.paused_at:%Y-%m-%d} ({one.paused_why})"
    period = one.upcoming(settings.now())
    due = one.due_at(period).astimezone(ZoneInfo(one.zone))
    return f"{one.described}, {made}: tells {period.title} on {due:%Y-%m-%d at %H:%M} {one.zone}"
