"""Commits → links, which commit reverts, brings back, repeats or repairs which other one, → histories: each piece of
work with its exports, what reverted it and what brought it back, → changes: what somebody's month has of each. Pure.

A link goes from a commit to an earlier one, so that however messages lie there is no circle. The strongest reference
that leads to a commit decides; the weakest, a quoted subject, leads to the nearest earlier commit of the same
repository. docs/months.md shows how often each reference decides.

A history is a list of revert events. A commit that reverts one piece of work belongs to the history of that; one that
reverts several is a history of its own, and an event in each of theirs. Whether an event reverts or brings back follows
from how many came before: the revert of a revert brings back, and the revert of that reverts again.

A month is made from those commits of a change that are in it; what became of the change is read from all of it,
whoever did it and whenever.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from bot.model import Change, Commit, FileChange, Key, LaterFix, RevertEvent, State
from bot.month.kinds import decided
from bot.month.message import Effect, Reference, heading_of, references_of, rough, tags_of
from bot.month.title import number_of

# A second attempt at what was not reverted goes on with it, and brings nothing back.
_TRIES = re.compile(r"\b(?:(?:2nd|second|3rd|third) (?:attempt|try)|re-?attempt)\b", re.IGNORECASE)
LinkKind = Literal["reverts", "relands", "same", "fixes"]

SOON = 180 * 24 * 3600  # seconds within which the title of a change that was reverted brings it back,
AT_ONCE = 30 * 24 * 3600  # and within which one of so few words that it may be anything does
MANY_WORDS = 3  # blanks in a title that two people hardly choose by chance
FEW = 8  # commits or titles that are looked at where one reference may mean several
# The kinds of references, the strongest first.
_FOUND_BY = {
    "sha": "SHA", "changeset": "changeset", "change": "Change-Id", "diff": "diff", "changelist": "changelist",
    "pull": "pull request", "subject": "subject",
}  # fmt: skip
_TWINNING = ("diff", "changeset", "pull")  # kinds of references that twins share


@dataclass(frozen=True, slots=True)
class Link:
    """What `source` does to `target`, the commit that it names, and by which reference that is known.

    "same" is one piece of work in several repositories, or landed again without having been reverted. "fixes" is only
    what a message says outright.
    """

    source: Commit
    target: Commit
    kind: LinkKind
    found_by: str
    partly: bool = False


def links_of(commits: Iterable[Commit]) -> tuple[Link, ...]:
    """The links between the commits, those of kind "same" first, the others by time. Merges have none: what points to
    a topic merge points to each commit that it brought.

    Which links a commit has depends only on the commits that its keys lead to (see `bot.month.message`).
    """
    linker = _Linker({one.key: one for one in commits})
    links: dict[tuple[Key, Key, bool], Link] = {}
    for link in linker.links():
        links.setdefault((link.source.key, link.target.key, link.kind == "same"), link)
    return tuple(links.values())


def order_of(commit: Commit) -> tuple[int, int, str, tuple[int, str, int, str, str]]:
    """By when a commit arrived, then when it was written."""
    return commit.committer.seconds, commit.author.seconds, commit.repository, commit.written


class _Linker:
    """Knows commits by their places in order of time."""

    def __init__(self, every: Mapping[Key, Commit]) -> None:
        self._commits = _in_order({key: one for key, one in every.items() if not one.is_merge})
        self._references = [references_of(one) for one in self._commits]
        self._number = {one.key: number for number, one in enumerate(self._commits)}
        self._when = [order_of(one)[:2] for one in self._commits]
        # Who owns references that are alike, in one repository or (under "") in all: of each those who own it, in order
        # of time. Most SHAs and titles are pointed to by nobody.
        self._owned: dict[tuple[str, Reference], dict[Reference, list[int]]] = defaultdict(dict)
        self._brought: dict[tuple[str, Reference], list[int]] = defaultdict(list)  # what topic merges did, by theirs
        pointed = {rough(reference) for references in self._references for reference in references.pointers}
        for number, (one, references) in enumerate(zip(self._commits, self._references, strict=True)):
            for reference in references.own:
                common = rough(reference)
                if common in pointed or reference.kind == "diff":
                    for where in (one.repository, ""):
                        self._owned[where, common].setdefault(reference, []).append(number)
            if one.via and (merge := every.get((one.repository, one.via))):
                for reference in references_of(merge).own:
                    if reference.kind != "subject":
                        self._brought[one.repository, rough(reference)].append(number)
        self._written: dict[tuple[str, str, int, str, str], int] = {}  # who wrote what first
        self._out: set[int] = set()  # what is reverted now
        self._undone: dict[int, list[int]] = defaultdict(list)  # what a commit has reverted
        # What was ever reverted, by repository and title.
        self._reverted: dict[tuple[str, str], set[int]] = defaultdict(set)

    def links(self) -> Iterator[Link]:
        found = [link for number in range(len(self._commits)) for link in self._of(number)]
        again = {(link.source.key, link.target.key) for link in found if link.kind == "relands"}
        for number, other, found_by in self._duplicates():
            one, first = self._commits[number], self._commits[other]
            if (one.key, first.key) not in again:
                yield Link(one, first, "same", found_by)
        yield from found

    def _of(self, number: int) -> Iterator[Link]:
        """The links of one commit; those before it have theirs."""
        commit, references = self._commits[number], self._references[number]
        says = references.does is not None
        doubtful = ("subject",) if says else _FOUND_BY
        undone = self._found(number, references.undoes, doubtful)
        restored = self._found(number, references.restores, doubtful)
        for target, found_by in undone.items():
            # "Original commit changeset" in what is called a re-land may name the original as well as its revert.
            again = references.does == "relands" and target not in self._undone
            yield self._link(number, target, "relands" if again else "reverts", found_by)
        done = set(undone)
        back = {one for target in undone for one in self._undone.get(target, ())}  # as the revert of their revert says
        for target, found_by in restored.items():
            if target in done or target in back:
                continue
            done.add(target)
            if target in self._out or not _TRIES.search(commit.subject):
                yield self._link(number, target, "relands", found_by)
        if not done:
            diffs = [one for one in references.own if one.kind == "diff"]
            twice = self._before(number, diffs[0], home=True) if len(diffs) == 1 else None
            if twice in self._out:
                yield self._link(number, twice, "relands", "diff")
            elif brought := self._again(number):
                yield self._link(number, brought[0], "relands", brought[1])
            elif twice is not None:
                yield Link(commit, self._commits[twice], "same", "diff")
            elif (first := self._copied(number)) is not None:
                yield Link(commit, self._commits[first], "same", "same patch")
        # A number may be that of an issue.
        for target, found_by in self._found(number, references.repairs, ("pull",)).items():
            if target not in done:
                yield Link(commit, self._commits[target], "fixes", found_by)

    def _link(self, number: int, target: int, does: Effect, found_by: str) -> Link:
        """The link, and what it changes in what is out."""
        source, other, references = self._commits[number], self._commits[target], self._references[number]
        partly = references.partly
        if does == "relands":
            self._out.discard(target)
        else:
            undone = self._undone.get(target, ())
            self._out.difference_update(undone)  # the revert of a revert
            self._out.update(*(self._undone.get(one, ()) for one in undone))  # of one that brought something back
            self._out.add(target)
            self._undone[number].append(target)
            if work := self._references[target].work:
                self._reverted[other.repository, work].add(target)
            if target not in self._undone and found_by != "merge":  # reverts of reverts are often made by hand
                partly = partly or _leaves_much(source, other, says=references.does == "reverts")
        return Link(source, other, does, found_by, partly)

    def _again(self, number: int) -> tuple[int, str] | None:
        """What a commit brings back without saying so, and the trace: what it was picked from, if that is out; what has
        its title, is out, and is its author's and of a common file; or somebody else's, of half of the files, where so
        many words are hardly chosen twice."""
        commit, references = self._commits[number], self._references[number]
        picked = self._picked(number) if references.copies and self._out else None
        if picked is not None and picked in self._out and self._commits[picked].repository == commit.repository:
            return picked, "cherry-pick"
        work = references.work if self._out else ""
        if not work or not (reverted := self._reverted.get((commit.repository, work))):
            return None
        labels = references.labels
        soon = SOON if work.count(" ") > 1 else AT_ONCE
        for target in sorted(reverted & self._out, reverse=True)[:FEW]:
            other = self._commits[target]
            if commit.committer.seconds - other.committer.seconds > soon:
                break
            of_other = self._references[target].labels
            if not (labels <= of_other or of_other <= labels):
                continue
            if commit.author.address.casefold() == other.author.address.casefold():
                if shares_files(commit, other):
                    return target, "subject"
            elif work.count(" ") >= MANY_WORDS and shares_half(commit, other):
                return target, "subject"
        return None

    def _copied(self, number: int) -> int | None:
        """What a commit is a copy of, as git cherry-pick and git rebase make them: of the same author, second and
        message, but for what -x writes below it, and of a common file."""
        commit, title = self._commits[number], self._references[number].title
        author = commit.author.address.casefold(), commit.author.seconds
        body = commit.body.partition("(cherry picked from commit")[0].strip()
        first = self._written.setdefault((commit.repository, *author, title, body), number) if title else number
        return first if first != number and shares_files(commit, self._commits[first]) else None

    def _picked(self, number: int) -> int | None:
        """The one commit that a commit says it was picked from."""
        picked = [reference for reference in self._references[number].copies if reference.kind == "sha"]
        return self._before(number, picked[0]) if len(picked) == 1 else None

    # --- one piece of work in several repositories, or landed a second time

    def _duplicates(self) -> Iterator[tuple[int, int, str]]:
        """Each pair, the later commit first, and what tells, the strongest first: forks and mirrors hold the same SHA,
        tools of review export one diff to several repositories, X-links name a pull request elsewhere, and fixes are
        picked onto other lines. What no number tells is known by the same author, title and second of writing. What
        was landed once more in a repository is the same as what was landed once more in another."""
        turns, first = Counter[tuple[str, str, object]](), dict[tuple[str, object, int], int]()
        for number, commit in enumerate(self._commits):
            for found_by, mark in self._marks(number):
                turn = turns[commit.repository, found_by, mark]
                turns[commit.repository, found_by, mark] += 1
                other = first.setdefault((found_by, mark, turn), number)
                if other != number and (found_by not in ("X-link", "same patch") or self._may_be_one(number, other)):
                    yield number, other, found_by
            # A picked revert is no work once more: each takes out what it names.
            is_work = self._references[number].does != "reverts"
            if is_work and (target := self._picked(number)) is not None:
                yield number, target, "cherry-pick"

    def _marks(self, number: int) -> Iterator[tuple[str, object]]:
        """What a commit has in common with the same work in another repository."""
        commit, references = self._commits[number], self._references[number]
        yield "SHA", commit.sha
        for kind in _TWINNING:
            own = [reference for reference in references.own if reference.kind == kind]
            if kind == "pull":  # where one of both says so
                home = f"{commit.repository}#".casefold()
                yield from (("X-link", one) for one in own if one in references.copies or one.value.startswith(home))
            elif len(own) == 1:  # a squash of a whole stack has the numbers of all of it, and is none of them
                yield kind, own[0]
        if references.title:
            yield "same patch", (commit.author.address.casefold(), references.title, commit.author.seconds)

    def _may_be_one(self, one: int, other: int) -> bool:
        """Whether no numbers of two commits say that they are two pieces of work."""
        diffs = [{own for own in self._references[each].own if own.kind == "diff"} for each in (one, other)]
        return not (all(diffs) and diffs[0].isdisjoint(diffs[1]))

    # --- targets

    def _found(self, number: int, references: Sequence[Reference], doubtful: Container[str]) -> dict[int, str]:
        """The earlier commits that references lead to, with the strongest reference that leads to each. A quoted title
        is of use where nothing else leads anywhere; references of doubtful kinds must be borne out by the files."""
        found, commit = dict[int, str](), self._commits[number]
        for kind, found_by in _FOUND_BY.items() if references else ():
            if kind == "subject" and found:
                break
            for reference in references:
                if reference.kind != kind:
                    continue
                target = self._before(number, reference)
                merged = self._brought.get((commit.repository, rough(reference)), ())
                targets = [one for one in merged if one < number] if target is None else [target]
                if kind in doubtful and not any(shares_files(commit, self._commits[one]) for one in targets):
                    continue
                for one in targets:
                    found.setdefault(one, "merge" if target is None else found_by)
        return found

    def _before(self, number: int, reference: Reference, home: bool = False) -> int | None:
        """The nearest earlier commit that a reference leads to: in the same repository if there, else in any."""
        kind = reference.kind
        home = home or kind == "subject" or (kind == "sha" and len(reference.value) < 40)
        for where in (self._commits[number].repository, "")[: 1 if home else 2]:
            owned = self._owned.get((where, rough(reference)), {})
            if (exact := self._nearest(number, owned.get(reference, ()))) >= 0:
                return exact
            alike = [one for one in owned if _may_mean(reference, one)][:FEW]
            if kind == "sha" and len(alike) > 1:
                continue  # the digits are too few to tell
            nearest = max((self._nearest(number, owned[one]) for one in alike), default=-1)
            if nearest >= 0:
                return nearest
        return None

    def _nearest(self, number: int, owners: Sequence[int]) -> int:
        """The last of some commits that is earlier than one; -1 where none is."""
        commit = self._commits[number]
        at = bisect_left(owners, self._when[number], key=self._when.__getitem__)
        for owner in reversed(owners[max(0, at - FEW) : at]):
            if self._commits[owner].sha != commit.sha:
                return owner
        # Within one second, only a parent is known to be earlier.
        parents = [self._number.get((commit.repository, parent), number) for parent in commit.parents]
        return next((one for one in parents if one < number and one in owners), -1)


def _may_mean(pointer: Reference, own: Reference) -> bool:
    """Whether digits begin alike, or a title differs only in that one of the two has more tags."""
    if pointer.kind != "subject":
        return own.value.startswith(pointer.value) or pointer.value.startswith(own.value)
    tags = [tags_of(one.value.partition("\n")[2])[0] for one in (pointer, own)]
    return tags[0] <= tags[1] or tags[1] <= tags[0]


def _in_order(commits: Mapping[Key, Commit]) -> list[Commit]:
    """By time; within one second a parent before its child."""
    done: dict[Key, Commit] = {}
    for one in sorted(commits.values(), key=order_of):
        line: dict[Key, Commit] = {}
        parent: Commit | None = one
        while parent and order_of(parent)[:2] == order_of(one)[:2]:
            if parent.key in done or parent.key in line:
                break
            line[parent.key] = parent
            parent = commits.get((one.repository, next(iter(parent.parents), "")))
        done |= {key: line[key] for key in reversed(line)}
    return list(done.values())


def shares_files(one: Commit, other: Commit) -> bool:
    """Whether two commits of a repository touch a common file, as far as their files are known."""
    if one.repository != other.repository or not one.files or not other.files:
        return True
    return not _paths(one).isdisjoint(_paths(other))


def shares_half(one: Commit, other: Commit) -> bool:
    """Whether each of two commits touches half of the files of the other, as far as they are known."""
    paths = _paths(one), _paths(other)
    return 2 * len(paths[0] & paths[1]) >= max(map(len, paths)) > 0


def _leaves_much(revert: Commit, original: Commit, *, says: bool) -> bool:
    """Whether a revert leaves more than a third of the original's lines in files that it does not touch.

    Files that are not known say nothing, nor does one that `says` that it reverts and touches files of its own: the
    original's may have been moved since.
    """
    reverted, own = _paths(revert), _paths(original)
    if revert.repository != original.repository or reverted.isdisjoint(own) or (says and not reverted <= own):
        return False
    weights = [(_lines(file) if original.is_counted else 1, file) for file in original.files]
    left = sum(weight for weight, file in weights if reverted.isdisjoint({file.path, file.old_path}))
    return left > sum(weight for weight, _ in weights) / 3


def _lines(file: FileChange) -> int:
    return (file.additions or 0) + (file.deletions or 0) or 1


def _paths(commit: Commit) -> set[str]:
    return {path for file in commit.files for path in (file.path, file.old_path) if path}


# --- links → histories


@dataclass(frozen=True, slots=True)
class History:
    """One piece of work. `originals` are the commits it began with, more than one where tools exported it.

    `commits` are all of it in order of time, `revert_events` what happened to it, some by commits of other
    histories. `fixes` are the links to its commits from those that say they repair them, in order of time.
    """

    id: str
    originals: tuple[Commit, ...]
    commits: tuple[Commit, ...]
    revert_events: tuple[RevertEvent, ...] = ()
    fixes: tuple[Link, ...] = ()


def state_of(
    events: Iterable[RevertEvent], until: datetime | None = None
) -> tuple[State, RevertEvent | None, RevertEvent | None]:
    """The state to which revert events bring a piece of work just before `until`, or at the end; with the event that
    reverted it last, and the one that brought it back after that."""
    state: State = "landed"
    out = back = None
    for event in events:
        if until is not None and event.commit.came >= until:
            break
        if event.does == "relands":
            state = "partly" if event.partly and state in ("backed_out", "partly") else "relanded"
            back = event
        elif not event.partly:
            state, out, back = "backed_out", event, None
        elif state != "backed_out":
            state, out = "partly", event
    return state, out, back


def histories_of(commits: Iterable[Commit], alone: Container[Key] = ()) -> list[History]:
    """The histories of the commits, merges left out; each commit is in exactly one. In order of their beginnings.

    Those that are `alone` are known to have no links.
    """
    every = {one.key: one for one in commits}
    tied = {key: one for key, one in every.items() if key not in alone}
    histories = [History(one.sha, (one,), (one,)) for one in every.values() if one.key in alone and not one.is_merge]
    own = {key: one for key, one in tied.items() if not one.is_merge}
    histories += _Histories(own, links_of(tied.values())).build()
    return sorted(histories, key=lambda one: _written(one.originals[0]))


def by_commit(histories: Iterable[History]) -> dict[Key, History]:
    """The history that each commit is in, by repository and SHA."""
    return {commit.key: history for history in histories for commit in history.commits}


CONTRARY: dict[Effect, Effect] = {"reverts": "relands", "relands": "reverts"}


class _Histories:
    """Works on pieces: the commits that are the same work by a link "same". A piece is named by its first commit."""

    def __init__(self, commits: dict[Key, Commit], links: Sequence[Link]) -> None:
        self._commits = commits
        self._pieces = _together(commits, links)
        self._of = {key: first for first, keys in self._pieces.items() for key in keys}
        self._links: dict[Key, list[Link]] = defaultdict(list)
        self._fixes: dict[Key, list[Link]] = defaultdict(list)
        for link in links:
            if link.kind == "fixes":
                self._fixes[link.target.key].append(link)
            source, target = self._of[link.source.key], self._of[link.target.key]
            if link.kind in ("reverts", "relands") and source != target:
                self._links[source].append(link)
        self._home: dict[Key, Key] = {}  # the piece whose history a piece belongs to
        self._does: dict[Key, dict[Key, Effect]] = {}  # what a piece does to which histories
        self._revert_events: dict[Key, list[RevertEvent]] = defaultdict(list)
        self._cleared: dict[Key, set[str]] = defaultdict(set)  # the repositories that a history is out of

    def build(self) -> list[History]:
        for piece in self._pieces:
            self._place(piece)
        members: dict[Key, list[Commit]] = defaultdict(list)
        for piece, home in self._home.items():
            members[home] += [self._commits[key] for key in self._pieces[piece]]
        return [self._history(home, commits) for home, commits in members.items()]

    def _history(self, home: Key, commits: list[Commit]) -> History:
        if len(commits) == 1 and home not in self._revert_events and home not in self._fixes:  # as most
            return History(commits[0].sha, (commits[0],), (commits[0],))
        originals = sorted((self._commits[key] for key in self._pieces[home]), key=_written)
        events = self._revert_events.get(home, ())
        revert_events = sorted(events, key=lambda one: (one.commit.came, order_of(one.commit)))
        ranked = sorted(commits, key=order_of)
        fixes = [link for commit in ranked for link in self._fixes.get(commit.key, ())]
        fixes.sort(key=lambda link: order_of(link.source))
        return History(originals[0].sha, tuple(originals), tuple(ranked), tuple(revert_events), tuple(fixes))

    def _place(self, piece: Key) -> None:
        """Find the history of a piece; those before it have theirs, and what is not before it is not its target."""
        if piece not in self._links:  # as most
            self._home[piece], self._does[piece] = piece, {}
            return
        does: dict[Key, Effect] = {}
        by_target: dict[Key, list[Link]] = defaultdict(list)
        for link in self._links[piece]:
            target = self._of[link.target.key]
            if target in self._home:
                by_target[target].append(link)
        own_undone = [target for target in by_target if self._home[target] == target and self._does[target]]
        for target, links in by_target.items():
            kind = links[0].kind
            for history, deed in (self._does[target] or {self._home[target]: "relands"}).items():
                does.setdefault(history, CONTRARY[deed] if kind == "reverts" else "relands")
            if target in own_undone and kind == "reverts":  # the revert of a revert of several
                does.setdefault(target, "reverts")
        if len(does) == 1:
            home = next(iter(does))
        else:
            home = own_undone[0] if len(own_undone) == 1 and len(by_target) == 1 else piece
        self._home[piece] = home
        self._does[piece] = does
        for history, deed in does.items():
            self._revert_events[history].append(self._revert_event(piece, history, deed, by_target))

    def _revert_event(self, piece: Key, history: Key, deed: Effect, by_target: dict[Key, list[Link]]) -> RevertEvent:
        links = [
            link
            for target, found in by_target.items()
            if history in (self._home[target], target) or history in self._does[target]
            for link in found
        ]
        at = self._commits[history].repository
        link = min(links, key=lambda one: (one.source.repository != at, order_of(one.source)))
        return RevertEvent(deed, link.source, link.found_by, self._is_partly(piece, history, deed, links))

    def _is_partly(self, piece: Key, history: Key, deed: Effect, links: Sequence[Link]) -> bool:
        """Whether an event leaves a part: of its target's files, or in one of the repositories that hold the work."""
        whole = {link.target.repository for link in links if not link.partly}
        some = {link.target.repository for link in links} - whole
        cleared = self._cleared[history]
        if deed == "relands":
            cleared.clear()
            return bool(some)
        held = {key[0] for link in links for key in self._pieces[self._of[link.target.key]]}
        cleared |= whole | {key[0] for key in self._pieces[piece]} - some
        return bool(some) or not held <= cleared


