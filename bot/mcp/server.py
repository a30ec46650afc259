"""An MCP server with a tool for each query, and what a tool answers; served on standard input and output."""

from __future__ import annotations

import json
import logging
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from bot.ask import queries as queries_module
from bot.ask.explain import Explanations
from bot.ask.queries import Queries
from bot.ask.tools import LONGEST_RESULT, Called, call, tools_of
from bot.errors import AlmanacError, log_to_stderr
from bot.settings import Settings
from bot.story.render import Templates, Web
from storage import Store

try:
    import anyio
    import mcp_types as types
    from mcp.server.lowlevel.server import Server
    from mcp.server.stdio import stdio_server
except ImportError as error:
    raise AlmanacError("MCP needs more than is installed: pip install '.[mcp]' in Almanac's folder") from error

log = logging.getLogger(__name__)

TOOLS = tools_of(Queries)
FAILED = "Something went wrong while this was answered; it is in my log."
# A tool's name, its arguments, and what stands beside them under "_meta" → what came of it.
Answer = Callable[[str, Mapping[str, Any], Mapping[str, Any]], "types.CallToolResult"]


def tool_server(answer: Answer, meta: Mapping[str, Any] | None = None) -> Server[Any]:
    """A server whose tools `answer` answers, in threads of their own; `meta` is said beside each tool."""
    reads = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    tools = [
        types.Tool(
            name=one.name, description=one.manual, input_schema=dict(one.schema), annotations=reads,
            _meta=dict(meta) if meta else None,
        )
        for one in TOOLS.values()
    ]  # fmt: skip

    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        given = (params.name, params.arguments or {}, dict(params.meta or {}))
        try:
            result: types.CallToolResult = await anyio.to_thread.run_sync(answer, *given)
        except AlmanacError as error:
            return refusal(error.public_text)
        except Exception:
            log.exception("a tool could not be answered")  # the SDK would say why to whoever called
            return refusal(FAILED)
        return result

    return Server(
        "almanac", version=version("almanac-bot"), instructions=queries_module.__doc__, on_list_tools=list_tools,
        on_call_tool=call_tool,
    )  # fmt: skip


def called(queries: Queries, name: str, arguments: Mapping[str, Any]) -> Called:
    """What a tool answers in the rights that `queries` has, as of now; no model is asked."""
    with queries.store.snapshot():
        return call(replace(queries, writer=queries.writer.plain()), TOOLS.get(name), arguments)


def refusal(words: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=words)], is_error=True)


def result_of(said: Called, web: Web, templates: Templates, blocks: Sequence[Any] = ()) -> types.CallToolResult:
    """A result in words, as JSON, and in Slack's blocks where there are some. Words and JSON are cut to what fits."""
    if said.refused:
        return refusal(said.refused)
    document = json.loads(said.text())
    words = "\n\n\n".join(_words(one, web, templates) for one in said.documents) or "There is nothing."
    if len(words) > LONGEST_RESULT:
        words = f"{words[:LONGEST_RESULT]}… and {len(words) - LONGEST_RESULT:,} characters more"
    return types.CallToolResult(
        content=[types.TextContent(text=words)],
        structured_content={"documents": document},
        _meta={"slack": {"blocks": list(blocks)}} if blocks else None,
    )


def _words(document: Any, web: Web, templates: Templates) -> str:
    if isinstance(document, Explanations):
        return document.short
    return templates.month("markdown", document, web)


def serve_stdio(settings: Settings) -> None:
    """Answer on standard input and output until the first ends, with what the command line may read."""
    store = Store(settings.database, must_exist=True, dates=settings.dates)
    queries, templates = Queries.of(store, replace(settings, model=None)), Templates(settings.templates)
    log_to_stderr(logging.WARNING)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a thread waits for input, and the process would wait for it

    def answer(name: str, arguments: Mapping[str, Any], meta: Mapping[str, Any]) -> types.CallToolResult:
        return result_of(called(queries, name, arguments), replace(queries).pages(), templates)

    async def run() -> None:
        server = tool_server(answer)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(run)
