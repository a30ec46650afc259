"""What the document of a whole history holds; see documents.py. Frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bot.model import Sentence
from bot.story.checks import Name, Number, Period, Sha, Text, UtcTime, Zone
from bot.story.documents import (
    SCHEMA,
    Coverage,
    LineDocument,
    MonthDocument,
    PersonDocument,
    ProfileCounts,
    SkillsDocument,
    WrittenDocument,
)


@dataclass(frozen=True, slots=True)
class ProfileTheme:
    """What recurs in two months or more, with its largest titles; `when` is the time in words."""

    name: Name
    changes: Number
    from_: Period
    to: Period
    when: Name
    lines: tuple[LineDocument, ...]
    evidence: tuple[Sha, ...]


@dataclass(frozen=True, slots=True)
class ProfileRepository:
    name: Name
    months: Number
    commits: Number
    changes: Number
    languages: tuple[Text, ...]
    technologies: tuple[Text, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileDocument:
    """A whole history: spans, counts and the largest titles, then the months, newest first."""

    template: ClassVar[str] = "profile"

    schema: Number = SCHEMA
    person: PersonDocument
    from_: Period | None
    to: Period | None
    zone: Zone
    to_date: bool
    counts: ProfileCounts
    paragraph: tuple[Sentence, ...]
    themes: tuple[ProfileTheme, ...]
    measured: tuple[LineDocument, ...]
    attention: tuple[LineDocument, ...]
    skills: SkillsDocument
    repositories: tuple[ProfileRepository, ...]
    earlier: Name
    months: tuple[MonthDocument, ...]
    coverage: Coverage
    indexed_at: UtcTime | None
    notes: tuple[Text, ...]
    details: tuple[Text, ...] = ()
    written: WrittenDocument | None = None
