"""What a running bot answers to balancers, to monitoring and to forges, however Slack reaches it."""

from __future__ import annotations

import hashlib
import hmac
import json
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bot_in_workspace import both_ways, free_port, running_bot
from builders import ADA, GitRepo
from prometheus_client.parser import text_string_to_metric_families
from talking import SECONDS, answer_to
from waiting import wait_until

from bot import monitoring
from bot.settings import RepositorySettings, Secret, Settings
from bot.workspace import ThreadedWorkspace
from storage import Store

ROOT = Path(__file__).parents[2]
HOOK_SECRET = "a made-up secret of hooks"
TOKEN = "a made-up token"


@pytest.fixture
def settings(settings: Settings, engine: GitRepo) -> Settings:
    """In Socket Mode too there is a port to ask."""
    return replace(
        settings,
        host="127.0.0.1",
        port=settings.port if settings.signing_secret else free_port(),
        hook_secret=Secret(HOOK_SECRET),
        repositories=[RepositorySettings(address=str(engine.path))],
        refresh_minutes=1000,
    )


def ask(settings: Settings, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(f"http://127.0.0.1:{settings.port}{path}", body, named)
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def push(settings: Settings, **said: Any) -> tuple[int, str]:
    body = json.dumps({"time": int(time.time()), **said}).encode()
    signature = hmac.new(HOOK_SECRET.encode(), body, hashlib.sha256).hexdigest()
    return ask(settings, "/hooks/push", body, X_Almanac_Signature=f"sha256={signature}")


def samples(text: str) -> dict[str, float]:
    return {
        one.name + "".join(f" {value}" for _, value in sorted(one.labels.items())): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


@both_ways
@pytest.mark.usefixtures("bot")
class TestRunning:
    @pytest.mark.skipif(not (shutil.which("curl") and shutil.which("perl")), reason="the hook wants curl and perl")
    def test_the_hook_of_the_docs_tells_what_was_pushed(
        self, settings: Settings, engine: GitRepo, indexed: Store, tmp_path: Path
    ) -> None:
        secret = tmp_path / "secret"
        secret.write_text(f"ALMANAC_HOOK_SECRET='{HOOK_SECRET}'\n")
        hook = (ROOT / "docs" / "scale.md").read_text().partition("```sh\n#!/bin/sh\n")[2].partition("```")[0]
        for is_, wanted in (("https://HOST", f"http://127.0.0.1:{settings.port}"), ("/etc/almanac-hook.env", secret)):
            assert is_ in hook
            hook = hook.replace(is_, str(wanted))
        place = engine.path / ".git" / "hooks" / "post-receive"
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"#!/bin/sh\n{hook}")
        place.chmod(0o755)
        engine.git("config", "receive.denyCurrentBranch", "ignore")
        engine.git("clone", "--quiet", ".", str(tmp_path / "mine"))
        mine = GitRepo(tmp_path / "mine")
        sha = mine.commit("Add a whistle (#9)", author=ADA, at="2025-10-07 10:00 +0000", files={"whistle.py": "w\n"})
        pushed = subprocess.run(
            ["git", "push", "origin", "HEAD:main", "HEAD:refs/tags/v1"], cwd=mine.path, capture_output=True, text=True
        )
        assert (pushed.returncode, "Almanac" in pushed.stderr) == (0, False), pushed.stderr
        wait_until(lambda: bool(indexed.commits.by_sha(sha)))

    def test_metrics_count_what_was_asked(self, settings: Settings, workspace: ThreadedWorkspace) -> None:
        answer_to(workspace, workspace.say("ada", "general", "@Almanac ada october 2025"))
        answer_to(workspace, workspace.say("ada", "general", "/almanac profile ada"))
        told = "almanac_questions_total profile answered"
        wait_until(lambda: told in samples(ask(settings, "/metrics")[1]))
        status, said = ask(settings, "/metrics")
        found = samples(said)
        assert status == 200
        assert found["almanac_questions_total month answered"] == 1
        assert found[told] == 1
        assert found["almanac_database_up"] == 1
        assert "acme" not in said  # to whoever has no token

    def test_what_a_proxy_passes_on_gets_no_metrics(self, settings: Settings) -> None:
        for header in ("X_Forwarded_For", "Forwarded", "X_Real_IP"):
            status, said = ask(settings, "/metrics", **{header: "192.0.2.7"})
            assert (status, "almanac_" in said) == (403, False)

    def test_without_the_database_it_says_so_in_one_line(
        self, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(monitoring, "KEPT_SECONDS", 0.0)
        Path(str(settings.db)).write_bytes(b"no database at all" * 100)

        def is_noticed(path: str) -> bool:
            status, said = ask(settings, path)
            if status == 503:
                assert set(json.loads(said)) == {"ok", "error"} and str(Path(str(settings.db)).parent) not in said
            return status == 503

        for path in ("/health", "/ready"):
            wait_until(lambda path=path: is_noticed(path))  # type: ignore[misc]
        assert ask(settings, "/metrics")[0] == 200


@both_ways
def test_with_a_token_metrics_are_for_those_who_have_it(settings: Settings) -> None:
    guarded = RepositorySettings(address="https://example.com/acme/secret", audience=["#leads"])
    settings = replace(
        settings, metrics_token=Secret(TOKEN), hook_secret=None, repositories=[*settings.repositories, guarded]
    )
    with running_bot(settings):
        for header in ("", TOKEN, "Bearer", "Bearer another", f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer \xe9"):
            assert ask(settings, "/metrics", Authorization=header)[0] == 401
        status, said = ask(settings, "/metrics", Authorization=f"Bearer {TOKEN}", X_Forwarded_For="192.0.2.7")
        assert (status, "almanac_index_age_max_seconds" in samples(said)) == (200, True)
        assert "secret" not in said and "acme/engine" not in said and TOKEN not in said
        assert push(settings, repository="acme/engine")[0] == 404  # hooks are off
