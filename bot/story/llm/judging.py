"""What a model answered → what of it holds. Its words are anybody's: each is judged, and none is trusted. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.model import Commit, Item, MonthFacts, Sentence, Story
from bot.story.items import REST
from bot.story.llm import deeds
from bot.story.llm.prompting import SHORT, SPEAKS_TO_MODEL, Again, Asked
from bot.story.llm.redaction import ADDRESS, LINK, REDACTED, within
from bot.story.proving.grammar import mistakes
from bot.story.proving.proof import Proof, split
from bot.story.wording import clean, when
from bot.story.words.verbs import verb_of

LONGEST_TITLE = 90  # characters, as of the others
LONGEST_SENTENCE = 320
LONGEST_HEADLINE = 420
MOST_SENTENCES = 6
MOST_EVIDENCE = 30
LEAST_SUPPORT = 0.5  # of a sentence's content words, that must stand in its commits
_OBJECTS = 20  # that are looked at in an answer before it is given up

_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_SIGNS = re.compile(
    r"://|\bwww\.|\]\(|<[!@#]|<https?|(?<!\w)@(?:channel|here|everyone)\b|\*\*|(?:^|\s)#{1,6} |^\s*[-*] |"
    r"[\w.+-]@[\w-]+\.\w|<\/?(?:a|b|i|p|br|div|img|script|span|style)\b",
    re.IGNORECASE,
)
_PERSONS = re.compile(
    r"(?<![\w/.-])(?:I|I'm|I've|We|we|Our|our|You|you|Your|your|us|me|my|Please|please|Sorry|sorry)(?![\w/(.])"
)
_BY_A_MODEL = re.compile(r"\bas an ai\b|\blanguage model\b.{0,20}\b(?:cannot|can't)|\bsystem prompt\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{4,}")
_COMMON_WORDS = """
    about above across added adding after again against allowed along already also another because been before
    being below between both built called cannot changed changes commit commits could created does done down during
    each else even every extended first fixed from gave have having here initial instead into introduced itself
    just kept landed later like longer made make makes making many merged month more most mostly moved must need
    needs never only other over rather removed replaced same several should since some still such support supported
    that their them then there these they this those through together under until updated used uses using various
    very want was were what when where which while will with within without work worked would year
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_PAST = re.compile(r"[a-z-]{2,30}[^e\W]ed")
_ON = re.compile(r"(: |, mostly on |, among them )(\S.*)\.", re.DOTALL)
_BETWEEN = re.compile(r"[\s,;]*(?:and\b[\s,;]*)?")


@dataclass(frozen=True, slots=True)
class Judged:
    """What of an answer holds, and what is wrong with the rest: by number of item, the headline's being 0."""

    headline: Sentence | None
    items: Mapping[int, Item]
    wrong: Mapping[int, Again]


def answer_of(content: str) -> dict[str, Any] | None:
    """The first JSON object in the text that has one of the wanted keys, whatever stands around it."""
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
        if isinstance(found, dict) and ("items" in found or "headline" in found):
            return found
    return None


def judged(answer: Mapping[str, Any], facts: MonthFacts, asked: Sequence[Asked], plain: Story | None) -> Judged:
    """What of an answer may be told; its headline only where the `plain` story is given, whose form it must keep.

    Whatever is not there, is of another type or belongs to no item is wrong.

    An item is told where its first sentence holds. A later one that does not is left out, and a title is the plain one;
    of changes that no sentence is left to speak of, the plain sentences follow.
    """
    wrong: dict[int, Again] = {}
    proof = Proof.of(facts)
    by_number: dict[int, Any] = {}
    rows = answer.get("items")
    for row in rows[: 4 * len(asked)] if isinstance(rows, list) else ():
        if isinstance(row, dict) and isinstance(row.get("n"), int):
            by_number.setdefault(row["n"], row)
    items = {}
    for one in asked:
        item, faults_of = _item(by_number.get(one.n), one, proof)
        if item is not None:
            items[one.n] = item
        if faults_of:
            wrong[one.n] = Again(_shown(by_number.get(one.n)), tuple(faults_of))
    said = _headline(answer.get("headline"), facts, plain, items, wrong) if plain else None
    return Judged(said, items, wrong)


