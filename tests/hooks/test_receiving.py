"""POST /hooks/…: what is signed has what was pushed read, once, and each answer says what was done."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import replace
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

from bot import hooks
from bot.errors import StoreUnavailable
from bot.hooks import FORGES, Forge, Webhooks
from bot.http_server import HELD, body_in_time
from bot.settings import Settings
from bot.settings_tables import RepositorySettings, Secret
from storage import Store

TABLES = [
    RepositorySettings(address="https://github.com/acme/engine", audience=["#leads"]),
    RepositorySettings(address="https://git.example.com:3000/acme/engine", name="engine on gitea"),
    RepositorySettings(address="https://gitlab.example.com/acme/tools/engine", branch="main"),
]


class Requested:
    """Has a memory instead of reading anything."""

    def __init__(self, error: Exception | None = None) -> None:
        self.names: list[list[str]] = []
        self.error = error

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
        self.counted: list[tuple[str, int]] = []
        self.now = NOW

    def post(self, *deliveries: tuple[str, Delivered], at_once: bool = False) -> list[tuple[int, str]]:
        """The status and the line that each is answered with."""

        async def main() -> list[tuple[int, str]]:
            received = Webhooks(
                self.settings, self.store, self.requested, lambda *one: self.counted.append(one), lambda: self.now
            )
            app = web.Application(client_max_size=100_000, middlewares=[body_in_time])
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
                    if at_once:
                        return list(await asyncio.gather(*(one(*delivery) for delivery in deliveries)))
                    return [await one(*delivery) for delivery in deliveries]
                finally:
                    received.close()

        return asyncio.run(main())

    def status(self, forge: str, delivered: Delivered) -> int:
        return self.post((forge, delivered))[0][0]


@pytest.fixture
def receiver(tmp_path: Path) -> Receiver:
    return Receiver(Store(tmp_path / "almanac.db"))


def test_a_push_to_each_forge_is_read(receiver: Receiver) -> None:
    assert receiver.post(
        ("github", from_github(of_github())),
        ("gitea", from_gitea(of_gitea())),
        ("gitlab", from_gitlab(of_gitlab())),
        ("gitlab", signed_by_gitlab(of_gitlab("refs/tags/v1", "tag_push"))),
        ("push", from_plain(plain())),
    ) == [
        (200, "read now: acme/engine"),
        (200, "read now: engine on gitea"),
        (200, "read now: tools/engine"),
        (200, "read now: tools/engine"),
        (200, "read now: acme/engine, engine on gitea"),
    ]
    assert receiver.requested.names == [
        ["acme/engine"], ["engine on gitea"], ["tools/engine"], ["tools/engine"], ["acme/engine", "engine on gitea"],
    ]  # fmt: skip
    assert receiver.counted == [("github", 200), ("gitea", 200), ("gitlab", 200), ("gitlab", 200), ("push", 200)]


def test_a_form_of_github_is_read(receiver: Receiver) -> None:
    body = urlencode({"payload": json.dumps(of_github())}).encode()
    headers, _ = from_github(of_github())
    headers["content-type"] = "application/x-www-form-urlencoded"
    assert receiver.status("github", (headers, body)) == 401  # signed is the body as it is sent
    headers["x-hub-signature-256"] = f"sha256={hexdigest(SECRET, body)}"
    assert receiver.status("github", (headers, body)) == 200


@pytest.mark.parametrize(
    "delivered",
    [
        from_github({"zen": "Speak like a human."}, "ping"),
        from_github({"action": "opened"}, "issues"),
        from_github(of_github("refs/heads/dev")),
        from_github(of_github("refs/pull/1/head")),
    ],
)
def test_what_changes_nothing_that_is_read_is_answered_and_nothing_is_done(
    receiver: Receiver, delivered: Delivered
) -> None:
    assert [status for status, _ in receiver.post(*[("github", delivered)] * 3)] == [200, 200, 200]
    assert receiver.requested.names == []


def test_one_of_another_repository_is_accepted_and_nothing_is_done(receiver: Receiver) -> None:
    """An organisation's hook tells of all of its repositories, and a forge gives up a hook that fails."""
    other = of_github(full_name="acme/other", clone_url="https://github.com/acme/other", ssh_url="", html_url="")
    assert receiver.status("github", from_github(other)) == 202
    assert receiver.requested.names == []


