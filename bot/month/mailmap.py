"""The text of a .mailmap → whose a name with an address is, exactly as git says it. Pure.

git's own rules, from gitmailmap(5) and git's mailmap.c: names and addresses are compared without regard to the
case of ASCII letters; a line that cannot be read is no line; of two lines about the same, what the later one says
counts; and what a line gives is final, so that a circle is only two people who have changed places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

MOST_CHARACTERS = 1 << 20  # of one file; git's own has 18,000, Linux's 60,000
_SPACE = " \t\n\r"  # what git takes for space


@dataclass(frozen=True, slots=True)
class Proper:
    """The name and address that are to stand for somebody's; None where theirs stays.

    `of_one_name` tells that it holds for the name beside the address, not for everybody at that address. `also`
    are addresses that other files call the proper one of the same author.
    """

    name: str | None
    address: str | None
    of_one_name: bool = False
    also: tuple[str, ...] = ()


@dataclass(slots=True)
class _Entry:
    """What is said of one address: for whoever uses it, and for some of the names beside it."""

    name: str | None = None
    address: str | None = None
    of_names: dict[str, Proper] = field(default_factory=dict)


class Mailmap:
    """One file. Any text is a mailmap; what git could not read in it says nothing."""

    def __init__(self, text: str) -> None:
        self.entries: dict[str, _Entry] = {}
        for line in text[:MOST_CHARACTERS].partition("\0")[0].split("\n"):
            if not line.startswith("#"):
                self._read(line)

    def proper(self, name: str, address: str) -> Proper | None:
        """What the file says of a name with an address; None where it says nothing."""
        entry = self.entries.get(folded(address))
        if entry is None:
            return None
        if entry.of_names and (found := entry.of_names.get(folded(name))):
            return found
        return Proper(entry.name, entry.address) if entry.name or entry.address else None

    def mapped(self, name: str, address: str) -> tuple[str, str]:
        """The name and the address as `git check-mailmap` gives them."""
        found = self.proper(name, address)
        return (found.name or name, found.address or address) if found else (name, address)

    def _read(self, line: str) -> None:
        first = _name_and_address(line)
        if first is None or not first[1]:
            return
        new_name, new_address, rest = first
        second = _name_and_address(rest)
        old_name, old_address, _ = second or (None, None, "")
        if old_address is None:  # "Proper Name <address>": only the name is to be another
            old_address, new_address = new_address, ""
        entry = self.entries.setdefault(folded(old_address), _Entry())
        if old_name is not None:
            entry.of_names[folded(old_name)] = Proper(new_name, new_address or None, of_one_name=True)
            return
        entry.name = new_name or entry.name
        entry.address = new_address or entry.address


class Mailmaps:
    """The files of several repositories. Each counts for identities wherever they occur.

    Where files name different addresses for somebody, all of these are theirs if the files give the same full
    name; if not, none of the files is believed about them.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._of_address: dict[str, list[Mailmap]] = {}
        for text in texts:
            mailmap = Mailmap(text)
            for address in mailmap.entries:
                self._of_address.setdefault(address, []).append(mailmap)

    def proper(self, name: str, address: str) -> Proper | None:
        """What the files say of a name with an address; None where they say nothing, or cannot be reconciled."""
        files = self._of_address.get(folded(address))
        if not files:
            return None
        said = [found for file in files if (found := file.proper(name, address))]
        return _agreed(said, address) if said else None


def _agreed(said: Sequence[Proper], address: str) -> Proper | None:
    first = said[0]
    addresses = {folded(one.address or address): one.address or address for one in said}
    if len(addresses) == 1:
        if first.name:
            return first
        return next((one for one in said if one.name), first)
    names = {" ".join(folded(one.name or "").split()) for one in said}
    if len(names) > 1 or " " not in names.pop():
        return None
    return Proper(first.name, first.address, first.of_one_name, tuple(addresses.values())[1:])


def folded(text: str) -> str:
    """In small letters as far as ASCII goes, which is how git compares."""
    return text.lower() if text.isascii() else text.encode("utf-8", "surrogatepass").lower().decode(
        "utf-8", "surrogatepass"
    )  # fmt: skip


def _name_and_address(text: str) -> tuple[str | None, str, str] | None:
    """The first name, address, and what follows them; None where there is no address."""
    left = text.find("<")
    right = text.find(">", left + 1)
    if left < 0 or right < 0:
        return None
    return text[:left].strip(_SPACE) or None, text[left + 1 : right], text[right + 1 :]
