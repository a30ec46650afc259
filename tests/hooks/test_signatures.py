"""A delivery counts only where whoever wrote it knows the secret."""

from __future__ import annotations

import base64
import hashlib
import hmac

import pytest
from forges import (
    NOW,
    SECRET,
    Delivered,
    from_gitea,
    from_github,
    from_gitlab,
    from_plain,
    of_gitea,
    of_github,
    of_gitlab,
    plain,
    signed_by_gitlab,
)
from hypothesis import given
from hypothesis import strategies as st

from bot.hooks import FORGES, Forge, is_within, signed_part

DELIVERIES: dict[str, tuple[Forge, Delivered]] = {
    "github": ("github", from_github(of_github())),
    "gitea": ("gitea", from_gitea(of_gitea())),
    "gitlab by its secret token": ("gitlab", from_gitlab(of_gitlab())),
    "gitlab by its signing token": ("gitlab", signed_by_gitlab(of_gitlab())),
    "plain": ("push", from_plain(plain())),
}
every = pytest.mark.parametrize("forge, delivered", DELIVERIES.values(), ids=DELIVERIES)


@every
def test_a_changed_body_is_refused(forge: Forge, delivered: Delivered) -> None:
    headers, body = delivered
    if "x-gitlab-token" not in headers:  # which signs nothing
        assert signed_part(forge, SECRET, headers, body + b" ", NOW) is None


@every
def test_a_signature_counts_at_its_own_address_only(forge: Forge, delivered: Delivered) -> None:
    headers, body = delivered
    assert [one for one in FORGES if signed_part(one, SECRET, headers, body, NOW) is not None] == [forge]


@every
def test_nothing_is_taken_without_a_signature(forge: Forge, delivered: Delivered) -> None:
    headers, body = delivered
    bare = {name: "" if "sign" in name or "token" in name else value for name, value in headers.items()}
    assert signed_part(forge, SECRET, bare, body, NOW) is None
    assert signed_part(forge, SECRET, {}, body, NOW) is None


class TestSigningToken:
    @pytest.mark.parametrize("apart", [-301, 301, 100_000, -100_000])
    def test_one_that_was_kept_is_refused(self, apart: int) -> None:
        headers, body = signed_by_gitlab(of_gitlab(), NOW + apart)
        assert signed_part("gitlab", SECRET, headers, body, NOW) is None

    @pytest.mark.parametrize("name", ["webhook-id", "webhook-timestamp"])
    def test_its_id_and_its_time_are_signed(self, name: str) -> None:
        headers, body = signed_by_gitlab(of_gitlab())
        assert signed_part("gitlab", SECRET, {**headers, name: str(int(NOW) + 1)}, body, NOW) is None

    def test_it_may_be_one_of_several(self) -> None:
        headers, body = signed_by_gitlab(of_gitlab())
        headers["webhook-signature"] = f"v1,bm90IHRoaXM= v2,x {headers['webhook-signature']}"
        assert signed_part("gitlab", SECRET, headers, body, NOW) is not None

    @pytest.mark.parametrize("secret", ["a secret that is no signing token", "whsec_", "whsec_!"])
    def test_without_a_key_nobody_can_sign(self, secret: str) -> None:
        """What anybody could sign, since the key would be empty."""
        body = b"{}"
        digest = hmac.new(b"", f"one.{NOW:.0f}.".encode() + body, hashlib.sha256).digest()
        headers = {
            "webhook-id": "one",
            "webhook-timestamp": f"{NOW:.0f}",
            "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
        }
        assert signed_part("gitlab", secret, headers, body, NOW) is None

    def test_where_there_is_a_wrong_one_the_secret_token_does_not_count(self) -> None:
        headers, body = from_gitlab(of_gitlab())
        assert signed_part("gitlab", SECRET, {**headers, "webhook-signature": "v1,x"}, body, NOW) is None


READ = (
    "x-hub-signature-256", "x-gitea-signature", "x-gitlab-token", "x-almanac-signature", "webhook-id",
    "webhook-timestamp", "webhook-signature",
)  # fmt: skip
headers_of_anybody = st.dictionaries(st.sampled_from(READ), st.text() | st.integers().map(str))


@given(st.sampled_from(FORGES), headers_of_anybody, st.binary())
def test_whatever_strangers_send_is_refused(forge: Forge, headers: dict[str, str], body: bytes) -> None:
    assert signed_part(forge, SECRET, headers, body, NOW) is None


@pytest.mark.parametrize("at", [float("nan"), float("inf"), float("-inf"), 0.0, 10**400])
def test_what_is_no_time_of_today_is_not_within_minutes_of_it(at: float) -> None:
    assert not is_within(at, NOW) and is_within(NOW - 299, NOW)
