"""A local Slack, to try and test the bot in: Web API, Socket Mode, and a page to type on.

It speaks Slack's own protocol over real sockets and refuses what Slack refuses, so the bot that works here
is the bot that works there: only SLACK_API_URL and the tokens differ.
"""

from bot.workspace.courier import Delivery
from bot.workspace.model import (
    BOT_ID,
    BOT_USER_ID,
    Call,
    WorkspaceChannel,
    WorkspaceUser,
    WorkspaceUserGroup,
)
from bot.workspace.server import WorkspaceServer
from bot.workspace.state import Workspace
from bot.workspace.threaded import ThreadedWorkspace

__all__ = [
    "BOT_ID",
    "BOT_USER_ID",
    "Call",
    "Delivery",
    "ThreadedWorkspace",
    "Workspace",
    "WorkspaceChannel",
    "WorkspaceServer",
    "WorkspaceUser",
    "WorkspaceUserGroup",
]
