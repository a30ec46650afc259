"""The queries as tools: what a call may hold, what is said where it may not, and how much of a document is shown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from builders import NOW
from hypothesis import given
from hypothesis import strategies as st
from values import ADA, ENGINE, GRACE, commit

from bot.ask.queries import Queries
from bot.ask.tools import MOST_GIVEN, NAMES, call, tools_of
from bot.model import Repository
from bot.settings import Settings
from storage import Store

TOOLS = tools_of(Queries)
PLAIN = {"string", "integer", "boolean", "array"}


@pytest.fixture(scope="module")
def queries(tmp_path_factory: pytest.TempPathFactory) -> Queries:
    store = Store(tmp_path_factory.mktemp("tools") / "almanac.db")
    store.commits.register(Repository(ENGINE, "/srv/engine", indexed_at=NOW))
    store.commits.add(
        ENGINE,
        [
            commit(
                f"Add part {number} (#{number})",
                author=ADA if number % 3 else GRACE,
                at=f"2025-10-{number % 28 + 1:02}",
            )
            for number in range(1, 90)
        ],
    )
    return Queries.of(store, Settings(home=Path("/nowhere"), db=store.path, fixed_now=NOW))


def test_each_query_is_a_tool_of_plain_values_with_its_manual() -> None:
    assert set(TOOLS) == set(NAMES)
    for name, tool in TOOLS.items():
        properties: Mapping[str, Mapping[str, Any]] = tool.schema["properties"]
        assert tool.manual and tool.usage.startswith(f"{name}(")
        assert {one["type"] for one in properties.values()} <= PLAIN, name
        assert all(one["items"]["type"] == "string" for one in properties.values() if one["type"] == "array"), name
        assert set(tool.schema["required"]) <= properties.keys() and not tool.schema["additionalProperties"]
    orders = TOOLS["changes"].schema["properties"]["order"]["enum"]
    assert orders == ["size", "most", "files", "latest", "landed", "first"]
    assert TOOLS["month"].schema["required"] == ["people"]


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("poem", {}, "there is no such call: call one of month, team"),
        ("month", ["Ada Lovelace"], "with named arguments"),
        ("month", {}, "month needs people: month(people: [string]"),
        ("month", {"person": "Ada Lovelace"}, "month has no person: month(people: [string]"),
        ("month", {"people": [7]}, "people must be string"),
        ("month", {"people": ["Ada Lovelace"] * (MOST_GIVEN + 1)}, f"people may hold {MOST_GIVEN} values at most"),
        ("changes", {"kinds": ["poem"]}, "kinds must be feature|fix"),
        ("changes", {"limit": "many"}, "limit must be integer"),
        ("changes", {"limit": True}, "limit must be integer"),
        ("changes", {"topic": "x" * 1_000}, "topic must be string"),
        ("month", {"people": "Somebody Else"}, "nobody called"),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_call_is_said(queries: Queries, name: str, arguments: Any, said: str) -> None:
    found = call(queries, TOOLS.get(name), arguments)
    assert found.documents == () and said in found.refused
    assert json.loads(found.text()) == {"error": found.refused}


def test_a_document_says_nothing_twice(queries: Queries) -> None:
    rows = json.loads(call(queries, TOOLS["changes"], {"span": "2025-10"}).text())[0]["rows"]
    assert len(rows) == 50 and rows[0].keys() == {"sha", "ref", "on", "by", "title", "kind"}
    digest = json.loads(call(queries, TOOLS["team"], {"span": "2025-10"}).text())[0]
    assert "evidence" not in digest["headline"] and "things" not in str(digest.get("areas"))


TEXTS = (
    "", "Ada Lovelace", "ada", "2025-10", "2025-10..2025-09", "2025-13", "0000-01", "9999-12..9999-12", "v1", "v1..",
    "..", "#1", "engine#3", "#999", "a" * 12, "part", "part OR note", "OR", "*", "%", "src/engine.py", "src/", "/",
    "acme/engine", "nowhere", "\0", "é",
)  # fmt: skip
_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "string": st.sampled_from(TEXTS) | st.text(max_size=20),
    "integer": st.sampled_from([-1, 0, 1, 3, 10**9, 10**30]),
    "boolean": st.booleans(),
}


def _drawn(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    if schema["type"] == "array":
        return st.lists(_drawn(schema["items"]), max_size=3)
    return st.sampled_from(schema["enum"]) if "enum" in schema else _VALUES[schema["type"]]


@given(st.data())
def test_no_call_raises(queries: Queries, data: st.DataObject) -> None:
    """Whatever a model or a client gives, there is a document or a sentence."""
    tool = TOOLS[data.draw(st.sampled_from(sorted(TOOLS)))]
    properties = tool.schema["properties"]
    names = data.draw(st.sets(st.sampled_from(sorted(properties)), max_size=4)) | set(tool.schema["required"])
    given = {name: data.draw(_drawn(properties[name]), label=name) for name in sorted(names)}
    found = call(queries, tool, given)
    assert found.documents or found.refused or tool.name in ("month", "explain")
    json.loads(found.text())
