"""`almanac ask`: what is answered to a question, in the form that is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape, unescape
from shlex import quote
from typing import Any

from bot.ask.answers import Reply, answer_document, answered, answered_by_model, fitted, more_said, understood
from bot.ask.known import Thread
from bot.ask.queries import Queries
from bot.ask.question import Choice, Question
from bot.ask.question_document import typed, understood_document
from bot.commands.options import AnswerOptions
from bot.commands.questions import open_queries
from bot.commands.rendering import as_json, payloads
from bot.model import Person
from bot.month.calendar import MonthRange
from bot.settings import Settings
from bot.story.render import Templates, markdown, markdown_lines
from bot.story.wording import clean


def ask(
    settings: Settings,
    question: str,
    asker: str | None,
    thread: dict[str, Any] | None,
    after: Sequence[str],
    options: AnswerOptions,
    *,
    parse: bool = False,
) -> str:
    """What is answered to a question, in the thread of those that it is asked `after`, or what was understood of it."""
    queries = open_queries(settings, options.zone)
    present = queries.present()
    person = queries.person(asker, MonthRange(present, present)) if asker else None
    about = Thread.of(thread)
    for earlier in after:
        meant = understood(queries, earlier, asker=person, thread=about)
        about = _reply(queries, earlier, meant, about, person).thread or about
    meant = understood(queries, question, asker=person, thread=about)
    if options.repositories:
        meant = replace(meant, repositories=options.repositories)
    if parse:
        return as_json(understood_document(meant))
    reply = _reply(queries, question, meant, about, person)
    if options.form == "json":
        return as_json(answer_document(reply))
    return rendered(settings, reply, options.form, queries)


def _reply(queries: Queries, text: str, meant: Question, about: Thread, asker: Person | None) -> Reply:
    return answered_by_model(queries, text, meant, about, asker=asker) or answered(queries, meant, about)


def rendered(settings: Settings, reply: Reply, form: str, queries: Queries) -> str:
    """A reply as text, Markdown, HTML, or the messages that Slack would get."""
    templates = Templates(settings.templates)
    form = "markdown" if form == "text" and "markdown" in reply.question.form else form
    if form == "slack" or reply.help:
        from bot.slack.messages import reply_messages

        messages = reply_messages(reply, templates, queries)
        return as_json(payloads(messages)) if form == "slack" else unescape("\n\n".join(one.text for one in messages))
    shown, left = fitted(reply, templates)
    plain = [text for text in (shown.explanations.short() if shown.explanations else "", shown.sentence_lines) if text]
    documents = [templates.month(form, one, queries.pages()) for one in shown.documents]
    if form == "html":
        parts = [*(f"<pre>{escape(one)}</pre>" for one in plain), *documents]
        said = [_paragraph(one) for one in (reply.first, *([] if parts else reply.words.splitlines()), more_said(left))]
        return templates.page("Almanac", "\n".join(filter(None, [said[0], *parts, *said[1:]])))
    if len(documents) == 1 and reply.first:  # which says what its heading does
        documents = [documents[0].partition("\n")[2].lstrip("\n")]
    if form == "markdown" and shown.explanations:
        plain = [f"```\n{one}\n```" for one in plain]
    parts = ["\n\n\n".join([*plain, *documents]), _words(reply.words, form), _words(more_said(left), form)]
    if form == "text":
        parts.append("\n".join(_offered(one) for one in reply.choices))
    first = (f"# {markdown(reply.first)}\n" if form == "markdown" else clean(reply.first)) if reply.first else ""
    return "\n".join(filter(None, [first, "\n\n".join(filter(None, parts))]))


def _paragraph(text: str) -> str:
    return f"<p>{escape(clean(text))}</p>" if text else ""


def _words(text: str, form: str) -> str:
    return markdown_lines(text) if form == "markdown" else "\n".join(map(clean, text.splitlines()))


def _offered(one: Choice) -> str:
    """What may have been meant, where there are no buttons."""
    return f"- {clean(one.label)}: almanac ask {quote(clean(typed(one.question)))}"
