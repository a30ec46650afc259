"""A month, or a digest's root, in a model's words: asked, checked, and otherwise plain.

Facts | material within a budget | prompt | reply | sentences with their faults | WrittenDocument

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
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from typing import Any, Literal, Protocol
from zoneinfo import ZoneInfo

from bot.errors import StoreUnavailable
from bot.model import Change, Commit, Sentence
from bot.month.changes import number_in
from bot.month.credits import BOTS, TOOLS, credits_of, is_tool
from bot.month.facts import MonthFacts
from bot.month.message import heading_of
from bot.month.paths import lines_of
from bot.month.title import plain_title
from bot.story.documents import DigestDocument, WrittenDocument, WrittenPart
from bot.story.lines import called, came_after, chain, events_of, ref_of, reference_of, steps_of
from bot.story.llm.check import Checker, Facts, Ground, Part, forms_of, is_in
from bot.story.llm.client import Model, Unanswered, completion
from bot.story.llm.redaction import ADDRESS, LINK, LONGEST_TEXT, REDACTED, gives_orders, redacted, redacted_in, within
from bot.story.render import Templates
from bot.wording import clean, count, listed, shortened

log = logging.getLogger(__name__)

# --- a reply, as it was given

LONGEST_SENTENCE, LONGEST_TITLE = 420, 60  # signs
MOST_ITEMS, MOST_SENTENCES, MOST_OF_A_PART = 24, 7, 16
LONGEST_POST = 3_500  # signs of a team's post
MOST_SHAS = 3  # in one sentence of it, of changes without a number
MORE = "More"  # what is told by its title, as what was said of it does not hold
# Titles that the prompt gives.
TO_ACT_ON, MERGED_SINCE = "Before you upgrade", "Merged since"
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
class Drafted:
    """A sentence as it was given, the numbers of the changes it names, and where it stands: below which heading, by its
    place and its title, or below none."""

    part: Part
    text: str
    evidence: tuple[int, ...]
    heading: tuple[int, str] | None = None
    faults: list[str] = field(default_factory=list)  # of form; that it holds is for the checker


def answer_of(content: str, keys: Collection[str]) -> dict[str, Any] | None:
    """The JSON object in a text, if it has one of the wanted keys, whatever stands around it."""
    text = _THOUGHT.sub(" ", content)
    try:
        found = json.loads(text[text.index("{") : text.rindex("}") + 1])
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and not found.keys().isdisjoint(keys) else None


def drafted(answer: Mapping[str, Any]) -> list[Drafted]:
    """The sentences of a reply of the form MONTH, in their order."""
    found = _sentences([answer.get("headline")], "headline")
    for at, one in enumerate(_list(answer.get("items"))[:MOST_ITEMS]):
        if isinstance(one, dict):
            name = _text(one.get("title")).rstrip(".:")
            part: Part = "attention" if name == TO_ACT_ON else "fixed" if _BUGS.search(name) else "item"
            is_good = name == TO_ACT_ON or (len(name) <= LONGEST_TITLE and not form_faults(name))
            found += _sentences(one.get("sentences"), part, (at, name if is_good else ""))[:MOST_SENTENCES]
    return [*found, *_sentences(answer.get("attention"), "attention"), *_sentences(answer.get("impact"), "impact")]


def _sentences(given: Any, part: Part, heading: tuple[int, str] | None = None) -> list[Drafted]:
    rows = (sentence_of(one, part, heading) for one in _list(given)[:MOST_OF_A_PART])
    return [row for row in rows if row.text]


def sentence_of(given: Any, part: Part, heading: tuple[int, str] | None = None) -> Drafted:
    """A sentence; without text where what was given is none."""
    if not isinstance(given, dict):
        return Drafted(part, "", ())
    text = _text(given.get("text"))
    evidence = tuple(dict.fromkeys(n for n in map(_number, _list(given.get("evidence"))[:200]) if n is not None))
    return Drafted(part, text, evidence, heading, form_faults(text))


def form_faults(text: str) -> list[str]:
    """What in a text may never be posted, whoever bears it out."""
    own = _QUOTED.sub(" ", text)  # what a developer wrote is theirs
    faults = {
        f"longer than {LONGEST_SENTENCE} characters": len(text) > LONGEST_SENTENCE,
        "it holds a link, an address, a call to a channel or marks of formatting": _SIGNS.search(own) or "://" in text,
        "it says what was left out": any(one in text for one in (REDACTED, ADDRESS, LINK)),
        "it says I, we or you": _PERSONS.search(own),
        "it is not about the changes": _BY_A_MODEL.search(text) or gives_orders(text),
    }
    return [fault for fault, is_so in faults.items() if is_so]


def _number(value: Any) -> int | None:
    if isinstance(value, str):
        value = value.strip().strip("[]")
        return int(value) if value.isascii() and value.isdigit() and len(value) < 6 else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return clean(value[:2000]) if isinstance(value, str) else ""


# --- what a model is given

Hunks = Mapping[tuple[str, str], str]  # what is telling of a commit's diff, by repository and SHA
BYTES_A_TOKEN = 4  # an estimate that is high for code and about right for prose
LONGEST_SUBJECT = 500  # characters
LONGEST_REASON = 600  # of why somebody reverted a change
MOST_PATHS = 8  # of a change, those with the most changed lines first
MOST_NAMED = 6  # who wrote a change together with the author

# Lines that name people, or where a commit went.
_TRAILER = re.compile(
    r"\s*(?:(?:signed[- ]off|(?:co-?)?authored|(?:co-?)?developed|acked|approved|assisted|committed|helped|pulled|"
    r"reported|reviewed|suggested|tested)[- ]by\s*:|"
    r"(?:cc|reviewers?|subscribers?|author|differential revision|fbshipit-source-id|ghstack-\w{1,20}(?:-\w{1,20})?|"
    r"stack from ghstack|change-id|x-link|pull request resolved|original (?:commit changeset|phabricator diff|diff|pr)|"
    r"git-svn-id|tasks?|tags)\s*[:(])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AreaPlace:
    """Where a change stands in a team's month: under which heading, in which section of the plain post, if it has a
    line there, with the text of that, whether it is only counted, and which release of the time is the first that has
    it; `rank` puts the headings of most changes first."""

    heading: str = ""
    section: str = ""
    text: str = ""
    is_counted: bool = False
    rank: int = 0
    release: str = ""


@dataclass(frozen=True, slots=True)
class NumberedChange:
    """A change by the number that it has in a prompt, from 1, whose month it is of, and where a team's has it."""

    n: int
    facts: MonthFacts
    change: Change
    place: AreaPlace

    @property
    def is_out(self) -> bool:
        """Whether it was backed out and is not back. A revert that was reverted is none of these."""
        return not is_in(self.change) and self.change.kind != "revert"


