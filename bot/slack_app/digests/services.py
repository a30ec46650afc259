"""All that listeners call of digests, put together once."""

from __future__ import annotations

from dataclasses import dataclass

from slack_sdk import WebClient

from bot.digest.composing import Composer
from bot.digest.follow_ups import FollowUps
from bot.digest.previews import PreviewRequests
from bot.digest.updating import Updating
from bot.settings import Settings
from bot.slack.answering import Answering
from bot.slack.dialogs import Dialogs
from bot.slack.ephemeral import Ephemeral
from bot.slack.members import Members
from bot.slack.poster import Poster
from bot.slack_app.digests.actions import DigestActions, Posting
from bot.slack_app.digests.posted import PostedDigests
from bot.slack_app.digests.preview_actions import PreviewActions
from bot.slack_app.digests.rights import DigestRights
from bot.slack_app.digests.saving import Saving
from bot.story.render import Templates
from storage import Store


@dataclass(frozen=True, slots=True)
class DigestServices:
    """The modals of digests, digests that are posted already, and what people say of their part before that. All of
    it blocks, and any thread may call it."""

    rights: DigestRights
    modals: DigestActions
    saving: Saving
    posted: PostedDigests
    previews: PreviewActions

    @classmethod
    def of(
        cls,
        settings: Settings,
        store: Store,
        client: WebClient,
        poster: Poster,
        members: Members,
        templates: Templates,
        answering: Answering,
        workspace: str,
    ) -> DigestServices:
        composer = Composer(settings, store, members, templates)
        requests = PreviewRequests(settings, store, members, composer, templates, workspace)
        follow_ups = FollowUps(settings, store, members, workspace)
        updating = Updating(settings, store, members, requests, follow_ups, client, poster, workspace)
        rights = DigestRights(settings, store, members, answering)
        posting = Posting(requests, follow_ups, poster, workspace)
        ephemeral = Ephemeral(client, poster)
        dialogs = Dialogs(answering, ephemeral, templates)
        return cls(
            rights,
            DigestActions(settings, store, members, answering, rights, posting),
            Saving(settings, store, members, rights),
            PostedDigests(updating, answering, members),
            PreviewActions(requests, answering, dialogs, ephemeral, store, settings.now),
        )