def _written(commit: Commit) -> tuple[int, str, tuple[int, str, int, str, str]]:
    return commit.author.seconds, commit.repository, commit.written


def _together(commits: dict[Key, Commit], links: Sequence[Link]) -> dict[Key, list[Key]]:
    """The keys of each piece under the first of them, in order of time."""
    over: dict[Key, Key] = {}

    def top(key: Key) -> Key:
        while key in over:
            over[key] = key = over.get(over[key], over[key])
        return key

    for link in links:
        if link.kind == "same":
            one, other = top(link.source.key), top(link.target.key)
            if one != other:
                over[max(one, other)] = min(one, other)
    pieces: dict[Key, list[Key]] = defaultdict(list)
    for commit in sorted(commits.values(), key=order_of):
        pieces[top(commit.key)].append(commit.key)
    return {keys[0]: keys for keys in pieces.values()}


Names = Callable[[Commit], str]  # who the author of a commit is, shown by name
FIXED_WITHIN = 183 * 24 * 3600  # seconds: what is repaired later than that was good for long


def as_signed(commit: Commit) -> str:
    """The name that a commit is signed with, where nobody knows better whose it is."""
    return commit.author.name


def month_changes(
    commits: Iterable[Commit],
    histories: Iterable[History] | Mapping[Key, History],
    until: datetime | None,
    names: Names = as_signed,
) -> tuple[Change, ...]:
    """The changes that somebody's commits of a month belong to, each with those commits only.

    `histories` are those of the commits and of all that is linked with them, by whoever and whenever; who tells many
    months of one index gives them `by_commit`. The state is that just before `until`, the month's end; `later` holds
    what happened since. Who has only reverted what others had made, or had made before, has a change of kind
    "revert" and with an id of its own, which is "landed" while it stands; where only a body says so, below a title
    such as "Enable it by default", the change is what its title says. `names` tells who an author is.
    """
    own = {commit.key: commit for commit in commits if not commit.is_merge}
    known = histories if isinstance(histories, Mapping) else by_commit(histories)
    if missing := [commit for key, commit in own.items() if key not in known]:
        known = {**known, **by_commit(histories_of(missing))}
    views: dict[Key, tuple[History, list[Commit]]] = {}
    for key, commit in own.items():
        history = known[key]
        views.setdefault(history.originals[0].key, (history, []))[1].append(commit)
    found = [_change(history, view, until, names) for history, view in views.values()]
    if links := [link for history, _ in views.values() for link in history.fixes]:  # as few have
        links.sort(key=lambda one: order_of(one.source))
        found = list(_fixed_later(found, links, names))
    return tuple(sorted(found, key=lambda change: change.lead.written))


