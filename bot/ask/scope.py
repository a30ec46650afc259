"""What a query is limited to: of whom, what, where and when it is, and which commits that holds.

It is looked up once, by `scoped`, in the rights of whoever asks; what is left out of is read by words alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypedDict, TypeVar

from bot.errors import AlmanacError
from bot.model import Commit, Key, Kind, Person
from bot.month.calendar import AnyPeriod, Days, parse_any_period
from bot.month.credits import is_bot
from bot.month.paths import Place, places_of
from bot.month.people import of_one_name
from bot.month.releases import LATEST, NEWEST
from bot.story.lines import SHORT, distinct_names
from bot.story.lists import Where
from bot.wording import KINDS, clean, count, listed, listed_few
from storage import Store
from storage.search import begins_of, is_said, is_signed, words_in, words_of

if TYPE_CHECKING:
    from bot.ask.readable_index import ReadableIndex
    from bot.ask.releases import Released

Index = TypeVar("Index", bound="ReadableIndex")
Named = str | Person
Default = Literal["last month", "if sought", "ever"]  # the time of a query that names none
When = AnyPeriod | str | None
TAGS = "tags:"  # before what is a tag, whatever it looks like
MOST_CALLED = 8  # people whom a name may mean
MOST_ALTERNATIVES = 12  # of a topic: for each all paths are looked through
MOST_NAMED = 4  # of them, where it is said what a list is about
SHARE = 3  # at least every third file of a commit has the words of a topic in its path
SAID_AS: Mapping[str, Sequence[str]] = {  # how titles say it, too
    "security": ("CVE", "GHSA", "vulnerability"), "cves": ("CVE",), "ghsas": ("GHSA",),
    "advisories": ("CVE", "GHSA", "advisory"), "dependency": ("deps",), "dependencies": ("deps",),
}  # fmt: skip
_OF_KIND: Mapping[str, frozenset[Place]] = {  # where all files of a change lie that is of nothing else
    "docs": frozenset({"docs"}), "test": frozenset({"test"}), "ci": frozenset({"ci"}),
    "build": frozenset({"build", "version", "settings"}), "release": frozenset({"version"}),
}  # fmt: skip
_KIND_CALLED: Mapping[str, Kind] = {
    word: kind for kind, words in KINDS.items() for word in (kind, f"{kind}s", *words[1:], words[0].casefold())
}
_ADVISORY = re.compile(r"\b(?:CVE-\d{4}-\d{3,}|GHSA(?:-\w{4}){3})\b", re.IGNORECASE)
_SAID_IN = {"subject": "in the title", "body": "in the body", "path": "in the path"}
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
class Scope:
    """What a query is limited to, looked up once. `span` is None of any time, and where `released` is what it is of;
    `members` are the people of the `team`.

    A topic is alternatives of words that all must be there, in one place if it is named; paths are files or folders.
    With `only` all files of a commit are in the paths, or of the sort that `kinds` are. Unless it `mentions`, what only
    mentions the topic in its body is left out where anything else is about it. `notes` are on what was not found.
    """

    repositories: tuple[str, ...] = ()
    span: Days | None = None
    released: tuple[Released, ...] = ()
    team: str = ""
    members: tuple[Person, ...] | None = None
    topic: tuple[str, ...] = ()
    topic_in: Where | None = None
    paths: tuple[str, ...] = ()
    only: bool = False
    kinds: tuple[Kind, ...] = ()
    without_topics: tuple[str, ...] = ()
    without_paths: tuple[str, ...] = ()
    without_kinds: tuple[Kind, ...] = ()
    without_people: tuple[Person, ...] = ()
    without_bots: tuple[Person, ...] = ()  # what they wrote is left out also where somebody wrote it with them
    without_repositories: frozenset[str] = frozenset()
    mentions: bool = False
    notes: tuple[str, ...] = ()

    @property
    def is_sought(self) -> bool:
        """Whether it can be looked for: it is not only said what is left out."""
        return bool(self.topic or self.paths)

    @property
    def is_selective(self) -> bool:
        """Whether commits must be looked at to know; not for what some people wrote, or some repositories have."""
        is_only = self.only and not _OF_KIND.keys().isdisjoint(self.kinds)
        return self.is_sought or is_only or bool(self.without_topics or self.without_paths or self.without_kinds)

    @property
    def shas(self) -> frozenset[str]:
        """What the releases hold."""
        return frozenset().union(*(one.shas for one in self.released))

    @property
    def place(self) -> str:
        """Of whom, and where, it is, if not of everyone everywhere."""
        if not (self.team or self.repositories or self.skipped):
            return ""
        named = ", ".join(filter(None, [self.team, listed(list(self.repositories))]))
        return clean(self.titled(named or "everyone"))

    @property
    def in_words(self) -> str:
        """ " on “cache” in src/ without docs": as it follows whose changes they are."""
        said = [f"on {listed([f'“{clean(one)}”' for one in self.topic], 'or')}"] if self.topic else []
        said += [_SAID_IN[self.topic_in]] if self.topic_in else []
        where = listed(list(map(clean, self.paths)), "or")
        said += [f"in {'nothing but ' if self.only else ''}{where}"] if where else []
        out = [*(KINDS[kind][2] for kind in self.without_kinds), *(f"“{clean(one)}”" for one in self.without_topics)]
        out += map(clean, self.without_paths)
        said += [f"without {listed(out)}"] if out else []
        return "".join(f" {one}" for one in said)

    @property
    def skipped(self) -> str:
        """The people and the repositories that it is without."""
        people = [*distinct_names(self.without_people), *(["bots"] if self.without_bots else [])]
        return listed(list(map(clean, (*people, *sorted(self.without_repositories)))))

    def titled(self, title: str) -> str:
        """A title of what is left: "everyone without Grace Hopper"."""
        return f"{title} without {self.skipped}" if self.skipped else title

    def skips(self, commit: Commit) -> bool:
        """Whether a commit is of somebody, or of a repository, that it is without."""
        return commit.repository in self.without_repositories or any(
            commit in person.signatures for person in (*self.without_people, *self.without_bots)
        )

    def inside(self, commits: Iterable[Commit]) -> Callable[[str], bool] | None:
        """Which files count, as they are called in some commits: those in its paths but for those that are left out;
        None for all."""
        if not (self.paths or self.without_paths):
            return None
        every = list(commits)
        is_in, is_out = _within(self.paths or ("",), every), _within(self.without_paths, every)
        return lambda path: is_in(path) and not is_out(path)

    def holding(
        self, commits: Sequence[Commit], store: Store, kind_of: Callable[[Commit], Kind]
    ) -> tuple[dict[Key, Where], list[str]]:
        """Where those of some commits that it holds have the topic; with notes on what only mentions it."""
        left = self._left(commits, store, kind_of)
        if not self.topic:
            return {one.key: "subject" for one in left}, []
        found = _places(self.topic, left, store, self.topic_in)
        advisory = {one.key for one in left if {"CVE", "GHSA"}.intersection(self.topic) and _ADVISORY.search(one.body)}
        about: dict[Key, Where] = {k: place for k, place in found.items() if place != "body" or k in advisory}
        mere = [one.sha[:SHORT] for one in left if one.key in found and one.key not in about]
        if mere and not (about or self.topic_in):
            return found, ["No title and no path says it: the messages of these only mention it."]
        if self.topic_in or self.mentions or not mere:
            return found, []
        only = f"{count(len(mere), 'other commit')} only mention{'s' if len(mere) == 1 else ''}"
        return about, [f"{only} it in the message: {listed_few(mere, MOST_NAMED)}."]

    def _left(self, commits: Sequence[Commit], store: Store, kind_of: Callable[[Commit], Kind]) -> list[Commit]:
        """The commits that are in its paths, and of nothing that it is without."""
        is_in, is_out = _within(self.paths or ("",), commits), _within(self.without_paths, commits)
        places = frozenset[Place]().union(*(_OF_KIND.get(kind, ()) for kind in self.kinds if self.only))
        shas = self.shas

        def holds(one: Commit) -> bool:
            files = [file for file in one.files if is_in(file.path) or (file.old_path and is_in(file.old_path))]
            if one.is_merge or (self.released and one.sha not in shas):
                return False
            if self.paths and not (files and (not self.only or len(files) == len(one.files))):
                return False
            if places and not (one.files and places_of(one) <= places):
                return False
            if files and self.without_paths and all(is_out(file.path) for file in files):
                return False
            return not (self.without_kinds and kind_of(one) in self.without_kinds)

        left = list(filter(holds, commits))
        if not self.without_topics:
            return left
        named = _places(self.without_topics, left, store)
        words = [word for topic in self.without_topics for word in words_in(topic)]

        def stays(one: Commit) -> bool:  # what only mentions it in the body
            place = named.get(one.key)
            return place is None or (place == "body" and not any(is_said(word, one.subject) for word in words))

        return list(filter(stays, left))


def _within(paths: Sequence[str], commits: Iterable[Commit]) -> Callable[[str], bool]:
    """Whether a file is one of some paths, or in such a folder: as they stand from the top on where a file of the
    commits is called so, else wherever a path has them."""
    wanted = [path.strip("/ ").removeprefix("./").casefold() for path in paths]
    parts = [f"/{one}/" if one else "/" for one in wanted]
    there = {f"/{file.path.casefold()}/" for one in commits for file in one.files} if any(wanted) else set()
    tops = tuple(one for one in parts if one == "/" or any(path.startswith(one) for path in there))
    inner = [one for one in parts if one not in tops]

    def is_in(path: str) -> bool:
        low = f"/{path.casefold()}/"
        return low.startswith(tops) or any(one in low for one in inner)

    return is_in


def _places(
    topics: Sequence[str], commits: Sequence[Commit], store: Store, only: Where | None = None
) -> dict[Key, Where]:
    """Where commits have all words of one of some topics: in the subject, else in the body, else in the paths of enough
    of their files; or in one of these `only`."""
    found: dict[Key, Where] = {}
    if commits and only != "path":
        said, wanted = store.topics.saying(topics, commits), words_of(enumerate(topics))
        saying = [one for one in commits if any(one.key in keys for keys in said)]
        texts = words_of((number, one.body if only == "body" else one.subject) for number, one in enumerate(saying))
        for number, commit in enumerate(saying):
            words = set(texts[number])
            holds = any(commit.key in keys and words.issuperset(wanted[at]) for at, keys in enumerate(said))
            if holds or only is None:
                found[commit.key] = "subject" if holds and only != "body" else "body"
    in_paths = [topic for topic in topics if not is_signed(topic)] if only in (None, "path") else []
    patterns = [begins for topic in in_paths if (begins := begins_of(words_in(topic)))]
    for commit in (one for one in commits if one.key not in found):
        for begins in patterns:
            called = sum(all(one.search(file.path) for one in begins) for file in commit.files)
            if called and SHARE * called >= len(commit.files):
                found[commit.key] = "path"
    return found


# --- how it is looked up


def scoped(
    index: Index, span: When, limits: Limits, kinds: tuple[Kind, ...] = (), *, default: Default = "last month",
    mentions: bool = False,
) -> Index:  # fmt: skip
    """The index, limited so. With nothing for a span it is last month, or any time where that is the `default`, always
    or if something is looked for. Raises AlmanacError for a team, a tag, a time or a topic that there is not."""
    repositories = tuple(repository_called(name, index) for name in limits.get("repositories", ()) or ())
    topic, paths = _topics(limits.get("topic") or "", limits, index)
    scope = replace(
        _without(limits.get("without", ()) or (), index), repositories=repositories, topic=topic,
        topic_in=limits.get("topic_in"), paths=paths, only=bool(limits.get("only")), kinds=kinds, mentions=mentions,
    )  # fmt: skip
    every = index.about(scope).every
    read = time_or_tags(span) if span is not None else None
    if isinstance(read, str):
        where = [one.name for one in every] if scope.without_repositories else repositories
        released = index.releases.asked(read, where)
        scope = replace(scope, released=tuple(released), repositories=tuple(one.repository for one in released))
    elif read is None and not (default == "ever" or (default == "if sought" and scope.is_sought)):
        read = Days.of(index.present() - 1)
    scope = replace(scope, span=read if isinstance(read, Days) else None)
    if named := limits.get("team"):
        team = next((one for one in index.teams() if one.casefold() == named.casefold()), None)
        if team is None:
            there = listed(list(map(clean, index.teams())))
            raise AlmanacError(f"There is no team called “{clean(named)}”{f'; there is {there}' if there else ''}.")
        scope = replace(scope, team=team, members=tuple(index.members(team)))
    return index.about(scope)


def _topics(topic: str, limits: Limits, index: ReadableIndex) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The alternatives of a topic, and paths. Raises AlmanacError where nothing could be looked for."""
    topics = [part for one in topic.split(" OR ") if any(map(str.isalnum, part := one.strip()))]
    paths = [part for one in limits.get("paths", ()) or () if (part := one.strip())]
    if topic and not topics and not paths:
        raise AlmanacError(f"“{clean(topic)[:80]}” has no word that could be looked for.")
    if paths and not limits.get("topic_in"):  # on the optimizer, in src/optimizer, is what is in there
        named = {word for one in paths for word in words_in(one.strip("/ ").rpartition("/")[2])}
        topics = [one for one in topics if not named.issuperset(words_in(one))]
    if topics and not paths and all(map(index.is_path, topics)):
        topics, paths = [], topics
    elif len(topics) == 1:
        topics += SAID_AS.get(topics[0].casefold(), ())
    return tuple(topics[:MOST_ALTERNATIVES]), tuple(paths)


