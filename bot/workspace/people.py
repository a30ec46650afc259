"""What people do in the workspace: they say, press, open, fill, submit and close, and the app is notified of it in
Slack's own payloads.
"""

from __future__ import annotations

import re
import secrets
from asyncio import Task
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from bot.workspace.api import respond
from bot.workspace.delivery import Courier, DeliveryResult, ResponseUrls
from bot.workspace.state import (
    APP_ID,
    BOT_USER_ID,
    SLACKBOT,
    Json,
    StoredMessage,
    Workspace,
    WorkspaceChannel,
    WorkspaceEvent,
    WorkspaceUser,
)

COMMAND = "/almanac"
P = ParamSpec("P")
T = TypeVar("T")


def in_loop(method: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], T]:
    """Has a method run in the thread of the workspace's event loop, whose state it touches, whoever calls it."""

    @wraps(method)
    def run(self: Any, /, *args: P.args, **more: P.kwargs) -> T:
        found: T = self.in_thread(lambda: method(self, *args, **more))
        return found

    return run


class People:
    """The people of a workspace that is served.

    What somebody presses, runs, submits or closes is delivered in the background. Whoever cares gets the task of it:
    it comes to "" once the app took it, else to what Slack would tell the person.
    """

    def __init__(self, workspace: Workspace, courier: Courier, responses: ResponseUrls) -> None:
        self.workspace = workspace
        self._courier = courier
        self._responses = responses

    def in_thread(self, function: Callable[[], T]) -> T:
        """What a function gives in the thread of the workspace's event loop."""
        raise NotImplementedError

    @in_loop
    def say(self, user: str, channel: str, text: str, thread_ts: str | None = None) -> str:
        """Let someone type into a channel (id, name, or a user's id for the direct messages with them) and
        return the message's ts at once; the app is notified in the background. A command leaves no message."""
        person, place = self._user(user), self._channel(channel)
        if not place.has(person.id):
            raise LookupError(f"{person.name} is not in {place.name or place.id}")
        command, _, rest = text.strip().partition(" ")
        if command == COMMAND:
            self._courier.background(self._command(person, place, rest.strip()))
            return self.workspace.next_ts()
        if thread_ts is not None and self.workspace.find(place.id, thread_ts) is None:
            raise LookupError(f"no message {thread_ts} in {place.name or place.id}")
        written = typed(self.workspace, text)
        message = self.workspace.post(place.id, user=person.id, text=written, thread_ts=thread_ts)
        if event := message_event(message, place):
            self.happen(event)
        return message.ts

    @in_loop
    def press(
        self, user: str, channel: str, message_ts: str, action_id: str, value: str | Sequence[str] | None = None
    ) -> Task[str]:
        """Let someone press a button of a message, or choose the option `value` of a menu."""
        person, place = self._user(user), self._channel(channel)
        message = self._seen(person, place, message_ts)
        action = action_of(message.json.get("blocks", []), action_id, value)
        container = {"type": "message", "message_ts": message.ts, "channel_id": place.id}
        payload = {
            **interaction(self.workspace, person, "block_actions"),
            "container": {
                **container,
                "is_ephemeral": bool(message.only_for),
                **({"thread_ts": message.thread_ts} if message.thread_ts else {}),
            },
            "channel": {"id": place.id, "name": place.shown_name},
            **({} if message.only_for else {"message": dict(message.json)}),
            "state": {"values": {}},
            "response_url": self._responses.issue(self.workspace.url, place.id, person.id, message),
            "actions": [{**action, "action_ts": self.workspace.next_ts()}],
        }
        return self._courier.background(self._interaction(payload))

    @in_loop
    def shortcut(self, user: str, callback_id: str) -> Task[str]:
        """Let someone run a global shortcut of the app."""
        payload = interaction(self.workspace, self._user(user), "shortcut")
        payload |= {"callback_id": callback_id, "action_ts": self.workspace.next_ts()}
        return self._courier.background(self._interaction(payload))

    @in_loop
    def message_shortcut(self, user: str, channel: str, message_ts: str, callback_id: str) -> Task[str]:
        """Let someone run a shortcut of the app on a message."""
        person, place = self._user(user), self._channel(channel)
        message = self._seen(person, place, message_ts)
        payload = {
            **interaction(self.workspace, person, "message_action"),
            "callback_id": callback_id,
            "action_ts": self.workspace.next_ts(),
            "channel": {"id": place.id, "name": place.shown_name},
            "message_ts": message.ts,
            "message": dict(message.json),
            "response_url": self._responses.issue(self.workspace.url, place.id, person.id),
        }
        return self._courier.background(self._interaction(payload))

    @in_loop
    def press_modal(
        self,
        user: str,
        action_id: str,
        value: str | Sequence[str] | None = None,
        values: Mapping[str, Any] | None = None,
    ) -> Task[str]:
        """Let someone press a button of the modal they see, or choose the option `value` of a menu. `values` is what
        is filled in there meanwhile."""
        person = self._user(user)
        view = self.workspace.modals.top(person.id)
        if values is not None:
            view = {**view, "state": {"values": filled_in(view, values)}}
        return self._press_view(person, view, action_of(view["blocks"], action_id, value))

    @in_loop
    def submit(self, user: str, values: Mapping[str, Any] | None = None) -> Task[str]:
        """Let someone submit the modal they see, with `values` by action_id chosen or typed. LookupError where
        Slack would not let them."""
        person = self._user(user)
        view = self.workspace.modals.top(person.id)
        if "submit" not in view:
            raise LookupError(f"{view['title']['text']} has nothing to submit")
        state = filled_in(view, values or {})
        if empty := left_empty(view, state):
            raise LookupError(f"to be filled in: {', '.join(empty)}")
        payload = interaction(self.workspace, person, "view_submission")
        payload |= {"view": {**view, "state": {"values": state}}, "response_urls": []}
        return self._courier.background(self._submitted(payload))

    @in_loop
    def close_modal(self, user: str, *, every: bool = False) -> None:
        """Let someone close the modal they see, or all of them."""
        self.workspace.modals.close(self._user(user).id, every=every)
        self.workspace.tell(WorkspaceEvent("view"))

    @in_loop
    def open_home(self, user: str, tab: Literal["home", "messages"] = "home") -> None:
        """Let someone open a tab of the app; `workspace.home_views` holds what it publishes in its home tab."""
        person = self._user(user)
        ts = self.workspace.next_ts()
        direct = self._channel(person.id).id
        event: Json = {
            "type": "app_home_opened",
            "user": person.id,
            "channel": direct,
            "tab": tab,
            "event_ts": ts,
        }
        view = self.workspace.home_views.get(person.id) if tab == "home" else None
        self.happen(event | ({"view": view} if view else {}))

    @in_loop
    def press_home(self, user: str, action_id: str, value: str | Sequence[str] | None = None) -> Task[str]:
        """Let someone press a button of their home tab."""
        person = self._user(user)
        view = self.workspace.home_views.get(person.id, {})
        return self._press_view(person, view, action_of(view.get("blocks", []), action_id, value))

    @in_loop
    def happen(self, event: Json) -> None:
        """Deliver an event to the app, whatever it is."""
        self._courier.background(self._courier.event(event_payload(self.workspace, event)))

    async def _command(self, person: WorkspaceUser, place: WorkspaceChannel, text: str) -> None:
        payload: Json = {
            "token": VERIFICATION_TOKEN,
            "team_id": self.workspace.team_id,
            "team_domain": "local",
            "channel_id": place.id,
            "channel_name": place.shown_name,
            "user_id": person.id,
            "user_name": person.name,
            "command": COMMAND,
            "text": typed(self.workspace, text, in_command=True),
            "api_app_id": APP_ID,
            "is_enterprise_install": "false",
            "response_url": self._responses.issue(self.workspace.url, place.id, person.id),
            "trigger_id": self.workspace.new_trigger(person.id),
        }
        reply = await self._courier.deliver("slash_commands", payload)
        if reply.failure:
            said = f"{COMMAND} failed with the error “{failure_code(reply)}”"
            self.workspace.post(place.id, user=SLACKBOT, text=said, only_for=person.id)

    def _press_view(self, person: WorkspaceUser, view: Json, action: Json) -> Task[str]:
        """Deliver a press on something in a modal or a home tab."""
        payload = {
            **interaction(self.workspace, person, "block_actions"),
            "container": {"type": "view", "view_id": view["id"]},
            "view": view,
            "actions": [{**action, "action_ts": self.workspace.next_ts()}],
        }
        return self._courier.background(self._interaction(payload))

    async def _submitted(self, payload: Json) -> str:
        """Deliver a submission, and do what the app answers. What Slack would tell the person where it cannot be."""
        reply = await self._courier.deliver("interactive", payload)
        if reply.failure:
            return failure_code(reply)
        return respond(self.workspace, payload["user"]["id"], payload["view"], reply.payload)

    async def _interaction(self, payload: Json) -> str:
        reply = await self._courier.deliver("interactive", payload)
        channel = payload.get("channel", {}).get("id")
        if reply.failure and channel:
            said = f"The app did not take this: “{failure_code(reply)}”"
            self.workspace.post(channel, user=SLACKBOT, text=said, only_for=payload["user"]["id"])
        return failure_code(reply) if reply.failure else ""

    def _seen(self, person: WorkspaceUser, place: WorkspaceChannel, ts: str) -> StoredMessage:
        message = self.workspace.find(place.id, ts)
        if message is None or message.only_for not in (None, person.id):
            raise LookupError(f"{person.name} sees no message {ts} in {place.name or place.id}")
        return message

    def _user(self, wanted: str) -> WorkspaceUser:
        if user := self.workspace.user(wanted):
            return user
        raise LookupError(f"nobody is called {wanted!r} here")

    def _channel(self, wanted: str) -> WorkspaceChannel:
        if channel := self.workspace.channel(wanted):
            return channel
        raise LookupError(f"there is no channel {wanted!r}")


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


