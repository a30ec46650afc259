"""What a diff tells for certain: ignored and removed tests, what only raises, changed lines, and what was rewritten."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hunks import file, patch

from bot.diff.facts import DiffFacts, facts_of, has_fewer_tests, has_unfinished_parts, rewritten
from bot.diff.patch import FilePatch, Patch
from bot.diff.places import file_place

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


FEWER = DiffFacts(tests_removed=27, tests_added=0, test_lines_removed=1100, product_removed=425)


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
        (replace(FEWER, product_removed=700), "Flatten import path", False),
    ],
)
def test_fewer_tests_are_worth_a_line_where_nobody_expects_them(facts: DiffFacts, subject: str, says: bool) -> None:
    assert has_fewer_tests(facts, subject) is says


RAISING = {
    "Python": (
        "lib/a.py",
        '+    raise NotImplementedError("Not yet supported")\n+raise NotImplementedError(f"op {op}")',
        2,
    ),
    "its reason in the next line": ("lib/a.py", '+    raise NotImplementedError(\n+        "not yet"\n+    )', 1),
    "an abstract method": ("lib/a.py", "+    raise NotImplementedError\n+    raise NotImplementedError()", 0),
    "for subclasses": ("lib/a.py", '+raise NotImplementedError("Subclasses must implement it")', 0),
    "a wrong value": ("lib/a.py", '+raise NotImplementedError(\n+    f"scale must be 1 (got {x})"\n+)', 0),
    "one that was there": ("lib/a.py", '-raise NotImplementedError("a")\n+    raise NotImplementedError("b")', 0),
    "in a test": ("tests/test_a.py", '+raise NotImplementedError("a")', 0),
    "Rust": ("src/a.rs", '+    todo!()\n+    V1(_) => unimplemented!("no client"),\n+    // todo!() later', 2),
    "Rust, in a module of tests": ("src/a.rs", "@@ mod tests {\n+    todo!()", 0),
    "Go": ("a.go", '+\tpanic("not implemented")\n+\tpanic("boom")', 1),
    "TypeScript": ("src/a.ts", "+  throw new Error('not implemented yet');\n+  throw new Error('no');", 1),
    "words of a comment": ("lib/a.py", '+# raise NotImplementedError("a")', 0),
}


@pytest.mark.parametrize("case", RAISING)
def test_what_only_raises_is_counted_where_it_is_the_products_and_new(case: str) -> None:
    path, text, count = RAISING[case]
    assert facts_of(patch(file(path, text))).raises_only == count


def test_what_only_raises_in_a_copied_file_is_not_new() -> None:
    text = '+raise NotImplementedError("a")'
    assert facts_of(patch(file("lib/b.py", text, "copied", "lib/a.py"))).raises_only == 0


@pytest.mark.parametrize(
    ("raises", "lines", "says"), [(5, 182, True), (2, 182, False), (3, 6, False), (6, 8000, False), (3, 600, True)]
)
def test_parts_that_only_raise_are_worth_a_line(raises: int, lines: int, says: bool) -> None:
    assert has_unfinished_parts(DiffFacts(raises_only=raises, product_lines=lines)) is says


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
    assert facts_of(Patch("a" * 40, files, is_whole=False)) == DiffFacts(product_lines=90_000)


EARLIER = """
+// Maximum size for a single MR: 2GB
+const size_t MAX_MR_SIZE = 2ULL * 1024 * 1024 * 1024;
+  register_parameters(weights, contiguous_storage);
+  return None
+  check_bounds(index, size);
+  check_bounds(index, size);
"""
MANY = "\n".join(f"  run(first_{number}, second_{number});" for number in range(12))
EARLIER += "+" + MANY.replace("\n", "\n+")
LATER = {
    "another value": (
        "lib/a.cpp",
        "-const size_t MAX_MR_SIZE = 2ULL * 1024 * 1024 * 1024;\n+const size_t MAX_MR_SIZE = 4;",
        1,
    ),
    "put under a condition": (
        "lib/a.cpp",
        "-  register_parameters(weights, contiguous_storage);\n+  if (opted_in)\n"
        "+      register_parameters(weights, contiguous_storage);",
        1,
    ),
    "another file": ("lib/b.cpp", "-const size_t MAX_MR_SIZE = 2ULL * 1024 * 1024 * 1024;", 0),
    "moved within the file": (
        "lib/a.cpp",
        "-const size_t MAX_MR_SIZE = 2ULL * 1024 * 1024 * 1024;\n@@\n"
        "+const size_t MAX_MR_SIZE = 2ULL * 1024 * 1024 * 1024;\n+run(queue);",
        0,
    ),
    "a line as it stands anywhere": ("lib/a.cpp", "-  return None\n+  return 1", 0),
    "words alone": ("lib/a.cpp", "-// Maximum size for a single MR: 2GB\n+// 4 GB", 0),
    "beside much that is new": (
        "lib/a.cpp",
        "-const size_t MAX_MR_SIZE = 2ULL * 1024 * 1024 * 1024;\n" + "\n".join(f"+run(queue, {n});" for n in range(12)),
        0,
    ),
    "no small change": (
        "lib/a.cpp",
        "-const size_t MAX_MR_SIZE = 2ULL * 1024 * 1024 * 1024;\n" + "\n".join(f"+run(queue, {n});" for n in range(30)),
        0,
    ),
    "too much for a small change": (
        "lib/a.cpp",
        "-" + MANY.replace("\n", "\n-") + "\n+" + MANY.replace("run", "start").replace("\n", "\n+"),
        0,
    ),
    "all of a dozen lines": ("lib/a.cpp", "-" + MANY.replace("\n", "\n-"), 12),
    "a line that stands there twice": ("lib/a.cpp", "-  check_bounds(index, size);\n+  check_bounds(index);", 0),
    "beside more that is older": (
        "lib/a.cpp",
        "-const size_t MAX_MR_SIZE = 2ULL * 1024 * 1024 * 1024;\n-  stop(the_queue, first);\n-  go(the_queue, last);",
        0,
    ),
    "of older lines": ("lib/a.cpp", "-  start(the_queue, first);\n+  start(the_queue);", 0),
}


@pytest.mark.parametrize("case", LATER)
def test_a_small_change_rewrites_what_an_earlier_one_added(case: str) -> None:
    path, text, count = LATER[case]
    earlier = facts_of(patch(file("lib/a.cpp", EARLIER)))
    assert rewritten(facts_of(patch(file(path, text))), earlier) == count


def test_facts_are_the_same_after_they_were_kept() -> None:
    facts = facts_of(patch(file("lib/a.cpp", EARLIER), file(PY, "-def test_a():\n+@pytest.mark.skip\n")))
    said = facts.as_json()
    assert DiffFacts.from_json(said) == facts
    assert not any("MAX_MR" in str(value) for value in said.values())
