"""Whether a delivery was written by somebody who knows the secret. Pure, and in constant time."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping
from typing import Literal, get_args

Forge = Literal["github", "gitlab", "gitea", "push"]
FORGES: tuple[Forge, ...] = get_args(Forge)

MOST_APART = 300.0  # seconds between the time that a delivery says and ours
_PREFIX = "whsec_"  # of a secret that is base64: https://www.standardwebhooks.com, "Signature scheme"


def signed_part(forge: Forge, secret: str, headers: Mapping[str, str], body: bytes, now: float) -> bytes | None:
    """What of a delivery its signature covers, by which it is known again; None where it is not signed, or wrongly, or
    where a time that is signed with it is not `now`. Headers are looked up in small letters."""
    if forge == "gitlab":
        return _by_gitlab(secret, headers, body, now)
    header, prefix = {
        "github": ("x-hub-signature-256", "sha256="),
        "gitea": ("x-gitea-signature", ""),
        "push": ("x-almanac-signature", "sha256="),
    }[forge]
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
