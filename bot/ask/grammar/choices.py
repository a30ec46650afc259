"""What may have been meant, each as the whole question put right. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bot.ask.grammar.asking_back import Meant, Missing
from bot.model import Choice, Question

MOST = 5  # choices: as many as stand in one row of buttons


def choices_of(missing: Missing, parsed: Callable[[Sequence[Meant]], Question]) -> tuple[Choice, ...]:
    """The choices where something is missing. `parsed` reads the question again, with what is meant."""
    found: dict[Question, Choice] = {}
    for choice in _choices(missing, parsed, ()):
        found.setdefault(choice.question, choice)
        if len(found) == MOST:
            break
    return tuple(found.values())


def _choices(
    missing: Missing, parsed: Callable[[Sequence[Meant]], Question], settled: tuple[Meant, ...]
) -> Iterator[Choice]:
    for option in missing.options[: MOST if not settled else 2]:
        meant = (*settled, option)
        try:
            question = parsed(meant)
        except Missing as further:
            if len(meant) < 2:
                yield from _choices(further, parsed, meant)
        else:
            yield Choice(", ".join(one.label for one in meant), question)
