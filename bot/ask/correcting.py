"""What people say of changes by hand: which change they mean, whose it is, what counts for it now, and what is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.ask.explain import change_of, commits_meant
from bot.errors import CommitUnknown
from bot.model import Change, Commit, CorrectedField, Said
from bot.month.calendar import Month
from bot.month.corrections import checked, known_by
from bot.month.credits import is_machine

if TYPE_CHECKING:
    from bot.ask.readable_index import ReadableIndex


@dataclass(frozen=True, slots=True)
class Correctable:
    """A change that something can be said of. `change` is as it is shown now, `before` as it is by the rules."""

    change: Change
    before: Change
    standing: tuple[Said, ...]  # what counts for it now, at most one a field
    addresses: frozenset[str]  # under which people wrote it: whoever corrects it speaks for all of them
    month: Month  # of the commit that was named
    shas: tuple[str, ...]  # it is known by these; what is said is kept under the first

    @property
    def is_hidden(self) -> bool:
        return any(one.action == "hidden" for one in self.standing)


class Corrector:
    """Reads and writes what is said by hand. Who may say it is for the caller to know."""

    def __init__(self, index: ReadableIndex) -> None:
        self._index = index
        self._store, self._zone, self._now = index.store, index.zone, index.settings.now

    def of(self, text: str) -> Correctable:
        """The change that the month of its author tells a commit in, which `text` means: a SHA, the beginning of one,
        or #12. Raises CommitUnknown where it means none, several, or a merge."""
        commits = commits_meant(text, self._index)
        commit = commits[0]
        if commit.is_merge:
            raise CommitUnknown(f"{commit.sha[:9]} is a merge: name one of the commits that it merged")
        month = Month.of(commit.dated(self._store.dates).at, self._zone)
        beside = [*commits, *self._index.beside(commit)]
        histories = self._index.histories(beside)
        until = month.bounds(self._zone)[1]
        before = change_of(commit, beside, histories, self._index, until)
        said = self._index.corrections()
        shas = known_by(before, histories)
        (corrected,) = said.described([before], histories)
        history = histories[before.lead.repository, before.lead.sha]
        begun = history.originals if shas[0] == history.id else (before.lead,)
        addresses = self._addresses([*history.originals, *begun, *before.commits])
        return Correctable(corrected, before, said.standing(shas), addresses, month, shas)

    def correct(self, one: Correctable, field: CorrectedField, value: str, by: str) -> Said:
        """Keep what somebody says of a change, once. Raises AlmanacError where the value is none for the field."""
        about, value = " ".join(one.shas), checked(field, value)
        same = next((each for each in one.standing if (each.action, each.value) == (field, value)), None)
        return same or self._store.said.say("change", field, [about], value, by, self._now())[0]

    def undo(self, one: Correctable, by: str, field: CorrectedField | None = None) -> Said | None:
        """Undo what was said last of a change, or of a field of it; what was said before counts again."""
        said = self._index.corrections().of(one.shas)
        last = next((each for each in reversed(said) if field in (None, each.action)), None)
        return self._store.said.undo("change", last.number, by, self._now()) if last else None

    def log(self) -> list[tuple[Said, Commit | None]]:
        """All that was ever said, oldest first, undone or not, each with the commit that it was said of: None where
        there is none, as after a rebase."""
        each = ((one, (self._index.by_sha(sha) for sha in one.about.split())) for one in self._store.said.log("change"))
        return [(one, next((commit for some in found for commit in some), None)) for one, found in each]

    def _addresses(self, commits: Sequence[Commit]) -> frozenset[str]:
        """The addresses of those who wrote the commits; of machines only where nobody else did."""
        signed = {one.author.who for one in commits}
        people = {who for who in signed if not is_machine(*who, self._index.settings.bots)}
        return frozenset(address for _, address in people or signed)
