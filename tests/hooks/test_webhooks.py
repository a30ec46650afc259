"""POST /hooks/…: what is signed has what was pushed read, once, and each answer says what was done."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import hypothesis
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from forges import (
    NOW,
    SECRET,
    Delivered,
    from_gitea,
    from_github,
    from_gitlab,
    from_plain,
    hexdigest,
    of_gitea,
    of_github,
    of_gitlab,
    payloads,
    plain,
    signed_by_gitlab,
)
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import StoreUnavailable
from bot.hooks import FORGES, Forge, Webhooks, signed_part
from bot.http_server import HELD, body_in_time
from bot.settings import RepositorySettings, Secret, Settings
from storage import Store


def at(address: str, name: str | None = None, branch: str | None = None) -> RepositorySettings:
    return RepositorySettings(address=address, name=name, branch=branch)


TABLES = [
    at("https://github.com/acme/engine"),
    at("https://git.example.com:3000/acme/engine", "engine on gitea"),
    at("https://gitlab.example.com/acme/tools/engine", branch="main"),
]


class Requested:
    """Has a memory instead of reading anything."""

    def __init__(self) -> None:
        self.names: list[list[str]] = []
        self.error: Exception | None = None

    def request(self, names: Sequence[str], *, urgent: bool) -> None:
        assert urgent
        if self.error:
            raise self.error
        self.names.append(list(names))


class Receiver:
    """The addresses of hooks, and what came of deliveries to them."""

    def __init__(self, store: Store, secret: str | None = SECRET, repositories: Sequence[RepositorySettings] = TABLES):
        self.settings = Settings(
            hook_secret=Secret(secret) if secret is not None else None, repositories=list(repositories)
        )
        self.store = store
        self.requested = Requested()

    def post(self, *deliveries: tuple[str, Delivered]) -> list[tuple[int, str]]:
        """The status and the line that each is answered with."""

        async def main() -> list[tuple[int, str]]:
            received = Webhooks(self.settings, self.store, self.requested, lambda: NOW)
            app = web.Application(middlewares=[body_in_time])
            app[HELD] = set()
            app.add_routes(received.routes())
            async with TestClient(TestServer(app)) as client:

                async def one(forge: str, delivered: Delivered) -> tuple[int, str]:
                    headers, body = delivered
                    async with client.post(f"/hooks/{forge}", data=body, headers=headers) as answer:
                        text = await answer.text()
                        said = json.loads(text)["text"] if answer.content_type == "application/json" else ""
                        return answer.status, said

                try:
                    return [await one(*delivery) for delivery in deliveries]
                finally:
                    received.close()

        return asyncio.run(main())

    def status(self, forge: str, delivered: Delivered) -> int:
        return self.post((forge, delivered))[0][0]

    def statuses(self, *deliveries: tuple[str, Delivered]) -> list[int]:
        return [status for status, _ in self.post(*deliveries)]


@pytest.fixture
def receiver(store: Store) -> Receiver:
    return Receiver(store)


def as_form(said: Any) -> Delivered:
    """As GitHub sends where that is chosen; signed is the body as it is sent."""
    body = urlencode({"payload": json.dumps(said)}).encode()
    headers, _ = from_github(said)
    signature = f"sha256={hexdigest(SECRET, body)}"
    return headers | {"content-type": "application/x-www-form-urlencoded", "x-hub-signature-256": signature}, body


OF_A_SYSTEM_HOOK = {key: value for key, value in of_gitlab("refs/heads/main").items() if key != "object_kind"}
GITHUB = "https://github.com/acme/engine"
# What is delivered to which address, and what is read then.
READ: list[tuple[str, Delivered, list[str]]] = [
    ("github", from_github(of_github()), ["acme/engine"]),
    ("github", as_form(of_github("refs/tags/v3")), ["acme/engine"]),
    ("gitea", from_gitea(of_gitea()), ["engine on gitea"]),
    ("gitlab", from_gitlab(of_gitlab()), ["tools/engine"]),
    ("gitlab", signed_by_gitlab(of_gitlab("refs/tags/v1", "tag_push")), ["tools/engine"]),
    ("gitlab", from_gitlab(OF_A_SYSTEM_HOOK), ["tools/engine"]),
    ("push", from_plain(plain()), ["acme/engine", "engine on gitea"]),
    ("push", from_plain({"repository": GITHUB, "time": NOW}), ["acme/engine"]),
]


def test_a_push_to_each_forge_is_read_once(receiver: Receiver) -> None:
    """Whatever stands in headers that are not signed, and by whichever process it is taken."""
    other = Receiver(Store(receiver.store.path))
    for number, (forge, (headers, body), names) in enumerate(READ):
        answers = receiver.post(*[(forge, (headers | {"x-github-delivery": str(n)}, body)) for n in range(2)])
        assert answers[0] == (200, f"read now: {', '.join(names)}")
        assert [answers[1][0], other.status(forge, (headers, body))] == [409, 409]
        assert receiver.requested.names[number:] == [names]
    assert other.requested.names == []


# However almanac.toml writes where a repository is, it is the one that a push is to.
ADDRESSES: list[tuple[str, Delivered, str]] = [
    ("github", from_github(of_github()), """https://github.com/acme/engine.git https://token@github.com/Acme/Engine/
        git@github.com:acme/engine.git git@github-of-work:acme/engine.git
        ssh://git@ssh.github.com:443/acme/engine.git"""),
    ("gitea", from_gitea(of_gitea()), """ssh://git@git.example.com:2222/acme/engine git@git.example.com:acme/engine
        /var/lib/gitea/repositories/acme/engine.git"""),
    ("gitlab", from_gitlab(of_gitlab()), "git@gitlab.example.com:acme/tools/engine"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("forge", "delivered", "address"),
    [(forge, delivered, one) for forge, delivered, addresses in ADDRESSES for one in addresses.split()],
)
def test_it_is_found_by_any_of_its_addresses(store: Store, forge: str, delivered: Delivered, address: str) -> None:
    others = [at("https://github.com/acme/mill"), at("git@example.com:other/engine"), at("ext::sh -c x", "broken")]
    receiver = Receiver(store, repositories=[at(address, "the engine"), *others])
    assert receiver.post((forge, delivered)) == [(200, "read now: the engine")]


