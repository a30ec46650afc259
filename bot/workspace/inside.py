"""A look inside, for who develops the bot: a message's JSON, the limits it uses, the calls that made it; a journal of
calls and deliveries; and faults on command, which are those of InjectedFaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from aiohttp import web

from bot.slack import limits
from bot.slack.limits.measures import all_blocks, kinds_in
from bot.workspace.api import ANY, METHODS, InjectedFaults, Refused, structured
from bot.workspace.journal import JournalEntry
from bot.workspace.model import Json
from bot.workspace.page import Page
from bot.workspace.state import Workspace

SHOWN = 200  # entries of the journal
FAULTS = {"delay": "delay:5", "ratelimited": "ratelimited", "drop_before": "drop_before", "drop_after": "drop_after"}
RETRY_AFTER = 3  # seconds


class Disturbed(Protocol):
    """Who can deliver again what was delivered, and send the app to a new socket."""

    async def redeliver(self, event_id: str) -> None: ...
    async def redeliver_press(self, action_ts: str) -> None: ...
    async def disconnect_sockets(self, reason: str = "refresh_requested") -> None: ...


class Inside:
    """What the drawer of the page shows and does."""

    def __init__(self, page: Page, workspace: Workspace, faults: InjectedFaults, disturbed: Disturbed) -> None:
        self._page = page
        self._workspace = workspace
        self._faults = faults
        self._disturbed = disturbed

    def routes(self) -> list[web.RouteDef]:
        guarded = self._page.guarded
        return [
            web.get("/page/inside", guarded(self._message)),
            web.get("/page/journal", guarded(self._journal)),
            web.get("/page/journal/{number}", guarded(self._entry)),
            web.post("/page/fault", guarded(self._page.act(self._fault))),
        ]

    async def _message(self, request: web.Request) -> web.StreamResponse:
        """A message as who asks sees it."""
        channel, ts = request.query.get("channel", ""), request.query.get("ts", "")
        message = self._workspace.find(channel, ts)
        if message is None or message.only_for not in (None, self._page.who(request)):
            return web.Response(status=404)
        calls = self._workspace.journal.that_wrote(channel, ts)
        # As it was sent, where that is known: what is stored has ids of blocks beside it.
        sent: Json = dict(message.json)
        for call in calls:
            sent |= {key: value for key, value in _arguments(call).items() if key in ("text", "blocks") and value}
        exact = message.json | ({"metadata": message.metadata} if message.metadata else {})
        details = {"message": exact, "limits": limits_used(sent), "calls": [_row(call) for call in calls]}
        return web.json_response(details)

    async def _journal(self, request: web.Request) -> web.StreamResponse:
        newest = list(self._workspace.journal.entries)[: -SHOWN - 1 : -1]
        waiting = [f"{method}: {fault.kind}" for method, fault in self._faults.waiting()]
        return web.json_response(
            {"entries": [_row(one) for one in newest], "methods": sorted(METHODS), "waiting": waiting}
        )

    async def _entry(self, request: web.Request) -> web.StreamResponse:
        number = request.match_info["number"]
        entry = self._workspace.journal.numbered(int(number)) if number.isdecimal() else None
        if entry is None:
            return web.Response(status=404)
        arguments = _arguments(entry)
        used = limits_used(arguments) if entry.kind == "call" and {"blocks", "text", "view"} & set(arguments) else []
        return web.json_response({"sent": arguments, "answer": entry.answer, "limits": used})

    async def _fault(self, me: str, body: Json) -> Json:
        """Let something go wrong: LookupError says what cannot."""
        kind = body["kind"]
        if kind == "disconnect":
            await self._disturbed.disconnect_sockets()
        elif kind == "twice":
            await self._again(body.get("number", ""))
        elif kind in FAULTS and body["method"] in (ANY, *METHODS):
            self._faults.next(body["method"], FAULTS[kind], retry_after=RETRY_AFTER)
        else:
            raise LookupError(f"no such fault: {kind} of {body['method']}")
        return {}

    async def _again(self, number: str) -> None:
        """Deliver once more: what has this number, or the last event."""
        entries = self._workspace.journal.entries
        wanted = [one for one in entries if str(one.number) == number] if number else reversed(entries)
        for one in wanted:
            if one.kind == "delivery" and "event_id" in one.sent:
                return await self._disturbed.redeliver(one.sent["event_id"])
            if number and (actions := one.sent.get("actions")):
                return await self._disturbed.redeliver_press(actions[0]["action_ts"])
        raise LookupError("no event was delivered yet that could be delivered again")


def _arguments(entry: JournalEntry) -> Json:
    """What was sent, with JSON in text read where it is JSON."""
    try:
        return structured(entry.sent)
    except Refused:
        return entry.sent


def _row(entry: JournalEntry) -> Json:
    return {
        "number": entry.number,
        "kind": entry.kind,
        "name": entry.name,
        "at": entry.at,
        "ms": None if entry.took is None else round(entry.took * 1000, 1),
        "outcome": entry.outcome,
        "late": entry.is_late,
        "again": entry.kind == "delivery" and ("event_id" in entry.sent or bool(entry.sent.get("actions"))),
    }


def limits_used(sent: Mapping[str, Any]) -> list[Json]:
    """How much is used of each of Slack's limits of a message, or of the view of a call: `name`, `used`, `most`."""
    if isinstance(view := sent.get("view"), dict):
        blocks = view.get("blocks") or []
        return [
            _limit("Blocks", len(blocks), limits.MAX_VIEW_BLOCKS),
            _limit("Bytes of JSON", limits.blocks_json_size(view), limits.MAX_VIEW_JSON),
        ]
    blocks, text = sent.get("blocks") or [], sent.get("text") or ""
    if not isinstance(blocks, list | tuple) or not isinstance(text, str):
        return []
    texts = [block.get("text") for _, block in all_blocks(blocks) if block.get("type") == "markdown"]
    beside = [
        _limit("Charts", kinds_in(blocks).count("data_visualization"), limits.MAX_CHARTS),
        _limit("Characters of markdown", sum(len(one) for one in texts if isinstance(one, str)), limits.MAX_MARKDOWN),
    ]
    return [
        _limit("Blocks", len(blocks), limits.MAX_BLOCKS),
        _limit("Characters in the blocks", limits.block_text_length(blocks), limits.MAX_BLOCKS_TEXT),
        _limit("Bytes of the blocks' JSON", limits.blocks_json_size(blocks), limits.MAX_BLOCKS_JSON),
        _limit("Characters of plain text", len(text), limits.MAX_TEXT_ACCEPTED),
        *(one for one in beside if one["used"]),
    ]


def _limit(name: str, used: int, most: int) -> Json:
    return {"name": name, "used": used, "most": most}
