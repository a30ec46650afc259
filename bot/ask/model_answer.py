"""A question that is not plain → what a model finds out by the queries, as far as it holds.

question | a call, and what it returned, six times at most | sentences | the checker | ModelAnswer
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from bot.ask.explain import NO_WHY, change_of
from bot.ask.known import Thread
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.ask.question_document import called_document
from bot.ask.reading import ONLY_TELLS, WHY_NOT
from bot.ask.tools import HASH, LONGEST_RESULT, MOST_ROWS, Called, Tool, call, dicts, hashes_in, texts, tools_of
from bot.model import Change, Commit, Sentence
from bot.month.credits import credits_of
from bot.month.message import heading_of
from bot.story.documents import to_json
from bot.story.llm.check import Checker, Ground, dates_of, folded, stem, with_and_without_year
from bot.story.llm.client import Model, Unanswered, completion
from bot.story.llm.material import BYTES_A_TOKEN, gives_orders, redacted, within
from bot.story.llm.write import answer_of, cited, fence_of, list_of, object_of, sentence_of
from bot.story.render import Templates
from bot.wording import clean

SECONDS = 20.0  # for all of it
MOST_CALLS = 6
LONGEST_ANSWER = 1_200  # characters
MOST_SENTENCES, MOST_EVIDENCE, MOST_FAULTS = 12, 25, 4
MOST_AGAIN, MOST_APART = 2, 3  # times that what does not hold is written anew, and releases with days between them
LONGEST_CALL, MOST_TITLES = 200, 20  # characters of a call that it made, and changes of a thread with their titles
NAMED, NAMED_ARE = "Named above", "The changes that these sentences name; there may be others."
REFUSE = "refuse"  # what it calls to answer nothing, with one of the reasons that the tables have
AGAIN = "Of the answer some sentences do not hold. Reply with all of it once more, and in these say less."
HELP = "Shows what I am and can be asked."  # in the place of a line, what is shown then
# Rates and files are what the tables cannot tell; a model may, by days and hashes.
_REASONS = {why: line for why, line in WHY_NOT.items() if why not in ("often", "files")}
_REASONS |= {"order": ONLY_TELLS, "help": HELP}
LEFT_OUT = "[left out: it gives orders]"
_TEXT = {"type": "string"}
_SENTENCES = list_of(object_of({"text": _TEXT, "evidence": list_of(_TEXT)}))
# The arguments are JSON in a text: a server that holds a model to a schema takes no object of any form.
FORM = object_of({"tool": _TEXT, "arguments": _TEXT, "sentences": _SENTENCES})
_REFERENCE = re.compile(r"[\[(]?(?:(?P<repository>[\w./-]*)[#!](?P<number>\d{1,9})|(?P<sha>[0-9a-f]{7,64}))[\])]?")
_SHA = re.compile(r"\b[0-9a-f]{9,12}\b")
_COUNT = re.compile(r"(?<![\w#.,])(\d+(?:,\d{3})*)(?![\w%]|[.,:]\d)(?=((?:\s+[\w-]+){0,4}))")
_BARE = frozenset(("of", "by", "in", "from", "on", "and", "with", "is", "was", "are", "were"))  # behind a bare number
_PART = re.compile(r"[,;:.]\s|\band\b")  # between the parts of a sentence of which each counts something
_THESE = frozenset(map(stem, ("them", "these", "those")))
_SMALL = ("", "", *["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"])
_DAY = r"\d{1,2} [A-Z][a-z]+(?: \d{4})?"
# A release, and the day that is said with it.
_RELEASE = re.compile(
    r"\b(?:(?:first )?(in|with|since|after) )?(?<![A-Za-z][-/])"
    r"v?(\d+(?:\.\d+)+(?:[A-Za-z_]\w*|-(?:rc|alpha|beta|pre|dev)\.?\d*)?)"
    r"(?P<and>(?!, on\b)(?:\W+(?:of|on|from|which|it|was|were|came|out|made|cut|released?|tagged)){0,4}\W+"
    rf"(?P<day>{_DAY}|\d{{4}}-\d{{2}}-\d{{2}}))?",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"\b(?:[A-Za-z][\w.]*[-/])+(?=v?\d+\.\d)")  # of the tags of a part: "tokio-1.53.0"
_TAG = re.compile(r"\bv?\d+(?:\.\d+)+[\w-]*")
# A "not" is of its own verb alone: what "has not been inspected is in v0.5.2".
_DENIED = re.compile(
    r"\b(?:no|none|neither|nor|not(?!.*\b(?:is|are|was|were)\b))\b(?:[^\w,;:.()]+(?!and\b|but\b)\w+){0,8}\W*$",
    re.IGNORECASE,
)
# What a call may be limited to, and no headline says.
_UNSAID = frozenset(("repositories", "team", "topic_in", "only", "without", "references"))
_NO_CHANGES = re.compile(  # which no change bears out
    r"\b(?:made|makes?|there (?:is|are|was|were)) no (?:[\w-]+ ){0,2}(?:changes?|commits?)\b|"
    r"\b(?:nobody|no one) (?:has |ever )*(?:made|committed|wrote|written|contributed)\b",
    re.IGNORECASE,
)
_OF_LISTS = frozenset(("states", "order", "limit"))  # what a list of all releases may be asked with
_AGO = re.compile(r", \d[\d,]* days? ago(?=\.$)")
_LATEST = re.compile(r"\b(?:latest|last|newest) release (?:is|was)\b(?: ([\w.-]*\w))?", re.IGNORECASE)
_OF_DAY = re.compile(rf" \(({_DAY})\)")  # as it stands behind a release
NO_TAG = "There is no tag "  # as a query says it
# Days between which something is told.
_BOUND = re.compile(rf"\b(?:from|to|since|until|between) (?:\d{{1,2}} (?:to|and) )?{_DAY}", re.IGNORECASE)
_FIRST_RELEASE = re.compile(r"\bfirst release\b", re.IGNORECASE)
_OF_RELEASES = re.compile(rf"{_FIRST_RELEASE.pattern}|\b(?:tagged|candidates?|released|next|after)\b", re.IGNORECASE)
# What an answer says of changes, and no change says of itself.
_OF_ANSWERS = re.compile(
    r"\b(?:made|makes?|has|had|have|holds?|(?:came|comes?)(?! back)|wrote|written|committed|contributed|bots?|"
    r"machines?|others?|people|authors?|changes?|commits?|merges? (?:and bots? )?counted|of any (?:sort|kind)|"
    r"releases?|altogether|total|days?|weeks?|months?)\b|\bin all(?=[,;.]|\W*$|\s+(?:has|have|there)\b)",
    re.IGNORECASE,
)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, what the tables read in it, what the conversation was about, when it is by the asker's clock, and as
    whom they are shown."""

    text: str
    reading: Question
    thread: Thread
    now: datetime
    asker: str = ""


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """Sentences, each with its commits, and a list of these; without any, the documents of the last call; or the line
    by which it `refused`. `dropped` counts the sentences that did not hold."""

    sentences: tuple[Sentence, ...] = ()
    documents: tuple[Any, ...] = ()
    refused: str = ""
    dropped: int = 0

    @property
    def text(self) -> str:
        return " ".join(one.text for one in self.sentences)

    @property
    def evidence(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(sha for one in self.sentences for sha in one.evidence))


