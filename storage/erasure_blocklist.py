"""Who asked to be forgotten, known by hashes alone; and what of commits is not stored because of it.

Of an address, a login or a name with an address only a keyed hash is kept. The key is random and stands in the same
table: without the file nobody can look up whether an address is among them, and with it only somebody who has the
address already.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable

from bot.month.addresses import noreply_login, plain
from storage.engine import Connection

NOBODY = ("", "")  # stands for a committer who asked to be forgotten
_KEY = "key:"  # before the key, which stands among the hashes
_IN_MAILMAP = re.compile(r"([^<>]*)<([^<>]*)>")


class Blocklist:
    """The hashes of those who are kept out; without any it holds nobody, and costs nothing."""

    def __init__(self, key: bytes, hashes: Iterable[str]) -> None:
        self._key = key
        self._hashes = frozenset(hashes)
        self._known: dict[tuple[str, str], bool] = {}

    def __bool__(self) -> bool:
        return bool(self._hashes)

    def of_address(self, address: str) -> str:
        """The hash of an address, whoever signs with it."""
        return self._hash("address", plain(address))

    def of_pair(self, name: str, address: str) -> str:
        """The hash of a name with an address, which may be empty: of a name or a login alone."""
        return self._hash("pair", plain(name if address else name.strip().removeprefix("@")), plain(address))

    def holds(self, name: str, address: str) -> bool:
        """Whether this is somebody who asked to be forgotten: by address, by name and address together, or by the
        GitHub login in the address."""
        if not self._hashes:
            return False
        known = self._known.get((name, address))
        if known is None:
            known = self._known[name, address] = not self._hashes.isdisjoint(self._of(name, address))
        return known

    def _of(self, name: str, address: str) -> list[str]:
        found = [self.of_pair(name, address)]
        if address.strip():
            found.append(self.of_address(address))
            if login := noreply_login(address):
                found.append(self.of_pair(login, ""))
        return found

    def _hash(self, *parts: str) -> str:
        return hmac.digest(self._key, "\0".join(parts).encode(), "sha256").hex()

    def mailmap(self, text: str) -> str:
        """The text of a .mailmap without the lines that name them."""
        if not self:
            return text
        return "".join(line for line in text.splitlines(keepends=True) if not self._is_named(line))

    def _is_named(self, line: str) -> bool:
        return any(self.holds(name, address) for name, address in _IN_MAILMAP.findall(line))


def read_blocklist(connection: Connection) -> Blocklist:
    """As it is now."""
    rows = [str(row[0]) for row in connection.execute("SELECT hash FROM erasure_blocklist")]
    key = next((row.removeprefix(_KEY) for row in rows if row.startswith(_KEY)), "")
    return Blocklist(bytes.fromhex(key), (row for row in rows if not row.startswith(_KEY)))


def ensure_key(connection: Connection, at: str) -> None:
    """Make the key where there is none yet. It is never made anew: the hashes are of no use without it."""
    there = connection.execute("SELECT 1 FROM erasure_blocklist WHERE hash LIKE ?", (f"{_KEY}%",)).fetchone()
    if not there:
        import secrets

        connection.execute("INSERT INTO erasure_blocklist VALUES (?, ?)", (_KEY + secrets.token_hex(32), at))
