"""Which tags are releases, in which order, and which one is meant. Pure.

A tag is known to be a version by the numbers in its name: "v1.2.3", "web-1.4.0", "REL_16_1", "release-2025-10-31".
Versions of one shape, that is with the same words around the numbers, follow each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from operator import gt, lt
from typing import Any

from bot.model import Tag

LATEST = "latest"  # in the place of a name: what came since the last release
NEWEST = "newest"  # what is in the last release
WHICH = "which"  # in which releases something is
LINE = re.compile(r"v?(\d{1,9}(?:\.\d{1,9})?)\.x")  # in the place of a name: all releases of 1.4
MOST_NEAR = 3
STILL = timedelta(days=365)  # in which there was a version of a kind that is still released
FIRST_YEAR = 1900  # a version that begins with such a number is a date
_PLAIN = frozenset(("", "release", "releases", "rel", "version", "ver", "tag"))  # words that say only that it is one
_NUMBERS = re.compile(r"\d+(?:[._-]\d+)*", re.ASCII)
_DOTTED = re.compile(r"\d[._-]\d", re.ASCII)
# What comes before a release, see https://semver.org/#spec-item-9 and https://peps.python.org/pep-0440/#pre-releases.
_PRE = re.compile(
    r"[._+-]?(rc|cr|c|beta|b|alpha|a|preview|prerelease|pre|devel|dev|snapshot|nightly|canary|milestone|m|next|eap|insiders"
    r"|test)(?![a-z])[._-]?(\d*)",
    re.IGNORECASE | re.ASCII,
)
_FINAL = re.compile(r"[._-]?(final|release|ga|stable|lts|post\d*|p\d+)?", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Version:
    """What the name of a tag tells. Those of one `shape` are ordered by `numbers`, a final one behind its own
    pre-releases, which have the word and the number of `pre`."""

    shape: tuple[str, str, bool]
    numbers: tuple[int, ...]
    pre: tuple[str, int] | None

    @property
    def is_final(self) -> bool:
        return self.pre is None

    @property
    def words(self) -> str:
        """Of what it is a version: "tokio-util" of tokio-util-0.7.19."""
        return self.shape[0].strip("-_/.@ ")

    @property
    def is_dated(self) -> bool:
        """Whether it is a day: each is of the same line."""
        return self.shape[2]

    @property
    def line(self) -> tuple[tuple[str, str, bool], tuple[int, ...]]:
        """What it is a fix of: 2.5 of v2.5.1."""
        return self.shape, (*self.numbers, 0)[:2]

    @property
    def order(self) -> tuple[tuple[int, ...], bool, tuple[str, int]]:
        return self.numbers, self.is_final, self.pre or ("", 0)


@lru_cache(8_000)
def version_of(name: str) -> Version | None:
    """The version that a tag's name tells; None for one without a number."""
    found = list(_NUMBERS.finditer(name))
    if not found:
        return None
    at = next((one for one in found if not one[0].isdigit()), found[0])
    numbers = [int(one[:18]) for one in re.split(r"[._-]", at[0])]
    is_date = numbers[0] >= FIRST_YEAR
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    words, rest = name[: at.start()].casefold(), name[at.end() :]
    if words == "v" or re.search(r"[^a-z]v$", words):
        words = words[:-1]
    pre = _PRE.match(rest)
    if pre:
        return Version((words, "", is_date), tuple(numbers), (pre[1].casefold(), int(pre[2][:18] or 0)))
    suffix = "" if _FINAL.fullmatch(rest) else re.sub(r"\d+", "", rest).casefold()
    return Version((words, suffix, is_date), tuple(numbers), None)


def is_final(tag: Tag) -> bool:
    """Whether a tag is a version, and none that comes before a release."""
    version = version_of(tag.name)
    return version is not None and version.is_final


def is_of_whole(tag: Tag) -> bool:
    """Whether a tag is a version of the whole repository: called like it, or by no name."""
    version, called = version_of(tag.name), tag.repository.rpartition("/")[2].casefold()
    return version is not None and not version.shape[1] and version.words in _PLAIN | {called}


def before(tag: Tag, tags: Iterable[Tag]) -> Tag | None:
    """Of the tags of a repository the release before one: the highest lower version of its shape, whether or not it was
    made on a branch of its own. Before a final release pre-releases do not count."""
    named = {one.name: one for one in tags}
    name = name_before(tag.name, named)
    return None if name is None else named[name]


def name_before(name: str, names: Iterable[str]) -> str | None:
    """The same of the names of tags."""
    return max(_beside(name, names, lt), default=((), None))[1]


def name_after(name: str, names: Iterable[str]) -> str | None:
    """The release after one: the lowest higher version of its shape."""
    return min(_beside(name, names, gt), default=((), None))[1]


def _beside(name: str, names: Iterable[str], is_so: Callable[[Any, Any], bool]) -> list[tuple[Any, str]]:
    """The orders and names of the versions of a tag's shape whose order is so; of a final release of final ones."""
    if not (version := version_of(name)):
        return []
    same = [(of, one) for one in names if (of := version_of(one)) and of.shape == version.shape]
    same = [(of, one) for of, one in same if of.is_final or not version.is_final]
    return [(of.order, one) for of, one in same if is_so(of.order, version.order)]


def releases(tags: Iterable[Tag]) -> list[Tag]:
    """The versions among tags: those with a number alone, as builds have it, only where there is nothing like "1.2";
    of "v1.2" and "1.2" of one commit only the first that is given."""
    versions = dict[tuple[str, str, str], Tag]()
    for one in tags:
        if version_of(one.name):
            versions.setdefault((one.repository, one.sha, one.name.removeprefix("v")), one)
    return [one for one in versions.values() if _DOTTED.search(one.name)] or list(versions.values())


