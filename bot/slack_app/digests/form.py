"""The modal in which a digest is made or changed: what can be chosen in it, and what it says. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.slack import forms
from bot.slack.blocks import Block
from bot.slack.forms import (
    MOST_GROUPS,
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
)
from bot.slack.limits.blocks import MAX_OPTION_VALUE, MAX_OPTIONS
from bot.slack.payload_checks import reads
from bot.slack_app.digests.views import OpenedFrom

FORM = "digest_form"  # the callback id
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CADENCES = {"monthly": "Every month", "weekly": "Every week", "quarterly": "Every quarter"}
QUIET = {"say": "Say that there was nothing", "skip": "Post nothing"}
UNANSWERED = {"post": "Their part is posted as it is", "leave out": "Their part is left out"}
HOURS = {str(hour): f"{hour:02}:00" for hour in range(24)}
BEFORE = {
    "0": "Nobody is asked",
    "1": "1 day before",
    **{str(days): f"{days} days before" for days in range(2, 15)},
}
EVERYONE = "everyone"
WEEKDAY_NEEDED = "A weekly digest needs a day of the week."
MONTHDAY_NEEDED = "Only a weekly digest is posted on a day of the week: choose a day of the month."
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
    chosen at first where that names none."""
    day = f"{'w' if table.get('cadence') == 'weekly' else 'm'}{table.get('day', 1)}"
    team, group = table.get("team"), table.get("group")
    whom = f"team:{team}" if team else f"group:{group}" if group else EVERYONE
    there = table.get("zone") or zone
    channel = table.get("channel")
    picked = {"initial_conversation": channel} if channel else {"default_to_current_conversation": True}
    silent = radio(UNANSWERED, table.get("unanswered", "post"))
    every: list[Block | None] = [
        input_block("channel", "Channel", channel_menu(**picked)),
        input_block("whom", "Of whom", menu(_whom(offered, whom), whom)),
        _repositories(offered, table.get("repositories") or ()),
        input_block("cadence", "How often", menu(options(CADENCES), table.get("cadence", "monthly"))),
        input_block("day", "On which day", menu(_days(), day)),
        input_block("hour", "At", menu(options(HOURS), str(table.get("hour", 9)))),
        input_block("zone", "Time zone", menu(_zones(offered.zones, there), there)),
        input_block("quiet", "If nothing was done", radio(QUIET, table.get("quiet", "say"))),
        input_block("preview_days", "Ask people first", menu(options(BEFORE), str(table.get("preview_days", 0)))),
        input_block("unanswered", "Of whoever is asked and says nothing", silent),
    ]
    title = "Change a digest" if kept.digest else "New digest"
    return forms.form(title, [one for one in every if one], FORM, "Save", kept.written())


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


def _days() -> dict[str, list[Block]]:
    """Days of a month and of a week; the last is another one in each month."""
    of_month = [option(f"m{day}", f"{day}.") for day in range(1, 29)]
    late = [option(f"m{day}", f"{day}., or the last of a shorter month") for day in (29, 30)]
    return {
        "Of the month after (monthly, quarterly)": [*of_month, *late, option("m31", "The last day")],
        "Of the week after (weekly)": [option(f"w{number}", day) for number, day in enumerate(DAYS, 1)],
    }


def _zones(zones: Sequence[str], chosen: str) -> dict[str, list[Block]]:
    """Zones by the part of the world, with what is chosen among them."""
    by_region: dict[str, list[Block]] = {}
    for name in sorted({*zones, chosen}):
        region = name.partition("/")[0] if "/" in name else "UTC and others"
        by_region.setdefault(region, []).append(option(name, name.partition("/")[2].replace("_", " ") or name))
    return by_region


@dataclass(frozen=True, slots=True)
class FilledForm:
    """What a form was submitted with: a table as almanac.toml has it, or what is wrong with it by block."""

    table: Mapping[str, Any]
    errors: Mapping[str, str]


@reads
def title_of(view: Mapping[str, Any]) -> str:
    return str(view["title"]["text"])


@reads
def typed(view: Mapping[str, Any]) -> FilledForm:
    """What a form says."""
    values = view["state"]["values"]
    channel = values["channel"]["channel"].get("selected_conversation")
    sort, _, whom = chosen_in(view, "whom").partition(":")
    repositories = values.get("repositories", {}).get("repositories", {}).get("selected_options") or ()
    day, cadence = chosen_in(view, "day"), chosen_in(view, "cadence")
    errors: dict[str, str] = {}
    if not channel:
        errors["channel"] = "Choose a channel."
    if (cadence == "weekly") != day.startswith("w"):
        errors["day"] = WEEKDAY_NEEDED if cadence == "weekly" else MONTHDAY_NEEDED
    table = {
        "channel": str(channel or ""),
        "team": whom if sort == "team" else None,
        "group": whom if sort == "group" else None,
        "repositories": [str(one["value"]) for one in repositories],
        "cadence": cadence,
        "day": int(day[1:]),
        "hour": int(chosen_in(view, "hour")),
        "zone": chosen_in(view, "zone"),
        "quiet": chosen_in(view, "quiet"),
        "preview_days": int(chosen_in(view, "preview_days")),
        "unanswered": chosen_in(view, "unanswered"),
    }
    return FilledForm(table, errors)
