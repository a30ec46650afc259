"""What a month is told in: lines of the authors' own words, in items and sections. Frozen values; docs/stories.md."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from bot.model import Change, Commit, Kind, State
from bot.story.measured import Measured
from bot.story.quote import Quote

# "attention" is what was taken back, came back, was fixed later or turned tests off; "shared" is others' work that the
# person helped to write; "other" is what is left of a large month.
Section = Literal[
    "work", "fixed", "attention", "reverts", "tests", "docs", "build", "releases", "shared", "other", "merges"
]


@dataclass(frozen=True, slots=True)
class ByHand:
    """What somebody called a change by hand: words of no commit, told as such."""

    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened to a change: on which day (ISO), by whom where that is not its author, in which commit.

    `ref` is the number of the commit's pull request, or the beginning of its SHA.
    """

    did: Literal["landed", "backed out", "partly backed out", "back", "partly back", "fixed", "undone"]
    on: str
    by: str
    ref: str
    commit: Commit


@dataclass(frozen=True, slots=True)
class Then:
    """A small later change of the same person and month that belongs to one that is told: its title and number."""

    title: Quote
    ref: str


@dataclass(frozen=True, slots=True)
class Line:
    """A change as told: its title, what its author filed it under, and at most one sentence of its body.

    `tag` is empty where the item's label says it. `ref` is its number in its repository, or empty. `notes` are facts
    of its diff in fixed words, `steps` what became of it, `reason` why that was.
    """

    change: Change
    title: Quote | ByHand
    tag: str = ""
    ref: str = ""
    quote: Quote | None = None
    measured: tuple[Measured, ...] = ()
    then: tuple[Then, ...] = ()
    notes: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    reason: Quote | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """Lines that stand together. `label` is what they share and stands in their titles or paths; it is empty where a
    change stands alone. `more` are changes that are only counted, `told` those that the steps of the lines name,
    such as the person's own reverts. `merges` are of no change."""

    section: Section
    lines: tuple[Line, ...]
    label: str = ""
    more: tuple[Change, ...] = ()
    told: tuple[Change, ...] = ()
    merges: tuple[Commit, ...] = ()

    @property
    def changes(self) -> tuple[Change, ...]:
        return (*(line.change for line in self.lines), *self.more, *self.told)

    @property
    def evidence(self) -> tuple[str, ...]:
        shas = [sha for change in self.changes for sha in change.shas]
        return tuple(dict.fromkeys((*shas, *(merge.sha for merge in self.merges))))

    @property
    def kind(self) -> Kind:
        return self.changes[0].kind if self.changes else "chore"

    @property
    def state(self) -> State:
        return state_of(self.changes)


def state_of(changes: Iterable[Change]) -> State:
    """The state of all changes, where it is one; what is partly out is not simply landed."""
    every = list(changes)
    states = {one.state for one in every if one.kind != "revert"} or {one.state for one in every} or {"landed"}
    if len(states) == 1:
        return states.pop()
    return "partly" if states & {"backed_out", "partly"} else "landed"


@dataclass(frozen=True, slots=True)
class Story:
    """A month as told: its items in order, the sections one after the other. Together, the evidence of the items holds
    every commit of the month. `attention_first` says that what needs attention is about most of the month."""

    items: tuple[Item, ...]
    attention_first: bool = False

    def of(self, *sections: Section) -> tuple[Item, ...]:
        return tuple(item for item in self.items if item.section in sections)

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(line for item in self.items for line in item.lines)
