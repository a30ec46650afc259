"""The checker: nothing is said that its commits, or the facts counted from them, do not hold. Pure."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from bot.model import Change, Commit, Item, MonthFacts, Sentence
from bot.month.trailers import credits_of
from bot.story.proving.claims import (
    BORNE_BY_KIND,
    FILLER_PHRASES,
    NUMBER_WORDS,
    PHRASES,
    UNITS,
    claimed_by,
    filler_of,
)
from bot.story.proving.witness import LONGEST_BODY, REFERENCE, Witness, folded, numbers_of, stands
from bot.story.wording import clean

_CODE = re.compile(r"`{1,3}([^`]+)`{1,3}")
_CHUNK = re.compile(r"[^\s\"“”‘’«»()\[\]{}<>|,;!?`–—\ufffc]+")
_MEASURE = re.compile(r"[~+±-]?\d[\d.,]*-?(%|[A-Za-zµμ×/]+)?")  # checked as a number
_COUNT = re.compile(r"(?<![\w-])\d[\d.,]*[ -]?$")
_LEADING, _TRAILING = "'*~:=+…–—", "'*.:=…–—"
_ACRONYM = re.compile(r"[A-Z].*[A-Z]|[a-z][A-Z]")
_NAME_SIGN = re.compile(r"[^\W_]_|_[^\W_]|\w[./:@=#\\]{1,3}\w|^-{1,2}\w|^[./_@\\$]+\w|\w::|\w[+#]+$|_$")
_MIXED = re.compile(r"[^\W\d_]\d|\d[^\W\d_]")
_SMALL_WORDS = re.compile(r"[a-z]+(?:-[a-z]+)*")
_BEFORE = 8  # signs before a word by which it is seen whether it begins a sentence
_OPENING = " \"‘'(["
# A SHA that stands alone, not as a part of a version. Of letters alone from eight on: "defaced" is a word.
_ALONE = re.compile(r"(?<![\w./-])(?:(?=[a-f]{0,40}\d)[0-9a-f]{7,40}|[a-f]{8,40})(?![\w/-]|\.\w)")
_MARKS = re.compile(r"[“”]")
_CUT = re.compile(r"\[?(?:…|\.\.\.)\]?|\ufffc")
_ENDS = re.compile(r"[.!?:;•…|](?:[\"’”')\]]{0,2}\s)\s{0,2}[\"‘'(\[]{0,2}$")  # what stands before a sentence


class Proof:
    """The checker of what is said about one month or several.

    It knows the commits, and the facts computed from them that any sentence may name, and how often something
    had to be replaced by its plain form.
    """

    def __init__(self, commits: Iterable[Commit], computed: Iterable[str] = (), changes: Iterable[Change] = ()) -> None:
        """`changes` lets a change that is sure to be a fix bear "fixed", one of performance "faster"."""
        self._commits: dict[str, list[Commit]] = {}
        for commit in commits:
            self._commits.setdefault(commit.sha, []).append(commit)
        self._witnesses: dict[str, tuple[Witness, ...]] = {}
        self._computed = Witness.computed(computed)
        self._names: tuple[str, ...] | None = None
        self._kinds: dict[str, set[str]] = {}
        for change in changes:
            if change.is_sure:
                for sha in change.shas:
                    self._kinds.setdefault(sha, set()).update(BORNE_BY_KIND.get(change.kind, ()))
        self.replaced = 0

    @classmethod
    def of(cls, *months: MonthFacts, computed: Iterable[str] = ()) -> Proof:
        """The checker of what is said about these months."""
        return cls(
            (commit for facts in months for commit in facts.commits),
            computed,
            (change for facts in months for change in facts.changes),
        )

    def faults(self, sentence: Sentence, computed: Iterable[str] = (), *, counted: bool = False) -> list[str]:
        """What in a sentence is not borne out by the commits it rests on; empty if all of it is.

        Whatever it names, quotes or claims must stand in one of its commits, or in the `computed` facts. A sentence
        that was `counted` may name nothing else than these: a number of it says nothing by standing in some commit.
        """
        found = [f"{sha} is no commit of the month" for sha in sentence.evidence if sha not in self._commits]
        if not sentence.evidence:
            found.append("rests on no commit")
        grounds = [] if counted else [one for sha in dict.fromkeys(sentence.evidence) for one in self._of(sha)]
        own = Witness.computed(computed)
        borne = frozenset(family for sha in sentence.evidence for family in self._kinds.get(sha, ()))
        found += _not_borne(sentence.text, [own, self._computed, *grounds], borne)
        if not counted:
            found += self._strangers(sentence.text, [own, self._computed, *grounds])
        return list(dict.fromkeys(found))

    def said(self, sentence: Sentence, plain: str, computed: Iterable[str] = (), *, counted: bool = False) -> Sentence:
        """The sentence, or plain words with the same commits where it does not hold, which is counted in `replaced`."""
        if not self.faults(sentence, computed, counted=counted):
            return sentence
        self.replaced += 1
        return replace(sentence, text=plain)

    def held(self, sentences: Iterable[Sentence], computed: Iterable[str] = ()) -> tuple[Sentence, ...]:
        """The sentences that hold; those that do not are counted in `replaced`."""
        facts = tuple(computed)
        every = tuple(sentences)
        held = tuple(one for one in every if not self.faults(one, facts))
        self.replaced += len(every) - len(held)
        return held

    def _of(self, sha: str) -> tuple[Witness, ...]:
        if sha not in self._witnesses:
            self._witnesses[sha] = tuple(map(Witness.of, self._commits.get(sha, ())))
        return self._witnesses[sha]

    def _strangers(self, text: str, grounds: Sequence[Witness]) -> Iterator[str]:
        """People of the month who are named, but by none of the commits."""
        if self._names is None:
            self._names = _names(commit for several in self._commits.values() for commit in several)
        own, _, _ = split(text)
        for name in self._names:
            if name in own and stands(name, own) and not any(ground.has(name) for ground in grounds):
                yield _missing(name)


def faults(text: str, evidence: Iterable[str], facts: MonthFacts, computed: Iterable[str] = ()) -> list[str]:
    """`Proof.faults` for a single sentence of a month. Several are checked faster by one `Proof`."""
    return Proof.of(facts).faults(Sentence(text, tuple(evidence)), computed)


def proved(item: Item, facts: MonthFacts) -> Item:
    """The item without the sentences that do not hold; its title alone where none does."""
    return replace(item, sentences=Proof.of(facts).held(item.sentences, (item.repository,)))


def is_borne_out(text: str, commits: Iterable[Commit], computed: Iterable[str] = ()) -> bool:
    """Whether all that `Proof.faults` looks for stands in the commits, of whatever month, or is computed."""
    return not list(_not_borne(text, [Witness.computed(computed), *map(Witness.of, commits)], frozenset()))


def counted(sentence: Sentence, plain: str, facts: Iterable[MonthFacts], computed: Iterable[str]) -> Sentence:
    """A sentence of computed facts, or plain words with the same commits where it does not hold.

    `computed` are the facts it may name: counts, names, months.
    """
    if not sentence.evidence:
        return sentence if is_borne_out(sentence.text, (), computed) else replace(sentence, text=plain)
    return Proof.of(*facts).said(sentence, plain, computed, counted=True)


def split(text: str) -> tuple[str, list[str], list[str]]:
    """A text's own words, what it quotes in “…”, which may hold others, and what is code in backticks."""
    own: list[str] = []
    quoted: list[str] = []
    depth = opened = told = 0
    for match in _MARKS.finditer(text):
        if match[0] == "“":
            opened = match.start() if depth == 0 else opened
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                own.append(text[told:opened])
                told = match.end()
                quoted.append(text[opened + 1 : match.start()])
    rest = " \ufffc ".join((*own, text[told:]))  # what is never closed is no quotation
    return _CODE.sub(" \ufffc ", rest), quoted, _CODE.findall(rest)


