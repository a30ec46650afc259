"""A sample history: a small team, two repositories and a private third one, over fourteen months up to now.

`history.txt` tells it and says at its top how it is written; `settings.toml` is an almanac.toml for it. Dates count
back from the present month, so that the demonstration always has a last month; the same month gives the same SHAs.
`sample_commits` makes commits of the text, each with its time, message and files as they are after it; `make` makes
bare repositories of these, by `git fast-import`.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import IO, NamedTuple
from zoneinfo import ZoneInfo

from bot.errors import AlmanacError
from bot.month.calendar import Month
from bot.settings import Settings, fields_of

OLDER = 60  # lines that a file has besides, if it is older than the history
FIRST = "Import what was here before"

Lines = list[str] | None  # of a file; None where there is none


class Author(NamedTuple):
    name: str
    address: str
    zone: ZoneInfo


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
    by_repository: dict[str, list[_Entry]] = defaultdict(list)
    for one in written:
        by_repository[one.repository].append(one)
    return {name: [one for one in _commits(some) if one.at <= now] for name, some in by_repository.items()}


# --- reading

_MONTH = re.compile(r"== (?:(?P<ago>\d+) months? ago|this month)(?::.*)?")
_AUTHOR = re.compile(r"author (?P<key>\w+)\s+(?P<name>[^<]+?) <(?P<address>[^>]+)>\s+(?P<zone>\S+)")
_COMMIT = re.compile(r"@ (?P<day>\d+) (?P<hour>\d\d):(?P<minute>\d\d) (?P<author>\w+) (?P<repository>[\w-]+)")
_EDIT = re.compile(
    r"> (?:undo (?P<undo>#\d+|D\d+)|tag (?P<tag>\S+)|(?P<path>[\w./-]+)(?:(?P<gone> gone)|(?: \+(?P<added>\d+))?"
    r"(?: -(?P<removed>\d+))?))"
)


@dataclass(slots=True)
class _Entry:
    """A commit as it is written down: `edits` are what stands behind each >, as _EDIT finds it, with all that is in the
    file then, where that is said."""

    at: datetime
    author: Author
    repository: str
    lines: list[str] = field(default_factory=list)
    edits: list[tuple[re.Match[str], list[str]]] = field(default_factory=list)

    @property
    def message(self) -> str:
        return "\n".join(self.lines).strip("\n") + "\n"

    @property
    def numbers(self) -> frozenset[str]:
        """What others may call it by: #12, D34."""
        appended = re.findall(r"\((#\d+)\)$", self.message.partition("\n")[0])
        return frozenset([*appended, *re.findall(r"^Differential Revision: (D\d+)$", self.message, re.MULTILINE)])


def _written(lines: Sequence[str], present: Month) -> list[_Entry]:
    authors: dict[str, Author] = {}
    month: Month | None = None
    entries: list[_Entry] = []
    for number, line in enumerate(lines, 1):
        last = entries[-1] if entries else None
        if found := _MONTH.fullmatch(line):
            month = present - int(found["ago"] or 0)
        elif month is None:
            if found := _AUTHOR.fullmatch(line):
                authors[found["key"]] = Author(found["name"], found["address"], ZoneInfo(found["zone"]))
            elif line and not line.startswith("#"):
                raise ValueError(f"line {number}: neither a comment, an author nor a month: {line}")
        elif found := _COMMIT.fullmatch(line):
            author, day = authors[found["author"]], working_day(month, int(found["day"]))
            at = datetime(day.year, day.month, day.day, int(found["hour"]), int(found["minute"]), tzinfo=author.zone)
            entries.append(_Entry(at, author, found["repository"]))
        elif last and line.startswith(">"):
            if not (found := _EDIT.fullmatch(line)):
                raise ValueError(f"line {number}: no file, as in `> src/a.py +12 -3`: {line}")
            last.edits.append((found, []))
        elif last and last.edits and line.startswith("|"):
            last.edits[-1][1].append(line[2:])
        elif last and not last.edits:
            last.lines.append(line)
        elif line:
            raise ValueError(f"line {number}: neither a commit nor a month: {line}")
    return entries


def working_day(month: Month, number: int) -> date:
    """The number-th day of a month that is neither Saturday nor Sunday; each month has twenty."""
    days = (date(month.year, month.number, 1) + timedelta(days=after) for after in range(31))
    return [day for day in days if day.weekday() < 5][number - 1]


# --- what is in the files


