"""Which commits, repositories, teams and releases a text names. What is found is taken in it. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process

from bot.ask.known import Known
from bot.ask.reading.vocabulary import FILLER, month_number, words_of
from bot.ask.reading.words import Text
from bot.month.releases import LATEST, NEWEST
from bot.story.wording import clean

_HEX = re.compile(r"[0-9a-f]{7,40}", re.IGNORECASE)
_REF = re.compile(r"(?:[\w.-]+/)?(?:[\w.-]+)?#\d+|D\d{5,}", re.IGNORECASE)
_MERGE = re.compile(r"(?P<where>[\w.-]+/[\w.-]+)?!(?P<number>\d+)")
_NUMBERED = frozenset(["pr", "mr", "pull", "request", "pull-request", "issue", "diff", "merge-request"])
_VERSION = re.compile(r"v\d+(?:\.\d+)*(?:[-.]?(?:rc|beta|alpha)\.?\d*)?", re.IGNORECASE)
_NUMBERS = re.compile(r"\d+(?:\.\d+)+")
_RELEASES = ("release", "version", "tag")
_SINCE, _TO = ("since", "after"), ("to", "until", "-", "–")
# What stands between two releases that are the ends of one time, by what leads to the first.
_RANGE = {"from": _TO, "between": ("and", *_TO), "compare": ("and", "with", "to", "vs", "versus")}
_BEFORE = ("in", "of", *_SINCE, *_RANGE, *_RELEASES)
_ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+\w")
_LEADS = words_of(
    """
    in only for of on from to at into inside repo repository and just within im en with without except excluding
    minus dans em against about exclude not
    """
)
_NO_TEAM = "the our my your this that whole entire full a an which what whose each every any other another same"
_TEAM = re.compile(rf"\b(?!(?:{'|'.join(_NO_TEAM.split())}) )[\w-]+(?= team\b)|(?<=(?:did|for|rom) team )[\w-]+")
_FOLLOWS = frozenset(["repo", "repository", "project", "only", "repos", "repositories"])
_SLASHED = re.compile(r"(?=[\d/.-]*[^\W\d])[\w.-]+/[\w.-]+")
_EVERYWHERE = re.compile(
    r"\b(?:in |across |on |for )?(?:all|any|every) (?:of )?(?:the |our |my )?(?:repos?|repositor(?:y|ies)|projects?)\b|"
    r"\beverywhere\b"
)


@dataclass(slots=True)
class Places:
    """`repositories` with the word each stands at; `several` are those that a last part may be of, by that part;
    `strangers` look like repositories and are not indexed."""

    references: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    repositories: list[tuple[int, str]] = field(default_factory=list)
    everywhere: bool = False
    several: dict[str, list[str]] = field(default_factory=dict)
    strangers: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    team: str | None = None
    unknown_team: str = ""  # that nobody is in
    release: str | None = None


def take_references(text: Text, known: Known, places: Places) -> None:
    """Commits and numbers, as "#12", "acme/engine#12", "abc1234"; and addresses."""
    for number, word in enumerate(text.words):
        if word.taken:
            continue
        raw, before = word.raw, text.word(number - 1)
        found = ""
        if merge := _MERGE.fullmatch(raw):
            found = f"{merge['where'] or ''}#{merge['number']}"
        elif _REF.fullmatch(raw):
            found = raw
        elif raw.isdigit() and len(raw) <= 7 and before in _NUMBERED:
            found = f"#{raw}"
            text.words[number - 1].taken, text.words[number - 1].opens = "REF", False
        elif _HEX.fullmatch(raw) and _is_sha(raw, before) and not known.directory.exactly(raw):
            found = raw
        elif _ADDRESS.fullmatch(raw) and not word.is_handle:
            places.addresses.append(raw)
            text.take(number, number + 1, "ADDR")
        if found:
            places.references.append(found)
            text.take(number, number + 1, "REF")


def _is_sha(raw: str, before: str) -> bool:
    has_digit, has_letter = any(map(str.isdigit, raw)), any(map(str.isalpha, raw))
    if has_digit and has_letter:
        return True
    is_led = before in ("explain", "commit", "sha", "why", "is", "revert", "describe", "about")
    return len(raw) == 40 or is_led or (has_letter and len(raw) == 8 and raw.islower())


def take_places(text: Text, known: Known, places: Places, *, paths: bool) -> None:
    """Releases, teams and repositories. With `paths`, "src/parser.py" may be a path, and stays."""
    if match := _EVERYWHERE.search(text.low):
        places.everywhere = True
        text.take(*text.between(*match.span()), "EVERYWHERE")
    _take_releases(text, known, places)
    _take_teams(text, known, places)
    full = {name.casefold(): name for name in known.repositories}
    last: dict[str, list[str]] = {}
    for name in known.repositories:
        last.setdefault(name.rsplit("/", 1)[-1].casefold(), []).append(name)
    owners = {name.partition("/")[0] for name in full}
    for number, word in enumerate(text.words):
        before, after, low = text.word(number - 1), text.word(number + 1), word.low
        led = before in _LEADS or (before == "the" and text.word(number - 2) in _LEADS)
        names = [full[low]] if low in full else []
        if not names and (led or after in _FOLLOWS or after in ("TAG", "team")):
            names = last.get(low, [])
        is_owned = low.partition("/")[0] in owners
        is_strange = not names and _SLASHED.fullmatch(low) and (is_owned or (led and not paths))
        if word.taken or not (names or is_strange):
            continue
        if is_strange and (near := process.extractOne(low, list(full), scorer=fuzz.ratio, score_cutoff=80)):
            names = [full[near[0]]]
            places.assumed.append(f"reading “{clean(word.raw)[:60]}” as {names[0]}")
        elif is_strange:
            places.strangers.append(word.raw)
        if len(names) > 1:
            places.several[low] = names
        elif names and after == "team":
            places.assumed.append(f"reading “the {clean(word.raw)[:60]} team” as {names[0]}")
        places.repositories.append((number, names[0] if len(names) == 1 else ""))
        text.take(number, number + 1, "REPO")
    for match in _TEAM.finditer(text.low):
        for number in range(*text.between(*match.span())):
            word = text.words[number]
            if not (word.taken or word.is_owner or word.low in FILLER or month_number(word.low)):
                places.unknown_team = word.raw


def _take_releases(text: Text, known: Known, places: Places) -> None:
    tags = {tag.casefold(): tag for some in known.tags.values() for tag in some}
    for number, word in enumerate(text.words):
        before, end = text.word(number - 1), number + 1
        joins = _RANGE.get(before, _TO)
        if word.taken or places.release or not (found := _version(text, number, tags, _BEFORE)):
            continue
        until = _version(text, number + 2, tags, joins) if text.word(end) in joins else None
        if until:
            end = number + 3
        elif before in _RANGE and _NUMBERS.fullmatch(word.low) and word.low not in tags:
            continue  # "from 1.0" alone may be anything
        places.release = f"{found}..{until or ''}" if until or before in _SINCE else found
        text.take(number, end, "TAG")
    latest = re.search(r"\b(?:the )?(?:last|latest|previous|most recent|newest) (?:release|version|tag)\b", text.low)
    if latest and not places.release:
        first, end = text.between(*latest.span())
        since = re.search(r"\b(?:since|after)\s*$", text.low[: latest.start()])
        places.release = LATEST if since else NEWEST
        text.take(first, end, "TAG")


def _version(text: Text, number: int, tags: Mapping[str, str], leads: Sequence[str]) -> str | None:
    """The release that a word names. A number without its "v" is one behind some words, where such a tag is."""
    if number >= len(text.words):
        return None
    word, before = text.words[number], text.word(number - 1)
    if found := tags.get(word.low):
        return found
    if _VERSION.fullmatch(word.low) and before not in ("worked", "the"):
        return word.raw
    if before not in leads or not _NUMBERS.fullmatch(word.low):
        return None
    named = [tags[tag] for tag in tags if tag.endswith(word.low) and tag[-len(word.low) - 1 :][:1] in "v-_/"]
    begun = before in _RELEASES or any(f"{tag}.".startswith((f"{word.low}.", f"v{word.low}.")) for tag in tags)
    return named[0] if len(named) == 1 else word.raw if named or begun else None


def _take_teams(text: Text, known: Known, places: Places) -> None:
    for team in known.teams:
        said = re.escape(team.casefold())
        does = r"(?!)" if team.casefold() in FILLER else rf"(?<=did )(?:the )?{said}(?= (?:do|ship|work|make|get)\b)"
        match = re.search(
            rf"(?<![\w/-])(?:the )?(?:{said} team|team {said})(?![\w/-])|{does}|"
            rf"(?:(?<=for )|(?<=of )|(?<=by )|(?<=from ))(?:the )?{said}(?![\w/-]| team)",
            text.low,
        )
        first, end = text.between(*match.span()) if match else (0, 0)
        if first < end and text.is_free(first, end) and not places.team:
            places.team = team
            text.take(first, end, "TEAM")
