"""A theme → an item: a title, what was done, why and with what effect, and what became of it. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from bot.model import Change, Item, Kind, MonthFacts, Sentence, State
from bot.story.bodies.evidence import as_told, why_and_effect
from bot.story.effects import Effects
from bot.story.grouping.themes import Theme
from bot.story.proving.proof import Proof
from bot.story.standing import standing
from bot.story.wording import clean, count, ended, listed, plain_title, shortened, told
from bot.story.words.sentences import as_clause, sentence
from bot.story.words.titles import title, title_of

REST = "Also"  # the title of what belongs to nothing else
FEW = 4  # changes of a theme, of each of which it is told why
TOGETHER = 3  # changes that are told in one sentence
MOST_TOLD = 20  # changes of a theme that are told in words; the others are counted, and their commits are there
MOST_NAMED = 20  # the same of the rest
LONGEST_PLAIN = 120
LONGEST_TEXT = 1_600  # characters, beyond which other changes and what became of them are only counted
_VERB = re.compile(r"(?:worked on|added support for|[a-z]+(?:ed|ote|ade|uilt|ut|et)) ")
_ARE = {"Backed": "were", "Partly": "were", "Back": "are"}


class Items:
    """Tells the themes of one month. What does not hold is told in plain words, and counted by the proof."""

    def __init__(self, facts: MonthFacts, proof: Proof, found: Effects | None = None) -> None:
        """`found` is told as impact, and so not here once more."""
        self._facts = facts
        self._proof = proof
        self._found = found or {}
        self._sentences_of: dict[int, tuple[Change, str]] = {}  # a change is kept, so that no other gets its number

    def of(self, theme: Theme, most: int | None = None) -> Item:
        """A theme as told, in so many sentences at most. Its evidence is every commit of its changes."""
        changes, lead = theme.changes, theme.changes[0]
        repository = _home(changes)
        evidence = tuple(dict.fromkeys(sha for change in changes for sha in change.shas))
        called = REST if theme.is_rest else self._title(changes, evidence)
        return Item(
            title=called,
            sentences=tuple(islice(self._told(theme, called.partition(": ")[0], repository), most)),
            kind=_most_common(changes) if theme.is_rest else lead.kind,
            state=_state(changes),
            repository=repository,
            refs=tuple(dict.fromkeys(ref for change in changes for ref in _refs(change, repository))),
            evidence=evidence,
        )

    def _title(self, changes: Sequence[Change], evidence: tuple[str, ...]) -> str:
        if changes[0].title:
            return changes[0].title  # a person's own words, which a note says
        return self._proof.said(Sentence(_title(changes), evidence), plain_title(changes[0].lead.subject)).text

    def _told(self, theme: Theme, component: str, repository: str) -> Iterator[Sentence]:
        yield from self._sentences(theme, component)
        yield from _elsewhere(theme.changes, repository)

    def _sentences(self, theme: Theme, component: str) -> Iterator[Sentence]:
        changes = theme.changes
        most = MOST_NAMED if theme.is_rest else MOST_TOLD
        if not theme.is_rest:
            did = as_clause(self._sentence(changes[0]))
            again = [one for one in changes if as_clause(self._sentence(one)) == did]
            why = self._why(theme.lead)
            yield from self._lead(theme.lead, again, why)
            # What only took the others out again is told with what became of them.
            told_later = [one for one in changes if one.kind == "revert"] if changes[0].kind != "revert" else []
            told_later = told_later if changes[0].state == "backed_out" else []
            changes, most = _without(changes, [*again, *told_later]), most - 1
            if not changes:
                yield from self._written_together(theme.changes[1:])
                yield from self._fates(theme.changes)
                return
        if not theme.is_rest and len(theme.changes) <= FEW:
            # By text: what one body says is often said in the next of a stack as well.
            said_already = {why.text} if why else set[str]()
            unexplained = []
            for change in changes:
                if (reason_of_it := self._why(change)) and reason_of_it.text not in said_already:
                    said_already.add(reason_of_it.text)
                    yield self._did(change)
                    yield reason_of_it
                else:
                    unexplained.append(change)
            changes = tuple(unexplained)
        told = 0
        for said, of in self._others(changes[:most], component, also=not theme.is_rest):
            if told + len(said.text) > LONGEST_TEXT:
                break
            yield said
            told += len(said.text)
            changes = _without(changes, of)
        if changes:
            more = f"{count(len(changes), 'more change')} {'is' if len(changes) == 1 else 'are'} among its commits."
            yield Sentence(more, _shas(changes))
        yield from self._written_together(theme.changes if theme.is_rest else theme.changes[1:])
        yield from self._fates(theme.changes)

    def _written_together(self, changes: Sequence[Change]) -> Iterator[Sentence]:
        for change in changes:
            if change.is_shared:
                yield self._together(change, f"{_called(change)} was written")

    def _lead(self, change: Change, again: Sequence[Change], why: Sentence | None) -> Iterator[Sentence]:
        """What the change that speaks for a theme did, and how often; why and with what effect, where its body says so.

        `again` are the changes of the same words, itself the first."""
        did = self._did(change)
        if len(again) > 1:
            did = Sentence(f"{did.text.removesuffix('.')} ({len(again)} changes).", _shas(again))
        yield did
        if why:
            yield why
        if change.is_shared:
            yield self._together(change, "Written")

    def _together(self, change: Change, written: str) -> Sentence:
        text = f"{written} by {clean(change.shared_by)}, together with {clean(self._facts.person.name)}."
        return Sentence(text, change.shas)

    def _why(self, change: Change) -> Sentence | None:
        body, subject = change.lead.body, change.lead.subject
        if change.kind == "revert":
            from bot.story.bodies.reason import reason  # few months have any, and its patterns take long to load

            why = reason(body, subject)
            text = f"“{why}”." if why else ""
        else:
            found = why_and_effect(body, subject)
            if found and any(effect.text in found for effect in self._found.get(change.id, ())):
                found = None
            said, is_quote = as_told(found) if found else ("", False)
            text = f"“{said.removesuffix('.')}”." if is_quote else said
        if not text:
            return None
        return next(iter(self._proof.held([Sentence(text, change.shas)])), None)

    def _others(
        self, changes: Sequence[Change], component: str, *, also: bool
    ) -> Iterator[tuple[Sentence, Sequence[Change]]]:
        """What the other changes did, a few in a sentence, with the changes of each; what was done several times is
        said once. The component that the title names is not said again."""
        by_words: dict[str, list[Change]] = {}
        for change in changes:
            words = as_clause(self._sentence(change))
            label = f" ({component})"
            if words.casefold().endswith(label.casefold()):
                words = words[: -len(label)]
            by_words.setdefault(words, []).append(change)
        said = list(by_words.items())
        for start in range(0, len(said), TOGETHER):
            some = said[start : start + TOGETHER]
            of_them = [change for _, of in some for change in of]
            counts = [f"{len(of)} changes" for _, of in some if len(of) > 1]
            text = joined([f"{words} ({len(of)} changes)" if len(of) > 1 else words for words, of in some])
            text = ended(f"Also {text}" if also and start == 0 else f"{text[:1].upper()}{text[1:]}")
            if not self._proof.faults(Sentence(text, _shas(of_them)), counts):
                yield Sentence(text, _shas(of_them)), of_them
            else:
                yield from ((self._did(change), [change]) for change in of_them)

    def _fates(self, changes: Sequence[Change]) -> Iterator[Sentence]:
        """How changes stood when the month was over, unless they simply landed; the same fate is told once."""
        shared: dict[str, list[Change]] = {}
        for change in changes:
            if text := standing(change, self._facts):
                shared.setdefault(text, []).append(change)
        own = [change for change in changes if change.kind != "revert"]
        told = 0
        for text, of in shared.items():
            small = f"{text[:1].lower()}{text[1:]}"
            are = _ARE.get(text.partition(" ")[0], "")
            if len(changes) == 1:
                said = text
            elif are and len(of) == len(own) > 1:
                said, of = f"{'Both' if len(of) == 2 else 'All of them'} {are} {small}", list(changes)
            else:
                said = f"{listed([_called(change) for change in of[:MOST_NAMED]])}: {small}"
            told += len(said)
            if told > LONGEST_TEXT and len(changes) > 1:
                did = {"backed": "backed out", "back": "back in", "partly": "partly backed out"}.get(small.split()[0])
                said = f"{count(len(of), 'more change')} of these {'is' if len(of) == 1 else 'are'} {did or 'undone'}."
            yield Sentence(said, _shas(of))

    def _did(self, change: Change) -> Sentence:
        """What was done, or where that does not hold just which change it was, in the words of its commit."""
        return self._proof.said(Sentence(self._sentence(change), change.shas), f"Made the change {_called(change)}.")

    def _sentence(self, change: Change) -> str:
        """What was done, in the words of its commit: looked for once, however often it is compared and told."""
        found = self._sentences_of.get(id(change))
        if found is None:
            found = self._sentences_of[id(change)] = change, sentence(change.lead.subject, _paths(change))
        return found[1]


def _title(changes: Sequence[Change]) -> str:
    if len(changes) == 1:
        return title(changes[0].lead.subject, _paths(changes[0]))
    subjects = [change.lead.subject for change in changes]
    return title_of(subjects, _paths(changes[0]), [change.kind for change in changes])


def _home(changes: Sequence[Change]) -> str:
    """The repository that most of the changes are in."""
    counted = Counter(change.lead.repository for change in changes)
    return min(counted, key=lambda name: (-counted[name], name))


def _elsewhere(changes: Sequence[Change], home: str) -> Iterator[Sentence]:
    """How many of the changes are in another repository than the one that the item is told under."""
    elsewhere: dict[str, list[Change]] = {}
    for change in changes:
        if all(commit.repository != home for commit in change.commits):
            elsewhere.setdefault(change.lead.repository, []).append(change)
    for name, of in sorted(elsewhere.items()):
        are = "is" if len(of) == 1 else "are"
        yield Sentence(f"{count(len(of), 'change')} of these {are} in {clean(name)}.", _shas(of))


def _refs(change: Change, repository: str) -> Iterator[str]:
    """The pull requests of a change, with their repository where that is another than the item's."""
    for ref in change.refs:
        elsewhere = change.lead.repository != repository and ref.startswith("#")
        yield f"{clean(change.lead.repository)}{ref}" if elsewhere else ref


