"""What people write for a repository: a path or an address, told apart and made safe. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from bot.errors import RepositoryUnavailable

_SCP_LIKE = re.compile(r"(?P<user>[\w.+-]+)@(?P<host>[\w.-]+):(?P<path>[^\s:/][^\s]*)")
_ALLOWED = ("https", "ssh", "file")
_CREDENTIALS = re.compile(r"(?<=://)[^/\s@]+@")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a repository is. `address` may hold credentials and is for git alone; `location` never does."""

    name: str
    location: str
    path: Path | None = None
    address: str | None = None
    web: str | None = None


def place(text: str, name: str | None = None) -> Place:
    """The place that somebody means. Raises RepositoryUnavailable for what no repository can be at.

    An address is https, ssh, file, or git@host:path; anything else with a scheme is refused, because git
    would start programs for some of them (`ext::`). All else is a path.
    """
    text = text.strip()
    if not text or text.startswith("-") or "\0" in text or "\n" in text:
        raise RepositoryUnavailable(without_credentials(text) or "''", "is neither a path nor an address")
    if match := _SCP_LIKE.fullmatch(text):
        text = f"ssh://{match['user']}@{match['host']}/{match['path']}"
    if re.match(r"[A-Za-z][\w+.-]*::", text) or re.match(r"[A-Za-z][\w+.-]*://", text):
        return _address(text, name)
    path = Path(text).expanduser().absolute()
    return Place(name=name or _last_two(str(path)), location=str(path), path=path)


def without_credentials(text: str) -> str:
    """The text with the user and password of every address in it left out."""
    return _CREDENTIALS.sub("", text)


def web_page(address: str) -> str | None:
    """The page under which a forge shows what is at an address; None where there can be none."""
    if match := _SCP_LIKE.fullmatch(address.strip()):
        address = f"ssh://{match['host']}/{match['path']}"
    try:
        parts = urlsplit(address.strip())
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme not in ("https", "ssh") or not host or "." not in host:
        return None
    path = parts.path.strip("/").removesuffix(".git")
    return f"https://{host}/{path}" if re.fullmatch(r"[\w.~/+-]+", path) else None


def _address(text: str, name: str | None) -> Place:
    shown = without_credentials(text)
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError as error:
        raise RepositoryUnavailable(shown, f"is no address that can be read ({error})") from error
    if parts.scheme.lower() not in _ALLOWED or "::" in text.split("/", 1)[0]:
        raise RepositoryUnavailable(shown, "only https, ssh and file addresses, and paths, are read")
    if not parts.path.strip("/") or (parts.scheme != "file" and not parts.hostname):
        raise RepositoryUnavailable(shown, "is no address of a repository: its host or path is missing")
    if (parts.hostname or "").startswith("-") or (parts.username or "").startswith("-"):
        raise RepositoryUnavailable(shown, "is no address of a repository")  # ssh would take it for an option
    return Place(
        name=name or _last_two(unquote(parts.path)),
        location=_location(parts),
        address=text,
        web=web_page(text),
    )


def _location(parts: SplitResult) -> str:
    """The address without its password, and without a user where that may be a token."""
    host = parts.netloc.rpartition("@")[2]
    if parts.scheme == "ssh" and parts.username:
        host = f"{parts.username}@{host}"
    return urlunsplit((parts.scheme.lower(), host, parts.path.rstrip("/"), "", ""))


def _last_two(path: str) -> str:
    parts = [part for part in PurePosixPath(path).parts if part != "/"]
    if parts and parts[-1] == ".git":
        parts.pop()
    named = "/".join(parts[-2:])
    return named.removesuffix(".git") or "repository"
