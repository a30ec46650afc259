"""The modal of /almanac alone: who, when and where are chosen from menus, and asked as if they were typed. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.month.calendar import Month
from bot.slack.blocks import Block
from bot.slack.buttons import compact
from bot.slack.forms import View, chosen_in, form, input_block, kept_in, menu, option, options
from bot.slack.limits.blocks import MAX_OPTIONS
from bot.slack.packing import plain
from bot.slack.payload_checks import reads

TITLE = "Almanac"
PICK = "pick"  # the callback id, and the beginning of the action_id of a button that opens the modal
MONTHS = 24  # that can be chosen, the present one first
LONGEST_NAME = 75  # of a repository in a menu, where longer values are cut and would name none


@dataclass(frozen=True, slots=True)
class Picked:
    """What was chosen: a question as it would be typed, where the modal was opened, and where the answer goes."""

    text: str
    channel: str
    url: str


def picker(present: Month, repositories: Sequence[str], channel: str, url: str) -> View:
    """The modal. `repositories` are those that may be asked for, `url` is where whoever opened it is answered."""
    months = [present - back for back in range(MONTHS)]
    who: Block = {"type": "users_select", "placeholder": plain("Everyone")}
    when = menu(options({str(month): month.title for month in months}), str(months[1]))
    fields = [input_block("who", "Who?", who, optional=True), input_block("when", "In which month?", when)]
    named = [one for one in repositories if len(one) <= LONGEST_NAME][:MAX_OPTIONS]
    if len(named) > 1:
        where = menu([option(one, one) for one in named], placeholder="All repositories")
        fields.append(input_block("where", "In which repository?", where, optional=True))
    return form(TITLE, fields, PICK, "Ask", compact({"channel": channel, "url": url}))


@reads
def picked(view: Mapping[str, Any]) -> Picked:
    """What was chosen in the modal."""
    values, held = view["state"]["values"], kept_in(view)
    user = values["who"]["who"].get("selected_user")
    month = str(Month.parse(chosen_in(view, "when")))
    chosen = values.get("where", {}).get("where", {}).get("selected_option")
    where = f" in {chosen['value']}" if chosen else ""
    text = f"what did <@{user}> do in {month}{where}" if user else f"what shipped in {month}{where}"
    return Picked(text, str(held["channel"]), str(held["url"]))