def _change(history: History, view: Sequence[Commit], until: datetime | None, names: Names) -> Change:
    """A history as seen by somebody who has made the commits in `view`."""
    events = [replace(event, by=names(event.commit)) for event in history.revert_events]
    backs, outs = ({one.commit.key for one in events if one.does == does} for does in ("relands", "reverts"))
    first = {commit.key for commit in history.originals}

    def rank(one: Commit) -> tuple[bool, ...]:  # what is none of these is the export of an event to another repository
        return one.key not in first, one.key not in backs, one.key not in outs

    ranked = sorted(view, key=lambda one: (rank(one), one.author.seconds, one.repository, one.written))
    lead = ranked[0]
    decision = decided(lead)
    reverts = lead.key in outs - first
    undoes = reverts and decision.kind == "revert"
    if lead.key in backs - first and decision.kind in ("revert", "chore"):  # it is the work once more
        decision = decided(history.originals[0])
    if reverts:  # it stands until what it reverted is brought back
        place = next(number for number, event in enumerate(events) if event.commit.key == lead.key)
        events = events[place + 1 :]
        if not undoes:  # what brings the other one back takes this one out
            events = [replace(event, does=CONTRARY[event.does]) for event in events]
    later = tuple(event for event in events if until is not None and event.commit.came >= until)
    state, out, back = state_of(events, until)
    if undoes:
        undone = next((event for event in events if event.does == "relands" and event not in later), None)
        state, out, back = ("backed_out", undone, None) if undone else ("landed", None, None)
    return Change(
        lead.sha if reverts else history.id,
        tuple(ranked),
        decision.kind,
        state,
        refs_of(ranked),
        out,
        back,
        decision.rule,
        decision.is_sure,
        decision.chore,
        later=later,
        undone=history.originals if undoes else (),
        undone_by=names(history.originals[0]) if undoes else "",
        earlier=() if reverts else tuple(event for event in events if event not in (*later, out, back)),
    )


