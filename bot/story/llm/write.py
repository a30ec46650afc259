"""A month, or a digest's root, in a model's words: asked, checked, and otherwise plain.

It decides nothing: states, dates, people and counts are the facts', and every commit is shown whatever the model says.
Nothing of a reply is trusted, and what cannot be read is not there.
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
import re
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from bot.errors import StoreUnavailable
from bot.model import Change, Commit, Sentence
from bot.month.facts import MonthFacts
from bot.month.histories import number_in
from bot.story.documents import ChangeReference, DigestDocument, WrittenDocument, WrittenPart
from bot.story.lines import called, commits_of, day, events_of, ref_of, reference_of
from bot.story.llm.check import Checker, Ground, Part
from bot.story.llm.client import Model, Unanswered, completion
from bot.story.llm.material import (
    ADDRESS,
    BYTES_A_TOKEN,
    LINK,
    NOWHERE,
    REDACTED,
    AreaOfChange,
    Hunks,
    NumberedChange,
    areas_of,
    gives_orders,
    hunks_of,
    lightest_first,
    material,
    numbered,
    plain_bullet,
    within,
    within_budget,
)
from bot.story.render import Templates
from bot.wording import clean

if TYPE_CHECKING:
    from storage.commits import ModelCache

LONGEST_SENTENCE, LONGEST_TITLE = 420, 60  # signs
MOST_ITEMS, MOST_SENTENCES, MOST_OF_A_PART = 24, 7, 16
LONGEST_POST = 3_500  # signs of a team's post
MOST_SHAS = 3  # in one sentence of it, of changes without a number
MORE = "More"  # what is told by its title, as what was said of it does not hold
TO_ACT_ON = "Before you upgrade"  # a title that the prompt gives
_OBJECTS = 20  # that are looked at in an answer before it is given up
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_SIGNS = re.compile(
    r"://|\bwww\.|\]\(|<[!@#]|<https?|(?<!\w)@(?:channel|here|everyone)\b|\*\*|(?:^|\s)#{1,6} |^\s*[-*] |"
    r"[\w.+-]@[\w-]+\.\w|</?(?:a|b|i|p|br|div|img|script|span|style)\b",
    re.IGNORECASE,
)
_BUGS = re.compile(r"\b(?:bugs?|fix(?:es|ed)?)\b", re.IGNORECASE)  # in the title of an item
_SHA = re.compile(r"[0-9a-f]+")
_IN_BRACKETS = re.compile(r"\s\([^()]+\)$")  # a text whose end stands in them, not a call: "main()"
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


@dataclass(slots=True)
class DraftSentence:
    """A sentence as it was given, the numbers of the changes it names, and where it stands: in which part, and of items
    below which title in the how-maniest."""

    part: Part
    text: str
    evidence: tuple[int, ...]
    faults: list[str] = field(default_factory=list)  # of form; that it holds is for the checker
    title: str = ""
    item: int | None = None


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


def draft_of(answer: Mapping[str, Any]) -> list[DraftSentence]:
    """The sentences of a reply of the form MONTH."""
    found = _sentences([answer.get("headline")], "headline")
    for at, one in enumerate(_list(answer.get("items"))[:MOST_ITEMS]):
        if not isinstance(one, dict):
            continue
        name = _text(one.get("title")).rstrip(".:")
        part: Part = "attention" if name == TO_ACT_ON else "fixed" if _BUGS.search(name) else "item"
        is_good = name == TO_ACT_ON or (len(name) <= LONGEST_TITLE and not form_faults(name))
        some = _sentences(one.get("sentences"), part)[:MOST_SENTENCES]
        found += [replace(sentence, title=name if is_good else "", item=at) for sentence in some]
    return [*found, *_sentences(answer.get("attention"), "attention"), *_sentences(answer.get("impact"), "impact")]


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


_PROMPTS = ("commits", "rules", "month", "digest")  # whose wording is a part of a key
MOST_KEPT = 200_000  # characters of a reply, with the hunks that it was given
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be written: a "month" (of one MonthFacts) or a "digest"'s root (of several).

    `title` is whose the digest is, `plain` what is told of it without a model: its areas are the writer's. `hunks`
    reads what is telling of commits' diffs, by repository and SHA, at most so many characters; only a month with
    `model.diffs` asks for it. By `deadline`, an instant of `time.monotonic`, all asking is over, as for several texts
    of one answer; `model.seconds` from now at the latest.
    """

    kind: Literal["month", "digest"]
    months: Sequence[MonthFacts]
    title: str = ""
    hunks: Callable[[Sequence[Commit], int], Hunks] = lambda commits, most: {}
    deadline: float = math.inf
    plain: DigestDocument | None = None