@dataclass(frozen=True, slots=True)
class _Call:
    """A call that was made, and what came of it; `words` are whole sentences that may be said of it."""

    asks: str
    result: Called
    words: frozenset[str] = frozenset()


def ask_model(
    asked: Asked,
    queries: Queries,
    model: Model,
    prompts: Templates,
    *,
    stopped: Callable[[], bool] = lambda: False,
) -> ModelAnswer | None:
    """What a model answers by at most MOST_CALLS queries, in the rights that `queries` has, within SECONDS or what the
    settings give it; None where it neither refuses nor has a sentence that holds or a document, or somebody stopped it.

    What does not hold of its sentences it may write once more. `stopped` is asked before each step.
    """
    deadline = time.monotonic() + min(SECONDS, model.seconds)
    tools = tools_of(type(queries))
    listed = _listed(asked.thread, queries)
    fixed = _fixed(asked, listed, queries, tools)
    made, said, left = list[_Call](), ModelAnswer(), MOST_CALLS
    for _ in range(MOST_CALLS + 1 + MOST_AGAIN):  # one more to be refused a call
        if stopped():
            return None
        try:
            reply = completion(model, _prompt(fixed | {"left": left}, made, model, prompts), FORM, deadline)
        except Unanswered as reason:
            log.warning("a question is answered without the model %s: %s", model.name, reason)
            break
        answer = answer_of(reply, FORM["required"]) or {}
        name, given = str(answer.get("tool") or "")[:40], _arguments(answer)
        if not name:
            sentences, wrong = _Checking(queries, made, listed, asked.now).held(answer)
            said = ModelAnswer(tuple(sentences), dropped=len(wrong))
            if not wrong or [one.asks for one in made].count(AGAIN) == MOST_AGAIN:
                break
            made.append(_Call(AGAIN, Called(refused="; ".join(wrong))))
            continue
        if stopped():
            return None
        if name == REFUSE and isinstance(given, dict) and given.get("why") in _REASONS:
            return ModelAnswer(refused=_REASONS[given["why"]])
        if left:
            asks, left = f"{worded(name)}: {_said(given)[:LONGEST_CALL]}", left - 1
            result = call(queries, tools.get(name), given)
            made.append(_Call(asks, result, _words_of_call(result, given, queries)))
    last = next((one.result.documents for one in reversed(made) if one.result.documents), ())
    if said.sentences:
        if not said.evidence:  # that there is nothing, which the document says with what it leaves out
            return replace(said, documents=last)
        named = queries.changes(references=said.evidence)
        # A count of them would be taken for how many there are of what was asked.
        named = replace(named, title=NAMED, headline=replace(named.headline, text=NAMED_ARE))
        return replace(said, documents=(named,) if named.rows else ())
    return ModelAnswer(documents=last) if last else None


