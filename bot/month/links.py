"""References → links: which commit reverts, brings back, repeats or repairs which other one. Pure.

A link goes from a commit to an earlier one, so that however messages lie there is no circle. The strongest reference
that leads to a commit decides; the weakest, a quoted subject, leads to the nearest earlier commit of the same
repository. A commit that is not among those given gives no link. docs/months.md shows how often each reference decides.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from bot.model import Commit, FileChange, Key
from bot.month.message import Effect, Reference, references_of, rough, tags_of

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
                if common in pointed or reference.kind in _TWINNING:
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
        message, and of a common file."""
        commit, title = self._commits[number], self._references[number].title
        author = commit.author.address.casefold(), commit.author.seconds
        first = self._written.setdefault((commit.repository, *author, title, commit.body), number) if title else number
        return first if first != number and shares_files(commit, self._commits[first]) else None

    def _picked(self, number: int) -> int | None:
        """The one commit that a commit says it was picked from."""
        picked = [reference for reference in self._references[number].copies if reference.kind == "sha"]
        return self._before(number, picked[0]) if len(picked) == 1 else None

    # --- one piece of work in several repositories, or landed a second time

    def _duplicates(self) -> Iterator[tuple[int, int, str]]:
        """Each pair, the later commit first, and the reference that tells, the strongest first: tools of review export
        one diff to several repositories, forks and mirrors hold the same SHA, and fixes are picked onto other lines.
        What no number tells is known by the same author, title and second of writing."""
        by_sha, written = defaultdict[str, list[int]](list), defaultdict[tuple[str, str, int], dict[str, int]](dict)
        for number, commit in enumerate(self._commits):
            by_sha[commit.sha].append(number)
            if title := self._references[number].title:
                same_second = written[commit.author.address.casefold(), title, commit.author.seconds]
                same_second.setdefault(commit.repository, number)
        for same in by_sha.values():
            yield from ((other, same[0], "SHA") for other in same[1:])
        yield from self._numbered_alike()
        for number in range(len(self._commits)):
            if (target := self._picked(number)) is not None:
                yield number, target, "cherry-pick"
        for by_repository in written.values():
            for one, other in pairwise(by_repository.values()):
                if self._may_be_one(one, other):
                    yield other, one, "same patch"

    def _numbered_alike(self) -> Iterator[tuple[int, int, str]]:
        anywhere = [pair for (where, _), owned in self._owned.items() if not where for pair in owned.items()]
        for kind in _TWINNING:
            for reference, having in anywhere:
                if reference.kind != kind or len(having) < 2:
                    continue
                if kind != "pull":
                    for same in self._generations(having, kind):
                        yield from ((other, min(same), kind) for other in same if other != min(same))
                    continue
                # The commit of a pull request, and those of other repositories that say that they are of the same.
                copies = [one for one in having if reference in self._references[one].copies]
                own = next((one for one in having if one not in copies), having[0])
                for one in copies:
                    if self._may_be_one(one, own):
                        yield max(one, own), min(one, own), "X-link"

    def _generations(self, having: Sequence[int], kind: str) -> list[list[int]]:
        """Commits of one number: what was landed, with its exports, and what was landed once more, with those."""
        turns, generations = Counter[str](), dict[int, list[int]]()
        for one in sorted(having, key=lambda one: (self._commits[one].author.seconds, one)):
            # A squash of a whole stack has the numbers of all of it, and is none of them.
            if sum(reference.kind == kind for reference in self._references[one].own) == 1:
                repository = self._commits[one].repository
                generations.setdefault(turns[repository], []).append(one)
                turns[repository] += 1
        return list(generations.values())

    def _may_be_one(self, one: int, other: int) -> bool:
        """Whether two commits stand in different repositories, and no numbers say that they are two pieces of work."""
        diffs = [{own for own in self._references[each].own if own.kind == "diff"} for each in (one, other)]
        is_elsewhere = self._commits[one].repository != self._commits[other].repository
        return is_elsewhere and not (all(diffs) and diffs[0].isdisjoint(diffs[1]))

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
