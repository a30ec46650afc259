"""What one change says and what became of it: what a sentence that names it is held against. Pure.

Each look at it is worked out when it is first asked for, and kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cached_property
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from bot.model import Change, Commit
from bot.month.trailers import credits_of
from bot.story.checking.negation import Said, asserted_in, denied_in
from bot.story.checking.roles import At, places_in, stated_in
from bot.story.checking.text import CAMEL, SHA, compact, numbers_of, references_of, stem, words_of
from bot.story.checking.words import borne_by, is_negative

LONGEST_BODY, MOST_PATHS = 20_000, 2_000  # signs, and paths of a commit, that are read
_PAGE = re.compile(r"/(?:pull|issues|discussions)/(\d+)")
_ITEM = re.compile(r"\s*(?:[-*+•|>#]|\d+[.)/]|```)")
_END = re.compile(r"(?<=[.!?;:])\s+(?=[\w`\"'“(*])")
_TOKEN, _PART = re.compile(r"[A-Za-z0-9_]+"), re.compile(r"[A-Za-z0-9]+")
_LONGEST_RUN = 6  # parts of words that may be written as one: "non contiguous", "AllGather", "all_gather"

# What the ending of a path says of the work, though no message does.
_BY_ENDING: Mapping[str, str] = {
    "py": "Python", "pyi": "Python", "rs": "Rust", "cu": "CUDA C++", "cuh": "CUDA C++", "cpp": "C++", "cc": "C++",
    "h": "C++", "hpp": "C++", "go": "Go", "java": "Java", "ts": "TypeScript", "js": "JavaScript", "c": "C",
    "yml": "CI workflow", "yaml": "CI workflow", "md": "docs documentation", "rst": "docs documentation", "rb": "Ruby",
    "sh": "shell script", "sql": "SQL", "kt": "Kotlin", "swift": "Swift", "toml": "TOML",
}  # fmt: skip


class Moved(NamedTuple):
    """What took a change out or brought it back: by whom, on which days as clocks may show it, under which numbers."""

    does: Literal["reverts", "relands"]
    people: frozenset[str]
    days: frozenset[date]
    text: str


class Ground:
    """A change, its diffs as far as they were sent, and the person whose month it is of."""

    def __init__(self, change: Change, person: str, zone: str, hunks: str = "", silent: bool = False) -> None:
        self.change, self.person = change, person
        self._zone = ZoneInfo(zone)
        self.hunks = hunks
        self._silent = silent  # of a body that was not sent, none is a ground
        every = (turn for turn in (change.out, change.back, *change.later) if turn)
        self._turns = tuple({turn.commit.sha: turn for turn in every}.values())

    @cached_property
    def moved(self) -> tuple[Moved, ...]:
        return tuple(
            Moved(
                turn.does,
                frozenset({turn.by or turn.commit.author.name, turn.commit.author.name}),
                self._days(turn.commit),
                f"{turn.commit.subject}\n{turn.commit.body[:LONGEST_BODY]}",
            )
            for turn in self._turns
        )

    @property
    def stands(self) -> bool:
        """Whether it was in when it was last looked at."""
        if self._turns:
            return self._turns[-1].does == "relands"
        return self.change.state not in ("backed_out", "partly")

    @cached_property
    def message(self) -> str:
        bodies = dict.fromkeys(
            commit.subject if self._silent else f"{commit.subject}\n\n{commit.body[:LONGEST_BODY]}"
            for commit in self.change.commits
        )
        return "\n\n".join((*([self.change.title] if self.change.title else []), *bodies))

    @cached_property
    def told(self) -> str:
        """Everything that words may come from: messages, also of what turned it, and what was sent of diffs."""
        return "\n".join((self.message, *(one.text for one in self.moved), self.hunks))

    @cached_property
    def text(self) -> str:
        """The same, with what stands beside it: paths, names, repositories."""
        files = [file for commit in self.change.commits for file in commit.files[:MOST_PATHS]]
        paths = dict.fromkeys(path for file in files for path in (file.path, file.old_path) if path)
        endings = {path.rpartition(".")[2].lower() for path in paths}
        languages = (_BY_ENDING[ending] for ending in sorted(endings & _BY_ENDING.keys()))
        beside = (commit.repository for commit in self.change.commits)
        is_work_on_ci = any(path.startswith((".github/", ".circleci/", ".gitlab")) for path in paths)
        ci = ["CI GitHub Actions"] if is_work_on_ci else []
        ci += ["Windows"] if any("win" in re.split(r"[/_.-]", path.lower()) for path in paths) else []
        return "\n".join((self.told, *beside, *self.people, *paths, *languages, *ci))

    @cached_property
    def people(self) -> frozenset[str]:
        names = {self.person, self.change.shared_by}
        for commit in self.change.commits:
            names |= {commit.author.name, commit.committer.name}
            names.update(credited.name for credited in credits_of(commit.body[:LONGEST_BODY]))
        for one in self.moved:
            names |= one.people
        return frozenset(names - {""})

    @cached_property
    def references(self) -> frozenset[str]:
        texts = (self.message, *(one.text for one in self.moved))
        found = {f"#{number}" for text in texts for number in _PAGE.findall(text)}
        found |= {ref for text in texts for ref in references_of(text)}
        every = found | set(self.change.refs)
        return frozenset(every | {f"#{ref.partition('#')[2]}" for ref in every})

    @cached_property
    def days(self) -> frozenset[date]:
        own = (day for commit in self.change.commits for day in self._days(commit))
        return frozenset([*own, *(day for one in self.moved for day in one.days)])

    def _days(self, commit: Commit) -> frozenset[date]:
        """The day of a commit on the clocks that may have shown it."""
        times = [
            at for one in (commit.author, commit.committer) for at in (one.at, one.at.astimezone(self._zone), one.local)
        ]
        return frozenset(at.date() for at in times)

    @cached_property
    def lower(self) -> str:
        return self.text.lower()

    @cached_property
    def runs(self) -> frozenset[str]:
        """Every run of up to six parts of words of a line, written as one."""
        found: set[str] = set()
        for line in self.text.splitlines():
            found.update(map(compact, _TOKEN.findall(line[:2_000])))
            parts = [part.lower() for part in _PART.findall(CAMEL.sub(" ", line[:2_000]))]
            for at in range(len(parts)):
                joined = ""
                for part in parts[at : at + _LONGEST_RUN]:
                    joined += part
                    found.add(joined)
        return frozenset(found)

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(words_of(self.text))

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(map(stem, self.words))

    @cached_property
    def bears(self) -> frozenset[str]:
        """The families of claims that it bears out."""
        told = frozenset(re.findall(r"[a-z]+(?:['’-][a-z]+)*", self.told.lower())) | frozenset(words_of(self.told))
        families = frozenset().union(*map(borne_by, told))
        if self.change.kind == "fix":
            families |= {"a fix"}
        if self.change.kind == "performance":
            families |= {"speed"}
        return families

    @cached_property
    def values(self) -> Mapping[str, frozenset[str]]:
        """The units that each number stands with, "" among them where it stands with none."""
        found: dict[str, set[str]] = {}
        for one in numbers_of(f"{self.told}\n{' '.join(self.change.refs)}"):
            found.setdefault(one.value, set()).add(one.unit)
        return {value: frozenset(units) for value, units in found.items()}

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The sentences of the messages."""
        texts = (self.message, *(one.text for one in self.moved))
        return tuple(sentence for text in texts for sentence in sentences_of(text))

    @cached_property
    def denied(self) -> tuple[Said, ...]:
        return tuple(said for line in self.lines for said in denied_in(line))

    @cached_property
    def asserted(self) -> tuple[Said, ...]:
        return tuple(said for line in self.lines for said in asserted_in(line))

    @cached_property
    def is_negative(self) -> bool:
        """Whether it denies anything, in a "not" or the like of it."""
        return any(map(is_negative, words_of(self.told)))

    @cached_property
    def places(self) -> Mapping[str, list[At]]:
        """Where each number stands."""
        return places_in(self.told, len(self.hunks.splitlines()))

    @cached_property
    def stated(self) -> frozenset[tuple[str, str]]:
        """The numbers that it tells one before the other."""
        return stated_in(self.told)

    @cached_property
    def shas(self) -> tuple[str, ...]:
        """Those of its commits, of what turned it, and those that a message names."""
        own = (commit.sha for commit in (*self.change.commits, *(turn.commit for turn in self._turns)))
        return (*own, *SHA.findall(self.told))

    def is_day(self, day: int, month: int, year: int | None) -> bool:
        return any((one.day, one.month) == (day, month) and year in (None, one.year) for one in self.days)


def sentences_of(text: str) -> Iterator[str]:
    """The sentences of a message, whose lines may be wrapped anywhere."""
    gathered: list[str] = []
    for number, line in enumerate([*text.splitlines(), ""]):
        begins = not line.strip() or bool(_ITEM.match(line)) or number <= 1
        if begins and gathered:
            yield from (one for one in _END.split(" ".join(gathered)) if one.strip())
            gathered = []
        if line.strip():
            gathered.append(line.strip()[:2_000])
