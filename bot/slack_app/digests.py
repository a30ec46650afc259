"""Digests in Slack: the list of those that somebody may see, the form of one, its preview, and what is pressed in them.

Whoever presses is looked at anew each time: what a button or a modal holds only says what is meant, never who may do
it. Everything in the modals has its most, so that they fit whatever there is; text that people wrote stands in plain
text.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.digest.service import DigestService
from bot.digest.subscriptions import (
    TOML_HAS_IT,
    DigestPost,
    DigestSubscription,
    SubscriptionId,
    Subscriptions,
    checked,
)
from bot.errors import AlmanacError
from bot.month.calendar import CADENCES
from bot.slack import elements as ui
from bot.slack.answering import Answering
from bot.slack.audience import About, AccessRefused, Request, RequestContext, explained, is_admin, is_id, sight
from bot.slack.elements import Action, Block, Ending, View
from bot.slack.modals import fitting
from bot.story.lines import on
from bot.wording import capital

log = logging.getLogger(__name__)

TITLE = "Digests"
# What a press means, as the beginning of an action_id.
NEW = "digest_new"
EDIT = "digest_edit"
PREVIEW = "digest_preview"
PAUSE = "digest_pause"
RESUME = "digest_resume"
POST = "digest_post"
DELETE = "digest_delete"
UPDATE = "digest_update"  # posted digests, after a correction
FORM, POST_SURELY = "digest_form", "digest_post_surely"  # callback ids

SEND_SECONDS = 20.0  # what is longer goes on with the clock
MOST_ROWS = 20  # three blocks each of a hundred
MOST_OFFERED = 5
LONGEST_TEAM = ui.MAX_OPTION_VALUE - 5  # of a name, behind "team:"

IN_TOML = "this digest is set in almanac.toml: change it there"
NOT_YOURS = "only whoever made a digest, and admins, can pause it or resume it"
NO_DIGEST = "there is no such digest any more"
NO_GUESTS = "Only members of this workspace can see and change digests."
NOT_YOURS_TO_READ = "only who is in its channel can see a digest before it is posted"
NOT_THERE = "I cannot see this channel: type /invite @Almanac in it first."
NOT_IN = "You are not in this channel: join it first."
ONLY_CHANNELS = "A digest is posted in a channel."
THERE_ALREADY = "there is such a digest already: change that one"
NONE = "There is no digest yet that you may see."
UNSEEN = "You are not shown it before, since you cannot read that channel."
SET_IN_TOML = "Set in almanac.toml: change it there. The folder that a digest's words come from is set there, too."
MORE = "{count} more: almanac digest --list prints them all."
UPDATE_ONE = "Update the digest of {period} in #{channel}"
OF_MONTH = "Of the month after, where it is posted of more than a week."
OF_WEEK = "Of the week after, where it is posted every week."

EVERYONE = "everyone"
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAYS = {str(number): name for number, name in enumerate(WEEKDAYS, 1)}
OFTEN: dict[str, str] = {cadence: f"Every {period.noun}" for cadence, period in CADENCES.items()}
QUIET = {"say": "Say that there was nothing", "skip": "Post nothing"}
HOURS = {str(hour): f"{hour:02}:00" for hour in range(24)}


@dataclass(frozen=True, slots=True)
class OpenedFrom:
    """What a modal keeps of where it was opened: the channel; the Home tab, as its reader's direct messages; and the
    digest that is changed in it, by key and cadence."""

    channel: str = ""
    home: str = ""
    digest: SubscriptionId | None = None

    def written(self) -> str:
        where = {key: value for key, value in (("channel", self.channel), ("home", self.home)) if value}
        named = {"key": self.digest[0], "cadence": self.digest[1]} if self.digest else {}
        return ui.compact({**where, **named})

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> OpenedFrom:
        """What a modal keeps."""
        kept = ui.kept_in(view)
        digest = (str(kept["key"]), str(kept["cadence"])) if "key" in kept and "cadence" in kept else None
        return cls(str(kept.get("channel") or ""), str(kept.get("home") or ""), digest)

    @classmethod
    def at(cls, press: Action) -> OpenedFrom:
        """Where something was pressed: in a message, in one of our modals, or in Home."""
        if press.view.get("type") == "home":
            return cls(home=press.channel)
        return cls(press.channel, cls.of(press.view).home)


@dataclass(frozen=True, slots=True)
class DigestRow:
    """A digest as somebody sees it in a list. `channel` is what its channel is called; `may_read` says whether they may
    see how it would be."""

    subscription: DigestSubscription
    channel: str
    next_at: datetime
    may_change: bool = False
    may_read: bool = False

    @property
    def whom(self) -> str:
        one = self.subscription
        whom = f"team {one.team}" if one.team else f"@{one.group.lstrip('@')}" if one.group else EVERYONE
        return f"{whom} in {', '.join(one.repositories)}" if one.repositories else whom

    def block(self) -> Block:
        """What it is, and when it is posted next. Only the date is read by Slack; all else in it is ours or plain."""
        one = self.subscription
        about = f"{ui.line(self.channel)}: {ui.line(self.whom)}, {one.cadence}"
        why = f": {ui.line(one.paused_why)}" if one.paused_why else ""
        following = {"type": "mrkdwn", "text": f"Next: {ui.slack_date(self.next_at)}", "verbatim": True}
        return {**ui.words(about), "fields": [ui.plain(f"Paused{why}") if one.is_paused else following]}

    def buttons(self, number: int) -> Iterator[Block | None]:
        one, is_ours = self.subscription, self.may_change and self.subscription.is_made_in_slack
        value = ui.compact({"key": one.key, "cadence": one.cadence})
        if is_ours:
            yield ui.button("Edit", f"{EDIT}.{number}", value)
        if self.may_read:
            yield ui.button("Preview", f"{PREVIEW}.{number}", value)
        if self.may_change:
            label, action = ("Resume", RESUME) if one.is_paused else ("Pause", PAUSE)
            yield ui.button(label, f"{action}.{number}", value)
            yield ui.button("Post now", f"{POST}.{number}", value)
        if is_ours:
            sure = ui.confirmation("Delete this digest?", "It is not posted any more. What is posted stays.", "Delete")
            yield ui.button("Delete", f"{DELETE}.{number}", value, style="danger", confirm=sure)


class DigestActions:
    """Digests as somebody may see, change and have them posted. Its methods block, raise AlmanacError and AccessRefused
    for what cannot be, and any thread may call them. A press that is delivered again is for the caller to drop."""

    def __init__(self, answering: Answering, service: DigestService) -> None:
        self._settings = answering.index.settings
        self._store = answering.index.store
        self._members = answering.members
        self._context = answering.context
        self._subscriptions = Subscriptions.of(self._settings, self._store)
        self._service = service

    # who may see and change what

    def _view(self, user: str, kept: OpenedFrom) -> RequestContext:
        """What somebody may see. Raises AccessRefused where that is nothing: guests have no digests."""
        view = self._context(Request(user, kept.channel, alone=True))
        if view.reader.standing != "member":
            raise AccessRefused(NO_GUESTS, privately=True)
        return view

    def _others_refused(self, view: RequestContext) -> str | None:
        """Why somebody may not ask about others, which a digest is."""
        return sight(view.reader, view.place, view.rules, About(others=True), alone=True).refused

    def _must_ask_about_others(self, view: RequestContext) -> None:
        if refused := self._others_refused(view):
            raise AlmanacError(refused.rstrip("."))

    def rows(self, user: str, view: RequestContext) -> list[DigestRow]:
        """The digests that are somebody's to know of."""
        every = self._subscriptions.all(self._settings.now())
        return [row for one in every if (row := self._row(one, user, view))]

    def _row(self, one: DigestSubscription, user: str, view: RequestContext) -> DigestRow | None:
        """A digest as somebody sees it, who may see what its channel will if they can read there and may ask about
        others, and change it if they made it or are an admin; None where it is not theirs to know of."""
        may_change = is_admin(view.reader, view.rules) or (bool(user) and one.owner == user)
        place = self._members.place_named(one.channel, view.rules)
        can_read = self._members.may_know_of(user, place)
        if view.sight.hidden.intersection(one.repositories) or not (can_read or may_change):
            return None
        called, next_at = f"#{place.name or one.channel.lstrip('#')}", one.due_at(one.upcoming(self._settings.now()))
        return DigestRow(one, called, next_at, may_change, can_read and not self._others_refused(view))

    def _named(self, wanted: SubscriptionId | None, user: str, view: RequestContext) -> DigestRow:
        row = next((row for row in self.rows(user, view) if row.subscription.id == wanted), None)
        if row is None:
            raise AlmanacError(NO_DIGEST)
        return row

    def _changeable(
        self, wanted: SubscriptionId | None, user: str, view: RequestContext, *, in_slack: bool = True
    ) -> DigestRow:
        """A digest that somebody may change: one made in Slack; not `in_slack`, pause and have posted."""
        row = self._named(wanted, user, view)
        if not row.may_change:
            raise AlmanacError(NOT_YOURS)
        if in_slack and not row.subscription.is_made_in_slack:
            raise AlmanacError(IN_TOML)
        return row

    def _seen(self, press: Action) -> RequestContext:
        return self._view(press.user, OpenedFrom.at(press))

    # what is shown

    def listing(self, user: str, kept: OpenedFrom, said: str = "") -> View:
        """The digests that somebody may see, those of the channel that was asked in first."""
        view, id_of = self._view(user, kept), self._members.id_of
        rows = self.rows(user, view)
        rows.sort(key=lambda row: not kept.channel or id_of(row.subscription.channel) != kept.channel)
        return list_view(rows, kept, said, can_make=not self._others_refused(view))

    def new(self, press: Action) -> View:
        """The form for a new digest."""
        view, kept = self._seen(press), OpenedFrom.at(press)
        self._must_ask_about_others(view)
        here = self._members.place(kept.channel) if is_id(kept.channel, "CG") else None
        table = {"channel": kept.channel} if here and here.kind in ("public", "private") else {}
        return self._form(table, view, kept)

    def edit(self, press: Action) -> View:
        """The form for a digest that was made in Slack."""
        view, kept = self._seen(press), OpenedFrom.at(press)
        one = self._changeable(named(press.value), press.user, view).subscription
        table = {**one.as_wanted(), "channel": self._members.id_of(one.channel)}
        return self._form(table, view, replace(kept, digest=one.id))

    def _form(self, table: Mapping[str, Any], view: RequestContext, kept: OpenedFrom) -> View:
        indexed = [one.name for one in self._store.commits.repositories() if one.name not in view.sight.hidden]
        own, ours = view.member.zone_info, self._settings.zone
        zones = [zone.key.replace("Etc/UTC", "UTC") for zone in (own, ours) if zone]
        teams = [team.name for team in self._settings.teams]
        return form_view(table, kept, zones, teams, self._members.handles(), sorted(indexed))

    def preview(self, press: Action) -> View:
        """A digest of the last period that is over, as it would be posted, as much of it as fits."""
        row = self._named(named(press.value), press.user, self._seen(press))
        if not row.may_read:
            raise AlmanacError(NOT_YOURS_TO_READ)
        digest = self._last(row)
        first = ui.context(f"{ui.line(_title(digest))}, as {ui.line(row.channel)} would read it. Nothing is posted.")
        kept = OpenedFrom.at(press).written()
        return ui.modal("Preview", [first, *self._as_posted(digest)], private_metadata=kept)

    def posting(self, press: Action) -> View:
        """What asks whether the last period that is over is to be posted, and shows it, to whom may see it before."""
        row = self._postable(named(press.value), press.user, self._seen(press))
        digest = self._last(row)
        root = self._store.outbox.get(digest.key)
        if root is not None and root.state == "sent":
            return ui.said("Post it now?", f"{_title(digest)} was posted already in {row.channel}.")
        shown = self._as_posted(digest) if row.may_read else []
        beneath = "It is posted so:" if shown else UNSEEN
        first = ui.words(
            f"{ui.line(_title(digest))} is posted in {ui.line(row.channel)} now, for all who read there. {beneath}"
        )
        kept = replace(OpenedFrom.at(press), digest=row.subscription.id).written()
        return ui.form("Post it now?", [first, *shown], POST_SURELY, "Post now", kept)

    def _as_posted(self, digest: DigestPost) -> list[Block]:
        return fitting(self._service.compose(digest).messages, 2)

    # what is done

    def pause(self, press: Action) -> str:
        view = self._seen(press)
        one = self._changeable(named(press.value), press.user, view, in_slack=False).subscription
        why, reported = f"by {view.called}", one.owner in ("", press.user)
        is_new = self._store.digests.pause(one.id, why, self._settings.now(), reported=reported)
        return "Paused: nothing of it is posted until it is resumed." if is_new else "It is paused already."

    def resume(self, press: Action) -> str:
        row = self._changeable(named(press.value), press.user, self._seen(press), in_slack=False)
        is_new = self._subscriptions.resume(row.subscription, self._settings.now())
        return "It is posted again, from the next time on." if is_new else "It is not paused."

    def delete(self, press: Action) -> str:
        row = self._changeable(named(press.value), press.user, self._seen(press))
        self._store.digests.remove(row.subscription.id, self._settings.now())
        return f"Deleted: {row.channel} gets this digest no more."

    def post(self, user: str, kept: OpenedFrom) -> str:
        """Post the last period that is over of the digest that a modal was opened for, unless that was done."""
        row = self._postable(kept.digest, user, self._view(user, kept))
        digest = self._last(row)
        root = self._store.outbox.get(digest.key)
        if root is None or root.state == "skipped":
            self._service.plan(digest, self._service.compose(digest), self._settings.now())
        return f"{row.channel}: {self._service.deliver(digest, SEND_SECONDS).text}."

    def _postable(self, wanted: SubscriptionId | None, user: str, view: RequestContext) -> DigestRow:
        row = self._changeable(wanted, user, view, in_slack=False)
        self._must_ask_about_others(view)
        return row

    def _last(self, row: DigestRow) -> DigestPost:
        one = row.subscription
        return DigestPost.of(self._service.workspace, one, one.present(self._settings.now()) - 1)

    # what is made

    def save(self, user: str, view: Mapping[str, Any]) -> Ending:
        """Make the digest that a form says, or change the one it was opened for; or say by its fields what is wrong.
        What is submitted again changes nothing."""
        kept, errors = OpenedFrom.of(view), dict[str, str]()
        try:
            table = typed(view)
            seen = self._view(user, kept)
            if wrong := self._wrong_channel(table["channel"], user):
                errors["channel"] = wrong
            if table.get("team") and self._settings.team(table["team"]) is None:
                errors["whom"] = "There is no such team in almanac.toml any more."
            if not errors:
                return Ending.saying(TITLE, self._saved(table, kept, user, seen))
        except Exception as error:
            errors = {"channel": explained(error, "a digest could not be saved")}
        return replace(Ending.saying(TITLE, " ".join(errors.values())), errors=errors)

    def _saved(self, table: Mapping[str, Any], kept: OpenedFrom, user: str, view: RequestContext) -> str:
        self._must_ask_about_others(view)
        before = self._changeable(kept.digest, user, view).subscription if kept.digest else None
        if view.sight.hidden.intersection(table["repositories"]) - set(before.repositories if before else ()):
            raise AlmanacError("there is no such repository")
        stays = before.as_wanted() if before else {}  # of what the form does not show
        values = {key: value for key, value in stays.items() if key not in ("team", "group")} | dict(table)
        wanted = DigestSubscription.of(checked(values), self._settings.zone.key)
        is_same = before is not None and before.id == wanted.id
        if not is_same:
            self._must_be_new(wanted, user)
        now = self._settings.now()
        made = self._subscriptions.make(values, before.owner if before else user, now)
        if before and not is_same:
            if before.is_paused:
                self._store.digests.pause(made.id, before.paused_why, now, reported=True)
            self._store.digests.remove(before.id, now)
        zone, row = ZoneInfo(made.zone), self._named(made.id, user, view)
        return (
            f"Saved: {ui.line(row.channel)}, {ui.line(row.whom)}, {made.cadence}. It tells {made.upcoming(now).title} "
            f"on {on(row.next_at, zone)} at {row.next_at.astimezone(zone):%H:%M} ({made.zone})."
        )

    def _must_be_new(self, wanted: DigestSubscription, user: str) -> None:
        """AlmanacError where another digest tells of the same people in the same channel as often."""
        same = (wanted.channel, wanted.whom, wanted.cadence)
        for one in self._subscriptions.all(self._settings.now()):
            if (self._members.id_of(one.channel), one.whom, one.cadence) != same:
                continue
            if one.is_made_in_slack and one.owner == user and one.as_wanted() == wanted.as_wanted():
                return  # the form is delivered again
            raise AlmanacError(THERE_ALREADY if one.is_made_in_slack else TOML_HAS_IT)

    def _wrong_channel(self, channel: str, user: str) -> str:
        """Why somebody cannot have a digest in a channel; empty where they can."""
        if not channel:
            return "Choose a channel."
        place, seen = self._members.seen_in(channel)
        if place.kind in ("absent", "unknown"):
            return NOT_THERE
        if place.kind not in ("public", "private"):
            return ONLY_CHANNELS
        if not self._members.is_in(user, channel):
            return NOT_IN
        return f"{capital(seen.refused)}." if seen.refused else ""

    # those that are posted, and showed what somebody corrected

    def offers(self, user: str, channel: str, sha: str) -> tuple[Block, ...]:
        """A button for each posted digest that showed a change which somebody has just corrected."""
        found = list[Block | None]()
        try:
            for digest, where in self._posts_showing(user, channel, sha):
                place = self._members.place(where)
                if place.name and self._members.may_know_of(user, place):
                    label = UPDATE_ONE.format(period=digest.period.title, channel=place.name)
                    found.append(
                        ui.button(label, f"{UPDATE}.{len(found)}", ui.compact({"digest": digest.key, "sha": sha}))
                    )
        except (AlmanacError, AccessRefused, ValueError) as error:
            log.info("no digest is offered to be updated: %s", error)
        except Exception:  # the correction is made; its confirmation must be seen
            log.exception("no digest is offered to be updated")
        return ui.actions(found[:MOST_OFFERED])

    def update(self, press: Action) -> str:
        """Update a digest, for whoever may correct what it showed; and say what came of it."""
        held = ui.held(press.value)
        every = self._posts_showing(press.user, press.channel, str(held.get("sha")))
        digest = next((one for one, _ in every if one.key == held.get("digest")), None)
        if digest is None:
            raise AlmanacError("this digest is not posted any more")
        return self._service.update(digest)

    def _posts_showing(self, user: str, channel: str, sha: str) -> list[tuple[DigestPost, str]]:
        one = self._context(Request(user, channel, alone=True)).correctable(sha)
        return self._service.posts_showing([*one.shas, one.change.id])