def _names(commits: Iterable[Commit]) -> tuple[str, ...]:
    """The people whom commits name, where the name has several words, so that it is no other word."""
    found: set[str] = set()
    for commit in commits:
        found.update((commit.author.name, commit.committer.name))
        found.update(credited.name for credited in credits_of(commit.body[:LONGEST_BODY]))
    return tuple(sorted(name for name in map(clean, found) if " " in name))


def _missing(said: str) -> str:
    return f"{said!r} is in none of its commits"


def _not_borne(text: str, grounds: Sequence[Witness], borne: frozenset[str]) -> Iterator[str]:
    own, quoted, codes = split(text)
    for quotation in (*quoted, *codes):
        pieces = [folded(part).strip(" .,;:") for part in _CUT.split(quotation)]
        is_path = quotation in codes and any(ground.has(quotation) for ground in grounds)
        if not is_path and not any(ground.has_quoted(pieces) for ground in grounds):
            yield f"{quotation!r} is quoted, but stands in none of its commits"
    yield from _not_claimed(own.lower(), grounds, borne)
    own = yield from _not_referred(own, grounds)
    for number in dict.fromkeys(numbers_of(own)):
        if not any(ground.has_measure(number.value, number.unit) for ground in grounds):
            yield _missing(number.written)
    yield from (_missing(name.said) for name in _names_in(own) if not _is_named(name, grounds))


