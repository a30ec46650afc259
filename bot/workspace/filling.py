"""What a person fills in in a modal, as Slack tells the app: the state of its inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.workspace.model import Json
from bot.workspace.payloads import options_of


def filled_in(view: Json, values: Mapping[str, Any]) -> dict[str, dict[str, Json]]:
    """The state of a modal once somebody chose or typed `values`, by action_id, or by block_id/action_id where one
    action_id stands in several blocks; what it held initially stays, and "" is nothing.

    LookupError where a value is for nothing that is there, or is none of the options.
    """
    state: dict[str, dict[str, Json]] = {}
    left = dict(values)
    for block in view["blocks"]:
        for element in _fields(block):
            name = element["action_id"]
            exactly = f"{block['block_id']}/{name}"
            value = left.pop(exactly if exactly in left else name, None)
            state.setdefault(block["block_id"], {})[name] = _filled(element, value)
    if left:
        raise LookupError(f"nothing to fill in is called {', '.join(left)}")
    return state


def left_empty(view: Json, state: Mapping[str, Mapping[str, Json]]) -> list[str]:
    """The labels of what must be filled in and is not: Slack does not let a person submit without."""
    empty = []
    for block in view["blocks"]:
        if block["type"] == "input" and not block.get("optional"):
            filled = state[block["block_id"]][block["element"]["action_id"]]
            if not any(value for key, value in filled.items() if key != "type"):
                empty.append(str(block["label"]["text"]))
    return empty


def _fields(block: Json) -> list[Json]:
    inside = [block.get("element"), block.get("accessory"), *block.get("elements", [])]
    return [one for one in inside if isinstance(one, dict) and "action_id" in one and _KEYS.get(one["type"])]


_KEYS = {
    "plain_text_input": "value",
    "email_text_input": "value",
    "url_text_input": "value",
    "number_input": "value",
    "static_select": "selected_option",
    "radio_buttons": "selected_option",
    "checkboxes": "selected_options",
    "multi_static_select": "selected_options",
    "conversations_select": "selected_conversation",
    "channels_select": "selected_channel",
    "users_select": "selected_user",
    "datepicker": "selected_date",
    "timepicker": "selected_time",
    "multi_users_select": "selected_users",
    "multi_channels_select": "selected_channels",
    "multi_conversations_select": "selected_conversations",
}
_MANY = ("selected_options", "selected_users", "selected_channels", "selected_conversations")


def _filled(element: Json, value: Any) -> Json:
    kind, key = element["type"], _KEYS[element["type"]]
    initial = element.get("initial_" + {"value": "value"}.get(key, key.removeprefix("selected_")))
    if value is None:
        return {"type": kind, key: initial if initial is not None else ([] if key in _MANY else None)}
    if value == "":
        return {"type": kind, key: None}
    if "_option" not in key:
        longest = element.get("max_length")
        if key == "value" and longest and len(value) > longest:
            raise LookupError(f"{element['action_id']} takes no more than {longest} characters")
        return {"type": kind, key: value}
    wanted = [value] if isinstance(value, str) else list(value)
    options = options_of(element)
    chosen = [option for option in options if option["value"] in wanted]
    if len(chosen) != len(wanted):
        raise LookupError(f"{element['action_id']} has no option {value!r}: {[one['value'] for one in options]}")
    return {"type": kind, key: chosen if key == "selected_options" else chosen[0]}
