"""What a model replied → rows, whatever it is: nothing of it is trusted, and what cannot be read is not there. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.story.checking.checker import Part
from bot.story.llm.material import SPEAKS_TO_MODEL
from bot.story.llm.redaction import ADDRESS, LINK, REDACTED
from bot.story.wording import clean

LONGEST_SENTENCE, LONGEST_TITLE, LONGEST_TECHNOLOGY = 420, 60, 40  # signs
# The sentences of an item or of a profile's paragraph are one text of a document: at most LONGEST_SAID together.
MOST_ITEMS, MOST_SENTENCES, MOST_OF_A_PART, MOST_TECHNOLOGIES = 24, 7, 16, 5
_OBJECTS = 20  # that are looked at in an answer before it is given up
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_SIGNS = re.compile(
    r"://|\bwww\.|\]\(|<[!@#]|<https?|(?<!\w)@(?:channel|here|everyone)\b|\*\*|(?:^|\s)#{1,6} |^\s*[-*] |"
    r"[\w.+-]@[\w-]+\.\w|</?(?:a|b|i|p|br|div|img|script|span|style)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"`[^`]*`|“[^”]*”|\"[^\"]*\"")
_PERSONS = re.compile(
    r"(?<![\w/.-])(?:I|I'm|I've|We|we|Our|our|You|you|Your|your|us|me|my|Please|please|Sorry|sorry)(?![\w/(.-])"
)
_BY_A_MODEL = re.compile(r"\bas an ai\b|\blanguage model\b.{0,20}\b(?:cannot|can't)|\bsystem prompt\b", re.IGNORECASE)

SENTENCE: dict[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "evidence": {"type": "array", "items": {"type": "integer"}}},
    "required": ["text", "evidence"],
    "additionalProperties": False,
}
_SENTENCES = {"type": "array", "items": SENTENCE}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _list_of(**properties: Any) -> dict[str, Any]:
    return {"type": "array", "items": _object(**properties)}


TOLD = _object(
    headline=SENTENCE,
    items=_list_of(title={"type": "string"}, sentences=_SENTENCES),
    fixed=_SENTENCES,
    attention=_SENTENCES,
    impact=_SENTENCES,
    technologies={"type": "array", "items": {"type": "string"}},
)
PROFILE = _object(paragraph=_SENTENCES, months=_list_of(month={"type": "string"}, sentences=_SENTENCES))
AGAIN = _object(
    sentences=_list_of(n={"type": "integer"}, text={"type": "string"}, evidence=SENTENCE["properties"]["evidence"])
)
OPINION = _object(
    verdicts=_list_of(
        n={"type": "integer"},
        verdict={"type": "string", "enum": ["supported", "partly", "no"]},
        words={"type": "string"},
    )
)


@dataclass(slots=True)
class Row:
    """A sentence as it was given, the numbers of the changes it names, and where it stands."""

    part: Part
    text: str
    evidence: tuple[int, ...]
    faults: list[str] = field(default_factory=list)  # of form; that it holds is for the checker


@dataclass(slots=True)
class Draft:
    """A reply as it was given. The sentences of an item stand in `items` with its title."""

    headline: Row | None
    items: list[tuple[str, list[Row]]]
    fixed: list[Row]
    attention: list[Row]
    impact: list[Row]
    technologies: list[str]

    def rows(self) -> Iterator[Row]:
        if self.headline:
            yield self.headline
        for _, sentences in self.items:
            yield from sentences
        yield from (*self.fixed, *self.attention, *self.impact)


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
    """A reply of the form TOLD, or PROFILE, whose paragraph is an item without a title."""
    headline = row_of(answer.get("headline"), "headline")
    items = _items(answer.get("items"), "title")
    if paragraph := _rows(answer.get("paragraph"), "item")[:MOST_SENTENCES]:
        items = [("", paragraph), *_items(answer.get("months"), "month")][:MOST_ITEMS]
    technologies = dict.fromkeys(filter(None, map(_text, _list(answer.get("technologies")))))
    return Draft(
        headline if headline.text else None,
        items,
        _rows(answer.get("fixed"), "fixed"),
        _rows(answer.get("attention"), "attention"),
        _rows(answer.get("impact"), "impact"),
        [one for one in technologies if len(one) <= LONGEST_TECHNOLOGY and not _SIGNS.search(one)][:MOST_TECHNOLOGIES],
    )


def _items(given: Any, title: str) -> list[tuple[str, list[Row]]]:
    found = []
    for one in _list(given)[:MOST_ITEMS]:
        if isinstance(one, dict) and (sentences := _rows(one.get("sentences"), "item")[:MOST_SENTENCES]):
            name = _text(one.get(title)).rstrip(".:")
            found.append((name if len(name) <= LONGEST_TITLE and not form_faults(name) else "", sentences))
    return found


def _rows(given: Any, part: Part) -> list[Row]:
    rows = (row_of(one, part) for one in _list(given)[:MOST_OF_A_PART])
    return [row for row in rows if row.text]


def row_of(given: Any, part: Part) -> Row:
    """A sentence; without text where what was given is none."""
    if not isinstance(given, dict):
        return Row(part, "", ())
    text = _text(given.get("text"))
    evidence = tuple(dict.fromkeys(n for n in map(_number, _list(given.get("evidence"))[:200]) if n is not None))
    return Row(part, text, evidence, form_faults(text))


def form_faults(text: str) -> list[str]:
    """What in a text may never be posted, whoever bears it out."""
    wrong = [f"longer than {LONGEST_SENTENCE} characters"] if len(text) > LONGEST_SENTENCE else []
    if _SIGNS.search(_QUOTED.sub(" ", text)) or "://" in text:
        wrong.append("it holds a link, an address, a call to a channel or marks of formatting")
    if REDACTED in text or ADDRESS in text or LINK in text:
        wrong.append("it says what was left out")
    if _PERSONS.search(_QUOTED.sub(" ", text)):  # what a developer wrote is theirs
        wrong.append("it says I, we or you")
    if _BY_A_MODEL.search(text) or SPEAKS_TO_MODEL.search(text):
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
