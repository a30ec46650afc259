"""The modal in which a digest is made or changed: what can be chosen in it, and what it says. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.slack.blocks import Block
from bot.slack.limits.blocks import MAX_OPTION_TEXT, MAX_OPTION_VALUE, MAX_OPTIONS
from bot.slack.modals import View, modal
from bot.slack.payload_checks import reads
from bot.slack_app.digests.views import Kept
from bot.slack_app.home.blocks import plain
from bot.story.wording import clean, shortened

FORM = "digest_form"  # the callback id
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CADENCES = {"monthly": "Every month", "weekly": "Every week", "quarterly": "Every quarter"}
QUIET = {"say": "Say that there was nothing", "skip": "Post nothing"}
UNANSWERED = {"post": "Their part is posted as it is", "leave out": "Their part is left out"}
EVERYONE = "everyone"
WEEKDAY_NEEDED = "A weekly digest needs a day of the week."
MONTHDAY_NEEDED = "Only a weekly digest is posted on a day of the week: choose a day of the month."
MOST_GROUPS = 40  # of options in one menu
LONGEST_TEAM = MAX_OPTION_VALUE - 5  # of a name, behind "team:"


@dataclass(frozen=True, slots=True)
class Offered:
    """What can be chosen in the form: teams, user groups by handle, repositories, and zones by name."""

    teams: Sequence[str] = ()
    groups: Sequence[str] = ()
    repositories: Sequence[str] = ()
    zones: Sequence[str] = ("UTC",)


def form(table: Mapping[str, Any], offered: Offered, kept: Kept, zone: str) -> View:
    """A digest to be made, or changed: `table` is what is known of it, as [[digests]] of almanac.toml has it. `zone` is
    chosen at first where that names none."""
    weekly = table.get("cadence") == "weekly"
    day = f"{'w' if weekly else 'm'}{table.get('day', 1)}"
    whom = (
        f"team:{table['team']}" if table.get("team") else f"group:{table['group']}" if table.get("group") else EVERYONE
    )
    asked, silent = str(table.get("preview_days", 0)), table.get("unanswered", "post")
    there = table.get("zone") or zone
    channel = {"initial_conversation": table["channel"]} if table.get("channel") else {}
    picker: Block = {
        "type": "conversations_select",
        "action_id": "channel",
        "filter": {"include": ["public", "private"], "exclude_bot_users": True},
        **(channel or {"default_to_current_conversation": True}),
    }
    every: list[Block | None] = [
        _input("channel", "Channel", picker),
        _input("whom", "Of whom", _menu("whom", _whom(offered, whom), whom)),
        _repositories(offered, table.get("repositories") or ()),
        _input("cadence", "How often", _menu("cadence", [("", _options(CADENCES))], table.get("cadence", "monthly"))),
        _input("day", "On which day", _menu("day", _days(), day)),
        _input("hour", "At", _menu("hour", [("", _options(_hours()))], str(table.get("hour", 9)))),
        _input("zone", "Time zone", _menu("zone", _zones(offered.zones, there), there)),
        _input("quiet", "If nothing was done", _radio("quiet", QUIET, table.get("quiet", "say"))),
        _input("preview_days", "Ask people first", _menu("preview_days", [("", _options(_before()))], asked)),
        _input("unanswered", "Of whoever is asked and says nothing", _radio("unanswered", UNANSWERED, silent)),
    ]
    title = "Change a digest" if kept.digest else "New digest"
    blocks = [one for one in every if one]
    return modal(title, blocks, callback_id=FORM, submit=plain("Save"), private_metadata=kept.written())


def _whom(offered: Offered, chosen: str) -> list[tuple[str, list[Block]]]:
    teams = [_option(f"team:{name}", name) for name in offered.teams if name and len(name) < LONGEST_TEAM]
    groups = [_option(f"group:{handle}", f"@{handle.lstrip('@')}") for handle in offered.groups]
    every = [
        ("Everybody", [_option(EVERYONE, "Everyone who was active")]),
        ("Teams of almanac.toml", teams),
        ("User groups of Slack", groups),
    ]
    if chosen not in {one["value"] for _, options in every for one in options}:
        every.append(("As it is now", [_option(chosen, chosen.partition(":")[2])]))
    return every


def _repositories(offered: Offered, chosen: Iterable[str]) -> Block | None:
    names = [name for name in dict.fromkeys((*offered.repositories, *chosen)) if 0 < len(name) <= MAX_OPTION_VALUE]
    if not names:
        return None
    options = {name: _option(name, name) for name in names[: MAX_OPTIONS * MOST_GROUPS]}
    first = [options[name] for name in chosen if name in options]
    element: Block = {
        "type": "multi_static_select",
        "action_id": "repositories",
        "placeholder": plain("All repositories"),
        "option_groups": _groups([("Repositories", list(options.values()))]),
        **({"initial_options": first[:MAX_OPTIONS]} if first else {}),
    }
    return {**_input("repositories", "In which repositories", element), "optional": True}


def _days() -> list[tuple[str, list[Block]]]:
    """Days of a month and of a week; the last is another one in each month."""
    of_month = [_option(f"m{day}", f"{day}.") for day in range(1, 29)]
    late = [_option(f"m{day}", f"{day}., or the last of a shorter month") for day in (29, 30)]
    of_week = [_option(f"w{number}", day) for number, day in enumerate(DAYS, 1)]
    return [
        ("Of the month after (monthly, quarterly)", [*of_month, *late, _option("m31", "The last day")]),
        ("Of the week after (weekly)", of_week),
    ]


def _hours() -> dict[str, str]:
    return {str(hour): f"{hour:02}:00" for hour in range(24)}


def _before() -> dict[str, str]:
    said = {str(days): f"{days} days before" for days in range(2, 15)}
    return {"0": "Nobody is asked", "1": "1 day before", **said}


def _zones(zones: Sequence[str], chosen: str) -> list[tuple[str, list[Block]]]:
    """Zones by the part of the world, with what is chosen among them."""
    by_region: dict[str, list[Block]] = {}
    for name in sorted({*zones, chosen}):
        region = name.partition("/")[0] if "/" in name else "UTC and others"
        by_region.setdefault(region, []).append(_option(name, name.partition("/")[2].replace("_", " ") or name))
    return list(by_region.items())


def _menu(action_id: str, groups: Sequence[tuple[str, list[Block]]], chosen: str) -> Block:
    every = [one for _, options in groups for one in options]
    first = next((one for one in every if one["value"] == chosen), None)
    shown = {"options": every[:MAX_OPTIONS]} if len(groups) == 1 else {"option_groups": _groups(groups)}
    begun = {"initial_option": first} if first else {}
    return {"type": "static_select", "action_id": action_id, **shown, **begun}


def _groups(groups: Sequence[tuple[str, list[Block]]]) -> list[Block]:
    """UserGroups of options, each as long as Slack takes it."""
    found: list[Block] = []
    for label, options in groups:
        for at in range(0, len(options), MAX_OPTIONS):
            some = f"{label}, from {at + 1:,} on" if at else label
            found.append({"label": plain(some), "options": options[at : at + MAX_OPTIONS]})
    return found[:MOST_GROUPS]


def _radio(action_id: str, words: Mapping[str, str], chosen: str) -> Block:
    options = _options(words)
    first = next((one for one in options if one["value"] == chosen), options[0])
    return {"type": "radio_buttons", "action_id": action_id, "options": options, "initial_option": first}


def _options(words: Mapping[str, str]) -> list[Block]:
    return [_option(value, text) for value, text in words.items()]


def _option(value: str, text: str) -> Block:
    return {"text": plain(shortened(clean(text), MAX_OPTION_TEXT) or "?"), "value": value[:MAX_OPTION_VALUE]}


@dataclass(frozen=True, slots=True)
class Typed:
    """What a form was submitted with: a table as almanac.toml has it, or what is wrong with it by block."""

    table: Mapping[str, Any]
    errors: Mapping[str, str]


@reads
def title_of(view: Mapping[str, Any]) -> str:
    return str(view["title"]["text"])


@reads
def typed(view: Mapping[str, Any]) -> Typed:
    """What a form says."""
    values = view["state"]["values"]

    def chosen(name: str) -> str:
        return str(values[name][name]["selected_option"]["value"])

    channel = values["channel"]["channel"].get("selected_conversation")
    sort, _, whom = chosen("whom").partition(":")
    repositories = values.get("repositories", {}).get("repositories", {}).get("selected_options") or ()
    day, cadence = chosen("day"), chosen("cadence")
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
        "hour": int(chosen("hour")),
        "zone": chosen("zone"),
        "quiet": chosen("quiet"),
        "preview_days": int(chosen("preview_days")),
        "unanswered": chosen("unanswered"),
    }
    return Typed(table, errors)


def _input(name: str, label: str, element: Block) -> Block:
    return {"type": "input", "block_id": name, "label": plain(label), "element": element}
