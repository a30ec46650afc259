"""Store → what answers are made from: the commits of a time that a reader may read, and all that is tied to them.

Nothing is worded here but notes on what is left out. What is not the reader's is dropped in one place, `_material`, and
so is what a query is not about: each is looked at as commits, before anything that is tied to them is read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import NamedTuple
from zoneinfo import ZoneInfo

from bot.ask.people_directory import KnownPeople
from bot.diff.facts import DiffFacts
from bot.gc_pause import gc_paused
from bot.model import Change, Commit, Credited, Dates, Identity, Key, Kind, Person, Role, Signatures
from bot.month.addresses import noreply_login
from bot.month.calendar import FIRST, AnyPeriod, Days, Month, MonthRange, Span
from bot.month.facts import MonthFacts
from bot.month.histories import History, by_commit, histories_of
from bot.month.kind_words import Place, place_of, places_of
from bot.month.languages import is_by_hand
from bot.month.machines import is_bot
from bot.month.trailers import credits_of
from bot.story.lines import distinct_names
from bot.story.lists import Where
from bot.story.things import says_bump
from bot.story.title import title_of
from bot.story.wording import KINDS, clean, count, listed, listed_few
from storage import Store
from storage.commits import Commits
from storage.search import begins_of, is_said, words_in, words_of

FEW = 50  # people of whom each is looked for in trailers, rather than every trailer read
HUNK_SECONDS = 5.0  # for the diffs that a model is given
MOST_UNMATCHED = 5  # reviewers of a note
MOST_ALTERNATIVES = 12  # of a topic: for each all paths are looked through
MOST_PLACES = 4  # that a topic names
SHARE = 3  # at least every third file of a commit has the words of a topic in its path
UNSHOWN = "Changes of people who asked not to be shown are left out."
# How many changes on a topic there are where the reader may not read would tell what is written there.
ELSEWHERE = "Repositories that are not for this channel were not looked at."
Whose = Sequence[Identity] | None  # None: everyone's
_OF_KIND: Mapping[str, frozenset[Place]] = {  # where all files of a change lie that is of nothing else
    "docs": frozenset({"docs"}), "test": frozenset({"test"}), "ci": frozenset({"ci"}),
    "build": frozenset({"build", "version", "settings"}), "release": frozenset({"version"}),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Material:
    """The commits of a time, of a person or of many, and what became of them.

    `left_out` is one commit for each change that is only in repositories that the reader may not read of. `credited`
    are others' commits whose trailers name the person, and as what; those they wrote together are among `commits` too.
    `is_whole` says that nobody's commits are missing who asked not to be shown, `is_newest` that older ones are: only
    the newest were looked for. `found` says where a topic stands.
    """

    commits: tuple[Commit, ...]
    left_out: tuple[Commit, ...]
    histories: Mapping[Key, History]
    credited: tuple[tuple[Role, Commit], ...] = ()
    is_whole: bool = True
    is_newest: bool = False
    found: Mapping[Key, Where] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def omissions(self) -> list[str]:
        """Notes on what it lacks, since it is not for the reader: how many changes, never which."""
        return [*([] if self.is_whole else [UNSHOWN]), *left_out(self.left_out), *self.notes]


def left_out(commits: Iterable[Commit]) -> list[str]:
    """What is said of changes in repositories that may not be shown here."""
    changes = {commit.sha for commit in commits if not commit.is_merge}
    if not changes:
        return []
    are = "is" if len(changes) == 1 else "are"
    return [f"{count(len(changes), 'change')} in repositories that are not for this channel {are} left out."]


class Chosen(NamedTuple):
    """Which commits of a time are told; by repository, the SHAs of others that are told beside them; as whom those
    sign of whom nothing is; and SHAs of which no copy is told any more."""

    holds: Callable[[Commit], bool] = lambda _: True
    late: Mapping[str, Sequence[str]] = MappingProxyType({})
    without: Signatures = Signatures(())
    before: frozenset[str] = frozenset()


ALL = Chosen()


@dataclass(frozen=True, slots=True)
class Skipped:
    """Whom and what somebody does not want to be shown: people, and repositories by name."""

    people: tuple[Person, ...] = ()
    repositories: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.people or self.repositories)

    @property
    def names(self) -> str:
        return listed([clean(one) for one in (*distinct_names(self.people), *sorted(self.repositories))])

    def titled(self, title: str) -> str:
        """A title of what is left: "everyone without Grace Hopper"."""
        return f"{title} without {self.names}" if self else title


NOTHING_SKIPPED = Skipped()


# --- what a query is about


_IDENTIFIER = re.compile(r"[^\W_]+(?:(?:_|::)[^\W_]+)+")


class SoughtPlaces(NamedTuple):
    """Which commits hold what is sought, and where each has the topic; with a note where only some of its words are."""

    places: Mapping[Key, Where]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sought:
    """What a query is about beside people and times: a topic, which is alternatives of words that all must be there, in
    one place if it is named, or files and folders that are called so, its `places`; paths, files or folders; and none
    of some topics, paths and kinds. With `only` all files of a commit are in the paths, or of the sort that `kinds`
    are. Unless it `mentions`, what only mentions the topic in its body is left out where anything else is about it."""

    topic: tuple[str, ...] = ()
    topic_in: Where | None = None
    places: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    only: bool = False
    kinds: tuple[str, ...] = ()
    without_topics: tuple[str, ...] = ()
    without_paths: tuple[str, ...] = ()
    without_kinds: tuple[Kind, ...] = ()
    mentions: bool = False

    def __bool__(self) -> bool:
        is_only = self.only and not _OF_KIND.keys().isdisjoint(self.kinds)
        return bool(self.is_positive or is_only or self.without_topics or self.without_paths or self.without_kinds)

    @property
    def is_positive(self) -> bool:
        """Whether it can be looked for: it is not only said what is left out."""
        return bool(self.topic or self.paths)

    @property
    def in_words(self) -> str:
        """ " on “cache” in src/ without docs": as it follows whose changes they are."""
        said = [f"on {listed([f'“{clean(one)}”' for one in self.topic], 'or')}"] if self.topic else []
        said += [f"or in {listed(list(map(clean, self.places)), 'or')}"] if self.places else []
        said += [f"in the {'title' if self.topic_in == 'subject' else self.topic_in}"] if self.topic_in else []
        said += [f"in {'nothing but ' if self.only else ''}{listed(list(map(clean, self.paths)), 'or')}"] * bool(
            self.paths
        )
        out = [*(KINDS[kind][2] for kind in self.without_kinds), *(f"“{clean(one)}”" for one in self.without_topics)]
        out += map(clean, self.without_paths)
        said += [f"without {listed(out)}"] if out else []
        return "".join(f" {one}" for one in said)

    def holds_path(self, spans: Iterable[MonthFacts]) -> Callable[[str], bool] | None:
        """Which files count, as they are called in what some people did; None for all."""
        return _within(self.paths, (one for facts in spans for one in facts.commits)) if self.paths else None

    def of(self, commits: Sequence[Commit], store: Store, kind_of: Callable[[Commit], Kind]) -> SoughtPlaces:
        """Which of some commits it holds, and where."""
        left = self._left(commits, store, kind_of)
        if not self.topic:
            return SoughtPlaces({one.key: "subject" for one in left})
        found = _places_of(self.topic, left, store, self.topic_in)
        is_there = _within(self.places, left)
        for one in left if self.places else ():
            if found.get(one.key) != "subject" and any(_touched(file, is_there) for file in one.files):
                found[one.key] = "path"
        notes = list[str]()
        about: dict[Key, Where] = {key: place for key, place in found.items() if place != "body"}
        if self.topic_in is None and about and len(found) > len(about) and not self.mentions:
            only = count(len(found) - len(about), "other commit")
            notes.append(f"{only} only mention{'s' if only.startswith('1 ') else ''} it in the message.")
            found = about
        return SoughtPlaces(found, tuple(notes) if found else ())

    def _left(self, commits: Sequence[Commit], store: Store, kind_of: Callable[[Commit], Kind]) -> list[Commit]:
        """The commits that are in its paths, and of nothing that it is without."""
        left = [one for one in commits if not one.is_merge]
        if self.without_kinds:
            left = [one for one in left if kind_of(one) not in self.without_kinds]
        if "build" in self.without_kinds:  # also those that say "fix(deps)"
            left = [one for one in left if not says_bump(one, title_of(one).words)]
        if self.only and (places := frozenset[Place]().union(*(_OF_KIND.get(kind, ()) for kind in self.kinds))):
            left = [one for one in left if one.files and places_of(one) <= places]
        if self.paths:
            is_in, enough = _within(self.paths, left), all if self.only else any
            left = [one for one in left if one.files and enough(_touched(file, is_in) for file in one.files)]
        if self.without_paths:
            is_out = _within(self.without_paths, left)
            left = [one for one in left if not one.files or not all(is_out(file.path) for file in one.files)]
        if self.without_topics:
            gone, words = dict[Key, Where](), words_in(" ".join(self.without_topics))
            named = [begins_of(words_in(each)) for each in self.without_topics]
            for each in self.without_topics:
                gone |= _places_of([each], left, store)

            def stays(one: Commit) -> bool:  # what only mentions it, without a word of it in the title
                place = gone.get(one.key)
                called = sum(_is_called(file.path, named) for file in one.files)
                if _is_called(one.subject, named) or (called and SHARE * called >= len(one.files)):
                    return False
                return not place or (place == "body" and not any(is_said(word, one.subject) for word in words))

            left = list(filter(stays, left))
        return left


def places_called(topic: str, paths: Iterable[str]) -> list[str]:
    """The files and folders that a topic names: their own name is made of its words, and all but one of its words, of
    two all, stand there and in the folders above. Those that most of its words name, at most MOST_PLACES."""
    wanted = {word.removesuffix("s") for word in words_in(topic)}
    found: dict[str, int] = {}
    for path in (one for one in paths if is_by_hand(one) and place_of(one) == "source"):
        above, parts = set[str](), path.split("/")
        for number, part in enumerate(parts, 1):
            own = {word.removesuffix("s") for word in words_in(part.partition(".")[0])}
            said = wanted & (above | own)
            lacking = len(wanted) - len(said)
            if own and own <= wanted and (not lacking or (lacking == 1 and len(said) > 2 and len(own) > 1)):
                found["/".join(parts[:number])] = len(said)
                break
            above |= own
    most = max(found.values(), default=0)
    best = [path for path, number in found.items() if number == most]
    return best if len(wanted) > 1 and len(best) <= MOST_PLACES else []


_INSIDE = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _is_called(text: str, named: Sequence[Sequence[re.Pattern[str]]]) -> bool:
    """Whether a text has the words of one of some topics, as a part of a name too: LibSSH has the word SSH."""
    parts = _INSIDE.sub(" ", text)
    return any(begins and all(one.search(parts) for one in begins) for begins in named)


def _touched(file: object, is_in: Callable[[str], bool]) -> bool:
    path, old = getattr(file, "path", ""), getattr(file, "old_path", None)
    return is_in(path) or bool(old and is_in(old))


def _within(paths: Sequence[str], commits: Iterable[Commit]) -> Callable[[str], bool]:
    """Whether a file is one of some paths, or in such a folder: as they stand from the top on where a file of the
    commits is called so, else wherever a path has them."""
    there = {file.path.casefold() for one in commits for file in one.files}
    wanted = [path.strip("/ ").removeprefix("./").casefold() for path in paths]

    def from_top(path: str, one: str) -> bool:
        return not one or path == one or path.startswith(f"{one}/")

    tops = [one for one in wanted if any(from_top(path, one) for path in there)]
    inner = [f"/{one}/" for one in wanted if one not in tops]

    def is_in(path: str) -> bool:
        path = path.casefold()
        return any(from_top(path, one) for one in tops) or any(one in f"/{path}/" for one in inner)

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
                found[commit.key] = only or ("subject" if holds else "body")
    patterns = [begins_of(words_in(topic)) for topic in topics] if only in (None, "path") else []
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
    return {key: place for key, place in found.items() if any(one.search(whole[key]) for one in exact)} or found


# --- the commits


def readable_histories(store: Store, commits: Sequence[Commit], hidden: frozenset[str]) -> Mapping[Key, History]:
    """What commits belong to, with all that is tied to them, but for what is of the repositories in `hidden`."""
    with gc_paused():
        tied = store.commits.related(commits)
        shown = (one for one in tied.commits if one.repository not in hidden)
        return by_commit(histories_of(shown, tied.references))


def _kindless(_: Commit) -> Kind:
    return "chore"


@dataclass(frozen=True, slots=True)
class MaterialReader:
    """Reads what answers are made from, without what is `skipped`, and only what is `sought`. Lines that are not
    counted yet are counted for what is asked for."""

    store: Store
    mirrors: Path
    people: KnownPeople
    hidden: frozenset[str]
    skipped: Skipped = NOTHING_SKIPPED
    sought: Sought = Sought()
    kind_of: Callable[[Commit], Kind] = _kindless

    def of_person(
        self, person: Person, start: datetime, end: datetime, repositories: Sequence[str], by: Commits | None = None
    ) -> Material:
        """What a person wrote, alone or with others, dated from `start` up to but not at `end`."""
        by = by or self.store.commits
        with gc_paused():
            own = self._with_lines(by, start, end, person.identities, repositories)
        credited = self._credited(person, start, end, repositories, by)
        if lacking := [one for role, one in credited if role == "coauthor" and not one.is_counted]:
            self._count(lacking)
            credited = self._credited(person, start, end, repositories, by)
        mine = {(one.repository, one.sha) for one in own}
        shared = [commit for role, commit in credited if role == "coauthor"]
        commits = [*own, *(one for one in shared if (one.repository, one.sha) not in mine)]
        return self._material(commits, credited)

    def of_everyone(
        self, start: datetime, end: datetime, identities: Whose, repositories: Sequence[str],
        members: Sequence[Person] = (), by: Commits | None = None, chosen: Chosen = ALL,
    ) -> Material:  # fmt: skip
        """What everyone wrote, or some identities, but for those who asked not to be shown; what some `members` wrote
        with others; and what is late, whosever it is. With `store.came` for `by` it is what came to the default branch
        then."""
        with gc_paused():
            commits = self._with_lines(by or self.store.commits, start, end, identities, repositories)
            commits += self._written_with(members, start, end, repositories, by or self.store.commits)
        every = (*filter(chosen.holds, commits), *self._of(chosen.late))
        material = self.of_these(list({one.key: one for one in every if one not in chosen.without}.values()))
        # What was reverted may have been picked again to bring it back.
        changes = [history.originals for history in material.histories.values() if not history.revert_events]
        repeated = {one.key for each in changes if any(one.sha in chosen.before for one in each) for one in each}
        return replace(material, commits=tuple(one for one in material.commits if one.key not in repeated))

    def _written_with(
        self, members: Sequence[Person], start: datetime, end: datetime, repositories: Sequence[str], by: Commits
    ) -> list[Commit]:
        """What some people wrote with others. Of few, each is looked for."""
        if len(members) <= FEW:
            credited = (pair for one in members for pair in self._credited(one, start, end, repositories, by))
            return [commit for role, commit in credited if role == "coauthor"]
        theirs, every = set(members), by.between(start, end, repositories=list(repositories) or None)
        return [one for one in every if not one.is_merge and not theirs.isdisjoint(self.people.coauthors(one))]

    def of_commits(self, shas: Mapping[str, Sequence[str]], beside: Sequence[Commit] = ()) -> Material:
        """Those of some SHAs of repositories that are indexed, and some that are not, but for those of people who asked
        not to be shown."""
        with gc_paused():
            commits = self._of(shas)
        return self.of_these([*commits, *beside])

    def _of(self, shas: Mapping[str, Sequence[str]]) -> list[Commit]:
        return self._counted(lambda: [one for name in shas for one in self.store.commits.of(name, shas[name])])

    def reviewed_by(self, person: Person, start: datetime, end: datetime, repositories: Sequence[str]) -> Material:
        """Others' commits whose trailers name a person as reviewer."""
        credited = self._credited(person, start, end, repositories, self.store.commits)
        return self.of_these([commit for role, commit in credited if role == "reviewer"])

    def of_these(self, commits: Sequence[Commit]) -> Material:
        """Commits at hand, but for those of people who asked not to be shown."""
        unshown = self.people.unshown
        shown = [one for one in commits if one not in unshown]
        wanted = [one for one in shown if not self.is_skipped(one)]
        return replace(self._material(wanted, []), is_whole=len(shown) == len(commits))

    def commits_of_everyone(self, start: datetime, end: datetime, repositories: Sequence[str]) -> list[Commit]:
        """The commits of `of_everyone` alone: no lines are counted, and nothing that is tied to them is read."""
        unshown = self.people.unshown
        with gc_paused():
            found = self.store.commits.between(start, end, repositories=list(repositories) or None)
        return [
            one for one in found
            if one.repository not in self.hidden and one not in unshown and not self.is_skipped(one)
        ]  # fmt: skip

    def is_skipped(self, commit: Commit) -> bool:
        """Whether a commit is of somebody, or of a repository, that is not to be shown."""
        return commit.repository in self.skipped.repositories or any(
            commit in person.signatures for person in self.skipped.people
        )

    def by_sha(self, beginning: str) -> list[Commit]:
        return [one for one in self.store.commits.by_sha(beginning) if one.repository not in self.hidden]

    def by_pull(self, repository: str | None, number: int) -> list[Commit]:
        found = self.store.commits.by_pull(repository, number)
        return [one for one in found if one.repository not in self.hidden]

    def histories(self, commits: Sequence[Commit]) -> Mapping[Key, History]:
        return readable_histories(self.store, commits, self.hidden)

    def with_reverted(self, material: Material) -> Material:
        """The same with what its commits revert, whenever that was written, as far as it may be shown."""
        known = {one.key for one in material.commits}
        more: dict[Key, Commit] = {}
        for history in {id(one): one for one in material.histories.values()}.values():
            if any(event.does == "reverts" and event.commit.key in known for event in history.revert_events):
                more |= {one.key: one for one in history.originals[:1] if one.key not in known}
        unshown = self.people.unshown
        shown = [one for one in more.values() if one not in unshown and not self.is_skipped(one)]
        return replace(material, commits=(*material.commits, *shown)) if shown else material

    def from_diffs(self, of: Iterable[Commit]) -> Mapping[Key, DiffFacts]:
        """What the diffs of some commits tell, as far as an answer's patience goes."""
        from bot.index.diffs import Diffs

        commits = list(of)
        return Diffs(self.store.commits, self.store.diff_cache, self.mirrors).facts(commits) if commits else {}

    def topics(self, months: Sequence[MonthFacts], person: Person | None = None) -> Mapping[Key, Commit]:
        """The merges that brought the changes of months to the default branch; those of which a person wrote most."""
        wanted, unshown = dict[str, set[str]](), self.people.unshown
        for commit in (commit for facts in months for commit in facts.commits):
            if commit.via:
                wanted.setdefault(commit.repository, set()).add(commit.via)
        merges = [one for name, shas in wanted.items() for one in self.store.commits.of(name, sorted(shas))]
        shown = {one.key: one for one in merges if not (one in unshown or self.is_skipped(one))}
        if not person:
            return shown
        own, brought = person.signatures, ((one, self.store.commits.brought(one)) for one in shown.values())
        return {merge.key: merge for merge, some in brought if _lines(some) < 2 * _lines(c for c in some if c in own)}

    def hunks(self, commits: Sequence[Commit], most: int) -> Mapping[Key, str]:
        """What is telling of the diffs of commits, in so many characters."""
        from bot.index.diffs import Diffs

        return Diffs(self.store.commits, self.store.diff_cache, self.mirrors).hunks(commits, most, HUNK_SECONDS)

    def _material(self, commits: Sequence[Commit], credited: Sequence[tuple[Role, Commit]]) -> Material:
        shown = tuple(one for one in commits if one.repository not in self.hidden)
        theirs = tuple(pair for pair in credited if pair[1].repository not in self.hidden)
        if not self.sought:
            histories = readable_histories(self.store, shown, self.hidden)
            return Material(shown, self._left_out(shown, [one for one in commits if one.repository in self.hidden]),
                            histories, theirs)  # fmt: skip
        every = list({one.key: one for one in (*shown, *(one for _, one in theirs))}.values())
        found = self.sought.of(every, self.store, self.kind_of)
        shown = tuple(one for one in shown if one.key in found.places)
        theirs = tuple(pair for pair in theirs if pair[1].key in found.places)
        notes = (*found.notes, *([ELSEWHERE] if self.hidden else []))
        histories = readable_histories(self.store, shown, self.hidden)
        return Material(shown, (), histories, theirs, found=found.places, notes=notes)

    def _left_out(self, shown: Sequence[Commit], hidden: Sequence[Commit]) -> tuple[Commit, ...]:
        """One commit for each change of which nothing is shown, since it is only where the reader may not read."""
        if not hidden:
            return ()
        whole = by_commit(histories_of(self.store.commits.related([*shown, *hidden]).commits))

        def work(commit: Commit) -> str:  # the same for exports of one change
            history = whole[commit.repository, commit.sha]
            return history.id if commit in history.originals else commit.sha

        shown_ids = {work(one) for one in shown if not one.is_merge}
        found: dict[str, Commit] = {}
        for commit in (one for one in hidden if not one.is_merge):
            found.setdefault(work(commit), commit)
        return tuple(commit for change, commit in found.items() if change not in shown_ids)

    def _count(self, commits: Sequence[Commit]) -> None:
        """Count the lines of commits that lack them, as far as an answer's patience goes."""
        from bot.index.lines import Lines  # with all of git's reading, which an answer seldom needs

        Lines(self.store.commits, self.mirrors).count_these(commits)

    def _credited(
        self, person: Person, start: datetime, end: datetime, repositories: Sequence[str], by: Commits
    ) -> list[tuple[Role, Commit]]:
        resolver = self.people.resolver
        before_at = {address.partition("@")[0] for address in person.addresses if not noreply_login(address)}
        names = {*person.logins, *before_at, person.name, *(one.name for one in person.identities)}
        names |= {f"@{name}" for name in names}
        own = person.signatures
        # Whom trailers alone name is whoever they write so.
        signed = {(one.name, one.address) for one in person.identities if not one.commits}

        def may_be_theirs(one: Credited) -> bool:  # not by equality: an index that runs counts more commits of theirs
            return (one.name, one.address) in signed or any(
                own.overlaps(who.signatures) for who in resolver.may_be(one)
            )

        def is_theirs(role: Role, commit: Commit) -> bool:
            credited = [one for one in credits_of(commit.body) if one.role == role]
            named = resolver.credited(credited, repository=commit.repository)
            return any(own.overlaps(who.signatures) for _, who in named) or any(
                (one.name, one.address) in signed for one in credited
            )

        found = by.crediting(start, end, person.addresses, sorted(names - {""}), may_be_theirs)
        if resolver.by_repository:
            found = [pair for pair in found if is_theirs(*pair)]
        return [
            (role, commit)
            for role, commit in found
            if commit not in own and not commit.is_merge and (not repositories or commit.repository in repositories)
            if commit.repository not in self.skipped.repositories
        ]

    def _with_lines(
        self, by: Commits, start: datetime, end: datetime, identities: Whose, repositories: Sequence[str]
    ) -> list[Commit]:
        def read() -> list[Commit]:
            found = by.between(start, end, identities=identities, repositories=list(repositories) or None)
            return [one for one in found if one.repository not in self.skipped.repositories]

        return self._counted(read)

    def _counted(self, read: Callable[[], list[Commit]]) -> list[Commit]:
        """What is read, again once the lines that are lacking are counted."""
        commits = read()
        if lacking := [one for one in commits if not one.is_counted]:
            self._count(lacking)
            commits = read()
        return commits


