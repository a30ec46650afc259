"""A text that is never shown by accident."""

from __future__ import annotations

from typing import Final


class Secret:
    """Prints as asterisks, also inside of whatever holds it; only `get_secret_value` tells it."""

    # No dataclass: `dataclasses.asdict` of what holds it would take it apart.
    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text: Final = text

    def get_secret_value(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "Secret('**********')"

    def __str__(self) -> str:
        return "**********"

    def __format__(self, form: str) -> str:
        return format(str(self), form)

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Secret) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)
