"""What a query is about beside people and times, and which commits that holds. Nothing is read but words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.model import Commit, Key, Kind, Person
from bot.month.paths import Place, places_of
from bot.story.lines import SHORT, distinct_names
from bot.story.lists import Where
from bot.wording import KINDS, clean, count, listed, listed_few
from storage import Store
from storage.search import begins_of, is_said, is_signed, words_in, words_of

MOST_ALTERNATIVES = 12  # of a topic: for each all paths are looked through
MOST_NAMED = 4  # of them, where it is said what a list is about
SHARE = 3  # at least every third file of a commit has the words of a topic in its path
_OF_KIND: Mapping[str, frozenset[Place]] = {  # where all files of a change lie that is of nothing else
    "docs": frozenset({"docs"}), "test": frozenset({"test"}), "ci": frozenset({"ci"}),
    "build": frozenset({"build", "version", "settings"}), "release": frozenset({"version"}),
}  # fmt: skip
_ADVISORY = re.compile(r"\b(?:CVE-\d{4}-\d{3,}|GHSA(?:-\w{4}){3})\b", re.IGNORECASE)
SAID_AS: Mapping[str, Sequence[str]] = {  # how titles say it, too
    "security": ("CVE", "GHSA", "vulnerability"), "cves": ("CVE",), "ghsas": ("GHSA",),
    "advisories": ("CVE", "GHSA", "advisory"), "dependency": ("deps",), "dependencies": ("deps",),
}  # fmt: skip
_SAID_IN = {"subject": "in the title", "body": "in the body", "path": "in the path"}


@dataclass(frozen=True, slots=True)
class Sought:
    """What a query is about beside people and times: a topic, which is alternatives of words that all must be there, in
    one place if it is named; paths, files or folders; and none of some topics, paths and kinds. With `only` all files
    of a commit are in the paths, or of the sort that `kinds` are. Unless it `mentions`, what only mentions the topic in
    its body is left out where anything else is about it. `within` are the SHAs of what a release holds.
    """

    topic: tuple[str, ...] = ()
    topic_in: Where | None = None
    paths: tuple[str, ...] = ()
    only: bool = False
    kinds: tuple[str, ...] = ()
    without_topics: tuple[str, ...] = ()
    without_paths: tuple[str, ...] = ()
    without_kinds: tuple[Kind, ...] = ()
    without_people: tuple[Person, ...] = ()
    without_bots: tuple[Person, ...] = ()  # what they wrote is left out also where somebody wrote it with them
    without_repositories: frozenset[str] = frozenset()
    within: frozenset[str] | None = None
    mentions: bool = False

    def __bool__(self) -> bool:
        """Whether commits must be looked at to know; not for what some people wrote, or some repositories have."""
        is_only = self.only and not _OF_KIND.keys().isdisjoint(self.kinds)
        is_without = self.without_topics or self.without_paths or self.without_kinds
        return bool(self.is_positive or is_only or is_without or self.within is not None)

    @property
    def is_positive(self) -> bool:
        """Whether it can be looked for: it is not only said what is left out."""
        return bool(self.topic or self.paths)

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

    def of_one_name(self, commits: Iterable[Commit]) -> list[str]:
        """Notes on the files of some commits, several of which are meant by one name."""
        every = {file.path for one in commits for file in one.files} if self.paths else ()
        each = ((name, sorted(clean(path) for path in every if path.endswith(f"/{name}"))) for name in self.paths)
        return [f"{clean(name)} is {listed_few(some, MOST_NAMED)}." for name, some in each if len(some) > 1]

    def of(
        self, commits: Sequence[Commit], store: Store, kind_of: Callable[[Commit], Kind]
    ) -> tuple[dict[Key, Where], list[str]]:
        """Where those of some commits that it holds have the topic; with notes on what only mentions it."""
        left = self._left(commits, store, kind_of)
        if not self.topic:
            return {one.key: "subject" for one in left}, []
        found = _places(self.topic, left, store, self.topic_in)
        each = self.topic if found and not self.topic_in and self.topic[0].casefold() not in SAID_AS else ()
        none = [f"“{clean(one)}”" for one in each if len(each) > 1 and not _places((one,), left, store)]
        said = [f"Nothing on {listed(none, 'or')}."] if none else []
        advisory = {one.key for one in left if {"CVE", "GHSA"}.intersection(self.topic) and _ADVISORY.search(one.body)}
        about: dict[Key, Where] = {k: place for k, place in found.items() if place != "body" or k in advisory}
        mere = [one.sha[:SHORT] for one in left if one.key in found and one.key not in about]
        if mere and not (about or self.topic_in):
            return found, [*said, "No title and no path says it: the messages of these only mention it."]
        if self.topic_in or self.mentions or not mere:
            return found, said
        only = f"{count(len(mere), 'other commit')} only mention{'s' if len(mere) == 1 else ''}"
        return about, [*said, f"{only} it in the message: {listed_few(mere, MOST_NAMED)}."]

    def _left(self, commits: Sequence[Commit], store: Store, kind_of: Callable[[Commit], Kind]) -> list[Commit]:
        """The commits that are in its paths, and of nothing that it is without."""
        is_in, is_out = _within(self.paths or ("",), commits), _within(self.without_paths, commits)
        places = frozenset[Place]().union(*(_OF_KIND.get(kind, ()) for kind in self.kinds if self.only))

        def holds(one: Commit) -> bool:
            files = [file for file in one.files if is_in(file.path) or (file.old_path and is_in(file.old_path))]
            if one.is_merge or (self.within is not None and one.sha not in self.within):
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
