"""The technologies of the lexicon that a commit names, in its paths and in its subject. Pure.

A body is not read: what it names is as often what lies around the change as what was worked with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from bot.month.kind_words import place_of
from bot.month.lexicon import LEXICON, Technology

Sign = Literal["file", "part", "subject"]

LONGEST_PATH = 1_000
LONGEST_SUBJECT = 400

_WORD = re.compile(r"[^\W_]\w*(?:\+\+|#)?|_\w+")
_RUN = re.compile(r"[^\W_]+")
_PIECE = re.compile(r"[A-Z]+[0-9]*(?![a-z])|[A-Z]?[a-z]+[0-9]*|[0-9]+")
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
    technology: str
    phrase: str  # its words with one space between and around
    is_exact: bool


class _Index:
    """The lexicon, turned to be looked up by the first word of a term and by the piece, name or ending of a file."""

    def __init__(self, lexicon: Iterable[Technology]) -> None:
        self.terms: dict[str, list[_Term]] = {}  # by their first words, in small letters
        self.parts: dict[str, list[str]] = {}
        self.names: dict[str, list[str]] = {}
        self.endings: dict[str, list[str]] = {}
        self.folders: list[tuple[str, str]] = []
        self.beginnings: list[tuple[str, str, str]] = []
        for one in lexicon:
            for terms, is_exact in ((one.names, False), (one.words, False), (one.exact, True)):
                for term in _listed(terms):
                    words = " ".join(_WORD.findall(term))
                    self.terms.setdefault(words.split()[0].lower(), []).append(_Term(one.name, f" {words} ", is_exact))
            for part in (*_listed(one.names), *_listed(one.parts)):
                self.parts.setdefault(part, []).append(one.name)
            for pattern in one.paths.split():
                self._add(pattern, one.name)

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


def technologies_in(subject: str, paths: Sequence[str]) -> Iterator[tuple[Sign, str, int]]:
    """Each technology that is named, by which sign, and in how many of the paths.

    A "file" is one that only it has, a "part" a piece of a path. A subject that removes something says nothing; a
    commit that counts up the version of a dependency shows nothing at all.
    """
    subject = subject[:LONGEST_SUBJECT]
    if _BUMPS.match(subject):
        return
    shown = [_of_path(path) for path in paths]
    for name, times in Counter([name for one in shown for name in one.by_file]).items():
        yield "file", name, times
    for name, times in Counter([name for one in shown for name in one.by_part]).items():
        yield "part", name, times
    if not _REMOVES.match(subject):
        for name in _of_subject(subject):
            yield "subject", name, 1


def _of_subject(subject: str) -> Iterator[str]:
    # Without addresses, paths and what stands in backticks.
    words = _WORD.findall(" ".join(word for word in _CODE.sub(" ", subject).split() if not _is_address(word)))
    exact = f" {' '.join(words)} "
    yield from _of_word(exact)
    lower, terms = exact.lower(), _index().terms
    for first in dict.fromkeys(lower.split()):
        for term in terms.get(first, ()):
            if term.phrase in (exact if term.is_exact else lower):
                yield term.technology


def _is_address(word: str) -> bool:
    word = word.rstrip(".,;:!?)")
    slashes = word.count("/")
    return "@" in word or (slashes > 0 and "." in word) or (slashes > 1 and (":" in word or "_" in word))


class _Shown(NamedTuple):
    by_file: frozenset[str]
    by_part: frozenset[str]


@lru_cache(maxsize=65_536)
def _of_path(path: str) -> _Shown:
    index = _index()
    path = path[-LONGEST_PATH:]
    name = path.rpartition("/")[2][-255:]
    files: set[str] = set(index.names.get(name, ()))
    for dot in re.finditer(r"\.", name):
        files.update(index.endings.get(name[dot.start() :], ()))
    files.update(technology for folder, technology in index.folders if folder in f"/{path}")
    files.update(
        technology
        for beginning, end, technology in index.beginnings
        if name.startswith(beginning) and name.endswith(end)
    )
    # A workflow is named for what it builds or where it runs ("wheels_upload_s3.yml"); that is no work with it.
    parts = frozenset[str]() if place_of(path) == "ci" else _of_word(path)
    return _Shown(frozenset(files), parts)


def _of_word(text: str) -> frozenset[str]:
    """The technologies that a path, or the words of a subject, have as a part."""
    return frozenset().union(*map(_of_run, _RUN.findall(text)))


@lru_cache(maxsize=65_536)
def _of_run(run: str) -> frozenset[str]:
    """The technologies that a run of letters and digits is called by, or pieces of it."""
    parts = _index().parts
    low = run.lower()
    pieces = {low} if low in parts else {piece.lower() for piece in _PIECE.findall(run)}  # FBGemm is no GEMM
    return frozenset(technology for piece in pieces & parts.keys() for technology in parts[piece])


def _listed(text: str) -> list[str]:
    return [one.strip() for one in text.split(",") if one.strip()]


@lru_cache(maxsize=1)
def _index() -> _Index:
    return _Index(LEXICON)
