"""The bytes of one `git log` → Commit values, and what was odd about them. Pure: needs no git.

The log is asked for with FORMAT, `--raw --numstat -z`: every field and every path ends with a NUL,
the one byte that no name, message or path can hold. A commit starts with a byte 1, a file's state
with a colon, its line counts with a digit or a hyphen, so a reader always knows where it is.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from bot.index.git import GitFailed
from bot.model import Commit, FileChange, FileState, Signature

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
