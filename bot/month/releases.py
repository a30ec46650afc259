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
# 3.7a comes between 3.7 and 3.7.1, unlike 3.7a1 and 3.7-a.
_LETTER = re.compile(r"([a-z])(?![a-z0-9])", re.IGNORECASE | re.ASCII)
_FINAL = re.compile(r"[._-]?(final|release|ga|stable|lts|post\d*|p\d+)?", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Version:
    """What the name of a tag tells. `shape` is the words before and behind the numbers, and whether those are a day.
    Versions of one shape are ordered by `numbers`, a final one behind its own pre-releases, which have the word and the
    number of `pre`."""

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
    words, rest = re.sub(r"(?<![a-z])v$", "", name[: at.start()].casefold()), name[at.end() :]
    if len(numbers) > 1 and not is_date and (letter := _LETTER.match(rest)):
        numbers, rest = [*numbers, 0, ord(letter[1].casefold()) - ord("a") + 1], rest[1:]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    if pre := _PRE.match(rest):
        return Version((words, "", is_date), tuple(numbers), (pre[1].casefold(), int(pre[2][:18] or 0)))
    suffix = "" if _FINAL.fullmatch(rest) else re.sub(r"\d+", "", rest).casefold()
    return Version((words, suffix, is_date), tuple(numbers), None)


def _versions(tags: Iterable[Tag], *, final: bool = False) -> list[tuple[Version, Tag]]:
    every = ((version_of(one.name), one) for one in tags)
    return [(version, one) for version, one in every if version and (version.is_final or not final)]


def is_final(tag: Tag) -> bool:
    """Whether a tag is a version, and none that comes before a release."""
    return bool(_versions([tag], final=True))


def is_of_whole(tag: Tag) -> bool:
    """Whether a tag is a version of the whole repository: called like it, or by no name."""
    version, called = version_of(tag.name), tag.repository.rpartition("/")[2].casefold()
    return version is not None and not version.shape[1] and version.words in _PLAIN | {called}


def begins_line(tag: Tag | None, earlier: Tag | None) -> bool:
    """Whether a release is the first of its line, as 2.5.0 of 2.5, where the one before it is `earlier`."""
    versions = [version_of(one.name) if one else None for one in (tag, earlier)]
    return versions[0] is not None and (versions[1] is None or versions[0].line != versions[1].line)


def before(tag: Tag, tags: Iterable[Tag]) -> Tag | None:
    """Of the tags of a repository the release before one: the highest lower version of its shape, whether or not it was
    made on a branch of its own. Before a final release pre-releases do not count."""
    named = {one.name: one for one in tags}
    name = name_before(tag.name, named)
    return None if name is None else named[name]


def name_before(name: str, names: Iterable[str]) -> str | None:
    """The same of the names of tags."""
    of = version_of(name)
    return max(((order, one) for order, one in _alike(of, names) if of and order < of.order), default=(None, None))[1]


def name_after(name: str, names: Iterable[str]) -> str | None:
    """The release after one: the lowest higher version of its shape."""
    of = version_of(name)
    return min(((order, one) for order, one in _alike(of, names) if of and order > of.order), default=(None, None))[1]


def _alike(version: Version | None, names: Iterable[str]) -> Iterable[tuple[Any, str]]:
    """The orders and names of the versions of a shape; beside a final release those of final ones."""
    for one in names:
        other = version_of(one)
        if version and other and other.shape == version.shape and (other.is_final or not version.is_final):
            yield other.order, one


def releases(tags: Iterable[Tag]) -> list[Tag]:
    """The versions among tags: those with a number alone, as builds have it, only where there is nothing like "1.2";
    of "v1.2" and "1.2" of one commit only the first that is given."""
    every = {(one.repository, one.sha, one.name.removeprefix("v")): one for _, one in reversed(_versions(tags))}
    versions = [*reversed(every.values())]
    return [one for one in versions if _DOTTED.search(one.name)] or versions


def of_parts(tags: Iterable[Tag], paths: Iterable[str]) -> list[Tag]:
    """Of the tags of a repository those of the parts that some paths are in, as tokio-util-0.7.19 is of tokio-util/,
    and of the whole; all of them, where none is of such a part."""
    parts, every = {path.partition("/")[0].casefold() for path in paths}, list(tags)
    words = {version.words for version, _ in _versions(every)}
    return [one for version, one in _versions(every) if version.words in parts | _PLAIN] if parts & words else every


def newest(tags: Iterable[Tag]) -> Tag | None:
    """The last release: the highest version of the shape in which there was a final one most recently. Versions of the
    whole repository go before those of its parts, as long as there are any."""
    finals = _versions(releases(tags), final=True)
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
    every = sorted(_versions(tags), key=lambda one: (one[0].order, one[1].name))
    having = [(one.at, version.order, one.name, version.shape, one) for version, one in every if one.name in there]
    if not having:
        return []
    *_, shape, earliest = min(having, key=lambda one: one[:3])
    lines: dict[Any, tuple[Version, Tag]] = {}  # the first of each line
    found: list[tuple[Any, Tag]] = []
    done: set[Any] = set()
    for version, tag in every:
        if version.is_final and version.shape not in done:
            began = lines.setdefault(version.line, (version, tag))[1] is tag
            if tag.name in there and version.line not in done:
                found.append(((version.shape != shape, tag.at, version.order), tag))
                done |= {version.line, *([version.shape] if began else [])}
    return list(dict.fromkeys((earliest, *(tag for _, tag in sorted(found, key=lambda one: one[0])))))


def meant(name: str, tags: Sequence[Tag]) -> list[Tag]:
    """The tags that somebody means by a name: those called so; else in whatever case; else of the same version;
    else, where the name has no words around the numbers but "release" or the like, with the same numbers. "1.4.x" means
    all final releases of 1.4, "rc2" that of the highest version."""
    wanted = version_of(name)
    is_plain = wanted is not None and not wanted.shape[1] and wanted.words in _PLAIN
    ways: tuple[Callable[[str], Any], ...] = (str, str.casefold, version_of, *((_numbers,) if is_plain else ()))
    for way in ways:
        said = way(name)
        if said is not None and (found := [one for one in tags if way(one.name) == said]):
            return found
    if line := LINE.fullmatch(name):
        numbers = tuple(map(int, line[1].split(".")))
        return [one for of, one in _versions(tags, final=True) if (*of.numbers, 0)[: len(numbers)] == numbers]
    alike = version_of(f"0{name}") if _PRE.fullmatch(name) else None
    pre = sorted((of.order, one) for of, one in _versions(tags) if alike and of.pre == alike.pre)
    return list({one.repository: one for _, one in pre}.values())


def _numbers(name: str) -> object:
    version = version_of(name)
    return version and (version.numbers, version.pre)


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
    same = [one for of, one in _versions(known) if wanted and of.numbers == wanted.numbers]
    written = process.extract(name, [one.name for one in known], scorer=fuzz.ratio, limit=MOST_NEAR)
    return list(dict.fromkeys((*same, *(known[number] for _, _, number in written))))[:MOST_NEAR]
