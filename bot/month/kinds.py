"""A commit → its kind, by a table of rules that are tried in order until one decides. Pure.

Paths come before words, and what a commit says outright before what its words hint at. "Fix" is said only where the
words say so; what nothing decides is shown among the other changes. No rule counts lines, so that a month reads the
same before and after its lines are counted. How often each rule is right: docs/kinds.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.model import Commit, FileChange, Kind
from bot.month import kind_words as words
from bot.month.ignorecase import IgnoreCase
from bot.month.kind_words import Place, place_of

MAX_SUBJECT, MAX_BODY = 400, 10_000  # characters that are read
MAX_FILES = 500  # that are looked at, from the first on
FEW, MANY = 3, 8  # files of source that a repair touches at most: without tests beside it, and with them


class Decision(NamedTuple):
    """A commit's kind and the name of the rule that decided it; `is_sure` is the rule's."""

    kind: Kind
    rule: str
    is_sure: bool


class Clues(NamedTuple):
    """What the rules look at.

    `words` is the subject without tags and numbering in front, `rest` what follows components or a prefix in it
    ("mailbox: fix a race" → "fix a race"), or empty.
    `places` counts the files that were touched, a moved one where it was and where it is; `new` is how many more source
    files there are than before.
    """

    words: str
    rest: str
    tags: tuple[str, ...]
    prefix: str
    body: str
    places: Mapping[Place, int]
    new: int

    def begins(self, *patterns: IgnoreCase) -> bool:
        return any(one.match(self.words) or (self.rest and one.match(self.rest)) for one in patterns)

    def holds(self, *patterns: IgnoreCase) -> bool:
        return any(one.search(self.words) for one in patterns)

    def files(self, *places: Place) -> int:
        return sum([self.places.get(place, 0) for place in places])

    def touches(self, place: Place) -> bool:
        return place in self.places

    @property
    def only(self) -> Place | None:
        """The one place that all files are in."""
        return next(iter(self.places)) if len(self.places) == 1 else None


@dataclass(frozen=True, slots=True)
class Rule:
    """Decides a kind or leaves it to the next rule.

    It is sure where at least 80 of 100 decisions agreed with the developers' own, or where the commit says outright
    what it is (a revert that its developers call a fix is one of the other 20, and a revert).
    """

    name: str
    decide: Callable[[Clues], Kind | None]
    is_sure: bool


def _sure(name: str, kind: Kind, holds: Callable[[Clues], bool]) -> Rule:
    return Rule(name, lambda clues: kind if holds(clues) else None, is_sure=True)


def _likely(name: str, kind: Kind, holds: Callable[[Clues], bool]) -> Rule:
    return Rule(name, lambda clues: kind if holds(clues) else None, is_sure=False)


# --- what the rules ask for that takes more than a line


def _one_place(clues: Clues) -> Kind | None:
    only = clues.only
    return only if only in ("ci", "docs", "test") else None


def _stated(clues: Clues) -> Kind | None:
    return next((kind for word in (clues.prefix, *clues.tags) if (kind := words.PREFIXES.get(word))), None)


def _most_files(clues: Clues) -> Kind | None:
    """Where no source changed, the kind of most files; one of equals in this order."""
    if not clues.places or clues.touches("source"):
        return None
    counted: dict[Kind, int] = {"ci": clues.files("ci"), "test": clues.files("test")}
    counted |= {
        "build": clues.files("build", "version"),
        "docs": clues.files("docs"),
        "chore": clues.files("settings"),
    }
    return max(counted, key=lambda kind: counted[kind])


def _updates_a_dependency(clues: Clues) -> bool:
    return clues.begins(words.DEPENDENCY) and (clues.touches("build") or not clues.touches("source"))


def _tests(clues: Clues) -> bool:
    """Tests may stand beside the source, in one file with it, as they do in Rust."""
    beside = clues.touches("test") or not clues.touches("source")
    return clues.begins(words.REPAIRS_TESTS) or (beside and clues.begins(words.TEST))


def _is_small(clues: Clues) -> bool:
    return clues.new <= 0 and clues.files("source") <= (MANY if clues.touches("test") else FEW)


def _repairs(clues: Clues) -> bool:
    """The word "fix" is enough; what the other verbs begin with is something new where documents change as well."""
    return clues.begins(words.FIX) or (clues.begins(words.REPAIR) and _is_small(clues) and not clues.touches("docs"))


def _repairs_surely(clues: Clues) -> bool:
    if not (_repairs(clues) and _is_small(clues)):
        return False
    return clues.touches("test") or clues.holds(words.CASE, words.FAULT)


def _names_a_fault(clues: Clues) -> bool:
    told_otherwise = clues.begins(words.REARRANGING, words.EXPLAINING)
    return clues.holds(words.FAULT, words.FIXED) and _is_small(clues) and not told_otherwise


def _closes_as_fixed(clues: Clues) -> bool:
    return (
        "#" in clues.body
        and bool(words.CLOSES_FIXED.search(clues.body))
        and _is_small(clues)
        and not clues.begins(words.USING)
    )


def _case_with_tests(clues: Clues) -> bool:
    """One file of source and its tests, nothing else."""
    is_one = set(clues.places) == {"source", "test"} and clues.files("source") == 1 and clues.new == 0
    told_otherwise = clues.begins(words.MAKING, words.REARRANGING, words.EXPLAINING)
    return is_one and clues.holds(words.CASE) and not told_otherwise


def _makes(clues: Clues) -> bool:
    return clues.begins(words.MAKING) and not clues.begins(words.MENDING)


def _is_whole(clues: Clues) -> bool:
    """As something new is: in new files, or with tests and documents."""
    return clues.new > 0 or (clues.touches("test") and clues.touches("docs"))


def _names_support(clues: Clues) -> bool:
    return bool(words.SUPPORT.match(clues.words)) and not clues.begins(words.REARRANGING)


RULES: tuple[Rule, ...] = (
    _sure("says that it reverts", "revert", lambda clues: clues.begins(words.REVERT)),
    _sure("changes the version alone", "release", lambda clues: clues.only == "version"),
    _sure("says that it releases", "release", lambda clues: clues.begins(words.RELEASE)),
    Rule("touches only CI, only documents or only tests", _one_place, is_sure=True),
    Rule("says its kind in a prefix or a tag", _stated, is_sure=True),
    _likely("says that it updates a dependency", "build", _updates_a_dependency),
    _likely("says that it documents", "docs", lambda clues: clues.begins(words.DOCUMENT)),
    Rule("touches no source", _most_files, is_sure=False),
    _likely("says that it tidies", "chore", lambda clues: clues.begins(words.TIDY) or clues.holds(words.TIDYING)),
    _likely("says that it tests", "test", _tests),
    _likely(
        "says that it makes something faster",
        "performance",
        lambda clues: clues.begins(words.FASTER) or clues.holds(words.FASTER_ANYWHERE),
    ),
    _likely(
        "fixes what stands around the program",
        "chore",
        lambda clues: clues.begins(words.FIX) and clues.begins(words.AROUND) and not clues.holds(words.FAULT),
    ),
    _sure("repairs, with tests or in a case that it names", "fix", _repairs_surely),
    _likely("begins with a verb of repair", "fix", _repairs),
    _sure("supports or implements something", "feature", lambda clues: clues.begins(words.SUPPORTING)),
    _sure(
        "makes something, in new files or with tests and documents",
        "feature",
        lambda clues: _makes(clues) and _is_whole(clues),
    ),
    _likely("begins with a verb of making", "feature", _makes),
    _likely("takes apart or puts together", "refactor", lambda clues: clues.begins(words.REGROUPING)),
    _sure("names a fault", "fix", _names_a_fault),
    _likely("names support for something", "feature", _names_support),
    _likely("names a clean-up", "refactor", lambda clues: clues.holds(words.CLEANING)),
    _likely("closes an issue as fixed", "fix", _closes_as_fixed),
    _sure("names a case, in one file with its tests", "fix", _case_with_tests),
    _likely("begins with a verb of rearranging", "refactor", lambda clues: clues.begins(words.REARRANGING)),
    _likely(
        "has the shape of something new", "feature", lambda clues: _is_whole(clues) and not clues.begins(words.USING)
    ),
    _likely("nothing decides", "chore", lambda _: True),
)


def decided(commit: Commit) -> Decision:
    """The kind of one commit's work, which rule decided it, and whether that is sure."""
    clues = _clues(commit)
    for rule in RULES:
        if kind := rule.decide(clues):
            return Decision(kind, rule.name, rule.is_sure)
    raise AssertionError("the last rule decides")


