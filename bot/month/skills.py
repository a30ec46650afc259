"""What a month's changes show that was worked with: languages, technologies, practices. Pure.

Nothing is named without commits that show it. docs/skills.md says for users what counts.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from bot.model import Change, Commit, FileChange, Kind
from bot.month.kind_words import Place, place_of
from bot.month.kinds import decided
from bot.month.languages import HEADER, is_by_hand, is_markup, language_of
from bot.month.technologies import Sign, technologies_in

# How many of a commit's files must show a technology, one in so many: one workflow among thirty files is no
# work on CI, and a piece of a path ("cuda_ping_pong.rs") says less than a file that only one tool has.
_ONE_IN: dict[Sign, int] = {"file": 10, "part": 3}

_FIXTURES = re.compile(r"(?:^|/)(?:__fixtures__|fixtures?|testdata|test_data)/", re.IGNORECASE)
_PORT = re.compile(r"[-_.](?:js|ts|go|py|python|java|rs|rust|cpp|net|ruby|php)$", re.IGNORECASE)
_C_FAMILY = {"C++": "C++", "CUDA": "C++", "HIP": "C++", "Objective-C++": "C++", "C": "C", "Objective-C": "Objective-C"}
_BENCHMARKS = re.compile(r"(?:^|/|_)bench(?:es|marks?)?(?:/|_|\.)|benchmarks?\.\w+$", re.IGNORECASE)
_NEWS = re.compile(r"(?:^|/)(?:CHANGE(?:LOG|S)|NEWS|HISTORY|RELEASES?)[^/]*$", re.IGNORECASE)
_OF_KIND: dict[Kind, str] = {
    "test": "testing", "ci": "CI", "docs": "documentation", "performance": "performance", "refactor": "refactoring",
    "release": "releases",
}  # fmt: skip
_OF_PLACE: dict[Place, str] = {"test": "testing", "ci": "CI", "docs": "documentation"}


@dataclass(frozen=True, slots=True)
class Language:
    """A language with the lines changed in its files. Where lines are not counted, `lines` is 0."""

    name: str
    lines: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Skill:
    """A technology or a practice, and the commits that show it."""

    name: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Skills:
    """What was worked with, most used first, then by name."""

    languages: tuple[Language, ...] = ()
    technologies: tuple[Skill, ...] = ()
    practices: tuple[Skill, ...] = ()


NO_SKILLS = Skills()


def skills_of(changes: Iterable[Change]) -> Skills:
    """What the changes show, each most used first.

    A change that only reverts work (kind "revert") shows nothing. A commit counts once, however many
    repositories hold it, and so does work that other commits of its change repeat: twins in another
    repository, and what was landed again. Work that was backed out was still work with its tools.

    Languages are ordered by lines, then files, then name; technologies and practices by the number of changes
    that show them, then name. Evidence is in the order of the changes. A language whose files are none of
    the month's own writing (generated, vendored, data) is not named, and prose and settings only where
    there is nothing else.
    """
    work = _work(changes)
    return Skills(_languages(work), _skills(work, _technologies), _skills(work, _practices))


class _Path(NamedTuple):
    """What a path alone says of work on its file."""

    language: str | None
    end: str  # its last folder and name, by which a file is known where another repository has it elsewhere
    is_own: bool  # by hand, and not to play with
    practices: tuple[str, ...]


_Touched = Sequence[tuple[FileChange, _Path]]


class _Piece(NamedTuple):
    """A change with those of its commits that show something, those of its own repository first, each with the files
    that it did more to than move them."""

    change: Change
    commits: list[tuple[Commit, _Touched]]


_Work = list[_Piece]


def _work(changes: Iterable[Change]) -> _Work:
    work: _Work = []
    seen: set[str] = set()
    for change in changes:
        if change.kind == "revert":
            continue
        home = change.lead.repository
        commits: list[tuple[Commit, _Touched]] = []
        for commit in sorted(change.commits, key=lambda commit: commit.repository != home):
            if commit.sha in seen or (commit is not change.lead and decided(commit).kind == "revert"):
                continue
            seen.add(commit.sha)
            touched = [(one, _path(one.path)) for one in commit.files if one.additions != 0 or one.deletions != 0]
            commits.append((commit, touched))
        if commits:
            work.append(_Piece(change, commits))
    return work


def _shown(change: Change, names_of: Iterable[tuple[Commit, Iterable[str]]]) -> dict[str, list[str]]:
    """What a change shows → the SHAs that do. A twin elsewhere adds only what its own repository does not show."""
    shown: dict[str, list[str]] = {}
    for commit, names in names_of:
        for name in names:
            if name not in shown or commit.repository == change.lead.repository:
                shown.setdefault(name, []).append(commit.sha)
    return shown


@lru_cache(maxsize=65_536)
def _path(path: str) -> _Path:
    if not is_by_hand(path):
        return _Path(None, "", is_own=False, practices=())
    low = path.lower()
    practice = _OF_PLACE.get(place_of(path))
    if practice == "documentation" and _NEWS.search(path):
        practice = None  # a changelog tells of work that is shown elsewhere
    measures = "bench" in low and _BENCHMARKS.search(path)
    return _Path(
        language_of(path),
        path[path.rfind("/", 0, max(path.rfind("/"), 0)) + 1 :],
        not (("xture" in low or "data/" in low) and _FIXTURES.search(path)),
        tuple(name for name in (practice, "benchmarking" if measures else None) if name),
    )


def _languages(work: _Work) -> tuple[Language, ...]:
    headers = _headers(work)
    lines, files = Counter[str](), Counter[str]()
    evidence: dict[str, list[str]] = {}
    for change, commits in work:
        written = [(commit, _written(commit.repository, touched, headers)) for commit, touched in commits]
        counted = [(commit, Counter([language for language, _, _ in sizes])) for commit, sizes in written]
        for (language, _), size in _together(change, written).items():
            lines[language] += size
        for language, shas in _shown(change, counted).items():
            files[language] += max(count[language] for commit, count in counted if commit.sha in shas)
            evidence.setdefault(language, []).extend(shas)
    named = [name for name in evidence if not is_markup(name)] or list(evidence)
    ranked = sorted(named, key=lambda name: (-lines[name], -files[name], name))
    return tuple(Language(name, lines[name], tuple(evidence[name])) for name in ranked)


_Written = list[tuple[str, str, int]]  # of each file the language, the end of the path and the lines


def _written(repository: str, touched: _Touched, headers: Mapping[str, str]) -> _Written:
    """What a commit changed of files that have a language."""
    return [
        (
            headers[repository] if path.language == HEADER else path.language,
            path.end,
            (file.additions or 0) + (file.deletions or 0),
        )
        for file, path in touched
        if path.language is not None and not file.binary
    ]


_Lines = Counter[tuple[str, str]]  # by language and end of the path


def _together(change: Change, written: Iterable[tuple[Commit, _Written]]) -> _Lines:
    """The lines of a change, those that its commits repeat once: of each file, the most that any of them changed."""
    repeats = change.state in ("backed_out", "relanded")
    by_repository: dict[str, _Lines] = defaultdict(Counter)
    for commit, sizes in written:
        so_far = by_repository[commit.repository]
        lines = _Lines() if repeats else so_far
        for language, end, size in sizes:
            lines[language, end] += size
        if repeats:
            so_far |= lines
    return reduce(or_, by_repository.values())


def _headers(work: _Work) -> dict[str, str]:
    """What a `.h` is in each repository: the language of most files beside it, or both where nothing tells."""
    beside: dict[str, Counter[str]] = defaultdict(Counter)
    for commit in (commit for piece in work for commit, _ in piece.commits):
        families = beside[commit.repository]
        for file in commit.files:
            if family := _C_FAMILY.get(_path(file.path).language or ""):
                families[family] += 1
    return {
        name: min(families, key=lambda one: (-families[one], one)) if families else "C/C++"
        for name, families in beside.items()
    }


def _skills(work: _Work, names_of: Callable[[Change, Commit, _Touched], Iterable[str]]) -> tuple[Skill, ...]:
    """What the commits show, by the number of changes that show it, then name."""
    evidence: dict[str, list[list[str]]] = defaultdict(list)
    for change, commits in work:
        found = ((one, dict.fromkeys(names_of(change, one, touched))) for one, touched in commits)
        for name, shas in _shown(change, found).items():
            evidence[name].append(shas)
    ranked = sorted(evidence, key=lambda name: (-len(evidence[name]), name.casefold()))
    return tuple(Skill(name, tuple(sha for shas in evidence[name] for sha in shas)) for name in ranked)


def _technologies(change: Change, commit: Commit, touched: _Touched) -> Iterator[str]:
    """The technologies that a commit names by its files and its subject. Its own repository is none."""
    if change.kind == "release":  # a version that is written into package.json is no work with npm
        return
    # The paths that say what was worked with: of no file taken away, generated, vendored or played with.
    signs = [file.path for file, path in touched if path.is_own and file.state != "deleted"]
    own = _own_name(commit.repository)
    for sign, name, times in technologies_in(commit.subject, signs):
        if times * _ONE_IN.get(sign, len(signs)) >= len(signs) and _plain(name) != own:
            yield name


@lru_cache(maxsize=4_096)
def _own_name(repository: str) -> str:
    return _plain(_PORT.sub("", repository.rpartition("/")[2]))


@lru_cache(maxsize=4_096)
def _plain(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())


def _practices(change: Change, _: Commit, touched: _Touched) -> Iterator[str]:
    if name := _OF_KIND.get(change.kind):
        yield name
    for file, path in touched:
        if file.state != "deleted":
            yield from path.practices
