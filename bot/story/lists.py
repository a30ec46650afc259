"""Changes → the documents of lists: changes as rows, and who worked on something. Pure.

Rows are short, and nothing is dropped unsaid: what stands in no row is counted. Nobody is ranked by worth; who has most
changes on something is named first, as whom to ask.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from typing import Any, Literal
from zoneinfo import ZoneInfo

from bot.model import Change, Commit, FileChange, Key, Kind, RevertEvent, Sentence, Tag
from bot.month.calendar import Span
from bot.month.facts import MonthFacts, all_changes, by_state
from bot.month.kinds import says_breaking
from bot.month.languages import is_by_hand
from bot.month.message import heading_of, meaning_of
from bot.month.paths import lines_of, product_files
from bot.month.title import title_of
from bot.story.documents import (
    ChangesDocument,
    FileCount,
    KindFigure,
    ListedChange,
    PersonCount,
    PersonOnTopic,
    RepositoryCount,
    TopicDocument,
)
from bot.story.lines import (
    SHORT,
    called,
    corrected_by_hand,
    distinct_names,
    events_of,
    hidden_by_hand,
    in_span,
    on,
    quoted_title,
    ref_of,
    span_title,
    where,
)
from bot.story.month import commits_of, indexed_at
from bot.story.quoting import reason_of
from bot.wording import KINDS, capital, clean, count, few, kind_order, kinds_listed, listed, listed_few

Order = Literal["size", "most", "files", "latest", "landed", "first"]
ChangeState = Literal["reverted", "partly", "relanded", "unreleased", "tagged", "breaking"]
Where = Literal["subject", "body", "path"]
Relation = Literal["made", "reviewed", "helped"]
BY_TIME = ("latest", "landed", "first")  # orders by which few are asked for
BY_TRAILERS = ": git knows of reviews only what such lines of messages say."
MOST_SAID = 5  # reverts that a note names
MOST_ROWS = 50  # of a list
MOST_RELEASES = 10  # of any time, by which it is told who usually makes them
MOST_BY = 5  # people whom the first sentence names
MOST_COUNTED = 20  # people whose changes are counted by name
MOST_PEOPLE, MOST_OF_ONE, MOST_OF_NAMED = 20, 3, 20  # on a topic; and rows of each, or of somebody who was asked about
LATELY = 366 * 86_400  # seconds before the latest change on a topic, in which who changed it is still at it
MOST_FILES = 10  # that most changes touch
MOST_LAST = 5  # people where it is asked who was last, or first

DIGITS = 12  # of a hash
_TITLED = {"reverted": "reverted", "partly": "partly reverted", "relanded": "brought back"}  # others as they are
_STATED = {"reverted": "taken out", "partly": "taken out in part", "relanded": "brought back", "unreleased": "released",
           "breaking": "marked as breaking in the message"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Listing:
    """What is to be listed: `spans` are what each of some people did in a time, as it stands now.

    `whose` is how the people are called who were asked for; it is empty for everybody, a team, or repositories, whose
    name is `place`. `about` is what it is limited to, in words (" on “ROCm”"). `relation` says what the people have to
    do with the changes: they made or "reviewed" them, or others "helped" with theirs, whom `others` names by change.
    `found` says where a topic stands in a commit, `inside` which files count, `limit` how many rows there are at most;
    `unreleased` are SHAs, `undone` what reverts take out, by their keys. `is_whole`: sizes are of all files, as git
    counts. `is_written`: the day of writing decides also of everyone. `is_newest`: there are older ones, which were not
    looked for. `is_ever`: on a topic at any time, so that the latest stand first.
    """

    spans: tuple[MonthFacts, ...] = ()
    span: Span | None = None
    zone: str = "UTC"
    to_date: bool = False
    kinds: tuple[Kind, ...] = ()
    states: tuple[ChangeState, ...] = ()
    order: Order | None = None
    limit: int | None = None
    whose: str = ""
    place: str = ""
    about: str = ""
    relation: Relation = "made"
    found: Mapping[Key, Where] = field(default_factory=dict)
    inside: Callable[[str], bool] | None = None
    others: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    unreleased: Collection[str] = ()
    undone: Mapping[Key, Sequence[Commit]] = field(default_factory=dict)
    is_newest: bool = False
    is_whole: bool = False
    is_written: bool = False
    is_ever: bool = False
    notes: tuple[str, ...] = ()

    @property
    def at(self) -> str:
        """ " in October 2025", or nothing of any time."""
        return f" {in_span(self.span, self.to_date)}" if self.span else ""

    def titled(self, what: str) -> str:
        """ "Ada Lovelace, October 2025 (to date): fixes on “cache”"."""
        to_date = " (to date)" if self.to_date else ""
        head = ", ".join(filter(None, [self.whose or self.place, span_title(self.span) if self.span else ""]))
        return clean(f"{head}{to_date}: {what}{self.about}" if head else f"{capital(what)}{self.about}")


def changes_document(listing: Listing) -> ChangesDocument:
    """The document of a list of changes, in the order that is asked for; by default the largest, those of one kind
    together."""
    every, by = all_changes(listing.spans), _authors(listing.spans)
    helped = [one for one in every if one.is_shared and listing.whose and listing.relation == "made"]
    every = tuple(one for one in every if one not in helped)
    found = [change for change in every if _is_wanted(change, listing)]
    most = MOST_ROWS if listing.limit is None else min(listing.limit, MOST_ROWS)
    shown = _ranked(found, listing, most) if listing.order != "files" else []
    if listing.limit and listing.order in BY_TIME and len(found) > len(shown):
        listing = replace(listing, is_newest=True)
    if listing.is_newest:
        found = shown
    elif beside := [one for one in helped if _is_wanted(one, listing)]:
        listing = replace(listing, notes=(*listing.notes, _helped(beside, listing)))
    others = _other_reverts(found, every, by, listing) if "reverted" in listing.states else []
    listing = replace(listing, notes=(*listing.notes, *others)) if found else listing
    named = [name for change in found for name in listing.others.get(change.id, ())]
    people = Counter(by[change.id] for change in found) if not listing.others else Counter(named)
    listing = replace(listing, notes=(*_of_no_kind(every, listing), *listing.notes)) if found else listing
    headline = others[0] if others and not found else _headline(listing, found, every, people)
    return ChangesDocument(
        title=listing.titled(_what(listing)),
        **_common(listing, found, headline, shown or every[:MOST_ROWS]),
        counts={"commits": len(commits_of(found)), **by_state(found)},
        kinds=kinds_counted(Counter(change.kind for change in found)),
        people=tuple(
            PersonCount(name, number)
            for name, number in sorted(people.items(), key=lambda one: (-one[1], one[0]))[:MOST_COUNTED]
        ),
        rows=tuple(row_of(change, by[change.id], listing) for change in shown),
        more=len(found) - len(shown) if listing.order != "files" else 0,
        instead=() if found else kinds_counted(Counter(change.kind for change in every)),
        files=_files(found, listing) if listing.order == "files" else (),
    )


def _helped(others: Sequence[Change], listing: Listing) -> str:
    """A note of what others wrote, who name as co-author whose list it is: it is in no row and no count."""
    named = few([_named(one) for one in sorted(others, key=_last_landed)], MOST_SAID)
    return f"{listing.whose} is named as co-author of {count(len(others), 'change')} by others: {'; '.join(named)}."


def _of_no_kind(every: Sequence[Change], listing: Listing) -> list[str]:
    """A note of what else somebody did that has no kind, where that is little: its title alone says none."""
    rest = [one for one in every if one.kind == "chore"] if listing.whose and listing.kinds else []
    if not rest or "chore" in listing.kinds or listing.states or len(rest) > MOST_SAID or listing.relation != "made":
        return []
    kinds = listed([KINDS[kind][2] for kind in listing.kinds], "or")
    return [f"Of no kind by their titles, so not counted as {kinds}: {'; '.join(map(_named, rest))}."]


def _files(found: Sequence[Change], listing: Listing) -> tuple[FileCount, ...]:
    """The files that most of some changes touch, of those that count."""
    touched = Counter(
        file
        for change in found
        for file in {(one.repository, file.path) for one in change.commits for file in one.files}
        if listing.inside is None or listing.inside(file[1])
    )
    ranked = sorted(touched.items(), key=lambda one: (-one[1], one[0]))[: min(listing.limit or MOST_FILES, MOST_ROWS)]
    return tuple(FileCount(clean(path), clean(where), number) for (where, path), number in ranked)


def _named(change: Change) -> str:
    return f"{called(change)} ({ref_of(change.lead)})"


def releases_document(listing: Listing, made: Sequence[tuple[Tag, Commit, str]], today: date) -> ChangesDocument:
    """The document of a list of releases: tags, each with the commit that it names and who made it, the latest first;
    without a limit all of a time or of somebody, or the last MOST_RELEASES."""
    zone, at, whose = ZoneInfo(listing.zone), listing.at, listing.whose
    most = MOST_ROWS if listing.span or whose else MOST_RELEASES
    shown = made[: most if listing.limit is None else min(listing.limit, MOST_ROWS)]
    days = [tag.at.astimezone(zone).date() for tag, _, _ in shown]
    people, places = Counter(by for _, _, by in made), where(commit for _, commit, _ in made)
    lately, notes = Counter(by for _, _, by in made[:MOST_RELEASES]), list[str]()
    if not made:
        headline = f"There is no release{f' by {whose}' if whose else ''}{at}."
    elif len(shown) == 1:
        tag, _, by = shown[0]
        headline = f"{clean(tag.name)} was tagged on {on(tag.at, zone)} by {clean(by)}{places}."
    else:
        ago = "" if listing.span else f", {count((today - days[0]).days, 'day')} ago"
        last = f"The last is {clean(shown[0][0].name)} of {on(shown[0][0].at, zone)}{ago}."
        headline = f"{count(len(made), 'release')}{_by(people)}{at}{places}. {last}"
        if not listing.span and len(made) > MOST_RELEASES and not whose:
            headline = f"{count(len(made), 'release')}{places}, the last {MOST_RELEASES}{_by(lately)}. {last}"
    if len(days) > 1 and len({commit.repository for _, commit, _ in shown}) == 1:
        gaps = [f"{(later - earlier).days:,}" for later, earlier in pairwise(days)]
        notes.append(f"Days between these, the latest first: {', '.join(gaps)}.")
    if older := len(made) - len(shown):
        notes.append(f"{count(older, 'older release is', 'older releases are')} not shown.")
    rows = tuple(
        ListedChange(
            sha=commit.sha[:DIGITS], ref=commit.sha[:SHORT], repository=clean(commit.repository), on=str(day),
            by=clean(by), title=clean(tag.name), kind="release", state="landed",
        )
        for (tag, commit, by), day in zip(shown, days, strict=True)
    )  # fmt: skip
    each = Counter(clean(commit.repository) for _, commit, _ in made)
    common = _common(replace(listing, notes=(*notes, *listing.notes)), (), headline, ()) | {
        "headline": Sentence(clean(headline), tuple(commit.sha for _, commit, _ in shown)),
        "repositories": tuple(RepositoryCount(name, number, number) for name, number in sorted(each.items())),
    }
    return ChangesDocument(
        title=listing.titled("releases"),
        **common,
        counts={"commits": len(made), "changes": len(made)},
        kinds=kinds_counted({"release": len(made)}),
        people=tuple(PersonCount(clean(name), number) for name, number in people.most_common(MOST_COUNTED)),
        rows=rows if listing.order != "first" else rows[::-1],
        more=0,
    )


def _other_reverts(
    found: Sequence[Change], every: Sequence[Change], by: Mapping[str, str], listing: Listing
) -> list[str]:
    """A note of the reverts of which it is not known what they take back."""
    known = {out.commit.sha for change in found if (out := _taken_out(change))}
    others = [
        one for one in every
        if one.kind == "revert" and known.isdisjoint(each.sha for each in one.commits)
        and not any(listing.undone.get(each.key) for each in one.commits)
    ]  # fmt: skip
    if not others:
        return []
    zone = ZoneInfo(listing.zone)
    named = few([f"{called(one)} ({ref_of(one.lead)}, {by[one.id]}, {on(one.lead.came, zone)})" for one in others],
                MOST_SAID)  # fmt: skip
    what = f"{len(others):,}{' more' if found else ''} change{' takes' if len(others) == 1 else 's take'}"
    return [f"{what} back what is not known here: {'; '.join(map(clean, named))}."]


def row_of(change: Change, by: str, listing: Listing) -> ListedChange:
    lead, zone = change.lead, ZoneInfo(listing.zone)
    written, landed = lead.author.at.astimezone(zone).date(), lead.came.astimezone(zone).date()
    tag = next(iter(title_of(lead).labels), "")
    out, last = _taken_out(change), next(reversed(_events(change)), None)
    back = last if out and last and last.does == "relands" else None
    place = _place(change, listing)
    named = tuple(clean(f"{name}{role}") for name, role in listing.others.get(change.id, {}).items())
    undone = listing.undone.get(lead.key, ())
    undoes = listed_few([f"{quoted_title(one)} ({ref_of(one)})" for one in undone], 1) if undone else None
    reason = _reason(out.commit if out else lead) if out or undone else None
    return ListedChange(
        sha=lead.sha[:DIGITS], ref=ref_of(lead), repository=clean(lead.repository), on=str(written), by=clean(by),
        title=f"{clean(tag)}: {called(change)}" if tag and not change.title else called(change),
        kind=change.kind, state=change.state,
        landed=landed.isoformat() if landed != written else None,
        lines=_size(change, listing)[0] if listing.order == "size" else None,
        sure=None if change.is_sure or change.kind == "chore" else False,
        reverted_in=ref_of(out.commit) if out else None, reason=reason,
        reverted_by=clean(out.by) if out else None,
        reverted_on=str(out.commit.came.astimezone(zone).date()) if out else None,
        back_in=ref_of(back.commit) if back else None,
        back_on=str(back.commit.came.astimezone(zone).date()) if back else None,
        undoes=clean(undoes) if undoes else None,
        found=place if place != "subject" else None,
        reviewers=named or None,
    )  # fmt: skip


# --- which, and in which order


def _events(change: Change) -> Sequence[RevertEvent]:
    """What happened to a change; nothing of what a revert itself did."""
    return () if change.kind == "revert" else events_of(change)


def _taken_out(change: Change) -> RevertEvent | None:
    return next((one for one in reversed(_events(change)) if one.does == "reverts"), None)


def _reason(commit: Commit) -> str | None:
    """Why a commit took something out, in its words: a sentence of its body, or a title that says more than that it
    does."""
    if meaning_of(heading_of(commit).line).does != "reverts":
        return reason_of(commit) or quoted_title(commit)
    return reason_of(commit) or None


def _is_in(change: Change, state: ChangeState, listing: Listing) -> bool:
    """Whether a state is a change's: of everyone's in a time, by what happened to it then."""
    if state == "unreleased":
        return any(sha in listing.unreleased for sha in change.shas)
    if state == "breaking":
        return says_breaking(change)
    events = _events(change)
    if state == "relanded" and not (events and events[-1].does == "relands"):
        return False
    if listing.span and not listing.whose:
        start, end = listing.span.bounds(ZoneInfo(listing.zone))
        events = [one for one in events if start <= one.commit.came < end]
    does = "relands" if state == "relanded" else "reverts"
    return any(one.does == does and (state != "partly" or one.partly) for one in events)


def _is_wanted(change: Change, listing: Listing) -> bool:
    if listing.kinds and change.kind not in listing.kinds:
        return False
    if listing.relation == "helped" and change.id not in listing.others:
        return False
    return not listing.states or any(_is_in(change, one, listing) for one in listing.states)


def _place(change: Change, listing: Listing) -> Where:
    """Where the topic stands in any of a change's commits, the best of them."""
    places = {listing.found.get(one.key, "subject") for one in change.commits} if listing.found else {"subject"}
    return next((one for one in _PLACES if one in places), "subject")