def _commits(written: Sequence[_Entry]) -> Iterator[SampleCommit]:
    """The commits of a repository, the first of which holds the files that are older than the history. No two lines of
    a file are alike, unless written so."""
    now: dict[str, list[str]] = {}
    made: dict[str, int] = defaultdict(int)  # how many lines of each file, so far
    done: dict[str, dict[str, tuple[Lines, Lines]]] = {}  # by a commit's number and path: before and after
    places: dict[str, int] = {}

    def new(path: str, count: int) -> list[str]:
        made[path] += count
        form = _LINES.get(path.rpartition(".")[2], "line {}")
        return [form.format(number) for number in range(made[path] - count + 1, made[path] + 1)]

    for path, count in _older(written).items():
        now[path] = new(path, count)
    importer = Author("acme-import[bot]", "import@acme.example", written[0].author.zone)
    files: dict[str, str | None] = {path: _text(lines) for path, lines in now.items()}
    yield SampleCommit(written[0].at - timedelta(minutes=30), importer, f"{FIRST}\n", files)
    for place, one in enumerate(written, 1):
        then: dict[str, list[str]] = dict(now)
        for edit, content in one.edits:
            path = edit["path"]
            if edit["undo"]:
                for each, (before, after) in done[edit["undo"]].items():
                    _put(then, each, _undone(before, after, then.get(each)))
            elif path:
                added, removed = int(edit["added"] or 0), int(edit["removed"] or 0)
                # The oldest lines go first: so a commit seldom rewrites the one before it.
                lines = content or [*then.get(path, [])[removed:], *new(path, added)]
                _put(then, path, None if edit["gone"] else lines)
        changed = {path: (now.get(path), then.get(path)) for path in sorted({*now, *then})}
        changed = {path: both for path, both in changed.items() if both[0] != both[1]}
        named = {f"{{{number}}}": places[number] for number in re.findall(r"\{(#\d+|D\d+)\}", one.message)}
        for number in one.numbers:
            done[number], places[number] = changed, place
        now = then
        files = {path: None if after is None else _text(after) for path, (_, after) in changed.items()}
        tags = tuple(edit["tag"] for edit, _ in one.edits if edit["tag"])
        yield SampleCommit(one.at, one.author, one.message, files, named, tags)


def _older(written: Sequence[_Entry]) -> dict[str, int]:
    """The files that were there before, each with enough lines for all that is removed later."""
    is_older: dict[str, bool] = {}
    removed: dict[str, int] = defaultdict(int)
    for edit in (edit for one in written for edit, _ in one.edits if edit["path"]):
        is_older.setdefault(edit["path"], bool(edit["removed"] or edit["gone"]))
        removed[edit["path"]] += int(edit["removed"] or 0)
    return {path: OLDER + removed[path] for path, older in is_older.items() if older}


def _put(files: dict[str, list[str]], path: str, lines: Lines) -> None:
    if lines is None:
        files.pop(path, None)
    else:
        files[path] = lines


def _undone(before: Lines, after: Lines, now: Lines) -> Lines:
    """A file as it is now without what made of it what was `after` of what was `before`."""
    if now == after:
        return before
    added, removed = set(after or []) - set(before or []), [line for line in before or [] if line not in (after or [])]
    return [*removed, *(line for line in now or [] if line not in added)]


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


# Of the end of a file's name, a line that stands for one of a program, such as a file of this kind may hold.
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


# --- repositories

HERE = Path(__file__).parent
FORGE = ("GitHub", "noreply@github.com")  # who commits what is merged there, by the number behind its title
OWNER = "acme"
FORGE_AT = "https://github.com"  # so that numbers and SHAs are links, as a team would see them; they lead nowhere


def sample(settings: Settings) -> Settings:
    """Make the sample in `demo/sample` of the bot's home unless it is there, and give the settings to index and tell
    it with: its repositories, people, teams and digests, and a database beside it.

    The folder is a set-up of its own, with an almanac.toml, for trying commands in. Raises AlmanacError where git is
    missing or the disk is full.
    """
    folder = settings.home / "demo" / "sample"
    try:
        make(folder, settings.now())
    except OSError as error:
        raise AlmanacError(f"the sample history could not be made in {folder}: {error}") from error
    table = tomllib.loads((HERE / "settings.toml").read_text("utf-8"))
    ours = Settings(**fields_of(table)[0])
    repositories = [replace(one, address=str(folder / one.address)) for one in ours.repositories]
    return replace(
        settings,
        db=folder / "almanac.db",  # whatever ALMANAC_DB says: what is made up is no business of a real bot's
        repositories=repositories,
        people=ours.people,
        teams=ours.teams,
        digests=ours.digests,
        privacy=replace(settings.privacy, admins=[*settings.privacy.admins, *ours.privacy.admins]),
    )


