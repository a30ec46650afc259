"""The changes of some months, all or of some kinds, as a list: newest first, each with its commits. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import neg
from typing import Literal

from bot.model import Change, Kind, Sentence
from bot.month.calendar import Days, Span
from bot.month.facts import MonthFacts, all_changes, by_state
from bot.story.corrected import hidden_by_hand
from bot.story.lines import distinct_names, in_span, span_title, where
from bot.story.list_documents import ChangesDocument, PersonChanges
from bot.story.lists import called_people, commits_named, kind_of, kinds_counted, listed_line, notes_of, repositories_of
from bot.story.month import commits_of, indexed_at
from bot.story.weight import lines_of, product_files
from bot.story.wording import KINDS, clean, count, kinds_listed, listed

Relation = Literal["made", "largest", "reviewed", "helped"]
MOST_LISTED = 200  # changes of one list, the newest
MOST_LARGEST = 10


@dataclass(frozen=True, slots=True)
class Listing:
    """What is to be listed: the months of one or more people, each as one, and of these changes those of some kinds.

    `whose` is how the people are called who were asked for; it is empty for everybody, or a team, or repositories,
    whose name is `place`. `relation` says what they have to do with the changes: they "made" or "reviewed" them, or the
    spans are of those who "helped" them with theirs; the "largest" are of those they made. Of kind "revert" are the
    changes that were reverted until now, whether they came back or not, and the reverts themselves.
    """

    spans: tuple[MonthFacts, ...]
    months: Span
    zone: str
    to_date: bool
    kinds: tuple[Kind, ...] = ()
    whose: str = ""
    place: str = ""
    relation: Relation = "made"
    notes: tuple[str, ...] = ()


def changes_document(listing: Listing) -> ChangesDocument:
    """The document of a list of changes: grouped by person in order of name where they are several's; the largest alone
    stand in order of their size, under whoever made them."""
    chosen = [(facts, _chosen(facts, listing.kinds)) for facts in listing.spans]
    every = all_changes(listing.spans)
    wanted = {change.id for _, changes in chosen for change in changes}
    found = tuple(change for change in every if change.id in wanted)
    newest = sorted((change.lead.author.seconds for _, changes in chosen for change in changes), reverse=True)
    oldest = newest[MOST_LISTED - 1] if len(newest) > MOST_LISTED else None
    per_person = [
        (facts, changes, shown)
        for facts, changes in chosen
        if (shown := [one for one in _newest_first(changes) if oldest is None or one.lead.author.seconds >= oldest])
    ]
    rest = len(newest) - sum(len(shown) for _, _, shown in per_person)
    if listing.relation == "largest":
        per_person, rest = _largest(chosen), 0
    named = list(dict.fromkeys(facts.person for facts, _, _ in per_person))
    who_is_who = dict(zip(named, called_people(named), strict=True))
    people = tuple(
        PersonChanges(
            who.name, who.addresses, who.called, {"changes": len(changes)},
            tuple(listed_line(change, facts, kind=_kind(listing, change)) for change in shown),
        )
        for who, facts, changes, shown in ((who_is_who[one[0].person], *one) for one in per_person)
    )  # fmt: skip
    first, last = listing.months.ends
    return ChangesDocument(
        title=clean(_title(listing)),
        from_=first,
        to=last,
        zone=listing.zone,
        to_date=listing.to_date,
        kinds=listing.kinds,
        headline=Sentence(clean(_headline(listing, found, every)), commits_of(found or every)),
        counts={"commits": len(commits_of(found)), **by_state(found)},
        instead=() if found else kinds_counted(Counter(change.kind for change in every)),
        people=people,
        commits=commits_named(commit for change in (found or every) for commit in change.commits),
        repositories=repositories_of(found),
        indexed_at=indexed_at(listing.spans),
        notes=notes_of(
            found, listing.spans, listing.zone,
            first=_older(rest), hidden=hidden_by_hand(listing.spans), last=listing.notes,
        ),
    )  # fmt: skip


def _chosen(facts: MonthFacts, kinds: Sequence[Kind]) -> list[Change]:
    if not kinds:
        return list(facts.changes)
    return [change for change in facts.changes if change.kind in kinds or ("revert" in kinds and was_reverted(change))]


def _largest(chosen: Sequence[tuple[MonthFacts, list[Change]]]) -> list[tuple[MonthFacts, list[Change], list[Change]]]:
    """The largest changes, under their authors, who are named again where others' stand between."""
    found: dict[str, tuple[MonthFacts, list[Change], Change]] = {}
    for facts, changes in chosen:
        for change in changes:
            if change.id not in found or found[change.id][2].is_shared:
                found[change.id] = facts, changes, change
    ranked = sorted(found.values(), key=lambda one: (*map(neg, _size(one[2])), one[2].lead.written))[:MOST_LARGEST]
    grouped = (list(some) for _, some in groupby(ranked, key=lambda one: id(one[0])))
    return [(some[0][0], some[0][1], [change for _, _, change in some]) for some in grouped]


