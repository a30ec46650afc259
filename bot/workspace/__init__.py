"""A local Slack, to try and test the bot in: Web API, Socket Mode, and a page to type on.

It speaks Slack's own protocol over real sockets and refuses what Slack refuses, so the bot that works here
is the bot that works there: only SLACK_API_URL and the tokens differ.
"""

from bot.workspace.delivery import Delivery
from bot.workspace.server import ThreadedWorkspace
from bot.workspace.state import (
    BOT_ID,
    BOT_USER_ID,
    Call,
    Workspace,
    WorkspaceChannel,
    WorkspaceUser,
    WorkspaceUserGroup,
)

__all__ = [
    "BOT_ID",
    "BOT_USER_ID",
    "Call",
    "Delivery",
    "ThreadedWorkspace",
    "Workspace",
    "WorkspaceChannel",
    "WorkspaceUser",
    "WorkspaceUserGroup",
]
