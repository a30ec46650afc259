"""The page's API: what a browser on this machine sees, and what one elsewhere does not."""

from __future__ import annotations

import http.client
import json
from contextlib import closing
from http.client import HTTPMessage
from pathlib import Path

import pytest

from bot.workspace import ThreadedWorkspace, server
from bot.workspace.server import PATIENCE

ALLOWED = {
    "nothing said": ({}, 200),
    "localhost": ({"Host": "localhost:8080"}, 200),
    "IPv6": ({"Host": "[::1]:8080"}, 200),
    "a name that leads here": ({"Host": "evil.example"}, 403),
    "a name that begins so": ({"Host": "127.0.0.1.evil.example"}, 403),
    "no name": ({"Host": "[bad"}, 403),
    "a page elsewhere": ({"Origin": "https://evil.example"}, 403),
    "a file": ({"Origin": "null"}, 403),
    "its own page": ({"Host": "localhost:80", "Origin": "http://localhost:80"}, 200),
    "another port": ({"Host": "localhost:80", "Origin": "http://localhost:81"}, 403),
}


def asked(
    slack: ThreadedWorkspace, path: str, body: object = None, headers: dict[str, str] | None = None
) -> tuple[int, str, HTTPMessage]:
    """The status, the text and the headers of an answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", slack.port, timeout=PATIENCE)) as connection:
        said = {"Content-Type": "application/json"} if body else {}
        connection.request("POST" if body else "GET", path, json.dumps(body) if body else None, said | (headers or {}))
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.headers


@pytest.mark.parametrize("who", ALLOWED)
def test_only_this_machines_own_page_is_answered(slack: ThreadedWorkspace, who: str) -> None:
    """A page from elsewhere cannot read or drive the workspace, not even under a name that leads here."""
    headers, status = ALLOWED[who]
    assert asked(slack, "/page/state", headers=headers)[0] == status
    assert asked(slack, "/page/stream", headers=headers)[0] == (400 if status == 200 else status)
    assert asked(slack, "/page/say", {"channel": "C0001", "text": "x"}, headers)[0] == status


def test_only_the_pages_own_files_are_served(
    slack: ThreadedWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scripts and styles of the folder, nothing above it, nothing of another kind."""
    folder = tmp_path / "page"
    folder.mkdir()
    for name in ("index.html", "page.js", "notes.txt", "../above.js"):
        (folder / name).write_text("hello")
    monkeypatch.setattr(server, "FOLDER", folder)
    paths = ("/", "/page/page.js", "/page/index.html", "/page/notes.txt", "/page/..%2fabove.js")
    first, script, *others = (asked(slack, path) for path in paths)
    assert (first[:2], script[0], [status for status, *_ in others]) == ((200, "hello"), 200, [404] * 3)
    assert "default-src 'none'" in first[2]["Content-Security-Policy"] and "javascript" in script[2]["Content-Type"]
    assert asked(slack, "/archives/C0001/p1")[2]["Location"] == "/#C0001/p1"
