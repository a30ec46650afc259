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
from bot.month.calendar import Days
from bot.month.facts import MonthFacts, all_changes, by_state
from bot.month.kinds import says_breaking
from bot.month.message import heading_of, meaning_of
from bot.month.paths import is_by_hand, lines_of, product_files
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
    commits_of,
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
from bot.story.month import indexed_at
from bot.story.quoting import reason_of
from bot.wording import KINDS, capital, clean, count, few, kind_order, kinds_listed, listed, listed_few

Order = Literal["size", "most", "files", "latest", "landed", "first"]
ChangeState = Literal["reverted", "partly", "relanded", "unreleased", "tagged", "breaking"]
Where = Literal["subject", "body", "path"]
Relation = Literal["made", "reviewed", "helped"]
BY_TIME = ("latest", "landed", "first")  # orders by which few are asked for
BY_TRAILERS = ": git knows of reviews only what such lines of messages say."
MOST_SAID = 5  # changes that a note names
MOST_ROWS = 50  # of a list
MOST_RELEASES = 10  # of any time
MOST_BY = 5  # people whom the first sentence names
MOST_COUNTED = 20  # people whose changes are counted by name
MOST_PEOPLE, MOST_OF_ONE, MOST_OF_NAMED = 20, 3, 20  # on a topic; and rows of each, or of somebody who was asked about
LATELY = 2 * 365 * 86_400  # seconds in which what somebody did says that they know it
MOST_FILES = 10  # that most changes touch
MOST_LAST = 5  # people where it is asked who was last, or first

DIGITS = 12  # of a hash
# The other states are called as they are; what breaks is only said where its author says so.
_STATED = {"partly": "partly reverted", "relanded": "brought back", "breaking": "expressly breaking"}
_PLACES: tuple[Where, ...] = ("subject", "body", "path")


@dataclass(frozen=True, slots=True)
class Listing:
    """What is to be listed: `spans` are what each of some people did in a time, as it stands now.

    `whose` is how the people are called who were asked for; it is empty for everybody, a team, or repositories, whose
    name is `place`. `about` is what it is limited to, in words (" on “ROCm”"). `relation` says what the people have to
    do with the changes: they made or "reviewed" them, or others "helped" with theirs, whom `others` names by change.
    `found` says where a topic stands in a commit, `inside` which files count, `limit` how many rows there are at most;
    `unreleased` are SHAs, `undone` what reverts take out, by their keys. `is_written`: the day of writing decides also
    of everyone, `with_bots`: theirs are listed too. `is_newest`: there are older ones, which were not looked for.
    `is_ever`: on a topic at any time, so that the latest stand first.
    """

    spans: tuple[MonthFacts, ...] = ()
    span: Days | None = None
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
    is_written: bool = False
    is_ever: bool = False
    with_bots: bool = False
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
    every, by, notes = all_changes(listing.spans), _authors(listing.spans), list[str]()
    helped = [one for one in every if one.is_shared and listing.whose and listing.relation == "made"]
    every = tuple(one for one in every if one not in helped)
    found, beside = ([one for one in some if _is_wanted(one, listing)] for some in (every, helped))
    shown = _ranked(found, listing) if listing.order != "files" else []
    if listing.is_newest or (listing.limit and listing.order in BY_TIME and len(found) > len(shown)):
        listing, found = replace(listing, is_newest=True), shown
    elif beside:  # in no row, and no count
        what = f"{listing.whose} is named as co-author of {count(len(beside), 'change')} by others"
        notes.append(f"{what}: {_titles(sorted(beside, key=_last_landed))}.")
    named = [listing.others.get(one.id, ()) if listing.others else [by[one.id]] for one in found]
    people = Counter(clean(name) for names in named for name in names).items()
    ranked = sorted(people, key=lambda one: (-one[1], one[0]))
    unknown = _of_unknown(found, every, listing)
    headline = unknown[0] if unknown and not found else _headline(listing, found, every, ranked)
    notes += unknown if found else []
    return ChangesDocument(
        title=listing.titled(_what(listing)),
        **_common(replace(listing, notes=(*notes, *listing.notes)), found, headline, shown or every[:MOST_ROWS]),
        counts={"commits": len(commits_of(found)), **by_state(found)},
        kinds=kinds_counted(Counter(change.kind for change in found)),
        people=tuple(PersonCount(name, number) for name, number in ranked[:MOST_COUNTED]),
        rows=tuple(row_of(change, by[change.id], listing) for change in shown),
        more=len(found) - len(shown) if listing.order != "files" else 0,
        instead=() if found else kinds_counted(Counter(change.kind for change in every)),
        files=_files(found, listing) if listing.order == "files" else (),
    )