@ui.reads()
def named(value: str) -> SubscriptionId:
    """The digest that a button means, by key and cadence."""
    held = ui.held(value)
    return str(held["key"]), str(held["cadence"])


def list_view(rows: Sequence[DigestRow], kept: OpenedFrom, said: str = "", *, can_make: bool = True) -> View:
    """The modal that lists digests."""
    blocks = [ui.words(said)] if said else []
    if not rows:
        blocks.append(ui.words(NONE))
    for number, row in enumerate(rows[:MOST_ROWS]):
        blocks += (row.block(), *ui.actions(row.buttons(number)))
        if not row.subscription.is_made_in_slack:
            blocks.append(ui.context(SET_IN_TOML))
    if len(rows) > MOST_ROWS:
        blocks.append(ui.context(MORE.format(count=f"{len(rows) - MOST_ROWS:,}")))
    if can_make:
        first = {} if rows else {"style": "primary"}
        blocks += ui.actions([ui.button("New digest", f"{NEW}.0", "new", **first)])
    return ui.modal(TITLE, blocks, private_metadata=kept.written(), callback_id=ui.DIGESTS)


def _title(digest: DigestPost) -> str:
    return capital(digest.period.title)


# the form


def form_view(
    table: Mapping[str, Any],
    kept: OpenedFrom,
    zones: Sequence[str],
    teams: Sequence[str] = (),
    groups: Sequence[str] = (),
    repositories: Sequence[str] = (),
) -> View:
    """A digest to be made, or changed: `table` is what is known of it, as [[digests]] of almanac.toml has it. Zones,
    the first where it names none, teams, user groups by handle and repositories can be chosen from."""
    day, is_weekly = str(table.get("day", 1)), _is_by_week(table.get("cadence", "monthly"))
    team, group = table.get("team"), table.get("group")
    whom = f"team:{team}" if team else f"group:{group}" if group else EVERYONE
    there, channel = table.get("zone") or zones[0], table.get("channel")
    every_zone = {name: name.replace("_", " ") for name in (there, *zones, "UTC")}
    picked = {"initial_conversation": channel} if channel else {"default_to_current_conversation": True}
    late = [ui.option(f"{day}", f"{day}., or the last of a shorter month") for day in (29, 30)]
    days = [*(ui.option(f"{day}", f"{day}.") for day in range(1, 29)), *late, ui.option("31", "The last day")]
    every: list[Block | None] = [
        ui.input_block("channel", "Channel", ui.channel_menu(**picked)),
        ui.input_block("whom", "Of whom", ui.menu(_whom(teams, groups, whom), whom)),
        _repositories(repositories, table.get("repositories") or ()),
        ui.input_block("cadence", "How often", ui.menu(ui.options(OFTEN), table.get("cadence", "monthly"))),
        ui.input_block("day", "Day of the month", ui.menu(days, "1" if is_weekly else day), OF_MONTH),
        ui.input_block("weekday", "Day of the week", ui.menu(ui.options(DAYS), day if is_weekly else "1"), OF_WEEK),
        ui.input_block("hour", "At", ui.menu(ui.options(HOURS), str(table.get("hour", 9)))),
        ui.input_block("zone", "Time zone", ui.menu(ui.options(every_zone), there)),
        ui.input_block("quiet", "If nothing was done", ui.menu(ui.options(QUIET), table.get("quiet", "say"))),
    ]
    title = "Change a digest" if kept.digest else "New digest"
    return ui.form(title, [one for one in every if one], FORM, "Save", kept.written())


