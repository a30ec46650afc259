"""What modals show: all changes of a month in pages, why a change is shown as it is, a whole month. Pure.

A modal takes a hundred blocks and 250 kB.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, cast

from bot.ask.answers import Reply
from bot.ask.explain import Correctable
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.errors import AlmanacError, CommitUnknown
from bot.model import CorrectedField, Kind, Said, Signatures
from bot.month.calendar import Days, Month, parse_any_period
from bot.month.corrections import LONGEST_TITLE, YES, checked
from bot.slack import elements as ui
from bot.slack.answering import Answering
from bot.slack.audience import NOBODYS, AccessRefused, Request, RequestContext, about, explained
from bot.slack.elements import Action, Block, Message, Response, View
from bot.slack.render import around, document_messages, reply_messages
from bot.slack.sender import Sender
from bot.story.documents import ChangeDocument, ChangeReference, DigestDocument, MonthDocument
from bot.story.lines import what_was_said
from bot.story.render import Web, page_of, slack
from bot.wording import KIND_NAMES, KINDS, capital, clean, count, mark, shortened

# What a press in a modal means; the questions they hold are those of bot/slack/elements.py.
PAGE = "page"  # shows another page of the changes, in place of this one
EXPLAIN = "explain"  # pushes a modal
MONTH = "modal_month"  # shows another month, in place of this one
ALL_CHANGES = "modal_changes"  # pushes a modal

SHARE_TO = "share_to"  # the callback id of a modal

A_PAGE = 40  # changes: more are no easier to read, and each is a block
LONGEST_SUBJECT = 600
ROOM = ui.MAX_VIEW_JSON - 20_000  # for what is around the blocks
_NUMBER = re.compile(r"[#!]\d{1,9}")
CUT = "There is more than fits here: ask me in a direct message to read all of it."


def where_to_share(value: str) -> View:
    """Which channel an answer is to be posted in. `value` is the question, as buttons hold it."""
    channel = ui.input_block("channel", "Post it in", ui.channel_menu(placeholder=ui.plain("Choose a channel")))
    return ui.form("Share", [channel], SHARE_TO, "Post", value)


@ui.reads()
def turned(view: Mapping[str, Any], value: str) -> tuple[str, int]:
    """What is asked in a modal of changes, as buttons hold it, and the page to be shown after a press there."""
    return str(ui.kept_in(view)["question"]), int(value)


def changes_page(
    question: Question, page: int, document: MonthDocument | DigestDocument, web: Web, channel: str
) -> View:
    """A page of the changes of a month, newest first, or of a team's by area, each with why to be asked. The modal
    remembers what it shows and the channel that it was opened in."""
    if isinstance(document, DigestDocument):
        every, whose, back, more = _by_area(document), document.digest, "← Back", "More →"
    else:
        every, whose = [("", one) for one in document.changes[::-1]], document.person.name
        back, more = "← Newer", "Older →"
    pages = max(1, -(-len(every) // A_PAGE))
    page = min(max(page, 0), pages - 1)
    start = page * A_PAGE
    here = every[start : start + A_PAGE]
    title = f"{whose}, {parse_any_period(document.month).title}: {count(len(every), 'change')}"
    which = f", {start + 1} to {start + len(here)}" if len(here) < len(every) else ""
    blocks = [ui.words(f"{title}{which}")]
    area = ""
    for number, (name, change) in enumerate(here, start):
        if name != area:
            blocks.append(ui.header(name))
            area = name
        blocks.append(_change(change, number, web))
    if not every:
        blocks.append(ui.words("There are none."))
    turning = [
        ui.button(back, f"{PAGE}.0", str(page - 1)) if page else None,
        ui.button(more, f"{PAGE}.1", str(page + 1)) if page < pages - 1 else None,
    ]
    held = {"channel": channel, "question": ui.written(question)}
    return ui.modal("All changes", [*blocks, *ui.actions(turning)], private_metadata=ui.compact(held))


def _by_area(document: DigestDocument) -> list[tuple[str, ChangeDocument]]:
    """The changes of a team, each below what it is of."""
    by_sha = {commit.sha: one for one in document.changes for commit in one.commits}
    parts = [(one.name, one.evidence) for one in document.areas]
    parts += [(one.name, one.evidence) for one in document.also]
    parts += [(one.kind, one.evidence) for one in document.counted]
    found = ((name, by_sha[sha]) for name, shas in parts for sha in shas if sha in by_sha)
    return list({one.id: (name, one) for name, one in found}.values())


def _change(change: ChangeDocument, number: int, web: Web) -> Block:
    """A change: its subject, what it is, its page, and a button. The subject is text in which nothing is parsed, and
    the link to the page, which Slack reads, holds hexadecimal digits, a number and pages of ours alone."""
    lead = change.commits[0]
    kind = KIND_NAMES[change.kind] if change.sure and change.kind != "chore" else ""
    facts = ", ".join(word for word in (kind, mark(change.kind, change.state)) if word)
    ref = next((ref for ref in change.refs if _NUMBER.fullmatch(ref)), "")
    page, name = page_of(ChangeReference(ref, lead.sha, lead.repository), web), ref or lead.sha[:9]
    link = ui.mrkdwn(f"<{slack(page)}|{name}>" if page and not set(page) & set("<>|") else name)
    explain = ui.button("Explain", f"{EXPLAIN}.{number}", ui.written(Question("explain", references=(lead.sha,))))
    shown = {**ui.words(shortened(change.subject, LONGEST_SUBJECT) or "(no subject)"), "accessory": explain}
    return {**shown, "fields": [*([ui.plain(facts)] if facts else []), link]}


def fitting(messages: Iterable[Message], beside: int = 1) -> list[Block]:
    """The blocks of messages as a modal shows them, as many as fit; what is cut off is said to be."""
    taken, size = list[Block](), 0
    for block in (one for message in messages for one in message.blocks if one["type"] != "actions"):
        size += ui.blocks_json_size(block)
        if size > ROOM or len(taken) + beside >= ui.MAX_VIEW_BLOCKS:
            return [*taken, ui.context(CUT)]
        taken.append(block)
    return taken


PICKER_TITLE = "Almanac"
MONTHS = 24  # that can be chosen, the present one first
LONGEST_NAME = 75  # of a repository in a menu, where longer values are cut and would name none


def picker(present: Month, repositories: Sequence[str], channel: str, url: str) -> View:
    """The modal. `repositories` are those that may be asked for, `url` is where whoever opened it is answered."""
    months = [present - back for back in range(MONTHS)]
    who: Block = {"type": "users_select", "placeholder": ui.plain("Everyone")}
    when = ui.menu(ui.options({str(month): month.title for month in months}), str(months[1]))
    fields = [ui.input_block("who", "Who?", who, optional=True), ui.input_block("when", "In which month?", when)]
    named = [one for one in repositories if len(one) <= LONGEST_NAME][: ui.MAX_OPTIONS]
    if len(named) > 1:
        where = ui.menu([ui.option(one, one) for one in named], placeholder="All repositories")
        fields.append(ui.input_block("where", "In which repository?", where, optional=True))
    return ui.form(PICKER_TITLE, fields, ui.PICK, "Ask", ui.compact({"channel": channel, "url": url}))


@ui.reads()
def picked(view: Mapping[str, Any]) -> tuple[str, str, str]:
    """What was chosen: a question as it would be typed, where the modal was opened, and where the answer goes."""
    values, held = view["state"]["values"], ui.kept_in(view)
    user = values["who"]["who"].get("selected_user")
    month = str(Month.parse(ui.chosen_in(view, "when")))
    chosen = values.get("where", {}).get("where", {}).get("selected_option")
    where = f" in {chosen['value']}" if chosen else ""
    text = f"what did <@{user}> do in {month}{where}" if user else f"what shipped in {month}{where}"
    return text, str(held["channel"]), str(held["url"])


CORRECTING_TITLE = "Not right?"
UNDO = "correct_undo"  # a press, as the beginning of an action_id
MOST_IN_MENU = 800  # in one menu: each takes some 250 bytes of 250,000
MOST_UNDOABLE = 20  # of a month
UNDOABLE = "What was corrected by hand, newest first:"
NOT_THERE = "There is nothing to undo any more."
NOTHING_TO_CORRECT = "There is no change in this month that could be corrected."
ASK_AGAIN = "Ask again to see the month updated."
NOT_ALLOWED = "Only {name} and admins can correct what is shown of {name}."
ONE_THING = "Choose what it is, or write what it should be called: one of them."
LEFT_OUT = "What is left out is shown nowhere any more; the month says that something is."


@dataclass(frozen=True, slots=True)
class Origin:
    """The message that a correction began at: it is updated afterwards. `question` is as buttons hold it, `url` is
    where an ephemeral message is replaced, and `begins` how the message begins, by which it is known again."""

    question: str
    channel: str
    ts: str
    ephemeral: bool
    url: str = ""
    begins: str = ""

    @classmethod
    def of(cls, press: Action) -> Origin:
        """The message that something was pressed below."""
        url = press.url if press.ephemeral else ""
        return cls(press.value, press.channel, press.ts, press.ephemeral, url, beginning(press.text))

    @classmethod
    def kept(cls, view: Mapping[str, Any]) -> Origin:
        """The one that a modal keeps."""
        held = ui.kept_in(view)
        texts = {name: str(held[name] or "") for name in ("question", "channel", "ts", "url", "begins")}
        return cls(**texts, ephemeral=bool(held["ephemeral"]))


def correction_form(origin: Origin, document: MonthDocument, undoable: Sequence[Block]) -> View:
    """Which change of a month is not right, and how it should be; and below it what can be undone."""
    whose = ui.words(f"{document.person.name}, {parse_any_period(document.month).title}")
    kept = ui.compact(asdict(origin))
    if not document.changes:
        return ui.modal(CORRECTING_TITLE, [whose, *(undoable or [ui.words(NOTHING_TO_CORRECT)])], private_metadata=kept)
    kinds = {
        "It is of another kind": ui.options({kind: capital(name) for kind, name in KIND_NAMES.items()}),
        "It should not be shown": ui.options({"hidden": "Leave it out"}),
    }
    changes = [ui.option(one.commits[0].sha, one.subject or "(no subject)") for one in document.changes[:MOST_IN_MENU]]
    only = changes[0]["value"] if len(changes) == 1 else ""
    every = ui.menu({"Changes": changes} if len(changes) > ui.MAX_OPTIONS else changes, only, "Choose a change")
    wrong = ui.input_block("wrong", "What is it?", ui.menu(kinds, placeholder="Its kind"), LEFT_OUT, optional=True)
    title = ui.input_block("title", "What should it be called?", ui.text_input(LONGEST_TITLE), optional=True)
    blocks = [whose, ui.input_block("change", "Which change?", every), wrong, title, *undoable]
    return ui.form(CORRECTING_TITLE, blocks, ui.CORRECT, "Correct it", kept)


def undo_button(sha: str, one: Said, number: int = 0) -> Block | None:
    """The button that undoes what was said of the change that a commit belongs to."""
    return ui.button("Undo", f"{UNDO}.{number}", ui.compact({"sha": sha, "field": one.action, "number": one.number}))


def beginning(text: str) -> str:
    """How a message begins: its first line, cut short."""
    return text.partition("\n")[0][:100]


@dataclass(frozen=True, slots=True)
class Correcting:
    """What somebody wants corrected: a field of the change that a commit belongs to. With a number, what was said of it
    under that is to be undone."""

    origin: Origin
    sha: str
    field: CorrectedField
    value: str = ""
    undone: int | None = None


@ui.reads()
def undoing(view: Mapping[str, Any], value: str) -> Correcting:
    """What the button of a modal wants undone."""
    held = ui.held(value)
    return Correcting(Origin.kept(view), str(held["sha"]), held["field"], undone=int(held["number"]))


@ui.reads()
def wanted(view: Mapping[str, Any]) -> Correcting:
    """What the modal was submitted with. Raises AlmanacError where that cannot be."""
    title, values = ui.typed_in(view, "title"), view["state"]["values"]
    wrong = (values["wrong"]["wrong"].get("selected_option") or {}).get("value", "")
    if bool(title) == bool(wrong):
        raise AlmanacError(ONE_THING)
    field: CorrectedField = "title" if title else "hidden" if wrong == "hidden" else "kind"
    try:
        said = checked(field, YES if field == "hidden" else title or str(wrong))
    except AlmanacError as error:
        raise AlmanacError(f"{capital(str(error))}.") from error
    return Correcting(Origin.kept(view), ui.chosen_in(view, "change"), field, said)


def done(wanted: Correcting) -> str:
    """What is said when it is done."""
    sha = wanted.sha[:9]
    if wanted.field == "hidden":
        return f"{sha} is left out from now on."
    if wanted.field == "title":
        return f"{sha} is called “{wanted.value}” from now on."
    one = KINDS[cast(Kind, wanted.value)][1]
    return f"{sha} counts as {'an' if one[0] in 'aeiou' else 'a'} {one} from now on."


WHY = "Why it is shown this way"
NOT_YOU = "I do not know who you are in git: say so by /almanac link and the address your commits are signed with."
NOT_THEM = "I do not know who {name} is in git: they can say so by /almanac link and an address."
NO_AUTHOR = "No person wrote this message, so there is no month of theirs to show."


@dataclass(frozen=True, slots=True)
class Dialogs:
    """Makes modals. Its methods block, and any thread may call them."""

    answering: Answering
    sender: Sender

    def _seen(self, user: str, channel: str) -> RequestContext:
        """What somebody may see who opened a modal there. Raises AccessRefused where that is nothing."""
        return self.answering.context(Request(user, channel, alone=True))

    def picker(self, user: str, channel: str, url: str) -> View:
        """The modal to ask without typing, for somebody whom `url` answers."""
        queries = self._seen(user, channel).queries
        return picker(queries.present(), [one.name for one in queries.repositories], channel, url)

    def changes(self, user: str, channel: str, value: str, page: int = 0) -> View:
        """Some of the changes of a month, somebody's or a team's."""
        reply, visible, _ = self.answering.reply(ui.asked(value), self._seen(user, channel))
        document = reply.documents[0] if len(reply.documents) == 1 else None
        if not isinstance(document, MonthDocument | DigestDocument):
            raise AlmanacError(reply.words or "this is no month")
        return changes_page(reply.question, page, document, visible.pages(), channel)

    def explanation(self, user: str, channel: str, value: str) -> View:
        """Why a change is shown as it is, as a message says it."""
        reply, visible, _ = self.answering.reply(ui.asked(value), self._seen(user, channel))
        return ui.modal(WHY, fitting(reply_messages(reply, self.answering.templates, visible)))

    def month(self, user: str, channel: str, value: str) -> View:
        """The month that a button of a modal holds."""
        return self._month_view(ui.asked(value), self._seen(user, channel))

    def month_of(self, user: str, channel: str, whom: str) -> View:
        """The newest month of a Slack user that holds anything, for somebody else or themselves to see."""
        context = self._seen(user, channel)
        if not whom:
            return ui.said("A month", NO_AUTHOR)
        members = self.answering.members
        member = members.member(whom)
        person = members.person_of(member, context.queries.known.everyone)
        if person is None:
            name = member.name or "this person"
            return ui.said("A month", NOT_YOU if whom == user else NOT_THEM.format(name=name))
        months = [one for one in context.queries.activity.months(person) if one <= context.queries.present()]
        newest = months[-1] if months else context.queries.present()
        name = context.queries.known.directory.called(person)
        return self._month_view(Question("month", (name,), Days.of(newest), found={name: person}), context)

    def _month(self, context: RequestContext, question: Question) -> tuple[Reply, Queries, MonthDocument]:
        reply, visible, _ = self.answering.reply(question, context)
        document = reply.documents[0] if reply.documents else None
        if not isinstance(document, MonthDocument):
            raise AlmanacError(reply.words or "this is no month")
        return reply, visible, document

    def _month_view(self, question: Question, context: RequestContext) -> View:
        """A month as its messages tell it, with the months beside it. The modal remembers the channel that it was
        opened in: what may be shown depends on it."""
        reply, visible, document = self._month(context, question)
        month, changes = parse_any_period(document.month), document.counts["changes"]
        all_of_it = ui.button(f"All {count(changes, 'change')}", ALL_CHANGES, ui.written(reply.question))
        others = ui.beside(reply.question, around(visible, reply.question, month), MONTH)
        row = ui.actions([*others, all_of_it if changes > 1 else None])
        shown = fitting(document_messages([document], self.answering.templates, visible.pages()), len(row) + 1)
        return ui.modal(month.title, [*shown, *row], private_metadata=ui.compact({"channel": context.request.channel}))

    # corrections

    def correction(self, user: str, origin: Origin) -> View:
        """The modal that asks what is wrong with a month, or the sentence that says who may say so."""
        context, question = self._seen(user, origin.channel), ui.asked(origin.question)
        if not context.may_correct(question):
            names = question.people
            text = NOT_ALLOWED.format(name=names[0]) if len(names) == 1 else NOBODYS
            return ui.said(CORRECTING_TITLE, text)
        _, _, document = self._month(context, question)
        return correction_form(origin, document, self._undoable(question, document.month, context))

    def _undoable(self, question: Question, month: str, view: RequestContext) -> list[Block]:
        """What counts that was said by hand of the changes of somebody's month, hidden or shown, newest first, each
        with a button that undoes it."""
        corrector, found = view.queries.corrector(), dict[str, Correctable]()
        whom = about(question, view.queries.known.everyone)
        theirs = Signatures(each for person in whom.people for each in person.identities)
        for commit in dict.fromkeys(commit for said, commit in corrector.log() if commit and not said.undone_at):
            with suppress(CommitUnknown):
                if commit in theirs and str((change := corrector.of(commit.sha)).month) == month:
                    found[change.shas[0]] = change
        each = [(one, change.change.lead) for change in found.values() for one in change.standing]
        each.sort(key=lambda pair: -pair[0].number)
        rows = []
        for number, (one, lead) in enumerate(each[:MOST_UNDOABLE]):
            subject = shortened(clean(lead.subject), ui.MAX_OPTION_TEXT)
            line = f"{lead.sha[:9]} {subject}: it {what_was_said(one)} ({clean(one.by)}, {one.at:%Y-%m-%d})."
            undo = undo_button(lead.sha, one, number)
            rows.append({**ui.words(line), **({"accessory": undo} if undo else {})})
        return [ui.words(UNDOABLE), *rows] if rows else []

    def correct(self, user: str, wanted: Correcting) -> tuple[str, tuple[Block, ...]]:
        """Keep a correction, or undo one that still counts; tell the message anew that it began at. Returns what is
        said of it, and what can be pressed below that."""
        try:
            view = self._seen(user, wanted.origin.channel)
            corrector, one = view.queries.corrector(), view.correctable(wanted.sha)
            if wanted.undone is None:
                kept = corrector.correct(one, wanted.field, wanted.value, view.called)
                said = self._shown_anew(user, wanted.origin, done(wanted))
                return said, ui.actions([undo_button(wanted.sha, kept)])
            counts = any((each.number, each.action) == (wanted.undone, wanted.field) for each in one.standing)
            back = corrector.undo(one, view.called, wanted.field) if counts else None
        except (AccessRefused, AlmanacError) as error:
            return explained(error, "a change could not be corrected"), ()
        if back is None:
            return NOT_THERE, ()
        return self._shown_anew(user, wanted.origin, f"Undone: {wanted.sha[:9]} {what_was_said(back)}."), ()

    def _shown_anew(self, user: str, origin: Origin, said: str) -> str:
        alone = origin.ephemeral or ui.is_direct(origin.channel)
        answer = self.answering.answer(ui.asked(origin.question), Request(user, origin.channel, alone))
        if origin.ephemeral:
            if answer.reply and origin.url:
                self.sender.answer(origin.url, user, origin.channel, Response(answer.messages, replace=True))
            return said
        pressed = [one for one in answer.messages if any(block["type"] == "actions" for block in one.blocks)]
        shown = [one for one in pressed if beginning(one.text) == origin.begins]
        may_stand = answer.reply is not None and (alone or not answer.privately)
        if shown and may_stand and not self.sender.change(origin.channel, origin.ts, shown[0]):
            return said
        return f"{said} {ASK_AGAIN}"