_SECTIONS = {
    "act": "a reader may have to act on it",
    "security": "it is about security",
    "off": "it turned tests off that are still off",
    "fixed": "a fix",
}


def numbered(months: Iterable[MonthFacts], plain: DigestDocument | None = None) -> tuple[NumberedChange, ...]:
    """Every change of the months, once each, in their order; with its place in what is told of a team."""
    places = _places_of(plain) if plain else {}
    found: dict[tuple[str, ...], tuple[MonthFacts, Change]] = {}
    for facts in months:
        for change in facts.changes:
            found.setdefault(change.shas, (facts, change))
    return tuple(
        NumberedChange(n, facts, change, places.get(change.lead.sha, AreaPlace()))
        for n, (facts, change) in enumerate(found.values(), 1)
    )


def _places_of(plain: DigestDocument) -> dict[str, AreaPlace]:
    """Where each change of a team's month stands, by the SHAs of its commits."""
    several = len(plain.repositories) > 1
    headed = [(f"{one.repository}: {one.name}" if several else one.name, one.evidence) for one in plain.areas]
    headed += [(one.name, one.evidence) for one in plain.also]
    rows = [(name, shas, False, rank) for rank, (name, shas) in enumerate(headed)]
    rows += [(one.kind, one.evidence, True, len(headed)) for one in plain.counted]
    lines = {sha: (one.section, one.text) for one in plain.things for sha in one.evidence}
    released = {one.sha: change.release for change in plain.changes for one in change.commits}
    return {
        sha: AreaPlace(name, *lines.get(sha, ("", "")), is_counted, rank, released.get(sha) or "")
        for name, shas, is_counted, rank in rows
        for sha in shas
    }