def _most_common(changes: Sequence[Change]) -> Kind:
    counted = Counter(change.kind for change in changes)
    return min(counted, key=lambda kind: (-counted[kind], told(kind)))


def _state(changes: Sequence[Change]) -> State:
    """The state of all changes, where it is one; what is partly out is not simply landed."""
    states = {change.state for change in changes if change.kind != "revert"} or {change.state for change in changes}
    if len(states) == 1:
        return states.pop()
    return "partly" if states & {"backed_out", "partly"} else "landed"


def joined(clauses: Sequence[str]) -> str:
    """ "added a, fixed b and moved c", "added a, b and c"; with semicolons where a clause has commas, or an "and" of
    its own."""
    if any("," in one or " and " in one or "“" in one for one in clauses):
        return "; ".join(clauses)
    said: list[str] = []
    before = ""
    for one in clauses:
        verb = _VERB.match(one)
        did = verb[0] if verb else ""
        said.append(one.removeprefix(did) if did == before else one)
        before = did
    return listed(said) if len(said) == len(clauses) and _is_plain(clauses, said) else listed(clauses)


def _is_plain(clauses: Sequence[str], said: Sequence[str]) -> bool:
    """Whether what shares a verb stands at the beginning or is all there is: "fixed a, b and moved c" is no list."""
    shared = [one != other for one, other in zip(clauses, said, strict=True)]
    return not any(shared) or all(shared[1:])


def _called(change: Change) -> str:
    return f"“{shortened(change.title or plain_title(change.lead.subject), LONGEST_PLAIN)}”"


def _without(changes: Sequence[Change], others: Sequence[Change]) -> tuple[Change, ...]:
    told = set(map(id, others))
    return tuple(change for change in changes if id(change) not in told)


def _shas(changes: Sequence[Change]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sha for change in changes for sha in change.shas))


def _paths(change: Change) -> list[str]:
    return [file.path for file in change.lead.files]