def write(
    task: Task,
    model: Model,
    prompts: Templates,
    cache: ModelCache,
    now: datetime,
    warn: Callable[[str], None] = log.warning,
) -> WrittenDocument | None:
    """What the model wrote, as far as it holds; None where there is nothing to tell or no answer, which `warn` is given
    in one line. What holds is kept, and the same changes get the same words again without asking."""
    if not any(facts.changes for facts in task.months):
        return None
    writing = Writing(task, model, prompts)
    called = task.title or task.months[0].month.title
    key = writing.key
    with suppress(StoreUnavailable):
        if (kept := cache.get(key)) is not None:
            return writing.written(writing.draft(kept))
    try:
        reply = writing.ask()
    except Unanswered as reason:
        warn(f"{called} is written without the model {model.name}: {reason}")
        return None
    draft = writing.draft(reply)
    if all(sentence.faults for sentence in draft):
        warn(f"{called} is written without the model {model.name}: nothing of what it wrote holds")
        return None
    if len(json.dumps(reply)) <= MOST_KEPT:
        try:
            cache.put(key, reply, now)
        except StoreUnavailable as error:  # words that cannot be kept are as good
            warn(f"what the model {model.name} wrote of {called} could not be kept: {error}")
    return writing.written(draft)


class Writing:
    """One text about some months, and what is asked of a model for it."""

    def __init__(self, task: Task, model: Model, prompts: Templates) -> None:
        self._task, self._model, self._prompts = task, model, prompts
        self._deadline = min(task.deadline, time.monotonic() + model.seconds)
        self._areas = areas_of(task.plain) if task.plain else {}
        self.changes = numbered(task.months)
        self._hunks: Hunks = {}
        self._by_number = {one.n: one for one in self.changes}

    @property
    def key(self) -> str:
        """A hash of all that the words come from: the changes as they stand, the model, and how prompts are worded."""
        changes = [
            [
                one.facts.person.name, str(one.facts.month), one.facts.to_date, one.change.shas, one.change.kind,
                one.change.state, one.change.title, one.change.refs, one.change.shared_by,
                [[event.commit.sha, event.does, event.partly, event.by] for event in events_of(one.change)],
            ]
            for one in self.changes
        ]  # fmt: skip
        sources = [self._prompts.source(f"prompt/{name}.j2") for name in _PROMPTS]
        model = self._model
        # "replies" is what is kept, which was another form in 0.3.0
        own = ["replies", self._task.kind, self._task.title, model.name, model.tokens, model.diffs]
        return hashlib.sha256(json.dumps([own, sources, changes], ensure_ascii=True).encode()).hexdigest()

    # asking

    def ask(self) -> dict[str, Any]:
        """What the model writes, with the hunks that it was given. Raises Unanswered."""
        if self._model.diffs and self._task.kind == "month":
            commits = [commit for one in self.changes for commit in one.change.commits]
            self._hunks = self._task.hunks(commits, self._model.tokens * BYTES_A_TOKEN // 2)
        answer = answer_of(completion(self._model, self._prompt(), MONTH, self._deadline), MONTH["properties"])
        if answer is None:
            raise Unanswered("its answer holds no JSON of the wanted form")
        return {"first": answer, "hunks": [[*key, text] for key, text in self._hunks.items() if text]}

    def _prompt(self) -> str:
        """The prompt within the budget: where the subjects alone are too many, a team's lightest changes are not
        listed."""

        def render(given: dict[str, Any]) -> str:
            return self._prompts.render(f"prompt/{self._task.kind}.j2", **given)

        left = list(self.changes)
        while left:
            if time.monotonic() > self._deadline:  # a hostile history may be slow to look through
                raise Unanswered(f"its messages could not be made ready within {self._model.seconds:g} seconds")
            given = material(self._task.months, left, self._hunks, self._areas)
            released = self._task.plain.released if self._task.plain else ""
            given |= {"title": self._task.title, "released": released, "unlisted": len(self.changes) - len(left)}
            given["fence"] = fence_of(json.dumps(given, ensure_ascii=False))
            if (prompt := within_budget(given, self._model.tokens, render)) is not None:
                return prompt
            if self._task.kind == "month":
                break
            lightest = {one.n for one in lightest_first(left, self._areas)[: max(1, len(left) // 4)]}
            left = [one for one in left if one.n not in lightest]
        raise Unanswered(f"its subjects alone are more than {self._model.tokens:,} tokens")

    # checking

    @cached_property
    def _grounds(self) -> dict[int, Ground]:
        return {one.n: self._ground(one) for one in self.changes}

    @cached_property
    def _checker(self) -> Checker:
        named = (text for facts in self._task.months for text in (facts.person.name, facts.month.title))
        notable = self._task.plain.notable if self._task.plain else ()
        releases = [word for one in notable if one.kind == "released" for word in (one.text, day(one.on, one.on))]
        return Checker(self._grounds, (self._task.title, *named), releases)

    def _ground(self, one: NumberedChange) -> Ground:
        is_unsent = any(gives_orders(within(commit.body)) for commit in one.change.commits)
        hunks = hunks_of(one.change, self._hunks)
        return Ground(one.change, one.facts.person.name, one.facts.zone, hunks, is_unsent)

    def draft(self, reply: Mapping[str, Any]) -> list[DraftSentence]:
        """What the model wrote, with its faults in each sentence. What was kept of it is judged as what was just
        written."""
        hunks = (row for row in _list(reply.get("hunks")) if _is_hunk(row))
        self._hunks = {(name, sha): text for name, sha, text in hunks}
        first = reply.get("first")
        draft = draft_of(first if isinstance(first, dict) else {})
        for one in draft:
            if not one.faults:
                beside = " ".join(each.text for each in draft if one.item is not None and each.item == one.item)
                one.faults = self._checker.faults(one.text, one.evidence, one.part, beside)
        return draft

    # telling

    def written(self, draft: Sequence[DraftSentence]) -> WrittenDocument:
        """What holds, with plain words in the place of what does not; every change is in it."""
        by_item: dict[tuple[int, str], list[DraftSentence]] = defaultdict(list)
        for one in draft:
            if one.item is not None:
                by_item[one.item, one.title].append(one)
        items = [(self._title(some), held) for some in by_item.values() if (held := self._held(some))]
        headline, attention, impact = (
            self._held([one for one in draft if one.item is None and one.part == part])
            for part in ("headline", "attention", "impact")
        )
        named = _named(*(some for _, some in items), attention, impact)
        wrong = [one for one in draft if one.faults and one.part not in ("headline", "impact")]
        numbers = dict.fromkeys(n for one in wrong for n in one.evidence)
        meant = [self._by_number[n] for n in numbers if n in self._by_number]
        lacking = [one for one in meant if not (one.is_out or named.issuperset(one.change.shas))]
        items += [(MORE, tuple(map(self._plain, lacking)))] if lacking else []
        out = [one for one in self.changes if self._is_shown_out(one) and not named.issuperset(one.change.shas)]
        plain_out = tuple(map(self._plain, out))
        if self._task.plain:
            room = LONGEST_POST - sum(len(one.text) for one in (*headline, *plain_out))
            (_, attention), (_, impact), *items = _fitting([("", attention), ("", impact), *items], room)
            items = [(title, some) for title, some in items if some]
        attention = (*attention, *plain_out)
        named = _named(*(some for _, some in items), attention, impact)
        spoken_of = named.union(*(sentence.evidence for sentence in headline))
        return WrittenDocument(
            headline=headline[0] if headline else None,
            items=tuple(_part(title, some) for title, some in items),
            attention=attention,
            impact=impact,
            named=tuple(reference_of(one.change) for one in self.changes if not spoken_of.isdisjoint(one.change.shas)),
            rest=tuple(_rest(one.change) for one in self.changes if not named.issuperset(one.change.shas)),
        )

    def _is_shown_out(self, one: NumberedChange) -> bool:
        """Whether it is told of a change that it does not stand; of a team's, where its plain post says so, too."""
        return one.is_out and (not self._task.plain or self._place(one.change).section == "out")

    def _held(self, sentences: Sequence[DraftSentence]) -> tuple[Sentence, ...]:
        held = [(one, [self._by_number[n].change for n in one.evidence]) for one in sentences if not one.faults]
        return tuple(
            Sentence(one.text if one.part == "headline" else cited(one.text, changes), commits_of(changes))
            for one, changes in held
        )

    def _place(self, change: Change) -> AreaOfChange:
        return self._areas.get(change.lead.sha, NOWHERE)

    def _plain(self, one: NumberedChange) -> Sentence:
        text = plain_bullet(one, self._place(one.change).text)
        return Sentence(cited(text, [one.change]), commits_of([one.change]))

    def _title(self, sentences: Sequence[DraftSentence]) -> str:
        """The title of an item, if its changes have what it names."""
        title = sentences[0].title
        if title == TO_ACT_ON:
            return title
        numbers = dict.fromkeys(n for sentence in sentences for n in sentence.evidence)
        grounds = [self._grounds[n] for n in numbers if n in self._grounds]
        return "" if not grounds or self._checker.unknown_names(title, grounds) else title


def _named(*some: Iterable[Sentence]) -> set[str]:
    return {sha for sentences in some for one in sentences for sha in one.evidence}


def cited(text: str, changes: Iterable[Change], *, each: bool = True) -> str:
    """A text with the beginnings of the SHAs of those changes that have no number, unless it has them, in the brackets
    at its end; or, if not `each`, with what all of them are called, unless it calls one so."""
    refs = list(dict.fromkeys(number_in(one) or ref_of(one.lead) for one in changes))
    bare = [ref for ref in refs if not re.search(rf"{re.escape(ref)}(?!\w)", text)]
    if not each and len(bare) < len(refs):
        return text
    bare = [ref for ref in bare if _SHA.fullmatch(ref)] if each else bare
    if not bare:
        return text
    more = f" and {len(bare) - MOST_SHAS} more" if len(bare) > MOST_SHAS else ""
    return _in_brackets(text, f"{', '.join(bare[:MOST_SHAS])}{more}")


def _in_brackets(text: str, words: str) -> str:
    """A text with words put last into the brackets at its end."""
    text, end = text.removesuffix("."), "." * text.endswith(".")
    return f"{text[:-1]}, {words}){end}" if _IN_BRACKETS.search(text) else f"{text} ({words}){end}"


def _fitting(items: Iterable[tuple[str, Sequence[Sentence]]], room: int) -> list[tuple[str, tuple[Sentence, ...]]]:
    """The items in their order, each with those of its sentences that the room holds, if with none."""
    found = []
    for title, sentences in items:
        held = []
        for one in sentences:
            if len(one.text) <= room:
                held.append(one)
                room -= len(one.text)
        found.append((title, tuple(held)))
    return found


def _part(title: str, sentences: Sequence[Sentence]) -> WrittenPart:
    lines = tuple(one.text for one in sentences)
    evidence = dict.fromkeys(sha for one in sentences for sha in one.evidence)
    return WrittenPart(title, " ".join(lines), lines, tuple(evidence))


def _rest(change: Change) -> ChangeReference:
    return replace(reference_of(change), title=called(change), by=clean(change.shared_by))


def _is_hunk(row: Any) -> bool:
    return isinstance(row, list) and len(row) == 3 and all(isinstance(one, str) for one in row)


def fence_of(text: str) -> str:
    """A line that nobody can have written into a message: it does not stand in the text."""
    while (fence := f"===== {secrets.token_hex(12)} =====") in text:
        pass
    return fence
