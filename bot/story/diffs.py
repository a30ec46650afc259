"""What diffs tell of a month, in fixed words: tests that were turned off or removed. Pure; bot/index/diffs.py reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.diff.facts import DiffFacts, has_fewer_tests, takes_away
from bot.model import Change
from bot.month.facts import MOST_NAMED
from bot.story.wording import count

Facts = Mapping[tuple[str, str], DiffFacts]  # by repository and SHA


@dataclass(frozen=True, slots=True)
class FromDiffs:
    """`notes` are facts of changes, in words, by their ids; `off` are the ids of those whose tests are still off;
    `unread` is a sentence on diffs that were too large to be read."""

    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    off: frozenset[str] = frozenset()
    unread: Sequence[str] = ()


NOTHING = FromDiffs()


def from_diffs(changes: Sequence[Change], facts: Facts) -> FromDiffs:
    """What the diffs of a person's month tell, as far as they were read."""
    own = [one for one in changes if one.kind != "revert" and not one.is_shared and one.lead.key in facts]
    notes = {one.id: said for one in own if (said := _on_tests(facts[one.lead.key], one.lead.subject))}
    every = dict.fromkeys(commit for change in changes for commit in change.commits if commit.key in facts)
    large = [one.sha[:9] for one in every if facts[one.key].in_part]
    named = ", ".join(large[:MOST_NAMED] + ["…"] * (len(large) > MOST_NAMED))
    unread = f"Too large to be read in full: {count(len(large), 'diff')} ({named})."
    off = frozenset(one.id for one in own if facts[one.lead.key].tests_off)
    return FromDiffs(notes, off, (unread,) if large else ())


def _on_tests(known: DiffFacts, subject: str) -> list[str]:
    said = [f"{count(known.tests_ignored, 'test')} ignored"] if known.tests_ignored else []
    if has_fewer_tests(known, subject) or (said and known.tests_removed and not takes_away(known)):
        said.append(f"{known.tests_removed:,} removed" if said else f"{count(known.tests_removed, 'test')} removed")
    return said
