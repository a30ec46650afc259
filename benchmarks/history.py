"""Synthetic histories: the same commits for the same number and seed, made as they are read.

    python -m benchmarks.history FOLDER --commits 100000 --repositories 1

`made_up` gives the commits; `write_repository` hands them to `git fast-import`. Memory is bounded by the files
and people there are, not by the commits.
"""

from __future__ import annotations

import argparse
import bisect
import itertools
import os
import random
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from benchmarks.words import AREAS, ENDINGS, FIRST_NAMES, LAST_NAMES, NOUNS, VERBS, WORDS

BEGIN = 1_420_070_400  # 2015-01-01
YEARS = 10
SECONDS = YEARS * 365 * 86_400
FILES_OF_A_COMMIT = (1, 1, 1, 2, 2, 3, 4, 5, 8, 12, 31)  # with neighbours drawn twice, five in the mean
MOST_FILES = 60_000
ZONES = (-480, -300, 0, 60, 120, 330, 540)
# One commit in so many is, or has, …
MERGE, REVERT, RENAME, NEW_FILE, NO_BODY = 12, 90, 60, 4, 3
LINES = 24  # of a file
_BANK = 4096

GIT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


@dataclass(frozen=True, slots=True)
class Author:
    name: str
    address: str
    offset: int  # minutes east of UTC


@dataclass(frozen=True, slots=True)
class Edit:
    """A file as a commit leaves it. `file` and `version` decide its content."""

    path: str
    file: int
    version: int
    old_path: str | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """One commit. Numbers count from 1; parents come before their children."""

    number: int
    parents: tuple[int, ...]
    author: Author
    seconds: int
    subject: str
    body: str
    edits: tuple[Edit, ...]
    reverts: int | None = None  # the body lacks the line that says so, for it holds a SHA


def authors(commits: int) -> list[Author]:
    """Who writes a history of so many commits, the most active first."""
    people = max(5, int(2 * commits**0.5))
    return [Author(_name(number), f"dev{number}@example.com", ZONES[number % len(ZONES)]) for number in range(people)]


def _name(number: int) -> str:
    """Nobody has another's, so that everybody can be asked for by name."""
    rest, first = divmod(number, len(FIRST_NAMES))
    times, last = divmod(rest, len(LAST_NAMES))
    again = f"-{ENDINGS[times % len(ENDINGS)].title()}{times // len(ENDINGS) or ''}" if times else ""
    return f"{FIRST_NAMES[first]} {LAST_NAMES[last]}{again}"


def made_up(commits: int, seed: int = 1) -> Iterator[Made]:
    """A history of `commits` commits, oldest first, over ten years."""
    return _History(commits, seed).commits()


