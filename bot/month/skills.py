"""What a month's changes show that was worked with: languages by lines, technologies by their manifests. Pure.

Nothing is named without commits that show it. docs/months.md says for users what counts.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from bot.model import Change, Commit, FileChange
from bot.month.kinds import decided
from bot.month.languages import HEADER, is_by_hand, is_markup, language_of

_ONE_IN = 10  # of a commit's files must be a technology's: one workflow among thirty files is no work on CI
# Files that only one technology has: by their names, or below a folder.
_MANIFESTS = {
    "Angular": "angular.json", "Ansible": "ansible.cfg", "Astro": "astro.config.*", "Azure Pipelines":
    "azure-pipelines.yml", "Bazel": "BUILD.bazel MODULE.bazel WORKSPACE.bazel .bazelrc", "Buck": "BUCK .buckconfig",
    "Bundler": "Gemfile", "Cargo": "Cargo.toml", "CircleCI": ".circleci/", "Cypress": "cypress.config.*", "dbt":
    "dbt_project.yml", "Debian packaging": "debian/", "Django": "manage.py", "Docker":
    "Dockerfile Dockerfile.* *.dockerfile docker-compose* compose.yaml compose.yml Containerfile docker-bake.hcl",
    "FlatBuffers": "*.fbs", "Flutter": "pubspec.yaml", "GitHub Actions": ".github/workflows/ .github/actions/",
    "GitLab CI": ".gitlab-ci.yml", "Go modules": "go.mod go.work", "Gradle": "build.gradle* settings.gradle*",
    "GraphQL": "*.graphql *.gql", "Helm": "Chart.yaml", "Jenkins": "Jenkinsfile", "Jest": "jest.config.*", "Kubernetes":
    "kustomization.yaml kustomization.yml", "Maven": "pom.xml", "Meson": "meson.build", "MkDocs": "mkdocs.yml",
    "Next.js": "next.config.*", "Nix": "*.nix flake.lock", "npm": "package.json", "OpenAPI":
    "openapi.yaml openapi.yml openapi.json", "Playwright": "playwright.config.*", "pnpm": "pnpm-workspace.yaml",
    "Poetry": "poetry.lock poetry.toml", "pre-commit": ".pre-commit-config.yaml", "Protocol Buffers":
    "*.proto buf.yaml buf.gen.yaml", "pytest": "conftest.py pytest.ini", "Python packaging":
    "pyproject.toml setup.py setup.cfg MANIFEST.in", "SQLAlchemy": "alembic.ini", "Svelte": "svelte.config.*",
    "Swift packages": "Package.swift", "systemd": "*.service", "Tailwind CSS": "tailwind.config.*", "Terraform": "*.tf",
    "Thrift": "*.thrift", "tox": "tox.ini", "uv": "uv.lock uv.toml", "Vite": "vite.config.*", "Vitest":
    "vitest.config.*", "Vue": "*.vue", "webpack": "webpack.config.*", "Xcode": "*.pbxproj",
}  # fmt: skip
_FILES = [(pattern, name) for name, patterns in _MANIFESTS.items() for pattern in patterns.split()]
_NAMED = dict(_FILES)
_FOLDERS = [one for one in _FILES if one[0].endswith("/")]
_PATTERNS = [one for one in _FILES if "*" in one[0]]
_FIXTURES = re.compile(r"(?:^|/)(?:__fixtures__|fixtures?|testdata|test_data)/", re.IGNORECASE)
_C_FAMILY = {"C++": "C++", "CUDA": "C++", "HIP": "C++", "Objective-C++": "C++", "C": "C", "Objective-C": "Objective-C"}


@dataclass(frozen=True, slots=True)
class Language:
    """A language with the lines changed in its files. Where lines are not counted, `lines` is 0."""

    name: str
    lines: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Skill:
    """A technology, and the commits that show it."""

    name: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Skills:
    """What was worked with, most used first, then by name."""

    languages: tuple[Language, ...] = ()
    technologies: tuple[Skill, ...] = ()


NO_SKILLS = Skills()


def skills_of(changes: Iterable[Change]) -> Skills:
    """What the changes show, each most used first.

    A change that only reverts work (kind "revert") shows nothing. A commit counts once, however many
    repositories hold it, and so does work that other commits of its change repeat: twins in another
    repository, and what was landed again. Work that was backed out was still work with its tools.

    Languages are ordered by lines, then files, then name; technologies by the number of changes that show them, then
    name. Evidence is in the order of the changes. A language whose files are none of the month's own writing
    (generated, vendored, data) is not named, and prose and settings only where there is nothing else.
    """
    work = _work(changes)
    return Skills(_languages(work), _technologies(work))


class _Path(NamedTuple):
    """What a path alone says of work on its file."""

    language: str | None
    end: str  # its last folder and name, by which a file is known where another repository has it elsewhere
    technologies: tuple[str, ...]


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
        return _Path(None, "", ())
    name = path.rpartition("/")[2]
    is_own = not (("xture" in path.lower() or "data/" in path.lower()) and _FIXTURES.search(path))
    shown = [_NAMED[name]] if name in _NAMED else []
    shown += [technology for one, technology in _FOLDERS if f"/{one}" in f"/{path}"]
    shown += [technology for one, technology in _PATTERNS if fnmatchcase(name, one)]
    end = path[path.rfind("/", 0, max(path.rfind("/"), 0)) + 1 :]
    return _Path(language_of(path), end, tuple(dict.fromkeys(shown)) if is_own else ())


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


def _technologies(work: _Work) -> tuple[Skill, ...]:
    """By the number of changes that show them, then name. A version that is written into package.json is no work with
    npm."""
    evidence: dict[str, list[list[str]]] = defaultdict(list)
    for change, commits in work:
        if change.kind != "release":
            for name, shas in _shown(change, ((one, _named_by(touched)) for one, touched in commits)).items():
                evidence[name].append(shas)
    ranked = sorted(evidence, key=lambda name: (-len(evidence[name]), name.casefold()))
    return tuple(Skill(name, tuple(sha for shas in evidence[name] for sha in shas)) for name in ranked)


def _named_by(touched: _Touched) -> list[str]:
    """The technologies whose files are enough of those that a commit did not delete."""
    left = [path for file, path in touched if file.state != "deleted"]
    times = Counter(name for path in left for name in path.technologies)
    return [name for name, count in times.items() if count * _ONE_IN >= len(left)]