def _size(change: Change) -> tuple[int, int]:
    """The changed lines of code, without tests and what is generated; and all of them."""
    return lines_of(product_files(change.lead)), lines_of(change.lead.files)


def _size_in_words(change: Change) -> str:
    """ "+1,204 −56 lines of code", or "lines" of all files where none of it is code."""
    files = product_files(change.lead)
    files, what = (files, "lines of code") if lines_of(files) else (list(change.lead.files), "lines")
    added, removed = (sum(getattr(one, side) or 0 for one in files) for side in ("additions", "deletions"))
    return f"+{added:,} −{removed:,} {what}"


def _kind(listing: Listing, change: Change) -> str:
    """What is said of the kind of a change: where no kinds were asked for, nothing that is not sure; or of its size."""
    if listing.relation == "largest":
        return _size_in_words(change)
    is_said = listing.relation == "made" and (listing.kinds or change.is_sure)
    return kind_of(change) if is_said else ""


def was_reverted(change: Change) -> bool:
    """Whether a change was reverted, whole or in part, at any time until now. A revert that was undone is none."""
    out = change.out is not None or any(turn.does == "reverts" for turn in change.later)
    return change.kind != "revert" and out


def _is_back(change: Change) -> bool:
    last = change.later[-1] if change.later else change.back or change.out
    return last is not None and last.does == "relands"


def _newest_first(changes: Iterable[Change]) -> list[Change]:
    return sorted(changes, key=lambda one: (-one.lead.author.seconds, one.lead.written))


def _title(listing: Listing) -> str:
    called = listing.whose or listing.place
    whose = f"{called}, " if called else ""
    if listing.relation in ("reviewed", "helped"):
        what = "reviews" if listing.relation == "reviewed" else "reviewers and co-authors"
    elif not listing.kinds:
        what = "changes"
    elif listing.kinds == ("revert",):
        what = "what was backed out"
    else:
        what = listed([KINDS[kind][2] for kind in listing.kinds])
    what = f"largest {what}" if listing.relation == "largest" else what
    to_date = " (to date)" if listing.to_date else ""
    return f"{whose}{span_title(listing.months)}{to_date}: {what}"


