"""What people write for a repository: a path or an address, told apart and made safe; and what almanac.toml lists."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from urllib.parse import SplitResult, unquote, urlsplit

from bot.errors import RepositoryUnavailable, without_credentials
from bot.index.git import Credentials
from bot.model import Audience, Repository, narrower
from bot.settings import RepositorySettings, Settings
from storage import Store

_SCP_LIKE = re.compile(r"(?P<user>\w[\w.+-]*)@(?P<host>\w[\w.-]*):(?P<path>[^\s:@-][^\s@]*)", re.ASCII)
_ALLOWED = ("https", "ssh", "file")
_USER = re.compile(r"(?<=://)[^/\s]*@")  # a password may hold an @ itself
# A scheme with a slash, or with one too few or a wrong sign before two; a password; a token before a host, unless what
# is written begins as only a path does.
_LIKE_AN_ADDRESS = re.compile(
    r"[a-z][\w+.-]+:/|(?:https?|ssh|git|file)\W{0,3}//|[^/]*//+[^/]*@|[^:]*:.*@|(?![/~.]).*@(?:[\w-]+\.[\w.-]+[:/]|\[)",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"(?:(?:https?|ssh|git|file)\W{0,3})?", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# Where a forge is reached by ssh under another name than its pages have.
_WEB_HOSTS = {
    "ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com", "altssh.bitbucket.org": "bitbucket.org",
    "ssh.dev.azure.com": "dev.azure.com", "vs-ssh.visualstudio.com": "dev.azure.com",
}  # fmt: skip
_BITBUCKET_SERVER = re.compile(r"(?P<before>(?:[\w-]+/)?)scm/(?P<owner>[^/]+)/(?P<name>[^/]+)")  # or by ssh, port 7999


@dataclass(frozen=True, slots=True)
class RepositoryLocation:
    """Where a repository is, and its `branch` and `audience` by its table in almanac.toml. `address` is what git is
    given; no field but the last has anything secret in it."""

    name: str
    location: str
    path: Path | None = None
    address: str | None = None
    web: str | None = None
    branch: str | None = None
    audience: Audience | None = None
    credentials: Credentials | None = None


Where = RepositoryLocation | RepositoryUnavailable  # or why no repository can be there


def place(text: str, name: str | None = None) -> RepositoryLocation:
    """The place that somebody means. Raises RepositoryUnavailable for what no repository can be at.

    An address is https, ssh, file, or git@host:path; anything else with a scheme is refused, because git
    would start programs for some of them (`ext::`). All else is a path.
    """
    text = text.strip()
    if not text or text.startswith("-") or _CONTROL.search(text):
        raise RepositoryUnavailable(
            one_line(_hint(text)) or "''", "is neither a path nor an address: check how it is written"
        )
    if match := _SCP_LIKE.fullmatch(text):
        # Handed to git as it is: seen from a home folder this path is another one than in ssh://host/path.
        return RepositoryLocation(
            name=name or _last_two(match["path"]), location=text, address=text, web=web_page(text)
        )
    if re.match(r"[A-Za-z][\w+.-]*::", text) or re.match(r"[A-Za-z][\w+.-]*://", text):
        return _address(text, name)
    if _LIKE_AN_ADDRESS.match(text):
        raise RepositoryUnavailable(
            _hint(text),
            "is no address: write https://HOST/PATH, ssh://HOST/PATH, git@HOST:PATH or file:///PATH; a path as ./PATH",
        )
    try:
        path = Path(text).expanduser().absolute()
        if ".." in path.parts:
            path = path.resolve()
    except (OSError, RuntimeError) as error:  # a user whose home nobody knows; links that go round
        raise RepositoryUnavailable(text, f"is a path that leads nowhere ({error}): check it") from error
    return RepositoryLocation(name=name or _last_two(_shown(str(path))), location=_shown(str(path)), path=path)


def one_line(text: str) -> str:
    """The text with a question mark for each sign that would break the line, steer a terminal or turn what follows."""
    return text if text.isprintable() else "".join(sign if sign.isprintable() else "?" for sign in text)


def web_page(address: str) -> str | None:
    """The page under which a forge shows what is at an address; None where there can be none."""
    scheme, host, port, path = _parts(address)
    if scheme not in ("https", "ssh") or "." not in host or not re.fullmatch(r"[\w.~/+%-]+", path):
        return None
    host = _WEB_HOSTS.get(host, host)
    if host == "dev.azure.com" and (azure := re.fullmatch(r"v3/([^/]+/[^/]+)/([^/]+)", path)):
        path = f"{azure[1]}/_git/{azure[2]}"
    of_server = _BITBUCKET_SERVER.fullmatch(path if scheme == "https" or port != 7999 else f"scm/{path}")
    if of_server:
        project = (
            f"users/{of_server['owner'][1:]}" if of_server["owner"][0] == "~" else f"projects/{of_server['owner']}"
        )
        path = f"{of_server['before']}{project}/repos/{of_server['name']}"
    return f"https://{host}{f':{port}' if port and scheme == 'https' else ''}/{path}"


def same_for_all(address: str) -> str | None:
    """What all addresses of one repository have in common, by https and by ssh, with a user and without: host and path,
    in small letters; of a path on this disk, the path. None for what is neither."""
    address = address.strip()
    if address.startswith("/"):
        path = re.sub(r"(?:/\.git|\.git)?/*$", "", os.path.normpath(address))
        return f"/{path.lstrip('/')}" if path else None
    scheme, host, _, path = _parts(address)
    if scheme == "file":
        return same_for_all(unquote(urlsplit(address).path))
    path = unquote(path).strip("/").removesuffix(".git").casefold()
    return f"{host}/{path}" if scheme in ("https", "http", "ssh", "git") and host and path else None


def _parts(address: str) -> tuple[str, str, int | None, str]:
    """The scheme, host, port and path of an address, git@host:path as ssh; empty ones of what is none."""
    if match := _SCP_LIKE.fullmatch(address.strip()):
        address = f"ssh://{match['host']}/{match['path'].lstrip('/')}"
    try:
        parts = urlsplit(address.strip())
        return parts.scheme, parts.hostname or "", parts.port, parts.path.strip("/").removesuffix(".git")
    except ValueError:
        return "", "", None, ""


def _address(text: str, name: str | None) -> RepositoryLocation:
    shown = _hint(text) if "@" in text else without_credentials(text)
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError as error:
        # without its reason, which may quote half a password
        raise RepositoryUnavailable(_hint(text), "is no address that can be read: check its host and port") from error
    scheme = parts.scheme.lower()
    if scheme not in _ALLOWED or "::" in text.split("/", 1)[0]:
        raise RepositoryUnavailable(shown, "only https, ssh and file addresses, and paths, are read")
    if scheme == "file":  # whatever follows is a path, with ? and # as signs like others
        netloc, _, path = text.partition("://")[2].partition("/")
        parts = SplitResult(scheme, netloc, f"/{path}", "", "")
    elif parts.query or parts.fragment:
        raise RepositoryUnavailable(shown, "an address of a repository has no ? and no #: leave them out")
    if re.search(r"://(?:[^/].*|.*:.*)@" if scheme == "file" else r"\s|://[^/]*/(?:.*[^/])?@", text):
        raise RepositoryUnavailable(
            _hint(text), "is no address of a repository: write %40 for an @ in its path or password, %20 for a space"
        )
    if not parts.path.strip("/") or (scheme != "file" and not parts.hostname):
        raise RepositoryUnavailable(shown, "is no address of a repository: its host or path is missing")
    if (parts.hostname or "").startswith("-") or (parts.username or "").startswith("-"):
        # ssh would take it for an option
        raise RepositoryUnavailable(shown, "is no address of a repository: its host or user begins with a hyphen")
    credentials = Credentials.of(parts)
    if credentials and _CONTROL.search(f"{credentials.username}{credentials.password}"):
        raise RepositoryUnavailable(shown, "is no address of a repository: its user or password has a line break")
    user = f"{parts.username}@" if scheme == "ssh" and parts.username else ""  # ssh asks for no password of ours
    return RepositoryLocation(
        name=name or _last_two(unquote(parts.path)),
        location=_location(parts),
        address=_USER.sub(lambda _: user, text, count=1),
        web=web_page(text),
        credentials=credentials,
    )


def _hint(text: str) -> str:
    """What of an address that cannot be read is shown: nothing that may be a part of a password."""
    scheme = _SCHEME.match(text)[0]  # type: ignore[index]  # it may match nothing, but it matches
    rest, *more = re.split(r"[?#]", text[len(scheme) :], maxsplit=1)
    if "@" in rest and "@" not in "".join(more):
        return f"{scheme}…@{rest.rpartition('@')[2]}"
    return f"{scheme}…" if ":" in rest or "@" in "".join(more) else scheme + rest


def _location(parts: SplitResult) -> str:
    """The address without its password, and without a user where that may be a token."""
    host = parts.netloc.rpartition("@")[2]
    if parts.scheme == "ssh" and parts.username:
        host = f"{parts.username}@{host}"
    return f"{parts.scheme.lower()}://{host}{parts.path.rstrip('/')}"


def _shown(path: str) -> str:
    """A path as text that can be stored and printed, even where its bytes are no UTF-8."""
    return os.fsencode(path).decode(errors="backslashreplace")


def _last_two(path: str) -> str:
    parts = [part for part in PurePosixPath(path).parts if part != "/"]
    if parts and parts[-1] == ".git":
        parts.pop()
    named = one_line("/".join(parts[-2:]))
    return named.removesuffix(".git") or "repository"


def name_of(table: RepositorySettings) -> str:
    """What a repository is called; one whose address cannot be read, by that."""
    try:
        return place(table.address, table.name).name
    except RepositoryUnavailable as error:
        return table.name or error.repository


def whereabouts(address: str) -> str:
    """What two addresses have in common that lead to one repository: https://host/a/b.git, git@host:a/b and
    ssh://git@host/a/b do, and a path does by whatever links it is written, and as file://."""
    try:
        found = place(address)
    except RepositoryUnavailable:
        return address
    path = str(found.path) if found.path else ""
    if found.location.startswith("file://"):
        path = "/" + unquote(found.location.removeprefix("file://").partition("/")[2])
    return same_for_all(os.path.realpath(path) if path else found.location) or found.location


