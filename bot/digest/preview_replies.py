"""The document of a digest, made with what its people said of their parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.ask.activity import identities_of
from bot.ask.answer import Almanac
from bot.digest.previews import PreviewReplies, told_with
from bot.digest.schedule import Schedule
from bot.model import Person, Signatures
from bot.month.calendar import Period
from bot.month.people import is_bot
from bot.settings import Settings
from bot.story.digest import of_machines
from bot.story.document import Document
from storage import Store


def digest_with(
    said: PreviewReplies,
    almanac: Almanac,
    settings: Settings,
    store: Store,
    schedule: Schedule,
    period: Period,
    repositories: Sequence[str],
    members: Sequence[Person] | None,
    called: str,
    hidden: frozenset[str],
) -> Document:
    """The document of a digest with what people said of it: without those who are left out, whose commits are
    counted in a note. `members` are those of a user group, which is `called` something."""
    if said.users:
        almanac = almanac.set_apart(*said.users)
        if members is not None:  # who they are now that some are set apart
            theirs = Signatures(identity for one in members for identity in one.identities)
            members = [one for one in almanac.people() if one.signatures.overlaps(theirs)]
    if not said.left_out:
        return told_with(almanac.digest(period, schedule.team, repositories, members=members, called=called), said, 0)
    table = settings.team(schedule.team) if schedule.team else None
    people = almanac.people()
    base = [one for one in people if one.name in table.people] if table else people if members is None else members
    gone = [one for one in base if any(user.touches(one) for user in said.left_out)]
    start, end = period.bounds(almanac.zone)

    def commits_of(some: Sequence[Person]) -> int:
        identities, named = identities_of(some), list(repositories) or None
        theirs = store.commits.between(start, end, identities=identities, repositories=named)
        return len({one.sha for one in theirs if one.repository not in hidden})

    document = almanac.digest(
        period,
        None,
        repositories,
        members=[one for one in base if one not in gone],
        called=schedule.team or called,
    )
    if table is None and members is None:  # of everyone, as which it is no longer made
        machines = {one: number for one in people if is_bot(one, settings.bots) and (number := commits_of([one]))}
        document["machines"] = of_machines(machines, sum(machines.values())) if machines else ""
    left_out = tuple(user for user in said.left_out if any(map(user.touches, gone)))
    return told_with(document, replace(said, left_out=left_out), commits_of(gone) if gone else 0)
