"""A commit → the change that its author's month tells it in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.ask.people_directory import KnownPeople
from bot.model import Change, Commit, Dates, Identity, Signatures
from bot.month.calendar import Month
from bot.month.changes import month_changes
from bot.month.histories import History


@dataclass(frozen=True, slots=True)
class ChangeLookup:
    """Finds changes as they are by the rules, whatever was said of them by hand. `beside` is what else there is of an
    author's month, and `histories` are those of all of these and of what is tied to them; a merge has none."""

    beside: Sequence[Commit]
    histories: Mapping[tuple[str, str], History]
    people: KnownPeople
    zone: ZoneInfo
    dates: Dates

    def change_of(self, commit: Commit, until: datetime | None) -> Change:
        """The change that its author's month tells a commit in, which is no merge, as it stood at a time."""
        month = Month.of(commit.dated(self.dates).at, self.zone)
        theirs = {(one.repository, one.sha): one for one in [*self._theirs(commit), *self.beside]}
        of_month = [one for one in theirs.values() if Month.of(one.dated(self.dates).at, self.zone) == month]
        changes = month_changes(of_month, self.histories, until, self.people.name_of)
        return next(change for change in changes if commit in change.commits)

    def _theirs(self, commit: Commit) -> list[Commit]:
        """The commits of histories that the author of one of them has written, alone or with others."""
        person = self.people.author(commit)
        own = person.signatures if person else Signatures([Identity(*commit.author.who)])
        each = {id(history): history for history in self.histories.values()}.values()
        every = {(one.repository, one.sha): one for history in each for one in history.commits}
        return [one for one in every.values() if one in own or self._has_helped(own, one)]

    def _has_helped(self, own: Signatures, commit: Commit) -> bool:
        """Whether a trailer names somebody, by their identities, as a co-author."""
        return any(own.overlaps(who.signatures) for who in self.people.coauthors(commit))
