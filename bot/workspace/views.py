"""Web API methods for views: modals and the home tab."""

from __future__ import annotations

import hashlib
import json
import secrets

from bot.slack import limits
from bot.workspace.api import Desk, Refused, method
from bot.workspace.chat import refuse_faults
from bot.workspace.model import APP_ID, BOT_ID, Change, Json
from bot.workspace.state import with_block_ids


def checked(arguments: Json, kind: str) -> Json:
    view = arguments.get("view")
    if not isinstance(view, dict):
        raise Refused("invalid_arguments", response_metadata={"messages": ["[ERROR] missing required field: view"]})
    refuse_faults(limits.view_faults(view))
    if view.get("type") != kind:
        raise Refused("invalid_arguments", response_metadata={"messages": [f"[ERROR] view is no {kind}"]})
    return view


def stored(desk: Desk, view: Json, view_id: str) -> Json:
    """A view as Slack hands it back: with ids, and a hash of what it shows."""
    known = {"id": view_id, "team_id": desk.workspace.team_id, "app_id": APP_ID, "bot_id": BOT_ID}
    shown = {**view, "blocks": with_block_ids(view["blocks"]), "state": {"values": {}}}
    digest = hashlib.sha256(json.dumps(view, sort_keys=True).encode()).hexdigest()[:8]
    return {**shown, **known, "root_view_id": view_id, "hash": f"{desk.workspace.next_ts()}.{digest}"}


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
    desk.workspace.tell(Change("view"))
    return {"view": desk.workspace.home_views[user]}


@method("views.open")
def open_view(desk: Desk, arguments: Json) -> Json:
    view = checked(arguments, "modal")
    if trouble := desk.workspace.use_trigger(arguments.get("trigger_id")):
        raise Refused(trouble)
    shown = stored(desk, view, f"V{secrets.token_hex(5).upper()}")
    desk.workspace.views[shown["id"]] = shown
    desk.workspace.tell(Change("view"))
    return {"view": shown}


@method("views.update")
def update_view(desk: Desk, arguments: Json) -> Json:
    workspace = desk.workspace
    view_id, external = arguments.get("view_id"), arguments.get("external_id")
    known = (
        v for v in workspace.views.values() if v["id"] == view_id or (external and v.get("external_id") == external)
    )
    current = next(known, None)
    if current is None:
        raise Refused("not_found")
    view = checked(arguments, "modal")
    check_hash(arguments, current)
    workspace.views[current["id"]] = stored(desk, view, current["id"])
    workspace.tell(Change("view"))
    return {"view": workspace.views[current["id"]]}