_PLACES: tuple[Where, ...] = ("subject", "body", "path")


def _size(change: Change, listing: Listing) -> tuple[int, int]:
    """How large a change is within the files that count: by the lines that people write; and where size is not asked
    for, by those of code without tests. What is of none of that is ordered by all of its lines."""

    def counted(files: Iterable[FileChange]) -> list[FileChange]:
        return [one for one in files if listing.inside is None or listing.inside(one.path)]

    every = counted(change.lead.files)
    some = (
        [one for one in every if listing.is_whole or is_by_hand(one.path)]
        if listing.order == "size"
        else counted(product_files(change.lead))
    )
    return lines_of(some), lines_of(every)


def _by_time(order: Order | None) -> Callable[[Change], tuple[Any, ...]]:
    """What was written first first, or what landed or was written last."""
    if order == "landed":
        return _last_landed
    sign = 1 if order == "first" else -1
    return lambda one: (sign * one.lead.author.seconds, one.lead.written)


def _ranked(found: Sequence[Change], listing: Listing, most: int) -> list[Change]:
    order = listing.order
    if order in BY_TIME:
        return sorted(found, key=_by_time(order))[:most]
    sizes = {one.id: _size(one, listing) for one in found}

    def largest(change: Change) -> tuple[Any, ...]:
        return -sizes[change.id][0], -sizes[change.id][1], change.lead.written

    if order == "size":
        return sorted(found, key=largest)[:most]
    places = {one.id: _PLACES.index(_place(one, listing)) for one in found}
    if listing.is_ever:
        return sorted(found, key=lambda one: (places[one.id], _by_time(order)(one)))[:most]
    shown = sorted(found, key=lambda one: (places[one.id], largest(one)))[:most]
    return sorted(shown, key=lambda one: (places[one.id], kind_order(one.kind), largest(one)))


