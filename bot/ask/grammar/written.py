"""A question as JSON and back: what `almanac ask --parse` prints, and what a button in Slack holds; and as a text that
can be typed. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.model import Question
from bot.month.calendar import Month
from bot.story.wording import KINDS, listed


def question_document(question: Question) -> dict[str, Any]:
    """What was understood: {"intent", "people", "from", "to", "repos", "topic", "kinds"}, and "form" if one is said."""
    document: dict[str, Any] = {
        "intent": question.intent,
        "people": list(question.people),
        "from": str(question.first) if question.first else None,
        "to": str(question.last) if question.last else None,
        "repos": list(question.repositories),
        "topic": question.topic,
        "kinds": list(question.kinds),
    }
    ends = [str(month) for month in question.ends or ()]
    return document | ({"form": question.form} if question.form else {}) | ({"ends": ends} if ends else {})


def question_of(document: Mapping[str, Any]) -> Question:
    """The question of such a document, in which what is empty may be missing. Raises ValueError where it is none."""
    first, last = document.get("from"), document.get("to")
    topic = document.get("topic")
    form = document.get("form")
    if (
        not isinstance(document.get("intent"), str)
        or not isinstance(topic, str | None)
        or form not in (None, "markdown")
    ):
        raise ValueError(f"this is no question: {document}")
    return Question(
        document["intent"],
        people=_texts(document.get("people")),
        first=Month.parse(str(first)) if first else None,
        last=Month.parse(str(last)) if last else None,
        repositories=_texts(document.get("repos")),
        topic=topic,
        kinds=_texts(document.get("kinds")),
        form=form,
        ends=_ends(document.get("ends")),
    )


def _ends(values: object) -> tuple[Month, Month] | None:
    texts = _texts(values)
    if len(texts) not in (0, 2):
        raise ValueError(f"these are no two months: {values}")
    return (Month.parse(texts[0]), Month.parse(texts[1])) if texts else None


def typed(question: Question) -> str:
    """A text that asks just that, whatever it is typed into: where there are no buttons, it stands in their place."""
    people = listed([_called(name) for name in question.people])
    where = f"in {listed(list(question.repositories))}" if question.repositories else ""
    when = _months(question)
    kinds = listed([KINDS[kind][2] for kind in question.kinds if kind in KINDS])
    team = f"the {question.topic} team" if question.topic else ""
    if question.intent == "explain":
        said = f"explain {question.topic}"
    elif question.intent == "link":
        whose = f"link {question.topic} to {people}" if people else f"whose login is {question.topic}"
        said = whose if question.topic else "link"
    elif question.intent == "who":
        said = f"who worked on {question.topic or listed(list(question.repositories))}"
        where = where if question.topic else ""
    elif question.intent == "what_shipped":
        said = f"what did {team} ship" if team else "what shipped"
    elif question.intent == "changes":
        said = f"show the {kinds or 'changes'} of {people or team or 'everyone'}"
    else:
        lead = {"compare": "compare", "profile": "profile of", "digest": "digest for"}.get(question.intent, "")
        said = f"{lead} {people or team or 'everyone'}"
    form = f"as {question.form}" if question.form else ""
    return " ".join(filter(None, [said.strip(), where, when if question.intent != "profile" else "", form]))


def _called(name: str) -> str:
    """What somebody is found by: the address, where it stands behind a name that others have too."""
    return name.rpartition(" <")[2].rstrip(">") if name.endswith(">") else name


def _months(question: Question) -> str:
    first, last = question.first, question.last
    if not (first and last):
        return ""
    if first == last:
        return f"in {first}"
    if question.ends:
        return f"in {_long(first, question.ends[0])} and {_long(question.ends[1], last)}"
    one_by_one = question.intent == "compare" and len(question.people) == 1
    return f"in {first} and {last}" if one_by_one else f"from {first} to {last}"


def _long(first: Month, last: Month) -> str:
    """A quarter or a year, which may not be over yet, or a month."""
    if first == last:
        return str(first)
    return f"Q{(first.number + 2) // 3} {first.year}" if first + 2 >= last else str(first.year)


def _texts(values: object) -> tuple[str, ...]:
    if values is None:
        return ()
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        raise ValueError(f"these are no names: {values}")
    return tuple(values)