def _headline(listing: Listing, found: Sequence[Change], every: Sequence[Change]) -> str:
    at = in_span(listing.months, listing.to_date)
    if listing.relation == "reviewed":
        return _of_reviews(listing, found, at)
    if listing.relation == "helped":
        return _of_help(listing, found, at)
    by = f" by {'or with ' if any(one.is_shared for one in every) else ''}{listing.whose}" if listing.whose else ""
    if not every:
        return f"{listing.whose} has no changes {at}." if listing.whose else f"There are no changes {at}."
    if listing.kinds == ("revert",):
        return _of_reverts(found, every, by, at)
    if not found:
        kinds = listed([KINDS[kind][2] for kind in listing.kinds], "or")
        among = f"the {len(every):,} changes" if len(every) > 1 else "the 1 change"
        there = kinds_listed(Counter(change.kind for change in every))
        return f"There are no {kinds} among {among}{by} {at}: {'it is' if len(every) == 1 else 'they are'} {there}."
    what = kinds_listed(Counter(change.kind for change in found)) if listing.kinds else count(len(found), "change")
    if not listing.whose and (people := sum(bool(_chosen(facts, listing.kinds)) for facts in listing.spans)):
        by = f" by {count(people, 'person', 'people')}"
    said = [f"{what}{by} {at}{_places(found)}."]
    if listing.relation == "largest":
        first = f"Here are the {MOST_LARGEST}" if len(found) > MOST_LARGEST else "First stand those"
        return f"{said[0]} {first} with most changed lines of code, without tests and generated files."
    surely: Counter[Kind] = Counter(change.kind if change.is_sure else "chore" for change in found)
    if not listing.kinds and len(surely) > 1:
        said.append(f"They are {kinds_listed(surely)}.")
    if listing.whose and (others := sum(change.is_shared for change in found)):
        said.append(_by_others(others, len(found)))
    if listing.kinds and (unsure := sum(not change.is_sure and change.kind != "chore" for change in found)):
        some = "Their" if unsure == len(found) > 1 else "Its" if len(found) == 1 else ""
        said.append(f"{some} kind is not sure." if some else f"The kind of {unsure:,} is not sure.")
    if out := by_state(found)["backed_out"]:
        was = f"{'has' if out == 1 else 'have'} been" if listing.to_date else "was" if out == 1 else "were"
        until = "" if listing.to_date else f" by the end of {_end(listing.months)}"
        said.append(f"{out:,} of them {was} backed out{until}." if len(found) > 1 else f"It {was} backed out{until}.")
    return " ".join(said)


def _of_reviews(listing: Listing, found: Sequence[Change], at: str) -> str:
    if not found:
        return f"No commit {at} names {listing.whose} as its reviewer."
    return f"{listing.whose} reviewed {count(len(found), 'change')} by {_people(listing)} {at}{_places(found)}."


def _of_help(listing: Listing, found: Sequence[Change], at: str) -> str:
    if not found:
        return f"No commit by {listing.whose} {at} names another author as reviewer or co-author."
    changes = count(len(found), "change")
    return f"{_people(listing)} reviewed or co-wrote {changes} by {listing.whose} {at}{_places(found)}."


def _people(listing: Listing) -> str:
    """A single person by name, who is no heading of the list."""
    names = distinct_names([facts.person for facts in listing.spans])
    return clean(names[0]) if len(names) == 1 else count(len(names), "person", "people")


def _places(changes: Iterable[Change]) -> str:
    return where(commit for change in changes for commit in change.commits)


def _end(span: Span) -> str:
    return span.title if isinstance(span, Days) else span.last.title


def _by_others(others: int, found: int) -> str:
    """How many changes are others' work, in which somebody had a part."""
    if others == found:
        return "It is by somebody else." if found == 1 else "All of them are by others."
    return f"{others:,} of them {'is' if others == 1 else 'are'} by {'somebody else' if others == 1 else 'others'}."


def _of_reverts(found: Sequence[Change], every: Sequence[Change], by: str, at: str) -> str:
    out = [change for change in found if was_reverted(change)]
    reverts = len(found) - len(out)
    if not found:
        if len(every) == 1:
            return f"The 1 change{by} {at} was not backed out, and reverts nothing itself."
        return f"None of the {len(every):,} changes{by} {at} was backed out, and none reverts another one."
    said = []
    if out:
        was = "was" if len(out) == 1 else "were"
        back = sum(map(_is_back, out))
        again = f", and {'is' if back == 1 else 'are'} back in" if back == len(out) else f"; {back:,} of them came back"
        partly = sum(change.state == "partly" for change in out)
        in_part = f" ({partly:,} in part)" if partly else ""
        said.append(
            f"{len(out):,} of {count(len(every), 'change')}{by} {at} {was} backed out{in_part}{again if back else ''}."
        )
    if reverts:
        undo = "undoes" if reverts == 1 else "undo"
        what = f"{count(reverts, 'change')} {undo} what had been made before"
        said.append(f"{what}{'' if out else f'{by} {at}'}." if out else f"{count(reverts, 'revert')}{by} {at}.")
    return " ".join(said)


def _older(rest: int) -> list[str]:
    if not rest:
        return []
    are = "is" if rest == 1 else "are"
    return [f"{count(rest, 'older change')} {are} left out of this list: ask for a shorter time or for somebody."]
