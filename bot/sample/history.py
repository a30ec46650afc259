"""history.txt → commits, each with its time, message and files as they are after it. Pure.

What the file may hold is said at its top.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.month.calendar import Month

OLDER = 60  # lines that a file has besides, if it is older than the history
FIRST = "Import what was here before"


@dataclass(frozen=True, slots=True)
class Author:
    name: str
    address: str
    zone: ZoneInfo


@dataclass(frozen=True, slots=True)
class FileEdit:
    """What a commit does to a file, as written: lines added and removed, or all that is in it then. `undo` is the
    number of an earlier commit, whose files are meant."""

    path: str = ""
    added: int = 0
    removed: int = 0
    content: tuple[str, ...] | None = None
    gone: bool = False
    undo: str = ""


@dataclass(frozen=True, slots=True)
class CommitEntry:
    """A commit as it is written down. `numbers` are what others may call it by: #12, D34."""

    at: datetime
    author: Author
    repository: str
    message: str
    touched: tuple[FileEdit, ...]
    tags: tuple[str, ...]

    @property
    def numbers(self) -> frozenset[str]:
        appended = re.findall(r"\((#\d+)\)$", self.message.partition("\n")[0])
        return frozenset([*appended, *re.findall(r"^Differential Revision: (D\d+)$", self.message, re.MULTILINE)])


@dataclass(frozen=True, slots=True)
class SampleCommit:
    """A commit to be made. `files` are those it changes, as they are then; None is one that is gone. `named` are the
    places in `message` that stand for a SHA, by what is written there: the place of the commit in its repository."""

    at: datetime
    author: Author
    message: str
    files: Mapping[str, str | None]
    named: Mapping[str, int] = field(default_factory=dict)
    tags: tuple[str, ...] = ()


def sample_commits(text: str, now: datetime) -> dict[str, list[SampleCommit]]:
    """The commits of each repository that are not after `now`, oldest first. `now` is aware; months count in UTC.

    Raises ValueError with the line that is none of those that the text's top tells of.
    """
    written = sorted(_written(text.splitlines(), Month.of(now, ZoneInfo("UTC"))), key=lambda one: one.at)
    by_repository: dict[str, list[CommitEntry]] = defaultdict(list)
    for one in written:
        by_repository[one.repository].append(one)
    return {
        name: [one for one in _Files(commits).commits() if one.at <= now] for name, commits in by_repository.items()
    }


# --- reading

_MONTH = re.compile(r"== (?:(?P<ago>\d+) months? ago|this month)(?::.*)?")
_AUTHOR = re.compile(r"author (?P<key>\w+)\s+(?P<name>[^<]+?) <(?P<address>[^>]+)>\s+(?P<zone>\S+)")
_COMMIT = re.compile(r"@ (?P<day>\d+) (?P<hour>\d\d):(?P<minute>\d\d) (?P<author>\w+) (?P<repository>[\w-]+)")
_FILE = re.compile(
    r"> (?:undo (?P<undo>#\d+|D\d+)|tag (?P<tag>\S+)|(?P<path>[\w./-]+)(?:(?P<gone> gone)|(?: \+(?P<added>\d+))?"
    r"(?: -(?P<removed>\d+))?))"
)


def _written(lines: Sequence[str], present: Month) -> Iterator[CommitEntry]:
    authors: dict[str, Author] = {}
    month: Month | None = None
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if found := _MONTH.fullmatch(line):
            month = present - int(found["ago"] or 0)
        elif month is None:
            if found := _AUTHOR.fullmatch(line):
                authors[found["key"]] = Author(found["name"], found["address"], ZoneInfo(found["zone"]))
            elif line and not line.startswith("#"):
                raise ValueError(f"line {number}: neither a comment, an author nor a month: {line}")
        elif found := _COMMIT.fullmatch(line):
            author = authors[found["author"]]
            day = working_day(month, int(found["day"]))
            at = datetime(day.year, day.month, day.day, int(found["hour"]), int(found["minute"]), tzinfo=author.zone)
            message: list[str] = []
            while number < len(lines) and not _starts(lines[number]):
                message.append(lines[number])
                number += 1
            touched: list[FileEdit] = []
            tags: list[str] = []
            while number < len(lines) and lines[number].startswith((">", "|")):
                _touch(lines[number], number + 1, touched, tags)
                number += 1
            text = "\n".join(message).strip("\n") + "\n"
            yield CommitEntry(at, author, found["repository"], text, tuple(touched), tuple(tags))
        elif line:
            raise ValueError(f"line {number}: neither a commit nor a month: {line}")


def _starts(line: str) -> bool:
    return line.startswith(">") or bool(_COMMIT.fullmatch(line) or _MONTH.fullmatch(line))


