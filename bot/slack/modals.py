"""What modals show: all changes of a month in pages, why a change is shown as it is, a whole month. Pure.

A modal takes a hundred blocks and 250 kB, and of blocks only some: neither charts nor feedback buttons.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from bot.ask.answers import Reply
from bot.ask.correcting import Correctable
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.errors import AlmanacError, CommitUnknown
from bot.model import CorrectedField, Kind, Said, Signatures
from bot.month.calendar import Days, Month, parse_any_period
from bot.month.corrections import LONGEST_TITLE, YES, checked
from bot.slack import elements
from bot.slack.answering import NO_QUESTION, Answering, surface_of
from bot.slack.audience import NOBODYS, AccessRefused, Request, RequestContext, about, explained
from bot.slack.elements import (
    MAX_OPTION_TEXT,
    MAX_OPTIONS,
    MAX_VIEW_BLOCKS,
    MAX_VIEW_JSON,
    PICK,
    Block,
    Message,
    Response,
    View,
    actions,
    asked,
    blocks_json_size,
    button,
    compact,
    form,
    input_block,
    is_direct,
    kept_in,
    menu,
    modal,
    plain,
    reads,
    words,
    written,
)
from bot.slack.render import around, document_messages, explanation_message
from bot.slack.sender import Sender
from bot.story.documents import ChangeDocument, ChangeReference, DigestDocument, MonthDocument
from bot.story.lines import what_was_said
from bot.story.render import Templates, Web, page_of, slack
from bot.story.wording import KIND_NAMES, KINDS, capital, clean, count, mark, shortened

# What a press in a modal means; the questions they hold are those of bot/slack/elements.py.
PAGE = "page"  # shows another page of the changes, in place of this one
EXPLAIN = "explain"  # pushes a modal
MONTH = "modal_month"  # shows another month, in place of this one
ALL_CHANGES = "modal_changes"  # pushes a modal

SHARE_TO = "share_to"  # the callback id of a modal

A_PAGE = 40  # changes: more are no easier to read, and each is a block
LONGEST_SUBJECT = 600
ROOM = MAX_VIEW_JSON - 20_000  # for what is around the blocks
_NUMBER = re.compile(r"[#!]\d{1,9}")
CUT = "There is more than fits here: ask me in a direct message to read all of it."


def where_to_share(value: str) -> View:
    """Which channel an answer is to be posted in. `value` is the question, as buttons hold it."""
    channel = input_block("channel", "Post it in", elements.channel_menu(placeholder=plain("Choose a channel")))
    return form("Share", [channel], SHARE_TO, "Post", value)


@reads
def turned(view: Mapping[str, Any], value: str) -> tuple[str, int]:
    """What is asked in a modal of changes, as buttons hold it, and the page to be shown after a press there."""
    return str(kept_in(view)["question"]), int(value)


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
    blocks = [words(f"{title}{which}")]
    area = ""
    for number, (name, change) in enumerate(here, start):
        if name != area:
            blocks.append(elements.header(name))
            area = name
        blocks.append(_change(change, number, web))
    if not every:
        blocks.append(words("There are none."))
    turning = [
        button(back, f"{PAGE}.0", str(page - 1)) if page else None,
        button(more, f"{PAGE}.1", str(page + 1)) if page < pages - 1 else None,
    ]
    held = {"channel": channel, "question": written(question)}
    return modal("All changes", [*blocks, *actions(turning)], private_metadata=compact(held))


def _by_area(document: DigestDocument) -> list[tuple[str, ChangeDocument]]:
    """The changes of a team, each below what it is of."""
    by_sha = {commit.sha: one for one in document.changes for commit in one.commits}
    parts = [(one.name, one.evidence) for one in document.areas]
    parts += [(one.name, one.evidence) for one in document.also]
    parts += [(one.kind, one.evidence) for one in document.counted]
    found = ((name, by_sha[sha]) for name, shas in parts for sha in shas if sha in by_sha)
    return list({one.id: (name, one) for name, one in found}.values())


def _change(change: ChangeDocument, number: int, web: Web) -> Block:
    """A change: its subject, what it is, its page, and a button. The subject is text in which nothing is parsed."""
    lead = change.commits[0]
    kind = KIND_NAMES[change.kind] if change.sure and change.kind != "chore" else ""
    facts = ", ".join(word for word in (kind, mark(change.kind, change.state)) if word)
    shown = words(shortened(change.subject, LONGEST_SUBJECT) or "(no subject)")
    fields = [*([plain(facts)] if facts else []), _link(change, web)]
    explain = button("Explain", f"{EXPLAIN}.{number}", written(Question("explain", references=(lead.sha,))))
    return {**shown, "fields": fields, **({"accessory": explain} if explain else {})}


def _link(change: ChangeDocument, web: Web) -> Block:
    """The page of a change: the one thing here that Slack reads, so it holds hexadecimal digits, a number and pages of
    ours alone."""
    lead = change.commits[0]
    number = next((ref for ref in change.refs if _NUMBER.fullmatch(ref)), "")
    page, name = page_of(ChangeReference(number, lead.sha, lead.repository), web), number or lead.sha[:9]
    link = f"<{slack(page)}|{name}>" if page and not set(page) & set("<>|") else name
    return {"type": "mrkdwn", "text": link, "verbatim": True}


def fitting(blocks: Iterable[Block], beside: int = 1) -> list[Block]:
    """Those of the blocks that modals take, as many as fit; what is cut off is said to be."""
    taken, size = list[Block](), 0
    for block in blocks:
        if block["type"] == "context_actions":  # feedback is of a message
            continue
        size += blocks_json_size(block)
        if size > ROOM or len(taken) + beside >= MAX_VIEW_BLOCKS:
            return [*taken, elements.context(CUT)]
        taken.append(block)
    return taken


PICKER_TITLE = "Almanac"
MONTHS = 24  # that can be chosen, the present one first
LONGEST_NAME = 75  # of a repository in a menu, where longer values are cut and would name none


def picker(present: Month, repositories: Sequence[str], channel: str, url: str) -> View:
    """The modal. `repositories` are those that may be asked for, `url` is where whoever opened it is answered."""
    months = [present - back for back in range(MONTHS)]
    who: Block = {"type": "users_select", "placeholder": plain("Everyone")}
    when = menu(elements.options({str(month): month.title for month in months}), str(months[1]))
    fields = [input_block("who", "Who?", who, optional=True), input_block("when", "In which month?", when)]
    named = [one for one in repositories if len(one) <= LONGEST_NAME][:MAX_OPTIONS]
    if len(named) > 1:
        where = menu([elements.option(one, one) for one in named], placeholder="All repositories")
        fields.append(input_block("where", "In which repository?", where, optional=True))
    return form(PICKER_TITLE, fields, PICK, "Ask", compact({"channel": channel, "url": url}))


@reads
def picked(view: Mapping[str, Any]) -> tuple[str, str, str]:
    """What was chosen: a question as it would be typed, where the modal was opened, and where the answer goes."""
    values, held = view["state"]["values"], kept_in(view)
    user = values["who"]["who"].get("selected_user")
    month = str(Month.parse(elements.chosen_in(view, "when")))
    chosen = values.get("where", {}).get("where", {}).get("selected_option")
    where = f" in {chosen['value']}" if chosen else ""
    text = f"what did <@{user}> do in {month}{where}" if user else f"what shipped in {month}{where}"
    return text, str(held["channel"]), str(held["url"])


CORRECTING_TITLE = "Not right?"
WHAT, HOW = "correct_what", "correct_how"  # callback ids
UNDO = "correct_undo"  # a press, as the beginning of an action_id
MOST_IN_MENU = 800  # in one menu: each takes some 250 bytes of 250,000
WRONG: dict[str, str] = {  # by CorrectedField
    "kind": "It is of another kind",
    "title": "It should be called something else",
    "hidden": "It should not be shown",
}
MOST_UNDOABLE = 20  # of a month
UNDOABLE = "What was corrected by hand, newest first:"
NOT_THERE = "There is nothing to undo any more."
NOTHING_TO_CORRECT = "There is no change in this month that could be corrected."
ASK_AGAIN = "Ask again to see the month updated."
NOT_ALLOWED = "Only {name} and admins can correct what is shown of {name}."


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


def _origin(held: Mapping[str, Any]) -> Origin:
    texts = {name: str(held[name] or "") for name in ("question", "channel", "ts", "url", "begins")}
    return Origin(**texts, ephemeral=bool(held["ephemeral"]))


def which_change(origin: Origin, document: MonthDocument, corrected: Sequence[Correctable] = ()) -> View:
    """Which change of a month, and what is wrong with it; and what was corrected in it already, hidden or shown, each
    with a button that undoes it."""
    whose = words(f"{document.person.name}, {parse_any_period(document.month).title}")
    undoable, kept = _undoable(corrected), compact(asdict(origin))
    if not document.changes:
        return modal(CORRECTING_TITLE, [whose, *(undoable or [words(NOTHING_TO_CORRECT)])], private_metadata=kept)
    wrong = input_block("wrong", "What is wrong?", elements.radio(WRONG))
    return form(CORRECTING_TITLE, [whose, change_menu(document), wrong, *undoable], WHAT, "Next", kept)


def _undoable(corrected: Iterable[Correctable]) -> list[Block]:
    said = sorted(((one, each) for one in corrected for each in one.standing), key=lambda pair: -pair[1].number)
    rows = []
    for number, (one, each) in enumerate(said[:MOST_UNDOABLE]):
        lead = one.change.lead
        subject = shortened(clean(lead.subject), MAX_OPTION_TEXT)
        line = f"{lead.sha[:9]} {subject}: it {what_was_said(each)} ({clean(each.by)}, {each.at:%Y-%m-%d})."
        undo = undo_button(lead.sha, each, number)
        rows.append({**words(line), **({"accessory": undo} if undo else {})})
    return [words(UNDOABLE), *rows] if rows else []


def undo_button(sha: str, one: Said, number: int = 0) -> Block | None:
    """The button that undoes what was said of the change that a commit belongs to."""
    return button("Undo", f"{UNDO}.{number}", compact({"sha": sha, "field": one.action, "number": one.number}))


def change_menu(document: MonthDocument) -> Block:
    """Which change of a month, by the first of its commits."""
    changes = [
        elements.option(change.commits[0].sha, change.subject or "(no subject)")
        for change in document.changes[:MOST_IN_MENU]
    ]
    some = [changes[at : at + MAX_OPTIONS] for at in range(0, len(changes), MAX_OPTIONS)]
    numbered = {f"{at * MAX_OPTIONS + 1} to {at * MAX_OPTIONS + len(each)}": each for at, each in enumerate(some)}
    only = changes[0]["value"] if len(changes) == 1 else ""
    every = menu(numbered if len(some) > 1 else changes, only, "Choose a change")
    return input_block("change", "Which change?", every)


@reads
def how_it_should_be(view: Mapping[str, Any]) -> View:
    """The second modal, from the first as it was submitted."""
    chosen = view["state"]["values"]["change"]["change"]["selected_option"]
    field = cast(CorrectedField, elements.chosen_in(view, "wrong"))
    origin = _origin(kept_in(view))
    sha, title = str(chosen["value"]), str(chosen["text"]["text"])
    kinds = elements.options({kind: capital(name) for kind, name in KIND_NAMES.items()})
    asked: dict[CorrectedField, Block] = {
        "kind": input_block("value", "What kind is it?", menu(kinds)),
        "title": input_block("value", "What should it be called?", elements.text_input(LONGEST_TITLE)),
        "hidden": words("It will be left out wherever this month is shown. The month says that something is."),
    }
    submit = "Leave it out" if field == "hidden" else "Correct it"
    kept = compact({"origin": asdict(origin), "sha": sha, "field": field})
    return form(CORRECTING_TITLE, [words(f"{sha[:9]} {title}"), asked[field]], HOW, submit, kept)


def _has_buttons(message: Message) -> bool:
    return any(block["type"] in ("actions", "context_actions") for block in message.blocks)


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


@reads
def undoing(view: Mapping[str, Any], value: str) -> Correcting:
    """What the button of a modal wants undone."""
    held = json.loads(value)
    return Correcting(_origin(kept_in(view)), str(held["sha"]), held["field"], undone=int(held["number"]))


@reads
def wanted(view: Mapping[str, Any]) -> Correcting:
    """What the second modal was submitted with. Raises AlmanacError where the value cannot be."""
    kept = kept_in(view)
    field = cast(CorrectedField, kept["field"])
    state = view["state"]["values"].get("value", {}).get("value", {})
    entered = state.get("value") or (state.get("selected_option") or {}).get("value", "")
    value = YES if field == "hidden" else str(entered)
    try:
        said = checked(field, value)
    except AlmanacError as error:
        raise AlmanacError(f"{capital(str(error))}.") from error
    return Correcting(_origin(kept["origin"]), str(kept["sha"]), field, said)


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
    templates: Templates

    def _seen(self, user: str, channel: str) -> RequestContext:
        """What somebody may see who opened a modal there. Raises AccessRefused where that is nothing."""
        return self.answering.context(Request(user, channel, alone=True))

    def picker(self, user: str, channel: str, url: str) -> View:
        """The modal to ask without typing, for somebody whom `url` answers."""
        queries = self._seen(user, channel).queries
        return picker(queries.present(), [one.name for one in queries.repositories], channel, url)

    def changes(self, user: str, channel: str, value: str, page: int = 0) -> View:
        """Some of the changes of a month, somebody's or a team's."""
        reply, visible, _ = self.answering.reply(asked(value), self._seen(user, channel))
        document = reply.documents[0] if len(reply.documents) == 1 else None
        if not isinstance(document, MonthDocument | DigestDocument):
            raise AlmanacError(reply.words or "this is no month")
        return changes_page(reply.question, page, document, visible.pages(), channel)

    def explanation(self, user: str, channel: str, value: str) -> View:
        """Why a change is shown as it is."""
        reply, _, _ = self.answering.reply(asked(value), self._seen(user, channel))
        if not (reply.explanations and reply.explanations.explained):
            return elements.said(WHY, reply.words or NO_QUESTION)
        return modal(WHY, fitting(explanation_message(reply.explanations.explained[0]).blocks))

    def month(self, user: str, channel: str, value: str) -> View:
        """The month that a button of a modal holds."""
        return self._month_view(asked(value), self._seen(user, channel))

    def month_of(self, user: str, channel: str, whom: str) -> View:
        """The newest month of a Slack user that holds anything, for somebody else or themselves to see."""
        context = self._seen(user, channel)
        if not whom:
            return elements.said("A month", NO_AUTHOR)
        person, called_in_slack = self.answering.behind(whom, context)
        if person is None:
            return elements.said("A month", NOT_YOU if whom == user else NOT_THEM.format(name=called_in_slack))
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
        all_of_it = button(f"All {count(changes, 'change')}", ALL_CHANGES, written(reply.question))
        others = elements.beside(reply.question, around(visible, reply.question, month), MONTH)
        row = actions([*others, all_of_it if changes > 1 else None])
        messages = document_messages([document], self.templates, visible.pages())
        blocks = [*fitting([block for one in messages for block in one.blocks], len(row) + 1), *row]
        return modal(month.title, blocks, private_metadata=compact({"channel": context.request.channel}))

    # corrections

    def correction(self, user: str, origin: Origin) -> View:
        """The modal that asks what is wrong with a month, or the sentence that says who may say so."""
        context, question = self._seen(user, origin.channel), asked(origin.question)
        if not context.may_correct(question):
            names = question.people
            text = NOT_ALLOWED.format(name=names[0]) if len(names) == 1 else NOBODYS
            return elements.said(CORRECTING_TITLE, text)
        _, _, document = self._month(context, question)
        return which_change(origin, document, self._corrected(question, document.month, context))

    def _corrected(self, question: Question, month: str, view: RequestContext) -> list[Correctable]:
        """The changes of somebody's month of which something counts that was said by hand, hidden or shown."""
        corrector, found = view.queries.corrector(), dict[str, Correctable]()
        whom = about(question, view.queries.known.everyone)
        theirs = Signatures(each for person in whom.people for each in person.identities)
        said = [one for one in corrector.log() if one.correction.undone_at is None]
        for commit in dict.fromkeys(one.commit for one in reversed(said) if one.commit):
            if commit not in theirs or commit.sha in found:
                continue
            with suppress(CommitUnknown):
                one = corrector.of(commit.sha)
                if str(one.month) == month and one.standing:
                    found.setdefault(one.shas[0], one)
        return list(found.values())

    def correct(self, user: str, wanted: Correcting) -> Response:
        """Keep a correction, or undo one that still counts; tell the message anew that it began at, and say that it is
        done."""
        try:
            view = self._seen(user, wanted.origin.channel)
            corrector, one = view.queries.corrector(), view.correctable(wanted.sha)
            if wanted.undone is None:
                kept = corrector.correct(one, wanted.field, wanted.value, view.called)
                response = self._shown_anew(user, wanted.origin, done(wanted))
                return replace(response, below=actions([undo_button(wanted.sha, kept)]))
            counts = any((each.number, each.action) == (wanted.undone, wanted.field) for each in one.standing)
            back = corrector.undo(one, view.called, wanted.field) if counts else None
        except (AccessRefused, AlmanacError) as error:
            return Response(said=explained(error, "a change could not be corrected"))
        if back is None:
            return Response(said=NOT_THERE)
        return self._shown_anew(user, wanted.origin, f"Undone: {wanted.sha[:9]} {what_was_said(back)}.")

    def _shown_anew(self, user: str, origin: Origin, said: str) -> Response:
        question = asked(origin.question)
        if origin.ephemeral:
            asks = Request(user, origin.channel, alone=True)
            answer = self.answering.answer(question, asks, surface=surface_of(origin.channel, alone=True))
            return Response(answer.messages if answer.reply else (), replace=True, said=said)
        direct = is_direct(origin.channel)
        asks = Request(user, origin.channel, alone=direct)
        answer = self.answering.answer(question, asks, surface=surface_of(origin.channel))
        shown = [one for one in answer.messages if _has_buttons(one) and beginning(one.text) == origin.begins]
        may_stand = answer.reply is not None and (direct or not answer.privately)
        if shown and may_stand and not self.sender.change(origin.channel, origin.ts, shown[0]):
            return Response(said=said)
        return Response(said=f"{said} {ASK_AGAIN}")
