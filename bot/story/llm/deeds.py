"""What a model says was done, held against what its commits say was done. Pure.

`proof` asks whether the words of a sentence stand in its commits. A lie can be made of them alone: "Removed chunks"
where they were streamed, a time that rose where it fell. So here every verb, negation, order and direction is held
against the subject, the plain sentence made of it, or the one sentence of a body that it may come from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from bot.model import Commit
from bot.month.trailers import credits_of
from bot.story.bodies.prose import sentences
from bot.story.llm.prompting import SPEAKS_TO_MODEL
from bot.story.llm.redaction import within
from bot.story.proving.proof import split
from bot.story.proving.witness import numbers_of
from bot.story.wording import clean
from bot.story.words.sentences import sentence as plain_sentence
from bot.story.words.subjects import read, taken_apart
from bot.story.words.verbs import VERBS, verb_of, words_of

LEAST_SHARED = 0.5  # of a clause's words of weight, that must stand where its verb does
_SUBJECT = 2_000  # characters that are read
_ALIKE = tuple(map(words_of, ("add introduce create implement support", "fix resolve correct repair",
                              "remove delete drop", "update upgrade bump")))  # fmt: skip
_ADDING = _ALIKE[0] | words_of("make cause enable allow build write")
_BASES = {verb.noun: verb.base for verb in VERBS.values() if verb.noun}
_NEGATION = words_of(
    "not no never none nothing nobody neither nor without cannot fail fails failed failing unable hardly barely"
)
_FLAWED = words_of(
    "revert reverted reverts reverting undo undone undid undoes undoing break breaks broke broken breaking leak leaks "
    "leaked leaking cause causes caused causing regress regressed regresses lost left backed rolled worse worsened "
    "partly partially almost nearly only merely completely fully entirely wholly always everywhere all every"
)
_FAULTS = words_of(
    "bug bugs crash crashes deadlock deadlocks race races error errors failure failures regression regressions hang "
    "hangs corruption typo typos fault faults segfault segfaults leak leaks overflow overflows vulnerability flake"
)
_DIRECTIONS = words_of("from to into onto with by than before after behind above below under over until")
_COMPARED = re.compile(
    r"\b(?:instead of|rather than|than|(?:down|up) (?:from|to)|formerly|previously|earlier|originally|before|after|"
    r"now)\b"
)
_SMALL = words_of("of the a an for in on to and from with by at as or via its their")
_WORD = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*")
_NAME = re.compile(r"[A-Z][a-z’'-]+")
_UNKNOWN_PAST = re.compile(r"[a-z-]{2,30}[^e\W]ed")


@dataclass(frozen=True)
class Said:
    """A sentence of a body, looked through once."""

    text: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(words_in(self.text))

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(_of_weight(self.text))

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        return tuple(number.value for number in numbers_of(self.text))


@dataclass(frozen=True)
class Source:
    """A commit as it is held against: its subject and the plain sentence made of it, and the sentences of its body."""

    commit: Commit

    @cached_property
    def told(self) -> str:
        return plain_sentence(self.commit.subject[:_SUBJECT])

    @cached_property
    def subject(self) -> str:
        return f"{clean(self.commit.subject[:_SUBJECT])} . {self.told}"

    @cached_property
    def body(self) -> tuple[Said, ...]:
        text = within(self.commit.body)
        if SPEAKS_TO_MODEL.search(text):
            return ()
        return tuple(Said(clean(one)) for part in text.split("\n\n") for one in sentences(" ".join(part.split())))

    @cached_property
    def deeds(self) -> frozenset[str]:
        """What was done: the verbs that begin the plain sentence and its parts."""
        words = _WORD.findall(self.told.lower())
        begins = [words[0]] if words else []
        begins += [word for before, word in pairwise(words) if before in ("and", "also", "then")]
        begins += words[1:2] if words and words[0].endswith("ly") else []
        part = taken_apart(self.commit.subject[:_SUBJECT])
        reading, first = read(part.words), part.words.partition(" ")[0].lower()
        own = [reading.verb.base] if reading.nature == "verb" and reading.verb else []
        unknown = [] if verb_of(first) else [f"{first.removesuffix('e')}ed"]  # that the table of verbs does not know
        return frozenset((*own, *unknown, *(_base(word) for word in begins if _is_past(word))))

    @cached_property
    def bases(self) -> frozenset[str]:
        return frozenset(_base(word) for word in words_in(self.subject))

    @cached_property
    def every(self) -> str:
        return " . ".join((self.subject, *(one.text for one in self.body)))

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(_of_weight(self.every))


def faults(text: str, sources: Sequence[Source], plain: Iterable[str], *, is_first: bool) -> list[str]:
    """Why a sentence may say something else than its commits did; nothing of one that is a plain sentence of them."""
    plain = tuple(plain)
    if text in plain:
        return []
    own = split(text)[0]
    found = [
        *_verbs(own, sources, is_first=is_first),
        *_negated(own, sources),
        *_measured(own, sources),
        *_named(own, sources, plain),
        *_directed(own, sources),
    ]
    return list(dict.fromkeys(found))


def title_faults(text: str, sources: Sequence[Source], plain: str) -> list[str]:
    """Why a title is not made of the words of one of the subjects, or of the plain title's."""
    best: list[str] | None = None
    for source in sources:
        there = words_in(f"{clean(source.commit.subject[:_SUBJECT])} {plain}")
        stems, bases = {_stem(word) for word in there}, {_base(word) for word in there}
        missing = [
            word
            for word in words_in(text)
            if word not in _SMALL and not ({_stem(word)} & stems or _base(word) in bases)
        ]
        wrong = [f"{', '.join(missing[:6])} is in no subject"] if missing else []
        wrong += [f"{word!r} tells what was done" for word in words_in(text) if _is_past(word) and word not in there]
        wrong += _lost_negation(text, [source])
        if best is None or len(wrong) < len(best):
            best = wrong
    return [*(best or []), *_negated(text, sources), *_directed(text, sources)]


