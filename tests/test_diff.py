"""What git prints of commits is read as it stands, in blocks of any size, whatever a file holds or is called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import diff
from bot.diff import FilePatch, Hunk, Patch, file_place, number_ignored, patches_of, shown, telling

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
                "lib/one.py", "modified",
                [
                    Hunk("class One:", ["-- a/lib/other.py"], ["++ b/lib/other.py", "@@ -1 +1 @@"]),
                    Hunk("def last():", ["diff --git a/x b/x", "\x01" + C]),
                ],
            ),
            FilePatch("new.rs", "renamed", [Hunk("", ["a"], ["b"])]),
            FilePatch('a ä\t"b".py', "added", [Hunk("", [], ["x = 1"])]),
            FilePatch("with space.py", "deleted", [Hunk("", ["x = 1"])]),
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
    monkeypatch.setattr(diff, "MOST_HELD", 30)
    (first, second) = patches_of([PRINTED])
    assert not first.is_whole
    assert [(file.path, file.hunks) for file in first.files] == [(file.path, []) for file in READ[0].files]
    assert second == READ[1]


def test_lines_of_files_that_tell_nothing_take_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock file of megabytes leaves the lines of the sources beside it."""
    monkeypatch.setattr(diff, "MOST_HELD", 300)
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


# Of a diff the first lines of each hunk are shown, and every commit has its share of the room.


def file(path: str, text: str, state: str = "modified") -> FilePatch:
    """A file's part of a diff: its lines with a + or a - before them, and @@ where a hunk begins, which is within what
    stands behind it."""
    made = FilePatch(path, state)
    for line in text.strip("\n").splitlines():
        if line.startswith("@@") or not made.hunks:
            made.hunks.append(Hunk(line[2:].strip() if line.startswith("@@") else ""))
        if not line.startswith("@@"):
            (made.hunks[-1].added if line[:1] == "+" else made.hunks[-1].removed).append(line[1:])
    return made


def patch(*files: FilePatch) -> Patch:
    return Patch("a" * 40, list(files))


RDMA = patch(
    file(
        "lib/rdma.py",
        """
+MAX_SIZE = 64 << 30
+
+class Action:
@@ def setup():
-    use_fast = os.environ.get("FAST", "0")
+    use_fast = os.environ.get("FAST", "1")
""",
    ),
    file("lib/moved.py", "-def helper(queue):\n-    return queue.pop()"),
    file("lib/there.py", "+    def helper(queue):\n+        return queue.pop()", "copied"),
    file("settings.toml", "-limit = 30\n+limit = 32"),
)
ALL = """\
lib/rdma.py
+ MAX_SIZE = 64 << 30
+
+ class Action:
@@ def setup():
-     use_fast = os.environ.get("FAST", "0")
+     use_fast = os.environ.get("FAST", "1")
settings.toml
- limit = 30
+ limit = 32"""
FIRST = """\
lib/rdma.py
+ MAX_SIZE = 64 << 30
+
@@ def setup():
-     use_fast = os.environ.get("FAST", "0")
settings.toml
- limit = 30
+ limit = 32"""


def test_a_diff_is_shown_whole_where_there_is_room_but_for_what_only_moved() -> None:
    assert shown({1: telling(RDMA)}, len(ALL) + 2) == {1: ALL.replace("+\n", "+ \n")}


def test_where_there_is_none_each_hunk_is_shown_with_its_first_lines() -> None:
    assert shown({1: telling(RDMA)}, len(ALL) - 1) == {1: FIRST.replace("+\n", "+ \n")}


def test_a_commit_of_which_nothing_is_to_be_shown_has_no_text() -> None:
    moved = patch(file("lib/a.py", "-x = read()"), file("lib/b.py", "+x = read()"))
    assert shown({1: telling(moved), 2: telling(Patch("a" * 40, is_whole=False))}, 1000) == {}


@given(st.integers(0, 2000), st.integers(1, 5))
def test_never_more_than_was_asked_for(most: int, commits: int) -> None:
    texts = shown({number: telling(RDMA) for number in range(commits)}, most)
    assert sum(map(len, texts.values())) <= most


