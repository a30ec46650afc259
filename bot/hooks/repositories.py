"""Which repositories of almanac.toml a push is to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.errors import RepositoryUnavailable
from bot.hooks.pushes import Push
from bot.index.places import place, same_for_all, whereabouts
from bot.settings_tables import RepositorySettings

_HEAD, _TAG = "refs/heads/", "refs/tags/"


@dataclass(frozen=True, slots=True)
class IndexedBranch:
    """A repository by its name, and the branch of it that is read; None where that is the default one."""

    repository: str
    branch: str | None


class IndexedRepositories:
    """Those that are listed, found by any of their addresses, else by their name or the path of an address."""

    def __init__(self, tables: Iterable[RepositorySettings]) -> None:
        self._by_address: defaultdict[str, set[IndexedBranch]] = defaultdict(set)
        self._by_name: defaultdict[str, set[IndexedBranch]] = defaultdict(set)
        for table in tables:
            try:
                where, usual = place(table.address, table.name), place(table.address).name
            except RepositoryUnavailable:
                continue  # which each index says
            one = IndexedBranch(where.name, table.branch)
            for key in {same_for_all(where.location) or "", whereabouts(table.address)} - {""}:
                self._by_address[key].add(one)
                self._by_name[key.partition("/")[2]].add(one)
            for name in (where.name, usual):
                self._by_name[name.casefold()].add(one)

    def at(self, push: Push) -> frozenset[IndexedBranch]:
        """Those that a push is to. A host may be called otherwise here than its forge calls it, so where no address
        fits, the full name decides: at worst one that did not change is looked at."""
        keys = {key for address in push.addresses if (key := same_for_all(address))}
        found = {one for key in keys for one in self._by_address.get(key, ())}
        return frozenset(found or self._by_name.get(push.name.strip("/").casefold(), set()))


def to_read(push: Push, indexed: Iterable[IndexedBranch]) -> Sequence[str]:
    """The names of those of which the branch that is read, or a tag, was pushed."""
    return sorted({one.repository for one in indexed if _matters(push, one)})


def _matters(push: Push, one: IndexedBranch) -> bool:
    if not push.ref or push.ref.startswith(_TAG):
        return True
    branch = one.branch or push.default_branch
    return push.ref.startswith(_HEAD) and branch in ("", push.ref.removeprefix(_HEAD))