def words_in(text: str) -> list[str]:
    return [word.replace("’", "'") for word in _WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower())]


def _base(word: str) -> str:
    known = verb_of(word)
    return known[0].base if known else _BASES.get(word, word)


def _is_past(word: str) -> bool:
    known = verb_of(word)
    return (known[1] == "past" or known[0].past == word) if known else _UNKNOWN_PAST.fullmatch(word) is not None


def _is_finite(word: str) -> bool:
    known = verb_of(word)
    return _is_past(word) or (known is not None and known[1] == "third")


def _stem(word: str) -> str:
    return word[:5]


def _of_weight(text: str) -> set[str]:
    return {_stem(word) for word in words_in(text) if len(word) > 3}


def _alike(base: str) -> frozenset[str]:
    return next((one for one in _ALIKE if base in one), frozenset((base,)))


def _verbs(text: str, sources: Sequence[Source], *, is_first: bool) -> Iterator[str]:
    """What is said to have happened, clause by clause: each verb with the words that follow it."""
    found = [match for match in _WORD.finditer(text) if verb_of(match[0].lower()) or _is_past(match[0].lower())]
    pasts = [match.start() for match in found if _is_past(match[0].lower())]
    finite = [match.start() for match in found if _is_finite(match[0].lower())]
    is_deed = is_first
    for match in found:
        end = next((at for at in (pasts if is_deed else finite) if at > match.start()), len(text))
        word, clause = match[0].lower(), text[match.end() : end]
        if is_deed:
            if not any(_bears(source, word, clause) for source in sources):
                yield f"no commit says that it {word} that"
            is_deed = False
        elif not any(_has_verb(source, word, clause) for source in sources):
            yield f"its commits do not say “{word}”"


def _bears(source: Source, word: str, clause: str) -> bool:
    """Whether the commit did what a sentence begins with."""
    alike = _alike(_base(word))
    if not alike & source.deeds or not _shares(clause, source.stems):
        return False
    said = words_in(clause)
    fault = next((at for at, one in enumerate(said) if one in _FAULTS), None)
    if fault is None or _base(word) not in _ADDING:
        return True
    # "Add a test for the crash" is not "Added the crash": what stands between them must stand there again.
    there = words_in(source.subject)
    if said[fault] not in there:
        return False
    between = {one for one in there[: there.index(said[fault])] if len(one) > 3 and _base(one) not in alike}
    return between <= set(said[:fault])


def _has_verb(source: Source, word: str, clause: str) -> bool:
    if _base(word) in source.bases or (_is_past(word) and _alike(_base(word)) & source.deeds):
        return _shares(clause, source.stems)
    if not _is_finite(word):
        return any(word in one.words for one in source.body)
    figures = {one.value for one in numbers_of(clause)}
    return any(
        _is_said(word, one.words) and figures <= set(one.numbers) and _shares(clause, one.stems) for one in source.body
    )


