"""What an answer of Slack's has to hold, by method, so that what reads it may rely on that. Pure.

Only what is read here is looked at. What stands on each method's page: https://docs.slack.dev/reference/methods
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from voluptuous import ALLOW_EXTRA, Invalid, Length, Match, MultipleInvalid, Optional, Required, Schema
from voluptuous import All as Both
from voluptuous import Any as Either

_CODE = re.compile(r"[a-z_]+")

_TEXT = Either(None, str)
_ID = Both(str, Length(min=1, msg="is empty"))
_TS = Both(str, Match(r"\d+\.\d+$", msg="is no time stamp"))


def _needs(**keys: Any) -> dict[Any, Any]:
    return {Required(key, msg="is missing"): kind for key, kind in keys.items()}


def _may(**keys: Any) -> dict[Any, Any]:
    return {Optional(key): kind for key, kind in keys.items()}


_CHANNEL = _needs(id=_ID) | _may(name=_TEXT, user=_TEXT)
_USER = _needs(id=_ID) | _may(
    real_name=_TEXT,
    tz=_TEXT,
    team_id=_TEXT,
    profile=Either(None, _may(real_name=_TEXT, email=_TEXT)),
    enterprise_user=Either(None, _may(teams=Either(None, [str]))),
)
_GROUP = _needs(id=_ID) | _may(handle=_TEXT, users=Either(None, [str]))
_MESSAGE = _needs(ts=_TS) | _may(
    metadata=Either(None, _may(event_type=_TEXT, event_payload=Either(None, dict))),
)
_VIEW = _needs(view=_needs(id=_ID, hash=str))
_HISTORY = _needs(messages=[_MESSAGE])

_OF_ANY = _needs(ok=Both(bool, True)) | _may(response_metadata=Either(None, _may(next_cursor=_TEXT)))
_OF_METHOD: Mapping[str, dict[Any, Any]] = {
    "apps.connections.open": _needs(url=_ID),
    "auth.test": _needs(team_id=_ID, user_id=_ID) | _may(bot_id=_TEXT, user=_TEXT, team=_TEXT),
    "chat.postMessage": _needs(ts=_TS),
    "chat.startStream": _needs(ts=_TS),
    "conversations.history": _HISTORY,
    "conversations.info": _needs(channel=_CHANNEL),
    "conversations.list": _needs(channels=[_CHANNEL]),
    "conversations.members": _needs(members=[str]),
    "conversations.open": _needs(channel=_CHANNEL),
    "conversations.replies": _HISTORY,
    "usergroups.list": _needs(usergroups=[_GROUP]),
    "users.info": _needs(user=_USER),
    "users.list": _needs(members=[_USER]),
    "views.open": _VIEW,
    "views.publish": _VIEW,
    "views.push": _VIEW,
}
_ANY = Schema(_OF_ANY, extra=ALLOW_EXTRA)
_SCHEMAS = {method: Schema(_OF_ANY | keys, extra=ALLOW_EXTRA) for method, keys in _OF_METHOD.items()}


def fault_of(method: str, answer: object) -> str:
    """What in an answer that says it is well is not as Slack writes it, in a few words without anything of the answer;
    empty if it is well."""
    if not isinstance(answer, dict):
        return "it is no JSON object"
    try:
        _SCHEMAS.get(method, _ANY)(answer)
    except MultipleInvalid as error:
        return _told(error.errors[0])
    return ""


def is_refusal(answer: object) -> bool:
    """Whether an answer says, in Slack's way, that something was not done and why."""
    if not isinstance(answer, dict) or answer.get("ok") is not False:
        return False
    return isinstance(answer.get("error"), str) and _CODE.fullmatch(answer["error"]) is not None


def _told(fault: Invalid) -> str:
    where = ".".join(str(one) for one in fault.path)
    return f"{where} {fault.msg}" if fault.msg.startswith("is ") else f"{where} is of another type"