def _fixed_later(changes: Sequence[Change], links: Iterable[Link], names: Names) -> Iterator[Change]:
    """The changes with the commits that name one of them as what they repair, whoever made those and whenever."""
    of = {commit.key: number for number, change in enumerate(changes) for commit in change.commits}
    found: dict[int, dict[Key, LaterFix]] = defaultdict(dict)
    for link in links:
        number, source = of.get(link.target.key), link.source
        if number is not None and of.get(source.key) != number and _is_fix_of(link):
            found[number].setdefault(source.key, LaterFix(source, names(source)))
    for number, change in enumerate(changes):
        is_fixed = number in found and change.kind != "revert"
        yield replace(change, fixes=tuple(found[number].values())) if is_fixed else change


def _is_fix_of(link: Link) -> bool:
    """Whether a commit that says that it repairs an earlier one soon after it changes what the program does."""
    decision = decided(link.source)
    soon = link.source.committer.seconds - link.target.committer.seconds <= FIXED_WITHIN
    return soon and not decision.chore and decision.kind not in ("revert", "build")


def with_number(change: Change, topics: Mapping[Key, Commit]) -> Change:
    """A change that has no number of a pull request, with that of the topic merge that brought it, where it has one."""
    merge = None if number_in(change) else topics.get((change.lead.repository, change.lead.via or ""))
    return replace(change, refs=(*change.refs, number)) if merge and (number := number_of(merge)) else change


def number_in(change: Change) -> str:
    """The number of a change's pull request in its own repository, as "#12"; empty where it has none."""
    return number_of(change.lead) or next((one for one in change.refs if one[0] in "#!"), "")


def refs_of(commits: Sequence[Commit]) -> tuple[str, ...]:
    """The pull requests of the commits in the first one's repository, as written there."""
    at = commits[0].repository
    return tuple(dict.fromkeys(ref for one in commits if one.repository == at for ref in heading_of(one).numbers))
