"""Whether what arrives looks like what Slack sends, as far as anything here relies on it. Pure.

Bolt and the listeners take it for granted; a body that is another shape would end in a traceback for each attempt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from urllib.parse import urlsplit

from bot.errors import Unreadable

P = ParamSpec("P")
T = TypeVar("T")

_INTERACTIONS = frozenset(
    {"block_actions", "view_submission", "view_closed", "shortcut", "message_action", "block_suggestion"}
)
# Ids that Bolt looks for in any body, at its top and in its event.
_TEXTS = (
    "type", "ts", "thread_ts", "event_ts", "text", "event_id", "team_id", "user_id", "channel_id", "channel_type",
    "subtype", "bot_id", "enterprise_id", "response_url", "trigger_id", "callback_id", "command", "tab", "api_app_id",
)  # fmt: skip
_OBJECTS = ("view", "container", "message", "item", "assistant_thread", "state", "previous_message", "function_data")
_EITHER = ("user", "channel", "team", "enterprise")  # an id, or an object that has one


def reads(function: Callable[P, T]) -> Callable[P, T]:
    """For what reads a view or a button that the bot once made: it raises Unreadable where that is not so."""

    @wraps(function)
    def read(*arguments: P.args, **named: P.kwargs) -> T:
        try:
            return function(*arguments, **named)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise Unreadable("what was pressed or filled in cannot be read any more: open it again") from error

    return read


@reads
def view_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """The view that something was pressed in."""
    return dict(body["view"])


def fault_of(body: object) -> str:
    """What in a body is not as Slack writes it, in a few words without anything of the body; empty if it is well."""
    if not isinstance(body, Mapping):
        return "it is no object"
    return _of_any(body) or _of_what_it_is(body)


def _of_any(body: Mapping[Any, Any], deep: int = 2) -> str:
    for name in _TEXTS:
        if not isinstance(body.get(name), str | None):
            return f"{name} is no text"
    for name in _OBJECTS:
        if not isinstance(body.get(name), Mapping | None):
            return f"{name} is no object"
    for name in _EITHER:
        value = body.get(name)
        if not isinstance(value, str | None) and not (isinstance(value, Mapping) and isinstance(value.get("id"), str)):
            return f"{name} is neither an id nor an object with one"
    for name in ("authorizations", "actions", "response_urls"):
        value = body.get(name)
        if value is not None and not (isinstance(value, list) and all(isinstance(one, Mapping) for one in value)):
            return f"{name} is no list of objects"
    if deep:
        inner = [("authorizations", one) for one in body.get("authorizations") or ()]
        inner += [(name, body[name]) for name in _OBJECTS if body.get(name)]
        for name, one in inner:
            if fault := _of_any(one, deep - 1):
                return f"{name}: {fault}"
    return ""


def _of_what_it_is(body: Mapping[Any, Any]) -> str:
    if "command" in body:
        return _lacks(body, "command", "user_id", "channel_id") or _of_address(body)
    kind = body.get("type")
    if kind == "event_callback":
        return _of_event(body.get("event"))
    if kind == "url_verification":
        return _lacks(body, "challenge")
    if kind in _INTERACTIONS:
        return _of_interaction(body)
    return "" if "ssl_check" in body else "it is of a sort that is not asked for"


def _of_event(event: object) -> str:
    if not isinstance(event, Mapping):
        return "it has no event"
    posted = ("type", "channel", "ts")
    needs: dict[str, tuple[str, ...]] = {"app_mention": posted, "message": posted, "app_home_opened": ("type", "user")}
    fault = _of_any(event) or _lacks(event, "type") or _lacks(event, *needs.get(event["type"], ()))
    if not fault and event["type"] in needs and not isinstance(event.get("user"), str | None):
        fault = "user is no id"
    return f"event: {fault}" if fault else ""


def _of_interaction(body: Mapping[Any, Any]) -> str:
    if not isinstance(body.get("user"), Mapping):
        return "it has no user"
    if not isinstance(body.get("channel"), Mapping | None):
        return "channel is no object"
    kind = body["type"]
    if kind == "block_actions":
        return _of_press(body)
    if kind in ("view_submission", "view_closed"):
        view = body.get("view")
        if not isinstance(view, Mapping):
            return "it has no view"
        if not isinstance(view.get("callback_id"), str):
            return "callback_id is missing"  # it is "" where none was given
        return _of_view(view, _lacks(view, "id", "type")) if kind == "view_submission" else ""
    if kind == "message_action" and not body.get("channel"):
        return "channel is missing"
    if kind in ("shortcut", "message_action"):
        return _lacks(body, "callback_id", "trigger_id") or _of_address(body)
    return _lacks(body, "action_id")


def _of_press(body: Mapping[Any, Any]) -> str:
    actions = body.get("actions")
    if not actions or any(not isinstance(one.get("action_id"), str) for one in actions):
        return "it has no actions"
    for one in actions:
        if fault := _of_filled(one):
            return f"an action's {fault}"
        if not isinstance(one.get("text"), Mapping | None) or not isinstance(one.get("block_id"), str | None):
            return "an action's text or block is none"
    message, view = body.get("message"), body.get("view")
    blocks = message.get("blocks") if message else None
    if blocks is not None and not _are_blocks(blocks):
        return "a message's blocks are none"
    if view is not None and (fault := _of_view(view, _lacks(view, "id", "type"))):
        return fault
    return _lacks(body, "trigger_id") or _of_address(body)


def _of_view(view: Mapping[Any, Any], lacks: str) -> str:
    if lacks:
        return f"view: {lacks}"
    for name in ("private_metadata", "hash", "root_view_id"):
        if not isinstance(view.get(name), str | None):
            return f"view: {name} is no text"
    values = (view.get("state") or {}).get("values", {} if view["type"] == "home" else None)
    if not isinstance(values, Mapping) or not all(isinstance(block, Mapping) for block in values.values()):
        return "view: state has no values"
    for one in (one for block in values.values() for one in block.values()):
        if not isinstance(one, Mapping):
            return "view: a value is no object"
        if fault := _of_filled(one):
            return f"view: {fault}"
    return ""


def _of_filled(one: Mapping[Any, Any]) -> str:
    """What is wrong with what was pressed, typed or chosen."""
    for name in ("value", "action_ts", "selected_conversation"):
        if not isinstance(one.get(name), str | None):
            return f"{name} is no text"
    chosen = one.get("selected_options") or []
    if not isinstance(chosen, list):
        return "selected_options is no list"
    for option in (one.get("selected_option"), *chosen):
        if option is not None and not (isinstance(option, Mapping) and isinstance(option.get("value"), str)):
            return "option is none"
    return ""


def _are_blocks(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, Mapping)
        and isinstance(one.get("elements"), list | None)
        and all(isinstance(each, Mapping) for each in one.get("elements") or ())
        for one in value
    )


def _of_address(body: Mapping[Any, Any]) -> str:
    """What is wrong with where an answer is wanted; there may be none."""
    url = body.get("response_url")
    try:
        parts = urlsplit(url) if url else None
        is_well = parts is None or (parts.scheme in ("https", "http") and bool(parts.hostname) and parts.port != 0)
    except ValueError:
        is_well = False
    return "" if is_well else "response_url is no address"


def _lacks(body: Mapping[Any, Any], *names: str) -> str:
    missing = [name for name in names if not isinstance(body.get(name), str) or not body[name]]
    return f"{missing[0]} is missing" if missing else ""
