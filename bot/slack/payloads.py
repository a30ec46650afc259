"""Whether what arrives looks like what Slack sends, as far as anything here relies on it. Pure.

Bolt and the listeners take it for granted; a body that is another shape would end in a traceback for each attempt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from bot.slack.audience import Request
from bot.slack.elements import Block, kept_in, reads
from bot.slack.web_api import first_fault, list_of, part

# Ids that Bolt looks for in any body, at its top and in its event.
_TEXTS = (
    "type", "ts", "thread_ts", "event_ts", "text", "event_id", "team_id", "user_id", "channel_id", "channel_type",
    "subtype", "bot_id", "enterprise_id", "response_url", "trigger_id", "callback_id", "command", "tab", "api_app_id",
)  # fmt: skip
_OBJECTS = ("view", "container", "message", "item", "assistant_thread", "state", "previous_message", "function_data")
_EITHER = ("user", "channel", "team", "enterprise")  # an id, or an object that has one


def fault_of(body: object) -> str:
    """What in a body is not as Slack writes it, in a few words without anything of the body; empty if it is well."""
    fault = first_fault(_ANY, body)
    if fault or not isinstance(body, dict):
        return fault
    kind = "command" if "command" in body else str(body.get("type"))
    if kind == "event_callback":
        event = body.get("event")
        fault = first_fault(_ANY, event) or first_fault(_EVENTS.get(str((event or {}).get("type")), _EVENT), event)
        return fault and f"event: {fault}"
    if kind in _BY_TYPE:
        return first_fault(_BY_TYPE[kind], body)
    return "" if "ssl_check" in body else "it is of a sort that is not asked for"


def _is_address(url: str) -> str:
    """Where an answer is wanted."""
    parts = urlsplit(url)
    if url and not (parts.scheme in ("https", "http") and parts.hostname and parts.port != 0):
        raise ValueError
    return url


_ID = Annotated[str, Field(min_length=1)]
_TEXT = (str | None, None)
_OBJECT = (dict[str, Any] | None, None)
_URL = (Annotated[str, AfterValidator(_is_address)] | None, None)


def _any(deep: int) -> Any:
    """What Bolt looks at in any body, at its top, in its event, and further in."""
    inner = _any(deep - 1) if deep else dict[str, Any]
    keys: dict[str, Any] = {**dict.fromkeys(_TEXTS, _TEXT), **dict.fromkeys(_OBJECTS, (inner | None, None))}
    keys |= dict.fromkeys(_EITHER, (str | part(id=str) | None, None))
    keys |= dict.fromkeys(("actions", "response_urls"), (list[dict[str, Any]] | None, None))
    return part(**keys, authorizations=(list_of(inner) | None, None))


_ANY = _any(2)

_WHO: dict[str, Any] = {"user": part(id=_ID), "trigger_id": _ID, "response_url": _URL}
_SUBMITTED = part(user=part(id=_ID), view=part(id=_ID, type=_ID, callback_id=str))
_BY_TYPE = {
    "url_verification": part(challenge=_ID),
    "block_actions": part(actions=(list_of(part(action_id=str)), Field(min_length=1)), **_WHO),
    "view_submission": _SUBMITTED,
    "view_closed": part(view=part(callback_id=str)),
    "shortcut": part(callback_id=_ID, **_WHO),
    "message_action": part(callback_id=_ID, channel=part(id=_ID), **_WHO),
    "block_suggestion": part(action_id=_ID),
    "command": part(command=_ID, user_id=_ID, channel_id=_ID, response_url=_URL),
}
_EVENT = part(type=_ID)
_POSTED = part(type=_ID, channel=_ID, ts=_ID, user=_TEXT)
_EVENTS = {"app_mention": _POSTED, "message": _POSTED, "app_home_opened": part(type=_ID, user=_ID)}


def is_direct(channel: str) -> bool:
    """Whether nobody but one person and the bot reads a channel: Slack's ids of direct messages begin with a D."""
    return channel.startswith("D")


@dataclass(frozen=True, slots=True)
class Action:
    """Somebody's press on a button of a message, of a modal or of Home. `thread` is the thread the message stands in,
    `ephemeral` says that only they see it; `channel` is that of the message, or the one that the view keeps; `at` is
    the same when a press is delivered again, and `url` is where whoever pressed can be answered."""

    user: str
    channel: str
    ts: str
    action_id: str
    value: str
    at: str
    label: str = ""
    thread: str | None = None
    ephemeral: bool = False
    text: str = ""
    blocks: tuple[Block, ...] = ()
    url: str = ""
    view: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    @reads
    def of(cls, body: Mapping[str, Any], action: Mapping[str, Any]) -> Action:
        """From a block_actions payload and one of its actions."""
        container, message, view = (body.get(name) or {} for name in ("container", "message", "view"))
        channel = (body.get("channel") or {}).get("id") or container.get("channel_id") or kept_in(view).get("channel")
        option = action.get("selected_option") or {}
        return cls(
            user=str(body["user"]["id"]),
            channel=str(channel or ""),
            ts=str(container.get("message_ts") or message.get("ts") or ""),
            action_id=str(action.get("action_id") or ""),
            value=str(action.get("value") or option.get("value") or ""),
            at=str(action.get("action_ts") or ""),
            label=str((action.get("text") or {}).get("text") or ""),
            thread=container.get("thread_ts") or message.get("thread_ts"),
            ephemeral=bool(container.get("is_ephemeral")),
            text=str(message.get("text") or ""),
            blocks=tuple(map(dict, message.get("blocks") or ())),
            url=str(body.get("response_url") or ""),
            view=view,
        )

    @property
    def direct(self) -> bool:
        """Whether nobody but the presser and the bot reads along."""
        return is_direct(self.channel)

    @property
    def asked(self) -> Request:
        return Request(self.user, self.channel, alone=self.ephemeral or self.direct)