def _last_landed(change: Change) -> tuple[Any, ...]:
    """What landed last first; of what one merge brought, what was committed last."""
    return -_landed(change), -change.lead.committer.seconds, -change.lead.author.seconds, change.lead.written


def _landed(change: Change) -> int:
    return int(max(one.came for one in change.commits).timestamp())


# --- in words


def _what(listing: Listing) -> str:
    if listing.relation != "made":
        return "reviews" if listing.relation == "reviewed" else "reviewers and co-authors"
    kinds = listed([KINDS[kind][2] for kind in listing.kinds]) or "changes"
    stated = listed([_TITLED.get(one, one) for one in listing.states], "or")
    return " ".join(filter(None, ["largest" if listing.order == "size" else "", stated, kinds]))


def _headline(listing: Listing, found: Sequence[Change], every: Sequence[Change], people: Counter[str]) -> str:
    if listing.relation != "made":
        return _of_trailers(listing, found, every, people)
    at, about, whose = listing.at, listing.about, listing.whose
    kinds = listed([KINDS[kind][2] for kind in listing.kinds], "or") or "changes"
    if not every:
        return f"{whose} has no {kinds}{about}{at}." if whose else f"There are no {kinds}{about}{at}."
    by = f" by {whose}" if whose else _by(people)
    if listing.states:
        return _of_states(listing, found, every, by)
    if not found:
        there = kinds_listed(Counter(change.kind for change in every))
        are = "it is" if len(every) == 1 else "they are"
        return f"There are no {kinds} among the {count(len(every), 'change')}{by}{about}{at}: {are} {there}."
    places = _places(listing, found)
    if listing.is_newest:
        what = listed([KINDS[kind][2] for kind in listing.kinds]) or "changes"
        one = KINDS[listing.kinds[0]][1] if len(listing.kinds) == 1 else "change"
        side = "first" if listing.order == "first" else "last"
        last = f"{side} {len(found):,} {what}" if len(found) > 1 else f"{side} {one}"
        which = f"{about}{at}{places}{' by the day they landed' if listing.order == 'landed' else ''}"
        return f"The {last}{by}{which}." if whose else f"The {last}{which} {'are' if len(found) > 1 else 'is'}{by}."
    what = kinds_listed(Counter(one.kind for one in found)) if listing.kinds else count(len(found), "change")
    commits = len(commits_of(found))
    of_several = f" in {count(commits, 'commit')}" if commits > len(found) else ""
    lines = "changed lines" if listing.is_whole else "changed lines, but for what is generated or locked"
    by_size = f"The largest first, by {lines}." if listing.order == "size" else ""
    return " ".join(filter(None, [f"{what}{of_several}{by}{about}{at}{places}.", by_size, _now_out(found)]))