def plain_bullet(one: NumberedChange) -> str:
    """A change in its author's own words, with its number, and with what became of it where it was backed out: as a
    team's post says it, or step by step."""
    refs = f" ({', '.join(one.change.refs[:1])})" if one.change.refs else ""
    title = f"{clean(one.change.title) or plain_title(heading_of(one.change.lead).line)}{refs}"
    said = one.place.text or chain(steps_of(one.change, one.facts), str(one.facts.month)) or "backed out"
    return f"{title}: {said}" if one.is_out else title


def body_of(commit: Commit) -> str:
    """What is sent of a body: no secrets and addresses, no lines that only name people, and nothing at all of one that
    gives orders to a model."""
    text = within(commit.body)
    if gives_orders(text):
        return ""
    kept = "\n".join(line for line in text.splitlines() if not _TRAILER.match(line))
    return "\n".join(filter(None, map(clean, redacted(kept).split("\n"))))


def hunks_of(change: Change, hunks: Hunks) -> str:
    """What there is of a change's diffs; nothing where they give orders to a model."""
    texts = dict.fromkeys(hunks.get((commit.repository, commit.sha), "") for commit in change.commits)
    text = within("\n".join(filter(None, texts)))
    return "" if gives_orders(text) else text


def material(months: Sequence[MonthFacts], changes: Sequence[NumberedChange], hunks: Hunks) -> dict[str, Any]:
    """What every template of a prompt is given beside its fence, redacted; the changes of a team below their
    headings."""
    changes = sorted(changes, key=lambda one: (one.place.rank, one.place.heading))
    own = [one for one in changes if not one.change.is_shared]
    first = months[0]
    given: dict[str, Any] = redacted_in(
        {
            "name": clean(first.person.name),
            "month": first.month.title + (" so far" if first.to_date else ""),
            "repositories": sorted({clean(one.change.lead.repository) for one in changes}),
            "own": count(len(own), "change"),
            "shared": len(changes) - len(own),
            "people": len({facts.person.name for facts in months}),
            "changes": [_entry(one, hunks) for one in changes],
        }
    )
    return given


def _entry(one: NumberedChange, hunks: Hunks) -> dict[str, Any]:
    """A change as a prompt's template is given it. Of what a team's post only counts it is the title."""
    change, lead, place = one.change, one.change.lead, one.place
    return {
        "n": one.n,
        "who": clean(one.facts.person.name),
        "day": _day(lead, one.facts),
        "refs": list(change.refs),
        "repository": clean(lead.repository),
        "by": clean(change.shared_by),
        "with": _coauthors_of(one),
        "subject": clean(change.title) or _subject_of(lead),
        "area": clean(place.heading),
        "mark": _SECTIONS.get(place.section, ""),
        "release": clean(place.release),
        "body": "" if place.is_counted else body_of(lead),
        "chain": _history_of(one),
        "paths": [] if place.is_counted else _paths_of(change),
        "hunks": hunks_of(change, hunks),
    }


def _history_of(one: NumberedChange) -> list[str]:
    """What became of a change, a line each: when, by whom, under which number, and why."""
    change, is_revert, lines = one.change, one.change.kind == "revert", list[str]()
    if landed := came_after([change], one.facts):
        lines.append(f"landed {landed.day} {landed:%b %Y}, when the month was over")
    for event in events_of(change):
        done = "backed out" if event.does == "reverts" else "brought back"
        done = f"{'what it reverted was ' if is_revert else ''}{done}{' in part' if event.partly else ''}"
        ref = "".join(re.findall(r" \(#\d+\)(?=\s*$)", event.commit.subject))
        reason = shortened(" ".join(body_of(event.commit).split()), LONGEST_REASON)
        when = f"{_day(event.commit, one.facts)} by {clean(event.by or event.commit.author.name)}{ref}"
        lines.append(f"{done} {when}: {_subject_of(event.commit)} | {reason or 'no reason given'}")
    if change.state != "landed" and not (is_revert or events_of(change)):
        lines.append({"backed_out": "backed out", "partly": "backed out in part"}.get(change.state, "brought back"))
    if (events_of(change) or change.state != "landed") and not is_revert:
        lines.append("stands today" if is_in(change) else "does not stand today")
    return lines


