"""What the path of a file says of a commit: where it belongs, and whether it is of the product. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from bot.model import Commit, FileChange
from bot.month.languages import is_by_hand

Place = Literal["ci", "version", "note", "docs", "test", "build", "settings", "source"]

MAX_PATH = 300  # of a path's end: nothing is known by what stands before that
_ASIDE = re.compile(
    r"(?:^|/)(?:examples?|benchmarks?|bench|fixtures?|playgrounds?|testdata|tutorials?|samples?|locales?|translations?|catalogs|i18n|"
    r"l10n|po|data|assets|licenses?|headers|include)/|\.(?:po|pot|xlf|catkeys|ftl|arb|strings)$",
    re.IGNORECASE,
)
_UPKEEP = re.compile(
    r"(?:\.github|\.vscode|\.idea|ci|tools|scripts(?:-dev)?|xtask|hack|playgrounds?|benchmarks?|bench|build(?:[-_]tools)?)/|(?:.*/)?\.[^/]*$"
    r"|.*\.(?:patch|bat|ps1)$",
    re.IGNORECASE,
)
_PLACES: tuple[tuple[Place, re.Pattern[str]], ...] = (
    ("ci", re.compile(
        r"^(?:\.github|ci|continuous[_-]integration)/(?!.*\.md$)|"
        r"(?:^|/)(?:\.circleci/|\.gitlab-ci|\.travis|\.ci/|\.buildkite/|Jenkinsfile|azure-pipelines|appveyor|\.pre-commit-config|\.?codecov\.ya?ml)")),
    ("version", re.compile(
        r"^(?:(?:src|python|lib|packages?)/)?(?:[^/]+/)?(?:_?version\.(?:txt|py)|VERSION(?:\.txt)?|__version__\.py)$",
        re.IGNORECASE)),
    ("note", re.compile(
        r"(?:^|/)(?:changelog\.d|changelog[/_]unreleased\w*|newsfragments?|\.changeset)/",
        re.IGNORECASE)),
    ("docs", re.compile(
        r"^(?:(?!src/)[^/]*/)*?(?:docs?(?:_src)?|website|www)/|(?:^|/)(?-i:README|CHANGELOG|CHANGES|CONTRIBUTING|LICENSE|AUTHORS|"
        r"CITATION|CODE_OF_CONDUCT|CODEOWNERS|MAINTAINERS|SECURITY)[^/]*$|(?:^|/)(?:readme|changelog|changes|licen[cs]e|authors)(?:\.txt)?$|"
        r"(?:^|/)(?:NOTICE|Doxyfile|(?:mkdocs|\.?readthedocs)\.ya?ml)$|"
        r"^(?!(?:.*/)?(?:tests?|__tests__|testdata|fixtures)/).*\.(?:md|rst|adoc|mdx|qmd)$", re.IGNORECASE)),
    ("test", re.compile(
        r"(?:^|/)(?:(?:[a-z0-9]+_)?(?:unit)?tests?|test[ _-]cases|testing|testdata|test_data|__tests__|"
        r"__snapshots__|specs?|testutils?|fixtures|e2e|regress|"
        r"fuzz(?:ing|ers?|_targets)?)/|^t/|"
        r"(?:^|(?<!scripts)/)(?:test_[^/]*|conftest\.py|tests?\.\w+)$|[._-](?:tests?|spec)\.\w+$|"
        r"[a-z0-9]Tests?\.\w+$|\.snap$|\.golden$")),
    ("build", re.compile(
        r"(?:^|/)(?:setup\.(?:py|cfg)|pyproject\.toml|Cargo\.(?:toml|lock)|CMakeLists\.txt|Makefile(?:\.am|\.in)?|GNUmakefile|configure(?:\.ac|\.in)?|"
        r"meson\.build|BUILD(?:\.bazel)?|TARGETS|BUCK|WORKSPACE|Dockerfile[^/]*|[^/]+\.dockerfile|"
        r"package(?:-lock)?\.json|go\.(?:mod|sum)|pnpm-(?:lock|workspace)\.yaml|(?=[\w.-]*requirements)[\w.-]+\.txt|"
        r"build\.rs|MANIFEST\.in|tox\.ini|package\.xml|[Jj]ustfile|Taskfile\.ya?ml|Gemfile|Rakefile|"
        r"\.goreleaser[\w-]*\.ya?ml|\.gitmodules|rust-toolchain(?:\.toml)?|"
        r"[^/]+\.(?:cmake|bzl|bazel|gradle|lock|nix))$|(?:^|/)requirements/|"
        r"(?:^|/)(?:third[_-]party|3rdparty|external|vendor|submodules)/[\w.-]+$")),
    ("settings", re.compile(
        r"(?:^|/)\.(?:vscode|idea)/|(?:^|/)[._][\w-]*ignore$|(?:^|/)\.[\w-]+(?:rc\.\w+)?$|\.config\.[cm]?[jt]s$|"
        r"\.(?:ya?ml|toml|json[5c]?|cfg|ini|conf|xml|properties|tsv|csv|png|jpe?g|gif|ico|svg|env)$")),
)  # fmt: skip


@lru_cache(maxsize=65_536)
def place_of(path: str) -> Place:
    """Where a file belongs, by its path; source unless it is known to be something else. A note is a fragment of the
    changelog, and says nothing of what a change is."""
    path = path[-MAX_PATH:]
    return next((place for place, names in _PLACES if names.search(path)), "source")


def places_of(commit: Commit) -> frozenset[Place]:
    """Where the files of a commit belong, notes only where there are no others: those are documents."""
    found = {place_of(file.path) for file in commit.files}
    return frozenset(found - {"note"} or {"docs"} if "note" in found else found)


@lru_cache(maxsize=65_536)
def is_of_product(path: str) -> bool:
    """Whether a file says which part of the product a change is of: it is written by hand, and no test, page, example,
    translation, setting or build file."""
    return place_of(path) == "source" and is_by_hand(path) and not _ASIDE.search(path)


@lru_cache(maxsize=65_536)
def is_upkeep(path: str) -> bool:
    """Whether a file is one that a project is kept with: a tool, a script, a setting of an editor or a forge."""
    return _UPKEEP.match(path[:MAX_PATH]) is not None


def product_files(commit: Commit) -> list[FileChange]:
    return [file for file in commit.files if is_of_product(file.path)]


def work_files(commit: Commit) -> list[FileChange]:
    """The product's files without those that the project is kept with."""
    return [file for file in product_files(commit) if not is_upkeep(file.path)]


def lines_of(files: Iterable[FileChange]) -> int:
    """How many lines of files a change added and deleted; none of those that are not counted."""
    return sum((file.additions or 0) + (file.deletions or 0) for file in files)