def _places(listing: Listing, found: Iterable[Change]) -> str:
    """In which repositories changes are, unless it is said already of which release they are."""
    places = where(commit for change in found for commit in change.commits)
    return "" if f"{places} " in listing.about else places


def _by(people: Counter[str]) -> str:
    """ "by Ada (3), Grace and 2 others": those of most first, each with how many, if that is more than one."""
    ranked = sorted(people.items(), key=lambda one: (-one[1], one[0]))
    named = [f"{clean(name)} ({number:,})" if number > 1 < len(ranked) else clean(name) for name, number in ranked]
    return f" by {listed_few(named, MOST_BY)}" if named else ""


def _now_out(found: Sequence[Change]) -> str:
    out = by_state(found)["backed_out"]
    if out and len(found) == 1:
        return "It is backed out today."
    return f"{out:,} of them {'is' if out == 1 else 'are'} backed out today." if out else ""


def _of_trailers(listing: Listing, found: Sequence[Change], every: Sequence[Change], people: Counter[str]) -> str:
    """What is said of reviews, and of who helped."""
    at, about, whose = listing.at, listing.about, listing.whose
    places = _places(listing, found)
    named = clean(next(iter(people))) if len(people) == 1 else count(len(people), "person", "people")
    if listing.relation == "reviewed":
        if not found:
            return f"No commit{at} names {whose} as its reviewer{BY_TRAILERS}"
        return f"{whose} reviewed {count(len(found), 'change')} by {named}{about}{at}{places}."
    if not found:
        none = f"No commit by {whose}{about}{at} names another author" if whose else f"{listing.place}: nobody is named"
        return f"{none} as reviewer or co-author{BY_TRAILERS}"
    some = f"{len(found):,} of " if len(found) < len(every) else ""
    what = f"{count(len(found), 'change')} by {whose}" if whose else f"{some}{listing.place}"
    is_reviewed = [role == "" for names in listing.others.values() for role in names.values()]
    if not any(is_reviewed):
        return f"{named} co-wrote {what}{about}{at}{places}; nobody is named as reviewer{BY_TRAILERS}"
    return f"{named} {'reviewed' if all(is_reviewed) else 'reviewed or co-wrote'} {what}{about}{at}{places}."