class _History:
    def __init__(self, commits: int, seed: int) -> None:
        self._wanted = commits
        self._random = random.Random(f"{commits} {seed}")  # noqa: S311 - nothing secret is made here
        self._authors = authors(commits)
        self._weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(self._authors))))
        self._paths: list[str] = []
        self._versions: list[int] = []
        self._subjects: list[tuple[int, str]] = []  # of late, to be reverted
        for _ in range(30):
            self._new_file()

    def commits(self) -> Iterator[Made]:
        number = 0
        tip: tuple[int, ...] = ()
        while number < self._wanted:
            if number and number % MERGE == 0 and number + 3 <= self._wanted:
                side = self._commit(number + 1, tip)
                main = self._commit(number + 2, tip)
                yield side
                yield main
                yield self._merge(number + 3, main, side)
                number += 3
            else:
                number += 1
                yield self._commit(number, tip)
            tip = (number,)

    def _commit(self, number: int, parents: tuple[int, ...]) -> Made:
        chance = self._random.random
        reverts = None
        subject = self._subject(number)
        if self._subjects and chance() < 1 / REVERT:
            reverts, of_it = self._subjects.pop(int(chance() * len(self._subjects)))
            subject = f'Revert "{of_it}"'
        elif not number % 20:
            self._subjects = [*self._subjects[-20:], (number, subject)]
        return Made(
            number, parents, self._author(), self._seconds(number), subject, self._body(), self._edits(), reverts
        )

    def _merge(self, number: int, main: Made, side: Made) -> Made:
        """Holds what its second parent did: in a merge, that is no change of its own."""
        taken = {edit.path for edit in main.edits} | {edit.old_path for edit in main.edits}
        kept = tuple(edit for edit in side.edits if edit.path not in taken and edit.old_path not in taken)
        subject = f"Merge pull request #{number} from {self._random.choice(NOUNS)}"
        return Made(number, (main.number, side.number), self._author(), self._seconds(number), subject, "", kept)

    def _author(self) -> Author:
        return self._authors[bisect.bisect(self._weights, self._random.random() * self._weights[-1])]

    def _seconds(self, number: int) -> int:
        each = SECONDS / self._wanted
        return BEGIN + int((number - self._random.random()) * each)

    def _subject(self, number: int) -> str:
        choice = self._random.choice
        # As on a forge, where no two pull requests of a repository have one number.
        ref = f" (#{number})" if self._random.random() < 0.5 else ""
        return f"{choice(VERBS)} {choice(WORDS)} {choice(NOUNS)} in {choice(AREAS)}{ref}"

    def _body(self) -> str:
        chance = self._random.random()
        if chance < 1 / NO_BODY:
            return ""
        words = self._random.choices(WORDS, k=8 + int(80 * chance * chance))
        lines = [" ".join(words[at : at + 11]) for at in range(0, len(words), 11)]
        if chance > 0.7:
            reviewer = self._author()
            lines += ["", f"Reviewed-by: {reviewer.name} <{reviewer.address}>"]
        return "\n".join(lines)

    def _edits(self) -> tuple[Edit, ...]:
        chance, count = self._random.random, len(self._paths)
        first = int(count * chance() ** 2.5)  # some places are worked on far more than others
        wanted = FILES_OF_A_COMMIT[int(chance() * len(FILES_OF_A_COMMIT))]
        files = {(first + int(wanted * 2 * chance())) % count for _ in range(wanted)}
        if chance() < 1 / NEW_FILE and count < MOST_FILES:
            files.add(self._new_file())
        edits = []
        for file in sorted(files):
            old_path = None
            if chance() < 1 / RENAME / 5:
                old_path, self._paths[file] = self._paths[file], self._path(file)
            self._versions[file] += 1
            edits.append(Edit(self._paths[file], file, self._versions[file], old_path))
        return tuple(edits)

    def _new_file(self) -> int:
        file = len(self._paths)
        self._paths.append(self._path(file))
        self._versions.append(0)
        return file

    def _path(self, file: int) -> str:
        """A name that no file had before: it holds the file's number and a drawn one."""
        choice, area = self._random.choice, AREAS[file // 40 % len(AREAS)]
        part = f"{NOUNS[file // 8 % len(NOUNS)]}_{file // 400}"
        return f"{area}/{part}/{choice(NOUNS)}_{file}{self._random.randrange(10_000)}.{choice(ENDINGS)}"


# --- as a repository


def content(edit: Edit, bank: list[bytes]) -> bytes:
    """A file's lines. A version differs from the one before in two of them, and every eighth adds one."""
    start = edit.file * 37 % (_BANK // 2)
    lines = bank[start : start + LINES + edit.version // 8 % 40]
    for back in range(min(edit.version, LINES)):  # what the latest versions wrote stays
        version = edit.version - back
        lines[version * 7 % LINES] = bank[(start + version * 13) % _BANK]
    return b"".join(lines)


def write_repository(folder: Path, commits: int, seed: int = 1) -> Path:
    """Make a bare repository of a synthetic history. What is there already is taken to be it."""
    if (folder / "whole").exists():
        return folder
    draw = random.Random(seed)  # noqa: S311
    bank = [f"{' '.join(draw.choices(WORDS, k=5))} {number};\n".encode() for number in range(_BANK)]
    subprocess.run(["git", "init", "--quiet", "--bare", "-b", "main", folder], check=True, env=GIT)
    command = ["git", "-C", str(folder), "fast-import", "--quiet", "--date-format=raw", "--depth=20"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=GIT) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("git fast-import has no pipes")
        for commit in made_up(commits, seed):
            _write(process.stdin, process.stdout, commit, bank)
        process.stdin.close()
    if process.returncode:
        raise RuntimeError(f"git fast-import ended with {process.returncode}")
    (folder / "whole").touch()
    return folder


def _write(stdin: IO[bytes], stdout: IO[bytes], commit: Made, bank: list[bytes]) -> None:
    body = commit.body
    if commit.reverts:
        stdin.write(b"get-mark :%d\n" % commit.reverts)
        stdin.flush()
        body = f"This reverts commit {stdout.readline().decode().strip()}.\n{body}"
    message = f"{commit.subject}\n\n{body}".encode()
    sign = "-" if commit.author.offset < 0 else "+"
    hours, minutes = divmod(abs(commit.author.offset), 60)
    when = f"{commit.seconds} {sign}{hours:02}{minutes:02}"
    who = f"{commit.author.name} <{commit.author.address}> {when}"
    # A commit that is merged later is on a branch of its own; the tip of main is always the last one written.
    out = [f"commit refs/heads/main\nmark :{commit.number}\nauthor {who}\ncommitter {who}\n".encode()]
    out.append(b"data %d\n%s\n" % (len(message), message))
    out += [b"%s :%d\n" % (b"merge" if at else b"from", parent) for at, parent in enumerate(commit.parents)]
    for edit in commit.edits:
        if edit.old_path:
            out.append(f"D {edit.old_path}\n".encode())
        data = content(edit, bank)
        out.append(b"M 100644 inline %s\ndata %d\n%s\n" % (edit.path.encode(), len(data), data))
    stdin.write(b"".join(out))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--commits", type=int, default=10_000)
    parser.add_argument("--repositories", type=int, default=1, help="that many, each with its own seed")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for number in range(asked.repositories):
        name = f"made-{asked.commits}-{asked.seed + number}.git"
        print(write_repository(asked.folder / name, asked.commits, asked.seed + number))


if __name__ == "__main__":
    main()
