"""Why a commit is in somebody's month or not: whose it is, when, which change, kind and state, each with its rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from bot.ask.everybody import Everybody
from bot.errors import CommitUnknown
from bot.model import Change, Commit, Dates, Identity, Person, Turn
from bot.month.calendar import LAST, Month
from bot.month.changes import month_changes
from bot.month.histories import History
from bot.month.people import is_bot
from bot.month.trailers import credits_of
from bot.story.standing import on
from bot.story.wording import clean, count, listed

SHORT = 9
MOST_NAMED = 8
_SHA = re.compile(r"[0-9a-f]{4,64}", re.IGNORECASE)
_PULL = re.compile(r"(?:(?P<repository>[\w.-]+/[\w.-]+))?#(?P<number>\d+)")
_STATES = {
    "landed": "in",
    "backed_out": "backed out",
    "relanded": "back in",
    "partly": "partly backed out",
}
_OF_REVERTS = {**_STATES, "landed": "it stands", "backed_out": "undone", "partly": "partly undone"}
_DONE = {
    "coauthor": "written together with",
    "reviewer": "reviewed by",
    "tester": "tested by",
    "reporter": "reported by",
    "suggester": "suggested by",
    "helper": "helped by",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was decided of a commit, and by which rule."""

    about: str
    text: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """What was decided of a commit, in the order in which it is."""

    commit: Commit
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """A line each, under the commit's SHA and subject."""
        head = f"{self.commit.sha[:12]} {clean(self.commit.subject)}"
        return "\n".join([head, *(f"  {line.about:<8} {line.text}" for line in self.lines)])

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "schema": 1,
            "sha": self.commit.sha,
            "repository": clean(self.commit.repository),
            "subject": clean(self.commit.subject),
            "decided": [
                {"about": line.about, "text": line.text, "evidence": list(line.evidence)} for line in self.lines
            ],
        }


class Index(Protocol):
    """Where commits are looked up; what the reader may not read of is not there."""

    def by_sha(self, beginning: str) -> list[Commit]: ...
    def by_pull(self, repository: str | None, number: int) -> list[Commit]: ...


def commits_meant(text: str, index: Index) -> list[Commit]:
    """The commit that a SHA, the beginning of one, or a "#12" means, in each repository that has it.

    Raises CommitUnknown where there is none, or more than one.
    """
    wanted = text.strip().strip("`<>?.!,:")
    if pull := _PULL.fullmatch(wanted):
        found = index.by_pull(pull["repository"], int(pull["number"]))
        # Exports to other repositories name it too.
        found = [one for one in found if one.repository.casefold() == (pull["repository"] or "").casefold()] or found
    elif _SHA.fullmatch(wanted):
        found = index.by_sha(wanted.lower())
    else:
        raise CommitUnknown(f"{clean(text)!r} is no commit: write the first digits of its SHA, or #12 of its subject")
    if not found:
        raise CommitUnknown(
            f"no commit {wanted} is indexed: check the digits, or run `almanac index` if it is new; only default "
            f"branches are indexed"
        )
    each = {one.sha: one for one in reversed(found)}
    if len(each) > 1:
        some = [
            f"{one.sha[:SHORT]} ({clean(one.repository)}: {clean(one.subject)[:50]})" for one in reversed(each.values())
        ]
        more = "write the SHA" if pull else "write more digits"
        raise CommitUnknown(f"{wanted} may be {listed(some[:MOST_NAMED], 'or')}: {more}")
    return sorted(index.by_sha(found[0].sha), key=lambda one: one.repository)


def explained(
    commits: Sequence[Commit],
    histories: Mapping[tuple[str, str], History],
    everybody: Everybody,
    zone: ZoneInfo,
    now: datetime,
    *,
    bots: Sequence[str],
    dates: Dates = "author",
) -> Explanation:
    """All that was decided of a commit. `histories` are those of all that is tied to it; a merge has none."""
    commit = commits[0]
    person = everybody.author(commit.author)
    lines = [
        _whose(commit, person, everybody, bots),
        *_helped(commit, person, everybody),
        _month(commit, zone, dates),
        *_change(commit, histories, everybody, zone, now, dates),
        Line("counted", f"in {listed([clean(one.repository) for one in commits])}", (commit.sha,)),
    ]
    return Explanation(commit, tuple(lines))


def _whose(commit: Commit, person: Person | None, everybody: Everybody, bots: Sequence[str]) -> Line:
    author = commit.author
    name = clean(person.name if person else author.name)
    identity = Identity(author.name, author.address)
    signed = f"signed as {clean(author.name)} <{clean(author.address)}>"
    rule = everybody.rules().why(identity).replace("linked by hand", "a link made by hand")
    text = f"{name}'s, by {rule}; {signed}"
    if person and is_bot(person, bots):
        text += ". A machine by the patterns in `bots`, so it is left out of digests"
    return Line("whose", text, (commit.sha,))


