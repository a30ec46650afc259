"""What a delivery says was pushed, in the form of each forge. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from bot.hooks.signatures import Forge

Json = Mapping[str, Any]

_FORM = "payload="  # what GitHub's page offers first
# Where the parts of a repository stand: first of GitHub and Gitea, then of GitLab.
_ADDRESSES = ("clone_url", "ssh_url", "html_url", "git_http_url", "git_ssh_url", "web_url")
_NAMES = ("full_name", "path_with_namespace")


@dataclass(frozen=True, slots=True)
class Push:
    """`ref` is whole (refs/heads/main), or empty where it is not said. The repository is at one of `addresses`, and
    has a full `name` there; `default_branch` is empty where it is not said. `at` is in seconds, of a plain push."""

    ref: str
    addresses: tuple[str, ...]
    name: str
    default_branch: str = ""
    at: float | None = None


def push_of(forge: Forge, headers: Mapping[str, str], body: bytes) -> Push | None:
    """The push; None where something else happened, such as a ping. Raises ValueError where it cannot be read."""
    said = _object(_json(body))
    if forge == "push":
        return _plain(said)
    if forge == "gitlab":
        if said.get("event_name", said.get("object_kind")) not in ("push", "tag_push"):
            return None
        repository = _object(said.get("project"))
    else:
        if headers.get(f"x-{forge}-event") != "push":
            return None
        repository = _object(said.get("repository"))
    addresses = tuple(text for key in _ADDRESSES if (text := _text(repository.get(key, ""))))
    name = next((text for key in _NAMES if (text := _text(repository.get(key, "")))), "")
    if not (addresses or name):
        raise ValueError("it names no repository")
    return Push(_ref(said.get("ref")), addresses, name, _text(repository.get("default_branch") or ""))


def _plain(said: Json) -> Push:
    """What docs/scale.md has a post-receive send."""
    place, at = _text(said.get("repository")), said.get("time")
    if not place:
        raise ValueError("it names no repository")
    if isinstance(at, bool) or not isinstance(at, int | float):
        raise ValueError("it has no time in seconds")
    try:
        seconds = float(at)
    except OverflowError:
        raise ValueError("its time is none") from None
    ref = said.get("ref")
    return Push("" if ref is None else _ref(ref), (place,), place, _text(said.get("default_branch") or ""), seconds)


def _json(body: bytes) -> object:
    text = body.decode()
    if text.startswith(_FORM):  # whatever its content type: curl says it of all that it sends
        text = parse_qs(text, max_num_fields=10).get("payload", [""])[0]
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is far too deep") from None


def _object(value: object) -> Json:
    if not isinstance(value, Mapping):
        raise ValueError("it is no object where it should be one")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("it holds something else where a text should be")
    return value


def _ref(value: object) -> str:
    ref = _text(value)
    if not ref.startswith("refs/"):
        raise ValueError("it names no reference")
    return ref