def worded(text: str) -> str:
    """A text as a model is given it: no secrets and no addresses, and nothing of what gives orders to a model."""
    return LEFT_OUT if gives_orders(text) else redacted(clean(text))


def _arguments(answer: Mapping[str, Any]) -> Any:
    given = answer.get("arguments") or {}
    try:
        return json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        return None


def _said(value: Any) -> str:
    """JSON as a model is given it."""
    return json.dumps(texts(value, worded), ensure_ascii=False) if value else ""


def _listed(thread: Thread, queries: Queries) -> dict[str, str]:
    """The titles of the changes that a thread listed, by hash; of those that may still be shown."""
    found = [(sha[:HASH], one) for sha in thread.listed[:MOST_TITLES] for one in queries.by_sha(sha)]
    hand, histories = queries.corrections(), queries.histories([one for _, one in found])
    shown = [pair for pair in found if pair[1] not in queries.known.unshown and not hand.hides(pair[1], histories)]
    return {sha: heading_of(one).title for sha, one in shown}


def _fixed(asked: Asked, listed: Mapping[str, str], queries: Queries, tools: Mapping[str, Tool]) -> dict[str, Any]:
    """What every prompt of a question has; nobody, and no repository, that was hidden since a thread was of them."""
    repositories, known = {one.name for one in queries.repositories}, queries.known

    def shown(names: Sequence[str]) -> tuple[str, ...]:
        meant = {one: known.directory.exactly(one) for one in names}
        return tuple(one for one, some in meant.items() if not all(map(known.is_hidden, some)))

    def document(question: Question) -> dict[str, Any]:
        may = tuple(one for one in question.repositories if one in repositories)
        return called_document(replace(question, people=shown(question.people), repositories=may))

    about = document(asked.thread.asked) | {"shown": "".join(shown((asked.thread.shown,))), "cut": asked.thread.is_cut}
    about["listed"] = [f"{sha} {title}" for sha, title in listed.items()]
    return {
        "question": worded(asked.text), "reading": _said(document(asked.reading)),
        "thread": _said({key: one for key, one in about.items() if one}), "zone": queries.zone.key,
        "today": f"{asked.now:%A} {asked.now:%Y-%m-%d}", "asker": worded(asked.asker), "tools": tools.values(),
        "manual": sys.modules[Queries.__module__].__doc__, "most": MOST_CALLS, "longest": LONGEST_ANSWER,
        "reasons": _REASONS, "evidence": MOST_EVIDENCE, "cut": 0, "unlisted": 0,
    }  # fmt: skip


