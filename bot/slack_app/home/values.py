"""What the Home tab shows, as values: put together by content.py, laid out by view.py."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.ask.people.identity_log import IdentityLogLine
from bot.slack.linking import Guessed
from bot.slack_app.digests.views import DigestRow
from bot.slack_app.home.months import MonthBriefs


@dataclass(frozen=True, slots=True)
class Address:
    """An address that is somebody's, and why. `sentence` is what “Not me” would do; empty where it can do nothing."""

    address: str
    why: str
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """The index, as far as the reader may read of it. `failures` are repositories with why they could not be read."""

    repositories: tuple[str, ...] = ()
    newest: datetime | None = None
    indexed_at: datetime | None = None
    failures: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TabContent:
    """All that the Home tab shows. What is None is still being read."""

    name: str = ""  # of the person; empty where nobody is known
    is_certain: bool = True  # not by a name in Slack alone
    months: MonthBriefs | None = None
    addresses: tuple[Address, ...] = ()
    guesses: tuple[Guessed, ...] = ()
    # A key undoes a line, where the reader may; of one that waits they may confirm it, too.
    log: tuple[IdentityLogLine, ...] = ()
    digests: tuple[DigestRow, ...] | None = None
    health: IndexHealth = IndexHealth()
    is_shown: bool | None = None  # None: it is not theirs to say
    troubles: tuple[str, ...] = ()
    said: str = ""  # what was done just now
