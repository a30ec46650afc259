"""What Slack sends to an app, built from what happened, and what a person's typing turns into."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.workspace.model import APP_ID, BOT_USER_ID, Json, StoredMessage, WorkspaceChannel, WorkspaceUser
from bot.workspace.state import Workspace

VERIFICATION_TOKEN = "local"  # noqa: S105 -- a field Slack deprecated; apps check the signature instead


def event_payload(workspace: Workspace, event: Mapping[str, Any]) -> Json:
    """An event in its event_callback envelope."""
    bot = {"enterprise_id": None, "team_id": workspace.team_id, "user_id": BOT_USER_ID, "is_bot": True}
    return {
        "token": VERIFICATION_TOKEN,
        "team_id": workspace.team_id,
        "context_team_id": workspace.team_id,
        "context_enterprise_id": None,
        "api_app_id": APP_ID,
        "event": dict(event),
        "type": "event_callback",
        "event_id": f"Ev{secrets.token_hex(5).upper()}",
        "event_time": int(workspace.clock()),
        "authorizations": [{**bot, "is_enterprise_install": False}],
        "is_ext_shared_channel": False,
        "event_context": f"4-{secrets.token_hex(8)}",
    }


def message_event(workspace: Workspace, message: StoredMessage, channel: WorkspaceChannel) -> Json | None:
    """The event a person's message causes: `message` in direct messages, `app_mention` where the bot is
    in the channel and named, none otherwise."""
    event = {
        **message.json,
        "channel": channel.id,
        "event_ts": message.ts,
        "client_msg_id": secrets.token_hex(16),
    }
    if channel.is_im:
        return {**event, "channel_type": "im"}
    if f"<@{BOT_USER_ID}>" in message.json["text"] and channel.has(BOT_USER_ID):
        return {**event, "type": "app_mention"}
    return None


def command_payload(
    workspace: Workspace,
    user: WorkspaceUser,
    channel: WorkspaceChannel,
    command: str,
    text: str,
    response_url: str,
) -> Json:
    """The form fields of a slash command."""
    return {
        "token": VERIFICATION_TOKEN,
        "team_id": workspace.team_id,
        "team_domain": "local",
        "channel_id": channel.id,
        "channel_name": "directmessage" if channel.is_im else channel.name,
        "user_id": user.id,
        "user_name": user.name,
        "command": command,
        "text": text,
        "api_app_id": APP_ID,
        "is_enterprise_install": "false",
        "response_url": response_url,
        "trigger_id": workspace.new_trigger(user.id),
    }


def press_payload(
    workspace: Workspace,
    user: WorkspaceUser,
    channel: WorkspaceChannel,
    message: StoredMessage,
    action: Json,
    response_url: str,
) -> Json:
    """The block_actions payload of a press on something in a message."""
    container: Json = {"type": "message", "message_ts": message.ts, "channel_id": channel.id}
    container["is_ephemeral"] = bool(message.only_for)
    if message.thread_ts:
        container["thread_ts"] = message.thread_ts
    name = "directmessage" if channel.is_im else channel.name
    return {
        **interaction(workspace, user, "block_actions"),
        "container": container,
        "channel": {"id": channel.id, "name": name},
        **({} if message.only_for else {"message": dict(message.json)}),
        "state": {"values": {}},
        "response_url": response_url,
        "actions": [{**action, "action_ts": workspace.next_ts()}],
    }


def interaction(workspace: Workspace, user: WorkspaceUser, kind: str) -> Json:
    """What every interaction says: who, where, and a fresh trigger_id."""
    return {
        "type": kind,
        "user": {"id": user.id, "username": user.name, "name": user.name, "team_id": workspace.team_id},
        "api_app_id": APP_ID,
        "token": VERIFICATION_TOKEN,
        "team": {"id": workspace.team_id, "domain": "local"},
        "enterprise": None,
        "is_enterprise_install": False,
        "trigger_id": workspace.new_trigger(user.id),
    }


def view_press_payload(workspace: Workspace, user: WorkspaceUser, view: Json, action: Json) -> Json:
    """The block_actions payload of a press on something in a modal or a home tab."""
    return {
        **interaction(workspace, user, "block_actions"),
        "container": {"type": "view", "view_id": view["id"]},
        "view": view,
        "actions": [{**action, "action_ts": workspace.next_ts()}],
    }


def view_payload(workspace: Workspace, user: WorkspaceUser, kind: str, view: Json, **beside: Any) -> Json:
    """The payload of a modal that was submitted or closed."""
    return {**interaction(workspace, user, kind), "view": view, **beside}


def shortcut_payload(workspace: Workspace, user: WorkspaceUser, callback_id: str) -> Json:
    """The payload of a global shortcut, which happens nowhere in particular."""
    return {
        **interaction(workspace, user, "shortcut"),
        "callback_id": callback_id,
        "action_ts": workspace.next_ts(),
    }


def message_shortcut_payload(
    workspace: Workspace,
    user: WorkspaceUser,
    channel: WorkspaceChannel,
    message: StoredMessage,
    callback_id: str,
    response_url: str,
) -> Json:
    """The payload of a shortcut on a message."""
    return {
        **interaction(workspace, user, "message_action"),
        "callback_id": callback_id,
        "action_ts": workspace.next_ts(),
        "channel": {"id": channel.id, "name": "directmessage" if channel.is_im else channel.name},
        "message_ts": message.ts,
        "message": dict(message.json),
        "response_url": response_url,
    }


# what is pressed

# What Slack sends of an element beside its type, action_id and block_id; the chosen option is added.
ELEMENT_KEYS = ("text", "value", "url", "style", "placeholder")
CHOSEN = {
    "users_select": "selected_user",
    "channels_select": "selected_channel",
    "conversations_select": "selected_conversation",
    "datepicker": "selected_date",
    "timepicker": "selected_time",
    "multi_users_select": "selected_users",
    "multi_channels_select": "selected_channels",
    "multi_conversations_select": "selected_conversations",
}


def elements(block: Any, block_id: str = "") -> Iterator[tuple[str, Json]]:
    """Every element with an action_id in a block, however deep, with the id of its block."""
    if isinstance(block, Mapping):
        block_id = str(block.get("block_id") or block_id)
        if "action_id" in block:
            yield block_id, dict(block)
        for value in block.values():
            yield from elements(value, block_id)
    elif isinstance(block, list):
        for item in block:
            yield from elements(item, block_id)


def action_of(blocks: Any, action_id: str, value: str | Sequence[str] | None = None) -> Json:
    """What a person did: pressed the button with this id, or chose `value` in a menu (a feedback button:
    its value; where several can be chosen, all that are). LookupError names what there is to press."""
    there = list(elements(blocks))
    found = [(block_id, element) for block_id, element in there if element["action_id"] == action_id]
    # One action_id may stand in several blocks; then the value tells which element was meant.
    found.sort(key=lambda pair: value is None or value not in values_of(pair[1]))
    for block_id, element in found[:1]:
        action: Json = {"type": element["type"], "action_id": action_id, "block_id": block_id}
        action |= {key: element[key] for key in ELEMENT_KEYS if key in element}
        if options := options_of(element):
            multiple = element["type"].startswith("multi_") or element["type"] == "checkboxes"
            if multiple and isinstance(value, Sequence) and not isinstance(value, str):
                return action | {"selected_options": [one for one in options if one.get("value") in value]}
            chosen = [option for option in options if value in (None, option.get("value"))]
            if not chosen:
                raise LookupError(f"{action_id} has no option {value!r}")
            return action | ({"selected_options": chosen[:1]} if multiple else {"selected_option": chosen[0]})
        if buttons := buttons_of(element):
            chosen = [button for button in buttons if value in (None, button.get("value"))]
            if not chosen:
                raise LookupError(f"{action_id} has no button {value!r}")
            return action | {"text": chosen[0]["text"], "value": chosen[0]["value"]}
        if element["type"] in CHOSEN:
            action[CHOSEN[element["type"]]] = value
        return action
    names = ", ".join(element["action_id"] for _, element in there) or "nothing"
    raise LookupError(f"nothing with the action_id {action_id!r} to press; there is {names}")


def options_of(element: Json) -> list[Json]:
    """The options of a menu, those in groups too."""
    groups = element.get("option_groups", [])
    return [*element.get("options", []), *(option for group in groups for option in group["options"])]


def buttons_of(element: Json) -> list[Json]:
    """The two buttons of a feedback element."""
    return [element[key] for key in ("positive_button", "negative_button") if key in element]


def values_of(element: Json) -> list[Any]:
    """Every value that pressing or choosing can send."""
    return [one.get("value") for one in (element, *options_of(element), *buttons_of(element))]


# what is typed

KEPT = re.compile(r"<(?:[@#!][^<>]+|(?:https?|mailto):[^<>]+)>")
URL = re.compile(r"https?://[^\s<>|]+[^\s<>|.,;:!?)\]}'\"]")
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def typed(workspace: Workspace, text: str, *, in_command: bool = False) -> str:
    """Typed text as Slack passes it on: `&`, `<`, `>` escaped, people, channels and links in brackets.

    "@Ada Lovelace" becomes `<@U0001>`, in a command `<@U0001|ada>`; the longest name that fits wins.
    References that are there already stay.
    """
    people: dict[str, str] = {}
    for user in workspace.users.values():
        if not user.deleted:
            reference = f"<@{user.id}|{user.name}>" if in_command else f"<@{user.id}>"
            for name in (user.name, user.real_name):
                people.setdefault(escaped(name).casefold(), reference)
    channels = {c.name.casefold(): f"<#{c.id}|{c.name}>" for c in workspace.channels.values() if c.name}
    written = []
    last = 0
    for kept in KEPT.finditer(text):
        written += [_referenced(text[last : kept.start()], people, channels), kept.group()]
        last = kept.end()
    return "".join([*written, _referenced(text[last:], people, channels)])


def escaped(text: str) -> str:
    """Text with Slack's three characters escaped, and no others."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _referenced(text: str, people: Mapping[str, str], channels: Mapping[str, str]) -> str:
    names = sorted(people, key=len, reverse=True)
    places = sorted(channels, key=len, reverse=True)
    alternatives = [
        f"(?P<url>{URL.pattern})",
        f"(?P<email>{EMAIL.pattern})",
        rf"(?<!\w)@(?P<person>{'|'.join(map(re.escape, names))})(?!\w)",
    ]
    if places:
        alternatives.append(rf"(?<![\w&])#(?P<place>{'|'.join(map(re.escape, places))})(?![\w-])")

    def reference(match: re.Match[str]) -> str:
        if match["url"]:
            return f"<{match['url']}>"
        if match["email"]:
            return f"<mailto:{match['email']}|{match['email']}>"
        if match["person"]:
            return people[match["person"].casefold()]
        return channels[match["place"].casefold()]

    return re.sub("|".join(alternatives), reference, escaped(text), flags=re.IGNORECASE)
