"""A commit → its kind, by rules that are tried in order until one decides. Pure.

Paths come before words, and what a commit says outright before what its words hint at. "Fix" is said only where the
words say so; what nothing decides is shown among the other changes. No rule counts lines, so that a month reads the
same before and after its lines are counted. How often each rule is right: docs/months.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bot.model import Commit, FileChange, Kind
from bot.month import kind_words as words
from bot.month.message import Effect, heading_of, references_of
from bot.month.paths import Place, place_of

MAX_SUBJECT, MAX_BODY = 400, 10_000  # characters that are read
MAX_FILES = 500  # that are looked at, from the first on
FEW, MANY = 3, 8  # files of source that a repair touches at most: without tests beside it, and with them


class Decision(NamedTuple):
    """A commit's kind and the name of the rule that decided it.

    A rule is sure where at least 80 of 100 decisions agreed with the developers' own, or where the commit says outright
    what it is (a revert that its developers call a fix is one of the other 20, and a revert).
    """

    kind: Kind
    rule: str
    is_sure: bool = False


class Clues(NamedTuple):
    """What the rules look at, in small letters but for the body.

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

    def begins(self, pattern: re.Pattern[str]) -> bool:
        return bool(pattern.match(self.words) or (self.rest and pattern.match(self.rest)))

    def holds(self, pattern: re.Pattern[str]) -> bool:
        return pattern.search(self.words) is not None

    def files(self, *places: Place) -> int:
        return sum([self.places.get(place, 0) for place in places])

    @property
    def is_small(self) -> bool:
        """As a repair is: it adds no source and touches little of it."""
        return self.new <= 0 and self.files("source") <= (MANY if "test" in self.places else FEW)

    @property
    def is_whole(self) -> bool:
        """Whether it is in new files, or with tests and documents."""
        return self.new > 0 or ("test" in self.places and "docs" in self.places)


DOCUMENTS = "says that it documents"
TIDIES = Decision("chore", "says that it tidies")


def decided(commit: Commit) -> Decision:
    """The kind of one commit's work, which rule decided it, and whether that is sure."""
    clues, does = _clues(commit, heading_of(commit).line), references_of(commit).does
    return _stated(clues, does) or _on_no_ones_behalf(clues) or _repairs(clues) or _makes(clues)


def _stated(clues: Clues, does: Effect | None) -> Decision | None:
    """What a commit says outright, and what its files say."""
    places = clues.places
    if does == "reverts" or clues.begins(words.REVERT):
        return Decision("revert", "says that it reverts", is_sure=True)
    if places.keys() == {"version"}:
        return Decision("release", "changes the version alone", is_sure=True)
    if clues.begins(words.RELEASE):
        return Decision("release", "says that it releases", is_sure=True)
    only = next(iter(places)) if len(places) == 1 else None
    if only == "ci" or only == "docs" or only == "test":
        return Decision(only, "touches only CI, only documents or only tests", is_sure=True)
    stated = next((kind for word in (clues.prefix, *clues.tags) if (kind := words.PREFIXES.get(word))), None)
    return Decision(stated, "says its kind in a prefix or a tag", is_sure=True) if stated else None


def _on_no_ones_behalf(clues: Clues) -> Decision | None:
    """Work that is on no user's behalf, or makes something faster."""
    begins, holds, places = clues.begins, clues.holds, clues.places
    if begins(words.DEPENDENCY) and ("build" in places or "source" not in places):
        return Decision("build", "says that it updates a dependency")
    if begins(words.DOCUMENT):
        return Decision("docs", DOCUMENTS)
    if places and "source" not in places:
        return Decision(_most_files(clues), "touches no source")
    if begins(words.TIDY) or holds(words.TIDYING):
        return TIDIES
    # Tests may stand beside the source, in one file with it, as they do in Rust.
    if begins(words.REPAIRS_TESTS) or (("test" in places or not places) and begins(words.TEST)):
        return Decision("test", "says that it tests")
    if begins(words.FASTER) or holds(words.FASTER_ANYWHERE):
        return Decision("performance", "says that it makes something faster")
    return None