class TestStrangers:
    @pytest.mark.parametrize("repository", ["acme/engine", "acme/nothing"])
    def test_they_are_told_the_same_of_what_is_indexed_and_of_what_is_not(
        self, receiver: Receiver, repository: str
    ) -> None:
        for forge, delivered in (
            ("github", from_github(of_github(full_name=repository), secret="guess")),
            ("gitea", from_gitea(of_gitea(full_name=repository), secret="guess")),
            ("gitlab", from_gitlab(of_gitlab(), secret="guess")),
            ("push", from_plain(plain(repository), secret="guess")),
            ("push", ({}, b"no json")),
        ):
            ((status, said),) = receiver.post((forge, delivered))
            assert (status, "signed" in said, repository in said) == (401, True, False)
        assert receiver.requested.names == []

    def test_without_a_secret_there_is_nothing(self, receiver: Receiver) -> None:
        for secret in (None, ""):
            off = Receiver(receiver.store, secret)
            for forge in ("github", "gitlab", "gitea", "push"):
                assert off.status(forge, from_github(of_github(), secret="")) == 404
        assert receiver.status("bitbucket", from_github(of_github())) == 404

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


class TestReplays:
    def test_what_is_signed_is_taken_once(self, receiver: Receiver) -> None:
        for forge, delivered in (
            ("github", from_github(of_github())),
            ("gitea", from_gitea(of_gitea())),
            ("gitlab", from_gitlab(of_gitlab())),
            ("gitlab", signed_by_gitlab(of_gitlab("refs/tags/v2"))),
            ("push", from_plain(plain(after="1" * 40))),
        ):
            before = len(receiver.requested.names)
            headers, body = delivered
            of_nobody = {"x-github-delivery": str(before)}  # which is not signed
            answers = receiver.post(
                *[
                    (forge, (headers | {name: f"{value}{n}" for name, value in of_nobody.items()}, body))
                    for n in range(3)
                ]
            )
            assert [status for status, _ in answers] == [200, 409, 409], forge
            assert len(receiver.requested.names) == before + 1

    def test_of_many_at_the_same_moment_one_is_taken(self, receiver: Receiver) -> None:
        answers = receiver.post(*[("github", from_github(of_github()))] * 12, at_once=True)
        assert sorted(status for status, _ in answers) == [200] + [409] * 11
        assert len(receiver.requested.names) == 1

    def test_another_process_knows_it_too(self, receiver: Receiver) -> None:
        other = Receiver(Store(receiver.store.path))
        delivered = from_github(of_github())
        assert (receiver.status("github", delivered), other.status("github", delivered)) == (200, 409)

    @pytest.mark.parametrize("apart", [-301, 301, 86_400])
    def test_a_plain_one_that_was_kept_is_refused(self, receiver: Receiver, apart: float) -> None:
        delivered = from_plain(plain())
        receiver.now = NOW + apart
        assert receiver.status("push", delivered) == 401
        receiver.now = NOW + 299
        assert receiver.status("push", delivered) == 200


class TestFailures:
    def test_one_that_could_not_be_taken_may_be_sent_again(self, receiver: Receiver) -> None:
        receiver.requested.error = StoreUnavailable("the database is away: /secret/path")
        delivered = from_github(of_github())
        ((status, said),) = receiver.post(("github", delivered))
        assert (status, "secret" in said) == (503, False)
        receiver.requested.error = None
        assert receiver.status("github", delivered) == 200

    def test_a_database_that_hangs_is_not_waited_for(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        receiver = Receiver(Store(tmp_path / "almanac.db", busy_seconds=0.3))
        monkeypatch.setattr(hooks, "TAKE_SECONDS", 0.05)
        with receiver.store.transaction(write=True):  # somebody else, for longer than anybody should
            assert receiver.status("github", from_github(of_github())) == 503

    def test_whatever_is_signed_is_answered(self, receiver: Receiver) -> None:
        signed = {"github": from_github, "gitea": from_gitea, "gitlab": signed_by_gitlab, "push": from_plain}

        @given(st.lists(st.tuples(st.sampled_from(FORGES), payloads), max_size=8))
        @hypothesis.settings(max_examples=10)
        def answered(posted: list[tuple[Forge, Any]]) -> None:
            answers = receiver.post(*[(forge, signed[forge](said)) for forge, said in posted])
            assert {status for status, _ in answers} <= {200, 202, 400, 401, 409}

        answered()

    def test_one_with_a_repository_that_cannot_be_placed_is_no_trouble_to_others(self, tmp_path: Path) -> None:
        broken = replace(TABLES[0], address="ext::sh -c x", name="broken")
        receiver = Receiver(Store(tmp_path / "almanac.db"), repositories=[broken, *TABLES])
        assert receiver.status("github", from_github(of_github())) == 200
