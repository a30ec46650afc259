"""Digests that are posted and showed what somebody corrected: they are offered to be updated, and updated."""

from __future__ import annotations

import json
import logging

from bot.digest.subscription import DigestPost
from bot.digest.updating import Updating
from bot.errors import AlmanacError
from bot.slack.answering import Answering
from bot.slack.directory import Members
from bot.slack.elements import Block, compact
from bot.slack.request import AccessRefused, Request, explains
from bot.slack_app.digests.views import updatable

log = logging.getLogger(__name__)

MOST_OFFERED = 5
UPDATE = "Update the digest of {period} in #{channel}"


class PostedDigests:
    """Its methods block, never raise, and any thread may call them."""

    def __init__(self, updating: Updating, answering: Answering, members: Members) -> None:
        self._updating = updating
        self._answering = answering
        self._members = members

    def offers(self, user: str, channel: str, sha: str) -> tuple[Block, ...]:
        """A button for each posted digest that showed a change which somebody has just corrected."""
        try:
            found = []
            for digest, where in self._posts_showing(user, channel, sha):
                place = self._members.place(where)
                if not place.name or not self._members.may_know_of(user, place):
                    continue
                label = UPDATE.format(period=digest.period.title, channel=place.name)
                found.append((compact({"digest": digest.key, "sha": sha}), label))
            return updatable(found[:MOST_OFFERED])
        except (AlmanacError, AccessRefused, ValueError) as error:
            log.info("no digest is offered to be updated: %s", error)
        except Exception:  # the correction is made; its confirmation must be seen
            log.exception("no digest is offered to be updated")
        return ()

    @explains("a digest could not be updated")
    def update(self, user: str, channel: str, value: str) -> str:
        """Update a digest, for whoever may correct what it showed; and say what came of it."""
        held = json.loads(value)
        every = self._posts_showing(user, channel, str(held["sha"]))
        digest = next((one for one, _ in every if one.key == held["digest"]), None)
        if digest is None:
            raise AlmanacError("this digest is not posted any more")
        return self._updating.update(digest)

    def _posts_showing(self, user: str, channel: str, sha: str) -> list[tuple[DigestPost, str]]:
        one = self._answering.context(Request(user, channel, alone=True)).correctable(sha)
        return self._updating.posts_showing([*one.shas, one.change.id])
