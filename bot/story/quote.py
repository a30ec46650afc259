"""What a month says in somebody's own words: a piece of a commit's title or body, which cannot be made up. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.model import Commit
from bot.month.trailers import heading_of
from bot.story.wording import clean

Place = Literal["title", "body"]
READ = 65_536  # characters of a body in which a quotation may stand
NO_SUBJECT = "(no subject)"  # stands for a title without a word


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that stand in a commit, verbatim but for line breaks and control characters.

    Raises ValueError where they do not stand there: proof is by construction.
    """

    text: str
    commit: Commit
    place: Place

    def __post_init__(self) -> None:
        if not stands(self.text, self.commit, self.place):
            raise ValueError(f"{self.text!r} does not stand in the {self.place} of {self.commit.sha}")

    @property
    def sha(self) -> str:
        return self.commit.sha


def stands(text: str, commit: Commit, place: Place) -> bool:
    """Whether words stand in a commit."""
    return bool(text) and text in words_of(commit, place)


def words_of(commit: Commit, place: Place) -> str:
    """The words of a commit's title, which may stand in its body, or of its body, in one line."""
    if place == "title":
        return clean(heading_of(commit).line) or NO_SUBJECT
    return clean(commit.body[:READ])
