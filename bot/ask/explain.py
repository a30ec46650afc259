"""Why a commit is in somebody's month or not: whose it is, when, which change, kind and state, each with its rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from bot.ask.change_lookup import ChangeLookup
from bot.ask.commit_lookup import MOST_NAMED, SHORT, commits_meant
from bot.errors import CommitUnknown
from bot.model import Commit, Correction, Credited, Identity, Kind, Person, RevertEvent
from bot.month.calendar import LAST, Month
from bot.month.corrections import known_by
from bot.month.histories import History, state_of
from bot.month.machines import is_bot
from bot.month.trailers import credits_of, heading_of
from bot.story.quoting import message_of, reason_of
from bot.story.states import on
from bot.story.wording import KIND_NAMES, clean, listed, plain_title, shortened

if TYPE_CHECKING:
    from bot.ask.readable_index import ReadableIndex

SHA_SHOWN = 12  # digits of the SHA of the commit that is explained
LONGEST_TITLE = 80  # of another commit that is named
LONGEST_MESSAGE = 500
_STATES = {
    "landed": "in",
    "backed_out": "backed out",
    "relanded": "back in",
    "partly": "partly backed out",
}
_OF_REVERTS = {**_STATES, "landed": "it stands", "backed_out": "undone", "partly": "partly undone"}
# What happened to a piece of work, to a revert that is one, and to one that reverted another.
_WORDS = {"reverts": "reverted", "relands": "brought back"}
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
class ExplanationLine:
    """One thing that was decided of a commit, and by which rule."""

    about: str
    text: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """What was decided of a commit, in the order in which it is."""

    commit: Commit
    lines: tuple[ExplanationLine, ...]

    @property
    def text(self) -> str:
        """A line each, but for a message of several, under the commit's SHA and subject."""
        head = f"{self.commit.sha[:SHA_SHOWN]} {clean(self.commit.subject)}"
        lines = (line.text.replace("\n", "\n" + 11 * " ") for line in self.lines)
        return "\n".join([head, *(f"  {line.about:<8} {text}" for line, text in zip(self.lines, lines, strict=True))])

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


