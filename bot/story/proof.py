"""The checker: nothing is said that its commits, or the facts counted from them, do not hold. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.model import Commit, Item, MonthFacts, Sentence
from bot.story.wording import clean

_SHA = re.compile(r"\b[0-9a-f]{7,40}\b")
_REFERENCE = re.compile(r"(?:[\w.-]+/[\w.-]+)?#\d+|\b[DT]\d{5,}\b")
_NUMBER = re.compile(r"(?<![\w#])\d+(?:[.,]\d+)*")  # not the digits of an identifier


def faults(text: str, evidence: Iterable[str], facts: MonthFacts, computed: Iterable[str] = ()) -> list[str]:
    """What in a sentence is not borne out by the commits it rests on; empty if all of it is.

    Each SHA, pull request, Phabricator number and plain number in the text must stand in one of the
    commits, as a whole and not as a part of a longer one, or be one of the `computed` facts; and each
    commit must be one of the month's.
    """
    shas = tuple(evidence)
    return [*_not_of_the_month(shas, facts), *_not_said(text, _commits(shas, facts), computed)]


def proved(item: Item, facts: MonthFacts) -> Item:
    """The item without the sentences that do not hold; its title alone where none does."""
    held = tuple(one for one in item.sentences if not faults(one.text, one.evidence, facts, (item.repository,)))
    return replace(item, sentences=held)


def is_borne_out(text: str, commits: Iterable[Commit], computed: Iterable[str] = ()) -> bool:
    """Whether all that `faults` looks for stands in the commits, of whatever month, or is computed."""
    return not list(_not_said(text, commits, computed))


def counted(sentence: Sentence, plain: str, facts: Iterable[MonthFacts], computed: Iterable[str]) -> Sentence:
    """A sentence of computed facts, or plain words with the same commits where it does not hold.

    `computed` are the facts it may name: counts, names, months.
    """
    every = list(facts)
    commits = [commit for month in every for commit in month.commits]
    known = {commit.sha for commit in commits}
    held = all(sha in known for sha in sentence.evidence) and not list(_not_said(sentence.text, (), computed))
    return sentence if held else replace(sentence, text=plain)


def _not_of_the_month(shas: tuple[str, ...], facts: MonthFacts) -> Iterator[str]:
    known = {commit.sha for commit in facts.commits}
    yield from (f"{sha} is no commit of the month" for sha in shas if sha not in known)
    if not shas:
        yield "rests on no commit"


def _commits(shas: Iterable[str], facts: MonthFacts) -> tuple[Commit, ...]:
    wanted = set(shas)
    return tuple(commit for commit in facts.commits if commit.sha in wanted)


def _not_said(text: str, commits: Iterable[Commit], computed: Iterable[str]) -> Iterator[str]:
    commits = tuple(commits)
    words = "\n".join((*(f"{clean(c.subject)}\n{clean(c.body)}" for c in commits), *map(clean, computed)))
    for pattern in (_SHA, _REFERENCE, _NUMBER):
        there = set(pattern.findall(words))
        for said in dict.fromkeys(pattern.findall(text)):
            own = pattern is _SHA and any(commit.sha.startswith(said) for commit in commits)
            if said not in there and not own:
                yield f"{said!r} is in none of its commits"
