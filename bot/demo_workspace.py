"""The workspace of `almanac demo`: whose work is shown, who is in it, and which channels it has."""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.ask.queries import Queries
from bot.errors import AlmanacError
from bot.model import Person
from bot.month.addresses import noreply_login
from bot.month.calendar import Month
from bot.settings import Settings
from bot.slack.answering import SUBCOMMANDS
from bot.story.wording import clean
from bot.workspace import BOT_USER_ID, ThreadedWorkspace, Workspace, WorkspaceChannel, WorkspaceUser
from bot.workspace.page import PageOffers

CHANNEL = "shipped"
PORT = 8765  # the page's, if it is free and no other is asked for
MEMBERS = 12  # of the most active developers, who become the workspace's people
ADMIN = "U0DEMOADMIN"  # the lead's id, where the settings name none
GUEST = WorkspaceUser(id="U0DEMOGUEST", name="gil", real_name="Gil Guest", is_restricted=True)
MANIFEST = Path(__file__).parent.parent / "manifest.json"


@dataclass(frozen=True, slots=True)
class Cast:
    """Who and what the demonstration is about."""

    month: Month
    lead: Person  # the most active developer of the month
    before: Month | None  # the lead's active month before that
    people: tuple[Person, ...]
    private: tuple[Private, ...] = ()


@dataclass(frozen=True, slots=True)
class Private:
    """A private channel, the names of who is in it, and a repository that is shown there and nowhere else."""

    channel: str
    people: tuple[str, ...]
    repository: str


def cast_of(queries: Queries, settings: Settings, *, is_sample: bool) -> Cast:
    """Raises AlmanacError where there is nothing to show."""
    month = queries.present() - 1 if is_sample else queries.activity.last_month()
    if month is None:
        raise AlmanacError("no commit could be indexed, so there is nothing to show: see the lines above")
    active = queries.activity.most(month)
    if not active:
        raise AlmanacError(f"in {month.title}, the last active month, only machines wrote commits: name another REPO")
    people = list(active)
    earlier = month
    while len(people) < MEMBERS and earlier > month - 12:
        earlier -= 1
        people += [person for person in queries.activity.most(earlier) if person not in people]
    before = [one for one in queries.activity.months(active[0]) if one < month]
    return Cast(month, active[0], before[-1] if before else None, tuple(people[:MEMBERS]), tuple(_private(settings)))


def _private(settings: Settings) -> Iterator[Private]:
    """The channels that audiences list. In one are the people of the team of its name."""
    for table in settings.repositories:
        for entry in table.audience if isinstance(table.audience, list) else ():
            name = entry.removeprefix("#")
            if entry.startswith("#") and (team := settings.team(name)):
                yield Private(name, tuple(team.people), table.name or table.address)


def open_workspace(cast: Cast, host: str, port: int | None) -> ThreadedWorkspace:
    """The workspace with its page, on the port that is named, or one that is free. Raises AlmanacError."""
    users = [
        WorkspaceUser(
            name=login_of(person, number),
            real_name=clean(person.name),
            email=person.addresses[0] if person.addresses else "",
            is_admin=number == 0,
            id=person.slack or ("" if number else ADMIN),
        )
        for number, person in enumerate(cast.people)
    ]
    name = clean(cast.lead.name)
    suggestions = [
        f"What did {name} do in {cast.month.title}?",
        f"What shipped in {cast.month.title}?",
        f"/almanac month @{name} {cast.month}",
        *([f"{name} since {cast.before}"] if cast.before else []),
        "help",
    ]
    workspace = Workspace([*users, GUEST], name="Almanac demo", channels=[])
    members = frozenset(workspace.users) - {GUEST.id}  # where a guest reads along, the bot tells nothing
    for channel in (
        WorkspaceChannel(name="general", members=members),
        WorkspaceChannel(name=CHANNEL, topic="What was done, month by month", members=members),
        WorkspaceChannel(name="partners", is_ext_shared=True),
        *(_channel(one, workspace) for one in cast.private),
    ):
        workspace.add_channel(channel)
    trouble: OSError | None = None
    for number in (PORT, 0) if port is None else (port,):
        opened = ThreadedWorkspace(
            workspace,
            offered=PageOffers(suggestions, _shortcuts(), _subcommands()),
            host=host,
            port=number,
        )
        try:
            opened.start()
        except OSError as error:
            trouble = error
        else:
            return opened
    if trouble and port and trouble.errno == errno.EADDRINUSE:
        raise AlmanacError(f"port {port} is taken: name another with --port, or none, and a free one is chosen")
    if trouble and port and trouble.errno == errno.EACCES:
        raise AlmanacError(f"port {port} may not be opened by you: name one from 1024 on with --port")
    raise AlmanacError(f"no port could be opened on {host}: set HOST to an address of this machine")


def _channel(private: Private, workspace: Workspace) -> WorkspaceChannel:
    members = {user.id for user in workspace.users.values() if user.real_name in private.people}
    topic = f"Where {private.repository} may be shown"
    return WorkspaceChannel(
        name=private.channel, topic=topic, is_private=True, members=frozenset(members | {BOT_USER_ID})
    )


def _shortcuts() -> list[dict[str, Any]]:
    """The app's shortcuts, as its manifest has them; none where the package is installed without it."""
    if not MANIFEST.is_file():
        return []
    return list(json.loads(MANIFEST.read_text("utf-8"))["features"].get("shortcuts", []))


def _subcommands() -> list[dict[str, str]]:
    return [{"text": one.name, "arguments": one.example, "description": one.description} for one in SUBCOMMANDS]


def login_of(person: Person, number: int) -> str:
    """What somebody is called in the workspace, as number so many of its people."""
    if person.slack and person.logins:
        return person.logins[0]
    address = person.addresses[0] if person.addresses else ""
    login = noreply_login(address) or address.partition("@")[0] or "member"
    return re.sub(r"[^a-z0-9._-]", "", login.lower()) + (f".{number}" if number else "")
