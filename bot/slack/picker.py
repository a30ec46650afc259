"""The modal of /almanac alone: who, when and where are chosen from menus, and asked as if they were typed. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.month.calendar import Month
from bot.slack.blocks import Block
from bot.slack.buttons import compact
from bot.slack.limits import MAX_OPTION_TEXT, MAX_OPTIONS
from bot.slack.modals import View, modal
from bot.slack.payload_checks import reads
from bot.story.wording import clean, shortened

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
    who: Block = {"type": "users_select", "action_id": "who", "placeholder": _plain("Everyone")}
    when: Block = {
        "type": "static_select",
        "action_id": "when",
        "options": [_option(month.title, str(month)) for month in months],
        "initial_option": _option(months[1].title, str(months[1])),
    }
    fields = [_field("who", "Who?", who, optional=True), _field("when", "In which month?", when)]
    named = [one for one in repositories if len(one) <= LONGEST_NAME][:MAX_OPTIONS]
    if len(named) > 1:
        where: Block = {
            "type": "static_select",
            "action_id": "where",
            "placeholder": _plain("All repositories"),
            "options": [_option(one, one) for one in named],
        }
        fields.append(_field("where", "In which repository?", where, optional=True))
    held = compact({"channel": channel, "url": url})
    return modal(TITLE, fields, callback_id=PICK, submit=_plain("Ask"), private_metadata=held)


@reads
def picked(view: Mapping[str, Any]) -> Picked:
    """What was chosen in the modal."""
    values, held = view["state"]["values"], json.loads(view["private_metadata"])
    user = values["who"]["who"].get("selected_user")
    month = str(Month.parse(values["when"]["when"]["selected_option"]["value"]))
    option = values.get("where", {}).get("where", {}).get("selected_option")
    where = f" in {option['value']}" if option else ""
    text = f"what did <@{user}> do in {month}{where}" if user else f"what shipped in {month}{where}"
    return Picked(text, str(held["channel"]), str(held["url"]))


def _field(name: str, label: str, element: Block, *, optional: bool = False) -> Block:
    return {"type": "input", "block_id": name, "label": _plain(label), "element": element, "optional": optional}


def _option(label: str, value: str) -> Block:
    return {"text": _plain(shortened(clean(label), MAX_OPTION_TEXT)), "value": value}


def _plain(text: str) -> Block:
    return {"type": "plain_text", "text": text, "emoji": False}
