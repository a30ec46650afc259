"""Changes and what people said of them by hand → the changes as they are shown. Pure.

What was said of a change is kept by its id, which is the SHA of the commit it began with. A change may grow: an earlier
export of it is indexed, or the work that a re-land brings back; then its id is another commit's. So what was said under
any SHA of the same work counts for it, but never what was said of a revert of it, which is a piece of work of its own.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from bot.errors import AlmanacError
from bot.model import Change, Commit, CorrectedField, Key, Kind, Said
from bot.month.histories import History
from bot.month.kinds import CHORES

LONGEST_TITLE = 150
YES = "yes"  # the one value of "hidden"
FIELDS: tuple[CorrectedField, ...] = get_args(CorrectedField)
KINDS: tuple[Kind, ...] = get_args(Kind)
_JOINERS = "\u200c\u200d"  # some scripts and emoji need them
_UNFIT = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # what steers a terminal, turns the direction, or shows nothing

Histories = Mapping[Key, History]


def checked(field: str, value: str) -> str:
    """What somebody says of a field, as it is kept. Raises AlmanacError in a line that says what it may be."""
    said, faults = value.strip(), dict[str, bool]()
    if field == "kind":
        said = said.casefold()
        faults = {f"{_quoted(said)} is no kind of change: there are {', '.join(KINDS)}": said not in KINDS}
    elif field == "title":
        is_unfit = any(unicodedata.category(sign) in _UNFIT and sign not in _JOINERS for sign in said)
        said = " ".join(said.split())
        much = f"a title has at most {LONGEST_TITLE} characters, and this has {len(said):,}: shorten it"
        faults = {
            "a title is one line of plain text: leave out line breaks and unseen characters": is_unfit,
            "a title needs words: write what the change is to be called": not said.strip(f"{_JOINERS}\ufffe\uffff "),
            much: len(said) > LONGEST_TITLE,
        }
    elif field == "hidden":
        faults = {f"a change is hidden or not: say {YES}, or undo it": said != YES}
    else:
        faults = {f"{_quoted(field)} cannot be corrected: there are {', '.join(FIELDS)}": True}
    if fault := next((text for text, is_so in faults.items() if is_so), ""):
        raise AlmanacError(fault)
    return said


def _quoted(text: str) -> str:
    return ascii(text if len(text) <= 40 else f"{text[:39]}…") if not text.isprintable() else f"“{text[:40]}”"


@dataclass(frozen=True, slots=True)
class Corrected:
    """The changes as they are shown, and those that are left out; `gone` are the commits of which nothing is shown."""

    changes: tuple[Change, ...]
    hidden: tuple[str, ...] = ()  # ids
    gone: frozenset[Key] = frozenset()


class Corrections:
    """What was said by hand and was not undone, whatever it was said of."""

    def __init__(self, said: Iterable[Said] = ()) -> None:
        self._by_sha: dict[str, list[Said]] = {}
        for one in said:
            if one.undone_at is None and _is_sound(one):
                for sha in dict.fromkeys(one.about.split()):
                    self._by_sha.setdefault(sha, []).append(one)

    def __bool__(self) -> bool:
        return bool(self._by_sha)

    def of(self, shas: Iterable[str]) -> tuple[Said, ...]:
        """All that was said of a change that is known by the SHAs, oldest first."""
        found = {one.number: one for sha in shas for one in self._by_sha.get(sha, ())}
        return tuple(found[number] for number in sorted(found))

    def standing(self, shas: Iterable[str]) -> tuple[Said, ...]:
        """What counts for a change that is known by the SHAs: the newest of each field, in order of FIELDS."""
        newest = {one.action: one for one in self.of(shas)}
        return tuple(newest[field] for field in FIELDS if field in newest)

    def corrected(self, changes: Sequence[Change], histories: Histories) -> Corrected:
        """The changes, in the same order, of which `histories` are those that they were made of."""
        if not self:
            return Corrected(tuple(changes))
        shown, hidden = list[Change](), list[Change]()
        for one in self.described(changes, histories):
            (hidden if _hides(one.corrections) else shown).append(one)
        gone = frozenset(commit.key for one in hidden for commit in one.commits)
        return Corrected(tuple(shown), tuple(one.id for one in hidden), gone)

    def described(self, changes: Iterable[Change], histories: Histories) -> list[Change]:
        """All of the changes with what counts for them, whether it is that they are hidden."""
        return [_as_said(change, self.standing(known_by(change, histories))) for change in changes]

    def hides(self, commit: Commit, histories: Histories) -> bool:
        """Whether nothing is to be shown of a commit, as far as its history is known."""
        return bool(self) and _hides(self.standing(_same_work(commit, histories)))


NOTHING_SAID = Corrections()


def known_by(change: Change, histories: Histories) -> tuple[str, ...]:
    """The SHAs under which a change is known, first the one that what is said of it is kept under."""
    same = _same_work(change.lead, histories)
    return tuple(dict.fromkeys((change.id, *same))) if change.id in same else same


def _same_work(commit: Commit, histories: Histories) -> tuple[str, ...]:
    """The SHAs of the work that a commit is: its exports and re-lands. What reverts it is other work."""
    history = histories.get(commit.key)
    if history is None:
        return (commit.sha,)
    backs = {event.commit.sha for event in history.revert_events if event.does == "relands"}
    again = (one for one in history.commits if one.sha in backs)
    work = tuple(dict.fromkeys(one.sha for one in (*history.originals, *again)))
    return work if commit.sha in work else (commit.sha,)


def _hides(said: Iterable[Said]) -> bool:
    return any(one.action == "hidden" for one in said)


def _as_said(change: Change, said: tuple[Said, ...]) -> Change:
    values = {one.action: one for one in said}
    if kind := values.get("kind"):
        of = next(one for one in KINDS if one == kind.value)
        rule = f"said by hand by {kind.by}"
        change = replace(change, kind=of, rule=rule, is_sure=True, chore=CHORES.get(of, ""))
    title = values["title"].value if "title" in values else change.title
    return replace(change, title=title, corrections=said) if said else change


def _is_sound(one: Said) -> bool:
    """Whether a value is one that we would keep; a newer version may have kept others."""
    try:
        return checked(one.action, one.value) == one.value
    except AlmanacError:
        return False
