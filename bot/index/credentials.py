"""What an address says of who asks, handed to git by its environment: everybody on a machine can read arguments.

git asks a credential helper of this one process, and no other, for one server; what stands in the variables is never
part of a command, and git writes it nowhere.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote_to_bytes

_USERNAME, _PASSWORD = "ALMANAC_GIT_USERNAME", "ALMANAC_GIT_PASSWORD"
# `printf` is a part of the shell, so that no process has the values as its arguments. What git wants stored or erased
# is not.
_HELPER = f'!f() {{ test "$1" = get && printf "username=%s\\npassword=%s\\n" "${_USERNAME}" "${_PASSWORD}"; }}; f'


@dataclass(frozen=True, slots=True)
class Credentials:
    """A user and a password for one server, as https://host:port. Without a password the user may be a token, or
    somebody whose password a helper of the user's own git knows."""

    server: str
    username: str = field(repr=False)
    password: str | None = field(repr=False)

    @classmethod
    def of(cls, parts: SplitResult) -> Credentials | None:
        """Those of an https address; None where it has none."""
        if parts.scheme.lower() != "https" or parts.username is None:
            return None
        username, password = _decoded(parts.username), None if parts.password is None else _decoded(parts.password)
        return cls(f"https://{parts.netloc.rpartition('@')[2]}", username, password)

    def environment(self) -> dict[str, str]:
        """For git 2.31 and newer: https://git-scm.com/docs/git-config#Documentation/git-config.txt-GITCONFIGCOUNT"""
        section = f"credential.{self.server}"
        settings = [(f"{section}.username", self.username)] if self.password is None else [(f"{section}.helper", "")]
        settings.append((f"{section}.helper", _HELPER))
        environment = {"GIT_CONFIG_COUNT": str(len(settings)), _USERNAME: self.username, _PASSWORD: self.password or ""}
        for number, (key, value) in enumerate(settings):
            environment |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
        return environment


def _decoded(text: str) -> str:
    return os.fsdecode(unquote_to_bytes(text))
