"""What the modals of /almanac digest show, what is pressed in them, and the digests that are made and changed there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.digest.composing import Composer
from bot.digest.delivery import deliver, planned_posts
from bot.digest.follow_ups import FollowUps
from bot.digest.subscription import DigestPost, DigestSubscription, SubscriptionId
from bot.digest.subscriptions import checked
from bot.errors import AlmanacError
from bot.settings import Settings
from bot.slack import elements
from bot.slack.audience import is_id
from bot.slack.directory import Members
from bot.slack.payloads import Action
from bot.slack.request import RequestContext, explained, explains, explains_in_modal
from bot.slack.sender import Sender
from bot.slack_app.digests import form as digest_form
from bot.slack_app.digests import views as digests
from bot.slack_app.digests.rights import DigestRights
from bot.slack_app.digests.views import OpenedFrom
from bot.slack_app.digests.zones import zones
from bot.slack_app.windows import Ending
from storage import Store

SEND_SECONDS = 20.0  # what is longer goes on with the clock
UNFILLED = "a modal of digests could not be filled"
UNDONE = "what was pressed of a digest could not be done"
NOT_YOURS_TO_READ = "only who is in its channel can see a digest before it is posted"
NOT_THERE = "I cannot see this channel: type /invite @Almanac in it first."
NOT_IN = "You are not in this channel: join it first."
ONLY_CHANNELS = "A digest is posted in a channel."
THERE_ALREADY = "there is such a digest already: change that one"
TOML_HAS_IT = "almanac.toml has this digest already: change it there"
_UNSHOWN = ("templates", "months_back")  # of a digest: the form does not have them


class DigestActions:
    """Its methods block, never raise, and any thread may call them. A press that is delivered again is for the caller
    to drop."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        members: Members,
        rights: DigestRights,
        composer: Composer,
        follow_ups: FollowUps,
        poster: Sender,
        workspace: str,
    ) -> None:
        self._settings = settings
        self._store = store
        self._members = members
        self._rights = rights
        self._composer = composer
        self._follow_ups = follow_ups
        self._poster = poster
        self._workspace = workspace

    def _seen(self, press: Action) -> RequestContext:
        return self._rights.view(press.user, OpenedFrom.at(press))

    # what is shown

    @explains_in_modal(UNFILLED, digests.TITLE)
    def listing(self, user: str, kept: OpenedFrom, said: str = "") -> elements.View:
        """The digests that somebody may see, those of the channel that was asked in first."""
        view = self._rights.view(user, kept)
        rows = self._rights.first_of_channel(self._rights.rows(user, view), kept.channel)
        return digests.listing(rows, kept, said, can_make=not self._rights.others_refused(view))

    @explains_in_modal(UNFILLED, "New digest")
    def new(self, press: Action) -> elements.View:
        """The form for a new digest."""
        view, kept = self._seen(press), OpenedFrom.at(press)
        self._rights.must_ask_about_others(view)
        here = self._members.place(kept.channel) if is_id(kept.channel, "CG") else None
        table = {"channel": kept.channel} if here and here.kind in ("public", "private") else {}
        return self._form(table, view, kept)

    @explains_in_modal(UNFILLED, "Change a digest")
    def edit(self, press: Action) -> elements.View:
        """The form for a digest that was made in Slack."""
        view, kept = self._seen(press), OpenedFrom.at(press)
        one = self._rights.changeable(digests.named(press.value), press.user, view)
        table = {**one.as_wanted(), "channel": self._rights.id_of(one.channel)}
        return self._form(table, view, replace(kept, digest=one.id))

    def _form(self, table: Mapping[str, Any], view: RequestContext, kept: OpenedFrom) -> elements.View:
        indexed = [one.name for one in self._store.commits.repositories() if one.name not in view.sight.hidden]
        zone = view.member.zone_info
        teams = [team.name for team in self._settings.teams]
        offered = digest_form.Offered(teams, self._members.handles(), sorted(indexed), zones())
        return digest_form.form(table, offered, kept, _plainly(zone.key) if zone else self._settings.zone.key)

    @explains_in_modal(UNFILLED, "Preview")
    def preview(self, press: Action) -> elements.View:
        """A digest of the last period that is over, as it would be posted."""
        view, one = self._seen(press), self._rights.named(digests.named(press.value))
        if not self._rights.may_read(one, press.user, view):
            raise AlmanacError(NOT_YOURS_TO_READ)
        digest = self._last(one)
        messages = self._composer.compose(digest).messages
        return digests.preview(_title(digest), self._rights.called(one), messages, OpenedFrom.at(press))

    @explains_in_modal(UNFILLED, "Post it now?")
    def posting(self, press: Action) -> elements.View:
        """What asks whether the last period that is over is to be posted, and shows it."""
        view = self._seen(press)
        one = self._postable(digests.named(press.value), press.user, view)
        digest, channel = self._last(one), self._rights.called(one)
        root = self._store.outbox.get(digest.key)
        if root is not None and root.state == "sent":
            return elements.said("Post it now?", f"{_title(digest)} was posted already in {channel}.")
        may_read = self._rights.may_read(one, press.user, view)
        messages = self._composer.compose(digest).messages if may_read else ()
        return digests.posting(_title(digest), channel, messages, replace(OpenedFrom.at(press), digest=one.id))

    # what is done

    @explains(UNDONE)
    def pause(self, press: Action) -> str:
        view = self._seen(press)
        one = self._rights.named(digests.named(press.value), press.user, view)
        why, reported = f"by {view.called}", one.owner in ("", press.user)
        is_new = self._store.digests.pause(one.id, why, self._settings.now(), reported=reported)
        return "Paused: nothing of it is posted until it is resumed." if is_new else "It is paused already."

    @explains(UNDONE)
    def resume(self, press: Action) -> str:
        one = self._rights.named(digests.named(press.value), press.user, self._seen(press))
        is_new = self._rights.subscriptions.resume(one, self._settings.now())
        return "It is posted again, from the next time on." if is_new else "It is not paused."

    @explains(UNDONE)
    def delete(self, press: Action) -> str:
        one = self._rights.changeable(digests.named(press.value), press.user, self._seen(press))
        self._store.digests.remove(one.id, self._settings.now())
        return f"Deleted: {self._rights.called(one)} gets this digest no more."

    @explains(UNDONE)
    def post(self, user: str, kept: OpenedFrom) -> str:
        """Post the last period that is over of the digest that a modal was opened for, unless that was done."""
        one = self._postable(kept.digest, user, self._rights.view(user, kept))
        digest = self._last(one)
        root, now = self._store.outbox.get(digest.key), self._settings.now()
        if root is None or root.state == "skipped":
            composed = self._composer.compose(digest)
            known = self._follow_ups.known_by(digest, composed.document)
            posts = planned_posts(digest, composed.channel, composed.messages)
            self._store.digests.plan(digest, known, posts, now, composed.covered)
        outcome = deliver(digest, self._store, self._poster, now, SEND_SECONDS)
        return f"{self._rights.called(one)}: {outcome.text}."

    # what is made

    def save(self, user: str, view: Mapping[str, Any]) -> Ending:
        """Make the digest that a form says, or change the one it was opened for. What is submitted again changes
        nothing."""
        kept = OpenedFrom.of(view)
        try:
            typed = digest_form.typed(view)
            errors = dict(typed.errors)
            seen = self._rights.view(user, kept)
            if "channel" not in errors and (wrong := self._wrong_channel(str(typed.table["channel"]), user)):
                errors["channel"] = wrong
            if (team := typed.table["team"]) and self._settings.team(str(team)) is None:
                errors["whom"] = "There is no such team in almanac.toml any more."
            if not errors:
                return Ending.saying(digests.TITLE, self._saved(typed.table, kept, user, seen))
        except Exception as error:
            errors = {"channel": explained(error, "a digest could not be saved")}
        return replace(Ending.saying(digests.TITLE, " ".join(errors.values())), errors=errors)

    def _saved(self, table: Mapping[str, Any], kept: OpenedFrom, user: str, view: RequestContext) -> str:
        self._rights.must_ask_about_others(view)
        before = self._rights.changeable(kept.digest, user, view) if kept.digest else None
        if view.sight.hidden.intersection(table["repositories"]) - set(before.repositories if before else ()):
            raise AlmanacError("there is no such repository")
        values = {key: value for key, value in table.items() if value is not None}
        if before:  # what the form does not show stays
            unshown = before.as_wanted()
            values = {**{key: unshown[key] for key in _UNSHOWN if key in unshown}, **values}
        wanted = DigestSubscription.of(checked(values), self._settings.zone.key)
        is_same = before is not None and before.id == wanted.id
        if not is_same:
            self._must_be_new(wanted, user)
        now = self._settings.now()
        made = self._rights.subscriptions.make(values, before.owner if before else user, now)
        if before and not is_same:
            if before.is_paused:
                self._store.digests.pause(made.id, before.paused_why, now, reported=True)
            self._store.digests.remove(before.id, now)
        return digests.saved(self._rights.row(made, may_change=True), now)

    def _must_be_new(self, wanted: DigestSubscription, user: str) -> None:
        """AlmanacError where another digest tells of the same people in the same channel as often."""
        for one in self._rights.subscriptions.all(self._settings.now()):
            if (self._rights.id_of(one.channel), one.whom, one.cadence) != (
                wanted.channel, wanted.whom, wanted.cadence,
            ):  # fmt: skip
                continue
            if one.is_made_in_slack and one.owner == user and one.as_wanted() == wanted.as_wanted():
                return  # the form is delivered again
            raise AlmanacError(THERE_ALREADY if one.is_made_in_slack else TOML_HAS_IT)

    def _wrong_channel(self, channel: str, user: str) -> str:
        """Why somebody cannot have a digest in a channel; empty where they can."""
        place, seen = self._members.seen_in(channel)
        if place.kind in ("absent", "unknown"):
            return NOT_THERE
        if place.kind not in ("public", "private"):
            return ONLY_CHANNELS
        if not self._members.is_in(user, channel):
            return NOT_IN
        if seen.refused:
            return f"{seen.refused[:1].upper()}{seen.refused[1:]}."
        return ""

    def _postable(self, wanted: SubscriptionId | None, user: str, view: RequestContext) -> DigestSubscription:
        """A digest that somebody may have posted."""
        if wanted is None:
            raise AlmanacError("this modal is of no digest")
        one = self._rights.named(wanted, user, view)
        self._rights.must_ask_about_others(view)
        return one

    def _last(self, one: DigestSubscription) -> DigestPost:
        """A digest of the last period that is over."""
        return DigestPost.of(self._workspace, one, one.present(self._settings.now()) - 1)


def _plainly(zone: str) -> str:
    """The name of a zone, of UTC the one that everybody knows."""
    return "UTC" if zone in ("Etc/UTC", "Etc/GMT", "Etc/UCT", "GMT") else zone


def _title(digest: DigestPost) -> str:
    title = digest.period.title
    return f"{title[:1].upper()}{title[1:]}"
