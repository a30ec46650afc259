"""`almanac ask`: what is answered to a question, in the form that is wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape, unescape
from shlex import quote
from typing import TYPE_CHECKING, Any

from bot.ask.answers import (
    BY_MODEL,
    Reply,
    answer_document,
    answered,
    answered_by_model,
    answered_each,
    fitted,
    more_said,
    understood,
)
from bot.ask.known import Thread
from bot.ask.queries import Queries
from bot.ask.question import Choice, Question, typed
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

    def meant_of(text: str, about: Thread) -> Question:
        read = asking.meant(text, about)
        return replace(read, repositories=house.repositories) if house.repositories else read

    for earlier in after:
        about = asking.replies(earlier, meant_of(earlier, about), about, meant_of)[-1].thread or about
    meant = meant_of(question, about)
    if parse and not meant.then:
        return as_json(understood_document(meant))
    replies = asking.replies(question, meant, about, meant_of)
    if parse:
        return as_json(beside_first([understood_document(one.question) for one in replies]))
    if house.form == "json":
        return as_json(beside_first(list(map(answer_document, replies))))
    return rendered(house.settings, replies, house.form, asking.queries)


def beside_first(documents: Sequence[Any]) -> Any:
    """The document of a message's first question, with those of its others under "then"; a first that is a list of
    several, which stand side by side, has them in the first of these."""
    first, *then = documents
    head = first[0] if isinstance(first, list) else first
    return first if not then else [head | {"then": then}, *first[1:]] if head is not first else first | {"then": then}


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

    def replies(
        self, text: str, meant: Question, about: Thread, read: Callable[[str, Thread], Question]
    ) -> list[Reply]:
        """Those to all that a text asks."""
        if self.rights is None:
            first = answered_by_model(self.queries, text, meant, about) or answered(self.queries, meant, about)

            def reply(question: Question, about: Thread) -> tuple[Reply, None]:
                return answered(self.queries, question, about), None

            return [one for one, _ in answered_each(first, None, read, reply)]
        from bot.slack.audience import AccessRefused

        answering, context = self.rights
        try:
            return [one for one, _ in answering.replies(meant, context, about, typed=text, read=read)]
        except AccessRefused as refused:
            return [Reply(meant, words=str(refused))]


def rendered(settings: Settings, replies: Sequence[Reply], form: str, queries: Queries) -> str:
    """The replies to one text as text, Markdown, HTML, or the messages that Slack would get."""
    templates = Templates(settings.templates)
    form = "markdown" if form == "text" and "markdown" in replies[0].question.form else form
    if form == "slack" or replies[0].help:
        from bot.slack.render import reply_messages

        messages = [one for reply in replies for one in reply_messages(reply, templates, queries)]
        return as_json(payloads(messages)) if form == "slack" else unescape("\n\n".join(one.text for one in messages))
    if form == "html":
        return templates.page("Almanac", "\n".join(_rendered(one, form, queries, templates) for one in replies))
    return "\n\n".join(_rendered(one, form, queries, templates) for one in replies)


def _rendered(reply: Reply, form: str, queries: Queries, templates: Templates) -> str:
    shown, left = fitted(reply, templates)
    plain = [text for text in (shown.explanations.short if shown.explanations else "", shown.sentence_lines) if text]
    documents = [templates.month(form, one, queries.pages()) for one in shown.documents]
    if form == "html":
        parts = [*(f"<pre>{escape(one)}</pre>" for one in plain), *documents]
        words = (reply.first, *([] if parts else reply.words.splitlines()), more_said(left))
        said = [f"<p>{escape(clean(one))}</p>" if one else "" for one in words]
        return "\n".join(filter(None, [said[0], *parts, *said[1:]]))
    if len(documents) == 1 and reply.first not in ("", BY_MODEL):  # which says what its heading does
        documents = [documents[0].partition("\n")[2].lstrip("\n")]
    if form == "markdown" and shown.explanations:
        plain = [f"```\n{one}\n```" for one in plain]
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