def _day(commit: Commit, facts: MonthFacts) -> str:
    at = commit.author.at.astimezone(ZoneInfo(facts.zone))
    return f"{at.day} {at:%b %Y}"


def _subject_of(commit: Commit) -> str:
    return shortened(clean(redacted(within(commit.subject))), LONGEST_SUBJECT)


def _paths_of(change: Change) -> list[str]:
    """The paths with the most changed lines, and how many others there are."""
    weight: dict[str, int] = {}
    for commit in change.commits:
        for file in commit.files:
            weight.setdefault(file.path, (file.additions or 0) + (file.deletions or 0))
    ranked = sorted(weight, key=lambda path: (-weight[path], path))
    more = [f"and {len(ranked) - MOST_PATHS} more"] if len(ranked) > MOST_PATHS else []
    return [*map(clean, ranked[:MOST_PATHS]), *more]


def _coauthors_of(one: NumberedChange) -> list[str]:
    """Who wrote it together with the author, by name; no machines."""
    own = {clean(one.facts.person.name), *(clean(commit.author.name) for commit in one.change.commits)}
    every = (credit for commit in one.change.commits for credit in credits_of(commit.body[:LONGEST_TEXT]))
    people = (one for one in every if one.role == "coauthor" and one.name and not is_tool(one, [*TOOLS, *BOTS]))
    return [name for name in dict.fromkeys(clean(one.name) for one in people) if name not in own][:MOST_NAMED]


# --- the budget


def lightest_first(changes: Sequence[NumberedChange]) -> list[NumberedChange]:
    """The changes by their changed lines, fewest first; of a team's those first that its post only counts, and those
    last that have a line there. What was backed out is the heaviest."""

    def weight(one: NumberedChange) -> tuple[bool, bool, bool, int]:
        lines = lines_of(file for commit in one.change.commits for file in commit.files)
        return bool(one.place.section), not one.place.is_counted, not is_in(one.change), lines

    return sorted(changes, key=weight)


def tokens(text: str) -> int:
    """About how many tokens a text is."""
    return math.ceil(len(text.encode("utf-8", "replace")) / BYTES_A_TOKEN)


def within_budget(given: dict[str, Any], most: int, render: Callable[[dict[str, Any]], str]) -> str | None:
    """The prompt in at most so many tokens: the longest bodies and diffs are cut first, all to one length, and it says
    of how many changes. None where not even the subjects fit."""
    longest = max((len(one[part].encode()) for one in given["changes"] for part in ("body", "hunks")), default=0)
    while tokens(prompt := render(_cut(given, longest))) > most:
        if not longest:
            return None
        longest = longest * 7 // 8
    return prompt


def _cut(given: dict[str, Any], longest: int) -> dict[str, Any]:
    changes = [
        {**one, **{part: _shortened(one[part], longest) for part in ("body", "hunks")}} for one in given["changes"]
    ]
    number = sum(cut != one for cut, one in zip(changes, given["changes"], strict=True))
    return {**given, "changes": changes, "cut": number}


def _shortened(text: str, longest: int) -> str:
    if len(text.encode()) <= longest:
        return text
    cut = text.encode()[: max(0, longest - 4)].decode(errors="ignore")
    end = max(cut.rfind(" "), cut.rfind("\n"))
    return f"{cut[:end]} …" if end > 0 else ""


# --- a text

_PROMPTS = ("commits", "rules", "month", "digest")  # whose wording is a part of a key
MOST_KEPT = 200_000  # characters of a reply, with the hunks that it was given


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
    deadline: float | None = None
    plain: DigestDocument | None = None


