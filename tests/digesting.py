"""What makes and posts the digests of a workspace, without the rest of a bot."""

from __future__ import annotations

from bot.digest.service import DigestService
from bot.digest.tick import Jobs
from bot.settings import Settings
from bot.slack.directory import Members
from bot.slack.sender import Sender
from bot.slack.web_api import posting_client
from bot.story.render import Templates
from bot.workspace import ThreadedWorkspace
from storage import Store


def sender_of(settings: Settings, store: Store) -> Sender:
    return Sender(posting_client(settings), store.outbox, settings.now)


def service_of(
    settings: Settings, store: Store, slack: ThreadedWorkspace, members: Members | None = None
) -> DigestService:
    team = slack.workspace.team_id
    members = members or Members.of(settings, store, team)
    return DigestService(settings, store, members, Templates(), sender_of(settings, store), team)


class Rounds(Jobs):
    """After each tick what is due is sent, as a bot has it sent beside its ticks."""

    def tick(self) -> None:
        super().tick()
        self._sender.send_waiting(20.0)


def jobs_of(settings: Settings, store: Store, slack: ThreadedWorkspace, members: Members | None = None) -> Rounds:
    """The rounds of a bot that has just started: nothing is in its memory."""
    return Rounds(settings, store, sender_of(settings, store), service_of(settings, store, slack, members))