# --- who reviewed what


def helpers(known: KnownPeople, changes: Iterable[Change], own: Signatures) -> dict[str, dict[str, str]]:
    """By change, the names of those who reviewed it or wrote it with somebody who signs as `own`, each with what is
    said of its role, which of reviewers is nothing. Of one that somebody else wrote, with the person as co-author, its
    author is among them."""
    found: dict[str, dict[str, str]] = {}
    for change in changes:
        for commit in change.commits:
            author = known.author(commit)
            named = known.resolver.credited(credits_of(commit.body), author, commit.repository)
            roles = (("author", author), *((role, one) for role, one in named if role in ("coauthor", "reviewer")))
            for role, other in sorted(roles, key=lambda one: one[0] != "reviewer"):
                there = found.get(change.id, {})
                if (
                    other
                    and other.name not in there
                    and not own.overlaps(other.signatures)
                    and not known.is_hidden(other)
                ):
                    mark = {"reviewer": "", "coauthor": " (co-author)"}.get(role, f" ({role})")
                    found.setdefault(change.id, {})[other.name] = mark
    return found


def unmatched_reviewers(known: KnownPeople, commits: Iterable[Commit], person: Person | None = None) -> list[str]:
    """A note on whom the trailers of commits name as reviewers beside those who are known, with the command that
    matches one: it may be who is missed, or the `person` whose reviews are asked for."""
    found = Counter(
        (one.name or one.address, one.address or one.name)
        for commit in commits
        for one in credits_of(commit.body)
        if one.role == "reviewer" and known.resolver.is_unknown(one, commit.repository)
        if person is None or one.address not in person.addresses
    )
    if not found:
        return []
    ranked = sorted(found.items(), key=lambda one: (-one[1], one[0]))
    named = [f"{clean(name)} ({count(number, 'commit')})" for (name, _), number in ranked]
    (name, written), _ = ranked[0]
    to_match = f"To match {clean(name)}: `almanac people link AUTHOR {quote(clean(written))}`"
    if person and person.addresses:
        command = f"`almanac people link {quote(clean(person.addresses[0]))} LOGIN`"
        to_match = f"If one of them is {clean(person.name)}: {command}"
    return [f"Reviewers who are matched to no author: {listed_few(named, MOST_UNMATCHED)}. {to_match}."]


