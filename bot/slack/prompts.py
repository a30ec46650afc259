"""Questions to begin with, from the asker's own months. Each is one that the grammar understands."""

from __future__ import annotations

from dataclasses import dataclass

from bot.ask.queries import Queries
from bot.model import Person
from bot.month.calendar import Month
from bot.slack.limits import MAX_SUGGESTED_PROMPTS

TITLE = "Ask about a month, for example:"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A suggestion: what stands on it, and what is asked when it is pressed."""

    title: str
    message: str

    def document(self) -> dict[str, str]:
        return {"title": self.title, "message": self.message}


def prompts_for(queries: Queries, person: Person | None, *, others: bool = True) -> list[Prompt]:
    """At most four questions that have an answer for a person; for somebody unknown, about nobody by name. `others`:
    whether they may ask about others."""
    months = [month for month in queries.activity.months(person) if month <= queries.present()] if person else []
    shipped = queries.activity.last_month() if others else None
    found = [*_own(months[::-1], queries.present())]
    if shipped:
        found.append(Prompt(f"What shipped in {shipped.title}?", f"What shipped in {shipped.title}?"))
    if len(months) > 1:
        newer, older = months[-1].title, months[-2].title
        found.append(Prompt(f"Compare {newer} with {older}", f"Compare my {newer} with {older}"))
    if not months:
        found.append(Prompt("Which commits are mine?", "link"))
        found.append(Prompt("What can I ask?", "help"))
    return found[:MAX_SUGGESTED_PROMPTS]


def _own(newest_first: list[Month], present: Month) -> list[Prompt]:
    return [
        Prompt(f"My {month.title}{' so far' if month == present else ''}", f"What did I do in {month.title}?")
        for month in newest_first[:2]
    ]
