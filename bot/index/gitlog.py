"""The bytes of one `git log` → Commit values, what was odd about them, and when and by which merge each came to the
branch. Pure: needs no git.

The log is asked for with FORMAT, `--raw --numstat -z`: every field and every path ends with a NUL,
the one byte that no name, message or path can hold. A commit starts with a byte 1, a file's state
with a colon, its line counts with a digit or a hyphen, so a reader always knows where it is.
"""

from __future__ import annotations

import codecs
import re
from binascii import unhexlify
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from bot.index.git import GitFailed
from bot.model import Commit, FileChange, FileState, Signature
from bot.month.joining import Mailmap
from storage.commit_rows import Brought

FORMAT = "--format=tformat:%x01%H%x00%P%x00%an%x00%ae%x00%ad%x00%cn%x00%ce%x00%cd%x00%s%x00%b"
_TEXT = ("-z", "--date=raw", "--encoding=UTF-8")
_ALWAYS = (*_TEXT, "--raw", "--ignore-submodules=none")
# All at once; without line counts, in a tenth of the time; and the line counts that this leaves out. Without
# looking into files git knows a rename only by equal content, so files are given anew with their counts.
OPTIONS = (*_ALWAYS, FORMAT, "--numstat", "--find-renames")
NAMES_OPTIONS = (*_ALWAYS, FORMAT, "--find-renames=100%")
WITHOUT_FILES = (*_TEXT, FORMAT, "--no-patch")  # of commits whose trees, or their parents', cannot be read
LINES_OPTIONS = (*_ALWAYS, "--format=tformat:%x01%H", "--numstat", "--find-renames")

_FIELDS = 10  # in FORMAT
_STATES: dict[bytes, FileState] = {
    b"A": "added",
    b"M": "modified",
    b"D": "deleted",
    b"R": "renamed",
    b"C": "copied",
    b"T": "retyped",
}
_DATE = re.compile(rb"(\d+) ([+-])(\d+)")
_HAVE_OLD = (b"R", b"C")  # a path of before, too
_UNCOUNTED = (b"", b"")
_CUT_OFF = "its log ends inside a commit"
_LAST_INTEGER = 2**63 - 1  # what a column of the database holds
MAX_TEXT = 1 << 20  # bytes of a subject or a body: longer ones are dumps, and would fill the memory


def _tokens(blocks: Iterable[bytes]) -> Iterator[list[bytes]]:
    """What a NUL stands behind, as it comes in blocks of any size."""
    rest: list[bytes] = []
    for block in blocks:
        first, *others = block.split(b"\0")
        rest.append(first)
        if others:
            yield [b"".join(rest), *others[:-1]]
            rest = others[-1:]
    if any(rest):
        raise GitFailed(_CUT_OFF)


def _records(blocks: Iterable[bytes], fields: int) -> Iterator[tuple[list[bytes], list[FileChange], bool]]:
    """Each commit's fields, so many, its files, and whether their lines are known: git counts all of them or none.

    Raises GitFailed where the log ends inside a commit.
    """
    tokens = chain.from_iterable(_tokens(blocks))
    token = next(tokens, b"")
    try:
        while token:
            said = [token[1:], *[next(tokens) for _ in range(fields - 1)]]
            states: dict[bytes, tuple[FileState, bytes | None]] = {}
            counts: dict[bytes, tuple[bytes, bytes]] = {}
            for token in tokens:
                if token[:1] == b"\x01":
                    break
                if token[:1] == b"\n":
                    token = token.lstrip(b"\n")
                if token[:1] == b":":
                    letter = token[token.rfind(b" ") + 1 :][:1]  # with how alike they are: R087
                    old = next(tokens) if letter in _HAVE_OLD else None
                    states[next(tokens)] = (_STATES.get(letter, "modified"), old)
                else:
                    more, less, path = token.split(b"\t", 2)
                    if not path:  # of a rename: the old and the new path follow
                        next(tokens)
                        path = next(tokens)
                    counts[path] = (more, less)
            else:
                token = b""
            files = [_file(path, *state, *counts.get(path, _UNCOUNTED)) for path, state in states.items()]
            yield said, files, bool(counts) or not states
    except StopIteration:
        raise GitFailed(_CUT_OFF) from None


