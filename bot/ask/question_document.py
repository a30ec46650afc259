"""A question as JSON and back: what `almanac ask --parse` prints, and what a button in Slack holds; and as a text that
can be typed. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bot.ask.question import FORMS, LISTINGS, Question
from bot.month.calendar import Days
from bot.month.releases import LATEST, NEWEST, WHICH
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
    document = _as_written_now(document)
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


# What stood among the kinds in the buttons of 0.2, and where the same stands now.
_OF_KINDS = {"review": ("reviews", "by"), "largest": ("order", "size"), "files": ("listing", "files"),
             "folders": ("listing", "folders")}  # fmt: skip
_REFERENCE = re.compile(r"[0-9a-f]{7,64}|[\w./-]{0,200}[#!]\d{1,9}")


def _as_written_now(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """A document as buttons hold it now; those of 0.2, which still stand below messages, held some of it elsewhere."""
    kinds, topic = document.get("kinds"), document.get("topic")
    moved: dict[str, Any] = {}
    if isinstance(kinds, list) and not {one for one in kinds if isinstance(one, str)}.isdisjoint(_OF_KINDS):
        moved |= dict(_OF_KINDS[one] for one in kinds if one in _OF_KINDS)
        moved["kinds"] = [one for one in kinds if one not in _OF_KINDS]
    if document.get("intent") == "explain" and isinstance(topic, str) and _REFERENCE.fullmatch(topic):
        moved |= {"references": [topic], "topic": None}
    return {**document, **moved}


_ALLOWED = {
    "team": (),
    "topic_in": ("subject", "body", "path"),
    "reviews": ("by", "of"),
    "order": ("size", "files", "latest", "landed", "first"),
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
    whose = people or (f"the {question.team} team" if question.team else "everyone")
    kinds = listed([KINDS[kind][2] for kind in question.kinds if kind in KINDS]) or "changes"
    about = f"“{question.topic}”" if question.topic else listed(list(question.paths))
    where, release = listed(list(question.repositories)), question.release
    most = f"top {question.limit} people" if question.limit else "who worked"
    helped = f"whom did {people} help" if people and not (about or where) else f"{most} on {about or where}"
    sides = people or where or " ".join((*question.states, kinds))
    leads = {
        "month": f"what did {whose} do", "what_shipped": f"what did {whose} ship" if question.team else "what shipped",
        "compare": f"compare {sides}", "profile": f"profile of {whose}", "digest": "digest",
        "who": helped, "explain": f"explain {listed(list(question.references)) or about}",
    }  # fmt: skip
    first = {"size": "largest", "files": "largest", "latest": "latest", "first": "first"}.get(question.order or "", "")
    if question.intent == "link":
        lead = f"link {question.topic} to {people}" if people else f"whose login is {question.topic}"
        return lead if question.topic else "link"
    if question.intent == "explain" and release and (question.references or about):
        what = listed(list(question.references)) or about
        lead = f"which release has {what}" if release == WHICH else f"is {what} in {listed(release.split('..'))}"
    elif question.listing == "releases":
        lead = f"which releases are there{f' of {release}' if release else ''}"
    elif question.intent == "explain" and release:
        lead = f"when was {'the last release' if release == NEWEST else release} released"
    elif question.listing in ("files", "folders"):
        lead = f"which {question.listing} did {whose} change{' most' if question.order == 'size' else ''}"
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
        "by files" if question.order == "files" else "", "as markdown" if "markdown" in question.form else "",
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


def _texts(values: object) -> tuple[str, ...]:
    if values is None:
        return ()
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        raise ValueError(f"these are no names: {values}")
    return tuple(values)
