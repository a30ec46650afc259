"""What git prints of commits is read as it stands, in blocks of any size, whatever a file holds or is called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.diff import patch as patches
from bot.diff.patch import FilePatch, Hunk, Patch, file_place, patches_of

A, B, C = "a" * 40, "b" * 40, "c" * 40
PRINTED = (
    b"\x01" + A.encode() + b"\n\n"
    b"diff --git a/lib/one.py b/lib/one.py\nindex 111..222 100644\n--- a/lib/one.py\n+++ b/lib/one.py\n"
    b"@@ -3 +3,2 @@ class One:\n--- a/lib/other.py\n+++ b/lib/other.py\n+@@ -1 +1 @@\n"
    b"@@ -9,2 +10,0 @@ def last():\n-diff --git a/x b/x\n-\x01" + C.encode() + b"\n\\ No newline at end of file\n"
    b"diff --git a/old.rs b/new.rs\nsimilarity index 90%\nrename from old.rs\nrename to new.rs\nindex 1..2 100644\n"
    b"--- a/old.rs\n+++ b/new.rs\n@@ -1 +1 @@\n-a\r\n+b\r\n"
    b"diff --git a/moved.py b/there.py\nsimilarity index 100%\nrename from moved.py\nrename to there.py\n"
    b"diff --git a/image.png b/image.png\nnew file mode 100644\nindex 0..1\n"
    b"Binary files /dev/null and b/image.png differ\n"
    b'diff --git "a/a \\303\\244\\t\\"b\\".py" "b/a \\303\\244\\t\\"b\\".py"\nnew file mode 100644\nindex 0..1\n'
    b'--- /dev/null\n+++ "b/a \\303\\244\\t\\"b\\".py"\n@@ -0,0 +1 @@\n+x = 1\n'
    b"diff --git a/with space.py b/with space.py\ndeleted file mode 100644\nindex 1..0\n"
    b"--- a/with space.py\t\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n"
    b"diff --git a/package-lock.json b/package-lock.json\nindex 1..0 100644\n"
    b"--- a/package-lock.json\n+++ b/package-lock.json\n@@ -1,0 +2,2 @@\n+{\n+}\n"
    b"\x01" + B.encode() + b"\n"
)
READ = [
    Patch(
        A,
        [
            FilePatch(
                "lib/one.py", "lib/one.py", "modified", "product",
                [
                    Hunk("class One:", ["-- a/lib/other.py"], ["++ b/lib/other.py", "@@ -1 +1 @@"]),
                    Hunk("def last():", ["diff --git a/x b/x", "\x01" + C]),
                ],
            ),
            FilePatch("new.rs", "old.rs", "renamed", "product", [Hunk("", ["a"], ["b"])]),
            FilePatch('a ä\t"b".py', 'a ä\t"b".py', "added", "product", [Hunk("", [], ["x = 1"])]),
            FilePatch("with space.py", "with space.py", "deleted", "product", [Hunk("", ["x = 1"])]),
        ],
    ),
    Patch(B),
]  # fmt: skip


@given(st.binary())
def test_whatever_git_might_print_is_no_trouble(printed: bytes) -> None:
    assert isinstance([*patches_of([printed])], list)


def test_a_diff_that_ends_inside_a_hunk_is_left_out() -> None:
    printed = PRINTED[: PRINTED.index(b"\\ No newline")].replace(b"-9,2", b"-9,3")
    assert [*patches_of([printed])] == []


def test_of_a_diff_too_long_to_be_held_no_line_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patches, "MOST_HELD", 30)
    (first, second) = patches_of([PRINTED])
    assert not first.is_whole
    assert [(file.path, file.hunks) for file in first.files] == [(file.path, []) for file in READ[0].files]
    assert second == READ[1]


def test_lines_of_files_that_tell_nothing_take_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock file of megabytes leaves the lines of the sources beside it."""
    monkeypatch.setattr(patches, "MOST_HELD", 300)
    name = b"package-lock.json"
    lock = b"diff --git a/%b b/%b\n--- a/%b\n+++ b/%b\n@@ -0,0 +1 @@\n+" % ((name,) * 4) + b"x" * 400 + b"\n"
    begin = PRINTED.index(b"diff --git")
    assert [*patches_of([PRINTED[:begin] + lock + PRINTED[begin:]])] == READ


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("monarch_rdma/src/device_selection.rs", "product"),
        ("include/fbgemm/Utils.h", "product"),
        ("rdmaxcel-sys/build.rs", "product"),
        ("CMakeLists.txt", "product"),
        ("monarch_rdma/src/rdma_manager_actor_tests.rs", "test"),
        ("python/tests/test_rdma.py", "test"),
        ("python/monarch/_rust_bindings/rdma.pyi", None),
        ("docs/source/conf.py", None),
        ("tutorials/intro.ipynb", None),
        ("README.md", None),
        ("Cargo.toml", "settings"),
        (".github/workflows/ci.yml", "settings"),
        ("Cargo.lock", None),
        ("third_party/lib/a.cc", None),
        ("api/service_pb2.py", None),
        ("weights/table.csv", "settings"),
        ("model.pt", None),
    ],
)
def test_lines_count_as_what_the_path_of_their_file_says(path: str, place: str | None) -> None:
    assert file_place(path) == place
