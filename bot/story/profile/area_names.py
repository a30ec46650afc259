"""The words by which areas are found: one to three in a row, of subjects and of paths. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from bot.model import Commit
from bot.month.languages import is_by_hand
from bot.month.titles import numbers_of, tags_of
from bot.story.grouping.theme_words import GENERIC_TAGS, stem, words_of
from bot.story.profile.area_words import CONTAINERS
from bot.story.wording import clean
from bot.story.words.verbs import verb_of

MOST_WORDS = 3  # of a name
READ = 400  # characters of a subject
PATHS = 40  # of a change
FOLDERS = 3  # of a path, the last ones
LONGEST_NAME = 40
LONGEST_PIECE = 120  # of a path; a longer one is no name that anybody says

_TOKEN = re.compile(r"[^\W_][\w.+-]*|_\w+")
_PART = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+[0-9]*(?![a-z])|[A-Z]?[a-z]+[0-9]*|[0-9]+|[\u00c0-\uffff]+")
_SHORT = re.compile(r"v?\d+|[a-z]?\w")
_SCOPE = re.compile(r"^[a-z]+\(([\w ./,-]{2,40})\)!?:\s")
_LABEL = re.compile(r"^([\w./+-]{2,40}): ")
_TAG = re.compile(r"\[([^\]]{1,60})\]")
Words = tuple[str, ...]  # stems
Spoken = list[tuple[Words, str]]  # with how they stand there


def stems(text: str) -> Iterator[str]:
    """The stems of the words that identifiers are made of."""
    for part in _PART.findall(text):
        yield from words_of(part)


def of_subject(subject: str) -> Iterator[tuple[Spoken, bool]]:
    """The words of each part of a subject, and whether the part is a tag, a scope or a component before it."""
    text = numbers_of(clean(subject[:READ]))[0]
    tags, rest = tags_of(text)
    labels = _TAG.findall(tags)
    if scope := _SCOPE.match(rest):
        labels += scope[1].split(",")
        rest = rest[scope.end() :]
    elif label := _LABEL.match(rest):
        labels.append(label[1])
        rest = rest[label.end() :]
    for name in labels:
        if " ".join(name.lower().split()) not in GENERIC_TAGS:
            yield _keys(name), True
    first, _, after = rest.partition(" ")
    if after and first.isalpha() and first[1:].islower():  # a verb in most cases, and else a name it has elsewhere too
        if verb_of(first.lower()):
            rest = after
        else:
            yield [(words, "" if form == first else form) for words, form in _keys(rest)], False
            return
    yield _keys(rest), False


@lru_cache(maxsize=20_000)
def _part_key(part: str) -> str:
    """The stem of a word, or nothing for one that says nothing."""
    if len(part) < 2 or part.isdigit():
        return ""
    return next(iter(words_of(part)), "")


def _keys(text: str) -> Spoken:
    """One to three words in a row, of identifiers too, with how they stand in the text: empty for a piece of one."""
    spots: list[tuple[str, int, int, int]] = []  # stem, begin, end, and the token it is in
    tokens = [(token.start(), token.start() + len(token[0].rstrip(".-"))) for token in _TOKEN.finditer(text)]
    for at, (begin, end) in enumerate(tokens):
        for part in _PART.finditer(text, begin, end):
            spots.append((_part_key(part[0]), part.start(), part.end(), at))
    found = []
    for first in range(len(spots)):
        words: list[str] = []
        for last in range(first, min(first + MOST_WORDS, len(spots))):
            word, begin, end, token = spots[last]
            if not word or word in words:
                break
            if last > first and token != spots[last - 1][3] and text[spots[last - 1][2] : begin] not in (" ", "/"):
                break
            words.append(word)
            is_whole = spots[first][1] == tokens[spots[first][3]][0] and end == tokens[token][1]
            form = text[spots[first][1] : end]
            if not _SHORT.fullmatch(form):
                found.append((tuple(words), form if is_whole and len(form) <= LONGEST_NAME else ""))
    return found


@dataclass(frozen=True, slots=True)
class Place:
    """Words of a path: how the file or folder is called that they name whole, if any, and a folder right in it."""

    name: str
    inside: str = ""


def of_paths(commits: Sequence[Commit], own: Set[str]) -> Iterator[tuple[Words, str, set[str]]]:
    """What at least a third of a change's files are called, or lie in: the words, the name of a file or folder that
    they are the whole of, and the folders that lie right in it."""
    paths = list(dict.fromkeys(file.path for commit in commits for file in commit.files[:PATHS]))[:PATHS]
    paths = [path for path in paths if is_by_hand(path)]
    found: dict[Words, list[Place]] = {}
    for path in paths:
        for words, place in _of_path(path).items():
            found.setdefault(words, []).append(place)
    for words, places in found.items():
        if len(places) * 3 >= len(paths) and own.isdisjoint(words):
            name = next((place.name for place in places if place.name), "")
            yield words, name, {place.inside for place in places if place.inside}


@lru_cache(maxsize=50_000)
def _of_path(path: str) -> Mapping[Words, Place]:
    *folders, name = path.split("/")
    inside = [*folders[1:], ""][: len(folders)]
    pieces = [pair for pair in zip(folders, inside, strict=True) if pair[0].lower() not in CONTAINERS][-FOLDERS:]
    if (plain := stem(name)) and plain.lower() not in CONTAINERS:
        pieces.append((plain, ""))
    seen: dict[Words, Place] = {}
    for piece, within in pieces:
        if len(piece) > LONGEST_PIECE:
            continue
        for words, form in _keys(piece):
            if words not in seen or not seen[words].name:
                ending = form or next((end for end in _endings(piece) if _keys(end)[:1] == [(words, end)]), "")
                seen[words] = Place(ending, within if ending else "")
    return seen


def _endings(piece: str) -> Iterator[str]:
    """What a name ends with after what it shares with its neighbours: "telemetry" of "acme_telemetry"."""
    for sign in "_-":
        if sign in piece:
            yield piece.split(sign, 1)[1]
