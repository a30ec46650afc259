"""The modal in which a digest is made or changed: what can be chosen in it, and what it says. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.slack import elements
from bot.slack.elements import (
    MOST_GROUPS,
    Block,
    View,
    channel_menu,
    chosen_in,
    input_block,
    menu,
    option,
    option_groups,
    options,
    plain,
    radio,
    reads,
)
from bot.slack.limits import MAX_OPTION_VALUE, MAX_OPTIONS
from bot.slack_app.digests.views import OpenedFrom

FORM = "digest_form"  # the callback id
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAYS = {str(number): name for number, name in enumerate(WEEKDAYS, 1)}
CADENCES = {"monthly": "Every month", "weekly": "Every week", "quarterly": "Every quarter"}
QUIET = {"say": "Say that there was nothing", "skip": "Post nothing"}
HOURS = {str(hour): f"{hour:02}:00" for hour in range(24)}
EVERYONE = "everyone"
OF_MONTH = "Of the month after, where it is posted every month or quarter."
OF_WEEK = "Of the week after, where it is posted every week."
LONGEST_TEAM = MAX_OPTION_VALUE - 5  # of a name, behind "team:"


@dataclass(frozen=True, slots=True)
class Offered:
    """What can be chosen in the form: teams, user groups by handle, repositories, and zones by name."""

    teams: Sequence[str] = ()
    groups: Sequence[str] = ()
    repositories: Sequence[str] = ()
    zones: Sequence[str] = ("UTC",)


def form(table: Mapping[str, Any], offered: Offered, kept: OpenedFrom, zone: str) -> View:
    """A digest to be made, or changed: `table` is what is known of it, as [[digests]] of almanac.toml has it. `zone` is
    the asker's own, and chosen at first where that names none."""
    day, is_weekly = str(table.get("day", 1)), table.get("cadence") == "weekly"
    team, group = table.get("team"), table.get("group")
    whom = f"team:{team}" if team else f"group:{group}" if group else EVERYONE
    there = table.get("zone") or zone
    channel = table.get("channel")
    picked = {"initial_conversation": channel} if channel else {"default_to_current_conversation": True}
    every: list[Block | None] = [
        input_block("channel", "Channel", channel_menu(**picked)),
        input_block("whom", "Of whom", menu(_whom(offered, whom), whom)),
        _repositories(offered, table.get("repositories") or ()),
        input_block("cadence", "How often", menu(options(CADENCES), table.get("cadence", "monthly"))),
        input_block("day", "Day of the month", menu(_days_of_month(), "1" if is_weekly else day), OF_MONTH),
        input_block("weekday", "Day of the week", menu(options(DAYS), day if is_weekly else "1"), OF_WEEK),
        input_block("hour", "At", menu(options(HOURS), str(table.get("hour", 9)))),
        input_block("zone", "Time zone", menu(_zones(offered.zones, zone, there), there)),
        input_block("quiet", "If nothing was done", radio(QUIET, table.get("quiet", "say"))),
    ]
    title = "Change a digest" if kept.digest else "New digest"
    return elements.form(title, [one for one in every if one], FORM, "Save", kept.written())


def _whom(offered: Offered, chosen: str) -> dict[str, list[Block]]:
    teams = [option(f"team:{name}", name) for name in offered.teams if name and len(name) < LONGEST_TEAM]
    groups = [option(f"group:{handle}", f"@{handle.lstrip('@')}") for handle in offered.groups]
    every = {
        "Everybody": [option(EVERYONE, "Everyone who was active")],
        "Teams of almanac.toml": teams,
        "User groups of Slack": groups,
    }
    if chosen not in {one["value"] for group in every.values() for one in group}:
        every["As it is now"] = [option(chosen, chosen.partition(":")[2])]
    return every


def _repositories(offered: Offered, chosen: Iterable[str]) -> Block | None:
    names = [name for name in dict.fromkeys((*offered.repositories, *chosen)) if 0 < len(name) <= MAX_OPTION_VALUE]
    if not names:
        return None
    every = {name: option(name, name) for name in names[: MAX_OPTIONS * MOST_GROUPS]}
    first = [every[name] for name in chosen if name in every]
    element: Block = {
        "type": "multi_static_select",
        "placeholder": plain("All repositories"),
        **option_groups({"Repositories": list(every.values())}),
        **({"initial_options": first[:MAX_OPTIONS]} if first else {}),
    }
    return input_block("repositories", "In which repositories", element, optional=True)


def _days_of_month() -> list[Block]:
    """The last is another day in each month."""
    late = [option(f"{day}", f"{day}., or the last of a shorter month") for day in (29, 30)]
    return [*(option(f"{day}", f"{day}.") for day in range(1, 29)), *late, option("31", "The last day")]


def _zones(zones: Sequence[str], own: str, chosen: str) -> dict[str, list[Block]]:
    """Zones by the part of the world, after the asker's own and what is chosen."""
    first = dict.fromkeys((own, chosen))
    label = "Yours" if len(first) == 1 else "Yours, and as it is now"
    by_region = {label: [option(name, name.replace("_", " ")) for name in first]}
    for name in sorted({*zones} - {*first}):
        region = name.partition("/")[0] if "/" in name else "UTC and others"
        by_region.setdefault(region, []).append(option(name, name.partition("/")[2].replace("_", " ") or name))
    return by_region


@dataclass(frozen=True, slots=True)
class FilledForm:
    """What a form was submitted with: a table as almanac.toml has it, or what is wrong with it by block."""

    table: Mapping[str, Any]
    errors: Mapping[str, str]


@reads
def typed(view: Mapping[str, Any]) -> FilledForm:
    """What a form says."""
    values = view["state"]["values"]
    channel = values["channel"]["channel"].get("selected_conversation")
    sort, _, whom = chosen_in(view, "whom").partition(":")
    repositories = values.get("repositories", {}).get("repositories", {}).get("selected_options") or ()
    cadence = chosen_in(view, "cadence")
    errors = {} if channel else {"channel": "Choose a channel."}
    table = {
        "channel": str(channel or ""),
        "team": whom if sort == "team" else None,
        "group": whom if sort == "group" else None,
        "repositories": [str(one["value"]) for one in repositories],
        "cadence": cadence,
        "day": int(chosen_in(view, "weekday" if cadence == "weekly" else "day")),
        "hour": int(chosen_in(view, "hour")),
        "zone": chosen_in(view, "zone"),
        "quiet": chosen_in(view, "quiet"),
    }
    return FilledForm(table, errors)