def _not_claimed(small: str, grounds: Sequence[Witness], borne: frozenset[str]) -> Iterator[str]:
    """Claims that no commit bears out, and filler that none says itself. `small` is the text in small letters."""
    words = dict.fromkeys(_SMALL_WORDS.findall(small))
    claims = [(word, family) for word in words for part in word.split("-") for family in sorted(claimed_by(part))]
    claims += [(phrase, family) for phrase, family in PHRASES if phrase in small and stands(phrase, small)]
    for said, family in claims:
        if family not in borne and not any(said in ground.small or family in ground.bears for ground in grounds):
            yield f"{said!r} is claimed, but none of its commits says so"
    for word in words:
        stem = filler_of(word)
        if stem and not any(_fills(word, stem, ground) for ground in grounds):
            yield f"{word!r} is filler"
        number = NUMBER_WORDS.get(word)
        if number and not any(word in ground.small_words or number in ground.numbers for ground in grounds):
            yield _missing(word)
    for phrase in FILLER_PHRASES:
        if phrase in small and stands(phrase, small) and not any(phrase in one.small for one in grounds):
            yield f"{phrase!r} is filler"


def _fills(word: str, stem: str, ground: Witness) -> bool:
    """Whether a commit has the word itself, be it in a name or a path, or says another one of its stem."""
    if "-" in word:
        return word in ground.small
    return any(one.startswith(stem) for one in ground.small_words) or word in ground.text.lower()


def _not_referred(own: str, grounds: Sequence[Witness]) -> Generator[str, None, str]:
    """References and SHAs that no commit holds; returns the text without any."""
    for match in REFERENCE.finditer(own):
        if not any(match[0] in ground.references for ground in grounds):
            yield _missing(match[0])
    own = REFERENCE.sub(" ", own)
    for sha in dict.fromkeys(_ALONE.findall(own)):
        is_held = any(ground.has_sha(sha) for ground in grounds)
        if sha.isdigit() and not is_held:
            continue  # it may be a number
        own = re.sub(rf"\b{sha}\b", " ", own)
        if not is_held:
            yield _missing(sha)
    return own


class _Name(NamedTuple):
    said: str
    begins: bool  # a sentence, and so may have got a capital
    is_cut: bool


def _names_in(own: str) -> Iterator[_Name]:
    """What a text names: identifiers, options, files, acronyms, and words with a capital that begin no sentence."""
    for match in _CHUNK.finditer(own):
        if match[0].isalpha() and match[0].islower():
            continue  # as most: a word that names nothing
        said = match[0].lstrip(_LEADING).rstrip(_TRAILING)
        if said.startswith("..") or said == ".":
            said = said.lstrip(".")
        if not any(map(str.isalnum, said)) or said == "I":
            continue
        measure = _MEASURE.fullmatch(said)
        before = own[max(0, match.start() - _BEFORE) : match.start()]
        if (measure and (measure[1] is None or measure[1] in UNITS)) or (said in UNITS and _COUNT.search(before)):
            continue
        begins = not before.strip(_OPENING) or bool(_ENDS.search(before))
        if _is_identifier(said) or (said[0].isupper() and not begins):
            yield _Name(said, begins, match[0].endswith("…"))


@lru_cache(maxsize=16_384)
def _is_identifier(said: str) -> bool:
    return any(sign.search(said) for sign in (_ACRONYM, _NAME_SIGN, _MIXED))


def _is_named(name: _Name, grounds: Sequence[Witness]) -> bool:
    said = name.said
    forms = [said, *([said[0].lower() + said[1:]] if name.begins else [])]
    if said[-1].isupper():
        forms.append(f"{said}s")  # an MR, of "MRs"
    for ending in ("'s", "s", "es"):
        if said.endswith(ending) and len(said) > len(ending) + 1:
            forms.append(said.removesuffix(ending))
    if any(ground.has(form, may_be_cut=name.is_cut) for form in forms for ground in grounds):
        return True
    parts = said.split("-")
    if len(parts) == 1 or not all(parts):
        return False
    return all(
        any(ground.has(part) for ground in grounds) for part in parts if _is_identifier(part) or part[0].isupper()
    )
