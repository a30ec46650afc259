"""Why a commit is in somebody's month or not: whose it is, when, which change, kind and state, each with its rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from bot.ask.everybody import Everybody
from bot.ask.told import told_in
from bot.errors import CommitUnknown
from bot.model import Commit, Correction, Credited, Dates, Identity, Person, RevertEvent
from bot.month.calendar import LAST, Month
from bot.month.corrections import NOTHING_SAID, Corrections, known_by
from bot.month.histories import History
from bot.month.people import is_bot
from bot.month.subjects import numbers_of
from bot.month.trailers import credits_of
from bot.story.states import on
from bot.story.wording import clean, listed, plain_title, shortened

SHORT, SHA_SHOWN = 9, 12  # digits of other commits' SHAs, and of that of the commit that is explained
MOST_NAMED = 8
_SHA = re.compile(r"[0-9a-f]{4,64}", re.IGNORECASE)
LONGEST_TITLE = 80  # of another commit that is named
_PULL = re.compile(r"(?P<repository>(?:[\w.-]+/)?[\w.-]+)?#(?P<number>\d+)")
_STATES = {
    "landed": "in",
    "backed_out": "backed out",
    "relanded": "back in",
    "partly": "partly backed out",
}
_OF_REVERTS = {**_STATES, "landed": "it stands", "backed_out": "undone", "partly": "partly undone"}
# What happened to a piece of work, to a revert that is one, and to one that took another out.
_WORDS = {"reverts": "taken out", "relands": "brought back"}
_OF_ITSELF = {"reverts": "undone", "relands": "done again"}
_OF_ITS_DEED = {"reverts": "done again", "relands": "undone"}
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
        head = f"{self.commit.sha[:SHA_SHOWN]} {clean(self.commit.subject)}"
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
    """Where commits are looked up; what the reader may not read of is not there.

    A repository may be named by the last part of its name.
    """

    def by_sha(self, beginning: str) -> list[Commit]: ...
    def by_pull(self, repository: str | None, number: int) -> list[Commit]: ...


def commits_meant(text: str, index: Index) -> list[Commit]:
    """The commit that a SHA, the beginning of one, or a "#12" means, in each repository that has it.

    Raises CommitUnknown where there is none, or more than one.
    """
    wanted = text.strip().strip("`<>?.!,:")
    pull = _PULL.fullmatch(wanted)
    if pull:
        found = _of_pull(pull["repository"], int(pull["number"]), index)
    elif _SHA.fullmatch(wanted):
        found = index.by_sha(wanted.lower())
    else:
        raise CommitUnknown(f"{clean(text)!r} is no commit: write the first digits of its SHA, or #12 of its subject")
    if not found:
        raise CommitUnknown(
            f"no commit {wanted} is indexed: check the digits, or run `almanac index` if it is new; only default "
            f"branches are indexed"
        )
    each: dict[str, Commit] = {}
    for one in found:
        each.setdefault(one.sha, one)
    if len(each) > 1:
        every = list(each.values())
        some = [f"{one.sha[:SHORT]} ({clean(one.repository)}: {clean(one.subject)[:50]})" for one in every]
        more = "write more digits"
        if pull:
            repositories = [clean(one.repository) for one in every]
            is_one_each = len(set(repositories)) == len(repositories)
            names = [f"{name}#{pull['number']}" for name in repositories[:MOST_NAMED]]
            more = f"write {listed(names, 'or')}" if is_one_each else "write the SHA"
        raise CommitUnknown(f"{wanted} may be {listed(some[:MOST_NAMED], 'or')}: {more}")
    return sorted(index.by_sha(found[0].sha), key=lambda one: one.repository)


def _of_pull(repository: str | None, number: int, index: Index) -> list[Commit]:
    """The commits of a pull request, of each repository that has one of that number if none is named."""
    found = index.by_pull(repository, number)
    own: list[Commit] = []  # exports to other repositories name it too
    for name in dict.fromkeys(one.repository for one in found):
        if repository is None or repository.casefold() in (name.casefold(), name.casefold().rpartition("/")[2]):
            own += [one for one in index.by_pull(name, number) if one.repository == name]
    return own or found


def explained(
    commits: Sequence[Commit],
    beside: Sequence[Commit],
    histories: Mapping[tuple[str, str], History],
    everybody: Everybody,
    zone: ZoneInfo,
    now: datetime,
    *,
    bots: Sequence[str],
    dates: Dates = "author",
    corrections: Corrections = NOTHING_SAID,
) -> Explanation:
    """All that was decided of a commit, given in each repository that has it. `beside` is what else there is of its
    author's month, and `histories` are those of all of these and of what is tied to them; a merge has none."""
    commit = commits[0]
    person = everybody.author(commit)
    lines = [
        _whose(commit, person, everybody, bots),
        *_helped(commit, person, everybody, bots),
        _month(commit, zone, dates),
        *_change(commit, beside, histories, everybody, zone, now, dates, corrections),
        Line("counted", f"in {listed([clean(one.repository) for one in commits])}", (commit.sha,)),
    ]
    return Explanation(commit, tuple(lines))


