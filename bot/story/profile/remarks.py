"""What can be said of a whole history, remark by remark, each in several lengths with its commits. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model import Change, Kind
from bot.month.calendar import NAMES, MonthRange
from bot.month.facts import by_kind
from bot.month.languages import is_by_hand
from bot.month.titles import numbers_of
from bot.month.whole import Contributed, WholeFacts
from bot.story.bodies.prose import is_whole
from bot.story.profile.areas import Area
from bot.story.profile.remark import FEW, Remark, Slot, only, or_nothing, shas, stepwise
from bot.story.profile.remarks_beside import languages, practices, reviews, shared, technologies
from bot.story.wording import KINDS, clean, count, listed, told

LONGEST_TITLE = 70  # of a change that is quoted
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_LARGEST = {3: 0.0, 2: 1.0, 1: 2.0, 4: 1.0, 5: 2.0}  # how many are named, and what is lost by it
_KINDS: tuple[Kind, ...] = ("feature", "performance", "fix", "refactor")


def remarks(whole: WholeFacts, found: Sequence[Area]) -> list[Slot]:
    """What there is to say, in the order of telling; only what is known."""
    every = [
        _span(whole),
        _standing(whole),
        _areas(whole, found),
        _by_name(whole),
        _kinds(whole),
        languages(whole),
        technologies(whole, found),
        practices(whole),
        reviews(whole.helped),
        shared(whole),
    ]
    return [slot for slot in every if slot is not None]


# --- how much, where, and what stands


def _span(whole: WholeFacts) -> Slot:
    name = clean(whole.person.name)
    every = tuple(dict.fromkeys(commit.sha for commit in whole.commits))
    span = whole.span
    if span is None:
        helped = tuple(dict.fromkeys(sha for one in whole.helped for sha in one.evidence))
        return only(Remark(f"{name} has no commits here.", helped, (name,)))
    active = _NUMBERS[len(whole.months)] if len(whole.months) < len(_NUMBERS) else f"{len(whole.months):,}"
    when = f"In {span.title}" if span.is_one else f"Over {active} active months, from {span.title}"
    where = whole.repositories
    made = f"made {count(len(whole.own), 'change')}" if whole.own else "made no changes of their own"
    if not whole.changes:
        made = f"merged {count(len(every), 'branch', 'branches')}"

    def said(named: int) -> Remark:
        place = _places(where, named)
        return Remark(f"{when}, {name} {made} in {place}.", every, (when, active, name, made, place))

    return stepwise(said, range(min(4, len(where)), 0, -1), 2)


def _places(where: Sequence[Contributed], named: int) -> str:
    if len(where) == 1:
        return clean(where[0].repository.name)
    shown = [f"{clean(one.repository.name)} ({one.changes:,})" for one in where[:named]]
    more = len(where) - len(shown)
    return listed([*shown, *([f"{more} other{'s' if more > 1 else ''}"] if more else [])])


def _standing(whole: WholeFacts) -> Slot | None:
    """What was taken out is never counted as delivered."""
    made = [change for change in whole.own if change.kind != "revert"]
    undoing = [change for change in whole.own if change.kind == "revert"]
    out = [change for change in made if change.state == "backed_out"]
    back = [change for change in made if change.state == "relanded"]
    partly = [change for change in made if change.state == "partly"]
    stand = len(made) - len(out)
    if not whole.own:
        return None
    if not (out or back or partly or undoing):
        text = {1: "It was not backed out.", 2: "Neither was backed out."}.get(stand, "None of them was backed out.")
        return or_nothing(only(Remark(text, shas(made), ())), 4)
    among = []
    if back:
        among.append(f"{_of_them(len(back), stand)}landed again after a back-out")
    if partly:
        among.append(f"{_of_them(len(partly), stand)}backed out in part")
    said = [f"{stand:,} {'stands' if stand == 1 else 'stand'}" if stand else "none stands"]
    if out:
        said.append(f"{len(out):,} {'was' if len(out) == 1 else 'were'} backed out")
    if undoing:
        said.append(f"{len(undoing):,} only took out other changes")
    if len(said) == 1:
        text = f"{'All of these stand' if stand > 1 else 'It stands'}, {listed(among)}."
    elif len(whole.own) == 1:
        text = "It was backed out." if out else "It only took out another change."
    else:
        said[0] += f" ({listed(among)})" if among else ""
        text = f"Of these, {listed(said)}."
    numbers = tuple(f"{number:,}" for number in (stand, len(out), len(back), len(partly), len(undoing)))
    return only(Remark(text, shas((*out, *back, *partly, *undoing)), numbers))


def _of_them(number: int, whole: int) -> str:
    return f"{number:,} of them " if whole > 1 else ""


def _kinds(whole: WholeFacts) -> Slot | None:
    made = [change for change in whole.own if change.kind in _KINDS]  # tests and the like are told as practices
    kinds = by_kind(made)
    ranked: list[Kind] = sorted(kinds, key=lambda kind: (-kinds[kind], told(kind)))
    if len(whole.own) <= FEW or len(ranked) < 2:
        return None

    def said(named: int) -> Remark:
        told_kinds = [count(kinds[kind], *KINDS[kind][1:]) for kind in ranked[:named]]
        evidence = shas(change for change in made if change.is_sure and change.kind in ranked[:named])
        return Remark(f"Among the changes are {listed(told_kinds)}.", evidence, tuple(told_kinds))

    return or_nothing(stepwise(said, range(len(ranked), 1, -1), 0.5), 1)


# --- what about


def _areas(whole: WholeFacts, found: Sequence[Area]) -> Slot | None:
    if not found or len(whole.own) <= FEW:
        return None

    def said(named: int) -> Remark:
        shown = found[:named]
        parts = [
            f"{clean(area.name)} ({_how_many(area, first=not at)}, {short_span(whole.span_of(area.changes))})"
            for at, area in enumerate(shown)
        ]
        evidence = shas(change for area in shown for change in area.changes)
        return Remark(f"The work went most often into {listed(parts)}.", evidence, tuple(parts))

    return stepwise(said, range(len(found), min(3, len(found)) - 1, -1), 1.5)


def _how_many(area: Area, *, first: bool) -> str:
    return count(len(area.changes), "change") if first else f"{len(area.changes):,}"


def short_span(months: MonthRange) -> str:
    """ "June to October 2025", "November 2024 to May 2025", "July 2025"."""
    first, last = months.first, months.last
    if first.year == last.year and first != last:
        return f"{NAMES[first.number - 1]} to {last.title}"
    return months.title


def _by_name(whole: WholeFacts) -> Slot | None:
    """Of few changes all by the titles they were given, of many the largest features, oldest first."""

    def quoted(change: Change) -> str:
        when = f" ({whole.month_of(change).title})" if len(whole.months) > 1 else ""
        return f"“{_title(change)}”{when}"

    def said(shown: Sequence[Change], opening: str) -> Remark:
        text = f"{opening} {listed([quoted(one) for one in shown])}."
        months = [whole.month_of(one).title for one in shown]
        return Remark(text, shas(shown), tuple(months), is_counted=False)

    named = [change for change in whole.own if _title(change)]
    if len(whole.own) <= FEW:
        if not named:
            return None
        is_all = len(named) == len(whole.own)
        opening = "One of them is" if not is_all else "The change is" if len(named) == 1 else "The changes are"
        return only(said(named, opening))
    stands = [change for change in named if change.kind != "revert" and change.state != "backed_out"]
    features = [change for change in stands if change.is_sure and change.kind in ("feature", "performance")]
    lengths: dict[Remark, float] = {}
    for what, made, lost in (("feature", features, 0), ("change", stands, 3)):
        largest = sorted(made, key=lambda change: -_lines(change))
        ranked = list({_title(change): change for change in reversed(largest)}.values())[::-1]  # each title once
        for step in _LARGEST if len(made) > 1 or made == stands else ():
            if step <= len(ranked):
                shown = sorted(ranked[:step], key=lambda change: (change.lead.author.seconds, change.id))
                opening = f"The {what} with most lines is" if step == 1 else f"The {what}s with most lines are"
                lengths.setdefault(said(shown, opening), lost + _LARGEST[step])
    return or_nothing(Slot(tuple(lengths), tuple(lengths.values())), 8) if lengths else None


def _lines(change: Change) -> int:
    """The lines of a change that were written by hand, as far as they are counted."""
    files = (file for file in change.lead.files if is_by_hand(file.path))
    return sum((file.additions or 0) + (file.deletions or 0) for file in files)


def _title(change: Change) -> str:
    """A change's subject as it can be quoted in a sentence; empty for one that would not read."""
    text = numbers_of(clean(change.lead.subject[:2_000]))[0].strip("-*•. ")
    if len(text) > LONGEST_TITLE or len(text.split()) < 3 or any(sign in text for sign in '“”"#') or not is_whole(text):
        return ""
    return text
