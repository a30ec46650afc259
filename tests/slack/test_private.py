"""What a channel may not read is told there in no way: not by question, command, direct message or digest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bot_in_workspace import running_bot, settings_for
from builders import ADA, NOW, GitRepo, index

from bot.settings import RepositorySettings
from bot.workspace import BOT_USER_ID, ThreadedWorkspace
from storage import Store

LEFT_OUT = "1 change in repositories that are not for this channel is left out."


@pytest.fixture
def secret(indexed: Store, tmp_path: Path) -> GitRepo:
    """A repository that only #shipped may read of."""
    repo = GitRepo(tmp_path / "acme" / "secret")
    repo.commit("Plan the raid", author=ADA, at="2025-10-03 10:00 +0000", files={"plan.txt": "p"})
    index(indexed, repo.path)
    return repo


@pytest.fixture
def asked(workspace: ThreadedWorkspace, indexed: Store, secret: GitRepo) -> Iterator[ThreadedWorkspace]:
    tables = [RepositorySettings(address=str(secret.path), audience=["#shipped"])]
    settings = settings_for(workspace, "socket", ALMANAC_DB=indexed.path, ALMANAC_NOW=NOW, repositories=tables)
    with running_bot(settings):
        workspace.wait_connected()
        yield workspace


def answer(workspace: ThreadedWorkspace, channel: str, text: str) -> dict[str, Any]:
    ts = workspace.say("guest", channel, text)
    return workspace.wait_for(lambda m: m.get("user") == BOT_USER_ID and m["ts"] > ts, timeout=20)


def test_the_channel_it_is_for_is_told(asked: ThreadedWorkspace) -> None:
    said = answer(asked, "shipped", "@Almanac ada october 2025")
    assert "Planned the raid." in said["text"] and "left out" not in said["text"]
    assert "Planned the raid." in answer(asked, "shipped", "/almanac month ada october")["text"]


@pytest.mark.parametrize(
    "text", ["@Almanac ada october 2025", "/almanac ada october", "@Almanac what shipped in october?"]
)
def test_another_channel_is_told_how_many_and_never_which(asked: ThreadedWorkspace, text: str) -> None:
    said = json.dumps(answer(asked, "general", text))
    assert "raid" not in said and "acme/secret" not in said
    assert LEFT_OUT in said


def test_a_direct_message_is_not_the_channel(asked: ThreadedWorkspace) -> None:
    guest = asked.workspace.user("guest")
    assert guest is not None
    said = json.dumps(answer(asked, guest.id, "ada october 2025"))
    assert "raid" not in said and LEFT_OUT in said


def test_a_repository_that_is_hidden_is_not_known_by_name(asked: ThreadedWorkspace) -> None:
    hidden = answer(asked, "general", "@Almanac ada in acme/secret october")["text"]
    unknown = answer(asked, "general", "@Almanac ada in acme/absent october")["text"]
    assert hidden.replace("secret", "absent") == unknown


def test_a_commit_that_is_hidden_is_not_known_by_its_sha(asked: ThreadedWorkspace, secret: GitRepo) -> None:
    sha = secret.tip[:10]
    assert "Plan the raid" in answer(asked, "shipped", f"@Almanac explain {sha}")["text"]
    hidden = answer(asked, "general", f"@Almanac explain {sha}")["text"]
    unknown = answer(asked, "general", "@Almanac explain 0123456789")["text"]
    assert hidden.replace(sha, "0123456789") == unknown


def test_digests_keep_it_too(
    almanac: Callable[..., Any], indexed: Store, secret: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("almanac.toml").write_text(f'[[repositories]]\naddress = "{secret.path}"\naudience = ["#shipped"]\n')
    monkeypatch.setenv("ALMANAC_DB", str(indexed.path))
    assert "Planned the raid." in almanac("digest", "2025-10", "--channel", "#shipped").out
    elsewhere = almanac("digest", "2025-10", "--channel", "#general").out
    assert "raid" not in elsewhere and LEFT_OUT in elsewhere
