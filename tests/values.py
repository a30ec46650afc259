"""Values for tests that need no git: people, commits, repositories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha1
from itertools import count
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints
from zoneinfo import ZoneInfo

from bot.model import Commit, FileChange, Identity, Person, Repository, Said, Signature
from bot.month.joining import JoinRules, Mailmaps
from bot.month.people import in_order
from bot.settings import PersonSettings
from bot.story.documents import (
    ChangesDocument,
    DigestDocument,
    Document,
    MonthDocument,
    PeopleDocument,
    ProfileDocument,
    TopicDocument,
)

UTC_ZONE = ZoneInfo("UTC")
INDEXED = datetime(2025, 11, 5, 9, 0, tzinfo=UTC)
ENGINE, WEB = "acme/engine", "acme/web"
LISTS = (ChangesDocument, TopicDocument, PeopleDocument)
_number = count(1)


def somebody(
    name: str,
    *addresses: str,
    logins: Sequence[str] = (),
    nicknames: Sequence[str] = (),
    slack: str | None = None,
    commits: int = 1,
) -> Person:
    """A person with one identity for each address; without any, one of the first name at example.com."""
    own = addresses or (f"{name.split()[0].casefold()}@example.com",)
    identities = tuple(Identity(name, address, commits) for address in own)
    return Person(name, identities, tuple(logins), tuple(nicknames), slack)


def told_there(texts: Mapping[str, str], identities: Iterable[Identity], where: str = ENGINE) -> list[Identity]:
    """The identities as the .mailmap of each repository tells of them, all of whose commits are in one."""

    def counted(some: Iterable[Identity]) -> dict[tuple[str, str], dict[str, int]]:
        return {(one.name, one.address): {where: one.commits} for one in some}

    return Mailmaps(texts).split(identities, counted)


ADA = somebody("Ada Lovelace")
GRACE = somebody("Grace Hopper", logins=["ghopper"], nicknames=["amazing grace"], slack="U02GRACE")


def sha_of(text: object) -> str:
    """A SHA that is the same in every run."""
    return sha1(str(text).encode(), usedforsecurity=False).hexdigest()


def changed(path: str, additions: int = 5, deletions: int = 1, state: str = "modified") -> FileChange:
    return FileChange(path, state, additions, deletions)  # type: ignore[arg-type]


def commit(
    subject: str = "Add a thing",
    *,
    at: str = "2025-10-03 12:00",
    author: Person = ADA,
    repository: str = ENGINE,
    body: str = "",
    paths: Sequence[str | FileChange] = ("src/engine.py",),
    merge: bool = False,
    sha: str | None = None,
) -> Commit:
    """A commit, `at` in UTC unless it says otherwise."""
    moment = datetime.fromisoformat(at)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    when, offset = int(moment.timestamp()), int((moment.utcoffset() or timedelta()).total_seconds()) // 60
    one = author.identities[0]
    signature = Signature(one.name, one.address, when, offset)
    parents = ("1" * 40, "2" * 40) if merge else ("1" * 40,)
    files = () if merge else tuple(path if isinstance(path, FileChange) else changed(path) for path in paths)
    named = sha or sha_of((subject, at, one.address, body, merge))
    return Commit(repository, named, parents, signature, signature, subject, body, files)


def another_commit(subject: str = "Add a thing", **more: object) -> Commit:
    """A commit that no other in the test equals."""
    return commit(subject, sha=sha_of(next(_number)), **more)  # type: ignore[arg-type]


def indexed(name: str, **more: object) -> Repository:
    """A repository of GitHub's, indexed at INDEXED."""
    web = f"https://github.com/{name}"
    known: dict[str, object] = {"location": web, "web": web, "indexed_at": INDEXED, **more}
    return Repository(name, **known)  # type: ignore[arg-type]


Json = dict[str, Any]


def read(document: Json) -> Document:
    """A document of its JSON."""
    if "sort" in document:
        kind: Any = {kind.template: kind for kind in LISTS}[document["sort"]]
    else:
        kind = DigestDocument if "digest" in document else ProfileDocument if "paragraph" in document else MonthDocument
    found: Document = _read(kind, document)
    return found


def _read(wanted: Any, value: Any) -> Any:
    """A value of its JSON, by the type that a document has for it."""
    inner = get_args(wanted)
    if get_origin(wanted) in (UnionType, Union):
        return None if value is None else _read(inner[0], value)
    if get_origin(wanted) is tuple:
        return tuple(_read(inner[0], one) for one in value)
    if not is_dataclass(wanted):
        return value
    assert isinstance(wanted, type)
    names = {one.name: one.name.rstrip("_") for one in fields(wanted)}
    types = get_type_hints(wanted)
    return wanted(**{name: _read(types[name], value[key]) for name, key in names.items() if key in value})


def everyone(
    identities: Iterable[Identity],
    named: Sequence[PersonSettings] = (),
    links: Iterable[Said] = (),
    mailmaps: Mailmaps | None = None,
) -> list[Person]:
    """The people behind the identities, in order of name, then first address."""
    rules = JoinRules(named, links, mailmaps)
    return in_order(rules.joined(identities))
