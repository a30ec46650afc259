"""What a query is about beside people and times, and which commits that holds. Nothing is read but words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import ge, gt, le, lt

from bot.errors import AlmanacError
from bot.model import Commit, FileChange, Key, Kind, Person
from bot.month.facts import MonthFacts
from bot.month.paths import Place, lines_of, places_of
from bot.story.lines import SHORT, distinct_names
from bot.story.lists import Where
from bot.wording import KINDS, clean, count, listed, listed_few
from storage import Store
from storage.search import begins_of, is_signed, words_in, words_of

MOST_ALTERNATIVES = 12  # of a topic: for each all paths are looked through
MOST_NAMED = 4  # of them, where it is said what a list is about
SHARE = 3  # at least every third file of a commit has the words of a topic in its path
_OF_KIND: Mapping[str, frozenset[Place]] = {  # where all files of a change lie that is of nothing else
    "docs": frozenset({"docs"}), "test": frozenset({"test"}), "ci": frozenset({"ci"}),
    "build": frozenset({"build", "version", "settings"}), "release": frozenset({"version"}),
}  # fmt: skip
_BOUNDS: Mapping[str, Callable[[int, int], bool]] = {"more than": gt, "at least": ge, "fewer than": lt, "at most": le}
_SIZE = re.compile(rf"({'|'.join(_BOUNDS)}) (\d{{1,9}}) (lines|files)")
_IDENTIFIER = re.compile(r"[^\W_]+(?:(?:_|::)[^\W_]+)+")
_ADVISORY = re.compile(r"\b(?:CVE-\d{4}-\d{3,}|GHSA(?:-\w{4}){3})\b", re.IGNORECASE)
_SAID_IN = {"subject": "in the title", "body": "in the body", "path": "in the path"}


@dataclass(frozen=True, slots=True)
class Sought:
    """What a query is about beside people and times: a topic, which is alternatives of words that all must be there, in
    one place if it is named; paths, files or folders; and none of some topics, paths and kinds. With `only` all files
    of a commit are in the paths, or of the sort that `kinds` are. Unless it `mentions`, what only mentions the topic in
    its body is left out where anything else is about it.

    What some people wrote, and what is in some repositories, is no matter of topics: who reads commits leaves it out.
    """

    topic: tuple[str, ...] = ()
    topic_in: Where | None = None
    paths: tuple[str, ...] = ()
    only: bool = False
    kinds: tuple[str, ...] = ()
    size: tuple[str, ...] = ()
    without_topics: tuple[str, ...] = ()
    without_paths: tuple[str, ...] = ()
    without_kinds: tuple[Kind, ...] = ()
    without_people: tuple[Person, ...] = ()
    without_bots: tuple[Person, ...] = ()  # what they wrote is left out also where somebody wrote it with them
    without_repositories: frozenset[str] = frozenset()
    within: frozenset[str] | None = None  # the SHAs of what a release holds
    mentions: bool = False

    def __bool__(self) -> bool:
        is_only = self.only and not _OF_KIND.keys().isdisjoint(self.kinds)
        is_without = self.without_topics or self.without_paths or self.without_kinds
        return bool(self.is_positive or is_only or self.size or is_without or self.within is not None)

    @property
    def is_positive(self) -> bool:
        """Whether it can be looked for: it is not only said what is left out."""
        return bool(self.topic or self.paths)

    @property
    def in_words(self) -> str:
        """ " on “cache” in src/ without docs": as it follows whose changes they are."""
        said = [f"on {listed([f'“{clean(one)}”' for one in self.topic], 'or')}"] if self.topic else []
        said += [_SAID_IN[self.topic_in]] if self.topic_in else []
        said += [f"in {'nothing but ' if self.only else ''}{listed(list(map(clean, self.paths)), 'or')}"] * bool(
            self.paths
        )
        said += [f"of {listed(list(self.size))}"] if self.size else []
        out = [*(KINDS[kind][2] for kind in self.without_kinds), *(f"“{clean(one)}”" for one in self.without_topics)]
        out += map(clean, self.without_paths)
        said += [f"without {listed(out)}"] if out else []
        return "".join(f" {one}" for one in said)

    @property
    def skipped(self) -> str:
        """The people and the repositories that it is without."""
        bots = ["bots"] if self.without_bots else []
        return listed(
            [clean(one) for one in (*distinct_names(self.without_people), *bots, *sorted(self.without_repositories))]
        )

    def titled(self, title: str) -> str:
        """A title of what is left: "everyone without Grace Hopper"."""
        return f"{title} without {self.skipped}" if self.skipped else title

    def skips(self, commit: Commit) -> bool:
        """Whether a commit is of somebody, or of a repository, that it is without."""
        return commit.repository in self.without_repositories or any(
            commit in person.signatures for person in (*self.without_people, *self.without_bots)
        )

    def holds_path(self, spans: Iterable[MonthFacts]) -> Callable[[str], bool] | None:
        """Which files count, as they are called in what some people did; None for all."""
        commits = [one for facts in spans for one in facts.commits]
        return self.counted(commits) if self.paths or self.without_paths else None

    def counted(self, commits: Sequence[Commit]) -> Callable[[str], bool]:
        """Which files count: those in its paths but for those that are left out."""
        is_in = _within(self.paths, commits) if self.paths else lambda path: True
        is_out = _within(self.without_paths, commits) if self.without_paths else lambda path: False
        return lambda path: is_in(path) and not is_out(path)

    def of(
        self, commits: Sequence[Commit], store: Store, kind_of: Callable[[Commit], Kind]
    ) -> tuple[dict[Key, Where], list[str]]:
        """Where those of some commits that it holds have the topic; with notes on what only mentions it."""
        left = self._left(commits, store, kind_of)
        if not self.topic:
            return {one.key: "subject" for one in left}, []
        found = _places_of(self.topic, left, store, self.topic_in)
        advisory = {one.key for one in left if "CVE" in self.topic and _ADVISORY.search(one.body)}
        about: dict[Key, Where] = {k: place for k, place in found.items() if place != "body" or k in advisory}
        if self.topic_in is None and about and len(found) > len(about) and not self.mentions:
            mere = [one.sha[:SHORT] for one in left if one.key in found and one.key not in about]
            only = f"{count(len(mere), 'other commit')} only mention{'s' if len(mere) == 1 else ''}"
            return about, [f"{only} it in the message: {listed_few(mere, MOST_NAMED)}."]
        return found, []

    def _left(self, commits: Sequence[Commit], store: Store, kind_of: Callable[[Commit], Kind]) -> list[Commit]:
        """The commits that are in its paths, and of nothing that it is without."""
        left = [one for one in commits if not one.is_merge and (self.within is None or one.sha in self.within)]
        if self.without_kinds:
            left = [one for one in left if kind_of(one) not in self.without_kinds]
        if self.only and (places := frozenset[Place]().union(*(_OF_KIND.get(kind, ()) for kind in self.kinds))):
            left = [one for one in left if one.files and places_of(one) <= places]
        is_in = _within(self.paths, left) if self.paths else lambda path: True
        if self.paths:
            enough = all if self.only else any
            left = [one for one in left if one.files and enough(_touched(file, is_in) for file in one.files)]
        if self.size:
            is_counted = self.counted(left)
            for one in self.size:
                left = [each for each in left if fits(one, [file for file in each.files if is_counted(file.path)])]
        if self.without_paths:  # of a change in some paths, what it has in these decides
            is_out = _within(self.without_paths, left)
            own = ((one, [file for file in one.files if _touched(file, is_in)]) for one in left)
            left = [one for one, files in own if not files or not all(is_out(file.path) for file in files)]
        if self.without_topics:
            named = [begins_of(words_in(each)) for each in self.without_topics]
            words = set[str]().union(*words_of(enumerate(self.without_topics)).values())
            keys = set[Key]().union(*store.topics.saying(self.without_topics, left))
            titles = {one.key: one.subject for one in left if one.key in keys}
            said = words_of(enumerate(titles.values())).values()
            titled = {key for key, found in zip(titles, said, strict=True) if not words.isdisjoint(found)}

            def stays(one: Commit) -> bool:  # what only mentions it in the body, or in less than most of its files
                is_titled = one.key in titled or _is_called(one.subject, named)
                called = sum(_is_called(file.path, named) for file in one.files)
                return not (is_titled or 2 * called > len(one.files))

            left = list(filter(stays, left))
        return left


def fits(size: str, files: Sequence[FileChange]) -> bool:
    """Whether files are as many, or have as many changed lines, as a size says: "more than 500 lines", "at most 3
    files". Raises AlmanacError where it is none."""
    if not (said := _SIZE.fullmatch(size.strip())):
        raise AlmanacError(f"“{clean(size)[:80]}” is no size: write “more than 500 lines”")
    has = len(files) if said[3] == "files" else lines_of(files)
    return _BOUNDS[said[1]](has, int(said[2]))


