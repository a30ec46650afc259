"""What diffs tell of a month, in fixed words: tests that were turned off or removed, parts that only raise, and which
small change goes on with which earlier one. Pure; read by bot/index/diffs.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.diff.facts import DiffFacts, has_fewer_tests, has_unfinished_parts, rewritten
from bot.model import Change
from bot.story.groups import share_a_word
from bot.story.title import title_of
from bot.story.weight import product_files
from bot.story.wording import count

Facts = Mapping[tuple[str, str], DiffFacts]  # by repository and SHA


@dataclass(frozen=True, slots=True)
class FromDiffs:
    """`notes` are facts of changes, in words; `on_tests` are the ids of those that turned off or removed tests; and
    `thens` says which small change goes on with which earlier one, by their ids."""

    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    on_tests: frozenset[str] = frozenset()
    thens: Mapping[str, str] = field(default_factory=dict)


NOTHING = FromDiffs()


def from_diffs(changes: Sequence[Change], facts: Facts) -> FromDiffs:
    """What the diffs of a person's month tell, as far as they were read."""
    notes: dict[str, list[str]] = {}
    on_tests: set[str] = set()
    for change in changes:
        if change.kind == "revert" or change.is_shared:
            continue
        known = facts.get(change.lead.key)
        if known is None:
            continue
        of_tests = _on_tests(known, change.lead.subject)
        unfinished = [f"{count(known.raises_only, 'part')} not implemented yet"] if has_unfinished_parts(known) else []
        if of_tests:
            on_tests.add(change.id)
        if of_tests or unfinished:
            notes[change.id] = [*of_tests, *unfinished]
    return FromDiffs(notes, frozenset(on_tests), _thens(changes, facts))


def _on_tests(known: DiffFacts, subject: str) -> list[str]:
    said = [f"{count(known.tests_ignored, 'test')} ignored"] if known.tests_ignored else []
    if known.tests_removed and (said or has_fewer_tests(known, subject)):
        said.append(f"{known.tests_removed:,} removed" if said else f"{count(known.tests_removed, 'test')} removed")
    return said


def _thens(changes: Sequence[Change], facts: Facts) -> dict[str, str]:
    """Small changes that rewrite mostly what an earlier one of the month added: under the last such one."""
    ordered = [
        change
        for change in sorted(changes, key=lambda one: one.lead.written)
        if change.state == "landed" and change.kind != "revert" and not change.is_shared and not change.fixes
    ]
    found: dict[str, str] = {}
    for at, later in enumerate(ordered):
        known = facts.get(later.lead.key)
        if known is None or not known.prints_removed or title_of(later.lead).series:
            continue
        for earlier in reversed(ordered[:at]):
            before = facts.get(earlier.lead.key)
            if before is None or earlier.lead.repository != later.lead.repository or earlier.id in found:
                continue
            if rewritten(known, before) and _is_within(later, earlier):
                found[later.id] = earlier.id
                break
    return found


def _is_within(later: Change, earlier: Change) -> bool:
    """Whether a change touches no other files of the product than an earlier one, or says what that one says."""
    files = {file.path for file in product_files(later.lead)}
    return files <= {file.path for file in product_files(earlier.lead)} or share_a_word(later, earlier)
