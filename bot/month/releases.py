"""Which tags are releases, in which order, and which one is meant; and the text of a change log → what it says of a
version, item by item, and what a diff adds to one. Pure.

A tag is known to be a version by the numbers in its name: "v1.2.3", "web-1.4.0", "REL_16_1", "release-2025-10-31".
Versions of one shape, that is with the same words around the numbers, follow each other.

A heading of a change log is a line with hashes before it, or with a line of signs below; where none names the version,
a line that stands alone does. Of several versions in a heading ("CHANGES FROM 3.7 TO 3.7a") the highest is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache
from itertools import takewhile
from textwrap import dedent
from typing import Any

from bot.model import Tag
from bot.wording import clean

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


# --- change logs

LONGEST = 1_000  # characters of a line, and of an item, that are read
_FILE = re.compile(
    r"(?:\d+-)?(?:change[-_ ]?logs?|changes|history|news|releases|release[-_ ]?notes)"
    r"(?:\.(?:md|markdown|rst|txt|adoc))?",
    re.IGNORECASE,
)
# A fragment of a change log has a file of its own: "changelog.d/12.bugfix.rst", "releasenotes/notes/spin.yaml".
_FRAGMENT = re.compile(
    r"(?P<folder>(?:.*/)?(?:\.?change(?:log|set)?s?(?:\.d)?|\.chloggen|news(?:fragments?|\.d)?|release-?notes"
    r"|unreleased|upcoming_changes)(?:/.*)?)/(?!_|README|TEMPLATE)"
    r"(?P<name>[^/.]+|(?<=\.changeset/)[^/]+|(?<=\.chloggen/)[^/]+)(?:\.(?P<type>[a-z_]+)(?:\.\d+)?)??"
    r"(?:\.(?:md|rst|txt|ya?ml)|(?<=\.bugfix)|(?<=\.feature)|(?<=\.misc)|(?<=\.doc)|(?<=\.removal))",
    re.IGNORECASE,
)
LONGEST_FRAGMENT = 40  # lines; a longer file is a page
# What stands before the words of an item: "Fix: [#12] ", "#12: ", "[#12, #14] "
_LABELLED = re.compile(
    r"(?:(?P<label>(?:bug ?|hot)?fix(?:e[sd])?|bug|feature|new|add(?:ed|ition)?|improve[sd]?|improvement|enhancement"
    r"|changed?|remove[ds]?|deprecate[ds]?|deprecation|security|breaking(?: change)?|perf(?:ormance)?): +)?"
    r"(?:\[?#\d+(?:,? (?:and )?#\d+)*\]?(?::| -)? +)?",
    re.IGNORECASE,
)
# Of YAML: a key with what stands behind it, those of the sort and of the words, and how a text of several lines begins.
_KEY = re.compile(r"([\w-]+): *(.*)")
_SORTS, _TEXTS = frozenset(("change_type", "kind", "type")), frozenset(("body", "message", "note", "title"))
_SCALAR = re.compile(r"(^|- )[|>][+-]? *\n\s*", re.MULTILINE)
_MAJOR = re.compile(r"[\"']?[@\w/.-]+[\"']?: *[\"']?major\b", re.MULTILINE)
_BREAKING = re.compile(r"(?:breaking|major)\b(?!-)", re.IGNORECASE)  # a sort of what users must act on
# What a page of a site begins with: "title: …" between marks, "title = …", ":date: …"
_OF_PAGE = re.compile(r"[\W_]*(?:title|date|layout|pubdate|publishdate)\b[\"']?\s*[:=]", re.IGNORECASE)
_HASHES = re.compile(r"(#{1,6})\s+(\S.*)")
_LABEL = re.compile(r"[A-Z][\w ,&/-]{2,40}:\s*")  # above a list
_UNDERLINE = re.compile(r"([=~^*#\"'+`-])\1{2,}\s*")
_ITEM = re.compile(r"(\s*)[-*+•]\s+(\S.*)")
_AT_MARGIN = re.compile(r" ?[-*+•]\s+\S")
_NO_PROSE = re.compile(
    r"\.\. |:[\w-]+:(?:\s|$)|\[[^\]]+\]:|<|--+$|==+$"
)  # directives, fields, targets of links, tags, rules
_VERSION = re.compile(
    r"(?<![\w.])v?\d+(?:\.\d+)+(?:(?:[-.+]?|[ ](?=(?:rc|alpha|beta|preview)\b ?\d|rc\d))[a-z]+[-. ]?\d*)?(?!\w)",
    re.IGNORECASE,
)
_TARGET = re.compile(r"\]\([^)]*\)")
_MARKUP = re.compile(
    r":(?P<role>[\w.+-]+(?::[\w.+-]+)?):`(?P<said>[^`]+)`|`(?P<label>[^`<]+)<[^`>]+>`__?|(?P<code>`+[^`]+`+)"
    r"|\*\*(?P<bold>[^*`]+)\*\*|!?\[(?P<text>(?:[^\[\]]|\[\w+\])*)\](?:\([^()\s]*\)|\[[^\[\]]*\])|\[(?P<number>#\d+)\]"
    r"|</?(?:b|br|code|details|em|i|kbd|p|summary)\b[^>]*>|\\(?P<escaped>[^a-zA-Z0-9\s])"
)
_NUMBERED = {"cve": "CVE-", "pep": "PEP ", "rfc": "RFC "}  # what stands before the number of other roles
_OF_NUMBERS = frozenset(("bug", "gh", "iss", "issue", "pr", "pull", "ticket"))  # roles whose text is a number
_NUMBER = re.compile(
    r"(?<![\w/])#(\d+)|\b(?:gh|issue|pr|pull request)[ -]#?(\d+)"
    r"|\b(?=[a-f]*\d)(?=\d*[a-f])([0-9a-f]{7})[0-9a-f]{0,33}\b|\bCVE-\d{4}-\d+",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\s*\(([^()]*)\)")
# What stands beside numbers.
_BESIDE = frozenset(("and", "by", "closes", "fixes", "gh", "issue", "issues", "pr", "pull", "request", "see"))
_ENDS = re.compile(r"\s+(?:by )?@[\w-]+[\s.]*$|\s+-- ?by [^.]+\.?$|^#\d+:?\s")


@dataclass(frozen=True, slots=True)
class Entry:
    """What a change log says in one item: below which heading, in which words, without what only marks them up, and
    with which numbers of issues and pull requests ("#12"), and the first 7 digits of which hashes."""

    heading: str
    text: str
    numbers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangeLog:
    """What the file at `path` says of the version that a `tag` names, empty where nothing else is told; `sha` is the
    commit whose file that is."""

    repository: str
    tag: str
    path: str
    sha: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class _Heading:
    at: int  # the line behind it is at + size
    size: int
    mark: str
    text: str


def is_change_log(name: str) -> bool:
    """Whether a file is called like a change log."""
    return _FILE.fullmatch(name) is not None


def entries_of(text: str, tag: str) -> tuple[Entry, ...]:
    """What a change log says of the version that a tag names, each item once; nothing where it has no heading of it."""
    wanted, lines = version_of(tag), [line[:LONGEST] for line in text.splitlines()]
    if wanted is None:
        return ()
    headings = list(_headings(lines))
    for some in (headings, [_Heading(at, 1, "", line) for at, line in enumerate(lines) if _stands_alone(lines, at)]):
        of_versions = [(one, version) for one in some if (version := _version_in(one.text, wanted))]
        found = [
            (tag.endswith(said.removeprefix("v")), _entries(lines, one, next(ends, None), headings))
            for at, (one, (said, version)) in enumerate(of_versions, 1)
            if (version.numbers, version.pre) == (wanted.numbers, wanted.pre)
            for ends in [(other.at for other, _ in of_versions[at:] if other.mark == one.mark)]
        ]
        # Above it there may stand what is new in 1.4.
        if most := max(found, key=lambda one: (one[0], len(one[1])), default=(False, ()))[1]:
            return most
    return ()


# --- what a diff adds


@lru_cache(maxsize=65_536)
def note_place(path: str) -> str:
    """Where a project keeps what a file says of changes to its users: the file itself, a change log, or the folder of
    a fragment of one; empty for other files."""
    if is_change_log(path.rpartition("/")[2]):
        return path
    fragment = _FRAGMENT.fullmatch(path)
    return fragment["folder"] if fragment else ""


def added_entries(hunks: Sequence[tuple[str, Sequence[str], Sequence[str]]]) -> Iterator[Entry]:
    """What the diff of a change log adds to it, item by item: nothing that it moves, nor what stands in place of
    another item. A hunk is what is above it, and the lines that went and came."""
    every = [(list(_items(within, removed)), list(_items(within, added))) for within, removed, added in hunks]
    gone, came = ({entry.text for pair in every for entry in pair[side]} for side in (0, 1))
    for removed, added in every:
        if all(entry.text in came for entry in removed):
            yield from (labelled(entry) for entry in added if entry.text not in gone)


def _items(within: str, lines: Sequence[str]) -> Iterator[Entry]:
    """The items among lines that went, or came. One that is indented is a part of another, which may not be among
    them."""
    headings = [_Heading(-1, 1, "", _words(within.lstrip("# "))), *_headings(lines)]
    for one, end in zip(headings, (*(each.at for each in headings[1:]), None), strict=True):
        below = lines[one.at + one.size : end]
        for entry, is_item in _below("", below) if any(map(_AT_MARGIN.match, below)) else ():
            if is_item:
                yield replace(entry, heading=clean(one.text).strip(" :"))


def fragment_entries(path: str, lines: Sequence[str]) -> Iterator[Entry]:
    """What a fragment of a change log says, item by item, each with its sort as heading where it says one. That it
    calls a change breaking is said by itself, in an item without text, whatever else it says and however long it is."""
    fragment = _FRAGMENT.fullmatch(path)
    is_yaml = path.endswith(("yaml", "yml"))
    if fragment is None or (not is_yaml and any(map(_OF_PAGE.match, takewhile(str.strip, lines)))):
        return
    sort, parts = fragment["type"] or "", [(fragment["type"] or "", [*lines])]
    if is_yaml:
        sort, parts = _of_yaml(lines)
    elif lines[:1] == ["---"] and "---" in lines[1:]:  # of changesets
        end = lines.index("---", 1)
        sort = "major" if _MAJOR.search("\n".join(lines[:end])) else ""
        parts = [(sort, [*lines[end + 1 :]])]
    if _BREAKING.match(sort):
        yield Entry(sort, "", ())
    number = (f"#{fragment['name']}",) if fragment["name"].isdigit() else ()
    for heading, some in parts if len(lines) <= LONGEST_FRAGMENT else ():
        for entry, _ in _below(heading or "note", some):
            if " " in entry.text:
                item = labelled(Entry(heading, entry.text, (*number, *entry.numbers)))
                yield replace(item, heading=heading if _BREAKING.match(heading) else item.heading)


def _of_yaml(lines: Sequence[str]) -> tuple[str, list[tuple[str, list[str]]]]:
    """The sort that a key says, and what stands below each, with that as heading; where one key says the sort and
    another the words, these."""
    keys, key = dict[str, str](), ""
    for line in lines:
        if found := _KEY.fullmatch(line):
            key, line = found[1], found[2]
        if key and not line.startswith(("#", "---")):
            keys[key] = f"{keys[key]}\n{line}" if key in keys else line
    sort = next((value.strip("\"' \n") for key, value in keys.items() if key in _SORTS), "")
    texts = {key: dedent(_SCALAR.sub(r"\1", value)).strip("\"' \n") for key, value in keys.items()}
    of_words = [(key, text) for key, text in texts.items() if key in _TEXTS or "- " in text]
    return sort, [(sort if key in _TEXTS else key, text.splitlines()) for key, text in of_words]


def labelled(entry: Entry) -> Entry:
    """An item without its numbers and its label before its words; that label is its heading."""
    found = _LABELLED.match(entry.text)
    if found is None or found.end() == len(entry.text):
        return entry
    return replace(entry, heading=found["label"] or entry.heading, text=entry.text[found.end() :])


def _headings(lines: Sequence[str]) -> Iterator[_Heading]:
    is_code = False
    for at, line in enumerate(lines):
        is_code ^= line.lstrip().startswith("```")
        if is_code:
            continue
        if found := _HASHES.fullmatch(line):
            yield _Heading(at, 1, found[1], _words(found[2].rstrip(" \t#") or found[2]))
        elif line[:1].strip() and (found := _UNDERLINE.fullmatch("".join(lines[at + 1 : at + 2]))):
            is_text = not (_UNDERLINE.fullmatch(line) or _ITEM.match(line))
            yield from [_Heading(at, 2, found[1], _words(line))] if is_text else ()
        elif _LABEL.fullmatch(line) and _ITEM.match(next(filter(str.strip, lines[at + 1 : at + 3]), "")):
            yield _Heading(at, 1, ":", line)


def _stands_alone(lines: Sequence[str], at: int) -> bool:
    is_prose = lines[at][:1].strip() and not _ITEM.match(lines[at])
    return bool(is_prose) and not any(one.strip() for one in (*lines[max(at - 1, 0) : at], *lines[at + 1 : at + 2]))


def _version_in(heading: str, wanted: Version) -> tuple[str, Version] | None:
    """The highest version in a heading, as it is written and what that tells; days are none unless one is wanted."""
    said = (one.replace(" ", "-") for one in _VERSION.findall(_TARGET.sub("]", heading)))
    found = [(one, version) for one in said if (version := version_of(one)) and version.is_dated == wanted.is_dated]
    return max(found, key=lambda one: one[1].order, default=None)


def _entries(
    lines: Sequence[str], version: _Heading, end: int | None, headings: Sequence[_Heading]
) -> tuple[Entry, ...]:
    """What stands below the heading of a version, each once; paragraphs only where there is no list."""
    inside = [one for one in headings if version.at < one.at < (end or len(lines))]
    inside = [one for one in inside if one.mark != ":"] or inside
    found, prose = dict[str, Entry](), dict[str, Entry]()
    for one, ends in zip((version, *inside), (*(each.at for each in inside), end), strict=True):
        heading = "" if one is version else clean(one.text).strip(" :")
        for entry, is_item in _below(heading, lines[one.at + one.size : ends]):
            (found if heading or is_item else prose).setdefault(entry.text, entry)
    return tuple((found or prose).values())


def _below(heading: str, lines: Sequence[str]) -> Iterator[tuple[Entry, bool]]:
    """The items of the outer list below a heading; of what begins as prose below one its first paragraph, and where
    there is no list, the paragraphs. Each with whether it is an item."""
    parts = list(_parts(lines))
    outer = min((indent for indent, _ in parts if indent is not None), default=None)
    if heading and parts and parts[0][0] is None:
        parts, outer = parts[:1], None
    for indent, text in parts:
        if indent == outer and (words := clean(_words(text))):
            numbers = dict.fromkeys(
                one[3] or (f"#{one[1] or one[2]}" if one.lastindex else one[0]) for one in _NUMBER.finditer(words)
            )
            said = _ENDS.sub("", _BRACKETS.sub(_kept, words)).strip(" ,;:") or words
            yield Entry(heading, said, tuple(numbers)), outer is not None


def _parts(lines: Sequence[str]) -> Iterator[tuple[int | None, str]]:
    """The items of lists, of each its first paragraph, with how far they are indented, and paragraphs, with None."""
    held, indent = list[str](), None
    is_code = False
    for line in (*lines, ""):
        is_code ^= line.lstrip().startswith("```")
        item = _ITEM.fullmatch(line)
        if held and (item or not line.strip() or _NO_PROSE.match(line)):
            yield indent, " ".join(held)[:LONGEST]
            held = []
        if item and not is_code:
            held, indent = [item[2]], len(item[1])
        elif held:
            held.append(line.strip())
        elif line[:1].strip() and not (is_code or item or _NO_PROSE.match(line)):
            held, indent = [line.strip()], None


def _words(text: str) -> str:
    """Text without what only marks it up: links and roles are their words, code stays marked."""
    return _MARKUP.sub(_said, text) if any(sign in text for sign in "`[*<\\") else text


def _kept(brackets: re.Match[str]) -> str:
    """What is left of brackets: nothing of those that only say which numbers, or whose, it is."""
    words = brackets[1].replace(",", " ").split()
    is_said = any(one[0] in "#@" for one in words) or _NUMBER.search(brackets[1])
    is_all = all(
        one[0] in "#@" or one.isdigit() or one.casefold() in _BESIDE or re.fullmatch(r"[0-9a-f]{7,40}", one)
        for one in words
    )
    return "" if is_said and is_all else brackets[0]


def _said(found: re.Match[str]) -> str:
    if said := found["said"]:
        if found["role"] in _OF_NUMBERS and said.isdigit():
            return f"#{said}"
        if found["role"] in _NUMBERED and said[0].isdigit():
            return f"{_NUMBERED[found['role']]}{said.partition('#')[0]}"
        said = said.partition(" <")[0]
        return said.rpartition(".")[2] if said.startswith("~") else said.removeprefix("!")
    return next(
        (found[name] for name in ("label", "code", "bold", "text", "number", "escaped") if found[name]), ""
    ).rstrip()
