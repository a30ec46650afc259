"""What an answer of Slack's has to hold, by method, so that what reads it may rely on that. Pure.

Only what is read here is looked at. What stands on each method's page: https://docs.slack.dev/reference/methods
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

_CODE = re.compile(r"[a-z_]+")

_ID = Annotated[str, Field(min_length=1)]
_TS = Annotated[str, Field(pattern=r"^\d+\.\d+$")]
_TEXT = (str | None, None)  # what may be missing, or null


def part(**keys: Any) -> Any:
    """A model of a JSON object with these keys, whatever else it holds."""
    return create_model("_Part", __config__=ConfigDict(strict=True), **keys)


def list_of(kind: Any) -> Any:
    return list[kind]


_CHANNEL = part(id=_ID, name=_TEXT, user=_TEXT)
_PROFILE = part(real_name=_TEXT, email=_TEXT)
_ENTERPRISE_USER = part(teams=(list[str] | None, None))
_USER = part(
    id=_ID, real_name=_TEXT, tz=_TEXT, team_id=_TEXT,
    profile=(_PROFILE | None, None), enterprise_user=(_ENTERPRISE_USER | None, None),
)  # fmt: skip
_GROUP = part(id=_ID, handle=_TEXT, users=(list[str] | None, None))
_METADATA = part(event_type=_TEXT, event_payload=(dict[str, Any] | None, None))
_MESSAGE = part(ts=_TS, metadata=(_METADATA | None, None))


def _answer(**keys: Any) -> type[BaseModel]:
    page: type[BaseModel] = part(ok=bool, response_metadata=(part(next_cursor=_TEXT) | None, None), **keys)
    return page


_ANY: Final = _answer()
_POSTED: Final = _answer(ts=_TS)
_HISTORY: Final = _answer(messages=list_of(_MESSAGE))
_VIEW: Final = _answer(view=part(id=_ID, hash=str))
_BY_METHOD: Final[Mapping[str, type[BaseModel]]] = {
    "apps.connections.open": _answer(url=_ID),
    "auth.test": _answer(team_id=_ID, user_id=_ID, bot_id=_TEXT, user=_TEXT, team=_TEXT),
    "chat.postMessage": _POSTED,
    "conversations.history": _HISTORY,
    "conversations.info": _answer(channel=_CHANNEL),
    "conversations.list": _answer(channels=list_of(_CHANNEL)),
    "conversations.members": _answer(members=list[str]),
    "conversations.open": _answer(channel=_CHANNEL),
    "conversations.replies": _HISTORY,
    "usergroups.list": _answer(usergroups=list_of(_GROUP)),
    "users.info": _answer(user=_USER),
    "users.list": _answer(members=list_of(_USER)),
    "views.open": _VIEW,
    "views.publish": _VIEW,
    "views.push": _VIEW,
}
_MESSAGES: Final = {
    "missing": "is missing", "string_too_short": "is empty", "too_short": "is empty",
    "string_pattern_mismatch": "is no time stamp", "value_error": "is no address",
}  # fmt: skip


def fault_of(method: str, answer: object) -> str:
    """What in an answer that says it is well is not as Slack writes it, in a few words without anything of the answer;
    empty if it is well."""
    if not isinstance(answer, dict):
        return "it is no JSON object"
    if answer.get("ok") is not True:
        return "ok is of another type" if "ok" in answer else "ok is missing"
    return first_fault(_BY_METHOD.get(method, _ANY), answer)


def first_fault(model: type[BaseModel], value: object) -> str:
    """The first thing in a value that a model does not take: where and what, without anything of the value; empty where
    it takes it."""
    try:
        model.model_validate(value)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, fault['loc']))} {_MESSAGES.get(fault['type'], 'is of another type')}"
    return ""


def is_refusal(answer: object) -> bool:
    """Whether an answer says, in Slack's way, that something was not done and why."""
    if not isinstance(answer, dict) or answer.get("ok") is not False:
        return False
    return isinstance(answer.get("error"), str) and _CODE.fullmatch(answer["error"]) is not None
