"""Whether what arrives looks like what Slack sends, as far as anything here relies on it. Pure.

Bolt and the listeners take it for granted; a body that is another shape would end in a traceback for each attempt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
        return _lacks(body, "command", "user_id", "channel_id")
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
    user = body.get("user")
    if not isinstance(user, Mapping):
        return "it has no user"
    if body["type"] == "block_actions":
        actions = body.get("actions")
        if not actions or any(not isinstance(one.get("action_id"), str) for one in actions):
            return "it has no actions"
        if any(not isinstance(one.get("value"), str | None) for one in actions):
            return "an action's value is no text"
    if body["type"] in ("view_submission", "view_closed"):
        view = body.get("view")
        if not isinstance(view, Mapping):
            return "it has no view"
        return "" if isinstance(view.get("callback_id"), str) else "callback_id is missing"  # "" where none was given
    if body["type"] in ("shortcut", "message_action"):
        return _lacks(body, "callback_id")
    return _lacks(body, "action_id") if body["type"] == "block_suggestion" else ""


def _lacks(body: Mapping[Any, Any], *names: str) -> str:
    missing = [name for name in names if not isinstance(body.get(name), str) or not body[name]]
    return f"{missing[0]} is missing" if missing else ""
