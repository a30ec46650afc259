"""What a delivery says was pushed, in the form of each forge; anything else is refused or passed over."""

from __future__ import annotations

import json
from typing import Any

import pytest
from forges import (
    NOW,
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

from bot.hooks import FORGES, Forge, Push, push_of

ON_GITHUB = Push(
    "refs/heads/main",
    ("https://github.com/acme/engine.git", "git@github.com:acme/engine.git", "https://github.com/acme/engine"),
    "acme/engine",
    "main",
)


def test_each_forge_says_where_the_repository_is() -> None:
    assert push_of("github", *from_github(of_github())) == ON_GITHUB
    assert push_of("gitea", *from_gitea(of_gitea("refs/tags/v1"))) == Push(
        "refs/tags/v1",
        (
            "https://git.example.com:3000/acme/engine.git",
            "ssh://git@git.example.com:2222/acme/engine.git",
            "https://git.example.com:3000/acme/engine",
        ),
        "acme/engine",
        "main",
    )
    on_gitlab = Push(
        "refs/heads/dev",
        (
            "https://gitlab.example.com/acme/tools/engine.git",
            "git@gitlab.example.com:acme/tools/engine.git",
            "https://gitlab.example.com/acme/tools/engine",
        ),
        "acme/tools/engine",
        "main",
    )
    assert push_of("gitlab", *from_gitlab(of_gitlab("refs/heads/dev"))) == on_gitlab
    assert push_of("gitlab", *signed_by_gitlab(of_gitlab("refs/heads/dev", "tag_push"))) == on_gitlab
    of_a_system_hook = {key: value for key, value in of_gitlab("refs/heads/dev").items() if key != "object_kind"}
    assert push_of("gitlab", *from_gitlab(of_a_system_hook)) == on_gitlab
    assert push_of("push", *from_plain(plain())) == Push("refs/heads/main", ("acme/engine",), "acme/engine", "", NOW)
    assert push_of("push", *from_plain({"repository": "engine", "time": 7})) == Push("", ("engine",), "engine", "", 7.0)


def test_what_is_no_push_is_passed_over() -> None:
    for event in ("ping", "create", "pull_request", ""):
        assert push_of("github", *from_github({"zen": "Speak like a human.", "hook_id": 1}, event)) is None
        assert push_of("gitea", *from_gitea(of_gitea(), event)) is None
    assert push_of("gitlab", *from_gitlab(of_gitlab(kind="merge_request"))) is None
    assert push_of("gitlab", *from_gitlab({})) is None


@pytest.mark.parametrize(
    ("forge", "said"),
    [
        ("github", {}),
        ("github", []),
        ("github", None),
        ("github", {**of_github(), "repository": None}),
        ("github", {**of_github(), "repository": {}}),
        ("github", {**of_github(), "repository": {"clone_url": ["https://github.com/acme/engine"]}}),
        ("github", {**of_github(), "ref": None}),
        ("github", {**of_github(), "ref": "main"}),
        ("github", {**of_github(), "ref": {"refs/": 1}}),
        ("gitea", {**of_gitea(), "repository": {"full_name": 7}}),
        ("gitlab", {**of_gitlab(), "project": "acme/engine"}),
        ("push", {}),
        ("push", plain(time="now")),  # type: ignore[arg-type]
        ("push", plain(time=True)),
        ("push", plain(repository="")),
        ("push", plain(ref="main")),
        ("push", plain(default_branch=7)),
    ],
)
def test_what_cannot_be_read_is_an_error(forge: Forge, said: Any) -> None:
    headers = {"x-github-event": "push", "x-gitea-event": "push"}
    with pytest.raises(ValueError):
        push_of(forge, headers, json.dumps(said).encode())


BROKEN = [
    b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 100_000, b"1" * 5000, b'{"repository": "\xed\xa0\x80"}',
    b"payload=", b"payload=%7B", b"payload=" + b"&a=1" * 50, b"payload=%ff", b"null", "﻿{}".encode(),
]  # fmt: skip


@pytest.mark.parametrize("forge", FORGES)
def test_what_is_no_json_is_an_error(forge: Forge) -> None:
    for body in BROKEN:
        with pytest.raises(ValueError):
            push_of(forge, {"x-github-event": "push", "x-gitea-event": "push"}, body)
