"""A question as JSON and back: what `almanac ask --parse` prints, and what a button in Slack holds. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from bot.ask.question import FORMS, Question
from bot.month.calendar import Days
from bot.wording import KINDS

# What is written otherwise than as the value of a field, or is not written.
_OTHERWISE = frozenset(("intent", "span", "ends", "form", "missing", "choices", "assumed", "found", "then"))
_CALLED = {"repositories": "repos", "without_repositories": "without_repos"}
_REFERENCE = re.compile(r"[0-9a-f]{7,64}|[\w./-]{0,200}[#!]\d{1,9}")
_ALWAYS = ("people", "repositories", "topic", "kinds")


def question_document(question: Question) -> dict[str, Any]:
    """What was understood: {"intent", "people", "from", "to", "repos", "topic", "kinds"}; and whatever else of a
    question is said, by the names of its fields.

    "from" and "to" are months where the time is whole months, else days, both in it; "ends" are where the first of two
    times ends and the other begins.
    """
    first, last = question.span.ends if question.span else (None, None)
    if question.ends:  # of one person, a time and the one before it: its span is the later one alone, or none
        first, last = question.ends[0].ends[0], question.ends[1].ends[1]
    document: dict[str, Any] = {"intent": question.intent, "from": first, "to": last}
    for one in fields(Question):
        value = getattr(question, one.name)
        if one.name in _ALWAYS or (one.name not in _OTHERWISE and value != one.default and value):
            document[_CALLED.get(one.name, one.name)] = list(value) if isinstance(value, tuple) else value
    if question.form:
        document["form"] = " ".join(question.form)
    if question.ends:
        document["ends"] = [question.ends[0].ends[1], question.ends[1].ends[0]]
    return document


def understood_document(question: Question) -> dict[str, Any]:
    """What `almanac ask --parse` prints. Its topic is the topic, else the team, the references or the paths; what was
    reverted is of the kind revert; "without" is all that is left out."""
    first, last = question.span.ends if question.span else (None, None)
    topic = question.topic or question.team or " ".join(question.references or question.paths)
    return {
        "intent": question.intent, "people": list(question.people), "from": first, "to": last,
        "repos": list(question.repositories), "topic": topic or None,
        "kinds": [*question.kinds, *(["revert"] if "reverted" in question.states else [])],
        "without": list(question.left_out), "release": question.release,
        "unread": list(question.unread), "assumed": list(question.assumed),
    }  # fmt: skip


def called_document(question: Question) -> dict[str, Any]:
    """What was understood, by the names that the arguments of a call have, without what is empty."""
    document = {key: one for key, one in question_document(question).items() if not key.startswith("without")}
    first, last = document.pop("from"), document.pop("to")
    span = f"{first}..{last}" if first != last else first
    more = {"span": span, "repositories": document.pop("repos"), "without": list(question.left_out)}
    return {key: one for key, one in (document | more).items() if one}


def question_of(document: Mapping[str, Any]) -> Question:
    """The question of such a document, in which what is empty may be missing. Raises ValueError where it is none."""
    topic = document.get("topic")
    if document.get("intent") == "explain" and isinstance(topic, str) and _REFERENCE.fullmatch(topic):
        document = {**document, "references": [topic], "topic": None}  # the buttons of 0.2 had it there
    first, last, form = document.get("from"), document.get("to"), document.get("form") or ""
    if not isinstance(document.get("intent"), str) or not isinstance(form, str) or not FORMS.issuperset(form.split()):
        raise ValueError(f"this is no question: {document}")
    # The buttons of 0.3.0 for lists that there are no more, and for changes of some size.
    if document.get("listing", "changes") != "changes" or document.get("size"):
        raise ValueError(f"this is no question any more: {document}")
    ends = _texts(document.get("ends") or [])
    if len(ends) not in (0, 2):
        raise ValueError(f"these are no two times: {ends}")
    return Question(
        document["intent"],
        span=Days.parse(str(first or last), str(last or first)) if first or last else None,
        form=tuple(form.split()),
        ends=(Days.parse(str(first), ends[0]), Days.parse(ends[1], str(last))) if ends else None,
        **dict(_values(document)),
    )


def _values(document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The other fields, each of the type that it has."""
    hints = get_type_hints(Question)
    for one in fields(Question):
        value = document.get(_CALLED.get(one.name, one.name))
        if one.name in _OTHERWISE or value is None:
            continue
        if one.default == ():
            yield one.name, _texts(value)
            if one.name == "kinds" and not KINDS.keys() >= set(value):  # buttons of 0.2 have more among them
                raise ValueError(f"these are no kinds: {value}")
            continue
        kinds = get_args(hints[one.name])  # "by" and "of", or each of what it may be
        words = [word for kind in (hints[one.name], *kinds) if get_origin(kind) is Literal for word in get_args(kind)]
        if isinstance(one.default, bool):
            value = bool(value)
        elif (words and value not in words) or not isinstance(value, int if int in kinds else str):
            raise ValueError(f"this is no question: {document}")
        yield one.name, value


def _texts(values: object) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        raise ValueError(f"these are no names: {values}")
    return tuple(values)
