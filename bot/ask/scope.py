"""What a query may be limited to, read and looked up once: of whom, what, where and when it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, Literal, Self, TypedDict, TypeVar

from bot.ask.readable_index import ReadableIndex
from bot.ask.sought import MOST_ALTERNATIVES, SAID_AS, Sought
from bot.errors import AlmanacError
from bot.model import Kind, Person, Repository
from bot.month.calendar import AnyPeriod, Days, parse_any_period
from bot.month.credits import is_bot
from bot.month.people import of_one_name
from bot.month.releases import LATEST, NEWEST
from bot.story.lines import distinct_names
from bot.wording import KINDS, clean, listed
from storage.search import words_in

if TYPE_CHECKING:
    from bot.ask.releases import Released

Named = str | Person
Default = Literal["last month", "if sought", "ever"]  # the time of a query that names none
When = AnyPeriod | str | None
TAGS = "tags:"  # before what is a tag, whatever it looks like
Index = TypeVar("Index", bound=ReadableIndex)
MOST_CALLED = 8  # people whom a name may mean
_KIND_CALLED: Mapping[str, Kind] = {
    word: kind for kind, words in KINDS.items() for word in (kind, f"{kind}s", *words[1:], words[0].casefold())
}
_YEAR = re.compile(r"(?:19|20)\d\d")
_BOTS = ("bot", "bots", "machines")


class Limits(TypedDict, total=False):
    """What every query may be limited to; the manual of `bot.ask.queries` says how."""

    repositories: Sequence[str]
    topic: str | None
    topic_in: Literal["subject", "body", "path"] | None
    paths: Sequence[str]
    only: bool
    without: Sequence[str]
    team: str | None
    bots: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope(Generic[Index]):
    """What a query is limited to, looked up once. `index` reads nothing else. `span` is None of any time."""

    index: Index
    repositories: tuple[str, ...]
    every: Sequence[Repository]
    span: Days | None
    released: tuple[Released, ...] = ()
    team: str | None = None
    members: Sequence[Person] | None = None
    notes: tuple[str, ...] = ()

    @property
    def sought(self) -> Sought:
        return self.index.sought

    @property
    def time(self) -> Days:
        return self.span or self.index.always

    @property
    def shas(self) -> frozenset[str]:
        """What the releases hold."""
        return frozenset().union(*(one.shas for one in self.released))

    @property
    def about(self) -> str:
        """What it is limited to, as it follows whose changes they are."""
        release = f" in {self.index.releases.title(self.released)}" if self.released else ""
        return f"{self.sought.in_words}{release}"

    @property
    def place(self) -> str:
        """Of whom, and where, it is, if not of everyone everywhere."""
        if not (self.team or self.repositories or self.sought.skipped):
            return ""
        named = ", ".join(filter(None, [self.team, listed(list(self.repositories))]))
        return clean(self.sought.titled(named or "everyone"))


class ScopedIndex(ReadableIndex):
    """The index, with what limits a query looked up in it."""

    @property
    def _last_month(self) -> Days:
        return Days.of(self.present() - 1)

    def _when(self, span: When, repositories: Sequence[str]) -> tuple[Days | None, tuple[Released, ...]]:
        """A time, or what a tag names. Raises AlmanacError."""
        if span is None:
            return None, ()
        read = time_or_tags(span)
        if isinstance(read, str):
            return None, tuple(self.releases.asked(read, repositories))
        return read, ()

    def _person(self, one: Named, scope: Scope[Self]) -> Person:
        if isinstance(one, Person):
            return self.shown(one)
        return self.person(one, scope.span or self.present())

    def _scope(
        self, span: When, limits: Limits, kinds: tuple[Kind, ...] = (), *,
        default: Default = "last month", mentions: bool = False,
    ) -> Scope[Self]:  # fmt: skip
        """What a query is limited to. With nothing for a span it is last month, or any time where that is the
        `default`, always or if something is looked for."""
        repositories = tuple(map(self._repository, limits.get("repositories", ()) or ()))
        topics, paths = self._topics(limits.get("topic") or "", limits)
        without, notes = self._without(limits.get("without", ()) or ())
        sought = replace(
            without, topic=topics, topic_in=limits.get("topic_in"), paths=paths, only=bool(limits.get("only")),
            kinds=kinds, mentions=mentions,
        )  # fmt: skip
        every = [one for one in self.named(repositories) if one.name not in sought.without_repositories]
        when, released = self._when(span, [one.name for one in every] if sought.without_repositories else repositories)
        if released:
            repositories = tuple(one.repository for one in released)
        elif when is None and not (default == "ever" or (default == "if sought" and sought.is_positive)):
            when = self._last_month
        named, members = limits.get("team"), None
        if named:
            team = next((one for one in self.teams() if one.casefold() == named.casefold()), None)
            if team is None:
                there = listed(list(map(clean, self.teams())))
                raise AlmanacError(f"There is no team called “{clean(named)}”{f'; there is {there}' if there else ''}.")
            named, members = team, self.members(team)
        return Scope(
            index=self.about(sought), repositories=repositories, every=every, span=when,
            released=released, team=named or None, members=members, notes=tuple(notes),
        )  # fmt: skip

    def _topics(self, topic: str, limits: Limits) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The alternatives of a topic, and paths. Raises AlmanacError where nothing could be looked for."""
        topics = [part for one in topic.split(" OR ") if any(map(str.isalnum, part := one.strip()))]
        paths = [part for one in limits.get("paths", ()) or () if (part := one.strip())]
        if topic and not topics and not paths:
            raise AlmanacError(f"“{clean(topic)[:80]}” has no word that could be looked for.")
        if paths and not limits.get("topic_in"):  # on the optimizer, in src/optimizer, is what is in there
            named = {word for one in paths for word in words_in(one.strip("/ ").rpartition("/")[2])}
            topics = [one for one in topics if not named.issuperset(words_in(one))]
        if topics and not paths and all(map(self.is_path, topics)):
            topics, paths = [], topics
        elif len(topics) == 1:
            topics += SAID_AS.get(topics[0].casefold(), ())
        return tuple(topics[:MOST_ALTERNATIVES]), tuple(paths)

    def _repository(self, name: str) -> str:
        """A repository by its name, or by the last part of it that it alone has."""
        wanted = name.strip().casefold()
        known = [one.name for one in self.repositories]
        found = [one for one in known if one.casefold() == wanted]
        found = found or [one for one in known if one.casefold().rpartition("/")[2] == wanted]
        return found[0] if len(found) == 1 else name

    def _without(self, without: Sequence[str]) -> tuple[Sought, list[str]]:
        """What is left without some people, repositories, topics, paths and kinds; notes say of what there is
        nothing."""
        sought, notes, known = Sought(), list[str](), {one.name for one in self.repositories}
        for one in filter(None, (text.strip() for text in without)):
            kind, called = _KIND_CALLED.get(one.casefold(), "chore"), self.known.directory.exactly(one)
            if kind != "chore":
                sought = replace(sought, without_kinds=(*sought.without_kinds, kind))
            elif (place := self._repository(one)) in known:
                sought = replace(sought, without_repositories=sought.without_repositories | {place})
            elif len(of_one_name(called)) > 1:
                some = listed(distinct_names(called[:MOST_CALLED]), "or")
                notes.append(f"“{clean(one)}” may be {clean(some)}: nobody was left out for it.")
            elif called:
                people = [each for each in called if not self.known.is_hidden(each)]
                sought = replace(sought, without_people=(*sought.without_people, *people))
            elif one.casefold() in _BOTS:
                bots = [each for each in self.known.everyone if is_bot(each, self.settings.bots)]
                sought = replace(sought, without_bots=tuple(bots))
            elif self.is_path(one):
                sought = replace(sought, without_paths=(*sought.without_paths, one))
            elif self.is_said(one):
                topics = (one, *SAID_AS.get(one.casefold(), ()))
                sought = replace(sought, without_topics=(*sought.without_topics, *topics))
            elif self.hidden:  # of which it may be one
                notes.append("Not all that was to be left out is known here.")
            else:
                notes.append(f"Nobody and nothing is called “{clean(one)}”, so nothing was left out for it.")
        return sought, notes


def several(people: Named | Sequence[Named]) -> Sequence[Named]:
    return [people] if isinstance(people, str | Person) else people


def time_or_tags(span: AnyPeriod | str) -> Days | str:
    """A time, or the name of a tag or two. Raises AlmanacError where it can be neither."""
    if not isinstance(span, str):
        return Days.of(span)
    if span.startswith(TAGS):
        return span.removeprefix(TAGS)
    with suppress(ValueError):
        return Days.of(parse_any_period(f"{span}-01..{span}-12" if _YEAR.fullmatch(span) else span))
    if not any(map(str.isdigit, span)) and span not in (LATEST, NEWEST):
        words = "write 2026-03, 2026-03-01..2026-03-14, or a tag such as v2.5"
        raise AlmanacError(f"“{clean(span)}” is no time: {words}")
    return span
