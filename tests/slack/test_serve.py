"""`almanac serve` as a process: how it starts, what it says, how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from bot_in_workspace import free_port

from bot.workspace import ThreadedWorkspace
from storage import Store


def serve(workspace: ThreadedWorkspace, store: Store, **environment: str) -> subprocess.Popen[str]:
    known = {
        "SLACK_API_URL": workspace.api_url,
        "SLACK_BOT_TOKEN": workspace.workspace.bot_token,
        "ALMANAC_DB": str(store.path),
        **environment,
    }
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "serve"], env={**os.environ, **known}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.mark.parametrize("token", ["xapp-", "xapp-wrong-secret"])
def test_a_wrong_app_token_ends_it_with_one_line(workspace: ThreadedWorkspace, indexed: Store, token: str) -> None:
    running = serve(workspace, indexed, SLACK_APP_TOKEN=token)
    _, said = running.communicate(timeout=30)
    assert running.returncode == 1
    assert "Slack refused SLACK_APP_TOKEN (invalid_auth)" in said.splitlines()[-1]
    assert "Traceback" not in said and "wrong-secret" not in said


def test_sigterm_ends_it_well(workspace: ThreadedWorkspace, indexed: Store) -> None:
    running = serve(workspace, indexed, SLACK_APP_TOKEN=workspace.workspace.app_token)
    workspace.wait_connected(30)
    running.send_signal(signal.SIGTERM)
    _, said = running.communicate(timeout=30)
    assert running.returncode == 0, said
    assert "stopped" in said and "Traceback" not in said
    assert workspace.workspace.bot_token not in said


def test_a_request_with_a_wrong_signature_leaves_no_token_in_the_log(
    workspace: ThreadedWorkspace, indexed: Store, tmp_path: Path
) -> None:
    port = free_port()
    running = serve(workspace, indexed, SLACK_SIGNING_SECRET="s", PORT=str(port))
    assert running.stderr is not None
    lines = [running.stderr.readline()]
    while "answering by HTTP" not in lines[-1]:
        lines.append(running.stderr.readline())
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/slack/events",
        data=b"token=verification-token&response_url=https%3A%2F%2Fhooks.example%2Fsecret",
        headers={"X-Slack-Signature": "v0=0", "X-Slack-Request-Timestamp": "1"},
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    refused.value.close()
    running.send_signal(signal.SIGTERM)
    _, said = running.communicate(timeout=30)
    assert running.returncode == 0
    assert "verification-token" not in said and "hooks.example" not in said