def _of_states(listing: Listing, found: Sequence[Change], every: Sequence[Change], by: str) -> str:
    about, at = listing.about, listing.at
    said = listed([_STATED[one] for one in listing.states], "or")
    kinds = listed([KINDS[kind][2] for kind in listing.kinds]) or "changes"
    if listing.states == ("unreleased",):
        return f"{count(len(found), 'change')}{by}{about}{at} {'is' if len(found) == 1 else 'are'} in no release yet."
    if not found:
        return f"None of the {len(every):,} {kinds}{by}{about}{at} was {said}."
    what = kinds_listed(Counter(one.kind for one in found)) if listing.kinds else count(len(found), "change")
    back = sum(_events(one)[-1].does == "relands" for one in found) if "reverted" in listing.states else 0
    again = f"; {back:,} of them came back" if back else ""
    was = f"{'was' if len(found) == 1 else 'were'} {said}"
    if listing.whose or not listing.span:
        return f"{what}{by}{about}{at} {was}{again}."
    outs = Counter(out.by for one in found if (out := _taken_out(one)) and out.by)
    return f"{what}{by}{about} {was}{at}{',' if outs else ''}{_by(outs)}{again}."


# --- who worked on something


def who_document(listing: Listing, topic: str | None = None, *, is_new: bool = False) -> TopicDocument:
    """The document of who worked on something: those of most changes first, of equals who made the latest, and of any
    time those of the last year before others, unless "most" is asked for; by "landed" or "latest" who did so last; by
    "first" who began. `is_new`: they are new, which the words say."""
    spans = [replaced for one in listing.spans if (replaced := _only(one, listing)).changes]
    is_ever = listing.span is None and listing.limit is None and listing.order is None and not is_new
    lately = max(map(_last, spans), default=0) - LATELY if is_ever else 0

    def place(one: MonthFacts) -> float:
        if listing.order == "first":
            return min(change.lead.author.seconds for change in one.changes)
        if listing.order in ("landed", "latest"):
            return -max(map(_landed, one.changes)) if listing.order == "landed" else -_last(one)
        return -len(one.changes)

    spans.sort(key=lambda one: (_last(one) < lately, place(one), -_last(one), one.person.name, one.person.addresses))
    most = MOST_LAST if listing.order in BY_TIME else MOST_PEOPLE
    most = most if listing.limit is None else min(listing.limit, MOST_ROWS)
    every = all_changes(spans)
    shown = spans[: MOST_ROWS if is_new and listing.limit is None else most]
    names = distinct_names([one.person for one in shown])
    ordered = replace(listing, order="first") if is_new else listing
    people = tuple(_on_topic(one, name, ordered) for one, name in zip(shown, names, strict=True))
    rows = [change for one in shown for change in one.changes]
    if len(spans) > 1 and listing.order is None and not is_new:
        lately_first = "Who changed it within a year of the latest change comes first, and then"
        note = f"{lately_first if is_ever else 'Those'} who had most to do with it."
        listing = replace(listing, notes=(note if is_ever else f"{note[:-1]} come first.", *listing.notes))
    return TopicDocument(
        title=listing.titled("new contributors" if is_new else "who worked"),
        **_common(listing, every, _who(listing, spans, every, is_new=is_new), rows[:MOST_ROWS]),
        topic=clean(topic) if topic else None,
        counts={"people": len(spans), "commits": len(commits_of(every)), "changes": len(every)},
        people=people,
        more=len(spans) - len(people),
    )


