"""References → links: which commit reverts, brings back, repeats or repairs which other one. Pure.

A link goes from a commit to an earlier one, so that however messages lie there is no circle. The strongest reference
that leads to a commit decides; the weakest, a quoted subject, leads to the nearest earlier commit of the same
repository. A commit that is not among those given gives no link. docs/links.md shows how often each reference decides.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from bot.model import Commit, FileChange
from bot.month.commit_references import Reference, References, references_of, rough, title_in, work_of
from bot.month.duplicates import TWINNING, Duplicates
from bot.month.subjects import Effect, core_of, tags_of

# A second attempt at what was not reverted goes on with it, and brings nothing back.
_TRIES = re.compile(r"\b(?:(?:2nd|second|3rd|third) (?:attempt|try)|re-?attempt)\b", re.IGNORECASE)
LinkKind = Literal["reverts", "relands", "same", "follows", "mentions"]
Order = tuple[int, int, str, str]
Known = Mapping[tuple[str, str], References]  # the references of commits, by repository and SHA
NOTHING: Known = MappingProxyType({})

SOON = 180 * 24 * 3600  # seconds within which the title of a change that was reverted brings it back,
AT_ONCE = 30 * 24 * 3600  # and within which one of so few words that it may be anything does
FEW = 8  # commits or titles that are looked at where one reference may mean several
_FOUND_BY = {"sha": "SHA", "changeset": "changeset", "diff": "diff", "pull": "pull request", "subject": "subject"}
_STRONG = ("sha", "changeset", "diff", "pull")


@dataclass(frozen=True, slots=True)
class Link:
    """What `source` does to `target`, the commit that it names, and by which reference that is known.

    "same" is one piece of work in several repositories, or landed again without having been reverted. "mentions" is
    said in a message that speaks of something wrong, and no more than that.
    """

    source: Commit
    target: Commit
    kind: LinkKind
    found_by: str
    partly: bool = False


def links_of(commits: Iterable[Commit], known: Known = NOTHING) -> tuple[Link, ...]:
    """The links between the commits, those of kind "same" first, the others by time. Merges have none.

    Which links a commit has depends only on the commits that its keys lead to (see `commit_references`).
    References that are `known` need not be read from the messages once more.
    """
    return _Linker({(one.repository, one.sha): one for one in commits if not one.is_merge}.values(), known).links()


def order_of(commit: Commit) -> Order:
    """By when a commit arrived, then when it was written."""
    return commit.committer.seconds, commit.author.seconds, commit.repository, commit.sha


class _Linker:
    def __init__(self, commits: Iterable[Commit], known: Known) -> None:
        self._commits = _in_order(commits)
        self._references = [known.get((one.repository, one.sha)) or references_of(one) for one in self._commits]
        self._number = {(one.repository, one.sha): number for number, one in enumerate(self._commits)}
        self._when = [(one.committer.seconds, one.author.seconds) for one in self._commits]
        # Who owns a reference, in one repository or (under "") in all, in order of time; and those that are alike.
        # Most SHAs and titles are pointed to by nobody.
        self._owners: dict[tuple[str, Reference], list[int]] = defaultdict(list)
        self._alike: dict[tuple[str, Reference], dict[Reference, None]] = defaultdict(dict)
        pointed = {rough(reference) for references in self._references for reference in references.pointers}
        for number, references in enumerate(self._references):
            for reference in references.own:
                common = rough(reference)
                if common in pointed or reference.kind in TWINNING:
                    for where in (self._commits[number].repository, ""):
                        self._owners[where, reference].append(number)
                        if common in pointed:
                            self._alike[where, common][reference] = None
        self._out: dict[int, int] = {}  # what is reverted now, and by which commit
        self._undone: dict[int, list[int]] = defaultdict(list)  # what a commit has reverted
        # What is out now, by repository, author and title, in order of time.
        self._work_out: dict[tuple[str, str, str], list[int]] = defaultdict(list)

    def links(self) -> tuple[Link, ...]:
        links: dict[tuple[str, str, str, str, bool], Link] = {}
        every = itertools.chain(self._twins(), itertools.chain.from_iterable(map(self._of, range(len(self._commits)))))
        for link in every:
            source, target = link.source, link.target
            links.setdefault((source.repository, source.sha, target.repository, target.sha, link.kind == "same"), link)
        return tuple(links.values())

    def _twins(self) -> Iterator[Link]:
        owners = {
            reference: found for (where, reference), found in self._owners.items() if not where and len(found) > 1
        }
        for number, other, found_by in Duplicates(self._commits, self._references, owners).found(self._before):
            yield Link(self._commits[number], self._commits[other], "same", found_by)

    def _of(self, number: int) -> Iterator[Link]:
        """The links of one commit; those before it have theirs."""
        references = self._references[number]
        if not _points(references):  # as most
            if again_of := self._again(number):
                yield self._link(number, again_of[0], "relands", again_of[1])
            return
        done: set[int] = set()
        undone = self._found(number, references.undoes)
        restored = self._found(number, references.restores)
        if not undone and not restored:
            for does, reference in references.beneath:
                if found := self._found(number, (reference,)):
                    undone, restored = (found, {}) if does == "reverts" else ({}, found)
                    break
        if not references.does:  # what only the body says, its files must bear out
            undone, restored = self._borne_out(number, undone), self._borne_out(number, restored)
        for target, found_by in undone.items():
            # "Original commit changeset" in what is called a re-land may name the original as well as its revert.
            again = references.does == "relands" and target not in self._undone
            done.add(target)
            yield self._link(number, target, "relands" if again else "reverts", found_by)
        for target, found_by in restored.items():
            if target in done:
                continue
            done.add(target)
            if target not in self._out and _TRIES.search(self._commits[number].subject):
                yield Link(self._commits[number], self._commits[target], "follows", found_by)
            else:
                yield self._link(number, target, "relands", found_by)
        if not done and (again_of := self._again(number)):
            yield self._link(number, again_of[0], "relands", again_of[1])
        elif not done and (twice := self._earlier_of_one_diff(number)) is not None:
            yield Link(self._commits[number], self._commits[twice], "same", "diff")
        for target, found_by in self._found(number, references.follows).items():
            if target not in done:
                done.add(target)
                yield Link(self._commits[number], self._commits[target], "follows", found_by)
        for target, found_by in self._found(number, references.mentions).items():
            if target not in done:
                yield Link(self._commits[number], self._commits[target], "mentions", found_by)

    def _link(self, number: int, target: int, does: Effect, found_by: str) -> Link:
        """The link, and what it changes in what is out."""
        if does == "reverts":
            for again in self._undone.get(target, ()):  # the revert of a revert
                self._bring_back(again)
            if target not in self._out and (work := self._work(target)):
                insort(self._work_out[work], target)
            self._out[target] = number
            self._undone[number].append(target)
        else:
            self._bring_back(target)
        source, other = self._commits[number], self._commits[target]
        of_work = does == "reverts" and target not in self._undone  # reverts of reverts are often made by hand
        partly = self._references[number].partly or (of_work and self._leaves_much(number, target))
        return Link(source, other, does, found_by, partly)

    def _leaves_much(self, number: int, target: int) -> bool:
        source, other = self._commits[number], self._commits[target]
        if self._references[number].does == "reverts" and not _paths(source) <= _paths(other):
            return False  # it may touch other files since they were moved
        return leaves_much(source, other)

    def _bring_back(self, target: int) -> None:
        if self._out.pop(target, None) is not None and (work := self._work(target)):
            self._work_out[work].remove(target)

    def _work(self, number: int) -> tuple[str, str, str] | None:
        work = work_of(self._commits[number], self._references[number])
        return (self._commits[number].repository, *work) if work else None

    def _again(self, number: int) -> tuple[int, str] | None:
        """What a commit brings back without saying so: what has its title, or its number, and is out."""
        commit, references = self._commits[number], self._references[number]
        if not self._out:
            return None
        if (before := self._earlier_of_one_diff(number)) in self._out:
            return before, "diff"
        if (work := self._work(number)) is None or not (out := self._work_out.get(work)):
            return None
        labels = core_of(title_in(references))[0]
        soon = SOON if work[2].count(" ") > 1 else AT_ONCE
        for target in reversed(out[-FEW:]):
            other = self._commits[target]
            if commit.committer.seconds - other.committer.seconds > soon:
                break
            of_other = core_of(title_in(self._references[target]))[0]
            if (labels <= of_other or of_other <= labels) and shares_files(commit, other):
                return target, "subject"
        return None

    def _earlier_of_one_diff(self, number: int) -> int | None:
        diffs = [reference for reference in self._references[number].own if reference.kind == "diff"]
        return self._before(number, diffs[0], home=True) if len(diffs) == 1 else None

    # --- targets

    def _found(self, number: int, references: Sequence[Reference]) -> dict[int, str]:
        """The earlier commits that references lead to, with the strongest reference that leads to each."""
        found: dict[int, str] = {}
        for kind in _STRONG:
            for reference in references:
                if reference.kind == kind and (target := self._before(number, reference)) is not None:
                    found.setdefault(target, _FOUND_BY[kind])
        if found:
            return self._one_of_each(found)
        subjects = [
            self._before(number, reference, home=True) for reference in references if reference.kind == "subject"
        ]
        return self._borne_out(number, {target: "subject" for target in subjects if target is not None})

    def _borne_out(self, number: int, found: dict[int, str]) -> dict[int, str]:
        return {
            target: found_by
            for target, found_by in found.items()
            if shares_files(self._commits[number], self._commits[target])
        }

    def _one_of_each(self, found: dict[int, str]) -> dict[int, str]:
        """Where two references lead to commits of one diff, the stronger reference is right about which of them."""
        if len(found) == 1:
            return found
        seen: set[Reference] = set()
        kept: dict[int, str] = {}
        for target, found_by in found.items():
            diffs = {reference for reference in self._references[target].own if reference.kind in ("diff", "changeset")}
            if not diffs & seen:
                kept[target] = found_by
            seen |= diffs
        return kept

    def _before(self, number: int, reference: Reference, home: bool = False) -> int | None:
        """The nearest earlier commit that a reference leads to: in the same repository if there, else in any."""
        here = self._nearest(number, self._commits[number].repository, reference)
        if (
            here is not None
            or home
            or reference.kind == "subject"
            or (reference.kind == "sha" and len(reference.value) < 40)
        ):
            return here
        return self._nearest(number, "", reference)

    def _nearest(self, number: int, where: str, reference: Reference) -> int | None:
        if (where, reference) in self._owners:
            return self._nearest_of(number, self._owners[where, reference])
        if reference.kind in ("diff", "pull"):
            return None
        alike = [one for one in self._alike.get((where, rough(reference)), ()) if _may_mean(reference, one)][:FEW]
        if reference.kind == "sha" and len(alike) > 1:
            return None  # the digits are too few to tell
        found = (self._nearest_of(number, self._owners[where, one]) for one in alike)
        return max((one for one in found if one is not None), default=None)

    def _nearest_of(self, number: int, owners: Sequence[int]) -> int | None:
        commit = self._commits[number]
        at = bisect_left(owners, self._when[number], key=self._when.__getitem__)
        for owner in reversed(owners[max(0, at - FEW) : at]):
            if self._commits[owner].sha != commit.sha:
                return owner
        # Within one second, only a parent is known to be earlier.
        parents = (self._number.get((commit.repository, parent)) for parent in commit.parents)
        return next((one for one in parents if one is not None and one < number and _holds(owners, one)), None)


def _points(references: References) -> bool:
    """Whether anything in a message may lead to another commit of which nothing is out."""
    if references.undoes or references.restores or references.follows or references.mentions or references.beneath:
        return True
    return any(reference.kind == "diff" for reference in references.own)


def _may_mean(pointer: Reference, own: Reference) -> bool:
    """Whether digits begin alike, or a title differs only in that one of the two has more tags."""
    if pointer.kind != "subject":
        return own.value.startswith(pointer.value) or pointer.value.startswith(own.value)
    tags = [set(_TAG.findall(tags_of(one.value.partition("\n")[2])[0])) for one in (pointer, own)]
    return tags[0] <= tags[1] or tags[1] <= tags[0]


_TAG = re.compile(r"\[([^\]]*)\]")


def _holds(ranked: Sequence[int], one: int) -> bool:
    at = bisect_left(ranked, one)
    return at < len(ranked) and ranked[at] == one


def _in_order(commits: Iterable[Commit]) -> list[Commit]:
    """By time; within one second a parent before its child."""
    ranked = sorted(commits, key=order_of)
    place = {(one.repository, one.sha): number for number, one in enumerate(ranked)}
    done: dict[tuple[str, str], Commit] = {}
    for number, one in enumerate(ranked):
        line, at = [one], number
        while True:  # up the parents of the same second that stand behind
            parent = next(iter(line[-1].parents), "")
            at = place.get((one.repository, parent), -1)
            if at <= number or ranked[at].committer.seconds != one.committer.seconds or len(line) > 1000:
                break
            if ranked[at].author.seconds != one.author.seconds or (one.repository, parent) in done:
                break
            line.append(ranked[at])
        for commit in reversed(line):
            done.setdefault((commit.repository, commit.sha), commit)
    return list(done.values())


def shares_files(one: Commit, other: Commit) -> bool:
    """Whether two commits of a repository touch a common file, as far as their files are known."""
    if one.repository != other.repository or not one.files or not other.files:
        return True
    return not _paths(one).isdisjoint(_paths(other))


def leaves_much(revert: Commit, original: Commit) -> bool:
    """Whether a revert leaves more than a third of the original's lines in files that it does not touch.

    Files that are not known say nothing.
    """
    reverted = _paths(revert)
    if revert.repository != original.repository or reverted.isdisjoint(_paths(original)):
        return False
    weights = [(_lines(file) if original.is_counted else 1, file) for file in original.files]
    left = sum(weight for weight, file in weights if reverted.isdisjoint({file.path, file.old_path}))
    return left > sum(weight for weight, _ in weights) / 3


def _lines(file: FileChange) -> int:
    return (file.additions or 0) + (file.deletions or 0) or 1


def _paths(commit: Commit) -> set[str]:
    return {path for file in commit.files for path in (file.path, file.old_path) if path}
