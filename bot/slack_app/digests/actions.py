"""What the modals of /almanac digest show, and what is pressed in them: paused, resumed, deleted, posted now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.digest.delivery import deliver, planned_posts
from bot.digest.follow_ups import FollowUps
from bot.digest.previews import PreviewRequests
from bot.digest.sending import Sender
from bot.digest.subscription import DigestPost, DigestSubscription, SubscriptionId
from bot.errors import AlmanacError
from bot.settings import Settings
from bot.slack import forms
from bot.slack.answering import Answering, RequestContext
from bot.slack.audience import is_id
from bot.slack.failures import said_of, view_of
from bot.slack.members import Members
from bot.slack.poster import Poster
from bot.slack_app.digests import form as digest_form
from bot.slack_app.digests import views as digests
from bot.slack_app.digests.rights import DigestRights
from bot.slack_app.digests.views import OpenedFrom, Wishes
from bot.slack_app.digests.zones import zones
from storage import Store

SEND_SECONDS = 20.0  # what is longer goes on with the clock
NOT_YOURS_TO_READ = "only who is in its channel can see a digest before it is posted"


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
        preview_requests: PreviewRequests,
        follow_ups: FollowUps,
        poster: Poster,
    ) -> None:
        self._settings = settings
        self._store = store
        self._members = members
        self._answering = answering
        self._rights = rights
        self._preview_requests = preview_requests
        self._follow_ups = follow_ups
        self._poster = poster

    # what is shown

    def listing(self, user: str, kept: OpenedFrom, said: str = "") -> forms.View:
        """The digests that somebody may see, those of the channel that was asked in first."""

        def made(view: RequestContext) -> forms.View:
            rows = self._rights.first_of_channel(self._rights.rows(user, view), kept.channel)
            wishes = Wishes(user not in self._store.preview_optouts.users(), user in self._store.mention_optins.users())
            return digests.listing(rows, kept, wishes, said, can_make=not self._rights.others_refused(view))

        return self._made(digests.TITLE, user, kept, made)

    def new(self, user: str, kept: OpenedFrom) -> forms.View:
        """The form for a new digest."""

        def made(view: RequestContext) -> forms.View:
            self._rights.must_ask_about_others(view)
            here = self._members.place(kept.channel) if is_id(kept.channel, "CG") else None
            table = {"channel": kept.channel} if here and here.kind in ("public", "private") else {}
            return self._form(table, view, user, kept)

        return self._made("New digest", user, kept, made)

    def edit(self, user: str, kept: OpenedFrom, value: str) -> forms.View:
        """The form for a digest that was made in Slack."""

        def made(view: RequestContext) -> forms.View:
            one = self._rights.changeable(digests.named(value), user, view)
            table = {**one.as_wanted(), "channel": self._rights.id_of(one.channel)}
            return self._form(table, view, user, OpenedFrom(kept.channel, kept.home, one.id))

        return self._made("Change a digest", user, kept, made)

    def _form(self, table: Mapping[str, Any], view: RequestContext, user: str, kept: OpenedFrom) -> forms.View:
        indexed = [one.name for one in self._store.commits.repositories() if one.name not in view.sight.hidden]
        zone = self._members.member(user).zone_info
        teams = [team.name for team in self._settings.teams]
        offered = digest_form.Offered(teams, self._members.handles(), sorted(indexed), zones())
        return digest_form.form(table, offered, kept, _plainly(zone.key) if zone else self._settings.zone.key)

    def preview(self, user: str, kept: OpenedFrom, value: str) -> forms.View:
        """A digest of the last period that is over, as it would be posted."""

        def made(view: RequestContext) -> forms.View:
            one = self._rights.named(digests.named(value))
            if not self._rights.may_read(one, user, view):
                raise AlmanacError(NOT_YOURS_TO_READ)
            digest = self._last(one)
            composed = self._preview_requests.composed(digest)
            return digests.preview(_title(digest), self._rights.called(one), composed.messages, kept)

        return self._made("Preview", user, kept, made)

    def posting(self, user: str, kept: OpenedFrom, value: str) -> forms.View:
        """What asks whether the last period that is over is to be posted, and shows it."""

        def made(view: RequestContext) -> forms.View:
            one = self._postable(digests.named(value), user, view)
            digest, asked = self._last(one), OpenedFrom(kept.channel, kept.home, one.id)
            root = self._store.outbox.get(digest.key)
            if root is not None and root.state == "sent":
                return forms.said("Post it now?", f"{_title(digest)} was posted already in {self._rights.called(one)}.")
            may_read = self._rights.may_read(one, user, view)
            messages = self._preview_requests.composed(digest).messages if may_read else ()
            return digests.posting(_title(digest), self._rights.called(one), messages, asked)

        return self._made("Post it now?", user, kept, made)

    def _made(
        self, title: str, user: str, kept: OpenedFrom, made: Callable[[RequestContext], forms.View]
    ) -> forms.View:
        what = "a modal of digests could not be filled"
        return view_of(what, title, lambda: made(self._rights.view(user, kept)))

    # what is done

    def pause(self, user: str, kept: OpenedFrom, value: str) -> str:
        def done(view: RequestContext) -> str:
            one = self._rights.named(digests.named(value), user, view)
            why = f"by {self._answering.called(view)}"
            is_new = self._store.digests.pause(one.id, why, self._settings.now(), reported=one.owner in ("", user))
            return "Paused: nothing of it is posted until it is resumed." if is_new else "It is paused already."

        return self._done(user, kept, done)

    def resume(self, user: str, kept: OpenedFrom, value: str) -> str:
        def done(view: RequestContext) -> str:
            one = self._rights.named(digests.named(value), user, view)
            is_new = self._rights.subscriptions.resume(one, self._settings.now())
            return "It is posted again, from the next time on." if is_new else "It is not paused."

        return self._done(user, kept, done)

    def delete(self, user: str, kept: OpenedFrom, value: str) -> str:
        def done(view: RequestContext) -> str:
            one = self._rights.changeable(digests.named(value), user, view)
            self._store.digests.remove(one.id, self._settings.now())
            return f"Deleted: {self._rights.called(one)} gets this digest no more."

        return self._done(user, kept, done)

    def post(self, user: str, kept: OpenedFrom) -> str:
        """Post the last period that is over of the digest that a modal was opened for, unless that was done."""

        def done(view: RequestContext) -> str:
            one = self._postable(kept.digest, user, view)
            digest = self._last(one)
            root, now = self._store.outbox.get(digest.key), self._settings.now()
            if root is None or root.state == "skipped":
                composed = self._preview_requests.composed(digest)
                known = self._follow_ups.known_by(digest, composed.document)
                posts = planned_posts(digest, composed.channel, composed.messages)
                self._store.digests.plan(digest, known, posts, now)
            sender = Sender(self._poster, self._store.outbox)
            outcome = deliver(digest, self._store, sender, now, SEND_SECONDS)
            return f"{self._rights.called(one)}: {outcome.text}."

        return self._done(user, kept, done)

    def _postable(self, wanted: SubscriptionId | None, user: str, view: RequestContext) -> DigestSubscription:
        """A digest that somebody may have posted."""
        if wanted is None:
            raise AlmanacError("this modal is of no digest")
        one = self._rights.named(wanted, user, view)
        self._rights.must_ask_about_others(view)
        return one

    def _last(self, one: DigestSubscription) -> DigestPost:
        """A digest of the last period that is over."""
        return DigestPost.of(self._preview_requests.workspace, one, one.present(self._settings.now()) - 1)

    def ask_me(self, user: str, kept: OpenedFrom) -> str:
        """Ask somebody before digests, or not any more."""

        def done(_: RequestContext) -> str:
            if user in self._store.preview_optouts.users():
                self._store.preview_optouts.remove(user)
                return "You are asked again before digests that want it so."
            self._store.preview_optouts.add(user, self._settings.now())
            return "You are not asked any more."

        return self._done(user, kept, done)

    def mention_me(self, user: str, kept: OpenedFrom) -> str:
        """Have digests mention somebody, or name them again."""

        def done(_: RequestContext) -> str:
            if user in self._store.mention_optins.users():
                self._store.mention_optins.remove(user)
                return "Digests only name you from now on."
            self._store.mention_optins.add(user, self._settings.now())
            return "Digests mention you from now on."

        return self._done(user, kept, done)

    def _done(self, user: str, kept: OpenedFrom, done: Callable[[RequestContext], str]) -> str:
        what = "what was pressed of a digest could not be done"
        return said_of(what, lambda: done(self._rights.view(user, kept)))


def _plainly(zone: str) -> str:
    """The name of a zone, of UTC the one that everybody knows."""
    return "UTC" if zone in ("Etc/UTC", "Etc/GMT", "Etc/UCT", "GMT") else zone


def _title(digest: DigestPost) -> str:
    title = digest.period.title
    return f"{title[:1].upper()}{title[1:]}"
