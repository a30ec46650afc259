"""`almanac month`, `profile`, `digest` and `explain`: a query, then its document in the form that is wanted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from click import UsageError

from bot.ask.queries import EVERY
from bot.commands.house import House, WantedDigest, as_json, checked_team, in_form, payloads, period_meant, span_meant
from bot.digest.subscriptions import DigestSubscription, Subscriptions
from bot.errors import AlmanacError
from bot.story.render import Templates
from bot.wording import listed


def month(house: House, person: str, when: str) -> str:
    """One developer's month or days, or several months newest first."""
    queries = house.queries
    try:
        months = span_meant(when, house.settings, queries.zone)
    except AlmanacError as error:
        raise AlmanacError(
            f'{error}; a name of several words goes into quotes: almanac month "Ada Lovelace"'
        ) from error
    documents = queries.month(person, months, most=EVERY, repositories=house.repositories)
    are_several = bool(months.months and not months.month)
    return in_form(house.settings, documents, house.form, queries.pages(), as_list=are_several)


def profile(house: House, person: str) -> str:
    """The profile of a person. Raises AlmanacError where nobody is named, or nobody is called so."""
    if not person.strip():
        raise AlmanacError('whose profile? name somebody, as in: almanac profile "Ada Lovelace"')
    document = house.queries.profile(person, repositories=house.repositories)
    return in_form(house.settings, [document], house.form, house.queries.pages())


def explain(house: House, sha: str) -> str:
    """Why a commit is in whose month."""
    (explanation,) = house.queries.explain([sha]).explained
    return as_json(explanation) if house.form == "json" else explanation.text


def digest(house: House, *, post: bool, again: bool, listed: bool, pause: bool, resume: bool, **wanted: Any) -> str:
    """A digest as it would be posted; or it is posted, paused or resumed, or all are listed. `wanted` are the fields of
    WantedDigest."""
    if post + listed + pause + resume > 1:
        raise UsageError("--post, --list, --pause and --resume are wanted one at a time")
    meant = WantedDigest(**wanted)
    if not (post or listed or pause or resume):
        return shown_digest(house, meant)
    from bot.commands import posting  # which asks Slack

    if post:
        return posting.post_digest(house, meant, again=again)
    return posting.listed_digests(house) if listed else posting.pause_digests(house, meant, resume=resume)


def shown_digest(house: House, wanted: WantedDigest) -> str:
    """A digest in the form that is wanted."""
    settings, channel, form = house.settings, wanted.channel, house.form
    one = _of_channel(house, wanted) or DigestSubscription(channel=channel or "", team=wanted.team)
    queries = house.queries_in(house.zone or (ZoneInfo(one.zone) if one.first else None))
    period = period_meant(wanted.when, settings, queries.zone, wanted.cadence or one.cadence)
    if channel:
        from bot.slack.audience import hidden_in

        queries = replace(queries, hidden=hidden_in(channel, settings, queries.indexed))
    if one.group:
        raise AlmanacError(
            f"the digest of @{one.group.lstrip('@')} is of people whom only Slack knows: see it there with "
            f"/almanac digest, or post it with --post"
        )
    repositories = house.repositories or one.repositories
    document = queries.digest(period, checked_team(settings, one.team), repositories)
    if form == "slack":
        from bot.digest.service import asking_again
        from bot.slack.render import post_messages

        again = asking_again(replace(one, repositories=list(repositories)), period)
        messages = post_messages(document, Templates(settings.templates), queries.pages(), again)
        return as_json([{"channel": channel} | each if channel else each for each in payloads(messages)])
    return in_form(settings, [document], form, queries.pages())


def _of_channel(house: House, wanted: WantedDigest) -> DigestSubscription | None:
    """The digest that a channel gets, of a cadence or of that of the period that is asked for. Raises AlmanacError
    where it gets none."""
    settings, channel = house.settings, wanted.channel
    if channel is None or wanted.team or house.repositories:
        return None
    known = Subscriptions.of(settings, house.store).known(settings.now())
    of_channel = [one for one in known if one.channel.lstrip("#") == channel.lstrip("#")]
    cadence = wanted.cadence
    if wanted.when.strip():
        cadence = period_meant(wanted.when, settings, house.zone or settings.zone).cadence
    found = next((one for one in of_channel if cadence in (None, one.cadence)), None)
    if found is None:
        has = [f"a {one.cadence} one of {one.whom or 'everyone'}" for one in of_channel]
        gets = f"no {cadence} digest, only {listed(has)}" if has else "no digest"
        raise AlmanacError(f"{channel} gets {gets}: leave --channel out for everybody's, or name a --team or --repo")
    return found
