"""References or a topic → what commits did and why, whose they are, what became of them and in which release they are;
by which rules a commit is in somebody's month or not; and what people say of a change by hand."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from bot.ask.readable_index import NOT_SHOWN
from bot.errors import CommitUnknown
from bot.model import (
    ITS_ADDRESS,
    Change,
    Commit,
    CorrectedField,
    Identity,
    Key,
    Kind,
    Person,
    RevertEvent,
    Said,
    Signatures,
    State,
    is_called,
)
from bot.month.addresses import plain
from bot.month.calendar import Month
from bot.month.corrections import checked, known_by
from bot.month.credits import credits_of, is_bot, is_machine
from bot.month.histories import History, month_changes, state_of
from bot.month.kinds import decided as decided_kind
from bot.month.message import heading_of, meaning_of
from bot.month.paths import lines_of
from bot.story.lines import on, says_more
from bot.story.quoting import blocks, may_have_reason, reason_of, sentences
from bot.wording import KIND_NAMES, capital, clean, count, few, listed, listed_few, shortened
from storage.search import is_named, is_said

if TYPE_CHECKING:
    from bot.ask.readable_index import Material, ReadableIndex

SHA_SHOWN = 12  # digits of the SHA of the commit that is explained
SHORT = 9  # digits of a SHA that is named
MOST_NAMED = 8
MOST_FILES = 4  # of a commit that are named
MOST_OF_TOPIC = 3  # changes beside the one that a topic came with
MOST_FOUND = 200  # commits on a topic
LONGEST_TITLE = 80  # of another commit that is named
NO_WHY = "the message gives none"
# Of a message, where that of one commit is told, of the first of several, or of the others.
LONGEST_WHY, LONGEST_OF_FIRST, LONGEST_BRIEF = 700, 480, 160
MOST_ITEMS = 3  # of a message that is a list
LONGEST_MESSAGE, LONGEST_OF_SEVERAL = 3_000, 600  # of what a message says in all
FEWEST_BLANKS = 2  # in what says anything
_SHA = re.compile(r"[0-9a-f]{4,64}", re.IGNORECASE)
_PULL = re.compile(r"(?P<repository>[\w.+~-]+(?:/[\w.+~-]+)*)?[#!](?P<number>\d+)")
_BESIDE = frozenset[Kind](("docs", "test", "build", "ci", "revert", "release"))  # what a topic is about last of all
_STATES: dict[State, str] = {
    "landed": "in",
    "backed_out": "backed out",
    "relanded": "back in",
    "partly": "partly backed out",
}
_OF_REVERTS: dict[State, str] = {**_STATES, "landed": "it stands", "backed_out": "undone", "partly": "partly undone"}
_WORDS = {"reverts": "reverted", "relands": "brought back"}
_DID = {"reverts": "it reverts", "relands": "it brings back"}
_DONE = {
    "coauthor": "written together with",
    "reviewer": "reviewed by",
    "tester": "tested by",
    "reporter": "reported by",
    "suggester": "suggested by",
    "helper": "helped by",
}


# --- which commit is meant


def commits_meant(text: str, index: ReadableIndex, repositories: Collection[str] = ()) -> list[Commit]:
    """The commit that a SHA, the beginning of one, or a "#12" means, in each repository that has it, which may be named
    by the last part of its name. Where it may mean several, those of some repositories go
    before others.

    Raises CommitUnknown where there is none, or more than one.
    """
    wanted = text.strip().strip("`<>?.,:").rstrip("!")
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
            f"branches are indexed, and no open pull requests"
        )
    each: dict[str, Commit] = {}
    for one in [one for one in found if one.repository in repositories] or found:
        each.setdefault(one.sha, one)
    every = list(each.values())
    if len(every) > 1:
        some = [f"{one.sha[:SHORT]} ({clean(one.repository)}: {clean(one.subject)[:50]})" for one in every]
        more, named = "write the SHA" if pull else "write more digits", [one.sha[:SHA_SHOWN] for one in every]
        where = [clean(one.repository) for one in every]
        if pull and len(set(where)) == len(where):
            named = [f"{name}#{pull['number']}" for name in where]
            more = f"write {listed(named[:MOST_NAMED], 'or')}"
        raise CommitUnknown(f"{wanted} may be {listed(some[:MOST_NAMED], 'or')}: {more}", named[:MOST_NAMED])
    return sorted(index.by_sha(every[0].sha), key=lambda one: one.repository)


def _of_pull(repository: str | None, number: int, index: ReadableIndex) -> list[Commit]:
    """The commits of a pull request, of each repository that has one of that number if none is named."""
    found = index.by_pull(repository, number)
    names = [one for one in dict.fromkeys(one.repository for one in found) if is_called(one, repository)]
    # Exports to other repositories name it too.
    return [one for name in names for one in index.by_pull(name, number) if one.repository == name] or found


def change_of(
    commit: Commit,
    beside: Sequence[Commit],
    histories: Mapping[Key, History],
    index: ReadableIndex,
    until: datetime | None,
) -> Change:
    """The change that its author's month tells a commit in, which is no merge, as it stood at a time: by the rules,
    whatever was said of it by hand. `beside` is what else there is of that month, and `histories` are those of all of
    these and of what is tied to them."""
    people, dates, zone = index.known, index.store.dates, index.zone
    person = people.author(commit)
    own = person.signatures if person else Signatures([Identity(*commit.author.who)])
    tied = (one for history in {id(one): one for one in histories.values()}.values() for one in history.commits)
    theirs = [one for one in tied if one in own or any(own.overlaps(who.signatures) for who in people.coauthors(one))]
    month = Month.of(commit.dated(dates).at, zone)
    every = {one.key: one for one in (*theirs, *beside)}.values()
    of_month = [one for one in every if Month.of(one.dated(dates).at, zone) == month]
    changes = month_changes(of_month, histories, until, people.name_of)
    return next(change for change in changes if commit in change.commits)


# --- what is told


@dataclass(frozen=True, slots=True)
class ExplanationLine:
    """One thing that is known of a commit."""

    about: str
    text: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What is known of a commit. `brief` is what people ask for: why, whose, fate, copies, release. `decided` is what
    was decided of it besides, in the order in which it is, each with its rule. `message` is what its author wrote below
    the subject, without trailers, a line a paragraph."""

    schema: Literal[1] = 1
    sha: str
    repository: str
    subject: str
    author: str
    written_on: str
    came_on: str
    state: State
    decided: tuple[ExplanationLine, ...]
    brief: tuple[ExplanationLine, ...]
    message: str | None = None

    @property
    def text(self) -> str:
        """All of it, a line each, but for a message of several, under the commit's SHA and subject."""
        return self._under_subject(self.brief + self.decided)

    @property
    def short(self) -> str:
        """What is told in the same form, without the rules by which it was decided."""
        return self._under_subject(self.brief)

    def _under_subject(self, lines: Iterable[ExplanationLine]) -> str:
        said = (f"  {line.about:<8} {line.text.replace(chr(10), chr(10) + 11 * ' ')}" for line in lines)
        return "\n".join([f"{self.sha[:SHA_SHOWN]} {shortened(self.subject)}", *said])


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanations:
    """What is known of several commits, or of a topic: what it came with first, as the note says, then the best."""

    schema: Literal[1] = 1
    topic: str | None = None
    explained: tuple[Explanation, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def short(self) -> str:
        """All of it, briefly."""
        return "\n".join([*(one.short for one in self.explained), *self.notes])


_MERGE = ExplanationLine(
    "change", "a merge: a commit of the month, shown beside the changes, which its own commits are"
)


class Explainer:
    """Says of commits what is known of them, as far as a reader may know.

    Where it is asked in which releases they are, `releases` are those that are asked about, if any."""

    def __init__(self, index: ReadableIndex, releases: Sequence[str] | None = None) -> None:
        self._index, self._asked = index, releases
        self._people, self._zone, self._dates = index.known, index.zone, index.store.dates
        self._bots, self._corrections = index.settings.bots, index.corrections()

    def of_each(self, references: Sequence[str], repositories: Collection[str] = ()) -> Explanations:
        """What is known of several commits. Of which there is none, or several, a note says so.

        Raises CommitUnknown where that is all of them.
        """
        found, unknown = dict[str, Explanation](), list[CommitUnknown]()
        for reference in dict.fromkeys(references):
            try:
                commits = commits_meant(reference, self._index, repositories)
                if commits[0].sha not in found:
                    found[commits[0].sha] = self._explained(commits, is_brief=len(references) > 1)
            except CommitUnknown as error:
                unknown.append(error)
        if unknown and not found:
            meant = [reference for error in unknown for reference in error.meant]
            raise CommitUnknown("; ".join(dict.fromkeys(map(str, unknown))), meant)
        notes = tuple(f"{capital(str(one))}." for one in unknown)
        return Explanations(explained=tuple(found.values()), notes=notes)

    def of_topic(
        self,
        material: Material,
        begun: Sequence[Commit] = (),
        people: Sequence[Person] = (),
        *,
        reverted: bool = False,
        kinds: Sequence[Kind] = (),
        deed: str = "",
    ) -> Explanations:
        """The best changes on what the index is about: those that say it in their titles, and why in their messages,
        the largest first; of everybody but machines, or of some people; with `reverted` of those that were ever taken
        out, and of some `kinds`, if there are any; what has a `deed` in its title first. Of what it came with, the
        first that names it in the repository of the best stands before them, as a note says.

        Raises CommitUnknown where nothing is found."""
        sought = self._index.scope
        topics, said = sought.topic, clean(" OR ".join(sought.topic or sought.paths))
        called = [path.strip("/").rpartition("/")[2] for path in sought.paths]
        histories = self._index.histories([*begun, *material.commits])
        # Who are of one name may have been put together for this question: no author of the index is them.
        theirs = Signatures(identity for one in people for identity in one.identities)

        def is_shown(one: Commit) -> bool:
            author = self._people.author(one)
            is_asked = one in theirs if people else not (author and is_bot(author, self._bots))
            return is_asked and not self._corrections.hides(one, histories)

        every = list(filter(is_shown, (*begun, *material.commits)))
        if not every:
            raise CommitUnknown(f"no commit on “{said}” is indexed")
        shown, works = {one.key for one in every}, dict[str, Commit]()
        for one in every:  # what a change began with stands for its exports, reverts and re-lands
            history = histories[one.key]
            works.setdefault(history.id, next((first for first in history.originals if first.key in shown), one))
        inside, kind_of = sought.inside(works.values()), {one.key: decided_kind(one).kind for one in works.values()}

        def rank(one: Commit) -> tuple[object, ...]:
            titled = bool(topics) and material.found.get(one.key) == "subject"
            titled = titled or any(is_said(words, one.subject) for words in (*topics, *called))
            is_named_so = any(is_named(words, one.subject) for words in topics)
            is_done = any(is_said(verb.removesuffix("e"), one.subject) for verb in deed.split(" OR "))
            size = lines_of([file for file in one.files if inside is None or inside(file.path)])
            is_beside = kind_of[one.key] in _BESIDE
            return -titled, not is_done, not is_named_so, is_beside, not one.body, -size, -one.came.timestamp()

        def was_out(one: Commit) -> bool:
            is_out = any(event.does == "reverts" for event in histories[one.key].revert_events)
            return is_out or kind_of[one.key] == "revert"

        best, notes, wanted = sorted(works.values(), key=rank), list[str](), dict[str, list[Commit]]()
        if reverted:
            wanted["is known to have been reverted"] = list(filter(was_out, best))
        if kinds:
            named = listed([KIND_NAMES[kind] for kind in kinds], "or")
            wanted[f"is told by its title to be a {named}"] = [one for one in best if kind_of[one.key] in kinds]
        for what, some in wanted.items():
            notes += [] if some else [f"No change on “{said}” {what}."]
            best = [one for one in best if one in some] or best
        firsts = [one for one in self._began(begun, topics) if one.key in shown]
        firsts = [works[histories[one.key].id] for one in firsts if one.repository == best[0].repository]
        # A test or a page of docs brings nothing that others bring as well.
        first = next(
            (one for one in firsts if kind_of[one.key] not in _BESIDE or kind_of[best[0].key] in _BESIDE), None
        )
        if first:
            best = [first, *(one for one in best if one != first)]
            notes.append(f"The first of these is the first in the index that names “{said}”.")
        chosen = best[: MOST_OF_TOPIC + bool(first)]
        if rest := best[len(chosen) :]:
            many = f"{'At least ' * material.is_newest}{len(rest):,} more on “{said}”"
            hashes = listed_few([one.sha[:SHORT] for one in rest], MOST_NAMED)
            notes.append(f"{many} {'is' if len(rest) == 1 else 'are'} not shown: {hashes}.")
        asked = self._asked is not None
        explained = [
            self._explained(
                [one], is_brief=len(chosen) > 1, with_release=asked or one == first,
                longest=LONGEST_BRIEF if number else LONGEST_OF_FIRST,
            )
            for number, one in enumerate(chosen)
        ]  # fmt: skip
        return Explanations(topic=said, explained=tuple(explained), notes=tuple(notes))

    def _began(self, commits: Sequence[Commit], topics: Sequence[str]) -> list[Commit]:
        """The oldest first: of commits that name a topic in their titles, else say it there."""
        old = sorted(commits, key=lambda one: (one.came, one.author.at, one.key))
        named = (
            [one for one in old if any(has(topic, one.subject) for topic in topics)] for has in (is_named, is_said)
        )
        return next(filter(None, named), [])

    def _explained(
        self, commits: list[Commit], *, is_brief: bool = False, with_release: bool = True, longest: int = LONGEST_BRIEF
    ) -> Explanation:
        """What is known of a commit in the repositories that have it. In brief its message is cut, at the `longest`,
        and copies that only releases have are not looked for."""
        index, keys, unshown = self._index, {one.key for one in commits}, self._people.unshown
        if commits[0] in unshown:
            raise CommitUnknown(NOT_SHOWN)
        merged = index.store.commits.brought(commits[0]) if commits[0].is_merge else []
        works = [one for one in merged if one not in unshown] or commits[:1]
        beside = index.beside(max(works, key=_size))
        # Lines may have been counted just now.
        commits = [one for one in index.by_sha(commits[0].sha) if one.key in keys]
        commit, works = commits[0], works if commits[0].is_merge else commits[:1]
        lead = max(works, key=_size)  # which of what a topic merge brought speaks for its fate
        month, is_asked = [*commits, lead, *beside], self._asked is not None
        histories, person = index.histories(month), self._people.author(commit)
        changed, fate, state = self._change(lead, month, histories)
        longest, most = (longest, LONGEST_OF_SEVERAL) if is_brief else (LONGEST_WHY, LONGEST_MESSAGE)
        said = ((why, one.sha) for one in dict.fromkeys((commit, *works)) if (why := why_of(one, longest)))
        why, source = next(said, ("", commit.sha))
        files = listed_few([clean(one.path) for one in lead.files], MOST_FILES)
        size = f"{count(len(lead.files), 'file')}, {count(lines_of(lead.files), 'line')}"
        about = [
            ExplanationLine("why", f"“{why}”" if why else NO_WHY, (source,)),
            *([ExplanationLine("files", f"it changes {files}: {size}", (lead.sha,))] if files else []),
        ]
        merge = [one for one in index.stored({commit.repository: [lead.via or ""]}) if one not in unshown]
        titles = [(one.sha, title) for one in merge if (title := _titled(one)) not in (_titled(lead), one.subject)]
        about += [ExplanationLine("merge", f"it came with {sha[:SHORT]} “{title}”", (sha,)) for sha, title in titles]
        whose = self._came(commits, works, self._helped(commit, person))
        became = [fate] if fate.evidence else [] if is_brief else [replace(fate, evidence=(lead.sha,))]
        copies = self._copies(lead, commits, histories, is_brief=is_brief)
        outs = list[Commit]()
        if is_asked and state == "backed_out":  # it may still be in what is asked about
            outs = [one.commit for one in histories[lead.key].revert_events if one.does == "reverts"][-1:]
        release = [self._release(commits, outs)] if with_release else []
        # What is asked for goes first: of several in which release each is, whose, and what became of it.
        in_order = [*about, whose, *became, *copies, *release]
        if is_asked:
            in_order = [*release, *copies, *([] if is_brief else about), whose, *became]
        return Explanation(
            sha=commit.sha,
            repository=clean(commit.repository),
            subject=clean(commit.subject),
            author=clean(self._people.name_of(lead)),
            written_on=lead.author.at.astimezone(self._zone).date().isoformat(),
            came_on=commit.came.astimezone(self._zone).date().isoformat(),
            state=state,
            decided=(self._author(commit, person), self._month(commit), *([_MERGE] if commit.is_merge else changed)),
            brief=tuple(in_order),
            message=shortened("\n".join(one.text for one in blocks(commit.body)), most) or None,
        )

    # --- whose, when and where

    def _author(self, commit: Commit, person: Person | None) -> ExplanationLine:
        author = commit.author
        name = clean(self._people.name_of(commit))
        signed = f"signed as {clean(author.name)} <{clean(author.address)}>"
        own = (one.by for one in person.identities if commit in Signatures([one])) if person else iter(())
        rule = next(own, ITS_ADDRESS).replace("linked by hand", "a link made by hand")
        text = f"{name}'s, by {rule}; {signed}"
        if person and is_bot(person, self._bots):
            text += ". A machine by the patterns in `bots`, so it is left out of digests"
        return ExplanationLine("author", text, (commit.sha,))

    def _helped(self, commit: Commit, person: Person | None) -> str:
        """Whom the trailers name, and as what; those who are not known here as they are written."""
        resolver, said, credited = self._people.resolver, dict[str, dict[str, None]](), credits_of(commit.body)
        for role, who in resolver.credited(credited, person, commit.repository):
            said.setdefault(_DONE[role], {})[clean(who.name)] = None
        own = {plain(one) for one in commit.author.who}
        for one in (one for one in credited if resolver.is_unknown(one, commit.repository)):
            if own.isdisjoint((plain(one.name), plain(one.address))):
                written = f"{one.name} <{one.address}>" if one.name and one.address else one.name or one.address
                said.setdefault(_DONE[one.role], {})[clean(written)] = None
        return "".join(f"; {done} {listed_few(list(who), MOST_NAMED)}" for done, who in said.items())

    def _came(self, commits: Sequence[Commit], works: Sequence[Commit], helped: str) -> ExplanationLine:
        """Whose a commit is, or what it merged, when that was written, and when it came to each repository."""
        commit, zone = commits[0], self._zone
        written = on(max(one.author.at for one in works), zone)
        names = list(dict.fromkeys(clean(self._people.name_of(one)) for one in works))
        came = {clean(one.repository): on(one.came, zone) for one in commits}
        days = listed([f"{name} {'that day' if day == written else f'on {day}'}" for name, day in came.items()])
        text = f"{listed_few(names, MOST_NAMED)}'s, written on {written}; it came to {days}"
        return ExplanationLine("whose", f"{text}{helped}", (commit.sha,))

    def _month(self, commit: Commit) -> ExplanationLine:
        signed = commit.dated(self._dates)
        text = f"{Month.of(signed.at, self._zone).title}, by the {self._dates} date {signed.local:%Y-%m-%d %H:%M %z}"
        return ExplanationLine("month", f"{text} in {self._zone.key}", (commit.sha,))

    def _copies(
        self, lead: Commit, commits: Sequence[Commit], histories: Mapping[Key, History], *, is_brief: bool
    ) -> list[ExplanationLine]:
        """The same change elsewhere: its exports and picks in the index, and what only releases have of it, which is
        not looked for in brief unless releases are asked about."""
        history, shas, releases = histories.get(lead.key), {one.sha for one in (lead, *commits)}, self._index.releases
        same = history.originals if history and lead in history.originals else ()
        found = {one.sha: f"in {clean(one.repository)}, {on(one.came, self._zone)}" for one in same}
        for one in () if is_brief and self._asked is None else commits:
            for sha, tag in releases.copies(lead if lead.via == one.sha else one):
                found.setdefault(sha, f"in {clean(one.repository)} {releases.tagged(tag)}")
        copies = [f"{sha[:SHORT]} {where}" for sha, where in found.items() if sha not in shas]
        if copies:
            return [ExplanationLine("copies", f"the same change is {listed_few(copies, MOST_NAMED)}", tuple(found))]
        none = ExplanationLine("copies", "no cherry-pick, backport or export of it is known", (lead.sha,))
        return [] if is_brief or self._asked is not None else [none]

    def _release(self, commits: Sequence[Commit], outs: Sequence[Commit]) -> ExplanationLine:
        """In which release commits are, and what took them out."""
        each = [(one, self._index.releases.holding(one, self._asked)) for one in commits]
        said = "; ".join(f"{clean(one.repository)}: {there}" if len(each) > 1 else there for one, there in each)
        for one in outs:
            said += f"; {one.sha[:SHORT]}, which took it out, is {self._index.releases.holding(one, self._asked)}"
        return ExplanationLine("release", said, (commits[0].sha,))

    # --- which change, of which kind, and what became of it

    def _change(
        self, commit: Commit, beside: Sequence[Commit], histories: Mapping[Key, History]
    ) -> tuple[list[ExplanationLine], ExplanationLine, State]:
        """What was decided of the change, what became of the commit in short, and its state now."""
        if commit.is_merge:
            return [], ExplanationLine("fate", "in: nothing is known of what it merged"), "landed"
        month = Month.of(commit.dated(self._dates).at, self._zone)
        end = month.bounds(self._zone)[1]
        then, after = (change_of(commit, beside, histories, self._index, until) for until in (end, None))
        fate, state = self._fate(commit, then, after.state, histories)
        states = _OF_REVERTS if then.kind == "revert" else _STATES
        if not month.is_over(self._index.settings.now(), self._zone):
            text = f"{states[after.state]} so far"
        elif then.state != after.state:
            text = f"at the end of the month {states[then.state]}, now {states[after.state]}"
        else:
            text = f"{states[then.state]}, at the end of the month as well as now"
        of = "" if then.lead == commit else f", as {then.lead.sha[:SHORT]} is"
        sure = "" if then.is_sure else ", which is not sure"
        kind = f"{KIND_NAMES[then.kind]}{of}, by the rule “{then.rule}”{sure}"
        decided = [ExplanationLine("kind", kind, (then.lead.sha,))]
        for hand in self._corrections.standing(known_by(then, histories)):
            value = "left out of all months" if hand.action == "hidden" else f"{hand.action} “{clean(hand.value)}”"
            value += ", which is not proved" if hand.action == "title" else ""
            text_by = f"{value}{of}, said by {clean(hand.by)} on {on(hand.at, self._zone)}"
            decided.append(ExplanationLine("by hand", text_by, then.shas))
        return [*decided, ExplanationLine("state", text, fate.evidence)], fate, state

    def _fate(
        self, commit: Commit, change: Change, state: State, histories: Mapping[Key, History]
    ) -> tuple[ExplanationLine, State]:
        """What a commit did to others, what became of it, which may be a revert of its author's own work, and its state
        now."""
        history, name_of = histories[change.lead.key], self._people.name_of
        every, became = {id(one): one for one in histories.values()}.values(), dict[str, str]()
        deeds = [(_done_to(of, one), one) for of in every for one in of.revert_events if one.commit == commit]
        for work, event in sorted(deeds, key=lambda deed: (deed[1].does != "reverts", deed[0].written)):
            part = "a part of " if event.partly else ""
            what = f"{part}{work.sha[:SHORT]} “{_titled(work)}” by {clean(name_of(work))}"
            became[work.sha] = f"{_DID[event.does]} {what}"
        events, words, states = history.revert_events, _WORDS, _STATES
        own = (number for number, one in enumerate(events) if one.commit == commit and one.does == "reverts")
        if (place := next(own, None)) is not None:  # what brought the work back undid it
            state = "landed" if state_of(events)[0] in ("backed_out", "partly") else "backed_out"
            events, states = events[place + 1 :], _OF_REVERTS
            words = {"reverts": "done again", "relands": "undone"}
        elif change.kind == "revert" and change.lead == commit:
            words, states = {"reverts": "undone", "relands": "done again"}, _OF_REVERTS
        if not events and change.out and place is None:
            events = (change.out,)  # a revert that is known by its lines alone
        for event in (one for one in events if one.commit.sha != commit.sha):
            when, by = on(event.commit.came, self._zone), clean(name_of(event.commit))
            how = f"{'partly ' if event.partly else ''}{words[event.does]}"
            became[event.commit.sha] = f"{how} on {when} by {by} ({event.commit.sha[:SHORT]}){_reason(event, history)}"
        said = "; ".join(few(list(became.values()), MOST_NAMED))
        if not said:
            return ExplanationLine("fate", "in: nothing is known to have reverted it"), state
        said = said if said.startswith(states[state]) else f"{states[state]}: {said}"
        return ExplanationLine("fate", said, tuple(became)), state


def _done_to(history: History, event: RevertEvent) -> Commit:
    """What a commit took out, or brought back: what began the work, or brought it back last before that."""
    before = history.revert_events[: history.revert_events.index(event)] if event.does == "reverts" else ()
    return next((one.commit for one in reversed(before) if one.does == "relands"), history.originals[0])


def _reason(event: RevertEvent, history: History) -> str:
    """Why something was taken out: the reverter's sentence, else a title that says more than that it was."""
    if event.does != "reverts":
        return ""
    if reason := reason_of(event.commit):
        return f": “{reason}”"
    if says_more(event.commit, history.originals[0]):
        return f": “{_titled(event.commit)}”"
    return "" if may_have_reason(event.commit) else ", whose message gives no reason"


def why_of(commit: Commit, longest: int = LONGEST_BRIEF) -> str:
    """What the author says why: the first sentences of the message. Of a revert it may be nothing although the message
    says what it reverts."""
    if meaning_of(commit.subject).does == "reverts":
        if reason := reason_of(commit):
            return reason
        if not may_have_reason(commit):
            return ""
    every = [
        one for one in blocks(commit.body)
        if one.part != "tested" and one.text.count(" ") >= FEWEST_BLANKS and one.text not in commit.subject
    ]  # fmt: skip
    if not every:  # all may stand in the first paragraph, which is the subject
        return shortened(" ".join(list(sentences(clean(heading_of(commit).title)))[1:]), longest)
    said, prose = "", [one for one in every if one.kind == "prose"]
    for block in prose or [one for one in every if one.kind == "item"][:MOST_ITEMS]:
        for number, one in enumerate(sentences(block.text)):
            if said and len(said) + len(one) >= longest:
                return f"{said} …"
            said += f"{' ' if number else chr(10) if said else ''}{'' if prose else '- '}{one}"
        is_open = bool(prose) and (not block.is_whole or block.text.endswith((",", ":", ";")))
        said += " …" if is_open else ""  # what it goes on with, as code or a list, is left out
    return shortened(said, longest)


def _size(commit: Commit) -> int:
    return lines_of(commit.files)


def _titled(commit: Commit) -> str:
    return shortened(clean(heading_of(commit).title), LONGEST_TITLE)


# --- what people say of a change by hand


@dataclass(frozen=True, slots=True)
class Correctable:
    """A change that something can be said of. `change` is as it is shown now, `before` as it is by the rules."""

    change: Change
    before: Change
    standing: tuple[Said, ...]  # what counts for it now, at most one a field
    addresses: frozenset[str]  # under which people wrote it: whoever corrects it speaks for all of them
    month: Month  # of the commit that was named
    shas: tuple[str, ...]  # it is known by these; what is said is kept under the first

    @property
    def is_hidden(self) -> bool:
        return any(one.action == "hidden" for one in self.standing)


class Corrector:
    """Reads and writes what is said by hand. Who may say it is for the caller to know."""

    def __init__(self, index: ReadableIndex) -> None:
        self._index = index
        self._store, self._zone, self._now = index.store, index.zone, index.settings.now

    def of(self, text: str) -> Correctable:
        """The change that the month of its author tells a commit in, which `text` means: a SHA, the beginning of one,
        or #12. Raises CommitUnknown where it means none, several, or a merge."""
        commits = commits_meant(text, self._index)
        commit = commits[0]
        if commit.is_merge:
            raise CommitUnknown(f"{commit.sha[:9]} is a merge: name one of the commits that it merged")
        month = Month.of(commit.dated(self._store.dates).at, self._zone)
        beside = [*commits, *self._index.beside(commit)]
        histories = self._index.histories(beside)
        until = month.bounds(self._zone)[1]
        before = change_of(commit, beside, histories, self._index, until)
        said = self._index.corrections()
        shas = known_by(before, histories)
        (corrected,) = said.described([before], histories)
        history = histories[before.lead.repository, before.lead.sha]
        begun = history.originals if shas[0] == history.id else (before.lead,)
        addresses = self._addresses([*history.originals, *begun, *before.commits])
        return Correctable(corrected, before, said.standing(shas), addresses, month, shas)

    def correct(self, one: Correctable, field: CorrectedField, value: str, by: str) -> Said:
        """Keep what somebody says of a change, once. Raises AlmanacError where the value is none for the field."""
        about, value = " ".join(one.shas), checked(field, value)
        same = next((each for each in one.standing if (each.action, each.value) == (field, value)), None)
        return same or self._store.said.say("change", field, [about], value, by, self._now())[0]

    def undo(self, one: Correctable, by: str, field: CorrectedField | None = None) -> Said | None:
        """Undo what was said last of a change, or of a field of it; what was said before counts again."""
        said = self._index.corrections().of(one.shas)
        last = next((each for each in reversed(said) if field in (None, each.action)), None)
        return self._store.said.undo("change", last.number, by, self._now()) if last else None

    def log(self) -> list[tuple[Said, Commit | None]]:
        """All that was ever said, oldest first, undone or not, each with the commit that it was said of: None where
        there is none, as after a rebase."""
        each = ((one, (self._index.by_sha(sha) for sha in one.about.split())) for one in self._store.said.log("change"))
        return [(one, next((commit for some in found for commit in some), None)) for one, found in each]

    def _addresses(self, commits: Sequence[Commit]) -> frozenset[str]:
        """The addresses of those who wrote the commits; of machines only where nobody else did."""
        signed = {one.author.who for one in commits}
        people = {who for who in signed if not is_machine(*who, self._index.settings.bots)}
        return frozenset(address for _, address in people or signed)
