"""Why a commit is in somebody's month or not: whose it is, when, which change, kind and state, each with its rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from bot.ask.everybody import Everybody
from bot.errors import CommitUnknown
from bot.model import Commit, Identity, Person, Turn
from bot.month.calendar import Month
from bot.month.histories import History
from bot.month.kinds import decided
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
    elif _SHA.fullmatch(wanted):
        found = index.by_sha(wanted.lower())
    else:
        raise CommitUnknown(f"{clean(text)!r} is no commit: write the first digits of its SHA, or #12 of its subject")
    if not found:
        raise CommitUnknown(
            f"no commit {wanted} is indexed: check the digits, or run `almanac index` if it is new; only default "
            f"branches are indexed"
        )
    if len({one.sha for one in found}) > 1:
        some = [f"{one.sha[:SHORT]} ({clean(one.repository)}: {clean(one.subject)[:50]})" for one in found]
        raise CommitUnknown(f"{wanted} may be {listed(some[:MOST_NAMED], 'or')}: write more digits")
    return sorted(found, key=lambda one: one.repository)


def explained(
    commits: Sequence[Commit],
    history: History | None,
    everybody: Everybody,
    zone: ZoneInfo,
    *,
    bots: Sequence[str],
    dates: str = "author",
) -> Explanation:
    """All that was decided of a commit. `history` is what it belongs to; a merge has none."""
    commit = commits[0]
    person = everybody.author(commit.author)
    lines = [
        _whose(commit, person, everybody, bots),
        *_helped(commit, person, everybody),
        _month(commit, zone, dates),
        *_change(commit, history, everybody, zone),
        Line("counted", f"in {listed([clean(one.repository) for one in commits])}", (commit.sha,)),
    ]
    return Explanation(commit, tuple(lines))


def _whose(commit: Commit, person: Person | None, everybody: Everybody, bots: Sequence[str]) -> Line:
    author = commit.author
    name = clean(person.name if person else author.name)
    identity = Identity(author.name, author.address)
    signed = f"signed as {clean(author.name)} <{clean(author.address)}>"
    text = f"{name}'s, by {everybody.rules().why(identity)}; {signed}"
    if person and is_bot(person, bots):
        text += ". A machine by the patterns in `bots`, so it is left out of digests"
    return Line("whose", text, (commit.sha,))


def _helped(commit: Commit, person: Person | None, everybody: Everybody) -> Iterator[Line]:
    credited = credits_of(commit.body)
    if not credited:
        return
    known = everybody.resolver().credited(credited, person)
    roles = dict.fromkeys(role for role, _ in known)
    said = [
        f"{_DONE[role]} {listed([clean(who.name) for one, who in known if one == role][:MOST_NAMED])}" for role in roles
    ]
    unknown = len(credited) - len(known)
    if unknown > 0:
        said.append(f"{count(unknown, 'other trailer')} {'names' if unknown == 1 else 'name'} nobody known here")
    yield Line("credit", "; ".join(said), (commit.sha,))


def _month(commit: Commit, zone: ZoneInfo, dates: str) -> Line:
    which = commit.author if dates == "author" else commit.committer
    month = Month.of(which.at, zone)
    written = which.local
    offset = written.strftime("%z")
    text = f"{month.title}, by the {dates} date {written:%Y-%m-%d %H:%M} {offset} in {zone.key}"
    if Month.of(written, ZoneInfo("UTC")) != month and (written.year, written.month) != (month.year, month.number):
        text += f" (for its author it was still or already {Month(written.year, written.month).title})"
    if dates == "author" and Month.of(commit.committer.at, zone) != month:
        text += f". It was merged on {on(commit.committer.at, zone)}, when the month was over"
    return Line("month", text, (commit.sha,))


def _change(commit: Commit, history: History | None, everybody: Everybody, zone: ZoneInfo) -> Iterator[Line]:
    if commit.is_merge:
        yield Line("change", "a merge: a commit of the month, told beside the changes, which its own commits are")
        return
    decision = decided(commit)
    sure = "" if decision.is_sure else ", which is not sure"
    if history is None:
        yield Line("kind", f"{decision.kind}, by the rule “{decision.rule}”{sure}", (commit.sha,))
        return
    yield _part(commit, history)
    yield Line("kind", f"{decision.kind}, by the rule “{decision.rule}”{sure}", (commit.sha,))
    end = Month.of(commit.author.at, zone).bounds(zone)[1]
    then, now = history.at(end), history.at(None)
    turns = [_turn(turn, everybody, zone) for turn in history.turns]
    text = f"{_STATES[then.state]}, at the end of the month as well as now"
    if then.state != now.state:
        text = f"at the end of the month {_STATES[then.state]}, now {_STATES[now.state]}"
    if turns:
        text += ": " + "; ".join(turns)
    yield Line("state", text, tuple(turn.commit.sha for turn in history.turns))


def _part(commit: Commit, history: History) -> Line:
    others = [one for one in history.commits if one.sha != commit.sha]
    if not others:
        return Line("change", "a change of its own", (commit.sha,))
    first = history.originals[0]
    named = [f"{one.sha[:SHORT]} in {clean(one.repository)}" for one in others[:MOST_NAMED]]
    more = f" and {len(others) - MOST_NAMED:,} more" if len(others) > MOST_NAMED else ""
    what = "its beginning" if commit.sha == first.sha else f"begun by {first.sha[:SHORT]}"
    text = f"one change with {listed(named)}{more}; this is {what}"
    if commit.sha == first.sha or commit.sha not in {one.sha for one in history.originals}:
        return Line("change", text, tuple(one.sha for one in history.commits))
    return Line(
        "change", f"one change with {listed(named)}{more}: the same work", tuple(o.sha for o in history.commits)
    )


def _turn(turn: Turn, everybody: Everybody, zone: ZoneInfo) -> str:
    person = everybody.author(turn.commit.author)
    by = clean(person.name if person else turn.commit.author.name)
    done = "taken out" if turn.does == "takes out" else "brought back"
    partly = "partly " if turn.partly else ""
    sha = turn.commit.sha[:SHORT]
    return f"{partly}{done} on {on(turn.commit.committer.at, zone)} by {by} ({sha}), known by the {turn.found_by}"
