"""Of a diff the first lines of each hunk are shown, and every commit has its share of the room."""

from __future__ import annotations

from hunks import file, patch
from hypothesis import given
from hypothesis import strategies as st

from bot.diff.patch import Patch
from bot.diff.telling import shown, telling

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
    file("lib/there.py", "+    def helper(queue):\n+        return queue.pop()", "copied", "lib/moved.py"),
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
