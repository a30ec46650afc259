"""What people do in the workspace: they say, press, open, submit and close, and the app is notified of it."""

from __future__ import annotations

from asyncio import Task
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from bot.workspace import block_kit
from bot.workspace.courier import Courier, Delivery
from bot.workspace.model import SLACKBOT, Json, StoredMessage, WorkspaceChannel, WorkspaceUser
from bot.workspace.payloads import (
    action_of,
    command_payload,
    event_payload,
    message_event,
    message_shortcut_payload,
    press_payload,
    shortcut_payload,
    typed,
    view_press_payload,
)
from bot.workspace.response_url import ResponseUrls, show_answer
from bot.workspace.screens import Screens, failure_code
from bot.workspace.state import Workspace


class People:
    """The people of a workspace that is served. All of it runs in the server's event loop.

    What somebody presses, runs, submits or closes is delivered in the background. Whoever cares gets the task of it:
    it comes to "" once the app took it, else to what Slack would tell the person.
    """

    def __init__(
        self, workspace: Workspace, courier: Courier, responses: ResponseUrls, commands: Sequence[str]
    ) -> None:
        self.workspace = workspace
        self.commands = tuple(commands)
        self.screens = Screens(workspace, courier)
        self._courier = courier
        self._responses = responses

    @property
    def url(self) -> str:
        raise NotImplementedError

    @property
    def deliveries(self) -> list[Delivery]:
        """Every attempt to reach the app so far, oldest first."""
        return self._courier.deliveries

    async def say(self, user: str, channel: str, text: str, thread_ts: str | None = None) -> str:
        """Let someone type into a channel (id, name, or a user's id for the direct messages with them) and
        return the message's ts at once; the app is notified in the background. A command leaves no message."""
        person, place = self._user(user), self._channel(channel)
        if not place.has(person.id):
            raise LookupError(f"{person.name} is not in {place.name or place.id}")
        command, _, rest = text.strip().partition(" ")
        if command in self.commands:
            self._courier.background(self._command(person, place, command, rest.strip()))
            return self.workspace.next_ts()
        if thread_ts is not None and self.workspace.find(place.id, thread_ts) is None:
            raise LookupError(f"no message {thread_ts} in {place.name or place.id}")
        written = typed(self.workspace, text)
        message = self.workspace.post(place.id, user=person.id, text=written, thread_ts=thread_ts)
        if event := message_event(self.workspace, message, place):
            self.happen(event)
        return message.ts

    async def press(
        self, user: str, channel: str, message_ts: str, action_id: str, value: str | Sequence[str] | None = None
    ) -> Task[str]:
        """Let someone press a button of a message, or choose the option `value` of a menu."""
        person, place = self._user(user), self._channel(channel)
        message = self._seen(person, place, message_ts)
        action = action_of(message.json.get("blocks", []), action_id, value)
        url = self._responses.issue(self.url, place.id, person.id, message)
        payload = press_payload(self.workspace, person, place, message, action, url)
        return self._courier.background(self._interaction(payload))

    async def shortcut(self, user: str, callback_id: str) -> Task[str]:
        """Let someone run a global shortcut of the app."""
        payload = shortcut_payload(self.workspace, self._user(user), callback_id)
        return self._courier.background(self._interaction(payload))

    async def message_shortcut(self, user: str, channel: str, message_ts: str, callback_id: str) -> Task[str]:
        """Let someone run a shortcut of the app on a message."""
        person, place = self._user(user), self._channel(channel)
        message = self._seen(person, place, message_ts)
        url = self._responses.issue(self.url, place.id, person.id)
        payload = message_shortcut_payload(self.workspace, person, place, message, callback_id, url)
        return self._courier.background(self._interaction(payload))

    async def press_modal(
        self,
        user: str,
        action_id: str,
        value: str | Sequence[str] | None = None,
        values: Mapping[str, Any] | None = None,
    ) -> Task[str]:
        """Let someone press a button of the modal they see, or choose the option `value` of a menu. `values` is what
        is filled in there meanwhile."""
        person = self._user(user)
        return self._courier.background(self._interaction(self.screens.press(person, action_id, value, values)))

    async def submit(self, user: str, values: Mapping[str, Any] | None = None) -> Task[str]:
        """Let someone submit the modal they see, with `values` by action_id chosen or typed. LookupError where
        Slack would not let them."""
        person = self._user(user)
        payload = self.screens.submission(person, values or {})
        return self._courier.background(self.screens.submitted(person, payload))

    async def close_modal(self, user: str, *, every: bool = False) -> None:
        """Let someone close the modal they see, or all of them; the app is notified where it asked to be."""
        for payload in self.screens.close(self._user(user), every):
            self._courier.background(self._interaction(payload))

    async def open_home(self, user: str, tab: Literal["home", "messages"] = "home") -> None:
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

    async def press_home(self, user: str, action_id: str, value: str | Sequence[str] | None = None) -> Task[str]:
        """Let someone press a button of their home tab."""
        person = self._user(user)
        view = self.workspace.home_views.get(person.id, {})
        action = action_of(view.get("blocks", []), action_id, value)
        return self._courier.background(self._interaction(view_press_payload(self.workspace, person, view, action)))

    async def redeliver_press(self, action_ts: str) -> None:
        """Deliver a press once more, as a doubled request would."""
        for delivery in self.deliveries:
            if any(action.get("action_ts") == action_ts for action in delivery.payload.get("actions", ())):
                await self._courier.deliver("interactive", delivery.payload)
                return
        raise LookupError(f"no press {action_ts} was delivered")

    async def redeliver(self, event_id: str) -> None:
        """Deliver an event that was delivered before once more, as Slack does when it lost the answer."""
        for delivery in self.deliveries:
            if delivery.payload.get("event_id") == event_id:
                await self._courier.deliver("events_api", delivery.payload, 1, "timeout")
                return
        raise LookupError(f"no event {event_id} was delivered")

    def happen(self, event: Json) -> None:
        """Deliver an event to the app, whatever it is."""
        self._courier.background(self._courier.event(event_payload(self.workspace, event)))

    async def _command(self, person: WorkspaceUser, place: WorkspaceChannel, command: str, text: str) -> None:
        url = self._responses.issue(self.url, place.id, person.id)
        written = typed(self.workspace, text, in_command=True)
        payload = command_payload(self.workspace, person, place, command, written, url)
        reply = await self._courier.deliver("slash_commands", payload)
        if reply.failure:
            said = f"{command} failed with the error “{failure_code(reply)}”"
        elif reply.payload and (reply.payload.get("text") or reply.payload.get("blocks")):
            found = block_kit.faults({key: reply.payload[key] for key in ("text", "blocks") if key in reply.payload})
            if not found:
                show_answer(self.workspace, place.id, person.id, reply.payload)
                return
            said = f"{command} failed with the error “invalid_command_response”: {found[0].message}"
        else:
            return
        self.workspace.post(place.id, user=SLACKBOT, text=said, only_for=person.id)

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
