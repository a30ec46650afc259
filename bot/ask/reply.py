"""What is answered to a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from bot.ask.known import Thread
from bot.ask.question import Choice, Question
from bot.errors import PersonUnknown
from bot.model import Kind
from bot.month.calendar import MonthRange, Span
from bot.story.wording import capital

if TYPE_CHECKING:
    from bot.ask.explain import Explanation
    from bot.ask.queries import Queries
    from bot.story.list_documents import Document


MOST_CHOICES = 4  # buttons below a reply


@dataclass(frozen=True, slots=True)
class Reply:
    """What is answered: documents, newest month first, or words. `thread` is to be remembered.

    `choices` are what may have been meant, or what could be asked instead where there is little to tell; each is a
    whole question. They stand in the words too, so that whoever sees no buttons misses nothing.
    """

    question: Question
    documents: tuple[Document, ...] = ()
    words: str = ""
    thread: Thread | None = None
    help: bool = False
    explanation: Explanation | None = None  # whose text the words are
    choices: tuple[Choice, ...] = ()
    assumed: tuple[str, ...] = ()  # what was taken for granted, which the answer says first


def ended(error: PersonUnknown) -> str:
    """What to say of an unknown person, as a sentence."""
    return str(error).rstrip(".?") + ("?" if str(error).endswith("?") else ".")


def said_first(assumed: Sequence[str]) -> str:
    """What was taken for granted, as a line: "Reading “Garce” as Grace Hopper." Empty where that is nothing."""
    return " ".join(f"{capital(one).rstrip('.')}." for one in assumed)


def kinds_asked(question: Question) -> tuple[Kind, ...]:
    """The kinds of changes that a question names, in the order of kinds."""
    return tuple(kind for kind in get_args(Kind) if kind in question.kinds)


def span_of(queries: Queries, question: Question) -> Span:
    """The time of a question: months where it is whole ones; last month where it names none."""
    if question.span is None:
        return MonthRange(queries.present() - 1, queries.present() - 1)
    return question.span.months or question.span