def _item(row: Any, asked: Asked, proof: Proof) -> tuple[Item | None, list[str]]:
    """The item as it may be told, if at all, and all that is wrong with it."""
    given = row.get("sentences") if isinstance(row, dict) else None
    if not isinstance(given, list) or not given:
        return None, ["the item is missing, or has no sentences"]
    wrong, held = [], []
    sources = {commit.sha: deeds.Source(commit) for commit in asked.commits}
    if len(given) > MOST_SENTENCES:
        wrong.append(f"more than {MOST_SENTENCES} sentences")
    for number, each in enumerate(given[:MOST_SENTENCES]):
        sentence, found = _sentence(each, asked, proof, sources, is_first=number == 0)
        wrong += found
        if not found:
            held.append(sentence)
        elif number == 0:  # what follows may refer to it
            return None, wrong
    title, found = _title(row.get("title"), asked, proof, sources)
    told = {sha for sentence in held for sha in sentence.evidence}
    untold = [change for change in asked.changes if not told.intersection(change)]
    wrong += [f"no sentence speaks of {change[0][:SHORT]}" for change in untold]
    missing = {sha for change in untold for sha in change}
    held += [sentence for sentence in asked.item.sentences if missing.intersection(sentence.evidence)]
    return replace(asked.item, title=title, sentences=tuple(held)), [*wrong, *found]


def _shown(row: Any) -> str:
    """What was written of an item, for whoever is told what is wrong with it."""
    given = row.get("sentences") if isinstance(row, dict) else None
    texts = [_text(one.get("text")) for one in (given if isinstance(given, list) else ())[:8] if isinstance(one, dict)]
    return " ".join([f"{_text(row.get('title'))}:", *texts]) if isinstance(row, dict) else ""


def _sentence(
    given: Any, asked: Asked, proof: Proof, sources: Mapping[str, deeds.Source], *, is_first: bool
) -> tuple[Sentence, list[str]]:
    text = _text(given.get("text")) if isinstance(given, dict) else ""
    if not text:
        return Sentence("", ()), ["a sentence has no text"]
    evidence, wrong = _evidence(given.get("evidence"), asked.commits, f"item {asked.n}")
    if not wrong:
        wrong = [*_form(text, LONGEST_SENTENCE), *proof.faults(Sentence(text, evidence), (asked.item.repository,))]
        if is_first and not _is_done(text):
            wrong.append("it does not begin with a verb in the past tense")
        cited = [commit for commit in asked.commits if commit.sha in set(evidence)]
        plain = [_text(one.text) for one in asked.item.sentences if set(one.evidence) <= set(evidence)]
        wrong += _unsupported(text, cited)
        if not wrong:  # which is short, then
            wrong = deeds.faults(text, [sources[commit.sha] for commit in cited], plain, is_first=is_first)
    return Sentence(text, evidence), [f"“{text[:80]}”: {fault}" for fault in wrong]


def _title(given: Any, asked: Asked, proof: Proof, sources: Mapping[str, deeds.Source]) -> tuple[str, list[str]]:
    """The title as it may be told, which may be the one it has, and what is wrong with what was given."""
    text = _text(given).rstrip(".")
    if not text:
        return asked.item.title, []
    wrong = _signs(text, LONGEST_TITLE)
    wrong += proof.faults(Sentence(text, asked.item.evidence), (asked.item.repository,))
    wrong += (
        deeds.title_faults(text, tuple(sources.values()), asked.item.title)
        if not wrong and text != asked.item.title
        else []
    )
    return (asked.item.title, [f"the title “{text[:80]}”: {fault}" for fault in wrong]) if wrong else (text, [])


def _headline(
    given: Any, facts: MonthFacts, plain: Story, told: Mapping[int, Item], wrong: dict[int, Again]
) -> Sentence | None:
    """The headline as it may be told; what is wrong with it goes into `wrong`.

    It begins as the plain one does, up to the month, and then names items by their titles, and nothing else.
    """
    text = _text(given.get("text")) if isinstance(given, dict) else ""
    if not text:
        wrong[0] = Again("", ("the headline is missing",))
        return None
    evidence, found = _evidence(given.get("evidence"), facts.commits, "the month")
    at = when(facts.month, facts.to_date)
    begun, month, _ = plain.headline.text.partition(f" {at}")
    head = f"{begun}{month}"
    if not month or not text.startswith(head):
        found.append(f"it does not begin “{head}”")
    elif text != plain.headline.text:
        found += [*_form(text, LONGEST_HEADLINE), *_about(text.removeprefix(head), facts, plain, told)]
    if found:
        wrong[0] = Again(text, tuple(found))
        return None
    return Sentence(text, evidence)


