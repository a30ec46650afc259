"""The text of a change log → what it says of a version, item by item; and what a diff adds to one. Pure.

A heading is a line with hashes before it, or with a line of signs below; where none names the version, a line that
stands alone does. Of several versions in a heading ("CHANGES FROM 3.7 TO 3.7a") the highest is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from textwrap import dedent

from bot.month.releases import Version, version_of
from bot.wording import clean

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


def note_sort(path: str) -> str:
    """The sort that a fragment of a change log says in its name: "bugfix" of changelog.d/12.bugfix.rst."""
    fragment = _FRAGMENT.fullmatch(path)
    return (fragment["type"] or "").casefold() if fragment else ""


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
