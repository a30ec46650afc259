"""The bytes of one `git log` → Commit values, and what was odd about them. Pure: needs no git.

The log is asked for with FORMAT, `--raw --numstat -z`: every field and every path ends with a NUL,
the one byte that no name, message or path can hold. A commit starts with a byte 1, a file's state
with a colon, its line counts with a digit or a hyphen, so a reader always knows where it is.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TypeVar

from bot.model import Commit, FileChange, FileState, Signature

T = TypeVar("T")

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
_COUNTS_OF_A_RENAME = re.compile(rb"[0-9-]+\t[0-9-]+\t")  # where other files have their path
_LAST_INTEGER = 2**63 - 1  # what a column of the database holds
MAX_TEXT = 1 << 20  # bytes of a subject or a body: longer ones are dumps, and would fill the memory


def parsed(
    feed: Callable[[bytes], Iterable[T]], finish: Callable[[], Iterable[T]], blocks: Iterable[bytes]
) -> Iterator[T]:
    """What a parser makes of all that git prints, as it comes, and of the end."""
    yield from chain.from_iterable(map(feed, blocks))
    yield from finish()


class Records:
    """Takes a log in blocks of any size and gives each commit's tokens: `fields` of its own, then its files'."""

    def __init__(self, fields: int) -> None:
        self._fields = fields
        self._rest: list[bytes] = []  # of a token that goes on in the next block
        self._tokens: list[bytes] = []  # of the commit that is being read
        self._due = 0  # how many of the tokens that follow are fields or paths, whatever they look like

    def feed(self, block: bytes) -> Iterator[list[bytes]]:
        """The commits that are complete with this block."""
        if b"\0" not in block:
            self._rest.append(block)
            return
        first, *others = block.split(b"\0")
        tokens = [b"".join([*self._rest, first]), *others]
        self._rest = [tokens.pop()]
        at, end = 0, len(tokens)
        while at < end:
            if self._due:
                taken = tokens[at : at + self._due]
                self._tokens += taken
                self._due -= len(taken)
                at += len(taken)
                continue
            token = tokens[at]
            at += 1
            if token[:1] == b"\x01":
                if self._tokens:
                    yield self._tokens
                self._tokens, self._due = [token[1:]], self._fields - 1
                continue
            token = token.lstrip(b"\n")
            self._due = _paths_after(token)
            self._tokens.append(token)

    def finish(self) -> Iterator[list[bytes]]:
        """The last commit, once git has ended well. One that was cut off inside a field is left out."""
        if self._tokens and not self._due and not any(self._rest):
            yield self._tokens
        self._tokens, self._rest, self._due = [], [], 0


class LogParser:
    """Takes the log in blocks of any size and gives its commits, one after the other.

    `without_files` are commits whose parents are missing, so that their diff is no diff. `oddities` counts the
    commits of which something could not be taken as it stands, by a reason written for people.
    """

    def __init__(self, repository: str, without_files: frozenset[str] = frozenset()) -> None:
        self.repository = repository
        self.oddities: Counter[str] = Counter()
        self._without_files = without_files
        self._records = Records(_FIELDS)
        self._odd: set[str] = set()  # about the commit that is being read

    def feed(self, block: bytes) -> Iterator[Commit]:
        """The commits that are complete with this block."""
        return map(self._commit, self._records.feed(block))

    def finish(self) -> Iterator[Commit]:
        """The last commit, once git has ended well."""
        return map(self._commit, self._records.finish())

    def _commit(self, tokens: list[bytes]) -> Commit:
        sha = tokens[0].decode("ascii", "replace")
        author = self._signature(tokens[2:5])
        committer = author if tokens[2:5] == tokens[5:8] else self._signature(tokens[5:8])
        subject, body = self._text(tokens[8]), self._text(tokens[9])
        files, is_counted = ([], True) if sha in self._without_files else _files(tokens, _FIELDS)
        if self._odd:
            self.oddities.update(self._odd)
            self._odd.clear()
        parents = tuple(tokens[1].decode("ascii", "replace").split())
        body = body.strip("\n")
        return Commit(self.repository, sha, parents, author, committer, subject, body, tuple(files), is_counted)

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
        try:  # a cut in the middle of a sign is no fault of it
            return codecs.utf_8_decode(data[:MAX_TEXT], "strict", len(data) <= MAX_TEXT)[0]
        except UnicodeDecodeError:
            self._odd.add("text that is not UTF-8 (what cannot be read is shown as \ufffd)")
            return data[:MAX_TEXT].decode(errors="replace")


def _files(tokens: list[bytes], position: int) -> tuple[list[FileChange], bool]:
    """The files of a commit from its tokens, and whether their lines are known: git counts all of them or none."""
    states: dict[bytes, tuple[FileState, bytes | None]] = {}
    counts: dict[bytes, tuple[bytes, bytes]] = {}
    end = len(tokens)
    while position < end:
        token = tokens[position]
        if token[:1] == b":":
            state = _STATES.get(token[-1:])
            if state is None and token.rsplit(b" ", 1)[-1][:1] in (b"R", b"C"):  # with how alike they are: R087
                letter = token.rsplit(b" ", 1)[-1][:1]
                states[tokens[position + 2]] = (_STATES[letter], tokens[position + 1])
                position += 3
            else:
                states[tokens[position + 1]] = (state or "modified", None)
                position += 2
            continue
        more, less, path = token.split(b"\t", 2)
        if not path:  # a rename: the old and the new path follow
            path = tokens[position + 2]
            position += 2
        counts[path] = (more, less)
        position += 1
    if not counts:
        rows: list[FileChange] = [
            FileChange(_path(path), state, None, None, _path(old) if old is not None else None)
            for path, (state, old) in states.items()
        ]
        return rows, not states
    return [_with_counts(path, *states[path], *counts.get(path, (b"", b""))) for path in states], True


def _with_counts(path: bytes, state: FileState, old: bytes | None, added: bytes, deleted: bytes) -> FileChange:
    more = int(added) if added.isdigit() else None
    less = int(deleted) if deleted.isdigit() else None
    return FileChange(_path(path), state, more, less, _path(old) if old is not None else None, added == b"-")


def _path(data: bytes) -> str:
    # Two paths that differ in bytes must differ as text as well, so nothing is replaced by one sign.
    return data.decode(errors="backslashreplace")


def _paths_after(token: bytes) -> int:
    """How many paths follow a file's state or line counts as tokens of their own."""
    if token.startswith(b":"):
        return 2 if token.rsplit(b" ", 1)[-1][:1] in (b"R", b"C") else 1
    return 2 if _COUNTS_OF_A_RENAME.fullmatch(token) else 0


def counted_files(blocks: Iterable[bytes]) -> Iterator[tuple[str, list[FileChange]]]:
    """Of a log with LINES_OPTIONS: each SHA, and its files with their line counts."""
    records = Records(1)
    for tokens in parsed(records.feed, records.finish, blocks):
        yield tokens[0].decode("ascii", "replace"), _files(tokens, 1)[0]
