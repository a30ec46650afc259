"""What forges deliver, as far as it is read, and how they sign it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

from hypothesis import strategies as st

# Both of GitLab's ways want it: its secret token is the text, its signing token what the text stands for.
SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
NOW = 1_760_000_000.0
AFTER = "f1" * 20
Delivered = tuple[dict[str, str], bytes]


def of_github(ref: str = "refs/heads/main", host: str = "github.com", ssh: str = "git@github.com:") -> dict[str, Any]:
    repository = {
        "full_name": "acme/engine",
        "html_url": f"https://{host}/acme/engine",
        "clone_url": f"https://{host}/acme/engine.git",
        "ssh_url": f"{ssh}acme/engine.git",
        "default_branch": "main",
    }
    return {"ref": ref, "after": AFTER, "repository": repository}


def of_gitea(ref: str = "refs/heads/main") -> dict[str, Any]:
    """Gitea's are GitHub's."""
    return of_github(ref, "git.example.com:3000", "ssh://git@git.example.com:2222/")


def of_gitlab(ref: str = "refs/heads/main", kind: str = "push") -> dict[str, Any]:
    project = {
        "web_url": "https://gitlab.example.com/acme/tools/engine",
        "git_ssh_url": "git@gitlab.example.com:acme/tools/engine.git",
        "git_http_url": "https://gitlab.example.com/acme/tools/engine.git",
        "path_with_namespace": "acme/tools/engine",
        "default_branch": "main",
    }
    return {"object_kind": kind, "event_name": kind, "ref": ref, "after": AFTER, "project": project}


def plain(repository: str = "acme/engine", time: float = NOW, **values: Any) -> dict[str, Any]:
    return {"repository": repository, "ref": "refs/heads/main", "time": time} | values


def hexdigest(secret: str, body: bytes) -> str:
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def from_github(said: Any, event: str = "push", secret: str = SECRET) -> Delivered:
    body = _bytes(said)
    signature = f"sha256={hexdigest(secret, body)}"
    return {"x-github-event": event, "x-hub-signature-256": signature, "content-type": "application/json"}, body


def from_gitea(said: Any, event: str = "push", secret: str = SECRET) -> Delivered:
    body = _bytes(said)
    signature = hexdigest(secret, body)
    return {"x-gitea-event": event, "x-gitea-signature": signature, "content-type": "application/json"}, body


def from_gitlab(said: Any, secret: str = SECRET) -> Delivered:
    """By the secret token, which is sent as it is."""
    return {"x-gitlab-event": "Push Hook", "x-gitlab-token": secret, "content-type": "application/json"}, _bytes(said)


def signed_by_gitlab(said: Any, at: float = NOW, identity: str = "one", secret: str = SECRET) -> Delivered:
    """By the signing token."""
    body, time = _bytes(said), str(int(at))
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{identity}.{time}.".encode() + body, hashlib.sha256).digest()
    signature = f"v1,{base64.b64encode(digest).decode()}"
    headers = {"webhook-id": identity, "webhook-timestamp": time, "webhook-signature": signature}
    return {"x-gitlab-event": "Push Hook", "content-type": "application/json", **headers}, body


def from_plain(said: Any, secret: str = SECRET) -> Delivered:
    body = _bytes(said)
    return {"x-almanac-signature": f"sha256={hexdigest(secret, body)}", "content-type": "application/json"}, body


def _bytes(said: Any) -> bytes:
    return json.dumps(said).encode()


_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
_KEYS = (
    "ref", "repository", "project", "time", "default_branch", "object_kind", "event_name", "clone_url", "full_name",
)  # fmt: skip
_objects = st.recursive(
    _anything, lambda inner: st.dictionaries(st.sampled_from(_KEYS), inner | _anything, max_size=6), max_leaves=12
)
# What anybody who knows the secret may send.
payloads = _objects | st.fixed_dictionaries(dict.fromkeys(_KEYS, _objects))