def _prompt(fixed: Mapping[str, Any], made: Sequence[_Call], model: Model, prompts: Templates) -> str:
    """A prompt of at most `model.tokens`: what calls returned shares the room that the rest leaves. Raises Unanswered
    where it leaves none."""

    def rendered(longest: int) -> str:
        calls = [{"made": one.asks, "text": one.result.text(longest, worded)} for one in made]
        fence = fence_of(json.dumps([fixed["thread"], fixed["question"], calls], ensure_ascii=False))
        return prompts.render("prompt/ask.j2", **fixed, calls=calls, fence=fence)

    room = model.tokens * BYTES_A_TOKEN - len(rendered(0).encode())
    if room < 0:
        raise Unanswered(f"the manual of the queries alone is more than {model.tokens:,} tokens")
    share = room
    sizes = sorted(len(one.result.text(LONGEST_RESULT, worded).encode()) for one in made)
    for at, size in enumerate(sizes):  # what is short leaves its room to the others
        share = room // (len(sizes) - at)
        room -= min(size, share)
    return rendered(min(LONGEST_RESULT, share))


class _Checking:
    """Holds sentences against the changes of the commits that documents tell of."""

    def __init__(self, queries: Queries, made: Sequence[_Call], listed: Collection[str], now: datetime) -> None:
        self._queries, self._now = queries, now
        results = {f"call {number}": to_json(list(one.result.documents)) for number, one in enumerate(made, 1)}
        documents = [document for some in results.values() for document in some]
        every, said = list(dicts(documents)), json.dumps(documents, ensure_ascii=False)
        self._words = {f"call {number}": one.words for number, one in enumerate(made, 1) if one.asks != AGAIN}
        self._people = {call: words for call, some in results.items() if (words := _words_of_people(some))}
        self._rows = [row for one in every if (row := _Row.of(one)).every]
        # What "call 1" stands for, or the merge of a row.
        self._meant = {call: hashes_in(some) for call, some in results.items()}
        self._meant |= {row.sha: sorted(row.inside) for row in self._rows if row.sha and row.inside - {row.sha}}
        self._hashes = {*hashes_in(documents), *listed}
        self._counts = frozenset(each for one in every for each in _counted(one))
        self._prefixes = frozenset(_PREFIX.findall(said))
        ends = [(f"{one['from']}-01"[:10], one.get("to")) for one in every if one.get("from")]
        ends += [(str(one.get("first")), one.get("last")) for one in every if one.get("rows")]
        self._bounds = with_and_without_year(dates_of(json.dumps(ends)))
        self._tagged = {row.sha: date.fromisoformat(row.on) for row in self._rows if row.release and row.sha and row.on}
        parts = (part for one in documents for part in one.get("explained") or [one])
        self._releases: list[tuple[Set[str], str, str]] = [release for part in parts for release in _released(part)]
        self._releases += [(row.inside or {row.sha}, "first", row.release) for row in self._rows if row.release]
        lacking = "\n".join(line for one in made if (line := _lacks(one.result)))
        self._releases += [(set(), "not", match[2]) for match in _releases_in(lacking)]
        dated = [(match[2], match["day"]) for match in _releases_in(said) if match["day"]]
        dated += [(row.release, row.on) for row in self._rows if row.release and row.on]
        self._days = {release: with_and_without_year(dates_of("\n".join(on for of, on in dated if of == release)))
                      for release, _ in dated}  # fmt: skip
        self._numbers: dict[str, int] = {}  # of changes, by the SHAs of their commits
        self._grounds: dict[int, Ground] = {}

    def held(self, answer: Mapping[str, Any]) -> tuple[list[Sentence], list[str]]:
        """The sentences of an answer that hold, each of which names its changes, LONGEST_ANSWER together; and of the
        others why they do not."""
        given, left = answer.get("sentences"), LONGEST_ANSWER
        held, wrong = list[Sentence](), list[str]()
        for one in (given if isinstance(given, list) else [])[:MOST_SENTENCES]:
            sentence, faults = self._sentence(one) if isinstance(one, dict) else (None, ["it is no object"])
            if sentence and len(sentence.text) <= left:
                left -= len(sentence.text) + 1
                held.append(sentence)
            else:
                said = str(one.get("text") if isinstance(one, dict) else one)[:LONGEST_ANSWER]
                wrong.append(f"“{said}”: {', '.join(faults[:MOST_FAULTS]) or 'too long'}")
        return held, wrong

    def _sentence(self, given: Mapping[str, Any]) -> tuple[Sentence | None, list[str]]:
        """A sentence, if all of it holds, of changes that a document tells of; else why not."""
        named = given.get("evidence")
        named = (named if isinstance(named, list) else [])[:MOST_EVIDENCE]
        meant = [(one, [n for each in self._of(one) if (n := self._number(each))]) for one in named]
        draft = sentence_of({"text": given.get("text"), "evidence": [n for _, some in meant for n in some]}, "item")
        unknown = [f"no call returned {one}" for one, some in meant if not some]
        if not meant and (line := _REASONS.get(draft.text)):
            return Sentence(line, ()), []
        grounds = [self._grounds[n] for n in draft.evidence]
        changes = [one.change for one in grounds if one.change.commits]
        if not draft.faults and self._is_in_words_of_call(draft.text, named):
            return Sentence(draft.text, tuple(dict.fromkeys(sha for one in changes for sha in one.shas))), []
        # Beside a change it would bear out any sentence that has its names.
        unknown += ["a list of people is no evidence beside a change"] * (0 < len(changes) < len(grounds))
        unknown += ["only a call that found nothing says so"] * bool(_NO_CHANGES.search(draft.text))
        unknown += ["which release is the latest only a list of all of them says"] * (not self._is_latest(draft.text))
        if not draft.text or draft.faults or unknown:
            return None, [*unknown, *draft.faults]

        # What stands in no commit, but in a document: how many there are of something, and in which release it is; or
        # between two days of a few.
        every = {stem(word) for word in draft.text.split()}
        days = {on for one in grounds for on in one.days}
        apart = self._days_between(changes)
        bounds = self._bounds | with_and_without_year((one.day, one.month, one.year) for one in days)

        def without_count(match: re.Match[str]) -> str:
            number, kinds = int(match[1].replace(",", "")), [stem(word) for word in match[2].split()]
            parts = _PART.split(match.string[: match.start()])[-1], _PART.split(match.string[match.end() :])[0]
            is_bare = not kinds or kinds[0] in _BARE
            counted = any(
                kind in kinds or _THESE.intersection(kinds)
                or (is_bare and (whose in "".join(parts) if whose else kind in every))
                for kind, count, whose in self._counts if count == number
            )  # fmt: skip
            is_apart = stem("days") in kinds[:1] and number in apart
            return "" if counted or is_apart or number == len(changes) > 1 else match[0]

        own_shas = {sha[:HASH] for one in changes for sha in one.shas}

        def without_release(match: re.Match[str]) -> str:
            how, release = (match[1] or "").lower(), match[2]
            is_first = match[0].lower().startswith("first") or _FIRST_RELEASE.search(match.string)
            inside = {"first"} if is_first else {"in", "first"}
            ways = {"since": {"since", *inside}, "after": {"since"}}.get(how, inside)
            ways = {"not"} if _DENIED.search(match.string[: match.start()]) else ways
            said = [own for own, way, of in self._releases if way in ways and of == release]
            is_said = changes and all(any(sha[:HASH] in own for own in said for sha in one.shas) for one in changes)
            if not (is_said or any(own <= own_shas for own in said)):  # or the release itself is named
                if how and "not" in ways:
                    unknown.append(f"nothing says that it is not in {release}")
                return f"`not in {release}`" if "not" in ways else match[0]
            unknown.extend(self._of_another_day(match))
            return match["and"] or "" if release not in self._days else ""

        def without_bound(match: re.Match[str]) -> str:
            return "" if bounds.issuperset(dates_of(match[0])) else match[0]

        text = _PREFIX.sub(lambda match: "" if match[0] in self._prefixes else match[0], draft.text)
        counted = _COUNT.sub(without_count, text)
        # A list counts itself what is out of it.
        beside = "backed out" if counted != text and self._meant.keys() >= set(named) else ""
        text = _BOUND.sub(without_bound, counted)
        remains = _RELEASE.sub(without_release, text)
        remains = _OF_ANSWERS.sub("", _OF_RELEASES.sub("", remains) if remains != text else remains)
        text = re.sub(rf"\b{_SMALL[len(changes)]}\b", "", remains) if len(changes) < len(_SMALL) else remains
        if unknown:
            return None, unknown
        if "next" in every and len(_TAG.findall(draft.text)) > 1:
            return None, ["which release is next is not said of two"]
        checker = Checker(self._grounds, [one.name for one in self._queries.settings.teams])
        if faults := checker.faults(text, draft.evidence, beside=beside):
            return None, faults
        shas = tuple(dict.fromkeys(sha for one in changes for sha in one.shas))
        return Sentence(draft.text if beside else cited(draft.text, changes, each=False), shas), []

    def _is_in_words_of_call(self, text: str, named: Sequence[object]) -> bool:
        """Whether a text has the words of the one call that it names, by its number or its first hash; or of any."""
        reference = str(named[0])[:HASH] if named else ""
        first = {one: next(iter(self._meant[one]), "")[:HASH] for one in self._words}
        calls = [one for one in self._words if not named or reference in (one, first[one])]
        return len(named) < 2 and any(_bare(text) in self._words[one] for one in calls)

    def _is_latest(self, text: str) -> bool:
        """Whether what a text calls the latest release is so by a list of all of them."""
        match = _LATEST.search(text)
        begins = _bare(f"latest release is {match[1]} of a day").removesuffix("a day") if match else ""
        return not match or any(one.startswith(begins) for some in self._words.values() for one in some)

    def _of_another_day(self, release: re.Match[str]) -> list[str]:
        """What is wrong with the day that is said with a release, where some document says of which it is."""
        days, said = self._days.get(release[2]), set(dates_of(release["day"] or ""))
        return [f"{release[2]} is of another day"] if days and not said <= days else []

    def _days_between(self, changes: Sequence[Change]) -> set[int]:
        """How many days lie between a few releases, by their tags."""
        few = {on for one in changes for sha in one.shas if (on := self._tagged.get(sha[:HASH]))}
        return {abs((one - other).days) for one in few for other in few} if len(changes) <= MOST_APART else set()

    def _of(self, reference: object) -> Sequence[object]:
        """The first hashes that "call 1" or a merge stands for; anything else as it is."""
        named = reference.strip(" ()[]") if isinstance(reference, str) else ""
        return self._meant.get(named[:HASH], ())[:MOST_ROWS] or [reference]

    def _number(self, reference: object) -> int | None:
        """The number of the change that "#12" or a hash means, if a document tells of it, or of what a list of
        people says, which names no commits."""
        if isinstance(reference, str) and (words := self._people.get(reference)):
            of_people = Change(reference, (), "chore", title=words)
            self._grounds[len(self._grounds) + 1] = Ground(of_people, "", self._queries.zone.key)
            return len(self._grounds)
        match = _REFERENCE.fullmatch(reference.strip()) if isinstance(reference, str) else None
        if match is None:
            return None
        index, unshown = self._queries, self._queries.known.unshown
        found = (
            index.by_sha(match["sha"]) if match["sha"]
            else index.by_pull(match["repository"] or None, int(match["number"]))
        )  # fmt: skip
        shown = (one for one in found if any(map(one.sha.startswith, self._hashes)))
        # A tag may name a merge.
        listed = [one for one in shown if not one.is_merge or one.sha[:HASH] in self._tagged]
        there = [one for one in listed if one not in unshown]
        numbers = list(dict.fromkeys(map(self._number_of, there)))
        own = [n for n in numbers if f"#{match['number']}" in self._grounds[n].change.refs]  # others may quote it
        return next(iter(own if len(own) == 1 else numbers if len(numbers) == 1 else ()), None)

    def _number_of(self, commit: Commit) -> int:
        if commit.sha not in self._numbers:
            queries, beside = self._queries, self._queries.beside(commit)
            histories = queries.histories([commit, *beside])
            number = len(self._grounds) + 1
            change = (
                Change(commit.sha, (commit,), "release") if commit.is_merge
                else change_of(commit, beside, histories, queries, self._now)
            )  # fmt: skip
            unsent = any(gives_orders(within(one.body)) for one in change.commits)
            own = {sha[:HASH] for sha in change.shas}
            refs = (ref for row in self._rows for ref in row.refs if row.every & own)
            change = replace(change, refs=tuple(dict.fromkeys((*change.refs, *refs))))
            known, resolver = queries.known, queries.known.resolver
            helped = [
                clean(person.name) for one in change.commits
                for _, person in resolver.credited(credits_of(one.body), repository=one.repository)
            ]  # as documents call them  # fmt: skip
            said = "\n".join([*helped, *(row.text for row in self._rows if row.of_these and row.of_these <= own)])
            self._grounds[number] = Ground(change, known.name_of(commit), queries.zone.key, said, unsent)
            self._numbers |= dict.fromkeys(change.shas, number)
        return self._numbers[commit.sha]