def _about(rest: str, facts: MonthFacts, plain: Story, told: Mapping[int, Item]) -> list[str]:
    """What is wrong with how a headline goes on: with titles alone, of as many changes as it says."""
    said = _ON.fullmatch(rest)
    if said is None:
        return ["it does not go on with “: ”, “, mostly on ” or “, among them ”, and titles of items"]
    titles = {
        title.casefold(): item.evidence
        for n, item in enumerate(plain.items, 1)
        if item.title != REST
        for title in (item.title, told.get(n, item).title)
        if title
    }
    named, at, left = set[str](), 0, said[2].casefold()
    while at < len(left):
        title = max((one for one in titles if left.startswith(one, at)), key=len, default=None)
        end = at + len(title or "")
        if title is None or left[end : end + 1].isalnum():
            return [f"“{said[2][at : at + 60]}” is the title of no item"]
        named.update(titles[title])
        between = _BETWEEN.match(left, end)
        at = between.end() if between else end
    leads = {change.lead.sha for change in facts.changes}
    enough = {": ": leads <= named, ", mostly on ": 2 * len(leads & named) > len(leads)}
    return [] if enough.get(said[1], True) else [f"the titles are of too few changes for “{said[1].strip()}”"]


def _evidence(given: Any, commits: Sequence[Commit], whose: str) -> tuple[tuple[str, ...], list[str]]:
    """The SHAs that are meant, in full, and which mean none of the commits."""
    if not isinstance(given, list) or not given or len(given) > MOST_EVIDENCE:
        return (), ["it names no commit as evidence" if not given else "its evidence is no list of a few commits"]
    found, wrong = list[str](), list[str]()
    for sha in given:
        meant = {commit.sha for commit in commits if commit.sha.startswith(sha)} if _is_sha(sha) else set()
        if len(meant) == 1:
            found += meant
        else:
            wrong.append(f"{clean(str(sha)[:40])!r} is no commit of {whose}")
    return tuple(dict.fromkeys(found)), wrong


def _is_sha(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{7,64}", value) is not None


def _text(value: Any) -> str:
    """A text in one line, without signs that nobody sees and without the quotes of code."""
    return clean(value[:2000].replace("`", "")) if isinstance(value, str) else ""


def _form(text: str, longest: int) -> list[str]:
    return [*_signs(text, longest), *mistakes(text)]


def _is_done(text: str) -> bool:
    """Whether a sentence tells what was done: "Added …", not "Ada is …"."""
    words = text.lower().split()
    first = words[1] if words[0].endswith("ly") and len(words) > 1 else words[0]
    first = first.strip(",;:.")
    verb = verb_of(first)
    if verb is None:  # one that the table does not know
        return _PAST.fullmatch(first) is not None
    return verb[1] == "past" or verb[0].past == verb[0].base


def _signs(text: str, longest: int) -> list[str]:
    wrong = [f"longer than {longest} characters"] if len(text) > longest else []
    if _SIGNS.search(text):
        wrong.append("it holds a link, an address, a call to a channel or marks of formatting")
    if REDACTED in text or ADDRESS in text or LINK in text:
        wrong.append("it says what was left out")
    if _PERSONS.search(split(text)[0]):  # what a developer wrote is theirs
        wrong.append("it says I, we or you")
    if _BY_A_MODEL.search(text) or SPEAKS_TO_MODEL.search(text):
        wrong.append("it is not about the commits")
    return wrong


def _unsupported(text: str, commits: Iterable[Commit]) -> list[str]:
    """Whether it says much that its commits do not say at all. Proof looks at names and numbers; this, at the rest."""
    stems = _stems(text)
    if not stems:
        return []
    there = set[str]()
    for commit in commits:
        body = within(commit.body)
        there |= _stems(f"{commit.subject[:2000]} {'' if SPEAKS_TO_MODEL.search(body) else body}", common=True)
    missing = sorted(stems - there)
    if len(stems) - len(missing) >= LEAST_SUPPORT * len(stems):
        return []
    return [f"its commits do not speak of {', '.join(missing[:8])}"]


def _stems(text: str, *, common: bool = False) -> set[str]:
    """The beginnings of the words that carry meaning: "autodetection" and "autodetect" are the same."""
    words = (word.lower() for word in _WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)))
    return {word[:5] for word in words if common or word not in _COMMON}
