"""A question as JSON and back: what `almanac ask --parse` prints, and what a button in Slack holds; and as a text that
can be typed. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from bot.ask.question import FORMS, Question
from bot.month.calendar import Days
from bot.month.releases import LATEST, NEWEST, WHICH
from bot.story.wording import KINDS, listed

# What is written otherwise than as the value of a field, or is not written.
_OTHERWISE = frozenset(("intent", "span", "ends", "form", "missing", "choices", "assumed", "found"))
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
    without = (*question.without, *question.without_repositories, *question.without_topics, *question.without_kinds)
    topic = question.topic or question.team or " ".join(question.references or question.paths)
    return {
        "intent": question.intent, "people": list(question.people), "from": first, "to": last,
        "repos": list(question.repositories), "topic": topic or None,
        "kinds": [*question.kinds, *(["revert"] if "reverted" in question.states else [])], "without": list(without),
        "release": question.release, "unread": list(question.unread), "assumed": list(question.assumed),
    }  # fmt: skip


def question_of(document: Mapping[str, Any]) -> Question:
    """The question of such a document, in which what is empty may be missing. Raises ValueError where it is none."""
    topic = document.get("topic")
    if document.get("intent") == "explain" and isinstance(topic, str) and _REFERENCE.fullmatch(topic):
        document = {**document, "references": [topic], "topic": None}  # the buttons of 0.2 had it there
    first, last, form = document.get("from"), document.get("to"), document.get("form") or ""
    if not isinstance(document.get("intent"), str) or not isinstance(form, str) or not FORMS.issuperset(form.split()):
        raise ValueError(f"this is no question: {document}")
    if document.get("listing", "changes") != "changes":  # the buttons of 0.3.0 for lists that there are no more
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


def typed(question: Question) -> str:
    """A text that asks just that, whatever it is typed into: where there are no buttons, it stands in their place."""
    people = listed([_called(name) for name in question.people])
    whose = people or (f"the {question.team} team" if question.team else "everyone")
    kinds = listed([KINDS[kind][2] for kind in question.kinds if kind in KINDS]) or "changes"
    about = f"“{question.topic}”" if question.topic else listed(list(question.paths))
    where, release = listed(list(question.repositories)), question.release
    most = f"top {question.limit} people" if question.limit else "who worked"
    helped = f"whom did {people} help" if people else most
    helped = f"{most} on {about or where}" if about or where else helped
    sides = people or where or " ".join((*question.states, kinds))
    leads = {
        "month": f"what did {whose} do", "what_shipped": f"what did {whose} ship" if question.team else "what shipped",
        "compare": f"compare {sides}", "profile": f"profile of {whose}", "digest": "digest",
        "who": helped, "explain": f"explain {listed(list(question.references)) or about}",
    }  # fmt: skip
    first = {"size": "largest", "latest": "latest", "first": "first"}.get(question.order or "", "")
    if question.intent == "link":
        lead = f"link {question.topic} to {people}" if people else f"whose login is {question.topic}"
        return lead if question.topic else "link"
    if question.intent == "explain" and release and (question.references or about):
        what = listed(list(question.references)) or about
        lead = f"which release has {what}" if release == WHICH else f"is {what} in {listed(release.split('..'))}"
    elif question.reviews:
        lead = f"who reviewed the changes of {whose}" if question.reviews == "of" else f"reviews by {whose}"
    elif question.intent == "changes":
        asks = "how many" if question.count else f"show the {question.limit or ''} {first}"
        lead = " ".join(f"{asks} {' '.join(question.states)} {kinds} of {whose}".split())
    elif question.first_time:
        lead = "first-time contributors"
    else:
        lead = leads.get(question.intent, question.intent)
    is_led = question.intent in ("who", "explain") and not question.first_time
    left_out = [*map(_called, question.without), *question.without_repositories]
    left_out += [*(f"“{one}”" for one in question.without_topics), *(KINDS[one][2] for one in question.without_kinds)]  # type: ignore[index]
    parts = [
        lead, f"about {about}" if about and not is_led else "",
        f"in {where}" if where and where not in lead else "",
        _release(release) if release and question.intent != "explain" else "",
        _months(question) if question.intent != "profile" else "",
        f"without {listed(left_out)}" if left_out else "",
        "as markdown" if "markdown" in question.form else "",
    ]  # fmt: skip
    return " ".join(filter(None, parts))


def _called(name: str) -> str:
    """What somebody is found by: the address, where it stands behind a name that others have too."""
    return name.rpartition(" <")[2].rstrip(">") if name.endswith(">") else name


def _release(name: str) -> str:
    first, dots, last = name.partition("..")
    named = {LATEST: "since the last release", NEWEST: "in the last release"}
    return named.get(name) or (f"from {first} to {last}" if last else f"{'since' if dots else 'in'} {first}")


def _months(question: Question) -> str:
    if question.ends:
        return (
            " and ".join(map(_side, question.ends))
            if question.intent != "compare"
            else " versus ".join(map(_side, question.ends))
        )
    return _side(question.span) if question.span else ""


def _side(days: Days) -> str:
    first, last = days.ends
    return f"in {first}" if first == last else f"from {first} to {last}"
