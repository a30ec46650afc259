"""response_url: the address that comes with a command or a press, good for five answers in half an hour."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass

from aiohttp import web

from bot.workspace import block_kit
from bot.workspace.api import Around, flag
from bot.workspace.model import BOT_USER_ID, Call, Json, StoredMessage, WorkspaceEvent
from bot.workspace.state import Workspace

MAX_USES = 5
LIFETIME_SECONDS = 30 * 60


@dataclass
class Ticket:
    """Whom an answer goes to, and what it may replace."""

    channel: str
    user: str
    expires_at: float
    original: StoredMessage | None = None
    uses: int = 0


class ResponseUrls:
    """Issues addresses and takes what is posted to them; a post is in `workspace.calls` as "response_url"."""

    def __init__(self, workspace: Workspace, around: Around) -> None:
        self.workspace = workspace
        self._around = around
        self._tickets: dict[str, Ticket] = {}

    def issue(self, base_url: str, channel: str, user: str, original: StoredMessage | None = None) -> str:
        ticket_id = secrets.token_urlsafe(16)
        self._tickets[ticket_id] = Ticket(channel, user, self.workspace.clock() + LIFETIME_SECONDS, original)
        return f"{base_url}/response/{ticket_id}"

    async def handle(self, request: web.Request) -> web.StreamResponse:
        try:
            body = json.loads(await request.text())
        except ValueError:
            return refused("invalid_payload", 400)
        if not isinstance(body, dict):
            return refused("invalid_payload", 400)
        self.workspace.calls.append(Call("response_url", body))
        self.workspace.tell(WorkspaceEvent("call"))
        ticket = request.match_info["ticket"]
        return await self._around("response_url", request, lambda: self._take(ticket, body))

    def _take(self, ticket_id: str, body: Json) -> web.Response:
        ticket = self._tickets.get(ticket_id)
        if ticket is None:
            return refused("invalid_url", 404)
        if ticket.uses >= MAX_USES:
            return refused("used_url", 404)
        if self.workspace.clock() > ticket.expires_at:
            return refused("expired_url", 404)
        if not flag(body, "delete_original"):
            if not body.get("text") and not body.get("blocks"):
                return refused("no_text", 400)
            if found := block_kit.faults({key: body[key] for key in MESSAGE_FIELDS if key in body}):
                said = [f"{fault.message} [json-pointer:{fault.pointer}]" for fault in found]
                return refused(found[0].code, 400, errors=said)
        ticket.uses += 1
        show_answer(self.workspace, ticket.channel, ticket.user, body, ticket.original)
        return web.Response(text="ok")


# What of a posted answer is the message itself; the rest says where it goes.
MESSAGE_FIELDS = ("text", "blocks", "attachments", "metadata", "mrkdwn", "unfurl_links", "unfurl_media")


def refused(code: str, status: int, **beside: object) -> web.Response:
    return web.json_response({"ok": False, "error": code, **beside}, status=status)


def show_answer(
    workspace: Workspace, channel: str, user: str, body: Json, original: StoredMessage | None = None
) -> None:
    """Show what an app answered to a command or a press: to `user` alone unless it says in_channel.

    After a press an answer without `replace_original` takes the original's place. Slack's documentation
    warns that this can happen; here it always does, so that nobody relies on luck.
    """
    there = original is not None and workspace.find(channel, original.ts) is original
    if flag(body, "delete_original"):
        if original and there:
            workspace.delete(original)
        return
    text, blocks = body.get("text") or "", body.get("blocks") or ()
    in_channel = body.get("response_type") == "in_channel"
    if original and there and (flag(body, "replace_original") or "replace_original" not in body):
        workspace.change(original, text=text, blocks=blocks)
        return
    root = workspace.find(channel, str(body.get("thread_ts"))) if body.get("thread_ts") else None
    workspace.post(
        channel,
        user=BOT_USER_ID,
        text=text,
        blocks=blocks,
        thread_ts=(root.thread_ts or root.ts) if root else None,
        only_for=None if in_channel else user,
    )
