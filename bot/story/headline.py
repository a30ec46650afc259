"""The first words of a month: how much, where, what it was about, and what of it did not stay. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.model import Change, Item, Kind, MonthFacts, Sentence
from bot.month.facts import by_kind, by_repository
from bot.story.proving.proof import Proof
from bot.story.standing import state_counts, stayed
from bot.story.wording import clean, count, ended, kinds_listed, listed, when
from bot.story.words.verbs import VERBS, verb_of

MOST_ABOUT = 3  # items that a headline names
READ = 2_000  # characters of a body, to see how a word is written
MANY = 8  # changes from which on their kinds are counted
_NOUNS = frozenset(form for verb in VERBS.values() for form in (verb.noun, verb.ing) if form)
_ORDINARY = _NOUNS | {
    "no",
    "a",
    "an",
    "the",
    "new",
    "initial",
    "missing",
    "better",
    "more",
    "first",
    "use",
    "end",
    "stop",
}
_LABEL = re.compile(r"([^\s:“](?:[^:“]{0,28}[^\s:“])?): (?=\S)")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def headline(facts: MonthFacts, items: Sequence[Item], proof: Proof) -> Sentence:
    """One or two sentences. `items` are those of changes, in the order told, without a last one of leftovers."""
    at = when(facts.month, facts.to_date)
    evidence = tuple(dict.fromkeys(commit.sha for commit in facts.commits))
    name = clean(facts.person.name)
    if not facts.commits:
        if helped := tuple(dict.fromkeys(sha for one in facts.helped for sha in one.evidence)):
            return Sentence(f"{name} has no commits {at}, but helped with {count(len(helped), 'other')}.", helped)
        return Sentence(f"{name} has no commits {at}.", ())
    where = listed([clean(repository.name) for repository, _, _ in by_repository([facts])])
    branches = count(len({merge.sha for merge in facts.merges}), "branch", "branches")
    own = [change for change in facts.changes if not change.is_shared]
    shared = count(len(facts.changes) - len(own), "change")
    changes = count(len(own), "change")
    texts = [text for change in facts.changes for one in change.commits for text in (one.subject, one.body[:READ])]
    what, kinds = about(items, texts, own or facts.changes), kinds_among(own)
    if facts.changes and not own:
        text = ended(f"{name} shared in {shared} by others in {where} {at}{what}")
    elif not facts.changes:
        text = f"{name} merged {branches} in {where} {at}."
    else:
        text = ended(f"{name} made {changes} in {where} {at}{what}")
        text += f" {not_all}" if (not_all := stayed(own, facts.to_date, facts.month)) else kinds
        text += f" They shared in {shared} by others." if len(own) < len(facts.changes) else ""
    if facts.changes and facts.merges:
        text += f" They also merged {branches}."
    computed = [name, where, at, changes, shared, branches, kinds, what, *state_counts(own)]
    if proof.faults(Sentence(text, evidence), computed):
        text = f"{name} was active {at}."
    return Sentence(text, evidence)


def about(items: Sequence[Item], texts: Sequence[str], changes: Sequence[Change]) -> str:
    """ ": a" for all there is, ", mostly on a, b and c" for the most of it, ", among them a" for less; or nothing.

    An item counts that one of the changes speaks for, which are those the number before it speaks of.
    """
    leads = {change.lead.sha for change in changes}
    items = [item for item in items if item.evidence[0] in leads]
    named = [item for item in items if item.kind != "revert" and item.state != "backed_out"] or list(items)
    titles = _titles([(item, len(leads.intersection(item.evidence)) > 1) for item in named[:MOST_ABOUT]], texts)
    if not titles:
        return ""
    # A title with commas, or an "and" of its own, would be lost in a list of others.
    said = (
        "; ".join(titles) if len(titles) > 1 and any(re.search(r",| and ", one) for one in titles) else listed(titles)
    )
    told = {sha for item in named[:MOST_ABOUT] for sha in item.evidence}
    if leads <= told and len(named) == len(items) <= MOST_ABOUT:
        return f": {said}"
    is_most = 2 * len(leads & told) > len(changes)
    return f", mostly on {said}" if is_most else f", among them {said}"


def _titles(named: Sequence[tuple[Item, bool]], texts: Sequence[str]) -> list[str]:
    """The titles of items as they stand in a list, each once, and where two would be the same, told apart."""
    short = [_in_a_list(item, texts, has_several) for item, has_several in named]
    again = {one for one in short if short.count(one) > 1}
    whole = (_in_a_list(item, texts, False) for item, _ in named)
    return list(dict.fromkeys(other if one in again else one for one, other in zip(short, whole, strict=True)))


def _in_a_list(item: Item, texts: Sequence[str], has_several: bool) -> str:
    """A title without a second colon behind the headline's own: the component of several changes, or "x (parser)"."""
    label = _LABEL.match(item.title)
    if not label:
        return inline(item.title, texts)
    rest, component = inline(item.title[label.end() :], texts), inline(label[1], texts)
    # "PyTorch" or "CI" alone says nothing of what a month was about.
    is_telling = " " in label[1] or not label[1].isalpha() or label[1].islower()
    return component if has_several and is_telling else f"{rest} ({component})"


def inline(title: str, texts: Sequence[str]) -> str:
    """A title inside a sentence: its first letter small if it is an ordinary word, or the commits write it so."""
    word = _WORD.match(title)
    if word is None or not word[0][:1].isupper() or not (word[0][1:].islower() or word[0] == "A"):
        return title
    small = word[0].lower()
    as_written = re.compile(rf"(?<![\w./-]){re.escape(small)}(?![\w/])")
    is_ordinary = small in _ORDINARY or small.endswith("ly") or verb_of(small) is not None
    if is_ordinary or any(as_written.search(text) for text in texts):
        return title[:1].lower() + title[1:]
    return title


def kinds_among(changes: Sequence[Change]) -> str:
    """How many of many changes are surely of which kind; there may be more, of which it is not sure."""
    kinds: dict[Kind, int] = {kind: number for kind, number in by_kind(changes).items() if kind != "chore"}
    if len(changes) < MANY or len(kinds) < 2:
        return ""
    return f" They include at least {kinds_listed(kinds)}."