def _words_of_people(documents: Any) -> str:
    """What a list of people says that names no commit, a line a text; nothing of another document."""
    every = [each for one in dicts(documents) for each in one.items()]
    lines = [f"{key}: {one}" for key, value in every for one in (value if isinstance(value, list) else [value])
             if isinstance(one, str | int)]  # fmt: skip
    has_people = any(key == "every" for key, _ in every)  # how many commits there are of each
    return "\n".join(lines) if has_people and not hashes_in(documents) else ""


def _words_of_call(result: Called, given: Any, queries: Queries) -> frozenset[str]:
    """What may be said of a whole call: that it found nothing, in the words of its headline; and which release is the
    latest. Whatever else is said may be wider than the call."""
    limits = {key for key, value in given.items() if value} if isinstance(given, dict) else _UNSAID
    repositories = [one.name for one in queries.repositories]
    limits -= {"repositories"} if len(repositories) == 1 else set()
    if limits & _UNSAID:
        return frozenset()
    lists = [one for one in to_json(list(result.documents)) if "title" in one]
    said = [one["headline"]["text"] for one in lists if not one.get("rows") and not one.get("people")]
    said += [each for one in lists if limits <= _OF_LISTS for each in _latest_of(one)]
    said += [_OF_DAY.sub("", one) for one in said]
    if len(repositories) == 1:  # which need not be said with its release
        said += [re.sub(rf"(?<= in) {re.escape(repositories[0])}(?= v?\d)", "", one) for one in said]
    return frozenset(map(_bare, [*said, *filter(None, [_lacks(result)])]))


