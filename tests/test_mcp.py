"""`almanac mcp`: each query is a tool, spoken to by the SDK's own client over standard input and output."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from builders import index

from bot.sample import sample
from bot.settings import Settings
from bot.workspace.server import PATIENCE
from storage import Store

anyio = pytest.importorskip("anyio", reason="almanac-bot[mcp] is not installed")
pytest.importorskip("mcp", reason="almanac-bot[mcp] is not installed")

from mcp.client.session import ClientSession  # noqa: E402
from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: E402

PRESENT = "2025-11-27T09:00:00Z"
ALMANAC = str(Path(sys.executable).with_name("almanac"))
# Each tool once, and what its words say.
CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "month": ({"people": ["Grace Hopper"], "span": "2025-10"}, "Grace Hopper, October 2025"),
    "team": ({"span": "2025-10", "repositories": ["acme/web"]}, "acme/web"),
    "changes": ({"people": "Ada Lovelace", "span": "2025-10", "kinds": ["fix"]}, "#764"),
    "who": ({"topic": "mmap"}, "Grace Hopper"),
    "reviews": ({"person": "Grace Hopper", "span": "2025-10"}, "#771"),
    "explain": ({"references": ["engine#764"]}, "Fix a crash when the last vector of a graph is deleted"),
    "profile": ({"person": "Dave Kim"}, "Dave Kim"),
    "people": ({"name": "Dave"}, "Dave Okafor"),
}
Spoken = Callable[[Any], Awaitable[Any]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The surroundings of a command that finds the sample history, indexed."""
    settings = sample(Settings(home=tmp_path_factory.mktemp("sample"), fixed_now=datetime.fromisoformat(PRESENT)))
    store = Store(settings.database)
    for table in settings.repositories:
        index(store, table.address, table.name)
    where = Path(str(settings.database)).parent
    return {"ALMANAC_DB": str(settings.database), "ALMANAC_CONFIG": str(where / "almanac.toml"), "ALMANAC_NOW": PRESENT}


def spoken(surroundings: dict[str, str], speak: Spoken) -> Any:
    """What comes of speaking to `almanac mcp` as an editor does."""

    async def run() -> Any:
        server = StdioServerParameters(command=ALMANAC, args=["mcp"], env={**os.environ, **surroundings})
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            return await speak(session)

    return anyio.run(run)


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("month", {"people": ["Gracee Hoper"]}, "Did you mean"),
    ("month", {"persons": ["Grace Hopper"]}, "has no persons"),
    ("changes", {"kinds": ["poem"]}, "must be"),
    ("hide", {"person": "Grace Hopper"}, "no such call"),
]


def test_each_query_is_a_tool_that_only_reads_and_answers_in_words_and_as_json(made: dict[str, str]) -> None:
    """And what is wrong with a call is said in its place."""

    async def talk(session: ClientSession) -> Any:
        listed = (await session.list_tools()).tools
        called = {name: await session.call_tool(name, given) for name, (given, _) in CALLS.items()}
        return listed, called, [await session.call_tool(name, given) for name, given, _ in WRONG]

    listed, called, refused = spoken(made, talk)
    tools = {one.name: one for one in listed}
    assert tools.keys() == CALLS.keys()
    assert all(one.annotations.read_only_hint and one.description for one in tools.values())
    month = tools["month"].input_schema
    assert month["required"] == ["people"] and month["properties"]["topic"] == {"type": "string"}
    for name, result in called.items():
        words, document = result.content[0].text, result.structured_content
        assert not result.is_error, words
        assert CALLS[name][1] in words, name
        assert len(json.dumps(document)) < 20_000 and document["documents"], name
    assert all(one.is_error for one in refused)
    for one, (_, _, words) in zip(refused, WRONG, strict=True):
        assert words in one.content[0].text


def test_it_ends_with_its_input(made: dict[str, str]) -> None:
    ran = subprocess.run(
        [ALMANAC, "mcp"], input=b"", capture_output=True, env={**os.environ, **made}, timeout=PATIENCE, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


def test_without_the_sdk_it_says_what_to_install(
    almanac: Callable[..., Any], made: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in made.items():
        monkeypatch.setenv(name, value)
    for name in [one for one in sys.modules if one.startswith("bot.mcp")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp_types", None)
    ran = almanac("mcp")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "almanac: MCP needs more than is installed: pip install '.[mcp]' in Almanac's folder\n"


def test_a_month_loads_neither_it_nor_what_reads_questions(made: dict[str, str]) -> None:
    script = "import sys; from bot.cli import almanac; almanac.main(['month', 'Grace Hopper'], standalone_mode=False); "
    script += "not_needed = ('mcp', 'mcp_types', 'starlette', 'bot.ask.reading', 'bot.ask.answers', 'bot.ask.words'); "
    script += "print(sorted(one for one in sys.modules if one in not_needed or one.partition('.')[0] in not_needed))"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, env={**os.environ, **made}, check=True)
    assert ran.stdout.decode().splitlines()[-1] == "[]"


def test_why_nothing_can_be_answered_is_said_without_what_is_nobodys_business(
    made: dict[str, str], tmp_path: Path
) -> None:
    broken = tmp_path / "secret place" / "almanac.db"
    broken.parent.mkdir()
    shutil.copy(made["ALMANAC_DB"], broken)

    async def called(session: ClientSession) -> Any:
        before = await session.call_tool("month", {"people": ["Grace Hopper"], "span": "2025-10"})
        for path in broken.parent.iterdir():
            path.write_bytes(b"no database" * 1000)
        return before, await session.call_tool("month", {"people": ["Grace Hopper"], "span": "2025-10"})

    before, after = spoken({**made, "ALMANAC_DB": str(broken)}, called)
    assert not before.is_error and after.is_error
    assert "database" in after.content[0].text and "secret place" not in str(after)
