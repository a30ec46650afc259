"""What the modals of /almanac digest show, and what is pressed in them: paused, resumed, deleted, posted now."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from bot.digest.composing import Composer
from bot.digest.delivery import planned_posts, told
from bot.digest.follow_ups import FollowUps
from bot.digest.keys import first_key
from bot.digest.preview_requests import PreviewRequests
from bot.digest.sending import Sender, waited
from bot.digest.subscriptions import Wanted
from bot.errors import AlmanacError
from bot.settings import Settings
from bot.slack import modals
from bot.slack.answering import Answering, View
from bot.slack.audience import is_id
from bot.slack.members import Members
from bot.slack.poster import Poster
from bot.slack.user_groups import UserGroups
from bot.slack_app.digests import form as digest_form
from bot.slack_app.digests import views as digests
from bot.slack_app.digests.rights import DigestRights
from bot.slack_app.digests.views import Kept, Wishes
from storage import Store

log = logging.getLogger(__name__)

SEND_SECONDS = 20.0  # what is longer goes on with the clock
NOT_YOURS_TO_READ = "only who is in its channel can see a digest before it is posted"


@cache
def zones() -> tuple[str, ...]:
    """The time zones that can be chosen: those that are named for a place, and UTC."""
    of_places = (one for one in available_timezones() if "/" in one and not one.startswith(("Etc/", "posix/")))
    return ("UTC", *sorted(of_places))


class DigestActions:
    """Its methods block, never raise, and any thread may call them. A press that is delivered again is for the caller
    to drop."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        members: Members,
        answering: Answering,
        rights: DigestRights,
        composer: Composer,
        groups: UserGroups,
        preview_requests: PreviewRequests,
        follow_ups: FollowUps,
        poster: Poster,
        workspace: str,
    ) -> None:
        self._settings = settings
        self._store = store
        self._members = members
        self._answering = answering
        self._rights = rights
        self._composer = composer
        self._groups = groups
        self._preview_requests = preview_requests
        self._follow_ups = follow_ups
        self._poster = poster
        self._workspace = workspace

    # what is shown

    def listing(self, user: str, kept: Kept, said: str = "") -> modals.View:
        """The digests that somebody may see, those of the channel that was asked in first."""

        def made() -> modals.View:
            view = self._rights.view(user, kept)
            here = [one for one in self._rights.all() if self._rights.is_in(one, kept.channel)]
            others = [one for one in self._rights.all() if not self._rights.is_in(one, kept.channel)]
            rows = [row for one in (*here, *others) if (row := self._rights.row(one, user, view))]
            wishes = Wishes(user not in self._store.previews.unasked(), user in self._store.previews.mentioned())
            return digests.listing(rows, kept, wishes, said, can_make=not self._rights.others_refused(view))

        return self._rights.made(digests.TITLE, made)

    def new(self, user: str, kept: Kept) -> modals.View:
        """The form for a new digest."""

        def made() -> modals.View:
            view = self._rights.view(user, kept)
            if refused := self._rights.others_refused(view):
                raise AlmanacError(refused.rstrip("."))
            here = self._members.place(kept.channel) if is_id(kept.channel, "CG") else None
            table = {"channel": kept.channel} if here and here.kind in ("public", "private") else {}
            return self._form(table, view, user, kept)

        return self._rights.made("New digest", made)

    def edit(self, user: str, kept: Kept, value: str) -> modals.View:
        """The form for a digest that was made in Slack."""

        def made() -> modals.View:
            view = self._rights.view(user, kept)
            one = self._rights.changeable(digests.named(value), user, view)
            table = {**one.stored.wanted, "channel": self._rights.id_of(one.table.channel)}
            kept_here = Kept(kept.channel, kept.home, (one.stored.key, one.stored.cadence))
            return self._form(table, view, user, kept_here)

        return self._rights.made("Change a digest", made)

    def _form(self, table: Mapping[str, Any], view: View, user: str, kept: Kept) -> modals.View:
        indexed = [one.name for one in self._store.commits.repositories() if one.name not in view.sight.hidden]
        zone = self._members.zone(user)
        offered = digest_form.Offered(
            [team.name for team in self._settings.teams], self._groups.handles(), sorted(indexed), zones()
        )
        return digest_form.form(table, offered, kept, _plainly(zone.key) if zone else self._settings.zone_name)

    def preview(self, user: str, kept: Kept, value: str) -> modals.View:
        """A digest of the last period that is over, as it would be posted."""

        def made() -> modals.View:
            view = self._rights.view(user, kept)
            one = self._rights.named(digests.named(value))
            if not self._rights.may_read(one, user, view):
                raise AlmanacError(NOT_YOURS_TO_READ)
            schedule = one.schedule
            period = schedule.present(self._settings.now()) - 1
            first = self._preview_requests.first(schedule, period)
            composed = self._composer.compose(schedule, period, replies=self._preview_requests.replies(first))
            title = f"{period.title[0].upper()}{period.title[1:]}"
            return digests.preview(title, self._rights.called(one), composed.messages, kept)

        return self._rights.made("Preview", made)

    # what is done

    def pause(self, user: str, kept: Kept, value: str) -> str:
        def done(view: View) -> str:
            one = self._rights.named(digests.named(value), user, view)
            why = f"by {self._answering.called(view)}"
            is_new = self._store.digests.pause(
                one.stored.key, one.stored.cadence, why, self._settings.now(), told=one.stored.owner in ("", user)
            )
            return "Paused: nothing of it is posted until it is resumed." if is_new else "It is paused already."

        return self._rights.done(user, kept, done)

    def resume(self, user: str, kept: Kept, value: str) -> str:
        def done(view: View) -> str:
            one = self._rights.named(digests.named(value), user, view)
            is_new = self._rights.digests.resume(one, self._settings.now())
            return "It is posted again, from the next time on." if is_new else "It is not paused."

        return self._rights.done(user, kept, done)

    def delete(self, user: str, kept: Kept, value: str) -> str:
        def done(view: View) -> str:
            one = self._rights.changeable(digests.named(value), user, view)
            self._store.digests.remove(one.stored.key, one.stored.cadence, self._settings.now())
            return f"Deleted: {self._rights.called(one)} gets this digest no more."

        return self._rights.done(user, kept, done)

    def post(self, user: str, kept: Kept, value: str) -> str:
        """Post the last period that is over, unless that was done."""

        def done(view: View) -> str:
            one = self._rights.named(digests.named(value), user, view)
            if refused := self._rights.others_refused(view):
                raise AlmanacError(refused.rstrip("."))
            return self._posted(one)

        return self._rights.done(user, kept, done)

    def _posted(self, one: Wanted) -> str:
        schedule, outbox = one.schedule, self._store.outbox
        period = schedule.present(self._settings.now()) - 1
        first = first_key(self._workspace, schedule.key, str(period))
        root = outbox.get(first)
        if root is None or root.state == "skipped":
            composed = self._composer.compose(schedule, period, replies=self._preview_requests.replies(first))
            self._follow_ups.posting(first, composed.document, schedule.zone)
            outbox.unskip(first)
            self._poster.plan(planned_posts(first, composed.channel, composed.messages))
        outbox.revive(first, self._settings.now())
        before = outbox.parts(first)
        Sender(self._poster, outbox, waited).send_waiting(SEND_SECONDS, first)
        outcome = told(period, before, [outbox.get(key) for key in before])
        return f"{self._rights.called(one)}: {outcome.text}."

    def ask_me(self, user: str, kept: Kept) -> str:
        """Ask somebody before digests, or not any more."""

        def done(_: View) -> str:
            if user in self._store.previews.unasked():
                self._store.previews.ask_again(user)
                return "You are asked again before digests that want it so."
            self._store.previews.unask(user, self._settings.now())
            return "You are not asked any more."

        return self._rights.done(user, kept, done)

    def mention_me(self, user: str, kept: Kept) -> str:
        """Have digests mention somebody, or name them again."""

        def done(_: View) -> str:
            if user in self._store.previews.mentioned():
                self._store.previews.only_name(user)
                return "Digests only name you from now on."
            self._store.previews.mention(user, self._settings.now())
            return "Digests mention you from now on."

        return self._rights.done(user, kept, done)


def _plainly(zone: str) -> str:
    """The name of a zone, of UTC the one that everybody knows."""
    return "UTC" if zone in ("Etc/UTC", "Etc/GMT", "Etc/UCT", "GMT") else zone