def _lacks(result: Called) -> str:
    """That there is no such tag, where a call says so."""
    return result.refused.partition(". ")[0] if result.refused.startswith(NO_TAG) else ""


def _latest_of(listed: Mapping[str, Any]) -> Iterator[str]:
    """Which release is the latest by a list of those of one repository, and how long ago that was."""
    rows, ago = listed.get("rows") or [{}], _AGO.search(listed["headline"]["text"])
    if rows[0].get("kind") == "release" and len(listed["repositories"]) == 1:
        latest = f"latest release is {rows[0]['title']} of {date.fromisoformat(rows[0]['on']):%-d %B %Y}"
        yield from (latest, f"{latest}{ago[0] if ago else ''}")


def _bare(text: str) -> str:
    """A sentence by which it is compared with what a call says: without marks, articles, and a "No:" before it."""
    return re.sub(r"^no[:,] |\bthe ", "", folded(_OF_DAY.sub(r" of \1", text)).rstrip(" ."))


@dataclass(frozen=True, slots=True)
class _Row:
    """What an object of a document says of the commit of its `sha`, or of those `inside`: their numbers; and in `text`
    all else, of `of_these`. Of a release its name and its day."""

    sha: str
    inside: frozenset[str]
    every: frozenset[str]
    of_these: frozenset[str]
    refs: tuple[str, ...]
    text: str
    release: str
    on: str

    @classmethod
    def of(cls, one: Mapping[str, Any]) -> _Row:
        sha, on = one["sha"][:HASH] if isinstance(one.get("sha"), str) else "", str(one.get("on") or "")
        inside = frozenset(each[:HASH] for each in one.get("evidence") or ())
        commits = one["commits"] if isinstance(one.get("commits"), list) else ()
        own = frozenset(filter(None, [sha]))
        brief = {each["text"]: each["about"] for each in one.get("brief", ())}
        of_documents = [text for text, about in brief.items() if about in ("files", "merge") or text == NO_WHY]
        values = of_documents if brief else one.values()
        named = str(one.get("text") or one.get("title")) if one.get("kind") in ("release", "released") else ""
        return cls(
            sha, inside, own | inside | {each["sha"][:HASH] for each in commits},
            own or (inside if on else frozenset()),
            tuple(ref for ref in (one.get("ref"), *(one.get("refs") or ())) if ref and "#" in ref),
            "\n".join(f"{value}" for value in values if isinstance(value, str | int)),
            next((match[2] for match in _releases_in(named)), ""), on,
        )  # fmt: skip


