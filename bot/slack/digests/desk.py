"""All that listeners call of digests, put together once."""

from __future__ import annotations

from dataclasses import dataclass

from slack_sdk import WebClient

from bot.digest.afterwards import Afterwards
from bot.digest.asking import Asking
from bot.digest.composing import Composer
from bot.digest.updating import Updating
from bot.digest.whose import Groups
from bot.settings import Settings
from bot.slack.answering import Answering
from bot.slack.aside import Aside
from bot.slack.digests.doing import Digesting
from bot.slack.digests.part_acts import PartActs
from bot.slack.digests.posted import PostedDigests
from bot.slack.digests.reach import InChannels
from bot.slack.digests.rights import DigestRights
from bot.slack.digests.saving import Saving
from bot.slack.lookups import Lookups, lookup_client
from bot.slack.members import Members
from bot.slack.poster import Poster
from bot.story.render import Templates
from storage import Store


@dataclass(frozen=True, slots=True)
class DigestDesk:
    """The modals of digests, digests that are posted already, and what people say of their part before that. All of
    it blocks, and any thread may call it."""

    modals: Digesting
    saving: Saving
    posted: PostedDigests
    parts: PartActs

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
        aside: Aside,
        workspace: str,
    ) -> DigestDesk:
        lookups = Lookups(lookup_client(client))
        groups, channels = Groups(lookups, members), InChannels(lookups)
        composer = Composer(settings, store, members, templates, groups)
        asking = Asking(settings, store, members, composer, templates, workspace)
        afterwards = Afterwards(settings, store, members, workspace)
        updating = Updating(settings, store, members, composer, asking, afterwards, client, poster, workspace)
        rights = DigestRights(settings, store, members, answering, channels)
        digesting = Digesting(
            settings, store, members, answering, rights, composer, groups, asking, afterwards, poster, workspace
        )
        posted = PostedDigests(updating, answering, members, channels)
        saving = Saving(settings, store, members, rights)
        return cls(digesting, saving, posted, PartActs(asking, answering, aside, store, settings.now))
