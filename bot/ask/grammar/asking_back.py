"""What is asked back, or said, where a name does not fit one person. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model import Person
from bot.month.people import Directory, described
from bot.story.wording import clean, listed


def which_one(said: str, people: Sequence[Person]) -> str:
    """The question back where a name fits several people: "Which Dave: Dave Kim or Dave Okafor?"."""
    names = [person.name for person in people]
    shown = [described(p) if names.count(p.name) > 1 else p.name for p in people[:6]]
    more = f" (and {len(people) - 6} more)" if len(people) > 6 else ""
    return f"Which {clean(said)}: {clean(listed(shown, 'or'))}{more}?"


def nobody(said: str, directory: Directory) -> str:
    """What to say where nobody has a name, with the nearest names there are."""
    near = directory.nearest(said)
    if not said.strip():
        return "Whose month do you mean? Name somebody."
    offer = f" Did you mean {clean(listed(near, 'or'))}?" if near else ""
    return f"I know nobody called “{clean(said)[:80]}”.{offer}"
