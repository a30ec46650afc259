"""Of a diff the lines that say most are shown, in its order, and every commit has its share of the room."""

from __future__ import annotations

from hunks import file, patch
from hypothesis import given
from hypothesis import strategies as st

from bot.diff.patch import Patch
from bot.diff.telling import shown, telling

RDMA = patch(
    file(
        "lib/rdma.py",
        '''
+import os
+# Copyright (c) somebody
+MAX_SIZE = 64 << 30
+
+class Action:
+    """Queues reads and writes."""
+    def read_into(self, source: Buffer, target: Memory) -> Self:
+        size = target.size
+        if isinstance(target, list):
+            raise NotImplementedError(
+                "List destinations not yet supported"
+            )
+        parts = []
+        )
@@ def setup():
-    use_fast = os.environ.get("FAST", "0")
+    use_fast = os.environ.get("FAST", "1")
''',
    ),
    file("lib/moved.py", "-def helper(queue):\n-    return queue.pop()"),
    file("lib/there.py", "+    def helper(queue):\n+        return queue.pop()", "copied", "lib/moved.py"),
    file("tests/test_rdma.py", "+@pytest.mark.skip('alone')\n-def test_pairs():\n-    assert pair(1, 2)"),
    file("settings.toml", "-limit = 30\n+limit = 32"),
)
ALL = """\
lib/rdma.py
+ MAX_SIZE = 64 << 30
+ class Action:
+ \"\"\"Queues reads and writes.\"\"\"
+ def read_into(self, source: Buffer, target: Memory) -> Self:
+ size = target.size
+ if isinstance(target, list):
+ raise NotImplementedError( "List destinations not yet supported" )
+ "List destinations not yet supported"
+ parts = []
- use_fast = os.environ.get("FAST", "0")
+ use_fast = os.environ.get("FAST", "1")
tests/test_rdma.py
- def test_pairs():
+ @pytest.mark.skip('alone')
settings.toml
- limit = 30
+ limit = 32"""


def test_where_there_is_none_lines_that_say_nothing_are_left_out() -> None:
    assert shown({1: telling(RDMA)}, len(ALL) + 1) == {1: ALL}


def test_a_commit_of_which_nothing_is_to_be_shown_has_no_text() -> None:
    moved = patch(file("lib/a.py", "-x = read()"), file("lib/b.py", "+x = read()"))
    assert shown({1: telling(moved), 2: telling(Patch("a" * 40, is_whole=False))}, 1000) == {}


@given(st.integers(0, 2000), st.integers(1, 5))
def test_never_more_than_was_asked_for(most: int, commits: int) -> None:
    texts = shown({number: telling(RDMA) for number in range(commits)}, most)
    assert sum(map(len, texts.values())) <= most