def _repairs(clues: Clues) -> Decision | None:
    """What begins as a repair."""
    fixes = clues.begins(words.FIX)
    if fixes and clues.begins(words.AROUND) and not clues.holds(words.FAULT):
        return Decision("chore", "fixes what stands around the program")
    # The word "fix" is enough; what the other verbs begin with is something new where documents change as well.
    if not fixes and not (clues.begins(words.REPAIR) and clues.is_small and "docs" not in clues.places):
        return None
    if clues.is_small and ("test" in clues.places or clues.holds(words.FAULT) or clues.holds(words.CASE)):
        return Decision("fix", "repairs, with tests or in a case that it names", is_sure=True)
    return Decision("fix", "begins with a verb of repair")


def _makes(clues: Clues) -> Decision:
    """The rest of the work, by its verb, what it names and its files."""
    begins, holds = clues.begins, clues.holds
    if begins(words.SUPPORTING):
        return Decision("feature", "supports or implements something", is_sure=True)
    makes, rearranges, uses = begins(words.MAKING), begins(words.REARRANGING), begins(words.USING)
    if makes and not begins(words.MENDING):
        if clues.is_whole:
            return Decision("feature", "makes something, in new files or with tests and documents", is_sure=True)
        return Decision("feature", "begins with a verb of making")
    if begins(words.REGROUPING):
        return Decision("refactor", "takes apart or puts together")
    is_moved = rearranges or begins(words.EXPLAINING)
    if (holds(words.FAULT) or holds(words.FIXED)) and clues.is_small and not is_moved:
        return Decision("fix", "names a fault", is_sure=True)
    if words.SUPPORT.match(clues.words) and not rearranges:
        return Decision("feature", "names support for something")
    if holds(words.CLEANING):
        return Decision("refactor", "names a clean-up")
    return _by_shape(clues, rearranges=rearranges, uses=uses, is_plain=not (makes or is_moved))


def _by_shape(clues: Clues, *, rearranges: bool, uses: bool, is_plain: bool) -> Decision:
    if "#" in clues.body and words.CLOSES_FIXED.search(clues.body) and clues.is_small and not uses:
        return Decision("fix", "closes an issue as fixed")
    is_one = clues.places.keys() == {"source", "test"} and clues.files("source") == 1 and clues.new == 0
    if is_one and is_plain and clues.holds(words.CASE):
        return Decision("fix", "names a case, in one file with its tests", is_sure=True)
    if rearranges:
        return Decision("refactor", "begins with a verb of rearranging")
    if clues.is_whole and not uses:
        return Decision("feature", "has the shape of something new")
    return Decision("chore", "nothing decides")


def _most_files(clues: Clues) -> Kind:
    """Where no source changed, the kind of most files; one of equals in this order."""
    counted: dict[Kind, int] = {
        "ci": clues.files("ci"),
        "test": clues.files("test"),
        "build": clues.files("build", "version"),
        "docs": clues.files("docs"),
        "chore": clues.files("settings"),
    }
    return max(counted, key=lambda kind: counted[kind])


# --- a commit → its clues

_TAG = re.compile(r"[\s\-*•+>]*(?:\[(?P<square>[^\]]*)\]|\((?P<round>[^()]*)\)|\d+/[\dnx]+\b[:.)]?|\bpt\.? \d+:)\s*")
_BULLET = re.compile(r"[\s\-*•+>]+(?=\w)")
_PREFIX = re.compile(r"(?P<word>[a-z][\w.+/ -]{0,40})(?:\([^)]*\))?!?:\s+(?=\S)")


def _clues(commit: Commit, line: str) -> Clues:
    said = line[:MAX_SUBJECT].strip().rstrip(".").lower()
    tags: list[str] = []
    while (match := _TAG.match(said)) and said[match.end() :]:
        tags += [tag.strip() for tag in (match["square"] or match["round"] or "").split(",")]
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
        prefix=prefix["word"].strip() if prefix else "",
        body=commit.body[:MAX_BODY],
        places=_places(files),
        new=_new_source(files),
    )


def _places(files: Sequence[FileChange]) -> Mapping[Place, int]:
    """Git knows a moved file as one that went and one that came unless it has looked inside: either counts the same."""
    paths = [file.path for file in files]
    paths += [file.old_path for file in files if file.state == "renamed" and file.old_path is not None]
    found = Counter(map(place_of, paths))
    notes = found.pop("note", 0)
    return found or ({"docs": notes} if notes else {})


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
