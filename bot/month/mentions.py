"""The technologies of the lexicon that a commit names: in its paths, its subject, the prose of its body. Pure.

The time is linear in the text and the paths; of a body, the first LONGEST_BODY characters are read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from bot.month.kind_words import place_of
from bot.month.lexicon import LEXICON, Technology

Sign = Literal["file", "part", "subject", "body"]

LONGEST_PATH = 1_000
LONGEST_SUBJECT = 400
LONGEST_BODY = 4_000
LONGEST_PROSE = 600  # further down a body speaks of what lies around the change

_WORD = re.compile(r"[^\W_]\w*(?:\+\+|#)?|_\w+")
_RUN = re.compile(r"[^\W_]+")
_PIECE = re.compile(r"[A-Z]+[0-9]*(?![a-z])|[A-Z]?[a-z]+[0-9]*|[0-9]+")
# From here on a body tells how it was tested, who read it, or is a form that was filled in.
_END = re.compile(
    r"[#*_ \t]{0,8}(?:test(?:ed|ing)?(?: plans?| steps)?[*_ ]*:|test plan|how (?:was|has|did|to)\b.{0,30}\btest|"
    r"(?:reviewed by|reviewers|subscribers|differential revision|rollback plan|privacy context)\b.{0,3}:|checklist\b|"
    r"type of change|before submitting|---+\s*$|<!--)",
    re.IGNORECASE,
)
# Lines that are no prose: code, quotes, logs, tables, trailers.
_SKIPPED = re.compile(
    r"    |\t|\s*(?:[$>|{}@&=/\\<]|[*-] \[pre-commit|[\w-]+-by:|[A-Z]\d{4} |\[?\d{4}-\d\d|Traceback|File \"|"
    r"(?:pull request resolved|x-link|fbshipit|ghstack|imported from|stack from|original (?:commit|phabricator)|"
    r"github-pull|closes|cc|resolves|fixes)\b.{0,20}[:@#])",
    re.IGNORECASE,
)  # fmt: skip
_CODE = re.compile(r"`[^`\n]*`")

# Before the first word: "[CI]", "(1/3)", "deps(web)!:". Each begins with another character, so that there is
# only one way to read a subject, and a long one takes no longer.
_TAGS = r"(?:\[[^\]]{0,80}\]|\([^)]{0,80}\)|\w[\w./-]{0,39}(?:\([^)]{0,80}\))?!?:|[\s*•-])*"
# "Bump tokio from 1.53.0 to 1.53.1", "update x 1.2 -> 1.3", as a machine would write it.
_BUMPS = re.compile(
    rf"{_TAGS}(?:automated submodule update|"
    r"(?:bump|update|upgrade)s?\s\S+\s(?:\S+\s)?(?:from\s)?v?\d\S*\s(?:to|->|→)\s)",
    re.IGNORECASE,
)
_REMOVES = re.compile(
    rf"{_TAGS}(?:remove[sd]?|removing|removal|delet(?:e[sd]?|ing)|drop(?:s|ped|ping)?|uninstall|eliminate|"
    r"get(?:ting)? rid)\b",
    re.IGNORECASE,
)


class _Term(NamedTuple):
    technology: Technology
    phrase: str  # its words with one space between and around
    first: str  # of its words, in small letters
    is_exact: bool
    is_sure: bool


class _Index:
    """The lexicon, turned to be looked up by the first word of a term and by the piece, name or ending of a file."""

    def __init__(self, lexicon: Iterable[Technology]) -> None:
        self.terms: dict[str, list[_Term]] = {}  # by their first words
        self.by_name: dict[str, list[_Term]] = {}
        self.parts: dict[str, list[str]] = {}
        self.names: dict[str, list[str]] = {}
        self.endings: dict[str, list[str]] = {}
        self.folders: list[tuple[str, str]] = []
        self.beginnings: list[tuple[str, str, str]] = []
        self.near: dict[str, frozenset[str]] = {}
        for one in lexicon:
            for terms, is_exact, is_sure in (
                (one.words, False, True),
                (one.exact, True, True),
                (one.unsure, True, False),
            ):
                for term in _listed(terms):
                    words = term if term.isalnum() else " ".join(_WORD.findall(term))
                    first = words.partition(" ")[0].lower()
                    added = _Term(one, f" {words} ", first, is_exact, is_sure)
                    self.terms.setdefault(first, []).append(added)
                    self.by_name.setdefault(one.name, []).append(added)
            for part in _listed(one.parts):
                self.parts.setdefault(part, []).append(one.name)
            for pattern in one.paths.split():
                self._add(pattern, one.name)
            if one.near:
                self.near[one.name] = frozenset(_listed(one.near))
        self.firsts = frozenset(self.terms)
        self.begun = tuple(beginning for beginning, _, _ in self.beginnings)
        self.above = frozenset(pattern.split("/")[1] for pattern, _ in self.folders)

    def _add(self, pattern: str, name: str) -> None:
        beginning, star, end = pattern.partition("*")
        if pattern.endswith("/") or (not star and "/" in pattern):
            self.folders.append((f"/{pattern}", name))
        elif not star:
            self.names.setdefault(pattern, []).append(name)
        elif not beginning:
            self.endings.setdefault(end, []).append(name)
        else:
            self.beginnings.append((beginning, end, name))


def named_in(subject: str, body: str, paths: Sequence[str]) -> Iterator[tuple[Sign, str, int]]:
    """Each technology that is named, by which sign, and in how many of the paths.

    A "file" is one that only it has, a "part" a piece of a path. A subject that takes something out says
    nothing, nor does its body; a commit that counts up the version of a dependency shows nothing at all.
    """
    yield from shown_in(subject, body, paths)
    for name in told_in(subject, body, paths, _index().by_name):
        yield "body", name, 1


def shown_in(subject: str, body: str, paths: Sequence[str]) -> Iterator[tuple[Sign, str, int]]:
    """The same but for what only the body names, which is read where it decides what a doubtful name means."""
    subject = subject[:LONGEST_SUBJECT]
    low = subject.lower()
    if _bumps(subject, low):
        return
    files: dict[str, int] = {}
    parts: dict[str, int] = {}
    for by_file, by_part in map(_of_path, paths):
        for name in by_file:
            files[name] = files.get(name, 0) + 1
        for name in by_part:
            parts[name] = parts.get(name, 0) + 1
    for name, times in files.items():
        yield "file", name, times
    for name, times in parts.items():
        yield "part", name, times
    if _removes(subject, low):
        return
    title = _Text(_words(subject))
    for word in title.words:
        for name in _of_word(word):
            yield "subject", name, 1
    index = _index()
    prose: _Text | None = None
    for first in title.lowered & index.firsts:
        for term in index.terms[first]:
            if title.has(term):
                if not term.is_sure and prose is None:
                    prose = _prose_of(body)
                if prose is None or term.is_sure or _is_near(term, title, prose, paths):
                    yield "subject", term.technology.name, 1


def told_in(subject: str, body: str, paths: Sequence[str], wanted: Collection[str]) -> Iterator[str]:
    """Those of the wanted technologies that the prose of the body names. Costs little where it has none of them."""
    terms = _index().by_name
    low = body[:LONGEST_BODY].lower()
    held = [term for name in wanted for term in terms.get(name, ()) if term.first in low]
    if not held:
        return
    subject = subject[:LONGEST_SUBJECT]
    low = subject.lower()
    if _bumps(subject, low) or _removes(subject, low):
        return
    title, prose = _Text(_words(subject)), _prose_of(body)
    for term in held:
        if term.first in prose.lowered and prose.has(term) and (term.is_sure or _is_near(term, title, prose, paths)):
            yield term.technology.name


def _bumps(subject: str, low: str) -> bool:
    may_bump = "update" in low or "bump" in low or "upgrade" in low or not low.isascii()
    return may_bump and bool(_BUMPS.match(subject))


def _removes(subject: str, low: str) -> bool:
    may_remove = (
        "remov" in low or "delet" in low or "drop" in low or "uninstall" in low or "elimin" in low or "rid" in low
    )  # fmt: skip
    return (may_remove or not low.isascii()) and bool(_REMOVES.match(subject))


def _is_near(term: _Term, title: _Text, prose: _Text, paths: Sequence[str]) -> bool:
    """Whether something that a name with an everyday meaning needs beside it is there."""
    near = _index().near.get(term.technology.name, frozenset())
    return not (near.isdisjoint(title.lowered) and near.isdisjoint(prose.lowered)) or _are_near(near, paths)


def _are_near(near: frozenset[str], paths: Sequence[str]) -> bool:
    return any(near & _pieces(path) for path in paths[:100])


class _Text:
    def __init__(self, text: str) -> None:
        self.words = _WORD.findall(text) if text else []
        self._exact = f" {' '.join(self.words)} "
        self._lower = self._exact.lower()
        self.lowered = set(self._lower.split())

    def has(self, term: _Term) -> bool:
        return term.phrase in (self._exact if term.is_exact else self._lower)


def _prose_of(body: str) -> _Text:
    return _Text(_prose(body[:LONGEST_BODY]))


def _prose(body: str) -> str:
    """What a body says in words, up to how it was tested."""
    lines, fenced, length = [], False, 0
    for line in body.splitlines():
        if not line:
            continue
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and not _SKIPPED.match(line):
            if _END.match(line) or length > 2 * LONGEST_PROSE:
                break
            lines.append(line)
            length += len(line)
    prose = _words("\n".join(lines))
    return prose if len(prose) <= LONGEST_PROSE else prose[:LONGEST_PROSE].rpartition(" ")[0]


def _words(text: str) -> str:
    """The text without addresses, paths and what stands in backticks."""
    words = (_CODE.sub(" ", text) if "`" in text else text).split()
    if "/" not in text and "@" not in text:
        return " ".join(words)
    return " ".join([word for word in words if not (("/" in word or "@" in word) and _is_address(word))])


def _is_address(word: str) -> bool:
    word = word.rstrip(".,;:!?)")
    slashes = word.count("/")
    return "@" in word or (slashes > 0 and "." in word) or (slashes > 1 and (":" in word or "_" in word))


class _Shown(NamedTuple):
    by_file: frozenset[str]
    by_part: frozenset[str]


_NOTHING_SHOWN = _Shown(frozenset(), frozenset())


@lru_cache(maxsize=65_536)
def _of_path(path: str) -> _Shown:
    index = _index()
    path = path[-LONGEST_PATH:]
    name = path.rpartition("/")[2][-255:]
    files: set[str] = set(index.names.get(name, ()))
    at = name.find(".")
    while at >= 0:
        files.update(index.endings.get(name[at:], ()))
        at = name.find(".", at + 1)
    if not index.above.isdisjoint(path.split("/")):
        files.update(technology for folder, technology in index.folders if folder in f"/{path}")
    if name.startswith(index.begun):
        files.update(
            technology
            for beginning, end, technology in index.beginnings
            if name.startswith(beginning) and name.endswith(end)
        )
    parts: set[str] = set()
    for run in _RUN.findall(path):
        if not run.isdecimal():  # which most files of some projects have, each another one
            parts.update(_of_run(run))
    # A workflow is named for what it builds or where it runs ("wheels_upload_s3.yml"); that is no work with it.
    if parts and place_of(path) == "ci":
        parts.clear()
    return _Shown(frozenset(files), frozenset(parts)) if files or parts else _NOTHING_SHOWN


@lru_cache(maxsize=65_536)
def _of_word(word: str) -> frozenset[str]:
    """The technologies that an identifier in a subject has as a part."""
    return frozenset().union(*map(_of_run, _RUN.findall(word)))


@lru_cache(maxsize=65_536)
def _of_run(run: str) -> frozenset[str]:
    """The technologies of which a run of letters and digits in a path is a part."""
    parts = _index().parts
    return frozenset(technology for piece in _pieces_of(run) & parts.keys() for technology in parts[piece])


@lru_cache(maxsize=65_536)
def _pieces(text: str) -> frozenset[str]:
    """What a path or an identifier is made of: its runs of letters and digits, and the words of those not known."""
    return frozenset().union(*map(_pieces_of, _RUN.findall(text)))


@lru_cache(maxsize=65_536)
def _pieces_of(run: str) -> frozenset[str]:
    low = run.lower()
    if low in _index().parts:  # FBGemm is no GEMM
        return frozenset((low,))
    return frozenset((low, *(piece.lower() for piece in _PIECE.findall(run))))


def _listed(text: str) -> list[str]:
    return [one.strip() for one in text.split(",") if one.strip()]


@lru_cache(maxsize=1)
def _index() -> _Index:
    return _Index(LEXICON)
