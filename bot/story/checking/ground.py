"""What one change says and what became of it: what a sentence that names it is held against. Pure.

Each view of it is worked out when it is first asked for, and kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cached_property
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from bot.model import Change, Commit
from bot.month.languages import language_of
from bot.month.trailers import credits_of
from bot.story.checking.effects import NumberOrder, borne_by
from bot.story.checking.negation import Statement, statements_in
from bot.story.checking.text import CAMEL, REFERENCE, SHA, compact, numbers_of, stem, words_of
from bot.story.states import events_of

LONGEST_BODY, LONGEST_LINE, MOST_PATHS = 20_000, 2_000, 2_000  # characters, and paths of a commit, that are read
_PAGE = re.compile(r"/(?:pull|issues|discussions)/(\d+)")
_LIST_ITEM = re.compile(r"\s*(?:[-*+•|>#]|\d+[.)/]|```)")
_SENTENCE_END = re.compile(r"(?<=[.!?;:])\s+(?=[\w`\"'“(*])")
_TOKEN, _PART = re.compile(r"[A-Za-z0-9_]+"), re.compile(r"[A-Za-z0-9]+")
_LONGEST_RUN = 6  # parts of words that may be written as one: "non contiguous", "AllGather", "all_gather"


class Revert(NamedTuple):
    """What reverted a change or brought it back: by whom, on which days as clocks may show it, with which message."""

    does: Literal["reverts", "relands"]
    people: frozenset[str]
    days: frozenset[date]
    text: str


def is_in(change: Change) -> bool:
    """Whether the change was in when it was last looked at."""
    events = events_of(change)
    return events[-1].does == "relands" if events else change.state not in ("backed_out", "partly")


class Ground:
    """A change, its diffs as far as they were sent, and the person whose month it is of."""

    def __init__(self, change: Change, person: str, zone: str, hunks: str = "", without_bodies: bool = False) -> None:
        self.change, self.person = change, person
        self._zone = ZoneInfo(zone)
        self.hunks = hunks
        self._without_bodies = without_bodies  # they were not sent, so they bear out nothing
        self.is_in = is_in(change)

    @cached_property
    def reverts(self) -> tuple[Revert, ...]:
        return tuple(
            Revert(
                event.does,
                frozenset({event.by or event.commit.author.name, event.commit.author.name}),
                self._days(event.commit),
                f"{event.commit.subject}\n{event.commit.body[:LONGEST_BODY]}",
            )
            for event in events_of(self.change)
        )

    @cached_property
    def message(self) -> str:
        texts = dict.fromkeys(
            commit.subject if self._without_bodies else f"{commit.subject}\n\n{commit.body[:LONGEST_BODY]}"
            for commit in self.change.commits
        )
        return "\n\n".join((*([self.change.title] if self.change.title else []), *texts))

    @cached_property
    def messages(self) -> tuple[str, ...]:
        return (self.message, *(revert.text for revert in self.reverts))

    @cached_property
    def words(self) -> str:
        """Everything that words may come from: messages, also of reverts, and what was sent of diffs."""
        return "\n".join((*self.messages, self.hunks))

    @cached_property
    def text(self) -> str:
        """The same, with paths, names, repositories and what paths tell of the work."""
        files = [file for commit in self.change.commits for file in commit.files[:MOST_PATHS]]
        paths = dict.fromkeys(path for file in files for path in (file.path, file.old_path) if path)
        implied = sorted({language for path in paths if (language := language_of(path))})
        if any(path.endswith((".md", ".rst")) for path in paths):
            implied.append("docs documentation")
        if any(path.startswith((".github/", ".circleci/", ".gitlab")) for path in paths):
            implied.append("CI GitHub Actions")
        if any("win" in re.split(r"[/_.-]", path.lower()) for path in paths):
            implied.append("Windows")
        repositories = (commit.repository for commit in self.change.commits)
        return "\n".join((self.words, *repositories, *self.people, *paths, *implied))

    @cached_property
    def lower(self) -> str:
        return self.text.lower()

    @cached_property
    def people(self) -> frozenset[str]:
        names = {self.person, self.change.shared_by}
        for commit in self.change.commits:
            names |= {commit.author.name, commit.committer.name}
            names.update(credited.name for credited in credits_of(commit.body[:LONGEST_BODY]))
        return frozenset(names.union(*(revert.people for revert in self.reverts)) - {""})

    @cached_property
    def references(self) -> frozenset[str]:
        texts = "\n".join(self.messages)
        every = {*REFERENCE.findall(texts), *(f"#{number}" for number in _PAGE.findall(texts)), *self.change.refs}
        return frozenset(every | {f"#{reference.partition('#')[2]}" for reference in every})

    @cached_property
    def days(self) -> frozenset[date]:
        own = (self._days(commit) for commit in self.change.commits)
        return frozenset().union(*own, *(revert.days for revert in self.reverts))

    def _days(self, commit: Commit) -> frozenset[date]:
        """The day of a commit on the clocks that may have shown it."""
        signatures = (commit.author, commit.committer)
        return frozenset(at.date() for one in signatures for at in (one.at, one.at.astimezone(self._zone), one.local))

    @cached_property
    def runs(self) -> frozenset[str]:
        """Every run of up to six parts of words of a line, written as one."""
        found: set[str] = set()
        for line in self.text.splitlines():
            found.update(map(compact, _TOKEN.findall(line[:LONGEST_LINE])))
            parts = [part.lower() for part in _PART.findall(CAMEL.sub(" ", line[:LONGEST_LINE]))]
            for at in range(len(parts)):
                joined = ""
                for part in parts[at : at + _LONGEST_RUN]:
                    joined += part
                    found.add(joined)
        return frozenset(found.union(words_of(self.text)))

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(map(stem, words_of(self.text)))

    @cached_property
    def bears_out(self) -> frozenset[str]:
        """The families of claims that it bears out."""
        words = {*re.findall(r"[a-z]+(?:['’-][a-z]+)*", self.words.lower()), *words_of(self.words)}
        by_kind = {"fix": {"a fix"}, "performance": {"speed"}}.get(self.change.kind, set())
        return frozenset(by_kind).union(*map(borne_by, words))

    @cached_property
    def values(self) -> Mapping[str, frozenset[str]]:
        """The units that each number stands with, "" among them where it stands with none."""
        found: dict[str, set[str]] = {}
        for number in numbers_of(f"{self.words}\n{' '.join(self.change.refs)}"):
            found.setdefault(number.value, set()).add(number.unit)
        return {value: frozenset(units) for value, units in found.items()}

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """What the sentences of its messages assert and deny."""
        return tuple(
            statement
            for message in self.messages
            for sentence in _sentences_of(message)
            for statement in statements_in(sentence)
        )

    @cached_property
    def order(self) -> NumberOrder:
        return NumberOrder(self.words, len(self.hunks.splitlines()))

    @cached_property
    def shas(self) -> tuple[str, ...]:
        """Those of its commits, of its reverts, and those that a message names."""
        turned = (event.commit.sha for event in events_of(self.change))
        return (*self.change.shas, *turned, *SHA.findall(self.words))


def _sentences_of(text: str) -> Iterator[str]:
    """The sentences of a message, whose lines may be wrapped anywhere."""
    paragraph: list[str] = []
    for number, line in enumerate([*text.splitlines(), ""]):
        begins = not line.strip() or bool(_LIST_ITEM.match(line)) or number <= 1
        if begins and paragraph:
            yield from (one for one in _SENTENCE_END.split(" ".join(paragraph)) if one.strip())
            paragraph = []
        if line.strip():
            paragraph.append(line.strip()[:LONGEST_LINE])