# What is listed as (name, branch), which reference is pushed, and of which repositories that is read.
BRANCHES = [
    ([("engine", None), ("engine of 2.x", "2.x"), ("engine of main", "main")], "heads/main", "engine, engine of main"),
    ([("engine", None), ("engine of 2.x", "2.x")], "heads/2.x", "engine of 2.x"),
    ([("engine", None)], "heads/dev", ""),
    ([("engine", "dev")], "heads/dev", "engine"),
    ([("engine", "dev")], "heads/main", ""),
    ([("engine", None)], "heads/main-2", ""),
    ([("engine", None)], "heads/x/main", ""),
    ([("engine", "dev")], "tags/v1", "engine"),
    ([("engine", None)], "notes/commits", ""),
]


@pytest.mark.parametrize(("listed", "ref", "read"), BRANCHES)
def test_only_the_branch_that_is_read_and_tags_matter(
    store: Store, listed: list[tuple[str, str | None]], ref: str, read: str
) -> None:
    tables = [at(GITHUB, name, branch) for name, branch in listed]
    receiver = Receiver(store, repositories=[*tables, at("https://gitlab.com/acme/engine", "theirs")])
    ((status, said),) = receiver.post(("github", from_github(of_github(f"refs/{ref}"))))
    assert (status, said.removeprefix("read now: ") if "now" in said else "") == (200, read)