def _whose(commit: Commit, person: Person | None, everybody: Everybody, bots: Sequence[str]) -> Line:
    author = commit.author
    name = clean(everybody.name_of(commit))
    identity = Identity(author.name, author.address, only=commit.repository)
    signed = f"signed as {clean(author.name)} <{clean(author.address)}>"
    rule = everybody.why(identity, person).replace("linked by hand", "a link made by hand")
    text = f"{name}'s, by {rule}; {signed}"
    if person and is_bot(person, bots):
        text += ". A machine by the patterns in `bots`, so it is left out of digests"
    return Line("whose", text, (commit.sha,))


def _helped(commit: Commit, person: Person | None, everybody: Everybody, bots: Sequence[str]) -> Iterator[Line]:
    credited = credits_of(commit.body)
    if not credited:
        return
    resolver = everybody.resolver()
    known = resolver.credited(credited, person, commit.repository)
    roles = dict.fromkeys(role for role, _ in known)
    said = [
        f"{_DONE[role]} {listed([clean(who.name) for one, who in known if one == role][:MOST_NAMED])}" for role in roles
    ]
    own = _names(commit, person)
    strangers = dict.fromkeys(
        _written(one)
        for one in credited
        if resolver.is_unknown(one, commit.repository)
        and not {one.name.casefold(), one.address.casefold()} & own
        and not is_bot(Person(one.name, (Identity(one.name, one.address),)), bots)
    )
    if strangers:
        named = list(strangers)[:MOST_NAMED]
        if len(strangers) > MOST_NAMED:
            named.append(f"{len(strangers) - MOST_NAMED:,} more")
        said.append(f"trailers {'also ' if said else ''}name {listed(named)}, not known here")
    if said:
        yield Line("credit", "; ".join(said), (commit.sha,))


def _names(commit: Commit, person: Person | None) -> set[str]:
    """How trailers may write a commit's own author."""
    signed = {commit.author.who, *((one.name, one.address) for one in (person.identities if person else ()))}
    logins = (*person.logins, person.name) if person else ()
    each = {*logins, *(name for name, _ in signed), *(address for _, address in signed)}
    each |= {address.partition("@")[0] for _, address in signed}
    return {one.casefold() for one in each} - {""}