def make(folder: Path, now: datetime) -> None:
    """Make the repositories as they are at `now` in `folder`/acme, unless they are there."""
    history = sample_commits((HERE / "history.txt").read_text("utf-8"), now)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # until it is closed: another demonstration may begin at the same time
        shutil.copyfile(HERE / "settings.toml", folder / "almanac.toml")
        _renew(folder, history)


def _renew(folder: Path, history: Mapping[str, Sequence[SampleCommit]]) -> None:
    is_of = sha256(repr(history).encode()).hexdigest()
    mark = folder / "made-of"
    is_whole = all((folder / OWNER / name / "HEAD").is_file() for name in history)
    if is_whole and mark.is_file() and mark.read_text() == is_of:
        return
    with tempfile.TemporaryDirectory(dir=folder) as made:
        for name, commits in history.items():
            _make(Path(made) / name, commits)
        mark.unlink(missing_ok=True)  # what is stopped from here on is made anew
        shutil.rmtree(folder / OWNER, ignore_errors=True)
        (folder / OWNER).mkdir()
        for name in history:
            (Path(made) / name).rename(folder / OWNER / name)
    mark.write_text(is_of)


def _make(path: Path, commits: Sequence[SampleCommit]) -> None:
    """One repository. Raises AlmanacError with what git says."""
    path.mkdir(parents=True)
    _git(path, "init", "--quiet", "--bare", "--initial-branch=main", "--template=")
    _git(path, "config", "remote.origin.url", f"{FORGE_AT}/{OWNER}/{path.name}.git")
    with tempfile.TemporaryFile() as said:
        running = subprocess.Popen(
            ["git", "fast-import", "--quiet", "--date-format=raw", "--done"],
            cwd=path, env=_surroundings(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said,
        )  # fmt: skip
        assert running.stdin and running.stdout  # noqa: S101 -- both are pipes
        try:
            with running:
                _import(running.stdin, running.stdout, commits)
        except BrokenPipeError:
            pass  # it ended early, and has said why
        if running.returncode:
            said.seek(0)
            raise AlmanacError(f"git could not make the sample: {said.read().decode(errors='replace').strip()}")


def _import(stream: IO[bytes], answers: IO[bytes], commits: Sequence[SampleCommit]) -> None:
    """What fast-import reads. A message that names earlier commits asks git for their SHAs first."""
    for mark, one in enumerate(commits, 1):
        message = one.message
        for written, place in one.named.items():
            stream.write(b"get-mark :%d\n" % (place + 1))
            stream.flush()
            message = message.replace(written, answers.readline().decode().strip())
        seconds, offset = int(one.at.timestamp()), one.at.strftime("%z")
        is_merged = message.partition("\n")[0].endswith(")")
        committer = FORGE if is_merged else (one.author.name, one.author.address)
        when = f"{seconds} +0000" if is_merged else f"{seconds} {offset}"
        stream.write(
            f"commit refs/heads/main\nmark :{mark}\n"
            f"author {one.author.name} <{one.author.address}> {seconds} {offset}\n"
            f"committer {committer[0]} <{committer[1]}> {when}\n".encode()
        )
        stream.write(_data(message))
        for path, text in one.files.items():
            if text is None:
                stream.write(f"D {path}\n".encode())
            else:
                stream.write(f"M 100644 inline {path}\n".encode() + _data(text))
        for tag in one.tags:
            stream.write(f"reset refs/tags/{tag}\nfrom :{mark}\n\n".encode())
    stream.write(b"done\n")
    stream.flush()


def _data(text: str) -> bytes:
    content = text.encode()
    return b"data %d\n%s\n" % (len(content), content)


def _git(path: Path, *arguments: str) -> None:
    try:
        subprocess.run(["git", *arguments], cwd=path, env=_surroundings(), check=True, capture_output=True)
    except FileNotFoundError as error:
        raise AlmanacError("git is not installed, or not in PATH: install it") from error
    except subprocess.CalledProcessError as error:
        raise AlmanacError(f"git could not make the sample: {error.stderr.decode(errors='replace').strip()}") from error


def _surroundings() -> dict[str, str]:
    """The environment, without what may lead git elsewhere or change what it makes."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