# --- when people were active


@dataclass(frozen=True, slots=True)
class Activity:
    """Looks into the index, never at a commit. What is dated after `now` counts for nothing, and so do the repositories
    in `hidden`."""

    store: Store
    people: KnownPeople
    zone: ZoneInfo
    now: datetime
    bots: Sequence[str]
    hidden: frozenset[str] = frozenset()

    @property
    def _future(self) -> datetime:
        """Begins there."""
        return self.now + timedelta.resolution

    def last_month(self, people: Sequence[Person] | None = None) -> Month | None:
        """The newest month in which anybody, or one of some people, has a commit."""
        identities = identities_of(people) if people is not None else None
        at = self.store.commits.latest(self._future, identities, without=sorted(self.hidden))
        return Month.of(at, self.zone) if at else None

    def last_time(self, span: Span) -> Span | None:
        """The newest month in which anybody has a commit; where days are asked for, the newest day before them."""
        if not isinstance(span, Days):
            month = self.last_month()
            return MonthRange(month, month) if month else None
        before = min(span.bounds(self.zone)[0], self._future)
        at = self.store.commits.latest(before, without=sorted(self.hidden))
        day = at.astimezone(self.zone).date() if at else None
        return Days(day, day + timedelta(1)) if day else None

    def months(self, person: Person) -> list[Month]:
        """The months a person has commits in, oldest first."""
        times = self.store.commits.latest_of_each(
            lambda at: Month.of(at, self.zone).bounds(self.zone)[0],
            self._future,
            person.identities,
            without=sorted(self.hidden),
        )
        return [Month.of(at, self.zone) for at in reversed(times)]

    def counted(self, time: AnyPeriod | Span) -> dict[Person, dict[str, int]]:
        """How many commits each person who is shown has in a time, by repository; without those who have none."""
        written = self.store.identities.active(*time.bounds(self.zone), without=sorted(self.hidden))
        found: dict[Person, dict[str, int]] = {}
        for person in self.people.shown:
            theirs = Counter[str]()
            for one in person.identities:
                for repository, commits in written.get((one.name, one.address), {}).items():
                    if one.is_of(repository):
                        theirs[repository] += commits
            if theirs:
                found[person] = dict(theirs)
        return found

    def most(self, time: AnyPeriod | Span, *, machines: bool = False) -> list[Person]:
        """Who has commits in a month or another time, most first: people, or machines."""
        total = {one: sum(theirs.values()) for one, theirs in self.counted(time).items()}
        people = [one for one in total if is_bot(one, self.bots) == machines]
        return sorted(people, key=lambda person: (-total[person], person.name, person.addresses))

    def new(
        self, people: Sequence[Person], before: datetime, repositories: Sequence[str], dates: Dates | None = None
    ) -> list[Person]:
        """Those who have no commit in some repositories dated before an instant, by another date if it is given: nor
        has who is called, spelled otherwise, as they are."""
        spelled = self.people.spelled if people else {}
        same = {
            one: {one, *(p for name in self.people.spellings(one) for p in spelled.get(name, ()))} for one in people
        }
        earlier = self.store.identities.earlier(
            identities_of({p for some in same.values() for p in some}), before, repositories, dates
        )
        return [
            person
            for person in people
            if not any(
                one.is_of(name)
                for one in identities_of(same[person])
                for name in earlier.get((one.name, one.address), ())
            )
        ]

    def written(self, span: Days, repositories: Sequence[str]) -> Callable[[Identity], int]:
        """How many commits an identity has in a time; `repositories` empty: in all of them."""
        found = self.store.identities.active(*span.bounds(self.zone), without=sorted(self.hidden))
        return lambda one: sum(
            commits for name, commits in found.get((one.name, one.address), {}).items()
            if one.is_of(name) and name in (repositories or (name,))
        )  # fmt: skip

    def narrowed(self, people: Sequence[Person], months: Span | None) -> tuple[Person, ...]:
        """Of several people with one name, those with commits in the months, if there are any."""
        if len(people) < 2 or months is None or len({person.name.casefold() for person in people}) > 1:
            return tuple(people)
        start, end = months.bounds(self.zone)
        newest = [self.store.commits.latest(end, person.identities, without=sorted(self.hidden)) for person in people]
        active = tuple(person for person, at in zip(people, newest, strict=True) if at and at >= start)
        return active or tuple(people)

    def around(self, person: Person, months: Span) -> tuple[Month | None, Month | None]:
        """The months nearest to a time, before and after it, in which a person has commits; None where there is none.

        Costs a look into the index for each identity.
        """
        before, after = self._nearest(person, months)
        return Month.of(before, self.zone) if before else None, Month.of(after, self.zone) if after else None

    def near(self, person: Person, span: Span) -> list[Span]:
        """The nearest times before and after one in which a person has commits: of months months, of days days."""
        found = [at for at in self._nearest(person, span) if at]
        if isinstance(span, Days):
            days = (at.astimezone(self.zone).date() for at in found)
            return [Days(day, day + timedelta(1)) for day in days]
        return [MonthRange(month, month) for month in (Month.of(at, self.zone) for at in found)]

    def nearest(self, person: Person, months: Span) -> list[str]:
        """A sentence on the nearest times, before and after one, in which a person has commits; none has none."""
        near = [one.title for one in self.near(person, months)]
        if not near:
            return []
        what = "day" if isinstance(months, Days) else "month"
        return [f"The nearest active {what}{'s are' if len(near) > 1 else ' is'} {listed(near)}."]

    def _nearest(self, person: Person, span: Span) -> tuple[datetime | None, datetime | None]:
        start, end = span.bounds(self.zone)
        without = sorted(self.hidden)
        latest = self.store.commits.latest(min(start, self._future), person.identities, without=without)
        earliest = self.store.commits.earliest(end, person.identities, without=without)
        return latest, earliest if earliest and earliest < self._future else None


def identities_of(people: Iterable[Person]) -> list[Identity]:
    return [identity for person in people for identity in person.identities]


def every_month(present: Month) -> MonthRange:
    """All the months there can be commits in: what is dated later has not happened."""
    return MonthRange(FIRST, present)


def _lines(commits: Iterable[Commit]) -> int:
    """How many lines commits changed; one more each, for those that are not counted yet."""
    return sum(1 + sum((one.additions or 0) + (one.deletions or 0) for one in commit.files) for commit in commits)