def of_parts(tags: Iterable[Tag], paths: Iterable[str]) -> list[Tag]:
    """Of the tags of a repository those of the parts that some paths are in, as tokio-util-0.7.19 is of tokio-util/,
    and of the whole; all of them, where none is of such a part."""
    parts, each = {path.partition("/")[0].casefold() for path in paths}, [(one, version_of(one.name)) for one in tags]
    of_part = [one for one, version in each if version and version.words in parts]
    return [one for one, version in each if version and version.words in parts | _PLAIN] if of_part else list(tags)


def newest(tags: Iterable[Tag]) -> Tag | None:
    """The last release: the highest version of the shape in which there was a final one most recently. Versions of the
    whole repository, called like it or by no name, go before those of its parts, as long as there are any. A number
    alone, as builds have it, is one only where there is nothing like "1.2"."""
    finals = [(version, one) for one in releases(tags) if (version := version_of(one.name)) and version.is_final]
    if not finals:
        return None
    last = max(one.at for _, one in finals)

    def rank(pair: tuple[Version, Tag]) -> tuple[bool, Any, Any, str]:
        version, tag = pair
        return is_of_whole(tag) and last - tag.at < STILL, tag.at, version.order, tag.name

    shape = max(finals, key=rank)[0].shape
    of_shape = (pair for pair in finals if pair[0].shape == shape)
    return max(of_shape, key=lambda one: (one[0].order, one[1].at, one[1].name))[1]


def first(tags: Iterable[Tag], there: Container[str]) -> list[Tag]:
    """Of those tags that are `there` the first of all versions, by time, and of each shape the first final one; where
    that is a fix of an older line, as 1.51.4 is, the first of each later line as well, up to one that began with it.
    Those of the shape of the first of all go before others, then by time."""
    every = [(version, one) for one in tags if (version := version_of(one.name))]
    having = [(one.at, version.order, one.name, version.shape, one) for version, one in every if one.name in there]
    if not having:
        return []
    *_, shape, earliest = min(having, key=lambda one: one[:3])
    found, begun, listed_lines, done = list[tuple[Any, Tag]](), set[Any](), set[Any](), set[Any]()
    for version, tag in sorted(every, key=lambda one: (one[0].order, one[1].name)):
        if not version.is_final or version.shape in done:
            continue
        if tag.name in there and version.line not in listed_lines:
            listed_lines.add(version.line)
            found.append(((version.shape != shape, tag.at, version.order), tag))
            done |= set() if version.line in begun else {version.shape}
        begun.add(version.line)
    return list(dict.fromkeys((earliest, *(tag for _, tag in sorted(found, key=lambda one: one[0])))))


def meant(name: str, tags: Sequence[Tag]) -> list[Tag]:
    """The tags that somebody means by a name: those called so; else in whatever case; else of the same version;
    else, where the name has no words around the numbers but "release" or the like, with the same numbers. "1.4.x" means
    all final releases of 1.4."""
    wanted = version_of(name)
    is_plain = wanted is not None and not wanted.shape[1] and wanted.shape[0].strip("-_/. ") in _PLAIN
    for fits in (
        lambda one: one.name == name,
        lambda one: one.name.casefold() == name.casefold(),
        lambda one: wanted is not None and version_of(one.name) == wanted,
        lambda one: is_plain and wanted is not None and _numbers(one) == (wanted.numbers, wanted.pre),
    ):
        if found := [one for one in tags if fits(one)]:
            return found
    if line := LINE.fullmatch(name):
        numbers = tuple(map(int, line[1].split(".")))
        finals = [(one, of.numbers) for one in tags if (of := version_of(one.name)) and of.is_final]
        return [one for one, of in finals if (*of, *(0 for _ in numbers))[: len(numbers)] == numbers]
    alike = version_of(f"0{name}") if _PRE.fullmatch(name) else None  # "rc2", of the highest version
    pre = [(one, of) for one in tags if alike and (of := version_of(one.name)) and of.pre == alike.pre]
    return list({one.repository: one for one, _ in sorted(pre, key=lambda pair: pair[1].order)}.values())


def _numbers(tag: Tag) -> tuple[tuple[int, ...], tuple[str, int] | None] | None:
    version = version_of(tag.name)
    return (version.numbers, version.pre) if version else None


def in_order(one: Tag, other: Tag) -> bool:
    """Whether a release comes before another one: by version where they are of one shape, else by time."""
    first, second = version_of(one.name), version_of(other.name)
    if first and second and first.shape == second.shape:
        return first.order < second.order
    return one.at <= other.at


def nearest(name: str, tags: Iterable[Tag]) -> list[Tag]:
    """Those that a name may have been meant for, at most three: those of its version, as its candidates are, then those
    that are written most like it, of equals the newest first."""
    from rapidfuzz import fuzz, process  # late: as in bot.month.people

    known = list({one.name: one for one in sorted(tags, key=lambda one: one.at, reverse=True)}.values())
    wanted = version_of(name)
    same = [one for one in known if wanted and (of := version_of(one.name)) and of.numbers == wanted.numbers]
    written = process.extract(name, [one.name for one in known], scorer=fuzz.ratio, limit=MOST_NEAR)
    return list(dict.fromkeys((*same, *(known[number] for _, _, number in written))))[:MOST_NEAR]
