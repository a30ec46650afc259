"""A question that the tables do not settle → the same Question, read by a model, where `[model] questions` asks for it.

The model is given the text, the day and what is known by name; what it answers is checked against that. Whatever does
not hold leaves the question as it was: not understood.
"""

from __future__ import annotations

import re
import time
from datetime import date
from typing import Any

from rapidfuzz import fuzz, process

from bot.ask.known import Known, Thread
from bot.ask.question import Question
from bot.ask.question_document import question_of
from bot.story.llm.asking import Prompts
from bot.story.llm.completion import Model, Unanswered, completion
from bot.story.llm.redaction import redacted
from bot.story.llm.reply import answer_of, list_of, object_of
from bot.story.wording import KINDS, clean

SECONDS = 1.0  # an answer waits for it at most
MOST_PEOPLE = 200  # names that are sent, those most like the question's words
LONGEST_TOPIC = 60
INTENTS = (
    "month", "compare", "profile", "who", "what_shipped", "changes", "explain", "digest", "schedule", "link", "help",
    "unknown",
)  # fmt: skip
_TEXT_OR_NOTHING = {"type": ["string", "null"]}
FORM = object_of(
    {
        "intent": {"enum": list(INTENTS)},
        "people": list_of({"type": "string"}),
        "from": _TEXT_OR_NOTHING,
        "to": _TEXT_OR_NOTHING,
        "repos": list_of({"type": "string"}),
        "topic": _TEXT_OR_NOTHING,
        "kinds": list_of({"enum": list(KINDS)}),
    }
)


def read_by_model(
    text: str, known: Known, today: date, thread: Thread, model: Model, prompts: Prompts, seconds: float = SECONDS
) -> Question | None:
    """The question that a model reads in a text; None where it gives none in time, or one that does not hold."""
    prompt = prompts.render(
        "prompt/question.j2",
        text=redacted(clean(text)),
        today=f"{today:%A} {today.isoformat()}",
        asker=clean(known.asker.name) if known.asker else "",
        people=_names(text, known),
        repositories=[clean(name) for name in known.repositories],
        teams=[clean(team) for team in known.teams],
        thread=thread.document(),
    )
    try:
        answer = completion(model, prompt, FORM, time.monotonic() + min(seconds, model.seconds))
    except Unanswered:
        return None
    return checked(answer_of(answer, FORM["properties"]), text, known, today)


def checked(answer: Any, text: str, known: Known, today: date) -> Question | None:
    """The question of an answer, if all that it names is known: people, repositories, kinds, days that have begun."""
    if not isinstance(answer, dict) or answer.get("intent") not in INTENTS or answer["intent"] == "unknown":
        return None
    own = {key: answer.get(key) for key in FORM["required"]}
    try:
        question = question_of(own)
    except (ValueError, OverflowError):
        return None
    people = [known.directory.find(name).people for name in question.people]
    if any(len(found) != 1 or not known.may_be_offered(found[0]) for found in people):
        return None
    if not set(question.repositories) <= set(known.repositories) or not set(question.kinds) <= set(KINDS):
        return None
    if question.span is not None and question.span.first > today:
        return None
    if not _may_be_topic(question, text, known):
        return None
    return question


def _may_be_topic(question: Question, text: str, known: Known) -> bool:
    """Whether a topic is in place: what somebody asks to explain or to link stands in their words."""
    if question.intent in ("explain", "link", "who") and not question.topic:
        return False
    if question.topic is None:
        return True
    if len(question.topic) > LONGEST_TOPIC or not re.search(r"\w", question.topic):
        return False
    if question.intent in ("explain", "link"):
        return question.topic.casefold() in text.casefold()
    return question.intent == "who" or question.topic in known.teams


def _names(text: str, known: Known) -> list[str]:
    """The names of people, those first that are like a word of the text; no machines."""
    names = list(dict.fromkeys(clean(one.name) for one in known.people if known.may_be_offered(one)))
    if len(names) <= MOST_PEOPLE:
        return names
    found = process.extract(text[:500], names, scorer=fuzz.partial_token_set_ratio, limit=MOST_PEOPLE)
    return [name for name, _, _ in found]
