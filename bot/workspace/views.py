"""Web API methods for views: modals and the home tab."""

from __future__ import annotations

import hashlib
import json
import secrets

from bot.workspace import block_kit
from bot.workspace.api import Desk, Refused, method
from bot.workspace.chat import refuse_faults
from bot.workspace.model import APP_ID, BOT_ID, Json, WorkspaceEvent
from bot.workspace.state import with_block_ids


def checked(arguments: Json, kind: str) -> Json:
    view = arguments.get("view")
    if not isinstance(view, dict):
        raise Refused("invalid_arguments", response_metadata={"messages": ["[ERROR] missing required field: view"]})
    refuse_faults(block_kit.view_faults(view))
    if view.get("type") != kind:
        raise Refused("invalid_arguments", response_metadata={"messages": [f"[ERROR] view is no {kind}"]})
    return view


def stored(desk: Desk, view: Json, view_id: str) -> Json:
    """A view as Slack hands it back: with ids, and a hash of what it shows."""
    known = {"id": view_id, "team_id": desk.workspace.team_id, "app_id": APP_ID, "bot_id": BOT_ID}
    shown = {**view, "blocks": with_block_ids(view["blocks"]), "state": {"values": {}}}
    digest = hashlib.sha256(json.dumps(view, sort_keys=True).encode()).hexdigest()[:8]
    said = {key: view.get(key) or "" for key in ("callback_id", "private_metadata", "external_id")}
    return {**shown, **said, **known, "root_view_id": view_id, "hash": f"{desk.workspace.next_ts()}.{digest}"}


def check_hash(arguments: Json, current: Json | None) -> None:
    """A caller who says which version it saw is refused if that is not the current one."""
    if arguments.get("hash") and (current is None or arguments["hash"] != current["hash"]):
        raise Refused("hash_conflict")


@method("views.publish")
def publish(desk: Desk, arguments: Json) -> Json:
    view = checked(arguments, "home")
    user = str(arguments.get("user_id"))
    if user not in desk.workspace.users:
        raise Refused("user_not_found")
    current = desk.workspace.home_views.get(user)
    check_hash(arguments, current)
    view_id = current["id"] if current else f"V{secrets.token_hex(5).upper()}"
    desk.workspace.home_views[user] = stored(desk, view, view_id)
    desk.workspace.tell(WorkspaceEvent("view"))
    return {"view": desk.workspace.home_views[user]}


def new_id() -> str:
    return f"V{secrets.token_hex(5).upper()}"


@method("views.open")
def open_view(desk: Desk, arguments: Json) -> Json:
    view = checked(arguments, "modal")
    trigger = arguments.get("trigger_id")
    if trouble := desk.workspace.use_trigger(trigger):
        raise Refused(trouble)
    shown = stored(desk, view, new_id())
    desk.workspace.modals.open(desk.workspace.trigger_user(trigger), shown)
    desk.workspace.tell(WorkspaceEvent("view"))
    return {"view": shown}


@method("views.push")
def push_view(desk: Desk, arguments: Json) -> Json:
    view, modals = checked(arguments, "modal"), desk.workspace.modals
    trigger = arguments.get("trigger_id")
    user = desk.workspace.trigger_user(trigger)
    if trouble := desk.workspace.use_trigger(trigger):
        raise Refused(trouble)
    if not modals.of(user):
        raise Refused("not_found")
    if not modals.has_room(user):
        raise Refused("push_limit_reached")
    modals.push(user, stored(desk, view, new_id()))
    desk.workspace.tell(WorkspaceEvent("view"))
    return {"view": modals.top(user)}


@method("views.update")
def update_view(desk: Desk, arguments: Json) -> Json:
    modals = desk.workspace.modals
    found = modals.find(arguments.get("view_id"), arguments.get("external_id"))
    if found is None:
        raise Refused("not_found")
    user, current = found
    view = checked(arguments, "modal")
    check_hash(arguments, current)
    modals.replace(user, stored(desk, view, current["id"]))
    desk.workspace.tell(WorkspaceEvent("view"))
    shown = modals.find(current["id"])
    return {"view": shown[1] if shown else {}}


def respond(desk: Desk, user: str, submitted: Json, payload: Json | None) -> str:
    """Do what an app answered to the submission of a modal; what Slack shows the person instead where it cannot be
    done. What is no longer open is left alone."""
    modals, payload = desk.workspace.modals, payload or {}
    action = payload.get("response_action")
    if not any(view["id"] == submitted["id"] for view in modals.of(user)):
        return ""
    if action == "errors":
        inputs = {block["block_id"] for block in submitted["blocks"] if block["type"] == "input"}
        errors = payload.get("errors") or {}
        if not errors or not set(errors) <= inputs:
            return "errors must be keyed by the block_id of an input"
        modals.errors[user] = dict(errors)
    elif action in ("update", "push"):
        view = payload.get("view") or {}
        if faults := block_kit.view_faults(view):
            return f"{faults[0].pointer}: {faults[0].message}"
        if action == "update":
            modals.replace(user, stored(desk, view, submitted["id"]))
        elif modals.has_room(user):
            modals.push(user, stored(desk, view, new_id()))
        else:
            return "no more than two modals upon the first"
    elif action in (None, "clear"):
        modals.close(user, every=action == "clear")
    else:
        return f"there is no response_action {action}"
    desk.workspace.tell(WorkspaceEvent("view"))
    return ""