_INSIDE = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _is_called(text: str, named: Sequence[Sequence[re.Pattern[str]]]) -> bool:
    """Whether a text has the words of one of some topics, as a part of a name too: LibSSH has the word SSH."""
    parts = _INSIDE.sub(" ", text)
    return any(begins and all(one.search(parts) for one in begins) for begins in named)


def _touched(file: FileChange, is_in: Callable[[str], bool]) -> bool:
    return is_in(file.path) or bool(file.old_path and is_in(file.old_path))


def _within(paths: Sequence[str], commits: Iterable[Commit]) -> Callable[[str], bool]:
    """Whether a file is one of some paths, or in such a folder: as they stand from the top on where a file of the
    commits is called so, else wherever a path has them."""
    there = {file.path.casefold() for one in commits for file in one.files}
    wanted = [path.strip("/ ").removeprefix("./").casefold() for path in paths]

    def from_top(path: str, one: str) -> bool:
        return not one or path == one or path.startswith(f"{one}/")

    tops = [one for one in wanted if any(from_top(path, one) for path in there)]
    inner = [f"/{one}/" for one in wanted if one not in tops]
    endings = tuple(one[1:] for one in wanted if one.startswith("*."))

    def is_in(path: str) -> bool:
        path = path.casefold()
        is_inside = any(from_top(path, one) for one in tops) or any(one in f"/{path}/" for one in inner)
        return is_inside or path.endswith(endings)

    return is_in


