"""What can be said of a whole history beside its changes: with what it was made, and what was done for others. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bot.model import Change, Helped, Role
from bot.month.whole import WholeFacts
from bot.story.profile.areas import Area
from bot.story.profile.remark import FEW, Remark, Slot, only, or_nothing, shas, stepwise
from bot.story.wording import clean, count, listed

MANY = 8  # changes of a history that is told by what recurs in it
_PRACTICES = {"testing": "tests", "documentation": "documentation", "CI": "CI", "benchmarking": "benchmarks"}
_AS: dict[Role, str] = {"tester": "tester", "reporter": "reporter", "suggester": "suggester", "helper": "helper"}


def languages(whole: WholeFacts) -> Slot | None:
    used = whole.skills.languages
    if not used:
        return None
    by = "By lines changed" if used[0].lines else "By files changed"

    def said(named: int) -> Remark:
        shown = used[:named]
        names, more = [one.name for one in shown], len(used) - len(shown)
        if more:
            names.append(f"{more} other{'s' if more > 1 else ''}")
        be = "languages are" if len(names) > 1 else "language is"
        evidence = tuple(dict.fromkeys(sha for one in shown for sha in one.evidence))
        return Remark(f"{by}, the {be} {listed(names)}.", evidence, tuple(names))

    return stepwise(said, range(min(4, len(used)), 0, -1), 0.7, dear=1)


def technologies(whole: WholeFacts, found: Sequence[Area]) -> Slot | None:
    said_already = {_plain(one) for one in (*(a.name for a in found), *(s.name for s in whole.skills.languages))}
    shown_by = [one for one in whole.skills.technologies if _plain(one.name) not in said_already]
    if len(whole.own) > MANY:  # then what a single change shows is none of its technologies
        shown_by = [one for one in shown_by if _changes_of(one.evidence, whole.changes) > 1] or shown_by[:1]
    if not shown_by:
        return None

    def said(named: int) -> Remark:
        shown = shown_by[:named]
        names = [one.name for one in shown]
        be = "technologies" if len(names) > 1 else "technology"
        are = "are" if len(names) > 1 else "is"
        evidence = tuple(dict.fromkeys(sha for one in shown for sha in one.evidence))
        return Remark(f"The {be} shown most often {are} {listed(names)}.", evidence, tuple(names))

    most = min(5, len(shown_by))
    return stepwise(said, range(most, min(2, most) - 1, -1), 0.7)


def _changes_of(evidence: Iterable[str], changes: Iterable[Change]) -> int:
    """How many of the changes have one of the commits."""
    commits = set(evidence)
    return sum(not commits.isdisjoint(change.shas) for change in changes)


def _plain(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def practices(whole: WholeFacts) -> Slot | None:
    number: dict[str, int] = {}
    evidence: dict[str, tuple[str, ...]] = {}
    for one in whole.skills.practices:
        if one.name in _PRACTICES:
            name, own = _PRACTICES[one.name], set(shas(whole.own))
            evidence[name] = tuple(sha for sha in one.evidence if sha in own)
            number[name] = _changes_of(evidence[name], whole.own)
    number = {name: changes for name, changes in number.items() if changes}
    if not number or len(whole.own) <= FEW:
        return None
    ranked = sorted(number, key=lambda name: (-number[name], name))

    def said(named: int) -> Remark:
        return _of_practices(ranked[:named], number, evidence)

    return or_nothing(stepwise(said, range(len(ranked), 0, -1), 0.6), 3)


def _of_practices(names: Sequence[str], number: Mapping[str, int], evidence: Mapping[str, tuple[str, ...]]) -> Remark:
    first = f"{names[0][0].upper()}{names[0][1:]} {'are' if names[0].endswith('s') else 'is'} part of"
    parts = [f"{first} {count(number[names[0]], 'change')}", *(f"{name} of {number[name]:,}" for name in names[1:])]
    every = tuple(dict.fromkeys(sha for name in names for sha in evidence[name]))
    return Remark(f"{listed(parts)}.", every, tuple(parts))


def reviews(helped: Sequence[Helped]) -> Slot | None:
    reviewed = [one for one in helped if one.role == "reviewer"]
    others = [one for one in helped if one.role in _AS]
    if not reviewed and not others:
        return None
    parts = list(_reviewed(reviewed))
    if others:
        commits = {sha for one in others for sha in one.evidence}
        roles = listed([_AS[role] for role in _AS if any(one.role == role for one in others)], "or")
        parts.append(f"are named as {roles} in {count(len(commits), 'commit')} by others")
    evidence = tuple(dict.fromkeys(sha for one in (*reviewed, *others) for sha in one.evidence))
    return only(Remark(f"They also {listed(parts)}.", evidence, tuple(parts)))


def _reviewed(reviewed: Sequence[Helped]) -> Iterator[str]:
    if len(reviewed) > FEW:
        commits = {sha for one in reviewed for sha in one.evidence}
        yield f"reviewed {count(len(commits), 'commit')} by others in {len(reviewed)} repositories"
    elif reviewed:
        where = [
            f"{count(one.commits, 'commit')} by {count(one.people, 'other')} in {clean(one.repository)}"
            for one in reviewed
        ]
        yield f"reviewed {listed(where)}"


def shared(whole: WholeFacts) -> Slot | None:
    theirs = [change for change in whole.changes if change.is_shared]
    if not theirs:
        return None
    number = count(len(theirs), "change")
    also = "They shared in" if whole.own else "They have a share in"
    return only(Remark(f"{also} {number} by others.", shas(theirs), (number,)))
