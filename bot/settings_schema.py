"""What may stand in each setting: a schema for every table of almanac.toml, and one for all settings together.

A schema is a function from what was written to what is meant. It raises voluptuous.Invalid with every fault that it
found, in the order of the table's keys; the first is what such an error says of itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any, Final, TypeVar, get_args

from voluptuous import Extra, Invalid, MultipleInvalid, Optional, Required, Schema

from bot.model import Dates
from bot.settings_checks import (
    Check,
    audience,
    calendar_day,
    channel,
    day,
    each,
    filled,
    folder,
    group,
    instant,
    members,
    model_address,
    number,
    one_of,
    others,
    people,
    secret,
    slack_api,
    team_name,
    text,
    truth,
    truth_or_name,
    whole,
    zone,
)
from bot.settings_tables import (
    DigestSettings,
    JoinPeople,
    ModelSettings,
    PersonSettings,
    PrivacySettings,
    RepositorySettings,
    SlackSettings,
    SprintSettings,
    TeamSettings,
)

Row = TypeVar("Row")


def maybe(check: Check) -> Check:
    return lambda value: None if value is None else check(value)


def mapping(keys: Mapping[str, Check], required: Sequence[str] = ()) -> Callable[[Any], dict[str, Any]]:
    """A table that stays a dict, of these keys and no others. Faults are in the order of `keys`, unknown ones last."""
    known: dict[Any, Check] = {
        Required(key, msg="is missing") if key in required else Optional(key): check for key, check in keys.items()
    }
    schema: Check = Schema({**known, Extra: _unknown})
    order = {key: place for place, key in enumerate(keys)}

    def check(value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Invalid("must be a table")
        try:
            return dict(schema(value))
        except MultipleInvalid as error:
            raise MultipleInvalid(
                sorted(error.errors, key=lambda fault: order.get(str(fault.path[0]), len(order)))
            ) from None

    return check


def _unknown(_: object) -> None:
    raise Invalid("no such key")


def table(
    kind: type[Row], keys: Mapping[str, Check], fits: Callable[[Row], None] | None = None
) -> Callable[[Any], Row]:
    """A table that becomes a `kind`. A key that it does not know is a mistake, so it is refused.

    `fits` is asked last, once each value is good by itself.
    """
    required = [
        one.name
        for one in fields(kind)  # type: ignore[arg-type]  # a type variable cannot be bound to dataclasses
        if one.default is MISSING and one.default_factory is MISSING
    ]
    values = mapping(keys, required)

    def check(value: object) -> Row:
        row = kind(**values(value))
        if fits:
            fits(row)
        return row

    return check


def digest_fits(digest: DigestSettings) -> None:
    if digest.cadence == "weekly" and digest.day > 7:
        raise Invalid("the day of a weekly digest is 1 (Monday) to 7 (Sunday)")
    if digest.team and digest.group:
        raise Invalid("has both a team and a group: a digest is of one of them")


REPOSITORY: Final = table(
    RepositorySettings, {"address": filled, "name": maybe(filled), "audience": audience, "branch": maybe(filled)}
)
PERSON: Final = table(
    PersonSettings,
    {
        "name": filled,
        "addresses": each(text),
        "logins": each(text),
        "nicknames": each(text),
        "slack": maybe(text),
    },
)
TEAM: Final = table(TeamSettings, {"name": team_name, "people": members})
DIGEST: Final = table(
    DigestSettings,
    {
        "channel": channel,
        "team": maybe(text),
        "group": maybe(group),
        "repositories": each(text),
        "cadence": one_of("weekly", "monthly", "quarterly"),
        "day": day,
        "hour": whole(0, 23),
        "zone": maybe(zone),
        "quiet": one_of("say", "skip"),
        "templates": maybe(folder),
        "months_back": whole(0, 24),
        "preview_days": whole(0, 14),
        "unanswered": one_of("post", "leave out"),
    },
    digest_fits,
)
PRIVACY: Final = table(
    PrivacySettings,
    {
        "about_others": others,
        "answers_about_others": one_of("channel", "asker"),
        "guests": truth,
        "shared_channels": truth,
        "admins": people,
    },
)
SPRINT: Final = table(SprintSettings, {"first": calendar_day, "days": whole(1, 366)})
SLACK: Final = table(SlackSettings, {"charts": truth, "streaming": truth})
MODEL: Final = table(
    ModelSettings,
    {
        "address": model_address,
        "name": filled,
        "seconds": number(0, 600),
        "tokens": whole(500, 1_000_000),
        "diffs": truth,
        "second_opinion": truth_or_name,
        "questions": truth,
    },
)
# Under the names of the fields of bot.settings.Settings.
SETTINGS: Final = mapping(
    {
        "home": folder,
        "db": folder,
        "zone_name": zone,
        "fixed_now": instant,
        "bot_token": secret,
        "app_token": secret,
        "signing_secret": secret,
        "slack_api": slack_api,
        "host": text,
        "port": whole(0, 65535),
        "model_key": secret,
        "repositories": each(REPOSITORY, "tables"),
        "people": each(PERSON, "tables"),
        "teams": each(TEAM, "tables"),
        "digests": each(DIGEST, "tables"),
        "bots": each(text),
        "tools": each(text),
        "dates": one_of(*get_args(Dates)),
        "join_people": one_of(*get_args(JoinPeople)),
        "refresh_minutes": whole(1),
        "mirror_contents": truth,
        "templates": folder,
        "model": maybe(MODEL),
        "privacy": PRIVACY,
        "slack": SLACK,
        "sprint": maybe(SPRINT),
    }
)
