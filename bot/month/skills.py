"""What a month's changes show that was worked with: languages, technologies, practices. Pure.

Nothing is named without commits that show it. docs/skills.md says for users what counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache

from bot.model import Change, Commit, FileChange, Kind, Language, Skill, Skills
from bot.month.kind_words import Place, place_of
from bot.month.kinds import kind_of
from bot.month.languages import HEADER, is_by_hand, is_markup, language_of
from bot.month.mentions import Sign, named_in

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


def skills_of(changes: Iterable[Change]) -> Skills:
    """What the changes show, each most used first.

    A change that only takes out work (kind "revert") shows nothing. A commit counts once, however many
    repositories hold it, and so does work that other commits of its change repeat: twins in another
    repository, and what was landed again. Work that was backed out was still work with its tools.

    Languages are ordered by lines, then files, then name; technologies and practices by the number of changes
    that show them, then name. Evidence is in the order of the changes. A language whose files are none of
    the month's own writing (generated, vendored, data) is not named, and prose and settings only where
    there is nothing else.
    """
    work = _work(changes)
    return Skills(_languages(work), _technologies(work), _practices(work))


# A change with those of its commits that show something, those of its own repository first.
_Work = list[tuple[Change, list[Commit]]]


def _work(changes: Iterable[Change]) -> _Work:
    work: _Work = []
    seen: set[str] = set()
    for change in changes:
        if change.kind == "revert":
            continue
        home = change.lead.repository
        commits = []
        for commit in sorted(change.commits, key=lambda commit: commit.repository != home):
            if commit.sha in seen or (commit is not change.lead and kind_of(commit) == "revert"):
                continue
            seen.add(commit.sha)
            commits.append(commit)
        if commits:
            work.append((change, commits))
    return work


def _shown(change: Change, by_sha: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """What a change shows → the SHAs that do. A twin elsewhere adds only what its own repository does not show."""
    if len(by_sha) == 1:
        return {name: [sha] for sha, names in by_sha.items() for name in names}
    shown: dict[str, list[str]] = {}
    home = {commit.sha for commit in change.commits if commit.repository == change.lead.repository}
    for sha, names in by_sha.items():
        for name in names:
            if sha in home or name not in shown:
                shown.setdefault(name, []).append(sha)
    return shown


def _languages(work: _Work) -> tuple[Language, ...]:
    headers = _Headers(work)
    lines, files = Counter[str](), Counter[str]()
    evidence: dict[str, list[str]] = {}
    for change, commits in work:
        written = {commit.sha: _written(commit, headers) for commit in commits}
        if len(commits) == 1:  # as nearly all
            sha, (sizes, files_of) = written.popitem()
            for key, size in sizes.items():
                lines[key[0]] += size
            for name, number in files_of.items():
                files[name] += number
                evidence.setdefault(name, []).append(sha)
            continue
        for key, size in _together(change, commits, written).items():
            lines[key[0]] += size
        shown = _shown(change, {sha: tuple(files_of) for sha, (_, files_of) in written.items()})
        for name, shas in shown.items():
            files[name] += max(written[sha][1][name] for sha in shas)
            evidence.setdefault(name, []).extend(shas)
    named = [name for name in evidence if not is_markup(name)] or list(evidence)
    ranked = sorted(named, key=lambda name: (-lines[name], -files[name], name))
    return tuple(Language(name, lines[name], tuple(evidence[name])) for name in ranked)


_Lines = Counter[tuple[str, str]]  # by language and end of the path
_Written = dict[str, tuple[dict[tuple[str, str], int], dict[str, int]]]  # lines and files, by SHA


def _written(commit: Commit, headers: _Headers) -> tuple[dict[tuple[str, str], int], dict[str, int]]:
    """The lines that a commit changed, and how many files of each language. A file that was only moved is none."""
    lines: dict[tuple[str, str], int] = {}
    files: dict[str, int] = {}
    for file in commit.files:
        language = None if file.binary else language_of(file.path)
        if language is None or _only_moved(file):
            continue
        language = headers.of(commit.repository) if language == HEADER else language
        key = language, _end_of(file.path)
        lines[key] = lines.get(key, 0) + (file.additions or 0) + (file.deletions or 0)
        files[language] = files.get(language, 0) + 1
    return lines, files


def _together(change: Change, commits: list[Commit], written: _Written) -> _Lines:
    """The lines of a change, those that its commits repeat once: of each file, the most that any of them changed."""
    repeats = change.state in ("backed_out", "relanded")
    by_repository: dict[str, _Lines] = {}
    for commit in commits:
        lines = _Lines(written[commit.sha][0])
        so_far = by_repository.setdefault(commit.repository, _Lines())
        if repeats:
            so_far |= lines
        else:
            so_far.update(lines)
    together = _Lines()
    for lines in by_repository.values():
        together |= lines
    return together


def _end_of(path: str) -> str:
    """Its last folder and name, by which a file is known where another repository has it elsewhere."""
    return path[path.rfind("/", 0, max(path.rfind("/"), 0)) + 1 :]


def _only_moved(file: FileChange) -> bool:
    return file.additions == 0 and file.deletions == 0


class _Headers:
    """What a `.h` is in each repository: the language of most files beside it, or both where nothing tells."""

    def __init__(self, work: _Work) -> None:
        self._work = work

    def of(self, repository: str) -> str:
        return self._every[repository]

    @cached_property
    def _every(self) -> dict[str, str]:
        beside: dict[str, Counter[str]] = {}
        for _, commits in self._work:
            for commit in commits:
                found = (language_of(file.path) for file in commit.files)
                families = beside.setdefault(commit.repository, Counter())
                families.update(_C_FAMILY[name] for name in found if name in _C_FAMILY)
        return {
            name: min(families, key=lambda one: (-families[one], one)) if families else "C/C++"
            for name, families in beside.items()
        }


def _technologies(work: _Work) -> tuple[Skill, ...]:
    """By files and subjects; a body adds to the evidence of what these show, and is else no more than a mention."""
    evidence, shown_well = dict[str, list[list[str]]](), set[str]()
    for change, commits in work:
        if change.kind == "release":  # a version that is written into package.json is no work with npm
            continue
        found = {commit.sha: _named(commit) for commit in commits}
        for name, shas in _shown(change, found).items():
            evidence.setdefault(name, []).append(shas)
            if any(found[sha][name] for sha in shas):
                shown_well.add(name)
    return _ranked({name: shown for name, shown in evidence.items() if name in shown_well})


def _named(commit: Commit) -> dict[str, bool]:
    """The technologies that a commit names, and whether by more than its body. Its own repository is none."""
    paths = [file.path for file in commit.files if _is_sign(file)]
    own = _own_name(commit.repository)
    named: dict[str, bool] = {}
    for sign, name, times in named_in(commit.subject, commit.body, paths):
        if times * _ONE_IN.get(sign, len(paths)) >= len(paths) and _plain(name) != own:
            named[name] = named.get(name, False) or sign != "body"
    return named


@lru_cache(maxsize=4_096)
def _own_name(repository: str) -> str:
    return _plain(_PORT.sub("", repository.rpartition("/")[2]))


@lru_cache(maxsize=4_096)
def _plain(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())


def _is_sign(file: FileChange) -> bool:
    """Whether a file says what was worked with: not one taken away, moved, generated, vendored or played with."""
    return file.state != "deleted" and not _only_moved(file) and _is_own(file.path)


@lru_cache(maxsize=65_536)
def _is_own(path: str) -> bool:
    low = path.lower()
    return is_by_hand(path) and not (("xture" in low or "data/" in low) and _FIXTURES.search(path))


def _practices(work: _Work) -> tuple[Skill, ...]:
    evidence: dict[str, list[list[str]]] = {}
    for change, commits in work:
        practised = {commit.sha: tuple(dict.fromkeys(_practised(change, commit))) for commit in commits}
        for name, shas in _shown(change, practised).items():
            evidence.setdefault(name, []).append(shas)
    return _ranked(evidence)


def _practised(change: Change, commit: Commit) -> Iterator[str]:
    if name := _OF_KIND.get(change.kind):
        yield name
    for file in commit.files:
        if (found := _practised_in(file.path)) and file.state != "deleted" and not _only_moved(file):
            yield from found


@lru_cache(maxsize=65_536)
def _practised_in(path: str) -> tuple[str, ...]:
    if not is_by_hand(path):
        return ()
    practice = _OF_PLACE.get(place_of(path))
    if practice == "documentation" and _NEWS.search(path):
        practice = None  # a changelog tells of work that is shown elsewhere
    measures = "bench" in path.lower() and _BENCHMARKS.search(path)
    return tuple(name for name in (practice, "benchmarking" if measures else None) if name)


def _ranked(evidence: dict[str, list[list[str]]]) -> tuple[Skill, ...]:
    """By the number of changes that show it, then name."""
    ranked = sorted(evidence, key=lambda name: (-len(evidence[name]), name.casefold()))
    return tuple(Skill(name, tuple(sha for shas in evidence[name] for sha in shas)) for name in ranked)
