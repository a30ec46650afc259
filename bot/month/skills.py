"""What a month's work shows that was worked with: languages by lines, technologies by their manifests. Pure.

Nothing is named without commits that show it. docs/months.md says for users what counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from bot.model import Commit
from bot.month.languages import HEADER, is_by_hand, is_markup, language_of

# Files by whose names alone it is known what reads them.
_MANIFESTS = {
    "BUCK": "Buck", "BUILD.bazel": "Bazel", "CMakeLists.txt": "CMake", "Cargo.toml": "Cargo", "Chart.yaml": "Helm",
    "Dockerfile": "Docker", "Gemfile": "Bundler", "Jenkinsfile": "Jenkins", "MODULE.bazel": "Bazel",
    "Package.swift": "Swift packages", "WORKSPACE": "Bazel", "build.gradle": "Gradle", "build.gradle.kts": "Gradle",
    "compose.yaml": "Docker", "docker-compose.yml": "Docker", "flake.nix": "Nix", "go.mod": "Go modules",
    "meson.build": "Meson", "package.json": "npm", "pom.xml": "Maven", "pubspec.yaml": "Flutter",
    "pyproject.toml": "Python packaging", "setup.py": "Python packaging",
}  # fmt: skip
_C_FAMILY = {"C++": "C++", "CUDA": "C++", "HIP": "C++", "Objective-C++": "C++", "C": "C", "Objective-C": "Objective-C"}


@dataclass(frozen=True, slots=True)
class Language:
    """A language with the lines changed in its files. Where lines are not counted, `lines` is 0."""

    name: str
    lines: int


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


def skills_of(work: Sequence[Commit]) -> Skills:
    """What commits show that are each work of its own (`bot.month.facts.work_of`).

    Languages are ordered by lines, then files, then name; technologies by the number of commits that show them, then
    name. A language whose files are generated, vendored or data is not named, and prose and settings only where there
    is nothing else.
    """
    headers = _headers(work)
    lines, files = Counter[str](), Counter[str]()
    evidence: dict[str, list[str]] = defaultdict(list)
    for commit in work:
        for file in commit.files:
            if file.binary or (file.additions == 0 and file.deletions == 0) or not is_by_hand(file.path):
                continue
            if language := language_of(file.path):
                name = headers[commit.repository] if language == HEADER else language
                lines[name] += (file.additions or 0) + (file.deletions or 0)
                files[name] += 1
            manifest = _MANIFESTS.get(file.path.rpartition("/")[2])
            if manifest and file.state != "deleted" and commit.sha not in evidence[manifest]:
                evidence[manifest].append(commit.sha)
    named = [name for name in files if not is_markup(name)] or list(files)
    ranked = sorted(named, key=lambda name: (-lines[name], -files[name], name))
    shown = sorted(filter(evidence.get, evidence), key=lambda name: (-len(evidence[name]), name.casefold()))
    return Skills(
        tuple(Language(name, lines[name]) for name in ranked),
        tuple(Skill(name, tuple(evidence[name])) for name in shown),
    )


def _headers(work: Sequence[Commit]) -> dict[str, str]:
    """What a `.h` is in each repository: the language of most files beside it, or both where nothing tells."""
    beside: dict[str, Counter[str]] = defaultdict(Counter)
    for commit in work:
        found = (_C_FAMILY.get(language_of(file.path) or "") for file in commit.files)
        beside[commit.repository].update(filter(None, found))
    return {
        name: min(found, key=lambda one: (-found[one], one)) if found else "C/C++" for name, found in beside.items()
    }
