"""`almanac ask`: what is answered to a question, in the form that is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape, unescape
from shlex import quote
from typing import TYPE_CHECKING, Any

from bot.ask.answers import BY_MODEL, Reply, answer_document, answered, answered_by_model, fitted, more_said, understood
from bot.ask.known import Thread
from bot.ask.queries import Queries
from bot.ask.question import WHY, Choice, Question, typed
from bot.ask.question_document import understood_document
from bot.commands.house import House, as_json, payloads
from bot.errors import AlmanacError
from bot.settings import Settings
from bot.story.render import Templates, markdown, markdown_lines
from bot.wording import clean

if TYPE_CHECKING:
    from bot.slack.answering import Answering
    from bot.slack.audience import RequestContext


def ask(
    house: House,
    question: str,
    asker: str | None = None,
    after: Sequence[str] = (),
    *,
    parse: bool = False,
    thread: dict[str, Any] | None = None,
) -> str:
    """What is answered to a question, in the thread of those that it is asked `after`, or what was understood of it."""
    asking = _Asking.of(house, asker)
    about = Thread.of(thread)

    def meant_of(text: str) -> Question:
        read = asking.meant(text, about)
        return replace(read, repositories=house.repositories) if house.repositories else read

    for earlier in after:
        about = asking.reply(earlier, meant_of(earlier), about).thread or about
    meant = meant_of(question)
    if parse:
        return as_json(understood_document(meant))
    reply = asking.reply(question, meant, about)
    if house.form == "json":
        return as_json(answer_document(reply))
    return rendered(house.settings, reply, house.form, asking.queries)


@dataclass(frozen=True, slots=True)
class _Asking:
    """Who asks: with `rights` somebody who is told what they would be in a direct message, else whoever may read the
    database, to whom all of it is told."""

    queries: Queries
    rights: tuple[Answering, RequestContext] | None = None

    @classmethod
    def of(cls, house: House, asker: str | None) -> _Asking:
        """Raises AlmanacError where there is no such person, or they are told nothing at all."""
        if asker is None:
            return cls(house.queries)
        from bot.slack.answering import answering_for
        from bot.slack.audience import AccessRefused, Request

        answering, user = answering_for(house.queries, asker, house.zone)
        try:
            context = answering.context(Request(user, "", alone=True))
        except AccessRefused as refused:
            raise AlmanacError(str(refused).rstrip(".")) from refused
        return cls(context.queries, (answering, context))

    def meant(self, text: str, about: Thread) -> Question:
        if self.rights is None:
            return understood(self.queries, text, thread=about)
        answering, context = self.rights
        return answering.parsed(text, context, about)

    def reply(self, text: str, meant: Question, about: Thread) -> Reply:
        if self.rights is None:
            return answered_by_model(self.queries, text, meant, about) or answered(self.queries, meant, about)
        from bot.slack.audience import AccessRefused

        answering, context = self.rights
        try:
            return answering.reply(meant, context, about, typed=text)[0]
        except AccessRefused as refused:
            return Reply(meant, words=str(refused))


def rendered(settings: Settings, reply: Reply, form: str, queries: Queries) -> str:
    """A reply as text, Markdown, HTML, or the messages that Slack would get."""
    templates = Templates(settings.templates)
    form = "markdown" if form == "text" and "markdown" in reply.question.form else form
    if form == "slack" or reply.help:
        from bot.slack.render import reply_messages

        messages = reply_messages(reply, templates, queries)
        return as_json(payloads(messages)) if form == "slack" else unescape("\n\n".join(one.text for one in messages))
    shown, left = fitted(reply, templates)
    plain = [text for text in (shown.explanations.short if shown.explanations else "", shown.sentence_lines) if text]
    documents = [templates.month(form, one, queries.pages()) for one in shown.documents]
    if form == "html":
        parts = [*(f"<pre>{escape(one)}</pre>" for one in plain), *documents]
        words = (reply.first, *([] if parts else reply.words.splitlines()), more_said(left))
        said = [f"<p>{escape(clean(one))}</p>" if one else "" for one in words]
        return templates.page("Almanac", "\n".join(filter(None, [said[0], *parts, *said[1:]])))
    if len(documents) == 1 and reply.first not in ("", BY_MODEL):  # which says what its heading does
        documents = [documents[0].partition("\n")[2].lstrip("\n")]
    if form == "markdown" and shown.explanations:
        plain = [f"```\n{one}\n```" for one in plain]
    plain, documents = (documents, plain) if WHY in reply.question.form else (plain, documents)
    parts = ["\n\n\n".join([*plain, *documents]), _words(reply.words, form), _words(more_said(left), form)]
    if form == "text":
        parts.append("\n".join(_offered(one) for one in reply.choices))
    first = (f"# {markdown(reply.first)}\n" if form == "markdown" else clean(reply.first)) if reply.first else ""
    return "\n".join(filter(None, [first, "\n\n".join(filter(None, parts))]))


def _words(text: str, form: str) -> str:
    return markdown_lines(text) if form == "markdown" else "\n".join(map(clean, text.splitlines()))


def _offered(one: Choice) -> str:
    """What may have been meant, where there are no buttons."""
    return f"- almanac ask {quote(clean(typed(one.question)))}"