def _only(facts: MonthFacts, listing: Listing) -> MonthFacts:
    return replace(facts, changes=tuple(one for one in facts.changes if _is_wanted(one, listing)))


def _on_topic(facts: MonthFacts, name: str, listing: Listing) -> PersonOnTopic:
    zone = ZoneInfo(listing.zone)
    days = sorted(one.lead.author.at.astimezone(zone).date() for one in facts.changes)
    most = MOST_OF_NAMED if listing.whose else MOST_OF_ONE
    ranked = sorted(facts.changes, key=_by_time(listing.order))
    if listing.order not in BY_TIME:
        ranked.sort(key=lambda one: _PLACES.index(_place(one, listing)))
    landed = max(one.came for change in facts.changes for one in change.commits).astimezone(zone).date()
    return PersonOnTopic(
        name=clean(facts.person.name), addresses=tuple(map(clean, facts.person.addresses)), called=clean(name),
        changes=len(facts.changes), first=str(days[0]), last=str(days[-1]), landed=str(landed),
        rows=tuple(row_of(one, one.shared_by or facts.person.name, listing) for one in ranked[:most]),
    )  # fmt: skip


def _who(listing: Listing, spans: Sequence[MonthFacts], every: Sequence[Change], *, is_new: bool) -> str:
    at, about = listing.at, listing.about
    people = clean(spans[0].person.name) if len(spans) == 1 else count(len(spans), "person", "people")
    if is_new:
        first = f"{people} made {'their' if len(spans) > 1 else 'a'} first change{'s' if len(spans) > 1 else ''}"
        named = distinct_names([one.person for one in spans])
        names = f": {listed_few(list(map(clean, named)), MOST_ROWS)}" if len(spans) > 1 else ""
        return f"{first}{about}{at}{names}." if spans else f"Nobody made a first change{about}{at}."
    what = listed([KINDS[kind][1] for kind in listing.kinds], "or") or "change"
    if not spans:
        by = f" by {listing.whose}" if listing.whose else ""
        return f"There is no {what}{by}{about}{at}."
    changes = kinds_listed(Counter(one.kind for one in every)) if listing.kinds else count(len(every), "change")
    places = _places(listing, every)
    said = f"{people} made {changes}{about}{at}{places}."
    if len(spans) == 1:
        return said
    if listing.order == "most":
        most = len(spans[0].changes)
        return f"{said} {count(most, 'change is', 'changes are')} by {clean(spans[0].person.name)}."
    by_landing = listing.order == "landed"
    latest = max(spans, key=lambda one: max(map(_landed, one.changes)) if by_landing else _last(one))
    return f"{said} The latest{' to land' if by_landing else ''} is by {clean(latest.person.name)}."


