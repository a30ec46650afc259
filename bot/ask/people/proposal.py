"""What is said of who is who before it is done, and what is known of it: values. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from bot.errors import AlmanacError
from bot.model import Person

Action = Literal["link", "unlink"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What would be done, to be confirmed by the user or an admin: `sentence` says it, without markup.

    `user` is who they are in Slack, empty where only addresses are put together. `person` is an address of whoever the
    address becomes, or is no more, one with.
    """

    action: Action
    user: str
    address: str
    person: str
    sentence: str

    def document(self) -> dict[str, str]:
        """For a button."""
        return asdict(self)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Proposal:
        """From a document. Raises AlmanacError for what is none."""
        try:
            found = cls(**{name: document[name] for name in ("action", "user", "address", "person", "sentence")})
        except (KeyError, TypeError):
            found = None
        if found is None or found.action not in ("link", "unlink") or not all(map(_is_text, asdict(found).values())):
            raise AlmanacError("that button cannot be read any more: ask again")
        return found


def _is_text(value: object) -> bool:
    return isinstance(value, str)


@dataclass(frozen=True, slots=True)
class Mine:
    """An address that is shown as a user's, and by which rule; whether it is proven to be."""

    address: str
    why: str
    commits: int
    proven: bool = False


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose an address or a login is, in words; `proposal` is what the asker could say of it, if anything."""

    words: str
    person: Person | None = None
    proposal: Proposal | None = None