def _file(path: bytes, state: FileState, old: bytes | None, more: bytes, less: bytes) -> FileChange:
    return FileChange(
        _path(path), state, int(more) if more.isdigit() else None, int(less) if less.isdigit() else None,
        None if old is None else _path(old), more == b"-",
    )  # fmt: skip


def _path(data: bytes) -> str:
    # Two paths that differ in bytes must differ as text as well, so nothing is replaced by one sign.
    return data.decode(errors="backslashreplace")


class LogParser:
    """Gives the commits of a log.

    `without_files` are commits whose parents are missing, so that their diff is no diff. `oddities` counts the
    commits of which something could not be taken as it stands, by a reason written for people.
    """

    def __init__(self, repository: str, without_files: frozenset[str] = frozenset()) -> None:
        self.repository = repository
        self.oddities: Counter[str] = Counter()
        self._without_files = without_files
        self._odd: set[str] = set()  # about the commit that is being read

    def commits(self, blocks: Iterable[bytes]) -> Iterator[Commit]:
        """One after the other, each as soon as the next one begins. Raises GitFailed where the log ends inside one."""
        for said, files, is_counted in _records(blocks, _FIELDS):
            sha = said[0].decode("ascii", "replace")
            author = self._signature(said[2:5])
            committer = author if said[2:5] == said[5:8] else self._signature(said[5:8])
            subject, body = self._text(said[8]), self._text(said[9]).strip("\n")
            if self._odd:
                self.oddities.update(self._odd)
                self._odd.clear()
            if sha in self._without_files:
                files, is_counted = [], True
            parents = tuple(said[1].decode("ascii", "replace").split())
            yield Commit(self.repository, sha, parents, author, committer, subject, body, tuple(files), is_counted)

    def _signature(self, tokens: list[bytes]) -> Signature:
        """Of a name, an address and a date as FORMAT has it."""
        name, address, date = tokens
        written = _DATE.fullmatch(date.strip())
        seconds, offset = 0, 0
        if written is None:
            self._odd.add("a date that cannot be read (taken as 1970-01-01)")
        else:
            seconds = min(int(written[1]), _LAST_INTEGER)
            digits = int(written[3])
            offset = (digits // 100 * 60 + digits % 100) * (-1 if written[2] == b"-" else 1)
            if abs(offset) >= 24 * 60:
                self._odd.add("a time zone that does not exist (its time is shown in UTC)")
                offset = max(min(offset, 2**31), -(2**31))
        return Signature(self._text(name).strip(), self._text(address).strip(), seconds, offset)

    def _text(self, data: bytes) -> str:
        if len(data) > MAX_TEXT:
            self._odd.add(f"a message of more than {MAX_TEXT >> 20} MB (its end is left out)")
        try:
            if len(data) <= MAX_TEXT:
                return data.decode()
            return codecs.utf_8_decode(data[:MAX_TEXT], "strict", False)[0]  # a cut inside a sign is no fault
        except UnicodeDecodeError:
            self._odd.add("text that is not UTF-8 (what cannot be read is shown as \ufffd)")
            return data[:MAX_TEXT].decode(errors="replace")


def counted_files(blocks: Iterable[bytes]) -> Iterator[tuple[str, list[FileChange]]]:
    """Of a log with LINES_OPTIONS: each SHA, and its files with their line counts."""
    for (sha,), files, _ in _records(blocks, 1):
        yield sha.decode("ascii", "replace"), files


# --- arrivals
#
# The line of a branch leads from its tip by first parents, and from a merge of the main branch into another, which
# became the branch when that was pushed, by the second. What is not on it came with the oldest merge of the line that
# leads to it; or else when it was committed, where that is a merge of a main or a release branch. What more than three
# people wrote may be such a branch's by its name alone.

PEOPLE = 3  # above which a branch may be one that all work goes through: it came by a merge that says so otherwise
_LINE = (
    r"(?:(?:refs|heads|remotes|origin|upstream)/)*(?:main|master|dev|develop|trunk"
    r"|(?:releases?|rel|maint|stable)(?:[-/_.]?v?\d[^\s'\"]*)?|v?\d+(?:\.(?:\d+|x))+(?:-?rc\d*)?|v\d+)"
)
_OF_LINE = re.compile(
    r"merged?\s+(?:(?:in|with|from|remote-tracking|branch|branches|tag|commit)\s+)*"
    r"(?:(?:pull|merge) request \S+ (?:in \S+ )?from (?:(?P<owner>[^\s/:]+)[/:])?)?"
    # Of several, all are in quotation marks; a word without them is a branch where nothing else is said of it.
    rf"(?:(?:'[^']*',? (?:and )?)*'{_LINE}'|\"{_LINE}\"|{_LINE}(?=\s*$|\s+(?:into|to|branch|of)\s|\s+\())",
    re.IGNORECASE,
)
_INTO = re.compile(
    r"merge (?:remote-tracking )?branch ['\"](?:refs/heads/|origin/|upstream/)?(?P<main>main|master)['\"]"
    r" into ['\"]?(?P<other>[^\s'\"]+)",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"merged?\s+(?:(?:in|with|from|remote|remote-tracking|branch|branches|tag|commit"
    r"|all|changes|commits|current|fixes|latest|the|updates)\s+)*"
    r"(?:(?:pull|merge) request \S+ (?:in \S+ )?from )?['\"]?(?:[^\s'\"]*[/:])?(?P<name>[^\s'\"/:]+)",
    re.IGNORECASE,
)
# What goes to the default branch from time to time, and is called by a version or so.
_OF_ALL = re.compile(
    rf"{_LINE}|.*\d\.(?:\d|x).*|alpha|beta|canary|edge|features?|integration|next|nightly|preview|rc|staging|testing|"
    r"unstable|upstream",
    re.IGNORECASE,
)


class _Merge(NamedTuple):
    """A merge of the line, with what it brought, and the names and addresses of who wrote that."""

    commit: Commit
    shas: bytearray
    authors: set[tuple[str, str]]


class Arrivals:
    """What merges brought to the `branch` that ends in `tip`, of the commits that are seen, children before their
    parents. `line` is where the branch leads from them: None if to its beginning; `count` is how many they are."""

    def __init__(self, tip: str, branch: str) -> None:
        self.line: str | None = tip
        self.count = 0
        self._branch = branch
        self._merges: list[_Merge] = []
        # Of commits to come, how many merges of the line lead up to the oldest that leads there.
        self._by: dict[str, int] = {}

    def see(self, commit: Commit) -> None:
        self.count += 1
        number, led = self._by.pop(commit.sha, 0), commit.parents
        if commit.sha == self.line:
            on = len(led) > 1 and _is_into_another(commit.subject, self._branch)
            self.line, led = led[on] if led else None, (*led[:on], *led[on + 1 :])
            if led:
                self._merges.append(_Merge(commit, bytearray(), set()))
                number = len(self._merges)
        elif number:
            merge = self._merges[number - 1]
            merge.shas.extend(unhexlify(commit.sha))
            if len(led) < 2:
                merge.authors.add((commit.author.name, commit.author.address))
        for parent in led:
            self._by[parent] = max(number, self._by.get(parent, 0))

    def brought(self, owner: str, mailmap: Mailmap) -> list[Brought]:
        """A pull request for a main branch of another's than the `owner` is of a fork, and a topic. Who is who, the
        `mailmap` says."""
        return [
            Brought(one.commit.sha, one.commit.committer.seconds, bytes(one.shas))
            for one in self._merges
            if one.shas and self._is_topic(one, owner, mailmap)
        ]

    def _is_topic(self, merge: _Merge, owner: str, mailmap: Mailmap) -> bool:
        subject = merge.commit.subject
        if _is_into_another(subject, self._branch):
            return True
        if _is_of_line(subject, owner):
            return False
        called, own = _CALLED.match(subject), self._branch.rpartition("/")[2]
        if called and called["name"] != own and not _OF_ALL.fullmatch(called["name"]):
            return True
        return _people(merge.authors, mailmap) <= PEOPLE


def _is_into_another(subject: str, branch: str) -> bool:
    """Whether a merge is of the main branch into one that is none."""
    found = _INTO.match(subject)
    return found is not None and found["other"] != branch and not _OF_ALL.fullmatch(found["other"])


def _is_of_line(subject: str, owner: str) -> bool:
    found = _OF_LINE.match(subject)
    return found is not None and (found["owner"] or owner).casefold() == owner.casefold()


def _people(authors: Iterable[tuple[str, str]], mailmap: Mailmap) -> int:
    """How many they are, if one name or one address is one person."""
    people: list[set[str]] = []
    for name, address in authors:
        one = {part.strip().casefold() for part in mailmap.mapped(name, address) if part}
        people = [one.union(*(each for each in people if each & one)), *(each for each in people if not each & one)]
    return len(people)