class Explainer:
    """Says of commits what was decided of them."""

    def __init__(self, index: ReadableIndex) -> None:
        self._index = index
        self._people, self._zone, self._dates = index.known, index.zone, index.store.dates
        self._bots = index.settings.bots

    def explain(self, text: str) -> Explanation:
        """Why a commit is in whose month. Raises CommitUnknown where the text means none, or several."""
        material = self._index.material
        commit = commits_meant(text, material)[0]
        if commit in self._people.unshown:
            raise CommitUnknown("whoever wrote this commit asked not to be shown, so I tell nothing of it")
        beside = self._index.beside(commit)
        commits = commits_meant(commit.sha, material)  # whose lines may have been counted just now
        commit, month = commits[0], [*commits, *beside]
        person = self._people.author(commit)
        message = message_of(commit, LONGEST_MESSAGE)
        lines = [
            *([ExplanationLine("message", f"“{message}”", (commit.sha,))] if message else []),
            self._whose(commit, person),
            *self._helped(commit, person),
            self._month(commit),
            *self._change(commit, month, material.histories(month)),
            ExplanationLine("counted", f"in {listed([clean(one.repository) for one in commits])}", (commit.sha,)),
            self._index.releases.line(commits),
        ]
        return Explanation(commit, tuple(lines))

    def _whose(self, commit: Commit, person: Person | None) -> ExplanationLine:
        author = commit.author
        name = clean(self._people.name_of(commit))
        identity = Identity(author.name, author.address, only=commit.repository)
        signed = f"signed as {clean(author.name)} <{clean(author.address)}>"
        rule = self._people.why(identity, person).replace("linked by hand", "a link made by hand")
        text = f"{name}'s, by {rule}; {signed}"
        if person and is_bot(person, self._bots):
            text += ". A machine by the patterns in `bots`, so it is left out of digests"
        return ExplanationLine("whose", text, (commit.sha,))

    def _helped(self, commit: Commit, person: Person | None) -> Iterator[ExplanationLine]:
        credited = credits_of(commit.body)
        if not credited:
            return
        resolver = self._people.resolver
        known = resolver.credited(credited, person, commit.repository)
        roles = dict.fromkeys(role for role, _ in known)
        said = [
            f"{_DONE[role]} {listed([clean(who.name) for one, who in known if one == role][:MOST_NAMED])}"
            for role in roles
        ]
        own = _names(commit, person)
        strangers = dict.fromkeys(
            _written(one)
            for one in credited
            if resolver.is_unknown(one, commit.repository) and not {one.name.casefold(), one.address.casefold()} & own
        )
        if strangers:
            named = list(strangers)[:MOST_NAMED]
            if len(strangers) > MOST_NAMED:
                named.append(f"{len(strangers) - MOST_NAMED:,} more")
            said.append(f"trailers {'also ' if said else ''}name {listed(named)}, not known here")
        if said:
            yield ExplanationLine("credit", "; ".join(said), (commit.sha,))

    def _month(self, commit: Commit) -> ExplanationLine:
        zone, dates = self._zone, self._dates
        signed = commit.dated(dates)
        month, local = Month.of(signed.at, zone), signed.local
        text = f"{month.title}, by the {dates} date {local:%Y-%m-%d %H:%M} {local:%z} in {zone.key}"
        if (local.year, local.month) != (month.year, month.number) and local.year <= LAST.year:
            there = Month(local.year, local.month)
            text += f" (for its {dates} it was {'still' if there < month else 'already'} {there.title})"
        if Month.of(commit.author.at, zone) < Month.of(commit.came, zone):
            text += {
                "author": f". It was merged on {on(commit.came, zone)}, when the month was over",
                "committer": f". It was written on {on(commit.author.at, zone)}, in an earlier month",
            }[dates]
        return ExplanationLine("month", text, (commit.sha,))

    def _change(
        self, commit: Commit, beside: Sequence[Commit], histories: Mapping[tuple[str, str], History]
    ) -> Iterator[ExplanationLine]:
        if commit.is_merge:
            yield ExplanationLine(
                "change", "a merge: a commit of the month, shown beside the changes, which its own commits are"
            )
            return
        zone = self._zone
        month = Month.of(commit.dated(self._dates).at, zone)
        lookup = ChangeLookup(beside, histories, self._people, zone, self._dates)
        then, after = (lookup.change_of(commit, until) for until in (month.bounds(zone)[1], None))
        history = histories[then.lead.repository, then.lead.sha]
        if commit in history.commits:
            yield _part(commit, history)
        else:
            yield ExplanationLine("change", f"shown with {then.lead.sha[:SHORT]}, which it repairs", then.shas)
        yield from self._done(commit, histories)
        of = "" if then.lead == commit else f", as {then.lead.sha[:SHORT]} is"
        sure = "" if then.is_sure else ", which is not sure"
        kind = f"{KIND_NAMES[then.kind]}{of}, by the rule “{then.rule}”{sure}"
        standing = {one.field: one for one in self._index.corrections().standing(known_by(then, histories))}
        if hand := standing.get("kind"):
            kind = f"{KIND_NAMES[cast(Kind, hand.value)]}{of}, {self._by_hand(hand)}; before that {kind}"
        yield ExplanationLine("kind", kind, (then.lead.sha,))
        if hand := standing.get("title"):
            was = f"before that as its subject has it: “{shortened(plain_title(then.lead.subject), LONGEST_TITLE)}”"
            text = f"“{clean(hand.value)}”{of}, {self._by_hand(hand)}, and not proved; {was}"
            yield ExplanationLine("title", text, (then.lead.sha,))
        if hand := standing.get("hidden"):
            yield ExplanationLine(
                "hidden", f"left out of all months{of}, {self._by_hand(hand)}; before that it was shown", then.shas
            )
        is_revert = then.kind == "revert"
        states = _OF_REVERTS if is_revert else _STATES
        if not month.is_over(self._index.settings.now(), zone):
            text = f"{states[after.state]} so far"
        elif then.state != after.state:
            text = f"at the end of the month {states[then.state]}, now {states[after.state]}"
        else:
            text = f"{states[then.state]}, at the end of the month as well as now"
        words = _WORDS
        revert_events = history.revert_events
        if is_revert:
            place = next((number for number, event in enumerate(revert_events) if event.commit == then.lead), None)
            words = _OF_ITSELF if place is None else _OF_ITS_DEED
            revert_events = revert_events if place is None else revert_events[place + 1 :]
        if not revert_events and then.out:
            revert_events = (then.out,)  # a revert that is known by its lines alone
        if revert_events:
            said = [self._revert_event(event, words) for event in revert_events[:MOST_NAMED]]
            if len(revert_events) > MOST_NAMED:
                said.append(f"and {len(revert_events) - MOST_NAMED:,} times more")
            text += ": " + "; ".join(said)
        yield ExplanationLine("state", text, tuple(event.commit.sha for event in revert_events))

    def _done(self, commit: Commit, histories: Mapping[tuple[str, str], History]) -> Iterator[ExplanationLine]:
        """What a commit reverts or brings back, which may be several pieces of work."""
        title = heading_of(commit).title
        found: dict[str, list[tuple[History, RevertEvent]]] = {"reverts": [], "relands": []}
        for history in {id(one): one for one in histories.values()}.values():
            for event in history.revert_events:
                other = event.commit
                # A revert event is shown by one commit; exports of that have its title.
                is_export = (
                    commit in history.commits
                    and commit not in history.originals
                    and other.repository != commit.repository
                    and heading_of(other).title == title
                )
                if other == commit or is_export:
                    found[event.does].append((history, event))
        for does, deeds in found.items():
            deeds.sort(key=lambda one: one[0].originals[0].written)
            said, shas = [], []
            for history, event in deeds[:MOST_NAMED]:
                work = next(
                    (one for one in history.originals if one.repository == commit.repository), history.originals[0]
                )
                where = "" if work.repository == commit.repository else f" in {clean(work.repository)}"
                state, _, _ = state_of(history.revert_events)
                now = "" if len(deeds) == 1 or does == "relands" else f", now {_STATES[state]}"
                title = shortened(clean(heading_of(work).title), LONGEST_TITLE)
                said.append(
                    f"{'a part of ' if event.partly else ''}{work.sha[:SHORT]} “{title}”{where} by "
                    f"{clean(self._people.name_of(work))}, known by the {event.found_by}{now}"
                )
                shas.append(work.sha)
            if len(deeds) > MOST_NAMED:
                said.append(f"and {len(deeds) - MOST_NAMED:,} more")
            if said:
                yield ExplanationLine({"reverts": "undoes", "relands": "restores"}[does], "; ".join(said), tuple(shas))

    def _by_hand(self, said: Correction) -> str:
        return f"said by hand by {clean(said.by)} on {on(said.at, self._zone)}"

    def _revert_event(self, event: RevertEvent, words: Mapping[str, str]) -> str:
        by = clean(self._people.name_of(event.commit))
        partly = "partly " if event.partly else ""
        sha = event.commit.sha[:SHORT]
        when = on(event.commit.came, self._zone)
        reason = reason_of(event.commit) if event.does == "reverts" else None
        why = f", with the words “{reason.text}”" if reason else ""
        return f"{partly}{words[event.does]} on {when} by {by} ({sha}), known by the {event.found_by}{why}"


