"""What a person can fix. Anything else is a bug and falls through with its traceback."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

# What may be secret in an address, also in one that is miswritten: all before an @ that a colon, or a scheme with its
# slashes, stands before, with every @ and slash that a password may hold.
_CREDENTIALS = re.compile(
    r"(?<=://)(?:[^/\s]*|[^/\s:@]*:(?!\d*/)\S*)@|(?<=[a-z]:/)(?!/)\S*@|(?<![^\s'\"(])[^\s@:]*:(?!/)\S*@(?=[\w-]+[.:/])"
)
_QUERY = re.compile(r"(?<=://)([^\s?#]*)[?#][^\s']*")  # some forges take a token there


def without_credentials(text: str) -> str:
    """The text with the user, password and query of every address in it left out: what is printed, logged or posted of
    an address has gone through here."""
    return _QUERY.sub(r"\1", _CREDENTIALS.sub("", text))


class CleanFormatter(logging.Formatter):
    """Writes lines of a log, and tracebacks, without what is secret in addresses."""

    def format(self, record: logging.LogRecord) -> str:
        return without_credentials(super().format(record))


def log_to_stderr(level: int = logging.INFO) -> None:
    """Let this process log, in a line for each thing."""
    logging.basicConfig(level=level, force=True)
    logging.root.handlers[0].setFormatter(CleanFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))


class AlmanacError(Exception):
    """Its text is one line that says what is wrong and what to do, and holds no secret of an address. The command line
    exits with 1."""

    def __init__(self, message: str = "") -> None:
        super().__init__(without_credentials(message))

    @property
    def public_text(self) -> str:
        """What of it is said in Slack, where nobody is to learn how the bot's machine is laid out."""
        return str(self)


class SettingsError(AlmanacError):
    """Bad values in almanac.toml or the environment.

    `faults` holds one line for each, so that all of them can be fixed at once.
    """

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = [without_credentials(fault) for fault in faults]

    @property
    def public_text(self) -> str:
        return "something in my settings or templates is wrong, and is in my log"


class RepositoryUnavailable(AlmanacError):
    """A repository that cannot be read or reached. What was indexed of it before stays."""

    def __init__(self, repository: str, reason: str) -> None:
        super().__init__(f"{repository}: {reason}")
        self.repository, self.reason = without_credentials(repository), without_credentials(reason)

    @property
    def public_text(self) -> str:
        return "a repository cannot be read, and which and why is in my log"


class ServerUnavailable(RepositoryUnavailable):
    """The server that a repository is on cannot be reached now, or asks for patience. That may pass."""


class StoreUnavailable(AlmanacError):
    """The database is missing, locked, read-only, damaged, or made by a newer version."""

    def __init__(self, message: str, public_text: str = "my database cannot be used, and why is in my log") -> None:
        super().__init__(message)
        self._public_text = public_text

    @property
    def public_text(self) -> str:
        return self._public_text


class StoreBusy(StoreUnavailable):
    """Another process writes to the database for longer than anybody should, or its server cannot be reached. That will
    pass."""


class StoreLocked(StoreBusy):
    """Another process writes to the database, or to one repository in it, and will have finished some time."""


class SchemaNewer(StoreUnavailable):
    """A newer Almanac has changed the tables. That will not pass: whoever runs for long has to end."""


class PersonUnknown(AlmanacError):
    """Nobody, or more than one person, fits what was asked for.

    `nearest` are names to offer, and `fitting` those of all who fit, told apart where they have the same; `said` is
    what was asked for.
    """

    def __init__(
        self, message: str, nearest: tuple[str, ...] = (), *, fitting: tuple[str, ...] = (), said: str = ""
    ) -> None:
        super().__init__(message)
        self.nearest = nearest
        self.fitting = fitting
        self.said = said


class PersonHidden(PersonUnknown):
    """Whoever is asked for asked not to be shown. Its text says so and nothing else."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} asked not to be shown, so I tell nothing of their work", said=name)


class CommitUnknown(AlmanacError):
    """No commit, or more than one, fits what was asked for. `meant` are references, each of one that may be meant."""

    def __init__(self, message: str, meant: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.meant = tuple(meant)


class ReleaseUnknown(AlmanacError):
    """There is no such release; a sentence. `choices` are what may be meant: what stands on a button, the repository,
    and the release to ask for there."""

    def __init__(self, message: str, choices: Sequence[tuple[str, str, str]] = ()) -> None:
        super().__init__(message)
        self.choices = tuple(choices)


class ReleaseUnclear(ReleaseUnknown):
    """A name may mean several releases; a question back."""


class ReleaseUnreadable(AlmanacError):
    """What is in a release cannot be found out now, or not told; its text says why and what to do."""


class Unreadable(AlmanacError, ValueError):
    """What Slack delivered is not as Slack writes it, or holds what the bot never put there."""


class SlackRefused(AlmanacError):
    """Slack answered a call with an error. `code` is Slack's own word for it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