def _whom(teams: Sequence[str], groups: Sequence[str], chosen: str) -> dict[str, list[Block]]:
    every = {
        "Everybody": [ui.option(EVERYONE, "Everyone who was active")],
        "Teams of almanac.toml": [ui.option(f"team:{one}", one) for one in teams if one and len(one) < LONGEST_TEAM],
        "User groups of Slack": [ui.option(f"group:{one}", f"@{one.lstrip('@')}") for one in groups],
    }
    if chosen not in {one["value"] for group in every.values() for one in group}:
        every["As it is now"] = [ui.option(chosen, chosen.partition(":")[2])]
    return every


def _repositories(offered: Sequence[str], chosen: Iterable[str]) -> Block | None:
    names = [name for name in dict.fromkeys((*offered, *chosen)) if 0 < len(name) <= ui.MAX_OPTION_VALUE]
    if not names:
        return None
    every = {name: ui.option(name, name) for name in names[: ui.MAX_OPTIONS * ui.MOST_GROUPS]}
    first = [every[name] for name in chosen if name in every]
    element: Block = {
        "type": "multi_static_select",
        "placeholder": ui.plain("All repositories"),
        **ui.option_groups({"Repositories": list(every.values())}),
        **({"initial_options": first[: ui.MAX_OPTIONS]} if first else {}),
    }
    return ui.input_block("repositories", "In which repositories", element, optional=True)


def _is_by_week(cadence: str) -> bool:
    """Whether the day of such a digest is one of the week, not of the month."""
    return any(one == cadence and period.last_day == len(DAYS) for one, period in CADENCES.items())


@ui.reads()
def typed(view: Mapping[str, Any]) -> dict[str, Any]:
    """What a form says, as a table of almanac.toml; its channel is empty where none was chosen."""
    values = view["state"]["values"]
    sort, _, whom = ui.chosen_in(view, "whom").partition(":")
    repositories = values.get("repositories", {}).get("repositories", {}).get("selected_options") or ()
    cadence = ui.chosen_in(view, "cadence")
    return {
        "channel": str(values["channel"]["channel"].get("selected_conversation") or ""),
        **({sort: whom} if sort in ("team", "group") else {}),
        "repositories": [str(one["value"]) for one in repositories],
        "cadence": cadence,
        "day": int(ui.chosen_in(view, "weekday" if _is_by_week(cadence) else "day")),
        "hour": int(ui.chosen_in(view, "hour")),
        "zone": ui.chosen_in(view, "zone"),
        "quiet": ui.chosen_in(view, "quiet"),
    }
