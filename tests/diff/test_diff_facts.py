"""What a diff tells for certain: ignored and removed tests, and changed lines."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hunks import file, patch

from bot.diff.facts import DiffFacts, facts_of, has_fewer_tests
from bot.diff.patch import FilePatch, Patch, file_place

PY, RS, TS, GO, CC, JAVA = (
    "tests/test_a.py",
    "src/a.rs",
    "src/a.test.ts",
    "a_test.go",
    "test/a_test.cpp",
    "src/test/A.java",
)
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
    "a test that is renamed and ignored": (
        PY,
        "-def test_reading_far():\n+@pytest.mark.skip('x')\n+def test_reading_far_check():",
        1,
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
    "GoogleTest": (CC, "-TEST_F(Queue, Pops) {\n+TEST_F(Queue, DISABLED_Pops) {", 1),
    "JUnit": (JAVA, "+    @Disabled\n@@\n+    @DisabledOnOs(WINDOWS)", 1),
}


@pytest.mark.parametrize("case", IGNORED)
def test_ignored_are_tests_that_are_there_and_did_run(case: str) -> None:
    path, text, count = IGNORED[case]
    assert facts_of(patch(file(path, text))).tests_ignored == count


def test_a_mark_that_moves_with_its_test_is_none() -> None:
    text = "@pytest.mark.skip('x')\n{0}def test_a():\n{0}    assert reads()"
    there = file("tests/test_b.py", "+" + text.format("+"))
    assert facts_of(patch(file(PY, "-" + text.format("-")), there)).tests_ignored == 0


BODY = "\n".join(f"{{0}}    assert reading(queue, {number}) == written(queue)" for number in range(4))
REMOVED = {
    "Python": ([file(PY, "-def test_a():\n-    pass\n@@\n-    async def test_b(self):")], 2, 0),
    "helpers and what is no test": ([file(PY, "-def helper():\n-    def testing_of = 1\n-class TestA:")], 0, 0),
    "the product": ([file("lib/a.py", "-def test_connection():\n-    pass")], 0, 0),
    "moved to another file": (
        [file(PY, "-def test_a():\n-    assert 1"), file("tests/test_b.py", "+def test_a():\n+    assert 2")],
        0,
        0,
    ),
    "renamed, the body is not touched": ([file(PY, "-def test_a(x):\n+def test_the_queue_is_empty(x):")], 0, 0),
    "renamed and moved, with its body": (
        [
            file(PY, "-def test_a():\n" + BODY.format("-")),
            file("tests/test_b.py", "+def test_queues():\n" + BODY.format("+")),
        ],
        0,
        0,
    ),
    "rewritten under a name that is nearly the same": (
        [
            file(
                PY,
                "-def test_queue_pops():\n-    assert popped(3)\n@@\n+def test_the_queue_pops():\n+    check(size)",
            )
        ],
        0,
        0,
    ),
    "one went, another came": (
        [file(PY, "-def test_pops_in_order():\n-    assert popped\n@@\n+def test_big():\n+    assert size")],
        0,
        1,
    ),
    "Rust by its attribute": (
        [file(RS, "@@ mod tests {\n-    #[tokio::test]\n-    async fn reads() {\n-    }\n-    fn helper() {}")],
        1,
        0,
    ),
    "Rust, a new module": (
        [file(RS, "+#[cfg(test)]\n+mod tests {\n+    #[test]\n+    fn a() {}\n+}\n+fn test_b() {}")],
        0,
        1,
    ),
    "GoogleTest on two lines": ([file(CC, "-TEST_F(\n-    Queue,\n-    Pops) {\n-}\n+TEST_F(Queue, Pops) {")], 0, 0),
    "Go": ([file(GO, "-func TestA(t *testing.T) {\n-}\n-func BenchmarkA(b *testing.B) {")], 1, 0),
    "TypeScript": ([file(TS, "-  it('adds two', async () => {\n-  });\n-  items('a', b);")], 1, 0),
    "JUnit": ([file(JAVA, "-    @Test\n-    public void adds() {\n-    }\n-    void helper() {")], 1, 0),
    "several became one with parameters": (
        [file(PY, "-def test_a():\n-    f(1)\n-def test_b():\n-    f(2)\n@@\n+@pytest.mark.parametrize('x', [1, 2])")],
        0,
        0,
    ),
}


@pytest.mark.parametrize("case", REMOVED)
def test_removed_are_tests_that_are_nowhere_any_more(case: str) -> None:
    files, removed, added = REMOVED[case]
    facts = facts_of(patch(*files))
    assert (facts.tests_removed, facts.tests_added) == (removed, added)


FEWER = DiffFacts(tests_removed=27, tests_added=0, test_lines_removed=1100, product_lines=900, product_removed=425)


@pytest.mark.parametrize(
    ("facts", "subject", "says"),
    [
        (FEWER, "[3/n] Flatten import path (#2125)", True),
        (FEWER, "Remove duplicated tests", False),
        (FEWER, 'Revert "Add a queue"', False),
        (FEWER, "Deprecate v1 of the config", False),
        (replace(FEWER, tests_removed=4), "Flatten import path", False),
        (replace(FEWER, tests_added=9), "Flatten import path", False),
        (replace(FEWER, tests_added=8), "Flatten import path", True),
        (replace(FEWER, product_lines=1500, product_removed=700), "Flatten import path", False),
        (replace(FEWER, product_lines=800), "Flatten import path", False),  # more of the product went than came
    ],
)
def test_fewer_tests_are_worth_a_line_where_nobody_expects_them(facts: DiffFacts, subject: str, says: bool) -> None:
    assert has_fewer_tests(facts, subject) is says


def test_lines_are_those_of_the_product_that_were_not_only_moved() -> None:
    facts = facts_of(
        patch(
            file("lib/a.py", "-def read(queue):\n-    return queue.pop()\n-\n-old = 1\n+new = 2"),
            file("lib/b.py", "+    def read(queue):\n+        return queue.pop()\n+"),
            file("tests/test_a.py", "+assert 1"),
            file("README.md", "+words"),
            file("src/a.rs", "@@ mod tests {\n+    assert!(true);\n@@ fn main() {\n+    run();"),
        )
    )
    assert (facts.product_lines, facts.product_removed) == (3, 1)


def test_a_diff_too_long_to_be_held_says_how_long_it_is_and_nothing_else() -> None:
    files = [
        FilePatch("lib/a.py", "lib/a.py", "added", "product", [], 90_000),
        FilePatch("a.json", "a.json", "added", file_place("a.json"), [], 9),
    ]
    assert facts_of(Patch("a" * 40, files, is_whole=False)) == DiffFacts(product_lines=90_000, in_part=True)


def test_facts_are_the_same_after_they_were_kept() -> None:
    facts = facts_of(patch(file("lib/a.cpp", "+run(MAX_MR);"), file(PY, "-def test_a():\n+@pytest.mark.skip\n")))
    said = facts.as_json()
    assert DiffFacts.from_json(said) == facts
    assert not any("MAX_MR" in str(value) for value in said.values())
