"""What a diff tells for certain: the tests that it ignores."""

from __future__ import annotations

import pytest
from hunks import file, patch

from bot.diff.facts import number_ignored

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
