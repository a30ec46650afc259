"""What a month's changes show: languages and technologies, each with the commits that show it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from values import WEB, another_commit, changed

from bot.model import Change, Commit, FileChange
from bot.month.languages import HEADER, language_of
from bot.month.skills import Skills, skills_of


def change(*commits: Commit, kind: str = "feature", state: str = "landed") -> Change:
    return Change(commits[0].sha, commits, kind, state)  # type: ignore[arg-type]


def of(*commits: Commit) -> Skills:
    return skills_of(change(commit) for commit in commits)


def lines(skills: Skills) -> dict[str, int]:
    return {language.name: language.lines for language in skills.languages}


def technologies(subject: str, *paths: str, body: str = "") -> set[str]:
    return {skill.name for skill in of(another_commit(subject, body=body, paths=paths)).technologies}


# --- languages


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


def test_languages_stand_by_lines_with_the_commits_that_changed_them() -> None:
    rust, both = (
        another_commit(paths=[changed("a.rs", 30, 10)]),
        another_commit(paths=[changed("b.rs", 2, 1), changed("c.py", 50, 0)]),
    )
    found = of(rust, both).languages
    assert [(one.name, one.lines, one.evidence) for one in found] == [
        ("Python", 50, (both.sha,)),
        ("Rust", 43, (rust.sha, both.sha)),
    ]


def test_prose_and_settings_are_named_only_where_there_is_nothing_else() -> None:
    docs, code = another_commit(paths=["README.md", "a.yml"]), another_commit(paths=["a.py"])
    assert lines(of(docs)) == {"Markdown": 6, "YAML": 6}
    assert lines(of(docs, code)) == {"Python": 6}


def test_lines_that_are_not_counted_leave_the_number_of_files_to_decide() -> None:
    files = [FileChange("a.py", "modified"), FileChange("b.rs", "modified"), FileChange("c.rs", "modified")]
    assert lines(of(another_commit(paths=files))) == {"Rust": 0, "Python": 0}
    assert list(lines(of(another_commit(paths=files)))) == ["Rust", "Python"]


def test_a_file_that_was_only_moved_or_is_binary_shows_no_language() -> None:
    files = [FileChange("b.py", "renamed", 0, 0, "a.py"), FileChange("x.rs", "modified", binary=True)]
    assert of(another_commit(paths=files)) == Skills()


def test_a_header_is_of_the_language_beside_it() -> None:
    header = another_commit(paths=["x.h"])
    assert lines(of(header, another_commit(paths=["x.cu"]))) == {"C++": 6, "CUDA": 6}
    assert lines(of(header, another_commit(paths=["x.c"]))) == {"C": 12}
    assert lines(of(header, another_commit(paths=["x.c"], repository=WEB))) == {"C/C++": 6, "C": 6}


def test_the_same_work_in_another_repository_counts_once() -> None:
    here = another_commit("Add it", paths=[changed("lib/x/a.py", 10, 0)])
    twin = another_commit("Add it", paths=[changed("x/a.py", 10, 0), changed("x/b.rs", 7, 0)], repository=WEB)
    found = skills_of([change(here, twin)])
    assert lines(found) == {"Python": 10, "Rust": 7}
    assert found.languages[0].evidence == (here.sha,)
    copy = replace(here, repository=WEB)
    assert skills_of([change(here, copy)]) == skills_of([change(here)])


def test_work_that_landed_again_counts_once_and_a_fix_of_it_counts_too() -> None:
    first, second = another_commit(paths=[changed("a.py", 10, 0)]), another_commit(paths=[changed("a.py", 12, 0)])
    assert lines(skills_of([change(first, second, state="relanded")])) == {"Python": 12}
    assert lines(skills_of([change(first, second)])) == {"Python": 22}


def test_work_that_was_backed_out_stays_and_taking_out_work_shows_nothing() -> None:
    work = another_commit("Add groups", paths=["a.py", "Cargo.toml"])
    revert = another_commit('Revert "Add groups"', paths=["a.py", "Cargo.toml"])
    assert skills_of([change(revert, kind="revert")]) == Skills()
    out = skills_of([change(work, revert, state="backed_out")])
    assert out == skills_of([change(work)]) and [skill.name for skill in out.technologies] == ["Cargo"]


# --- technologies


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("Dockerfile", "Docker"), ("docker-compose.dev.yml", "Docker"), (".github/workflows/ci.yml", "GitHub Actions"),
        ("api/v1.proto", "Protocol Buffers"), ("if.thrift", "Thrift"), ("infra/main.tf", "Terraform"),
        ("crate/Cargo.toml", "Cargo"), ("setup.py", "Python packaging"), ("web/vite.config.mts", "Vite"),
        ("debian/control", "Debian packaging"), ("build.gradle.kts", "Gradle"),
    ],
)  # fmt: skip
def test_a_manifest_names_what_was_worked_with(path: str, name: str) -> None:
    assert name in technologies("Tidy", path)


@pytest.mark.parametrize("subject", ["Add Kafka consumer", "Support CUDA graphs", "React to events", "Spark joy"])
def test_words_and_pieces_of_paths_name_nothing(subject: str) -> None:
    assert technologies(subject, "src/rdma_manager.rs", "deploy/k8s/app.yaml", body="Reuses the Kafka client.") == set()


def test_one_file_among_many_says_nothing_of_a_commit() -> None:
    many = [f"src/m{number}.py" for number in range(30)]
    assert technologies("Tidy", ".github/workflows/ci.yml", *many) == set()
    assert technologies("Tidy", ".github/workflows/ci.yml", *many[:5]) == {"GitHub Actions"}


def test_vendored_deleted_moved_and_played_files_show_no_technology() -> None:
    for file in (
        changed("third_party/a/Dockerfile"),
        changed("Dockerfile", 0, 9, "deleted"),
        changed("Dockerfile", 0, 0, "renamed"),
        changed("tests/fixtures/Dockerfile"),
    ):
        assert of(another_commit("Tidy", paths=[file])).technologies == ()


def test_technologies_stand_by_changes_then_name() -> None:
    first, second = another_commit(paths=["Dockerfile", "go.mod"]), another_commit(paths=["Dockerfile"])
    found = of(first, second).technologies
    assert [(one.name, one.evidence) for one in found] == [
        ("Docker", (first.sha, second.sha)),
        ("Go modules", (first.sha,)),
    ]


def test_a_release_shows_no_technology() -> None:
    assert skills_of([change(another_commit(paths=["package.json"]), kind="release")]).technologies == ()


# --- bad input


def test_nothing_gives_nothing() -> None:
    assert skills_of([]) == Skills()
    assert of(another_commit("", paths=())) == Skills()


def test_no_commit_is_evidence_twice() -> None:
    commit = another_commit(paths=["a.py", "Dockerfile"])
    found = skills_of([change(commit), change(commit, replace(commit, repository=WEB))])
    for one in (*found.languages, *found.technologies):
        assert one.evidence == (commit.sha,)


@pytest.mark.parametrize("subject", ["--:" * 100_000, "a-" * 100_000, "[" * 100_000, "(" * 100_000, "Aa0" * 100_000])
def test_hostile_text_is_read_to_an_end(subject: str) -> None:
    """At once. A pattern that went back and forth in so long a text would not end within the time limit."""
    body = (subject + "\n") * 50 + "kafka " * 1_000_000
    files = [FileChange(f"{'a.' * 100}/{number}/{'generated-' * 50}.py", "modified") for number in range(3_000)]
    skills_of([change(another_commit(subject, body=body, paths=files))])
