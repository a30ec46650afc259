"""Which tags are releases, in which order, and which one is meant. Pure.

A tag is known to be a version by the numbers in its name: "v1.2.3", "web-1.4.0", "REL_16_1", "release-2025-10-31".
Versions of one shape, that is with the same words around the numbers, follow each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.model import Tag

LATEST = "latest"  # in the place of a name: what came since the last release
NEWEST = "newest"  # what is in the last release
MOST_NEAR = 3
FIRST_YEAR = 1900  # a version that begins with such a number is a date
_PLAIN = frozenset(("", "release", "releases", "rel", "version", "ver", "tag"))  # words that say only that it is one
_NUMBERS = re.compile(r"\d+(?:[._-]\d+)*", re.ASCII)
_DOTTED = re.compile(r"\d[._-]\d", re.ASCII)
# What comes before a release, see https://semver.org/#spec-item-9 and https://peps.python.org/pep-0440/#pre-releases.
_PRE = re.compile(
    r"[._+-]?(rc|cr|c|beta|b|alpha|a|preview|prerelease|pre|dev|snapshot|nightly|canary|milestone|m|next|eap|insiders"
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
    def order(self) -> tuple[tuple[int, ...], bool, tuple[str, int]]:
        return self.numbers, self.is_final, self.pre or ("", 0)


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


def before(tag: Tag, tags: Iterable[Tag]) -> Tag | None:
    """Of the tags of a repository the release before one: the highest lower version of its shape, whether or not it was
    made on a branch of its own. Before a final release pre-releases do not count."""
    version = version_of(tag.name)
    if version is None:
        return None
    found = []
    for one in tags:
        other = version_of(one.name)
        if other is None or other.shape != version.shape or (version.is_final and not other.is_final):
            continue
        if other.order < version.order:
            found.append((other.order, one.name, one))
    return max(found)[-1] if found else None


def releases(tags: Iterable[Tag]) -> list[Tag]:
    """The versions among tags: those with a number alone, as builds have it, only where there is nothing like "1.2"."""
    versions = [one for one in tags if version_of(one.name)]
    return [one for one in versions if _DOTTED.search(one.name)] or versions


def newest(tags: Iterable[Tag]) -> Tag | None:
    """The last release: of the shape in which there was a final one most recently, the highest version. A number alone,
    as builds have it, is one only where there is nothing like "1.2"."""
    finals = [(version, one) for one in releases(tags) if (version := version_of(one.name)) and version.is_final]
    if not finals:
        return None
    shape = max(finals, key=lambda one: (one[1].at, one[0].order, one[1].name))[0].shape
    of_shape = (pair for pair in finals if pair[0].shape == shape)
    return max(of_shape, key=lambda one: (one[0].order, one[1].at, one[1].name))[1]


def first(tags: Iterable[Tag]) -> list[Tag]:
    """The first of all versions among tags, by time, and the first final one of each shape, in order of time."""
    every = [(one.at, version.order, one.name, version, one) for one in tags if (version := version_of(one.name))]
    ranked = sorted(every, key=lambda one: one[:3])
    finals: dict[tuple[str, str, bool], Tag] = {}
    for *_, version, tag in ranked:
        if version.is_final:
            finals.setdefault(version.shape, tag)
    return [*dict.fromkeys([*(tag for *_, tag in ranked[:1]), *finals.values()])]


def meant(name: str, tags: Sequence[Tag]) -> list[Tag]:
    """The tags that somebody means by a name: those called so; else in whatever case; else of the same version;
    else, where the name has no words around the numbers but "release" or the like, with the same numbers."""
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
    return []


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
    """Those that a name may have been meant for, at most three: of those that share the most numbers at the beginning
    the final ones, then the newest; where none shares one, those that are written most like it."""
    known = list({one.name: one for one in sorted(tags, key=lambda one: one.at)}.values())
    wanted = version_of(name)
    if wanted:
        alike = [(_shared(wanted.numbers, found.numbers), found.is_final, one.at, one)
                 for one in known if (found := version_of(one.name))]  # fmt: skip
        ranked = sorted((pair for pair in alike if pair[0]), key=lambda pair: pair[:3], reverse=True)
        if ranked:
            return [pair[-1] for pair in ranked[:MOST_NEAR]]
    from rapidfuzz import fuzz, process  # late: as in bot.month.people

    written = process.extract(name, [one.name for one in known], scorer=fuzz.ratio, limit=MOST_NEAR)
    return [known[number] for _, _, number in written]


def _shared(one: Sequence[int], other: Sequence[int]) -> int:
    """How many numbers at the beginning are the same."""
    return next(
        (n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other))
    )