def _last(facts: MonthFacts) -> int:
    return max(commit.author.seconds for change in facts.changes for commit in change.commits)


# --- what they have in common


def _common(listing: Listing, found: Sequence[Change], headline: str, shown: Sequence[Change]) -> dict[str, Any]:
    first, last = listing.span.ends if listing.span else (None, None)
    of_months = dict.fromkeys(note for facts in listing.spans for note in facts.notes)
    notes = (*corrected_by_hand(found, listing.zone), *hidden_by_hand(listing.spans), *of_months, *listing.notes)
    return {
        "from_": first,
        "to": last,
        "zone": listing.zone,
        "to_date": listing.to_date,
        "headline": Sentence(clean(headline), commits_of(shown)),
        "repositories": repositories_of(found),
        "indexed_at": indexed_at(listing.spans),
        "notes": tuple(dict.fromkeys(map(clean, notes))),
    }


def _authors(spans: Iterable[MonthFacts]) -> dict[str, str]:
    """Whose each change is, by its id."""
    spans = list(spans)
    found: dict[str, str] = {}
    for facts, name in zip(spans, distinct_names([one.person for one in spans]), strict=True):
        for change in facts.changes:
            if not change.is_shared:
                found[change.id] = name
            else:
                found.setdefault(change.id, change.shared_by)
    return found


def kinds_counted(kinds: Mapping[Kind, int]) -> tuple[KindFigure, ...]:
    """How many changes there are of each kind: most first, equals in the order of telling."""
    ranked = sorted((kind for kind in KINDS if kinds.get(kind)), key=lambda kind: -kinds[kind])
    return tuple(KindFigure(kind, kinds[kind]) for kind in ranked)


def repositories_of(changes: Iterable[Change]) -> tuple[RepositoryCount, ...]:
    """Each repository with its commits and changes, by name."""
    commits: dict[str, set[str]] = {}
    whole: dict[str, set[str]] = {}
    for change in changes:
        for commit in change.commits:
            commits.setdefault(clean(commit.repository), set()).add(commit.sha)
            whole.setdefault(clean(commit.repository), set()).add(change.id)
    return tuple(RepositoryCount(name, len(commits[name]), len(whole[name])) for name in sorted(commits))
