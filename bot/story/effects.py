"""What was measured or observed of the changes of a month, in sentences. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from bot.model import Change, Sentence
from bot.story.bodies.impact import Effect, effects
from bot.story.corrected import by_hand
from bot.story.grouping.themes import Theme
from bot.story.proving.proof import Proof
from bot.story.words.titles import title

MOST = 5  # of a month
_FIXES = re.compile(r"fix(?:es|ed|ing)?\b", re.IGNORECASE)
# A benchmark or a test: what it measures, this change did not bring about.
_BESIDE = re.compile(r"(?:^|[/_.-])(?:bench(?:mark)?(?:s|ing)?|tests?|testing)(?=[/_.-]|$)", re.IGNORECASE)
_APART = re.compile(r"before: (.+), after: (.+)", re.DOTALL)

Effects = Mapping[str, Sequence[Effect]]  # by the id of a change


def effects_of(changes: Iterable[Change]) -> Effects:
    """What bodies say was measured or observed of each of the changes that stayed."""
    return {
        change.id: [
            effect
            for effect in effects(change.lead.body, change.lead.subject)
            if not _FIXES.match(effect.text)  # which its title says as well
            and not (effect.kind == "measured" and _is_beside(change))
        ]
        for change in changes
        if change.state != "backed_out" and change.kind != "revert"
    }


def _is_beside(change: Change) -> bool:
    """Whether a change is known to be of benchmarks and tests alone."""
    paths = [file.path for commit in change.commits for file in commit.files]
    return bool(paths) and all(_BESIDE.search(path) for path in paths)


def led_by_what_was_measured(theme: Theme, found: Effects) -> Theme:
    """The theme; where something was measured of another of its changes than the first, that one speaks for it."""
    measured = [
        change for change in theme.changes if any(effect.kind == "measured" for effect in found.get(change.id, ()))
    ]
    if theme.is_rest or not measured or measured[0] is theme.lead:
        return theme
    return replace(theme, changes=(measured[0], *(one for one in theme.changes if one is not measured[0])))


def impact(changes: Iterable[Change], found: Effects, proof: Proof) -> Iterator[Sentence]:
    """What was found, quoted under the title of its change, the weightiest first."""
    each = [(effect, change) for change in changes for effect in found.get(change.id, ())]
    each.sort(key=lambda one: (-one[0].weight, one[1].lead.author.seconds, one[1].id))
    said: set[str] = set()
    for effect, change in each:
        if len(said) == MOST:
            return
        name = change.title or title(change.lead.subject, [file.path for file in change.lead.files])
        sentence = Sentence(f"{name}: {_quoted(effect)}.", change.shas)
        if effect.text.casefold() not in said and proof.held([sentence], by_hand(change)):
            said.add(effect.text.casefold())
            yield sentence


def _quoted(effect: Effect) -> str:
    """The words of a body; where its two ends stand apart, each by itself."""
    apart = _APART.fullmatch(effect.text)
    return f"from “{apart[1]}” to “{apart[2]}”" if apart else f"“{effect.text}”"
