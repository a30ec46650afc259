"""What is asked back, or said, where words do not fit one person, and what may have been meant. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.model import Person
from bot.month.people import described
from bot.story.wording import clean, count, listed


def which_one(said: str, people: Sequence[Person], commits: Mapping[Person, int] | None = None) -> str:
    """The question back where a name fits several people: "Which Dave: Dave Kim (12 commits) or Dave Okafor (3)?"."""
    names = [person.name for person in people]
    shown = [described(p) if names.count(p.name) > 1 else p.name for p in people[:6]]
    if commits and all(p in commits for p in people):
        numbers = [count(commits[people[0]], "commit"), *(str(commits[p]) for p in people[1:6])]
        shown = [f"{one} ({number})" for one, number in zip(shown, numbers, strict=True)]
    more = f" (and {len(people) - 6} more)" if len(people) > 6 else ""
    return f"Which {clean(said)}: {clean(listed(shown, 'or'))}{more}?"


def nobody(said: str, near: Sequence[str]) -> str:
    """What to say where nobody has a name, with the names that are near."""
    if not said.strip():
        return "Whose month do you mean? Name somebody."
    instead = "Ask with the name that stands in their commits."
    offer = f"Did you mean {clean(listed(near, 'or'))}?" if near else instead
    return f"I know nobody called “{clean(said)[:80]}”. {offer}"
