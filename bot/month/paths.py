"""What the path of a file says of a commit: where it belongs, whether it is of the product, its language, and whether
somebody wrote it by hand; commits → the languages and technologies that were worked with. Pure: the content is never
read.

`identify` says what a file is by its name; here stand the names that people use for it, the endings
that it does not know, and what is no work with a language: generated and vendored files, data, images.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from identify.identify import tags_from_filename

from bot.model import Commit, FileChange

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


HEADER = "header"  # .h is C or C++, which its neighbours tell

# identify's tags → the language, the first that fits; a header only by its own ending. First those called so.
_CALLED_SO = (
    "astro batch c# clojure crystal cython dart elixir elm erlang f# fortran gherkin gleam go groovy handlebars "
    "haskell idris java jinja jsonnet julia kotlin lean less liquid lua luau metal mustache nim nix nunjucks "
    "nushell pascal perl pug puppet python r ruby rust sass scala scheme shell solidity stylus svelte swift twig "
    "vala verilog vue zig dockerfile makefile meson c++ c"
)
LANGUAGES = {tag: tag.capitalize() for tag in _CALLED_SO.split()} | {
    "asm": "Assembly", "aspectj": "AspectJ", "bazel": "Starlark", "bitbake": "BitBake", "cmake": "CMake",
    "coffee": "CoffeeScript", "css": "CSS", "cuda": "CUDA", "cue": "CUE", "ejs": "EJS", "fish": "Shell",
    "gdscript": "GDScript", "hcl": "HCL", "hlsl": "HLSL", "html": "HTML", "javascript": "JavaScript",
    "jsx": "JavaScript", "literate-haskell": "Haskell", "objective-c++": "Objective-C++", "objective-c": "Objective-C",
    "ocaml": "OCaml", "php": "PHP", "powershell": "PowerShell", "purescript": "PureScript", "pyi": "Python",
    "qml": "QML", "robot": "Robot Framework", "sas": "SAS", "scss": "SCSS", "sql": "SQL",
    "system-verilog": "SystemVerilog", "terraform": "HCL", "tex": "TeX", "ts": "TypeScript", "tsx": "TypeScript",
    "vb": "Visual Basic", "vhdl": "VHDL", "vim": "Vim script", "xquery": "XQuery", "xsl": "XSLT",
}  # fmt: skip

# What is written, but is no language one would name beside Rust and Python. The lines of a notebook are
# mostly its output.
MARKUP = {
    "asciidoc": "AsciiDoc", "graphql": "GraphQL", "ini": "INI", "jupyter": "Jupyter Notebook", "markdown": "Markdown",
    "mdx": "MDX", "proto": "Protocol Buffers", "quarto": "Quarto", "rst": "reStructuredText", "thrift": "Thrift",
    "toml": "TOML", "xml": "XML", "yaml": "YAML",
}  # fmt: skip
_MARKUP_NAMES = frozenset(MARKUP.values())
_LEFT_OUT_TAGS = frozenset({"binary", "image", "svg", "json", "csv", "tsv", "diff", "pofile", "pem"})

# Endings and names that identify does not know, or takes for something else.
_ENDINGS = {
    "cl": "OpenCL", "cts": "TypeScript", "mts": "TypeScript", "frag": "GLSL", "vert": "GLSL", "glsl": "GLSL",
    "gn": "GN", "gni": "GN", "hip": "HIP", "ipynb": "Jupyter Notebook", "ll": "LLVM IR", "mak": "Makefile",
    "mlir": "MLIR", "mojo": "Mojo", "ptx": "PTX", "rmd": "R", "sky": "Starlark", "star": "Starlark", "tcc": "C++",
    "td": "TableGen", "txx": "C++", "wgsl": "WGSL", "h": HEADER, "tcl": "Tcl", "cljd": "Clojure", "mm": "Objective-C++",
    "gradle": "Gradle", "awk": "Awk",
}  # fmt: skip
_FILE_NAMES = {"BUCK": "Starlark", "TARGETS": "Starlark", "BUCK.v2": "Starlark", "PACKAGE": "Starlark",
               "Justfile": "Just", "justfile": "Just"}  # fmt: skip
# Around the language that a template is written for: "config.h.in", "service.go.tmpl".
_TEMPLATES = frozenset({"in", "tmpl", "tpl", "template", "j2", "jinja", "jinja2", "erb", "gotmpl"})

# Vendored, generated, minified or locked.
_NOT_BY_HAND = re.compile(
    r"(?:^|/)(?:third[_-]?party|3rd[_-]?party|_?vendor(?:ed)?|node_modules|bower_components|Pods|Carthage|externals?|"
    r"submodules|site-packages|Godeps|\.yarn|__generated__|generated|autogen(?:erated)?|(?:__)?snapshots(?:__)?|"
    r"__pycache__)/|^deps/|(?:^|/)dist/[^/]*\.(?:[cm]?js|css|map|d\.ts)$|_pb2(?:_grpc)?\.pyi?$|"
    r"\.pb\.(?:go|cc|h|swift|dart)$|\.(?:g|freezed)\.dart$|[_.-]generated\.\w+$|\.designer\.(?:cs|vb)$|"
    r"(?:^|/)zz_generated[^/]*$|\.gen\.(?:go|ts|rs|py)$|_gen\.go$|[.-]min\.(?:js|css|mjs)$|\.bundle\.js$|"
    r"\.(?:js|css)\.map$|(?:^|/)(?:[\w.-]+\.lock|[\w-]*-lock\.(?:json|ya?ml)|npm-shrinkwrap\.json|go\.(?:work\.)?sum|"
    r"gradle\.lockfile|Package\.resolved|\.terraform\.lock\.hcl|bun\.lockb)$",
    re.IGNORECASE,
)
_DATA = frozenset({"snap", "golden", "expected", "approved", "out", "log", "json", "jsonc", "jsonl", "json5", "ndjson",
                   "csv", "tsv", "parquet", "npy", "npz", "pt", "pkl", "bin", "dat", "lock", "sum"})  # fmt: skip


@lru_cache(maxsize=65_536)
def is_by_hand(path: str) -> bool:
    """Whether the path is of a file that people write: not vendored, generated, minified or locked."""
    return _NOT_BY_HAND.search(path[:4096]) is None


@lru_cache(maxsize=65_536)
def language_of(path: str) -> str | None:
    """The language of a file that people write, or HEADER; None for data, plain text and what is not known."""
    if not is_by_hand(path):
        return None
    name = path.rpartition("/")[2][:255]
    stem, _, ending = name.rpartition(".")
    if stem and ending.lower() in _TEMPLATES and (inner := _by_name(stem)):
        return inner
    return _by_name(name)


def is_markup(language: str) -> bool:
    """Whether it is prose, settings, an interface or a notebook, named only where a month holds nothing else."""
    return language in _MARKUP_NAMES


def _by_name(name: str) -> str | None:
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    if ending in _DATA:
        return None
    if known := _FILE_NAMES.get(name) or _ENDINGS.get(ending):
        return known
    tags = tags_from_filename(name)
    if tags & _LEFT_OUT_TAGS:
        return None
    return next((names[tag] for names in (LANGUAGES, MARKUP) for tag in names if tag in tags), None)


# --- what was worked with

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
class LanguageLines:
    """A language with the lines changed in its files. Where lines are not counted, `lines` is 0."""

    name: str
    lines: int


@dataclass(frozen=True, slots=True)
class Technology:
    """A technology, and the commits that show it."""

    name: str
    evidence: tuple[str, ...]


def technologies_of(work: Sequence[Commit]) -> tuple[Technology, ...]:
    """The technologies whose manifests commits touched, each work of its own, by the number of these, then name."""
    evidence: dict[str, dict[str, None]] = defaultdict(dict)
    for commit, file in _worked_on(work):
        manifest = _MANIFESTS.get(file.path.rpartition("/")[2])
        if manifest and file.state != "deleted" and is_by_hand(file.path):
            evidence[manifest][commit.sha] = None
    ranked = sorted(evidence, key=lambda name: (-len(evidence[name]), name.casefold()))
    return tuple(Technology(name, tuple(evidence[name])) for name in ranked)


def languages_of(work: Sequence[Commit]) -> tuple[LanguageLines, ...]:
    """The languages of commits that are each work of its own (bot/month/facts.py), by lines, then files, then
    name. What is generated, vendored or data is not named, and prose and settings only where there is nothing else.
    """
    headers = _headers(work)
    lines, files = Counter[str](), Counter[str]()
    for commit, file in _worked_on(work):
        if language := language_of(file.path):
            name = headers[commit.repository] if language == HEADER else language
            lines[name] += (file.additions or 0) + (file.deletions or 0)
            files[name] += 1
    named = [name for name in files if not is_markup(name)] or list(files)
    return tuple(
        LanguageLines(name, lines[name]) for name in sorted(named, key=lambda one: (-lines[one], -files[one], one))
    )


def _worked_on(work: Sequence[Commit]) -> Iterator[tuple[Commit, FileChange]]:
    """The files of commits whose lines were changed: none that was only moved, or is binary."""
    for commit in work:
        for file in commit.files:
            if not (file.binary or (file.additions == 0 and file.deletions == 0)):
                yield commit, file


def _headers(work: Sequence[Commit]) -> dict[str, str]:
    """What a `.h` is in each repository: the language of most files beside it, or both where nothing tells."""
    beside: dict[str, Counter[str]] = defaultdict(Counter)
    for commit in work:
        found = (_C_FAMILY.get(language_of(file.path) or "") for file in commit.files)
        beside[commit.repository].update(filter(None, found))
    return {
        name: min(found, key=lambda one: (-found[one], one)) if found else "C/C++" for name, found in beside.items()
    }