def kind_of(commit: Commit) -> Kind:
    """The kind of one commit's work."""
    return decided(commit).kind


# --- a commit → its clues

_TAG = re.compile(r"[\s\-*•+>]*(?:\[(?P<square>[^\]]*)\]|\((?P<round>[^()]*)\)|\d+/[\dnNxX]+\b[:.)]?|\bpt\.? \d+:)\s*")
_BULLET = re.compile(r"[\s\-*•+>]+(?=\w)")
_PREFIX = re.compile(r"(?P<word>[A-Za-z][\w.+/ -]{0,40})(?:\([^)]*\))?!?:\s+(?=\S)")


def _clues(commit: Commit) -> Clues:
    said = commit.subject[:MAX_SUBJECT].strip()
    tags: list[str] = []
    while (match := _TAG.match(said)) and said[match.end() :]:
        tags += [tag.strip().lower() for tag in (match["square"] or match["round"] or "").split(",")]
        said = said[match.end() :]
    said = _BULLET.sub("", said, count=1) if _BULLET.match(said) else said
    prefix, rest = None, ""
    if ":" in said and (prefix := _PREFIX.match(said)):
        rest = said[prefix.end() :]
        while match := _PREFIX.match(rest):
            rest = rest[match.end() :]
    files = commit.files[:MAX_FILES]
    return Clues(
        words=said,
        rest=rest,
        tags=tuple(tags),
        prefix=prefix["word"].strip().lower() if prefix else "",
        body=commit.body[:MAX_BODY],
        places=_places(files),
        new=_new_source(files),
    )


def _places(files: Sequence[FileChange]) -> dict[Place, int]:
    """Git knows a moved file as one that went and one that came unless it has looked inside: either counts the same."""
    paths = [file.path for file in files]
    paths += [file.old_path for file in files if file.state == "renamed" and file.old_path is not None]
    places: dict[Place, int] = {}  # a `Counter` takes longer than most commits have files
    for place in map(place_of, paths):
        places[place] = places.get(place, 0) + 1
    return places


def _new_source(files: Sequence[FileChange]) -> int:
    new = 0
    for file in files:
        if file.state == "modified":
            continue
        if file.state in ("added", "copied", "renamed"):
            new += place_of(file.path) == "source"
        if file.state == "deleted" or (file.state == "renamed" and file.old_path is not None):
            new -= place_of(file.old_path or file.path) == "source"
    return new
