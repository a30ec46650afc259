"""Store → when people were active: in which months they have commits, and who has most of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.ask.people_directory import KnownPeople
from bot.model import Identity, Person
from bot.month.calendar import AnyPeriod, Days, Month, MonthRange, Span
from bot.month.machines import is_bot
from bot.story.wording import listed
from storage import Store


class Activity:
    """Looks into the index, never at a commit. What is dated in the future counts for nothing, and so do the
    repositories in `hidden`."""

    def __init__(
        self,
        store: Store,
        people: KnownPeople,
        zone: ZoneInfo,
        now: datetime,
        bots: Sequence[str],
        hidden: frozenset[str] = frozenset(),
    ) -> None:
        self._store = store
        self._people = people
        self._zone = zone
        self._future = now + timedelta.resolution  # begins there
        self._bots = bots
        self._hidden = sorted(hidden)

    def last_month(self, people: Sequence[Person] | None = None) -> Month | None:
        """The newest month in which anybody, or one of some people, has a commit."""
        identities = identities_of(people) if people is not None else None
        at = self._store.commits.latest(self._future, identities, without=self._hidden)
        return Month.of(at, self._zone) if at else None

    def last_time(self, span: Span) -> Span | None:
        """The newest month in which anybody has a commit; where days are asked for, the newest day before them."""
        if not isinstance(span, Days):
            month = self.last_month()
            return MonthRange(month, month) if month else None
        at = self._store.commits.latest(min(span.bounds(self._zone)[0], self._future), without=self._hidden)
        day = at.astimezone(self._zone).date() if at else None
        return Days(day, day + timedelta(1)) if day else None

    def months(self, person: Person) -> list[Month]:
        """The months a person has commits in, oldest first."""
        times = self._store.commits.latest_of_each(
            lambda at: Month.of(at, self._zone).bounds(self._zone)[0],
            self._future,
            person.identities,
            without=self._hidden,
        )
        return [Month.of(at, self._zone) for at in reversed(times)]

    def most(self, time: AnyPeriod | Span, *, machines: bool = False) -> list[Person]:
        """Who has commits in a month or another time, most first: people, or machines."""
        written = self._store.identities.active(*time.bounds(self._zone), without=self._hidden)

        def total(person: Person) -> int:
            return sum(
                commits
                for one in person.identities
                for repository, commits in written.get((one.name, one.address), {}).items()
                if one.is_of(repository)
            )

        people = [one for one in self._people.shown if total(one) and is_bot(one, self._bots) == machines]
        return sorted(people, key=lambda person: (-total(person), person.name, person.addresses))

    def narrowed(self, people: Sequence[Person], months: Span | None) -> tuple[Person, ...]:
        """Of several people with one name, those with commits in the months, if there are any."""
        if len(people) < 2 or months is None or len({person.name.casefold() for person in people}) > 1:
            return tuple(people)
        start, end = months.bounds(self._zone)
        newest = [self._store.commits.latest(end, person.identities, without=self._hidden) for person in people]
        active = tuple(person for person, at in zip(people, newest, strict=True) if at and at >= start)
        return active or tuple(people)

    def around(self, person: Person, months: Span) -> tuple[Month | None, Month | None]:
        """The months nearest to a time, before and after it, in which a person has commits; None where there is none.

        Costs a look into the index for each identity.
        """
        before, after = self._nearest(person, months)
        return Month.of(before, self._zone) if before else None, Month.of(after, self._zone) if after else None

    def near(self, person: Person, span: Span) -> list[Span]:
        """The nearest times before and after one in which a person has commits: of months months, of days days."""
        found = [at for at in self._nearest(person, span) if at]
        if isinstance(span, Days):
            days = (at.astimezone(self._zone).date() for at in found)
            return [Days(day, day + timedelta(1)) for day in days]
        return [MonthRange(month, month) for month in (Month.of(at, self._zone) for at in found)]

    def nearest(self, person: Person, months: Span) -> list[str]:
        """A sentence on the nearest times, before and after one, in which a person has commits; none has none."""
        near = [one.title for one in self.near(person, months)]
        if not near:
            return []
        what = "day" if isinstance(months, Days) else "month"
        return [f"The nearest active {what}{'s are' if len(near) > 1 else ' is'} {listed(near)}."]

    def _nearest(self, person: Person, span: Span) -> tuple[datetime | None, datetime | None]:
        start, end = span.bounds(self._zone)
        latest = self._store.commits.latest(min(start, self._future), person.identities, without=self._hidden)
        earliest = self._store.commits.earliest(end, person.identities, without=self._hidden)
        return latest, earliest if earliest and earliest < self._future else None


def identities_of(people: Sequence[Person]) -> list[Identity]:
    return [identity for person in people for identity in person.identities]
