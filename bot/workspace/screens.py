"""What people do in the modals before them, and what the app answers to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.workspace.api import Desk
from bot.workspace.courier import Courier, DeliveryResult
from bot.workspace.filling import filled_in, left_empty
from bot.workspace.model import Json, WorkspaceEvent, WorkspaceUser
from bot.workspace.payloads import action_of, view_payload, view_press_payload
from bot.workspace.state import Workspace
from bot.workspace.views import respond


class Screens:
    """The screens of all people. `desk` is known once the server listens. `failures` are what Slack would show a
    person in a modal that the app did not take, by user id."""

    def __init__(self, workspace: Workspace, courier: Courier) -> None:
        self._workspace = workspace
        self._courier = courier
        self.desk: Desk | None = None
        self.failures: dict[str, str] = {}

    def press(
        self,
        person: WorkspaceUser,
        action_id: str,
        value: str | Sequence[str] | None,
        values: Mapping[str, Any] | None = None,
    ) -> Json:
        """The payload of a press in the modal a person sees, with what they filled in there so far."""
        view = self._workspace.modals.top(person.id)
        if values is not None:
            view = {**view, "state": {"values": filled_in(view, values)}}
        action = action_of(view["blocks"], action_id, value)
        return view_press_payload(self._workspace, person, view, action)

    def submission(self, person: WorkspaceUser, values: Mapping[str, Any]) -> Json:
        """The payload of a submission of the modal a person sees."""
        view = self._workspace.modals.top(person.id)
        if "submit" not in view:
            raise LookupError(f"{view['title']['text']} has nothing to submit")
        state = filled_in(view, values)
        if empty := left_empty(view, state):
            raise LookupError(f"to be filled in: {', '.join(empty)}")
        filled = {**view, "state": {"values": state}}
        return view_payload(self._workspace, person, "view_submission", filled, response_urls=[])

    async def submitted(self, person: WorkspaceUser, payload: Json) -> str:
        """Deliver a submission, and do what the app answers. What Slack would tell the person where it cannot be."""
        reply = await self._courier.deliver("interactive", payload)
        assert self.desk is not None  # noqa: S101 -- nobody has a modal open before the server listens
        if reply.failure:
            trouble = failure_code(reply)
        else:
            trouble = respond(self.desk, person.id, payload["view"], reply.payload)
        if trouble:
            self.failures[person.id] = trouble
            self._workspace.tell(WorkspaceEvent("view"))
        return trouble

    def close(self, person: WorkspaceUser, every: bool) -> list[Json]:
        """Close the modal a person sees, or all; the payloads the app is notified of it by, where it asked to be."""
        closed = self._workspace.modals.close(person.id, every=every)
        self._workspace.tell(WorkspaceEvent("view"))
        return [
            view_payload(self._workspace, person, "view_closed", view, is_cleared=every)
            for view in closed
            if view.get("notify_on_close")
        ]


def failure_code(reply: DeliveryResult) -> str:
    """What Slack tells a person whose command or press the app did not acknowledge."""
    return "operation_timeout" if "timeout" in reply.failure else "dispatch_failed"