def test_a_plain_push_says_a_name_an_address_or_a_path(store: Store, tmp_path: Path) -> None:
    real, link = tmp_path / "real" / "engine.git", tmp_path / "acme" / "linked"
    real.mkdir(parents=True)
    link.parent.mkdir()
    link.symlink_to(real)
    receiver = Receiver(store, repositories=[at(str(link)), at("https://git.example.com/acme/mill.git")])
    linked = (str(real), f"{link}/", "acme/linked", f"{link}/.git", f"file://{real}")
    mill = ("acme/mill", "ACME/Mill", "git@git.example.com:acme/mill")
    none = ("mill", "..", "/", "~", "acme/mill\0", str(tmp_path))
    for said in (*linked, *mill, *none):
        name = "acme/linked" if said in linked else "acme/mill"
        expected = (202, "") if said in none else (200, f"read now: {name}")
        ((status, text),) = receiver.post(("push", from_plain(plain(said))))
        assert (status, text if status == 200 else "") == expected, said


def test_whatever_is_signed_is_answered(receiver: Receiver) -> None:
    @given(st.lists(st.tuples(st.sampled_from(FORGES), payloads), max_size=8))
    @hypothesis.settings(max_examples=10)
    def answered(posted: list[tuple[Forge, Any]]) -> None:
        answers = receiver.post(*[(forge, SIGNED[forge](said)) for forge, said in posted])
        assert {status for status, _ in answers} <= {200, 202, 400, 401, 409}

    answered()


UNREADABLE: list[tuple[Forge, Any]] = [
    *(("github", one) for one in ({}, [], None)),
    *(("github", {**of_github(), "repository": one}) for one in (None, {}, {"clone_url": [GITHUB]})),
    *(("github", {**of_github(), "ref": one}) for one in (None, "main", {"refs/": 1})),
    ("gitea", {**of_gitea(), "repository": {"full_name": 7}}),
    ("gitlab", {**of_gitlab(), "project": "acme/engine"}),
    ("push", {}),
    *(("push", plain(**one)) for one in ({"time": "now"}, {"time": True}, {"repository": ""}, {"ref": "main"})),
    ("push", plain(default_branch=7)),
]
BROKEN = [
    b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 100_000, b"1" * 5000, b'{"repository": "\xed\xa0\x80"}',
    b"payload=", b"payload=%7B", b"payload=" + b"&a=1" * 50, b"payload=%ff", b"null", "﻿{}".encode(),
]  # fmt: skip
SIGNED = {"github": from_github, "gitea": from_gitea, "gitlab": signed_by_gitlab, "push": from_plain}


def broken(forge: Forge, body: bytes) -> Delivered:
    headers, _ = SIGNED[forge]({})
    name = {"github": "x-hub-signature-256", "push": "x-almanac-signature"}.get(forge, "x-gitea-signature")
    prefix = "" if forge == "gitea" else "sha256="
    return headers | {name: prefix + hexdigest(SECRET, body)}, body


def test_what_cannot_be_read_is_said_to_be_so(receiver: Receiver) -> None:
    wrong = [(forge, SIGNED[forge](said)) for forge, said in UNREADABLE]
    wrong += [(forge, broken(forge, body)) for forge in ("github", "gitea", "push") for body in BROKEN]
    wrong += [("gitlab", (from_gitlab({})[0], body)) for body in BROKEN]
    answers = receiver.post(*wrong)
    assert [one for one, (status, said) in zip(wrong, answers, strict=True)
            if status != 400 or not said.startswith("it cannot be read")] == []  # fmt: skip
    assert receiver.requested.names == []