def named(
    tables: Iterable[RepositorySettings], stored: Sequence[Repository]
) -> list[tuple[RepositorySettings, frozenset[str]]]:
    """Each table with the names of what it is of: its own, and those under which it is indexed from the same place, by
    hand or before almanac.toml knew it."""
    at: dict[str, set[str]] = {}
    for one in stored:
        at.setdefault(whereabouts(one.location), set()).add(one.name)
    return [(one, frozenset({name_of(one)}.union(at.get(whereabouts(one.address), ())))) for one in tables]


def located(text: str, table: RepositorySettings | None = None) -> Where:
    """The place that somebody means, as its table in almanac.toml has it; or why no repository can be there."""
    name = table.name if table else None
    try:
        found = place(text, name)
    except RepositoryUnavailable as error:
        return RepositoryUnavailable(name or error.repository, error.reason)
    return replace(found, branch=table.branch, audience=table.lets_in) if table else found


def readers(audience: Audience | None) -> str:
    """Who an audience is: "#leads, @chiefs"."""
    return " and ".join(", ".join(entries) or "nobody" for entries in audience or ()) or "everyone"


def keep_audiences(
    settings: Settings, store: Store, may_widen: Collection[RepositorySettings] = ()
) -> dict[str, tuple[Audience | None, Audience | None]]:
    """Keep with what is indexed who may read of it, as almanac.toml has it: for whoever reads another. Returns what
    changed, as it was before and is now."""
    stored = store.commits.repositories()
    said: dict[str, Audience | None] = {one.name: None for one in stored}
    wider, listed = set[str](), set[str]()
    for table, names in named(settings.repositories, stored):
        said |= {name: narrower(said.get(name), table.lets_in) for name in names}
        wider |= names if table in may_widen else set()
        listed |= names
    return store.commits.keep_audiences(said, wider, listed if settings.repositories else said)


def tables_by_name(settings: Settings) -> dict[str, RepositorySettings]:
    """Of two with one name the first counts."""
    return {name_of(table): table for table in reversed(settings.repositories)}
