"""What a model replied → a draft. Nothing of a reply is trusted, and what cannot be read is not there. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.story.checker import Part
from bot.story.llm.redaction import ADDRESS, LINK, REDACTED, gives_orders
from bot.story.wording import clean

LONGEST_SENTENCE, LONGEST_TITLE = 420, 60  # signs
# The sentences of an item or of a profile's paragraph are one text of a document: at most LONGEST_SAID together.
MOST_ITEMS, MOST_SENTENCES, MOST_OF_A_PART = 24, 7, 16
_OBJECTS = 20  # that are looked at in an answer before it is given up
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_SIGNS = re.compile(
    r"://|\bwww\.|\]\(|<[!@#]|<https?|(?<!\w)@(?:channel|here|everyone)\b|\*\*|(?:^|\s)#{1,6} |^\s*[-*] |"
    r"[\w.+-]@[\w-]+\.\w|</?(?:a|b|i|p|br|div|img|script|span|style)\b",
    re.IGNORECASE,
)
_BUGS = re.compile(r"\b(?:bugs?|fix(?:es|ed)?)\b", re.IGNORECASE)  # in the title of an item
_QUOTED = re.compile(r"`[^`]*`|“[^”]*”|\"[^\"]*\"")
_PERSONS = re.compile(
    r"(?<![\w/.-])(?:I|I'm|I've|We|we|Our|our|You|you|Your|your|us|me|my|Please|please|Sorry|sorry)(?![\w/(.-])"
)
_BY_A_MODEL = re.compile(r"\bas an ai\b|\blanguage model\b.{0,20}\b(?:cannot|can't)|\bsystem prompt\b", re.IGNORECASE)


def object_of(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def list_of(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_TEXT, _INTEGER = {"type": "string"}, {"type": "integer"}
_SENTENCE = object_of({"text": _TEXT, "evidence": list_of(_INTEGER)})
_SENTENCES = list_of(_SENTENCE)
MONTH = object_of(
    {
        "headline": _SENTENCE,
        "items": list_of(object_of({"title": _TEXT, "sentences": _SENTENCES})),
        "attention": _SENTENCES,
        "impact": _SENTENCES,
    }
)
PROFILE = object_of({"paragraph": _SENTENCES, "months": list_of(object_of({"month": _TEXT, "sentences": _SENTENCES}))})
AGAIN = object_of({"sentences": list_of(object_of({"n": _INTEGER, "text": _TEXT, "evidence": list_of(_INTEGER)}))})


@dataclass(slots=True)
class DraftSentence:
    """A sentence as it was given, the numbers of the changes it names, and where it stands."""

    part: Part
    text: str
    evidence: tuple[int, ...]
    faults: list[str] = field(default_factory=list)  # of form; that it holds is for the checker


@dataclass(slots=True)
class Draft:
    """A reply as it was given. The sentences of an item stand in `items` with its title."""

    headline: DraftSentence | None
    items: list[tuple[str, list[DraftSentence]]]
    attention: list[DraftSentence]
    impact: list[DraftSentence]

    def sentences(self) -> Iterator[DraftSentence]:
        if self.headline:
            yield self.headline
        for _, sentences in self.items:
            yield from sentences
        yield from (*self.attention, *self.impact)

    def as_reply(self) -> dict[str, Any]:
        """The draft in the form of a reply, and in "refused" the places of the sentences that do not hold."""

        def rows(some: Iterable[DraftSentence]) -> list[dict[str, Any]]:
            return [{"text": one.text, "evidence": list(one.evidence)} for one in some]

        return {
            "headline": next(iter(rows([self.headline] if self.headline else [])), None),
            "items": [{"title": title, "sentences": rows(some)} for title, some in self.items],
            "attention": rows(self.attention),
            "impact": rows(self.impact),
            "refused": [n for n, one in enumerate(self.sentences()) if one.faults],
        }


def answer_of(content: str, keys: Collection[str]) -> dict[str, Any] | None:
    """The first JSON object in a text that has one of the wanted keys, whatever stands around it."""
    text = _THOUGHT.sub(" ", content)
    decoder, at = json.JSONDecoder(), 0
    for _ in range(_OBJECTS):
        at = text.find("{", at)
        if at < 0:
            return None
        try:
            found, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        if isinstance(found, dict) and not found.keys().isdisjoint(keys):
            return found
    return None


def draft_of(answer: Mapping[str, Any]) -> Draft:
    """A reply of the form MONTH, or PROFILE, whose paragraph is an item without a title."""
    headline = sentence_of(answer.get("headline"), "headline")
    items = _items(answer.get("items"), "title")
    if paragraph := _sentences(answer.get("paragraph"), "item")[:MOST_SENTENCES]:
        items = [("", paragraph), *_items(answer.get("months"), "month")][:MOST_ITEMS]
    if fixed := _sentences(answer.get("fixed"), "fixed"):  # a server may not hold its model to the form
        items.append(("Bugs fixed", fixed))
    return Draft(
        headline if headline.text else None,
        items,
        _sentences(answer.get("attention"), "attention"),
        _sentences(answer.get("impact"), "impact"),
    )


def _items(given: Any, title: str) -> list[tuple[str, list[DraftSentence]]]:
    found = []
    for one in _list(given)[:MOST_ITEMS]:
        if not isinstance(one, dict):
            continue
        name = _text(one.get(title)).rstrip(".:")
        part: Part = "fixed" if _BUGS.search(name) else "item"
        if sentences := _sentences(one.get("sentences"), part)[:MOST_SENTENCES]:
            found.append((name if len(name) <= LONGEST_TITLE and not form_faults(name) else "", sentences))
    return found


def _sentences(given: Any, part: Part) -> list[DraftSentence]:
    rows = (sentence_of(one, part) for one in _list(given)[:MOST_OF_A_PART])
    return [row for row in rows if row.text]


def sentence_of(given: Any, part: Part) -> DraftSentence:
    """A sentence; without text where what was given is none."""
    if not isinstance(given, dict):
        return DraftSentence(part, "", ())
    text = _text(given.get("text"))
    evidence = tuple(dict.fromkeys(n for n in map(_number, _list(given.get("evidence"))[:200]) if n is not None))
    return DraftSentence(part, text, evidence, form_faults(text))


def form_faults(text: str) -> list[str]:
    """What in a text may never be posted, whoever bears it out."""
    wrong = [f"longer than {LONGEST_SENTENCE} characters"] if len(text) > LONGEST_SENTENCE else []
    if _SIGNS.search(_QUOTED.sub(" ", text)) or "://" in text:
        wrong.append("it holds a link, an address, a call to a channel or marks of formatting")
    if REDACTED in text or ADDRESS in text or LINK in text:
        wrong.append("it says what was left out")
    if _PERSONS.search(_QUOTED.sub(" ", text)):  # what a developer wrote is theirs
        wrong.append("it says I, we or you")
    if _BY_A_MODEL.search(text) or gives_orders(text):
        wrong.append("it is not about the changes")
    return wrong


def _number(value: Any) -> int | None:
    if isinstance(value, str):
        value = value.strip().strip("[]")
        return int(value) if value.isascii() and value.isdigit() and len(value) < 6 else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return clean(value[:2000]) if isinstance(value, str) else ""