def repository_called(name: str, index: ReadableIndex) -> str:
    """A repository by its name, or by the last part of it that it alone has; of none the name again."""
    wanted = name.strip().casefold()
    known = [one.name for one in index.repositories]
    found = [one for one in known if one.casefold() == wanted]
    found = found or [one for one in known if one.casefold().rpartition("/")[2] == wanted]
    return found[0] if len(found) == 1 else name


def _without(without: Sequence[str], index: ReadableIndex) -> Scope:
    """What is left without some people, repositories, topics, paths and kinds; notes say of what there is nothing."""
    scope, notes, known = Scope(), list[str](), {one.name for one in index.repositories}
    for one in filter(None, (text.strip() for text in without)):
        kind, called = _KIND_CALLED.get(one.casefold(), "chore"), index.known.directory.exactly(one)
        if kind != "chore":
            scope = replace(scope, without_kinds=(*scope.without_kinds, kind))
        elif (place := repository_called(one, index)) in known:
            scope = replace(scope, without_repositories=scope.without_repositories | {place})
        elif len(of_one_name(called)) > 1:
            some = listed(distinct_names(called[:MOST_CALLED]), "or")
            notes.append(f"“{clean(one)}” may be {clean(some)}: nobody was left out for it.")
        elif called:
            people = [each for each in called if not index.known.is_hidden(each)]
            scope = replace(scope, without_people=(*scope.without_people, *people))
        elif one.casefold() in _BOTS:
            bots = [each for each in index.known.everyone if is_bot(each, index.settings.bots)]
            scope = replace(scope, without_bots=tuple(bots))
        elif index.is_path(one):
            scope = replace(scope, without_paths=(*scope.without_paths, one))
        elif index.is_said(one):
            topics = (one, *SAID_AS.get(one.casefold(), ()))
            scope = replace(scope, without_topics=(*scope.without_topics, *topics))
        elif index.hidden:  # of which it may be one
            notes.append("Not all that was to be left out is known here.")
        else:
            notes.append(f"Nobody and nothing is called “{clean(one)}”, so nothing was left out for it.")
    return replace(scope, notes=tuple(notes))


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