def _places_of(
    topics: Sequence[str], commits: Sequence[Commit], store: Store, only: Where | None = None
) -> dict[Key, Where]:
    """Where commits have all words of one of some topics: in the subject, else in the body, else in the paths of enough
    of their files; or in one of these `only`."""
    found: dict[Key, Where] = {}
    if commits and only != "path":
        said = store.topics.saying(topics, commits)
        wanted = words_of(enumerate(topics))
        saying = [one for one in commits if any(one.key in keys for keys in said)]
        texts = words_of((number, one.body if only == "body" else one.subject) for number, one in enumerate(saying))
        for number, commit in enumerate(saying):
            words = set(texts[number])
            holds = any(commit.key in keys and words.issuperset(wanted[at]) for at, keys in enumerate(said))
            if holds or only is None:
                found[commit.key] = "subject" if holds and only != "body" else "body"
    in_paths = [topic for topic in topics if not is_signed(topic)] if only in (None, "path") else []
    patterns = [begins_of(words_in(topic)) for topic in in_paths]
    for commit in commits:
        if commit.key in found:
            continue
        for begins in filter(None, patterns):
            called = sum(all(one.search(file.path) for one in begins) for file in commit.files)
            if called and SHARE * called >= len(commit.files):
                found[commit.key] = "path"
                break
    names = [one for topic in topics for one in _IDENTIFIER.findall(topic)]
    if len(names) < len(topics):
        return found
    # An identifier is no sentence: `to_address` is not "to address".
    exact = [re.compile(r"[-_:]+".join(map(re.escape, words_in(one))), re.IGNORECASE) for one in names]
    whole = {one.key: "\n".join((one.subject, one.body, *(file.path for file in one.files))) for one in commits}
    having = {key for key, text in whole.items() if any(one.search(text) for one in exact)}
    return {key: place for key, place in found.items() if key in having} if having else found