def _is_said(word: str, words: Sequence[str]) -> bool:
    """Whether a verb stands among words in this form, or begins them: "Adds X" of a body is "Added X"."""
    return word in words or (_is_past(word) and bool(words) and _base(words[0]) == _base(word))


def _shares(clause: str, there: frozenset[str]) -> bool:
    said = _of_weight(clause)
    return len(said & there) >= LEAST_SHARED * len(said)


def _negations(text: str) -> set[str]:
    said = set(words_in(text))
    found = {"fail" if word.startswith("fail") else word for word in said & _NEGATION}
    return found | {"not" for word in said if word.endswith("n't") or word == "cannot"}


def _negated(text: str, sources: Sequence[Source]) -> Iterator[str]:
    subjects = " . ".join(source.subject for source in sources)
    if wrong := sorted(_negations(text) - _negations(subjects)):
        yield f"no subject says {', '.join(wrong)}"
    bases = {_base(word) for word in words_in(subjects)}
    if wrong := sorted(word for word in set(words_in(text)) & _FLAWED if _base(word) not in bases):
        yield f"no subject says {', '.join(wrong)}"
    yield from _lost_negation(text, sources)


def _lost_negation(text: str, sources: Sequence[Source]) -> Iterator[str]:
    """Where the sentence that it comes from says "not", and it does not."""
    if _negations(text) or not sources:
        return
    said = _of_weight(text)
    every = [one for source in sources for one in (Said(source.told), *source.body)]
    closest = max(len(said & one.stems) for one in every)
    if all(_negations(one.text) for one in every if len(said & one.stems) == closest):
        yield "it leaves out a negation of the message"


def _measured(text: str, sources: Sequence[Source]) -> Iterator[str]:
    """Several numbers, in another order than the message has them within a sentence or two."""
    said = list(dict.fromkeys(number.value for number in numbers_of(text)))
    if len(said) < 2:
        return
    compared = set(_COMPARED.findall(text.lower()))
    for source in sources:
        every = [(one.text, one.numbers) for one in (Said(clean(source.commit.subject[:_SUBJECT])), *source.body)]
        every += [(f"{a.text} {b.text}", a.numbers + b.numbers) for a, b in pairwise(source.body)]
        for one, there in every:
            places = [there.index(number) for number in said if number in there]
            is_so = len(places) == len(said) and places == sorted(places)
            if is_so and compared <= set(_COMPARED.findall(one.lower())):
                return
    yield "its numbers do not stand so, and in this order, in a sentence of a message"


def _named(text: str, sources: Sequence[Source], plain: Sequence[str]) -> Iterator[str]:
    """A name, of a person or of whatever else, that stands in no subject and in no plain sentence."""
    known = set(_WORD.findall(" . ".join((*(source.subject for source in sources), *plain))))
    people = {part for source in sources for name in _people(source.commit) for part in name.split() if len(part) > 2}
    for at, match in enumerate(_WORD.finditer(text)):
        word = match[0]
        if word not in known and (word in people or (at and _NAME.fullmatch(word))):
            yield f"no subject names {word}"


def _people(commit: Commit) -> Iterator[str]:
    yield from (clean(commit.author.name), clean(commit.committer.name))
    yield from (clean(one.name) for one in credits_of(within(commit.body)))


def _directed(text: str, sources: Sequence[Source]) -> Iterator[str]:
    """What goes "from" or "to" something of the message that does not do so there."""
    pairs, stems = set[tuple[str, str]](), set[str]()
    for source in sources:
        words = words_in(source.every)
        stems.update(map(_stem, words))
        for at, word in enumerate(words):
            if word in _DIRECTIONS:
                pairs.update((word, _stem(one)) for one in words[at + 1 : at + 5])
    words = words_in(text)
    for at, word in enumerate(words):
        following = next((one for one in words[at + 1 : at + 4] if one not in _SMALL), None)
        if word not in _DIRECTIONS or following is None:
            continue
        known = verb_of(following)
        is_infinitive = word == "to" and known is not None and known[1] == "base"
        if not is_infinitive and _stem(following) in stems and (word, _stem(following)) not in pairs:
            yield f"no message says “{word} {following}”"