def _names(commit: Commit, person: Person | None) -> set[str]:
    """How trailers may write a commit's own author."""
    signed = {commit.author.who, *((one.name, one.address) for one in (person.identities if person else ()))}
    logins = (*person.logins, person.name) if person else ()
    each = {*logins, *(name for name, _ in signed), *(address for _, address in signed)}
    each |= {address.partition("@")[0] for _, address in signed}
    return {one.casefold() for one in each} - {""}


def _written(one: Credited) -> str:
    return clean(f"{one.name} <{one.address}>" if one.name and one.address else one.name or one.address)


def _part(commit: Commit, history: History) -> ExplanationLine:
    shas = tuple(one.sha for one in history.commits)
    others = [one for one in history.commits if one.sha != commit.sha]
    if not others:
        return ExplanationLine("change", "a change of its own", (commit.sha,))
    first = history.originals[0]
    named = [f"{one.sha[:SHORT]} in {clean(one.repository)}" for one in others[:MOST_NAMED]]
    more = f" and {len(others) - MOST_NAMED:,} more" if len(others) > MOST_NAMED else ""
    if commit.sha == first.sha:
        what = ", which began with this"
    elif commit.sha in {one.sha for one in history.originals}:
        what = ": the same work"
    else:
        what = f", which began with {first.sha[:SHORT]}"
    return ExplanationLine("change", f"one change with {listed(named)}{more}{what}", shas)
