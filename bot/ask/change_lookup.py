"""A commit → the change that its author's month tells it in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.ask.people_directory import People
from bot.model import Change, Commit, Dates, Identity, Signatures
from bot.month.calendar import Month
from bot.month.changes import month_changes
from bot.month.histories import History
from bot.month.trailers import credits_of


def told_in(
    commit: Commit,
    beside: Sequence[Commit],
    histories: Mapping[tuple[str, str], History],
    people: People,
    zone: ZoneInfo,
    dates: Dates,
    until: datetime | None,
) -> Change:
    """The change that its author's month tells a commit in, which is no merge, as by the rules: whatever was said of
    it by hand. For `beside` and `histories` see `bot.ask.explain.explained`."""
    month = Month.of(commit.dated(dates).at, zone)
    theirs = {(one.repository, one.sha): one for one in [*_theirs(commit, histories, people), *beside]}
    view = [one for one in theirs.values() if Month.of(one.dated(dates).at, zone) == month]
    changes = month_changes(view, histories, until, people.name_of)
    return next(change for change in changes if commit in change.commits)


def _theirs(commit: Commit, histories: Mapping[tuple[str, str], History], people: People) -> list[Commit]:
    """The commits of histories that the author of one of them has written, alone or with others."""
    person = people.author(commit)
    own = person.signatures if person else Signatures([Identity(*commit.author.who)])
    each = {id(history): history for history in histories.values()}.values()
    every = {(one.repository, one.sha): one for history in each for one in history.commits}
    return [one for one in every.values() if one in own or _has_helped(own, one, people)]


def _has_helped(own: Signatures, commit: Commit, people: People) -> bool:
    """Whether a trailer names somebody, by their identities, as a co-author."""
    credited = [one for one in credits_of(commit.body) if one.role == "coauthor"]
    named = people.resolver.credited(credited, repository=commit.repository) if credited else ()
    return any(own.overlaps(who.signatures) for _, who in named)