class TestStrangers:
    """Whoever does not know the secret learns nothing, and has nothing done."""

    def test_a_signature_counts_for_its_own_body_and_address_only(self, receiver: Receiver) -> None:
        deliveries: dict[str, list[Delivered]] = {
            "github": [from_github(of_github())], "gitea": [from_gitea(of_gitea())], "push": [from_plain(plain())],
            "gitlab": [from_gitlab(of_gitlab()), signed_by_gitlab(of_gitlab())],
        }  # fmt: skip
        wrong: list[tuple[str, Delivered]] = []
        for forge, some in deliveries.items():
            for headers, body in some:
                bare = {name: "" if "sign" in name or "token" in name else value for name, value in headers.items()}
                wrong += [(forge, (bare, body)), (forge, ({}, body))]
                wrong += [(other, (headers, body)) for other in FORGES if other != forge]
                if "x-gitlab-token" not in headers:  # which signs nothing
                    wrong.append((forge, (headers, body + b" ")))
        assert receiver.statuses(*wrong) == [401] * len(wrong)
        assert receiver.requested.names == []

    def test_a_signing_token_signs_an_id_and_a_time_of_now(self, receiver: Receiver) -> None:
        headers, body = signed_by_gitlab(of_gitlab())
        several = headers | {"webhook-signature": f"v1,bm90IHRoaXM= v2,x {headers['webhook-signature']}"}
        assert receiver.status("gitlab", (several, body)) == 200
        wrong = [signed_by_gitlab(of_gitlab(), NOW + apart) for apart in (-301, 301, 100_000, -100_000)]
        wrong += [({**headers, name: str(int(NOW) + 1)}, body) for name in ("webhook-id", "webhook-timestamp")]
        wrong += [({**from_gitlab(of_gitlab())[0], "webhook-signature": "v1,x"}, body)]  # the other way counts no more
        assert receiver.statuses(*(("gitlab", one) for one in wrong)) == [401] * len(wrong)

    @pytest.mark.parametrize("secret", ["a secret that is no signing token", "whsec_", "whsec_!"])
    def test_without_a_key_nobody_can_sign(self, store: Store, secret: str) -> None:
        """What anybody could sign, since the key would be empty."""
        body = json.dumps(of_gitlab()).encode()
        digest = hmac.new(b"", f"one.{NOW:.0f}.".encode() + body, hashlib.sha256).digest()
        signed = {
            "webhook-id": "one", "webhook-timestamp": f"{NOW:.0f}",
            "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
        }  # fmt: skip
        assert Receiver(store, secret).status("gitlab", (signed, body)) == 401

    def test_what_they_send_is_not_in_the_log(self, receiver: Receiver, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.DEBUG):
            receiver.post(
                ("github", from_github({"ref": "hush-hush"})),
                ("github", from_github({"ref": "hush-hush"}, secret="hush-hush")),
                ("push", from_plain({"hush-hush": 1})),
                ("push", ({"x-almanac-signature": "hush-hush"}, b"hush-hush")),
                ("github", from_github(of_github())),
            )
        ours = [one.getMessage() for one in caplog.records if one.name.startswith("bot")]
        assert len(ours) == 5 and "pushed, and read now: acme/engine" in ours
        assert not any("hush-hush" in one or SECRET in one for one in ours)


READ_HEADERS = (
    "x-hub-signature-256", "x-gitea-signature", "x-gitlab-token", "x-almanac-signature", "webhook-id",
    "webhook-timestamp", "webhook-signature",
)  # fmt: skip


@given(
    st.sampled_from(FORGES),
    st.dictionaries(st.sampled_from(READ_HEADERS), st.text() | st.integers().map(str)),
    st.binary(),
)
def test_whatever_strangers_send_is_refused(forge: Forge, headers: dict[str, str], body: bytes) -> None:
    assert signed_part(forge, SECRET, headers, body, NOW) is None


def test_one_that_could_not_be_taken_may_be_sent_again(receiver: Receiver) -> None:
    receiver.requested.error = StoreUnavailable("the database is away: /secret/path")
    delivered = from_github(of_github())
    ((status, said),) = receiver.post(("github", delivered))
    assert (status, "secret" in said) == (503, False)
    receiver.requested.error = None
    assert receiver.status("github", delivered) == 200
