"""A question as JSON and back: what `almanac ask --parse` prints, and what a button in Slack holds. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.model import Question
from bot.month.calendar import Month


def question_document(question: Question) -> dict[str, Any]:
    """What was understood: {"intent", "people", "from", "to", "repos", "topic", "kinds"}."""
    return {
        "intent": question.intent,
        "people": list(question.people),
        "from": str(question.first) if question.first else None,
        "to": str(question.last) if question.last else None,
        "repos": list(question.repositories),
        "topic": question.topic,
        "kinds": list(question.kinds),
    }


def question_of(document: Mapping[str, Any]) -> Question:
    """The question of such a document, in which what is empty may be missing. Raises ValueError where it is none."""
    first, last = document.get("from"), document.get("to")
    topic = document.get("topic")
    if not isinstance(document.get("intent"), str) or not isinstance(topic, str | None):
        raise ValueError(f"this is no question: {document}")
    return Question(
        document["intent"],
        people=_texts(document.get("people")),
        first=Month.parse(str(first)) if first else None,
        last=Month.parse(str(last)) if last else None,
        repositories=_texts(document.get("repos")),
        topic=topic,
        kinds=_texts(document.get("kinds")),
    )


def _texts(values: object) -> tuple[str, ...]:
    if values is None:
        return ()
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        raise ValueError(f"these are no names: {values}")
    return tuple(values)
