"""The text of a .mailmap → whose a name with an address is, exactly as git says it. Pure.

git's own rules, from gitmailmap(5) and git's mailmap.c: names and addresses are compared without regard to the
case of ASCII letters; a line that cannot be read is no line; of two lines about the same, what the later one says
counts; and what a line gives is final, so that a circle is only two people who have changed places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from bot.model import Identity

MOST_CHARACTERS = 1 << 20  # of one file; git's own has 18,000, Linux's 60,000
_SPACE = " \t\n\r"  # what git takes for space


@dataclass(frozen=True, slots=True)
class Proper:
    """The name and address that are to stand for somebody's; None where theirs stays."""

    name: str | None
    address: str | None


class Mailmap:
    """One file. Any text is a mailmap; what git could not read in it says nothing."""

    def __init__(self, text: str) -> None:
        # What is said of an address, and of it beside a name: for whoever else uses it the name is None.
        self._said: dict[tuple[str, str | None], Proper] = {}
        for line in text[:MOST_CHARACTERS].partition("\0")[0].split("\n"):
            if not line.startswith("#"):
                self._read(line)

    def proper(self, name: str, address: str) -> Proper | None:
        """What the file says of a name with an address; None where it says nothing."""
        at = folded(address)
        return self._said.get((at, folded(name))) or self._said.get((at, None))

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
        key = folded(old_address), old_name and folded(old_name)
        before = self._said.get(key) if old_name is None else None
        name = new_name or (before.name if before else None)
        address = new_address or (before.address if before else None)
        if name or address:
            self._said[key] = Proper(name, address)


Counted = Callable[[Sequence[Identity]], Mapping[tuple[str, str], Mapping[str, int]]]


class Mailmaps:
    """The files of several repositories, by the repository's name. Each says how the commits of its own repository are
    shown, and nothing of any other: whoever can commit can write one."""

    def __init__(self, texts: Mapping[str, str] = MappingProxyType({})) -> None:
        self._of = {repository: Mailmap(text) for repository, text in texts.items()}

    def __bool__(self) -> bool:
        return bool(self._of)

    @property
    def repositories(self) -> tuple[str, ...]:
        """Those that have a file."""
        return tuple(self._of)

    def proper(self, name: str, address: str, repository: str) -> Proper | None:
        """What is said of a name with an address in the commits of a repository; None where nothing is."""
        file = self._of.get(repository)
        return file.proper(name, address) if file else None

    def split(self, identities: Iterable[Identity], counted: Counted) -> list[Identity]:
        """The identities, those of which a file speaks in two: of the commits of its repository, and of all others.
        `counted` says how many commits some identities have in each repository, by name and address."""
        every = [(one, [each for each in self._of if self.proper(one.name, one.address, each)]) for one in identities]
        spoken_of = [one for one, files in every if files]
        many, found = counted(spoken_of) if spoken_of else {}, list[Identity]()
        for one, files in every:
            commits = many.get((one.name, one.address), {})
            here = [repository for repository in files if commits.get(repository)]
            for repository in here:
                proper = self._of[repository].mapped(one.name, one.address)[1]
                moved = folded(proper) != folded(one.address)
                found.append(Identity(one.name, one.address, commits[repository], only=repository, moved=moved))
            left = one.commits - sum(commits[repository] for repository in here)
            found.append(replace(one, commits=left, but=tuple(here)) if here else one)
        return [one for one in found if one.commits > 0]


def folded(text: str) -> str:
    """In small letters as far as ASCII goes, which is how git compares."""
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def _name_and_address(text: str) -> tuple[str | None, str, str] | None:
    """The first name, address, and what follows them; None where there is no address."""
    left = text.find("<")
    right = text.find(">", left + 1)
    if left < 0 or right < 0:
        return None
    return text[:left].strip(_SPACE) or None, text[left + 1 : right], text[right + 1 :]