def _helped(commit: Commit, person: Person | None, everybody: Everybody) -> Iterator[Line]:
    credited = credits_of(commit.body)
    if not credited:
        return
    resolver = everybody.resolver()
    known = resolver.credited(credited, person)
    roles = dict.fromkeys(role for role, _ in known)
    said = [
        f"{_DONE[role]} {listed([clean(who.name) for one, who in known if one == role][:MOST_NAMED])}" for role in roles
    ]
    if unknown := sum(resolver.person(one) is None for one in credited):
        trailers = count(unknown, "other trailer" if said else "trailer")
        said.append(f"{trailers} {'names' if unknown == 1 else 'name'} nobody known here")
    if said:
        yield Line("credit", "; ".join(said), (commit.sha,))


def _month(commit: Commit, zone: ZoneInfo, dates: Dates) -> Line:
    signed = commit.dated(dates)
    month, local = Month.of(signed.at, zone), signed.local
    text = f"{month.title}, by the {dates} date {local:%Y-%m-%d %H:%M} {local:%z} in {zone.key}"
    if (local.year, local.month) != (month.year, month.number) and local.year <= LAST.year:
        there = Month(local.year, local.month)
        text += f" (for its {dates} it was {'still' if there < month else 'already'} {there.title})"
    if Month.of(commit.author.at, zone) < Month.of(commit.committer.at, zone):
        text += {
            "author": f". It was merged on {on(commit.committer.at, zone)}, when the month was over",
            "committer": f". It was written on {on(commit.author.at, zone)}, in an earlier month",
        }[dates]
    return Line("month", text, (commit.sha,))


def _change(
    commit: Commit,
    histories: Mapping[tuple[str, str], History],
    everybody: Everybody,
    zone: ZoneInfo,
    now: datetime,
    dates: Dates,
) -> Iterator[Line]:
    if commit.is_merge:
        yield Line("change", "a merge: a commit of the month, told beside the changes, which its own commits are")
        return
    month = Month.of(commit.dated(dates).at, zone)
    view = [one for one in _theirs(commit, histories, everybody) if Month.of(one.dated(dates).at, zone) == month]
    then, after = (_told(commit, view, histories, until) for until in (month.bounds(zone)[1], None))
    history = histories[then.lead.repository, then.lead.sha]
    if commit in history.commits:
        yield _part(commit, history)
    else:
        yield Line("change", f"told with {then.lead.sha[:SHORT]}, which it repairs", then.shas)
    of = "" if then.lead == commit else f", as the kind of {then.lead.sha[:SHORT]}"
    sure = "" if then.is_sure else ", which is not sure"
    yield Line("kind", f"{then.kind}, by the rule “{then.rule}”{of}{sure}", (then.lead.sha,))
    states = _OF_REVERTS if then.kind == "revert" else _STATES
    if not month.is_over(now, zone):
        text = f"{states[after.state]} so far"
    elif then.state != after.state:
        text = f"at the end of the month {states[then.state]}, now {states[after.state]}"
    else:
        text = f"{states[then.state]}, at the end of the month as well as now"
    if history.turns:
        text += ": " + "; ".join(_turn(turn, everybody, zone) for turn in history.turns)
    yield Line("state", text, tuple(turn.commit.sha for turn in history.turns))


def _theirs(commit: Commit, histories: Mapping[tuple[str, str], History], everybody: Everybody) -> list[Commit]:
    """The commits of histories that the author of one of them has made."""
    person = everybody.author(commit.author)
    own = {(one.name, one.address) for one in person.identities} if person else set()
    own.add((commit.author.name, commit.author.address))
    each = {id(history): history for history in histories.values()}.values()
    every = {(one.repository, one.sha): one for history in each for one in history.commits}
    return [one for one in every.values() if (one.author.name, one.author.address) in own]


def _told(
    commit: Commit, view: Sequence[Commit], histories: Mapping[tuple[str, str], History], until: datetime | None
) -> Change:
    """The change that a month tells a commit in."""
    # All are one person's, under whatever name.
    changes = month_changes(view, histories, until, lambda _: "")
    return next(change for change in changes if commit in change.commits)


def _part(commit: Commit, history: History) -> Line:
    shas = tuple(one.sha for one in history.commits)
    others = [one for one in history.commits if one.sha != commit.sha]
    if not others:
        return Line("change", "a change of its own", (commit.sha,))
    first = history.originals[0]
    named = [f"{one.sha[:SHORT]} in {clean(one.repository)}" for one in others[:MOST_NAMED]]
    more = f" and {len(others) - MOST_NAMED:,} more" if len(others) > MOST_NAMED else ""
    if commit.sha == first.sha:
        what = ", which began with this"
    elif commit.sha in {one.sha for one in history.originals}:
        what = ": the same work"
    else:
        what = f", which began with {first.sha[:SHORT]}"
    return Line("change", f"one change with {listed(named)}{more}{what}", shas)


def _turn(turn: Turn, everybody: Everybody, zone: ZoneInfo) -> str:
    person = everybody.author(turn.commit.author)
    by = clean(person.name if person else turn.commit.author.name)
    done = "taken out" if turn.does == "takes out" else "brought back"
    partly = "partly " if turn.partly else ""
    sha = turn.commit.sha[:SHORT]
    return f"{partly}{done} on {on(turn.commit.committer.at, zone)} by {by} ({sha}), known by the {turn.found_by}"