def _releases_in(text: str) -> Iterator[re.Match[str]]:
    """The releases that a document names, without what stands before their versions in the tags of a part."""
    return _RELEASE.finditer(_PREFIX.sub("", text))


def _released(part: Mapping[str, Any]) -> Iterator[tuple[set[str], str, str]]:
    """The hashes of a document, or of one of several that it explains, and the releases that these are in, or since."""
    lines = [one["text"] for one in part.get("brief", ()) if one["about"] == "release"]
    own = {one[:HASH] for one in hashes_in(part)}
    title = str(part.get("title") or (part["digest"] if part.get("release") else ""))
    notes = [f"not in {lacks}" for one in part.get("notes", ()) if (lacks := one.partition("not in ")[2])]
    for clause in (clause for line in [title, *lines, *notes] for clause in line.split(";")):
        other = _SHA.search(clause)  # "first in v1.0; 3b0a1f2c4, which took it out, is not in v1.0"
        whose = {other[0]} if other else own
        has, _, lacks = clause.partition("not in ")
        is_first = clause == title or "first in " in has
        for match in _releases_in(has):
            how = "since" if (match[1] or "").lower() == "since" else "first" if is_first else "in"
            yield whose, how, match[2]
        yield from ((whose, "not", match[2]) for match in _releases_in(lacks))


def _counted(one: Mapping[str, Any]) -> Iterator[tuple[str, int, str]]:
    """What an object counts, in numbers and in its notes: the stem of a word, how many there are of it, and whose."""
    kind, numbers = one.get("kind"), {key: number for key, number in one.items() if type(number) is int}
    whose = str(one.get("name") or "")
    yield from ((stem(key), number, whose) for key, number in numbers.items())
    yield from ((stem(kind), number, whose) for number in numbers.values() if isinstance(kind, str))
    for match in _COUNT.finditer(" ".join(map(str, one.get("notes") or ()))):
        yield stem((match[2].split() or [""])[0]), int(match[1].replace(",", "")), ""
