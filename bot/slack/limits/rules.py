"""The words Block Kit's rules are written in: each rule looks at one JSON value and says what is wrong.

A rule never raises, whatever it is given, and its messages are worded as Slack words them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class BlockFault:
    """One thing Slack would refuse: its error code, a JSON pointer to the place, and what is wrong there."""

    code: str
    pointer: str
    message: str


class BlockRule(Protocol):
    def check(self, value: object, pointer: str) -> Iterator[BlockFault]: ...


def invalid(pointer: str, message: str) -> BlockFault:
    return BlockFault("invalid_blocks", pointer, message)


def size_faults(size: int, pointer: str, least: int, most: int | None, what: str) -> Iterator[BlockFault]:
    """Say if there are too few or too many of something."""
    if what == "characters":
        if most is not None and size > most:
            yield invalid(pointer, f"must be less than {most + 1} characters")
        if size < least:
            yield invalid(pointer, f"must be more than {least - 1} characters")
    else:
        if most is not None and size > most:
            yield invalid(pointer, f"no more than {most} {what} allowed")
        if size < least:
            yield invalid(pointer, f"no fewer than {least} {what} allowed")


@dataclass(frozen=True)
class Str:
    """A string of a length, perhaps one of some, or of a form."""

    most: int | None = None
    least: int = 1
    one_of: tuple[str, ...] = ()
    form: str = ""

    def check(self, value: object, pointer: str) -> Iterator[BlockFault]:
        if not isinstance(value, str):
            yield invalid(pointer, "must provide a string")
        elif self.one_of and value not in self.one_of:
            yield invalid(pointer, f"must be one of: {', '.join(self.one_of)}")
        elif self.form and not re.fullmatch(self.form, value):
            yield invalid(pointer, "is not of the required form")
        else:
            yield from size_faults(len(value), pointer, self.least, self.most, "characters")


@dataclass(frozen=True)
class Num:
    """A number, perhaps whole, within bounds; `above` is a bound it may not touch."""

    least: float | None = None
    most: float | None = None
    above: float | None = None
    whole: bool = False

    def check(self, value: object, pointer: str) -> Iterator[BlockFault]:
        kinds = int if self.whole else (int, float)
        if not isinstance(value, kinds) or isinstance(value, bool) or value != value:
            yield invalid(pointer, "must provide an integer" if self.whole else "must provide a number")
        elif self.least is not None and value < self.least:
            yield invalid(pointer, f"must be no less than {self.least}")
        elif self.most is not None and value > self.most:
            yield invalid(pointer, f"must be no more than {self.most}")
        elif self.above is not None and value <= self.above:
            yield invalid(pointer, f"must be more than {self.above}")


@dataclass(frozen=True)
class Bool:
    def check(self, value: object, pointer: str) -> Iterator[BlockFault]:
        if not isinstance(value, bool):
            yield invalid(pointer, "must provide a boolean")


@dataclass(frozen=True)
class Items:
    """A list of so many of something."""

    of: BlockRule
    most: int | None = None
    least: int = 1

    def check(self, value: object, pointer: str) -> Iterator[BlockFault]:
        if not isinstance(value, list | tuple):
            yield invalid(pointer, "must provide an array")
            return
        yield from size_faults(len(value), pointer, self.least, self.most, "items")
        for number, item in enumerate(value):
            yield from self.of.check(item, f"{pointer}/{number}")


@dataclass(frozen=True)
class OrNull:
    of: BlockRule

    def check(self, value: object, pointer: str) -> Iterator[BlockFault]:
        if value is not None:
            yield from self.of.check(value, pointer)


@dataclass(frozen=True)
class Obj:
    """An object with these fields and no others. A name with "!" is required; of `any_of` at least one is,
    of `just_one_of` exactly one."""

    fields: Mapping[str, BlockRule]
    any_of: tuple[str, ...] = ()
    just_one_of: tuple[str, ...] = ()

    def check(self, value: object, pointer: str) -> Iterator[BlockFault]:
        if not isinstance(value, Mapping):
            yield invalid(pointer, "must provide an object")
            return
        for name in self.fields:
            if name.endswith("!") and name[:-1] not in value:
                yield invalid(pointer, f"missing required field: {name[:-1]}")
        if self.any_of and not any(name in value for name in self.any_of):
            yield invalid(pointer, f"one of these is required: {', '.join(self.any_of)}")
        if self.just_one_of and sum(name in value for name in self.just_one_of) != 1:
            yield invalid(pointer, f"exactly one of these is required: {', '.join(self.just_one_of)}")
        for name, inner in value.items():
            rule = self.fields.get(name) or self.fields.get(f"{name}!") if isinstance(name, str) else None
            if rule is None:
                yield invalid(pointer, f"invalid additional property: {name}")
            else:
                yield from rule.check(inner, f"{pointer}/{escaped(str(name))}")


@dataclass(frozen=True)
class TypedObject:
    """An object whose "type" says which rule of a table it follows; only the types of `allowed`, if given."""

    table: Mapping[str, Obj]
    allowed: tuple[str, ...] = ()

    def check(self, value: object, pointer: str) -> Iterator[BlockFault]:
        if not isinstance(value, Mapping):
            yield invalid(pointer, "must provide an object")
            return
        kind = value.get("type")
        if not isinstance(kind, str):
            yield invalid(pointer, "missing required field: type")
            return
        rule = self.table.get(kind)
        if rule is None or (self.allowed and kind not in self.allowed):
            yield invalid(f"{pointer}/type", f"unsupported type: {kind}")
            return
        rest = {name: inner for name, inner in value.items() if name != "type"}
        yield from rule.check(rest, pointer)


def escaped(name: str) -> str:
    """A key as a JSON pointer spells it (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")
