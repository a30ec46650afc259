"""What the modals hold: read from the index for whoever sees them, and written where they correct something."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from bot.ask.answers import Reply
from bot.ask.correcting import Correctable
from bot.ask.queries import Queries
from bot.ask.question import Question
from bot.errors import AlmanacError, CommitUnknown
from bot.model import Signatures
from bot.month.calendar import Days, parse_any_period
from bot.slack import correcting, forms, modals
from bot.slack.answer_actions import NO_QUESTION
from bot.slack.answering import Answering
from bot.slack.audience import about
from bot.slack.buttons import asked, has_buttons, written
from bot.slack.conversation import is_direct, surface_of
from bot.slack.correcting import Correcting, Origin, Undoing
from bot.slack.ephemeral import Ephemeral
from bot.slack.failures import explained, explains_in_modal
from bot.slack.messages import around, document_messages, explanation_message
from bot.slack.packing import Response
from bot.slack.picker import TITLE, picker
from bot.slack.request import NOBODYS, AccessRefused, Request, RequestContext
from bot.story.documents import DigestDocument, MonthDocument
from bot.story.render import Templates

FAILED = "a modal could not be filled"
NOT_YOU = "I do not know who you are in git: say so by /almanac link and the address your commits are signed with."
NOT_THEM = "I do not know who {name} is in git: they can say so by /almanac link and an address."
NO_AUTHOR = "No person wrote this message, so there is no month of theirs to show."


class Dialogs:
    """Makes modals. Its methods block, and any thread may call them."""

    def __init__(self, answering: Answering, ephemeral: Ephemeral, templates: Templates) -> None:
        self._answering = answering
        self._ephemeral = ephemeral
        self._templates = templates

    def _seen(self, user: str, channel: str) -> RequestContext:
        """What somebody may see who opened a modal there. Raises AccessRefused where that is nothing."""
        return self._answering.context(Request(user, channel, alone=True))

    @explains_in_modal(FAILED, TITLE)
    def picker(self, user: str, channel: str, url: str) -> forms.View:
        """The modal to ask without typing, for somebody whom `url` answers."""
        queries = self._seen(user, channel).queries
        return picker(queries.present(), [one.name for one in queries.repositories], channel, url)

    @explains_in_modal(FAILED, "All changes")
    def changes(self, user: str, channel: str, shown: modals.ChangesPage) -> forms.View:
        """Some of the changes of a month, somebody's or a team's."""
        reply, visible, _ = self._answering.reply(asked(shown.question), self._seen(user, channel))
        document = reply.documents[0] if len(reply.documents) == 1 else None
        if not isinstance(document, MonthDocument | DigestDocument):
            raise AlmanacError(reply.words or "this is no month")
        return modals.changes_page(replace(shown, question=written(reply.question)), document, visible.pages(), channel)

    @explains_in_modal(FAILED, "Why it is shown this way")
    def explanation(self, user: str, channel: str, value: str) -> forms.View:
        """Why a change is shown as it is."""
        reply, _, _ = self._answering.reply(asked(value), self._seen(user, channel))
        if not (reply.explanations and reply.explanations.explained):
            return forms.said("Why it is shown this way", reply.words or NO_QUESTION)
        return modals.explanation(explanation_message(reply.explanations.explained[0]))

    @explains_in_modal(FAILED, "A month")
    def month(self, user: str, channel: str, value: str) -> forms.View:
        """The month that a button of a modal holds."""
        return self._month_view(asked(value), self._seen(user, channel))

    @explains_in_modal(FAILED, "A month")
    def month_of(self, user: str, channel: str, whom: str) -> forms.View:
        """The newest month of a Slack user that holds anything, for somebody else or themselves to see."""
        context = self._seen(user, channel)
        if not whom:
            return forms.said("A month", NO_AUTHOR)
        person, called_in_slack = self._answering.behind(whom, context)
        if person is None:
            return forms.said("A month", NOT_YOU if whom == user else NOT_THEM.format(name=called_in_slack))
        months = [one for one in context.queries.activity.months(person) if one <= context.queries.present()]
        newest = months[-1] if months else context.queries.present()
        name = context.queries.known.directory.called(person)
        return self._month_view(Question("month", (name,), Days.of(newest), found={name: person}), context)

    def _month(self, context: RequestContext, question: Question) -> tuple[Reply, Queries, MonthDocument]:
        reply, visible, _ = self._answering.reply(question, context)
        document = reply.documents[0] if reply.documents else None
        if not isinstance(document, MonthDocument):
            raise AlmanacError(reply.words or "this is no month")
        return reply, visible, document

    def _month_view(self, question: Question, context: RequestContext) -> forms.View:
        reply, visible, document = self._month(context, question)
        messages = document_messages([document], self._templates, visible.pages())
        month, changes = parse_any_period(document.month), document.counts["changes"]
        beside = around(visible, reply.question, month)
        return modals.month(reply.question, messages, month, changes, beside, context.request.channel)

    # corrections

    @explains_in_modal(FAILED, correcting.TITLE)
    def correction(self, user: str, origin: Origin) -> forms.View:
        """The modal that asks what is wrong with a month, or the sentence that says who may say so."""
        context, question = self._seen(user, origin.channel), asked(origin.question)
        if not context.may_correct(question):
            names = question.people
            text = correcting.NOT_ALLOWED.format(name=names[0]) if len(names) == 1 else NOBODYS
            return forms.said(correcting.TITLE, text)
        _, _, document = self._month(context, question)
        return correcting.which_change(origin, document, self._corrected(question, document.month, context))

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
        """Keep a correction, tell the message anew that it began at, and say that it is done."""
        try:
            view = self._seen(user, wanted.origin.channel)
            one = view.correctable(wanted.sha)
            kept = view.queries.corrector().correct(one, wanted.field, wanted.value, view.called)
        except (AccessRefused, AlmanacError) as error:
            return Response(said=explained(error, "a change could not be corrected"))
        response = self._shown_anew(user, wanted.origin, correcting.done(wanted))
        return replace(response, below=correcting.undo_row(wanted.sha, kept))

    def take_back(self, user: str, wanted: Undoing) -> Response:
        """Undo a correction that still counts, tell the message anew that it was begun at, and say that it is done."""
        try:
            view = self._seen(user, wanted.origin.channel)
            one = view.correctable(wanted.sha)
            counts = any((each.number, each.field) == (wanted.number, wanted.field) for each in one.standing)
            back = view.queries.corrector().undo(one, view.called, wanted.field) if counts else None
        except (AccessRefused, AlmanacError) as error:
            return Response(said=explained(error, "a correction could not be undone"))
        if back is None:
            return Response(said=correcting.NOT_THERE)
        return self._shown_anew(user, wanted.origin, correcting.undone(wanted.sha, back))

    def _shown_anew(self, user: str, origin: Origin, said: str) -> Response:
        question = asked(origin.question)
        if origin.ephemeral:
            asks = Request(user, origin.channel, alone=True)
            answer = self._answering.question(question, asks, surface_of(origin.channel, alone=True))
            return Response(answer.messages if answer.reply else (), replace=True, said=said)
        direct = is_direct(origin.channel)
        asks = Request(user, origin.channel, alone=direct)
        answer = self._answering.question(question, asks, surface_of(origin.channel))
        shown = [one for one in answer.messages if has_buttons(one) and correcting.beginning(one.text) == origin.begins]
        may_stand = answer.reply is not None and (direct or not answer.privately)
        if shown and may_stand and not self._ephemeral.change(origin.channel, origin.ts, shown[0]):
            return Response(said=said)
        return Response(said=f"{said} {correcting.ASK_AGAIN}")
