"""What commands are given, each value under the name of its option."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from bot.digest.subscription import Cadence


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOptions:
    """How a command answers: in a form, of some repositories or all, in a zone or that of the settings."""

    form: str = "text"
    repositories: tuple[str, ...] = ()
    zone: ZoneInfo | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestOptions(AnswerOptions):
    """What `almanac digest` is to show or to do, and of which digest."""

    when: str = ""
    channel: str | None = None
    team: str | None = None
    cadence: Cadence | None = None
    post: bool = False
    again: bool = False
    listed: bool = False
    pause: bool = False
    resume: bool = False
