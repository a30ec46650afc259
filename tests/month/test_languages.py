"""What a month's work shows: languages by lines, technologies by their manifests."""

from __future__ import annotations

import pytest
from values import another_commit, changed

from bot.model import Commit, FileChange
from bot.month.paths import HEADER, language_of, languages_of, technologies_of


def lines(*commits: Commit) -> dict[str, int]:
    return {language.name: language.lines for language in languages_of(commits)}


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("src/lib.rs", "Rust"), ("a/b.cpp", "C++"), ("k.cuh", "CUDA"), ("web/app.tsx", "TypeScript"),
        ("web/app.mts", "TypeScript"), ("stubs/x.pyi", "Python"), ("BUCK", "Starlark"), ("x/TARGETS", "Starlark"),
        ("BUILD.gn", "GN"), ("CMakeLists.txt", "CMake"), ("Dockerfile.cuda", "Dockerfile"), ("config.h.in", HEADER),
        ("service.go.tmpl", "Go"), ("kernel_template.cu", "CUDA"), ("README.md", "Markdown"),
        ("n.ipynb", "Jupyter Notebook"),
    ],
)  # fmt: skip
def test_a_file_is_of_the_language_that_people_call_it(path: str, language: str) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize(
    "path",
    [
        "third_party/x.cc", "vendor/a/b.go", "web/node_modules/a/index.js", "external/cutlass/a.h", "api_pb2.py",
        "api.pb.go", "a_generated.h", "app.min.js", "Cargo.lock", "package-lock.json", "pnpm-lock.yaml", "go.sum",
        "data.json", "rows.csv", "view.snap", "out.golden", "t/__snapshots__/a.js", "logo.svg", "settings.jsonc",
        "notes.txt", "LICENSE", "", "/", ".", "no ending",
    ],
)  # fmt: skip
def test_what_nobody_wrote_and_what_is_no_language_is_none(path: str) -> None:
    assert language_of(path) is None


def test_languages_stand_by_lines() -> None:
    rust = another_commit(paths=[changed("a.rs", 30, 10)])
    both = another_commit(paths=[changed("b.rs", 2, 1), changed("c.py", 50, 0)])
    assert list(lines(rust, both).items()) == [("Python", 50), ("Rust", 43)]


def test_prose_and_settings_are_named_only_where_there_is_nothing_else() -> None:
    docs, code = another_commit(paths=["README.md", "a.yml"]), another_commit(paths=["a.py"])
    assert lines(docs) == {"Markdown": 6, "YAML": 6}
    assert lines(docs, code) == {"Python": 6}


def test_a_technology_is_named_by_a_manifest_that_only_it_has() -> None:
    first = another_commit(paths=["a/Cargo.toml", "b/Cargo.toml", "Dockerfile"])
    second = another_commit(paths=["Cargo.toml", "vendor/go.mod", "notes/Cargo.md"])
    gone = another_commit(paths=[FileChange("pom.xml", "deleted", 0, 9)])
    moved = another_commit(paths=[FileChange("b/pom.xml", "renamed", 0, 0, "a/pom.xml")])
    found = [(one.name, one.evidence) for one in technologies_of([first, second, gone, moved])]
    assert found == [("Cargo", (first.sha, second.sha)), ("Docker", (first.sha,))]