def _of_unknown(found: Sequence[Change], every: Sequence[Change], listing: Listing) -> list[str]:
    """A note of the reverts of which it is not known what they take back, beside what is known to be reverted."""
    known = {out.commit.sha for change in found if (out := _taken_out(change))}
    reverts = (one for one in every if one.kind == "revert" and "reverted" in listing.states)
    others = [
        one for one in reverts if not any(each.sha in known or listing.undone.get(each.key) for each in one.commits)
    ]
    return [f"{count(len(others), 'revert')} of what is not known here: {_titles(others)}."] if others else []


def _titles(changes: Sequence[Change]) -> str:
    return "; ".join(few([f"{called(one)} ({ref_of(one.lead)})" for one in changes], MOST_SAID))


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


def releases_document(listing: Listing, made: Sequence[tuple[Tag, Commit, str]], today: date) -> ChangesDocument:
    """The document of a list of releases: tags, each with the commit that it names and who made it, the latest first;
    without a limit all of a time or of somebody, or the last MOST_RELEASES."""
    zone = ZoneInfo(listing.zone)
    most = MOST_ROWS if listing.span or listing.whose else MOST_RELEASES
    shown = made[: most if listing.limit is None else min(listing.limit, MOST_ROWS)]
    days = [tag.at.astimezone(zone).date() for tag, _, _ in shown]
    people = Counter(clean(by) for _, _, by in made).most_common()
    where_at = f"{listing.at}{where(commit for _, commit, _ in made)}"
    if not made:
        headline = f"There is no release{listing.whose and f' by {listing.whose}'}{listing.at}."
    else:
        tag, _, by = shown[0]
        name, said_on = clean(tag.name), on(tag.at, zone)
        ago = "" if listing.span else f", {count((today - days[0]).days, 'day')} ago"
        headline = f"{count(len(made), 'release')}{_by(people)}{where_at}. The last is {name} of {said_on}{ago}."
        if len(shown) == 1:
            headline = f"{name} was tagged on {said_on} by {clean(by)}{where_at.removeprefix(listing.at)}."
    older, notes = len(made) - len(shown), list[str]()
    if len(days) > 1 and len({commit.repository for _, commit, _ in shown}) == 1:
        gaps = [f"{(later - earlier).days:,}" for later, earlier in pairwise(days)]
        notes.append(f"Days between these, the latest first: {', '.join(gaps)}.")
    notes += [f"{count(older, 'older release is', 'older releases are')} not shown."] if older else []
    rows = tuple(
        ListedChange(
            sha=commit.sha[:DIGITS], ref=commit.sha[:SHORT], repository=clean(commit.repository),
            on=str(day), by=clean(by), title=clean(tag.name), kind="release", state="landed",
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
        people=tuple(PersonCount(name, number) for name, number in people[:MOST_COUNTED]),
        rows=rows if listing.order != "first" else rows[::-1],
        more=0,
    )


def row_of(change: Change, by: str, listing: Listing) -> ListedChange:
    lead, zone = change.lead, ZoneInfo(listing.zone)
    written, landed = lead.author.at.astimezone(zone).date(), lead.came.astimezone(zone).date()
    tag = next(iter(title_of(lead).labels), "")
    out, last = _taken_out(change), next(reversed(_events(change)), None)
    back = last if out and last and last.does == "relands" else None
    place = _place(change, listing)
    named = tuple(clean(f"{name}{role}") for name, role in listing.others.get(change.id, {}).items())
    undone = [f"{quoted_title(one)} ({ref_of(one)})" for one in listing.undone.get(lead.key, ())]
    return ListedChange(
        sha=lead.sha[:DIGITS],
        ref=ref_of(lead),
        repository=clean(lead.repository),
        on=str(written),
        by=clean(by),
        title=f"{clean(tag)}: {called(change)}" if tag and not change.title else called(change),
        kind=change.kind,
        state=change.state,
        landed=landed.isoformat() if landed != written else None,
        lines=_size(change, listing)[0] if listing.order == "size" else None,
        sure=None if change.is_sure or change.kind == "chore" else False,
        reverted_in=ref_of(out.commit) if out else None,
        reason=_reason(out.commit if out else lead) if out or undone else None,
        reverted_by=clean(out.by) if out else None,
        reverted_on=str(out.commit.came.astimezone(zone).date()) if out else None,
        back_in=ref_of(back.commit) if back else None,
        back_on=str(back.commit.came.astimezone(zone).date()) if back else None,
        undoes=clean(listed_few(undone, 1)) or None,
        found=place if place != "subject" else None,
        reviewers=named or None,
    )


# --- which, and in which order


def _events(change: Change) -> Sequence[RevertEvent]:
    """What happened to a change; nothing of what a revert itself did."""
    return () if change.kind == "revert" else events_of(change)


def _taken_out(change: Change) -> RevertEvent | None:
    return next((one for one in reversed(_events(change)) if one.does == "reverts"), None)


def _reason(commit: Commit) -> str | None:
    """Why a commit took something out, in its words: a sentence of its body, or a title that says more than that it
    does."""
    says_more = meaning_of(heading_of(commit).line).does != "reverts"
    return reason_of(commit) or (quoted_title(commit) if says_more else None)


def _is_wanted(change: Change, listing: Listing) -> bool:
    if listing.kinds and change.kind not in listing.kinds:
        return False
    if listing.relation == "helped" and change.id not in listing.others:
        return False
    return not listing.states or any(_is_in(change, one, listing) for one in listing.states)


def _is_in(change: Change, state: ChangeState, listing: Listing) -> bool:
    """Whether a state is a change's: of everyone's in a time, by what happened to it then."""
    if state == "unreleased":
        return any(sha in listing.unreleased for sha in change.shas)
    if state == "breaking":
        return says_breaking(change)
    events, does = _events(change), "relands" if state == "relanded" else "reverts"
    if state == "relanded" and not (events and events[-1].does == "relands"):
        return False
    if listing.span and not listing.whose:
        start, end = listing.span.bounds(ZoneInfo(listing.zone))
        events = [one for one in events if start <= one.commit.came < end]
    return any(one.does == does and (state != "partly" or one.partly) for one in events)


def _place(change: Change, listing: Listing) -> Where:
    """Where the topic stands in any of a change's commits, the best of them."""
    return min((listing.found.get(one.key, "subject") for one in change.commits), key=_PLACES.index)


def _size(change: Change, listing: Listing) -> tuple[int, int]:
    """How large a change is within the files that count: by the lines that people write; and where size is not asked
    for, by those of code without tests. What is of none of that is ordered by all of its lines."""

    def lines(files: Iterable[FileChange]) -> int:
        return lines_of(one for one in files if listing.inside is None or listing.inside(one.path))

    every = change.lead.files
    if listing.order != "size":
        return lines(product_files(change.lead)), lines(every)
    return lines(one for one in every if is_by_hand(one.path)), lines(every)


def _ranked(found: Sequence[Change], listing: Listing) -> list[Change]:
    """Those that have a row, in the order that is asked for. What speaks of a topic in its title goes before what does
    so elsewhere; of what is only the largest those of one kind stand together."""
    most = MOST_ROWS if listing.limit is None else min(listing.limit, MOST_ROWS)
    if listing.order in BY_TIME:
        return sorted(found, key=_by_time(listing.order))[:most]
    sizes = {one.id: _size(one, listing) for one in found}
    places = {one.id: 0 if listing.order == "size" else _PLACES.index(_place(one, listing)) for one in found}

    def largest(one: Change) -> tuple[Any, ...]:
        return -sizes[one.id][0], -sizes[one.id][1], one.lead.written

    by = _by_time(None) if listing.is_ever and listing.order != "size" else largest
    shown = sorted(found, key=lambda one: (places[one.id], by(one)))[:most]
    if listing.order == "size" or listing.is_ever:
        return shown
    return sorted(shown, key=lambda one: (places[one.id], kind_order(one.kind), by(one)))


def _by_time(order: Order | None) -> Callable[[Change], tuple[Any, ...]]:
    """What was written first first, or what landed or was written last."""
    if order == "landed":
        return _last_landed
    sign = 1 if order == "first" else -1
    return lambda one: (sign * one.lead.author.seconds, one.lead.written)


def _last_landed(change: Change) -> tuple[Any, ...]:
    """What landed last first; of what one merge brought, what was committed last."""
    return -_landed(change), -change.lead.committer.seconds, -change.lead.author.seconds, change.lead.written


def _landed(change: Change) -> int:
    return int(max(one.came for one in change.commits).timestamp())


# --- in words


def _what(listing: Listing, number: int = 2) -> str:
    """What is listed: "largest reverted fixes or features"; of one "reverted fix", of several kinds "change"."""
    if listing.relation != "made":
        return "reviews" if listing.relation == "reviewed" else "reviewers and co-authors"
    kinds = [KINDS[kind][1 + (number != 1)] for kind in listing.kinds] or ["change" if number == 1 else "changes"]
    stated = listed([_STATED.get(one, one) for one in listing.states], "or")
    return " ".join(filter(None, ["largest" if listing.order == "size" else "", stated, listed(kinds, "or")]))


def _headline(
    listing: Listing, found: Sequence[Change], every: Sequence[Change], people: Sequence[tuple[str, int]]
) -> str:
    if listing.relation != "made":
        return _of_trailers(listing, found, every, people)
    about, number = f"{listing.about}{listing.at}{_places(listing, found)}", len(found)
    by, what = f" by {listing.whose}" if listing.whose else _by(people), _what(replace(listing, order=None), number)
    if not found:
        others = f", but {kinds_listed(Counter(one.kind for one in every))}" if every and listing.kinds else ""
        return f"There are no {what}{by}{about}{'' if listing.states else others}."
    if listing.is_newest:
        some = what if number == 1 else f"{number:,} {what}"
        by_day = " by the day they landed" if listing.order == "landed" else ""
        return f"The {'first' if listing.order == 'first' else 'last'} {some}{about}{by_day}{by}."
    of_kinds = kinds_listed(Counter(one.kind for one in found)) if listing.kinds and not listing.states else ""
    by_lines = " The largest first, by changed lines, but for what is generated or locked."
    by_size = by_lines if listing.order == "size" else ""
    return f"{of_kinds or f'{number:,} {what}'}{by}{about}.{by_size}"


def _places(listing: Listing, found: Iterable[Change]) -> str:
    """In which repositories changes are, unless it is said already of which release they are."""
    places = where(commit for change in found for commit in change.commits)
    return "" if f"{places} " in listing.about else places


def _by(people: Sequence[tuple[str, int]]) -> str:
    """ "by Ada (3), Grace and 2 others": those of most first, each with how many, if that is more than one."""
    named = [f"{name} ({number:,})" if number > 1 < len(people) else name for name, number in people]
    return f" by {listed_few(named, MOST_BY)}" if named else ""


def _of_trailers(
    listing: Listing, found: Sequence[Change], every: Sequence[Change], people: Sequence[tuple[str, int]]
) -> str:
    about, whose = f"{listing.about}{listing.at}{_places(listing, found)}", listing.whose
    named = people[0][0] if len(people) == 1 else count(len(people), "person", "people")
    if listing.relation == "reviewed":
        said = f"{whose} reviewed {count(len(found), 'change')} by {named}{about}."
        return said if found else f"No commit{about} names {whose} as its reviewer{BY_TRAILERS}"
    if not found:
        whom = f"commit by {whose}" if whose else f"trailer of {listing.place}" if listing.place else "trailer"
        return f"No {whom}{about} names a reviewer or another author{BY_TRAILERS}"
    some = f"{len(found):,} of " if len(found) < len(every) else ""
    of_whom = f" by {whose}" if whose else ""
    what = f"{some}{listing.place}" if listing.place else f"{count(len(found), 'change')}{of_whom}"
    is_reviewed = [role == "" for names in listing.others.values() for role in names.values()]
    if not any(is_reviewed):
        return f"{named} co-wrote {what}{about}; nobody is named as reviewer{BY_TRAILERS}"
    return f"{named} {'reviewed' if all(is_reviewed) else 'reviewed or co-wrote'} {what}{about}."


# --- who worked on something


def who_document(listing: Listing, topic: str | None = None, *, is_new: bool = False) -> TopicDocument:
    """The document of who worked on something: those of most changes first, of equals who made the latest, and of any
    time those of most in the last two years, unless "most" is asked for; by "landed" or "latest" who did so last; by
    "first" who began comes before the others. `is_new`: they are new, which the words say."""
    wanted = ((one, tuple(each for each in one.changes if _is_wanted(each, listing))) for one in listing.spans)
    spans = [replace(one, changes=changes) for one, changes in wanted if changes]
    is_ever = listing.span is None and listing.limit is None and listing.order is None and not is_new
    lately = max(map(_last, spans), default=0) - LATELY if is_ever else 0
    first = min(spans, key=_first, default=None) if listing.order == "first" else None

    def place(one: MonthFacts) -> tuple[Any, ...]:
        by: float = -len(one.changes)
        if listing.order in ("landed", "latest"):
            by = -max(map(_landed, one.changes)) if listing.order == "landed" else -_last(one)
        known = -sum(change.lead.author.seconds >= lately for change in one.changes) if lately else 0
        return known, one != first, by, -_last(one), one.person.name, one.person.addresses

    spans.sort(key=place)
    most = MOST_LAST if listing.order in BY_TIME else MOST_ROWS if is_new else MOST_PEOPLE
    shown = spans[: most if listing.limit is None else min(listing.limit, MOST_ROWS)]
    every = all_changes(spans)
    names = distinct_names([one.person for one in shown])
    ordered = replace(listing, order="first") if is_new else listing
    people = tuple(_on_topic(one, name, ordered) for one, name in zip(shown, names, strict=True))
    rows = [change for one in shown for change in one.changes]
    if len(spans) > 1 and is_ever:
        note = "Who changed it most in the two years to the latest change comes first."
        listing = replace(listing, notes=(note, *listing.notes))
    return TopicDocument(
        title=listing.titled("new contributors" if is_new else "who worked"),
        **_common(listing, every, _who(listing, spans, every, is_new=is_new), rows[:MOST_ROWS]),
        topic=clean(topic) if topic else None,
        counts={"people": len(spans), "commits": len(commits_of(every)), "changes": len(every)},
        people=people,
        more=len(spans) - len(people),
    )


def _on_topic(facts: MonthFacts, name: str, listing: Listing) -> PersonOnTopic:
    zone = ZoneInfo(listing.zone)
    days = sorted(one.lead.author.at.astimezone(zone).date() for one in facts.changes)
    most = MOST_OF_NAMED if listing.whose else MOST_OF_ONE
    ranked = sorted(facts.changes, key=_by_time(listing.order))
    if listing.order not in BY_TIME:
        ranked.sort(key=lambda one: _PLACES.index(_place(one, listing)))
    landed = max(one.came for change in facts.changes for one in change.commits).astimezone(zone).date()
    return PersonOnTopic(
        name=clean(facts.person.name),
        addresses=tuple(map(clean, facts.person.addresses)),
        called=clean(name),
        changes=len(facts.changes),
        first=str(days[0]),
        last=str(days[-1]),
        landed=str(landed),
        rows=tuple(row_of(one, one.shared_by or facts.person.name, listing) for one in ranked[:most]),
    )


def _who(listing: Listing, spans: Sequence[MonthFacts], every: Sequence[Change], *, is_new: bool) -> str:
    about = f"{listing.about}{listing.at}"
    names = list(map(clean, distinct_names([one.person for one in spans])))
    if is_new:
        if len(names) < 2:
            return f"{names[0] if names else 'Nobody'} made a first change{about}."
        return f"{len(names):,} people made their first changes{about}: {listed_few(names, MOST_ROWS)}."
    if not spans:
        what = listed([KINDS[kind][1] for kind in listing.kinds], "or") or "change"
        return f"There is no {what}{f' by {listing.whose}' if listing.whose else ''}{about}."
    changes = kinds_listed(Counter(one.kind for one in every)) if listing.kinds else count(len(every), "change")
    people = clean(spans[0].person.name) if len(spans) == 1 else f"{len(spans):,} people"
    said = f"{people} made {changes}{about}{_places(listing, every)}."
    if len(spans) == 1 or not (lead := _LEADS.get(listing.order or "")):
        return said
    return f"{said} {lead} by {clean(spans[0].person.name)}."


_LEADS = {
    "most": "The most are", "landed": "The latest to land is", "latest": "The latest is", "first": "The first is",
}  # fmt: skip


def _first(facts: MonthFacts) -> int:
    return min(change.lead.author.seconds for change in facts.changes)


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
