"""A question as JSON and back: what `almanac ask --parse` prints, and what a button in Slack holds; and as a text that
can be typed. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.ask.question import FORMS, LARGEST, LISTINGS, OF_FILES, REVIEW, Question
from bot.month.calendar import Days
from bot.month.releases import LATEST, NEWEST
from bot.story.wording import KINDS, listed

_LISTS = ("paths", "references", "states", "without_topics", "without_kinds", "unread")
_ONES = ("team", "topic_in", "reviews", "order", "limit", "count", "only", "first_time")


def question_document(question: Question) -> dict[str, Any]:
    """What was understood: {"intent", "people", "from", "to", "repos", "topic", "kinds"}; and "form", "ends",
    "without", "without_repos" and "release" where they are said.

    "from" and "to" are months where the time is whole months, else days, both in it.
    """
    first, last = question.span.ends if question.span else (None, None)
    document: dict[str, Any] = {
        "intent": question.intent,
        "people": list(question.people),
        "from": first,
        "to": last,
        "repos": list(question.repositories),
        "topic": question.topic,
        "kinds": list(question.kinds),
    }
    more: dict[str, Any] = {
        "form": " ".join(question.form),
        **{name: list(getattr(question, name)) for name in _LISTS},
        **{name: getattr(question, name) for name in _ONES},
        "ends": [question.ends[0].ends[1], question.ends[1].ends[0]] if question.ends else None,
        "without": list(question.without),
        "without_repos": list(question.without_repositories),
        "release": question.release,
        "listing": question.listing if question.listing != "changes" else None,
    }
    return document | {key: value for key, value in more.items() if value}


def understood_document(question: Question) -> dict[str, Any]:
    """What `almanac ask --parse` prints: the same, a release standing as its topic."""
    document = question_document(replace(question, ends=None, release=None, unread=()))
    return document | ({"topic": question.release} if question.release else {})


def question_of(document: Mapping[str, Any]) -> Question:
    """The question of such a document, in which what is empty may be missing. Raises ValueError where it is none."""
    first, last = document.get("from"), document.get("to")
    topic, release = document.get("topic"), document.get("release")
    form = document.get("form")
    if (
        not isinstance(document.get("intent"), str)
        or not isinstance(topic, str | None)
        or not isinstance(release, str | None)
        or not isinstance(form, str | None)
        or not FORMS.issuperset((form or "").split())
        or not isinstance(limit := document.get("limit"), int | None)
    ):
        raise ValueError(f"this is no question: {document}")
    more: dict[str, Any] = {name: _texts(document.get(name)) for name in _LISTS}
    more |= {name: _one(document, name, allowed) for name, allowed in _ALLOWED.items()}
    more |= {name: bool(document.get(name)) for name in ("count", "only", "first_time")}
    return Question(
        document["intent"],
        people=_texts(document.get("people")),
        span=Days.parse(str(first or last), str(last or first)) if first or last else None,
        repositories=_texts(document.get("repos")),
        topic=topic,
        kinds=_texts(document.get("kinds")),
        form=tuple((form or "").split()),
        ends=_ends(first, document.get("ends"), last),
        without=_texts(document.get("without")),
        without_repositories=_texts(document.get("without_repos")),
        release=release,
        listing=_one(document, "listing", LISTINGS) or "changes",  # type: ignore[arg-type]
        limit=limit,
        **more,
    )


_ALLOWED = {
    "team": (),
    "topic_in": ("subject", "body", "path"),
    "reviews": ("by", "of"),
    "order": ("size", "latest", "landed", "first"),
}


def _one(document: Mapping[str, Any], name: str, allowed: Sequence[str]) -> str | None:
    said = document.get(name)
    if not isinstance(said, str | None) or (said and allowed and said not in allowed):
        raise ValueError(f"this is no question: {document}")
    return said


def _ends(first: object, values: object, last: object) -> tuple[Days, Days] | None:
    """The two times of a comparison: from the first day to where the one ends, and from where the other begins."""
    texts = _texts(values)
    if len(texts) not in (0, 2):
        raise ValueError(f"these are no two times: {values}")
    return (Days.parse(str(first), texts[0]), Days.parse(texts[1], str(last))) if texts else None


def typed(question: Question) -> str:
    """A text that asks just that, whatever it is typed into: where there are no buttons, it stands in their place."""
    people = listed([_called(name) for name in question.people])
    where = f"in {listed(list(question.repositories))}" if question.repositories else ""
    when = _months(question)
    kinds = listed([KINDS[kind][2] for kind in question.kinds if kind in KINDS])
    files = next((kind for kind in question.kinds if kind in OF_FILES), "")
    team = f"the {question.topic} team" if question.topic else ""
    if question.intent == "month" and question.topic:
        return " ".join(filter(None, [f"what did {people} do on {question.topic}", where, when]))
    if question.release and question.intent == "explain":
        named = "the last release" if question.release == NEWEST else question.release
        return f"when was {named} released {where}".strip()
    if question.release:
        team, where = "", f"{_release(question.release)} {where}".strip()
    if question.intent == "explain":
        said = f"explain {question.topic}"
    elif question.intent == "link":
        whose = f"link {question.topic} to {people}" if people else f"whose login is {question.topic}"
        said = whose if question.topic else "link"
    elif files and question.intent == "compare":
        said = f"did {people} change the same {files}"
    elif files:
        whose, topic = (
            (people or "everyone", f" for {question.topic}")
            if question.intent == "who"
            else (people or team or "everyone", "")
        )
        said = f"which {files} did {whose} change most{topic}"
    elif LARGEST in question.kinds:
        said = f"biggest {kinds or 'changes'} of {people or team or 'everyone'}"
    elif question.intent == "who" and kinds:
        said = f"show the {kinds} of {people or 'everyone'} on {question.topic}"
    elif question.intent == "who" and question.people:
        said = f"who worked with {people}{f' on {question.topic}' if question.topic else ''}"
    elif question.intent == "who":
        said = (
            f"who worked on {'the ' if question.topic else ''}{question.topic or listed(list(question.repositories))}"
        )
        where = where if question.topic else ""
    elif question.intent == "what_shipped":
        said = f"what did {team} ship" if team else "what shipped"
    elif REVIEW in question.kinds:
        said = f"reviews by {people}"
    elif question.intent == "changes":
        said = f"show the {kinds or 'changes'} of {people or team or 'everyone'}"
    else:
        lead = {"compare": "compare", "profile": "profile of", "digest": "digest for"}.get(question.intent, "")
        said = f"{lead} {people or team or 'everyone'}"
    form = "as markdown" if "markdown" in question.form else ""
    left_out = [*map(_called, question.without), *question.without_repositories]
    without = f"without {listed(left_out)}" if left_out else ""
    return " ".join(filter(None, [said.strip(), where, when if question.intent != "profile" else "", without, form]))


def _called(name: str) -> str:
    """What somebody is found by: the address, where it stands behind a name that others have too."""
    return name.rpartition(" <")[2].rstrip(">") if name.endswith(">") else name


def _release(name: str) -> str:
    first, dots, last = name.partition("..")
    named = {LATEST: "since the last release", NEWEST: "in the last release"}
    return named.get(name) or (f"from {first} to {last}" if last else f"{'since' if dots else 'in'} {first}")


def _months(question: Question) -> str:
    if question.span is None:
        return ""
    first, last = question.span.ends
    if first == last:
        return f"in {first}"
    if question.ends:
        one, other = map(_side, question.ends)
        return f"{one} versus {other.partition(' ')[2]}"
    one_by_one = question.intent == "compare" and len(question.people) == 1
    return f"in {first} and {last}" if one_by_one else f"from {first} to {last}"


def _side(days: Days) -> str:
    first, last = days.ends
    return f"in {first}" if first == last else f"from {first} to {last}"


def _texts(values: object) -> tuple[str, ...]:
    if values is None:
        return ()
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        raise ValueError(f"these are no names: {values}")
    return tuple(values)
