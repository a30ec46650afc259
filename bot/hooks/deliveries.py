"""Deliveries of forges: whether somebody who knows the secret wrote one, what it says was pushed, and to which of
almanac.toml's repositories. Pure; signatures are compared in constant time."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args
from urllib.parse import parse_qs

from bot.errors import RepositoryUnavailable
from bot.gc_pause import gc_paused
from bot.index.places import place, same_for_all, whereabouts
from bot.settings_tables import RepositorySettings

Forge = Literal["github", "gitlab", "gitea", "push"]
FORGES: tuple[Forge, ...] = get_args(Forge)
Json = Mapping[str, Any]

MOST_APART = 300.0  # seconds between the time that a delivery says and ours
_PREFIX = "whsec_"  # of a secret that is base64: https://www.standardwebhooks.com, "Signature scheme"
_SIGNED_BY = {
    "github": ("x-hub-signature-256", "sha256="), "gitea": ("x-gitea-signature", ""),
    "push": ("x-almanac-signature", "sha256="),
}  # fmt: skip
_FORM = "payload="  # what GitHub's page offers first
# Where the parts of a repository stand: first of GitHub and Gitea, then of GitLab.
_ADDRESSES = ("clone_url", "ssh_url", "html_url", "git_http_url", "git_ssh_url", "web_url")
_NAMES = ("full_name", "path_with_namespace")


def signed_part(forge: Forge, secret: str, headers: Mapping[str, str], body: bytes, now: float) -> bytes | None:
    """What of a delivery its signature covers, by which it is known again; None where it is not signed, or wrongly, or
    where a time that is signed with it is not `now`. Headers are looked up in small letters."""
    if forge == "gitlab":
        return _by_gitlab(secret, headers, body, now)
    header, prefix = _SIGNED_BY[forge]
    expected = prefix + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return body if _same(headers.get(header, ""), expected) else None


def is_within(at: float, now: float) -> bool:
    """Whether a time is near enough to the present not to be that of a delivery which somebody kept."""
    return abs(at - now) <= MOST_APART  # False for what is no number


def _by_gitlab(secret: str, headers: Mapping[str, str], body: bytes, now: float) -> bytes | None:
    """A signature by the hook's signing token, or its secret token as it is.

    https://docs.gitlab.com/user/project/integrations/webhooks/
    """
    given = headers.get("webhook-signature")
    if given is None:
        return body if _same(headers.get("x-gitlab-token", ""), secret) else None
    identity, at, key = headers.get("webhook-id", ""), headers.get("webhook-timestamp", ""), _signing_key(secret)
    if not key or not (at.isascii() and at.isdigit() and len(at) < 20 and is_within(float(at), now)):
        return None
    part = b".".join((_bytes(identity), at.encode(), body))
    expected = "v1," + base64.b64encode(hmac.new(key, part, hashlib.sha256).digest()).decode()
    # More than one stands there while a secret is replaced.
    return part if any(_same(one, expected) for one in given.split(" ")) else None


def _signing_key(secret: str) -> bytes:
    """The bytes that GitLab signs with; none, with which anybody could sign, where the secret is no signing token."""
    if not secret.startswith(_PREFIX):
        return b""
    try:
        return base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except binascii.Error:
        return b""


def _same(given: str, expected: str) -> bool:
    return hmac.compare_digest(_bytes(given), _bytes(expected))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")  # as aiohttp decodes headers


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
        with gc_paused():  # whatever it would end meanwhile finds no stack left to end on
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


class IndexedRepositories:
    """Those that are listed, found by any of their addresses, else by their name or the path of an address."""

    def __init__(self, tables: Iterable[RepositorySettings]) -> None:
        # Each by its name and the branch of it that is read, None where that is the default one.
        self._by_address: defaultdict[str, set[tuple[str, str | None]]] = defaultdict(set)
        self._by_name: defaultdict[str, set[tuple[str, str | None]]] = defaultdict(set)
        for table in tables:
            try:
                where, usual = place(table.address, table.name), place(table.address).name
            except RepositoryUnavailable:
                continue  # which each index says
            one = where.name, table.branch
            for key in {same_for_all(where.location) or "", whereabouts(table.address)} - {""}:
                self._by_address[key].add(one)
                self._by_name[key.partition("/")[2]].add(one)
            for name in (where.name, usual):
                self._by_name[name.casefold()].add(one)

    def to_read(self, push: Push) -> list[str] | None:
        """The names of those that a push is to and of which the branch that is read, or a tag, was pushed; None where
        it is to none.

        A host may be called otherwise here than its forge calls it, so where no address fits, the full name decides: at
        worst one that did not change is looked at.
        """
        keys = {key for address in push.addresses if (key := same_for_all(address))}
        found = {one for key in keys for one in self._by_address.get(key, ())}
        found = found or self._by_name.get(push.name.strip("/").casefold(), set())
        if not found:
            return None
        if not push.ref or push.ref.startswith("refs/tags/"):
            return sorted({name for name, _ in found})
        pushed = push.ref.removeprefix("refs/heads/")
        read = {name for name, branch in found if (branch or push.default_branch) in ("", pushed)}
        return sorted(read) if pushed != push.ref else []