# What a diff tells for certain: the tests that it ignores.


PY, RS, TS, GO = "tests/test_a.py", "src/a.rs", "src/a.test.ts", "a_test.go"
IGNORED = {
    "a mark on a test that is there": (PY, "+@pytest.mark.skip(reason='flaky')", 1),
    "the other one": (PY, '+    @unittest.skip("broken")\n@@\n+    @unittest.skip(\n+        "broken"\n+    )', 2),
    "without a reason": (PY, "+@pytest.mark.skip", 1),
    "of a whole file": (PY, "+pytestmark = pytest.mark.skip(reason='slow')", 1),
    "a condition": (PY, "+@pytest.mark.skipif(not torch.cuda.is_available(), reason='')", 0),
    "another condition": (PY, "+@unittest.skipIf(*gpu_unavailable)\n+@skipUnless(x)", 0),
    "of one parameter": (PY, "+    pytest.param(1, marks=pytest.mark.skip),", 0),
    "a condition that became none": (PY, '-@pytest.mark.skipif(v1, reason="x")\n+@pytest.mark.skip("x")', 1),
    "one that was there with another reason": (PY, "-@pytest.mark.skip('a')\n+@pytest.mark.skip('b')", 0),
    "one that was taken off": (PY, "-@pytest.mark.skip('a')", 0),
    "a new test that is ignored from the start": (PY, "+@pytest.mark.skip('soon')\n+def test_new():\n+    pass", 0),
    "a new class of tests": (PY, "+@unittest.skip('soon')\n+class TestNew(unittest.TestCase):", 0),
    "a test that is renamed and ignored, which may be a new one": (
        PY,
        "-def test_reading_far():\n+@pytest.mark.skip('x')\n+def test_reading_far_check():",
        0,
    ),
    "one that went with its mark": (
        PY,
        "-@pytest.mark.skip('a')\n-def test_a():\n-    pass\n@@\n+@pytest.mark.skip('b')",
        1,
    ),
    "a test before one that is ignored, shown from its second line on": (
        PY,
        "+def test_new():\n+    assert work()\n+\n+@pytest.mark.skip('b')",
        0,
    ),
    "a statement of a method": (PY, "+        self.skipTest('not now')", 1),
    "a statement under a condition": (PY, "+        if x:\n+            self.skipTest('not now')", 0),
    "the same words in the product": ("lib/a.py", "+@pytest.mark.skip('a')", 0),
    "Rust": (RS, '@@ mod tests {\n+    #[ignore = "alone"]\n@@ mod tests {\n+    #[ignore]', 2),
    "Rust, in a help text": (RS, "@@ mod tests {\n+    #[ignore]    Skip this test in normal runs.", 0),
    "Rust, a condition": (RS, "@@ mod tests {\n+    #[cfg_attr(miri, ignore)]", 0),
    "TypeScript": (TS, "-  it('adds', () => {\n+  it.skip('adds', () => {\n@@\n-test('a', f)\n+xtest('a', f)", 2),
    "TypeScript, a condition": (TS, "+  test.skip(isWindows, 'not there')", 0),
    "Go": (GO, '@@ func TestA(t *testing.T) {\n+\tt.Skip("flaky")', 1),
    "Go, a condition": (GO, '@@ func TestA(t *testing.T) {\n+\t\tt.Skip("flaky")', 0),
}


@pytest.mark.parametrize("case", IGNORED)
def test_ignored_are_tests_that_are_there_and_did_run(case: str) -> None:
    path, text, count = IGNORED[case]
    assert number_ignored(patch(file(path, text))) == count


def test_a_mark_that_moves_with_its_test_is_none() -> None:
    text = "@pytest.mark.skip('x')\n{0}def test_a():\n{0}    assert reads()"
    there = file("tests/test_b.py", "+" + text.format("+"))
    assert number_ignored(patch(file(PY, "-" + text.format("-")), there)) == 0