class Cache(Protocol):
    """What was written before, by a key; `storage.commits` has one."""

    def get(self, key: str) -> dict[str, Any] | None: ...

    def put(self, key: str, text: dict[str, Any], now: datetime) -> None: ...


def write(
    task: Task,
    model: Model,
    prompts: Templates,
    cache: Cache,
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
        latest = time.monotonic() + model.seconds
        self._deadline = latest if task.deadline is None else min(task.deadline, latest)
        self.changes = numbered(task.months, task.plain)
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

        left, released = list(self.changes), self._task.plain.released if self._task.plain else ""
        while left:
            if time.monotonic() > self._deadline:  # a hostile history may be slow to look through
                raise Unanswered(f"its messages could not be made ready within {self._model.seconds:g} seconds")
            given = material(self._task.months, left, self._hunks)
            given |= {"title": self._task.title, "released": released, "unlisted": len(self.changes) - len(left)}
            given["fence"] = fence_of(json.dumps(given, ensure_ascii=False))
            if (prompt := within_budget(given, self._model.tokens, render)) is not None:
                return prompt
            lightest = {one.n for one in lightest_first(left)[: max(1, len(left) // 4)]}
            left = [one for one in left if one.n not in lightest] if self._task.kind == "digest" else []
        raise Unanswered(f"its subjects alone are more than {self._model.tokens:,} tokens")

    # checking

    @cached_property
    def _grounds(self) -> dict[int, Ground]:
        return {one.n: self._ground(one) for one in self.changes}

    @cached_property
    def _checker(self) -> Checker:
        named = (text for facts in self._task.months for text in (facts.person.name, facts.month.title))
        notable = self._task.plain.notable if self._task.plain else ()
        days = {
            one.text.removeprefix("v"): forms_of(date.fromisoformat(one.on))
            for one in notable
            if one.kind == "released"
        }
        return Checker(self._grounds, (self._task.title, *named), Facts(releases=days))

    def _ground(self, one: NumberedChange) -> Ground:
        is_unsent = any(gives_orders(within(commit.body)) for commit in one.change.commits)
        releases = [("in", one.place.release.removeprefix("v"))] if one.place.release else []
        shown = hunks_of(one.change, self._hunks)
        return Ground(one.change, one.facts.person.name, one.facts.zone, shown, is_unsent, releases)

    def draft(self, reply: Mapping[str, Any]) -> list[Drafted]:
        """What the model wrote, with its faults in each sentence. What was kept of it is judged as what was just
        written."""
        rows = (row for row in _list(reply.get("hunks")) if isinstance(row, list) and list(map(type, row)) == [str] * 3)
        self._hunks = {(name, sha): text for name, sha, text in rows}
        first = reply.get("first")
        draft = drafted(first if isinstance(first, dict) else {})
        for one in draft:
            beside = " ".join(other.text for other in draft if one.heading and other.heading == one.heading)
            one.faults = one.faults or self._checker.faults(one.text, one.evidence, one.part, beside)
        return draft

    # telling

    def written(self, draft: Sequence[Drafted]) -> WrittenDocument:
        """What holds, with plain words in the place of what does not; every change is in it."""
        parts: dict[Any, list[Drafted]] = {}  # by the heading, or else by the part
        for one in draft:
            if not one.faults:
                parts.setdefault(one.heading or one.part, []).append(one)
        headline = tuple(map(self._said, parts.pop("headline", ())))
        attention, impact = (tuple(map(self._said, parts.pop(name, ()))) for name in ("attention", "impact"))
        items = [(self._title(name, some), tuple(map(self._said, some))) for (_, name), some in parts.items()]
        named = _named(*(some for _, some in items), attention, impact)
        wrong = [one for one in draft if one.faults and one.part not in ("headline", "impact")]
        numbers = dict.fromkeys(n for one in wrong for n in one.evidence if n in self._by_number)
        meant = (self._by_number[n] for n in numbers)
        untold = [one for one in meant if not one.is_out and not named.issuperset(one.change.shas)]
        if lacking := tuple(map(self._plain, untold)):
            items.append((MORE, lacking))
        # Of a team's changes those that are out are told where its plain post tells so, too.
        out = [one for one in self.changes if one.is_out and (not self._task.plain or one.place.section == "out")]
        plain_out = tuple(self._plain(one) for one in out if not named.issuperset(one.change.shas))
        if self._task.plain:
            room = LONGEST_POST - sum(len(one.text) for one in (*headline, *plain_out))
            (_, attention), (_, impact), *items = _fitting([("", attention), ("", impact), *items], room)
            items = [(title, some) for title, some in items if some]
        attention = (*attention, *plain_out)
        named = _named(*(some for _, some in items), attention, impact)
        spoken_of = named | _named(headline)
        rest = [one.change for one in self.changes if not named.issuperset(one.change.shas)]
        return WrittenDocument(
            headline=headline[0] if headline else None,
            release=clean(self._main_release),
            items=tuple(_part(title, some) for title, some in items),
            attention=attention,
            impact=impact,
            named=tuple(reference_of(one.change) for one in self.changes if not spoken_of.isdisjoint(one.change.shas)),
            rest=tuple(replace(reference_of(one), title=called(one), by=clean(one.shared_by)) for one in rest),
        )

    def _said(self, one: Drafted) -> Sentence:
        """A sentence, with the SHAs of those of its changes that have no number; of a team's, whose changes are nowhere
        else, with the releases that they came with."""
        changes = [self._by_number[n] for n in one.evidence]
        shas = tuple(dict.fromkeys(sha for each in changes for sha in each.change.shas))
        if one.part == "headline":
            return Sentence(one.text, shas)
        expected = "" if one.heading and one.heading[1] == MERGED_SINCE else self._main_release
        return Sentence(self._marked(cited(one.text, [each.change for each in changes]), changes, expected), shas)

    def _plain(self, one: NumberedChange) -> Sentence:
        text = plain_bullet(one)
        if self._task.plain:
            text = self._marked(cited(text, [one.change]), [one], self._main_release)
        return Sentence(text, tuple(dict.fromkeys(one.change.shas)))

    def _marked(self, text: str, changes: Sequence[NumberedChange], expected: str) -> str:
        """A text of a team's post with the releases of its changes, if they are not all in the one that is expected."""
        releases = list(dict.fromkeys(one.place.release for one in changes))
        if not self._task.plain or releases == [expected] or (len(releases) > 1 and not self._main_release):
            return text
        said = listed([f"in {clean(one)}" if one else "in none of these releases" for one in releases])
        return _in_brackets(text, f"in part {said}" if len(releases) > 1 else said)

    @cached_property
    def _main_release(self) -> str:
        """The release that has most of what was done, where one has; else none is."""
        (release, most), *_ = Counter(one.place.release for one in self.changes).most_common(1)
        return release if most * 2 > len(self.changes) else ""

    def _title(self, title: str, sentences: Sequence[Drafted]) -> str:
        """The title of an item, if its changes have what it names."""
        numbers = dict.fromkeys(n for sentence in sentences for n in sentence.evidence)
        is_known = title in (TO_ACT_ON, MERGED_SINCE) or not self._checker.unknown_names(title, numbers)
        return title if is_known else ""


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


def _fitting(items: Iterable[tuple[str, Sequence[Sentence]]], room: int) -> Iterator[tuple[str, tuple[Sentence, ...]]]:
    """The items in their order, each with those of its sentences that the room holds, if with none."""
    for title, sentences in items:
        held = []
        for one in sentences:
            if len(one.text) <= room:
                held.append(one)
                room -= len(one.text)
        yield title, tuple(held)


def _part(title: str, sentences: Sequence[Sentence]) -> WrittenPart:
    lines = tuple(one.text for one in sentences)
    evidence = dict.fromkeys(sha for one in sentences for sha in one.evidence)
    return WrittenPart(title, " ".join(lines), lines, tuple(evidence))


def fence_of(text: str) -> str:
    """A line that nobody can have written into a message: it does not stand in the text."""
    while (fence := f"===== {secrets.token_hex(12)} =====") in text:
        pass
    return fence
