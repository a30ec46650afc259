"""What somebody asked, as understood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from bot.model import Person
from bot.month.calendar import Days

# What a list may be of besides the kinds of changes: what somebody reviewed, the files or folders that were changed,
# the largest changes.
REVIEW, FILES, FOLDERS, LARGEST = "review", "files", "folders", "largest"
OF_FILES = frozenset((FILES, FOLDERS))


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asked, as understood. `people` are names as the index knows them.

    `missing` is a sentence for the asker where the question cannot be answered as it stands, and `choices` are what may
    have been meant. `form` is how the answer is wanted, where that is another than the usual. `ends` are the two
    times of a comparison, the earlier first, where both are said and are longer than months, such as Q2 and Q3; `span`
    is then from the first day of the one to the last of the other.

    `without` are people who are left out, `without_repositories` repositories. `release` is a tag's name, "newest"
    for the last one, or "latest" for what came since; "v1.0..v1.1" and "v1.1.." are what git calls so. `assumed` are
    sentences that say what was taken for granted, such as 'reading “Garce” as Grace Hopper', for the first line of the
    answer; `choices` then hold the alternatives.

    `found` are those of the `people` who were found when it was read, by their names: whoever answers it at once need
    not look for them again.
    """

    intent: str
    people: tuple[str, ...] = ()
    span: Days | None = None
    repositories: tuple[str, ...] = ()
    topic: str | None = None
    kinds: tuple[str, ...] = ()
    missing: str | None = None
    choices: tuple[Choice, ...] = ()
    form: Literal["markdown"] | None = None
    ends: tuple[Days, Days] | None = None
    without: tuple[str, ...] = ()
    without_repositories: tuple[str, ...] = ()
    release: str | None = None
    assumed: tuple[str, ...] = ()
    found: Mapping[str, Person] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several that may have been meant: what stands on its button, and the whole question it stands for."""

    label: str
    question: Question