def message_event(message: StoredMessage, channel: WorkspaceChannel) -> Json | None:
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


# what is pressed

# What Slack sends of an element beside its type, action_id and block_id; the chosen option is added.
ELEMENT_KEYS = ("text", "value", "url", "style", "placeholder")
# What holds the choice of what can be filled in, there and in the state of a view.
_KEYS = {
    "plain_text_input": "value",
    "static_select": "selected_option",
    "multi_static_select": "selected_options",
    "conversations_select": "selected_conversation",
    "users_select": "selected_user",
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
    """What a person did: pressed the button with this id, or chose `value` in a menu (where several can
    be chosen, all that are). LookupError names what there is to press."""
    there = list(elements(blocks))
    # One action_id may stand in several blocks; then the value tells which element was meant.
    found = sorted(
        (pair for pair in there if pair[1]["action_id"] == action_id),
        key=lambda pair: value is None or value not in [one.get("value") for one in (pair[1], *options_of(pair[1]))],
    )
    if not found:
        names = ", ".join(element["action_id"] for _, element in there) or "nothing"
        raise LookupError(f"nothing with the action_id {action_id!r} to press; there is {names}")
    block_id, element = found[0]
    action: Json = {"type": element["type"], "action_id": action_id, "block_id": block_id}
    action |= {key: element[key] for key in ELEMENT_KEYS if key in element}
    options = options_of(element)
    if element["type"] in _KEYS:
        chosen = _filled(element, options[0]["value"] if value is None and options else value)
        action |= {key: one for key, one in chosen.items() if key != "type"}
    return action


def options_of(element: Json) -> list[Json]:
    """The options of a menu, those in groups too."""
    groups = element.get("option_groups", [])
    return [*element.get("options", []), *(option for group in groups for option in group["options"])]


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


def _filled(element: Json, value: Any) -> Json:
    kind, key = element["type"], _KEYS[element["type"]]
    initial = element.get(f"initial_{key.removeprefix('selected_')}")
    if value is None:
        return {"type": kind, key: initial if initial is not None else ([] if key == "selected_options" else None)}
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


def failure_code(reply: DeliveryResult) -> str:
    """What Slack tells a person whose command or press the app did not acknowledge."""
    return "operation_timeout" if "timeout" in reply.failure else "dispatch_failed"
