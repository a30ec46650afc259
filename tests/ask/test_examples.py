"""The examples of docs/asking.md are what is answered to them."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from builders import query_service
from values import GRACE, LISTS, WEB, commit

from bot.ask.answers import answered, understood
from bot.story.render import Templates

LAMP = commit("Add a lamp (#3)", at="2025-10-06 12:00", paths=["src/lamp.py"])
COMMITS = [
    commit("Add a cache (#1)", at="2025-10-03 12:00", paths=["src/cache.py"]),
    commit("Fix a crash in the parser (#2)", at="2025-10-05 12:00", paths=["src/parser.py", "tests/test_parser.py"]),
    LAMP,
    commit("Back out the lamp", at="2025-10-08 12:00", author=GRACE, body=f"This reverts commit {LAMP.sha}.",
           paths=["src/lamp.py"]),
    commit("Fix a page that stayed empty (#4)", at="2025-10-09 12:00", author=GRACE, repository=WEB, paths=["page.ts"]),
    commit("Add a light (#5)", at="2025-08-09 12:00", paths=["src/light.py"]),
]  # fmt: skip
DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE, OF_JSON = ((DOCS / name).read_text() for name in ("asking.md", "json.md"))
EXAMPLES = re.findall(r"```text\n\$ almanac ask \"([^\"\n]+)\"\n(.+?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("question", "answer"), EXAMPLES, ids=[question for question, _ in EXAMPLES])
def test_an_example_is_what_is_answered(tmp_path: Path, question: str, answer: str) -> None:
    almanac = query_service(tmp_path, COMMITS)
    documents = answered(almanac, understood(almanac, question)).documents
    assert "\n\n\n".join(Templates().month("text", one) for one in documents) + "\n" == answer


def test_the_page_names_every_key_of_a_list() -> None:
    said = OF_JSON.partition("## Answers and lists")[2]
    assert EXAMPLES
    for kind in LISTS:
        row = next(line for line in said.splitlines() if line.startswith(f"| `{kind.template}`"))
        of_all = said.partition("| `sort`")[0]
        assert {one.name.rstrip("_") for one in fields(kind)} <= set(re.findall(r"`([^`]+)`", row + of_all))