def _touch(line: str, number: int, touched: list[FileEdit], tags: list[str]) -> None:
    if line.startswith("|"):
        touched[-1] = replace(touched[-1], content=(*(touched[-1].content or ()), line[2:]))
        return
    found = _FILE.fullmatch(line)
    if found is None:
        raise ValueError(f"line {number}: no file, as in `> src/a.py +12 -3`: {line}")
    if found["tag"]:
        tags.append(found["tag"])
    else:
        touched.append(
            FileEdit(
                path=found["path"] or "",
                added=int(found["added"] or 0),
                removed=int(found["removed"] or 0),
                gone=bool(found["gone"]),
                undo=found["undo"] or "",
            )
        )


def working_day(month: Month, number: int) -> date:
    """The number-th day of a month that is neither Saturday nor Sunday; each month has twenty."""
    days = (date(month.year, month.number, 1) + timedelta(days=after) for after in range(31))
    return [day for day in days if day.weekday() < 5][number - 1]


# --- what is in the files


@dataclass(frozen=True, slots=True)
class _Edit:
    """A file before and after a commit; None where there is none."""

    before: list[str] | None
    after: list[str] | None


class _Files:
    """The files of one repository, from commit to commit. No two lines of a file are alike, unless written so."""

    def __init__(self, written: Sequence[CommitEntry]) -> None:
        self._written = written
        self._now: dict[str, list[str]] = {}
        self._serial: dict[str, int] = defaultdict(int)
        self._edits: dict[str, dict[str, _Edit]] = {}  # by the number of a commit, then by path
        self._places: dict[str, int] = {}

    def commits(self) -> Iterator[SampleCommit]:
        """The commits, the first of which holds the files that are older than the history."""
        first = self._written[0]
        older = self._older()
        for path, count in older.items():
            self._now[path] = self._lines(path, count)
        importer = Author("acme-import[bot]", "import@acme.example", first.author.zone)
        files = {path: _text(lines) for path, lines in self._now.items()}
        yield SampleCommit(first.at - timedelta(minutes=30), importer, f"{FIRST}\n", files)
        for place, one in enumerate(self._written, 1):
            named = {f"{{{number}}}": self._places[number] for number in re.findall(r"\{(#\d+|D\d+)\}", one.message)}
            edits = self._edited(one)
            for path, edit in edits.items():
                _put(self._now, path, edit.after)
            for number in one.numbers:
                self._edits[number] = edits
                self._places[number] = place
            files_then = {path: None if edit.after is None else _text(edit.after) for path, edit in edits.items()}
            yield SampleCommit(one.at, one.author, one.message, files_then, named, one.tags)

    def _older(self) -> dict[str, int]:
        """The files that were there before, each with enough lines for all that is removed later."""
        seen: dict[str, bool] = {}
        removed: dict[str, int] = defaultdict(int)
        for one in self._written:
            for each in one.touched:
                if each.path:
                    seen.setdefault(each.path, bool(each.removed) or each.gone)
                    removed[each.path] += each.removed
        return {path: OLDER + removed[path] for path, is_older in seen.items() if is_older}

    def _edited(self, one: CommitEntry) -> dict[str, _Edit]:
        then = dict(self._now)
        for each in one.touched:
            if each.undo:
                for path, edit in self._edits[each.undo].items():
                    _put(then, path, _undone(edit, then.get(path)))
            elif each.gone:
                del then[each.path]
            elif each.content is not None:
                then[each.path] = list(each.content)
            else:
                before = then.get(each.path, [])
                # The oldest lines go first: so a commit seldom rewrites the one before it.
                then[each.path] = [*before[each.removed :], *self._lines(each.path, each.added)]
        paths = sorted({*self._now, *then})
        edits = {path: _Edit(self._now.get(path), then.get(path)) for path in paths}
        return {path: edit for path, edit in edits.items() if edit.before != edit.after}

    def _lines(self, path: str, count: int) -> list[str]:
        self._serial[path] += count
        return [_line(path, number) for number in range(self._serial[path] - count + 1, self._serial[path] + 1)]


def _put(files: dict[str, list[str]], path: str, lines: list[str] | None) -> None:
    if lines is None:
        files.pop(path, None)
    else:
        files[path] = lines


def _undone(edit: _Edit, now: list[str] | None) -> list[str] | None:
    """A file as it is now without what an edit did to it."""
    if now == edit.after:
        return edit.before
    before, after = edit.before or [], edit.after or []
    added, removed = set(after) - set(before), [line for line in before if line not in set(after)]
    return [*removed, *(line for line in now or [] if line not in added)]


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _line(path: str, number: int) -> str:
    """A line that stands for one of a program, such as a file of this kind may hold."""
    return _LINES.get(path.rpartition(".")[2], "line {}").format(number)


_LINES = {
    "py": "LINE_{} = None",
    "rs": "const LINE_{}: () = ();",
    "ts": "export const line{} = null;",
    "tsx": "export const line{} = null;",
    "css": ".line-{} {{ }}",
    "sql": "select {};",
    "md": "Line {} of this page.",
    "toml": "line_{} = 1",
    "yml": "line_{}: 1",
    "json": '"line {}",',
    "lock": "line {}",
}
