"""What the values of a document are, by name: the types of its fields."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NumberNames:
    """The names under which numbers are given."""

    names: str


AnyText = str
Text = str
Said = str
Name = str
PersonName = str
Number = int
Sha = str  # a full one
Period = str  # a month such as 2025-10
Day = str  # 2025-10-03
Zone = str  # Europe/Berlin
Time = str  # with its offset: 2025-10-03T12:00:00+02:00
UtcTime = str  # 2025-11-05T09:00:00+00:00
