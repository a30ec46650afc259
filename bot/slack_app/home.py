"""App Home: what the tab of somebody shows, and what is pressed in it.

All of it is for one reader's eyes, and none of it comes by any other way than `sight`: what they may not read is not
counted here either. Everything has its most, so that it fits into the hundred blocks of a view whatever there is. Text
from git stands in plain or rich text, in which Slack parses nothing; dates are Slack's own, which it writes in the
reader's zone. Whoever presses is looked at anew each time: a button only says what is meant, never who may do it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

from bot.ask.identity import IdentityLogLine, IdentityService, Proposal
from bot.ask.people_directory import KnownPeople, PeopleDirectory
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.errors import AlmanacError
from bot.model import Person
from bot.month.addresses import plain
from bot.month.calendar import Days, Month
from bot.slack import elements as ui
from bot.slack.answering import Answering, Conversation, reason_of
from bot.slack.audience import SORRY, AccessRefused, Request, RequestContext, explained
from bot.slack.elements import Action, Block, Ending, View
from bot.slack.render import rich_text
from bot.slack_app.digests import DigestActions
from bot.story.documents import MonthDocument
from bot.story.lines import distinct_names
from bot.story.render import markdown
from bot.wording import clean, count, listed_few, shortened

log = logging.getLogger(__name__)

Act = Callable[[RequestContext, IdentityService, str], str]

# What a press in Home means, as the beginning of an action_id; a number may follow.
ASK = "home_ask"
ADD = "home_add"  # opens a modal, whose callback id it is, too
NOT_ME = "home_not_me"
THIS_IS_ME = "home_this_is_me"
UNDO = "home_undo"
CONFIRM = "home_confirm"  # and the callback id of the modal after ADD's
HIDE = "home_hide"
SHOW = "home_show"
REFRESH = "home_refresh"

MOST_ITEMS = 3  # of a month
MOST_ADDRESSES = 15
MOST_GUESSES = 5
MOST_LINES = 5  # of the log
MOST_DIGESTS = 8
MOST_FAILURES = 5
MOST_NAMED = 10  # repositories
LONGEST_HEADLINE = 600
LONGEST = 300  # of any other line
LONGEST_TYPED = 400
LONGEST_METADATA = 3_000

UNKNOWN = "I do not know yet who you are in git."
UNPROVED = "I do not know for sure who you are in git: say so first, here."
BY_NAME = "I take you for {name}, only because you have the same name. Confirm it, or say who you are."
IN_MESSAGES = "Whole months come as direct messages, under Messages."
REST = "{count} more: ask /almanac link and an address whose it is."
NOTHING_INDEXED = (
    "Nothing is indexed yet that you may read. Whoever runs me does that with almanac index and the address of a "
    "repository, or with [[repositories]] in almanac.toml."
)
NO_DIGESTS = "No digest is posted in a channel that you may see."
SHOWN = "You are shown: whoever may ask about others can ask about your months, and digests tell of your work."
HIDDEN = "You are not shown: only you see your months, and lists and digests leave your work out."
HIDING = (
    "Your months, your profile and your part in lists and digests will not be shown to others any more. Nothing is "
    "removed, and you can be shown again here at any time."
)
FORGETTING = (
    "To be forgotten, ask whoever runs me for almanac people forget and your address: it removes your commits and all "
    "that was said of you from my database, for good. What is posted in Slack already stays there."
)
NOT_NOW = "{what} cannot be shown just now: {why}."
BROKEN = "something went wrong, and is in my log"

TITLE = "Add an address"
ADDRESS = "address"  # the block id of what is typed
LABEL = "An address that your commits are signed with, or a login"
HINT = "As it stands in git, such as jdoe@example.com; a login as trailers name you, such as jdoe."
TOO_LONG = "That is too long to be linked here: use almanac people link."


class HomeTab:
    """`tab` never raises; the rest raises AlmanacError and AccessRefused for what cannot be. All of it blocks, and any
    thread may call it. A press that is delivered again is for the caller to drop."""

    def __init__(self, answering: Answering, digests: DigestActions) -> None:
        self._answering = answering
        self._linker = answering.linker
        self._store = answering.index.store
        self._settings = answering.index.settings
        self._digest_actions = digests
        self._directory = PeopleDirectory(self._store, self._settings)

    def seen(self, user: str) -> RequestContext:
        """What somebody may see in Home. Raises AccessRefused where that is nothing."""
        return self._answering.context(Request(user, "", alone=True))

    def people(self, view: RequestContext) -> KnownPeople:
        """All whom a reader may know of, as they are shown to them."""
        return self._directory.view(view.sight.hidden, *view.queries.apart)()

    # the tab

    def tab(self, user: str, channel: str, said: str = "", whole: bool = True) -> View:
        """The Home tab of a user; `channel` is their direct messages with the bot, where answers go. Not `whole`:
        without what may take its time, which is said to be on its way."""
        try:
            blocks = [*([ui.words(said)] if said else []), *self._parts(user, self.seen(user), whole)]
        except AccessRefused as refusal:
            blocks = [ui.words(str(refusal))]
        except AlmanacError as error:
            log.warning("a Home tab could not be made: %s", error)
            blocks = [ui.words(f"I cannot tell you anything now: {error.public_text}.")]
        except Exception:  # an empty tab would be the worst answer
            log.exception("a Home tab could not be made")
            blocks = [ui.words(SORRY)]
        return {"type": "home", "blocks": blocks, "private_metadata": ui.compact({"channel": channel[:200]})}

    def _parts(self, user: str, view: RequestContext, whole: bool) -> Iterator[Block]:
        who, profile, troubles = self._linker.who(view), view.member.proved_address, list[str]()
        certain, own = who.person(user, profile), who.own(user, profile)
        person = certain or view.reader.person

        def slow(title: str, what: str, made: Callable[[], Iterable[Block]]) -> list[Block]:
            """What may take its time, and where it fails costs only itself."""
            if not whole:
                return [ui.header(title), ui.context(ui.LOADING)]
            try:
                return [ui.header(title), *made()]
            except AlmanacError as error:
                log.warning("%s cannot be shown in Home: %s", what, error)
                troubles.append(NOT_NOW.format(what=what, why=error.public_text))
            except Exception:  # the rest of the tab is none the worse for it
                log.exception("%s cannot be shown in Home", what)
                troubles.append(NOT_NOW.format(what=what, why=BROKEN))
            return [ui.header(title)]

        if person:
            yield from slow("Your months", "Your months", lambda: self.months(view))
        yield from self._who(who, view, person, is_certain=person is None or certain is not None)
        yield from _log_lines(self._log(who.log(), user, view))
        yield from slow("Digests", "The digests", lambda: self._digests(user, view))
        yield from self._index(view.sight.hidden)
        yield from _whether_shown(not self._directory.now().is_hidden(own) if own else None)
        yield from (ui.context(ui.line(one)) for one in troubles)

    def months(self, view: RequestContext) -> Iterator[Block]:
        """The present month so far and the last one, by the same way that questions are answered."""
        person = view.reader.person
        if person is None:
            return
        called, zone, asking = _called(person, view.queries), view.member.zone_info, list[Block | None]()
        present = Month.of(self._settings.now(), zone) if zone else view.queries.present()
        months = (present, present - 1)
        try:
            replies = [self._answering.reply(_asks(called, month), view)[0] for month in months]
        except AccessRefused as refusal:
            yield ui.words(str(refusal))
            return
        for number, (month, reply) in enumerate(zip(months, replies, strict=True)):
            title = f"{month.title}{' so far' if month == present else ''}"
            document = reply.documents[0] if reply.documents else None
            if not isinstance(document, MonthDocument):
                yield _brief(title, reply.words)
                continue
            yield _brief(title, document.headline.text, [one.title for one in document.items])
            if document.counts["commits"] or document.credit.reviewed or document.written_before:
                asking.append(ui.button(f"All of {month.title}", f"{ASK}.{number}", ui.written(_asks(called, month))))
        if not asking and (last := view.queries.activity.last_month([person])):
            asking.append(ui.button(f"Your {last.title}", f"{ASK}.8", ui.written(_asks(called, last)), style="primary"))
        if asking:
            asking.append(ui.button("Your profile", f"{ASK}.9", ui.written(Question("profile", people=(called,)))))
            yield from ui.actions(asking)
            yield ui.context(IN_MESSAGES)

    def _who(
        self, who: IdentityService, view: RequestContext, person: Person | None, *, is_certain: bool
    ) -> Iterator[Block]:
        user, profile, is_known = view.member.id, view.member.proved_address, bool(person) and is_certain
        yield ui.header("Who you are in git")
        if not person:
            yield ui.words(UNKNOWN)
        elif not is_certain:
            yield ui.words(BY_NAME.format(name=ui.line(person.name)))
        addresses = who.addresses(user, profile)
        for number, one in enumerate(addresses[:MOST_ADDRESSES]):
            is_profile = bool(profile) and one.address == profile
            why = f"the address in your profile; {one.why}" if is_profile else reason_of(one)
            block, not_me = ui.words(f"{ui.line(one.address)}\nWhy: {ui.line(why)}."), None
            with suppress(AlmanacError):  # almanac.toml says so, or a GitHub account
                sure = ui.confirmation("Not you?", who.disclaim(one.address, user, profile).sentence, "Not me")
                not_me = ui.button("Not me", f"{NOT_ME}.{number}", one.address, confirm=sure)
            yield {**block, "accessory": not_me} if not_me else block
        if len(addresses) > MOST_ADDRESSES:
            yield ui.context(REST.format(count=f"{len(addresses) - MOST_ADDRESSES:,}"))
        guesses = list(self._guesses(who, view, is_known))
        if guesses:
            yield ui.context("Is this you, too?" if is_known else "Is this you?")
            yield from guesses
        more = {} if is_known or guesses else {"style": "primary"}
        yield from ui.actions([ui.button("Add an address", f"{ADD}.0", "add", **more)])

    def _guesses(self, who: IdentityService, view: RequestContext, is_known: bool) -> Iterator[Block]:
        user, profile = view.member.id, view.member.proved_address
        for number, (person, why, claim) in enumerate(who.proposals(user, view.member.name, profile)[:MOST_GUESSES]):
            sure = ui.confirmation("Is this you?", claim.sentence, "This is me")
            style = {} if is_known or number else {"style": "primary"}
            value = ui.compact(claim.document())
            commits = f", {count(person.commits, 'commit')}" if view.may_ask_about_others else ""
            shown = ui.words(f"{ui.line(person.name)}, {ui.line(claim.address)}{commits}\nWhy: {ui.line(why)}.")
            if this_is_me := ui.button("This is me", f"{THIS_IS_ME}.{number}", value, confirm=sure, **style):
                yield {**shown, "accessory": this_is_me}

    def _log(self, every: Iterable[IdentityLogLine], user: str, view: RequestContext) -> list[IdentityLogLine]:
        """What was said last of a user's own addresses or by them; of everybody for an admin, what waits for one
        first. Addresses that stand only where they may not read are left out. What can be undone has a key."""
        admin, theirs, unread = view.is_admin, view.reader.proven, self.people(view).unread
        lines = [
            one
            for one in every
            if one.said.by == user
            or theirs.has(one.person)
            or (admin and unread.isdisjoint((plain(one.person), plain(one.address))))
        ]
        lines.sort(key=lambda one: admin and one.waits, reverse=True)
        return [
            replace(one, key="" if one.said.undone_at else one.key, waits=admin and one.waits and one.said.by != user)
            for one in lines[:MOST_LINES]
        ]

    def _digests(self, user: str, view: RequestContext) -> Iterator[Block]:
        rows = self._digest_actions.rows(user, view)
        if not rows:
            yield ui.words(NO_DIGESTS)
        for row in rows[:MOST_DIGESTS]:
            yield row.block()
        if len(rows) > MOST_DIGESTS:
            yield ui.context(f"And {len(rows) - MOST_DIGESTS:,} more.")
        yield from ui.actions([ui.button("Digests", f"{ui.DIGESTS}.0", "open")])

    def _index(self, hidden: Iterable[str]) -> Iterator[Block]:
        yield ui.header("The index")
        read = [one for one in self._store.commits.repositories() if one.name not in set(hidden)]
        if not read:
            yield ui.words(NOTHING_INDEXED)
            yield from ui.actions([ui.button("Look again", f"{REFRESH}.0", "again", style="primary")])
            return
        names = listed_few([ui.line(one.name) for one in read], MOST_NAMED)
        yield ui.words(f"{count(len(read), 'repository', 'repositories')}: {names}.")
        until = self._settings.now() + timedelta.resolution
        newest = self._store.commits.latest(until, without=sorted(hidden))
        read_at = max((one.indexed_at for one in read if one.indexed_at), default=None)
        said = [f"Newest commit: {ui.slack_date(newest)}."] if newest else []
        said.append(f"Last read: {ui.slack_date(read_at)}." if read_at else "Not read yet.")
        yield {"type": "context", "elements": [ui.mrkdwn(" ".join(said))]}
        failed = [(one.name, one.failure) for one in read if one.failure]
        for name, failure in failed[:MOST_FAILURES]:
            yield ui.context(f"{ui.line(name)} could not be read: {ui.line(failure)}")
        if len(failed) > MOST_FAILURES:
            yield ui.context(f"{len(failed) - MOST_FAILURES:,} more could not be read.")

    # what is pressed: what is done, and the sentence that says so

    def _done(self, user: str, act: Callable[[RequestContext, IdentityService], str]) -> str:
        """Do all of it or nothing, as somebody is known now with the proven address of their profile; and say so."""
        self.seen(user)  # asks Slack, which may take long; inside, others who write would wait for that
        with self._store.transaction(write=True):
            view = self.seen(user)
            return act(view, self._linker.who(view))

    def do(self, press: Action) -> str:
        """Do what a button of ACTS means."""
        act = ACTS[press.action_id.partition(".")[0]]
        return self._done(press.user, lambda view, who: act(view, who, press.value))

    def this_is_me(self, press: Action) -> str:
        return self._confirmed(press.user, ui.held(press.value))

    def _confirmed(self, user: str, proposed: Mapping[str, Any]) -> str:
        return self._done(user, lambda view, _: self._linker.confirm(Proposal.of(proposed), view))

    # an address that is added

    def claimed(self, user: str, shown: Mapping[str, Any]) -> Ending:
        """What would be done if a user said that the address they typed is theirs, to be confirmed; or why they cannot
        say so. `shown` is the modal that they submitted."""
        try:
            view, address = self.seen(user), ui.typed_in(shown, ADDRESS).strip()
            who = self._linker.who(view)
            claim = who.claim(address, user, view.member.proved_address, is_admin=view.is_admin)
        except Exception as error:
            why = explained(error, "what was typed in Home could not be claimed")
            return replace(Ending.saying(TITLE, why), errors={ADDRESS: why})
        kept = ui.compact({**where(shown), "proposal": claim.document()})
        if len(kept) > LONGEST_METADATA:
            return Ending(ui.modal(TITLE, [ui.words(TOO_LONG)]))
        return Ending(ui.form(TITLE, [ui.words(claim.sentence)], CONFIRM, "Confirm", kept))

    def confirmed(self, user: str, shown: Mapping[str, Any]) -> Ending:
        """Do what a modal asked a user whether they mean it."""
        return Ending.saying(TITLE, self._confirmed(user, ui.kept_in(shown).get("proposal") or {}))


def ask(conversation: Conversation, press: Action) -> str:
    """Answer the question a button of Home holds in the direct messages of whoever pressed it. Empty, or why not."""
    answer = conversation.answering.answer(ui.asked(press.value), Request(press.user, press.channel, alone=True))
    key = conversation.key("home", press.user, press.action_id, press.at)
    return conversation.post(key, press.channel or press.user, answer)


def where(view: Mapping[str, Any]) -> dict[str, str]:
    """Where a Home tab was opened, or the one that a modal was opened from: `channel`, and of a modal `hash`."""
    kept = ui.kept_in(view)
    return {name: str(kept.get(name) or "") for name in ("channel", "hash")}


def adding(home: Mapping[str, Any]) -> View:
    """The modal that asks which address is to be added. It keeps where it was opened, so that the tab can be published
    anew."""
    kept = {**where(home), "hash": str(home.get("hash") or "")}
    return ui.form(
        TITLE, [ui.input_block(ADDRESS, LABEL, ui.text_input(LONGEST_TYPED), HINT)], ADD, "Next", ui.compact(kept)
    )


def _user(view: RequestContext) -> tuple[str, str]:
    """A user, and the proven address of their profile."""
    return view.member.id, view.member.proved_address


def _themselves(view: RequestContext, who: IdentityService) -> Person:
    """Somebody with what is proven to be theirs: nobody speaks for more."""
    person = who.own(*_user(view))
    if person is None:
        raise AlmanacError(UNPROVED)
    return person


# What a press does with what its button holds.
ACTS: dict[str, Act] = {
    NOT_ME: lambda view, who, address: who.confirm(who.disclaim(address, *_user(view)), *_user(view)),
    UNDO: lambda view, who, key: who.undo(key, *_user(view), is_admin=view.is_admin),
    CONFIRM: lambda view, who, key: who.accept(key, view.member.id, is_admin=view.is_admin),
    HIDE: lambda view, who, _: who.hide(_themselves(view, who), view.member.id),
    SHOW: lambda view, who, _: who.show(_themselves(view, who), view.member.id),
}


def _called(person: Person, queries: Queries) -> str:
    """What finds a person, and nobody else."""
    namesakes = [one for one in queries.known.everyone if one.name.casefold() == person.name.casefold()]
    return distinct_names([person, *(replace(one, name=person.name) for one in namesakes if one != person)])[0]


def _asks(called: str, month: Month) -> Question:
    return Question("month", people=(called,), span=Days.of(month))


def _brief(title: str, headline: str, items: Iterable[str] = ()) -> Block:
    lines = [f"**{markdown(title)}**", markdown(shortened(clean(headline), LONGEST_HEADLINE)) or "Nothing.", ""]
    named = [one for each in list(items)[:MOST_ITEMS] if (one := clean(each))]
    return rich_text("\n".join([*lines, *(f"- {markdown(shortened(one, LONGEST))}" for one in named)]))


def _log_lines(lines: Iterable[IdentityLogLine]) -> Iterator[Block]:
    for number, one in enumerate(lines):
        if not number:
            yield ui.header("Who linked what")
        block = ui.words(ui.line(one.line))
        undo = ui.button("Decline" if one.waits else "Undo", f"{UNDO}.{number}", one.key) if one.key else None
        if one.waits:
            confirm = ui.button("Confirm", f"{CONFIRM}.{number}", one.key, style="primary")
            yield from (block, *ui.actions([confirm, undo]))
        else:
            yield {**block, "accessory": undo} if undo else block


def _whether_shown(is_shown: bool | None) -> Iterator[Block]:
    """`None`: it is not theirs to say."""
    yield ui.header("What others see of you")
    if is_shown is not None:
        sure = ui.confirmation("Not be shown?", HIDING, "Do not show me")
        one = ui.button("Do not show me", f"{HIDE}.0", "hide", confirm=sure) if is_shown else None
        yield {
            **ui.words(SHOWN if is_shown else HIDDEN),
            "accessory": one or ui.button("Show me again", f"{SHOW}.0", "show"),
        }
    yield ui.context(FORGETTING)