def _written(one: Credited) -> str:
    return clean(f"{one.name} <{one.address}>" if one.name and one.address else one.name or one.address)


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
    beside: Sequence[Commit],
    histories: Mapping[tuple[str, str], History],
    everybody: Everybody,
    zone: ZoneInfo,
    now: datetime,
    dates: Dates,
    corrections: Corrections,
) -> Iterator[Line]:
    if commit.is_merge:
        yield Line("change", "a merge: a commit of the month, told beside the changes, which its own commits are")
        return
    month = Month.of(commit.dated(dates).at, zone)
    then, after = (
        told_in(commit, beside, histories, everybody, zone, dates, until) for until in (month.bounds(zone)[1], None)
    )
    history = histories[then.lead.repository, then.lead.sha]
    if commit in history.commits:
        yield _part(commit, history)
    else:
        yield Line("change", f"told with {then.lead.sha[:SHORT]}, which it repairs", then.shas)
    yield from _done(commit, histories, everybody)
    of = "" if then.lead == commit else f", as {then.lead.sha[:SHORT]} is"
    sure = "" if then.is_sure else ", which is not sure"
    kind = f"{then.kind}{of}, by the rule “{then.rule}”{sure}"
    standing = {one.field: one for one in corrections.standing(known_by(then, histories))}
    if hand := standing.get("kind"):
        kind = f"{hand.value}{of}, {_by_hand(hand, zone)}; before that {then.kind}, by the rule “{then.rule}”{sure}"
    yield Line("kind", kind, (then.lead.sha,))
    if hand := standing.get("title"):
        was = f"before that as its subject has it: “{shortened(plain_title(then.lead.subject), LONGEST_TITLE)}”"
        text = f"“{clean(hand.value)}”{of}, {_by_hand(hand, zone)}, and not proved; {was}"
        yield Line("title", text, (then.lead.sha,))
    if hand := standing.get("hidden"):
        yield Line("hidden", f"left out of all months{of}, {_by_hand(hand, zone)}; before that it was told", then.shas)
    is_revert = then.kind == "revert"
    states = _OF_REVERTS if is_revert else _STATES
    if not month.is_over(now, zone):
        text = f"{states[after.state]} so far"
    elif then.state != after.state:
        text = f"at the end of the month {states[then.state]}, now {states[after.state]}"
    else:
        text = f"{states[then.state]}, at the end of the month as well as now"
    words = _WORDS
    turns = history.turns
    if is_revert:
        place = next((number for number, turn in enumerate(turns) if turn.commit == then.lead), None)
        words = _OF_ITSELF if place is None else _OF_ITS_DEED
        turns = turns if place is None else turns[place + 1 :]
    if not turns and then.out:
        turns = (then.out,)  # a revert that is known by its lines alone
    if turns:
        said = [_turn(turn, words, everybody, zone) for turn in turns[:MOST_NAMED]]
        if len(turns) > MOST_NAMED:
            said.append(f"and {len(turns) - MOST_NAMED:,} times more")
        text += ": " + "; ".join(said)
    yield Line("state", text, tuple(turn.commit.sha for turn in turns))


def _done(commit: Commit, histories: Mapping[tuple[str, str], History], everybody: Everybody) -> Iterator[Line]:
    """What a commit takes out or brings back, which may be several pieces of work."""
    title = numbers_of(commit.subject)[0]
    found: dict[str, list[tuple[History, RevertEvent]]] = {"reverts": [], "relands": []}
    for history in {id(one): one for one in histories.values()}.values():
        for turn in history.turns:
            other = turn.commit
            # A turn is told by one commit; exports of that have its title.
            is_export = (
                commit in history.commits
                and commit not in history.originals
                and other.repository != commit.repository
                and numbers_of(other.subject)[0] == title
            )
            if other == commit or is_export:
                found[turn.does].append((history, turn))
    for does, deeds in found.items():
        deeds.sort(key=lambda one: (one[0].originals[0].author.seconds, one[0].id))
        said, shas = [], []
        for history, turn in deeds[:MOST_NAMED]:
            work = next((one for one in history.originals if one.repository == commit.repository), history.originals[0])
            where = "" if work.repository == commit.repository else f" in {clean(work.repository)}"
            now = "" if len(deeds) == 1 or does == "relands" else f", now {_STATES[history.at(None).state]}"
            title = shortened(clean(numbers_of(work.subject)[0]), LONGEST_TITLE)
            said.append(
                f"{'a part of ' if turn.partly else ''}{work.sha[:SHORT]} “{title}”{where} by "
                f"{clean(everybody.name_of(work))}, known by the {turn.found_by}{now}"
            )
            shas.append(work.sha)
        if len(deeds) > MOST_NAMED:
            said.append(f"and {len(deeds) - MOST_NAMED:,} more")
        if said:
            yield Line({"reverts": "undoes", "relands": "restores"}[does], "; ".join(said), tuple(shas))


def _by_hand(said: Correction, zone: ZoneInfo) -> str:
    return f"said by hand by {clean(said.by)} on {on(said.at, zone)}"


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


def _turn(turn: RevertEvent, words: Mapping[str, str], everybody: Everybody, zone: ZoneInfo) -> str:
    by = clean(everybody.name_of(turn.commit))
    partly = "partly " if turn.partly else ""
    sha = turn.commit.sha[:SHORT]
    when = on(turn.commit.committer.at, zone)
    return f"{partly}{words[turn.does]} on {when} by {by} ({sha}), known by the {turn.found_by}"
